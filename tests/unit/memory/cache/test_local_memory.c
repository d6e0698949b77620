/* Local and constant memory: interleaved words of a warp's lanes, random words, serialized
 * addresses of constant memory. */
#include "../../../property/subject.h"
#include "local_volumes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Each thread writes word `tid.x / 8 % 2` of its four, by `wide` words, reads the word whose number
 * it loads, and a constant at its index divided by 16. */
static const char *const stack =
    ".version 8.0\n.target sm_80\n.address_size 64\n.const .align 4 .b8 table[64];\n"
    ".visible .entry stack(.param .u64 index, .param .u64 target)\n{\n"
    ".local .align 16 .b8 words[16];\n.reg .b32 %r<12>; .reg .b64 %rd<16>;\n"
    "ld.param.u64 %rd1, [index];\nld.param.u64 %rd2, [target];\nmov.u32 %r1, %tid.x;\n"
    "mov.u64 %rd3, words;\nshr.u32 %r2, %r1, 3;\nand.b32 %r3, %r2, 1;\n"
    "mul.wide.u32 %rd4, %r3, 4;\nadd.s64 %rd5, %rd3, %rd4;\nst.local.u32 [%rd5], %r1;\n"
    "mul.wide.u32 %rd6, %r1, 4;\nadd.s64 %rd7, %rd1, %rd6;\nld.global.u32 %r4, [%rd7];\n"
    "and.b32 %r4, %r4, 3;\nmul.wide.u32 %rd8, %r4, 4;\nadd.s64 %rd9, %rd3, %rd8;\n"
    "ld.local.u32 %r5, [%rd9];\nshr.u32 %r6, %r1, 4;\nmul.wide.u32 %rd10, %r6, 4;\n"
    "mov.u64 %rd11, table;\nadd.s64 %rd12, %rd11, %rd10;\nld.const.u32 %r7, [%rd12];\n"
    "ld.const.u32 %r8, [table+4];\nadd.s32 %r5, %r5, %r7;\nadd.s32 %r5, %r5, %r8;\n"
    "add.s64 %rd13, %rd2, %rd6;\nst.global.u32 [%rd13], %r5;\nret;\n}\n";

enum { BLOCKS = 10, WARPS = 2 };

static void words_of_lanes_lie_side_by_side(void **state)
{
    struct subject s = {.arena = fw_arena_new(0)};
    struct fw_device *device = NULL;
    struct fw_kernel_accesses traffic;
    struct fw_requests requests;
    struct fw_caches caches = {.sector = 32, .line = 128, .multiprocessors = 10};
    struct fw_local_volumes local;
    struct fw_volumes affine = {.stores_lost = 0};
    (void)state;
    assert_true(subject_read(&s, "stack", stack, strlen(stack), "", "stack"));
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
    const struct fw_requests *asked = &requests;
    /* Two words of four, each by two groups of eight lanes: four sectors. */
    assert_true(fabs(asked->local_store_sectors - BLOCKS * WARPS * 4) < 1e-6);
    /* Eight lanes touch random words of four: 4 (1 - (3/4)^8) distinct ones, four times. */
    double drawn = BLOCKS * WARPS * 16 * (1 - pow(0.75, 8));
    print_message("loads %g, expected %g\n", asked->local_load_sectors, drawn);
    assert_true(fabs(asked->local_load_sectors / drawn - 1) < 0.05);
    /* Two addresses per warp; the fixed one is no request. */
    assert_true(fabs(asked->constant_requests - BLOCKS * WARPS * 2) < 1e-6);
    assert_true(fabs(asked->load_sectors - BLOCKS * WARPS * 4) < 1e-6);
    caches.l1_bytes = 1 << 20;
    caches.l2_bytes = 1 << 30;
    caches.retained_bytes = caches.retained_dirty_bytes = 1 << 30;
    caches.resident_blocks = 1;
    fw_local_volumes_find(&local, s.kernel, asked, &caches, BLOCKS, WARPS * 32, 0, &affine);
    assert_true(local.l2_to_l1 < 1e-6 && local.dram_read < 1e-6 && local.dram_write < 1e-6);
    assert_true(fabs(local.l1_to_l2 - 32 * asked->local_store_sectors) < 1e-6);
    caches.l1_bytes = 64; /* of 1024 resident bytes */
    caches.l2_bytes = 2560;
    fw_local_volumes_find(&local, s.kernel, asked, &caches, BLOCKS, WARPS * 32, 0, &affine);
    assert_true(local.l2_to_l1 > 0.9 * 32 * asked->local_load_sectors);
    assert_true(fabs(local.dram_read / local.l2_to_l1 - 0.75) < 1e-6);
    assert_true(local.dram_write < 1e-6); /* L2 may hold so much that is dirty */
    /* Nothing stays dirty: all is written, what one block leaves to the next and what it stores
     * again; but not what the last wave leaves to a launch that finds all. */
    caches.retained_bytes = caches.retained_dirty_bytes = 2560;
    fw_local_volumes_find(&local, s.kernel, asked, &caches, BLOCKS, WARPS * 32, 0, &affine);
    double waves = BLOCKS / 10.0, first = fmin(10 * 1024, local.l1_to_l2 / waves);
    assert_true(fabs(local.dram_write - (local.l1_to_l2 - first)) < 1e-6);
    affine.stores_lost = 1;
    fw_local_volumes_find(&local, s.kernel, asked, &caches, BLOCKS, WARPS * 32, 0, &affine);
    assert_true(fabs(local.dram_write - local.l1_to_l2) < 1e-6);
    affine.stores_lost = 0;
    caches.retained_bytes = caches.retained_dirty_bytes = 1 << 30;
    /* More blocks could be resident, but there are no more: what they do not have takes no room. */
    caches.l2_bytes = BLOCKS * 1024;
    caches.resident_blocks = 32;
    fw_local_volumes_find(&local, s.kernel, asked, &caches, BLOCKS, WARPS * 32, 0, &affine);
    assert_true(local.dram_write < 1e-6 && local.dram_read < 1e-6);
    fw_bound_free(s.bound);
    fw_arena_free(s.arena);
}

/* Each thread looks up a word that it loads, and five times what the last look-up says; `change`
 * may disturb that. */
static const char *const walk =
    ".version 8.0\n.target sm_80\n.address_size 64\n.const .align 4 .b32 table[256]%s;\n"
    ".visible .entry walk(.param .u64 index, .param .u64 target)\n{\n"
    ".reg .b32 %%r<12>; .reg .b64 %%rd<16>; .reg .pred %%p<3>;\n"
    "ld.param.u64 %%rd1, [index];\nld.param.u64 %%rd2, [target];\nmov.u32 %%r1, %%tid.x;\n"
    "mul.wide.u32 %%rd3, %%r1, 4;\nadd.s64 %%rd4, %%rd1, %%rd3;\nld.global.u32 %%r2, [%%rd4];\n"
    "and.b32 %%r3, %%r2, 255;\nmul.wide.u32 %%rd5, %%r3, 4;\nmov.u64 %%rd6, table;\n"
    "add.s64 %%rd7, %%rd6, %%rd5;\nld.const.u32 %%r4, [%%rd7];\nmov.u32 %%r5, 0;\n"
    "LOOP:\n%s"
    "and.b32 %%r6, %%r4, 255;\nmul.wide.u32 %%rd8, %%r6, 4;\nadd.s64 %%rd9, %%rd6, %%rd8;\n"
    "ld.const.u32 %%r7, [%%rd9];\nmad.lo.s32 %%r4, %%r4, 5, %%r7;\nadd.s32 %%r5, %%r5, 1;\n"
    "setp.lt.s32 %%p1, %%r5, 5;\n@%%p1 bra LOOP;\n"
    "add.s64 %%rd10, %%rd2, %%rd3;\nst.global.u32 [%%rd10], %%r4;\nret;\n}\n";

static double constant_requests(const char *initial, const char *change)
{
    struct subject s = {.arena = fw_arena_new(0)};
    struct fw_device *device = NULL;
    struct fw_kernel_accesses traffic;
    struct fw_requests requests;
    char text[4096];
    int length = snprintf(text, sizeof(text), walk, initial, change);
    assert_true(subject_read(&s, "walk", text, (size_t)length, "", "walk"));
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
    double asked = requests.constant_requests / (BLOCKS * WARPS);
    fw_bound_free(s.bound);
    fw_arena_free(s.arena);
    return asked;
}

/* Lanes have as many places as the table has values, as long as one look-up and what the warp
 * shares decide them. */
static void tables_that_repeat_values_part_lanes_little(void **state)
{
    const double places = 256 * (1 - pow(255.0 / 256, 32)), values = 4 - 3 * pow(255.0 / 256, 32);
    double few = constant_requests(" = {1, 2, 3}", "");
    (void)state;
    print_message("%g requests a warp, expected %g\n", few, places + 5 * values);
    assert_true(fabs(few / (places + 5 * values) - 1) < 0.05);
    const char *const many = " = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}";
    const char *const loads_anew = "add.s64 %rd4, %rd4, 128;\nld.global.u32 %r8, [%rd4];\n"
                                   "add.s32 %r4, %r4, %r8;\n";
    const char *const parts = "and.b32 %r9, %r1, 1;\nsetp.eq.s32 %p2, %r9, 0;\n@%p2 bra EVEN;\n"
                              "add.s32 %r4, %r4, %r5;\nEVEN:\n";
    const char *const adds_thread = "add.s32 %r4, %r4, %r1;\n";
    const char *const guarded = "and.b32 %r9, %r1, 1;\nsetp.eq.s32 %p2, %r9, 0;\n"
                                "@%p2 mov.u32 %r4, %r5;\n";
    assert_true(fabs(constant_requests("", "") / (6 * places) - 1) < 0.05); /* the host sets it */
    assert_true(fabs(constant_requests(many, "") / (6 * places) - 1) < 0.05);
    assert_true(fabs(constant_requests(" = {1, 2, 3}", loads_anew) / (6 * places) - 1) < 0.05);
    assert_true(fabs(constant_requests(" = {1, 2, 3}", parts) / (6 * places) - 1) < 0.05);
    assert_true(fabs(constant_requests(" = {1, 2, 3}", adds_thread) / (6 * places) - 1) < 0.05);
    assert_true(fabs(constant_requests(" = {1, 2, 3}", guarded) / (6 * places) - 1) < 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_lanes_lie_side_by_side),
        cmocka_unit_test(tables_that_repeat_values_part_lanes_little)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
