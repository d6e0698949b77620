/* Fragments of wmma: what they are loaded, stored and multiplied by, as ptxas 13.0 for sm_90 has
 * it. */
#include "lowering_testing.h"

static unsigned issued(const char *text, enum fw_machine operation)
{
    struct fw_buffer all = fw_buffer_new(fw_arena_new(0));
    fw_buffer_printf(&all,
                     ".version 8.4\n.target sm_90\n.address_size 64\n"
                     ".visible .entry k(.param .u64 a, .param .u32 n) {\n"
                     ".reg .b32 %%r<40>; .reg .f32 %%f<40>; .reg .f64 %%d<8>; .reg .b64 %%p;\n"
                     ".shared .align 32 .b8 own[4096];\n.reg .b32 %%s, %%n;\n"
                     "ld.param.u64 %%p,[a]; ld.param.u32 %%n,[n]; mov.u32 %%s, own;\n%s\nret; }\n",
                     text);
    return lowered_count(&all, operation, 90);
}

#define WORDS8 "{%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}"
#define WORDS4 "{%r0,%r1,%r2,%r3}"
#define SUMS   "{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}"

static void factors_are_loaded_by_words(void **state)
{
    const char *natural = "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " WORDS8 ",[%p],%n;";
    const char *turned = "wmma.load.a.sync.aligned.col.m16n16k16.global.f16 " WORDS8 ",[%p],%n;";
    const char *shared = "wmma.load.b.sync.aligned.row.m32n8k16.shared.f16 " WORDS8 ",[%s],%n;";
    const char *both = "wmma.load.a.sync.aligned.row.m32n8k16.shared.f16 " WORDS8 ",[%s],%n;";
    const char *tf32 = "wmma.load.b.sync.aligned.col.m16n16k8.tf32 " WORDS4 ",[%p],%n;";
    const char *bytes = "wmma.load.a.sync.aligned.row.m16n16k16.shared.s8 {%r0,%r1},[%s],%n;";
    const char *single = "wmma.load.a.sync.aligned.col.m16n16k16.shared.s8 {%r0,%r1},[%s],%n;";
    (void)state;
    assert_int_equal(issued(natural, FW_MACHINE_LDG), 4);
    assert_int_equal(issued(natural, FW_MACHINE_MOVM), 0);
    assert_int_equal(issued(turned, FW_MACHINE_LDG), 4);
    assert_int_equal(issued(turned, FW_MACHINE_MOVM), 4);
    assert_int_equal(issued(shared, FW_MACHINE_LDSM), 1);
    assert_int_equal(issued(both, FW_MACHINE_LDSM), 2);
    assert_int_equal(issued(tf32, FW_MACHINE_LD), 4);
    assert_int_equal(issued(tf32, FW_MACHINE_IMAD_WIDE), 5);
    assert_int_equal(issued(bytes, FW_MACHINE_LDSM), 1);
    assert_int_equal(issued(single, FW_MACHINE_LDS), 8);
}

static void sums_lie_in_pairs_along_a_row(void **state)
{
    const char *pairs = "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%p]," SUMS ",%n;";
    const char *single = "wmma.load.c.sync.aligned.col.m16n16k16.shared.f32 " SUMS ",[%s],%n;";
    const char *flat = "wmma.load.c.sync.aligned.col.m8n32k16.shared.f32 " SUMS ",[%s],%n;";
    const char *wide = "wmma.load.c.sync.aligned.row.m8n8k4.global.f64 {%d0,%d1},[%p],%n;";
    (void)state;
    assert_int_equal(issued(pairs, FW_MACHINE_STG_64), 4);
    assert_int_equal(issued(single, FW_MACHINE_LDS), 8);
    assert_int_equal(issued(flat, FW_MACHINE_LDS_64), 4);
    assert_int_equal(issued(wide, FW_MACHINE_LDG_128), 1);
}

static void products_are_several_of_the_tensor_core(void **state)
{
    const char *half =
        "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 " SUMS "," WORDS8 "," WORDS8 "," SUMS ";";
    const char *tf32 = "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32 " SUMS "," WORDS4
                       "," WORDS4 "," SUMS ";";
    const char *bytes = "wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32 " WORDS8
                        ",{%r8,%r9},{%r10,%r11}," WORDS8 ";";
    const char *wide = "wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64 {%d0,%d1},{%d2},{%d3},"
                       "{%d0,%d1};";
    (void)state;
    assert_int_equal(issued(half, FW_MACHINE_HMMA), 2);
    assert_int_equal(issued(tf32, FW_MACHINE_HMMA), 4);
    assert_int_equal(issued(bytes, FW_MACHINE_IMMA), 2);
    assert_int_equal(issued(wide, FW_MACHINE_DMMA), 1);
}

static void factors_of_tf32_keep_the_bits_that_no_product_sees(void **state)
{
    const char *factor =
        "cvt.rna.tf32.f32 %r0,%f0;\nwmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32 " SUMS
        "," WORDS4 "," WORDS4 "," SUMS ";";
    const char *stored = "cvt.rna.tf32.f32 %r0,%f0;\nst.global.u32 [%p],%r0;";
    (void)state;
    assert_int_equal(issued(factor, FW_MACHINE_LOP3), 0);
    assert_int_equal(issued(stored, FW_MACHINE_LOP3), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_are_loaded_by_words),
        cmocka_unit_test(sums_lie_in_pairs_along_a_row),
        cmocka_unit_test(products_are_several_of_the_tensor_core),
        cmocka_unit_test(factors_of_tf32_keep_the_bits_that_no_product_sees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
