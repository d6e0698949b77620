#include "tlb.h"

#include <math.h>

/* An index along which a block's access moves. */
struct movement {
    double stride, count;
};

static uint32_t movements_of(struct movement movements[3 + FW_AFFINE_LOOPS + FW_AFFINE_SPANS],
                             const struct fw_affine_access *access,
                             const struct fw_affine_accesses *accesses)
{
    uint32_t count = 0;
    for (uint32_t d = 0; d < 3; d++)
        movements[count++] = (struct movement){fabs((double)access->thread_stride[d]),
                                               (double)fw_affine_row_threads(access, accesses, d)};
    for (uint32_t l = 0; l < access->loops; l++)
        movements[count++] =
            (struct movement){fabs((double)access->loop_stride[l]), (double)access->trips[l]};
    for (uint32_t s = 0; s < access->span_count; s++)
        movements[count++] = (struct movement){fabs((double)access->spans[s].stride),
                                               (double)access->spans[s].count};
    return count;
}

double fw_tlb_pages(const struct fw_affine_accesses *accesses, double page)
{
    double all = 0, blocks = (double)fw_affine_blocks(accesses);
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        struct movement movements[3 + FW_AFFINE_LOOPS + FW_AFFINE_SPANS];
        double pages = 1, bytes_within = access->bytes,
               step = fabs((double)access->block_stride[0]);
        for (uint32_t w = movements_of(movements, access, accesses); w-- > 0;) {
            if (movements[w].stride >= page)
                pages *= fmax(1, movements[w].count); /* each step touches another page */
            else
                bytes_within += movements[w].stride * fmax(0, movements[w].count - 1);
        }
        /* Blocks that are less than a page apart touch a new page only now and then. */
        double new_pages = fmin(fmax(step, bytes_within) / page, ceil(bytes_within / page));
        all += blocks * access->active_share * pages *
               (step < page ? new_pages : ceil(bytes_within / page));
    }
    return all;
}

double fw_tlb_miss_share(double extent, double reach)
{
    return extent > reach && reach > 0 ? 1 - reach / extent : 0;
}
