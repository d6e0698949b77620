/* Where the lanes of a branch meet again.
 *
 * The strict answer is the immediate post-dominator of pass dominators.  With an early exit
 * somewhere behind a branch that is often the function's end only; hardware does not wait for lanes
 * that just leave, so the relaxed answer is the immediate post-dominator when early exits are left
 * out (leave_out).  Cooper, Harvey, Kennedy (2001), on the reversed graph. */
#include "emulate_reconverge.h"

struct reversed {
    uint32_t count;    /* nodes that reach the end; node 0 is the virtual one */
    uint32_t *node_of; /* by block; FW_NO_INDEX */
    uint32_t *block_of;
};

static bool ends(const struct fw_function *function, uint32_t block)
{
    return function->blocks[block].successor_count == 0;
}

/* The graph whose edges count: `left_out` has a bit for each successor that does not. */
struct kept_graph {
    const struct fw_function *function;
    uint64_t *left_out; /* by block */
    uint32_t *stack;
    bool *reaches;
};

static bool kept(const struct kept_graph *graph, uint32_t block, uint32_t which)
{
    return which > 63 || !(graph->left_out[block] >> which & 1);
}

static bool edge_to(const struct kept_graph *graph, uint32_t from, uint32_t to)
{
    const struct fw_block *block = &graph->function->blocks[from];
    for (uint32_t k = 0; k < block->successor_count; k++)
        if (block->successors[k] == to && kept(graph, from, k))
            return true;
    return false;
}

/* How many blocks reach an end. */
static uint32_t count_reaching(struct kept_graph *graph)
{
    const struct fw_function *function = graph->function;
    uint32_t depth = 0, count = 0;
    for (uint32_t b = 0; b < function->block_count; b++) {
        graph->reaches[b] = ends(function, b) && function->blocks[b].order != FW_NO_INDEX;
        if (graph->reaches[b])
            graph->stack[depth++] = b;
    }
    while (depth) {
        const uint32_t at = graph->stack[--depth];
        const struct fw_block *block = &function->blocks[at];
        count++;
        for (uint32_t k = 0; k < block->predecessor_count; k++) {
            const uint32_t from = block->predecessors[k];
            if (!graph->reaches[from] && edge_to(graph, from, at)) {
                graph->reaches[from] = true;
                graph->stack[depth++] = from;
            }
        }
    }
    return count;
}

/* Whether a block does nothing but jump. */
static bool jumps(const struct fw_function *function, uint32_t block)
{
    const struct fw_block *at = &function->blocks[block];
    return at->successor_count == 1 && at->end - at->first == 1 &&
           function->instructions[at->first].opcode == FW_OP_BRA;
}

/* Whether an edge to this block leads to nothing but the end of threads. */
static bool leads_to_end(const struct fw_function *function, uint32_t block)
{
    enum { MOST_JUMPS = 8 };
    for (unsigned step = 0; step < MOST_JUMPS && jumps(function, block); step++)
        block = function->blocks[block].successors[0];
    return ends(function, block);
}

/* Leaves out early exits, in program order: edges to a block that ends threads, or jumps to one, as
 * long as every block still reaches an end without them. */
static void leave_out(struct kept_graph *graph)
{
    const struct fw_function *function = graph->function;
    const uint32_t all = count_reaching(graph);
    uint32_t budget = 4000000 / (function->block_count + 1);
    for (uint32_t b = 0; b < function->block_count; b++) {
        const struct fw_block *block = &function->blocks[b];
        if (block->successor_count < 2)
            continue;
        for (uint32_t k = 0; k < block->successor_count && k < 64 && budget; k++) {
            if (!leads_to_end(function, block->successors[k]))
                continue;
            budget--;
            graph->left_out[b] |= (uint64_t)1 << k;
            if (count_reaching(graph) != all)
                graph->left_out[b] &= ~((uint64_t)1 << k);
        }
    }
}

/* Numbers the blocks in reverse post-order of the reversed graph. */
static struct reversed number(struct fw_arena *arena, const struct kept_graph *edges)
{
    const struct fw_function *function = edges->function;
    const uint32_t n = function->block_count;
    struct reversed graph = {1, FW_ARRAY(arena, uint32_t, n), FW_ARRAY(arena, uint32_t, n + 1)};
    uint32_t *stack = FW_ARRAY(arena, uint32_t, n + 1), *next = FW_ARRAY(arena, uint32_t, n);
    uint32_t *finished = FW_ARRAY(arena, uint32_t, n), done = 0;
    bool *seen = FW_ARRAY(arena, bool, n);
    for (uint32_t b = 0; b < n; b++)
        graph.node_of[b] = FW_NO_INDEX;
    for (uint32_t root = 0; root < n; root++) {
        if (seen[root] || !ends(function, root) || function->blocks[root].order == FW_NO_INDEX)
            continue;
        uint32_t depth = 0;
        stack[depth++] = root;
        seen[root] = true;
        while (depth) {
            const uint32_t at = stack[depth - 1];
            const struct fw_block *block = &function->blocks[at];
            if (next[at] == block->predecessor_count) {
                finished[done++] = at;
                depth--;
                continue;
            }
            const uint32_t from = block->predecessors[next[at]++];
            if (!seen[from] && edge_to(edges, from, at)) {
                seen[from] = true;
                stack[depth++] = from;
            }
        }
    }
    for (uint32_t i = done; i-- > 0;) {
        graph.node_of[finished[i]] = graph.count;
        graph.block_of[graph.count++] = finished[i];
    }
    return graph;
}

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

static uint32_t best_of(const struct kept_graph *edges, const struct reversed *graph,
                        const uint32_t *dominator, uint32_t node)
{
    const struct fw_function *function = edges->function;
    const uint32_t block = graph->block_of[node];
    if (ends(function, block))
        return 0;
    uint32_t best = FW_NO_INDEX;
    for (uint32_t k = 0; k < function->blocks[block].successor_count; k++) {
        const uint32_t to = graph->node_of[function->blocks[block].successors[k]];
        if (to == FW_NO_INDEX || !kept(edges, block, k) || dominator[to] == FW_NO_INDEX)
            continue;
        best = best == FW_NO_INDEX ? to : intersect(dominator, best, to);
    }
    return best;
}

void fw_emulate_reconverge(struct fw_arena *arena, struct emulate_code *code)
{
    const struct fw_function *function = code->function;
    const uint32_t n = function->block_count;
    struct kept_graph edges = {function, FW_ARRAY(arena, uint64_t, n), FW_ARRAY(arena, uint32_t, n),
                               FW_ARRAY(arena, bool, n)};
    leave_out(&edges);
    const struct reversed graph = number(arena, &edges);
    uint32_t *dominator = FW_ARRAY(arena, uint32_t, graph.count);
    for (uint32_t i = 1; i < graph.count; i++)
        dominator[i] = FW_NO_INDEX;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < graph.count; i++) {
            const uint32_t best = best_of(&edges, &graph, dominator, i);
            changed |= dominator[i] != best;
            dominator[i] = best;
        }
    }
    code->strict = FW_ARRAY(arena, uint32_t, n);
    code->relaxed = FW_ARRAY(arena, uint32_t, n);
    code->leaves = FW_ARRAY(arena, bool, n);
    for (uint32_t b = 0; b < n; b++) {
        code->strict[b] = function->blocks[b].post_dominator;
        const uint32_t node = graph.node_of[b];
        const uint32_t to = node == FW_NO_INDEX ? 0 : dominator[node];
        code->relaxed[b] = to == 0 || to == FW_NO_INDEX ? FW_NO_INDEX : graph.block_of[to];
        code->leaves[b] = edges.left_out[b] != 0;
    }
}
