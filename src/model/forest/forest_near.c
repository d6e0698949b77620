#include "forest_near.h"

#include <math.h>

/* Lengths of the covariance, on which the accuracy over families that were left out hardly depends:
 * a feature counts an eighth of its standard deviations, a share of the watts one and a half times,
 * a part's share once. */
#define DEVIATIONS 8.0
#define SHARES     1.5

/* Shares of the seconds: parts of the trace model's account.  With the traffic model's terms, which
 * say the same of another model, the median over families that were left out is higher. */
enum { SHARE_COUNT = FW_FOREST_FEATURE_draw_idle - FW_FOREST_FEATURE_part_selected };
_Static_assert((int)SHARE_COUNT <= (int)FW_FOREST_DRAW_COUNT, "places have room for shares");

static const enum fw_forest_feature of_watts[] = {FW_FOREST_FEATURE_occupancy,
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

static const enum fw_forest_feature of_seconds[] = {FW_FOREST_FEATURE_occupancy,
                                                    FW_FOREST_FEATURE_resident_blocks,
                                                    FW_FOREST_FEATURE_waves,
                                                    FW_FOREST_FEATURE_last_wave,
                                                    FW_FOREST_FEATURE_registers,
                                                    FW_FOREST_FEATURE_static_shared,
                                                    FW_FOREST_FEATURE_seconds,
                                                    FW_FOREST_FEATURE_trace,
                                                    FW_FOREST_FEATURE_watts,
                                                    FW_FOREST_FEATURE_arithmetic,
                                                    FW_FOREST_FEATURE_special_functions,
                                                    FW_FOREST_FEATURE_logic,
                                                    FW_FOREST_FEATURE_control,
                                                    FW_FOREST_FEATURE_sync,
                                                    FW_FOREST_FEATURE_intensity};

uint32_t fw_forest_near_features(const enum fw_forest_feature **features,
                                 enum fw_forest_target target)
{
    bool seconds = target == FW_FOREST_SECONDS;
    *features = seconds ? of_seconds : of_watts;
    return (uint32_t)(seconds ? sizeof(of_seconds) / sizeof(*of_seconds)
                              : sizeof(of_watts) / sizeof(*of_watts));
}

uint32_t fw_forest_near_columns(enum fw_forest_target target)
{
    const enum fw_forest_feature *features;
    return fw_forest_near_features(&features, target) +
           (uint32_t)(target == FW_FOREST_SECONDS ? (int)SHARE_COUNT : (int)FW_FOREST_DRAW_COUNT);
}

double fw_forest_near_scale(double deviation)
{
    return deviation > 0 ? 1 / (DEVIATIONS * deviation) : 0;
}

void fw_forest_near_place(double place[FW_FOREST_NEAR_COLUMNS], const struct fw_forest_near *near,
                          const struct fw_forest_basis *basis,
                          const double energies[FW_FOREST_DRAW_COUNT])
{
    const enum fw_forest_feature *features;
    const uint32_t count = fw_forest_near_features(&features, near->target);
    const double *shares = basis->features + FW_FOREST_FEATURE_part_selected;
    const double *draws = fw_forest_basis_draws(basis);
    const double watts = fw_forest_basis_of(basis, FW_FOREST_WATTS, energies);
    fw_forest_basis_features(place, basis, energies, features, count);
    for (uint32_t f = 0; f < count; f++)
        place[f] *= near->scales[f];
    for (int t = 0; t < SHARE_COUNT && near->target == FW_FOREST_SECONDS; t++)
        place[count + (uint32_t)t] = fmin(1, shares[t]);
    for (int d = 0; d < FW_FOREST_DRAW_COUNT && near->target == FW_FOREST_WATTS; d++)
        place[count + (uint32_t)d] = watts > 0 ? SHARES * draws[d] * energies[d] / watts : 0;
}

double fw_forest_near_at(double *nearest, const struct fw_forest_near *near,
                         const struct fw_forest_basis *basis,
                         const double energies[FW_FOREST_DRAW_COUNT], uint32_t kernel)
{
    double place[FW_FOREST_NEAR_COLUMNS];
    fw_forest_near_place(place, near, basis, energies);
    return fw_process_at_group(nearest, &near->process, place, kernel);
}

double fw_forest_near_join(double *nearest, const struct fw_forest_near *near,
                           const struct fw_forest_basis *basis,
                           const double energies[FW_FOREST_DRAW_COUNT], uint32_t kernel,
                           double trees)
{
    if (nearest)
        *nearest = INFINITY;
    if (!near->process.points)
        return trees;
    return (trees + fw_forest_near_at(nearest, near, basis, energies, kernel)) / 2;
}
