#include "cli/help.h"

#include <string.h>

#include "base/utf8.h"

enum { TEXT_WIDTH = 80 };

/* Words of text, broken at TEXT_WIDTH, behind `indent` blanks. */
static void print_wrapped(FILE *to, const char *text, int indent)
{
    int column = indent;
    fprintf(to, "%*s", indent, "");
    for (const char *word = text; *word;) {
        int n = (int)strcspn(word, " ");
        if (column > indent && column + 1 + n > TEXT_WIDTH) {
            fprintf(to, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', to);
            column++;
        }
        fprintf(to, "%.*s", n, word);
        column += n;
        word += n;
        word += strspn(word, " ");
    }
    fputc('\n', to);
}

static void print_option(FILE *to, enum opt o)
{
    const struct opt_row *row = opt_row(o);
    fprintf(to, "  --%s%s%s\n", row->name, row->value ? " " : "", row->value ? row->value : "");
    print_wrapped(to, row->help, 8);
}

void help_program(FILE *to)
{
    fputs("qdepth: a storage test lab in one command\n\n"
          "usage: qdepth VERB [OPTIONS]\n\n",
          to);
    for (size_t i = 0; verb_at(i); i++) {
        const struct verb *v = verb_at(i);
        char left[64];
        snprintf(left, sizeof left, "%s %s", v->name, v->args);
        fprintf(to, "  %s%*s %s\n", left, (int)(20 - utf8_length(left)), "", v->summary);
    }
    fputs("\nqdepth VERB --help shows the options of a verb. Sizes: 4k, 64KiB, 1GiB; times: 500ms, "
          "30s, "
          "10m, 25h.\n"
          "A first look, touching no device: qdepth run\n",
          to);
}

void help_verb(FILE *to, const struct verb *v)
{
    fprintf(to, "usage: qdepth %s%s%s [OPTIONS]\n\n", v->name, *v->args ? " " : "", v->args);
    fprintf(to, "%s\n", v->summary);
    print_wrapped(to, v->text, 0);
    fputs("\nOptions:\n", to);
    for (enum opt o = 0; o < OPT_COUNT; o++)
        if (verb_takes(v, o))
            print_option(to, o);
}

static void completion_words(FILE *to, const struct verb *v)
{
    fprintf(to, "    %s) words='", v->name);
    for (enum opt o = 0; o < OPT_COUNT; o++)
        if (verb_takes(v, o))
            fprintf(to, "--%s ", opt_row(o)->name);
    fputs("';;\n", to);
}

int verb_completion(struct command *c, struct error *e)
{
    (void)c;
    (void)e;
    fputs("_qdepth() {\n  local words='' word=${COMP_WORDS[COMP_CWORD]}\n  case ${COMP_WORDS[1]} "
          "in\n",
          stdout);
    for (size_t i = 0; verb_at(i); i++)
        completion_words(stdout, verb_at(i));
    fputs("  esac\n  [ \"$COMP_CWORD\" -eq 1 ] && words='", stdout);
    for (size_t i = 0; verb_at(i); i++)
        printf("%s ", verb_at(i)->name);
    fputs("'\n  if [[ $word == -* || $COMP_CWORD -eq 1 ]]; then\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "  else\n    COMPREPLY=($(compgen -f -- \"$word\"))\n  fi\n}\n"
          "complete -o filenames -F _qdepth qdepth\n",
          stdout);
    return 0;
}

/* Hyphens and leading dots mean something to troff. */
static void print_troff(const char *text)
{
    if (*text == '.')
        fputs("\\&", stdout);
    for (const char *p = text; *p; p++)
        if (*p == '-')
            fputs("\\-", stdout);
        else if (*p == '\\')
            fputs("\\e", stdout);
        else
            putchar(*p);
}

int verb_man(struct command *c, struct error *e)
{
    (void)c;
    (void)e;
    puts(".TH QDEPTH 1 \"\" \"qdepth " QD_VERSION
         "\"\n.SH NAME\nqdepth \\- a storage test lab in one command\n"
         ".SH SYNOPSIS\n.B qdepth\n.I VERB\n[OPTIONS]\n.SH VERBS");
    for (size_t i = 0; verb_at(i); i++) {
        const struct verb *v = verb_at(i);
        printf(".SS %s ", v->name);
        print_troff(v->args);
        puts("");
        print_troff(v->text);
        puts("");
        for (enum opt o = 0; o < OPT_COUNT; o++)
            if (verb_takes(v, o)) {
                printf(".TP\n.B \\-\\-");
                print_troff(opt_row(o)->name);
                printf(" ");
                print_troff(opt_row(o)->value ? opt_row(o)->value : "");
                puts("");
                print_troff(opt_row(o)->help);
                puts("");
            }
    }
    puts(".SH EXIT STATUS\n0 done; 1 could not be done, or a cell is missing; 2 usage or invalid "
         "file; 3 out of memory; "
         "4 refused as unsafe; 130 interrupted\n.SH ENVIRONMENT\nQDEPTH_STORE, NO_COLOR");
    return 0;
}
