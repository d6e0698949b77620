/* Brought sectors: what loads outside of loops find in L1 of loads that were over before them. */
#include "brought_sectors.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SECTOR = 32, COLUMNS = 32, ROWS = 8, BLOCKS = 16, PITCH = COLUMNS * 4, MOST = 3 };

/* Accesses of one array, one behind the other in the program, by blocks of 32 x 8 below each other
 * of which eight are resident. */
struct program {
    struct fw_affine_access at[MOST];
    struct fw_load_order order[MOST];
    struct fw_new_share news[MOST];
    uint32_t count;
};

static void add(struct program *program, enum fw_direction direction, int64_t row, uint32_t stage)
{
    struct fw_affine_access access = {.bytes = 4, .direction = direction, .base = row * PITCH};
    access.thread_stride[0] = 4;
    access.thread_stride[1] = PITCH;
    access.block_stride[1] = ROWS * PITCH;
    access.high[0] = COLUMNS;
    access.high[1] = ROWS * BLOCKS;
    access.high[2] = 1;
    access.active_share = access.repeats = 1;
    access.begin = (double)program->count / MOST;
    access.end = (double)(program->count + 1) / MOST;
    program->order[program->count] =
        (struct fw_load_order){.base = program->count, .stage = stage, .executions = 1};
    program->at[program->count++] = access;
}

static void find(struct program *program, double lost)
{
    struct fw_arena *arena = fw_arena_new(1 << 24);
    assert_non_null(arena);
    const struct fw_affine_accesses accesses = {.at = program->at,
                                                .count = program->count,
                                                .arrays = 1,
                                                .grid = {1, BLOCKS, 1},
                                                .block = {COLUMNS, ROWS, 1}};
    const struct fw_caches caches = {.sector = SECTOR, .multiprocessors = 4, .resident_blocks = 2};
    fw_new_sectors_find(program->news, &accesses, SECTOR, 0);
    fw_leave_out_brought(program->news, arena, &accesses, program->order, &caches, lost);
    fw_arena_free(arena);
}

static void near(double value, double expected)
{
    if (fabs(value - expected) > 1e-9)
        fail_msg("%g, not %g", value, expected);
}

/* The rows of a block, one further: seven of eight are there, and of the others, those of a block
 * beside it are in L2. */
static void later_stages_find_what_came(void **state)
{
    (void)state;
    struct program program = {.count = 0};
    add(&program, FW_LOAD, 0, 0);
    add(&program, FW_LOAD, 1, 1);
    find(&program, 0);
    near(program.news[0].moved, 1);
    near(program.news[0].fetched, 1);
    near(program.news[1].moved, 1.0 / ROWS);
    near(program.news[1].waited, 1.0 / ROWS);
    near(program.news[1].fetched, 1.0 / ROWS);
    find(&program, 0.5);
    near(program.news[1].moved, 1.0 / ROWS + (1 - 1.0 / ROWS) / 2);
}

/* What is in flight together brings nothing for each other. */
static void one_stage_brings_nothing_for_itself(void **state)
{
    (void)state;
    struct program program = {.count = 0};
    add(&program, FW_LOAD, 0, 0);
    add(&program, FW_LOAD, 1, 0);
    find(&program, 0);
    near(program.news[1].moved, 1);
    near(program.news[1].fetched, 1);
}

/* A load that keeps behind a store comes when the loads before that are over. */
static void behind_a_store(void **state)
{
    (void)state;
    struct program program = {.count = 0};
    add(&program, FW_LOAD, 0, 0);
    add(&program, FW_STORE, 0, 0);
    add(&program, FW_LOAD, 0, 0);
    find(&program, 0);
    near(program.news[2].moved, 0);
    program.order[2].read_only = true;
    find(&program, 0);
    near(program.news[2].moved, 1);
}

/* What one of two ways may have loaded is not there for sure. */
static void what_may_not_have_come(void **state)
{
    (void)state;
    struct program program = {.count = 0};
    add(&program, FW_LOAD, 0, 0);
    add(&program, FW_LOAD, 0, 1);
    program.at[0].active_share = 0.5;
    find(&program, 0);
    near(program.news[1].moved, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(later_stages_find_what_came),
                                       cmocka_unit_test(one_stage_brings_nothing_for_itself),
                                       cmocka_unit_test(behind_a_store),
                                       cmocka_unit_test(what_may_not_have_come)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
