#pragma once
/* What every unit test includes: cmocka with the headers it wants before it, and comparison of doubles. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* As doubles: the macros of math.h are floats. */
#define ABSENT ((double)NAN)
#define ENDLESS ((double)INFINITY)

/* Relative tolerance; absolute where the wanted value is 0. */
static inline void assert_close_(double got, double want, double tolerance, const char *file,
                                 int line)
{
    double scale = want != 0 ? fabs(want) : 1;
    if (fabs(got - want) <= tolerance * scale)
        return;
    print_error("%.17g is not %.17g within %g\n", got, want, tolerance);
    _fail(file, line);
}
#define assert_close(got, want, tolerance) assert_close_(got, want, tolerance, __FILE__, __LINE__)
#define assert_nan(v) assert_true(isnan(v))
