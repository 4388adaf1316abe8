#include "report/doc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

static struct text_run *rich_grow(struct rich *r, struct arena *a)
{
    if (r->n == r->cap) {
        size_t cap = r->cap ? 2 * r->cap : 4;
        struct text_run *at = arena_array(a, struct text_run, cap);
        if (r->n)
            memcpy(at, r->at, r->n * sizeof *at);
        r->at = at;
        r->cap = cap;
    }
    return &r->at[r->n++];
}

void rich_put(struct rich *r, struct arena *a, enum run_style style, const char *text)
{
    *rich_grow(r, a) = (struct text_run) { .style = style, .text = text };
}

void rich_link(struct rich *r, struct arena *a, const char *text, const char *href)
{
    *rich_grow(r, a) = (struct text_run) { .style = RUN_LINK, .text = text, .href = href };
}

void rich_printf(struct rich *r, struct arena *a, enum run_style style, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    struct str s = str_new(64 << 20);
    str_vprintf(&s, fmt, ap);
    va_end(ap);
    rich_put(r, a, style, arena_strndup(a, s.at, s.n));
    str_done(&s);
}

const char *rich_plain(const struct rich *r, struct arena *a)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        n += strlen(r->at[i].text);
    char *out = arena_alloc(a, n + 1);
    char *p = out;
    for (size_t i = 0; i < r->n; i++) {
        size_t len = strlen(r->at[i].text);
        memcpy(p, r->at[i].text, len);
        p += len;
    }
    return out;
}

struct block *doc_block(struct document *d, struct arena *a, struct block *parent,
                        enum block_kind kind)
{
    struct block **end = parent ? &parent->first : &d->first;
    while (*end)
        end = &(*end)->next;
    *end = arena_one(a, struct block);
    (*end)->kind = kind;
    return *end;
}

/* --- walking ------------------------------------------------------------------------------------------------------ */

/* What a walk tells of; each may be NULL. */
struct visitor {
    int (*id)(void *ctx, const char *id, struct error *e);
    int (*href)(void *ctx, const char *href, struct error *e);
    void *ctx;
};

static int visit_id(const struct visitor *v, const char *id, struct error *e)
{
    return id && v->id ? v->id(v->ctx, id, e) : 0;
}

static int visit_rich(const struct visitor *v, const struct rich *r, struct error *e)
{
    for (size_t i = 0; v->href && i < r->n; i++)
        if (r->at[i].style == RUN_LINK && v->href(v->ctx, r->at[i].href, e))
            return -1;
    return 0;
}

static int visit_table(const struct visitor *v, const struct table *t, struct error *e)
{
    if (!t)
        return 0;
    if (visit_id(v, t->id, e) || visit_rich(v, &t->caption, e))
        return -1;
    for (size_t i = 0; i < t->n_rows; i++)
        for (size_t j = 0; j < t->rows[i].n_cells; j++) {
            const char *href = t->rows[i].cells[j].href;
            if (href && v->href && v->href(v->ctx, href, e))
                return -1;
        }
    return 0;
}

static int visit_figure(const struct visitor *v, const struct figure *f, struct error *e)
{
    if (!f)
        return 0;
    return visit_id(v, f->id, e) || visit_rich(v, &f->lead, e) || visit_rich(v, &f->caption, e) ||
                   visit_table(v, f->data, e)
               ? -1
               : 0;
}

static int visit_blocks(const struct visitor *v, const struct block *b, struct error *e)
{
    for (; b; b = b->next) {
        if (visit_id(v, b->id, e) || visit_rich(v, &b->text, e) || visit_table(v, b->table, e) ||
            visit_figure(v, b->figure, e))
            return -1;
        for (size_t i = 0; i < b->n_warnings; i++)
            if (visit_rich(v, &b->warnings[i].text, e))
                return -1;
        for (size_t i = 0; i < b->n_facts; i++)
            if (visit_rich(v, &b->facts[i].value, e))
                return -1;
        for (size_t i = 0; i < b->n_items; i++)
            if (visit_rich(v, &b->items[i], e))
                return -1;
        if (visit_blocks(v, b->first, e))
            return -1;
    }
    return 0;
}

static int visit_document(const struct visitor *v, const struct document *d, struct error *e)
{
    return visit_rich(v, &d->verdict, e) || visit_table(v, d->scorecard, e) ||
                   visit_figure(v, d->headline, e) || visit_blocks(v, d->first, e)
               ? -1
               : 0;
}

/* --- numbers, ids and links --------------------------------------------------------------------------------------- */

struct id_list {
    ARRAY(const char *) ids;
};

static int collect_id(void *ctx, const char *id, struct error *e)
{
    struct id_list *l = ctx;
    size_t ok = strspn(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.");
    if (!*id || id[ok])
        return error_set(e, QD_E_FAIL, "cannot number the document: '%s' is not an id", id);
    if (!strncmp(id, "qd-", 3))
        return error_set(e, QD_E_FAIL, "cannot number the document: the id '%s' is reserved", id);
    *array_push(&l->ids) = id;
    return 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int check_unique(struct id_list *l, struct error *e)
{
    if (l->ids.n)
        qsort(l->ids.at, l->ids.n, sizeof *l->ids.at, by_text);
    for (size_t i = 1; i < l->ids.n; i++)
        if (!strcmp(l->ids.at[i - 1], l->ids.at[i]))
            return error_set(e, QD_E_FAIL, "cannot number the document: the id '%s' is used twice",
                             l->ids.at[i]);
    return 0;
}

/* A relative address has no scheme: no colon before its first slash. */
static bool href_is_relative(const char *href)
{
    return href[0] != '/' && !strchr("/?#", href[0]) && href[strcspn(href, ":/")] != ':';
}

static int check_href(void *ctx, const char *href, struct error *e)
{
    struct id_list *l = ctx;
    if (!href)
        return error_set(e, QD_E_FAIL, "cannot number the document: a link has no address");
    if (href[0] == '#') {
        const char *id = href + 1;
        if (l->ids.n && bsearch(&id, l->ids.at, l->ids.n, sizeof *l->ids.at, by_text))
            return 0;
        return error_set(e, QD_E_FAIL,
                         "cannot number the document: no part has the id of link '%s'", href);
    }
    if (!strncmp(href, "https://", 8) || !strncmp(href, "http://", 7) || href_is_relative(href))
        return 0;
    return error_set(e, QD_E_FAIL, "cannot number the document: link to '%s' is not allowed", href);
}

static unsigned number_figures(struct block *b, unsigned n)
{
    for (; b; b = b->next) {
        if (b->figure)
            b->figure->number = ++n;
        n = number_figures(b->first, n);
    }
    return n;
}

int doc_number(struct document *d, struct error *e)
{
    if (d->headline)
        d->headline->number = 1;
    number_figures(d->first, d->headline ? 1 : 0);
    unsigned section = 0;
    for (struct block *b = d->first; b; b = b->next)
        if (b->kind == BLOCK_SECTION || b->kind == BLOCK_TESTED)
            b->number = ++section;

    struct id_list l = { 0 };
    struct visitor ids = { .id = collect_id, .ctx = &l };
    struct visitor hrefs = { .href = check_href, .ctx = &l };
    int rc = visit_document(&ids, d, e) || check_unique(&l, e) || visit_document(&hrefs, d, e);
    array_free(&l.ids);
    return rc ? -1 : 0;
}

typedef int figure_fn(void *ctx, const struct figure *f, struct error *e);

static int figures_of(const struct block *b, figure_fn *fn, void *ctx, struct error *e)
{
    for (; b; b = b->next)
        if ((b->figure && fn(ctx, b->figure, e)) || figures_of(b->first, fn, ctx, e))
            return -1;
    return 0;
}

int doc_figures(const struct document *d,
                int (*fn)(void *ctx, const struct figure *f, struct error *e), void *ctx,
                struct error *e)
{
    if (d->headline && fn(ctx, d->headline, e))
        return -1;
    return figures_of(d->first, fn, ctx, e);
}
