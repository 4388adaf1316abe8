#pragma once
#include "report/html_page.h"

/* Parts of the page alone, as markup in the arena; a part that fails, or does not nest, fails the test. */
const char *render_table(struct arena *a, const struct table *t);
const char *render_blocks(struct arena *a, const struct block *first);
/* The whole page. */
const char *render_page(struct arena *a, const struct document *d, const struct html_options *o);

/* A panel that draws one mark with a tooltip and keeps the look it was asked for. */
struct fake_panel {
    struct panel panel;
    struct look *seen;
    bool broken; /* a coordinate that is not finite */
};
const struct panel *fake_panel(struct arena *a, const char *title, struct look *seen);
const struct panel *broken_panel(struct arena *a);

/* A document of nothing but a title. */
struct document *bare_document(struct arena *a);
