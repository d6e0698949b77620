/* Counts of random domains, by threads and by warps, against going through every point.
 *
 * A kernel is made up: a branch, a loop in it, two branches in the loop, their union, the way out
 * of the loop, and an inner loop with a branch.  Conditions are random expressions over block,
 * thread and iteration, with floors, minima, selections, bits and products, so that all ways of
 * counting are gone: rows, splits, values one by one, points one by one.  What is called exact must
 * be the enumerated number; what is not exact by warps must be a bound of it where the threads are
 * exact. */
#include "launch.h"
#include "random.h"
#include "symbolic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum {
    DOMAINS = 11,
    INNER = 9, /* the first domain in the inner loop */
    BRANCHES = 5,
    MOST_TRIPS = 40,
    KERNELS = 600,
    FORMULAS = 100
};

struct made {
    struct fw_kernel *kernel;
    struct fw_random *random;
    uint32_t loops; /* around what is made */
};

static fw_expression leaf(struct made *m)
{
    static const enum fw_launch_index indices[] = {FW_THREAD_X, FW_THREAD_X,     FW_THREAD_Y,
                                                   FW_THREAD_Z, FW_BLOCK_X,      FW_BLOCK_Y,
                                                   FW_LANE,     FW_BLOCK_SIZE_X, FW_WARP};
    struct fw_pool *pool = &m->kernel->pool;
    int64_t which = fw_random_between(m->random, 0, m->loops ? 16 : 12);
    if (which < 9)
        return fw_launch_value(pool, indices[which]);
    if (which == 9)
        return fw_atom_new(pool, FW_ATOM_PARAMETER, 0, 0, 0);
    if (which < 13)
        return fw_constant(pool, fw_random_between(m->random, -9, 40));
    return fw_atom_new(pool, FW_ATOM_ITERATION,
                       (uint32_t)fw_random_between(m->random, 0, m->loops - 1), 0, 0);
}

static fw_condition condition(struct made *m, unsigned depth);

static fw_expression expression(struct made *m, unsigned depth)
{
    struct fw_pool *pool = &m->kernel->pool;
    if (depth == 0)
        return leaf(m);
    fw_expression a = expression(m, depth - 1);
    int64_t number = fw_random_between(m->random, 2, 9);
    switch (fw_random_between(m->random, 0, 15)) {
    case 0:
    case 1:
    case 2:
        return fw_add(pool, a, expression(m, depth - 1));
    case 3:
    case 4:
        return fw_subtract(pool, a, expression(m, depth - 1));
    case 5:
        return fw_scale(pool, a, number - 5);
    case 6:
        return fw_multiply(pool, a, leaf(m));
    case 7:
        return fw_floor_divide(pool, a, fw_constant(pool, number));
    case 8:
        return fw_truncate_divide(pool, a, fw_constant(pool, number));
    case 9:
        return fw_subtract(
            pool, a,
            fw_scale(pool, fw_truncate_divide(pool, a, fw_constant(pool, number)), number));
    case 10:
        return fw_minimum(pool, a, expression(m, depth - 1));
    case 11:
        return fw_maximum(pool, a, expression(m, depth - 1));
    case 12:
        return fw_bit_and(pool, a, fw_constant(pool, number * 5 - 8));
    case 13:
        return fw_bit_and(pool, a, leaf(m));
    case 14:
        return fw_shift_right(pool, a, fw_bit_and(pool, leaf(m), fw_constant(pool, 3)));
    default:
        return fw_select(pool, condition(m, 0), a, expression(m, depth - 1));
    }
}

static fw_condition condition(struct made *m, unsigned depth)
{
    struct fw_pool *pool = &m->kernel->pool;
    if (depth && fw_random_between(m->random, 0, 2) == 0) {
        fw_condition a = condition(m, depth - 1), b = condition(m, depth - 1);
        return fw_random_between(m->random, 0, 1) ? fw_condition_and(pool, a, b)
                                                  : fw_condition_or(pool, a, b);
    }
    fw_expression a = expression(m, (unsigned)fw_random_between(m->random, 1, 3));
    switch (fw_random_between(m->random, 0, 5)) {
    case 0:
        return fw_is_zero(pool, a);
    case 1:
        return fw_unsigned_less(pool, a, expression(m, 1), 32);
    case 2:
        return fw_condition_not(pool, fw_is_zero(pool, a));
    default:
        return fw_is_positive(pool, a);
    }
}

/* A loop that counts up to an expression, or halves one. */
static fw_condition stays(struct made *m)
{
    struct fw_pool *pool = &m->kernel->pool;
    fw_expression end = expression(m, (unsigned)fw_random_between(m->random, 0, 2));
    fw_expression iteration = fw_atom_new(pool, FW_ATOM_ITERATION, m->loops, 0, 0);
    if (fw_random_between(m->random, 0, 4) == 0)
        return fw_is_positive(
            pool, fw_subtract(pool, fw_shift_right(pool, end, iteration), fw_constant(pool, 1)));
    iteration = fw_scale(pool, iteration, fw_random_between(m->random, 1, 5));
    return fw_is_positive(pool, fw_subtract(pool, end, iteration));
}

static struct fw_kernel *make(struct fw_arena *arena, struct fw_random *random)
{
    struct fw_kernel *kernel = FW_NEW(arena, struct fw_kernel);
    struct made m = {kernel, random, 0};
    fw_pool_init(&kernel->pool, arena);
    kernel->arena = arena;
    kernel->parameter_count = 1;
    kernel->parameters = FW_NEW(arena, struct fw_parameter);
    *kernel->parameters = (struct fw_parameter){.name = "n", .type = FW_TYPE_S32};
    kernel->branch_count = BRANCHES;
    kernel->branches = FW_ARRAY(arena, struct fw_branch, BRANCHES);
    kernel->loop_count = 2;
    kernel->loops = FW_ARRAY(arena, struct fw_loop, 2);
    kernel->branches[0].condition =
        fw_random_between(random, 0, 2) ? condition(&m, 1) : (fw_condition)FW_CONDITION_TRUE;
    kernel->loops[0] = (struct fw_loop){.name = "trips",
                                        .parent = FW_NONE,
                                        .depth = 1,
                                        .stays = stays(&m),
                                        .trips = FW_NO_EXPRESSION};
    m.loops = 1;
    kernel->branches[1].condition = condition(&m, 1);
    kernel->branches[2].condition = condition(&m, 0);
    kernel->loops[1] = (struct fw_loop){
        .name = "trips", .depth = 2, .stays = stays(&m), .trips = FW_NO_EXPRESSION};
    m.loops = 2;
    kernel->branches[4].condition = condition(&m, 0);
    m.loops = 0; /* the one iteration at which a thread leaves */
    fw_expression at = expression(&m, 1);
    fw_expression iteration = fw_atom_new(&kernel->pool, FW_ATOM_ITERATION, 0, 0, 0);
    kernel->branches[3].condition =
        fw_is_zero(&kernel->pool, fw_subtract(&kernel->pool, at, iteration));
    for (uint32_t b = 0; b < BRANCHES; b++)
        kernel->branches[b].name = "taken";
    static const uint32_t joined[] = {3, 5};
    kernel->domain_count = DOMAINS;
    kernel->domains = FW_ARRAY(arena, struct fw_domain, DOMAINS);
    const struct fw_domain domains[DOMAINS] = {
        {.kind = FW_DOMAIN_ALL, .innermost = FW_NONE},
        {.kind = FW_DOMAIN_RESTRICT, .branch = 0, .truth = true, .innermost = FW_NONE},
        {.kind = FW_DOMAIN_LOOP, .parent = 1},
        {.kind = FW_DOMAIN_RESTRICT, .parent = 2, .branch = 1, .truth = true},
        {.kind = FW_DOMAIN_RESTRICT, .parent = 2, .branch = 1, .truth = false},
        {.kind = FW_DOMAIN_RESTRICT, .parent = 4, .branch = 2, .truth = true},
        {.kind = FW_DOMAIN_UNION,
         .parent = 0,
         .members = fw_arena_copy(arena, joined, sizeof(joined)),
         .member_count = 2},
        {.kind = FW_DOMAIN_RESTRICT, .parent = 2, .branch = 3, .truth = true},
        {.kind = FW_DOMAIN_LEAVE, .parent = 7, .innermost = FW_NONE},
        {.kind = FW_DOMAIN_LOOP, .parent = 3, .loop = 1, .innermost = 1},
        {.kind = FW_DOMAIN_RESTRICT, .parent = 9, .branch = 4, .truth = true, .innermost = 1}};
    memcpy(kernel->domains, domains, sizeof(domains));
    return kernel;
}

struct enumerated {
    uint64_t threads[DOMAINS];
    uint64_t warps[DOMAINS];
};

/* Adds the points of one warp at one iteration; the union's ways are issued one after the other. */
static void add_warp(struct enumerated *all, const bool present[DOMAINS])
{
    for (uint32_t d = 0; d < DOMAINS; d++)
        all->warps[d] += d == 6 ? (uint64_t)present[3] + present[5] : (uint64_t)present[d];
}

struct walk {
    struct fw_bound *bound;
    const struct fw_kernel *kernel;
    const struct fw_launch *launch;
    struct fw_point point;
    int64_t iterations[2];
    uint64_t number; /* of the point, while domains are found; 0 */
    bool known;
};

static bool holds(struct walk *w, fw_condition a)
{
    bool known;
    bool answer = fw_bound_holds(w->bound, a, &w->point, &known);
    for (int again = 0; again < 2 && w->number; again++) { /* what is kept changes no answer */
        bool known_there;
        bool there = fw_bound_holds_numbered(w->bound, a, &w->point, w->number, &known_there);
        assert_int_equal(known_there, known);
        assert_true(!known || there == answer);
    }
    w->known = w->known && known;
    return answer;
}

/* Which domains the walk's point is in, at an iteration that its thread reaches. */
static void find_domains(struct walk *w, bool in[DOMAINS])
{
    const struct fw_branch *branches = w->kernel->branches;
    memset(in, 0, DOMAINS * sizeof(*in));
    w->number = fw_bound_number_points(w->bound) + w->point.thread[0] % 32;
    in[2] = true;
    in[3] = holds(w, branches[1].condition);
    in[4] = !in[3];
    in[5] = in[4] && holds(w, branches[2].condition);
    in[6] = in[3] || in[5];
    in[7] = in[8] = holds(w, branches[3].condition);
    w->number = 0;
}

static void go_to(struct walk *w, uint32_t thread)
{
    const uint32_t *block = w->launch->block;
    w->point.thread[0] = thread % block[0];
    w->point.thread[1] = thread / block[0] % block[1];
    w->point.thread[2] = thread / block[0] / block[1];
}

static uint32_t last_of_warp(const struct walk *w, uint32_t first)
{
    const uint32_t *block = w->launch->block;
    uint32_t threads = block[0] * block[1] * block[2];
    return first + 32 < threads ? first + 32 : threads;
}

/* The inner loop of one warp in one iteration of the outer one, by the threads that enter it. */
static void walk_inner(struct walk *w, uint32_t first, bool inside[32], struct enumerated *all)
{
    bool any = true;
    for (w->iterations[1] = 0; any && w->known; w->iterations[1]++) {
        bool present[DOMAINS] = {false};
        w->known = w->known && w->iterations[1] < MOST_TRIPS;
        for (uint32_t t = first; t < last_of_warp(w, first); t++) {
            go_to(w, t);
            if (inside[t - first] && w->iterations[1] > 0)
                inside[t - first] = holds(w, w->kernel->loops[1].stays);
            if (!inside[t - first])
                continue;
            bool in = holds(w, w->kernel->branches[4].condition);
            all->threads[INNER]++;
            all->threads[INNER + 1] += in;
            present[INNER] = true;
            present[INNER + 1] = present[INNER + 1] || in;
        }
        any = present[INNER];
        add_warp(all, present);
    }
    w->iterations[1] = 0;
}

/* One warp: iteration by iteration, all its threads that are still in the loop. */
static void walk_warp(struct walk *w, uint32_t first, struct enumerated *all)
{
    bool inside[32] = {false}, any = true;
    for (w->iterations[0] = 0; any && w->known; w->iterations[0]++) {
        bool present[DOMAINS] = {false}, enters[32] = {false};
        any = false;
        w->known = w->known && w->iterations[0] < MOST_TRIPS;
        for (uint32_t t = first; t < last_of_warp(w, first); t++) {
            bool in[DOMAINS];
            go_to(w, t);
            if (w->iterations[0] == 0) {
                all->threads[0]++;
                present[0] = true;
                inside[t - first] = holds(w, w->kernel->branches[0].condition);
                all->threads[1] += inside[t - first];
                present[1] = present[1] || inside[t - first];
            } else if (inside[t - first]) {
                inside[t - first] = holds(w, w->kernel->loops[0].stays);
            }
            if (!inside[t - first])
                continue;
            any = true;
            find_domains(w, in);
            enters[t - first] = in[3];
            for (uint32_t d = 2; d < INNER; d++) {
                all->threads[d] += in[d];
                present[d] = present[d] || in[d];
            }
        }
        add_warp(all, present);
        walk_inner(w, first, enters, all);
    }
}

static bool enumerate(struct walk *w, struct enumerated *all)
{
    const struct fw_launch *launch = w->launch;
    uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    memset(all, 0, sizeof(*all));
    for (uint32_t y = 0; y < launch->grid[1]; y++)
        for (uint32_t x = 0; x < launch->grid[0]; x++)
            for (uint32_t t = 0; t < threads && w->known; t += 32) {
                w->point.block[0] = x;
                w->point.block[1] = y;
                walk_warp(w, t, all);
            }
    return w->known;
}

struct tally {
    unsigned kernels, domains, threads_exact, warps_exact;
};

/* One kernel at one launch; false when a count is wrong. */
static bool try_kernel(struct fw_random *random, struct tally *tally)
{
    static const uint32_t blocks[][3] = {{40, 1, 1}, {8, 5, 1},  {33, 2, 1}, {4, 4, 3},
                                         {64, 1, 1}, {1, 50, 1}, {16, 8, 1}, {32, 3, 1},
                                         {64, 2, 1}, {8, 8, 2},  {2, 4, 9},  {3, 1, 20}};
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_kernel *kernel = make(arena, random);
    struct fw_launch *launch = fw_launch_new(arena, kernel);
    struct fw_bound *bound = fw_bound_new(kernel);
    struct enumerated all;
    bool good = true;
    memcpy(launch->block, blocks[fw_random_between(random, 0, 11)], sizeof(launch->block));
    launch->grid[0] = (uint32_t)fw_random_between(random, 1, 3);
    launch->grid[1] = (uint32_t)fw_random_between(random, 1, 2);
    launch->is_bound[0] = true;
    launch->integers[0] = fw_random_between(random, -3, 40);
    assert_int_equal(fw_bound_set(bound, launch), FW_OK);
    struct walk w = {.bound = bound, .kernel = kernel, .launch = launch, .known = true};
    w.point.iterations = w.iterations;
    if (enumerate(&w, &all)) {
        tally->kernels++;
        for (uint32_t d = 0; d < DOMAINS; d++) {
            const struct fw_total *threads = fw_bound_count(bound, d);
            const struct fw_total *warps = fw_bound_count_warps(bound, d);
            int by_threads = mpz_cmp_ui(threads->value, all.threads[d]);
            int by_warps = mpz_cmp_ui(warps->value, all.warps[d]);
            tally->domains++;
            tally->threads_exact += threads->exact;
            tally->warps_exact += warps->exact;
            if ((threads->exact && by_threads != 0) || (warps->exact && by_warps != 0) ||
                (threads->exact && by_warps < 0)) {
                gmp_printf("domain %u: %Zd threads%s (enumerated %lu), %Zd warps%s (%lu)\n", d,
                           threads->value, threads->exact ? "" : " by estimate",
                           (unsigned long)all.threads[d], warps->value,
                           warps->exact ? "" : " at most", (unsigned long)all.warps[d]);
                good = false;
            }
        }
        if (!good)
            printf("block %u,%u,%u, grid %u,%u, n = %lld\n%s\n", launch->block[0], launch->block[1],
                   launch->block[2], launch->grid[0], launch->grid[1],
                   (long long)launch->integers[0], fw_kernel_dump(arena, kernel));
    }
    fw_bound_free(bound);
    fw_arena_free(arena);
    return good;
}

/* The formulas of a kernel's domains at one value of n, beside enumeration; false: one is wrong. */
static bool try_formulas(struct fw_random *random, struct fw_poly *poly, struct tally *tally)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_kernel *kernel = make(arena, random);
    struct fw_launch *launch = fw_launch_new(arena, kernel);
    struct fw_launch *open = fw_launch_new(arena, kernel);
    struct fw_bound *bound = fw_bound_new(kernel);
    struct enumerated all;
    bool good = true;
    mpz_t value;
    mpz_init(value);
    launch->block[0] = open->block[0] = (uint32_t)fw_random_between(random, 1, 9);
    launch->block[1] = open->block[1] = (uint32_t)fw_random_between(random, 1, 3);
    launch->grid[0] = open->grid[0] = (uint32_t)fw_random_between(random, 1, 3);
    launch->is_bound[0] = true;
    launch->integers[0] = fw_random_between(random, 0, 40); /* formulas hold from 0 on */
    assert_int_equal(fw_bound_set(bound, launch), FW_OK);
    struct fw_symbolic *symbolic = NULL;
    fw_symbolic_new(&symbolic, kernel, open, poly, NULL, NULL);
    struct walk w = {.bound = bound, .kernel = kernel, .launch = launch, .known = true};
    w.point.iterations = w.iterations;
    bool known = symbolic && enumerate(&w, &all);
    tally->kernels += known;
    for (uint32_t d = 0; known && d < DOMAINS; d++) {
        uint32_t one = 1;
        struct fw_tally_row row = {.domains = &d, .times = &one, .term_count = 1};
        const struct fw_formula *formula = fw_symbolic_formula(symbolic, &row);
        size_t name_count;
        int64_t point[] = {launch->integers[0]};
        fw_symbolic_names(symbolic, &name_count);
        tally->domains++;
        if (!formula || name_count > 1)
            continue;
        tally->threads_exact++;
        good =
            good &&
            fw_formula_evaluate(value, formula, fw_symbolic_formulas(symbolic), point) == FW_OK &&
            mpz_cmp_ui(value, all.threads[d]) == 0;
        if (mpz_cmp_ui(value, all.threads[d]) != 0)
            gmp_printf("domain %u at n = %lld: %Zd (enumerated %lu)\n%s\n", d,
                       (long long)launch->integers[0], value, (unsigned long)all.threads[d],
                       fw_kernel_dump(arena, kernel));
    }
    mpz_clear(value);
    fw_symbolic_free(symbolic);
    fw_bound_free(bound);
    fw_arena_free(arena);
    return good;
}

static void test_random_formulas(void **state)
{
    const char *given = getenv("FOREWARP_SEED"), *times = getenv("FOREWARP_TIMES");
    uint64_t seed = given ? strtoull(given, NULL, 0) : 20261121;
    unsigned kernels = times ? (unsigned)strtoul(times, NULL, 0) : FORMULAS, wrong = 0;
    struct tally tally = {0};
    struct fw_poly *poly = fw_poly_new();
    (void)state;
    printf("seed %llu\n", (unsigned long long)seed);
    for (unsigned k = 0; k < kernels && wrong < 3; k++) {
        struct fw_random random = {seed + k};
        if (!try_formulas(&random, poly, &tally)) {
            printf("wrong with FOREWARP_SEED=%llu FOREWARP_TIMES=1\n",
                   (unsigned long long)(seed + k));
            wrong++;
        }
    }
    printf("%u kernels, %u domains: %u with a formula\n", tally.kernels, tally.domains,
           tally.threads_exact);
    fw_poly_free(poly);
    assert_int_equal(wrong, 0);
    assert_true(times || tally.threads_exact > tally.domains / 4);
}

static void test_random_domains(void **state)
{
    const char *given = getenv("FOREWARP_SEED"), *times = getenv("FOREWARP_TIMES");
    uint64_t seed = given ? strtoull(given, NULL, 0) : 20261121;
    unsigned kernels = times ? (unsigned)strtoul(times, NULL, 0) : KERNELS, wrong = 0;
    struct tally tally = {0};
    (void)state;
    printf("seed %llu\n", (unsigned long long)seed);
    for (unsigned k = 0; k < kernels && wrong < 3; k++) {
        struct fw_random random = {seed + k};
        if (!try_kernel(&random, &tally)) {
            printf("wrong with FOREWARP_SEED=%llu FOREWARP_TIMES=1\n",
                   (unsigned long long)(seed + k));
            wrong++;
        }
    }
    printf("%u kernels, %u domains: %u exact by threads, %u by warps\n", tally.kernels,
           tally.domains, tally.threads_exact, tally.warps_exact);
    assert_int_equal(wrong, 0);
    assert_true(times || tally.warps_exact * 100 > tally.domains * 94);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_domains),
                                       cmocka_unit_test(test_random_formulas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
