#include "cli/command.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/parse.h"
#include "base/str.h"
#include "cli/verb.h"

enum { LINE_LIMIT = 1 << 20 };

bool opt_has(const struct command *c, enum opt o)
{
    return c->opts[o].n > 0;
}

const char *opt_text(const struct command *c, enum opt o)
{
    return opt_has(c, o) ? c->opts[o].at[c->opts[o].n - 1] : NULL;
}

static void push(struct arena *a, struct opt_values *v, const char *text)
{
    if (v->n == v->cap) {
        size_t cap = v->cap ? v->cap * 2 : 4;
        const char **grown = arena_array(a, const char *, cap);
        if (v->n)
            memcpy(grown, v->at, v->n * sizeof *grown);
        v->at = grown;
        v->cap = cap;
    }
    v->at[v->n++] = text;
}

const char *const *opt_all(const struct command *c, enum opt o, size_t *ret_n)
{
    struct opt_values copy = { 0 };
    for (size_t i = 0; i < c->opts[o].n; i++)
        push(c->arena, &copy, c->opts[o].at[i]);
    *ret_n = copy.n;
    push(c->arena, &copy, NULL);
    return copy.at;
}

const char *const *opt_list(const struct command *c, enum opt o, size_t *ret_n)
{
    struct opt_values parts = { 0 };
    for (size_t i = 0; i < c->opts[o].n; i++)
        for (const char *at = c->opts[o].at[i]; at;) {
            const char *comma = strchr(at, ',');
            size_t n = comma ? (size_t)(comma - at) : strlen(at);
            if (n)
                push(c->arena, &parts, arena_strndup(c->arena, at, n));
            at = comma ? comma + 1 : NULL;
        }
    *ret_n = parts.n;
    push(c->arena, &parts, NULL);
    return parts.at;
}

int opt_size(const struct command *c, enum opt o, uint64_t *ret, struct error *e)
{
    const char *text = opt_text(c, o);
    if (!text)
        return 0;
    return parse_size(text, ret, e) ? error_wrap(e, "--%s", opt_row(o)->name) : 0;
}

int opt_duration(const struct command *c, enum opt o, uint64_t *ret_ns, struct error *e)
{
    const char *text = opt_text(c, o);
    if (!text)
        return 0;
    return parse_duration(text, ret_ns, e) ? error_wrap(e, "--%s", opt_row(o)->name) : 0;
}

int opt_number(const struct command *c, enum opt o, uint64_t low, uint64_t high, uint64_t *ret,
               struct error *e)
{
    const char *text = opt_text(c, o);
    if (!text)
        return 0;
    uint64_t value = 0;
    if (parse_u64(text, &value, e))
        return error_wrap(e, "--%s", opt_row(o)->name);
    if (value < low || value > high)
        return error_set(e, QD_E_USAGE,
                         "--%s takes a whole number from %" PRIu64 " to %" PRIu64 ", not '%s'",
                         opt_row(o)->name, low, high, text);
    *ret = value;
    return 0;
}

const char *command_store(const struct command *c)
{
    const char *store = opt_text(c, OPT_STORE);
    if (!store || !*store)
        store = getenv("QDEPTH_STORE");
    return store && *store ? store : "runs/qdepth.db";
}

/* Levenshtein distance, for "did you mean". Names are short. */
static size_t distance(const char *x, const char *y)
{
    size_t row[64];
    size_t n = strlen(y);
    if (n >= countof(row))
        return n;
    for (size_t k = 0; k <= n; k++)
        row[k] = k;
    for (size_t i = 1; x[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t k = 1; k <= n; k++) {
            size_t above = row[k];
            size_t change = diagonal + (x[i - 1] != y[k - 1]);
            size_t step = (above < row[k - 1] ? above : row[k - 1]) + 1;
            row[k] = change < step ? change : step;
            diagonal = above;
        }
    }
    return row[n];
}

static int unknown_verb(const char *name, struct error *e)
{
    const char *best = NULL;
    size_t least = 3;
    for (size_t i = 0; verb_at(i); i++)
        if (distance(name, verb_at(i)->name) < least) {
            least = distance(name, verb_at(i)->name);
            best = verb_at(i)->name;
        }
    if (best)
        return error_set(e, QD_E_USAGE, "unknown verb '%s' (did you mean '%s'?)", name, best);
    return error_set(e, QD_E_USAGE, "unknown verb '%s' (see qdepth --help)", name);
}

static int unknown_option(const struct verb *v, const char *name, struct error *e)
{
    const char *best = NULL;
    size_t least = 4;
    for (enum opt o = 0; o < OPT_COUNT; o++)
        if (verb_takes(v, o) && distance(name, opt_row(o)->name) < least) {
            least = distance(name, opt_row(o)->name);
            best = opt_row(o)->name;
        }
    if (best)
        return error_set(e, QD_E_USAGE, "'%s' has no option --%s (did you mean --%s?)", v->name,
                         name, best);
    return error_set(e, QD_E_USAGE, "'%s' has no option --%s (see qdepth %s --help)", v->name, name,
                     v->name);
}

/* One option at argv[*at], its value behind '=' or in the next word. */
static int take_option(struct command *c, int argc, char **argv, int *at, struct error *e)
{
    const char *word = argv[*at] + 2;
    size_t n = strcspn(word, "=");
    const char *name = arena_strndup(c->arena, word, n);
    enum opt o = 0;
    while (o < OPT_COUNT && strcmp(opt_row(o)->name, name) != 0)
        o++;
    if (o == OPT_COUNT || !verb_takes(c->verb, o))
        return unknown_option(c->verb, name, e);
    const char *value = word[n] == '=' ? word + n + 1 : NULL;
    if (!opt_row(o)->value) {
        if (value)
            return error_set(e, QD_E_USAGE, "--%s takes no value", name);
        push(c->arena, &c->opts[o], "");
        return 0;
    }
    if (!value && *at + 1 < argc)
        value = argv[++*at];
    if (!value || (!*value && !opt_row(o)->may_be_empty))
        return error_set(e, QD_E_USAGE, "--%s needs a value: %s", name, opt_row(o)->value);
    push(c->arena, &c->opts[o], value);
    return 0;
}

/* The line as a shell would take it again. */
static const char *quote_line(struct arena *a, int argc, char **argv)
{
    struct str s = str_new(LINE_LIMIT);
    str_put(&s, "qdepth");
    for (int i = 1; i < argc; i++) {
        str_char(&s, ' ');
        if (*argv[i] && strspn(argv[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                        "0123456789_-+=./:,@%") == strlen(argv[i])) {
            str_put(&s, argv[i]);
            continue;
        }
        str_char(&s, '\'');
        for (const char *p = argv[i]; *p; p++)
            if (*p == '\'')
                str_put(&s, "'\\''");
            else
                str_char(&s, *p);
        str_char(&s, '\'');
    }
    const char *line = arena_strdup(a, s.at);
    str_done(&s);
    return line;
}

int command_parse(struct arena *a, int argc, char **argv, struct command *ret, struct error *e)
{
    struct command c = { .arena = a, .line = quote_line(a, argc, argv) };
    const char **args = arena_array(a, const char *, (size_t)argc + 1);
    bool only_words = false;
    c.verb = verb_find(argv[1]);
    if (!c.verb)
        return unknown_verb(argv[1], e);
    for (int i = 2; i < argc; i++) {
        if (!only_words && strcmp(argv[i], "--") == 0)
            only_words = true;
        else if (!only_words && strncmp(argv[i], "--", 2) == 0) {
            if (take_option(&c, argc, argv, &i, e))
                return -1;
        } else if (!only_words && strcmp(argv[i], "-h") == 0)
            push(a, &c.opts[OPT_HELP], "");
        else if (!only_words && argv[i][0] == '-' && argv[i][1])
            return error_set(e, QD_E_USAGE, "unknown option '%s': options have two dashes",
                             argv[i]);
        else
            args[c.n_args++] = argv[i];
    }
    c.args = args;
    if (!opt_has(&c, OPT_HELP) && c.n_args < c.verb->min_args)
        return error_set(e, QD_E_USAGE, "'%s' needs %s (see qdepth %s --help)", c.verb->name,
                         c.verb->args, c.verb->name);
    if (c.n_args > c.verb->max_args)
        return error_set(e, QD_E_USAGE, "'%s' does not take '%s' (see qdepth %s --help)",
                         c.verb->name, c.args[c.verb->max_args], c.verb->name);
    *ret = c;
    return 0;
}
