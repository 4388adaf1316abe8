#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/oom.h"
#include "cli/help.h"

enum { EXIT_BY_USER = 130 };

static void out_of_memory(size_t bytes)
{
    fprintf(stderr, "qdepth: out of memory (%zu bytes more were needed)\n", bytes);
    exit(3);
}

static int exit_code(enum qd_code code)
{
    switch (code) {
    case QD_OK:
        return 0;
    case QD_E_FAIL:
    case QD_E_IO:
    case QD_E_NOTFOUND:
    case QD_E_GONE:
        return 1;
    case QD_E_USAGE:
    case QD_E_FORMAT:
        return 2;
    case QD_E_NOMEM:
        return 3;
    case QD_E_UNSAFE:
        return 4;
    case QD_E_CANCELLED:
        return EXIT_BY_USER;
    }
    return 1;
}

static int fail(const struct error *e)
{
    if (e->where[0])
        fprintf(stderr, "%s: %s\n", e->where, e->what);
    else
        fprintf(stderr, "qdepth: %s\n", e->what);
    return exit_code(e->code);
}

static int run(struct arena *a, int argc, char **argv)
{
    struct error e = { 0 };
    struct command c;
    static char version[] = "version";
    if (argc < 2) {
        help_program(stderr);
        return 2;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        help_program(stdout);
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0)
        argv[1] = version;
    if (command_parse(a, argc, argv, &c, &e))
        return fail(&e);
    if (opt_has(&c, OPT_HELP)) {
        help_verb(stdout, c.verb);
        return 0;
    }
    int rc = c.verb->run(&c, &e);
    return rc < 0 ? fail(&e) : rc;
}

int main(int argc, char **argv)
{
    base_on_oom(out_of_memory);
    struct arena *a = arena_new();
    int code = run(a, argc, argv);
    arena_free(a);
    if (fflush(stdout) || ferror(stdout)) {
        fputs("qdepth: cannot write to stdout\n", stderr);
        code = code ? code : 1;
    }
    return code;
}
