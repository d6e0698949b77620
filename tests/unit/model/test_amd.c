/* A made-up device with wavefronts of 64 lanes, an L1 apart from shared memory, and lines of 64 or
 * 128 bytes that move whole: all that NVIDIA's have otherwise must come from the profile. */
#include "address_reader.h"
#include "traffic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

enum { POINTS = 1 << 20 };

static const char kernel_text[] =
    "{\"forewarp_kernel\": 1, \"domain\": [1048576], \"block\": 256, \"registers\": 32, "
    "\"fields\": "
    "{\"u\": {\"type\": \"f32\", \"shape\": [1048576]}, \"v\": {\"type\": \"f32\", \"shape\": "
    "[1048576]}, \"c\": {\"type\": \"f32\", \"shape\": [1]}}, \"loads\": [\"u[x]\", \"c[0]\"], "
    "\"stores\": [\"v[x]\"]}";

static void show(void *user, const struct fw_diagnostic *diagnostic)
{
    (void)user;
    print_error("%s\n", diagnostic->message);
}

static const struct fw_sink sink = {show, NULL};

static struct fw_device *made_up(struct fw_arena *arena, unsigned warp, unsigned line,
                                 const char *more)
{
    struct fw_device *device;
    const char *text = fw_arena_printf(
        arena,
        "{\"forewarp_profile\": 1, \"name\": \"made-up\", \"title\": \"Made up\", \"figures\": {"
        "\"multiprocessors\": {\"value\": 100, \"unit\": \"1\", \"source\": \"spec\"},"
        "\"sm_clock\": {\"value\": 1e9, \"unit\": \"hertz\", \"source\": \"spec\"},"
        "\"warp_size\": {\"value\": %u, \"unit\": \"threads\", \"source\": \"spec\"},"
        "\"l1_bytes\": {\"value\": 16384, \"unit\": \"bytes\", \"source\": \"spec\"},"
        "\"l2_bytes\": {\"value\": 1048576, \"unit\": \"bytes\", \"source\": \"spec\"},"
        "\"line_bytes\": {\"value\": %u, \"unit\": \"bytes\", \"source\": \"spec\"}%s,"
        "\"sector_bytes\": {\"value\": %u, \"unit\": \"bytes\", \"source\": \"spec\"}}}",
        warp, line, more, line);
    assert_int_equal(fw_device_parse(&device, arena, "made-up", text, strlen(text), &sink), FW_OK);
    return device;
}

static struct fw_traffic *predicted(struct fw_arena *arena, const struct fw_device *device)
{
    struct fw_address_kernel *kernel;
    struct fw_source source = {"copy.json", kernel_text, sizeof(kernel_text) - 1};
    struct fw_traffic_options options = {0};
    struct fw_traffic *traffic;
    assert_int_equal(fw_address_read(&kernel, arena, &source, NULL, &sink), FW_OK);
    struct fw_launch *launch = fw_launch_new(arena, kernel->record);
    struct fw_bound *bound = fw_bound_new(kernel->record);
    memcpy(launch->block, kernel->block, sizeof(launch->block));
    assert_int_equal(fw_address_grid(launch->grid, kernel, bound, launch, &sink), FW_OK);
    assert_int_equal(fw_bound_set(bound, launch), FW_OK);
    assert_int_equal(
        fw_traffic_predict(&traffic, arena, kernel->record, bound, launch, device, &options, &sink),
        FW_OK);
    fw_bound_free(bound);
    return traffic;
}

static void warps_and_lines_are_the_profiles(void **state)
{
    static const struct {
        unsigned warp, line;
    } cases[] = {{32, 64}, {64, 64}, {64, 128}, {32, 128}};
    (void)state;
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        struct fw_arena *arena = fw_arena_new(0);
        double warps = (double)POINTS / cases[c].warp, lines = POINTS * 4.0 / cases[c].line;
        const struct fw_traffic *traffic =
            predicted(arena, made_up(arena, cases[c].warp, cases[c].line, ""));
        /* Each warp asks for its lines of u, and for the one that c is in. */
        assert_true(fabs(traffic->requests.load_sectors - (lines + warps)) < 1e-6 * lines);
        assert_true(fabs(traffic->requests.store_sectors - lines) < 1e-6 * lines);
        /* u, and c once a multiprocessor: L1 has it from the blocks before. */
        assert_true(fabs(traffic->l2_to_l1 - (POINTS * 4.0 + 100.0 * cases[c].line)) <
                    0.15 * 100.0 * cases[c].line);
        assert_true(fabs(traffic->l1_to_l2 - POINTS * 4.0) < 1);
        /* Too much for L2, so that all of u and v moves. */
        assert_true(fabs(traffic->volumes.dram_read.bytes / (POINTS * 4.0) - 1) < 0.01);
        assert_true(fabs(traffic->volumes.dram_write.bytes / (POINTS * 4.0) - 1) < 0.01);
        fw_arena_free(arena);
    }
}

/* What a limiter needs and the profile lacks is named, and no number is made up. */
static void missing_figures_are_named(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    const struct fw_traffic *traffic = predicted(arena, made_up(arena, 64, 64, ""));
    bool l2 = false, dram = false;
    (void)state;
    for (uint32_t l = 0; l < traffic->not_modelled_count; l++) {
        l2 |= strstr(traffic->not_modelled[l], "l2_bandwidth") != NULL;
        dram |= strstr(traffic->not_modelled[l], "dram_copy_bandwidth") != NULL;
    }
    assert_true(l2 && dram);
    for (uint32_t t = 0; t < traffic->term_count; t++)
        assert_string_equal(traffic->terms[t].name, "l1");
    traffic = predicted(
        arena, made_up(arena, 64, 64,
                       ", \"l2_bandwidth\": {\"value\": 1e12, \"unit\": \"bytes/s\", \"source\": "
                       "\"spec\"}"));
    l2 = false;
    for (uint32_t t = 0; t < traffic->term_count; t++)
        l2 |= strcmp(traffic->terms[t].name, "l2") == 0;
    assert_true(l2);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(warps_and_lines_are_the_profiles),
                                       cmocka_unit_test(missing_figures_are_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
