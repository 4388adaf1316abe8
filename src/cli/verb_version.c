#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/verb.h"
#include "engine/engine.h"

int verb_version(struct command *c, struct error *e)
{
    (void)e;
    if (!opt_has(c, OPT_JSON)) {
        puts("qdepth " QD_VERSION);
        return 0;
    }
    json_t *j = json_pack("{s:i, s:s, s:s}", "schema", 1, "version", QD_VERSION, "engine",
                          ENGINE_VERSION);
    char *text = json_dumps(j, JSON_COMPACT);
    puts(text);
    free(text);
    json_decref(j);
    return 0;
}
