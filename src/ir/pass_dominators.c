/* dominators: immediate dominators and post-dominators.  Needs cfg.
 * Lengauer, Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph" (1979), with path
 * compression alone: m log n steps, however the graph looks. */
#include "passes.h"

/* A graph whose node 0 is the root and whose edges into each node come from `sources`; every node
 * can be reached from the root. */
struct graph {
    uint32_t count;
    uint32_t *start; /* count + 1 */
    uint32_t *sources;
};

/* The state of the algorithm.  Nodes are known by their numbers in depth-first order, but for
 * `number` and `node`, which translate. */
struct search {
    const struct graph *graph;
    uint32_t *node;      /* by number */
    uint32_t *number;    /* by node */
    uint32_t *parent;    /* in the depth-first tree */
    uint32_t *semi;      /* semi-dominator */
    uint32_t *ancestor;  /* in the forest of what was looked at; FW_NO_INDEX: a root */
    uint32_t *label;     /* the node of least semi-dominator from here up to the forest's root */
    uint32_t *dominator; /* immediate */
    uint32_t *bucket;    /* by number: 1 + the first node whose semi-dominator it is, 0: none */
    uint32_t *next;      /* in a bucket, likewise */
    uint32_t *stack;
};

/* The edges the other way round: `start` and targets, in the arena. */
static struct graph reversed(struct fw_arena *arena, const struct graph *graph)
{
    uint32_t edges = graph->start[graph->count];
    struct graph out = {.count = graph->count,
                        .start = FW_ARRAY(arena, uint32_t, (size_t)graph->count + 2),
                        .sources = FW_ARRAY(arena, uint32_t, edges)};
    for (uint32_t e = 0; e < edges; e++)
        out.start[graph->sources[e] + 2]++;
    for (uint32_t i = 1; i <= graph->count; i++)
        out.start[i + 1] += out.start[i];
    for (uint32_t i = 0; i < graph->count; i++)
        for (uint32_t e = graph->start[i]; e < graph->start[i + 1]; e++)
            out.sources[out.start[graph->sources[e] + 1]++] = i;
    return out;
}

static void number_nodes(struct fw_arena *arena, struct search *s)
{
    struct graph out = reversed(arena, s->graph);
    uint32_t n = s->graph->count, depth = 0, count = 0;
    uint32_t *edge = FW_ARRAY(arena, uint32_t, n); /* by node: how many are done */
    for (uint32_t i = 0; i < n; i++)
        s->number[i] = FW_NO_INDEX;
    s->node[0] = s->number[0] = 0;
    s->stack[depth++] = count++;
    while (depth) {
        uint32_t at = s->stack[depth - 1], node = s->node[at];
        uint32_t next = out.start[node] + edge[node]++;
        if (next == out.start[node + 1]) {
            depth--;
            continue;
        }
        uint32_t to = out.sources[next];
        if (s->number[to] != FW_NO_INDEX)
            continue;
        s->node[count] = to;
        s->number[to] = count;
        s->parent[count] = at;
        s->stack[depth++] = count++;
    }
}

/* The node of least semi-dominator on the way up; the way is compressed without recursion. */
static uint32_t evaluate(struct search *s, uint32_t v)
{
    uint32_t depth = 0;
    if (s->ancestor[v] == FW_NO_INDEX)
        return v;
    for (uint32_t at = v; s->ancestor[s->ancestor[at]] != FW_NO_INDEX; at = s->ancestor[at])
        s->stack[depth++] = at;
    while (depth) {
        uint32_t at = s->stack[--depth], above = s->ancestor[at];
        if (s->semi[s->label[above]] < s->semi[s->label[at]])
            s->label[at] = s->label[above];
        s->ancestor[at] = s->ancestor[above];
    }
    return s->label[v];
}

static void visit_node(struct search *s, uint32_t w)
{
    const struct graph *graph = s->graph;
    uint32_t node = s->node[w], parent = s->parent[w];
    for (uint32_t e = graph->start[node]; e < graph->start[node + 1]; e++) {
        uint32_t least = evaluate(s, s->number[graph->sources[e]]);
        if (s->semi[least] < s->semi[w])
            s->semi[w] = s->semi[least];
    }
    s->next[w] = s->bucket[s->semi[w]];
    s->bucket[s->semi[w]] = w + 1;
    s->ancestor[w] = parent;
    for (uint32_t v = s->bucket[parent]; v; v = s->next[v - 1]) {
        uint32_t least = evaluate(s, v - 1);
        s->dominator[v - 1] = s->semi[least] < s->semi[v - 1] ? least : parent;
    }
    s->bucket[parent] = 0;
}

/* Immediate dominators by node; the root's is itself. */
static uint32_t *solve(struct fw_arena *arena, const struct graph *graph)
{
    uint32_t n = graph->count;
    uint32_t *dominator = FW_ARRAY(arena, uint32_t, n);
    struct fw_arena_mark mark = fw_arena_mark(arena);
    struct search s = {.graph = graph,
                       .node = FW_ARRAY(arena, uint32_t, n),
                       .number = FW_ARRAY(arena, uint32_t, n),
                       .parent = FW_ARRAY(arena, uint32_t, n),
                       .semi = FW_ARRAY(arena, uint32_t, n),
                       .ancestor = FW_ARRAY(arena, uint32_t, n),
                       .label = FW_ARRAY(arena, uint32_t, n),
                       .dominator = FW_ARRAY(arena, uint32_t, n),
                       .bucket = FW_ARRAY(arena, uint32_t, n),
                       .next = FW_ARRAY(arena, uint32_t, n),
                       .stack = FW_ARRAY(arena, uint32_t, (size_t)n + 1)};
    for (uint32_t i = 0; i < n; i++) {
        s.semi[i] = s.label[i] = i;
        s.ancestor[i] = FW_NO_INDEX;
    }
    number_nodes(arena, &s);
    for (uint32_t w = n; w-- > 1;)
        visit_node(&s, w);
    for (uint32_t w = 1; w < n; w++) {
        if (s.dominator[w] != s.semi[w])
            s.dominator[w] = s.dominator[s.dominator[w]];
        dominator[s.node[w]] = s.node[s.dominator[w]];
    }
    fw_arena_release(arena, mark);
    return dominator;
}

uint32_t *fw_graph_dominators(struct fw_arena *arena, uint32_t count, uint32_t *start,
                              uint32_t *sources)
{
    struct graph graph = {count, start, sources};
    return solve(arena, &graph);
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
