/* Service times of device memory that can be told by hand. */
#include "dram_service.h"

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
    "{" FIGURE("dram_copy_bandwidth", "1e12", "bytes/s") "," FIGURE("dram_piece_apart", "240",
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
    assert_true(fw_dram_service(&service, &accesses, NULL, &caches, &volumes, 1e9, device));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_skewed_segments_are_written_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
