#pragma once
#include "runner/runner.h"

/* What a reader of the report must know about a target before any number of it: sent to the sink as events
 * (reference/pitfalls.md). */

/* Direct I/O switched off or refused; holes and unwritten extents of an existing file; a filesystem or device that compresses; data
 * that is easy to compress; a device that something else uses. */
int checks_target(struct sink *s, const struct runner_target *t, const struct opened_target *opened,
                  struct error *e);

/* After test data was written: did the filesystem keep it, or make holes of it (zeros on some)? */
int checks_layout(struct sink *s, const struct opened_target *opened, struct error *e);

/* The filesystem that holds the store writes a little each second: one event that names every target on it. */
int checks_store(struct sink *s, const struct runner_preview *p, const char *store_path,
                 struct error *e);

/* A fact about a target by its key ("Filesystem"), "" if there is none. */
const char *fact_of(const struct runner_target *t, const char *key);
