#pragma once
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/error.h"
#include "target/target.h"

/* Files of our own making: all give a descriptor open for reading and writing, of the size asked, space reserved where the
 * filesystem can. They check that the folder is still the one that was probed (QD_E_UNSAFE). */

/* In a directory, without a name: gone when closed, however the process ends. */
int scratch_anonymous(struct arena *a, const struct target_info *t, uint64_t bytes, int *ret_fd,
                      struct error *e);
int scratch_memory(struct arena *a, const struct target_info *t, uint64_t bytes, int *ret_fd,
                   struct error *e);

/* Under the name the user gave, which must not exist. */
struct named_scratch {
    int folder;              /* open, or -1: there is none */
    const char *base, *path; /* path is absolute */
    dev_t dev;
    ino_t ino;
};
int scratch_named(struct arena *a, const struct target_info *t, uint64_t bytes, int *ret_fd,
                  struct named_scratch *ret, struct error *e);
/* Removes it if the name still leads to it, and closes the folder. Harmless where there is none. */
void scratch_remove(struct named_scratch *s);
