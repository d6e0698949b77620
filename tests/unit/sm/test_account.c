/* What the time of a multiprocessor goes to, by places of the code, and its timeline. */
#include "subject_program.h"
#include "timeline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* One warp that waits for each result: one cycle in four issues. */
static void test_account_of_a_chain(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    for (int i = 0; i < 10; i++)
        operation(&s, FUSED, true);
    double cycles = run(&s);
    assert_true(fabs(s.account.error) < 1e-9);
    assert_true(near(sum_of_account(&s), cycles, 1e-9));
    assert_true(near(s.cycles[FW_SM_PART_COUNT + FW_SM_PART_SELECTED], 10, 1e-9));
    assert_true(near(s.cycles[FW_SM_PART_COUNT + FW_SM_PART_WAIT], 27, 1e-9));
    assert_true(near(part(&s, FW_SM_PART_DRAIN), 3, 1e-9)); /* the last result */
    fw_arena_free(s.arena);
}

/* A load goes to L2: its latency, and its turn and bytes there, are parts of their own. */
static void test_account_of_a_load(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    s.access.cycles[FW_SM_SERVER_L2] = 100;
    operation(&s, LOAD, false);
    operation(&s, PLAIN, true);
    double cycles = run(&s);
    assert_true(near(cycles, 1 + 100 + 500 + 1, 1e-9));
    assert_true(fabs(s.account.error) < 1e-9);
    assert_true(near(part(&s, FW_SM_PART_L2), 500, 0.01));
    assert_true(near(part(&s, FW_SM_PART_L2_QUEUE), 100, 0.01));
    assert_true(part(&s, FW_SM_PART_DRAM) <= 0);
    fw_arena_free(s.arena);
}

/* Two warps, of which one waits for its result and the other for a unit that takes four cycles. */
static void test_account_of_a_busy_unit(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    s.operations[FUSED].interval = 4;
    s.operations[FUSED].latency = 6;
    uint32_t first = loop(&s, 5000); /* most of it is skipped */
    operation(&s, FUSED, true);
    again(&s, first);
    s.simulation.warps = 8;
    double cycles = run(&s);
    assert_true(s.result.issues < 8 * 500);
    assert_true(fabs(s.account.error) < 0.01);
    assert_true(near(sum_of_account(&s), cycles, 1e-9));
    assert_true(near(part(&s, FW_SM_PART_FMA), cycles / 4, 0.02));
    assert_true(near(part(&s, FW_SM_PART_WAIT), cycles / 2, 0.02));
    assert_true(near(part(&s, FW_SM_PART_SELECTED), cycles / 4, 0.02));
    fw_arena_free(s.arena);
}

/* Operations that read registers for two cycles: the scheduler issues in one of them, and is kept
 * for the other. */
static void test_account_of_registers_that_are_read(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    s.operations[FUSED].reading = 1;
    uint32_t first = loop(&s, 500);
    operation(&s, FUSED, false);
    again(&s, first);
    s.simulation.warps = 16;
    double cycles = run(&s);
    assert_true(fabs(s.account.error) < 0.01);
    assert_true(near(sum_of_account(&s), cycles, 1e-9));
    assert_true(near(part(&s, FW_SM_PART_SELECTED), cycles / 2, 0.02));
    assert_true(near(part(&s, FW_SM_PART_DISPATCH), cycles / 2, 0.02));
    fw_arena_free(s.arena);
}

/* Three blocks in two places: where the third runs, the other place has no block. */
static void test_account_of_the_tail(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    for (int i = 0; i < 10; i++)
        operation(&s, FUSED, true);
    s.simulation.resident = 2;
    s.simulation.blocks = 3;
    s.simulation.start = 100;
    double cycles = run(&s);
    assert_true(fabs(s.account.error) < 1e-9);
    assert_true(near(sum_of_account(&s), cycles, 1e-9));
    assert_true(part(&s, FW_SM_PART_TAIL) > 0.2 * cycles);
    assert_true(part(&s, FW_SM_PART_LAUNCH) > 0.2 * cycles);
    fw_arena_free(s.arena);
}

/* Blocks of two lengths, many waves of them: only the last leaves places empty, whether three waves
 * are simulated or, for want of issues, one of shorter loops. */
static void test_account_of_many_waves(void **state)
{
    enum { TRIPS = 20000, WAVES = 50, LIMIT = 20000 };
    (void)state;
    for (int limited = 0; limited < 2; limited++) {
        struct subject s, other;
        begin(&s);
        begin(&other);
        uint32_t first = loop(&s, TRIPS);
        operation(&s, FUSED, true);
        operation(&s, FUSED, true);
        again(&s, first);
        first = loop(&other, TRIPS);
        operation(&other, FUSED, true);
        again(&other, first);
        other.steps[first].loop = other.steps[other.program.count - 1].loop = 1;
        run(&other);
        run(&s);
        s.programs[1] = &other.program;
        s.simulation.kinds = 2;
        s.simulation.resident = 2;
        s.simulation.blocks = 2 * WAVES;
        s.simulation.issues_per_block = 1.5 * TRIPS;
        s.simulation.most_issues = limited ? LIMIT : 1000 * TRIPS;
        fw_sm_simulate(&s.result, s.arena, &s.simulation);
        double cycles = s.result.cycles;
        print_message("%g cycles, tail %g\n", cycles, part(&s, FW_SM_PART_TAIL));
        assert_true(near(sum_of_account(&s), cycles, 1e-6));
        assert_true(part(&s, FW_SM_PART_TAIL) < 2 * cycles / WAVES);
        assert_true(near(part(&s, FW_SM_PART_SELECTED) * s.account.active, s.result.issued, 1e-6));
        fw_arena_free(s.arena);
        fw_arena_free(other.arena);
    }
}

/* A place that is empty while iterations of other places' loops are skipped: it is so for want of
 * a block, and not since its block's other warps go on. */
static void test_account_of_an_empty_place(void **state)
{
    struct subject s, other;
    (void)state;
    begin(&s);
    begin(&other);
    uint32_t first = loop(&s, 20000);
    operation(&s, FUSED, true);
    again(&s, first);
    operation(&other, FUSED, true);
    run(&other);
    s.simulation.schedulers = 1;
    run(&s);
    s.programs[1] = &other.program;
    s.simulation.kinds = 2;
    s.simulation.resident = 2;
    s.simulation.blocks = 2;
    fw_sm_simulate(&s.result, s.arena, &s.simulation);
    double cycles = s.result.cycles;
    assert_true(near(part(&s, FW_SM_PART_TAIL), s.account.idle_end, 0.001));
    assert_true(near(sum_of_account(&s), cycles, 1e-6));
    assert_true(part(&s, FW_SM_PART_TAIL) > 0.3 * cycles);
    fw_arena_free(s.arena);
    fw_arena_free(other.arena);
}

/* A warp that ends early while others go on and iterations are skipped. */
static void test_account_of_warps_that_end_early(void **state)
{
    struct subject s;
    struct fw_warp_program brief;
    (void)state;
    begin(&s);
    uint32_t first = loop(&s, 5000);
    operation(&s, FUSED, true);
    again(&s, first);
    s.simulation.warps = 4;
    run(&s);
    brief = s.program;
    brief.steps = &s.steps[s.program.count - 1]; /* it ends at once */
    brief.count = 1;
    s.programs[1] = s.programs[2] = &brief;
    fw_sm_simulate(&s.result, s.arena, &s.simulation);
    assert_true(fabs(s.account.error) < 0.01);
    assert_true(near(part(&s, FW_SM_PART_TAIL), s.result.cycles / 2, 0.02));
    fw_arena_free(s.arena);
}

/* A timeline has each warp's time: two warps, of which one waits at a barrier for the other, in
 * columns of ten cycles; and the same where most of a loop is skipped. */
static void test_timeline(void **state)
{
    enum { COLUMNS = 8, WARPS = 2 };
    struct subject s;
    struct fw_sm_timeline_cell cells[COLUMNS * WARPS];
    double parts[COLUMNS * FW_SM_PART_COUNT];
    struct fw_sm_span skips[FW_SM_TIMELINE_SPANS], barriers[FW_SM_TIMELINE_SPANS];
    struct fw_sm_timeline timeline = {.columns = COLUMNS,
                                      .warps = WARPS,
                                      .block_warps = WARPS,
                                      .cells = cells,
                                      .parts = parts,
                                      .skips = skips,
                                      .barriers = barriers};
    (void)state;
    for (int many = 0; many < 2; many++) {
        struct fw_warp_program brief;
        double sum = 0;
        begin(&s);
        uint32_t first = loop(&s, many ? 5000 : 15);
        operation(&s, FUSED, true);
        again(&s, first);
        add(&s, (struct fw_step){.kind = FW_STEP_BARRIER});
        s.simulation.warps = WARPS;
        timeline.cycles = run(&s);
        brief = s.program;
        brief.steps = &s.steps[first + 3]; /* it comes to the barrier at once */
        brief.count = s.program.count - 3;
        if (!many)
            s.programs[1] = &brief;
        s.simulation.timeline = &timeline;
        memset(parts, 0, sizeof(parts));
        fw_sm_simulate(&s.result, s.arena, &s.simulation);
        for (size_t p = 0; p < COLUMNS * FW_SM_PART_COUNT; p++)
            sum += parts[p];
        assert_true(near(sum, WARPS * timeline.cycles, 0.01));
        int waits = 0; /* three cycles of four */
        for (int c = 0; c < COLUMNS; c++)
            waits += cells[c].part == FW_SM_PART_WAIT;
        assert_in_range(waits, COLUMNS / 2, COLUMNS - 1);
        if (!many)
            assert_int_equal(cells[COLUMNS + 1].part, FW_SM_PART_BARRIER);
        assert_int_equal(timeline.barrier_count, 1);
        assert_int_equal(timeline.skip_count > 0, many);
        fw_arena_free(s.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_account_of_a_chain),
                                       cmocka_unit_test(test_account_of_a_load),
                                       cmocka_unit_test(test_account_of_a_busy_unit),
                                       cmocka_unit_test(test_account_of_registers_that_are_read),
                                       cmocka_unit_test(test_account_of_the_tail),
                                       cmocka_unit_test(test_account_of_many_waves),
                                       cmocka_unit_test(test_account_of_an_empty_place),
                                       cmocka_unit_test(test_account_of_warps_that_end_early),
                                       cmocka_unit_test(test_timeline)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
