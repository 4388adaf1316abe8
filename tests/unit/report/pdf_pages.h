#pragma once
/* A document written as PDF, and the text of its pages in the order in which it stands in the file. */
#include "pdf_tools.h"
#include "report/pdf.h"

struct pages {
    char path[256];
    char *all; /* pages separated by form feeds */
    char **at;
    size_t n;
};

/* Tests of the text need poppler and qpdf. */
static inline void need_tools(void)
{
    if (has_tool("pdftotext") && has_tool("pdfinfo") && has_tool("qpdf"))
        return;
    print_message("pdftotext, pdfinfo or qpdf is not installed\n");
    skip();
}

static inline void pages_free(struct pages *p)
{
    for (size_t i = 0; i < p->n; i++)
        free(p->at[i]);
    free(p->at);
    free(p->all);
    *p = (struct pages) { 0 };
}

static inline void split_pages(struct pages *p)
{
    p->n = count_of(p->all, "\f");
    p->at = calloc(p->n + 1, sizeof *p->at);
    assert_non_null(p->at);
    const char *from = p->all;
    for (size_t i = 0; i < p->n; i++) {
        size_t n = strcspn(from, "\f");
        p->at[i] = strndup(from, n);
        from += n + 1;
    }
}

static inline struct pages pages_of(const char *name, const struct document *d,
                                    const struct pdf_options *o)
{
    struct pages p = { 0 };
    struct error e = { 0 };
    void *bytes = NULL;
    size_t n = 0;
    int rc = pdf_write(d, o, &bytes, &n, &e);
    if (rc)
        print_error("%s\n", e.what);
    assert_int_equal(rc, 0);
    snprintf(p.path, sizeof p.path, "%s/pdf-%s.pdf", TEST_OUT, name);
    write_pdf(p.path, bytes, n);
    free(bytes);
    check_pdf(p.path);
    if (has_tool("pdftotext")) {
        p.all = tool_output("pdftotext -raw", p.path, "-");
        split_pages(&p);
    }
    return p;
}

static inline bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static inline void assert_text_(const char *text, const char *what, const char *file, int line)
{
    if (strstr(text, what))
        return;
    print_error("'%s' is not in:\n%s\n", what, text);
    _fail(file, line);
}
#define assert_text(text, what) assert_text_(text, what, __FILE__, __LINE__)

/* Each after the one before it. */
static inline void assert_in_order(const char *text, const char *const *what, size_t n)
{
    const char *from = text;
    for (size_t i = 0; i < n; i++) {
        const char *at = strstr(from, what[i]);
        if (!at) {
            print_error("'%s' does not follow '%s'%s\n", what[i], i ? what[i - 1] : "",
                        strstr(text, what[i]) ? ", it comes before" : ": it is nowhere");
            fail();
        }
        from = at + 1;
    }
}

/* The line above the foot of a page, which begins with "qdepth ". */
static inline const char *last_line(const char *page, size_t *ret_n)
{
    const char *end = page;
    for (const char *foot = page; (foot = strstr(foot, "\nqdepth ")); foot++)
        end = foot;
    const char *start = end;
    while (start > page && start[-1] != '\n')
        start--;
    *ret_n = (size_t)(end - start);
    return start;
}

/* Headings without their numbers. */
static inline void assert_no_heading_last(const struct pages *p, const char *const *headings,
                                          size_t n)
{
    for (size_t i = 0; i < p->n; i++) {
        size_t length = 0;
        const char *line = last_line(p->at[i], &length);
        while (length && strchr("0123456789 ", *line)) {
            line++;
            length--;
        }
        for (size_t k = 0; k < n; k++)
            if (length == strlen(headings[k]) && starts_with(line, headings[k])) {
                print_error("page %zu ends with '%.*s'\n", i + 1, (int)length, line);
                fail();
            }
    }
}
