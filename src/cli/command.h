#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* What the user typed, after verb.c's table has been applied to it. Lives as long as the program's arena. */

enum opt {
    OPT_HELP,
    OPT_STORE,
    OPT_JSON,
    OPT_OUT,
    OPT_NAME,
    OPT_TARGET,
    OPT_QUEUE_DEPTH,
    OPT_DURATION,
    OPT_RAMP,
    OPT_INTERVAL,
    OPT_SIZE,
    OPT_WORKERS,
    OPT_REPEAT,
    OPT_SEED,
    OPT_ENGINE,
    OPT_DESTROY,
    OPT_DEVICES,
    OPT_TRACE,
    OPT_DURABLE,
    OPT_DRY_RUN,
    OPT_NO_REPORT,
    OPT_JSON_PROGRESS,
    OPT_TEMPLATE,
    OPT_FORMAT,
    OPT_THEME,
    OPT_SCALE,
    OPT_WORKLOAD,
    OPT_TITLE,
    OPT_HIGHLIGHT,
    OPT_SHOW_SERIALS,
    OPT_LAST,
    OPT_SINCE,
    OPT_UNTIL,
    OPT_AS,
    OPT_STRICT,
    OPT_BIG,
    OPT_FAIL_ON,
    OPT_NOTE,
    OPT_TARGET_NAME,
    OPT_COUNT
};

struct opt_values {
    const char **at; /* one for each time it was given; "" for options without value */
    size_t n, cap;
};

struct verb;
struct command {
    struct arena *arena;
    const struct verb *verb;
    const char *line;        /* the command as typed, quoted for a shell */
    const char *const *args; /* what is neither verb nor option */
    size_t n_args;
    struct opt_values opts[OPT_COUNT];
};

bool opt_has(const struct command *c, enum opt o);
/* The last value, or NULL. */
const char *opt_text(const struct command *c, enum opt o);
/* Values of all occurrences, each split at commas, NULL at the end. */
const char *const *opt_list(const struct command *c, enum opt o, size_t *ret_n);
/* Values of all occurrences, not split, NULL at the end. */
const char *const *opt_all(const struct command *c, enum opt o, size_t *ret_n);

/* Typed values; 0 and *ret untouched when not given. Errors name the option. */
int opt_size(const struct command *c, enum opt o, uint64_t *ret, struct error *e);
int opt_duration(const struct command *c, enum opt o, uint64_t *ret_ns, struct error *e);
/* Whole number in [low, high]. */
int opt_number(const struct command *c, enum opt o, uint64_t low, uint64_t high, uint64_t *ret,
               struct error *e);

/* argv to a command. QD_E_USAGE: unknown verb or option (with the nearest name), missing value, too many words. */
int command_parse(struct arena *a, int argc, char **argv, struct command *ret, struct error *e);

/* --store, else QDEPTH_STORE, else runs/qdepth.db. */
const char *command_store(const struct command *c);
