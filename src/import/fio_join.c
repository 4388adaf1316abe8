#include <ctype.h>
#include <string.h>

#include "import/fio.h"
#include "import/scan.h"

static void join_direction(struct import_cell *to, const struct import_cell *other, int d)
{
    struct direction_result *into = &to->result.dir[d];
    const struct direction_result *from = &other->result.dir[d];
    if (!from->asked)
        return;
    struct hist *h = into->asked ? to->hist[d] : other->hist[d];
    if (into->asked) {
        if (h && other->hist[d])
            hist_merge(h, other->hist[d]);
        else
            h = NULL;
    }
    to->hist[d] = h;
    into->asked = true;
    into->ios += from->ios;
    into->bytes += from->bytes;
    if (into->lat.sum + from->lat.sum < 1ull << 60)
        moments_merge(&into->lat, &from->lat);
    else
        into->lat = moments_zero();
    into->lat_max_ns = into->lat.max;
    into->percentiles = NULL;
    into->n_percentiles = 0;
}

/* Rates add up only as far as the jobs took the same time. */
static void warn_of_times(struct collect *c, const struct fio_joined *j)
{
    uint64_t longest = j->cell->result.measured_ns;
    if ((double)(longest - j->shortest) > 0.01 * (double)longest)
        collect_warn(c, j->line,
                     "the %u jobs '%s' took %.3f to %.3f s: their rates are over the longest time",
                     j->cell->workers, j->cell->job, (double)j->shortest / 1e9,
                     (double)longest / 1e9);
}

void fio_join_end(struct collect *c, struct fio_joined *j)
{
    if (j->cell && j->n > 1) {
        warn_of_times(c, j);
        if (j->lost)
            collect_warn(c, j->line,
                         "percentiles of %u jobs '%s' cannot be put together and are left out "
                         "(json+ or group_reporting would keep them)",
                         j->n, j->cell->job);
    }
    *j = (struct fio_joined) { 0 };
}

void fio_join(struct collect *c, struct fio_joined *j, struct import_cell *next)
{
    struct cell_result *into = &j->cell->result, *from = &next->result;
    collect_drop(c);
    for (int d = 0; d < DIR_COUNT; d++) {
        j->lost |= into->dir[d].n_percentiles && !j->cell->hist[d];
        join_direction(j->cell, next, d);
    }
    if (from->measured_ns > into->measured_ns)
        into->measured_ns = from->measured_ns;
    if (from->measured_ns < j->shortest)
        j->shortest = from->measured_ns;
    into->cpu_user_ns += from->cpu_user_ns;
    into->cpu_system_ns += from->cpu_system_ns;
    into->context_switches += from->context_switches;
    j->cell->workers += next->workers;
    j->n++;
    if (from->status != CELL_DONE && into->status == CELL_DONE) {
        into->status = CELL_INTERRUPTED;
        into->reason = from->reason;
    }
}

/* --- heads ---------------------------------------------------------------------------------------------------------- */

/* What follows KEY= up to a comma or the end, or NULL. */
static const char *value_of(struct arena *a, const char *line, const char *key)
{
    const char *p = strstr(line, key);
    if (!p)
        return NULL;
    p += strlen(key);
    return arena_strndup(a, p, strcspn(p, ", "));
}

/* "4096B-4096B" as "4096B"; NULL: it is a range. */
static const char *one_size(struct arena *a, const char *range, size_t n)
{
    const char *dash = memchr(range, '-', n);
    size_t low = dash ? (size_t)(dash - range) : n;
    if (dash && (n - low - 1 != low || strncmp(range, dash + 1, low) != 0))
        return NULL;
    return arena_strndup(a, range, low);
}

/* "(R) 4096B-4096B, (W) …, (T) …" and "4K-4K/4K-4K/4K-4K", as "4096B,4096B,4096B". */
static void take_sizes(struct arena *a, const char *p, struct fio_options *o)
{
    const char *sizes = NULL;
    for (int i = 0; i < 3; i++) {
        p += strspn(p, " ,/");
        if (*p == '(' && p[1] && p[2] == ')')
            p += 3 + strspn(p + 3, " ");
        size_t n = strspn(p, "0123456789.BKMGTikmgtb-");
        const char *one = n ? one_size(a, p, n) : NULL;
        if (n && !one) {
            o->bsrange = arena_strndup(a, p, n);
            return;
        }
        if (one)
            sizes = sizes ? arena_printf(a, "%s,%s", sizes, one) : one;
        p += n;
        if (!n || (*p != '/' && *p != ','))
            break;
        if (*p == ',' && p[1 + strspn(p + 1, " ")] != '(')
            break;
    }
    o->bs = sizes;
}

bool fio_head_line(struct arena *a, const char *line, struct fio_head **list)
{
    const char *mark = strstr(line, ": (g=");
    const char *bs = strstr(line, "bs=");
    if (!mark || !strstr(mark, "rw=") || !bs)
        return false;
    struct fio_head *h = arena_one(a, struct fio_head);
    const char *name = line;
    if (*name == '<' && strchr(name, '>') && strchr(name, '>') < mark)
        name = strchr(name, '>') + 1; /* a client's host */
    name = scan_blanks(name);
    h->name = arena_strndup(a, name, (size_t)(mark - name));
    h->options = (struct fio_options) { .rw = value_of(a, mark, "rw="),
                                        .ioengine = value_of(a, mark, "ioengine="),
                                        .iodepth = value_of(a, mark, "iodepth="),
                                        .any = true };
    take_sizes(a, bs + 3, &h->options);
    h->next = *list;
    *list = h;
    return true;
}

const struct fio_options *fio_head_find(const struct fio_head *list, const char *name)
{
    for (; list; list = list->next)
        if (!strcmp(list->name, name))
            return &list->options;
    return NULL;
}

const char *fio_version_line(struct arena *a, const char *line)
{
    line = scan_blanks(line);
    if (strncmp(line, "fio-", 4) != 0 || !isdigit((unsigned char)line[4]))
        return NULL;
    return strpbrk(line, " ;:") ? NULL : arena_strdup(a, line);
}

uint32_t fio_depth_of_levels(const double shares[7])
{
    uint32_t depth = 0;
    double most = 0;
    for (uint32_t i = 0; i < 7; i++)
        if (shares[i] > most) {
            most = shares[i];
            depth = 1u << i;
        }
    return depth;
}
