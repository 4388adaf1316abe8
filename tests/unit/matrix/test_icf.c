#include "foreign.h"

#define SETUP(type)                                                                                \
    "Version 1.1.0\n'TEST SETUP ====\n'Test Description\n\tA & B <test>\n'Run Time\n"              \
    "'\thours      minutes    seconds\n\t0          1          30\n'Ramp Up Time (s)\n\t5\n"       \
    "'Default Disk Workers to Spawn\n\tNUMBER_OF_CPUS\n'Record Results\n\tALL\n"                   \
    "'Worker Cycling\n'\tstart      step       step type\n\t1          1          LINEAR\n"        \
    "'Disk Cycling\n'\tstart      step       step type\n\t1          1          LINEAR\n"          \
    "'Queue Depth Cycling\n'\tstart      end        step       step type\n"                        \
    "\t1          32         2          EXPONENTIAL\n'Test Type\n\t" type "\n'END test setup\n"
#define SPECS                                                                                      \
    "'ACCESS SPECIFICATIONS ====\n'Access specification name,default assignment\n"                 \
    "\tOLTP Heavy Read,NONE\n'size,% of size,% reads,% random,delay,burst,align,reply\n"           \
    "\t8192,50,90,100,0,1,0,0\n\t65536,50,90,100,0,1,0,0\n"                                        \
    "'Access specification name,default assignment\n\t4 KiB; 100% Read, random,NONE\n"             \
    "'size,% of size,% reads,% random,delay,burst,align,reply\n\t4096,100,100,100,0,1,4096,0\n"    \
    "'END access specifications\n"
#define WORKER(name, depth, specs, targets)                                                        \
    "'Worker\n\t" name "\n'Worker type\n\tDISK\n'Default target settings for worker\n"             \
    "'Number of outstanding IOs,test connection rate,transactions per connection,use fixed "       \
    "seed,fixed seed value\n\t" depth ",DISABLED,1,ENABLED,77\n"                                   \
    "'Disk maximum size,starting sector,Data pattern\n\t0,0,2\n"                                   \
    "'End default target settings for worker\n'Assigned access specs\n" specs                      \
    "'End assigned access specs\n'Target assignments\n" targets "'End target assignments\n"        \
    "'End worker\n"
#define TARGET(name) "'Target\n\t" name "\n'Target type\n\tDISK\n'End target\n"
#define MANAGER(workers)                                                                           \
    "'MANAGER LIST ====\n'Manager ID, manager name\n\t1,HOST\n'Manager network "                   \
    "address\n\t\n" workers "'End manager\n'END manager list\nVersion 1.1.0 \n"
#define BOTH "\tOLTP Heavy Read\n\t4 KiB; 100% Read, random\n"

static void carries_everything_over(void **state)
{
    struct plan p;
    struct matrix *m = foreign(*state, "My test.icf",
                               SETUP("NORMAL")
                                   SPECS MANAGER(WORKER("W1", "16", BOTH, TARGET("C:"))
                                                     WORKER("W2", "16", BOTH, TARGET("C:"))),
                               &p);
    assert_string_equal(matrix_source(m), "Iometer configuration");
    assert_string_equal(matrix_title(m), "A & B <test>");
    assert_int_equal(p.n_cells, 2);
    assert_int_equal(p.seed, 77);
    const struct workload *w = &p.workloads[0];
    assert_string_equal(w->id, "oltp-heavy-read");
    assert_string_equal(w->title, "OLTP Heavy Read");
    assert_int_equal(w->n_lines, 2);
    assert_int_equal(w->lines[1].size, 65536);
    assert_int_equal(w->lines[1].share_bp, 5000);
    assert_int_equal(w->lines[1].read_bp, 9000);
    assert_int_equal(w->lines[1].random_bp, 10000);
    /* one line is named as everywhere, so that it lines up */
    assert_string_equal(p.workloads[1].id, "random-read-4k");
    assert_string_equal(p.workloads[1].title, "4 KiB; 100% Read, random");
    const struct cell *c = &p.cells[0];
    assert_int_equal(c->queue_depth, 16);
    assert_int_equal(c->workers, 2);
    assert_true(c->duration_ns == UINT64_C(90000000000) && c->ramp_ns == UINT64_C(5000000000));
    assert_true(c->direct);
    assert_int_equal(c->fill.kind, FILL_RANDOM);
    assert_left_out(m, "align 0");
    assert_left_out(m, "target 'HOST: C:'");
    assert_non_null(strstr(p.method, "Not carried over"));
    assert_string_equal(matrix_kept(m)[0], "access specification 'OLTP Heavy Read' (line 28)");
}

static void cycles_queue_depths(void **state)
{
    struct plan p;
    foreign(*state, "a.icf",
            SETUP("CYCLE_OUTSTANDING_IOS")
                SPECS MANAGER(WORKER("W1", "1", "\tOLTP Heavy Read\n", TARGET("C:"))),
            &p);
    static const uint32_t depths[] = { 1, 2, 4, 8, 16, 32 };
    assert_int_equal(p.n_cells, 6);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(p.cells[i].queue_depth, depths[i]);
}

static void cycles_workers_and_says_targets(void **state)
{
    struct plan p;
    struct matrix *m = foreign(*state, "a.icf",
                               SETUP("CYCLE_WORKERS_AND_TARGETS")
                                   SPECS MANAGER(WORKER("W1", "4", BOTH, TARGET("C:") TARGET("D:"))
                                                     WORKER("W2", "4", BOTH, TARGET("C:"))
                                                         WORKER("W3", "8", BOTH, TARGET("C:"))),
                               &p);
    assert_int_equal(p.n_cells, 6);
    assert_int_equal(p.cells[0].workers, 1);
    assert_int_equal(p.cells[2].workers, 3);
    assert_int_equal(p.cells[0].queue_depth, 8);
    assert_left_out(m, "CYCLE_WORKERS_AND_TARGETS");
    assert_left_out(m, "'W1' drives 2 targets at once");
    assert_left_out(m, "different numbers of outstanding I/Os");
}

/* Only specifications, an old version, no managers. */
static void minimal_old_file(void **state)
{
    struct plan p;
    struct matrix *m = foreign(*state, "a.icf",
                               "Version 1998.10.08 \r\n'ACCESS SPECIFICATIONS ==\r\n"
                               "'Access specification name,default assignment\r\n  Log,0\r\n"
                               "'size,% of size,% reads,% random,delay,burst,align,reply\r\n"
                               "  64K 100 0 0 0 1 0 0\r\n'END access specifications\r\n",
                               &p);
    assert_int_equal(p.n_cells, 1);
    assert_string_equal(p.workloads[0].id, "sequential-write-64k");
    assert_left_out(m, "no run time");
    assert_true(plan_cost(&p).writes);
}

static void unassigned_and_impossible_are_listed(void **state)
{
    struct plan p;
    struct matrix *m = foreign(
        *state, "a.icf",
        SETUP("NORMAL") SPECS MANAGER(WORKER("W1", "1", "\tOLTP Heavy Read\n", TARGET("C:"))), &p);
    assert_int_equal(p.n_cells, 1);
    assert_left_out(m, "'4 KiB; 100% Read, random' is assigned to no worker");
    m = foreign(
        *state, "a.icf",
        "Version 1.1.0\n'Access specification name,default assignment\n\tA,NONE\n"
        "'size,% of size,% reads,% random,delay,burst,align,reply\n\t4096,100,100,0,0,1,0,512\n"
        "'Access specification name,default assignment\n\tB,NONE\n"
        "'size,% of size,% reads,% random,delay,burst,align,reply\n\t1000,100,100,0,0,1,0,0\n",
        &p);
    assert_int_equal(p.n_workloads, 1);
    assert_left_out(m, "line 5: reply of 512 bytes");
    assert_left_out(m, "'B': its size of 1000 bytes");
}

static void broken_files_name_their_line(void **state)
{
    foreign_fails(*state, "Version 1.1.0\n", 0, "no access specification");
    foreign_fails(*state,
                  "Version 1.1.0\n'Access specification name,default assignment\n\tA,NONE\n"
                  "'size,% of size\n\t4096,50,100,0,0,1,0,0\n",
                  3, "sum to 50: expected exactly 100");
    foreign_fails(*state,
                  "Version 1.1.0\n'Access specification name,default assignment\n\tA,NONE\n"
                  "'size,% of size\n\t4096,100,101,0,0,1,0,0\n",
                  5, "over 100");
    foreign_fails(*state, "Version 1.1.0\n'Run Time\n\t1 2\n", 3, "hours, minutes and seconds");
    foreign_fails(*state,
                  SETUP("NORMAL") SPECS MANAGER(WORKER("W", "1", "\tNo such\n", TARGET("C:"))), 53,
                  "'No such', which is no access specification");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(carries_everything_over, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(cycles_queue_depths, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(cycles_workers_and_says_targets, setup_arena,
                                        teardown_arena),
        cmocka_unit_test_setup_teardown(minimal_old_file, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(unassigned_and_impossible_are_listed, setup_arena,
                                        teardown_arena),
        cmocka_unit_test_setup_teardown(broken_files_name_their_line, setup_arena, teardown_arena),
    };
    return cmocka_run_group_tests_name("matrix/icf", tests, NULL, NULL);
}
