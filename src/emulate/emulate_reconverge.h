/* Reconvergence points of a function's branches. */
#ifndef FW_EMULATE_RECONVERGE_H
#define FW_EMULATE_RECONVERGE_H

#include "emulate_state.h"

/* Fills strict, relaxed and leaves of the code.  Needs: passes cfg and dominators. */
void fw_emulate_reconverge(struct fw_arena *arena, struct emulate_code *code);

#endif
