/* Symbolic counts of random sets against enumeration.  FW_SEED and FW_ROUNDS choose other sets:
 *   FW_ROUNDS=10000 build/tests/test-count-random */
#include <stdio.h> /* before gmp.h, which then declares gmp_fprintf */

#include "formula.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DIMENSIONS = 4, PARAMETERS = 3, CONDITIONS = 16, DISJUNCTS = 3, POINTS = 5 };

/* constant + parameters + dimensions + existential */
struct form {
    int64_t constant;
    int64_t parameter[PARAMETERS];
    int64_t dimension[DIMENSIONS];
    int64_t existential;
};

enum kind { AT_LEAST, EQUAL, MODULO, FLOOR };

/* form >= 0; form = 0; form mod modulus = rest; form + rest * floor(inner / modulus) >= 0 */
struct condition {
    enum kind kind;
    struct form form;
    struct form inner;
    int64_t modulus;
    int64_t rest;
};

struct disjunct {
    struct condition conditions[CONDITIONS];
    int count;
    bool exists; /* the conditions have an existential from 0 to its limit */
    struct form limit;
};

struct random_set {
    int dimensions;
    int parameters;
    struct disjunct disjuncts[DISJUNCTS];
    int count;
};

static const char *const parameter_names[PARAMETERS] = {"n", "m", "p"};
static const char *const dimension_names[DIMENSIONS] = {"i", "j", "k", "l"};

/* ---- making ---- */

static int64_t pick(struct fw_random *random, int64_t low, int64_t high)
{
    return fw_random_between(random, low, high);
}

static int64_t coefficient(struct fw_random *random)
{
    static const int64_t often[] = {1, 1, 1, 1, 2, 2, 3, 4, 5};
    int64_t size = often[pick(random, 0, 8)];
    return pick(random, 0, 1) ? size : -size;
}

static struct form random_form(struct fw_random *random, const struct random_set *set, bool exists)
{
    struct form form = {.constant = pick(random, -5, 10)};
    for (int i = 0; i < set->parameters; i++)
        if (pick(random, 0, 2) == 0)
            form.parameter[i] = coefficient(random);
    for (int i = 0; i < set->dimensions; i++)
        if (pick(random, 0, 1) == 0)
            form.dimension[i] = coefficient(random);
    if (exists && pick(random, 0, 1))
        form.existential = coefficient(random);
    return form;
}

/* A bound over parameters alone. */
static struct form random_bound(struct fw_random *random, const struct random_set *set)
{
    struct form form = {.constant = pick(random, 0, 6)};
    if (set->parameters && pick(random, 0, 3)) {
        form.constant = pick(random, -2, 2);
        form.parameter[pick(random, 0, set->parameters - 1)] = 1;
    }
    return form;
}

static void add_bounds(struct fw_random *random, const struct random_set *set,
                       struct disjunct *disjunct)
{
    for (int i = 0; i < set->dimensions; i++) {
        struct condition *low = &disjunct->conditions[disjunct->count++];
        struct condition *high = &disjunct->conditions[disjunct->count++];
        low->kind = high->kind = AT_LEAST;
        low->form.dimension[i] = 1;
        if (pick(random, 0, 3) == 0)
            low->form.constant = pick(random, -3, 3);
        high->form = random_bound(random, set);
        high->form.dimension[i] = -1;
        if (i && pick(random, 0, 3) == 0)
            high->form.dimension[i - 1] = 1; /* a triangle */
        if (pick(random, 0, 7) == 0)
            high->form.dimension[i] = -coefficient(random); /* may open the range: closed below */
        if (high->form.dimension[i] > 0)
            high->form.dimension[i] = -high->form.dimension[i];
    }
}

static struct random_set make_set(struct fw_random *random)
{
    struct random_set set = {.dimensions = (int)pick(random, 1, DIMENSIONS),
                             .parameters = (int)pick(random, 0, PARAMETERS)};
    set.count = pick(random, 0, 2) ? 1 : (int)pick(random, 2, DISJUNCTS);
    for (int d = 0; d < set.count; d++) {
        struct disjunct *disjunct = &set.disjuncts[d];
        disjunct->exists = pick(random, 0, 5) == 0;
        disjunct->limit = random_bound(random, &set);
        add_bounds(random, &set, disjunct);
        int64_t more = pick(random, 0, 3);
        for (int64_t i = 0; i < more; i++) {
            struct condition *condition = &disjunct->conditions[disjunct->count++];
            int64_t kind = pick(random, 0, 9);
            condition->kind = kind < 6 ? AT_LEAST : kind < 7 ? EQUAL : kind < 9 ? MODULO : FLOOR;
            condition->form = random_form(random, &set, disjunct->exists);
            condition->inner = random_form(random, &set, false);
            condition->modulus = pick(random, 2, 7);
            condition->rest = condition->kind == FLOOR ? coefficient(random) : pick(random, 0, 1);
        }
        if (disjunct->exists && !disjunct->conditions[disjunct->count - 1].form.existential)
            disjunct->conditions[disjunct->count - 1].form.existential = coefficient(random);
    }
    return set;
}

/* ---- as text ---- */

static void add(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(char *text, const char *format, ...)
{
    va_list arguments;
    size_t used = strlen(text);
    va_start(arguments, format);
    vsnprintf(text + used, 8192 - used, format, arguments);
    va_end(arguments);
}

static void write_form(char *text, const struct form *form)
{
    add(text, "%lld", (long long)form->constant);
    for (int i = 0; i < PARAMETERS; i++)
        if (form->parameter[i])
            add(text, " + %lld %s", (long long)form->parameter[i], parameter_names[i]);
    for (int i = 0; i < DIMENSIONS; i++)
        if (form->dimension[i])
            add(text, " + %lld %s", (long long)form->dimension[i], dimension_names[i]);
    if (form->existential)
        add(text, " + %lld e", (long long)form->existential);
}

static void write_condition(char *text, const struct condition *condition)
{
    if (condition->kind == MODULO) {
        add(text, "(");
        write_form(text, &condition->form);
        add(text, ") mod %lld = %lld", (long long)condition->modulus, (long long)condition->rest);
        return;
    }
    write_form(text, &condition->form);
    if (condition->kind == FLOOR) {
        add(text, " + %lld * floor((", (long long)condition->rest);
        write_form(text, &condition->inner);
        add(text, ")/%lld)", (long long)condition->modulus);
    }
    add(text, condition->kind == EQUAL ? " = 0" : " >= 0");
}

static void write_set(char *text, const struct random_set *set)
{
    text[0] = '\0';
    add(text, "[");
    for (int i = 0; i < set->parameters; i++)
        add(text, "%s%s", i ? ", " : "", parameter_names[i]);
    add(text, "] -> { ");
    for (int d = 0; d < set->count; d++) {
        const struct disjunct *disjunct = &set->disjuncts[d];
        add(text, "%s[", d ? "; " : "");
        for (int i = 0; i < set->dimensions; i++)
            add(text, "%s%s", i ? ", " : "", dimension_names[i]);
        add(text, "] : ");
        if (disjunct->exists) {
            add(text, "exists e : 0 <= e <= ");
            write_form(text, &disjunct->limit);
            add(text, " and ");
        }
        for (int i = 0; i < disjunct->count; i++) {
            add(text, "%s", i ? " and " : "");
            write_condition(text, &disjunct->conditions[i]);
        }
    }
    add(text, " }");
}

/* ---- by enumeration ---- */

struct place {
    int64_t parameter[PARAMETERS];
    int64_t dimension[DIMENSIONS];
    int64_t existential;
};

static int64_t value_of(const struct form *form, const struct place *place)
{
    int64_t sum = form->constant + form->existential * place->existential;
    for (int i = 0; i < PARAMETERS; i++)
        sum += form->parameter[i] * place->parameter[i];
    for (int i = 0; i < DIMENSIONS; i++)
        sum += form->dimension[i] * place->dimension[i];
    return sum;
}

static int64_t floor_of(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static bool holds(const struct condition *condition, const struct place *place)
{
    int64_t value = value_of(&condition->form, place);
    int64_t modulus = condition->modulus;
    switch (condition->kind) {
    case AT_LEAST:
        return value >= 0;
    case EQUAL:
        return value == 0;
    case MODULO:
        return value - modulus * floor_of(value, modulus) == condition->rest;
    default:
        return value + condition->rest * floor_of(value_of(&condition->inner, place), modulus) >= 0;
    }
}

static bool all_hold(const struct disjunct *disjunct, const struct place *place)
{
    for (int i = 0; i < disjunct->count; i++)
        if (!holds(&disjunct->conditions[i], place))
            return false;
    return true;
}

static bool contains(const struct random_set *set, struct place *place)
{
    for (int d = 0; d < set->count; d++) {
        const struct disjunct *disjunct = &set->disjuncts[d];
        int64_t limit = disjunct->exists ? value_of(&disjunct->limit, place) : 0;
        place->existential = 0;
        for (; place->existential <= limit; place->existential++)
            if (all_hold(disjunct, place))
                return true;
    }
    return false;
}

/* Dimensions run from -3 to what the bounds allow; a triangle's bounds add up. */
static uint64_t enumerate(const struct random_set *set, struct place *place, int dimension)
{
    if (dimension >= set->dimensions || dimension >= DIMENSIONS)
        return contains(set, place);
    int64_t high = -4;
    for (int d = 0; d < set->count; d++) {
        const struct condition *upper = &set->disjuncts[d].conditions[2 * dimension + 1];
        struct form form = upper->form;
        form.dimension[dimension] = 0;
        form.existential = 0;
        int64_t limit = value_of(&set->disjuncts[d].limit, place);
        if (upper->form.existential > 0 && limit > 0)
            form.constant += upper->form.existential * limit;
        int64_t most = floor_of(value_of(&form, place), -upper->form.dimension[dimension]);
        high = most > high ? most : high;
    }
    uint64_t sum = 0;
    for (int64_t at = -3; at <= high; at++) {
        for (int i = dimension + 1; i < DIMENSIONS; i++)
            place->dimension[i] = 0;
        place->dimension[dimension] = at;
        sum += enumerate(set, place, dimension + 1);
    }
    place->dimension[dimension] = 0;
    return sum;
}

/* ---- the tests ---- */

struct tally {
    int rounds;
    int refused;
    int kept;
    int points;
    int unprinted;
    int formulas;
    int past_budget;
};

static void show(void *user, const struct fw_diagnostic *diagnostic)
{
    fprintf(stderr, "%s\n%s %s at \"%.60s\"\n", (const char *)user, diagnostic->code,
            diagnostic->message,
            diagnostic->span.source ? diagnostic->span.source->text + diagnostic->span.offset : "");
}

/* The formula's simplified cases, and its text in isl's syntax, have the count's values. */
static void compare_formula(struct fw_poly *poly, const struct fw_count *count,
                            struct fw_random *random, const char *text, struct tally *tally)
{
    struct fw_arena *arena = fw_arena_new(0);
    const char *names[PARAMETERS];
    size_t parameters = fw_count_parameter_count(count);
    const struct fw_product product = {1, &count, 1};
    const struct fw_formula *formula;
    struct fw_count *again = NULL;
    mpz_t expected, value;
    for (size_t p = 0; p < parameters; p++)
        names[p] = fw_count_parameter(count, p);
    struct fw_formulas *formulas = fw_formulas_new(names, parameters, NULL, 0);
    assert_non_null(formulas);
    mpz_init(expected);
    mpz_init(value);
    if (fw_formula_of(&formula, formulas, &product, 1) != FW_OK) {
        tally->past_budget++;
        goto out;
    }
    tally->formulas++;
    const char *people = fw_formula_text(formula, formulas, arena);
    const char *isl = fw_formula_isl(formula, formulas, arena);
    struct fw_source source = {"formula", isl, isl ? strlen(isl) : 0};
    struct fw_sink sink = {show, (void *)(uintptr_t)isl};
    if (isl && strlen(isl) <= 2000)
        assert_int_equal(fw_count_read_sum(&again, poly, &source, NULL, &sink), FW_OK);
    for (int i = 0; i < 4 * POINTS; i++) {
        int64_t values[PARAMETERS];
        for (size_t p = 0; p < PARAMETERS; p++)
            values[p] = pick(random, -6, 60);
        assert_int_equal(fw_count_evaluate(expected, count, poly, values), FW_OK);
        assert_int_equal(fw_formula_evaluate(value, formula, formulas, values), FW_OK);
        bool same = mpz_cmp(expected, value) == 0;
        if (same && again) {
            assert_int_equal(fw_count_evaluate(value, again, poly, values), FW_OK);
            same = mpz_cmp(expected, value) == 0;
        }
        if (same)
            continue;
        gmp_fprintf(stderr, "%s\n%s\n%s\nat %ld, %ld: %Zd, not %Zd\n", text, people ? people : "",
                    isl ? isl : "", (long)values[0], (long)values[1], expected, value);
        fail();
    }
out:
    fw_count_free(again);
    mpz_clear(expected);
    mpz_clear(value);
    fw_formulas_free(formulas);
    fw_arena_free(arena);
}

/* What is printed reads back as the same function. */
static void compare_print(struct fw_poly *poly, const struct fw_count *count,
                          struct fw_random *random, const char *text, struct tally *tally)
{
    struct fw_arena *arena = fw_arena_new(0);
    char *printed = NULL;
    struct fw_count *again = NULL;
    if (fw_count_print(&printed, count, poly, arena) != FW_OK || strlen(printed) > 2000) {
        tally->unprinted++;
        fw_arena_free(arena);
        return;
    }
    struct fw_source source = {"printed", printed, strlen(printed)};
    struct fw_sink sink = {show, printed};
    if (fw_count_read_sum(&again, poly, &source, NULL, &sink) != FW_OK) {
        fprintf(stderr, "%s\nprinted, but not readable: %s\n", text, printed);
        fail();
    }
    mpz_t first, second;
    mpz_init(first);
    mpz_init(second);
    for (int i = 0; i < POINTS; i++) {
        int64_t values[PARAMETERS], moved[PARAMETERS];
        for (size_t p = 0; p < PARAMETERS; p++)
            values[p] = pick(random, -3, 40);
        for (size_t p = 0; p < fw_count_parameter_count(again); p++)
            for (size_t q = 0; q < fw_count_parameter_count(count); q++)
                if (!strcmp(fw_count_parameter(again, p), fw_count_parameter(count, q)))
                    moved[p] = values[q];
        assert_int_equal(fw_count_evaluate(first, count, poly, values), FW_OK);
        assert_int_equal(fw_count_evaluate(second, again, poly, moved), FW_OK);
        if (mpz_cmp(first, second) == 0)
            continue;
        gmp_fprintf(stderr, "%s\nprinted: %s\n%Zd is printed as %Zd\n", text, printed, first,
                    second);
        fail();
    }
    mpz_clear(first);
    mpz_clear(second);
    fw_count_free(again);
    fw_arena_free(arena);
}

static void compare(struct fw_poly *poly, const struct random_set *set,
                    const struct fw_count *count, struct fw_random *random, const char *text,
                    struct tally *tally)
{
    mpz_t result;
    mpz_init(result);
    for (int i = 0; i < POINTS; i++) {
        struct place place = {0};
        int64_t values[PARAMETERS] = {0};
        for (int p = 0; p < set->parameters; p++)
            place.parameter[p] = pick(random, -2, set->dimensions > 2 ? 6 : 14);
        for (size_t p = 0; p < fw_count_parameter_count(count); p++)
            for (int q = 0; q < set->parameters; q++)
                if (strcmp(fw_count_parameter(count, p), parameter_names[q]) == 0)
                    values[p] = place.parameter[q];
        uint64_t expected = enumerate(set, &place, 0);
        enum fw_status status = fw_count_evaluate(result, count, poly, values);
        tally->points++;
        if (status == FW_OK && mpz_cmp_ui(result, expected) == 0)
            continue;
        gmp_fprintf(stderr, "%s\nat", text);
        for (int p = 0; p < set->parameters; p++)
            fprintf(stderr, " %s = %lld", parameter_names[p], (long long)place.parameter[p]);
        gmp_fprintf(stderr, ": %Zd (status %d) instead of %llu\n", result, (int)status,
                    (unsigned long long)expected);
        fail();
    }
    mpz_clear(result);
}

static void random_sets_agree_with_enumeration(void **state)
{
    (void)state;
    const char *given_seed = getenv("FW_SEED");
    const char *given_rounds = getenv("FW_ROUNDS");
    uint64_t seed = given_seed ? strtoull(given_seed, NULL, 0) : 4711;
    struct tally tally = {.rounds = given_rounds ? atoi(given_rounds) : 1000};
    struct fw_random random = {seed};
    struct fw_poly *poly = fw_poly_new();
    printf("seed %llu\n", (unsigned long long)seed);
    for (int round = 0; round < tally.rounds; round++) {
        static char text[8192];
        struct random_set set = make_set(&random);
        write_set(text, &set);
        struct fw_source source = {"random", text, strlen(text)};
        struct fw_sink sink = {show, text};
        struct fw_set *read = NULL;
        struct fw_count *count = NULL;
        assert_int_equal(fw_set_read(&read, poly, &source, &sink), FW_OK);
        enum fw_status status = fw_set_count(&count, read, NULL, &sink);
        fw_set_free(read);
        if (status != FW_OK) {
            tally.refused++;
            continue;
        }
        if (getenv("FW_SHOW") && !fw_count_is_symbolic(count))
            printf("kept: %s\n", text);
        tally.kept += !fw_count_is_symbolic(count);
        compare(poly, &set, count, &random, text, &tally);
        if (fw_count_is_symbolic(count) && fw_count_leaf_count(count) <= 12 && round % 4 == 0)
            compare_print(poly, count, &random, text, &tally);
        if (fw_count_is_symbolic(count))
            compare_formula(poly, count, &random, text, &tally);
        fw_count_free(count);
    }
    printf("%d sets, %d points: %d counted at each point, %d refused, %d too long to print\n",
           tally.rounds, tally.points, tally.kept, tally.refused, tally.unprinted);
    printf("%d formulas compared, %d past the budget\n", tally.formulas, tally.past_budget);
    assert_int_equal(tally.refused, 0);
    assert_true(tally.formulas > 0);
    assert_true(tally.kept * 100 <= tally.rounds * 3);
    fw_poly_free(poly);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_sets_agree_with_enumeration)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
