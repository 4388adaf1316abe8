#include <math.h>

#include "report/pdf_parts.h"

static const double rounding = 0.01, under_heading = 5;

/* --- growing ------------------------------------------------------------------------------------------------------- */

struct item *flow_add(struct pdf *p, double before, double height, item_draw *draw,
                      const void *what)
{
    struct flow *f = p->flow;
    bool close = f->items.n && f->items.at[f->items.n - 1].item->heading;
    struct item *i = arena_one(p->arena, struct item);
    *i = (struct item) { .before = close ? fmin(before, under_heading) : before,
                         .x = f->x,
                         .width = f->width,
                         .height = height,
                         .repeat = f->repeat,
                         .group = f->group,
                         .draw = draw,
                         .what = what };
    array_push(&f->items)->item = i;
    for (size_t k = p->landmarks.n; k > 0 && !p->landmarks.at[k - 1].item; k--)
        p->landmarks.at[k - 1].item = i;
    return i;
}

void flow_mark(struct pdf *p, enum item_kind kind, double before)
{
    const struct flow *f = p->flow;
    bool close = f->items.n && f->items.at[f->items.n - 1].item->heading;
    struct item *i = arena_one(p->arena, struct item);
    i->kind = kind;
    i->before = close ? fmin(before, under_heading) : before;
    i->keep = kind == ITEM_COLUMNS;
    array_push(&p->flow->items)->item = i;
}

void flow_anchor(struct pdf *p, const char *id)
{
    if (id)
        *array_push(&p->landmarks) = (struct landmark) { .id = id };
}

void flow_entry(struct pdf *p, unsigned level, unsigned number, const char *title)
{
    *array_push(
        &p->landmarks) = (struct landmark) { .title = title, .number = number, .level = level };
}

void aside_begin(struct pdf *p, struct aside *a)
{
    *a = (struct aside) { .flow = p->flow, .copies = { .x = p->flow->x, .width = p->flow->width } };
    p->flow = &a->copies;
}

void aside_end(struct pdf *p, struct aside *a, struct repeat *ret)
{
    p->flow = a->flow;
    ret->n = a->copies.items.n;
    if (ret->n)
        ret->at = arena_memdup(p->arena, a->copies.items.at, ret->n * sizeof *ret->at);
    array_free(&a->copies.items);
}

/* --- pages --------------------------------------------------------------------------------------------------------- */

struct cursor {
    size_t page;
    double y;
    bool fresh; /* nothing above in this page or column: no space before the next item */
};
struct breaker {
    struct pdf *pdf;
    const struct flow *in;
    struct flow *out;
    struct cursor at;
    struct cursor columns; /* where they began */
    struct cursor deepest; /* where the longest so far ended */
};

static double top_of(const struct breaker *b, size_t page)
{
    return page ? b->pdf->sheet.top : b->pdf->sheet.cover_top;
}

static bool at_top(const struct breaker *b)
{
    return b->at.y <= top_of(b, b->at.page) + rounding;
}

static double room(const struct breaker *b)
{
    return b->pdf->sheet.bottom - b->at.y;
}

static void turn(struct breaker *b)
{
    size_t page = b->at.page + 1;
    b->at = (struct cursor) { .page = page, .y = top_of(b, page), .fresh = true };
}

static void place(struct breaker *b, struct item *i)
{
    i->page = b->at.page;
    i->y = b->at.y + (b->at.fresh ? 0 : i->before);
    b->at.y = i->y + i->height;
    b->at.fresh = false;
    array_push(&b->out->items)->item = i;
}

static void place_again(struct breaker *b, const struct item *i)
{
    struct item *copy = arena_memdup(b->pdf->arena, i, sizeof *i);
    copy->continued = true;
    place(b, copy);
}

/* A new page, with what stands above a part of a table that was begun before. */
static void turn_for(struct breaker *b, size_t k)
{
    const struct item *i = b->in->items.at[k].item;
    turn(b);
    if (!i->repeat || k == 0 || b->in->items.at[k - 1].item->repeat != i->repeat)
        return;
    for (size_t j = 0; j < i->repeat->n; j++)
        place_again(b, i->repeat->at[j].item);
    if (i->group && i->group != i)
        place_again(b, i->group);
}

/* Height of the items from k on that must not be parted. */
static double chain_height(const struct breaker *b, size_t k)
{
    double height = 0;
    bool fresh = b->at.fresh;
    for (size_t n = b->in->items.n; k < n; k++) {
        const struct item *i = b->in->items.at[k].item;
        if (i->kind == ITEM_COLUMNS) {
            height += fresh ? 0 : i->before;
            fresh = true;
            continue;
        }
        if (i->kind != ITEM_PLAIN)
            break;
        height += (fresh ? 0 : i->before) + i->height;
        fresh = false;
        if (!i->keep)
            break;
    }
    return height;
}

static void place_next(struct breaker *b, size_t k)
{
    struct item *i = b->in->items.at[k].item;
    bool first = k == 0 || !b->in->items.at[k - 1].item->keep;
    double page = b->pdf->sheet.bottom - b->pdf->sheet.top;
    double need = (b->at.fresh ? 0 : i->before) + i->height;
    double chain = first ? chain_height(b, k) : need;
    if (chain <= page)
        need = chain;
    if ((i->new_page && !at_top(b)) || (need > room(b) + rounding && !at_top(b)))
        turn_for(b, k);
    place(b, i);
}

static void start_columns(struct breaker *b, const struct item *i)
{
    b->at.y += b->at.fresh ? 0 : i->before;
    b->columns = b->deepest = b->at;
    b->at.fresh = true;
}

static void end_column(struct breaker *b)
{
    struct cursor *d = &b->deepest;
    if (b->at.page > d->page || (b->at.page == d->page && b->at.y > d->y))
        *d = b->at;
}

size_t flow_break(struct pdf *p, const struct flow *f, struct flow *ret)
{
    struct breaker b = { .pdf = p, .in = f, .out = ret };
    b.at = (struct cursor) { .y = p->sheet.cover_top, .fresh = true };
    size_t pages = 1;
    for (size_t k = 0; k < f->items.n; k++) {
        switch (f->items.at[k].item->kind) {
        case ITEM_PLAIN:
            place_next(&b, k);
            break;
        case ITEM_COLUMNS:
            start_columns(&b, f->items.at[k].item);
            break;
        case ITEM_NEXT_COLUMN:
            end_column(&b);
            b.at = b.columns;
            b.at.fresh = true;
            break;
        case ITEM_END_COLUMNS:
            end_column(&b);
            b.at = b.deepest;
            b.at.fresh = false;
            break;
        }
        pages = b.at.page + 1 > pages ? b.at.page + 1 : pages;
    }
    return pages;
}
