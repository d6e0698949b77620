/* Spilled registers: words of a loop's body are stored and loaded in each iteration, those that it
 * does not touch once; and as many as the assembler says, where it does. */
#include "../../../property/subject.h"
#include "requests.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BLOCKS = 10, WARPS = 2, TRIPS = 100, LIVE = 60, TOUCHED = 48 };

/* Loads LIVE values, multiplies TOUCHED of them in a loop of TRIPS iterations, and stores the sum
 * of all. */
static char *source_of(struct fw_arena *arena)
{
    char *text = fw_arena_printf(
        arena, "%s",
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n"
        ".reg .f32 %f<100>;\n.reg .b32 %r<4>;\n.reg .b64 %d<8>;\n.reg .pred %p;\n"
        "ld.param.u64 %d1, [a];\ncvta.to.global.u64 %d2, %d1;\nmov.u32 %r1, %tid.x;\n"
        "mul.wide.u32 %d3, %r1, 4;\nadd.s64 %d4, %d2, %d3;\nmov.u32 %r2, 0;\n");
    for (int i = 0; i < LIVE; i++)
        text = fw_arena_printf(arena, "%sld.global.f32 %%f%d, [%%d4+%d];\n", text, i, 256 * i);
    text = fw_arena_printf(arena, "%sLoop:\n", text);
    for (int i = 0; i < TOUCHED; i++)
        text = fw_arena_printf(arena, "%sfma.rn.f32 %%f%d, %%f%d, %%f%d, %%f%d;\n", text, i, i,
                               (i + 7) % TOUCHED, (i + 11) % TOUCHED);
    text = fw_arena_printf(arena,
                           "%sadd.s32 %%r2, %%r2, 1;\nsetp.lt.s32 %%p, %%r2, %d;\n@%%p bra Loop;\n"
                           "mov.f32 %%f99, 0f00000000;\n",
                           text, TRIPS);
    for (int i = 0; i < LIVE; i++)
        text = fw_arena_printf(arena, "%sadd.f32 %%f99, %%f99, %%f%d;\n", text, i);
    return fw_arena_printf(arena, "%sst.global.f32 [%%d4], %%f99;\nret;\n}\n", text);
}

struct launched {
    struct subject s;
    struct fw_device *device;
    struct fw_kernel_accesses accesses;
};

static void launch(struct launched *to)
{
    struct subject *s = &to->s;
    *s = (struct subject){.arena = fw_arena_new(0)};
    const char *text = source_of(s->arena);
    assert_true(subject_read(s, "k", text, strlen(text), "", "k"));
    const char *profile =
        fw_arena_printf(s->arena, "%s/profiles/h200.json", getenv("FOREWARP_SOURCE"));
    assert_int_equal(fw_device_read(&to->device, s->arena, profile, NULL), FW_OK);
    s->launch = fw_launch_new(s->arena, s->kernel);
    s->launch->grid[0] = BLOCKS;
    s->launch->block[0] = WARPS * 32;
    s->bound = fw_bound_new(s->kernel);
    assert_int_equal(fw_bound_set(s->bound, s->launch), FW_OK);
    fw_kernel_accesses_find(&to->accesses, s->arena, s->kernel, s->bound, s->launch, NULL);
}

/* Words that a thread stores to local memory. */
static double stored_with(struct launched *on, struct fw_resources resources,
                          struct fw_requests *requests)
{
    struct subject *s = &on->s;
    struct fw_kernel kernel = *s->kernel;
    kernel.resources = resources;
    fw_requests_find(requests, s->arena, &kernel, s->bound, s->launch, on->device, &on->accesses,
                     NULL);
    return requests->local_store_sectors / 4 / (BLOCKS * WARPS);
}

static void what_a_loop_works_on_is_spilled_in_each_iteration(void **state)
{
    struct launched on;
    struct fw_requests requests, without;
    (void)state;
    launch(&on);
    struct fw_resources resources = on.s.kernel->resources;
    uint32_t wanted = resources.registers;
    print_message("%u registers wanted\n", wanted);
    assert_true(stored_with(&on, resources, &without) < 1e-9);
    resources.wanted_registers = wanted;
    /* Half of the values that the loop does not touch: they leave once. */
    resources.registers = wanted - (LIVE - TOUCHED) / 2;
    double words = stored_with(&on, resources, &requests);
    print_message("%g words with %u registers\n", words, resources.registers);
    assert_true(words >= 1 && words < 3 * (LIVE - TOUCHED));
    /* Twenty less than the loop needs for what it touches. */
    resources.registers = TOUCHED - 20;
    words = stored_with(&on, resources, &requests);
    print_message("%g words with %u registers\n", words, resources.registers);
    assert_true(words > 36 * TRIPS && words < 48 * TRIPS + 100); /* 16 for what comes back */
    assert_true(requests.spilled_loop_bytes >= 4 * 36 &&
                requests.spilled_loop_bytes <= requests.spilled_bytes);
    double loaded = requests.local_load_sectors / 4 / (BLOCKS * WARPS);
    assert_true(fabs(loaded - words) < 1e-6);
    assert_true(requests.spilled_bytes >= 4 * 20);
    double more = requests.global_wavefronts - without.global_wavefronts;
    print_message("%g wavefronts a word\n", more / (words * BLOCKS * WARPS));
    assert_true(more >= 2 * words * BLOCKS * WARPS && more < 3 * words * BLOCKS * WARPS);
    fw_bound_free(on.s.bound);
    fw_arena_free(on.s.arena);
}

/* An assembler's bytes are of instructions as they stand: a loop's count in each iteration. */
static void the_assemblers_bytes_are_spilled(void **state)
{
    struct launched on;
    struct fw_requests requests;
    (void)state;
    launch(&on);
    struct fw_resources resources = on.s.kernel->resources;
    resources.registers_source = "ptxas";
    resources.registers = 40;
    assert_true(stored_with(&on, resources, &requests) < 1e-9);
    resources.spill_store_bytes = 4 * 100;
    resources.spill_load_bytes = 4 * 150;
    double words = stored_with(&on, resources, &requests);
    print_message("%g words of 100 instructions\n", words);
    assert_true(words > 10 * TRIPS && words < 60 * TRIPS);
    assert_true(fabs(requests.local_load_sectors / requests.local_store_sectors - 1.5) < 1e-6);
    fw_bound_free(on.s.bound);
    fw_arena_free(on.s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_loop_works_on_is_spilled_in_each_iteration),
        cmocka_unit_test(the_assemblers_bytes_are_spilled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
