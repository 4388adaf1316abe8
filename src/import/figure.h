#pragma once
#include "import/collect.h"

/* What the figures of other tools become. NaN: the file does not give it. */

/* Exact moments from what a tool prints; sd NaN: not known; low or high NaN: ends are not known. n = 0 or sums beyond 63 bits: nothing
 * is known. */
struct spread {
    uint64_t n;
    double mean_ns, sd_ns, low_ns, high_ns;
};
struct moments spread_moments(const struct spread *s);

/* Percentiles as printed; zero and repeated ones are left out. */
struct percentiles {
    struct known_percentile at[64];
    size_t n;
};
/* percent: its text ("99.9"). */
void percentiles_add(struct percentiles *into, const char *percent, double ns, const char *origin);
void percentiles_keep(struct arena *a, const struct percentiles *p, struct direction_result *to);

/* Counts in a histogram of wide bins as the usual percentiles, each the range of its bin. */
struct wide_bin {
    double low_ns, high_ns; /* high may be INFINITY */
    uint64_t count;
};
struct wide_bins {
    struct wide_bin *at;
    size_t n;
    const char *origin;
};
void percentiles_of_bins(struct arena *a, const struct wide_bins *b, struct direction_result *to);

/* One direction of a cell in rates. */
struct figures {
    double iops, bytes_s;
    double mean_ns, sd_ns, low_ns, high_ns;
    uint32_t size; /* bytes of an I/O, gives one rate from the other; 0: not known */
    long line;
    const char *key; /* of the bytes, for the warning that the two rates contradict each other */
    double unit;     /* bytes/s that the last digit of the rate of bytes is worth */
    double iops_unit;
};
struct figures figures_none(uint32_t size);
/* Counts over the cell's measured_ns, which must be set, and response times; nothing if there is no rate. IOPS × size against bytes
 * over 1 % apart is a warning. */
void figures_put(struct collect *c, struct import_cell *cell, enum direction d,
                 const struct figures *f);
/* The file gives rates but neither counts nor time: sets measured_ns to a length that keeps their digits, which the store does not
 * show. Before figures_put. */
void figures_rates_only(struct import_cell *cell);
/* Counts were computed from rates and a time that the file gives: said once a run. */
void figures_note_computed(struct collect *c, const char *tool);
