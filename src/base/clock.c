#include "base/clock.h"

#include <stdio.h>
#include <time.h>

__attribute__((hot)) uint64_t clock_mono_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

int64_t clock_real_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * (int64_t)NS_PER_S + t.tv_nsec;
}

void clock_sleep_until(uint64_t mono_ns)
{
    struct timespec t = { .tv_sec = (time_t)(mono_ns / NS_PER_S),
                          .tv_nsec = (long)(mono_ns % NS_PER_S) };
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static struct tm utc(int64_t real_ns)
{
    int64_t s = real_ns / (int64_t)NS_PER_S - (real_ns % (int64_t)NS_PER_S < 0);
    time_t t = (time_t)s;
    struct tm tm;
    gmtime_r(&t, &tm);
    return tm;
}

static const char *month_name(const struct tm *tm)
{
    static const char *const names[] = { "January",   "February", "March",    "April",
                                         "May",       "June",     "July",     "August",
                                         "September", "October",  "November", "December" };
    return names[tm->tm_mon];
}

struct text clock_iso(int64_t real_ns)
{
    struct tm tm = utc(real_ns);
    struct text out;
    snprintf(out.s, sizeof out.s, "%04d-%02d-%02dT%02d:%02d:%02dZ", tm.tm_year + 1900,
             tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
    return out;
}

struct text clock_date(int64_t real_ns)
{
    struct tm tm = utc(real_ns);
    struct text out;
    snprintf(out.s, sizeof out.s, "%d %s %d", tm.tm_mday, month_name(&tm), tm.tm_year + 1900);
    return out;
}

struct text clock_day(int64_t real_ns)
{
    struct tm tm = utc(real_ns);
    struct text out;
    snprintf(out.s, sizeof out.s, "%04d-%02d-%02d", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
    return out;
}

struct text clock_minute(int64_t real_ns)
{
    struct tm tm = utc(real_ns);
    struct text out;
    snprintf(out.s, sizeof out.s, "%d %s %d, %02d:%02d UTC", tm.tm_mday, month_name(&tm),
             tm.tm_year + 1900, tm.tm_hour, tm.tm_min);
    return out;
}
