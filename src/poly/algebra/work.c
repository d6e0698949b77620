/* The scratch of a computation, and its way out. */
#include "work.h"
#include "deadline.h"

enum { BITS_MOST = 1 << 14, STEPS_BETWEEN_CHECKS = 2048 };

void fw_work_init(struct work *work, struct fw_arena *arena, uint64_t budget)
{
    work->arena = arena;
    work->steps = 0;
    work->step_budget = budget;
    work->bit_budget = BITS_MOST;
    work->status = FW_ERROR_BUDGET;
    for (unsigned i = 0; i < 3; i++)
        mpz_init(work->scratch[i]);
    work->until_check = STEPS_BETWEEN_CHECKS;
    fw_arena_on_exhausted(arena, &work->failure);
    /* `failure` is a point only while a computation runs: work_spend looks at the time, then. */
    fw_arena_unhurried(arena);
}

void fw_work_clear(struct work *work)
{
    for (unsigned i = 0; i < 3; i++)
        mpz_clear(work->scratch[i]);
}

_Noreturn void fw_work_fail(struct work *work, enum fw_status status)
{
    work->status = status;
    longjmp(work->failure, 1);
}

void fw_work_check_time(struct work *work)
{
    bool over = fw_deadline_passed();
    work->until_check = over ? 0 : STEPS_BETWEEN_CHECKS;
    if (over)
        fw_work_fail(work, FW_ERROR_BUDGET);
}
