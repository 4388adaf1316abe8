#pragma once
#include "import/fio.h"
#include "import/json.h"

/* Shared by fio_json*.c. */

/* Where a job stands: its document, and what holds for all of them. */
struct fio_place {
    struct collect *c;
    const struct json *root;
    bool kib; /* io_bytes is KiB: neither ns keys nor io_kbytes beside it */
};

/* fio_json_direction.c: numbers of one job into the cell; false if nothing was there. */
bool fio_json_results(const struct fio_place *x, const struct json *job, struct import_cell *cell);
/* A number that must be there as a number: what is no number is warned of and missing. */
bool fio_json_number(const struct fio_place *x, const struct json *object, const char *key,
                     double *ret);
