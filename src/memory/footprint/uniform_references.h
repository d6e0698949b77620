/* Bundles: the forms of an array that differ in where they begin alone.
 *
 * Takes forms and their array's lattice (lattice.h).  Forms of a bundle move alike, so where one
 * thread of theirs is becomes a few boxes, merged once; what a run of blocks touches by all of them
 * is these boxes, each made longer by how far the blocks move.  A star of any range is one bundle
 * of as many boxes as it has arms.  For the memory room's own files. */
#ifndef FW_BUNDLES_H
#define FW_BUNDLES_H

#include "footprint.h"
#include "lattice.h"

/* How an index moves a form: steps along an axis of the boxes. */
struct bundle_move {
    int64_t step;
    uint32_t axis;
};

struct bundle {
    const struct fw_form *form; /* one of them */
    uint32_t axes;              /* of the boxes */
    bool merged[3];             /* see lattice_merged */
    bool by_all[3];             /* see fw_form_by_all */
    bool solid;                 /* boxes hold nothing but what is touched, in every window */
    struct bundle_move block[3], thread[3], loop[FW_FORM_LOOPS];
    struct fw_boxes points; /* of one thread: they may overlap */
};

struct bundles {
    struct bundle *at;
    uint32_t count;
};

enum { BUNDLE_RUNS = 5 };

/* Blocks first <= b < last in launch order as boxes of block indices. */
struct bundle_runs {
    int64_t first, last;
    int64_t from[BUNDLE_RUNS][3], to[BUNDLE_RUNS][3];
    uint32_t count;
};

/* Whether forms as wide as each other move alike under the same conditions, at whatever time. */
bool bundles_alike(const struct fw_form *a, const struct fw_form *b);

/* The forms of an array in bundles.  `timed`: of such as run at one time; else only of forms that
 * run at some time, loops apart by theirs.  All memory is the arena's. */
void bundles_find(struct bundles *bundles, struct fw_arena *arena, const struct fw_forms *forms,
                  const struct lattice *lattice, uint32_t array, bool timed);

/* A bundle of one form alone, which lives as long as `point`. */
void bundle_of(struct bundle *bundle, struct fw_box *point, const struct fw_form *form,
               const struct fw_forms *forms, const struct lattice *lattice);

/* The runs of blocks that a launch has; those that `runs` is of already are not sought again (0 to
 * 0 at first). */
void bundle_find_runs(struct bundle_runs *runs, const struct fw_forms *forms, int64_t first,
                      int64_t last);

/* Adds what blocks touch by a bundle from `begin` to `end` of their lives; these cut loops alone:
 * times of other forms are the caller's affair. */
void bundle_add(struct fw_boxes *boxes, struct fw_arena *arena, const struct bundle *bundle,
                const struct fw_forms *forms, const struct bundle_runs *runs, double begin,
                double end);

#endif
