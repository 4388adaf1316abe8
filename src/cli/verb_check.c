#include <stdio.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "cli/verb.h"
#include "matrix/matrix.h"

static void print_list(const char *title, const char *const *at)
{
    for (size_t i = 0; at[i]; i++)
        printf("%-10s %s\n", i ? "" : title, at[i]);
}

int verb_check(struct command *c, struct error *e)
{
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
    printf("writes     %s\n", cost.writes ? "yes: devices and existing files need --destroy"
                                          : "no: any device or file may be read");
    print_list("carried", matrix_kept(m));
    print_list("left out", matrix_left_out(m));
    return 0;
}
