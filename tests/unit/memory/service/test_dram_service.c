/* Service times of device memory that can be told by hand. */
#include "dram_service.h"
#include "lone_pieces.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define FIGURE(name, value, unit)                                                                  \
    "\"" name "\":{\"value\":" value ",\"unit\":\"" unit "\",\"source\":\"spec\"}"

static const char *const profile =
    "{\"forewarp_profile\": 1, \"name\": \"made-up\", \"title\": \"Made up\", \"figures\": "
    "{" FIGURE("dram_copy_bandwidth", "1e12", "bytes/s") "," FIGURE(
        "dram_piece_apart", "240",
        "bytes") "," FIGURE("dram_lone_read", "100",
                            "bytes") "," FIGURE("dram_lone_write", "130",
                                                "bytes") "," FIGURE("dram_piece_store", "9.5",
                                                                    "bytes") "}}";

/* Seconds in which 1 GB is written by blocks of `width` by `width` floats, each of which stores
 * what follows its rows in memory a row of the grid later. */
static double turned(const struct fw_device *device, uint32_t width, double eviction_bytes)
{
    struct fw_affine_access store = {
        .direction = FW_STORE, .bytes = 4, .active_share = 1, .repeats = 1};
    struct fw_affine_accesses accesses = {.at = &store, .count = 1, .arrays = 1};
    struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64};
    struct fw_volumes volumes = {.dram_write = {.bytes = 1e9}};
    struct fw_dram_service service;
    int64_t pitch = 4 * 256 * (int64_t)width;
    for (uint32_t d = 0; d < 3; d++) {
        accesses.grid[d] = d < 2 ? 256 : 1;
        accesses.block[d] = d < 2 ? width : 1;
        store.high[d] = d < 2 ? 256 * (int64_t)width : 1;
    }
    store.thread_stride[0] = 4;
    store.thread_stride[1] = pitch;
    store.block_stride[0] = width * pitch;
    store.block_stride[1] = 4 * (int64_t)width;
    caches.eviction_bytes = eviction_bytes;
    caches.eviction_sharpness = 3;
    assert_true(fw_dram_service(&service, &accesses, NULL, &caches, &volumes, NULL, 1e9, device));
    return service.writes;
}

static void lines_of_skewed_segments_are_written_whole(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_device *device;
    (void)state;
    assert_int_equal(fw_device_parse(&device, arena, "made-up", profile, strlen(profile), NULL),
                     FW_OK);
    double line = 1e-3 * (1 + 240 * (2 / 3.0) / 128), half = 1e-3 * (1 + 240 * (5 / 6.0) / 64);
    assert_true(fabs(turned(device, 32, 1e7) / line - 1) < 1e-6);
    assert_true(fabs(turned(device, 16, 1e7) / line - 1) < 1e-3); /* 256 KB are stored between */
    assert_true(fabs(turned(device, 16, 1e4) / half - 1) < 1e-3);
    fw_arena_free(arena);
}

/* Random reads of 64 bytes and writes of 32, 1 GB each, beside 1 GB that streams. */
static void random_pieces_are_read_and_written_alone(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_affine_accesses none = {0};
    struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64};
    struct fw_volumes volumes = {.dram_read = {.bytes = 2e9}, .dram_write = {.bytes = 1e9}};
    struct fw_random_accesses random = {
        .dram_read = 1e9, .read_pieces = 1e9 / 64, .dram_write = 1e9, .write_pieces = 1e9 / 32};
    struct fw_dram_service alone, stream;
    struct fw_device *device;
    (void)state;
    assert_int_equal(fw_device_parse(&device, arena, "made-up", profile, strlen(profile), NULL),
                     FW_OK);
    assert_true(fw_dram_service(&stream, &none, NULL, &caches, &volumes, NULL, 0, device));
    assert_true(fw_dram_service(&alone, &none, NULL, &caches, &volumes, &random, 0, device));
    assert_true(fabs(stream.reads / 2e-3 - 1) < 1e-9 && fabs(stream.writes / 1e-3 - 1) < 1e-9);
    assert_true(fabs(alone.reads / (2e-3 + 1e-3 * 100 * 0.5 / 64) - 1) < 1e-9);
    assert_true(fabs(alone.writes / (1e-3 + 1e-3 * 130 * (1 - 32 / 192.0) / 32) - 1) < 1e-9);
    fw_arena_free(arena);
}

/* One word of each thread, `step` bytes from the next thread's, `loop` bytes in each iteration. */
static struct fw_lone_piece piece_of(enum fw_direction direction, int64_t step, int64_t loop)
{
    struct fw_affine_access access = {
        .direction = direction, .bytes = 4, .active_share = 1, .repeats = 1};
    struct fw_affine_accesses accesses = {
        .at = &access, .count = 1, .arrays = 1, .grid = {64, 1, 1}, .block = {128, 1, 1}};
    const struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64};
    access.thread_stride[0] = step;
    access.block_stride[0] = 128 * step;
    access.high[0] = 64 * 128;
    access.high[1] = access.high[2] = 1;
    access.loops = loop != 0;
    access.loop_stride[0] = loop;
    access.trips[0] = 100;
    return fw_lone_piece_of(&accesses, 0, &caches);
}

static void threads_on_rows_of_their_own_have_lone_pieces(void **state)
{
    (void)state;
    assert_true(piece_of(FW_LOAD, 200, 0).bytes == 64);
    assert_true(piece_of(FW_STORE, 200, 0).bytes == 32);
    assert_true(piece_of(FW_LOAD, 4000, 4).bytes == 64); /* fetch after fetch of a row */
    assert_true(piece_of(FW_STORE, 4000, 4).bytes == 0); /* L2 gathers the line */
    assert_true(piece_of(FW_LOAD, 4, 4000).bytes == 0);
    assert_true(piece_of(FW_LOAD, 64, 0).bytes == 0);
}

/* Who stores four bytes a block, beside 16 bytes of each thread: nobody; one thread of the block;
 * all threads, to one place; some threads, as a condition that is no box says. */
enum { ALONE, ONE_THREAD, ONE_PLACE, SOME };

/* Seconds in which 1 GB is written by blocks that also store a sum each. */
static double with_sums(const struct fw_device *device, int which)
{
    enum { GRID = 4096, BLOCK = 256 };
    struct fw_affine_access at[2] = {
        {.direction = FW_STORE, .bytes = 16, .active_share = 1, .repeats = 1}};
    struct fw_affine_accesses accesses = {.at = at,
                                          .count = which == ALONE ? 1 : 2,
                                          .arrays = 2,
                                          .grid = {GRID, 1, 1},
                                          .block = {BLOCK, 1, 1}};
    struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64};
    struct fw_volumes volumes = {.dram_write = {.bytes = 1e9}};
    struct fw_dram_service service;
    at[0].high[0] = GRID * BLOCK;
    at[0].high[1] = at[0].high[2] = 1;
    at[0].end = 1;
    at[1] = at[0];
    at[0].thread_stride[0] = 16;
    at[0].block_stride[0] = 16 * BLOCK;
    at[1].array = 1;
    at[1].bytes = 4;
    at[1].block_stride[0] = 4;
    at[1].thread_stride[0] = which == SOME ? 4 : 0;
    at[1].last[0] = which == ONE_THREAD;
    at[1].active_share = which == SOME ? 1.0 / BLOCK : 1;
    assert_true(fw_dram_service(&service, &accesses, NULL, &caches, &volumes, NULL, 0, device));
    return service.writes;
}

/* Short segments of few bytes cost little, whoever stores them. */
static void what_few_threads_store_weighs_little(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_device *device;
    (void)state;
    assert_int_equal(fw_device_parse(&device, arena, "made-up", profile, strlen(profile), NULL),
                     FW_OK);
    double alone = with_sums(device, ALONE);
    for (int which = ONE_THREAD; which <= SOME; which++) {
        double more = with_sums(device, which) / alone - 1;
        print_message("%g more\n", more);
        assert_true(more >= 0 && more < 0.005);
    }
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_skewed_segments_are_written_whole),
        cmocka_unit_test(random_pieces_are_read_and_written_alone),
        cmocka_unit_test(threads_on_rows_of_their_own_have_lone_pieces),
        cmocka_unit_test(what_few_threads_store_weighs_little)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
