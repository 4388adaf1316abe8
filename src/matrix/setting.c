#include "matrix/setting.h"

#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/fmt.h"
#include "base/parse.h"

enum type {
    COUNT,
    SIZE,
    PERCENT,
    DURATION,
    YES_NO,
    FILL,
    SPAN,
    RATE,
    ARRIVALS,
    SYNC,
    DISTRIBUTION
};

struct row {
    const char *name;
    enum type type;
    unsigned places;
    uint64_t min, max;
};

#define EVERYWHERE (IN_SETTINGS | IN_SWEEP)
#define DAY_NS (86400 * NS_PER_S)
#define MAX_OFFSET (UINT64_C(1) << 62)

static const struct row rows[] = {
    [SET_QUEUE_DEPTH] = { "queue-depth", COUNT, EVERYWHERE, 1, PLAN_MAX_QUEUE_DEPTH },
    [SET_SIZE] = { "size", SIZE, IN_ACCESS | IN_SWEEP, PLAN_MIN_SIZE, PLAN_MAX_SIZE },
    [SET_READ] = { "read", PERCENT, IN_ACCESS | IN_SWEEP, 0, 10000 },
    [SET_RANDOM] = { "random", PERCENT, IN_ACCESS | IN_SWEEP, 0, 10000 },
    [SET_WORKERS] = { "workers", COUNT, EVERYWHERE, 1, PLAN_MAX_WORKERS },
    [SET_FILL] = { "fill", FILL, EVERYWHERE, 0, 0 },
    [SET_SPAN] = { "span", SPAN, EVERYWHERE, PLAN_MIN_SIZE, MAX_OFFSET },
    [SET_RATE] = { "rate", RATE, EVERYWHERE, 0, 0 },
    [SET_DIRECT] = { "direct", YES_NO, EVERYWHERE, 0, 1 },
    [SET_DURATION] = { "duration", DURATION, IN_SETTINGS, NS_PER_MS, 366 * DAY_NS },
    [SET_RAMP] = { "ramp", DURATION, IN_SETTINGS, 0, DAY_NS },
    [SET_INTERVAL] = { "interval", DURATION, IN_SETTINGS, 10 * NS_PER_MS, 3600 * NS_PER_S },
    [SET_REPEAT] = { "repeat", COUNT, IN_SETTINGS, 1, PLAN_MAX_REPEAT },
    [SET_SPAN_OFFSET] = { "span-offset", SIZE, IN_SETTINGS, 0, MAX_OFFSET },
    [SET_ARRIVALS] = { "arrivals", ARRIVALS, IN_SETTINGS, 0, 1 },
    [SET_SHARE] = { "share", PERCENT, IN_ACCESS, 1, 10000 },
    [SET_ALIGN] = { "align", SIZE, IN_ACCESS, PLAN_MIN_SIZE, MAX_OFFSET },
    [SET_DELAY] = { "delay", DURATION, IN_ACCESS, 0, 3600 * NS_PER_S },
    [SET_BURST] = { "burst", COUNT, IN_ACCESS, 1, 1000000 },
    [SET_STRIDE] = { "stride", SIZE, IN_ACCESS, PLAN_MIN_SIZE, MAX_OFFSET },
    [SET_TRIM] = { "trim", PERCENT, IN_ACCESS, 0, 10000 },
    [SET_SYNC] = { "sync", SYNC, IN_ACCESS, 1, 1000000000 },
    [SET_DISTRIBUTION] = { "distribution", DISTRIBUTION, IN_ACCESS, 0, 0 },
};
_Static_assert(countof(rows) == SET_COUNT, "a row for each setting");
_Static_assert(SET_COUNT <= 32, "settings.has holds a bit for each setting");

const char *setting_name(enum setting_id id)
{
    return rows[id].name;
}

bool setting_in(enum setting_id id, enum setting_place place)
{
    return rows[id].places & place;
}

int setting_find(const char *name)
{
    for (int i = 0; i < SET_COUNT; i++)
        if (!strcmp(rows[i].name, name))
            return i;
    return -1;
}

static bool within(const struct row *r, uint64_t u)
{
    return u >= r->min && u <= r->max;
}

static bool read_size(const struct row *r, const char *text, uint64_t *ret)
{
    struct error ignored = { 0 };
    return !parse_size(text, ret, &ignored) && within(r, *ret) && *ret % PLAN_MIN_SIZE == 0;
}

/* The text after "name:", or NULL. */
static const char *after(const char *text, const char *name)
{
    size_t n = strlen(name);
    return !strncmp(text, name, n) && text[n] == ':' ? text + n + 1 : NULL;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static bool read_pattern(const char *hex, struct fill *ret)
{
    size_t n = strlen(hex);
    if (n == 0 || n % 2 != 0 || n / 2 > sizeof ret->pattern)
        return false;
    for (size_t i = 0; i < n; i += 2) {
        int high = hex_digit(hex[i]);
        int low = hex_digit(hex[i + 1]);
        if (high < 0 || low < 0)
            return false;
        ret->pattern[i / 2] = (uint8_t)(high << 4 | low);
    }
    ret->kind = FILL_PATTERN;
    ret->pattern_bytes = (uint32_t)(n / 2);
    return true;
}

static bool read_fill_share(enum fill_kind kind, const char *percent, struct fill *ret)
{
    struct error ignored = { 0 };
    uint32_t bp = 0;
    if (parse_percent(percent, &bp, &ignored) || bp % 100 != 0)
        return false;
    ret->kind = kind;
    ret->percent = bp / 100;
    return true;
}

static bool read_fill(const char *text, struct fill *ret)
{
    static const struct {
        const char *name;
        enum fill_kind kind;
    } plain[] = { { "random", FILL_RANDOM }, { "zero", FILL_ZERO }, { "ones", FILL_ONES } };
    const char *arg = NULL;
    for (size_t i = 0; i < countof(plain); i++) {
        if (!strcmp(text, plain[i].name)) {
            ret->kind = plain[i].kind;
            return true;
        }
    }
    if ((arg = after(text, "pattern")))
        return read_pattern(arg, ret);
    if ((arg = after(text, "compressible")))
        return read_fill_share(FILL_COMPRESSIBLE, arg, ret);
    if ((arg = after(text, "duplicate")))
        return read_fill_share(FILL_DUPLICATE, arg, ret);
    return false;
}

static bool read_span(const struct row *r, const char *text, struct value *ret)
{
    struct error ignored = { 0 };
    if (!strchr(text, '%'))
        return read_size(r, text, &ret->u);
    uint32_t bp = 0;
    if (parse_percent(text, &bp, &ignored) || bp == 0)
        return false;
    ret->kind = 1;
    ret->u = bp;
    return true;
}

/* A number of at most 15 digits is exact enough, and no locale is asked. */
static bool read_number(const char *text, size_t n, double *ret)
{
    char buf[24];
    struct error ignored = { 0 };
    if (n == 0 || n >= sizeof buf || strspn(text, "0123456789.") < n)
        return false;
    memcpy(buf, text, n);
    buf[n] = 0;
    return !parse_double(buf, ret, &ignored);
}

static bool read_rate(const char *text, struct value *ret)
{
    size_t n = strlen(text);
    bool share = n > 0 && text[n - 1] == '%';
    ret->kind = share ? RATE_PERCENT_OF_MAX : RATE_IOPS;
    return read_number(text, n - share, &ret->d) && ret->d > 0 && ret->d <= (share ? 100.0 : 1e9);
}

static bool read_sync(const struct row *r, const char *text, struct value *ret)
{
    static const enum sync_kind counted[] = { SYNC_FDATASYNC, SYNC_FSYNC };
    struct error ignored = { 0 };
    for (enum sync_kind k = SYNC_NONE; k <= SYNC_FUA; k++) {
        if (!strcmp(text, sync_kind_name(k))) {
            ret->kind = k;
            return true;
        }
    }
    for (size_t i = 0; i < countof(counted); i++) {
        const char *arg = after(text, sync_kind_name(counted[i]));
        if (arg) {
            ret->kind = counted[i];
            return !parse_u64(arg, &ret->u, &ignored) && within(r, ret->u);
        }
    }
    return false;
}

/* statistics.md §10: zipf is defined for all θ > 0 (10 is already one block); pareto's exponent ln h/ln(1 - h) needs h
 * inside (0, 1); beyond σ = 1 the truncated normal is close to uniform and rejects most of its draws. */
static bool read_distribution(const char *text, struct value *ret)
{
    const char *arg = NULL;
    if (!strcmp(text, "uniform")) {
        ret->kind = DIST_UNIFORM;
        return true;
    }
    if ((arg = after(text, "zipf"))) {
        ret->kind = DIST_ZIPF;
        return read_number(arg, strlen(arg), &ret->d) && ret->d > 0 && ret->d <= 10;
    }
    if ((arg = after(text, "pareto"))) {
        ret->kind = DIST_PARETO;
        return read_number(arg, strlen(arg), &ret->d) && ret->d > 0 && ret->d < 1;
    }
    if ((arg = after(text, "normal"))) {
        ret->kind = DIST_NORMAL;
        return read_number(arg, strlen(arg), &ret->d) && ret->d > 0 && ret->d <= 1;
    }
    return false;
}

bool setting_read(enum setting_id id, const char *text, struct value *ret)
{
    const struct row *r = &rows[id];
    struct error ignored = { 0 };
    uint32_t bp = 0;
    bool yes = false;

    memset(ret, 0, sizeof *ret);
    switch (r->type) {
    case COUNT:
        return !parse_u64(text, &ret->u, &ignored) && within(r, ret->u);
    case SIZE:
        return read_size(r, text, &ret->u);
    case PERCENT:
        if (parse_percent(text, &bp, &ignored))
            return false;
        ret->u = bp;
        return within(r, bp);
    case DURATION:
        return !parse_duration(text, &ret->u, &ignored) && within(r, ret->u);
    case YES_NO:
        if (parse_bool(text, &yes, &ignored))
            return false;
        ret->u = yes;
        return true;
    case FILL:
        return read_fill(text, &ret->fill);
    case SPAN:
        return read_span(r, text, ret);
    case RATE:
        return read_rate(text, ret);
    case ARRIVALS:
        ret->u = !strcmp(text, "poisson");
        return ret->u || !strcmp(text, "fixed");
    case SYNC:
        return read_sync(r, text, ret);
    case DISTRIBUTION:
        return read_distribution(text, ret);
    }
    return false;
}

bool setting_within(enum setting_id id, uint64_t u)
{
    return within(&rows[id], u);
}

void setting_put(enum setting_id id, uint64_t u, struct str *s)
{
    if (rows[id].type == DURATION)
        str_put(s, fmt_span_ns(u).s);
    else
        str_printf(s, "%" PRIu64, u);
}

void setting_put_range(enum setting_id id, struct str *s)
{
    setting_put(id, rows[id].min, s);
    str_put(s, " to ");
    setting_put(id, rows[id].max, s);
}

void setting_expected(enum setting_id id, struct str *s)
{
    const struct row *r = &rows[id];
    switch (r->type) {
    case COUNT:
        str_put(s, "a whole number from ");
        setting_put_range(id, s);
        break;
    case SIZE:
        str_printf(s, "a size such as 8KiB, a multiple of %d bytes", PLAN_MIN_SIZE);
        if (r->max <= PLAN_MAX_SIZE)
            str_printf(s, " from %s to %s", fmt_bytes(r->min).s, fmt_bytes(r->max).s);
        break;
    case PERCENT:
        str_printf(s, "a percentage %s0 %s 100 with at most two decimals",
                   r->min ? "above " : "from ", r->min ? "up to" : "to");
        break;
    case DURATION:
        str_put(s, "a time such as 500ms or 60s, from ");
        setting_put_range(id, s);
        break;
    case YES_NO:
        str_put(s, "yes or no");
        break;
    case FILL:
        str_put(s,
                "random, zero, ones, pattern:HEX of 1 to 16 bytes, compressible:N or duplicate:N "
                "with a percentage N");
        break;
    case SPAN:
        str_printf(s, "a size such as 10GiB, a multiple of %d bytes, or a percentage such as 10%%",
                   PLAN_MIN_SIZE);
        break;
    case RATE:
        str_put(s, "I/Os per second such as 5000, at most 1e9, or a percentage such as 80%");
        break;
    case ARRIVALS:
        str_put(s, "fixed or poisson");
        break;
    case SYNC:
        str_put(s, "none, dsync, fua, fdatasync:N or fsync:N with N from 1");
        break;
    case DISTRIBUTION:
        str_put(s, "uniform, zipf:T with T above 0 up to 10, pareto:H with H between 0 and 1, or "
                   "normal:S with S above 0 up to 1");
        break;
    }
}

void setting_list(enum setting_place place, struct str *s)
{
    const char *comma = "";
    for (int i = 0; i < SET_COUNT; i++) {
        if (rows[i].places & place) {
            str_printf(s, "%s%s", comma, rows[i].name);
            comma = ", ";
        }
    }
}

bool value_equal(const struct value *a, const struct value *b)
{
    return a->kind == b->kind && a->u == b->u && a->d == b->d && a->fill.kind == b->fill.kind &&
           a->fill.percent == b->fill.percent && a->fill.pattern_bytes == b->fill.pattern_bytes &&
           !memcmp(a->fill.pattern, b->fill.pattern, sizeof a->fill.pattern);
}

const struct settings *setting_builtin(void)
{
    static const struct settings builtin = {
        .v = {
            [SET_QUEUE_DEPTH] = { .u = 1 },
            [SET_WORKERS] = { .u = 1 },
            [SET_DIRECT] = { .u = 1 },
            [SET_DURATION] = { .u = 60 * NS_PER_S },
            [SET_RAMP] = { .u = 10 * NS_PER_S },
            [SET_INTERVAL] = { .u = NS_PER_S },
            [SET_REPEAT] = { .u = 1 },
        },
    };
    return &builtin;
}
