#include "runner/checks.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fmt.h"

int checks_event(struct sink *s, uint32_t target, enum severity severity, const char *code,
                 const char *what, const char *text, struct error *e)
{
    const struct event ev = {
        .code = code,
        .severity = severity,
        .target = (int32_t)target,
        .cell = -1,
        .what = what,
        .text = text,
    };
    return sink_event(s, &ev, e);
}

static int check_direct(struct sink *s, const struct runner_target *t,
                        const struct opened_target *o, struct error *e)
{
    struct arena *a = arena_new();
    int rc = 0;
    if (!t->info.spec.direct)
        rc = checks_event(
            s, o->no, EVENT_WARNING, "buffered",
            arena_printf(a, "%s was measured through the page cache.", t->info.name),
            "Direct I/O was switched off for it. Reads may come from memory and writes may "
            "end in memory: the figures describe the host's cache as much as the storage.",
            e);
    else if (!o->direct)
        rc = checks_event(
            s, o->no, EVENT_WARNING, "direct-refused",
            arena_printf(a, "%s refused direct I/O and was measured buffered.", t->info.name),
            "Its filesystem does not allow O_DIRECT. The figures describe the host's page cache "
            "as much as the storage. Use another filesystem or the block device to compare drives.",
            e);
    arena_free(a);
    return rc;
}

/* A hole or an unwritten part of an existing file is answered without touching the storage. */
static int check_holes(struct sink *s, const struct runner_target *t, const struct opened_target *o,
                       struct error *e)
{
    if (t->layout_bytes || o->block_device)
        return 0;
    off_t hole = lseek(o->fd, 0, SEEK_HOLE);
    if (hole < 0 || (uint64_t)hole >= o->size)
        return 0;
    struct arena *a = arena_new();
    int rc = checks_event(
        s, o->no, EVENT_WARNING, "holes",
        arena_printf(a, "%s has holes: parts of it were never written.", t->info.name),
        arena_printf(
            a,
            "The first is at byte %s of %s. Reads there are answered by the filesystem without the "
            "drive, so they are too fast. Write the whole file first to measure the drive.",
            fmt_count((uint64_t)hole).s, fmt_count(o->size).s),
        e);
    arena_free(a);
    return rc;
}

/* The filesystem that holds the store writes a little each second. */
static int check_store(struct sink *s, uint32_t no, const struct runner_target *t,
                       const char *store_path, struct error *e)
{
    struct stat st;
    if (t->info.kind == TARGET_MEMORY || !store_path || stat(store_path, &st) ||
        t->info.kind == TARGET_BLOCK || st.st_dev != t->info.dev)
        return 0;
    struct arena *a = arena_new();
    int rc = checks_event(
        s, no, EVENT_NOTE, "store-on-target",
        arena_printf(a, "The store lies on the same filesystem as %s.", t->info.name),
        "Each second of results is written there while the cell runs, a few kilobytes. Keep the "
        "store elsewhere "
        "with --store to leave the device alone.",
        e);
    arena_free(a);
    return rc;
}

static int check_mounted(struct sink *s, const struct runner_target *t,
                         const struct opened_target *o, struct error *e)
{
    if (!o->block_device)
        return 0;
    struct arena *a = arena_new();
    const char *const *found = NULL;
    size_t n = 0;
    int rc = guard_findings(a, &t->info, &found, &n, e);
    for (size_t i = 0; rc == 0 && i < n; i++)
        rc = checks_event(
            s, o->no, EVENT_NOTE, "device-in-use",
            arena_printf(a, "%s was in use while it was measured: %s.", t->info.name, found[i]),
            "Other work on the device may have slowed it down. It was only read.", e);
    arena_free(a);
    return rc;
}

int checks_target(struct sink *s, const struct runner_target *t, const struct opened_target *opened,
                  const char *store_path, struct error *e)
{
    if (check_direct(s, t, opened, e) || check_holes(s, t, opened, e) ||
        check_mounted(s, t, opened, e))
        return -1;
    return check_store(s, opened->no, t, store_path, e);
}
