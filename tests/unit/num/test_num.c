/* Least squares with bounds, singular values, Student's t. */
#include "least_squares.h"
#include "non_negative.h"
#include "process.h"
#include "singular_values.h"
#include "student.h"

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

/* Abramowitz and Stegun, table 26.10. */
static void quantiles_are_those_of_the_tables(void **state)
{
    static const struct {
        double probability, freedom, value;
    } rows[] = {{0.975, 1, 12.7062047},  {0.975, 2, 4.3026527}, {0.975, 10, 2.2281389},
                {0.975, 1e6, 1.9599664}, {0.95, 5, 2.0150484},  {0.5, 7, 0}};
    (void)state;
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++)
        assert_true(
            fabs(fw_student_quantile(rows[r].probability, rows[r].freedom) - rows[r].value) < 1e-5);
}

/* y = 3 a + 0 b - 2 c: the least squares without negative numbers have c at 0, and a and b that fit
 * what remains.  Columns: a = (1, 0, 1), b = (0, 1, 1), c = (1, 1, 0); y = (1, -2, 3). */
static void what_would_be_negative_is_zero(void **state)
{
    const double columns[3][3] = {{1, 0, 1}, {0, 1, 1}, {1, 1, 0}}, y[3] = {1, -2, 3};
    double gram[16] = {0}, moment[4] = {0}, found[4] = {0}; /* the fourth column is zeros */
    (void)state;
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 3; i++) {
            moment[a] += columns[a][i] * y[i];
            for (int b = 0; b < 3; b++)
                gram[a * 4 + b] += columns[a][i] * columns[b][i];
        }
    fw_non_negative_solve(found, gram, moment, 4);
    assert_true(fabs(found[0] - 2) < 1e-6 && found[1] == 0 && found[2] == 0 && found[3] == 0);
}

/* Two points one length apart, values 1 and 3, noise a half: by hand, the covariance has 2.5 on its
 * diagonal and 1 + e beside it, e = exp(-1), and midway both count 1 + exp(-1/2). Far away the mean
 * is what to expect. */
static void points_near_say_what_to_expect(void **state)
{
    const double at[] = {0, 0, 1, 0}, values[] = {1, 3}, noise[] = {0.5, 0.5}, e = 1 + exp(-1);
    const double midway[] = {0.5, 0}, far[] = {1e6, -1e6};
    struct fw_process_fit fit;
    struct fw_process process;
    assert_int_equal(fw_process_fit(&fit, at, values, noise, 2, 2, *state), FW_OK);
    assert_int_equal(fw_process_take(&process, &fit, NULL, *state), FW_OK);
    double by = 2.5 * 2.5 - e * e, weights[] = {(2.5 - 3 * e) / by, (7.5 - e) / by};
    assert_true(fabs((double)process.weights[0] - weights[0]) < 1e-6);
    assert_true(fabs((double)process.weights[1] - weights[1]) < 1e-6);
    assert_true(fabs(fw_process_at(&process, far) - weights[0] - weights[1]) < 1e-6);
    assert_true(
        fabs(fw_process_at(&process, midway) - (1 + exp(-0.5)) * (weights[0] + weights[1])) < 1e-6);
    assert_int_equal(fw_process_fit(&fit, at, values, noise, 0, 2, *state), FW_OK);
    assert_int_equal(fw_process_take(&process, &fit, NULL, *state), FW_OK);
    assert_true(fw_process_at(&process, midway) == 0);
}

enum { POINTS = 60, AXES = 5 };

static void draw_points(double *at, double *values, double *noise, double of_noise)
{
    struct fw_random random = {5};
    for (size_t i = 0; i < POINTS * AXES; i++)
        at[i] = (double)(float)(3 * uniform(&random));
    for (size_t p = 0; p < POINTS; p++) {
        values[p] = uniform(&random);
        noise[p] = of_noise;
    }
}

/* Without noise each value is given back, of many points too.  A noise of 0, and a coordinate that
 * is no number, are refused. */
static void points_without_noise_are_given_back(void **state)
{
    double at[POINTS * AXES], values[POINTS], noise[POINTS];
    struct fw_process_fit fit;
    struct fw_process process;
    draw_points(at, values, noise, 1e-9);
    assert_int_equal(fw_process_fit(&fit, at, values, noise, POINTS, AXES, *state), FW_OK);
    assert_int_equal(fw_process_take(&process, &fit, NULL, *state), FW_OK);
    for (size_t p = 0; p < POINTS; p++)
        assert_true(fabs(fw_process_at(&process, at + p * AXES) - values[p]) < 1e-4);
    noise[7] = 0;
    assert_int_equal(fw_process_fit(&fit, at, values, noise, POINTS, AXES, *state), FW_ERROR_INPUT);
    noise[7] = 1;
    at[5] = (double)NAN;
    assert_int_equal(fw_process_fit(&fit, at, values, noise, POINTS, AXES, *state), FW_ERROR_INPUT);
}

/* What is left of a fit without some points is the fit of the others, whatever these said. */
static void points_left_out_say_nothing(void **state)
{
    double at[POINTS * AXES], values[POINTS], noise[POINTS];
    double rest_at[POINTS * AXES], rest_values[POINTS];
    bool left_out[POINTS];
    struct fw_process_fit fit;
    struct fw_process taken, rest;
    uint32_t count = 0;
    draw_points(at, values, noise, 0.1);
    for (uint32_t p = 0; p < POINTS; p++) {
        left_out[p] = p % 7 == 3 || p == 0 || p == POINTS - 1;
        if (left_out[p]) {
            values[p] = 100;
            continue;
        }
        for (uint32_t c = 0; c < AXES; c++)
            rest_at[count * AXES + c] = at[p * AXES + c];
        rest_values[count++] = values[p];
    }
    assert_int_equal(fw_process_fit(&fit, at, values, noise, POINTS, AXES, *state), FW_OK);
    assert_int_equal(fw_process_take(&taken, &fit, left_out, *state), FW_OK);
    assert_int_equal(fw_process_fit(&fit, rest_at, rest_values, noise, count, AXES, *state), FW_OK);
    assert_int_equal(fw_process_take(&rest, &fit, NULL, *state), FW_OK);
    assert_int_equal(taken.points, count);
    for (uint32_t p = 0; p < POINTS; p++)
        assert_true(fabs(fw_process_at(&taken, at + p * AXES) -
                         fw_process_at(&rest, at + p * AXES)) < 1e-4);
}

/* Two points as far apart as three lengths: one group's say of each other what exp(-1) is worth,
 * and others do not; nothing is of no group. */
static void points_of_a_group_are_alike_from_afar(void **state)
{
    const double at[] = {0, 100, 3}, values[] = {1, 0}, noise[] = {0.1, 0.1};
    struct fw_process_fit fit;
    struct fw_process process;
    for (uint32_t alone = 0; alone < 2; alone++) {
        const uint32_t groups[] = {7, alone ? FW_PROCESS_NO_GROUP : 8};
        assert_int_equal(fw_process_fit_groups(&fit, at, values, noise, groups, 2, 1, *state),
                         FW_OK);
        assert_int_equal(fw_process_take(&process, &fit, NULL, *state), FW_OK);
        double nearest, usual = fw_process_at(&process, at + 2);
        double more = fw_process_at_group(&nearest, &process, at + 2, 7) - usual;
        /* The covariance is 3.1 of each with itself, and 1 of both. */
        double weight = 3.1 / (3.1 * 3.1 - 1);
        assert_true(fabs(more - weight * exp(-1)) < 1e-6);
        assert_true(nearest == 3);
        assert_true(fw_process_at_group(NULL, &process, at + 2, 9) == usual);
        assert_true(fw_process_at_group(NULL, &process, at + 2, FW_PROCESS_NO_GROUP) == usual);
    }
}

static void singular_values_rebuild_the_matrix(void **state)
{
    enum { ROWS = 9, COLUMNS = 5 };
    double matrix[ROWS * COLUMNS], values[COLUMNS], vectors[COLUMNS * COLUMNS];
    struct fw_random random = {3};
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        matrix[i] = uniform(&random) - 0.5;
    for (size_t r = 0; r < ROWS; r++) /* the last column depends on two others, but for 1e-9 */
        matrix[4 * ROWS + r] = matrix[r] + matrix[ROWS + r] + 1e-9 * uniform(&random);
    fw_singular_values(values, vectors, matrix, ROWS, COLUMNS, *state);
    for (size_t v = 0; v < COLUMNS; v++) {
        double square = 0;
        for (size_t r = 0; r < ROWS; r++) {
            double sum = 0;
            for (size_t c = 0; c < COLUMNS; c++)
                sum += matrix[c * ROWS + r] * vectors[v * COLUMNS + c];
            square += sum * sum;
        }
        assert_true(fabs(sqrt(square) - values[v]) < 1e-14);
        assert_true(v == 0 || values[v] <= values[v - 1]);
    }
    assert_true(values[4] > 1e-11 && values[4] < 2e-9);
}

/* Rosenbrock's valley: residuals 10 (y - x^2) and 1 - x. */
static bool valley(void *user, const double *at, double *residuals, double *jacobian)
{
    (void)user;
    if (residuals) {
        residuals[0] = 10 * (at[1] - at[0] * at[0]);
        residuals[1] = 1 - at[0];
    } else {
        jacobian[0] = -20 * at[0];
        jacobian[1] = -1;
        jacobian[2] = 10;
        jacobian[3] = 0;
    }
    return true;
}

static void valley_is_descended_with_and_without_a_bound(void **state)
{
    double low[] = {-INFINITY, -INFINITY}, high[] = {INFINITY, INFINITY}, scale[] = {1, 1};
    struct fw_least_squares problem = {2, 2, low, high, scale, valley, NULL};
    double at[] = {-1.2, 1};
    struct fw_least_squares_result result =
        fw_least_squares_solve(at, &problem, 1e-12, 500, *state);
    assert_true(result.converged && fabs(at[0] - 1) < 1e-9 && fabs(at[1] - 1) < 1e-9);
    high[0] = 0.5; /* the least on x = 0.5 is at y = 0.25 */
    at[0] = -1.2;
    at[1] = 1;
    result = fw_least_squares_solve(at, &problem, 1e-12, 500, *state);
    assert_true(at[0] == 0.5 && fabs(at[1] - 0.25) < 1e-6);
    assert_true(fabs(result.square_sum - 0.25) < 1e-9);
}

struct linear {
    size_t rows, columns;
    const double *matrix, *right;
};

static bool linear(void *user, const double *at, double *residuals, double *jacobian)
{
    const struct linear *l = user;
    for (size_t r = 0; residuals && r < l->rows; r++) {
        residuals[r] = -l->right[r];
        for (size_t c = 0; c < l->columns; c++)
            residuals[r] += l->matrix[c * l->rows + r] * at[c];
    }
    for (size_t i = 0; jacobian && i < l->rows * l->columns; i++)
        jacobian[i] = l->matrix[i];
    return true;
}

/* Karush, Kuhn and Tucker's conditions hold at what comes out. */
static void non_negative_least_squares_meet_the_conditions(void **state)
{
    enum { ROWS = 20, COLUMNS = 8 };
    struct fw_random random = {17};
    for (int trial = 0; trial < 200; trial++) {
        double matrix[ROWS * COLUMNS], right[ROWS], residuals[ROWS], low[COLUMNS], high[COLUMNS],
            scale[COLUMNS], at[COLUMNS];
        struct linear user = {ROWS, COLUMNS, matrix, right};
        struct fw_least_squares problem = {ROWS, COLUMNS, low, high, scale, linear, &user};
        for (size_t i = 0; i < ROWS * COLUMNS; i++)
            matrix[i] = uniform(&random) - 0.3;
        for (size_t r = 0; r < ROWS; r++)
            right[r] = uniform(&random) - 0.3;
        for (size_t c = 0; c < COLUMNS; c++) {
            low[c] = 0;
            high[c] = INFINITY;
            scale[c] = at[c] = 0.5;
        }
        fw_least_squares_solve(at, &problem, 1e-13, 1000, *state);
        linear(&user, at, residuals, NULL);
        for (size_t c = 0; c < COLUMNS; c++) {
            double slope = 0;
            for (size_t r = 0; r < ROWS; r++)
                slope += matrix[c * ROWS + r] * residuals[r];
            assert_true(at[c] >= 0 && slope > -1e-6);
            assert_true(at[c] == 0 || fabs(slope) < 1e-6);
        }
    }
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
    const struct CMUnitTest tests[] = {TEST(what_would_be_negative_is_zero),
                                       TEST(quantiles_are_those_of_the_tables),
                                       TEST(singular_values_rebuild_the_matrix),
                                       TEST(points_near_say_what_to_expect),
                                       TEST(points_without_noise_are_given_back),
                                       TEST(points_left_out_say_nothing),
                                       TEST(points_of_a_group_are_alike_from_afar),
                                       TEST(valley_is_descended_with_and_without_a_bound),
                                       TEST(non_negative_least_squares_meet_the_conditions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
