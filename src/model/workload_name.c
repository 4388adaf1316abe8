#include "model/workload_name.h"

#include <ctype.h>
#include <string.h>

#include "base/fmt.h"
#include "base/str.h"

enum { WHOLE_BP = 10000, ID_LIMIT = 120 };

static const char *size_id(struct arena *a, uint32_t bytes)
{
    if (bytes == 0)
        return "unknown";
    if (bytes % (1 << 20) == 0)
        return arena_printf(a, "%um", bytes >> 20);
    if (bytes % 1024 == 0)
        return arena_printf(a, "%uk", bytes >> 10);
    return arena_printf(a, "%ub", bytes);
}

const char *workload_slug(struct arena *a, const char *name)
{
    struct str s = str_new(ID_LIMIT);
    for (const char *p = name; *p && s.n + 1 < ID_LIMIT; p++) {
        if (isalnum((unsigned char)*p))
            str_char(&s, (char)tolower((unsigned char)*p));
        else if (s.n && s.at[s.n - 1] != '-')
            str_char(&s, '-');
    }
    while (s.n && s.at[s.n - 1] == '-')
        s.at[--s.n] = '\0';
    const char *id = s.n ? arena_strdup(a, s.at) : "access";
    str_done(&s);
    return id;
}

/* "100", "66.67" of basis points, as fmt_bp without its sign. */
static const char *percent(struct arena *a, uint32_t bp)
{
    return bp % 100 ? arena_printf(a, "%u.%02u", bp / 100, bp % 100)
                    : arena_printf(a, "%u", bp / 100);
}

/* With plain blanks, as the titles of matrices have them. */
static const char *plain(struct arena *a, const char *text)
{
    char *to = arena_strdup(a, text), *out = to;
    for (const char *p = text; *p; p++) {
        if (p[0] == '\xC2' && p[1] == '\xA0')
            p++;
        *out++ = (char)(*p == '\xA0' ? ' ' : *p);
    }
    *out = '\0';
    return to;
}

struct words {
    const char *order;     /* "random", "sequential", "" */
    const char *direction; /* "read", "write", "trim", "70-30" */
    const char *title;     /* "read", "write", "trim", "70 %" */
    bool mixed;
};

static struct words words_of(struct arena *a, const struct workload *w, bool order_known)
{
    double read_bp = workload_read_percent(w) * 100, random_bp = workload_random_percent(w) * 100;
    struct words x = { .order = "" };
    if (order_known)
        x.order = random_bp >= WHOLE_BP ? "random"
                  : random_bp > 0
                      ? arena_printf(a, "%s-random", percent(a, (uint32_t)(random_bp + 0.5)))
                      : "sequential";
    bool trims = w->lines[0].trim_bp > 0;
    if (read_bp >= WHOLE_BP) {
        x.direction = x.title = "read";
    } else if (read_bp <= 0) {
        x.direction = x.title = trims && w->lines[0].trim_bp < WHOLE_BP ? "trimwrite"
                                : trims                                 ? "trim"
                                                                        : "write";
    } else {
        uint32_t reads = (uint32_t)(read_bp + 0.5);
        x.mixed = true;
        x.direction = arena_printf(a, "%s-%s", percent(a, reads), percent(a, WHOLE_BP - reads));
        x.title = plain(a, fmt_bp(reads).s);
    }
    return x;
}

void workload_name(struct arena *a, struct workload *w, bool order_known)
{
    struct words x = words_of(a, w, order_known);
    const char *dash = *x.order ? "-" : "";
    const char *blank = *x.order ? " " : "";
    const char *sizes = size_id(a, w->lines[0].size);
    const char *size_title = w->lines[0].size ? plain(a, fmt_bytes(w->lines[0].size).s)
                                              : "Unknown size";
    bool same = true;
    for (uint32_t i = 1; i < w->n_lines; i++)
        same &= w->lines[i].size == w->lines[0].size;
    if (!same) {
        uint32_t mean = (uint32_t)(workload_mean_size(w) + 0.5);
        sizes = arena_printf(a, "mixed-%s", size_id(a, mean));
        size_title = arena_printf(a, "Mixed sizes (mean %s)", plain(a, fmt_bytes(mean).s));
    }
    w->id = arena_printf(a, "%s%s%s-%s", x.order, dash, x.direction, sizes);
    w->title = x.mixed ? arena_printf(a, "%s%s%s, %s read", size_title, blank, x.order, x.title)
                       : arena_printf(a, "%s%s%s %s", size_title, blank, x.order, x.title);
    if (!order_known)
        w->title = arena_printf(a, "%s (random or sequential not known)", w->title);
}
