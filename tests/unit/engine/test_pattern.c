/* Offsets, sizes and directions, against the limits of reference/statistics.md §10. */
#include "engine/pattern.h"

#include <stdlib.h>

#include "unit.h"

enum { MIB = 1 << 20 };

struct made {
    struct access_line lines[8];
    struct workload workload;
    struct span spans[2];
    struct opened_target targets[2];
    struct pattern_plan plan;
    struct stream streams[2];
    struct pattern pattern;
};

static struct access_line line(uint32_t share, uint32_t size, uint32_t read, uint32_t random)
{
    return (struct access_line) {
        .share_bp = share, .size = size, .read_bp = read, .random_bp = random, .burst = 1
    };
}

/* The lines are set by the caller; span of both targets as given. */
static void make(struct made *m, uint32_t n_lines, uint64_t first, uint64_t bytes)
{
    m->workload = (struct workload) { "w", "W", m->lines, n_lines };
    for (int i = 0; i < 2; i++) {
        m->spans[i] = (struct span) { first, bytes };
        m->targets[i].block = 512;
    }
    pattern_plan_open(&m->plan, &m->workload, m->spans, m->targets, 2);
    pattern_init(&m->pattern, 42, &m->plan, m->streams, 2);
    for (uint32_t i = 0; i < 2; i++)
        m->streams[i].next = pattern_stream_start(&m->plan, i, 0, 1);
}

/* Two-sided limits at 0.001: too even is a failure as well. */
static void assert_chi_square(const uint64_t *count, size_t cells, double low, double high)
{
    double n = 0, sum = 0;
    for (size_t i = 0; i < cells; i++)
        n += (double)count[i];
    double want = n / (double)cells;
    assert_true(want >= 5);
    for (size_t i = 0; i < cells; i++)
        sum += ((double)count[i] - want) * ((double)count[i] - want) / want;
    if (sum < low || sum > high)
        fail_msg("chi-square %g is not in [%g, %g]", sum, low, high);
}

static void random_offsets_are_uniform(void **state)
{
    (void)state;
    enum { POSITIONS = 1024, DRAWS = 1 << 20 };
    struct made m = { .lines = { line(10000, 4096, 10000, 10000) } };
    make(&m, 1, 0, (uint64_t)POSITIONS * 4096);
    uint64_t *all = calloc(POSITIONS, sizeof *all);
    uint64_t two[2] = { 0 }, three[3] = { 0 }, cells[64] = { 0 }, follow[64] = { 0 };
    uint64_t before = 0;
    for (uint32_t i = 0; i < DRAWS; i++) {
        uint64_t start;
        pattern_next(&m.pattern, 0, &start);
        assert_true(start % 4096 == 0 && start < (uint64_t)POSITIONS * 4096);
        uint64_t k = start / 4096;
        all[k]++;
        two[k % 2]++;
        cells[k % 64]++;
        follow[(k / 128) * 8 + before / 128]++;
        before = k;
        if (k < 1023)
            three[k % 3]++;
    }
    assert_chi_square(all, POSITIONS, 888.899083, 1168.497164);
    assert_chi_square(two, 2, 0.000002, 10.827566);
    assert_chi_square(three, 3, 0.002001, 13.815511);
    assert_chi_square(cells, 64, 33.905777, 103.442377);
    assert_chi_square(follow, 64, 33.905777, 103.442377);
    free(all);
    pattern_plan_close(&m.plan);
}

/* The number of starts is no power of two, and the span no multiple of the size. */
static void every_start_that_fits_is_hit_and_no_other(void **state)
{
    (void)state;
    struct made m = { .lines = { line(10000, 12288, 10000, 10000) } };
    make(&m, 1, 5000, 12288 * 11 + 100);
    uint64_t seen[16] = { 0 };
    for (uint32_t i = 0; i < 20000; i++) {
        uint64_t start;
        pattern_next(&m.pattern, 0, &start);
        assert_true(start >= 5000 && start + 12288 <= 5000 + 12288 * 11 + 100);
        assert_true(start % 12288 == 0);
        seen[start / 12288]++;
    }
    assert_int_equal(seen[0], 0);
    assert_chi_square(seen + 1, 10, 1.151950, 27.877165);
    pattern_plan_close(&m.plan);
}

static void align_is_kept_and_may_be_finer_than_the_size(void **state)
{
    (void)state;
    struct made m = { .lines = { line(10000, 65536, 10000, 10000) } };
    m.lines[0].align = 4096;
    make(&m, 1, 0, MIB);
    bool odd = false, last = false;
    for (uint32_t i = 0; i < 20000; i++) {
        uint64_t start;
        pattern_next(&m.pattern, 0, &start);
        assert_true(start % 4096 == 0 && start + 65536 <= MIB);
        odd |= start % 65536 != 0;
        last |= start + 65536 == MIB;
    }
    assert_true(odd && last);
    pattern_plan_close(&m.plan);
}

static void sequential_follows_and_wraps_in_the_span(void **state)
{
    (void)state;
    struct made m = { .lines = { line(10000, 4096, 10000, 0) } };
    make(&m, 1, 8192, 10 * 4096 + 512);
    for (uint32_t i = 0; i < 1000; i++) {
        uint64_t start;
        pattern_next(&m.pattern, i % 2, &start); /* each target has its own stream */
        assert_true(start == 8192 + (uint64_t)(i / 2 % 10) * 4096);
    }
    pattern_plan_close(&m.plan);
}

static void a_stride_leaves_gaps(void **state)
{
    (void)state;
    struct made m = { .lines = { line(10000, 4096, 10000, 0) } };
    m.lines[0].stride = 16384;
    make(&m, 1, 0, 65536);
    static const uint64_t want[] = { 0, 16384, 32768, 49152, 0, 16384 };
    for (size_t i = 0; i < 6; i++) {
        uint64_t start;
        pattern_next(&m.pattern, 0, &start);
        assert_true(start == want[i]);
    }
    pattern_plan_close(&m.plan);
}

/* Sequential I/O of mixed sizes has no holes, unless an alignment was asked for. */
static void mixed_sequential_sizes_touch(void **state)
{
    (void)state;
    for (int aligned = 0; aligned <= 1; aligned++) {
        struct made m = { .lines = { line(5000, 8192, 10000, 0), line(5000, 65536, 10000, 0) } };
        m.lines[1].align = aligned ? 65536 : 0;
        make(&m, 2, 0, 64 * MIB);
        uint64_t next = 0, holes = 0;
        for (uint32_t i = 0; i < 500; i++) {
            uint64_t start;
            const struct way *w = pattern_next(&m.pattern, 0, &start);
            holes += start != next;
            assert_true(start >= next);
            if (w->size == 65536 && aligned)
                assert_true(start % 65536 == 0);
            next = start + w->size;
        }
        assert_true(aligned ? holes > 100 : holes == 0);
        pattern_plan_close(&m.plan);
    }
}

static void an_alignment_that_is_no_power_of_two_holds(void **state)
{
    (void)state;
    struct made m = { .lines = { line(5000, 4096, 10000, 0), line(5000, 512, 10000, 0) } };
    m.lines[0].align = 12288;
    make(&m, 2, 0, MIB);
    for (uint32_t i = 0; i < 5000; i++) {
        uint64_t start;
        const struct way *w = pattern_next(&m.pattern, 0, &start);
        assert_true(start + w->size <= MIB);
        assert_true(w->size == 512 || start % 12288 == 0);
    }
    pattern_plan_close(&m.plan);
}

static void half_random_follows_the_previous_io(void **state)
{
    (void)state;
    struct made m = { .lines = { line(10000, 4096, 10000, 5000) } };
    make(&m, 1, 0, 1024 * MIB);
    uint64_t next = 0, followed = 0;
    for (uint32_t i = 0; i < 100000; i++) {
        uint64_t start;
        const struct way *w = pattern_next(&m.pattern, 0, &start);
        if (!w->random)
            assert_true(start == (next + 4096 > 1024ull * MIB ? 0 : next));
        followed += !w->random;
        next = start + w->size;
    }
    assert_true(followed > 49200 && followed < 50800);
    pattern_plan_close(&m.plan);
}

/* Shares of lines, reads and random starts within the binomial bound at 1e-6, of I/Os and not of bytes. */
static void shares_come_out_as_asked(void **state)
{
    (void)state;
    enum { DRAWS = 1000000 };
    struct made m = { .lines = { line(5000, 8192, 9000, 10000), line(4990, 65536, 6500, 3333),
                                 line(10, 4096, 0, 5000) } };
    make(&m, 3, 0, 256 * MIB);
    assert_int_equal(m.plan.n_tallies, 5);
    uint64_t lines[3] = { 0 }, reads[3] = { 0 }, randoms[3] = { 0 };
    for (uint32_t i = 0; i < DRAWS; i++) {
        uint64_t start;
        const struct way *w = pattern_next(&m.pattern, 0, &start);
        const struct tally_key *k = &m.plan.tallies[w->tally];
        assert_true(k->direction == w->direction && m.lines[k->line].size == w->size);
        lines[k->line]++;
        reads[k->line] += w->direction == DIR_READ;
        randoms[k->line] += w->random;
    }
    for (uint32_t l = 0; l < 3; l++) {
        double n = (double)lines[l], p = m.lines[l].share_bp / 1e4;
        assert_true(fabs(n - DRAWS * p) <= 5 * sqrt(DRAWS * p * (1 - p)) + 1);
        p = m.lines[l].read_bp / 1e4;
        assert_true(fabs((double)reads[l] - n * p) <= 5 * sqrt(n * p * (1 - p)) + 1);
        p = m.lines[l].random_bp / 1e4;
        assert_true(fabs((double)randoms[l] - n * p) <= 5 * sqrt(n * p * (1 - p)) + 1);
    }
    assert_int_equal(reads[2], 0);
    assert_int_equal(randoms[0], lines[0]);
    pattern_plan_close(&m.plan);
}

static void a_line_without_share_is_never_used(void **state)
{
    (void)state;
    struct made m = { .lines = { line(0, 8192, 5000, 5000), line(10000, 4096, 10000, 10000) } };
    make(&m, 2, 0, MIB);
    assert_int_equal(m.plan.n_tallies, 1);
    assert_int_equal(m.plan.n_ways, 1);
    for (uint32_t i = 0; i < 100; i++) {
        uint64_t start;
        assert_int_equal(pattern_next(&m.pattern, 1, &start)->size, 4096);
    }
    pattern_plan_close(&m.plan);
}

static void a_hundred_lines_are_all_found(void **state)
{
    (void)state;
    static struct access_line many[PLAN_MAX_LINES];
    for (uint32_t i = 0; i < PLAN_MAX_LINES; i++)
        many[i] = line(100, 512 * (i + 1), 5000, 5000);
    struct made m = { 0 };
    struct span span = { 0, 64 * MIB };
    struct opened_target target = { .block = 512 };
    m.workload = (struct workload) { "w", "W", many, PLAN_MAX_LINES };
    pattern_plan_open(&m.plan, &m.workload, &span, &target, 1);
    pattern_init(&m.pattern, 7, &m.plan, m.streams, 1);
    assert_int_equal(m.plan.n_ways, 400);
    assert_int_equal(m.plan.n_tallies, 200);
    uint64_t count[200] = { 0 };
    for (uint32_t i = 0; i < 400000; i++) {
        uint64_t start;
        count[pattern_next(&m.pattern, 0, &start)->tally]++;
    }
    for (size_t i = 0; i < 200; i++)
        assert_true(fabs((double)count[i] - 2000) < 5 * sqrt(2000));
    pattern_plan_close(&m.plan);
}

static void streams_of_workers_start_apart(void **state)
{
    (void)state;
    struct made m = { .lines = { line(10000, 65536, 10000, 0) } };
    make(&m, 1, MIB, 16 * MIB);
    for (uint32_t w = 0; w < 4; w++)
        assert_true(pattern_stream_start(&m.plan, 0, w, 4) == MIB + (uint64_t)w * 4 * MIB);
    for (uint32_t w = 0; w < 3; w++)
        assert_true(pattern_stream_start(&m.plan, 0, w, 3) % 65536 == 0);
    pattern_plan_close(&m.plan);
}

static void *take_many(void *arg)
{
    struct pattern *p = arg;
    uint64_t sum = 0;
    for (int i = 0; i < 5000; i++) {
        uint64_t start;
        pattern_next(p, 0, &start);
        sum += start / 4096;
    }
    return (void *)(uintptr_t)sum;
}

/* Threads that make up one worker share its stream: together they read each block once. */
static void threads_share_a_stream(void **state)
{
    (void)state;
    struct made m = { .lines = { line(10000, 4096, 10000, 0) } };
    make(&m, 1, 0, 20000 * 4096);
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    m.streams[0].lock = &lock;
    struct pattern p[4];
    pthread_t thread[4];
    uint64_t sum = 0;
    for (size_t i = 0; i < 4; i++) {
        p[i] = m.pattern;
        pthread_create(&thread[i], NULL, take_many, &p[i]);
    }
    for (size_t i = 0; i < 4; i++) {
        void *part;
        pthread_join(thread[i], &part);
        sum += (uint64_t)(uintptr_t)part;
    }
    assert_true(sum == 20000ull * 19999 / 2);
    assert_true(m.streams[0].next == 20000 * 4096);
    pattern_plan_close(&m.plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_offsets_are_uniform),
        cmocka_unit_test(every_start_that_fits_is_hit_and_no_other),
        cmocka_unit_test(align_is_kept_and_may_be_finer_than_the_size),
        cmocka_unit_test(sequential_follows_and_wraps_in_the_span),
        cmocka_unit_test(a_stride_leaves_gaps),
        cmocka_unit_test(mixed_sequential_sizes_touch),
        cmocka_unit_test(an_alignment_that_is_no_power_of_two_holds),
        cmocka_unit_test(half_random_follows_the_previous_io),
        cmocka_unit_test(shares_come_out_as_asked),
        cmocka_unit_test(a_line_without_share_is_never_used),
        cmocka_unit_test(a_hundred_lines_are_all_found),
        cmocka_unit_test(streams_of_workers_start_apart),
        cmocka_unit_test(threads_share_a_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
