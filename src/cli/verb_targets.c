#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fmt.h"
#include "cli/verb.h"
#include "target/target.h"

static json_t *text_or_null(const char *text)
{
    return text ? json_string(text) : json_null();
}

static void print_json(const struct target_list_row *rows, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *row = json_object();
        json_object_set_new(row, "path", text_or_null(rows[i].path));
        json_object_set_new(row, "model", text_or_null(rows[i].model));
        json_object_set_new(row, "serial", text_or_null(rows[i].serial));
        json_object_set_new(row, "firmware", text_or_null(rows[i].firmware));
        json_object_set_new(row, "link", text_or_null(rows[i].link));
        json_object_set_new(row, "in_use", text_or_null(rows[i].in_use));
        json_object_set_new(row, "size_bytes", json_integer((json_int_t)rows[i].size_bytes));
        json_array_append_new(list, row);
    }
    json_t *doc = json_pack("{s:i, s:o}", "schema", 1, "targets", list);
    char *text = json_dumps(doc, JSON_INDENT(1));
    puts(text);
    free(text);
    json_decref(doc);
}

static const char *or_dash(const char *text)
{
    return text && *text ? text : "–";
}

int verb_targets(struct command *c, struct error *e)
{
    const struct target_list_row *rows = NULL;
    size_t n = 0;
    if (target_list(c->arena, &rows, &n, e))
        return -1;
    if (opt_has(c, OPT_JSON)) {
        print_json(rows, n);
        return 0;
    }
    for (size_t i = 0; i < n; i++)
        printf(
            "%-16s %10s  %s, serial %s, firmware %s%s%s\n    %s\n", rows[i].path,
            fmt_bytes(rows[i].size_bytes).s, or_dash(rows[i].model), or_dash(rows[i].serial),
            or_dash(rows[i].firmware), rows[i].link ? ", " : "", rows[i].link ? rows[i].link : "",
            rows[i].in_use ? rows[i].in_use : "free: may be written with --destroy and its serial");
    if (n == 0)
        puts("no block device was found");
    puts("A directory or file can be a target too: qdepth run --target NAME=DIR");
    return 0;
}
