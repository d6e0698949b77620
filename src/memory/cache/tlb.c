#include "tlb.h"

#include <math.h>

/* A direction in which a block's accesses of a form go on. */
struct way {
    double stride, count;
};

static uint32_t ways_of(struct way ways[3 + FW_AFFINE_LOOPS], const struct fw_affine_access *form,
                        const struct fw_affine_accesses *forms)
{
    uint32_t count = 0;
    for (uint32_t d = 0; d < 3; d++)
        ways[count++] = (struct way){fabs((double)form->thread_stride[d]), forms->block[d]};
    for (uint32_t l = 0; l < form->loops; l++)
        ways[count++] = (struct way){fabs((double)form->loop_stride[l]), (double)form->trips[l]};
    return count;
}

double fw_tlb_pages(const struct fw_affine_accesses *forms, double page)
{
    double all = 0, blocks = (double)fw_affine_blocks(forms);
    for (uint32_t i = 0; i < forms->count; i++) {
        const struct fw_affine_access *form = &forms->at[i];
        struct way ways[3 + FW_AFFINE_LOOPS];
        double far = 1, near = form->bytes, step = fabs((double)form->block_stride[0]);
        for (uint32_t w = ways_of(ways, form, forms); w-- > 0;) {
            if (ways[w].stride >= page)
                far *= fmax(1, ways[w].count); /* a page of its own each time */
            else
                near += ways[w].stride * fmax(0, ways[w].count - 1);
        }
        /* Neighbours that step by less than a page come to a new one only now and then. */
        double fresh = fmin(fmax(step, near) / page, ceil(near / page));
        all += blocks * form->active_share * far * (step < page ? fresh : ceil(near / page));
    }
    return all;
}

double fw_tlb_miss_share(double extent, double reach)
{
    return extent > reach && reach > 0 ? 1 - reach / extent : 0;
}
