#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* Whole file into the arena, NUL-terminated (n without it). Refuses more than limit bytes. */
int file_read(struct arena *a, const char *path, size_t limit, char **ret, size_t *ret_n,
              struct error *e);

/* Opens a regular file for reading; what is none (a pipe would wait for its writer) is refused. *ret_n: its bytes. */
int file_open(const char *path, int *ret_fd, uint64_t *ret_n, struct error *e);

/* First line of a small text file (sysfs, procfs) without its newline and outer blanks; NULL where there is none. */
char *file_line(struct arena *a, const char *path);

/* Replaces path in one step: writes path.tmp-PID beside it, fsyncs, renames. On failure the old file is whole. */
int file_write(const char *path, const void *bytes, size_t n, struct error *e);

/* mkdir -p; fine if it exists. */
int file_mkdirs(const char *path, struct error *e);

bool file_exists(const char *path);
/* Last part of a path ("/a/b/" -> "b"), in the arena. */
char *file_basename(struct arena *a, const char *path);
