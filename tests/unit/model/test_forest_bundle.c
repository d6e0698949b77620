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

/* Watts by trees of one feature, and by points near. */
static struct fw_forest_bundle bundle_new(struct fw_arena *arena)
{
    struct fw_forest_bundle bundle = {.device = "board"};
    struct fw_forest_part *part = &bundle.parts[FW_FOREST_WATTS];
    struct fw_random random = {3};
    double at[POINTS * COLUMNS], values[POINTS], noise[POINTS], x[POINTS];
    part->rows = part->families = POINTS;
    part->level = 0.9;
    part->energies[FW_FOREST_DRAW_idle] = 100;
    part->energies[FW_FOREST_DRAW_issue] = 200;
    part->energies[FW_FOREST_DRAW_dram] = 300;
    for (uint32_t f = 0; f < FW_FOREST_NEAR_FEATURES; f++) {
        part->near.scales[f] = 0.1 + 0.02 * f;
        part->features[part->feature_count++] = fw_forest_near_feature(f);
    }
    double *rows = FW_ARRAY(arena, double, (size_t)POINTS * part->feature_count);
    for (size_t p = 0; p < POINTS; p++) {
        struct fw_forest_basis basis = launch(&random);
        fw_forest_near_place(at + p * COLUMNS, &part->near, &basis, part->energies);
        fw_forest_basis_features(rows + p * part->feature_count, &basis, part->energies,
                                 part->features, part->feature_count);
        x[p] = values[p] = uniform(&random) - 0.5;
        noise[p] = 0.1;
    }
    const struct fw_forest_data data = {POINTS, part->feature_count, rows, x, NULL};
    const struct fw_forest_settings settings = {.trees = 3, .leaf = 2};
    assert_int_equal(fw_forest_train(&part->forest, &data, &settings, NULL), FW_OK);
    assert_int_equal(
        fw_process_fit(&part->near.process, at, values, noise, 0.25, POINTS, COLUMNS, arena),
        FW_OK);
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
    const struct fw_forest_part *part = &bundle.parts[FW_FOREST_WATTS];
    for (int a = 0; a < ASKED; a++) {
        const struct fw_forest_basis basis = launch(&random);
        double place[COLUMNS], row[FW_FOREST_FEATURE_COUNT];
        double factor = fw_forest_part_factor(part, &basis);
        fw_forest_near_place(place, &part->near, &basis, part->energies);
        fw_forest_basis_features(row, &basis, part->energies, part->features, part->feature_count);
        double mean =
            (fw_forest_predict(part->forest, row) + fw_process_at(&part->near.process, place)) / 2;
        assert_true(fabs(log(factor) - mean) < 1e-12);
        assert_true(factor == fw_forest_part_factor(&read.parts[FW_FOREST_WATTS], &basis));
    }
    fw_forest_bundle_free(&bundle);
    fw_forest_bundle_free(&read);
}

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    snprintf(user, 16, "%s", diagnostic->code);
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

/* What the exported C prints, where there is a compiler. */
static void c_gives_the_same_correction(void **state)
{
    char folder[] = "/tmp/forewarp-near-XXXXXX", line[64];
    struct fw_forest_bundle bundle = bundle_new(*state);
    const struct fw_forest_part *part = &bundle.parts[FW_FOREST_WATTS];
    struct fw_buffer code = fw_buffer_new(*state);
    double expected[ASKED];
    if (system("command -v cc >/dev/null") != 0 || !mkdtemp(folder))
        skip();
    fw_forest_bundle_write_c(&code, &bundle);
    fw_buffer_printf(&code, "#include <stdio.h>\nint main(void)\n{\n");
    struct fw_random random = {9};
    for (int a = 0; a < ASKED; a++) {
        const struct fw_forest_basis basis = launch(&random);
        const double *draws = fw_forest_basis_draws(&basis);
        double row[FW_FOREST_FEATURE_COUNT];
        fw_forest_basis_features(row, &basis, part->energies, part->features, part->feature_count);
        expected[a] = fw_forest_part_factor(part, &basis);
        fw_buffer_printf(&code, "    {\n        const double features[] = {");
        for (uint32_t f = 0; f < part->feature_count; f++)
            fw_buffer_printf(&code, "%a, ", row[f]);
        fw_buffer_printf(&code, "}, draws[] = {");
        for (int d = 0; d < FW_FOREST_DRAW_COUNT; d++)
            fw_buffer_printf(&code, "%a, ", draws[d]);
        fw_buffer_printf(&code, "};\n        printf(\"%%a\\n\", exp((forest_watts(features) + "
                                "forest_watts_near(features, draws)) / 2));\n    }\n");
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
    for (int a = 0; a < ASKED; a++) {
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
                                       TEST(damaged_points_are_refused),
                                       TEST(c_gives_the_same_correction)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
