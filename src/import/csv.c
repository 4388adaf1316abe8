#include "import/csv.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

char csv_separator(const char *text)
{
    static const char marks[] = ",;\t";
    size_t best = 0;
    char ret = 0;
    for (const char *m = marks; *m; m++) {
        size_t n = 0;
        for (const char *p = text; *p && *p != '\n'; p++)
            n += *p == *m;
        if (n > best) {
            best = n;
            ret = *m;
        }
    }
    return ret;
}

/* The field at p as text behind `to`, which is never ahead of p; returns where it ended. */
static char *take_field(char *p, char separator, char **ret)
{
    while (*p == ' ' || (*p == '\t' && separator != '\t'))
        p++;
    char *to = p, *from = p;
    *ret = p;
    if (*p == '"') {
        *ret = to = ++p;
        for (; *p && (*p != '"' || p[1] == '"'); p++) {
            p += *p == '"';
            *to++ = *p;
        }
        p += *p == '"';
        from = to; /* blanks inside quotes stay */
    }
    while (*p && *p != separator)
        *to++ = *p++;
    while (to > from && (to[-1] == ' ' || to[-1] == '\t'))
        to--;
    if (to < p)
        *to = '\0';
    return p;
}

size_t csv_split(char *line, char separator, char **fields, size_t max)
{
    size_t n = 0;
    for (char *p = line;; p++) {
        char *field, *end = take_field(p, separator, &field);
        bool last = !*end;
        *end = '\0';
        if (n < max)
            fields[n] = field;
        n++;
        if (last)
            return n;
        p = end;
    }
}

size_t csv_find(char *const *fields, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!strcasecmp(fields[i], name))
            return i;
    return n;
}
