#include "made_data.h"

#include <math.h>

const char *const made_names[] = { "Pliant LS 300", "Patriot Torqx 128 GB",
                                   "RAID 10, 12 × 7200 rpm" };
const char *const made_short_names[] = { "Pliant", "Torqx", "RAID 10" };
const char *const made_workloads[] = { "OLTP Heavy Read", "OLTP Moderate Read" };
const char *const made_ids[] = { "heavy-read", "moderate-read" };
const int made_depths[] = { 1, 4, 8, 32, 128 };

#define MISSING ((double)NAN)

static const double bytes_per_io = 19660.8; /* 80 % 8 KiB, 20 % 64 KiB */

static const double iops[MADE_WORKLOADS][MADE_TARGETS][MADE_DEPTHS] = {
    { { 2290, 7890, 13120, 22060, 26180 },
      { 2335, 2520, 2980, 3050, 2890 },
      { 148.2, 462.3, 684.1, 1012, 1163 } },
    { { 2180, 7120, 11060, 18060, 21940 },
      { 690.1, 742.4, 779.8, 801.2, 779.0 },
      { 212.3, 338.5, 421.0, 468.2, MISSING } },
};
static const double mean[MADE_WORKLOADS][MADE_TARGETS][MADE_DEPTHS] = {
    { { 0.436, 0.506, 0.608, 1.448, 4.874 },
      { 0.428, 1.583, 2.678, 10.46, 44.20 },
      { 6.727, 8.640, 11.68, 31.59, 110.0 } },
    { { 0.457, 0.561, 0.722, 1.766, 5.812 },
      { 1.446, 5.382, 10.24, 39.82, 164.0 },
      { 4.702, 11.80, 18.98, 68.10, MISSING } },
};
static const double p99[MADE_WORKLOADS][MADE_TARGETS][MADE_DEPTHS] = {
    { { 0.985, 1.586, 1.809, 4.289, 15.02 },
      { 0.847, 10.98, 19.22, 73.37, 310.4 },
      { 24.22, 30.94, 42.03, 114.8, 396.0 } },
    { { 1.034, 1.742, 2.213, 5.398, 17.33 },
      { 10.27, 37.14, 70.66, 275.0, 1197 },
      { 16.93, 42.47, 68.34, 245.2, MISSING } },
};

double made_value(size_t workload, size_t depth, size_t target, enum made_metric m)
{
    switch (m) {
    case MADE_MB_S:
        return iops[workload][target][depth] * bytes_per_io / 1e6;
    case MADE_MEAN_MS:
        return mean[workload][target][depth];
    case MADE_P99_MS:
        return p99[workload][target][depth];
    default:
        return iops[workload][target][depth];
    }
}

double made_half(size_t workload, size_t depth, size_t target, enum made_metric m)
{
    static const double shares[MADE_TARGETS] = { 0.006, 0.022, 0.011 };
    return made_value(workload, depth, target, m) * shares[target];
}

const char *made_mark(size_t workload, size_t depth, size_t target)
{
    if (target != 1)
        return "";
    if (workload == 1)
        return made_depths[depth] == 128 ? "†‡" : "‡";
    return made_depths[depth] == 128 ? "†" : "";
}
