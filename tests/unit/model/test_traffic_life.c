/* Lives of multiprocessors whose cycles can be told by hand. */
#include "life.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "arena_of_tests.h"

/* One round of 100 cycles of the load-store unit and a wait of 500. */
static struct fw_life simple(double blocks, uint32_t resident)
{
    struct fw_life life = {.blocks = blocks, .resident = resident, .groups = 1, .rounds = 1};
    life.round[0][0].cycles[FW_LIFE_WAVEFRONTS] = 100;
    life.round[0][0].latency = 500;
    life.start = 300;
    return life;
}

static void one_block_takes_the_sum(void **state)
{
    struct fw_life life = simple(1, 8);
    (void)state;
    assert_true(fw_life_cycles(&life, arena) == 900);
    life.stores[FW_LIFE_WAVEFRONTS] = 50;
    life.acknowledged = 280;
    assert_true(fw_life_cycles(&life, arena) == 900 + 50 + 280);
    assert_true(fw_life_alone(&life) == 300 + 500 + 280);
}

static void blocks_alone_follow_each_other(void **state)
{
    struct fw_life life = simple(1000, 1);
    (void)state;
    assert_true(fabs(fw_life_cycles(&life, arena) / (1000 * 900) - 1) < 0.001);
    life.resident = 2; /* two hide each other's waiting */
    assert_true(fabs(fw_life_cycles(&life, arena) / (1000 * 450) - 1) < 0.01);
}

/* 157 blocks on 132 multiprocessors that hold 16 each are all there at one time. */
static void resident_blocks_take_one_turn(void **state)
{
    struct fw_life life = simple(157 / 132.0, 16);
    (void)state;
    assert_true(fw_life_turns(&life) == 1);
    life.blocks = 15.5;
    assert_true(fw_life_turns(&life) == 1);
    life.blocks = 40;
    assert_true(fw_life_turns(&life) == 2.5);
    life.blocks = 0.5;
    assert_true(fw_life_turns(&life) == 1);
}

/* What one warp by itself takes limits what a block waits at barriers for its chain, and nothing
 * else. */
static void chain_behind_barriers_is_as_long_as_that_of_a_warp(void **state)
{
    struct fw_life life = simple(1, 8);
    (void)state;
    life.start += 2000; /* 2900 in all */
    life.start_in_loops = 2000;
    fw_life_hold_chain(&life, arena, 0);
    assert_true(fw_life_cycles(&life, arena) == 2900);
    fw_life_hold_chain(&life, arena, 4000);
    assert_true(fw_life_cycles(&life, arena) == 2900);
    fw_life_hold_chain(&life, arena, 1700);
    assert_true(fw_life_cycles(&life, arena) == 1700);
    fw_life_hold_chain(&life, arena, 300); /* loads and start stay */
    assert_true(fw_life_cycles(&life, arena) == 900);
}

/* The same of a chain in a block's rounds. */
static void chain_of_rounds_is_as_long_as_that_of_a_warp(void **state)
{
    struct fw_life life = simple(1, 8);
    (void)state;
    life.round[0][0].latency += 2000; /* 2900 in all */
    life.round[0][0].chain = 2000;
    fw_life_hold_chain(&life, arena, 4000);
    assert_true(fw_life_cycles(&life, arena) == 2900);
    fw_life_hold_chain(&life, arena, 1700);
    assert_true(fabs(fw_life_cycles(&life, arena) - 1700) < 1e-6);
    fw_life_hold_chain(&life, arena, 300);
    assert_true(fabs(fw_life_cycles(&life, arena) - 900) < 1e-6);
}

static void many_blocks_fill_the_slowest_resource(void **state)
{
    struct fw_life life = simple(10000, 32);
    (void)state;
    assert_true(fabs(fw_life_cycles(&life, arena) / (10000 * 100) - 1) < 0.01);
    life.dispatch = 160; /* blocks come more slowly than they go */
    assert_true(fabs(fw_life_cycles(&life, arena) / (10000 * 160) - 1) < 0.01);
}

static void stores_are_waited_for_at_the_end_alone(void **state)
{
    struct fw_life life = simple(1, 1);
    (void)state;
    life.stores[FW_LIFE_DRAM] = 5000;
    assert_true(fw_life_cycles(&life, arena) == 900 + 5000);
    life.blocks = 3000;
    assert_true(fabs(fw_life_cycles(&life, arena) / (3000 * 5000.0) - 1) < 0.01);
}

/* Multiprocessors share device memory: while the block of one waits, the others' are served, so
 * that blocks alone on theirs take no longer than memory and the wait, whichever is more. */
static void multiprocessors_fill_each_others_gaps(void **state)
{
    struct fw_life life = {.blocks = 1000, .resident = 1, .groups = 1, .rounds = 1, .warps = 1};
    (void)state;
    life.round[0][0].cycles[FW_LIFE_DRAM] = 900;
    life.round[0][0].latency = 600;
    double cycles = fw_life_cycles(&life, arena) / 1000;
    assert_true(cycles >= 900 && cycles < 930);
}

/* Groups that wait for arithmetic have not taken the load-store unit, L2 or device memory yet: the
 * stores of other blocks and the requests of other multiprocessors, which are ready for these, go
 * ahead, and blocks fill the slowest resource. */
static void nobody_waits_for_what_is_taken_later(void **state)
{
    struct fw_life life = {.blocks = 1000, .resident = 8, .groups = 1, .rounds = 4, .warps = 4};
    (void)state;
    life.wait = 600;
    life.spread = 0.05;
    life.queue = 100;
    life.start = 400;
    life.acknowledged = 300;
    for (uint32_t r = 0; r < life.rounds; r++) {
        life.round[r][0].cycles[FW_LIFE_ARITHMETIC] = 200;
        life.round[r][0].cycles[FW_LIFE_WAVEFRONTS] = 100;
        life.round[r][0].cycles[FW_LIFE_DRAM] = 60;
        life.round[r][0].latency = 400;
        life.round[r][0].waits = 1;
    }
    life.stores[FW_LIFE_WAVEFRONTS] = 10;
    life.stores[FW_LIFE_L2] = life.stores[FW_LIFE_DRAM] = 40;
    double cycles = fw_life_cycles(&life, arena) / (1000 * 800.0);
    assert_true(cycles >= 1 && cycles < 1.02);
}

/* Blocks that are alike are as many on each multiprocessor, also where those that are resident end
 * together. */
static void blocks_alike_are_dealt_evenly(void **state)
{
    struct fw_life life = {.blocks = 18, .resident = 8, .groups = 2, .rounds = 8, .warps = 8};
    (void)state;
    for (uint32_t r = 0; r < life.rounds; r++)
        for (uint32_t g = 0; g < 2; g++) {
            life.round[r][g].cycles[FW_LIFE_WAVEFRONTS] = 1000;
            life.round[r][g].latency = 300;
        }
    double cycles = fw_life_cycles(&life, arena) / (18 * 16 * 1000.0);
    assert_true(cycles >= 1 && cycles < 1.02);
}

/* Of groups that wait for arithmetic the oldest block's comes first: blocks end one by one, and
 * others compute while the next ones start. */
static void oldest_blocks_compute_first(void **state)
{
    struct fw_life life = {.blocks = 400, .resident = 16, .groups = 1, .rounds = 8, .warps = 4};
    (void)state;
    life.start = 3000;
    for (uint32_t r = 0; r < life.rounds; r++) {
        life.round[r][0].cycles[FW_LIFE_ARITHMETIC] = 100;
        life.round[r][0].latency = 300;
    }
    double cycles = fw_life_cycles(&life, arena) / (400 * 800.0);
    assert_true(cycles >= 1 && cycles < 1.03);
}

/* A warp of one group processes while that of another waits, batch by batch. */
static void groups_take_turns_in_parts(void **state)
{
    struct fw_life life = {.blocks = 1, .resident = 1, .groups = 2, .rounds = 1};
    (void)state;
    for (uint32_t g = 0; g < 2; g++) {
        life.round[0][g].cycles[FW_LIFE_WAVEFRONTS] = 1000;
        life.round[0][g].latency = 900;
    }
    assert_true(fw_life_cycles(&life, arena) == 2000 + 900);
    life.round[0][0].parts = life.round[0][1].parts = 10;
    assert_true(fabs(fw_life_cycles(&life, arena) - (2000 + 90)) < 1e-6);
}

/* Where blocks are a few more than multiprocessors, L2 serves as many as there are. */
static void others_leave_l2_to_the_busiest(void **state)
{
    struct fw_life life = {.blocks = 157 / 132.0, .resident = 16, .groups = 1, .rounds = 1};
    (void)state;
    life.round[0][0].cycles[FW_LIFE_L2] = 1000;
    assert_true(fabs(fw_life_cycles(&life, arena) - 1000 * 157 / 132.0) < 1e-6);
}

/* Stores and atomic operations of a loop queue in L2, and nobody waits for them: neither together
 * with what is waited for, nor the one behind the other. */
static void stores_of_loops_are_not_waited_for(void **state)
{
    struct fw_life life = {.blocks = 1, .resident = 1, .groups = 1, .rounds = 1};
    (void)state;
    life.round[0][0].parts = 10;
    life.round[0][0].latency = 900;
    life.round[0][0].cycles[FW_LIFE_L2_STORES] = 600;
    life.round[0][0].cycles[FW_LIFE_ATOMICS] = 1000;
    assert_true(fw_life_cycles(&life, arena) < 1080);
}

/* Blocks that are shorter and shorter go on at the pace of what they are. */
static void uneven_blocks_go_on(void **state)
{
    struct fw_life_uneven *uneven = FW_NEW(arena, struct fw_life_uneven);
    struct fw_life life = simple(1000, 1);
    (void)state;
    uneven->places = FW_LIFE_PLACES;
    for (uint32_t p = 0; p < FW_LIFE_PLACES; p++)
        uneven->block[p] = uneven->work[p][0][0] = uneven->latency[p][0][0] =
            2 * (FW_LIFE_PLACES - 1 - p) / (FW_LIFE_PLACES - 1.0);
    life.start = 0;
    double alike = fw_life_cycles(&life, arena);
    life.uneven = uneven;
    assert_true(fabs(fw_life_cycles(&life, arena) / alike - 1) < 0.03);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(one_block_takes_the_sum),
                                       TEST(blocks_alone_follow_each_other),
                                       TEST(resident_blocks_take_one_turn),
                                       TEST(chain_behind_barriers_is_as_long_as_that_of_a_warp),
                                       TEST(chain_of_rounds_is_as_long_as_that_of_a_warp),
                                       TEST(many_blocks_fill_the_slowest_resource),
                                       TEST(stores_are_waited_for_at_the_end_alone),
                                       TEST(nobody_waits_for_what_is_taken_later),
                                       TEST(blocks_alike_are_dealt_evenly),
                                       TEST(oldest_blocks_compute_first),
                                       TEST(groups_take_turns_in_parts),
                                       TEST(others_leave_l2_to_the_busiest),
                                       TEST(stores_of_loops_are_not_waited_for),
                                       TEST(uneven_blocks_go_on),
                                       TEST(multiprocessors_fill_each_others_gaps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
