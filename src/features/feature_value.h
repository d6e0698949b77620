/* Values of features for one launch.
 *
 * Takes rows (feature_rows.h) for what the paper's identifiers ask for, and a record at a bound
 * launch with a device's profile for what forewarp knows beyond: issued instructions, requests,
 * volumes, occupancy.  What is costly is found when a feature first asks for it.  A feature that no
 * row fits is 0; one that cannot be told is an error, never a guess. */
#ifndef FW_FEATURE_VALUE_H
#define FW_FEATURE_VALUE_H

#include "feature.h"
#include "feature_rows.h"

#include "device.h"

struct fw_feature_found;

struct fw_feature_source {
    struct fw_arena *arena;
    const struct fw_feature_rows *rows;
    /* Compiled code: NULL where there is none, and why, part of a sentence. */
    const struct fw_kernel *kernel;
    struct fw_bound *bound;
    const struct fw_launch *launch;
    const char *no_code;
    const struct fw_device *device; /* NULL: none was named */
    const uint32_t *alignments;     /* bytes, by parameter; NULL: 256 */
    bool cold;                      /* caches flushed before the launch */
    const double *own; /* values of the caller's own features, by number; NULL: there are none */
    uint32_t line;     /* of `rows`, and of machine instructions; FW_FEATURE_ALL_LINES */
    struct fw_feature_found *found; /* so far; NULL */
};

/* The feature's value.  FW_ERROR_INPUT at `place`: FEAT002 (it is measured, not counted), FEAT003
 * (a constraint names what is no parameter, or one that is not bound), FEAT004 (the ratio of an
 * access that fits otherwise is not known), FEAT005 (it needs compiled code or a profile that is
 * not there).
 */
enum fw_status fw_feature_value(double *value, const struct fw_feature *feature,
                                struct fw_feature_source *source, struct fw_span place,
                                const struct fw_sink *sink);

#endif
