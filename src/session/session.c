/* What all of a session needs: options of any version, texts for callers, exhausted arenas. */
#include "session.h"
#include "deadline.h"

#include <stdlib.h>
#include <string.h>

void fw_session_options(void *into, size_t size, const void *from)
{
    memset(into, 0, size);
    if (!from)
        return;
    size_t given;
    memcpy(&given, from, sizeof(given));
    memcpy(into, from, given < size ? given : size);
}

char *fw_session_text(const char *text)
{
    size_t length = strlen(text) + 1;
    char *copy = malloc(length);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

/* Says that the time is over, once. */
static void tell_late(const struct fw_context *context, const struct fw_session_limit *limit,
                      struct fw_deadline *deadline, bool again)
{
    struct fw_span span = {limit->source && limit->source->text ? limit->source : NULL, 0, 0};
    double seconds = deadline->by_run ? context->run_seconds : context->question_seconds;
    if (deadline->told)
        return;
    deadline->told = true;
    if (again)
        fw_report(&context->sink, FW_ERROR, "API090", span,
                  "%s: the limit of time cut the work on this short before, and it answers no more",
                  limit->doing);
    else
        fw_report(&context->sink, FW_ERROR, "API090", span,
                  "%s took longer than the limit of %g s%s", limit->doing, seconds,
                  deadline->by_run ? "" : " of processor time");
}

/* Of this thread: how deep guards stand in each other, and the errors that were told. */
static _Thread_local unsigned guards;
static _Thread_local unsigned long errors_told;

void fw_session_told_error(void)
{
    errors_told++;
}

/* Whoever fails says why; a failure that nobody told, a fault of ours, is not silent either. */
static void tell_silent_failure(const struct fw_context *context, enum fw_status status)
{
    static const char *const reasons[] = {
        [-FW_ERROR_INPUT] = "the input is refused, and the reason was not told: this is a fault of "
                            "forewarp",
        [-FW_ERROR_USAGE] = "the question makes no sense, and the reason was not told: this is a "
                            "fault of forewarp",
        [-FW_ERROR_MACHINE] = "the machine refused, and the reason was not told: this is a fault "
                              "of forewarp",
        [-FW_ERROR_MEMORY] = "out of memory, or past the limit of memory for one question",
        [-FW_ERROR_OVERFLOW] = "a number grew past what can be represented",
        [-FW_ERROR_BUDGET] = "the answer takes more work than is allowed"};
    fw_session_error(context, "API008", "%s", reasons[-(int)status]);
}

static enum fw_status guard(const struct fw_context *context, struct fw_arena *arena,
                            struct fw_arena *other, enum fw_status (*work)(void *user), void *user)
{
    jmp_buf point, *volatile before = NULL, *volatile before_other = NULL;
    const unsigned outer = guards;
    const unsigned long told = errors_told;
    volatile enum fw_status status = FW_ERROR_MEMORY;
    guards = outer + 1;
    if (arena)
        before = fw_arena_on_exhausted(arena, &point);
    if (other)
        before_other = fw_arena_on_exhausted(other, &point);
    switch (setjmp(point)) {
    case 0:
        status = work(user);
        break;
    case -FW_ERROR_BUDGET: /* who gave up has said why, or the time is over */
        status = FW_ERROR_BUDGET;
        break;
    default:
        if (!fw_deadline_is_over())
            fw_session_error(context, "API001",
                             "out of memory, or past the limit of memory for one question");
    }
    if (arena)
        fw_arena_on_exhausted(arena, before);
    if (other)
        fw_arena_on_exhausted(other, before_other);
    guards = outer;
    if (status && outer == 0 && told == errors_told && !fw_deadline_is_over())
        tell_silent_failure(context, status);
    return status;
}

enum fw_status fw_session_guard_within(const struct fw_context *context,
                                       const struct fw_session_limit *limit, struct fw_arena *arena,
                                       struct fw_arena *other, enum fw_status (*work)(void *user),
                                       void *user)
{
    struct fw_deadline deadline;
    enum fw_status status = FW_ERROR_BUDGET;
    fw_deadline_enter(&deadline,
                      limit->many ? FW_DEADLINE_NEVER
                                  : fw_deadline_nanoseconds(context->question_seconds),
                      context->run_end ? context->run_end : FW_DEADLINE_NEVER);
    bool again = limit->late && *limit->late;
    if (!again && !fw_deadline_passed())
        status = guard(context, arena, other, work, user);
    if (again || fw_deadline_is_over()) {
        tell_late(context, limit, &deadline, again);
        status = FW_ERROR_BUDGET;
        if (limit->late)
            *limit->late = true;
    }
    fw_deadline_leave(&deadline);
    return status;
}

enum fw_status fw_session_guard(const struct fw_context *context, struct fw_arena *arena,
                                struct fw_arena *other, enum fw_status (*work)(void *user),
                                void *user)
{
    static const struct fw_session_limit plain = {.doing = "the question"};
    return fw_session_guard_within(context, &plain, arena, other, work, user);
}
