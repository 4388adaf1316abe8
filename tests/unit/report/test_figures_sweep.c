#include "help.h"
#include "report/doc.h"
#include "report/figures_sweep.h"

/* Figures of sweeps: where they appear, what they say, and that they keep out of reports that have nothing of the kind. */

/* One workload in six variants: 100 % and 50 % reads at 4, 16 and 64 KiB, each at queue depths 1 and 4. */
enum { VARIANTS = 6 };
static const struct access_line lines[VARIANTS] = {
    { .share_bp = 10000, .size = 4096, .read_bp = 10000, .random_bp = 10000 },
    { .share_bp = 10000, .size = 16384, .read_bp = 10000, .random_bp = 10000 },
    { .share_bp = 10000, .size = 65536, .read_bp = 10000, .random_bp = 10000 },
    { .share_bp = 10000, .size = 4096, .read_bp = 5000, .random_bp = 10000 },
    { .share_bp = 10000, .size = 16384, .read_bp = 5000, .random_bp = 10000 },
    { .share_bp = 10000, .size = 65536, .read_bp = 5000, .random_bp = 10000 },
};

/* Two sizes, two mixes, in order and at random. */
enum { PLACED = 8 };
static const struct access_line placed[PLACED] = {
    { .share_bp = 10000, .size = 4096, .read_bp = 10000, .random_bp = 10000 },
    { .share_bp = 10000, .size = 16384, .read_bp = 10000, .random_bp = 10000 },
    { .share_bp = 10000, .size = 4096, .read_bp = 5000, .random_bp = 10000 },
    { .share_bp = 10000, .size = 16384, .read_bp = 5000, .random_bp = 10000 },
    { .share_bp = 10000, .size = 4096, .read_bp = 10000 },
    { .share_bp = 10000, .size = 16384, .read_bp = 10000 },
    { .share_bp = 10000, .size = 4096, .read_bp = 5000 },
    { .share_bp = 10000, .size = 16384, .read_bp = 5000 },
};

struct swept {
    struct store *s;
    struct arena *a;
    struct report_data d;
};

static struct swept swept_over(const char *name, const struct access_line *at, uint32_t n_variants,
                               uint32_t repeat)
{
    static struct workload workloads[PLACED];
    static struct given_cell cells[PLACED * 2 * 2];
    static const char *const names[] = { "Alpha", "Beta" };
    size_t n = 0;
    for (uint32_t w = 0; w < n_variants; w++)
        workloads[w] = (struct workload) { "mix", "Mixed", &at[w], 1 };
    for (uint32_t t = 0; t < 2; t++)
        for (uint32_t w = 0; w < n_variants; w++)
            for (uint32_t q = 1; q <= 4; q += 3) {
                double iops = 1000.0 * q * (t + 1) / (w + 1);
                cells[n++] = (struct given_cell) { .target = t,
                                                   .workload = w,
                                                   .queue_depth = q,
                                                   .iops = { iops, iops * 1.1, iops * 0.9 } };
            }
    struct given_run g = { .names = names,
                           .n_targets = 2,
                           .workloads = workloads,
                           .n_workloads = n_variants,
                           .cells = cells,
                           .n_cells = (uint32_t)n,
                           .repeat = repeat };
    struct swept x = { .s = given_store(name, &g), .a = arena_new() };
    x.d = load(x.s, x.a, &(struct report_options) { 0 });
    return x;
}

static struct swept swept(const char *name, uint32_t repeat)
{
    return swept_over(name, lines, VARIANTS, repeat);
}

static void done(struct swept *x)
{
    arena_free(x->a);
    store_close(x->s);
}

static const char *alt_of(struct arena *a, const struct figure *f, size_t panel)
{
    struct look look = { .medium = MEDIUM_PRINT, .width = 320 };
    return scene_alt(panel_draw(f->panels[panel], a, &look));
}

static void variants_make_one_table_and_lines_over_size(void **state)
{
    (void)state;
    struct swept x = swept("sweep-mix", 1);
    assert_int_equal(x.d.n_workloads, VARIANTS);
    size_t mixes = 0, sizes = 0;
    for (size_t w = 0; w < x.d.n_workloads; w++) {
        mixes += figure_mix(x.a, &x.d, &x.d.workloads[w]) != NULL;
        sizes += figure_sizes(x.a, &x.d, &x.d.workloads[w]) != NULL;
        assert_null(figure_grid(x.a, &x.d, &x.d.workloads[w]));
    }
    assert_int_equal(mixes, 1);
    assert_int_equal(sizes, 2); /* all reads, and half writes */
    const struct figure *f = figure_mix(x.a, &x.d, &x.d.workloads[0]);
    assert_string_equal(f->title, "Mixed, reads by transfer size, queue depth 4");
    assert_int_equal(f->n_panels, 2);
    has_text(alt_of(x.a, f, 0), "best 4,000\u00a0IOPS at 100\u00a0% and 4\u00a0KiB");
    has_text(alt_of(x.a, f, 1), "best 8,000\u00a0IOPS at 100\u00a0% and 4\u00a0KiB");
    assert_int_equal(f->data->n_columns, 4);
    assert_int_equal(f->data->n_rows, 2 * 3);
    const struct figure *s = figure_sizes(x.a, &x.d, &x.d.workloads[0]);
    assert_string_equal(s->title, "Mixed, 100\u00a0% reads, over transfer size");
    assert_int_equal(s->data->n_rows, 3);
    assert_string_equal(s->data->rows[2].cells[0].text, "64\u00a0KiB");
    has_text(alt_of(x.a, s, 1), "Alpha from 4,000\u00a0IOPS to 1,330\u00a0IOPS");
    done(&x);
}

static void variants_are_told_apart(void **state)
{
    (void)state;
    struct swept x = swept("sweep-names", 1);
    assert_string_equal(x.d.workloads[0].title, "Mixed, 4\u00a0KiB, 100\u00a0% reads");
    for (size_t w = 0; w < x.d.n_workloads; w++)
        for (size_t k = 0; k < w; k++)
            assert_string_not_equal(x.d.workloads[w].title, x.d.workloads[k].title);
    done(&x);
}

/* What is read in order is no cell of the table of what is read at random. */
static void random_and_sequential_keep_apart(void **state)
{
    (void)state;
    struct swept x = swept_over("sweep-places", placed, PLACED, 1);
    assert_int_equal(x.d.n_workloads, PLACED);
    const struct figure *found[PLACED];
    size_t n = 0;
    for (size_t w = 0; w < x.d.n_workloads; w++) {
        const struct figure *f = figure_mix(x.a, &x.d, &x.d.workloads[w]);
        if (f)
            found[n++] = f;
    }
    assert_int_equal(n, 2);
    has_text(found[0]->title, "Mixed, 100\u00a0% random, reads by");
    has_text(found[1]->title, "Mixed, 0\u00a0% random, reads by");
    has_text(alt_of(x.a, found[0], 0), "best 4,000\u00a0IOPS");
    has_text(alt_of(x.a, found[1], 0), "best 800\u00a0IOPS");
    done(&x);
}

static void change_needs_two_targets(void **state)
{
    (void)state;
    struct swept x = swept("sweep-change", 1);
    const struct figure *f = figure_change(x.a, &x.d, &x.d.workloads[0]);
    assert_non_null(f);
    has_text(rich_plain(&f->caption, x.a), "before (Beta)");
    has_text(alt_of(x.a, f, 0), "queue depth 1: ");
    done(&x);
    struct given_run g = given_seed();
    struct swept three = { .s = given_store("sweep-three", &g), .a = arena_new() };
    three.d = load(three.s, three.a, &(struct report_options) { 0 });
    assert_null(figure_change(three.a, &three.d, &three.d.workloads[0]));
    assert_null(figure_mix(three.a, &three.d, &three.d.workloads[0]));
    assert_null(figure_sizes(three.a, &three.d, &three.d.workloads[0]));
    const struct figure *c = figure_columns(three.a, &three.d, &three.d.workloads[1]);
    assert_int_equal(c->n_panels, 2);
    has_text(alt_of(three.a, c, 0), "RAID 10, 12 × 7200 rpm not measured");
    done(&three);
}

static void repeats_are_dots(void **state)
{
    (void)state;
    struct swept x = swept("sweep-once", 1);
    assert_null(figure_repeats(x.a, &x.d, &x.d.points[0]));
    done(&x);
    x = swept("sweep-thrice", 3);
    const struct figure *f = figure_repeats(x.a, &x.d, &x.d.points[0]);
    assert_int_equal(f->data->n_rows, 3);
    assert_string_equal(f->data->rows[1].cells[1].text, "1,100");
    struct look look = { .medium = MEDIUM_SCREEN, .width = 384 };
    const struct scene *s = panel_draw(f->panels[0], x.a, &look);
    struct error e;
    must(scene_check(s, &e), &e);
    has_text(scene_alt(s), "Alpha 1,000\u00a0IOPS");
    done(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variants_make_one_table_and_lines_over_size),
        cmocka_unit_test(variants_are_told_apart),
        cmocka_unit_test(random_and_sequential_keep_apart),
        cmocka_unit_test(change_needs_two_targets),
        cmocka_unit_test(repeats_are_dots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
