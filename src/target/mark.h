#pragma once
#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/* What we make bears a UUID that was drawn for it alone, so that undoing can tell it from everything else. */

enum { MARK_TEXT = 37 };
/* A random UUID (version 4) as text, with its end. */
int mark_new(char ret[MARK_TEXT], struct error *e);

/* Does the device or image open at fd bear a filesystem or array member with this UUID? What cannot be read does not. */
bool mark_is_on(int fd, const char *uuid);

/* Removes every signature with this UUID from a device open for writing; others stay. */
int mark_wipe(int fd, const char *uuid, struct error *e);
