/* A domain with one large piece and edges that hold little: a brief launch bounds the edges by the
 * ranges of their indices where they are negligible, and counts them where they are not. */
#include "launch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>

enum { EDGES = 5, APART = 40 };

/* Branches one behind the other that are taken where 3 thread + block is 20, 60, 100 ...; the last
 * domain is where none is: before the first, between them and behind the last. */
static struct fw_kernel *kernel_of(struct fw_arena *arena)
{
    struct fw_kernel *kernel = FW_NEW(arena, struct fw_kernel);
    struct fw_pool *pool = &kernel->pool;
    fw_pool_init(pool, arena);
    kernel->arena = arena;
    fw_expression place =
        fw_add(pool, fw_launch_value(pool, FW_BLOCK_X),
               fw_multiply(pool, fw_constant(pool, 3), fw_launch_value(pool, FW_THREAD_X)));
    kernel->branch_count = EDGES;
    kernel->branches = FW_ARRAY(arena, struct fw_branch, EDGES);
    kernel->domain_count = EDGES + 1;
    kernel->domains = FW_ARRAY(arena, struct fw_domain, EDGES + 1);
    kernel->domains[0] = (struct fw_domain){.kind = FW_DOMAIN_ALL, .innermost = FW_NONE};
    for (uint32_t e = 0; e < EDGES; e++) {
        fw_expression edge = fw_constant(pool, 20 + APART * (int64_t)e);
        kernel->branches[e] = (struct fw_branch){
            .name = "taken@test:1", .condition = fw_is_zero(pool, fw_subtract(pool, place, edge))};
        kernel->domains[e + 1] = (struct fw_domain){.kind = FW_DOMAIN_RESTRICT,
                                                    .parent = e,
                                                    .branch = e,
                                                    .truth = false,
                                                    .innermost = FW_NONE};
    }
    return kernel;
}

/* Threads and warps of the last domain. */
static void count(struct fw_bound *bound, const struct fw_launch *launch, double *threads,
                  double *warps, bool *exact)
{
    assert_int_equal(fw_bound_set(bound, launch), FW_OK);
    *exact = fw_bound_count(bound, EDGES)->exact;
    *threads = fw_bound_count(bound, EDGES)->estimate;
    *warps = fw_bound_count_warps(bound, EDGES)->estimate;
}

static void compare(uint32_t blocks, double error, bool exact)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_kernel *kernel = kernel_of(arena);
    struct fw_launch *launch = fw_launch_new(arena, kernel), *brief = fw_launch_new(arena, kernel);
    struct fw_bound *bound = fw_bound_new(kernel), *beside = fw_bound_beside(bound);
    double threads, warps, few, few_warps, again, again_warps;
    bool all, some;
    launch->grid[0] = brief->grid[0] = blocks;
    launch->block[0] = brief->block[0] = 256;
    brief->brief = true;
    count(bound, launch, &threads, &warps, &all);
    assert_true(all);
    count(beside, brief, &few, &few_warps, &some);
    assert_int_equal(some, exact);
    assert_true(fabs(few / threads - 1) <= error);
    assert_true(fabs(few_warps / warps - 1) <= fmax(error, 0.05));
    count(beside, brief, &again, &again_warps, &some); /* what was kept changes nothing */
    assert_true(fabs(again - few) < 0.5 && fabs(again_warps - few_warps) < 0.5);
    fw_bound_free(bound);
    fw_arena_free(arena);
}

static void test_edges(void **state)
{
    (void)state;
    compare(4096, 0.02, false); /* edges are a hundredth of it */
    compare(512, 0.05, false);  /* some are worth counting */
    compare(64, 0, true);       /* all of them are */
    compare(1, 0, true);        /* ranges of one index */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_edges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
