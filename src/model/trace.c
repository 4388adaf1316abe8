#include "model/trace.h"

uint64_t trace_length_ns(const struct trace *t)
{
    return t->speed > 0 ? (uint64_t)((double)t->ios[t->n - 1].at_ns / t->speed) : 0;
}
