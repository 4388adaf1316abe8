#include <math.h>
#include <string.h>

#include "chart/text.h"
#include "report/pdf_parts.h"

/* A line of running text, with what stands beside and behind it. */
struct text_item {
    struct set_line line;
    struct type type;
    double indent, pad_above;
    const char *label;
    int slot;
    enum frame frame;
};

static const double section_rule = 1.5, section_gap = 8, section_tail = 2;

/* --- boxes around lines -------------------------------------------------------------------------------------------- */

struct box_style {
    enum ink fill, bar;
    double bar_width, left, right, above, below;
};
static const struct box_style boxes[] = {
    [FRAME_NONE] = { INK_NONE, INK_NONE, 0, 0, 0, 0, 0 },
    [FRAME_WARNING] = { INK_WARNBG, INK_WARNB, 2, 9, 7, 4, 4 },
    [FRAME_CODE] = { INK_RAISE, INK_NONE, 0, 8, 8, 6, 6 },
};

static void draw_box(struct pdf *p, const struct item *i, enum frame frame)
{
    const struct box_style *box = &boxes[frame];
    if (box->fill == INK_NONE)
        return;
    pen_fill(p, &(struct area) { i->x, i->y, i->width, i->height },
             (struct paint) { box->fill, 0 });
    if (box->bar != INK_NONE)
        pen_fill(p, &(struct area) { i->x, i->y, box->bar_width, i->height },
                 (struct paint) { box->bar, 0 });
}

/* --- lines --------------------------------------------------------------------------------------------------------- */

static int draw_text(struct pdf *p, const struct item *i, struct error *e)
{
    const struct text_item *t = i->what;
    const struct type label = type_ink(t->type, INK_INK3);
    double base = type_baseline(&t->type, i->y + t->pad_above), x = i->x + t->indent;
    draw_box(p, i, t->frame);
    if (t->label)
        pen_text(p, i->x, base, t->label, &label);
    if (t->slot) {
        if (pen_marker(p, x, base - 0.36 * t->type.size, t->slot, e))
            return -1;
        x += marker_width + 4;
    }
    pen_line(p, &t->line, x, base);
    return 0;
}

static void put_line(struct pdf *p, const struct typeset *set, size_t k, const struct prose *s)
{
    const struct box_style *box = &boxes[s->frame];
    bool first = k == 0, last = k + 1 == set->n;
    double above = first && s->frame_top ? box->above : 0;
    double below = last && s->frame_bottom ? box->below : 0;
    struct text_item *t = arena_one(p->arena, struct text_item);
    *t = (struct text_item) { .line = set->at[k],
                              .type = s->type,
                              .indent = s->indent + box->left,
                              .pad_above = above,
                              .label = first ? s->label : NULL,
                              .slot = first ? s->slot : 0,
                              .frame = s->frame };
    struct item *i = flow_add(p, first ? s->before : 0, above + s->type.leading + below, draw_text,
                              t);
    /* at least two lines of a paragraph stay together at either end of a page */
    i->keep = last ? s->keep : first || k + 2 == set->n || (s->keep && set->n <= 4);
}

static void put_set(struct pdf *p, const struct typeset *set, const struct prose *s)
{
    for (size_t k = 0; k < set->n; k++)
        put_line(p, set, k, s);
}

static double text_width(const struct pdf *p, const struct prose *s)
{
    const struct box_style *box = &boxes[s->frame];
    double width = p->flow->width - s->indent - box->left - box->right -
                   (s->slot ? marker_width + 4 : 0);
    return s->measure > 0 ? fmin(width, s->measure) : width;
}

void pdf_rich(struct pdf *p, const struct rich *r, const struct prose *style)
{
    struct typeset set = typeset_rich(p->arena, r, &style->type, text_width(p, style));
    put_set(p, &set, style);
}

void pdf_words(struct pdf *p, const char *text, const struct prose *style)
{
    struct typeset set = typeset_text(p->arena, text, &style->type, text_width(p, style));
    put_set(p, &set, style);
}

/* --- headings ------------------------------------------------------------------------------------------------------ */

struct section_item {
    const char *number;
    struct typeset title;
    double indent;
};

static int draw_section(struct pdf *p, const struct item *i, struct error *e)
{
    const struct section_item *s = i->what;
    (void)e;
    pen_rule(p, &(struct area) { i->x, i->y, i->width, section_rule },
             (struct paint) { INK_INK, 0 });
    double y = i->y + section_rule + section_gap;
    if (s->number)
        pen_text(p, i->x, type_baseline(&type_section, y), s->number, &type_section);
    for (size_t k = 0; k < s->title.n; k++)
        pen_line(p, &s->title.at[k], i->x + s->indent,
                 type_baseline(&type_section, y + (double)k * type_section.leading));
    return 0;
}

struct item *pdf_section_head(struct pdf *p, unsigned number, const char *title)
{
    struct section_item *s = arena_one(p->arena, struct section_item);
    if (number) {
        s->number = arena_printf(p->arena, "%u", number);
        s->indent = font_width(type_section.weight, type_section.size, s->number) + 10;
    }
    s->title = typeset_text(p->arena, title, &type_section, p->flow->width - s->indent);
    struct item *i = flow_add(p, 18,
                              section_rule + section_gap + section_tail +
                                  (double)s->title.n * type_section.leading,
                              draw_section, s);
    i->keep = i->heading = true;
    return i;
}

void pdf_heading(struct pdf *p, const char *title, bool keep)
{
    if (title)
        pdf_words(p, title, &(struct prose) { .type = type_heading, .before = 12, .keep = keep });
}

/* --- blocks -------------------------------------------------------------------------------------------------------- */

static void put_warnings(struct pdf *p, const struct block *b)
{
    if (b->title)
        pdf_words(
            p, b->title,
            &(struct prose) { .type = type_heading, .before = 12, .keep = b->n_warnings > 0 });
    for (size_t i = 0; i < b->n_warnings; i++) {
        const struct warning *w = &b->warnings[i];
        struct prose what = { .type = type_medium(type_ink(type_fact, INK_WARN)),
                              .before = i || b->title ? 6 : 12,
                              .frame = FRAME_WARNING,
                              .frame_top = true,
                              .frame_bottom = w->text.n == 0,
                              .keep = w->text.n > 0 };
        struct prose text = { .type = type_fact, .frame = FRAME_WARNING, .frame_bottom = true };
        pdf_words(p, w->what, &what);
        pdf_rich(p, &w->text, &text);
    }
}

static void put_facts(struct pdf *p, const struct block *b)
{
    double widest = 0;
    for (size_t i = 0; i < b->n_facts; i++)
        if (b->facts[i].key)
            widest = fmax(widest, font_width(FONT_REGULAR, type_fact.size, b->facts[i].key));
    double indent = fmax(70, fmin(widest + 8, p->flow->width * 0.4));
    for (size_t i = 0; i < b->n_facts; i++) {
        const struct doc_fact *f = &b->facts[i];
        pdf_rich(p, &f->value,
                 &(struct prose) { .type = type_fact,
                                   .before = i == 0   ? 8
                                             : f->key ? 2
                                                      : 0.5,
                                   .indent = indent,
                                   .label = f->key ? text_elide(p->arena, FONT_REGULAR,
                                                                type_fact.size, f->key, indent - 4)
                                                   : NULL,
                                   .slot = f->slot });
    }
}

static void put_code(struct pdf *p, const struct block *b)
{
    pdf_heading(p, b->title, true);
    struct prose style = { .type = type_code,
                           .before = b->title ? 3 : 8,
                           .frame = FRAME_CODE,
                           .frame_top = true,
                           .frame_bottom = true };
    struct typeset set = typeset_code(p->arena, b->code, &style.type, text_width(p, &style));
    put_set(p, &set, &style);
}

static void put_list(struct pdf *p, const struct block *b)
{
    for (size_t i = 0; i < b->n_items; i++)
        pdf_rich(p, &b->items[i],
                 &(struct prose) { .type = type_body,
                                   .before = i ? 2 : 6,
                                   .measure = 352,
                                   .indent = 12,
                                   .label = "•" });
}

static bool has_figures(const struct block *b)
{
    for (const struct block *c = b->first; c; c = c->next)
        if (c->kind == BLOCK_FIGURE)
            return true;
    return false;
}

static void put_section(struct pdf *p, const struct block *b)
{
    if (!b->number) {
        if (b->title)
            flow_entry(p, 2, 0, b->title);
        pdf_heading(p, b->title, true);
        pdf_blocks(p, b->first, NULL);
        return;
    }
    flow_entry(p, 1, b->number, b->title ? b->title : "");
    pdf_section_head(p, b->number, b->title)->new_page = has_figures(b);
    pdf_blocks(p, b->first, NULL);
}

/* What was tested: two columns, of which either may go on to the next page. */
static void put_tested(struct pdf *p, const struct block *b)
{
    static const double left = 200, gap = 24;
    struct flow *f = p->flow;
    const double x = f->x, width = f->width;
    if (b->title) {
        flow_entry(p, 1, b->number, b->title);
        pdf_section_head(p, b->number, b->title);
    }
    const struct block *split = b->first;
    while (split && split->kind != BLOCK_SPLIT)
        split = split->next;
    if (!split) {
        pdf_blocks(p, b->first, NULL);
        return;
    }
    flow_mark(p, ITEM_COLUMNS, 8);
    f->width = left;
    pdf_blocks(p, b->first, split);
    flow_mark(p, ITEM_NEXT_COLUMN, 0);
    f->x = x + left + gap;
    f->width = width - left - gap;
    pdf_blocks(p, split->next, NULL);
    flow_mark(p, ITEM_END_COLUMNS, 0);
    f->x = x;
    f->width = width;
}

static void put_details(struct pdf *p, const struct block *b)
{
    pdf_heading(p, b->title, b->first != NULL);
    pdf_blocks(p, b->first, NULL);
}

static void put_block(struct pdf *p, const struct block *b)
{
    flow_anchor(p, b->id);
    switch (b->kind) {
    case BLOCK_SECTION:
        put_section(p, b);
        break;
    case BLOCK_TESTED:
        put_tested(p, b);
        break;
    case BLOCK_DETAILS:
        put_details(p, b);
        break;
    case BLOCK_FIGURE:
        if (b->figure->title)
            flow_entry(p, 2, 0, b->figure->title);
        pdf_figure(p, b->figure);
        break;
    case BLOCK_PARAGRAPH:
        pdf_rich(p, &b->text, &(struct prose) { .type = type_body, .before = 5, .measure = 364 });
        break;
    case BLOCK_LEAD:
        pdf_rich(p, &b->text, &(struct prose) { .type = type_lead, .before = 6 });
        break;
    case BLOCK_NOTE:
        pdf_rich(p, &b->text, &(struct prose) { .type = type_caption, .before = 6 });
        break;
    case BLOCK_HEADING:
        pdf_heading(p, b->title, b->next != NULL);
        break;
    case BLOCK_TABLE:
        pdf_table(p, b->table, 12);
        break;
    case BLOCK_WARNINGS:
        put_warnings(p, b);
        break;
    case BLOCK_FACTS:
        put_facts(p, b);
        break;
    case BLOCK_CODE:
        put_code(p, b);
        break;
    case BLOCK_LIST:
        put_list(p, b);
        break;
    case BLOCK_SPLIT:
        break;
    }
}

/* --- neighbours ---------------------------------------------------------------------------------------------------- */

static bool is_facts(const struct block *b)
{
    return b && b->kind == BLOCK_TABLE && b->table->role == TABLE_FACTS;
}

/* Two tables of facts stand side by side. */
static void put_pair(struct pdf *p, const struct block *b)
{
    static const double gap = 24;
    struct flow *f = p->flow;
    const double x = f->x, width = f->width;
    flow_mark(p, ITEM_COLUMNS, 16);
    f->width = (width - gap) / 2;
    flow_anchor(p, b->id);
    pdf_table(p, b->table, 0);
    flow_mark(p, ITEM_NEXT_COLUMN, 0);
    f->x = x + f->width + gap;
    flow_anchor(p, b->next->id);
    pdf_table(p, b->next->table, 0);
    flow_mark(p, ITEM_END_COLUMNS, 0);
    f->x = x;
    f->width = width;
}

void pdf_blocks(struct pdf *p, const struct block *first, const struct block *end)
{
    for (const struct block *b = first; b && b != end; b = b->next) {
        const struct block *next = b->next;
        if (next && is_facts(b) && is_facts(next)) {
            put_pair(p, b);
            b = next;
        } else if (next && pdf_is_bars(b) && pdf_is_bars(next)) {
            b = pdf_figures(p, b);
        } else {
            put_block(p, b);
        }
    }
}
