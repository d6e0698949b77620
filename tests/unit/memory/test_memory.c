/* Memory traffic: unions of boxes and footprints against going through every point; bank conflicts
 * and wavefronts whose number is known; volumes in cases that can be told by hand. */
#include "narrow.h"
#include "random.h"
#include "volume.h"
#include "warps.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 12, ROUNDS = 400, SEED = 20261121 };

static int64_t below(struct fw_random *random, int64_t limit)
{
    return fw_random_between(random, 0, limit - 1);
}

static void unions_of_boxes_are_counted(void **state)
{
    struct fw_random random = {SEED};
    (void)state;
    printf("seed %d\n", SEED);
    for (int round = 0; round < ROUNDS; round++) {
        static uint8_t seen[SIDE * SIDE * SIDE];
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_boxes boxes = {0};
        double expected = 0;
        memset(seen, 0, sizeof(seen));
        uint32_t count = 1 + (uint32_t)below(&random, 90);
        for (uint32_t b = 0; b < count; b++) {
            struct fw_box box = {{0}, {0}};
            for (int a = 0; a < 3; a++) {
                box.low[a] = below(&random, SIDE);
                box.high[a] = box.low[a] + below(&random, 5);
                box.high[a] = box.high[a] > SIDE ? SIDE : box.high[a];
            }
            fw_boxes_add(&boxes, arena, &box, 3);
            for (int64_t x = box.low[0]; x < box.high[0]; x++)
                for (int64_t y = box.low[1]; y < box.high[1]; y++)
                    for (int64_t z = box.low[2]; z < box.high[2]; z++)
                        seen[(z * SIDE + y) * SIDE + x] = 1;
        }
        for (size_t i = 0; i < sizeof(seen); i++)
            expected += seen[i];
        assert_true(fw_boxes_count(&boxes, 3, arena) == expected);
        fw_boxes_merge(&boxes, 3);
        assert_true(fw_boxes_count(&boxes, 3, arena) == expected);
        fw_arena_free(arena);
    }
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Distinct granules of a run of blocks, by going through every thread. */
static double gone_through(const struct fw_forms *forms, const struct fw_window *window,
                           int64_t granule)
{
    static int64_t all[1 << 20];
    size_t count = 0, distinct = 0;
    const uint32_t *grid = forms->grid, *size = forms->block;
    for (int64_t b = window->first; b < window->last; b++)
        for (uint32_t t = 0; t < size[0] * size[1] * size[2]; t++)
            for (uint32_t i = 0; i < forms->count; i++) {
                const struct fw_form *form = &forms->at[i];
                int64_t block[3] = {b % grid[0], b / grid[0] % grid[1], b / grid[0] / grid[1]};
                int64_t thread[3] = {t % size[0], t / size[0] % size[1], t / size[0] / size[1]};
                int64_t at = form->base;
                bool inside = true;
                for (int d = 0; d < 3; d++) {
                    int64_t global = block[d] * size[d] + thread[d];
                    inside &= global >= form->low[d] && global < form->high[d];
                    at += block[d] * form->block[d] + thread[d] * form->thread[d];
                }
                if (inside)
                    all[count++] = at / granule;
            }
    qsort(all, count, sizeof(*all), by_number);
    for (size_t i = 0; i < count; i++)
        distinct += i == 0 || all[i] != all[i - 1];
    return (double)distinct;
}

/* A random stencil whose rows begin at whole granules and do not run into each other. */
static struct fw_forms random_stencil(struct fw_random *random, struct fw_arena *arena)
{
    struct fw_forms forms = {.arrays = 1, .count = 1 + (uint32_t)below(random, 9)};
    int64_t step[3] = {below(random, 2) ? 4 : 8, 1024, 65536};
    forms.at = FW_ARRAY(arena, struct fw_form, forms.count);
    for (int d = 0; d < 3; d++) {
        forms.block[d] = 1 + (uint32_t)below(random, d ? 4 : 12);
        forms.grid[d] = 1 + (uint32_t)below(random, 4);
    }
    for (uint32_t i = 0; i < forms.count; i++) {
        struct fw_form *form = &forms.at[i];
        form->bytes = (uint32_t)step[0];
        form->share = form->times = form->end = 1;
        form->base = 1 << 24;
        for (int d = 0; d < 3; d++) {
            form->base += step[d] * (below(random, 7) - 3);
            form->thread[d] = step[d];
            form->block[d] = step[d] * forms.block[d];
            form->high[d] = (int64_t)forms.block[d] * forms.grid[d] - below(random, 2);
        }
    }
    return forms;
}

static void footprints_are_those_of_every_thread(void **state)
{
    struct fw_random random = {SEED + 1};
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        static const uint32_t granules[] = {32, 64, 128};
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_forms forms = random_stencil(&random, arena);
        uint32_t granule = granules[below(&random, 3)];
        int64_t blocks = (int64_t)fw_forms_blocks(&forms);
        struct fw_window window = {0, 0, 0, 1, FW_FOOTPRINT_ALL};
        window.first = below(&random, blocks);
        window.last = window.first + 1 + below(&random, blocks - window.first);
        struct fw_footprint *footprint = fw_footprint_new(arena, &forms, granule);
        double counted = fw_footprint_count(footprint, &window, 1, FW_NONE);
        assert_true(fw_footprint_exact(footprint));
        assert_true(counted == gone_through(&forms, &window, granule));
        fw_arena_free(arena);
    }
}

static struct fw_warp_access strided(uint32_t bytes, int64_t stride, int64_t first)
{
    struct fw_warp_access access = {.lanes = 32, .bytes = bytes};
    for (uint32_t l = 0; l < 32; l++)
        access.at[l] = first + stride * l;
    return access;
}

static void warps_ask_for_what_their_lanes_touch(void **state)
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
        struct fw_warp_access access = strided(rows[i].bytes, rows[i].stride, rows[i].first);
        struct fw_warp_demand demand = fw_warp_demand(&access, 32, 128);
        assert_int_equal(demand.sectors, rows[i].sectors);
        assert_int_equal(demand.lines, rows[i].lines);
        assert_int_equal(fw_warp_passes(&access, 32, 4), rows[i].passes);
    }
    struct fw_warp_access wide = strided(16, 0, 0); /* device memory's loads are not paired */
    assert_int_equal(fw_warp_demand(&wide, 32, 128).passes, 4);
    for (uint32_t l = 0; l < 32; l++)
        wide.at[l] = 16 * (l / 2);
    assert_int_equal(fw_warp_passes(&wide, 32, 4), 2);
    for (uint32_t l = 0; l < 32; l++)
        wide.at[l] = 16 * (l / 8);
    assert_int_equal(fw_warp_passes(&wide, 32, 4), 2);
}

/* One load and one store of eight bytes a thread over a long row. */
static struct fw_forms copy_of(struct fw_arena *arena, uint32_t blocks)
{
    struct fw_forms forms = {.arrays = 2, .count = 2, .grid = {blocks, 1, 1}, .block = {256, 1, 1}};
    forms.at = FW_ARRAY(arena, struct fw_form, 2);
    for (uint32_t i = 0; i < 2; i++) {
        forms.at[i] = (struct fw_form){.array = i, .bytes = 8, .direction = i ? FW_STORE : FW_LOAD};
        forms.at[i].thread[0] = 8;
        forms.at[i].block[0] = 8 * 256;
        forms.at[i].high[0] = 256 * (int64_t)blocks;
        forms.at[i].high[1] = forms.at[i].high[2] = 1;
        forms.at[i].share = forms.at[i].times = 1;
        forms.at[i].begin = i * 0.5;
        forms.at[i].end = forms.at[i].begin + 0.5;
    }
    return forms;
}

static void a_copy_moves_each_byte_once_unless_it_fits(void **state)
{
    (void)state;
    for (int small = 0; small < 2; small++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_forms forms = copy_of(arena, small ? 512 : 65536);
        struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64, .multiprocessors = 80};
        struct fw_volumes volumes;
        double bytes = 8.0 * 256 * forms.grid[0];
        caches.l1_bytes = 131072;
        caches.l2_bytes = 6291456;
        caches.resident_blocks = 8;
        caches.warm = true;
        fw_volumes_find(&volumes, arena, &forms, &caches);
        assert_true(volumes.l2_to_l1.bytes == bytes && volumes.l1_to_l2 == bytes);
        assert_true(volumes.once_read == bytes && volumes.once_written == bytes);
        assert_true(volumes.dram_read.bytes == (small ? 0 : bytes));
        assert_true(volumes.dram_write.bytes == (small ? 0 : bytes));
        caches.warm = false;
        fw_volumes_find(&volumes, arena, &forms, &caches);
        assert_true(volumes.dram_read.bytes == bytes);
        fw_arena_free(arena);
    }
}

/* Two stores of four bytes into each place of eight: merged where a warp makes them one after the
 * other, apart where two loops make them, and written twice where L2 cannot keep them meanwhile. */
static void stores_merge_within_a_turn(void **state)
{
    enum { ROWS = 1000, BLOCKS = 528, THREADS = 256 };
    (void)state;
    for (int looped = 0; looped < 2; looped++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_forms forms = copy_of(arena, BLOCKS);
        struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64, .multiprocessors = 132};
        struct fw_volumes volumes;
        double bytes = 8.0 * THREADS * BLOCKS;
        caches.l1_bytes = 131072;
        caches.l2_bytes = 6291456;
        caches.resident_blocks = 4;
        for (uint32_t i = 0; i < forms.count; i++) {
            struct fw_form *form = &forms.at[i];
            form->array = 0;
            form->direction = FW_STORE;
            form->bytes = 4;
            form->base = looped ? 0 : 4 * i;
            if (!looped)
                continue;
            form->loops = 1;
            form->trips[0] = ROWS;
            form->stride[0] = (int64_t)bytes;
            form->begin = 0;
            form->end = 1;
        }
        fw_volumes_find(&volumes, arena, &forms, &caches);
        double all = looped ? 2 * ROWS * bytes : bytes;
        print_message("%g of %g bytes to L2\n", volumes.l1_to_l2, all);
        /* Loops of one length go together: turn by turn both store into the same. */
        assert_true(fabs(volumes.l1_to_l2 / (looped ? all / 2 : all) - 1) < 0.01);
        if (looped) {
            forms.at[1].trips[0] = ROWS - 1;
            fw_volumes_find(&volumes, arena, &forms, &caches);
            assert_true(fabs(volumes.l1_to_l2 / all - 1) < 0.01);
        }
        fw_arena_free(arena);
    }
}

/* Patterns of lanes that an H200 counted, as loads that L1 does not have and as loads that it has:
 * tags four at a time, banks among what they find together, half warps of 64 bits. */
static void wavefronts_are_those_of_the_counters(void **state)
{
    static const struct {
        uint32_t bytes;
        int64_t stride, first;
        double wavefronts, found;
    } rows[] = {{4, 4, 0, 1, 1},      {4, 8, 0, 2, 2},   {4, 16, 0, 4, 4},
                {4, 20, 0, 2, 1.5},   {4, 32, 0, 8, 8},  {4, 128, 0, 32, 32},
                {4, 132, 0, 8, 2.86}, {8, 8, 0, 2, 2},   {8, 16, 0, 4, 4},
                {8, 24, 0, 3, 2.25},  {16, 16, 0, 4, 4}, {16, 16, 64, 5, 4.16},
                {16, 48, 0, 6, 4.3}};
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct fw_warp_access access = strided(rows[i].bytes, rows[i].stride, rows[i].first);
        struct fw_warp_demand demand = fw_warp_demand(&access, 32, 128);
        print_message("%zu: %g, %g found\n", i, demand.wavefronts, demand.found);
        assert_true(fabs(demand.wavefronts / rows[i].wavefronts - 1) < 0.1);
        assert_true(fabs(demand.found / rows[i].found - 1) < 0.1);
    }
    struct fw_warp_access wide = strided(16, 0, 0); /* shared memory's stores go by quarters */
    wide.store = true;
    assert_int_equal(fw_warp_passes(&wide, 32, 4), 4);
}

/* Forms that differ by whole lines are counted like one, as often as there are. */
static void forms_alike_are_counted_each(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_forms forms = copy_of(arena, 64), apart = forms;
    struct fw_warp_totals together, one, other;
    struct fw_form both[2] = {forms.at[0], forms.at[0]};
    (void)state;
    both[1].base = 5 * 128;
    apart.count = 1;
    apart.at = &both[0];
    fw_warps_find(&one, fw_warp_memory_new(arena, 32, 32, 128), &apart);
    apart.at = &both[1];
    fw_warps_find(&other, fw_warp_memory_new(arena, 32, 32, 128), &apart);
    apart.at = both;
    apart.count = 2;
    fw_warps_find(&together, fw_warp_memory_new(arena, 32, 32, 128), &apart);
    assert_true(together.load_sectors == one.load_sectors + other.load_sectors);
    assert_true(together.load_instructions == 2 * one.load_instructions);
    both[1].base += 8; /* not by whole lines */
    fw_warps_find(&together, fw_warp_memory_new(arena, 32, 32, 128), &apart);
    assert_true(together.load_sectors > 2 * one.load_sectors);
    fw_arena_free(arena);
}

/* Of what four blocks load, two have been loaded by the past. */
static void fresh_is_what_the_past_lacks(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_forms forms = copy_of(arena, 64);
    struct fw_footprint *footprint = fw_footprint_new(arena, &forms, 64);
    struct fw_window past = {8, 12, 0, 1, FW_FOOTPRINT_ALL},
                     now = {10, 14, 0, 1, FW_FOOTPRINT_LOADS};
    double shares[2] = {-1, 0};
    (void)state;
    fw_footprint_fresh(footprint, &past, 1, &now, shares);
    assert_true(shares[0] == 0.5 && shares[1] == 0);
    past.last = 8;
    fw_footprint_fresh(footprint, &past, 1, &now, shares);
    assert_true(shares[0] == 1);
    fw_arena_free(arena);
}

/* What all blocks load stays in L1 from block to block; what is a block's own does not. */
static void common_data_are_loaded_by_the_first(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_forms forms = copy_of(arena, 8192);
    struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64, .multiprocessors = 64};
    struct fw_volumes volumes;
    (void)state;
    caches.l1_bytes = 131072;
    caches.l2_bytes = 6291456;
    caches.resident_blocks = 8;
    forms.at[0].block[0] = 0;
    fw_volumes_find(&volumes, arena, &forms, &caches);
    assert_true(fabs(volumes.l2_to_l1.bytes - 8.0 * 256 * 64) < 1);
    caches.l1_bytes = 4096; /* eight blocks' loads do not fit */
    fw_volumes_find(&volumes, arena, &forms, &caches);
    assert_true(volumes.l2_to_l1.bytes > 0.9 * 8.0 * 256 * 8192);
    fw_arena_free(arena);
}

/* Rows of 256 blocks that load the same: 128 apart, two of them are on each of 128 multiprocessors.
 */
static void residents_load_for_each_other(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_forms forms = copy_of(arena, 256);
    struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64, .multiprocessors = 128};
    struct fw_volumes volumes;
    (void)state;
    forms.grid[1] = 32;
    forms.at[0].block[0] = 0;
    forms.at[0].block[1] = 8 * 256;
    forms.at[0].high[1] = forms.at[1].high[1] = 32;
    forms.at[0].loops = 1;
    forms.at[0].trips[0] = 4;
    forms.at[0].stride[0] = 8 * 256 * 32;
    forms.at[0].end = 1;
    caches.l1_bytes = 131072;
    caches.l2_bytes = 6291456;
    caches.resident_blocks = 4;
    fw_volumes_find(&volumes, arena, &forms, &caches);
    const double each = 4 * 8.0 * 256 * 256 * 32, first_wave = 512 / 8192.0;
    assert_true(fabs(volumes.l2_to_l1.bytes - each * (1 - first_wave / 2)) < 1);
    caches.resident_blocks = 1;
    fw_volumes_find(&volumes, arena, &forms, &caches);
    assert_true(fabs(volumes.l2_to_l1.bytes - each) < 1);
    /* Sixteen blocks beside each other load the same in the same turn; with a barrier in it. */
    for (uint32_t i = 0; i < FW_MERGED_POINTS; i++) {
        caches.merged[0][i] = pow(2, -(double)i);
        caches.merged[1][i] = 1 - 0.1 * i;
    }
    fw_volumes_find(&volumes, arena, &forms, &caches);
    assert_true(fabs(volumes.l2_to_l1.bytes - each / 16) < 1);
    caches.loop_waits = true;
    fw_volumes_find(&volumes, arena, &forms, &caches);
    assert_true(fabs(volumes.l2_to_l1.bytes - each * 0.6) < 1);
    forms.at[0].loops = 0;
    fw_volumes_find(&volumes, arena, &forms, &caches);
    assert_true(fabs(volumes.l2_to_l1.bytes - each / 4) < 1);
    fw_arena_free(arena);
}

/* Rows as long as their stride, in steps below a sector: what the step before brought is there. */
static void a_loop_finds_its_sectors_again(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_forms forms = {.arrays = 1, .count = 1, .grid = {1, 256, 1}, .block = {16, 16, 1}};
    struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64, .multiprocessors = 16};
    struct fw_form form = {.bytes = 4, .direction = FW_LOAD, .thread = {0, 2048, 0}};
    struct fw_volumes volumes;
    (void)state;
    form.block[1] = 16 * 2048;
    form.high[0] = 16;
    form.high[1] = 4096;
    form.high[2] = 1;
    form.loops = 1;
    form.stride[0] = 4;
    form.trips[0] = 512;
    form.share = form.times = form.end = 1;
    forms.at = &form;
    caches.l1_bytes = 65536;
    caches.l2_bytes = 6291456;
    caches.resident_blocks = 8;
    fw_volumes_find(&volumes, arena, &forms, &caches);
    assert_true(fabs(volumes.l2_to_l1.bytes - 4096.0 * 2048) < 1);
    caches.l1_bytes = 2048; /* the lines of one step do not fit: each brings its sector again */
    fw_volumes_find(&volumes, arena, &forms, &caches);
    assert_true(volumes.l2_to_l1.bytes > 6 * 4096.0 * 2048);
    fw_arena_free(arena);
}

/* Thread t below 32 with floor((1 - t) / 32) >= 0 is t <= 1; a loop to t + 8 k < 10 runs twice for
 * t < 2 alone. */
/* Two rows of blocks store the halves of the same sectors, `apart` blocks of 256 threads from each
 * other in launch order (as share_part_2 in data/h200/traffic): 4 KiB of lines a block. */
static struct fw_volumes halves(struct fw_arena *arena, uint32_t apart, struct fw_caches *caches)
{
    struct fw_forms forms = {.count = 1, .arrays = 1, .grid = {apart, 2, 7}};
    struct fw_volumes volumes;
    forms.block[0] = 2;
    forms.block[1] = 128;
    forms.block[2] = 1;
    forms.at = FW_NEW(arena, struct fw_form);
    *forms.at =
        (struct fw_form){.bytes = 8, .direction = FW_STORE, .end = 1, .share = 1, .times = 1};
    forms.at->thread[0] = 8;
    forms.at->thread[1] = 32;
    forms.at->block[0] = 4096;
    forms.at->block[1] = 16;
    forms.at->block[2] = (int64_t)apart * 4096;
    for (uint32_t d = 0; d < 3; d++)
        forms.at->high[d] = (int64_t)forms.grid[d] * forms.block[d];
    fw_volumes_find(&volumes, arena, &forms, caches);
    return volumes;
}

static void parts_of_sectors_are_sent_early(void **state)
{
    /* What an H200 wrote beyond each sector once: 0, 0.09, 0.71, 0.83. */
    static const struct {
        uint32_t apart;
        double low, high;
    } cases[] = {{256, 0, 0.01}, {2048, 0.05, 0.2}, {4096, 0.6, 0.85}, {8192, 0.8, 1}};
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64, .multiprocessors = 132};
    (void)state;
    caches.l1_bytes = 2e5;
    caches.l2_bytes = 4.2e7;
    caches.resident_blocks = 2;
    caches.collects = 1.5e7;
    caches.collects_forgetting = 3;
    caches.blocks_apart = 1.5;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fw_volumes volumes = halves(arena, cases[i].apart, &caches);
        double share = volumes.sent_early / volumes.once_written;
        printf("%u apart: %.3f\n", cases[i].apart, share);
        assert_true(share >= cases[i].low && share <= cases[i].high);
        assert_true(volumes.fill_read >= volumes.sent_early);
    }
    caches.collects = 0;
    assert_true(halves(arena, 4096, &caches).sent_early == 0);
    fw_arena_free(arena);
}

/* Two fields of a structure of four are stored one after the other. */
static void stores_of_a_warp_merge(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_forms forms = copy_of(arena, 64);
    struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64, .multiprocessors = 128};
    struct fw_volumes volumes;
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        forms.at[i].direction = FW_STORE;
        forms.at[i].array = 0;
        forms.at[i].base = 8 * i;
        forms.at[i].block[0] = 32 * 256;
        forms.at[i].thread[0] = 32;
    }
    caches.l1_bytes = 131072;
    caches.l2_bytes = 6291456;
    caches.resident_blocks = 4;
    const double sectors = 32.0 * 256 * 64;
    fw_volumes_find(&volumes, arena, &forms, &caches);
    assert_true(fabs(volumes.l1_to_l2 - sectors) < 1);
    caches.stored_bytes = 2 * sectors;
    caches.lines_a_store = 8;
    caches.store_merge_lines = 8;
    fw_volumes_find(&volumes, arena, &forms, &caches);
    assert_true(fabs(volumes.l1_to_l2 - sectors * (2 - exp(-1))) < 1);
    caches.lines_a_store = 1;
    fw_volumes_find(&volumes, arena, &forms, &caches);
    assert_true(fabs(volumes.l1_to_l2 / sectors - 1) < 1e-4);
    /* In different turns of a loop they do not meet. */
    for (uint32_t i = 0; i < 2; i++) {
        forms.at[i].loops = 1;
        forms.at[i].trips[0] = 16;
        forms.at[i].stride[0] = 0;
        forms.at[i].begin = 0.5 * i;
        forms.at[i].end = 0.5 + 0.5 * i;
    }
    caches.stored_bytes = 0;
    fw_volumes_find(&volumes, arena, &forms, &caches);
    assert_true(fabs(volumes.l1_to_l2 - 32 * sectors) < 1);
    fw_arena_free(arena);
}

/* 2 MB that two rows of blocks read one after the other, in an L2 that holds 1.5 MB, or 3 for loads
 * alone. */
static void loads_alone_have_more_of_l2(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_forms forms = copy_of(arena, 1024);
    struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64, .multiprocessors = 8};
    struct fw_volumes volumes;
    const double bytes = 8.0 * 256 * 1024;
    (void)state;
    forms.grid[1] = 2;
    forms.at[0].high[1] = 2;
    forms.count = 1;
    caches.l1_bytes = 131072;
    caches.l2_bytes = 1.5e6;
    caches.resident_blocks = 1;
    fw_volumes_find(&volumes, arena, &forms, &caches);
    assert_true(volumes.dram_read.bytes > 1.9 * bytes);
    caches.l2_loads_bytes = 3e6;
    fw_volumes_find(&volumes, arena, &forms, &caches);
    assert_true(volumes.dram_read.bytes < 1.1 * bytes);
    fw_arena_free(arena);
}

static void shapes_become_boxes(void **state)
{
    struct fw_shape shape = {.variables = 3, .row_count = 4, .linear = true}, at;
    (void)state;
    memset(shape.launch_variable, -1, sizeof(shape.launch_variable));
    shape.launch_variable[3] = 0;
    shape.loop_of[0] = shape.loop_of[1] = FW_NONE;
    shape.high[0] = 31;
    shape.quotient[1] = true;
    shape.low[1] = -1;
    shape.high[2] = 1;
    shape.coefficient[2] = 64;
    shape.rows[0].constant = 1; /* 1 - t - 32 q >= 0 */
    shape.rows[0].coefficient[0] = -1;
    shape.rows[0].coefficient[1] = -32;
    shape.rows[0].definition = true;
    shape.rows[1].constant = 30; /* 30 + t + 32 q >= 0 */
    shape.rows[1].coefficient[0] = 1;
    shape.rows[1].coefficient[1] = 32;
    shape.rows[1].definition = true;
    shape.rows[2].coefficient[1] = 1; /* q >= 0 */
    shape.rows[3].constant = 9;       /* 9 - t - 8 k >= 0 */
    shape.rows[3].coefficient[0] = -1;
    shape.rows[3].coefficient[2] = -8;
    struct fw_shape whole = shape;
    whole.row_count = 4;
    whole.rows[2] = whole.rows[3]; /* without the condition on the floor */
    whole.row_count = 3;
    fw_shape_narrow(&shape);
    assert_int_equal(shape.high[0], 1);
    assert_int_equal(fw_shape_uneven(&whole, 9), 2);
    assert_true(fw_shape_at(&at, &whole, 2, 0));
    assert_int_equal(at.high[0], 9);
    assert_int_equal(at.constant, 0);
    assert_true(fw_shape_at(&at, &whole, 2, 1));
    assert_int_equal(at.high[0], 1);
    assert_int_equal(at.constant, 64);
    whole.rows[2].constant = 7;
    assert_false(fw_shape_at(&at, &whole, 2, 1)); /* nothing is left */
}

/* 127 - 16 y - x >= 0 with x below 16 and y below 32 is y below 8; with 126 the row stays. */
static void conditions_on_threads_are_boxes(void **state)
{
    (void)state;
    for (int64_t most = 127; most >= 126; most--) {
        struct fw_shape shape = {.variables = 2, .row_count = 1, .linear = true};
        memset(shape.launch_variable, -1, sizeof(shape.launch_variable));
        shape.launch_variable[3] = 0;
        shape.launch_variable[4] = 1;
        shape.loop_of[0] = shape.loop_of[1] = FW_NONE;
        shape.high[0] = 15;
        shape.high[1] = 31;
        shape.rows[0].constant = most;
        shape.rows[0].coefficient[0] = -1;
        shape.rows[0].coefficient[1] = -16;
        fw_shape_tighten(&shape);
        assert_int_equal(shape.high[1], 7);
        assert_int_equal(shape.high[0], 15);
        assert_int_equal(shape.row_count, most == 127 ? 0 : 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unions_of_boxes_are_counted),
        cmocka_unit_test(footprints_are_those_of_every_thread),
        cmocka_unit_test(warps_ask_for_what_their_lanes_touch),
        cmocka_unit_test(a_copy_moves_each_byte_once_unless_it_fits),
        cmocka_unit_test(wavefronts_are_those_of_the_counters),
        cmocka_unit_test(stores_merge_within_a_turn),
        cmocka_unit_test(forms_alike_are_counted_each),
        cmocka_unit_test(fresh_is_what_the_past_lacks),
        cmocka_unit_test(common_data_are_loaded_by_the_first),
        cmocka_unit_test(residents_load_for_each_other),
        cmocka_unit_test(a_loop_finds_its_sectors_again),
        cmocka_unit_test(parts_of_sectors_are_sent_early),
        cmocka_unit_test(stores_of_a_warp_merge),
        cmocka_unit_test(loads_alone_have_more_of_l2),
        cmocka_unit_test(shapes_become_boxes),
        cmocka_unit_test(conditions_on_threads_are_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
