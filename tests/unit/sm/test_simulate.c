/* The pipeline of a multiprocessor on programs that are written by hand: chains, units, barriers,
 * loops that are skipped, blocks that follow each other. */
#include "subject_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void test_chain_waits_for_latency(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    for (int i = 0; i < 10; i++)
        operation(&s, FUSED, true);
    assert_true(near(run(&s), 40, 0.01));
    assert_true(s.result.stalls[FW_SM_STALL_WAIT] > 26);
    fw_arena_free(s.arena);
}

static void test_warps_share_an_issue_slot(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t first = loop(&s, 100);
    operation(&s, FUSED, true);
    again(&s, first);
    s.simulation.warps = 4; /* one a scheduler: latency */
    assert_true(near(run(&s), 400, 0.02));
    s.simulation.warps = 32; /* eight a scheduler: issue */
    assert_true(near(run(&s), 800, 0.02));
    assert_true(s.result.issued > 3199 && s.result.issued < 3201);
    fw_arena_free(s.arena);
}

/* A unit that takes an operation every other cycle. */
static void test_unit_is_busy(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    s.operations[FUSED].interval = 2;
    uint32_t first = loop(&s, 100);
    operation(&s, FUSED, true);
    again(&s, first);
    s.simulation.warps = 32;
    assert_true(near(run(&s), 1600, 0.02));
    /* In every other cycle the unit takes an operation: another warp's was selected. */
    assert_true(
        near(s.result.stalls[FW_SM_STALL_MATH], s.result.stalls[FW_SM_STALL_NOT_SELECTED], 0.05));
    s.operations[FUSED].interval = 8;
    assert_true(near(run(&s), 6400, 0.02));
    assert_true(near(s.result.stalls[FW_SM_STALL_MATH],
                     7 * s.result.stalls[FW_SM_STALL_NOT_SELECTED], 0.1));
    fw_arena_free(s.arena);
}

/* Products of integers take one half of the FMA unit, and products of f32 the other beside them. */
static void test_halves_of_a_unit(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    s.operations[FUSED].holds = 2;
    s.operations[PLAIN] = s.operations[FUSED];
    s.operations[PLAIN].heavy = true;
    uint32_t first = loop(&s, 100);
    operation(&s, PLAIN, false);
    operation(&s, PLAIN, false);
    again(&s, first);
    s.simulation.warps = 32;
    assert_true(near(run(&s), 3200, 0.02));
    s.steps[first + 1].operation = FUSED;
    assert_true(near(run(&s), 1600, 0.02));
    s.steps[first + 2].operation = FUSED; /* both halves */
    assert_true(near(run(&s), 1600, 0.02));
    fw_arena_free(s.arena);
}

/* One that reads three registers keeps its scheduler, not its unit: other warps issue less. */
static void test_registers_are_read(void **state)
{
    double cycles[2];
    (void)state;
    for (int reads = 0; reads < 2; reads++) {
        struct subject s;
        begin(&s);
        s.operations[FUSED].reading = reads ? 0.5 : 0;
        for (int i = 0; i < 20; i++)
            operation(&s, FUSED, false);
        s.simulation.warps = 32;
        cycles[reads] = run(&s);
        fw_arena_free(s.arena);
    }
    assert_true(near(cycles[0], 160, 0.03));
    assert_true(near(cycles[1], 240, 0.03));
}

/* A block that begins asks for nothing before it has started: requests of others go first. */
static void test_blocks_that_start_hold_up_nobody(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    for (int i = 0; i < 2; i++)
        operation(&s, LOAD, true);
    operation(&s, PLAIN, true);
    s.access.cycles[FW_SM_SERVER_LSU] = 10;
    s.access.miss_l1 = 0;
    s.simulation.resident = 2;
    s.simulation.blocks = 2;
    s.simulation.dispatch = 60; /* the second loads from 220 on, the first goes on at 200 */
    s.simulation.start = 100;
    assert_true(near(run(&s), 2 * 60 + 100 + 2 * (10 + 30) + 1 + 100, 0.02));
    assert_true(near(s.result.stalls[FW_SM_STALL_LONG], 4 * (10 + 30), 0.05));
    fw_arena_free(s.arena);
}

/* Dispatch is a part of a block's life: with one place, each block waits for its own. */
static void test_dispatch_takes_time(void **state)
{
    double cycles[2];
    (void)state;
    for (int late = 0; late < 2; late++) {
        struct subject s;
        begin(&s);
        operation(&s, LOAD, false);
        s.simulation.blocks = 3;
        s.simulation.dispatch = late ? 150 : 0;
        cycles[late] = run(&s);
        fw_arena_free(s.arena);
    }
    assert_true(near(cycles[1] - cycles[0], 3 * 150, 0.02));
}

static void test_barrier_waits_for_the_last(void **state)
{
    struct subject s;
    struct subject longer;
    (void)state;
    begin(&s);
    operation(&s, FUSED, false);
    add(&s, (struct fw_step){.kind = FW_STEP_BARRIER});
    operation(&s, FUSED, false);
    begin(&longer);
    for (int i = 0; i < 10; i++)
        operation(&longer, FUSED, true);
    add(&longer, (struct fw_step){.kind = FW_STEP_BARRIER});
    operation(&longer, FUSED, false);
    run(&longer);
    s.simulation.warps = 2;
    run(&s);
    s.programs[1] = &longer.program;
    fw_sm_simulate(&s.result, s.arena, &s.simulation);
    assert_true(s.result.cycles > 37 + 20 && s.result.cycles < 37 + 20 + 10);
    assert_true(s.result.stalls[FW_SM_STALL_BARRIER] > 37);
    fw_arena_free(s.arena);
    fw_arena_free(longer.arena);
}

/* Loops in a steady state are skipped: the same rate in few issues. */
static void test_long_loop_is_skipped(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    s.access.miss_l1 = 0.3;
    uint32_t first = loop(&s, 200);
    operation(&s, LOAD, false);
    operation(&s, FUSED, true);
    operation(&s, FUSED, true);
    again(&s, first);
    s.simulation.warps = 8;
    double few = run(&s);
    s.steps[0].trips = 2000000;
    s.simulation.issues_per_block = 8.0 * 3 * 2000000;
    double many = run(&s);
    assert_true(near(many, 10000 * few, 0.03));
    assert_true(s.result.issues < 60000);
    assert_true(near(s.result.issued, 8.0 * 3 * 2000000, 0.01));
    assert_false(s.result.cut);
    fw_arena_free(s.arena);
}

/* Rounds of an inner loop are skipped while the loop around it is watched, too: of each in
 * each of the first outer rounds few of them are gone through. */
static void test_inner_loops_are_skipped(void **state)
{
    enum { OUTER = 40, INNER = 1000 };
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t outer = loop(&s, OUTER);
    uint32_t inner = loop(&s, INNER);
    operation(&s, FUSED, true);
    again(&s, inner);
    s.steps[inner].loop = s.steps[s.program.count - 1].loop = 1;
    operation(&s, FUSED, true);
    again(&s, outer);
    s.simulation.issues_per_block = OUTER * (INNER + 1);
    assert_true(near(run(&s), 4.0 * OUTER * (INNER + 1), 0.01));
    assert_true(near(s.result.issued, OUTER * (INNER + 1), 0.01));
    assert_true(s.result.issues < INNER / 2);
    assert_true(near(sum_of_account(&s), s.result.cycles, 1e-6));
    fw_arena_free(s.arena);
}

static void test_long_loops_are_shortened(void **state)
{
    enum { TRIPS = 20000, LIMIT = 20000, BESIDE = 2 /* on two threads */ };
    struct subject each[3];
    double cycles[3];
    (void)state;
    for (int limited = 0; limited <= BESIDE; limited++) {
        struct subject s, other;
        begin(&s);
        begin(&other);
        for (uint32_t l = 0; l < 2; l++) {
            s.program.depth = 0; /* one behind the other */
            uint32_t first = loop(&s, TRIPS);
            operation(&s, FUSED, l == 0);
            operation(&s, FUSED, l == 0);
            again(&s, first);
            s.steps[first].loop = s.steps[s.program.count - 1].loop = l;
        }
        add(&s, (struct fw_step){.kind = FW_STEP_EXIT});
        uint32_t first = loop(&other, TRIPS);
        operation(&other, FUSED, true);
        again(&other, first);
        other.steps[first].loop = other.steps[other.program.count - 1].loop = 2;
        run(&other);
        s.program.steps = s.steps;
        s.program.waits = s.waits;
        s.program.slots = 1;
        s.programs[0] = &s.program;
        s.programs[1] = &other.program;
        s.simulation.warps = 2;
        s.simulation.issues_per_block = 5.0 * TRIPS;
        s.simulation.most_issues = limited ? LIMIT : 100 * TRIPS;
        s.simulation.side_work = limited == BESIDE;
        fw_sm_simulate(&s.result, s.arena, &s.simulation);
        cycles[limited] = s.result.cycles;
        assert_false(s.result.cut);
        assert_true(s.result.shorter == (limited > 0));
        assert_true(!limited || near(s.result.issued, 5.0 * TRIPS, 0.01));
        assert_true(near(sum_of_account(&s), s.result.cycles, 1e-6));
        fw_arena_free(s.arena);
        fw_arena_free(other.arena);
        each[limited] = s;
    }
    print_message("%g and %g cycles\n", cycles[0], cycles[1]);
    assert_true(near(cycles[1], cycles[0], 0.01));
    assert_memory_equal(&cycles[1], &cycles[BESIDE], sizeof(cycles[1]));
    assert_memory_equal(each[1].result.stalls, each[BESIDE].result.stalls,
                        sizeof(each[1].result.stalls));
    assert_memory_equal(each[1].cycles, each[BESIDE].cycles, sizeof(each[1].cycles));
}

static void test_blocks_follow_each_other(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t first = loop(&s, 20);
    operation(&s, LOAD, true);
    again(&s, first);
    s.simulation.resident = 2;
    s.simulation.start = 100;
    s.simulation.blocks = 2;
    double wave = run(&s);
    s.simulation.blocks = 2000;
    assert_true(near(run(&s), 1000 * wave, 0.05));
    fw_arena_free(s.arena);
}

/* Many short blocks: three waves and a first one alone, whose account is the same beside them, on
 * another thread. */
static void test_first_wave_beside_three(void **state)
{
    enum { TRIPS = 600, OF_BLOCK = 2 * TRIPS, RESIDENT = 4 };
    struct subject each[2];
    (void)state;
    for (int beside = 0; beside < 2; beside++) {
        struct subject s;
        begin(&s);
        uint32_t first = loop(&s, TRIPS);
        operation(&s, LOAD, true);
        operation(&s, FUSED, true);
        again(&s, first);
        s.access.miss_l2 = 1;
        s.access.late = 200; /* no state is steady */
        s.simulation.resident = RESIDENT;
        s.simulation.blocks = 2000;
        s.simulation.start = 100;
        s.simulation.issues_per_block = OF_BLOCK;
        s.simulation.most_issues = 5 * 3 * RESIDENT * OF_BLOCK;
        s.simulation.side_work = beside;
        run(&s);
        assert_true(near(sum_of_account(&s), s.result.cycles, 1e-6));
        fw_arena_free(s.arena);
        each[beside] = s;
    }
    assert_memory_equal(&each[0].result.cycles, &each[1].result.cycles, sizeof(double));
    assert_true(each[0].result.issues == each[1].result.issues);
    assert_memory_equal(each[0].cycles, each[1].cycles, sizeof(each[0].cycles));
}

/* Of blocks of which three waves would take most of the limit two are simulated, with an account of
 * no further one. */
static void test_long_blocks_have_two_waves(void **state)
{
    enum { TRIPS = 12, OF_BLOCK = 2 * TRIPS, RESIDENT = 2, WAVE = RESIDENT * OF_BLOCK };
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t first = loop(&s, TRIPS);
    operation(&s, LOAD, true);
    operation(&s, FUSED, true);
    again(&s, first);
    s.access.miss_l2 = 1;
    s.access.late = 200; /* no state is steady */
    s.simulation.resident = RESIDENT;
    s.simulation.blocks = 2000;
    s.simulation.issues_per_block = OF_BLOCK;
    double cycles = run(&s);
    assert_true(s.result.issues > 3 * WAVE);
    s.simulation.most_issues = 7 * WAVE / 2;
    assert_true(near(run(&s), cycles, 0.1));
    assert_true(s.result.issues <= 2 * WAVE);
    assert_true(near(s.result.issued, 2000 * OF_BLOCK, 0.01));
    assert_true(near(sum_of_account(&s), s.result.cycles, 0.01));
    fw_arena_free(s.arena);
}

/* Of warps that could issue, one of the block in the last place does, which need not be the
 * youngest: a block that takes the first place holds up none of those beside it. */
static void test_last_place_goes_first(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    s.operations[FUSED].interval = 8;
    s.operations[FUSED].latency = 16; /* two warps keep the unit busy */
    uint32_t first = loop(&s, 40);
    operation(&s, FUSED, true);
    again(&s, first);
    add(&s, (struct fw_step){.kind = FW_STEP_EXIT});
    s.program.steps = s.steps;
    s.program.waits = s.waits;
    s.program.slots = 1;
    struct fw_step brief[] = {{.kind = FW_STEP_OPERATION, .operation = PLAIN},
                              {.kind = FW_STEP_EXIT}};
    struct fw_step twice[4];
    struct fw_warp_program ends = s.program, goes_on = s.program;
    memcpy(twice, s.steps, sizeof(twice));
    twice[0].trips = 80;
    goes_on.steps = twice;
    ends.steps = brief;
    ends.count = 2;
    const struct fw_warp_program *of_blocks[] = {&ends, &s.program, &s.program, &goes_on};
    memcpy(s.programs, of_blocks, sizeof(of_blocks));
    s.simulation.schedulers = 1;
    s.simulation.kinds = 4;
    s.simulation.blocks = 4;
    s.simulation.resident = 3;
    fw_sm_simulate(&s.result, s.arena, &s.simulation);
    /* The first three end: at once, and both others after 40 times 16 cycles. */
    assert_true(near(s.result.ends[0], 2 * 640.0 / 3, 0.05));
    fw_arena_free(s.arena);
}

static void test_branches_and_arrivals_take_time(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t first = loop(&s, 3);
    operation(&s, FUSED, false);
    add(&s, (struct fw_step){.kind = FW_STEP_BRANCH, .keeps = 10});
    again(&s, first);
    double before = run(&s);
    s.simulation.branch = 9; /* two to go round again; the three within keep what they say */
    assert_true(near(run(&s) - before, 2 * 9, 0.1) && before > 3 * 10);
    fw_arena_free(s.arena);
    begin(&s);
    operation(&s, PLAIN, false);
    add(&s, (struct fw_step){.kind = FW_STEP_BARRIER});
    operation(&s, PLAIN, false);
    s.simulation.warps = 32;
    before = run(&s);
    s.simulation.arrival = 2;
    assert_true(run(&s) - before > 50);
    fw_arena_free(s.arena);
}

/* A slower part never makes it quicker. */
static void test_monotone(void **state)
{
    (void)state;
    for (int part = 0; part < 4; part++) {
        double before = 0;
        for (double factor = 1; factor < 20; factor *= 2) {
            struct subject s;
            begin(&s);
            uint32_t first = loop(&s, 50);
            operation(&s, LOAD, false);
            operation(&s, FUSED, true);
            operation(&s, FUSED, true);
            again(&s, first);
            s.simulation.warps = 16;
            s.simulation.resident = 2;
            s.simulation.blocks = 8;
            s.access.miss_l1 = 0.5;
            s.access.cycles[FW_SM_SERVER_LSU] *= part == 0 ? factor : 1;
            s.access.cycles[FW_SM_SERVER_L2] *= part == 1 ? factor : 1;
            s.access.latency[1] *= part == 2 ? factor : 1;
            s.operations[FUSED].interval *= part == 3 ? factor : 1;
            double cycles = run(&s);
            assert_true(cycles >= 0.999 * before);
            before = cycles;
            fw_arena_free(s.arena);
        }
    }
}

/* An eighth of the warps has a long loop: all of every eighth block, or one of each.  The others'
 * places are soon free for blocks behind them. */
static void test_some_blocks_do_what_others_do_not(void **state)
{
    double cycles[2];
    (void)state;
    for (int evenly = 0; evenly < 2; evenly++) {
        struct subject s;
        begin(&s);
        s.operations[FUSED].latency = 40;
        add(&s, (struct fw_step){.kind = FW_STEP_SHARE,
                                 .share = 0.125,
                                 .within = evenly ? 0.125 : 1,
                                 .blocks = {0, evenly ? 1 : 0.125}});
        uint32_t first = loop(&s, 1000);
        operation(&s, FUSED, true);
        again(&s, first);
        s.steps[0].other = s.program.count;
        operation(&s, PLAIN, false);
        s.program.shares = 1;
        s.simulation.resident = 4;
        s.simulation.warps = 8;
        s.simulation.blocks = 64;
        cycles[evenly] = run(&s);
        assert_true(near(s.result.issued, 64 * (1000 + 8), 0.1));
        fw_arena_free(s.arena);
    }
    assert_true(near(cycles[0], 64 * 40000 / 8.0 / 4, 0.25));
    assert_true(near(cycles[1], 64 * 40000 / 4.0, 0.25));
}

/* Of rounds that are skipped, what comes up in one of eight has its part, in instructions and in
 * time, although the first rounds are alike without it. */
static void test_shares_of_skipped_rounds(void **state)
{
    enum { TRIPS = 8000, SOMETIMES = 8 };
    struct subject s;
    (void)state;
    begin(&s);
    const uint32_t first = loop(&s, TRIPS);
    operation(&s, FUSED, true);
    const uint32_t share = s.program.count;
    add(&s, (struct fw_step){.kind = FW_STEP_SHARE,
                             .share = 1.0 / SOMETIMES,
                             .within = 1.0 / SOMETIMES,
                             .blocks = {0, 1}});
    for (int i = 0; i < SOMETIMES; i++)
        operation(&s, FUSED, true);
    s.steps[share].other = s.program.count;
    again(&s, first);
    s.program.shares = 1;
    s.simulation.issues_per_block = 2 * TRIPS;
    const double cycles = run(&s);
    assert_true(s.result.issues < TRIPS / 2);
    assert_true(near(s.result.issued, 2 * TRIPS, 1e-3));
    assert_true(near(cycles, 2 * TRIPS * s.operations[FUSED].latency, 0.05));
    fw_arena_free(s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shares_of_skipped_rounds),
                                       cmocka_unit_test(test_chain_waits_for_latency),
                                       cmocka_unit_test(test_warps_share_an_issue_slot),
                                       cmocka_unit_test(test_unit_is_busy),
                                       cmocka_unit_test(test_halves_of_a_unit),
                                       cmocka_unit_test(test_registers_are_read),
                                       cmocka_unit_test(test_blocks_that_start_hold_up_nobody),
                                       cmocka_unit_test(test_dispatch_takes_time),
                                       cmocka_unit_test(test_barrier_waits_for_the_last),
                                       cmocka_unit_test(test_long_loop_is_skipped),
                                       cmocka_unit_test(test_inner_loops_are_skipped),
                                       cmocka_unit_test(test_long_loops_are_shortened),
                                       cmocka_unit_test(test_blocks_follow_each_other),
                                       cmocka_unit_test(test_first_wave_beside_three),
                                       cmocka_unit_test(test_long_blocks_have_two_waves),
                                       cmocka_unit_test(test_last_place_goes_first),
                                       cmocka_unit_test(test_branches_and_arrivals_take_time),
                                       cmocka_unit_test(test_some_blocks_do_what_others_do_not),
                                       cmocka_unit_test(test_monotone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
