/* Warp traces of small records: loops stay loops, lanes part, blocks fall into classes. */
#include "trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { MOST = 8 };

/* A record with one instruction in each domain but the first. */
struct subject {
    struct fw_arena *arena;
    struct fw_kernel *kernel;
    struct fw_pool *pool;
    struct fw_launch *launch;
    struct fw_bound *bound;
    struct fw_traces traces;
    double issues[MOST], threads[MOST];
    char code[16];
};

static void begin(struct subject *s)
{
    memset(s, 0, sizeof(*s));
    s->arena = fw_arena_new(0);
    s->kernel = FW_NEW(s->arena, struct fw_kernel);
    s->pool = &s->kernel->pool;
    fw_pool_init(s->pool, s->arena);
    s->kernel->arena = s->arena;
    s->kernel->branches = FW_ARRAY(s->arena, struct fw_branch, MOST);
    s->kernel->loops = FW_ARRAY(s->arena, struct fw_loop, MOST);
    s->kernel->domains = FW_ARRAY(s->arena, struct fw_domain, MOST);
    s->kernel->schedule = FW_ARRAY(s->arena, struct fw_scheduled, MOST);
    s->kernel->domains[0] = (struct fw_domain){.kind = FW_DOMAIN_ALL, .innermost = FW_NONE};
    s->kernel->domain_count = 1;
}

static fw_expression iteration(struct subject *s, uint32_t loop)
{
    return fw_atom_new(s->pool, FW_ATOM_ITERATION, loop, 0, 0);
}

static fw_expression index_of(struct subject *s, enum fw_launch_index index)
{
    return fw_launch_value(s->pool, index);
}

static fw_expression number(struct subject *s, int64_t value)
{
    return fw_constant(s->pool, value);
}

static fw_condition less(struct subject *s, fw_expression a, fw_expression b)
{
    return fw_is_positive(s->pool, fw_subtract(s->pool, fw_subtract(s->pool, b, a), number(s, 1)));
}

static uint32_t add_domain(struct subject *s, struct fw_domain domain)
{
    uint32_t d = s->kernel->domain_count++;
    s->kernel->domains[d] = domain;
    s->kernel->schedule[s->kernel->schedule_count++] =
        (struct fw_scheduled){.operation = "add", .domain = d, .access = FW_NONE};
    return d;
}

/* The iterations of a loop while its iteration is less than a bound; its instruction is the next.
 */
static uint32_t add_loop(struct subject *s, uint32_t parent, fw_expression bound)
{
    uint32_t loop = s->kernel->loop_count++;
    s->kernel->loops[loop] = (struct fw_loop){.name = "trips@test:1",
                                              .line = 1,
                                              .parent = s->kernel->domains[parent].innermost,
                                              .instruction = s->kernel->schedule_count,
                                              .stays = less(s, iteration(s, loop), bound),
                                              .trips = FW_NO_EXPRESSION};
    return add_domain(
        s, (struct fw_domain){
               .kind = FW_DOMAIN_LOOP, .parent = parent, .loop = loop, .innermost = loop});
}

static uint32_t add_branch(struct subject *s, uint32_t parent, fw_condition condition, bool truth)
{
    uint32_t branch = s->kernel->branch_count++;
    s->kernel->branches[branch] =
        (struct fw_branch){.name = "taken@test:2", .condition = condition, .loop = FW_NONE};
    return add_domain(s, (struct fw_domain){.kind = FW_DOMAIN_RESTRICT,
                                            .parent = parent,
                                            .branch = branch,
                                            .truth = truth,
                                            .innermost = s->kernel->domains[parent].innermost});
}

static void keep_code(void *user, const struct fw_diagnostic *diagnostic)
{
    struct subject *s = user;
    strncpy(s->code, diagnostic->code, sizeof(s->code) - 1);
}

/* Traces at so many blocks and threads. */
static enum fw_status trace_grid(struct subject *s, const uint32_t grid[3], uint32_t threads,
                                 uint64_t evaluations)
{
    const struct fw_trace_options options = {.evaluations = evaluations};
    const struct fw_sink sink = {keep_code, s};
    s->launch = fw_launch_new(s->arena, s->kernel);
    memcpy(s->launch->grid, grid, sizeof(s->launch->grid));
    s->launch->block[0] = threads;
    s->bound = fw_bound_new(s->kernel);
    assert_int_equal(fw_bound_set(s->bound, s->launch), FW_OK);
    enum fw_status status =
        fw_traces_find(&s->traces, s->arena, s->kernel, s->bound, s->launch, &options, &sink);
    for (uint32_t k = 0; !status && k < s->traces.class_count; k++)
        fw_trace_count(&s->traces, s->traces.classes[k].trace, s->traces.classes[k].warps,
                       s->issues, s->threads);
    return status;
}

static enum fw_status trace(struct subject *s, uint32_t blocks, uint32_t threads,
                            uint64_t evaluations)
{
    return trace_grid(s, (uint32_t[3]){blocks, 1, 1}, threads, evaluations);
}

static void end(struct subject *s)
{
    fw_bound_free(s->bound);
    fw_arena_free(s->arena);
}

static bool is(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

static void test_million_iterations(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    add_loop(&s, 0, number(&s, 1000000));
    assert_int_equal(trace(&s, 7, 96, 100000), FW_OK);
    assert_int_equal(s.traces.class_count, 1);
    assert_true(s.traces.classes[0].warps > 20 && s.traces.classes[0].warps < 22);
    assert_int_equal(fw_trace_nodes(s.traces.classes[0].trace, 1000), 2);
    assert_true(is(s.issues[0], 21e6));
    assert_true(is(s.threads[0], 21e6 * 32));
    end(&s);
}

/* for i < n: for j < i + 1 */
static void test_triangle_is_one_part(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t outer = add_loop(&s, 0, number(&s, 1000));
    add_loop(&s, outer, fw_add(s.pool, iteration(&s, 0), number(&s, 1)));
    assert_int_equal(trace(&s, 1, 32, 0), FW_OK);
    const struct fw_trace *all = s.traces.classes[0].trace;
    assert_int_equal(all->count, 1);
    assert_true(all->nodes[0].trips > 999 && all->nodes[0].body->nodes[1].step > 0.5);
    assert_true(is(s.issues[1], 1000 * 1001 / 2));
    assert_false(s.traces.iterations_sampled);
    end(&s);
}

/* Past a thousand iterations that differ, some stand for all, and the answer says so. */
static void test_long_triangle_is_sampled(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t outer = add_loop(&s, 0, number(&s, 100000));
    add_loop(&s, outer, fw_add(s.pool, iteration(&s, 0), number(&s, 1)));
    assert_int_equal(trace(&s, 1, 32, 0), FW_OK);
    assert_true(s.traces.iterations_sampled);
    assert_int_equal(s.traces.sampled_loop, 0);
    assert_true(fabs(s.issues[1] / (100000.0 * 100001 / 2) - 1) < 1e-3);
    end(&s);
}

/* A warp goes round until its longest lane has ended. */
static void test_lanes_leave_a_loop(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    add_loop(&s, 0, fw_add(s.pool, index_of(&s, FW_THREAD_X), number(&s, 1)));
    assert_int_equal(trace(&s, 1, 64, 0), FW_OK);
    assert_int_equal(s.traces.class_count, 2);
    assert_true(is(s.issues[0], 32 + 64));
    assert_true(is(s.threads[0], 64 * 65 / 2));
    end(&s);
}

/* Both sides of a branch that parts a warp; one side elsewhere. */
static void test_branch_parts_a_warp(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    fw_condition low = less(&s, index_of(&s, FW_THREAD_X), number(&s, 40));
    add_branch(&s, 0, low, true);
    add_branch(&s, 0, low, false);
    assert_int_equal(trace(&s, 1, 128, 0), FW_OK);
    assert_int_equal(s.traces.class_count, 3);
    assert_true(is(s.issues[0], 2) && is(s.issues[1], 3));
    assert_true(is(s.threads[0], 40) && is(s.threads[1], 88));
    end(&s);
}

/* The iteration at which a branch changes is found without going through the loop. */
static void test_branch_changes_in_a_loop(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t loop = add_loop(&s, 0, number(&s, 1000000));
    add_branch(&s, loop, less(&s, iteration(&s, 0), number(&s, 123456)), true);
    add_branch(&s, loop,
               fw_is_zero(s.pool, fw_subtract(s.pool, iteration(&s, 0), number(&s, 777777))), true);
    assert_int_equal(trace(&s, 1, 32, 200000), FW_OK);
    assert_true(is(s.issues[1], 123456) && is(s.issues[2], 1));
    assert_false(s.traces.iterations_sampled);
    end(&s);
}

/* The iteration of the loop around at which a branch changes is another in each iteration of a
 * short loop inside: they are found, and no iterations sampled. */
static void test_branch_changes_in_an_inner_loop(void **state)
{
    enum { OUTER = 50000, INNER = 4, LAST = 4 * 12345 + 2 };
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t outer = add_loop(&s, 0, number(&s, OUTER));
    uint32_t inner = add_loop(&s, outer, number(&s, INNER));
    s.kernel->loops[0].trips = number(&s, OUTER);
    s.kernel->loops[1].trips = number(&s, INNER);
    fw_expression at = fw_add(s.pool, fw_scale(s.pool, iteration(&s, 0), INNER), iteration(&s, 1));
    add_branch(&s, inner, less(&s, at, number(&s, LAST)), true);
    assert_int_equal(trace(&s, 1, 32, 200000), FW_OK);
    assert_true(is(s.issues[1], (double)OUTER * INNER) && is(s.issues[2], LAST));
    assert_false(s.traces.iterations_sampled);
    assert_true(s.traces.evaluations < 200);
    end(&s);
}

/* What data decide has the share that is stated, and is never simply taken. */
static void test_data_decide(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    s.kernel->opaque_count = 1;
    s.kernel->opaques = FW_ARRAY(s.arena, struct fw_opaque, 1);
    fw_condition data = fw_condition_new(s.pool, FW_CONDITION_UNKNOWN, 0, 0, 0);
    uint32_t branch = add_branch(&s, 0, data, true);
    s.kernel->branches[0].data_dependent = true;
    s.kernel->branches[0].because = "it is stated";
    s.kernel->branches[0].usual = 0.25;
    (void)branch;
    assert_int_equal(trace(&s, 10, 32, 0), FW_OK);
    assert_true(is(s.issues[0], 2.5) && is(s.threads[0], 80));
    end(&s);
}

/* A loop whose end data decide in each lane is known to end at no iteration: lanes are not asked
 * for many of them. */
static void test_data_end_a_loop(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    s.kernel->opaque_count = 1;
    s.kernel->opaques = FW_ARRAY(s.arena, struct fw_opaque, 1);
    fw_expression loaded = fw_atom_new(s.pool, FW_ATOM_UNKNOWN, 0, 0, 0);
    add_loop(&s, 0, fw_add(s.pool, loaded, index_of(&s, FW_THREAD_X)));
    s.kernel->loops[0].data_dependent = true;
    s.kernel->loops[0].usual_trips = 5;
    assert_int_equal(trace(&s, 1, 32, 0), FW_OK);
    assert_true(is(s.issues[0], 5));
    assert_true(s.traces.evaluations < 32 * 64);
    end(&s);
}

/* Blocks: those at the end of the data, and those inside of a margin. */
static void test_classes_of_blocks(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    fw_expression i =
        fw_add(s.pool, fw_scale(s.pool, index_of(&s, FW_BLOCK_X), 256), index_of(&s, FW_THREAD_X));
    add_branch(&s, 0, less(&s, i, number(&s, 99999 * 256 + 40)), true);
    add_branch(&s, 0,
               fw_condition_and(s.pool, less(&s, number(&s, 0), index_of(&s, FW_BLOCK_X)),
                                less(&s, index_of(&s, FW_BLOCK_X), number(&s, 99999))),
               true);
    assert_int_equal(trace(&s, 100000, 256, 0), FW_OK);
    assert_int_equal(s.traces.block_count, 3);
    assert_true(is(s.traces.blocks[0].blocks, 99998));
    assert_true(is(s.threads[0], 99999 * 256 + 40));
    assert_true(is(s.issues[1], 99998 * 8));
    assert_false(s.traces.blocks_sampled);
    double blocks[3] = {0};
    for (uint32_t b = 0; b < s.traces.box_count; b++)
        blocks[s.traces.boxes[b].block] +=
            s.traces.boxes[b].high[0] - s.traces.boxes[b].low[0] + 1.0;
    for (uint32_t c = 0; c < 3; c++)
        assert_true(is(blocks[c], s.traces.blocks[c].blocks));
    end(&s);
}

/* Indices that nothing depends on: the boxes have all of their blocks. */
static void test_boxes_have_all_blocks(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    add_branch(&s, 0, less(&s, index_of(&s, FW_BLOCK_Y), number(&s, 3)), true);
    const uint32_t grid[3] = {7, 5, 2};
    assert_int_equal(trace_grid(&s, grid, 32, 0), FW_OK);
    double blocks = 0;
    for (uint32_t b = 0; b < s.traces.box_count; b++) {
        const struct fw_trace_box *box = &s.traces.boxes[b];
        blocks += (box->high[0] - box->low[0] + 1.0) * (box->high[1] - box->low[1] + 1.0) *
                  (box->high[2] - box->low[2] + 1.0);
    }
    assert_true(is(blocks, 7 * 5 * 2));
    end(&s);
}

/* A triangle of blocks, of which as few are evaluated as a kernel with many warps is allowed: those
 * along all of its side are looked at alike (`syrk_tile_lower` in data/h200/programs-ninth, of
 * whose 1128 blocks with work 852 were found). */
static void test_triangles_of_blocks_are_divided_evenly(void **state)
{
    enum { SIDE = 47, PART = 64 /* of the evaluations, for dividing */, EVALUATIONS = 120 };
    struct subject s;
    (void)state;
    begin(&s);
    add_branch(&s, 0, less(&s, index_of(&s, FW_BLOCK_X), index_of(&s, FW_BLOCK_Y)), true);
    const uint32_t grid[3] = {SIDE, SIDE, 1};
    assert_int_equal(trace_grid(&s, grid, 32, PART * EVALUATIONS), FW_OK);
    double blocks = s.threads[0] / 32, all = SIDE * (SIDE - 1) / 2;
    print_message("%u blocks evaluated: %g of %g\n", s.traces.traced_blocks, blocks, all);
    assert_true(s.traces.blocks_sampled);
    assert_true(fabs(blocks / all - 1) < 0.1);
    end(&s);
}

/* A loop whose header the text has behind what follows it: an iteration begins there all the same.
 */
static void test_iterations_begin_at_the_header(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    uint32_t loop = add_loop(&s, 0, number(&s, 10));
    add_branch(&s, loop, less(&s, index_of(&s, FW_THREAD_X), number(&s, 5)), true);
    s.kernel->schedule[s.kernel->schedule_count++] =
        (struct fw_scheduled){.operation = "add", .domain = loop, .access = FW_NONE};
    s.kernel->loops[0].instruction = 2; /* the first one follows it */
    assert_int_equal(trace(&s, 1, 32, 0), FW_OK);
    assert_int_equal(s.traces.order_count, 3);
    assert_int_equal(s.traces.order[0], 2);
    assert_int_equal(s.traces.order[1], 0);
    assert_int_equal(s.traces.order[2], 1);
    assert_true(is(s.issues[2], 10));
    end(&s);
}

/* Whoever asks for more blocks goes on with those that were traced, and gets the same as without.
 */
static void test_traced_blocks_stay(void **state)
{
    struct subject s;
    struct fw_traces few, all;
    struct fw_traced_blocks *kept = NULL;
    (void)state;
    begin(&s);
    fw_expression i =
        fw_add(s.pool, fw_scale(s.pool, index_of(&s, FW_BLOCK_X), 256), index_of(&s, FW_THREAD_X));
    add_branch(&s, 0, less(&s, i, number(&s, 99999 * 256 + 40)), true);
    add_branch(&s, 0,
               fw_condition_and(s.pool, less(&s, number(&s, 70000), index_of(&s, FW_BLOCK_X)),
                                less(&s, index_of(&s, FW_BLOCK_X), number(&s, 99999))),
               true);
    assert_int_equal(trace(&s, 100000, 256, 0), FW_OK);
    const struct fw_trace_options some = {.traced_blocks = 3, .kept = &kept};
    const struct fw_trace_options others = {.kept = &kept};
    assert_int_equal(fw_traces_find(&few, s.arena, s.kernel, s.bound, s.launch, &some, NULL),
                     FW_OK);
    assert_non_null(kept);
    assert_int_equal(fw_traces_find(&all, s.arena, s.kernel, s.bound, s.launch, &others, NULL),
                     FW_OK);
    assert_int_equal(all.traced_blocks, s.traces.traced_blocks);
    assert_int_equal(all.evaluations, s.traces.evaluations);
    print_message("%u blocks, then %u\n", few.traced_blocks, all.traced_blocks);
    assert_true(all.traced_blocks > few.traced_blocks);
    assert_int_equal(all.blocks_sampled, s.traces.blocks_sampled);
    assert_int_equal(all.class_count, s.traces.class_count);
    for (uint32_t k = 0; k < all.class_count; k++) {
        assert_true(is(all.classes[k].warps, s.traces.classes[k].warps));
        assert_true(all.classes[k].trace->hash == s.traces.classes[k].trace->hash);
    }
    bool same = false; /* it was not walked again */
    for (uint32_t k = 0; k < all.class_count; k++)
        same |= all.classes[k].trace == few.classes[0].trace;
    assert_true(same);
    end(&s);
}

/* Nothing stays of a walk that took too many evaluations. */
static void test_spent_walks_do_not_stay(void **state)
{
    struct subject s;
    struct fw_traces traces;
    struct fw_traced_blocks *kept = NULL;
    (void)state;
    begin(&s);
    add_loop(&s, 0, fw_add(s.pool, index_of(&s, FW_THREAD_X), number(&s, 1)));
    assert_int_equal(trace(&s, 1, 64, 0), FW_OK);
    const struct fw_trace_options few = {.evaluations = 10, .kept = &kept};
    const struct fw_trace_options others = {.kept = &kept};
    assert_int_equal(fw_traces_find(&traces, s.arena, s.kernel, s.bound, s.launch, &few, NULL),
                     FW_ERROR_BUDGET);
    assert_null(kept);
    assert_int_equal(fw_traces_find(&traces, s.arena, s.kernel, s.bound, s.launch, &others, NULL),
                     FW_OK);
    assert_int_equal(traces.class_count, s.traces.class_count);
    end(&s);
}

static void test_budget(void **state)
{
    struct subject s;
    (void)state;
    begin(&s);
    add_loop(&s, 0, number(&s, 1000));
    assert_int_equal(trace(&s, 1, 32, 100), FW_ERROR_BUDGET);
    assert_string_equal(s.code, "TRC001");
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_million_iterations),
        cmocka_unit_test(test_triangle_is_one_part),
        cmocka_unit_test(test_long_triangle_is_sampled),
        cmocka_unit_test(test_lanes_leave_a_loop),
        cmocka_unit_test(test_branch_parts_a_warp),
        cmocka_unit_test(test_branch_changes_in_a_loop),
        cmocka_unit_test(test_branch_changes_in_an_inner_loop),
        cmocka_unit_test(test_data_decide),
        cmocka_unit_test(test_data_end_a_loop),
        cmocka_unit_test(test_classes_of_blocks),
        cmocka_unit_test(test_boxes_have_all_blocks),
        cmocka_unit_test(test_triangles_of_blocks_are_divided_evenly),
        cmocka_unit_test(test_iterations_begin_at_the_header),
        cmocka_unit_test(test_traced_blocks_stay),
        cmocka_unit_test(test_spent_walks_do_not_stay),
        cmocka_unit_test(test_budget)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
