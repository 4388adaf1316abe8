#pragma once
#include "base/arena.h"
#include "model/target.h"

/* Facts about this machine that a reader of a report needs: host, system, kernel, processor, governor, memory, board, clock source,
 * versions of the libraries that measure and store. Only what could be read; nothing is guessed. */
void environment_host(struct arena *a, const struct fact **ret, size_t *ret_n);
