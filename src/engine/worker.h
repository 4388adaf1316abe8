#pragma once
#include <pthread.h>

#include "engine/buffer.h"
#include "engine/driver.h"
#include "engine/fault.h"
#include "engine/meter.h"
#include "engine/pattern.h"
#include "engine/replay.h"

/* One thread that keeps all its slots in flight through its driver, from the ramp to the end of the window, and measures. */
struct worker {
    struct record_ring ring;
    struct meter meter;
    struct pattern pattern;
    struct buffers buffers;
    struct driver driver;
    struct slot *slots;
    struct completion *done;
    uint32_t *issue;
    uint32_t n_slots;
    struct faults faults;

    struct replay *replay; /* of the cell, in place of the pattern; NULL: none */
    uint32_t *idle;        /* slots not in flight, while replaying */
    uint16_t replay_tally[DIR_COUNT];
    struct replay_lateness lateness;

    pthread_t thread;
    struct gate *gate;
    struct error error; /* why the driver could not begin or go on */
    bool broken;
};

/* Where the threads wait for the start of the clock. */
enum gate_state { GATE_SHUT, GATE_OPEN, GATE_ABANDONED };
struct gate {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    uint32_t ready;
    enum gate_state state;
};

/* An I/O has been reaped: to the meter, or to the faults. The driver can do nothing more: the window ends. */
void worker_finish(struct worker *w, struct slot *s, int32_t result, uint64_t now);
void worker_broken(struct worker *w, int sys);

/* Thread routine; the argument is a struct worker. */
void *worker_main(void *worker);
