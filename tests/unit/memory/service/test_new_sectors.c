/* How often loads come to sectors that their block has not just touched. */
#include "new_sectors.h"

#include "../copy_accesses.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { SECTOR = 32, LINE = 128, PITCH = 8192 };

/* Two loads of rows of 128 bytes by 32 lanes, `distance` bytes apart, that a loop moves along. */
static void find(struct fw_new_share news[2], struct fw_arena *arena, int64_t distance,
                 int64_t trips)
{
    struct fw_affine_accesses accesses = copy_of(arena, 64);
    for (uint32_t i = 0; i < 2; i++) {
        struct fw_affine_access *at = &accesses.at[i];
        accesses.at[i] = accesses.at[0];
        at->base = i ? distance : 0;
        at->thread_stride[0] = 4;
        at->bytes = 4;
        at->loops = 1;
        at->loop_stride[0] = LINE;
        at->trips[0] = trips;
        at->begin = 0;
        at->end = 1;
    }
    accesses.block[0] = LINE / 4;
    accesses.arrays = 1;
    fw_new_sectors_find(news, &accesses, SECTOR, 0);
}

/* A row further down the array is ahead of this one by more iterations than the loop has. */
static void rows_that_a_loop_does_not_reach_are_new(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_new_share news[2];
    (void)state;
    find(news, arena, 16 * PITCH, 62);
    assert_int_equal(news[1].set, 0);
    assert_true(fabs(news[0].moved - 1) < 1e-9 && fabs(news[1].moved - 1) < 1e-9);
    find(news, arena, PITCH, PITCH / LINE); /* the loop ends where the next row begins */
    assert_true(fabs(news[0].moved - 1) < 1e-9 && fabs(news[1].moved - 1) < 1e-9);
    fw_arena_free(arena);
}

/* Two iterations ahead: the load behind comes to new lines in its first two iterations. */
static void lines_ahead_are_there_after_so_many_iterations(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_new_share news[2];
    (void)state;
    find(news, arena, 2 * LINE, 10);
    assert_true(fabs(news[0].moved - 0.2) < 1e-9);
    assert_true(fabs(news[1].moved - 1) < 1e-9);
    fw_arena_free(arena);
}

/* Two loads of words that stand side by side, of an unrolled loop over rows `row` words apart, a
 * row a lane. */
static void find_beside(struct fw_new_share news[2], struct fw_arena *arena, int64_t row)
{
    enum { WORD = 4, TOGETHER = 2, TRIPS = 1001 };
    struct fw_affine_accesses accesses = copy_of(arena, 64);
    for (uint32_t i = 0; i < TOGETHER; i++) {
        struct fw_affine_access *at = &accesses.at[i];
        accesses.at[i] = accesses.at[0];
        at->base = WORD * (int64_t)i;
        at->thread_stride[0] = WORD * row;
        at->bytes = WORD;
        at->loops = 1;
        at->loop_stride[0] = WORD * TOGETHER;
        at->trips[0] = TRIPS;
        at->begin = 0;
        at->end = 1;
    }
    accesses.block[0] = 32;
    accesses.arrays = 1;
    fw_new_sectors_find(news, &accesses, SECTOR, 0);
}

/* Rows that begin at all words of a sector: each load comes to new ones each time, an eighth of its
 * lanes do.  Rows that begin with a sector: all lanes come to one at the same time. */
static void rows_that_begin_anywhere_are_waited_for_each_time(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_new_share news[2];
    (void)state;
    find_beside(news, arena, 1001);
    for (uint32_t i = 0; i < 2; i++)
        assert_true(fabs(news[i].moved - 0.125) < 2e-3 && news[i].waited > 0.99);
    find_beside(news, arena, 1000);
    for (uint32_t i = 0; i < 2; i++)
        assert_true(fabs(news[i].waited - 0.125) < 2e-3);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_that_a_loop_does_not_reach_are_new),
        cmocka_unit_test(lines_ahead_are_there_after_so_many_iterations),
        cmocka_unit_test(rows_that_begin_anywhere_are_waited_for_each_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
