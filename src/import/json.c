#include "import/json.h"

#include <string.h>

#include "base/parse.h"
#include "base/utf8.h"

enum { DEEPEST = 64 };

struct parser {
    struct arena *a;
    char *begin, *p;
    long line;
    long broken;
    const char *why;
};

static void broke(struct parser *s, const char *why)
{
    if (s->broken)
        return;
    s->broken = s->line;
    s->why = why;
}

static void skip_blanks(struct parser *s)
{
    for (;; s->p++) {
        if (*s->p == '\n')
            s->line++;
        else if (*s->p != ' ' && *s->p != '\t' && *s->p != '\r')
            return;
    }
}

static bool hex4(const char *p, uint32_t *ret)
{
    uint32_t v = 0;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        uint32_t digit;
        if (c >= '0' && c <= '9')
            digit = (uint32_t)(c - '0');
        else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
            digit = (uint32_t)((c | 0x20) - 'a') + 10;
        else
            return false;
        v = v << 4 | digit;
    }
    *ret = v;
    return true;
}

/* Behind \u; the six bytes of an escape never become more than three. */
static char *put_unicode(struct parser *s, char *to)
{
    uint32_t c = 0;
    uint32_t low = 0;
    if (!hex4(s->p, &c))
        return to;
    s->p += 4;
    bool high = c >= 0xD800 && c < 0xDC00;
    if (high && s->p[0] == '\\' && s->p[1] == 'u' && hex4(s->p + 2, &low) && low >= 0xDC00 &&
        low < 0xE000) {
        s->p += 6;
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
    } else if (c == 0 || (c >= 0xD800 && c < 0xE000)) {
        c = 0xFFFD;
    }
    return to + utf8_put(c, to);
}

/* At the opening quote. NULL if its end is missing. */
static char *read_string(struct parser *s)
{
    char *start = ++s->p, *to = start;
    while (*s->p && *s->p != '"') {
        if (*s->p == '\n')
            s->line++;
        if (*s->p != '\\') {
            *to++ = *s->p++;
            continue;
        }
        static const char names[] = "nrtbf", means[] = "\n\r\t\b\f";
        char c = *++s->p;
        if (!c)
            break;
        s->p++;
        const char *at = strchr(names, c);
        if (c == 'u')
            to = put_unicode(s, to);
        else
            *to++ = at ? means[at - names] : c;
    }
    if (!*s->p) {
        broke(s, "a text has no end");
        return NULL;
    }
    s->p++;
    *to = '\0';
    return start;
}

static bool in_word(char c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '+' ||
           c == '-' || c == '.' || c == '_';
}

static struct json *node(struct parser *s, enum json_kind kind)
{
    struct json *v = arena_one(s->a, struct json);
    v->kind = (uint8_t)kind;
    v->line = (uint32_t)s->line;
    return v;
}

/* A number or word. It moves one byte to the left, over the bracket, colon, comma or blank that was passed, so that there is room
 * for its NUL; only a document that is nothing but a word has none there. */
static struct json *read_word(struct parser *s)
{
    char *start = s->p;
    while (in_word(*s->p))
        s->p++;
    size_t n = (size_t)(s->p - start);
    bool number = (*start >= '0' && *start <= '9') ||
                  (*start == '-' && start[1] >= '0' && start[1] <= '9');
    struct json *v = node(s, number ? JSON_NUMBER : JSON_WORD);
    if (n == 4 && !memcmp(start, "null", 4))
        v->kind = JSON_NULL;
    if (start == s->begin) {
        v->text = arena_strndup(s->a, start, n);
        return v;
    }
    v->text = memmove(start - 1, start, n);
    v->text[n] = '\0';
    return v;
}

static struct json *read_value(struct parser *s, int depth);

/* Behind the opening bracket. */
static void read_members(struct parser *s, struct json *v, int depth)
{
    bool object = v->kind == JSON_OBJECT;
    char close = object ? '}' : ']';
    struct json **tail = &v->first;
    for (;;) {
        skip_blanks(s);
        if (*s->p == close) {
            s->p++;
            return;
        }
        const char *key = NULL;
        uint32_t line = (uint32_t)s->line;
        if (object) {
            if (*s->p != '"' || !(key = read_string(s)))
                break;
            skip_blanks(s);
            if (*s->p != ':')
                break;
            s->p++;
        }
        struct json *member = read_value(s, depth);
        if (!member)
            break;
        member->key = key;
        member->line = key ? line : member->line;
        *tail = member;
        tail = &member->next;
        if (s->broken)
            break;
        skip_blanks(s);
        if (*s->p == ',')
            s->p++;
        else if (*s->p != close)
            break;
    }
    v->open = true;
    broke(s, *s->p ? "it is no JSON from here" : "it ends too early");
}

static struct json *read_value(struct parser *s, int depth)
{
    skip_blanks(s);
    if (*s->p == '{' || *s->p == '[') {
        struct json *v = node(s, *s->p == '{' ? JSON_OBJECT : JSON_ARRAY);
        s->p++;
        if (depth >= DEEPEST) {
            v->open = true;
            broke(s, "it is nested too deeply");
        } else {
            read_members(s, v, depth + 1);
        }
        return v;
    }
    if (*s->p == '"') {
        struct json *v = node(s, JSON_STRING);
        return (v->text = read_string(s)) ? v : NULL;
    }
    return in_word(*s->p) ? read_word(s) : NULL;
}

struct json *json_read(struct arena *a, struct json_document *d)
{
    struct parser s = { .a = a, .begin = d->cursor, .p = d->cursor, .line = d->line };
    struct json *v = read_value(&s, 0);
    if (!v) {
        broke(&s, "it is no JSON from here");
        v = node(&s, JSON_NULL);
    }
    d->cursor = s.p;
    d->line = s.line;
    d->broken = s.broken;
    d->why = s.why;
    return v;
}

struct json *json_get(const struct json *object, const char *key)
{
    if (!object || object->kind != JSON_OBJECT)
        return NULL;
    for (struct json *m = object->first; m; m = m->next)
        if (!strcmp(m->key, key))
            return m;
    return NULL;
}

const char *json_text(const struct json *object, const char *key)
{
    const struct json *v = json_get(object, key);
    return v && (v->kind == JSON_STRING || v->kind == JSON_NUMBER) ? v->text : NULL;
}

bool json_double(const struct json *v, double *ret)
{
    struct error ignored;
    return v && (v->kind == JSON_STRING || v->kind == JSON_NUMBER) &&
           !parse_double(v->text, ret, &ignored);
}

bool json_u64(const struct json *v, uint64_t *ret)
{
    struct error ignored;
    if (!v || (v->kind != JSON_STRING && v->kind != JSON_NUMBER))
        return false;
    if (!parse_u64(v->text, ret, &ignored))
        return true;
    double d;
    if (parse_double(v->text, &d, &ignored) || d < 0 || d >= 0x1p63)
        return false;
    *ret = (uint64_t)d;
    return true;
}
