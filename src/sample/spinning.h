/* Spinning: loops in which a block waits for what other blocks write.
 *
 * Takes a kernel in SSA; gives the first load of global memory that decides alone how long a loop
 * runs which writes nothing: flags that are polled, barriers of a whole grid.  Blocks of a sample
 * cannot run such a loop.  A loop that retries an atomic operation is none. */
#ifndef FW_SPINNING_H
#define FW_SPINNING_H

#include "ir.h"

/* The load's instruction; FW_NO_INDEX: there is no such loop. */
uint32_t fw_spinning_load(struct fw_arena *arena, const struct fw_function *function);

#endif
