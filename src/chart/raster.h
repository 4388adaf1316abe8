#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "chart/scene.h"

/* Many points as one 8-bit coverage mask for scene_mask (mock/tokens.md "Scatter and density"), and long lines as few points.
 * Coordinates are raster px, y downwards; points outside are left out, one exactly on the far edge belongs to the last pixel.
 * Memory is the arena's, time is linear in points plus pixels. Same points in any order, same mask. */

enum { RASTER_PER_PX = 2 }; /* raster px per px of the chart */

/* Counts per pixel: for more than 10,000 points. */
struct density;
struct density *density_new(struct arena *a, int nx, int ny);
void density_add(struct density *d, double x, double y);
/* 0.40 + 0.60 ln(1+c)/ln(1+cmax); a pixel with at most 3 points in its 9 × 9 surroundings becomes a disc of radius 2.2 at
 * 0.9, so that outliers stay visible. nx × ny bytes. */
const uint8_t *density_mask(struct density *d);

/* Anti-aliased discs that darken each other, for fewer points. */
struct splat;
struct splat *splat_new(struct arena *a, int nx, int ny);
void splat_add(struct splat *s, double x, double y, double radius, double opacity);
const uint8_t *splat_mask(struct splat *s);

/* First, last, lowest and highest point of each px column (M4, Jugel et al. 2014): drawn as a line it covers the same pixels.
 * `at` ascends in x. Writes at most 4·columns points to ret in their order, returns how many. */
struct columns {
    double x0, x1;
    size_t n;
};
size_t reduce_m4(const struct point *at, size_t n, struct columns columns, struct point *ret);
