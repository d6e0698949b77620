/* Requests of warps in the pipeline of a multiprocessor: queues, servers, what is waited for. */
#include "subject_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* One load after the other, each waited for. */
static void begin_loads(struct subject *s, uint32_t rounds)
{
    begin(s);
    uint32_t first = loop(s, rounds);
    operation(s, LOAD, true);
    again(s, first);
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

/* A server that is busy for a share of its cycles takes longer for as many requests, and does no
 * more: a queue of loads, and stores that nobody waits for.  Device memory has a share of its own.
 */
static void test_servers_are_not_always_busy(void **state)
{
    struct subject s;
    (void)state;
    static const enum fw_sm_server servers[] = {FW_SM_SERVER_LSU, FW_SM_SERVER_STORES,
                                                FW_SM_SERVER_DRAM};
    for (size_t one = 0; one < sizeof(servers) / sizeof(servers[0]); one++) {
        const enum fw_sm_server server = servers[one];
        begin(&s);
        uint32_t first = loop(&s, 100);
        operation(&s, LOAD, false);
        again(&s, first);
        s.access.cycles[FW_SM_SERVER_LSU] = 0;
        s.access.cycles[server] = 8;
        s.access.miss_l1 = server != FW_SM_SERVER_LSU;
        s.access.miss_l2 = server == FW_SM_SERVER_DRAM;
        s.simulation.warps = 8;
        double always = run(&s);
        const double served = s.result.served[server];
        s.simulation.server_share = server == FW_SM_SERVER_DRAM ? 0 : 0.8;
        s.simulation.dram_share = server == FW_SM_SERVER_DRAM ? 0.8 : 0;
        assert_true(near(run(&s), always / 0.8, 0.03));
        assert_true(near(s.result.served[server], served, 1e-6));
        fw_arena_free(s.arena);
    }
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

/* A loop of loads that keep device memory busy, and one of loads that come one by one: these wait
 * for no queue of before. */
static void test_queues_pass(void **state)
{
    enum { BUSY = 40, LOADS = 16, ALONE = 60, LATENCY = 700, CYCLES = 100 };
    struct subject s;
    (void)state;
    begin(&s);
    s.access.cycles[FW_SM_SERVER_DRAM] = CYCLES;
    s.access.miss_l2 = 1;
    s.simulation.queue = CYCLES;
    uint32_t first = loop(&s, BUSY);
    for (int i = 0; i < LOADS; i++)
        operation(&s, LOAD, i == 0);
    again(&s, first);
    first = loop(&s, ALONE);
    operation(&s, LOAD, true);
    again(&s, first);
    assert_true(
        near(run(&s), BUSY * (LOADS * CYCLES + LATENCY) + ALONE * (LATENCY + CYCLES), 0.05));
    fw_arena_free(s.arena);
}

static void test_loads_overlap_between_warps(void **state)
{
    struct subject s;
    (void)state;
    begin_loads(&s, 10);
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

/* Of eight warps that ask for each other's lines one fetches them: the others find them on their
 * way, and wait as long, without a request of their own. */
static void test_lines_on_their_way_are_waited_for(void **state)
{
    enum { WARPS = 8 };
    struct subject s;
    (void)state;
    begin(&s);
    s.simulation.warps = WARPS;
    s.access.miss_l1 = 1.0 / WARPS;
    operation(&s, LOAD, true);
    operation(&s, PLAIN, true);
    run(&s);
    double apart = s.result.stalls[FW_SM_STALL_LONG];
    assert_true(apart < 2 * 510 + WARPS * 40);
    s.access.joined = 1;
    assert_true(near(run(&s), 510, 0.05));
    assert_true(near(s.result.stalls[FW_SM_STALL_LONG], WARPS * 500, 0.05));
    assert_true(s.result.served[FW_SM_SERVER_L2] < 2.5 * 8);
    fw_arena_free(s.arena);
}

/* A load, 1,000 other operations, and, if `again_later`, a load of lines that others asked for. */
static double load_and_later(bool again_later)
{
    struct subject s;
    begin(&s);
    s.access.miss_l1 = 0.1;
    s.access.joined = 1;
    operation(&s, LOAD, true);
    uint32_t first = loop(&s, 1000);
    operation(&s, PLAIN, false);
    again(&s, first);
    if (again_later) {
        operation(&s, LOAD, true);
        operation(&s, PLAIN, true);
    }
    double cycles = run(&s);
    fw_arena_free(s.arena);
    return cycles;
}

/* A load that issues when the data of its block have come finds them in L1. */
static void test_lines_that_have_come_are_there(void **state)
{
    (void)state;
    assert_true(load_and_later(true) < load_and_later(false) + 60);
}

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

/* Loops within loops, all of so few trips that they are neither watched nor shortened. */
static void short_loops(struct subject *s, uint32_t count, uint32_t which, bool chained)
{
    enum { TRIPS = 3 };
    uint32_t first[8];
    s->program.depth = 0;
    for (uint32_t l = 0; l < count; l++)
        first[l] = loop(s, TRIPS);
    operation(s, which, chained);
    for (uint32_t l = count; l-- > 0;)
        again(s, first[l]);
    s->program.depth = 8;
}

/* What the limit cuts off is simulated until twice as much of it tells the same: where all goes on
 * as it begins, that is soon; behind loads that arithmetic follows, at the limit. */
static void test_cut_off_when_it_is_sure(void **state)
{
    enum { LIMIT = 4000 };
    (void)state;
    for (int loads = 0; loads < 2; loads++) {
        struct subject s;
        begin(&s);
        s.simulation.warps = 32;
        if (loads)
            short_loops(&s, 3, LOAD, true);
        short_loops(&s, 6, FUSED, true);
        s.simulation.issues_per_block = 32.0 * (729 + loads * 27);
        double whole = run(&s);
        assert_false(s.result.cut);
        s.simulation.most_issues = LIMIT;
        double cut = run(&s);
        assert_true(s.result.cut);
        print_message("%g of %g cycles, %g issues\n", cut, whole, (double)s.result.issues);
        if (loads)
            assert_true(s.result.issues > LIMIT / 2);
        else
            assert_true(s.result.issues <= LIMIT / 2 && near(cut, whole, 0.05));
        fw_arena_free(s.arena);
    }
}

/* A loop of loads that L2 is full of, and one of products, of which the limit cuts off the second:
 * it takes what the FMA unit does, and not what the loads took for as many instructions; but no
 * less than its loops are known to. */
static void test_what_is_cut_off_asks_for_other_units(void **state)
{
    enum { TRIPS = 3, PRODUCTS = 3, ROUNDS = 40 };
    double served[FW_SM_SERVER_COUNT] = {0};
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t all = loop(&s, ROUNDS);
    uint32_t first = loop(&s, TRIPS);
    operation(&s, LOAD, true);
    again(&s, first);
    uint32_t second = loop(&s, PRODUCTS);
    for (int i = 0; i < 8; i++)
        operation(&s, FUSED, false);
    again(&s, second);
    again(&s, all);
    s.simulation.warps = 32;
    s.access.cycles[FW_SM_SERVER_L2] = 100;
    s.access.latency[1] = 100;
    s.simulation.issues_per_block = 32.0 * ROUNDS * (TRIPS + 8 * PRODUCTS);
    served[FW_SM_SERVER_L2] = 32.0 * ROUNDS * TRIPS * 100;
    served[FW_SM_SERVER_LSU] = 32.0 * ROUNDS * TRIPS;
    s.simulation.served_per_block = served;
    double whole = run(&s);
    assert_false(s.result.cut);
    s.simulation.most_issues = 32 * TRIPS; /* within the first loads */
    double cut = run(&s);
    assert_true(s.result.cut);
    assert_true(near(cut, whole, 0.1));
    assert_true(near(s.result.served[FW_SM_SERVER_L2], served[FW_SM_SERVER_L2], 1e-9));
    assert_true(near(sum_of_account(&s), cut, 1e-6));
    s.simulation.least_cycles = 2 * cut;
    assert_true(near(run(&s), 2 * cut, 1e-9));
    assert_true(near(sum_of_account(&s), 2 * cut, 1e-6));
    fw_arena_free(s.arena);
}

/* Of 25 loads of each of 16 warps L2 lacks one in the mean: by chance it lacks three of some warps,
 * which the launch waits for.  Where other blocks come in their places it does not. */
static void test_few_misses_fall_on_some_warps(void **state)
{
    struct subject s;
    (void)state;
    begin_loads(&s, 25);
    s.access.cycles[FW_SM_SERVER_L2] = 1;
    s.access.miss_l2 = 0.04;
    s.simulation.warps = 16;
    double evenly = run(&s);
    s.simulation.chances = 25;
    s.simulation.chance_misses = 1;
    assert_true(near(run(&s) - evenly, 2 * 200, 0.2));
    assert_true(near(s.result.served[FW_SM_SERVER_L2], 16 * 25, 1e-6));
    s.access.miss_l2 = 0.5; /* all wait most of the time */
    s.simulation.chance_misses = 12.5;
    const double half = run(&s);
    s.simulation.chance_misses = 0;
    assert_true(near(run(&s), half, 1e-9));
    s.access.miss_l2 = 0.04;
    s.simulation.blocks = 3;
    const double several = run(&s);
    s.simulation.chance_misses = 1;
    assert_true(near(run(&s), several, 1e-9));
    fw_arena_free(s.arena);
}

/* Where L2 lacks next to nothing, no warp misses many times as often as others. */
static void test_next_to_no_misses_cost_nothing(void **state)
{
    struct subject s;
    (void)state;
    begin_loads(&s, 25);
    s.access.cycles[FW_SM_SERVER_L2] = 1;
    s.simulation.warps = 16;
    const double none = run(&s);
    s.access.miss_l2 = 1e-6;
    s.simulation.chances = 25;
    s.simulation.chance_misses = 25e-6;
    assert_true(near(run(&s), none, 1e-6));
    fw_arena_free(s.arena);
}

/* A bulk copy of 128 lines, of which L2 lacks one in a hundred: most copies lack some, none lacks
 * all.  A load of as many is there as a whole or not. */
static void test_bulk_copies_lack_some_lines(void **state)
{
    enum { COPIES = 25, WARPS = 16, TAKES = 1000 };
    struct subject s;
    (void)state;
    begin_loads(&s, COPIES);
    s.access.lines = 128;
    s.access.cycles[FW_SM_SERVER_DRAM] = TAKES;
    s.access.miss_l2 = 0.01;
    s.simulation.warps = WARPS;
    run(&s);
    const double whole = s.result.served[FW_SM_SERVER_DRAM] / TAKES;
    assert_true(near(whole, round(whole), 1e-9));
    s.access.of_block = true;
    run(&s);
    assert_true(near(s.result.served[FW_SM_SERVER_DRAM], 0.01 * COPIES * WARPS * TAKES, 0.02));
    s.access.miss_l2 = 1;
    run(&s);
    assert_true(near(s.result.served[FW_SM_SERVER_DRAM], COPIES * WARPS * TAKES, 1e-9));
    fw_arena_free(s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_requests_of_a_warp_are_apart),
                                       cmocka_unit_test(test_queues_fill),
                                       cmocka_unit_test(test_servers_are_not_always_busy),
                                       cmocka_unit_test(test_special_functions_queue),
                                       cmocka_unit_test(test_stores_hold_up_loads),
                                       cmocka_unit_test(test_device_memory_is_waited_for_once),
                                       cmocka_unit_test(test_queues_pass),
                                       cmocka_unit_test(test_loads_overlap_between_warps),
                                       cmocka_unit_test(test_few_misses_fall_on_some_warps),
                                       cmocka_unit_test(test_next_to_no_misses_cost_nothing),
                                       cmocka_unit_test(test_bulk_copies_lack_some_lines),
                                       cmocka_unit_test(test_shared_lines_are_waited_for_by_all),
                                       cmocka_unit_test(test_lines_on_their_way_are_waited_for),
                                       cmocka_unit_test(test_lines_that_have_come_are_there),
                                       cmocka_unit_test(test_rare_misses_are_not_skipped),
                                       cmocka_unit_test(test_rare_misses_beside_stores),
                                       cmocka_unit_test(test_servers_bound_the_time),
                                       cmocka_unit_test(test_what_is_cut_off_asks_for_other_units),
                                       cmocka_unit_test(test_cut_off_when_it_is_sure),
                                       cmocka_unit_test(test_stores_hold_no_place),
                                       cmocka_unit_test(test_lines_are_waited_for),
                                       cmocka_unit_test(test_copies_are_waited_for)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
