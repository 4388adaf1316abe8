#pragma once
#include <stdint.h>

#include "base/fmt.h"

#define NS_PER_S 1000000000ull
#define NS_PER_MS 1000000ull

uint64_t clock_mono_ns(void);             /* CLOCK_MONOTONIC */
int64_t clock_real_ns(void);              /* CLOCK_REALTIME, ns since 1970 UTC */
void clock_sleep_until(uint64_t mono_ns); /* absolute; returns early on a signal */

/* All in UTC, no locale, no TZ: a stored time prints the same anywhere. */
struct text clock_iso(int64_t real_ns);    /* 2026-03-14T09:26:53Z */
struct text clock_date(int64_t real_ns);   /* 14 March 2026 */
struct text clock_day(int64_t real_ns);    /* 2026-03-14 */
struct text clock_minute(int64_t real_ns); /* 14 March 2026, 09:26 UTC */
