#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/verb.h"
#include "export/export.h"
#include "matrix/matrix.h"
#include "report/report.h"
#include "store/query.h"

/* How a format is made of a stored run. */
enum made { OF_RUN, OF_REPORT, OF_PLAN };
static const struct format {
    const char *name;
    enum made made;
    int (*of_run)(struct store *s, const struct run_row *run, struct export_text *x,
                  struct error *e);
    int (*of_report)(struct store *s, struct arena *a, const char *run, char **ret,
                     struct error *e);
} formats[] = {
    { "json", OF_REPORT, NULL, report_json },
    { "csv", OF_REPORT, NULL, report_csv },
    { "iometer-csv", OF_RUN, export_iometer_csv, NULL },
    { "fio-job", OF_PLAN, NULL, NULL },
    { "md", OF_RUN, export_markdown, NULL },
};

static const struct format *find_format(struct command *c, struct error *e)
{
    const char *name = opt_text(c, OPT_FORMAT), *list = "";
    if (!name)
        name = "json";
    for (size_t i = 0; i < countof(formats); i++) {
        if (!strcmp(formats[i].name, name))
            return &formats[i];
        list = arena_printf(c->arena, "%s%s%s", list, i ? ", " : "", formats[i].name);
    }
    error_set(e, QD_E_USAGE, "--format takes one of %s, not '%s'", list, name);
    return NULL;
}

/* A matrix by name or file, as `run` takes it; or that of a stored run. */
static int export_plan(struct command *c, struct store *s, struct export_text *x, struct error *e)
{
    struct matrix *m = NULL;
    struct plan plan;
    struct run_row run;
    struct error no_run = { 0 };
    const struct plan_options one_target = { .n_targets = 1 };
    if (s && !store_find_run(s, c->arena, c->args[0], &run, &no_run)) {
        if (!run.matrix_xml)
            return error_set(e, QD_E_FAIL, "run %s has no matrix: it was imported", run.name);
        if (matrix_parse(c->arena, run.name, run.matrix_xml, strlen(run.matrix_xml), &m, e))
            return -1;
    } else if (matrix_load(c->arena, c->args[0], &m, e)) {
        return -1;
    }
    return matrix_expand(c->arena, m, &one_target, &plan, e) || export_fio_job(&plan, x, e) ? -1
                                                                                            : 0;
}

static int make(struct command *c, const struct format *f, struct store *s, struct export_text *x,
                struct error *e)
{
    struct run_row run;
    char *text = NULL;
    if (f->made == OF_PLAN)
        return export_plan(c, s, x, e);
    if (store_find_run(s, c->arena, c->args[0], &run, e))
        return -1;
    if (f->made == OF_RUN)
        return f->of_run(s, &run, x, e);
    if (f->of_report(s, c->arena, run.name, &text, e))
        return -1;
    str_put(&x->text, text);
    return 0;
}

static int put_out(struct command *c, const struct export_text *x, struct error *e)
{
    const char *path = opt_text(c, OPT_OUT);
    for (size_t i = 0; i < x->left_out.n; i++)
        fprintf(stderr, "left out: %s\n", x->left_out.at[i]);
    if (!path) {
        fwrite(x->text.at, 1, x->text.n, stdout);
        return 0;
    }
    if (file_write(path, x->text.at, x->text.n, e))
        return -1;
    printf("%s\n", path);
    return 0;
}

int verb_export(struct command *c, struct error *e)
{
    const char *path = command_store(c);
    const struct format *f = find_format(c, e);
    struct store *s = NULL;
    if (!f)
        return -1;
    /* a matrix needs no store */
    if ((f->made != OF_PLAN || file_exists(path)) && store_open_whole(path, &s, e))
        return -1;
    struct export_text x = export_new(c->arena);
    int rc = make(c, f, s, &x, e);
    if (!rc)
        rc = put_out(c, &x, e);
    export_done(&x);
    store_close(s);
    return rc;
}
