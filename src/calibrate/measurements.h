/* Measurements by name: what a device did, from records.
 *
 * Takes the text of records that forewarp-measure wrote or a store exported
 * (docs/forewarp-measure.md): JSON lines.  Gives, for the name of a launch, the value of an output
 * feature.  Never opens a file. */
#ifndef FW_MEASUREMENTS_H
#define FW_MEASUREMENTS_H

#include "diagnostic.h"
#include "text.h"

#include <stdbool.h>

struct fw_measurement {
    const char *name;
    bool failed;
    /* NAN: not measured. */
    double seconds;       /* median of single launches, what launching adds included */
    double net_seconds;   /* of one launch among many back to back; where these were not timed, of
                             single ones without the shortest interval that the timer shows */
    double watts, joules; /* of launches back to back; joules of one */
    double idle_share;    /* of the time that watts are of: the device waited for the host */
    double clock;         /* Hz, the lowest in that time */
    double duration;      /* of one launch, as a profiler's counters tell */
};

struct fw_measurements {
    const char *device; /* its name; NULL: no setup record says it */
    FW_VECTOR(struct fw_measurement) all;
    struct fw_map by_name;
};

/* Reads records into the arena.  FW_ERROR_INPUT (CAL001, with the line): a line is no record;
 * (CAL002): there is no measurement. */
enum fw_status fw_measurements_read(struct fw_measurements *measurements, struct fw_arena *arena,
                                    const struct fw_source *source, const struct fw_sink *sink);

/* The measurement of a launch; NULL: there is none. */
const struct fw_measurement *fw_measurements_find(const struct fw_measurements *measurements,
                                                  const char *name);

/* The value of an output feature by its name: f_cl_wall_time..., f_cuda_wall_time... and f_time...
 * are `seconds`, f_seconds... `net_seconds`, f_watts... and f_power... `watts`, f_joules... and
 * f_energy... `joules`.  NAN: it was not measured; false: the name is none of these. */
bool fw_measurement_output(double *value, const struct fw_measurement *measurement,
                           const char *output);

#endif
