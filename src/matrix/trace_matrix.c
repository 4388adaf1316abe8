#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "matrix/matrix.h"

/* How many I/Os of a recording may be in flight: what a drive of its time could hold, and more than most recordings had. */
#define REPLAY_DEPTH "64"

static void put_quoted(struct str *s, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&':
            str_put(s, "&amp;");
            break;
        case '<':
            str_put(s, "&lt;");
            break;
        case '"':
            str_put(s, "&quot;");
            break;
        default:
            str_char(s, *text);
        }
}

/* The whole path is written down, so that the stored matrix finds the file from anywhere. */
int matrix_of_trace(struct arena *a, const char *path, struct matrix **ret, struct error *e)
{
    char *real = realpath(path, NULL);
    if (!real)
        return error_sys(e, errno, "cannot open '%s'", path);
    struct str s = str_new(64 << 10);
    str_put(&s, "<matrix xmlns=\"urn:qdepth:matrix:1\" name=\"replay\" title=\"Replay of ");
    put_quoted(&s, file_basename(a, path));
    str_put(&s, "\">\n  <method>Each I/O of the recording is started at its time.</method>\n"
                "  <workload id=\"replay\" title=\"");
    put_quoted(&s, file_basename(a, path));
    str_put(&s, "\" queue-depth=\"" REPLAY_DEPTH "\">\n    <trace file=\"");
    put_quoted(&s, real);
    str_put(&s, "\"/>\n  </workload>\n</matrix>\n");
    int rc = str_failed(&s) ? error_set(e, QD_E_USAGE, "the path '%s' is too long", path)
                            : matrix_parse(a, path, s.at, s.n, ret, e);
    str_done(&s);
    free(real);
    return rc;
}
