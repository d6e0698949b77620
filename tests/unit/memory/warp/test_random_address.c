/* Random addresses: lanes that share a loaded index touch neighbouring words, lanes with an index
 * each touch random ones, and small tables are not left. */
#include "../../../property/subject.h"
#include "requests.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* rows[index[ctaid] + tid], apart[(index[tid] ^ 21845) * 64], small[index[tid] & 15] in shared
 * memory. */
static const char *const rows =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry rows(.param .u64 index, .param .u64 rows, .param .u64 apart)\n{\n"
    ".shared .align 4 .b8 small[64];\n.reg .b32 %r<12>; .reg .f32 %f<5>; .reg .b64 %rd<16>;\n"
    "ld.param.u64 %rd1, [index];\nld.param.u64 %rd2, [rows];\nld.param.u64 %rd3, [apart];\n"
    "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmul.wide.u32 %rd4, %r2, 4;\n"
    "add.s64 %rd5, %rd1, %rd4;\nld.global.u32 %r3, [%rd5];\nadd.s32 %r4, %r3, %r1;\n"
    "mul.wide.s32 %rd6, %r4, 4;\nadd.s64 %rd7, %rd2, %rd6;\nld.global.f32 %f1, [%rd7];\n"
    "mul.wide.u32 %rd8, %r1, 4;\nadd.s64 %rd9, %rd1, %rd8;\nld.global.u32 %r5, [%rd9];\n"
    "xor.b32 %r10, %r5, 21845;\nmul.wide.s32 %rd10, %r10, 256;\nadd.s64 %rd11, %rd3, "
    "%rd10;\nst.global.f32 [%rd11], %f1;\n"
    "and.b32 %r6, %r5, 15;\nshl.b32 %r7, %r6, 2;\nmov.u32 %r8, small;\nadd.s32 %r9, %r8, %r7;\n"
    "st.shared.f32 [%r9], %f1;\nret;\n}\n";

enum { BLOCKS = 1000, WARPS = 2 };

static void lanes_share_what_they_load_from_one_place(void **state)
{
    struct subject s = {.arena = fw_arena_new(0)};
    struct fw_device *device = NULL;
    struct fw_kernel_accesses traffic;
    struct fw_requests requests;
    (void)state;
    assert_true(subject_read(&s, "rows", rows, strlen(rows), "", "rows"));
    const char *profile =
        fw_arena_printf(s.arena, "%s/profiles/h200.json", getenv("FOREWARP_SOURCE"));
    assert_int_equal(fw_device_read(&device, s.arena, profile, NULL), FW_OK);
    s.launch = fw_launch_new(s.arena, s.kernel);
    s.launch->grid[0] = BLOCKS;
    s.launch->block[0] = WARPS * 32;
    s.bound = fw_bound_new(s.kernel);
    assert_int_equal(fw_bound_set(s.bound, s.launch), FW_OK);
    fw_kernel_accesses_find(&traffic, s.arena, s.kernel, s.bound, s.launch, NULL);
    fw_requests_find(&requests, s.arena, s.kernel, s.bound, s.launch, device, &traffic, NULL);
    double warps = BLOCKS * WARPS;
    /* The index takes one sector and four sectors; a row takes four or five. */
    print_message("loads %g a warp\n", requests.load_sectors / warps - 5);
    assert_true(requests.load_sectors >= (5 + 4) * warps - 1e-6);
    assert_true(requests.load_sectors <= (5 + 5) * warps + 1e-6);
    assert_true(fabs(requests.store_sectors / warps - 32) < 0.1);
    /* Sixteen words in as many banks, and a read of the thread index. */
    assert_true(fabs(requests.shared_wavefronts / warps - 2) < 1e-6);
    assert_true(requests.unknown_requests == 0); /* nobody waits for the stores */
    assert_true(fabs(requests.unknown_stores - warps) < 1e-6 && requests.unknown_loop_stores == 0);
    fw_bound_free(s.bound);
    fw_arena_free(s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_share_what_they_load_from_one_place)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
