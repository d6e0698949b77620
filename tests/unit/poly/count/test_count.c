/* What src/poly/count/count.h promises: known cardinalities, printing, rows, sums, bounds,
 * diagnostics. The facts are read from $FOREWARP_SOURCE/tests/conformance. */
#include "count.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fw_poly *poly;

struct heard {
    int times;
    char code[16];
    char message[200];
    uint32_t offset;
};

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    struct heard *heard = user;
    heard->times++;
    snprintf(heard->code, sizeof(heard->code), "%s", diagnostic->code);
    snprintf(heard->message, sizeof(heard->message), "%s", diagnostic->message);
    heard->offset = diagnostic->span.source ? diagnostic->span.offset : UINT32_MAX;
}

static struct fw_source source_of(const char *text)
{
    return (struct fw_source){"text", text, strlen(text)};
}

static struct fw_set *read_set(const char *text)
{
    struct fw_set *set = NULL;
    struct fw_source source = source_of(text);
    assert_int_equal(fw_set_read(&set, poly, &source, NULL), FW_OK);
    return set;
}

static struct fw_count *count_text(const char *text)
{
    struct fw_set *set = read_set(text);
    struct fw_count *count = NULL;
    assert_int_equal(fw_set_count(&count, set, NULL, NULL), FW_OK);
    fw_set_free(set);
    return count;
}

static void check_value(const struct fw_count *count, const int64_t *values, const char *expected)
{
    mpz_t result;
    mpz_init(result);
    assert_int_equal(fw_count_evaluate(result, count, poly, values), FW_OK);
    char *text = mpz_get_str(NULL, 10, result);
    assert_string_equal(text, expected);
    free(text);
    mpz_clear(result);
}

static void check_print(const struct fw_count *count, const char *expected)
{
    struct fw_arena *arena = fw_arena_new(0);
    char *text = NULL;
    assert_int_equal(fw_count_print(&text, count, poly, arena), FW_OK);
    assert_string_equal(text, expected);
    fw_arena_free(arena);
}

/* ---- known cardinalities ---- */

static struct fw_set *read_case(const json_t *item)
{
    const char *text = json_string_value(json_object_get(item, "set"));
    if (text)
        return read_set(text);
    struct fw_set *domain = read_set(json_string_value(json_object_get(item, "domain")));
    struct fw_set *all = NULL;
    size_t index;
    json_t *access;
    json_array_foreach(json_object_get(item, "accesses"), index, access)
    {
        struct fw_source relation = source_of(json_string_value(access));
        struct fw_set *image = NULL;
        struct fw_set *both = NULL;
        assert_int_equal(fw_set_image(&image, domain, &relation, NULL), FW_OK);
        if (all) {
            assert_int_equal(fw_set_unite(&both, all, image, NULL), FW_OK);
            fw_set_free(all);
            fw_set_free(image);
            image = both;
        }
        all = image;
    }
    fw_set_free(domain);
    return all;
}

/* One parameter point: {"params": {...}, "value": ...}. */
static void check_fact(const struct fw_count *count, const json_t *value)
{
    int64_t point[16] = {0};
    char expected[32];
    for (size_t i = 0; i < fw_count_parameter_count(count); i++) {
        json_t *given =
            json_object_get(json_object_get(value, "params"), fw_count_parameter(count, i));
        assert_non_null(given);
        point[i] = json_integer_value(given);
    }
    snprintf(expected, sizeof(expected), "%lld",
             (long long)json_integer_value(json_object_get(value, "value")));
    check_value(count, point, expected);
}

/* Checks every value of a file of cases; how many there were. */
static int check_facts(const char *file_name)
{
    char facts[4096];
    const char *source = getenv("FOREWARP_SOURCE");
    snprintf(facts, sizeof(facts), "%s/tests/conformance/%s", source ? source : ".", file_name);
    json_t *file = json_load_file(facts, 0, NULL);
    assert_non_null(file);
    size_t index;
    json_t *item;
    int checked = 0;
    json_array_foreach(json_object_get(file, "cases"), index, item)
    {
        printf("%s\n", json_string_value(json_object_get(item, "name")));
        struct fw_set *set = read_case(item);
        struct fw_count *count = NULL;
        assert_int_equal(fw_set_count(&count, set, NULL, NULL), FW_OK);
        fw_set_free(set);
        assert_true(fw_count_is_symbolic(count));
        size_t place;
        json_t *value;
        json_array_foreach(json_object_get(item, "values"), place, value)
        {
            check_fact(count, value);
            checked++;
        }
        fw_count_free(count);
    }
    json_decref(file);
    return checked;
}

static void known_cardinalities(void **state)
{
    (void)state;
    assert_true(check_facts("set-cardinalities.json") > 200);
    assert_true(check_facts("paper-sets.json") > 140);
}

/* ---- printing ---- */

static const struct {
    const char *set;
    const char *printed;
} prints[] = {
    {"{ [i, j] : 0 <= i, j < 16 }", "{ 256 }"},
    {"[n] -> { [i] : 1 = 0 }", "[n] -> { 0 }"},
    {"[n, m] -> { [i, j] : 0 <= i < n and 0 <= j < m }", "[n, m] -> { n * m : n > 0 and m > 0 }"},
    {"[n] -> { [i, j, k] : 0 <= i, j, k < n }", "[n] -> { n^3 : n > 0 }"},
    {"[n] -> { [i, j] : 0 <= i < n and 0 <= j <= i }", "[n] -> { 1/2 * n^2 + 1/2 * n : n > 0 }"},
    {"[n] -> { [io, ii] : 0 <= ii < 16 and 0 <= 16 io + ii < n }", "[n] -> { n : n > 0 }"},
    {"[n] -> { [io] : 0 <= io and 16 io < n }", "[n] -> { floor((n + 15)/16) : n > 0 }"},
    {"[n] -> { [g, l] : n mod 14 = 0 and 0 <= g and 14 g < n and 0 <= l < 16 }",
     "[n] -> { 8/7 * n : (n) mod 14 = 0 and n > 0 }"},
    {"[n] -> { [i, j] : -n <= i + j <= n and -n <= i - j <= n }",
     "[n] -> { 2 * n^2 + 2 * n + 1 : n >= 0 }"},
    {"[n] -> { [i, j] : 0 <= i < n and 0 <= 2j <= i }",
     "[n] -> { 1/4 * n^2 + 3/4 * n - 1/2 * floor((n)/2) : n > 0 }"},
};

static void prints_as_a_person_would(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(prints) / sizeof(prints[0]); i++) {
        struct fw_count *count = count_text(prints[i].set);
        check_print(count, prints[i].printed);
        fw_count_free(count);
    }
}

static void assumptions_simplify(void **state)
{
    (void)state;
    struct fw_set *set = read_set("[n] -> { [io, jo, ii, ji] : 0 <= ii, ji < 16 and 0 <= io, jo "
                                  "and 16 io + 15 < n and 16 jo + 15 < n }");
    struct fw_set *known = read_set("[n] -> { : n mod 16 = 0 and n > 0 }");
    struct fw_count_options options = {.assumptions = known};
    struct fw_count *count = NULL;
    assert_int_equal(fw_set_count(&count, set, &options, NULL), FW_OK);
    check_print(count, "[n] -> { n^2 }");
    check_value(count, (int64_t[]){2048}, "4194304");
    fw_count_free(count);
    fw_set_free(set);
    fw_set_free(known);
}

/* ---- other ways in ---- */

/* The accesses a[i + j], 0 <= i < n, 0 <= j < 3: n + 2 elements. */
static void rows_with_existentials_are_footprints(void **state)
{
    (void)state;
    static const char *const names[] = {"n"};
    /* constant, n, element, i, j */
    static const int64_t coefficients[] = {0,  0, -1, 1,  1, /* element = i + j */
                                           0,  0, 0,  1,  0, /* i >= 0 */
                                           -1, 1, 0,  -1, 0, /* i < n */
                                           0,  0, 0,  0,  1, /* j >= 0 */
                                           2,  0, 0,  0,  -1};
    static const bool equalities[] = {true, false, false, false, false};
    struct fw_set_rows rows = {.parameters = names,
                               .parameter_count = 1,
                               .dimensions = 1,
                               .existentials = 2,
                               .row_count = 5,
                               .coefficients = coefficients,
                               .equalities = equalities};
    struct fw_set *set = NULL;
    struct fw_count *count = NULL;
    assert_int_equal(fw_set_from_rows(&set, poly, &rows, NULL), FW_OK);
    assert_int_equal(fw_set_count(&count, set, NULL, NULL), FW_OK);
    assert_int_equal(fw_count_parameter_count(count), 1);
    assert_string_equal(fw_count_parameter(count, 0), "n");
    check_print(count, "[n] -> { n + 2 : n > 0 }");
    fw_count_free(count);
    fw_set_free(set);
}

static void sums_weigh_points(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t n;
        const char *value;
    } sums[] = {
        {"[n] -> { [i] -> i^2 : 0 <= i < n }", 1000, "332833500"},
        {"[n] -> { [i, j] -> i * j + n : 0 <= i, j < n }", 10, "3025"},
        {"[n] -> { [i] -> floor((i)/3) : 0 <= i < n }", 10, "12"},
        {"[n] -> { [i] -> 1/2 * i^2 + 1/2 * i : 0 <= i < n }", 100, "166650"},
        {"[n] -> { [i] -> 2 : 0 <= i < n; [i] -> i : n <= i < 2n }", 10, "165"},
        {"[n] -> { n^2 : n > 3 }", 12, "144"},
    };
    for (size_t i = 0; i < sizeof(sums) / sizeof(sums[0]); i++) {
        struct fw_count *count = NULL;
        struct fw_source source = source_of(sums[i].text);
        assert_int_equal(fw_count_read_sum(&count, poly, &source, NULL, NULL), FW_OK);
        check_value(count, &sums[i].n, sums[i].value);
        fw_count_free(count);
    }
}

static void counts_add_by_parameter_name(void **state)
{
    (void)state;
    struct fw_count *a = count_text("[n, m] -> { [i, j] : 0 <= i < n and 0 <= j < m }");
    struct fw_count *b = count_text("[m, n] -> { [i] : 0 <= i and 16 i < n and m > 0 }");
    struct fw_count *sum = NULL;
    const struct fw_count *const both[] = {a, b};
    const int64_t factors[] = {2, 3};
    assert_int_equal(fw_count_add(&sum, both, factors, 2), FW_OK);
    assert_string_equal(fw_count_parameter(sum, 0), "n");
    check_value(sum, (int64_t[]){100, 7}, "1421");
    check_value(sum, (int64_t[]){100, 0}, "0");
    check_print(sum, "[n, m] -> { 2 * n * m + 3 * floor((n + 15)/16) : n > 0 and m > 0 }");
    fw_count_free(a);
    fw_count_free(b);
    fw_count_free(sum);
}

static void values_of_any_size(void **state)
{
    (void)state;
    struct fw_count *count = count_text("[n] -> { [i, j, k] : 0 <= i <= j <= k < n }");
    mpz_t n, result, expected;
    mpz_inits(n, result, expected, NULL);
    mpz_ui_pow_ui(n, 10, 30);
    mpz_srcptr const values[] = {n};
    assert_int_equal(fw_count_evaluate_big(result, count, poly, values), FW_OK);
    mpz_add_ui(expected, n, 1);
    mpz_mul(expected, expected, n);
    mpz_add_ui(n, n, 2);
    mpz_mul(expected, expected, n);
    mpz_divexact_ui(expected, expected, 6);
    assert_int_equal(mpz_cmp(result, expected), 0);
    mpz_clears(n, result, expected, NULL);
    /* where 64 bits do not suffice the same value comes the long way */
    check_value(count, (int64_t[]){4000000000000000000},
                "1066666666666666667466666666666666666800"
                "0000000000000000");
    fw_count_free(count);
    count = count_text("{ [i] : 0 <= 3 i < 100000000000000000000000000000000 }");
    check_value(count, NULL, "33333333333333333333333333333334");
    fw_count_free(count);
}

/* ---- bounds on work, and faults ---- */

static void what_is_too_much_is_counted_at_each_point(void **state)
{
    (void)state;
    struct fw_set *set = read_set("[n, m] -> { [i, j, k] : i, j, k >= 0 and 5 i + 7 j + 11 k <= n "
                                  "and i + j <= m }");
    struct fw_count_options options = {.budget = 50};
    struct fw_count *kept = NULL;
    struct fw_count *sum = NULL;
    assert_int_equal(fw_set_count(&kept, set, &options, NULL), FW_OK);
    assert_false(fw_count_is_symbolic(kept));
    check_value(kept, (int64_t[]){300, 40}, "11428");
    struct fw_arena *arena = fw_arena_new(0);
    char *text = NULL;
    assert_int_equal(fw_count_print(&text, kept, poly, arena), FW_ERROR_BUDGET);
    fw_arena_free(arena);
    const struct fw_count *const all[] = {kept, kept};
    const int64_t factors[] = {1, 2};
    assert_int_equal(fw_count_add(&sum, all, factors, 2), FW_OK);
    check_value(sum, (int64_t[]){300, 40}, "34284");
    fw_count_free(sum);
    fw_count_free(kept);
    fw_set_free(set);
}

static void faults_have_codes_and_places(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *code;
        uint32_t offset;
    } faults[] = {
        {"[n] -> { [i] : 0 <= i < }", "SET001", 24},
        {"[n] -> { [i] : 0 <= i < n ", "SET001", 24},
        {"", "SET001", 0},
        {"[n] -> { [i] : 0 <= i < k }", "SET001", 26},
        {"[n] -> { [i] : 0 <= i < n } and more", "SET001", 28},
        {"{ [i] -> [j] : j = i }", "SET002", 0},
        {"{ A[i] : 0 <= i < 2; B[i] : i = 1 }", "SET002", 0},
        {"{ [i] : 0 <= i < 5 } }", "SET001", 21},
    };
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        struct heard heard = {0};
        struct fw_sink sink = {hear, &heard};
        struct fw_source source = source_of(faults[i].text);
        struct fw_set *set = NULL;
        printf("%s\n", faults[i].text);
        assert_int_equal(fw_set_read(&set, poly, &source, &sink), FW_ERROR_INPUT);
        printf("  %s at %u: %s\n", heard.code, heard.offset, heard.message);
        assert_int_equal(heard.times, 1);
        assert_null(set);
        assert_string_equal(heard.code, faults[i].code);
        if (faults[i].offset)
            assert_int_equal(heard.offset, faults[i].offset);
    }
}

static void unbounded_sets_are_refused(void **state)
{
    (void)state;
    static const char *const unbounded[] = {"{ [i] : i >= 0 }", "[n] -> { [i, j] : 0 <= i < n }",
                                            "{ [i, j] : i = 2 j }",
                                            "[n] -> { [i] : 0 <= i < n or (n > 7 and i > n) }"};
    for (size_t i = 0; i < sizeof(unbounded) / sizeof(unbounded[0]); i++) {
        struct heard heard = {0};
        struct fw_sink sink = {hear, &heard};
        struct fw_set *set = read_set(unbounded[i]);
        struct fw_count *count = NULL;
        assert_int_equal(fw_set_count(&count, set, NULL, &sink), FW_ERROR_INPUT);
        assert_null(count);
        assert_string_equal(heard.code, "SET003");
        fw_set_free(set);
    }
}

static int set_up(void **state)
{
    (void)state;
    poly = fw_poly_new();
    return poly ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    fw_poly_free(poly);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_cardinalities),
        cmocka_unit_test(prints_as_a_person_would),
        cmocka_unit_test(assumptions_simplify),
        cmocka_unit_test(rows_with_existentials_are_footprints),
        cmocka_unit_test(sums_weigh_points),
        cmocka_unit_test(counts_add_by_parameter_name),
        cmocka_unit_test(values_of_any_size),
        cmocka_unit_test(what_is_too_much_is_counted_at_each_point),
        cmocka_unit_test(faults_have_codes_and_places),
        cmocka_unit_test(unbounded_sets_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
