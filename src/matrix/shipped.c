#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/embed.h"
#include "base/file.h"
#include "base/reader.h"
#include "base/str.h"
#include "matrix/convert.h"
#include "matrix/matrix.h"
#include "matrix/xml.h"

static const char folder[] = "templates/matrix/";
static const char ending[] = ".xml";
/* A name that ends so is a file even if there is none. */
static const char *const endings[] = { ".xml", ".icf", ".fio", ".job" };

static bool ends_with(const char *s, const char *tail)
{
    size_t n = strlen(s);
    size_t t = strlen(tail);
    return n >= t && !strcmp(s + n - t, tail);
}

static bool is_matrix(const struct embed_row *row)
{
    return !strncmp(row->name, folder, sizeof folder - 1) && ends_with(row->name, ending);
}

const char *const *matrix_shipped(struct arena *a)
{
    const char **names = arena_array(a, const char *, embed_n_rows + 1);
    size_t n = 0;
    for (size_t i = 0; i < embed_n_rows; i++) {
        if (!is_matrix(&embed_rows[i]))
            continue;
        const char *name = embed_rows[i].name + sizeof folder - 1;
        name = arena_strndup(a, name, strlen(name) - (sizeof ending - 1));
        size_t at = n++;
        for (; at > 0 && strcmp(names[at - 1], name) > 0; at--)
            names[at] = names[at - 1];
        names[at] = name;
    }
    return names;
}

static const struct embed_row *find_shipped(const char *name)
{
    struct str path = str_new(256);
    str_printf(&path, "%s%s%s", folder, name, ending);
    const struct embed_row *row = str_failed(&path) || strchr(name, '/') ? NULL
                                                                         : embed_find(path.at);
    str_done(&path);
    return row;
}

const char *matrix_shipped_xml(const char *name)
{
    const struct embed_row *row = find_shipped(name);
    return row ? (const char *)row->at : NULL;
}

enum kind { KIND_XML, KIND_ICF, KIND_FIO };

/* By the first line that says something: "<", "Version 1.1.0" or "'TEST SETUP", "[job]". */
static int kind_of(const char *path, enum kind *ret, struct error *e)
{
    struct reader *r = NULL;
    char *line;
    size_t n;
    int rc;
    if (reader_open(path, &r, e))
        return -1;
    *ret = KIND_XML;
    while ((rc = reader_line(r, &line, &n, e)) == 1) {
        line += strspn(line, " \t");
        if (!*line || *line == ';' || *line == '#')
            continue;
        if (*line == '\'' || !strncasecmp(line, "Version ", 8))
            *ret = KIND_ICF;
        else if (*line == '[')
            *ret = KIND_FIO;
        break;
    }
    reader_close(r);
    return rc < 0 ? -1 : 0;
}

static int load_file(struct arena *a, const char *path, struct matrix **ret, struct error *e)
{
    char *text = NULL;
    size_t n = 0;
    enum kind kind;
    if (kind_of(path, &kind, e))
        return -1;
    if (kind == KIND_ICF)
        return icf_load(a, path, ret, e);
    if (kind == KIND_FIO)
        return fio_job_load(a, path, ret, e);
    if (file_read(a, path, MATRIX_MAX_BYTES, &text, &n, e))
        return -1;
    return matrix_parse(a, path, text, n, ret, e);
}

static int unknown_name(struct arena *a, const char *name, struct error *e)
{
    struct str list = str_new(4096);
    for (const char *const *at = matrix_shipped(a); *at; at++)
        str_printf(&list, "%s%s", list.n ? ", " : "", *at);
    error_set(e, QD_E_USAGE, "no matrix '%s'", name);
    error_hint(e,
               "shipped are %s; a file ends in .xml, .icf, .fio or .job, or has a '/' in its name",
               list.at);
    str_done(&list);
    return -1;
}

int matrix_load(struct arena *a, const char *name_or_path, struct matrix **ret, struct error *e)
{
    bool file = strchr(name_or_path, '/') != NULL;
    for (size_t i = 0; i < countof(endings); i++)
        file |= ends_with(name_or_path, endings[i]);
    if (file)
        return load_file(a, name_or_path, ret, e);
    const struct embed_row *row = find_shipped(name_or_path);
    if (row)
        return matrix_parse(a, row->name, (const char *)row->at, (size_t)(row->end - row->at), ret,
                            e);
    if (file_exists(name_or_path))
        return load_file(a, name_or_path, ret, e);
    return unknown_name(a, name_or_path, e);
}
