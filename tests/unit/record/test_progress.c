/* Addresses behind a loop that data end: what the loop has come to is left out of them. */
#include "../../property/subject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A row of `count` numbers from 64 i on, four an iteration, and the rest of them one by one, from
 * where the loop before ended or from 0. */
static const char rows[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry k(.param .u64 counts, .param .u64 numbers)\n{\n"
    ".reg .pred %p<5>; .reg .b32 %r<20>; .reg .f32 %f<9>; .reg .b64 %rd<20>;\n"
    "ld.param.u64 %rd1, [counts];\nld.param.u64 %rd2, [numbers];\nmov.u32 %r1, %tid.x;\n"
    "mul.wide.s32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd1, %rd3;\nld.global.u32 %r2, [%rd4];\n"
    "shl.b32 %r3, %r1, 6;\nand.b32 %r4, %r2, 3;\nsub.s32 %r5, %r2, %r4;\nmov.u32 %r6, 0;\n"
    "setp.lt.u32 %p1, %r2, 4;\n@%p1 bra $REST;\n"
    "mul.wide.s32 %rd5, %r3, 4;\nadd.s64 %rd6, %rd2, %rd5;\n"
    "$FOUR:\nld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%rd6];\nst.global.f32 [%rd1], %f1;\n"
    "add.s64 %rd6, %rd6, 16;\nadd.s32 %r6, %r6, 4;\nadd.s32 %r5, %r5, -4;\n"
    "setp.ne.s32 %p2, %r5, 0;\n@%p2 bra $FOUR;\n"
    "$REST:\nsetp.eq.s32 %p3, %r4, 0;\n@%p3 bra $END;\n"
    "add.s32 %r7, %r6, %r3;\nmul.wide.s32 %rd7, %r7, 4;\nadd.s64 %rd8, %rd2, %rd7;\n"
    "$ONE:\nld.global.f32 %f5, [%rd8];\nst.global.f32 [%rd1], %f5;\nadd.s64 %rd8, %rd8, 4;\n"
    "add.s32 %r4, %r4, -1;\nsetp.ne.s32 %p4, %r4, 0;\n@%p4 bra $ONE;\n"
    "$END:\nret;\n}\n";

static void rests_go_on_in_their_row(void **state)
{
    struct subject s = {.arena = fw_arena_new(0)};
    const struct fw_access *rest = NULL;
    struct fw_launch *launch;
    (void)state;
    assert_true(subject_read(&s, "k", rows, sizeof(rows) - 1, "", "k"));
    for (uint32_t a = 0; a < s.kernel->access_count; a++)
        if (s.kernel->accesses[a].space == FW_SPACE_GLOBAL && s.kernel->accesses[a].data)
            rest = &s.kernel->accesses[a];
    assert_non_null(rest);
    assert_int_equal(rest->data->part_count, 0);
    launch = fw_launch_new(s.arena, s.kernel);
    launch->block[0] = 32;
    struct fw_bound *bound = fw_bound_new(s.kernel);
    assert_int_equal(fw_bound_set(bound, launch), FW_OK);
    int64_t first[2] = {0}, third[2] = {2, 2}, begin, next, later;
    struct fw_point at = {{0}, {0}, first};
    assert_true(fw_bound_evaluate(bound, rest->data->rest, &at, &begin));
    at.thread[0] = 5;
    assert_true(fw_bound_evaluate(bound, rest->data->rest, &at, &next));
    at.iterations = third;
    assert_true(fw_bound_evaluate(bound, rest->data->rest, &at, &later));
    assert_int_equal(next - begin, 5 * 64 * 4);
    assert_int_equal(later - next, 2 * 4);
    fw_bound_free(bound);
    if (s.bound)
        fw_bound_free(s.bound);
    fw_arena_free(s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rests_go_on_in_their_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
