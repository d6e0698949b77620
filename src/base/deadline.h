/* Deadlines: when the work of a thread has to end.
 *
 * A question (a call of the API) enters a deadline; what works for it asks now and then whether the
 * time is over: every arena does after some allocations (arena.h), and long loops that allocate
 * nothing ask by fw_deadline_check.  When it is over, work unwinds as at an exhausted arena.  Time
 * never changes an answer: once fw_deadline_passed has said so it goes on saying so until the
 * deadline is left, and whoever entered it then gives an error instead of what came of the work.
 *
 * Two times end a question.  That of the question itself is processor time of its thread, so that
 * the same questions are answered however busy the machine is; it does not run while children work
 * (compilers have limits of their own).  That of the whole run is wall time.  Deadlines belong to
 * the thread that entered them, and nest: what is entered inside ends no later than what is around
 * it. */
#ifndef FW_DEADLINE_H
#define FW_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>

#define FW_DEADLINE_NEVER INT64_MAX

struct fw_arena;

struct fw_deadline {
    struct fw_deadline *outer;
    int64_t processor_end; /* of the question: nanoseconds of the thread's processor time;
                              FW_DEADLINE_NEVER: no end */
    int64_t question_end;  /* nanoseconds of fw_deadline_now before which the thread cannot have had
                              so much processor time */
    int64_t run_end;       /* nanoseconds of fw_deadline_now; FW_DEADLINE_NEVER: no end */
    int64_t rested_at;     /* of the thread's processor time: when the pause began */
    bool passed;           /* a check has said so */
    bool by_run;           /* it was the end of the whole run */
    bool told;             /* a diagnostic says so */
    bool resting;          /* between pause and resume no check says that the time is over */
};

/* Nanoseconds of a clock that only goes forward. */
int64_t fw_deadline_now(void);

/* Nanoseconds of so many seconds; FW_DEADLINE_NEVER for what is no positive number, or too large.
 */
int64_t fw_deadline_nanoseconds(double seconds);

/* So many seconds from now, as fw_deadline_nanoseconds. */
int64_t fw_deadline_after(double seconds);

/* Enters a deadline, whose memory is the caller's until it is left.  `question`: nanoseconds of
 * processor time that the thread may take for it from now on, or FW_DEADLINE_NEVER; `run_end`: of
 * fw_deadline_now, or FW_DEADLINE_NEVER. */
void fw_deadline_enter(struct fw_deadline *deadline, int64_t question, int64_t run_end);

/* Leaves the innermost deadline, which must be this one; whether a check has said that its time is
 * over.  A deadline around it that ends at the same time has passed as well. */
bool fw_deadline_leave(struct fw_deadline *deadline);

/* Whether the time of the thread's work is over.  Reads the wall clock, some tens of nanoseconds;
 * that of the thread, which takes a system call, only once the wall clock has gone on by as much as
 * the question may take. */
bool fw_deadline_passed(void);

/* Whether a check has said so already.  Reads no clock. */
bool fw_deadline_is_over(void);

/* Unwinds as at an exhausted arena when the time is over.  For long loops without allocations, at
 * most every few microseconds. */
void fw_deadline_check(struct fw_arena *arena);

/* Around waiting for children or for input: the question's time stands still, and no check unwinds.
 */
int64_t fw_deadline_pause(void);
void fw_deadline_resume(int64_t since);

/* For work of the question on another thread (side_work.h): what that thread may enter a deadline
 * with.  FW_DEADLINE_NEVER where nothing ends this thread's work. */
void fw_deadline_hand(int64_t *question, int64_t *run_end);

/* What has been spent of `question` in the innermost deadline, which is this one and was entered
 * with it: nanoseconds of processor time without pauses; 0 where it has no end. */
int64_t fw_deadline_spent(const struct fw_deadline *deadline, int64_t question);

/* Another thread has spent so much for this question; `passed`: a check has told it that the time
 * is over (`by_run`: that of the whole run), which holds for this thread from now on. */
void fw_deadline_take(int64_t spent, bool passed, bool by_run);

/* Seconds, rounded up, that the whole run leaves to a child which may have `seconds` at most. */
unsigned fw_deadline_child_seconds(unsigned seconds);

/* For tests: of the thread's checks from now on the `count`-th says that the time is over; 0: none
 * does. */
void fw_deadline_pass_at(uint64_t count);

#endif
