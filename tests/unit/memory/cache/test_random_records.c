/* Fields of a record that data choose: an access to a sector that one before it touched misses in
 * no cache. */
#include "../../../property/subject.h"
#include "kernel_accesses.h"
#include "random_access.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Loads at bytes `step` * index[i] of an array, and `more` at %rd9, its address. */
#define KERNEL(step, more)                                                                         \
    ".version 8.0\n.target sm_80\n.address_size 64\n"                                              \
    ".visible .entry k(.param .u64 index, .param .u64 array)\n{\n"                                 \
    ".reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<12>;\n"                                       \
    "ld.param.u64 %rd1, [index];\nld.param.u64 %rd2, [array];\nmov.u32 %r1, %ctaid.x;\n"           \
    "mov.u32 %r2, %tid.x;\nmad.lo.s32 %r3, %r1, 256, %r2;\nmul.wide.s32 %rd3, %r3, 4;\n"           \
    "add.s64 %rd4, %rd1, %rd3;\nld.global.u32 %r4, [%rd4];\nmul.wide.s32 %rd5, %r4, " step ";\n"   \
    "add.s64 %rd9, %rd2, %rd5;\nld.global.f32 %f1, [%rd9];\n" more "ret;\n}\n"

struct found {
    double read, wavefronts;
    struct fw_random_hits last; /* of the last access of the kernel */
};

static struct found find(const char *text)
{
    struct subject s = {.arena = fw_arena_new(0)};
    struct fw_kernel_accesses found;
    struct fw_random_accesses random;
    struct fw_volumes volumes = {.dram_read = {.bytes = 4e6}};
    const struct fw_caches caches = {.sector = 32,
                                     .line = 128,
                                     .fetch = 32,
                                     .multiprocessors = 132,
                                     .l1_bytes = 1e5,
                                     .l2_bytes = 1e6,
                                     .l2_loads_bytes = 1e6,
                                     .whole_l2_bytes = 1e6};
    assert_true(subject_read(&s, "k", text, strlen(text), "", "k"));
    s.launch = fw_launch_new(s.arena, s.kernel);
    s.launch->grid[0] = 100000;
    s.launch->block[0] = 256;
    s.bound = fw_bound_new(s.kernel);
    assert_int_equal(fw_bound_set(s.bound, s.launch), FW_OK);
    fw_kernel_accesses_find(&found, s.arena, s.kernel, s.bound, s.launch, NULL);
    fw_random_accesses_find(&random, s.arena, s.kernel, s.bound, s.launch, &caches, &volumes,
                            found.data, NULL);
    struct found of = {random.dram_read, random.wavefronts,
                       random.hits[s.kernel->access_count - 1]};
    fw_bound_free(s.bound);
    fw_arena_free(s.arena);
    return of;
}

static double read_of(const char *text)
{
    double read = find(text).read;
    assert_true(read > 0);
    return read;
}

/* What is read once is waited for once: the second field of a sector hits in L1. */
static void fields_of_a_sector_hit_in_l1(void **state)
{
    (void)state;
    struct found one = find(KERNEL("8", "")),
                 two = find(KERNEL("8", "ld.global.f32 %f2, [%rd9+4];\n"));
    assert_true(one.last.drawn && one.last.l1 < 0.1);
    assert_true(two.last.drawn && two.last.l1 > 0.999);
    assert_true(find(KERNEL("64", "ld.global.f32 %f2, [%rd9+32];\n")).last.l1 < 0.1);
}

/* A gather of so few lines that their words meet in banks: 32 lanes anywhere in 90 words take more
 * passes than lines have lookups.  Source: shifted_14 of data/h200/generated/found counts 2.5. */
static void words_of_few_lines_meet_in_banks(void **state)
{
    (void)state;
    struct found of = find(KERNEL("4", "ld.global.f32 %f2, [%rd4+400000000];\n"
                                       "mul.f32 %f3, %f2, 0f42B40000;\ncvt.rzi.s32.f32 %r5, %f3;\n"
                                       "mul.wide.s32 %rd10, %r5, 4;\nadd.s64 %rd11, %rd2, %rd10;\n"
                                       "ld.global.f32 %f4, [%rd11];\n")),
                 without = find(KERNEL("4", ""));
    const double warps = 100000.0 * 256 / 32;
    double each = (of.wavefronts - without.wavefronts) / warps;
    print_message("wavefronts of 32 lanes in 90 words: %.2f\n", each);
    assert_true(each > 2.2 && each < 3);
}

static void fields_of_a_sector_are_read_once(void **state)
{
    (void)state;
    double one = read_of(KERNEL("8", "")),
           two = read_of(KERNEL("8", "ld.global.f32 %f2, [%rd9+4];\n"));
    assert_true(fabs(two / one - 1) < 1e-9);
    /* Records of 12 bytes lie across sectors: an eighth of the second and third fields. */
    double single = read_of(KERNEL("12", "")),
           three = read_of(KERNEL("12", "ld.global.f32 %f2, [%rd9+4];\n"
                                        "ld.global.f32 %f3, [%rd9+8];\n"));
    assert_true(fabs(three / single - 1.25) < 0.01);
    double far = read_of(KERNEL("64", "")),
           apart = read_of(KERNEL("64", "ld.global.f32 %f2, [%rd9+32];\n"));
    assert_true(fabs(apart / far - 2) < 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fields_of_a_sector_are_read_once),
                                       cmocka_unit_test(fields_of_a_sector_hit_in_l1),
                                       cmocka_unit_test(words_of_few_lines_meet_in_banks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
