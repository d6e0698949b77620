/* Records of measurements: what they say, and lines that are damaged. */
#include "measurements.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct world {
    struct fw_arena *arena;
    struct fw_source source;
    struct fw_measurements measurements;
    unsigned errors;
    char code[8];
    struct fw_position place;
};

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    struct world *world = user;
    world->errors++;
    snprintf(world->code, sizeof(world->code), "%s", diagnostic->code);
    world->place = fw_span_position(diagnostic->span);
}

static int set_up(void **state)
{
    static struct world world;
    memset(&world, 0, sizeof(world));
    world.arena = fw_arena_new(0);
    *state = &world;
    return 0;
}

static int tear_down(void **state)
{
    fw_arena_free(((struct world *)*state)->arena);
    return 0;
}

static enum fw_status read_bytes(struct world *world, const char *text, size_t length)
{
    const struct fw_sink sink = {hear, world};
    world->errors = 0;
    world->source = (struct fw_source){"records", text, length};
    return fw_measurements_read(&world->measurements, world->arena, &world->source, &sink);
}

static enum fw_status read_text(struct world *world, const char *text)
{
    return read_bytes(world, text, strlen(text));
}

static double output_of(const struct world *world, const char *name, const char *output)
{
    const struct fw_measurement *found = fw_measurements_find(&world->measurements, name);
    double value = -1;
    assert_non_null(found);
    assert_true(fw_measurement_output(&value, found, output));
    return value;
}

#define DONE "\"record\": \"measurement\", \"status\": \"done\""
#define ONE                                                                                        \
    "{" DONE ", \"name\": \"one\", \"single\": {\"median_seconds\": 2e-3, "                        \
    "\"net_median_seconds\": 1.5e-3}, \"energy\": {\"watts\": 300, \"joules_per_launch\": 0.5}}\n"

static void outputs_are_what_their_names_say(void **state)
{
    static const struct {
        const char *name;
        double value;
    } outputs[] = {{"f_cl_wall_time", 2e-3},
                   {"f_cl_wall_time_nvidia_geforce", 2e-3},
                   {"f_cuda_wall_time_h200", 2e-3},
                   {"f_time", 2e-3},
                   {"f_seconds", 1.5e-3},
                   {"f_seconds_of_mine", 1.5e-3},
                   {"f_watts", 300},
                   {"f_power_h200", 300},
                   {"f_joules", 0.5},
                   {"f_energy", 0.5}};
    static const char *const none[] = {"f_op", "f_timer", "f_secondss", "f_cl_wall_times",
                                       "f_",   ""};
    struct world *world = *state;
    double value;
    assert_int_equal(read_text(world, ONE), FW_OK);
    for (size_t o = 0; o < sizeof(outputs) / sizeof(*outputs); o++)
        assert_true(output_of(world, "one", outputs[o].name) == outputs[o].value);
    for (size_t o = 0; o < sizeof(none) / sizeof(*none); o++)
        assert_false(fw_measurement_output(
            &value, fw_measurements_find(&world->measurements, "one"), none[o]));
    assert_null(fw_measurements_find(&world->measurements, "on"));
    assert_null(fw_measurements_find(&world->measurements, "one "));
}

/* Other records, blank lines and a last line without an end pass. */
static void setups_name_the_device(void **state)
{
    struct world *world = *state;
    assert_int_equal(read_text(world, "{\"record\": \"setup\", \"device\": \"A, B\"}\n\n \t\r\n"
                                      "{\"record\": \"something\", \"name\": 3}\r\n" ONE "{" DONE
                                      ", \"name\": \"two\"}"),
                     FW_OK);
    assert_string_equal(world->measurements.device, "A, B");
    assert_int_equal(world->measurements.all.count, 2);
    assert_true(isnan(output_of(world, "two", "f_time"))); /* it says nothing of times */
    assert_int_equal(read_text(world, ONE), FW_OK);
    assert_null(world->measurements.device);
}

static void a_later_record_stands_for_an_earlier(void **state)
{
    struct world *world = *state;
    assert_int_equal(
        read_text(world,
                  "{\"record\": \"measurement\", \"status\": \"failed\", \"name\": \"one\"}\n"
                  "{" DONE ", \"name\": \"two\", \"single\": {\"median_seconds\": 1}}\n" ONE
                  "{\"record\": \"measurement\", \"status\": \"failed\", \"name\": \"two\"}\n"),
        FW_OK);
    assert_int_equal(world->measurements.all.count, 2);
    assert_false(fw_measurements_find(&world->measurements, "one")->failed);
    assert_true(output_of(world, "one", "f_time") == 2e-3);
    assert_true(fw_measurements_find(&world->measurements, "two")->failed);
    assert_true(isnan(output_of(world, "two", "f_time")));
}

/* What no status says was not done. */
static void a_record_without_a_status_failed(void **state)
{
    struct world *world = *state;
    assert_int_equal(
        read_text(world, "{\"record\": \"measurement\", \"name\": \"x\", \"single\": "
                         "{\"median_seconds\": 1}}\n{\"record\": \"measurement\", \"name\": \"y\", "
                         "\"status\": 7}\n"),
        FW_OK);
    assert_true(fw_measurements_find(&world->measurements, "x")->failed);
    assert_true(fw_measurements_find(&world->measurements, "y")->failed);
}

static void values_of_other_types_are_not_measured(void **state)
{
    struct world *world = *state;
    assert_int_equal(read_text(world, "{" DONE ", \"name\": \"x\", \"single\": [1], \"energy\": "
                                      "{\"watts\": \"300\", \"joules_per_launch\": null}}\n"),
                     FW_OK);
    assert_true(isnan(output_of(world, "x", "f_time")));
    assert_true(isnan(output_of(world, "x", "f_watts")));
    assert_true(isnan(output_of(world, "x", "f_joules")));
}

static void damaged_lines_are_told_by_their_place(void **state)
{
    static const char *const lines[] = {
        "{",
        "7",
        "[]",
        "\"record\"",
        "{}",
        "{\"record\": 7}",
        "{\"record\": \"measurement\"}",
        "{\"record\": \"measurement\", \"name\": 7}",
        "{" DONE ", \"name\": \"x\"} {}",
        "{" DONE ", \"name\": \"x\", \"name\": \"y\"}",
        "{" DONE ", \"name\": \"\\u0000\"}",
        "{" DONE ", \"name\": \"\xff\"}",
        "{" DONE ", \"name\": \"x\", \"single\": {\"median_seconds\": NaN}}",
        "{" DONE ", \"name\": \"x\", \"single\": {\"median_seconds\": 1e999}}",
        "x",
    };
    struct world *world = *state;
    for (size_t l = 0; l < sizeof(lines) / sizeof(*lines); l++) {
        const char *text = fw_arena_printf(world->arena, ONE "\n%s\n" ONE, lines[l]);
        if (read_text(world, text) != FW_ERROR_INPUT || world->errors != 1 ||
            strcmp(world->code, "CAL001") != 0 || world->place.line != 3)
            fail_msg("%s: %s, line %u", lines[l], world->code, world->place.line);
    }
    static const char zero[] = ONE "{" DONE ", \"name\": \"x\"}\0\n" ONE;
    assert_int_equal(read_bytes(world, zero, sizeof(zero) - 1), FW_ERROR_INPUT);
    assert_int_equal(world->place.line, 2);
}

static void deep_nesting_is_refused(void **state)
{
    enum { DEEP = 100000 };
    struct world *world = *state;
    char *text = fw_arena_alloc(world->arena, DEEP + 1);
    memset(text, '[', DEEP);
    assert_int_equal(read_text(world, text), FW_ERROR_INPUT);
    assert_string_equal(world->code, "CAL001");
}

static void nothing_measured_is_an_error(void **state)
{
    static const char *const texts[] = {"", "\n\n", "{\"record\": \"setup\", \"device\": \"a\"}\n"};
    struct world *world = *state;
    for (size_t t = 0; t < sizeof(texts) / sizeof(*texts); t++) {
        assert_int_equal(read_text(world, texts[t]), FW_ERROR_INPUT);
        assert_string_equal(world->code, "CAL002");
    }
}

int main(void)
{
#define ROW(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        ROW(outputs_are_what_their_names_say),
        ROW(setups_name_the_device),
        ROW(a_later_record_stands_for_an_earlier),
        ROW(a_record_without_a_status_failed),
        ROW(values_of_other_types_are_not_measured),
        ROW(damaged_lines_are_told_by_their_place),
        ROW(deep_nesting_is_refused),
        ROW(nothing_measured_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
