/* Rows that data choose for blocks, several of which have one row: the weights of an expert, whose
 * index each tile of sorted tokens loads. */
#include "data_address_internal.h"

#include "address_range.h"
#include "quotient.h"

#include <math.h>

enum { MOST_SAMPLES = 256, MOST_UNKNOWNS = 8 };

static const double SQRT_2 = 1.41421356;

/* Blocks of an axis that are evaluated: `count` of them, evenly spread. */
struct samples {
    uint32_t axis, low, high, count;
};

static struct samples samples_of(uint32_t axis, int64_t low, int64_t high)
{
    const int64_t blocks = high - low + 1;
    return (struct samples){axis, (uint32_t)low, (uint32_t)high,
                            blocks < MOST_SAMPLES ? (uint32_t)blocks : MOST_SAMPLES};
}

static uint32_t sample_at(const struct samples *samples, uint32_t i)
{
    const uint64_t most = samples->high - samples->low;
    return samples->low + (samples->count < 2 ? 0 : (uint32_t)(i * most / (samples->count - 1)));
}

/* Where the labels of sampled blocks stand: the input of a value that is loaded.  NULL: that is not
 * known.  Accesses beside each other ask for the same. */
static const int64_t *labels_of(struct fw_data_addresses *addresses, fw_expression input,
                                const struct samples *samples)
{
    static const int64_t iterations[DATA_LOOPS] = {0};
    struct fw_point at = {{0}, {0}, iterations};
    for (size_t i = 0; i < addresses->labels.count; i++)
        if (addresses->labels.at[i].input == input &&
            addresses->labels.at[i].axis == samples->axis &&
            addresses->labels.at[i].low == samples->low &&
            addresses->labels.at[i].high == samples->high)
            return addresses->labels.at[i].at;
    int64_t *labels = FW_ARRAY(addresses->arena, int64_t, samples->count);
    for (uint32_t i = 0; i < samples->count && labels; i++) {
        at.block[samples->axis] = sample_at(samples, i);
        if (!fw_bound_evaluate(addresses->bound, input, &at, &labels[i]) ||
            !fw_is_address(labels[i]))
            labels = NULL;
    }
    *FW_APPEND(addresses->arena, &addresses->labels) =
        (struct data_label_samples){input, samples->axis, samples->low, samples->high, labels};
    return labels;
}

/* Whether loops go through what data choose of an array: a matrix, rather than a row of a table
 * that blocks share out among themselves. */
static bool goes_round(const struct fw_kernel *kernel, uint32_t array,
                       const struct fw_data_part *of)
{
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        const struct fw_data_address *data = kernel->accesses[a].data;
        if (kernel->accesses[a].array != array || !data ||
            kernel->domains[kernel->accesses[a].domain].innermost == FW_NONE)
            continue;
        for (uint32_t p = 0; p < data->part_count; p++)
            if (data->parts[p].value == of->value)
                return true;
    }
    return false;
}

void data_find_labels(struct fw_data_addresses *addresses, const struct fw_access *access,
                      const struct fw_data_part *of, struct data_part_plan *part)
{
    const struct fw_launch *launch = addresses->launch;
    const uint32_t axis = part->varying.launch == 1 ? 0 : part->varying.launch == 2 ? 1 : 2;
    part->labels = (struct data_labels){.axis = axis};
    if (part->model != DATA_UNBOUNDED || part->varying.launch != 1 << axis || part->varying.loops ||
        of->input_count != 1 || access->array == FW_NONE || access->direction != FW_LOAD ||
        part->coefficient == 0 || !goes_round(addresses->kernel, access->array, of))
        return;
    const struct samples samples = samples_of(axis, 0, (int64_t)launch->grid[axis] - 1);
    const int64_t *at = labels_of(addresses, of->inputs[0], &samples);
    int64_t least = at ? at[0] : 0, greatest = least;
    uint64_t unit = 0;
    for (uint32_t i = 1; i < samples.count && at; i++) {
        least = at[i] < least ? at[i] : least;
        greatest = at[i] > greatest ? at[i] : greatest;
        unit = fw_common_divisor(
            unit, (uint64_t)(at[i] > at[i - 1] ? at[i] - at[i - 1] : at[i - 1] - at[i]));
    }
    if (unit == 0)
        return;
    double labels = (double)(greatest - least) / (double)unit + 1;
    if (labels >= (double)launch->grid[0] * launch->grid[1] * launch->grid[2])
        return;
    uint32_t parameter = addresses->kernel->arrays[access->array].parameter;
    double stated = parameter != FW_NONE && launch->spreads ? launch->spreads[parameter] : 0;
    if (!(stated > 0))
        stated = data_stated_bytes(addresses, access);
    double rows = stated > 0 ? fmax(1, floor(stated / fabs((double)part->coefficient))) : labels;
    part->labels.unit = (int64_t)unit;
    part->labels.count = labels;
    double distinct = rows * (1 - pow(1 - 1 / rows, labels));
    part->labels.least = least;
    part->labels.run = 1;
    while ((double)part->labels.run * distinct * SQRT_2 < labels)
        part->labels.run *= 2;
}

/* A floor of a block index in a shape: floor((index + shift) / every). */
static bool floor_of(const struct fw_shape *shape, uint32_t index, uint32_t v, int64_t *every,
                     int64_t *shift)
{
    for (uint32_t r = 0; r < shape->row_count && shape->quotient[v]; r++) {
        bool is_it = shape->rows[r].definition && shape->rows[r].coefficient[index] == 1 &&
                     shape->rows[r].coefficient[v] < -1;
        for (uint32_t other = 0; other < shape->variables && is_it; other++)
            is_it = other == index || other == v || shape->rows[r].coefficient[other] == 0;
        if (is_it) {
            *every = -shape->rows[r].coefficient[v];
            *shift = shape->rows[r].constant;
            return true;
        }
    }
    return false;
}

/* Solves n equations in place, the last column their right side; unknowns that nothing tells are
 * 0. */
static void solve(double at[][MOST_UNKNOWNS + 1], uint32_t n, double result[])
{
    bool used[MOST_UNKNOWNS] = {false};
    uint32_t row_of[MOST_UNKNOWNS];
    for (uint32_t c = 0; c < n; c++) {
        uint32_t best = FW_NONE;
        for (uint32_t r = 0; r < n; r++)
            if (!used[r] && (best == FW_NONE || fabs(at[r][c]) > fabs(at[best][c])))
                best = r;
        row_of[c] = FW_NONE;
        result[c] = 0;
        if (best == FW_NONE || fabs(at[best][c]) < 1e-9)
            continue;
        used[best] = true;
        row_of[c] = best;
        for (uint32_t r = 0; r < n; r++) {
            double factor = r == best ? 0 : at[r][c] / at[best][c];
            for (uint32_t k = c; k <= n && factor != 0; k++)
                at[r][k] -= factor * at[best][k];
        }
    }
    for (uint32_t c = 0; c < n; c++)
        if (row_of[c] != FW_NONE)
            result[c] = at[row_of[c]][n] / at[row_of[c]][c];
}

/* The floor of a block's index by `every` among a shape's variables, where there was none a new
 * one. False: no variable is left for it. */
static bool add_floor(struct fw_shape *shape, uint32_t index, int64_t every)
{
    int64_t by, shift;
    for (uint32_t v = 0; v < shape->variables; v++)
        if (floor_of(shape, index, v, &by, &shift) && by == every && shift == 0)
            return true;
    if (every < 2 || every > shape->high[index])
        return true;
    if (shape->variables == FW_SHAPE_VARIABLES || shape->row_count + 2 > FW_SHAPE_ROWS)
        return false;
    const uint32_t q = shape->variables++;
    shape->quotient[q] = true;
    shape->loop_of[q] = FW_NONE;
    shape->coefficient[q] = 0;
    shape->low[q] = shape->low[index] / every;
    shape->high[q] = shape->high[index] / every;
    for (uint32_t r = 0; r < shape->row_count; r++)
        shape->rows[r].coefficient[q] = 0;
    for (int side = 0; side < 2; side++) {
        const uint32_t r = shape->row_count++;
        shape->rows[r].definition = true;
        shape->rows[r].equality = false;
        shape->rows[r].constant = side ? every - 1 : 0;
        for (uint32_t v = 0; v < shape->variables; v++)
            shape->rows[r].coefficient[v] = 0;
        shape->rows[r].coefficient[index] = side ? -1 : 1;
        shape->rows[r].coefficient[q] = side ? every : -every;
    }
    return true;
}

bool data_label_form(struct fw_data_addresses *addresses, const struct data_part_plan *part,
                     const struct fw_data_part *of, struct fw_shape *shape,
                     double labels[FW_SHAPE_VARIABLES], double *first)
{
    const uint32_t axis = part->labels.axis;
    uint32_t unknowns = 0, variable[MOST_UNKNOWNS];
    int64_t every[MOST_UNKNOWNS], shift[MOST_UNKNOWNS];
    double sums[MOST_UNKNOWNS][MOST_UNKNOWNS + 1] = {{0}}, result[MOST_UNKNOWNS];
    for (uint32_t v = 0; v < FW_SHAPE_VARIABLES; v++)
        labels[v] = 0;
    if (part->labels.count <= 0 || shape->launch_variable[axis] < 0)
        return false;
    const uint32_t index = (uint32_t)shape->launch_variable[axis];
    const struct samples samples = samples_of(axis, shape->low[index], shape->high[index]);
    const int64_t *at = labels_of(addresses, of->inputs[0], &samples);
    const int64_t run = part->labels.run;
    if (!at || !add_floor(shape, index, run))
        return false;
    for (uint32_t v = 0; v < shape->variables && unknowns < MOST_UNKNOWNS - 1; v++) {
        every[unknowns] = 1;
        shift[unknowns] = 0;
        if (v == index || floor_of(shape, index, v, &every[unknowns], &shift[unknowns]))
            variable[unknowns++] = v;
    }
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < samples.count; i++) {
            const uint32_t block = sample_at(&samples, i);
            double row[MOST_UNKNOWNS + 1], sum = 0;
            for (uint32_t u = 0; u < unknowns; u++) {
                row[u] = (double)((block + shift[u]) / every[u]);
                sum += pass ? row[u] * result[u] : 0;
            }
            row[unknowns] = 1;
            row[unknowns + 1] = (double)((at[i] - part->labels.least) / part->labels.unit / run);
            if (pass && fabs(sum + result[unknowns] - row[unknowns + 1]) > 0.01)
                return false;
            for (uint32_t r = 0; r <= unknowns; r++)
                for (uint32_t k = 0; k <= unknowns + 1; k++)
                    sums[r][k] += row[r] * row[k];
        }
        if (!pass)
            solve(sums, unknowns + 1, result);
    }
    for (uint32_t u = 0; u < unknowns; u++)
        labels[variable[u]] =
            fabs(result[u] - round(result[u])) < 1e-3 ? round(result[u]) : result[u];
    *first = result[unknowns];
    return true;
}
