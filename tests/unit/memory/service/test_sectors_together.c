/* New sectors: loads outside of loops that touch the sectors of loads before them. */
#include "new_sectors.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { LOADS = 3, SECTOR = 32, COLUMNS = 32, ROWS = 8, PITCH = 4096 };

/* Loads of one array at three places, one behind the other in the program, by blocks of 32 x 8. */
struct three {
    struct fw_affine_access at[LOADS];
    struct fw_new_share news[LOADS];
};

static void place(struct three *three, const int64_t base[LOADS], int64_t step, uint32_t bytes)
{
    for (uint32_t i = 0; i < LOADS; i++) {
        struct fw_affine_access access = {.bytes = bytes, .direction = FW_LOAD, .base = base[i]};
        access.thread_stride[0] = step;
        access.thread_stride[1] = PITCH;
        access.high[0] = COLUMNS;
        access.high[1] = ROWS;
        access.high[2] = 1;
        access.active_share = access.repeats = 1;
        access.begin = (double)i / LOADS;
        access.end = (double)(i + 1) / LOADS;
        three->at[i] = access;
    }
}

static void find(struct three *three, bool by_warp)
{
    struct fw_affine_accesses accesses = {.at = three->at,
                                          .count = LOADS,
                                          .arrays = 1,
                                          .grid = {1, 1, 1},
                                          .block = {COLUMNS, ROWS, 1}};
    if (by_warp)
        fw_new_sectors_find_by_warp(three->news, &accesses, SECTOR, 0);
    else
        fw_new_sectors_find(three->news, &accesses, SECTOR, 0);
}

/* Red, green and blue of a point are in one sector: a warp waits for one sector, not for three.  In
 * L1 each load outside of loops counts as one that comes to sectors of its own. */
static void members_of_a_structure_come_together(void **state)
{
    (void)state;
    struct three three;
    place(&three, (const int64_t[LOADS]){0, 1, 2}, 3, 1);
    find(&three, true);
    assert_true(three.news[0].moved == 1 && three.news[0].waited == 1);
    for (uint32_t i = 1; i < LOADS; i++) {
        assert_int_equal(three.news[i].set, 0);
        assert_true(three.news[i].moved < 0.1 && three.news[i].waited < 0.1);
    }
    find(&three, false);
    for (uint32_t i = 0; i < LOADS; i++)
        assert_int_equal(three.news[i].set, i);
}

/* Rows above and below are those of other warps of the block, which are on their way at the same
 * time: a warp waits for all three of its rows. */
static void neighbouring_rows_are_new_to_a_warp(void **state)
{
    (void)state;
    struct three three;
    place(&three, (const int64_t[LOADS]){PITCH, 0, 2 * PITCH}, 4, 4);
    find(&three, true);
    for (uint32_t i = 0; i < LOADS; i++)
        assert_true(three.news[i].moved == 1);
}

/* Loads in different parts of a loop come at other times. */
static void parts_of_a_loop_stay_apart(void **state)
{
    (void)state;
    struct three three;
    place(&three, (const int64_t[LOADS]){0, 0, 0}, 4, 4);
    for (uint32_t i = 0; i < LOADS; i++) {
        three.at[i].loops = 1;
        three.at[i].trips[0] = 16;
        three.at[i].loop_stride[0] = PITCH * ROWS;
    }
    find(&three, false);
    for (uint32_t i = 0; i < LOADS; i++)
        assert_int_equal(three.news[i].set, i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(members_of_a_structure_come_together),
                                       cmocka_unit_test(neighbouring_rows_are_new_to_a_warp),
                                       cmocka_unit_test(parts_of_a_loop_stay_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
