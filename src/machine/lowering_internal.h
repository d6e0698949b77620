/* What the files of the lowering share: the function under work, its values' uses, and how an
 * instruction is merged into another. */
#ifndef FW_LOWERING_INTERNAL_H
#define FW_LOWERING_INTERNAL_H

#include "lowering.h"

/* Operations of a block that ptxas executes under a predicate instead of behind a branch, and of
 * one that loads from global memory. */
enum { FW_LOWERING_PREDICATED = 5, FW_LOWERING_PREDICATED_GLOBAL = 18 };

struct lowering {
    struct fw_arena *arena;
    const struct fw_function *function;
    struct fw_lowering *result;
    unsigned column;      /* of the table: 0, 1, 2 */
    uint32_t *blocks;     /* by instruction: its block, FW_NO_INDEX: unreachable */
    uint32_t *first_use;  /* by value, value_count + 1 of them: where its uses start in `uses` */
    uint32_t *uses;       /* instruction indices; FW_NO_INDEX: a phi, a guard, an old value kept */
    bool *read;           /* by value: an instruction reads it, if through phis; not so of phis that
                             SSA form left over */
    uint8_t *copies;      /* by block: how often unrolling has it in the code; 0 is 1 */
    bool *taken;          /* by instruction: merged already, as the one or the other */
    const uint8_t *level; /* by value, enum fw_uniformity; NULL: not known */
    const uint8_t *divergent;           /* by block: header of a loop that a warp's threads leave at
                                           different times; NULL: not known */
    struct lowering_counters *counters; /* of the loop that unrolling looks at */
};

/* Replaces what an instruction issues by a list written as in the table. */
void fw_lowering_list(struct fw_lowered *result, struct fw_arena *arena, const char *text);

/* Adds `count` of an operation to what an instruction issues. */
void fw_lowering_append(struct lowering *work, uint32_t instruction, enum fw_machine operation,
                        uint16_t count);

/* Text for instructions that need no row: control, moves, parameters; NULL for all others. */
const char *fw_lowering_plain(const struct fw_instruction *at, unsigned column);

/* The column of the table for a capability. */
unsigned fw_lowering_column(uint32_t capability);

/* The value that an instruction's only destination defines; FW_NO_INDEX when it is guarded, has
 * several, or none. */
uint32_t fw_lowering_value(const struct lowering *work, uint32_t instruction);

/* The unguarded instruction in the same block as `user` that defines an operand, or FW_NO_INDEX. */
uint32_t fw_lowering_source(const struct lowering *work, uint32_t user,
                            const struct fw_operand *operand);

/* The value that moves between registers made this one of. */
uint32_t fw_lowering_origin(const struct lowering *work, uint32_t value);

/* How many uses a value has, and its `i`th. */
uint32_t fw_lowering_use_count(const struct lowering *work, uint32_t value);
uint32_t fw_lowering_use(const struct lowering *work, uint32_t value, uint32_t i);

/* `absorbed` issues nothing: `into` does its work. */
void fw_lowering_absorb(struct lowering *work, uint32_t absorbed, uint32_t into);

/* Whether the operand is this register value. */
bool fw_lowering_reads(const struct fw_operand *operand, uint32_t value);

/* lowering_fragments.c: fragments of matrices.  lowering_merge.c: sums with products, chains of
 * sums and logic.  lowering_fold.c: what needs no operation of its own.  lowering_share.c: what is
 * done once for several.  lowering_words.c: rotations of 64 bits, words of 64-bit integers that are
 * known, and products with carries. lowering_widen.c: shared memory's accesses as wide ones.
 * lowering_narrow.c: what nobody looks at.  lowering_uniform.c: what one operation does for the
 * whole warp.  lowering_combined.c: atomic operations that one lane does for its warp.
 * lowering_bytes.c: bytes of vectors. unrolling/unroll.c: what unrolled loops share.
 * lowering_tables.c: branches through tables. lowering_branches.c: what becomes of others.
 * lowering_constants.c: what brings constants to registers.  lowering_moves.c: which unit moves. */
void fw_lowering_fragments(struct lowering *work);
void fw_lowering_rotations(struct lowering *work);
void fw_lowering_contract(struct lowering *work);
void fw_lowering_merge(struct lowering *work);
void fw_lowering_fold(struct lowering *work);
void fw_lowering_share(struct lowering *work);
void fw_lowering_choices(struct lowering *work);
void fw_lowering_words(struct lowering *work);
void fw_lowering_widen(struct lowering *work);
/* Before the first asynchronous copy of a basic block, and the first one behind an access of shared
 * memory or a barrier, ptxas puts three loads from shared memory whose predicate never holds: issue
 * slots that counters see.  Source: code of ptxas 13.0 for sm_80 and sm_90; copy_async's counters.
 */
void fw_lowering_copies(struct lowering *work);
void fw_lowering_narrow(struct lowering *work);
void fw_lowering_uniform(struct lowering *work);
void fw_lowering_bytes(struct lowering *work);
void fw_lowering_combined(struct lowering *work);
void fw_lowering_unroll(struct lowering *work);
void fw_lowering_tables(struct lowering *work);
void fw_lowering_branches(struct lowering *work);
void fw_lowering_constants(struct lowering *work);
void fw_lowering_moves(struct lowering *work);

#endif
