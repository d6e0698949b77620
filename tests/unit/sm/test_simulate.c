/* The pipeline of a multiprocessor on programs that are written by hand: chains, units, barriers,
 * servers, loops that are skipped, blocks that follow each other. */
#include "simulate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { FUSED, LOAD, PLAIN, OPERATIONS };
enum { MOST_STEPS = 16 };

/* A program of one kind of warps, and what it runs on. */
struct subject {
    struct fw_arena *arena;
    struct fw_step steps[MOST_STEPS];
    uint32_t waits[1];
    struct fw_warp_program program;
    const struct fw_warp_program *programs[64];
    struct fw_sm_operation operations[OPERATIONS];
    struct fw_sm_costs costs;
    struct fw_sm_access access;
    struct fw_sm_simulation simulation;
    struct fw_sm_result result;
};

/* Four schedulers, an FMA unit that takes an operation a cycle, and loads of 500 cycles. */
static void begin(struct subject *s)
{
    memset(s, 0, sizeof(*s));
    s->arena = fw_arena_new(0);
    s->operations[FUSED] =
        (struct fw_sm_operation){.unit = FW_SM_FMA, .every = 1, .interval = 1, .latency = 4};
    s->operations[LOAD] = (struct fw_sm_operation){
        .unit = FW_SM_LSU, .memory = true, .every = 1, .interval = 1, .wait = FW_SM_WAIT_LONG};
    s->operations[PLAIN] = (struct fw_sm_operation){.every = 1, .interval = 1};
    s->costs.operations = s->operations;
    s->access = (struct fw_sm_access){.wavefronts = 1,
                                      .l2 = 8,
                                      .miss_l1 = 1,
                                      .waits = true,
                                      .latency = {30, 500, 700},
                                      .wait = FW_SM_WAIT_LONG};
    s->simulation = (struct fw_sm_simulation){.costs = &s->costs,
                                              .accesses = &s->access,
                                              .schedulers = 4,
                                              .resident = 1,
                                              .blocks = 1,
                                              .warps = 1,
                                              .barrier = 20,
                                              .programs = s->programs,
                                              .kinds = 1,
                                              .most_issues = 1000000,
                                              .issues_per_block = 1};
}

static void add(struct subject *s, struct fw_step step)
{
    s->steps[s->program.count++] = step;
}

/* An operation; `chained`: it needs the result of the one before. */
static void operation(struct subject *s, uint32_t which, bool chained)
{
    add(s, (struct fw_step){.kind = FW_STEP_OPERATION, .operation = which, .wait_count = chained});
}

static uint32_t loop(struct subject *s, double trips)
{
    add(s, (struct fw_step){.kind = FW_STEP_LOOP, .depth = s->program.depth++, .trips = trips});
    return s->program.count - 1;
}

static void again(struct subject *s, uint32_t begins)
{
    s->steps[begins].other = s->program.count;
    add(s,
        (struct fw_step){.kind = FW_STEP_AGAIN, .depth = s->steps[begins].depth, .other = begins});
}

static double run(struct subject *s)
{
    if (s->steps[s->program.count - 1].kind != FW_STEP_EXIT || s->program.count == 0)
        add(s, (struct fw_step){.kind = FW_STEP_EXIT});
    s->program.steps = s->steps;
    s->program.waits = s->waits;
    s->program.slots = 1;
    for (int w = 0; w < 64; w++)
        s->programs[w] = &s->program;
    fw_sm_simulate(&s->result, s->arena, &s->simulation);
    return s->result.cycles;
}

static bool near(double a, double b, double share)
{
    return fabs(a - b) <= share * fabs(b);
}

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
    assert_true(s.result.stalls[FW_SM_STALL_MATH] > s.result.stalls[FW_SM_STALL_NOT_SELECTED]);
    fw_arena_free(s.arena);
}

static void test_loads_overlap_between_warps(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t first = loop(&s, 10);
    operation(&s, LOAD, true);
    again(&s, first);
    double alone = run(&s);
    assert_true(near(alone, 10 * 509, 0.02));
    s.simulation.warps = 16; /* 128 cycles of L2 a round: hidden */
    assert_true(near(run(&s), alone, 0.05));
    assert_true(s.result.stalls[FW_SM_STALL_LONG] > 0.9 * s.result.cycles * 16);
    s.simulation.resident = 4;
    s.simulation.blocks = 4;
    s.simulation.warps = 32; /* 1,024 cycles of L2 a round: not hidden */
    assert_true(near(run(&s), 10 * 1024, 0.06));
    fw_arena_free(s.arena);
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
            s.access.wavefronts *= part == 0 ? factor : 1;
            s.access.l2 *= part == 1 ? factor : 1;
            s.access.latency[1] *= part == 2 ? factor : 1;
            s.operations[FUSED].interval *= part == 3 ? factor : 1;
            double cycles = run(&s);
            assert_true(cycles >= 0.999 * before);
            before = cycles;
            fw_arena_free(s.arena);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chain_waits_for_latency),
                                       cmocka_unit_test(test_warps_share_an_issue_slot),
                                       cmocka_unit_test(test_unit_is_busy),
                                       cmocka_unit_test(test_loads_overlap_between_warps),
                                       cmocka_unit_test(test_barrier_waits_for_the_last),
                                       cmocka_unit_test(test_long_loop_is_skipped),
                                       cmocka_unit_test(test_blocks_follow_each_other),
                                       cmocka_unit_test(test_monotone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
