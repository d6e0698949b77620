/* Where in L2 loads find their data, and how long they wait for them. */
#include "l2_latency.h"

#include "figure.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* `walk` in data/h200/near, without the 38 cycles of its loop: the same multiprocessors walk over
 * 44 MB as fast as over 1 MB; others find 28 MB near, and of more a part in the far partition. */
static void loads_find_near_what_was_loaded_before(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_device *device = NULL;
    struct fw_volumes volumes = {.write_footprint = 0};
    enum fw_figure missing;
    struct fw_caches caches;
    const char *path = fw_arena_printf(arena, "%s/profiles/h200.json", getenv("FOREWARP_SOURCE"));
    (void)state;
    assert_int_equal(fw_device_read(&device, arena, path, NULL), FW_OK);
    assert_true(fw_caches_of(&caches, device, 0, 16, &missing));
    volumes.read_footprint = 1e6;
    double near = fw_l2_latency(device, &caches, &volumes, 1e5);
    double one_wave = fw_l2_latency(device, &caches, &volumes, 264);
    assert_true(fabs(near - 279.4) < 1);
    assert_true(one_wave > near && one_wave < 306); /* it waits for its last multiprocessor */
    volumes.read_footprint = 44e6;
    assert_true(fabs(fw_l2_latency(device, &caches, &volumes, 264) - one_wave) < 1e-6);
    double apart = fw_l2_latency(device, &caches, &volumes, 1e5);
    assert_true(apart > near + 10 && apart < fw_l2_latency_anywhere(device));
    volumes.read_footprint = 28e6;
    assert_true(fabs(fw_l2_latency(device, &caches, &volumes, 1e5) - near) < 1e-6);
    assert_true(fabs(fw_l2_latency_anywhere(device) - (279.435 + 444.435) / 2) < 0.01);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loads_find_near_what_was_loaded_before)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
