/* Generators: descriptions, match conditions, values, templates. */
#include "generate_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct world {
    struct fw_arena *arena, *scratch;
    struct fw_poly *poly;
    struct fw_sink sink;
    char code[16], message[512]; /* of the first error */
    uint32_t line;
    fw_generators generators;
};

static void keep(void *user, const struct fw_diagnostic *diagnostic)
{
    struct world *world = user;
    if (world->code[0] || diagnostic->severity != FW_ERROR)
        return;
    snprintf(world->code, sizeof(world->code), "%s", diagnostic->code);
    snprintf(world->message, sizeof(world->message), "%s", diagnostic->message);
    world->line = diagnostic->span.source && diagnostic->span.offset != FW_WHOLE_SOURCE
                      ? fw_span_position(diagnostic->span).line
                      : 0;
}

static struct world *begin(void)
{
    struct world *world = calloc(1, sizeof(*world));
    world->arena = fw_arena_new((size_t)1 << 30);
    world->scratch = fw_arena_new((size_t)1 << 30);
    world->poly = fw_poly_new();
    world->sink = (struct fw_sink){keep, world};
    return world;
}

static void end(struct world *world)
{
    fw_poly_free(world->poly);
    fw_arena_free(world->scratch);
    fw_arena_free(world->arena);
    free(world);
}

static const struct fw_source *source_of(struct world *world, const char *name, const char *text)
{
    struct fw_source *source = FW_NEW(world->arena, struct fw_source);
    *source = (struct fw_source){name, text, strlen(text)};
    return source;
}

static enum fw_status add(struct world *world, const char *name, const char *tags,
                          const char *template)
{
    struct fw_generator generator;
    enum fw_status status = fw_generator_read(&generator, world->arena, name,
                                              source_of(world, name, tags), &world->sink);
    generator.template = source_of(world, "template", template);
    if (status == FW_OK)
        *FW_APPEND(world->arena, &world->generators) = generator;
    return status;
}

/* The names of what matches, "a b"; the error's code where nothing does. */
static const char *matching(struct world *world, enum fw_generate_match match,
                            const char *const *tags, size_t count)
{
    fw_generators found = {0};
    struct fw_buffer names = fw_buffer_new(world->arena);
    const struct fw_generate_question question = {tags, count, match};
    world->code[0] = '\0';
    if (fw_generators_match(&found, world->arena, &world->generators, &question, &world->sink))
        return world->code;
    for (size_t f = 0; f < found.count; f++)
        fw_buffer_printf(&names, "%s%s", f ? " " : "", found.at[f].name);
    return names.text;
}

#define TAGS(...)                                                                                  \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define MATCHING(m, n, ...) matching(world, FW_GENERATE_##m, TAGS(__VA_ARGS__), n)

static void test_match_conditions(void **state)
{
    (void)state;
    struct world *world = begin();
    assert_int_equal(add(world, "one", "about x\ntags a\n", ""), FW_OK);
    assert_int_equal(add(world, "two", "about x\ntags a, b\n", ""), FW_OK);
    assert_int_equal(add(world, "three", "about x\ntags b, c\n", ""), FW_OK);
    assert_string_equal(MATCHING(SUPERSET, 1, "a"), "one two");
    assert_string_equal(MATCHING(SUPERSET, 2, "a", "b"), "two");
    assert_string_equal(MATCHING(SUPERSET, 2, "a", "c"), "GEN004");
    assert_string_equal(MATCHING(SUPERSET, 1, "n:1"), "one two three");
    assert_string_equal(MATCHING(SUBSET, 2, "a", "b"), "one two");
    assert_string_equal(MATCHING(SUBSET, 1, "c"), "GEN004");
    assert_string_equal(MATCHING(IDENTICAL, 2, "b", "a"), "two");
    assert_string_equal(MATCHING(IDENTICAL, 3, "b", "a", "b"), "two");
    assert_string_equal(MATCHING(IDENTICAL, 1, "b"), "GEN004");
    assert_string_equal(MATCHING(INTERSECT, 2, "a", "c"), "one two three");
    assert_string_equal(MATCHING(INTERSECT, 1, "c"), "three");
    assert_string_equal(MATCHING(SUPERSET, 1, "d"), "GEN004");
    end(world);
}

/* The names of the variants, or the error's code. */
static const char *chosen(struct world *world, const char *const *tags, size_t count)
{
    fw_generate_variants variants = {0};
    struct fw_buffer names = fw_buffer_new(world->arena);
    const struct fw_generate_question question = {tags, count, FW_GENERATE_SUPERSET};
    world->code[0] = '\0';
    if (fw_generate_choose(&variants, world->arena, &world->generators, &question, &world->sink))
        return world->code;
    for (size_t v = 0; v < variants.count; v++)
        fw_buffer_printf(&names, "%s%s", v ? " " : "", variants.at[v].name);
    return names.text;
}
#define CHOSEN(n, ...) chosen(world, TAGS(__VA_ARGS__), n)

static const char product[] = "about x\ntags a\n"
                              "argument type = f32, f64 : the type\n"
                              "argument width = 1, 2 of 1..8 : a width\n"
                              "size n = 16, 32 of 16..1K step 16 : a size\n"
                              "let bytes_all = bytes(type)*n\n"
                              "where not (type == 'f64' and width == 2)\n";

static void test_variants(void **state)
{
    (void)state;
    struct world *world = begin();
    assert_int_equal(add(world, "g", product, ""), FW_OK);
    assert_string_equal(CHOSEN(1, "a"), "g_f32_1_16 g_f32_1_32 g_f32_2_16 g_f32_2_32 g_f64_1_16 "
                                        "g_f64_1_32");
    assert_string_equal(CHOSEN(2, "type:float64", "n:32"), "g_f64_1_32");
    assert_string_equal(CHOSEN(3, "type:f32", "n:64,1K", "width:5"), "g_f32_5_64 g_f32_5_1024");
    assert_string_equal(CHOSEN(2, "n:>16", "width:<2"), "g_f32_1_32 g_f64_1_32");
    assert_string_equal(CHOSEN(2, "n:16,32", "n:32,48"), "g_f32_1_32 g_f32_2_32 g_f64_1_32");
    /* What is computed chooses too. */
    assert_string_equal(CHOSEN(1, "bytes_all:128"), "g_f32_1_32 g_f32_2_32 g_f64_1_16");
    assert_string_equal(CHOSEN(1, "n:17"), "GEN004");
    assert_string_equal(CHOSEN(1, "n:"), "GEN004");
    assert_string_equal(CHOSEN(1, "m:1"), "GEN004");
    assert_string_equal(CHOSEN(1, "type:f16"), "GEN004");
    assert_string_equal(CHOSEN(2, "type:f64", "width:2"), "GEN004");
    end(world);
}

static void test_product_is_limited(void **state)
{
    (void)state;
    struct world *world = begin();
    struct fw_buffer text = fw_buffer_new(world->arena);
    fw_buffer_printf(&text, "about x\ntags a\n");
    for (unsigned a = 0; a < 24; a++)
        fw_buffer_printf(&text, "argument a%u = 0, 1, 2, 3 : a digit\n", a);
    assert_int_equal(add(world, "g", text.text, ""), FW_OK);
    assert_string_equal(CHOSEN(1, "a"), "GEN005");
    world->generators.count = 0;
    assert_int_equal(add(world, "h",
                         "about x\ntags a\nargument a = 0, 1, 2, 3, 4, 5, 6, 7 : a\n"
                         "argument b = 0, 1, 2, 3, 4, 5, 6, 7 : b\n"
                         "argument c = 0, 1, 2, 3, 4, 5, 6, 7 : c\n"
                         "argument d = 0, 1, 2, 3, 4, 5, 6, 7 : d\nargument e = 0, 1 : e\n",
                         ""),
                     FW_OK);
    assert_string_equal(CHOSEN(1, "a"), "GEN005");
    end(world);
}

static void test_descriptions_that_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t line;
    } rows[] = {{"about x\ntags a\ncolour red\n", 3},
                {"about x\n", 0},
                {"tags a\n", 0},
                {"about x\nabout y\ntags a\n", 2},
                {"about x\ntags a, a\n", 2},
                {"about x\ntags a b\n", 2},
                {"about x\ntags a\nargument n = 1\n", 3},
                {"about x\ntags a\nargument n : text\n", 3},
                {"about x\ntags a\nargument n = 1, 1 : text\n", 3},
                {"about x\ntags a\nargument n = a/b : text\n", 3},
                {"about x\ntags a\nargument n = 9 of 1..8 : text\n", 3},
                {"about x\ntags a\nargument n = 1 of 8..1 : text\n", 3},
                {"about x\ntags a\nargument n = 1 of 1..x : text\n", 3},
                {"about x\ntags a\nsize n = big : text\n", 3},
                {"about x\ntags a\nsize n = 8G : text\n", 3},
                {"about x\ntags a\nsize n = 1 : t\nargument m = 1 : t\n", 4},
                {"about x\ntags a\nsize n = 1 : t\nlet n = 1\n", 4},
                {"about x\ntags a\nwhere\n", 3},
                {"about x\ntags a\nfill x = noise\n", 3},
                {"about x\ntags a\nexpect joy = 1\n", 3}};
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        struct world *world = begin();
        assert_int_equal(add(world, "g", rows[r].text, ""), FW_ERROR_INPUT);
        assert_string_equal(world->code, "GEN001");
        assert_int_equal(world->line, rows[r].line);
        end(world);
    }
}

static const struct fw_generate_value *none(const struct generate_names *names, const char *name)
{
    (void)names;
    (void)name;
    return NULL;
}

/* An expression's value as text; the error's code where it has none. */
static const char *value_of(struct world *world, const char *text)
{
    struct generate_names names = {.arena = world->arena, .sink = &world->sink, .find = none};
    const struct fw_source *source = source_of(world, "expression", text);
    struct fw_generate_value value;
    world->code[0] = '\0';
    return generate_evaluate(&value, &names, (struct fw_span){source, 0, (uint32_t)source->length})
               ? world->code
               : value.text;
}

static void test_expressions(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"1 + 2*3 - 4", "3"},
        {"7//2 + 7 % 4", "6"},
        {"7/2", "3.5"},
        {"-7 // 2", "-4"},
        {"-7 % 4", "1"},
        {"not (1 == 1 and 2 < 1) or 0", "1"},
        {"'f32' == 'float32'", "1"},
        {"'f32' != 'f64'", "1"},
        {"if(1 > 2, 3, max(4, 5, 1))", "5"},
        {"bytes('f64') + min(2K, 3)", "11"},
        /* One row of a matrix after the other, whole rows, an overlap that is dense. */
        {"footprint(1, 16, 100, 4)", "64"},
        {"footprint(1, 16, 16, 4)", "64"},
        {"footprint(1, 16, 8, 4)", "40"},
        {"footprint(2, 16, 8, 4)", "28"},
        {"footprint(1, 16, 0, 1000)", "16"},
        {"footprint(2, 16, 3, 4)", "0"},
        {"distinct(1, 16, 16, 4)", "1"},
        {"distinct(1, 16, 15, 4)", "0"},
        {"distinct(0, 16)", "0"},
        {"distinct(0, 1, 1, 8)", "1"},
        {"reach(2, 16, 100, 4)", "331"},
        {"1 +", "GEN002"},
        {"1 2", "GEN002"},
        {"n", "GEN002"},
        {"'f32' + 1", "GEN002"},
        {"1/0", "GEN002"},
        {"9007199254740991*3", "GEN002"},
        {"max()", "GEN002"},
        {"footprint(1)", "GEN002"},
        {"bytes('red')", "GEN002"},
        {"what(1)", "GEN002"},
        {"'f32", "GEN002"},
        {"12x", "GEN002"},
        {"((1)", "GEN002"},
    };
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        struct world *world = begin();
        assert_string_equal(value_of(world, rows[r][0]), rows[r][1]);
        end(world);
    }
}

static void test_deep_expressions(void **state)
{
    (void)state;
    struct world *world = begin();
    char text[4001];
    memset(text, '(', 4000);
    text[4000] = '\0';
    assert_string_equal(value_of(world, text), "GEN002");
    memset(text, '-', 4000);
    assert_string_equal(value_of(world, text), "GEN002");
    end(world);
}

/* What a template becomes for the generator's first variant, without the two lines above it. */
static const char *expanded(struct world *world, const char *tags, const char *template)
{
    fw_generate_variants variants = {0};
    struct generate_expansion expansion;
    const struct fw_generate_question question = {0};
    world->generators.count = 0;
    world->code[0] = '\0';
    if (add(world, "g", tags, template) ||
        fw_generate_choose(&variants, world->arena, &world->generators, &question, &world->sink) ||
        generate_expand(&expansion, world->arena, &variants.at[0], &world->sink))
        return world->code;
    return strchr(strchr(expansion.source.text, '\n') + 1, '\n') + 1;
}

static void test_templates(void **state)
{
    (void)state;
    static const char tags[] = "about x\ntags a\nargument op = add, mul : an operation\n"
                               "argument m = 2 : a number\nsize n = 8 : a size\n"
                               "let twice = 2*m\nlet sized = n\n";
    static const char *const rows[][2] = {
        {"a{{op}}b {{m + 1}}{{twice}}\n", "aaddb 34\n"},
        {"%if op == 'mul'\nx\n%elif m == 2\ny\n%else\nz\n%end\nw\n", "y\nw\n"},
        {"%if op == 'mul'\nx\n%if m == 2\ny\n%end\n%else\nz\n%end\n", "z\n"},
        {"%for k = 0 to m\n{{k}},\n%end\n", "0,\n1,\n2,\n"},
        {"%for k = 1 to 0\n{{nothing}}\n%end\nx\n", "x\n"},
        {"%for k = 0 to 1\n%for l = k to 1\n{{k}}{{l}}\n%end\n%end\n", "00\n01\n11\n"},
        {"%if op == 'mul'\n%for k = nonsense\n%end\n%end\nx\n", "x\n"},
        {"{{op}\n", "GEN001"},
        {"%if op == 'add'\nx\n", "GEN001"},
        {"%end\n", "GEN001"},
        {"%else\n", "GEN001"},
        {"%if\n%end\n", "GEN001"},
        {"%while 1\n%end\n", "GEN001"},
        {"%if 1\n%else\n%else\n%end\n", "GEN001"},
        {"%for k 1 to 2\n%end\n", "GEN001"},
        {"%for k = 1 to 1000000\n%end\n", "GEN001"},
        {"{{n}}\n", "GEN002"}, /* a template is the same for all sizes */
        {"{{sized}}\n", "GEN002"},
        {"%if op\n%end\n", "GEN002"},
    };
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        struct world *world = begin();
        assert_string_equal(expanded(world, tags, rows[r][1] ? rows[r][0] : ""), rows[r][1]);
        end(world);
    }
}

/* Makes all variants of one generator; the error's code, "" when there is none. */
static const char *made(struct world *world, fw_generate_made_list *list, const char *tags,
                        const char *template)
{
    fw_generate_variants variants = {0};
    const struct fw_generate_question question = {0};
    world->generators.count = 0;
    world->code[0] = '\0';
    if (add(world, "g", tags, template) == FW_OK &&
        fw_generate_choose(&variants, world->arena, &world->generators, &question, &world->sink) ==
            FW_OK)
        fw_generate_make(list, world->arena, world->scratch, world->poly, &variants, &world->sink);
    return world->code;
}

static void test_kernels(void **state)
{
    (void)state;
    struct world *world = begin();
    fw_generate_made_list list = {0};
    assert_string_equal(made(world, &list,
                             "about x\ntags a\nargument type = f32, f64 : t\n"
                             "size n = 64, 128 : n\nfill x = random 2 3\n"
                             "expect operation mul type = 1\nexpect load x = n/n\n",
                             "domain {[i]: 0 <= i < n}\nassume n >= 64 and n mod 64 = 0\n"
                             "array x: {{type}}\ny[i] = 2*x[i]\n"
                             "split i 64 outer=block.0 inner=thread.0\n"),
                        "");
    assert_int_equal(list.count, 4);
    assert_ptr_equal(list.at[0].cuda, list.at[1].cuda); /* one kernel, two sizes */
    assert_ptr_not_equal(list.at[1].cuda, list.at[2].cuda);
    assert_int_equal(list.at[1].grid[0], 2);
    assert_int_equal(list.at[1].block[0], 64);
    assert_int_equal(list.at[1].buffers.count, 2);
    assert_int_equal(list.at[1].buffers.at[0].count, 128);
    assert_string_equal(list.at[1].buffers.at[0].fill, "random 2 3");
    assert_string_equal(list.at[1].buffers.at[1].fill, "zero");
    assert_string_equal(list.at[2].expected.at[0].what, "operation mul f64");
    assert_non_null(strstr(list.at[2].opencl, "double"));
    assert_non_null(strstr(fw_generate_launches(world->arena, &list), "\"name\": \"g_f64_128\""));
    end(world);
}

static void test_templates_that_make_no_kernel(void **state)
{
    (void)state;
    static const char tags[] = "about x\ntags a\nsize n = 64 : n\n";
    static const struct {
        const char *template, *code;
        uint32_t line;
    } rows[] = {
        {"", "GEN003", 0},
        {"# nothing\ndomain {[i]: 0 <= i < n}\n", "GEN003", 0},
        /* What the kernel language refuses is told at the template's own line. */
        {"%if 1 == 1\ndomain {[i]: 0 <= i < n}\n%end\narray x: f32\ny[i] = 2*x[i]\ntag q block.0\n",
         "LOOP013", 6},
        {"domain {[i]: 0 <= i < n}\narray x: red\n", "KNL006", 2},
        {"domain {[i]: 0 <= i < n}\nassume n > 64\ny[i] = 1.0f\ntag i block.0\n", "GEN003", 0},
        {"domain {[i]: 0 <= i < m}\ny[i] = 1.0f\n", "GEN003", 3},
        {"domain {[i]: 0 <= i < n + m}\nassume m >= 0 and n >= 1\ny[i] = 1.0f\n", "GEN003", 0},
        {"domain {[i]: 0 <= i < n}\narray x: f32\ny[i] = x[i]*s\narray s: f32\n", "GEN003", 0},
        {"domain {[i]: 0 <= i < n}\narray half: f32\ny[i] = half[i]\n", "GEN003", 0},
        {"kernel mine\ndomain {[i]: 0 <= i < n}\ny[i] = 1.0f\n", "KNL011", 1},
    };
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        struct world *world = begin();
        fw_generate_made_list list = {0};
        assert_string_equal(made(world, &list, tags, rows[r].template), rows[r].code);
        assert_int_equal(world->line, rows[r].line);
        end(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_match_conditions),
        cmocka_unit_test(test_variants),
        cmocka_unit_test(test_product_is_limited),
        cmocka_unit_test(test_descriptions_that_are_refused),
        cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_deep_expressions),
        cmocka_unit_test(test_templates),
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_templates_that_make_no_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
