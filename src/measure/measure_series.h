/* Trials of one kind and their statistics.
 *
 * Every duration is rounded to six digits when it arrives (an event's clock has fewer), so that a
 * recording, which holds six, gives the same statistics again to the last digit. */
#ifndef FW_MEASURE_SERIES_H
#define FW_MEASURE_SERIES_H

#include "measure_backend.h"

struct fw_series {
    double *seconds;
    struct fw_sample *samples;
    size_t count, capacity;
};

struct fw_statistics {
    double median, mean, deviation, variation, minimum, maximum;
    double outlier_distance; /* from the median; trials further away are marked */
};

/* Adds a trial, with the device's state beside it; ends the program where memory does. */
void fw_series_add(struct fw_series *series, double seconds, const struct fw_sample *sample);
void fw_series_free(struct fw_series *series);

/* Median (mean of the middle two), arithmetic mean, standard deviation of the sample (n - 1), its
 * ratio to the mean, extremes.  The outlier distance is the largest of five scaled median absolute
 * deviations (1.4826 times: the deviation's equal under a normal distribution), 2% of the median
 * and three steps of the timer. All zero for an empty series. */
struct fw_statistics fw_series_statistics(const struct fw_series *series);

/* Adds a JSON object: statistics, what is left of the median without the timer's floor (`floor`,
 * -1: it is not in the trials; never less than nothing), then every trial, outliers and trials
 * below `clock_top_hertz`
 * (-1: not known) by their index. */
void fw_series_write(const struct fw_series *series, double clock_top_hertz, double floor,
                     struct fw_growing *record);

/* A number as JSON, null when it is -1. */
void fw_figure_write(struct fw_growing *record, double value);
/* Rounds to six digits. */
double fw_figure_round(double value);

#endif
