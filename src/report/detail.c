#include "report/detail.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "report/spot.h"
#include "report/within.h"

#define ZOOM_MOST_S 3600
enum { ZOOM_SHARE = 3 };

/* --- what a template draws ----------------------------------------------------------------------------------------- */

static const struct {
    const char *element, *kind;
    unsigned parts;
} wants[] = {
    { "figure", "time", DETAIL_TIME },
    { "figure", "rate", DETAIL_TIME },
    { "figure", "spread", DETAIL_TIME | DETAIL_HIST },
    { "figure", "seconds", DETAIL_TIME },
    { "figure", "heat", DETAIL_TIME | DETAIL_HIST | DETAIL_HEAT },
    { "figure", "samples", DETAIL_TIME | DETAIL_SAMPLES },
    { "table", "evenness", DETAIL_TIME },
    { "table", "shares", DETAIL_TIME },
    { "table", "drops", DETAIL_TIME },
};

static unsigned wanted_by(const struct template_node *n)
{
    const char *kind = template_attribute(n, "kind"), *of = template_attribute(n, "of");
    if (!strcmp(n->element, "finding") && of && !strcmp(of, "evenness"))
        return DETAIL_TIME;
    for (size_t i = 0; kind && i < countof(wants); i++)
        if (!strcmp(wants[i].element, n->element) && !strcmp(wants[i].kind, kind))
            return wants[i].parts;
    return 0;
}

static unsigned wanted_below(const struct template_node *n)
{
    unsigned parts = 0;
    for (; n; n = n->next)
        if (n->element)
            parts |= wanted_by(n) | wanted_below(n->first);
    return parts;
}

unsigned detail_wanted(const struct template *t)
{
    return wanted_below(t->root);
}

/* --- the window ---------------------------------------------------------------------------------------------------- */

/* Whole records from the end of the run. */
static struct time_range choose_window(const struct seconds *s)
{
    double end = seconds_end(s), length = fmin(ZOOM_MOST_S, end / ZOOM_SHARE);
    double records = s->step > 0 ? floor(length / s->step + 1e-9) : 0;
    double from = records > 0 ? end - records * s->step : 0;
    return (struct time_range) { (int64_t)llround(from * 1e9), (int64_t)llround(end * 1e9) };
}

/* --- heat ---------------------------------------------------------------------------------------------------------- */

struct heating {
    struct time_range window;
    double *counts;
    double column_ns;
    size_t nx;
    uint16_t row[HIST_BUCKETS];
};

double heat_row_ns(size_t row)
{
    return exp2((double)row / HEAT_PER_OCTAVE);
}

static int add_column(void *ctx, int64_t t_ns, enum direction d, const void *blob, size_t n,
                      struct error *e)
{
    (void)d;
    struct heating *h = ctx;
    size_t column = (size_t)((double)(t_ns - h->window.from_ns) / h->column_ns);
    double *to = &h->counts[(column < h->nx ? column : h->nx - 1) * HEAT_ROWS];
    struct hist_cursor c;
    hist_cursor_open(&c, blob, n);
    while (hist_cursor_next(&c))
        to[h->row[c.index]] += (double)c.count;
    return hist_cursor_end(&c, e);
}

static int load_heat(struct store *s, struct arena *a, const struct spot *spot, struct detail *d,
                     struct error *e)
{
    struct arena *scratch = arena_new();
    struct heating *h = arena_one(scratch, struct heating);
    size_t per_column = (d->part.n + HEAT_COLUMNS - 1) / HEAT_COLUMNS;
    h->window = d->window;
    h->nx = (d->part.n + per_column - 1) / per_column;
    h->column_ns = (double)per_column * d->part.step * 1e9;
    h->counts = arena_array(a, double, h->nx *HEAT_ROWS);
    for (uint32_t i = 0; i < HIST_BUCKETS; i++) {
        double middle = ((double)hist_lower(i) + (double)hist_upper(i) + 1) / 2;
        h->row[i] = (uint16_t)fmin(log2(middle) * HEAT_PER_OCTAVE, HEAT_ROWS - 1);
    }
    int rc = store_interval_histograms(s, spot->cell->id, &h->window, add_column, h, e);
    struct heat_counts *heat = arena_one(a, struct heat_counts);
    *heat = (struct heat_counts) { h->counts, h->nx, h->column_ns / 1e9 };
    d->heat = heat;
    arena_free(scratch);
    return rc;
}

/* --- loading ------------------------------------------------------------------------------------------------------- */

static int load_parts(struct store *s, struct arena *a, unsigned parts, const struct spot *spot,
                      struct detail *d, struct error *e)
{
    struct hist *h = NULL;
    if (d->part.n && (parts & DETAIL_HIST)) {
        if (within_hist(s, a, spot->cell->id, &d->window, &h, e))
            return -1;
        d->hist = h;
    }
    if (d->part.n && (parts & DETAIL_HEAT) && load_heat(s, a, spot, d, e))
        return -1;
    struct sample *samples = NULL;
    if ((parts & DETAIL_SAMPLES) && store_samples(s, a, spot->cell->id, &samples, &d->n_samples, e))
        return -1;
    d->samples = samples;
    return 0;
}

static int load_spot(struct store *s, struct arena *a, unsigned parts, struct spot *spot,
                     struct error *e)
{
    struct detail *d = arena_one(a, struct detail);
    if (spot_load_seconds(s, a, spot, e))
        return -1;
    d->window = spot->window ? *spot->window : choose_window(spot->in_time);
    d->part = seconds_in(spot->in_time, &d->window);
    d->to_the_end = d->part.at + d->part.n == spot->in_time->at + spot->in_time->n;
    d->whole = evenness_of(a, spot->in_time);
    d->even = evenness_of(a, &d->part);
    spot->detail = d;
    return load_parts(s, a, parts, spot, d, e);
}

int detail_load(struct store *s, struct arena *a, unsigned parts, struct report_data *d,
                struct error *e)
{
    for (size_t p = 0; parts && p < d->n_points; p++)
        for (size_t i = 0; i < d->n_subjects; i++) {
            struct spot *spot = &d->points[p].spots[i];
            if (spot->cell && load_spot(s, a, parts, spot, e))
                return -1;
        }
    return 0;
}
