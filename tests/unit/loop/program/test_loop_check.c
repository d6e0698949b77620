/* What is refused for what it would do, calls of functions, several kernels, and types: the parts
 * of src/loop and src/front/knl beside counting. */
#include "knl_reader.h"
#include "loop_statistics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct world {
    struct fw_arena *arena;
    struct fw_poly *poly;
    struct fw_source source;
    struct fw_sink sink;
    struct fw_loop_program *program;
    char code[8]; /* of the first diagnostic */
    char message[256];
    struct fw_position place;
    unsigned errors, warnings;
};

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    struct world *world = user;
    if (diagnostic->severity == FW_ERROR ? world->errors++ : world->warnings++)
        return;
    snprintf(world->code, sizeof(world->code), "%s", diagnostic->code);
    snprintf(world->message, sizeof(world->message), "%s", diagnostic->message);
    world->place = fw_span_position(diagnostic->span);
}

static void begin(struct world *world, const char *text)
{
    memset(world, 0, sizeof(*world));
    world->arena = fw_arena_new(0);
    world->poly = fw_poly_new();
    world->source = (struct fw_source){"test.knl", text, strlen(text)};
    world->sink = (struct fw_sink){hear, world};
}

static enum fw_status enter(struct world *world, const char *text, const char *name)
{
    begin(world, text);
    enum fw_status status = fw_knl_read_kernel(&world->program, world->arena, world->poly,
                                               &world->source, name, &world->sink);
    return status == FW_OK ? fw_loop_check(world->program, 0) : status;
}

static void leave(struct world *world)
{
    fw_poly_free(world->poly);
    fw_arena_free(world->arena);
}

#define ROW "domain [n] -> {[i]: 0 <= i < n}\n"

static void what_is_wrong_is_told_with_its_place(void **state)
{
    static const struct {
        const char *text;
        const char *code;
        unsigned line, column;
        const char *message; /* a part of it */
    } cases[] = {
        {"domain {[i]: i >= 0}\nx[i] = 1\n", "LOOP110", 1, 8, "nothing bounds 'i' from above"},
        {"domain {[i]: i < n}\nx[n - i] = 1\n", "LOOP110", 1, 8, "from below"},
        {ROW "domain {[j]: 3 <= j < 2}\nx[i] = sum(j, j)\n", "LOOP111", 2, 8, "is empty"},
        {ROW "assume n < 0\nx[i] = 1\n", "LOOP111", 1, 8, "assumed possible"},
        {ROW "array x: f32[n]\nx[i + 1] = 1\n", "LOOP113", 3, 1,
         "1 of 'x', i + 1, may reach the "
         "extent n when n > 0"},
        {ROW "array x: f32\ny[i] = x[i - 2]\n", "LOOP113", 3, 8, "may be negative"},
        {ROW "array x: f32[m]\ny[i] = x[i]\n", "LOOP113", 3, 8, "when n > 0 and m < n"},
        {ROW "array x: f32[m, 4]\nassume m >= n\ny[i] = x[i, i]\n", "LOOP113", 4, 8,
         "subscript 2 of 'x', i, may reach the extent 4 when n >= 5"},
        {ROW "array y: f32\nx[i] = y[i] {id=a, dep=b}\nz[i] = x[i] {id=b, dep=a}\n", "LOOP114", 3,
         1, "'a' waits for itself"},
        {ROW "array y: f32\nx[i] = y[i] {id=a, dep=a}\n", "LOOP114", 3, 1, "waits for itself"},
        {ROW "<> n = 3\nx[i] = 1\n", "LOOP115", 2, 4, "must be known before the kernel runs"},
        {"array n: s32\n" ROW "x[i] = 1\n", "LOOP004", 2, 8, "must be known"},
        {ROW "assume m > 1\nx[i] = 1\n", "LOOP006", 2, 8, "'m' is no parameter"},
        {"fix n 3\n" ROW "x[i] = 1\n", "LOOP045", 1, 5, "'n' is no parameter"},
        {ROW "array x: f32[n*n]\ny[i] = x[i]\n", "LOOP117", 2, 14, "a product of 'n' and 'n'"},
        {"domain [n] -> {[i]: 0 <= i and i*i < n}\nx[i] = 1\n", "LOOP117", 1, 32,
         "a product of 'i' and 'i'"},
        {"domain {[i]: 0 <= i < rows[3]}\nx[i] = 1\n", "LOOP115", 1, 23,
         "an element of 'rows' bounds a loop"},
        {"domain {[i]: 0 <= i < }\nx[i] = 1\n", "SET001", 1, 0, ""},
        {ROW "<> a = b + 1\n<> b = a + 1\nx[i] = b\n", "LOOP114", 2, 1, "temporaries that"},
        {ROW "<> a = 2*b\nif a > 0\n<> c = 1 {id=c}\nend\n<> b = c {dep=c}\nx[i] = b\n", "LOOP114",
         2, 1, "round in a circle"},
        {"domain [n] -> {[i, j]: 0 <= i < n and 0 <= j < 64}\narray a, b, c: f64\n"
         "y[i] = sum(j, a[i, j]*b[i, j]*c[i, j])\nsplit i 64 outer=block.0 inner=thread.0\n"
         "prefetch a over i_inner, j\nprefetch b over i_inner, j\n",
         "LOOP084", 6, 10, "other shared arrays have 32768"},
        {ROW "temporary t: f32\nx[i] = t\n", "LOOP116", 3, 1, "'t' is read and never set"},
        {ROW "array z: complex64\nx[i] = z[i]\n", "KNL006", 2, 10, "complex numbers"},
        {ROW "x[i] = cast(i, 1)\n", "KNL006", 2, 13, "a type is expected"},
        {ROW "x[:] = i\n", "KNL013", 2, 0, "for calls"},
        {ROW "function f\ny[i] = 1\n", "KNL008", 2, 1, "no 'end'"},
        {ROW "for i\nfunction f\n", "KNL008", 3, 1, "in no other block"},
        {"let T = n\n" ROW "x[i] = 1\n", "KNL014", 1, 9, "'n' is no constant"},
        {"let T = 7 / 2\n" ROW "x[i] = 1\n", "KNL014", 1, 11, "write '//'"},
        {"let T = 7 // (3 - 3)\n" ROW "x[i] = 1\n", "KNL014", 1, 11, "division by zero"},
        {"let T = 1.5\n" ROW "x[i] = 1\n", "KNL014", 1, 9, "whole number"},
        {"let T = 2**70\n" ROW "x[i] = 1\n", "KNL014", 1, 10, "too large"},
        {"let T = 2**50\n" ROW "x[i] = 1\n", "KNL014", 1, 9, "too large"},
        {"let T = sin(1)\n" ROW "x[i] = 1\n", "KNL014", 1, 9, "min, max and abs"},
        {"let T = 4 5\n" ROW "x[i] = 1\n", "KNL002", 1, 11, "should end here"},
        {"let T\n" ROW "x[i] = 1\n", "KNL002", 1, 6, "let NAME = VALUE"},
        {"let T =\n" ROW "x[i] = 1\n", "KNL002", 1, 8, "an integer is expected"},
        {"let mod = 4\n" ROW "x[i] = 1\n", "KNL015", 1, 5, "something else already"},
        {"let T = 4\nlet T = 5\n" ROW "x[i] = 1\n", "KNL015", 2, 5, "'T' is a constant"},
        {ROW "let n = 4\nx[i] = 1\n", "KNL015", 2, 5, "something else already"},
        {ROW "x[i] = T\nlet T = 4\n", "KNL015", 3, 5, "something else already"},
        {"let T = 4\ndomain [n] -> {[T]: 0 <= T < n}\nx[T] = 1\n", "KNL015", 2, 17, "a constant"},
        {"let T = 4\ndomain [T] -> {[i]: 0 <= i < T}\nx[i] = 1\n", "KNL015", 2, 9, "a constant"},
        {"let T = 4\n" ROW "array T: f32\n", "KNL015", 3, 7, "a constant"},
        {"let T = 4\n" ROW "x[i] = T[i]\n", "KNL015", 3, 8, "a constant"},
        {"let T = 4\n" ROW "T = 3\n", "KNL002", 3, 0, "can be assigned to"},
        {"let T = 4\n" ROW "f(T) := T + 1\nx[i] = f(1)\n", "KNL015", 3, 3, "a constant"},
        {"let T = 4\n" ROW "x[i] = 1\nsplit i S\n", "KNL014", 4, 9, "'S' is no constant"},
        {"let T = 0\ndomain [n] -> {[i]: 0 <= i < n and i mod T = 0}\nx[i] = 1\n", "KNL014", 2, 42,
         "'T' is 0: a divisor"},
        {"let T = 1024\ndomain [n] -> {[i]: 0 <= i < T and T*i <> }\nx[i] = 1\n", "SET001", 2, 41,
         ""},
        {ROW "for i\nlet T = 4\n", "KNL008", 3, 0, "in no block"},
        {ROW "kernel a\nx[i] = 1\nkernel b\nx[i] = 2\n", "KNL011", 2, 0, "several kernels"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct world world;
        enum fw_status status = enter(&world, cases[i].text, NULL);
        if (status != FW_ERROR_INPUT || strcmp(world.code, cases[i].code) != 0 ||
            !strstr(world.message, cases[i].message))
            print_error("%s (%s) instead of %s (%s)\n%s", world.code, world.message, cases[i].code,
                        cases[i].message, cases[i].text);
        assert_int_equal(status, FW_ERROR_INPUT);
        assert_string_equal(world.code, cases[i].code);
        assert_non_null(strstr(world.message, cases[i].message));
        assert_int_equal(world.place.line, cases[i].line);
        if (cases[i].column)
            assert_int_equal(world.place.column, cases[i].column);
        leave(&world);
    }
}

/* Values for constants from outside. */
static void constants_are_what_is_said_of_them(void **state)
{
    static const char text[] =
        "let T = 16\nlet HALF = T // 2 + min(T, 3) - abs(-3)\nkernel a\n" ROW
        "x[i] = 1\nsplit i T outer=block.0 inner=thread.0\ncoarsen i_inner HALF\n"
        "kernel b\nlet OWN = 1K\n" ROW "x[i] = OWN\n";
    static const struct {
        const char *kernel, *defines[3];
        const char *code; /* NULL: it is read */
        unsigned column;
        int64_t last; /* constant */
    } cases[] = {{"a", {NULL}, NULL, 0, 8},
                 {"a", {"T=32"}, NULL, 0, 16},
                 {"a", {"T=32", "HALF=4"}, NULL, 0, 4},
                 {"a", {"T=8", "T=2*8+2**3", NULL}, NULL, 0, 12},
                 {"a", {"T=2", "HALF"}, NULL, 0, 1},
                 {"b", {"OWN=-7", "T=3"}, NULL, 0, -7},
                 {"b", {NULL}, NULL, 0, 1024},
                 {"a", {"OWN=7"}, "KNL016", 3, 0},
                 {"a", {"T=32", "HALFE=2"}, "KNL016", 3, 0},
                 {"a", {"T="}, "KNL002", 0, 0},
                 {"a", {"T=n"}, "KNL014", 5, 0},
                 {"a", {"T=1 2"}, "KNL002", 7, 0},
                 {"a", {"T 3"}, "KNL016", 0, 0},
                 {"a", {"7=3"}, "KNL016", 0, 0},
                 {"a", {""}, "KNL016", 0, 0},
                 {"a", {"T=9999999999999999999"}, "KNL003", 5, 0},
                 {"a", {"T=4", "HALF=3"}, NULL, 0, 3},
                 {"a", {"T=0"}, "LOOP040", 7, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct world world;
        begin(&world, text);
        struct fw_knl_options options = {.name = cases[i].kernel, .defines = cases[i].defines};
        while (options.define_count < 3 && cases[i].defines[options.define_count])
            options.define_count++;
        enum fw_status status = fw_knl_read_with(&world.program, world.arena, world.poly,
                                                 &world.source, &options, &world.sink);
        assert_string_equal(world.code, cases[i].code ? cases[i].code : "");
        assert_int_equal(status, cases[i].code ? FW_ERROR_INPUT : FW_OK);
        if (cases[i].column)
            assert_int_equal(world.place.column, cases[i].column);
        if (!cases[i].code)
            assert_int_equal(world.program->constants.at[world.program->constants.count - 1].value,
                             cases[i].last);
        leave(&world);
    }
}

static void what_is_right_is_not_told(void **state)
{
    static const char *const texts[] = {
        ROW "array x: f32[m]\nassume m >= n\ny[i] = x[i]\n",
        ROW "array x: f32[n]\nif i >= 1\ny[i] = x[i - 1]\nend\n",
        ROW "array x: f32[16]\ny[i] = x[i % 16]\n",
        "domain {[i, j]: 0 <= i < n and i <= j < n}\narray x: f32[n, n]\ny[i, j] = x[j, j - i]\n"};
    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        struct world world;
        enum fw_status status = enter(&world, texts[i], NULL);
        if (status != FW_OK)
            print_error("%s (%s)\n%s", world.code, world.message, texts[i]);
        assert_int_equal(status, FW_OK);
        assert_int_equal(world.errors + world.warnings, 0);
        leave(&world);
    }
}

static void subscripts_that_are_not_affine_are_warned_of(void **state)
{
    struct world world;
    (void)state;
    assert_int_equal(enter(&world, ROW "array col: s32\narray x: f32[n]\ny[i] = x[col[i]]\n", NULL),
                     FW_OK);
    assert_int_equal(world.warnings, 1);
    assert_string_equal(world.code, "LOOP112");
    assert_int_equal(world.place.line, 4);
    leave(&world);
}

static void values_are_allowed_by_the_assumptions(void **state)
{
    static const char *const names[] = {"n", "m"};
    struct world world;
    (void)state;
    assert_int_equal(enter(&world,
                           ROW "domain {[j]: 0 <= j < m}\nassume n mod 16 = 0 and m > n\n"
                               "x[i] = sum(j, j)\n",
                           NULL),
                     FW_OK);
    static const struct {
        int64_t values[2];
        size_t bound;
        bool allowed;
    } cases[] = {{{32, 33}, 2, true}, {{32, 32}, 2, false}, {{31, 99}, 2, false},
                 {{48, 0}, 1, true},  {{47, 0}, 1, false},  {{0, 0}, 0, true}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_int_equal(fw_loop_allows(world.program, names, cases[i].values, cases[i].bound),
                         cases[i].allowed);
    leave(&world);
}

static long count_of(struct world *world, const char *operation, enum fw_type type, int64_t n)
{
    static const char *const names[] = {"n"};
    struct fw_loop_statistics *statistics = NULL;
    long result = 0;
    mpz_t value;
    mpz_init(value);
    assert_int_equal(fw_loop_statistics_new(&statistics, world->program, NULL), FW_OK);
    for (size_t i = 0; i < statistics->operations.count; i++)
        if (statistics->operations.at[i].type == type &&
            strcmp(statistics->operations.at[i].operation, operation) == 0) {
            assert_int_equal(fw_loop_evaluate(value, statistics->operations.at[i].count,
                                              world->poly, names, &n, 1),
                             FW_OK);
            result = mpz_get_si(value);
        }
    mpz_clear(value);
    fw_loop_statistics_free(statistics);
    return result;
}

static void calls_put_the_functions_statements_in_place(void **state)
{
    struct world world;
    (void)state;
    /* Equal names inside and outside, a value, a temporary, a dependency, a second call, a call in
     * a function, two results. */
    assert_int_equal(enter(&world,
                           "function dot(n, x, y)\n"
                           "domain [n] -> {[i]: 0 <= i < n}\n"
                           "r = sum(i, x[i]*y[i])\n"
                           "end\n"
                           "function both(n, A, x, s)\n"
                           "domain [n] -> {[i]: 0 <= i < n}\n"
                           "<> t = s + 1 {id=t}\n"
                           "p[i] = dot(n, A[i, :], x) {dep=t}\n"
                           "q[i] = x[i]/t {dep=t}\n"
                           "end\n" ROW "array A: f32[n, n, n]\narray x: f32[n, n]\n"
                           "u[i, :], v[i, :] = both(n, A[i, :, :], x[:, i], 2.0d)\n"
                           "w[i] = dot(i + 1, x[i, :], x[:, i])\n",
                           NULL),
                     FW_OK);
    assert_int_equal(world.errors, 0);
    for (long n = 1; n < 12; n += 5) {
        assert_int_equal(count_of(&world, "mul", FW_TYPE_F32, n), n * n * n + n * (n + 1) / 2);
        assert_int_equal(count_of(&world, "div", FW_TYPE_F64, n), n * n);
        assert_int_equal(count_of(&world, "add", FW_TYPE_F64, n), n);
    }
    leave(&world);
}

static void calls_that_do_not_fit_are_refused(void **state)
{
    static const struct {
        const char *line;
        const char *code;
    } cases[] = {{"y[i] = f(x[i, :], 1)\n", "LOOP100"}, {"y[i], z[i] = f(x[i, :])\n", "LOOP100"},
                 {"y[i] = f(x[:, :])\n", "LOOP101"},    {"y[:] = f(x[i, :])\n", "LOOP101"},
                 {"y[i] = f(2*x[i, :])\n", "KNL013"},   {"y[i] = 1 + f(x[i, :])\n", "KNL005"},
                 {"y[i] = f(x[i])\n", "LOOP101"}};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char text[512];
        struct world world;
        snprintf(text, sizeof(text),
                 ROW
                 "array x: f32\nfunction f\ndomain {[k]: 0 <= k < 8}\nr = sum(k, a[k])\nend\n%s",
                 cases[i].line);
        assert_int_equal(enter(&world, text, NULL), FW_ERROR_INPUT);
        if (strcmp(world.code, cases[i].code) != 0)
            print_error("%s: %s (%s)\n", cases[i].line, world.code, world.message);
        assert_string_equal(world.code, cases[i].code);
        assert_int_equal(world.place.line, 7);
        leave(&world);
    }
}

static void a_text_holds_several_kernels(void **state)
{
    static const char text[] = ROW "array x: f32\ny[i] = x[i] + 1\n"
                                   "kernel one\n"
                                   "kernel two # with a product\nz[i] = 2*x[i]\n"
                                   "kernel three\nfix n 5\n";
    static const char *const wanted[] = {"one", "two", "three"};
    struct world world;
    const char *const *names;
    size_t count;
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(enter(&world, text, wanted[i]), FW_OK);
        assert_int_equal(fw_knl_kernels(&names, &count, world.arena, &world.source), FW_OK);
        assert_int_equal(count, 3);
        assert_string_equal(names[i], wanted[i]);
        assert_string_equal(world.program->name, wanted[i]);
        assert_int_equal(count_of(&world, "mul", FW_TYPE_F32, 7), i == 1 ? 7 : 0);
        assert_int_equal(count_of(&world, "add", FW_TYPE_F32, 7), i == 2 ? 5 : 7);
        leave(&world);
    }
    assert_int_equal(enter(&world, text, "four"), FW_ERROR_INPUT);
    assert_string_equal(world.code, "KNL011");
    leave(&world);
}

static void quotients_and_casts_have_their_types(void **state)
{
    struct world world;
    (void)state;
    assert_int_equal(enter(&world,
                           ROW "array x: f32\narray c: s64\n"
                               "a[i] = i/2 + 1\n"
                               "b[i] = cast(f16, x[i])*2\n"
                               "d[i] = c[i]//3 + c[i] % 5\n"
                               "e[i] = 1/2*x[i]\n",
                           NULL),
                     FW_OK);
    assert_int_equal(count_of(&world, "div", FW_TYPE_F64, 9), 9 + 9); /* 1/2 is alone f64 */
    assert_int_equal(count_of(&world, "add", FW_TYPE_F64, 9), 9);
    assert_int_equal(count_of(&world, "mul", FW_TYPE_F16, 9), 9);
    assert_int_equal(count_of(&world, "div", FW_TYPE_S64, 9), 18);
    assert_int_equal(count_of(&world, "mul", FW_TYPE_F32, 9), 9);
    leave(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wrong_is_told_with_its_place),
        cmocka_unit_test(constants_are_what_is_said_of_them),
        cmocka_unit_test(what_is_right_is_not_told),
        cmocka_unit_test(subscripts_that_are_not_affine_are_warned_of),
        cmocka_unit_test(values_are_allowed_by_the_assumptions),
        cmocka_unit_test(calls_put_the_functions_statements_in_place),
        cmocka_unit_test(calls_that_do_not_fit_are_refused),
        cmocka_unit_test(a_text_holds_several_kernels),
        cmocka_unit_test(quotients_and_casts_have_their_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
