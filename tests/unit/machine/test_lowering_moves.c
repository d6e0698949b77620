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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(upper_words_are_literals),
        cmocka_unit_test(a_block_moves_a_literal_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
