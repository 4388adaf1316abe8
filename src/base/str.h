#pragma once
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Growable text with a ceiling. Append freely, ask once at the end (str_failed): a string that would pass its
 * limit stops growing and stays failed. Always NUL-terminated; `at` is never NULL after the first call.
 *   struct str s = str_new(16 << 20);  str_put(&s, "x");  ...  str_done(&s);                                   */
struct str {
    char *at;
    size_t n, cap, limit;
    bool failed;
};

struct str str_new(size_t limit);
void str_done(struct str *s); /* frees; forgiving, leaves s empty */
void str_clear(struct str *s);
void str_put(struct str *s, const char *text); /* NULL puts nothing */
void str_putn(struct str *s, const char *text, size_t n);
void str_char(struct str *s, char c);
void str_printf(struct str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void str_vprintf(struct str *s, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
bool str_failed(const struct str *s);
char *str_take(struct str *s); /* ownership of `at` moves to the caller (free()) */
