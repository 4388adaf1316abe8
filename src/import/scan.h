#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* Reading figures out of lines that were made for people. Uses base only. */

/* Behind the blanks at p. */
const char *scan_blanks(const char *p);
/* What follows `word` at p (case and blanks before it aside), or NULL: a word ends where no letter or digit follows. */
const char *scan_word(const char *p, const char *word);
/* What follows "LABEL :" at p, blanks around the colon aside, or NULL. */
const char *scan_label(const char *p, const char *label);
/* A number without thousands at *p, whose decimal mark is a point or a comma; moves behind it. */
bool scan_decimal(const char **p, double *ret);
/* A size with its unit, where KB, KiB and K are 1024 and so on, "bytes", "B" and no unit are 1; moves behind it. */
bool scan_size(const char **p, double *ret);
/* ns of a unit of time at *p ("ns", "us", "µs", "usec", "ms", "msec", "s", "sec"), 0: none; moves behind it. */
double scan_time_unit(const char **p);
/* Bytes/s of "MB/s", "KiB/s", "byte/s", "MBps" …: KB and MB are decimal, KiB and MiB binary. 0: none. */
double scan_rate_unit(const char **p);
/* "2021/06/26 15:42:37", "2021-06-26 5:42:37", "2021-06-26T15:42:37-0800": ns since 1970, UTC where there is no zone. */
bool scan_date(const char *p, int64_t *ret_ns);
/* A text without its outer blanks. */
const char *scan_trimmed(struct arena *a, const char *p);
