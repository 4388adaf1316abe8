#include "render.h"

#include <string.h>

#include "unit.h"

enum { LIMIT = 16 << 20 };

struct document *bare_document(struct arena *a)
{
    struct document *d = arena_one(a, struct document);
    d->title = "Bare";
    d->kicker = "Storage comparison";
    d->version = "1.0.0";
    return d;
}

static const char *take(struct arena *a, struct page *p, struct str *out)
{
    assert_false(tags_failed(&p->t));
    assert_int_equal(p->t.depth, 0);
    const char *text = arena_strndup(a, out->at, out->n);
    str_done(out);
    return text;
}

static struct page page_for(struct arena *a, struct str *out)
{
    static const struct html_options o = { 0 };
    return (struct page) { .t = { .out = out }, .d = bare_document(a), .o = &o, .arena = a };
}

const char *render_table(struct arena *a, const struct table *t)
{
    struct str out = str_new(LIMIT);
    struct page p = page_for(a, &out);
    page_table(&p, t, NULL);
    return take(a, &p, &out);
}

const char *render_blocks(struct arena *a, const struct block *first)
{
    struct str out = str_new(LIMIT);
    struct page p = page_for(a, &out);
    struct error e = { 0 };
    if (page_blocks(&p, first, &e))
        fail_msg("%s", e.what);
    return take(a, &p, &out);
}

const char *render_page(struct arena *a, const struct document *d, const struct html_options *o)
{
    struct str out = str_new(LIMIT);
    struct error e = { 0 };
    if (html_write(d, o, &out, &e))
        fail_msg("%s", e.what);
    const char *text = arena_strndup(a, out.at, out.n);
    str_done(&out);
    return text;
}

static struct scene *draw(const struct panel *p, struct arena *a, const struct look *look)
{
    const struct fake_panel *f = (const struct fake_panel *)p;
    if (f->seen)
        *f->seen = *look;
    struct scene *s = scene_new(a, look->width, look->header_height + 100);
    scene_set_words(s, p->title, p->alt);
    scene_begin(s, &(struct group) { .kind = GROUP_POINT, .slot = 1, .tooltip = p->title });
    scene_hot(s, 0, f->broken ? ABSENT : 10, 20, 20);
    scene_end(s);
    return s;
}

static const struct panel_ops ops = { .draw = draw };

const struct panel *fake_panel(struct arena *a, const char *title, struct look *seen)
{
    struct fake_panel *f = arena_one(a, struct fake_panel);
    f->panel = (struct panel) { .ops = &ops, .title = title, .alt = title };
    f->seen = seen;
    return &f->panel;
}

const struct panel *broken_panel(struct arena *a)
{
    struct fake_panel *f = arena_one(a, struct fake_panel);
    f->panel = (struct panel) { .ops = &ops, .title = "broken" };
    f->broken = true;
    return &f->panel;
}
