#pragma once
#include <stdbool.h>

#include "base/arena.h"

/* Which process writes a run: "BOOT-ID PID START", so that a run left behind by a killed one is known as such, also on
 * another machine or after a reboot. Linux procfs; where it cannot be read nothing is ever called dead. Processes of two containers
 * do not see each other, so they should not write to one store at a time. */
const char *process_self(struct arena *a);
bool process_is_dead(const char *process);
