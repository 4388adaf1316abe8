#include "report/privacy.h"

#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/str.h"
#include "base/utf8.h"

enum { SHOWN = 4, TEXT_LIMIT = 16 << 20 };

static bool names_serial(const char *key)
{
    return strcasestr(key, "serial") || !strcasecmp(key, "wwn") || !strcasecmp(key, "wwid");
}

static bool names_host(const char *key)
{
    static const char *const keys[] = { "host", "host name", "hostname" };
    for (size_t i = 0; i < countof(keys); i++)
        if (!strcasecmp(key, keys[i]))
            return true;
    return false;
}

static const char *last_characters(struct arena *a, const char *s)
{
    size_t n = utf8_length(s);
    for (; n > SHOWN; n--)
        utf8_next(&s);
    return arena_printf(a, "…%s", s);
}

static void learn(struct privacy *p, const char *whole)
{
    if (utf8_length(whole) <= SHOWN)
        return;
    for (size_t i = 0; i < p->n; i++)
        if (!strcmp(p->at[i].whole, whole))
            return;
    if (p->n == p->cap) {
        p->cap = p->cap ? p->cap * 2 : 8;
        struct secret *grown = arena_array(p->a, struct secret, p->cap);
        if (p->n)
            memcpy(grown, p->at, p->n * sizeof *grown);
        p->at = grown;
    }
    size_t i = p->n++;
    for (; i > 0 && strlen(p->at[i - 1].whole) < strlen(whole); i--)
        p->at[i] = p->at[i - 1];
    p->at[i] = (struct secret) { arena_strdup(p->a, whole), last_characters(p->a, whole) };
}

void privacy_learn(struct privacy *p, const struct fact *facts, size_t n)
{
    for (size_t i = 0; !p->off && i < n; i++)
        if (names_serial(facts[i].key) && facts[i].value)
            learn(p, facts[i].value);
}

static const char *replace(struct arena *a, const char *text, const struct secret *secret)
{
    const char *hit = strstr(text, secret->whole);
    if (!hit)
        return text;
    struct str out = str_new(TEXT_LIMIT);
    for (; hit; hit = strstr(text, secret->whole)) {
        str_putn(&out, text, (size_t)(hit - text));
        str_put(&out, secret->shown);
        text = hit + strlen(secret->whole);
    }
    str_put(&out, text);
    const char *replaced = arena_strdup(a, out.at);
    str_done(&out);
    return replaced;
}

const char *privacy_text(const struct privacy *p, const char *text)
{
    for (size_t i = 0; text && i < p->n; i++)
        text = replace(p->a, text, &p->at[i]);
    return text;
}

const struct fact *privacy_facts(const struct privacy *p, const struct fact *facts, size_t n,
                                 size_t *ret_n)
{
    struct fact *kept = arena_array(p->a, struct fact, n);
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        if (p->off || !names_host(facts[i].key))
            kept[k++] = (struct fact) { facts[i].key, privacy_text(p, facts[i].value) };
    *ret_n = k;
    return kept;
}
