#include "near.h"

#include <math.h>

/* The variance of a row of weight 1, as a share of that of corrections. */
#define NOISE 0.045

/* The same beside what a kernel's launches have in common. */
#define NOISE_BESIDE_KERNELS 0.005

/* Beyond this factor of the basis a launch says no more: the mean of few far off would be that of
 * none. */
#define RATIO_MOST 4.0

/* The same of seconds of kernels that were not measured.  Half of these are off by less than 6 %,
 * and those that are off by far have a mechanism of their own (winsorized values: Tukey, The future
 * of data analysis, 1962).  Chosen on families that were left out, of 1.12 to 4. */
#define SECONDS_RATIO_MOST 1.2

/* Points of a process of kernels that were measured before: it is asked of launches that are near
 * others, and is no part of a file. */
#define MOST_OF_KERNELS 6000

/* By row the number of its point; how many there are, `most` or less. */
static uint32_t take_points(uint32_t *points, const struct fw_training_rows *rows,
                            const double *weights, enum fw_forest_target target, size_t most)
{
    size_t usable = 0, at = 0;
    uint32_t count = 0;
    for (size_t r = 0; r < rows->rows.count; r++)
        usable += weights[r] > 0 && rows->rows.at[r].measured[target] > 0;
    const size_t every = (usable + most - 1) / most;
    for (size_t r = 0; r < rows->rows.count; r++) {
        bool taken = weights[r] > 0 && rows->rows.at[r].measured[target] > 0 && at++ % every == 0;
        points[r] = taken ? count++ : FW_TRAINING_NO_POINT;
    }
    return count;
}

/* The scales of features, by their standard deviation over the points. */
static void find_scales(struct fw_training_near *fitted, const struct fw_training_rows *rows,
                        const double energies[FW_FOREST_DRAW_COUNT])
{
    const enum fw_forest_feature *features;
    const uint32_t columns = fw_forest_near_features(&features, fitted->near.target);
    double row[FW_FOREST_NEAR_FEATURES], sum[FW_FOREST_NEAR_FEATURES] = {0};
    double squares[FW_FOREST_NEAR_FEATURES] = {0}, count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t r = 0; r < rows->rows.count; r++) {
            if (fitted->points[r] == FW_TRAINING_NO_POINT)
                continue;
            fw_forest_basis_features(row, &rows->rows.at[r].basis, energies, features, columns);
            count += pass == 0;
            for (uint32_t f = 0; f < columns; f++)
                if (pass == 0)
                    sum[f] += row[f];
                else
                    squares[f] += (row[f] - sum[f] / count) * (row[f] - sum[f] / count);
        }
    for (uint32_t f = 0; f < columns; f++)
        fitted->near.scales[f] = fw_forest_near_scale(sqrt(squares[f] / fmax(count, 1)));
}

enum fw_status fw_training_near_fit(struct fw_training_near *fitted,
                                    const struct fw_training_rows *rows, const double *weights,
                                    enum fw_forest_target target,
                                    const double energies[FW_FOREST_DRAW_COUNT], bool kernels,
                                    struct fw_arena *arena)
{
    const uint32_t columns = fw_forest_near_columns(target);
    const double most = target == FW_FOREST_SECONDS && !kernels ? SECONDS_RATIO_MOST : RATIO_MOST;
    *fitted = (struct fw_training_near){
        .near = {.target = target},
        .row_count = rows->rows.count,
        .points = FW_ARRAY(arena, uint32_t, rows->rows.count + 1),
    };
    const uint32_t points = take_points(fitted->points, rows, weights, target,
                                        kernels ? MOST_OF_KERNELS : FW_FOREST_NEAR_MOST);
    double *at = FW_ARRAY(arena, double, (size_t)points *columns + 1);
    double *values = FW_ARRAY(arena, double, (size_t)points + 1);
    double *noise = FW_ARRAY(arena, double, (size_t)points + 1), place[FW_FOREST_NEAR_COLUMNS];
    uint32_t *groups = FW_ARRAY(arena, uint32_t, (size_t)points + 1);
    find_scales(fitted, rows, energies);
    for (size_t r = 0; r < rows->rows.count; r++) {
        const struct fw_training_row *row = &rows->rows.at[r];
        const size_t p = fitted->points[r];
        if (p == FW_TRAINING_NO_POINT)
            continue;
        fw_forest_near_place(place, &fitted->near, &row->basis, energies);
        for (uint32_t c = 0; c < columns; c++)
            at[p * columns + c] = place[c];
        double ratio =
            fw_training_taught(row, target) / fw_forest_basis_of(&row->basis, target, energies);
        values[p] = log(fmin(fmax(ratio, 1 / most), most));
        noise[p] = (kernels ? NOISE_BESIDE_KERNELS : NOISE) / weights[r];
        groups[p] = row->kernel;
    }
    return fw_process_fit_groups(&fitted->fit, at, values, noise, kernels ? groups : NULL, points,
                                 columns, arena);
}

enum fw_status fw_training_near_take(struct fw_forest_near *near,
                                     const struct fw_training_near *fitted, const bool *left_out,
                                     struct fw_arena *arena)
{
    bool *points = FW_ARRAY(arena, bool, fitted->fit.points + 1);
    for (size_t r = 0; r < fitted->row_count && left_out; r++)
        if (fitted->points[r] != FW_TRAINING_NO_POINT)
            points[fitted->points[r]] = left_out[r];
    *near = fitted->near;
    return fw_process_take(&near->process, &fitted->fit, left_out ? points : NULL, arena);
}
