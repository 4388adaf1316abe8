#include <string.h>

#include "base/array.h"
#include "model/direction.h"
#include "model/plan.h"
#include "model/record.h"
#include "model/target.h"

static int index_of(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(names[i], name))
            return (int)i;
    return -1;
}

static const char *const directions[] = { "read", "write", "trim", "flush", "all" };
_Static_assert(countof(directions) == DIR_ALL + 1, "one name a direction");

const char *direction_name(enum direction d)
{
    return directions[d];
}

int direction_from_name(const char *name)
{
    return index_of(directions, countof(directions), name);
}

static const char *const fills[] = { "random",  "zero",         "ones",
                                     "pattern", "compressible", "duplicate" };
_Static_assert(countof(fills) == FILL_DUPLICATE + 1, "one name a fill");

const char *fill_kind_name(enum fill_kind k)
{
    return fills[k];
}

int fill_kind_from_name(const char *name)
{
    return index_of(fills, countof(fills), name);
}

const char *sync_kind_name(enum sync_kind k)
{
    static const char *const names[] = { "none", "dsync", "fua", "fdatasync", "fsync" };
    _Static_assert(countof(names) == SYNC_FSYNC + 1, "one name a kind");
    return names[k];
}

const char *distribution_name(enum distribution_kind k)
{
    static const char *const names[] = { "uniform", "zipf", "pareto", "normal", "zones" };
    _Static_assert(countof(names) == DIST_ZONES + 1, "one name a kind");
    return names[k];
}

const char *order_name(enum order_kind k)
{
    static const char *const names[] = { "as-written", "interleaved", "random" };
    _Static_assert(countof(names) == ORDER_RANDOM + 1, "one name a kind");
    return names[k];
}

const char *engine_choice_name(enum engine_choice c)
{
    static const char *const names[] = { "auto", "io_uring", "sync" };
    _Static_assert(countof(names) == ENGINE_SYNC + 1, "one name a choice");
    return names[c];
}

const char *cell_status_name(enum cell_status s)
{
    static const char *const names[] = { "planned",     "running", "done",
                                         "interrupted", "failed",  "skipped" };
    _Static_assert(countof(names) == CELL_SKIPPED + 1, "one name a status");
    return names[s];
}

const char *engine_used_name(enum engine_used u)
{
    static const char *const names[] = { "", "io_uring", "sync" };
    _Static_assert(countof(names) == USED_SYNC + 1, "one name an engine");
    return names[u];
}

const char *severity_name(enum severity s)
{
    static const char *const names[] = { "note", "warning", "error" };
    _Static_assert(countof(names) == EVENT_ERROR + 1, "one name a severity");
    return names[s];
}

const char *target_kind_name(enum target_kind k)
{
    static const char *const names[] = { "block device", "file",        "directory",
                                         "memory",       "loop device", "imported" };
    _Static_assert(countof(names) == TARGET_IMPORTED + 1, "one name a kind");
    return names[k];
}
