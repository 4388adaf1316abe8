#include <string.h>

#include "base/parse.h"
#include "base/utf8.h"
#include "target/target.h"

enum { MAX_NAME = 100 };

/* The last ",key=value" of text, or NULL: a key has only small letters, a value no slash. */
static char *last_option(char *text)
{
    char *comma = strrchr(text, ',');
    if (!comma)
        return NULL;
    size_t n = strspn(comma + 1, "abcdefghijklmnopqrstuvwxyz");
    return n && comma[1 + n] == '=' && !strchr(comma, '/') ? comma : NULL;
}

static int take_options(char *text, struct target_spec *s, struct error *e)
{
    bool given = false;
    for (char *comma = last_option(text); comma; comma = last_option(text)) {
        *comma = '\0';
        char *value = strchr(comma + 1, '=');
        *value++ = '\0';
        if (strcmp(comma + 1, "direct") != 0)
            return error_set(e, QD_E_USAGE, "unknown option '%s' (there is direct=no)", comma + 1);
        if (given)
            return error_set(e, QD_E_USAGE, "direct is given twice");
        given = true;
        if (parse_bool(value, &s->direct, e))
            return error_wrap(e, "direct");
    }
    return 0;
}

/* A '=' after the first slash belongs to the path, and so does one after "mem:" or "loop:". */
static int take_name(struct arena *a, char **text, struct target_spec *s, struct error *e)
{
    char *equals = strchr(*text, '='), *slash = strchr(*text, '/');
    if (!equals || (slash && slash < equals) || strncmp(*text, "mem:", 4) == 0 ||
        strncmp(*text, "loop:", 5) == 0)
        return 0;
    *equals = '\0';
    const char *name = *text;
    *text = equals + 1;
    if (!*name)
        return error_set(e, QD_E_USAGE, "the name before '=' is empty");
    if (!utf8_valid(name) || utf8_length(name) > MAX_NAME)
        return error_set(e, QD_E_USAGE, "the name is not UTF-8 of at most %d characters", MAX_NAME);
    for (const char *p = name; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7f)
            return error_set(e, QD_E_USAGE, "the name has control characters");
    s->name = arena_strdup(a, name);
    return 0;
}

static int take_memory(const char *size, struct target_spec *s, struct error *e)
{
    s->scheme = TARGET_MEMORY;
    s->path = "mem:";
    if (!*size)
        return 0;
    if (parse_size(size, &s->memory_bytes, e))
        return error_wrap(e, "mem:");
    return s->memory_bytes ? 0 : error_set(e, QD_E_USAGE, "mem: of no size");
}

static int parse(struct arena *a, char *text, struct target_spec *s, struct error *e)
{
    if (take_options(text, s, e) || take_name(a, &text, s, e))
        return -1;
    if (strncmp(text, "mem:", 4) == 0)
        return take_memory(text + 4, s, e);
    if (strncmp(text, "loop:", 5) == 0) {
        s->scheme = TARGET_LOOP;
        text += 5;
    }
    if (!*text)
        return error_set(e, QD_E_USAGE, "the path is empty");
    s->path = arena_strdup(a, text);
    return 0;
}

int target_spec_parse(struct arena *a, const char *text, struct target_spec *ret, struct error *e)
{
    struct target_spec s = { .scheme = TARGET_FILE, .direct = true };
    if (parse(a, arena_strdup(a, text), &s, e))
        return error_wrap(e, "target '%s'", text);
    *ret = s;
    return 0;
}
