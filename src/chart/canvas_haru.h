#pragma once
#include "chart/haru.h"
#include "chart/scene.h"

/* Draws a scene as vectors onto a PDF page: its upper left corner at (x, y) pt, k pt for each px (0.75 at natural size). Masks become one
 * grey image over a single pixel of colour. Literal colours of the theme. */
int canvas_haru(struct haru *h, HPDF_Page page, const struct scene *s, double x, double y, double k,
                const struct theme *theme, struct error *e);
