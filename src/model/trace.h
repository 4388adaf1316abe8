#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/direction.h"

/* A recording of I/Os to be replayed: what a cell does instead of its workload's access lines, which then only describe it. Read by
 * matrix/trace, replayed by the engine. */
struct trace_io {
    uint64_t at_ns; /* from the first one; never before the one in front */
    uint64_t offset;
    uint32_t size;     /* > 0 */
    uint8_t direction; /* DIR_READ or DIR_WRITE */
};

struct trace {
    const char *file, *format; /* as given; "fio-iolog", "blkparse", "msr-csv" */
    const struct trace_io *ios;
    size_t n;     /* > 0 */
    double speed; /* 1: at the recorded times; N: N times as fast; 0: as fast as possible */
    uint32_t largest[DIR_COUNT];
    uint64_t end;      /* highest byte touched + 1 */
    uint64_t left_out; /* trims, flushes and waits that are not replayed as I/O */
    uint64_t digest;   /* of the ios and the speed: equal = the same replay */
};

/* Length at its speed, ns; 0 as fast as possible. */
uint64_t trace_length_ns(const struct trace *t);
