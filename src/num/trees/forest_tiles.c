/* From grown trees to tiles.
 *
 * A tile begins at a node and takes the child with the most leaves below, then the next, until it
 * has eleven nodes: a row leaves it by one of twelve exits, and most rows pass few tiles, however
 * deep the tree is on one side.  Where an exit is neither a leaf, a tile begins.  Each exit knows
 * which nodes lie on the way to it and where the way goes right, so that all nodes of a tile are
 * compared at once and the exit is the one that all its nodes agree on. */
#include "forest_internal.h"

#include <math.h>
#include <string.h>

/* A node below those that a tile has taken. */
struct edge {
    uint32_t node;
    uint16_t asked, answers;
};

struct tiling {
    const struct grown_tree *tree;
    uint32_t *leaves; /* by node: leaves below */
    uint64_t *stack;  /* nodes that tiles begin at, with their tiles */
    struct forest_tile *tiles;
    float *values;
    size_t tile_count, value_count, waiting;
    double grid;
};

static bool allowed(const struct fw_forest *forest, const struct grown_tree *trees)
{
    for (uint32_t t = 0; t < forest->trees; t++)
        if (trees[t].nodes.count > TILE_LEAF)
            return false;
    return forest->steps && forest->features <= TILE_FEATURES;
}

static void count_leaves(struct tiling *tiling)
{
    const struct grown_tree *tree = tiling->tree;
    for (size_t n = tree->nodes.count; n-- > 0;) {
        uint32_t left = tree->nodes.at[n].left;
        tiling->leaves[n] = left ? tiling->leaves[left] + tiling->leaves[left + 1] : 1;
    }
}

/* The edge with the most leaves below; `count`: all are leaves. */
static unsigned heaviest(const struct tiling *tiling, const struct edge *edges, unsigned count)
{
    unsigned found = count;
    uint32_t most = 1;
    for (unsigned e = 0; e < count; e++)
        if (tiling->leaves[edges[e].node] > most) {
            most = tiling->leaves[edges[e].node];
            found = e;
        }
    return found;
}

static uint16_t exit_of(struct tiling *tiling, uint32_t node)
{
    const struct grown_node *at = &tiling->tree->nodes.at[node];
    if (!at->left) {
        tiling->values[tiling->value_count] = forest_leaf(at->value, tiling->grid);
        return (uint16_t)(TILE_LEAF | tiling->value_count++);
    }
    tiling->stack[tiling->waiting++] = (uint64_t)node << 32 | tiling->tile_count;
    return (uint16_t)tiling->tile_count++;
}

static void fill_tile(struct tiling *tiling, struct forest_tile *tile, uint32_t root)
{
    struct edge edges[TILE_EXITS] = {{.node = root}};
    unsigned count = 1, taken;
    tile->features[0] = tile->features[1] = 0;
    for (unsigned s = 0; s <= TILE_SLOTS; s++)
        tile->cuts[s] = INFINITY;
    while (count < TILE_EXITS && (taken = heaviest(tiling, edges, count)) < count) {
        const struct grown_node *node = &tiling->tree->nodes.at[edges[taken].node];
        unsigned slot = count - 1;
        tile->cuts[slot] = node->cut;
        tile->features[slot % 2] |= node->feature << 4 * (slot / 2);
        edges[taken].asked |= (uint16_t)(1u << slot);
        edges[count] = edges[taken];
        edges[taken].node = node->left;
        edges[count].node = node->left + 1;
        edges[count++].answers |= (uint16_t)(1u << slot);
    }
    for (unsigned e = count; e < TILE_EXITS; e++) {
        tile->asked[e] = tile->answers[e] = TILE_NEVER; /* nothing is more than the last cut */
        tile->exits[e] = 0;
    }
    for (unsigned e = 0; e < count; e++) {
        tile->asked[e] = edges[e].asked;
        tile->answers[e] = edges[e].answers;
        tile->exits[e] = exit_of(tiling, edges[e].node);
    }
}

static void tile_tree(struct tiling *tiling)
{
    tiling->waiting = 0;
    tiling->tile_count = 1;
    tiling->value_count = 0;
    count_leaves(tiling);
    tiling->stack[tiling->waiting++] = 0;
    while (tiling->waiting) {
        uint64_t next = tiling->stack[--tiling->waiting];
        fill_tile(tiling, &tiling->tiles[(uint32_t)next], (uint32_t)(next >> 32));
    }
}

void forest_tile(struct fw_forest *forest, const struct grown_tree *trees, double grid,
                 struct fw_arena *scratch)
{
    size_t most = 0, tiles = 0, values = 0;
    forest->steps = forest_steps_of(0);
    if (!allowed(forest, trees))
        return;
    for (uint32_t t = 0; t < forest->trees; t++)
        most = most > trees[t].nodes.count ? most : trees[t].nodes.count;
    struct tiling tiling = {.leaves = FW_ARRAY(scratch, uint32_t, most),
                            .stack = FW_ARRAY(scratch, uint64_t, most),
                            .tiles = FW_ARRAY(scratch, struct forest_tile, most),
                            .values = FW_ARRAY(scratch, float, most),
                            .grid = grid};
    struct forest_tile **of_tree = FW_ARRAY(scratch, struct forest_tile *, forest->trees);
    forest->tile_starts = FW_ARRAY(forest->arena, size_t, forest->trees + 1);
    forest->value_starts = FW_ARRAY(forest->arena, size_t, forest->trees + 1);
    forest->values = FW_ARRAY(forest->arena, float, forest->leaves);
    for (uint32_t t = 0; t < forest->trees; t++) {
        tiling.tree = &trees[t];
        tile_tree(&tiling);
        of_tree[t] =
            fw_arena_copy(scratch, tiling.tiles, tiling.tile_count * sizeof(*tiling.tiles));
        memcpy(forest->values + values, tiling.values, tiling.value_count * sizeof(float));
        forest->tile_starts[t] = tiles;
        forest->value_starts[t] = values;
        tiles += tiling.tile_count;
        values += tiling.value_count;
    }
    forest->tile_starts[forest->trees] = tiles;
    forest->value_starts[forest->trees] = values;
    forest->tiles = forest_lines_new(tiles * sizeof(struct forest_tile));
    if (!forest->tiles)
        fw_arena_give_up(scratch, FW_ERROR_MEMORY);
    for (uint32_t t = 0; t < forest->trees; t++)
        memcpy(forest->tiles + forest->tile_starts[t], of_tree[t],
               (forest->tile_starts[t + 1] - forest->tile_starts[t]) * sizeof(struct forest_tile));
}
