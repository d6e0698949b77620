/* What is read beside kernels: lists of launches, and Triton's own file. */
#include "launches_reader.h"
#include "triton_launch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char told[256]; /* the last diagnostic: its place and message */

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    (void)user;
    struct fw_position place = fw_span_position(diagnostic->span);
    snprintf(told, sizeof(told), "%s:%u:%u: error: %s [%s]", diagnostic->span.source->name,
             place.line, place.column, diagnostic->message, diagnostic->code);
}

static enum fw_status read_text(struct fw_launch_items *items, struct fw_arena *arena,
                                const char *text)
{
    const struct fw_source source = {"folder/list.json", text, strlen(text)};
    const struct fw_sink sink = {hear, NULL};
    *told = '\0';
    return fw_launches_read(items, arena, &source, "folder/list.json", &sink);
}

static void launches_are_lines_or_one_array(void **state)
{
    static const char *const texts[] = {
        "{\"file\": \"a.cu\", \"kernel\": \"k\", \"grid\": [4, 2], \"block\": 64,"
        " \"arguments\": {\"n\": 7, \"s\": 0.5, \"t\": \"1K\"}, \"defines\": {\"T\": 8}}\n \n"
        "{\"file\": \"/b.ptx\", \"shared\": 48, \"family\": \"f\", \"repeats\": 3}",
        " [{\"file\": \"a.cu\", \"kernel\": \"k\", \"grid\": [4, 2], \"block\": 64,"
        " \"arguments\": {\"n\": 7, \"s\": 0.5, \"t\": \"1K\"}, \"defines\": {\"T\": 8}},\n"
        "{\"file\": \"/b.ptx\", \"shared\": 48, \"family\": \"f\", \"repeats\": 3}]"};
    static const uint32_t lines[2][2] = {{1, 3}, {1, 2}}; /* on which it begins */
    for (size_t t = 0; t < 2; t++) {
        struct fw_launch_items items;
        assert_int_equal(read_text(&items, *state, texts[t]), FW_OK);
        assert_int_equal(items.count, 2);
        const struct fw_launch_item *first = &items.at[0], *second = &items.at[1];
        assert_string_equal(first->file, "folder/a.cu");
        assert_string_equal(first->kernel, "k");
        assert_memory_equal(first->grid, ((uint32_t[]){4, 2, 1}), sizeof(first->grid));
        assert_memory_equal(first->block, ((uint32_t[]){64, 1, 1}), sizeof(first->block));
        assert_int_equal(first->binding_count, 3);
        assert_string_equal(first->bindings[0], "n=7");
        assert_string_equal(first->bindings[1], "s=0.5");
        assert_string_equal(first->bindings[2], "t=1K");
        assert_int_equal(first->define_count, 1);
        assert_string_equal(first->defines[0], "T=8");
        assert_int_equal(first->repeats, 1);
        assert_string_equal(second->file, "/b.ptx");
        assert_null(first->family);
        assert_string_equal(second->family, "f");
        assert_null(second->kernel);
        assert_int_equal(second->grid[0], 0);
        assert_int_equal(second->shared, 48);
        assert_int_equal(second->repeats, 3);
        assert_int_equal(first->line, lines[t][0]);
        assert_int_equal(second->line, lines[t][1]);
    }
}

/* Their files are those of the list's folder. */
static void contents_of_arrays_are_read(void **state)
{
    struct fw_launch_items items;
    assert_int_equal(read_text(&items, *state,
                               "{\"contents\": {\"a\": \"@e.npy\", \"b\": \"u8[7]:file:d/e\","
                               " \"c\": \"u8[7]:file:/e\", \"0\": \"f32[1K]:index\"}}"),
                     FW_OK);
    const struct fw_launch_item *item = &items.at[0];
    assert_int_equal(item->content_count, 4);
    assert_string_equal(item->contents[0], "a=@folder/e.npy");
    assert_string_equal(item->contents[1], "b=u8[7]:file:folder/d/e");
    assert_string_equal(item->contents[2], "c=u8[7]:file:/e");
    assert_string_equal(item->contents[3], "0=f32[1K]:index");
}

/* What a compiler gave: registers, and spills where there are any. */
static void compiled_registers_are_read(void **state)
{
    struct fw_launch_items items;
    assert_int_equal(read_text(&items, *state,
                               "{\"compiled\": {\"registers\": 168}}\n"
                               "{\"compiled\": {\"registers\": 255, \"spills\": 32}}\n{}"),
                     FW_OK);
    assert_int_equal(items.at[0].compiled_registers, 168);
    assert_int_equal(items.at[0].compiled_spill_bytes, 0);
    assert_int_equal(items.at[1].compiled_registers, 255);
    assert_int_equal(items.at[1].compiled_spill_bytes, 32);
    assert_int_equal(items.at[2].compiled_registers, 0);
}

static void what_is_no_launch_is_refused_with_its_place(void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "list.json:1:1: error: there is no launch in it"},
        {"{}\n[7]\n", "list.json:2:1: error: a launch is an object"},
        {"{}\n{\"grid\": [0]}",
         "list.json:2:1: error: \"grid\" is not one to three whole numbers above 0"},
        {"[{},\n {\"name\": \"a\\\"]\"},\n\n {\"shared\": -1}]",
         "list.json:4:1: error: \"shared\" and \"repeats\" are whole numbers"},
        {"{\"defines\": [1]}", "list.json:1:1: error: \"defines\" is not an object"},
        {"{\"compiled\": 168}", "list.json:1:1: error: \"compiled\" is {\"registers\": N}"},
        {"{\"compiled\": {\"spills\": 8}}", "error: \"compiled\" is {"},
        {"{\"compiled\": {\"registers\": 8, \"registres\": 8}}", "error: \"compiled\" is {"},
        {"{\"compiled\": {\"registers\": 0}}", "error: \"registers\" of a thread are"},
        {"{\"compiled\": {\"registers\": 16.5}}", "error: \"registers\" of a thread are"},
        {"{\"compiled\": {\"registers\": 16, \"spills\": -4}}", "error: \"spills\" are"},
        {"{\"kernel\": \"a\", \"kernel\": \"b\"}",
         "list.json:1:24: error: not JSON: duplicate object key"},
        {"{}\n{\"grid\" 1}", "list.json:2:9: error: not JSON: "},
        {"{\"arguments\": {\"n\": null}}",
         "list.json:1:1: error: a value of \"arguments\" is neither"}};
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        struct fw_launch_items items;
        assert_int_equal(read_text(&items, *state, rows[r].text), FW_ERROR_INPUT);
        if (!strstr(told, rows[r].message))
            fail_msg("%s, not %s", told, rows[r].message);
        assert_non_null(strstr(told, "folder/list.json"));
        assert_non_null(strstr(told, "[API040]"));
    }
}

static void tritons_file_tells_the_launch(void **state)
{
    const char *folder = fw_arena_printf(*state, "%s/tests/golden", getenv("FOREWARP_SOURCE"));
    struct fw_triton_launch launch;
    assert_true(fw_triton_read(&launch, *state,
                               fw_arena_printf(*state, "%s/triton/matmul_descriptor.ptx", folder)));
    assert_int_equal(launch.threads, 128);
    assert_string_equal(launch.kernel, "matmul_descriptor");
    assert_int_equal(launch.box_count, 3);
    for (uint32_t b = 0; b < launch.box_count; b++)
        assert_true(launch.box_bytes[b] > 0);
    /* Not beside a .ptx, no file, not Triton's. */
    assert_false(fw_triton_read(&launch, *state,
                                fw_arena_printf(*state, "%s/triton/matmul_descriptor", folder)));
    assert_false(fw_triton_read(&launch, *state, fw_arena_printf(*state, "%s/no.ptx", folder)));
    assert_false(
        fw_triton_read(&launch, *state, fw_arena_printf(*state, "%s/triton/launches.ptx", folder)));
    assert_int_equal(launch.threads, 0);
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
        cmocka_unit_test(launches_are_lines_or_one_array),
        cmocka_unit_test(contents_of_arrays_are_read),
        cmocka_unit_test(compiled_registers_are_read),
        cmocka_unit_test(what_is_no_launch_is_refused_with_its_place),
        cmocka_unit_test(tritons_file_tells_the_launch),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
