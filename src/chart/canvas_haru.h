#pragma once
#include "chart/haru.h"
#include "chart/scene.h"

/* Draws a scene as vectors onto the current page, in literal colours of the theme. Masks become one grey image over a single
 * pixel of colour. */
struct haru_spot {
    double x, y; /* of the scene's upper left corner, pt */
    double k;    /* pt for each px, 0.75 at natural size */
};
int canvas_haru(struct haru *h, const struct scene *s, const struct haru_spot *at,
                const struct theme *theme, struct error *e);
