/* Forests: reproducibility, limits, importance, and input at fault. */
#include "forest_file.h"
#include "forest_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 300, FEATURES = 5 };

struct sample {
    double x[ROWS * FEATURES], y[ROWS], weights[ROWS];
};

/* The target depends on feature 0, and on 1 beyond a step; 2 and 3 are noise, 4 has few values. */
static void make(struct sample *sample, uint64_t seed)
{
    struct fw_random random = {seed};
    for (size_t r = 0; r < ROWS; r++) {
        double *x = sample->x + r * FEATURES;
        for (size_t f = 0; f < FEATURES; f++)
            x[f] = forest_uniform(&random);
        x[4] = floor(4 * x[4]);
        sample->y[r] = 3 * x[0] + (x[1] > 0.5) + 0.1 * forest_uniform(&random);
        sample->weights[r] = forest_uniform(&random) < 0.2 ? 0 : 0.5 + forest_uniform(&random);
    }
}

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    strncat(user, diagnostic->code, 15);
}

static struct fw_forest_data data_of(const struct sample *sample)
{
    return (struct fw_forest_data){ROWS, FEATURES, sample->x, sample->y, NULL};
}

static struct fw_forest *grow(const struct fw_forest_data *data,
                              const struct fw_forest_settings *settings)
{
    struct fw_forest *forest;
    assert_int_equal(fw_forest_train(&forest, data, settings, NULL), FW_OK);
    return forest;
}

/* ---- reproducibility ---- */

static void threads_and_neighbours_change_nothing(void **state)
{
    static struct sample sample, rows;
    double many[ROWS];
    (void)state;
    make(&sample, 1);
    make(&rows, 2);
    struct fw_forest_data data = data_of(&sample);
    for (int k = 0; k < 12; k++) {
        struct fw_forest_settings settings = {.kind = (enum fw_forest_kind)(k % 2),
                                              .criterion = (enum fw_forest_criterion)(k / 2 % 2),
                                              .candidates = (enum fw_forest_candidates)(k / 4),
                                              .trees = 37,
                                              .threads = 1,
                                              .seed = 7};
        data.weights = k % 3 ? sample.weights : NULL;
        struct fw_forest *one = grow(&data, &settings);
        settings.threads = 3;
        struct fw_forest *three = grow(&data, &settings);
        settings.seed = 8;
        struct fw_forest *other = grow(&data, &settings);
        fw_forest_predict_many(many, one, rows.x, ROWS, 2);
        double differs = 0;
        for (size_t r = 0; r < ROWS; r++) {
            const double *x = rows.x + r * FEATURES;
            double alone = fw_forest_predict(one, x);
            assert_true(alone == many[r] && alone == fw_forest_predict(three, x));
            differs += fabs(alone - fw_forest_predict(other, x));
        }
        assert_true(differs > 0);
        fw_forest_free(one);
        fw_forest_free(three);
        fw_forest_free(other);
    }
}

/* Tiles are another form of the nodes, by each set of instructions that the processor has: rows
 * that meet cuts exactly included. */
static void tiles_say_what_nodes_say(void **state)
{
    enum { MANY = 2000 };
    static double x[MANY * (TILE_FEATURES + 1)], y[MANY], by_tiles[MANY], by_nodes[MANY];
    (void)state;
    for (size_t features = 1; features <= TILE_FEATURES + 1; features++) {
        struct fw_random random = {features};
        const size_t rows = features == 2 ? 1 : MANY;
        for (size_t r = 0; r < MANY; r++) {
            y[r] = 0;
            for (size_t f = 0; f < features; f++) {
                double *at = &x[r * features + f];
                *at = r % 3 ? forest_uniform(&random) : floor(5 * forest_uniform(&random));
                y[r] += (double)(f + 1) * *at * *at;
            }
        }
        const struct fw_forest_data data = {rows, features, x, y, NULL};
        const struct fw_forest_settings settings = {.trees = 150,
                                                    .seed = features,
                                                    .leaf = features % 2 ? 1 : 4,
                                                    .depth = features % 5 ? 0 : 3};
        struct fw_forest *forest = grow(&data, &settings);
        struct forest_tile *tiles = forest->tiles;
        if (features > TILE_FEATURES)
            assert_null(tiles);
        x[(MANY - 1) * features] = (double)NAN;
        forest->tiles = NULL;
        assert_int_equal(fw_forest_predict_many(by_nodes, forest, x, MANY, 2), FW_OK);
        for (size_t r = 0; r < MANY - 1; r++)
            assert_true(by_nodes[r] == fw_forest_predict(forest, x + r * features));
        assert_true(isnan(by_nodes[MANY - 1]));
        forest->tiles = tiles;
        for (unsigned s = 0; tiles && (forest->steps = forest_steps_of(s)); s++) {
            assert_int_equal(fw_forest_predict_many(by_tiles, forest, x, MANY, 2), FW_OK);
            for (size_t r = 0; r < MANY - 1; r++)
                assert_true(by_tiles[r] == by_nodes[r] &&
                            by_nodes[r] == fw_forest_predict(forest, x + r * features));
            assert_true(isnan(by_tiles[MANY - 1]));
        }
        fw_forest_free(forest);
    }
}

/* ---- what forests are ---- */

static void a_full_forest_knows_its_rows(void **state)
{
    static struct sample sample;
    (void)state;
    make(&sample, 2);
    const struct fw_forest_data data = data_of(&sample);
    for (int absolute = 0; absolute < 2; absolute++) {
        struct fw_forest *forest =
            grow(&data, &(struct fw_forest_settings){
                            .criterion = (enum fw_forest_criterion)absolute, .trees = 20});
        for (size_t r = 0; r < ROWS; r++)
            assert_true(fabs(fw_forest_predict(forest, sample.x + r * FEATURES) - sample.y[r]) <
                        1e-6);
        fw_forest_free(forest);
    }
}

/* Errors on new rows; 1.2 is the target's own mean deviation, and 0.025 that of its noise. */
static void every_kind_learns(void **state)
{
    static struct sample sample, other;
    double predictions[ROWS];
    (void)state;
    make(&sample, 3);
    make(&other, 4);
    const struct fw_forest_data data = data_of(&sample);
    for (int k = 0; k < 4; k++) {
        const struct fw_forest_settings settings = {.kind = (enum fw_forest_kind)(k % 2),
                                                    .criterion = (enum fw_forest_criterion)(k / 2),
                                                    .trees = 100,
                                                    .seed = 5};
        struct fw_forest *forest = grow(&data, &settings);
        double error = 0;
        fw_forest_predict_many(predictions, forest, other.x, ROWS, 0);
        for (size_t r = 0; r < ROWS; r++)
            error += fabs(predictions[r] - other.y[r]) / ROWS;
        assert_true(error < 0.12);
        fw_forest_free(forest);
    }
}

static void limits_hold(void **state)
{
    static struct sample sample;
    struct fw_forest_shape shape;
    (void)state;
    make(&sample, 6);
    const struct fw_forest_data data = data_of(&sample);
    for (int kind = 0; kind < 2; kind++) {
        struct fw_forest_settings settings = {
            .kind = (enum fw_forest_kind)kind, .trees = 10, .depth = 2};
        struct fw_forest *forest = grow(&data, &settings);
        fw_forest_describe(&shape, forest);
        assert_true(shape.leaves == 40 && shape.depth == 2 && shape.nodes == 70);
        fw_forest_free(forest);
        settings.depth = 0;
        settings.leaf = 40;
        forest = grow(&data, &settings);
        fw_forest_describe(&shape, forest);
        assert_true(shape.leaves > 20 && shape.leaves <= 10 * ROWS / 40);
        fw_forest_free(forest);
        settings.leaf = 0;
        settings.split = ROWS + 1;
        forest = grow(&data, &settings);
        fw_forest_describe(&shape, forest);
        assert_int_equal(shape.leaves, 10);
        fw_forest_free(forest);
    }
}

static void rows_without_weight_do_not_exist(void **state)
{
    static struct sample sample, less;
    struct fw_forest_data data, rest;
    double weights[ROWS];
    (void)state;
    make(&sample, 9);
    data = data_of(&sample);
    data.weights = sample.weights;
    rest = (struct fw_forest_data){0, FEATURES, less.x, less.y, weights};
    for (size_t r = 0; r < ROWS; r++)
        if (sample.weights[r] > 0) {
            memcpy(less.x + rest.rows * FEATURES, sample.x + r * FEATURES,
                   FEATURES * sizeof(double));
            less.y[rest.rows] = sample.y[r];
            weights[rest.rows++] = sample.weights[r];
        }
    const struct fw_forest_settings settings = {.trees = 11, .seed = 3};
    struct fw_forest *all = grow(&data, &settings), *some = grow(&rest, &settings);
    for (size_t r = 0; r < ROWS; r++)
        assert_true(fw_forest_predict(all, sample.x + r * FEATURES) ==
                    fw_forest_predict(some, sample.x + r * FEATURES));
    fw_forest_free(all);
    fw_forest_free(some);
}

static void importance_finds_what_matters(void **state)
{
    static struct sample sample;
    double growth[FEATURES], sum = 0;
    (void)state;
    make(&sample, 10);
    const struct fw_forest_data data = data_of(&sample);
    struct fw_forest *forest = grow(&data, &(struct fw_forest_settings){.trees = 100, .leaf = 5});
    const double *shares = fw_forest_importance(forest);
    for (size_t f = 0; f < FEATURES; f++)
        sum += shares[f];
    assert_true(fabs(sum - 1) < 1e-12);
    assert_true(shares[0] > 0.5 && shares[1] > 0.1 && shares[2] < 0.05 && shares[3] < 0.05);
    assert_int_equal(fw_forest_permutation(growth, forest, &data, 3, 1, 0, NULL), FW_OK);
    assert_true(growth[0] > 0.5 && growth[1] > 0.1 && growth[2] < 0.05 && growth[3] < 0.05);
    fw_forest_free(forest);
}

/* ---- odd tables ---- */

static double predict_odd(const double *x, const double *y, const double *weights, size_t rows,
                          size_t features, enum fw_forest_criterion criterion)
{
    const struct fw_forest_data data = {rows, features, x, y, weights};
    struct fw_forest *forest =
        grow(&data, &(struct fw_forest_settings){.criterion = criterion, .trees = 9});
    double prediction = fw_forest_predict(forest, x);
    for (size_t f = 0; f < features; f++)
        assert_true(fw_forest_importance(forest)[f] == 0);
    fw_forest_free(forest);
    return prediction;
}

static void equal_rows_get_the_mean_or_the_median(void **state)
{
    const double x[10] = {1, 2, 1, 2, 1, 2, 1, 2, 1, 2}, y[5] = {1, 9, 2, 3, 30};
    const double weights[5] = {0, 1, 5, 1, 1};
    (void)state;
    assert_true(fabs(predict_odd(x, y, NULL, 5, 2, FW_FOREST_SQUARED) - 9) < 1e-6);
    assert_true(fabs(predict_odd(x, y, NULL, 5, 2, FW_FOREST_ABSOLUTE) - 3) < 1e-6);
    assert_true(fabs(predict_odd(x, y, weights, 5, 2, FW_FOREST_SQUARED) - 6.5) < 1e-6);
    assert_true(fabs(predict_odd(x, y, weights, 5, 2, FW_FOREST_ABSOLUTE) - 2) < 1e-6);
    assert_true(fabs(predict_odd(x, y, NULL, 4, 2, FW_FOREST_ABSOLUTE) - 2.5) < 1e-6);
    assert_true(predict_odd(x, y + 1, NULL, 1, 2, FW_FOREST_SQUARED) == 9); /* one row */
}

static void values_next_to_each_other_are_told_apart(void **state)
{
    const double next = (double)nextafterf(1, 2);
    const double x[8] = {1, 0, next, 0, 1, 0, next, 0}, y[4] = {1, 5, 1, 5};
    const struct fw_forest_data data = {4, 2, x, y, NULL};
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        struct fw_forest *forest = grow(
            &data, &(struct fw_forest_settings){.kind = (enum fw_forest_kind)kind, .trees = 64});
        assert_true(fw_forest_predict(forest, x + 2) - fw_forest_predict(forest, x) > 3);
        assert_true(fw_forest_importance(forest)[0] == 1);
        fw_forest_free(forest);
    }
}

/* ---- bytes ---- */

static enum fw_status read_back(struct fw_forest **forest, const struct fw_buffer *bytes,
                                size_t length, char *heard)
{
    const struct fw_sink sink = {hear, heard};
    unsigned char *copy = malloc(length + 1); /* of this length, so that overruns are seen */
    memcpy(copy, bytes->text, length);
    *heard = '\0';
    enum fw_status status = fw_forest_read(forest, copy, length, (struct fw_span){0}, &sink);
    free(copy);
    assert_true((status == FW_OK) == (*forest != NULL) && (status == FW_OK) == (*heard == '\0'));
    return status;
}

static void bytes_give_the_same_forest(void **state)
{
    static struct sample sample, rows;
    struct fw_buffer bytes = fw_buffer_new(*state), again = fw_buffer_new(*state);
    char heard[64];
    make(&sample, 12);
    make(&rows, 13);
    const struct fw_forest_data data = data_of(&sample);
    struct fw_forest *forest = grow(&data, &(struct fw_forest_settings){.kind = FW_FOREST_BOOTSTRAP,
                                                                        .trees = 21}),
                     *other;
    fw_forest_write(&bytes, forest);
    assert_int_equal(read_back(&other, &bytes, bytes.length, heard), FW_OK);
    fw_forest_write(&again, other);
    assert_true(again.length == bytes.length && !memcmp(again.text, bytes.text, bytes.length));
    for (size_t r = 0; r < ROWS; r++)
        assert_true(fw_forest_predict(forest, rows.x + r * FEATURES) ==
                    fw_forest_predict(other, rows.x + r * FEATURES));
    assert_memory_equal(fw_forest_importance(forest), fw_forest_importance(other),
                        FEATURES * sizeof(double));
    fw_forest_free(forest);
    fw_forest_free(other);
    for (size_t length = 0; length < bytes.length; length += length < 80 ? 1 : 997) {
        assert_int_equal(read_back(&other, &bytes, length, heard), FW_ERROR_INPUT);
        assert_string_equal(heard, "TREE010");
    }
    fw_buffer_add(&bytes, "", 1);
    assert_int_equal(read_back(&other, &bytes, bytes.length, heard), FW_ERROR_INPUT);
    assert_string_equal(heard, "TREE012");
}

/* The splits of a tree in the order of its file, whose pairs of children stand one behind the
 * other.
 */
static void assert_in_order(const struct fw_forest *forest, uint32_t tree)
{
    uint32_t stack[64], waiting = 0, pair = (uint32_t)(forest->starts[tree] / 2);
    stack[waiting++] = tree;
    while (waiting) {
        const struct fw_forest_node node = forest->nodes[stack[--waiting]];
        if ((node.link & 255) >= forest->features)
            continue;
        assert_int_equal(node.link >> 8, pair);
        pair++;
        stack[waiting++] = 2 * (node.link >> 8) + 1;
        stack[waiting++] = 2 * (node.link >> 8);
    }
}

/* Small forests without tiles are not packed when they are read, and say the same: a tree that is a
 * leaf, too. */
static void forests_in_the_order_of_their_files_say_the_same(void **state)
{
    enum { WIDE = TILE_FEATURES + 2, LESS = 100 };
    static double x[LESS * WIDE], y[LESS], weights[LESS], of_one[LESS], of_other[LESS];
    struct fw_random random = {3};
    char heard[64];
    for (size_t r = 0; r < LESS; r++) {
        for (size_t f = 0; f < WIDE; f++)
            x[r * WIDE + f] = forest_uniform(&random);
        y[r] = x[r * WIDE] + 2 * (x[r * WIDE + 1] > 0.5);
        weights[r] = 1;
    }
    const struct fw_forest_data data = {LESS, WIDE, x, y, weights};
    for (uint32_t depth = 0; depth < 9; depth += 4) {
        struct fw_buffer bytes = fw_buffer_new(*state);
        const struct fw_forest_settings settings = {
            .trees = 19, .depth = depth, .leaf = depth == 8 ? LESS : 1, .seed = depth};
        struct fw_forest *forest = grow(&data, &settings), *other;
        fw_forest_write(&bytes, forest);
        assert_int_equal(read_back(&other, &bytes, bytes.length, heard), FW_OK);
        assert_null(other->tiles);
        for (uint32_t t = 0; t < settings.trees; t++)
            assert_in_order(other, t);
        assert_true(other->leaves == forest->leaves && other->depth == forest->depth);
        assert_int_equal(fw_forest_predict_many(of_one, forest, x, LESS, 1), FW_OK);
        assert_int_equal(fw_forest_predict_many(of_other, other, x, LESS, 1), FW_OK);
        for (size_t r = 0; r < LESS; r++)
            assert_true(of_one[r] == of_other[r] &&
                        of_one[r] == fw_forest_predict(other, x + r * WIDE));
        fw_forest_free(forest);
        fw_forest_free(other);
    }
}

static void hostile_bytes_are_refused(void **state)
{
    static const struct {
        size_t at;
        unsigned char byte;
    } rows[] = {{0, 0}, {1, 255}, {2, 0}, {3, 255}, {11, 255}, {52, 6}, {56, 255}};
    static struct sample sample;
    char heard[64];
    make(&sample, 14);
    const struct fw_forest_data data = data_of(&sample);
    struct fw_forest *forest = grow(&data, &(struct fw_forest_settings){.trees = 3}), *other;
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        struct fw_buffer bytes = fw_buffer_new(*state);
        fw_forest_write(&bytes, forest);
        bytes.text[rows[r].at] = (char)rows[r].byte;
        if (rows[r].byte == 255) /* the float's other exponent bits */
            bytes.text[rows[r].at - 1] = (char)255;
        if (read_back(&other, &bytes, bytes.length, heard) == FW_OK)
            fail_msg("byte %zu was not noticed", rows[r].at);
        assert_string_equal(heard, "TREE011");
    }
    fw_forest_free(forest);
}

/* What the exported C prints for rows, where there is a compiler. */
static void c_gives_the_same_predictions(void **state)
{
    enum { PRINTED = 20 };
    static struct sample sample, rows;
    char folder[] = "/tmp/forewarp-forest-XXXXXX", line[64];
    make(&sample, 15);
    make(&rows, 16);
    if (system("command -v cc >/dev/null") != 0 || !mkdtemp(folder))
        skip();
    const struct fw_forest_data data = data_of(&sample);
    struct fw_forest *forest = grow(&data, &(struct fw_forest_settings){.trees = 5, .leaf = 3});
    struct fw_buffer code = fw_buffer_new(*state);
    fw_buffer_printf(&code, "#include <stdio.h>\n");
    fw_forest_write_c(&code, forest, "predict");
    fw_buffer_printf(&code, "int main(void)\n{\n    static const double rows[] = {");
    for (size_t i = 0; i < PRINTED * FEATURES; i++)
        fw_buffer_printf(&code, "%a, ", rows.x[i]);
    fw_buffer_printf(&code,
                     "};\n    for (int r = 0; r < %d; r++)\n"
                     "        printf(\"%%a\\n\", predict(rows + %d * r));\n    return 0;\n}\n",
                     PRINTED, FEATURES);
    const char *source = fw_arena_printf(*state, "%s/forest.c", folder);
    FILE *file = fopen(source, "w");
    fwrite(code.text, 1, code.length, file);
    fclose(file);
    const char *command = fw_arena_printf(
        *state, "cc -std=c17 -Wall -Werror -o %s/forest %s && %s/forest", folder, source, folder);
    FILE *answer = popen(command, "r");
    for (size_t r = 0; r < PRINTED; r++) {
        assert_non_null(fgets(line, sizeof(line), answer));
        assert_true(strtod(line, NULL) == fw_forest_predict(forest, rows.x + r * FEATURES));
    }
    assert_int_equal(pclose(answer), 0);
    remove(source);
    remove(fw_arena_printf(*state, "%s/forest", folder));
    rmdir(folder);
    fw_forest_free(forest);
}

/* ---- input at fault ---- */

static void refuse(const struct fw_forest_data *data, uint32_t trees, const char *code)
{
    char heard[16] = "";
    const struct fw_sink sink = {hear, heard};
    struct fw_forest *forest;
    const struct fw_forest_settings settings = {.trees = trees};
    assert_true(fw_forest_train(&forest, data, &settings, &sink) < 0);
    assert_null(forest);
    assert_string_equal(heard, code);
}

static void input_at_fault_is_refused(void **state)
{
    double x[4] = {1, 2, 3, 4}, y[2] = {1, 2}, weights[2] = {1, 1};
    const struct fw_forest_data data = {2, 2, x, y, weights};
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e39};
    (void)state;
    for (size_t b = 0; b < 4; b++) {
        x[3] = bad[b];
        refuse(&data, 5, "TREE001");
        x[3] = 4;
        y[1] = bad[b];
        refuse(&data, 5, "TREE002");
        y[1] = 2;
        weights[0] = bad[b];
        refuse(&data, 5, "TREE003");
        weights[0] = 1;
    }
    weights[0] = -1;
    refuse(&data, 5, "TREE003");
    weights[0] = weights[1] = 0;
    refuse(&data, 5, "TREE003");
    refuse(&(struct fw_forest_data){0, 2, x, y, NULL}, 5, "TREE004");
    refuse(&(struct fw_forest_data){2, 0, x, y, NULL}, 5, "TREE004");
    refuse(&(struct fw_forest_data){1, 255, x, y, NULL}, 5, "TREE004");
    refuse(&(struct fw_forest_data){2, 2, x, y, NULL}, 0, "TREE005");
    refuse(&(struct fw_forest_data){2, 2, x, y, NULL}, 5000, "TREE005");
    const struct fw_forest_data good = {2, 2, x, y, NULL};
    struct fw_forest *forest = grow(&good, &(struct fw_forest_settings){.trees = 5});
    double many[2];
    for (size_t b = 0; b < 4; b++) {
        x[1] = bad[b];
        assert_true(isnan(fw_forest_predict(forest, x)));
        fw_forest_predict_many(many, forest, x, 2, 1);
        assert_true(isnan(many[0]) && fabs(many[1] - 2) < 1e-6);
    }
    fw_forest_free(forest);
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
    const struct CMUnitTest tests[] = {TEST(threads_and_neighbours_change_nothing),
                                       TEST(tiles_say_what_nodes_say),
                                       TEST(a_full_forest_knows_its_rows),
                                       TEST(every_kind_learns),
                                       TEST(limits_hold),
                                       TEST(rows_without_weight_do_not_exist),
                                       TEST(importance_finds_what_matters),
                                       TEST(equal_rows_get_the_mean_or_the_median),
                                       TEST(values_next_to_each_other_are_told_apart),
                                       TEST(bytes_give_the_same_forest),
                                       TEST(forests_in_the_order_of_their_files_say_the_same),
                                       TEST(hostile_bytes_are_refused),
                                       TEST(c_gives_the_same_predictions),
                                       TEST(input_at_fault_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
