#include "runner/observe.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/fmt.h"
#include "base/parse.h"
#include "runner/checks.h"
#include "target/sysfs.h"

enum { SECTOR = 512, LEAST_BYTES = 1 << 20, VMSTAT_LIMIT = 1 << 20 };
#define LOOK_NS (500 * NS_PER_MS)
/* Counters differ a little from what was asked without anything being wrong: metadata, I/Os at the edges. */
#define LEAST_SHARE 0.98
#define ANY_SHARE 0.001
#define MOST_SHARE 0.02
#define LOUD_SHARE 0.10
/* getrusage counts in ticks of 4 ms at worst: shorter cells are not judged. */
#define JUDGED_NS (100 * NS_PER_MS)
#define LIMIT_SHARE 0.95

/* --- counters ------------------------------------------------------------------------------------------------------ */

/* Third and seventh field of /sys/block/X/stat: sectors of 512 bytes read and written (Documentation/block/stat.rst). */
static struct device_counts counts_of(const char *name)
{
    enum { READ_SECTORS = 2, WRITTEN_SECTORS = 6 };
    struct device_counts c = { 0 };
    struct arena *a = arena_new();
    struct blockdev b;
    const char *text = name && sysfs_by_name(a, name, &b) ? sysfs_text(a, &b, "stat") : NULL;
    char field[32];
    struct error ignored;
    for (int i = 0; text && i <= WRITTEN_SECTORS && parse_next(&text, field, sizeof field); i++) {
        uint64_t *to = i == READ_SECTORS ? &c.read_bytes : &c.written_bytes;
        if (i != READ_SECTORS && i != WRITTEN_SECTORS)
            continue;
        c.known = parse_u64(field, to, &ignored) == 0;
        *to *= SECTOR;
    }
    arena_free(a);
    return c;
}

static uint64_t dirtied_now(void)
{
    struct arena *a = arena_new();
    char *text = NULL;
    size_t n = 0;
    uint64_t pages = UINT64_MAX;
    struct error ignored;
    if (file_read(a, "/proc/vmstat", VMSTAT_LIMIT, &text, &n, &ignored) == 0) {
        const char *at = strstr(text, "\nnr_dirtied ");
        char number[32];
        if (at && (at += strlen("\nnr_dirtied ")) && parse_next(&at, number, sizeof number) &&
            parse_u64(number, &pages, &ignored))
            pages = UINT64_MAX;
    }
    arena_free(a);
    return pages == UINT64_MAX ? pages : pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Threads the kernel made for this process' rings. */
static uint32_t count_kernel_workers(void)
{
    struct arena *a = arena_new();
    DIR *tasks = opendir("/proc/self/task");
    uint32_t n = 0;
    for (struct dirent *d = tasks ? readdir(tasks) : NULL; d; d = readdir(tasks)) {
        const char *name = d->d_name[0] == '.'
                               ? NULL
                               : file_line(a,
                                           arena_printf(a, "/proc/self/task/%s/comm", d->d_name));
        n += name && strncmp(name, "iou-wrk", 7) == 0;
    }
    if (tasks)
        closedir(tasks);
    arena_free(a);
    return n;
}

/* --- the sink ------------------------------------------------------------------------------------------------------ */

static void look(struct observer *o)
{
    uint64_t now = clock_mono_ns();
    if (now < o->look_at)
        return;
    uint32_t n = count_kernel_workers();
    o->kernel_workers = n > o->kernel_workers ? n : o->kernel_workers;
    o->look_at = now + LOOK_NS;
}

static int on_interval(void *self, const struct interval *i, struct error *e)
{
    struct observer *o = self;
    for (int d = 0; d < DIR_COUNT; d++) {
        o->bytes[d] += i->dir[d].bytes;
        o->errors += i->dir[d].errors;
    }
    look(o);
    return sink_interval(o->under, i, e);
}

static int on_samples(void *self, const struct sample *at, size_t n, struct error *e)
{
    struct observer *o = self;
    return sink_samples(o->under, at, n, e);
}

static int on_event(void *self, const struct event *ev, struct error *e)
{
    struct observer *o = self;
    o->expected_workers = o->expected_workers || !strcmp(ev->code, "kernel-workers");
    return sink_event(o->under, ev, e);
}

void observe_begin(struct observer *o, const struct observed *of, struct sink *under)
{
    static const struct sink_ops ops = { .interval = on_interval,
                                         .samples = on_samples,
                                         .event = on_event };
    *o = (struct observer) { .sink = { &ops, o, under->state }, .under = under, .of = *of };
    o->device = counts_of(of->target->info.sysfs);
    o->dirtied = dirtied_now();
}

/* --- the verdict --------------------------------------------------------------------------------------------------- */

static int tell(const struct observer *o, struct event *ev, struct error *e)
{
    ev->target = (int32_t)o->of.opened->no;
    ev->cell = (int32_t)o->of.cell->no;
    return sink_event(o->under, ev, e);
}

static const char *name_of(const struct observer *o)
{
    return o->of.target->info.name;
}

/* I/Os in flight at the end were moved but are in no interval. */
static uint64_t slack(const struct observer *o, const struct cell_result *r)
{
    return LEAST_BYTES + r->in_flight_at_end * workload_max_size(o->of.workload);
}

static int tell_short(struct observer *o, struct arena *a, bool reads, uint64_t moved,
                      struct error *e)
{
    uint64_t asked = o->bytes[reads ? DIR_READ : DIR_WRITE];
    struct event ev = { .code = reads ? "not-from-device" : "not-to-device",
                        .severity = EVENT_WARNING };
    double share = (double)moved / (double)asked;
    const char *part = !moved ? "Nothing"
                       : share < ANY_SHARE
                           ? "Almost nothing"
                           : arena_printf(a, "Only %s\u00a0%%", fmt_label(100 * share).s);
    ev.what = arena_printf(a, "%s of what was %s %s %s its device.", part,
                           reads ? "read from" : "written to", name_of(o),
                           reads ? "came from" : "reached");
    ev.text = arena_printf(
        a, "%s were %s with direct I/O, but %s moved %s. %s", fmt_bytes(asked).s,
        reads ? "read" : "written", o->of.target->info.sysfs, fmt_bytes(moved).s,
        reads ? "The rest was answered above the device: by a cache, or because it was never "
                "written. Such cells describe the host, not the storage. Write the whole span "
                "first, or test the block device."
              : "The rest was compressed, found to be the same as other data, or still waits in a "
                "cache. Such cells describe the host as much as the storage.");
    return tell(o, &ev, e);
}

static int tell_more(struct observer *o, struct arena *a, bool reads, uint64_t other,
                     struct error *e)
{
    uint64_t asked = o->bytes[DIR_READ] + o->bytes[DIR_WRITE];
    double share = (double)other / (double)asked;
    struct event ev = { .code = "background-io",
                        .severity = share > LOUD_SHARE ? EVENT_WARNING : EVENT_NOTE,
                        .count = other };
    ev.what = arena_printf(a, "The device under %s %s %s that nobody asked of %s.", name_of(o),
                           reads ? "read" : "wrote", fmt_bytes(other).s, name_of(o));
    ev.text = arena_printf(a,
                           "That is %s\u00a0%% of the %s that the cell moved: other programs, or "
                           "the filesystem's own records. It may have slowed the cell down. Stop "
                           "what else uses %s and measure again.",
                           fmt_label(100 * share).s, fmt_bytes(asked).s, o->of.target->info.sysfs);
    return tell(o, &ev, e);
}

/* Direct I/O goes to the device byte for byte; what the page cache does is told elsewhere. What else the device did is judged
 * beside all that the cell moved: what a journal writes meanwhile is little beside fast reads, though no write was asked. */
static int judge_device(struct observer *o, struct arena *a, const struct cell_result *r,
                        struct error *e)
{
    uint64_t all = o->bytes[DIR_READ] + o->bytes[DIR_WRITE];
    if (!r->seen.device || !r->direct || o->errors || !all)
        return 0;
    for (int reads = 0; reads < 2; reads++) {
        uint64_t asked = o->bytes[reads ? DIR_READ : DIR_WRITE];
        uint64_t moved = reads ? r->seen.device_read_bytes : r->seen.device_written_bytes;
        int rc = 0;
        if (asked >= LEAST_BYTES && (double)moved < LEAST_SHARE * (double)asked)
            rc = tell_short(o, a, reads, moved, e);
        else if (moved > asked &&
                 (double)(moved - asked) > MOST_SHARE * (double)all + (double)slack(o, r))
            rc = tell_more(o, a, reads, moved - asked, e);
        if (rc)
            return rc;
    }
    return 0;
}

/* Does direct I/O reach the device here, so that the device's own counters tell all? Then what the machine dirties meanwhile is
 * other programs' doing. */
static bool passes_cache(const struct observer *o, const struct cell_result *r)
{
    const char *type = fact_of(o->of.target, "Filesystem");
    return r->seen.device &&
           (o->of.opened->block_device || strcmp(type, "ext4") == 0 || strcmp(type, "xfs") == 0);
}

static int judge_cache(struct observer *o, struct arena *a, struct cell_result *r, struct error *e)
{
    uint64_t now = dirtied_now(), asked = o->bytes[DIR_WRITE];
    if (!r->direct || now == UINT64_MAX || o->dirtied == UINT64_MAX || asked < LEAST_BYTES ||
        now - o->dirtied < asked / 2 || o->of.target->info.kind == TARGET_MEMORY ||
        passes_cache(o, r))
        return 0;
    r->direct = false;
    struct event ev = { .code = "direct-not-honoured",
                        .severity = EVENT_WARNING,
                        .count = now - o->dirtied };
    ev.what = arena_printf(a, "%s accepted direct I/O but wrote through the page cache.",
                           name_of(o));
    ev.text = arena_printf(a,
                           "%s of direct writes made %s of the page cache dirty. Filesystems that "
                           "keep checksums do that (btrfs, unless the file has chattr +C). The "
                           "figures describe the host's memory as much as the storage.",
                           fmt_bytes(asked).s, fmt_bytes(now - o->dirtied).s);
    return tell(o, &ev, e);
}

static int judge_workers(struct observer *o, struct arena *a, struct error *e)
{
    if (!o->kernel_workers || o->expected_workers)
        return 0;
    struct event ev = { .code = "kernel-workers",
                        .severity = EVENT_NOTE,
                        .count = o->kernel_workers };
    ev.what = arena_printf(a, "%s of the kernel served requests to %s.",
                           fmt_plural(o->kernel_workers, "worker thread").s, name_of(o));
    ev.text = "Requests that could not be started without waiting were handed to threads "
              "(iou-wrk). Their response times contain that detour, and their processor time is "
              "not in the cell's.";
    return tell(o, &ev, e);
}

static int judge_limit(struct observer *o, struct arena *a, const struct cell_result *r,
                       struct error *e)
{
    uint64_t threads = o->of.cell->workers;
    if (r->engine == USED_SYNC)
        threads *= o->of.cell->queue_depth;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (online > 0 && threads > (uint64_t)online)
        threads = (uint64_t)online;
    double time = (double)r->measured_ns * (double)threads;
    double user = (double)r->cpu_user_ns / time, kernel = (double)r->cpu_system_ns / time;
    if (r->measured_ns < JUDGED_NS || user + kernel < LIMIT_SHARE)
        return 0;
    bool memory = o->of.target->info.kind == TARGET_MEMORY;
    struct event ev = { .code = "worker-limit",
                        .severity = memory ? EVENT_NOTE : EVENT_WARNING,
                        .count = threads };
    ev.what = arena_printf(a, "The processor, not the storage, was the limit for %s.", name_of(o));
    ev.text = arena_printf(a,
                           "%s that drove it %s busy all the time (%s\u00a0%% in qdepth, "
                           "%s\u00a0%% in the kernel). The target may be able to do more: use "
                           "more workers, or larger I/Os.",
                           threads == 1 ? "The thread" : "The processors",
                           threads == 1 ? "was" : "were", fmt_fixed(user * 100, 0).s,
                           fmt_fixed(kernel * 100, 0).s);
    return tell(o, &ev, e);
}

int observe_end(struct observer *o, struct cell_result *r, struct error *e)
{
    struct device_counts now = counts_of(o->of.target->info.sysfs);
    r->seen.threads = true;
    r->seen.kernel_workers = o->kernel_workers;
    r->seen.device = o->device.known && now.known;
    if (r->seen.device) {
        r->seen.device_read_bytes = now.read_bytes - o->device.read_bytes;
        r->seen.device_written_bytes = now.written_bytes - o->device.written_bytes;
    }
    struct arena *a = arena_new();
    int rc = judge_cache(o, a, r, e);
    if (rc == 0)
        rc = judge_device(o, a, r, e);
    if (rc == 0)
        rc = judge_workers(o, a, e);
    if (rc == 0)
        rc = judge_limit(o, a, r, e);
    arena_free(a);
    return rc;
}
