#pragma once
#include <stddef.h>

/* Rows of tables with a separator, as other programs write them. A row is a line (base/reader.h): quoted fields may hold the
 * separator and doubled quotes, not ends of line. Uses base only. */

/* The separator of a table: the one of comma, semicolon and tab that its heading (the first line of `text`) has most of; 0: none. */
char csv_separator(const char *text);

/* Splits in place: fields without outer blanks and quotes, NUL-terminated, in `line`. At most `max` of them; the number there really
 * are is returned. A last field that is empty is one. */
size_t csv_split(char *line, char separator, char **fields, size_t max);

/* Index of the field that is called so, case and outer blanks aside, or n. */
size_t csv_find(char *const *fields, size_t n, const char *name);
