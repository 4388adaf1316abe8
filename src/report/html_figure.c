#include <math.h>
#include <string.h>

#include "chart/canvas.h"
#include "report/html_page.h"

enum { SVG_LIMIT = 16 << 20 };

static double header_height(const struct figure *f, const struct look *look)
{
    double tallest = panels_header_height(f->panels, f->n_panels, look);
    for (size_t i = 0; f->linear && i < f->n_panels; i++)
        if (f->linear[i])
            tallest = fmax(tallest, panel_header_height(f->linear[i], look));
    return tallest;
}

static int put_panel(struct page *p, const struct panel *panel, const struct look *look,
                     const char *scope, struct error *e)
{
    const struct svg_options inline_svg = { .scope = scope };
    struct arena *a = arena_new();
    struct str svg = str_new(SVG_LIMIT);
    int rc = canvas_svg(panel_draw(panel, a, look), &inline_svg, &svg, e);
    if (!rc)
        tag_markup(&p->t, svg.at);
    str_done(&svg);
    arena_free(a);
    return rc;
}

static int put_panels(struct page *p, const struct figure *f, struct error *e)
{
    struct look look = { .medium = MEDIUM_SCREEN,
                         .width = look_panel_width(MEDIUM_SCREEN, f->bars) };
    look.header_height = header_height(f, &look);
    tag(&p->t, "div", "class", f->bars ? "panels bars" : "panels", NULL);
    for (size_t i = 0; i < f->n_panels; i++) {
        const struct panel *linear = f->linear ? f->linear[i] : NULL;
        tag(&p->t, "div", "class", linear ? "panel log" : "panel", NULL);
        const char *scope = arena_printf(p->arena, "%u-%zu", f->number, i);
        if (put_panel(p, f->panels[i], &look, scope, e))
            return -1;
        tag_end(&p->t, "div");
        if (!linear)
            continue;
        tag(&p->t, "div", "class", "panel lin", NULL);
        if (put_panel(p, linear, &look, arena_printf(p->arena, "%s-linear", scope), e))
            return -1;
        tag_end(&p->t, "div");
    }
    tag_end(&p->t, "div");
    return 0;
}

static void put_title(struct page *p, const struct figure *f)
{
    bool title = f->title && f->heading_level;
    if (!title && !f->lead.n)
        return;
    tag(&p->t, "div", "class", "fhead", NULL);
    if (title)
        tag_line(&p->t, f->heading_level == 4 ? "h4" : "h3", NULL, f->title);
    if (f->lead.n) {
        tag(&p->t, "p", NULL);
        page_rich(p, &f->lead);
        tag_end(&p->t, "p");
    }
    tag_end(&p->t, "div");
}

static void put_caption(struct page *p, const struct figure *f)
{
    tag(&p->t, "figcaption", NULL);
    tag_line(&p->t, "b", NULL, arena_printf(p->arena, "Figure %u.", f->number));
    tag_text(&p->t, " ");
    page_rich(p, &f->caption);
    tag_end(&p->t, "figcaption");
}

static void put_data(struct page *p, const struct figure *f)
{
    const char *name = arena_printf(p->arena, "Data of figure %u", f->number);
    tag(&p->t, "details", NULL);
    tag_line(&p->t, "summary", NULL, name);
    page_table(p, f->data, name);
    tag_end(&p->t, "details");
}

static void put_how_to_read(struct page *p, const struct figure *f)
{
    tag(&p->t, "details", "class", "how", NULL);
    tag_line(&p->t, "summary", NULL, "How to read it");
    tag_line(&p->t, "p", NULL, f->how_to_read);
    tag_end(&p->t, "details");
}

static void put_choice(struct page *p, const char *name, const char *class, const char *text)
{
    bool first = !strcmp(class, "to-log");
    tag(&p->t, "label", NULL);
    tag(&p->t, "input", "type", "radio", "name", name, "class", class, "checked", first ? "" : NULL,
        NULL);
    tag_text(&p->t, text);
    tag_end(&p->t, "label");
}

static void put_switch(struct page *p, const struct figure *f)
{
    const char *name = arena_printf(p->arena, "qd-axis-%u", f->number);
    tag(&p->t, "fieldset", "class", "axis", NULL);
    tag_line(&p->t, "legend", NULL, "Vertical axis");
    put_choice(p, name, "to-log", "logarithmic");
    put_choice(p, name, "to-lin", "linear");
    tag_end(&p->t, "fieldset");
}

static void put_file_link(struct page *p, const struct figure *f, const char *type,
                          const char *extension)
{
    tag(&p->t, "a", "href",
        arena_printf(p->arena, "%s/%s.%s", p->o->charts_dir, f->slug, extension), "download", "",
        "aria-label", arena_printf(p->arena, "Figure %u as %s", f->number, type), NULL);
    tag_text(&p->t, type);
    tag_end(&p->t, "a");
}

static void put_links(struct page *p, const struct figure *f)
{
    tag(&p->t, "span", "class", "links", NULL);
    if (p->o->charts_dir && f->slug) {
        put_file_link(p, f, "SVG", "svg");
        put_file_link(p, f, "PNG", "png");
    }
    if (f->id) {
        tag(&p->t, "a", "href", arena_printf(p->arena, "#%s", f->id), "aria-label",
            arena_printf(p->arena, "Link to figure %u", f->number), NULL);
        tag_text(&p->t, "Link");
        tag_end(&p->t, "a");
    }
    tag_end(&p->t, "span");
}

int page_figure(struct page *p, const struct figure *f, struct error *e)
{
    tag_newline(&p->t);
    tag(&p->t, "div", "class", "fig", "id", f->id, "data-figure",
        arena_printf(p->arena, "%u", f->number), "data-slug", f->slug, NULL);
    put_title(p, f);
    tag(&p->t, "figure", NULL);
    if (put_panels(p, f, e))
        return error_wrap(e, "cannot draw figure %u", f->number);
    put_caption(p, f);
    tag_end(&p->t, "figure");
    tag(&p->t, "div", "class", "tools", NULL);
    if (f->data)
        put_data(p, f);
    if (f->how_to_read)
        put_how_to_read(p, f);
    if (f->linear)
        put_switch(p, f);
    put_links(p, f);
    tag_end(&p->t, "div");
    tag_end(&p->t, "div");
    return 0;
}
