#include "cli/make_report.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/parse.h"
#include "cli/verb.h"

static int parse_formats(struct command *c, unsigned *ret, struct error *e)
{
    static const struct {
        const char *name;
        unsigned bit;
    } names[] = {
        { "html", FORMAT_HTML }, { "pdf", FORMAT_PDF }, { "png", FORMAT_PNG },
        { "svg", FORMAT_SVG },   { "csv", FORMAT_CSV }, { "json", FORMAT_JSON },
    };
    size_t n = 0;
    const char *const *list = opt_list(c, OPT_FORMAT, &n);
    *ret = n ? 0 : FORMAT_HTML | FORMAT_PDF | FORMAT_PNG | FORMAT_SVG | FORMAT_CSV | FORMAT_JSON;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < countof(names) && strcmp(names[k].name, list[i]) != 0)
            k++;
        if (k == countof(names))
            return error_set(e, QD_E_USAGE, "--format: unknown format '%s' (%s)", list[i],
                             "html, pdf, png, svg, csv, json");
        *ret |= names[k].bit;
    }
    return 0;
}

static int parse_theme(struct command *c, const char **ret, struct error *e)
{
    const char *theme = opt_text(c, OPT_THEME);
    *ret = theme ? theme : "auto";
    if (theme && strcmp(theme, "auto") != 0 && strcmp(theme, "light") != 0 &&
        strcmp(theme, "dark") != 0)
        return error_set(e, QD_E_USAGE, "--theme takes auto, light or dark, not '%s'", theme);
    return 0;
}

static int parse_depths(struct command *c, struct report_options *o, struct error *e)
{
    size_t n = 0;
    const char *const *list = opt_list(c, OPT_QUEUE_DEPTH, &n);
    uint32_t *depths = arena_array(c->arena, uint32_t, n + 1);
    for (size_t i = 0; i < n; i++) {
        uint64_t depth = 0;
        if (parse_u64(list[i], &depth, e))
            return error_wrap(e, "--queue-depth");
        depths[i] = depth > UINT32_MAX ? UINT32_MAX : (uint32_t)depth;
    }
    o->queue_depths = depths;
    o->n_queue_depths = n;
    return 0;
}

static int parse_window(struct command *c, struct report_options *o, struct error *e)
{
    static const struct {
        enum opt opt;
        const char *name;
    } times[] = { { OPT_LAST, "last" }, { OPT_SINCE, "since" }, { OPT_UNTIL, "until" } };
    uint64_t *const into[] = { &o->last_ns, &o->since_ns, &o->until_ns };
    for (size_t i = 0; i < countof(times); i++) {
        if (opt_duration(c, times[i].opt, into[i], e))
            return -1;
        if (opt_has(c, times[i].opt) && *into[i] == 0 && times[i].opt != OPT_SINCE)
            return error_set(e, QD_E_USAGE, "--%s: expected a time above 0", times[i].name);
    }
    return 0;
}

int write_report(struct command *c, struct store *s, const char *const *runs, size_t n_runs,
                 const char *default_out, struct error *e)
{
    uint64_t scale = 2;
    struct report_options o = {
        .runs = runs,
        .n_runs = n_runs,
        .template_name = opt_text(c, OPT_TEMPLATE),
        .title = opt_text(c, OPT_TITLE),
        .highlight = opt_text(c, OPT_HIGHLIGHT),
        .show_serials = opt_has(c, OPT_SHOW_SERIALS),
        .out_dir = opt_has(c, OPT_OUT) ? opt_text(c, OPT_OUT) : default_out,
    };
    struct report_files files;
    if (parse_formats(c, &o.formats, e) || parse_theme(c, &o.theme, e) || parse_depths(c, &o, e) ||
        parse_window(c, &o, e) || opt_number(c, OPT_SCALE, 1, 2, &scale, e))
        return -1;
    o.scale = (double)scale;
    o.workloads = opt_list(c, OPT_WORKLOAD, &o.n_workloads);
    /* In `run`, --target names what to test, and all of it is reported. */
    if (c->verb->run == verb_report)
        o.targets = opt_list(c, OPT_TARGET, &o.n_targets);
    if (report_write(s, c->arena, &o, &files, e))
        return -1;
    printf("%s\n", files.index);
    return 0;
}
