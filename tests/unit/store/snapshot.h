#pragma once
#include <dirent.h>
#include <sha2.h>
#include <stdlib.h>

#include "help.h"

/* Every file of a folder with its size, time of change and hash: equal text, nothing was touched. In the arena. */
static inline const char *snapshot(struct arena *a, const char *dir)
{
    struct dirent **names;
    int n = scandir(dir, &names, NULL, alphasort);
    assert_true(n >= 0);
    const char *text = "";
    for (int i = 0; i < n; i++) {
        char path[600], hex[SHA256_DIGEST_STRING_LENGTH] = "";
        snprintf(path, sizeof path, "%s/%s", dir, names[i]->d_name);
        struct stat st;
        assert_int_equal(stat(path, &st), 0);
        if (S_ISREG(st.st_mode)) {
            assert_non_null(SHA256File(path, hex));
            text = arena_printf(a, "%s%s %lld %lld.%09ld %s\n", text, names[i]->d_name,
                                (long long)st.st_size, (long long)st.st_mtim.tv_sec,
                                st.st_mtim.tv_nsec, hex);
        }
        free(names[i]);
    }
    free(names);
    return text;
}

/* An empty folder below own_dir. */
static inline const char *fresh_dir(struct arena *a, const char *name)
{
    struct error e;
    const char *dir = arena_printf(a, "%s/%s", own_dir(), name);
    must(file_mkdirs(dir, &e), &e);
    struct dirent **names;
    int n = scandir(dir, &names, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        unlink(arena_printf(a, "%s/%s", dir, names[i]->d_name));
        free(names[i]);
    }
    free(names);
    return dir;
}

/* Everything a report asks of a store, once. */
static inline void read_all(const char *path)
{
    struct arena *a = arena_new();
    struct store *s = open_store(path, STORE_READ);
    struct error e;
    struct run_row *runs;
    size_t n_runs, n;
    must(store_runs(s, a, &runs, &n_runs, &e), &e);
    for (size_t i = 0; i < n_runs; i++) {
        struct cell_row *cells;
        struct result_row *results;
        struct series_row *series;
        const char *hash;
        must(store_cells(s, a, runs[i].id, &cells, &n, &e), &e);
        if (n)
            must(store_series(s, a, cells[0].id, DIR_ALL, &series, &n, &e), &e);
        must(store_results(s, a, runs[i].id, &results, &n, &e), &e);
        must(store_data_hash(s, a, runs[i].id, &hash, &e), &e);
    }
    store_close(s);
    arena_free(a);
}
