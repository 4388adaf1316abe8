/* Signatures on real loop devices: each is a reason to refuse. */
#include "device.h"

/* `command` gets the device as $D. */
static void signature(const char *command, const char *words)
{
    const char *node = blank_device();
    make(arena_printf(a, "D=%s; %s", node, command));
    refused(node, QD_E_UNSAFE, words);
    assert_true(found(node, words));
}

static void an_ext4_filesystem(void **state)
{
    (void)state;
    signature("mkfs.ext4 -q -L my-data $D", "holds an ext4 filesystem called 'my-data'");
}

static void a_btrfs_filesystem(void **state)
{
    (void)state;
    const char *node = loop_over(image("disk", 256 * MIB), 0);
    make(arena_printf(a, "mkfs.btrfs -q %s", node));
    refused(node, QD_E_UNSAFE, "holds a btrfs filesystem");
}

static void an_xfs_filesystem(void **state)
{
    (void)state;
    const char *node = loop_over(image("disk", 320 * MIB), 0);
    make(arena_printf(a, "mkfs.xfs -q %s", node));
    refused(node, QD_E_UNSAFE, "holds an xfs filesystem");
}

static void swap_space(void **state)
{
    (void)state;
    signature("mkswap $D", "holds swap space (swap)");
}

static void bytes_at(const char *node, off_t at, const void *bytes, size_t n)
{
    int fd = open(node, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, bytes, n, at), n);
    close(fd);
}

static void put32(unsigned char *at, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(v >> 8 * i);
}

/* One entry of a DOS partition table: Linux, from and for so many sectors. */
static void mbr_entry(unsigned char *mbr, int no, uint32_t from, uint32_t sectors)
{
    unsigned char *entry = &mbr[446 + 16L * no];
    entry[4] = 0x83;
    put32(entry + 8, from);
    put32(entry + 12, sectors);
    mbr[510] = 0x55;
    mbr[511] = 0xaa;
}

static uint32_t crc32_of(const unsigned char *p, size_t n)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        crc ^= p[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

/* UEFI 2.10 §5.3: header in sector 1, 128 entries of 128 bytes from sector 2. */
static void a_gpt(void **state)
{
    (void)state;
    enum { SECTORS = 64 * MIB / 512, ENTRIES = 128 * 128 };
    const char *node = blank_device();
    unsigned char gpt[1024 + ENTRIES] = { 0 }, *header = gpt + 512, *entries = gpt + 1024;
    mbr_entry(gpt, 0, 1, SECTORS - 1);
    gpt[446 + 4] = 0xee;
    memset(entries, 7, 32); /* type and unique GUID */
    put32(entries + 32, 2048);
    put32(entries + 40, 4095);
    memcpy(header, "EFI PART\0\0\1", 12);
    put32(header + 12, 92);
    put32(header + 24, 1);
    put32(header + 32, SECTORS - 1);
    put32(header + 40, 34);
    put32(header + 48, SECTORS - 34);
    put32(header + 72, 2);
    put32(header + 80, 128);
    put32(header + 84, 128);
    put32(header + 88, crc32_of(entries, ENTRIES));
    put32(header + 16, crc32_of(header, 92));
    bytes_at(node, 0, gpt, sizeof gpt);
    refused(node, QD_E_UNSAFE, "has a GPT partition table");
    /* Without its protective MBR it is still one. */
    bytes_at(node, 0, (const char[512]) { 0 }, 512);
    refused(node, QD_E_UNSAFE, "has a GPT partition table");
}

static void an_mbr(void **state)
{
    (void)state;
    const char *node = blank_device();
    unsigned char mbr[512] = { 0 };
    mbr_entry(mbr, 0, 2048, 4096);
    bytes_at(node, 0, mbr, sizeof mbr);
    refused(node, QD_E_UNSAFE, "has a DOS (MBR) partition table");
}

/* md superblock version 1.2 (Linux md_p.h): magic a92b4efc at 4 KiB, major version 1, super_offset 8 sectors. A wrong checksum
 * does not make it harmless. */
static void an_array_member(void **state)
{
    (void)state;
    const char *node = blank_device();
    unsigned char sb[256] = { 0xfc, 0x4e, 0x2b, 0xa9, 1 };
    sb[144] = 8;
    bytes_at(node, 4096, sb, sizeof sb);
    refused(node, QD_E_UNSAFE, "is a member of a Linux md array");
}

/* LVM2 label: LABELONE in sector 1, its own sector number, and the type LVM2 001. */
static void an_lvm_member(void **state)
{
    (void)state;
    const char *node = blank_device();
    const char label[512] = "LABELONE\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0LVM2 001";
    bytes_at(node, 512, label, sizeof label);
    refused(node, QD_E_UNSAFE, "is a member of an LVM volume group");
}

static void encrypted_data(void **state)
{
    (void)state;
    const char *node = blank_device();
    unsigned char head[512] = { 'L', 'U', 'K', 'S', 0xba, 0xbe, 0, 1 };
    bytes_at(node, 0, head, sizeof head);
    refused(node, QD_E_UNSAFE, "holds encrypted data (crypto_LUKS)");
}

static void a_label_with_control_characters(void **state)
{
    (void)state;
    const char *node = blank_device();
    make(arena_printf(a, "mkfs.ext4 -q -L abc %s", node));
    bytes_at(node, 1024 + 120, "a\033[31m\n", 8);
    refused(node, QD_E_UNSAFE, "called 'a?[31m");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(an_ext4_filesystem),
        T(a_btrfs_filesystem),
        T(an_xfs_filesystem),
        T(swap_space),
        T(a_gpt),
        T(an_mbr),
        T(an_array_member),
        T(an_lvm_member),
        T(encrypted_data),
        T(a_label_with_control_characters),
    };
    return run_device_tests(tests, sizeof tests / sizeof *tests);
}
