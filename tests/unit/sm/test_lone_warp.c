/* One warp by itself, on programs that are written by hand: as long as a simulation of it, in a
 * number of steps that does not grow with the trips of its loops. */
#include "lone_warp.h"
#include "turns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { FUSED, LOAD, PRODUCT, SUM, OPERATIONS };
enum { MOST_STEPS = 24, MOST_SLOTS = 8 };

struct subject {
    struct fw_arena *arena;
    struct fw_step steps[MOST_STEPS];
    uint32_t waits[MOST_SLOTS];
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
    s->operations[PRODUCT] = (struct fw_sm_operation){
        .unit = FW_SM_FMA, .every = 1, .interval = 1, .holds = 2, .heavy = true, .latency = 4};
    s->operations[SUM] = (struct fw_sm_operation){
        .unit = FW_SM_FMA, .every = 1, .interval = 1, .holds = 2, .latency = 4};
    s->costs.operations = s->operations;
    s->access = (struct fw_sm_access){.cycles = {[FW_SM_SERVER_LSU] = 1, [FW_SM_SERVER_L2] = 8},
                                      .miss_l1 = 1,
                                      .waits = true,
                                      .latency = {30, 500, 700},
                                      .wait = FW_SM_WAIT_LONG};
    s->lone = (struct fw_lone_warp){.costs = &s->costs,
                                    .accesses = &s->access,
                                    .barrier = 20,
                                    .schedulers = 4,
                                    .beside = 0.25,
                                    .block = 0.25};
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

/* One that needs no other's. */
static void independent(struct subject *s, uint32_t which)
{
    add(s, (struct fw_step){.kind = FW_STEP_OPERATION, .operation = which});
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
    s->program.slots = MOST_SLOTS;
    s->lone.program = &s->program;
    return fw_lone_warp_cycles(&s->lone, s->arena, NULL);
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
                                          .arrival = s->lone.arrival,
                                          .request = s->lone.request,
                                          .barrier = s->lone.barrier,
                                          .start = s->lone.start,
                                          .waiting = s->lone.waiting,
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

/* Warps of a block in step: a loop, and what is between barriers, takes its unit for all of them.
 * Other blocks drift: with barriers they take turns at the unit, and the loop takes it for all of
 * them once they keep it busy. */
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
    s.lone.beside = s.lone.block = 16; /* 16 cycles of the unit in place of one, behind the chain */
    assert_true(near(run(&s) - alone, 1000 * 15, 0.01));
    s.lone.block = 2; /* of eight blocks */
    double few = run(&s) - alone;
    assert_true(few > 1000 * 1 && few < 1000 * 5);
    s.lone.beside = 128;
    assert_true(near(run(&s), 1000 * 128, 0.01));
    s.lone.beside = s.lone.block = 16;
    s.steps[2] = (struct fw_step){.kind = FW_STEP_VALUE, .wait_count = 1};
    assert_true(near(run(&s), 1000 * 16, 0.01));
    s.lone.beside = s.lone.block = 2; /* one waits for the other in few cases */
    assert_true(near(run(&s), fw_turns_cycles(1000 * 4, 1000, 2), 0.01));
    fw_arena_free(s.arena);
}

/* Two that ask half of the time wait little; many wait as long as the unit works for them, and none
 * waits where the unit does nothing. */
static void test_turns(void **state)
{
    (void)state;
    assert_true(fw_turns_cycles(100, 50, 1) == 100);
    assert_true(fw_turns_cycles(100, 0, 64) == 100);
    /* The second finds the unit busy half of the time, and half of its work left. */
    assert_true(near(fw_turns_cycles(100, 50, 2), 100 + 50 * 0.5 * 0.5, 1e-9));
    assert_true(near(fw_turns_cycles(100, 50, 1.5), 100 + 50 * 0.5 * 0.5 / 2, 1e-9));
    double before = 100;
    for (uint32_t count = 2; count <= 64; count++) {
        double cycles = fw_turns_cycles(100, 50, count);
        assert_true(cycles > before && cycles < 100 + 50 * (count - 1));
        before = cycles;
    }
}

/* Products of integers take a half of the FMA unit for two cycles, f32 the half that is free. */
static void test_halves_of_the_fma_unit(void **state)
{
    (void)state;
    for (int sums = 0; sums <= 3; sums++) {
        struct subject s;
        begin(&s);
        uint32_t first = loop(&s, 0, 1000, 0);
        for (int i = 0; i < 3; i++)
            independent(&s, PRODUCT);
        for (int i = 0; i < sums; i++)
            independent(&s, SUM);
        again(&s, first);
        assert_true(near(run(&s), simulated(&s), 0.002));
        assert_true(run(&s) > 5990);
        double units = 0; /* of the half */
        fw_lone_warp_cycles(&s.lone, s.arena, &units);
        assert_true(near(units, 6000, 1e-9));
        fw_arena_free(s.arena);
    }
}

/* Requests come at a distance, and as many wait for the load-store unit as have a place. */
static void test_requests_wait_for_their_turn(void **state)
{
    (void)state;
    for (int queued = 0; queued < 2; queued++) {
        struct subject s;
        begin(&s);
        uint32_t first = loop(&s, 0, 100, 0);
        for (int i = 0; i < 8; i++)
            independent(&s, LOAD);
        operation(&s, FUSED);
        again(&s, first);
        s.access.miss_l1 = 0;
        s.lone.request = 4;
        s.lone.waiting = queued ? 2 : 0;
        s.access.cycles[FW_SM_SERVER_LSU] = queued ? 16 : 1;
        s.access.waits = !queued;
        assert_true(near(run(&s), simulated(&s), 0.01));
        assert_true(run(&s) > (queued ? 100 * 8 * 16 : 100 * (7 * 4 + 30)));
        fw_arena_free(s.arena);
    }
}

/* What comes before a block's first load passes while the block starts. */
static void test_a_block_starts_beside_its_first_operations(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    for (int i = 0; i < 10; i++)
        operation(&s, FUSED);
    operation(&s, LOAD);
    s.lone.start = 300;
    assert_true(near(run(&s), 300 + 1 + 8 + 500 + 300, 1e-6));
    assert_true(near(run(&s), simulated(&s), 1e-6));
    fw_arena_free(s.arena);
}

/* Loads in flight together queue for L2, and the last of them counts: of lines that chance makes
 * late as well. */
static void test_loads_in_flight_together(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        struct subject s;
        begin(&s);
        uint32_t first = loop(&s, 0, 2000, 0);
        for (uint32_t i = 0; i < 6; i++)
            add(&s, (struct fw_step){.kind = FW_STEP_OPERATION, .operation = LOAD, .slot = i});
        add(&s, (struct fw_step){.kind = FW_STEP_OPERATION, .slot = 6, .wait_count = 6});
        again(&s, first);
        for (uint32_t i = 0; i < 6; i++)
            s.waits[i] = i;
        s.access.lines = 1;
        s.access.late = late ? 200 : 0;
        s.access.miss_l2 = late;
        if (!late)
            assert_true(near(run(&s), simulated(&s), 0.01));
        /* The last of six: 1 + 1/2 + ... + 1/6 of the mean. */
        assert_true(near(run(&s), 2000 * (6 * 8 + (late ? 700 + 2.45 * 200 : 500)), 0.04));
        fw_arena_free(s.arena);
    }
}

/* Lines that several warps of the block come to: the one that comes first fetches each of them. */
static void test_shared_lines_are_fetched_by_the_first(void **state)
{
    static const uint8_t leader[1] = {0};
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t first = loop(&s, 0, 4096, 0);
    operation(&s, LOAD);
    again(&s, first);
    s.access.miss_l1 = 1.0 / 32; /* of 8 warps */
    s.access.leader = leader;
    s.access.comes = 0.25;
    s.access.fetches = 1;
    assert_true(near(run(&s), simulated(&s), 0.03));
    assert_true(near(run(&s), 4096 * (0.25 * 509 + 0.75 * 31), 0.03));
    fw_arena_free(s.arena);
}

/* Warps in step ask L2, too, for all of them; stores are waited for by none, but by the launch. */
static void test_servers_of_all(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t first = loop(&s, 0, 1000, 0);
    independent(&s, LOAD);
    again(&s, first);
    s.access.waits = false;
    assert_true(near(run(&s), 1000 * 8 + 500, 0.01));
    s.lone.beside = 2;
    assert_true(near(run(&s), 1000 * 8 * 2 * 4 + 500, 0.01));
    fw_arena_free(s.arena);
}

/* Between two barriers, the load of the last of the warps in step goes when the load-store unit has
 * taken those of all; what is behind takes as long as for one by itself. */
static void test_warps_in_step_come_one_after_the_other(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t first = loop(&s, 0, 100, 0);
    operation(&s, LOAD);
    operation(&s, FUSED);
    add(&s, (struct fw_step){.kind = FW_STEP_BARRIER});
    again(&s, first);
    const double alone = run(&s);
    s.lone.beside = s.lone.block = 8;
    assert_true(near(run(&s) - alone, 100 * (8 * 4 - 1) * 1.0, 0.02));
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
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_halves_of_the_fma_unit),
        cmocka_unit_test(test_requests_wait_for_their_turn),
        cmocka_unit_test(test_a_block_starts_beside_its_first_operations),
        cmocka_unit_test(test_loads_in_flight_together),
        cmocka_unit_test(test_shared_lines_are_fetched_by_the_first),
        cmocka_unit_test(test_servers_of_all),
        cmocka_unit_test(test_warps_in_step_come_one_after_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
