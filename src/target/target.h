#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/target.h"

/* From what the user typed to something that can be opened, and the only place that opens anything for writing.
 *
 *   target_spec_parse → target_probe → (permit_ask →) target_open → target_close
 *
 * Identity is the sysfs name (device number), never the path string. */

/* [NAME=]PATH[,direct=no]; PATH may be mem:, mem:SIZE, loop:FILE. */
struct target_spec {
    const char *name;        /* as given, or NULL */
    const char *path;        /* without prefix and options; "mem:" for memory */
    enum target_kind scheme; /* TARGET_MEMORY, TARGET_LOOP, or TARGET_FILE = look at the path */
    uint64_t memory_bytes;   /* mem:SIZE; 0 = to the span */
    bool direct;             /* true unless direct=no */
};
int target_spec_parse(struct arena *a, const char *text, struct target_spec *ret, struct error *e);

/* What is there, found without opening for writing and without changing anything. */
struct target_info {
    struct target_spec spec;
    const char *name; /* given, or the model, or the last part of the path */
    enum target_kind kind;
    bool exists; /* a file that does not exist yet will be made */
    const char
        *sysfs; /* name of the block device ("sda1"), or of the disk that holds the file; or NULL */
    const char *serial;   /* or NULL */
    const char *identity; /* see struct target_record */
    uint64_t dev, ino;    /* of the file or directory; of the device: its rdev and 0 */
    int64_t born_ns; /* when the file or directory was made, 0 = not known: inode numbers recur */
    uint64_t
        capacity_bytes; /* device or existing file: its size; else free space or available memory */
    uint64_t
        available_bytes; /* what a scratch file may take at most before the free-space check refuses */
    uint32_t logical_block, physical_block;
    const struct fact *
        facts; /* model, firmware, serial, capacity, scheduler, write cache, filesystem, mount options… */
    size_t n_facts;
};
/* Missing directory, unreadable path, anything to be created under /dev, /proc or /sys: an error here (QD_E_USAGE for the
 * latter: no such device '/dev/nvme9n1'). */
int target_probe(struct arena *a, const struct target_spec *spec, struct target_info *ret,
                 struct error *e);

/* Are both the same file or device (also whole disk against its partition)? */
bool target_same(const struct target_info *x, const struct target_info *y);

/* --- permission to write ----------------------------------------------------------------------------------------- */

/* Opaque; made only by permit_ask, after the guard passed; in the arena. */
struct write_permit;

/* May this target be written? Scratch (directory, mem:, a file that does not exist): yes. An existing file: only if
 * `destroy` names its path and nothing uses it (swap, a loop device, another program that has it open; so ask before
 * opening). A block device: only if `destroy` names its serial (its path where the kernel gives none) and the guard
 * finds nothing: not mounted (nor a partition of it), no holders, not swap, not the system disk, not an array member, no
 * filesystem, RAID or partition signature, no partitions; O_EXCL succeeds. Otherwise QD_E_UNSAFE naming what was found.
 * What is merely read-only, or not ours to write, is QD_E_FAIL or QD_E_IO. `destroy` is a NULL-terminated list or NULL. */
int permit_ask(struct arena *a, const struct target_info *t, const char *const *destroy,
               struct write_permit **ret, struct error *e);

/* What the guard finds about a device, one clause each ("mounted at /home", "holds an ext4 filesystem"); n = 0: nothing.
 * Also for `qdepth targets`. Only block devices are asked about; for others n = 0. */
int guard_findings(struct arena *a, const struct target_info *t, const char *const **ret,
                   size_t *ret_n, struct error *e);

/* --- opening ------------------------------------------------------------------------------------------------------- */

/* span_bytes: how much is to be used; scratch files are made that large (the data is written by runner/layout), existing
 * files and devices must be at least that large (QD_E_FAIL names both sizes). 0: existing file or device whole;
 * scratch: see target_default_span. Without a permit the target is opened for reading only, and one that would have to be
 * created is an error. Scratch in a directory is O_TMPFILE (or unlinked at once). O_DIRECT is tried if spec.direct and
 * verified by an I/O; where it is refused the target is opened buffered and ret->direct is false. */
struct target;
int target_open(struct arena *a, const struct target_info *t, struct write_permit *permit,
                uint64_t span_bytes, struct target **ret, struct error *e);
const struct opened_target *target_opened(const struct target *t); /* dies with t */
bool target_is_scratch(
    const struct target *t); /* needs runner/layout to fill it; vanishes at close */
/* A named scratch file that must be removed afterwards, for the store's list of own files; NULL: nothing to remove. */
const char *target_own_file(const struct target *t);
struct target *target_close(struct target *t); /* removes scratch; NULL in, NULL out */

/* 1 GiB, at most 10 % of free space or 25 % of available memory (mem:), rounded down to 1 MiB; devices and existing files:
 * their size. *ret_why (may be NULL) says in words what limited it, or NULL. */
uint64_t target_default_span(struct arena *a, const struct target_info *t, const char **ret_why);

/* --- listing ------------------------------------------------------------------------------------------------------- */

/* Block devices that could be tested: whole disks and partitions, sorted by sysfs name. */
struct target_list_row {
    const char *path, *model, *serial, *firmware, *link, *in_use;
    uint64_t size_bytes;
};
int target_list(struct arena *a, const struct target_list_row **ret, size_t *ret_n,
                struct error *e);

/* Root of sysfs and procfs, "" by default: tests point it at a made-up tree. Not thread-safe; set before anything else. */
void target_set_root(const char *prefix);
