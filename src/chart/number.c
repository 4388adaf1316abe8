#include "chart/number.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

struct text number_2(double v)
{
    struct text t;
    int64_t hundredths = llround(v * 100);
    uint64_t rest = (uint64_t)llabs(hundredths);
    char digits[24];
    size_t n = 0;
    int decimals = rest % 10 ? 2 : rest % 100 ? 1 : 0;
    rest /= decimals == 2 ? 1 : decimals == 1 ? 10 : 100;
    do {
        if (n == (size_t)decimals && n > 0) {
            digits[n++] = '.';
        }
        digits[n++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0 || (decimals > 0 && n <= (size_t)decimals + 1));
    size_t at = 0;
    if (hundredths < 0) {
        t.s[at++] = '-';
    }
    while (n > 0) {
        t.s[at++] = digits[--n];
    }
    t.s[at] = '\0';
    return t;
}
