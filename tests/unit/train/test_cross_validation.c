/* Folds of launches: what is trained on, and what is predicted. */
#include "nested_validation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { ITERATIONS = 2 };

/* Rows of `families` kernels with a basis of 1 ms and 100 W, or as measured says. */
static void add(struct fw_training_rows *rows, const char *family, double seconds, double watts,
                double feature)
{
    bool added;
    struct fw_map_entry *entry = fw_map_add(&rows->families, family, strlen(family), &added);
    if (added)
        entry->value = (uint32_t)rows->families.count - 1;
    struct fw_training_row row = {
        .name = family,
        .family = entry->value,
        .basis = {.target = {1e-3, 100}, .class = FW_FOREST_KNOWN, .watts_most = 700},
        .measured = {seconds, watts}};
    row.basis.features[FW_FOREST_FEATURE_seconds] = feature;
    *FW_APPEND(rows->arena, &rows->rows) = row;
}

static struct fw_training_rows rows_new(struct fw_arena *arena)
{
    return (struct fw_training_rows){.arena = arena, .families = fw_map_new(arena)};
}

static void sizes_beyond_are_predicted_and_not_trained_on(void **state)
{
    struct fw_arena *arena = *state;
    struct fw_training_rows rows = rows_new(arena);
    struct fw_training_choice choice = fw_training_usual(FW_FOREST_SECONDS, 1, 8);
    double predictions[3 * 20];
    for (int r = 0; r < 20; r++) {
        add(&rows, "a", 1e-3, 100, 0); /* factor 1 */
        add(&rows, "b", 5e-3, 100, 0);
        add(&rows, "a", 20e-3, 100, 0); /* would pull the median to 20 */
    }
    choice.settings.leaf = 1;
    choice.beyond = 2e-3;
    assert_int_equal(fw_cross_validate(predictions, &rows, &choice, arena, NULL), FW_OK);
    for (int r = 0; r < 60; r++)
        if (r % 3 == 2)
            assert_true(fabs(predictions[r] / 1e-3 - 1) < 1e-6);
        else
            assert_true(isnan(predictions[r]));
}

static void a_family_with_too_many_launches_does_not_decide(void **state)
{
    struct fw_arena *arena = *state;
    struct fw_training_rows rows = rows_new(arena);
    struct fw_training_choice choice = fw_training_usual(FW_FOREST_SECONDS, 1, 8);
    struct fw_forest *forest;
    const double x[FW_FOREST_FEATURE_COUNT] = {0};
    for (int r = 0; r < 90; r++)
        add(&rows, "many", 3e-3, 100, 0);
    for (int f = 0; f < 3; f++)
        add(&rows, (const char *[]){"one", "two", "three"}[f], 1e-3, 100, 0);
    choice.settings.leaf = 1;
    for (uint32_t most = 0; most < 2; most++) {
        choice.most = most;
        assert_int_equal(fw_training_grow(&forest, &rows, &choice, NULL, arena, NULL), FW_OK);
        assert_true(fabs(fw_forest_predict(forest, x) - (most ? 0 : log(3))) < 1e-6);
        fw_forest_free(forest);
    }
}

static void each_launch_alone_is_left_out(void **state)
{
    struct fw_arena *arena = *state;
    struct fw_training_rows rows = rows_new(arena);
    struct fw_training_choice choice = fw_training_usual(FW_FOREST_SECONDS, 1, 8);
    double predictions[21];
    for (int r = 0; r < 20; r++)
        add(&rows, "a", 2e-3, 100, r);
    add(&rows, "a", 50e-3, 100, 20);
    choice.settings.leaf = 1;
    choice.alone = true;
    assert_int_equal(fw_cross_validate(predictions, &rows, &choice, arena, NULL), FW_OK);
    assert_true(fabs(predictions[20] / 2e-3 - 1) < 1e-6);
}

static void the_longest_are_never_predicted(void **state)
{
    struct fw_arena *arena = *state;
    struct fw_training_rows rows = rows_new(arena);
    struct fw_training_choice choice = fw_training_usual(FW_FOREST_WATTS, 1, 8);
    double flattering[ITERATIONS * FW_NESTED_FOLDS], proper[ITERATIONS * FW_NESTED_FOLDS];
    for (int r = 0; r < 60; r++)
        add(&rows, r % 2 ? "a" : "b", 1e-3 + 1e-6 * r, 200, 0);
    for (int r = 0; r < 5; r++) /* nobody could predict their watts */
        add(&rows, "c", 1, 1e-3, 0);
    assert_int_equal(
        fw_nested_validate(flattering, proper, &rows, &choice, ITERATIONS, arena, NULL), FW_OK);
    for (int f = 0; f < ITERATIONS * FW_NESTED_FOLDS; f++)
        assert_true(flattering[f] < 0.5 && proper[f] < 0.6 && flattering[f] >= 0 && proper[f] >= 0);
}

static void power_ends_at_the_limit_of_the_board(void **state)
{
    const struct fw_forest_basis basis = {.target = {1, 500}, .watts_most = 700};
    (void)state;
    assert_true(fw_forest_basis_corrected(&basis, FW_FOREST_WATTS, 2) == 700);
    assert_true(fw_forest_basis_corrected(&basis, FW_FOREST_WATTS, 1.25) == 625);
    assert_true(fw_forest_basis_corrected(&basis, FW_FOREST_SECONDS, 1000) == 1000);
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
    const struct CMUnitTest tests[] = {
        TEST(sizes_beyond_are_predicted_and_not_trained_on),
        TEST(a_family_with_too_many_launches_does_not_decide), TEST(each_launch_alone_is_left_out),
        TEST(the_longest_are_never_predicted), TEST(power_ends_at_the_limit_of_the_board)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
