#include "report/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"

static const char list_name[] = ".qdepth-files";
static const char staging_name[] = ".qdepth-new";
static const char index_name[] = "index.html";

enum { LIST_LIMIT = 16 << 20 };

static const char *path_of(const struct report_output *o, const char *name)
{
    return arena_printf(o->a, "%s/%s", o->dir, name);
}

static const char *staged_of(const struct report_output *o, const char *name)
{
    return arena_printf(o->a, "%s/%s", o->staging, name);
}

/* A name we could have written: a damaged list must not make us remove anything else. */
static bool is_ours(const char *name)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    size_t folder = strspn(name, "abcdefghijklmnopqrstuvwxyz");
    const char *file = folder && name[folder] == '/' ? name + folder + 1 : name;
    return *file && *file != '.' && !file[strspn(file, allowed)];
}

static bool has_name(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

/* --- the list ------------------------------------------------------------------------------------------------------ */

static int read_list(const struct report_output *o, const char *const **ret, size_t *ret_n,
                     struct error *e)
{
    char *text = NULL;
    size_t size = 0, n = 0;
    *ret = NULL;
    *ret_n = 0;
    if (!file_exists(path_of(o, list_name)))
        return 0;
    if (file_read(o->a, path_of(o, list_name), LIST_LIMIT, &text, &size, e))
        return -1;
    for (const char *at = text; *at; at++)
        n += *at == '\n';
    const char **names = arena_array(o->a, const char *, n + 1);
    size_t kept = 0;
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        const char *line = arena_strndup(o->a, text, length);
        if (is_ours(line))
            names[kept++] = line;
    }
    *ret = names;
    *ret_n = kept;
    return 0;
}

static int stage_list(struct report_output *o, const char *name, const char *const *more,
                      size_t n_more, struct error *e)
{
    struct str s = str_new(LIST_LIMIT);
    for (size_t i = 0; i < o->n; i++)
        str_printf(&s, "%s\n", o->names[i]);
    for (size_t i = 0; i < n_more; i++)
        if (!has_name(o->names, o->n, more[i]))
            str_printf(&s, "%s\n", more[i]);
    int rc = file_write(staged_of(o, name), s.at ? s.at : "", s.n, e);
    str_done(&s);
    return rc;
}

/* --- staging ------------------------------------------------------------------------------------------------------- */

/* Removes the files of one folder, then the folder; only inside staging. */
static void clear_folder(const struct report_output *o, const char *path, int depth)
{
    DIR *dir = opendir(path);
    if (!dir)
        return;
    for (const struct dirent *d = readdir(dir); d; d = readdir(dir)) {
        if (!strcmp(d->d_name, ".") || !strcmp(d->d_name, ".."))
            continue;
        const char *inside = arena_printf(o->a, "%s/%s", path, d->d_name);
        if (unlink(inside) && depth < 1)
            clear_folder(o, inside, depth + 1);
    }
    closedir(dir);
    rmdir(path);
}

int output_begin(struct arena *a, const char *dir, struct report_output *ret, struct error *e)
{
    struct report_output o = { .a = a, .dir = dir };
    o.staging = arena_printf(a, "%s/%s", dir, staging_name);
    clear_folder(&o, o.staging, 0);
    if (file_mkdirs(o.staging, e))
        return -1;
    *ret = o;
    return 0;
}

static int make_folder(const struct report_output *o, const char *base, const char *name,
                       struct error *e)
{
    const char *slash = strchr(name, '/');
    if (!slash)
        return 0;
    return file_mkdirs(arena_printf(o->a, "%s/%.*s", base, (int)(slash - name), name), e);
}

static int check_name(const char *name, struct error *e)
{
    if (is_ours(name))
        return 0;
    return error_set(e, QD_E_FAIL, "cannot write '%s': not the name of a report's file", name);
}

static void add_name(struct report_output *o, const char *name)
{
    if (o->n == o->cap) {
        o->cap = o->cap ? 2 * o->cap : 64;
        const char **grown = arena_array(o->a, const char *, o->cap);
        if (o->n)
            memcpy(grown, o->names, o->n * sizeof *grown);
        o->names = grown;
    }
    o->names[o->n++] = arena_strdup(o->a, name);
}

int output_add(struct report_output *o, const char *name, const void *bytes, size_t n,
               struct error *e)
{
    if (check_name(name, e) || make_folder(o, o->staging, name, e) ||
        file_write(staged_of(o, name), bytes, n, e))
        return -1;
    add_name(o, name);
    return 0;
}

/* --- in pieces ----------------------------------------------------------------------------------------------------- */

enum { PIECE_LIMIT = 64 << 20 };

int output_open(struct report_output *o, const char *name, struct report_piece *ret,
                struct error *e)
{
    if (check_name(name, e) || make_folder(o, o->staging, name, e))
        return -1;
    int fd = open(staged_of(o, name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return error_sys(e, errno, "cannot write '%s'", staged_of(o, name));
    *ret = (struct report_piece) { arena_strdup(o->a, name), str_new(PIECE_LIMIT), fd };
    return 0;
}

int output_flush(const struct report_output *o, struct report_piece *p, struct error *e)
{
    if (str_failed(&p->text))
        return error_set(e, QD_E_FAIL, "cannot write '%s': a piece is too large", p->name);
    for (size_t at = 0; at < p->text.n;) {
        ssize_t n = write(p->fd, p->text.at + at, p->text.n - at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return error_sys(e, errno, "cannot write '%s'", staged_of(o, p->name));
        at += (size_t)n;
    }
    str_clear(&p->text);
    return 0;
}

int output_close(struct report_output *o, struct report_piece *p, struct error *e)
{
    int rc = output_flush(o, p, e);
    if (rc == 0 && fsync(p->fd))
        rc = error_sys(e, errno, "cannot write '%s'", staged_of(o, p->name));
    if (close(p->fd) && rc == 0)
        rc = error_sys(e, errno, "cannot write '%s'", staged_of(o, p->name));
    p->fd = -1;
    str_done(&p->text);
    if (rc == 0)
        add_name(o, p->name);
    return rc;
}

void output_drop(struct report_piece *p)
{
    close(p->fd);
    str_done(&p->text);
}

void output_abandon(struct report_output *o)
{
    clear_folder(o, o->staging, 0);
}

/* --- committing ---------------------------------------------------------------------------------------------------- */

static int check_strangers(const struct report_output *o, const char *const *old, size_t n_old,
                           struct error *e)
{
    for (size_t i = 0; i < o->n; i++) {
        if (has_name(old, n_old, o->names[i]) || !file_exists(path_of(o, o->names[i])))
            continue;
        error_set(e, QD_E_USAGE, "cannot replace '%s': no report of qdepth wrote it",
                  path_of(o, o->names[i]));
        return error_hint(e, "try another --out");
    }
    return 0;
}

static int put_in_place(const struct report_output *o, const char *staged, const char *name,
                        struct error *e)
{
    if (make_folder(o, o->dir, name, e))
        return -1;
    if (rename(staged_of(o, staged), path_of(o, name)))
        return error_sys(e, errno, "cannot replace '%s'", path_of(o, name));
    return 0;
}

static void remove_old(const struct report_output *o, const char *const *old, size_t n_old)
{
    for (size_t i = 0; i < n_old; i++) {
        if (has_name(o->names, o->n, old[i]))
            continue;
        unlink(path_of(o, old[i]));
        const char *slash = strchr(old[i], '/');
        if (slash)
            rmdir(arena_printf(o->a, "%s/%.*s", o->dir, (int)(slash - old[i]), old[i]));
    }
}

/* Everything that needs space is staged before the first rename. The list is renamed first, with the old and the new names, so
 * that a report that is cut off here owns all its files. */
int output_commit(struct report_output *o, struct error *e)
{
    const char *const *old = NULL;
    size_t n_old = 0;
    if (read_list(o, &old, &n_old, e) || check_strangers(o, old, n_old, e) ||
        stage_list(o, "list-both", old, n_old, e) || stage_list(o, "list-new", NULL, 0, e) ||
        put_in_place(o, "list-both", list_name, e))
        return -1;
    for (size_t i = 0; i < o->n; i++)
        if (strcmp(o->names[i], index_name) && put_in_place(o, o->names[i], o->names[i], e))
            return -1;
    if (has_name(o->names, o->n, index_name) && put_in_place(o, index_name, index_name, e))
        return -1;
    remove_old(o, old, n_old);
    if (put_in_place(o, "list-new", list_name, e))
        return -1;
    clear_folder(o, o->staging, 0);
    return 0;
}
