/* Atomic contention and the constant cache: what assemblers combine, how many passes over how many
 * words L2 makes, and which constants miss. */
#include "../../../property/subject.h"
#include "atomic_contention.h"
#include "constant_cache.h"
#include "sampled_warps.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
#define BEGIN(name)                                                                                \
    ".visible .entry " name "(.param .u64 a, .param .u64 b, .param .u32 n)\n{\n"                   \
    ".reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .f32 %f<4>; .reg .f64 %fd<4>;\n"                    \
    ".shared .align 8 .b8 own[1024];\n"                                                            \
    "ld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\nld.param.u32 %r9, [n];\n"                   \
    "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\ncvt.u64.u32 %rd8, %r1;\n"                       \
    "cvt.rn.f32.u32 %f1, %r1;\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"            \
    "mul.wide.u32 %rd5, %r2, 4;\nadd.s64 %rd6, %rd1, %rd5;\n"

/* One atomic after the other, in the order of `expected` below. */
static const char *const kinds = HEAD BEGIN("kinds") "atom.global.add.u32 %r10, [%rd1], %r1;\n"
                                                     "red.global.add.u32 [%rd6], %r1;\n"
                                                     "red.global.add.u32 [%rd4], %r1;\n"
                                                     "red.global.max.s32 [%rd1], %r1;\n"
                                                     "atom.global.max.s32 %r11, [%rd1], %r1;\n"
                                                     "red.global.add.u64 [%rd1], 1;\n"
                                                     "red.global.add.u64 [%rd1], %rd8;\n"
                                                     "red.global.add.f32 [%rd1], %f1;\n"
                                                     "atom.global.exch.b32 %r12, [%rd1], %r1;\n"
                                                     "atom.shared.add.u32 %r13, [own], 1;\n"
                                                     "red.shared.add.s32 [own], 1;\n"
                                                     "st.global.u32 [%rd4], %r11;\nret;\n}\n";

static struct subject subject_of(const char *name, const char *text, uint32_t blocks)
{
    struct subject s = {.arena = fw_arena_new(0)};
    assert_true(subject_read(&s, name, text, strlen(text), "", name));
    s.launch = fw_launch_new(s.arena, s.kernel);
    s.launch->grid[0] = blocks;
    s.launch->block[0] = 256;
    s.launch->is_bound[2] = true;
    s.launch->integers[2] = 100;
    s.bound = fw_bound_new(s.kernel);
    assert_int_equal(fw_bound_set(s.bound, s.launch), FW_OK);
    return s;
}

static void free_subject(struct subject *s)
{
    fw_bound_free(s->bound);
    fw_arena_free(s->arena);
}

static void assemblers_combine_lanes_on_one_address(void **state)
{
    static const struct {
        bool combined, returns, increments;
    } expected[] = {{true, false, false},  {true, false, false},  {false, false, false},
                    {true, false, false},  {false, true, false},  {true, false, false},
                    {false, false, false}, {false, false, false}, {false, false, false},
                    {true, false, true},   {true, false, false}};
    struct subject s = subject_of("kinds", kinds, 10);
    uint32_t atomics = 0;
    (void)state;
    for (uint32_t a = 0; a < s.kernel->access_count; a++) {
        const struct fw_access *access = &s.kernel->accesses[a];
        if (access->direction != FW_ATOMIC && access->direction != FW_REDUCTION)
            continue;
        print_message("%u: %d %d %d\n", atomics, access->combined, access->returns,
                      access->increments);
        assert_int_equal(access->combined, expected[atomics].combined);
        assert_int_equal(access->returns, expected[atomics].returns);
        assert_int_equal(access->increments, expected[atomics++].increments);
    }
    assert_int_equal(atomics, sizeof(expected) / sizeof(expected[0]));
    free_subject(&s);
}

/* The atomics of a kernel of one array. */
static struct fw_atomic_array atomics_of(struct subject *s)
{
    static const struct fw_caches caches = {.sector = 32, .line = 128, .multiprocessors = 10};
    struct fw_kernel_accesses found;
    struct fw_atomics atomics;
    fw_kernel_accesses_find(&found, s->arena, s->kernel, s->bound, s->launch, NULL);
    fw_atomics_find(&atomics, s->arena, s->kernel, s->bound, s->launch, &caches, NULL, &found,
                    NULL);
    assert_int_equal(atomics.count, 1);
    print_message("%g operations on %g words in %g bytes\n", atomics.at[0].operations,
                  atomics.at[0].words, atomics.at[0].bytes);
    return atomics.at[0];
}

static bool count_atoms(void *user, fw_atom atom, const struct fw_point *point, int64_t *value)
{
    (void)atom, (void)point, (void)value;
    ++*(uint64_t *)user;
    return false;
}

/* What was sampled for the launch's requests is not sampled again. */
static void requests_have_samples(void **state)
{
    static const char *const scattered =
        HEAD BEGIN("scattered") "ld.global.u32 %r3, [%rd4];\nand.b32 %r4, %r3, 1023;\n"
                                "mul.wide.u32 %rd9, %r4, 4;\nadd.s64 %rd10, %rd2, %rd9;\n"
                                "red.global.add.u32 [%rd10], %r3;\nret;\n}\n";
    static const struct fw_caches caches = {.sector = 32, .line = 128, .multiprocessors = 10};
    struct subject s = subject_of("scattered", scattered, 10);
    struct fw_device *device = NULL;
    struct fw_requests requests;
    struct fw_kernel_accesses found;
    struct fw_atomics atomics[2];
    uint64_t evaluated[2] = {0};
    (void)state;
    const char *path = fw_arena_printf(s.arena, "%s/profiles/h200.json", getenv("FOREWARP_SOURCE"));
    assert_int_equal(fw_device_read(&device, s.arena, path, NULL), FW_OK);
    fw_kernel_accesses_find(&found, s.arena, s.kernel, s.bound, s.launch, NULL);
    fw_requests_find(&requests, s.arena, s.kernel, s.bound, s.launch, device, &found, NULL);
    for (int with = 0; with < 2; with++) {
        struct fw_sampled_warps sampled;
        const struct fw_sampling sampling = {.kernel = s.kernel,
                                             .bound = s.bound,
                                             .launch = s.launch,
                                             .sector = 32,
                                             .line = 128,
                                             .banks = 32,
                                             .width = 4,
                                             .warp = 32,
                                             .data = found.data,
                                             .memo = requests.samples};
        for (uint32_t a = 0; a < s.kernel->access_count; a++) /* as accesses at random ask for it */
            if (s.kernel->accesses[a].direction == FW_REDUCTION)
                fw_sample_warps(&sampled, &sampling, &s.kernel->accesses[a], 0);
        fw_bound_suppose(s.bound, count_atoms, &evaluated[with]);
        fw_atomics_find(&atomics[with], s.arena, s.kernel, s.bound, s.launch, &caches,
                        with ? &requests : NULL, &found, NULL);
        fw_bound_suppose(s.bound, NULL, NULL);
    }
    print_message("%d and %d evaluations of atoms\n", (int)evaluated[0], (int)evaluated[1]);
    assert_true(evaluated[0] > 0 && evaluated[1] < evaluated[0] / 2);
    assert_memory_equal(atomics[0].at[0].passes, atomics[1].at[0].passes,
                        sizeof(atomics[0].at[0].passes));
    free_subject(&s);
}

/* Sums to one word, a word each thread, a word of 100 each thread of the grid, and a word that a
 * byte of data chooses. */
static const char *const one = HEAD BEGIN("one") "red.global.add.f32 [%rd1], %f1;\nret;\n}\n";
static const char *const neighbours =
    HEAD BEGIN("neighbours") "red.global.add.f32 [%rd4], %f1;\nret;\n}\n";
static const char *const remainders =
    HEAD BEGIN("remainders") "mad.lo.u32 %r3, %r2, 256, %r1;\nrem.u32 %r4, %r3, %r9;\n"
                             "mul.wide.u32 %rd7, %r4, 4;\nadd.s64 %rd9, %rd1, %rd7;\n"
                             "red.global.add.u32 [%rd9], 1;\nret;\n}\n";
static const char *const by_data =
    HEAD BEGIN("by_data") "add.s64 %rd7, %rd2, %rd8;\nld.global.u8 %r3, [%rd7];\n"
                          "mul.wide.u32 %rd9, %r3, 4;\nadd.s64 %rd10, %rd1, %rd9;\n"
                          "red.global.add.u32 [%rd10], 1;\nret;\n}\n";

/* Words of 32 and of 96 that the warps of a loop turn through. */
#define TURNS(name, words)                                                                         \
    HEAD BEGIN(name) ".reg .pred %p<3>;\nmov.u32 %r5, 0;\nLOOP:\nadd.u32 %r3, %r1, %r5;\n"         \
                     "rem.u32 %r4, %r3, " words ";\nmul.wide.u32 %rd7, %r4, 4;\n"                  \
                     "add.s64 %rd9, %rd1, %rd7;\nred.global.add.f32 [%rd9], %f1;\n"                \
                     "add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, %r9;\n@%p1 bra LOOP;\nret;\n}\n"
static const char *const turning_32 = TURNS("turning_32", "32");
static const char *const turning_96 = TURNS("turning_96", "96");

static void masked_indices_come_back_to_words(void **state)
{
    struct subject s = subject_of("turning_32", turning_32, 10);
    struct fw_atomic_array array = atomics_of(&s);
    (void)state;
    assert_true(array.words == 32 && array.bytes == 128);
    free_subject(&s);
    s = subject_of("turning_96", turning_96, 10);
    array = atomics_of(&s);
    assert_true(array.words > 90 && array.words <= 96 && array.bytes == 384);
    free_subject(&s);
}

static void passes_are_those_of_words_and_sectors(void **state)
{
    enum { BLOCKS = 1000, THREADS = 256 * BLOCKS };
    struct subject s = subject_of("one", one, BLOCKS);
    struct fw_atomic_array array = atomics_of(&s);
    (void)state;
    assert_true(array.operations == THREADS && array.floating == THREADS);
    assert_true(fabs(array.passes[FW_ATOMIC_F32] - THREADS) < 1e-6); /* 32 lanes on one word */
    assert_true(array.words == 1 && array.bytes <= 512);
    free_subject(&s);
    s = subject_of("neighbours", neighbours, BLOCKS);
    array = atomics_of(&s);
    assert_true(array.passes[FW_ATOMIC_F32] == 0);
    assert_true(fabs(array.whole[FW_ATOMIC_F32] - THREADS / 8.0) < 1e-6);
    assert_true(array.words == 256 && array.bytes == 1024);
    free_subject(&s);
    s = subject_of("remainders", remainders, BLOCKS);
    array = atomics_of(&s);
    assert_true(array.words == 100 && array.bytes == 400);
    free_subject(&s);
    s = subject_of("by_data", by_data, BLOCKS);
    array = atomics_of(&s);
    assert_true(array.words == 256 && array.bytes == 1024);
    /* 32 lanes in 32 sectors of eight words: 32 (1 - (31/32)^32) sectors, and a few meet. */
    double passes = 32.0 * array.passes[FW_ATOMIC_INTEGER] / THREADS;
    print_message("%g passes a warp\n", passes);
    assert_true(passes > 20.4 && passes < 24);
    free_subject(&s);
}

/* Additions in shared memory to sixteen words, of one and of another number. */
#define SHARED(number)                                                                             \
    "and.b32 %r3, %r1, 15;\nshl.b32 %r3, %r3, 2;\nmov.u32 %r4, own;\nadd.u32 %r3, %r3, %r4;\n"     \
    "red.shared.add.u32 [%r3], " number ";\nret;\n}\n"
static const char *const counted = HEAD BEGIN("counted") SHARED("1");
static const char *const added = HEAD BEGIN("added") SHARED("%r1");

static double shared_wavefronts_of(struct subject *s)
{
    struct fw_kernel_accesses found;
    struct fw_requests requests;
    struct fw_device *device = NULL;
    const char *profile =
        fw_arena_printf(s->arena, "%s/profiles/h200.json", getenv("FOREWARP_SOURCE"));
    assert_int_equal(fw_device_read(&device, s->arena, profile, NULL), FW_OK);
    fw_kernel_accesses_find(&found, s->arena, s->kernel, s->bound, s->launch, NULL);
    fw_requests_find(&requests, s->arena, s->kernel, s->bound, s->launch, device, &found, NULL);
    return requests.shared_wavefronts;
}

static void lanes_on_one_word_of_shared_memory_wait(void **state)
{
    enum { BLOCKS = 10, WARPS = 8 * BLOCKS };
    struct subject s = subject_of("counted", counted, BLOCKS);
    (void)state;
    assert_true(fabs(shared_wavefronts_of(&s) - WARPS * (1 + 1)) < 1e-6); /* and an index read */
    free_subject(&s);
    s = subject_of("added", added, BLOCKS);
    assert_true(fabs(shared_wavefronts_of(&s) - WARPS * (2 + 1)) < 1e-6);
    free_subject(&s);
}

/* A table of 8 KiB that all threads walk together, or each from a place of its own. */
#define TABLE ".const .align 4 .b8 table[8192];\n"
#define LOOP                                                                                       \
    "mov.u32 %r5, 0;\nmov.u64 %rd11, table;\nmov.u32 %r8, 0;\nAGAIN:\n"                            \
    "and.b32 %r6, %r4, 2047;\nmul.wide.u32 %rd12, %r6, 4;\nadd.s64 %rd13, %rd11, %rd12;\n"         \
    "ld.const.u32 %r7, [%rd13];\nadd.u32 %r8, %r8, %r7;\nadd.u32 %r4, %r4, 1;\n"                   \
    "add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 512;\n@%p1 bra AGAIN;\n"                          \
    "st.global.u32 [%rd4], %r8;\nret;\n}\n"
static const char *const together =
    HEAD TABLE BEGIN("together") ".reg .pred %p<2>;\nmov.u32 %r4, %r2;\n" LOOP;
static const char *const apart =
    HEAD TABLE BEGIN("apart") ".reg .pred %p<2>;\nmul.lo.u32 %r4, %r1, 37;\n" LOOP;

static struct fw_constant_misses misses_of(struct subject *s, double cache)
{
    struct fw_kernel_accesses found;
    struct fw_constant_misses misses;
    fw_kernel_accesses_find(&found, s->arena, s->kernel, s->bound, s->launch, NULL);
    fw_constant_misses_find(&misses, s->kernel, s->bound, s->launch, &found, cache);
    print_message("%g misses, %g of the requests\n", misses.misses, misses.miss_share);
    return misses;
}

static void constants_that_warps_walk_apart_miss(void **state)
{
    enum { BLOCKS = 10, REQUESTS = BLOCKS * 256 * 512 };
    struct subject s = subject_of("together", together, BLOCKS);
    struct fw_constant_misses misses = misses_of(&s, 2048);
    (void)state;
    assert_true(misses.misses == 0 && misses.miss_share == 0);
    free_subject(&s);
    s = subject_of("apart", apart, BLOCKS);
    misses = misses_of(&s, 2048);
    assert_true(misses.bytes == 8192 && misses.miss_share == 0.75);
    assert_true(fabs(misses.misses / (0.75 * REQUESTS) - 1) < 1e-6);
    assert_true(misses_of(&s, 8192).misses == 0);
    free_subject(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(requests_have_samples),
                                       cmocka_unit_test(assemblers_combine_lanes_on_one_address),
                                       cmocka_unit_test(passes_are_those_of_words_and_sectors),
                                       cmocka_unit_test(masked_indices_come_back_to_words),
                                       cmocka_unit_test(lanes_on_one_word_of_shared_memory_wait),
                                       cmocka_unit_test(constants_that_warps_walk_apart_miss)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
