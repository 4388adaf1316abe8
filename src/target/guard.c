#include "target/guard.h"

#include <string.h>

#include "base/array.h"
#include "target/hardware.h"
#include "target/loop.h"
#include "target/mounts.h"

/* A device whose use is use of the guarded one. */
struct relative {
    struct blockdev b;
    const char *who; /* "its partition sda1"; NULL: the guarded device itself */
};

enum { MAX_RELATIVES = 512, MAX_FOUND = 256 };

struct guard {
    struct arena *a;
    struct mounts mounts;
    struct swaps swaps;
    struct loops loops;
    struct relative *family;
    size_t n_family;
    struct clauses found;
    bool overflow;
};

static int guard_start(struct arena *a, struct guard *g, struct error *e)
{
    *g = (struct guard) { .a = a };
    if (mounts_read(a, &g->mounts, e) || swaps_read(a, &g->swaps, e))
        return -1;
    g->loops = loops_read(a);
    g->family = arena_array(a, struct relative, MAX_RELATIVES);
    g->found.at = arena_array(a, const char *, MAX_FOUND);
    return 0;
}

/* who NULL: the clause stands alone; else "WHO is CLAUSE". */
static void say(struct guard *g, const char *who, const char *clause)
{
    if (g->found.n == MAX_FOUND) {
        g->overflow = true;
        return;
    }
    g->found.at[g->found.n++] = who ? arena_printf(g->a, "%s is %s", who, clause) : clause;
}

static void add_relative(struct guard *g, const struct blockdev *b, const char *who)
{
    for (size_t i = 0; i < g->n_family; i++)
        if (g->family[i].b.dev == b->dev)
            return;
    if (g->n_family == MAX_RELATIVES) {
        g->overflow = true;
        return;
    }
    g->family[g->n_family++] = (struct relative) { *b, who };
}

static void add_partitions(struct guard *g, const struct blockdev *disk, const char *who)
{
    struct names parts = sysfs_partitions(g->a, disk);
    for (size_t i = 0; i < parts.n; i++) {
        struct blockdev b;
        if (sysfs_by_name(g->a, parts.at[i], &b))
            add_relative(g, &b,
                         who ? arena_printf(g->a, "%s, a partition of %s,", b.name, disk->name)
                             : arena_printf(g->a, "its partition %s", b.name));
    }
}

/* Hybrid and nested partition tables can give two partitions the same blocks. */
static void add_overlapping(struct guard *g, const struct blockdev *part,
                            const struct blockdev *disk)
{
    uint64_t from = sysfs_number(g->a, part, "start", 0);
    uint64_t to = from + sysfs_number(g->a, part, "size", 0);
    struct names parts = sysfs_partitions(g->a, disk);
    for (size_t i = 0; i < parts.n; i++) {
        struct blockdev b;
        if (!sysfs_by_name(g->a, parts.at[i], &b) || b.dev == part->dev)
            continue;
        uint64_t start = sysfs_number(g->a, &b, "start", 0);
        uint64_t end = start + sysfs_number(g->a, &b, "size", 0);
        if (start < to && from < end)
            add_relative(g, &b, arena_printf(g->a, "the overlapping partition %s", b.name));
    }
}

static const char *holder_words(struct arena *a, const struct blockdev *holder)
{
    const char *made_of = hardware_made_of(a, holder);
    if (strncmp(holder->name, "md", 2) == 0)
        return arena_printf(a, "a member of the array %s", holder->name);
    return made_of ? arena_printf(a, "in use by %s (%s)", holder->name, made_of)
                   : arena_printf(a, "in use by %s", holder->name);
}

/* Whatever is made of r joins the family: mounted there is in use here. */
static void add_users(struct guard *g, const struct relative *r)
{
    struct names holders = sysfs_links(g->a, &r->b, "holders");
    const struct loop *loop = loops_over_device(&g->loops, r->b.dev);
    for (size_t i = 0; i < holders.n; i++) {
        struct blockdev b;
        if (!sysfs_by_name(g->a, holders.at[i], &b))
            continue;
        const char *who = arena_printf(g->a, "%s, made of it,", b.name);
        add_relative(g, &b, who);
        add_partitions(g, &b, who);
    }
    if (loop) {
        const char *who = arena_printf(g->a, "%s, a loop device over it,", loop->b.name);
        add_relative(g, &loop->b, who);
        add_partitions(g, &loop->b, who);
    }
}

/* A disk or partition with all that shares its blocks. who NULL: the guarded device. */
static void add_with_parts(struct guard *g, const struct blockdev *b, const char *who)
{
    add_relative(g, b, who);
    add_partitions(g, b, who);
    if (b->partition) {
        struct blockdev disk = sysfs_disk(g->a, b);
        add_relative(g, &disk, arena_printf(g->a, "the whole disk %s", disk.name));
        add_overlapping(g, b, &disk);
    }
}

static void gather_family(struct guard *g, const struct blockdev *b)
{
    struct blockdev behind;
    const struct loop *self = loops_by_name(&g->loops, sysfs_disk(g->a, b).name);
    add_with_parts(g, b, NULL);
    if (self && self->rdev && sysfs_by_dev(g->a, self->rdev, &behind))
        add_with_parts(g, &behind, arena_printf(g->a, "%s, the device behind it,", behind.name));
    for (size_t i = 0; i < g->n_family; i++)
        add_users(g, &g->family[i]);
}

static void look_at_mounts(struct guard *g)
{
    for (size_t i = 0; i < g->mounts.n; i++) {
        const struct mount *m = &g->mounts.at[i];
        struct devices on = { 0 };
        mount_devices(g->a, &g->mounts, m, &on);
        g->overflow |= on.full;
        for (size_t k = 0; k < g->n_family; k++)
            if (devices_have(&on, g->family[k].b.dev))
                say(g, g->family[k].who, arena_printf(g->a, "mounted at %s", m->point));
    }
}

static void look_at_holders(struct guard *g, const struct relative *r)
{
    struct names holders = sysfs_links(g->a, &r->b, "holders");
    for (size_t i = 0; i < holders.n; i++) {
        struct blockdev b;
        say(g, r->who,
            sysfs_by_name(g->a, holders.at[i], &b)
                ? holder_words(g->a, &b)
                : arena_printf(g->a, "in use by %s", holders.at[i]));
    }
    const struct loop *loop = loops_over_device(&g->loops, r->b.dev);
    if (loop && loop->b.dev != sysfs_disk(g->a, &g->family[0].b).dev)
        say(g, r->who, arena_printf(g->a, "behind the loop device %s", loop->b.name));
}

static void look_at_use(struct guard *g, const struct relative *r)
{
    const char *btrfs = btrfs_in_use(g->a, &r->b);
    if (swaps_have_device(g->a, &g->swaps, &r->b))
        say(g, r->who, "in use as swap");
    if (btrfs)
        say(g, r->who, arena_printf(g->a, "part of the btrfs filesystem '%s' in use", btrfs));
    if (sysfs_links(g->a, &r->b, "bcache").n)
        say(g, r->who, "part of a bcache");
    look_at_holders(g, r);
}

/* Down to what is not made of anything: partition → disk, holder → slaves, loop → the device behind it or, with `files`, the disk
 * of its file. */
static void bottoms(struct guard *g, const struct blockdev *b, bool files, struct devices *ret)
{
    struct devices stack = { 0 };
    devices_add(&stack, b);
    for (size_t i = 0; i < stack.n; i++) {
        struct blockdev disk = sysfs_disk(g->a, &stack.at[i]), below;
        struct names slaves = sysfs_links(g->a, &disk, "slaves");
        for (size_t k = 0; k < slaves.n; k++)
            if (sysfs_by_name(g->a, slaves.at[k], &below))
                devices_add(&stack, &below);
        const struct loop *loop = loops_by_name(&g->loops, disk.name);
        if (loop && loop->rdev && sysfs_by_dev(g->a, loop->rdev, &below))
            devices_add(&stack, &below);
        else if (loop && files)
            mount_devices(g->a, &g->mounts, mounts_covering(&g->mounts, loop->path, loop->dev),
                          &stack);
        if (!slaves.n)
            devices_add(ret, &disk);
    }
    g->overflow |= stack.full | ret->full;
}

/* The disks behind a mount point of the system; none if nothing is mounted exactly there. */
static void under_point(struct guard *g, const char *point, struct devices *ret)
{
    const struct mount *m = mounts_covering(&g->mounts, point, 0);
    struct devices on = { 0 };
    if (!m || strcmp(m->point, point) != 0)
        return;
    mount_devices(g->a, &g->mounts, m, &on);
    for (size_t i = 0; i < on.n; i++)
        bottoms(g, &on.at[i], true, ret);
    g->overflow |= on.full | ret->full;
}

static void look_at_system(struct guard *g, const struct blockdev *b)
{
    static const char *const points[] = { "/", "/usr", "/boot", "/boot/efi", "/var", "/etc" };
    struct devices mine = { 0 };
    bottoms(g, b, false, &mine);
    for (size_t i = 0; i < countof(points); i++) {
        struct devices under = { 0 };
        under_point(g, points[i], &under);
        for (size_t k = 0; k < mine.n; k++) {
            const struct blockdev *disk = &mine.at[k];
            if (!devices_have(&under, disk->dev))
                continue;
            say(g, NULL,
                disk->dev == b->dev ? arena_printf(g->a, "the system disk (it holds %s)", points[i])
                                    : arena_printf(g->a, "on the system disk %s (it holds %s)",
                                                   disk->name, points[i]));
        }
    }
}

static void look_at_partitions(struct guard *g, const struct blockdev *b)
{
    struct names parts = sysfs_partitions(g->a, b);
    if (parts.n)
        say(g, NULL,
            arena_printf(g->a, "has %zu partition%s (%s)", parts.n, parts.n == 1 ? "" : "s",
                         names_joined(g->a, &parts, ", ")));
}

/* The guarded device is itself a loop: its file may be in use by others too. */
static void look_at_backing_file(struct guard *g, const struct loop *self)
{
    if (swaps_have_file(&g->swaps, self->dev, self->ino))
        say(g, NULL, arena_printf(g->a, "its backing file %s is in use as swap", self->path));
    for (size_t i = 0; i < g->loops.n; i++) {
        const struct loop *other = &g->loops.at[i];
        if (other->b.dev != self->b.dev && !other->rdev && other->dev == self->dev &&
            other->ino == self->ino)
            say(g, NULL,
                arena_printf(g->a, "its backing file %s is behind the loop device %s too",
                             self->path, other->b.name));
    }
}

static void look_at_device(struct guard *g, const struct blockdev *b)
{
    const struct loop *self = loops_by_name(&g->loops, sysfs_disk(g->a, b).name);
    gather_family(g, b);
    look_at_mounts(g);
    for (size_t i = 0; i < g->n_family; i++)
        look_at_use(g, &g->family[i]);
    look_at_system(g, b);
    look_at_partitions(g, b);
    if (self && !self->rdev)
        look_at_backing_file(g, self);
}

int guard_device(struct arena *a, const struct blockdev *b, int fd, struct clauses *ret,
                 struct error *e)
{
    struct guard g;
    struct clauses written = { 0 };
    if (guard_start(a, &g, e) || (fd >= 0 && signatures_read(a, fd, &written, e)))
        return -1;
    look_at_device(&g, b);
    for (size_t i = 0; i < written.n; i++)
        say(&g, NULL, written.at[i]);
    if (g.overflow)
        return error_set(e, QD_E_UNSAFE, "cannot tell who uses '%s': too many do", b->name);
    *ret = g.found;
    return 0;
}

int guard_file(struct arena *a, dev_t dev, ino_t ino, struct clauses *ret, struct error *e)
{
    struct guard g;
    if (guard_start(a, &g, e))
        return -1;
    if (swaps_have_file(&g.swaps, dev, ino))
        say(&g, NULL, "in use as swap");
    const struct loop *loop = loops_over_file(&g.loops, dev, ino);
    if (loop)
        say(&g, NULL, arena_printf(a, "behind the loop device %s", loop->b.name));
    *ret = g.found;
    return 0;
}

const char *guard_sentence(struct arena *a, const struct clauses *c)
{
    const struct names all = { c->at, c->n };
    return names_joined(a, &all, "; ");
}
