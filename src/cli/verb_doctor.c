#include <errno.h>
#include <jansson.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fmt.h"
#include "base/str.h"
#include "cli/verb.h"
#include "runner/doctor.h"
#include "stats/moment.h"

extern char **environ;

enum { FIO_DEPTH = 8, FIO_ROUNDS = 3, FIO_OUTPUT = 4 << 20 };

/* --- beside fio ---------------------------------------------------------------------------------------------------- */

static int collect(int fd, struct str *out)
{
    char part[4096];
    ssize_t n;
    while ((n = read(fd, part, sizeof part)) > 0 || (n < 0 && errno == EINTR))
        if (n > 0)
            str_putn(out, part, (size_t)n);
    return n < 0 || str_failed(out) ? -1 : 0;
}

/* Runs it; its stdout goes to out. False: it is not there, or failed. */
static bool output_of(const char *const *argv, struct str *out)
{
    int ends[2];
    pid_t pid = 0;
    if (pipe(ends))
        return false;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1, 0);
    int rc = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)(uintptr_t)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    int status = -1;
    if (rc == 0) {
        rc = collect(ends[0], out);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
    }
    close(ends[0]);
    return rc == 0 && status == 0;
}

static bool fio_rate(struct arena *a, const struct doctor_place *p, struct doctor_rate *ret)
{
    const char *const argv[] = { "fio",
                                 "--name=doctor",
                                 "--rw=randread",
                                 "--bs=4k",
                                 "--ioengine=io_uring",
                                 "--readonly",
                                 "--time_based",
                                 "--runtime=1",
                                 "--thread",
                                 "--randseed=1",
                                 "--output-format=json",
                                 "--size=64m",
                                 p->opened->direct ? "--direct=1" : "--direct=0",
                                 arena_printf(a, "--iodepth=%d", FIO_DEPTH),
                                 arena_printf(a, "--filename=/proc/%d/fd/%d", (int)getpid(),
                                              p->opened->fd),
                                 NULL };
    struct str out = str_new(FIO_OUTPUT);
    json_t *j = output_of(argv, &out) ? json_loads(out.at, 0, NULL) : NULL;
    double iops = 0, mean = 0;
    bool ok = j && json_unpack(j, "{s:[{s:{s:F, s:{s:F}}}]}", "jobs", "read", "iops", &iops,
                               "lat_ns", "mean", &mean) == 0;
    json_decref(j);
    str_done(&out);
    *ret = (struct doctor_rate) { .iops = iops, .mean_ns = mean };
    return ok;
}

/* In turn, medians: a real device varies by a tenth from one run to the next. */
static int beside_fio(struct doctor *d, const struct doctor_place *p, struct error *e)
{
    double ours[FIO_ROUNDS], theirs[FIO_ROUNDS];
    struct doctor_finding f = { .part = "folder", .what = "IOPS beside fio, depth 8" };
    for (int i = 0; i < FIO_ROUNDS; i++) {
        const struct doctor_reading reading = { FIO_DEPTH, 1, ENGINE_AUTO };
        struct doctor_rate ours_now, fios_now;
        if (!fio_rate(d->a, p, &fios_now)) {
            f.state = DOCTOR_NOTE;
            f.found = "not compared";
            f.advice = "fio is not installed, or cannot use io_uring.";
            doctor_put(d, &f);
            return 0;
        }
        if (doctor_read(p, &reading, &ours_now, e))
            return -1;
        ours[i] = ours_now.iops;
        theirs[i] = fios_now.iops;
    }
    double mine = median_of(ours, FIO_ROUNDS), fios = median_of(theirs, FIO_ROUNDS);
    double ratio = mine / fios;
    f.state = ratio > 0.9 ? DOCTOR_GOOD : DOCTOR_NOTE;
    f.found = arena_printf(d->a, "%s, fio %s (%s)", fmt_table_iops(mine).s, fmt_table_iops(fios).s,
                           fmt_ratio(ratio).s);
    if (f.state != DOCTOR_GOOD)
        f.advice = "fio reached more than a tenth more: try again on an idle machine, and tell us "
                   "if it stays.";
    doctor_put(d, &f);
    return 0;
}

/* --- the verb ------------------------------------------------------------------------------------------------------ */

static int examine_folder(struct doctor *d, const char *folder, struct error *e)
{
    struct doctor_place p;
    if (doctor_place_open(d->a, folder, &p, e))
        return -1;
    int rc = doctor_folder(d, &p, e);
    if (rc == 0)
        rc = beside_fio(d, &p, e);
    doctor_place_close(&p);
    return rc;
}

static void print_text(const struct doctor *d, size_t bad)
{
    const char *part = "";
    for (size_t i = 0; i < d->list.n; i++) {
        const struct doctor_finding *f = &d->list.at[i];
        if (strcmp(part, f->part) != 0)
            printf("%s%s\n", i ? "\n" : "", f->part);
        part = f->part;
        printf("  %-4s  %s: %s\n", doctor_state_name(f->state), f->what, f->found);
        if (f->advice)
            printf("        %s\n", f->advice);
    }
    puts(bad ? "\nSomething is wrong: see above." : "\nqdepth measures truly on this machine.");
}

static void print_json(const struct doctor *d, size_t bad)
{
    json_t *list = json_array();
    for (size_t i = 0; i < d->list.n; i++) {
        const struct doctor_finding *f = &d->list.at[i];
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:s?}", "part", f->part,
                                              "state", doctor_state_name(f->state), "what", f->what,
                                              "found", f->found, "advice", f->advice));
    }
    json_t *doc = json_pack("{s:i, s:b, s:o}", "schema", 1, "ok", bad == 0, "findings", list);
    char *text = json_dumps(doc, JSON_INDENT(1));
    puts(text);
    free(text);
    json_decref(doc);
}

int verb_doctor(struct command *c, struct error *e)
{
    struct doctor d = { .a = c->arena };
    size_t bad = 0;
    doctor_machine(&d);
    int rc = doctor_answers(&d, e);
    if (rc == 0)
        rc = examine_folder(&d, c->n_args ? c->args[0] : ".", e);
    for (size_t i = 0; i < d.list.n; i++)
        bad += d.list.at[i].state == DOCTOR_BAD;
    if (rc == 0 && opt_has(c, OPT_JSON))
        print_json(&d, bad);
    else if (rc == 0)
        print_text(&d, bad);
    array_free(&d.list);
    return rc ? rc : bad != 0;
}
