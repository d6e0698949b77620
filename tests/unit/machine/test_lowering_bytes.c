/* Vectors of bytes: what takes them out of a word and puts them into one. */
#include "lowering_testing.h"

/* Permutations that a kernel issues which executes `text` behind a load of four bytes, %b0 to %b3,
 * and of four numbers in floating point. */
static unsigned permutations(const char *text)
{
    struct fw_buffer all = fw_buffer_new(fw_arena_new(0));
    fw_buffer_printf(&all,
                     ".version 8.4\n.target sm_90\n.address_size 64\n"
                     ".visible .entry k(.param .u64 a) {\n"
                     ".reg .b16 %%b<8>; .reg .f32 %%f<8>; .reg .b64 %%p;\n"
                     "ld.param.u64 %%p,[a]; ld.global.v4.u8 {%%b0,%%b1,%%b2,%%b3},[%%p];\n"
                     "ld.global.v4.f32 {%%f0,%%f1,%%f2,%%f3},[%%p+16];\n%s\nret; }\n",
                     text);
    return lowered_count(&all, FW_MACHINE_PRMT, 90);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_that_are_read_are_taken_out),
        cmocka_unit_test(bytes_that_are_stored_are_put_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
