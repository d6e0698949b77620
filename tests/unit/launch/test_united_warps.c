/* Warps of a loop whose trips differ by lane without a rule, and by block: as many pieces as
 * threads, more than inclusion and exclusion can do.  A warp goes round as often as its longest
 * lane. */
#include "launch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>

enum { THREADS = 256, WARP = 32, LEAST = 2, PART = 3000 };

/* Multiples of t + LEAST among the numbers of a block's part, t the thread. */
static uint64_t trips_of(uint32_t block, uint32_t thread)
{
    uint64_t step = thread + LEAST, low = (uint64_t)block * PART;
    return (low + PART + step - 1) / step - (low + step - 1) / step;
}

static struct fw_kernel *kernel_of(struct fw_arena *arena)
{
    struct fw_kernel *kernel = FW_NEW(arena, struct fw_kernel);
    struct fw_pool *pool = &kernel->pool;
    fw_pool_init(pool, arena);
    kernel->arena = arena;
    fw_expression step = fw_add(pool, fw_launch_value(pool, FW_THREAD_X), fw_constant(pool, LEAST));
    fw_expression low =
        fw_multiply(pool, fw_launch_value(pool, FW_BLOCK_X), fw_constant(pool, PART));
    fw_expression first = fw_floor_divide(
        pool, fw_add(pool, low, fw_subtract(pool, step, fw_constant(pool, 1))), step);
    fw_expression at =
        fw_multiply(pool, step, fw_add(pool, first, fw_atom_new(pool, FW_ATOM_ITERATION, 0, 0, 0)));
    fw_expression last = fw_add(pool, low, fw_constant(pool, PART - 1));
    kernel->loop_count = 1;
    kernel->loops = FW_NEW(arena, struct fw_loop);
    *kernel->loops = (struct fw_loop){.name = "trips@test:1",
                                      .parent = FW_NONE,
                                      .depth = 1,
                                      .stays = fw_is_positive(pool, fw_subtract(pool, last, at)),
                                      .trips = FW_NO_EXPRESSION};
    kernel->domain_count = 2;
    kernel->domains = FW_ARRAY(arena, struct fw_domain, 2);
    kernel->domains[0] = (struct fw_domain){.kind = FW_DOMAIN_ALL, .innermost = FW_NONE};
    kernel->domains[1] = (struct fw_domain){.kind = FW_DOMAIN_LOOP, .innermost = 0};
    return kernel;
}

/* Counts the loop's iterations in a launch; relative to what they are, warps are within `error`. */
static void count(uint32_t blocks, bool exact, double error)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_kernel *kernel = kernel_of(arena);
    struct fw_launch *launch = fw_launch_new(arena, kernel);
    struct fw_bound *bound = fw_bound_new(kernel);
    double threads = 0, warps = 0;
    launch->grid[0] = blocks;
    launch->block[0] = THREADS;
    for (uint32_t b = 0; b < blocks; b++)
        for (uint32_t t = 0, longest = 0; t < THREADS; t++) {
            uint64_t trips = trips_of(b, t);
            longest = t % WARP == 0 || trips > longest ? (uint32_t)trips : longest;
            threads += (double)trips;
            warps += t % WARP == WARP - 1 ? longest : 0;
        }
    assert_int_equal(fw_bound_set(bound, launch), FW_OK);
    assert_true(fw_bound_count(bound, 1)->exact);
    assert_true(fw_bound_count(bound, 1)->estimate == threads);
    const struct fw_total *total = fw_bound_count_warps(bound, 1);
    assert_int_equal(total->exact, exact);
    if (fabs(total->estimate - warps) > error * warps)
        fail_msg("%u blocks: %.0f, not %.0f", blocks, total->estimate, warps);
    fw_bound_free(bound);
    fw_arena_free(arena);
}

static void test_few_blocks(void **state)
{
    (void)state;
    count(9, true, 0);
    count(32, true, 0);
}

static void test_many_blocks(void **state)
{
    (void)state;
    count(1000, false, 0.01);
    count(20000, false, 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_blocks),
        cmocka_unit_test(test_many_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
