#pragma once
#include "base/rng.h"
#include "made_run.h"

/* Shared by made_*.c only. */
enum { MADE_SPAN = 256 << 20, MADE_SLOWEST = 10, MADE_MAX_LINES = 2 };

struct made_options made_defaults(const struct made_options *o);

/* One I/O in the making. */
struct made_io {
    uint64_t at; /* when it is reaped, ns from the start of the ramp */
    uint64_t lat_ns, offset;
    uint32_t line;
    enum direction direction;
};

/* A stream of I/Os of one cell in order of completion. `slots` I/Os are always in flight, so that one finishes every
 * response time / slots. */
struct made_stream {
    const struct workload *workload;
    struct rng rng;
    uint64_t slots, slower;
    uint64_t base_ns[DIR_COUNT], ns_per_kib, parallel;
    uint64_t clock, rest; /* of the last I/O drawn; rest in ns × slots */
    uint64_t owed, stall_ns;
    uint32_t writes;
    bool flush_next;
    struct made_io io; /* the next to be reaped */
};
void made_stream_start(struct made_stream *s, const struct made_options *o, const struct cell *c,
                       const struct workload *w);
void made_stream_next(struct made_stream *s);
/* Nothing finishes before `until`; the I/Os in flight take that much longer. */
void made_stream_stall(struct made_stream *s, uint64_t until);

/* Measures one cell into the sink. seconds: how many of them; end: with samples and cell_end. */
struct made_cell {
    const struct made_options *o;
    const struct cell *cell;
    const struct workload *workload;
    uint32_t seconds;
    bool end;
};
int made_cell_measure(const struct made_cell *c, struct sink *s, struct error *e);
