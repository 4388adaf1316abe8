#include <string.h>

#include "base/utf8.h"
#include "chart/text.h"
#include "report/pdf_parts.h"

/* Running text as single characters, while its lines are found. */
struct letter {
    const char *at;
    double advance;
    unsigned run;
    unsigned char bytes;
    bool space, end; /* end: of a line of a program */
};
struct letters {
    struct letter *at;
    size_t n, cap;
    const struct text_run *runs;
    const struct type *type;
    bool code;
};

static const double rounding = 1e-6;

static struct type type_of(const struct letters *l, const struct text_run *r)
{
    struct type t = *l->type;
    switch (r->style) {
    case RUN_STRONG:
        t.weight = FONT_MEDIUM;
        t.ink = t.ink == INK_INK3 ? INK_INK : t.ink;
        break;
    case RUN_SOFT:
        t.ink = t.ink == INK_INK ? INK_INK2 : t.ink;
        break;
    case RUN_PLAIN:
    case RUN_CODE:
    case RUN_LINK:
        break;
    }
    return t;
}

static struct letters letters_of(const struct text_run *runs, size_t n, const struct type *t,
                                 bool code)
{
    struct letters l = { .runs = runs, .type = t, .code = code };
    for (size_t i = 0; i < n; i++) {
        struct type type = type_of(&l, &runs[i]);
        const char *s = runs[i].text, *from = s;
        for (uint32_t cp = utf8_next(&s); cp; from = s, cp = utf8_next(&s)) {
            uint32_t drawn = text_drawn(type.weight, cp);
            *array_push(&l) = (struct letter) {
                .at = from,
                .advance = drawn ? font_advance(type.weight, type.size, drawn) : 0,
                .run = (unsigned)i,
                .bytes = (unsigned char)(s - from),
                .space = drawn == ' ',
                .end = code && cp == '\n',
            };
        }
    }
    return l;
}

/* --- lines --------------------------------------------------------------------------------------------------------- */

/* First letter after the line that starts at `from`; *ret_next: where the next one starts. */
static size_t line_end(const struct letters *l, size_t from, double width, size_t *ret_next)
{
    double used = 0;
    size_t space = SIZE_MAX;
    bool indent = l->code && (from == 0 || l->at[from - 1].end);
    for (size_t i = from; i < l->n; i++) {
        const struct letter *c = &l->at[i];
        if (c->end) {
            *ret_next = i + 1;
            return i;
        }
        used += c->advance;
        if (!c->space && used > width + rounding && i > from) {
            *ret_next = space == SIZE_MAX ? i : space + 1;
            return space == SIZE_MAX ? i : space;
        }
        indent = indent && c->space;
        if (c->space && !indent)
            space = i;
    }
    *ret_next = l->n;
    return l->n;
}

static struct piece piece_of(struct arena *a, const struct letters *l, size_t from, size_t to)
{
    const struct text_run *run = &l->runs[l->at[from].run];
    struct piece piece = { .type = type_of(l, run),
                           .href = run->style == RUN_LINK ? run->href : NULL,
                           .code = run->style == RUN_CODE };
    size_t bytes = 0;
    for (size_t i = from; i < to; i++) {
        bytes += l->at[i].bytes;
        piece.width += l->at[i].advance;
    }
    piece.text = arena_strndup(a, l->at[from].at, bytes);
    return piece;
}

static struct set_line line_of(struct arena *a, const struct letters *l, size_t from, size_t to)
{
    struct set_line line = { 0 };
    while (to > from && l->at[to - 1].space)
        to--;
    size_t pieces = to > from;
    for (size_t i = from + 1; i < to; i++)
        pieces += l->at[i].run != l->at[i - 1].run;
    line.at = arena_array(a, struct piece, pieces);
    for (size_t i = from, end; i < to; i = end) {
        for (end = i + 1; end < to && l->at[end].run == l->at[i].run;)
            end++;
        struct piece *piece = &line.at[line.n++];
        *piece = piece_of(a, l, i, end);
        piece->x = line.width;
        line.width += piece->width;
    }
    return line;
}

static struct typeset lines_of(struct arena *a, const struct letters *l, double width)
{
    ARRAY(struct set_line) lines = { 0 };
    for (size_t from = 0, next; from < l->n; from = next) {
        bool fresh = from == 0 || l->at[from - 1].end;
        while (!(l->code && fresh) && from < l->n && l->at[from].space)
            from++;
        if (from == l->n)
            break;
        size_t to = line_end(l, from, width, &next);
        *array_push(&lines) = line_of(a, l, from, to);
    }
    struct typeset set = { .n = lines.n };
    set.at = lines.n ? arena_memdup(a, lines.at, lines.n * sizeof *lines.at) : NULL;
    array_free(&lines);
    return set;
}

static struct typeset set_runs(struct arena *a, const struct rich *r, const struct type *t,
                               double width, bool code)
{
    struct letters l = letters_of(r->at, r->n, t, code);
    struct typeset set = lines_of(a, &l, width);
    array_free(&l);
    return set;
}

struct typeset typeset_rich(struct arena *a, const struct rich *r, const struct type *t,
                            double width)
{
    return set_runs(a, r, t, width, false);
}

static struct typeset set_plain(struct arena *a, const char *text, const struct type *t,
                                double width, bool code)
{
    struct text_run run = { .text = text ? text : "" };
    const struct rich r = { .at = &run, .n = 1 };
    return set_runs(a, &r, t, width, code);
}

struct typeset typeset_text(struct arena *a, const char *text, const struct type *t, double width)
{
    return set_plain(a, text, t, width, false);
}

struct typeset typeset_code(struct arena *a, const char *text, const struct type *t, double width)
{
    return set_plain(a, text, t, width, true);
}

struct extent typeset_extent(const char *text, const struct type *t)
{
    const struct text_run run = { .text = text ? text : "" };
    struct letters l = letters_of(&run, 1, t, false);
    struct extent x = { 0 };
    double word = 0;
    for (size_t i = 0; i < l.n; i++) {
        x.line += l.at[i].advance;
        word = l.at[i].space ? 0 : word + l.at[i].advance;
        x.word = word > x.word ? word : x.word;
    }
    array_free(&l);
    return x;
}

/* --- drawing ------------------------------------------------------------------------------------------------------- */

void pen_line(struct pdf *p, const struct set_line *l, double x, double base)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct piece *piece = &l->at[i];
        const struct type *t = &piece->type;
        if (piece->code)
            pen_fill(p,
                     &(struct area) { x + piece->x - 1, base - 0.84 * t->size, piece->width + 2,
                                      1.12 * t->size },
                     (struct paint) { INK_RAISE, 0 });
        pen_text(p, x + piece->x, base, piece->text, t);
        if (piece->href)
            pen_link(p, piece->href,
                     &(struct area) { x + piece->x, base - t->size, piece->width, 1.3 * t->size });
    }
}
