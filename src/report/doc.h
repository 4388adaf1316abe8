#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"
#include "chart/panel.h"

/* The document: what a report says, without how it looks. report/build makes it from a template and stored data; the HTML
 * and the PDF renderer print the same one. Everything lives in one arena. Texts are UTF-8, already formatted by base/fmt.
 *
 * A document is a tree: struct block has children only where its kind says so. */

/* --- running text -------------------------------------------------------------------------------------------------- */
enum run_style { RUN_PLAIN, RUN_STRONG, RUN_SOFT, RUN_CODE, RUN_LINK };
struct text_run {
    enum run_style style;
    const char *text;
    const char *href; /* RUN_LINK: "#id" inside the document, or a URL */
};
struct rich {
    struct text_run *at;
    size_t n, cap;
};
/* Append; arena-backed, strings are not copied. */
void rich_put(struct rich *r, struct arena *a, enum run_style style, const char *text);
void rich_link(struct rich *r, struct arena *a, const char *text, const char *href);
void rich_printf(struct rich *r, struct arena *a, enum run_style style, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
const char *rich_plain(const struct rich *r, struct arena *a); /* the words alone */

/* --- tables -------------------------------------------------------------------------------------------------------- */
/* A column whose cells have a detail is drawn as two, value and detail, so that both align. In a scorecard the cell that has a
 * strip is the advantage: text "8.58×", detail "[8.45, 8.72]"; its column has head "Advantage" and subhead "95 % interval";
 * the drawn strip stands before it, its dot follows the CELL_VERDICT of the same row. Marks get a slot in every cell of a
 * column that has one; hidden digits align the decimals of a column. */
enum align { ALIGN_TEXT, ALIGN_NUMBER };
struct column {
    const char *head;
    const char *subhead; /* unit or second line; may be NULL */
    const char *group;   /* columns of equal group share a head above; may be NULL */
    enum align align;
    bool row_head;    /* <th scope=row> */
    int slot;         /* series marker before the head; 0 = none */
    bool highlighted; /* the device under test's column */
};
enum cell_kind {
    CELL_VALUE,
    CELL_GAP /* text = reason; span 0: over all columns the cells after it leave free */,
    CELL_EMPTY,
    CELL_VERDICT
};
enum verdict_symbol { SYMBOL_NONE, SYMBOL_AHEAD, SYMBOL_BEHIND, SYMBOL_SAME, SYMBOL_UNKNOWN };
struct table_cell {
    enum cell_kind kind;
    const char *text;
    const char *detail; /* smaller, behind or under the text: interval, direction; may be NULL */
    const char *mark;   /* "†", "‡": slot of fixed width after the digits */
    const char *href;
    int slot; /* series marker before the text */
    bool best;
    enum verdict_symbol symbol;
    int span;     /* columns, 0 = 1 */
    double strip; /* scorecard: advantage drawn on a log strip (> 1 better); NaN or 0 = none */
    double strip_low, strip_high;
};
enum row_kind { ROW_NORMAL, ROW_GROUP, ROW_HIGHLIGHT };
struct table_row {
    enum row_kind kind;
    const char *detail; /* group rows: lighter text after the name */
    const struct table_cell *cells;
    size_t n_cells;
    int slot; /* ROW_HIGHLIGHT: colour of the bar at its left */
};
enum table_role {
    TABLE_PLAIN,
    TABLE_SCORECARD,
    TABLE_DATA /* behind a figure */,
    TABLE_FACTS /* key and value */,
    TABLE_FULL
};
struct table {
    enum table_role role;
    const char *id;
    struct rich caption;
    const struct column *columns;
    size_t n_columns;
    const struct table_row *rows;
    size_t n_rows;
};

/* --- figures ------------------------------------------------------------------------------------------------------- */
struct figure {
    unsigned number;       /* given by doc_number */
    const char *id, *slug; /* slug: file name of charts/SLUG.svg */
    const char *title;     /* h3 */
    struct rich lead;      /* one or two sentences of finding under the title; may be empty */
    const struct panel *const *panels;
    size_t n_panels;
    bool bars;
    const struct panel *const
        *linear; /* twins of `panels` with linear axes for the switch; NULL entries keep the panel;
                                          NULL = no switch */
    struct rich caption;     /* without "Figure n." */
    const char *how_to_read; /* may be NULL */
    const struct table *data;
    unsigned heading_level; /* 3 or 4; 0: the title is not printed above the panels */
};

/* --- blocks -------------------------------------------------------------------------------------------------------- */
enum block_kind {
    BLOCK_SECTION,   /* title, id, children; numbered */
    BLOCK_PARAGRAPH, /* text */
    BLOCK_LEAD,      /* text, larger */
    BLOCK_NOTE,      /* text, small */
    BLOCK_HEADING,   /* title: h3 inside a section */
    BLOCK_TABLE,
    BLOCK_FIGURE,
    BLOCK_WARNINGS, /* title (may be NULL) and warnings */
    BLOCK_FACTS,    /* facts: definition list */
    BLOCK_CODE,     /* title (may be NULL) and code */
    BLOCK_TESTED, /* a section drawn as a box of two columns: children left, children right after BLOCK_SPLIT */
    BLOCK_SPLIT,
    BLOCK_DETAILS, /* title, children: folded in HTML, open in print */
    BLOCK_LIST,    /* items: bullets */
};
struct warning {
    const char *what; /* bold sentence */
    struct rich text;
};
struct doc_fact {
    const char *key; /* NULL: one more value of the key before */
    struct rich value;
    int slot; /* series marker before the value */
};
struct block {
    enum block_kind kind;
    const char *id, *title;
    unsigned number; /* sections: given by doc_number */
    struct rich text;
    const struct table *table;
    struct figure *figure;
    const struct warning *warnings;
    size_t n_warnings;
    const struct doc_fact *facts;
    size_t n_facts;
    const char *code;
    const struct rich *items;
    size_t n_items;
    struct block *first, *next; /* children; next sibling */
};

struct key_entry {
    struct series series;
    const char *note; /* "device under test", "imported from …"; may be NULL */
};

struct document {
    const char *title;
    const char *kicker; /* "Storage comparison" */
    const char *notice; /* boxed, e.g. "interrupted run: 3 of 30 cells missing"; may be NULL */
    const char
        *meta; /* "Run oltp · 14 March 2026, 09:26 UTC · 29 of 30 cells measured · one run each" */
    const char *description; /* for <meta name=description> and PDF info */
    struct rich verdict;     /* first run strong, last soft */
    const struct key_entry *keys;
    size_t n_keys;
    const struct table *scorecard; /* may be NULL */
    struct figure *headline;       /* may be NULL */
    struct block *first;           /* sections and boxes in order */
    const char *version, *data_hash, *run_names;
};

/* Appends a child block to parent (NULL: to the document's top) and returns it. */
struct block *doc_block(struct document *d, struct arena *a, struct block *parent,
                        enum block_kind kind);
/* Numbers top-level sections and figures in order of appearance, checks that ids (letters, digits, "-", "_", "."; not "qd-…",
 * which are the renderer's) are unique, that hrefs "#…" resolve and others are http(s) or relative (QD_E_FAIL: a defect of
 * the template or of ours). Call once when the document is complete. */
int doc_number(struct document *d, struct error *e);
/* Calls fn for every figure in order (headline first). */
int doc_figures(const struct document *d,
                int (*fn)(void *ctx, const struct figure *f, struct error *e), void *ctx,
                struct error *e);
