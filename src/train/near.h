/* The process of launches near one (forest_near.h), from measured power.
 *
 * Takes rows that are trained on, their weights, and the energies whose sum is the basis.  Gives
 * the process that corrects it beside the trees.  What a launch says is the noisier, the less its
 * row weighs: rows of a family with many launches say little that is new. */
#ifndef FW_TRAINING_NEAR_H
#define FW_TRAINING_NEAR_H

#include "forest_near.h"
#include "training_rows.h"

/* `weights` by row; below or equal 0: the row is not trained on.  Of more than FW_FOREST_NEAR_MOST
 * rows evenly many are taken.  Points are the arena's.  FW_ERROR_INPUT: a number is not finite. */
enum fw_status fw_training_near(struct fw_forest_near *near, const struct fw_training_rows *rows,
                                const double *weights, const double energies[FW_FOREST_DRAW_COUNT],
                                struct fw_arena *arena);

#endif
