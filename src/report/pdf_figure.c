#include <math.h>
#include <string.h>

#include "report/pdf_parts.h"

enum { BARS_ACROSS = 3, LINES_ACROSS = 2, READABLE_LINES = 60 };
static const double row_gap = 12, caption_gap = 4, head_gap = 4;
static const double px = 0.75; /* pt */

/* Panels in rows; the caption below, or in the free place of the last row. */
struct panel_row {
    size_t first, n;
    double header, height; /* px, px */
};
struct figure_item {
    const struct figure *figure;
    struct panel_row *rows;
    size_t n_rows;
    double scale; /* below 1 only where a panel is higher than a page */
    double step;  /* from panel to panel */
    struct typeset caption;
    bool beside;      /* the caption stands in the free place */
    double caption_x; /* from the left of the figure */
};

static double panel_width(const struct figure *f)
{
    return look_panel_width(MEDIUM_PRINT, f->bars);
}

static struct look look_of(const struct figure *f, double header)
{
    return (
        struct look) { .medium = MEDIUM_PRINT, .width = panel_width(f), .header_height = header };
}

/* --- laying out ---------------------------------------------------------------------------------------------------- */

static void measure_row(const struct figure *f, struct panel_row *row)
{
    struct look look = look_of(f, 0);
    row->header = panels_header_height(f->panels + row->first, row->n, &look);
    look.header_height = row->header;
    for (size_t i = 0; i < row->n; i++) {
        struct arena *a = arena_new();
        row->height = fmax(row->height,
                           scene_height(panel_draw(f->panels[row->first + i], a, &look)));
        arena_free(a);
    }
}

static void make_rows(struct pdf *p, struct figure_item *it)
{
    const struct figure *f = it->figure;
    size_t across = f->bars ? BARS_ACROSS : LINES_ACROSS;
    it->n_rows = (f->n_panels + across - 1) / across;
    it->rows = arena_array(p->arena, struct panel_row, it->n_rows);
    for (size_t i = 0; i < it->n_rows; i++) {
        struct panel_row *row = &it->rows[i];
        row->first = i * across;
        row->n = f->n_panels - row->first < across ? f->n_panels - row->first : across;
        measure_row(f, row);
    }
    double used = (double)across * panel_width(f) * px;
    it->step = panel_width(f) * px + (p->flow->width - used) / (double)(across - 1);
}

static void put_run(struct rich *to, struct arena *a, const struct text_run *run)
{
    if (run->style == RUN_LINK)
        rich_link(to, a, run->text, run->href);
    else
        rich_put(to, a, run->style, run->text);
}

static struct rich caption_of(struct arena *a, const struct figure *f)
{
    struct rich r = { 0 };
    rich_printf(&r, a, RUN_STRONG, "Figure %u.", f->number);
    rich_put(&r, a, RUN_PLAIN, " ");
    for (size_t i = 0; i < f->caption.n; i++)
        put_run(&r, a, &f->caption.at[i]);
    if (f->how_to_read && !f->bars)
        rich_printf(&r, a, RUN_PLAIN, " %s", f->how_to_read);
    return r;
}

static double lines_height(const struct typeset *set)
{
    return (double)set->n * type_caption.leading;
}

static double row_height(const struct figure_item *it, size_t i)
{
    double height = it->rows[i].height * px * it->scale;
    return i + 1 == it->n_rows && it->beside ? fmax(height, lines_height(&it->caption)) : height;
}

static void set_caption(struct pdf *p, struct figure_item *it, const struct rich *caption)
{
    const struct figure *f = it->figure;
    bool free_place = !f->bars && it->n_rows && it->rows[it->n_rows - 1].n < LINES_ACROSS;
    if (free_place) {
        it->caption = typeset_rich(p->arena, caption, &type_caption, panel_width(f) * px);
        it->beside = it->caption.n <= READABLE_LINES &&
                     lines_height(&it->caption) <= 1.3 * it->rows[it->n_rows - 1].height * px;
        it->caption_x = it->step;
    }
    if (!it->beside) {
        it->caption = typeset_rich(p->arena, caption, &type_caption, p->flow->width);
        it->caption_x = 0;
    }
}

static double panels_height(const struct figure_item *it)
{
    double height = 0;
    for (size_t i = 0; i < it->n_rows; i++)
        height += (i ? row_gap : 0) + row_height(it, i);
    return height;
}

/* --- drawing ------------------------------------------------------------------------------------------------------- */

static int draw_panels(struct pdf *p, const struct figure_item *it, size_t row,
                       const struct area *at, struct error *e)
{
    const struct figure *f = it->figure;
    const struct look look = look_of(f, it->rows[row].header);
    int rc = 0;
    for (size_t i = 0; i < it->rows[row].n && !rc; i++) {
        struct arena *a = arena_new();
        const struct scene *s = panel_draw(f->panels[it->rows[row].first + i], a, &look);
        rc = pen_scene(p, s, at->x + (double)i * it->step, at->y, it->scale, e);
        arena_free(a);
    }
    return rc;
}

static void draw_caption(struct pdf *p, const struct figure_item *it, double x, double y)
{
    for (size_t k = 0; k < it->caption.n; k++)
        pen_line(p, &it->caption.at[k], x + it->caption_x,
                 type_baseline(&type_caption, y + (double)k * type_caption.leading));
}

static int draw_figure(struct pdf *p, const struct item *i, struct error *e)
{
    const struct figure_item *it = i->what;
    double y = i->y;
    for (size_t row = 0; row < it->n_rows; row++) {
        double height = row_height(it, row);
        if (draw_panels(p, it, row, &(struct area) { i->x, y, i->width, height }, e))
            return error_wrap(e, "cannot draw figure %u", it->figure->number);
        y += height + (row + 1 < it->n_rows ? row_gap : 0);
    }
    draw_caption(p, it, i->x, it->beside ? y - lines_height(&it->caption) : y + caption_gap);
    return 0;
}

/* --- items --------------------------------------------------------------------------------------------------------- */

static void put_panels(struct pdf *p, const struct figure *f, const struct rich *caption,
                       double before)
{
    struct figure_item *it = arena_one(p->arena, struct figure_item);
    it->figure = f;
    it->scale = 1;
    make_rows(p, it);
    set_caption(p, it, caption);
    double below = !it->beside && it->caption.n ? caption_gap + lines_height(&it->caption) : 0;
    double page = p->sheet.bottom - p->sheet.top - 100, height = panels_height(it);
    if (height + below > page) {
        it->scale = (page - below) / height;
        height = panels_height(it);
    }
    flow_add(p, before, height + below, draw_figure, it);
}

/* *ret: the space above the panels. */
static void put_title(struct pdf *p, const struct figure *f, double *ret)
{
    bool title = f->title && f->heading_level;
    if (title)
        pdf_words(p, f->title,
                  &(struct prose) { .type = type_heading, .before = 12, .keep = true });
    if (f->lead.n)
        pdf_rich(p, &f->lead,
                 &(struct prose) { .type = type_finding, .before = title ? 0 : 12, .keep = true });
    *ret = title || f->lead.n ? head_gap : 14;
}

/* Bars print their values; the other charts leave them to their table. */
void pdf_figure(struct pdf *p, const struct figure *f)
{
    double before = 0;
    flow_anchor(p, f->id);
    put_title(p, f, &before);
    struct rich caption = caption_of(p->arena, f);
    put_panels(p, f, &caption, before);
    if (f->data && !f->bars)
        pdf_table(p, f->data, 14);
}

/* --- figures in a row ---------------------------------------------------------------------------------------------- */

struct run_of_figures {
    const struct block *first, *last;
    size_t common; /* bytes of the captions' first words that all share, whole sentences */
};

static const char *opening(const struct figure *f)
{
    bool plain = f->caption.n && f->caption.at[0].style == RUN_PLAIN;
    return plain ? f->caption.at[0].text : "";
}

bool pdf_is_bars(const struct block *b)
{
    return b && b->kind == BLOCK_FIGURE && b->figure->bars && b->figure->heading_level &&
           b->figure->title;
}

/* The longest start of whole sentences, at most n bytes. */
static size_t sentences(const char *text, size_t n)
{
    for (; n > 0; n--)
        if (text[n - 1] == '.' && (text[n] == ' ' || text[n] == '\0'))
            return n;
    return 0;
}

static struct run_of_figures run_from(const struct block *b)
{
    const char *first = opening(b->figure);
    struct run_of_figures run = { .first = b, .last = b, .common = strlen(first) };
    for (; pdf_is_bars(run.last->next); run.last = run.last->next) {
        const char *text = opening(run.last->next->figure);
        size_t n = 0;
        while (n < run.common && text[n] == first[n])
            n++;
        run.common = n;
    }
    for (const struct block *c = b; c != run.last->next; c = c->next)
        run.common = sentences(opening(c->figure), run.common);
    return run;
}

/* "Queue depth 1" and "Queue depth 128": "Queue depth 1 to 128". */
static const char *run_title(struct arena *a, const struct run_of_figures *run)
{
    const char *first = run->first->figure->title, *last = run->last->figure->title;
    size_t same = 0;
    for (size_t i = 0; first[i] && first[i] == last[i]; i++)
        same = first[i] == ' ' ? i + 1 : same;
    return arena_printf(a, "%s to %s", first, last + same);
}

static void put_common(struct pdf *p, const struct run_of_figures *run, bool continued)
{
    struct rich r = { 0 };
    rich_printf(&r, p->arena, RUN_STRONG, "Figures %u to %u%s.", run->first->figure->number,
                run->last->figure->number, continued ? ", continued" : "");
    rich_printf(&r, p->arena, RUN_PLAIN, " %.*s", (int)run->common, opening(run->first->figure));
    pdf_rich(p, &r, &(struct prose) { .type = type_caption, .before = 12, .keep = true });
}

/* Number and finding, then the panels, then what only this caption says. */
static void put_one(struct pdf *p, const struct figure *f, size_t common)
{
    flow_anchor(p, f->id);
    pdf_heading(p, f->title, true);
    struct rich finding = { 0 }, rest = { 0 };
    rich_printf(&finding, p->arena, RUN_STRONG, "Figure %u.", f->number);
    rich_put(&finding, p->arena, RUN_PLAIN, " ");
    for (size_t i = 0; i < f->lead.n; i++)
        put_run(&finding, p->arena, &f->lead.at[i]);
    pdf_rich(p, &finding, &(struct prose) { .type = type_finding, .keep = true });
    for (size_t i = 0; i < f->caption.n; i++) {
        struct text_run run = f->caption.at[i];
        run.text += i == 0 ? common : 0;
        put_run(&rest, p->arena, &run);
    }
    put_panels(p, f, &rest, head_gap);
}

const struct block *pdf_figures(struct pdf *p, const struct block *b)
{
    const struct run_of_figures run = run_from(b);
    struct repeat *repeat = arena_one(p->arena, struct repeat);
    struct aside aside;
    flow_entry(p, 2, 0, run_title(p->arena, &run));
    if (run.common) {
        p->flow->repeat = repeat;
        put_common(p, &run, false);
        aside_begin(p, &aside);
        put_common(p, &run, true);
        aside_end(p, &aside, repeat);
    }
    for (const struct block *c = b; c != run.last->next; c = c->next) {
        flow_anchor(p, c->id);
        if (run.common)
            put_one(p, c->figure, run.common);
        else
            pdf_figure(p, c->figure);
    }
    p->flow->repeat = NULL;
    return run.last;
}
