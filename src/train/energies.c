#include "energies.h"

#include "non_negative.h"

#include <math.h>

enum { ROUNDS = 8, DRAWS = FW_FOREST_DRAW_COUNT };

#define LEAST_WATTS 50.0
#define LEAST_ERROR 0.02 /* of the logarithm: below it errors weigh by their squares */

/* What the squared error of a row's watts weighs, so that the sum is that of errors of logarithms:
 * at first by the share of what was measured. */
static double weight_of(double watts, double measured, int round)
{
    if (round == 0)
        return 1 / (measured * measured);
    watts = fmax(watts, LEAST_WATTS);
    return 1 / (fmax(fabs(log(watts / measured)), LEAST_ERROR) * watts * measured);
}

void fw_training_energies(double energies[FW_FOREST_DRAW_COUNT],
                          const struct fw_training_rows *rows, const double *weights,
                          enum fw_forest_ratio ratio)
{
    for (int d = 0; d < DRAWS; d++)
        energies[d] = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double gram[DRAWS * DRAWS] = {0}, moment[DRAWS] = {0};
        for (size_t r = 0; r < rows->rows.count; r++) {
            const struct fw_training_row *row = &rows->rows.at[r];
            const double *draws = fw_forest_basis_draws(fw_training_basis(row, ratio));
            double measured = fw_training_taught(row, FW_FOREST_WATTS);
            if (!(weights[r] > 0) || !(measured > 0))
                continue;
            double weight =
                weights[r] * weight_of(fw_forest_draws_watts(draws, energies), measured, round);
            for (int d = 0; d < DRAWS; d++) {
                moment[d] += weight * draws[d] * measured;
                for (int e = 0; e < DRAWS; e++)
                    gram[d * DRAWS + e] += weight * draws[d] * draws[e];
            }
        }
        fw_non_negative_solve(energies, gram, moment, DRAWS);
    }
}
