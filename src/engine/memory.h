#pragma once
#include <stddef.h>

#include "base/error.h"

/* Memory that the measurement works in: mapped, zeroed and touched at once, so that no page fault falls into the measured
 * time; in huge pages where it fills one, because the kernel may leave the TLB empty after each system call. `what` names
 * it in the message. */
int memory_map(size_t bytes, const char *what, void **ret, struct error *e);
void memory_unmap(void *at, size_t bytes); /* NULL is fine */

/* Cuts pieces off mapped memory, each aligned to a cache line. With at = NULL it only counts: run the same cuts twice, first
 * to learn the size. */
struct carve {
    unsigned char *at;
    size_t used;
};
void *carve(struct carve *c, size_t bytes);
