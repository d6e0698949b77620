/* How long a device takes to dispatch blocks, by what kernels that do nothing take. */
#include "launch_service.h"

#include "figure.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* `empty` in data/h200/launch, blocks of 256 threads: seconds back to back, which are the host's
 * below some 2,000 blocks. */
static void empty_kernels_take_what_was_recorded(void **state)
{
    static const double recorded[][2] = {{4224, 4.03039985e-06},
                                         {8448, 6.51200025e-06},
                                         {33792, 2.17113593e-05},
                                         {135168, 8.26086471e-05}};
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_device *device = NULL;
    const char *path = fw_arena_printf(arena, "%s/profiles/h200.json", getenv("FOREWARP_SOURCE"));
    double empty;
    (void)state;
    assert_int_equal(fw_device_read(&device, arena, path, NULL), FW_OK);
    assert_true(fw_device_figure(device, FW_FIGURE_EMPTY_DURATION, &empty));
    for (size_t r = 0; r < sizeof(recorded) / sizeof(*recorded); r++) {
        double seconds = empty + fw_dispatch_seconds(device, recorded[r][0]);
        assert_true(fabs(seconds / recorded[r][1] - 1) < 0.01);
    }
    fw_arena_free(arena);
}

/* A curve that begins with what the host takes, here 4 us, and one of a single point. */
static void the_host_is_no_part_of_it(void **state)
{
    static const double points[] = {1, 4e-6, 1000, 4.1e-6, 5000, 6e-6, 105000, 106e-6};
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_device *device = FW_NEW(arena, struct fw_device);
    struct fw_figure_value *curve = &device->figures[FW_FIGURE_EMPTY_KERNEL];
    (void)state;
    assert_true(fw_dispatch_seconds(device, 100) == 0);
    *curve = (struct fw_figure_value){.known = true, .list = points, .count = 4};
    assert_true(fabs(fw_dispatch_seconds(device, 2000) - 2e-6) < 1e-12);
    assert_true(fabs(fw_dispatch_seconds(device, 1e6) - 1e-3) < 1e-9);
    curve->count = 1;
    assert_true(fw_dispatch_seconds(device, 2000) == 0);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(empty_kernels_take_what_was_recorded),
                                       cmocka_unit_test(the_host_is_no_part_of_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
