#pragma once
/* Looking at PDF files in tests, with poppler's tools and qpdf where they are installed. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "unit.h"

static inline bool has_tool(const char *name)
{
    char command[128];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", name);
    return system(command) == 0;
}

static inline void write_pdf(const char *path, const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

/* What a command prints (free with free()); its exit code must be 0. */
static inline char *output_of(const char *command)
{
    FILE *f = popen(command, "r");
    assert_non_null(f);
    size_t n = 0, cap = 1 << 16;
    char *text = malloc(cap);
    assert_non_null(text);
    for (size_t got; (got = fread(text + n, 1, cap - n - 1, f)) > 0;) {
        n += got;
        if (cap - n < 2) {
            text = realloc(text, cap *= 2);
            assert_non_null(text);
        }
    }
    text[n] = '\0';
    int code = pclose(f);
    if (code)
        print_error("%s: exit %d\n%s\n", command, code, text);
    assert_int_equal(code, 0);
    return text;
}

static inline char *tool_output(const char *tool, const char *path, const char *after)
{
    char command[512];
    snprintf(command, sizeof command, "%s '%s' %s 2>/dev/null", tool, path, after);
    return output_of(command);
}

/* Complaints of qpdf fail the test; without qpdf nothing is checked. */
static inline void check_pdf(const char *path)
{
    if (!has_tool("qpdf")) {
        print_message("qpdf is not installed: %s is not checked\n", path);
        return;
    }
    char *text = tool_output("qpdf --check", path, "");
    assert_non_null(strstr(text, "No syntax or stream encoding errors found"));
    free(text);
}

/* The file with its streams unpacked, as text. */
static inline char *unpacked(const char *path)
{
    return tool_output("qpdf --qdf --object-streams=disable", path, "- | tr '\\000' '?'");
}

static inline size_t count_of(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *p = text; (p = strstr(p, what)); p += strlen(what))
        n++;
    return n;
}
