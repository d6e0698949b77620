/* What the files of unrolling share: loops that count, what their iterations weigh, and what is
 * issued around them. */
#ifndef FW_UNROLLING_H
#define FW_UNROLLING_H

#include "lowering_internal.h"

/* A loop that counts: phi, its next value, and the compare and branch of the only block that leaves
 * it. */
struct counted_loop {
    const struct fw_loop_info *loop;
    uint32_t phi;     /* value */
    uint32_t step;    /* instruction */
    uint32_t compare; /* instruction */
    uint32_t branch;  /* instruction */
    uint64_t trips;   /* 0: not known; of what comes before the branch */
    bool middle;      /* the branch stands in the middle */
    uint32_t back;    /* instruction: the branch without a guard of a loop that asks first, which is
                         none once the loop is turned; FW_NO_INDEX: it asks elsewhere */
};

/* The counters of one loop, found together: by value that is one, or is a literal's step from one.
 */
struct lowering_counters {
    const struct fw_loop_info *loop; /* NULL: none yet */
    uint32_t *stamp;                 /* by value: of which finding; others have no counter */
    uint32_t *phi;                   /* by value: index among the header's phis */
    uint32_t *step;                  /* by value: the instruction of its next value */
    uint32_t found;
};

/* What one iteration weighs, by the rules of ptxas (unroll.c). */
struct loop_weight {
    uint32_t sum, shared_loads, global_loads;
    bool refused; /* such an iteration is not unrolled */
};

/* Operations that are issued once for each way into a loop. */
struct loop_entry {
    struct fw_machine_count *at;
    uint16_t count;
};

/* Weights of operations, of others 1; and of an iteration of which four are made one. */
enum { UNROLL_ACCESS = 2, UNROLL_WIDE = 2, UNROLL_ATOMIC = 10, UNROLL_WEIGHT = 18 };

/* counted_loop.c */
const struct fw_instruction *unroll_instruction(const struct lowering *work, uint32_t i);

/* Whether a block is in a loop. */
bool unroll_contains(const struct fw_function *function, const struct fw_loop_info *loop,
                     uint32_t block);

/* Whether an operand is a literal, or a register that a literal was moved to: which. */
bool unroll_literal(const struct lowering *work, const struct fw_operand *operand,
                    int64_t *literal);

/* The phi of which a value is the counter, or a literal's step from it, and the instruction of that
 * step; NULL: of none. */
const struct fw_phi *unroll_counter(const struct lowering *work, const struct fw_loop_info *loop,
                                    uint32_t value, uint32_t *step);

/* Whether a loop, `counted->loop`, counts; fills in the rest. */
bool unroll_is_counted(const struct lowering *work, struct counted_loop *counted);

/* Whether an instruction is the sum of a pointer that a literal moves and what does not change: a
 * place that moves with it. */
bool unroll_offsets_pointer(const struct lowering *work, const struct counted_loop *counted,
                            uint32_t i);

/* Whether an instruction moves a pointer by a literal: a step of a phi that, apart from compares,
 * only places of memory read, so that the places' offsets take it. */
bool unroll_moves_pointer(const struct lowering *work, const struct counted_loop *counted,
                          uint32_t i);

/* loop_weight.c: of an iteration; whether four of such are made one. */
struct loop_weight unroll_weigh(const struct lowering *work, const struct counted_loop *counted);
bool unroll_is_small(const struct loop_weight *weight);

/* loop_entry.c: what stands around a loop whose trips are not known; issues it with the
 * instructions before the loop. */
struct loop_entry unroll_entry(struct lowering *work, const struct counted_loop *counted);
void unroll_add_entry(struct lowering *work, const struct counted_loop *counted,
                      const struct loop_entry *entry);

#endif
