#pragma once
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/fmt.h"

/* Scales and ticks (reference/statistics.md §12). Hard cap of 50 ticks; NaN and infinities are errors. */
enum { SCALE_MAX_TICKS = 50 };

struct tick {
    double value;
    struct text label; /* "" for minor ticks */
    bool major;
};
struct ticks {
    struct tick at[SCALE_MAX_TICKS + 100]; /* labelled, and minor ticks of log scales */
    size_t n;
    double low, high; /* outer labels (linear) or domain (log) */
    int decimals;
    double score, simplicity, coverage, density; /* linear: of the choice, for tests */
};

/* Extended Wilkinson in integers (Talbot, Lin, Hanrahan 2010): about `wanted` labels for data in [low, high]. fits may refuse
 * a candidate whose labels would overlap (NULL: accepts all but equal labels). */
typedef bool ticks_fit_fn(void *ctx, const struct ticks *t);
int ticks_linear(double low, double high, int wanted, ticks_fit_fn *fits, void *ctx,
                 struct ticks *ret, struct error *e);
/* Domain snapped outwards to 1-2-5 × 10^k; label 1, 2, 5 under 3 decades if at most max_labels, else decades; minor 1..9. */
int ticks_log(double low, double high, int max_labels, struct ticks *ret, struct error *e);

/* Value to px. Log scales need positive domains. */
enum scale_kind { SCALE_LINEAR, SCALE_LOG10, SCALE_LOG2 };
struct scale {
    enum scale_kind kind;
    double d0, d1; /* domain */
    double r0, r1; /* range, px */
};
double scale_px(const struct scale *s, double v);

/* The same for many values: scale_span once (the domain's length on the scale), then scale_at_span for each; the same result to
 * the last bit. */
double scale_span(const struct scale *s);
static inline double scale_at_span(const struct scale *s, double span, double v)
{
    double share = s->kind == SCALE_LINEAR ? (v - s->d0) / span : log(v / s->d0) / span;
    return s->r0 + share * (s->r1 - s->r0);
}
