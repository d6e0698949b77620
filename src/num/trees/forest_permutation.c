/* Importance of features by permutation (Breiman, Random forests, section 10). */
#include "forest_internal.h"

#include <math.h>
#include <string.h>

struct permuting {
    const struct fw_forest *forest;
    const struct fw_forest_data *data;
    struct fw_arena *scratch;
    double *x, *predictions;
    uint32_t threads;
};

/* The mean absolute error over the rows as they stand in `x`. */
static double error_of(struct permuting *work)
{
    const struct fw_forest_data *data = work->data;
    double sum = 0, all = 0;
    fw_forest_predict_many(work->predictions, work->forest, work->x, data->rows, work->threads);
    for (size_t r = 0; r < data->rows; r++) {
        double weight = data->weights ? data->weights[r] : 1;
        sum += weight * fabs(work->predictions[r] - data->y[r]);
        all += weight;
    }
    return all > 0 ? sum / all : 0;
}

static void permute(struct permuting *work, size_t feature, struct fw_random *random)
{
    const size_t features = work->data->features;
    for (size_t r = work->data->rows; r > 1; r--) {
        size_t other = forest_below(random, (uint32_t)r);
        double *a = &work->x[(r - 1) * features + feature];
        double *b = &work->x[other * features + feature];
        double kept = *a;
        *a = *b;
        *b = kept;
    }
}

static void measure(double *growth, struct permuting *work, uint32_t repeats, uint64_t seed)
{
    const struct fw_forest_data *data = work->data;
    const size_t rows = data->rows, features = data->features;
    work->x = fw_arena_copy(work->scratch, data->x, rows * features * sizeof(double));
    work->predictions = FW_ARRAY(work->scratch, double, rows);
    double least = error_of(work);
    for (size_t f = 0; f < features; f++) {
        struct fw_random random = {seed + f};
        growth[f] = 0;
        for (uint32_t k = 0; k < repeats; k++) {
            permute(work, f, &random);
            growth[f] += (error_of(work) - least) / repeats;
        }
        for (size_t r = 0; r < rows; r++)
            work->x[r * features + f] = data->x[r * features + f];
    }
}

enum fw_status fw_forest_permutation(double *growth, const struct fw_forest *forest,
                                     const struct fw_forest_data *data, uint32_t repeats,
                                     uint64_t seed, uint32_t threads, const struct fw_sink *sink)
{
    enum fw_status status = forest_check_rows(data, sink);
    if (status)
        return status;
    struct permuting work = {.forest = forest, .data = data, .threads = threads};
    jmp_buf exhausted;
    if (!(work.scratch = fw_arena_new(0)))
        return FW_ERROR_MEMORY;
    fw_arena_on_exhausted(work.scratch, &exhausted);
    if (setjmp(exhausted)) {
        fw_arena_free(work.scratch);
        return FW_ERROR_MEMORY;
    }
    measure(growth, &work, repeats, seed);
    fw_arena_free(work.scratch);
    return FW_OK;
}
