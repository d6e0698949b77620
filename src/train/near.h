/* The process of launches near one (forest_near.h), from what was measured.
 *
 * Takes rows that are trained on, their weights, and the basis.  Gives the process that corrects it
 * beside the trees.  What a launch says is the noisier, the less its row weighs: rows of a family
 * with many launches say little that is new. */
#ifndef FW_TRAINING_NEAR_H
#define FW_TRAINING_NEAR_H

#include "forest_near.h"
#include "training_rows.h"

/* A fit to all rows that are trained on, from which processes without some are taken. */
struct fw_training_near {
    struct fw_forest_near near; /* without a process */
    struct fw_process_fit fit;
    size_t row_count;
    uint32_t *points; /* by row, the number of its point; FW_TRAINING_NO_POINT: it is none */
};

#define FW_TRAINING_NO_POINT UINT32_MAX

/* Fits it.  `weights` by row; below or equal 0: the row is not trained on.  `kernels`: launches of
 * a kernel are a group.  `energies` are of the basis of watts.  Of more than FW_FOREST_NEAR_MOST
 * rows evenly many are taken.  All is the arena's.  FW_ERROR_INPUT: a number is not finite. */
enum fw_status fw_training_near_fit(struct fw_training_near *fitted,
                                    const struct fw_training_rows *rows, const double *weights,
                                    enum fw_forest_target target,
                                    const double energies[FW_FOREST_DRAW_COUNT], bool kernels,
                                    struct fw_arena *arena);

/* The process without the rows of `left_out` (by row; NULL: with all): as if it had been fitted to
 * the others alone, but for the scales of features.  Points are the arena's. */
enum fw_status fw_training_near_take(struct fw_forest_near *near,
                                     const struct fw_training_near *fitted, const bool *left_out,
                                     struct fw_arena *arena);

#endif
