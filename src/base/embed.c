#include "base/embed.h"

#include <string.h>

const struct embed_row *embed_find(const char *name)
{
    for (size_t i = 0; i < embed_n_rows; i++)
        if (!strcmp(embed_rows[i].name, name))
            return &embed_rows[i];
    return NULL;
}
