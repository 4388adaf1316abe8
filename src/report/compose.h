#pragma once
#include "chart/scene.h"

/* Scenes side by side as one scene, `columns` to a row, with the gaps of canvas_png: for a figure's SVG file (canvas_svg
 * adds the margin). */
struct scene *compose_scenes(struct arena *a, const struct scene *const *scenes, size_t n,
                             size_t columns);
