#pragma once
#include <stdbool.h>

#include "engine/driver.h"

/* io_uring: one ring a worker, SINGLE_ISSUER and DEFER_TASKRUN, registered files, buffers and ring descriptor; whatever of
 * it the kernel refuses is done without. The context of ring_open is a struct ring_report or NULL. */
struct ring_report {
    int plain_buffers; /* errno of the refused registration of buffers; 0: registered */
    int no_ring;       /* errno of a refused ring */
};
int ring_open(void *context, const struct driver_setup *s, struct driver *ret, struct error *e);

/* May this process use io_uring, and does the kernel know the operations needed? */
bool ring_available(struct error *e);
