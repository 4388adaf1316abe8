#pragma once
#include "engine/driver.h"

/* pread and pwrite on the worker's own thread: exactly one slot. Needs no context. */
int sync_open(void *context, const struct driver_setup *s, struct driver *ret, struct error *e);
