/* One warp by itself, on programs that are written by hand: as long as a simulation of it, in a
 * number of steps that does not grow with the trips of its loops. */
#include "lone_warp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { FUSED, LOAD, OPERATIONS };
enum { MOST_STEPS = 24 };

struct subject {
    struct fw_arena *arena;
    struct fw_step steps[MOST_STEPS];
    uint32_t waits[1];
    struct fw_warp_program program;
    struct fw_sm_operation operations[OPERATIONS];
    struct fw_sm_costs costs;
    struct fw_sm_access access;
    struct fw_lone_warp lone;
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
    s->costs.operations = s->operations;
    s->access = (struct fw_sm_access){.cycles = {[FW_SM_SERVER_LSU] = 1, [FW_SM_SERVER_L2] = 8},
                                      .miss_l1 = 1,
                                      .waits = true,
                                      .latency = {30, 500, 700},
                                      .wait = FW_SM_WAIT_LONG};
    s->lone = (struct fw_lone_warp){
        .costs = &s->costs, .accesses = &s->access, .barrier = 20, .schedulers = 4, .beside = 1};
}

static void add(struct subject *s, struct fw_step step)
{
    s->steps[s->program.count++] = step;
}

/* An operation that needs the result of the one before. */
static void operation(struct subject *s, uint32_t which)
{
    add(s, (struct fw_step){.kind = FW_STEP_OPERATION, .operation = which, .wait_count = 1});
}

static uint32_t loop(struct subject *s, uint32_t depth, double trips, double step)
{
    s->program.depth = depth + 1 > s->program.depth ? depth + 1 : s->program.depth;
    add(s, (struct fw_step){.kind = FW_STEP_LOOP, .depth = depth, .trips = trips, .step = step});
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
    add(s, (struct fw_step){.kind = FW_STEP_EXIT});
    s->program.count--; /* the next run() of the same program overwrites it */
    s->program.steps = s->steps;
    s->program.waits = s->waits;
    s->program.slots = 1;
    s->lone.program = &s->program;
    return fw_lone_warp_cycles(&s->lone, s->arena);
}

/* What a simulation of the one warp gives. */
static double simulated(struct subject *s)
{
    const struct fw_warp_program *programs[] = {&s->program};
    struct fw_sm_result result;
    struct fw_sm_simulation simulation = {.costs = &s->costs,
                                          .accesses = &s->access,
                                          .schedulers = 4,
                                          .resident = 1,
                                          .blocks = 1,
                                          .warps = 1,
                                          .branch = s->lone.branch,
                                          .barrier = s->lone.barrier,
                                          .programs = programs,
                                          .kinds = 1,
                                          .most_issues = 1000000,
                                          .issues_per_block = 1};
    run(s);
    s->program.count++;
    fw_sm_simulate(&result, s->arena, &simulation);
    s->program.count--;
    return result.cycles;
}

static bool near(double a, double b, double share)
{
    return fabs(a - b) <= share * fabs(b);
}

static void test_loop_goes_on_as_its_iterations(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t first = loop(&s, 0, 1e6, 0);
    operation(&s, FUSED);
    operation(&s, FUSED);
    again(&s, first);
    assert_true(near(run(&s), 8e6, 1e-4));
    assert_true(near(run(&s), simulated(&s), 0.001));
    s.lone.branch = 6; /* hidden in part: the chain goes on */
    assert_true(near(run(&s), simulated(&s), 0.001));
    fw_arena_free(s.arena);
}

static void test_loops_in_loops(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t outer = loop(&s, 0, 1000, 0);
    for (int i = 0; i < 2; i++) {
        uint32_t inner = loop(&s, 1, i ? 300 : 1000, 0);
        operation(&s, i ? LOAD : FUSED);
        again(&s, inner);
    }
    again(&s, outer);
    s.access.miss_l1 = 0;
    assert_true(near(run(&s), 1000 * (1000 * 4 + 300 * 31.0), 0.001));
    fw_arena_free(s.arena);
}

/* A triangle: the mean of its iterations is the middle one. */
static void test_trips_that_grow(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t outer = loop(&s, 0, 1000, 0), inner = loop(&s, 1, 1, 1);
    operation(&s, FUSED);
    again(&s, inner);
    again(&s, outer);
    assert_true(near(run(&s), 4 * 1000 * 1001 / 2.0, 0.01));
    fw_arena_free(s.arena);
}

/* Some of the loads of a loop go to L2. */
static void test_misses_by_their_share(void **state)
{
    (void)state;
    for (double share = 1; share > 0.1; share /= 2) {
        struct subject s;
        begin(&s);
        uint32_t first = loop(&s, 0, 4096, 0);
        operation(&s, LOAD);
        operation(&s, FUSED);
        again(&s, first);
        s.access.miss_l1 = share;
        double each = 1 + share * (8 + 500) + (1 - share) * 30 + 4;
        assert_true(near(run(&s), 4096 * each, 0.03));
        fw_arena_free(s.arena);
    }
}

/* A part that data decide, and trips that are no whole number. */
static void test_shares(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t first = loop(&s, 0, 1000.5, 0);
    add(&s, (struct fw_step){.kind = FW_STEP_SHARE, .share = 0.25, .other = 6});
    for (int i = 0; i < 4; i++)
        operation(&s, FUSED);
    again(&s, first);
    assert_true(near(run(&s), 1000.5 * 0.25 * 16, 0.01));
    fw_arena_free(s.arena);
}

/* Warps in step: a loop, and what is between barriers, takes its unit for all of them. */
static void test_units_of_all(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t first = loop(&s, 0, 1000, 0);
    operation(&s, FUSED);
    add(&s, (struct fw_step){.kind = FW_STEP_BARRIER});
    again(&s, first);
    double alone = run(&s);
    s.lone.beside = 16; /* 16 cycles of the unit in place of one, which the chain hides in part */
    assert_true(near(run(&s) - alone, 1000 * 15, 0.01));
    s.steps[2] = (struct fw_step){.kind = FW_STEP_VALUE, .wait_count = 1};
    assert_true(near(run(&s), 1000 * 16, 0.01));
    s.lone.beside = 2;
    assert_true(near(run(&s), 1000 * 4, 0.01));
    fw_arena_free(s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loop_goes_on_as_its_iterations),
        cmocka_unit_test(test_loops_in_loops),
        cmocka_unit_test(test_trips_that_grow),
        cmocka_unit_test(test_misses_by_their_share),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_units_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
