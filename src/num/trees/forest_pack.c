/* From grown trees to nodes of 8 bytes.
 *
 * A cache line holds four pairs of siblings.  Beginning at a tree's root, a line takes the children
 * of its node that has the most leaves below, then those of the next, until it is full; what is
 * left over begins lines of its own.  So a path from root to leaf touches few lines.
 *
 * A tree is packed by the thread that grew it, while its nodes are in the nearest cache.  The
 * forest joins packed trees: the roots of all stand side by side in front, and links move. */
#include "forest_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 1 << 21, LINKS_MOST = (1 << 24) - 1, LINE_NODES = 2 * FOREST_PAIRS };

double forest_grid(double most, size_t trees)
{
    int exponent, bits = 0;
    if (most == 0)
        return 0;
    frexp(most, &exponent);
    while ((size_t)1 << bits < trees)
        bits++;
    return ldexp(1, exponent + 1 - (53 - bits));
}

/* ---- one tree ---- */

void forest_packing_begin(struct forest_packing *packing, struct fw_arena *arena, size_t nodes,
                          uint32_t features)
{
    const size_t tiled = nodes < TILE_LEAF ? nodes : TILE_LEAF;
    *packing = (struct forest_packing){
        .features = features,
        .leaves = FW_ARRAY(arena, uint32_t, nodes + 1),
        .pairs = FW_ARRAY(arena, uint32_t, nodes / 2 + 1),
        .stack = FW_ARRAY(arena, uint64_t, nodes + 1),
        .tiles = FW_ARRAY(arena, struct forest_tile, tiled / 2 + 1), /* a tile begins at a split */
        .values = FW_ARRAY(arena, float, tiled / 2 + 1)};
}

/* Leaves below each node; children stand behind their parent.  A leaf reads places that it does not
 * need. */
static void count_leaves(struct forest_packing *packing)
{
    const struct grown_tree *tree = packing->tree;
    uint32_t *leaves = packing->leaves;
    for (size_t n = tree->count; n-- > 0;) {
        uint32_t left = tree->nodes[n].left, sum = leaves[left] + leaves[left + 1];
        leaves[n] = forest_pick(left, sum, 1);
    }
}

/* The first of `count` pairs of one line. */
static uint32_t take_pairs(struct forest_packing *packing, uint32_t count)
{
    for (uint32_t left = count; left < FOREST_PAIRS; left++) {
        uint32_t line = packing->open[left];
        if (!line)
            continue;
        packing->open[left] = 0;
        if (left > count)
            packing->open[left - count] = line;
        return line * FOREST_PAIRS - left;
    }
    uint32_t line = ++packing->lines;
    if (count < FOREST_PAIRS)
        packing->open[FOREST_PAIRS - count] = line;
    return (line - 1) * FOREST_PAIRS;
}

/* A split with the leaves below it, such that that with the most of them is the greatest; 0: the
 * node is a leaf. */
static uint64_t split_key(const struct forest_packing *packing, uint32_t node)
{
    uint64_t key = (uint64_t)packing->leaves[node] << 32 | node;
    return key & -(uint64_t)(packing->tree->nodes[node].left != 0);
}

/* Fills one line from a split; splits that it has no room for go onto the stack. */
static void fill_line(struct forest_packing *packing)
{
    const struct grown_node *nodes = packing->tree->nodes;
    uint64_t front[FOREST_PAIRS + 1] = {packing->stack[--packing->waiting]};
    uint32_t parents[FOREST_PAIRS], taken = 0;
    while (taken < FOREST_PAIRS) {
        uint64_t most = front[0];
        uint32_t heaviest = 0;
        for (uint32_t n = 1; n <= taken; n++)
            most = front[n] > most ? front[n] : most;
        if (!most)
            break;
        for (uint32_t n = 1; n <= taken; n++)
            heaviest += n * (front[n] == most);
        uint32_t node = (uint32_t)most, left = nodes[node].left;
        parents[taken++] = node;
        front[heaviest] = split_key(packing, left);
        front[taken] = split_key(packing, left + 1);
    }
    uint32_t first = take_pairs(packing, taken);
    for (uint32_t p = 0; p < taken; p++)
        packing->pairs[nodes[parents[p]].left / 2] = first + p;
    for (uint32_t n = 0; n <= taken; n++) {
        packing->stack[packing->waiting] = front[n];
        packing->waiting += front[n] != 0;
    }
}

/* Pairs in the order of the tree's nodes. */
static void keep_order(struct forest_packing *packing)
{
    const uint32_t pairs = packing->tree->count / 2;
    for (uint32_t p = 0; p < pairs; p++)
        packing->pairs[p] = p;
    packing->lines = (pairs + FOREST_PAIRS - 1) / FOREST_PAIRS;
}

/* Pairs that a way passes one behind the other in one line, as far as it has room. */
static void fill_lines(struct forest_packing *packing)
{
    memset(packing->open, 0, sizeof(packing->open));
    count_leaves(packing);
    packing->stack[0] = split_key(packing, 0);
    packing->waiting = packing->stack[0] != 0;
    while (packing->waiting)
        fill_line(packing);
}

/* The node at a place of the tree. */
static struct fw_forest_node node_at(const struct forest_packing *packing, uint32_t node,
                                     uint32_t place)
{
    const struct grown_node *from = &packing->tree->nodes[node];
    const uint32_t split = packing->pairs[from->left / 2] << 8 | from->feature;
    const uint32_t leaf = place / 2 << 8 | (packing->features + (place & 1));
    return (struct fw_forest_node){from->value, forest_pick(from->left, split, leaf)};
}

void forest_pack(struct packed_tree *packed, struct forest_packing *packing,
                 const struct grown_tree *tree, struct fw_arena *arena)
{
    packing->tree = tree;
    packing->lines = packing->waiting = 0;
    if (packing->in_order)
        keep_order(packing);
    else
        fill_lines(packing);
    *packed = (struct packed_tree){
        .root = node_at(packing, 0, 0),
        .nodes = FW_ARRAY(arena, struct fw_forest_node, (size_t)packing->lines * LINE_NODES),
        .lines = packing->lines,
        .leaves = (tree->count + 1) / 2,
        .depth = tree->depth};
    for (uint32_t n = 1; n < tree->count; n++) {
        uint32_t place =
            2 * packing->pairs[(n - 1) / 2] + !(n & 1); /* left ones have odd numbers */
        packed->nodes[place] = node_at(packing, n, place);
    }
    if (!packing->in_order)
        forest_tile(packed, packing, arena);
}

/* ---- a forest ---- */

/* Zeroed cache lines, to be freed; large ones in large pages, because each path reads many of them.
 * NULL: there is no memory. */
static void *lines_new(size_t size)
{
    size_t page = size >= LARGE_PAGE ? LARGE_PAGE : LINE_BYTES;
    void *nodes = aligned_alloc(page, (size + page - 1) / page * page);
    if (nodes && page == LARGE_PAGE)
        madvise(nodes, (size + page - 1) / page * page, MADV_HUGEPAGE);
    return nodes ? memset(nodes, 0, size) : NULL;
}

/* Where the parts of trees begin; false: there are more nodes than links can tell. */
static bool place_trees(struct fw_forest *forest, const struct packed_tree *packed)
{
    size_t lines = (forest->trees + LINE_NODES - 1) / LINE_NODES, tiles = 0, leaves = 0;
    double depths = 0;
    forest->starts = FW_ARRAY(forest->arena, size_t, forest->trees + 1);
    forest->tile_starts = FW_ARRAY(forest->arena, size_t, forest->trees + 1);
    forest->value_starts = FW_ARRAY(forest->arena, size_t, forest->trees + 1);
    for (uint32_t t = 0; t < forest->trees; t++) {
        forest->starts[t] = lines * LINE_NODES;
        forest->tile_starts[t] = tiles;
        forest->value_starts[t] = leaves;
        lines += packed[t].lines;
        tiles += packed[t].tile_count;
        leaves += packed[t].leaves;
        depths += packed[t].depth;
    }
    forest->starts[forest->trees] = lines * LINE_NODES;
    forest->tile_starts[forest->trees] = tiles;
    forest->value_starts[forest->trees] = leaves;
    forest->pairs = lines * FOREST_PAIRS;
    forest->leaves = leaves;
    forest->depth = depths / forest->trees;
    return forest->pairs <= LINKS_MOST;
}

/* Links count from the forest's first node now. */
static void join_nodes(struct fw_forest *forest, const struct packed_tree *packed, uint32_t t)
{
    const size_t count = (size_t)packed->lines * LINE_NODES;
    const uint32_t moved = (uint32_t)(forest->starts[t] / 2) << 8;
    struct fw_forest_node *to = forest->nodes + forest->starts[t], *root = &forest->nodes[t];
    for (size_t n = 0; n < count; n++)
        to[n] = (struct fw_forest_node){packed->nodes[n].cut, packed->nodes[n].link + moved};
    *root = packed->root;
    if (count)
        root->link += moved;
    else /* a leaf */
        root->link = t / 2 << 8 | (forest->features + (t & 1));
}

static bool all_tiled(const struct packed_tree *packed, uint32_t trees)
{
    for (uint32_t t = 0; t < trees; t++)
        if (!packed[t].tiles)
            return false;
    return true;
}

static enum fw_status join_tiles(struct fw_forest *forest, const struct packed_tree *packed)
{
    forest->steps = forest_steps_of(0);
    if (!all_tiled(packed, forest->trees))
        return FW_OK;
    forest->values = FW_ARRAY(forest->arena, float, forest->leaves);
    forest->tiles = lines_new(forest->tile_starts[forest->trees] * sizeof(struct forest_tile));
    if (!forest->tiles)
        return FW_ERROR_MEMORY;
    for (uint32_t t = 0; t < forest->trees; t++) {
        memcpy(forest->tiles + forest->tile_starts[t], packed[t].tiles,
               packed[t].tile_count * sizeof(struct forest_tile));
        memcpy(forest->values + forest->value_starts[t], packed[t].values,
               packed[t].leaves * sizeof(float));
    }
    return FW_OK;
}

enum fw_status forest_join(struct fw_forest *forest, const struct packed_tree *packed)
{
    if (!place_trees(forest, packed))
        return FW_ERROR_INPUT;
    forest->nodes = lines_new(forest->starts[forest->trees] * sizeof(*forest->nodes));
    if (!forest->nodes)
        return FW_ERROR_MEMORY;
    for (uint32_t t = 0; t < forest->trees; t++)
        join_nodes(forest, &packed[t], t);
    return join_tiles(forest, packed);
}
