/* Numbers in floating point that a loop adds up: what a launch evaluates of them is what additions
 * one after the other give, rounded each; of what data decide nothing is followed. */
#include "../../property/subject.h"

#include "launch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TRIPS = 700 };

/* A coordinate begins with the thread's index; a loop loads from the element that it is in, and
 * goes on by `step`, an instruction. */
#define KERNEL(step)                                                                               \
    ".version 8.0\n.target sm_80\n.address_size 64\n"                                              \
    ".visible .entry k(.param .u64 from, .param .f32 slope, .param .u32 n)\n{\n"                   \
    ".reg .pred %p<2>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>;\n"                      \
    "ld.param.u64 %rd1, [from];\nld.param.f32 %f1, [slope];\nld.param.u32 %r1, [n];\n"             \
    "mov.u32 %r2, %tid.x;\ncvt.rn.f32.u32 %f2, %r2;\nmul.f32 %f3, %f1, 0f3F000000;\n"              \
    "mul.f32 %f6, %f1, 0f3DCCCCCD;\nmov.u32 %r3, 0;\n"                                             \
    "$L:\ncvt.rzi.s32.f32 %r4, %f2;\nmul.wide.s32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"      \
    "ld.global.f32 %f4, [%rd3];\n" step "\nadd.s32 %r3, %r3, 1;\nsetp.lt.s32 %p1, %r3, %r1;\n"     \
    "@%p1 bra $L;\nst.global.f32 [%rd1], %f2;\nret;\n}\n"

/* Whether the address of the load is known in an iteration of a thread, and where it lies. */
static bool element(const char *text, uint32_t thread, int64_t iteration, int64_t *at)
{
    struct subject s = {.arena = fw_arena_new(0)};
    assert_true(subject_read(&s, "k", text, strlen(text), "", "k"));
    struct fw_launch *launch = fw_launch_new(s.arena, s.kernel);
    struct fw_bound *bound = fw_bound_new(s.kernel);
    launch->block[0] = 64;
    launch->floats[1] = (double)0.1f;
    launch->integers[2] = TRIPS;
    launch->is_bound[1] = launch->is_bound[2] = true;
    assert_int_equal(fw_bound_set(bound, launch), FW_OK);
    const struct fw_access *load = s.kernel->accesses;
    while (load->direction != FW_LOAD || load->space != FW_SPACE_GLOBAL)
        load++;
    const struct fw_point point = {.thread = {thread}, .iterations = &iteration};
    bool known = fw_bound_evaluate(bound, load->offset, &point, at);
    *at /= 4;
    fw_bound_free(bound);
    fw_arena_free(s.arena);
    return known;
}

static void sums_are_those_of_each_iteration(void **state)
{
    int64_t at;
    volatile float x = 5, y = 5; /* rounded each time */
    (void)state;
    for (int i = 0; i < TRIPS - 1; i++) {
        x = x + 0.1f;
        y = y + 0.1f * 0.5f;
        y = y - 3;
    }
    assert_true(element(KERNEL("add.f32 %f2, %f2, %f1;"), 5, TRIPS - 1, &at));
    assert_int_equal(at, (int64_t)x);
    /* A product with a power of two is exact: whoever rounds it with the sum gets the same. */
    assert_true(element(KERNEL("add.f32 %f5, %f3, %f2;\nsub.f32 %f2, %f5, 0f40400000;"), 5,
                        TRIPS - 1, &at));
    assert_int_equal(at, (int64_t)y);
}

static void others_are_not_followed(void **state)
{
    int64_t at;
    (void)state;
    assert_false(element(KERNEL("add.f32 %f2, %f2, %f4;"), 5, 3, &at)); /* what was loaded */
    assert_false(element(KERNEL("add.f32 %f2, %f2, %f6;"), 5, 3, &at)); /* rounded once or twice */
    assert_false(element(KERNEL("sub.f32 %f2, %f1, %f2;"), 5, 3, &at));
    assert_false(element(KERNEL("add.f32 %f2, %f2, %f2;"), 5, 3, &at));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums_are_those_of_each_iteration),
                                       cmocka_unit_test(others_are_not_followed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
