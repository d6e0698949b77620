/* Devices that are otherwise than their profiles: what a change may say, what it then is, and that
 * each wrong one is refused with its place. */
#include "device.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct heard {
    char code[8], message[256];
    struct fw_position place;
    size_t count;
};

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    struct heard *heard = user;
    if (heard->count++)
        return;
    snprintf(heard->code, sizeof(heard->code), "%s", diagnostic->code);
    snprintf(heard->message, sizeof(heard->message), "%s", diagnostic->message);
    heard->place = fw_span_position(diagnostic->span);
}

static enum fw_status find(struct fw_device **device, struct fw_arena *arena, const char *name,
                           struct heard *heard)
{
    const char *root = getenv("FOREWARP_SOURCE");
    const char *folder = fw_arena_printf(arena, "%s/profiles", root ? root : ".");
    const struct fw_sink sink = {hear, heard};
    return fw_device_find(device, arena, name, &folder, 1, &sink);
}

static double figure(const struct fw_device *device, enum fw_figure which)
{
    double value;
    assert_true(fw_device_figure(device, which, &value));
    return value;
}

static void values_take_units_and_factors(void **state)
{
    static const struct {
        const char *name;
        enum fw_figure figure;
        double value;
    } cases[] = {
        {"h200:multiprocessors=66", FW_FIGURE_MULTIPROCESSORS, 66},
        {"h200:multiprocessors=0.5x", FW_FIGURE_MULTIPROCESSORS, 66},
        {"h200:dram_copy_bandwidth=8TB/s", FW_FIGURE_DRAM_COPY_BANDWIDTH, 8e12},
        {"h200:dram_copy_bandwidth=8e12bytes/s", FW_FIGURE_DRAM_COPY_BANDWIDTH, 8e12},
        {"h200:dram_copy_bandwidth=2TiB/s", FW_FIGURE_DRAM_COPY_BANDWIDTH, 2 * 0x1p40},
        {"h200:l2_bytes=96MiB", FW_FIGURE_L2_BYTES, 96 * 0x1p20},
        {"h200:l2_bytes=96M", FW_FIGURE_L2_BYTES, 96 * 0x1p20},
        {"h200:l2_bytes=96MB", FW_FIGURE_L2_BYTES, 96e6},
        {"h200:sm_clock=1.5GHz", FW_FIGURE_SM_CLOCK, 1.5e9},
        {"h200:sm_clock=1500000000", FW_FIGURE_SM_CLOCK, 1.5e9},
        {"h200:empty_duration=2us", FW_FIGURE_EMPTY_DURATION, 2e-6},
        {"h200:energy_dram_read=80pJ/B", FW_FIGURE_ENERGY_DRAM_READ, 80e-12},
        {"h200:latency_dram=500cycles", FW_FIGURE_LATENCY_DRAM, 500},
        {"v100:tlb_misses=2G/s", FW_FIGURE_TLB_MISSES, 2e9},
        {"h200:issue_order=greedy_oldest", FW_FIGURE_ISSUE_ORDER, FW_ISSUE_ORDER_GREEDY_OLDEST},
        {"a100:issue_order=loose_round_robin", FW_FIGURE_ISSUE_ORDER,
         FW_ISSUE_ORDER_LOOSE_ROUND_ROBIN}};
    (void)state;
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct heard heard = {0};
        struct fw_device *device;
        assert_int_equal(find(&device, arena, cases[c].name, &heard), FW_OK);
        double value = figure(device, cases[c].figure);
        assert_true(fabs(value / cases[c].value - 1) < 1e-12);
        assert_string_equal(device->name, cases[c].name);
        assert_in_range(device->change_count, 1, 4);
        assert_int_equal(device->changes[0].figure, cases[c].figure);
        assert_int_equal(device->figures[cases[c].figure].source, FW_SOURCE_STATED);
        fw_arena_free(arena);
    }
}

static void wrong_changes_are_refused_with_their_place(void **state)
{
    static const struct {
        const char *name, *code;
        uint32_t column;
    } cases[] = {{"h200:", "DEV014", 6},
                 {"h200:l2_bytes", "DEV014", 6},
                 {"h200:=5", "DEV014", 6},
                 {"h200:l2_bytes=", "DEV014", 15},
                 {"h200:l2_bytes=2x,", "DEV017", 18},
                 {"h200:l2_bytes=x", "DEV014", 15},
                 {"h200:l2_bytes=inf", "DEV014", 15},
                 {"h200:l2_bytes=60GHz", "DEV014", 15},
                 {"h200:multiprocessors=66bytes", "DEV014", 22},
                 {"h200:l2_bytes=2x,l2_bytes=3x", "DEV014", 18},
                 {"v100:tlb_misses=2x", "DEV014", 17},
                 {"h200:empty_kernel=3", "DEV014", 19},
                 {"h200:shared_carve_outs=2x", "DEV014", 24},
                 {"h200:l2_bite=2x", "DEV015", 6},
                 {"h200:\x1b[31m=2x", "DEV015", 6},
                 {"h200:l2_bytes=2x,ram=5", "DEV015", 18},
                 {"h200:multiprocessors=0", "DEV016", 22},
                 {"h200:multiprocessors=-4", "DEV016", 22},
                 {"h200:multiprocessors=0.7x", "DEV016", 22},
                 {"h200:dram_copy_bandwidth=1e300x", "DEV016", 26},
                 {"h200:empty_kernel=1e300x", "DEV016", 19},
                 {"h200:shared_per_multiprocessor=100K", "DEV016", 6},
                 {"h200:latency_l1=400", "DEV016", 6},
                 {"h200:issue_order=oldest", "DEV016", 18},
                 {"h200:issue_order=greedy_oldest,issue_order=greedy_oldest", "DEV014", 32},
                 {"h200:issue_order=1", "DEV016", 18},
                 {"h200:issue_order=2x", "DEV016", 18},
                 {"h200:issue_order=", "DEV016", 18},
                 {"h200:issue_order=\x1b[31m", "DEV016", 18},
                 {"h200,a100", "DEV017", 6},
                 {":l2_bytes=2x", "DEV014", 1}};
    (void)state;
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct heard heard = {0};
        struct fw_device *device;
        assert_int_equal(find(&device, arena, cases[c].name, &heard), FW_ERROR_USAGE);
        assert_null(device);
        assert_int_equal(heard.count, 1);
        assert_string_equal(heard.code, cases[c].code);
        assert_int_equal(heard.place.column, cases[c].column);
        assert_null(strchr(heard.message, 0x1b));
        fw_arena_free(arena);
    }
}

/* Shared memory that grows can be carved out as a whole; L1 keeps the rest. */
static void shared_memory_is_carved_out_up_to_its_new_size(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct heard heard = {0};
    struct fw_device *device;
    (void)state;
    assert_int_equal(
        find(&device, arena, "h200:shared_per_multiprocessor=300K,l1_shared_bytes=400K", &heard),
        FW_OK);
    const struct fw_figure_value *sizes = &device->figures[FW_FIGURE_SHARED_CARVE_OUTS];
    assert_true(sizes->list[sizes->count - 1] == 300 * 1024);
    for (size_t i = 1; i < sizes->count; i++)
        assert_true(sizes->list[i] > sizes->list[i - 1]);
    fw_arena_free(arena);
}

/* Copies are no faster than reads, unless somebody says so. */
static void views_of_device_memory_follow_its_copies(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct heard heard = {0};
    struct fw_device *device, *usual;
    (void)state;
    assert_int_equal(find(&usual, arena, "h200", &heard), FW_OK);
    assert_int_equal(
        find(&device, arena, "h200:dram_copy_bandwidth=3x,dram_write_bandwidth=1TB/s", &heard),
        FW_OK);
    double read = figure(device, FW_FIGURE_DRAM_READ_BANDWIDTH);
    assert_true(fabs(read / figure(usual, FW_FIGURE_DRAM_READ_BANDWIDTH) - 3) < 1e-12);
    assert_true(figure(device, FW_FIGURE_DRAM_WRITE_BANDWIDTH) == 1e12);
    assert_int_equal(device->change_count, 4);
    assert_int_equal(find(&device, arena, "h200:dram_read_bandwidth=0.5x", &heard), FW_OK);
    assert_int_equal(device->change_count, 1);
    fw_arena_free(arena);
}

/* What is printed of a changed device is a profile again, with the same figures. */
static void a_changed_device_prints_as_a_profile(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct heard heard = {0};
    const struct fw_sink sink = {hear, &heard};
    struct fw_device *device, *back;
    struct fw_buffer text = fw_buffer_new(arena);
    (void)state;
    assert_int_equal(find(&device, arena, "h200:dram_copy_bandwidth=8TB/s,empty_kernel=2x", &heard),
                     FW_OK);
    fw_device_print(device, &text);
    assert_int_equal(fw_device_parse(&back, arena, "x", text.text, text.length, &sink), FW_OK);
    assert_int_equal(heard.count, 0);
    assert_true(figure(back, FW_FIGURE_DRAM_COPY_BANDWIDTH) == 8e12);
    assert_true(back->figures[FW_FIGURE_EMPTY_KERNEL].list[1] ==
                device->figures[FW_FIGURE_EMPTY_KERNEL].list[1]);
    fw_arena_free(arena);
}

static void lists_are_divided_behind_changes(void **state)
{
    const char *root = getenv("FOREWARP_SOURCE");
    struct fw_arena *arena = fw_arena_new(0);
    struct heard heard = {0};
    const struct fw_sink sink = {hear, &heard};
    const char *folder = fw_arena_printf(arena, "%s/profiles", root ? root : ".");
    struct fw_found_devices found;
    (void)state;
    assert_int_equal(fw_device_find_all(&found, arena,
                                        "h200,a100:l2_bytes=2x,multiprocessors=54,v100", &folder, 1,
                                        &sink),
                     FW_OK);
    assert_int_equal(found.at.count, 3);
    assert_string_equal(found.at.at[0]->name, "h200");
    assert_string_equal(found.at.at[1]->name, "a100:l2_bytes=2x,multiprocessors=54");
    assert_string_equal(found.at.at[2]->name, "v100");
    assert_int_equal(
        fw_device_find_all(&found, arena, "h200,a100:l2_bytes=2s,v100", &folder, 1, &sink),
        FW_ERROR_USAGE);
    assert_string_equal(heard.code, "DEV014");
    assert_int_equal(heard.place.column, 20);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_take_units_and_factors),
        cmocka_unit_test(wrong_changes_are_refused_with_their_place),
        cmocka_unit_test(shared_memory_is_carved_out_up_to_its_new_size),
        cmocka_unit_test(views_of_device_memory_follow_its_copies),
        cmocka_unit_test(a_changed_device_prints_as_a_profile),
        cmocka_unit_test(lists_are_divided_behind_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
