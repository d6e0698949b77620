/* What src/device promises: profiles are read strictly, the shipped ones are sound, occupancy
 * agrees with the vendor's answers in tests/golden/occupancy.txt. */
#include "device.h"
#include "occupancy.h"
#include "random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../occupancy_devices.h"

/* The last diagnostics, for looking at. */
struct heard {
    char codes[16][8];
    char messages[16][256];
    char notes[256];
    struct fw_position places[16];
    size_t count;
};

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    struct heard *heard = user;
    if (heard->count == 16)
        return;
    snprintf(heard->codes[heard->count], 8, "%s", diagnostic->code);
    snprintf(heard->messages[heard->count], 256, "%s", diagnostic->message);
    if (diagnostic->note_count)
        snprintf(heard->notes, sizeof(heard->notes), "%s", diagnostic->notes[0]);
    heard->places[heard->count] = fw_span_position(diagnostic->span);
    heard->count++;
}

static const char *in_tree(struct fw_arena *arena, const char *path)
{
    const char *root = getenv("FOREWARP_SOURCE");
    return fw_arena_printf(arena, "%s/%s", root ? root : ".", path);
}

static struct fw_device *shipped(struct fw_arena *arena, const char *name)
{
    const char *folder = in_tree(arena, "profiles");
    struct heard heard = {0};
    struct fw_sink sink = {hear, &heard};
    struct fw_device *device;
    assert_int_equal(fw_device_find(&device, arena, name, &folder, 1, &sink), FW_OK);
    assert_int_equal(heard.count, 0);
    return device;
}

static void shipped_profiles_are_sound(void **state)
{
    (void)state;
    static const char *const names[] = {"a100", "h100", "h200", "v100"};
    struct fw_arena *arena = fw_arena_new(0);
    const char *folders[] = {"/nonexistent", in_tree(arena, "profiles")};
    struct fw_device_list list;
    fw_device_list(&list, arena, folders, 2);
    assert_int_equal(list.entries.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(list.entries.at[i].name, names[i]);
        const struct fw_device *device = shipped(arena, names[i]);
        assert_string_equal(device->name, names[i]);
        for (size_t f = 0; f < FW_FIGURE_COUNT; f++) {
            const struct fw_figure_value *value = &device->figures[f];
            bool probed = strcmp(names[i], "h200") == 0 || strcmp(names[i], "h100") == 0;
            if (!probed && value->known)
                assert_true(value->source != FW_SOURCE_MEASURED);
            if (value->known && value->source == FW_SOURCE_SIMILAR)
                assert_string_equal(device->like, "h200");
        }
        struct fw_occupancy occupancy;
        struct fw_block_needs needs = {.threads = 256, .registers = 32, .carve_out = -1};
        assert_int_equal(fw_occupancy(&occupancy, device, &needs, NULL), FW_OK);
        assert_int_equal(occupancy.blocks, 8);
    }
    fw_arena_free(arena);
}

static void shipped_profiles_have_the_limits_of_their_capability(void **state)
{
    (void)state;
    static const char *const names[] = {"v100", "a100", "h100", "h200"};
    static const size_t rows[] = {0, 2, 5, 5};
    struct fw_arena *arena = fw_arena_new(0);
    for (size_t i = 0; i < 4; i++) {
        const struct fw_device *device = shipped(arena, names[i]);
        const struct fw_device *rule = capability_device(arena, &capabilities[rows[i]], 1);
        assert_non_null(rule);
        for (size_t f = 0; f < FW_FIGURE_COUNT; f++) {
            const struct fw_figure_value *want = &rule->figures[f], *have = &device->figures[f];
            if (!want->known || f == FW_FIGURE_MULTIPROCESSORS)
                continue;
            assert_true(have->known);
            assert_true(have->value == want->value && have->count == want->count);
            for (size_t k = 0; k < want->count; k++)
                assert_true(have->list[k] == want->list[k]);
        }
    }
    fw_arena_free(arena);
}

static void figures_are_there_or_not(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_device *h200 = shipped(arena, "h200");
    const struct fw_device *v100 = shipped(arena, "v100"); /* has no bf16 */
    double value;
    assert_true(fw_device_figure(h200, FW_FIGURE_DRAM_BANDWIDTH, &value));
    assert_true(value == 4.8e12);
    assert_false(fw_device_figure(v100, FW_FIGURE_TENSOR_BF16, &value));
    assert_true(isnan(value));
    assert_false(fw_device_figure(h200, FW_FIGURE_SHARED_CARVE_OUTS, NULL));
    assert_int_equal(fw_device_count(h200, FW_FIGURE_L2_BYTES, 7), 60 << 20);
    assert_int_equal(fw_device_count(v100, FW_FIGURE_TENSOR_BF16, 7), 7);
    assert_true(h200->figures[FW_FIGURE_LATENCY_L2].low <
                h200->figures[FW_FIGURE_LATENCY_L2].value);
    assert_true(fw_device_set(h200, arena, FW_FIGURE_SM_CLOCK, 1.5e9, FW_SOURCE_MEASURED, "here"));
    assert_true(fw_device_figure(h200, FW_FIGURE_SM_CLOCK, &value) && value == 1.5e9);
    assert_false(fw_device_set(h200, arena, FW_FIGURE_SM_CLOCK, 1, FW_SOURCE_MEASURED, ""));
    assert_false(fw_device_set(h200, arena, FW_FIGURE_SM_CLOCK, (double)NAN, FW_SOURCE_SPEC, ""));
    assert_false(fw_device_set(h200, arena, FW_FIGURE_WARP_SIZE, 1.5, FW_SOURCE_SPEC, ""));
    assert_false(fw_device_set(h200, arena, FW_FIGURE_EMPTY_KERNEL, 1, FW_SOURCE_SPEC, ""));
    fw_arena_free(arena);
}

#define NAMED(value)                                                                               \
    "{\"forewarp_profile\": 1, \"name\": \"x\", \"figures\": {\"issue_order\": {\"value\": "       \
    "\"" value "\", \"unit\": \"name\", \"source\": \"papers\"}}}"

/* A figure that is a name is its number; one that no profile states is the default. */
static void names_are_read_and_printed(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0);
    static const char *const texts[] = {NAMED("greedy_youngest"), NAMED("greedy_oldest"),
                                        NAMED("loose_round_robin")};
    for (unsigned n = 0; n < FW_ISSUE_ORDER_COUNT; n++) {
        struct fw_device *device, *again;
        struct fw_buffer printed = fw_buffer_new(arena);
        const struct fw_sink silent = {NULL, NULL};
        assert_int_equal(fw_device_parse(&device, arena, "-", texts[n], strlen(texts[n]), &silent),
                         FW_OK);
        assert_int_equal(fw_device_count(device, FW_FIGURE_ISSUE_ORDER, 7), n);
        fw_device_print(device, &printed);
        assert_non_null(strstr(printed.text, fw_figure_name(FW_FIGURE_ISSUE_ORDER, n)));
        assert_int_equal(fw_device_parse(&again, arena, "-", printed.text, printed.length, &silent),
                         FW_OK);
        assert_int_equal(fw_device_count(again, FW_FIGURE_ISSUE_ORDER, 7), n);
        assert_false(fw_device_set(again, arena, FW_FIGURE_ISSUE_ORDER, FW_ISSUE_ORDER_COUNT,
                                   FW_SOURCE_STATED, ""));
        assert_false(fw_device_set(again, arena, FW_FIGURE_ISSUE_ORDER, 0.5, FW_SOURCE_STATED, ""));
    }
    assert_null(fw_figure_name(FW_FIGURE_ISSUE_ORDER, FW_ISSUE_ORDER_COUNT));
    assert_null(fw_figure_name(FW_FIGURE_WARP_SIZE, 0));
    assert_int_equal(fw_device_count(shipped(arena, "h200"), FW_FIGURE_ISSUE_ORDER, 7),
                     FW_ISSUE_ORDER_GREEDY_OLDEST);
    fw_arena_free(arena);
}

static void curves_are_level_then_linear_then_proportional(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0);
    const struct fw_device *h200 = shipped(arena, "h200");
    static const double points[][2] = {{1, 3.7e-6},      {16, 3.7e-6},         {2056, 4.7e-6},
                                       {65536, 42.7e-6}, {2097152, 1269.4e-6}, {4096, 5.7e-6}};
    for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++) {
        double value;
        assert_true(fw_device_curve(h200, FW_FIGURE_EMPTY_KERNEL, points[i][0], &value));
        assert_true(fabs(value - points[i][1]) < 1e-12);
    }
    assert_false(fw_device_curve(shipped(arena, "v100"), FW_FIGURE_EMPTY_KERNEL, 1, &(double){0}));
    fw_arena_free(arena);
}

static void printing_and_reading_is_the_identity(void **state)
{
    (void)state;
    static const char *const names[] = {"a100", "h100", "h200", "v100"};
    struct fw_arena *arena = fw_arena_new(0);
    for (size_t i = 0; i < 4; i++) {
        struct fw_buffer once = fw_buffer_new(arena), twice = fw_buffer_new(arena);
        struct fw_device *device = shipped(arena, names[i]), *again;
        fw_device_print(device, &once);
        assert_int_equal(fw_device_parse(&again, arena, "x", once.text, once.length, NULL), FW_OK);
        fw_device_print(again, &twice);
        assert_string_equal(once.text, twice.text);
        /* The shipped files are in this form, too. */
        FILE *file = fopen(device->path, "r");
        char *text = fw_arena_alloc(arena, 1 << 16);
        size_t length = fread(text, 1, (1 << 16) - 1, file);
        fclose(file);
        assert_int_equal(length, once.length);
        assert_string_equal(text, once.text);
    }
    fw_arena_free(arena);
}

#define FIGURES(text) "{\"forewarp_profile\": 1, \"name\": \"x\", \"figures\": {" text "}}"

/* One text that is refused (or warned about): its code, its place, and a part of its message. */
static const struct {
    const char *text;
    const char *code;
    uint32_t line, column;
    const char *part;
    const char *note; /* NULL: not looked at */
} faults[] = {
    {"", "DEV002", 1, 1, "not JSON", NULL},
    {"{\n  \"name\": }", "DEV002", 2, 11, "line 2", NULL},
    {"[]", "DEV004", 1, 1, "a JSON object", NULL},
    {"{}", "DEV003", 1, 1, "forewarp_profile", NULL},
    {"{\"forewarp_profile\": 2}", "DEV003", 1, 2, "not 1", NULL},
    {"{\"forewarp_profile\": 1, \"figures\": {}}", "DEV003", 1, 1, "lacks \"name\"", NULL},
    {"{\"forewarp_profile\": 1, \"name\": \"x\"}", "DEV003", 1, 1, "figures", NULL},
    {"{\"forewarp_profile\": 1, \"name\": \"../x\", \"figures\": {}}", "DEV006", 1, 25, "name",
     NULL},
    {"{\"forewarp_profile\": 1, \"name\": \"x\", \"about\": \"\\u001b[2J\", \"figures\": {}}",
     "DEV011", 1, 38, "control", NULL},
    {"{\"forewarp_profile\": 1, \"name\": \"x\", \"name\": \"y\", \"figures\": {}}", "DEV002", 1,
     43, "duplicate", NULL},
    {"{\"forewarp_profile\": 1, \"name\": \"x\", \"like\": \"../x\", \"figures\": {}}", "DEV006", 1,
     38, "name", NULL},
    {FIGURES("\"warp_size\": 32"), "DEV004", 1, 50, ".figures.warp_size", NULL},
    {FIGURES("\n\"warp_size\": {\"value\": \"32\", \"unit\": \"threads\", \"source\": \"spec\"}"),
     "DEV004", 2, 15, "not a number", NULL},
    {FIGURES("\"warp_size\": {\"value\": 32, \"unit\": \"bytes\", \"source\": \"spec\"}"), "DEV005",
     1, 77, "not \"threads\"", NULL},
    {FIGURES("\"warp_size\": {\"value\": 32, \"source\": \"spec\"}"), "DEV003", 1, 50, "unit",
     NULL},
    {FIGURES("\"warp_size\": {\"value\": 32, \"unit\": \"threads\"}"), "DEV003", 1, 50, "source",
     NULL},
    {FIGURES("\"warp_size\": {\"value\": 32, \"unit\": \"threads\", \"source\": \"guess\"}"),
     "DEV007", 1, 96, "guess", NULL},
    {FIGURES("\"warp_size\": {\"unit\": \"threads\", \"source\": \"spec\"}"), "DEV003", 1, 50,
     "value", NULL},
    {FIGURES("\"warp_size\": {\"value\": 0, \"unit\": \"threads\", \"source\": \"spec\"}"),
     "DEV006", 1, 64, "outside", NULL},
    {FIGURES("\"warp_size\": {\"value\": 1.5, \"unit\": \"threads\", \"source\": \"spec\"}"),
     "DEV006", 1, 64, "whole", NULL},
    {FIGURES("\"warp_size\": {\"value\": 1e400, \"unit\": \"threads\", \"source\": \"spec\"}"),
     "DEV002", 1, 77, "overflow", NULL},
    {FIGURES("\"warp_size\": {\"value\": 32, \"low\": 33, \"unit\": \"threads\", \"source\": "
             "\"spec\"}"),
     "DEV006", 1, 50, "between", NULL},
    {FIGURES("\"shared_carve_outs\": {\"value\": [8, 0], \"unit\": \"bytes\", \"source\": "
             "\"spec\"}"),
     "DEV006", 1, 72, "ascend", NULL},
    {FIGURES("\"shared_carve_outs\": {\"value\": [], \"unit\": \"bytes\", \"source\": \"spec\"}"),
     "DEV006", 1, 72, "elements", NULL},
    {FIGURES("\"shared_carve_outs\": {\"value\": 8, \"unit\": \"bytes\", \"source\": \"spec\"}"),
     "DEV004", 1, 72, "not a list", NULL},
    {FIGURES("\"empty_kernel\": {\"value\": [[1,2],[3]], \"unit\": \"seconds\", \"source\": "
             "\"spec\"}"),
     "DEV004", 1, 67, "pairs", NULL},
    {FIGURES("\"sector_bytes\": {\"value\": 64, \"unit\": \"bytes\", \"source\": \"spec\"}, "
             "\"line_bytes\": {\"value\": 32, \"unit\": \"bytes\", \"source\": \"spec\"}"),
     "DEV010", 1, 67, "line_bytes", NULL},
    {FIGURES("\"issue_order\": {\"value\": \"fifo\", \"unit\": \"name\", \"source\": \"spec\"}"),
     "DEV006", 1, 66, "not one of greedy_youngest, greedy_oldest, loose_round_robin", NULL},
    {FIGURES("\"issue_order\": {\"value\": 1, \"unit\": \"name\", \"source\": \"spec\"}"), "DEV004",
     1, 66, "not a text", NULL},
    {FIGURES("\"issue_order\": {\"value\": [\"greedy_oldest\"], \"unit\": \"name\", \"source\": "
             "\"spec\"}"),
     "DEV004", 1, 66, "not a text", NULL},
    {FIGURES("\"issue_order\": {\"value\": \"\\u001b[31m\", \"unit\": \"name\", \"source\": "
             "\"spec\"}"),
     "DEV006", 1, 66, "\"?\"", NULL},
    {FIGURES("\"issue_order\": {\"value\": \"greedy_oldest\", \"low\": 0, \"unit\": \"name\", "
             "\"source\": \"spec\"}"),
     "DEV008", 1, 92, "not known", NULL},
    {FIGURES("\"warp_sise\": {\"value\": 32}"), "DEV008", 1, 50, "not known",
     "did you mean \"warp_size\"?"},
    {FIGURES("\"warp_size\": {\"value\": 32, \"note\": 7, \"unit\": \"threads\", \"source\": "
             "\"spec\"}"),
     "DEV004", 1, 77, "note", NULL},
};

static void faults_are_named_with_their_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct heard heard = {0};
        struct fw_sink sink = {hear, &heard};
        struct fw_device *device;
        enum fw_status status = fw_device_parse(&device, arena, "profile.json", faults[i].text,
                                                strlen(faults[i].text), &sink);
        bool warning = strcmp(faults[i].code, "DEV008") == 0;
        if (heard.count == 0 || strcmp(heard.codes[0], faults[i].code) != 0 ||
            !strstr(heard.messages[0], faults[i].part) || heard.places[0].line != faults[i].line ||
            heard.places[0].column != faults[i].column)
            fail_msg("%s\nwas told %s at %u:%u: %s", faults[i].text, heard.codes[0],
                     heard.places[0].line, heard.places[0].column, heard.messages[0]);
        assert_int_equal(status, warning ? FW_OK : FW_ERROR_INPUT);
        assert_true((device != NULL) == warning);
        if (faults[i].note)
            assert_string_equal(heard.notes, faults[i].note);
        fw_arena_free(arena);
    }
}

/* Every prefix of a profile, and profiles with random bytes changed, are read or refused. */
static void damaged_profiles_are_survived(void **state)
{
    (void)state;
    struct fw_random random = {42};
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_buffer text = fw_buffer_new(arena);
    fw_device_print(shipped(arena, "h200"), &text);
    printf("seed 42\n");
    for (size_t round = 0; round < 400; round++) {
        struct fw_arena *scratch = fw_arena_new(1 << 20);
        char *copy = fw_arena_copy(scratch, text.text, text.length);
        size_t length =
            round % 2 ? text.length : (size_t)fw_random_between(&random, 0, (int64_t)text.length);
        for (int64_t changes = fw_random_between(&random, 1, 5); changes > 0; changes--)
            copy[fw_random_between(&random, 0, (int64_t)text.length - 1)] =
                (char)fw_random_next(&random);
        struct fw_device *device;
        enum fw_status status = fw_device_parse(&device, scratch, "x", copy, length, NULL);
        assert_true(status == FW_OK ? device != NULL : device == NULL);
        fw_arena_free(scratch);
    }
    fw_arena_free(arena);
}

static void a_full_arena_is_an_answer(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0), *small = fw_arena_new(60000);
    struct fw_buffer text = fw_buffer_new(arena);
    struct fw_device *device;
    fw_device_print(shipped(arena, "h200"), &text);
    enum fw_status status = FW_OK;
    for (int i = 0; i < 10 && status == FW_OK; i++)
        status = fw_device_parse(&device, small, "x", text.text, text.length, NULL);
    assert_int_equal(status, FW_ERROR_MEMORY);
    assert_null(device);
    fw_arena_free(small);
    fw_arena_free(arena);
}

static void unknown_devices_are_told_with_those_there(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0);
    const char *folder = in_tree(arena, "profiles");
    struct heard heard = {0};
    struct fw_sink sink = {hear, &heard};
    struct fw_device *device;
    assert_int_equal(fw_device_find(&device, arena, "h2000", &folder, 1, &sink), FW_ERROR_USAGE);
    assert_string_equal(heard.codes[0], "DEV009");
    assert_string_equal(heard.notes, "there are a100, h100, h200, v100");
    assert_int_equal(fw_device_find(&device, arena, "./no.json", &folder, 1, &sink),
                     FW_ERROR_MACHINE);
    assert_string_equal(heard.codes[1], "DEV001");
    assert_int_equal(fw_device_find(&device, arena, "/", &folder, 1, &sink), FW_ERROR_MACHINE);
    assert_int_equal(
        fw_device_find(&device, arena, in_tree(arena, "profiles/v100.json"), NULL, 0, &sink),
        FW_OK);
    fw_arena_free(arena);
}

static void occupancy_agrees_with_the_vendors_table(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0);
    const struct fw_device *devices[CAPABILITIES];
    for (size_t i = 0; i < CAPABILITIES; i++)
        devices[i] = capability_device(arena, &capabilities[i], 1);
    FILE *file = fopen(in_tree(arena, "tests/golden/occupancy.txt"), "r");
    assert_non_null(file);
    char line[256];
    int rows = 0;
    while (fgets(line, sizeof(line), file)) {
        struct fw_block_needs needs = {0};
        struct fw_occupancy occupancy;
        unsigned long long fixed, dynamic;
        int major, minor, no_opt_in;
        unsigned blocks, limits;
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line, "%d %d %u %u %llu %llu %u %d %d %u %u", &major, &minor,
                                &needs.threads, &needs.registers, &fixed, &dynamic, &needs.barriers,
                                &needs.carve_out, &no_opt_in, &blocks, &limits),
                         11);
        needs.shared_static = fixed;
        needs.shared_dynamic = dynamic;
        needs.no_opt_in = no_opt_in;
        size_t i = 0;
        while (capabilities[i].major != major || capabilities[i].minor != minor)
            i++;
        assert_int_equal(fw_occupancy(&occupancy, devices[i], &needs, NULL), FW_OK);
        if (occupancy.blocks != blocks || occupancy.limits != limits)
            fail_msg("%u blocks, limits %u for: %s", occupancy.blocks, occupancy.limits, line);
        rows++;
    }
    fclose(file);
    assert_int_equal(rows, 25 * CAPABILITIES);
    fw_arena_free(arena);
}

static void occupancy_says_what_it_took(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0);
    const struct fw_device *h200 = shipped(arena, "h200");
    struct fw_occupancy occupancy;
    /* 96 threads are 3 warps; 40 registers are 1280 a warp: 12 warps a sub-partition, 48 in all. */
    struct fw_block_needs needs = {
        .threads = 96, .registers = 40, .shared_static = 5000, .carve_out = -1};
    assert_int_equal(fw_occupancy(&occupancy, h200, &needs, NULL), FW_OK);
    assert_int_equal(occupancy.blocks, 16);
    assert_int_equal(occupancy.warps, 48);
    assert_true(occupancy.share == 0.75);
    assert_int_equal(occupancy.limit, FW_LIMIT_REGISTERS);
    assert_string_equal(fw_limit_text(occupancy.limit), "registers");
    assert_int_equal(occupancy.block_registers, 3 * 1280);
    assert_int_equal(occupancy.block_shared, 6144);          /* 5000 + 1024, in units of 128 */
    assert_int_equal(occupancy.carve_out_bytes, 132 * 1024); /* 192 KiB for twice the blocks */
    needs.carve_out = 70;                                    /* of 228 KiB: 159.6, so 164 */
    assert_int_equal(fw_occupancy(&occupancy, h200, &needs, NULL), FW_OK);
    assert_int_equal(occupancy.carve_out_bytes, 164 * 1024);
    fw_arena_free(arena);
}

/* What the driver carved out for kernels on an H200.  It gave one of them, whose blocks have 64
 * bytes, half of what the rule says. */
static void carve_outs_are_those_of_the_driver(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0);
    const struct fw_device *h200 = shipped(arena, "h200");
    FILE *file = fopen(in_tree(arena, "data/h200/carveout/configurations.txt"), "r");
    assert_non_null(file);
    char line[256], kernel[64];
    unsigned rows = 0, others = 0;
    while (fgets(line, sizeof(line), file)) {
        struct fw_block_needs needs = {.carve_out = -1};
        struct fw_occupancy occupancy;
        unsigned long long fixed, dynamic, carved;
        unsigned limits[4];
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line, "%63s %u %*u %u %llu %llu %llu %u %u %u %u", kernel,
                                &needs.threads, &needs.registers, &fixed, &dynamic, &carved,
                                &limits[0], &limits[1], &limits[2], &limits[3]),
                         10);
        needs.shared_static = fixed;
        needs.shared_dynamic = dynamic;
        assert_int_equal(fw_occupancy(&occupancy, h200, &needs, NULL), FW_OK);
        assert_int_equal(occupancy.allowed[FW_LIMIT_REGISTERS], limits[1]);
        rows++;
        if (occupancy.carve_out_bytes == carved)
            continue;
        others++;
        if (strcmp(kernel, "checksum") != 0)
            fail_msg("%llu bytes for: %s", (unsigned long long)occupancy.carve_out_bytes, line);
    }
    fclose(file);
    assert_int_equal(rows, 373);
    assert_int_equal(others, 1);
    fw_arena_free(arena);
}

static void hostile_needs_neither_wrap_nor_divide_by_zero(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0);
    const struct fw_device *h200 = shipped(arena, "h200");
    struct fw_occupancy occupancy;
    static const struct fw_block_needs huge[] = {
        {.threads = UINT32_MAX, .registers = UINT32_MAX, .carve_out = -1},
        {.threads = 1, .shared_static = UINT64_MAX, .shared_dynamic = 2, .carve_out = -1},
        {.threads = 1, .shared_static = 229 << 10, .carve_out = 100},
        {.threads = 1, .barriers = UINT32_MAX, .carve_out = 0}};
    for (size_t i = 0; i < sizeof(huge) / sizeof(huge[0]); i++) {
        assert_int_equal(fw_occupancy(&occupancy, h200, &huge[i], NULL), FW_OK);
        assert_int_equal(occupancy.blocks, 0);
    }
    struct heard heard = {0};
    struct fw_sink sink = {hear, &heard};
    struct fw_block_needs none = {.threads = 0};
    assert_int_equal(fw_occupancy(&occupancy, h200, &none, &sink), FW_ERROR_USAGE);
    none = (struct fw_block_needs){.threads = 1, .carve_out = 101};
    assert_int_equal(fw_occupancy(&occupancy, h200, &none, &sink), FW_ERROR_USAGE);
    static const struct fw_device empty = {.name = "empty"};
    none.carve_out = -1;
    assert_int_equal(fw_occupancy(&occupancy, &empty, &none, &sink), FW_ERROR_INPUT);
    assert_string_equal(heard.codes[2], "DEV012");
    fw_arena_free(arena);
}

static void waves_cover_the_grid(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0);
    const struct fw_device *h200 = shipped(arena, "h200");
    struct fw_occupancy occupancy;
    struct fw_block_needs needs = {.threads = 256, .registers = 32, .carve_out = -1};
    struct fw_waves waves;
    assert_int_equal(fw_occupancy(&occupancy, h200, &needs, NULL), FW_OK);
    static const uint64_t cases[][3] = {{0, 0, 0},    {1, 1, 1},       {1056, 1, 1056},
                                        {1057, 2, 1}, {2112, 2, 1056}, {4096, 4, 928}};
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(fw_occupancy_waves(&waves, h200, &occupancy, cases[i][0], NULL), FW_OK);
        assert_int_equal(waves.resident, 1056);
        assert_int_equal(waves.waves, cases[i][1]);
        assert_int_equal(waves.last, cases[i][2]);
    }
    assert_int_equal(fw_occupancy_waves(&waves, h200, &occupancy, UINT64_MAX, NULL), FW_OK);
    assert_int_equal(waves.waves, UINT64_MAX / 1056 + 1);
    occupancy.blocks = 0;
    assert_int_equal(fw_occupancy_waves(&waves, h200, &occupancy, 1, NULL), FW_ERROR_USAGE);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_profiles_are_sound),
        cmocka_unit_test(shipped_profiles_have_the_limits_of_their_capability),
        cmocka_unit_test(figures_are_there_or_not),
        cmocka_unit_test(names_are_read_and_printed),
        cmocka_unit_test(curves_are_level_then_linear_then_proportional),
        cmocka_unit_test(printing_and_reading_is_the_identity),
        cmocka_unit_test(faults_are_named_with_their_place),
        cmocka_unit_test(damaged_profiles_are_survived),
        cmocka_unit_test(a_full_arena_is_an_answer),
        cmocka_unit_test(unknown_devices_are_told_with_those_there),
        cmocka_unit_test(occupancy_agrees_with_the_vendors_table),
        cmocka_unit_test(carve_outs_are_those_of_the_driver),
        cmocka_unit_test(occupancy_says_what_it_took),
        cmocka_unit_test(hostile_needs_neither_wrap_nor_divide_by_zero),
        cmocka_unit_test(waves_cover_the_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
