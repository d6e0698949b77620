/* Logic: any function of three numbers is one operation; choices, and words of shifts. */
#include "lowering_testing.h"

/* So many of an operation that a kernel issues which executes `text` behind a load of %r0 to %r3.
 */
static unsigned count_of(enum fw_machine operation, const char *text)
{
    struct fw_buffer all = fw_buffer_new(fw_arena_new(0));
    fw_buffer_printf(&all,
                     ".version 8.4\n.target sm_90\n.address_size 64\n"
                     ".visible .entry k(.param .u64 a) {\n"
                     ".reg .b32 %%r<16>; .reg .b64 %%p; .reg .pred %%q<4>;\n"
                     ".reg .f32 %%f<16>; .reg .f64 %%d<8>; .reg .b64 %%w<8>;\n"
                     "ld.param.u64 %%p,[a]; ld.global.v4.u32 {%%r0,%%r1,%%r2,%%r3},[%%p];\n"
                     "%s\nret; }\n",
                     text);
    return lowered_count(&all, operation, 90);
}

/* The same of operations of logic. */
static unsigned operations(const char *text)
{
    return count_of(FW_MACHINE_LOP3, text);
}

/* ptxas: LOP3.LUT with 0xb8, 0xe8; two operations of four inputs. */
static void three_inputs_are_one_operation(void **state)
{
    (void)state;
    assert_int_equal(operations("and.b32 %r4,%r0,%r1;\nnot.b32 %r5,%r0;\nand.b32 %r6,%r2,%r5;\n"
                                "or.b32 %r7,%r4,%r6;\nst.global.u32 [%p],%r7;"),
                     1);
    assert_int_equal(operations("and.b32 %r4,%r0,%r1;\nand.b32 %r5,%r0,%r2;\n"
                                "xor.b32 %r6,%r4,%r5;\nand.b32 %r7,%r1,%r2;\n"
                                "xor.b32 %r8,%r6,%r7;\nst.global.u32 [%p],%r8;"),
                     1);
    assert_int_equal(operations("and.b32 %r4,%r0,%r1;\nand.b32 %r5,%r2,%r3;\n"
                                "or.b32 %r6,%r4,%r5;\nst.global.u32 [%p],%r6;"),
                     2);
}

/* As in the lesser of each of four bytes. */
static void complements_are_free(void **state)
{
    (void)state;
    assert_int_equal(operations("not.b32 %r4,%r0;\nor.b32 %r5,%r1,%r4;\nxor.b32 %r6,%r4,%r1;\n"
                                "and.b32 %r7,%r6,-16843010;\nst.global.u32 [%p],%r5;\n"
                                "st.global.u32 [%p+4],%r7;"),
                     2);
    assert_int_equal(operations("not.b32 %r4,%r0;\nst.global.u32 [%p],%r4;"), 1);
}

/* Of two results that only a choice reads, one is computed under a predicate (SASS of ptxas 13.0);
 * of numbers that others read too, of doubles, and of sums with one addend, one is chosen. */
static void results_that_a_choice_alone_reads_need_none(void **state)
{
#define TEST   "setp.gt.s32 %q1,%r3,0;\n"
#define FLOATS "mov.b32 %f0,%r0;\nmov.b32 %f1,%r1;\n"
#define END    "st.global.u32 [%p],%r9;"
    (void)state;
    assert_int_equal(count_of(FW_MACHINE_SEL, TEST "mul.lo.s32 %r4,%r0,%r1;\nxor.b32 %r5,%r0,%r2;\n"
                                                   "selp.b32 %r9,%r4,%r5,%q1;\n" END),
                     0);
    assert_int_equal(count_of(FW_MACHINE_FSEL,
                              TEST FLOATS "mul.f32 %f4,%f0,%f1;\nadd.f32 %f5,%f0,%f1;\n"
                                          "selp.f32 %f9,%f4,%f5,%q1;\nst.global.f32 [%p],%f9;"),
                     0);
    assert_int_equal(count_of(FW_MACHINE_SEL, TEST "setp.gt.s32 %q2,%r2,0;\n"
                                                   "selp.b32 %r4,%r0,%r1,%q2;\n"
                                                   "selp.b32 %r5,%r2,%r3,%q2;\n"
                                                   "selp.b32 %r9,%r4,%r5,%q1;\n" END),
                     2);
    assert_int_equal(count_of(FW_MACHINE_SEL, TEST "mul.lo.s32 %r4,%r0,%r1;\n"
                                                   "selp.b32 %r9,%r4,%r2,%q1;\n" END),
                     1);
    assert_int_equal(count_of(FW_MACHINE_SEL,
                              TEST "mul.lo.s32 %r4,%r0,%r1;\nxor.b32 %r5,%r0,%r2;\n"
                                   "selp.b32 %r9,%r4,%r5,%q1;\n" END "st.global.u32 [%p+4],%r5;"),
                     1);
    assert_int_equal(count_of(FW_MACHINE_SEL, TEST "add.s32 %r4,%r0,%r1;\nadd.s32 %r5,%r0,%r2;\n"
                                                   "selp.b32 %r9,%r4,%r5,%q1;\n" END),
                     1);
    assert_int_equal(count_of(FW_MACHINE_FSEL,
                              TEST "mov.b64 %d0,{%r0,%r1};\nmov.b64 %d1,{%r1,%r2};\n"
                                   "mul.f64 %d4,%d0,%d1;\nadd.f64 %d5,%d0,%d1;\n"
                                   "selp.f64 %d6,%d4,%d5,%q1;\nst.global.f64 [%p],%d6;"),
                     2);
}

/* A sum under a condition takes its own addend's place (@P FADD), unless others read that. */
static void sums_under_conditions_need_no_choice(void **state)
{
    (void)state;
    assert_int_equal(count_of(FW_MACHINE_FSEL,
                              TEST FLOATS "add.f32 %f4,%f0,%f1;\nselp.f32 %f5,%f4,%f0,%q1;\n"
                                          "st.global.f32 [%p],%f5;"),
                     0);
    assert_int_equal(count_of(FW_MACHINE_FSEL,
                              TEST FLOATS "add.f32 %f4,%f0,%f1;\nselp.f32 %f5,%f4,%f0,%q1;\n"
                                          "st.global.f32 [%p],%f5;\nst.global.f32 [%p+4],%f0;"),
                     1);
    assert_int_equal(count_of(FW_MACHINE_SEL, TEST "mul.lo.s32 %r4,%r0,%r1;\n"
                                                   "selp.b32 %r9,%r4,%r0,%q1;\n" END),
                     1);
}

/* The lower word of a shift to the right takes one operation (SHF.R.U64). */
static void lower_words_of_shifts_are_one_operation(void **state)
{
#define SHIFT "mov.b64 %w0,{%r0,%r1};\nshr.u64 %w1,%w0,%r2;\n"
    (void)state;
    assert_int_equal(count_of(FW_MACHINE_SHF, SHIFT "st.global.u64 [%p],%w1;"), 2);
    assert_int_equal(count_of(FW_MACHINE_SHF, SHIFT "cvt.u32.u64 %r9,%w1;\n" END), 1);
}

/* ptxas 13.0: LEA.HI puts the words together, shifts and adds, unless others read what is shifted.
 */
static void funnel_shifts_go_into_a_sum(void **state)
{
#define ROTATION "shf.l.wrap.b32 %r4,%r0,%r0,7;\nadd.s32 %r9,%r4,%r1;\n"
    (void)state;
    assert_int_equal(count_of(FW_MACHINE_LEA, ROTATION END), 1);
    assert_int_equal(count_of(FW_MACHINE_SHF, ROTATION END), 0);
    assert_int_equal(count_of(FW_MACHINE_SHF, ROTATION END "st.global.u32 [%p+4],%r4;"), 1);
    assert_int_equal(count_of(FW_MACHINE_SHF, "shf.l.wrap.b32 %r4,%r0,%r0,%r2;\n"
                                              "add.s32 %r9,%r4,%r1;\n" END),
                     1);
}

/* An index of two arrays is shifted once (SHF.L.U32, SHF.L.U64.HI, and IADD3, IADD3.X twice); that
 * of one is two LEA. */
static void an_index_of_two_arrays_is_shifted_once(void **state)
{
#define INDEX                                                                                      \
    "mov.b64 %w0,{%r0,%r1};\nshl.b64 %w1,%w0,2;\nadd.s64 %w2,%p,%w1;\n"                            \
    "ld.global.u32 %r4,[%w2];\n"
#define ANOTHER "add.s64 %w3,%w0,%p;\nadd.s64 %w4,%w3,%w1;\n"
    (void)state;
    assert_int_equal(count_of(FW_MACHINE_LEA, INDEX "st.global.u32 [%p],%r4;"), 2);
    assert_int_equal(count_of(FW_MACHINE_LEA, INDEX ANOTHER "st.global.u32 [%w4],%r4;"), 0);
    assert_int_equal(count_of(FW_MACHINE_SHF, INDEX ANOTHER "st.global.u32 [%w4],%r4;"), 2);
}

/* A quotient of 64 bits by 16: SHF, LEA.HI, IADD3.X, SHF, SHF (ptxas 13.0). */
static void quotients_by_powers_of_two_add_the_sign_by_lea(void **state)
{
#define QUOTIENT                                                                                   \
    "mov.b64 %w0,{%r0,%r1};\nshr.s64 %w1,%w0,63;\nshr.u64 %w2,%w1,60;\n"                           \
    "add.s64 %w3,%w0,%w2;\nshr.s64 %w4,%w3,4;\nst.global.u64 [%p],%w4;"
    (void)state;
    assert_int_equal(count_of(FW_MACHINE_LEA, QUOTIENT), 1);
    assert_int_equal(count_of(FW_MACHINE_IADD3, QUOTIENT), 1);
    assert_int_equal(count_of(FW_MACHINE_SHF, QUOTIENT), 3);
}

/* An index that two shifts give its sign, as CuPy's places of arrays are: its product needs the
 * lower word alone (IMAD), and the place takes both of its words (IADD3, LEA.HI.X.SX32). */
static void an_index_with_a_sign_by_shifts_is_one_word(void **state)
{
#define PLACE                                                                                      \
    "mov.b64 %w0,{%r0,%r1};\nmov.b64 %w1,{%r2,%r3};\nmul.lo.s64 %w2,%w0,%w1;\n"                    \
    "shl.b64 %w3,%w2,32;\nshr.s64 %w4,%w3,32;\nadd.s64 %w5,%p,%w4;\nst.global.u32 [%w5],%r0;"
    (void)state;
    assert_int_equal(count_of(FW_MACHINE_IMAD, PLACE), 1);
    assert_int_equal(count_of(FW_MACHINE_IMAD_WIDE, PLACE), 0);
    assert_true(count_of(FW_MACHINE_SHF, PLACE) <= 1);
    assert_int_equal(count_of(FW_MACHINE_IADD3, PLACE), 1);
    assert_int_equal(count_of(FW_MACHINE_LEA, PLACE), 1);
}

/* Of doubles with one lower word the upper ones alone are chosen (FSEL, and IMAD.MOV of the lower).
 */
static void a_choice_of_doubles_is_one_of_upper_words(void **state)
{
#define DOUBLES(other)                                                                             \
    TEST "ld.global.f64 %d0,[%p+32];\n"                                                            \
         "selp.f64 %d1,0d3FD0000000000000," other ",%q1;\n"                                        \
         "fma.rn.f64 %d2,%d0,%d1,%d0;\nst.global.f64 [%p],%d2;"
    (void)state;
    assert_int_equal(count_of(FW_MACHINE_FSEL, DOUBLES("0dBFD0000000000000")), 1);
    assert_int_equal(count_of(FW_MACHINE_FSEL, DOUBLES("0d3FB999999999999A")), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_inputs_are_one_operation),
        cmocka_unit_test(complements_are_free),
        cmocka_unit_test(results_that_a_choice_alone_reads_need_none),
        cmocka_unit_test(sums_under_conditions_need_no_choice),
        cmocka_unit_test(lower_words_of_shifts_are_one_operation),
        cmocka_unit_test(funnel_shifts_go_into_a_sum),
        cmocka_unit_test(an_index_of_two_arrays_is_shifted_once),
        cmocka_unit_test(quotients_by_powers_of_two_add_the_sign_by_lea),
        cmocka_unit_test(an_index_with_a_sign_by_shifts_is_one_word),
        cmocka_unit_test(a_choice_of_doubles_is_one_of_upper_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
