#include "target/recipe.h"

#include <inttypes.h>
#include <string.h>

#include "base/array.h"

static const struct level {
    const char *name;
    size_t least;
} levels[] = { { "raid0", 2 }, { "raid1", 2 }, { "raid10", 4 }, { "raid5", 3 } };

static const struct level *level_of(const struct recipe *r)
{
    for (size_t i = 0; r->level && i < countof(levels); i++)
        if (!strcmp(levels[i].name, r->level))
            return &levels[i];
    return NULL;
}

/* An option that would reach beyond the devices given, or force. */
static bool word_reaches_out(const char *word)
{
    static const char *const names[] = { "dev=", "device=", "name=", "file=",  "journal_path=",
                                         "loop", "bind",    "move",  "remount" };
    if (strchr(word, '/') || strstr(word, "--force") || strstr(word, "UUID=") ||
        strstr(word, "LABEL="))
        return true;
    for (size_t i = 0; i < countof(names); i++)
        if (strstr(word, names[i]))
            return true;
    return word[0] == '-' && word[1] != '-' && strpbrk(word, "fF");
}

/* *ret_n words of text, NULL at the end; text may be NULL. */
static const char **words_of(struct arena *a, const char *text, size_t *ret_n)
{
    const char **at = arena_array(a, const char *, strlen(text ? text : "") / 2 + 2);
    char *rest = NULL;
    size_t n = 0;
    for (char *word = strtok_r(arena_strdup(a, text ? text : ""), " \t", &rest); word;
         word = strtok_r(NULL, " \t", &rest))
        at[n++] = word;
    *ret_n = n;
    return at;
}

static int check_words(const char *what, const char *text, struct error *e)
{
    struct arena *a = arena_new();
    size_t n = 0;
    const char *const *words = words_of(a, text, &n);
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++)
        if (word_reaches_out(words[i]))
            rc = error_set(
                e, QD_E_USAGE,
                "%s '%s': options that force, or that name a device or path, are refused", what,
                words[i]);
    arena_free(a);
    return rc;
}

int recipe_check(const struct recipe *r, size_t n, struct error *e)
{
    const struct level *l = level_of(r);
    if (r->level && !l)
        return error_set(e, QD_E_USAGE, "there is no level '%s'", r->level);
    if (l && n < l->least)
        return error_set(e, QD_E_USAGE, "%s needs %zu members, not %zu", l->name, l->least, n);
    if (!l && n != 1)
        return error_set(e, QD_E_USAGE, "%zu devices without a level", n);
    if (check_words("mkfs option", r->mkfs_options, e))
        return -1;
    return check_words("mount option", r->mount_options, e);
}

const char *recipe_words(struct arena *a, const struct recipe *r)
{
    if (r->mdadm && r->type)
        return arena_printf(a, "%s on md %s", r->type, r->level);
    if (r->mdadm)
        return arena_printf(a, "md %s", r->level);
    return r->level ? arena_printf(a, "%s %s", r->type, r->level) : r->type;
}

uint64_t recipe_capacity(const struct recipe *r, const uint64_t *sizes, size_t n)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < n; i++)
        if (sizes[i] < least)
            least = sizes[i];
    if (n == 0)
        return 0;
    if (!r->level || !strcmp(r->level, "raid1"))
        return least;
    if (!strcmp(r->level, "raid10"))
        return least * (n / 2);
    return !strcmp(r->level, "raid5") ? least * (n - 1) : least * n;
}

/* A command that grows. */
struct command {
    const char **at;
    size_t n;
};

static struct command command_new(struct arena *a, size_t most)
{
    return (struct command) { .at = arena_array(a, const char *, most + 1) };
}

static void put(struct command *c, const char *first, const char *second)
{
    c->at[c->n++] = first;
    if (second)
        c->at[c->n++] = second;
}

static void put_all(struct command *c, const char *const *at, size_t n)
{
    for (size_t i = 0; i < n; i++)
        c->at[c->n++] = at[i];
}

static const char *mkfs_name(struct arena *a, const struct recipe *r)
{
    return arena_printf(a, "mkfs.%s", r->type);
}

const char *const *recipe_mkfs(struct arena *a, const struct recipe *r, const char *uuid,
                               const struct recipe_devices *d)
{
    size_t n = 0;
    const char *const *words = words_of(a, r->mkfs_options, &n);
    struct command c = command_new(a, n + d->n + 16);
    put(&c, mkfs_name(a, r), "-q");
    if (!strcmp(r->type, "xfs")) {
        put(&c, "-m", arena_printf(a, "uuid=%s", uuid));
    } else {
        put(&c, "-U", uuid);
    }
    if (!strcmp(r->type, "ext4"))
        put(&c, "-E", "lazy_itable_init=0,lazy_journal_init=0");
    if (!r->mdadm && r->level) {
        put(&c, "-d", r->level);
        put(&c, "-m", !strcmp(r->level, "raid10") ? "raid10" : "raid1");
    }
    put_all(&c, words, n);
    put_all(&c, d->nodes, d->n);
    return c.at;
}

const char *const *recipe_mount(struct arena *a, const struct recipe *r,
                                const struct recipe_devices *d, const char *point)
{
    struct command c = command_new(a, 8);
    const char *options = "nosuid,nodev,noexec";
    if (r->mount_options)
        options = arena_printf(a, "%s,%s", r->mount_options, options);
    for (size_t i = 0; d->n > 1 && i < d->n; i++)
        options = arena_printf(a, "%s,device=%s", options, d->nodes[i]);
    put(&c, "mount", NULL);
    put(&c, "-t", r->type);
    put(&c, "-o", options);
    put(&c, d->nodes[0], point);
    return c.at;
}

const char *const *recipe_array(struct arena *a, const struct recipe *r, const char *uuid,
                                const char *array, const struct recipe_devices *d)
{
    struct command c = command_new(a, d->n + 16);
    put(&c, "mdadm", "--create");
    put(&c, array, "--run");
    put(&c, arena_printf(a, "--level=%s", r->level + strlen("raid")),
        arena_printf(a, "--raid-devices=%zu", d->n));
    put(&c, "--metadata=1.2", arena_printf(a, "--uuid=%s", uuid));
    if (r->chunk_bytes && strcmp(r->level, "raid1") != 0)
        put(&c, arena_printf(a, "--chunk=%" PRIu64 "K", r->chunk_bytes >> 10), NULL);
    if (strcmp(r->level, "raid0") != 0)
        put(&c, "--bitmap=none", NULL);
    if (!strcmp(r->level, "raid1") || !strcmp(r->level, "raid10"))
        put(&c, "--assume-clean", NULL);
    put_all(&c, d->nodes, d->n);
    return c.at;
}

const char *const *recipe_tools(struct arena *a, const struct recipe *r)
{
    struct command c = command_new(a, 4);
    if (r->mdadm)
        put(&c, "mdadm", NULL);
    if (r->type)
        put(&c, mkfs_name(a, r), "mount");
    return c.at;
}
