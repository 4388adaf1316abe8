#include <math.h>

#include "base/clock.h"
#include "store/result.h"

enum { THRESHOLDS = 10 };
static const uint64_t thresholds_ns[THRESHOLDS] = {
    100000, 200000, 500000, 1000000, 2000000, 5000000, 10000000, 20000000, 50000000, 100000000,
};

/* Deviations are taken from the first value, so that the squares do not cancel. */
struct spread {
    uint64_t n;
    double first, sum, squares;
};

static void spread_add(struct spread *x, double v)
{
    if (x->n++ == 0)
        x->first = v;
    double d = v - x->first;
    x->sum += d;
    x->squares += d * d;
}

static double spread_variance(const struct spread *x)
{
    if (x->n < 2)
        return (double)NAN;
    double n = (double)x->n, v = (x->squares - x->sum * x->sum / n) / (n - 1);
    return v > 0 ? v : 0;
}

/* One second of one direction. */
struct second {
    uint64_t length_ns, ios, lat_n, lat_sum;
};

struct even {
    struct spread lat, iops;
    uint64_t n_empty, ios, lat_n, lat_sum, length_ns;
    uint64_t below[THRESHOLDS];
};

static void even_add(struct even *x, const struct second *s)
{
    x->ios += s->ios;
    x->length_ns += s->length_ns;
    x->n_empty += s->ios == 0;
    if (s->length_ns)
        spread_add(&x->iops, (double)s->ios * 1e9 / (double)s->length_ns);
    if (!s->lat_n)
        return;
    x->lat_n += s->lat_n;
    x->lat_sum += s->lat_sum;
    spread_add(&x->lat, (double)s->lat_sum / (double)s->lat_n);
    for (int i = 0; i < THRESHOLDS; i++)
        x->below[i] += (unsigned __int128)thresholds_ns[i] * s->lat_n > s->lat_sum;
}

static int put(struct store *s, int64_t cell, int direction, const struct even *x, struct error *e)
{
    double variance = spread_variance(&x->lat), rate_variance = spread_variance(&x->iops);
    struct value v[10 + THRESHOLDS] = {
        v_int(cell),
        v_int(direction),
        v_u64(x->lat.n),
        v_u64(x->n_empty),
        x->lat_n ? v_real((double)x->lat_sum / (double)x->lat_n) : v_null(),
        v_real(sqrt(variance)),
        v_real(variance),
        x->length_ns ? v_real((double)x->ios * 1e9 / (double)x->length_ns) : v_null(),
        v_real(sqrt(rate_variance)),
        v_real(rate_variance),
    };
    for (int i = 0; i < THRESHOLDS; i++)
        v[10 + i] = x->lat.n ? v_real((double)x->below[i] / (double)x->lat.n) : v_null();
    return db_run_(s, ST_EVENNESS_INSERT, v, countof(v), e);
}

static int walk(struct query *q, struct even *into, struct error *e)
{
    struct second all = { 0 };
    int64_t t = 0;
    int rc;
    for (bool first = true; (rc = db_step(q, e)) == 1; first = false) {
        int d = col_direction(q, 1, e);
        if (d < 0)
            return -1;
        struct second s = { col_u64(q, 2), col_u64(q, 3), col_u64(q, 4), col_u64(q, 5) };
        if (!first && col_int(q, 0) != t) {
            even_add(&into[DIR_ALL], &all);
            all = (struct second) { 0 };
        }
        t = col_int(q, 0);
        even_add(&into[d], &s);
        all.length_ns = s.length_ns;
        all.ios += s.ios;
        all.lat_n += s.lat_n;
        all.lat_sum += s.lat_sum;
    }
    if (all.length_ns)
        even_add(&into[DIR_ALL], &all);
    return rc;
}

int evenness_write(struct store *s, int64_t cell, struct error *e)
{
    struct even x[DIR_ALL + 1] = { 0 };
    QUERY q;
    if (db_query(s, ST_MEASURED_SECONDS, &q, e, v_int(cell)) || walk(&q, x, e))
        return -1;
    for (int d = 0; d <= DIR_ALL; d++)
        if (x[d].length_ns && put(s, cell, d, &x[d], e))
            return -1;
    return 0;
}
