/* Running decoded blocks. */
#ifndef FW_EMULATE_RUN_H
#define FW_EMULATE_RUN_H

#include "emulate_state.h"

/* Runs the block at run->at to its end.  Faults unwind to run->fault. */
void fw_emulate_run_block(struct emulate_run *run);

#endif
