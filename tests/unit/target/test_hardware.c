#include "fake_tree.h"
#include "target/facts.h"
#include "target/hardware.h"

static struct arena *a;

static int start(void **state)
{
    a = arena_new();
    return tree_start(state);
}

static int stop(void **state)
{
    arena_free(a);
    return tree_stop(state);
}

static struct blockdev device(const char *name)
{
    struct blockdev b;
    assert_true(sysfs_by_name(a, name, &b));
    return b;
}

static struct hardware hardware(const char *name)
{
    struct blockdev b = device(name);
    return hardware_of(a, &b);
}

static void on_bus(const char *name, const char *bus)
{
    char to[128], from[256];
    snprintf(to, sizeof to, "/sys/bus/%s", bus);
    snprintf(from, sizeof from, "%s/x", to);
    tree_text(from, "");
    snprintf(from, sizeof from, "/sys/class/block/%s/device/subsystem", name);
    tree_link(to, from);
}

static void nvme(const char *speed, const char *width)
{
    tree_disk("nvme0n1", "259:0");
    on_bus("nvme0n1", "nvme");
    tree_attribute("nvme0n1", "device/model", "Samsung SSD 970 EVO Plus 250GB           \n");
    tree_attribute("nvme0n1", "device/serial", "S4EUNF0M123456      \n");
    tree_attribute("nvme0n1", "device/firmware_rev", "2B2QEXM7\n");
    tree_attribute("nvme0n1", "device/transport", "pcie\n");
    tree_attribute("nvme0n1", "device/device/current_link_speed", speed);
    tree_attribute("nvme0n1", "device/device/current_link_width", width);
    tree_attribute("nvme0n1", "device/device/max_link_speed", "8.0 GT/s PCIe\n");
    tree_attribute("nvme0n1", "device/device/max_link_width", "4\n");
}

static void an_nvme_drive(void **state)
{
    (void)state;
    nvme("8.0 GT/s PCIe\n", "4\n");
    struct hardware h = hardware("nvme0n1");
    assert_string_equal(h.model, "Samsung SSD 970 EVO Plus 250GB");
    assert_string_equal(h.serial, "S4EUNF0M123456");
    assert_string_equal(h.firmware, "2B2QEXM7");
    assert_string_equal(h.link, "PCIe 3.0 ×4");
}

static void a_slot_slower_than_the_drive(void **state)
{
    (void)state;
    nvme("5.0 GT/s PCIe\n", "2\n");
    assert_string_equal(hardware("nvme0n1").link, "PCIe 2.0 ×2 (the device can do 3.0 ×4)");
}

static void an_nvme_partition_has_its_drives_serial(void **state)
{
    (void)state;
    nvme("8.0 GT/s PCIe\n", "4\n");
    tree_partition("nvme0n1", "nvme0n1p1", "259:1", "2048");
    assert_string_equal(hardware("nvme0n1p1").serial, "S4EUNF0M123456");
}

static void nvme_over_tcp(void **state)
{
    (void)state;
    nvme("8.0 GT/s PCIe\n", "4\n");
    tree_attribute("nvme0n1", "device/transport", "tcp\n");
    assert_string_equal(hardware("nvme0n1").link, "NVMe over tcp");
}

static void a_sata_drive(void **state)
{
    (void)state;
    struct error e;
    char path[512];
    const char page[] = { 0,   (char)0x80, 0,   12,  ' ', ' ', 'W', 'D', '-',
                          'A', 'B',        'C', '1', '2', ' ', ' ', 'x' };
    tree_device("/pci0/ata3/host2/target2:0:0/2:0:0:0/block/sdd", "8:48", "2097152");
    on_bus("sdd", "scsi");
    tree_attribute("sdd", "device/vendor", "ATA     \n");
    tree_attribute("sdd", "device/model", "WDC WD5000AAKX  \n");
    tree_attribute("sdd", "device/rev", "1H19\n");
    snprintf(path, sizeof path, "%s/sys/class/block/sdd/device/vpd_pg80", tree);
    assert_int_equal(file_write(path, page, sizeof page, &e), 0);
    tree_text("/sys/class/ata_link/link3/sata_spd", "6.0 Gbps\n");
    struct hardware h = hardware("sdd");
    assert_string_equal(h.model, "WDC WD5000AAKX");
    assert_string_equal(h.serial, "WD-ABC12");
    assert_string_equal(h.firmware, "1H19");
    assert_string_equal(h.link, "SATA 6 Gb/s");
}

static void a_serial_page_that_is_cut_short(void **state)
{
    (void)state;
    struct error e;
    char path[512];
    tree_disk("sdd", "8:48");
    on_bus("sdd", "scsi");
    tree_attribute("sdd", "device/model", "X\n");
    snprintf(path, sizeof path, "%s/sys/class/block/sdd/device/vpd_pg80", tree);
    assert_int_equal(file_write(path,
                                "\0\x80\xff\xff"
                                "AB",
                                6, &e),
                     0);
    assert_string_equal(hardware("sdd").serial, "AB");
    assert_int_equal(file_write(path, "\0\x80\0\x04", 4, &e), 0);
    assert_null(hardware("sdd").serial);
    assert_int_equal(file_write(path, "\0\x80\0\x04    ", 8, &e), 0);
    assert_null(hardware("sdd").serial);
}

static void a_sas_drive(void **state)
{
    (void)state;
    tree_device("/pci0/host0/port-0:1/end_device-0:1/target0:0:1/0:0:1:0/block/sde", "8:64", "9");
    tree_text("/sys/devices/pci0/host0/port-0:1/phy-0:1/x", "");
    tree_text("/sys/class/sas_phy/phy-0:1/negotiated_linkrate", "12.0 Gbit\n");
    on_bus("sde", "scsi");
    tree_attribute("sde", "device/vendor", "SEAGATE \n");
    tree_attribute("sde", "device/model", "ST300\n");
    assert_string_equal(hardware("sde").link, "SAS 12 Gb/s");
    assert_string_equal(hardware("sde").model, "SEAGATE ST300");
}

static void a_usb_stick(void **state)
{
    (void)state;
    tree_device("/pci0/usb2/2-1/2-1:1.0/host6/6:0:0:0/block/sdf", "8:80", "9");
    tree_text("/sys/devices/pci0/usb2/2-1/idVendor", "0781\n");
    tree_text("/sys/devices/pci0/usb2/2-1/speed", "5000\n");
    tree_text("/sys/devices/pci0/usb2/2-1/serial", "4C530001\n");
    on_bus("sdf", "scsi");
    tree_attribute("sdf", "device/vendor", "SanDisk\n");
    tree_attribute("sdf", "device/model", "Ultra\n");
    struct hardware h = hardware("sdf");
    assert_string_equal(h.link, "USB 5 Gb/s");
    assert_string_equal(h.serial, "4C530001");
    tree_text("/sys/devices/pci0/usb2/2-1/speed", "480\n");
    assert_string_equal(hardware("sdf").link, "USB 480 Mb/s");
}

static void a_virtual_disk(void **state)
{
    (void)state;
    tree_disk("vda", "254:0");
    on_bus("vda", "virtio");
    tree_attribute("vda", "serial", "");
    struct hardware h = hardware("vda");
    assert_null(h.model);
    assert_null(h.serial);
    assert_string_equal(h.link, "virtio");
    tree_attribute("vda", "serial", "vol-0123\n");
    assert_string_equal(hardware("vda").serial, "vol-0123");
}

static void a_memory_card(void **state)
{
    (void)state;
    tree_disk("mmcblk0", "179:0");
    on_bus("mmcblk0", "mmc");
    tree_attribute("mmcblk0", "device/name", "SC64G\n");
    tree_attribute("mmcblk0", "device/serial", "0x1234\n");
    assert_string_equal(hardware("mmcblk0").model, "SC64G");
    assert_string_equal(hardware("mmcblk0").serial, "0x1234");
}

static void made_of(const char *name, const char *words)
{
    struct blockdev b = device(name);
    const char *got = hardware_made_of(a, &b);
    if (words)
        assert_string_equal(got, words);
    else
        assert_null(got);
}

static void devices_made_of_others(void **state)
{
    (void)state;
    tree_disk("sdb", "8:16");
    tree_disk("sdc", "8:32");
    tree_disk("md127", "9:127");
    tree_attribute("md127", "md/level", "raid10\n");
    tree_attribute("md127", "md/chunk_size", "65536\n");
    tree_hold("md127", "sdc");
    tree_hold("md127", "sdb");
    tree_disk("dm-7", "253:7");
    tree_attribute("dm-7", "dm/name", "data\n");
    tree_disk("dm-8", "253:8");
    tree_attribute("dm-8", "dm/name", "mpatha\n");
    tree_attribute("dm-8", "dm/uuid", "mpath-36001\n");
    tree_disk("zram0", "252:0");
    tree_attribute("zram0", "comp_algorithm", "lzo [zstd]\n");
    tree_disk("bcache0", "251:0");
    made_of("sdb", NULL);
    made_of("md127", "md raid10 of sdb, sdc, 64\u00a0KiB chunk");
    made_of("dm-7", "device mapper volume data");
    made_of("dm-8", "multipath device mpatha");
    made_of("zram0", "compressed memory (lzo [zstd])");
    made_of("bcache0", "bcache");
    assert_null(hardware("md127").serial);
}

static const char *fact(const struct fact *f, size_t n, const char *key)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(f[i].key, key) == 0)
            return f[i].value;
    return NULL;
}

static void facts_of_a_drive(void **state)
{
    (void)state;
    nvme("8.0 GT/s PCIe\n", "4\n");
    tree_attribute("nvme0n1", "queue/scheduler", "[none] mq-deadline kyber\n");
    tree_attribute("nvme0n1", "queue/write_cache", "write back\n");
    tree_attribute("nvme0n1", "queue/rotational", "0\n");
    tree_attribute("nvme0n1", "queue/nr_requests", "1023\n");
    tree_attribute("nvme0n1", "queue/logical_block_size", "512\n");
    tree_attribute("nvme0n1", "queue/physical_block_size", "4096\n");
    struct blockdev b = device("nvme0n1");
    struct facts list = { 0 };
    size_t n = 0;
    facts_put_device(a, &list, &b);
    const struct fact *f = facts_take(a, &list, &n);
    assert_int_equal(n, 11);
    assert_string_equal(f[0].key, "Model");
    assert_string_equal(fact(f, n, "Serial"), "S4EUNF0M123456");
    assert_string_equal(fact(f, n, "Firmware"), "2B2QEXM7");
    assert_string_equal(fact(f, n, "Capacity"), "1.07\u00a0GB");
    assert_string_equal(fact(f, n, "Link"), "PCIe 3.0 ×4");
    assert_string_equal(fact(f, n, "I/O scheduler"), "none");
    assert_string_equal(fact(f, n, "Write cache"), "on, volatile");
    assert_string_equal(fact(f, n, "Rotational"), "no");
    assert_string_equal(fact(f, n, "Device queue"), "1023");
    assert_string_equal(fact(f, n, "Sector, logical / physical"), "512\u00a0B / 4096\u00a0B");
    assert_string_equal(fact(f, n, "Kernel name"), "nvme0n1");
    assert_null(fact(f, n, "Made of"));
}

static void a_bare_device_has_few_facts(void **state)
{
    (void)state;
    tree_disk("sdb", "8:16");
    struct blockdev b = device("sdb");
    struct facts list = { 0 };
    size_t n = 0;
    facts_put_device(a, &list, &b);
    const struct fact *f = facts_take(a, &list, &n);
    assert_int_equal(n, 2);
    assert_string_equal(f[0].key, "Capacity");
    assert_string_equal(f[1].key, "Kernel name");
}

static void mount_options(void **state)
{
    (void)state;
    const struct mount m = { .type = "btrfs",
                             .options = "rw,noatime",
                             .super_options = "rw,compress=zstd:3,subvol=/@" };
    struct facts list = { 0 };
    size_t n = 0;
    facts_put_mount(a, &list, &m);
    const struct fact *f = facts_take(a, &list, &n);
    assert_string_equal(fact(f, n, "Filesystem"), "btrfs");
    assert_string_equal(fact(f, n, "Mount options"), "rw,noatime,compress=zstd:3,subvol=/@");
}

static void a_list_of_devices(void **state)
{
    (void)state;
    struct error e = { 0 };
    const struct target_list_row *rows = NULL;
    size_t n = 0;
    nvme("8.0 GT/s PCIe\n", "4\n");
    tree_disk("sda", "8:0");
    for (int i = 1; i <= 10; i++) {
        char name[16], dev[16];
        snprintf(name, sizeof name, "sda%d", i);
        snprintf(dev, sizeof dev, "8:%d", i);
        tree_partition("sda", name, dev, "2048000000");
    }
    tree_disk("loop0", "7:0");
    tree_attribute("loop0", "size", "0\n");
    tree_disk("sdh", "8:112");
    tree_attribute("sdh", "hidden", "1\n");
    tree_attribute("nvme0n1", "ro", "1\n");
    assert_int_equal(target_list(a, &rows, &n, &e), 0);
    assert_int_equal(n, 12);
    assert_string_equal(rows[0].path, "/dev/nvme0n1");
    assert_string_equal(rows[0].serial, "S4EUNF0M123456");
    assert_string_equal(rows[0].in_use, "read-only");
    assert_int_equal(rows[0].size_bytes, 1 << 30);
    assert_string_equal(rows[1].path, "/dev/sda");
    assert_non_null(strstr(rows[1].in_use, "mounted at /"));
    assert_string_equal(rows[3].path, "/dev/sda2");
    assert_string_equal(rows[11].path, "/dev/sda10");
}

static void no_devices_at_all(void **state)
{
    (void)state;
    struct error e = { 0 };
    const struct target_list_row *rows = NULL;
    size_t n = 7;
    assert_int_equal(target_list(a, &rows, &n, &e), 0);
    assert_int_equal(n, 0);
}

#define T(f) cmocka_unit_test_setup_teardown(f, start, stop)
int main(void)
{
    const struct CMUnitTest tests[] = {
        T(an_nvme_drive),
        T(a_slot_slower_than_the_drive),
        T(an_nvme_partition_has_its_drives_serial),
        T(nvme_over_tcp),
        T(a_sata_drive),
        T(a_serial_page_that_is_cut_short),
        T(a_sas_drive),
        T(a_usb_stick),
        T(a_virtual_disk),
        T(a_memory_card),
        T(devices_made_of_others),
        T(facts_of_a_drive),
        T(a_bare_device_has_few_facts),
        T(mount_options),
        T(a_list_of_devices),
        T(no_devices_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
