#include <string.h>

#include "base/parse.h"
#include "matrix/spec.h"
#include "matrix/xml.h"

/* <targets> and the sweep's <filesystem>. */

struct reader {
    struct arena *a;
    const struct target_source *source;
    struct matrix *m;
    struct matrix_target *at;
    struct error *e;
};

static bool yes_unless_no(const struct reader *r, const xmlNode *node, const char *attribute)
{
    const char *text = xml_attr(r->a, node, attribute);
    return !text || strcmp(text, "no") != 0;
}

/* Index of the target of that name, or -1. */
static int find(const struct reader *r, const char *name)
{
    for (uint32_t i = 0; i < r->m->n_targets; i++)
        if (!strcmp(r->at[i].name, name))
            return (int)i;
    return -1;
}

static int bad(const struct reader *r, const struct matrix_target *t, const char *what,
               const char *value)
{
    return error_at(r->e, r->source->file, t->line, "target '%s': %s '%s'", t->name, what, value);
}

static int read_members(const struct reader *r, const xmlNode *node, struct matrix_target *t)
{
    char name[256];
    const char *list = xml_attr(r->a, node, "members");
    uint32_t *members = arena_array(r->a, uint32_t, PLAN_MAX_TARGETS);
    while (parse_next(&list, name, sizeof name)) {
        int at = find(r, name);
        if (at < 0)
            return bad(r, t, "there is no device before it called", name);
        if (r->at[at].recipe)
            return bad(r, t, "a member must be a device, not", name);
        for (uint32_t i = 0; i < t->n_members; i++)
            if (members[i] == (uint32_t)at)
                return bad(r, t, "has a member twice:", name);
        members[t->n_members++] = (uint32_t)at;
    }
    t->members = members;
    return 0;
}

static int read_array(const struct reader *r, const xmlNode *node, struct matrix_target *t,
                      struct recipe *recipe)
{
    struct error ignored;
    const char *by = xml_attr(r->a, node, "made-by"), *chunk = xml_attr(r->a, node, "chunk");
    recipe->level = xml_attr(r->a, node, "level");
    recipe->mdadm = !by || !strcmp(by, "mdadm");
    recipe->type = recipe->mdadm ? NULL : "btrfs";
    if (chunk && !recipe->mdadm)
        return bad(r, t, "btrfs has no chunk to choose, but it says", chunk);
    if (chunk && (parse_size(chunk, &recipe->chunk_bytes, &ignored) || recipe->chunk_bytes < 4096 ||
                  recipe->chunk_bytes > 64 << 20 || recipe->chunk_bytes % 4096))
        return bad(r, t, "expected a chunk of 4 KiB to 64 MiB, a multiple of 4 KiB, not", chunk);
    const char *options = recipe->mkfs_options ? recipe->mkfs_options : recipe->mount_options;
    if (recipe->mdadm && options)
        return bad(r, t, "an array of mdadm has no filesystem for the options", options);
    return read_members(r, node, t);
}

/* On a device, or on an array of mdadm: then it has the array's members. */
static int read_filesystem(const struct reader *r, const xmlNode *node, struct matrix_target *t,
                           struct recipe *recipe)
{
    const char *on = xml_attr(r->a, node, "on");
    int at = find(r, on);
    if (at < 0)
        return bad(r, t, "there is no device or array before it called", on);
    const struct matrix_target *below = &r->at[at];
    if (below->recipe && below->recipe->type)
        return bad(r, t, "it cannot be made on a filesystem:", on);
    recipe->type = xml_attr(r->a, node, "type");
    if (!below->recipe) {
        uint32_t *member = arena_one(r->a, uint32_t);
        *member = (uint32_t)at;
        t->members = member;
        t->n_members = 1;
        return 0;
    }
    recipe->level = below->recipe->level;
    recipe->mdadm = true;
    recipe->chunk_bytes = below->recipe->chunk_bytes;
    t->members = below->members;
    t->n_members = below->n_members;
    return 0;
}

static int read_target(const struct reader *r, const xmlNode *node)
{
    struct matrix_target *t = &r->at[r->m->n_targets];
    struct recipe *recipe = arena_one(r->a, struct recipe);
    t->line = xml_line(node);
    t->name = xml_attr(r->a, node, "name");
    t->title = xml_attr(r->a, node, "title");
    t->direct = yes_unless_no(r, node, "direct");
    t->measured = yes_unless_no(r, node, "measure");
    if (!t->title)
        t->title = t->name;
    if (find(r, t->name) >= 0)
        return bad(r, t, "a name may be used once, not twice:", t->name);
    recipe->mkfs_options = xml_attr(r->a, node, "mkfs-options");
    recipe->mount_options = xml_attr(r->a, node, "mount-options");
    if (xml_is(node, "device")) {
        t->path = xml_attr(r->a, node, "path");
    } else {
        t->recipe = recipe;
        if (xml_is(node, "array") ? read_array(r, node, t, recipe)
                                  : read_filesystem(r, node, t, recipe))
            return -1;
    }
    r->m->n_targets++;
    return 0;
}

static int read_filesystems(const struct reader *r, const xmlNode *node)
{
    char type[64];
    const char *list = xml_text(r->a, node);
    const char **at = arena_array(r->a, const char *, PLAN_MAX_TARGETS);
    uint32_t n = 0;
    while (parse_next(&list, type, sizeof type)) {
        for (uint32_t i = 0; i < n; i++)
            if (!strcmp(at[i], type))
                return error_at(r->e, r->source->file, xml_line(node),
                                "<filesystem> has the value '%s' twice", type);
        if (n == PLAN_MAX_TARGETS)
            return error_at(r->e, r->source->file, xml_line(node),
                            "<filesystem> has more than %d values", PLAN_MAX_TARGETS);
        at[n++] = arena_strdup(r->a, type);
    }
    r->m->filesystems = at;
    r->m->n_filesystems = n;
    return 0;
}

int read_targets(struct arena *a, const struct target_source *source, struct matrix *m,
                 struct error *e)
{
    struct reader r = { .a = a, .source = source, .m = m, .e = e };
    bool any = !source->targets;
    r.at = arena_array(a, struct matrix_target, PLAN_MAX_TARGETS);
    m->targets = r.at;
    for (const xmlNode *c = source->targets ? xml_first(source->targets) : NULL; c;
         c = xml_next(c)) {
        if (m->n_targets == PLAN_MAX_TARGETS)
            return error_at(e, source->file, xml_line(c), "<targets> has more than %d",
                            PLAN_MAX_TARGETS);
        if (read_target(&r, c))
            return -1;
        any |= r.at[m->n_targets - 1].measured;
    }
    if (!any)
        return error_at(e, source->file, xml_line(source->targets),
                        "<targets> has nothing that is measured");
    return source->filesystem ? read_filesystems(&r, source->filesystem) : 0;
}

const struct matrix_target *matrix_targets(const struct matrix *m, uint32_t *ret_n)
{
    *ret_n = m->n_targets;
    return m->targets;
}

const char *const *matrix_filesystems(const struct matrix *m, uint32_t *ret_n)
{
    *ret_n = m->n_filesystems;
    return m->filesystems;
}
