#include "matrix/xml_message.h"

#include <string.h>

static const char element[] = "Element '";
static const char attribute[] = ", attribute '";
static const char facet[] = "[facet '";

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Names come as {namespace}name; sets of values as {'a', 'b'} stay. */
static void put_without_namespaces(struct str *s, const char *text)
{
    while (*text) {
        const char *end = *text == '{' && text[1] != '\'' ? strchr(text, '}') : NULL;
        if (!end)
            str_char(s, is_blank(*text) ? ' ' : *text);
        text = end ? end + 1 : text + 1;
    }
}

static bool starts_with(const char *text, const char *head)
{
    return !strncmp(text, head, strlen(head));
}

/* Puts "<x> attribute 'y': " and returns what follows it. */
static const char *put_subject(struct str *s, const char *text)
{
    const char *name = text + sizeof element - 1;
    const char *end = starts_with(text, element) ? strchr(name, '\'') : NULL;
    const char *colon = end ? strstr(end, ": ") : NULL;
    if (!colon)
        return text;
    str_printf(s, "<%.*s>", (int)(end - name), name);
    end++;
    if (starts_with(end, attribute))
        end++;
    text = colon + 2;
    str_putn(s, end, (size_t)(text - end));
    const char *close = starts_with(text, facet) ? strstr(text, "] ") : NULL;
    return close ? close + 2 : text;
}

static char lowered(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

void xml_message(struct str *s, const char *message)
{
    struct str plain = str_new(16384);
    put_without_namespaces(&plain, message);
    while (plain.n && (is_blank(plain.at[plain.n - 1]) || plain.at[plain.n - 1] == '.'))
        plain.at[--plain.n] = 0;

    bool lower = true;
    for (const char *at = put_subject(s, plain.n ? plain.at : ""); *at; at++) {
        bool stop = starts_with(at, ". E");
        char c = lower ? lowered(*at) : *at;
        str_char(s, stop ? ';' : c);
        lower = stop || (lower && *at == ' ');
    }
    str_done(&plain);
}

void xml_message_attribute(const char *message, char *buf, size_t n)
{
    const char *at = strstr(message, attribute);
    const char *colon = strstr(message, ": ");
    buf[0] = 0;
    if (!at || (colon && colon < at))
        return;
    at += sizeof attribute - 1;
    size_t length = strcspn(at, "'");
    if (length < n) {
        memcpy(buf, at, length);
        buf[length] = 0;
    }
}
