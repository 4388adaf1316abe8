/* The made document as PDF. */
#include "report/pdf.h"

#include <string.h>

#include "made_document.h"
#include "pdf_tools.h"

static const struct pdf_options a4 = { .paper = "a4", .created_ns = 1773480413000000000 };

static const char *write_made(const struct document *d, const struct pdf_options *o, const char *name)
{
    static char path[256];
    struct error e = { 0 };
    void *bytes = NULL;
    size_t n = 0;
    int rc = pdf_write(d, o, &bytes, &n, &e);
    if (rc)
        print_error("%s\n", e.what);
    assert_int_equal(rc, 0);
    snprintf(path, sizeof path, "%s/pdf-%s.pdf", TEST_OUT, name);
    write_pdf(path, bytes, n);
    check_pdf(path);
    free(bytes);
    return path;
}

static void made(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    write_made(made_document(a), &a4, "made");
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(made) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
