#pragma once
#include <semaphore.h>

#include "base/error.h"
#include "engine/meter.h"
#include "model/sink.h"

/* Merges the workers' records into one row an interval and hands the rows to the sink in order, none left out. Runs on the
 * thread that called engine_measure; sleeps until a worker has finished an interval. A row waits until every worker is past
 * it; rows of workers that are ahead are kept in the meantime. */
struct row {
    struct batch batch[TIMELINE_MAX_PARTS];
    uint64_t bytes[DIR_COUNT], errors[DIR_COUNT];
    struct hist *hist[DIR_COUNT]; /* NULL: this direction is never issued */
};

struct collector {
    struct timeline *time;
    const struct tally_key *keys;
    uint32_t n_tallies, n_rings, n_rows;
    struct record_ring **rings; /* set by the caller before collector_run */
    sem_t news;
    struct row *rows;     /* interval i is in rows[i mod n_rows] */
    struct tally *totals; /* of the window, one a tally */
    int64_t next;         /* interval to be handed over next */
    void *memory;
    size_t bytes;
    bool failed;
};

int collector_open(struct collector *c, const struct pattern_plan *plan, struct timeline *time,
                   struct error *e);
void collector_close(struct collector *c);

/* Until all workers have finished. On failure of the sink the timeline is halted, the records are thrown away, and the
 * error is returned when all workers have finished. */
int collector_run(struct collector *c, struct sink *s, struct error *e);
