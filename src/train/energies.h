/* Energies of events, from measured power: what the watts of launches are a sum of
 * (forest_draws.h).
 *
 * Takes rows that are trained on and their weights.  Gives energies that are not negative, with the
 * least sum of absolute errors of the logarithm: weighted least squares again and again, with
 * weights from the errors before (Holland and Welsch, Robust regression using iteratively
 * reweighted least-squares, 1977). */
#ifndef FW_TRAINING_ENERGIES_H
#define FW_TRAINING_ENERGIES_H

#include "training_rows.h"

/* `weights` by row; below or equal 0: the row is not trained on.  Energies are all 0 where no row
 * is. */
void fw_training_energies(double energies[FW_FOREST_DRAW_COUNT],
                          const struct fw_training_rows *rows, const double *weights,
                          enum fw_forest_ratio ratio);

#endif
