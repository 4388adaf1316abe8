#include <string.h>

#include "base/array.h"
#include "base/embed.h"
#include "base/file.h"
#include "base/str.h"
#include "matrix/matrix.h"
#include "matrix/xml.h"

static const char folder[] = "templates/matrix/";
static const char ending[] = ".xml";

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

static int load_file(struct arena *a, const char *path, struct matrix **ret, struct error *e)
{
    char *text = NULL;
    size_t n = 0;
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
    error_hint(e, "shipped are %s; a file ends in .xml or has a '/' in its name", list.at);
    str_done(&list);
    return -1;
}

int matrix_load(struct arena *a, const char *name_or_path, struct matrix **ret, struct error *e)
{
    if (ends_with(name_or_path, ".icf"))
        return error_set(e, QD_E_USAGE,
                         "matrix '%s': Iometer files (.icf) are not supported by this version",
                         name_or_path);
    if (strchr(name_or_path, '/') || ends_with(name_or_path, ending))
        return load_file(a, name_or_path, ret, e);
    const struct embed_row *row = find_shipped(name_or_path);
    if (row)
        return matrix_parse(a, row->name, (const char *)row->at, (size_t)(row->end - row->at), ret,
                            e);
    if (file_exists(name_or_path))
        return load_file(a, name_or_path, ret, e);
    return unknown_name(a, name_or_path, e);
}
