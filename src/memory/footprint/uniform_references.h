/* Uniformly generated references: accesses of an array that differ in their base alone (Gannon,
 * Jalby, Gallivan: Strategies for cache and local memory management by global program
 * transformation, 1988).
 *
 * Takes affine accesses and the lattice of their array.  All accesses of a set move alike, so that
 * the addresses of one thread are a few boxes, merged once; a run of blocks touches these boxes,
 * each extended by how far the blocks move.  A star stencil of any range is one set with as many
 * boxes as it has arms.  Internal to this room; it never counts. */
#ifndef FW_UNIFORM_REFERENCES_H
#define FW_UNIFORM_REFERENCES_H

#include "footprint.h"
#include "index_run.h"
#include "lattice.h"

/* Where the pieces are into which threads low <= t < high of a set were cut. */
struct cut {
    int64_t low[3], high[3];
    uint32_t first, count;
};

/* What was cut last: counts at one time and another ask for the same threads.  All of it is there
 * with the set: who counts later may release what the arena gave since.  Most cuts have a piece or
 * two: when they have no room any more, all are forgotten. */
enum { CUTS = 16, CUT_PIECES = 48 };

struct cuts {
    struct cut at[CUTS];
    struct skew_piece pieces[CUT_PIECES];
    uint32_t count, used; /* cuts, pieces */
};

struct reference_set {
    const struct fw_affine_access *access; /* one of the accesses */
    const struct lattice *lattice;         /* its array's */
    uint32_t axes;                         /* of the boxes */
    bool merged[3];                        /* by axis of the launch: see lattice_merged */
    bool all_threads[3];                   /* by axis of the launch: see fw_affine_all_threads */
    struct skew skew;
    struct cuts *cuts; /* NULL: of threads that do not differ, or of one count */
    bool dense;        /* in every window, the boxes contain nothing but what is touched */
    struct index_step block[3], thread[3], loop[FW_AFFINE_LOOPS];
    struct fw_boxes points; /* the boxes of one thread; they may overlap */
};

struct reference_sets {
    struct reference_set *at;
    uint32_t count;
};

enum { BLOCK_RUNS = 5 };

/* Blocks first <= b < last in launch order, as boxes of block indices. */
struct block_runs {
    int64_t first, last;
    int64_t from[BLOCK_RUNS][3], to[BLOCK_RUNS][3];
    uint32_t count;
};

/* Whether two accesses differ in base and time alone. */
bool uniformly_generated(const struct fw_affine_access *a, const struct fw_affine_access *b);

/* Finds the reference sets of an array, whose accesses are members[0..count-1].  `timed`: accesses
 * of a set run at the same time. Otherwise accesses without a loop may run at different times, and
 * accesses that never run are dropped.  `skews`: by access.  All memory is the arena's. */
void reference_sets_find(struct reference_sets *sets, struct fw_arena *arena,
                         const struct fw_affine_accesses *accesses, const struct skew *skews,
                         const struct lattice *lattice, const uint32_t *members, uint32_t count,
                         bool timed);

/* The set of one access alone; `point` must outlive it. */
void reference_set_of(struct reference_set *set, struct fw_box *point,
                      const struct fw_affine_access *access, const struct skew *skew,
                      const struct fw_affine_accesses *accesses, const struct lattice *lattice);

/* Splits blocks first <= b < last into runs; does nothing if `runs` is of these blocks already (0
 * to 0 at first). */
void block_runs_find(struct block_runs *runs, const struct fw_affine_accesses *accesses,
                     int64_t first, int64_t last);

/* Adds the boxes that the runs of blocks touch by a set from `begin` to `end` of their lifetime.
 * The lifetime cuts loops alone; the caller checks accesses without a loop. */
void reference_set_add(struct fw_boxes *boxes, struct fw_arena *arena,
                       const struct reference_set *set, const struct fw_affine_accesses *accesses,
                       const struct block_runs *runs, double begin, double end);

#endif
