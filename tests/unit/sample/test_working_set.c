/* How much of an array a launch comes to, by the addresses of a few of its blocks. */
#include "working_set.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { LINE = 128, LINES = 40000, BLOCKS = 64 };

static uint64_t next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005 + 1442695040888963407;
    return *seed >> 33;
}

/* Bytes by the sample of blocks that come to `each` lines, of `part` lines from `from` on, `apart`
 * lines further in the next block. */
static double bytes_of(struct fw_arena *arena, uint32_t each, uint64_t part, uint64_t apart)
{
    struct fw_working_set *set = fw_working_set_new(arena);
    uint64_t seed = 7;
    for (uint32_t block = 0; block < BLOCKS; block++)
        for (uint32_t i = 0; i < each; i++)
            fw_working_set_see(set, (block * apart + next(&seed) % part) * LINE + 4 * (i % 32),
                               block);
    return fw_working_set_bytes(set, BLOCKS, false);
}

/* Blocks that each come to a part of the same lines by chance, most of which the sample misses. */
static void lines_that_no_block_saw_are_estimated(void **state)
{
    struct fw_arena *arena = *state;
    double bytes = bytes_of(arena, 100, LINES, 0);
    assert_true(fabs(bytes / LINE / LINES - 1) < 0.1);
    bytes = bytes_of(arena, 4000, LINES, 0); /* all lines, of which one in several is kept */
    assert_true(fabs(bytes / LINE / LINES - 1) < 0.05);
}

/* What all blocks come to is all there is; what each comes to alone may be any part of the array.
 */
static void blocks_of_their_own_tell_nothing(void **state)
{
    struct fw_arena *arena = *state;
    double common = bytes_of(arena, 2000, 300, 0), own = bytes_of(arena, 100, 100, 1000);
    assert_true(fabs(common / LINE / 300 - 1) < 0.01);
    assert_true(own / LINE > 1000.0 * BLOCKS);
    struct fw_working_set *all = fw_working_set_new(arena);
    for (uint32_t i = 0; i < 1000; i++)
        fw_working_set_see(all, (uint64_t)i * LINE, i / 100);
    assert_true(fabs(fw_working_set_bytes(all, 10, true) - 1000.0 * LINE) < 1);
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
        cmocka_unit_test_setup_teardown(lines_that_no_block_saw_are_estimated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(blocks_of_their_own_tell_nothing, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
