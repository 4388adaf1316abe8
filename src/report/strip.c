#include "report/strip.h"

#include <math.h>
#include <stdio.h>

#include "base/array.h"
#include "chart/font.h"

enum { MOST_LABELS = 4 };
/* The strip is at least so wide in either renderer, and labels keep such a distance, in units of their font size. */
static const double strip_width = 7.5, label_gap = 0.5;

static void widen(struct strip *s, double ratio)
{
    if (!(ratio > 0) || isinf(ratio))
        return;
    double octaves = log2(ratio);
    s->low = fmin(s->low, octaves);
    s->high = fmax(s->high, octaves);
}

static void set_base(struct strip *s, double base)
{
    s->base = base;
    s->first = (int)ceil(s->low / log2(base) - 1e-9);
    s->last = (int)floor(s->high / log2(base) + 1e-9);
}

double strip_tick(const struct strip *s, int i)
{
    return pow(s->base, i);
}

struct text strip_label(const struct strip *s, int i)
{
    double ratio = strip_tick(s, i);
    struct text number = i < 0 ? fmt_exact(ratio) : fmt_count((uint64_t)ratio), label;
    snprintf(label.s, sizeof label.s, "%.40s\u00D7", number.s);
    return label;
}

double strip_share(const struct strip *s, double ratio)
{
    if (isinf(ratio))
        return ratio;
    double octaves = ratio > 0 ? log2(ratio) : s->low;
    return fmin(fmax((octaves - s->low) / (s->high - s->low), 0), 1);
}

static bool labels_fit(const struct strip *s)
{
    double end = -(double)INFINITY;
    for (int i = s->first; i <= s->last; i++) {
        double half = font_width(FONT_REGULAR, 1, strip_label(s, i).s) / 2;
        double x = strip_width * strip_share(s, strip_tick(s, i));
        if (x - half < end + label_gap)
            return false;
        end = x + half;
    }
    return s->last - s->first < MOST_LABELS;
}

bool strip_fit(const struct table *t, struct strip *ret)
{
    struct strip s = { .low = 0, .high = 0 };
    bool any = false;
    for (size_t i = 0; i < t->n_rows; i++)
        for (size_t j = 0; j < t->rows[i].n_cells; j++) {
            const struct table_cell *c = &t->rows[i].cells[j];
            if (!(c->strip > 0))
                continue;
            any = true;
            widen(&s, c->strip);
            widen(&s, c->strip_low);
            widen(&s, c->strip_high);
        }
    /* differences of a few percent stay small: never less than an octave on each side of "the same" */
    if (s.high - s.low < 2) {
        s.low = fmin(s.low, -1);
        s.high = fmax(s.high, 1);
    }
    static const double bases[] = { 2, 4, 10, 100, 1000 };
    size_t k = 0;
    do
        set_base(&s, bases[k++]);
    while (k < countof(bases) && !labels_fit(&s));
    *ret = s;
    return any;
}

bool strip_has_range(const struct table_cell *c)
{
    return c->strip_low < c->strip_high && c->strip_low >= 0;
}
