#pragma once
#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/* Programs of the system: mkfs, mount, mdadm. */

/* Looked for in PATH, then where the system keeps its own (/usr/sbin …). NULL: not installed. */
const char *tool_find(struct arena *a, const char *name);

/* Runs one and waits for it. No shell, no standard input; in `folder`, so that a word that is no option can name no file; out of
 * the terminal's reach, so that Ctrl-C ends us in good order and not the tool; killed by the kernel if we are. argv[0] is a name
 * for tool_find, the end is NULL. *ret_out (may be NULL): what it printed, at most 64 KiB. QD_E_NOTFOUND: not installed;
 * QD_E_FAIL: it failed, with the last line it printed. */
int tool_run(struct arena *a, const char *const argv[], const char *folder, const char **ret_out,
             struct error *e);

/* argv as one line, for the report. */
const char *tool_line(struct arena *a, const char *const argv[]);
