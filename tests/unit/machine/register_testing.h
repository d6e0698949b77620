/* For tests of the register estimate: what a few lines of PTX take. */
#ifndef FW_REGISTER_TESTING_H
#define FW_REGISTER_TESTING_H

#include "liveness.h"
#include "pipeline.h"
#include "ptx_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static inline struct fw_registers estimate(struct fw_arena *arena, struct fw_module *module,
                                           const char *kernel)
{
    struct fw_function *function = fw_module_kernel(module, kernel);
    struct fw_lowering *lowering;
    struct fw_registers registers;
    assert_non_null(function);
    assert_int_equal(fw_ir_prepare(arena, function, FW_IR_MOST_INSTRUCTIONS, NULL), FW_OK);
    assert_int_equal(fw_lower(&lowering, arena, function, 90), FW_OK);
    assert_int_equal(fw_registers_estimate(&registers, arena, function, lowering), FW_OK);
    return registers;
}

/* What stands between the braces of a kernel `k` with a pointer and an integer. */
static inline struct fw_registers estimate_text(const char *directives, const char *body)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_source *source = FW_NEW(arena, struct fw_source);
    struct fw_module *module;
    source->name = "k.ptx";
    source->text = fw_arena_printf(
        arena,
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 a, .param .u32 n)\n%s\n{\n"
        ".reg .pred %%p<40>;\n.reg .f32 %%f<200>;\n.reg .b32 %%r<200>;\n.reg .b64 %%d<99>;\n"
        "ld.param.u64 %%d1, [a];\nld.param.u32 %%r1, [n];\ncvta.to.global.u64 %%d2, %%d1;\n"
        "mov.u32 %%r2, %%tid.x;\nmul.wide.u32 %%d3, %%r2, 4;\nadd.s64 %%d4, %%d2, %%d3;\n%s"
        "ret;\n}\n",
        directives, body);
    source->length = strlen(source->text);
    assert_int_equal(fw_ptx_read(&module, arena, source, NULL), FW_OK);
    struct fw_registers registers = estimate(arena, module, "k");
    fw_arena_free(arena);
    return registers;
}

#endif
