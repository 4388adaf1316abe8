#include "chart/sfnt.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/array.h"

enum { HEADER = 12, ENTRY = 16, ADJUSTMENT = 8 };

static uint32_t u32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Sum of big-endian words, the last one filled up with zeros. */
static uint32_t sum_of(const uint8_t *at, size_t n)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i += 4) {
        uint8_t word[4] = { 0 };
        memcpy(word, at + i, n - i < 4 ? n - i : 4);
        sum += u32(word);
    }
    return sum;
}

static int check_table(const uint8_t *font, size_t n, const uint8_t *entry, struct error *e)
{
    char tag[5] = { 0 };
    memcpy(tag, entry, 4);
    uint32_t offset = u32(entry + 8), length = u32(entry + 12);
    if (offset > n || length > n - offset)
        return error_set(e, QD_E_FORMAT, "font table '%s' ends after the file", tag);
    uint32_t sum = sum_of(font + offset, length);
    if (!strcmp(tag, "head") && length >= ADJUSTMENT + 4)
        sum -= u32(font + offset + ADJUSTMENT);
    if (sum != u32(entry + 4))
        return error_set(e, QD_E_FORMAT, "font table '%s' is damaged", tag);
    return 0;
}

static bool has_table(const uint8_t *font, size_t tables, const char *tag)
{
    for (size_t i = 0; i < tables; i++)
        if (!memcmp(font + HEADER + i * ENTRY, tag, 4))
            return true;
    return false;
}

int sfnt_check(const void *bytes, size_t n, struct error *e)
{
    static const char *const needed[] = { "head", "hhea", "maxp", "cmap", "hmtx",
                                          "loca", "glyf", "name", "OS/2", "post" };
    const uint8_t *font = bytes;
    if (n < HEADER || u32(font) != 0x00010000)
        return error_set(e, QD_E_FORMAT, "not a TrueType font");
    size_t tables = (size_t)(font[4] << 8 | font[5]);
    if (tables > (n - HEADER) / ENTRY)
        return error_set(e, QD_E_FORMAT, "the font's list of tables ends after the file");
    for (size_t i = 0; i < tables; i++)
        if (check_table(font, n, font + HEADER + i * ENTRY, e))
            return -1;
    for (size_t i = 0; i < countof(needed); i++)
        if (!has_table(font, tables, needed[i]))
            return error_set(e, QD_E_FORMAT, "the font has no table '%s'", needed[i]);
    return 0;
}
