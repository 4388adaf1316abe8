#include "import/pattern.h"

#include <ctype.h>
#include <string.h>

#include "base/fmt.h"
#include "base/str.h"

enum { WHOLE_BP = 10000, ID_LIMIT = 120 };

struct import_pattern pattern_simple(uint32_t size, uint32_t read_bp, uint32_t random_bp)
{
    struct import_pattern p = { .n_lines = 1 };
    p.lines[0] = (struct access_line) {
        .share_bp = WHOLE_BP, .size = size, .read_bp = read_bp, .random_bp = random_bp, .burst = 1
    };
    return p;
}

/* The largest line takes what rounding left over. */
static void settle_shares(struct access_line *lines, uint32_t n)
{
    uint64_t sum = 0;
    uint32_t largest = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += lines[i].share_bp;
        if (lines[i].share_bp > lines[largest].share_bp)
            largest = i;
    }
    uint64_t given = 0;
    for (uint32_t i = 0; i < n && sum; i++) {
        lines[i].share_bp = (uint32_t)(lines[i].share_bp * (uint64_t)WHOLE_BP / sum);
        given += lines[i].share_bp;
    }
    if (n)
        lines[largest].share_bp += (uint32_t)(WHOLE_BP - given);
}

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

const char *pattern_slug(struct arena *a, const char *name)
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
    const char *title;     /* "read", "write", "trim", "70 % read" */
};

static struct words words_of(struct arena *a, const struct import_pattern *p, double read_bp,
                             double random_bp)
{
    struct words w = { .order = "" };
    if (!p->order_unknown)
        w.order = random_bp >= WHOLE_BP ? "random"
                  : random_bp > 0
                      ? arena_printf(a, "%s-random", percent(a, (uint32_t)(random_bp + 0.5)))
                      : "sequential";
    bool trims = p->lines[0].trim_bp > 0;
    if (read_bp >= WHOLE_BP) {
        w.direction = w.title = "read";
    } else if (read_bp <= 0) {
        w.direction = w.title = trims && p->lines[0].trim_bp < WHOLE_BP ? "trimwrite"
                                : trims                                 ? "trim"
                                                                        : "write";
    } else {
        uint32_t reads = (uint32_t)(read_bp + 0.5);
        w.direction = arena_printf(a, "%s-%s", percent(a, reads), percent(a, WHOLE_BP - reads));
        w.title = plain(a, fmt_bp(reads).s);
    }
    return w;
}

static void name_it(struct arena *a, const struct import_pattern *p, struct workload *w)
{
    double read_bp = workload_read_percent(w) * 100, random_bp = workload_random_percent(w) * 100;
    struct words x = words_of(a, p, read_bp, random_bp);
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
    bool mixed = read_bp > 0 && read_bp < WHOLE_BP;
    w->id = arena_printf(a, "%s%s%s-%s", x.order, dash, x.direction, sizes);
    w->title = mixed ? arena_printf(a, "%s%s%s, %s read", size_title, blank, x.order, x.title)
                     : arena_printf(a, "%s%s%s %s", size_title, blank, x.order, x.title);
    if (p->order_unknown)
        w->title = arena_printf(a, "%s (random or sequential not known)", w->title);
}

struct workload pattern_workload(struct arena *a, const struct import_pattern *p)
{
    struct access_line *lines = arena_memdup(a, p->lines, p->n_lines * sizeof *lines);
    settle_shares(lines, p->n_lines);
    struct workload w = { .lines = lines, .n_lines = p->n_lines };
    if (p->name) {
        w.title = p->name;
        w.id = pattern_slug(a, p->name);
    } else {
        name_it(a, p, &w);
    }
    return w;
}
