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

enum fw_status fw_session_guard(const struct fw_context *context, struct fw_arena *arena,
                                struct fw_arena *other, enum fw_status (*work)(void *user),
                                void *user)
{
    jmp_buf point, *volatile before = NULL, *volatile before_other = NULL;
    volatile enum fw_status status = FW_ERROR_MEMORY;
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
    return status;
}
