#include "engine/spread.h"

#include <math.h>

static double power_integral(double x, double theta)
{
    double l = log(x), y = (1 - theta) * l;
    return l * (fabs(y) < 1e-8 ? 1 + y / 2 * (1 + y / 3 * (1 + y / 4)) : expm1(y) / y);
}

static double power_integral_inverse(double u, double theta)
{
    double y = fmax(-1, u * (1 - theta));
    return exp(u * (fabs(y) < 1e-8 ? 1 - y / 2 + y * y / 3 : log1p(y) / y));
}

static uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void init_scatter(struct spread *s)
{
    uint64_t state = 1;
    uint32_t bits = s->n > 2 ? 64 - (uint32_t)__builtin_clzll(s->n - 1) : 1;
    s->half_bits = (bits + 1) / 2;
    for (int i = 0; i < 4; i++)
        s->key[i] = rng_splitmix(&state);
}

static void init_zipf(struct spread *s)
{
    double t = s->param;
    s->h_first = power_integral(1.5, t) - 1;
    s->h_last = power_integral((double)s->n + 0.5, t);
    s->threshold = 2 - power_integral_inverse(power_integral(2.5, t) - pow(2, -t), t);
    init_scatter(s);
}

void spread_init(struct spread *s, enum distribution_kind kind, double param, uint64_t n)
{
    *s = (struct spread) { .kind = kind, .n = n, .param = param };
    if (kind == DIST_ZIPF)
        init_zipf(s);
    else if (kind == DIST_PARETO)
        s->param = log(param) / log(1 - param);
}

uint64_t spread_zipf_rank(const struct spread *s, double u)
{
    double t = s->param, h = s->h_last + u * (s->h_first - s->h_last);
    double x = power_integral_inverse(h, t), k = fmin(fmax(floor(x + 0.5), 1), (double)s->n);
    if (k - x <= s->threshold || h >= power_integral(k + 0.5, t) - pow(k, -t))
        return (uint64_t)k;
    return 0;
}

uint64_t spread_scatter(const struct spread *s, uint64_t rank)
{
    uint64_t mask = (UINT64_C(1) << s->half_bits) - 1, x = rank;
    do {
        uint64_t left = x >> s->half_bits, right = x & mask;
        for (int i = 0; i < 4; i++) {
            uint64_t next = left ^ (mix(right ^ s->key[i]) & mask);
            left = right;
            right = next;
        }
        x = left << s->half_bits | right;
    } while (x >= s->n);
    return x;
}

static double normal_share(double sigma, struct rng *r)
{
    for (;;) {
        double u = 1 - rng_double(r), v = rng_double(r);
        double x = 0.5 + sigma * sqrt(-2 * log(u)) * cos(2 * M_PI * v);
        if (x >= 0 && x < 1)
            return x;
    }
}

uint64_t spread_draw(const struct spread *s, struct rng *r)
{
    if (s->kind == DIST_ZIPF) {
        uint64_t rank;
        do
            rank = spread_zipf_rank(s, rng_double(r));
        while (rank == 0);
        return spread_scatter(s, rank - 1);
    }
    double share = s->kind == DIST_PARETO ? pow(rng_double(r), s->param)
                                          : normal_share(s->param, r);
    uint64_t at = (uint64_t)((double)s->n * share);
    return at < s->n ? at : s->n - 1;
}
