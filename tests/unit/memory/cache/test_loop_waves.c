/* What waves of blocks move between L2 and device memory while they run a loop. */
#include "../copy_accesses.h"
#include "volume.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROW = 8 * 256 /* bytes */ };

static struct fw_caches caches_of(uint32_t multiprocessors, uint32_t resident)
{
    return (struct fw_caches){.sector = 32,
                              .line = 128,
                              .fetch = 64,
                              .multiprocessors = multiprocessors,
                              .resident_blocks = resident,
                              .registers = 16,
                              .l1_bytes = 16384};
}

/* An access that moves by `stride` bytes in each iteration of a loop, during a part of the life. */
static struct fw_affine_access in_loop(struct fw_affine_access access, uint32_t array, bool loads,
                                       int64_t trips, int64_t stride, double begin, double end)
{
    access.array = array;
    access.direction = loads ? FW_LOAD : FW_STORE;
    access.loops = 1;
    access.trips[0] = trips;
    access.loop_stride[0] = stride;
    access.begin = begin;
    access.end = end;
    return access;
}

/* Sixteen waves of 2112 blocks go through a row of 16 KiB of their own twice, and store (or not) to
 * another one the second time: between the two loads lie 34 MB at first, and 68 MB in the end, or
 * 34 MB where nothing is stored.  `apart`: each iteration is an access of its own. */
static double passes_read(struct fw_arena *arena, bool stores, bool apart)
{
    enum { TRIPS = 8, BLOCKS = 16 * 2112, MOST = 3 * TRIPS };
    struct fw_affine_accesses accesses = copy_of(arena, BLOCKS);
    struct fw_affine_access each = accesses.at[0];
    struct fw_caches caches = caches_of(132, 16);
    struct fw_volumes volumes;
    each.block_stride[0] = TRIPS * ROW;
    accesses.at = FW_ARRAY(arena, struct fw_affine_access, MOST);
    accesses.count = 0;
    for (int pass = 0; pass < (stores ? 3 : 2); pass++)
        for (int i = 0; i < (apart ? TRIPS : 1); i++) {
            const double from = pass > 0 ? 0.5 : 0, step = apart ? 0.5 / TRIPS : 0.5;
            struct fw_affine_access *access = &accesses.at[accesses.count++];
            *access = in_loop(each, pass == 2, pass < 2, apart ? 1 : TRIPS, apart ? 0 : ROW,
                              from + i * step, from + (i + 1) * step);
            access->outer_loop = pass > 0;
            access->split = i;
            access->base = (int64_t)i * ROW;
        }
    caches.l2_bytes = 42.4e6;
    caches.l2_loads_bytes = 53.5e6;
    caches.l2_sharpness = 7;
    caches.l2_own_sharpness = 22;
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    const double once = (double)BLOCKS * TRIPS * ROW;
    print_message("%g bytes of %g read\n", volumes.dram_read.bytes, once);
    return volumes.dram_read.bytes / once - 1;
}

/* L2 of 53.5 MB holds what is loaded again where nothing is stored, and less than half of it else;
 * the same where iterations are accesses of their own. */
static void loops_find_what_they_loaded_before_in_l2(void **state)
{
    (void)state;
    for (int apart = 0; apart < 2; apart++) {
        struct fw_arena *arena = fw_arena_new(0);
        assert_true(passes_read(arena, false, apart) < 0.02);
        assert_true(fabs(passes_read(arena, true, apart) - (68 - 53.5) / 34) < 0.1);
        fw_arena_free(arena);
    }
}

/* One wave loads rows, and once more those that it loaded `back` iterations before: 4.3 MB an
 * iteration lie between. */
static double rows_again(struct fw_arena *arena, int64_t back, double l1_bytes)
{
    enum { TRIPS = 512, BLOCKS = 1056 };
    struct fw_affine_accesses accesses = copy_of(arena, BLOCKS);
    struct fw_caches caches = caches_of(132, 8);
    struct fw_volumes volumes;
    struct fw_affine_access each = accesses.at[0];
    const int64_t stride = (int64_t)BLOCKS * ROW;
    accesses.at = FW_ARRAY(arena, struct fw_affine_access, 2);
    accesses.arrays = 1;
    accesses.count = 2;
    each.base = back * stride;
    accesses.at[0] = in_loop(each, 0, true, TRIPS, stride, 0, 1);
    each.base = 0;
    accesses.at[1] = in_loop(each, 0, true, TRIPS, stride, 0, 1);
    caches.l1_bytes = l1_bytes;
    caches.l2_bytes = caches.l2_loads_bytes = 53.5e6;
    caches.l2_sharpness = 7;
    caches.l2_own_sharpness = 22;
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    const double once = (double)(TRIPS + back) * (double)stride;
    print_message("back %d: %g bytes of %g read\n", (int)back, volumes.dram_read.bytes, once);
    return volumes.dram_read.bytes / once - 1;
}

/* 43 MB lie between 10 iterations, 61 MB between 14: L2 has the first, and not the second. */
static void loops_find_what_lies_just_within_l2(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0);
    assert_true(rows_again(arena, 10, 16384) < 0.08);
    assert_true(rows_again(arena, 14, 16384) > 0.8);
    assert_true(rows_again(arena, 14, 8 * 64 * ROW) < 0.05); /* L1 has it */
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_find_what_they_loaded_before_in_l2),
        cmocka_unit_test(loops_find_what_lies_just_within_l2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
