#include "runner/doctor.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/fmt.h"
#include "base/parse.h"
#include "engine/selftest.h"
#include "engine/tick.h"

const char *doctor_state_name(enum doctor_state s)
{
    static const char *const names[] = { "ok", "note", "bad" };
    return names[s];
}

void doctor_put(struct doctor *d, const struct doctor_finding *f)
{
    *array_push(&d->list) = *f;
}

static void machine(struct doctor *d, bool good, const char *what, const char *found,
                    const char *advice)
{
    doctor_put(d, &(struct doctor_finding) { .state = good ? DOCTOR_GOOD : DOCTOR_NOTE,
                                             .part = "machine",
                                             .what = what,
                                             .found = found,
                                             .advice = good ? NULL : advice });
}

static void look_at_io_uring(struct doctor *d)
{
    struct error e = { 0 };
    bool works = engine_has_io_uring(&e);
    machine(d, works, "io_uring", works ? "available" : arena_strdup(d->a, e.what),
            "qdepth uses a thread for each I/O in flight instead: high queue depths cost processor "
            "time. Allow it with sysctl kernel.io_uring_disabled=0, or leave the container.");
}

/* 32 reads and writes of 1 MiB in flight. */
static void look_at_locked_memory(struct doctor *d)
{
    const uint64_t enough = 64ull << 20;
    struct rlimit l;
    if (getrlimit(RLIMIT_MEMLOCK, &l))
        return;
    bool all = geteuid() == 0 || l.rlim_cur == RLIM_INFINITY;
    machine(d, all || l.rlim_cur >= enough, "locked memory",
            all ? "as much as needed" : arena_printf(d->a, "at most %s", fmt_bytes(l.rlim_cur).s),
            "Large buffers are not registered with io_uring, which costs the generator about 1 %. "
            "Raise it with ulimit -l.");
}

static void look_at_processors(struct doctor *d)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    machine(d, n > 1, "processors", arena_printf(d->a, "%ld online", n),
            "The worker shares the only one with the kernel and with writing down the results.");
    const char *governor = file_line(d->a, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    if (governor)
        machine(d, strcmp(governor, "performance") == 0, "frequency governor", governor,
                "Response times vary with the clock rate. Set it with cpupower frequency-set -g "
                "performance.");
}

static void look_at_load(struct doctor *d)
{
    double load[1] = { 0 };
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    if (getloadavg(load, 1) != 1 || n < 1)
        return;
    machine(d, load[0] < 0.25 * (double)n, "load",
            arena_printf(d->a, "%s", fmt_fixed(load[0], 2).s),
            "Other programs are running: what they take from processors and devices is in every "
            "figure.");
}

static double cost_of_clock(void)
{
    enum { READINGS = 200000 };
    struct tick t;
    tick_begin(&t);
    uint64_t from = tick_now(&t), last = from;
    for (int i = 0; i < READINGS; i++)
        last = tick_now(&t);
    return (double)(last - from) / READINGS;
}

static void look_at_clock(struct doctor *d)
{
    const char *source = file_line(
        d->a, "/sys/devices/system/clocksource/clocksource0/current_clocksource");
    double ns = cost_of_clock();
    machine(d, ns < 100, "clock",
            arena_printf(d->a, "%s, a reading takes %s%s", source ? source : "unknown source",
                         fmt_duration_ns(ns).s,
                         tick_usable() ? " (from the processor's counter)" : ""),
            "Each I/O costs two readings: fast targets look slower. Boot with a TSC clock source "
            "if the processor has one.");
}

/* Does the clock that I/Os are timed with keep the time of the wall? */
static void look_at_rate(struct doctor *d)
{
    struct tick t;
    tick_begin(&t);
    int64_t wall = clock_real_ns();
    uint64_t from = tick_now(&t);
    while (tick_now(&t) - from < 300 * NS_PER_MS)
        ;
    double ours = (double)(tick_now(&t) - from), walls = (double)(clock_real_ns() - wall);
    double apart = ours / walls - 1;
    bool good = apart < 1e-3 && apart > -1e-3;
    doctor_put(d, &(struct doctor_finding) {
                      .state = good ? DOCTOR_GOOD : DOCTOR_BAD,
                      .part = "machine",
                      .what = "rate of the clock",
                      .found = arena_printf(d->a, "%s parts in a million from the wall's over %s",
                                            fmt_fixed(apart * 1e6, 0).s, fmt_duration_ns(ours).s),
                      .advice = good ? NULL
                                     : "The clock was set, or runs at another rate: no response "
                                       "time can be trusted.",
                  });
}

void doctor_machine(struct doctor *d)
{
    look_at_io_uring(d);
    look_at_locked_memory(d);
    look_at_processors(d);
    look_at_load(d);
    look_at_clock(d);
    look_at_rate(d);
}

int doctor_answers(struct doctor *d, struct error *e)
{
    struct selftest_case cases[SELFTEST_CASES];
    if (engine_selftest(cases, e))
        return -1;
    for (size_t i = 0; i < SELFTEST_CASES; i++) {
        const struct selftest_answer *worst = NULL;
        for (size_t k = 0; k < cases[i].n; k++)
            if (!worst && !selftest_holds(&cases[i].answer[k]))
                worst = &cases[i].answer[k];
        const struct selftest_answer *shown = worst ? worst : &cases[i].answer[0];
        const char *within = shown->tolerance > 1e-6
                                 ? arena_printf(d->a, " within %s\u00a0%%",
                                                fmt_fixed(shown->tolerance * 100, 1).s)
                                 : "";
        doctor_put(
            d, &(struct doctor_finding) {
                   .state = worst ? DOCTOR_BAD : DOCTOR_GOOD,
                   .part = "known answers",
                   .what = cases[i].name,
                   .found = arena_printf(d->a, "%s %s (known: %s%s)", shown->what,
                                         fmt_fixed(shown->measured, 1).s,
                                         fmt_fixed(shown->expected, 1).s, within),
                   .advice = worst ? "This build of qdepth measures wrongly: do not use it." : NULL,
               });
    }
    return 0;
}
