/* Vectors of bytes: what takes them out of a word and puts them into one. */
#include "lowering_testing.h"

/* So many of an operation that a kernel issues which executes `text` behind a load of four bytes,
 * %b0 to %b3, and of four numbers in floating point. */
static unsigned count_of(enum fw_machine operation, const char *text)
{
    struct fw_buffer all = fw_buffer_new(fw_arena_new(0));
    fw_buffer_printf(&all,
                     ".version 8.4\n.target sm_90\n.address_size 64\n"
                     ".visible .entry k(.param .u64 a) {\n"
                     ".reg .b16 %%b<8>; .reg .f32 %%f<8>; .reg .b64 %%p;\n"
                     "ld.param.u64 %%p,[a]; ld.global.v4.u8 {%%b0,%%b1,%%b2,%%b3},[%%p];\n"
                     "ld.global.v4.f32 {%%f0,%%f1,%%f2,%%f3},[%%p+16];\n%s\nret; }\n",
                     text);
    return lowered_count(&all, operation, 90);
}

static unsigned permutations(const char *text)
{
    return count_of(FW_MACHINE_PRMT, text);
}

static void bytes_that_are_read_are_taken_out(void **state)
{
    (void)state;
    assert_int_equal(permutations("cvt.rn.f32.u16 %f4,%b0;\nst.global.f32 [%p],%f4;"), 1);
    assert_int_equal(permutations("cvt.rn.f32.u16 %f4,%b0;\ncvt.rn.f32.u16 %f5,%b2;\n"
                                  "st.global.f32 [%p],%f4;\nst.global.f32 [%p+4],%f5;"),
                     2);
}

static void bytes_that_are_stored_are_put_in(void **state)
{
    (void)state;
    assert_int_equal(permutations("cvt.rzi.u16.f32 %b4,%f0;\ncvt.rzi.u16.f32 %b5,%f1;\n"
                                  "cvt.rzi.u16.f32 %b6,%f2;\ncvt.rzi.u16.f32 %b7,%f3;\n"
                                  "st.global.v4.u8 [%p],{%b4,%b5,%b6,%b7};"),
                     3);
    assert_int_equal(permutations("st.global.v4.u8 [%p+32],{%b0,%b1,%b2,%b3};"), 0);
}

/* I2F.S8 reads any byte of a word (ptxas 13.0). */
static void bytes_with_a_sign_become_floats_where_they_lie(void **state)
{
#define SIGNED "ld.global.v2.u8 {%b4,%b5},[%p+4];\ncvt.s16.s8 %b6,%b5;\ncvt.rn.f32.s16 %f4,%b6;\n"
    (void)state;
    assert_int_equal(permutations(SIGNED "st.global.f32 [%p],%f4;"), 0);
    assert_int_equal(count_of(FW_MACHINE_I2F, SIGNED "st.global.f32 [%p],%f4;"), 1);
    assert_true(permutations(SIGNED "st.global.f32 [%p],%f4;\nst.global.u16 [%p+4],%b6;") > 0);
}

/* IMAD.SHL; SHF, with LOP3 where the upper half may hold something; PRMT 0x5410 for two that are
 * stored side by side (ptxas 13.0).  Behind a shift by a register stands a test of its size. */
static void halves_are_shifted_by_literals_at_once(void **state)
{
#define LOADED "ld.global.u16 %b4,[%p+4];\nshr.u16 %b5,%b4,3;\nst.global.u16 [%p],%b5;"
#define ADDED  "add.s16 %b4,%b0,%b1;\nshr.u16 %b5,%b4,3;\nst.global.u16 [%p],%b5;"
#define STORED "shl.b16 %b4,%b0,3;\nshl.b16 %b5,%b1,3;\nst.global.v2.u16 [%p],{%b4,%b5};"
    (void)state;
    assert_int_equal(count_of(FW_MACHINE_ISETP, LOADED), 0);
    assert_int_equal(count_of(FW_MACHINE_LOP3, LOADED), 0);
    assert_int_equal(count_of(FW_MACHINE_SHF, LOADED), 1);
    assert_int_equal(count_of(FW_MACHINE_LOP3, ADDED), 1);
    assert_int_equal(count_of(FW_MACHINE_SHF, STORED), 2);
    assert_int_equal(permutations(STORED), 2 + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_that_are_read_are_taken_out),
        cmocka_unit_test(bytes_that_are_stored_are_put_in),
        cmocka_unit_test(bytes_with_a_sign_become_floats_where_they_lie),
        cmocka_unit_test(halves_are_shifted_by_literals_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
