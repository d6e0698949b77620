#include "traffic_cases.h"

#include <string.h>

struct traffic_field traffic_star(struct fw_arena *arena, uint32_t range, uint32_t dimensions,
                                  uint32_t bytes)
{
    struct traffic_field field = {.bytes = bytes, .count = 1};
    field.offsets = fw_arena_array(arena, 2 * (size_t)range * dimensions + 1, 3 * sizeof(int64_t));
    for (uint32_t d = 0; d < dimensions; d++)
        for (uint32_t r = 1; r <= range; r++) {
            field.offsets[field.count++][d] = -(int64_t)r;
            field.offsets[field.count++][d] = r;
        }
    return field;
}

static void add_field(struct fw_affine_accesses *accesses, const struct traffic_field *field,
                      uint32_t array, const int64_t points[3], const uint32_t fold[3],
                      const int64_t turn[3])
{
    int64_t step[3] = {field->bytes, field->bytes * field->dims[0],
                       field->bytes * field->dims[0] * field->dims[1]};
    for (uint32_t o = 0; o < field->count; o++) {
        struct fw_affine_access access = {
            .array = array, .kernel_access = accesses->count, .bytes = field->bytes};
        access.direction = array ? FW_STORE : FW_LOAD;
        access.active_share = access.repeats = 1;
        access.base = (1 << 30) + field->begin * field->bytes;
        for (uint32_t d = 0; d < 3; d++) {
            access.base += (field->offsets[o][d] + turn[d]) * step[d];
            access.thread_stride[d] = step[d] * fold[d];
            access.block_stride[d] = access.thread_stride[d] * accesses->block[d];
            access.high[d] = points[d];
        }
        bool there = false;
        for (uint32_t i = 0; i < accesses->count; i++)
            there |= accesses->at[i].array == array && accesses->at[i].base == access.base;
        if (!there)
            accesses->at[accesses->count++] = access;
    }
}

struct fw_affine_accesses traffic_stencil(struct fw_arena *arena, const struct traffic_field *read,
                                          const struct traffic_field *written,
                                          const uint32_t block[3], const int64_t points[3],
                                          const uint32_t fold[3])
{
    struct fw_affine_accesses accesses = {.arrays = 2};
    uint32_t turns = fold[0] * fold[1] * fold[2];
    accesses.at =
        FW_ARRAY(arena, struct fw_affine_access, (size_t)turns * (read->count + written->count));
    for (uint32_t d = 0; d < 3; d++) {
        accesses.block[d] = block[d];
        accesses.grid[d] = (uint32_t)((points[d] + block[d] - 1) / block[d]);
    }
    for (uint32_t array = 0; array < 2; array++)
        for (uint32_t t = 0; t < turns; t++) {
            int64_t turn[3] = {t % fold[0], t / fold[0] % fold[1], t / fold[0] / fold[1]};
            add_field(&accesses, array ? written : read, array, points, fold, turn);
        }
    for (uint32_t i = 0; i < accesses.count; i++) {
        accesses.at[i].begin = (double)i / accesses.count;
        accesses.at[i].end = (double)(i + 1) / accesses.count;
    }
    return accesses;
}
