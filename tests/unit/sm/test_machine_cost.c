/* What operations cost: units and halves of units, predicates of an instruction's own, barriers of
 * a division's own. */
#include "machine_cost.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

enum { MOST = 8 };

/* A record of one instruction, on the H200. */
struct subject {
    struct fw_arena *arena;
    struct fw_machine_operation machine[MOST];
    struct fw_scheduled at;
    struct fw_kernel kernel;
    struct fw_device *device;
    struct fw_sm_costs costs;
};

static void begin(struct subject *s, const char *operation, enum fw_type type)
{
    const char *root = getenv("FOREWARP_SOURCE");
    *s = (struct subject){.arena = fw_arena_new(0)};
    const char *profile = fw_arena_printf(s->arena, "%s/profiles/h200.json", root ? root : ".");
    assert_int_equal(fw_device_read(&s->device, s->arena, profile, NULL), FW_OK);
    s->at = (struct fw_scheduled){
        .operation = operation, .type = type, .access = FW_NONE, .machine = s->machine};
}

static void add(struct subject *s, const char *name, const char *pipe, enum fw_type type,
                uint8_t reads)
{
    s->machine[s->at.machine_count++] = (struct fw_machine_operation){
        .name = name, .pipe = pipe, .type = type, .times = 1, .every = 1, .reads = reads};
}

static void find(struct subject *s)
{
    s->kernel = (struct fw_kernel){.capability = 90, .schedule = &s->at, .schedule_count = 1};
    fw_sm_costs_find(&s->costs, s->arena, &s->kernel, s->device);
}

/* Of an instruction that makes a request of memory. */
static void find_request(struct subject *s, struct fw_access *access)
{
    s->at.access = 0;
    s->at.access_count = 1;
    s->kernel = (struct fw_kernel){.capability = 90,
                                   .schedule = &s->at,
                                   .schedule_count = 1,
                                   .accesses = access,
                                   .access_count = 1};
    fw_sm_costs_find(&s->costs, s->arena, &s->kernel, s->device);
}

static double latencies(const struct subject *s)
{
    double sum = 0;
    for (uint32_t o = 0; o < s->costs.first[1]; o++)
        sum += s->costs.operations[o].latency;
    return sum;
}

static void test_integers_take_a_half(void **state)
{
    struct subject s;
    (void)state;
    begin(&s, "mad", FW_TYPE_S32);
    add(&s, "FFMA", "fma", FW_TYPE_F32, 2);
    add(&s, "IMAD", "fma", FW_TYPE_S32, 2);
    add(&s, "IMAD.HI", "fma_heavy", FW_TYPE_S32, 2);
    find(&s);
    const struct fw_sm_operation *o = s.costs.operations;
    assert_true(!o[0].heavy && fabs(o[0].interval - 1) < 0.01 && fabs(o[0].holds - 2) < 0.01);
    assert_true(o[1].heavy && fabs(o[1].interval - 1) < 0.01 && fabs(o[1].holds - 2) < 0.01);
    assert_true(o[2].heavy && fabs(o[2].interval - 2) < 0.01 && fabs(o[2].holds - 4) < 0.01);
    fw_arena_free(s.arena);
}

/* How many of so many sums are written as products, beside operations of another kind. */
static uint32_t written_as_products(uint32_t sums, uint8_t either, const char *name,
                                    const char *pipe, uint32_t others)
{
    struct subject s;
    uint32_t products = 0;
    begin(&s, "add", FW_TYPE_S32);
    add(&s, "IADD3", "alu", FW_TYPE_S32, 2);
    add(&s, name, pipe, pipe[0] == 'f' ? FW_TYPE_F32 : FW_TYPE_B32, 2);
    s.machine[0].times = sums;
    s.machine[0].either = either;
    s.machine[1].times = others;
    find(&s);
    for (uint32_t o = 0; o < sums; o++) {
        const struct fw_sm_operation *at = &s.costs.operations[o];
        products += at->unit == FW_SM_FMA;
        assert_true(at->unit == FW_SM_ALU ||
                    (at->heavy && fabs(at->interval - 1) < 0.01 && fabs(at->holds - 2) < 0.01));
    }
    fw_arena_free(s.arena);
    return products;
}

/* As ptxas 13.0 for sm_90 writes sums between operations of logic and products of f32. */
static void test_both_units_have_as_many_operations(void **state)
{
    (void)state;
    assert_int_equal(written_as_products(24, 24, "LOP3", "alu", 8), 16);
    assert_int_equal(written_as_products(16, 16, "LOP3", "alu", 16), 16);
    assert_int_equal(written_as_products(20, 20, "FFMA", "fma", 8), 6);
    assert_int_equal(written_as_products(12, 12, "FFMA", "fma", 26), 0);
    assert_int_equal(written_as_products(12, 0, "LOP3", "alu", 20), 0); /* of three numbers */
    assert_int_equal(written_as_products(12, 6, "LOP3", "alu", 20), 6); /* the upper words */
}

/* A product that keeps 64 bits, or the high word, keeps its scheduler from issuing anything,
 * whatever it reads meanwhile (data/h200/mixes); one of 32 bits does not. */
static void test_wide_products_keep_their_scheduler(void **state)
{
    struct subject s;
    (void)state;
    begin(&s, "mad", FW_TYPE_S32);
    add(&s, "IMAD", "fma", FW_TYPE_S32, 2);
    add(&s, "IMAD.WIDE", "fma_heavy", FW_TYPE_S64, 1);
    add(&s, "IMAD.WIDE", "fma_heavy", FW_TYPE_S64, 3); /* it reads its registers meanwhile */
    add(&s, "IMAD.HI", "fma_heavy", FW_TYPE_S32, 2);
    find(&s);
    const struct fw_sm_operation *o = s.costs.operations;
    assert_true(fabs(o[0].reading) < 0.01 && fabs(o[1].reading - 2) < 0.01);
    assert_true(fabs(o[2].reading - 2) < 0.01 && fabs(o[3].reading - 2) < 0.01);
    fw_arena_free(s.arena);
}

/* Products of two halves are ones of the FMA unit, on the half of it that multiplies integers, and
 * of a unit of their own by turns; conversions of f16 to f32 take that half each time
 * (data/h200/mixes). */
static void test_halves_have_two_forms(void **state)
{
    struct subject s;
    (void)state;
    begin(&s, "fma", FW_TYPE_F16X2);
    add(&s, "HFMA2", "fp16", FW_TYPE_F16X2, 2);
    s.machine[0].times = 4;
    find(&s);
    for (uint32_t i = 0; i < 4; i++) {
        const struct fw_sm_operation *o = &s.costs.operations[i];
        if (i % 2)
            assert_true(o->unit == FW_SM_FP16 && fabs(o->interval - 2) < 0.01);
        else
            assert_true(o->unit == FW_SM_FMA && o->heavy && fabs(o->holds - 2) < 0.01);
    }
    fw_arena_free(s.arena);
    begin(&s, "cvt", FW_TYPE_F32);
    add(&s, "HADD2", "fp16", FW_TYPE_F16X2, 1);
    s.machine[0].times = 2;
    find(&s);
    assert_true(s.costs.operations[0].heavy && s.costs.operations[1].heavy);
    fw_arena_free(s.arena);
}

/* Sums of a warp take a unit, for 8 cycles of a scheduler, which special functions do not take
 * (data/h200/mixes). */
static void test_sums_of_a_warp_have_a_unit(void **state)
{
    struct subject s;
    (void)state;
    begin(&s, "redux", FW_TYPE_S32);
    add(&s, "REDUX", "adu", FW_TYPE_S32, 1);
    add(&s, "MUFU", "xu", FW_TYPE_F32, 1);
    find(&s);
    const struct fw_sm_operation *o = s.costs.operations;
    assert_true(o[0].unit != FW_SM_NONE && o[0].unit != o[1].unit);
    assert_true(fabs(o[0].interval - 8) < 0.01 && o[0].latency > 8);
    fw_arena_free(s.arena);
}

/* A reciprocal that is rounded takes as long as a chain of them was measured to, not as long as its
 * operations; an approximate one takes what they take (data/h200/rounded). */
static void test_rounded_reciprocals_take_longer(void **state)
{
    (void)state;
    for (int rounded = 0; rounded < 2; rounded++) {
        struct subject s;
        begin(&s, "rcp", FW_TYPE_F32);
        add(&s, "IADD3", "alu", FW_TYPE_S32, 1);
        add(&s, "MUFU", "xu", FW_TYPE_F32, 1);
        add(&s, "FFMA", "fma", FW_TYPE_F32, 2);
        if (rounded) {
            add(&s, "BSSY", "cbu", FW_TYPE_NONE, 0);
            add(&s, "BSYNC", "cbu", FW_TYPE_NONE, 0);
            add(&s, "FADD", "fma", FW_TYPE_F32, 1);
        }
        find(&s);
        assert_true(rounded ? fabs(latencies(&s) - 73.4) < 0.01 : latencies(&s) < 30);
        fw_arena_free(s.arena);
    }
}

/* What corrects a remainder under a predicate takes the ALU; what rescales a subnormal number does
 * not take the FMA unit. */
static void test_corrections_take_their_unit(void **state)
{
    struct subject s;
    (void)state;
    begin(&s, "rem", FW_TYPE_S32);
    add(&s, "ISETP", "alu", FW_TYPE_S32, 2);
    add(&s, "IADD3", "alu", FW_TYPE_S32, 2);
    s.machine[1].guarded = true;
    find(&s);
    assert_true(s.costs.operations[1].unit == FW_SM_ALU && s.costs.operations[1].guarded);
    assert_true(fabs(s.costs.operations[1].interval - 2) < 0.01);
    fw_arena_free(s.arena);
    begin(&s, "rsqrt", FW_TYPE_F32);
    add(&s, "FMUL", "fma", FW_TYPE_F32, 1);
    s.machine[0].guarded = true;
    find(&s);
    assert_true(s.costs.operations[0].unit == FW_SM_NONE);
    fw_arena_free(s.arena);
}

/* rsqrt.approx.f32: 39 cycles from one to the next in data/h200/pipes. */
static void test_own_predicate_is_waited_for(void **state)
{
    struct subject s;
    (void)state;
    begin(&s, "rsqrt", FW_TYPE_F32);
    add(&s, "FMUL", "fma", FW_TYPE_F32, 1);
    add(&s, "FMUL", "fma", FW_TYPE_F32, 1);
    add(&s, "FSETP", "alu", FW_TYPE_F32, 1);
    add(&s, "MUFU", "xu", FW_TYPE_F32, 1);
    s.machine[0].guarded = s.machine[1].guarded = true;
    find(&s);
    assert_true(fabs(latencies(&s) - 39) < 2);
    fw_arena_free(s.arena);
}

/* A root issues its own pair of barriers; where ways of a branch meet, they are the meeting's. */
static void test_own_barriers_are_issued(void **state)
{
    struct subject s;
    (void)state;
    begin(&s, "sqrt", FW_TYPE_F32);
    add(&s, "BSSY", "cbu", FW_TYPE_NONE, 0);
    add(&s, "BSYNC", "cbu", FW_TYPE_NONE, 0);
    add(&s, "MUFU", "xu", FW_TYPE_F32, 1);
    find(&s);
    assert_true(!s.costs.operations[0].meets && !s.costs.operations[1].meets);
    assert_true(s.costs.operations[2].parts && fabs(latencies(&s) - 57.25) < 0.1);
    s.at.operation = "add";
    s.machine[2] = s.machine[0];
    s.machine[0] = (struct fw_machine_operation){
        .name = "FADD", .pipe = "fma", .type = FW_TYPE_F32, .times = 1, .every = 1};
    find(&s);
    assert_true(s.costs.operations[1].meets && s.costs.operations[2].meets);
    assert_false(s.costs.operations[0].parts);
    fw_arena_free(s.arena);
}

/* A load through L1 keeps its scheduler longer (data/h200/mixed: eight loads with six products each
 * take 2.22 cycles a load of four schedulers, 1.97 of them issue slots), and so does a store; a
 * load of shared memory does not. */
static void test_requests_keep_their_scheduler(void **state)
{
    struct subject s;
    struct fw_access access = {.space = FW_SPACE_GLOBAL, .direction = FW_LOAD, .bytes = 4};
    (void)state;
    begin(&s, "ld.global", FW_TYPE_F32);
    add(&s, "LDG", "lsu", FW_TYPE_F32, 2);
    find_request(&s, &access);
    assert_true(s.costs.operations[0].memory);
    assert_true(s.costs.operations[0].reading > 0.5 && s.costs.operations[0].reading < 1.1);
    access.space = FW_SPACE_SHARED;
    fw_sm_costs_find(&s.costs, s.arena, &s.kernel, s.device);
    assert_true(!(s.costs.operations[0].reading > 0));
    access.direction = FW_STORE;
    fw_sm_costs_find(&s.costs, s.arena, &s.kernel, s.device);
    assert_true(s.costs.operations[0].reading > 1.4 && s.costs.operations[0].reading < 1.8);
    fw_arena_free(s.arena);
}

/* A load that is the first instruction of its block has the descriptor of global memory among its
 * operations; the conversion of what it has loaded is none of the constants that it needs. */
static void test_constants_wait_for_no_load(void **state)
{
    struct subject s;
    struct fw_access access = {.space = FW_SPACE_GLOBAL, .direction = FW_LOAD, .bytes = 4};
    (void)state;
    begin(&s, "ld.global", FW_TYPE_F32);
    add(&s, "LDG", "lsu", FW_TYPE_F32, 2);
    add(&s, "ULDC", "uniform", FW_TYPE_B32, 0);
    add(&s, "PRMT", "alu", FW_TYPE_B32, 1);
    find_request(&s, &access);
    assert_true(s.costs.operations[1].brings && !(s.costs.operations[1].latency > 0));
    assert_false(s.costs.operations[0].brings || s.costs.operations[2].brings);
    fw_arena_free(s.arena);
    begin(&s, "add", FW_TYPE_F32); /* of no request of memory */
    add(&s, "FADD", "fma", FW_TYPE_F32, 2);
    add(&s, "MOV", "alu", FW_TYPE_B32, 0);
    find(&s);
    assert_false(s.costs.operations[1].brings);
    fw_arena_free(s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_integers_take_a_half),
                                       cmocka_unit_test(test_both_units_have_as_many_operations),
                                       cmocka_unit_test(test_wide_products_keep_their_scheduler),
                                       cmocka_unit_test(test_halves_have_two_forms),
                                       cmocka_unit_test(test_sums_of_a_warp_have_a_unit),
                                       cmocka_unit_test(test_rounded_reciprocals_take_longer),
                                       cmocka_unit_test(test_corrections_take_their_unit),
                                       cmocka_unit_test(test_own_predicate_is_waited_for),
                                       cmocka_unit_test(test_own_barriers_are_issued),
                                       cmocka_unit_test(test_requests_keep_their_scheduler),
                                       cmocka_unit_test(test_constants_wait_for_no_load)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
