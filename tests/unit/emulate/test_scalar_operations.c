/* Operations of expressions against the emulator's, bit for bit, over many operands: every one that
 * the record follows, in each type and rounding. */
#include "emulate_harness.h"
#include "random.h"
#include "scalar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TRIPLES = 4096 };

/* X(PTX, operation, type, from, rounding, ftz, sat, bits of the three operands, of the result) */
#define OF_BITS(X)                                                                                 \
    X("popc.b32", POPC, B32, NONE, NONE, 0, 0, 32, 0, 0, 32)                                       \
    X("popc.b64", POPC, B64, NONE, NONE, 0, 0, 64, 0, 0, 32)                                       \
    X("clz.b32", CLZ, B32, NONE, NONE, 0, 0, 32, 0, 0, 32)                                         \
    X("clz.b64", CLZ, B64, NONE, NONE, 0, 0, 64, 0, 0, 32)                                         \
    X("brev.b32", BREV, B32, NONE, NONE, 0, 0, 32, 0, 0, 32)                                       \
    X("brev.b64", BREV, B64, NONE, NONE, 0, 0, 64, 0, 0, 64)                                       \
    X("bfind.u32", BFIND, U32, NONE, NONE, 0, 0, 32, 0, 0, 32)                                     \
    X("bfind.s32", BFIND, S32, NONE, NONE, 0, 0, 32, 0, 0, 32)                                     \
    X("bfind.u64", BFIND, U64, NONE, NONE, 0, 0, 64, 0, 0, 32)                                     \
    X("bfind.s64", BFIND, S64, NONE, NONE, 0, 0, 64, 0, 0, 32)                                     \
    X("bfind.shiftamt.u32", BFIND_SHIFT, U32, NONE, NONE, 0, 0, 32, 0, 0, 32)                      \
    X("bfind.shiftamt.s64", BFIND_SHIFT, S64, NONE, NONE, 0, 0, 64, 0, 0, 32)                      \
    X("cnot.b32", CNOT, B32, NONE, NONE, 0, 0, 32, 0, 0, 32)                                       \
    X("cnot.b64", CNOT, B64, NONE, NONE, 0, 0, 64, 0, 0, 64)                                       \
    X("mul.hi.u32", MUL_HI, U32, NONE, NONE, 0, 0, 32, 32, 0, 32)                                  \
    X("mul.hi.s32", MUL_HI, S32, NONE, NONE, 0, 0, 32, 32, 0, 32)                                  \
    X("mul.hi.u64", MUL_HI, U64, NONE, NONE, 0, 0, 64, 64, 0, 64)                                  \
    X("mul.hi.s64", MUL_HI, S64, NONE, NONE, 0, 0, 64, 64, 0, 64)                                  \
    X("mul24.hi.u32", MUL24_HI, U32, NONE, NONE, 0, 0, 32, 32, 0, 32)                              \
    X("mul24.hi.s32", MUL24_HI, S32, NONE, NONE, 0, 0, 32, 32, 0, 32)                              \
    X("add.sat.s32", ADD_SAT, S32, NONE, NONE, 0, 0, 32, 32, 0, 32)                                \
    X("sub.sat.s32", SUB_SAT, S32, NONE, NONE, 0, 0, 32, 32, 0, 32)                                \
    X("sad.u32", SAD, U32, NONE, NONE, 0, 0, 32, 32, 32, 32)                                       \
    X("sad.s32", SAD, S32, NONE, NONE, 0, 0, 32, 32, 32, 32)                                       \
    X("sad.s64", SAD, S64, NONE, NONE, 0, 0, 64, 64, 64, 64)                                       \
    X("bfe.u32", BFE, U32, NONE, NONE, 0, 0, 32, 32, 32, 32)                                       \
    X("bfe.s32", BFE, S32, NONE, NONE, 0, 0, 32, 32, 32, 32)                                       \
    X("bfe.u64", BFE, U64, NONE, NONE, 0, 0, 64, 32, 32, 64)                                       \
    X("bfe.s64", BFE, S64, NONE, NONE, 0, 0, 64, 32, 32, 64)                                       \
    X("shf.l.clamp.b32", SHF_LEFT, B32, NONE, NONE, 0, 0, 32, 32, 32, 32)                          \
    X("shf.r.clamp.b32", SHF_RIGHT, B32, NONE, NONE, 0, 0, 32, 32, 32, 32)                         \
    X("shf.l.wrap.b32", SHF_LEFT_WRAP, B32, NONE, NONE, 0, 0, 32, 32, 32, 32)                      \
    X("shf.r.wrap.b32", SHF_RIGHT_WRAP, B32, NONE, NONE, 0, 0, 32, 32, 32, 32)                     \
    X("prmt.b32", PERMUTE, B32, NONE, NONE, 0, 0, 32, 32, 32, 32)

#define OF_ROUNDING(X, r, R)                                                                       \
    X("add." r ".f32", ADD, F32, NONE, R, 0, 0, 32, 32, 0, 32)                                     \
    X("sub." r ".ftz.f32", SUB, F32, NONE, R, 1, 0, 32, 32, 0, 32)                                 \
    X("mul." r ".ftz.sat.f32", MUL, F32, NONE, R, 1, 1, 32, 32, 0, 32)                             \
    X("mul." r ".f32", MUL, F32, NONE, R, 0, 0, 32, 32, 0, 32)                                     \
    X("div." r ".f32", DIVIDE, F32, NONE, R, 0, 0, 32, 32, 0, 32)                                  \
    X("fma." r ".f32", FMA, F32, NONE, R, 0, 0, 32, 32, 32, 32)                                    \
    X("fma." r ".ftz.f32", FMA, F32, NONE, R, 1, 0, 32, 32, 32, 32)                                \
    X("rcp." r ".f32", RECIPROCAL, F32, NONE, R, 0, 0, 32, 0, 0, 32)                               \
    X("sqrt." r ".f32", SQRT, F32, NONE, R, 0, 0, 32, 0, 0, 32)                                    \
    X("add." r ".f64", ADD, F64, NONE, R, 0, 0, 64, 64, 0, 64)                                     \
    X("sub." r ".f64", SUB, F64, NONE, R, 0, 0, 64, 64, 0, 64)                                     \
    X("mul." r ".f64", MUL, F64, NONE, R, 0, 0, 64, 64, 0, 64)                                     \
    X("div." r ".f64", DIVIDE, F64, NONE, R, 0, 0, 64, 64, 0, 64)                                  \
    X("fma." r ".f64", FMA, F64, NONE, R, 0, 0, 64, 64, 64, 64)                                    \
    X("rcp." r ".f64", RECIPROCAL, F64, NONE, R, 0, 0, 64, 0, 0, 64)                               \
    X("sqrt." r ".f64", SQRT, F64, NONE, R, 0, 0, 64, 0, 0, 64)                                    \
    X("cvt." r ".f32.s32", CONVERT, F32, S32, R, 0, 0, 32, 0, 0, 32)                               \
    X("cvt." r ".f32.u32", CONVERT, F32, U32, R, 0, 0, 32, 0, 0, 32)                               \
    X("cvt." r ".f32.s64", CONVERT, F32, S64, R, 0, 0, 64, 0, 0, 32)                               \
    X("cvt." r ".f32.u64", CONVERT, F32, U64, R, 0, 0, 64, 0, 0, 32)                               \
    X("cvt." r ".f64.s64", CONVERT, F64, S64, R, 0, 0, 64, 0, 0, 64)                               \
    X("cvt." r ".f64.u64", CONVERT, F64, U64, R, 0, 0, 64, 0, 0, 64)                               \
    X("cvt." r ".f32.f64", CONVERT, F32, F64, R, 0, 0, 64, 0, 0, 32)                               \
    X("cvt." r "i.s32.f32", CONVERT, S32, F32, R##I, 0, 0, 32, 0, 0, 32)                           \
    X("cvt." r "i.ftz.u32.f32", CONVERT, U32, F32, R##I, 1, 0, 32, 0, 0, 32)                       \
    X("cvt." r "i.s64.f32", CONVERT, S64, F32, R##I, 0, 0, 32, 0, 0, 64)                           \
    X("cvt." r "i.u64.f64", CONVERT, U64, F64, R##I, 0, 0, 64, 0, 0, 64)                           \
    X("cvt." r "i.s32.f64", CONVERT, S32, F64, R##I, 0, 0, 64, 0, 0, 32)                           \
    X("cvt." r "i.u32.f64", CONVERT, U32, F64, R##I, 0, 0, 64, 0, 0, 32)                           \
    X("cvt." r "i.f32.f32", CONVERT, F32, F32, R##I, 0, 0, 32, 0, 0, 32)                           \
    X("cvt." r "i.f64.f64", CONVERT, F64, F64, R##I, 0, 0, 64, 0, 0, 64)

#define OF_NUMBERS(X)                                                                              \
    X("min.f32", MIN, F32, NONE, NONE, 0, 0, 32, 32, 0, 32)                                        \
    X("max.ftz.f32", MAX, F32, NONE, NONE, 1, 0, 32, 32, 0, 32)                                    \
    X("min.f64", MIN, F64, NONE, NONE, 0, 0, 64, 64, 0, 64)                                        \
    X("max.f64", MAX, F64, NONE, NONE, 0, 0, 64, 64, 0, 64)                                        \
    X("abs.f32", ABS, F32, NONE, NONE, 0, 0, 32, 0, 0, 32)                                         \
    X("abs.f64", ABS, F64, NONE, NONE, 0, 0, 64, 0, 0, 64)                                         \
    X("neg.f32", NEG, F32, NONE, NONE, 0, 0, 32, 0, 0, 32)                                         \
    X("neg.ftz.f32", NEG, F32, NONE, NONE, 1, 0, 32, 0, 0, 32)                                     \
    X("neg.f64", NEG, F64, NONE, NONE, 0, 0, 64, 0, 0, 64)                                         \
    X("copysign.f32", COPYSIGN, F32, NONE, NONE, 0, 0, 32, 32, 0, 32)                              \
    X("copysign.f64", COPYSIGN, F64, NONE, NONE, 0, 0, 64, 64, 0, 64)                              \
    X("cvt.rn.f64.s32", CONVERT, F64, S32, RN, 0, 0, 32, 0, 0, 64)                                 \
    X("cvt.rn.f64.u32", CONVERT, F64, U32, RN, 0, 0, 32, 0, 0, 64)                                 \
    X("cvt.f64.f32", CONVERT, F64, F32, NONE, 0, 0, 32, 0, 0, 64)                                  \
    X("cvt.sat.f32.f32", CONVERT, F32, F32, NONE, 0, 1, 32, 0, 0, 32)                              \
    X("cvt.sat.s32.s64", CONVERT, S32, S64, NONE, 0, 1, 64, 0, 0, 32)                              \
    X("cvt.sat.u32.s32", CONVERT, U32, S32, NONE, 0, 1, 32, 0, 0, 32)

/* Comparisons, through set. */
#define OF_ORDER(X)                                                                                \
    X("set.eq.u32.f32", EQUAL, F32, NONE, NONE, 0, 0, 32, 32, 0, 1)                                \
    X("set.lt.u32.f32", LESS, F32, NONE, NONE, 0, 0, 32, 32, 0, 1)                                 \
    X("set.le.ftz.u32.f32", LESS_EQUAL, F32, NONE, NONE, 1, 0, 32, 32, 0, 1)                       \
    X("set.nan.u32.f32", UNORDERED, F32, NONE, NONE, 0, 0, 32, 32, 0, 1)                           \
    X("set.eq.u32.f64", EQUAL, F64, NONE, NONE, 0, 0, 64, 64, 0, 1)                                \
    X("set.lt.u32.f64", LESS, F64, NONE, NONE, 0, 0, 64, 64, 0, 1)                                 \
    X("set.le.u32.f64", LESS_EQUAL, F64, NONE, NONE, 0, 0, 64, 64, 0, 1)                           \
    X("set.nan.u32.f64", UNORDERED, F64, NONE, NONE, 0, 0, 64, 64, 0, 1)

#define ALL(X)                                                                                     \
    OF_BITS(X)                                                                                     \
    OF_ROUNDING(X, "rn", RN)                                                                       \
    OF_ROUNDING(X, "rz", RZ)                                                                       \
    OF_ROUNDING(X, "rm", RM)                                                                       \
    OF_ROUNDING(X, "rp", RP)                                                                       \
    OF_NUMBERS(X)                                                                                  \
    OF_ORDER(X)

struct row {
    const char *ptx;
    struct fw_scalar scalar;
    unsigned bits[3], result; /* 1: a truth value */
};

static const struct row rows[] = {
#define X(ptx, operation, type, from, rounding, ftz, sat, a, b, c, r)                              \
    {ptx,                                                                                          \
     {FW_SCALAR_##operation, FW_TYPE_##type, FW_TYPE_##from, FW_ROUND_##rounding, ftz, sat},       \
     {a, b, c},                                                                                    \
     r},
    ALL(X)
#undef X
};

/* Bits that are many in neither sense: numbers near each other, ends, denormal ones, NaN. */
static uint64_t operand(struct fw_random *random)
{
    static const uint64_t ends[] = {0,
                                    1,
                                    31,
                                    32,
                                    33,
                                    63,
                                    0x7fffffff,
                                    0x80000000,
                                    0xffffffff,
                                    0x3f800000,
                                    0xbf800000,
                                    0x7f800000,
                                    0xff800000,
                                    0x7fc00000,
                                    0x00000001,
                                    0x80000001,
                                    0x4f000000,
                                    0x4f800000,
                                    0x3ff0000000000000,
                                    0xbff0000000000000,
                                    0x7ff0000000000000,
                                    0x7ff8000000000000,
                                    0x8000000000000000,
                                    0x7fffffffffffffff,
                                    0xffffffffffffffff,
                                    0x000fffffffffffff,
                                    0x43e0000000000000};
    uint64_t bits = fw_random_next(random), kind = fw_random_next(random) % 6;
    uint32_t single;
    float f = (float)((int64_t)(bits % 4001) - 2000) / 8;
    double d = (double)((int64_t)(bits % 4001) - 2000) / 8;
    memcpy(&single, &f, sizeof(single));
    if (kind == 0)
        return ends[bits % (sizeof(ends) / sizeof(ends[0]))];
    if (kind == 1)
        return bits % 200;
    if (kind == 2)
        return single | (uint64_t)single << 32;
    if (kind == 3)
        memcpy(&bits, &d, sizeof(bits));
    return kind == 4 ? bits & 0x807fffff807fffff : bits;
}

static void append_kernel(struct fw_buffer *out, const struct row *row, size_t number)
{
    fw_buffer_printf(out,
                     ".visible .entry k%zu(.param .u64 r, .param .u64 x)\n{\n"
                     ".reg .b64 %%rd<16>; .reg .b32 %%r<16>;\n"
                     "ld.param.u64 %%rd1, [r]; ld.param.u64 %%rd2, [x];\n"
                     "mov.u32 %%r1, %%tid.x; mov.u32 %%r2, %%ctaid.x; mov.u32 %%r3, %%ntid.x;\n"
                     "mad.lo.u32 %%r1, %%r2, %%r3, %%r1;\n"
                     "mul.wide.u32 %%rd3, %%r1, 8; add.u64 %%rd1, %%rd1, %%rd3;\n"
                     "mul.wide.u32 %%rd3, %%r1, 24; add.u64 %%rd2, %%rd2, %%rd3;\n",
                     number);
    for (unsigned o = 0; o < 3; o++)
        if (row->bits[o])
            fw_buffer_printf(out, "ld.global.b%u %%%s%u, [%%rd2+%u];\n", row->bits[o],
                             row->bits[o] == 64 ? "rd" : "r", 5 + o, 8 * o);
    fw_buffer_printf(out, "%s %%%s9", row->ptx, row->result == 64 ? "rd" : "r");
    for (unsigned o = 0; o < 3; o++)
        if (row->bits[o])
            fw_buffer_printf(out, ", %%%s%u", row->bits[o] == 64 ? "rd" : "r", 5 + o);
    fw_buffer_printf(out, ";\nst.global.b%u [%%rd1], %%%s9;\nret;\n}\n",
                     row->result == 64 ? 64 : 32, row->result == 64 ? "rd" : "r");
}

/* The low bits of the result; of what is not a number that it is none, and no more. */
static uint64_t compared(const struct row *row, uint64_t bits)
{
    if (row->result == 64 && row->scalar.type == FW_TYPE_F64)
        return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000 ? 0x7ff8000000000000 : bits;
    if (row->result == 1)
        return (bits & 0xffffffff) != 0;
    return row->result == 64 ? bits : bits & 0xffffffff;
}

static void test_equal_to_the_emulator(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_buffer text = fw_buffer_new(arena);
    struct harness h;
    unsigned wrong = 0;
    (void)state;
    fw_buffer_printf(&text, ".version 8.0\n.target sm_90\n.address_size 64\n");
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++)
        append_kernel(&text, &rows[r], r);
    harness_text(&h, text.text);
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        const struct row *row = &rows[r];
        char name[16];
        struct fw_random random = {r + 1};
        snprintf(name, sizeof(name), "k%zu", r);
        assert_int_equal(
            harness_launch(&h, name, (uint32_t[]){TRIPLES / 128, 1, 1}, (uint32_t[]){128, 1, 1}, 0,
                           (const char *[]){"#0=u64[4096]", "#1=u64[12288]", NULL}, NULL),
            FW_OK);
        uint64_t *result = harness_memory(&h, 0), *x = harness_memory(&h, 1);
        memset(result, 0, TRIPLES * sizeof(*result));
        for (size_t i = 0; i < (size_t)3 * TRIPLES; i++)
            x[i] = operand(&random);
        assert_int_equal(harness_go(&h), FW_OK);
        for (size_t i = 0; i < TRIPLES; i++) {
            const int64_t operands[3] = {(int64_t)x[3 * i], (int64_t)x[3 * i + 1],
                                         (int64_t)x[3 * i + 2]};
            int64_t found = 0, low, high;
            bool known = fw_scalar_evaluate(&row->scalar, operands, &found);
            fw_scalar_range(&row->scalar, &low, &high);
            if (known && compared(row, (uint64_t)found) == compared(row, result[i]) &&
                found >= low && found <= high)
                continue;
            if (wrong++ < 20)
                print_message(
                    "%s(%" PRIx64 ", %" PRIx64 ", %" PRIx64 ") is %" PRIx64 ", not %" PRIx64 "\n",
                    row->ptx, x[3 * i], x[3 * i + 1], x[3 * i + 2], result[i], (uint64_t)found);
        }
        harness_end_launch(&h);
    }
    assert_int_equal(wrong, 0);
    harness_free(&h);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equal_to_the_emulator)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
