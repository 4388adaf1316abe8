#include <math.h>

#include "base/clock.h"
#include "export/export.h"

/* A cell of a table: bars would end it. */
static void put_text(struct str *s, const char *text)
{
    for (; *text; text++) {
        if (*text == '|' || *text == '\\')
            str_char(s, '\\');
        str_char(s, *text == '\n' || *text == '\r' ? ' ' : *text);
    }
}

static void put_time(struct str *s, double ns)
{
    str_printf(s, " %s |", isnan(ns) ? "\xE2\x80\x93" : fmt_duration_ns(ns).s);
}

static void put_row(struct str *s, const struct result_row *r, const char *title)
{
    str_put(s, "| ");
    put_text(s, title);
    str_printf(s, " | %u | ", r->queue_depth);
    put_text(s, r->target);
    str_printf(s, " | %s | %s |", fmt_table_iops(r->iops).s, fmt_table(r->mb_s).s);
    put_time(s, r->lat_mean_ns);
    put_time(s, r->lat_p99_ns);
    put_time(s, r->lat_max_ns);
    str_put(s, " ");
    put_text(s, r->source);
    str_put(s, " |\n");
}

int export_markdown(struct store *s, const struct run_row *run, struct export_text *x,
                    struct error *e)
{
    struct result_row *rows;
    struct workload_row *works;
    struct cell_row *cells;
    size_t n, n_works, n_cells, k = 0;
    if (store_results(s, x->a, run->id, &rows, &n, e) ||
        store_workloads(s, x->a, run->id, &works, &n_works, e) ||
        store_cells(s, x->a, run->id, &cells, &n_cells, e))
        return -1;
    str_put(&x->text, "Run ");
    put_text(&x->text, run->name);
    str_printf(&x->text, ", %s.\n\n", clock_minute(run->started_ns).s);
    str_put(&x->text,
            "| workload | queue depth | target | IOPS | MB/s | mean | p99 | max | source |\n"
            "|---|---:|---|---:|---:|---:|---:|---:|---|\n");
    for (size_t i = 0; i < n; i++) {
        if (rows[i].direction != DIR_ALL || isnan(rows[i].iops))
            continue;
        const char *title = rows[i].workload;
        while (k < n_cells && cells[k].id != rows[i].cell)
            k++;
        for (size_t w = 0; w < n_works && k < n_cells; w++)
            if (works[w].id == cells[k].workload)
                title = works[w].workload.title;
        put_row(&x->text, &rows[i], title);
    }
    return str_failed(&x->text) ? error_set(e, QD_E_FAIL, "the table is too large") : 0;
}
