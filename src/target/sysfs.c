#include "target/sysfs.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/array.h"
#include "base/file.h"
#include "base/parse.h"
#include "target/target.h"

static char root[PATH_MAX];

void target_set_root(const char *prefix)
{
    snprintf(root, sizeof root, "%s", prefix);
}

bool sysfs_is_real(void)
{
    return root[0] == '\0';
}

char *sysfs_path(struct arena *a, const char *path)
{
    return arena_printf(a, "%s%s", root, path);
}

const char *names_joined(struct arena *a, const struct names *n, const char *between)
{
    const char *text = "";
    for (size_t i = 0; i < n->n; i++)
        text = arena_printf(a, "%s%s%s", text, i ? between : "", n->at[i]);
    return text;
}

bool sysfs_parse_dev(const char *text, dev_t *ret)
{
    struct error ignored;
    uint64_t major_no = 0, minor_no = 0;
    char first[16];
    size_t n = text ? strcspn(text, ":") : 0;
    if (!n || n >= sizeof first || text[n] != ':')
        return false;
    memcpy(first, text, n);
    first[n] = '\0';
    if (parse_u64(first, &major_no, &ignored) || parse_u64(text + n + 1, &minor_no, &ignored) ||
        major_no > UINT32_MAX || minor_no > UINT32_MAX)
        return false;
    *ret = makedev((unsigned)major_no, (unsigned)minor_no);
    return true;
}

static bool at_link(struct arena *a, const char *link, struct blockdev *ret)
{
    char real[PATH_MAX];
    if (!realpath(link, real))
        return false;
    struct blockdev b = { .dir = arena_strdup(a, real) };
    b.name = strrchr(b.dir, '/') + 1;
    b.partition = file_exists(arena_printf(a, "%s/partition", real));
    if (!sysfs_parse_dev(file_line(a, arena_printf(a, "%s/dev", real)), &b.dev))
        return false;
    *ret = b;
    return true;
}

bool sysfs_by_dev(struct arena *a, dev_t dev, struct blockdev *ret)
{
    return at_link(a, arena_printf(a, "%s/sys/dev/block/%u:%u", root, major(dev), minor(dev)), ret);
}

bool sysfs_by_name(struct arena *a, const char *name, struct blockdev *ret)
{
    if (!*name || strchr(name, '/') || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return false;
    return at_link(a, arena_printf(a, "%s/sys/class/block/%s", root, name), ret);
}

/* "/dev/mapper/NAME" is known to sysfs only as the dm/name of some dm-N. */
static bool by_mapper_name(struct arena *a, const char *name, struct blockdev *ret)
{
    struct names all = sysfs_all(a);
    for (size_t i = 0; i < all.n; i++) {
        struct blockdev b;
        if (strncmp(all.at[i], "dm-", 3) != 0 || !sysfs_by_name(a, all.at[i], &b))
            continue;
        const char *mapped = sysfs_text(a, &b, "dm/name");
        if (mapped && strcmp(mapped, name) == 0) {
            *ret = b;
            return true;
        }
    }
    return false;
}

bool sysfs_by_node(struct arena *a, const char *node, struct blockdev *ret)
{
    struct stat st;
    if (sysfs_is_real() && !stat(node, &st))
        return S_ISBLK(st.st_mode) && sysfs_by_dev(a, st.st_rdev, ret);
    if (strncmp(node, "/dev/", 5) != 0)
        return false;
    if (strncmp(node, "/dev/mapper/", 12) == 0)
        return by_mapper_name(a, node + 12, ret);
    char *name = arena_strdup(a, node + 5);
    for (char *p = name; *p; p++)
        if (*p == '/')
            *p = '!';
    return sysfs_by_name(a, name, ret);
}

struct blockdev sysfs_disk(struct arena *a, const struct blockdev *b)
{
    struct blockdev disk;
    if (b->partition && at_link(a, arena_printf(a, "%s/..", b->dir), &disk))
        return disk;
    return *b;
}

static int by_count(const void *x, const void *y)
{
    return strverscmp(*(const char *const *)x, *(const char *const *)y);
}

struct names sysfs_entries(struct arena *a, const char *dir)
{
    struct names ret = { 0 };
    DIR *d = opendir(dir);
    if (!d)
        return ret;
    ARRAY(const char *) list = { 0 };
    for (struct dirent *entry = readdir(d); entry; entry = readdir(d))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            *array_push(&list) = arena_strdup(a, entry->d_name);
    closedir(d);
    if (list.n) {
        ret.at = arena_memdup(a, list.at, list.n * sizeof *list.at);
        ret.n = list.n;
        qsort(ret.at, ret.n, sizeof *ret.at, by_count);
    }
    array_free(&list);
    return ret;
}

struct names sysfs_partitions(struct arena *a, const struct blockdev *b)
{
    struct names all = sysfs_entries(a, b->dir), ret = { .at = all.at };
    for (size_t i = 0; i < all.n; i++)
        if (file_exists(arena_printf(a, "%s/%s/partition", b->dir, all.at[i])))
            ret.at[ret.n++] = all.at[i];
    return ret;
}

struct names sysfs_links(struct arena *a, const struct blockdev *b, const char *which)
{
    return sysfs_entries(a, arena_printf(a, "%s/%s", b->dir, which));
}

struct names sysfs_all(struct arena *a)
{
    return sysfs_entries(a, sysfs_path(a, "/sys/class/block"));
}

char *sysfs_text(struct arena *a, const struct blockdev *b, const char *attribute)
{
    return file_line(a, arena_printf(a, "%s/%s", b->dir, attribute));
}

static uint64_t number(const char *text, uint64_t otherwise)
{
    struct error ignored;
    uint64_t v = 0;
    return text && !parse_u64(text, &v, &ignored) ? v : otherwise;
}

uint64_t sysfs_number(struct arena *a, const struct blockdev *b, const char *attribute,
                      uint64_t otherwise)
{
    return number(sysfs_text(a, b, attribute), otherwise);
}

char *sysfs_queue_text(struct arena *a, const struct blockdev *b, const char *attribute)
{
    struct blockdev disk = sysfs_disk(a, b);
    return file_line(a, arena_printf(a, "%s/queue/%s", disk.dir, attribute));
}

uint64_t sysfs_queue_number(struct arena *a, const struct blockdev *b, const char *attribute,
                            uint64_t otherwise)
{
    return number(sysfs_queue_text(a, b, attribute), otherwise);
}

uint64_t sysfs_bytes(struct arena *a, const struct blockdev *b)
{
    enum { SYSFS_SECTOR = 512 }; /* whatever the device's own block is */
    return sysfs_number(a, b, "size", 0) * SYSFS_SECTOR;
}

char *sysfs_node(struct arena *a, const struct blockdev *b)
{
    char *node = arena_printf(a, "/dev/%s", b->name);
    for (char *p = node; *p; p++)
        if (*p == '!')
            *p = '/';
    return node;
}
