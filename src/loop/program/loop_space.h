/* Where a program's arrays live. */
#ifndef FW_LOOP_SPACE_H
#define FW_LOOP_SPACE_H

#include "loop.h"

/* The array's space as given, or inferred: an argument is global (a scalar that is never written:
 * param); a temporary whose subscripts mention a block's loop is global, a thread's loop shared,
 * none of them REG, a thread's own. */
enum fw_space fw_loop_space(const struct fw_loop_program *program,
                            const struct fw_loop_array *array);

#endif
