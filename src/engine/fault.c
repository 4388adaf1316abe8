#include "engine/fault.h"

#include <errno.h>

static bool means_gone(int sys)
{
    return sys == ENODEV || sys == ENXIO || sys == ENOTCONN || sys == ESHUTDOWN;
}

static void add(struct faults *f, const struct fault *one)
{
    for (uint32_t i = 0; i < f->n; i++) {
        struct fault *k = &f->kind[i];
        bool same = k->sys == one->sys && k->direction == one->direction &&
                    k->target == one->target;
        if (!same && i + 1 < FAULT_KINDS)
            continue;
        uint64_t count = k->count + one->count;
        if (same && one->at < k->at)
            *k = *one;
        k->count = count;
        return;
    }
    f->kind[f->n++] = *one;
}

void faults_init(struct faults *f)
{
    *f = (struct faults) { .gone_target = -1 };
}

bool faults_add(struct faults *f, const struct slot *s, int32_t result, uint64_t now)
{
    int sys = result < 0 ? -result : 0;
    add(f, &(struct fault) { .sys = sys,
                             .direction = s->direction,
                             .target = s->target,
                             .count = 1,
                             .offset = s->offset,
                             .at = now,
                             .moved = result < 0 ? 0 : (uint32_t)result,
                             .size = s->size });
    if (!means_gone(sys)) {
        f->gone_in_a_row[s->target] = 0;
        return false;
    }
    if (++f->gone_in_a_row[s->target] < FAULT_GONE_AFTER)
        return false;
    f->gone_target = s->target;
    return true;
}

void faults_merge(struct faults *into, const struct faults *from)
{
    for (uint32_t i = 0; i < from->n; i++)
        add(into, &from->kind[i]);
    if (into->gone_target < 0)
        into->gone_target = from->gone_target;
}
