#include "chart/scale.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"

/* Steps in tenths: 1, 5, 2, 2.5, 4, 3 (statistics.md §12). */
static const int steps[] = { 10, 50, 20, 25, 40, 30 };
enum { MAX_EXPONENT_STEPS = 20, MAX_DECIMALS = 9 };
static const double w_simplicity = 0.25, w_coverage = 0.2, w_density = 0.5, w_legibility = 0.05;
static const double tie = 1e-12;

/* Labels (a + i)·q10·10^(z-1), i = 0..k-1: whole numbers times a power of ten. */
struct candidate {
    int q10, k, z;
    int64_t a;
};
struct search {
    double lo, hi;
    int wanted;
    ticks_fit_fn *fits;
    void *ctx;
    double best;
    struct ticks *found;
    bool any;
};

/* Correctly rounded m·10^e for the exponents of doubles that charts have. */
static double decimal(int64_t m, int e)
{
    return e < 0 ? (double)m / pow(10, -e) : (double)m * pow(10, e);
}

static int decimals_of(int q10, int z)
{
    int last = q10 % 10 == 0 ? z : z - 1;
    return last < 0 ? -last : 0;
}

/* Beyond what fixed notation shows well: 2.5e−12. */
static struct text exponent_text(double v)
{
    struct text t;
    int e = (int)floor(log10(fabs(v)) + 1e-9);
    const char *sign = v < 0 ? "−" : "";
    snprintf(t.s, sizeof t.s, "%s%.9se%s%d", sign, fmt_fixed(fabs(v) / pow(10, e), 3).s,
             e < 0 ? "−" : "", e < 0 ? -e : e);
    /* "2.500e−12": the zeros say nothing */
    char *mark = strchr(t.s, 'e');
    char *end = mark;
    while (end[-1] == '0') {
        end--;
    }
    end -= end[-1] == '.';
    memmove(end, mark, strlen(mark) + 1);
    return t;
}

static struct text label_text(double v, int decimals)
{
    if (v != 0 && (decimals > MAX_DECIMALS || fabs(v) >= 1e15)) {
        return exponent_text(v);
    }
    return fmt_fixed(v, decimals > MAX_DECIMALS ? 0 : decimals);
}

static double step_of(const struct candidate *c)
{
    return decimal(c->q10, c->z - 1);
}

static void fill(const struct candidate *c, struct ticks *t)
{
    t->n = (size_t)c->k;
    t->decimals = decimals_of(c->q10, c->z);
    for (int i = 0; i < c->k; i++) {
        struct tick *k = &t->at[i];
        k->value = decimal((c->a + i) * c->q10, c->z - 1);
        k->label = label_text(k->value, t->decimals);
        k->major = true;
    }
    t->low = t->at[0].value;
    t->high = t->at[t->n - 1].value;
}

static bool distinct(const struct ticks *t)
{
    for (size_t i = 1; i < t->n; i++) {
        if (strcmp(t->at[i - 1].label.s, t->at[i].label.s) == 0) {
            return false;
        }
    }
    return true;
}

static double coverage(const struct search *s, double lmin, double lmax)
{
    double r = 0.1 * (s->hi - s->lo);
    double above = s->hi - lmax;
    double below = s->lo - lmin;
    return 1 - 0.5 * (above * above + below * below) / (r * r);
}

static double coverage_bound(const struct search *s, double span)
{
    double range = s->hi - s->lo;
    if (span <= range) {
        return 1;
    }
    double half = (span - range) / 2;
    return 1 - half * half / (0.01 * range * range);
}

static double density(const struct search *s, int k, double lmin, double lmax)
{
    double r = (k - 1) / (lmax - lmin);
    double target = (s->wanted - 1) / (fmax(lmax, s->hi) - fmin(lmin, s->lo));
    return 2 - fmax(r / target, target / r);
}

static double density_bound(const struct search *s, int k)
{
    return k >= s->wanted ? 2 - (double)(k - 1) / (s->wanted - 1) : 1;
}

static double score(double simplicity, double cover, double dense)
{
    return w_simplicity * simplicity + w_coverage * cover + w_density * dense + w_legibility;
}

static void try_start(struct search *s, size_t place, const struct candidate *c)
{
    bool zero = c->a <= 0 && 0 <= c->a + c->k - 1;
    double lmin = decimal(c->a * c->q10, c->z - 1);
    double lmax = decimal((c->a + c->k - 1) * c->q10, c->z - 1);
    double simple = 1 - (double)place / (double)(countof(steps) - 1) - 1 + (zero ? 1 : 0);
    double cover = coverage(s, lmin, lmax);
    double dense = density(s, c->k, lmin, lmax);
    double total = score(simple, cover, dense);
    if (total <= s->best + tie) {
        return;
    }
    struct ticks t;
    fill(c, &t);
    if (!distinct(&t) || (s->fits && !s->fits(s->ctx, &t))) {
        return;
    }
    t.simplicity = simple;
    t.coverage = cover;
    t.density = dense;
    t.score = total;
    *s->found = t;
    s->best = total;
    s->any = true;
}

static void try_exponents(struct search *s, size_t place, int k)
{
    double best_simple = 1 - (double)place / (double)(countof(steps) - 1);
    double q = steps[place] / 10.0;
    int z = (int)ceil(log10((s->hi - s->lo) / ((k + 1) * q)) - 1e-9);
    for (int tries = 0; tries < MAX_EXPONENT_STEPS; tries++, z++) {
        struct candidate c = { steps[place], k, z, 0 };
        double step = step_of(&c);
        if (score(best_simple, coverage_bound(s, step * (k - 1)), density_bound(s, k)) < s->best) {
            break;
        }
        int64_t last = (int64_t)ceil(s->lo / step);
        for (c.a = (int64_t)floor(s->hi / step) - (k - 1); c.a <= last; c.a++) {
            try_start(s, place, &c);
        }
    }
}

static void search_all(struct search *s)
{
    for (size_t place = 0; place < countof(steps); place++) {
        double best_simple = 1 - (double)place / (double)(countof(steps) - 1);
        if (score(best_simple, 1, 1) < s->best) {
            break;
        }
        for (int k = 2; k <= SCALE_MAX_TICKS; k++) {
            if (score(best_simple, 1, density_bound(s, k)) < s->best) {
                break;
            }
            try_exponents(s, place, k);
        }
    }
}

/* Too close for a round step: both ends in full. */
static void two_ends(double lo, double hi, struct ticks *t)
{
    memset(t, 0, sizeof *t);
    t->n = 2;
    t->at[0].value = lo;
    t->at[1].value = hi;
    for (size_t i = 0; i < t->n; i++) {
        t->at[i].label = fmt_exact(t->at[i].value);
        t->at[i].major = true;
    }
    t->low = lo;
    t->high = hi;
}

int ticks_linear(double low, double high, int wanted, ticks_fit_fn *fits, void *ctx,
                 struct ticks *ret, struct error *e)
{
    if (!isfinite(low) || !isfinite(high)) {
        return error_set(e, QD_E_FAIL, "cannot find axis labels: the range is not finite");
    }
    double lo = fmin(low, high);
    double hi = fmax(low, high);
    if (lo == hi) {
        double margin = lo == 0 ? 0 : 0.05 * fabs(lo);
        lo = lo - margin;
        hi = lo == 0 && margin == 0 ? 1 : hi + margin;
    }
    struct ticks found;
    memset(&found, 0, sizeof found);
    if (hi - lo < ldexp(fmax(fabs(lo), fabs(hi)), -40) || hi - lo < 1e-290) {
        two_ends(lo, hi, ret);
        return 0;
    }
    struct search s = { .lo = lo,
                        .hi = hi,
                        .wanted = wanted < 2 ? 2 : wanted,
                        .fits = fits,
                        .ctx = ctx,
                        .best = -HUGE_VAL,
                        .found = &found };
    search_all(&s);
    if (!s.any) {
        two_ends(lo, hi, &found);
    }
    *ret = found;
    return 0;
}

/* --- log ---------------------------------------------------------------------------------------------------------- */

static const int marks_125[] = { 1, 2, 5 };

struct decade {
    int digit, exponent; /* digit·10^exponent */
};

static double decade_value(struct decade d)
{
    return decimal(d.digit, d.exponent);
}

static struct decade step_125(struct decade d, int by)
{
    int at = d.digit == 1 ? 0 : d.digit == 2 ? 1 : 2;
    at += by;
    if (at < 0) {
        return (struct decade) { 5, d.exponent - 1 };
    }
    if (at > 2) {
        return (struct decade) { 1, d.exponent + 1 };
    }
    return (struct decade) { marks_125[at], d.exponent };
}

/* The largest of 1, 2, 5 × 10^k not above v; v within 1e-12 above counts as a hit. */
static struct decade below(double v)
{
    struct decade d = { 1, (int)floor(log10(v)) + 1 };
    while (decade_value(d) > v * (1 + 1e-12)) {
        d = step_125(d, -1);
    }
    return d;
}

static struct decade above(double v)
{
    struct decade d = below(v);
    return decade_value(d) < v * (1 - 1e-12) ? step_125(d, 1) : d;
}

static struct text log_label(struct decade d)
{
    return label_text(decade_value(d), d.exponent < 0 ? -d.exponent : 0);
}

static size_t count_labels(struct decade lo, struct decade hi, bool all)
{
    size_t n = 0;
    for (struct decade d = lo; decade_value(d) <= decade_value(hi) * (1 + 1e-12);
         d = step_125(d, 1)) {
        n += all || d.digit == 1;
    }
    return n;
}

static void push_tick(struct ticks *t, struct decade d, bool major)
{
    if (t->n >= countof(t->at)) {
        return;
    }
    struct tick *k = &t->at[t->n++];
    k->value = decade_value(d);
    k->major = major;
    k->label = (struct text) { "" };
    if (major) {
        k->label = log_label(d);
    }
}

enum labelled { LABEL_ENDS, LABEL_DECADES, LABEL_125 };

static bool is_labelled(enum labelled how, struct decade d, struct decade lo, struct decade hi)
{
    switch (how) {
    case LABEL_125:
        return d.digit == 1 || d.digit == 2 || d.digit == 5;
    case LABEL_DECADES:
        return d.digit == 1;
    default:
        return (d.digit == lo.digit && d.exponent == lo.exponent) ||
               (d.digit == hi.digit && d.exponent == hi.exponent);
    }
}

int ticks_log(double low, double high, int max_labels, struct ticks *ret, struct error *e)
{
    if (!isfinite(low) || !isfinite(high) || !(fmin(low, high) > 0)) {
        return error_set(e, QD_E_FAIL, "cannot find axis labels: a log axis needs values above 0");
    }
    struct decade lo = below(fmin(low, high));
    struct decade hi = above(fmax(low, high));
    if (decade_value(lo) == decade_value(hi)) {
        lo = step_125(lo, -1);
        hi = step_125(hi, 1);
    }
    memset(ret, 0, sizeof *ret);
    ret->low = decade_value(lo);
    ret->high = decade_value(hi);
    enum labelled how = LABEL_DECADES;
    if (log10(ret->high / ret->low) < 3 - 1e-9 &&
        count_labels(lo, hi, true) <= (size_t)(max_labels < 2 ? 2 : max_labels)) {
        how = LABEL_125;
    } else if (count_labels(lo, hi, false) < 2) {
        how = LABEL_ENDS;
    }
    bool minor = hi.exponent - lo.exponent <= 15;
    for (struct decade d = { lo.digit, lo.exponent }; decade_value(d) <= ret->high * (1 + 1e-12);
         d = d.digit == 9 ? (struct decade) { 1, d.exponent + 1 }
                          : (struct decade) { d.digit + 1, d.exponent }) {
        bool major = is_labelled(how, d, lo, hi);
        if (major || minor) {
            push_tick(ret, d, major);
        }
    }
    return 0;
}

double scale_span(const struct scale *s)
{
    return s->kind == SCALE_LINEAR ? s->d1 - s->d0 : log(s->d1 / s->d0);
}

double scale_px(const struct scale *s, double v)
{
    return scale_at_span(s, scale_span(s), v);
}
