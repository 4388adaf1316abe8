#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/parse.h"
#include "import/fio.h"

enum { WHOLE_BP = 10000 };

bool fio_size(const char *text, uint64_t *ret)
{
    static const char prefixes[] = "kmgtp";
    struct error ignored;
    char digits[32];
    size_t n = strspn(text, "0123456789.");
    if (n == 0 || n >= sizeof digits)
        return false;
    memcpy(digits, text, n);
    digits[n] = '\0';
    double v;
    if (parse_double(digits, &v, &ignored))
        return false;
    const char *p = text + n;
    const char *prefix = *p ? strchr(prefixes, tolower((unsigned char)*p)) : NULL;
    int shift = prefix ? 10 * (int)(prefix - prefixes + 1) : 0;
    p += prefix ? 1 : 0;
    p += prefix && tolower((unsigned char)*p) == 'i' ? 1 : 0;
    p += tolower((unsigned char)*p) == 'b' ? 1 : 0;
    v = ldexp(v, shift);
    if (*p || v < 1 || v >= 0x1p62)
        return false;
    *ret = (uint64_t)v;
    return true;
}

/* fio's times: seconds unless a unit is there. */
static uint64_t time_of(const char *text)
{
    struct error ignored;
    uint64_t ns = 0;
    return text && !parse_duration(text, &ns, &ignored) ? ns : 0;
}

static bool number_of(const char *text, uint64_t *ret)
{
    struct error ignored;
    return text && !parse_u64(text, ret, &ignored);
}

/* --- directions ----------------------------------------------------------------------------------------------------- */

struct kinds {
    bool read, write, trim, random, known;
};

static struct kinds kinds_of(const struct import_cell *cell, const char *rw)
{
    struct kinds k = { 0 };
    if (rw) {
        k.random = !strncmp(rw, "rand", 4);
        const char *p = rw + (k.random ? 4 : 0);
        k.trim = !strncmp(p, "trim", 4);
        p += k.trim ? 4 : 0;
        k.read = !strncmp(p, "read", 4) || !strncmp(p, "rw", 2);
        k.write = !strncmp(p, "write", 5) || !strncmp(p, "rw", 2) || !strncmp(p, "readwrite", 9);
        k.known = k.read || k.write || k.trim;
    }
    if (!k.known) {
        k.read = cell->result.dir[DIR_READ].ios > 0;
        k.write = cell->result.dir[DIR_WRITE].ios > 0;
        k.trim = cell->result.dir[DIR_TRIM].ios > 0;
    }
    return k;
}

static uint32_t read_share(const struct import_cell *cell, const struct kinds *k,
                           const struct fio_options *o)
{
    uint64_t percent;
    if (!k->read)
        return 0;
    if (!k->write && !k->trim)
        return WHOLE_BP;
    if (number_of(o->rwmixread, &percent) && percent <= 100)
        return (uint32_t)percent * 100;
    if (number_of(o->rwmixwrite, &percent) && percent <= 100)
        return WHOLE_BP - (uint32_t)percent * 100;
    if (k->known)
        return WHOLE_BP / 2; /* fio's default */
    uint64_t reads = cell->result.dir[DIR_READ].ios, others = cell->result.dir[DIR_WRITE].ios;
    /* it was asked for in whole percent */
    return (uint32_t)(100 * (double)reads / (double)(reads + others) + 0.5) * 100;
}

/* --- sizes ---------------------------------------------------------------------------------------------------------- */

/* Element `which` of "4k,64k,512": those that are missing or empty are as the one before. */
static const char *nth(struct arena *a, const char *list, int which)
{
    const char *at = list;
    size_t n = strcspn(list, ",");
    for (int i = 0; i < which && list[strcspn(list, ",")]; i++) {
        list += strcspn(list, ",") + 1;
        if (strcspn(list, ",")) {
            at = list;
            n = strcspn(list, ",");
        }
    }
    return arena_strndup(a, at, n);
}

/* "512/10:1k/5:4k/": lines of that share; shares that are not given divide the rest. */
static bool split_lines(struct arena *a, struct import_pattern *p, const char *split,
                        struct access_line line)
{
    uint32_t from = p->n_lines, given = 0, open = 0;
    const char *at = split;
    while (*at && p->n_lines < PATTERN_MAX_LINES) {
        char size[32];
        char share[16];
        size_t n = strcspn(at, "/:");
        if (n >= sizeof size)
            return false;
        memcpy(size, at, n);
        size[n] = '\0';
        at += n + (at[n] == '/');
        size_t n_share = strspn(at, "0123456789");
        uint64_t bytes;
        uint64_t percent = 0;
        if (!fio_size(size, &bytes) || bytes > PLAN_MAX_SIZE || n_share >= sizeof share)
            return false;
        memcpy(share, at, n_share);
        share[n_share] = '\0';
        open += n_share == 0;
        if (n_share && (!number_of(share, &percent) || percent > 100))
            return false;
        at += n_share + (at[n_share] == ':');
        struct access_line *l = pattern_add(a, p);
        *l = line;
        l->size = (uint32_t)bytes;
        l->share_bp = n_share ? (uint32_t)percent : UINT32_MAX;
        given += (uint32_t)percent;
        if (n_share == 0 && n == 0)
            return false;
    }
    uint32_t rest = given < 100 ? 100 - given : 0;
    for (uint32_t i = from; i < p->n_lines; i++) {
        uint64_t percent = p->lines[i].share_bp == UINT32_MAX ? rest / (open ? open : 1)
                                                              : p->lines[i].share_bp;
        p->lines[i].share_bp = (uint32_t)(line.share_bp * percent / 100);
    }
    return p->n_lines > from && !*at;
}

/* Mean size of what was done, 0 if nothing was. */
static double mean_size(const struct direction_result *r)
{
    return r->ios ? (double)r->bytes / (double)r->ios : 0;
}

static enum direction direction_of(const struct access_line *l)
{
    if (l->read_bp == WHOLE_BP)
        return DIR_READ;
    return l->trim_bp ? DIR_TRIM : DIR_WRITE;
}

/* The lines of one direction against what it moved: over 0.5 % apart, what it moved is believed. */
static void check_sizes(struct collect *c, const struct import_cell *cell, struct import_pattern *p,
                        uint32_t from, long line)
{
    enum direction d = direction_of(&p->lines[from]);
    double moved = mean_size(&cell->result.dir[d]), sum = 0, shares = 0;
    for (uint32_t i = from; i < p->n_lines; i++) {
        sum += p->lines[i].size * (double)p->lines[i].share_bp;
        shares += p->lines[i].share_bp;
    }
    bool many = p->n_lines > from + 1; /* drawn at random: 5 % of leeway */
    if (moved <= 0 || shares <= 0 || fabs(sum / shares - moved) <= (many ? 0.05 : 0.005) * moved)
        return;
    collect_warn(c, line,
                 "the options say a size of %.6g bytes, but a %s moved %.6g on average: that is "
                 "taken",
                 sum / shares, direction_name(d), moved);
    p->n_lines = from + 1;
    p->lines[from].size = moved < 1               ? 1
                          : moved > PLAN_MAX_SIZE ? PLAN_MAX_SIZE
                                                  : (uint32_t)(moved + 0.5);
    p->lines[from].share_bp = (uint32_t)shares;
}

/* One direction's lines behind those that are there. */
static bool direction_lines(struct collect *c, struct import_cell *cell,
                            const struct fio_options *o, const struct access_line *line, long where)
{
    struct import_pattern *p = &cell->pattern;
    enum direction d = direction_of(line);
    uint32_t from = p->n_lines;
    int which = d == DIR_READ ? 0 : d == DIR_WRITE ? 1 : 2;
    uint64_t bytes = 0;
    double moved = mean_size(&cell->result.dir[d]);
    if (o->bssplit) {
        if (!split_lines(c->a, p, nth(c->a, o->bssplit, which), *line))
            p->n_lines = from;
    }
    if (p->n_lines == from) {
        const char *bs = o->bs ? nth(c->a, o->bs, which) : NULL;
        if (bs && !fio_size(bs, &bytes))
            bytes = 0;
        if (!bytes && moved >= 1)
            bytes = (uint64_t)(moved + 0.5);
        if (!bytes && o->any && !o->bsrange && !o->bs)
            bytes = 4096; /* fio's default */
        if (!bytes || bytes > PLAN_MAX_SIZE)
            return false;
        struct access_line *l = pattern_add(c->a, p);
        *l = *line;
        l->size = (uint32_t)bytes;
    }
    check_sizes(c, cell, p, from, where);
    return true;
}

/* Directions of one size are one line with a share of reads, as a matrix would say it. */
static void fold(struct import_pattern *p)
{
    if (p->n_lines != 2 || p->lines[0].size != p->lines[1].size || p->lines[1].trim_bp)
        return;
    p->lines[0].read_bp = p->lines[0].share_bp;
    p->lines[0].share_bp = WHOLE_BP;
    p->n_lines = 1;
}

static void set_sync(const struct fio_options *o, struct access_line *l)
{
    uint64_t every = 0;
    if (number_of(o->fsync, &every) && every) {
        l->sync = SYNC_FSYNC;
        l->sync_every = (uint32_t)every;
    } else if (number_of(o->fdatasync, &every) && every) {
        l->sync = SYNC_FDATASYNC;
        l->sync_every = (uint32_t)every;
    } else if (o->sync && strcmp(o->sync, "0") != 0 && strcmp(o->sync, "none") != 0) {
        l->sync = SYNC_DSYNC;
    }
}

static bool set_pattern(struct collect *c, struct import_cell *cell, const struct fio_options *o,
                        long line)
{
    struct kinds k = kinds_of(cell, o->rw);
    uint64_t random = k.random ? 100 : 0;
    number_of(o->percentage_random, &random);
    uint32_t reads = read_share(cell, &k, o);
    struct access_line l = { .random_bp = k.random ? (uint32_t)(random > 100 ? 100 : random) * 100
                                                   : 0,
                             .burst = 1 };
    cell->pattern.order_unknown = !k.known;
    if (reads) {
        l.share_bp = reads;
        l.read_bp = WHOLE_BP;
        if (!direction_lines(c, cell, o, &l, line))
            return false;
    }
    if (reads < WHOLE_BP && (k.write || k.trim)) {
        l.share_bp = WHOLE_BP - reads;
        l.read_bp = 0;
        l.trim_bp = k.trim ? (k.write ? WHOLE_BP / 2 : WHOLE_BP) : 0;
        set_sync(o, &l);
        if (!direction_lines(c, cell, o, &l, line))
            return false;
    }
    fold(&cell->pattern);
    if (cell->pattern.order_unknown && cell->pattern.n_lines)
        collect_warn_once(c, "order-unknown",
                          "it does not say whether its jobs were random or sequential");
    return cell->pattern.n_lines > 0;
}

/* --- the rest ------------------------------------------------------------------------------------------------------- */

/* "nvme0n1" of "/dev/nvme0n1", "a+b" of "/x/a:/x/b". */
static const char *target_of(struct arena *a, const char *files)
{
    const char *name = "";
    while (*files) {
        size_t n = strcspn(files, ":");
        const char *base = file_basename(a, arena_strndup(a, files, n));
        if (*base && strlen(name) + strlen(base) < 100)
            name = arena_printf(a, "%s%s%s", name, *name ? "+" : "", base);
        files += n + (files[n] == ':');
    }
    return name;
}

static bool synchronous(const char *engine)
{
    static const char *const names[] = { "sync", "psync", "vsync", "pvsync", "pvsync2", "mmap" };
    for (size_t i = 0; engine && i < countof(names); i++)
        if (!strcmp(engine, names[i]))
            return true;
    return false;
}

static bool set_depth(struct collect *c, struct import_cell *cell, const struct fio_options *o,
                      long line)
{
    uint64_t depth = cell->queue_depth, jobs = cell->workers;
    number_of(o->iodepth, &depth);
    bool group = o->group_reporting && strcmp(o->group_reporting, "0") != 0;
    if (o->jobs)
        jobs = o->jobs;
    else if (group && number_of(o->numjobs, &jobs) && jobs < 1)
        jobs = 1;
    if (depth < 1 || depth > PLAN_MAX_QUEUE_DEPTH || jobs > PLAN_MAX_WORKERS) {
        collect_warn(c, line,
                     "'%s' is left out: queue depth %llu with %llu jobs is beyond the limits of %d "
                     "and %d",
                     cell->job ? cell->job : "the job", (unsigned long long)depth,
                     (unsigned long long)jobs, PLAN_MAX_QUEUE_DEPTH, PLAN_MAX_WORKERS);
        return false;
    }
    if (depth > 1 && synchronous(o->ioengine)) {
        collect_warn(c, line,
                     "queue depth %llu has no effect with ioengine %s: one I/O was in flight per "
                     "job, and 1 is taken",
                     (unsigned long long)depth, o->ioengine);
        depth = 1;
    }
    cell->queue_depth = (uint32_t)depth;
    cell->workers = (uint32_t)jobs;
    return true;
}

bool fio_describe(struct collect *c, struct import_cell *cell, const struct fio_options *o,
                  long line)
{
    if (!set_depth(c, cell, o, line))
        return false;
    if (!set_pattern(c, cell, o, line)) {
        bool idle = true;
        for (int d = 0; d < DIR_COUNT; d++)
            idle &= cell->result.dir[d].ios == 0;
        collect_warn(c, line, "'%s' is left out: %s", cell->job ? cell->job : "the job",
                     idle ? "it did no I/O and does not say what it was to do"
                          : "its I/Os have no size between 1 byte and 64 MiB");
        return false;
    }
    if (o->filename) {
        cell->target = target_of(c->a, o->filename);
        cell->target_path = o->filename;
    } else if (o->directory) {
        cell->target = cell->target_path = o->directory;
    }
    cell->direct = o->direct && strcmp(o->direct, "0") != 0;
    cell->duration_ns = time_of(o->runtime);
    cell->ramp_ns = time_of(o->ramp_time);
    cell->log_prefix = o->log_prefix;
    return true;
}
