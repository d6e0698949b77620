/* Volumes between L1, L2 and device memory, in cases whose bytes can be computed by hand. */
#include "../copy_accesses.h"
#include "volume.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void a_copy_moves_each_byte_once_unless_it_fits(void **state)
{
    (void)state;
    for (int small = 0; small < 2; small++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_affine_accesses accesses = copy_of(arena, small ? 512 : 65536);
        struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64, .multiprocessors = 80};
        struct fw_volumes volumes;
        double bytes = 8.0 * 256 * accesses.grid[0];
        caches.l1_bytes = 131072;
        caches.l2_bytes = caches.retained_bytes = caches.retained_dirty_bytes = 6291456;
        caches.resident_blocks = 8;
        caches.warm = true;
        fw_volumes_find(&volumes, arena, &accesses, &caches);
        assert_true(volumes.l2_to_l1.bytes == bytes && volumes.l1_to_l2 == bytes);
        assert_true(volumes.read_footprint == bytes && volumes.write_footprint == bytes);
        assert_true(volumes.dram_read.bytes == (small ? 0 : bytes));
        assert_true(volumes.dram_write.bytes == (small ? 0 : bytes));
        caches.warm = false;
        fw_volumes_find(&volumes, arena, &accesses, &caches);
        assert_true(volumes.dram_read.bytes == bytes);
        fw_arena_free(arena);
    }
}

/* Waves of a copy are alike: three of them tell all.  Where all rows of blocks copy the same data,
 * only those of the first row read them from device memory: waves are not alike. */
static void waves_that_are_alike_are_sampled_less(void **state)
{
    enum { BLOCKS = 65536, ROWS = 8 };
    (void)state;
    for (int again = 0; again < 2; again++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_affine_accesses accesses = copy_of(arena, again ? BLOCKS / ROWS : BLOCKS);
        struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64, .multiprocessors = 80};
        struct fw_volumes volumes;
        caches.l1_bytes = 131072;
        caches.l2_bytes = caches.retained_bytes = caches.retained_dirty_bytes = 62914560;
        caches.resident_blocks = 8;
        accesses.grid[1] = again ? ROWS : 1;
        accesses.at[0].high[1] = accesses.at[1].high[1] = accesses.grid[1];
        fw_volumes_find(&volumes, arena, &accesses, &caches);
        print_message("%u waves\n", volumes.waves);
        assert_true(again ? volumes.waves > 3 : volumes.waves == 3);
        fw_arena_free(arena);
    }
}

/* What a launch left in L2: a launch over `bytes` reads the share of them that is gone, and writes
 * more than that of what it stores where so much cannot be dirty. */
static void a_launch_finds_what_the_one_before_left(void **state)
{
    static const struct {
        uint32_t blocks;
        double read, written, alone; /* shares */
    } cases[] = {{8192, 0.04, 0.04, 0}, {11264, 0.62, 0.62, 0.02}, {16384, 1, 1, 0.65}};
    (void)state;
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_affine_accesses accesses = copy_of(arena, cases[c].blocks);
        struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64, .multiprocessors = 132};
        struct fw_volumes volumes;
        double bytes = 8.0 * 256 * cases[c].blocks;
        caches.l1_bytes = 131072;
        caches.whole_l2_bytes = 62914560;
        caches.l2_bytes = 0.674 * caches.whole_l2_bytes;
        caches.retained_bytes = 0.735 * caches.whole_l2_bytes;
        caches.retained_dirty_bytes = 0.53 * caches.whole_l2_bytes;
        caches.retained_sharpness = 10.5;
        caches.resident_blocks = 8;
        caches.warm = true;
        fw_volumes_find(&volumes, arena, &accesses, &caches);
        print_message("%g MB: %g and %g\n", 2e-6 * bytes, volumes.dram_read.bytes / bytes,
                      volumes.dram_write.bytes / bytes);
        assert_true(fabs(volumes.dram_read.bytes / bytes - cases[c].read) < 0.05);
        assert_true(fabs(volumes.dram_write.bytes / bytes - cases[c].written) < 0.05);
        accesses.at[0] = accesses.at[1]; /* stores alone */
        accesses.count = 1;
        fw_volumes_find(&volumes, arena, &accesses, &caches);
        print_message("stores alone: %g\n", volumes.dram_write.bytes / bytes);
        assert_true(fabs(volumes.dram_write.bytes / bytes - cases[c].alone) < 0.05);
        fw_arena_free(arena);
    }
}

/* An H200 that finds what an identical launch has left. */
static struct fw_caches warm_h200(void)
{
    struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64, .multiprocessors = 132};
    caches.l1_bytes = 131072;
    caches.whole_l2_bytes = 62914560;
    caches.l2_bytes = 0.674 * caches.whole_l2_bytes;
    caches.retained_bytes = 0.735 * caches.whole_l2_bytes;
    caches.retained_dirty_bytes = 0.53 * caches.whole_l2_bytes;
    caches.retained_sharpness = 10.5;
    caches.dirty_sharpness = 2.5;
    caches.resident_blocks = 8;
    caches.warm = true;
    return caches;
}

/* A single wave that stores half of what it touches finds more of it than many waves do, and writes
 * about what it reads: `rounds` in data/h100/again, as shares of L2. */
static void single_waves_keep_what_they_store_beside(void **state)
{
    static const struct {
        double share, moved;
    } cases[] = {{0.64, 0.06}, {0.72, 0.36}, {0.8, 0.81}, {0.88, 0.96}};
    enum { BLOCKS = 264, ROW = 2 * 8 * 256 };
    (void)state;
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_affine_accesses accesses = copy_of(arena, BLOCKS);
        struct fw_caches caches = warm_h200();
        struct fw_volumes volumes;
        const int64_t trips =
            (int64_t)(cases[c].share * caches.whole_l2_bytes / ((double)BLOCKS * ROW));
        for (uint32_t i = 0; i < 2; i++) {
            accesses.at[i].loops = 1;
            accesses.at[i].trips[0] = trips;
            accesses.at[i].loop_stride[0] = 8 * 256 * BLOCKS;
            accesses.at[i].begin = 0;
            accesses.at[i].end = 1;
        }
        caches.retained_wave_bytes = 0.82 * caches.whole_l2_bytes;
        caches.l2_own_sharpness = 22;
        fw_volumes_find(&volumes, arena, &accesses, &caches);
        const double half = (double)trips * BLOCKS * ROW / 2;
        print_message("%g of L2: %g and %g\n", cases[c].share, volumes.dram_read.bytes / half,
                      volumes.dram_write.bytes / half);
        assert_true(fabs(volumes.dram_read.bytes / half - cases[c].moved) < 0.13);
        assert_true(fabs(volumes.dram_write.bytes / half - cases[c].moved) < 0.13);
        fw_arena_free(arena);
    }
}

/* Copies of so many bytes write less than what they read again: `copy` in data/h200/retained. */
static void dirty_lines_leave_behind_clean_ones(void **state)
{
    static const struct {
        double bytes, read, written;
    } cases[] = {{40e6, 0.18, 0.235}, {48e6, 0.80, 0.71}, {52e6, 0.96, 0.78}, {64e6, 1, 0.92}};
    (void)state;
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_affine_accesses accesses = copy_of(arena, (uint32_t)(cases[c].bytes / 4096));
        struct fw_caches caches = warm_h200();
        struct fw_volumes volumes;
        fw_volumes_find(&volumes, arena, &accesses, &caches);
        double half = cases[c].bytes / 2;
        print_message("%g: %g and %g\n", cases[c].bytes, volumes.dram_read.bytes / half,
                      volumes.dram_write.bytes / half);
        assert_true(fabs(volumes.dram_read.bytes / half - cases[c].read) < 0.1);
        assert_true(fabs(volumes.dram_write.bytes / half - cases[c].written) < 0.08);
        fw_arena_free(arena);
    }
}

/* One wave that stores to the same 2 MB in each of 20 iterations, and loads 80 MB meanwhile: L2 has
 * them still when the next launch begins.  Stored to once, they are gone. */
static void what_is_stored_throughout_stays(void **state)
{
    enum { BLOCKS = 1056, ROUNDS = 20 };
    (void)state;
    for (int64_t times = 1; times <= ROUNDS; times += ROUNDS - 1) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_affine_accesses accesses = copy_of(arena, BLOCKS);
        struct fw_caches caches = warm_h200();
        struct fw_volumes volumes;
        double bytes = 8.0 * 256 * BLOCKS;
        caches.l2_bytes = caches.whole_l2_bytes; /* within a launch all stays */
        for (uint32_t i = 0; i < accesses.count; i++) {
            struct fw_affine_access *access = &accesses.at[i];
            bool load = access->direction == FW_LOAD;
            access->loops = 1;
            access->trips[0] = load ? 2 * ROUNDS : times;
            access->loop_stride[0] = load ? (int64_t)bytes : 0;
            access->begin = 0;
            access->end = 1;
        }
        fw_volumes_find(&volumes, arena, &accesses, &caches);
        print_message("%d: %g of what is stored\n", (int)times, volumes.stores_lost);
        assert_true(times > 1 ? volumes.stores_lost < 0.05 : volumes.stores_lost > 0.9);
        fw_arena_free(arena);
    }
}

/* Two stores of four bytes into each eight bytes: merged where a warp issues them one after the
 * other, separate where two loops do, and written twice where L2 cannot hold them meanwhile. */
static void stores_merge_within_an_iteration(void **state)
{
    enum { ROWS = 1000, BLOCKS = 528, THREADS = 256 };
    (void)state;
    for (int looped = 0; looped < 2; looped++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_affine_accesses accesses = copy_of(arena, BLOCKS);
        struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64, .multiprocessors = 132};
        struct fw_volumes volumes;
        double bytes = 8.0 * THREADS * BLOCKS;
        caches.l1_bytes = 131072;
        caches.l2_bytes = 6291456;
        caches.resident_blocks = 4;
        for (uint32_t i = 0; i < accesses.count; i++) {
            struct fw_affine_access *access = &accesses.at[i];
            access->array = 0;
            access->direction = FW_STORE;
            access->bytes = 4;
            access->base = 4 * i;
            if (!looped)
                continue;
            access->loops = 1;
            access->trips[0] = ROWS;
            access->loop_stride[0] = (int64_t)bytes;
            access->begin = 0;
            access->end = 1;
        }
        fw_volumes_find(&volumes, arena, &accesses, &caches);
        double all = looped ? 2 * ROWS * bytes : bytes;
        print_message("%g of %g bytes to L2\n", volumes.l1_to_l2, all);
        /* Loops of the same length run in step: in each iteration both store to the same sectors.
         */
        assert_true(fabs(volumes.l1_to_l2 / (looped ? all / 2 : all) - 1) < 0.01);
        if (looped) {
            accesses.at[1].trips[0] = ROWS - 1;
            fw_volumes_find(&volumes, arena, &accesses, &caches);
            assert_true(fabs(volumes.l1_to_l2 / all - 1) < 0.01);
            accesses.at[1].trips[0] = ROWS; /* bytes that are stored again are sent again */
            accesses.at[1].base = accesses.at[0].base;
            fw_volumes_find(&volumes, arena, &accesses, &caches);
            assert_true(fabs(volumes.l1_to_l2 / all - 1) < 0.01);
        }
        fw_arena_free(arena);
    }
}

/* Data that all blocks load stay in L1 from block to block; data of a single block do not. */
static void common_data_are_loaded_by_the_first(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_affine_accesses accesses = copy_of(arena, 8192);
    struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64, .multiprocessors = 64};
    struct fw_volumes volumes;
    (void)state;
    caches.l1_bytes = 131072;
    caches.l2_bytes = 6291456;
    caches.resident_blocks = 8;
    accesses.at[0].block_stride[0] = 0;
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    assert_true(fabs(volumes.l2_to_l1.bytes / (8.0 * 256 * 64) - 1) < 0.01);
    /* What eight blocks load and store does not fit, but one of them comes to these data soon. */
    caches.l1_bytes = 16384;
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    assert_true(volumes.l2_to_l1.bytes < 0.1 * 8.0 * 256 * 8192);
    caches.l1_bytes = 1024; /* nor do these data themselves */
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    assert_true(volumes.l2_to_l1.bytes > 0.9 * 8.0 * 256 * 8192);
    /* Of two rows of blocks each loads its own: on each multiprocessor the first of a row. */
    caches.l1_bytes = 131072;
    accesses.grid[0] = 4096;
    accesses.at[0].high[1] = accesses.at[1].high[1] = accesses.grid[1] = 2;
    accesses.at[0].block_stride[1] = 8 * 256;
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    assert_true(fabs(volumes.l2_to_l1.bytes / (8.0 * 256 * 64 * 2) - 1) < 0.01);
    /* Rows of fewer blocks than there are at once: the first of a row on each multiprocessor that
     * blocks of it go to; and first requests merge as those of blocks that load the same. */
    for (uint32_t i = 0; i < FW_COALESCING_POINTS; i++) {
        caches.coalesced[0][i] = 1;
        caches.coalesced_once[i] = 1 - 0.1 * i;
    }
    accesses.grid[0] = 32;
    accesses.at[0].high[1] = accesses.at[1].high[1] = accesses.grid[1] = 256;
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    const double later = 64 * (1 - pow(1 - 1 / 64.0, 32)) / 32, first_wave = 512 / 8192.0;
    const double asked = 0.6 * (first_wave + (1 - first_wave) * later);
    print_message("%g of %g bytes\n", volumes.l2_to_l1.bytes, asked * 8.0 * 256 * 8192);
    assert_true(fabs(volumes.l2_to_l1.bytes / (asked * 8.0 * 256 * 8192) - 1) < 0.02);
    fw_arena_free(arena);
}

/* The 256 blocks of a row of the grid load the same data.  The blocks 128 apart run on the same of
 * 128 multiprocessors; later ones anywhere, so that four of them are of two rows, too. */
static void resident_blocks_share_l1(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_affine_accesses accesses = copy_of(arena, 256);
    struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64, .multiprocessors = 128};
    struct fw_volumes volumes;
    (void)state;
    accesses.grid[1] = 32;
    accesses.at[0].block_stride[0] = 0;
    accesses.at[0].block_stride[1] = 8 * 256;
    accesses.at[0].high[1] = accesses.at[1].high[1] = 32;
    accesses.at[0].loops = 1;
    accesses.at[0].trips[0] = 4;
    accesses.at[0].loop_stride[0] = 8 * 256 * 32;
    accesses.at[0].end = 1;
    caches.l1_bytes = 131072;
    caches.l2_bytes = 6291456;
    caches.resident_blocks = 4;
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    const double each = 4 * 8.0 * 256 * 256 * 32, first_wave = 512 / 8192.0;
    assert_true(fabs(volumes.l2_to_l1.bytes - each / 2) < 0.01 * each);
    caches.l1_bytes = 4096; /* less than four blocks load in an iteration */
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    assert_true(fabs(volumes.l2_to_l1.bytes - each * (1 - first_wave / 2)) < 0.01 * each);
    caches.l1_bytes = 131072;
    caches.resident_blocks = 1;
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    assert_true(fabs(volumes.l2_to_l1.bytes - each) < 1);
    /* Sixteen neighbouring blocks load the same data in the same iteration; then with a barrier. */
    for (uint32_t i = 0; i < FW_COALESCING_POINTS; i++) {
        caches.coalesced[0][i] = pow(2, -(double)i);
        caches.coalesced[1][i] = 1 - 0.1 * i;
    }
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    assert_true(fabs(volumes.l2_to_l1.bytes - each / 16) < 1);
    /* In sixteen waves of four blocks, of which L1 has no iteration, they drift apart. */
    caches.l1_bytes = 4096;
    caches.resident_blocks = 4;
    caches.coalesced_waves = 0.5;
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    assert_true(fabs(volumes.l2_to_l1.bytes - each * (1 - 15 / 16.0 / 4)) < 1);
    caches.resident_blocks = 1;
    caches.barrier_in_loop = true;
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    assert_true(fabs(volumes.l2_to_l1.bytes - each * 0.6) < 1);
    accesses.at[0].loops = 0;
    caches.l1_bytes = 256; /* of what blocks before have loaded, nothing is left */
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    assert_true(fabs(volumes.l2_to_l1.bytes - each / 4) < 1);
    fw_arena_free(arena);
}

/* Rows as long as their stride, in steps smaller than a sector: the sector of the step before hits.
 */
static void a_loop_finds_its_sectors_again(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_affine_accesses accesses = {
        .arrays = 1, .count = 1, .grid = {1, 256, 1}, .block = {16, 16, 1}};
    struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64, .multiprocessors = 16};
    struct fw_affine_access access = {
        .bytes = 4, .direction = FW_LOAD, .thread_stride = {0, 2048, 0}};
    struct fw_volumes volumes;
    (void)state;
    access.block_stride[1] = 16 * 2048;
    access.high[0] = 16;
    access.high[1] = 4096;
    access.high[2] = 1;
    access.loops = 1;
    access.loop_stride[0] = 4;
    access.trips[0] = 512;
    access.active_share = access.repeats = access.end = 1;
    accesses.at = &access;
    caches.l1_bytes = 65536;
    caches.l2_bytes = 6291456;
    caches.resident_blocks = 8;
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    assert_true(fabs(volumes.l2_to_l1.bytes - 4096.0 * 2048) < 1);
    caches.l1_bytes = 2048; /* the lines of one step do not fit: each step loads its sector again */
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    assert_true(volumes.l2_to_l1.bytes > 6 * 4096.0 * 2048);
    fw_arena_free(arena);
}

/* Two rows of blocks store the halves of the same sectors, `distance` blocks of 256 threads from
 * each other in launch order (as share_part_2 in data/h200/traffic): 4 KiB of lines per block. */
static struct fw_volumes halves(struct fw_arena *arena, uint32_t distance, struct fw_caches *caches)
{
    struct fw_affine_accesses accesses = {.count = 1, .arrays = 1, .grid = {distance, 2, 7}};
    struct fw_volumes volumes;
    accesses.block[0] = 2;
    accesses.block[1] = 128;
    accesses.block[2] = 1;
    accesses.at = FW_NEW(arena, struct fw_affine_access);
    *accesses.at = (struct fw_affine_access){
        .bytes = 8, .direction = FW_STORE, .end = 1, .active_share = 1, .repeats = 1};
    accesses.at->thread_stride[0] = 8;
    accesses.at->thread_stride[1] = 32;
    accesses.at->block_stride[0] = 4096;
    accesses.at->block_stride[1] = 16;
    accesses.at->block_stride[2] = (int64_t)distance * 4096;
    for (uint32_t d = 0; d < 3; d++)
        accesses.at->high[d] = (int64_t)accesses.grid[d] * accesses.block[d];
    fw_volumes_find(&volumes, arena, &accesses, caches);
    return volumes;
}

static void partly_written_sectors_are_evicted(void **state)
{
    /* What an H200 wrote beyond each sector once: 0, 0.09, 0.71, 0.83. */
    static const struct {
        uint32_t distance;
        double low, high;
    } cases[] = {{256, 0, 0.01}, {2048, 0.05, 0.2}, {4096, 0.6, 0.85}, {8192, 0.8, 1}};
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64, .multiprocessors = 132};
    (void)state;
    caches.l1_bytes = 2e5;
    caches.l2_bytes = 4.2e7;
    caches.resident_blocks = 2;
    caches.eviction_bytes = 1.5e7;
    caches.eviction_sharpness = 3;
    caches.block_skew = 1.5;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fw_volumes volumes = halves(arena, cases[i].distance, &caches);
        double share = volumes.partial_eviction_bytes / volumes.write_footprint;
        printf("%u apart: %.3f\n", cases[i].distance, share);
        assert_true(share >= cases[i].low && share <= cases[i].high);
        assert_true(volumes.fill_read >= volumes.partial_eviction_bytes);
    }
    caches.eviction_bytes = 0;
    assert_true(halves(arena, 4096, &caches).partial_eviction_bytes == 0);
    fw_arena_free(arena);
}

/* A warp stores two fields of a structure of four, one after the other. */
static void stores_of_a_warp_merge(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_affine_accesses accesses = copy_of(arena, 64);
    struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64, .multiprocessors = 128};
    struct fw_volumes volumes;
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        accesses.at[i].direction = FW_STORE;
        accesses.at[i].array = 0;
        accesses.at[i].base = 8 * i;
        accesses.at[i].block_stride[0] = 32 * 256;
        accesses.at[i].thread_stride[0] = 32;
    }
    caches.l1_bytes = 131072;
    caches.l2_bytes = 6291456;
    caches.resident_blocks = 4;
    const double sectors = 32.0 * 256 * 64;
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    assert_true(fabs(volumes.l1_to_l2 - sectors) < 1);
    caches.requested_store_bytes = 2 * sectors;
    caches.lines_per_store = 8;
    caches.store_merge_lines = 8;
    caches.store_share = 1;
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    assert_true(fabs(volumes.l1_to_l2 - sectors * (2 - exp(-1))) < 1);
    caches.lines_per_store = 1;
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    assert_true(fabs(volumes.l1_to_l2 / sectors - 1) < 1e-4);
    /* Stores of different iterations do not merge. */
    for (uint32_t i = 0; i < 2; i++) {
        accesses.at[i].loops = 1;
        accesses.at[i].trips[0] = 16;
        accesses.at[i].loop_stride[0] = 0;
        accesses.at[i].begin = 0.5 * i;
        accesses.at[i].end = 0.5 + 0.5 * i;
    }
    caches.requested_store_bytes = 0;
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    assert_true(fabs(volumes.l1_to_l2 - 32 * sectors) < 1);
    fw_arena_free(arena);
}

/* Two rows of blocks read the same 2 MB one after the other. L2 holds 1.5 MB, or 3 MB if nothing is
 * stored. */
static void loads_alone_have_more_of_l2(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_affine_accesses accesses = copy_of(arena, 1024);
    struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64, .multiprocessors = 8};
    struct fw_volumes volumes;
    const double bytes = 8.0 * 256 * 1024;
    (void)state;
    accesses.grid[1] = 2;
    accesses.at[0].high[1] = 2;
    accesses.count = 1;
    caches.l1_bytes = 131072;
    caches.l2_bytes = 1.5e6;
    caches.resident_blocks = 1;
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    assert_true(volumes.dram_read.bytes > 1.9 * bytes);
    caches.l2_loads_bytes = 3e6;
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    assert_true(volumes.dram_read.bytes < 1.1 * bytes);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_moves_each_byte_once_unless_it_fits),
        cmocka_unit_test(waves_that_are_alike_are_sampled_less),
        cmocka_unit_test(a_launch_finds_what_the_one_before_left),
        cmocka_unit_test(single_waves_keep_what_they_store_beside),
        cmocka_unit_test(dirty_lines_leave_behind_clean_ones),
        cmocka_unit_test(what_is_stored_throughout_stays),
        cmocka_unit_test(stores_merge_within_an_iteration),
        cmocka_unit_test(common_data_are_loaded_by_the_first),
        cmocka_unit_test(resident_blocks_share_l1),
        cmocka_unit_test(a_loop_finds_its_sectors_again),
        cmocka_unit_test(partly_written_sectors_are_evicted),
        cmocka_unit_test(stores_of_a_warp_merge),
        cmocka_unit_test(loads_alone_have_more_of_l2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
