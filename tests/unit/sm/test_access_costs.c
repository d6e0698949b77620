/* What accesses take of a multiprocessor: together as much as the volumes of the launch say. */
#include "../../property/subject.h"
#include "trace_work.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROWS = 10000001, WIDTH = 40 };

static void prepare(struct fw_trace_work *work, struct fw_trace_question *question,
                    struct subject *s)
{
    const char *source = getenv("FOREWARP_SOURCE");
    struct fw_device *device = NULL;
    *s = (struct subject){.arena = fw_arena_new(0)};
    assert_true(
        subject_build(s, fw_arena_printf(s->arena, "%s/tests/golden/kernels/spmv_ell.ptx", source),
                      fw_arena_printf(s->arena, "%s/kernels/spmv_ell.cu", source), "spmv_ell"));
    assert_int_equal(fw_device_read(&device, s->arena,
                                    fw_arena_printf(s->arena, "%s/profiles/h200.json", source),
                                    NULL),
                     FW_OK);
    s->launch = fw_launch_new(s->arena, s->kernel);
    s->launch->grid[0] = (ROWS + 255) / 256;
    s->launch->block[0] = 256;
    s->launch->is_bound[4] = s->launch->is_bound[5] = true;
    s->launch->integers[4] = ROWS;
    s->launch->integers[5] = WIDTH;
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

/* A stream beside loads at random addresses: device memory delivers to either what its volume is.
 * (The misses of the stream were shared out among random loads too, which have their own: three
 * quarters of it were lost, and the time came out at 0.72.) */
static void streams_beside_random_loads_take_their_bytes(void **state)
{
    struct subject s = {0};
    struct fw_trace_question question;
    struct fw_trace_work work;
    double cycles[2] = {0, 0};
    (void)state;
    prepare(&work, &question, &s);
    const struct fw_random_accesses *random = &work.volumes.random;
    for (uint32_t i = 0; i < s.kernel->schedule_count; i++) {
        const uint32_t a = s.kernel->schedule[i].access;
        const struct fw_sm_access *access = &work.accesses[i];
        if (a == FW_NONE || s.kernel->accesses[a].direction != FW_LOAD || !(access->miss_l2 > 0))
            continue;
        double warps = fw_bound_count_warps(s.bound, s.kernel->accesses[a].domain)->estimate;
        cycles[random->hits[a].drawn] +=
            warps * access->miss_l1 * access->miss_l2 * access->cycles[FW_SM_SERVER_DRAM];
    }
    double read = work.volumes.volumes.dram_read.bytes, drawn = random->dram_read;
    assert_true(drawn > 0 && read > 1.2 * drawn);
    assert_true(fabs(cycles[0] / cycles[1] / ((read - drawn) / drawn) - 1) < 0.05);
    fw_bound_free(s.bound);
    fw_arena_free(s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_beside_random_loads_take_their_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
