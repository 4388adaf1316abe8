#include <stdio.h>

#include "base/fmt.h"
#include "cli/leftovers.h"
#include "cli/verb.h"

enum { EXIT_LEFT = 1 };

int verb_clean(struct command *c, struct error *e)
{
    struct clean_outcome out;
    if (leftovers_clean(c, true, &out, e))
        return -1;
    if (out.n_in_use)
        printf("%s of a run that goes on: left alone\n", fmt_plural(out.n_in_use, "thing").s);
    if (out.n_left)
        fprintf(stderr, "%s could not be undone (try again once nothing uses it)\n",
                fmt_plural(out.n_left, "thing").s);
    else if (!out.n_done)
        printf("nothing to clean\n");
    return out.n_left ? EXIT_LEFT : 0;
}
