#include "report/export.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "report/columns.h"

/* --- results ------------------------------------------------------------------------------------------------------- */

void export_results_csv(const struct report_data *d, struct str *out)
{
    for (size_t i = 0; i < n_result_columns; i++)
        str_printf(out, "%s%s", i ? "," : "", result_columns[i].name);
    str_put(out, "\n");
    for (size_t r = 0; r < d->n_results; r++) {
        for (size_t i = 0; i < n_result_columns; i++) {
            struct column_value v = result_column_value(&d->results[r], i);
            str_put(out, i ? "," : "");
            if (!v.missing)
                csv_put(out, result_columns[i].kind == COLUMN_TEXT ? v.text : v.number.s);
        }
        str_put(out, "\n");
    }
}

/* --- intervals ----------------------------------------------------------------------------------------------------- */

/* `head`: the columns that all intervals of a cell share, as CSV, with a comma. Rows are put together by hand: a day of seconds on
 * three targets has half a million. */
enum { PIECE = 4 << 20 };
struct interval_export {
    struct report_output *o;
    struct report_piece *out;
    const char *head;
    size_t n_head;
};

static void put_count(struct str *s, uint64_t v)
{
    char digits[24], *at = digits + sizeof digits;
    do
        *--at = (char)('0' + v % 10);
    while (v /= 10);
    str_putn(s, at, (size_t)(digits + sizeof digits - at));
}

static void put_known(struct str *s, bool known, uint64_t v)
{
    if (known)
        put_count(s, v);
    str_char(s, ',');
}

/* What follows the direction. */
static void put_direction(struct str *s, const struct interval_direction *d)
{
    put_known(s, true, d->ios);
    put_known(s, true, d->bytes);
    str_put(s, fmt_exact(moments_mean(&d->lat)).s);
    str_char(s, ',');
    put_known(s, d->lat.n && d->lat.min != UINT64_MAX, d->lat.min);
    put_known(s, d->lat.n && d->lat.max, d->lat.max);
    put_count(s, d->errors);
    str_char(s, '\n');
}

static void put_head(struct interval_export *x, const struct interval *i, const char *direction)
{
    struct str *s = &x->out->text;
    str_putn(s, x->head, x->n_head);
    if (i->t_ns % (int64_t)NS_PER_S == 0)
        put_count(s, (uint64_t)i->t_ns / NS_PER_S);
    else
        str_put(s, fmt_exact((double)i->t_ns / (double)NS_PER_S).s);
    str_char(s, ',');
    str_put(s, direction);
    str_char(s, ',');
}

static int put_interval(void *ctx, const struct interval *i, struct error *e)
{
    struct interval_export *x = ctx;
    struct interval_direction all = { .lat = moments_zero() };
    for (int d = 0; d < DIR_COUNT; d++) {
        if (!i->dir[d].asked)
            continue;
        put_head(x, i, direction_name(d));
        put_direction(&x->out->text, &i->dir[d]);
        all.ios += i->dir[d].ios;
        all.bytes += i->dir[d].bytes;
        all.errors += i->dir[d].errors;
        moments_merge(&all.lat, &i->dir[d].lat);
    }
    put_head(x, i, direction_name(DIR_ALL));
    put_direction(&x->out->text, &all);
    return x->out->text.n < PIECE ? 0 : output_flush(x->o, x->out, e);
}

int export_intervals_csv(struct store *s, const struct report_data *d, struct report_output *o,
                         struct report_piece *out, struct error *e)
{
    static const struct time_range measured = { 0, INT64_MAX };
    str_put(&out->text, "cell,run,target,workload,queue_depth,rep,t_s,direction,ios,bytes,"
                        "lat_mean_ns,lat_min_ns,lat_max_ns,errors\n");
    int rc = 0;
    size_t k = 0; /* results are in the order of cells */
    for (size_t i = 0; rc == 0 && i < d->n_cells; i++) {
        const struct cell_row *c = &d->cells[i];
        const struct result_row *r = NULL;
        for (; k < d->n_results && d->results[k].cell == c->id; k++)
            r = &d->results[k];
        struct str head = str_new(1 << 16);
        str_printf(&head, "%" PRId64 ",%" PRId64 ",", c->id, c->run);
        csv_put(&head, r ? r->target : "");
        str_char(&head, ',');
        csv_put(&head, r ? r->workload : "");
        str_printf(&head, ",%u,%u,", c->cell.queue_depth, c->cell.rep);
        struct interval_export x = { o, out, head.at, head.n };
        rc = store_intervals_in(s, c->id, &measured, put_interval, &x, e);
        str_done(&head);
    }
    return rc;
}

/* --- JSON ---------------------------------------------------------------------------------------------------------- */

static void put_text_member(struct str *out, const char *key, const char *value)
{
    str_printf(out, ",\"%s\":", key);
    if (value)
        json_put(out, value);
    else
        str_put(out, "null");
}

static void put_time_member(struct str *out, const char *key, int64_t ns)
{
    put_text_member(out, key, ns ? clock_iso(ns).s : NULL);
}

static void put_run(struct str *out, const struct run_row *r)
{
    str_printf(out, "{\"number\":%" PRId64, r->id);
    put_text_member(out, "name", r->name);
    put_text_member(out, "title", r->title);
    put_text_member(out, "status", r->status);
    str_printf(out, ",\"import\":%s", r->import ? "true" : "false");
    put_time_member(out, "started", r->started_ns);
    put_time_member(out, "finished", r->finished_ns);
    put_text_member(out, "version", r->version);
    put_text_member(out, "engine_version", r->engine_version);
    put_text_member(out, "config_hash", r->config_hash);
    put_text_member(out, "matrix", r->matrix_name);
    str_printf(out, ",\"seed\":\"%" PRIu64 "\",\"targets\":%u,\"cells\":%u,\"cells_done\":%u}",
               r->seed, r->n_targets, r->n_cells, r->n_done);
}

static void put_result(struct str *out, const struct result_row *r)
{
    for (size_t i = 0; i < n_result_columns; i++) {
        struct column_value v = result_column_value(r, i);
        str_printf(out, "%s\"%s\":", i ? "," : "{", result_columns[i].name);
        if (v.missing)
            str_put(out, "null");
        else if (result_columns[i].kind == COLUMN_TEXT)
            json_put(out, v.text);
        else
            str_put(out, v.number.s);
    }
    str_char(out, '}');
}

void export_json(const struct report_data *d, struct str *out)
{
    str_put(out, "{\"schema\":1,\"run\":");
    put_run(out, d->runs[0]);
    if (d->n_runs > 1) {
        str_put(out, ",\"runs\":[");
        for (size_t i = 0; i < d->n_runs; i++) {
            str_put(out, i ? "," : "");
            put_run(out, d->runs[i]);
        }
        str_char(out, ']');
    }
    str_put(out, ",\"results\":[");
    for (size_t i = 0; i < d->n_results; i++) {
        str_put(out, i ? ",\n" : "\n");
        put_result(out, &d->results[i]);
    }
    str_put(out, "\n]}\n");
}
