/* A simulation that goes on from where another one of other trips has come to is the same, bit by
 * bit, as one from the beginning; so is the one that it was copied from. */
#include "simulate_internal.h"
#include "subject_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { TRIPS = 4000, INSIDE = 5, WARPS = 8, BLOCKS = 3, LIMIT = 200000 };

/* Two loops of many trips, of which the first has a short one inside, a load whose misses and
 * times come by chance, and a barrier: warps drift apart, and what they wait for is noted. */
static void write_program(struct subject *s)
{
    begin(s);
    for (uint32_t l = 0; l < 2; l++) {
        s->program.depth = 0;
        uint32_t first = loop(s, TRIPS), inner = 0;
        operation(s, LOAD, true);
        if (l == 0) {
            inner = loop(s, INSIDE);
            operation(s, FUSED, true);
            again(s, inner);
            s->steps[inner].loop = s->steps[s->program.count - 1].loop = 2;
            s->steps[inner].depth = s->steps[s->program.count - 1].depth = 1;
        } else {
            add(s, (struct fw_step){.kind = FW_STEP_BARRIER});
        }
        again(s, first);
        s->steps[first].loop = s->steps[s->program.count - 1].loop = l;
    }
    operation(s, PLAIN, false);
    add(s, (struct fw_step){.kind = FW_STEP_EXIT});
    s->program.depth = 2;
    s->program.steps = s->steps;
    s->program.waits = s->waits;
    s->program.slots = 1;
    for (int w = 0; w < WARPS; w++)
        s->programs[w] = &s->program;
    s->access.miss_l1 = 0.7;
    s->access.miss_l2 = 0.4;
    s->access.late = 200;
    s->simulation.warps = WARPS;
    s->simulation.resident = BLOCKS;
    s->simulation.wave = BLOCKS;
    s->simulation.most_issues = LIMIT;
}

static void expect_same(struct subject *s, struct machine *one, struct fw_sm_account *of_one,
                        struct machine *other, struct fw_sm_account *of_other)
{
    struct fw_sm_result a, b;
    (void)s;
    memset(&a, 0, sizeof(a));
    memset(&b, 0, sizeof(b));
    assert_true(machine_run(&a, one, HUGE_VAL, NULL));
    assert_true(machine_run(&b, other, HUGE_VAL, NULL));
    assert_true(a.issues == b.issues);
    assert_memory_equal(&a.cycles, &b.cycles, sizeof(a.cycles));
    assert_memory_equal(a.stalls, b.stalls, sizeof(a.stalls));
    assert_memory_equal(a.served, b.served, sizeof(a.served));
    assert_memory_equal(of_one->cycles, of_other->cycles, sizeof(s->cycles));
}

/* At several shares: of the least, the shorter one has few trips. */
static void test_copy_goes_on_as_from_the_beginning(void **state)
{
    static const double shares[] = {0.0024, 0.01, 0.3};
    (void)state;
    for (size_t k = 0; k < sizeof(shares) / sizeof(shares[0]); k++) {
        struct subject s;
        struct sm_common common;
        write_program(&s);
        sm_common_find(&common, s.arena, &s.simulation);
        s.simulation.common = &common;
        struct fw_sm_simulation longer = s.simulation, shorter;
        longer.trips = shares[k];
        longer.least = shares[k] / 2;
        shorter = longer;
        shorter.trips = longer.least;
        struct fw_sm_account *accounts[4];
        for (int a = 0; a < 4; a++)
            accounts[a] = account_new(s.arena, &s.account);
        struct machine *both = machine_begin(s.arena, &shorter, &longer, BLOCKS, accounts[0]);
        assert_true(machine_run_beside(both));
        assert_true(both->result.issues > 0);
        struct machine *copy = machine_copy_beside(both, accounts[1]);
        print_message("parted after %g of\n", both->result.issued);
        expect_same(&s, copy, accounts[1],
                    machine_begin(s.arena, &longer, NULL, BLOCKS, accounts[2]), accounts[2]);
        expect_same(&s, both, accounts[0],
                    machine_begin(s.arena, &shorter, NULL, BLOCKS, accounts[3]), accounts[3]);
        print_message("%g and %g operations\n", both->result.issued, copy->result.issued);
        assert_true(copy->result.issued > both->result.issued);
        fw_arena_free(s.arena);
    }
}

/* Of three waves the first one alone; the times of loads are as alike as can be, or not. */
static void test_first_wave_goes_on_as_by_itself(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct subject s;
        struct sm_common common;
        write_program(&s);
        s.access.late = k ? 200 : 0;
        s.steps[0].trips = 20;
        for (uint32_t i = 0; i < s.program.count; i++)
            if (s.steps[i].kind == FW_STEP_LOOP && s.steps[i].loop == 1)
                s.steps[i].trips = 30;
        sm_common_find(&common, s.arena, &s.simulation);
        s.simulation.common = &common;
        struct fw_sm_account *accounts[4];
        for (int a = 0; a < 4; a++)
            accounts[a] = account_new(s.arena, &s.account);
        struct machine *all = machine_begin(s.arena, &s.simulation, NULL, 3 * BLOCKS, accounts[0]);
        assert_true(machine_run_first(all, BLOCKS));
        assert_true(all->result.issues > 0 && all->ended < 1);
        struct machine *copy = machine_copy_first(all, accounts[1]);
        all->blocks_beside = 0;
        expect_same(&s, copy, accounts[1],
                    machine_begin(s.arena, &s.simulation, NULL, BLOCKS, accounts[2]), accounts[2]);
        expect_same(&s, all, accounts[0],
                    machine_begin(s.arena, &s.simulation, NULL, 3 * BLOCKS, accounts[3]),
                    accounts[3]);
        assert_true(copy->ended < all->ended);
        fw_arena_free(s.arena);
    }
}

/* Blocks that have nothing to do end as they begin: others have begun, which the first wave has
 * not. */
static void test_empty_blocks_part_at_once(void **state)
{
    struct subject s;
    struct sm_common common;
    (void)state;
    begin(&s);
    add(&s, (struct fw_step){.kind = FW_STEP_EXIT});
    s.program.steps = s.steps;
    s.programs[0] = &s.program;
    sm_common_find(&common, s.arena, &s.simulation);
    s.simulation.common = &common;
    s.simulation.wave = 1;
    struct machine *all = machine_begin(s.arena, &s.simulation, NULL, 3, NULL);
    assert_false(machine_run_first(all, 1));
    fw_arena_free(s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copy_goes_on_as_from_the_beginning),
        cmocka_unit_test(test_first_wave_goes_on_as_by_itself),
        cmocka_unit_test(test_empty_blocks_part_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
