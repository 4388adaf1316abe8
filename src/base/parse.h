#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Text to values, independent of locale, whole string or failure. Every function returns 0, or -1 with a
 * QD_E_USAGE message that names the text and what was expected; the caller wraps it with the option's name. */

/* Digits only. */
int parse_u64(const char *text, uint64_t *ret, struct error *e);
/* Decimal number such as "12", "0.5", "1e3"; finite. */
int parse_double(const char *text, double *ret, struct error *e);
/* Bytes: 4096, 4k, 4K, 4KiB, 1.5MiB, 1GiB, 2T: IEC factors (k = KiB = 1024). "512B". No negative, no overflow. */
int parse_size(const char *text, uint64_t *ret_bytes, struct error *e);
/* Nanoseconds: 500ns, 10us, 500ms, 30s, 10m, 25h, 2d; a bare number is seconds. */
int parse_duration(const char *text, uint64_t *ret_ns, struct error *e);
/* Percent "0".."100" with at most two decimals and an optional % sign, as basis points 0..10000. */
int parse_percent(const char *text, uint32_t *ret_bp, struct error *e);
/* yes/no, true/false, 1/0, on/off. */
int parse_bool(const char *text, bool *ret, struct error *e);

/* Decimal percentile such as "99.9" as an exact fraction num/den (999/1000), no double in between. */
struct fraction {
    uint64_t num, den;
};
int parse_percentile(const char *text, struct fraction *ret, struct error *e);

/* Cuts the next element of a list with commas and/or white space from *cursor into buf (size n).
 * true while there was one; an element longer than the buffer is cut and reported by the parse that follows. */
bool parse_next(const char **cursor, char *buf, size_t n);
