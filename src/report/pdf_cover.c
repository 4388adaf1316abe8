#include <math.h>

#include "chart/text.h"
#include "report/pdf_parts.h"

static const double notice_pad = 5, notice_gap = 10, entry_gap = 18, swatch_gap = 5, tag_gap = 5,
                    tag_pad = 3;

static struct type verdict_type(const struct pdf *p)
{
    struct type t = type_verdict;
    t.size -= 0.75 * p->tight;
    t.leading -= 1.25 * p->tight;
    return t;
}

/* --- kicker and notice --------------------------------------------------------------------------------------------- */

struct notice_item {
    const char *kicker;
    struct typeset notice;
    double x; /* of the box: after the kicker, or at the left under it */
    double y;
};

static double kicker_leading(void)
{
    return 12;
}

static int draw_notice(struct pdf *p, const struct item *i, struct error *e)
{
    const struct notice_item *n = i->what;
    struct type kicker = type_caption, notice = type_medium(type_ink(type_caption, INK_WARN));
    kicker.leading = notice.leading = kicker_leading();
    (void)e;
    pen_text(p, i->x, type_baseline(&kicker, i->y), n->kicker, &kicker);
    double width = 0;
    for (size_t k = 0; k < n->notice.n; k++)
        width = fmax(width, n->notice.at[k].width);
    if (!n->notice.n)
        return 0;
    const struct area box = { i->x + n->x, i->y + n->y, width + 2 * notice_pad,
                              (double)n->notice.n * notice.leading + 1.5 };
    pen_fill(p, &box, (struct paint) { INK_WARNBG, 0 });
    pen_frame(p, &box, 0.75, (struct paint) { INK_WARNB, 0 });
    for (size_t k = 0; k < n->notice.n; k++)
        pen_line(p, &n->notice.at[k], box.x + notice_pad,
                 type_baseline(&notice, box.y + 0.75 + (double)k * notice.leading));
    return 0;
}

static void put_notice(struct pdf *p)
{
    const struct document *d = p->d;
    struct type t = type_medium(type_ink(type_caption, INK_WARN));
    struct notice_item *n = arena_one(p->arena, struct notice_item);
    double width = p->flow->width, height = kicker_leading();
    n->kicker = d->kicker ? d->kicker : "";
    if (d->notice) {
        double kicker = font_width(FONT_REGULAR, t.size, n->kicker);
        double notice = font_width(t.weight, t.size, d->notice) + 2 * notice_pad;
        n->x = kicker > 0 ? kicker + notice_gap : 0;
        if (n->x + notice > width) {
            n->x = 0;
            n->y = kicker > 0 ? kicker_leading() + 4 : 0;
        }
        n->notice = typeset_text(p->arena, d->notice, &t, width - n->x - 2 * notice_pad);
        height = n->y + (double)n->notice.n * kicker_leading() + 1.5;
    }
    flow_add(p, 0, height, draw_notice, n)->keep = true;
}

/* --- key ----------------------------------------------------------------------------------------------------------- */

struct key_row {
    size_t first, n;
    bool top, bottom; /* of the key: has a rule there */
};

static double note_width(const struct key_entry *k)
{
    return k->note ? tag_gap + font_width(FONT_REGULAR, type_caption.size, k->note) + 2 * tag_pad
                   : 0;
}

static double name_room(const struct pdf *p, const struct key_entry *k)
{
    return p->sheet.text_width - swatch_width - swatch_gap - note_width(k);
}

static const char *key_name(const struct pdf *p, const struct key_entry *k)
{
    return text_elide(p->arena, FONT_REGULAR, type_key.size, k->series.name, name_room(p, k));
}

static double entry_width(const struct pdf *p, const struct key_entry *k)
{
    return swatch_width + swatch_gap + font_width(FONT_REGULAR, type_key.size, key_name(p, k)) +
           note_width(k);
}

static void draw_tag(struct pdf *p, double x, double base, const char *text)
{
    struct type t = type_ink(type_caption, INK_INK2);
    const struct area box = { x, base - t.size - 0.5,
                              font_width(t.weight, t.size, text) + 2 * tag_pad, t.size + 3.5 };
    pen_frame(p, &box, 0.5, (struct paint) { INK_AXIS, 0 });
    pen_text(p, x + tag_pad, base, text, &t);
}

static int draw_keys(struct pdf *p, const struct item *i, struct error *e)
{
    static const double pad = 6;
    const struct key_row *row = i->what;
    const struct paint rule = { INK_RULE, 0 };
    double x = i->x, base = type_baseline(&type_key, i->y + (row->top ? pad : 0));
    if (row->top)
        pen_rule(p, &(struct area) { i->x, i->y, i->width, 0.5 }, rule);
    for (size_t k = row->first; k < row->first + row->n; k++) {
        const struct key_entry *key = &p->d->keys[k];
        const char *name = key_name(p, key);
        if (pen_swatch(p, x, base - 0.36 * type_key.size, key->series.slot, e))
            return -1;
        double after = x + swatch_width + swatch_gap;
        after += pen_text(p, after, base, name, &type_key);
        if (key->note)
            draw_tag(p, after + tag_gap, base, key->note);
        x += entry_width(p, key) + entry_gap;
    }
    if (row->bottom)
        pen_rule(p, &(struct area) { i->x, i->y + i->height - 0.5, i->width, 0.5 }, rule);
    return 0;
}

static void put_keys(struct pdf *p)
{
    static const double pad = 6;
    const struct document *d = p->d;
    for (size_t first = 0, n; first < d->n_keys; first += n) {
        double x = entry_width(p, &d->keys[first]);
        for (n = 1; first + n < d->n_keys; n++) {
            x += entry_gap + entry_width(p, &d->keys[first + n]);
            if (x > p->flow->width)
                break;
        }
        struct key_row *row = arena_one(p->arena, struct key_row);
        *row = (struct key_row) { first, n, first == 0, first + n == d->n_keys };
        struct item *i = flow_add(p, row->top ? 12 - 2 * p->tight : 0,
                                  type_key.leading + (row->top ? pad : 0) + (row->bottom ? pad : 0),
                                  draw_keys, row);
        i->keep = !row->bottom;
    }
}

/* --- the cover ----------------------------------------------------------------------------------------------------- */

void pdf_cover(struct pdf *p)
{
    const struct document *d = p->d;
    double closer = 2 * p->tight;
    put_notice(p);
    pdf_words(p, d->title,
              &(struct prose) { .type = type_title, .before = 10 - closer, .keep = true });
    pdf_words(p, d->meta,
              &(struct prose) { .type = type_ink(type_key, INK_INK3), .before = 6 - p->tight });
    pdf_rich(p, &d->verdict, &(struct prose) { .type = verdict_type(p), .before = 11 - closer });
    put_keys(p);
    if (d->scorecard)
        pdf_table(p, d->scorecard, 11 - closer);
    if (d->headline)
        pdf_figure(p, d->headline);
}
