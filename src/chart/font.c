#include "chart/font.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <ft2build.h>
#include FT_FREETYPE_H

#include "base/embed.h"
#include "base/utf8.h"
#include "chart/glyph.h"
#include "chart/text.h"

enum { CACHED = 0x500, UNKNOWN = -1 };

struct face {
    FT_Face ft;
    int32_t advance[CACHED]; /* font units; UNKNOWN: not looked up yet */
};

static FT_Library library;
static struct face faces[FONT_COUNT];
static const char *const names[FONT_COUNT] = { "fonts/sans-400.ttf", "fonts/sans-500.ttf" };

const void *font_bytes(enum font_weight w, size_t *ret_n)
{
    const struct embed_row *row = embed_find(names[w]);
    if (!row) {
        abort(); /* the build embeds both fonts */
    }
    *ret_n = (size_t)(row->end - row->at);
    return row->at;
}

static struct face *face_of(enum font_weight w)
{
    struct face *f = &faces[w];
    if (f->ft) {
        return f;
    }
    size_t n = 0;
    const FT_Byte *bytes = font_bytes(w, &n);
    if ((!library && FT_Init_FreeType(&library) != 0) ||
        FT_New_Memory_Face(library, bytes, (FT_Long)n, 0, &f->ft) != 0) {
        abort(); /* our own font; only exhausted memory leads here */
    }
    for (size_t i = 0; i < CACHED; i++) {
        f->advance[i] = UNKNOWN;
    }
    return f;
}

void *font_face(enum font_weight w)
{
    return face_of(w)->ft;
}

void font_reset(void)
{
    glyph_reset();
    for (size_t i = 0; i < FONT_COUNT; i++) {
        if (faces[i].ft) {
            FT_Done_Face(faces[i].ft);
            faces[i].ft = NULL;
        }
    }
    if (library) {
        FT_Done_FreeType(library);
        library = NULL;
    }
}

bool font_has(enum font_weight w, unsigned codepoint)
{
    return FT_Get_Char_Index(face_of(w)->ft, codepoint) != 0;
}

static int32_t advance_of(struct face *f, uint32_t cp)
{
    if (cp < CACHED && f->advance[cp] != UNKNOWN) {
        return f->advance[cp];
    }
    FT_UInt glyph = FT_Get_Char_Index(f->ft, cp);
    int32_t advance = 0;
    if (FT_Load_Glyph(f->ft, glyph, FT_LOAD_NO_SCALE | FT_LOAD_NO_BITMAP) == 0) {
        advance = (int32_t)f->ft->glyph->metrics.horiAdvance;
    }
    if (cp < CACHED) {
        f->advance[cp] = advance;
    }
    return advance;
}

double font_advance(enum font_weight w, double size, uint32_t codepoint)
{
    struct face *f = face_of(w);
    return (double)advance_of(f, codepoint) * size / (double)f->ft->units_per_EM;
}

double font_width(enum font_weight w, double size, const char *text)
{
    struct face *f = face_of(w);
    int64_t units = 0;
    const char *s = text;
    for (uint32_t cp = utf8_next(&s); cp != 0; cp = utf8_next(&s)) {
        uint32_t drawn = text_drawn(w, cp);
        if (drawn != 0) {
            units += advance_of(f, drawn);
        }
    }
    return (double)units * size / (double)f->ft->units_per_EM;
}

double font_ascent(enum font_weight w, double size)
{
    struct face *f = face_of(w);
    return (double)f->ft->ascender * size / (double)f->ft->units_per_EM;
}
