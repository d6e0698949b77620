#include "affine_access.h"

#include "min_max.h"

#include <string.h>

uint64_t fw_affine_blocks(const struct fw_affine_accesses *forms)
{
    return (uint64_t)forms->grid[0] * forms->grid[1] * forms->grid[2];
}

bool fw_affine_all_threads(const struct fw_affine_access *form,
                           const struct fw_affine_accesses *forms, uint32_t d)
{
    return form->last[d] == 0 || (form->first[d] == 0 && form->last[d] >= forms->block[d]);
}

double fw_affine_threads(const struct fw_affine_access *form,
                         const struct fw_affine_accesses *forms)
{
    double points = 1;
    for (uint32_t d = 0; d < 3; d++) {
        int64_t size = forms->block[d], all = forms->grid[d] * size;
        int64_t low = fw_max(form->low[d], 0), high = fw_min(form->high[d], all);
        double share = 1;
        if (!fw_affine_all_threads(form, forms, d) &&
            high <= size) { /* both cut the one block there is */
            low = fw_max(low, form->first[d]);
            high = fw_min(high, form->last[d]);
        } else if (!fw_affine_all_threads(form, forms, d)) {
            share = (double)(form->last[d] - form->first[d]) / (double)size;
        }
        points *= (double)fw_max(high - low, 0) * share;
    }
    return points;
}

bool fw_affine_same_strides(const struct fw_affine_access *a, const struct fw_affine_access *b)
{
#define SAME(field) (memcmp(a->field, b->field, sizeof(a->field)) == 0)
    return a->bytes == b->bytes && a->loops == b->loops && SAME(block_stride) &&
           SAME(thread_stride) && SAME(low) && SAME(high) && SAME(first) && SAME(last) &&
           SAME(loop_stride) && SAME(trips);
#undef SAME
}

void fw_affine_of_block(struct fw_affine_accesses *threads, struct fw_arena *arena,
                        const struct fw_affine_accesses *forms, int64_t block)
{
    int64_t x = forms->grid[0], y = forms->grid[1];
    int64_t at[3] = {block % x, block / x % y, block / (x * y)};
    *threads = *forms;
    threads->at = fw_arena_copy(arena, forms->at, forms->count * sizeof(*forms->at));
    for (uint32_t d = 0; d < 3; d++) {
        threads->grid[d] = forms->block[d];
        threads->block[d] = 1;
    }
    for (uint32_t i = 0; i < threads->count; i++)
        for (uint32_t d = 0; d < 3; d++) {
            struct fw_affine_access *form = &threads->at[i];
            form->base += at[d] * form->block_stride[d];
            form->block_stride[d] = form->thread_stride[d];
            form->low[d] -= at[d] * forms->block[d];
            form->high[d] -= at[d] * forms->block[d];
            if (!fw_affine_all_threads(form, forms, d)) {
                form->low[d] = fw_max(form->low[d], form->first[d]);
                form->high[d] = fw_min(form->high[d], form->last[d]);
            }
            form->first[d] = form->last[d] = 0;
        }
}
