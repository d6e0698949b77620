/* Arenas: memory that is freed all at once.
 *
 * One arena serves a context, a kernel or a pass's scratch; nothing in it is freed singly.  Every
 * allocation is zeroed and aligned for any type.  An arena has a limit: a hostile input runs into
 * it instead of into the machine's memory.  Allocation never returns NULL: at the limit, or when
 * the machine has no more, it unwinds (longjmp) to the `on_exhausted` point that the owner of the
 * arena set, who answers with fw_arena_status: FW_ERROR_MEMORY, or what was given up for
 * (fw_arena_give_up).  Without such a point the program aborts.  Every so many allocations an arena
 * asks whether the time of the thread's work is over (deadline.h) and unwinds to the same point.
 * Under AddressSanitizer a red zone follows each allocation, and what is given back may not be
 * touched, so that overruns and stale pointers are seen. */
#ifndef FW_ARENA_H
#define FW_ARENA_H

#include "status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

struct fw_arena;

/* A new, empty arena that holds at most `limit` bytes (0: no limit); NULL without memory. */
FW_GIVE struct fw_arena *fw_arena_new(size_t limit);

/* Frees the arena and all in it.  NULL is allowed. */
void fw_arena_free(FW_TAKE struct fw_arena *arena);

/* Forgets all allocations but keeps memory for the next ones (scratch that is reused). */
void fw_arena_reset(struct fw_arena *arena);

/* A point in an arena's life; releasing it forgets what was allocated since.  Marks are released in
 * the opposite order of their making. */
struct fw_arena_mark {
    void *block;
    size_t block_used;
    size_t used;
};
struct fw_arena_mark fw_arena_mark(const struct fw_arena *arena);
void fw_arena_release(struct fw_arena *arena, struct fw_arena_mark mark);

/* `size` zeroed bytes that live as long as the arena. */
void *fw_arena_alloc(struct fw_arena *arena, size_t size);

/* `count` zeroed elements of `size` bytes; exhausts the arena when the product overflows. */
void *fw_arena_array(struct fw_arena *arena, size_t count, size_t size);

/* A copy of `size` bytes. */
void *fw_arena_copy(struct fw_arena *arena, const void *bytes, size_t size);

/* Doubles an array of `*capacity` elements of `size` bytes (8 at first) and returns its new place;
 * `*capacity` is updated.  The old place stays readable until the arena goes. */
void *fw_arena_grow(struct fw_arena *arena, void *old, size_t *capacity, size_t size);

/* A zero-terminated copy of `length` bytes of text. */
char *fw_arena_text(struct fw_arena *arena, const char *text, size_t length);

/* A zero-terminated formatted text, as printf. */
char *fw_arena_printf(struct fw_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *fw_arena_vprintf(struct fw_arena *arena, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* Bytes handed out so far. */
size_t fw_arena_used(const struct fw_arena *arena);

/* Bytes that its limit leaves, at least 1; 0: it has no limit. */
size_t fw_arena_left(const struct fw_arena *arena);

/* Where to unwind to when the arena is exhausted; NULL takes the point away.  Returns the point
 * that was set before, so that nested users can restore it.  setjmp gives the status' number
 * without its sign there (fw_arena_status says the same). */
jmp_buf *fw_arena_on_exhausted(struct fw_arena *arena, jmp_buf *point);

/* Unwinds to the point as at exhaustion, for another reason: the status says which. */
_Noreturn void fw_arena_give_up(struct fw_arena *arena, enum fw_status status);

/* What the last unwinding was for: FW_ERROR_MEMORY, FW_ERROR_BUDGET for a deadline, or what was
 * given up for.  fw_arena_on_exhausted forgets it. */
enum fw_status fw_arena_status(const struct fw_arena *arena);

/* Takes the arena out of the checks of deadlines: its point is not valid at every allocation. */
void fw_arena_unhurried(struct fw_arena *arena);

/* Calls `work(user)`, then `after(user)` in any case: when the arena is exhausted meanwhile, the
 * unwinding goes on behind it.  For what an arena does not hold (a file, a JSON document) and must
 * be freed.  Gives what `work` gives. */
enum fw_status fw_arena_finally(struct fw_arena *arena, enum fw_status (*work)(void *user),
                                void (*after)(void *user), void *user);

/* Typed helpers. */
#define FW_NEW(arena, type)          ((type *)fw_arena_alloc((arena), sizeof(type)))
#define FW_ARRAY(arena, type, count) ((type *)fw_arena_array((arena), (count), sizeof(type)))

/* A growing array in an arena: FW_VECTOR(struct foo) names; */
#define FW_VECTOR(type)                                                                            \
    struct {                                                                                       \
        type *at;                                                                                  \
        size_t count;                                                                              \
        size_t capacity;                                                                           \
    }

/* Appends a zeroed element and yields a pointer to it. */
#define FW_APPEND(arena, vector)                                                                   \
    ((vector)->count == (vector)->capacity                                                         \
         ? ((vector)->at =                                                                         \
                fw_arena_grow((arena), (vector)->at, &(vector)->capacity, sizeof(*(vector)->at)),  \
            &(vector)->at[(vector)->count++])                                                      \
         : &(vector)->at[(vector)->count++])

#endif
