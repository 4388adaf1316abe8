#include "runner/checks.h"

#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "base/fmt.h"
#include "base/str.h"
#include "runner/content.h"
#include "runner/extents.h"

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

static int tell_gap(struct arena *a, struct sink *s, const struct opened_target *o, bool hole,
                    const struct extents *x, struct error *e)
{
    struct event ev = about(o->no, EVENT_WARNING, hole ? "holes" : "unwritten");
    ev.count = hole ? x->hole_bytes : x->unwritten_bytes;
    ev.offset = hole ? x->first_hole : x->first_unwritten;
    ev.what = arena_printf(a,
                           hole ? "%s has holes: parts of it were never written."
                                : "%s has space reserved for it that was never written.",
                           o->name);
    ev.text = arena_printf(a,
                           "%s of %s, the first at byte %s. Reads there are answered by the "
                           "filesystem without the drive, so they are too fast. Write the whole "
                           "file first to measure the drive.",
                           fmt_bytes(ev.count).s, fmt_bytes(o->size).s, fmt_count(ev.offset).s);
    return sink_event(s, &ev, e);
}

/* A hole or an unwritten part of a file is answered without touching the storage. */
static int check_extents(struct arena *a, struct sink *s, const struct opened_target *o,
                         struct extents *x, struct error *e)
{
    *x = extents_find(o->fd, o->size);
    if (x->hole_bytes && tell_gap(a, s, o, true, x, e))
        return -1;
    return x->unwritten_bytes ? tell_gap(a, s, o, false, x, e) : 0;
}

const char *fact_of(const struct runner_target *t, const char *key)
{
    for (size_t i = 0; i < t->info.n_facts; i++)
        if (strcmp(t->info.facts[i].key, key) == 0)
            return t->info.facts[i].value;
    return "";
}

/* What compresses below this target, or NULL. ZFS and bcachefs do as a rule; btrfs and f2fs where told to. */
static const char *compressor(const struct runner_target *t, const struct opened_target *o,
                              const struct extents *x)
{
    int flags = 0;
    const char *type = fact_of(t, "Filesystem"), *device = t->info.sysfs ? t->info.sysfs : "";
    if (!o->block_device && (strcmp(type, "zfs") == 0 || strcmp(type, "bcachefs") == 0 ||
                             strstr(fact_of(t, "Mount options"), "compress")))
        return "its filesystem";
    if (!o->block_device && ioctl(o->fd, FS_IOC_GETFLAGS, &flags) == 0 && (flags & FS_COMPR_FL))
        return "its filesystem (chattr +c)";
    if (x->encoded_bytes)
        return "its filesystem";
    return strncmp(device, "zram", 4) == 0 ? "the device (zram)" : NULL;
}

static int check_compression(struct arena *a, struct sink *s, const struct runner_target *t,
                             const struct opened_target *o, const struct extents *x,
                             struct error *e)
{
    const char *by = compressor(t, o, x);
    if (!by)
        return 0;
    struct event ev = about(o->no, EVENT_WARNING, "compresses");
    ev.what = arena_printf(a, "Data on %s is compressed by %s.", t->info.name, by);
    ev.text = "Random data (the default fill) shows it at its slowest and is what to compare "
              "drives with; zeros, patterns and compressible data never reach the storage whole.";
    return sink_event(s, &ev, e);
}

/* What was found on a target that is only read. */
static int check_content(struct arena *a, struct sink *s, const struct runner_target *t,
                         const struct opened_target *o, struct error *e)
{
    struct content c = content_look(o);
    uint32_t regular = c.constant + c.compressible;
    if (regular == 0 || 10 * regular < c.looked_at)
        return 0;
    struct event ev = about(o->no, EVENT_WARNING, "regular-data");
    ev.count = regular;
    ev.what = arena_printf(a, "%s holds data that is easy to compress.", t->info.name);
    const char *constant = "hold one repeated value (zeros: never written, or trimmed)";
    const char *other = "have bytes that are far from random";
    const char *which = c.constant && c.compressible
                            ? arena_printf(a, "%u %s and %u %s", c.constant, constant,
                                           c.compressible, other)
                            : arena_printf(a, "%u %s", regular, c.constant ? constant : other);
    ev.text = arena_printf(a,
                           "Of %u blocks looked at, %s. A drive may answer them faster than real "
                           "data. Fill it with random data first to measure the storage.",
                           c.looked_at, which);
    return sink_event(s, &ev, e);
}

static int check_data(struct arena *a, struct sink *s, const struct runner_target *t,
                      const struct opened_target *o, struct error *e)
{
    struct extents x = { 0 };
    bool found = !t->layout_bytes; /* else it is written anew */
    if (found && !o->block_device && check_extents(a, s, o, &x, e))
        return -1;
    if (check_compression(a, s, t, o, &x, e))
        return -1;
    bool gaps = x.hole_bytes || x.unwritten_bytes;
    return found && !gaps ? check_content(a, s, t, o, e) : 0;
}

static int check_use(struct arena *a, struct sink *s, const struct runner_target *t,
                     const struct opened_target *o, struct error *e)
{
    const char *const *found = NULL;
    size_t n = 0;
    if (!o->block_device)
        return 0;
    struct error why;
    if (guard_findings(a, &t->info, &found, &n, &why)) {
        struct event ev = about(o->no, EVENT_NOTE, "use-unknown");
        ev.what = arena_printf(a, "What else uses %s could not be found out: %s.", t->info.name,
                               why.what);
        ev.text = "It is only read, so it is measured all the same.";
        return sink_event(s, &ev, e);
    }
    int rc = 0;
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
        rc = check_data(a, s, t, opened, e);
    if (rc == 0)
        rc = check_use(a, s, t, opened, e);
    arena_free(a);
    return rc;
}

int checks_layout(struct sink *s, const struct opened_target *opened, struct error *e)
{
    struct extents x;
    if (opened->block_device)
        return 0;
    struct arena *a = arena_new();
    int rc = check_extents(a, s, opened, &x, e);
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
