/* From a recording to a device profile.
 *
 * Takes a recording of the probe's plan; gives a device whose figures each say how they were got
 * (trials, spread, range), findings that no figure holds, and what could not be determined and why.
 * Nothing is assumed in place of what was not measured. */
#ifndef FW_PROBE_PROFILE_H
#define FW_PROBE_PROFILE_H

#include "device.h"
#include "probe_recording.h"

/* What the recording could not tell. */
struct fw_probe_missing {
    enum fw_figure figure;
    const char *why;
};

/* A measurement that is no figure: by operation, say. */
struct fw_probe_finding {
    const char *name, *unit;
    double value, low, high;
    size_t trials;
};

struct fw_probe_result {
    struct fw_device device;
    const char *probed; /* when, and with which driver: a sentence */
    FW_VECTOR(struct fw_probe_missing) missing;
    FW_VECTOR(struct fw_probe_finding) findings;
};

/* Builds the profile, called `name`.  All in the arena. */
void fw_probe_profile(struct fw_probe_result *result, struct fw_arena *arena,
                      const struct fw_probe_recording *recording, const char *name);

/* Takes what the recording could not tell from `like`, the profile of a device of the same compute
 * capability: each such figure has the source `similar`, and its note names that device.  Rates of
 * all of L2 go with the two devices' l2_bandwidth.  What was missing and is known now is missing no
 * longer.  False, and nothing changed: another compute capability, or none is stated. */
bool fw_probe_complete(struct fw_probe_result *result, struct fw_arena *arena,
                       const struct fw_device *like);

#endif
