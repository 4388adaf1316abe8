#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum target_kind {
    TARGET_BLOCK,
    TARGET_FILE,
    TARGET_DIRECTORY,
    TARGET_MEMORY,
    TARGET_LOOP,
    TARGET_IMPORTED
};
const char *target_kind_name(enum target_kind k); /* "block device", "file", … */

/* One line of environment: of a host or a target. Keys are the labels printed ("Model", "Kernel"). */
struct fact {
    const char *key, *value;
};

/* What a device sheet says of a target (docs/devices.md): nothing of it was measured. Absent numbers are 0, absent texts NULL. */
struct device_sheet {
    double price;
    const char *currency; /* "EUR"; there if there is a price */
    uint64_t capacity_bytes,
        endurance_bytes; /* as the maker gives them; endurance: bytes written */
    double rated_read_iops, rated_write_iops;
    double rated_read_mb_s, rated_write_mb_s; /* 10^6 bytes per second */
    uint64_t rated_read_lat_ns, rated_write_lat_ns;
    const char *members;   /* of an array, in words */
    const char *sample_of; /* name of the target it is another sample of */
    const char *factor;    /* what else differs, such as the controller */
    const void *picture;   /* PNG or JPEG */
    size_t picture_bytes;
};

/* A device that was to be compared and is not in the run, with the reason. */
struct left_out {
    const char *name, *reason;
};

/* What is recorded about a target. */
struct target_record {
    uint32_t no;      /* index in the run */
    const char *name; /* display name, unique in the run */
    const char *path; /* as given */
    enum target_kind kind;
    const char *identity; /* stable: serial, else sysfs name or device:inode */
    const char *layout;   /* how its data came to be: "1 GiB of random data written", "as found" */
    uint64_t capacity_bytes, span_bytes;
    uint32_t logical_block, physical_block; /* bytes; 0 = not known */
    bool highlighted;                       /* the device under test */
    const struct fact *facts;
    size_t n_facts;
    const struct device_sheet *sheet; /* NULL: none */
};

/* A target opened by target/open.c: the only way to get one. `writable` is true only if a write permit was shown.
 * The engine and the layout use fd; nobody else opens the path. Closed by target_close. */
struct opened_target {
    int fd;
    bool writable;
    bool direct; /* the descriptor has O_DIRECT and the kernel accepted an I/O with it */
    bool block_device;
    bool nowait;      /* completes without a kernel worker (RWF_NOWAIT works): see engine "auto" */
    uint32_t no;      /* index in the run */
    const char *name; /* for messages; lives as long as the target */
    uint64_t size;    /* bytes that may be addressed: the span */
    uint32_t
        block; /* smallest I/O and alignment of offsets for this descriptor, bytes (1 if buffered) */
    uint32_t memory_align; /* alignment of buffers, bytes */
};
