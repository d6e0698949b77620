/* Fits of cost models: parameters come back from tables made with known ones, confidence covers
 * the truth as often as it says, dependences are named, and bad data are refused. */
#include "cost_fit.h"

#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static char told[4096]; /* codes and messages, each behind a line */

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    size_t length = strlen(told);
    (void)user;
    snprintf(told + length, sizeof(told) - length, "%s %s\n", diagnostic->code,
             diagnostic->message);
}

static const struct fw_sink sink = {hear, NULL};

static struct fw_source *source_of(struct fw_arena *arena, const char *name, const char *text)
{
    struct fw_source *source = FW_NEW(arena, struct fw_source);
    *source = (struct fw_source){name, text, strlen(text)};
    return source;
}

static struct fw_cost_model *model_of(struct fw_arena *arena, const char *text)
{
    struct fw_cost_model *model = NULL;
    enum fw_status status =
        fw_cost_model_read(&model, arena, source_of(arena, "model.cost", text), &sink);
    if (status)
        printf("%s", told);
    assert_int_equal(status, FW_OK);
    return model;
}

static struct fw_cost_calibration *fit(struct fw_arena *arena, const char *model, const char *table,
                                       enum fw_status expected)
{
    struct fw_cost_table *read = NULL;
    struct fw_cost_calibration *calibration = NULL;
    const struct fw_cost_settings settings = {0};
    told[0] = '\0';
    struct fw_cost_model *parsed = model_of(arena, model);
    enum fw_status status =
        fw_cost_table_read(&read, arena, source_of(arena, "table.csv", table), &sink);
    if (!status)
        status = fw_cost_calibrate(&calibration, arena, parsed, read, &settings, &sink);
    if (status != expected)
        printf("%s", told);
    assert_int_equal(status, expected);
    return calibration;
}

static double uniform(struct fw_random *random)
{
    return (double)(fw_random_next(random) >> 11) * 0x1p-53;
}

/* Box and Muller's. */
static double normal(struct fw_random *random)
{
    double u = 1 - uniform(random), v = uniform(random);
    return sqrt(-2 * log(u)) * cos(2 * 3.14159265358979323846 * v);
}

/* ---- synthetic tables ---- */

static const char grouped[] = "output f_time\n"
                              "memory = p_load * f_load + p_store * f_store\n"
                              "on_chip = p_madd * f_madd + p_local * f_local\n"
                              "overhead = p_launch * f_launch + p_group * f_groups\n";

static const struct {
    const char *name;
    double value;
} truths[] = {{"p_load", 3.5e-12},  {"p_store", 4.5e-12}, {"p_madd", 5e-12}, {"p_local", 9.5e-12},
              {"p_launch", 7.7e-6}, {"p_group", 1.6e-9},  {"p_edge", 12},    {"p_overlap", 0.6}};

static double truth(const char *name)
{
    for (size_t t = 0; t < sizeof(truths) / sizeof(truths[0]); t++)
        if (strcmp(truths[t].name, name) == 0)
            return truths[t].value;
    fail();
    return 0;
}

/* Rows after the paper's measurement kernels: some of memory alone, some of arithmetic, empty ones,
 * and such as do both, in changing proportion. */
static const char *make_table(struct fw_arena *arena, enum fw_cost_overlap overlap, double noise,
                              uint64_t seed)
{
    struct fw_buffer out = fw_buffer_new(arena);
    struct fw_random random = {seed};
    fw_buffer_printf(&out, "kernel,f_load,f_store,f_madd,f_local,f_launch,f_groups,f_time\n");
    for (int r = 0; r < 60; r++) {
        double size = pow(10, 7 + 2 * uniform(&random)), groups = floor(size / 1e4);
        double load = r % 6 == 3 ? 0 : size * (1 + r % 4), store = r % 6 == 3 ? 0 : size;
        double madd = r % 6 == 0   ? 0
                      : r % 6 == 1 ? size * 2
                                   : size * pow(10, 1.5 * uniform(&random) - 0.5);
        double local = r % 6 < 2 ? 0 : size * 2 * uniform(&random);
        if (r % 10 == 9)
            load = store = madd = local = 0;
        double memory = load * truth("p_load") + store * truth("p_store");
        double chip = madd * truth("p_madd") + local * truth("p_local");
        double sum = memory + chip;
        double step = sum > 0 ? (tanh(truth("p_edge") * (memory - chip) / sum) + 1) / 2 : 0;
        double most = memory * step + chip * (1 - step);
        double cost = overlap == FW_COST_OVERLAP_NONE   ? sum
                      : overlap == FW_COST_OVERLAP_FULL ? most
                                                        : sum - truth("p_overlap") * (sum - most);
        double time =
            (cost + truth("p_launch") + groups * truth("p_group")) * (1 + noise * normal(&random));
        fw_buffer_printf(&out, "k%d,%.17g,%.17g,%.17g,%.17g,1,%.17g,%.17g\n", r, load, store, madd,
                         local, groups, time);
    }
    return out.text;
}

static void check_recovered(const struct fw_cost_calibration *calibration, double tolerance)
{
    const struct fw_cost_fit *chosen = calibration->chosen;
    for (size_t e = 0; e < chosen->estimate_count; e++) {
        const struct fw_cost_estimate *one = &chosen->estimates[e];
        const char *name = calibration->model->parameters.at[one->parameter].name;
        /* The sharpness of the step shows only where the two costs are nearly the same. */
        bool edge = strcmp(name, "p_edge") == 0;
        double own = edge && tolerance > 1e-3 ? 3 : tolerance;
        if (!(fabs(one->value - truth(name)) <= own * truth(name)))
            fail_msg("%s is %g, not %g", name, one->value, truth(name));
    }
}

static void each_form_of_overlap_is_found_and_its_parameters_come_back(void **state)
{
    for (int o = 0; o < FW_COST_OVERLAP_COUNT; o++)
        for (int noisy = 0; noisy < 2; noisy++) {
            enum fw_cost_overlap overlap = (enum fw_cost_overlap)o;
            const char *table = make_table(*state, overlap, noisy ? 0.01 : 0, 7 + (uint64_t)o);
            struct fw_cost_calibration *made = fit(*state, grouped, table, FW_OK);
            if (made->chosen->overlap != overlap)
                printf("%s", made->choice);
            assert_int_equal(made->chosen->overlap, overlap);
            check_recovered(made, noisy ? 0.04 : 1e-5);
            assert_non_null(strstr(made->choice, fw_cost_overlap_name(overlap)));
            assert_string_equal(told, "");
        }
}

static void a_stated_overlap_is_not_chosen_anew(void **state)
{
    const char *table = make_table(*state, FW_COST_OVERLAP_FULL, 0.01, 3);
    struct fw_cost_calibration *made =
        fit(*state, fw_arena_printf(*state, "%soverlap none\n", grouped), table, FW_OK);
    assert_int_equal(made->chosen->overlap, FW_COST_OVERLAP_NONE);
    assert_null(made->choice);
    assert_true(made->chosen->mean_absolute > 0.05); /* and fits badly */
}

static void calibration_is_read_back_and_predicts_the_same(void **state)
{
    for (int o = 0; o < FW_COST_OVERLAP_COUNT; o++) {
        const char *table = make_table(*state, (enum fw_cost_overlap)o, 0.01, 11);
        struct fw_cost_calibration *made = fit(*state, grouped, table, FW_OK);
        const char *text = fw_cost_calibration_text(*state, made, "forewarp 0", "a \"device\"\n");
        struct fw_cost_model *again = model_of(*state, text);
        struct fw_cost_predictor predictor;
        assert_true(again->calibrated);
        assert_string_equal(again->device, "a  device  ");
        fw_cost_predictor_new(&predictor, *state, again);
        double *scratch = FW_ARRAY(*state, double, fw_cost_scratch(&predictor.program, 1));
        for (size_t r = 0; r < made->table->row_count; r++) {
            double features[8];
            for (size_t f = 0; f < predictor.feature_count; f++)
                features[f] = made->data.features[f * made->table->row_count + r];
            double value = fw_cost_predict(&predictor, features, scratch);
            assert_true(fabs(value - made->chosen->predicted[r]) <= 1e-12 * value);
        }
    }
}

static void intervals_cover_the_truth_in_95_of_100_fits(void **state)
{
    enum { FITS = 300 };
    size_t covered = 0, all = 0;
    for (uint64_t seed = 1; seed <= FITS; seed++) {
        struct fw_arena *arena = fw_arena_new(0);
        (void)state;
        const char *table = make_table(arena, FW_COST_OVERLAP_FULL, 0.02, 1000 * seed);
        struct fw_cost_calibration *made =
            fit(arena, fw_arena_printf(arena, "%soverlap full\n", grouped), table, FW_OK);
        const struct fw_cost_fit *chosen = made->chosen;
        for (size_t e = 0; e < chosen->estimate_count; e++) {
            const struct fw_cost_estimate *one = &chosen->estimates[e];
            double value = truth(made->model->parameters.at[one->parameter].name);
            if (strcmp(made->model->parameters.at[one->parameter].name, "p_edge") == 0)
                continue; /* far from linear: its intervals are not */
            all++;
            covered += one->from <= value && value <= one->to;
        }
        fw_arena_free(arena);
    }
    printf("covered: %zu of %zu\n", covered, all);
    assert_true((double)covered > 0.935 * (double)all);
    assert_true((double)covered < 0.965 * (double)all);
}

static void parameters_that_the_data_cannot_tell_apart_are_named(void **state)
{
    /* f_b is always twice f_a; f_c stands alone. */
    struct fw_cost_calibration *made =
        fit(*state, "output f_time\ncost = p_a * f_a + p_b * f_b + p_c * f_c\n",
            "kernel,f_a,f_b,f_c,f_time\nk1,1,2,0,5\nk2,2,4,1,11.1\nk3,3,6,5,19.9\nk4,0,0,2,2\n"
            "k5,7,14,1,36.2\n",
            FW_OK);
    assert_non_null(strstr(told, "COST034 the data cannot tell p_a and p_b apart: only a "
                                 "combination"));
    assert_null(strstr(told, "p_c"));
    assert_int_equal(made->chosen->confusion_count, 1);
    assert_true(isnan(made->chosen->estimates[0].error) && isnan(made->chosen->estimates[1].error));
    assert_true(made->chosen->estimates[2].error < 0.1);
}

static void two_dependences_are_told_apart(void **state)
{
    struct fw_cost_calibration *made = fit(
        *state, "output f_time\ncost = p_a*f_a + p_b*f_b + p_c*f_c + p_d*f_d\n",
        "kernel,f_a,f_b,f_c,f_d,f_time\nk1,1,2,3,1,5\nk2,2,4,3,1,11\nk3,3,6,9,3,19\nk4,1,2,6,2,2\n"
        "k5,7,14,3,1,36\n",
        FW_OK);
    assert_non_null(strstr(told, "cannot tell p_a and p_b apart"));
    assert_non_null(strstr(told, "cannot tell p_c and p_d apart"));
    assert_int_equal(made->chosen->confusion_count, 2);
}

/* f_c = f_a + f_b and f_f = f_d + f_e: the vectors of both dependences have the same singular
 * value, so that any mixture of them would do. */
static void dependences_of_three_are_not_mixed(void **state)
{
    struct fw_random random = {9};
    struct fw_buffer out = fw_buffer_new(*state);
    fw_buffer_printf(&out, "kernel,f_a,f_b,f_c,f_d,f_e,f_f,f_time\n");
    for (int r = 0; r < 14; r++) {
        int v[4], sum = 0;
        for (int i = 0; i < 4; i++)
            sum += v[i] = (int)fw_random_between(&random, 1, 20);
        fw_buffer_printf(&out, "k%d,%d,%d,%d,%d,%d,%d,%d\n", r, v[0], v[1], v[0] + v[1], v[2], v[3],
                         v[2] + v[3], 3 * sum + (int)fw_random_between(&random, 0, 1));
    }
    struct fw_cost_calibration *made = fit(
        *state, "output f_time\ncost = p_a*f_a + p_d*f_d + p_b*f_b + p_e*f_e + p_c*f_c + p_f*f_f\n",
        out.text, FW_OK);
    assert_non_null(strstr(told, "cannot tell p_a, p_b and p_c apart"));
    assert_non_null(strstr(told, "cannot tell p_d, p_e and p_f apart"));
    assert_int_equal(made->chosen->confusion_count, 2);
}

static void near_dependence_is_named_where_it_makes_parameters_unsure(void **state)
{
    struct fw_random random = {5};
    struct fw_buffer out = fw_buffer_new(*state);
    fw_buffer_printf(&out, "kernel,f_a,f_b,f_c,f_time\n");
    for (int r = 0; r < 30; r++) {
        double a = 1 + uniform(&random), b = 3 * a * (1 + 0.003 * normal(&random));
        double c = 5 * uniform(&random);
        fw_buffer_printf(&out, "k%d,%.9g,%.9g,%.9g,%.9g\n", r, a, b, c,
                         (a + b + c) * (1 + 0.02 * normal(&random)));
    }
    fit(*state, "output f_time\ncost = p_a * f_a + p_b * f_b + p_c * f_c\n", out.text, FW_OK);
    assert_non_null(strstr(told, "COST034 the data cannot tell p_a and p_b apart: the condition"));
}

static void non_negative_parameters_stop_at_0_and_the_rest_is_the_best(void **state)
{
    /* Unbounded, p_b would be -1: t = 4 a - b. */
    static const char table[] = "kernel,f_a,f_b,f_t\nk1,1,1,3\nk2,1,2,2\nk3,2,1,7\nk4,3,2,10\n";
    struct fw_cost_calibration *made =
        fit(*state, "output f_t\ncost = p_a * f_a + p_b * f_b\n", table, FW_OK);
    assert_true(fabs(made->chosen->estimates[0].value - 4) < 1e-9);
    assert_true(fabs(made->chosen->estimates[1].value + 1) < 1e-9);
    made = fit(*state, "output f_t\nnon_negative\ncost = p_a * f_a + p_b * f_b\n", table, FW_OK);
    assert_true(made->chosen->estimates[1].value == 0 && made->chosen->estimates[1].at_bound);
    /* p_a = sum(x) / sum(x^2) with x = f_a / t */
    double x[] = {1.0 / 3, 1.0 / 2, 2.0 / 7, 3.0 / 10}, sum = 0, squares = 0;
    for (int i = 0; i < 4; i++) {
        sum += x[i];
        squares += x[i] * x[i];
    }
    assert_true(fabs(made->chosen->estimates[0].value - sum / squares) < 1e-9);
}

static void logarithms_make_the_geometric_mean_the_best(void **state)
{
    /* Of one parameter, the sum of log(p f / t)^2 is least at the geometric mean of t / f, and the
     * sum of (p f / t - 1)^2 at sum(f / t) / sum((f / t)^2). */
    static const char table[] = "kernel,f_a,f_t\nk1,1,1\nk2,1,2\nk3,1,32\n";
    struct fw_cost_calibration *made =
        fit(*state, "output f_t\nlogarithmic\ncost = p_a * f_a\n", table, FW_OK);
    assert_true(fabs(made->chosen->estimates[0].value - 4) < 1e-6);
    assert_true(fabs(made->chosen->rms * made->chosen->rms -
                     (log(4) * log(4) + log(2) * log(2) + log(8) * log(8)) / 3) < 1e-6);
    made = fit(*state, "output f_t\ncost = p_a * f_a\n", table, FW_OK);
    double first = 1 + 1.0 / 2 + 1.0 / 32, second = 1 + 1.0 / 4 + 1.0 / 1024;
    assert_true(fabs(made->chosen->estimates[0].value - first / second) < 1e-9);
}

/* Nine rows of one cost and one that takes 100 times as long: the mean would be 10.9 times, the
 * geometric mean 1.6 times the cost.  Where the derivative of the pseudo-Huber loss of all rows is
 * 0, the nine are off by 1.1 %. */
static void a_robust_fit_leaves_an_outlier_alone(void **state)
{
    struct fw_buffer table = fw_buffer_new(*state);
    fw_buffer_printf(&table, "kernel,f_a,f_t\nfar,1,200\n");
    for (int r = 1; r < 10; r++)
        fw_buffer_printf(&table, "k%d,%d,%d\n", r, r, 2 * r);
    static const char *const forms[] = {"robust\nlogarithmic\n", "robust\n"};
    for (size_t f = 0; f < 2; f++) {
        struct fw_cost_calibration *made =
            fit(*state, fw_arena_printf(*state, "output f_t\n%scost = p_a * f_a ^ p_b\n", forms[f]),
                table.text, FW_OK);
        const struct fw_cost_estimate *p = made->chosen->estimates;
        assert_true(fabs(p[1].value - 1) < 0.05 && fabs(p[0].value / 2 - 1) < 0.15);
    }
    struct fw_cost_calibration *one =
        fit(*state, "output f_t\nrobust\nlogarithmic\ncost = p_a * f_a\n", table.text, FW_OK);
    double off = log(one->chosen->estimates[0].value / 2), far = log(100) - off;
    double pull = 9 * off / sqrt(1 + 100 * off * off), other = far / sqrt(1 + 100 * far * far);
    assert_true(fabs(pull - other) < 1e-5 && off > 0.011 && off < 0.012);
}

static void rows_held_out_are_predicted_and_not_fitted(void **state)
{
    struct fw_cost_table *table;
    struct fw_cost_calibration *made;
    const char *names[] = {"far*"};
    const struct fw_cost_settings settings = {.held_out = names, .held_out_count = 1};
    const char *text = "kernel,f_a,f_t\nfar1,3,100\nk1,1,2\nfar2,4,4\nk2,2,4\n";
    struct fw_cost_model *model = model_of(*state, "output f_t\ncost = p_a * f_a\n");
    assert_int_equal(fw_cost_table_read(&table, *state, source_of(*state, "t", text), &sink), 0);
    assert_int_equal(fw_cost_calibrate(&made, *state, model, table, &settings, &sink), 0);
    assert_true(fabs(made->chosen->estimates[0].value - 2) < 1e-12);
    assert_int_equal(made->held_count, 2);
    assert_true(fabs(made->chosen->held_mean - (0.94 + 1) / 2) < 1e-9);
    names[0] = "none";
    told[0] = '\0';
    assert_int_equal(fw_cost_calibrate(&made, *state, model, table, &settings, &sink),
                     FW_ERROR_USAGE);
    assert_non_null(strstr(told, "COST035"));
}

static void work_and_its_direction_are_found(void **state)
{
    struct fw_cost_calibration *made =
        fit(*state,
            "output f_t\ncost = p_barrier * f_barriers * f_groups + f_bytes / p_rate + p_fixed\n",
            "kernel,f_barriers,f_groups,f_bytes,f_t\nk1,2,3,0,8\nk2,2,30,0,62\nk3,1,1,100,53\n"
            "k4,4,2,1000,510\nk5,1,5,20,17\n",
            FW_OK);
    const struct fw_cost_estimate *at = made->chosen->estimates;
    assert_true(fabs(at[0].value - 1) < 1e-9 && fabs(at[1].value - 2) < 1e-9 &&
                fabs(at[2].value - 2) < 1e-8);
    assert_true(at[0].work && !at[0].divides && at[1].work && at[1].divides && !at[2].work);
    assert_string_equal(fw_cost_text(*state, &made->model->graph, at[0].work,
                                     fw_cost_feature_names(made->model, *state), NULL),
                        "f_barriers * f_groups");
    assert_true(fabs(made->chosen->shares[0] - 0.75) < 1e-9);
}

static void bad_data_are_refused_with_a_place(void **state)
{
    static const struct {
        const char *model, *table, *code;
    } cases[] = {
        {"cost = p_a * f_a + p_b * f_b", "k,f_a,f_b,f_t\nk1,1,2,3\n", "COST030"},
        {"cost = f_a", "k,f_a,f_t\nk1,1,2\n", "COST030 the model has no parameter"},
        {"cost = p_a * f_a + p_b * f_b", "k,f_a,f_b,f_t\nk1,1,0,3\nk2,1,0,4\n",
         "COST031 f_b is 0 in all rows"},
        {"cost = p_a * f_a / f_b", "k,f_a,f_b,f_t\nk1,1,2,3\nk2,1,0,4\n",
         "COST032 row k2 of table.csv: this division is by zero"},
        {"cost = p_a * log(f_a)", "k,f_a,f_t\nk1,1,3\nk2,0,4\n",
         "COST032 row k2 of table.csv: this logarithm"},
        {"cost = p_a * f_c", "k,f_a,f_t\nk1,1,3\n", "COST022 table.csv has no column f_c"},
        {"cost = p_a * f_a", "k,f_a,f_s\nk1,1,3\n", "COST022 table.csv has no column f_t"},
        {"cost = p_a * f_a", "k,f_a,f_t\nk1,1,0\n", "COST024 row k1"},
        {"cost = p_a * f_a", "k,f_a,f_t\nk1,,1\n", "COST021 row k1 has no f_a"},
        {"cost = p_a * f_a", "k,f_a,f_t\nk1,1e999,1\n", "COST021 this is no finite number"},
        {"cost = p_a * f_a", "k,f_a,f_t\nk1,x,1\n", "COST021"},
        {"cost = p_a * f_a", "k,f_a,f_t\nk1,1\n", "COST020 this row has 2 of 3 cells"},
        {"cost = p_a * f_a", "k,f_a,f_t\nk1,1,2,3\n", "COST020 this row has more cells"},
        {"cost = p_a * f_a", "k,f_a,f_t\nk1,1,2\nk1,1,2\n", "COST023 two rows are called k1"},
        {"cost = p_a * f_a", "k,f_a,f_a\nk1,1,2\n", "COST023 two columns"},
        {"cost = p_a * f_a", "k,f_a,f_t\n", "COST025"},
        {"cost = p_a * f_a", "", "COST025"},
        {"cost = p_a * f_a", "[{\"kernel\": \"a\", \"f_a\": 1, }]", "COST020 this is no JSON"},
        {"cost = p_a * f_a", "[{\"f_a\": 1}]", "COST020 row 1 has no text \"kernel\""},
        {"cost = p_a * f_a", "[{\"kernel\": \"a\", \"f_a\": \"1\"}]", "COST021 row a: f_a is no"},
        {"cost = p_a * f_a", "{\"rows\": 3}", "COST020 the table is an array"}};
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        fit(*state, fw_arena_printf(*state, "output f_t\n%s\n", cases[c].model), cases[c].table,
            FW_ERROR_INPUT);
        if (!strstr(told, cases[c].code))
            fail_msg("%s: %s", cases[c].code, told);
    }
}

static void parameters_that_are_not_used_are_told_and_need_no_value(void **state)
{
    struct fw_cost_calibration *made =
        fit(*state, "output f_t\nparameter p_a, p_b >= 0\nlet b = p_b\ncost = p_a * f_a\n",
            "k,f_a,f_t\nk1,1,2\nk2,2,4.1\n", FW_OK);
    assert_string_equal(told, "COST013 p_b is not part of the cost\n");
    told[0] = '\0';
    model_of(*state, fw_cost_calibration_text(*state, made, "forewarp 0", NULL));
    assert_string_equal(told, "");
}

static void comments_and_texts_of_a_model_survive(void **state)
{
    struct fw_cost_calibration *made =
        fit(*state, "output f_t # of a comment\nmodel \"number # 1\"\ncost = p_a # inner\n * f_a\n",
            "k,f_a,f_t\nk1,1,2\nk2,2,4.1\n", FW_OK);
    const char *text = fw_cost_calibration_text(*state, made, "forewarp 0", NULL);
    assert_string_equal(model_of(*state, text)->name, "number # 1");
    assert_null(strstr(text, "of a comment"));
}

static void json_and_csv_give_the_same(void **state)
{
    static const char json[] =
        "{\"device\": \"d\", \"rows\": [{\"kernel\": \"k1\", \"f_a_afr:>1\": 1, \"f_t\": 2},"
        "{\"f_t\": 4.5, \"kernel\": \"k2\", \"f_a_afr:>1\": 2}]}";
    static const char csv[] = "# a comment\n# device: d\nkernel,f_a_afr:>1,f_t\r\n"
                              "k1,1,2\r\n\r\n\"k2\",2, 4.5\r\n";
    const char *model = "output f_t\ncost = p_a * f_a_afr:>1\n";
    struct fw_cost_calibration *first = fit(*state, model, json, FW_OK);
    struct fw_cost_calibration *second = fit(*state, model, csv, FW_OK);
    assert_string_equal(first->table->device, "d");
    assert_string_equal(second->table->device, "d");
    assert_string_equal(second->table->rows[1], "k2");
    assert_true(first->chosen->estimates[0].value == second->chosen->estimates[0].value);
}

static void overlap_that_no_row_shows_is_told(void **state)
{
    fit(*state, "output f_t\nmemory = p_m * f_m\non_chip = p_c * f_c\n",
        "kernel,f_m,f_c,f_t\na,1,0,2.01\nb,2,0,4\nc,3,0,6\nd,0,1,1\ne,0,2,2.01\nf,0,5,5\n"
        "g,0,6,6\nh,0,7,7.1\n",
        FW_OK);
    assert_non_null(strstr(told, "COST036"));
}

static int begin(void **state)
{
    told[0] = '\0';
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
    const struct CMUnitTest tests[] = {
        TEST(each_form_of_overlap_is_found_and_its_parameters_come_back),
        TEST(a_stated_overlap_is_not_chosen_anew),
        TEST(calibration_is_read_back_and_predicts_the_same),
        TEST(intervals_cover_the_truth_in_95_of_100_fits),
        TEST(parameters_that_the_data_cannot_tell_apart_are_named),
        TEST(two_dependences_are_told_apart),
        TEST(dependences_of_three_are_not_mixed),
        TEST(near_dependence_is_named_where_it_makes_parameters_unsure),
        TEST(non_negative_parameters_stop_at_0_and_the_rest_is_the_best),
        TEST(logarithms_make_the_geometric_mean_the_best),
        TEST(a_robust_fit_leaves_an_outlier_alone),
        TEST(rows_held_out_are_predicted_and_not_fitted),
        TEST(work_and_its_direction_are_found),
        TEST(bad_data_are_refused_with_a_place),
        TEST(parameters_that_are_not_used_are_told_and_need_no_value),
        TEST(comments_and_texts_of_a_model_survive),
        TEST(json_and_csv_give_the_same),
        TEST(overlap_that_no_row_shows_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
