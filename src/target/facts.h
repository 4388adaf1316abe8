#pragma once
#include "base/arena.h"
#include "base/array.h"
#include "model/target.h"
#include "target/mounts.h"
#include "target/sysfs.h"

/* The environment table of a target: keys are the labels printed; only what exists is added. Values live in the arena. Zeroed is
 * empty; facts_take empties it into the arena. */
struct facts {
    ARRAY(struct fact) list;
};
void facts_put(struct facts *f, const char *key, const char *value); /* NULL or "": nothing */
void facts_put_device(struct arena *a, struct facts *f, const struct blockdev *b);
void facts_put_mount(struct arena *a, struct facts *f, const struct mount *m);
const struct fact *facts_take(struct arena *a, struct facts *f, size_t *ret_n);
