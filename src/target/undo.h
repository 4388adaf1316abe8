#pragma once
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* Undoing what a run made of devices. The same steps are taken at the end of a run and by `qdepth clean` after a crash: a step is
 * written down before the thing is done, so each must be harmless where it was not done, or was undone already.
 *
 *   kind           subject             value            undone by
 *   wipe           device node         UUID [serial]    removing the signatures that bear the UUID
 *   stop-array     array node          –                mdadm --stop
 *   remove-folder  mount point         –                rmdir
 *   unmount        mount point         UUID             unmounting, if what is mounted there bears the UUID
 *
 * To add one: a row in undo.c. */
struct undo_step {
    const char *kind, *subject, *value; /* value: NULL or text */
};

#define UNDO_WIPE "wipe"
#define UNDO_STOP_ARRAY "stop-array"
#define UNDO_REMOVE_FOLDER "remove-folder"
#define UNDO_UNMOUNT "unmount"

/* 0: it is undone; *ret_words is what was done ("unmounted '/run/qdepth-1'"), or NULL where nothing was left to do. -1: it is not,
 * e says why (QD_E_UNSAFE: something else is there now, which is not ours). */
int undo_do(struct arena *a, const struct undo_step *s, const char **ret_words, struct error *e);

/* A scratch file under a name of the user's choice: removed if it still is the file of that device and inode number. One that is gone, or
 * another one, is no failure; the other one stays. */
int undo_file(struct arena *a, const char *path, uint64_t dev, uint64_t ino, const char **ret_words,
              struct error *e);
