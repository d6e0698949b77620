/* Blocks of a sample: all different, and any beginning of them is spread over the grid. */
#include "sample_blocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

static void check(struct fw_arena *arena, uint64_t all, uint64_t count)
{
    const uint64_t *blocks = fw_sample_blocks(arena, all, count);
    bool *seen = FW_ARRAY(arena, bool, (size_t)all);
    for (uint64_t i = 0; i < count; i++) {
        assert_true(blocks[i] < all);
        assert_false(seen[blocks[i]]);
        seen[blocks[i]] = true;
    }
}

static void blocks_are_different(void **state)
{
    static const uint64_t grids[] = {1, 2, 3, 4, 5, 49, 64, 1000, 8100};
    for (size_t g = 0; g < sizeof(grids) / sizeof(grids[0]); g++) {
        const uint64_t all = grids[g];
        check(*state, all, all);
        for (uint64_t count = 1; count < all; count += 1 + all / 50)
            check(*state, all, count);
    }
}

/* What ends before it has run all blocks has not run the first ones alone. */
static void beginnings_are_spread(void **state)
{
    enum { ALL = 8100, PART = ALL / 8 };
    const uint64_t counts[] = {ALL, ALL / 2};
    for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
        const uint64_t *blocks = fw_sample_blocks(*state, ALL, counts[c]);
        uint64_t low = 0;
        for (uint64_t i = 0; i < PART; i++)
            low += blocks[i] < ALL / 2;
        assert_in_range(low, PART / 2 - PART / 50, PART / 2 + PART / 50);
    }
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
        cmocka_unit_test_setup_teardown(blocks_are_different, set_up, tear_down),
        cmocka_unit_test_setup_teardown(beginnings_are_spread, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
