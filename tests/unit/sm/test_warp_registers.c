/* Registers and the order of a warp's program: loads are issued as early as there are registers for
 * what they bring. */
#include "warp_subject.h"

static void test_registers_limit_loads(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t a = add_access(&s, FW_LOAD, FW_NONE), x = add(&s, a);
    uint32_t b = add_access(&s, FW_LOAD, FW_NONE);
    add(&s, b);
    s.rules.registers = 2; /* half of them: one value */
    make(&s, 0);
    assert_true(place(&s, b, 0) > place(&s, x, 0));
    fw_arena_free(s.arena);
}

/* Registers that the instructions hold anyway are none for loads in flight. */
static void test_pressure_limits_loads(void **state)
{
    struct subject s;
    (void)state;
    for (uint32_t need = 20; need <= 30; need += 10) {
        begin(&s);
        uint32_t a = add_access(&s, FW_LOAD, FW_NONE), x = add(&s, a), last = a;
        add_access(&s, FW_LOAD, FW_NONE);
        add(&s, 2);
        last = add_access(&s, FW_LOAD, FW_NONE);
        add(&s, last);
        s.rules.registers = 30;
        s.kernel->resources.pressures = &(struct fw_pressure){.domain = 0, .need = need};
        s.kernel->resources.pressure_count = 1;
        make(&s, 0);
        assert_true((place(&s, last, 0) < place(&s, x, 0)) == (need == 20));
        fw_arena_free(s.arena);
    }
}

/* What a block needs where it computes keeps no loads back that stand together in the text, as far
 * as there are registers for what is live there. */
static void test_loads_of_the_text_stay_together(void **state)
{
    struct subject s;
    (void)state;
    for (uint32_t there = 25; there <= 35; there += 10) {
        begin(&s);
        uint32_t a = add_access(&s, FW_LOAD, FW_NONE), x = add(&s, a), last = a;
        add_access(&s, FW_LOAD, FW_NONE);
        add(&s, 2);
        last = add_access(&s, FW_LOAD, FW_NONE);
        add(&s, last);
        s.rules.registers = 30;
        s.kernel->resources.pressures =
            &(struct fw_pressure){.domain = 0, .need = 40, .ahead = 3, .ahead_need = there};
        s.kernel->resources.pressure_count = 1;
        make(&s, 0);
        assert_true((place(&s, last, 0) < place(&s, x, 0)) == (there == 25));
        fw_arena_free(s.arena);
    }
}

/* ptxas orders few loads from shared memory ahead of their use, whatever registers there are. */
static void test_shared_loads_come_late(void **state)
{
    struct subject s;
    (void)state;
    for (int shared = 0; shared < 2; shared++) {
        begin(&s);
        uint32_t first = FW_NONE, last = FW_NONE;
        for (int i = 0; i < 3; i++) {
            uint32_t load = last = add_access(&s, FW_LOAD, FW_NONE), user = add(&s, load);
            first = first == FW_NONE ? user : first;
            s.kernel->accesses[i].bytes = 32; /* eight values */
            s.kernel->accesses[i].space = shared ? FW_SPACE_SHARED : FW_SPACE_GLOBAL;
        }
        make(&s, 0);
        assert_true((place(&s, last, 0) > place(&s, first, 0)) == (shared == 1));
        fw_arena_free(s.arena);
    }
}

/* An instruction that waits for two. */
static uint32_t add_of(struct subject *s, uint32_t one, uint32_t other)
{
    uint32_t both[] = {one, other}, i = add(s, one);
    s->kernel->schedule[i].waits_for = fw_arena_copy(s->arena, both, sizeof(both));
    s->kernel->schedule[i].wait_count = 2;
    return i;
}

/* Registers for the loads' results of one operation alone. */
static void leave_two(struct subject *s)
{
    s->rules.registers = 30;
    s->kernel->resources.pressures = FW_NEW(s->arena, struct fw_pressure);
    *s->kernel->resources.pressures = (struct fw_pressure){.domain = 0, .need = 30};
    s->kernel->resources.pressure_count = 1;
}

/* A product that is merged into its sum issues nothing: the sum reads the loads' results, whose
 * registers are free behind it. */
static void test_merged_products_hold_registers(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t a = add_access(&s, FW_LOAD, FW_NONE), b = add_access(&s, FW_LOAD, FW_NONE);
    s.free = add_of(&s, a, b);
    uint32_t sum = add(&s, s.free), next = add_access(&s, FW_LOAD, FW_NONE);
    add(&s, next);
    leave_two(&s);
    make(&s, 0);
    assert_true(place(&s, next, 0) > place(&s, sum, 0));
    fw_arena_free(s.arena);
}

/* Constants are operands of what reads them, and take no registers. */
static void test_constants_hold_no_registers(void **state)
{
    struct subject s;
    (void)state;
    for (unsigned constant = 0; constant < 2; constant++) {
        begin(&s);
        uint32_t a = add_access(&s, FW_LOAD, FW_NONE), b = add_access(&s, FW_LOAD, FW_NONE);
        uint32_t sum = add_of(&s, a, b), third = add_access(&s, FW_LOAD, FW_NONE);
        add(&s, third);
        if (constant)
            s.kernel->accesses[s.kernel->schedule[third].access].space = FW_SPACE_CONST;
        leave_two(&s);
        make(&s, 0);
        assert_true((place(&s, third, 0) < place(&s, sum, 0)) == (constant == 1));
        fw_arena_free(s.arena);
    }
}

/* A load does not take the registers of those before it, without which nothing goes on: that of a
 * value stays for the one that is multiplied by what an index leads to. */
static void test_loads_leave_registers_to_those_before(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t index = add_access(&s, FW_LOAD, FW_NONE), led_to = add_access(&s, FW_LOAD, index);
    uint32_t value = add_access(&s, FW_LOAD, FW_NONE);
    add_of(&s, led_to, value);
    uint32_t later = add_access(&s, FW_LOAD, FW_NONE);
    add(&s, add(&s, later)); /* more is behind it than behind the value */
    leave_two(&s);
    make(&s, 0);
    assert_true(place(&s, value, 0) < place(&s, later, 0));
    assert_true(place(&s, led_to, 0) < place(&s, later, 0));
    fw_arena_free(s.arena);
}

/* Where all registers that cost no resident warps are needed, integers that the warp shares leave
 * theirs, be they the block's or others'; where nothing else is known, ptxas takes these registers
 * for loads.  Where it told how many it has, others' have left theirs already. */
static void test_shared_integers_leave_registers(void **state)
{
    struct subject s;
    (void)state;
    bool early_by_ptxas[3];
    for (uint32_t shared = 0; shared < 3; shared++) {
        begin(&s);
        uint32_t a = add_access(&s, FW_LOAD, FW_NONE), b = add_access(&s, FW_LOAD, FW_NONE);
        uint32_t sum = add_of(&s, a, b), third = add_access(&s, FW_LOAD, FW_NONE);
        add(&s, third);
        leave_two(&s);
        s.rules.registers = 32;
        s.kernel->resources.pressures->need = 32;
        s.kernel->resources.pressures->common = shared == 1 ? 4 : 0;
        s.kernel->resources.pressures->others = shared == 2 ? 4 : 0;
        s.kernel->resources.registers_source = "liveness";
        make(&s, 0);
        assert_true((place(&s, third, 0) < place(&s, sum, 0)) == (shared > 0));
        s.kernel->resources.registers_source = "ptxas";
        make(&s, 0);
        early_by_ptxas[shared] = place(&s, third, 0) < place(&s, sum, 0);
        s.kernel->resources.pressures->need = 28;
        s.kernel->resources.registers_source = "liveness";
        s.rules.registers = 28;
        make(&s, 0);
        assert_true(place(&s, third, 0) < place(&s, sum, 0));
        s.kernel->resources.registers_source = "ptxas"; /* they cost ptxas nothing, either */
        make(&s, 0);
        assert_true(place(&s, third, 0) < place(&s, sum, 0));
        s.kernel->resources.registers_source = "stated"; /* what if there were no more */
        make(&s, 0);
        assert_true(place(&s, third, 0) > place(&s, sum, 0));
        fw_arena_free(s.arena);
    }
    assert_true(early_by_ptxas[1] && early_by_ptxas[2] == early_by_ptxas[0]);
}

/* The sum of two loads, and a third load with more behind it than is behind them. */
static uint32_t add_three_loads(struct subject *s, uint32_t *sum)
{
    uint32_t a = add_access(s, FW_LOAD, FW_NONE), b = add_access(s, FW_LOAD, FW_NONE);
    *sum = add_of(s, a, b);
    uint32_t third = add_access(s, FW_LOAD, FW_NONE);
    add(s, third);
    return third;
}

/* Whether the third load is in flight with the two before it, where ptxas has given 40 registers to
 * a kernel whose block needs `need`. */
static bool is_third_in_flight(uint32_t need, uint32_t loaded)
{
    struct subject s;
    begin(&s);
    uint32_t sum, third = add_three_loads(&s, &sum);
    s.rules.registers = 40;
    s.kernel->resources.registers_source = "ptxas";
    s.kernel->resources.pressures =
        &(struct fw_pressure){.domain = 0, .need = need, .loaded = loaded};
    s.kernel->resources.pressure_count = 1;
    make(&s, 0);
    bool in_flight = place(&s, third, 0) < place(&s, sum, 0);
    fw_arena_free(s.arena);
    return in_flight;
}

/* What an assembler tells of registers: it has fewer loads in flight where what is taken to live
 * does not fit into them, and more where it took more than that. */
static void test_told_registers_limit_loads(void **state)
{
    (void)state;
    assert_true(is_third_in_flight(43, 3));
    assert_false(is_third_in_flight(44, 3));
    assert_true(is_third_in_flight(32, 2));
    assert_false(is_third_in_flight(40, 2));
}

/* Beyond 32 registers ptxas leaves loads for later, though they stand together in the text, where
 * some are in flight as most lives; not where what is behind all of them needs the registers. */
static void test_loads_are_left_for_later(void **state)
{
    (void)state;
    for (uint32_t loaded = 0; loaded <= 1; loaded++) {
        struct subject s;
        uint32_t sum;
        begin(&s);
        uint32_t third = add_three_loads(&s, &sum);
        s.rules.registers = 40;
        s.kernel->resources.registers_source = "ptxas";
        s.kernel->resources.pressures = &(struct fw_pressure){
            .domain = 0, .need = 41, .loaded = loaded, .ahead = 3, .ahead_need = 30};
        s.kernel->resources.pressure_count = 1;
        make(&s, 0);
        assert_true((place(&s, third, 0) < place(&s, sum, 0)) == (loaded == 0));
        fw_arena_free(s.arena);
    }
}

/* Where registers lack, and no operation needs two loads, one is in flight after the other. */
static void test_lone_operands_are_loaded_in_turn(void **state)
{
    struct subject s;
    (void)state;
    for (uint32_t need = 43; need <= 50; need += 7) {
        begin(&s);
        uint32_t before = add(&s, FW_NONE);
        uint32_t first = add_of(&s, before, add_access(&s, FW_LOAD, FW_NONE));
        uint32_t second = add_access(&s, FW_LOAD, FW_NONE);
        add_of(&s, first, second);
        s.rules.registers = 40;
        s.kernel->resources.registers_source = "ptxas";
        s.kernel->resources.pressures = &(struct fw_pressure){.domain = 0, .need = need};
        s.kernel->resources.pressure_count = 1;
        make(&s, 0);
        assert_true((place(&s, second, 0) < place(&s, first, 0)) == (need == 43));
        fw_arena_free(s.arena);
    }
}

/* Where there is room for few, a load whose users wait for what comes of others is behind these: it
 * would hold the registers that they need. */
static void test_loads_leave_registers_to_those_their_users_wait_for(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t tile = add_access(&s, FW_LOAD, FW_NONE);
    uint32_t a = add_access(&s, FW_LOAD, FW_NONE), b = add_access(&s, FW_LOAD, FW_NONE);
    uint32_t converted = add(&s, add_of(&s, a, b));
    add_of(&s, converted, tile);
    leave_two(&s);
    make(&s, 0);
    assert_true(place(&s, a, 0) < place(&s, tile, 0));
    assert_true(place(&s, b, 0) < place(&s, tile, 0));
    fw_arena_free(s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registers_limit_loads),
        cmocka_unit_test(test_pressure_limits_loads),
        cmocka_unit_test(test_loads_of_the_text_stay_together),
        cmocka_unit_test(test_shared_loads_come_late),
        cmocka_unit_test(test_merged_products_hold_registers),
        cmocka_unit_test(test_constants_hold_no_registers),
        cmocka_unit_test(test_loads_leave_registers_to_those_before),
        cmocka_unit_test(test_shared_integers_leave_registers),
        cmocka_unit_test(test_told_registers_limit_loads),
        cmocka_unit_test(test_loads_are_left_for_later),
        cmocka_unit_test(test_lone_operands_are_loaded_in_turn),
        cmocka_unit_test(test_loads_leave_registers_to_those_their_users_wait_for)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
