/* Sampled warps: active lanes by every condition and iteration, in kernels whose numbers can be
 * computed by hand; predicated-off instructions. */
#include "../../../property/subject.h"
#include "requests.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* values[t] += values[t + 64] in shared memory for t < 64, by a branch around it. */
static const char *const halves =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry halves(.param .u64 target)\n{\n"
    ".reg .pred %p<2>; .reg .b32 %r<6>; .reg .f32 %f<5>; .reg .b64 %rd<3>;\n"
    ".shared .align 4 .b8 values[1024];\n"
    "ld.param.u64 %rd1, [target];\nmov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\n"
    "mov.u32 %r3, values;\nadd.s32 %r4, %r3, %r2;\nsetp.gt.u32 %p1, %r1, 63;\n@%p1 bra $L;\n"
    "ld.shared.f32 %f1, [%r4];\nld.shared.f32 %f2, [%r4+256];\nadd.f32 %f3, %f1, %f2;\n"
    "st.shared.f32 [%r4], %f3;\n$L:\nbar.sync 0;\nret;\n}\n";

/* for (i = t; i < 34; i += 32) target[i] = 1, in warps of 32: 32 lanes, then 2. */
static const char *const halo =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry halo(.param .u64 target)\n{\n"
    ".reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<5>;\n"
    "ld.param.u64 %rd1, [target];\nmov.u32 %r1, %tid.x;\nmov.u32 %r3, %tid.y;\n"
    "mul.wide.s32 %rd4, %r3, 4096;\nadd.s64 %rd1, %rd1, %rd4;\nmov.u32 %r2, %r1;\n$LOOP:\n"
    "mul.wide.s32 %rd2, %r2, 4;\nadd.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r1;\n"
    "add.s32 %r2, %r2, 32;\nsetp.lt.s32 %p1, %r2, 34;\n@%p1 bra $LOOP;\nret;\n}\n";

static void count_requests(const char *text, const char *kernel, uint32_t x, uint32_t y,
                           struct fw_requests *requests)
{
    struct subject s = {.arena = fw_arena_new(0)};
    struct fw_device *device = NULL;
    static const char profile[] = "h200.json";
    const char *root = getenv("FOREWARP_SOURCE");
    assert_true(subject_read(&s, kernel, text, strlen(text), "", kernel));
    assert_int_equal(fw_device_read(&device, s.arena,
                                    fw_arena_printf(s.arena, "%s/profiles/%s", root, profile),
                                    NULL),
                     FW_OK);
    s.launch = fw_launch_new(s.arena, s.kernel);
    s.launch->grid[0] = 10;
    s.launch->block[0] = x;
    s.launch->block[1] = y;
    s.bound = fw_bound_new(s.kernel);
    assert_int_equal(fw_bound_set(s.bound, s.launch), FW_OK);
    struct fw_kernel_accesses traffic;
    fw_kernel_accesses_find(&traffic, s.arena, s.kernel, s.bound, s.launch, NULL);
    fw_requests_find(requests, s.arena, s.kernel, s.bound, s.launch, device, &traffic, NULL);
    fw_bound_free(s.bound);
    fw_arena_free(s.arena);
}

/* Four warps per block: all of them issue each of three instructions, two have active lanes. */
static void short_branches_are_issued_by_all(void **state)
{
    struct fw_requests requests;
    (void)state;
    count_requests(halves, "halves", 128, 1, &requests);
    assert_true(fabs(requests.shared_wavefronts - 10 * (4 * 3 + 4)) < 1e-6);
}

/* Eight rows, of four sectors and then one. */
static void lanes_leave_a_loop(void **state)
{
    struct fw_requests requests;
    (void)state;
    count_requests(halo, "halo", 32, 8, &requests);
    assert_true(fabs(requests.store_sectors - 10 * 8 * 5) < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_branches_are_issued_by_all),
        cmocka_unit_test(lanes_leave_a_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
