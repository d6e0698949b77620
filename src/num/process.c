#include "process.h"

#include <math.h>
#include <string.h>

#define GROUP_LENGTHS 3.0 /* how much further apart points of a group are alike */

enum { PANEL = 8 }; /* rows of a matrix that are taken from the others together */

/* Of two points at a distance, without the 1 of the mean. */
static double likeness(double distance, bool of_a_group)
{
    return exp(-distance) + (of_a_group ? exp(-distance / GROUP_LENGTHS) : 0);
}

static bool are_of_a_group(const uint32_t *groups, size_t p, size_t q)
{
    return groups && groups[p] == groups[q] && (p == q || groups[p] != FW_PROCESS_NO_GROUP);
}

/* Distances are of coordinates as stored. */
static double covariance(const float *a, const float *b, uint32_t columns, bool of_a_group)
{
    double sum = 0;
    for (uint32_t c = 0; c < columns; c++) {
        double apart = (double)a[c] - (double)b[c];
        sum += apart * apart;
    }
    return 1 + likeness(sqrt(sum), of_a_group);
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

/* Takes the rows of a panel from one below it, in their order. */
static void take_panel(double *restrict below, const double *restrict panel, size_t stride,
                       const double factors[PANEL], size_t from, size_t to)
{
    for (size_t c = from; c < to; c++) {
        double left = below[c];
        for (size_t k = 0; k < PANEL; k++)
            left -= factors[k] * panel[k * stride + c];
        below[c] = left;
    }
}

/* Decomposes the matrix in place, as its upper triangle's rows U with the matrix U^T U: each row is
 * taken from those below it, so that inner loops run along rows; rows of a panel together from the
 * ones below the panel, so that these are read once.  The numbers are those of row after row.
 * False: it is not positive definite. */
static bool decompose(double *matrix, size_t count)
{
    for (size_t first = 0; first < count; first += PANEL) {
        const size_t end = first + PANEL < count ? first + PANEL : count;
        for (size_t p = first; p < end; p++) {
            double *row = matrix + p * count;
            if (!(row[p] > 0))
                return false;
            double scale = 1 / sqrt(row[p]);
            for (size_t c = p; c < count; c++)
                row[c] *= scale;
            for (size_t r = p + 1; r < end; r++) {
                double *below = matrix + r * count, factor = row[r];
                for (size_t c = r; c < count; c++)
                    below[c] -= factor * row[c];
            }
        }
        for (size_t r = end; r < count; r++) {
            double factors[PANEL];
            for (size_t k = 0; k < PANEL; k++)
                factors[k] = matrix[(first + k) * count + r];
            take_panel(matrix + r * count, matrix + first * count, count, factors, r, count);
        }
    }
    return true;
}

/* Solves U^T U x = x in place; x is 0 before `first`. */
static void solve(double *x, const double *matrix, size_t count, size_t first)
{
    for (size_t p = first; p < count; p++) {
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

enum fw_status fw_process_fit(struct fw_process_fit *fit, const double *at, const double *values,
                              const double *noise, uint32_t points, uint32_t columns,
                              struct fw_arena *arena)
{
    return fw_process_fit_groups(fit, at, values, noise, NULL, points, columns, arena);
}

enum fw_status fw_process_fit_groups(struct fw_process_fit *fit, const double *at,
                                     const double *values, const double *noise,
                                     const uint32_t *groups, uint32_t points, uint32_t columns,
                                     struct fw_arena *arena)
{
    float *kept = FW_ARRAY(arena, float, (size_t)points *columns + 1);
    double *matrix = FW_ARRAY(arena, double, (size_t)points *points + 1);
    double *weights = FW_ARRAY(arena, double, (size_t)points + 1);
    uint32_t *kept_groups = groups ? FW_ARRAY(arena, uint32_t, (size_t)points + 1) : NULL;
    *fit = (struct fw_process_fit){points, columns, kept, matrix, weights, kept_groups};
    if (groups)
        memcpy(kept_groups, groups, points * sizeof(*groups));
    bool fits = store(kept, at, (size_t)points * columns);
    for (size_t p = 0; p < points && fits; p++) {
        fits = isfinite(noise[p]) && noise[p] > 0 && isfinite(values[p]);
        weights[p] = values[p];
        for (size_t q = p; q < points; q++)
            matrix[p * points + q] = covariance(kept + p * columns, kept + q * columns, columns,
                                                are_of_a_group(groups, p, q)) +
                                     (p == q) * noise[p];
    }
    if (!fits || !decompose(matrix, points))
        return FW_ERROR_INPUT;
    solve(weights, matrix, points, 0);
    return FW_OK;
}

/* Takes what the points left out say from the weights: by the columns of the inverse at them, and
 * their block of it.  False: the block has no inverse. */
static bool leave_out(double *weights, const struct fw_process_fit *fit, const bool *left_out,
                      struct fw_arena *scratch)
{
    const size_t points = fit->points;
    size_t count = 0, *out = FW_ARRAY(scratch, size_t, points + 1);
    for (size_t p = 0; p < points; p++)
        if (left_out[p])
            out[count++] = p;
    double *columns = FW_ARRAY(scratch, double, count *points + 1);
    double *block = FW_ARRAY(scratch, double, count *count + 1);
    double *shares = FW_ARRAY(scratch, double, count + 1);
    for (size_t b = 0; b < count; b++) {
        columns[b * points + out[b]] = 1;
        solve(columns + b * points, fit->factor, points, out[b]);
        shares[b] = fit->weights[out[b]];
        for (size_t c = 0; c <= b; c++)
            block[c * count + b] = columns[b * points + out[c]];
    }
    if (!decompose(block, count))
        return false;
    solve(shares, block, count, 0);
    for (size_t b = 0; b < count; b++)
        for (size_t p = 0; p < points; p++)
            weights[p] -= columns[b * points + p] * shares[b];
    return true;
}

enum fw_status fw_process_take(struct fw_process *process, const struct fw_process_fit *fit,
                               const bool *left_out, struct fw_arena *arena)
{
    const size_t points = fit->points, columns = fit->columns;
    float *at = FW_ARRAY(arena, float, points *columns + 1);
    float *weights = FW_ARRAY(arena, float, points + 1);
    uint32_t *groups = fit->groups ? FW_ARRAY(arena, uint32_t, points + 1) : NULL;
    struct fw_arena_mark mark = fw_arena_mark(arena);
    double *taken = FW_ARRAY(arena, double, points + 1);
    memcpy(taken, fit->weights, points * sizeof(*taken));
    bool fits = !left_out || leave_out(taken, fit, left_out, arena);
    *process = (struct fw_process){
        .columns = fit->columns, .at = at, .weights = weights, .groups = groups};
    for (size_t p = 0; p < points && fits; p++) {
        if (left_out && left_out[p])
            continue;
        memcpy(at + process->points * columns, fit->at + p * columns, columns * sizeof(*at));
        if (groups)
            groups[process->points] = fit->groups[p];
        fits = store(&weights[process->points++], &taken[p], 1);
        process->mean += taken[p];
    }
    fw_arena_release(arena, mark);
    if (!fits)
        *process = (struct fw_process){0};
    return fits ? FW_OK : FW_ERROR_INPUT;
}

/* The square of a distance, in four sums beside each other: one alone waits for each addition. */
static double square_from(const float *at, const double *point, uint32_t columns)
{
    double sums[4] = {0};
    uint32_t c = 0;
    for (; c + 4 <= columns; c += 4)
        for (int s = 0; s < 4; s++) {
            double apart = point[c + (uint32_t)s] - (double)at[c + (uint32_t)s];
            sums[s] += apart * apart;
        }
    for (; c < columns; c++)
        sums[0] += (point[c] - (double)at[c]) * (point[c] - (double)at[c]);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/* The value at a point of no group, and the distance to the nearest of the process's points. */
static double value_at(double *nearest, const struct fw_process *process, const double *point)
{
    double value = process->mean, least = INFINITY;
    for (size_t p = 0; p < process->points; p++) {
        double square = square_from(process->at + p * process->columns, point, process->columns);
        value += (double)process->weights[p] * exp(-sqrt(square));
        least = square < least ? square : least;
    }
    *nearest = sqrt(least);
    return value;
}

double fw_process_at_group(double *nearest, const struct fw_process *process, const double *point,
                           uint32_t group)
{
    double distance, value = value_at(&distance, process, point);
    if (nearest)
        *nearest = distance;
    if (!process->groups || group == FW_PROCESS_NO_GROUP)
        return value;
    for (size_t p = 0; p < process->points; p++)
        if (process->groups[p] == group)
            value += (double)process->weights[p] *
                     exp(-sqrt(square_from(process->at + p * process->columns, point,
                                           process->columns)) /
                         GROUP_LENGTHS);
    return value;
}

double fw_process_at(const struct fw_process *process, const double *point)
{
    double distance;
    return value_at(&distance, process, point);
}
