/* Needs: which parameters a domain's count may ask for. */
#include "needs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* A kernel of 70 arguments, so that a set has two words, and these domains:
 *   1  loop 0, which goes on while its iteration is below argument 3
 *   2  in 1, where trips of loop 1 are 0; loop 1 goes on while below argument 66
 *   3  where argument 5 is not a number
 *   4  2 or 3
 *   5  3 without the iterations of loop 0 */
enum { ARGUMENTS = 70, DOMAINS = 6 };

static fw_condition below(struct fw_pool *pool, uint32_t loop, uint32_t argument)
{
    fw_expression room = fw_subtract(pool, fw_atom_new(pool, FW_ATOM_PARAMETER, argument, 0, 0),
                                     fw_atom_new(pool, FW_ATOM_ITERATION, loop, 0, 0));
    return fw_is_positive(pool, room);
}

static struct fw_kernel *kernel_of(struct fw_arena *arena)
{
    struct fw_kernel *kernel = FW_NEW(arena, struct fw_kernel);
    struct fw_pool *pool = &kernel->pool;
    fw_pool_init(pool, arena);
    kernel->parameter_count = ARGUMENTS;
    kernel->floats = FW_ARRAY(arena, struct fw_float_comparison, 1);
    kernel->float_count = 1;
    kernel->floats[0] =
        (struct fw_float_comparison){.left_is_parameter = true, .left_parameter = 5, .right = 1};
    kernel->loop_count = 2;
    kernel->loops = FW_ARRAY(arena, struct fw_loop, 2);
    kernel->loops[0].stays = below(pool, 0, 3);
    kernel->loops[1].stays = below(pool, 1, 66);
    kernel->branch_count = 2;
    kernel->branches = FW_ARRAY(arena, struct fw_branch, 2);
    kernel->branches[0].condition = fw_is_zero(pool, fw_atom_new(pool, FW_ATOM_TRIPS, 1, 0, 0));
    kernel->branches[1].condition =
        fw_condition_not(pool, fw_condition_new(pool, FW_CONDITION_FLOAT, 0, 0, 0));
    kernel->domain_count = DOMAINS;
    kernel->domains = FW_ARRAY(arena, struct fw_domain, DOMAINS);
    kernel->domains[0].kind = FW_DOMAIN_ALL;
    kernel->domains[1] = (struct fw_domain){.kind = FW_DOMAIN_LOOP, .loop = 0};
    kernel->domains[2] = (struct fw_domain){.kind = FW_DOMAIN_RESTRICT, .parent = 1, .branch = 0};
    kernel->domains[3] = (struct fw_domain){.kind = FW_DOMAIN_RESTRICT, .parent = 0, .branch = 1};
    uint32_t *members = FW_ARRAY(arena, uint32_t, 2);
    members[0] = 2;
    members[1] = 3;
    kernel->domains[4] =
        (struct fw_domain){.kind = FW_DOMAIN_UNION, .members = members, .member_count = 2};
    kernel->domains[5] = (struct fw_domain){.kind = FW_DOMAIN_LEAVE, .parent = 3, .loop = 0};
    return kernel;
}

/* That a domain needs these arguments and no others; ended by -1. */
static void check(const struct fw_needs *needs, uint32_t domain, const int *wanted)
{
    for (int p = 0; p < ARGUMENTS; p++) {
        bool is_wanted = false;
        for (const int *w = wanted; *w >= 0; w++)
            is_wanted |= *w == p;
        assert_int_equal(fw_needs_parameter(needs, domain, (uint32_t)p), is_wanted);
    }
}

static void test_conditions_flow_down_domains(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_needs needs = fw_needs_find(arena, kernel_of(arena));
    (void)state;
    check(&needs, 0, (int[]){-1});
    check(&needs, 1, (int[]){3, -1});
    check(&needs, 2, (int[]){3, 66, -1});
    check(&needs, 3, (int[]){5, -1});
    check(&needs, 4, (int[]){3, 5, 66, -1});
    check(&needs, 5, (int[]){5, -1});
    fw_arena_free(arena);
}

/* Loop 0 goes on while below loop 1's trips, which come later in the table: to a fixed point. */
static void test_loops_ask_for_trips_of_others(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_kernel *kernel = kernel_of(arena);
    struct fw_pool *pool = &kernel->pool;
    kernel->loops[0].stays =
        fw_is_positive(pool, fw_subtract(pool, fw_atom_new(pool, FW_ATOM_TRIPS, 1, 0, 0),
                                         fw_atom_new(pool, FW_ATOM_ITERATION, 0, 0, 0)));
    struct fw_needs needs = fw_needs_find(arena, kernel);
    (void)state;
    check(&needs, 1, (int[]){66, -1});
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conditions_flow_down_domains),
        cmocka_unit_test(test_loops_ask_for_trips_of_others),
    };
    return cmocka_run_group_tests_name("needs", tests, NULL, NULL);
}
