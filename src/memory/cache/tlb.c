#include "tlb.h"

#include <math.h>

/* A direction in which a block's accesses of a form go on. */
struct way {
    double stride, count;
};

static uint32_t ways_of(struct way ways[3 + FW_AFFINE_LOOPS], const struct fw_affine_access *access,
                        const struct fw_affine_accesses *accesses)
{
    uint32_t count = 0;
    for (uint32_t d = 0; d < 3; d++)
        ways[count++] = (struct way){fabs((double)access->thread_stride[d]), accesses->block[d]};
    for (uint32_t l = 0; l < access->loops; l++)
        ways[count++] =
            (struct way){fabs((double)access->loop_stride[l]), (double)access->trips[l]};
    return count;
}

double fw_tlb_pages(const struct fw_affine_accesses *accesses, double page)
{
    double all = 0, blocks = (double)fw_affine_blocks(accesses);
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        struct way ways[3 + FW_AFFINE_LOOPS];
        double far = 1, near = access->bytes, step = fabs((double)access->block_stride[0]);
        for (uint32_t w = ways_of(ways, access, accesses); w-- > 0;) {
            if (ways[w].stride >= page)
                far *= fmax(1, ways[w].count); /* a page of its own each time */
            else
                near += ways[w].stride * fmax(0, ways[w].count - 1);
        }
        /* Neighbours that step by less than a page come to a new one only now and then. */
        double fresh = fmin(fmax(step, near) / page, ceil(near / page));
        all += blocks * access->active_share * far * (step < page ? fresh : ceil(near / page));
    }
    return all;
}

double fw_tlb_miss_share(double extent, double reach)
{
    return extent > reach && reach > 0 ? 1 - reach / extent : 0;
}
