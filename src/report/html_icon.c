#include "base/array.h"
#include "chart/canvas.h"
#include "report/html_page.h"

static const double marker_size = 12, marker_r = 4.6, swatch_width = 38, swatch_height = 14;

static struct scene *draw_marker(struct page *p, int slot)
{
    struct scene *s = scene_new(p->arena, marker_size, marker_size);
    scene_marker(s, marker_size / 2, marker_size / 2, marker_r, slot, slot > SERIES_SLOTS, false);
    return s;
}

static struct scene *draw_swatch(struct page *p, int slot)
{
    struct scene *s = scene_new(p->arena, swatch_width, swatch_height);
    struct stroke line = { .paint = { INK_MARK, slot }, .width = 2, .dash = series_dash(slot) };
    scene_line(s, 1, swatch_height / 2, swatch_width - 1, swatch_height / 2, line);
    scene_marker(s, swatch_width / 2, swatch_height / 2, marker_r, slot, slot > SERIES_SLOTS, true);
    return s;
}

static int put_symbol(struct page *p, const char *id, struct scene *s, struct error *e)
{
    static const struct svg_options inline_svg = { 0 };
    scene_set_words(s, id, NULL);
    tag(&p->t, "g", "id", id, NULL);
    int rc = canvas_svg(s, &inline_svg, p->t.out, e);
    tag_end(&p->t, "g");
    return rc;
}

int icon_sheet(struct page *p, struct error *e)
{
    tag(&p->t, "svg", "class", "vh", "aria-hidden", "true", "width", "0", "height", "0", NULL);
    tag(&p->t, "defs", NULL);
    for (size_t i = 0; i < p->d->n_keys; i++) {
        int slot = p->d->keys[i].series.slot;
        if (put_symbol(p, arena_printf(p->arena, "qd-marker-%d", slot), draw_marker(p, slot), e) ||
            put_symbol(p, arena_printf(p->arena, "qd-swatch-%d", slot), draw_swatch(p, slot), e))
            return -1;
    }
    tag_end(&p->t, "defs");
    tag_end(&p->t, "svg");
    return 0;
}

static void use(struct page *p, const char *class, const char *box, const char *href)
{
    tag(&p->t, "svg", "class", class, "viewBox", box, "aria-hidden", "true", NULL);
    tag(&p->t, "use", "href", href, NULL);
    tag_end(&p->t, "svg");
}

void icon_marker(struct page *p, int slot)
{
    if (slot)
        use(p, "m", "0 0 12 12", arena_printf(p->arena, "#qd-marker-%d", slot));
}

void icon_swatch(struct page *p, int slot)
{
    use(p, "sw", "0 0 38 14", arena_printf(p->arena, "#qd-swatch-%d", slot));
}

void icon_verdict(struct page *p, enum verdict_symbol symbol)
{
    static const char *const paths[] = {
        [SYMBOL_AHEAD] = "M6 1.9L10.7 10H1.3Z",
        [SYMBOL_BEHIND] = "M6 10.1L10.7 2H1.3Z",
        [SYMBOL_SAME] = "M1.5 4.1H10.5M1.5 7.9H10.5",
        [SYMBOL_UNKNOWN] = "M10 6A4 4 0 1 1 2 6A4 4 0 1 1 10 6Z",
    };
    if (symbol == SYMBOL_NONE)
        return;
    tag(&p->t, "svg", "class", symbol == SYMBOL_AHEAD ? "vi full" : "vi", "viewBox", "0 0 12 12",
        "aria-hidden", "true", NULL);
    tag(&p->t, "path", "d", paths[symbol], NULL);
    tag_end(&p->t, "svg");
}

const char *slot_class(int slot)
{
    static const char *const classes[SERIES_SLOTS] = { "c1", "c2", "c3", "c4",
                                                       "c5", "c6", "c7", "c8" };
    return slot < 1 ? NULL : classes[(slot - 1) % SERIES_SLOTS];
}
