#include "target/made.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/fmt.h"
#include "target/facts.h"
#include "target/mark.h"
#include "target/recipe.h"
#include "target/sysfs.h"
#include "target/tool.h"

enum { MAX_STEPS = 2 * 64 + 8 };

struct made {
    const struct made_job *job;
    const struct made_journal *journal;
    struct recipe_devices members;
    char uuid[MARK_TEXT], array_uuid[MARK_TEXT];
    const char *point, *array; /* NULL: none */
    struct {
        struct undo_step step;
        int64_t id;
    } steps[MAX_STEPS];
    size_t n_steps;
    struct target_info info;
    struct write_permit *permit;
};

/* --- before --------------------------------------------------------------------------------------------------------- */

static int check_tools(struct arena *a, const struct recipe *r, struct error *e)
{
    for (const char *const *tool = recipe_tools(a, r); *tool; tool++)
        if (!tool_find(a, *tool))
            return error_set(e, QD_E_FAIL, "'%s' is not installed", *tool);
    if (!r->mdadm || file_exists("/proc/mdstat") || file_exists("/sys/module/md_mod"))
        return 0;
    const char *const argv[] = { "modprobe", "md_mod", NULL };
    struct error why;
    if (tool_run(a, argv, "/", NULL, &why))
        return error_set(e, QD_E_FAIL, "this kernel has no md arrays (%s)", why.what);
    return 0;
}

static int check_members(const struct made_spec *m, struct error *e)
{
    for (size_t i = 0; i < m->n_members; i++) {
        const struct target_info *t = &m->members[i];
        if (t->kind != TARGET_BLOCK)
            return error_set(e, QD_E_USAGE, "'%s' is a %s, not a block device", t->spec.path,
                             target_kind_name(t->kind));
        for (size_t k = 0; k < i; k++)
            if (target_same(t, &m->members[k]))
                return error_set(e, QD_E_USAGE, "'%s' and '%s' are the same device", t->spec.path,
                                 m->members[k].spec.path);
    }
    return recipe_check(&m->recipe, m->n_members, e);
}

static const char *list(struct arena *a, const struct made_spec *m, bool identities)
{
    const char *text = "";
    for (size_t i = 0; i < m->n_members; i++)
        text = arena_printf(a, "%s%s%s", text, i ? ", " : "",
                            identities ? m->members[i].identity : m->members[i].spec.path);
    return text;
}

static const struct fact *facts_before(struct arena *a, const struct made_spec *m, size_t *ret_n)
{
    struct facts f = { 0 };
    const struct recipe *r = &m->recipe;
    facts_put(&f, "Made for the run", recipe_words(a, r));
    facts_put(&f, r->level ? "Members" : "On", list(a, m, false));
    facts_put(&f, "Level", r->level);
    if (r->level)
        facts_put(&f, "Number of members", arena_printf(a, "%zu", m->n_members));
    if (r->chunk_bytes)
        facts_put(&f, "Chunk", arena_strdup(a, fmt_bytes(r->chunk_bytes).s));
    facts_put(&f, "mkfs options", r->mkfs_options);
    facts_put(&f, "Mount options asked for", r->mount_options);
    return facts_take(a, &f, ret_n);
}

int made_probe(struct arena *a, const char *name, bool direct, const struct made_spec *m,
               struct target_info *ret, struct error *e)
{
    const struct recipe *r = &m->recipe;
    uint64_t *sizes = arena_array(a, uint64_t, m->n_members + 1);
    if (check_members(m, e) || check_tools(a, r, e))
        return error_wrap(e, "cannot make '%s'", name);
    for (size_t i = 0; i < m->n_members; i++)
        sizes[i] = m->members[i].capacity_bytes;
    struct target_info t = {
        .name = name,
        .kind = r->type ? TARGET_DIRECTORY : TARGET_BLOCK,
        .spec = { .name = name, .direct = direct, .scheme = TARGET_FILE },
        .capacity_bytes = recipe_capacity(r, sizes, m->n_members),
        .logical_block = m->members[0].logical_block,
        .physical_block = m->members[0].physical_block,
    };
    t.available_bytes = t.capacity_bytes - (r->type ? t.capacity_bytes / 20 : 0);
    t.spec.path = arena_printf(a, "%s on %s", recipe_words(a, r), list(a, m, false));
    t.identity = arena_printf(a, "%s on %s", recipe_words(a, r), list(a, m, true));
    t.facts = facts_before(a, m, &t.n_facts);
    *ret = t;
    return 0;
}

int made_permit(struct arena *a, const struct made_spec *m, const char *const *destroy,
                struct write_permit *const **ret, struct error *e)
{
    struct write_permit **p = arena_array(a, struct write_permit *, m->n_members + 1);
    for (size_t i = 0; i < m->n_members; i++)
        if (permit_ask(a, &m->members[i], destroy, &p[i], e))
            return -1;
    *ret = p;
    return 0;
}

/* --- making --------------------------------------------------------------------------------------------------------- */

static int note(struct arena *a, struct made *m, const struct undo_step *s, struct error *e)
{
    if (m->n_steps == MAX_STEPS)
        return error_set(e, QD_E_FAIL, "cannot make '%s': too many steps", m->job->name);
    if (m->journal->add(m->journal->ctx, s, &m->steps[m->n_steps].id, e))
        return -1;
    m->steps[m->n_steps++].step = (struct undo_step) { s->kind, arena_strdup(a, s->subject),
                                                       arena_strdup(a, s->value) };
    return 0;
}

/* As when it is opened to be measured: is it still the one that was permitted, and does nothing use it? */
static int check_member(struct arena *a, const struct target_info *t, struct write_permit *permit,
                        struct error *e)
{
    struct target *x = NULL;
    if (target_open(a, t, permit, 0, &x, e))
        return -1;
    target_close(x);
    return 0;
}

static int take_members(struct arena *a, struct made *m, struct error *e)
{
    const struct made_spec *spec = m->job->spec;
    const char **nodes = arena_array(a, const char *, spec->n_members + 1);
    const char *uuid = spec->recipe.mdadm ? m->array_uuid : m->uuid;
    for (size_t i = 0; i < spec->n_members; i++) {
        const struct target_info *t = &spec->members[i];
        struct blockdev b;
        if (check_member(a, t, m->job->permits[i], e))
            return -1;
        if (!sysfs_by_dev(a, t->dev, &b))
            return error_set(e, QD_E_GONE, "cannot use '%s': it is gone", t->spec.path);
        nodes[i] = sysfs_node(a, &b);
        const char *value = t->serial ? arena_printf(a, "%s %s", uuid, t->serial) : uuid;
        if (note(a, m, &(struct undo_step) { UNDO_WIPE, nodes[i], value }, e))
            return -1;
    }
    m->members = (struct recipe_devices) { nodes, spec->n_members };
    return 0;
}

/* raid5 computes its parity first; the others are idle at once. */
static int wait_until_idle(struct arena *a, const struct made *m, struct error *e)
{
    struct blockdev b;
    while (sysfs_by_node(a, m->array, &b)) {
        const char *doing = sysfs_text(a, &b, "md/sync_action");
        if (!doing || !strcmp(doing, "idle"))
            break;
        if (m->job->stop && atomic_load(m->job->stop))
            return error_set(e, QD_E_CANCELLED, "interrupted while '%s' was made", m->job->name);
        clock_sleep_until(clock_mono_ns() + 100 * NS_PER_MS);
    }
    return 0;
}

static int make_array(struct arena *a, struct made *m, struct error *e)
{
    const struct recipe *r = &m->job->spec->recipe;
    m->array = arena_printf(a, "/dev/md/qdepth-%.8s", m->array_uuid);
    if (note(a, m, &(struct undo_step) { UNDO_STOP_ARRAY, m->array, NULL }, e))
        return -1;
    if (tool_run(a, recipe_array(a, r, m->array_uuid, m->array, &m->members), "/", NULL, e))
        return -1;
    return wait_until_idle(a, m, e);
}

static int make_folder(struct arena *a, struct made *m, struct error *e)
{
    struct stat st;
    const char *parent = stat("/run", &st) == 0 && S_ISDIR(st.st_mode) ? "/run" : "/tmp";
    m->point = arena_printf(a, "%s/qdepth-%.8s", parent, m->uuid);
    if (note(a, m, &(struct undo_step) { UNDO_REMOVE_FOLDER, m->point, NULL }, e))
        return -1;
    if (mkdir(m->point, 0700))
        return error_sys(e, errno, "cannot make the folder '%s'", m->point);
    return 0;
}

static int make_filesystem(struct arena *a, struct made *m, struct error *e)
{
    const struct recipe *r = &m->job->spec->recipe;
    const struct recipe_devices array = { &m->array, 1 };
    const struct recipe_devices *on = m->array ? &array : &m->members;
    if (make_folder(a, m, e))
        return -1;
    if (m->array && note(a, m, &(struct undo_step) { UNDO_WIPE, m->array, m->uuid }, e))
        return -1;
    if (tool_run(a, recipe_mkfs(a, r, m->uuid, on), m->point, NULL, e))
        return -1;
    if (note(a, m, &(struct undo_step) { UNDO_UNMOUNT, m->point, m->uuid }, e))
        return -1;
    return tool_run(a, recipe_mount(a, r, on, m->point), "/", NULL, e);
}

/* --- as it is now ----------------------------------------------------------------------------------------------------- */

/* Profiles that btrfs has really given space to: "raid0 (data), raid1 (metadata)". */
static const char *btrfs_profiles(struct arena *a, const char *uuid)
{
    static const char *const kinds[] = { "data", "metadata" };
    const char *text = "";
    for (size_t i = 0; i < countof(kinds); i++) {
        const char *dir = arena_printf(a, "/sys/fs/btrfs/%s/allocation/%s", uuid, kinds[i]);
        struct names names = sysfs_entries(a, sysfs_path(a, dir));
        struct stat st;
        for (size_t k = 0; k < names.n; k++)
            if (!stat(arena_printf(a, "%s/%s", dir, names.at[k]), &st) && S_ISDIR(st.st_mode))
                text = arena_printf(a, "%s%s%s (%s)", text, *text ? ", " : "", names.at[k],
                                    kinds[i]);
    }
    return text;
}

static void put_array(struct arena *a, struct facts *f, const struct made *m)
{
    struct blockdev b;
    if (!sysfs_by_node(a, m->array, &b))
        return;
    uint64_t chunk = sysfs_number(a, &b, "md/chunk_size", 0);
    facts_put(f, "Array level", sysfs_text(a, &b, "md/level"));
    facts_put(f, "Array chunk", chunk ? arena_strdup(a, fmt_bytes(chunk).s) : NULL);
    facts_put(f, "Array members", sysfs_text(a, &b, "md/raid_disks"));
    facts_put(f, "Array metadata", sysfs_text(a, &b, "md/metadata_version"));
}

static void add_facts(struct arena *a, struct made *m)
{
    const struct recipe *r = &m->job->spec->recipe;
    const struct recipe_devices array = { &m->array, 1 };
    struct facts f = { 0 };
    for (size_t i = 0; i < m->info.n_facts; i++)
        facts_put(&f, m->info.facts[i].key, m->info.facts[i].value);
    if (m->array) {
        facts_put(&f, "Array made by",
                  tool_line(a, recipe_array(a, r, m->array_uuid, m->array, &m->members)));
        put_array(a, &f, m);
    }
    if (r->type)
        facts_put(&f, "Filesystem made by",
                  tool_line(a, recipe_mkfs(a, r, m->uuid, m->array ? &array : &m->members)));
    if (r->type && !strcmp(r->type, "btrfs"))
        facts_put(&f, "Profiles", btrfs_profiles(a, m->uuid));
    m->info.facts = facts_take(a, &f, &m->info.n_facts);
}

static int look_at_it(struct arena *a, struct made *m, struct error *e)
{
    const char *path = m->point ? m->point : m->array;
    const char *const itself[] = { path, NULL };
    const struct target_spec spec = {
        .name = m->job->name, .path = path, .scheme = TARGET_FILE, .direct = m->job->direct
    };
    if (target_probe(a, &spec, &m->info, e) || permit_ask(a, &m->info, itself, &m->permit, e))
        return -1;
    add_facts(a, m);
    return 0;
}

static int make(struct arena *a, struct made *m, struct error *e)
{
    const struct recipe *r = &m->job->spec->recipe;
    if (mark_new(m->uuid, e) || mark_new(m->array_uuid, e) || take_members(a, m, e))
        return -1;
    if ((r->mdadm && make_array(a, m, e)) || (r->type && make_filesystem(a, m, e)))
        return -1;
    return look_at_it(a, m, e);
}

int made_open(struct arena *a, const struct made_job *job, struct made **ret, struct error *e)
{
    struct made *m = arena_one(a, struct made);
    m->job = arena_memdup(a, job, sizeof *job);
    m->journal = job->journal;
    *ret = m;
    return make(a, m, e) ? error_wrap(e, "cannot make '%s'", job->name) : 0;
}

const struct target_info *made_info(const struct made *m)
{
    return &m->info;
}

struct write_permit *made_info_permit(const struct made *m)
{
    return m->permit;
}

/* A step that cannot be undone keeps those before it: a device under a mount is not wiped. */
int made_undo(struct arena *a, struct made *m, struct error *e)
{
    while (m && m->n_steps) {
        const char *words = NULL;
        if (undo_do(a, &m->steps[m->n_steps - 1].step, &words, e) ||
            m->journal->gone(m->journal->ctx, m->steps[m->n_steps - 1].id, e))
            return -1;
        m->n_steps--;
    }
    return 0;
}
