#pragma once
#include <stddef.h>

/* Files compiled into the program (cmake/Embed.cmake): templates, schemas, fonts, SQL. Names are repository paths,
 * e.g. "templates/matrix/quick.xml", "fonts/sans-400.ttf", "src/store/schema.sql". Bytes are followed by a NUL. */
struct embed_row {
    const char *name;
    const unsigned char *at, *end;
};
extern const struct embed_row embed_rows[];
extern const size_t embed_n_rows;

/* The row of that name, or NULL. */
const struct embed_row *embed_find(const char *name);
