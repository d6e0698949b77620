/* See compile_testing.h. */
#include "compile_testing.h"

#include "child.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char secret[] = "SECRET-4711";

const char plain[] =
    "#ifdef WIDE\n#include \"wide.h\"\n#endif\n"
    "template <typename T> __global__ void scale(T *data, T by) { data[threadIdx.x] *= by; }\n"
    "template __global__ void scale<float>(float *, float);\n"
    "extern \"C\" __global__ void __launch_bounds__(256) copy(float *__restrict__ to,\n"
    "        const float *from, int n)\n"
    "{\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) to[i] = sqrtf(from[i]) + expf(from[i]);\n"
    "}\n";

void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    struct place *place = user;
    size_t length = strlen(place->told), room = sizeof(place->told) - length;
    if (!length && diagnostic->span.source) {
        struct fw_position position = fw_span_position(diagnostic->span);
        place->line = position.line;
        place->column = position.column;
    }
    snprintf(place->told + length, room, "%s %s\n", diagnostic->code, diagnostic->message);
    place->runs += strstr(diagnostic->message, ": ran") != NULL;
    for (size_t i = 0; i < diagnostic->note_count; i++) {
        length = strlen(place->told);
        snprintf(place->told + length, sizeof(place->told) - length, "note %s\n",
                 diagnostic->notes[i]);
    }
}

const char *write_file(struct place *place, const char *name, const char *text)
{
    const char *path = fw_arena_printf(place->arena, "%s/%s", place->root, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
    return path;
}

const char *write_script(struct place *place, const char *name, const char *body)
{
    const char *text = fw_arena_printf(
        place->arena,
        "#!/bin/sh\n"
        "[ \"$1\" = --version ] && { echo 'clang version 14.0.6'; exit 0; }\n"
        "for a; do [ \"$a\" = -v ] && exit 0; [ \"$was\" = -o ] && out=$a; was=$a; done\n"
        ": > headers\n%s\n",
        body);
    const char *path = write_file(place, name, text);
    assert_int_equal(chmod(path, 0700), 0);
    return path;
}

int set_up(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct place *place = FW_NEW(arena, struct place);
    const char *source = getenv("FOREWARP_SOURCE");
    unsetenv("TMPDIR");
    place->arena = arena;
    place->root = fw_scratch_new(arena);
    if (!place->root)
        return -1;
    place->folder = fw_arena_printf(arena, "%s/user", place->root);
    place->data = fw_arena_printf(arena, "%s/data/compile", source ? source : ".");
    const char *temporary = fw_arena_printf(arena, "%s/tmp", place->root);
    if (mkdir(place->folder, 0700) || mkdir(temporary, 0700))
        return -1;
    setenv("TMPDIR", temporary, 1);
    write_file(place, "secret.h", "#error SECRET-4711\nint SECRET_4711;\n");
    *state = place;
    return 0;
}

/* Nothing is left in the temporary folder, whatever happened. */
int tear_down(void **state)
{
    struct place *place = *state;
    int left = 0;
    DIR *temporary = opendir(getenv("TMPDIR"));
    for (struct dirent *file; temporary && (file = readdir(temporary)) != NULL;)
        left += file->d_name[0] != '.';
    if (temporary)
        closedir(temporary);
    unsetenv("TMPDIR");
    fw_scratch_remove(place->root);
    fw_arena_free(place->arena);
    if (left)
        printf("%d folders are left behind\n", left);
    return left ? -1 : 0;
}

struct fw_compile_options use(struct place *place, enum tool tool)
{
    static const char *const names[] = {"nvcc", "clang", NULL};
    struct fw_compile_options options = {.data = place->data, .compiler = names[tool]};
    struct fw_compiler *compiler = FW_NEW(place->arena, struct fw_compiler);
    options.language = tool == TOOL_LIBCLC ? FW_LANGUAGE_OPENCL : FW_LANGUAGE_CUDA;
    if (tool == TOOL_NVCC)
        options.compiler = NULL;
    if (fw_compiler_find(compiler, place->arena, &options, NULL) != FW_OK ||
        (tool == TOOL_NVCC && compiler->kind != FW_COMPILER_NVCC)) {
        printf("SKIP: %s is not on this machine: this test did not run\n",
               tool == TOOL_NVCC    ? "nvcc"
               : tool == TOOL_CLANG ? "clang"
                                    : "clang with libclc");
        skip();
    }
    options.found = compiler;
    return options;
}

enum fw_status build(struct place *place, struct fw_compiled *compiled, const char *path,
                     const struct fw_compile_options *options)
{
    struct fw_sink sink = {hear, place};
    struct fw_compile_input input = {.path = path};
    place->told[0] = '\0';
    place->line = place->column = 0;
    return fw_compile(compiled, place->arena, &input, options, &sink);
}

const char *show(struct fw_arena *arena, const struct fw_signatures *signatures)
{
    struct fw_buffer text = fw_buffer_new(arena);
    for (size_t i = 0; i < signatures->kernels.count; i++) {
        const struct fw_signature *kernel = &signatures->kernels.at[i];
        fw_buffer_printf(&text, "%s%s(", i ? " " : "", kernel->name);
        for (size_t k = 0; k < kernel->parameters.count; k++) {
            const struct fw_signature_parameter *parameter = &kernel->parameters.at[k];
            fw_buffer_printf(&text, "%s%s:%s|%s%s%s", k ? ", " : "", parameter->name,
                             parameter->type, parameter->pointer ? "*" : "",
                             parameter->constant ? "c" : "", parameter->restricted ? "r" : "");
        }
        fw_buffer_printf(&text, ")");
    }
    return text.text;
}
