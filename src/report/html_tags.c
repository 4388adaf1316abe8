#include "report/html_tags.h"

#include <stdarg.h>
#include <string.h>

#include "base/array.h"
#include "base/utf8.h"

static const char *const void_elements[] = { "br", "input", "meta", "path", "circle", "use" };

/* SVG's childless elements are closed in place; HTML's need no end. */
static const char *end_of_void(const char *name)
{
    for (size_t i = 0; i < countof(void_elements); i++)
        if (!strcmp(name, void_elements[i]))
            return i < 3 ? ">" : "/>";
    return NULL;
}

static bool is_printable(uint32_t cp)
{
    if (cp == '\n' || cp == '\t')
        return true;
    return cp >= 0x20 && (cp < 0x7F || cp > 0x9F) && (cp & 0xFFFE) != 0xFFFE &&
           (cp < 0xFDD0 || cp > 0xFDEF);
}

static const char *entity(uint32_t cp, bool attribute)
{
    switch (cp) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return attribute ? "&quot;" : NULL;
    case '\n':
        return attribute ? "&#10;" : NULL;
    default:
        return is_printable(cp) ? NULL : "\xEF\xBF\xBD";
    }
}

static void put_escaped(struct str *out, const char *text, bool attribute)
{
    const char *plain = text;
    for (const char *s = text; *s;) {
        const char *at = s;
        uint32_t cp = utf8_next(&s);
        const char *instead = cp == 0xFFFD ? "\xEF\xBF\xBD" : entity(cp, attribute);
        if (!instead)
            continue;
        str_putn(out, plain, (size_t)(at - plain));
        str_put(out, instead);
        plain = s;
    }
    str_put(out, plain);
}

void tag(struct tags *t, const char *name, ...)
{
    str_char(t->out, '<');
    str_put(t->out, name);
    va_list ap;
    va_start(ap, name);
    for (const char *key; (key = va_arg(ap, const char *));) {
        const char *value = va_arg(ap, const char *);
        if (!value)
            continue;
        str_char(t->out, ' ');
        str_put(t->out, key);
        if (!*value)
            continue;
        str_put(t->out, "=\"");
        put_escaped(t->out, value, true);
        str_char(t->out, '"');
    }
    va_end(ap);
    const char *end = end_of_void(name);
    str_put(t->out, end ? end : ">");
    if (end)
        return;
    if (t->depth == TAGS_DEPTH)
        t->wrong = true;
    else
        t->open[t->depth++] = name;
}

void tag_end(struct tags *t, const char *name)
{
    if (t->depth == 0 || strcmp(t->open[t->depth - 1], name) != 0) {
        t->wrong = true;
        return;
    }
    t->depth--;
    str_printf(t->out, "</%s>", name);
}

void tag_text(struct tags *t, const char *text)
{
    if (text)
        put_escaped(t->out, text, false);
}

void tag_line(struct tags *t, const char *name, const char *class, const char *text)
{
    if (!text)
        return;
    tag(t, name, "class", class, NULL);
    tag_text(t, text);
    tag_end(t, name);
}

void tag_data(struct tags *t, const char *name, const struct str *data)
{
    if (strstr(data->at, "</") || strstr(data->at, "<!--"))
        t->wrong = true;
    tag(t, name, NULL);
    str_putn(t->out, data->at, data->n);
    tag_end(t, name);
}

void tag_markup(struct tags *t, const char *markup)
{
    str_put(t->out, markup);
}

void tag_newline(struct tags *t)
{
    str_char(t->out, '\n');
}

bool tags_failed(const struct tags *t)
{
    return t->wrong || str_failed(t->out);
}
