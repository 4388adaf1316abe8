#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/driver.h"
#include "model/plan.h"

/* I/Os that failed or moved fewer bytes than asked, counted by kind: errno (0 = short), direction and target. The first of
 * each kind is remembered with its place and time. A worker has one table; tables are merged at the end. */
enum {
    FAULT_KINDS = 32,     /* of more kinds the rest is counted in the last one */
    FAULT_GONE_AFTER = 32 /* errors in a row that say "no such device any more" */
};

struct fault {
    int sys; /* errno; 0: short */
    uint8_t direction, target;
    uint64_t count, offset;
    uint64_t at;          /* ns, when the first was reaped */
    uint32_t moved, size; /* short: bytes moved of those asked for by the first */
};

struct faults {
    struct fault kind[FAULT_KINDS];
    uint32_t n;
    uint32_t gone_in_a_row[PLAN_MAX_TARGETS]; /* the worker sets it to 0 when an I/O succeeds */
    int32_t gone_target;                      /* -1: none */
};

void faults_init(struct faults *f);
/* Returns true if the device is gone: ENODEV, ENXIO, ENOTCONN or ESHUTDOWN again and again. */
bool faults_add(struct faults *f, const struct slot *s, int32_t result, uint64_t now);
void faults_merge(struct faults *into, const struct faults *from);
