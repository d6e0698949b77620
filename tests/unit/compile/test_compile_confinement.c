/* What a source cannot read, whichever compiler there is and however it is confined: each attack
 * under each kind of confinement that this machine has. */
#include "assemble.h"
#include "compile_testing.h"
#include "confinement.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Sources that try to read a file outside of their folder. */
static const char *const leaks[] = {
    "#include \"%s/secret.h\"\n",
    "#include \"../secret.h\"\n",
    "#include <%s/secret.h>\n",
    "#define S \"../secret.h\"\n#include S\n",
    "#define S <%s/secret.h>\n#include S\n",
    "#ifdef __CUDA_ARCH__\n#include \"../secret.h\"\n#endif\n",
    "#include \"mylink.h\"\n",
    "#include \"sub/../../secret.h\"\n",
    "%%:include \"../secret.h\"\n",
    "#inc\\\nlude \"../secret.h\"\n",
    "#/**/include \"../secret.h\"\n",
    "#import \"../secret.h\"\n",
    "#include_next \"../secret.h\"\n",
    "#include \".hidden/secret.h\"\n",
    "#include \"/proc/self/environ\"\n",
    "#include \"deep.h\"\n",
    "#include \".env\"\n",
    "#include \"x\\y.h\"\n",
    "#define H #\nH include \"%s/secret.h\"\n",
    "#define H #\nstatic const char s[] =\nH include \"%s/quoted\"\n;\n",
    "#define H %%:\nH include \"%s/secret.h\"\n",
    "#define H #\nH include_next \"%s/secret.h\"\n",
    "#define H(x) x\nH(#) import \"%s/secret.h\"\n",
    "#define H #\n#define I include\nH I \"%s/secret.h\"\n",
    "#include \"pipe.h\"\n",
};

/* Whether it was refused as it has to be: by name where the file can be seen, as a directive that
 * came of macros, or, where it cannot be seen, as one that is not there. */
static bool is_refused(const struct place *place, enum fw_status status)
{
    bool unseen = strcmp(getenv("FOREWARP_CONFINEMENT"), "namespace") == 0 &&
                  strstr(place->told, "CMP010") && strstr(place->told, "note a source may include");
    bool by_macro = strstr(place->told, "expected "); /* clang: an error of syntax */
    return status == FW_ERROR_INPUT && !strstr(place->told, secret) &&
           !strstr(place->told, "PATH=") &&
           (unseen || by_macro || strstr(place->told, "CMP004") || strstr(place->told, "CMP013"));
}

static void leaks_are_refused(struct place *place, const struct fw_compile_options *options)
{
    struct fw_compiled compiled;
    write_file(place, "user/deep.h", "#include \"../secret.h\"\n");
    const char *link = fw_arena_printf(place->arena, "%s/mylink.h", place->folder);
    assert_int_equal(symlink("../secret.h", link), 0);
    assert_int_equal(mkdir(fw_arena_printf(place->arena, "%s/sub", place->folder), 0700), 0);
    assert_int_equal(mkdir(fw_arena_printf(place->arena, "%s/.hidden", place->folder), 0700), 0);
    write_file(place, "user/.hidden/secret.h", "#error SECRET-4711\n");
    write_file(place, "user/.env", "#error SECRET-4711\n");
    write_file(place, "quoted", "\"SECRET-4711\"\n");
    write_file(place, "user/x\\\\y.h", "");
    link = fw_arena_printf(place->arena, "%s/x\\y.h", place->folder);
    assert_int_equal(symlink("../secret.h", link), 0);
    assert_int_equal(mkfifo(fw_arena_printf(place->arena, "%s/pipe.h", place->folder), 0600), 0);
    for (size_t i = 0; i < sizeof(leaks) / sizeof(leaks[0]); i++) {
        char text[1024];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(text, sizeof(text), leaks[i], place->root);
#pragma GCC diagnostic pop
        const char *path = write_file(place, "user/a.cu", text);
        struct fw_compile_options limited = *options;
        limited.seconds = strstr(text, "pipe.h") ? 2 : 0;
        enum fw_status status = build(place, &compiled, path, &limited);
        bool pipe = strstr(text, "pipe.h") && strstr(place->told, "CMP006");
        if (!pipe && !is_refused(place, status))
            fail_msg("status %d for:\n%s\ntold:\n%s", (int)status, text, place->told);
        assert_null(compiled.ptx);
    }
    /* A line directive makes some compilers quote the named file. */
    const char *path =
        write_file(place, "user/a.cu",
                   fw_arena_printf(place->arena,
                                   "#line 1 \"%s/secret.h\"\n#error x\n"
                                   "#line 1 \"%s/secret.h\"\nint f() { return no; }\n",
                                   place->root, place->root));
    assert_int_equal(build(place, &compiled, path, options), FW_ERROR_INPUT);
    assert_null(strstr(place->told, secret));
    path = write_file(place, "user/a.cu", "const char s[] = {\n#  embed \"../secret.h\"\n};\n");
    assert_int_equal(build(place, &compiled, path, options), FW_ERROR_INPUT);
    assert_told(place, "CMP005");
}

static void leaks_through_nvcc_are_refused(void **state)
{
    struct fw_compile_options options = use(*state, TOOL_NVCC);
    leaks_are_refused(*state, &options);
}

static void leaks_through_clang_are_refused(void **state)
{
    struct fw_compile_options options = use(*state, TOOL_CLANG);
    options.target = 80;
    leaks_are_refused(*state, &options);
}

/* Headers that stand in for those that a compiler includes by itself, and bring in the secret. */
static void stand_ins_are_refused_or_not_read(struct place *place,
                                              struct fw_compile_options options, const char *suffix)
{
    static const char *const names[] = {"math.h",
                                        "stddef.h",
                                        "stdlib.h",
                                        "opencl-c-base.h",
                                        "opencl-c.h",
                                        "cuda_runtime.h",
                                        "forewarp_definitions.h",
                                        "forewarp_cuda.h"};
    struct fw_compiled compiled;
    bool opencl = options.language == FW_LANGUAGE_OPENCL;
    const char *source = fw_arena_printf(place->arena, "user/a.%s", suffix);
    const char *path = write_file(
        place, source, opencl ? "kernel void k(global float *a) { a[0] = 1; }\n" : plain);
    const char *folder = place->folder;
    options.includes = &folder;
    options.target = 80;
    for (size_t i = 0; i < 2 * sizeof(names) / sizeof(names[0]); i++) {
        const char *name = fw_arena_printf(place->arena, "user/%s", names[i / 2]);
        const char *stand_in = write_file(place, name, "#include \"../secret.h\"\n");
        options.include_count = i % 2; /* beside the source; and named with -I */
        enum fw_status status = build(place, &compiled, path, &options);
        assert_null(strstr(place->told, secret));
        if (status != FW_OK)
            assert_true(is_refused(place, status));
        else
            assert_null(strstr(compiled.ptx, "SECRET"));
        unlink(stand_in);
    }
    /* A text from elsewhere must not come out through a macro, either. */
    if (opencl)
        return;
    write_file(place, "quoted", secret);
    write_file(
        place, source,
        "#define T(x) #x\n#define S(x) _Pragma(T(GCC error #x))\nS(\n#include \"../quoted\"\n)\n"
        "enum {\n#include \"../quoted\"\n}; int i = f(SECRET);\n");
    assert_int_equal(build(place, &compiled, path, &options), FW_ERROR_INPUT);
    assert_true(is_refused(place, FW_ERROR_INPUT));
}

static void stand_ins_do_not_help_through_nvcc(void **state)
{
    stand_ins_are_refused_or_not_read(*state, use(*state, TOOL_NVCC), "cu");
}

static void stand_ins_do_not_help_through_clang(void **state)
{
    stand_ins_are_refused_or_not_read(*state, use(*state, TOOL_CLANG), "cu");
}

static void stand_ins_do_not_help_through_opencl(void **state)
{
    stand_ins_are_refused_or_not_read(*state, use(*state, TOOL_LIBCLC), "cl");
}

/* PTX without the columns of its lines, which macros move where the text is preprocessed before,
 * and without what tells a debugger of files. */
static const char *without_columns(struct fw_arena *arena, const char *ptx)
{
    struct fw_buffer text = fw_buffer_new(arena);
    unsigned last[2] = {0, 0};
    while (*ptx) {
        size_t length = strcspn(ptx, "\n"), kept = length;
        unsigned file, line;
        int end = 0;
        if (strncmp(ptx + strspn(ptx, "\t"), ".section", 8) == 0)
            break;
        if (strncmp(ptx + strspn(ptx, "\t"), ".file", 5) == 0)
            kept = 0;
        if (sscanf(ptx, " .loc %u %u%n", &file, &line, &end) == 2)
            kept = file == last[0] && line == last[1] ? 0 : (size_t)end;
        if (end) {
            last[0] = file;
            last[1] = line;
        }
        if (kept)
            fw_buffer_printf(&text, "%.*s\n", (int)kept, ptx);
        ptx += length + (ptx[length] == '\n');
    }
    return text.text;
}

/* The answer says how, and the kinds give the same PTX. */
static void kinds_agree(struct place *place, enum tool tool, const char *suffix, const char *text)
{
    struct fw_compile_options options = use(place, tool);
    struct fw_compiled compiled;
    const char *ptx = NULL, *kept = getenv("FOREWARP_CONFINEMENT");
    const char *path = write_file(place, fw_arena_printf(place->arena, "user/a.%s", suffix), text);
    kept = fw_arena_printf(place->arena, "%s", kept);
    options.target = 80;
    for (enum fw_confinement kind = FW_CONFINEMENT_LANDLOCK; kind <= FW_CONFINEMENT_NONE; kind++) {
        enum fw_confinement found;
        setenv("FOREWARP_CONFINEMENT", fw_confinement_name(kind), 1);
        if (fw_confinement_find(&found) != FW_OK)
            continue;
        assert_built(build(place, &compiled, path, &options), place);
        assert_string_equal(compiled.confinement, fw_confinement_name(kind));
        const char *now = without_columns(place->arena, compiled.ptx);
        assert_string_equal(ptx ? ptx : now, now);
        ptx = now;
    }
    setenv("FOREWARP_CONFINEMENT", kept, 1);
}

static void kinds_agree_on_ptx(void **state)
{
    static const char header[] = "#define TWICE(x) ((x) * 2)\n";
    static const char opencl[] = "#include \"twice.h\"\n"
                                 "kernel void k(global float *a) { a[get_global_id(0)] = "
                                 "TWICE(sin(a[0])); }\n";
    const char *cuda = fw_arena_printf(((struct place *)*state)->arena,
                                       "#include \"twice.h\"\n%s"
                                       "static __device__ int s; __global__ void k(int *a)\n"
                                       "{ a[0] = TWICE(__LINE__ + s); s = a[1]; }\n",
                                       plain);
    write_file(*state, "user/twice.h", header);
    kinds_agree(*state, TOOL_NVCC, "cu", cuda);
    kinds_agree(*state, TOOL_CLANG, "cu", plain);
    kinds_agree(*state, TOOL_LIBCLC, "cl", opencl);
}

/* What stands in a literal is no directive, where the system sees to it that it could read nothing.
 */
static void literals_are_not_directives(void **state)
{
    struct place *place = *state;
    struct fw_compile_options options = use(place, TOOL_NVCC);
    struct fw_compiled compiled;
    const char *path = write_file(place, "user/a.cu",
                                  "const char s[] = R\"x(\n#include \"y.h\"\n)x\";\n"
                                  "__global__ void k(int *a) { a[0] = 1'000 + '\"'; }\n");
    enum fw_confinement kind;
    assert_int_equal(fw_confinement_find(&kind), FW_OK);
    enum fw_status status = build(place, &compiled, path, &options);
    if (kind != FW_CONFINEMENT_NONE)
        assert_built(status, place);
    else
        assert_told(place, "CMP013");
}

/* A wrapper of a tool: a script that runs another of the same name elsewhere. */
static void write_wrapper(struct place *place, const char *name, const char *text)
{
    const char *path = write_file(place, fw_arena_printf(place->arena, "bin/%s", name),
                                  fw_arena_printf(place->arena, "#!/bin/sh\n%s\n", text));
    assert_int_equal(chmod(path, 0700), 0);
}

/* The toolkit is often behind scripts in /usr/local/bin or in a module's folder; it says itself
 * where it is, or the script's text does. */
static void wrappers_come_with_what_they_run(void **state)
{
    struct place *place = *state;
    struct fw_compile_options options = use(place, TOOL_NVCC);
    const struct fw_sink sink = {hear, place};
    struct fw_compiler found;
    struct fw_compiled compiled;
    struct fw_assembly assembly;
    const struct fw_assemble_options assembling = {.target = 90};
    assert_int_equal(fw_compiler_find(&found, place->arena, &options, &sink), FW_OK);
    const char *path = fw_arena_printf(place->arena, "%s", getenv("PATH"));
    const char *nvcc = found.programs[0], *kept = getenv("FOREWARP_CONFINEMENT");
    for (size_t i = 0; i < found.program_count; i++)
        nvcc = strstr(found.programs[i], "/bin/nvcc") ? found.programs[i] : nvcc;
    const char *folder = fw_arena_text(place->arena, nvcc, (size_t)(strrchr(nvcc, '/') - nvcc));
    const char *bin = fw_arena_printf(place->arena, "%s/bin", place->root);
    const char *source = write_file(place, "user/a.cu", plain);
    kept = fw_arena_printf(place->arena, "%s", kept);
    assert_int_equal(mkdir(bin, 0700), 0);
    write_wrapper(place, "nvcc",
                  fw_arena_printf(place->arena, "top=%s\nexec $top/nvcc \"$@\"", folder));
    write_wrapper(place, "ptxas", fw_arena_printf(place->arena, "exec '%s/ptxas' \"$@\"", folder));
    write_wrapper(place, "gcc", "exec /usr/bin/gcc \"$@\"");
    setenv("PATH", fw_arena_printf(place->arena, "%s:/usr/bin:/bin", bin), 1);
    options.compiler = NULL;
    options.found = NULL;
    for (enum fw_confinement kind = FW_CONFINEMENT_LANDLOCK; kind <= FW_CONFINEMENT_NONE; kind++) {
        enum fw_confinement has;
        setenv("FOREWARP_CONFINEMENT", fw_confinement_name(kind), 1);
        if (fw_confinement_find(&has) != FW_OK)
            continue;
        assert_built(build(place, &compiled, source, &options), place);
        assert_int_equal(strncmp(compiled.compiler, "nvcc ", 5), 0);
        assert_built(fw_assemble(&assembly, place->arena, compiled.ptx, compiled.ptx_length,
                                 &assembling, &sink),
                     place);
        assert_true(assembly.known);
    }
    setenv("PATH", path, 1);
    setenv("FOREWARP_CONFINEMENT", kept, 1);
}

/* What a compiler, or a shell before it, says in no usual form is told all the same. */
static void last_words_are_told(void **state)
{
    struct place *place = *state;
    struct fw_compiled compiled;
    const char *source = write_file(place, "user/a.cu", plain);
    struct fw_compile_options options = {.language = FW_LANGUAGE_CUDA, .data = place->data};
    options.compiler =
        write_script(place, "cc", "echo 'one' >&2; echo 'cicc: not today' >&2; exit 3");
    assert_int_equal(build(place, &compiled, source, &options), FW_ERROR_INPUT);
    assert_told(place, "/cc failed without an error of its own; it said last");
    assert_told(place, "note one\nnote cicc: not today");
}

static void a_kind_that_is_none_is_refused(void **state)
{
    struct fw_compile_options options = use(*state, TOOL_CLANG);
    struct fw_compiled compiled;
    const char *path = write_file(*state, "user/a.cu", plain);
    const char *kept =
        fw_arena_printf(((struct place *)*state)->arena, "%s", getenv("FOREWARP_CONFINEMENT"));
    setenv("FOREWARP_CONFINEMENT", "prayer", 1);
    assert_int_equal(build(*state, &compiled, path, &options), FW_ERROR_USAGE);
    assert_told((struct place *)*state, "CMP015");
    setenv("FOREWARP_CONFINEMENT", kept, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* usage: test-compile-confinement [KIND]: its attacks alone */
int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        TEST(leaks_through_nvcc_are_refused),       TEST(leaks_through_clang_are_refused),
        TEST(stand_ins_do_not_help_through_nvcc),   TEST(stand_ins_do_not_help_through_clang),
        TEST(stand_ins_do_not_help_through_opencl),
    };
    const struct CMUnitTest leaks_alone[] = {TEST(leaks_through_nvcc_are_refused),
                                             TEST(leaks_through_clang_are_refused)};
    const struct CMUnitTest once[] = {TEST(kinds_agree_on_ptx), TEST(literals_are_not_directives),
                                      TEST(wrappers_come_with_what_they_run),
                                      TEST(last_words_are_told),
                                      TEST(a_kind_that_is_none_is_refused)};
    int failed = 0;
    for (enum fw_confinement kind = FW_CONFINEMENT_LANDLOCK; kind <= FW_CONFINEMENT_NONE; kind++) {
        const char *name = fw_confinement_name(kind);
        enum fw_confinement found;
        setenv("FOREWARP_CONFINEMENT", name, 1);
        if (count > 1 && strcmp(arguments[1], name) != 0)
            continue;
        if (fw_confinement_find(&found) == FW_OK)
            failed += kind == FW_CONFINEMENT_NAMESPACE
                          ? cmocka_run_group_tests_name(name, leaks_alone, NULL, NULL)
                          : cmocka_run_group_tests_name(name, tests, NULL, NULL);
        else
            printf("SKIP: this machine cannot confine by %s: not tested\n", name);
    }
    setenv("FOREWARP_CONFINEMENT", "", 1);
    return failed + cmocka_run_group_tests(once, NULL, NULL);
}
