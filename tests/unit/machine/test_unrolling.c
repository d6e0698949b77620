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

static struct fw_function *read_counting(struct fw_arena *arena, const char *start,
                                         const char *pragma, const char *body, unsigned products,
                                         const char *step)
{
    struct fw_buffer text = fw_buffer_new(arena);
    struct fw_module *module;
    fw_buffer_printf(
        &text,
        ".version 8.4\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 a, .param .u32 b, .param .u32 c) {\n"
        ".reg .pred %%q,%%y,%%z; .reg .b32 %%k,%%n,%%m,%%r,%%s,%%t; .reg .f32 %%f,%%g;\n"
        ".reg .b64 %%p,%%o;\n"
        "ld.param.u64 %%p,[a]; ld.param.u32 %%n,[b]; ld.param.u32 %%m,[c];\n"
        "mov.u32 %%r,%%tid.x; mul.wide.u32 %%o,%%r,4; add.s64 %%p,%%p,%%o;\n"
        "ld.global.f32 %%f,[%%p]; mov.u32 %%s,%%r; setp.lt.u32 %%y,%%r,%%m; %s\n"
        "LOOP: %s\n%s\n",
        start, pragma, body);
    for (unsigned i = 0; i < products; i++)
        fw_buffer_printf(&text, "fma.rn.f32 %%f,%%f,%%f,%%f;\n");
    fw_buffer_printf(&text, "%s %s\nst.global.f32 [%%o],%%f;\nret; }\n", step,
                     strstr(step, "bra") ? "" : "@%q bra LOOP;");
    struct fw_source *source = FW_NEW(arena, struct fw_source);
    *source = (struct fw_source){"loop", text.text, text.length};
    assert_int_equal(fw_ptx_read(&module, arena, source, NULL), FW_OK);
    struct fw_function *function = fw_module_kernel(module, "k");
    assert_int_equal(fw_ir_prepare(arena, function, FW_IR_MOST_INSTRUCTIONS, NULL), FW_OK);
    return function;
}

static struct fw_function *read_loop(struct fw_arena *arena, const char *pragma, const char *body,
                                     unsigned products, const char *step)
{
    return read_counting(arena, "mov.u32 %k,0;", pragma, body, products, step);
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
    static const char guarded[] =
        "add.s32 %t,%k,5; setp.lt.s32 %z,%t,%m; mov.f32 %g,0f00000000;\n"
        "@%z ld.global.f32 %g,[%p]; fma.rn.f32 %f,%g,%g,%f;\n"
        "add.s32 %t,%k,21; setp.lt.s32 %z,%t,%m; and.pred %z,%z,%y; mov.f32 %g,0f00000000;\n"
        "@%z ld.global.f32 %g,[%p+4]; fma.rn.f32 %f,%g,%g,%f; add.s64 %p,%p,1024;";
    static const struct {
        const char *body;
        unsigned most;
    } rows[] = {{"", 18},     {"bar.sync 0;", 17}, {"red.global.add.u32 [%p],1;", 8},
                {loads, 40},  {shared, 22},        {stores, 14},
                {guarded, 31}};
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

/* A loop that is left in its middle: `trips` times what comes before, once less what comes behind.
 * Each has so many products, and loads of words of shared memory that move by two words: the second
 * one of the first part asks for what the first one of the last part has loaded. */
static struct fw_lowering *lower_middle(struct fw_arena *arena, struct fw_function **function,
                                        const char *bound, unsigned products)
{
    struct fw_buffer text = fw_buffer_new(arena), half = fw_buffer_new(arena);
    struct fw_lowering *lowering;
    struct fw_module *module;
    for (unsigned i = 0; i < products; i++)
        fw_buffer_printf(&half, "fma.rn.f32 %%f,%%f,%%f,%%f;\n");
    fw_buffer_printf(
        &text,
        ".version 8.4\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 a, .param .u32 b) {\n"
        ".reg .pred %%q; .reg .b32 %%k,%%n,%%s,%%t; .reg .f32 %%f,%%g; .reg .b64 %%p;\n"
        ".shared .align 4 .b8 tile[4096];\n"
        "ld.param.u64 %%p,[a]; ld.param.u32 %%n,[b]; ld.global.f32 %%f,[%%p];\n"
        "mov.u32 %%s,%%tid.x; shl.b32 %%s,%%s,2; mov.u32 %%t,tile;\n"
        "add.s32 %%s,%%s,%%t; mov.u32 %%k,0; bra.uni HEAD;\n"
        "BACK: ld.shared.f32 %%g,[%%t+8]; add.f32 %%f,%%f,%%g;\n%s"
        "add.s32 %%k,%%k,8;\n"
        "HEAD: add.s32 %%t,%%s,%%k; ld.shared.f32 %%g,[%%t]; add.f32 %%f,%%f,%%g;\n"
        "ld.shared.f32 %%g,[%%t+4]; add.f32 %%f,%%f,%%g;\n%s"
        "setp.eq.s32 %%q,%%k,%s; @%%q bra OUT; bra.uni BACK;\n"
        "OUT: st.global.f32 [%%p],%%f; ret; }\n",
        half.text, half.text, bound);
    struct fw_source *source = FW_NEW(arena, struct fw_source);
    *source = (struct fw_source){"middle", text.text, text.length};
    assert_int_equal(fw_ptx_read(&module, arena, source, NULL), FW_OK);
    *function = fw_module_kernel(module, "k");
    assert_int_equal(fw_ir_prepare(arena, *function, FW_IR_MOST_INSTRUCTIONS, NULL), FW_OK);
    assert_int_equal(fw_lower(&lowering, arena, *function, 90), FW_OK);
    return lowering;
}

/* Iterations that are made one of; 0: it stays. */
static unsigned pieces_of_middle(const char *bound, unsigned products)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_function *function;
    const struct fw_lowering *lowering = lower_middle(arena, &function, bound, products);
    const unsigned pieces = lowering->iterations[function->loops[0].header];
    fw_arena_free(arena);
    return pieces;
}

/* ptxas 13.0 takes loops of four such trips apart up to 488 products and loads.  Of others it makes
 * one iteration of four as of those that are left at their ends: up to 18 products without loads,
 * wherever these stand. */
static void loops_that_are_left_in_the_middle_are_taken_apart(void **state)
{
    (void)state;
    assert_int_equal(pieces_of_middle("24", 1), 4);
    assert_int_equal(pieces_of_middle("24", 50), 4);
    assert_int_equal(pieces_of_middle("24", 70), 0);
    assert_int_equal(pieces_of_middle("%n", 4), 4);
    assert_int_equal(pieces_of_middle("%n", 40), 0);
}

/* Of the three loads one is of what the iteration before has loaded. */
static void what_was_loaded_is_not_loaded_again(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_function *function;
    const struct fw_lowering *lowering = lower_middle(arena, &function, "24", 4);
    unsigned again = 0, loads = 0;
    (void)state;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct fw_lowered *lowered = &lowering->instructions[i];
        if (function->instructions[i].opcode != FW_OP_LD || !lowered->count ||
            lowered->at[0].operation != FW_MACHINE_LDS)
            continue;
        loads++;
        again += lowered->at[0].every == 4;
    }
    assert_int_equal(loads, 3);
    assert_int_equal(again, 1);
    fw_arena_free(arena);
}

/* LLVM leaves a loop by the guarded branch and goes round by one without a guard: ptxas makes the
 * same of both. */
static void ends_may_be_turned_round(void **state)
{
    static const char end[] = "add.s32 %k,%k,1; setp.ge.s32 %q,%k,%n; @%q bra OUT;\n"
                              "bra.uni LOOP; OUT:";
    (void)state;
    assert_int_equal(together("", "", 18, end), 4);
    assert_int_equal(together("", "", 19, end), 1);
}

/* A loop that asks at its begin is turned to ask at its end, and unrolled as one that was written
 * so: ptxas 13.0 makes the same machine code of both. */
static void loops_that_ask_first_are_turned(void **state)
{
    static const char test[] = "setp.ge.s32 %q,%k,%n; @%q bra OUT;";
    (void)state;
    assert_int_equal(together("", test, 18, "add.s32 %k,%k,1; bra LOOP; OUT:"), 4);
    assert_int_equal(together("", test, 19, "add.s32 %k,%k,1; bra LOOP; OUT:"), 1);
}

/* How the rows of data/lowering/around_loops.txt count. */
static const struct {
    const char *name, *start, *step;
} counts[] = {
    {"up, with sign", "mov.u32 %k,0;", "add.s32 %k,%k,1; setp.lt.s32 %q,%k,%n;"},
    {"up by three, with sign", "mov.u32 %k,0;", "add.s32 %k,%k,3; setp.lt.s32 %q,%k,%n;"},
    {"up to and with the bound", "mov.u32 %k,0;", "add.s32 %k,%k,1; setp.le.s32 %q,%k,%n;"},
    {"down, with sign", "mov.u32 %k,%n;", "add.s32 %k,%k,-1; setp.gt.s32 %q,%k,0;"},
    {"down to equality", "mov.u32 %k,%n;", "add.s32 %k,%k,-1; setp.ne.s32 %q,%k,0;"},
    {"up to equality", "mov.u32 %k,0;", "add.s32 %k,%k,1; setp.ne.s32 %q,%k,%n;"},
    {"up, without sign", "mov.u32 %k,0;", "add.s32 %k,%k,1; setp.lt.u32 %q,%k,%n;"},
    {"up from the thread, with sign", "mov.u32 %k,%r;", "add.s32 %k,%k,1; setp.lt.s32 %q,%k,%n;"},
    {"up from the thread, without sign", "mov.u32 %k,%r;",
     "add.s32 %k,%k,1; setp.lt.u32 %q,%k,%n;"},
};

enum { AROUND = 5, LINE = 256 };
static const enum fw_machine around[AROUND] = {FW_MACHINE_ISETP, FW_MACHINE_PLOP3, FW_MACHINE_BRA,
                                               FW_MACHINE_BSSY, FW_MACHINE_BSYNC};

static FILE *open_facts(struct fw_arena *arena)
{
    const char *root = getenv("FOREWARP_SOURCE");
    FILE *file =
        fopen(fw_arena_printf(arena, "%s/data/lowering/around_loops.txt", root ? root : "."), "rb");
    assert_non_null(file);
    return file;
}

/* Operations outside of the loop in one of `rolled` and unrolled code. */
static void count_outside(unsigned *found, unsigned *guarded_products, const char *start,
                          const char *pragma, const char *body, unsigned products, const char *step)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_function *function = read_counting(arena, start, pragma, body, products, step);
    struct fw_lowering *lowering;
    assert_int_equal(fw_lower(&lowering, arena, function, 90), FW_OK);
    assert_int_equal(function->loop_count, 1);
    memset(found, 0, AROUND * sizeof(*found));
    *guarded_products = 0;
    for (uint32_t b = 0; b < function->block_count; b++)
        for (uint32_t i = function->blocks[b].first;
             i < function->blocks[b].end && function->blocks[b].loop == FW_NO_INDEX; i++)
            for (unsigned c = 0; c < lowering->instructions[i].count; c++) {
                const struct fw_machine_count *at = &lowering->instructions[i].at[c];
                for (unsigned a = 0; a < AROUND; a++)
                    found[a] += at->operation == around[a] ? at->count : 0;
                *guarded_products +=
                    at->operation == FW_MACHINE_FFMA && at->guarded ? at->count : 0;
            }
    fw_arena_free(arena);
}

/* The code holds one operation more than an entry executes of those that the loop for one
 * iteration, or the block for two, has itself. */
static void loops_are_entered_through_tests(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    FILE *file = open_facts(arena);
    char line[LINE];
    unsigned rows = 0;
    (void)state;
    while (fgets(line, sizeof(line), file))
        for (size_t k = 0; k < sizeof(counts) / sizeof(*counts); k++) {
            unsigned facts[AROUND], rolled[AROUND], unrolled[AROUND], products;
            size_t length = strlen(counts[k].name);
            if (strncmp(line, counts[k].name, length) != 0 || strncmp(line + length, " |", 2) != 0)
                continue;
            assert_int_equal(sscanf(line + length, " | %u | %u | %u | %u | %u", &facts[0],
                                    &facts[1], &facts[2], &facts[3], &facts[4]),
                             AROUND);
            count_outside(rolled, &products, counts[k].start, ".pragma \"nounroll\";", "", 8,
                          counts[k].step);
            count_outside(unrolled, &products, counts[k].start, "", "", 8, counts[k].step);
            for (unsigned a = 0; a < AROUND; a++) {
                int more = (int)unrolled[a] - (int)rolled[a];
                if (abs(more - (int)facts[a]) > (a < 3 ? 1 : 0))
                    fail_msg("%s, %s: %d, ptxas %u", counts[k].name, fw_machine_text(around[a]),
                             more, facts[a]);
            }
            rows++;
        }
    fclose(file);
    assert_int_equal(rows, sizeof(counts) / sizeof(*counts));
    fw_arena_free(arena);
}

static void short_first_iterations_are_predicated(void **state)
{
    static const char one[] = "ld.global.f32 %g,[%p]; fma.rn.f32 %f,%g,%f,%f; add.s64 %p,%p,128;";
    static const char two[] =
        "ld.global.f32 %g,[%p]; fma.rn.f32 %f,%g,%f,%f; ld.global.f32 %g,[%p+4];\n"
        "fma.rn.f32 %f,%g,%f,%f; add.s64 %p,%p,128;";
    static const char shared[] =
        "ld.shared.f32 %g,[%s]; fma.rn.f32 %f,%g,%f,%f; add.s32 %s,%s,128;";
    static const struct {
        const char *name, *body;
        unsigned own;
    } bodies[] = {{"nothing", "", 0},
                  {"a load from global memory", one, 1},
                  {"2 loads from global memory", two, 2},
                  {"a load from shared memory", shared, 1}};
    struct fw_arena *arena = fw_arena_new(0);
    FILE *file = open_facts(arena);
    char line[LINE];
    unsigned rows = 0, unused[AROUND], products, most;
    (void)state;
    while (fgets(line, sizeof(line), file))
        for (size_t k = 0; k < sizeof(bodies) / sizeof(*bodies); k++) {
            size_t length = strlen(bodies[k].name);
            if (strncmp(line, bodies[k].name, length) != 0 ||
                sscanf(line + length, " | %u", &most) != 1)
                continue;
            for (unsigned more = 0; more < 2; more++) {
                count_outside(unused, &products, "mov.u32 %k,0;", "", bodies[k].body, most + more,
                              "add.s32 %k,%k,1; setp.lt.u32 %q,%k,%n;");
                assert_int_equal(products, more ? 0 : most + bodies[k].own);
            }
            rows++;
        }
    fclose(file);
    assert_int_equal(rows, sizeof(bodies) / sizeof(*bodies));
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_unrolled_up_to_their_weight),
        cmocka_unit_test(loops_that_are_left_in_the_middle_are_taken_apart),
        cmocka_unit_test(what_was_loaded_is_not_loaded_again),
        cmocka_unit_test(loops_that_do_not_count_stay),
        cmocka_unit_test(ends_may_be_turned_round),
        cmocka_unit_test(loops_that_ask_first_are_turned),
        cmocka_unit_test(loops_are_entered_through_tests),
        cmocka_unit_test(short_first_iterations_are_predicated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
