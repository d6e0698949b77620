#include "near.h"

#include <math.h>

/* The variance of a row of weight 1, as a share of that of corrections. */
#define NOISE 0.045

/* Beyond this factor of what energies give a launch says no more: the mean of few far off would be
 * that of none. */
#define RATIO_MOST 4.0

/* By row, whether it is a point; their number. */
static uint32_t take_points(bool *taken, const struct fw_training_rows *rows, const double *weights)
{
    size_t usable = 0, at = 0;
    uint32_t points = 0;
    for (size_t r = 0; r < rows->rows.count; r++) {
        taken[r] = weights[r] > 0 && rows->rows.at[r].measured[FW_FOREST_WATTS] > 0;
        usable += taken[r];
    }
    const size_t every = (usable + FW_FOREST_NEAR_MOST - 1) / FW_FOREST_NEAR_MOST;
    for (size_t r = 0; r < rows->rows.count; r++) {
        if (!taken[r])
            continue;
        taken[r] = at++ % every == 0;
        points += taken[r];
    }
    return points;
}

/* The scales of features, by their standard deviation over the points. */
static void find_scales(struct fw_forest_near *near, const struct fw_training_rows *rows,
                        const bool *taken, const double energies[FW_FOREST_DRAW_COUNT])
{
    enum fw_forest_feature features[FW_FOREST_NEAR_FEATURES];
    double row[FW_FOREST_NEAR_FEATURES], sum[FW_FOREST_NEAR_FEATURES] = {0};
    double squares[FW_FOREST_NEAR_FEATURES] = {0}, count = 0;
    for (uint32_t f = 0; f < FW_FOREST_NEAR_FEATURES; f++)
        features[f] = fw_forest_near_feature(f);
    for (int pass = 0; pass < 2; pass++)
        for (size_t r = 0; r < rows->rows.count; r++) {
            if (!taken[r])
                continue;
            fw_forest_basis_features(row, &rows->rows.at[r].basis, energies, features,
                                     FW_FOREST_NEAR_FEATURES);
            count += pass == 0;
            for (int f = 0; f < FW_FOREST_NEAR_FEATURES; f++)
                if (pass == 0)
                    sum[f] += row[f];
                else
                    squares[f] += (row[f] - sum[f] / count) * (row[f] - sum[f] / count);
        }
    for (int f = 0; f < FW_FOREST_NEAR_FEATURES; f++)
        near->scales[f] = fw_forest_near_scale(sqrt(squares[f] / fmax(count, 1)));
}

enum fw_status fw_training_near(struct fw_forest_near *near, const struct fw_training_rows *rows,
                                const double *weights, const double energies[FW_FOREST_DRAW_COUNT],
                                struct fw_arena *arena)
{
    bool *taken = FW_ARRAY(arena, bool, rows->rows.count + 1);
    *near = (struct fw_forest_near){0};
    const uint32_t points = take_points(taken, rows, weights);
    double *at = FW_ARRAY(arena, double, (size_t)points *FW_FOREST_NEAR_COLUMNS + 1);
    double *values = FW_ARRAY(arena, double, (size_t)points + 1);
    double *noise = FW_ARRAY(arena, double, (size_t)points + 1), mean = 0, weight = 0;
    uint32_t p = 0;
    find_scales(near, rows, taken, energies);
    for (size_t r = 0; r < rows->rows.count; r++) {
        const struct fw_training_row *row = &rows->rows.at[r];
        if (!taken[r])
            continue;
        fw_forest_near_place(at + (size_t)p * FW_FOREST_NEAR_COLUMNS, near, &row->basis, energies);
        double ratio = row->measured[FW_FOREST_WATTS] /
                       fw_forest_basis_of(&row->basis, FW_FOREST_WATTS, energies);
        values[p] = log(fmin(fmax(ratio, 1 / RATIO_MOST), RATIO_MOST));
        noise[p] = NOISE / weights[r];
        mean += weights[r] * values[p];
        weight += weights[r];
        p++;
    }
    return fw_process_fit(&near->process, at, values, noise, weight > 0 ? mean / weight : 0, points,
                          FW_FOREST_NEAR_COLUMNS, arena);
}
