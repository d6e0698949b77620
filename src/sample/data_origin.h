/* Origins: whether data that nobody stated decide a branch, a trip count or an address.
 *
 * Takes a kernel's instructions in SSA, its record, and which pointer arguments have stated
 * contents.  Labels every instruction whose execution or address depends on other contents: through
 * values, through memory that the kernel stores to, and through branches and loops that
 * decide what runs.  Memory is told apart by array alone, and paths by dominators, so that a label
 * may be set where it need not be, and never the other way round.  Changes nothing. */
#ifndef FW_DATA_ORIGIN_H
#define FW_DATA_ORIGIN_H

#include "ir.h"
#include "kernel.h"

struct fw_data_origins {
    const struct fw_kernel *record;
    /* By instruction, of whether it runs and of the address that it goes to: 0, or the record's
     * array whose contents matter, plus 1, or FW_ORIGIN_ELSEWHERE. */
    uint32_t *runs, *addresses;
};

/* Memory of no known array, or code that is not there. */
#define FW_ORIGIN_ELSEWHERE UINT32_MAX

/* Labels all instructions, in the arena.  `given`: by parameter of the record. */
struct fw_data_origins *fw_data_origins_find(struct fw_arena *arena, const struct fw_kernel *record,
                                             const struct fw_function *function, const bool *given);

/* The name of what a label stands for; NULL: nothing is missing. */
const char *fw_data_origins_name(const struct fw_data_origins *origins, uint32_t label);

#endif
