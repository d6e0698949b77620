#include "forest_near.h"

/* Lengths of the covariance, of which the forest's accuracy over families that were left out hardly
 * depends (docs/forest.md): a feature counts an eighth of its standard deviations, a share of the
 * watts one and a half times. */
#define DEVIATIONS 8.0
#define SHARES     1.5

static const enum fw_forest_feature features[FW_FOREST_NEAR_FEATURES] = {
    FW_FOREST_FEATURE_occupancy,
    FW_FOREST_FEATURE_waves,
    FW_FOREST_FEATURE_block_threads,
    FW_FOREST_FEATURE_registers,
    FW_FOREST_FEATURE_intensity,
    FW_FOREST_FEATURE_arithmetic,
    FW_FOREST_FEATURE_special_functions,
    FW_FOREST_FEATURE_logic,
    FW_FOREST_FEATURE_control,
    FW_FOREST_FEATURE_seconds,
    FW_FOREST_FEATURE_trace,
    FW_FOREST_FEATURE_drawn};

enum fw_forest_feature fw_forest_near_feature(uint32_t number)
{
    return features[number];
}

double fw_forest_near_scale(double deviation)
{
    return deviation > 0 ? 1 / (DEVIATIONS * deviation) : 0;
}

void fw_forest_near_place(double place[FW_FOREST_NEAR_COLUMNS], const struct fw_forest_near *near,
                          const struct fw_forest_basis *basis,
                          const double energies[FW_FOREST_DRAW_COUNT])
{
    const double *draws = fw_forest_basis_draws(basis);
    const double watts = fw_forest_basis_of(basis, FW_FOREST_WATTS, energies);
    fw_forest_basis_features(place, basis, energies, features, FW_FOREST_NEAR_FEATURES);
    for (int f = 0; f < FW_FOREST_NEAR_FEATURES; f++)
        place[f] *= near->scales[f];
    for (int d = 0; d < FW_FOREST_DRAW_COUNT; d++)
        place[FW_FOREST_NEAR_FEATURES + d] =
            watts > 0 ? SHARES * draws[d] * energies[d] / watts : 0;
}

double fw_forest_near_join(const struct fw_forest_near *near, const struct fw_forest_basis *basis,
                           const double energies[FW_FOREST_DRAW_COUNT], double trees)
{
    double place[FW_FOREST_NEAR_COLUMNS];
    if (!near->process.points)
        return trees;
    fw_forest_near_place(place, near, basis, energies);
    return (trees + fw_process_at(&near->process, place)) / 2;
}
