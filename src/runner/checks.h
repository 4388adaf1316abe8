#pragma once
#include "runner/runner.h"

/* What a reader of the report must know about a target before any number of it: sent to the sink as events
 * (reference/pitfalls.md). */
int checks_target(struct sink *s, const struct runner_target *t, const struct opened_target *opened,
                  const char *store_path, struct error *e);

/* Sends one event about a target (cell -1). */
int checks_event(struct sink *s, uint32_t target, enum severity severity, const char *code,
                 const char *what, const char *text, struct error *e);
