/* The order of issue: which of several warps that can issue a scheduler takes, and what depends on
 * it. */
#include "subject_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* Blocks of one warp each that go round a loop so many times, 16 cycles an iteration, at one
 * scheduler, whose unit takes an operation each `interval` cycles: when the first ones end, those
 * that are resident at once, in the mean. */
static double ends_of_first(enum fw_issue_order order, double interval, uint32_t resident,
                            const double *trips, uint32_t blocks)
{
    enum { MOST_BLOCKS = 4 };
    struct subject s;
    struct fw_step steps[MOST_BLOCKS][4];
    struct fw_warp_program programs[MOST_BLOCKS];
    begin(&s);
    s.operations[FUSED].interval = interval;
    s.operations[FUSED].latency = 16;
    const uint32_t at = loop(&s, 1);
    operation(&s, FUSED, true);
    again(&s, at);
    s.simulation.schedulers = 1;
    s.simulation.order = order;
    run(&s);
    for (uint32_t b = 0; b < blocks; b++) {
        memcpy(steps[b], s.steps, sizeof(steps[b]));
        steps[b][at].trips = trips[b];
        programs[b] = s.program;
        programs[b].steps = steps[b];
        s.programs[b] = &programs[b];
    }
    s.simulation.kinds = blocks;
    s.simulation.blocks = blocks;
    s.simulation.resident = resident;
    fw_sm_simulate(&s.result, s.arena, &s.simulation);
    const double ends = s.result.ends[0];
    assert_true(s.result.overtaken > 0 && s.result.overtaken <= s.result.issued);
    fw_arena_free(s.arena);
    return ends;
}

/* Behind a brief block, one of 80 and one of 20 iterations want the unit at any time: which ends
 * first, and when. */
static void test_order_decides_who_goes_first(void **state)
{
    static const double trips[] = {1, 80, 20};
    (void)state;
    assert_true(near(ends_of_first(FW_ISSUE_ORDER_GREEDY_YOUNGEST, 16, 3, trips, 3),
                     16.0 * (1 + 21 + 101) / 3, 0.02));
    assert_true(near(ends_of_first(FW_ISSUE_ORDER_GREEDY_OLDEST, 16, 3, trips, 3),
                     16.0 * (1 + 81 + 101) / 3, 0.02));
    assert_true(near(ends_of_first(FW_ISSUE_ORDER_LOOSE_ROUND_ROBIN, 16, 3, trips, 3),
                     16.0 * (3 + 41 + 101) / 3, 0.02));
}

/* Two warps keep the unit busy.  A block that takes the first place is the youngest: the two beside
 * it go first. */
static void test_oldest_is_the_one_that_began_first(void **state)
{
    static const double trips[] = {1, 40, 40, 80};
    (void)state;
    assert_true(near(ends_of_first(FW_ISSUE_ORDER_GREEDY_OLDEST, 8, 3, trips, 4),
                     16.0 * (1 + 41 + 41) / 3, 0.05));
    assert_true(near(ends_of_first(FW_ISSUE_ORDER_LOOSE_ROUND_ROBIN, 8, 3, trips, 4),
                     16.0 * (1 + 61 + 61) / 3, 0.05));
}

/* Behind a brief warp of a block, one of 80 and one of 20 iterations want the unit at any time: by
 * greedy_oldest the last one ends first. */
static void test_oldest_takes_the_last_warp_of_a_block(void **state)
{
    enum { WARPS = 3 };
    static const double trips[WARPS] = {1, 80, 20};
    struct subject s;
    struct fw_step steps[WARPS][4];
    struct fw_warp_program programs[WARPS];
    (void)state;
    begin(&s);
    s.operations[FUSED].interval = 16;
    s.operations[FUSED].latency = 16;
    const uint32_t at = loop(&s, 1);
    operation(&s, FUSED, true);
    again(&s, at);
    run(&s);
    for (int w = 0; w < WARPS; w++) {
        memcpy(steps[w], s.steps, sizeof(steps[w]));
        steps[w][at].trips = trips[w];
        programs[w] = s.program;
        programs[w].steps = steps[w];
        s.programs[w] = &programs[w];
    }
    s.simulation.warps = WARPS;
    s.simulation.schedulers = 1;
    s.simulation.order = FW_ISSUE_ORDER_GREEDY_OLDEST;
    fw_sm_simulate(&s.result, s.arena, &s.simulation);
    assert_true(near(s.result.resident, 16.0 * (1 + 21 + 101), 0.02));
    fw_arena_free(s.arena);
}

/* A kernel of loads, arithmetic and a barrier in a loop. */
static double mixed(struct subject *s, enum fw_issue_order order, uint32_t warps, uint32_t resident,
                    double blocks, double trips)
{
    begin(s);
    s->access.miss_l1 = 0.4;
    s->access.far = 100;
    s->access.far_share[0] = 0.3;
    s->access.lines = 4;
    const uint32_t at = loop(s, trips);
    operation(s, LOAD, false);
    operation(s, FUSED, true);
    operation(s, PLAIN, false);
    operation(s, FUSED, true);
    add(s, (struct fw_step){.kind = FW_STEP_BARRIER});
    again(s, at);
    s->simulation.order = order;
    s->simulation.warps = warps;
    s->simulation.resident = resident;
    s->simulation.blocks = blocks;
    s->simulation.issues_per_block = 4 * warps * trips;
    return run(s);
}

/* A warp that has its scheduler to itself is never overtaken: the order changes nothing. */
static void test_one_warp_a_scheduler_has_no_order(void **state)
{
    (void)state;
    for (uint32_t warps = 1; warps <= 4; warps++) {
        double cycles[FW_ISSUE_ORDER_COUNT];
        for (int order = 0; order < FW_ISSUE_ORDER_COUNT; order++) {
            struct subject s;
            cycles[order] = mixed(&s, (enum fw_issue_order)order, warps, 1, 5, 300);
            assert_true(s.result.overtaken <= 0);
            fw_arena_free(s.arena);
        }
        assert_memory_equal(&cycles[0], &cycles[1], sizeof(cycles[0]));
        assert_memory_equal(&cycles[0], &cycles[2], sizeof(cycles[0]));
    }
}

/* Whatever the order, blocks take at least what one takes alone, and together at most what they
 * take one after the other. */
static void test_times_are_within_the_sum(void **state)
{
    static const uint32_t warps[] = {3, 8, 16, 32};
    (void)state;
    for (size_t w = 0; w < sizeof(warps) / sizeof(warps[0]); w++)
        for (int order = 0; order < FW_ISSUE_ORDER_COUNT; order++) {
            struct subject s;
            const double alone = mixed(&s, (enum fw_issue_order)order, warps[w], 1, 1, 100);
            fw_arena_free(s.arena);
            const double together = mixed(&s, (enum fw_issue_order)order, warps[w], 4, 4, 100);
            assert_true(together >= 0.99 * alone && together <= 1.01 * 4 * alone);
            fw_arena_free(s.arena);
        }
}

/* Iterations and blocks that are not simulated have their part of instructions that were
 * overtaken. */
static void test_overtaken_is_extrapolated(void **state)
{
    (void)state;
    for (int order = 0; order < FW_ISSUE_ORDER_COUNT; order++) {
        struct subject s;
        mixed(&s, (enum fw_issue_order)order, 16, 2, 2, 100);
        const double share = s.result.overtaken / s.result.issued;
        fw_arena_free(s.arena);
        assert_true(share > 0.1 && share < 1);
        mixed(&s, (enum fw_issue_order)order, 16, 2, 2, 200000);
        assert_true(s.result.issues < 600000);
        assert_true(fabs(s.result.overtaken / s.result.issued - share) < 0.1);
        fw_arena_free(s.arena);
        mixed(&s, (enum fw_issue_order)order, 16, 2, 2000, 100);
        assert_true(fabs(s.result.overtaken / s.result.issued - share) < 0.1);
        fw_arena_free(s.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order_decides_who_goes_first),
                                       cmocka_unit_test(test_oldest_is_the_one_that_began_first),
                                       cmocka_unit_test(test_oldest_takes_the_last_warp_of_a_block),
                                       cmocka_unit_test(test_one_warp_a_scheduler_has_no_order),
                                       cmocka_unit_test(test_times_are_within_the_sum),
                                       cmocka_unit_test(test_overtaken_is_extrapolated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
