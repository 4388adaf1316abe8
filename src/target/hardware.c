#include "target/hardware.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/fmt.h"
#include "base/parse.h"
#include "base/str.h"

static char *trimmed(struct arena *a, const char *text, size_t n)
{
    while (n && (*text == ' ' || *text == '\0'))
        text++, n--;
    size_t used = 0;
    for (size_t i = 0; i < n && text[i]; i++)
        if (text[i] != ' ')
            used = i + 1;
    return used ? arena_strndup(a, text, used) : NULL;
}

/* SCSI vital product data page 0x80: a header of four bytes, the length in the last two (SPC-4 §7.8.17). */
static char *scsi_serial(struct arena *a, const struct blockdev *disk)
{
    enum { HEADER = 4, PAGE_LIMIT = 4096 };
    struct error ignored;
    char *page = NULL;
    size_t n = 0;
    if (file_read(a, arena_printf(a, "%s/device/vpd_pg80", disk->dir), PAGE_LIMIT, &page, &n,
                  &ignored) ||
        n <= HEADER)
        return NULL;
    size_t length = (size_t)(unsigned char)page[2] << 8 | (unsigned char)page[3];
    return trimmed(a, page + HEADER, length < n - HEADER ? length : n - HEADER);
}

static char *scsi_model(struct arena *a, const struct blockdev *disk)
{
    char *model = sysfs_text(a, disk, "device/model");
    const char *vendor = sysfs_text(a, disk, "device/vendor");
    if (!model || !vendor || strcmp(vendor, "ATA") == 0)
        return model;
    return arena_printf(a, "%s %s", vendor, model);
}

/* "8.0 GT/s PCIe" → "3.0"; an unknown speed as it is. */
static const char *pcie_generation(struct arena *a, const char *speed)
{
    static const struct {
        const char *speed, *generation;
    } known[] = {
        { "2.5 GT/s", "1.0" },  { "5.0 GT/s", "2.0" },  { "8.0 GT/s", "3.0" },
        { "16.0 GT/s", "4.0" }, { "32.0 GT/s", "5.0" }, { "64.0 GT/s", "6.0" },
    };
    for (size_t i = 0; i < countof(known); i++)
        if (strncmp(speed, known[i].speed, strlen(known[i].speed)) == 0)
            return known[i].generation;
    return arena_strdup(a, speed);
}

static const char *pcie_link(struct arena *a, const struct blockdev *disk)
{
    const char *speed = sysfs_text(a, disk, "device/device/current_link_speed");
    const char *width = sysfs_text(a, disk, "device/device/current_link_width");
    const char *max_speed = sysfs_text(a, disk, "device/device/max_link_speed");
    const char *max_width = sysfs_text(a, disk, "device/device/max_link_width");
    const char *transport = sysfs_text(a, disk, "device/transport");
    if (transport && strcmp(transport, "pcie") != 0)
        return arena_printf(a, "NVMe over %s", transport);
    if (!speed || !width)
        return NULL;
    const char *now = arena_printf(a, "PCIe %s ×%s", pcie_generation(a, speed), width);
    if (!max_speed || !max_width ||
        (strcmp(speed, max_speed) == 0 && strcmp(width, max_width) == 0))
        return now;
    return arena_printf(a, "%s (the device can do %s ×%s)", now, pcie_generation(a, max_speed),
                        max_width);
}

/* "6.0 Gbps", "12.0 Gbit" → "6 Gb/s"; NULL for "<unknown>", "Unknown" and the like. */
static const char *gigabits(struct arena *a, const char *text)
{
    double v = text ? strtod(text, NULL) : 0;
    return v > 0 ? arena_printf(a, "%s Gb/s", fmt_exact(v).s) : NULL;
}

/* The number after "/PREFIX" in a path, as far as it is digits and colons; or NULL. */
static const char *path_number(struct arena *a, const char *path, const char *prefix)
{
    const char *at = strstr(path, prefix);
    if (!at)
        return NULL;
    at += strlen(prefix);
    size_t n = strspn(at, "0123456789:");
    return n ? arena_strndup(a, at, n) : NULL;
}

static const char *sata_link(struct arena *a, const struct blockdev *disk)
{
    const char *port = path_number(a, disk->dir, "/ata");
    if (!port)
        return NULL;
    const char *path = arena_printf(a, "/sys/class/ata_link/link%s/sata_spd", port);
    const char *speed = gigabits(a, file_line(a, sysfs_path(a, path)));
    return speed ? arena_printf(a, "SATA %s", speed) : "ATA";
}

static const char *sas_link(struct arena *a, const struct blockdev *disk)
{
    const char *port = strstr(disk->dir, "/port-");
    if (!port || !strstr(disk->dir, "/end_device-"))
        return NULL;
    size_t upto = (size_t)(port + 1 - disk->dir) + strcspn(port + 1, "/");
    const char *folder = arena_strndup(a, disk->dir, upto);
    struct names all = sysfs_entries(a, folder);
    for (size_t i = 0; i < all.n; i++) {
        if (strncmp(all.at[i], "phy-", 4) != 0)
            continue;
        const char *rate = arena_printf(a, "/sys/class/sas_phy/%s/negotiated_linkrate", all.at[i]);
        const char *speed = gigabits(a, file_line(a, sysfs_path(a, rate)));
        if (speed)
            return arena_printf(a, "SAS %s", speed);
    }
    return "SAS";
}

/* The USB device a disk hangs on: the nearest folder above it with an idVendor; or NULL. */
static const char *usb_folder(struct arena *a, const struct blockdev *disk)
{
    char *folder = arena_strdup(a, disk->dir);
    for (char *end = strrchr(folder, '/'); end && end != folder; end = strrchr(folder, '/')) {
        *end = '\0';
        if (file_exists(arena_printf(a, "%s/idVendor", folder)))
            return folder;
    }
    return NULL;
}

static const char *usb_link(struct arena *a, const char *folder)
{
    const char *speed = file_line(a, arena_printf(a, "%s/speed", folder));
    double megabits = speed ? strtod(speed, NULL) : 0;
    if (megabits >= 1000)
        return arena_printf(a, "USB %s Gb/s", fmt_exact(megabits / 1000).s);
    return megabits > 0 ? arena_printf(a, "USB %s Mb/s", fmt_exact(megabits).s) : "USB";
}

static struct hardware of_scsi(struct arena *a, const struct blockdev *disk)
{
    struct hardware h = {
        .model = scsi_model(a, disk),
        .serial = scsi_serial(a, disk),
        .firmware = sysfs_text(a, disk, "device/rev"),
    };
    const char *usb = usb_folder(a, disk);
    if (usb) {
        h.link = usb_link(a, usb);
        if (!h.serial)
            h.serial = file_line(a, arena_printf(a, "%s/serial", usb));
        return h;
    }
    h.link = sata_link(a, disk);
    if (!h.link)
        h.link = sas_link(a, disk);
    return h;
}

struct hardware hardware_of(struct arena *a, const struct blockdev *b)
{
    struct blockdev disk = sysfs_disk(a, b);
    char real[PATH_MAX];
    const char *bus = NULL;
    if (realpath(arena_printf(a, "%s/device/subsystem", disk.dir), real))
        bus = strrchr(real, '/') + 1;
    if (!bus)
        return (struct hardware) { 0 };
    if (strcmp(bus, "scsi") == 0)
        return of_scsi(a, &disk);
    if (strncmp(bus, "nvme", 4) == 0)
        return (struct hardware) {
            .model = sysfs_text(a, &disk, "device/model"),
            .serial = sysfs_text(a, &disk, "device/serial"),
            .firmware = sysfs_text(a, &disk, "device/firmware_rev"),
            .link = pcie_link(a, &disk),
        };
    if (strcmp(bus, "mmc") == 0)
        return (struct hardware) {
            .model = sysfs_text(a, &disk, "device/name"),
            .serial = sysfs_text(a, &disk, "device/serial"),
            .firmware = sysfs_text(a, &disk, "device/fwrev"),
            .link = "MMC",
        };
    return (struct hardware) {
        .model = sysfs_text(a, &disk, "device/model"),
        .serial = sysfs_text(a, &disk, "serial"),
        .link = arena_strdup(a, bus),
    };
}

static const char *of_mapper(struct arena *a, const struct blockdev *b, const char *name)
{
    static const struct {
        const char *prefix, *words;
    } kinds[] = {
        { "LVM-", "LVM volume" },
        { "CRYPT-", "encrypted volume" },
        { "mpath-", "multipath device" },
    };
    const char *uuid = sysfs_text(a, b, "dm/uuid");
    for (size_t i = 0; uuid && i < countof(kinds); i++)
        if (strncmp(uuid, kinds[i].prefix, strlen(kinds[i].prefix)) == 0)
            return arena_printf(a, "%s %s", kinds[i].words, name);
    return arena_printf(a, "device mapper volume %s", name);
}

static const char *of_md(struct arena *a, const struct blockdev *disk, const char *level)
{
    struct names members = sysfs_links(a, disk, "slaves");
    uint64_t chunk = sysfs_number(a, disk, "md/chunk_size", 0);
    const char *text = arena_printf(a, "md %s", level);
    if (members.n)
        text = arena_printf(a, "%s of %s", text, names_joined(a, &members, ", "));
    return chunk ? arena_printf(a, "%s, %s chunk", text, fmt_bytes(chunk).s) : text;
}

const char *hardware_made_of(struct arena *a, const struct blockdev *b)
{
    struct blockdev disk = sysfs_disk(a, b);
    const char *mapper = sysfs_text(a, &disk, "dm/name");
    if (mapper)
        return of_mapper(a, &disk, mapper);
    const char *level = sysfs_text(a, &disk, "md/level");
    if (level)
        return of_md(a, &disk, level);
    const char *file = sysfs_text(a, &disk, "loop/backing_file");
    if (file)
        return arena_printf(a, "loop device over %s", file);
    const char *compression = sysfs_text(a, &disk, "comp_algorithm");
    if (compression)
        return arena_printf(a, "compressed memory (%s)", compression);
    return strncmp(disk.name, "bcache", 6) == 0 ? "bcache" : NULL;
}
