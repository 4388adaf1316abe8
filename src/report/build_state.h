#pragma once
#include "base/array.h"
#include "report/build.h"
#include "report/standing.h"

/* What build*.c share while a document is made. */
struct building {
    struct arena *a;
    const struct build_input *in;
    const struct report_data *d;
    struct document *doc;
    const struct point_standing *st;
    struct checks checks;
    struct block *warnings; /* filled when all gaps are known; NULL: the template has none */
    ARRAY(struct warning) gaps;
    /* where the walk is */
    const struct report_workload *workload; /* NULL: in no loop */
    const struct group_point *point;
    size_t subject; /* SIZE_MAX: in no loop */
};

/* build_text.c: the running text of a template node. */
struct rich build_rich(struct building *b, const struct template_node *n);
/* A text with its {placeholders} replaced. */
const char *build_pattern(struct building *b, const char *text);

/* build_parts.c: parts made from the data alone. */
void build_head(struct building *b);
void build_summary(struct building *b, struct block *parent);
void build_method(struct building *b, struct block *parent);
void build_commands(struct building *b, struct block *parent, const char *title);
void build_matrix(struct building *b, struct block *parent, const char *title);

/* build_links.c: generated links (warnings, captions, notes) to parts that this template does not show become plain text. Links
 * an author wrote are left to doc_number. */
void build_drop_dead_links(struct building *b);
