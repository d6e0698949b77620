/* The model forest's file: what corrects beside trees, written, read, exported as C, and damaged.
 */
#include "forest_bundle.h"

#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { POINTS = 30, COLUMNS = FW_FOREST_NEAR_COLUMNS, ASKED = 5 };

static double uniform(struct fw_random *random)
{
    return (double)(fw_random_next(random) >> 11) * 0x1p-53;
}

/* A launch that draws of three kinds. */
static struct fw_forest_basis launch(struct fw_random *random)
{
    struct fw_forest_basis basis = {.target = {1e-3, 300}, .watts_most = 700};
    for (int f = 0; f < FW_FOREST_FEATURE_draw_idle; f++)
        basis.features[f] = uniform(random);
    basis.features[FW_FOREST_FEATURE_draw_idle] = 1;
    basis.features[FW_FOREST_FEATURE_draw_issue] = uniform(random);
    basis.features[FW_FOREST_FEATURE_draw_dram] = uniform(random);
    return basis;
}

/* A target by trees and by points near: of the seconds with all features, of the watts with those
 * of its coordinates. */
static void fill(struct fw_forest_part *part, enum fw_forest_target target, struct fw_arena *arena)
{
    struct fw_random random = {3};
    struct fw_process_fit fit;
    const enum fw_forest_feature *features;
    const uint32_t count = fw_forest_near_features(&features, target);
    const uint32_t columns = fw_forest_near_columns(target);
    double at[POINTS * COLUMNS], values[POINTS], noise[POINTS], place[COLUMNS];
    *part = (struct fw_forest_part){
        .rows = POINTS, .families = POINTS, .level = 0.9, .near = {.target = target}};
    for (uint32_t f = 0; f < count; f++)
        part->near.scales[f] = 0.1 + 0.02 * f;
    if (target == FW_FOREST_WATTS) {
        part->energies[FW_FOREST_DRAW_idle] = 100;
        part->energies[FW_FOREST_DRAW_issue] = 200;
        part->energies[FW_FOREST_DRAW_dram] = 300;
    }
    for (uint32_t f = 0; f < (target == FW_FOREST_WATTS ? count : FW_FOREST_FEATURE_COUNT); f++) {
        const enum fw_forest_feature feature =
            target == FW_FOREST_WATTS ? features[f] : (enum fw_forest_feature)f;
        if (fw_forest_feature_row(feature)->set & FW_FOREST_SET_ALL)
            part->features[part->feature_count++] = feature;
    }
    double *rows = FW_ARRAY(arena, double, (size_t)POINTS * part->feature_count);
    for (size_t p = 0; p < POINTS; p++) {
        struct fw_forest_basis basis = launch(&random);
        fw_forest_near_place(place, &part->near, &basis, part->energies);
        memcpy(at + p * columns, place, columns * sizeof(*at));
        fw_forest_basis_features(rows + p * part->feature_count, &basis, part->energies,
                                 part->features, part->feature_count);
        values[p] = uniform(&random) - 0.5;
        noise[p] = 0.1;
    }
    const struct fw_forest_data data = {POINTS, part->feature_count, rows, values, NULL};
    const struct fw_forest_settings settings = {.trees = 3, .leaf = 2};
    assert_int_equal(fw_forest_train(&part->forest, &data, &settings, NULL), FW_OK);
    assert_int_equal(fw_process_fit(&fit, at, values, noise, POINTS, columns, arena), FW_OK);
    assert_int_equal(fw_process_take(&part->near.process, &fit, NULL, arena), FW_OK);
}

static struct fw_forest_bundle bundle_new(struct fw_arena *arena)
{
    struct fw_forest_bundle bundle = {.device = "board"};
    for (int t = 0; t < FW_FOREST_TARGET_COUNT; t++)
        fill(&bundle.parts[t], (enum fw_forest_target)t, arena);
    return bundle;
}

static struct fw_buffer written(struct fw_arena *arena, const struct fw_forest_bundle *bundle)
{
    struct fw_buffer bytes = fw_buffer_new(arena);
    fw_forest_bundle_write(&bytes, bundle);
    return bytes;
}

/* The same watts bit for bit, which are the mean of what trees and points say, as logarithms. */
static void a_file_keeps_what_corrects_beside_trees(void **state)
{
    struct fw_forest_bundle bundle = bundle_new(*state), read;
    struct fw_buffer bytes = written(*state, &bundle);
    const struct fw_source source = {"file", bytes.text, bytes.length};
    struct fw_random random = {9};
    assert_int_equal(fw_forest_bundle_read(&read, *state, &source, NULL), FW_OK);
    for (int a = 0; a < FW_FOREST_TARGET_COUNT * ASKED; a++) {
        const struct fw_forest_part *part = &bundle.parts[a % FW_FOREST_TARGET_COUNT];
        const struct fw_forest_basis basis = launch(&random);
        double place[COLUMNS], row[FW_FOREST_FEATURE_COUNT];
        double factor = fw_forest_part_factor(NULL, part, &basis);
        fw_forest_near_place(place, &part->near, &basis, part->energies);
        fw_forest_basis_features(row, &basis, part->energies, part->features, part->feature_count);
        double mean =
            (fw_forest_predict(part->forest, row) + fw_process_at(&part->near.process, place)) / 2;
        assert_true(fabs(log(factor) - mean) < 1e-12);
        assert_true(factor ==
                    fw_forest_part_factor(NULL, &read.parts[a % FW_FOREST_TARGET_COUNT], &basis));
    }
    fw_forest_bundle_free(&bundle);
    fw_forest_bundle_free(&read);
}

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    snprintf(user, 16, "%s", diagnostic->code);
}

/* A class states what its deviations are made of; one of before has the word alone. */
static void a_file_keeps_what_deviations_are_made_of(void **state)
{
    struct fw_forest_bundle bundle = bundle_new(*state), read;
    const enum fw_forest_class class = FW_FOREST_SHORT;
    bundle.parts[0].bounds[class] = (struct fw_forest_bounds){
        80, -0.9, 1, {.common = 0.1, .apart = 0.25, .near = 2, .least = 0.3}};
    struct fw_buffer bytes = written(*state, &bundle);
    for (int before = 0; before < 2; before++) {
        const struct fw_source source = {"file", bytes.text, bytes.length};
        assert_int_equal(fw_forest_bundle_read(&read, *state, &source, NULL), FW_OK);
        const struct fw_forest_deviation *of = &read.parts[0].bounds[class].deviation;
        assert_true(of->common == (before ? 0.2 : 0.1) && of->apart == (before ? 1 : 0.25) &&
                    of->near == (before ? 0 : 2) && of->least == (before ? 0 : 0.3));
        assert_true(read.parts[1].bounds[class].deviation.common == 0);
        fw_forest_bundle_free(&read);
        char *numbers = strstr(bytes.text, "deviations") + strlen("deviations");
        size_t cut = strcspn(numbers, "\n");
        if (before)
            continue;
        memmove(numbers, numbers + cut, bytes.length - (size_t)(numbers - bytes.text) - cut);
        bytes.length -= cut;
    }
    fw_forest_bundle_free(&bundle);
}

/* Any byte that changes from the line of points on, and each end before the last, is noticed. */
static void damaged_points_are_refused(void **state)
{
    struct fw_forest_bundle bundle = bundle_new(*state), read;
    struct fw_buffer bytes = written(*state, &bundle);
    char heard[16];
    const struct fw_sink sink = {hear, heard};
    const size_t weights = bytes.length - POINTS * sizeof(float), line = 20;
    const char *points = strstr(bytes.text, "\nnear points");
    assert_non_null(points);
    const size_t at[] = {weights, bytes.length - 1, (size_t)(points - bytes.text) + line};
    for (size_t a = 0; a < sizeof(at) / sizeof(at[0]); a++) {
        const struct fw_source source = {"file", bytes.text, bytes.length};
        char kept = bytes.text[at[a]];
        bytes.text[at[a]] = (char)(kept ^ 1);
        assert_int_equal(fw_forest_bundle_read(&read, *state, &source, &sink), FW_ERROR_INPUT);
        assert_string_equal(heard, "FOR002");
        bytes.text[at[a]] = kept;
    }
    for (size_t length = weights; length < bytes.length; length++) {
        const struct fw_source source = {"file", bytes.text, length};
        assert_int_equal(fw_forest_bundle_read(&read, *state, &source, &sink), FW_ERROR_INPUT);
    }
    fw_forest_bundle_free(&bundle);
}

/* A call of the exported C that prints a target's factor. */
static void add_call(struct fw_buffer *code, const struct fw_forest_part *part,
                     const struct fw_forest_basis *basis, enum fw_forest_target target)
{
    const double *draws = fw_forest_basis_draws(basis);
    const char *name = fw_forest_target_name(target);
    double row[FW_FOREST_FEATURE_COUNT];
    fw_forest_basis_features(row, basis, part->energies, part->features, part->feature_count);
    fw_buffer_printf(code, "    {\n        const double features[] = {");
    for (uint32_t f = 0; f < part->feature_count; f++)
        fw_buffer_printf(code, "%a, ", row[f]);
    fw_buffer_printf(code, "}, draws[] = {");
    for (int d = 0; d < FW_FOREST_DRAW_COUNT; d++)
        fw_buffer_printf(code, "%a, ", draws[d]);
    fw_buffer_printf(code,
                     "};\n        (void)draws;\n        printf(\"%%a\\n\", "
                     "exp((forest_%s(features) + forest_%s_near(features%s)) / 2));\n    }\n",
                     name, name, target == FW_FOREST_WATTS ? ", draws" : "");
}

/* What the exported C prints, where there is a compiler. */
static void c_gives_the_same_correction(void **state)
{
    char folder[] = "/tmp/forewarp-near-XXXXXX", line[64];
    struct fw_forest_bundle bundle = bundle_new(*state);
    struct fw_buffer code = fw_buffer_new(*state);
    double expected[FW_FOREST_TARGET_COUNT * ASKED];
    if (system("command -v cc >/dev/null") != 0 || !mkdtemp(folder))
        skip();
    fw_forest_bundle_write_c(&code, &bundle);
    fw_buffer_printf(&code, "#include <stdio.h>\nint main(void)\n{\n");
    struct fw_random random = {9};
    for (int a = 0; a < FW_FOREST_TARGET_COUNT * ASKED; a++) {
        const enum fw_forest_target target = (enum fw_forest_target)(a % FW_FOREST_TARGET_COUNT);
        const struct fw_forest_basis basis = launch(&random);
        expected[a] = fw_forest_part_factor(NULL, &bundle.parts[target], &basis);
        add_call(&code, &bundle.parts[target], &basis, target);
    }
    fw_buffer_printf(&code, "    return 0;\n}\n");
    const char *source = fw_arena_printf(*state, "%s/near.c", folder);
    FILE *file = fopen(source, "w");
    fwrite(code.text, 1, code.length, file);
    fclose(file);
    FILE *answer =
        popen(fw_arena_printf(*state, "cc -std=c17 -Wall -Werror -o %s/near %s -lm && %s/near",
                              folder, source, folder),
              "r");
    for (int a = 0; a < FW_FOREST_TARGET_COUNT * ASKED; a++) {
        assert_non_null(fgets(line, sizeof(line), answer));
        assert_true(fabs(strtod(line, NULL) / expected[a] - 1) < 1e-12);
    }
    assert_int_equal(pclose(answer), 0);
    remove(source);
    remove(fw_arena_printf(*state, "%s/near", folder));
    rmdir(folder);
    fw_forest_bundle_free(&bundle);
}

static int begin(void **state)
{
    *state = fw_arena_new(0);
    return *state ? 0 : -1;
}

static int end(void **state)
{
    fw_arena_free(*state);
    return 0;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {TEST(a_file_keeps_what_corrects_beside_trees),
                                       TEST(a_file_keeps_what_deviations_are_made_of),
                                       TEST(damaged_points_are_refused),
                                       TEST(c_gives_the_same_correction)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
