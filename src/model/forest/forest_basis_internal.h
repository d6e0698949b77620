/* What the bases of the model forest share: that of the models traffic and trace
 * (forest_basis.c) and the quick one (forest_quick.c). */
#ifndef FW_FOREST_BASIS_INTERNAL_H
#define FW_FOREST_BASIS_INTERNAL_H

#include "forest_basis.h"

/* Of longer launches the size by itself says nothing: corrections of sizes would not hold beyond
 * those that were trained on. */
#define FOREST_LONG_SECONDS 30e-6

/* A count as a feature: the logarithm, in which 0 stays 0. */
double forest_log_of(double count);

/* The features of the set launch, by a model's answer, and the grid. */
void forest_describe_launch(struct fw_forest_basis *basis, const struct fw_kernel *kernel,
                            const struct fw_launch *launch, const struct fw_prediction *answer);

/* What is asked of the board in so many seconds: by the terms of a model's answer, and by the
 * features of bytes, sectors and instructions, which are there. */
void forest_find_draws(struct fw_forest_basis *basis, const struct fw_prediction *answer,
                       double seconds);

#endif
