/* One warp by itself, of example kernels on an H200: as long as a simulation of it. */
#include "../../property/subject.h"
#include "lone_launch.h"
#include "warp.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST_INTEGERS = 3 };

static const struct example {
    const char *name;
    uint32_t grid[2], block[2];
    int64_t integers[MOST_INTEGERS]; /* arguments from `first` on */
    uint32_t first, count;
    uint32_t shared; /* bytes of a block beyond its own, so that few are resident */
} examples[] = {
    {"matmul_tiled", {63, 63}, {16, 16}, {1000, 1000, 500}, 3, 3, 0},
    {"reduce", {262145, 1}, {256, 1}, {67108867}, 2, 1, 0},
    {"nbody", {40, 1}, {256, 1}, {10000}, 3, 1, 0},
    {"scan_block", {131073, 1}, {256, 1}, {33554437}, 3, 1, 0},
    {"softmax", {20000, 1}, {256, 1}, {1000}, 2, 1, 0},
    {"edit_distance", {20000, 1}, {64, 1}, {63}, 3, 1, 0},
};

static void prepare(struct fw_trace_work *work, struct fw_trace_question *question,
                    struct subject *s, const struct example *example)
{
    const char *source = getenv("FOREWARP_SOURCE");
    struct fw_device *device = NULL;
    *s = (struct subject){.arena = fw_arena_new(0)};
    const bool read = subject_build(
        s, fw_arena_printf(s->arena, "%s/tests/golden/kernels/%s.ptx", source, example->name),
        fw_arena_printf(s->arena, "%s/kernels/%s.cu", source, example->name), example->name);
    assert_true(read);
    assert_int_equal(fw_device_read(&device, s->arena,
                                    fw_arena_printf(s->arena, "%s/profiles/h200.json", source),
                                    NULL),
                     FW_OK);
    s->launch = fw_launch_new(s->arena, s->kernel);
    for (int d = 0; d < 2; d++) {
        s->launch->grid[d] = example->grid[d];
        s->launch->block[d] = example->block[d];
    }
    s->launch->shared = example->shared;
    for (uint32_t i = 0; i < example->count; i++) {
        s->launch->is_bound[example->first + i] = true;
        s->launch->integers[example->first + i] = example->integers[i];
    }
    s->bound = fw_bound_new(s->kernel);
    assert_int_equal(fw_bound_set(s->bound, s->launch), FW_OK);
    *question = (struct fw_trace_question){.kernel = s->kernel,
                                           .bound = s->bound,
                                           .launch = s->launch,
                                           .device = device,
                                           .traced_blocks = 1};
    *work = (struct fw_trace_work){.question = question, .arena = s->arena};
    assert_int_equal(fw_trace_prepare(work), FW_OK);
}

static double simulated(struct subject *s, const struct fw_lone_warp *lone)
{
    const struct fw_warp_program *programs[] = {lone->program};
    struct fw_sm_result result;
    const struct fw_sm_simulation simulation = {.costs = lone->costs,
                                                .accesses = lone->accesses,
                                                .schedulers = lone->schedulers,
                                                .resident = 1,
                                                .blocks = 1,
                                                .warps = 1,
                                                .branch = lone->branch,
                                                .arrival = lone->arrival,
                                                .request = lone->request,
                                                .barrier = lone->barrier,
                                                .start = lone->start,
                                                .waiting = lone->waiting,
                                                .programs = programs,
                                                .kinds = 1,
                                                .most_issues = 5000000,
                                                .issues_per_block =
                                                    fw_warp_program_issues(lone->program)};
    fw_sm_simulate(&result, s->arena, &simulation);
    assert_false(result.cut);
    return result.cycles;
}

static void a_warp_takes_what_its_simulation_does(void **state)
{
    double sum = 0;
    const uint32_t count = sizeof(examples) / sizeof(*examples);
    (void)state;
    for (uint32_t e = 0; e < count; e++) {
        struct subject s = {0};
        struct fw_trace_question question;
        struct fw_trace_work work;
        struct fw_lone_warp lone;
        prepare(&work, &question, &s, &examples[e]);
        fw_lone_warp_of(&lone, &work, work.traces.blocks[0].warps[0]);
        double cycles = fw_lone_warp_cycles(&lone, s.arena, NULL), expected = simulated(&s, &lone);
        print_message("%s: %.0f cycles, simulated %.0f\n", examples[e].name, cycles, expected);
        assert_true(fabs(cycles / expected - 1) < 0.05);
        sum += fabs(cycles / expected - 1);
        fw_bound_free(s.bound);
        fw_arena_free(s.arena);
    }
    assert_true(sum / count < 0.02);
}

/* Of one block more than there are places, a place gets two: the launch takes as long as these. */
static void one_block_more_than_places_takes_a_turn_of_its_own(void **state)
{
    enum { NBODY = 2, MULTIPROCESSORS = 132, RESIDENT = 2, SHARED = 100000 };
    (void)state;
    for (uint32_t more = 0; more < 2; more++) {
        struct example example = examples[NBODY];
        struct subject s = {0};
        struct fw_trace_question question;
        struct fw_trace_work work;
        struct fw_lone_launch found;
        example.grid[0] = MULTIPROCESSORS * RESIDENT + more;
        example.block[0] = FW_WARP_THREADS;
        example.shared = SHARED;
        prepare(&work, &question, &s, &example);
        fw_lone_launch_of(&found, &work);
        print_message("%u blocks: %.0f cycles a block, %.0f at least\n", example.grid[0],
                      found.block, found.launch);
        assert_true(found.launch >= (more ? 2 : 1) * found.block);
        assert_true(found.launch < (more ? 2.5 : 1.5) * found.block);
        fw_bound_free(s.bound);
        fw_arena_free(s.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warp_takes_what_its_simulation_does),
        cmocka_unit_test(one_block_more_than_places_takes_a_turn_of_its_own)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
