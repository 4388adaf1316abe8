#include "store/process.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/parse.h"

/* Fields of /proc/PID/stat counted from the state, which follows the command in brackets. */
enum { STATE_TO_START = 19 };

/* Boot and start time of a process, NULL if there is no such (or it is a zombie). */
static const char *describe(struct arena *a, uint64_t pid)
{
    const char *boot = file_line(a, "/proc/sys/kernel/random/boot_id");
    const char *stat = file_line(a, arena_printf(a, "/proc/%llu/stat", (unsigned long long)pid));
    const char *at = stat ? strrchr(stat, ')') : NULL;
    if (!boot || !at || at[1] != ' ' || strchr("ZX", at[2]))
        return NULL;
    at += 2;
    for (int i = 0; i < STATE_TO_START && at; i++) {
        at = strchr(at, ' ');
        at = at ? at + 1 : NULL;
    }
    if (!at)
        return NULL;
    return arena_printf(a, "%s %llu %.*s", boot, (unsigned long long)pid, (int)strcspn(at, " "),
                        at);
}

const char *process_self(struct arena *a)
{
    return describe(a, (uint64_t)getpid());
}

bool process_is_dead(const char *process)
{
    if (!process)
        return false;
    const char *pid_at = strchr(process, ' ');
    if (!pid_at)
        return false;
    struct arena *a = arena_new();
    struct error ignored;
    uint64_t pid = 0;
    bool dead = false;
    if (!parse_u64(arena_strndup(a, pid_at + 1, strcspn(pid_at + 1, " ")), &pid, &ignored)) {
        const char *now = describe(a, pid);
        dead = (!now || strcmp(now, process) != 0) && process_self(a);
    }
    arena_free(a);
    return dead;
}
