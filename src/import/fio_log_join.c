#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "import/fio_log.h"
#include "import/fio_log_inside.h"

/* One interval in the making. */
struct log_slot {
    int64_t end_ms;
    bool any[LOG_DIRS], rate[LOG_DIRS], timed[LOG_DIRS];
    double ios[LOG_DIRS], bytes[LOG_DIRS], lat_sum[LOG_DIRS], lat_n[LOG_DIRS];
    struct moments lat[LOG_DIRS];
    void *bins[LOG_DIRS];
    size_t n_bins[LOG_DIRS];
};

struct log_join {
    struct collect *c;
    struct log_set *set;
    uint64_t window_ms;
    double unit;                  /* ns of one unit of the response times */
    ARRAY(struct log_slot) slots; /* by end */
    bool counted; /* a log says how many I/Os there were; windows it does not know are not known */
    const struct log_part *times, *counts; /* response times; I/Os and bytes of single rows */
};

/* --- windows -------------------------------------------------------------------------------------------------------- */

static int by_dt(const void *x, const void *y)
{
    uint32_t p = *(const uint32_t *)x, q = *(const uint32_t *)y;
    return (p > q) - (p < q);
}

/* The usual length of a kind's windows, 0 if it has none. */
static uint64_t usual_window(const struct log_part *p)
{
    if (!p->rows.n)
        return 0;
    uint32_t *dt = calloc(p->rows.n, sizeof *dt);
    if (!dt)
        return 1000;
    for (size_t i = 0; i < p->rows.n; i++)
        dt[i] = p->rows.at[i].dt_ms;
    qsort(dt, p->rows.n, sizeof *dt, by_dt);
    uint32_t usual = dt[p->rows.n / 2];
    free(dt);
    return usual ? usual : 1;
}

/* The same of a histogram log: the time most rows are after the one before of their direction. */
static uint64_t usual_counts(const struct log_part *p)
{
    struct log_part dt = { 0 };
    int64_t last[LOG_DIRS] = { 0 };
    for (size_t i = 0; i < p->counts.n; i++) {
        const struct log_count *x = &p->counts.at[i];
        int64_t before = last[x->direction];
        last[x->direction] = x->t_ms;
        if (x->t_ms > before && x->t_ms - before < UINT32_MAX)
            array_push(&dt.rows)->dt_ms = (uint32_t)(x->t_ms - before);
    }
    uint64_t usual = usual_window(&dt);
    array_free(&dt.rows);
    return usual;
}

static int by_time(const void *x, const void *y)
{
    int64_t p = *(const int64_t *)x, q = *(const int64_t *)y;
    return (p > q) - (p < q);
}

/* The intervals end where the coarsest windows do: threads and directions that end within half a window belong together. */
static void make_slots(struct log_join *j)
{
    ARRAY(int64_t) ends = { 0 };
    for (int k = 0; k < LOG_KINDS; k++) {
        const struct log_part *p = &j->set->parts[k];
        if (k == LOG_SLAT || (k <= LOG_SLAT && p != j->times))
            continue;
        bool wide = k == LOG_HIST && 4 * usual_counts(p) > 3 * j->window_ms;
        for (size_t i = 0; wide && i < p->counts.n; i++)
            *array_push(&ends) = p->counts.at[i].t_ms;
        if (4 * usual_window(p) > 3 * j->window_ms)
            for (size_t i = 0; i < p->rows.n; i++)
                *array_push(&ends) = p->rows.at[i].t_ms;
        for (int d = 0; d < LOG_DIRS && j->window_ms == 1000; d++)
            for (size_t i = 0; i < p->seconds[d].n; i++)
                *array_push(&ends) = (p->seconds[d].at[i].at + 1) * 1000;
    }
    if (ends.n)
        qsort(ends.at, ends.n, sizeof *ends.at, by_time);
    for (size_t i = 0; i < ends.n; i++) {
        int64_t last = j->slots.n ? j->slots.at[j->slots.n - 1].end_ms : INT64_MIN / 2;
        if (ends.at[i] - last > (int64_t)j->window_ms / 2)
            array_push(&j->slots)->end_ms = ends.at[i];
    }
    array_free(&ends);
}

/* The slot whose end is nearest. */
static struct log_slot *slot_at(struct log_join *j, int64_t end_ms)
{
    size_t low = 0, high = j->slots.n;
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        int64_t between = (j->slots.at[middle - 1].end_ms + j->slots.at[middle].end_ms) / 2;
        if (end_ms > between)
            low = middle;
        else
            high = middle;
    }
    return &j->slots.at[low];
}

static void add_rows(struct log_join *j, const struct log_part *p, enum log_kind kind)
{
    for (size_t i = 0; i < p->rows.n; i++) {
        const struct log_row *r = &p->rows.at[i];
        struct log_slot *s = slot_at(j, r->t_ms);
        int d = r->direction;
        double seconds = (double)(r->dt_ms < 2 * j->window_ms ? r->dt_ms : j->window_ms) / 1e3;
        s->any[d] = true;
        if (kind == LOG_IOPS) {
            s->rate[d] = true;
            s->ios[d] += r->value * seconds;
        } else if (kind == LOG_BW) {
            s->bytes[d] += r->value * 1024 * seconds;
        } else {
            s->timed[d] = true;
            s->lat_sum[d] += r->value * j->unit;
            s->lat_n[d]++;
        }
    }
}

/* Histograms give times where no log of times is there, and counts where no other log counts. */
static int add_counts(struct log_join *j, const struct log_part *p, struct error *e)
{
    for (size_t i = 0; i < p->counts.n; i++) {
        const struct log_count *from = &p->counts.at[i];
        struct log_slot *s = slot_at(j, from->t_ms);
        int d = from->direction;
        s->any[d] = true;
        if (p == j->counts) {
            s->rate[d] = true;
            s->ios[d] += (double)from->ios;
            s->bytes[d] += (double)from->bytes;
        }
        if (!j->times && s->lat[d].n)
            moments_merge(&s->lat[d], &from->lat);
        else if (!j->times)
            s->lat[d] = from->lat;
        if ((!j->times || !j->times->single) &&
            fio_log_add_bins(j->c->a, &s->bins[d], &s->n_bins[d], from->bins, from->n_bins, e))
            return -1;
    }
    return 0;
}

static int add_seconds(struct log_join *j, const struct log_part *p, struct error *e)
{
    for (int d = 0; d < LOG_DIRS; d++)
        for (size_t i = 0; i < p->seconds[d].n; i++) {
            const struct log_second *from = &p->seconds[d].at[i];
            struct log_slot *s = slot_at(j, (from->at + 1) * 1000);
            s->any[d] = true;
            if (p == j->counts) {
                s->rate[d] = true;
                s->ios[d] += (double)from->ios;
                s->bytes[d] += (double)from->bytes;
            }
            if (p == j->times) {
                if (s->lat[d].n)
                    moments_merge(&s->lat[d], &from->lat);
                else
                    s->lat[d] = from->lat;
                if (fio_log_add_bins(j->c->a, &s->bins[d], &s->n_bins[d], from->bins, from->n_bins,
                                     e))
                    return -1;
            }
        }
    return 0;
}

/* --- units ---------------------------------------------------------------------------------------------------------- */

static double mean_of(const struct log_part *p)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < p->rows.n; i++)
        sum += p->rows.at[i].value;
    n = (double)p->rows.n;
    for (int d = 0; d < LOG_DIRS; d++)
        if (p->hist[d]) {
            sum += (double)p->hist[d]->m.sum;
            n += (double)p->hist[d]->m.n;
        }
    return n > 0 ? sum / n : 0;
}

/* Logs have no heading: before 3.0 times are µs, then ns. Told by the JSON beside them, by columns that came later, by Little's law (at
 * least a twentieth of an I/O must be in flight), else guessed. */
static double unit_of(struct log_join *j, const struct import_cell *cell)
{
    const struct log_part *p = j->times, *iops = &j->set->parts[LOG_IOPS];
    const char *tool = cell ? j->c->sources[cell->source].summary->tool : NULL;
    if (tool && !strncmp(tool, "fio ", 4) && tool[4] >= '0' && tool[4] <= '9')
        return tool[4] >= '3' || tool[5] != '.' ? 1 : 1000;
    if (p->nanoseconds)
        return 1;
    double mean = mean_of(p);
    if (iops->rows.n && !iops->single && !p->single) {
        double in_flight = mean_of(iops) * mean * 1e-9;
        if (in_flight > 0)
            return in_flight < 0.05 ? 1000 : 1;
    }
    double unit = mean < 1e6 ? 1000 : 1;
    j->c->source = &j->c->sources[p->source];
    collect_warn(j->c, 0,
                 "nothing says whether its response times are in µs (fio 2) or ns (fio 3): %s is a "
                 "guess (the job's fio JSON beside it would tell)",
                 unit > 1 ? "µs" : "ns");
    return unit;
}

/* --- cells ---------------------------------------------------------------------------------------------------------- */

static struct import_cell *cell_of(struct collect *c, const struct log_set *set)
{
    for (size_t i = 0; i < c->cells.n; i++) {
        struct import_cell *cell = c->cells.at[i].cell;
        const char *prefix = cell->log_prefix ? file_basename(c->a, cell->log_prefix) : cell->job;
        bool host = !*set->host || (cell->target && strstr(cell->target, set->host));
        if (!cell->intervals.n && prefix && !strcmp(prefix, set->base) && host)
            return cell;
    }
    return NULL;
}

/* Scales a direction of exact moments and its histogram to ns. */
static struct moments scaled(const struct moments *m, double unit)
{
    struct moments s = *m;
    if (unit > 1 && m->n) {
        s.sum *= 1000;
        s.sum_sq *= 1000000;
        s.min *= 1000;
        s.max *= 1000;
    }
    return s;
}

/* What no drive can do in a window is a broken row. */
static uint64_t whole(double v)
{
    return v < 0x1p48 ? (uint64_t)llround(v) : 0;
}

static void put_direction(const struct log_join *j, const struct log_slot *s, int d,
                          struct import_interval *to)
{
    struct interval_direction *x = &to->at.dir[d];
    x->asked = true;
    x->lat = moments_zero();
    x->ios = whole(s->ios[d]);
    x->bytes = whole(s->bytes[d]);
    if (s->lat[d].n) {
        x->lat = scaled(&s->lat[d], j->unit);
        to->bins[d] = j->unit > 1 ? NULL : s->bins[d];
        to->n_bins[d] = j->unit > 1 ? 0 : s->n_bins[d];
    } else if (s->timed[d] && (x->ios || !j->counted)) {
        double mean = s->lat_sum[d] / s->lat_n[d];
        x->lat.n = x->ios ? x->ios : 1;
        double sum = mean * (double)x->lat.n;
        x->lat.sum = whole(sum);
        if (sum >= 0x1p48)
            x->lat = moments_zero();
    }
}

static void put_intervals(struct log_join *j, struct import_cell *cell)
{
    int64_t begin = 0;
    bool asked[LOG_DIRS] = { false };
    for (size_t i = 0; i < j->slots.n; i++)
        for (int d = 0; d < LOG_DIRS; d++)
            asked[d] |= j->slots.at[i].any[d];
    for (size_t i = 0; i < j->slots.n; i++) {
        const struct log_slot *s = &j->slots.at[i];
        bool rated = s->rate[0] || s->rate[1] || s->rate[2];
        if ((j->counted && !rated) || (!s->any[0] && !s->any[1] && !s->any[2]))
            continue;
        struct import_interval *to = array_push(&cell->intervals);
        int64_t before = i ? j->slots.at[i - 1].end_ms : j->set->epoch_ms ? INT64_MIN / 2 : 0;
        int64_t length = s->end_ms - before;
        if (length > 3 * (int64_t)j->window_ms / 2)
            length = (int64_t)j->window_ms; /* nothing was logged before it */
        if (length < 1)
            length = 1;
        if (!i && j->set->epoch_ms)
            begin = s->end_ms - length;
        to->at.t_ns = (s->end_ms - length - begin) * (int64_t)NS_PER_MS;
        to->at.length_ns = (uint64_t)length * NS_PER_MS;
        for (int d = 0; d < DIR_COUNT; d++)
            to->at.dir[d].lat = moments_zero();
        for (int d = 0; d < LOG_DIRS; d++)
            if (asked[d])
                put_direction(j, s, d, to);
    }
}

/* A cell's result from its own intervals, when there is no other. */
static void sum_up(struct log_join *j, struct import_cell *cell)
{
    for (size_t i = 0; i < cell->intervals.n; i++) {
        const struct interval *in = &cell->intervals.at[i].at;
        for (int d = 0; d < LOG_DIRS; d++) {
            struct direction_result *r = &cell->result.dir[d];
            const struct interval_direction *x = &in->dir[d];
            if (!x->asked)
                continue;
            r->asked = true;
            r->ios += x->ios;
            r->bytes += x->bytes;
            if (x->lat.n)
                moments_merge(&r->lat, &x->lat);
        }
        uint64_t end = (uint64_t)in->t_ns + in->length_ns;
        cell->result.measured_ns = end;
    }
    for (int d = 0; d < LOG_DIRS; d++) {
        cell->result.dir[d].lat_max_ns = cell->result.dir[d].lat.max;
        if (j->unit == 1 && j->times && j->times->single)
            cell->hist[d] = j->times->hist[d];
        else
            cell->hist[d] = j->set->parts[LOG_HIST].hist[d];
        if (!cell->hist[d] && j->set->parts[LOG_HIST].coarse[d])
            percentiles_of_bins(j->c->a, j->set->parts[LOG_HIST].coarse[d], &cell->result.dir[d]);
    }
}

static uint32_t size_of(const struct log_join *j, const struct direction_result *r, int d)
{
    uint32_t size = j->counts ? j->counts->sizes[d] : 0;
    if (size && size != UINT32_MAX)
        return size;
    double mean = r->ios ? (double)r->bytes / (double)r->ios : 0;
    if (mean < 1 || mean > PLAN_MAX_SIZE)
        return 0;
    /* rates are rounded: a near multiple of 512 is meant */
    double sectors = round(mean / 512) * 512;
    return (uint32_t)(fabs(sectors - mean) < 0.02 * mean ? sectors : mean + 0.5);
}

static void describe(struct log_join *j, struct import_cell *cell)
{
    struct import_pattern *p = &cell->pattern;
    double work[LOG_DIRS];
    double all = 0;
    for (int d = 0; d < LOG_DIRS; d++) {
        const struct direction_result *r = &cell->result.dir[d];
        work[d] = r->ios ? (double)r->ios : (double)r->lat.n;
        work[d] += work[d] <= 0 && r->bytes ? 1 : 0;
        all += work[d];
    }
    for (int d = 0; d < LOG_DIRS; d++) {
        if (work[d] <= 0)
            continue;
        *pattern_add(j->c->a, p) = (struct access_line) {
            .share_bp = (uint32_t)(work[d] / all * 100 + 0.5) * 100,
            .size = size_of(j, &cell->result.dir[d], d),
            .read_bp = d == DIR_READ ? 10000 : 0,
            .trim_bp = d == DIR_TRIM ? 10000 : 0,
            .burst = 1,
        };
    }
    if (p->n_lines == 2 && p->lines[0].size == p->lines[1].size && !p->lines[1].trim_bp) {
        p->lines[0].read_bp = p->lines[0].share_bp;
        p->n_lines = 1;
    }
    p->order_unknown = true;
    cell->target = j->set->base;
    cell->job = j->set->base;
    collect_warn(
        j->c, 0,
        "a log does not say queue depth (1 is shown), random or sequential, direct or not: "
        "import it with the job's fio JSON");
}

static void own_cell(struct log_join *j, struct import_cell **ret)
{
    const struct log_part *first = NULL;
    for (int k = 0; k < LOG_KINDS && !first; k++)
        first = j->set->parts[k].any ? &j->set->parts[k] : NULL;
    j->c->source = &j->c->sources[first->source];
    struct import_cell *cell = collect_cell(j->c);
    put_intervals(j, cell);
    sum_up(j, cell);
    describe(j, cell);
    if (!cell->pattern.n_lines) {
        collect_warn(j->c, 0, "no I/O was done in it: it is left out");
        array_free(&cell->intervals);
        collect_drop(j->c);
        return;
    }
    bool rates = false;
    for (int d = 0; d < LOG_DIRS; d++)
        rates |= cell->result.dir[d].ios > 0;
    if (!rates)
        collect_warn(j->c, 0,
                     "there is no IOPS log beside it: I/Os are not known, and every window "
                     "counts once");
    *ret = cell;
}

static void warn_of_slat(struct log_join *j)
{
    j->c->source = &j->c->sources[j->set->parts[LOG_SLAT].source];
    collect_warn(j->c, 0, "the time to submit (slat) alone is no result");
}

static void choose_parts(struct log_join *j)
{
    struct log_part *parts = j->set->parts;
    static const enum log_kind order[] = { LOG_LAT, LOG_CLAT, LOG_IOPS, LOG_BW };
    j->times = parts[LOG_LAT].any && parts[LOG_LAT].last_ms ? &parts[LOG_LAT]
               : parts[LOG_CLAT].any                        ? &parts[LOG_CLAT]
               : parts[LOG_LAT].any                         ? &parts[LOG_LAT]
                                                            : NULL;
    for (size_t i = 0; i < countof(order) && !j->counts; i++)
        j->counts = parts[order[i]].any && parts[order[i]].single ? &parts[order[i]] : NULL;
    for (int k = 0; k < LOG_KINDS; k++) {
        uint64_t window = usual_window(&parts[k]);
        if (k == LOG_HIST)
            window = usual_counts(&parts[k]);
        j->window_ms = window > j->window_ms ? window : j->window_ms;
        if (parts[k].single && parts[k].any && j->window_ms < 1000)
            j->window_ms = 1000;
    }
    if (!j->window_ms)
        j->window_ms = 1000;
    if (!j->counts && !parts[LOG_IOPS].rows.n && parts[LOG_HIST].counts.n)
        j->counts = &parts[LOG_HIST];
    j->counted = j->counts || parts[LOG_IOPS].rows.n;
}

static int join_set(struct collect *c, struct log_set *set, struct error *e)
{
    int rc = 0;
    struct log_join j = { .c = c, .set = set, .unit = 1 };
    struct import_cell *cell = cell_of(c, set);
    struct log_part *parts = set->parts;
    choose_parts(&j);
    make_slots(&j);
    if (j.times)
        j.unit = unit_of(&j, cell);
    if (j.times == &parts[LOG_CLAT] || (!j.times && parts[LOG_HIST].counts.n))
        collect_note(c, &(struct import_note) {
                            .code = "clat-only",
                            .severity = EVENT_NOTE,
                            .what = "fio's lat is missing: response times are of completion "
                                    "(clat).",
                            .text = "They leave out the time a request took to be submitted." });
    for (int k = 0; k < LOG_KINDS && !rc; k++) {
        struct log_part *p = &parts[k];
        if (!j.slots.n || k == LOG_SLAT || (k <= LOG_SLAT && p != j.times))
            continue;
        add_rows(&j, p, (enum log_kind)k);
        rc = add_seconds(&j, p, e) || add_counts(&j, p, e) ? -1 : 0;
    }
    if (cell)
        put_intervals(&j, cell);
    else if (j.slots.n)
        own_cell(&j, &cell);
    else if (parts[LOG_SLAT].rows.n)
        warn_of_slat(&j);
    if (cell && set->epoch_ms && !cell->started_ns)
        cell->started_ns = set->epoch_ms * (int64_t)NS_PER_MS;
    array_free(&j.slots);
    return rc;
}

int fio_log_finish(struct collect *c, struct error *e)
{
    int rc = 0;
    for (struct log_set *set = c->logs; set; set = set->next) {
        rc = join_set(c, set, e) ? -1 : rc;
        for (int k = 0; k < LOG_KINDS; k++) {
            array_free(&set->parts[k].rows);
            array_free(&set->parts[k].counts);
            for (int d = 0; d < LOG_DIRS; d++)
                array_free(&set->parts[k].seconds[d]);
        }
    }
    c->logs = NULL;
    return rc;
}
