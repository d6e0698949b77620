/* What all of a session needs: options of any version, texts for callers, exhausted arenas. */
#include "session.h"

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

enum fw_status fw_session_guard(const struct fw_context *context, struct fw_arena *arena,
                                struct fw_arena *other, enum fw_status (*work)(void *user),
                                void *user)
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
    if (setjmp(point) == 0)
        status = work(user);
    else
        fw_session_error(context, "API001",
                         "out of memory, or past the limit of memory for one question");
    if (arena)
        fw_arena_on_exhausted(arena, before);
    if (other)
        fw_arena_on_exhausted(other, before_other);
    guards = outer;
    if (status && outer == 0 && told == errors_told)
        tell_silent_failure(context, status);
    return status;
}
