/* The language of cost models: what is read, what is refused and where; derivatives against finite
 * differences. */
#include "cost_model.h"

#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static char told[512];

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    (void)user;
    struct fw_position place = fw_span_position(diagnostic->span);
    if (diagnostic->severity == FW_WARNING)
        return;
    snprintf(told, sizeof(told), "%u:%u %s %s", place.line, place.column, diagnostic->code,
             diagnostic->message);
}

static const struct fw_sink sink = {hear, NULL};

static struct fw_cost_model *read_model(struct fw_arena *arena, const char *text)
{
    struct fw_source *source = FW_NEW(arena, struct fw_source);
    struct fw_cost_model *model;
    *source = (struct fw_source){"model.cost", text, strlen(text)};
    told[0] = '\0';
    enum fw_status status = fw_cost_model_read(&model, arena, source, &sink);
    assert_int_equal(status == FW_OK, *told == '\0');
    return model;
}

static const char *text_of(struct fw_arena *arena, const struct fw_cost_model *model)
{
    return fw_cost_text(arena, &model->graph, model->cost, fw_cost_feature_names(model, arena),
                        fw_cost_parameter_names(model, arena));
}

static double value_of(struct fw_arena *arena, const struct fw_cost_model *model, uint32_t node,
                       const double *features, const double *parameters)
{
    struct fw_cost_program program;
    fw_cost_compile(&program, arena, &model->graph, &node, 1);
    double *values = FW_ARRAY(arena, double, fw_cost_scratch(&program, 1));
    fw_cost_run(values, &program, features, 1, 1, parameters);
    return values[program.outputs[0]];
}

static void features_are_one_word_with_all_their_constraints(void **state)
{
    static const char *const names[] = {
        "f_op_float32_madd",
        "f_mem_access_tag:aLD",
        "f_mem_access_global_float32_load_lstrides:{0:1;1:>15}_gstrides:{0:0}_afr:>1",
        "f_mem_access_global_float32_load_lstrides:{0:<n*16}_afr:<n",
        "f_mem_access_afr:==1",
        "f_cl_wall_time_nvidia_geforce",
        "f_cl.wall_time_nvidia",
        "f_sync_barrier_local"};
    for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
        struct fw_cost_model *model =
            read_model(*state, fw_arena_printf(*state, "output f_t\ncost=p_a*%s+p_b/%s-1", names[n],
                                               names[n]));
        assert_string_equal(told, "");
        assert_int_equal(model->features.count, 1);
        assert_string_equal(model->features.at[0].name, names[n]);
    }
    struct fw_cost_model *model =
        read_model(*state, "output f_t cost = p_a * f_x_lstrides:{0:1, 1:>15}_afr:>1");
    assert_string_equal(model->features.at[0].name, "f_x_lstrides:{0:1;1:>15}_afr:>1");
}

static void expressions_mean_what_mathematics_says(void **state)
{
    static const struct {
        const char *text;
        double value; /* at f_x = 3, p_a = 2 */
    } cases[] = {{"1 + 2 * f_x ^ p_a", 19},
                 {"-f_x ^ 2", -9},
                 {"2 ^ 3 ^ p_a", 512},
                 {"2 ** -p_a", 0.25},
                 {"8 - 4 - p_a", 2},
                 {"8 / 4 / p_a", 1},
                 {"(1 + f_x) * p_a", 8},
                 {"min(f_x, p_a, 7) + max(f_x, p_a, 1)", 5},
                 {"exp(log(f_x)) * tanh(0) + sqrt(p_a * 8)", 4},
                 {"smooth_step(f_x - 3, p_a)", 0.5},
                 {"smooth_max(f_x, p_a, 1e3) * 10 + smooth_min(f_x, p_a, 1e3)", 32},
                 {"smooth_max(0 * f_x * p_a, 0 * f_x, 5)", 0},
                 {"1.5e1 - .5 * p_a", 14}};
    const double features[] = {3, 3}, parameters[] = {2};
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        struct fw_cost_model *model =
            read_model(*state, fw_arena_printf(*state, "output f_t\ncost = %s", cases[c].text));
        assert_string_equal(told, "");
        double value = value_of(*state, model, model->cost, features, parameters);
        if (!(fabs(value - cases[c].value) < 1e-9))
            fail_msg("%s is %g", cases[c].text, value);
    }
}

static void products_are_brought_together_and_zeros_go(void **state)
{
    struct fw_cost_model *model = read_model(
        *state, "output f_t let a = p_b * f_s * f_g cost = a + 0 * p_a + 1 * (2 * p_c * f_s) - 0");
    assert_string_equal(text_of(*state, model), "p_b * f_s * f_g + p_c * f_s * 2");
}

static void bad_models_are_refused_with_a_place(void **state)
{
    static const struct {
        const char *text, *told;
    } cases[] = {
        {"output f_t\ncost = p_a * f_x +\n", "3:1 COST001 a number"},
        {"output f_t\ncost = p_a $ f_x\n", "2:12 COST001 this is no word"},
        {"output f_t\ncost = p_a * f_x_lstrides:{0:1\n", "2:14 COST001 this is no feature"},
        {"output f_t\ncost = p_a * f_x_afr:>\n", "2:14 COST001 this is no feature"},
        {"output f_t\ncost = (p_a * f_x\n", "3:1 COST001 ) is missing"},
        {"output f_t\ncost = sin(p_a)\n", "2:8 COST004 there is no function sin"},
        {"output f_t\ncost = tanh(p_a, 2)\n", "2:8 COST004 tanh takes 1 argument, not 2"},
        {"output f_t\ncost = min(p_a)\n", "2:8 COST004 min takes 2 arguments or more, not 1"},
        {"output f_t\ncost = memory1 + p_a\n", "2:8 COST005 there is no memory1"},
        {"output f_t\nlet a = a + p_a\ncost = a\n", "2:9 COST005"},
        {"output f_t\nparameter p_a, p_b, p_a >= 0\ncost = p_a\n",
         "2:21 COST006 p_a is declared twice"},
        {"output f_t\nparameter p_a\ncost = p_a * f_x + p_aa * f_y\n",
         "3:20 COST007 p_aa is not declared"},
        {"output f_t\nlet a = 1\nlet a = 2\ncost = a\n", "3:5 COST008 a is defined twice"},
        {"output f_t\ncost = p_a\ncost = p_a\n", "3:1 COST008 cost is stated twice"},
        {"cost = p_a * f_x\n", "0:0 COST009 the model states no output"},
        {"output f_t\n", "0:0 COST009 the model states neither"},
        {"output f_t\ncost = p_a * f_t\n", "2:14 COST009 the output is part"},
        {"output f_t\nmemory = p_a * f_x\ncost = p_a\n", "0:0 COST009 the model states both"},
        {"output f_t\nmemory = p_a * f_x\noverlap full\n", "0:0 COST009 overlap is between"},
        {"output f_t\nparameter p_a >= 2 <= 1\ncost = p_a\n", "2:11 COST010 the lower bound"},
        {"output f_t\nparameter p_a >= 2 start 1\ncost = p_a\n", "2:11 COST010 the start"},
        {"calibration 1\noutput f_t\nvalue p_a = 1\ncost = p_a + p_b\n", "4:14 COST011"},
        {"calibration 2\n", "1:1 COST012"},
        {"output f_t\ncost = 1e999 * p_a\n", "2:8 COST001"},
        {"output f_t\nspeed = 3\n", "2:1 COST001 a statement is missing"}};
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        assert_null(read_model(*state, cases[c].text));
        if (strncmp(told, cases[c].told, strlen(cases[c].told)) != 0)
            fail_msg("%s: %s", cases[c].told, told);
    }
}

static void repeat(struct fw_buffer *out, const char *text, size_t times)
{
    for (size_t i = 0; i < times; i++)
        fw_buffer_add(out, text, strlen(text));
}

static void deep_and_long_expressions_are_bounded(void **state)
{
    struct fw_buffer deep = fw_buffer_new(*state), chain = fw_buffer_new(*state),
                     wide = fw_buffer_new(*state), many = fw_buffer_new(*state);
    fw_buffer_printf(&deep, "output f_t cost = ");
    repeat(&deep, "(", 100000);
    assert_null(read_model(*state, deep.text));
    assert_non_null(strstr(told, "COST002"));
    fw_buffer_printf(&chain, "output f_t cost = p_a");
    repeat(&chain, " + tanh(p_a * f_x)", 5000); /* the same parts are one */
    assert_non_null(read_model(*state, chain.text));
    fw_buffer_printf(&wide, "output f_t cost = p_a");
    for (int i = 0; i < 15000; i++)
        fw_buffer_printf(&wide, " + p_a^%d", i + 2);
    assert_null(read_model(*state, wide.text));
    assert_non_null(strstr(told, "COST003"));
    fw_buffer_printf(&many, "output f_t cost = p_a");
    for (int i = 0; i < 101; i++)
        fw_buffer_printf(&many, " + p_%d", i);
    assert_null(read_model(*state, many.text));
    assert_non_null(strstr(told, "COST003 more than 100 parameters"));
}

/* ---- derivatives ---- */

enum { FEATURES = 3, PARAMETERS = 4, DEEPEST = 5 };

/* A random expression whose values stay in a range that differences can resolve. */
static void make(struct fw_buffer *out, struct fw_random *random, int depth)
{
    static const char *const forms[] = {"(# + #)",
                                        "(# - #)",
                                        "(# * #)",
                                        "(# / (2 + #^2))",
                                        "min(#, #)",
                                        "max(#, #)",
                                        "tanh(#)",
                                        "exp(tanh(#))",
                                        "log(2 + tanh(#))",
                                        "sqrt(3 + tanh(#))",
                                        "smooth_step(#, #)",
                                        "smooth_max(4 + tanh(#), 4 + tanh(#), #)",
                                        "(3 + tanh(#)) ^ tanh(#)",
                                        "(-#)",
                                        "smooth_min(exp(tanh(#)), 2, #)"};
    int64_t kind = fw_random_between(random, 0, 9);
    if (depth == 0 || kind < 3) {
        if (kind % 3 == 0)
            fw_buffer_printf(out, "f_x%d", (int)fw_random_between(random, 0, FEATURES - 1));
        else if (kind % 3 == 1)
            fw_buffer_printf(out, "%.3g", (double)fw_random_between(random, 1, 900) / 300);
        else
            fw_buffer_printf(out, "p_y%d", (int)fw_random_between(random, 0, PARAMETERS - 1));
        return;
    }
    const char *form =
        forms[fw_random_between(random, 0, (int64_t)(sizeof(forms) / sizeof(forms[0])) - 1)];
    for (; *form; form++) {
        if (*form == '#')
            make(out, random, depth - 1);
        else
            fw_buffer_add(out, form, 1);
    }
}

static void derivatives_are_those_of_finite_differences(void **state)
{
    struct fw_random random = {20};
    size_t checked = 0, smooth = 0;
    (void)state;
    for (int trial = 0; trial < 3000; trial++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_buffer text = fw_buffer_new(arena);
        double features[16], parameters[16];
        uint32_t slopes[16];
        fw_buffer_printf(&text, "output f_t cost = p_y0 * f_x0 + ");
        make(&text, &random, DEEPEST);
        struct fw_cost_model *model = read_model(arena, text.text);
        assert_string_equal(told, "");
        for (int i = 0; i < 16; i++) {
            features[i] = (double)fw_random_between(&random, 1, 2000) / 997;
            parameters[i] = (double)fw_random_between(&random, 1, 2000) / 991;
        }
        size_t count = model->parameters.count;
        fw_cost_derivatives(slopes, &model->graph, model->cost, count);
        for (size_t p = 0; p < count; p++) {
            double at = parameters[p], sides[4];
            static const double steps[] = {-1e-5, 1e-5, -2e-5, 2e-5};
            for (int s = 0; s < 4; s++) {
                parameters[p] = at + steps[s];
                sides[s] = value_of(arena, model, model->cost, features, parameters);
            }
            parameters[p] = at;
            double slope = value_of(arena, model, slopes[p], features, parameters);
            double near = (sides[1] - sides[0]) / 2e-5, far = (sides[3] - sides[2]) / 4e-5;
            double scale = 1 + fabs(slope) + fabs(sides[0]);
            checked++;
            if (fabs(near - far) > 1e-6 * scale) /* at a corner of min or max, or too steep */
                continue;
            smooth++;
            if (!(fabs(slope - near) <= 1e-5 * scale))
                fail_msg("trial %d: %s: %g, not %g", trial, text.text, slope, near);
        }
        fw_arena_free(arena);
    }
    assert_true(smooth > 0.98 * (double)checked);
}

static void derivatives_exist_where_features_are_zero(void **state)
{
    struct fw_cost_model *model = read_model(
        *state, "output f_t cost = p_a * f_x ^ p_b + smooth_max(p_a * f_x, p_b * f_y, p_c)");
    const double features[] = {0, 0}, parameters[] = {2, 1.5, 3};
    uint32_t slopes[3];
    fw_cost_derivatives(slopes, &model->graph, model->cost, 3);
    for (int p = 0; p < 3; p++)
        assert_true(value_of(*state, model, slopes[p], features, parameters) == 0);
}

static void blocks_of_rows_give_what_single_rows_give(void **state)
{
    struct fw_cost_model *model = read_model(
        *state, "output f_t cost = p_a * f_x / (1 + f_y) + tanh(p_b * f_x) - min(f_y, p_a)");
    struct fw_cost_program program;
    double features[2 * FW_COST_BLOCK];
    const double parameters[] = {0.3, 0.7};
    fw_cost_compile(&program, *state, &model->graph, &model->cost, 1);
    double *values = FW_ARRAY(*state, double, fw_cost_scratch(&program, FW_COST_BLOCK));
    for (int r = 0; r < FW_COST_BLOCK; r++) {
        features[r] = r;
        features[FW_COST_BLOCK + r] = r * r;
    }
    fw_cost_run(values, &program, features, FW_COST_BLOCK, FW_COST_BLOCK, parameters);
    for (int r = 0; r < FW_COST_BLOCK; r++) {
        const double row[] = {features[r], features[FW_COST_BLOCK + r]};
        assert_true(values[program.outputs[0] * FW_COST_BLOCK + (size_t)r] ==
                    value_of(*state, model, model->cost, row, parameters));
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
    const struct CMUnitTest tests[] = {TEST(features_are_one_word_with_all_their_constraints),
                                       TEST(expressions_mean_what_mathematics_says),
                                       TEST(products_are_brought_together_and_zeros_go),
                                       TEST(bad_models_are_refused_with_a_place),
                                       TEST(deep_and_long_expressions_are_bounded),
                                       TEST(derivatives_are_those_of_finite_differences),
                                       TEST(derivatives_exist_where_features_are_zero),
                                       TEST(blocks_of_rows_give_what_single_rows_give)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
