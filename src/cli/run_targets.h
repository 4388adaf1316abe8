#pragma once
#include "cli/command.h"
#include "matrix/matrix.h"
#include "matrix/sheet.h"
#include "target/made.h"

/* What a run measures: from --target, the matrix's <targets>, its sweep of filesystems and the device sheet. */
struct run_targets {
    struct target_info *infos;
    const struct made_spec **made;      /* of each, NULL: it is there */
    const struct device_sheet **sheets; /* of each, or NULL */
    uint32_t n;
    struct sheet sheet; /* of --devices; empty without */
};

/* A --target whose name is that of a device of the file gives that device's path; others are measured beside. Nothing is opened
 * for writing or changed. */
int run_targets_find(const struct command *c, const struct matrix *m, struct run_targets *ret,
                     struct error *e);
