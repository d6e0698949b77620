#include "arena.h"
#include "deadline.h"

#include "checked.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1 /* as gcc says it */
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
enum { RED_ZONE = 16 }; /* bytes behind each allocation that nobody may touch */
#else
enum { RED_ZONE = 0 };
#define ASAN_POISON_MEMORY_REGION(from, size)   ((void)(from), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(from, size) ((void)(from), (void)(size))
#endif

enum { ALIGNMENT = 16, FIRST_BLOCK = 16 * 1024, LARGEST_BLOCK = 4 * 1024 * 1024 };

/* Allocations between two looks at the clock. */
enum { BETWEEN_CHECKS = 512 };

struct block {
    struct block *next;
    size_t size; /* bytes behind this header */
    size_t used;
    size_t padding;
};

struct fw_arena {
    struct block *blocks; /* the newest first */
    struct block *spare;  /* one that was released, for the next that is needed */
    size_t used;
    size_t limit;
    size_t next_size;
    jmp_buf *on_exhausted;
    uint32_t until_check; /* allocations before the next look at the deadline */
    bool unhurried;
    enum fw_status status; /* of the last unwinding */
};

struct fw_arena *fw_arena_new(size_t limit)
{
    struct fw_arena *arena = calloc(1, sizeof(*arena));
    if (arena) {
        arena->limit = limit;
        arena->next_size = FIRST_BLOCK;
        arena->until_check = BETWEEN_CHECKS;
        arena->status = FW_ERROR_MEMORY;
    }
    return arena;
}

static void free_blocks(struct block *block)
{
    while (block) {
        struct block *next = block->next;
        free(block);
        block = next;
    }
}

void fw_arena_free(struct fw_arena *arena)
{
    if (!arena)
        return;
    free_blocks(arena->blocks);
    free(arena->spare);
    free(arena);
}

/* Gives a block's bytes from `used` on back. */
static void clear(struct block *block, size_t used)
{
    ASAN_POISON_MEMORY_REGION((char *)(block + 1) + used, block->used - used);
    block->used = used;
}

void fw_arena_reset(struct fw_arena *arena)
{
    struct block *kept = arena->blocks;
    if (kept) {
        free_blocks(kept->next);
        kept->next = NULL;
        clear(kept, 0);
    }
    arena->used = 0;
}

struct fw_arena_mark fw_arena_mark(const struct fw_arena *arena)
{
    return (struct fw_arena_mark){arena->blocks, arena->blocks ? arena->blocks->used : 0,
                                  arena->used};
}

/* Frees a block or keeps it: what marks and releases in turn would else get new ones each time. */
static void drop(struct fw_arena *arena, struct block *block)
{
    if (block->size > LARGEST_BLOCK || (arena->spare && arena->spare->size >= block->size)) {
        free(block);
        return;
    }
    free(arena->spare);
    clear(block, 0);
    arena->spare = block;
}

void fw_arena_release(struct fw_arena *arena, struct fw_arena_mark mark)
{
    while (arena->blocks && arena->blocks != mark.block) {
        struct block *next = arena->blocks->next;
        drop(arena, arena->blocks);
        arena->blocks = next;
    }
    struct block *block = arena->blocks;
    if (block && block->used > mark.block_used)
        clear(block, mark.block_used);
    arena->used = mark.used;
}

static _Noreturn void unwind(struct fw_arena *arena, enum fw_status status)
{
    arena->status = status;
    if (arena->on_exhausted)
        longjmp(*arena->on_exhausted, -(int)status);
    abort();
}

static _Noreturn void exhausted(struct fw_arena *arena)
{
    unwind(arena, FW_ERROR_MEMORY);
}

_Noreturn void fw_arena_give_up(struct fw_arena *arena, enum fw_status status)
{
    unwind(arena, status);
}

enum fw_status fw_arena_status(const struct fw_arena *arena)
{
    return arena->status;
}

void fw_arena_unhurried(struct fw_arena *arena)
{
    arena->unhurried = true;
}

void fw_deadline_check(struct fw_arena *arena)
{
    if (arena->on_exhausted && !arena->unhurried && fw_deadline_passed())
        unwind(arena, FW_ERROR_BUDGET);
}

/* A deadline that has passed is seen by each arena at once from then on. */
static __attribute__((noinline)) void check_time(struct fw_arena *arena)
{
    arena->until_check = fw_deadline_is_over() ? 1 : BETWEEN_CHECKS;
    fw_deadline_check(arena);
}

static struct block *add_block(struct fw_arena *arena, size_t size)
{
    struct block *block = arena->spare;
    if (block && block->size >= size) {
        arena->spare = NULL;
    } else {
        block = malloc(sizeof(*block) + size);
        if (!block)
            exhausted(arena);
        *block = (struct block){.size = size};
        ASAN_POISON_MEMORY_REGION(block + 1, size);
    }
    block->next = arena->blocks;
    arena->blocks = block;
    return block;
}

/* Room for `size` bytes, of which the first `written` are the caller's to write; the others are
 * zeros.  Each byte is cleared when it is handed out, and by then it is in the cache for its user.
 */
static inline void *take(struct fw_arena *arena, size_t size, size_t written)
{
    if (size > SIZE_MAX / 2)
        exhausted(arena);
    size_t rounded = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (arena->limit && rounded > arena->limit - arena->used)
        exhausted(arena);
    if (--arena->until_check == 0)
        check_time(arena);
    arena->used += rounded;
    size_t taken = rounded + RED_ZONE;
    struct block *block = arena->blocks;
    if (!block || block->size - block->used < taken) {
        bool again = arena->spare && arena->spare->size >= taken;
        size_t wanted = arena->next_size > taken && !again ? arena->next_size : taken;
        block = add_block(arena, wanted);
        if (arena->next_size < LARGEST_BLOCK && !again)
            arena->next_size *= 2;
    }
    char *place = (char *)(block + 1) + block->used;
    block->used += taken;
    ASAN_UNPOISON_MEMORY_REGION(place, size);
    memset(place + written, 0, size - written);
    return place;
}

void *fw_arena_alloc(struct fw_arena *arena, size_t size)
{
    return take(arena, size, 0);
}

void *fw_arena_array(struct fw_arena *arena, size_t count, size_t size)
{
    size_t total;
    if (fw_multiply_overflows(count, size, &total))
        exhausted(arena);
    return fw_arena_alloc(arena, total);
}

void *fw_arena_copy(struct fw_arena *arena, const void *bytes, size_t size)
{
    void *copy = take(arena, size, size);
    if (size)
        memcpy(copy, bytes, size);
    return copy;
}

void *fw_arena_grow(struct fw_arena *arena, void *old, size_t *capacity, size_t size)
{
    size_t doubled = *capacity ? *capacity * 2 : 8;
    size_t total;
    if (fw_multiply_overflows(doubled, size, &total))
        exhausted(arena);
    void *place = take(arena, total, *capacity * size);
    if (*capacity)
        memcpy(place, old, *capacity * size);
    *capacity = doubled;
    return place;
}

char *fw_arena_text(struct fw_arena *arena, const char *text, size_t length)
{
    char *copy = take(arena, length + 1, length);
    if (length)
        memcpy(copy, text, length);
    return copy;
}

char *fw_arena_vprintf(struct fw_arena *arena, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = fw_arena_alloc(arena, length > 0 ? (size_t)length + 1 : 1);
    if (length > 0)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *fw_arena_printf(struct fw_arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = fw_arena_vprintf(arena, format, arguments);
    va_end(arguments);
    return text;
}

size_t fw_arena_used(const struct fw_arena *arena)
{
    return arena->used;
}

size_t fw_arena_left(const struct fw_arena *arena)
{
    return arena->limit && arena->used >= arena->limit ? 1
           : arena->limit                              ? arena->limit - arena->used
                                                       : 0;
}

jmp_buf *fw_arena_on_exhausted(struct fw_arena *arena, jmp_buf *point)
{
    jmp_buf *before = arena->on_exhausted;
    arena->on_exhausted = point;
    arena->status = FW_ERROR_MEMORY;
    return before;
}

enum fw_status fw_arena_finally(struct fw_arena *arena, enum fw_status (*work)(void *user),
                                void (*after)(void *user), void *user)
{
    jmp_buf point, *volatile before = fw_arena_on_exhausted(arena, &point);
    volatile bool is_exhausted = true;
    volatile enum fw_status status = FW_ERROR_MEMORY;
    if (setjmp(point) == 0) {
        status = work(user);
        is_exhausted = false;
    }
    enum fw_status why = arena->status;
    fw_arena_on_exhausted(arena, before);
    after(user);
    if (is_exhausted)
        unwind(arena, why);
    return status;
}
