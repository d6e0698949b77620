/* From grown trees to nodes of 8 bytes.
 *
 * A cache line holds four pairs of siblings.  Beginning at a tree's root, a line takes the children
 * of its node that has the most leaves below, then those of the next, until it is full; what is
 * left over begins lines of its own.  So a path from root to leaf touches few lines.  The roots of
 * all trees stand side by side in front. */
#include "forest_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LINE_PAIRS = 4, LARGE_PAGE = 1 << 21, LINKS_MOST = (1 << 24) - 1 };

struct packing {
    struct fw_forest *forest;
    struct fw_arena *scratch;
    const struct grown_tree *tree;
    uint32_t *leaves; /* by grown node: leaves below */
    uint32_t *pairs;  /* by grown node: the pair of its children */
    size_t lines;
    size_t open[LINE_PAIRS]; /* a line with so many free pairs; 0: none */
    double grid;             /* leaves are multiples of it */
};

/* Leaves below each node; children stand behind their parent. */
static void count_leaves(struct packing *packing)
{
    const struct grown_tree *tree = packing->tree;
    for (size_t n = tree->nodes.count; n-- > 0;) {
        uint32_t left = tree->nodes.at[n].left;
        packing->leaves[n] = left ? packing->leaves[left] + packing->leaves[left + 1] : 1;
    }
}

/* The first of `count` pairs of one line. */
static size_t take_pairs(struct packing *packing, size_t count)
{
    for (size_t left = count; left < LINE_PAIRS; left++) {
        size_t line = packing->open[left];
        if (!line)
            continue;
        packing->open[left] = 0;
        if (left > count)
            packing->open[left - count] = line;
        return line * LINE_PAIRS + LINE_PAIRS - left;
    }
    size_t line = packing->lines++;
    if (count < LINE_PAIRS)
        packing->open[LINE_PAIRS - count] = line;
    return line * LINE_PAIRS;
}

/* Takes the node with the most leaves out of a list. */
static uint32_t take_heaviest(uint32_t *nodes, size_t *count, const uint32_t *leaves)
{
    size_t heaviest = 0;
    for (size_t n = 1; n < *count; n++)
        if (leaves[nodes[n]] > leaves[nodes[heaviest]])
            heaviest = n;
    uint32_t taken = nodes[heaviest];
    nodes[heaviest] = nodes[--*count];
    return taken;
}

/* Fills one line from a split node; splits that it has no room for go onto the stack. */
static void fill_line(struct packing *packing, uint32_t *stack, size_t *waiting)
{
    const struct grown_node *nodes = packing->tree->nodes.at;
    uint32_t front[LINE_PAIRS + 1] = {stack[--*waiting]}, parents[LINE_PAIRS];
    size_t count = 1, taken = 0;
    while (count && taken < LINE_PAIRS) {
        uint32_t node = take_heaviest(front, &count, packing->leaves);
        parents[taken++] = node;
        for (uint32_t child = nodes[node].left; child < nodes[node].left + 2; child++)
            if (nodes[child].left)
                front[count++] = child;
    }
    size_t first = take_pairs(packing, taken);
    for (size_t p = 0; p < taken; p++)
        packing->pairs[parents[p]] = (uint32_t)(first + p);
    for (size_t n = 0; n < count; n++)
        stack[(*waiting)++] = front[n];
}

static void place_tree(struct packing *packing, uint32_t *stack)
{
    size_t waiting = 0;
    count_leaves(packing);
    if (packing->tree->nodes.at[0].left)
        stack[waiting++] = 0;
    while (waiting)
        fill_line(packing, stack, &waiting);
}

/* The node at a place. */
static struct fw_forest_node node_at(const struct packing *packing, uint32_t node, size_t place)
{
    const struct grown_node *from = &packing->tree->nodes.at[node];
    const struct fw_forest *forest = packing->forest;
    if (from->left)
        return (struct fw_forest_node){from->cut, packing->pairs[node] << 8 | from->feature};
    uint32_t mark = forest->features + (uint32_t)(place & 1);
    return (struct fw_forest_node){forest_leaf(from->value, packing->grid),
                                   (uint32_t)(place / 2) << 8 | mark};
}

static void write_tree(struct packing *packing, size_t root)
{
    struct fw_forest_node *nodes = packing->forest->nodes;
    const struct grown_tree *tree = packing->tree;
    nodes[root] = node_at(packing, 0, root);
    for (uint32_t n = 0; n < tree->nodes.count; n++)
        for (uint32_t side = 0; side < 2 && tree->nodes.at[n].left; side++) {
            size_t place = 2 * (size_t)packing->pairs[n] + side;
            nodes[place] = node_at(packing, tree->nodes.at[n].left + side, place);
        }
}

/* A power of two so small against the greatest leaf that multiples of it, one a tree, add up to no
 * more than 53 bits. */
static double grid_of(const struct grown_tree *trees, size_t count)
{
    double most = 0;
    int exponent, bits = 0;
    for (size_t t = 0; t < count; t++)
        for (size_t n = 0; n < trees[t].nodes.count; n++)
            if (!trees[t].nodes.at[n].left)
                most = fmax(most, fabs(trees[t].nodes.at[n].value));
    if (most == 0)
        return 0;
    frexp(most, &exponent);
    while ((size_t)1 << bits < count)
        bits++;
    return ldexp(1, exponent + 1 - (53 - bits));
}

void *forest_lines_new(size_t size)
{
    size_t page = size >= LARGE_PAGE ? LARGE_PAGE : LINE_BYTES;
    void *nodes = aligned_alloc(page, (size + page - 1) / page * page);
    if (nodes && page == LARGE_PAGE)
        madvise(nodes, (size + page - 1) / page * page, MADV_HUGEPAGE);
    return nodes ? memset(nodes, 0, size) : NULL;
}

bool forest_pack(struct fw_forest *forest, const struct grown_tree *trees, struct fw_arena *scratch)
{
    struct packing packing = {.forest = forest, .scratch = scratch};
    size_t all = 0, most = 0, root_lines = (forest->trees + 2 * LINE_PAIRS - 1) / (2 * LINE_PAIRS);
    for (size_t t = 0; t < forest->trees; t++) {
        size_t count = trees[t].nodes.count;
        all += count / 2;
        most = most > count ? most : count;
    }
    packing.lines = root_lines;
    forest->starts = FW_ARRAY(forest->arena, size_t, forest->trees + 1);
    uint32_t **pairs = FW_ARRAY(scratch, uint32_t *, forest->trees);
    uint32_t *stack = FW_ARRAY(scratch, uint32_t, most + 1);
    packing.leaves = FW_ARRAY(scratch, uint32_t, most);
    for (size_t t = 0; t < forest->trees; t++) {
        packing.tree = &trees[t];
        packing.pairs = pairs[t] = FW_ARRAY(scratch, uint32_t, trees[t].nodes.count);
        forest->starts[t] = 2 * LINE_PAIRS * packing.lines;
        place_tree(&packing, stack);
    }
    forest->starts[forest->trees] = 2 * LINE_PAIRS * packing.lines;
    if (all > LINKS_MOST || packing.lines * LINE_PAIRS > LINKS_MOST)
        return false;
    forest->pairs = packing.lines * LINE_PAIRS;
    forest->leaves = all + forest->trees;
    forest->nodes = forest_lines_new(packing.lines * LINE_BYTES);
    if (!forest->nodes)
        fw_arena_give_up(scratch, FW_ERROR_MEMORY);
    packing.grid = grid_of(trees, forest->trees);
    for (size_t t = 0; t < forest->trees; t++) {
        packing.tree = &trees[t];
        packing.pairs = pairs[t];
        write_tree(&packing, t);
        forest->depth += trees[t].depth;
    }
    forest->depth /= forest->trees;
    forest_tile(forest, trees, packing.grid, scratch);
    return true;
}
