/* What is taken of branches that no data decide, should a launch not be able to evaluate them. */
#include "../../property/subject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A number from a mixed thread's index, scaled, is compared with `bound`. */
#define KERNEL(compare, bound)                                                                     \
    ".version 8.0\n.target sm_80\n.address_size 64\n"                                              \
    ".visible .entry k(.param .u64 target)\n{\n"                                                   \
    ".reg .pred %p<2>; .reg .b32 %r<9>; .reg .f32 %f<5>; .reg .b64 %rd<3>;\n"                      \
    "ld.param.u64 %rd1, [target];\nmov.u32 %r1, %tid.x;\nmul.hi.u32 %r2, %r1, -766435501;\n"       \
    "xor.b32 %r3, %r2, %r1;\nmul.lo.s32 %r4, %r3, -845247145;\n"                                   \
    "cvt.rn.f32.u32 %f1, %r4;\nmul.f32 %f2, %f1, 0f30C90FDB;\nabs.f32 %f3, %f2;\n"                 \
    "setp." compare ".f32 %p1, %f3, " bound ";\n@%p1 bra $L;\nst.global.f32 [%rd1], %f3;\n"        \
    "$L:\nret;\n}\n"

/* Loaded bytes, mixed into what the bytes before them left, are compared with 0 under a mask. */
#define BYTES(mask)                                                                                \
    ".version 8.0\n.target sm_80\n.address_size 64\n"                                              \
    ".visible .entry k(.param .u64 data)\n{\n"                                                     \
    ".reg .pred %p<3>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<3>;\n"                      \
    "ld.param.u64 %rd1, [data];\nmov.u16 %h1, 0;\nmov.u32 %r1, 0;\n$M:\n"                          \
    "ld.global.u8 %h2, [%rd1];\nxor.b16 %h1, %h1, %h2;\nand.b16 %h3, %h1, " mask ";\n"             \
    "setp.eq.s16 %p1, %h3, 0;\n@%p1 bra $L;\nst.global.u8 [%rd1], %h3;\n$L:\n"                     \
    "add.s32 %r1, %r1, 1;\nadd.s64 %rd1, %rd1, 1;\nsetp.lt.s32 %p2, %r1, 99;\n@%p2 bra $M;\n"      \
    "ret;\n}\n"

static const struct fw_branch *branch_of(struct subject *s, const char *text)
{
    *s = (struct subject){.arena = fw_arena_new(0)};
    assert_true(subject_read(s, "k", text, strlen(text), "", "k"));
    assert_int_equal(s->kernel->branch_count, 1);
    return &s->kernel->branches[0];
}

static void extreme_numbers_are_not_met(void **state)
{
    struct subject s;
    (void)state;
    const struct fw_branch *slow = branch_of(&s, KERNEL("ltu", "0f47CE4780")); /* 105615 */
    assert_false(slow->data_dependent);
    assert_non_null(slow->because);
    assert_float_equal(slow->usual, 1, 0);
    fw_arena_free(s.arena);
    const struct fw_branch *half = branch_of(&s, KERNEL("ltu", "0f3F800000"));
    assert_null(half->because);
    fw_arena_free(s.arena);
}

/* A byte is rarely 0, also where some of the numbers that data are taken to be have it so; a bit is
 * as often 0 as 1. */
static void a_byte_is_rarely_a_certain_one(void **state)
{
    struct subject s;
    (void)state;
    const struct fw_branch *byte = branch_of(&s, BYTES("255"));
    assert_true(byte->data_dependent);
    assert_non_null(byte->because);
    assert_float_equal(byte->usual, 0.16, 1e-9);
    fw_arena_free(s.arena);
    const struct fw_branch *bit = branch_of(&s, BYTES("1"));
    assert_null(bit->because);
    fw_arena_free(s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(extreme_numbers_are_not_met),
                                       cmocka_unit_test(a_byte_is_rarely_a_certain_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
