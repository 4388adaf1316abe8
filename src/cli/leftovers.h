#pragma once
#include "cli/command.h"
#include "runner/clean.h"

/* Undoes what ended runs left behind and says so, on stderr if it is not what was asked for. Without a store there is nothing. */
int leftovers_clean(const struct command *c, bool asked, struct clean_outcome *ret,
                    struct error *e);
