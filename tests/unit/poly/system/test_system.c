/* What src/poly/system/system.h promises: counts of bound systems against enumeration and closed
 * forms. */
#include <stdio.h> /* before gmp.h, which then declares gmp_fprintf */

#include "random.h"
#include "system.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fw_counter *counter;

static struct fw_row *add(struct fw_system *system, int64_t constant)
{
    struct fw_row *row = &system->rows[system->row_count++];
    memset(row, 0, sizeof(*row));
    row->constant = constant;
    return row;
}

/* low <= variable <= high */
static void add_bounds(struct fw_system *system, uint32_t variable, int64_t low, int64_t high)
{
    add(system, -low)->coefficient[variable] = 1;
    add(system, high)->coefficient[variable] = -1;
}

static bool holds(const struct fw_system *system, const int64_t *point)
{
    for (uint32_t i = 0; i < system->row_count; i++) {
        int64_t sum = system->rows[i].constant;
        for (uint32_t v = 0; v < system->variables; v++)
            sum += system->rows[i].coefficient[v] * point[v];
        if (sum < 0 || (system->rows[i].equality && sum))
            return false;
    }
    return true;
}

/* Points (or, with kept < variables, distinct first coordinates) with all within +-reach. */
static uint64_t enumerate(const struct fw_system *system, const int64_t *low, const int64_t *high,
                          int64_t *point, uint32_t variable, uint32_t kept)
{
    if (variable == system->variables)
        return holds(system, point);
    uint64_t sum = 0;
    for (point[variable] = low[variable]; point[variable] <= high[variable]; point[variable]++) {
        sum += enumerate(system, low, high, point, variable + 1, kept);
        if (variable >= kept && sum)
            return 1;
    }
    return sum;
}

/* A random bounded system; the bounds are rows too, but need not be the tight ones. */
static void make_random(struct fw_random *random, struct fw_system *system, int64_t *low,
                        int64_t *high)
{
    static const int64_t sizes[] = {1, 1, 1, 2, 3, 4, 5, 8, 16};
    system->variables = (uint32_t)fw_random_between(random, 1, 4);
    system->row_count = 0;
    int64_t reach = system->variables == 4 ? 5 : system->variables == 3 ? 9 : 40;
    for (uint32_t v = 0; v < system->variables; v++) {
        low[v] = fw_random_between(random, -reach, 1);
        high[v] = fw_random_between(random, 0, reach);
        add_bounds(system, v, low[v], high[v]);
    }
    int64_t rows = fw_random_between(random, 0, 4);
    for (int64_t i = 0; i < rows; i++) {
        struct fw_row *row = add(system, fw_random_between(random, -12, 30));
        for (uint32_t v = 0; v < system->variables; v++)
            if (fw_random_between(random, 0, 9) < 6)
                row->coefficient[v] = sizes[fw_random_between(random, 0, 8)] *
                                      (fw_random_between(random, 0, 1) ? 1 : -1);
        row->equality = fw_random_between(random, 0, 9) == 0;
        if (fw_random_between(random, 0, 3) == 0) {
            /* the opposite row: a band, as floors have */
            struct fw_row *opposite =
                add(system, -row->constant + fw_random_between(random, 0, 16));
            for (uint32_t v = 0; v < system->variables; v++)
                opposite->coefficient[v] = -row->coefficient[v];
        }
    }
}

static void print_system(const struct fw_system *system)
{
    for (uint32_t i = 0; i < system->row_count; i++) {
        for (uint32_t v = 0; v < system->variables; v++)
            fprintf(stderr, "%+lld x%u ", (long long)system->rows[i].coefficient[v], v);
        fprintf(stderr, "%+lld %s 0\n", (long long)system->rows[i].constant,
                system->rows[i].equality ? "==" : ">=");
    }
}

static uint64_t seed_of_run(void)
{
    const char *given = getenv("FW_SEED");
    uint64_t seed = given ? strtoull(given, NULL, 0) : 20240517;
    printf("seed %llu (FW_SEED sets another)\n", (unsigned long long)seed);
    return seed;
}

static int rounds_of_run(int usual)
{
    const char *given = getenv("FW_ROUNDS");
    return given ? atoi(given) : usual;
}

static void random_systems_agree_with_enumeration(void **state)
{
    (void)state;
    struct fw_random random = {seed_of_run()};
    struct fw_system *system = calloc(1, sizeof(*system));
    mpz_t result;
    mpz_init(result);
    int refused = 0;
    int rounds = rounds_of_run(3000);
    for (int round = 0; round < rounds; round++) {
        int64_t low[FW_SYSTEM_VARIABLES], high[FW_SYSTEM_VARIABLES], point[FW_SYSTEM_VARIABLES];
        make_random(&random, system, low, high);
        enum fw_status status = fw_system_count(result, counter, system);
        uint64_t expected = enumerate(system, low, high, point, 0, system->variables);
        refused += status != FW_OK;
        if (status != FW_OK) {
            print_system(system);
            fprintf(stderr, "round %d: status %d\n", round, (int)status);
        }
        if (status == FW_OK && mpz_cmp_ui(result, expected) != 0) {
            print_system(system);
            gmp_fprintf(stderr, "round %d: %Zd instead of %llu\n", round, result,
                        (unsigned long long)expected);
            fail();
        }
    }
    assert_int_equal(refused, 0);
    mpz_clear(result);
    free(system);
}

/* Distinct first coordinates; one in a thousand may be past the budget, none wrong. */
static void random_projections_agree_with_enumeration(void **state)
{
    (void)state;
    struct fw_random random = {seed_of_run() + 1};
    struct fw_system *system = calloc(1, sizeof(*system));
    mpz_t result;
    mpz_init(result);
    int refused = 0;
    int rounds = rounds_of_run(2000);
    for (int round = 0; round < rounds; round++) {
        int64_t low[FW_SYSTEM_VARIABLES], high[FW_SYSTEM_VARIABLES], point[FW_SYSTEM_VARIABLES];
        make_random(&random, system, low, high);
        uint32_t kept = (uint32_t)fw_random_between(&random, 1, system->variables);
        enum fw_status status = fw_system_count_projected(result, counter, system, kept);
        uint64_t expected = enumerate(system, low, high, point, 0, kept);
        refused += status != FW_OK;
        if (status != FW_OK) {
            print_system(system);
            fprintf(stderr, "round %d, %u kept: status %d\n", round, kept, (int)status);
        }
        if (status == FW_OK && mpz_cmp_ui(result, expected) != 0) {
            print_system(system);
            gmp_fprintf(stderr, "round %d, %u kept: %Zd instead of %llu\n", round, kept, result,
                        (unsigned long long)expected);
            fail();
        }
    }
    printf("%d of %d refused\n", refused, rounds);
    assert_true(refused * 1000 <= rounds);
    mpz_clear(result);
    free(system);
}

/* A count that was made before takes the same steps of those that are left: what is refused does
 * not depend on what was asked before. */
static void counts_made_before_take_their_steps(void **state)
{
    enum { STEPS = 3000, MOST_ASKED = 1000 };
    struct fw_random random = {7};
    struct fw_system *system = calloc(1, sizeof(*system));
    int64_t low[FW_SYSTEM_VARIABLES], high[FW_SYSTEM_VARIABLES], point[FW_SYSTEM_VARIABLES];
    uint32_t hard = 0;
    mpz_t result;
    (void)state;
    mpz_init(result);
    for (int round = 0; round < 200; round++) {
        uint32_t before = 0, now = 0;
        make_random(&random, system, low, high);
        if (system->variables < 2)
            continue;
        const uint64_t expected = enumerate(system, low, high, point, 0, 1);
        for (int time = 0; time < 2; time++) {
            struct fw_counter *own = fw_counter_new();
            now = 0;
            for (int again = 0; again <= time; again++) { /* the second counter knows it */
                fw_counter_allow(own, STEPS);
                for (now = 0; now < MOST_ASKED; now++) {
                    if (fw_system_count_projected(result, own, system, 1) != FW_OK)
                        break;
                    assert_int_equal(mpz_cmp_ui(result, expected), 0);
                }
            }
            before = time ? before : now;
            fw_counter_free(own);
        }
        assert_int_equal(now, before);
        hard += now < MOST_ASKED;
    }
    assert_true(hard > 20);
    mpz_clear(result);
    free(system);
}

static void check(const struct fw_system *system, const char *expected)
{
    mpz_t result;
    mpz_init(result);
    assert_int_equal(fw_system_count(result, counter, system), FW_OK);
    char *text = mpz_get_str(NULL, 10, result);
    assert_string_equal(text, expected);
    free(text);
    mpz_clear(result);
}

/* 256 * block + thread < n, and iterations j < i below it. */
static void guarded_launch(struct fw_system *system, int64_t blocks, int64_t n)
{
    memset(system, 0, sizeof(*system));
    system->variables = 8;
    add_bounds(system, 0, 0, blocks - 1);
    add_bounds(system, 1, 0, 0);
    add_bounds(system, 2, 0, 0);
    add_bounds(system, 3, 0, 255);
    add_bounds(system, 4, 0, 0);
    add_bounds(system, 5, 0, 0);
    struct fw_row *guard = add(system, n - 1);
    guard->coefficient[0] = -256;
    guard->coefficient[3] = -1;
    add_bounds(system, 6, 0, n - 1);
    add(system, 0)->coefficient[7] = 1;
    struct fw_row *triangle = add(system, -1);
    triangle->coefficient[6] = 1;
    triangle->coefficient[7] = -1;
}

static void large_numbers_are_exact(void **state)
{
    (void)state;
    struct fw_system *system = calloc(1, sizeof(*system));
    guarded_launch(system, 40, 10000);
    check(system, "499950000000"); /* n * n (n - 1) / 2 */
    guarded_launch(system, 39, 10000);
    check(system, "499150080000"); /* 9984 * n (n - 1) / 2 */
    guarded_launch(system, INT64_C(1) << 50, INT64_C(1000000000000));
    check(system, "499999999999500000000000000000000000");
    /* a tetrahedron 0 <= i <= j <= k < n with n = 4 * 10^18: n (n + 1) (n + 2) / 6 */
    memset(system, 0, sizeof(*system));
    system->variables = 3;
    int64_t n = INT64_C(4000000000000000000);
    add_bounds(system, 0, 0, n - 1);
    for (uint32_t v = 0; v < 2; v++) {
        struct fw_row *row = add(system, 0);
        row->coefficient[v] = -1;
        row->coefficient[v + 1] = 1;
    }
    add(system, n - 1)->coefficient[2] = -1;
    check(system, "10666666666666666674666666666666666668000000000000000000");
    free(system);
}

/* Lattice points under a line with a huge slope: no cost that follows the numbers. */
static void coefficients_cost_nothing(void **state)
{
    (void)state;
    struct fw_system *system = calloc(1, sizeof(*system));
    system->variables = 2;
    add_bounds(system, 0, 0, INT64_C(1000003) * 5 - 1);
    add(system, 0)->coefficient[1] = 1;
    struct fw_row *row = add(system, 0);
    row->coefficient[0] = 999983; /* 1000003 y <= 999983 x */
    row->coefficient[1] = -1000003;
    /* sum of floor(999983 x / 1000003) + 1 over five periods */
    check(system, "12499824999415");
    free(system);
}

static void unbounded_and_empty_are_told_apart(void **state)
{
    (void)state;
    struct fw_system *system = calloc(1, sizeof(*system));
    mpz_t result;
    mpz_init(result);
    system->variables = 2;
    add(system, 0)->coefficient[0] = 1;
    add_bounds(system, 1, 0, 5);
    assert_int_equal(fw_system_count(result, counter, system), FW_ERROR_INPUT);
    add(system, -1)->coefficient[0] = -1;
    assert_int_equal(fw_system_count(result, counter, system), FW_OK);
    assert_int_equal(mpz_sgn(result), 0);
    mpz_clear(result);
    free(system);
}

static int set_up(void **state)
{
    (void)state;
    counter = fw_counter_new();
    return counter ? 0 : -1;
}

/* Systems that may be neglected: exact ones say so, others hold no more than they say.  In a hurry
 * an answer that is kept is that of counting, and takes as many steps. */
static void neglected_systems_hold_no_more(void **state)
{
    (void)state;
    struct fw_random random = {seed_of_run() + 2};
    struct fw_system *system = calloc(1, sizeof(*system));
    mpz_t result, again;
    mpz_inits(result, again, NULL);
    int estimated = 0, rounds = rounds_of_run(2000);
    for (int round = 0; round < rounds; round++) {
        int64_t low[FW_SYSTEM_VARIABLES], high[FW_SYSTEM_VARIABLES], point[FW_SYSTEM_VARIABLES];
        make_random(&random, system, low, high);
        uint32_t kept = (uint32_t)fw_random_between(&random, 1, system->variables);
        uint64_t expected = enumerate(system, low, high, point, 0, kept);
        fw_counter_neglect(counter, (double)INFINITY);
        assert_int_equal(fw_system_count_projected(result, counter, system, kept), FW_OK);
        double most = fw_counter_neglected(counter);
        estimated += most > 0;
        if (most > 0 ? (double)expected > most || mpz_cmp_d(result, ceil(most / 2)) != 0
                     : mpz_cmp_ui(result, expected) != 0) {
            print_system(system);
            gmp_fprintf(stderr, "round %d, %u kept: %Zd, at most %g, for %llu\n", round, kept,
                        result, most, (unsigned long long)expected);
            fail();
        }
        fw_counter_neglect(counter, most / 2); /* too little for this one */
        enum fw_status status = fw_system_count_projected(result, counter, system, kept);
        assert_true(status != FW_OK || mpz_cmp_ui(result, expected) == 0);
        assert_true(fw_counter_neglected(counter) < 1);
        fw_counter_neglect(counter, 0);
        fw_counter_hurry(counter, true);
        status = fw_system_count_projected(result, counter, system, kept);
        assert_int_equal(fw_system_count_projected(again, counter, system, kept), status);
        assert_true(mpz_cmp(again, result) == 0);
        assert_true(status != FW_OK || mpz_cmp_ui(result, expected) == 0);
        fw_counter_hurry(counter, false);
    }
    assert_true(estimated > rounds / 4 && estimated < rounds);
    mpz_clears(result, again, NULL);
    free(system);
}

/* A floor that no bounds state has one value for each of what it is of. */
static void floors_are_bounded(void **state)
{
    (void)state;
    struct fw_system *system = calloc(1, sizeof(*system));
    mpz_t result;
    mpz_init(result);
    system->variables = 3;
    add_bounds(system, 0, 0, 99);
    add_bounds(system, 1, 0, 9);
    struct fw_row *low = add(system, 0), *high = add(system, 3), *less = add(system, -1);
    low->coefficient[0] = 1;
    low->coefficient[2] = -4;
    high->coefficient[0] = -1;
    high->coefficient[2] = 4; /* x2 = floor(x0 / 4) */
    less->coefficient[2] = 1;
    less->coefficient[1] = -1; /* x2 > x1 */
    less->coefficient[0] = 1;
    fw_counter_neglect(counter, 1000);
    assert_int_equal(fw_system_count(result, counter, system), FW_OK);
    assert_true(fw_counter_neglected(counter) > 999 && mpz_cmp_ui(result, 500) == 0);
    fw_counter_neglect(counter, 999);
    assert_int_equal(fw_system_count(result, counter, system), FW_OK);
    assert_true(fw_counter_neglected(counter) < 1 && mpz_cmp_ui(result, 500) > 0);
    fw_counter_neglect(counter, 0);
    mpz_clear(result);
    free(system);
}

static int tear_down(void **state)
{
    (void)state;
    fw_counter_free(counter);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_systems_agree_with_enumeration),
        cmocka_unit_test(random_projections_agree_with_enumeration),
        cmocka_unit_test(counts_made_before_take_their_steps),
        cmocka_unit_test(neglected_systems_hold_no_more),
        cmocka_unit_test(floors_are_bounded),
        cmocka_unit_test(large_numbers_are_exact),
        cmocka_unit_test(coefficients_cost_nothing),
        cmocka_unit_test(unbounded_and_empty_are_told_apart),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
