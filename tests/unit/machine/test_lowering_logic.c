/* Logic: any function of three numbers is one operation. */
#include "lowering_testing.h"

/* Operations of logic that a kernel issues which executes `text` behind a load of %r0 to %r3. */
static unsigned operations(const char *text)
{
    struct fw_buffer all = fw_buffer_new(fw_arena_new(0));
    fw_buffer_printf(&all,
                     ".version 8.4\n.target sm_90\n.address_size 64\n"
                     ".visible .entry k(.param .u64 a) {\n"
                     ".reg .b32 %%r<16>; .reg .b64 %%p;\n"
                     "ld.param.u64 %%p,[a]; ld.global.v4.u32 {%%r0,%%r1,%%r2,%%r3},[%%p];\n"
                     "%s\nret; }\n",
                     text);
    return lowered_count(&all, FW_MACHINE_LOP3, 90);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_inputs_are_one_operation),
        cmocka_unit_test(complements_are_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
