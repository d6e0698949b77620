/* Volumes and what blocks request: bounds of footprints that are far too large, data that a block
 * loads after it has stored them, sectors that warps share, and loops in loops that neighbouring
 * blocks run in step. */
#include "../copy_accesses.h"
#include "volume.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fw_caches caches_of(uint32_t multiprocessors, uint32_t resident)
{
    return (struct fw_caches){.sector = 32,
                              .line = 128,
                              .fetch = 64,
                              .multiprocessors = multiprocessors,
                              .resident_blocks = resident,
                              .l1_bytes = 131072,
                              .l2_bytes = 6291456};
}

/* Loops over boxes of which a small share is touched, as a linearized triangle states them. */
static void device_memory_moves_no_more_than_is_requested(void **state)
{
    (void)state;
    for (int sparse = 0; sparse < 2; sparse++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_affine_accesses accesses = copy_of(arena, 4096);
        struct fw_caches caches = caches_of(132, 8);
        struct fw_volumes volumes;
        double bytes = 8.0 * 256 * 4096;
        for (uint32_t i = 0; i < 2; i++) {
            accesses.at[i].loops = 1;
            accesses.at[i].trips[0] = 1000;
            accesses.at[i].loop_stride[0] = 16 * 4096 * 256;
            accesses.at[i].begin = 0;
            accesses.at[i].end = 1;
        }
        if (sparse) /* each second sector: a request brings two */
            accesses.at[0].thread_stride[0] = 64;
        caches.requested_load_bytes = bytes;
        caches.requested_store_bytes = bytes / 2;
        fw_volumes_find(&volumes, arena, &accesses, &caches);
        print_message("%g loaded, %g read of %g, %g stored, %g written of %g\n",
                      volumes.l2_to_l1.bytes, volumes.dram_read.bytes, volumes.read_footprint,
                      volumes.l1_to_l2, volumes.dram_write.bytes, volumes.write_footprint);
        assert_true(volumes.bounded);
        assert_true(volumes.l2_to_l1.bytes <= bytes && volumes.l1_to_l2 <= bytes / 2);
        assert_true(volumes.merged_bytes <= 0); /* else distinct data might be more */
        double most = sparse ? 2 * bytes : bytes;
        assert_true(volumes.read_footprint <= most * 1.000001);
        assert_true(volumes.dram_read.bytes - volumes.fill_read <= 2 * bytes * 1.000001);
        assert_true(volumes.dram_read.compulsory <= most * 1.000001);
        assert_true(volumes.dram_write.bytes <= volumes.l1_to_l2 * 1.000001);
        assert_true(volumes.write_footprint <= volumes.l1_to_l2 * 1.000001);
        fw_arena_free(arena);
    }
}

/* A block sets eight rows to zero, then loads them in a loop: they are in L1, if they fit. */
static void what_a_block_stored_it_finds_in_l1(void **state)
{
    enum { ROWS = 8, BLOCKS = 132 };
    (void)state;
    for (int small = 0; small < 2; small++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_affine_accesses accesses = copy_of(arena, BLOCKS);
        struct fw_caches caches = caches_of(BLOCKS, 1);
        struct fw_volumes volumes;
        double bytes = ROWS * 8.0 * 256 * BLOCKS;
        struct fw_affine_access swap = accesses.at[0];
        accesses.at[0] = accesses.at[1]; /* the store comes first */
        accesses.at[1] = swap;
        for (uint32_t i = 0; i < 2; i++) {
            accesses.at[i].array = 0;
            accesses.at[i].loops = 1;
            accesses.at[i].outer_loop = i;
            accesses.at[i].trips[0] = ROWS;
            accesses.at[i].loop_stride[0] = 8 * 256 * BLOCKS;
            accesses.at[i].begin = 0;
            accesses.at[i].end = 1;
        }
        caches.l1_bytes = small ? 2048 : 131072;
        fw_volumes_find(&volumes, arena, &accesses, &caches);
        print_message("%g of %g bytes loaded\n", volumes.l2_to_l1.bytes, bytes);
        assert_true(small ? volumes.l2_to_l1.bytes > 0.9 * bytes : volumes.l2_to_l1.bytes < 1);
        accesses.at[0].array = 1; /* rows of another array */
        caches.l1_bytes = 131072;
        fw_volumes_find(&volumes, arena, &accesses, &caches);
        assert_true(fabs(volumes.l2_to_l1.bytes - bytes) < 1);
        fw_arena_free(arena);
    }
}

/* What stands behind a load stores nothing that it finds, in whatever order threads store in place;
 * nor do iterations that have places of their own. */
static void what_is_stored_behind_loads_is_not_found(void **state)
{
    enum { STEPS = 8, BLOCKS = 132 };
    (void)state;
    for (int looped = 0; looped < 2; looped++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_affine_accesses accesses = copy_of(arena, BLOCKS);
        struct fw_caches caches = caches_of(BLOCKS, 1);
        struct fw_volumes volumes;
        double bytes = 8.0 * 256 * BLOCKS * (looped ? STEPS : 1);
        for (uint32_t i = 0; i < 2; i++) {
            accesses.at[i].array = 0;
            accesses.at[i].loops = (uint8_t)looped;
            accesses.at[i].trips[0] = STEPS;
            accesses.at[i].loop_stride[0] = 8 * 256 * BLOCKS;
            accesses.at[i].begin = 0;
            accesses.at[i].end = 1;
        }
        accesses.at[1].thread_stride[0] = -8; /* the threads' numbers in reverse */
        accesses.at[1].base = 8 * 255;
        fw_volumes_find(&volumes, arena, &accesses, &caches);
        print_message("%g of %g bytes loaded\n", volumes.l2_to_l1.bytes, bytes);
        assert_true(fabs(volumes.l2_to_l1.bytes / bytes - 1) < 0.001);
        fw_arena_free(arena);
    }
}

/* Each thread loads and stores a number of its own in each of many steps.  If its warp's numbers
 * begin off a sector boundary, a third of the sectors between two warps is loaded once more in each
 * step but the first; not if each step has numbers of its own. */
static void sectors_that_warps_share_in_place_are_loaded_again(void **state)
{
    enum { STEPS = 61, BLOCKS = 132, WARPS = 8 };
    (void)state;
    for (int64_t shift = 0; shift <= 8; shift += 8)
        for (int moves = 0; moves < 2; moves++) {
            struct fw_arena *arena = fw_arena_new(0);
            struct fw_affine_accesses accesses = copy_of(arena, BLOCKS);
            struct fw_caches caches = caches_of(BLOCKS, 1);
            struct fw_volumes volumes;
            for (uint32_t i = 0; i < 2; i++) {
                accesses.at[i].array = 0;
                accesses.at[i].base = shift;
                accesses.at[i].loops = 1;
                accesses.at[i].trips[0] = STEPS;
                accesses.at[i].loop_stride[0] = moves ? 8 * 256 * BLOCKS : 0;
                accesses.at[i].begin = 0;
                accesses.at[i].end = 1;
            }
            fw_volumes_find(&volumes, arena, &accesses, &caches);
            double once = BLOCKS * (8 * 256 / 32.0 + (shift > 0)) * (moves ? STEPS : 1);
            double again = shift && !moves ? BLOCKS * (WARPS - 1) * (STEPS - 1) / 3.0 : 0;
            print_message("%g sectors, %g expected\n", volumes.l2_to_l1.bytes / 32, once + again);
            assert_true(fabs(volumes.l2_to_l1.bytes / 32 / (once + again) - 1) < 0.02);
            fw_arena_free(arena);
        }
}

/* Each of 132 blocks walks over rows of its own again and again: 43 MB, of which L1 holds little
 * and L2 of 53 MB nearly all, as data that a multiprocessor loads itself.  A launch of that one
 * wave finds in L2 what the launch before left, if no more lies between than fits. */
static void single_waves_find_their_own_data_in_l2(void **state)
{
    enum { BLOCKS = 132, ROWS = 160, TIMES = 16 };
    (void)state;
    for (int own = 0; own < 2; own++)
        for (int warm = 0; warm < 2; warm++) {
            struct fw_arena *arena = fw_arena_new(0);
            struct fw_affine_accesses accesses = copy_of(arena, BLOCKS);
            struct fw_affine_access *access = &accesses.at[0];
            struct fw_caches caches = caches_of(BLOCKS, 1);
            struct fw_volumes volumes;
            double once = BLOCKS * ROWS * 256 * 8.0;
            accesses.count = 1;
            access->loops = 2;
            access->trips[0] = TIMES;
            access->trips[1] = ROWS;
            access->loop_stride[1] = 256 * 8 * BLOCKS;
            access->begin = 0;
            access->end = 1;
            caches.l2_bytes = 53.5e6;
            caches.l2_sharpness = caches.retained_sharpness = 7;
            caches.retained_bytes = caches.retained_dirty_bytes = 53.5e6;
            caches.l2_own_sharpness = own ? 22 : 0;
            caches.warm = warm;
            fw_volumes_find(&volumes, arena, &accesses, &caches);
            print_message("%g bytes of %g read, own %d, warm %d\n", volumes.dram_read.bytes, once,
                          own, warm);
            double again = volumes.dram_read.bytes - (warm ? 0 : once);
            assert_true(own ? again < 0.5 * once : again > 2 * once);
            fw_arena_free(arena);
        }
}

/* A block loads what its neighbour loads as well, in each of many iterations: 866 MB of a wave.
 * With a drift of up to 15% of the loop, by half, since half of the loads are shared, up to 65 MB
 * lie between the two loads. */
static void neighbours_drift_apart_in_long_loops(void **state)
{
    enum { BLOCKS = 1056, ROW = 8 * 256 };
    (void)state;
    for (int64_t trips = 40; trips <= 400; trips *= 10)
        for (int drift = 0; drift < 2; drift++) {
            struct fw_arena *arena = fw_arena_new(0);
            struct fw_affine_accesses accesses = copy_of(arena, BLOCKS);
            struct fw_caches caches = caches_of(132, 8);
            struct fw_volumes volumes;
            accesses.arrays = 1;
            accesses.at[1] = accesses.at[0];
            accesses.at[1].base = ROW;
            for (uint32_t i = 0; i < 2; i++) {
                accesses.at[i].loops = 1;
                accesses.at[i].trips[0] = trips;
                accesses.at[i].loop_stride[0] = 2 * ROW * BLOCKS;
                accesses.at[i].begin = 0;
                accesses.at[i].end = 1;
            }
            caches.l2_bytes = 20e6;
            caches.l2_sharpness = 7;
            caches.block_drift = drift ? 0.15 : 0;
            fw_volumes_find(&volumes, arena, &accesses, &caches);
            double once = (double)trips * ROW * (BLOCKS + 1);
            print_message("%g bytes of %g read\n", volumes.dram_read.bytes, once);
            double again = volumes.dram_read.bytes / once - 1;
            if (drift && trips > 40)
                assert_true(fabs(again - (1 - 20.0 / 65)) < 0.1);
            else
                assert_true(fabs(again) < 0.01);
            fw_arena_free(arena);
        }
}

/* Each block sets a row to zero and loads it in a loop: L2 need not read it.  Were the row another
 * one, or the store behind the loop, it would. */
static void what_a_block_stored_it_finds_in_l2(void **state)
{
    enum { BLOCKS = 1056 };
    (void)state;
    for (int other = 0; other < 3; other++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_affine_accesses accesses = copy_of(arena, BLOCKS);
        struct fw_affine_access *load = &accesses.at[other == 1 ? 0 : 1];
        struct fw_affine_access *store = &accesses.at[other == 1 ? 1 : 0];
        struct fw_caches caches = caches_of(132, 8);
        struct fw_volumes volumes;
        const double row = 8.0 * 256 * BLOCKS;
        load->direction = FW_LOAD;
        store->direction = FW_STORE;
        load->array = store->array = 0;
        load->base = other == 2 ? 8 * 256 * BLOCKS : 0;
        load->loops = 1;
        load->trips[0] = 50;
        load->begin = 0;
        load->end = 1;
        caches.l2_bytes = 50e6;
        fw_volumes_find(&volumes, arena, &accesses, &caches);
        print_message("%g bytes of %g read\n", volumes.dram_read.bytes, row);
        assert_true(fabs(volumes.dram_read.bytes - (other ? row : 0)) < 0.01 * row);
        fw_arena_free(arena);
    }
}

/* All blocks of four waves walk over the same 12.6 MB in a loop: the first wave reads them, and the
 * others find them, if they fit into one partition of L2. */
static void waves_find_what_all_of_them_load(void **state)
{
    enum { BLOCKS = 4 * 1056, ROW = 8 * 256, ROWS = 6144 };
    (void)state;
    for (int fits = 0; fits < 2; fits++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_affine_accesses accesses = copy_of(arena, BLOCKS);
        struct fw_caches caches = caches_of(132, 8);
        struct fw_volumes volumes;
        accesses.count = 1;
        accesses.at[0].block_stride[0] = 0;
        accesses.at[0].loops = 1;
        accesses.at[0].trips[0] = ROWS;
        accesses.at[0].loop_stride[0] = ROW;
        accesses.at[0].begin = 0;
        accesses.at[0].end = 1;
        caches.l2_bytes = 40e6;
        caches.l2_partition_bytes = fits ? 30e6 : 10e6;
        caches.whole_l2_bytes = 2 * caches.l2_partition_bytes;
        fw_volumes_find(&volumes, arena, &accesses, &caches);
        double once = (double)ROWS * ROW;
        print_message("%g bytes of %g read\n", volumes.dram_read.bytes, once);
        assert_true(volumes.dram_read.bytes > 0.99 * once);
        assert_true(fits ? volumes.dram_read.bytes < 1.01 * once
                         : volumes.dram_read.bytes > 2 * once);
        fw_arena_free(arena);
    }
}

/* Block y loads rows y to y + 7 of each of eight planes, one after the other: in the same iteration
 * of both loops no two blocks load the same row.  Were the rows those of all blocks, all would. */
static void blocks_in_step_request_the_same_in_the_inner_loop(void **state)
{
    (void)state;
    for (int common = 0; common < 2; common++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_affine_accesses accesses = copy_of(arena, 64);
        struct fw_affine_access *access = &accesses.at[0];
        struct fw_caches caches = caches_of(132, 1);
        struct fw_volumes volumes;
        const int64_t row = 8 * 256, rows = 128;
        access->block_stride[0] = common ? 0 : row;
        access->loops = 2;
        access->trips[0] = access->trips[1] = 8;
        access->loop_stride[0] = rows * row;
        access->loop_stride[1] = row;
        access->begin = 0;
        access->end = 1;
        for (uint32_t i = 0; i < FW_COALESCING_POINTS; i++)
            caches.coalesced[0][i] = pow(2, -(double)i);
        fw_volumes_find(&volumes, arena, &accesses, &caches);
        double each = 64.0 * 8 * 8 * (double)row;
        print_message("%g of %g bytes\n", volumes.l2_to_l1.bytes, each);
        assert_true(fabs(volumes.l2_to_l1.bytes - (common ? each / 16 : each)) < 1);
        fw_arena_free(arena);
    }
}

/* Blocks go along a part of the array each, and once more to store in place, by which time L2 has
 * lost it: all is read twice, although the second loop takes more of the time. */
static void loops_that_follow_each_other_read_twice(void **state)
{
    enum { BLOCKS = 1056, THREADS = 256, STEPS = 79 };
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_affine_accesses accesses = copy_of(arena, BLOCKS);
    struct fw_affine_access at[3];
    struct fw_caches caches = caches_of(132, 8);
    struct fw_volumes volumes;
    const double bytes = 4.0 * THREADS * STEPS * BLOCKS;
    (void)state;
    for (int i = 0; i < 3; i++) {
        at[i] = accesses.at[0];
        at[i].direction = i == 2 ? FW_STORE : FW_LOAD;
        at[i].block_stride[0] = 4 * THREADS * STEPS;
        at[i].thread_stride[0] = 4;
        at[i].bytes = 4;
        at[i].array = 0;
        at[i].loops = 1;
        at[i].trips[0] = STEPS;
        at[i].loop_stride[0] = 4 * THREADS;
        at[i].outer_loop = i > 0;
        at[i].begin = i ? 0.4 : 0;
        at[i].end = i ? 1 : 0.4;
    }
    accesses.at = at;
    accesses.count = 3;
    accesses.arrays = 1;
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    print_message("%g read of %g, %g written\n", volumes.dram_read.bytes, bytes,
                  volumes.dram_write.bytes);
    assert_true(fabs(volumes.dram_read.bytes / bytes - 2) < 0.1);
    assert_true(fabs(volumes.dram_write.bytes / bytes - 1) < 0.02);
    fw_arena_free(arena);
}

/* A block goes through a row of its own twice, through a table of all blocks, or storing a row. */
static struct fw_volumes rows_twice(struct fw_arena *arena, bool table, bool stores, double l1)
{
    enum { TRIPS = 8, STEP = 8 * 256 };
    struct fw_affine_accesses accesses = copy_of(arena, 8192);
    struct fw_caches caches = caches_of(64, 8);
    struct fw_volumes volumes;
    struct fw_affine_access load = accesses.at[0],
                            *at = FW_ARRAY(arena, struct fw_affine_access, 4);
    load.loops = 1;
    load.trips[0] = TRIPS;
    load.loop_stride[0] = STEP;
    load.block_stride[0] = TRIPS * STEP;
    for (uint32_t i = 0; i < 2; i++) {
        at[i] = load;
        at[i].outer_loop = i;
        at[i].begin = i / 2.0;
        at[i].end = (i + 1) / 2.0;
    }
    accesses.at = at;
    accesses.arrays = 3;
    accesses.count = 2;
    at[2] = at[3] = at[1];
    at[2].array = 1;
    at[3].array = 2;
    at[2].block_stride[0] = 0;
    at[3].direction = FW_STORE;
    if (stores && !table)
        at[2] = at[3];
    accesses.count += (uint32_t)table + (uint32_t)stores;
    caches.l1_bytes = l1;
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    return volumes;
}

/* Eight blocks with rows of 16 KiB, and a table of as many, have 144 KiB in L1; the rows that they
 * store as well take the place of loaded ones. */
static void common_data_and_stores_share_l1_with_rows(void **state)
{
    const double row = 8192.0 * 16384, l1 = 262144;
    struct fw_arena *arena = fw_arena_new(0);
    (void)state;
    double alone = rows_twice(arena, false, false, l1).l2_to_l1.bytes;
    double table = rows_twice(arena, true, false, l1).l2_to_l1.bytes;
    double less = rows_twice(arena, false, false, 0.75 * l1).l2_to_l1.bytes;
    double stored = rows_twice(arena, false, true, 0.75 * l1).l2_to_l1.bytes;
    print_message("rows %g, %g with a table, %g and %g where they are stored\n", alone / row,
                  table / row, less / row, stored / row);
    assert_true(alone < 1.1 * row && table < 1.2 * row && stored > less + 0.05 * row);
    fw_arena_free(arena);
}

/* Threads of blocks of 32 x `rows` store a row each of a column-major array of 8192 x 8192 floats:
 * eight warps fill a sector, which L2 may evict in between; two warps of a block go together.  The
 * share of sectors that are written twice: 0.11 of `turn` in data/h100/again, and none. */
static double written_twice(struct fw_arena *arena, uint32_t rows)
{
    enum { SIDE = 8192 };
    struct fw_affine_accesses accesses = copy_of(arena, 1);
    struct fw_caches caches = caches_of(132, 64 / rows);
    struct fw_volumes volumes;
    struct fw_affine_access *store = &accesses.at[0];
    accesses.count = accesses.arrays = 1;
    accesses.block[0] = 32;
    accesses.block[1] = rows;
    accesses.grid[0] = SIDE / 32;
    accesses.grid[1] = SIDE / rows;
    store->direction = FW_STORE;
    store->bytes = 4;
    store->thread_stride[0] = 4 * SIDE;
    store->block_stride[0] = 32 * 4 * SIDE;
    store->thread_stride[1] = 4;
    store->block_stride[1] = 4 * (int64_t)rows;
    store->high[0] = store->high[1] = SIDE;
    caches.l2_bytes = 35e6;
    caches.eviction_bytes = 12.6e6;
    caches.eviction_sharpness = 3;
    caches.store_merge_lines = 8;
    caches.lines_per_store = 32;
    caches.store_share = 1;
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    const double once = 4.0 * SIDE * SIDE;
    print_message("%g written of %g, %g filled\n", volumes.dram_write.bytes, once,
                  volumes.fill_read);
    return volumes.fill_read / once;
}

static void sectors_that_warps_fill_in_turn_are_written_twice(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0);
    assert_true(fabs(written_twice(arena, 8) - 0.11) < 0.02);
    assert_true(written_twice(arena, 2) < 0.02);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(device_memory_moves_no_more_than_is_requested),
        cmocka_unit_test(what_a_block_stored_it_finds_in_l1),
        cmocka_unit_test(what_is_stored_behind_loads_is_not_found),
        cmocka_unit_test(sectors_that_warps_share_in_place_are_loaded_again),
        cmocka_unit_test(single_waves_find_their_own_data_in_l2),
        cmocka_unit_test(neighbours_drift_apart_in_long_loops),
        cmocka_unit_test(what_a_block_stored_it_finds_in_l2),
        cmocka_unit_test(waves_find_what_all_of_them_load),
        cmocka_unit_test(blocks_in_step_request_the_same_in_the_inner_loop),
        cmocka_unit_test(loops_that_follow_each_other_read_twice),
        cmocka_unit_test(common_data_and_stores_share_l1_with_rows),
        cmocka_unit_test(sectors_that_warps_fill_in_turn_are_written_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
