/* What a recorded row's counters say of volumes, for the limiters: the paper's phenomenological
 * prediction. */
#ifndef RECORDED_VOLUMES_H
#define RECORDED_VOLUMES_H

#include "measured.h"

#include <jansson.h>

/* Not a number where the row lacks a counter. */
struct fw_measured_volumes recorded_volumes(const json_t *row);

#endif
