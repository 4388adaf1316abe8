#include <string.h>

#include "chart/text.h"
#include "report/pdf_parts.h"

/* mock/tokens.md §8 */
static const double margin = 48, head_y = 32, head_rule = 48, foot_rule = 44, foot_y = 39;
static const double rule_width = 0.5;

void sheet_init(struct sheet *s, const char *paper)
{
    bool letter = paper && !strcmp(paper, "letter");
    double width = letter ? 612 : 595.28, height = letter ? 792 : 841.89;
    *s = (struct sheet) { .width = width,
                          .height = height,
                          .left = margin,
                          .text_width = width - 2 * margin,
                          .top = 72,
                          .cover_top = 40,
                          .bottom = height - 64 };
}

static void rule(struct pdf *p, double y)
{
    pen_rule(p, &(struct area) { p->sheet.left, y, p->sheet.text_width, rule_width },
             (struct paint) { INK_RULE, 0 });
}

/* Text at both margins; the left one is cut where they would meet. */
static void pair(struct pdf *p, double y, const char *left, const char *right)
{
    static const double gap = 24;
    const struct type *t = &type_caption;
    double base = type_baseline(t, y), x = p->sheet.left, end = x + p->sheet.text_width;
    const char *short_right = text_elide(p->arena, t->weight, t->size, right,
                                         p->sheet.text_width / 2);
    double right_width = font_width(t->weight, t->size, short_right);
    pen_text(
        p, x, base,
        text_elide(p->arena, t->weight, t->size, left, p->sheet.text_width - right_width - gap), t);
    pen_text_right(p, end, base, short_right, t);
}

static void draw_head(struct pdf *p)
{
    const struct document *d = p->d;
    pair(p, head_y, d->title ? d->title : "", d->run_names ? d->run_names : "");
    rule(p, head_rule);
}

static void draw_foot(struct pdf *p, size_t page)
{
    const struct document *d = p->d;
    struct arena *a = p->arena;
    const char *text = arena_printf(a, "qdepth %s", d->version ? d->version : "");
    if (d->data_hash)
        text = arena_printf(a, "%s · data %s", text, d->data_hash);
    if (d->notice)
        text = arena_printf(a, "%s · %s", text, d->notice);
    rule(p, p->sheet.height - foot_rule);
    pair(p, p->sheet.height - foot_y, text, arena_printf(a, "%zu of %zu", page + 1, p->n_pages));
}

int pages_draw(struct pdf *p, const struct flow *f, struct error *e)
{
    p->pages = arena_array(p->arena, HPDF_Page, p->n_pages);
    for (size_t i = 0; i < p->n_pages; i++) {
        p->pages[i] = haru_add_page(&p->h, p->sheet.width, p->sheet.height);
        if (i > 0)
            draw_head(p);
    }
    for (size_t i = 0; i < f->items.n; i++) {
        const struct item *item = f->items.at[i].item;
        haru_turn_to(&p->h, p->pages[item->page]);
        if (item->draw(p, item, e))
            return -1;
    }
    for (size_t i = 0; i < p->n_pages; i++) {
        haru_turn_to(&p->h, p->pages[i]);
        draw_foot(p, i);
    }
    return haru_check(&p->h, e);
}
