/* What the lowering makes of branches: predicates, and barriers where threads meet. */
#include "lowering.h"
#include "pipeline.h"
#include "ptx_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct found {
    unsigned branches, barriers, predicated, indexed, compared, places, joined;
};

static void count(struct found *found, enum fw_machine operation)
{
    found->branches += operation == FW_MACHINE_BRA;
    found->indexed += operation == FW_MACHINE_BRX;
    found->compared += operation == FW_MACHINE_ISETP;
    found->joined += operation == FW_MACHINE_PLOP3;
    found->barriers += operation == FW_MACHINE_BSSY || operation == FW_MACHINE_BSYNC;
}

/* A kernel that goes, by a condition on `what`, to L or on to `more` and so many multiply-adds. */
static struct found lower(const char *what, unsigned products, const char *more)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_buffer text = fw_buffer_new(arena);
    struct fw_module *module;
    struct fw_lowering *lowering;
    struct found found = {0};
    fw_buffer_printf(
        &text,
        ".version 8.4\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 a, .param .u32 b) {\n"
        ".reg .pred %%q; .reg .b32 %%n,%%r; .reg .f32 %%f; .reg .f64 %%d; .reg .b64 %%p,%%o;\n"
        "ld.param.u64 %%p,[a]; ld.param.u32 %%n,[b]; mov.u32 %%r,%%tid.x;\n"
        "mul.wide.u32 %%o,%%r,4; add.s64 %%p,%%p,%%o; ld.global.f32 %%f,[%%p];\n"
        "setp.gt.s32 %%q,%s,7; @%%q bra L;\n%s\n",
        what, more);
    for (unsigned i = 0; i < products; i++)
        fw_buffer_printf(&text, "fma.rn.f32 %%f,%%f,%%f,%%f;\n");
    fw_buffer_printf(&text, "L: st.global.f32 [%%p],%%f; ret; }\n");
    struct fw_source *source = FW_NEW(arena, struct fw_source);
    *source = (struct fw_source){"branch", text.text, text.length};
    assert_int_equal(fw_ptx_read(&module, arena, source, NULL), FW_OK);
    struct fw_function *function = fw_module_kernel(module, "k");
    assert_int_equal(fw_ir_prepare(arena, function, FW_IR_MOST_INSTRUCTIONS, NULL), FW_OK);
    assert_int_equal(fw_lower(&lowering, arena, function, 90), FW_OK);
    for (uint32_t i = 0; i < function->instruction_count; i++)
        for (unsigned c = 0; c < lowering->instructions[i].count; c++)
            count(&found, (enum fw_machine)lowering->instructions[i].at[c].operation);
    for (uint32_t b = 0; b < function->block_count; b++) {
        found.predicated += lowering->predicated[b] != FW_NO_INDEX;
        found.places += lowering->places[b] != FW_NO_INDEX;
    }
    fw_arena_free(arena);
    return found;
}

static void short_blocks_are_predicated(void **state)
{
    (void)state;
    struct found found = lower("%r", 8, "");
    assert_int_equal(found.branches, 0);
    assert_int_equal(found.barriers, 0);
    assert_int_equal(found.predicated, 1);
    found = lower("%r", 17, "ld.global.f32 %f,[%p+128];");
    assert_int_equal(found.branches, 0);
    assert_int_equal(found.predicated, 1);
}

/* ptxas 13.0: a predicate of a special function's own is set before, and taken where the block is
 * executed (PLOP3, PLOP3); not behind a branch, nor where there is none. */
static void predicates_under_predicates_are_joined(void **state)
{
#define ROOT "rsqrt.approx.f32 %f,%f;"
    (void)state;
    struct found found = lower("%r", 1, ROOT);
    assert_int_equal(found.predicated, 1);
    assert_int_equal(found.joined, 1);
    found = lower("%r", 20, ROOT);
    assert_int_equal(found.predicated, 0);
    assert_int_equal(found.joined, 0);
    assert_int_equal(lower("%r", 1, "rsqrt.approx.ftz.f32 %f,%f;").joined, 0);
}

static void threads_meet_behind_long_blocks(void **state)
{
    (void)state;
    struct found found = lower("%r", 9, "");
    assert_int_equal(found.branches, 1);
    assert_int_equal(found.barriers, 2);
    assert_int_equal(found.predicated, 0);
    assert_int_equal(lower("%n", 6, "").predicated, 1);
    assert_int_equal(lower("%r", 6, "add.s32 %r,%r,%n; st.global.u32 [%p],%r;").predicated, 0);
    assert_int_equal(lower("%r", 6, "add.s32 %r,%r,%r; st.global.u32 [%p],%r;").predicated, 1);
    found = lower("%r", 18, "ld.global.f32 %f,[%p+128];");
    assert_int_equal(found.branches, 1);
    assert_int_equal(found.barriers, 2);
    assert_int_equal(lower("%r", 1, "red.global.add.f32 [%p],%f;").predicated, 0);
    found = lower("%n", 7, ""); /* all threads go one way */
    assert_int_equal(found.branches, 1);
    assert_int_equal(found.barriers, 0);
}

/* Ways as nvcc writes them: the second begins behind a branch that stands alone.  L ends ahead of
 * the first way, so that the branch goes on there. */
static struct found lower_ways(const char *first, unsigned products)
{
    struct fw_arena *arena = fw_arena_new(0);
    const char *more = fw_arena_printf(
        arena, "mov.f32 %%f,%%f; setp.lt.s32 %%q,%%r,3; @%%q bra T; bra.uni E; T: %s bra.uni L; E:",
        first);
    struct found found = lower("%n", products, more);
    fw_arena_free(arena);
    return found;
}

static void two_ways_are_predicated(void **state)
{
    (void)state;
    const char *first = "add.f32 %f,%f,%f; add.f32 %f,%f,%f;";
    struct found found = lower_ways(first, 7);
    assert_int_equal(found.predicated, 2);
    assert_int_equal(lower_ways(first, 8).predicated, 0);
    /* The way that the branch takes needs none of its own to where the threads meet.  Of two
     * literals one is brought to a register first. */
    first = "fma.rn.f32 %f,%f,0f3F000000,0f3E800000; add.f32 %f,%f,%f; add.f32 %f,%f,%f;"
            "add.f32 %f,%f,%f; add.f32 %f,%f,%f; add.f32 %f,%f,%f; add.f32 %f,%f,%f;"
            "add.f32 %f,%f,%f;";
    assert_int_equal(lower_ways(first, 2).predicated, 0);
    assert_int_equal(lower_ways(strchr(first, ';') + 1, 2).predicated, 2);
}

/* Two branches by one condition, with the same two ways each. */
static struct found lower_twice(const char *first, const char *second)
{
    struct fw_arena *arena = fw_arena_new(0);
    const char *more = fw_arena_printf(
        arena,
        "setp.lt.s32 %%q,%%r,3; @%%q bra T; bra.uni E; T: %s bra.uni J; E: %s J: @%%q bra U;\n"
        "bra.uni F; U: %s bra.uni K; F: %s K:",
        first, second, first, second);
    struct found found = lower("%n", 12, more);
    fw_arena_free(arena);
    return found;
}

/* Seven operations and a branch: there is no room for a literal, unless it is there before. */
static void shared_literals_are_there_before(void **state)
{
    const char *const adds = "add.f32 %f,%f,%f; add.f32 %f,%f,%f; add.f32 %f,%f,%f;"
                             "add.f32 %f,%f,%f; add.f32 %f,%f,%f; add.f32 %f,%f,%f;";
    struct fw_arena *arena = fw_arena_new(0);
    const char *first =
        fw_arena_printf(arena, "fma.rn.f32 %%f,%%f,0f3F000000,0f3F400000; %s", adds);
    const char *same = fw_arena_printf(arena, "fma.rn.f32 %%f,%%f,0f3F000000,0f3F500000; %s", adds);
    const char *other =
        fw_arena_printf(arena, "fma.rn.f32 %%f,%%f,0f3F100000,0f3F500000; %s", adds);
    (void)state;
    assert_int_equal(lower_twice(first, same).predicated, 4);
    assert_int_equal(lower_twice(first, other).predicated, 0);
    /* Two operations that share no literal need two registers, and one is for the second way's
     * alone: the first way has no room for it. */
    const char *two = fw_arena_printf(
        arena,
        "fma.rn.f32 %%f,%%f,0f3F000000,0f3E800000; fma.rn.f32 %%f,%%f,0f3F400000,0f3F000000; %s",
        adds);
    const char *one =
        "fma.rn.f32 %f,%f,0f3E800000,0f3F400000; fma.rn.f32 %f,%f,0f3F000000,0f3E800000;"
        "add.f32 %f,%f,0f3E800000;";
    assert_int_equal(lower_twice(two, one).predicated, 0);
    fw_arena_free(arena);
}

/* A maximum of f64 is one operation until ptxas has decided about branches. */
static void maxima_count_once(void **state)
{
    (void)state;
    const char *first =
        "max.f64 %d,%d,%d; max.f64 %d,%d,%d; max.f64 %d,%d,%d; cvt.rn.f32.f64 %f,%d;";
    assert_int_equal(lower_ways(first, 2).predicated, 2);
}

/* Tests of a number for so many literals, `more` ahead of the first in its block; each way ends at
 * L, and the one where none holds has nine products. */
static struct found lower_tests(const char *more, const int *literals, unsigned tests)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_buffer text = fw_buffer_new(arena);
    fw_buffer_printf(&text, "%s\n", more);
    for (unsigned t = 0; t < tests; t++)
        fw_buffer_printf(&text, "setp.eq.s32 %%q,%%r,%d; @%%q bra W%u;\n", literals[t], t);
    fw_buffer_printf(&text, "bra.uni E;\n");
    for (unsigned t = 0; t < tests; t++) {
        fw_buffer_printf(&text, "W%u:\n", t);
        for (unsigned i = 0; i < 20; i++)
            fw_buffer_printf(&text, "add.f32 %%f,%%f,%%f;\n");
        fw_buffer_printf(&text, "bra.uni L;\n");
    }
    fw_buffer_printf(&text, "E:\n");
    struct found found = lower("%r", 9, text.text);
    fw_arena_free(arena);
    return found;
}

/* What ptxas 13.0 makes of the same. */
static void tests_of_one_number_become_a_table(void **state)
{
    static const int two[] = {0, 1}, apart[] = {3, 12}, far[] = {0, 10}, four[] = {0, 1, 2, 19},
                     sparse[] = {0, 1, 2, 20};
    (void)state;
    struct found found = lower_tests("", two, 2);
    assert_int_equal(found.indexed, 1);
    assert_int_equal(found.compared, 1); /* the first, of 7 */
    assert_int_equal(found.places, 3);
    assert_int_equal(found.branches, 3); /* that one, and at the end of both ways */
    assert_int_equal(found.barriers, 2);
    assert_int_equal(lower_tests("", apart, 2).indexed, 1);
    assert_int_equal(lower_tests("", far, 2).indexed, 0);
    assert_int_equal(lower_tests("", far, 2).compared, 3);
    assert_int_equal(lower_tests("", four, 4).indexed, 1);
    assert_int_equal(lower_tests("", four, 4).places, 5);
    assert_int_equal(lower_tests("", sparse, 4).indexed, 0);
    assert_int_equal(lower_tests("", two, 1).indexed, 0);
    assert_int_equal(lower_tests("add.f32 %f,%f,%f;", two, 2).indexed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_blocks_are_predicated),
        cmocka_unit_test(predicates_under_predicates_are_joined),
        cmocka_unit_test(threads_meet_behind_long_blocks),
        cmocka_unit_test(two_ways_are_predicated),
        cmocka_unit_test(shared_literals_are_there_before),
        cmocka_unit_test(maxima_count_once),
        cmocka_unit_test(tests_of_one_number_become_a_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
