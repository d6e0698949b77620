#include "compiled_ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool compiled_asked(const char *how)
{
    return strncmp(how, "compile:", 8) == 0;
}

static struct fw_compile_options options_of(struct fw_arena *arena, const char *how)
{
    struct fw_compile_options options = {.language = FW_LANGUAGE_CUDA};
    char *kind = fw_arena_printf(arena, "%s", how + 8);
    char *colon = strchr(kind, ':');
    if (colon) {
        *colon = '\0';
        options.data = colon + 1;
    }
    char *target = strchr(kind, '@');
    if (target) {
        *target = '\0';
        options.target = (unsigned)strtoul(target + 1, NULL, 10);
    }
    if (strcmp(kind, "opencl") == 0)
        options.language = FW_LANGUAGE_OPENCL;
    else
        options.compiler = kind;
    /* Other tests compile the same kernels: where a test's own cache is stated, they share it. */
    options.cache = getenv("XDG_CACHE_HOME") ? fw_compile_cache_folder(arena) : NULL;
    return options;
}

static void keep_text(void *user, const struct fw_diagnostic *diagnostic)
{
    char *text = user;
    snprintf(text, 256, "%s", diagnostic->message);
}

bool compiled_available(const char **name, struct fw_arena *arena, const char *how)
{
    char *text = fw_arena_alloc(arena, 256);
    struct fw_sink sink = {keep_text, text};
    struct fw_compile_options options = options_of(arena, how);
    struct fw_compiler compiler;
    if (fw_compiler_find(&compiler, arena, &options, &sink) != FW_OK) {
        *name = text;
        return false;
    }
    *name = fw_arena_printf(arena, "%s %s", compiler.kind == FW_COMPILER_NVCC ? "nvcc" : "clang",
                            compiler.version);
    return true;
}

enum compiled compiled_ptx(const char **ptx, size_t *length, struct fw_arena *arena,
                           const char *how, const char *source)
{
    struct fw_compile_options options = options_of(arena, how);
    struct fw_compile_input input = {.path = source};
    struct fw_compiled compiled;
    if (options.language == FW_LANGUAGE_OPENCL) {
        char *twin = fw_arena_printf(arena, "%s", source);
        strcpy(strrchr(twin, '.'), ".cl");
        FILE *file = fopen(twin, "rb");
        if (!file)
            return COMPILED_NO_SOURCE;
        fclose(file);
        input.path = twin;
    }
    if (fw_compile(&compiled, arena, &input, &options, NULL) != FW_OK)
        return COMPILED_REFUSED;
    *ptx = compiled.ptx;
    *length = compiled.ptx_length;
    return COMPILED;
}
