/* Sectors that a block has come to before. */
#include "block_sectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

static void each_block_begins_anew(void **state)
{
    struct fw_block_sectors *sectors = fw_block_sectors_new(*state);
    for (uint32_t block = 7; block < 300; block += 3)
        for (uint64_t round = 0; round < 2; round++)
            for (uint64_t key = 0; key < 1000; key++)
                assert_int_equal(fw_block_sectors_is_new(sectors, block, key * 64), round == 0);
    assert_true(fw_block_sectors_is_new(sectors, 0, 0));
}

/* What is not kept is new each time, and nothing that is kept is. */
static void more_than_are_kept_are_new(void **state)
{
    enum { MANY = 100000, KEPT = 32768 };
    struct fw_block_sectors *sectors = fw_block_sectors_new(*state);
    for (uint64_t key = 0; key < MANY; key++)
        assert_true(fw_block_sectors_is_new(sectors, 0, key));
    for (uint64_t key = 0; key < MANY; key++)
        assert_int_equal(fw_block_sectors_is_new(sectors, 0, key), key >= KEPT);
}

static int set_up(void **state)
{
    *state = fw_arena_new(0);
    return *state ? 0 : 1;
}

static int tear_down(void **state)
{
    fw_arena_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_block_begins_anew, set_up, tear_down),
        cmocka_unit_test_setup_teardown(more_than_are_kept_are_new, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
