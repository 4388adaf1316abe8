#include "target/filesystem.h"

#include <errno.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/file.h"
#include "base/fmt.h"
#include "base/parse.h"

int place_of(struct arena *a, const char *real, dev_t st_dev, struct place *ret, struct error *e)
{
    struct mounts mounts;
    if (mounts_read(a, &mounts, e))
        return -1;
    *ret = (struct place) { .mount = mounts_covering(&mounts, real, st_dev) };
    if (ret->mount)
        mount_devices(a, &mounts, ret->mount, &ret->devices);
    ret->on_disk = ret->devices.n == 1;
    if (ret->on_disk)
        ret->device = ret->devices.at[0];
    return 0;
}

void place_facts(struct arena *a, const struct place *p, struct facts *f)
{
    if (p->on_disk)
        facts_put_device(a, f, &p->device);
    if (p->devices.n > 1) {
        struct names names = { arena_array(a, const char *, p->devices.n), p->devices.n };
        for (size_t i = 0; i < names.n; i++)
            names.at[i] = p->devices.at[i].name;
        facts_put(f, "Made of",
                  arena_printf(a, "%s over %s", p->mount->type, names_joined(a, &names, ", ")));
    }
    if (p->mount)
        facts_put_mount(a, f, p->mount);
}

static bool below(const char *real, const char *folder)
{
    size_t n = strlen(folder);
    return strncmp(real, folder, n) == 0 && (real[n] == '/' || real[n] == '\0');
}

const char *place_of_kernel(const char *real, const struct place *p, bool exists)
{
    static const char *const types[] = {
        "proc",      "sysfs",      "devtmpfs",    "devpts",    "cgroup",  "cgroup2", "debugfs",
        "tracefs",   "securityfs", "configfs",    "efivarfs",  "pstore",  "bpf",     "mqueue",
        "hugetlbfs", "fusectl",    "binfmt_misc", "selinuxfs", "smackfs", "nsfs",    "pipefs",
        "sockfs",    "rpc_pipefs", "autofs",      "functionfs"
    };
    if (below(real, "/proc"))
        return "/proc";
    if (below(real, "/sys"))
        return "/sys";
    if (!exists && below(real, "/dev"))
        return "/dev";
    for (size_t i = 0; p->mount && i < countof(types); i++)
        if (strcmp(p->mount->type, types[i]) == 0)
            return types[i];
    return NULL;
}

int space_below(const char *path, struct space *ret, struct error *e)
{
    struct statvfs v;
    if (statvfs(path, &v))
        return error_sys(e, errno, "cannot tell the free space of '%s'", path);
    uint64_t free = (uint64_t)v.f_bavail * v.f_frsize;
    *ret = (struct space) { free, free - free / 20 };
    return 0;
}

static bool read_number(struct arena *a, const char *path, uint64_t *ret)
{
    struct error ignored;
    const char *text = file_line(a, sysfs_path(a, path));
    return text && parse_u64(text, ret, &ignored) == 0;
}

/* What the control group of a container leaves, versions 2 and 1; `otherwise` without a limit. */
static uint64_t group_leaves(struct arena *a, uint64_t otherwise)
{
    static const char *const files[][2] = {
        { "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current" },
        { "/sys/fs/cgroup/memory/memory.limit_in_bytes",
          "/sys/fs/cgroup/memory/memory.usage_in_bytes" },
    };
    for (size_t i = 0; i < countof(files); i++) {
        uint64_t limit = 0, used = 0;
        if (read_number(a, files[i][0], &limit) && read_number(a, files[i][1], &used)) {
            uint64_t left = used < limit ? limit - used : 0;
            return left < otherwise ? left : otherwise;
        }
    }
    return otherwise;
}

int space_memory(struct arena *a, struct space *ret, struct error *e)
{
    enum { MEMINFO_LIMIT = 64 << 10 };
    char *text = NULL;
    size_t n = 0;
    if (file_read(a, sysfs_path(a, "/proc/meminfo"), MEMINFO_LIMIT, &text, &n, e))
        return error_wrap(e, "cannot tell how much memory is available");
    const char *at = strstr(text, "MemAvailable:");
    uint64_t kib = 0;
    if (!at)
        return error_set(e, QD_E_FAIL, "cannot tell how much memory is available: no MemAvailable");
    at += strlen("MemAvailable:");
    at += strspn(at, " \t");
    if (parse_u64(arena_strndup(a, at, strcspn(at, " \t\n")), &kib, e))
        return error_wrap(e, "cannot tell how much memory is available");
    uint64_t free = group_leaves(a, kib * 1024);
    *ret = (struct space) { free, free / 4 * 3 };
    return 0;
}

int space_check(const struct space *s, const char *what, uint64_t bytes, struct error *e)
{
    if (bytes <= s->most)
        return 0;
    return error_set(e, QD_E_FAIL, "'%s' has %s free, less than the span of %s (try --size)", what,
                     fmt_bytes(s->free).s, fmt_bytes(bytes).s);
}
