/* The inside of forests: grown trees, the work of growing one, packed nodes. */
#ifndef FW_FOREST_INTERNAL_H
#define FW_FOREST_INTERNAL_H

#include "forest.h"

#include "random.h"

#include <math.h>

/* Features are worked on in blocks of so many: rows are padded with zeros. */
enum { FOREST_BLOCK = 8 };

/* A row that is predicted has two features more: nothing is less than the first of them, and
 * nothing is more than the second.  Leaves ask for these, so that a leaf that stands left in its
 * pair, or right, is its own child: a step that is taken too often does no harm. */
enum { FOREST_MARKS = 2 };

/* Siblings stand together, four pairs in a cache line (forest_pack.c). */
enum { FOREST_PAIRS = 4 };

/* Up to eleven nodes of a tree and the exits below them, in two cache lines (forest_tiles.c). */
enum { TILE_SLOTS = 11, TILE_EXITS = TILE_SLOTS + 1, TILE_FEATURES = 16, LINE_BYTES = 64 };
enum { TILE_LEAF = 1 << 15, TILE_NEVER = 1 << TILE_SLOTS };

struct forest_tile {
    float cuts[TILE_SLOTS + 1];   /* INFINITY: no node; the last is none */
    uint32_t features[2];         /* 4 bits a slot, slots in turn (forest_steps.c) */
    uint16_t asked[TILE_EXITS];   /* by exit: slots on the way to it, */
    uint16_t answers[TILE_EXITS]; /* and those of them where the row goes right */
    uint16_t exits[TILE_EXITS];   /* a tile of the tree, or TILE_LEAF and a leaf of the tree */
};

/* A row that goes through a tree: its number among those that go together (of one row that goes
 * through many trees, the number of the tree), and the tile that it is at, or TILE_LEAF and its
 * leaf.  The number's bits stand so that they are the row's place in bytes, when shifted by 16. */
enum { ITEM_SHIFT = 22, ITEMS_MOST = 1 << (32 - ITEM_SHIFT), ITEM_LANES = 16 };

/* Steps through tiles, by what the processor can do; all give the same exits. */
struct forest_steps {
    const char *name;
    /* The exits that rows take from their tiles of one tree; rows have TILE_FEATURES each, by
     * whole cache lines. */
    void (*rows)(uint16_t *codes, const uint32_t *items, uint32_t count,
                 const struct forest_tile *tiles, const float *x);
    /* The exits that one row takes from its tiles of trees, whose first tiles are at
     * `starts`.  NULL: one row alone goes faster through nodes. */
    void (*trees)(uint16_t *codes, const uint32_t *items, uint32_t count,
                  const struct forest_tile *tiles, const size_t *starts, const float *x);
    /* Has items take their exits: those that arrive are added to `done`, which has `arrived` of
     * them, the others stay in front; the number of these.  Arrays have room for ITEM_LANES more.
     */
    uint32_t (*settle)(uint32_t *items, uint32_t *done, uint32_t *arrived, const uint16_t *codes,
                       uint32_t count);
};

/* From the fastest on that this processor has; NULL: no (further) one. */
const struct forest_steps *forest_steps_of(unsigned place);

struct fw_forest {
    struct fw_arena *arena;
    struct fw_forest_node *nodes; /* in pairs; the roots of all trees first */
    size_t *starts; /* by tree and one more: the node that its part of them begins with */
    struct forest_tile *tiles;          /* NULL: the processor or the forest does not allow them */
    const struct forest_steps *steps;   /* through tiles */
    float *values;                      /* of leaves, in the order of tiles */
    size_t *tile_starts, *value_starts; /* by tree */
    size_t pairs, leaves;
    uint32_t trees, features;
    double offset; /* the mean target; leaves are relative to it */
    double depth;
    double *importance;
};

/* A node while trees grow; a tree's first is its root. */
struct grown_node {
    uint32_t left;    /* its children are `left` and `left + 1`; 0: a leaf */
    uint32_t feature; /* of a split */
    float value;      /* of a leaf; a split's cut */
};

struct grown_tree {
    struct grown_node *nodes;
    double *gains; /* by feature, the caller's: what its splits gained, in all; NULL of a file's */
    uint32_t count, depth;
};

/* A tree that has grown, as a forest has it. */
struct packed_tree {
    struct fw_forest_node root;
    struct fw_forest_node *nodes; /* by whole cache lines; links count from the tree's own first */
    struct forest_tile *tiles;    /* NULL: the processor or the tree does not allow them */
    float *values;                /* of leaves, in the order of tiles */
    uint32_t lines, tile_count, leaves, depth;
};

/* The scratch of packing one tree after the other. */
struct forest_packing {
    const struct grown_tree *tree; /* that is packed */
    uint32_t features;
    uint32_t *leaves; /* by grown node: leaves below */
    uint32_t *pairs;  /* by two grown nodes, siblings, from the second on: their pair */
    uint64_t *stack;  /* nodes that begin lines or tiles */
    struct forest_tile *tiles;
    float *values;               /* of leaves, in the order of tiles */
    uint32_t open[FOREST_PAIRS]; /* a line with so many free pairs, counted from 1; 0: none */
    uint32_t lines, tile_count, value_count, waiting;
    bool in_order; /* pairs stand as they come, and there are no tiles: of trees that a cache holds
                      as a whole, which are used a few times after they were read */
};

/* What all trees see: rows padded to `stride` floats, in the order of their targets. */
struct forest_rows {
    size_t rows, features, stride;
    const float *x;
    const float *columns;      /* the same by features, `rows` each; NULL: not asked for */
    const double *y, *weights; /* weights NULL: 1 each */
    uint32_t *const *order;    /* FW_FOREST_BOOTSTRAP: by feature, rows by its value; NULL */
};

/* A split of a node. */
struct forest_split {
    uint32_t feature; /* UINT32_MAX: there is none */
    float cut;
    double gain; /* what it lessens the sum of squared (absolute) deviations by */
    const float
        *values; /* of the feature, by the node's rows in turn; NULL: nobody has read them */
};

/* A node that is being split. */
struct forest_node_work {
    size_t begin, end;  /* of the rows of the node, in `index` (and in each of `sorted`) */
    double weight, sum; /* of the rows; the sum of weight times target */
    double deviation;   /* weighted, absolute, from the median */
};

/* A node that waits for its split. */
struct waiting_node {
    uint32_t node, depth;
    size_t begin, end;
};

/* The scratch of one thread. */
struct forest_work {
    struct fw_arena *arena; /* lives as long as the thread's trees */
    struct forest_packing packing;
    const struct forest_rows *data;
    const struct fw_forest_settings *settings;
    struct fw_random random;
    double grid;     /* leaves are multiples of it */
    uint32_t tried;  /* candidate features of a split */
    uint32_t *index; /* rows by node, each node's in the order of their targets */
    uint32_t *spare; /* as many */
    const double *y;
    double *weights;              /* of the tree's rows; `weights` 1 each, or as bootstrapped */
    bool weighted;                /* weights are not all 1 */
    float *low, *high;            /* by feature, of the node: its range */
    float *cuts;                  /* by feature */
    double *sums, *shares, *wide; /* by feature: scratch of criteria */
    int32_t *counts;              /* by feature: rows at most the cut */
    uint32_t *order;              /* of features */
    float *drawn;                 /* by candidate: values of the node's rows */
    struct grown_node *nodes;     /* of the tree that grows */
    struct waiting_node *stack;   /* nodes that nobody has looked at */
    uint32_t **sorted;            /* FW_FOREST_BOOTSTRAP: by feature, rows by node and value */
    float *values;                /* of one feature, by the node's rows in turn */
    uint8_t *left;                /* by row: it goes left */
    uint32_t *rank;               /* by row: its place in the node, by target */
    double *tree_weights, *tree_sums, *reach; /* of Fenwick trees and prefixes: best splits */
};

/* Grows tree `number`; its nodes are the work's, until the next one grows. */
void forest_grow(struct grown_tree *tree, struct forest_work *work, uint32_t number);

/* Fills `low` and `high`. */
void forest_ranges(struct forest_work *work, size_t begin, size_t end);

/* The best of one random cut for each of `count` candidates, the first of `order`, whose cuts stand
 * in `cuts` (INFINITY for all others). */
void forest_random_split(struct forest_split *split, struct forest_work *work,
                         const struct forest_node_work *node, uint32_t count);

/* Where few of the features are candidates, they stand in columns.  Fills `low` and `high` of one
 * feature, and keeps its values in the node as those of candidate `place`. */
void forest_few_range(struct forest_work *work, const struct forest_node_work *node,
                      uint32_t feature, uint32_t place);

/* As forest_random_split, of candidates whose values are kept; adds up the node's weights and
 * targets itself. */
void forest_few_split(struct forest_split *split, struct forest_work *work,
                      struct forest_node_work *node, uint32_t count);

/* What a split lessens the sum of squared deviations by: sum_left^2 / weight_left + sum_right^2 /
 * weight_right less the same of the whole node; `sum` and `weight` are those of the left side. */
static inline double forest_squared_gain(const struct forest_node_work *node, double sum,
                                         double weight)
{
    double other = node->sum - sum, rest = node->weight - weight;
    return sum * sum / weight + other * other / rest - node->sum * node->sum / node->weight;
}

/* The best cut of feature `feature`, when it is better than `split`. */
void forest_best_cut(struct forest_split *split, struct forest_work *work,
                     const struct forest_node_work *node, uint32_t feature);

/* The sum of weighted absolute deviations from the weighted median of a node's rows, and the
 * median (the middle of the two, where half of the weight lies below). */
double forest_absolute_deviation(double *median, const struct forest_work *work, size_t begin,
                                 size_t end);

/* A random number in [0, 1). */
static inline double forest_uniform(struct fw_random *random)
{
    return (double)(fw_random_next(random) >> 11) * 0x1p-53;
}

/* A random number below `count`. */
static inline uint32_t forest_below(struct fw_random *random, uint32_t count)
{
    return (uint32_t)(((fw_random_next(random) >> 32) * count) >> 32);
}

/* `a` where it is so, else `b`; no jump, because a processor cannot guess what a node is. */
static inline uint32_t forest_pick(bool so, uint32_t a, uint32_t b)
{
    const uint32_t mask = -(uint32_t)so;
    return (a & mask) | (b & ~mask);
}

/* Scratch in `arena` for trees of at most `nodes` nodes over so many features. */
void forest_packing_begin(struct forest_packing *packing, struct fw_arena *arena, size_t nodes,
                          uint32_t features);

/* Packs a tree, which is not needed afterwards, into `arena`. */
void forest_pack(struct packed_tree *packed, struct forest_packing *packing,
                 const struct grown_tree *tree, struct fw_arena *arena);

/* The same for its tiles, where the processor and the tree allow them; leaves below its nodes have
 * been counted. */
void forest_tile(struct packed_tree *packed, struct forest_packing *packing,
                 struct fw_arena *arena);

/* Joins packed trees, as many as the forest says.  FW_ERROR_INPUT: there are more nodes than links
 * can tell; FW_ERROR_MEMORY. */
enum fw_status forest_join(struct fw_forest *forest, const struct packed_tree *packed);

/* A power of two so small against `most`, the greatest absolute value of a leaf, that multiples of
 * it, one a tree, add up to no more than 53 bits. */
double forest_grid(double most, size_t trees);

/* Whether rows are finite as floats; else TREE001. */
enum fw_status forest_check_rows(const struct fw_forest_data *data, const struct fw_sink *sink);

/* So many threads for `count` pieces of work: what is asked for (0: the processors), at most. */
uint32_t forest_threads(uint32_t asked, size_t count);

/* Calls `work(user, thread, i)` once for each i below `count`, on threads below `threads`, and
 * waits for all.  Where the machine has fewer threads, those that there are do everything. */
void forest_parallel(uint32_t threads, size_t count,
                     void (*work)(void *user, uint32_t thread, size_t i), void *user);

/* The value of a leaf: a multiple of the grid, so that sums of leaves are exact and do not depend
 * on their order. */
static inline float forest_leaf(double value, double grid)
{
    return grid > 0 ? (float)(rint(value / grid) * grid) : 0;
}

/* fw_forest_predict and fw_forest_predict_many of a forest with tiles. */
double forest_predict_tiled(const struct fw_forest *forest, const double *row);
void forest_predict_many_tiled(double *predictions, const struct fw_forest *forest, const double *x,
                               size_t rows, uint32_t threads, struct fw_arena *scratch);

#endif
