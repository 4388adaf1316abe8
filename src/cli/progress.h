#pragma once
#include "base/arena.h"
#include "model/sink.h"
#include "runner/runner.h"

/* Live progress as a sink: one line that is rewritten on a terminal (cell x of y, time left, IOPS, MB/s and response time now), one
 * plain line a cell elsewhere, or one JSON object a line. Everything goes to stderr. */
enum progress_style { PROGRESS_LINES, PROGRESS_LIVE, PROGRESS_JSON };

struct progress;
struct progress *progress_new(struct arena *a, const struct plan *plan, enum progress_style style);
struct sink progress_sink(struct progress *p);
struct runner_watch progress_watch(struct progress *p);
/* Ends a live line, before other output. */
void progress_end(struct progress *p);

/* What suits stderr: live on a terminal unless TERM is "dumb". */
enum progress_style progress_choose(bool json);
