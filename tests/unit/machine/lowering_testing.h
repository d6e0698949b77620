/* For tests of the lowering: what becomes of a few lines of PTX. */
#ifndef FW_LOWERING_TESTING_H
#define FW_LOWERING_TESTING_H

#include "lowering.h"
#include "pipeline.h"
#include "ptx_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* So many of a machine operation that the entry k of a module issues; `all` is the module's text,
 * whose arena is freed. */
static inline unsigned lowered_count(struct fw_buffer *all, enum fw_machine operation,
                                     uint32_t capability)
{
    struct fw_arena *arena = all->arena;
    struct fw_source *source = FW_NEW(arena, struct fw_source);
    struct fw_module *module;
    struct fw_lowering *lowering;
    unsigned count = 0;
    *source = (struct fw_source){"lowered", all->text, all->length};
    assert_int_equal(fw_ptx_read(&module, arena, source, NULL), FW_OK);
    struct fw_function *function = fw_module_kernel(module, "k");
    assert_int_equal(fw_ir_prepare(arena, function, FW_IR_MOST_INSTRUCTIONS, NULL), FW_OK);
    assert_int_equal(fw_lower(&lowering, arena, function, capability), FW_OK);
    for (uint32_t i = 0; i < function->instruction_count; i++)
        for (unsigned c = 0; c < lowering->instructions[i].count; c++)
            if (lowering->instructions[i].at[c].operation == operation)
                count += lowering->instructions[i].at[c].count;
    fw_arena_free(arena);
    return count;
}

#endif
