#pragma once
#include <stdbool.h>

/* The one error value of the program. It lives on the caller's stack, owns no heap, is the last parameter of
 * every function that can fail, is filled by the callee and decorated on the way up. Only `cli` prints it.
 *
 * Grammar of a message: lower case, verb first, subject quoted, cause last, no full stop, a hint in brackets if
 * there is one: cannot open 'nvme0n1': Permission denied (try --target NAME=FILE) */

/* What a caller may want to branch on. cli/main.c maps each to an exit code. */
enum qd_code {
    QD_OK = 0,
    QD_E_FAIL,      /* could not be done, no finer class              exit 1 */
    QD_E_IO,        /* a system call failed, sys holds errno           exit 1 */
    QD_E_NOTFOUND,  /* a named thing does not exist                    exit 1 */
    QD_E_GONE,      /* the device went away while it was in use        exit 1 */
    QD_E_USAGE,     /* the user asked for something impossible         exit 2 */
    QD_E_FORMAT,    /* malformed input, where[] is set                 exit 2 */
    QD_E_NOMEM,     /* exit 3 */
    QD_E_UNSAFE,    /* refused: it could destroy data                  exit 4 */
    QD_E_CANCELLED, /* interrupted by the user                         exit 130 */
};

struct error {
    enum qd_code code;
    int sys;         /* errno of the failed call, or 0 */
    char where[160]; /* "run.xml:41" when input is to blame, else "" */
    char what[768];  /* outermost context first, joined by ": " */
    bool cut;        /* what[] was too small */
};

/* All return -1, so that a failing function ends in one `return error_...`. */

/* Fills e from a format. */
int error_set(struct error *e, enum qd_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4), cold));

/* Fills e with QD_E_IO, the errno value sys (positive) and its text after a colon. */
int error_sys(struct error *e, int sys, const char *fmt, ...)
    __attribute__((format(printf, 3, 4), cold));

/* Fills e with QD_E_FORMAT and where = "FILE:LINE" (line 0: "FILE" alone). */
int error_at(struct error *e, const char *file, long line, const char *fmt, ...)
    __attribute__((format(printf, 4, 5), cold));

/* Puts a clause before what[], keeps code, sys and where. */
int error_wrap(struct error *e, const char *fmt, ...) __attribute__((format(printf, 2, 3), cold));

/* Appends " (hint)" to what[]. */
int error_hint(struct error *e, const char *fmt, ...) __attribute__((format(printf, 2, 3), cold));
