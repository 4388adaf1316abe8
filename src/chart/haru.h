#pragma once
#include <hpdf.h>
#include <stdbool.h>

#include "base/error.h"
#include "chart/font.h"
#include "chart/theme.h"

/* libharu with its traps guarded (reference/libraries.md §3): only the embedded fonts are ever loaded, text is made drawable before it is
 * handed over, non-finite coordinates are refused, errors are sticky and asked for once (haru_check), dates are set by the caller so that
 * bytes are reproducible. Coordinates are pt from the lower left of the page, as PDF has them. */
struct haru {
    HPDF_Doc doc;
    HPDF_Font font[FONT_COUNT];
    int font_fd[FONT_COUNT];
    bool not_finite; /* somebody drew a NaN or an absurd coordinate */
};

int haru_open(struct haru *h, struct error *e);
void haru_close(struct haru *h); /* forgives a half-opened one */

HPDF_Page haru_page(struct haru *h, double width, double height);

/* 0 if every call so far succeeded. */
int haru_check(const struct haru *h, struct error *e);
/* The whole file; free with free(). */
int haru_save(struct haru *h, void **ret, size_t *ret_n, struct error *e);

void haru_fill_rgb(HPDF_Page page, uint32_t rgb);
void haru_stroke_rgb(HPDF_Page page, uint32_t rgb);
/* 0-terminated whole numbers, already in pt; NULL: solid. */
void haru_dash(HPDF_Page page, const int *dash);

/* Baseline at (x, y) in the current fill colour; returns the width in pt (font_width). */
double haru_text(struct haru *h, HPDF_Page page, double x, double y, const char *text,
                 enum font_weight weight, double size);

bool haru_finite(struct haru *h, double v);
