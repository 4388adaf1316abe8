#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "import/csv.h"
#include "import/json.h"
#include "import/scan.h"
#include "import/table_inside.h"

enum { HEADING_LIMIT = 8192 };

/* --- CSV ------------------------------------------------------------------------------------------------------------ */

/* The first line that is no comment, and its columns. */
static const char *heading(const char *head, size_t *ret_n)
{
    while (*head) {
        size_t n = strcspn(head, "\n");
        if (*head != '#' && head[strspn(head, " \t")] != '\n') {
            *ret_n = n;
            return head;
        }
        head += n + (head[n] != '\0');
    }
    return NULL;
}

bool table_csv_sniff(const char *head, const char *name)
{
    (void)name;
    char line[HEADING_LIMIT];
    char *fields[TABLE_COLUMNS];
    size_t length = 0, n;
    const char *at = heading(head, &length);
    if (!at || length >= sizeof line)
        return false;
    memcpy(line, at, length);
    line[length] = '\0';
    char separator = csv_separator(line);
    if (!separator)
        return false;
    n = csv_split(line, separator, fields, TABLE_COLUMNS);
    return n <= TABLE_COLUMNS && table_is((const char *const *)fields, n);
}

/* "# source: Tom's Hardware, 2013" */
static void take_comment(struct collect *c, const char *line)
{
    const char *p = scan_label(line + 1, "source");
    if (p && *p)
        c->source->summary->tool = scan_trimmed(c->a, p);
}

int table_csv_read(struct collect *c, struct error *e)
{
    char *names[TABLE_COLUMNS], *values[TABLE_COLUMNS], *line;
    size_t n_names = 0, n;
    int rc;
    char separator = 0;
    struct table t = { .c = c };
    c->source->summary->tool = "table";
    while ((rc = reader_line(c->source->reader, &line, &n, e)) == 1) {
        long number = reader_number(c->source->reader);
        if (*line == '#')
            take_comment(c, line);
        if (*line == '#' || !line[strspn(line, " \t,;")])
            continue;
        if (!separator) {
            char *copy = arena_strdup(c->a, line);
            separator = csv_separator(copy);
            separator = separator ? separator : ',';
            n_names = csv_split(copy, separator, names, TABLE_COLUMNS);
            if (n_names > TABLE_COLUMNS)
                return error_set(e, QD_E_FAIL, "'%s' has more than %d columns", c->source->path,
                                 TABLE_COLUMNS);
            table_warn_unknown(c, (const char *const *)names, n_names);
            continue;
        }
        size_t n_values = csv_split(line, separator, values, TABLE_COLUMNS);
        while (n_values > n_names && n_values <= TABLE_COLUMNS && !*values[n_values - 1])
            n_values--;
        if (n_values != n_names) {
            collect_warn(c, number, "it has %zu fields, the heading %zu: the row is left out",
                         n_values, n_names);
            continue;
        }
        const struct table_row row = { number, (const char *const *)names,
                                       (const char *const *)values, n_names };
        table_take(&t, &row);
    }
    table_end_cell(&t);
    return rc;
}

/* --- JSON ----------------------------------------------------------------------------------------------------------- */

static bool has_key(const char *text, const char *key)
{
    const char *p = strstr(text, key);
    return p && strchr(p, ':');
}

bool table_json_sniff(const char *head, const char *name)
{
    (void)name;
    const char *p = head + strspn(head, " \t\n");
    bool rate = has_key(p, "\"iops\"") || has_key(p, "\"mb_s\"") || has_key(p, "\"mib_s\"");
    return (*p == '{' || *p == '[') && rate &&
           (has_key(p, "\"workload\"") || has_key(p, "\"size\""));
}

static void take_object(struct table *t, const struct json *object)
{
    const char *names[TABLE_COLUMNS], *values[TABLE_COLUMNS];
    size_t n = 0;
    if (object->kind != JSON_OBJECT || object->open) {
        collect_warn(t->c, (long)object->line, "no whole row: it is left out");
        return;
    }
    for (const struct json *v = object->first; v && n < TABLE_COLUMNS; v = v->next) {
        if (v->kind == JSON_ARRAY || v->kind == JSON_OBJECT)
            continue;
        names[n] = v->key;
        values[n++] = v->kind == JSON_NULL ? "" : v->text;
    }
    if (!t->cell)
        table_warn_unknown(t->c, names, n);
    const struct table_row row = { (long)object->line, names, values, n };
    table_take(t, &row);
}

int table_json_read(struct collect *c, struct error *e)
{
    char *text;
    if (collect_json_text(c, &text, e))
        return -1;
    c->source->summary->tool = "table";
    struct json_document d = { .cursor = text + strspn(text, " \t\r\n"), .line = 1 };
    const struct json *root = json_read(c->a, &d), *list = root;
    if (d.broken)
        collect_warn(c, d.broken, "the JSON is broken here: %s", d.why);
    if (root->kind == JSON_OBJECT)
        list = json_get(root, "results");
    if (!list || list->kind != JSON_ARRAY) {
        collect_warn(c, 0, "it has no list of rows, nor one under 'results'");
        return 0;
    }
    struct table t = { .c = c };
    for (const struct json *at = list->first; at; at = at->next)
        take_object(&t, at);
    table_end_cell(&t);
    return 0;
}
