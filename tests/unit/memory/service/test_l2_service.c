/* What stores count as in L2, against what an H200 takes for them. */
#include "l2_service.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* Seconds of a warp's store to so many lines and sectors, each filled in part. */
static double seconds(const struct fw_device *device, double lines, double sectors)
{
    const struct fw_l2_stores stores = {sectors, lines, sectors};
    double rate = 0;
    assert_true(fw_device_figure(device, FW_FIGURE_L2_BANDWIDTH, &rate));
    return fw_l2_store_bytes(&stores, 32, 128, device) / rate;
}

static double distinct(double all, double draws)
{
    return all * (1 - pow(1 - 1 / all, draws));
}

/* One sector a line, four, and lanes that draw one of 8, 16 or 32 lines (local in
 * data/h200/sectors, 8192 regions, 4224 blocks). */
static void lines_and_their_sectors_take_time(void **state)
{
    static const double measured[][2] = {{8, 1 / 5.18e9}, {16, 1 / 3.38e9}, {32, 1 / 2.88e9}};
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_device *device = NULL;
    (void)state;
    const char *profile =
        fw_arena_printf(arena, "%s/profiles/h200.json", getenv("FOREWARP_SOURCE"));
    assert_int_equal(fw_device_read(&device, arena, profile, NULL), FW_OK);
    assert_true(fabs(seconds(device, 1, 1) * 76e9 - 1) < 0.01);
    assert_true(fabs(seconds(device, 1, 4) * 119e9 / 4 - 1) < 0.01);
    for (size_t i = 0; i < sizeof(measured) / sizeof(measured[0]); i++) {
        double lines = distinct(measured[i][0], 32), sectors = 4 * distinct(measured[i][0], 8);
        double ratio = seconds(device, lines, sectors) / measured[i][1];
        print_message("%g lines, %g sectors: %g of the time\n", lines, sectors, ratio);
        assert_true(fabs(ratio - 1) < 0.12);
    }
    const struct fw_l2_stores whole = {4, 1, 0};
    assert_true(fabs(fw_l2_store_bytes(&whole, 32, 128, device) / 128 - 1) < 1e-9);
    fw_arena_free(arena);
}

/* Seconds of L2 for the stores of 1024 warps, whose lanes have so many numbers of 16 bytes side by
 * side, an instruction each. */
static double seconds_of_numbers(const struct fw_device *device, uint32_t numbers,
                                 double store_share)
{
    enum { WARPS = 1024, MOST = 2 };
    struct fw_affine_access at[MOST];
    struct fw_affine_accesses accesses = {
        .at = at, .arrays = 1, .count = numbers, .grid = {WARPS, 1, 1}, .block = {32, 1, 1}};
    struct fw_requests requests = {.store_sectors = 32.0 * WARPS * numbers,
                                   .store_lines = 4.0 * numbers * WARPS * numbers,
                                   .partial_store_sectors =
                                       numbers > 1 ? 32.0 * WARPS * numbers : 0};
    struct fw_caches caches = {.sector = 32,
                               .line = 128,
                               .store_merge_lines = 8,
                               .lines_per_store = 4.0 * numbers,
                               .store_share = store_share,
                               .requested_store_bytes = 32.0 * requests.store_sectors};
    const double all = 512.0 * WARPS * numbers;
    for (uint32_t i = 0; i < numbers; i++) {
        at[i] = (struct fw_affine_access){
            .bytes = 16, .direction = FW_STORE, .active_share = 1, .repeats = 1, .end = 1};
        at[i].base = 16 * i;
        at[i].thread_stride[0] = 16 * (int64_t)numbers;
        at[i].block_stride[0] = 512 * (int64_t)numbers;
        at[i].high[0] = 32 * WARPS;
        at[i].high[1] = at[i].high[2] = 1;
    }
    const struct fw_l2_work work = {
        .requests = &requests,
        .accesses = &accesses,
        .caches = &caches,
        .l1_to_l2 = numbers == 1 ? all
                                 : all + (caches.requested_store_bytes - all) *
                                             fw_caches_scattered_stores(&caches)};
    struct fw_l2_service service;
    double rate = 0;
    assert_true(fw_device_figure(device, FW_FIGURE_L2_BANDWIDTH, &rate));
    fw_l2_service_find(&service, &work, device);
    return service.stores / rate;
}

/* What L1 merges reaches L2 whole: stores of half sectors that all merge take twice what stores of
 * half as much take, and more where they do not. */
static void merged_sectors_are_whole(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_device *device = NULL;
    (void)state;
    const char *profile =
        fw_arena_printf(arena, "%s/profiles/h200.json", getenv("FOREWARP_SOURCE"));
    assert_int_equal(fw_device_read(&device, arena, profile, NULL), FW_OK);
    double one = seconds_of_numbers(device, 1, 1), merged = seconds_of_numbers(device, 2, 0.1),
           apart = seconds_of_numbers(device, 2, 1);
    print_message("%g of the time merged, %g apart\n", merged / (2 * one), apart / (2 * one));
    assert_true(merged / (2 * one) < 1.2 && apart / (2 * one) > 1.5);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_and_their_sectors_take_time),
                                       cmocka_unit_test(merged_sectors_are_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
