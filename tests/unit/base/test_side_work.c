/* Work on two threads: both are done, memory and time are the starter's, and it always waits. */
#include "deadline.h"
#include "side_work.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { LIMIT = 1 << 20 };

struct pair {
    struct fw_arena *arena;
    size_t wants, wants_here; /* bytes */
    const char *text;         /* in the memory of the side work */
    int64_t spends;           /* nanoseconds of its thread; below 0: as long as it may */
    bool there, here;         /* they were done */
};

static int64_t spent(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static enum fw_status there(void *user, struct fw_arena *arena)
{
    struct pair *pair = user;
    const int64_t begin = spent();
    pair->text = fw_arena_text(arena, "found", 5);
    while (pair->spends < 0 || spent() - begin < pair->spends)
        fw_deadline_check(arena);
    if (pair->wants)
        fw_arena_alloc(arena, pair->wants);
    pair->there = true;
    return FW_OK;
}

static void here(void *user)
{
    struct pair *pair = user;
    if (pair->wants_here)
        fw_arena_alloc(pair->arena, pair->wants_here);
    pair->here = true;
}

static enum fw_status both(struct pair *pair, struct fw_arena **memory)
{
    const struct fw_side_work work = {there, here, pair, pair->arena, NULL};
    return fw_side_work(memory, &work);
}

static void test_both_are_done(void **state)
{
    struct pair pair = {.arena = fw_arena_new(LIMIT)};
    struct fw_arena *memory;
    (void)state;
    assert_int_equal(both(&pair, &memory), FW_OK);
    assert_true(pair.there && pair.here);
    assert_string_equal(pair.text, "found");
    fw_arena_free(memory);
    fw_arena_free(pair.arena);
}

static void test_memory_is_what_the_starter_has_left(void **state)
{
    struct pair pair = {.arena = fw_arena_new(LIMIT), .wants = LIMIT / 2};
    struct fw_arena *memory;
    (void)state;
    assert_int_equal(both(&pair, &memory), FW_OK);
    fw_arena_free(memory);
    fw_arena_alloc(pair.arena, 3 * LIMIT / 4);
    pair.here = false;
    assert_int_equal(both(&pair, &memory), FW_ERROR_MEMORY);
    assert_true(pair.here);
    fw_arena_free(memory);
    fw_arena_free(pair.arena);
}

/* An arena that unwinds does so behind the side work, and to where it would have. */
static void test_unwinding_waits(void **state)
{
    struct pair pair = {.arena = fw_arena_new(LIMIT), .wants_here = 2 * LIMIT, .spends = 5000000};
    struct fw_arena *volatile memory = NULL;
    jmp_buf point;
    volatile int unwound = 0;
    (void)state;
    fw_arena_on_exhausted(pair.arena, &point);
    if (setjmp(point) == 0) {
        struct fw_arena *made;
        both(&pair, &made);
        memory = made;
    } else {
        unwound++;
    }
    assert_int_equal(unwound, 1);
    assert_null(memory);
    assert_true(pair.there && !pair.here);
    assert_int_equal(fw_arena_status(pair.arena), FW_ERROR_MEMORY);
    fw_arena_free(pair.arena);
}

static void test_time_is_the_questions(void **state)
{
    enum { QUESTION = 500000000, SPENDS = 20000000 };
    struct pair pair = {.arena = fw_arena_new(0), .spends = SPENDS};
    struct fw_deadline deadline;
    struct fw_arena *memory;
    int64_t left, run_end;
    (void)state;
    fw_deadline_enter(&deadline, QUESTION, FW_DEADLINE_NEVER);
    assert_int_equal(both(&pair, &memory), FW_OK);
    fw_arena_free(memory);
    fw_deadline_hand(&left, &run_end);
    assert_true(left <= QUESTION - SPENDS);
    assert_false(fw_deadline_leave(&deadline));
    pair.spends = -1;
    fw_deadline_enter(&deadline, SPENDS, FW_DEADLINE_NEVER);
    assert_int_equal(both(&pair, &memory), FW_ERROR_BUDGET);
    fw_arena_free(memory);
    assert_true(fw_deadline_is_over());
    assert_true(fw_deadline_leave(&deadline));
    fw_arena_free(pair.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_both_are_done),
                                       cmocka_unit_test(test_memory_is_what_the_starter_has_left),
                                       cmocka_unit_test(test_unwinding_waits),
                                       cmocka_unit_test(test_time_is_the_questions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
