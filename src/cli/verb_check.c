#include <stdio.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "cli/verb.h"
#include "matrix/matrix.h"
#include "matrix/sheet.h"

static void print_list(const char *title, const char *const *at)
{
    for (size_t i = 0; at[i]; i++)
        printf("%-10s %s\n", i ? "" : title, at[i]);
}

static int check_sheet(struct command *c, struct error *e)
{
    struct sheet s;
    if (sheet_load(c->arena, c->args[0], &s, e))
        return -1;
    printf("%s: valid\n", c->args[0]);
    printf("sheet      %s, %zu left out\n", fmt_plural(s.n_rows, "device").s, s.n_left_out);
    return 0;
}

/* What the file itself names; nothing where the command line says it all. */
static void print_targets(const struct matrix *m)
{
    uint32_t n = 0, n_types = 0;
    const struct matrix_target *at = matrix_targets(m, &n);
    const char *const *types = matrix_filesystems(m, &n_types);
    for (uint32_t i = 0; i < n; i++)
        printf("%-10s %s%s%s\n", i ? "" : "targets", at[i].title,
               at[i].recipe ? ", made for the run" : "",
               at[i].measured ? "" : ", not measured itself");
    for (uint32_t i = 0; i < n_types; i++)
        printf("%-10s %s, made on each device\n", i ? "" : "sweep", types[i]);
}

int verb_check(struct command *c, struct error *e)
{
    if (sheet_is(c->arena, c->args[0]))
        return check_sheet(c, e);
    struct matrix *m = NULL;
    struct plan plan;
    const struct plan_options one_target = { .n_targets = 1 };
    if (matrix_load(c->arena, c->args[0], &m, e) ||
        matrix_expand(c->arena, m, &one_target, &plan, e))
        return -1;
    struct plan_cost cost = plan_cost(&plan);
    printf("%s: valid%s%s\n", c->args[0], matrix_source(m) ? ", converted: " : "",
           matrix_source(m) ? matrix_source(m) : "");
    printf("matrix     %s (%s)\n", matrix_name(m), matrix_title(m));
    printf("points     %s\n", fmt_count(cost.points).s);
    printf("cells      %s for each target\n", fmt_count(cost.cells).s);
    printf("time       %s for each target, plus writing its test data\n",
           fmt_span_ns(cost.seconds_ns).s);
    if (cost.idle_ns)
        printf("idle       %s of it, in pauses before cells\n", fmt_span_ns(cost.idle_ns).s);
    printf("writes     %s\n", cost.writes ? "yes: devices and existing files need --destroy"
                                          : "no: any device or file may be read");
    print_targets(m);
    print_list("carried", matrix_kept(m));
    print_list("left out", matrix_left_out(m));
    return 0;
}
