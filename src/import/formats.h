#pragma once
#include <stddef.h>

#include "import/collect.h"

/* The one table of formats. */
struct import_format {
    const char *name;
    /* Could this be it? head: the first 64 KiB as text, NUL-terminated; name: of the file. */
    bool (*sniff)(const char *head, const char *name);
    /* Reads c->source. What it cannot read it warns of; -1 only if the file cannot be read at all (or memory bounds). Sets the
     * summary's tool. */
    int (*read)(struct collect *c, struct error *e);
    /* After all files were read, once, if it read one; or NULL. */
    int (*finish)(struct collect *c, struct error *e);
};

const struct import_format *format_at(size_t i); /* NULL past the end */
