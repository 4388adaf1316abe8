#include "base/reader.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/oom.h"
#include "base/utf8.h"

enum { CHUNK = 64 << 10 };

enum encoding { ENCODING_UNKNOWN, ENCODING_UTF8, ENCODING_UTF16_LE, ENCODING_UTF16_BE };

struct reader {
    int fd;
    char *path;
    uint64_t size;
    enum encoding encoding;
    bool has_cr;    /* a CR was seen so far */
    bool cr_counts; /* the file has CRs and no LF */
    bool eof;
    char *at; /* decoded text; [start, end) is not given out yet */
    size_t start, end, cap;
    unsigned char raw[CHUNK];
    size_t n_raw; /* undecoded rest of UTF-16 */
    long number;
    bool counted; /* the line that comes has its number already */
};

int reader_open(const char *path, struct reader **ret, struct error *e)
{
    int fd;
    uint64_t size;
    if (file_open(path, &fd, &size, e))
        return -1;
    struct reader *r = xcalloc(1, sizeof *r);
    r->at = xmalloc(CHUNK);
    r->cap = CHUNK;
    r->fd = fd;
    r->path = xstrdup(path);
    r->size = size;
    *ret = r;
    return 0;
}

void reader_close(struct reader *r)
{
    if (!r)
        return;
    close(r->fd);
    free(r->path);
    free(r->at);
    free(r);
}

long reader_number(const struct reader *r)
{
    return r->number;
}

uint64_t reader_size(const struct reader *r)
{
    return r->size;
}

/* Up to n bytes; 0 at the end. */
static int read_bytes(struct reader *r, void *into, size_t n, size_t *ret_n, struct error *e)
{
    ssize_t got;
    do
        got = read(r->fd, into, n);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return error_sys(e, errno, "cannot read '%s'", r->path);
    *ret_n = (size_t)got;
    return 0;
}

static void make_room(struct reader *r, size_t n)
{
    if (r->start) {
        memmove(r->at, r->at + r->start, r->end - r->start);
        r->end -= r->start;
        r->start = 0;
    }
    if (r->cap - r->end > n)
        return;
    size_t cap = 2 * r->cap > r->end + n + 1 ? 2 * r->cap : r->end + n + 1;
    r->at = xrealloc(r->at, cap);
    r->cap = cap;
}

static uint32_t unit_at(const struct reader *r, size_t i)
{
    uint32_t first = r->raw[i];
    uint32_t second = r->raw[i + 1];
    return r->encoding == ENCODING_UTF16_LE ? first | second << 8 : second | first << 8;
}

static bool is_high(uint32_t unit)
{
    return unit >= 0xD800 && unit < 0xDC00;
}

/* raw to UTF-8; keeps half a character for the next time unless `last`. */
static void decode_utf16(struct reader *r, bool last)
{
    make_room(r, r->n_raw * 2 + 4);
    size_t i = 0;
    while (i + 1 < r->n_raw) {
        uint32_t c = unit_at(r, i);
        if (is_high(c)) {
            if (i + 3 >= r->n_raw && !last)
                break;
            uint32_t low = i + 3 < r->n_raw ? unit_at(r, i + 2) : 0;
            bool pair = low >= 0xDC00 && low < 0xE000;
            c = pair ? 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00) : 0xFFFD;
            i += pair ? 2 : 0;
        } else if (c >= 0xDC00 && c < 0xE000) {
            c = 0xFFFD;
        }
        r->end += utf8_put(c, r->at + r->end);
        i += 2;
    }
    memmove(r->raw, r->raw + i, r->n_raw - i);
    r->n_raw -= i;
}

/* From the first bytes of the file; the mark is taken off. */
static void recognise(struct reader *r)
{
    const unsigned char *b = r->raw;
    size_t n = r->n_raw, mark = 0;
    r->encoding = ENCODING_UTF8;
    if (n >= 3 && !memcmp(b, "\xEF\xBB\xBF", 3)) {
        mark = 3;
    } else if (n >= 2 && (!memcmp(b, "\xFF\xFE", 2) || !memcmp(b, "\xFE\xFF", 2))) {
        r->encoding = b[0] == 0xFF ? ENCODING_UTF16_LE : ENCODING_UTF16_BE;
        mark = 2;
    } else if (n >= 4 && b[0] && !b[1] && b[2] && !b[3]) {
        r->encoding = ENCODING_UTF16_LE;
    } else if (n >= 4 && !b[0] && b[1] && !b[2] && b[3]) {
        r->encoding = ENCODING_UTF16_BE;
    }
    memmove(r->raw, r->raw + mark, n - mark);
    r->n_raw = n - mark;
}

/* Blanks for NULs, and the news about CR, in text that has just come. */
static void look_over(struct reader *r, size_t from, bool first)
{
    char *p = r->at + from, *end = r->at + r->end;
    while (p < end && (p = memchr(p, '\0', (size_t)(end - p))))
        *p++ = ' ';
    if (!r->has_cr)
        r->has_cr = memchr(r->at + from, '\r', r->end - from) != NULL;
    if (first)
        r->cr_counts = r->has_cr && !memchr(r->at + from, '\n', r->end - from);
}

/* More text behind `end`; eof if there is none. */
static int fill(struct reader *r, struct error *e)
{
    bool first = r->encoding == ENCODING_UNKNOWN;
    size_t got = 0;
    if (first || r->encoding != ENCODING_UTF8) {
        if (read_bytes(r, r->raw + r->n_raw, CHUNK - r->n_raw, &got, e))
            return -1;
        r->n_raw += got;
        r->eof = got == 0;
        if (first)
            recognise(r);
    }
    if (r->encoding != ENCODING_UTF8) {
        size_t before = r->end - r->start;
        decode_utf16(r, r->eof);
        look_over(r, before, first);
        return 0;
    }
    make_room(r, CHUNK);
    size_t from = r->end;
    if (first) {
        memcpy(r->at + r->end, r->raw, r->n_raw);
        got = r->n_raw;
        r->n_raw = 0;
    } else if (read_bytes(r, r->at + r->end, CHUNK, &got, e)) {
        return -1;
    }
    r->end += got;
    if (!first)
        r->eof = got == 0;
    look_over(r, from, first);
    return 0;
}

/* Where the next line ends in [start + from, end), or NULL. */
static char *find_end(const struct reader *r, size_t from)
{
    char *p = r->at + r->start + from;
    char *end = r->at + r->end;
    if (p >= end)
        return NULL;
    char *lf = memchr(p, '\n', (size_t)(end - p));
    if (!r->has_cr)
        return lf;
    char *cr = memchr(p, '\r', (size_t)((lf ? lf : end) - p));
    return cr ? cr : lf;
}

/* The next piece with its end, which is '\n', '\r' (bare) or 0 (end of file). */
static int next_piece(struct reader *r, char **ret, size_t *ret_n, char *ret_end, struct error *e)
{
    size_t searched = 0;
    char *end;
    for (;;) {
        end = find_end(r, searched);
        bool cr_at_edge = end && *end == '\r' && end + 1 == r->at + r->end;
        if ((end && (!cr_at_edge || r->eof)) || r->eof)
            break;
        searched = end ? (size_t)(end - r->at) - r->start : r->end - r->start;
        if (fill(r, e))
            return -1;
    }
    if (r->start == r->end)
        return 0;
    char *line = r->at + r->start;
    char *stop = end ? end : r->at + r->end;
    bool crlf = end && *end == '\r' && end + 1 < r->at + r->end && end[1] == '\n';
    *ret_end = (char)(!end ? 0 : crlf ? '\n' : *end);
    r->start = (size_t)(stop - r->at) + (end ? 1 : 0) + (crlf ? 1 : 0);
    *stop = '\0';
    *ret = line;
    *ret_n = (size_t)(stop - line);
    return 1;
}

static void count(struct reader *r, char end)
{
    if (!r->counted)
        r->number++;
    r->counted = end == '\r' && !r->cr_counts;
}

static void unquote(char **line, size_t *n)
{
    while (*n && **line == '>' && (*n == 1 || (*line)[1] == ' ' || (*line)[1] == '>')) {
        size_t cut = *n > 1 && (*line)[1] == ' ' ? 2 : 1;
        *line += cut;
        *n -= cut;
    }
}

int reader_line(struct reader *r, char **ret, size_t *ret_n, struct error *e)
{
    char end = 0;
    int rc = next_piece(r, ret, ret_n, &end, e);
    if (rc != 1)
        return rc;
    count(r, end);
    unquote(ret, ret_n);
    return 1;
}

int reader_text(struct reader *r, struct arena *a, uint64_t limit, char **ret, struct error *e)
{
    if (r->size > limit)
        return error_set(e, QD_E_FAIL, "it has %llu bytes, more than %llu",
                         (unsigned long long)r->size, (unsigned long long)limit);
    size_t cap = (size_t)r->size + 64, n = 0, n_line;
    if (r->encoding == ENCODING_UNKNOWN && fill(r, e))
        return -1;
    if (r->encoding != ENCODING_UTF8) /* three bytes of UTF-8 for two at most */
        cap += (size_t)r->size / 2;
    char *text = arena_alloc(a, cap), *line, end = 0;
    int rc;
    while ((rc = next_piece(r, &line, &n_line, &end, e)) == 1) {
        unquote(&line, &n_line);
        if (n + n_line + 2 > cap) /* the file has grown since it was opened */
            break;
        memcpy(text + n, line, n_line);
        n += n_line;
        if (end)
            text[n++] = end;
    }
    text[n] = '\0';
    *ret = text;
    return rc < 0 ? -1 : 0;
}
