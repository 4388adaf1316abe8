#include "report/pdf.h"

#include "report/pdf_parts.h"

static void start_flow(struct pdf *p, struct flow *f)
{
    *f = (struct flow) { .x = p->sheet.left, .width = p->sheet.text_width };
    p->flow = f;
}

static void append(struct flow *to, struct flow *from)
{
    for (size_t i = 0; i < from->items.n; i++)
        *array_push(&to->items) = from->items.at[i];
    array_free(&from->items);
}

/* --- laying out ---------------------------------------------------------------------------------------------------- */

/* Returns the pages it takes. */
static size_t try_cover(struct pdf *p, struct flow *f, unsigned tight)
{
    struct flow placed = { 0 };
    array_free(&f->items);
    start_flow(p, f);
    p->landmarks.n = 0;
    p->tight = tight;
    pdf_cover(p);
    size_t pages = flow_break(p, f, &placed);
    array_free(&placed.items);
    return pages;
}

/* The cover is drawn closer until it is one page; what fits no page is drawn roomily on several. */
static size_t lay_cover(struct pdf *p, struct flow *f)
{
    for (unsigned tight = 0; tight <= TIGHTEST; tight++)
        if (try_cover(p, f, tight) == 1)
            return 1;
    return try_cover(p, f, 0);
}

static void lay_out(struct pdf *p, struct flow *ret)
{
    struct flow all = { 0 }, contents = { 0 }, body = { 0 };
    size_t cover_pages = lay_cover(p, &all);
    start_flow(p, &body);
    pdf_blocks(p, p->d->first, NULL);
    start_flow(p, &contents);
    pdf_contents(p, cover_pages == 1);
    append(&all, &contents);
    append(&all, &body);
    p->n_pages = flow_break(p, &all, ret);
    array_free(&all.items);
}

/* --- the file ------------------------------------------------------------------------------------------------------ */

static void set_info(struct pdf *p)
{
    const struct document *d = p->d;
    const struct haru_info info = {
        .title = d->title,
        .subject = d->description,
        .creator = arena_printf(p->arena, "qdepth %s", d->version ? d->version : ""),
        .keywords = d->data_hash ? arena_printf(p->arena, "data %s", d->data_hash) : NULL,
        .language = "en",
        .created_ns = p->o->created_ns,
    };
    haru_set_info(&p->h, &info);
}

static int write_file(struct pdf *p, void **ret, size_t *ret_n, struct error *e)
{
    struct flow placed = { 0 };
    int rc = haru_open(&p->h, e);
    if (!rc) {
        lay_out(p, &placed);
        rc = pages_draw(p, &placed, e);
    }
    if (!rc) {
        pdf_outline(p);
        set_info(p);
        rc = haru_save(&p->h, ret, ret_n, e);
    }
    array_free(&placed.items);
    array_free(&p->landmarks);
    haru_close(&p->h);
    return rc ? -1 : 0;
}

int pdf_write(const struct document *d, const struct pdf_options *o, void **ret, size_t *ret_n,
              struct error *e)
{
    struct pdf p = { .h = { .font_fd = { -1, -1 } }, .d = d, .o = o };
    p.theme = theme_find("print");
    sheet_init(&p.sheet, o->paper);
    p.arena = arena_new();
    int rc = write_file(&p, ret, ret_n, e);
    arena_free(p.arena);
    return rc ? error_wrap(e, "cannot write the PDF") : 0;
}
