#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"

/* Stands in for libFuzzer: gives every file of the folders named to the target once. Seeds are tests in every build that way. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LIMIT = 16 << 20 };

static int by_name(const struct dirent **x, const struct dirent **y)
{
    return strcmp((*x)->d_name, (*y)->d_name);
}

static size_t replay(const char *folder)
{
    struct dirent **list = NULL;
    size_t done = 0;
    int n = scandir(folder, &list, NULL, by_name);
    for (int i = 0; i < n; i++) {
        struct arena *a = arena_new();
        struct error e = { 0 };
        char *bytes = NULL;
        size_t n_bytes = 0;
        const char *path = arena_printf(a, "%s/%s", folder, list[i]->d_name);
        if (*list[i]->d_name != '.' && !file_read(a, path, LIMIT, &bytes, &n_bytes, &e)) {
            printf("%s\n", path);
            LLVMFuzzerTestOneInput((const uint8_t *)bytes, n_bytes);
            done++;
        }
        arena_free(a);
        free(list[i]);
    }
    free(list);
    return done;
}

int main(int argc, char **argv)
{
    size_t done = 0;
    for (int i = 1; i < argc; i++)
        done += replay(argv[i]);
    printf("%zu seeds\n", done);
    return done > 0 ? 0 : 1;
}
