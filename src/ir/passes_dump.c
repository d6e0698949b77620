/* What the passes left, as text for people. */
#include "passes.h"

#include <string.h>

static void dump_cfg(const struct fw_function *function, struct fw_buffer *out,
                     struct fw_arena *arena)
{
    for (uint32_t b = 0; b < function->block_count; b++) {
        const struct fw_block *block = &function->blocks[b];
        fw_buffer_printf(out, "block %u", b);
        if (block->order == FW_NO_INDEX)
            fw_buffer_printf(out, " (unreachable)");
        if (block->dominator != FW_NO_INDEX)
            fw_buffer_printf(out, " dominator %u", block->dominator);
        if (block->post_dominator != FW_NO_INDEX)
            fw_buffer_printf(out, " post-dominator %u", block->post_dominator);
        fw_buffer_printf(out, "\n");
        for (uint32_t i = block->first; i < block->end; i++)
            fw_buffer_printf(out, "  %4u %s\n", i,
                             fw_instruction_text(arena, function, &function->instructions[i]));
        fw_buffer_printf(out, "  ->");
        for (uint32_t s = 0; s < block->successor_count; s++)
            fw_buffer_printf(out, " %u", block->successors[s]);
        fw_buffer_printf(out, "\n");
    }
}

static void dump_loops(const struct fw_function *function, struct fw_buffer *out)
{
    if (function->irreducible)
        fw_buffer_printf(out, "irreducible: a cycle has two entries\n");
    for (uint32_t l = 0; l < function->loop_count; l++) {
        const struct fw_loop_info *loop = &function->loops[l];
        fw_buffer_printf(out, "loop %u depth %u header %u latches", l, loop->depth, loop->header);
        for (uint32_t i = 0; i < loop->latch_count; i++)
            fw_buffer_printf(out, " %u", loop->latches[i]);
        fw_buffer_printf(out, " blocks");
        for (uint32_t i = 0; i < loop->block_count; i++)
            fw_buffer_printf(out, " %u", loop->blocks[i]);
        fw_buffer_printf(out, "\n");
    }
}

struct defining {
    struct fw_buffer *out;
    const struct fw_function *function;
    const uint8_t *level;
};

static void dump_definition(void *user, struct fw_operand *operand)
{
    static const char *const levels[] = {"launch", "block", "warp", "thread"};
    struct defining *d = user;
    fw_buffer_printf(d->out, " %s=v%u", d->function->registers[operand->index].name,
                     operand->value);
    if (d->level && operand->value != FW_NO_INDEX)
        fw_buffer_printf(d->out, ":%s", levels[d->level[operand->value]]);
}

static void dump_use(void *user, struct fw_operand *operand)
{
    struct defining *d = user;
    fw_buffer_printf(d->out, " v%u", operand->value);
}

static void dump_ssa(const struct fw_function *function, struct fw_buffer *out,
                     struct fw_arena *arena, const uint8_t *level)
{
    struct defining d = {out, function, level};
    for (uint32_t o = 0; o < function->order_count; o++) {
        const struct fw_block *block = &function->blocks[function->order[o]];
        fw_buffer_printf(out, "block %u\n", function->order[o]);
        for (uint32_t p = 0; p < block->phi_count; p++) {
            fw_buffer_printf(out, "       %s=v%u phi", function->registers[block->phis[p].reg].name,
                             block->phis[p].value);
            for (uint32_t i = 0; i < block->predecessor_count; i++)
                fw_buffer_printf(out, " v%u from %u", block->phis[p].inputs[i],
                                 block->predecessors[i]);
            fw_buffer_printf(out, "\n");
        }
        for (uint32_t i = block->first; i < block->end; i++) {
            const struct fw_instruction *at = &function->instructions[i];
            fw_buffer_printf(out, "  %4u %s  //", i, fw_instruction_text(arena, function, at));
            fw_instruction_definitions(at, dump_definition, &d);
            fw_buffer_printf(out, " <-");
            fw_instruction_uses(at, dump_use, &d);
            if (at->guard != FW_NO_INDEX)
                fw_buffer_printf(out, " guard v%u", at->guard_value);
            fw_buffer_printf(out, "\n");
        }
    }
}

char *fw_passes_dump(struct fw_arena *arena, const struct fw_function *function, const char *what)
{
    struct fw_buffer out = fw_buffer_new(arena);
    if (strcmp(what, "cfg") == 0)
        dump_cfg(function, &out, arena);
    else if (strcmp(what, "loops") == 0)
        dump_loops(function, &out);
    else if (strcmp(what, "ssa") == 0)
        dump_ssa(function, &out, arena, NULL);
    else if (strcmp(what, "uniformity") == 0)
        dump_ssa(function, &out, arena, fw_pass_uniformity(arena, function));
    else
        return NULL;
    return out.text;
}
