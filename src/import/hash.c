#include <errno.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/oom.h"
#include "import/import.h"

/* OpenSSL's SHA-256 uses the processor's instructions for it: five times as fast as libmd's, which would take most of the time of
 * reading a long log. */
enum { CHUNK = 256 << 10 };

static int read_all(EVP_MD_CTX *hash, int fd, const char *path, struct error *e)
{
    unsigned char *chunk = xmalloc(CHUNK);
    ssize_t got;
    int failed = 0;
    while ((got = read(fd, chunk, CHUNK)) != 0 && !failed) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            failed = error_sys(e, errno, "cannot read '%s'", path);
        else if (!EVP_DigestUpdate(hash, chunk, (size_t)got))
            failed = error_set(e, QD_E_FAIL, "cannot hash '%s'", path);
    }
    free(chunk);
    return failed;
}

static const char *hex(struct arena *a, const unsigned char *at, unsigned n)
{
    static const char digits[] = "0123456789abcdef";
    char *text = arena_alloc(a, 2 * (size_t)n + 1);
    for (unsigned i = 0; i < n; i++) {
        text[2 * i] = digits[at[i] >> 4];
        text[2 * i + 1] = digits[at[i] & 15];
    }
    return text;
}

int import_hash(struct arena *a, const char *path, const char **ret, struct error *e)
{
    unsigned char sum[EVP_MAX_MD_SIZE];
    unsigned n = 0;
    int fd;
    uint64_t size;
    if (file_open(path, &fd, &size, e))
        return -1;
    EVP_MD_CTX *hash = EVP_MD_CTX_new();
    int rc = 0;
    if (!hash || !EVP_DigestInit_ex(hash, EVP_sha256(), NULL))
        rc = error_set(e, QD_E_FAIL, "cannot hash '%s': no SHA-256 in this OpenSSL", path);
    if (!rc)
        rc = read_all(hash, fd, path, e);
    if (!rc && !EVP_DigestFinal_ex(hash, sum, &n))
        rc = error_set(e, QD_E_FAIL, "cannot hash '%s'", path);
    EVP_MD_CTX_free(hash);
    close(fd);
    if (!rc)
        *ret = hex(a, sum, n);
    return rc;
}
