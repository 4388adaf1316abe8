#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Does the engine measure what is there? It is given a made-up device whose clock and response times are known, in place of the
 * kernel, for 10 s of that clock (a moment of ours), and its numbers are compared with the ones that follow. For `qdepth doctor`:
 * the same paths as in a real measurement, from the worker to the sink. */
struct selftest_answer {
    const char *what; /* "IOPS", … with its unit */
    double expected, measured;
    double tolerance; /* relative; 0: exactly */
};
struct selftest_case {
    const char *name; /* what the device does */
    struct selftest_answer answer[4];
    size_t n;
};
enum { SELFTEST_CASES = 4 };

/* Fails only if the engine cannot run at all. */
int engine_selftest(struct selftest_case ret[SELFTEST_CASES], struct error *e);
bool selftest_holds(const struct selftest_answer *a);
