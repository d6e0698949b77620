/* Emulation as the API wires it: see emulation.c. */
#ifndef FW_EMULATION_H
#define FW_EMULATION_H

#include "session.h"

/* Emulates the worker's launch; the answer's frame is there.  `*emulation` is the caller's to free,
 * on failure too. */
enum fw_status fw_session_emulate(struct fw_worker *worker, struct fw_emulation **emulation);

#endif
