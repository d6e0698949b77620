#include "before_loops.h"

struct fw_before_loops fw_before_loops_find(struct fw_arena *arena,
                                            const struct fw_function *function)
{
    struct fw_before_loops found = {.ends = FW_ARRAY(arena, bool, function->block_count + 1),
                                    .before = FW_ARRAY(arena, bool, function->block_count + 1),
                                    .any = function->loop_count > 0};
    uint32_t *queue = FW_ARRAY(arena, uint32_t, function->block_count + 1), count = 0;
    for (uint32_t b = 0; b < function->block_count; b++)
        found.before[b] = true;
    for (uint32_t l = 0; l < function->loop_count; l++) {
        const uint32_t header = function->loops[l].header;
        if (found.before[header])
            queue[count++] = header;
        found.before[header] = false;
        found.ends[header] = true;
    }
    while (count) {
        const struct fw_block *block = &function->blocks[queue[--count]];
        for (uint32_t s = 0; s < block->successor_count; s++) {
            const uint32_t next = block->successors[s];
            if (found.before[next])
                queue[count++] = next;
            found.before[next] = false;
        }
    }
    return found;
}
