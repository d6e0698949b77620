/* Trees by parent arrays: pre-order, jumps, and paths that are found by a node on them. */
#include "tree.h"

/* Nodes with each after its parent: children by a counting sort, then breadth first. */
static void order_nodes(struct fw_arena *arena, struct fw_tree *tree)
{
    uint32_t n = tree->count, done = 0;
    uint32_t *start = FW_ARRAY(arena, uint32_t, (size_t)n + 2);
    uint32_t *children = FW_ARRAY(arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        if (tree->parent[i] != FW_NO_INDEX)
            start[tree->parent[i] + 2]++;
        else
            tree->order[done++] = i;
    for (uint32_t i = 1; i <= n; i++)
        start[i + 1] += start[i];
    for (uint32_t i = 0; i < n; i++)
        if (tree->parent[i] != FW_NO_INDEX)
            children[start[tree->parent[i] + 1]++] = i;
    for (uint32_t at = 0; at < done; at++) {
        uint32_t node = tree->order[at];
        for (uint32_t c = start[node]; c < start[node + 1]; c++)
            tree->order[done++] = children[c];
    }
}

/* A jump spans two equal jumps below it, or leads to the parent alone. */
static void add_jump(struct fw_tree *tree, uint32_t node)
{
    uint32_t parent = tree->parent[node];
    tree->jump[node] = parent;
    if (parent == FW_NO_INDEX)
        return;
    tree->depth[node] = tree->depth[parent] + 1;
    uint32_t once = tree->jump[parent];
    uint32_t twice = once == FW_NO_INDEX ? FW_NO_INDEX : tree->jump[once];
    if (twice != FW_NO_INDEX &&
        tree->depth[parent] - tree->depth[once] == tree->depth[once] - tree->depth[twice])
        tree->jump[node] = twice;
}

struct fw_tree fw_tree_new(struct fw_arena *arena, uint32_t *parent, uint32_t count)
{
    struct fw_tree tree = {.count = count,
                           .parent = parent,
                           .order = FW_ARRAY(arena, uint32_t, count),
                           .first = FW_ARRAY(arena, uint32_t, count),
                           .last = FW_ARRAY(arena, uint32_t, count),
                           .depth = FW_ARRAY(arena, uint32_t, count),
                           .jump = FW_ARRAY(arena, uint32_t, count)};
    uint32_t *next = FW_ARRAY(arena, uint32_t, count); /* first position for a child to come */
    uint32_t position = 0;
    order_nodes(arena, &tree);
    for (uint32_t i = 0; i < count; i++)
        tree.last[i] = 1; /* how many are below, first of all */
    for (uint32_t i = count; i-- > 0;)
        if (parent[tree.order[i]] != FW_NO_INDEX)
            tree.last[parent[tree.order[i]]] += tree.last[tree.order[i]];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = tree.order[i];
        uint32_t *from = parent[node] == FW_NO_INDEX ? &position : &next[parent[node]];
        tree.first[node] = *from;
        *from += tree.last[node];
        next[node] = tree.first[node] + 1;
        tree.last[node] += tree.first[node] - 1;
        add_jump(&tree, node);
    }
    return tree;
}

struct fw_tree fw_dominator_tree(struct fw_arena *arena, const struct fw_function *function)
{
    uint32_t *parent = FW_ARRAY(arena, uint32_t, function->block_count);
    for (uint32_t b = 0; b < function->block_count; b++)
        parent[b] = function->blocks[b].dominator;
    return fw_tree_new(arena, parent, function->block_count);
}

static void fill_heap(struct fw_tree_paths *paths)
{
    for (uint32_t p = 0; p < paths->leaves; p++)
        paths->top[paths->leaves + p] = p < paths->count ? paths->reach[p] : UINT32_MAX;
    for (uint32_t i = paths->leaves; i-- > 1;) {
        uint32_t left = paths->top[2 * i], right = paths->top[2 * i + 1];
        paths->top[i] = left < right ? left : right;
    }
}

struct fw_tree_paths fw_tree_paths_new(struct fw_arena *arena, const struct fw_tree *tree,
                                       const uint32_t *bottom, const uint32_t *top,
                                       const uint32_t *user, uint32_t count)
{
    struct fw_tree_paths paths = {.tree = tree,
                                  .count = count,
                                  .start = FW_ARRAY(arena, uint32_t, (size_t)tree->count + 2),
                                  .user = FW_ARRAY(arena, uint32_t, count),
                                  .reach = FW_ARRAY(arena, uint32_t, count),
                                  .leaves = 1};
    while (paths.leaves < count)
        paths.leaves *= 2;
    paths.top = FW_ARRAY(arena, uint32_t, (size_t)paths.leaves * 2);
    for (uint32_t p = 0; p < count; p++)
        paths.start[tree->first[bottom[p]] + 2]++;
    for (uint32_t i = 1; i <= tree->count; i++)
        paths.start[i + 1] += paths.start[i];
    for (uint32_t p = 0; p < count; p++) {
        uint32_t to = paths.start[tree->first[bottom[p]] + 1]++;
        paths.user[to] = user[p];
        paths.reach[to] = top[p];
    }
    fill_heap(&paths);
    return paths;
}

/* A leaf from `begin` to before `end` that reaches up to `depth` or further; 0: none. */
static uint32_t find_leaf(const struct fw_tree_paths *paths, uint32_t begin, uint32_t end,
                          uint32_t depth)
{
    uint32_t found = 0;
    for (begin += paths->leaves, end += paths->leaves; begin < end && !found;
         begin /= 2, end /= 2) {
        if (begin & 1 && paths->top[begin++] <= depth)
            found = begin - 1;
        if (!found && end & 1 && paths->top[--end] <= depth)
            found = end;
    }
    while (found && found < paths->leaves)
        found = paths->top[2 * found] <= depth ? 2 * found : 2 * found + 1;
    return found;
}

uint32_t fw_tree_paths_take(struct fw_tree_paths *paths, uint32_t node)
{
    const struct fw_tree *tree = paths->tree;
    uint32_t leaf = find_leaf(paths, paths->start[tree->first[node]],
                              paths->start[tree->last[node] + 1], tree->depth[node]);
    if (!leaf)
        return FW_NO_INDEX;
    paths->top[leaf] = UINT32_MAX;
    for (uint32_t i = leaf / 2; i >= 1; i /= 2) {
        uint32_t left = paths->top[2 * i], right = paths->top[2 * i + 1];
        paths->top[i] = left < right ? left : right;
    }
    return paths->user[leaf - paths->leaves];
}
