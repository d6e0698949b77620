/* Tables of features: the launches of a list, a row each, beside what a device did.
 *
 * Takes a list of launches (front/launches), identifiers of features, and measurements by name.
 * Reads each program once, counts each launch's features, and writes the table that cost models are
 * fitted to (CSV, docs/calibrate.md).  Of a launch with a kernel-language source ("knl") that
 * source is counted.  Never measures and never fits. */
#ifndef FW_FEATURE_TABLE_H
#define FW_FEATURE_TABLE_H

#include "measurements.h"

#include "forewarp.h"

struct fw_context;
struct fw_launch_items;

struct fw_feature_table_question {
    const struct fw_launch_items *launches;
    const char *path;            /* of the (first) list, for diagnostics */
    const char *const *features; /* identifiers, without the output; of those that are measured,
                                    the values of `measurements` */
    size_t feature_count;
    const char *output;                         /* identifier; NULL: none is wanted */
    const struct fw_measurements *measurements; /* NULL: no output */
    const struct fw_device *device;             /* for features that need a profile; NULL: none */
};

struct fw_feature_table {
    size_t rows;
    size_t unmeasured; /* launches without a row, because nothing was measured of them */
    size_t failed;     /* because measuring them failed */
    size_t leaning;    /* rows whose features depend on what data decide; defaults stand for it */
};

/* Adds the table to `csv`.  FW_ERROR_USAGE (CAL003): the output is not what is measured;
 * FW_ERROR_INPUT (CAL004): no launch of the list was measured; else what programs and features are
 * refused with, told with the launch. */
enum fw_status fw_feature_table_make(struct fw_feature_table *table, struct fw_buffer *csv,
                                     const struct fw_context *context,
                                     const struct fw_feature_table_question *question);

#endif
