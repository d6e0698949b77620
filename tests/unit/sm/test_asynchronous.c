/* Asynchronous products and mbarriers in the pipeline of a multiprocessor, on programs that are
 * written by hand. */
#include "simulate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { PLAIN, PRODUCT, LOGIC, SHUFFLE, COPY, OPERATIONS };
enum { MOST_STEPS = 64, MOST_WARPS = 8 };

/* Programs of the warps of a block, and what they run on. */
struct subject {
    struct fw_arena *arena;
    struct fw_step steps[MOST_WARPS][MOST_STEPS];
    struct fw_warp_program programs[MOST_WARPS];
    const struct fw_warp_program *all[MOST_WARPS];
    struct fw_sm_operation operations[OPERATIONS];
    struct fw_sm_costs costs;
    struct fw_sm_access accesses[2]; /* of instruction 1: copies */
    struct fw_sm_simulation simulation;
    struct fw_sm_result result;
};

static void begin(struct subject *s, uint32_t warps)
{
    memset(s, 0, sizeof(*s));
    s->arena = fw_arena_new(0);
    s->operations[PLAIN] = (struct fw_sm_operation){.every = 1, .interval = 1};
    s->operations[PRODUCT] = (struct fw_sm_operation){
        .unit = FW_SM_TENSOR, .product = true, .every = 1, .interval = 64, .completes = 66};
    s->operations[LOGIC] = (struct fw_sm_operation){
        .unit = FW_SM_ALU, .every = 1, .interval = 2, .latency = 4, .beside = 2};
    s->operations[SHUFFLE] = (struct fw_sm_operation){
        .unit = FW_SM_LSU, .every = 1, .interval = 1, .latency = 24, .wait = FW_SM_WAIT_SHORT};
    s->operations[COPY] = (struct fw_sm_operation){
        .unit = FW_SM_LSU, .memory = true, .every = 1, .interval = 1, .wait = FW_SM_WAIT_LONG};
    s->costs.operations = s->operations;
    s->accesses[1] = (struct fw_sm_access){.cycles = {[FW_SM_SERVER_LSU] = 1},
                                           .miss_l1 = 1,
                                           .copies = true,
                                           .latency = {30, 500, 700},
                                           .wait = FW_SM_WAIT_LONG};
    for (uint32_t w = 0; w < warps; w++) {
        s->programs[w] = (struct fw_warp_program){.steps = s->steps[w], .slots = 1};
        s->all[w] = &s->programs[w];
    }
    s->simulation = (struct fw_sm_simulation){.costs = &s->costs,
                                              .accesses = s->accesses,
                                              .schedulers = 4,
                                              .resident = 1,
                                              .blocks = 1,
                                              .warps = warps,
                                              .phase = 48,
                                              .waiting = 16,
                                              .waiting_products = 4,
                                              .programs = s->all,
                                              .kinds = 1,
                                              .most_issues = 1000000,
                                              .issues_per_block = 1};
}

static void add(struct subject *s, uint32_t warp, struct fw_step step)
{
    s->steps[warp][s->programs[warp].count++] = step;
}

static void operation(struct subject *s, uint32_t warp, uint32_t which)
{
    add(s, warp, (struct fw_step){.kind = FW_STEP_OPERATION, .operation = which});
}

static uint32_t loop(struct subject *s, uint32_t warp, double trips)
{
    add(s, warp, (struct fw_step){.kind = FW_STEP_LOOP, .trips = trips});
    s->programs[warp].depth = 1;
    return s->programs[warp].count - 1;
}

static void again(struct subject *s, uint32_t warp, uint32_t begins)
{
    s->steps[warp][begins].other = s->programs[warp].count;
    add(s, warp, (struct fw_step){.kind = FW_STEP_AGAIN, .other = begins});
}

static double run(struct subject *s)
{
    for (uint32_t w = 0; w < s->simulation.warps; w++)
        if (s->programs[w].count == 0 || s->steps[w][s->programs[w].count - 1].kind != FW_STEP_EXIT)
            add(s, w, (struct fw_step){.kind = FW_STEP_EXIT});
    fw_sm_simulate(&s->result, s->arena, &s->simulation);
    fw_arena_free(s->arena);
    return s->result.cycles;
}

/* Rounds of four products that are waited for, of so many warps of each scheduler. */
static double products(uint32_t warps, uint32_t waiting)
{
    struct subject s;
    begin(&s, 4 * warps);
    s.simulation.waiting_products = waiting;
    for (uint32_t w = 0; w < 4 * warps; w++) {
        uint32_t first = loop(&s, w, 16);
        for (int p = 0; p < 4; p++)
            operation(&s, w, PRODUCT);
        add(&s, w, (struct fw_step){.kind = FW_STEP_COMMIT_PRODUCTS});
        add(&s, w, (struct fw_step){.kind = FW_STEP_PRODUCTS});
        again(&s, w, first);
    }
    return run(&s) / 16;
}

/* Data/h200/asynchronous, overlaps.jsonl: 320 cycles of one warp group, 513 of two: while one waits
 * for its products, the other's queue. */
static void test_products_queue(void **state)
{
    (void)state;
    assert_true(fabs(products(2, 4) - 512) < 16);
    assert_true(fabs(products(1, 0) - (256 + 66)) < 8);
}

/* Cycles of 64 operations of one warp, beside another's products or without. */
static double beside(uint32_t which, bool ordered, double delivery)
{
    struct subject s;
    double last = 0;
    for (int twice = 0; twice < 2;
         twice++) { /* with as many again: the end of products is left out */
        begin(&s, 8);
        s.operations[PRODUCT].delivery = delivery;
        for (int p = 0; p < 40 && ordered; p++)
            operation(&s, 0, PRODUCT);
        uint32_t first = loop(&s, 4, twice ? 16 : 8);
        for (int i = 0; i < 8; i++)
            operation(&s, 4, which);
        again(&s, 4, first);
        run(&s);
        double busy = which == LOGIC ? s.result.busy[FW_SM_ALU] : s.result.served[FW_SM_SERVER_LSU];
        last = twice ? busy - last : busy;
    }
    return last;
}

static void test_products_slow_others(void **state)
{
    (void)state;
    assert_true(fabs(beside(LOGIC, false, 0.75) - 128) < 1);
    assert_true(fabs(beside(LOGIC, true, 0.75) - 256) < 8);
    assert_true(fabs(beside(SHUFFLE, false, 0.75) - 64) < 1);
    assert_true(fabs(beside(SHUFFLE, true, 0.75) - 256) < 8);
    assert_true(beside(SHUFFLE, true, 1) > 64 * 20); /* until the products end */
}

/* A producer (warp 0) with `stages` stages and consumers that work so long on each of 20 tiles. */
static double pipeline(uint32_t stages, double work, uint32_t consumers)
{
    enum { FULL = 1, EMPTY = 2 };
    struct subject s;
    begin(&s, 1 + consumers);
    const struct fw_step full = {.other = FULL, .arrivals = 1, .places = stages, .trips = 1};
    const struct fw_step empty = {
        .other = EMPTY, .arrivals = consumers, .places = stages, .trips = 1};
    struct fw_step step = empty;
    uint32_t first = loop(&s, 0, 20);
    step.kind = FW_STEP_PHASE;
    add(&s, 0, step);
    step = full;
    step.kind = FW_STEP_ARRIVE;
    step.step = 1;
    add(&s, 0, step);
    add(&s, 0,
        (struct fw_step){
            .kind = FW_STEP_OPERATION, .operation = COPY, .instruction = 1, .other = FULL});
    again(&s, 0, first);
    for (uint32_t w = 1; w <= consumers; w++) {
        first = loop(&s, w, 20);
        step = full;
        step.kind = FW_STEP_PHASE;
        add(&s, w, step);
        for (int i = 0; i < (int)work; i++)
            operation(&s, w, PLAIN);
        step = empty;
        step.kind = FW_STEP_ARRIVE;
        add(&s, w, step);
        again(&s, w, first);
    }
    return run(&s);
}

/* A tile takes the wait for its place, the copy, the wait for it and the work; with stages these
 * overlap, until the consumers' part or the copies bound them. */
static void test_stages_are_waited_for(void **state)
{
    (void)state;
    double one = pipeline(1, 30, 1), four = pipeline(4, 30, 1), many = pipeline(16, 30, 1);
    assert_true(fabs(one - 20 * (48 + 501 + 48 + 30)) < 0.05 * one);
    assert_true(fabs(four - one / 4) < 0.15 * four);
    assert_true(many < 0.85 * four);
    assert_true(many > 20 * (48 + 30));
    assert_true(pipeline(4, 30, 5) >= 0.99 * four); /* the last of them lets the producer go on */
}

/* Cycles of rounds in which a warp orders a bulk load or a bulk store, and waits for the group of
 * its stores. */
static double bulk_rounds(bool stores)
{
    enum { ROUNDS = 16 };
    struct subject s;
    begin(&s, 1);
    s.accesses[1].copies = !stores;
    s.accesses[1].in_flight = stores ? 0 : 100;
    s.accesses[1].reads = stores ? 100 : 0;
    uint32_t first = loop(&s, 0, ROUNDS);
    add(&s, 0, (struct fw_step){.kind = FW_STEP_OPERATION, .operation = COPY, .instruction = 1});
    add(&s, 0, (struct fw_step){.kind = FW_STEP_COMMIT});
    add(&s, 0, (struct fw_step){.kind = FW_STEP_COPIES});
    again(&s, 0, first);
    operation(&s, 0, PLAIN);
    return run(&s) / ROUNDS;
}

/* A group of bulk copies is over when shared memory has been read, long before L2 has the data;
 * bulk loads belong to no group: they complete on mbarriers. */
static void test_groups_of_bulk_copies(void **state)
{
    (void)state;
    assert_true(fabs(bulk_rounds(true) - 100) < 60);
    assert_true(bulk_rounds(false) < 60);
}

/* The same where each is read as L2 takes it, behind what it was sent before. */
static void test_bulk_copies_wait_for_l2(void **state)
{
    enum { ROUNDS = 16, TAKES = 400 };
    struct subject s;
    (void)state;
    begin(&s, 2);
    s.accesses[1].copies = false;
    s.accesses[1].reads = 100;
    s.accesses[1].cycles[FW_SM_SERVER_STORES] = TAKES;
    for (uint32_t w = 0; w < 2; w++) {
        uint32_t first = loop(&s, w, ROUNDS);
        /* The second warp asks shared memory: bulk copies do not hold it up. */
        add(&s, w,
            (struct fw_step){
                .kind = FW_STEP_OPERATION, .operation = w ? SHUFFLE : COPY, .instruction = !w});
        add(&s, w, (struct fw_step){.kind = w ? FW_STEP_VALUE : FW_STEP_COMMIT});
        add(&s, w, (struct fw_step){.kind = w ? FW_STEP_VALUE : FW_STEP_COPIES});
        again(&s, w, first);
        operation(&s, w, PLAIN);
    }
    double cycles = run(&s);
    assert_true(fabs(cycles - ROUNDS * TAKES) < 2 * TAKES);
    assert_true(s.result.stalls[FW_SM_STALL_SHORT] < TAKES);
}

/* A warp whose copies bring what another one waits for; it arrives when they are there, or at once.
 */
static double copied_rounds(bool behind_copies)
{
    enum { ROUNDS = 3 };
    struct subject s;
    begin(&s, 2);
    for (uint32_t w = 0; w < 2; w++) {
        uint32_t first = loop(&s, w, ROUNDS);
        if (w == 0)
            add(&s, w,
                (struct fw_step){.kind = FW_STEP_OPERATION, .operation = COPY, .instruction = 1});
        add(&s, w,
            (struct fw_step){.kind = w ? FW_STEP_PHASE : FW_STEP_ARRIVE,
                             .other = 1,
                             .arrivals = 32,
                             .places = ROUNDS,
                             .behind_copies = behind_copies && w == 0,
                             .trips = 32});
        again(&s, w, first);
        operation(&s, w, PLAIN);
    }
    return run(&s);
}

static void test_arrivals_behind_copies(void **state)
{
    (void)state;
    assert_true(copied_rounds(false) < 520); /* the launch ends when its copies are there */
    assert_true(copied_rounds(true) > 500 + 2 * 48);
}

/* A fence waits for bulk copies of the multiprocessor that are on their way. */
static void test_fences(void **state)
{
    enum { FENCE = 200, COPIED = 501 };
    (void)state;
    for (int copies = 0; copies < 2; copies++) {
        struct subject s;
        begin(&s, 2);
        s.accesses[1].in_flight = 100;
        operation(&s, 0, PLAIN);
        if (copies)
            add(&s, 1,
                (struct fw_step){.kind = FW_STEP_OPERATION, .operation = COPY, .instruction = 1});
        for (int i = 0; i < 8; i++)
            operation(&s, 0, LOGIC);
        add(&s, 0, (struct fw_step){.kind = FW_STEP_FENCE, .keeps = FENCE});
        operation(&s, 0, PLAIN);
        operation(&s, 1, PLAIN);
        double cycles = run(&s);
        assert_true(fabs(cycles - (copies ? COPIED + FENCE : FENCE + 16)) < 30);
    }
}

/* What device memory brings is written to L2's lines, as stores are: one after the other. */
static void test_lines_are_written_once_each(void **state)
{
    enum { ROUNDS = 64, FILL = 100, STORE = 150 };
    struct subject s;
    (void)state;
    begin(&s, 2);
    s.accesses[0] = s.accesses[1];
    s.accesses[0].copies = false;
    s.accesses[0].cycles[FW_SM_SERVER_LINES] = STORE;
    s.accesses[1].miss_l2 = 1;
    s.accesses[1].fill = FILL;
    for (uint32_t w = 0; w < 2; w++) {
        uint32_t first = loop(&s, w, ROUNDS);
        add(&s, w,
            (struct fw_step){.kind = FW_STEP_OPERATION, .operation = COPY, .instruction = w});
        again(&s, w, first);
        operation(&s, w, PLAIN);
    }
    double cycles = run(&s);
    assert_true(fabs(cycles / (ROUNDS * (FILL + STORE)) - 1) < 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_groups_of_bulk_copies),
                                       cmocka_unit_test(test_products_queue),
                                       cmocka_unit_test(test_products_slow_others),
                                       cmocka_unit_test(test_stages_are_waited_for),
                                       cmocka_unit_test(test_bulk_copies_wait_for_l2),
                                       cmocka_unit_test(test_arrivals_behind_copies),
                                       cmocka_unit_test(test_fences),
                                       cmocka_unit_test(test_lines_are_written_once_each)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
