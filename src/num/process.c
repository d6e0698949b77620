#include "process.h"

#include <math.h>
#include <stdbool.h>

/* Distances are of coordinates as stored. */
static double covariance(const float *a, const float *b, uint32_t columns)
{
    double sum = 0;
    for (uint32_t c = 0; c < columns; c++) {
        double apart = (double)a[c] - (double)b[c];
        sum += apart * apart;
    }
    return exp(-sqrt(sum));
}

static bool store(float *to, const double *from, size_t count)
{
    bool finite = true;
    for (size_t i = 0; i < count; i++) {
        to[i] = (float)from[i];
        finite &= isfinite(to[i]) != 0;
    }
    return finite;
}

/* Decomposes the matrix in place, as its upper triangle's rows U with the matrix U^T U: each row is
 * taken from those below it, so that inner loops run along rows.  False: it is not positive
 * definite. */
static bool decompose(double *matrix, size_t count)
{
    for (size_t p = 0; p < count; p++) {
        double *row = matrix + p * count;
        if (!(row[p] > 0))
            return false;
        double scale = 1 / sqrt(row[p]);
        for (size_t c = p; c < count; c++)
            row[c] *= scale;
        for (size_t r = p + 1; r < count; r++) {
            double *below = matrix + r * count, factor = row[r];
            for (size_t c = r; c < count; c++)
                below[c] -= factor * row[c];
        }
    }
    return true;
}

/* Solves U^T U x = x in place. */
static void solve(double *x, const double *matrix, size_t count)
{
    for (size_t p = 0; p < count; p++) {
        const double *row = matrix + p * count;
        x[p] /= row[p];
        for (size_t c = p + 1; c < count; c++)
            x[c] -= row[c] * x[p];
    }
    for (size_t p = count; p-- > 0;) {
        const double *row = matrix + p * count;
        for (size_t c = p + 1; c < count; c++)
            x[p] -= row[c] * x[c];
        x[p] /= row[p];
    }
}

enum fw_status fw_process_fit(struct fw_process *process, const double *at, const double *values,
                              const double *noise, double mean, uint32_t points, uint32_t columns,
                              struct fw_arena *arena)
{
    float *kept = FW_ARRAY(arena, float, (size_t)points *columns + 1);
    float *weights = FW_ARRAY(arena, float, (size_t)points + 1);
    struct fw_arena_mark mark = fw_arena_mark(arena);
    double *matrix = FW_ARRAY(arena, double, (size_t)points *points + 1);
    double *solved = FW_ARRAY(arena, double, (size_t)points + 1);
    bool fits = isfinite(mean) && store(kept, at, (size_t)points * columns);
    for (size_t p = 0; p < points && fits; p++) {
        fits = isfinite(noise[p]) && noise[p] > 0;
        solved[p] = values[p] - mean;
        for (size_t q = p; q < points; q++)
            matrix[p * points + q] =
                covariance(kept + p * columns, kept + q * columns, columns) + (p == q) * noise[p];
    }
    fits = fits && decompose(matrix, points);
    if (fits) {
        solve(solved, matrix, points);
        fits = store(weights, solved, points);
    }
    fw_arena_release(arena, mark);
    *process = (struct fw_process){0};
    if (!fits)
        return FW_ERROR_INPUT;
    *process = (struct fw_process){points, columns, mean, kept, weights};
    return FW_OK;
}

double fw_process_at(const struct fw_process *process, const double *point)
{
    double value = process->mean;
    for (size_t p = 0; p < process->points; p++) {
        const float *at = process->at + p * process->columns;
        double sum = 0;
        for (uint32_t c = 0; c < process->columns; c++) {
            double apart = point[c] - (double)at[c];
            sum += apart * apart;
        }
        value += (double)process->weights[p] * exp(-sqrt(sum));
    }
    return value;
}
