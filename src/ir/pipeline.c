/* The passes in their order, with what each needs of those before it and what it gives. */
#include "pipeline.h"

#include "passes.h"

enum fw_status fw_ir_prepare(struct fw_arena *arena, struct fw_function *function, uint32_t limit,
                             const struct fw_sink *sink)
{
    /* Needs the reader's function; gives one that calls nothing whose body is there. */
    enum fw_status status = fw_pass_inline(arena, function, limit, sink);
    if (status)
        return status;
    fw_pass_branches(arena, function); /* needs inline; gives loops that one branch ends */
    fw_pass_cfg(arena, function);      /* needs nothing; gives blocks, edges, reverse post-order */
    fw_pass_dominators(arena, function); /* needs cfg; gives dominators and post-dominators */
    status =
        fw_pass_loops(arena, function, sink); /* needs dominators; gives loops and their nest */
    if (status)
        return status;
    fw_pass_slots(arena, function); /* needs cfg; gives local memory that acts as registers */
    fw_pass_ssa(arena, function);   /* needs dominators, slots; gives values and phis */
    return FW_OK;
}
