/* What the files about devices share. */
#ifndef FW_DEVICE_INTERNAL_H
#define FW_DEVICE_INTERNAL_H

#include "device.h"

/* Rules about several figures: each holds one of them below another.  How many there are; what is
 * against a rule, as a sentence, and the figure to blame; NULL: nothing. */
size_t fw_device_rules(void);
const char *fw_device_conflict(enum fw_figure *blamed, const struct fw_device *device, size_t rule,
                               struct fw_arena *arena);

/* device_rules.c: "greedy_youngest, greedy_oldest, loose_round_robin": what a NAME figure may be.
 */
const char *fw_device_names(enum fw_figure figure, struct fw_arena *arena);

/* Applies "PROPERTY=VALUE,..." from `offset` of a text on to a device; its name becomes
 * `name` with the changes behind it. */
enum fw_status fw_device_apply(struct fw_device *device, struct fw_arena *arena,
                               const struct fw_source *source, size_t offset,
                               const struct fw_sink *sink);

#endif
