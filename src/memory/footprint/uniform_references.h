/* Bundles: the forms of an array that differ in where they begin alone.
 *
 * Takes forms and their array's lattice (lattice.h).  Forms of a bundle move alike, so where one
 * thread of theirs is becomes a few boxes, merged once; what a run of blocks touches by all of them
 * is these boxes, each made longer by how far the blocks move.  A star of any range is one bundle
 * of as many boxes as it has arms.  For the memory room's own files. */
#ifndef FW_UNIFORM_REFERENCES_H
#define FW_UNIFORM_REFERENCES_H

#include "footprint.h"
#include "lattice.h"

/* How an index moves a form: steps along an axis of the boxes. */
struct index_step {
    int64_t step;
    uint32_t axis;
};

struct reference_set {
    const struct fw_affine_access *access; /* one of them */
    uint32_t axes;                         /* of the boxes */
    bool merged[3];                        /* see lattice_merged */
    bool all_threads[3];                   /* see fw_affine_all_threads */
    bool solid; /* boxes hold nothing but what is touched, in every window */
    struct index_step block[3], thread[3], loop[FW_AFFINE_LOOPS];
    struct fw_boxes points; /* of one thread: they may overlap */
};

struct reference_sets {
    struct reference_set *at;
    uint32_t count;
};

enum { BLOCK_RUNS = 5 };

/* Blocks first <= b < last in launch order as boxes of block indices. */
struct block_runs {
    int64_t first, last;
    int64_t from[BLOCK_RUNS][3], to[BLOCK_RUNS][3];
    uint32_t count;
};

/* Whether forms as wide as each other move alike under the same conditions, at whatever time. */
bool uniformly_generated(const struct fw_affine_access *a, const struct fw_affine_access *b);

/* The forms of an array in bundles.  `timed`: of such as run at one time; else only of forms that
 * run at some time, loops apart by theirs.  All memory is the arena's. */
void reference_sets_find(struct reference_sets *bundles, struct fw_arena *arena,
                         const struct fw_affine_accesses *accesses, const struct lattice *lattice,
                         uint32_t array, bool timed);

/* A bundle of one form alone, which lives as long as `point`. */
void reference_set_of(struct reference_set *bundle, struct fw_box *point,
                      const struct fw_affine_access *access, const struct fw_affine_accesses *accesses,
                      const struct lattice *lattice);

/* The runs of blocks that a launch has; those that `runs` is of already are not sought again (0 to
 * 0 at first). */
void block_runs_find(struct block_runs *runs, const struct fw_affine_accesses *accesses, int64_t first,
                     int64_t last);

/* Adds what blocks touch by a bundle from `begin` to `end` of their lives; these cut loops alone:
 * times of other forms are the caller's affair. */
void reference_set_add(struct fw_boxes *boxes, struct fw_arena *arena,
                       const struct reference_set *bundle, const struct fw_affine_accesses *accesses,
                       const struct block_runs *runs, double begin, double end);

#endif
