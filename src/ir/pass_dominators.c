/* dominators: immediate dominators and post-dominators.  Needs cfg.
 * Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (2001). */
#include "passes.h"

/* A graph in the order in which the algorithm wants it: node 0 is the root, edges into each node
 * come from `sources`; nodes are numbered in reverse post-order. */
struct graph {
    uint32_t count;
    uint32_t *start; /* count + 1 */
    uint32_t *sources;
};

static uint32_t intersect(const uint32_t *dominator, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (a > b)
            a = dominator[a];
        while (b > a)
            b = dominator[b];
    }
    return a;
}

static uint32_t *solve(struct fw_arena *arena, const struct graph *graph)
{
    uint32_t *dominator = FW_ARRAY(arena, uint32_t, graph->count);
    for (uint32_t i = 1; i < graph->count; i++)
        dominator[i] = FW_NO_INDEX;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < graph->count; i++) {
            uint32_t best = FW_NO_INDEX;
            for (uint32_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
                uint32_t from = graph->sources[e];
                if (dominator[from] != FW_NO_INDEX)
                    best = best == FW_NO_INDEX ? from : intersect(dominator, best, from);
            }
            changed |= dominator[i] != best;
            dominator[i] = best;
        }
    }
    return dominator;
}

static void forward(struct fw_arena *arena, struct fw_function *function)
{
    struct graph graph = {.count = function->order_count};
    uint32_t edges = 0;
    for (uint32_t i = 0; i < graph.count; i++)
        edges += function->blocks[function->order[i]].predecessor_count;
    graph.start = FW_ARRAY(arena, uint32_t, graph.count + 1);
    graph.sources = FW_ARRAY(arena, uint32_t, edges);
    for (uint32_t i = 0, e = 0; i < graph.count; i++) {
        const struct fw_block *block = &function->blocks[function->order[i]];
        for (uint32_t p = 0; p < block->predecessor_count; p++)
            graph.sources[e++] = function->blocks[block->predecessors[p]].order;
        graph.start[i + 1] = e;
    }
    const uint32_t *dominator = solve(arena, &graph);
    for (uint32_t i = 1; i < graph.count; i++)
        function->blocks[function->order[i]].dominator = function->order[dominator[i]];
}

/* Whether control can leave the function at the end of the block. */
static bool leaves(const struct fw_function *function, uint32_t index)
{
    const struct fw_block *block = &function->blocks[index];
    const struct fw_instruction *last =
        block->end > block->first ? &function->instructions[block->end - 1] : NULL;
    return block->successor_count == 0 ||
           (last && (last->opcode == FW_OP_RET || last->opcode == FW_OP_EXIT ||
                     last->opcode == FW_OP_TRAP));
}

/* Post-order of the reversed graph from a virtual exit: node numbers by block, the exit is 0. */
static uint32_t number_backwards(struct fw_arena *arena, const struct fw_function *function,
                                 uint32_t *block_of, uint32_t *number)
{
    uint32_t n = function->block_count, depth, done = n + 1;
    uint32_t *stack = FW_ARRAY(arena, uint32_t, n + 1), *next = FW_ARRAY(arena, uint32_t, n);
    bool *seen = FW_ARRAY(arena, bool, n);
    for (uint32_t root = n; root-- > 0;) {
        if (seen[root] || function->blocks[root].order == FW_NO_INDEX || !leaves(function, root))
            continue;
        depth = 0;
        stack[depth++] = root;
        seen[root] = true;
        while (depth) {
            uint32_t at = stack[depth - 1];
            const struct fw_block *block = &function->blocks[at];
            if (next[at] == block->predecessor_count) {
                block_of[--done] = at;
                depth--;
                continue;
            }
            uint32_t to = block->predecessors[next[at]++];
            if (!seen[to]) {
                seen[to] = true;
                stack[depth++] = to;
            }
        }
    }
    uint32_t count = n + 1 - done;
    for (uint32_t i = 0; i < n; i++)
        number[i] = FW_NO_INDEX;
    for (uint32_t i = 0; i < count; i++) {
        block_of[i + 1] = block_of[done + i];
        number[block_of[i + 1]] = i + 1;
    }
    return count + 1;
}

static void backward(struct fw_arena *arena, struct fw_function *function)
{
    uint32_t n = function->block_count, edges = 0;
    uint32_t *block_of = FW_ARRAY(arena, uint32_t, n + 2), *number = FW_ARRAY(arena, uint32_t, n);
    struct graph graph = {.count = number_backwards(arena, function, block_of, number)};
    for (uint32_t i = 1; i < graph.count; i++)
        edges += function->blocks[block_of[i]].successor_count + 1;
    graph.start = FW_ARRAY(arena, uint32_t, graph.count + 1);
    graph.sources = FW_ARRAY(arena, uint32_t, edges);
    for (uint32_t i = 1, e = 0; i < graph.count; i++) {
        const struct fw_block *block = &function->blocks[block_of[i]];
        for (uint32_t s = 0; s < block->successor_count; s++)
            if (number[block->successors[s]] != FW_NO_INDEX)
                graph.sources[e++] = number[block->successors[s]];
        if (leaves(function, block_of[i]))
            graph.sources[e++] = 0;
        graph.start[i + 1] = e;
    }
    const uint32_t *dominator = solve(arena, &graph);
    for (uint32_t i = 1; i < graph.count; i++)
        function->blocks[block_of[i]].post_dominator =
            dominator[i] && dominator[i] != FW_NO_INDEX ? block_of[dominator[i]] : FW_NO_INDEX;
}

void fw_pass_dominators(struct fw_arena *arena, struct fw_function *function)
{
    forward(arena, function);
    backward(arena, function);
}

bool fw_block_dominates(const struct fw_function *function, uint32_t a, uint32_t b)
{
    while (b != FW_NO_INDEX && function->blocks[b].order > function->blocks[a].order)
        b = function->blocks[b].dominator;
    return a == b;
}
