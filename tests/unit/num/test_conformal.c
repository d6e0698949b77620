/* Hierarchical conformal prediction: quantiles by hand, merged classes, coverage of new families.
 */
#include "conformal.h"

#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>

static double uniform(struct fw_random *random)
{
    return (double)(fw_random_next(random) >> 11) * 0x1p-53;
}

static double normal(struct fw_random *random)
{
    double radius = sqrt(-2 * log(1 - uniform(random)));
    return radius * cos(6.283185307179586 * uniform(random));
}

/* Four families of one row, and one of two rows at half of the weight: with the unknown one there
 * are six.  At a level of 1/3, a side needs 2/3 of six: 4. */
static void quantiles_weigh_families(void **state)
{
    const struct fw_conformal_row rows[] = {{3, 7, 0, 1}, {-1, 1, 0, 1}, {5, 2, 0, 1},
                                            {1, 7, 0, 1}, {0, 3, 0, 1},  {2, 9, 0, 1}};
    struct fw_conformal_class class;
    assert_int_equal(fw_conformal_fit(&class, 1, rows, 6, FW_CONFORMAL_EACH, 1.0 / 3, 5, *state),
                     FW_OK);
    assert_true(class.families == 5 && class.rows == 6 && class.group == 0);
    assert_true(class.high == 3); /* -1, 0, 1/2 of 1, 2, 1/2 of 3: 4 */
    assert_true(class.low == 0);  /* 5, 1/2 of 3, 2, 1/2 of 1, 0: 4 */
    assert_int_equal(fw_conformal_fit(&class, 1, rows, 6, FW_CONFORMAL_EACH, 0.6, 5, *state),
                     FW_OK);
    assert_true(class.high == 5 && class.low == -1); /* 4.8 of 5 that are known */
    assert_int_equal(fw_conformal_fit(&class, 1, rows, 6, FW_CONFORMAL_EACH, 0.7, 5, *state),
                     FW_OK);
    assert_true(isinf(class.high) && isinf(class.low)); /* 5.1 */
}

/* The same families: bounds of one size of 2/3 of six have the errors 0, -1, 1/2 of 1, 2 and 1/2 of
 * 3.  A level of 1/2 needs 3: all but the last two. */
static void bounds_of_one_size_take_errors_without_their_sign(void **state)
{
    const struct fw_conformal_row rows[] = {{3, 7, 0, 1}, {-1, 1, 0, 1}, {-5, 2, 0, 1},
                                            {1, 7, 0, 1}, {0, 3, 0, 1},  {2, 9, 0, 1}};
    struct fw_conformal_class class;
    struct fw_conformal_check check;
    assert_int_equal(fw_conformal_fit(&class, 1, rows, 6, FW_CONFORMAL_EVEN, 2.0 / 3, 5, *state),
                     FW_OK);
    assert_true(class.high == 3 && class.low == -3 && class.families == 5);
    assert_int_equal(fw_conformal_fit(&class, 1, rows, 6, FW_CONFORMAL_EVEN, 0.5, 5, *state),
                     FW_OK);
    assert_true(class.high == 2 && class.low == -2);
    assert_int_equal(fw_conformal_fit(&class, 1, rows, 6, FW_CONFORMAL_EVEN, 0.9, 5, *state),
                     FW_OK);
    assert_true(isinf(class.high) && isinf(class.low));
    /* Without one there are five, of which a level of 0.4 needs two: the bound is 2 for the errors
     * of 0 and of -1, and 1 for the others, of which it holds 1/2. */
    assert_int_equal(fw_conformal_check(&check, 1, rows, 6, FW_CONFORMAL_EVEN, 0.4, 5, *state),
                     FW_OK);
    assert_true(fabs(check.covered - 2.5 / 5) < 1e-12);
}

static void classes_with_few_families_are_merged(void **state)
{
    struct fw_conformal_row rows[60];
    struct fw_conformal_class classes[4];
    struct fw_conformal_check checks[4];
    for (uint32_t r = 0; r < 60; r++) /* 30 families in class 0, 3 in 1, 27 in 2, none in 3 */
        rows[r] = (struct fw_conformal_row){r, r, r < 30 ? 0 : r < 33 ? 1 : 2, 1};
    assert_int_equal(fw_conformal_fit(classes, 4, rows, 60, FW_CONFORMAL_EACH, 0.8, 20, *state),
                     FW_OK);
    /* The three do not spoil the bounds of the 27: they join the 30. */
    assert_true(classes[2].group == 2 && classes[2].families == 27);
    for (int c = 0; c < 4; c++)
        assert_true(c == 2 || (classes[c].group == 0 && classes[c].families == 33 &&
                               classes[c].rows == 33 && classes[c].high == classes[0].high));
    assert_true(classes[2].low > classes[0].high);
    assert_int_equal(fw_conformal_check(checks, 4, rows, 60, FW_CONFORMAL_EACH, 0.8, 20, *state),
                     FW_OK);
    assert_true(checks[0].covered > 0.7 && checks[1].covered == 0 && checks[2].covered > 0.7);
    assert_int_equal(fw_conformal_fit(classes, 4, rows, 60, FW_CONFORMAL_EACH, 0.8, 40, *state),
                     FW_OK);
    for (int c = 0; c < 4; c++)
        assert_true(classes[c].group == 0 && classes[c].families == 60);
}

/* Errors in deviations of 1 or 3: widths and scores are those of the errors themselves. */
static void widths_are_told_without_deviations(void **state)
{
    struct fw_conformal_row rows[40];
    struct fw_conformal_check plain, deviating;
    for (uint32_t r = 0; r < 40; r++)
        rows[r] = (struct fw_conformal_row){r % 8, r, 0, 1};
    assert_int_equal(fw_conformal_check(&plain, 1, rows, 40, FW_CONFORMAL_EACH, 0.6, 20, *state),
                     FW_OK);
    for (uint32_t r = 0; r < 40; r++)
        rows[r].deviation = 3;
    assert_int_equal(
        fw_conformal_check(&deviating, 1, rows, 40, FW_CONFORMAL_EACH, 0.6, 20, *state), FW_OK);
    assert_true(plain.width > 0 && fabs(deviating.width - 3 * plain.width) < 1e-12);
    assert_true(fabs(deviating.score - 3 * plain.score) < 1e-12);
    assert_true(deviating.covered == plain.covered);
}

enum { FAMILIES = 30, MOST_ROWS = 400 };

/* Errors with a spread that is a family's own, and many rows in some of them. */
static size_t draw(struct fw_conformal_row *rows, struct fw_random *random)
{
    size_t count = 0;
    for (uint32_t f = 0; f < FAMILIES; f++) {
        double shift = normal(random), spread = 0.1 + uniform(random);
        size_t most = f % 5 == 0 ? 40 : 3;
        for (size_t r = 0; r < most; r++)
            rows[count++] = (struct fw_conformal_row){shift + spread * normal(random), f, 0, 1};
    }
    return count;
}

/* Over 600 draws, the share of new families' rows within the bounds is the level at least, and not
 * much more: it lies between 0.9 and 0.9 + 2/31, and its standard error is 0.01. */
static void new_families_are_covered(void **state)
{
    static struct fw_conformal_row rows[MOST_ROWS];
    struct fw_random random = {11};
    struct fw_conformal_class class;
    struct fw_conformal_check check;
    double inside = 0, checked = 0;
    for (int d = 0; d < 600; d++) {
        struct fw_arena_mark mark = fw_arena_mark(*state);
        size_t count = draw(rows, &random);
        double shift = normal(&random), spread = 0.1 + uniform(&random);
        double error = shift + spread * normal(&random);
        assert_int_equal(
            fw_conformal_fit(&class, 1, rows, count, FW_CONFORMAL_EACH, 0.9, 20, *state), FW_OK);
        inside += (error >= class.low && error <= class.high) / 600.0;
        if (d < 40) {
            fw_conformal_check(&check, 1, rows, count, FW_CONFORMAL_EACH, 0.9, 20, *state);
            checked += check.covered / 40;
            assert_true(fabs(check.width - (class.high - class.low)) < 1);
            assert_true(check.score >= check.width * 0.9);
        }
        fw_arena_release(*state, mark);
    }
    assert_true(inside > 0.87 && inside < 0.98);
    assert_true(checked > 0.87 && checked < 0.98);
}

/* How often bounds of a sample of `families` hold less than `low` or more than `high` of `judged`
 * others. */
static void sample(double beyond[2], uint32_t families, uint32_t judged,
                   enum fw_conformal_sides sides, double low, double high, struct fw_arena *arena)
{
    enum { SAMPLES = 4000 };
    struct fw_random random = {families};
    struct fw_conformal_row rows[64];
    struct fw_conformal_class class;
    beyond[0] = beyond[1] = 0;
    for (int s = 0; s < SAMPLES; s++) {
        const struct fw_arena_mark mark = fw_arena_mark(arena);
        uint32_t held = 0;
        for (uint32_t f = 0; f < families; f++)
            rows[f] = (struct fw_conformal_row){normal(&random), f, 0, 1};
        assert_int_equal(fw_conformal_fit(&class, 1, rows, families, sides, 0.9, 1, arena), FW_OK);
        for (uint32_t j = 0; j < judged; j++) {
            const double error = normal(&random);
            held += class.low <= error && error <= class.high;
        }
        beyond[0] += (held < low * judged - 1e-9) / (double)SAMPLES;
        beyond[1] += (held > high * judged + 1e-9) / (double)SAMPLES;
        fw_arena_release(arena, mark);
    }
}

static void few_new_families_say_little(void **state)
{
    static const struct {
        uint32_t families, judged;
        enum fw_conformal_sides sides;
        double low, high; /* of the new families, how many */
    } cases[] = {{23, 7, FW_CONFORMAL_EVEN, 5, 7},
                 {31, 4, FW_CONFORMAL_EACH, 3, 4},
                 {60, 40, FW_CONFORMAL_EACH, 32, 39}};
    double low, high, beyond[2];
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        const uint32_t families = cases[c].families, judged = cases[c].judged;
        fw_conformal_usual(&low, &high, cases[c].sides, 0.9, families, judged);
        assert_true(fabs(low * judged - cases[c].low) < 1e-9);
        assert_true(fabs(high * judged - cases[c].high) < 1e-9);
        sample(beyond, families, judged, cases[c].sides, low, high, *state);
        assert_true(beyond[0] < 0.06 && beyond[1] < 0.06);
        sample(beyond, families, judged, cases[c].sides, low + 1.0 / judged, high - 1.0 / judged,
               *state);
        assert_true(beyond[0] > 0.05 && beyond[1] > 0.05); /* no narrower range would do */
    }
    fw_conformal_usual(&low, &high, FW_CONFORMAL_EACH, 0.9, 5, 3); /* no bounds */
    assert_true(isnan(low) && isnan(high));
    fw_conformal_usual(&low, &high, FW_CONFORMAL_EACH, 0.9, 50, 0);
    assert_true(isnan(low) && isnan(high));
}

static void what_is_no_error_is_refused(void **state)
{
    struct fw_conformal_row rows[2] = {{0, 0, 0, 1}, {NAN, 1, 0, 1}};
    struct fw_conformal_class class;
    assert_int_equal(fw_conformal_fit(&class, 1, rows, 2, FW_CONFORMAL_EACH, 0.9, 20, *state),
                     FW_ERROR_INPUT);
    rows[1].error = INFINITY;
    assert_int_equal(fw_conformal_fit(&class, 1, rows, 2, FW_CONFORMAL_EACH, 0.9, 20, *state),
                     FW_ERROR_INPUT);
    rows[1] = (struct fw_conformal_row){0, 1, 1, 1};
    assert_int_equal(fw_conformal_fit(&class, 1, rows, 2, FW_CONFORMAL_EACH, 0.9, 20, *state),
                     FW_ERROR_INPUT);
    assert_int_equal(fw_conformal_fit(&class, 1, rows, 0, FW_CONFORMAL_EACH, 0.9, 20, *state),
                     FW_OK);
    assert_true(class.families == 0 && isinf(class.high));
}

static int begin(void **state)
{
    *state = fw_arena_new(0);
    return 0;
}

static int end(void **state)
{
    fw_arena_free(*state);
    return 0;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {TEST(quantiles_weigh_families),
                                       TEST(bounds_of_one_size_take_errors_without_their_sign),
                                       TEST(classes_with_few_families_are_merged),
                                       TEST(widths_are_told_without_deviations),
                                       TEST(new_families_are_covered),
                                       TEST(few_new_families_say_little),
                                       TEST(what_is_no_error_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
