#include <math.h>

#include "base/array.h"
#include "base/fmt.h"
#include "chart/number.h"
#include "report/html_page.h"

/* px; the ends leave room for half a label and for a dot on the edge. */
static const double width = 150, height = 22, head_height = 16, inset = 16, dot_r = 4.5;
enum { MOST_LABELS = 4 };

static void widen(struct strip *s, double ratio)
{
    if (!(ratio > 0) || isinf(ratio))
        return;
    double octaves = log2(ratio);
    s->low = fmin(s->low, octaves);
    s->high = fmax(s->high, octaves);
}

static bool has_strip(const struct table_cell *c)
{
    return c->strip > 0;
}

static int first_tick(const struct strip *s)
{
    return (int)ceil(s->low / log2(s->base) - 1e-9);
}

static int last_tick(const struct strip *s)
{
    return (int)floor(s->high / log2(s->base) + 1e-9);
}

bool strip_fit(const struct table *t, struct strip *ret)
{
    struct strip s = { .low = 0, .high = 0 };
    bool any = false;
    for (size_t i = 0; i < t->n_rows; i++)
        for (size_t j = 0; j < t->rows[i].n_cells; j++) {
            const struct table_cell *c = &t->rows[i].cells[j];
            if (!has_strip(c))
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
        s.base = bases[k++];
    while (k < countof(bases) && last_tick(&s) - first_tick(&s) >= MOST_LABELS);
    *ret = s;
    return any;
}

static double px(const struct strip *s, double octaves)
{
    double share = (octaves - s->low) / (s->high - s->low);
    return inset + (width - 2 * inset) * fmin(fmax(share, 0), 1);
}

static double px_ratio(const struct strip *s, double ratio)
{
    return isinf(ratio) ? width - inset / 2 : px(s, ratio > 0 ? log2(ratio) : s->low);
}

static void begin(struct page *p, double h)
{
    tag(&p->t, "svg", "class", "strip-svg", "viewBox",
        arena_printf(p->arena, "0 0 %s %s", number_2(width).s, number_2(h).s), "width",
        number_2(width).s, "height", number_2(h).s, "aria-hidden", "true", NULL);
}

void strip_head(struct page *p, const struct strip *s)
{
    begin(p, head_height);
    for (int i = first_tick(s); i <= last_tick(s); i++) {
        double ratio = pow(s->base, i);
        tag(&p->t, "text", "x", number_2(px_ratio(s, ratio)).s, "y", "13", "text-anchor", "middle",
            NULL);
        tag_text(&p->t, i < 0 ? fmt_exact(ratio).s : fmt_count((uint64_t)ratio).s);
        tag_text(&p->t, "\u00D7");
        tag_end(&p->t, "text");
    }
    tag_end(&p->t, "svg");
}

static void rule(struct page *p, const char *class, double x)
{
    tag(&p->t, "path", "class", class, "d",
        arena_printf(p->arena, "M%s 0V%s", number_2(x).s, number_2(height).s), NULL);
}

void strip_cell(struct page *p, const struct strip *s, const struct table_cell *c,
                enum verdict_symbol symbol)
{
    begin(p, height);
    for (int i = first_tick(s); i <= last_tick(s); i++)
        rule(p, i ? "tick" : "one", px_ratio(s, pow(s->base, i)));
    if (c->strip_low < c->strip_high && c->strip_low >= 0)
        tag(&p->t, "path", "class", "range", "d",
            arena_printf(p->arena, "M%s %sH%s", number_2(px_ratio(s, c->strip_low)).s,
                         number_2(height / 2).s, number_2(px_ratio(s, c->strip_high)).s),
            NULL);
    static const char *const classes[] = {
        [SYMBOL_NONE] = "dot soft", [SYMBOL_AHEAD] = "dot",        [SYMBOL_BEHIND] = "dot open",
        [SYMBOL_SAME] = "dot soft", [SYMBOL_UNKNOWN] = "dot soft",
    };
    tag(&p->t, "circle", "class", classes[symbol], "cx", number_2(px_ratio(s, c->strip)).s, "cy",
        number_2(height / 2).s, "r", number_2(dot_r).s, NULL);
    tag_end(&p->t, "svg");
}
