#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/sink.h"

/* The store: one SQLite file (store/schema.sql, docs/store.md), records in, records out. Several processes may use one
 * store at a time. Never called on a worker. */
struct store;

enum store_mode {
    STORE_READ,  /* read-only, also on a read-only file system; a missing file is QD_E_NOTFOUND */
    STORE_WRITE, /* made at need, with its folder */
};

/* Not a database, not ours (application_id), newer schema, not writable: a clear message naming the path. */
int store_open(const char *path, enum store_mode mode, struct store **ret, struct error *e);
/* Opens for reading; if a killed process left a run unfinished and the store can be written, that is ended first as any writing open
 * does: its cell gets the sum of its intervals. Where it cannot be written the run reads as interrupted, without that sum. */
int store_open_whole(const char *path, struct store **ret, struct error *e);
/* Folds the WAL back so that one file can be mailed. NULL is fine. */
void store_close(struct store *s);

/* A step to undo (target/undo.h). */
struct undo_row {
    int64_t id, run; /* id: of the row, for store_undo_gone; run: row id, 0 = none any more */
    const char *kind, *subject, *value; /* value: text or NULL */
    bool in_use;                        /* by a run that goes on: not to be undone */
};

struct store_sink_options {
    bool durable; /* commit with fsync each second */
    /* > 0: go on with this run: its cells are kept, run_begin and target only check */
    int64_t resume_run;
};
/* A sink that writes one run. Planned cells are there as soon as the last target was given. A cell that is begun again gets
 * the next attempt, whatever number the caller thought of; the broken one stays, but no view shows it. A cell that is done
 * cannot be begun again. Resuming with another configuration, engine version or target is QD_E_USAGE.
 *
 * While a cell runs: WAL, synchronous=NORMAL, no checkpoint, a commit a second; checkpoint and fsync between cells and every
 * 10 minutes. A failing statement (disk full) leaves what was committed intact. A run that was not ended when the store is
 * closed, or whose process was killed, becomes interrupted: its running cell gets the sum of its intervals as its result.
 * The sink lives until store_close; one at a time. */
int store_sink(struct store *s, const struct store_sink_options *o, struct sink **ret,
               struct error *e);
/* Of the run written by the current sink: row id (0 before run_begin) and the unique name it got. */
int64_t store_sink_run(const struct store *s);
const char *store_sink_run_name(const struct store *s);

/* Changes outside a sink. Names are unique; all digits and "latest" are refused (QD_E_USAGE). */
int store_rename_run(struct store *s, int64_t run, const char *name, struct error *e);
int store_delete_run(struct store *s, int64_t run, struct error *e);
/* Is that a name a run may have? */
int store_check_name(const char *name, struct error *e);

/* Target's display name; UNIQUE in the run (QD_E_USAGE). Note: NULL removes it. */
int store_rename_target(struct store *s, int64_t run, const char *from, const char *to,
                        struct error *e);
int store_note_run(struct store *s, int64_t run, const char *note, struct error *e);

/* Copies the runs of another store into this one, all or none. A run whose data is here already (store_data_hash) is known and left out,
 * one that is being measured too; a name that is taken gets "-2". The other store is only read. */
struct merge_row {
    int64_t other, run;     /* number there, and here (0: left out) */
    const char *was, *name; /* name there, and here */
    bool known, running;    /* why it was left out */
};
struct merged {
    struct merge_row *rows; /* every run there, oldest first */
    size_t n;
};
int store_merge(struct store *s, struct arena *a, const char *other, struct merged *ret,
                struct error *e);
/* Gives room of deleted runs back to the filesystem; sizes of the file in bytes. Needs that nobody else uses the store, and as much
 * free space as the store is large. */
int store_vacuum(struct store *s, uint64_t *ret_before, uint64_t *ret_after, struct error *e);

/* Journal of what must be cleaned up: a scratch file the program made and has not removed yet. */
int store_own_file_add(struct store *s, int64_t run, const char *path, uint64_t dev, uint64_t ino,
                       struct error *e);
int store_own_file_gone(struct store *s, const char *path, struct error *e);

/* Journal of what was made of devices: a step is written down, on the disk, before it is taken. run 0: none. */
int store_undo_add(struct store *s, const struct undo_row *row, int64_t *ret_id, struct error *e);
int store_undo_gone(struct store *s, int64_t id, struct error *e);
