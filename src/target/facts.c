#include "target/facts.h"

#include <inttypes.h>
#include <string.h>

#include "base/fmt.h"
#include "target/hardware.h"

void facts_put(struct facts *f, const char *key, const char *value)
{
    if (value && *value)
        *array_push(&f->list) = (struct fact) { key, value };
}

/* "none [mq-deadline] kyber" → "mq-deadline"; a single word stands alone. */
static const char *chosen(struct arena *a, const char *text)
{
    const char *open = text ? strchr(text, '[') : NULL;
    const char *close = open ? strchr(open, ']') : NULL;
    return close ? arena_strndup(a, open + 1, (size_t)(close - open - 1)) : text;
}

static const char *blocks(struct arena *a, const struct blockdev *b)
{
    uint64_t logical = sysfs_queue_number(a, b, "logical_block_size", 0);
    uint64_t physical = sysfs_queue_number(a, b, "physical_block_size", 0);
    return logical && physical
               ? arena_printf(a, "%" PRIu64 "\u00a0B / %" PRIu64 "\u00a0B", logical, physical)
               : NULL;
}

/* What the driver lets through at once: the device's own queue, else the block layer's. */
static const char *device_queue(struct arena *a, const struct blockdev *b)
{
    struct blockdev disk = sysfs_disk(a, b);
    const char *own = sysfs_text(a, &disk, "device/queue_depth");
    return own ? own : sysfs_text(a, &disk, "queue/nr_requests");
}

static const char *write_cache(const char *text)
{
    if (!text)
        return NULL;
    return strcmp(text, "write back") == 0 ? "on, volatile" : "none, off or not volatile";
}

static const char *rotational(const char *text)
{
    if (!text)
        return NULL;
    return strcmp(text, "1") == 0 ? "yes" : "no";
}

void facts_put_device(struct arena *a, struct facts *f, const struct blockdev *b)
{
    struct hardware h = hardware_of(a, b);
    uint64_t bytes = sysfs_bytes(a, b);
    facts_put(f, "Model", h.model);
    facts_put(f, "Serial", h.serial);
    facts_put(f, "Firmware", h.firmware);
    facts_put(f, "Capacity", bytes ? arena_strdup(a, fmt_si((double)bytes, "B").s) : NULL);
    facts_put(f, "Link", h.link);
    facts_put(f, "Made of", hardware_made_of(a, b));
    facts_put(f, "Device queue", device_queue(a, b));
    facts_put(f, "Sector, logical / physical", blocks(a, b));
    facts_put(f, "Rotational", rotational(sysfs_queue_text(a, b, "rotational")));
    facts_put(f, "Write cache", write_cache(sysfs_queue_text(a, b, "write_cache")));
    facts_put(f, "I/O scheduler", chosen(a, sysfs_queue_text(a, b, "scheduler")));
    facts_put(f, "Kernel name", b->name);
}

/* The options of the mount, then those of the filesystem that do not repeat them. */
static const char *mount_options(struct arena *a, const struct mount *m)
{
    const char *text = m->options;
    char *rest = NULL, *list = arena_strdup(a, m->super_options);
    for (char *word = strtok_r(list, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
        if (strcmp(word, "rw") != 0 && strcmp(word, "ro") != 0)
            text = arena_printf(a, "%s,%s", text, word);
    return text;
}

void facts_put_mount(struct arena *a, struct facts *f, const struct mount *m)
{
    facts_put(f, "Filesystem", m->type);
    facts_put(f, "Mount options", mount_options(a, m));
}

const struct fact *facts_take(struct arena *a, struct facts *f, size_t *ret_n)
{
    const struct fact *ret = f->list.n ? arena_memdup(a, f->list.at, f->list.n * sizeof *f->list.at)
                                       : NULL;
    *ret_n = f->list.n;
    array_free(&f->list);
    return ret;
}
