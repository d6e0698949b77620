/* Split sectors: blocks of 16 columns on rows of several lengths, against a walk over all words;
 * and what rows that join cost device memory. */
#include "dram_service.h"
#include "split_sectors.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WIDTH = 16, HEIGHT = 6, BLOCKS = 64, WORDS = 8 };

/* Of the parts of sectors that warps store while another stores the rest: how many share it with a
 * warp of the same block, and with another block. */
static void walk(double parts[2], int64_t pitch)
{
    int64_t words = pitch * HEIGHT * BLOCKS, sectors = words / WORDS + 1;
    int *warp = malloc((size_t)(sectors * WORDS) * sizeof *warp);
    for (int64_t w = 0; w < sectors * WORDS; w++)
        warp[w] = -1;
    for (int b = 0; b < BLOCKS; b++)
        for (int t = 0; t < WIDTH * HEIGHT; t++)
            warp[(b * HEIGHT + t / WIDTH) * pitch + t % WIDTH] = b * (WIDTH * HEIGHT / 32) + t / 32;
    parts[0] = parts[1] = 0;
    for (int64_t s = 0; s < sectors; s++) {
        int first = -1, last = -1;
        for (int64_t w = s * WORDS; w < (s + 1) * WORDS; w++) {
            first = first < 0 ? warp[w] : first;
            last = warp[w] < 0 ? last : warp[w];
        }
        bool of_block = first / (WIDTH * HEIGHT / 32) == last / (WIDTH * HEIGHT / 32);
        if (first != last)
            parts[!of_block] += 2;
    }
    free(warp);
}

static void rows_of_a_block_are_its_own(void **state)
{
    (void)state;
    for (int64_t pitch = WIDTH; pitch < WIDTH + 9; pitch++) {
        struct fw_affine_accesses accesses = {
            .arrays = 1, .count = 1, .grid = {BLOCKS, 1, 1}, .block = {WIDTH, HEIGHT, 1}};
        struct fw_affine_access access = {.bytes = 4, .direction = FW_STORE};
        double parts[2];
        int64_t gap;
        access.thread_stride[0] = 4;
        access.thread_stride[1] = 4 * pitch;
        access.block_stride[0] = 4 * pitch * HEIGHT;
        access.high[0] = WIDTH * BLOCKS;
        access.high[1] = HEIGHT;
        access.high[2] = 1;
        access.active_share = access.repeats = access.end = 1;
        accesses.at = &access;
        walk(parts, pitch);
        struct fw_split_sectors split = fw_split_sectors_find(&accesses, NULL, 32, 32, 32);
        print_message("rows of %ld: %g within, %g across; counted %g, %g\n", (long)pitch,
                      split.within_block, split.across_blocks, parts[0], parts[1]);
        double all = WIDTH * HEIGHT * BLOCKS / 16.0; /* two parts of each row's sectors */
        assert_true(fabs(split.within_block - parts[0]) < 0.06 * all);
        assert_true(fabs(split.across_blocks - parts[1]) < 0.06 * all);
        assert_true(fw_rows_join(&access, &accesses, 32, &gap) == (pitch < WIDTH + 8));
        access.loops = 1; /* in a loop the second part comes late */
        access.trips[0] = 4;
        access.loop_stride[0] = 4096 * 4096;
        split = fw_split_sectors_find(&accesses, NULL, 32, 32, 32);
        assert_true(fabs(split.late - 4 * (parts[0] + parts[1])) < 4 * 0.1 * all);
    }
}

/* A row of blocks whose rows are longer: the next row is another block's. */
static void rows_of_a_grid_are_shared_by_its_blocks(void **state)
{
    struct fw_affine_accesses accesses = {
        .arrays = 1, .count = 1, .grid = {BLOCKS, 1, 1}, .block = {WIDTH, HEIGHT, 1}};
    struct fw_affine_access access = {.bytes = 4, .direction = FW_STORE};
    (void)state;
    access.thread_stride[0] = 4;
    access.thread_stride[1] = 4 * (WIDTH * BLOCKS + 1);
    access.block_stride[0] = 4 * WIDTH;
    access.high[0] = WIDTH * BLOCKS;
    access.high[1] = HEIGHT;
    access.high[2] = 1;
    access.active_share = access.repeats = access.end = 1;
    accesses.at = &access;
    struct fw_split_sectors split = fw_split_sectors_find(&accesses, NULL, 32, 32, 32);
    const double misaligned = 2 * (HEIGHT - 1.0) * BLOCKS; /* all rows but the first */
    assert_true(fabs(split.across_blocks / misaligned - 1) < 0.05);
    accesses.grid[0] = 1; /* nobody stores the rest */
    access.high[0] = WIDTH;
    split = fw_split_sectors_find(&accesses, NULL, 32, 32, 32);
    assert_true(fabs(split.across_blocks) + fabs(split.within_block) < 1e-9);
}

static struct fw_affine_access row_access(enum fw_direction direction, int64_t width, int64_t rows)
{
    struct fw_affine_access access = {.bytes = 4, .direction = direction};
    access.array = direction != FW_LOAD;
    access.thread_stride[0] = 4;
    access.thread_stride[1] = rows > 1 ? 4 * width : 0;
    access.block_stride[0] = 4 * width * rows;
    access.high[0] = width * BLOCKS;
    access.high[1] = rows;
    access.high[2] = 1;
    access.active_share = access.repeats = access.end = 1;
    return access;
}

/* A block of 16 on rows of 16 moves what a block of one row moves. */
static void rows_that_join_are_one_segment(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_device *device = NULL;
    struct fw_dram_service service[3];
    double shares[3] = {1, 0, 1};
    struct fw_volumes volumes = {.l2_miss_share = shares};
    struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64, .multiprocessors = 132};
    (void)state;
    const char *profile =
        fw_arena_printf(arena, "%s/profiles/h200.json", getenv("FOREWARP_SOURCE"));
    assert_int_equal(fw_device_read(&device, arena, profile, NULL), FW_OK);
    volumes.dram_read.bytes = volumes.dram_write.bytes = 1e9;
    for (int which = 0; which < 3; which++) {
        int64_t rows = which == 0 ? 1 : HEIGHT, width = which == 0 ? WIDTH * HEIGHT : WIDTH;
        struct fw_affine_access at[3] = {row_access(FW_LOAD, width, rows),
                                         row_access(FW_STORE, width, rows)};
        struct fw_affine_accesses accesses = {.at = at,
                                              .arrays = 2,
                                              .count = which == 2 ? 3 : 2,
                                              .grid = {BLOCKS, 1, 1},
                                              .block = {(uint32_t)width, (uint32_t)rows, 1}};
        at[2] = at[0]; /* one element of a row: short, but few bytes */
        at[2].thread_stride[0] = 256;
        at[2].high[0] = 1;
        assert_true(fw_dram_service(&service[which], &accesses, NULL, &caches, &volumes, NULL, 1e9,
                                    device));
        print_message("%g s reading, %g s writing\n", service[which].reads, service[which].writes);
    }
    assert_true(fabs(service[1].reads / service[0].reads - 1) < 1e-6);
    assert_true(fabs(service[1].writes / service[0].writes - 1) < 1e-6);
    assert_true(fabs(service[2].reads / service[0].reads - 1) < 0.01);
    fw_arena_free(arena);
}

/* Seconds in which 1 GB each way goes by accesses of a warp's 32 floats, so many of one row,
 * `apart` bytes from one another; each block has a row of its own. */
static struct fw_dram_service along_a_row(const struct fw_device *device, uint32_t count,
                                          int64_t apart)
{
    enum { MOST = 32 };
    struct fw_affine_access at[2 * MOST];
    double shares[2 * MOST];
    struct fw_volumes volumes = {
        .l2_miss_share = shares, .dram_read = {.bytes = 1e9}, .dram_write = {.bytes = 1e9}};
    struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64, .multiprocessors = 132};
    struct fw_affine_accesses accesses = {
        .at = at, .arrays = 2, .count = 2 * count, .grid = {BLOCKS, 1, 1}, .block = {32, 1, 1}};
    struct fw_dram_service service;
    for (uint32_t i = 0; i < 2 * count; i++) {
        at[i] = row_access(i % 2 ? FW_STORE : FW_LOAD, 32, 1);
        at[i].base = i / 2 * apart;
        at[i].block_stride[0] = 65536;
        shares[i] = 1;
    }
    assert_true(fw_dram_service(&service, &accesses, NULL, &caches, &volumes, NULL, 1e9, device));
    return service;
}

/* What an unrolled loop moves along a row is one segment; rows that lie apart are not. */
static void accesses_that_go_on_are_one_segment(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_device *device = NULL;
    (void)state;
    const char *profile =
        fw_arena_printf(arena, "%s/profiles/h200.json", getenv("FOREWARP_SOURCE"));
    assert_int_equal(fw_device_read(&device, arena, profile, NULL), FW_OK);
    struct fw_dram_service one = along_a_row(device, 1, 128), all = along_a_row(device, 32, 128),
                           apart = along_a_row(device, 32, 1024);
    print_message("%g and %g s reading, %g and %g s writing\n", all.reads, apart.reads, all.writes,
                  apart.writes);
    assert_true(all.reads < 0.98 * apart.reads && all.writes < 0.75 * apart.writes);
    assert_true(fabs(apart.reads / one.reads - 1) < 1e-6);
    fw_arena_free(arena);
}

/* A march down rows that begin on a sector but within a line, from one array to another or in
 * place. */
static struct fw_split_sectors march(bool in_place, uint32_t granule)
{
    struct fw_affine_access at[2] = {row_access(FW_LOAD, 256, 1), row_access(FW_STORE, 256, 1)};
    struct fw_affine_accesses accesses = {
        .at = at, .arrays = 2, .count = 2, .grid = {BLOCKS, 1, 1}, .block = {256, 1, 1}};
    at[1].array = in_place ? at[0].array : 1;
    for (int i = 0; i < 2; i++) {
        at[i].loops = 1;
        at[i].trips[0] = 32;
        at[i].loop_stride[0] = 4 * (256 * BLOCKS + 8);
    }
    return fw_split_sectors_find(&accesses, NULL, 32, granule, 32);
}

static void lines_are_split_in_place(void **state)
{
    (void)state;
    struct fw_split_sectors apart = march(false, 128), place = march(true, 128);
    struct fw_split_sectors sectors = march(true, 32);
    double warps = 256 / 32 * BLOCKS * 32.0;
    assert_true(apart.late + apart.late_in_place < 1e-9);
    assert_true(sectors.late + sectors.late_in_place < 1e-9);
    assert_true(fabs(place.late_in_place / (2 * warps * 3 / 4) - 1) < 1e-6); /* 3 of 4 rows */
}

/* Half a line a warp, in place: of one array, and then of another, whose loads wait for the stores
 * before.  The first stores come as soon as those of a kernel that stores once. */
static void stores_are_late_behind_loads_that_wait(void **state)
{
    (void)state;
    struct fw_affine_access at[4];
    struct fw_load_order order[4] = {{.base = 1}, {.base = 1}, {.base = 2}, {.base = 2}};
    struct fw_affine_accesses accesses = {
        .at = at, .arrays = 2, .count = 4, .grid = {BLOCKS, 1, 1}, .block = {64, 1, 1}};
    for (uint32_t i = 0; i < 4; i++) {
        at[i] = row_access(i % 2 ? FW_STORE : FW_LOAD, 64, 1);
        at[i].array = i / 2;
        at[i].bytes = 2;
        at[i].thread_stride[0] = 2;
        at[i].block_stride[0] = 128;
    }
    struct fw_split_sectors split = fw_split_sectors_find(&accesses, order, 32, 128, 32);
    assert_true(fabs(split.late_in_place - 2 * BLOCKS) < 1e-9);
    accesses.count = 2;
    struct fw_split_sectors once = fw_split_sectors_find(&accesses, order, 32, 128, 32);
    assert_true(once.late_in_place < 1e-9 && once.within_block > 0);
    assert_true(fabs(split.within_block / once.within_block - sqrt(2)) < 1e-9); /* two stores */
}

/* Blocks of 32 numbers of a byte behind a scale of two bytes, a lane 4 numbers: a warp has 4 of
 * them, and the block's next warp goes on where it ends. */
static void digits_go_on_in_the_next_row(void **state)
{
    enum { RECORD = 34, RECORDS = 4 };
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_device *device = NULL;
    struct fw_affine_access at[2] = {row_access(FW_LOAD, 32, 1), row_access(FW_LOAD, 32, 1)};
    struct fw_affine_accesses accesses = {
        .at = at, .arrays = 1, .count = 2, .grid = {BLOCKS, 1, 1}, .block = {32, 4, 1}};
    double shares[2] = {1, 1}, rate;
    struct fw_volumes volumes = {.l2_miss_share = shares, .dram_read = {.bytes = 1e9}};
    struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64, .multiprocessors = 132};
    struct fw_dram_service service;
    (void)state;
    const char *profile =
        fw_arena_printf(arena, "%s/profiles/h200.json", getenv("FOREWARP_SOURCE"));
    assert_int_equal(fw_device_read(&device, arena, profile, NULL), FW_OK);
    assert_true(fw_device_figure(device, FW_FIGURE_DRAM_READ_BANDWIDTH, &rate));
    for (int i = 0; i < 2; i++) {
        at[i].array = 0;
        at[i].base = i ? 0 : 2; /* the numbers, and the scale */
        at[i].bytes = i ? 2 : 4;
        at[i].thread_stride[0] = i ? 0 : 4;
        at[i].thread_stride[1] = RECORDS * RECORD;
        at[i].block_stride[0] = 4 * RECORDS * RECORD;
        at[i].high[1] = 4;
        at[i].floor_count = 1;
        at[i].floors[0] =
            (struct fw_affine_floor){FW_FLOOR_OF_THREAD, 0, 8, 0, i ? RECORD : RECORD - 8 * 4};
    }
    assert_true(fw_dram_service(&service, &accesses, NULL, &caches, &volumes, NULL, 0, device));
    print_message("%g of the time of a stream\n", service.reads * rate / 1e9);
    assert_true(service.reads * rate / 1e9 < 1.03); /* rows begin within a line */
    fw_arena_free(arena);
}

/* What writing takes beyond its bytes, of rows that begin within a sector, in a loop. */
static double late_seconds(const struct fw_device *device, double wave_blocks)
{
    double share = 1;
    struct fw_affine_access store = row_access(FW_STORE, 256, 1), even;
    struct fw_affine_accesses accesses = {
        .at = &store, .arrays = 2, .count = 1, .grid = {BLOCKS, 1, 1}, .block = {256, 1, 1}};
    struct fw_caches caches = {
        .sector = 32, .line = 128, .fetch = 64, .multiprocessors = 132, .whole_l2_bytes = 6e7};
    struct fw_volumes volumes = {
        .l2_miss_share = &share, .write_footprint = 1e9, .wave_blocks = wave_blocks};
    struct fw_dram_service off, on;
    volumes.dram_write.bytes = 1e9;
    store.loops = 1;
    store.trips[0] = 4096;
    store.loop_stride[0] = 4 * (256 * BLOCKS + 1);
    even = store;
    even.loop_stride[0] = 4 * 256 * BLOCKS;
    assert_true(fw_dram_service(&off, &accesses, NULL, &caches, &volumes, NULL, 1e9, device));
    accesses.at = &even;
    assert_true(fw_dram_service(&on, &accesses, NULL, &caches, &volumes, NULL, 1e9, device));
    return off.writes - on.writes;
}

/* Blocks of a loop drift apart with what they store: less of a wave, fewer late sectors. */
static void waves_that_store_less_split_less(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_device *device = NULL;
    (void)state;
    const char *profile =
        fw_arena_printf(arena, "%s/profiles/h200.json", getenv("FOREWARP_SOURCE"));
    assert_int_equal(fw_device_read(&device, arena, profile, NULL), FW_OK);
    double whole = late_seconds(device, BLOCKS), eighth = late_seconds(device, BLOCKS / 8.0);
    double reach = 0;
    assert_true(fw_device_figure(device, FW_FIGURE_DRAM_SHARED_REACH, &reach));
    double expected = expm1(-1e9 / 8 / (reach * 6e7)) / expm1(-1e9 / (reach * 6e7));
    assert_true(whole > 0 && fabs(eighth / whole / expected - 1) < 1e-6);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_of_a_block_are_its_own),
                                       cmocka_unit_test(rows_of_a_grid_are_shared_by_its_blocks),
                                       cmocka_unit_test(rows_that_join_are_one_segment),
                                       cmocka_unit_test(accesses_that_go_on_are_one_segment),
                                       cmocka_unit_test(lines_are_split_in_place),
                                       cmocka_unit_test(stores_are_late_behind_loads_that_wait),
                                       cmocka_unit_test(digits_go_on_in_the_next_row),
                                       cmocka_unit_test(waves_that_store_less_split_less)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
