#include <math.h>

#include "chart/number.h"
#include "report/html_page.h"

/* px; the ends leave room for half a label and for a dot on the edge. */
static const double width = 150, height = 22, head_height = 16, inset = 16, dot_r = 4.5;

static double px_ratio(const struct strip *s, double ratio)
{
    return isinf(ratio) ? width - inset / 2 : inset + (width - 2 * inset) * strip_share(s, ratio);
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
    for (int i = s->first; i <= s->last; i++) {
        tag(&p->t, "text", "x", number_2(px_ratio(s, strip_tick(s, i))).s, "y", "13", "text-anchor",
            "middle", NULL);
        tag_text(&p->t, strip_label(s, i).s);
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
    for (int i = s->first; i <= s->last; i++)
        rule(p, i ? "tick" : "one", px_ratio(s, strip_tick(s, i)));
    if (strip_has_range(c))
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
