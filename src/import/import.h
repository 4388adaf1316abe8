#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/sink.h"

/* Results of other tools, through the same sink into the same tables as our own runs. Formats are told apart by content.
 *
 * To add a format: write NAME.{h,c} with a sniff and a read function, add its row to formats.c, a fuzz target with seeds, a row to
 * docs/importing.md. Units come from their own key or heading; percentiles are kept as given, never averaged; what a format does not
 * hold is absent; a broken file keeps its good rows and says which line or key was lost. */

struct import_options {
    const char *const *paths;
    size_t n_paths;            /* at least 1 */
    const char *const *hashes; /* import_hash of each, where it is known already; or NULL */
    const char *format;        /* NULL or "auto": by content */
    const char *target;        /* --as: name of the target in place of the file's own */
    const char *run_name;      /* wanted; NULL: from the file's name */
    const char *command;
    bool strict; /* any warning is a failure, nothing reaches the sink */
    bool big;    /* JSON over 256 MB is read all the same */
};

struct import_warning {
    const char *where; /* "FILE:LINE" or "FILE: key" */
    const char *what;
};

/* One line for the user about each file. */
struct import_summary {
    const char *path, *format, *tool; /* "fio-json", "fio 3.33" */
    size_t n_cells;
    const struct import_warning *warnings;
    size_t n_warnings;
};

/* Reads the files as one run (a set of files of one job is joined). At least one must hold something readable, else QD_E_FAIL with the
 * reason. sha256 of each file goes into the run's sources: the caller has refused files that are already stored. ret: one a file,
 * filled also on failure. */
int import_files(struct arena *a, const struct import_options *o, struct sink *s,
                 struct import_summary *ret, struct error *e);

/* Hex SHA-256 of a file, for the duplicate check. */
int import_hash(struct arena *a, const char *path, const char **ret, struct error *e);

/* Names of the formats, NULL at the end, for --format and help. */
const char *const *import_formats(void);
