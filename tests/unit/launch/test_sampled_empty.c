/* Conditions that are evaluated at sampled points.  Nothing is known to be empty of which not every
 * point was evaluated; a brief launch is evaluated at few points, and does not disturb another
 * binding beside it. */
#include "launch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>

/* A kernel with one branch, taken where (i * i) modulo `modulus` is `rest`, i the thread's number
 * in the launch, or its square modulo `modulus`, so many times. */
static struct fw_kernel *kernel_of(struct fw_arena *arena, int64_t modulus, int64_t rest,
                                   uint32_t squares)
{
    struct fw_kernel *kernel = FW_NEW(arena, struct fw_kernel);
    struct fw_pool *pool = &kernel->pool;
    fw_pool_init(pool, arena);
    kernel->arena = arena;
    fw_expression i = fw_add(pool,
                             fw_multiply(pool, fw_launch_value(pool, FW_BLOCK_X),
                                         fw_launch_value(pool, FW_BLOCK_SIZE_X)),
                             fw_launch_value(pool, FW_THREAD_X));
    fw_expression left = i, by = fw_constant(pool, modulus);
    for (uint32_t s = 0; s < squares; s++) {
        fw_expression square = fw_multiply(pool, left, left);
        left = fw_subtract(pool, square, fw_multiply(pool, by, fw_floor_divide(pool, square, by)));
    }
    kernel->branch_count = 1;
    kernel->branches = FW_ARRAY(arena, struct fw_branch, 1);
    kernel->branches[0] = (struct fw_branch){
        .name = "taken@test:1",
        .condition = fw_is_zero(pool, fw_subtract(pool, left, fw_constant(pool, rest)))};
    kernel->domain_count = 3;
    kernel->domains = FW_ARRAY(arena, struct fw_domain, 3);
    kernel->domains[0] = (struct fw_domain){.kind = FW_DOMAIN_ALL, .innermost = FW_NONE};
    for (uint32_t d = 1; d < 3; d++)
        kernel->domains[d] =
            (struct fw_domain){.kind = FW_DOMAIN_RESTRICT, .truth = d == 1, .innermost = FW_NONE};
    return kernel;
}

static void count(uint32_t blocks, int64_t modulus, int64_t rest, bool exact, uint32_t unknowns)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_kernel *kernel = kernel_of(arena, modulus, rest, 1);
    struct fw_launch *launch = fw_launch_new(arena, kernel);
    struct fw_bound *bound = fw_bound_new(kernel);
    uint32_t found;
    launch->grid[0] = blocks;
    launch->block[0] = 256;
    assert_int_equal(fw_bound_set(bound, launch), FW_OK);
    const struct fw_total *taken = fw_bound_count(bound, 1);
    assert_true(taken->estimate == 0);
    assert_int_equal(taken->exact, exact);
    assert_int_equal(fw_bound_count_warps(bound, 1)->exact, exact);
    const struct fw_unknown *unknown = fw_bound_unknowns(bound, &found);
    assert_int_equal(found, unknowns);
    if (found) {
        assert_int_equal(unknown->reason, FW_UNKNOWN_SAMPLED);
        assert_true(unknown->value == 0 && unknown->standard_error > 0 && unknown->points > 0);
    }
    fw_bound_free(bound);
    fw_arena_free(arena);
}

static void test_never_met(void **state)
{
    (void)state;
    /* 11 is no square modulo 1009; 4 is that of 20 of these 10 million threads. */
    count(64, 1009, 11, true, 0);
    count(40000, 1048573, 4, false, 1);
}

/* The points that the count of taken branches evaluated, of 10 million threads, of which a share
 * take it. */
static double points_of(struct fw_bound *bound, struct fw_launch *launch, double share)
{
    uint32_t found;
    assert_int_equal(fw_bound_set(bound, launch), FW_OK);
    const struct fw_total *taken = fw_bound_count(bound, 1);
    const struct fw_unknown *unknown = fw_bound_unknowns(bound, &found);
    assert_int_equal(found, 1);
    assert_false(taken->exact);
    assert_true(fabs(taken->estimate / (256.0 * launch->grid[0]) / share - 1) < 0.2);
    return unknown->points;
}

static void test_brief(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_kernel *kernel = kernel_of(arena, 2, 1, 1);
    struct fw_launch *launch = fw_launch_new(arena, kernel), *brief = fw_launch_new(arena, kernel);
    struct fw_bound *bound = fw_bound_new(kernel), *beside = fw_bound_beside(bound);
    uint32_t noted;
    assert_non_null(beside);
    assert_ptr_equal(beside, fw_bound_beside(bound));
    launch->grid[0] = brief->grid[0] = 40000;
    launch->block[0] = brief->block[0] = 256;
    brief->brief = true;
    double all = points_of(bound, launch, 0.5), few = points_of(beside, brief, 0.5);
    assert_true(few > 0 && few <= all / 4);
    assert_int_equal(fw_bound_set(bound, launch), FW_OK); /* nothing is noted any more */
    fw_bound_note_unknowns(bound, beside);
    fw_bound_note_unknowns(bound, beside);
    const struct fw_unknown *unknown = fw_bound_unknowns(bound, &noted);
    assert_int_equal(noted, 1);
    assert_true(unknown->points == few);
    fw_bound_free(bound);
    fw_arena_free(arena);
}

/* For a factor between answers counting takes a part of the work. */
static void test_for_a_factor(void **state)
{
    (void)state;
    static const double share = 4.0 / 101; /* numbers whose 16th power is 1 */
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_kernel *kernel = kernel_of(arena, 101, 1, 4);
    struct fw_launch *launch = fw_launch_new(arena, kernel), *factor = fw_launch_new(arena, kernel);
    struct fw_bound *bound = fw_bound_new(kernel);
    launch->grid[0] = factor->grid[0] = 40000;
    launch->block[0] = factor->block[0] = 256;
    factor->few_samples = true;
    double all = points_of(bound, launch, share), few = points_of(bound, factor, share);
    assert_true(few > 0 && few <= all / 2);
    fw_bound_free(bound);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_never_met),
                                       cmocka_unit_test(test_brief),
                                       cmocka_unit_test(test_for_a_factor)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
