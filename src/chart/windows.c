#include "chart/windows.h"

void axis_moments(struct axis *axis, const struct metrics *m, const struct moments *moments)
{
    struct ticks *t = &axis->ticks;
    double low = moments->low;
    double high = moments->high;
    double margin = high > low ? 0 : 0.5; /* one moment stands in the middle */
    axis_horizontal(axis, m, low - margin, high + margin, false);
    axis->scale.d0 = low - margin;
    axis->scale.d1 = high + margin;
    if (moments->ticks) {
        t->n = 0;
        for (size_t i = 0; i < moments->n_ticks && t->n < SCALE_MAX_TICKS; i++) {
            t->at[t->n++] = (struct tick) { moments->ticks[i], fmt_exact(moments->ticks[i]), true };
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

void windows_draw(const struct frame *f, const struct windows *w, const struct scale *x)
{
    for (size_t i = 0; i < w->n; i++) {
        double x0 = window_px(x, w->at[i].from);
        double x1 = window_px(x, w->at[i].to);
        if (x1 > x0) {
            frame_hot(f->s, &(struct hot) { .series = w->series,
                                            .point = i,
                                            .tooltip = w->at[i].tooltip,
                                            .box = { x0, f->plot.y0, x1, f->plot.y1 } });
        }
    }
}
