#define _GNU_SOURCE /* O_CLOEXEC */
#include "compile_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum fw_status too_large(const struct compilation *compilation, const char *name)
{
    fw_report(compilation->sink, FW_ERROR, "CMP002", (struct fw_span){0},
              "%s is larger than %d MiB, which no kernel is", name, LARGEST_SOURCE >> 20);
    return FW_ERROR_INPUT;
}

/* Reads the source and finds where it is. */
static enum fw_status load_source(struct compilation *compilation,
                                  const struct fw_compile_input *input)
{
    struct fw_arena *arena = compilation->arena;
    struct fw_source *source = FW_NEW(arena, struct fw_source);
    source->name = input->path ? fw_arena_printf(arena, "%s", input->path) : "-";
    compilation->source = source;
    if (input->text && input->length > LARGEST_SOURCE)
        return too_large(compilation, source->name);
    if (input->text) {
        source->text = fw_arena_text(arena, input->text, input->length);
        source->length = input->length;
        return FW_OK;
    }
    source->text = compile_read_file(arena, source->name, LARGEST_SOURCE, &source->length);
    int error = errno;
    compilation->file = source->text ? compile_real_path(arena, source->name) : NULL;
    if (!compilation->file) {
        source->text = "";
        if (error == EFBIG)
            return too_large(compilation, source->name);
        fw_report(compilation->sink, FW_ERROR, "CMP002", (struct fw_span){0}, "cannot read %s: %s",
                  source->name, strerror(error));
        return FW_ERROR_MACHINE;
    }
    const char *slash = strrchr(compilation->file, '/');
    size_t length = (size_t)(slash - compilation->file);
    compilation->folder = length ? fw_arena_text(arena, compilation->file, length) : NULL;
    return FW_OK;
}

static struct fw_digest cache_key(const struct compilation *compilation)
{
    struct fw_sha256 hash = fw_sha256_new();
    fw_sha256_text(&hash, "3");
    fw_sha256_text(&hash, compilation->compiler->identity);
    fw_sha256_text(&hash, compilation->compiler->library_identity);
    fw_sha256_text(&hash, compilation->data ? compilation->data : "");
    fw_sha256_text(&hash, compilation->file ? compilation->file : "");
    for (size_t i = 0; i < compilation->arguments.count; i++)
        fw_sha256_text(&hash, compilation->arguments.at[i]);
    fw_sha256_text(&hash, "-D");
    for (size_t i = 0; i < compilation->options->define_count; i++)
        fw_sha256_text(&hash, compilation->options->defines[i]);
    fw_sha256_text(&hash, "-I");
    for (size_t i = 0; i < compilation->includes.count; i++)
        fw_sha256_text(&hash, compilation->includes.at[i]);
    fw_sha256_text(&hash, "source");
    fw_sha256_add(&hash, compilation->source->text, compilation->source->length);
    return fw_sha256_end(&hash);
}

/* The definitions as a header: a compiler's command line would split and quote them. */
static const char *write_definitions(const struct compilation *compilation)
{
    struct fw_buffer text = fw_buffer_new(compilation->arena);
    for (size_t i = 0; i < compilation->options->define_count; i++) {
        const char *definition = compilation->options->defines[i];
        const char *bracket = strpbrk(definition, "(=");
        const char *equals =
            bracket && *bracket == '(' ? strchr(strchr(bracket, ')'), '=') : bracket;
        size_t name = equals ? (size_t)(equals - definition) : strlen(definition);
        fw_buffer_printf(&text, "#define %.*s %s\n", (int)name, definition,
                         equals ? equals + 1 : "1");
    }
    return compile_write_scratch(compilation, "forewarp_definitions.h", text.text, text.length);
}

static enum fw_status prepare(struct compilation *compilation)
{
    compilation->scratch = fw_scratch_new(compilation->arena);
    if (!compilation->scratch)
        return compile_cannot(compilation, "make a temporary folder", errno);
    const char *real = compile_real_path(compilation->arena, compilation->scratch);
    if (!real ||
        (compilation->compiler->kind == FW_COMPILER_NVCC && !compile_is_safe_for_nvcc(real)))
        return compile_cannot(compilation, "use the temporary folder's path", EINVAL);
    compilation->scratch = real;
    const char *name = compilation->options->language == FW_LANGUAGE_CUDA ? FW_COMPILE_TEXT_CUDA
                                                                          : FW_COMPILE_TEXT_OPENCL;
    if (!compilation->file)
        compilation->file = compile_write_scratch(compilation, name, compilation->source->text,
                                                  compilation->source->length);
    bool good = compilation->file && write_definitions(compilation);
    for (size_t i = 0; i < compilation->includes.count && good; i++)
        good = symlink(compilation->includes.at[i],
                       fw_arena_printf(compilation->arena, "%s/include%zu", compilation->scratch,
                                       i)) == 0;
    if (!good)
        return compile_cannot(compilation, "write to the temporary folder", errno);
    return FW_OK;
}

/* Whether every entry of the PTX has a signature. */
static bool signatures_complete(const struct fw_compiled *compiled)
{
    for (const char *at = compiled->ptx; (at = strstr(at, ".entry ")) != NULL;) {
        char name[256];
        at += strlen(".entry ");
        at += strspn(at, " \t\r\n");
        size_t length = strcspn(at, " \t\r\n(");
        snprintf(name, sizeof(name), "%.*s", (int)(length < 255 ? length : 255), at);
        if (length < sizeof(name) && !fw_signature_find(&compiled->signatures, name, SIZE_MAX))
            return false;
    }
    return true;
}

/* Whether a macro hides the size of a kernel's work groups. */
static bool block_hidden(const struct fw_signatures *signatures)
{
    for (size_t i = 0; i < signatures->kernels.count; i++)
        if (signatures->kernels.at[i].block_unread)
            return true;
    return false;
}

/* Takes from the preprocessed text what macros hide of the signatures that were read as written. */
static void read_blocks(struct fw_signatures *signatures, const struct fw_signatures *preprocessed)
{
    for (size_t i = 0; i < signatures->kernels.count; i++) {
        struct fw_signature *kernel = &signatures->kernels.at[i];
        const struct fw_signature *same =
            kernel->block_unread
                ? fw_signature_find(preprocessed, kernel->name, kernel->parameters.count)
                : NULL;
        if (!same || same->block_unread)
            continue;
        memcpy(kernel->block, same->block, sizeof(kernel->block));
        kernel->block_unread = false;
    }
}

static void warn_of_blocks(const struct compilation *compilation,
                           const struct fw_signatures *signatures)
{
    for (size_t i = 0; i < signatures->kernels.count; i++)
        if (signatures->kernels.at[i].block_unread)
            fw_report(
                compilation->sink, FW_WARNING, "CMP025", (struct fw_span){0},
                "the size of work groups that %s requires (reqd_work_group_size) is not read: "
                "it is no integer and no product of some",
                signatures->kernels.at[i].name);
}

/* Signatures from the source as written or, when macros hide a kernel, as preprocessed (then
 * without places in the source). */
static void find_signatures(struct compilation *compilation, struct fw_compiled *compiled)
{
    bool opencl = compilation->options->language == FW_LANGUAGE_OPENCL;
    const struct fw_source *source = compilation->source;
    fw_signatures_read(&compiled->signatures, compilation->arena, source->text, source->length,
                       opencl);
    if (signatures_complete(compiled) && !block_hidden(&compiled->signatures))
        return;
    const struct fw_sink *sink = compilation->sink;
    compilation->sink = NULL; /* what there was to say was said by the first run */
    enum fw_status status =
        compilation->preprocessed ? FW_OK : compile_preprocess(compilation, false);
    compilation->sink = sink;
    struct fw_signatures more = {0};
    if (!status)
        fw_signatures_read(&more, compilation->arena, compilation->preprocessed,
                           compilation->preprocessed_length, opencl);
    read_blocks(&compiled->signatures, &more);
    for (size_t i = 0; i < more.kernels.count; i++) {
        const struct fw_signature *kernel = &more.kernels.at[i];
        if (fw_signature_find(&compiled->signatures, kernel->name, SIZE_MAX))
            continue;
        struct fw_signature *added = FW_APPEND(compilation->arena, &compiled->signatures.kernels);
        *added = *kernel;
        added->offset = 0;
    }
}

/* Members of structures, from the preprocessed text where there is one: macros and included files
 * are in it. */
static void find_members(const struct compilation *compilation, struct fw_compiled *compiled)
{
    const bool opencl = compilation->options->language == FW_LANGUAGE_OPENCL;
    const struct fw_source *source = compilation->source;
    if (compilation->preprocessed)
        fw_signatures_find_members(&compiled->signatures, compilation->arena,
                                   compilation->preprocessed, compilation->preprocessed_length,
                                   opencl);
    else
        fw_signatures_find_members(&compiled->signatures, compilation->arena, source->text,
                                   source->length, opencl);
}

static void list_dependencies(const struct compilation *compilation, struct fw_compiled *compiled)
{
    text_vector own = {0};
    for (size_t i = 0; i < compilation->dependencies.count; i++) {
        const char *path = compilation->dependencies.at[i];
        bool system = compilation->data && compile_is_inside(path, compilation->data);
        for (size_t k = 0; k < compilation->compiler->system_folder_count; k++)
            system |= compile_is_inside(path, compilation->compiler->system_folders[k]);
        if (!system)
            *FW_APPEND(compilation->arena, &own) = path;
    }
    compiled->dependencies = own.at;
    compiled->dependency_count = own.count;
}

static enum fw_status compile(struct compilation *compilation, struct fw_compiled *compiled,
                              const struct fw_compile_input *input)
{
    enum fw_status status = compile_check_options(compilation);
    if (!status)
        status = compile_find_confinement(compilation);
    if (!status)
        status = load_source(compilation, input);
    if (!status && !compilation->compiler) {
        struct fw_compiler *compiler = FW_NEW(compilation->arena, struct fw_compiler);
        compilation->compiler = compiler;
        status =
            fw_compiler_find(compiler, compilation->arena, compilation->options, compilation->sink);
    }
    if (!status)
        status = compile_check_paths(compilation);
    if (!status)
        status = compile_find_data(compilation);
    if (status)
        return status;
    compile_build_arguments(compilation);
    compiled->source = compilation->source;
    compile_describe_command(compilation, compiled);
    struct fw_digest key = cache_key(compilation);
    if (!compile_cache_get(compilation, &key, compiled)) {
        status = prepare(compilation);
        if (!status)
            status = compile_run(compilation, compiled);
        if (status)
            return status;
        find_signatures(compilation, compiled);
        find_members(compilation, compiled);
        compile_cache_put(compilation, &key, compiled);
    }
    warn_of_blocks(compilation, &compiled->signatures);
    list_dependencies(compilation, compiled);
    return FW_OK;
}

enum fw_status fw_compile(struct fw_compiled *compiled, struct fw_arena *arena,
                          const struct fw_compile_input *input,
                          const struct fw_compile_options *options, const struct fw_sink *sink)
{
    jmp_buf point;
    *compiled = (struct fw_compiled){0};
    volatile enum fw_status status = FW_ERROR_MEMORY;
    struct compilation *volatile kept = NULL;
    jmp_buf *before = fw_arena_on_exhausted(arena, &point);
    if (setjmp(point) == 0) {
        struct compilation *compilation = FW_NEW(arena, struct compilation);
        kept = compilation;
        *compilation = (struct compilation){
            .arena = arena, .sink = sink, .options = options, .compiler = options->found};
        status = compile(compilation, compiled, input);
    }
    fw_arena_on_exhausted(arena, before);
    if (kept)
        fw_scratch_remove(kept->scratch);
    if (status)
        *compiled = (struct fw_compiled){0};
    return status;
}
