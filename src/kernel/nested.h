/* Short bodies of branches, which the assembler turns into predicated instructions.
 *
 * Takes a record.  Gives how many instructions its domains have themselves.  Never knows a launch.
 */
#ifndef FW_NESTED_H
#define FW_NESTED_H

#include "kernel.h"

/* PTX instructions of the longest branch that becomes predicated: the counters of layer_norm on an
 * H200 show predicates for the eight that add two arrays.  (The CUDA C++ Best Practices Guide says
 * up to seven machine instructions.) */
enum { FW_SHORT_BODY = 8 };

/* How many instructions each domain has itself, as far as that tells short bodies from others: more
 * than FW_SHORT_BODY where control flow or a barrier is inside.  In the arena. */
uint8_t *fw_find_nested(struct fw_arena *arena, const struct fw_kernel *kernel);

#endif
