#include <string.h>

#include "base/utf8.h"
#include "store/db.h"
#include "store/store.h"
#include "store/writer.h"

enum { NAME_MAX_BYTES = 120 };

/* Names go into paths (out/NAME) and onto command lines. */
int store_check_name(const char *name, struct error *e)
{
    const char *why = NULL;
    size_t n = name ? strlen(name) : 0;
    if (n == 0)
        why = "it is empty";
    else if (n > NAME_MAX_BYTES)
        why = "it is longer than 120 bytes";
    else if (strspn(name, "0123456789") == n)
        why = "only digits mean the number of a run";
    else if (!strcmp(name, "latest"))
        why = "it means the newest run";
    else if (!strcmp(name, ".") || !strcmp(name, "..") || strchr(name, '/'))
        why = "it would be a path";
    else if (*name == '-')
        why = "it would look like an option";
    else if (*name == ' ' || name[n - 1] == ' ')
        why = "it begins or ends with a blank";
    else if (!utf8_valid(name))
        why = "it is not UTF-8";
    for (size_t i = 0; i < n && !why; i++)
        if ((unsigned char)name[i] < ' ' || name[i] == 0x7F)
            why = "it has a control character";
    if (!why)
        return 0;
    return error_set(e, QD_E_USAGE, "cannot name a run '%.*s': %s", NAME_MAX_BYTES,
                     name ? name : "", why);
}

static int no_such_run(const struct store *s, int64_t run, struct error *e)
{
    return error_set(e, QD_E_NOTFOUND, "cannot find run %lld in store '%s'", (long long)run,
                     s->path);
}

static int rename_inside(struct store *s, int64_t run, const char *name, struct error *e)
{
    int64_t holder = 0;
    int taken = db_int(s, ST_RUN_BY_NAME, &holder, e, v_text(name));
    if (taken < 0)
        return -1;
    if (taken && holder != run)
        return error_set(e, QD_E_USAGE, "cannot name run %lld '%s': another run has that name",
                         (long long)run, name);
    if (db_run(s, ST_RUN_RENAME, e, v_int(run), v_text(name)))
        return -1;
    return sqlite3_changes(s->db) ? 0 : no_such_run(s, run, e);
}

/* What the sink has gathered goes first. */
static int begin(struct store *s, struct error *e)
{
    return writer_settle(s, e) || db_begin(s, e) ? -1 : 0;
}

int store_rename_run(struct store *s, int64_t run, const char *name, struct error *e)
{
    if (store_check_name(name, e) || begin(s, e))
        return -1;
    return db_end(s, rename_inside(s, run, name, e), e);
}

static int delete_inside(struct store *s, int64_t run, struct error *e)
{
    int64_t running = 0;
    if (db_int(s, ST_RUN_IS_RUNNING, &running, e, v_int(run)) < 0)
        return -1;
    if (running)
        return error_set(e, QD_E_FAIL, "cannot delete run %lld: it is being written",
                         (long long)run);
    if (db_run(s, ST_RUN_DELETE, e, v_int(run)))
        return -1;
    return sqlite3_changes(s->db) ? 0 : no_such_run(s, run, e);
}

int store_delete_run(struct store *s, int64_t run, struct error *e)
{
    if (begin(s, e))
        return -1;
    return db_end(s, delete_inside(s, run, e), e);
}

static int rename_target_inside(struct store *s, int64_t run, const char *from, const char *to,
                                struct error *e)
{
    int64_t holder = 0;
    int taken = db_int(s, ST_TARGET_BY_NAME, &holder, e, v_int(run), v_text(to));
    if (taken < 0)
        return -1;
    if (taken && strcmp(from, to) != 0)
        return error_set(e, QD_E_USAGE,
                         "cannot call a target '%s': another one of the run has that name", to);
    if (db_run(s, ST_TARGET_RENAME, e, v_int(run), v_text(from), v_text(to)))
        return -1;
    return sqlite3_changes(s->db)
               ? 0
               : error_set(e, QD_E_NOTFOUND, "run %lld has no target '%s'", (long long)run, from);
}

int store_rename_target(struct store *s, int64_t run, const char *from, const char *to,
                        struct error *e)
{
    if (!*to || !utf8_valid(to) || utf8_length(to) > 100)
        return error_set(e, QD_E_USAGE, "a target's name is UTF-8 text of 1 to 100 characters");
    if (begin(s, e))
        return -1;
    return db_end(s, rename_target_inside(s, run, from, to, e), e);
}

int store_note_run(struct store *s, int64_t run, const char *note, struct error *e)
{
    if (begin(s, e))
        return -1;
    int rc = db_run(s, ST_RUN_NOTE, e, v_int(run), v_text(note));
    if (!rc && !sqlite3_changes(s->db))
        rc = no_such_run(s, run, e);
    return db_end(s, rc, e);
}

int store_own_file_add(struct store *s, int64_t run, const char *path, uint64_t dev, uint64_t ino,
                       struct error *e)
{
    if (begin(s, e))
        return -1;
    int rc = db_run(s, ST_OWN_FILE_PUT, e, v_id(run), v_text(path), v_bits(dev), v_bits(ino));
    return db_end(s, rc, e);
}

/* Flushed, whatever the run's own wish: a machine that goes down in the middle of mkfs must know of it. */
int store_undo_add(struct store *s, const struct undo_row *row, int64_t *ret_id, struct error *e)
{
    if (writer_settle_synced(s, e) || db_begin(s, e))
        return -1;
    int rc = db_run(s, ST_UNDO_PUT, e, v_id(row->run), v_text(row->kind), v_text(row->subject),
                    v_text(row->value));
    *ret_id = sqlite3_last_insert_rowid(s->db);
    return db_end(s, rc, e);
}

int store_undo_gone(struct store *s, int64_t id, struct error *e)
{
    if (begin(s, e))
        return -1;
    return db_end(s, db_run(s, ST_UNDO_GONE, e, v_int(id)), e);
}

int store_own_file_gone(struct store *s, const char *path, struct error *e)
{
    if (begin(s, e))
        return -1;
    return db_end(s, db_run(s, ST_OWN_FILE_GONE, e, v_text(path)), e);
}
