#pragma once
#include <stdio.h>

#include "cli/verb.h"

/* Help, completion and man page, all printed from the table of verb.c. */
void help_program(FILE *to);
void help_verb(FILE *to, const struct verb *v);
