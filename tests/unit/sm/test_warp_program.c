/* The order in which a warp's program has its instructions: loads early, stores before loads that
 * they may write for, iterations of an unrolled loop together. */
#include "warp_subject.h"

static void test_loads_come_first(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t a = add_access(&s, FW_LOAD, FW_NONE), x = add(&s, a);
    uint32_t b = add_access(&s, FW_LOAD, FW_NONE), y = add(&s, b);
    make(&s, 0);
    assert_true(place(&s, b, 0) < place(&s, x, 0));
    assert_true(place(&s, a, 0) < place(&s, x, 0) && place(&s, b, 0) < place(&s, y, 0));
    s.rules.keep_order = true;
    make(&s, 0);
    assert_true(place(&s, b, 0) > place(&s, x, 0));
    fw_arena_free(s.arena);
}

static void test_load_stays_behind_a_store(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t a = add_access(&s, FW_LOAD, FW_NONE), x = add(&s, a);
    uint32_t store = add_access(&s, FW_STORE, x), b = add_access(&s, FW_LOAD, FW_NONE);
    make(&s, 0);
    assert_true(place(&s, b, 0) > place(&s, store, 0));
    s.kernel->accesses[2].cache = "nc"; /* nothing writes what it reads */
    make(&s, 0);
    assert_true(place(&s, b, 0) < place(&s, store, 0));
    fw_arena_free(s.arena);
}

/* A load that may pass a store stays behind it where a later load delays its user anyway. */
static void test_load_comes_with_the_load_it_meets(void **state)
{
    struct subject s;
    (void)state;
    for (int meets = 0; meets < 2; meets++) {
        begin(&s);
        uint32_t a = add_access(&s, FW_LOAD, FW_NONE), x = add(&s, a);
        add_access(&s, FW_STORE, x);
        uint32_t b = add_access(&s, FW_LOAD, FW_NONE), chased = add_access(&s, FW_LOAD, x);
        uint32_t y = add(&s, b), both[2] = {b, chased};
        s.kernel->accesses[2].cache = s.kernel->accesses[3].cache = "nc";
        s.kernel->schedule[y].waits_for = both;
        s.kernel->schedule[y].wait_count = meets ? 2 : 1;
        make(&s, 0);
        assert_true((place(&s, b, 0) > place(&s, x, 0)) == meets);
        assert_true(place(&s, b, 0) < place(&s, y, 0));
        fw_arena_free(s.arena);
    }
}

/* Of accesses alone: the next load is asked for before the result of the first is used. */
static void test_barrier_is_a_fence(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t a = add_access(&s, FW_LOAD, FW_NONE), x = add(&s, a), barrier = add(&s, FW_NONE);
    uint32_t b = add_access(&s, FW_LOAD, FW_NONE);
    s.kernel->schedule[barrier].is_barrier = true;
    s.kernel->schedule[barrier].barrier = FW_BARRIER_BLOCK;
    make(&s, 0);
    assert_true(place(&s, a, 0) < place(&s, barrier, 0));
    assert_true(place(&s, b, 0) > place(&s, barrier, 0));
    assert_true(place(&s, x, 0) > place(&s, b, 0));
    fw_arena_free(s.arena);
}

/* No load comes ahead of an instruction with a branch of its own, and all before it are issued when
 * it is. */
static void test_branch_of_its_own_is_a_fence(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t a = add_access(&s, FW_LOAD, FW_NONE), divides = add(&s, a);
    uint32_t b = add_access(&s, FW_LOAD, FW_NONE), x = add(&s, b);
    make(&s, 0);
    assert_true(place(&s, b, 0) < place(&s, divides, 0));
    s.operations[divides].parts = true;
    make(&s, 0);
    assert_true(place(&s, b, 0) > place(&s, divides, 0));
    assert_true(place(&s, x, 0) > place(&s, b, 0));
    fw_arena_free(s.arena);
    begin(&s);
    uint32_t early = add(&s, FW_NONE);
    divides = add(&s, FW_NONE);
    uint32_t late = add(&s, early);
    s.operations[divides] = (struct fw_sm_operation){.every = 1, .latency = 90, .parts = true};
    make(&s, 0);
    assert_true(place(&s, early, 0) < place(&s, divides, 0));
    assert_true(place(&s, late, 0) > place(&s, divides, 0));
    fw_arena_free(s.arena);
}

/* Of iterations in one, each stays behind the division of the one before, and waits for the load of
 * its own. */
static void test_fences_between_unrolled_iterations(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t a = add_access(&s, FW_LOAD, FW_NONE), divides = add(&s, a), x = add(&s, a);
    s.operations[divides].parts = true;
    s.kernel->loops[0].at_once = 4;
    make(&s, 8);
    assert_true(place(&s, a, 1) > place(&s, divides, 0));
    uint32_t loaded[4], loads = 0, uses = 0;
    for (uint32_t i = 0; i < s.program.count && uses < 4; i++) {
        const struct fw_step *step = &s.program.steps[i];
        if (step->kind == FW_STEP_OPERATION && step->instruction == a && loads < 4)
            loaded[loads++] = step->slot;
        if (step->kind != FW_STEP_OPERATION || step->instruction != x)
            continue;
        assert_int_equal(step->wait_count, 1);
        assert_int_equal(s.program.waits[step->first_wait], loaded[uses]);
        uses++;
    }
    assert_int_equal(uses, 4);
    fw_arena_free(s.arena);
}

/* A branch waits for its comparison longer than others for their operands. */
static void test_comparison_comes_early(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    s.rules.condition = 15;
    uint32_t x = add(&s, FW_NONE), compare;
    add(&s, x);
    compare = add(&s, FW_NONE);
    s.kernel->schedule[add(&s, compare)].group = FW_GROUP_CONTROL;
    make(&s, 0);
    assert_int_equal(place(&s, compare, 0), 0);
    fw_arena_free(s.arena);
}

/* Both ways of a branch that is not issued, in turn; they wait for its condition. */
static void test_predicated_ways_are_interleaved(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    s.rules.condition = 15;
    uint32_t compare = add(&s, FW_NONE), guard = add(&s, compare), ways[4];
    for (uint32_t i = 0; i < 4; i++) {
        ways[i] = add(&s, i % 2 ? ways[i - 1] : FW_NONE);
        s.kernel->schedule[ways[i]].predicated = true;
    }
    s.kernel->schedule[guard].group = FW_GROUP_CONTROL;
    s.free = guard;
    make(&s, 0);
    assert_true(place(&s, ways[2], 0) < place(&s, ways[1], 0));
    for (uint32_t i = 0; i < s.program.count; i++)
        if (s.program.steps[i].instruction == guard && s.program.steps[i].kind == FW_STEP_VALUE)
            assert_true(s.program.steps[i].delay > 10.9);
    fw_arena_free(s.arena);
}

/* A result that goes from one unit to the other takes a cycle more. */
static void test_crossing_takes_a_cycle(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t x = add(&s, FW_NONE), y = add(&s, x), z = add(&s, y);
    s.operations[y].unit = s.operations[z].unit = FW_SM_ALU;
    make(&s, 0);
    assert_true(s.program.steps[y].delay > 0.9 && s.program.steps[z].delay < 0.1);
    fw_arena_free(s.arena);
}

/* Where ways meet, their barrier keeps the warp; a branch that is not taken keeps it less. */
static void test_branches_and_meetings_keep_warps(void **state)
{
    struct subject s;
    double keeps = 0;
    (void)state;
    begin(&s);
    s.rules.condition = 15;
    s.rules.passed = 4;
    s.rules.meeting = 12;
    uint32_t compare = add(&s, FW_NONE), branch = add(&s, compare), meets;
    add(&s, FW_NONE);
    meets = add(&s, FW_NONE);
    s.kernel->schedule[branch].group = FW_GROUP_CONTROL;
    s.operations[meets].meets = true;
    make(&s, 0);
    for (uint32_t i = 0; i < s.program.count; i++)
        keeps += s.program.steps[i].kind == FW_STEP_BRANCH ? s.program.steps[i].keeps : 0;
    assert_true(keeps > 15.9 && keeps < 16.1);
    fw_arena_free(s.arena);
}

/* A branch through a table keeps its warp; so does each further place that threads go to, which
 * keeps its scheduler too. */
static void test_places_of_a_table_keep_warps(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t a = add(&s, FW_NONE), table = add(&s, a), x = add(&s, FW_NONE), y = add(&s, FW_NONE);
    s.kernel->schedule[table].group = FW_GROUP_CONTROL;
    s.operations[table] = (struct fw_sm_operation){.interval = 1, .every = 1, .indexed = true};
    s.kernel->schedule[x].is_place = s.kernel->schedule[y].is_place = true;
    s.costs.indexed = 19;
    s.costs.parted = 37;
    s.costs.place = 7;
    make(&s, 0);
    assert_int_equal(s.program.count, 8);
    assert_int_equal(s.program.steps[2].kind, FW_STEP_BRANCH); /* to the first */
    assert_float_equal(s.program.steps[2].keeps, 19, 0);
    assert_int_equal(s.program.steps[3].instruction, x);
    assert_int_equal(s.program.steps[4].kind, FW_STEP_BRANCH); /* from there to the second */
    assert_float_equal(s.program.steps[4].keeps, 37, 0);
    assert_int_equal(s.program.steps[5].operation, 7);
    assert_int_equal(s.program.steps[6].operation, y);
    fw_arena_free(s.arena);
}

/* Operations of one instruction are put in order each for itself, unless a branch is among them. */
static void test_operations_of_an_instruction(void **state)
{
    struct subject s;
    (void)state;
    for (int parts = 0; parts < 2; parts++) {
        begin(&s);
        uint32_t x = add(&s, FW_NONE), y = add(&s, x), both = add(&s, FW_NONE);
        s.operations[both].latency = 20;
        s.operations[both + 1] = s.operations[both];
        s.operations[both].parts = s.operations[both + 1].parts = parts;
        s.two = both;
        make(&s, 0);
        assert_int_equal(place(&s, both, 0), parts ? 2 : 0);
        assert_int_equal(place(&s, both, 1), 3);
        assert_int_equal(place(&s, y, 0), parts ? 1 : 2);
        fw_arena_free(s.arena);
    }
}

/* A constant that a load's instruction brings waits for nothing: neither for the load, behind which
 * it stands, nor for the load's address. */
static void test_constants_wait_for_nothing(void **state)
{
    struct subject s;
    uint32_t constants = 0;
    (void)state;
    begin(&s);
    uint32_t address = add(&s, FW_NONE), load = add_access(&s, FW_LOAD, address);
    s.operations[load].memory = true;
    s.operations[load + 1] = (struct fw_sm_operation){.every = 1, .interval = 1, .brings = true};
    s.two = load;
    make(&s, 0);
    for (uint32_t i = 0; i < s.program.count; i++) {
        const struct fw_step *step = &s.program.steps[i];
        if (step->kind != FW_STEP_OPERATION || step->instruction != load)
            continue;
        const bool brings = s.operations[step->operation].brings;
        assert_int_equal(step->wait_count, brings ? 0 : 1);
        assert_true((step->slot == load) != brings);
        constants += brings;
    }
    assert_int_equal(constants, 1);
    fw_arena_free(s.arena);
}

/* Steps that wait for nothing point to a list all the same. */
static void test_no_step_waits(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    add(&s, FW_NONE);
    make(&s, 0);
    for (uint32_t i = 0; i < s.program.count; i++)
        assert_int_equal(s.program.steps[i].wait_count, 0);
    assert_non_null(s.program.waits);
    fw_arena_free(s.arena);
}

static void test_issues_of_a_program(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    add(&s, add(&s, FW_NONE));
    make(&s, 7);
    double issues = fw_warp_program_issues(&s.program);
    assert_true(issues > 13.9 && issues < 14.1);
    fw_arena_free(s.arena);
}

/* Cycles from comparisons to branches; a branch that leaves instructions out; copies. */
static void test_branches_and_copies_are_steps(void **state)
{
    struct subject s;
    uint32_t kinds[FW_STEP_EXIT + 1] = {0};
    (void)state;
    begin(&s);
    s.rules.condition = 15;
    uint32_t compare = add(&s, FW_NONE), branch = add(&s, compare), skipped = add(&s, FW_NONE);
    uint32_t commit = add(&s, FW_NONE), wait = add(&s, FW_NONE);
    s.kernel->schedule[branch].group = FW_GROUP_CONTROL;
    s.kernel->schedule[commit].barrier = s.kernel->schedule[wait].barrier = FW_BARRIER_ASYNC;
    s.kernel->schedule[commit].commits = true;
    s.kernel->schedule[wait].waits_for_copies = true;
    s.kernel->schedule[wait].copies_left = 1;
    make(&s, 0);
    s.nodes[0].count = 2;
    s.nodes[1] = (struct fw_trace_node){.share = 1, .lanes = 32, .first = skipped + 1, .count = 2};
    s.run.count = 2;
    fw_warp_program_make(&s.program, s.arena, s.kernel, &s.traces, &s.run, &s.costs, &s.rules);
    for (uint32_t i = 0; i < s.program.count; i++) {
        const struct fw_step *step = &s.program.steps[i];
        kinds[step->kind]++;
        if (step->kind == FW_STEP_OPERATION && step->instruction == branch)
            assert_true(step->delay > 10.9 && step->delay < 11.1);
        if (step->kind == FW_STEP_COPIES)
            assert_int_equal(step->other, 1);
    }
    assert_int_equal(kinds[FW_STEP_BRANCH], 1);
    assert_int_equal(kinds[FW_STEP_COMMIT], 1);
    assert_int_equal(kinds[FW_STEP_COPIES], 1);
    fw_arena_free(s.arena);
}

/* ptxas waits for each wgmma by itself where registers do not suffice. */
static void test_products_apart_are_waited_for(void **state)
{
    (void)state;
    for (int apart = 0; apart < 2; apart++) {
        struct subject s;
        uint32_t waits = 0, commits = 0;
        begin(&s);
        add(&s, FW_NONE);
        for (int i = 0; i < 3; i++)
            s.operations[add(&s, FW_NONE)].product = true;
        s.rules.products_apart = apart;
        make(&s, 0);
        for (uint32_t i = 0; i < s.program.count; i++) {
            const struct fw_step *step = &s.program.steps[i];
            commits += step->kind == FW_STEP_COMMIT_PRODUCTS;
            waits += step->kind == FW_STEP_PRODUCTS;
            if (step->kind != FW_STEP_PRODUCTS)
                continue;
            assert_int_equal(step->other, 0); /* none is left */
            assert_int_equal(step[-1].kind, FW_STEP_COMMIT_PRODUCTS);
            assert_true(s.operations[step[-2].operation].product);
        }
        assert_int_equal(waits, apart ? 3 : 0);
        assert_int_equal(commits, apart ? 3 : 0);
        fw_arena_free(s.arena);
    }
}

/* Under a predicate that holds for no lane, a request of memory takes a wavefront, what else there
 * is an issue slot. */
static void test_idle_requests_take_a_wavefront(void **state)
{
    struct subject s;
    uint32_t idle = 0, slots = 0;
    (void)state;
    begin(&s);
    uint32_t branch = add(&s, FW_NONE), load = add_access(&s, FW_LOAD, FW_NONE);
    uint32_t sum = add(&s, load), behind = add(&s, FW_NONE);
    s.kernel->schedule[branch].group = FW_GROUP_CONTROL;
    s.kernel->schedule[load].predicated = s.kernel->schedule[sum].predicated = true;
    s.operations[load - 1].memory = true; /* the branch has none */
    s.free = branch;
    make(&s, 0);
    s.costs.slot = MOST - 1;
    s.costs.idle = MOST - 2;
    s.nodes[0].count = 1;
    s.nodes[1] = (struct fw_trace_node){.share = 1, .lanes = 32, .first = behind, .count = 1};
    s.run.count = 2;
    fw_warp_program_make(&s.program, s.arena, s.kernel, &s.traces, &s.run, &s.costs, &s.rules);
    for (uint32_t i = 0; i < s.program.count; i++) {
        const struct fw_step *step = &s.program.steps[i];
        idle += step->kind == FW_STEP_OPERATION && step->operation == s.costs.idle;
        slots += step->kind == FW_STEP_OPERATION && step->operation == s.costs.slot;
        if (step->kind == FW_STEP_OPERATION && step->operation == s.costs.idle)
            assert_int_equal(step->instruction, load);
    }
    assert_int_equal(idle, 1);
    assert_int_equal(slots, 0); /* the sum is issued as it is */
    fw_arena_free(s.arena);
}

/* Four iterations in one: their loads together; what is left over in two, and by itself. */
static void test_unrolled_iterations_are_interleaved(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t a = add_access(&s, FW_LOAD, FW_NONE), x = add(&s, a);
    s.kernel->loops[0].at_once = 4;
    make(&s, 11);
    assert_true(place(&s, a, 3) < place(&s, x, 0));
    assert_int_equal(place(&s, a, 7), FW_NONE); /* four copies, two, and one of the rest */
    assert_true(place(&s, a, 5) < place(&s, x, 4));
    double trips = 0;
    for (uint32_t i = 0, copies = 4; i < s.program.count; i++)
        if (s.program.steps[i].kind == FW_STEP_LOOP) {
            trips += copies * s.program.steps[i].trips;
            copies /= 2;
        }
    assert_true(trips > 10.9 && trips < 11.1);
    fw_arena_free(s.arena);
}

/* A loop that is left in its middle, of three whole iterations and a part of one: the assembler has
 * them behind each other, and what the first of them does for all comes once. */
static void test_parts_of_a_loop_are_one_piece(void **state)
{
    enum { AT_ONCE = 4 };
    struct subject s;
    struct fw_trace part;
    struct fw_trace_node middle, parts[2];
    uint32_t steps[2] = {0}, branches = 0;
    (void)state;
    begin(&s);
    add(&s, FW_NONE);
    add(&s, 0);
    s.operations[0].every = AT_ONCE;
    s.kernel->loops[0].at_once = AT_ONCE;
    make(&s, AT_ONCE - 1); /* fills what is below */
    middle = s.nodes[0];
    middle.count = 1;
    part = (struct fw_trace){.count = 1, .nodes = &middle};
    parts[0] = parts[1] = s.nodes[1];
    parts[1].trips = 1;
    parts[1].enters = false;
    parts[1].body = &part;
    s.all = (struct fw_trace){.count = 2, .nodes = parts};
    fw_warp_program_make(&s.program, s.arena, s.kernel, &s.traces, &s.all, &s.costs, &s.rules);
    for (uint32_t i = 0; i < s.program.count; i++) {
        const struct fw_step *step = &s.program.steps[i];
        branches += step->kind == FW_STEP_BRANCH;
        if (step->kind == FW_STEP_LOOP)
            assert_true(step->trips <= 1);
        if (step->kind == FW_STEP_OPERATION)
            steps[step->instruction]++;
    }
    assert_int_equal(steps[0], 1);
    assert_int_equal(steps[1], AT_ONCE - 1);
    assert_int_equal(branches, 0);
    fw_arena_free(s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_loads_come_first),
                                       cmocka_unit_test(test_load_stays_behind_a_store),
                                       cmocka_unit_test(test_load_comes_with_the_load_it_meets),
                                       cmocka_unit_test(test_barrier_is_a_fence),
                                       cmocka_unit_test(test_branch_of_its_own_is_a_fence),
                                       cmocka_unit_test(test_fences_between_unrolled_iterations),
                                       cmocka_unit_test(test_comparison_comes_early),
                                       cmocka_unit_test(test_predicated_ways_are_interleaved),
                                       cmocka_unit_test(test_crossing_takes_a_cycle),
                                       cmocka_unit_test(test_branches_and_meetings_keep_warps),
                                       cmocka_unit_test(test_places_of_a_table_keep_warps),
                                       cmocka_unit_test(test_operations_of_an_instruction),
                                       cmocka_unit_test(test_constants_wait_for_nothing),
                                       cmocka_unit_test(test_no_step_waits),
                                       cmocka_unit_test(test_issues_of_a_program),
                                       cmocka_unit_test(test_branches_and_copies_are_steps),
                                       cmocka_unit_test(test_products_apart_are_waited_for),
                                       cmocka_unit_test(test_idle_requests_take_a_wavefront),
                                       cmocka_unit_test(test_unrolled_iterations_are_interleaved),
                                       cmocka_unit_test(test_parts_of_a_loop_are_one_piece)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
