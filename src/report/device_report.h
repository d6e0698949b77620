/* Reports on devices: profiles listed and shown, and what probing a device found.
 *
 * Takes profiles as device.h has them, and plain records; gives text for people, and JSON of the
 * list.  (A profile's JSON is fw_device_print's: it is the file format.)  Never reads a file. */
#ifndef FW_DEVICE_REPORT_H
#define FW_DEVICE_REPORT_H

#include "device.h"

/* The profiles of a folder, each with its compute capability; `folder` is named where there are
 * none (NULL: there is no folder). */
void fw_report_devices_json(struct fw_buffer *out, const struct fw_device *const *devices,
                            size_t count);
void fw_report_devices_text(struct fw_buffer *out, const struct fw_device *const *devices,
                            size_t count, const char *folder);

/* One profile: its figures with source and meaning, and those that it lacks. */
void fw_report_device_text(struct fw_buffer *out, const struct fw_device *device);

/* A figure that a recording does not determine. */
struct fw_probe_missing_row {
    const char *figure, *why;
};

/* What was measured beside the figures. */
struct fw_probe_finding_row {
    const char *name, *unit;
    double value, low, high; /* of the trials */
};

struct fw_probe_report {
    const struct fw_device *probed;
    const struct fw_device *compared; /* to be shown beside it; NULL: none */
    size_t failures;                  /* configurations that did not run */
    const char *failure;              /* why the first of them did not */
    const struct fw_probe_missing_row *missing;
    size_t missing_count;
    const struct fw_probe_finding_row *findings;
    size_t finding_count;
};

/* A probe's outcome: the figures, or those that are one number beside the compared profile's; then
 * what failed, what is missing and what else was measured. */
void fw_report_probe_text(struct fw_buffer *out, const struct fw_probe_report *probe);

#endif
