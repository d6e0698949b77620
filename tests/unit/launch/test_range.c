/* Ranges of expressions over bound domains, against going through every point. */
#include "launch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* A kernel with arguments n and m and the domain "i < n and j < m" over
 * i = blockIdx.x * blockDim.x + threadIdx.x, j likewise in y. */
static struct fw_kernel *kernel_of(struct fw_arena *arena, fw_expression index[2])
{
    struct fw_kernel *kernel = FW_NEW(arena, struct fw_kernel);
    struct fw_pool *pool = &kernel->pool;
    fw_condition condition = FW_CONDITION_TRUE;
    fw_pool_init(pool, arena);
    kernel->arena = arena;
    kernel->parameter_count = 2;
    kernel->parameters = FW_ARRAY(arena, struct fw_parameter, 2);
    for (uint32_t d = 0; d < 2; d++) {
        kernel->parameters[d] = (struct fw_parameter){.name = d ? "m" : "n", .type = FW_TYPE_S32};
        index[d] =
            fw_add(pool,
                   fw_multiply(pool, fw_launch_value(pool, (enum fw_launch_index)(FW_BLOCK_X + d)),
                               fw_launch_value(pool, (enum fw_launch_index)(FW_BLOCK_SIZE_X + d))),
                   fw_launch_value(pool, (enum fw_launch_index)(FW_THREAD_X + d)));
        fw_expression room =
            fw_subtract(pool, fw_atom_new(pool, FW_ATOM_PARAMETER, d, 0, 0), index[d]);
        condition = fw_condition_and(
            pool, condition, fw_is_positive(pool, fw_subtract(pool, room, fw_constant(pool, 1))));
    }
    kernel->branch_count = 1;
    kernel->branches = FW_ARRAY(arena, struct fw_branch, 1);
    kernel->branches[0] = (struct fw_branch){.name = "taken@test:1", .condition = condition};
    kernel->domain_count = 2;
    kernel->domains = FW_ARRAY(arena, struct fw_domain, 2);
    kernel->domains[0] = (struct fw_domain){.kind = FW_DOMAIN_ALL, .innermost = FW_NONE};
    kernel->domains[1] =
        (struct fw_domain){.kind = FW_DOMAIN_RESTRICT, .truth = true, .innermost = FW_NONE};
    return kernel;
}

static void test_guards_bound_addresses(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    fw_expression index[2];
    struct fw_kernel *kernel = kernel_of(arena, index);
    struct fw_pool *pool = &kernel->pool;
    fw_expression width = fw_atom_new(pool, FW_ATOM_PARAMETER, 0, 0, 0);
    /* 4 (j n + i), and its mirror image. */
    fw_expression address =
        fw_scale(pool, fw_add(pool, fw_multiply(pool, index[1], width), index[0]), 4);
    fw_expression mirrored = fw_scale(pool, address, -1);
    struct fw_launch *launch = fw_launch_new(arena, kernel);
    struct fw_bound *bound = fw_bound_new(kernel);
    int64_t low, high;
    (void)state;
    launch->is_bound[0] = launch->is_bound[1] = true;
    launch->block[0] = 32;
    launch->block[1] = 8;
    for (int64_t n = 1; n < 100; n += 13)
        for (int64_t m = 1; m < 50; m += 7) {
            launch->grid[0] = (uint32_t)(n + 31) / 32 + 1;
            launch->grid[1] = (uint32_t)(m + 7) / 8;
            launch->integers[0] = n;
            launch->integers[1] = m;
            assert_int_equal(fw_bound_set(bound, launch), FW_OK);
            assert_true(fw_bound_range(bound, 1, address, &low, &high));
            assert_int_equal(low, 0);
            assert_int_equal(high, 4 * (n * m - 1));
            assert_true(fw_bound_range(bound, 1, mirrored, &low, &high));
            assert_int_equal(low, -4 * (n * m - 1));
            assert_int_equal(high, 0);
            /* Without the guards: what the launch covers. */
            assert_true(fw_bound_range(bound, 0, index[0], &low, &high));
            assert_int_equal(high, 32 * (int64_t)launch->grid[0] - 1);
        }
    launch->is_bound[0] = false;
    assert_int_equal(fw_bound_set(bound, launch), FW_OK);
    assert_false(fw_bound_range(bound, 0, address, &low, &high));
    fw_bound_free(bound);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_guards_bound_addresses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
