/* What L1 keeps from block to block and from store to store, and addresses that wrap around. */
#include "../../../property/subject.h"
#include "../copy_accesses.h"
#include "kernel_accesses.h"
#include "volume.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BLOCKS = 4000, THREADS = 256 };

/* A thread loads %rd5, whose place follows from its number %r3. */
#define KERNEL(place)                                                                              \
    ".version 8.0\n.target sm_80\n.address_size 64\n"                                              \
    ".visible .entry k(.param .u64 array, .param .u64 table)\n{\n"                                 \
    ".reg .pred %p<4>; .reg .b32 %r<12>; .reg .f32 %f<4>; .reg .b64 %rd<9>;\n"                     \
    "ld.param.u64 %rd1, [array];\nld.param.u64 %rd2, [table];\nmov.u32 %r1, %ctaid.x;\n"           \
    "mov.u32 %r2, %tid.x;\nmad.lo.s32 %r3, %r1, 256, %r2;\nmul.wide.s32 %rd3, %r3, 4;\n"           \
    "add.s64 %rd4, %rd1, %rd3;\nld.global.f32 %f1, [%rd4];\n" place                                \
    "add.s64 %rd5, %rd2, %rd6;\nld.global.f32 %f2, [%rd5];\n"                                      \
    "add.f32 %f3, %f1, %f2;\nst.global.f32 [%rd4], %f3;\nret;\n}\n"

/* Bytes from L2 to L1 in the multiple of what the array has. */
static double loaded(const char *text, uint32_t *boxes)
{
    struct subject s = {.arena = fw_arena_new(0)};
    struct fw_kernel_accesses found;
    struct fw_volumes volumes;
    const struct fw_caches caches = {.sector = 32,
                                     .line = 128,
                                     .fetch = 64,
                                     .warp = 32,
                                     .multiprocessors = 132,
                                     .resident_blocks = 8,
                                     .registers = 16,
                                     .l1_bytes = 2e5,
                                     .l1_sharpness = 8,
                                     .l2_bytes = 3e7,
                                     .whole_l2_bytes = 5e7};
    assert_true(subject_read(&s, "k", text, strlen(text), "", "k"));
    s.launch = fw_launch_new(s.arena, s.kernel);
    s.launch->grid[0] = BLOCKS;
    s.launch->block[0] = THREADS;
    s.bound = fw_bound_new(s.kernel);
    assert_int_equal(fw_bound_set(s.bound, s.launch), FW_OK);
    fw_kernel_accesses_find(&found, s.arena, s.kernel, s.bound, s.launch, NULL);
    *boxes = found.affine.count;
    fw_volumes_find(&volumes, s.arena, &found.affine, &caches);
    double bytes = volumes.l2_to_l1.bytes;
    fw_bound_free(s.bound);
    fw_arena_free(s.arena);
    return bytes / (4.0 * BLOCKS * THREADS);
}

/* Every fourth block loads the same 1024 sectors of a table: a multiprocessor loads them once. */
static void parts_that_blocks_return_to_stay_in_l1(void **state)
{
    uint32_t boxes;
    (void)state;
    double once = 132 * 1024 * 32 / (4.0 * BLOCKS * THREADS);
    double turns =
        loaded(KERNEL("and.b32 %r4, %r3, 1023;\nmul.wide.u32 %rd6, %r4, 4096;\n"), &boxes);
    double apart = loaded(KERNEL("mul.wide.u32 %rd6, %r3, 4096;\n"), &boxes);
    print_message("%g of the array with a table of %g, %g where places differ\n", turns, once,
                  apart);
    assert_true(turns > 1 + 0.9 * once && turns < 1 + 1.4 * once);
    assert_true(fabs(apart - 9) < 0.05); /* a sector a thread */
}

/* A neighbour along rows of so many that wrap around: at one place of 48 another address, which has
 * no box of its own; one of 4 has. */
static void rare_places_have_no_boxes(void **state)
{
    (void)state;
    for (int row = 48; row; row = row == 48 ? 4 : 0) {
        char place[512];
        uint32_t boxes;
        snprintf(place, sizeof(place),
                 "rem.u32 %%r4, %%r3, %d;\nsetp.eq.s32 %%p1, %%r4, 0;\nadd.s32 %%r5, %%r3, -1;\n"
                 "add.s32 %%r6, %%r3, %d;\nselp.b32 %%r7, %%r6, %%r5, %%p1;\n"
                 "mul.wide.s32 %%rd6, %%r7, 4;\n",
                 row, 128 * row - 1);
        char text[2048];
        snprintf(text, sizeof(text), "%.*s%s%s", (int)(strstr(KERNEL("@"), "@") - KERNEL("@")),
                 KERNEL("@"), place, strstr(KERNEL("@"), "@") + 1);
        double times = loaded(text, &boxes);
        print_message("rows of %d: %u boxes, %g of the array\n", row, boxes, times);
        assert_int_equal(boxes, row == 48 ? 3 : 4);
        assert_true(row == 4 || times < 2.1);
    }
}

/* Sectors that a warp's stores fill together: by what an H100 counted (data/h100/narrow) of stores
 * alone, and of copies. */
static void stores_merge_where_others_do_not_store(void **state)
{
    static const struct {
        double lines, share, merged;
    } of[] = {{2, 1, 0.96},  {4, 1, 0.88},   {8, 1, 0.25},
              {16, 1, 0.01}, {8, 0.5, 0.65}, {16, 0.5, 0.1}};
    (void)state;
    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        const struct fw_caches caches = {
            .store_merge_lines = 8, .lines_per_store = of[i].lines, .store_share = of[i].share};
        double merged = 1 - fw_caches_scattered_stores(&caches);
        print_message("%g lines a store, %g of all: %g merged, %g were\n", of[i].lines, of[i].share,
                      merged, of[i].merged);
        assert_true(fabs(merged - of[i].merged) < 0.15);
    }
}

/* What a launch has loaded merges as stores alone do. */
static void stores_in_place_merge_as_stores_alone(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_kernel_accesses accesses = {.affine = copy_of(arena, 64)};
    const struct fw_requests requests = {.load_lines = 100, .store_lines = 100};
    struct fw_caches caches = {.sector = 32};
    fw_caches_set_requests(&caches, &requests, &accesses);
    assert_true(fabs(caches.store_share - 0.5) < 1e-9);
    accesses.affine.at[1].array = 0;
    fw_caches_set_requests(&caches, &requests, &accesses);
    assert_true(fabs(caches.store_share - 1) < 1e-9);
    fw_arena_free(arena);
}

/* Two stores of a thread, of eight bytes each, side by side. */
static struct fw_affine_accesses pairs(struct fw_arena *arena, uint32_t blocks)
{
    struct fw_affine_accesses accesses = copy_of(arena, blocks);
    for (uint32_t i = 0; i < 2; i++) {
        accesses.at[i].direction = FW_STORE;
        accesses.at[i].array = 0;
        accesses.at[i].kernel_access = i;
        accesses.at[i].thread_stride[0] = 16;
        accesses.at[i].block_stride[0] = 16 * 256;
        accesses.at[i].base = 8 * i;
        accesses.at[i].begin = 0;
        accesses.at[i].end = 1;
    }
    return accesses;
}

/* What a warp stores to a sector in two turns leaves L1 twice, where as many warps store meanwhile
 * as eight blocks have; one block of one warp has it merged (demosaic_malvar and bitmap_between in
 * data/h200/programs-ninth send what they store, and were taken to send half and a quarter). */
static void stores_in_turns_are_not_merged(void **state)
{
    static const uint32_t one[] = {0, 0}, two[] = {0, 1};
    (void)state;
    for (int few = 0; few < 2; few++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_affine_accesses accesses = pairs(arena, few ? 100 : 132 * 8);
        struct fw_caches caches = {.sector = 32,
                                   .line = 128,
                                   .fetch = 64,
                                   .warp = 32,
                                   .multiprocessors = 132,
                                   .resident_blocks = 8,
                                   .l1_bytes = 131072,
                                   .l2_bytes = 6291456,
                                   .store_merge_lines = 8,
                                   .lines_per_store = 4};
        struct fw_volumes volumes[2];
        if (few) {
            accesses.block[0] = 32;
            accesses.at[0].high[0] = accesses.at[1].high[0] = 3200;
            accesses.at[0].block_stride[0] = accesses.at[1].block_stride[0] = 16 * 32;
        }
        for (int turns = 0; turns < 2; turns++) {
            caches.store_turns = turns ? two : one;
            fw_volumes_find(&volumes[turns], arena, &accesses, &caches);
        }
        print_message("%g and %g bytes\n", volumes[0].l1_to_l2, volumes[1].l1_to_l2);
        assert_true(fabs(volumes[1].l1_to_l2 / volumes[0].l1_to_l2 - (few ? 1 : 2)) < 0.02);
        fw_arena_free(arena);
    }
}

/* Where two rows are stored by turns, twice as many lines lie between two stores to a sector; not
 * where the other store goes to the same lines. */
static void lines_of_other_rows_are_between_stores(void **state)
{
    enum { STORES = 4 };
    (void)state;
    for (int64_t apart = 64; apart <= 4096; apart *= 64) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_affine_accesses of = pairs(arena, 64), all = of;
        const struct fw_requests requests = {.store_lines = 800, .store_instructions = 100};
        struct fw_caches caches = {.sector = 32};
        all.at = FW_ARRAY(arena, struct fw_affine_access, STORES);
        all.count = STORES;
        for (uint32_t i = 0; i < STORES; i++) {
            all.at[i] = of.at[i / 2];
            all.at[i].kernel_access = i;
            all.at[i].base += i % 2 ? apart : 0;
        }
        const struct fw_kernel_accesses accesses = {.affine = all};
        fw_caches_set_requests(&caches, &requests, &accesses);
        assert_true(fabs(caches.lines_per_store - (apart > 64 ? 16 : 8)) < 1e-9);
        fw_arena_free(arena);
    }
}

/* Warps of a block leave a loop with barriers together: of what they ask for, loads of the loop are
 * not between their stores. */
static void stores_behind_loops_with_barriers_are_alone(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_kernel_accesses accesses = {.affine = copy_of(arena, 64)};
    const struct fw_requests requests = {.load_lines = 90, .store_lines = 10, .loop_lines = 90};
    struct fw_caches caches = {.sector = 32};
    fw_caches_set_requests(&caches, &requests, &accesses);
    assert_true(fabs(caches.store_share - 0.1) < 1e-9);
    accesses.barrier_in_loop = true;
    fw_caches_set_requests(&caches, &requests, &accesses);
    assert_true(fabs(caches.store_share - 1) < 1e-9);
    assert_true(fabs(caches.storing_warps - 4) < 1e-9);
    accesses.affine.block[0] = 64; /* two warps */
    fw_caches_set_requests(&caches, &requests, &accesses);
    assert_true(fabs(caches.storing_warps - 2) < 1e-9);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_that_blocks_return_to_stay_in_l1),
        cmocka_unit_test(rare_places_have_no_boxes),
        cmocka_unit_test(stores_merge_where_others_do_not_store),
        cmocka_unit_test(stores_in_place_merge_as_stores_alone),
        cmocka_unit_test(stores_in_turns_are_not_merged),
        cmocka_unit_test(lines_of_other_rows_are_between_stores),
        cmocka_unit_test(stores_behind_loops_with_barriers_are_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
