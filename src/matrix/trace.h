#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "model/plan.h"
#include "model/trace.h"

/* Recordings of other tools as a struct trace. Uses base and model only.
 *
 *   fio-iolog  `fio --write_iolog`: version 2 (waits in µs, each from the one before) and 3 (a time in µs first)
 *   blkparse   its text as printed by default: queued I/Os (Q), or issued ones (D) where there are none
 *   msr-csv    MSR Cambridge (SNIA IOTTA): Timestamp in 100 ns,Hostname,DiskNumber,Type,Offset,Size,ResponseTime
 *
 * I/Os of several files or devices in one recording are replayed on the one target, at their offsets. */
enum trace_format { TRACE_GUESS, TRACE_FIO_IOLOG, TRACE_BLKPARSE, TRACE_MSR_CSV };
enum trace_format trace_format_of(const char *name); /* NULL or unknown: TRACE_GUESS */
const char *trace_format_name(enum trace_format f);

struct trace_source {
    const char *path;
    enum trace_format format;
    double speed;
};
/* A line that cannot be read is QD_E_FORMAT with FILE:LINE; so is a recording without reads and writes, or with more than
 * TRACE_MAX_IOS. */
#define TRACE_MAX_IOS 50000000u
int trace_load(struct arena *a, const struct trace_source *s, struct trace **ret, struct error *e);

/* An access line that says on average what the trace does: for labels and tables. */
struct access_line trace_line(const struct trace *t);
