/* What the lowering says of loops that ptxas unrolls, against data/lowering/unrolling.txt: the last
 * body that is unrolled, and the first that is not. */
#include "lowering.h"
#include "pipeline.h"
#include "ptx_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fw_function *read_loop(struct fw_arena *arena, const char *pragma, const char *body,
                                     unsigned products, const char *step)
{
    struct fw_buffer text = fw_buffer_new(arena);
    struct fw_module *module;
    fw_buffer_printf(&text,
                     ".version 8.4\n.target sm_90\n.address_size 64\n"
                     ".visible .entry k(.param .u64 a, .param .u32 b, .param .u32 c) {\n"
                     ".reg .pred %%q; .reg .b32 %%k,%%n,%%m,%%r,%%s; .reg .f32 %%f,%%g;\n"
                     ".reg .b64 %%p,%%o;\n"
                     "ld.param.u64 %%p,[a]; ld.param.u32 %%n,[b]; ld.param.u32 %%m,[c];\n"
                     "mov.u32 %%r,%%tid.x; mul.wide.u32 %%o,%%r,4; add.s64 %%p,%%p,%%o;\n"
                     "ld.global.f32 %%f,[%%p]; mov.u32 %%s,%%r; mov.u32 %%k,0;\n"
                     "LOOP: %s\n%s\n",
                     pragma, body);
    for (unsigned i = 0; i < products; i++)
        fw_buffer_printf(&text, "fma.rn.f32 %%f,%%f,%%f,%%f;\n");
    fw_buffer_printf(&text, "%s @%%q bra LOOP;\nst.global.f32 [%%o],%%f;\nret; }\n", step);
    struct fw_source *source = FW_NEW(arena, struct fw_source);
    *source = (struct fw_source){"loop", text.text, text.length};
    assert_int_equal(fw_ptx_read(&module, arena, source, NULL), FW_OK);
    struct fw_function *function = fw_module_kernel(module, "k");
    assert_int_equal(fw_ir_prepare(arena, function, FW_IR_MOST_INSTRUCTIONS, NULL), FW_OK);
    return function;
}

/* In one of how many iterations the loop's compare is issued. */
static unsigned together(const char *pragma, const char *body, unsigned products, const char *step)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_function *function = read_loop(arena, pragma, body, products, step);
    struct fw_lowering *lowering;
    unsigned every = 0;
    assert_int_equal(fw_lower(&lowering, arena, function, 90), FW_OK);
    for (uint32_t i = 0; i < function->instruction_count; i++)
        if (function->instructions[i].opcode == FW_OP_SETP)
            every = lowering->instructions[i].count ? lowering->instructions[i].at[0].every : 0;
    fw_arena_free(arena);
    return every > 1 ? every : 1;
}

static const char up[] = "add.s32 %k,%k,1; setp.lt.s32 %q,%k,%n;";

static void bodies_are_unrolled_up_to_their_weight(void **state)
{
    static const char loads[] = "ld.global.f32 %g,[%p]; fma.rn.f32 %f,%g,%g,%f;\n"
                                "ld.global.f32 %g,[%p+4]; fma.rn.f32 %f,%g,%g,%f;\n"
                                "add.s64 %p,%p,128;";
    static const char shared[] = "ld.shared.f32 %g,[%s]; fma.rn.f32 %f,%g,%g,%f;\n"
                                 "ld.shared.f32 %g,[%s+4]; fma.rn.f32 %f,%g,%g,%f;\n"
                                 "add.s32 %s,%s,128;";
    static const char stores[] = "st.global.f32 [%p],%f; st.global.f32 [%p+4],%f;\n"
                                 "add.s64 %p,%p,128;";
    static const struct {
        const char *body;
        unsigned most;
    } rows[] = {{"", 18},    {"bar.sync 0;", 17}, {"red.global.add.u32 [%p],1;", 8},
                {loads, 40}, {shared, 22},        {stores, 14}};
    (void)state;
    for (unsigned r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        assert_int_equal(together("", rows[r].body, rows[r].most, up), 4);
        assert_int_equal(together("", rows[r].body, rows[r].most + 1, up), 1);
    }
}

static void loops_that_do_not_count_stay(void **state)
{
    (void)state;
    assert_int_equal(together("", "", 4, "add.s32 %n,%n,-1; setp.ne.s32 %q,%n,0;"), 4);
    assert_int_equal(together(".pragma \"nounroll\";", "", 4, up), 1);
    assert_int_equal(together("", "", 4, "add.s32 %k,%k,%m; setp.lt.s32 %q,%k,%n;"), 1);
    assert_int_equal(together("", "", 4, "shr.u32 %n,%n,1; setp.ne.s32 %q,%n,0;"), 1);
    assert_int_equal(together("", "setp.gt.f32 %q,%f,%f; @%q ret;", 4, up), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_unrolled_up_to_their_weight),
        cmocka_unit_test(loops_that_do_not_count_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
