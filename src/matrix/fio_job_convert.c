#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/parse.h"
#include "matrix/fio_job.h"

enum { WHOLE_BP = 10000 };

/* A job being converted. */
struct job {
    struct fio_file *x;
    const struct fio_section *s;
    struct conversion_work *w;
    uint32_t mix_bp, random_bp, trim_bp;
    bool reads, writes;
    bool bad; /* it cannot be carried over: the reason is listed */
};

static const struct fio_option *find(const struct job *j, const char *name)
{
    for (size_t i = 0; i < j->s->n; i++)
        if (!strcmp(j->s->at[i].name, name))
            return &j->s->at[i];
    return NULL;
}

static const char *text(const struct job *j, const char *name)
{
    const struct fio_option *o = find(j, name);
    return o ? o->value : NULL;
}

/* Options without a value are true. */
static bool is_true(const struct job *j, const char *name)
{
    const char *v = text(j, name);
    return v && (!*v || (*v >= '1' && *v <= '9'));
}

static void give_up(struct job *j, const char *option, const char *why)
{
    const struct fio_option *o = find(j, option);
    conversion_leave(&j->x->c, o ? o->line : j->s->line, "job '%s': %s", j->s->name, why);
    j->bad = true;
}

/* "4k", "4KiB", "1m", "512"; also "4kb": fio's units are powers of 1024 unless kb_base says otherwise. */
static bool size_of(const char *value, uint64_t *ret)
{
    struct error ignored;
    char plain[40];
    size_t n = strcspn(value, ",:/-");
    if (n == 0 || n >= sizeof plain)
        return false;
    memcpy(plain, value, n);
    plain[n] = '\0';
    size_t digits = strspn(plain, "0123456789.");
    char *unit = plain + digits;
    if (*unit) {
        *unit = (char)toupper((unsigned char)*unit);
        unit[1] = '\0';
    }
    if (!strcmp(unit, "B"))
        *unit = '\0';
    return digits && !parse_size(plain, ret, &ignored);
}

static bool number_of(const char *value, uint64_t low, uint64_t high, uint64_t *ret)
{
    struct error ignored;
    uint64_t v;
    if (!value || parse_u64(value, &v, &ignored) || v < low || v > high)
        return false;
    *ret = v;
    return true;
}

/* --- directions ----------------------------------------------------------------------------------------------------- */

static void take_rw(struct job *j)
{
    const char *rw = text(j, "rw");
    if (!rw || !*rw)
        rw = "read";
    bool random = !strncmp(rw, "rand", 4);
    const char *p = rw + (random ? 4 : 0);
    uint64_t percent;
    size_t n = strcspn(p, ":");
    j->random_bp = random ? WHOLE_BP : 0;
    if (p[n])
        conversion_leave(&j->x->c, find(j, "rw")->line, "job '%s': the steps of rw=%s", j->s->name,
                         rw);
    const char *what = arena_strndup(j->x->c.a, p, n);
    if (!strcmp(what, "readwrite") || !strcmp(what, "rw"))
        j->reads = j->writes = true;
    else if (!strcmp(what, "read"))
        j->reads = true;
    else if (!strcmp(what, "write"))
        j->writes = true;
    else if (!strcmp(what, "trim"))
        j->trim_bp = WHOLE_BP;
    else
        give_up(j, "rw", arena_printf(j->x->c.a, "rw=%s has no counterpart", rw));
    j->mix_bp = j->reads && j->writes ? WHOLE_BP / 2 : j->reads ? WHOLE_BP : 0;
    if (!(j->reads && j->writes))
        return;
    if (number_of(text(j, "rwmixread"), 0, 100, &percent))
        j->mix_bp = (uint32_t)percent * 100;
    else if (number_of(text(j, "rwmixwrite"), 0, 100, &percent))
        j->mix_bp = WHOLE_BP - (uint32_t)percent * 100;
}

static void take_random(struct job *j)
{
    uint64_t percent;
    const char *share = text(j, "percentage_random"), *d = text(j, "random_distribution");
    if (j->random_bp && number_of(share, 0, 100, &percent))
        j->random_bp = (uint32_t)percent * 100;
    if (!d || !strncmp(d, "random", 6))
        return;
    char *value = arena_strdup(j->x->c.a, d);
    if (!strncmp(value, "zoned:", 6)) {
        for (char *p = value + 6; *p; p++)
            *p = (char)(*p == ':' ? ',' : *p);
        j->w->distribution = arena_printf(j->x->c.a, "zones:%s", value + 6);
    } else {
        j->w->distribution = value;
    }
}

/* --- sizes ---------------------------------------------------------------------------------------------------------- */

static struct access_line *add_line(struct job *j, uint64_t size, uint32_t share_bp,
                                    uint32_t read_bp)
{
    if (j->w->n_lines == PLAN_MAX_LINES) {
        give_up(j, "bssplit", "it has more than 100 sizes");
        return NULL;
    }
    struct access_line *l = &j->w->lines[j->w->n_lines++];
    *l = (struct access_line) { .share_bp = share_bp,
                                .size = size <= UINT32_MAX ? (uint32_t)size : 0,
                                .read_bp = read_bp,
                                .random_bp = j->random_bp,
                                .trim_bp = j->trim_bp,
                                .burst = 1 };
    return l;
}

/* Element `which` of a list with commas, or its last one; *ret_n is its length. */
static const char *element(const char *list, unsigned which, size_t *ret_n)
{
    const char *at = list;
    for (unsigned i = 0; i < which; i++) {
        const char *comma = strchr(at, ',');
        if (!comma)
            break;
        at = comma + 1;
    }
    *ret_n = strcspn(at, ",");
    return at;
}

/* "64k/40:1024k/60" with shares of `whole`; those without one divide the rest. False: it is none. */
static bool add_split(struct job *j, const char *split, size_t n, uint32_t whole, uint32_t read_bp)
{
    uint32_t from = j->w->n_lines, given = 0, open = 0;
    const char *p = split, *end = split + n;
    while (p < end) {
        size_t part = strcspn(p, ":");
        if (part > (size_t)(end - p))
            part = (size_t)(end - p);
        const char *slash = memchr(p, '/', part);
        uint64_t size, share = 0;
        bool has = slash && slash + 1 < p + part && isdigit((unsigned char)slash[1]);
        if (!size_of(p, &size))
            return false;
        if (has && !number_of(arena_strndup(j->x->c.a, slash + 1, (size_t)(p + part - slash) - 1),
                              0, 100, &share))
            return false;
        if (!add_line(j, size, has ? (uint32_t)share * 100 : UINT32_MAX, read_bp))
            return true;
        given += (uint32_t)share * 100;
        open += !has;
        p += part + 1;
    }
    uint32_t rest = given < WHOLE_BP ? WHOLE_BP - given : 0, sum = 0, kept = from;
    for (uint32_t i = from; i < j->w->n_lines; i++) {
        struct access_line l = j->w->lines[i];
        uint64_t bp = l.share_bp == UINT32_MAX && open ? rest / open : l.share_bp;
        l.share_bp = (uint32_t)(bp * whole / WHOLE_BP);
        sum += l.share_bp;
        if (l.share_bp)
            j->w->lines[kept++] = l;
    }
    j->w->n_lines = kept;
    if (kept == from || given > WHOLE_BP)
        return false;
    j->w->lines[from].share_bp += whole - sum; /* what rounding lost */
    return true;
}

static void add_direction(struct job *j, const char *option, const char *list, unsigned which,
                          uint32_t whole)
{
    size_t n;
    const char *at = element(list, which, &n);
    uint32_t read_bp = which == 0 ? WHOLE_BP : 0;
    uint64_t size;
    if (!strcmp(option, "bssplit")) {
        if (!add_split(j, at, n, whole, read_bp))
            give_up(j, option, arena_printf(j->x->c.a, "bssplit=%s cannot be read", list));
    } else if (!size_of(at, &size)) {
        give_up(j, option, arena_printf(j->x->c.a, "bs=%s cannot be read", list));
    } else {
        add_line(j, size, whole, read_bp);
    }
}

static void take_sizes(struct job *j)
{
    const char *option = find(j, "bssplit") ? "bssplit" : "bs";
    const char *list = text(j, option);
    size_t a, b;
    if (find(j, "bsrange")) {
        give_up(j, "bsrange", "bsrange draws sizes between two ends, which has no counterpart");
        return;
    }
    if (!list || !*list)
        list = "4k";
    const char *first = element(list, 0, &a), *second = element(list, 1, &b);
    bool same = first == second || (a == b && !strncmp(first, second, a));
    if (j->trim_bp) {
        add_direction(j, option, list, 2, WHOLE_BP);
    } else if (!j->reads || !j->writes) {
        add_direction(j, option, list, j->reads ? 0 : 1, WHOLE_BP);
    } else if (!same) {
        if (j->mix_bp)
            add_direction(j, option, list, 0, j->mix_bp);
        if (j->mix_bp < WHOLE_BP)
            add_direction(j, option, list, 1, WHOLE_BP - j->mix_bp);
    } else {
        add_direction(j, option, list, 0, WHOLE_BP);
        for (uint32_t i = 0; i < j->w->n_lines; i++)
            j->w->lines[i].read_bp = j->mix_bp;
    }
}

static void take_align(struct job *j)
{
    uint64_t align;
    const char *ba = text(j, "ba");
    for (uint32_t i = 0; ba && size_of(ba, &align) && i < j->w->n_lines; i++)
        j->w->lines[i].align = align;
}

/* --- depth, time, data ---------------------------------------------------------------------------------------------- */

static void take_depth(struct job *j)
{
    uint64_t depth = 1, jobs = 1;
    const struct fio_option *engine = find(j, "ioengine");
    const char *name = engine ? engine->value : "psync";
    bool sync = !strcmp(name, "sync") || !strcmp(name, "psync") || !strcmp(name, "vsync") ||
                !strcmp(name, "pvsync") || !strcmp(name, "pvsync2");
    if (find(j, "iodepth") && !number_of(text(j, "iodepth"), 1, PLAN_MAX_QUEUE_DEPTH, &depth))
        give_up(j, "iodepth", "its iodepth is not from 1 to 1024");
    if (find(j, "numjobs") && !number_of(text(j, "numjobs"), 1, PLAN_MAX_WORKERS, &jobs))
        give_up(j, "numjobs", "its numjobs is not from 1 to 256");
    if (sync && depth > 1) {
        conversion_leave(&j->x->c, find(j, "iodepth")->line,
                         "job '%s': iodepth=%" PRIu64 ": fio's %s engine does one I/O at a time",
                         j->s->name, depth, name);
        depth = 1;
    }
    if (!sync && strcmp(name, "libaio") != 0 && strcmp(name, "io_uring") != 0 &&
        strcmp(name, "posixaio") != 0 && strcmp(name, "windowsaio") != 0)
        conversion_leave(&j->x->c, engine->line, "job '%s': ioengine=%s", j->s->name, name);
    j->w->queue_depth = (uint32_t)depth;
    j->w->workers = (uint32_t)jobs;
    j->w->direct = is_true(j, "direct") ||
                   (text(j, "buffered") && !strcmp(text(j, "buffered"), "0"));
}

static bool time_of(const struct job *j, const char *name, uint64_t *ret)
{
    struct error ignored;
    const char *v = text(j, name);
    return v && *v && !parse_duration(v, ret, &ignored);
}

static void take_times(struct job *j)
{
    uint64_t ns;
    if (time_of(j, "runtime", &ns) && ns) {
        j->w->duration_ns = ns;
        if (!is_true(j, "time_based"))
            conversion_leave(&j->x->c, find(j, "runtime")->line,
                             "job '%s': without time_based fio stops once it has moved the size",
                             j->s->name);
    } else {
        conversion_leave(&j->x->c, j->s->line,
                         "job '%s' has no runtime and ends with its size: 60 s is taken",
                         j->s->name);
    }
    j->w->has_ramp = true;
    if (time_of(j, "ramp_time", &ns))
        j->w->ramp_ns = ns;
}

static void take_data(struct job *j)
{
    struct arena *a = j->x->c.a;
    const char *rate = text(j, "rate_iops"), *pattern = text(j, "buffer_pattern");
    uint64_t n;
    if (is_true(j, "zero_buffers"))
        j->w->fill = "zero";
    else if (pattern && !strncasecmp(pattern, "0x", 2))
        j->w->fill = arena_printf(a, "pattern:%s%s", strlen(pattern) % 2 ? "0" : "", pattern + 2);
    else if (number_of(text(j, "buffer_compress_percentage"), 1, 100, &n))
        j->w->fill = arena_printf(a, "compressible:%" PRIu64, n);
    else if (number_of(text(j, "dedupe_percentage"), 1, 100, &n))
        j->w->fill = arena_printf(a, "duplicate:%" PRIu64, n);
    if (rate && number_of(rate, 1, 1000000000, &n))
        j->w->rate = rate;
    if (number_of(text(j, "fdatasync"), 1, 1000000000, &n))
        j->w->sync = arena_printf(a, "fdatasync:%" PRIu64, n);
    else if (number_of(text(j, "fsync"), 1, 1000000000, &n))
        j->w->sync = arena_printf(a, "fsync:%" PRIu64, n);
    else if (is_true(j, "sync") || (text(j, "sync") && strstr(text(j, "sync"), "sync")))
        j->w->sync = "dsync";
    if (number_of(text(j, "randseed"), 1, UINT64_MAX, &n))
        j->x->c.seed = n;
    uint64_t think, block = 1;
    if (!number_of(text(j, "thinktime"), 1, 3600000000, &think))
        return;
    number_of(text(j, "thinktime_blocks"), 1, 1000000, &block);
    for (uint32_t i = 0; i < j->w->n_lines; i++) {
        j->w->lines[i].delay_ns = think * 1000;
        j->w->lines[i].burst = (uint32_t)block;
    }
}

/* --- what is left over ---------------------------------------------------------------------------------------------- */

/* Read above. */
static const char *const mapped[] = { "rw",
                                      "rwmixread",
                                      "rwmixwrite",
                                      "percentage_random",
                                      "random_distribution",
                                      "bs",
                                      "bssplit",
                                      "bsrange",
                                      "ba",
                                      "iodepth",
                                      "numjobs",
                                      "ioengine",
                                      "direct",
                                      "buffered",
                                      "runtime",
                                      "time_based",
                                      "ramp_time",
                                      "zero_buffers",
                                      "buffer_pattern",
                                      "buffer_compress_percentage",
                                      "dedupe_percentage",
                                      "rate_iops",
                                      "fdatasync",
                                      "fsync",
                                      "sync",
                                      "randseed",
                                      "thinktime",
                                      "thinktime_blocks",
                                      "stonewall",
                                      "wait_for_previous",
                                      "description" };
/* Without meaning for what is measured, or what is always so here. */
static const char *const harmless[] = { "group_reporting",
                                        "thread",
                                        "norandommap",
                                        "randrepeat",
                                        "allrandrepeat",
                                        "random_generator",
                                        "refill_buffers",
                                        "scramble_buffers",
                                        "invalidate",
                                        "create_serialize",
                                        "create_fsync",
                                        "create_on_open",
                                        "fallocate",
                                        "overwrite",
                                        "unlink",
                                        "name",
                                        "per_job_logs",
                                        "lat_percentiles",
                                        "clat_percentiles",
                                        "slat_percentiles",
                                        "percentile_list",
                                        "gtod_reduce",
                                        "clocksource",
                                        "disable_lat",
                                        "disable_clat",
                                        "disable_slat",
                                        "disable_bw",
                                        "disable_bw_measurement",
                                        "eta",
                                        "exitall",
                                        "new_group",
                                        "unified_rw_reporting",
                                        "loops",
                                        "fixedbufs",
                                        "registerfiles",
                                        "hipri",
                                        "sqthread_poll",
                                        "userspace_reap",
                                        "stats",
                                        "write_bw_log",
                                        "write_lat_log",
                                        "write_iops_log",
                                        "write_hist_log",
                                        "log_avg_msec",
                                        "log_hist_msec",
                                        "log_hist_coarseness",
                                        "log_offset",
                                        "log_max_value",
                                        "log_unix_epoch",
                                        "log_compression",
                                        "log_prio",
                                        "bwavgtime",
                                        "iopsavgtime",
                                        "significant_figures" };

static bool listed(const char *const *list, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(list[i], name))
            return true;
    return false;
}

static void list_rest(struct job *j)
{
    struct conversion *c = &j->x->c;
    for (size_t i = 0; i < j->s->n; i++) {
        const struct fio_option *o = &j->s->at[i];
        if (listed(mapped, countof(mapped), o->name) ||
            listed(harmless, countof(harmless), o->name))
            continue;
        if (!strcmp(o->name, "filename") || !strcmp(o->name, "directory"))
            conversion_leave(c, o->line, "%s=%s: name the target with --target", o->name, o->value);
        else if (!strcmp(o->name, "size") || !strcmp(o->name, "io_size"))
            conversion_leave(c, o->line, "%s=%s: --size is the span of every target", o->name,
                             o->value);
        else
            conversion_leave(c, o->line, "%s%s%s", o->name, *o->value ? "=" : "", o->value);
    }
}

/* The line of `check` that says what became of the job. */
static void say_kept(struct job *j)
{
    struct str s = str_new(1 << 16);
    for (size_t i = 0; i < j->s->n; i++) {
        const struct fio_option *o = &j->s->at[i];
        if (listed(mapped, countof(mapped), o->name) && strcmp(o->name, "description") != 0)
            str_printf(&s, " %s%s%s", o->name, *o->value ? "=" : "", o->value);
    }
    j->w->kept = arena_printf(j->x->c.a, "job '%s' (line %ld):%s", j->s->name, j->s->line, s.at);
    str_done(&s);
}

int fio_job_convert(struct fio_file *x, const struct fio_section *job)
{
    if (x->c.works.n == PLAN_MAX_WORKLOADS)
        return error_at(x->e, x->c.file, job->line, "there are more than %d jobs",
                        PLAN_MAX_WORKLOADS);
    struct job j = { .x = x, .s = job, .w = array_push(&x->c.works) };
    j.w->direct = -1;
    j.w->title = text(&j, "description") ? text(&j, "description") : job->name;
    if (x->n_jobs++ && !find(&j, "stonewall") && !find(&j, "wait_for_previous"))
        conversion_leave(
            &x->c, 0,
            "jobs without stonewall run at the same time in fio: here each is measured alone");
    take_rw(&j);
    if (!j.bad) {
        take_random(&j);
        take_sizes(&j);
        take_align(&j);
        take_depth(&j);
        take_times(&j);
        take_data(&j);
    }
    if (j.bad || !j.w->n_lines) {
        x->c.works.n--;
        return 0;
    }
    list_rest(&j);
    say_kept(&j);
    return 0;
}
