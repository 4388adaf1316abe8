#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/parse.h"
#include "base/reader.h"
#include "matrix/icf.h"

/* Iometer's configuration (its manual, chapter 20): a key line begins with an apostrophe, its values follow; sections in any order,
 * some absent; lines with other apostrophes are comments. */

enum { SECTOR = 512, MAX_NUMBERS = 8 };

static const struct {
    const char *name; /* how the key begins */
    enum key key;
} keys[] = {
    { "'Test Description", KEY_DESCRIPTION },
    { "'Run Time", KEY_RUN_TIME },
    { "'Ramp Up Time", KEY_RAMP },
    { "'Default Disk Workers to Spawn", KEY_DISK_WORKERS },
    { "'Default Workers to Spawn", KEY_DISK_WORKERS },
    { "'Worker Cycling", KEY_WORKER_CYCLING },
    { "'Disk Cycling", KEY_TARGET_CYCLING },
    { "'Target Cycling", KEY_TARGET_CYCLING },
    { "'Queue Depth Cycling", KEY_DEPTH_CYCLING },
    { "'Test Type", KEY_TEST_TYPE },
    { "'Access specification name", KEY_SPEC_NAME },
    { "'size,", KEY_SPEC_LINES },
    { "'Manager ID", KEY_MANAGER },
    { "'Worker type", KEY_WORKER_TYPE },
    { "'Worker", KEY_WORKER },
    { "'Number of outstanding IOs", KEY_OUTSTANDING },
    { "'Disk maximum size", KEY_DISK },
    { "'Assigned access specs", KEY_ASSIGNED },
    { "'Target manager", KEY_NONE },
    { "'Target type", KEY_NONE },
    { "'Target assignments", KEY_NONE },
    { "'Target", KEY_TARGET },
    { "'Default Network Workers", KEY_NONE },
    { "'Record Results", KEY_NONE },
    { "'Record Last Update", KEY_NONE },
    { "'Update Frequency", KEY_NONE },
    { "'Bar chart", KEY_NONE },
    { "'Manager network address", KEY_NONE },
    { "'Local network interface", KEY_NONE },
    { "'VI outstanding", KEY_NONE },
    { "'END", KEY_NONE },
};

static long line_of(const struct icf *x)
{
    return reader_number(x->reader);
}

static int broken(const struct icf *x, const char *what)
{
    return error_at(x->e, x->c.file, line_of(x), "%s", what);
}

static char *trimmed(char *text)
{
    text += strspn(text, " \t");
    size_t n = strlen(text);
    while (n && (text[n - 1] == ' ' || text[n - 1] == '\t'))
        text[--n] = '\0';
    return text;
}

/* Numbers that begin a line, parted by commas or blanks; how many. Words end them. */
static size_t numbers(const char *line, uint64_t at[MAX_NUMBERS], const char **ret_word)
{
    static char word[48];
    struct error ignored;
    size_t n = 0;
    *ret_word = "";
    while (parse_next(&line, word, sizeof word)) {
        uint64_t v;
        if (n == MAX_NUMBERS || (parse_u64(word, &v, &ignored) && parse_size(word, &v, &ignored))) {
            *ret_word = word;
            break;
        }
        at[n++] = v;
    }
    return n;
}

/* --- test setup ----------------------------------------------------------------------------------------------------- */

static int take_cycle(struct icf *x, const char *line, bool has_end, struct cycle *ret)
{
    uint64_t v[MAX_NUMBERS];
    const char *word;
    size_t n = numbers(line, v, &word), wanted = has_end ? 3 : 2;
    if (n < wanted)
        return broken(x, has_end ? "expected start, end, step and LINEAR or EXPONENTIAL"
                                 : "expected start, step and LINEAR or EXPONENTIAL");
    ret->start = v[0];
    ret->end = has_end ? v[1] : 0;
    ret->step = v[wanted - 1];
    ret->exponential = !strncasecmp(word, "EXP", 3);
    return 0;
}

static int take_run_time(struct icf *x, const char *line)
{
    uint64_t v[MAX_NUMBERS];
    const char *word;
    if (numbers(line, v, &word) < 3 || v[0] > 10000 || v[1] > 1000000 || v[2] > 100000000)
        return broken(x, "expected hours, minutes and seconds");
    x->run_s = v[0] * 3600 + v[1] * 60 + v[2];
    return 0;
}

/* --- access specifications ------------------------------------------------------------------------------------------ */

/* "NAME,DISK": the name may hold commas; a spec of the same name replaces the earlier one. */
static int take_spec_name(struct icf *x, char *line)
{
    char *comma = strrchr(line, ',');
    const char *assigned = comma ? trimmed(comma + 1) : "";
    if (comma)
        *comma = '\0';
    const char *name = trimmed(line);
    struct spec *s = NULL;
    for (size_t i = 0; i < x->specs.n; i++)
        if (!strcmp(x->specs.at[i].name, name))
            s = &x->specs.at[i];
    if (s)
        conversion_leave(&x->c, s->line, "access specification '%s' is replaced at line %ld", name,
                         line_of(x));
    else if (x->specs.n == PLAN_MAX_WORKLOADS)
        return broken(x, "there are more than 1000 access specifications");
    else
        s = array_push(&x->specs);
    *s = (struct spec) {
        .name = arena_strdup(x->c.a, name),
        .line = line_of(x),
        .by_default = !strcasecmp(assigned, "ALL") || !strcasecmp(assigned, "DISK") ||
                      !strcmp(assigned, "1") || !strcmp(assigned, "2"),
    };
    return 0;
}

static int take_spec_line(struct icf *x, const char *line)
{
    uint64_t v[MAX_NUMBERS] = { 0 };
    const char *word;
    size_t n = numbers(line, v, &word);
    if (!x->specs.n || n < 4)
        return broken(x, "expected size, % of size, % reads, % random, delay, burst, align, reply");
    struct spec *s = &x->specs.at[x->specs.n - 1];
    if (v[1] > 100 || v[2] > 100 || v[3] > 100)
        return broken(x, "a percentage of an access specification is over 100");
    if (v[0] == 0 || v[0] > UINT32_MAX)
        return broken(x, "the size of an access specification must be from 1 byte to 4 GiB");
    if (v[1] == 0)
        return 0;
    if (s->n_lines == PLAN_MAX_LINES)
        return broken(x, "an access specification has more than 100 lines");
    if (v[7])
        conversion_leave(&x->c, line_of(x), "reply of %" PRIu64 " bytes after each I/O", v[7]);
    if (v[6] == 0 && v[3] && v[0] > SECTOR)
        conversion_leave(&x->c, 0,
                         "align 0 (random I/Os begin at any sector): they begin at multiples of "
                         "their size here, unless the matrix says align=\"512\"");
    s->lines[s->n_lines++] = (struct access_line) {
        .share_bp = (uint32_t)v[1] * 100,
        .size = (uint32_t)v[0],
        .read_bp = (uint32_t)v[2] * 100,
        .random_bp = (uint32_t)v[3] * 100,
        .delay_ns = v[4] < 3600000 ? v[4] * NS_PER_MS : 3600 * NS_PER_S,
        .burst = v[5] > 1 && v[5] <= 1000000 ? (uint32_t)v[5] : 1,
        .align = v[6],
    };
    return 0;
}

static int check_specs(struct icf *x)
{
    for (size_t i = 0; i < x->specs.n; i++) {
        const struct spec *s = &x->specs.at[i];
        uint32_t sum = 0;
        for (uint32_t k = 0; k < s->n_lines; k++)
            sum += s->lines[k].share_bp;
        if (sum != 10000)
            return error_at(x->e, x->c.file, s->line,
                            "access specification '%s': its %% of size sum to %" PRIu32
                            ": expected exactly 100",
                            s->name, sum / 100);
    }
    return 0;
}

/* --- managers and workers ------------------------------------------------------------------------------------------- */

static struct icf_worker *worker(struct icf *x)
{
    return x->all.n ? &x->all.at[x->all.n - 1] : NULL;
}

static int take_outstanding(struct icf *x, const char *line)
{
    uint64_t v[MAX_NUMBERS];
    const char *word;
    struct icf_worker *w = worker(x);
    if (!w)
        return 0;
    if (numbers(line, v, &word) < 1)
        return broken(x, "expected the number of outstanding IOs");
    w->depth = v[0];
    if (!strcasecmp(word, "ENABLED"))
        conversion_leave(&x->c, line_of(x), "connection rate test of '%s'", w->name);
    const char *last = strrchr(line, ',');
    const char *seeded = last;
    while (seeded && seeded > line && seeded[-1] != ',')
        seeded--;
    struct error ignored;
    uint64_t seed;
    if (last && !strncasecmp(trimmed(arena_strdup(x->c.a, seeded)), "ENABLED", 7) &&
        !parse_u64(trimmed(arena_strdup(x->c.a, last + 1)), &seed, &ignored))
        x->c.seed = seed ? seed : 1;
    return 0;
}

static int take_disk(struct icf *x, const char *line)
{
    uint64_t v[MAX_NUMBERS] = { 0 };
    const char *word;
    struct icf_worker *w = worker(x);
    size_t n = numbers(line, v, &word);
    if (!w)
        return 0;
    if (n < 2)
        return broken(x, "expected maximum size, starting sector and data pattern");
    w->sectors = v[0];
    w->start = v[1];
    w->pattern = v[2];
    w->has_pattern = n > 2;
    return 0;
}

static void take_target(struct icf *x, const char *name)
{
    struct icf_worker *w = worker(x);
    if (!w || w->network)
        return;
    w->n_targets++;
    const char *full = arena_printf(x->c.a, "%s: %s", x->manager ? x->manager : "", name);
    struct target_use *u = NULL;
    for (size_t i = 0; i < x->uses.n && !u; i++)
        u = strcmp(x->uses.at[i].name, full) ? NULL : &x->uses.at[i];
    if (!u) {
        u = array_push(&x->uses);
        u->name = full;
    }
    u->workers++;
}

static int take_value(struct icf *x, char *line)
{
    uint64_t v[MAX_NUMBERS];
    const char *word;
    struct icf_worker *w = worker(x);
    switch (x->key) {
    case KEY_DESCRIPTION:
        x->c.title = arena_strdup(x->c.a, line);
        break;
    case KEY_RUN_TIME:
        return take_run_time(x, line);
    case KEY_RAMP:
        if (numbers(line, v, &word) < 1 || v[0] > 86400)
            return broken(x, "expected a ramp up time in seconds, at most a day");
        x->ramp_s = v[0];
        break;
    case KEY_DISK_WORKERS:
        x->default_workers = numbers(line, v, &word) ? v[0] : 0;
        return 0;
    case KEY_WORKER_CYCLING:
        return take_cycle(x, line, false, &x->workers);
    case KEY_TARGET_CYCLING:
        return take_cycle(x, line, false, &x->targets);
    case KEY_DEPTH_CYCLING:
        return take_cycle(x, line, true, &x->depths);
    case KEY_TEST_TYPE:
        x->test_type = arena_strdup(x->c.a, line);
        break;
    case KEY_SPEC_NAME:
        return take_spec_name(x, line);
    case KEY_SPEC_LINES:
        return take_spec_line(x, line);
    case KEY_MANAGER:
        line += strcspn(line, ",");
        x->manager = arena_strdup(x->c.a, trimmed(line + (*line == ',')));
        break;
    case KEY_WORKER:
        w = array_push(&x->all);
        w->name = arena_strdup(x->c.a, line);
        w->manager = x->manager;
        w->depth = 1;
        break;
    case KEY_WORKER_TYPE:
        if (w)
            w->network = strncasecmp(line, "DISK", 4) != 0;
        break;
    case KEY_OUTSTANDING:
        return take_outstanding(x, line);
    case KEY_DISK:
        return take_disk(x, line);
    case KEY_ASSIGNED:
        if (w && !w->network)
            *array_push(&x->assigned) = (struct name_at) { arena_strdup(x->c.a, line), line_of(x) };
        break;
    case KEY_TARGET:
        take_target(x, line);
        break;
    case KEY_NONE:
        break;
    }
    return 0;
}

static int take_line(struct icf *x, char *line)
{
    line = trimmed(line);
    if (!*line || !strncasecmp(line, "Version ", 8))
        return 0;
    if (*line != '\'')
        return take_value(x, line);
    for (size_t i = 0; i < countof(keys); i++)
        if (!strncasecmp(line, keys[i].name, strlen(keys[i].name))) {
            x->key = keys[i].key;
            break;
        }
    return 0;
}

static int read_lines(struct icf *x)
{
    char *line;
    size_t n;
    int rc;
    while ((rc = reader_line(x->reader, &line, &n, x->e)) == 1)
        if (take_line(x, line))
            return -1;
    return rc;
}

static int convert(struct icf *x, struct matrix **ret)
{
    if (read_lines(x) || check_specs(x) || icf_plan(x))
        return -1;
    return conversion_finish(&x->c, ret, x->e);
}

int icf_load(struct arena *a, const char *path, struct matrix **ret, struct error *e)
{
    struct icf x = { .c = { .a = a, .file = path, .source = "Iometer configuration" },
                     .e = e,
                     .test_type = "NORMAL",
                     .depths = { 1, 32, 2, true },
                     .workers = { 1, 0, 1, false },
                     .targets = { 1, 0, 1, false } };
    if (reader_open(path, &x.reader, e))
        return -1;
    int rc = convert(&x, ret);
    reader_close(x.reader);
    array_free(&x.specs);
    array_free(&x.all);
    array_free(&x.assigned);
    array_free(&x.uses);
    conversion_done(&x.c);
    return rc;
}
