#pragma once
#include "base/array.h"
#include "chart/canvas_haru.h"
#include "report/pdf.h"

/* The parts of the PDF, each in its pdf_NAME.c. All lengths are pt; y runs down from the upper edge of the page. The document
 * becomes a flow of items (lines, rows of tables, figures) that know their height; the flow is broken into pages; then every
 * page gets its head, all items are drawn in order, and every page gets its foot. So page numbers are known when contents are
 * drawn, text stands in the file in reading order, and charts are drawn one after the other. */
struct pdf;

struct area {
    double x, y, width, height;
};

/* --- pdf_pen.c: drawing on the current page ------------------------------------------------------------------------ */
struct type {
    enum font_weight weight;
    double size, leading;
    enum ink ink;
};
/* mock/tokens.md §2 */
extern const struct type type_title, type_section, type_heading, type_verdict, type_lead, type_body,
    type_table, type_caption, type_finding, type_fact, type_code, type_key, type_contents;

struct type type_medium(struct type t);
struct type type_ink(struct type t, enum ink ink);
/* Baseline of a line of text whose top is at y. */
double type_baseline(const struct type *t, double y);

/* Both return the width. */
double pen_text(struct pdf *p, double x, double base, const char *text, const struct type *t);
double pen_text_right(struct pdf *p, double x, double base, const char *text, const struct type *t);
void pen_fill(struct pdf *p, const struct area *at, struct paint paint);
void pen_frame(struct pdf *p, const struct area *at, double width, struct paint paint);
/* A horizontal line, its upper edge at y. */
void pen_rule(struct pdf *p, const struct area *at, struct paint paint);
/* Dots from x to x + width on the line y. */
void pen_dots(struct pdf *p, double x, double y, double width);
/* A scene at 0.75 pt a px, scaled by `scale`. */
int pen_scene(struct pdf *p, const struct scene *s, double x, double y, double scale,
              struct error *e);

/* --- pdf_text.c: running text in lines ----------------------------------------------------------------------------- */
struct piece {
    const char *text, *href;
    double x, width;
    struct type type;
    bool code;
};
struct set_line {
    struct piece *at;
    size_t n;
    double width;
};
struct typeset {
    struct set_line *at;
    size_t n;
};
/* Greedy lines, ragged right, broken at spaces, and inside a word only if it alone is wider. */
struct typeset typeset_rich(struct arena *a, const struct rich *r, const struct type *t,
                            double width);
struct typeset typeset_text(struct arena *a, const char *text, const struct type *t, double width);
/* Lines of a program: line breaks and blanks count. */
struct typeset typeset_code(struct arena *a, const char *text, const struct type *t, double width);
/* The widest word, and all on one line. */
struct extent {
    double word, line;
};
struct extent typeset_extent(const char *text, const struct type *t);
void pen_line(struct pdf *p, const struct set_line *l, double x, double base);

/* --- pdf_flow.c: items and their pages ----------------------------------------------------------------------------- */
struct item;
typedef int item_draw(struct pdf *p, const struct item *i, struct error *e);
enum item_kind { ITEM_PLAIN, ITEM_COLUMNS, ITEM_NEXT_COLUMN, ITEM_END_COLUMNS };
struct slot {
    struct item *item;
};
struct repeat {
    const struct slot *at;
    size_t n;
};
struct item {
    enum item_kind kind;
    double before; /* space above, left out at the top of a page and of a column */
    double x, width, height;
    bool keep; /* on the page of the item after it */
    bool new_page;
    bool heading;                /* what follows stands close to it */
    const struct repeat *repeat; /* what stands above it when it begins a page */
    const struct item *group;    /* a row that stands below that */
    item_draw *draw;
    const void *what;
    /* set when pages are made */
    size_t page;
    double y;
    bool continued; /* a copy of repeat or group */
};
/* A place to jump to, or (with a title) an entry of the contents as well. */
struct landmark {
    const char *id; /* NULL: contents only */
    const char *title;
    unsigned number, level; /* contents: level 1 or 2; number 0: none */
    const struct item *item;
};
struct flow {
    ARRAY(struct slot) items;
    double x, width; /* of items to come */
    const struct repeat *repeat;
    const struct item *group;
};
struct item *flow_add(struct pdf *p, double before, double height, item_draw *draw,
                      const void *what);
/* `before`: space above columns. */
void flow_mark(struct pdf *p, enum item_kind kind, double before);
/* Both name the next item; id may be NULL. */
void flow_anchor(struct pdf *p, const char *id);
void flow_entry(struct pdf *p, unsigned level, unsigned number, const char *title);
/* Items added between these two stand in no flow, but are what `ret` repeats. */
struct aside {
    struct flow *flow, copies;
};
void aside_begin(struct pdf *p, struct aside *a);
void aside_end(struct pdf *p, struct aside *a, struct repeat *ret);
/* What the margins leave of a page. */
struct sheet {
    double width, height;          /* of the paper */
    double left, text_width;       /* between the margins */
    double top, cover_top, bottom; /* y of the first and last line */
};
/* Gives every item its page (from 0) and y; *ret: the items in drawing order, copies included. Returns the pages. */
size_t flow_break(struct pdf *p, const struct flow *f, struct flow *ret);

/* --- the document -------------------------------------------------------------------------------------------------- */
enum { TIGHTEST = 2 };
struct pdf {
    struct haru h;
    const struct document *d;
    const struct pdf_options *o;
    const struct theme *theme;
    struct arena *arena; /* dies with the file */
    struct sheet sheet;
    struct flow *flow; /* that grows */
    ARRAY(struct landmark) landmarks;
    HPDF_Page *pages;
    size_t n_pages;
    unsigned tight; /* 0 roomy .. TIGHTEST: the cover */
};

/* pdf_page.c */
void sheet_init(struct sheet *s, const char *paper);
int pages_draw(struct pdf *p, const struct flow *f, struct error *e);

/* pdf_block.c */
enum frame { FRAME_NONE, FRAME_WARNING, FRAME_CODE };
struct prose {
    struct type type;
    double before;  /* above the first line */
    double measure; /* the widest a line may be; 0: the column */
    double indent;
    const char *label; /* at the left of the first line: a bullet, a key */
    int slot;          /* series marker before the first line */
    enum frame frame;
    bool frame_top, frame_bottom; /* these lines begin, end the box */
    bool keep;                    /* with what follows */
};
void pdf_rich(struct pdf *p, const struct rich *r, const struct prose *style);
void pdf_words(struct pdf *p, const char *text, const struct prose *style);
/* The rule and heading of a section; number 0: none. */
struct item *pdf_section_head(struct pdf *p, unsigned number, const char *title);
void pdf_heading(struct pdf *p, const char *title, bool keep);
/* From first to before `end` (NULL: all). */
void pdf_blocks(struct pdf *p, const struct block *first, const struct block *end);

/* pdf_table.c */
void pdf_table(struct pdf *p, const struct table *t, double before);

/* pdf_figure.c */
void pdf_figure(struct pdf *p, const struct figure *f);
/* A bar chart with a title of its own, which may be one of a run. */
bool pdf_is_bars(const struct block *b);
/* The run of bar charts that begins with b; returns its last block. The words their captions share stand above the first. */
const struct block *pdf_figures(struct pdf *p, const struct block *b);

/* pdf_cover.c, pdf_contents.c */
void pdf_cover(struct pdf *p);
void pdf_contents(struct pdf *p, bool new_page);
void pdf_outline(struct pdf *p);

/* pdf_link.c */
void pen_link(struct pdf *p, const char *href, const struct area *at);
bool flow_place(struct pdf *p, const struct item *i, struct haru_place *ret);
void pen_link_to(struct pdf *p, const struct item *i, const struct area *at);

/* pdf_icon.c: small drawings; x is their left edge, y their middle. */
extern const double marker_width, swatch_width, symbol_width, strip_width;
int pen_marker(struct pdf *p, double x, double y, int slot, struct error *e);
int pen_swatch(struct pdf *p, double x, double y, int slot, struct error *e);
int pen_symbol(struct pdf *p, double x, double y, enum verdict_symbol symbol, struct error *e);
