#include <math.h>
#include <stdlib.h>

#include "base/oom.h"
#include "stats/compare.h"

/* A p-value and where it stands in the caller's array. */
struct place {
    double p;
    size_t at;
};

static int by_p(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->p != y->p)
        return x->p < y->p ? -1 : 1;
    return x->at < y->at ? -1 : 1;
}

/* The p that exist, ascending. */
static struct place *sorted_places(const double *p, size_t n, size_t *ret_m)
{
    struct place *places = xmalloc(n * sizeof *places);
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(p[i]))
            places[m++] = (struct place) { p[i], i };
    qsort(places, m, sizeof *places, by_p);
    *ret_m = m;
    return places;
}

void adjust_bh(const double *p, double *ret, size_t n)
{
    size_t m;
    struct place *places = sorted_places(p, n, &m);
    double least = 1;
    for (size_t i = 0; i < n; i++)
        ret[i] = p[i];
    for (size_t i = m; i-- > 0;) {
        least = fmin(least, (double)m * places[i].p / (double)(i + 1));
        ret[places[i].at] = least;
    }
    free(places);
}

void adjust_holm(const double *p, double *ret, size_t n)
{
    size_t m;
    struct place *places = sorted_places(p, n, &m);
    double most = 0;
    for (size_t i = 0; i < n; i++)
        ret[i] = p[i];
    for (size_t i = 0; i < m; i++) {
        most = fmax(most, fmin(1, (double)(m - i) * places[i].p));
        ret[places[i].at] = most;
    }
    free(places);
}

static void adjust_rows(struct comparison *c, size_t n,
                        void (*adjust)(const double *p, double *ret, size_t n))
{
    double *p = xmalloc(2 * n * sizeof *p), *adjusted = p + n;
    for (size_t i = 0; i < n; i++)
        p[i] = c[i].p;
    adjust(p, adjusted, n);
    for (size_t i = 0; i < n; i++) {
        if (isnan(p[i]))
            continue;
        c[i].adjusted_p = adjusted[i];
        c[i].verdict = compare_verdict(&c[i]);
    }
    free(p);
}

void compare_adjust_bh(struct comparison *c, size_t n)
{
    adjust_rows(c, n, adjust_bh);
}

void compare_adjust_holm(struct comparison *c, size_t n)
{
    adjust_rows(c, n, adjust_holm);
}
