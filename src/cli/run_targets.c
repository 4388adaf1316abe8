#include "cli/run_targets.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"

struct finder {
    const struct command *c;
    const struct matrix *m;
    struct run_targets *found;
    struct error *e;
};

static int add(struct finder *f, const struct target_info *t, const struct made_spec *made)
{
    struct run_targets *r = f->found;
    if (r->n == PLAN_MAX_TARGETS)
        return error_set(f->e, QD_E_USAGE, "more than %d targets are too many", PLAN_MAX_TARGETS);
    r->infos[r->n] = *t;
    r->made[r->n++] = made;
    return 0;
}

static int probe_text(struct finder *f, const char *text, struct target_info *ret)
{
    struct target_spec spec;
    return target_spec_parse(f->c->arena, text, &spec, f->e) ||
                   target_probe(f->c->arena, &spec, ret, f->e)
               ? -1
               : 0;
}

/* --- the command line -------------------------------------------------------------------------------------------------- */

/* Only `quick` measures without being told what: the current folder's filesystem with direct I/O, the same buffered, and memory. */
static const char *const *texts(struct finder *f, size_t *ret_n)
{
    static const char *const defaults[] = { "Direct=.", "Buffered=.,direct=no",
                                            "Memory=mem:", NULL };
    uint32_t n_in_file = 0;
    const char *const *given = opt_all(f->c, OPT_TARGET, ret_n);
    matrix_targets(f->m, &n_in_file);
    if (*ret_n || n_in_file)
        return given;
    if (!matrix_has_default_targets(f->m)) {
        error_set(f->e, QD_E_USAGE, "'%s' needs a target: --target NAME=PATH (see qdepth targets)",
                  matrix_name(f->m));
        return NULL;
    }
    *ret_n = countof(defaults) - 1;
    return defaults;
}

/* Is "NAME=PATH" the path of a device of the file? */
static bool names_device(const char *text, const struct matrix_target *t)
{
    size_t n = strlen(t->name);
    return !t->recipe && !strncmp(text, t->name, n) && text[n] == '=';
}

static bool is_bound(const struct finder *f, const char *text)
{
    uint32_t n = 0;
    const struct matrix_target *at = matrix_targets(f->m, &n);
    for (uint32_t i = 0; i < n; i++)
        if (names_device(text, &at[i]))
            return true;
    return false;
}

static int find_given(struct finder *f)
{
    size_t n = 0;
    const char *const *given = texts(f, &n);
    struct target_info t;
    if (!given)
        return -1;
    for (size_t i = 0; i < n; i++)
        if (!is_bound(f, given[i]) && (probe_text(f, given[i], &t) || add(f, &t, NULL)))
            return -1;
    return 0;
}

/* --- the matrix file --------------------------------------------------------------------------------------------------- */

static int probe_device(struct finder *f, const struct matrix_target *t, struct target_info *ret)
{
    size_t n = 0;
    const char *const *given = opt_all(f->c, OPT_TARGET, &n);
    const char *path = t->path;
    for (size_t i = 0; i < n; i++)
        if (names_device(given[i], t))
            path = given[i] + strlen(t->name) + 1;
    if (!path)
        return error_set(f->e, QD_E_USAGE, "'%s' needs a path for '%s': --target %s=PATH",
                         matrix_name(f->m), t->name, t->name);
    if (probe_text(f, path, ret))
        return error_wrap(f->e, "target '%s'", t->name);
    ret->name = ret->spec.name = t->title;
    ret->spec.direct = ret->spec.direct && t->direct;
    return 0;
}

static int add_made(struct finder *f, const struct matrix_target *t,
                    const struct target_info *devices)
{
    struct made_spec *made = arena_one(f->c->arena, struct made_spec);
    struct target_info *members = arena_array(f->c->arena, struct target_info, t->n_members);
    struct target_info info;
    for (uint32_t i = 0; i < t->n_members; i++)
        members[i] = devices[t->members[i]];
    *made = (struct made_spec) { *t->recipe, members, t->n_members };
    return made_probe(f->c->arena, t->title, t->direct, made, &info, f->e) || add(f, &info, made)
               ? -1
               : 0;
}

static int find_in_file(struct finder *f)
{
    uint32_t n = 0;
    const struct matrix_target *at = matrix_targets(f->m, &n);
    struct target_info *devices = arena_array(f->c->arena, struct target_info, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        if (!at[i].recipe && probe_device(f, &at[i], &devices[i]))
            return -1;
        if (at[i].measured &&
            (at[i].recipe ? add_made(f, &at[i], devices) : add(f, &devices[i], NULL)))
            return -1;
    }
    return 0;
}

/* --- the sweep of filesystems -------------------------------------------------------------------------------------------- */

static int add_filesystem(struct finder *f, const struct target_info *device, const char *type,
                          bool alone)
{
    struct arena *a = f->c->arena;
    struct made_spec *made = arena_one(a, struct made_spec);
    struct target_info info;
    const char *name = alone ? type : arena_printf(a, "%s %s", device->name, type);
    *made = (struct made_spec) { { .type = type }, arena_memdup(a, device, sizeof *device), 1 };
    return made_probe(a, name, device->spec.direct, made, &info, f->e) || add(f, &info, made) ? -1
                                                                                              : 0;
}

/* Every device that is measured becomes one target for each filesystem. */
static int sweep_filesystems(struct finder *f)
{
    uint32_t n_types = 0;
    const char *const *types = matrix_filesystems(f->m, &n_types);
    struct run_targets *r = f->found;
    const struct run_targets before = *r;
    uint32_t n_devices = 0;
    if (n_types == 0)
        return 0;
    r->infos = arena_array(f->c->arena, struct target_info, PLAN_MAX_TARGETS);
    r->made = arena_array(f->c->arena, const struct made_spec *, PLAN_MAX_TARGETS);
    r->n = 0;
    for (uint32_t i = 0; i < before.n; i++)
        n_devices += !before.made[i];
    for (uint32_t i = 0; i < before.n; i++) {
        if (before.made[i] && add(f, &before.infos[i], before.made[i]))
            return -1;
        for (uint32_t k = 0; !before.made[i] && k < n_types; k++)
            if (add_filesystem(f, &before.infos[i], types[k], n_devices == 1))
                return -1;
    }
    return 0;
}

/* --- the device sheet ---------------------------------------------------------------------------------------------------- */

static void add_facts(struct arena *a, struct target_info *t, const struct sheet_row *row)
{
    struct fact *all = arena_array(a, struct fact, t->n_facts + row->n_facts + 1);
    for (size_t i = 0; i < t->n_facts; i++)
        all[i] = t->facts[i];
    for (size_t i = 0; i < row->n_facts; i++)
        all[t->n_facts + i] = row->facts[i];
    t->facts = all;
    t->n_facts += row->n_facts;
}

/* A sheet may be of more devices than are tested; what fits none is said, for it may be a typing error. */
static int apply_sheet(struct finder *f)
{
    const char *path = opt_text(f->c, OPT_DEVICES);
    struct run_targets *r = f->found;
    r->sheets = arena_array(f->c->arena, const struct device_sheet *, r->n + 1);
    if (!path)
        return 0;
    if (sheet_load(f->c->arena, path, &r->sheet, f->e))
        return -1;
    bool *used = arena_array(f->c->arena, bool, r->sheet.n_rows + 1);
    for (uint32_t i = 0; i < r->n; i++) {
        struct target_info *t = &r->infos[i];
        const char *const names[] = { t->name, t->serial, t->spec.path };
        const struct sheet_row *row = sheet_find(&r->sheet, names, countof(names));
        if (!row)
            continue;
        used[row - r->sheet.rows] = true;
        r->sheets[i] = &row->sheet;
        if (row->title)
            t->name = t->spec.name = row->title;
        add_facts(f->c->arena, t, row);
    }
    for (size_t i = 0; i < r->sheet.n_rows; i++)
        if (!used[i])
            fprintf(stderr, "%s: no target of this run is '%s'\n", path, r->sheet.rows[i].target);
    return 0;
}

static int check_names(const struct target_info *t, uint32_t n, struct error *e)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(t[i].name, t[k].name) == 0)
                return error_set(e, QD_E_USAGE,
                                 "two targets are called '%s' (name them: --target NAME=PATH)",
                                 t[i].name);
    return 0;
}

int run_targets_find(const struct command *c, const struct matrix *m, struct run_targets *ret,
                     struct error *e)
{
    struct run_targets r = {
        .infos = arena_array(c->arena, struct target_info, PLAN_MAX_TARGETS),
        .made = arena_array(c->arena, const struct made_spec *, PLAN_MAX_TARGETS),
    };
    struct finder f = { .c = c, .m = m, .found = &r, .e = e };
    if (find_in_file(&f) || find_given(&f) || sweep_filesystems(&f) || apply_sheet(&f) ||
        check_names(r.infos, r.n, e))
        return -1;
    *ret = r;
    return 0;
}
