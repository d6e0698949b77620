/* Atomics, constants and textures as the traffic model's time has them, and as its answer tells
 * what is left out. */
#include "../../property/subject.h"
#include "traffic.h"
#include "unit_service.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FIGURE(name, value, unit)                                                                  \
    ",\"" name "\":{\"value\":" value ",\"unit\":\"" unit "\",\"source\":\"spec\"}"
#define PROFILE_OF(far, more)                                                                      \
    "{\"forewarp_profile\": 1, \"name\": \"made-up\", \"title\": \"Made up\", \"figures\": {"      \
    "\"multiprocessors\": {\"value\": 100, \"unit\": \"1\", \"source\": \"spec\"}" FIGURE(         \
        "sm_clock", "1e9", "hertz") FIGURE("l1_bytes", "16384", "bytes")                           \
        FIGURE("l2_bytes", "1048576", "bytes") FIGURE("line_bytes", "128", "bytes")                \
            FIGURE("sector_bytes", "32", "bytes") FIGURE("constant_cache_bytes", "2048", "bytes")  \
                FIGURE("latency_constant", "30", "cycles")                                         \
                    FIGURE("latency_constant_far", far, "cycles") more "}}"
#define PROFILE(more) PROFILE_OF("90", more)
#define ATOMICS                                                                                    \
    FIGURE("atomic_passes", "1e9", "passes/s")                                                     \
    FIGURE("atomic_slices", "50", "1") FIGURE("atomic_slice_bytes", "512", "bytes")

static struct fw_arena *arena;

static const struct fw_device *device_of(const char *text)
{
    struct fw_device *device;
    assert_int_equal(fw_device_parse(&device, arena, "made-up", text, strlen(text), NULL), FW_OK);
    return device;
}

/* An array of `count` operations in passes of integers, or of whole f64 sectors. */
static double seconds_beside(const char *profile, struct fw_atomic_array array, double resident)
{
    struct fw_atomics atomics = {.at = &array, .count = 1};
    struct fw_atomic_service service;
    bool known = fw_atomic_service(&service, &atomics, device_of(profile), resident);
    return known ? service.seconds : -1;
}

static double seconds_of(const char *profile, struct fw_atomic_array array)
{
    return seconds_beside(profile, array, 0);
}

static void arrays_fall_on_slices(void **state)
{
    struct fw_atomic_array array = {.operations = 1e6, .words = 1, .bytes = 4};
    const char *rated = PROFILE(ATOMICS);
    (void)state;
    array.passes[FW_ATOMIC_INTEGER] = 1e6;
    assert_true(seconds_of(PROFILE(""), array) == -1);
    assert_true(fabs(seconds_of(rated, array) / 1e-3 - 1) < 1e-9);
    array.words = 256;
    array.bytes = 1024; /* two blocks: on one slice by a chance of 1 / 50 */
    assert_true(fabs(seconds_of(rated, array) / (0.5e-3 + 0.5e-3 / 50) - 1) < 1e-9);
    array.words = array.bytes = HUGE_VAL;
    assert_true(fabs(seconds_of(rated, array) / (1e-3 / 50) - 1) < 1e-9);
    /* Random sectors keep more slices at work, where the profile says how many. */
    array.drawn = 5e5;
    assert_true(fabs(seconds_of(rated, array) / (1e-3 / 50) - 1) < 1e-9);
    const char *random = PROFILE(ATOMICS FIGURE("atomic_random_slices", "80", "1"));
    assert_true(fabs(seconds_of(random, array) / (0.5e-3 / 50 + 0.5e-3 / 80) - 1) < 1e-9);
}

static void kinds_of_operations_take_their_own_time(void **state)
{
    struct fw_atomic_array array = {
        .operations = 1e6, .floating = 1e6, .returning = 1e6, .words = 1, .bytes = 4};
    (void)state;
    array.passes[FW_ATOMIC_F64] = 1e6;
    const char *word = PROFILE(ATOMICS FIGURE("atomic_float_word", "4e8", "operations/s"));
    assert_true(fabs(seconds_of(word, array) / 2.5e-3 - 1) < 1e-9);
    const char *result = PROFILE(ATOMICS FIGURE("atomic_result_word", "2e8", "operations/s"));
    assert_true(fabs(seconds_of(result, array) / 5e-3 - 1) < 1e-9);
    array.passes[FW_ATOMIC_F64] = array.floating = array.returning = 0;
    array.whole[FW_ATOMIC_F64] = 1e6;
    const char *whole = PROFILE(ATOMICS FIGURE("atomic_whole", "2e9", "passes/s")
                                    FIGURE("atomic_whole_f64", "5e8", "passes/s"));
    assert_true(fabs(seconds_of(whole, array) / 2e-3 - 1) < 1e-9);
}

/* Warps add to sectors of which data prefer some: sector u^power of 131,072, u by chance, four
 * lanes a word (uneven_4 and uneven_8 in data/h100/applications/votes.jsonl, an H100: so many
 * passes, and so long a launch but for 2.5 us of its own). */
static void slices_that_have_most_take_longest(void **state)
{
    enum { GRANULES = 8192 };
    static const struct {
        double power, seconds;
    } recorded[] = {{4, 43.2e-6}, {8, 115.5e-6}};
    const char *h100 = PROFILE(
        FIGURE("atomic_passes", "1.36444e9", "passes/s") FIGURE("atomic_slices", "40.5929", "1")
            FIGURE("atomic_slice_bytes", "512", "bytes") FIGURE("l2_slices", "80", "1"));
    double shares[GRANULES];
    const struct fw_granule_part whole = {shares, GRANULES, 1, 0};
    struct fw_atomic_array array = {
        .operations = 4326000, .words = 1048576, .bytes = 4194304, .loads = {&whole, 1, 1056}};
    (void)state;
    array.passes[FW_ATOMIC_INTEGER] = 540672;
    for (size_t r = 0; r < sizeof(recorded) / sizeof(recorded[0]); r++) {
        for (uint32_t g = 0; g < GRANULES; g++)
            shares[g] = pow((g + 1.0) / GRANULES, 1 / recorded[r].power) -
                        pow((double)g / GRANULES, 1 / recorded[r].power);
        assert_true(fabs(seconds_of(h100, array) / recorded[r].seconds - 1) < 0.15);
    }
    /* Where data prefer none, slices take as long as if nothing were known of granules, but for the
     * chance that some have more of them. */
    for (uint32_t g = 0; g < GRANULES; g++)
        shares[g] = 1.0 / GRANULES;
    const double even = seconds_of(h100, array);
    array.loads.levels = 0;
    assert_true(even / seconds_of(h100, array) >= 1 && even / seconds_of(h100, array) < 1.03);
}

/* So many blocks, one after the other, add to 4 KiB of their own (`blocks` in
 * data/h200/slices/walks.jsonl, 8448 blocks of 256 threads, times 32): the launch's passes over the
 * granules of each of its parts. */
static void blocks_that_follow_each_other_share_slices(void **state)
{
    enum { BLOCKS = 8448, EACH = 8, LEVELS = 6, RESIDENT = 1056 };
    static const struct {
        uint32_t run;
        double seconds;
    } recorded[] = {
        {16, 159.7e-6}, {32, 190.9e-6}, {128, 318.2e-6}, {512, 590e-6}, {2048, 757.4e-6}};
    const char *h200 = PROFILE(
        FIGURE("atomic_passes", "1.3677e9", "passes/s")
            FIGURE("atomic_whole", "1.708e9", "passes/s") FIGURE("atomic_slices", "47.5", "1")
                FIGURE("atomic_slice_bytes", "512", "bytes") FIGURE("l2_slices", "96", "1"));
    (void)state;
    for (size_t r = 0; r < sizeof(recorded) / sizeof(recorded[0]); r++) {
        struct fw_granule_part parts[1 << LEVELS];
        uint32_t count = 0;
        for (uint32_t own = 1; own < 1 << LEVELS; own *= 2)
            for (uint32_t p = 0; p < own; p++) {
                double *shares = FW_ARRAY(arena, double, BLOCKS *EACH);
                const double from = (double)BLOCKS / own * p, to = (double)BLOCKS / own * (p + 1);
                uint32_t granules = 0;
                for (double b = floor(from / recorded[r].run); b * recorded[r].run < to; b++) {
                    const double low = fmax(from, b * recorded[r].run);
                    const double end = fmin(to, (b + 1) * recorded[r].run);
                    for (uint32_t g = 0; g < EACH; g++)
                        shares[granules++] = (end - low) / (to - from) / EACH;
                }
                parts[count++] = (struct fw_granule_part){shares, granules, 1.0 / own, 0};
            }
        struct fw_atomic_array array = {.operations = 69206016,
                                        .words = HUGE_VAL,
                                        .bytes = HUGE_VAL,
                                        .loads = {parts, LEVELS, BLOCKS}};
        array.whole[FW_ATOMIC_INTEGER] = 8650752;
        assert_true(seconds_of(h200, array) < 0.7 * recorded[r].seconds); /* all at one time */
        assert_true(fabs(seconds_beside(h200, array, RESIDENT) / recorded[r].seconds - 1) < 0.15);
    }
}

/* Each thread loads words of 8 KiB of constant memory, its own place each, and a texel of linear
 * memory and of a plane. */
static const char *const text =
    ".version 8.0\n.target sm_90\n.address_size 64\n.const .align 4 .b8 table[8192];\n"
    ".visible .entry units(.param .u64 out, .param .u64 image)\n{\n"
    ".reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .f32 %f<8>;\n"
    "ld.param.u64 %rd1, [out];\nld.param.u64 %rd2, [image];\nmov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %rd3, %r1, 4;\nmov.u64 %rd4, table;\nadd.s64 %rd5, %rd4, %rd3;\n"
    "ld.const.f32 %f5, [%rd5];\n"
    "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd2, {%r1}];\n"
    "tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd2, {%r1, %r1}];\n"
    "add.f32 %f6, %f5, %f1;\nadd.s64 %rd6, %rd1, %rd3;\nst.global.f32 [%rd6], %f6;\nret;\n}\n";

static bool says(const struct fw_traffic *traffic, const char *part)
{
    for (uint32_t s = 0; s < traffic->not_modelled_count; s++)
        if (strstr(traffic->not_modelled[s], part))
            return true;
    return false;
}

static double term_of(const struct fw_traffic *traffic, const char *name)
{
    for (uint32_t t = 0; t < traffic->term_count; t++)
        if (strcmp(traffic->terms[t].name, name) == 0)
            return traffic->terms[t].seconds;
    return 0;
}

static struct fw_traffic *predicted(struct subject *s, const char *profile)
{
    struct fw_traffic_options options = {.registers = 32};
    struct fw_traffic *traffic;
    assert_int_equal(fw_traffic_predict(&traffic, arena, s->kernel, s->bound, s->launch,
                                        device_of(profile), &options, NULL),
                     FW_OK);
    return traffic;
}

static void constants_and_textures_are_terms_or_told(void **state)
{
    enum { BLOCKS = 1000, WARPS = 8 };
    struct subject s = {.arena = arena};
    (void)state;
    assert_true(subject_read(&s, "units", text, strlen(text), "", "units"));
    s.launch = fw_launch_new(arena, s.kernel);
    s.launch->grid[0] = BLOCKS;
    s.launch->block[0] = WARPS * 32;
    s.bound = fw_bound_new(s.kernel);
    assert_int_equal(fw_bound_set(s.bound, s.launch), FW_OK);
    struct fw_traffic *without = predicted(&s, PROFILE(""));
    assert_true(term_of(without, "constant") == 0 && term_of(without, "texture") == 0);
    assert_true(says(without, "no constant_requests") && says(without, "no lanes_texture"));
    assert_true(says(without, "no constant_misses") && says(without, "50 % of the threads"));
    /* Three quarters of the loads wait 90 cycles, the others 30, in the chain of each block. */
    struct fw_traffic *slower = predicted(&s, PROFILE_OF("9090", ""));
    assert_true(slower->seconds > without->seconds + 0.7 * 9000 / 1e9);
    struct fw_traffic *with =
        predicted(&s, PROFILE(FIGURE("constant_requests", "0.5", "requests/cycle")
                                  FIGURE("constant_misses", "0.1", "requests/cycle")
                                      FIGURE("lanes_texture", "4", "results/cycle")));
    double warps = BLOCKS * WARPS, cycles = 1e9 * 100;
    double constant = warps * 32 * (1 / 0.5 + 0.75 / 0.1) / cycles;
    assert_true(fabs(term_of(with, "constant") / constant - 1) < 1e-6);
    assert_true(fabs(term_of(with, "texture") / (warps * 32 * 2 / 4 / cycles) - 1) < 1e-6);
    assert_true(with->seconds >= constant && with->seconds > without->seconds);
    struct fw_traffic *planes =
        predicted(&s, PROFILE(FIGURE("lanes_texture", "4", "results/cycle")
                                  FIGURE("lanes_texture_plane", "0.5", "results/cycle")));
    double texture = warps * 32 * (1 / 4.0 + 1 / 0.5) / cycles;
    assert_true(fabs(term_of(planes, "texture") / texture - 1) < 1e-6);
    fw_bound_free(s.bound);
}

static int set_up(void **state)
{
    (void)state;
    arena = fw_arena_new(0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fw_arena_free(arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(arrays_fall_on_slices, set_up, tear_down),
        cmocka_unit_test_setup_teardown(kinds_of_operations_take_their_own_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(slices_that_have_most_take_longest, set_up, tear_down),
        cmocka_unit_test_setup_teardown(blocks_that_follow_each_other_share_slices, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(constants_and_textures_are_terms_or_told, set_up,
                                        tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
