#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* Text of a file, whatever wrote it, as UTF-8 lines: UTF-8 with or without byte order mark, UTF-16 of both orders (with a
 * mark, or ASCII in it), ends of line LF, CRLF or CR, none at the end, and mail quotes ("> ", also several) taken off. Bytes that
 * are NUL become blanks, so that a line is a C string.
 *
 * Reads in chunks: memory does not grow with the file, only with its longest line. Uses base only. */
struct reader;

int reader_open(const char *path, struct reader **ret, struct error *e);
void reader_close(struct reader *r); /* NULL is fine */

/* 1 and the next line, without its end: the caller's to write into until the next call; 0 at the end; -1 and e. */
int reader_line(struct reader *r, char **ret, size_t *ret_n, struct error *e);
/* Number of the line last given, from 1, as an editor counts: pieces between bare CRs share the number of their LF. */
long reader_number(const struct reader *r);
/* Bytes of the file. */
uint64_t reader_size(const struct reader *r);

/* What is left, whole, in the arena: lines end in \n, or in \r where a bare CR stood. NUL-terminated. QD_E_FAIL if the file has
 * more than limit bytes. */
int reader_text(struct reader *r, struct arena *a, uint64_t limit, char **ret, struct error *e);
