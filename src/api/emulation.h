/* Emulation as the API wires it: see emulation.c. */
#ifndef FW_API_EMULATION_H
#define FW_API_EMULATION_H

#include "api_internal.h"

/* Emulates the worker's launch; the answer's frame is there.  `*emulation` is the caller's to free,
 * on failure too. */
enum fw_status api_emulate(struct fw_worker *worker, struct fw_emulation **emulation);

#endif
