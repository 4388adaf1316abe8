#include "chart/windows.h"

void axis_moments(struct axis *axis, const struct metrics *m, double low, double high,
                  const double *ticks, size_t n)
{
    struct ticks *t = &axis->ticks;
    double margin = high > low ? 0 : 0.5; /* one moment stands in the middle */
    axis_horizontal(axis, m, low - margin, high + margin, false);
    axis->scale.d0 = low - margin;
    axis->scale.d1 = high + margin;
    if (ticks) {
        t->n = 0;
        for (size_t i = 0; i < n && t->n < SCALE_MAX_TICKS; i++) {
            t->at[t->n++] = (struct tick) { ticks[i], fmt_exact(ticks[i]), true };
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < t->n; i++) {
        if (t->at[i].value >= axis->scale.d0 && t->at[i].value <= axis->scale.d1) {
            t->at[kept++] = t->at[i];
        }
    }
    t->n = kept;
}

double window_px(const struct scale *x, double v)
{
    return fmax(x->r0, fmin(scale_px(x, v), x->r1));
}

void windows_draw(struct scene *s, const struct series *series, const struct x_window *at, size_t n,
                  const struct scale *x, const struct box *plot)
{
    for (size_t i = 0; i < n; i++) {
        double x0 = window_px(x, at[i].from);
        double x1 = window_px(x, at[i].to);
        if (x1 > x0) {
            frame_hot(s, &(struct hot) { .series = series,
                                         .point = i,
                                         .tooltip = at[i].tooltip,
                                         .box = { x0, plot->y0, x1, plot->y1 } });
        }
    }
}
