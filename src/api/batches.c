/* Many launches in one call: columns of a table in, columns of a table out. */
#include "api_check.h"

#include <math.h>
#include <string.h>

static const struct fw_context *context_of(const struct fw_worker *worker)
{
    return worker ? worker->program->context : NULL;
}

static void check_batch(struct api_check *check, const struct fw_batch_settings *settings,
                        const struct fw_worker *worker)
{
    struct fw_batch_settings all;
    api_check_pointer(check, settings, "the settings");
    api_check_size(check, settings, "the settings");
    fw_session_options(&all, sizeof(all), settings);
    api_check_array(check, all.columns, all.column_count, "columns");
    for (size_t c = 0; c < all.column_count && !check->status; c++) {
        const struct fw_batch_column *column = &all.columns[c];
        bool is_one = !column->integers != !column->numbers;
        if (all.count)
            api_check_pointer(check, is_one ? column : NULL,
                              "a column's array, of integers or of numbers,");
        api_check_pointer(check, column->argument < worker->row->argument_count ? column : NULL,
                          "a column's argument, as one of the kernel's,");
    }
}

/* Binds launch `l`. */
static enum fw_status bind(struct fw_worker *worker, const struct fw_batch_settings *settings,
                           size_t l)
{
    enum fw_status status = FW_OK;
    const uint32_t *grid = settings->grids ? settings->grids + 3 * l : NULL;
    const uint32_t *block = settings->blocks ? settings->blocks + 3 * l : NULL;
    if (block)
        fw_session_worker_set_block(worker, block[0], block[1], block[2]);
    if (grid)
        fw_session_worker_set_grid(worker, grid[0], grid[1], grid[2]);
    if (settings->shared)
        fw_session_worker_set_shared(worker, settings->shared[l]);
    for (size_t c = 0; c < settings->column_count && !status; c++) {
        const struct fw_batch_column *column = &settings->columns[c];
        status = column->integers
                     ? fw_session_worker_bind_integer(worker, column->argument, column->integers[l])
                     : fw_session_worker_bind_number(worker, column->argument, column->numbers[l]);
    }
    return status;
}

/* After these a worker answers no more. */
static bool is_final(enum fw_status status)
{
    return status == FW_ERROR_BUDGET || status == FW_ERROR_MEMORY;
}

static void put(double *column, size_t l, bool has, double value)
{
    if (column)
        column[l] = has ? value : (double)NAN;
}

static double quantity(const struct fw_prediction *prediction, const char *key)
{
    for (size_t q = 0; prediction && q < prediction->quantity_count; q++)
        if (strcmp(prediction->quantities[q].kind->key, key) == 0)
            return prediction->quantities[q].value;
    return (double)NAN;
}

/* Row `l` of the results; without a prediction (NULL), of NAN. */
static void put_prediction(const struct fw_batch_results *results,
                           const struct fw_prediction *prediction,
                           const struct fw_batch_settings *settings, size_t l)
{
    static const struct fw_prediction none;
    const struct fw_prediction *from = prediction ? prediction : &none;
    put(results->seconds, l, prediction, from->seconds);
    put(results->overhead_seconds, l, from->has_overhead, from->overhead_seconds);
    put(results->low, l, from->has_interval, from->low);
    put(results->high, l, from->has_interval, from->high);
    put(results->watts, l, from->has_watts, from->watts);
    put(results->joules, l, from->has_watts, from->joules);
    put(results->occupancy, l, from->has_occupancy, from->occupancy);
    put(results->waves, l, from->has_occupancy, from->waves);
    if (results->limiters) {
        char *limiter = results->limiters + l * FW_LIMITER_BYTES;
        memset(limiter, 0, FW_LIMITER_BYTES);
        if (from->limiter)
            memcpy(limiter, from->limiter, strnlen(from->limiter, FW_LIMITER_BYTES));
    }
    for (size_t q = 0; results->quantities && q < settings->quantity_count; q++)
        results->quantities[l * settings->quantity_count + q] =
            quantity(prediction, settings->quantities[q]);
}

enum fw_status fw_worker_predict_many(const struct fw_batch_results *results,
                                      struct fw_worker *worker, const struct fw_device *device,
                                      const struct fw_batch_settings *settings)
{
    struct fw_batch_settings all;
    struct fw_batch_results into;
    struct fw_predict_settings predict;
    struct api_check check = api_check_begin(context_of(worker), __func__);
    enum fw_status first = FW_OK, status = FW_OK;
    api_check_pointer(&check, results, "the results");
    api_check_size(&check, results, "the results");
    api_check_pointer(&check, device, "the device");
    if (!check.status)
        check_batch(&check, settings, worker);
    fw_session_options(&all, sizeof(all), settings);
    api_check_texts(&check, all.quantities, all.quantity_count, "quantities");
    if (all.predict)
        api_check_predict(&check, all.predict);
    if (check.status)
        return check.status;
    fw_session_options(&into, sizeof(into), results);
    fw_session_options(&predict, sizeof(predict), all.predict);
    for (size_t l = 0; l < all.count; l++) {
        const struct fw_answer *answer = NULL;
        if (!is_final(status))
            status = bind(worker, &all, l);
        if (!status)
            status = fw_session_worker_predict(&answer, worker, device, &predict);
        bool has = !status && answer->prediction_count;
        put_prediction(&into, has ? answer->predictions : NULL, &all, l);
        if (into.statuses)
            into.statuses[l] = status;
        first = first ? first : status;
    }
    return first;
}

enum fw_status fw_worker_features_many(double *values, int32_t *statuses, struct fw_worker *worker,
                                       const struct fw_device *device,
                                       const struct fw_batch_settings *settings,
                                       const struct fw_feature_settings *features)
{
    struct fw_batch_settings all;
    struct fw_feature_settings asked;
    struct api_check check = api_check_begin(context_of(worker), __func__);
    enum fw_status first = FW_OK, status = FW_OK;
    api_check_pointer(&check, values, "the values");
    api_check_pointer(&check, features, "the features");
    api_check_size(&check, features, "the features");
    if (!check.status)
        check_batch(&check, settings, worker);
    fw_session_options(&all, sizeof(all), settings);
    fw_session_options(&asked, sizeof(asked), features);
    api_check_texts(&check, asked.names, asked.count, "names");
    if (check.status)
        return check.status;
    for (size_t l = 0; l < all.count; l++) {
        const struct fw_answer *answer = NULL;
        if (!is_final(status))
            status = bind(worker, &all, l);
        if (!status)
            status = fw_session_worker_features(&answer, worker, device, &asked);
        for (size_t f = 0; f < asked.count; f++)
            values[l * asked.count + f] =
                !status && f < answer->feature_count ? answer->features[f].value : (double)NAN;
        if (statuses)
            statuses[l] = status;
        first = first ? first : status;
    }
    return first;
}
