#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "chart/canvas.h"
#include "report/build.h"
#include "report/compose.h"
#include "report/detail.h"
#include "report/export.h"
#include "report/files.h"
#include "report/html.h"
#include "report/pdf.h"

enum { PANEL_COLUMNS = 3 };
static const char pdf_name[] = "report.pdf";
static const size_t page_limit = 512 << 20;

struct writing {
    struct store *store;
    struct arena *a;
    const struct report_options *o;
    struct report_data data;
    struct document doc;
    struct report_output out;
};

static bool wants(const struct writing *w, enum report_format f)
{
    return (w->o->formats & f) != 0;
}

/* --- document ------------------------------------------------------------------------------------------------------ */

/* Response times in the unit that an author asks for. */
static void choose_unit(struct report_data *d, const char *asked)
{
    if (!asked)
        return;
    bool ms = !strcmp(asked, "ms");
    d->lat_unit = ms ? 1e6 : 1e3;
    d->lat_unit_name = ms ? "ms" : "µs";
}

static int make_document(struct writing *w, struct error *e)
{
    const char *asked = w->o->template_name, *own = w->data.runs[0]->report, *warning = NULL;
    const char *name = asked ? asked : own && *own ? own : "comparison";
    if (!asked && !template_is_shipped(name)) {
        warning = arena_printf(w->a,
                               "The matrix asks for the report template '%s', which is not "
                               "shipped: this report is drawn with 'comparison'.",
                               name);
        name = "comparison";
    }
    struct template template;
    if (template_load(w->a, name, &template, e) ||
        detail_load(w->store, w->a, detail_wanted(&template), &w->data, e))
        return -1;
    choose_unit(&w->data, template_attribute(template.root, "time-unit"));
    const struct build_input in = {
        .data = &w->data, .template = &template, .title = w->o->title, .warning = warning
    };
    return build_document(w->a, &in, &w->doc, e);
}

/* --- charts -------------------------------------------------------------------------------------------------------- */

static const struct theme *file_theme(const struct writing *w)
{
    const struct theme *t = w->o->theme ? theme_find(w->o->theme) : NULL;
    return t ? t : theme_find("light");
}

static int add_svg(struct writing *w, const struct figure *f, const struct scene *const *scenes,
                   struct error *e)
{
    struct arena *scratch = arena_new();
    const struct svg_options o = { .standalone = true,
                                   .theme = file_theme(w),
                                   .data_hash = w->doc.data_hash,
                                   .version = w->doc.version };
    struct str svg = str_new(page_limit);
    int rc = canvas_svg(compose_scenes(scratch, scenes, f->n_panels, PANEL_COLUMNS), &o, &svg, e);
    if (rc == 0)
        rc = output_add(&w->out, arena_printf(w->a, "charts/%s.svg", f->slug), svg.at, svg.n, e);
    str_done(&svg);
    arena_free(scratch);
    return rc;
}

static int add_png(struct writing *w, const struct figure *f, const struct scene *const *scenes,
                   struct error *e)
{
    const char *alt = rich_plain(&f->caption, w->a);
    const struct png_text text[] = {
        { "Title", f->title },
        { "Description", alt },
        { "Software", arena_printf(w->a, "qdepth %s", w->doc.version) },
        { "Source", arena_printf(w->a, "run %s, data %s", w->doc.run_names, w->doc.data_hash) },
    };
    const struct png_options o = { .theme = file_theme(w),
                                   .scale = w->o->scale > 0 ? w->o->scale : 1,
                                   .text = text,
                                   .n_text = sizeof text / sizeof *text };
    void *bytes = NULL;
    size_t n = 0;
    if (canvas_png(scenes, f->n_panels, PANEL_COLUMNS, &o, &bytes, &n, e))
        return -1;
    int rc = output_add(&w->out, arena_printf(w->a, "charts/%s.png", f->slug), bytes, n, e);
    free(bytes);
    return rc;
}

static int add_chart(void *ctx, const struct figure *f, struct error *e)
{
    struct writing *w = ctx;
    struct arena *scratch = arena_new();
    struct look look = { .medium = MEDIUM_SCREEN,
                         .width = look_panel_width(MEDIUM_SCREEN, f->bars) };
    look.header_height = panels_header_height(f->panels, f->n_panels, &look);
    const struct scene **scenes = arena_array(scratch, const struct scene *, f->n_panels);
    for (size_t i = 0; i < f->n_panels; i++)
        scenes[i] = panel_draw(f->panels[i], scratch, &look);
    int rc = wants(w, FORMAT_SVG) ? add_svg(w, f, scenes, e) : 0;
    if (rc == 0 && wants(w, FORMAT_PNG))
        rc = add_png(w, f, scenes, e);
    arena_free(scratch);
    return rc;
}

static int add_charts(struct writing *w, struct error *e)
{
    if (!wants(w, FORMAT_SVG) && !wants(w, FORMAT_PNG))
        return 0;
    return doc_figures(&w->doc, add_chart, w, e);
}

/* --- data and page ------------------------------------------------------------------------------------------------- */

static int add_text(struct writing *w, const char *name, struct str *s, struct error *e)
{
    int rc = str_failed(s) ? error_set(e, QD_E_FAIL, "cannot write '%s': it is too large", name)
                           : output_add(&w->out, name, s->at ? s->at : "", s->n, e);
    str_done(s);
    return rc;
}

static int add_csv(struct writing *w, struct error *e)
{
    struct str results = str_new(page_limit);
    struct report_piece intervals;
    export_results_csv(&w->data, &results);
    if (add_text(w, "data/results.csv", &results, e) ||
        output_open(&w->out, "data/intervals.csv", &intervals, e))
        return -1;
    if (export_intervals_csv(w->store, &w->data, &w->out, &intervals, e)) {
        output_drop(&intervals);
        return -1;
    }
    return output_close(&w->out, &intervals, e);
}

static int add_data(struct writing *w, struct error *e)
{
    if (wants(w, FORMAT_CSV) && add_csv(w, e))
        return -1;
    if (wants(w, FORMAT_JSON)) {
        struct str json = str_new(page_limit);
        export_json(&w->data, &json);
        return add_text(w, "data/results.json", &json, e);
    }
    return 0;
}

static int add_page(struct writing *w, struct error *e)
{
    bool charts = wants(w, FORMAT_SVG) && wants(w, FORMAT_PNG);
    bool data = wants(w, FORMAT_CSV) && wants(w, FORMAT_JSON);
    const struct html_options o = { .theme = w->o->theme ? w->o->theme : "auto",
                                    .charts_dir = charts ? "charts" : NULL,
                                    .data_dir = data ? "data" : NULL,
                                    .pdf = wants(w, FORMAT_PDF) ? pdf_name : NULL };
    if (!wants(w, FORMAT_HTML))
        return 0;
    struct str page = str_new(page_limit);
    if (html_write(&w->doc, &o, &page, e)) {
        str_done(&page);
        return -1;
    }
    return add_text(w, "index.html", &page, e);
}

static int add_pdf(struct writing *w, struct error *e)
{
    const struct pdf_options o = { .paper = "a4", .created_ns = w->data.runs[0]->started_ns };
    void *bytes = NULL;
    size_t n = 0;
    if (!wants(w, FORMAT_PDF))
        return 0;
    if (pdf_write(&w->doc, &o, &bytes, &n, e))
        return -1;
    int rc = output_add(&w->out, pdf_name, bytes, n, e);
    free(bytes);
    return rc;
}

static int write_all(struct writing *w, struct error *e)
{
    if (add_data(w, e) || add_charts(w, e) || add_pdf(w, e) || add_page(w, e) ||
        output_commit(&w->out, e))
        return -1;
    return 0;
}

static int check_formats(const struct report_options *o, struct error *e)
{
    const unsigned known = FORMAT_HTML | FORMAT_PDF | FORMAT_PNG | FORMAT_SVG | FORMAT_CSV |
                           FORMAT_JSON;
    if (o->formats & ~known)
        return error_set(e, QD_E_USAGE,
                         "this version writes html, pdf, png, svg, csv and json only");
    if (!o->formats)
        return error_set(e, QD_E_USAGE, "no format asked for");
    return 0;
}

int report_write(struct store *s, struct arena *a, const struct report_options *o,
                 struct report_files *ret, struct error *e)
{
    struct writing w = { .store = s, .a = a, .o = o };
    if (check_formats(o, e) || report_data_load(s, a, o, &w.data, e) || make_document(&w, e))
        return -1;
    if (output_begin(a, o->out_dir, &w.out, e))
        return error_wrap(e, "cannot write the report to '%s'", o->out_dir);
    if (write_all(&w, e)) {
        output_abandon(&w.out);
        return error_wrap(e, "cannot write the report to '%s'", o->out_dir);
    }
    const char *first = wants(&w, FORMAT_HTML) ? "index.html" : w.out.names[0];
    *ret = (struct report_files) { .index = arena_printf(a, "%s/%s", o->out_dir, first),
                                   .n_files = w.out.n };
    return 0;
}

/* Takes the text, unless it did not fit. */
static int take_text(struct str *text, struct arena *a, const char *run, char **ret,
                     struct error *e)
{
    int rc = str_failed(text) ? error_set(e, QD_E_FAIL, "run '%s' is too large for this", run) : 0;
    *ret = rc ? NULL : arena_strdup(a, text->at);
    str_done(text);
    return rc;
}

int report_json(struct store *s, struct arena *a, const char *run, char **ret, struct error *e)
{
    struct report_data d;
    const struct report_options o = { .runs = &run, .n_runs = 1 };
    if (report_data_load(s, a, &o, &d, e))
        return -1;
    struct str text = str_new(page_limit);
    export_json(&d, &text);
    return take_text(&text, a, run, ret, e);
}

int report_csv(struct store *s, struct arena *a, const char *run, char **ret, struct error *e)
{
    struct report_data d;
    const struct report_options o = { .runs = &run, .n_runs = 1 };
    if (report_data_load(s, a, &o, &d, e))
        return -1;
    struct str text = str_new(page_limit);
    export_results_csv(&d, &text);
    return take_text(&text, a, run, ret, e);
}
