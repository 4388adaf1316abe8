#pragma once
#include <stdbool.h>
#include <stddef.h>

/* Numbers as programs of other locales and people write them: 1234.5  1234,5  1,234.5  1.234,5  1 234,5  1'234.5  1.2e-3, with
 * an ASCII or typographic minus. What our own options and files take is parse.h's. */
enum decimal_mark { DECIMAL_GUESS, DECIMAL_POINT, DECIMAL_COMMA };

/* Reads the number at *at and moves *at behind it. The other mark, blanks (also no-break ones) and apostrophes part thousands, but
 * only where groups of three digits follow. DECIMAL_GUESS looks at this number alone: of two different marks the last is the
 * decimal one; a lone point is; a lone comma is unless it parts thousands ("1,234" is 1234). False, nothing moved: there is no
 * finite number (nan, inf, N/A, "-"). */
bool number_read(const char **at, enum decimal_mark mark, double *ret);
/* The same for a text that is a number and nothing else but blanks around it. */
bool number_of(const char *text, enum decimal_mark mark, double *ret);

/* What a text's decimal mark is, by its numbers that leave no doubt ("0,5", "12,34", "1.234,5" against "0.5", "1,234.5"):
 * the mark that more of them have, DECIMAL_GUESS if none does. Not for tables whose separator is the comma. */
enum decimal_mark number_mark(const char *text);
