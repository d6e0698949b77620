/* What src/loop and src/front/knl promise: counts against enumeration by hand, strides, types,
 * transformations that keep counts or refuse, diagnostics with places. */
#include "knl_reader.h"
#include "loop_space.h"
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
    struct fw_loop_program *program;
    struct fw_loop_statistics *statistics;
    char code[8];
    char message[256];
    struct fw_position place;
    unsigned errors;
};

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    struct world *world = user;
    if (world->errors++)
        return;
    snprintf(world->code, sizeof(world->code), "%s", diagnostic->code);
    snprintf(world->message, sizeof(world->message), "%s", diagnostic->message);
    world->place = fw_span_position(diagnostic->span);
}

static const struct fw_sink *sink_of(struct world *world)
{
    struct fw_sink *sink = FW_NEW(world->arena, struct fw_sink);
    *sink = (struct fw_sink){hear, world};
    return sink;
}

static enum fw_status read_text(struct world *world, const char *text)
{
    memset(world, 0, sizeof(*world));
    world->arena = fw_arena_new(0);
    world->poly = fw_poly_new();
    world->source = (struct fw_source){"test.knl", text, strlen(text)};
    return fw_knl_read(&world->program, world->arena, world->poly, &world->source, sink_of(world));
}

static void leave(struct world *world)
{
    fw_loop_statistics_free(world->statistics);
    fw_poly_free(world->poly);
    fw_arena_free(world->arena);
}

static void gather(struct world *world, const struct fw_loop_statistics_options *options)
{
    fw_loop_statistics_free(world->statistics);
    enum fw_status status = fw_loop_statistics_new(&world->statistics, world->program, options);
    if (status != FW_OK)
        print_error("%s: %s\n", world->code, world->message);
    assert_int_equal(status, FW_OK);
}

static long value_of(struct world *world, const struct fw_count *count, int64_t n)
{
    static const char *const names[] = {"n"};
    mpz_t value;
    mpz_init(value);
    assert_int_equal(fw_loop_evaluate(value, count, world->poly, names, &n, 1), FW_OK);
    long result = mpz_get_si(value);
    mpz_clear(value);
    return result;
}

/* The value of a row of operations; 0 when there is none. */
static long operations(struct world *world, const char *operation, enum fw_type type, int64_t n)
{
    for (size_t i = 0; i < world->statistics->operations.count; i++) {
        const struct fw_loop_operation_row *row = &world->statistics->operations.at[i];
        if (row->type == type && strcmp(row->operation, operation) == 0)
            return value_of(world, row->count, n);
    }
    return 0;
}

static const struct fw_loop_memory_row *access_of(struct world *world, const char *array,
                                                  bool store)
{
    for (size_t i = 0; i < world->statistics->memory.count; i++) {
        const struct fw_loop_memory_row *row = &world->statistics->memory.at[i];
        if (row->store == store && strcmp(row->array, array) == 0)
            return row;
    }
    fail_msg("no access to %s", array);
    return NULL;
}

static long accesses(struct world *world, const char *array, bool store, int64_t n)
{
    return value_of(world, access_of(world, array, store)->count, n);
}

static long stride_of(struct world *world, const struct fw_loop_memory_row *row,
                      const struct fw_loop_stride *stride, int64_t n)
{
    static const char *const names[] = {"n"};
    mpz_t value;
    mpz_init(value);
    assert_int_equal(fw_loop_stride_evaluate(value, world->statistics, world->program, row, stride,
                                             names, &n, 1),
                     FW_OK);
    long result = mpz_get_si(value);
    mpz_clear(value);
    return result;
}

#define MATMUL                                                                                     \
    "domain {[i, j, k]: 0 <= i, j, k < n}\n"                                                       \
    "assume n >= 1\n"                                                                              \
    "array a, b: f32\n"                                                                            \
    "c[i, j] = sum(k, a[i, k]*b[k, j])\n"

static void counts_of_a_triangle_and_a_condition(void **state)
{
    struct world world;
    (void)state;
    assert_int_equal(read_text(&world, "domain {[i]: 0 <= i < n}\n"
                                       "domain {[j]: 0 <= j <= i}\n"
                                       "array x, y: f64\n"
                                       "y[i, j] = 2*x[j]\n"
                                       "if i % 3 == 1 and j != i\n"
                                       "z[i, j] = x[i] + 1\n"
                                       "else\n"
                                       "w[i, j] = x[i] / 3\n"
                                       "end\n"),
                     FW_OK);
    gather(&world, NULL);
    for (int64_t n = 0; n < 12; n++) {
        long all = 0, taken = 0;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j <= i; j++) {
                all++;
                taken += i % 3 == 1 && j != i;
            }
        assert_int_equal(operations(&world, "mul", FW_TYPE_F64, n), all);
        assert_int_equal(operations(&world, "add", FW_TYPE_F64, n), taken);
        assert_int_equal(operations(&world, "div", FW_TYPE_F64, n), all - taken);
        assert_int_equal(accesses(&world, "z", true, n), taken);
    }
    assert_false(world.statistics->data_dependent);
    leave(&world);
}

static void a_split_keeps_counts_and_footprints(void **state)
{
    struct world world;
    const struct fw_loop_statistics_options options = {.footprints = true};
    struct fw_span nowhere = {0};
    (void)state;
    assert_int_equal(read_text(&world, MATMUL), FW_OK);
    for (int round = 0; round < 3; round++) {
        gather(&world, &options);
        for (int64_t n = 1; n < 40; n += 7) {
            assert_int_equal(operations(&world, "mul", FW_TYPE_F32, n), n * n * n);
            assert_int_equal(accesses(&world, "a", false, n), n * n * n);
            assert_int_equal(accesses(&world, "c", true, n), n * n);
            for (size_t i = 0; i < world.statistics->footprints.count; i++)
                assert_int_equal(value_of(&world, world.statistics->footprints.at[i].count, n),
                                 n * n);
            assert_int_equal(value_of(&world, world.statistics->footprints.at[0].accesses, n),
                             n * n * n);
        }
        if (round < 2)
            assert_int_equal(fw_loop_split(world.program, round ? "k" : "i", 16 - round, nowhere),
                             FW_OK);
    }
    leave(&world);
}

static void strides_and_granularity_of_a_tiling(void **state)
{
    struct world world;
    (void)state;
    assert_int_equal(read_text(&world, MATMUL "split i 16 outer=block.1 inner=thread.1\n"
                                              "split j 16 outer=block.0 inner=thread.0\n"),
                     FW_OK);
    gather(&world, NULL);
    assert_int_equal(world.statistics->block_threads, 256);
    char *text = NULL;
    assert_int_equal(
        fw_count_print(&text, access_of(&world, "b", false)->count, world.poly, world.arena),
        FW_OK);
    assert_string_equal(text, "[n] -> { n^3 }");
    const struct fw_loop_memory_row *b = access_of(&world, "b", false);
    const struct fw_loop_memory_row *a = access_of(&world, "a", false);
    assert_int_equal(b->granularity, FW_LOOP_PER_THREAD);
    assert_int_equal(a->granularity, FW_LOOP_PER_WARP); /* uniform */
    assert_int_equal(stride_of(&world, b, &b->thread_strides[0], 64), 1);
    assert_int_equal(stride_of(&world, b, &b->block_strides[0], 64), 16);
    assert_int_equal(stride_of(&world, a, &a->thread_strides[1], 64), 64);
    assert_int_equal(stride_of(&world, a, &a->block_strides[1], 64), 16 * 64);
    assert_int_equal(value_of(&world, b->count, 64), 64 * 64 * 64);
    assert_int_equal(value_of(&world, a->count, 64), 64 * 4 * 4 * 8);
    assert_int_equal(operations(&world, "add", FW_TYPE_F32, 64), 64 * 4 * 4 * 8);
    leave(&world);
}

/* The prefetched tiled multiplication of "A mechanism for balancing accuracy and scope in
 * cross-machine black-box GPU performance modeling", section 2, its fetches written out; the values
 * are what that paper's implementation counts. */
static void the_papers_prefetched_multiplication(void **state)
{
    static const struct {
        int64_t n;
        long loads, operations, fetches, stores;
    } expected[] = {{16, 256, 128, 8, 256},
                    {32, 2048, 1024, 64, 1024},
                    {512, 8388608, 4194304, 262144, 262144},
                    {2048, 536870912, 268435456, 16777216, 4194304}};
    struct world world;
    (void)state;
    assert_int_equal(
        read_text(
            &world,
            "[n] -> {[i_outer, i_inner, j_outer, j_inner, k_outer, k_inner, a0, a1, b0, b1]:\n"
            " 0 <= i_inner, j_inner, k_inner, a0, a1, b0, b1 < 16 and\n"
            " 0 <= i_outer, j_outer, k_outer and 16*i_outer + i_inner < n and\n"
            " 16*j_outer + j_inner < n and 16*k_outer + k_inner < n and\n"
            " 16*i_outer + a0 < n and 16*k_outer + a1 < n and\n"
            " 16*k_outer + b0 < n and 16*j_outer + b1 < n}\n"
            "assume n mod 16 = 0 and n > 0\n"
            "array a, b: f32\n"
            "temporary fa, fb: f32[16, 16] shared\n"
            "for k_outer\n"
            "fa[a0, a1] = a[a0 + 16*i_outer, a1 + 16*k_outer] {id=fa}\n"
            "fb[b0, b1] = b[b0 + 16*k_outer, b1 + 16*j_outer] {id=fb}\n"
            "end\n"
            "c[i_inner + 16*i_outer, j_inner + 16*j_outer] = "
            "sum([k_outer, k_inner], fa[i_inner, k_inner]*fb[k_inner, j_inner])"
            " {dep=fa:fb}\n"
            "tag i_outer block.1 unordered\ntag j_outer block.0 unordered\n"
            "tag i_inner thread.1 unordered\ntag j_inner thread.0 unordered\n"
            "tag a0 thread.1 unordered\ntag a1 thread.0 unordered\n"
            "tag b0 thread.1 unordered\ntag b1 thread.0 unordered\n"),
        FW_OK);
    gather(&world, NULL);
    for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
        int64_t n = expected[i].n;
        assert_int_equal(accesses(&world, "a", false, n), expected[i].loads);
        assert_int_equal(accesses(&world, "b", false, n), expected[i].loads);
        assert_int_equal(accesses(&world, "c", true, n), expected[i].stores);
        assert_int_equal(accesses(&world, "fa", true, n), expected[i].fetches);
        assert_int_equal(accesses(&world, "fb", false, n), expected[i].operations);
        assert_int_equal(operations(&world, "add", FW_TYPE_F32, n), expected[i].operations);
        assert_int_equal(operations(&world, "mul", FW_TYPE_F32, n), expected[i].operations);
    }
    const struct fw_loop_memory_row *a = access_of(&world, "a", false);
    assert_int_equal(stride_of(&world, a, &a->thread_strides[1], 512), 512);
    assert_int_equal(stride_of(&world, a, &a->block_strides[1], 512), 512 * 16);
    assert_int_equal(stride_of(&world, a, &a->block_strides[0], 512), 0);
    leave(&world);
}

static void layouts_and_multiply_add(void **state)
{
    struct world world;
    const struct fw_loop_statistics_options options = {.contract = true};
    (void)state;
    assert_int_equal(read_text(&world, "{[i, j]: 0 <= i, j < n}\n"
                                       "array x: f32[n, n + 2] column\n"
                                       "array y: f32[n, n + 2]\n"
                                       "y[i, j] = 2*x[i, j] - 3*x[i, j]*y[i, j] + 1\n"
                                       "tag j thread.0\n"
                                       "fix n 8\n"),
                     FW_OK);
    gather(&world, &options);
    const struct fw_loop_memory_row *x = access_of(&world, "x", false);
    assert_int_equal(stride_of(&world, x, &x->thread_strides[0], 0), 8);
    const struct fw_loop_memory_row *y = access_of(&world, "y", true);
    assert_int_equal(stride_of(&world, y, &y->thread_strides[0], 0), 1);
    /* (2x - (3x)y) + 1: one multiplication goes into the subtraction. */
    assert_int_equal(operations(&world, "madd", FW_TYPE_F32, 0), 8);
    assert_int_equal(operations(&world, "add", FW_TYPE_F32, 0), 8);
    assert_int_equal(operations(&world, "mul", FW_TYPE_F32, 0), 16);
    leave(&world);
}

static void scalars_take_their_writers_loops_and_types(void **state)
{
    struct world world;
    (void)state;
    assert_int_equal(read_text(&world, "{[i]: 0 <= i < n}\n"
                                       "array x: f16\n"
                                       "<> t = 0 {id=zero}\n"
                                       "<> s = exp(x[i])\n"
                                       "out = s + 1.5 {dep=zero}\n"
                                       "u[i] = 1.5f * x[i]\n"
                                       "r = t\n"),
                     FW_OK);
    const struct fw_loop_program *program = world.program;
    assert_int_equal(fw_loop_find_array(program, "t")->type, FW_TYPE_S32);
    assert_int_equal(fw_loop_find_array(program, "s")->type, FW_TYPE_F16);
    assert_int_equal(fw_loop_find_array(program, "out")->type, FW_TYPE_F16);
    assert_int_equal(fw_loop_find_array(program, "u")->type, FW_TYPE_F32);
    assert_int_equal(program->statements.at[0].loop_count, 0);
    assert_int_equal(program->statements.at[2].loop_count, 1);
    assert_int_equal(fw_loop_space(program, fw_loop_find_array(program, "t")), FW_SPACE_REG);
    gather(&world, NULL);
    assert_int_equal(operations(&world, "func:exp", FW_TYPE_F16, 5), 5);
    leave(&world);
}

/* NumPy's promotion and its exceptions here; bare numbers beside integers and alone. */
static void types_come_together(void **state)
{
    static const struct {
        const char *a, *b, *expression;
        enum fw_type type;
    } cases[] = {
        {"f32", "s32", "a[i] + b[i]", FW_TYPE_F32},  {"f32", "s64", "a[i] + b[i]", FW_TYPE_F64},
        {"f32", "u32", "a[i] + b[i]", FW_TYPE_F64},  {"f16", "s16", "a[i] + b[i]", FW_TYPE_F32},
        {"f16", "s8", "a[i] + b[i]", FW_TYPE_F16},   {"f16", "bf16", "a[i] + b[i]", FW_TYPE_F32},
        {"u8", "s8", "a[i] + b[i]", FW_TYPE_S16},    {"u32", "s32", "a[i] + b[i]", FW_TYPE_S64},
        {"u32", "s64", "a[i] + b[i]", FW_TYPE_S64},  {"u64", "s32", "a[i] + b[i]", FW_TYPE_U64},
        {"u16", "s64", "a[i]*b[i]", FW_TYPE_S64},    {"s32", "s32", "a[i]/b[i]", FW_TYPE_F64},
        {"s32", "s32", "a[i] + 1.5", FW_TYPE_F32},   {"s64", "s32", "a[i] + 1.5", FW_TYPE_F64},
        {"f16", "s32", "a[i] + 1.5", FW_TYPE_F16},   {"s32", "s32", "1.5 + 2", FW_TYPE_F32},
        {"s32", "s32", "1/2 + 0*a[i]", FW_TYPE_F64}, {"s64", "s32", "sqrt(a[i])", FW_TYPE_F32},
        {"f16", "s32", "sum(k, 1.5)", FW_TYPE_F32},  {"u32", "s32", "a[i]*7", FW_TYPE_U32},
        {"u32", "s32", "a[i] << b[i]", FW_TYPE_S64},
    };
    (void)state;
    for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
        struct world world;
        char text[256];
        snprintf(text, sizeof(text),
                 "{[i, k]: 0 <= i, k < n}\narray a: %s\narray b: %s\ny[i] = %s\n", cases[c].a,
                 cases[c].b, cases[c].expression);
        assert_int_equal(read_text(&world, text), FW_OK);
        enum fw_type got = fw_loop_find_array(world.program, "y")->type;
        if (got != cases[c].type)
            print_error("%s of %s, %s: %s\n", cases[c].expression, cases[c].a, cases[c].b,
                        fw_type_text(got));
        assert_int_equal(got, cases[c].type);
        leave(&world);
    }
}

static void the_builder_equals_the_text(void **state)
{
    struct world world;
    struct fw_span nowhere = {0};
    const char *const k = "k";
    (void)state;
    assert_int_equal(read_text(&world, ""), FW_OK);
    struct fw_loop_program *p = fw_loop_new(world.arena, world.poly, sink_of(&world));
    assert_int_equal(fw_loop_add_domain(p, "{[i, j, k]: 0 <= i, j, k < n}", nowhere), FW_OK);
    fw_loop_add_array(p, "a", nowhere)->type = FW_TYPE_F32;
    fw_loop_add_array(p, "b", nowhere)->type = FW_TYPE_F32;
    struct fw_loop_expression *i = fw_loop_access(p, "i", NULL, NULL, 0, nowhere);
    struct fw_loop_expression *j = fw_loop_access(p, "j", NULL, NULL, 0, nowhere);
    struct fw_loop_expression *l = fw_loop_access(p, "k", NULL, NULL, 0, nowhere);
    struct fw_loop_expression *ij[] = {i, j}, *ik[] = {i, l}, *kj[] = {l, j};
    struct fw_loop_expression *factors[] = {fw_loop_access(p, "a", NULL, ik, 2, nowhere),
                                            fw_loop_access(p, "b", NULL, kj, 2, nowhere)};
    struct fw_loop_expression *product =
        fw_loop_operation(p, FW_LOOP_MULTIPLY, NULL, factors, 2, nowhere);
    fw_loop_add_statement(p, fw_loop_access(p, "c", NULL, ij, 2, nowhere),
                          fw_loop_reduce(p, "sum", &k, 1, product, nowhere), nowhere);
    assert_int_equal(fw_loop_finish(p), FW_OK);
    world.program = p;
    gather(&world, NULL);
    assert_int_equal(operations(&world, "mul", FW_TYPE_F32, 9), 729);
    assert_int_equal(accesses(&world, "c", true, 9), 81);
    leave(&world);
}

static void what_would_change_the_result_is_refused(void **state)
{
    static const struct {
        const char *text;
        const char *code;
        unsigned line;
    } cases[] = {
        {MATMUL "tag k thread.0\n", "LOOP044", 5},
        {MATMUL "split i 16 inner=thread.0\nsplit i_inner 4\n", "LOOP041", 6},
        {MATMUL "split i 16\ntag i_inner thread.0\ntag j thread.0\n", "LOOP032", 7},
        {MATMUL "split q 2\n", "LOOP013", 5},
        {MATMUL "split i 0\n", "LOOP040", 5},
        {MATMUL "fix n 0\n", "LOOP046", 5},
        {MATMUL "fix m 3\n", "LOOP045", 5},
        {"{[i]: 0 <= i < n}\narray x: f32\nx[i+1] = x[i]\ntag i block.0\n", "LOOP042", 4},
        {"{[i, j]: 0 <= i, j < n}\narray y: f32\nx[i] = y[j]\ntag j block.0\n", "LOOP042", 4},
        {"{[i]: 0 <= i < 9}\narray x: f32\n<> s = s + x[i]\ntag i thread.0\n", "LOOP042", 4},
        {"{[i]: 0 <= i < n}\nx[i] = 2.0 {dep=gone}\n", "LOOP015", 2},
        {"{[i]: 0 <= i < n}\nx[i] = y[i]\n", "LOOP017", 2},
        {"{[i]: 0 <= i < n}\nx[i] = 1 + x[i, i]\n", "LOOP011", 2},
        {"{[i]: 0 <= < n}\nx[i] = 1\n", "SET001", 1},
        {"{[i]: 0 <= i < n}\nx[i] = sni(i)\n", "KNL005", 2},
        {"{[i]: 0 <= i < n}\nx[i] = (1 + \n", "KNL002", 3},
        {"{[i]: 0 <= i < n}\nx[i] = 99999999999999999999\n", "KNL003", 2},
        {"{[i]: 0 <= i < n}\nfor i\nx[i] = 1\n", "KNL008", 2},
        {"{[i]: 0 <= i < n}\nx[i] = 1 ? 2\n", "KNL001", 2},
        {"{[i]: 0 <= i < n}\narray x: float\n", "KNL006", 2},
        {"{[i]: 0 <= i < n}\nx[i] = 1\ntag i lane.0\n", "KNL007", 3},
        {"{[i]: 0 <= i < n}\nx[i] = 1 {color=red}\n", "KNL009", 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct world world;
        assert_int_equal(read_text(&world, cases[i].text), FW_ERROR_INPUT);
        if (strcmp(world.code, cases[i].code) != 0)
            print_error("%s instead of %s (%s)\n%s", world.code, cases[i].code, world.message,
                        cases[i].text);
        assert_string_equal(world.code, cases[i].code);
        assert_int_equal(world.place.line, cases[i].line);
        leave(&world);
    }
}

static void parallel_loops_without_conflict_are_taken(void **state)
{
    struct world world;
    (void)state;
    assert_int_equal(read_text(&world, "{[i, j]: 0 <= i, j < 32}\narray x: f32\n"
                                       "<> t = x[2*i + 1, j]\n"
                                       "x[2*i, j] = t\n"
                                       "tag i block.0\ntag j thread.0\n"),
                     FW_OK);
    leave(&world);
}

static void a_thread_axis_needs_a_constant_bound(void **state)
{
    struct world world;
    (void)state;
    assert_int_equal(read_text(&world, MATMUL "tag i thread.0\n"), FW_OK);
    assert_int_equal(fw_loop_statistics_new(&world.statistics, world.program, NULL),
                     FW_ERROR_INPUT);
    assert_string_equal(world.code, "LOOP031");
    leave(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_a_triangle_and_a_condition),
        cmocka_unit_test(a_split_keeps_counts_and_footprints),
        cmocka_unit_test(strides_and_granularity_of_a_tiling),
        cmocka_unit_test(the_papers_prefetched_multiplication),
        cmocka_unit_test(layouts_and_multiply_add),
        cmocka_unit_test(scalars_take_their_writers_loops_and_types),
        cmocka_unit_test(types_come_together),
        cmocka_unit_test(the_builder_equals_the_text),
        cmocka_unit_test(what_would_change_the_result_is_refused),
        cmocka_unit_test(parallel_loops_without_conflict_are_taken),
        cmocka_unit_test(a_thread_axis_needs_a_constant_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
