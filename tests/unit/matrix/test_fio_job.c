#include "foreign.h"

#include <stdlib.h>

static void maps_the_usual_options(void **state)
{
    struct plan p;
    struct matrix *m = foreign(*state, "j.fio",
                               "; a comment\n# another\n[global]\nioengine=libaio\ndirect=1\n"
                               "runtime=30s\ntime_based\nramp_time=2\nnorandommap\n[rand-read]\n"
                               "description=Random reads\nrw=randread\nbs=4k\niodepth=32\n"
                               "numjobs=4\n\n[mix]\nstonewall\nreadwrite=randrw\nrwmixread=70\n"
                               "bs=8k,64k\niodepth=8 ; deep\n[seq]\nstonewall\nrw=write\nbs=1m\n"
                               "runtime=5m\n",
                               &p);
    assert_string_equal(matrix_source(m), "fio job file");
    assert_int_equal(p.n_cells, 3);
    assert_string_equal(p.workloads[0].id, "random-read-4k");
    assert_string_equal(p.workloads[0].title, "Random reads");
    assert_int_equal(p.cells[0].queue_depth, 32);
    assert_int_equal(p.cells[0].workers, 4);
    assert_true(p.cells[0].duration_ns == UINT64_C(30000000000));
    assert_true(p.cells[0].ramp_ns == UINT64_C(2000000000));
    assert_true(p.cells[0].direct);
    const struct workload *w = &p.workloads[1];
    assert_string_equal(w->title, "mix");
    assert_int_equal(w->n_lines, 2);
    assert_int_equal(w->lines[0].share_bp, 7000);
    assert_int_equal(w->lines[0].read_bp, 10000);
    assert_int_equal(w->lines[0].size, 8192);
    assert_int_equal(w->lines[1].share_bp, 3000);
    assert_int_equal(w->lines[1].read_bp, 0);
    assert_int_equal(w->lines[1].size, 65536);
    assert_string_equal(p.workloads[2].id, "sequential-write-1m");
    assert_true(p.cells[2].duration_ns == UINT64_C(300000000000));
    assert_null(matrix_left_out(m)[0]);
    assert_string_equal(matrix_kept(m)[2],
                        "job 'seq' (line 23): ioengine=libaio direct=1 runtime=5m time_based "
                        "ramp_time=2 stonewall rw=write bs=1m");
}

static void splits_sizes(void **state)
{
    struct plan p;
    foreign(*state, "j.fio",
            "[a]\nrw=randrw\nrwmixread=40\nbssplit=512/4:1024/1:4k/67:8k/:64k/\niodepth=256\n"
            "ioengine=io_uring\ndirect=1\nruntime=1\ntime_based=1\n",
            &p);
    const struct workload *w = &p.workloads[0];
    assert_int_equal(w->n_lines, 5);
    assert_int_equal(w->lines[2].share_bp, 6700);
    assert_int_equal(w->lines[2].read_bp, 4000);
    assert_int_equal(w->lines[3].share_bp, 1400);
    assert_int_equal(w->lines[4].share_bp, 1400);
    assert_int_equal(p.cells[0].queue_depth, 256);
}

static void lists_what_does_not_map(void **state)
{
    struct plan p;
    struct matrix *m = foreign(*state, "j.fio",
                               "[global]\nfilename=/dev/sda\nsize=10g\n[a]\nrw=read\niodepth=4\n"
                               "verify=md5\n[b]\nrw=randread\nbsrange=1k-4k\n[c]\nrw=randread:8\n"
                               "numjobs=2\nioengine=rbd\nrandom_distribution=zipf:1.1\n",
                               &p);
    assert_int_equal(p.n_workloads, 2);
    assert_left_out(m, "line 2: filename=/dev/sda: name the target");
    assert_left_out(m, "line 3: size=10g");
    assert_left_out(m, "line 6: job 'a': iodepth=4: fio's psync engine does one I/O at a time");
    assert_left_out(m, "line 7: verify=md5");
    assert_left_out(m, "line 10: job 'b': bsrange");
    assert_left_out(m, "line 12: job 'c': the steps of rw=randread:8");
    assert_left_out(m, "line 14: job 'c': ioengine=rbd");
    assert_left_out(m, "job 'a' has no runtime");
    assert_left_out(m, "run at the same time in fio");
    assert_int_equal(p.cells[0].queue_depth, 1);
}

/* fio's default is buffered. */
static void direct_only_where_asked(void **state)
{
    struct plan p;
    foreign(*state, "j.fio", "[a]\nrw=read\n[b]\nrw=read\nbuffered=0\n", &p);
    assert_false(p.cells[0].direct);
    assert_true(p.cells[1].direct);
}

static void variables_come_from_the_environment(void **state)
{
    struct plan p;
    setenv("QD_TEST_BS", "16k", 1);
    unsetenv("QD_TEST_NONE");
    foreign(*state, "j.fio", "[a]\nrw=randread\nbs=${QD_TEST_BS}\n", &p);
    assert_int_equal(p.workloads[0].lines[0].size, 16384);
    foreign_fails(*state, "[a]\nrw=${QD_TEST_NONE}\n", 2, "${QD_TEST_NONE} is not set");
}

static void broken_files_name_their_line(void **state)
{
    foreign_fails(*state, "[global]\nbs=4k\n", 0, "no [job]");
    foreign_fails(*state, "[a\nbs=4k\n", 1, "ends in ]");
    foreign_fails(*state, "[a]\nrw=randtrimwrite\n", 0, "nothing in this fio job file");
    foreign_fails(*state, "[a]\nrw=read\nbs=x\n", 0, "bs=x cannot be read");
    foreign_fails(*state, "[a]\nrw=read\niodepth=5000\n", 0, "iodepth is not from 1 to 1024");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(maps_the_usual_options, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(splits_sizes, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(lists_what_does_not_map, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(direct_only_where_asked, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(variables_come_from_the_environment, setup_arena,
                                        teardown_arena),
        cmocka_unit_test_setup_teardown(broken_files_name_their_line, setup_arena, teardown_arena),
    };
    return cmocka_run_group_tests_name("matrix/fio_job", tests, NULL, NULL);
}
