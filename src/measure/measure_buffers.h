/* A configuration's buffers on the device: made, filled, looked at, restored.
 *
 * Content is made on the host piece by piece and handed over, so that the host needs little memory
 * however large a buffer is; shuffles and cycles alone are made whole. */
#ifndef FW_MEASURE_BUFFERS_H
#define FW_MEASURE_BUFFERS_H

#include "measure_backend.h"

struct fw_buffers {
    const struct fw_backend *backend;
    void *session;
    const struct fw_configuration *configuration;
    size_t *handles; /* of each argument */
    bool *written;   /* whether the check saw this output change */
    bool restores;   /* some buffer gets its fill back before each trial */
};

/* Allocates and fills all buffers; `memory_bytes`: what the device has, -1 when not known. */
bool fw_buffers_make(struct fw_buffers *buffers, double memory_bytes, struct fw_reason *reason);
/* Launches once, sees which outputs changed, and fills again what the launch may have changed.  An
 * output that was poisoned and still is fails. */
bool fw_buffers_check(struct fw_buffers *buffers, struct fw_reason *reason);
/* Gives the buffers that the plan says to restore their fill back, on the device. */
bool fw_buffers_restore(struct fw_buffers *buffers, struct fw_reason *reason);
void fw_buffers_free(struct fw_buffers *buffers);

#endif
