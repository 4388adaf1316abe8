#pragma once
#include <stdbool.h>

#include "base/arena.h"
#include "model/target.h"

/* Serials are shortened to their last four characters in everything a report prints, wherever they occur (facts, paths by id,
 * the command with its --destroy); host names are left out. Not with --show-serials. The store keeps them. */
struct privacy {
    struct arena *a;
    bool off;
    struct secret {
        const char *whole, *shown;
    } * at; /* longest first */
    size_t n, cap;
};

/* Learns the serials among these facts. */
void privacy_learn(struct privacy *p, const struct fact *facts, size_t n);
/* The text with every serial learnt so far shortened; NULL stays NULL; unchanged text is not copied. */
const char *privacy_text(const struct privacy *p, const char *text);
/* The facts without host names, values through privacy_text. */
const struct fact *privacy_facts(const struct privacy *p, const struct fact *facts, size_t n,
                                 size_t *ret_n);
