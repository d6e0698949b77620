/* What the limit of issues cuts off: how long it takes. */
#include "subject_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { LOADS = 3, PRODUCTS = 6, DEEP = 5, WARPS = 8 };

/* So many loops around each other, of three trips each, too few to be skipped or shortened, around
 * operations; `number`: of the record, by which the outermost one is told from others. */
static double nest(struct subject *s, uint32_t deep, uint32_t number, uint32_t what, int operations)
{
    enum { TRIPS = 3 };
    uint32_t at[DEEP];
    for (uint32_t d = 0; d < deep; d++) {
        at[d] = loop(s, TRIPS);
        s->steps[at[d]].depth = d;
        s->steps[at[d]].loop = number + d;
    }
    for (int o = 0; o < operations; o++)
        operation(s, what, what == LOAD);
    for (uint32_t d = deep; d-- > 0;)
        again(s, at[d]);
    s->program.depth = DEEP;
    return pow(TRIPS, deep) * operations;
}

/* Loops of loads that wait for each other, then loops of products: the issues of a block. */
static double waits_and_works(struct subject *s)
{
    begin(s);
    const double loads = nest(s, LOADS, 0, LOAD, 1);
    const double products = nest(s, DEEP, LOADS, FUSED, PRODUCTS);
    s->simulation.warps = WARPS;
    s->simulation.issues_per_block = WARPS * (loads + products);
    return WARPS * loads;
}

/* Where the limit falls behind the loads, the products do not go on at their pace; wherever it
 * falls, the launch takes about as long. */
static void test_loops_that_are_over_do_not_tell_the_rest(void **state)
{
    struct subject s;
    (void)state;
    const double loads = waits_and_works(&s), whole = run(&s);
    assert_false(s.result.cut);
    fw_arena_free(s.arena);
    for (double part = 0.1; part < 0.9; part += 0.1) {
        waits_and_works(&s);
        const double rest = s.simulation.issues_per_block - loads;
        s.simulation.most_issues = (uint64_t)(2 * loads + part * (rest - loads));
        assert_true(near(run(&s), whole, 0.02));
        assert_true(s.result.cut);
        assert_true(near(s.result.issued, s.simulation.issues_per_block, 1e-9));
        fw_arena_free(s.arena);
    }
}

/* Where the first looks at a simulation fall into loads alone, their pace is not sure to be that of
 * the products, however steady it is. */
static void test_loops_that_are_to_come_are_not_sure(void **state)
{
    struct subject s;
    (void)state;
    const double loads = waits_and_works(&s), whole = run(&s);
    fw_arena_free(s.arena);
    for (double most = 1.9; most < 2; most += 0.02) {
        waits_and_works(&s);
        s.simulation.most_issues = (uint64_t)(most * loads);
        assert_true(run(&s) < 4 * whole); /* at the pace of the loads it would be 19 times */
        assert_true(s.result.cut);
        fw_arena_free(s.arena);
    }
}

/* What is left of a warp in the middle of a loop whose inner loop makes a trip more each time. */
static void test_rest_of_a_program(void **state)
{
    enum { TRIPS = 10, FIRST = 2 };
    struct subject s;
    (void)state;
    begin(&s);
    const uint32_t outer = loop(&s, TRIPS), inner = loop(&s, FIRST);
    s.steps[inner].step = 1;
    s.steps[inner].loop = 1;
    operation(&s, FUSED, false);
    again(&s, inner);
    operation(&s, PLAIN, false);
    again(&s, outer);
    run(&s);
    for (int round = 0; round < TRIPS; round++)
        for (int trip = 0; trip < FIRST + round; trip++) {
            const struct fw_program_place in[] = {{outer, TRIPS, round},
                                                  {inner, FIRST + round, trip}};
            double busy[FW_SM_UNIT_COUNT] = {0}, by_loop[2] = {0}, products = FIRST + round - trip;
            fw_warp_program_rest(busy, by_loop, &s.program, &s.costs, inner + 1, in, 2);
            for (int later = round + 1; later < TRIPS; later++)
                products += FIRST + later;
            assert_true(near(busy[FW_SM_FMA], products, 1e-12));
            assert_true(near(by_loop[0], products + TRIPS - round, 1e-12));
            assert_true(near(busy[FW_SM_NONE], by_loop[0], 1e-12));
            assert_true(by_loop[1] <= 0);
        }
    fw_arena_free(s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops_that_are_over_do_not_tell_the_rest),
        cmocka_unit_test(test_loops_that_are_to_come_are_not_sure),
        cmocka_unit_test(test_rest_of_a_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
