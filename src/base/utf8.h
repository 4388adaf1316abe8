#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One code point from s (NUL-terminated); advances *s by 1..4 bytes. Invalid bytes give U+FFFD and advance by 1.
 * At the end returns 0 and does not move. */
uint32_t utf8_next(const char **s);
/* Writes cp into out (at most 4 bytes, no NUL); returns the length. */
size_t utf8_put(uint32_t cp, char out[4]);
bool utf8_valid(const char *s);
size_t utf8_length(const char *s); /* in code points */
