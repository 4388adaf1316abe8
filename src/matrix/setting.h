#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "model/plan.h"

/* What a matrix can set: one row for each attribute of <access>, <defaults> and <workload> and each element of <sweep>.
 * Uses base and model only.
 *
 * To add a setting: a row in setting.c, an id here (sweepable ones first, in the same order), its type in
 * templates/matrix.xsd, and where its value goes: line_set() in load.c or point_cell() in expand.c. */
enum setting_id {
    SET_QUEUE_DEPTH,
    SET_SIZE,
    SET_READ,
    SET_RANDOM,
    SET_WORKERS,
    SET_FILL,
    SET_SPAN,
    SET_RATE,
    SET_DIRECT,
    SET_N_SWEEPABLE,
    SET_DURATION = SET_N_SWEEPABLE,
    SET_RAMP,
    SET_INTERVAL,
    SET_REPEAT,
    SET_SPAN_OFFSET,
    SET_ARRIVALS,
    SET_SHARE,
    SET_ALIGN,
    SET_DELAY,
    SET_BURST,
    SET_STRIDE,
    SET_TRIM,
    SET_SYNC,
    SET_DISTRIBUTION,
    SET_COUNT
};

/* Where a setting may stand. */
enum setting_place { IN_ACCESS = 1, IN_SETTINGS = 2 /* <defaults>, <workload> */, IN_SWEEP = 4 };

/* A value of any setting; what is not used is 0. */
struct value {
    uint32_t
        kind;   /* enum sync_kind, distribution_kind, rate_kind; span: 1 = basis points; else 0 */
    uint64_t u; /* count, bytes, ns, basis points, 0 or 1, the N of fsync:N */
    double d;   /* rate; parameter of a distribution */
    struct fill fill;
};

/* Values by id; bit `1 << id` of `has` says which are there. */
struct settings {
    uint32_t has;
    struct value v[SET_COUNT];
};

static inline uint32_t setting_bit(enum setting_id id)
{
    return UINT32_C(1) << (unsigned)id;
}

const char *setting_name(enum setting_id id);
bool setting_in(enum setting_id id, enum setting_place place);
/* enum setting_id, or -1: no such setting. */
int setting_find(const char *name);

/* Reads a value without surrounding blanks and checks its limits. false: it is not what setting_expected() says. */
bool setting_read(enum setting_id id, const char *text, struct value *ret);

/* For values that come from elsewhere, whole numbers and times only; the range is put as "1 to 256". */
bool setting_within(enum setting_id id, uint64_t u);
void setting_put(enum setting_id id, uint64_t u, struct str *s);
void setting_put_range(enum setting_id id, struct str *s);

/* Puts what is expected, limits included: "a whole number from 1 to 1024". */
void setting_expected(enum setting_id id, struct str *s);

/* Puts the names of all settings of a place: "share, size, read". */
void setting_list(enum setting_place place, struct str *s);

bool value_equal(const struct value *a, const struct value *b);

/* Where nobody says anything else. Only settings of <defaults> have a default. */
const struct settings *setting_builtin(void);
