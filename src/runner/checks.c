#include "runner/checks.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/fmt.h"
#include "base/str.h"

enum { NAMES_LIMIT = 16 << 10 };

static struct event about(uint32_t target, enum severity severity, const char *code)
{
    return (
        struct event) { .code = code, .severity = severity, .target = (int32_t)target, .cell = -1 };
}

static int check_direct(struct arena *a, struct sink *s, const struct runner_target *t,
                        const struct opened_target *o, struct error *e)
{
    struct event ev = about(o->no, EVENT_WARNING, "buffered");
    if (!t->info.spec.direct) {
        ev.what = arena_printf(a, "%s was measured through the page cache.", t->info.name);
        ev.text = "Direct I/O was switched off for it. Reads may come from memory and writes may "
                  "end in memory: the figures describe the host's cache as much as the storage.";
        return sink_event(s, &ev, e);
    }
    if (o->direct)
        return 0;
    ev.code = "direct-refused";
    ev.what = arena_printf(a, "%s refused direct I/O and was measured buffered.", t->info.name);
    ev.text = "Its filesystem does not allow O_DIRECT. The figures describe the host's page cache "
              "as much as the storage. Use another filesystem or the block device to compare "
              "drives.";
    return sink_event(s, &ev, e);
}

/* A hole or an unwritten part of an existing file is answered without touching the storage. */
static int check_holes(struct arena *a, struct sink *s, const struct runner_target *t,
                       const struct opened_target *o, struct error *e)
{
    if (t->layout_bytes || o->block_device)
        return 0;
    off_t hole = lseek(o->fd, 0, SEEK_HOLE);
    if (hole < 0 || (uint64_t)hole >= o->size)
        return 0;
    struct event ev = about(o->no, EVENT_WARNING, "holes");
    ev.what = arena_printf(a, "%s has holes: parts of it were never written.", t->info.name);
    ev.text = arena_printf(a,
                           "The first is at byte %s of %s. Reads there are answered by the "
                           "filesystem without the drive, so they are too fast. Write the whole "
                           "file first to measure the drive.",
                           fmt_count((uint64_t)hole).s, fmt_count(o->size).s);
    return sink_event(s, &ev, e);
}

static int check_use(struct arena *a, struct sink *s, const struct runner_target *t,
                     const struct opened_target *o, struct error *e)
{
    const char *const *found = NULL;
    size_t n = 0;
    if (!o->block_device)
        return 0;
    int rc = guard_findings(a, &t->info, &found, &n, e);
    for (size_t i = 0; rc == 0 && i < n; i++) {
        struct event ev = about(o->no, EVENT_NOTE, "device-in-use");
        ev.what = arena_printf(a, "%s was in use while it was measured: %s.", t->info.name,
                               found[i]);
        ev.text = "Other work on the device may have slowed it down. It was only read.";
        rc = sink_event(s, &ev, e);
    }
    return rc;
}

int checks_target(struct sink *s, const struct runner_target *t, const struct opened_target *opened,
                  struct error *e)
{
    struct arena *a = arena_new();
    int rc = check_direct(a, s, t, opened, e);
    if (rc == 0)
        rc = check_holes(a, s, t, opened, e);
    if (rc == 0)
        rc = check_use(a, s, t, opened, e);
    arena_free(a);
    return rc;
}

static bool shares_filesystem(const struct runner_target *t, dev_t dev)
{
    return t->info.kind != TARGET_MEMORY && t->info.kind != TARGET_BLOCK && t->info.dev == dev;
}

int checks_store(struct sink *s, const struct runner_preview *p, const char *store_path,
                 struct error *e)
{
    struct stat st;
    if (!store_path || stat(store_path, &st))
        return 0;
    struct str names = str_new(NAMES_LIMIT);
    uint32_t n = 0;
    uint32_t first = 0;
    for (uint32_t i = 0; i < p->n_targets; i++)
        if (shares_filesystem(&p->targets[i], st.st_dev)) {
            first = n ? first : i;
            str_printf(&names, "%s%s", n++ ? ", " : "", p->targets[i].info.name);
        }
    int rc = 0;
    if (n) {
        struct arena *a = arena_new();
        struct event ev = about(first, EVENT_NOTE, "store-on-target");
        ev.what = arena_printf(a, "The store lies on the same filesystem as %s.", names.at);
        ev.text = "Each second of results is written there while a cell runs, a few kilobytes. "
                  "Keep the store elsewhere with --store to leave the device alone.";
        rc = sink_event(s, &ev, e);
        arena_free(a);
    }
    str_done(&names);
    return rc;
}
