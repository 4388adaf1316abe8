#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/parse.h"
#include "base/reader.h"
#include "matrix/fio_job.h"

/* Job files of fio (its HOWTO, "Job file format"): sections with options, [global] for the jobs that follow it. */

enum { MAX_OPTIONS = 400, MAX_VALUE = 4096 };

static char *trimmed(char *text)
{
    text += strspn(text, " \t");
    size_t n = strlen(text);
    while (n && (text[n - 1] == ' ' || text[n - 1] == '\t'))
        text[--n] = '\0';
    return text;
}

/* ${NAME} from the environment, as fio does it. */
static int expand(struct fio_file *x, const char *text, long line, const char **ret)
{
    struct str s = str_new(MAX_VALUE);
    int rc = 0;
    while (*text && !rc) {
        const char *end = !strncmp(text, "${", 2) ? strchr(text, '}') : NULL;
        if (!end) {
            str_char(&s, *text++);
            continue;
        }
        const char *name = arena_strndup(x->c.a, text + 2, (size_t)(end - text - 2));
        const char *value = getenv(name);
        if (!value)
            rc = error_at(x->e, x->c.file, line, "${%s} is not set in the environment", name);
        str_put(&s, value);
        text = end + 1;
    }
    *ret = arena_strdup(x->c.a, s.at);
    str_done(&s);
    return rc;
}

/* The later one of a name wins. */
static void put(struct fio_section *s, const struct fio_option *o)
{
    for (size_t i = 0; i < s->n; i++)
        if (!strcmp(s->at[i].name, o->name)) {
            s->at[i] = *o;
            return;
        }
    s->at[s->n++] = *o;
}

static int take_option(struct fio_file *x, struct fio_section *s, char *text, long line)
{
    static const char *const other_names[][2] = {
        { "readwrite", "rw" },
        { "blocksize", "bs" },
        { "blockalign", "ba" },
        { "filesize", "size" },
        { "blocksize_range", "bsrange" },
        { "io_limit", "io_size" },
        { "dedupe", "dedupe_percentage" },
    };
    struct fio_option o = { .line = line, .value = "" };
    char *value = strchr(text, '=');
    if (value) {
        *value++ = '\0';
        if (expand(x, trimmed(value), line, &o.value))
            return -1;
    }
    o.name = arena_strdup(x->c.a, trimmed(text));
    for (size_t i = 0; i < countof(other_names); i++)
        if (!strcmp(o.name, other_names[i][0]))
            o.name = other_names[i][1];
    if (s->n == MAX_OPTIONS)
        return error_at(x->e, x->c.file, line, "a job has more than %d options", MAX_OPTIONS);
    put(s, &o);
    return 0;
}

static int end_section(struct fio_file *x, struct fio_section *s)
{
    if (!s->name)
        return 0;
    if (!strcmp(s->name, "global")) {
        for (size_t i = 0; i < s->n; i++) {
            if (x->global.n == MAX_OPTIONS)
                return error_at(x->e, x->c.file, s->at[i].line, "[global] has more than %d options",
                                MAX_OPTIONS);
            put(&x->global, &s->at[i]);
        }
        return 0;
    }
    return fio_job_convert(x, s);
}

static int begin_section(struct fio_file *x, struct fio_section *s, char *text, long line)
{
    char *end = strrchr(text, ']');
    if (!end)
        return error_at(x->e, x->c.file, line, "the name of a job ends in ]");
    *end = '\0';
    s->name = arena_strdup(x->c.a, text + 1);
    s->line = line;
    s->n = 0;
    if (strcmp(s->name, "global") != 0) {
        memcpy(s->at, x->global.at, x->global.n * sizeof *s->at);
        s->n = x->global.n;
    }
    return 0;
}

static int take_line(struct fio_file *x, struct fio_section *s, char *line, long number)
{
    line[strcspn(line, ";#")] = '\0'; /* also behind a value, as fio does */
    line = trimmed(line);
    if (!*line)
        return 0;
    if (*line == '[')
        return end_section(x, s) || begin_section(x, s, line, number) ? -1 : 0;
    if (!strncmp(line, "include ", 8)) {
        conversion_leave(&x->c, number, "%s", line);
        return 0;
    }
    if (!s->name)
        return error_at(x->e, x->c.file, number, "'%.60s' stands before the first [job]", line);
    return take_option(x, s, line, number);
}

static int read_lines(struct fio_file *x, struct reader *r)
{
    struct fio_section s = { .at = arena_array(x->c.a, struct fio_option, MAX_OPTIONS) };
    char *line;
    size_t n;
    int rc;
    x->global.at = arena_array(x->c.a, struct fio_option, MAX_OPTIONS);
    while ((rc = reader_line(r, &line, &n, x->e)) == 1)
        if (take_line(x, &s, line, reader_number(r)))
            return -1;
    return rc < 0 ? -1 : end_section(x, &s);
}

int fio_job_load(struct arena *a, const char *path, struct matrix **ret, struct error *e)
{
    struct reader *r = NULL;
    struct fio_file x = {
        .c = { .a = a, .file = path, .source = "fio job file", .duration_ns = 60 * NS_PER_S },
        .e = e
    };
    if (reader_open(path, &r, e))
        return -1;
    int rc = read_lines(&x, r);
    reader_close(r);
    if (!rc && x.n_jobs == 0)
        rc = error_at(e, path, 0, "there is no [job] in it");
    if (!rc)
        rc = conversion_finish(&x.c, ret, e);
    conversion_done(&x.c);
    return rc;
}
