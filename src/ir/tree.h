/* Trees over the blocks or the loops of a function: who is below whom.
 *
 * Takes the parent of every node and numbers the nodes in pre-order, so that "is above" is a
 * comparison of numbers however deep the tree is.  Serves the trees of dominators, post-dominators
 * and loops alike.  It changes nothing that it is given. */
#ifndef FW_TREE_H
#define FW_TREE_H

#include "ir.h"

struct fw_tree {
    uint32_t count;
    uint32_t *parent; /* the caller's; FW_NO_INDEX: a root */
    uint32_t *order;  /* nodes, each after its parent */
    uint32_t *first;  /* position in pre-order */
    uint32_t *last;   /* the last position of what is below, the node itself included */
    uint32_t *depth;  /* 0: a root */
    uint32_t *jump;   /* a node further above, such that few jumps lead to any (Myers 1983) */
};

/* The tree of `count` nodes by their parents, which must outlive it; in the arena. */
struct fw_tree fw_tree_new(struct fw_arena *arena, uint32_t *parent, uint32_t count);

/* The tree of immediate dominators; blocks that nothing reaches are roots.  Needs: dominators. */
struct fw_tree fw_dominator_tree(struct fw_arena *arena, const struct fw_function *function);

/* Whether `a` is `b` or above it. */
static inline bool fw_tree_above(const struct fw_tree *tree, uint32_t a, uint32_t b)
{
    return tree->first[a] <= tree->first[b] && tree->first[b] <= tree->last[a];
}

/* Vertical paths in a tree, each of which can be taken out once: by a node that it goes through. */
struct fw_tree_paths {
    const struct fw_tree *tree;
    uint32_t count;
    uint32_t *start; /* by pre-order position: the first path that begins there; one entry more */
    uint32_t *user;  /* by path: whose it is */
    uint32_t *top;   /* heap over paths: the least depth that a path below reaches up to */
    uint32_t leaves; /* of the heap, a power of two */
    uint32_t *reach; /* by path: the depth that it reaches up to */
};

/* Paths from `bottom[i]` up to depth `top[i]` of the caller's `user[i]`; in the arena. */
struct fw_tree_paths fw_tree_paths_new(struct fw_arena *arena, const struct fw_tree *tree,
                                       const uint32_t *bottom, const uint32_t *top,
                                       const uint32_t *user, uint32_t count);

/* Takes one path through the node out and gives whose it is; FW_NO_INDEX: there is none.  The
 * logarithm of the number of paths in steps. */
uint32_t fw_tree_paths_take(struct fw_tree_paths *paths, uint32_t node);

#endif
