#include <stdio.h>
#include <string.h>

#include "base/fmt.h"
#include "base/parse.h"
#include "cli/verb.h"
#include "report/report.h"

enum { EXIT_THRESHOLD = 5 };

/* "slower:5%" */
static int parse_fail_on(struct command *c, double *ret, struct error *e)
{
    const char *text = opt_text(c, OPT_FAIL_ON);
    uint32_t bp = 0;
    if (!text)
        return 0;
    if (strncmp(text, "slower:", 7) != 0 || parse_percent(text + 7, &bp, e) || bp == 0)
        return error_set(e, QD_E_USAGE,
                         "--fail-on takes slower:PERCENT such as slower:5%%, not '%s'", text);
    *ret = bp / 1e4;
    return 0;
}

int verb_compare(struct command *c, struct error *e)
{
    struct compare_request o = { .base = c->args[0],
                                 .run = c->args[1],
                                 .json = opt_has(c, OPT_JSON) };
    struct compare_result result;
    struct store *s = NULL;
    if (parse_fail_on(c, &o.fail_slower, e) || store_open(command_store(c), STORE_READ, &s, e))
        return -1;
    int rc = report_compare(s, c->arena, &o, &result, e);
    store_close(s);
    if (rc)
        return -1;
    fputs(result.text, stdout);
    if (!result.n_slower)
        return 0;
    fprintf(stderr, "%s %s slower by more than %s (--fail-on)\n",
            fmt_plural(result.n_slower, "value").s, result.n_slower == 1 ? "is" : "are",
            opt_text(c, OPT_FAIL_ON) + strlen("slower:"));
    return EXIT_THRESHOLD;
}
