/* qdepth's engine alone, for bench/engine: measures one cell on a file that exists and prints one line of key=value. Everything
 * a run records (histograms, intervals, batches, samples) is on; the sink throws it away.
 *
 *   engine FILE [qd=32] [workers=1] [seconds=2] [size=4096[,65536]] [read=100] [engine=io_uring] [direct=1]
 *
 * engine=bare: random 4 KiB reads by nothing but clock, pread, clock, to compare the sync engine with. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/parse.h"
#include "base/rng.h"
#include "engine/engine.h"

struct options {
    uint64_t qd, workers, read, direct;
    uint64_t size[2];
    double seconds;
    enum engine_choice engine;
    bool bare;
};

static int set_option(struct options *o, const char *text, struct error *e)
{
    const char *value = strchr(text, '=');
    if (!value++)
        return error_set(e, QD_E_USAGE, "not an option: '%s'", text);
    if (strncmp(text, "qd=", 3) == 0)
        return parse_u64(value, &o->qd, e);
    if (strncmp(text, "workers=", 8) == 0)
        return parse_u64(value, &o->workers, e);
    if (strncmp(text, "read=", 5) == 0)
        return parse_u64(value, &o->read, e);
    if (strncmp(text, "direct=", 7) == 0)
        return parse_u64(value, &o->direct, e);
    if (strncmp(text, "seconds=", 8) == 0)
        return parse_double(value, &o->seconds, e);
    if (strncmp(text, "engine=", 7) == 0) {
        o->bare = strcmp(value, "bare") == 0;
        o->engine = strcmp(value, "sync") == 0 ? ENGINE_SYNC : ENGINE_IO_URING;
        return 0;
    }
    char part[32];
    for (int i = 0; i < 2 && parse_next(&value, part, sizeof part); i++)
        if (parse_u64(part, &o->size[i], e) != 0)
            return -1;
    return 0;
}

static void print_result(const struct cell_result *r)
{
    uint64_t ios = 0, errors = 0;
    double lat = 0, seconds = (double)r->measured_ns / 1e9;
    for (int d = 0; d < DIR_COUNT; d++) {
        ios += r->dir[d].ios;
        errors += r->dir[d].errors;
        lat += (double)r->dir[d].lat.sum;
    }
    double n = ios ? (double)ios : 1;
    printf("ios=%llu iops=%.0f user_ns=%.1f system_ns=%.1f mean_us=%.3f little=%.4f depth=%.3f "
           "busy=%.4f errors=%llu\n",
           (unsigned long long)ios, (double)ios / seconds, (double)r->cpu_user_ns / n,
           (double)r->cpu_system_ns / n, lat / n / 1e3, lat / 1e9 / seconds, r->achieved_depth,
           r->worker_busy, (unsigned long long)errors);
}

static int measure(const char *path, const struct options *o, struct error *e)
{
    bool writes = o->read < 100;
    int fd = open(path, (writes ? O_RDWR : O_RDONLY) | (o->direct ? O_DIRECT : 0) | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0)
        return error_set(e, QD_E_IO, "cannot open '%s'", path);
    const struct opened_target target = { .fd = fd,
                                          .writable = writes,
                                          .direct = o->direct != 0,
                                          .nowait = true,
                                          .name = path,
                                          .size = (uint64_t)st.st_size,
                                          .block = o->direct ? 512 : 1,
                                          .memory_align = 512 };
    struct access_line lines[2];
    uint32_t n_lines = o->size[1] ? 2 : 1;
    for (uint32_t i = 0; i < n_lines; i++)
        lines[i] = (struct access_line) { .share_bp = 10000 / n_lines,
                                          .size = (uint32_t)o->size[i],
                                          .read_bp = (uint32_t)o->read * 100,
                                          .random_bp = 10000,
                                          .burst = 1 };
    const struct workload w = { "bench", "bench", lines, n_lines };
    const struct cell cell = { .queue_depth = (uint32_t)o->qd,
                               .workers = (uint32_t)o->workers,
                               .duration_ns = (uint64_t)(o->seconds * 1e9),
                               .interval_ns = 1000000000,
                               .direct = o->direct != 0,
                               .seed = 1 };
    const struct engine_job job = { &cell, &w, &target, 1, o->engine, NULL };
    struct cell_result r;
    struct engine *g = NULL;
    int rc = engine_open(&job, &g, e);
    if (rc == 0)
        rc = engine_measure_only(g, NULL, NULL, &r, e);
    if (rc == 0)
        print_result(&r);
    engine_close(g);
    close(fd);
    return rc;
}

static int bare(const char *path, const struct options *o, struct error *e)
{
    int fd = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
    struct stat st;
    void *buffer = aligned_alloc(4096, 4096);
    if (fd < 0 || fstat(fd, &st) != 0 || !buffer)
        return error_set(e, QD_E_IO, "cannot open '%s'", path);
    struct rng rng = rng_seed(1);
    uint64_t n = 0, sum = 0, start = clock_mono_ns(), now = start;
    uint64_t end = start + (uint64_t)(o->seconds * 1e9), blocks = (uint64_t)st.st_size / 4096;
    for (; now < end; n++) {
        off_t at = (off_t)(rng_below(&rng, blocks) * 4096);
        uint64_t before = clock_mono_ns();
        if (pread(fd, buffer, 4096, at) != 4096)
            return error_set(e, QD_E_IO, "cannot read '%s'", path);
        now = clock_mono_ns();
        sum += now - before;
    }
    printf("ios=%llu iops=%.0f user_ns=0 system_ns=0 mean_us=%.3f\n", (unsigned long long)n,
           (double)n * 1e9 / (double)(now - start), (double)sum / (double)n / 1e3);
    free(buffer);
    close(fd);
    return 0;
}

int main(int argc, char **argv)
{
    struct options o = { 32, 1, 100, 1, { 4096, 0 }, 2, ENGINE_IO_URING, false };
    struct error e = { 0 };
    for (int i = 2; i < argc; i++)
        if (set_option(&o, argv[i], &e) != 0) {
            fprintf(stderr, "%s\n", e.what);
            return 2;
        }
    if (argc < 2 || (o.bare ? bare : measure)(argv[1], &o, &e) != 0) {
        fprintf(stderr, "%s\n", argc < 2 ? "usage: engine FILE [name=value]..." : e.what);
        return 1;
    }
    return 0;
}
