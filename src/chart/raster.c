#include "chart/raster.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { REACH = 4, FEW = 3, SUBPIXELS = 8 };
static const double faintest = 0.40, strongest = 1.0;
static const double outlier_radius = 2.2, outlier_value = 0.9;

struct density {
    struct arena *arena;
    int nx, ny;
    uint32_t *counts;
};

/* Kept as what shines through: the product of 1 - opacity·coverage, in 1/65535 logarithms so that the order of points does
 * not matter. */
struct splat {
    struct arena *arena;
    int nx, ny;
    uint32_t *depth; /* -ln(transmission) · DEPTH_ONE, summed */
};
enum { DEPTH_ONE = 1 << 16, DEPTH_MAX = 1 << 28 };

static size_t area(int nx, int ny)
{
    return (size_t)nx * (size_t)ny;
}

static bool pixel_of(int nx, int ny, double x, double y, size_t *ret)
{
    if (!(x >= 0 && y >= 0 && x <= nx && y <= ny)) {
        return false;
    }
    int px = x < nx ? (int)x : nx - 1;
    int py = y < ny ? (int)y : ny - 1;
    *ret = (size_t)py * (size_t)nx + (size_t)px;
    return true;
}

/* --- density ------------------------------------------------------------------------------------------------------ */

struct density *density_new(struct arena *a, int nx, int ny)
{
    struct density *d = arena_one(a, struct density);
    *d = (struct density) { a, nx, ny, arena_array(a, uint32_t, area(nx, ny)) };
    return d;
}

void density_add(struct density *d, double x, double y)
{
    size_t i = 0;
    if (pixel_of(d->nx, d->ny, x, y, &i) && d->counts[i] < UINT32_MAX) {
        d->counts[i]++;
    }
}

static uint8_t byte_of(double v)
{
    return (uint8_t)lround(fmax(0, fmin(v, 1)) * 255);
}

/* Share of the pixel at (dx, dy) from a disc's centre that the disc covers, by sampling. */
static double disc_coverage(double dx, double dy, double radius)
{
    int hits = 0;
    for (int j = 0; j < SUBPIXELS; j++) {
        for (int i = 0; i < SUBPIXELS; i++) {
            double x = dx + (i + 0.5) / SUBPIXELS - 0.5;
            double y = dy + (j + 0.5) / SUBPIXELS - 0.5;
            hits += x * x + y * y <= radius * radius;
        }
    }
    return (double)hits / (SUBPIXELS * SUBPIXELS);
}

/* The same as if the disc's edge were straight inside the pixel: at once, for thousands of dots. */
static double edge_coverage(double dx, double dy, double radius)
{
    return fmax(0, fmin(radius + 0.5 - sqrt(dx * dx + dy * dy), 1));
}

/* The disc of an outlier, drawn once and then copied: a scatter has thousands of them. */
enum { SIDE = 3, STENCIL = 2 * SIDE + 1 };
struct stencil {
    uint8_t at[STENCIL][STENCIL];
};

static struct stencil stencil_of_outlier(void)
{
    struct stencil t;
    for (int dy = -SIDE; dy <= SIDE; dy++) {
        for (int dx = -SIDE; dx <= SIDE; dx++) {
            t.at[dy + SIDE][dx + SIDE] = byte_of(outlier_value *
                                                 disc_coverage(dx, dy, outlier_radius));
        }
    }
    return t;
}

static void draw_outlier(const struct density *d, const struct stencil *t, uint8_t *mask, size_t at)
{
    int px = (int)(at % (size_t)d->nx);
    int py = (int)(at / (size_t)d->nx);
    for (int dy = -SIDE; dy <= SIDE; dy++) {
        for (int dx = -SIDE; dx <= SIDE; dx++) {
            int x = px + dx;
            int y = py + dy;
            if (x < 0 || y < 0 || x >= d->nx || y >= d->ny) {
                continue;
            }
            uint8_t v = t->at[dy + SIDE][dx + SIDE];
            uint8_t *to = &mask[(size_t)y * (size_t)d->nx + (size_t)x];
            *to = v > *to ? v : *to;
        }
    }
}

/* Sums of all counts above and left of each pixel, one row and column larger than the picture. */
static uint64_t *summed_area(const struct density *d)
{
    size_t wide = (size_t)d->nx + 1;
    uint64_t *sum = arena_array(d->arena, uint64_t, wide * ((size_t)d->ny + 1));
    for (size_t y = 0; y < (size_t)d->ny; y++) {
        uint64_t row = 0;
        for (size_t x = 0; x < (size_t)d->nx; x++) {
            row += d->counts[y * (size_t)d->nx + x];
            sum[(y + 1) * wide + x + 1] = sum[y * wide + x + 1] + row;
        }
    }
    return sum;
}

static uint64_t around(const struct density *d, const uint64_t *sum, int px, int py)
{
    size_t wide = (size_t)d->nx + 1;
    size_t x0 = (size_t)(px > REACH ? px - REACH : 0);
    size_t y0 = (size_t)(py > REACH ? py - REACH : 0);
    size_t x1 = (size_t)(px + REACH < d->nx ? px + REACH + 1 : d->nx);
    size_t y1 = (size_t)(py + REACH < d->ny ? py + REACH + 1 : d->ny);
    return sum[y1 * wide + x1] - sum[y0 * wide + x1] - sum[y1 * wide + x0] + sum[y0 * wide + x0];
}

static uint32_t largest(const struct density *d)
{
    uint32_t max = 0;
    for (size_t i = 0; i < area(d->nx, d->ny); i++) {
        max = d->counts[i] > max ? d->counts[i] : max;
    }
    return max;
}

const uint8_t *density_mask(struct density *d)
{
    uint8_t *mask = arena_array(d->arena, uint8_t, area(d->nx, d->ny));
    const uint64_t *sum = summed_area(d);
    const struct stencil disc = stencil_of_outlier();
    double scale = log1p((double)largest(d));
    for (size_t i = 0; i < area(d->nx, d->ny); i++) {
        if (d->counts[i] > 0) {
            double share = log1p((double)d->counts[i]) / scale;
            mask[i] = byte_of(faintest + (strongest - faintest) * share);
        }
    }
    for (int y = 0; y < d->ny; y++) {
        for (int x = 0; x < d->nx; x++) {
            if (d->counts[(size_t)y * (size_t)d->nx + (size_t)x] > 0 &&
                around(d, sum, x, y) <= FEW) {
                draw_outlier(d, &disc, mask, (size_t)y * (size_t)d->nx + (size_t)x);
            }
        }
    }
    return mask;
}

/* --- splat -------------------------------------------------------------------------------------------------------- */

struct splat *splat_new(struct arena *a, int nx, int ny)
{
    struct splat *s = arena_one(a, struct splat);
    *s = (struct splat) { a, nx, ny, arena_array(a, uint32_t, area(nx, ny)) };
    return s;
}

static void darken(struct splat *s, int x, int y, double opacity)
{
    if (x < 0 || y < 0 || x >= s->nx || y >= s->ny || opacity <= 0) {
        return;
    }
    uint32_t *depth = &s->depth[(size_t)y * (size_t)s->nx + (size_t)x];
    double by = -log1p(-fmin(opacity, 0.9999)) * DEPTH_ONE;
    if (*depth < DEPTH_MAX) {
        *depth += (uint32_t)lround(by);
    }
}

void splat_add(struct splat *s, double x, double y, double radius, double opacity)
{
    size_t pixel = 0;
    if (!pixel_of(s->nx, s->ny, x, y, &pixel)) {
        return;
    }
    int side = (int)ceil(radius + 1);
    for (int py = (int)y - side; py <= (int)y + side; py++) {
        for (int px = (int)x - side; px <= (int)x + side; px++) {
            double covered = edge_coverage(px + 0.5 - x, py + 0.5 - y, radius);
            darken(s, px, py, covered * opacity);
        }
    }
}

const uint8_t *splat_mask(struct splat *s)
{
    uint8_t *mask = arena_array(s->arena, uint8_t, area(s->nx, s->ny));
    for (size_t i = 0; i < area(s->nx, s->ny); i++) {
        mask[i] = s->depth[i] ? byte_of(-expm1(-(double)s->depth[i] / DEPTH_ONE)) : 0;
    }
    return mask;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

/* Indices of the four points of a column, ascending, each once. */
static size_t four(const struct point *at, size_t from, size_t to, size_t pick[4])
{
    size_t low = from;
    size_t high = from;
    for (size_t i = from; i < to; i++) {
        low = at[i].y < at[low].y ? i : low;
        high = at[i].y > at[high].y ? i : high;
    }
    size_t all[4] = { from, low < high ? low : high, low < high ? high : low, to - 1 };
    size_t n = 0;
    for (size_t i = 0; i < 4; i++) {
        if (n == 0 || all[i] != pick[n - 1]) {
            pick[n++] = all[i];
        }
    }
    return n;
}

static size_t column_of(const struct columns *c, double x)
{
    double share = (x - c->x0) / (c->x1 - c->x0) * (double)c->n;
    if (!(share > 0)) {
        return 0;
    }
    return share >= (double)c->n ? c->n - 1 : (size_t)share;
}

size_t reduce_m4(const struct point *at, size_t n, struct columns columns, struct point *ret)
{
    size_t out = 0;
    for (size_t from = 0; from < n && columns.n > 0;) {
        size_t column = column_of(&columns, at[from].x);
        size_t to = from + 1;
        while (to < n && column_of(&columns, at[to].x) == column) {
            to++;
        }
        size_t pick[4];
        size_t picked = four(at, from, to, pick);
        for (size_t i = 0; i < picked; i++) {
            ret[out++] = at[pick[i]];
        }
        from = to;
    }
    return out;
}
