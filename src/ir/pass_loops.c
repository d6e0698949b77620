/* loops: natural loops and their nest.  Needs dominators. */
#include "passes.h"
#include "tree.h"

/* Adds to loop `index` every block that reaches one of its latches without passing the header. */
static void collect(struct fw_arena *arena, struct fw_function *function, uint32_t index,
                    uint32_t *mark, uint32_t *stack, uint32_t *blocks)
{
    struct fw_loop_info *loop = &function->loops[index];
    uint32_t depth = 0, count = 0;
    mark[loop->header] = index + 1;
    blocks[count++] = loop->header;
    for (uint32_t l = 0; l < loop->latch_count; l++)
        if (mark[loop->latches[l]] != index + 1) {
            mark[loop->latches[l]] = index + 1;
            stack[depth++] = loop->latches[l];
        }
    while (depth) {
        uint32_t at = stack[--depth];
        blocks[count++] = at;
        for (uint32_t p = 0; p < function->blocks[at].predecessor_count; p++) {
            uint32_t from = function->blocks[at].predecessors[p];
            if (mark[from] != index + 1) {
                mark[from] = index + 1;
                stack[depth++] = from;
            }
        }
    }
    loop->blocks = fw_arena_copy(arena, blocks, count * sizeof(*blocks));
    loop->block_count = count;
}

/* One loop a header, in reverse post-order of headers, so that outer ones come first. */
static void find_headers(struct fw_arena *arena, struct fw_function *function)
{
    struct fw_tree dominators = fw_dominator_tree(arena, function);
    uint32_t count = 0;
    for (int fill = 0; fill < 2; fill++) {
        count = 0;
        for (uint32_t i = 0; i < function->order_count; i++) {
            uint32_t header = function->order[i], latches = 0;
            const struct fw_block *block = &function->blocks[header];
            struct fw_loop_info *loop = fill ? &function->loops[count] : NULL;
            for (uint32_t p = 0; p < block->predecessor_count; p++) {
                uint32_t from = block->predecessors[p];
                if (function->blocks[from].order < i)
                    continue;
                if (!fw_tree_above(&dominators, header, from)) {
                    function->irreducible = true;
                    continue;
                }
                if (loop && !latches)
                    *loop = (struct fw_loop_info){
                        .header = header,
                        .parent = FW_NO_INDEX,
                        .latches = FW_ARRAY(arena, uint32_t, block->predecessor_count)};
                if (loop)
                    loop->latches[loop->latch_count++] = from;
                latches++;
            }
            count += latches > 0;
        }
        if (!fill)
            function->loops = FW_ARRAY(arena, struct fw_loop_info, count);
    }
    function->loop_count = count;
}

/* The depth of the nest is bounded: what is kept and asked of loops goes with it. */
static enum fw_status check_depth(const struct fw_function *function,
                                  const struct fw_loop_info *loop, const struct fw_sink *sink)
{
    const struct fw_block *header = &function->blocks[loop->header];
    if (loop->depth <= FW_IR_DEEPEST_LOOP)
        return FW_OK;
    fw_report(sink, FW_ERROR, "IRL003", function->instructions[header->first].span,
              "loops of %s are nested more than %d deep", function->name, FW_IR_DEEPEST_LOOP);
    return FW_ERROR_BUDGET;
}

enum fw_status fw_pass_loops(struct fw_arena *arena, struct fw_function *function,
                             const struct fw_sink *sink)
{
    function->irreducible = false;
    find_headers(arena, function);
    uint32_t *mark = FW_ARRAY(arena, uint32_t, function->block_count);
    uint32_t *stack = FW_ARRAY(arena, uint32_t, function->block_count);
    uint32_t *blocks = FW_ARRAY(arena, uint32_t, function->block_count);
    enum fw_status status = FW_OK;
    for (uint32_t i = 0; i < function->loop_count && !status; i++) {
        struct fw_loop_info *loop = &function->loops[i];
        collect(arena, function, i, mark, stack, blocks);
        loop->parent = function->blocks[loop->header].loop;
        loop->depth = loop->parent == FW_NO_INDEX ? 1 : function->loops[loop->parent].depth + 1;
        for (uint32_t b = 0; b < loop->block_count; b++)
            function->blocks[loop->blocks[b]].loop = i;
        status = check_depth(function, loop, sink);
    }
    return status;
}
