#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/fmt.h"
#include "cli/verb.h"
#include "import/import.h"
#include "store/query.h"

static int check_format(struct command *c, struct error *e)
{
    const char *const *names = import_formats();
    const char *name = opt_text(c, OPT_FORMAT), *list = "auto";
    if (!name || !strcmp(name, "auto"))
        return 0;
    for (size_t i = 0; names[i]; i++) {
        if (!strcmp(names[i], name))
            return 0;
        list = arena_printf(c->arena, "%s%s %s", list, names[i + 1] ? "," : " or", names[i]);
    }
    return error_set(e, QD_E_USAGE, "--format takes %s, not '%s'", list, name);
}

/* A file is in the store once, unless another name is asked for. */
static int refuse_known(struct command *c, struct store *s, const char *path, const char *hash,
                        struct error *e)
{
    const char *wanted = opt_text(c, OPT_NAME);
    int64_t id = 0;
    struct run_row run;
    if (!s)
        return 0;
    if (store_find_source(s, hash, &id, e))
        return -1;
    if (!id)
        return 0;
    if (store_find_run(s, c->arena, arena_printf(c->arena, "%lld", (long long)id), &run, e))
        return -1;
    if (wanted && strcmp(wanted, run.name) != 0)
        return 0;
    error_set(e, QD_E_FAIL, "cannot import '%s': run %s holds it already", path, run.name);
    return error_hint(e, "--name with another name imports it again");
}

static int check_files(struct command *c, struct store *s, const char **hashes, struct error *e)
{
    for (size_t i = 0; i < c->n_args; i++) {
        struct error unreadable = { 0 };
        if (import_hash(c->arena, c->args[i], &hashes[i], &unreadable))
            continue; /* import_files says so, and takes the others */
        for (size_t k = 0; k < i; k++)
            if (hashes[k] && !strcmp(hashes[k], hashes[i]))
                return error_set(e, QD_E_FAIL, "cannot import '%s': it is the same file as '%s'",
                                 c->args[i], c->args[k]);
        if (refuse_known(c, s, c->args[i], hashes[i], e))
            return -1;
    }
    return 0;
}

static void print_summary(const struct import_summary *f)
{
    fflush(stdout);
    for (size_t i = 0; i < f->n_warnings; i++)
        fprintf(stderr, "warning: %s: %s\n", f->warnings[i].where, f->warnings[i].what);
    printf("%s: ", f->path);
    if (f->format)
        printf("%s, %s, ", f->format, f->tool ? f->tool : "version not known");
    printf("%s, %s\n", fmt_plural(f->n_cells, "cell").s, fmt_plural(f->n_warnings, "warning").s);
}

/* A store that is not there is made by the first thing that goes into it: an import that fails leaves none behind. */
struct into {
    struct sink sink;
    const char *path;
    struct store *store; /* NULL: not there yet */
};

static int on_run_begin(void *self, const struct run_record *r, struct error *e)
{
    struct into *x = self;
    struct sink *to = NULL;
    bool fresh = !x->store;
    if (fresh && store_open(x->path, STORE_WRITE, &x->store, e))
        return -1;
    if (fresh)
        fprintf(stderr, "store: %s (made)\n", x->path);
    if (store_sink(x->store, NULL, &to, e))
        return -1;
    /* From here on what comes goes straight to the store. */
    x->sink.ops = to->ops;
    x->sink.self = to->self;
    return to->ops->run_begin(to->self, r, e);
}

static int import_into(struct command *c, struct into *x, struct error *e)
{
    static const struct sink_ops ops = { .run_begin = on_run_begin };
    struct import_summary *files = arena_array(c->arena, struct import_summary, c->n_args);
    const char **hashes = arena_array(c->arena, const char *, c->n_args);
    const struct import_options o = {
        .paths = c->args,
        .n_paths = c->n_args,
        .hashes = hashes,
        .format = opt_text(c, OPT_FORMAT),
        .target = opt_text(c, OPT_AS),
        .run_name = opt_text(c, OPT_NAME),
        .command = c->line,
        .strict = opt_has(c, OPT_STRICT),
        .big = opt_has(c, OPT_BIG),
    };
    x->sink = (struct sink) { .ops = &ops, .self = x };
    if (check_files(c, x->store, hashes, e))
        return -1;
    int rc = import_files(c->arena, &o, &x->sink, files, e);
    for (size_t i = 0; i < c->n_args; i++)
        print_summary(&files[i]);
    if (rc)
        return -1;
    const char *name = store_sink_run_name(x->store);
    if (o.run_name && strcmp(o.run_name, name) != 0)
        fprintf(stderr, "the name %s is taken: this run is called %s\n", o.run_name, name);
    printf("imported as run %s (qdepth report %s)\n", name, name);
    return 0;
}

int verb_import(struct command *c, struct error *e)
{
    const char *name = opt_text(c, OPT_NAME);
    struct into x = { .path = command_store(c) };
    if (check_format(c, e) || (name && store_check_name(name, e)))
        return -1;
    if (file_exists(x.path) && store_open(x.path, STORE_WRITE, &x.store, e))
        return -1;
    int rc = import_into(c, &x, e);
    store_close(x.store);
    return rc;
}
