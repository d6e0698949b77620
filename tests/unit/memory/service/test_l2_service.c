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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_and_their_sectors_take_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
