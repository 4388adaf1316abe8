#include "target/mounts.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/array.h"
#include "base/file.h"

enum { PROC_LIMIT = 16 << 20, OVERLAY_DEPTH = 8, MOUNT_FIELDS = 64 };

/* The kernel writes blanks, newlines and backslashes as three octal digits. */
static char *unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from;) {
        if (from[0] == '\\' && from[1] >= '0' && from[1] <= '3' && from[2] >= '0' &&
            from[2] <= '7' && from[3] >= '0' && from[3] <= '7') {
            *to++ = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
            from += 4;
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
    return text;
}

static size_t split(char *line, char **fields, size_t max)
{
    size_t n = 0;
    char *rest = NULL;
    for (char *f = strtok_r(line, " \t", &rest); f && n < max; f = strtok_r(NULL, " \t", &rest))
        fields[n++] = f;
    return n;
}

/* id parent major:minor root point options optional… - type source super_options */
static bool parse_mount(char *line, struct mount *ret)
{
    char *f[MOUNT_FIELDS];
    size_t n = split(line, f, MOUNT_FIELDS), dash = 6;
    while (dash < n && strcmp(f[dash], "-") != 0)
        dash++;
    dev_t dev = 0;
    if (dash + 2 >= n || !sysfs_parse_dev(f[2], &dev))
        return false;
    *ret = (struct mount) {
        .dev = dev,
        .point = unescape(f[4]),
        .options = unescape(f[5]),
        .type = unescape(f[dash + 1]),
        .source = unescape(f[dash + 2]),
        .super_options = dash + 3 < n ? unescape(f[dash + 3]) : "",
    };
    return true;
}

int mounts_read(struct arena *a, struct mounts *ret, struct error *e)
{
    char *text = NULL, *rest = NULL;
    size_t n = 0;
    if (file_read(a, sysfs_path(a, "/proc/self/mountinfo"), PROC_LIMIT, &text, &n, e))
        return error_wrap(e, "cannot tell what is mounted");
    ARRAY(struct mount) list = { 0 };
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        struct mount m;
        if (parse_mount(line, &m))
            *array_push(&list) = m;
    }
    *ret = (struct mounts) { .n = list.n };
    if (list.n)
        ret->at = arena_memdup(a, list.at, list.n * sizeof *list.at);
    array_free(&list);
    return 0;
}

static bool covers(const char *point, const char *real)
{
    size_t n = strlen(point);
    if (n == 1)
        return true;
    return strncmp(point, real, n) == 0 && (real[n] == '/' || real[n] == '\0');
}

const struct mount *mounts_covering(const struct mounts *m, const char *real, dev_t dev)
{
    const struct mount *best = NULL;
    for (size_t i = 0; i < m->n; i++) {
        const struct mount *c = &m->at[i];
        if (!covers(c->point, real))
            continue;
        bool fits = c->dev == dev, best_fits = best && best->dev == dev;
        if (!best || fits > best_fits ||
            (fits == best_fits && strlen(c->point) >= strlen(best->point)))
            best = c;
    }
    return best;
}

bool devices_have(const struct devices *d, dev_t dev)
{
    for (size_t i = 0; i < d->n; i++)
        if (d->at[i].dev == dev)
            return true;
    return false;
}

void devices_add(struct devices *d, const struct blockdev *b)
{
    if (devices_have(d, b->dev))
        return;
    if (d->n < countof(d->at))
        d->at[d->n++] = *b;
    else
        d->full = true;
}

/* The folder of /sys/fs/btrfs whose filesystem has the device, or NULL. */
static const char *btrfs_folder(struct arena *a, const struct blockdev *b)
{
    const char *all = sysfs_path(a, "/sys/fs/btrfs");
    struct names uuids = sysfs_entries(a, all);
    for (size_t i = 0; i < uuids.n; i++) {
        const char *folder = arena_printf(a, "%s/%s", all, uuids.at[i]);
        if (file_exists(arena_printf(a, "%s/devices/%s", folder, b->name)))
            return folder;
    }
    return NULL;
}

const char *btrfs_in_use(struct arena *a, const struct blockdev *b)
{
    const char *folder = btrfs_folder(a, b);
    if (!folder)
        return NULL;
    const char *label = file_line(a, arena_printf(a, "%s/label", folder));
    return label ? label : strrchr(folder, '/') + 1;
}

static void btrfs_devices(struct arena *a, const struct blockdev *one, struct devices *ret)
{
    const char *folder = btrfs_folder(a, one);
    struct names all = { 0 };
    if (folder)
        all = sysfs_entries(a, arena_printf(a, "%s/devices", folder));
    for (size_t i = 0; i < all.n; i++) {
        struct blockdev b;
        if (sysfs_by_name(a, all.at[i], &b))
            devices_add(ret, &b);
    }
}

/* bcachefs names all its devices in the source, with colons. */
static void source_devices(struct arena *a, const struct mount *on, struct devices *ret)
{
    char *rest = NULL, *list = arena_strdup(a, on->source);
    for (char *node = strtok_r(list, ":", &rest); node; node = strtok_r(NULL, ":", &rest)) {
        struct blockdev b;
        if (!sysfs_by_node(a, node, &b))
            continue;
        devices_add(ret, &b);
        if (strcmp(on->type, "btrfs") == 0)
            btrfs_devices(a, &b, ret);
    }
}

/* Value of "key=" among comma-separated options, up to a comma or colon; or NULL. */
static const char *option_path(struct arena *a, const char *options, const char *key)
{
    size_t n = strlen(key);
    for (const char *at = strstr(options, key); at; at = strstr(at + 1, key))
        if (at == options || at[-1] == ',')
            return arena_strndup(a, at + n, strcspn(at + n, ",:"));
    return NULL;
}

void mount_devices(struct arena *a, const struct mounts *m, const struct mount *on,
                   struct devices *ret)
{
    for (int depth = 0; on && depth < OVERLAY_DEPTH; depth++) {
        struct blockdev b;
        if (major(on->dev) && sysfs_by_dev(a, on->dev, &b)) {
            devices_add(ret, &b);
            return;
        }
        if (strcmp(on->type, "overlay") != 0) {
            source_devices(a, on, ret);
            return;
        }
        const char *below = option_path(a, on->super_options, "upperdir=");
        if (!below)
            below = option_path(a, on->super_options, "lowerdir=");
        const struct mount *next = below ? mounts_covering(m, below, 0) : NULL;
        on = next != on ? next : NULL;
    }
}

int swaps_read(struct arena *a, struct swaps *ret, struct error *e)
{
    char *text = NULL, *rest = NULL;
    size_t n = 0;
    *ret = (struct swaps) { 0 };
    if (file_read(a, sysfs_path(a, "/proc/swaps"), PROC_LIMIT, &text, &n, e)) {
        if (e->sys == ENOENT) /* a kernel without swap */
            return 0;
        return error_wrap(e, "cannot tell what is in use as swap");
    }
    ARRAY(struct swap) list = { 0 };
    strtok_r(text, "\n", &rest); /* headings */
    for (char *line = strtok_r(NULL, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *f[8];
        if (split(line, f, countof(f)) < 2)
            continue;
        *array_push(&list) = (struct swap) { .path = unescape(f[0]),
                                             .is_file = strcmp(f[1], "file") == 0 };
    }
    if (list.n) {
        ret->at = arena_memdup(a, list.at, list.n * sizeof *list.at);
        ret->n = list.n;
    }
    array_free(&list);
    return 0;
}

bool swaps_have_device(struct arena *a, const struct swaps *s, const struct blockdev *b)
{
    for (size_t i = 0; i < s->n; i++) {
        struct blockdev used;
        if (!s->at[i].is_file && sysfs_by_node(a, s->at[i].path, &used) && used.dev == b->dev)
            return true;
    }
    return false;
}

bool swaps_have_file(const struct swaps *s, dev_t dev, ino_t ino)
{
    for (size_t i = 0; i < s->n; i++) {
        struct stat st;
        if (s->at[i].is_file && !stat(s->at[i].path, &st) && st.st_dev == dev && st.st_ino == ino)
            return true;
    }
    return false;
}
