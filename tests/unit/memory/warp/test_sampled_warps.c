/* Sampled warps: active lanes by every condition and iteration, in kernels whose numbers can be
 * computed by hand; predicated-off instructions. */
#include "../../../property/subject.h"
#include "requests.h"
#include "sampled_warps.h"

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

/* The same with copies in the branch's body, which are no instructions of the machine. */
static const char *const copied_halves =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry halves(.param .u64 target)\n{\n"
    ".reg .pred %p<2>; .reg .b32 %r<12>; .reg .f32 %f<5>; .reg .b64 %rd<3>;\n"
    ".shared .align 4 .b8 values[1024];\n"
    "ld.param.u64 %rd1, [target];\nmov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\n"
    "mov.u32 %r3, values;\nadd.s32 %r4, %r3, %r2;\nsetp.gt.u32 %p1, %r1, 63;\n@%p1 bra $L;\n"
    "mov.b32 %r5, %r4;\nmov.b32 %r6, %r5;\nmov.b32 %r7, %r6;\nmov.b32 %r8, %r7;\n"
    "mov.b32 %r9, %r8;\n"
    "ld.shared.f32 %f1, [%r9];\nld.shared.f32 %f2, [%r9+256];\nadd.f32 %f3, %f1, %f2;\n"
    "st.shared.f32 [%r9], %f3;\n$L:\nbar.sync 0;\nret;\n}\n";

/* for (i = t; i < 34; i += 32) target[i] = 1, in warps of 32: 32 lanes, then 2. */
static const char *const halo =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry halo(.param .u64 target)\n{\n"
    ".reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<5>;\n"
    "ld.param.u64 %rd1, [target];\nmov.u32 %r1, %tid.x;\nmov.u32 %r3, %tid.y;\n"
    "mul.wide.s32 %rd4, %r3, 4096;\nadd.s64 %rd1, %rd1, %rd4;\nmov.u32 %r2, %r1;\n$LOOP:\n"
    "mul.wide.s32 %rd2, %r2, 4;\nadd.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r1;\n"
    "add.s32 %r2, %r2, 32;\nsetp.lt.s32 %p1, %r2, 34;\n@%p1 bra $LOOP;\nret;\n}\n";

/* for (i = 0; i < 96; i++) if (i & 3) sum += target[i * 256 + t], as in the rest of an unrolled
 * loop over j < i. */
static const char *const rest =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry rest(.param .u64 target)\n{\n"
    ".reg .pred %p<3>; .reg .b32 %r<8>; .reg .f32 %f<4>; .reg .b64 %rd<5>;\n"
    "ld.param.u64 %rd1, [target];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nmov.f32 %f1, "
    "0f00000000;\n"
    "$LOOP:\nand.b32 %r3, %r2, 3;\nsetp.eq.s32 %p1, %r3, 0;\n@%p1 bra $NEXT;\n"
    "mad.lo.s32 %r4, %r2, 256, %r1;\nmul.wide.s32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
    "ld.global.f32 %f2, [%rd3];\nadd.f32 %f1, %f1, %f2;\n$NEXT:\nadd.s32 %r2, %r2, 1;\n"
    "setp.lt.s32 %p2, %r2, 96;\n@%p2 bra $LOOP;\n"
    "mul.wide.s32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\nst.global.f32 [%rd3], %f1;\nret;\n}\n";

/* sum of target[33 t], a line a lane. */
static const char *const apart =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry apart(.param .u64 target)\n{\n"
    ".reg .b32 %r<4>; .reg .f32 %f<2>; .reg .b64 %rd<5>;\n"
    "ld.param.u64 %rd1, [target];\nmov.u32 %r1, %tid.x;\nmul.wide.s32 %rd2, %r1, 132;\n"
    "add.s64 %rd3, %rd1, %rd2;\nld.global.f32 %f1, [%rd3];\nst.global.f32 [%rd3], %f1;\nret;\n}\n";

/* target[(b * 64 + t) / 3] = t */
static const char *const thirds =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry thirds(.param .u64 target)\n{\n"
    ".reg .b32 %r<6>; .reg .b64 %rd<5>;\n"
    "ld.param.u64 %rd1, [target];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"
    "mad.lo.u32 %r3, %r2, 64, %r1;\ndiv.u32 %r4, %r3, 3;\nmul.wide.u32 %rd2, %r4, 4;\n"
    "add.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r1;\nret;\n}\n";

/* target[x + (by * 8 + y) / 3] = x. */
static const char *const rows =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry rows(.param .u64 target)\n{\n"
    ".reg .b32 %r<7>; .reg .b64 %rd<5>;\n"
    "ld.param.u64 %rd1, [target];\nmov.u32 %r1, %tid.y;\nmov.u32 %r2, %ctaid.y;\n"
    "mad.lo.u32 %r3, %r2, 8, %r1;\ndiv.u32 %r4, %r3, 3;\nmov.u32 %r5, %tid.x;\n"
    "add.u32 %r6, %r4, %r5;\nmul.wide.u32 %rd2, %r6, 4;\n"
    "add.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r5;\nret;\n}\n";

/* atomicAdd(&target[index[b * 64 + t]], 1), of which the result is used. */
static const char *const votes =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry votes(.param .u64 index, .param .u64 target)\n{\n"
    ".reg .b32 %r<6>; .reg .b64 %rd<7>;\n"
    "ld.param.u64 %rd1, [index];\nld.param.u64 %rd2, [target];\n"
    "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r3, %r2, 64, %r1;\n"
    "mul.wide.u32 %rd3, %r3, 4;\nadd.s64 %rd4, %rd1, %rd3;\nld.global.u32 %r4, [%rd4];\n"
    "mul.wide.u32 %rd5, %r4, 4;\nadd.s64 %rd6, %rd2, %rd5;\n"
    "atom.global.add.u32 %r5, [%rd6], 1;\nst.global.u32 [%rd4], %r5;\nret;\n}\n";

/* place = 0; for (k = 0; k < bits; k++) place |= (i >> k & 1) << 2 k; target[place] = 1 for the
 * index i of a thread; bits is an argument. */
static const char *const spread =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry spread(.param .u64 target, .param .u32 bits)\n{\n"
    ".reg .pred %p<2>; .reg .b32 %r<20>; .reg .b64 %rd<5>;\n"
    "ld.param.u64 %rd1, [target];\nld.param.u32 %r9, [bits];\nmov.u32 %r1, %tid.x;\n"
    "mov.u32 %r2, %ctaid.x;\nmad.lo.s32 %r3, %r2, 64, %r1;\nmov.u32 %r4, 0;\nmov.u32 %r5, 0;\n"
    "$LOOP:\nshr.u32 %r6, %r3, %r4;\nand.b32 %r7, %r6, 1;\nshl.b32 %r8, %r4, 1;\n"
    "shl.b32 %r10, %r7, %r8;\nor.b32 %r5, %r5, %r10;\nadd.s32 %r4, %r4, 1;\n"
    "setp.lt.s32 %p1, %r4, %r9;\n@%p1 bra $LOOP;\n"
    "mul.wide.s32 %rd2, %r5, 4;\nadd.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r1;\nret;\n}\n";

/* The same for h = i; for (k = 0; k < 9; k++) h = h * 31 + k, with target[h & 4095]. */
static const char *const hashed =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry hashed(.param .u64 target)\n{\n"
    ".reg .pred %p<2>; .reg .b32 %r<20>; .reg .b64 %rd<5>;\n"
    "ld.param.u64 %rd1, [target];\nmov.u32 %r1, %tid.x;\nmov.u32 %r5, %r1;\nmov.u32 %r4, 0;\n"
    "$LOOP:\nmad.lo.s32 %r5, %r5, 31, %r4;\nadd.s32 %r4, %r4, 1;\n"
    "setp.lt.s32 %p1, %r4, 9;\n@%p1 bra $LOOP;\nand.b32 %r6, %r5, 4095;\n"
    "mul.wide.u32 %rd2, %r6, 4;\nadd.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r1;\nret;\n}\n";

/* Binds a kernel to a grid of ten blocks. */
static void open(struct subject *s, const char *text, const char *kernel, uint32_t x, uint32_t y)
{
    *s = (struct subject){.arena = fw_arena_new(0)};
    assert_true(subject_read(s, kernel, text, strlen(text), "", kernel));
    s->launch = fw_launch_new(s->arena, s->kernel);
    s->launch->grid[0] = 10;
    s->launch->block[0] = x;
    s->launch->block[1] = y;
    s->bound = fw_bound_new(s->kernel);
    assert_int_equal(fw_bound_set(s->bound, s->launch), FW_OK);
}

static void count_requests(const char *text, const char *kernel, uint32_t x, uint32_t y,
                           struct fw_requests *requests)
{
    struct subject s;
    struct fw_device *device = NULL;
    static const char profile[] = "h200.json";
    const char *root = getenv("FOREWARP_SOURCE");
    open(&s, text, kernel, x, y);
    assert_int_equal(fw_device_read(&device, s.arena,
                                    fw_arena_printf(s.arena, "%s/profiles/%s", root, profile),
                                    NULL),
                     FW_OK);
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
    count_requests(copied_halves, "halves", 128, 1, &requests);
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

/* 72 of 96 iterations load; the iterations that are sampled first are all among the others. */
static void rests_of_unrolled_loops_are_sampled(void **state)
{
    struct fw_requests requests;
    (void)state;
    count_requests(rest, "rest", 256, 1, &requests);
    assert_true(fabs(requests.load_sectors / (10.0 * 8 * 72 * 4) - 1) < 0.01);
}

/* A line a lane is eight lookups of four lines: more cycles than the wavefronts of hits. */
static void lookups_of_tags_are_counted(void **state)
{
    struct fw_requests requests;
    (void)state;
    count_requests(apart, "apart", 256, 1, &requests);
    assert_true(fabs(requests.load_lookups / (10.0 * 8 * 8) - 1) < 0.1);
    assert_true(fabs(requests.store_lookups / requests.load_lookups - 1) < 0.1);
    fw_requests_apply_l1_hits(&requests, 10.0 * 256 * 32, 10.0 * 256 * 32, 0);
    assert_true(fw_requests_lookups(&requests) - requests.store_lookups >
                2 * (requests.global_wavefronts - requests.store_wavefronts));
}

/* What a subject's accesses are sampled with, on 32 lanes, sectors of 32 and lines of 128 bytes. */
static struct fw_sampling sampling_of(const struct subject *s)
{
    return (struct fw_sampling){.kernel = s->kernel,
                                .bound = s->bound,
                                .launch = s->launch,
                                .sector = 32,
                                .line = 128,
                                .banks = 32,
                                .width = 4,
                                .warp = 32};
}

/* Samples are the same alone, remembered, and taken from a memory behind. */
static void memory_changes_no_sample(void **state)
{
    static const struct {
        const char *text, *kernel;
        uint32_t x, y;
    } cases[] = {{halves, "halves", 128, 1}, {halo, "halo", 32, 8}, {thirds, "thirds", 64, 1}};
    (void)state;
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        struct subject s;
        open(&s, cases[c].text, cases[c].kernel, cases[c].x, cases[c].y);
        struct fw_sampling sampling = sampling_of(&s);
        struct fw_sample_memo *memo = fw_sample_memo_new(s.arena, NULL);
        struct fw_sample_memo *front = fw_sample_memo_new(s.arena, memo);
        struct fw_sample_memo *const memos[] = {memo, memo, front};
        for (uint32_t a = 0; a < s.kernel->access_count; a++) {
            struct fw_sampled_warps alone, kept;
            sampling.memo = NULL;
            fw_sample_warps(&alone, &sampling, &s.kernel->accesses[a], 4);
            for (size_t m = 0; m < sizeof(memos) / sizeof(memos[0]); m++) {
                sampling.memo = memos[m];
                fw_sample_warps(&kept, &sampling, &s.kernel->accesses[a], 4);
                assert_true(kept.known && alone.known);
                assert_true(fabs(kept.warps - alone.warps) < 1e-9);
                assert_true(fabs(kept.sectors - alone.sectors) < 1e-9);
                assert_true(fabs(kept.passes - alone.passes) < 1e-9);
                assert_true(fabs(kept.wavefronts - alone.wavefronts) < 1e-9);
            }
        }
        fw_bound_free(s.bound);
        fw_arena_free(s.arena);
    }
}

/* A quotient of block and thread is kept by thread, for one block at a time and one binding. */
static void kept_values_follow_the_block(void **state)
{
    static const uint32_t blocks[] = {0, 7, 0, 7, 3};
    const int64_t none[1] = {0};
    struct subject s;
    (void)state;
    open(&s, thirds, "thirds", 64, 1);
    uint32_t store = 0;
    while (s.kernel->accesses[store].direction != FW_STORE)
        store++;
    for (int binding = 0; binding < 2; binding++) {
        for (size_t b = 0; b < sizeof(blocks) / sizeof(blocks[0]); b++)
            for (uint32_t t = 0; t < 64; t++) {
                const struct fw_point point = {{blocks[b], 0, 0}, {t, 0, 0}, none};
                int64_t value;
                assert_true(
                    fw_bound_evaluate(s.bound, s.kernel->accesses[store].offset, &point, &value));
                assert_int_equal(value, 4 * ((blocks[b] * 64 + t) / 3));
            }
        assert_int_equal(fw_bound_set(s.bound, s.launch), FW_OK);
    }
    fw_bound_free(s.bound);
    fw_arena_free(s.arena);
}

/* A value that differs by the y of block and thread alone is kept for all x, and is another one for
 * each y, as blocks are asked for in turn. */
static void kept_values_follow_their_dimensions(void **state)
{
    static const uint32_t blocks[][2] = {{0, 0}, {9, 0}, {9, 5}, {0, 5}, {1, 2}, {2, 3}, {0, 0}};
    const int64_t none[1] = {0};
    struct subject s;
    (void)state;
    open(&s, rows, "rows", 16, 8);
    uint32_t store = 0;
    while (s.kernel->accesses[store].direction != FW_STORE)
        store++;
    for (size_t b = 0; b < sizeof(blocks) / sizeof(blocks[0]); b++)
        for (uint32_t t = 0; t < 128; t++) {
            const uint32_t x = t % 16, y = t / 16;
            const struct fw_point point = {{blocks[b][0], blocks[b][1], 0}, {x, y, 0}, none};
            int64_t value;
            assert_true(
                fw_bound_evaluate(s.bound, s.kernel->accesses[store].offset, &point, &value));
            assert_int_equal(value, 4 * (x + (blocks[b][1] * 8 + y) / 3));
        }
    fw_bound_free(s.bound);
    fw_arena_free(s.arena);
}

/* Requests that were seen stand for what is drawn: four lanes on two words of a sector and two
 * elsewhere take two passes there and one elsewhere; eight lanes on one word take eight. */
static void seen_requests_are_the_samples(void **state)
{
    static const struct fw_seen_request requests[2] = {
        {0x3f, {1024, 1024, 1028, 1028, 4096, 4100}},
        {0xff0000, {[16] = 64, [17] = 64, [18] = 64, [19] = 64, 64, 64, 64, 64}}};
    struct subject s;
    struct fw_sampled_warps drawn, seen;
    (void)state;
    open(&s, votes, "votes", 64, 1);
    uint32_t atomic = 0;
    while (s.kernel->accesses[atomic].direction != FW_ATOMIC)
        atomic++;
    struct fw_sampling sampling = sampling_of(&s);
    sampling.memo = fw_sample_memo_new(s.arena, NULL);
    sampling.data = fw_data_addresses_new(s.arena, s.kernel, s.bound, s.launch);
    fw_sample_warps(&drawn, &sampling, &s.kernel->accesses[atomic], 0);
    assert_true(drawn.known && !drawn.seen && drawn.lanes / drawn.warps > 31);
    struct fw_seen_requests *of =
        FW_ARRAY(s.arena, struct fw_seen_requests, s.kernel->access_count);
    of[atomic] = (struct fw_seen_requests){.at = requests, .count = 2};
    s.launch->seen = of;
    fw_sample_warps(&seen, &sampling, &s.kernel->accesses[atomic], 0);
    assert_true(seen.known && seen.seen);
    assert_true(fabs(seen.warps - 2) < 1e-9 && fabs(seen.lanes - 14) < 1e-9);
    assert_true(fabs(seen.sectors - 3) < 1e-9 && fabs(seen.lines - 3) < 1e-9);
    assert_true(fabs(seen.atomic_passes - (2 + 1 + 8)) < 1e-9);
    fw_bound_free(s.bound);
    fw_arena_free(s.arena);
}

static const struct fw_access *store_of(const struct subject *s)
{
    uint32_t store = 0;
    while (s->kernel->accesses[store].direction != FW_STORE)
        store++;
    return &s->kernel->accesses[store];
}

/* What a loop makes of an index bit by bit is known at each thread, for the number of trips that an
 * argument says; what a loop hashes is left to data. */
static void loops_of_bits_are_gone_through(void **state)
{
    const int64_t none[1] = {0};
    struct subject s;
    (void)state;
    open(&s, spread, "spread", 64, 1);
    const struct fw_access *store = store_of(&s);
    s.launch->is_bound[1] = true;
    for (uint32_t bits = 1; bits <= 10; bits += 3) {
        s.launch->integers[1] = bits;
        assert_int_equal(fw_bound_set(s.bound, s.launch), FW_OK);
        assert_false(store->data_dependent);
        for (uint32_t b = 0; b < 10; b++)
            for (uint32_t t = 0; t < 64; t++) {
                const struct fw_point point = {{b, 0, 0}, {t, 0, 0}, none};
                int64_t value, place = 0;
                for (uint32_t k = 0; k < bits; k++)
                    place |= (int64_t)((b * 64 + t) >> k & 1) << (2 * k);
                assert_true(fw_bound_evaluate(s.bound, store->offset, &point, &value));
                assert_int_equal(value, 4 * place);
            }
    }
    struct fw_sampling sampling = sampling_of(&s);
    struct fw_sampled_warps sampled;
    fw_sample_warps(&sampled, &sampling, store, 0);
    assert_true(sampled.known && !sampled.random_address);
    assert_true(fabs(sampled.sectors - 8 * sampled.warps) <
                1e-9); /* places 0, 1, 4, 5 share a sector */
    fw_bound_free(s.bound);
    fw_arena_free(s.arena);
    open(&s, hashed, "hashed", 64, 1);
    assert_true(store_of(&s)->data_dependent);
    fw_bound_free(s.bound);
    fw_arena_free(s.arena);
}

/* target[x] = x, in the upper triangle of a grid of 16 x 2 threads a block: off its diagonal,
 * blocks have all lanes or none. */
static const char *const triangle =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry triangle(.param .u64 target)\n{\n"
    ".reg .pred %p<2>; .reg .b32 %r<10>; .reg .b64 %rd<5>;\n"
    "ld.param.u64 %rd1, [target];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"
    "mad.lo.s32 %r3, %r2, 16, %r1;\nmov.u32 %r4, %ctaid.y;\nmul.lo.s32 %r5, %r4, 16;\n"
    "mov.u32 %r6, %tid.y;\nmad.lo.s32 %r7, %r6, 8, %r5;\nsetp.lt.s32 %p1, %r3, %r7;\n"
    "@%p1 bra $L;\nmul.wide.s32 %rd2, %r3, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
    "st.global.u32 [%rd3], %r3;\n$L:\nret;\n}\n";

static void blocks_off_the_diagonal_are_sampled(void **state)
{
    struct subject s;
    (void)state;
    open(&s, triangle, "triangle", 16, 2);
    s.launch->grid[0] = s.launch->grid[1] = 60;
    assert_int_equal(fw_bound_set(s.bound, s.launch), FW_OK);
    struct fw_sampling sampling = sampling_of(&s);
    struct fw_sampled_warps sampled;
    fw_sample_warps(&sampled, &sampling, store_of(&s), 0);
    assert_true(sampled.known && sampled.warps > 0);
    assert_true(fabs(sampled.lanes - 32 * sampled.warps) < 1e-9);
    fw_bound_free(s.bound);
    fw_arena_free(s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_branches_are_issued_by_all),
        cmocka_unit_test(lanes_leave_a_loop),
        cmocka_unit_test(rests_of_unrolled_loops_are_sampled),
        cmocka_unit_test(lookups_of_tags_are_counted),
        cmocka_unit_test(memory_changes_no_sample),
        cmocka_unit_test(kept_values_follow_the_block),
        cmocka_unit_test(kept_values_follow_their_dimensions),
        cmocka_unit_test(seen_requests_are_the_samples),
        cmocka_unit_test(loops_of_bits_are_gone_through),
        cmocka_unit_test(blocks_off_the_diagonal_are_sampled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
