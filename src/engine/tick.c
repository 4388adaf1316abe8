#include "engine/tick.h"

#include <pthread.h>
#include <string.h>

#include "base/file.h"

#define FIRST_PERIOD_NS 2000000ull
/* Reading both clocks differs by some 30 ns, and adjtime(3) may turn the kernel's by 0.05 %. */
#define TRUST_NS 2000
#define TRUST_PART 1000

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* From `ns` on, at the rate of the last period; where the times given were ahead of the clock, slower, so that it is caught up with
 * at the end of the coming one. */
static void go_on(struct tick *t, uint64_t count, uint64_t ns, uint64_t rate)
{
    t->count = count;
    t->ns = larger(ns, t->floor);
    uint64_t counts = (uint64_t)(((unsigned __int128)t->period_ns << 32) / rate);
    uint64_t ahead = t->ns - ns;
    t->rate = (uint64_t)(((unsigned __int128)(t->period_ns - ahead) << 32) / counts);
    t->valid = counts;
}

void tick_start(struct tick *t, const uint64_t count[2], const uint64_t ns[2])
{
    *t = (struct tick) { .seen_count = count[0],
                         .seen_ns = ns[0],
                         .ns = ns[0],
                         .count = count[0],
                         .period_ns = FIRST_PERIOD_NS };
    if (count[1] <= count[0] || ns[1] <= ns[0])
        return;
    uint64_t rate = (uint64_t)(((unsigned __int128)(ns[1] - ns[0]) << 32) / (count[1] - count[0]));
    t->seen_count = count[1];
    t->seen_ns = ns[1];
    if (rate)
        go_on(t, count[1], ns[1], rate);
}

uint64_t tick_compare(struct tick *t, uint64_t count, uint64_t ns)
{
    uint64_t counts = count - t->count, elapsed = ns - t->seen_ns;
    t->floor = tick_at(t, t->count + (counts < t->valid ? counts : t->valid));
    uint64_t trust = TRUST_NS + elapsed / TRUST_PART;
    uint64_t expected = tick_at(t, count);
    uint64_t apart = expected > ns ? expected - ns : ns - expected;
    if (count <= t->seen_count || ns <= t->seen_ns || apart > trust ||
        larger(ns, t->floor) - ns > t->period_ns / 2) {
        t->valid = 0;
        return larger(ns, t->floor);
    }
    uint64_t rate = (uint64_t)(((unsigned __int128)elapsed << 32) / (count - t->seen_count));
    t->seen_count = count;
    t->seen_ns = ns;
    t->period_ns = 2 * t->period_ns < TICK_PERIOD_NS ? 2 * t->period_ns : TICK_PERIOD_NS;
    go_on(t, count, ns, rate);
    return t->ns;
}

#ifdef __x86_64__
#include <cpuid.h>

enum { POWER_MANAGEMENT = (int)0x80000007, INVARIANT = 1 << 8 };

static bool usable;

static void look(void)
{
    static const char path[] = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    struct arena *a = arena_new();
    const char *source = file_line(a, path);
    usable = source && (strcmp(source, "tsc") == 0 || strcmp(source, "kvm-clock") == 0) &&
             __get_cpuid((unsigned)POWER_MANAGEMENT, &eax, &ebx, &ecx, &edx) && (edx & INVARIANT);
    arena_free(a);
}

bool tick_usable(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look);
    return usable;
}

/* The narrowest of a few readings: an interrupt in between would part the two clocks. */
static void read_pair(uint64_t *ret_count, uint64_t *ret_ns)
{
    enum { TRIES = 3 };
    uint64_t narrowest = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        uint64_t before = __builtin_ia32_rdtsc();
        uint64_t ns = clock_mono_ns();
        uint64_t width = __builtin_ia32_rdtsc() - before;
        if (width >= narrowest)
            continue;
        narrowest = width;
        *ret_count = before + width / 2;
        *ret_ns = ns;
    }
}

void tick_begin(struct tick *t)
{
    uint64_t count[2] = { 0 }, ns[2] = { 0 };
    *t = (struct tick) { 0 };
    if (!tick_usable())
        return;
    for (int i = 0; i < 2; i++) {
        read_pair(&count[i], &ns[i]);
        if (i == 0)
            clock_sleep_until(ns[0] + FIRST_PERIOD_NS);
    }
    tick_start(t, count, ns);
}

uint64_t tick_renew_(struct tick *t)
{
    uint64_t count = 0, ns = 0;
    if (t->valid == 0)
        return larger(clock_mono_ns(), t->floor);
    read_pair(&count, &ns);
    return tick_compare(t, count, ns);
}
#else
bool tick_usable(void)
{
    return false;
}

void tick_begin(struct tick *t)
{
    *t = (struct tick) { 0 };
}

uint64_t tick_renew_(struct tick *t)
{
    (void)t;
    return clock_mono_ns();
}
#endif
