#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/plan.h"
#include "model/recipe.h"

/* A matrix file (shared/matrix.md): validated against templates/matrix.xsd, then read. Everything lives in the arena.
 * Files with a DTD are refused. A message names FILE:LINE, the element and what was expected (QD_E_FORMAT). */
struct matrix;

/* A shipped matrix by name ("quick"), or a file (a name with '/' or ending in .xml, .icf, .fio or .job, or an existing file). An
 * Iometer configuration or fio job file is converted (told by its content). An unknown name is QD_E_USAGE and lists the shipped
 * ones. */
int matrix_load(struct arena *a, const char *name_or_path, struct matrix **ret, struct error *e);

/* A matrix of one cell that replays a recording at its own times, as a file would say it: for `run --trace`. */
int matrix_of_trace(struct arena *a, const char *path, struct matrix **ret, struct error *e);

/* The text of a matrix as stored with a run; `file` is used in messages. */
int matrix_parse(struct arena *a, const char *file, const char *text, size_t n, struct matrix **ret,
                 struct error *e);

/* Names of the shipped matrices, sorted, NULL at the end; and the XML of one (NULL: no such). */
const char *const *matrix_shipped(struct arena *a);
const char *matrix_shipped_xml(const char *name);

const char *matrix_name(const struct matrix *m);
const char *matrix_title(const struct matrix *m);
bool matrix_has_default_targets(const struct matrix *m); /* only `quick` */
bool matrix_writes(const struct matrix *m);
/* Of a converted file: what it was ("Iometer configuration"; else NULL), what was carried over and what was not, a line each, NULL
 * at the end. */
const char *matrix_source(const struct matrix *m);
const char *const *matrix_kept(const struct matrix *m);
const char *const *matrix_left_out(const struct matrix *m);

/* An element of <targets>: a device, or what is made of devices for the run. */
struct matrix_target {
    const char *name,
        *title;            /* unique in the file; title: as shown, the name where there is none */
    const char *path;      /* of a device, in the words of --target; NULL: to be given there */
    bool direct, measured; /* not measured: only a member of others */
    const struct recipe *recipe; /* NULL: a device */
    const uint32_t *members;     /* of a recipe: devices, as indices into the list */
    uint32_t n_members;
    long line;
};
/* In order of the file; none where the command line says what is tested. */
const struct matrix_target *matrix_targets(const struct matrix *m, uint32_t *ret_n);
/* Types of the sweep's <filesystem>: every device that is measured is replaced by one filesystem of each on it. */
const char *const *matrix_filesystems(const struct matrix *m, uint32_t *ret_n);

/* What the command line overrides; 0 or NULL = not given. */
struct plan_options {
    uint32_t n_targets;           /* >= 1 */
    const uint32_t *queue_depths; /* replaces the sweep's */
    uint32_t n_queue_depths;
    uint64_t duration_ns, ramp_ns, interval_ns, span_bytes, seed;
    bool has_ramp; /* --ramp 0 is a value */
    uint32_t workers, repeat;
    enum engine_choice engine;
};

/* Matrix × targets × repetitions, in order of execution. Limits of model/plan.h are checked. */
int matrix_expand(struct arena *a, const struct matrix *m, const struct plan_options *o,
                  struct plan *ret, struct error *e);

/* Sums for `check`, --dry-run and the announcement of `run`. */
struct plan_cost {
    uint64_t seconds_ns; /* idle, ramp and measured time of all cells */
    uint64_t idle_ns;    /* of it */
    uint64_t cells, points;
    bool writes;
};
struct plan_cost plan_cost(const struct plan *p);
