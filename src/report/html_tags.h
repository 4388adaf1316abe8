#pragma once
#include <stdbool.h>

#include "base/str.h"

/* Markup streamed into a str. There is one function for each place text can go, and each escapes for that place, so a name
 * with "<" or a broken byte is shown and never obeyed. Control characters and bytes that are not UTF-8 become U+FFFD.
 * Sticky like the str: elements that do not nest, or data that would end its own element, make tags_failed true. */
enum { TAGS_DEPTH = 32 };
struct tags {
    struct str *out;
    const char *open[TAGS_DEPTH];
    int depth;
    bool wrong;
};

/* Starts an element. Pairs of name and value follow, ended by NULL; a NULL value leaves its attribute out, "" writes the bare
 * name: tag(t, "input", "type", "radio", "checked", on ? "" : NULL, NULL). Void elements need no tag_end. */
void tag(struct tags *t, const char *name, ...) __attribute__((sentinel));
void tag_end(struct tags *t, const char *name);
/* Text of an element. */
void tag_text(struct tags *t, const char *text);
/* A whole element of that class (NULL: none) holding text; nothing if text is NULL. */
void tag_line(struct tags *t, const char *name, const char *class, const char *text);
/* <style> or <script> holding exactly these bytes, whose hash the policy names. */
void tag_data(struct tags *t, const char *name, const struct str *data);
/* Markup a canvas wrote. */
void tag_markup(struct tags *t, const char *markup);
void tag_newline(struct tags *t);
bool tags_failed(const struct tags *t);
