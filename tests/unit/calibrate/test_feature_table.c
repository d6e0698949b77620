/* Tables of features: launches of a list beside measurements, and what has no row. */
#include "cost_table.h"

#include "forewarp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { LONGEST = 256 };

struct world {
    struct fw_context *context;
    char folder[LONGEST];
    char codes[LONGEST]; /* of all messages: "CAL001 CAL006 " */
    char message[1024];  /* the last */
    unsigned line;
};

static const char *const files[] = {"launches.json", "add.knl",  "add.ptx",
                                    "records",       "one.cost", "wrong.knl"};

static void hear(void *user, const struct fw_message *message)
{
    struct world *world = user;
    size_t at = strlen(world->codes);
    snprintf(world->codes + at, sizeof(world->codes) - at, "%s ", message->code);
    snprintf(world->message, sizeof(world->message), "%s", message->text);
    if (message->line)
        world->line = message->line;
}

static const char *path_of(const struct world *world, const char *name)
{
    static char paths[4][2 * LONGEST];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof(paths[0]), "%s/%s", world->folder, name);
    return path;
}

static void write_file(const struct world *world, const char *name, const char *text)
{
    FILE *file = fopen(path_of(world, name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state)
{
    static struct world world;
    const struct fw_context_options options = {
        .size = sizeof(options), .message = hear, .user = &world};
    memset(&world, 0, sizeof(world));
    snprintf(world.folder, sizeof(world.folder), "/tmp/feature-table-XXXXXX");
    *state = &world;
    if (!mkdtemp(world.folder) || fw_context_new(&world.context, &options))
        return -1;
    write_file(&world, "add.knl",
               "domain [n] -> {[i]: 0 <= i < n}\narray x: f32\ny[i] = x[i] + 1\n"
               "split i 64 outer=block.0 inner=thread.0\n");
    write_file(
        &world, "add.ptx",
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u32 n)\n{\n"
        ".reg .f32 %f<4>;\nmov.f32 %f1, 0f3F800000;\nadd.f32 %f2, %f1, %f1;\nret;\n}\n");
    write_file(&world, "wrong.knl", "domain {\n");
    return 0;
}

static int tear_down(void **state)
{
    struct world *world = *state;
    for (size_t f = 0; f < sizeof(files) / sizeof(*files); f++)
        unlink(path_of(world, files[f]));
    rmdir(world->folder);
    fw_context_free(world->context);
    return 0;
}

/* The table of the folder's launches; `output` NULL: without measurements. */
static enum fw_status make(char **text, struct world *world, const char *const *features,
                           size_t count, const char *output)
{
    char records[2 * LONGEST];
    const char *launches = world->folder;
    snprintf(records, sizeof(records), "%s/records", world->folder);
    const struct fw_feature_table_settings settings = {.size = sizeof(settings),
                                                       .launches = &launches,
                                                       .launch_count = 1,
                                                       .features = features,
                                                       .feature_count = count,
                                                       .output = output,
                                                       .measured = output ? records : NULL};
    world->codes[0] = '\0';
    world->line = 0;
    return fw_context_feature_table(text, world->context, &settings);
}

static void expect_table(struct world *world, const char *const *features, size_t count,
                         const char *output, const char *wanted, const char *codes)
{
    char *text;
    enum fw_status status = make(&text, world, features, count, output);
    if (status)
        fail_msg("%s%s", world->codes, world->message);
    assert_string_equal(text, wanted);
    assert_string_equal(world->codes, codes);
    fw_text_free(text);
}

static void expect_error(struct world *world, const char *output, const char *codes)
{
    static const char *const features[] = {"f_op_float32_add"};
    char *text;
    assert_int_not_equal(make(&text, world, features, 1, output), FW_OK);
    assert_null(text);
    assert_string_equal(world->codes, codes);
}

#define RECORD(name, seconds)                                                                      \
    "{\"record\": \"measurement\", \"status\": \"done\", \"name\": " name                          \
    ", \"single\": {\"median_seconds\": " seconds "}}\n"
#define FAILED(name)    "{\"record\": \"measurement\", \"status\": \"failed\", \"name\": " name "}\n"
#define LAUNCH(name, n) "{\"name\": " name ", \"knl\": \"add.knl\", \"arguments\": {\"n\": " n "}}"

static const char *const two[] = {"f_op_float32_add", "f_mem_access_lstrides:{0:1,1:0}_load"};

static void a_row_is_a_launch(void **state)
{
    write_file(
        *state, "launches.json",
        "[" LAUNCH("\"small\"", "64") ",\n" LAUNCH(
            "\"large\"",
            "6400") ",\n"
                    "{\"file\": \"add.ptx\", \"kernel\": \"k\", \"grid\": [10], \"block\": 64, "
                    "\"size\": \"s\"}]\n");
    expect_table(*state, two, 2, NULL,
                 "kernel,f_op_float32_add,\"f_mem_access_lstrides:{0:1,1:0}_load\"\n"
                 "small,2,64\nlarge,200,6400\nadd k s,20,0\n",
                 "");
}

/* A feature that is measured stands among those that are counted, where it was measured. */
static void measured_features_are_taken_from_measurements(void **state)
{
    static const char *const three[] = {"f_op_float32_add", "f_cuda_wall_time",
                                        "f_sync_kernel_launch"};
    write_file(*state, "launches.json", "[" LAUNCH("\"a\"", "64") "," LAUNCH("\"b\"", "128") "]");
    write_file(*state, "records", RECORD("\"b\"", "0.25") RECORD("\"a\"", "0.5"));
    expect_table(
        *state, three, 3, "f_time",
        "kernel,f_op_float32_add,f_cuda_wall_time,f_sync_kernel_launch,f_time\na,2,0.5,1,0.5\n"
        "b,4,0.25,1,0.25\n",
        "");
    char *text;
    static const char *const watts[] = {"f_watts"};
    assert_int_not_equal(make(&text, *state, watts, 1, "f_time"), FW_OK);
    assert_string_equal(((struct world *)*state)->codes, "FEAT002 CAL006 ");
}

/* Seconds have all their digits. */
static void measurements_stand_beside(void **state)
{
    write_file(
        *state, "launches.json",
        "[" LAUNCH("\"c\"", "64") "," LAUNCH("\"a\"", "64") "," LAUNCH("\"b\"", "128") "," LAUNCH(
            "\"none\"", "192") "," LAUNCH("\"failed\"", "256") "]");
    write_file(*state, "records",
               "{\"record\": \"setup\", \"device\": \"my\\nkernel, 1\"}\n" RECORD("\"b\"", "0.2")
                   RECORD("\"a\"", "9") FAILED("\"failed\"") RECORD("\"c\"", "1e-300")
                       RECORD("\"a\"", "0.1") RECORD("\"other\"", "1"));
    expect_table(*state, two, 1, "f_time",
                 "# device: my\nkernel,f_op_float32_add,f_time\nc,2,1e-300\n"
                 "a,2,0.10000000000000001\nb,4,0.20000000000000001\n",
                 "CAL007 ");
    assert_non_null(strstr(((struct world *)*state)->message,
                           "2 of 5 launches are left out: 1 were not measured, 1 failed"));
    write_file(*state, "records", RECORD("\"other\"", "1") FAILED("\"failed\""));
    expect_error(*state, "f_time", "CAL004 ");
    write_file(*state, "records", RECORD("\"c\"", "1"));
    expect_error(*state, "f_watts", "CAL004 "); /* its power was not measured */
}

static void names_stay_whole_in_csv(void **state)
{
    static const char *const names[] = {"#1", "a, \"b\"", "line\nline", "back\rback", "plain"};
    struct fw_cost_table *table;
    struct fw_arena *arena = fw_arena_new(0);
    char *text;
    write_file(*state, "launches.json",
               "[" LAUNCH("\"#1\"", "64") "," LAUNCH("\"a, \\\"b\\\"\"", "64") "," LAUNCH(
                   "\"line\\nline\"", "64") "," LAUNCH("\"back\\rback\"",
                                                       "64") "," LAUNCH("\"plain\"", "64") "]");
    assert_int_equal(make(&text, *state, two, 2, NULL), FW_OK);
    const struct fw_source source = {"table", text, strlen(text)};
    assert_int_equal(fw_cost_table_read(&table, arena, &source, NULL), FW_OK);
    assert_int_equal(table->row_count, 5);
    for (size_t r = 0; r < 5; r++)
        assert_string_equal(table->rows[r], names[r]);
    /* Columns are found by the identifier as models write it. */
    assert_int_not_equal(fw_cost_table_column(table, "f_mem_access_lstrides:{0:1;1:0}_load"),
                         SIZE_MAX);
    fw_text_free(text);
    fw_arena_free(arena);
}

static void faults_are_told(void **state)
{
    struct world *world = *state;
    write_file(world, "launches.json", "[" LAUNCH("\"a\"", "64") "]");
    write_file(world, "records", RECORD("\"a\"", "1"));
    expect_error(world, "f_timer", "CAL003 ");
    expect_error(world, "f_op", "CAL003 ");
    write_file(world, "records", RECORD("\"a\"", "1") "damage\n");
    expect_error(world, "f_time", "CAL001 ");
    assert_int_equal(world->line, 2);
    write_file(world, "records", "");
    expect_error(world, "f_time", "CAL002 ");
    unlink(path_of(world, "records"));
    expect_error(world, "f_time", "API002 ");
    write_file(world, "launches.json", "[{\"name\": \"a\", \"grid\": 1, \"block\": 1}]");
    expect_error(world, NULL, "CAL005 CAL006 ");
    write_file(world, "launches.json",
               "[" LAUNCH("\"a\"", "64") ",{\"name\": \"b\", \"knl\": \"wrong.knl\"}]");
    expect_error(world, NULL, "KNL002 CAL006 ");
    assert_non_null(strstr(world->message, "no features of b"));
    write_file(world, "launches.json", "[" LAUNCH("\"a\"", "64") ",{\"knl\": \"add.knl\"}]");
    expect_error(world, NULL, "API013 CAL006 "); /* n has no value */
    write_file(world, "launches.json", "[]");
    expect_error(world, NULL, "API040 "); /* an empty list */
}

static void features_of_a_model_are_columns(void **state)
{
    struct world *world = *state;
    char *text, cost[2 * LONGEST], records[2 * LONGEST];
    const char *launches[2] = {world->folder, world->folder};
    write_file(world, "launches.json", "[" LAUNCH("\"a\"", "64") "]");
    write_file(world, "records", RECORD("\"a\"", "0.5"));
    write_file(
        world, "one.cost",
        "output f_cl_wall_time_mine\ncost = p_a * f_op_float32_add + p_b * f_thread_groups\n");
    snprintf(cost, sizeof(cost), "%s/one.cost", world->folder);
    snprintf(records, sizeof(records), "%s/records", world->folder);
    struct fw_feature_table_settings settings = {.size = sizeof(settings),
                                                 .launches = launches,
                                                 .launch_count = 1,
                                                 .cost = cost,
                                                 .measured = records};
    assert_int_equal(fw_context_feature_table(&text, world->context, &settings), FW_OK);
    assert_string_equal(text, "kernel,f_op_float32_add,f_thread_groups,f_cl_wall_time_mine\n"
                              "a,2,1,0.5\n");
    fw_text_free(text);
    settings.measured = NULL; /* features alone */
    assert_int_equal(fw_context_feature_table(&text, world->context, &settings), FW_OK);
    assert_string_equal(text, "kernel,f_op_float32_add,f_thread_groups\na,2,1\n");
    fw_text_free(text);
}

int main(void)
{
#define ROW(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        ROW(a_row_is_a_launch),
        ROW(measurements_stand_beside),
        ROW(measured_features_are_taken_from_measurements),
        ROW(names_stay_whole_in_csv),
        ROW(faults_are_told),
        ROW(features_of_a_model_are_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
