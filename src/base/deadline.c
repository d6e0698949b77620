/* Deadlines.  See deadline.h. */
#include "deadline.h"

#include <stddef.h>
#include <time.h>

static _Thread_local struct fw_deadline *innermost;
static _Thread_local uint64_t until_passed; /* checks, for tests; 0: the clock alone decides */

static int64_t nanoseconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t fw_deadline_now(void)
{
    return nanoseconds_of(CLOCK_MONOTONIC);
}

static int64_t processor_now(void)
{
    return nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
}

int64_t fw_deadline_nanoseconds(double seconds)
{
    return seconds > 0 && seconds <= 1e9 ? (int64_t)(seconds * 1e9) : FW_DEADLINE_NEVER;
}

int64_t fw_deadline_after(double seconds)
{
    int64_t nanoseconds = fw_deadline_nanoseconds(seconds);
    return nanoseconds == FW_DEADLINE_NEVER ? nanoseconds : fw_deadline_now() + nanoseconds;
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void fw_deadline_enter(struct fw_deadline *deadline, int64_t question, int64_t run_end)
{
    struct fw_deadline *outer = innermost;
    bool ends = question != FW_DEADLINE_NEVER;
    *deadline = (struct fw_deadline){.outer = outer, .run_end = run_end};
    deadline->question_end = ends ? fw_deadline_now() + question : FW_DEADLINE_NEVER;
    deadline->processor_end = ends ? processor_now() + question : FW_DEADLINE_NEVER;
    if (outer) {
        deadline->question_end = earlier(deadline->question_end, outer->question_end);
        deadline->processor_end = earlier(deadline->processor_end, outer->processor_end);
        deadline->run_end = earlier(run_end, outer->run_end);
        deadline->resting = outer->resting;
    }
    innermost = deadline;
}

bool fw_deadline_leave(struct fw_deadline *deadline)
{
    struct fw_deadline *outer = deadline->outer;
    innermost = outer;
    if (deadline->passed && outer &&
        (deadline->by_run ? outer->run_end <= deadline->run_end
                          : outer->processor_end <= deadline->processor_end)) {
        outer->passed = true;
        outer->by_run = deadline->by_run;
        outer->told = outer->told || deadline->told;
    }
    return deadline->passed;
}

/* Whether the question's processor time is over.  If not, the wall clock has to go on by at least
 * what is left of it before it is worth asking again. */
static bool question_passed(struct fw_deadline *deadline, int64_t now)
{
    if (now < deadline->question_end)
        return false;
    int64_t left = deadline->processor_end - processor_now();
    if (left > 0)
        deadline->question_end = now + left;
    return left <= 0;
}

bool fw_deadline_passed(void)
{
    struct fw_deadline *deadline = innermost;
    if (!deadline || deadline->resting)
        return false;
    if (deadline->passed)
        return true;
    if (until_passed && --until_passed == 0) {
        deadline->passed = true;
        return true;
    }
    if (deadline->question_end == FW_DEADLINE_NEVER && deadline->run_end == FW_DEADLINE_NEVER)
        return false;
    int64_t now = fw_deadline_now();
    deadline->by_run = now >= deadline->run_end;
    deadline->passed = deadline->by_run || question_passed(deadline, now);
    return deadline->passed;
}

bool fw_deadline_is_over(void)
{
    return innermost && innermost->passed;
}

int64_t fw_deadline_pause(void)
{
    if (!innermost || innermost->resting)
        return FW_DEADLINE_NEVER;
    innermost->resting = true;
    innermost->rested_at = processor_now();
    return fw_deadline_now();
}

void fw_deadline_resume(int64_t since)
{
    if (since == FW_DEADLINE_NEVER) /* this pause was inside another one, or of no deadline */
        return;
    int64_t waited = fw_deadline_now() - since, worked = processor_now() - innermost->rested_at;
    innermost->resting = false;
    for (struct fw_deadline *each = innermost; each; each = each->outer)
        if (each->question_end != FW_DEADLINE_NEVER) {
            each->question_end += waited;
            each->processor_end += worked;
        }
}

void fw_deadline_hand(int64_t *question, int64_t *run_end)
{
    *question = *run_end = FW_DEADLINE_NEVER;
    if (!innermost)
        return;
    *run_end = innermost->run_end;
    if (innermost->processor_end != FW_DEADLINE_NEVER) {
        const int64_t left = innermost->processor_end - processor_now();
        *question = left > 0 ? left : 0;
    }
}

int64_t fw_deadline_spent(const struct fw_deadline *deadline, int64_t question)
{
    if (question == FW_DEADLINE_NEVER)
        return 0;
    const int64_t spent = question - (deadline->processor_end - processor_now());
    return spent > 0 ? spent : 0;
}

void fw_deadline_take(int64_t spent, bool passed, bool by_run)
{
    for (struct fw_deadline *each = innermost; each; each = each->outer)
        if (each->question_end != FW_DEADLINE_NEVER) {
            each->question_end -= spent;
            each->processor_end -= spent;
        }
    if (innermost && passed && !innermost->passed) {
        innermost->passed = true;
        innermost->by_run = by_run;
    }
}

unsigned fw_deadline_child_seconds(unsigned seconds)
{
    if (!innermost || innermost->run_end == FW_DEADLINE_NEVER)
        return seconds;
    int64_t left = (innermost->run_end - fw_deadline_now() + 999999999) / 1000000000;
    return left < 1 ? 1 : left < seconds ? (unsigned)left : seconds;
}

void fw_deadline_pass_at(uint64_t count)
{
    until_passed = count;
}
