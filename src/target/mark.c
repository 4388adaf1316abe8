#include "target/mark.h"

#include <blkid/blkid.h>
#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { MAX_FINDS = 256 };

int mark_new(char ret[MARK_TEXT], struct error *e)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char b[16];
    if (getrandom(b, sizeof b, 0) != sizeof b)
        return error_sys(e, errno, "cannot draw a random number");
    b[6] = (unsigned char)((b[6] & 0x0f) | 0x40);
    b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
    char *to = ret;
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *to++ = '-';
        *to++ = digits[b[i] >> 4];
        *to++ = digits[b[i] & 15];
    }
    *to = '\0';
    return 0;
}

static blkid_probe look(int fd)
{
    blkid_probe p = blkid_new_probe();
    if (p && blkid_probe_set_device(p, fd, 0, 0)) {
        blkid_free_probe(p);
        return NULL;
    }
    if (p) {
        blkid_probe_enable_superblocks(p, 1);
        blkid_probe_set_superblocks_flags(p, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_UUID |
                                                 BLKID_SUBLKS_MAGIC | BLKID_SUBLKS_BADCSUM);
        blkid_probe_enable_partitions(p, 0);
    }
    return p;
}

static bool is_ours(blkid_probe p, const char *uuid)
{
    const char *text = NULL;
    return !blkid_probe_lookup_value(p, "UUID", &text, NULL) && text && !strcmp(text, uuid);
}

bool mark_is_on(int fd, const char *uuid)
{
    blkid_probe p = look(fd);
    bool found = false;
    for (int i = 0; p && !found && i < MAX_FINDS && blkid_do_probe(p) == 0; i++)
        found = is_ours(p, uuid);
    blkid_free_probe(p);
    return found;
}

int mark_wipe(int fd, const char *uuid, struct error *e)
{
    blkid_probe p = look(fd);
    int rc = p ? 0 : -1;
    errno = 0;
    for (int i = 0; rc == 0 && i < MAX_FINDS && blkid_do_probe(p) == 0; i++)
        if (is_ours(p, uuid))
            rc = blkid_do_wipe(p, 0);
    int sys = errno;
    blkid_free_probe(p);
    if (rc == 0 && fsync(fd))
        rc = -1, sys = errno;
    if (rc)
        return error_sys(e, sys ? sys : EIO, "cannot remove the signature %s", uuid);
    return 0;
}
