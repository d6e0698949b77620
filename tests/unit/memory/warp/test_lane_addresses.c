/* Lane addresses that accesses share whose offsets differ by a constant. */
#include "lane_addresses.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { DOMAIN = 3, LANES = 4 };

static void offsets_that_differ_by_a_constant_share_lanes(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_pool pool;
    int64_t constant;
    (void)state;
    fw_pool_init(&pool, arena);
    const fw_expression thread = fw_scale(&pool, fw_launch_value(&pool, FW_THREAD_X), 16);
    const fw_expression near = fw_add(&pool, thread, fw_constant(&pool, 64));
    const fw_expression twice = fw_scale(&pool, thread, 2);
    struct fw_lane_addresses *addresses = fw_lane_addresses_new(arena, &pool);
    struct fw_kept_lanes *kept = fw_lane_addresses_of(addresses, DOMAIN, near, 0, &constant);
    const int64_t first[LANES] = {64, 80, 96, 112}, second[2] = {1064, 1080};
    assert_int_equal(constant, 64);
    assert_null(fw_kept_lanes_find(kept, 0, LANES));
    fw_kept_lanes_add(addresses, kept, 0, first, LANES, constant);
    fw_kept_lanes_add(addresses, kept, 2, second, 2, constant); /* out of order: it is not kept */
    fw_kept_lanes_add(addresses, kept, 1, second, 2, constant);
    assert_ptr_equal(fw_lane_addresses_of(addresses, DOMAIN, thread, 0, &constant), kept);
    assert_int_equal(constant, 0);
    const int64_t *found = fw_kept_lanes_find(kept, 0, LANES);
    assert_non_null(found);
    for (int64_t l = 0; l < LANES; l++)
        assert_int_equal(found[l], 16 * l);
    assert_int_equal(fw_kept_lanes_find(kept, 1, 2)[1], 1016);
    assert_null(fw_kept_lanes_find(kept, 1, LANES)); /* as many lanes are asked for */
    assert_null(fw_kept_lanes_find(kept, 2, 2));
    assert_ptr_not_equal(fw_lane_addresses_of(addresses, DOMAIN, twice, 0, &constant), kept);
    assert_ptr_not_equal(fw_lane_addresses_of(addresses, DOMAIN + 1, near, 0, &constant), kept);
    assert_ptr_not_equal(fw_lane_addresses_of(addresses, DOMAIN, near, 8, &constant), kept);
    assert_ptr_equal(fw_lane_addresses_of(addresses, DOMAIN, near, 0, &constant), kept);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offsets_that_differ_by_a_constant_share_lanes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
