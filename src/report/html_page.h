#pragma once
#include "report/html.h"
#include "report/html_tags.h"
#include "report/strip.h"

/* The parts of the page, each in its html_NAME.c. Ids of the renderer's own begin with "qd-". Class names are
 * those of templates/report/{page,table,medium}.css; a series' colour comes from class cN, which sets --c. */
struct page {
    struct tags t;
    const struct document *d;
    const struct html_options *o;
    struct arena *arena; /* dies with the page */
};

/* html_style.c: the sheet of this page (fonts, colours, rules for its targets, the embedded sheets), the script, and the policy that
 * names both by hash. All depend on the targets' slots alone. */
struct page_code {
    struct str style, script;
    char policy[384];
};
int page_code_make(const struct document *d, struct page_code *ret, struct error *e);
void page_code_done(struct page_code *c);

/* html_icon.c: small drawings. Markers and key swatches are drawn once into a sheet and used by reference. */
int icon_sheet(struct page *p, struct error *e);
void icon_marker(struct page *p, int slot); /* nothing for slot 0 */
void icon_swatch(struct page *p, int slot);
void icon_verdict(struct page *p, enum verdict_symbol symbol);
const char *slot_class(int slot); /* "c1".."c8", NULL for slot 0 */

/* html_strip.c: the drawn advantage of a scorecard. */
void strip_head(struct page *p, const struct strip *s);
void strip_cell(struct page *p, const struct strip *s, const struct table_cell *c,
                enum verdict_symbol symbol);

/* html_table.c, html_figure.c, html_block.c */
void page_rich(struct page *p, const struct rich *r);
void page_table(struct page *p, const struct table *t,
                const char *name); /* name: of the scroll region; NULL: the caption */
int page_figure(struct page *p, const struct figure *f, struct error *e);
int page_blocks(struct page *p, const struct block *first, struct error *e);
