#pragma once
#include <libxml/tree.h>

#include "base/arena.h"
#include "base/error.h"
#include "matrix/matrix.h"
#include "matrix/setting.h"
#include "matrix/unsupported.h"
#include "model/plan.h"

/* A matrix as read: private to this module. Uses base and model only. */

/* One list of <sweep>. */
struct axis {
    enum setting_id id; /* sweepable */
    long line;
    const struct value *at;
    uint32_t n;
};

/* A <workload>. Its variants are the product of the axes size, read and random as far as its access lines leave these
 * out; the first of these axes in the file is the slowest. */
struct work {
    long line;
    struct settings own;
    uint32_t swept; /* bits of the axes that make its points */
    uint32_t first_variant, n_variants;
    uint64_t idle_ns;          /* of <idle>, here or for all */
    const struct trace *trace; /* or NULL; its one access line describes it */
};

struct matrix {
    const char *name, *title, *method, *report, *xml;
    const char *source; /* of a converted one, else NULL */
    const char *const *kept, *const *left_out;
    enum order_kind order;
    uint64_t seed;    /* >= 1 */
    uint64_t idle_ns; /* for works without their own */
    bool writes;
    struct settings defaults; /* complete for settings of <defaults> */
    const struct axis *axes;  /* in document order */
    uint32_t n_axes;
    const struct work *works;
    uint32_t n_works;
    const struct workload *variants; /* of all works */
    uint32_t n_variants;
    const struct matrix_target *targets;
    uint32_t n_targets;
    const char *const *filesystems;
    uint32_t n_filesystems;
};

/* targets.c: reads <targets> (NULL: there is none) and <filesystem> of <sweep>. */
struct target_source {
    const char *file;
    const xmlNode *targets, *filesystem;
};
int read_targets(struct arena *a, const struct target_source *source, struct matrix *m,
                 struct error *e);

/* matrix_parse() with another table of what is refused. */
int matrix_read(struct arena *a, const struct xml_source *source, const struct unsupported *refused,
                struct matrix **ret, struct error *e);

/* n × factor, at most UINT64_MAX. */
static inline uint64_t saturating_mul(uint64_t n, uint64_t factor)
{
    uint64_t product = 0;
    return __builtin_mul_overflow(n, factor, &product) ? UINT64_MAX : product;
}

/* Axes that make a workload's variants, and not only its points. */
#define VARIANT_AXES (setting_bit(SET_SIZE) | setting_bit(SET_READ) | setting_bit(SET_RANDOM))
