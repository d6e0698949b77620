/* What every computation of src/poly carries along: the arena of its scratch, the scratch
 * numbers of arithmetic that left 63 bits, the budget, and the way out.
 *
 * Inner functions return values, not statuses: what cannot go on (budget, memory,
 * an unbounded set) unwinds with fw_work_fail to the point that the public function set.  Nothing
 * of this header is seen outside src/poly and src/formula. */
#ifndef FW_WORK_H
#define FW_WORK_H

#include "arena.h"
#include "status.h"

#include <gmp.h>
#include <setjmp.h>
#include <stdint.h>

struct work {
    struct fw_arena *arena;
    mpz_t scratch[3];
    uint64_t steps;       /* units of work spent */
    uint64_t step_budget; /* FW_ERROR_BUDGET past this many */
    int64_t until_check;  /* units before the next look at the deadline */
    uint32_t bit_budget;  /* FW_ERROR_OVERFLOW for integers of more bits */
    jmp_buf failure;
    enum fw_status status; /* set by fw_work_fail */
};

/* A work over an arena, with its scratch numbers; the caller sets the failure point. */
void fw_work_init(struct work *work, struct fw_arena *arena, uint64_t budget);
void fw_work_clear(struct work *work);

/* Gives up: does not return. */
_Noreturn void fw_work_fail(struct work *work, enum fw_status status);

/* Fails when the time of the thread's work is over (deadline.h). */
void fw_work_check_time(struct work *work);

/* Spends `steps` units of the budget. */
static inline void work_spend(struct work *work, uint64_t steps)
{
    work->steps += steps;
    if (work->steps > work->step_budget)
        fw_work_fail(work, FW_ERROR_BUDGET);
    work->until_check -= (int64_t)steps;
    if (work->until_check < 0)
        fw_work_check_time(work);
}

#endif
