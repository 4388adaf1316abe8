#include "runner/environment.h"

#include <sqlite3.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/fmt.h"
#include "base/parse.h"

enum { PROC_LIMIT = 4 << 20 };

struct facts {
    struct arena *a;
    ARRAY(struct fact) rows;
};

static void put(struct facts *f, const char *key, const char *value)
{
    if (!value || !*value)
        return;
    *array_push(&f->rows) = (struct fact) { key, value };
}

/* Value after `key` and a separator in a "key : value" text such as /proc/cpuinfo; NULL where there is none. */
static const char *field(struct arena *a, const char *text, const char *key, char separator)
{
    size_t n = strlen(key);
    for (const char *line = text; line && *line;) {
        if (strncmp(line, key, n) == 0) {
            const char *value = strchr(line, separator);
            const char *end = strchr(line, '\n');
            if (value && (!end || value < end)) {
                value += 1 + strspn(value + 1, " \t\"");
                size_t length = strcspn(value, "\"\n");
                return arena_strndup(a, value, length);
            }
        }
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    return NULL;
}

static const char *read_text(struct arena *a, const char *path)
{
    struct error e;
    char *text = NULL;
    size_t n = 0;
    return file_read(a, path, PROC_LIMIT, &text, &n, &e) ? NULL : text;
}

static void put_processor(struct facts *f)
{
    const char *info = read_text(f->a, "/proc/cpuinfo");
    const char *model = info ? field(f->a, info, "model name", ':') : NULL;
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    put(f, "Processor", model);
    if (n > 0)
        put(f, "Processors online", arena_printf(f->a, "%ld", n));
    put(f, "Frequency governor",
        file_line(f->a, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
    put(f, "Clock source",
        file_line(f->a, "/sys/devices/system/clocksource/clocksource0/current_clocksource"));
}

static void put_memory(struct facts *f)
{
    const char *info = read_text(f->a, "/proc/meminfo");
    const char *total = info ? field(f->a, info, "MemTotal:", ':') : NULL;
    if (!total)
        return;
    uint64_t kib = 0;
    struct error e;
    const char *digits = arena_strndup(f->a, total, strspn(total, "0123456789"));
    if (!parse_u64(digits, &kib, &e))
        put(f, "Memory", arena_printf(f->a, "%s", fmt_bytes(kib * 1024).s));
}

static void put_board(struct facts *f)
{
    const char *vendor = file_line(f->a, "/sys/class/dmi/id/board_vendor");
    const char *board = file_line(f->a, "/sys/class/dmi/id/board_name");
    if (board)
        put(f, "Board", vendor ? arena_printf(f->a, "%s %s", vendor, board) : board);
    put(f, "Firmware", file_line(f->a, "/sys/class/dmi/id/bios_version"));
}

void environment_host(struct arena *a, const struct fact **ret, size_t *ret_n)
{
    struct facts f = { .a = a };
    struct utsname u;
    if (uname(&u) == 0) {
        put(&f, "Host", arena_strdup(a, u.nodename));
        put(&f, "Kernel", arena_printf(a, "%s %s", u.sysname, u.release));
        put(&f, "Architecture", arena_strdup(a, u.machine));
    }
    const char *release = read_text(a, "/etc/os-release");
    put(&f, "System", release ? field(a, release, "PRETTY_NAME", '=') : NULL);
    put_processor(&f);
    put_memory(&f);
    put_board(&f);
    put(&f, "liburing", QD_LIBURING_VERSION);
    put(&f, "SQLite", arena_strdup(a, sqlite3_libversion()));
    *ret = arena_memdup(a, f.rows.at, f.rows.n * sizeof *f.rows.at);
    *ret_n = f.rows.n;
    array_free(&f.rows);
}
