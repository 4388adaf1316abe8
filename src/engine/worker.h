#pragma once
#include <pthread.h>

#include "engine/buffer.h"
#include "engine/driver.h"
#include "engine/fault.h"
#include "engine/meter.h"
#include "engine/pattern.h"

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

/* Thread routine; the argument is a struct worker. */
void *worker_main(void *worker);
