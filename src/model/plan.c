#include "model/plan.h"

#include <math.h>

enum { WHOLE_BP = 10000 };

static double read_bp(const struct access_line *l)
{
    return l->read_bp;
}

static double random_bp(const struct access_line *l)
{
    return l->random_bp;
}

static double size(const struct access_line *l)
{
    return l->size;
}

static double weighted(const struct workload *w, double (*value)(const struct access_line *))
{
    double sum = 0, shares = 0;
    for (uint32_t i = 0; i < w->n_lines; i++) {
        sum += w->lines[i].share_bp * value(&w->lines[i]);
        shares += w->lines[i].share_bp;
    }
    return shares > 0 ? sum / shares : (double)NAN;
}

double workload_mean_size(const struct workload *w)
{
    return weighted(w, size);
}

double workload_read_percent(const struct workload *w)
{
    return weighted(w, read_bp) / 100;
}

double workload_random_percent(const struct workload *w)
{
    return weighted(w, random_bp) / 100;
}

uint32_t workload_max_size(const struct workload *w)
{
    uint32_t max = 0;
    for (uint32_t i = 0; i < w->n_lines; i++)
        max = w->lines[i].size > max ? w->lines[i].size : max;
    return max;
}

bool workload_writes(const struct workload *w)
{
    for (uint32_t i = 0; i < w->n_lines; i++)
        if (w->lines[i].share_bp > 0 && w->lines[i].read_bp < WHOLE_BP)
            return true;
    return false;
}
