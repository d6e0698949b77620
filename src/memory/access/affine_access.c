#include "affine_access.h"

#include "checked.h"
#include "min_max.h"

#include <string.h>

/* Adds |stride| * count to a reach. */
static int64_t further(int64_t reach, int64_t stride, int64_t count)
{
    return fw_saturated_add(reach, fw_saturated_multiply(fw_saturated_magnitude(stride), count));
}

int64_t fw_affine_reach(const struct fw_affine_access *access,
                        const struct fw_affine_accesses *accesses)
{
    int64_t reach = fw_saturated_add(fw_saturated_magnitude(access->base), access->bytes);
    for (uint32_t d = 0; d < 3; d++) {
        reach = further(reach, access->block_stride[d], accesses->grid[d]);
        reach = further(reach, access->thread_stride[d], accesses->block[d]);
    }
    for (uint32_t l = 0; l < access->loops; l++)
        reach = further(reach, access->loop_stride[l], access->trips[l]);
    return further(reach, access->tile_row_stride, access->tile_rows);
}

uint64_t fw_affine_blocks(const struct fw_affine_accesses *accesses)
{
    return (uint64_t)accesses->grid[0] * accesses->grid[1] * accesses->grid[2];
}

bool fw_affine_all_threads(const struct fw_affine_access *access,
                           const struct fw_affine_accesses *accesses, uint32_t d)
{
    return access->last[d] == 0 || (access->first[d] == 0 && access->last[d] >= accesses->block[d]);
}

double fw_affine_threads(const struct fw_affine_access *access,
                         const struct fw_affine_accesses *accesses)
{
    double points = 1;
    for (uint32_t d = 0; d < 3; d++) {
        int64_t size = accesses->block[d], all = accesses->grid[d] * size;
        int64_t low = fw_max(access->low[d], 0), high = fw_min(access->high[d], all);
        double share = 1;
        if (!fw_affine_all_threads(access, accesses, d) &&
            high <= size) { /* both conditions cut the only block */
            low = fw_max(low, access->first[d]);
            high = fw_min(high, access->last[d]);
        } else if (!fw_affine_all_threads(access, accesses, d)) {
            share = (double)(access->last[d] - access->first[d]) / (double)size;
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
                        const struct fw_affine_accesses *accesses, int64_t block)
{
    int64_t x = accesses->grid[0], y = accesses->grid[1];
    int64_t at[3] = {block % x, block / x % y, block / (x * y)};
    *threads = *accesses;
    threads->at = fw_arena_copy(arena, accesses->at, accesses->count * sizeof(*accesses->at));
    for (uint32_t d = 0; d < 3; d++) {
        threads->grid[d] = accesses->block[d];
        threads->block[d] = 1;
    }
    for (uint32_t i = 0; i < threads->count; i++)
        for (uint32_t d = 0; d < 3; d++) {
            struct fw_affine_access *access = &threads->at[i];
            access->base += at[d] * access->block_stride[d];
            access->block_stride[d] = access->thread_stride[d];
            access->low[d] -= at[d] * accesses->block[d];
            access->high[d] -= at[d] * accesses->block[d];
            if (!fw_affine_all_threads(access, accesses, d)) {
                access->low[d] = fw_max(access->low[d], access->first[d]);
                access->high[d] = fw_min(access->high[d], access->last[d]);
            }
            access->first[d] = access->last[d] = 0;
        }
}
