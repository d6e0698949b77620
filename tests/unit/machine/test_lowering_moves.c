/* Literals that no field of an operation takes, and the moves that put them together. */
#include "lowering_testing.h"

/* Scalar moves that a kernel issues which executes `text` between a load and a store of doubles. */
static unsigned scalar_moves(const char *text)
{
    struct fw_buffer all = fw_buffer_new(fw_arena_new(0));
    fw_buffer_printf(&all,
                     ".version 8.4\n.target sm_90\n.address_size 64\n"
                     ".visible .entry k(.param .u64 a) {\n"
                     ".reg .pred %%q; .reg .f64 %%d<4>; .reg .b64 %%p;\n"
                     "ld.param.u64 %%p,[a]; ld.global.f64 %%d1,[%%p];\n"
                     "%s\nst.global.f64 [%%p],%%d1; ret; }\n",
                     text);
    return lowered_count(&all, FW_MACHINE_UMOV, 90);
}

static void upper_words_are_literals(void **state)
{
    (void)state; /* 0.5, and 0.1 with a lower word */
    assert_int_equal(scalar_moves("mul.f64 %d1,%d1,0d3FE0000000000000;"), 0);
    assert_int_equal(scalar_moves("mul.f64 %d1,%d1,0d3FB999999999999A;"), 2);
}

static void a_block_moves_a_literal_once(void **state)
{
    (void)state;
    const char *twice = "mov.f64 %d2,0d3FB999999999999A;\n"
                        "mul.f64 %d1,%d1,%d2;\nadd.f64 %d1,%d1,%d2;\n";
    const char *parted = "mov.f64 %d2,0d3FB999999999999A;\n"
                         "mul.f64 %d1,%d1,%d2;\nsetp.lt.f64 %q,%d1,0d0000000000000000;\n"
                         "@%q bra L;\nsqrt.rn.f64 %d1,%d1;\nL: add.f64 %d1,%d1,%d2;\n";
    assert_int_equal(scalar_moves(twice), 2);
    assert_int_equal(scalar_moves(parted), 4);
}

/* IDP reads weights of bytes from a scalar register (ptxas 13.0: UMOV, once for each literal). */
static void weights_of_bytes_are_moved_once(void **state)
{
#define BYTES                                                                                      \
    ".reg .b32 %r<8>;\ncvta.to.global.u64 %p,%p;\nld.global.v2.u32 {%r1,%r2},[%p+16];\n"           \
    "mov.u32 %r3,1939021;\ndp4a.u32.u32 %r4,%r1,%r3,%r2;\ndp4a.u32.u32 %r5,%r2,%r3,%r4;\n"
    (void)state;
    assert_int_equal(scalar_moves(BYTES "st.global.u32 [%p+8],%r5;"), 1);
    assert_int_equal(scalar_moves(BYTES "dp4a.u32.u32 %r6,%r5,4369,%r4;\n"
                                        "st.global.u32 [%p+8],%r6;"),
                     2);
}

/* Reads of parameters by a kernel with that of the stack pointer, where `second` stands behind a
 * branch around an access by a parameter (ptxas 13.0: LDC.64 in each of two such blocks). */
static unsigned parameters(const char *second)
{
    struct fw_buffer all = fw_buffer_new(fw_arena_new(0));
    fw_buffer_printf(&all,
                     ".version 8.4\n.target sm_90\n.address_size 64\n"
                     ".visible .entry k(.param .u64 a) {\n"
                     ".reg .pred %%q; .reg .b32 %%r<4>; .reg .b64 %%p; .reg .b64 %%w<9>;\n"
                     "mov.u32 %%r1,%%tid.x; ld.param.u64 %%p,[a]; setp.lt.u32 %%q,%%r1,7;\n"
                     "@%%q bra L;\nmul.wide.u32 %%w1,%%r1,4;\nadd.s64 %%w2,%%p,%%w1;\n"
                     "st.global.u32 [%%w2],%%r1;\nL:\n%s\nret; }\n",
                     second);
    return lowered_count(&all, FW_MACHINE_LDC, 90);
}

static void blocks_beside_each_other_read_parameters_anew(void **state)
{
#define AGAIN "mul.wide.u32 %w3,%r1,8;\nadd.s64 %w4,%p,%w3;\nst.global.u32 [%w4],%r1;\n"
    (void)state;
    assert_int_equal(parameters(""), 1 + 1);
    assert_int_equal(parameters(AGAIN), 1 + 2);
    assert_int_equal(parameters(AGAIN "@%q bra M;\nadd.s64 %w5,%p,%w4;\n"
                                      "st.global.u32 [%w5],%r1;\nM:\n"),
                     1 + 2);
}

/* The first instruction reads the stack pointer besides what it reads itself. */
static void the_first_parameter_is_read(void **state)
{
    struct fw_buffer all = fw_buffer_new(fw_arena_new(0));
    (void)state;
    fw_buffer_printf(&all, ".version 8.4\n.target sm_90\n.address_size 64\n"
                           ".visible .entry k(.param .u64 a) {\n"
                           ".reg .b32 %%r<2>; .reg .b64 %%p; .reg .b64 %%w<3>;\n"
                           "ld.param.u64 %%p,[a]; mov.u32 %%r1,%%tid.x;\n"
                           "mul.wide.u32 %%w1,%%r1,4; add.s64 %%w2,%%p,%%w1;\n"
                           "st.global.u32 [%%w2],%%r1; ret; }\n");
    assert_int_equal(lowered_count(&all, FW_MACHINE_LDC, 90), 2);
}

/* Reads of special registers by a kernel that names shared memory in a block, in `text` behind it,
 * and in `before` them: the thread's index is one. */
static unsigned places_of_shared(const char *before, const char *text)
{
    struct fw_buffer all = fw_buffer_new(fw_arena_new(0));
    fw_buffer_printf(&all,
                     ".version 8.4\n.target sm_90\n.address_size 64\n"
                     ".visible .entry k(.param .u64 a, .param .u32 n) {\n.shared .b32 s[64];\n"
                     ".reg .pred %%q; .reg .b32 %%t,%%n,%%v,%%s<9>; .reg .b64 %%p;\n"
                     "ld.param.u64 %%p,[a]; ld.param.u32 %%n,[n]; mov.u32 %%t,%%tid.x;\n"
                     "shl.b32 %%s1,%%t,2; mov.u32 %%v,1;\n%s\n"
                     "setp.gt.s32 %%q,%%t,%%n; @%%q bra L;\n"
                     "mov.u32 %%s2,s; add.s32 %%s3,%%s2,%%s1; st.shared.b32 [%%s3],%%t;\n"
                     "bar.sync 0; ld.shared.b32 %%v,[%%s3+4]; st.global.b32 [%%p],%%v;\nL: %s\n"
                     "st.global.b32 [%%p+4],%%v; ret; }\n",
                     before, text);
    return lowered_count(&all, FW_MACHINE_S2R, 90);
}

static void each_block_finds_the_place_of_shared_memory(void **state)
{
    (void)state;
    const char *first = "mov.u32 %s4,s; add.s32 %s5,%s4,%s1; st.shared.b32 [%s5],%t;";
    const char *second = "mov.u32 %s6,s; add.s32 %s7,%s6,%s1; ld.shared.b32 %v,[%s7+8];";
    assert_int_equal(places_of_shared("", ""), 2);
    assert_int_equal(places_of_shared("", second), 3);
    assert_int_equal(places_of_shared(first, second), 2); /* it leads to both */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_block_finds_the_place_of_shared_memory),
        cmocka_unit_test(upper_words_are_literals),
        cmocka_unit_test(a_block_moves_a_literal_once),
        cmocka_unit_test(weights_of_bytes_are_moved_once),
        cmocka_unit_test(blocks_beside_each_other_read_parameters_anew),
        cmocka_unit_test(the_first_parameter_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
