#include "chart/place.h"

#include <math.h>

#include "base/array.h"

static const double box_cost = 60, line_cost = 6, line_step = 3, outside_cost = 200;

/* --- one dimension ------------------------------------------------------------------------------------------------ */

struct pool {
    double sum;
    size_t n;
};

static void sort_index(const double *y, size_t *order, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t k = i;
        for (; k > 0 && y[order[k - 1]] > y[i]; k--) {
            order[k] = order[k - 1];
        }
        order[k] = i;
    }
}

void place_spread(double *y, size_t n, double gap, double low, double high)
{
    if (n == 0) {
        return;
    }
    struct arena *a = arena_new();
    size_t *order = arena_array(a, size_t, n);
    struct pool *pools = arena_array(a, struct pool, n);
    sort_index(y, order, n);
    size_t n_pools = 0;
    for (size_t i = 0; i < n; i++) {
        struct pool p = { y[order[i]] - (double)i * gap, 1 };
        while (n_pools > 0 &&
               pools[n_pools - 1].sum / (double)pools[n_pools - 1].n >= p.sum / (double)p.n) {
            p.sum += pools[n_pools - 1].sum;
            p.n += pools[n_pools - 1].n;
            n_pools--;
        }
        pools[n_pools++] = p;
    }
    double last = high - (double)(n - 1) * gap;
    size_t i = 0;
    for (size_t k = 0; k < n_pools; k++) {
        double at = pools[k].sum / (double)pools[k].n;
        at = fmax(low, fmin(at, last));
        for (size_t j = 0; j < pools[k].n; j++, i++) {
            y[order[i]] = at + (double)i * gap;
        }
    }
    arena_free(a);
}

/* --- two dimensions ----------------------------------------------------------------------------------------------- */

struct segment {
    double x0, y0, x1, y1;
};
struct field {
    struct arena *arena;
    struct box bounds;
    struct box *boxes;
    struct segment *lines;
    size_t n_boxes, cap_boxes, n_lines, cap_lines;
};

struct field *field_new(struct arena *a, struct box bounds)
{
    struct field *f = arena_one(a, struct field);
    f->arena = a;
    f->bounds = bounds;
    return f;
}

static void *grown(struct arena *a, const void *at, size_t n, size_t *cap, size_t item)
{
    size_t old = *cap;
    *cap = old ? 2 * old : 32;
    char *to = arena_alloc(a, *cap * item);
    const char *from = at;
    for (size_t i = 0; i < n * item; i++) {
        to[i] = from[i];
    }
    return to;
}

void field_add_box(struct field *f, struct box box)
{
    if (f->n_boxes == f->cap_boxes) {
        f->boxes = grown(f->arena, f->boxes, f->n_boxes, &f->cap_boxes, sizeof *f->boxes);
    }
    f->boxes[f->n_boxes++] = box;
}

void field_add_line(struct field *f, double x0, double y0, double x1, double y1)
{
    if (f->n_lines == f->cap_lines) {
        f->lines = grown(f->arena, f->lines, f->n_lines, &f->cap_lines, sizeof *f->lines);
    }
    f->lines[f->n_lines++] = (struct segment) { x0, y0, x1, y1 };
}

/* Part of a segment, in shares of its length. */
struct part {
    double from, to;
};

/* Keeps what of the part lies in [low, high] along one axis, where the segment goes from `start` by `d`. */
static struct part cut(struct part p, double start, double d, double low, double high)
{
    if (d == 0) {
        bool in = start >= low && start <= high;
        return in ? p : (struct part) { 1, 0 };
    }
    double a = (low - start) / d;
    double b = (high - start) / d;
    return (struct part) { fmax(p.from, fmin(a, b)), fmin(p.to, fmax(a, b)) };
}

/* Length of the segment inside the box (Liang and Barsky 1984). */
static double inside(const struct segment *s, const struct box *b)
{
    double dx = s->x1 - s->x0;
    double dy = s->y1 - s->y0;
    struct part p = cut((struct part) { 0, 1 }, s->x0, dx, b->x0, b->x1);
    p = cut(p, s->y0, dy, b->y0, b->y1);
    return p.to > p.from ? (p.to - p.from) * hypot(dx, dy) : 0;
}

static bool overlap(const struct box *a, const struct box *b)
{
    return a->x0 < b->x1 && b->x0 < a->x1 && a->y0 < b->y1 && b->y0 < a->y1;
}

double field_cost(const struct field *f, struct box box)
{
    double cost = 0;
    if (box.x0 < f->bounds.x0 || box.x1 > f->bounds.x1 || box.y0 < f->bounds.y0 ||
        box.y1 > f->bounds.y1) {
        cost += outside_cost;
    }
    for (size_t i = 0; i < f->n_boxes; i++) {
        cost += overlap(&box, &f->boxes[i]) ? box_cost : 0;
    }
    for (size_t i = 0; i < f->n_lines; i++) {
        cost += line_cost * ceil(inside(&f->lines[i], &box) / line_step);
    }
    return cost;
}

double field_least(const struct field *f, const struct box *candidates, size_t n)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, field_cost(f, candidates[i]));
    }
    return least;
}

size_t field_place(struct field *f, const struct box *candidates, size_t n)
{
    size_t best = 0;
    double least = HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        double cost = field_cost(f, candidates[i]);
        if (cost < least) {
            least = cost;
            best = i;
        }
    }
    field_add_box(f, candidates[best]);
    return best;
}

struct box text_box(const struct metrics *m, double x, double y, double width)
{
    double half = m->text / 2;
    return (struct box) { x - width / 2, y - half, x + width / 2, y + half };
}

void places_around(const struct metrics *m, const struct spot *spot, struct box ret[PLACES_AROUND])
{
    static const struct {
        int x, y;
    } sides[PLACES_AROUND] = { { -1, -1 }, { 0, -1 }, { 1, 1 },  { 0, 1 },
                               { 1, 0 },   { -1, 0 }, { 1, -1 }, { -1, 1 } };
    for (int i = 0; i < PLACES_AROUND; i++) {
        bool corner = sides[i].x != 0 && sides[i].y != 0;
        double pull = corner ? 0.72 : 1; /* a corner is farther away at the same offsets */
        double right = spot->away * pull + spot->width / 2;
        double down = (spot->away + m->text / 2 - 2) * pull;
        ret[i] = text_box(m, spot->x + sides[i].x * right, spot->y + sides[i].y * down,
                          spot->width);
    }
}
