/* The pipeline of a multiprocessor on programs that are written by hand: chains, units, barriers,
 * servers, loops that are skipped, blocks that follow each other. */
#include "simulate.h"
#include "timeline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { FUSED, LOAD, PLAIN, OPERATIONS };
enum { MOST_STEPS = 24 };

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
    struct fw_sm_account account; /* of two places: 0, and 1 for all instructions */
    uint32_t places[1];
    double cycles[2 * FW_SM_PART_COUNT];
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
    s->access = (struct fw_sm_access){.cycles = {[FW_SM_SERVER_LSU] = 1, [FW_SM_SERVER_L2] = 8},
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
    s->places[0] = 1;
    s->account = (struct fw_sm_account){.places = s->places, .place_count = 2, .cycles = s->cycles};
    s->simulation.account = &s->account;
}

/* Cycles of a part, of all places. */
static double part(const struct subject *s, enum fw_sm_part which)
{
    return s->cycles[which] + s->cycles[FW_SM_PART_COUNT + which];
}

static double sum_of_account(const struct subject *s)
{
    double sum = 0;
    for (int p = 0; p < FW_SM_PART_COUNT; p++)
        sum += part(s, (enum fw_sm_part)p);
    return sum;
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
    s->program.slots = 2;
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
    /* In every other cycle the unit takes an operation: another warp's was selected. */
    assert_true(
        near(s.result.stalls[FW_SM_STALL_MATH], s.result.stalls[FW_SM_STALL_NOT_SELECTED], 0.05));
    s.operations[FUSED].interval = 8;
    assert_true(near(run(&s), 6400, 0.02));
    assert_true(near(s.result.stalls[FW_SM_STALL_MATH],
                     7 * s.result.stalls[FW_SM_STALL_NOT_SELECTED], 0.1));
    fw_arena_free(s.arena);
}

/* A warp's requests of memory are some cycles apart; other warps ask between them. */
static void test_requests_of_a_warp_are_apart(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    s.access.waits = false;
    s.access.miss_l1 = 0;
    uint32_t first = loop(&s, 100);
    operation(&s, LOAD, false);
    again(&s, first);
    s.simulation.request = 4;
    assert_true(near(run(&s), 400, 0.1));
    s.simulation.warps = 4;
    assert_true(near(run(&s), 400, 0.1));
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
    s.steps[first + 1].operation = s.steps[first + 2].operation = PLAIN;
    s.operations[PLAIN].either = true; /* or the ALU, at its own interval */
    s.operations[PLAIN].interval = 2;
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

/* Loads that take the load-store unit eight cycles each: a queue that is full holds up their warps,
 * those of shared memory for another reason; the unit is as busy. */
static void test_queues_fill(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    for (int i = 0; i < 10; i++)
        operation(&s, LOAD, false);
    operation(&s, PLAIN, true);
    s.access.cycles[FW_SM_SERVER_LSU] = 8;
    s.access.miss_l1 = 0;
    double endless = run(&s);
    assert_true(s.result.stalls[FW_SM_STALL_LG] <= 0);
    assert_true(near(s.result.stalls[FW_SM_STALL_LONG], 10 * 8 + 30 - 10, 0.02));
    s.simulation.waiting = 4; /* the tenth issues when the fifth is taken, but for itself */
    assert_true(near(run(&s), endless, 1e-9));
    double held = s.result.stalls[FW_SM_STALL_LG] + s.result.stalls[FW_SM_STALL_NOT_SELECTED];
    assert_true(near(held, 5 * 8 - 9, 0.02));
    assert_true(s.result.stalls[FW_SM_STALL_LG] > 0.8 * held);
    assert_true(s.result.stalls[FW_SM_STALL_MIO] <= 0);
    assert_true(part(&s, FW_SM_PART_LG) > 0);
    s.access.wait = FW_SM_WAIT_SHORT;
    assert_true(near(run(&s), endless, 1e-9));
    assert_true(s.result.stalls[FW_SM_STALL_LG] <= 0);
    assert_true(s.result.stalls[FW_SM_STALL_MIO] > 0.8 * held);
    assert_true(part(&s, FW_SM_PART_MIO) > 0);
    s.simulation.waiting = 16; /* nobody waits for a place */
    run(&s);
    assert_true(s.result.stalls[FW_SM_STALL_MIO] <= 0);
    fw_arena_free(s.arena);
}

/* Special functions wait in the queue: operations behind them go on. */
static void test_special_functions_queue(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    s.operations[FUSED] = (struct fw_sm_operation){
        .unit = FW_SM_XU, .every = 1, .interval = 8, .latency = 20, .wait = FW_SM_WAIT_SHORT};
    for (int i = 0; i < 4; i++)
        operation(&s, FUSED, false);
    for (int i = 0; i < 10; i++)
        operation(&s, PLAIN, false);
    s.simulation.waiting = 8;
    run(&s);
    assert_true(s.result.stalls[FW_SM_STALL_MATH] > 15);
    s.operations[FUSED].queued = true;
    assert_true(near(run(&s), 3 * 8 + 20, 0.05));
    assert_true(s.result.stalls[FW_SM_STALL_MATH] <= 0 && s.result.stalls[FW_SM_STALL_MIO] <= 0);
    s.simulation.waiting = 1;
    run(&s);
    assert_true(s.result.stalls[FW_SM_STALL_MIO] + s.result.stalls[FW_SM_STALL_NOT_SELECTED] > 10);
    fw_arena_free(s.arena);
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

/* Loads behind stores that L2 does not take wait in the load-store unit; behind as many as L2 takes
 * within its latency they do not. */
static void test_stores_hold_up_loads(void **state)
{
    double stalls[2];
    (void)state;
    for (int slow = 0; slow < 2; slow++) {
        struct subject s;
        begin(&s);
        s.access.cycles[FW_SM_SERVER_STORES] = slow ? 400 : 20;
        s.access.waits = false;
        for (int i = 0; i < 8; i++)
            operation(&s, LOAD, false);
        struct fw_sm_access both[2] = {s.access, s.access};
        both[1].cycles[FW_SM_SERVER_STORES] = 0;
        both[1].waits = true;
        s.simulation.accesses = both;
        operation(&s, LOAD, false);
        s.steps[s.program.count - 1].instruction = 1;
        operation(&s, PLAIN, true);
        s.simulation.account = NULL;
        run(&s);
        stalls[slow] = s.result.stalls[FW_SM_STALL_LONG];
        fw_arena_free(s.arena);
    }
    assert_true(near(stalls[0], 500 + 9 * 8, 0.1));
    assert_true(near(stalls[1], 7 * 400, 0.1));
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

/* What waits for device memory behind its own multiprocessor's requests waits no longer for those
 * of others: a busy server is busy, and no more. */
static void test_device_memory_is_waited_for_once(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    s.access.cycles[FW_SM_SERVER_DRAM] = 100;
    s.access.miss_l2 = 1;
    s.simulation.queue = 100;
    s.simulation.warps = 16;
    uint32_t first = loop(&s, 50);
    operation(&s, LOAD, true);
    again(&s, first);
    assert_true(near(run(&s), 16 * 50 * 100 + 700, 0.08));
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

/* Eight warps walk over the same lines: each line is fetched once, and all wait for it. */
static void test_shared_lines_are_waited_for_by_all(void **state)
{
    enum { WARPS = 8, LINES = 40 };
    static const uint8_t leader[WARPS] = {0};
    struct subject s;
    (void)state;
    begin(&s);
    s.simulation.warps = WARPS;
    s.access.miss_l1 = 1.0 / WARPS;
    uint32_t first = loop(&s, LINES);
    operation(&s, LOAD, true);
    again(&s, first);
    double apart = run(&s);
    assert_true(apart < 0.5 * LINES * 500);
    s.access.leader = leader;
    s.access.comes = s.access.fetches = 1;
    assert_true(near(run(&s), LINES * 509, 0.03));
    assert_true(near(s.result.served[FW_SM_SERVER_L2], LINES * 8, 0.03));
    s.access.comes = 0.25; /* four executions a line */
    assert_true(near(run(&s), LINES * (509 + 3 * 31) / 4.0, 0.06));
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

/* Two warps that are never in one loop: no state is steady.  What the limit would cut off is told
 * by two simulations of fewer trips, each loop by its own rate: the first is slow, the second fast.
 */
/* A warp by itself of which one load in eight misses: iterations without a miss stand for no
 * others. */
static void test_rare_misses_are_not_skipped(void **state)
{
    enum { TRIPS = 4000 };
    struct subject s;
    (void)state;
    begin(&s);
    s.access.miss_l1 = 1.0 / 8;
    uint32_t first = loop(&s, TRIPS);
    operation(&s, LOAD, true);
    again(&s, first);
    assert_true(near(run(&s), TRIPS * (7 * 31 + 509) / 8.0, 0.05));
    assert_true(s.result.issues < TRIPS / 2);
    fw_arena_free(s.arena);
}

/* Nor where stores, which all go to L2, are many beside: they are no chance. */
static void test_rare_misses_beside_stores(void **state)
{
    enum { TRIPS = 4000, STORES = 8 };
    struct subject s;
    struct fw_sm_access accesses[2];
    (void)state;
    begin(&s);
    accesses[0] = accesses[1] = s.access;
    accesses[0].miss_l1 = 1.0 / 8;
    accesses[1].waits = false;
    accesses[1].cycles[FW_SM_SERVER_L2] = 1;
    uint32_t first = loop(&s, TRIPS);
    operation(&s, LOAD, true);
    for (int i = 0; i < STORES; i++)
        add(&s, (struct fw_step){
                    .kind = FW_STEP_OPERATION, .operation = LOAD, .instruction = 1, .slot = 1});
    again(&s, first);
    s.simulation.accesses = accesses;
    double cycles = run(&s);
    assert_true(cycles > TRIPS * (7 * 31 + 509) / 8.0);
    fw_arena_free(s.arena);
}

static void test_long_loops_are_shortened(void **state)
{
    enum { TRIPS = 20000, LIMIT = 20000 };
    double cycles[2];
    (void)state;
    for (int limited = 0; limited < 2; limited++) {
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
        fw_sm_simulate(&s.result, s.arena, &s.simulation);
        cycles[limited] = s.result.cycles;
        assert_false(s.result.cut);
        assert_true(s.result.shorter == limited);
        assert_true(!limited || near(s.result.issued, 5.0 * TRIPS, 0.01));
        assert_true(near(sum_of_account(&s), s.result.cycles, 1e-6));
        fw_arena_free(s.arena);
        fw_arena_free(other.arena);
    }
    print_message("%g and %g cycles\n", cycles[0], cycles[1]);
    assert_true(near(cycles[1], cycles[0], 0.01));
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

/* What nobody waits for bounds the time all the same; it queues apart from L2. */
static void test_servers_bound_the_time(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t first = loop(&s, 400);
    operation(&s, LOAD, false);
    again(&s, first);
    s.simulation.warps = 8;
    s.access.waits = false;
    s.access.cycles[FW_SM_SERVER_ATOMICS] = 300;
    assert_true(run(&s) >= 400 * 8 * 300);
    fw_arena_free(s.arena);
}

/* The successor of a block begins when its stores are on their way; the launch ends when the last
 * of them are acknowledged. */
static void test_stores_hold_no_place(void **state)
{
    double cycles[2];
    (void)state;
    for (int waits = 0; waits < 2; waits++) {
        struct subject s;
        begin(&s);
        operation(&s, LOAD, false);
        s.simulation.blocks = 3;
        s.access.waits = waits;
        cycles[waits] = run(&s);
        fw_arena_free(s.arena);
    }
    assert_true(near(cycles[1], 3 * 500, 0.1));
    assert_true(near(cycles[0], 500, 0.1));
}

/* A request waits for the last of its lines: far ones, slow ones, late ones. */
static void test_lines_are_waited_for(void **state)
{
    struct subject s;
    double alone, far;
    (void)state;
    for (double lines = 1; lines < 33; lines += 31) {
        begin(&s);
        uint32_t first = loop(&s, 64);
        operation(&s, LOAD, false);
        operation(&s, FUSED, true);
        again(&s, first);
        alone = run(&s);
        s.access.lines = lines;
        s.access.far = 100;
        s.access.far_share[0] = 0.25;
        far = run(&s) - alone;
        assert_true(near(far / 64, lines > 1 ? 100 : 25, 0.1));
        fw_arena_free(s.arena);
    }
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

/* Asynchronous copies: a wait for groups waits for all but the latest. */
static void test_copies_are_waited_for(void **state)
{
    (void)state;
    for (uint32_t left = 0; left < 3; left++) {
        struct subject s;
        begin(&s);
        s.access.waits = false;
        s.access.copies = true;
        for (int g = 0; g < 2; g++) {
            operation(&s, LOAD, false);
            add(&s, (struct fw_step){.kind = FW_STEP_COMMIT});
            for (int i = 0; i < 5; i++)
                operation(&s, FUSED, true);
        }
        add(&s, (struct fw_step){.kind = FW_STEP_COPIES, .other = left});
        run(&s);
        double waited = s.result.stalls[FW_SM_STALL_LONG];
        assert_true(left == 0   ? waited > 480
                    : left == 1 ? waited > 440 && waited < 490
                                : waited < 1);
        fw_arena_free(s.arena);
    }
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chain_waits_for_latency),
                                       cmocka_unit_test(test_warps_share_an_issue_slot),
                                       cmocka_unit_test(test_unit_is_busy),
                                       cmocka_unit_test(test_requests_of_a_warp_are_apart),
                                       cmocka_unit_test(test_halves_of_a_unit),
                                       cmocka_unit_test(test_registers_are_read),
                                       cmocka_unit_test(test_queues_fill),
                                       cmocka_unit_test(test_special_functions_queue),
                                       cmocka_unit_test(test_blocks_that_start_hold_up_nobody),
                                       cmocka_unit_test(test_stores_hold_up_loads),
                                       cmocka_unit_test(test_dispatch_takes_time),
                                       cmocka_unit_test(test_device_memory_is_waited_for_once),
                                       cmocka_unit_test(test_loads_overlap_between_warps),
                                       cmocka_unit_test(test_shared_lines_are_waited_for_by_all),
                                       cmocka_unit_test(test_barrier_waits_for_the_last),
                                       cmocka_unit_test(test_long_loop_is_skipped),
                                       cmocka_unit_test(test_rare_misses_are_not_skipped),
                                       cmocka_unit_test(test_rare_misses_beside_stores),
                                       cmocka_unit_test(test_long_loops_are_shortened),
                                       cmocka_unit_test(test_blocks_follow_each_other),
                                       cmocka_unit_test(test_last_place_goes_first),
                                       cmocka_unit_test(test_servers_bound_the_time),
                                       cmocka_unit_test(test_stores_hold_no_place),
                                       cmocka_unit_test(test_lines_are_waited_for),
                                       cmocka_unit_test(test_branches_and_arrivals_take_time),
                                       cmocka_unit_test(test_copies_are_waited_for),
                                       cmocka_unit_test(test_monotone),
                                       cmocka_unit_test(test_account_of_a_chain),
                                       cmocka_unit_test(test_account_of_a_load),
                                       cmocka_unit_test(test_account_of_a_busy_unit),
                                       cmocka_unit_test(test_account_of_the_tail),
                                       cmocka_unit_test(test_account_of_many_waves),
                                       cmocka_unit_test(test_account_of_an_empty_place),
                                       cmocka_unit_test(test_account_of_warps_that_end_early),
                                       cmocka_unit_test(test_timeline)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
