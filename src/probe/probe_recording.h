/* A recording of the probe's plan: what forewarp-measure wrote, found by a configuration's name.
 *
 * Takes the text of a file of records.  What is damaged is told and ends the reading: a profile is
 * not built on a part without saying so.  An unfinished last line is left out with a warning. */
#ifndef FW_PROBE_RECORDING_H
#define FW_PROBE_RECORDING_H

#include "arena.h"
#include "diagnostic.h"
#include "status.h"

#include <stdbool.h>
#include <stddef.h>

struct fw_probe_recording;

/* Reads; all lives in the arena, except what `close` frees.  FW_ERROR_INPUT with PRB001 (no JSON),
 * PRB002 (no setup record), PRB003 (no measurement that succeeded), PRB006 (of a later format). */
enum fw_status fw_probe_recording_read(struct fw_probe_recording **recording,
                                       struct fw_arena *arena, const char *name, const char *text,
                                       size_t length, const struct fw_sink *sink);
/* The same when the setup record alone counts: PRB003 is no error. */
enum fw_status fw_probe_recording_setup(struct fw_probe_recording **recording,
                                        struct fw_arena *arena, const char *name, const char *text,
                                        size_t length, const struct fw_sink *sink);
void fw_probe_recording_close(struct fw_probe_recording *recording);

/* Of the setup record: a text ("device", "driver", "backend", "date") or NULL; a number
 * ("memory_bytes") or NaN; an attribute that the driver told, or NaN. */
const char *fw_probe_recording_text(const struct fw_probe_recording *recording, const char *name);
double fw_probe_recording_number(const struct fw_probe_recording *recording, const char *name);
double fw_probe_recording_attribute(const struct fw_probe_recording *recording, const char *name);

/* Configurations that failed, and the first one's reason. */
size_t fw_probe_recording_failures(const struct fw_probe_recording *recording, const char **reason);

/* A configuration's trials: seconds of single or pipelined launches; 0 when there are none. */
size_t fw_probe_recording_seconds(const double **seconds,
                                  const struct fw_probe_recording *recording, const char *name,
                                  bool pipelined);
/* What trial `trial` left in the buffer `out`, `count` numbers at least; NULL when there is no
 * such. */
const double *fw_probe_recording_read_back(const struct fw_probe_recording *recording,
                                           const char *name, size_t trial, size_t count);
/* A number at name.member ("grid" 0, "energy" "watts"), or NaN. */
double fw_probe_recording_energy(const struct fw_probe_recording *recording, const char *name,
                                 const char *member);
double fw_probe_recording_extent(const struct fw_probe_recording *recording, const char *name,
                                 const char *member);

/* The names in the order of measuring; NULL after the last. */
const char *fw_probe_recording_name(const struct fw_probe_recording *recording, size_t index);

#endif
