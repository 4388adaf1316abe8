#include "report/columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/utf8.h"

static struct column_value text_value(const char *text)
{
    return (struct column_value) { .missing = !text, .text = text ? text : "" };
}

static struct column_value real_value(double v)
{
    return (struct column_value) { .missing = !isfinite(v), .number = fmt_exact(v) };
}

static struct column_value whole_value(uint64_t v)
{
    struct column_value value = { 0 };
    snprintf(value.number.s, sizeof value.number.s, "%llu", (unsigned long long)v);
    return value;
}

/* Counts of a cell that was never measured, or of which only rates are known, are not zero but unknown. */
static struct column_value count_value(const struct result_row *r, uint64_t v)
{
    struct column_value value = whole_value(v);
    value.missing = v == 0 && (isnan(r->iops) || isnan(r->seconds));
    return value;
}

static struct column_value size_value(uint64_t bytes)
{
    struct column_value value = whole_value(bytes);
    value.missing = bytes == 0;
    return value;
}

static struct column_value steady_value(int steady)
{
    struct column_value value = whole_value(steady > 0);
    value.missing = steady < 0;
    return value;
}

/* X(name, kind, value of r) */
#define COLUMNS(X)                                                                                 \
    X("cell", COLUMN_NUMBER, whole_value((uint64_t)r->cell))                                       \
    X("run", COLUMN_NUMBER, whole_value((uint64_t)r->run))                                         \
    X("target", COLUMN_TEXT, text_value(r->target))                                                \
    X("workload", COLUMN_TEXT, text_value(r->workload))                                            \
    X("queue_depth", COLUMN_NUMBER, whole_value(r->queue_depth))                                   \
    X("workers", COLUMN_NUMBER, whole_value(r->workers))                                           \
    X("size", COLUMN_NUMBER, real_value(r->size))                                                  \
    X("read_pct", COLUMN_NUMBER, real_value(r->read_pct))                                          \
    X("random_pct", COLUMN_NUMBER, real_value(r->random_pct))                                      \
    X("fill", COLUMN_TEXT, text_value(r->fill))                                                    \
    X("span_bytes", COLUMN_NUMBER, size_value(r->span_bytes))                                      \
    X("rate_iops", COLUMN_NUMBER, real_value(r->rate_iops))                                        \
    X("rep", COLUMN_NUMBER, whole_value(r->rep))                                                   \
    X("round", COLUMN_NUMBER, whole_value(r->round))                                               \
    X("engine", COLUMN_TEXT, text_value(r->engine))                                                \
    X("direct", COLUMN_NUMBER, whole_value(r->direct))                                             \
    X("status", COLUMN_TEXT, text_value(r->status))                                                \
    X("direction", COLUMN_TEXT, text_value(direction_name(r->direction)))                          \
    X("ios", COLUMN_NUMBER, count_value(r, r->ios))                                                \
    X("bytes", COLUMN_NUMBER, count_value(r, r->bytes))                                            \
    X("seconds", COLUMN_NUMBER, real_value(r->seconds))                                            \
    X("iops", COLUMN_NUMBER, real_value(r->iops))                                                  \
    X("mb_s", COLUMN_NUMBER, real_value(r->mb_s))                                                  \
    X("lat_mean_ns", COLUMN_NUMBER, real_value(r->lat_mean_ns))                                    \
    X("lat_stddev_ns", COLUMN_NUMBER, real_value(r->lat_stddev_ns))                                \
    X("lat_min_ns", COLUMN_NUMBER, real_value(r->lat_min_ns))                                      \
    X("lat_p50_ns", COLUMN_NUMBER, real_value(r->lat_p50_ns))                                      \
    X("lat_p90_ns", COLUMN_NUMBER, real_value(r->lat_p90_ns))                                      \
    X("lat_p95_ns", COLUMN_NUMBER, real_value(r->lat_p95_ns))                                      \
    X("lat_p99_ns", COLUMN_NUMBER, real_value(r->lat_p99_ns))                                      \
    X("lat_p999_ns", COLUMN_NUMBER, real_value(r->lat_p999_ns))                                    \
    X("lat_p9999_ns", COLUMN_NUMBER, real_value(r->lat_p9999_ns))                                  \
    X("lat_max_ns", COLUMN_NUMBER, real_value(r->lat_max_ns))                                      \
    X("errors", COLUMN_NUMBER, count_value(r, r->errors))                                          \
    X("cpu_user_s", COLUMN_NUMBER, real_value(r->cpu_user_s))                                      \
    X("cpu_system_s", COLUMN_NUMBER, real_value(r->cpu_system_s))                                  \
    X("achieved_depth", COLUMN_NUMBER, real_value(r->achieved_depth))                              \
    X("steady", COLUMN_NUMBER, steady_value(r->steady))                                            \
    X("source", COLUMN_TEXT, text_value(r->source))                                                \
    X("run_name", COLUMN_TEXT, text_value(r->run_name))

#define NAME(name, kind, value) { name, kind },
const struct result_column result_columns[] = { COLUMNS(NAME) };
const size_t n_result_columns = countof(result_columns);

#define CASE(name, kind, value)                                                                    \
    if (i == k++)                                                                                  \
        return value;
struct column_value result_column_value(const struct result_row *r, size_t i)
{
    size_t k = 0;
    COLUMNS(CASE)
    return (struct column_value) { .missing = true };
}

void csv_put(struct str *s, const char *text)
{
    if (!text[strcspn(text, ",\"\r\n")]) {
        str_put(s, text);
        return;
    }
    str_char(s, '"');
    for (; *text; text++) {
        if (*text == '"')
            str_char(s, '"');
        str_char(s, *text);
    }
    str_char(s, '"');
}

void json_put(struct str *s, const char *text)
{
    str_char(s, '"');
    for (uint32_t c = utf8_next(&text); c; c = utf8_next(&text)) {
        char bytes[4];
        if (c == '"' || c == '\\')
            str_printf(s, "\\%c", (char)c);
        else if (c == '\n')
            str_put(s, "\\n");
        else if (c == '\t')
            str_put(s, "\\t");
        else if (c < 0x20 || c == '<' || c == 0x7f)
            str_printf(s, "\\u%04x", c);
        else
            str_putn(s, bytes, utf8_put(c, bytes));
    }
    str_char(s, '"');
}
