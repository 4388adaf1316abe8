#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/file.h"
#include "base/fmt.h"
#include "target/facts.h"
#include "target/filesystem.h"
#include "target/hardware.h"
#include "target/loop.h"
#include "target/path.h"
#include "target/sysfs.h"
#include "target/target.h"

static const char *serial_of_place(struct arena *a, const struct place *p)
{
    return p->on_disk ? hardware_of(a, &p->device).serial : NULL;
}

static void take_place(struct arena *a, const struct place *p, struct target_info *t)
{
    struct facts f = { 0 };
    if (t->kind == TARGET_LOOP)
        facts_put(&f, "Made of", arena_printf(a, "loop device over %s", t->spec.path));
    place_facts(a, p, &f);
    t->facts = facts_take(a, &f, &t->n_facts);
    t->serial = serial_of_place(a, p);
    if (!p->on_disk)
        return;
    t->sysfs = p->device.name;
    t->logical_block = (uint32_t)sysfs_queue_number(a, &p->device, "logical_block_size", 0);
    t->physical_block = (uint32_t)sysfs_queue_number(a, &p->device, "physical_block_size", 0);
}

static const char *file_identity(struct arena *a, const struct target_info *t)
{
    return arena_printf(a, "%u:%u:%" PRIu64, major(t->dev), minor(t->dev), t->ino);
}

static int probe_memory(struct arena *a, struct target_info *t, struct error *e)
{
    struct space s;
    struct facts f = { 0 };
    if (space_memory(a, &s, e))
        return -1;
    t->identity = "memory";
    t->capacity_bytes = s.free;
    t->available_bytes = s.most;
    facts_put(&f, "Filesystem", "tmpfs (memory of this machine)");
    t->facts = facts_take(a, &f, &t->n_facts);
    if (!t->name)
        t->name = "mem";
    return 0;
}

static int probe_block(struct arena *a, const struct stat *st, struct target_info *t,
                       struct error *e)
{
    struct blockdev b;
    struct facts f = { 0 };
    const char *path = t->spec.path;
    if (!sysfs_by_dev(a, st->st_rdev, &b))
        return error_set(e, QD_E_GONE, "cannot use '%s': no device %u:%u is there", path,
                         major(st->st_rdev), minor(st->st_rdev));
    struct hardware h = hardware_of(a, &b);
    t->kind = TARGET_BLOCK;
    t->exists = true;
    t->dev = st->st_rdev;
    t->sysfs = b.name;
    t->serial = h.serial;
    t->identity = h.serial ? h.serial : b.name;
    if (h.serial && b.partition)
        t->identity = arena_printf(a, "%s-part%" PRIu64, h.serial,
                                   sysfs_number(a, &b, "partition", 0));
    t->capacity_bytes = t->available_bytes = sysfs_bytes(a, &b);
    t->logical_block = (uint32_t)sysfs_queue_number(a, &b, "logical_block_size", 0);
    t->physical_block = (uint32_t)sysfs_queue_number(a, &b, "physical_block_size", 0);
    facts_put_device(a, &f, &b);
    t->facts = facts_take(a, &f, &t->n_facts);
    if (!t->name && h.model)
        t->name = b.partition ? arena_printf(a, "%s (%s)", h.model, b.name) : h.model;
    if (!t->name)
        t->name = file_basename(a, path);
    return 0;
}

static int no_storage(const struct target_info *t, const char *where, struct error *e)
{
    const char *path = t->spec.path;
    if (t->exists)
        return error_set(e, QD_E_USAGE, "cannot use '%s': %s is no storage", path, where);
    if (t->kind == TARGET_DIRECTORY)
        return error_set(e, QD_E_USAGE, "cannot make a scratch file in '%s': it lies in %s%s", path,
                         where, strcmp(where, "/dev") == 0 ? " (try mem: for memory)" : "");
    if (strcmp(where, "/dev") == 0)
        return error_set(e, QD_E_USAGE, "no such device '%s'", path);
    return error_set(e, QD_E_USAGE, "no such file '%s', and none can be made in %s", path, where);
}

static int take_space(const char *folder, struct target_info *t, struct error *e)
{
    struct space s;
    if (space_below(folder, &s, e))
        return -1;
    t->capacity_bytes = s.free;
    t->available_bytes = s.most;
    return 0;
}

static int64_t born(const char *path)
{
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return 0;
    int64_t ns = path_born(fd);
    close(fd);
    return ns;
}

/* real: the directory, or the one in which the new file is to be made. */
static int probe_folder(struct arena *a, const char *real, struct target_info *t, struct error *e)
{
    struct stat st;
    struct place p;
    if (stat(real, &st))
        return error_sys(e, errno, "cannot use '%s'", real);
    if (!S_ISDIR(st.st_mode))
        return error_set(e, QD_E_NOTFOUND, "no such directory '%s'", real);
    if (place_of(a, real, st.st_dev, &p, e))
        return -1;
    const char *kernel = place_of_kernel(real, &p, false);
    if (kernel)
        return no_storage(t, kernel, e);
    t->dev = st.st_dev;
    t->ino = st.st_ino;
    t->born_ns = born(real);
    take_place(a, &p, t);
    t->identity = file_identity(a, t);
    return take_space(real, t, e);
}

static int probe_directory(struct arena *a, struct target_info *t, struct error *e)
{
    char real[PATH_MAX];
    const char *path = t->spec.path;
    if (t->kind == TARGET_LOOP)
        return error_set(e, QD_E_USAGE, "cannot use 'loop:%s': it is a directory", path);
    if (!realpath(path, real))
        return error_sys(e, errno, "cannot use '%s'", path);
    t->kind = TARGET_DIRECTORY;
    if (!t->name)
        t->name = strcmp(real, "/") == 0 ? "/" : file_basename(a, real);
    return probe_folder(a, real, t, e);
}

static int probe_file(struct arena *a, const struct stat *st, struct target_info *t,
                      struct error *e)
{
    char real[PATH_MAX];
    struct place p;
    if (!realpath(t->spec.path, real))
        return error_sys(e, errno, "cannot use '%s'", t->spec.path);
    if (place_of(a, real, st->st_dev, &p, e))
        return -1;
    t->exists = true;
    const char *kernel = place_of_kernel(real, &p, true);
    if (kernel)
        return no_storage(t, kernel, e);
    t->dev = st->st_dev;
    t->ino = st->st_ino;
    t->born_ns = born(real);
    t->capacity_bytes = t->available_bytes = (uint64_t)st->st_size;
    take_place(a, &p, t);
    t->identity = file_identity(a, t);
    return 0;
}

/* "nvme0n1" without "/dev/" would become a file of that name. */
static int refuse_bare_device(struct arena *a, const char *path, struct error *e)
{
    struct blockdev b;
    if (!sysfs_by_name(a, path, &b))
        return 0;
    return error_set(e, QD_E_USAGE, "no such file '%s' (the device is '%s')", path,
                     sysfs_node(a, &b));
}

static int probe_missing(struct arena *a, struct target_info *t, struct error *e)
{
    struct path_parts p;
    struct stat st;
    const char *path = t->spec.path;
    if (!lstat(path, &st))
        return error_set(e, QD_E_NOTFOUND, "cannot use '%s': it is a link to nothing", path);
    if (path_split(a, path, &p, e) || refuse_bare_device(a, path, e))
        return -1;
    if (probe_folder(a, p.folder, t, e))
        return -1;
    t->identity = arena_printf(a, "%s/%s", t->identity, p.base);
    return 0;
}

static int probe_path(struct arena *a, struct target_info *t, struct error *e)
{
    struct stat st;
    const char *path = t->spec.path;
    if (stat(path, &st)) {
        if (errno != ENOENT)
            return error_sys(e, errno, "cannot use '%s'", path);
        return probe_missing(a, t, e);
    }
    if (S_ISDIR(st.st_mode))
        return probe_directory(a, t, e);
    if (!S_ISBLK(st.st_mode) && !S_ISREG(st.st_mode))
        return error_set(e, QD_E_USAGE,
                         "cannot use '%s': neither a block device nor a file nor a directory",
                         path);
    if (faccessat(AT_FDCWD, path, R_OK, AT_EACCESS))
        return error_sys(e, errno, "cannot read '%s'", path);
    if (S_ISREG(st.st_mode))
        return probe_file(a, &st, t, e);
    if (t->kind == TARGET_LOOP)
        return error_set(e, QD_E_USAGE, "cannot use 'loop:%s': it is a block device", path);
    return probe_block(a, &st, t, e);
}

int target_probe(struct arena *a, const struct target_spec *spec, struct target_info *ret,
                 struct error *e)
{
    struct target_info t = { .spec = *spec, .name = spec->name, .kind = spec->scheme };
    if (spec->scheme == TARGET_MEMORY ? probe_memory(a, &t, e) : probe_path(a, &t, e))
        return -1;
    if (!t.name)
        t.name = file_basename(a, spec->path);
    *ret = t;
    return 0;
}

/* Is loop device x attached to the file y? */
static bool loop_of_file(struct arena *a, const struct target_info *x, const struct target_info *y)
{
    struct loops all = loops_read(a);
    const struct loop *loop = loops_by_name(&all, x->sysfs);
    return loop && !loop->rdev && loop->dev == y->dev && loop->ino == y->ino;
}

static bool same_device(struct arena *a, const struct target_info *x, const struct target_info *y)
{
    struct blockdev bx, by;
    if (x->dev == y->dev)
        return true;
    if (!sysfs_by_dev(a, x->dev, &bx) || !sysfs_by_dev(a, y->dev, &by) ||
        bx.partition == by.partition)
        return false;
    return sysfs_disk(a, &bx).dev == sysfs_disk(a, &by).dev;
}

static bool same_file(const struct target_info *x, const struct target_info *y)
{
    return x->dev == y->dev && x->ino == y->ino && x->exists == y->exists &&
           strcmp(x->identity, y->identity) == 0;
}

bool target_same(const struct target_info *x, const struct target_info *y)
{
    bool bx = x->kind == TARGET_BLOCK, by = y->kind == TARGET_BLOCK;
    bool fx = x->kind == TARGET_FILE || x->kind == TARGET_LOOP;
    bool fy = y->kind == TARGET_FILE || y->kind == TARGET_LOOP;
    if (fx && fy)
        return same_file(x, y);
    struct arena *a = arena_new();
    bool same = false;
    if (bx && by)
        same = same_device(a, x, y);
    else if (bx && fy && y->exists)
        same = loop_of_file(a, x, y);
    else if (by && fx && x->exists)
        same = loop_of_file(a, y, x);
    arena_free(a);
    return same;
}

uint64_t target_default_span(struct arena *a, const struct target_info *t, const char **ret_why)
{
    static const uint64_t usual = 1ull << 30, grain = 1ull << 20;
    const char *why = NULL;
    uint64_t span = usual;
    if (t->exists && t->kind != TARGET_DIRECTORY) {
        span = t->capacity_bytes;
    } else {
        bool memory = t->kind == TARGET_MEMORY;
        uint64_t most = memory ? t->capacity_bytes / 4 : t->capacity_bytes / 10;
        if (most < span) {
            span = most;
            why = arena_printf(a,
                               memory ? "25\u00a0%% of the %s of memory available"
                                      : "10\u00a0%% of the %s free",
                               fmt_bytes(t->capacity_bytes).s);
        }
        if (memory && t->spec.memory_bytes && t->spec.memory_bytes < span) {
            span = t->spec.memory_bytes;
            why = arena_printf(a, "mem:%s as given", fmt_bytes(span).s);
        }
        span -= span % grain;
    }
    if (ret_why)
        *ret_why = why;
    return span;
}
