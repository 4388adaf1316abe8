#pragma once
#include <hpdf.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "chart/font.h"
#include "chart/theme.h"

/* libharu with its traps guarded (reference/libraries.md §3, §7): only the embedded fonts are ever loaded, and only after
 * their tables were checked; text is made drawable before it is handed over; numbers that are not finite or far off any page
 * are refused instead of clamped; dashes are whole; errors are sticky and asked for once (haru_check); dates come from the
 * caller, so that bytes are reproducible. Coordinates are pt from the lower left of the page, as PDF has them. */
struct haru {
    HPDF_Doc doc;
    HPDF_Page page; /* where drawing goes */
    HPDF_Font font[FONT_COUNT];
    int font_fd[FONT_COUNT];
    bool bad_number; /* somebody drew a NaN or an absurd coordinate */
};

int haru_open(struct haru *h, struct error *e);
void haru_close(struct haru *h); /* forgives a half-opened one */

/* Adds a page and turns to it. */
HPDF_Page haru_add_page(struct haru *h, double width, double height);
void haru_turn_to(struct haru *h, HPDF_Page page);

/* 0 if every call so far succeeded. */
int haru_check(const struct haru *h, struct error *e);
/* The whole file; free with free(). */
int haru_save(struct haru *h, void **ret, size_t *ret_n, struct error *e);

/* --- drawing ------------------------------------------------------------------------------------------------------- */
/* The number as libharu takes it; one that has no place on a page becomes 0 and fails the document. */
HPDF_REAL haru_real(struct haru *h, double v);
void haru_fill_rgb(struct haru *h, uint32_t rgb);
void haru_stroke_rgb(struct haru *h, uint32_t rgb);
/* 0-terminated whole numbers in pt, at most 8; NULL: solid. */
void haru_dash(struct haru *h, const int *dash);
/* A rectangle as path; (x, y) is its lower left corner. */
void haru_box(struct haru *h, double x, double y, double width, double height);

struct haru_type {
    enum font_weight weight;
    double size; /* pt */
};
/* Baseline at (x, y) in the current fill colour; returns the width in pt (font_width). */
double haru_text(struct haru *h, double x, double y, const char *text, struct haru_type type);
/* Text between these two is seen, but neither searched nor copied: halos. */
void haru_unread_begin(struct haru *h);
void haru_unread_end(struct haru *h);

/* --- the document (haru_link.c) ------------------------------------------------------------------------------------ */
struct haru_info {
    const char *title, *subject, *creator, *keywords; /* NULL: none */
    const char *language;                             /* "en" */
    int64_t created_ns;                               /* since 1970, UTC */
};
void haru_set_info(struct haru *h, const struct haru_info *info);

/* A place to jump to: the viewer keeps its zoom and puts `top` at the upper edge. */
struct haru_place {
    HPDF_Page page;
    double top;
};
struct haru_area {
    double x, y, width, height; /* (x, y): lower left */
};
/* Links on the current page, without a frame. */
void haru_link(struct haru *h, const struct haru_area *area, const struct haru_place *to);
void haru_link_url(struct haru *h, const struct haru_area *area, const char *url);
/* An entry of the outline, under parent or (NULL) at the top. */
HPDF_Outline haru_outline(struct haru *h, HPDF_Outline parent, const char *title,
                          const struct haru_place *to);
