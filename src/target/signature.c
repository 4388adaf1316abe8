#include "target/signature.h"

#include <blkid/blkid.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/array.h"
#include "base/utf8.h"

static const char *value(blkid_probe p, const char *name)
{
    const char *text = NULL;
    return blkid_probe_lookup_value(p, name, &text, NULL) ? NULL : text;
}

/* By sound: an ext4, an xfs, an ntfs; a btrfs, a vfat. */
static const char *article(const char *word)
{
    static const char *const spelled[] = { "xfs", "ntfs", "nss", "f2fs", "hfs", "hpfs", "lfs" };
    if (strchr("aeioAEIO", *word))
        return "an";
    for (size_t i = 0; i < countof(spelled); i++)
        if (strncmp(word, spelled[i], strlen(spelled[i])) == 0)
            return "an";
    return "a";
}

/* A label is foreign bytes on its way to a terminal. */
static const char *printable(struct arena *a, const char *label)
{
    char *text = arena_strdup(a, label);
    bool whole = utf8_valid(text);
    for (char *p = text; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7f || (!whole && *p & 0x80))
            *p = '?';
    return text;
}

static const char *raid_clause(struct arena *a, const char *type)
{
    if (strcmp(type, "linux_raid_member") == 0)
        return "is a member of a Linux md array (linux_raid_member)";
    if (strcmp(type, "LVM2_member") == 0 || strcmp(type, "LVM1_member") == 0)
        return arena_printf(a, "is a member of an LVM volume group (%s)", type);
    return arena_printf(a, "is a member of an array (%s)", type);
}

static const char *superblock_clause(struct arena *a, blkid_probe p, const char *type)
{
    const char *usage = value(p, "USAGE"), *label = value(p, "LABEL");
    const char *named = label && *label ? arena_printf(a, " called '%s'", printable(a, label)) : "";
    if (usage && strcmp(usage, "raid") == 0)
        return raid_clause(a, type);
    if (usage && strcmp(usage, "crypto") == 0)
        return arena_printf(a, "holds encrypted data (%s)", type);
    if (strcmp(type, "swap") == 0 || strcmp(type, "swsuspend") == 0)
        return arena_printf(a, "holds swap space (%s)%s", type, named);
    if (usage && strcmp(usage, "filesystem") == 0)
        return arena_printf(a, "holds %s %s filesystem%s", article(type), type, named);
    return arena_printf(a, "holds %s data", type);
}

static const char *table_clause(struct arena *a, const char *type)
{
    if (strcmp(type, "gpt") == 0)
        return "has a GPT partition table";
    if (strcmp(type, "dos") == 0)
        return "has a DOS (MBR) partition table";
    return arena_printf(a, "has a partition table (%s)", type);
}

static void add(struct clauses *c, size_t max, const char *clause)
{
    for (size_t i = 0; i < c->n; i++)
        if (strcmp(c->at[i], clause) == 0)
            return;
    if (c->n < max)
        c->at[c->n++] = clause;
}

/* Each round of blkid_do_probe goes on after the last find, so that a filesystem beside a partition table shows as both. */
static int collect(struct arena *a, blkid_probe p, struct clauses *c, size_t max)
{
    enum { ROUNDS = 256 };
    int rc = 0;
    for (int i = 0; i < ROUNDS; i++) {
        errno = 0;
        rc = blkid_do_probe(p);
        if (rc)
            break;
        const char *type = value(p, "TYPE"), *table = value(p, "PTTYPE");
        if (type)
            add(c, max, superblock_clause(a, p, type));
        if (table)
            add(c, max, table_clause(a, table));
    }
    return rc < 0 ? -1 : 0;
}

int signatures_read(struct arena *a, int fd, struct clauses *ret, struct error *e)
{
    enum { MAX_CLAUSES = 32 };
    blkid_probe p = blkid_new_probe();
    if (!p)
        return error_set(e, QD_E_NOMEM, "cannot look for signatures: out of memory");
    struct clauses c = { .at = arena_array(a, const char *, MAX_CLAUSES) };
    errno = 0;
    int rc = blkid_probe_set_device(p, fd, 0, 0);
    if (rc == 0) {
        blkid_probe_enable_superblocks(p, 1);
        blkid_probe_set_superblocks_flags(p, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE |
                                                 BLKID_SUBLKS_LABEL | BLKID_SUBLKS_MAGIC |
                                                 BLKID_SUBLKS_BADCSUM);
        blkid_probe_enable_partitions(p, 1);
        blkid_probe_set_partitions_flags(p, BLKID_PARTS_MAGIC | BLKID_PARTS_FORCE_GPT);
        rc = collect(a, p, &c, MAX_CLAUSES);
    }
    int sys = errno;
    blkid_free_probe(p);
    if (rc)
        return error_sys(e, sys ? sys : EIO, "cannot look for signatures");
    *ret = c;
    return 0;
}
