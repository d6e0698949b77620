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

/* The edges below the nodes that a tile has taken. */
struct front {
    uint64_t keys[TILE_EXITS]; /* of splits: leaves below, and the edge; of leaves: 0 */
    struct edge edges[TILE_EXITS];
};

static void set_edge(struct front *front, const struct forest_packing *packing, uint32_t place,
                     struct edge edge)
{
    const uint64_t key = (uint64_t)packing->leaves[edge.node] << 32 | place;
    front->edges[place] = edge;
    front->keys[place] = key & -(uint64_t)(packing->tree->nodes[edge.node].left != 0);
}

/* The key of the split with the most leaves below, of `count` edges; 0: there is none. */
static uint64_t heaviest(const struct front *front, unsigned count)
{
    uint64_t most = 0;
    for (unsigned e = 0; e < count; e++)
        most = front->keys[e] > most ? front->keys[e] : most;
    return most;
}

static uint16_t exit_of(struct forest_packing *packing, uint32_t node)
{
    const struct grown_node *at = &packing->tree->nodes[node];
    const bool split = at->left;
    const uint32_t code = forest_pick(split, packing->tile_count, TILE_LEAF | packing->value_count);
    packing->values[packing->value_count] = at->value;
    packing->stack[packing->waiting] = (uint64_t)node << 32 | packing->tile_count;
    packing->value_count += !split;
    packing->waiting += split;
    packing->tile_count += split;
    return (uint16_t)code;
}

static void fill_tile(struct forest_packing *packing, struct forest_tile *tile, uint32_t root)
{
    struct front front;
    uint32_t count = 1;
    uint64_t key;
    tile->features[0] = tile->features[1] = 0;
    for (unsigned s = 0; s <= TILE_SLOTS; s++)
        tile->cuts[s] = INFINITY;
    set_edge(&front, packing, 0, (struct edge){.node = root});
    while (count < TILE_EXITS && (key = heaviest(&front, count))) {
        uint32_t taken = (uint32_t)key, slot = count - 1;
        struct edge left = front.edges[taken], right;
        const struct grown_node *node = &packing->tree->nodes[left.node];
        tile->cuts[slot] = node->value;
        tile->features[slot % 2] |= node->feature << 4 * (slot / 2);
        left.asked |= (uint16_t)(1u << slot);
        left.node = node->left;
        right = left;
        right.node++;
        right.answers |= (uint16_t)(1u << slot);
        set_edge(&front, packing, taken, left);
        set_edge(&front, packing, count++, right);
    }
    for (unsigned e = count; e < TILE_EXITS; e++) {
        tile->asked[e] = tile->answers[e] = TILE_NEVER; /* nothing is more than the last cut */
        tile->exits[e] = 0;
    }
    for (unsigned e = 0; e < count; e++) {
        tile->asked[e] = front.edges[e].asked;
        tile->answers[e] = front.edges[e].answers;
        tile->exits[e] = exit_of(packing, front.edges[e].node);
    }
}

void forest_tile(struct packed_tree *packed, struct forest_packing *packing, struct fw_arena *arena)
{
    if (!forest_steps_of(0) || packing->features > TILE_FEATURES ||
        packing->tree->count > TILE_LEAF)
        return;
    packing->tile_count = 1;
    packing->value_count = 0;
    packing->stack[0] = 0;
    packing->waiting = 1;
    while (packing->waiting) {
        uint64_t next = packing->stack[--packing->waiting];
        fill_tile(packing, &packing->tiles[(uint32_t)next], (uint32_t)(next >> 32));
    }
    packed->tile_count = packing->tile_count;
    packed->tiles =
        fw_arena_copy(arena, packing->tiles, packing->tile_count * sizeof(*packing->tiles));
    packed->values = fw_arena_copy(arena, packing->values, packed->leaves * sizeof(float));
}
