#pragma once
#include "engine/collect.h"
#include "engine/engine.h"
#include "engine/worker.h"

/* The engine's parts, for engine.c, measure.c and tests. */
struct engine {
    struct engine_job job;
    enum engine_used used;
    char no_io_uring[768]; /* why auto fell back to the sync engine, else "" */
    int plain_buffers;     /* errno of the refused registration, else 0 */
    struct span *spans;    /* of the targets */

    struct timeline time;
    struct pattern_plan plan;
    bool replaying; /* the cell has a trace: then `replay` stands in for streams and patterns */
    struct replay replay;
    struct stream *streams; /* of worker w on target t: [w * n_targets + t] */
    pthread_mutex_t *locks; /* one a stream, if several threads share it; else NULL */
    struct collector collector;
    struct gate gate;
    struct worker **workers; /* one a thread */
    struct record_ring **rings;
    uint32_t n_threads, n_workers; /* wanted; set up so far */
    size_t worker_bytes;

    struct faults faults;
    struct sample *samples;
    struct line_result *lines;
    struct hist *hists; /* of the cell: [DIR_COUNT] */
    char reason[256];
};

/* As engine_open, but on drivers of the caller's making (tests: a device with a clock of its own), laid out like io_uring's:
 * one thread a worker. */
int engine_open_with(const struct engine_job *job, const struct driver_maker *maker,
                     struct engine **ret, struct error *e);

/* What readers of the report must know about the cell, to the sink: before it starts, and when it is over. */
int tell_before(const struct engine *g, struct sink *s, struct error *e);
int tell_after(const struct engine *g, struct sink *s, struct error *e);
