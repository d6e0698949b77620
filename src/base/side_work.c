#include "side_work.h"

#include "deadline.h"

#include <pthread.h>
#include <unistd.h>

struct side {
    const struct fw_side_work *work;
    struct fw_arena *memory;
    int64_t question, run_end; /* what the question's deadline leaves */
    int64_t spent;             /* of that */
    bool passed, by_run;
    enum fw_status status;
};

bool fw_side_work_helps(void)
{
    return sysconf(_SC_NPROCESSORS_ONLN) > 1;
}

/* The side work itself, by its deadline. */
static void work_there(struct side *side)
{
    struct fw_deadline deadline;
    jmp_buf exhausted;
    fw_deadline_enter(&deadline, side->question, side->run_end);
    fw_arena_on_exhausted(side->memory, &exhausted);
    if (setjmp(exhausted) == 0)
        side->status = side->work->there(side->work->user, side->memory);
    else
        side->status = fw_arena_status(side->memory);
    fw_arena_on_exhausted(side->memory, NULL);
    side->spent = fw_deadline_spent(&deadline, side->question);
    side->passed = fw_deadline_leave(&deadline);
    side->by_run = deadline.by_run;
}

static void *run(void *user)
{
    work_there(user);
    return NULL;
}

/* Gives up an arena that unwound while `here` worked, as if it had done so outside. */
static void unwind_again(struct fw_arena *arena, enum fw_status why, struct fw_arena *memory)
{
    fw_arena_free(memory);
    fw_arena_give_up(arena, why);
}

enum fw_status fw_side_work(struct fw_arena **memory, const struct fw_side_work *work)
{
    struct side side = {.work = work, .memory = fw_arena_new(fw_arena_left(work->arena))};
    jmp_buf point, other_point, *volatile before, *volatile other_before = NULL;
    struct fw_arena *volatile unwound = NULL;
    pthread_t thread;
    *memory = side.memory;
    if (!side.memory)
        return FW_ERROR_MEMORY;
    fw_deadline_hand(&side.question, &side.run_end);
    const bool started = pthread_create(&thread, NULL, run, &side) == 0;
    before = fw_arena_on_exhausted(work->arena, &point);
    if (work->other)
        other_before = fw_arena_on_exhausted(work->other, &other_point);
    if (setjmp(point) != 0)
        unwound = work->arena;
    else if (work->other && setjmp(other_point) != 0)
        unwound = work->other;
    else
        work->here(work->user);
    const enum fw_status why = unwound ? fw_arena_status(unwound) : FW_OK;
    fw_arena_on_exhausted(work->arena, before);
    if (work->other)
        fw_arena_on_exhausted(work->other, other_before);
    if (started)
        pthread_join(thread, NULL);
    else if (!unwound)
        work_there(&side);
    if (started || !unwound)
        fw_deadline_take(side.spent, side.passed, side.by_run);
    if (unwound) {
        *memory = NULL;
        unwind_again(unwound, why, side.memory);
    }
    return side.passed ? FW_ERROR_BUDGET : side.status;
}
