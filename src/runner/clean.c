#include "runner/clean.h"

#include "store/query.h"
#include "target/undo.h"

struct cleaner {
    struct arena *a;
    struct store *store;
    const struct clean_watch *watch;
    struct clean_outcome out;
};

static void done(struct cleaner *c, const char *words)
{
    c->out.n_done++;
    c->watch->tell(c->watch->ctx, words, false);
}

static void failed(struct cleaner *c, const struct error *why)
{
    c->out.n_left++;
    c->watch->tell(c->watch->ctx, why->what, true);
}

/* A step that cannot be undone keeps the older ones of its run: a device under a mount is not wiped. */
static bool is_kept(const struct undo_row *rows, size_t at, const bool *stuck)
{
    for (size_t i = 0; i < at; i++)
        if (stuck[i] && rows[i].run == rows[at].run)
            return true;
    return false;
}

static int clean_steps(struct cleaner *c, struct error *e)
{
    struct undo_row *rows = NULL;
    size_t n = 0;
    if (store_undo_steps(c->store, c->a, &rows, &n, e))
        return -1;
    bool *stuck = arena_array(c->a, bool, n + 1);
    for (size_t i = 0; i < n; i++) {
        const struct undo_step step = { rows[i].kind, rows[i].subject, rows[i].value };
        const char *words = NULL;
        struct error why;
        if (rows[i].in_use) {
            c->out.n_in_use++;
        } else if (is_kept(rows, i, stuck)) {
            c->out.n_left++;
        } else if (undo_do(c->a, &step, &words, &why)) {
            stuck[i] = true;
            failed(c, &why);
        } else {
            if (store_undo_gone(c->store, rows[i].id, e))
                return -1;
            if (words)
                done(c, words);
        }
    }
    return 0;
}

static int clean_files(struct cleaner *c, struct error *e)
{
    struct own_file_row *rows = NULL;
    size_t n = 0;
    if (store_own_files(c->store, c->a, &rows, &n, e))
        return -1;
    for (size_t i = 0; i < n; i++) {
        const char *words = NULL;
        struct error why;
        if (rows[i].in_use) {
            c->out.n_in_use++;
        } else if (undo_file(c->a, rows[i].path, rows[i].dev, rows[i].ino, &words, &why)) {
            failed(c, &why);
        } else {
            if (store_own_file_gone(c->store, rows[i].path, e))
                return -1;
            if (words)
                done(c, words);
        }
    }
    return 0;
}

int clean_all(struct arena *a, struct store *s, const struct clean_watch *w,
              struct clean_outcome *ret, struct error *e)
{
    struct cleaner c = { .a = a, .store = s, .watch = w };
    if (clean_steps(&c, e) || clean_files(&c, e))
        return -1;
    *ret = c.out;
    return 0;
}
