/* See measure_series.h. */
#include "measure_series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double fw_figure_round(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.6g", value);
    return strtod(text, NULL);
}

void fw_figure_write(struct fw_growing *record, double value)
{
    if (value == -1 || !isfinite(value))
        fw_growing_add(record, "null");
    else
        fw_growing_add(record, "%.9g", value);
}

void fw_series_add(struct fw_series *series, double seconds, const struct fw_sample *sample)
{
    if (series->count == series->capacity) {
        series->capacity = series->capacity ? series->capacity * 2 : 64;
        series->seconds = realloc(series->seconds, series->capacity * sizeof *series->seconds);
        series->samples = realloc(series->samples, series->capacity * sizeof *series->samples);
        if (!series->seconds || !series->samples)
            exit(3);
    }
    series->seconds[series->count] = fw_figure_round(seconds);
    series->samples[series->count++] = *sample;
}

void fw_series_free(struct fw_series *series)
{
    free(series->seconds);
    free(series->samples);
    memset(series, 0, sizeof *series);
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The timer's step as far as these trials show it: the least difference between two that differ. */
static double step(const double *sorted, size_t count)
{
    double least = 0;
    for (size_t i = 1; i < count; i++) {
        double apart = sorted[i] - sorted[i - 1];
        if (apart > 0 && (least == 0 || apart < least))
            least = apart;
    }
    return least;
}

/* Sorts in place. */
static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, ascending);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

struct fw_statistics fw_series_statistics(const struct fw_series *series)
{
    struct fw_statistics result = {0};
    size_t count = series->count;
    if (count == 0)
        return result;
    double *sorted = fw_measure_memory(count, sizeof *sorted), sum = 0, squares = 0;
    memcpy(sorted, series->seconds, count * sizeof *sorted);
    result.median = median(sorted, count);
    result.minimum = sorted[0];
    result.maximum = sorted[count - 1];
    double tick = step(sorted, count);
    for (size_t i = 0; i < count; i++)
        sum += series->seconds[i];
    result.mean = sum / (double)count;
    for (size_t i = 0; i < count; i++) {
        double off = series->seconds[i] - result.mean;
        squares += off * off;
        sorted[i] = fabs(series->seconds[i] - result.median);
    }
    result.deviation = count > 1 ? sqrt(squares / (double)(count - 1)) : 0;
    result.variation = result.mean > 0 ? result.deviation / result.mean : 0;
    result.outlier_distance = 5 * 1.4826 * median(sorted, count);
    if (result.outlier_distance < 0.02 * result.median)
        result.outlier_distance = 0.02 * result.median;
    if (result.outlier_distance < 3.5 * tick)
        result.outlier_distance = 3.5 * tick;
    free(sorted);
    return result;
}

/* Indices of trials; `clock_top` < 0: those far from the median, else those below that clock. */
static void write_marked(const struct fw_series *series, const struct fw_statistics *statistics,
                         double clock_top, struct fw_growing *record)
{
    const char *separator = "";
    fw_growing_add(record, "[");
    for (size_t i = 0; i < series->count; i++) {
        double clock = series->samples[i].clock_hertz;
        bool marked = clock_top < 0 ? fabs(series->seconds[i] - statistics->median) >
                                          statistics->outlier_distance
                                    : clock >= 0 && clock < clock_top;
        if (marked) {
            fw_growing_add(record, "%s%zu", separator, i);
            separator = ", ";
        }
    }
    fw_growing_add(record, "]");
}

static double sampled(const struct fw_series *series, size_t index, size_t offset)
{
    return *(const double *)((const char *)&series->samples[index] + offset);
}

/* One number when all trials have the same. */
static void write_samples(const struct fw_series *series, const char *name, size_t offset,
                          struct fw_growing *record)
{
    bool differ = false;
    for (size_t i = 1; i < series->count; i++)
        differ = differ || sampled(series, i, offset) != sampled(series, 0, offset);
    fw_growing_add(record, ", \"%s\": %s", name, differ ? "[" : "");
    for (size_t i = 0; i < (differ ? series->count : 1); i++) {
        fw_growing_add(record, "%s", i ? ", " : "");
        fw_figure_write(record, series->count ? sampled(series, i, offset) : -1);
    }
    fw_growing_add(record, "%s", differ ? "]" : "");
}

void fw_series_write(const struct fw_series *series, double clock_top_hertz, double floor,
                     struct fw_growing *record)
{
    struct fw_statistics all = fw_series_statistics(series);
    bool clocked = clock_top_hertz > 0 && series->count && series->samples[0].clock_hertz >= 0;
    fw_growing_add(record,
                   "{\"trials\": %zu, \"median_seconds\": %.7g, \"mean_seconds\": %.7g, "
                   "\"deviation_seconds\": %.4g, \"variation\": %.4g, \"minimum_seconds\": %.6g, "
                   "\"maximum_seconds\": %.6g",
                   series->count, all.median, all.mean, all.deviation, all.variation, all.minimum,
                   all.maximum);
    if (floor >= 0)
        fw_growing_add(record, ", \"floor_seconds\": %.6g, \"net_median_seconds\": %.7g", floor,
                       fmax(all.median - floor, 0));
    fw_growing_add(record, ", \"outliers\": ");
    write_marked(series, &all, -1, record);
    fw_growing_add(record, ", \"below_top_clock\": ");
    if (clocked)
        write_marked(series, &all, clock_top_hertz, record);
    else
        fw_growing_add(record, "null");
    fw_growing_add(record, ", \"seconds\": [");
    for (size_t i = 0; i < series->count; i++)
        fw_growing_add(record, "%s%.6g", i ? ", " : "", series->seconds[i]);
    fw_growing_add(record, "]");
    write_samples(series, "clock_hertz", offsetof(struct fw_sample, clock_hertz), record);
    write_samples(series, "temperature_celsius", offsetof(struct fw_sample, temperature_celsius),
                  record);
    write_samples(series, "throttle", offsetof(struct fw_sample, throttle), record);
    fw_growing_add(record, "}");
}
