/* Which parameters of a kernel are pointers. */
#ifndef FW_EMULATE_POINTERS_H
#define FW_EMULATE_POINTERS_H

#include "ir.h"

/* One truth value a parameter, in the arena: declared .ptr, or 64 bits that reach an address (or a
 * cvta) by moves and as the first operand of additions. */
bool *fw_emulate_pointer_parameters(struct fw_arena *arena, const struct fw_function *function);

#endif
