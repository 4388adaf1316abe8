#include "import/import.h"

#include <string.h>

#include "base/file.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "import/formats.h"

enum { HEAD = 64 << 10 };

static bool wanted(const struct import_options *o, const struct import_format *f)
{
    return !o->format || !strcmp(o->format, "auto") || !strcmp(o->format, f->name);
}

/* The first HEAD bytes as text. */
static char *head_of(struct arena *a, const char *path, struct error *e)
{
    struct reader *r = NULL;
    if (reader_open(path, &r, e))
        return NULL;
    char *head = arena_alloc(a, HEAD + 1), *line;
    size_t n = 0, n_line;
    int rc = 0;
    while (n < HEAD && (rc = reader_line(r, &line, &n_line, e)) == 1) {
        if (n_line > HEAD - n - 1)
            n_line = HEAD - n - 1;
        memcpy(head + n, line, n_line);
        n += n_line;
        head[n++] = '\n';
    }
    reader_close(r);
    return rc < 0 ? NULL : head;
}

static const struct import_format *recognise(struct collect *c, const char *head)
{
    const struct import_format *f;
    bool forced = c->options->format && strcmp(c->options->format, "auto") != 0;
    for (size_t i = 0; (f = format_at(i)); i++)
        if (wanted(c->options, f) && (forced || f->sniff(head, c->source->name)))
            return f;
    return NULL;
}

/* A text that holds no result at all often says why. */
static void warn_unknown(struct collect *c, const char *head)
{
    const char *text = head + strspn(head, " \t\n");
    size_t n = strcspn(text, "\n");
    const char *line = arena_strndup(c->a, text, n);
    if (!*head)
        collect_warn(c, 0, "the file is empty");
    else if (!n)
        collect_warn(c, 0, "no result in this file: it is blank");
    else if (!utf8_valid(line))
        collect_warn(c, 0, "no result in this file: it is no text");
    else
        collect_warn(c, 0, "no result in this file: it begins with '%.*s'", (int)(n < 80 ? n : 80),
                     line);
}

static int read_file(struct collect *c, bool *used, struct error *e)
{
    struct import_source *s = c->source;
    char *head = head_of(c->a, s->path, e);
    if (!head || (!s->sha256 && import_hash(c->a, s->path, &s->sha256, e)))
        return -1;
    const struct import_format *f = recognise(c, head);
    if (!f) {
        warn_unknown(c, head);
        return 0;
    }
    if (reader_open(s->path, &s->reader, e))
        return -1;
    s->format = s->summary->format = f->name;
    int rc = f->read(c, e);
    reader_close(s->reader);
    s->reader = NULL;
    if (rc)
        return -1;
    for (size_t i = 0; format_at(i); i++)
        used[i] |= format_at(i) == f;
    return 0;
}

/* A file that cannot be opened is a warning like any other if another one can. */
static void read_files(struct collect *c, struct error *first)
{
    bool used[64] = { false };
    for (size_t i = 0; i < c->n_sources; i++) {
        struct error e = { 0 };
        c->source = &c->sources[i];
        if (read_file(c, used, &e)) {
            collect_warn(c, 0, "%s", e.what);
            if (!first->code)
                *first = e;
        }
    }
    for (size_t i = 0; format_at(i); i++) {
        struct error e = { 0 };
        if (used[i] && format_at(i)->finish && format_at(i)->finish(c, &e)) {
            collect_warn(c, 0, "%s", e.what);
            if (!first->code)
                *first = e;
        }
    }
}

static void summarise(struct collect *c)
{
    for (size_t i = 0; i < c->n_sources; i++) {
        struct import_source *s = &c->sources[i];
        size_t more = s->n_warnings - s->warnings.n;
        size_t n = s->warnings.n + (more > 0);
        struct import_warning *w = arena_array(c->a, struct import_warning, n);
        if (s->warnings.n)
            memcpy(w, s->warnings.at, s->warnings.n * sizeof *w);
        if (more)
            w[n - 1] = (struct import_warning) {
                s->name, arena_printf(c->a, "%s more", fmt_plural(more, "warning").s)
            };
        s->summary->warnings = w;
        s->summary->n_warnings = n;
    }
}

static int judge(struct collect *c, const struct error *first, struct error *e)
{
    const struct import_warning *w = NULL;
    for (size_t i = 0; i < c->n_sources && !w; i++)
        w = c->sources[i].warnings.n ? c->sources[i].warnings.at : NULL;
    if (c->cells.n == 0) {
        if (first->code) {
            *e = *first;
            return -1;
        }
        if (!w)
            return error_set(e, QD_E_FAIL, "nothing to import: no result in '%s'",
                             c->sources[0].path);
        return error_set(e, QD_E_FAIL, "nothing to import: %s: %s", w->where, w->what);
    }
    if (c->options->strict && w)
        return error_set(e, QD_E_FAIL, "nothing was imported (--strict): %s: %s", w->where,
                         w->what);
    return 0;
}

int import_files(struct arena *a, const struct import_options *o, struct sink *s,
                 struct import_summary *ret, struct error *e)
{
    size_t n = o->n_paths;
    const char *const *paths = o->paths;
    struct collect c = { .a = a, .options = o, .n_sources = n };
    struct error first = { 0 };
    c.sources = arena_array(a, struct import_source, n);
    for (size_t i = 0; i < n; i++) {
        ret[i] = (struct import_summary) { .path = paths[i] };
        c.sources[i].summary = &ret[i];
        c.sources[i].path = paths[i];
        c.sources[i].name = file_basename(a, paths[i]);
        c.sources[i].sha256 = o->hashes ? o->hashes[i] : NULL;
    }
    read_files(&c, &first);
    summarise(&c);
    int rc = judge(&c, &first, e);
    if (!rc)
        rc = collect_emit(&c, s, e);
    collect_done(&c);
    return rc;
}
