/* Lanes in domains that lie in each other: as point by point, and each condition is asked once. */
#include "domain_lanes.h"
#include "domain_point.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

enum { STEPS = 32, THREADS = 48, LAST_WARP = 1 };

/* A loop of 100 iterations, inside of which domain 1 + s is what is left of domain s: threads whose
 * index is not s + the iteration. */
struct subject {
    struct fw_arena *arena;
    struct fw_kernel *kernel;
    struct fw_launch *launch;
    struct fw_bound *bound;
    uint64_t evaluated; /* atoms */
};

static bool count_atoms(void *user, fw_atom atom, const struct fw_point *point, int64_t *value)
{
    (void)atom, (void)point, (void)value;
    ++*(uint64_t *)user;
    return false;
}

static void begin(struct subject *s)
{
    memset(s, 0, sizeof(*s));
    s->arena = fw_arena_new(0);
    s->kernel = FW_NEW(s->arena, struct fw_kernel);
    struct fw_kernel *kernel = s->kernel;
    struct fw_pool *pool = &kernel->pool;
    fw_pool_init(pool, s->arena);
    kernel->arena = s->arena;
    kernel->branches = FW_ARRAY(s->arena, struct fw_branch, STEPS);
    kernel->loops = FW_ARRAY(s->arena, struct fw_loop, 1);
    kernel->domains = FW_ARRAY(s->arena, struct fw_domain, STEPS + 2);
    kernel->domains[0] = (struct fw_domain){.kind = FW_DOMAIN_ALL, .innermost = FW_NONE};
    fw_expression i = fw_atom_new(pool, FW_ATOM_ITERATION, 0, 0, 0);
    fw_expression t = fw_launch_value(pool, FW_THREAD_X);
    kernel->loops[0] =
        (struct fw_loop){.parent = FW_NONE,
                         .stays = fw_is_positive(pool, fw_subtract(pool, fw_constant(pool, 99), i)),
                         .trips = FW_NO_EXPRESSION};
    kernel->loop_count = 1;
    kernel->domains[1] = (struct fw_domain){.kind = FW_DOMAIN_LOOP, .innermost = 0};
    for (uint32_t b = 0; b < STEPS; b++) {
        fw_expression apart = fw_subtract(pool, t, fw_add(pool, i, fw_constant(pool, b)));
        kernel->branches[b] =
            (struct fw_branch){.condition = fw_is_zero(pool, apart), .loop = FW_NONE};
        kernel->domains[2 + b] = (struct fw_domain){.kind = FW_DOMAIN_RESTRICT,
                                                    .parent = 1 + b,
                                                    .branch = b,
                                                    .truth = false,
                                                    .innermost = 0};
    }
    kernel->branch_count = STEPS;
    kernel->domain_count = STEPS + 2;
    s->launch = fw_launch_new(s->arena, kernel);
    s->launch->grid[0] = 2;
    s->launch->block[0] = THREADS;
    s->bound = fw_bound_new(kernel);
    assert_int_equal(fw_bound_set(s->bound, s->launch), FW_OK);
    fw_bound_suppose(s->bound, count_atoms, &s->evaluated);
}

static void end(struct subject *s)
{
    fw_bound_free(s->bound);
    fw_arena_free(s->arena);
}

/* The last warp has half of its lanes; in the iteration behind the last one none is there. */
static void lanes_are_those_of_points(void **state)
{
    static const int64_t iterations[] = {0, 7, 99, 100};
    struct subject s;
    (void)state;
    begin(&s);
    struct fw_domain_lanes *kept = fw_domain_lanes_new(s.arena);
    for (uint32_t i = 0; i < sizeof(iterations) / sizeof(iterations[0]); i++)
        for (uint32_t warp = 0; warp <= LAST_WARP; warp++)
            for (uint32_t d = s.kernel->domain_count; d-- > 0;) {
                const struct fw_warp_place place = {
                    s.launch, {1, 0, 0}, warp, FW_WARP_THREADS, &iterations[i]};
                uint64_t lanes = 0;
                for (uint32_t l = 0; l < (warp == LAST_WARP ? 16u : 32u); l++) {
                    const struct fw_point point = fw_lane_point(&place, l);
                    lanes |= (uint64_t)fw_point_in_domain(s.kernel, s.bound, d, &point) << l;
                }
                assert_true(fw_domain_lanes_find(kept, s.kernel, s.bound, d, &place) == lanes);
                assert_true(fw_domain_lanes_find(NULL, s.kernel, s.bound, d, &place) == lanes);
            }
    end(&s);
}

/* All domains of the chain take as many evaluations as the last one. */
static void conditions_are_asked_once(void **state)
{
    static const int64_t iteration = 3;
    struct subject s;
    (void)state;
    begin(&s);
    const struct fw_warp_place place = {s.launch, {0, 0, 0}, 0, FW_WARP_THREADS, &iteration};
    fw_domain_lanes_find(NULL, s.kernel, s.bound, STEPS + 1, &place);
    const uint64_t of_last = s.evaluated;
    struct fw_domain_lanes *kept = fw_domain_lanes_new(s.arena);
    s.evaluated = 0;
    for (uint32_t d = 0; d < STEPS + 2; d++)
        fw_domain_lanes_find(kept, s.kernel, s.bound, d, &place);
    print_message("%d evaluations of atoms for all domains, %d for the last\n", (int)s.evaluated,
                  (int)of_last);
    assert_true(of_last > STEPS && s.evaluated == of_last);
    end(&s);
}

/* Iterations of a loop are kept by place, and by domain. */
static void trips_are_kept(void **state)
{
    int64_t iteration = 0;
    struct subject s;
    (void)state;
    begin(&s);
    struct fw_domain_lanes *kept = fw_domain_lanes_new(s.arena);
    struct fw_warp_place place = {s.launch, {0, 0, 0}, 0, FW_WARP_THREADS, &iteration};
    assert_null(fw_domain_lanes_trips(NULL, s.kernel, 1, &place));
    assert_int_equal(*fw_domain_lanes_trips(kept, s.kernel, 1, &place), -1);
    *fw_domain_lanes_trips(kept, s.kernel, 1, &place) = 100;
    assert_int_equal(*fw_domain_lanes_trips(kept, s.kernel, 1, &place), 100);
    assert_int_equal(*fw_domain_lanes_trips(kept, s.kernel, 2, &place), -1);
    place.warp = 1;
    assert_int_equal(*fw_domain_lanes_trips(kept, s.kernel, 1, &place), -1);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_are_those_of_points),
                                       cmocka_unit_test(conditions_are_asked_once),
                                       cmocka_unit_test(trips_are_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
