/* Requests of warps: sectors, lines, bank conflicts and wavefronts whose numbers are known. */
#include "../copy_accesses.h"
#include "warp_totals.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fw_warp_request strided(uint32_t bytes, int64_t stride, int64_t first)
{
    struct fw_warp_request request = {.lanes = 32, .bytes = bytes};
    for (uint32_t l = 0; l < 32; l++)
        request.at[l] = first + stride * l;
    return request;
}

static void requests_are_what_lanes_touch(void **state)
{
    static const struct {
        uint32_t bytes;
        int64_t stride, first;
        uint32_t sectors, lines, passes;
    } rows[] = {
        {4, 4, 0, 4, 1, 1}, {4, 4, 4, 5, 2, 1},  {8, 8, 0, 8, 2, 2},      {16, 16, 0, 16, 4, 4},
        {4, 0, 0, 1, 1, 1}, {4, 8, 0, 8, 2, 2},  {4, 128, 0, 32, 32, 32}, {4, 132, 0, 32, 32, 1},
        {1, 1, 0, 1, 1, 1}, {8, 8, 8, 9, 3, 2},  {4, -4, 124, 4, 1, 1},   {4, 4, -4, 5, 2, 1},
        {8, 0, 0, 1, 1, 1}, {16, 0, 0, 1, 1, 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct fw_warp_request request = strided(rows[i].bytes, rows[i].stride, rows[i].first);
        struct fw_request_cost cost = fw_request_cost(&request, 32, 128);
        assert_int_equal(cost.sectors, rows[i].sectors);
        assert_int_equal(cost.lines, rows[i].lines);
        assert_int_equal(fw_request_passes(&request, 32, 4), rows[i].passes);
    }
    struct fw_warp_request wide = strided(16, 0, 0); /* loads of device memory are not paired */
    assert_int_equal(fw_request_cost(&wide, 32, 128).passes, 4);
    for (uint32_t l = 0; l < 32; l++)
        wide.at[l] = 16 * (l / 2);
    assert_int_equal(fw_request_passes(&wide, 32, 4), 2);
    for (uint32_t l = 0; l < 32; l++)
        wide.at[l] = 16 * (l / 8);
    assert_int_equal(fw_request_passes(&wide, 32, 4), 2);
}

/* Lane patterns that an H200 counted, as loads that miss and as loads that hit in L1. */
static void wavefronts_are_those_of_the_counters(void **state)
{
    static const struct {
        uint32_t bytes;
        int64_t stride, first;
        double wavefronts, hits;
    } rows[] = {{4, 4, 0, 1, 1},      {4, 8, 0, 2, 2},   {4, 16, 0, 4, 4},
                {4, 20, 0, 2, 1.5},   {4, 32, 0, 8, 8},  {4, 128, 0, 32, 32},
                {4, 132, 0, 8, 2.86}, {8, 8, 0, 2, 2},   {8, 16, 0, 4, 4},
                {8, 24, 0, 3, 2.25},  {16, 16, 0, 4, 4}, {16, 16, 64, 5, 4.16},
                {16, 48, 0, 6, 4.3}};
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct fw_warp_request request = strided(rows[i].bytes, rows[i].stride, rows[i].first);
        struct fw_request_cost cost = fw_request_cost(&request, 32, 128);
        print_message("%zu: %g, %g found\n", i, cost.wavefronts, cost.hit_wavefronts);
        assert_true(fabs(cost.wavefronts / rows[i].wavefronts - 1) < 0.1);
        assert_true(fabs(cost.hit_wavefronts / rows[i].hits - 1) < 0.1);
    }
    struct fw_warp_request wide =
        strided(16, 0, 0); /* stores of shared memory go by quarter warps */
    wide.store = true;
    assert_int_equal(fw_request_passes(&wide, 32, 4), 4);
}

/* Lanes on one word operate one after the other, in L2 by sectors, in shared memory by banks. */
static void atomics_on_one_word_take_a_pass_each(void **state)
{
    static const struct {
        uint32_t bytes;
        int64_t stride;
        uint32_t passes, whole, lane_passes;
    } rows[] = {{4, 0, 32, 0, 32}, {4, 4, 4, 4, 1},   {4, 8, 8, 0, 2}, {8, 8, 8, 8, 2},
                {8, 0, 32, 0, 32}, {4, 32, 32, 0, 8}, {2, 2, 2, 2, 2}, {16, 16, 16, 16, 4}};
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct fw_warp_request request = strided(rows[i].bytes, rows[i].stride, 0);
        uint32_t word = rows[i].bytes < 8 ? rows[i].bytes : 8;
        struct fw_atomic_cost cost = fw_request_atomic_cost(&request, word, 32);
        print_message("%zu: %u passes, %u whole\n", i, cost.passes, cost.whole);
        assert_int_equal(cost.passes, rows[i].passes);
        assert_int_equal(cost.whole, rows[i].whole);
        assert_int_equal(fw_request_lane_passes(&request, 32, 4), rows[i].lane_passes);
    }
    struct fw_warp_request pairs = strided(4, 4, 0); /* two lanes a word of two sectors */
    for (uint32_t l = 0; l < 32; l++)
        pairs.at[l] = l / 2 * 4;
    struct fw_atomic_cost cost = fw_request_atomic_cost(&pairs, 4, 32);
    assert_true(cost.passes == 4 && cost.whole == 4);
    assert_int_equal(fw_request_passes(&pairs, 32, 4), 1);
    assert_int_equal(fw_request_lane_passes(&pairs, 32, 4), 2);
}

/* Accesses that differ by whole lines are counted as one, as often as there are. */
static void equal_accesses_count_each(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_affine_accesses accesses = copy_of(arena, 64), apart = accesses;
    struct fw_warp_totals together, one, other;
    struct fw_affine_access both[2] = {accesses.at[0], accesses.at[0]};
    (void)state;
    both[1].base = 5 * 128;
    apart.count = 1;
    apart.at = &both[0];
    fw_warp_totals_find(&one, fw_warp_memo_new(arena, 32, 32, 128), &apart);
    apart.at = &both[1];
    fw_warp_totals_find(&other, fw_warp_memo_new(arena, 32, 32, 128), &apart);
    apart.at = both;
    apart.count = 2;
    fw_warp_totals_find(&together, fw_warp_memo_new(arena, 32, 32, 128), &apart);
    assert_true(together.load_sectors == one.load_sectors + other.load_sectors);
    assert_true(together.load_instructions == 2 * one.load_instructions);
    both[1].base += 8; /* not by whole lines */
    fw_warp_totals_find(&together, fw_warp_memo_new(arena, 32, 32, 128), &apart);
    assert_true(together.load_sectors > 2 * one.load_sectors);
    fw_arena_free(arena);
}

/* Of a loop that goes on to the block's index each iteration is an access of the blocks from one
 * on: all count, not those of the first block alone. */
static void accesses_of_some_blocks_count_these(void **state)
{
    enum { ITERATIONS = 4 };
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_affine_accesses all = copy_of(arena, 64), triangle = all;
    struct fw_affine_access boxes[ITERATIONS];
    struct fw_warp_totals whole, part;
    (void)state;
    all.count = 1;
    fw_warp_totals_find(&whole, fw_warp_memo_new(arena, 32, 32, 128), &all);
    for (uint32_t i = 0; i < ITERATIONS; i++) {
        boxes[i] = all.at[0];
        boxes[i].base += i * 4096;
        boxes[i].low[0] = (int64_t)i * all.grid[0] / ITERATIONS * all.block[0];
    }
    assert_int_equal(all.grid[0] % ITERATIONS, 0);
    triangle.count = ITERATIONS;
    triangle.at = boxes;
    fw_warp_totals_find(&part, fw_warp_memo_new(arena, 32, 32, 128), &triangle);
    /* 1 + 3/4 + 1/2 + 1/4 */
    assert_true(fabs(part.load_instructions / whole.load_instructions - 2.5) < 1e-9);
    assert_true(fabs(part.load_sectors / whole.load_sectors - 2.5) < 1e-9);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_are_what_lanes_touch),
        cmocka_unit_test(wavefronts_are_those_of_the_counters),
        cmocka_unit_test(atomics_on_one_word_take_a_pass_each),
        cmocka_unit_test(equal_accesses_count_each),
        cmocka_unit_test(accesses_of_some_blocks_count_these),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
