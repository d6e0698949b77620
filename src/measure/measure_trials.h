/* The protocol: how one configuration is measured, on whatever backend, and what is recorded.
 *
 * Takes an open session; gives one JSON object on one line, without its newline.
 * docs/forewarp-measure.md says what each step is for. */
#ifndef FW_MEASURE_TRIALS_H
#define FW_MEASURE_TRIALS_H

#include "measure_series.h"

/* Measures.  False with a reason when the configuration cannot be measured; the record is then
 * incomplete. */
bool fw_trials_run(const struct fw_backend *backend, void *session,
                   const struct fw_configuration *configuration, const char *source,
                   struct fw_growing *record, struct fw_reason *reason);

/* The record of a configuration that could not be measured. */
void fw_trials_failed(const struct fw_configuration *configuration, uint64_t fingerprint,
                      const char *reason, struct fw_growing *record);

/* The line that opens every campaign: device, driver, clocks, timer's floor, host, date. */
bool fw_trials_setup(const struct fw_backend *backend, void *session,
                     const struct fw_target *target, struct fw_growing *record,
                     struct fw_reason *reason);

#endif
