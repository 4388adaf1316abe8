#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* A forgiving JSON reader for files of other tools, which are cut off, say a key twice, or hold nan. What it has over a strict one:
 * members keep their order and their repetitions, every value knows its line, a broken document keeps what came before the break.
 * Works in place: texts point into the document, a value takes 32 bytes. Uses base only. */
enum json_kind { JSON_NULL, JSON_WORD, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json {
    struct json *next; /* in its array or object */
    union {
        struct json *first; /* of an array or object */
        char *text;         /* number, string, or word such as true, nan */
    };
    const char *key; /* NULL outside objects */
    uint32_t line;   /* of its key or value, from 1 */
    uint8_t kind;    /* enum json_kind */
    bool open;       /* its end is missing: the document broke inside */
};

struct json_document {
    char *cursor; /* in: where the value begins; out: behind it */
    long line;    /* of the cursor */
    long broken;  /* line where it broke; 0: whole */
    const char *why;
};

/* The value at the cursor, as far as it can be read; never NULL. */
struct json *json_read(struct arena *a, struct json_document *d);

/* First member of that name, or NULL; NULL objects have none. */
struct json *json_get(const struct json *object, const char *key);
/* Text of a string or number member, or NULL. */
const char *json_text(const struct json *object, const char *key);
/* A finite number, also in a string. */
bool json_double(const struct json *v, double *ret);
/* A whole number from 0; decimals are cut off. */
bool json_u64(const struct json *v, uint64_t *ret);
