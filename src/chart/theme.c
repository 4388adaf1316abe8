#include "chart/theme.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/array.h"

#define LIGHT                                                                                      \
    .base = {                                                                                      \
        [INK_BG] = 0xFFFFFF,    [INK_RAISE] = 0xF4F6F8, [INK_INK] = 0x1A1D21,                      \
        [INK_INK2] = 0x444B53,  [INK_INK3] = 0x5C646D,  [INK_RULE] = 0xD5DADF,                     \
        [INK_GRID] = 0xE3E7EB,  [INK_AXIS] = 0x7D868F,  [INK_DUTBG] = 0xEAF3F9,                    \
        [INK_ZOOM] = 0xEEF1F4,  [INK_WARN] = 0x7A4B00,  [INK_WARNB] = 0xB87800,                    \
        [INK_WARNBG] = 0xFFF7E6,                                                                   \
    },                                                                                             \
    .mark = { 0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0x8A6D00, 0x3A8FBF, 0x5B4FA8, 0x3C434B },    \
    .tint = { 0xD6E8F3, 0xFAE3D3, 0xD3EFE7, 0xF7E9F1, 0xF1E8CC, 0xDCEBF4, 0xE3E0F2, 0xE2E4E7 },    \
    .text = { 0x00639B, 0xA84A00, 0x00755A, 0x9E4A78, 0x6E5700, 0x256C94, 0x4F449A, 0x3C434B }

static const struct theme themes[] = {
    { .name = "light", LIGHT },
    { .name = "dark",
      .base = {
          [INK_BG] = 0x14171A,    [INK_RAISE] = 0x1D2126, [INK_INK] = 0xE9ECEF,
          [INK_INK2] = 0xB8BFC7,  [INK_INK3] = 0x98A0A9,  [INK_RULE] = 0x343A41,
          [INK_GRID] = 0x2A2F35,  [INK_AXIS] = 0x7C858F,  [INK_DUTBG] = 0x17242E,
          [INK_ZOOM] = 0x20252B,  [INK_WARN] = 0xF2C063,  [INK_WARNB] = 0xE0A030,
          [INK_WARNBG] = 0x2A2314,
      },
      .mark = { 0x4BA3E3, 0xF0803C, 0x2BB58C, 0xE093BD, 0xD6B23A, 0x8CCBEF, 0xA79BEA, 0xC3C8CE },
      .tint = { 0x1D3950, 0x4B3122, 0x1A4137, 0x45323E, 0x3D3520, 0x22384A, 0x302C4E, 0x363B41 },
      .text = { 0x6DB5EA, 0xF59A62, 0x4CC6A1, 0xE8A9CA, 0xDFC25F, 0xA3D6F3, 0xB7ADEF, 0xC3C8CE } },
    { .name = "print", LIGHT },
};

enum { ON_LIGHT = 0xFFFFFF, ON_DARK = 0x101316 };

static const char *const base_names[INK_MARK] = {
    [INK_NONE] = "none",   [INK_BG] = "bg",         [INK_RAISE] = "raise", [INK_INK] = "ink",
    [INK_INK2] = "ink2",   [INK_INK3] = "ink3",     [INK_RULE] = "rule",   [INK_GRID] = "grid",
    [INK_AXIS] = "axis",   [INK_DUTBG] = "dutbg",   [INK_ZOOM] = "zoom",   [INK_WARN] = "warn",
    [INK_WARNB] = "warnb", [INK_WARNBG] = "warnbg",
};
static const char *const series_names[INK_COUNT - INK_MARK][SERIES_SLOTS] = {
    { "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8" },
    { "s1t", "s2t", "s3t", "s4t", "s5t", "s6t", "s7t", "s8t" },
    { "s1x", "s2x", "s3x", "s4x", "s5x", "s6x", "s7x", "s8x" },
    { "on1", "on2", "on3", "on4", "on5", "on6", "on7", "on8" },
};

static const int dashes[SERIES_SLOTS][5] = {
    { 0 }, { 7, 3 }, { 2, 3 }, { 9, 3, 2, 3 }, { 12, 3 }, { 1, 3 }, { 7, 3, 1, 3 }, { 4, 2 },
};

static size_t slot_index(int slot)
{
    return slot < 1 ? 0 : (size_t)(slot - 1) % SERIES_SLOTS;
}

const struct theme *theme_find(const char *name)
{
    for (size_t i = 0; i < countof(themes); i++) {
        if (strcmp(themes[i].name, name) == 0) {
            return &themes[i];
        }
    }
    return NULL;
}

uint32_t theme_rgb(const struct theme *t, struct paint p)
{
    if (p.ink < INK_MARK) {
        return t->base[p.ink];
    }
    size_t i = slot_index(p.slot);
    uint32_t mark = t->mark[i];
    switch (p.ink) {
    case INK_TINT:
        return t->tint[i];
    case INK_TEXT:
        return t->text[i];
    case INK_ON_MARK:
        return contrast_ratio(ON_LIGHT, mark) >= contrast_ratio(ON_DARK, mark) ? ON_LIGHT : ON_DARK;
    default:
        return mark;
    }
}

static double channel(uint32_t rgb, int shift)
{
    double c = (double)((rgb >> shift) & 0xFF) / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double luminance(uint32_t rgb)
{
    return 0.2126 * channel(rgb, 16) + 0.7152 * channel(rgb, 8) + 0.0722 * channel(rgb, 0);
}

double contrast_ratio(uint32_t rgb_a, uint32_t rgb_b)
{
    double a = luminance(rgb_a) + 0.05;
    double b = luminance(rgb_b) + 0.05;
    return a > b ? a / b : b / a;
}

const char *paint_css_name(struct paint p)
{
    return p.ink < INK_MARK ? base_names[p.ink]
                            : series_names[p.ink - INK_MARK][slot_index(p.slot)];
}

void theme_css(const struct theme *t, struct str *out)
{
    for (int ink = INK_BG; ink < INK_COUNT; ink++) {
        int slots = ink < INK_MARK ? 1 : SERIES_SLOTS;
        for (int slot = 1; slot <= slots; slot++) {
            struct paint p = { (enum ink)ink, slot };
            str_printf(out, "--%s:#%06X;", paint_css_name(p), (unsigned)theme_rgb(t, p));
        }
    }
}

enum marker series_marker(int slot)
{
    return (enum marker)slot_index(slot);
}

const int *series_dash(int slot)
{
    return dashes[slot_index(slot)];
}
