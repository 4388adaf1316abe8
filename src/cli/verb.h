#pragma once
#include <stddef.h>

#include "cli/command.h"

/* The one table of verbs and options: parsing, help, shell completion and the man page are made from it.
 *
 * To add a verb: write verb_NAME.c with its function, declare it here, add a row to verb.c. Exit codes: a verb returns one
 * (>= 0), or -1 with e, whose code main.c maps. */
struct verb {
    const char *name;
    const char *args;    /* "[RUN…]" */
    const char *summary; /* one line */
    const char *text;    /* paragraph for --help and the man page */
    int (*run)(struct command *c, struct error *e);
    size_t min_args, max_args;
    enum opt opts[24]; /* OPT_COUNT ends it; --help and --store go with every verb */
};
struct opt_row {
    const char *name;  /* without -- */
    const char *value; /* metavariable, NULL = none */
    const char *help;
    bool may_be_empty;
};

const struct verb *verb_at(size_t i); /* NULL past the end */
const struct verb *verb_find(const char *name);
const struct opt_row *opt_row(enum opt o);
bool verb_takes(const struct verb *v, enum opt o);

int verb_run(struct command *c, struct error *e);
int verb_report(struct command *c, struct error *e);
int verb_import(struct command *c, struct error *e);
int verb_compare(struct command *c, struct error *e);
int verb_export(struct command *c, struct error *e);
int verb_list(struct command *c, struct error *e);
int verb_show(struct command *c, struct error *e);
int verb_edit(struct command *c, struct error *e);
int verb_merge(struct command *c, struct error *e);
int verb_vacuum(struct command *c, struct error *e);
int verb_delete(struct command *c, struct error *e);
int verb_targets(struct command *c, struct error *e);
int verb_matrices(struct command *c, struct error *e);
int verb_clean(struct command *c, struct error *e);
int verb_check(struct command *c, struct error *e);
int verb_doctor(struct command *c, struct error *e);
int verb_version(struct command *c, struct error *e);
int verb_completion(struct command *c, struct error *e);
int verb_man(struct command *c, struct error *e);
