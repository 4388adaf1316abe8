#pragma once
#include <stdint.h>

/* The lowest multiple of `to` that is not below x. */
static inline uint64_t round_up(uint64_t x, uint64_t to)
{
    uint64_t rest = x % to;
    return rest ? x + (to - rest) : x;
}
