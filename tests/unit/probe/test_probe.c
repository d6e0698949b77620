/* The probe's analysis on curves made up here, and its kernels' text. */
#include "probe_plan.h"
#include "probe_profile.h"
#include "probe_statistics.h"
#include "random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { POINTS = 120 };

/* From 0 to 1. */
static double unit(struct fw_random *random)
{
    return (double)fw_random_between(random, 0, 1000000) / 1e6;
}

static int set_up(void **state)
{
    *state = fw_arena_new(0);
    return *state == NULL;
}

static int tear_down(void **state)
{
    fw_arena_free(*state);
    return 0;
}

static void medians_and_spreads(void **state)
{
    double values[] = {5, 1, 100, 3, 4};
    assert_float_equal(fw_probe_median(*state, values, 5), 4, 0);
    assert_float_equal(fw_probe_median(*state, values, 4), 4, 0);
    assert_true(isnan(fw_probe_median(*state, values, 0)));
    struct fw_probe_spread spread = fw_probe_spread(*state, values, 5);
    assert_float_equal(spread.low, 1, 0);
    assert_float_equal(spread.high, 100, 0);
    assert_int_equal(spread.count, 5);
    assert_float_equal(values[2], 100, 0); /* left as they were */
}

static void slopes_ignore_overhead_and_outliers(void **state)
{
    double x[21], y[21];
    for (int i = 0; i < 21; i++) {
        x[i] = i + 1;
        y[i] = 400 + 4.5 * (i + 1); /* 400: what is there once, whatever the length */
    }
    y[3] *= 7;
    y[15] = 0;
    y[16] += 50;
    struct fw_probe_line line = fw_probe_line(*state, x, y, 21);
    assert_float_equal(line.slope, 4.5, 0.02);
    assert_float_equal(line.intercept, 400, 0.5);
    line = fw_probe_line(*state, x, y, 1);
    assert_true(isnan(line.slope));
}

/* Three levels with knees at known sizes, uniform noise of `noise`, and one outlier in `every`
 * points. The ramps between are those of caches of which a ring's share hits. */
static void make_curve(double *x, double *y, struct fw_random *random, double noise, int every)
{
    for (int i = 0; i < POINTS; i++) {
        double size = 1024 * exp2(i / 6.0);
        double near = size <= 131072 ? 0 : 1 - 131072 / size;
        double far = size <= 16777216 ? 0 : 1 - 16777216 / size;
        x[i] = size;
        y[i] = 30 + (size > 131072 ? fmin(1, 4 * near) : 0) * 220 + far * 400;
        y[i] *= 1 + noise * (2 * unit(random) - 1);
        if (every && i % every == every / 2)
            y[i] *= 3;
    }
}

static void knees_are_found_in_noise(void **state)
{
    for (uint64_t seed = 1; seed <= 50; seed++) {
        double x[POINTS], y[POINTS];
        struct fw_random random = {seed};
        struct fw_probe_plateau *found;
        make_curve(x, y, &random, 0.02, seed % 2 ? 5 : 0);
        size_t count = fw_probe_plateaus(&found, *state, x, y, POINTS, 0.04, 1);
        if (count < 3 || fabs(found[0].value / 30 - 1) > 0.02 ||
            fabs(found[1].value / 250 - 1) > 0.02)
            fail_msg("seed %llu: %zu plateaus", (unsigned long long)seed, count);
        /* Between the last point that hits and one that an outlier may have taken with it. */
        assert_in_range((unsigned long)x[found[0].last], 131072 / 1.3, 131073 * 1.2);
        assert_in_range((unsigned long)x[found[1].last], 16777216 / 1.3, 16777217 * 1.2);
    }
}

static void a_ramp_has_no_plateau(void **state)
{
    double x[POINTS], y[POINTS];
    struct fw_probe_plateau *found;
    for (int i = 0; i < POINTS; i++) {
        x[i] = exp2(i / 6.0);
        y[i] = 10 * exp2(i / 12.0);
    }
    assert_int_equal(fw_probe_plateaus(&found, *state, x, y, POINTS, 0.04, 1), 0);
    assert_int_equal(fw_probe_plateaus(&found, *state, x, y, 0, 0.04, 1), 0);
}

static void groups_are_told_apart_or_not(void **state)
{
    struct fw_random random = {7};
    double values[256], low, high;
    for (int i = 0; i < 256; i++)
        values[i] = (i % 2 ? 260 : 295) + 12 * unit(&random);
    assert_true(fw_probe_two_groups(*state, values, 256, 8, &low, &high));
    assert_float_equal(low, 266, 2);
    assert_float_equal(high, 301, 2);
    for (int i = 0; i < 256; i++)
        values[i] = 260 + i * 0.1;
    assert_false(fw_probe_two_groups(*state, values, 256, 8, &low, &high));
}

/* ---- kernels ---- */

static const struct fw_probe_file *file_of(const struct fw_probe_files *files, const char *name)
{
    for (size_t i = 0; i < files->rows.count; i++)
        if (strcmp(files->rows.at[i].name, name) == 0)
            return &files->rows.at[i];
    return NULL;
}

/* Every source that the plan names is there; braces match; no placeholder is left. */
static void plans_are_whole(void **state)
{
    static const struct fw_probe_device devices[] = {
        {.cuda = true,
         .multiprocessors = 132,
         .capability = 90,
         .memory_bytes = 150000000000ULL,
         .energy = true},
        {.cuda = true, .multiprocessors = 80, .capability = 70, .memory_bytes = 16000000000ULL},
        {.cuda = false, .multiprocessors = 2, .memory_bytes = 1 << 30, .small = true}};
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
        struct fw_probe_files files = {0};
        fw_probe_plan(&files, *state, &devices[d]);
        const struct fw_probe_file *plan = file_of(&files, "probe.plan");
        assert_non_null(plan);
        for (const char *at = plan->text; (at = strstr(at, "    source ")); at++) {
            char name[80];
            assert_int_equal(sscanf(at, " source %79s", name), 1);
            assert_non_null(file_of(&files, name));
        }
        for (size_t i = 0; i < files.rows.count; i++) {
            int depth = 0;
            assert_null(strchr(files.rows.at[i].text, '$'));
            for (const char *at = files.rows.at[i].text; *at; at++)
                depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
            assert_int_equal(depth, 0);
        }
        assert_true((file_of(&files, "wgmma.ptx") != NULL) == (devices[d].capability == 90));
        assert_true((file_of(&files, "mma_bf16.ptx") != NULL) == (devices[d].capability >= 80));
    }
}

/* A chain ends in a store that depends on a parameter, for each kind of row. */
static void chains_end_in_a_store(void **state)
{
    for (int i = 0; i < FW_PROBE_OPERATION_COUNT; i++) {
        struct fw_buffer text = fw_buffer_new(*state);
        fw_probe_ptx_operation(&text, &fw_probe_rows[i]);
        int stores = 0;
        for (const char *at = text.text; (at = strstr(at, "setp.ne.u32 %p7,%sum,%never;")); at++)
            stores++;
        assert_int_equal(stores, 3); /* dependent, independent, rate */
    }
}

/* ---- recordings made up here ---- */

static const char setup[] =
    "{\"record\": \"setup\", \"backend\": \"cuda\", \"device\": \"made up\", \"driver\": \"none\", "
    "\"memory_bytes\": 1e11, \"attributes\": {\"multiprocessors\": 10, \"warp_size\": 32, "
    "\"threads_per_multiprocessor\": 2048}, \"date\": \"2026-01-02T03:04:05Z\"}\n";

/* fma_f32's dependent chains: `cycles` an instruction, 300 once, one trial in three an outlier. */
static void add_chain(struct fw_buffer *text, const char *kind, double cycles)
{
    const struct fw_probe_row *row = &fw_probe_rows[FW_PROBE_fma_f32];
    double each = (double)fw_probe_iterations(row) * row->unroll;
    fw_buffer_printf(text,
                     "{\"record\": \"measurement\", \"name\": \"%s fma_f32\", \"status\": "
                     "\"done\", \"read\": {\"out\": [",
                     kind);
    for (int t = 0; t < 7; t++) {
        fw_buffer_printf(text, "%s[", t ? ", " : "");
        for (int w = 0; w < FW_PROBE_WARP_POINTS; w++)
            for (int l = 1; l <= FW_PROBE_LENGTHS; l++)
                fw_buffer_printf(text, "%s%.0f", w || l > 1 ? ", " : "",
                                 cycles > 0 ? 300 + (t % 3 == 2 ? 2 : 1) * cycles * l * each *
                                                        fmax(1, fw_probe_warps[w] / 8.0)
                                            : 0);
        fw_buffer_printf(text, "]");
    }
    fw_buffer_printf(text, "]}}\n");
}

static void figures_come_from_chains(void **state)
{
    struct fw_buffer text = fw_buffer_new(*state);
    struct fw_probe_recording *recording;
    struct fw_probe_result result;
    double value;
    fw_buffer_printf(&text, "%s", setup);
    add_chain(&text, "dependent", 4);
    add_chain(&text, "independent", 2);
    assert_int_equal(
        fw_probe_recording_read(&recording, *state, "made up", text.text, text.length, NULL),
        FW_OK);
    fw_probe_profile(&result, *state, recording, "made-up");
    assert_true(fw_device_figure(&result.device, FW_FIGURE_LATENCY_F32, &value));
    assert_float_equal(value, 4, 0.001);
    /* 32 results of each of 8 warps in 2 cycles, and no more with more warps. */
    assert_true(fw_device_figure(&result.device, FW_FIGURE_LANES_F32, &value));
    assert_float_equal(value, 128, 0);
    assert_true(fw_device_figure(&result.device, FW_FIGURE_WARPS_PER_SM, &value));
    assert_float_equal(value, 64, 0);
    assert_false(fw_device_figure(&result.device, FW_FIGURE_LATENCY_DRAM, NULL));
    fw_probe_recording_close(recording);
}

static void a_clock_that_stands_still_gives_no_figure(void **state)
{
    struct fw_buffer text = fw_buffer_new(*state);
    struct fw_probe_recording *recording;
    struct fw_probe_result result;
    bool named = false;
    fw_buffer_printf(&text, "%s", setup);
    add_chain(&text, "dependent", 0);
    assert_int_equal(
        fw_probe_recording_read(&recording, *state, "made up", text.text, text.length, NULL),
        FW_OK);
    fw_probe_profile(&result, *state, recording, "made-up");
    assert_false(fw_device_figure(&result.device, FW_FIGURE_LATENCY_F32, NULL));
    for (size_t i = 0; i < result.missing.count; i++)
        named |= result.missing.at[i].figure == FW_FIGURE_LATENCY_F32 &&
                 strstr(result.missing.at[i].why, "no clock") != NULL;
    assert_true(named);
    fw_probe_recording_close(recording);
}

static void damaged_recordings_are_refused(void **state)
{
    static const struct {
        const char *text;
        enum fw_status status;
    } rows[] = {
        {"", FW_ERROR_INPUT},
        {"nonsense\n", FW_ERROR_INPUT},
        {"[1, 2]\n", FW_ERROR_INPUT},
        {"{\"record\": \"measurement\", \"name\": \"a\", \"status\": \"done\"}\n", FW_ERROR_INPUT},
        {"{\"record\": \"setup\"}\n", FW_ERROR_INPUT},
        {"{\"record\": \"setup\"}\n{\"record\": \"measurement\", \"name\": \"a\", \"status\": "
         "\"failed\", \"reason\": \"no\"}\n",
         FW_ERROR_INPUT},
        {"{\"record\": \"setup\"}\n{\"record\": \"measurement\", \"name\": \"a\", \"status\": "
         "\"done\", \"single\": 3, \"read\": {\"out\": [[1, null], 7]}}\n{\"record\"",
         FW_OK}, /* the last line is unfinished: left out */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fw_probe_recording *recording;
        struct fw_probe_result result;
        enum fw_status status = fw_probe_recording_read(&recording, *state, "made up", rows[i].text,
                                                        strlen(rows[i].text), NULL);
        assert_int_equal(status, rows[i].status);
        if (!status)
            fw_probe_profile(&result, *state, recording, "made-up");
        fw_probe_recording_close(recording);
    }
}

/* A device of compute capability 9.0 with the figures given. */
static void set_figures(struct fw_device *device, struct fw_arena *arena, double minor,
                        double l2_bandwidth)
{
    fw_device_set(device, arena, FW_FIGURE_COMPUTE_MAJOR, 9, FW_SOURCE_SPEC, "");
    fw_device_set(device, arena, FW_FIGURE_COMPUTE_MINOR, minor, FW_SOURCE_SPEC, "");
    fw_device_set(device, arena, FW_FIGURE_L2_BANDWIDTH, l2_bandwidth, FW_SOURCE_MEASURED, "");
}

static void a_similar_device_tells_what_the_recording_does_not(void **state)
{
    struct fw_probe_result result = {.device = {.name = "new", .like = ""}};
    struct fw_device like = {.name = "known", .like = ""};
    set_figures(&result.device, *state, 0, 8e12);
    set_figures(&like, *state, 0, 10e12);
    fw_device_set(&like, *state, FW_FIGURE_L2_STORE_BANDWIDTH, 4e12, FW_SOURCE_MEASURED, "stores");
    fw_device_set(&like, *state, FW_FIGURE_WARP_SIZE, 32, FW_SOURCE_SPEC, "");
    fw_device_set(&like, *state, FW_FIGURE_ISSUE_ORDER, FW_ISSUE_ORDER_GREEDY_OLDEST,
                  FW_SOURCE_PAPERS, "theirs");
    *FW_APPEND((struct fw_arena *)*state, &result.missing) =
        (struct fw_probe_missing){FW_FIGURE_WARP_SIZE, "was not measured"};
    *FW_APPEND((struct fw_arena *)*state, &result.missing) =
        (struct fw_probe_missing){FW_FIGURE_LATENCY_L1, "was not measured"};
    assert_true(fw_probe_complete(&result, *state, &like));
    const struct fw_figure_value *figures = result.device.figures;
    assert_string_equal(result.device.like, "known");
    assert_true(figures[FW_FIGURE_L2_BANDWIDTH].value == 8e12); /* its own stays */
    assert_int_equal(figures[FW_FIGURE_L2_BANDWIDTH].source, FW_SOURCE_MEASURED);
    assert_true(figures[FW_FIGURE_L2_STORE_BANDWIDTH].value == 3.2e12); /* goes with it */
    assert_int_equal(figures[FW_FIGURE_L2_STORE_BANDWIDTH].source, FW_SOURCE_SIMILAR);
    assert_string_equal(figures[FW_FIGURE_L2_STORE_BANDWIDTH].note,
                        "as of known, times the ratio of l2_bandwidth: stores");
    assert_true(figures[FW_FIGURE_WARP_SIZE].value == 32);
    assert_int_equal(fw_device_count(&result.device, FW_FIGURE_ISSUE_ORDER, 7),
                     FW_ISSUE_ORDER_GREEDY_OLDEST);
    assert_string_equal(figures[FW_FIGURE_ISSUE_ORDER].note, "as of known: theirs");
    assert_int_equal(result.missing.count, 1);
    assert_int_equal(result.missing.at[0].figure, FW_FIGURE_LATENCY_L1);
}

static void devices_of_other_capabilities_are_not_similar(void **state)
{
    struct fw_probe_result result = {.device = {.name = "new", .like = ""}};
    struct fw_device like = {.name = "known", .like = ""}, none = {.name = "none", .like = ""};
    set_figures(&result.device, *state, 0, 8e12);
    set_figures(&like, *state, 1, 8e12);
    fw_device_set(&like, *state, FW_FIGURE_WARP_SIZE, 32, FW_SOURCE_SPEC, "");
    assert_false(fw_probe_complete(&result, *state, &like));
    assert_false(fw_probe_complete(&result, *state, &none));
    assert_false(result.device.figures[FW_FIGURE_WARP_SIZE].known);
    assert_string_equal(result.device.like, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians_and_spreads),
        cmocka_unit_test(slopes_ignore_overhead_and_outliers),
        cmocka_unit_test(knees_are_found_in_noise),
        cmocka_unit_test(a_ramp_has_no_plateau),
        cmocka_unit_test(groups_are_told_apart_or_not),
        cmocka_unit_test(plans_are_whole),
        cmocka_unit_test(chains_end_in_a_store),
        cmocka_unit_test(figures_come_from_chains),
        cmocka_unit_test(a_clock_that_stands_still_gives_no_figure),
        cmocka_unit_test(damaged_recordings_are_refused),
        cmocka_unit_test(a_similar_device_tells_what_the_recording_does_not),
        cmocka_unit_test(devices_of_other_capabilities_are_not_similar),
    };
    return cmocka_run_group_tests_name("probe", tests, set_up, tear_down);
}
