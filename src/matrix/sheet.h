#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "model/target.h"

/* A device sheet (docs/devices.md): what no program can read about targets. Validated against templates/devices.xsd. A message
 * names FILE:LINE, the element and what was expected (QD_E_FORMAT). Uses base and model. */

struct sheet_row {
    const char *target, *title; /* target: a name, serial number or path; title NULL: as it is */
    struct device_sheet sheet;
    const struct fact *facts;
    size_t n_facts;
};
struct sheet {
    const struct sheet_row *rows;
    size_t n_rows;
    const struct left_out *left_out;
    size_t n_left_out;
    const struct fact *host; /* what holds for the whole machine: case, power supply */
    size_t n_host;
};

/* Pictures are read too, from paths that count from the sheet's folder: PNG or JPEG, 4 MiB at most. */
int sheet_load(struct arena *a, const char *path, struct sheet *ret, struct error *e);

/* The first row whose target is one of the texts (NULLs among them are none); or NULL. */
const struct sheet_row *sheet_find(const struct sheet *s, const char *const texts[], size_t n);

/* Does the file look like one, by its namespace? What cannot be read does not. */
bool sheet_is(struct arena *a, const char *path);
