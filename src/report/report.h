#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "store/store.h"

/* From the store to files. Opens no target, reads no clock, no locale, no environment: same store and same build, same bytes. */

struct report_options {
    const char *const *runs; /* names, numbers or "latest" */
    size_t n_runs;
    const char *template_name; /* shipped name or file; NULL: the matrix's, else "comparison" */
    const char *title;         /* NULL: the template's */
    const char *highlight;     /* target name, NULL: the first */
    const char *const *targets, *const *workloads; /* filters: display names, ids; n = 0: all */
    size_t n_targets, n_workloads;
    const uint32_t *queue_depths;
    size_t n_queue_depths;
    /* Numbers of a part of each cell's measured time, made from the intervals that start in it: the last so many ns; from, to.
     * 0: not asked for. The whole time is still drawn. */
    uint64_t last_ns, since_ns, until_ns;
    bool show_serials; /* else the last four characters, host name left out */
    const char *theme; /* "auto" by default */
    const char *out_dir;
    unsigned formats; /* bits of enum report_format */
    double scale;     /* of PNGs, 1 or 2 */
};
enum report_format {
    FORMAT_HTML = 1,
    FORMAT_PDF = 2,
    FORMAT_PNG = 4,
    FORMAT_SVG = 8,
    FORMAT_CSV = 16,
    FORMAT_JSON = 32,
    FORMAT_MD = 64,
};

/* What was written, in the arena. */
struct report_files {
    const char *index; /* OUT/index.html, or the first file if HTML was not asked for */
    size_t n_files;
};

/* Writes into out_dir: data and charts first, index.html last, each file in one step; a full disk leaves the old report whole.
 * Files of an earlier report in the same folder that are not written again are removed if, and only if, the earlier report's
 * list (OUT/.qdepth-files) says we wrote them. */
int report_write(struct store *s, struct arena *a, const struct report_options *o,
                 struct report_files *ret, struct error *e);

/* The compact comparison for the terminal at the end of a run: plain text, one line a row, best first. */
int report_terminal(struct store *s, struct arena *a, const char *run, char **ret, struct error *e);

/* {"schema":1,"run":{…},"results":[{…view columns…}]}, missing values null (docs/json.md). */
int report_json(struct store *s, struct arena *a, const char *run, char **ret, struct error *e);

/* The rows of the view `results` as CSV, with a heading. */
int report_csv(struct store *s, struct arena *a, const char *run, char **ret, struct error *e);

/* What changed from one run to another: the headline rate and the mean response time of each point both have, with the 95 % interval of
 * the difference and whether it is real (reference/statistics.md §5). */
struct compare_request {
    const char *base, *run; /* names, numbers or "latest" */
    bool json;
    double fail_slower; /* count what is really worse by more than this share; 0: do not */
};
struct compare_result {
    char *text;
    size_t n_slower;
};
int report_compare(struct store *s, struct arena *a, const struct compare_request *o,
                   struct compare_result *ret, struct error *e);
