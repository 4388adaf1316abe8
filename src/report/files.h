#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

/* The files of a report. All are written beside the old ones first (OUT/.qdepth-new), then renamed into place one by one,
 * index.html last: a full disk leaves the old report whole. Files that an earlier report wrote here (OUT/.qdepth-files lists
 * them) and this one does not are removed; nothing else ever is, and a file that is not in the list is not overwritten. */
struct report_output {
    struct arena *a;
    const char *dir, *staging;
    const char **names; /* relative, in the order they were added */
    size_t n, cap;
};

/* Makes OUT and clears what a report that was cut off left in staging. */
int output_begin(struct arena *a, const char *dir, struct report_output *ret, struct error *e);
/* Stages one file: "index.html", "data/results.csv", … Names have letters, digits, ".", "-", "_" and at most one folder. */
int output_add(struct report_output *o, const char *name, const void *bytes, size_t n,
               struct error *e);
/* The same in pieces, for a file that need not fit into memory: put into `text`, and call output_flush now and then. Either
 * output_close or output_drop ends it. */
struct report_piece {
    const char *name;
    struct str text;
    int fd;
};
int output_open(struct report_output *o, const char *name, struct report_piece *ret,
                struct error *e);
int output_flush(const struct report_output *o, struct report_piece *p, struct error *e);
int output_close(struct report_output *o, struct report_piece *p, struct error *e);
void output_drop(struct report_piece *p);
/* Puts everything in place. */
int output_commit(struct report_output *o, struct error *e);
/* After a failure: removes the staged files, leaves OUT as it was. */
void output_abandon(struct report_output *o);
