/* Expressions over what varies: values, precedence, exact quotients, refusals. */
#include "rank_expression.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static bool look_up(void *user, struct rank_number *value, const char *name, size_t length,
                    struct rank_problem *problem)
{
    (void)user;
    if (length == 4 && strncmp(name, "TILE", 4) == 0)
        *value = (struct rank_number){16, 1};
    else if (length == 1 && *name == 'n')
        *value = (struct rank_number){100, 1};
    else
        strcpy(problem->text, "no such name");
    return problem->text[0] == '\0';
}

static bool evaluate(struct rank_number *value, const char *text, struct rank_problem *problem)
{
    *problem = (struct rank_problem){{0}, 0};
    return rank_expression(value, text, strlen(text), look_up, NULL, problem);
}

static void values_are_exact(void **state)
{
    static const struct {
        const char *text;
        int64_t over, under;
    } cases[] = {{"1 + 2 * 3", 7, 1},
                 {"(1 + 2) * 3", 9, 1},
                 {"n / TILE", 25, 4},
                 {"ceil(n/TILE)", 7, 1},
                 {"floor(-n/TILE)", -7, 1},
                 {"ceil(-7/2)", -3, 1},
                 {"n / TILE * TILE", 100, 1},
                 {"-7 % 4", 1, 1},
                 {"2K", 2048, 1},
                 {"min(n, TILE, 3) + max(1, 2)", 5, 1},
                 {"TILE*TILE <= 1K && n % TILE == 4", 1, 1},
                 {"!(n > 3) || 0", 0, 1},
                 {"TILE != 16 && 1 / 0", 0, 1},
                 {"TILE == 16 || n % 0", 1, 1},
                 {"TILE < n == 1", 0, 0}};
    (void)state;
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        struct rank_number value;
        struct rank_problem problem;
        bool good = evaluate(&value, cases[c].text, &problem);
        assert_int_equal(good, cases[c].under != 0);
        if (!good)
            continue;
        assert_int_equal(value.over, cases[c].over);
        assert_int_equal(value.under, cases[c].under);
    }
}

static void nonsense_is_refused(void **state)
{
    static const struct {
        const char *text;
        size_t at;
    } cases[] = {{"", 0},
                 {"1 +", 3},
                 {"TILE = 3", 5},
                 {"TILED", 0},
                 {"n / 0", 2},
                 {"(n", 2},
                 {"sin(n)", 0},
                 {"3.5", 0},
                 {"n n", 2},
                 {"1 % (n/7)", 2},
                 {"9999999999999999999", 18},
                 {"3Kx", 0}};
    (void)state;
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        struct rank_number value;
        struct rank_problem problem;
        assert_false(evaluate(&value, cases[c].text, &problem));
        assert_string_not_equal(problem.text, "");
        assert_int_equal(problem.at, cases[c].at);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_are_exact),
                                       cmocka_unit_test(nonsense_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
