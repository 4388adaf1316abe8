#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/number.h"
#include "base/parse.h"
#include "import/csv.h"
#include "import/iometer_inside.h"

/* Names a column had in any version. */
static const struct {
    enum iometer_column column;
    const char *name;
} columns[] = {
    { COL_TYPE, "'Target Type" },
    { COL_TYPE, "Target Type" },
    { COL_NAME, "Target Name" },
    { COL_SPEC, "Access Specification Name" },
    { COL_MANAGERS, "# Managers" },
    { COL_WORKERS, "# Workers" },
    { COL_IOPS, "IOps" },
    { COL_MIB, "MBps" }, /* before 2010: it was binary all the time */
    { COL_MIB, "MBps (Binary)" },
    { COL_MIB, "MiBps (Binary)" },
    { COL_MIB, "MiBps" },
    { COL_MB, "MBps (Decimal)" },
    { COL_LAT, "Average Response Time" },
    { COL_LAT_READ, "Average Read Response Time" },
    { COL_LAT_WRITE, "Average Write Response Time" },
    { COL_MAX, "Maximum Response Time" },
    { COL_MAX_READ, "Maximum Read Response Time" },
    { COL_MAX_WRITE, "Maximum Write Response Time" },
    { COL_ERRORS_READ, "Read Errors" },
    { COL_ERRORS_WRITE, "Write Errors" },
    { COL_BYTES_READ, "Bytes Read" },
    { COL_BYTES_WRITTEN, "Bytes Written" },
    { COL_IOS_READ, "Read I/Os" },
    { COL_IOS_WRITTEN, "Write I/Os" },
    { COL_RUN_TIME, "Total Raw Run Time" },
    { COL_DEPTH, "Queue Depth" },
    { COL_SPEED, "Processor Speed" },
    { COL_RAW_READ, "Total Raw Read Response Time" },
    { COL_RAW_WRITE, "Total Raw Write Response Time" },
    { COL_SECTORS, "Maximum Size" },
    { COL_STAMP, "'TimeStamp" },
    { COL_STAMP, "'Time Stamp" },
    { COL_STAMP, "TimeStamp" },
    { COL_STAMP, "Time Stamp" },
};

/* ns of "uS", "mS", "S"; 0: none. */
static double unit_of(const char *text)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = { { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
    text += strspn(text, " ");
    for (size_t i = 0; i < countof(units); i++)
        if (!strcasecmp(text, units[i].name))
            return units[i].ns;
    return 0;
}

/* "0.5 to 1 mS", ">= 10 s" */
static bool bin_of(const char *name, struct iometer_bin *ret)
{
    double low = 0, high = (double)INFINITY;
    const char *p = name;
    if (!strncmp(p, ">=", 2)) {
        p += 2 + strspn(p + 2, " ");
        if (!number_read(&p, DECIMAL_POINT, &low))
            return false;
    } else {
        if (!number_read(&p, DECIMAL_POINT, &low) || strncmp(p, " to ", 4))
            return false;
        p += 4;
        if (!number_read(&p, DECIMAL_POINT, &high))
            return false;
    }
    double unit = unit_of(p);
    ret->low = low * unit;
    ret->high = high * unit;
    return unit > 0;
}

bool iometer_heading(char *line, struct iometer_heading *ret)
{
    char *fields[IOMETER_FIELDS];
    struct iometer_heading h = { .separator = csv_separator(line) };
    h.n = csv_split(line, h.separator, fields, IOMETER_FIELDS);
    if (h.n > IOMETER_FIELDS)
        return false;
    while (h.n && !*fields[h.n - 1])
        h.n--;
    for (int c = 0; c < COL_COUNT; c++)
        h.at[c] = IOMETER_UNKNOWN;
    for (size_t i = 0; i < countof(columns); i++) {
        size_t at = csv_find(fields, h.n, columns[i].name);
        if (at < h.n && h.at[columns[i].column] == IOMETER_UNKNOWN)
            h.at[columns[i].column] = at;
    }
    for (size_t i = 0; i < h.n && h.n_bins < IOMETER_BINS; i++) {
        struct iometer_bin bin = { .column = i };
        if (bin_of(fields[i], &bin))
            h.bins[h.n_bins++] = bin;
    }
    if (h.at[COL_TYPE] == IOMETER_UNKNOWN || h.at[COL_NAME] == IOMETER_UNKNOWN ||
        h.at[COL_IOPS] == IOMETER_UNKNOWN)
        return false;
    *ret = h;
    return true;
}

const char *iometer_field(const struct iometer_heading *h, char *const *fields, size_t n,
                          enum iometer_column c)
{
    return h->at[c] < n ? fields[h->at[c]] : "";
}

struct row {
    const struct iometer_heading *h;
    char *const *fields;
    size_t n;
};

/* NaN: it is not there. */
static double number(const struct row *r, enum iometer_column c)
{
    double v = (double)NAN;
    enum decimal_mark mark = r->h->separator == ',' ? DECIMAL_POINT : DECIMAL_GUESS;
    number_of(iometer_field(r->h, r->fields, r->n, c), mark, &v);
    return v;
}

static uint64_t whole(double v)
{
    return v > 0 && v < 0x1p62 ? (uint64_t)llround(v) : 0;
}

/* Counts are digits, and may be more than a double holds. */
static uint64_t count(const struct row *r, enum iometer_column c)
{
    uint64_t v;
    struct error ignored;
    const char *text = iometer_field(r->h, r->fields, r->n, c);
    if (!parse_u64(text, &v, &ignored))
        return v < INT64_MAX / 4 ? v : 0;
    return whole(number(r, c));
}

static void direction(const struct row *r, int d, struct iometer_sum *s)
{
    static const enum iometer_column ios[] = { COL_IOS_READ, COL_IOS_WRITTEN };
    static const enum iometer_column bytes[] = { COL_BYTES_READ, COL_BYTES_WRITTEN };
    static const enum iometer_column errors[] = { COL_ERRORS_READ, COL_ERRORS_WRITE };
    static const enum iometer_column lat[] = { COL_LAT_READ, COL_LAT_WRITE };
    static const enum iometer_column most[] = { COL_MAX_READ, COL_MAX_WRITE };
    s->ios[d] = count(r, ios[d]);
    s->bytes[d] = count(r, bytes[d]);
    s->errors[d] = count(r, errors[d]);
    double mean = number(r, lat[d]), high = number(r, most[d]);
    bool fits = mean >= 0 && mean * (double)s->ios[d] < 0x1p42;
    s->timed[d] = s->ios[d] > 0 && fits;
    s->lat_ms[d] = s->timed[d] ? mean * (double)s->ios[d] : 0;
    /* The sum in ticks has more digits; DISK rows print their worker's, which is another one if it drives several disks. */
    double raw = number(r, d ? COL_RAW_WRITE : COL_RAW_READ) / number(r, COL_SPEED) * 1e3;
    if (s->timed[d] && fabs(raw - s->lat_ms[d]) <= 0.6e-6 * (double)s->ios[d])
        s->lat_ms[d] = raw;
    s->max_ms[d] = high > 0 && high < 0x1p40 ? high : 0;
}

/* Where only the time of both directions is there, it is that of the only one. */
static void only_direction(const struct row *r, struct iometer_sum *s)
{
    int d = s->ios[0] ? 0 : 1;
    double mean = number(r, COL_LAT), high = number(r, COL_MAX);
    if ((s->ios[0] && s->ios[1]) || !s->ios[d] || s->timed[d] || !(mean >= 0) ||
        !(mean * (double)s->ios[d] < 0x1p42))
        return;
    s->timed[d] = true;
    s->lat_ms[d] = mean * (double)s->ios[d];
    s->max_ms[d] = high > 0 && high < 0x1p40 ? high : 0;
}

bool iometer_row(const struct iometer_heading *h, char *const *fields, size_t n,
                 struct iometer_sum *ret)
{
    const struct row r = { h, fields, n };
    struct iometer_sum s = { .workers = 1 };
    size_t last = h->at[COL_IOS_WRITTEN] < IOMETER_UNKNOWN ? h->at[COL_IOS_WRITTEN]
                                                           : h->at[COL_IOPS];
    if (n <= last)
        return false;
    s.counted = *iometer_field(h, fields, n, COL_IOS_READ) &&
                *iometer_field(h, fields, n, COL_BYTES_READ);
    direction(&r, 0, &s);
    direction(&r, 1, &s);
    only_direction(&r, &s);
    double iops = number(&r, COL_IOPS), mib = number(&r, COL_MIB), mb = number(&r, COL_MB);
    s.iops = iops >= 0 ? iops : -1;
    s.mib = mib >= 0 ? mib : -1;
    s.mb = mb >= 0 ? mb : -1;
    double ticks = number(&r, COL_RUN_TIME), speed = number(&r, COL_SPEED);
    s.run_s = ticks > 0 && speed > 0 && ticks / speed < 1e9 ? ticks / speed : 0;
    uint64_t sectors = count(
        &r, COL_SECTORS); /* all of it and "not the same for all" are 0 and 2^64 - 1 */
    s.span_bytes = sectors < INT64_MAX / 1024 ? sectors * 512 : 0;
    double workers = number(&r, COL_WORKERS);
    s.workers = workers >= 1 && workers < 1e6 ? (uint32_t)workers : 1;
    double depth = number(&r, COL_DEPTH);
    s.depth = depth >= 1 && depth < 1e6 ? (uint32_t)depth : 0;
    for (size_t i = 0; i < h->n_bins; i++) {
        double v = (double)NAN;
        if (h->bins[i].column < n && number_of(fields[h->bins[i].column], DECIMAL_POINT, &v))
            s.bins[i] = whole(v);
    }
    *ret = s;
    return true;
}

static double added(double x, double y)
{
    return x < 0 || y < 0 ? -1 : x + y;
}

void iometer_add(struct iometer_sum *into, const struct iometer_sum *row)
{
    for (int d = 0; d < 2; d++) {
        into->timed[d] = (into->timed[d] || !into->ios[d]) && (row->timed[d] || !row->ios[d]) &&
                         (into->timed[d] || row->timed[d]);
        into->ios[d] += row->ios[d];
        into->bytes[d] += row->bytes[d];
        into->errors[d] += row->errors[d];
        into->lat_ms[d] += row->lat_ms[d];
        into->max_ms[d] = fmax(into->max_ms[d], row->max_ms[d]);
    }
    into->iops = added(into->iops, row->iops);
    into->mib = added(into->mib, row->mib);
    into->mb = added(into->mb, row->mb);
    into->run_s = fmax(into->run_s, row->run_s);
    for (size_t i = 0; i < IOMETER_BINS; i++)
        into->bins[i] += row->bins[i];
    into->depth = row->depth > into->depth ? row->depth : into->depth;
    into->workers += row->workers;
    into->span_bytes = row->span_bytes > into->span_bytes ? row->span_bytes : into->span_bytes;
    into->counted &= row->counted;
}

/* Days since 1970 of a date of the Gregorian calendar (Hinnant, "chrono-compatible low-level date algorithms"). */
static int64_t days(int64_t y, int64_t m, int64_t d)
{
    y -= m <= 2;
    int64_t era = y / 400, of_era = y - era * 400;
    int64_t of_year = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

bool iometer_time(const char *text, int64_t *ret_ns)
{
    int64_t at[7] = { 0 };
    static const char marks[] = "-- :::";
    const char *p = text + strspn(text, " \t");
    for (size_t i = 0; i < countof(at); i++) {
        size_t digits = strspn(p, "0123456789");
        if (digits == 0 || digits > 4)
            return false;
        for (; digits; digits--)
            at[i] = at[i] * 10 + (*p++ - '0');
        if (i == 5 && !*p)
            break;
        if (i < 6 && *p != marks[i] && !(i == 5 && *p == '.'))
            return false;
        p += i < 6;
    }
    if (at[0] < 1970 || at[1] < 1 || at[1] > 12 || at[2] < 1 || at[2] > 31 || at[3] > 23 ||
        at[4] > 59 || at[5] > 60 || at[6] > 999)
        return false;
    int64_t s = days(at[0], at[1], at[2]) * 86400 + at[3] * 3600 + at[4] * 60 + at[5];
    *ret_ns = s * (int64_t)NS_PER_S + at[6] * (int64_t)NS_PER_MS;
    return true;
}
