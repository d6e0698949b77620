/* A profiler's counters: both pages of Nsight Compute's CSV, JSON, and what of them is a launch's
 * volumes. */
#include "counters.h"
#include "measured_volumes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD               "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\","
#define LAUNCH(id, kernel) "\"" id "\",\"" kernel "\",\"(32, 1, 1)\",\"(4, 2, 1)\","

static char told[256]; /* the last diagnostic's message */

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    (void)user;
    snprintf(told, sizeof(told), "%s", diagnostic->message);
}

static const struct fw_sink sink = {hear, NULL};

static struct fw_source source_of(const char *text)
{
    return (struct fw_source){"counters.csv", text, strlen(text)};
}

static void expect_counter(const struct fw_counter_value *counter, const char *metric, double value,
                           const char *unit)
{
    assert_string_equal(counter->metric, metric);
    assert_true(fabs(counter->value - value) <= 1e-12 * value);
    assert_string_equal(counter->unit, unit);
}

static void raw_page_has_a_row_for_each_launch(void **state)
{
    struct fw_source source = source_of(
        "==PROF== Connected to process 17\n\"printed by the program\"\n" HEAD
        "\"dram__bytes_read.sum\",\"gpu__time_duration.sum\",\"inst\"\r\n"
        "\"\",\"\",\"\",\"\",\"Kbyte\",\"us\",\"inst\"\n" LAUNCH(
            "0", "a") "\"1,000.5\",\"2\",\"n/a\"\n"
                      "between\n" LAUNCH(
                          "0", "a") "\"7\",\"nan\",\"3\"\n"
                                    "\"2\",\"say \"\"a, b\"\"\"\n==PROF== Disconnected\n");
    struct fw_counter_table table;
    fw_counters_read_csv(&table, *state, &source);
    assert_true(table.has_kernels && table.has_grids && table.has_blocks);
    assert_int_equal(table.launches.count, 3);
    const struct fw_counted_launch *launches = table.launches.at;
    assert_string_equal(launches[0].kernel, "a");
    assert_string_equal(launches[0].grid, "(4, 2, 1)");
    assert_string_equal(launches[0].block, "(32, 1, 1)");
    assert_int_equal(launches[0].counters.count, 3); /* the profiler's number is one */
    expect_counter(&launches[0].counters.at[1], "dram__bytes_read.sum", 1000500, "byte");
    expect_counter(&launches[0].counters.at[2], "gpu__time_duration.sum", 2e-6, "second");
    assert_int_equal(launches[1].number, 1);
    expect_counter(&launches[1].counters.at[1], "dram__bytes_read.sum", 7000, "byte");
    assert_true(isnan(launches[1].counters.at[2].value));
    expect_counter(&launches[1].counters.at[3], "inst", 3, "inst");
    assert_string_equal(launches[2].kernel, "say \"a, b\"");
    assert_null(launches[2].grid);
    assert_int_equal(fw_span_position(launches[2].place).line, 8);
}

static void details_page_has_a_row_for_each_metric(void **state)
{
    struct fw_source source =
        source_of(HEAD "\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n" LAUNCH(
            "0",
            "a") "\"x\",\"Gbyte\",\"2\"\n" LAUNCH("0",
                                                  "a") "\"y\",\"%\",\"50\"\n" LAUNCH("0",
                                                                                     "a") "\"z\","
                                                                                          "\"\","
                                                                                          "\"no "
                                                                                          "number\""
                                                                                          "\n" LAUNCH(
                                                                                              "1",
                                                                                              "a") "\"x\","
                                                                                                   "\"byte"
                                                                                                   "\","
                                                                                                   "\"3\""
                                                                                                   "\n");
    struct fw_counter_table table;
    fw_counters_read_csv(&table, *state, &source);
    assert_int_equal(table.launches.count, 2);
    assert_int_equal(table.launches.at[0].counters.count, 2);
    expect_counter(&table.launches.at[0].counters.at[0], "x", 2e9, "byte");
    expect_counter(&table.launches.at[0].counters.at[1], "y", 50, "%");
    assert_int_equal(table.launches.at[1].counters.count, 1);
    expect_counter(&table.launches.at[1].counters.at[0], "x", 3, "byte");
}

static void tables_may_be_written_without_quotes(void **state)
{
    struct fw_source source = source_of("ID,Kernel Name,Grid Size,Block Size,x__y.sum,last\n"
                                        ",,,,Tbyte,\n"
                                        "0,a,\"(1, 1, 1)\",\"(32, 1, 1)\",5,\n"
                                        "a line, of the program\n");
    struct fw_counter_table table;
    fw_counters_read_csv(&table, *state, &source);
    assert_int_equal(table.launches.count, 1);
    expect_counter(&table.launches.at[0].counters.at[1], "x__y.sum", 5e12, "byte");
}

static void what_is_no_table_is_told_apart_from_what_lacks_columns(void **state)
{
    struct fw_source none = source_of("\"a\",\"b\"\n\"1\",\"2\"\n");
    struct fw_source lacking = source_of("x\n\"ID\",\"Kernel Name\"\n");
    struct fw_counter_table table;
    fw_counters_read_csv(&table, *state, &none);
    assert_int_equal(table.head.length, 0);
    fw_counters_read_csv(&table, *state, &lacking);
    assert_int_equal(fw_span_position(table.head).line, 2);
    assert_true(table.has_kernels && !table.has_grids && !table.has_blocks);
    assert_int_equal(table.launches.count, 0);
}

static void extents_are_read_from_the_profilers_text(void **state)
{
    const uint32_t extents[3] = {4, 2, 1};
    (void)state;
    assert_true(fw_counters_same_extents("(4, 2, 1)", extents));
    assert_true(fw_counters_same_extents("4,2,1", extents));
    assert_true(fw_counters_same_extents(NULL, extents));
    assert_false(fw_counters_same_extents("(4, 1, 2)", extents));
    assert_false(fw_counters_same_extents("(4, 2)", extents));
    assert_false(fw_counters_same_extents("", extents));
}

/* Reads a text for kernel "tile", mangled "_Z4tilePf", of 4 x 2 blocks of 32 threads. */
static enum fw_status volumes_of(struct fw_measured_volumes *volumes, struct fw_arena *arena,
                                 const char *text)
{
    struct fw_source source = source_of(text);
    const struct fw_measured_launch launch = {"tile", "_Z4tilePf", {4, 2, 1}, {32, 1, 1}};
    *told = '\0';
    return fw_measured_volumes_read(volumes, arena, &source, "FILE", &launch, &sink);
}

#define TABLE HEAD "\"dram__bytes_read.sum\"\n\"\",\"\",\"\",\"\",\"byte\"\n"

static void volumes_are_those_of_the_kernel_and_launch(void **state)
{
    struct fw_measured_volumes volumes;
    static const char *const names[] = {"tile", "void ns::tile<2>(float *)", "tile(float *)",
                                        "_Z4tilePf"};
    for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
        const char *text = fw_arena_printf(
            *state,
            TABLE LAUNCH("0", "tiles") "\"1\"\n\"1\",\"%s\",\"(32, 1, 1)\",\"(4, 2, 1)\",\"2\"\n"
                                       "\"2\",\"tile\",\"(64, 1, 1)\",\"(4, 2, 1)\",\"3\"\n",
            names[n]);
        assert_int_equal(volumes_of(&volumes, *state, text), FW_OK);
        assert_true(volumes.at[FW_VOLUME_METRIC_DRAM_READ] == 2);
        assert_true(isnan(volumes.at[FW_VOLUME_METRIC_DRAM_WRITE]));
    }
    assert_int_equal(
        volumes_of(&volumes, *state, TABLE "\"2\",\"tile\",\"(64, 1, 1)\",\"(4, 2, 1)\",\"3\"\n"),
        FW_ERROR_INPUT);
    assert_string_equal(told, "--volumes: the table has the kernel at another launch: "
                              "(4, 2, 1) blocks of (64, 1, 1) threads");
    assert_int_equal(volumes_of(&volumes, *state, TABLE LAUNCH("0", "other") "\"1\"\n"),
                     FW_ERROR_INPUT);
    assert_non_null(
        strstr(told, "no counter in it is one of the model's volumes, for kernel tile"));
}

static void volumes_have_names_of_ours_and_the_profilers(void **state)
{
    struct fw_measured_volumes volumes;
    assert_int_equal(volumes_of(&volumes, *state,
                                " {\"lts__t_sectors_srcunit_tex_op_read\": 10, "
                                "\"dram_write_bytes\": 7, \"l1_to_l2_bytes\": 64, \"x\": \"y\"}"),
                     FW_OK);
    assert_true(volumes.at[FW_VOLUME_METRIC_L2_TO_L1] == 320);
    assert_true(volumes.at[FW_VOLUME_METRIC_L1_TO_L2] == 64);
    assert_true(volumes.at[FW_VOLUME_METRIC_DRAM_WRITE] == 7);
    assert_int_equal(volumes_of(&volumes, *state, "{\"counters\": {\"seconds\": -1}}"),
                     FW_ERROR_INPUT);
    assert_string_equal(told, "--volumes: not a number of 0 or more: seconds");
}

static int start(void **state)
{
    *state = fw_arena_new(0);
    return 0;
}

static int stop(void **state)
{
    fw_arena_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(raw_page_has_a_row_for_each_launch),
        cmocka_unit_test(details_page_has_a_row_for_each_metric),
        cmocka_unit_test(tables_may_be_written_without_quotes),
        cmocka_unit_test(what_is_no_table_is_told_apart_from_what_lacks_columns),
        cmocka_unit_test(extents_are_read_from_the_profilers_text),
        cmocka_unit_test(volumes_are_those_of_the_kernel_and_launch),
        cmocka_unit_test(volumes_have_names_of_ours_and_the_profilers),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
