/* What a source or a compiler cannot do: pass for an option, take more than it is given.  Limits
 * are tested with small shell scripts that pretend to be a compiler. */
#include "compile_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* File names that look like options, or like work for a shell. */
static void odd_file_names_are_names(struct place *place, struct fw_compile_options options,
                                     bool nvcc)
{
    static const char *const names[] = {"-o.cu",
                                        "@a.cu",
                                        "a b.cu",
                                        "$(touch pwned).cu",
                                        "`touch pwned`.cu",
                                        "a\"; touch pwned; \".cu"};
    struct fw_compiled compiled;
    char here[4096];
    assert_non_null(getcwd(here, sizeof(here)));
    assert_int_equal(chdir(place->folder), 0);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        write_file(place, fw_arena_printf(place->arena, "user/%s", names[i]), plain);
        enum fw_status status = build(place, &compiled, names[i], &options);
        bool refused = nvcc && i >= 3;
        assert_int_equal(status, refused ? FW_ERROR_USAGE : FW_OK);
        if (refused)
            assert_told(place, "CMP003");
    }
    assert_int_not_equal(access("pwned", F_OK), 0);
    assert_int_equal(chdir(here), 0);
}

static void odd_file_names_are_names_to_nvcc(void **state)
{
    odd_file_names_are_names(*state, use(*state, TOOL_NVCC), true);
}

static void odd_file_names_are_names_to_clang(void **state)
{
    struct fw_compile_options options = use(*state, TOOL_CLANG);
    options.target = 80;
    odd_file_names_are_names(*state, options, false);
}

/* What is told names the user's own words: the definition, not our file that holds it. */
static void errors_in_definitions_name_them(void **state)
{
    struct place *place = *state;
    struct fw_compile_options options = use(place, TOOL_CLANG);
    struct fw_compiled compiled;
    static const char *const defines[] = {"A=1", "B=/* endless"};
    const char *path = write_file(place, "user/a.cu", plain);
    options.defines = defines;
    options.define_count = 2;
    assert_int_equal(build(place, &compiled, path, &options), FW_ERROR_INPUT);
    assert_told(place, "-D B=/* endless: unterminated");
    assert_null(strstr(place->told, "forewarp_definitions"));
}

/* nvcc has ptxas check inline PTX, which says what is wrong in a form of its own. */
static void errors_of_inline_ptx_are_told(void **state)
{
    struct place *place = *state;
    struct fw_compile_options options = use(place, TOOL_NVCC);
    struct fw_compiled compiled;
    const char *path =
        write_file(place, "user/a.cu",
                   "__global__ void k(int *p) { asm(\"nonsense %0;\" :: \"r\"(p[0])); }\n");
    assert_int_equal(build(place, &compiled, path, &options), FW_ERROR_INPUT);
    assert_told(place, "nonsense");
    assert_null(strstr(place->told, "failed without"));
}

static void bad_compilers_are_contained(void **state)
{
    struct place *place = *state;
    static const struct {
        const char *body, *code;
    } cases[] = {
        {"sleep 1000 & sleep 1000", "CMP006"},
        {"while :; do :; done", "CMP006"},
        {"kill -SEGV $$", "CMP009"},
        {"echo 'terminate called: std::bad_alloc' >&2; kill -ABRT $$", "CMP007"},
        {"exec yes > \"$out\"", "CMP008"},
        {"echo '/x/a.cu:1:2: error: never'; exit 1", "CMP010"},
        {"exit 3", "CMP010"},
        {"exit 0", "CMP012"},
        {"mkdir \"$out\"", "CMP012"},
        {"yes /etc/passwd | head -1000 > headers; exit 1", "CMP004"},
        {"rm headers; echo x > \"$out\"", "CMP012"},
    };
    struct fw_compile_options options = {
        .data = place->data, .seconds = 2, .output = 1 << 20, .compiler = NULL};
    const char *path = write_file(place, "user/a.cu", plain);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fw_compiled compiled;
        options.compiler = write_script(place, "compiler", cases[i].body);
        enum fw_status status = build(place, &compiled, path, &options);
        assert_told(place, cases[i].code);
        assert_int_equal(status,
                         strcmp(cases[i].code, "CMP012") ? FW_ERROR_INPUT : FW_ERROR_MACHINE);
        assert_null(compiled.ptx);
    }
    struct fw_compiled compiled;
    options.compiler = write_script(place, "compiler", "echo good > \"$out\"");
    assert_built(build(place, &compiled, path, &options), place);
    assert_string_equal(compiled.ptx, "good\n");
    options.compiler = "/nonexistent/clang";
    assert_int_equal(build(place, &compiled, path, &options), FW_ERROR_MACHINE);
    assert_told(place, "CMP001");
    assert_told(place, "install");
}

static void memory_is_limited(void **state)
{
    struct place *place = *state;
    struct fw_compile_options options = use(place, TOOL_CLANG);
    struct fw_compiled compiled;
    const char *path = write_file(place, "user/a.cu",
                                  "template <int N> struct S { static const int v = S<N - 1>::v + "
                                  "S<N - 2>::v; };\n"
                                  "#define A(x) x x x x x x x x x x x x x x x x\n"
                                  "#define B(x) A(A(A(A(A(A(x))))))\n"
                                  "int f() { B(B(int i = 1;)) return 0; }\n");
    options.memory = (uint64_t)600 << 20;
    options.seconds = 20;
    options.target = 80;
    assert_int_equal(build(place, &compiled, path, &options), FW_ERROR_INPUT);
    if (!strstr(place->told, "CMP007") && !strstr(place->told, "CMP009") &&
        !strstr(place->told, "CMP006"))
        fail_msg("told:\n%s", place->told);
}

static void a_full_arena_leaves_nothing_behind(void **state)
{
    struct place *place = *state;
    struct fw_compile_options options = {
        .data = place->data, .compiler = write_script(place, "compiler", "echo good > \"$out\"")};
    const char *path = write_file(place, "user/a.cu", plain);
    bool good = false;
    for (size_t limit = 100; limit < 4000000 && !good; limit += limit / 3) {
        struct fw_arena *arena = fw_arena_new(limit);
        struct fw_compiled compiled;
        struct fw_compile_input input = {.path = path};
        enum fw_status status = fw_compile(&compiled, arena, &input, &options, NULL);
        assert_true(status == FW_OK || status == FW_ERROR_MEMORY);
        good = status == FW_OK;
        fw_arena_free(arena);
    }
    assert_true(good);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(odd_file_names_are_names_to_nvcc),   TEST(odd_file_names_are_names_to_clang),
        TEST(errors_in_definitions_name_them),    TEST(errors_of_inline_ptx_are_told),
        TEST(bad_compilers_are_contained),        TEST(memory_is_limited),
        TEST(a_full_arena_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
