/* A compiler's arguments: what the user's options may be, and what is made of them. */
#define _GNU_SOURCE /* O_CLOEXEC's kin */
#include "compile_internal.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_TARGET = 90, MOST_OPTIONS = 4096 };

/* What each clang can do: its highest compute capability and PTX version (LLVM's release notes and
 * NVPTX target of each version). */
static const struct {
    unsigned major, target, ptx;
} clangs[] = {{14, 86, 75}, {15, 86, 75}, {16, 90, 78}, {17, 90, 81}, {18, 90, 83}, {19, 90, 85}};

static const char default_header[] = "-finclude-default-header"; /* OpenCL's built-in functions */

static void add(struct compilation *compilation, const char *argument)
{
    *FW_APPEND(compilation->arena, &compilation->arguments) = argument;
}

#define ADD(compilation, ...)                                                                      \
    add_all(compilation, (const char *const[]){__VA_ARGS__},                                       \
            sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static void add_all(struct compilation *compilation, const char *const *arguments, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add(compilation, arguments[i]);
}

static enum fw_status refuse_option(const struct compilation *compilation, const char *why,
                                    const char *option)
{
    fw_report(compilation->sink, FW_ERROR, "CMP003", (struct fw_span){0}, "%s: %s", why,
              fw_text_shown(compilation->arena, option, strlen(option)));
    return FW_ERROR_USAGE;
}

static bool is_word_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_';
}

/* NAME, NAME=VALUE or NAME(A,B)=VALUE on one line that does not go on. */
static bool is_definition(const char *text)
{
    size_t length = strlen(text), name = 0;
    while (is_word_byte(text[name]))
        name++;
    size_t behind = name;
    if (text[behind] == '(') {
        behind += strcspn(text + behind, ")=");
        if (text[behind] != ')')
            return false;
        behind++;
    }
    return name > 0 && (text[0] < '0' || text[0] > '9') && !strpbrk(text, "\n\r") &&
           (text[behind] == '\0' || text[behind] == '=') && text[length - 1] != '\\';
}

/* nvcc hands its commands to a shell between double quotes, and splits lists at commas. */
bool compile_is_safe_for_nvcc(const char *path)
{
    for (const char *at = path; *at; at++)
        if ((unsigned char)*at < 0x20 || strchr("$`\"\\',;|&<>(){}[]*?!#", *at))
            return false;
    return true;
}

enum fw_status compile_check_options(struct compilation *compilation)
{
    const struct fw_compile_options *options = compilation->options;
    const char *standard = options->standard ? options->standard : "";
    if (options->define_count > MOST_OPTIONS || options->include_count > MOST_OPTIONS)
        return refuse_option(compilation, "too many options", "-D or -I");
    for (size_t i = 0; i < options->define_count; i++)
        if (!is_definition(options->defines[i]))
            return refuse_option(compilation, "not NAME or NAME=VALUE on one line",
                                 options->defines[i]);
    for (const char *at = standard; *at; at++)
        if (!is_word_byte(*at) && !strchr("+:.", *at))
            return refuse_option(compilation, "not the name of a language standard", standard);
    for (size_t i = 0; i < options->include_count; i++) {
        struct stat about;
        const char *real = compile_real_path(compilation->arena, options->includes[i]);
        if (!real || stat(real, &about) != 0 || !S_ISDIR(about.st_mode))
            return refuse_option(compilation, "-I: not a folder", options->includes[i]);
        *FW_APPEND(compilation->arena, &compilation->includes) = real;
    }
    return FW_OK;
}

enum fw_status compile_check_paths(struct compilation *compilation)
{
    bool nvcc = compilation->compiler->kind == FW_COMPILER_NVCC;
    if (nvcc && compilation->file && !compile_is_safe_for_nvcc(compilation->file))
        return refuse_option(compilation, "nvcc cannot be given this path safely",
                             compilation->file);
    return FW_OK;
}

/* Our headers for clang, in the order that they are included in: none of them includes another, as
 * the compiler's list of files would not say so.  The list ends with NULL. */
static const char *const *headers_of(const struct fw_compile_options *options)
{
    static const char *const cuda[] = {"forewarp_cuda.h",
                                       "forewarp_cuda_memory.h",
                                       "forewarp_cuda_atomics.h",
                                       "forewarp_cuda_math.h",
                                       "forewarp_cuda_math64.h",
                                       "forewarp_cuda_parts.h",
                                       NULL};
    static const char *const opencl[] = {"forewarp_opencl.h", NULL};
    return options->language == FW_LANGUAGE_CUDA ? cuda : opencl;
}

/* Clang has no CUDA of its own: ours must be there. */
enum fw_status compile_find_data(struct compilation *compilation)
{
    const struct fw_compile_options *options = compilation->options;
    if (compilation->compiler->kind == FW_COMPILER_NVCC)
        return FW_OK;
    const char *name = headers_of(options)[0];
    const char *header =
        fw_arena_printf(compilation->arena, "%s/%s", options->data ? options->data : ".", name);
    if (options->data && access(header, R_OK) == 0) {
        compilation->data = compile_real_path(compilation->arena, options->data);
        return FW_OK;
    }
    fw_report(compilation->sink, FW_ERROR, "CMP012", (struct fw_span){0},
              "%s, which clang needs, is not in %s", name,
              options->data ? options->data : "any folder that is known");
    return FW_ERROR_MACHINE;
}

/* The compute capability to compile for: the one asked for, as far as the compiler knows it. */
static unsigned choose_target(const struct compilation *compilation, unsigned *ptx)
{
    const struct fw_compiler *compiler = compilation->compiler;
    unsigned wanted = compilation->options->target ? compilation->options->target : DEFAULT_TARGET;
    unsigned target = wanted;
    size_t last = sizeof(clangs) / sizeof(clangs[0]) - 1, row = 0;
    if (compiler->kind == FW_COMPILER_NVCC) {
        target = compiler->major >= 13 && wanted < 75 ? 75 : wanted;
    } else {
        while (row < last && clangs[row].major < compiler->major)
            row++;
        target = wanted < clangs[row].target ? wanted : clangs[row].target;
        *ptx = clangs[row].ptx;
    }
    if (target != wanted)
        fw_report(compilation->sink, FW_NOTE, "CMP014", (struct fw_span){0},
                  "compiled for sm_%u: %s %s does not know sm_%u", target,
                  compiler->kind == FW_COMPILER_NVCC ? "nvcc" : "clang", compiler->version, wanted);
    return target;
}

/* The arguments that decide what comes out. */
void compile_build_arguments(struct compilation *compilation)
{
    struct fw_arena *arena = compilation->arena;
    const struct fw_compile_options *options = compilation->options;
    const struct fw_compiler *compiler = compilation->compiler;
    unsigned ptx = 0, target = choose_target(compilation, &ptx);
    const char *cpu = fw_arena_printf(arena, "sm_%u", target);
    const char *feature = fw_arena_printf(arena, "+ptx%u", ptx);
    if (compiler->kind == FW_COMPILER_NVCC) {
        ADD(compilation, "-O3", "-lineinfo", fw_arena_printf(arena, "-arch=%s", cpu), "-Xcompiler",
            "-fno-diagnostics-show-caret", "-x", "cu");
    } else {
        ADD(compilation, "-O3", "-gline-tables-only", "-fno-caret-diagnostics",
            "-fno-color-diagnostics", "-fno-crash-diagnostics", "-Xclang", "-target-feature",
            "-Xclang", feature);
        if (options->language == FW_LANGUAGE_CUDA)
            ADD(compilation, "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib",
                "-Qunused-arguments", "-Wno-unknown-cuda-version", "-ffp-contract=fast",
                fw_arena_printf(arena, "--cuda-gpu-arch=%s", cpu));
        else
            ADD(compilation, "-x", "cl", "-target", "nvptx64-nvidia-cuda", "-Xclang", "-target-cpu",
                "-Xclang", cpu, "-Xclang", default_header, "-Xclang", "-mlink-builtin-bitcode",
                "-Xclang", compiler->library, "-Wno-linker-warnings");
    }
    if (options->standard)
        add(compilation, fw_arena_printf(arena, "%s=%s",
                                         options->language == FW_LANGUAGE_CUDA ? "-std" : "-cl-std",
                                         options->standard));
}

/* The include folders and, of clang, the list of files that are opened, which it writes into a file
 * of ours.  nvcc's folders are searched last, where they cannot put a header of theirs in the place
 * of one that the toolkit's own headers include.  Links of ours stand for them, as nvcc would take
 * their paths apart. */
static void add_files(const struct compilation *compilation, text_vector *all)
{
    struct fw_arena *arena = compilation->arena;
    bool nvcc = compilation->compiler->kind == FW_COMPILER_NVCC;
    for (size_t i = 0; i < compilation->includes.count; i++) {
        *FW_APPEND(arena, all) = nvcc ? "-Xcompiler" : "-I";
        *FW_APPEND(arena, all) =
            nvcc ? fw_arena_printf(arena, "-idirafter,%s/include%zu", compilation->scratch, i)
                 : compilation->includes.at[i];
    }
    if (!nvcc) {
        *FW_APPEND(arena, all) = "-Xclang";
        *FW_APPEND(arena, all) = "-header-include-file";
        *FW_APPEND(arena, all) = "-Xclang";
        *FW_APPEND(arena, all) = fw_arena_printf(arena, "%s/headers", compilation->scratch);
        *FW_APPEND(arena, all) = "-Xclang";
        *FW_APPEND(arena, all) = "-sys-header-deps";
    }
}

/* What makes a compiler take preprocessed text: gcc's preprocessor, which nvcc runs, passes it
 * through; clang's finds nothing to do, and must not bring in again what is in the text already. */
static void add_arguments(const struct compilation *compilation, text_vector *all, bool once)
{
    struct fw_arena *arena = compilation->arena;
    bool nvcc = compilation->compiler->kind == FW_COMPILER_NVCC;
    bool opencl = compilation->options->language == FW_LANGUAGE_OPENCL;
    for (size_t i = 0; i < compilation->arguments.count; i++) {
        const char *argument = compilation->arguments.at[i];
        bool last = i + 1 == compilation->arguments.count;
        if (once && !last && strcmp(compilation->arguments.at[i + 1], default_header) == 0)
            i++; /* and the -Xclang before it */
        else
            *FW_APPEND(arena, all) = argument;
    }
    if (once && nvcc) {
        *FW_APPEND(arena, all) = "-Xcompiler";
        *FW_APPEND(arena, all) = "-fpreprocessed";
    }
    if (once && opencl) {
        *FW_APPEND(arena, all) = "-cl-no-stdinc";
        *FW_APPEND(arena, all) = "-Xclang";
        *FW_APPEND(arena, all) = "-fdeclare-opencl-builtins";
    }
}

/* What a source is compiled with beside itself: folders, definitions, our headers. */
static void add_headers(const struct compilation *compilation, text_vector *all)
{
    struct fw_arena *arena = compilation->arena;
    bool cuda = compilation->options->language == FW_LANGUAGE_CUDA;
    add_files(compilation, all);
    if (compilation->data && cuda) {
        *FW_APPEND(arena, all) = "-isystem";
        *FW_APPEND(arena, all) = compilation->data;
    }
    *FW_APPEND(arena, all) = "-include";
    *FW_APPEND(arena, all) =
        fw_arena_printf(arena, "%s/forewarp_definitions.h", compilation->scratch);
    const char *const *header = headers_of(compilation->options);
    for (; compilation->data && *header; header++) {
        *FW_APPEND(arena, all) = "-include";
        *FW_APPEND(arena, all) = fw_arena_printf(arena, "%s/%s", compilation->data, *header);
    }
}

const char *const *compile_full_arguments(const struct compilation *compilation,
                                          enum compile_step step, const char *output)
{
    struct fw_arena *arena = compilation->arena;
    text_vector all = {0};
    bool nvcc = compilation->compiler->kind == FW_COMPILER_NVCC;
    bool once = step == COMPILE_STEP_COMPILE_PREPROCESSED;
    *FW_APPEND(arena, &all) = compilation->compiler->path;
    *FW_APPEND(arena, &all) = step == COMPILE_STEP_PREPROCESS ? "-E" : nvcc ? "-ptx" : "-S";
    add_arguments(compilation, &all, once);
    if (!once)
        add_headers(compilation, &all);
    if (step != COMPILE_STEP_PREPROCESS) {
        *FW_APPEND(arena, &all) = "-o";
        *FW_APPEND(arena, &all) = output;
    }
    *FW_APPEND(arena, &all) = once ? compilation->once : compilation->file;
    *FW_APPEND(arena, &all) = NULL;
    return all.at;
}

void compile_describe_command(const struct compilation *compilation, struct fw_compiled *compiled)
{
    const struct fw_compiler *compiler = compilation->compiler;
    const char *name = compiler->kind == FW_COMPILER_NVCC ? "nvcc" : "clang";
    bool nvcc = compiler->kind == FW_COMPILER_NVCC;
    struct fw_buffer command = fw_buffer_new(compilation->arena);
    compiled->compiler = fw_arena_printf(compilation->arena, "%s %s", name, compiler->version);
    fw_buffer_printf(&command, "%s %s", name, nvcc ? "-ptx" : "-S");
    for (size_t i = 0; i < compilation->arguments.count; i++)
        fw_buffer_printf(&command, " %s", compilation->arguments.at[i]);
    for (size_t i = 0; i < compilation->includes.count; i++)
        fw_buffer_printf(&command, " -I %s", compilation->includes.at[i]);
    for (size_t i = 0; i < compilation->options->define_count; i++)
        fw_buffer_printf(&command, " -D%s", compilation->options->defines[i]);
    for (const char *const *header = headers_of(compilation->options); !nvcc && *header; header++)
        fw_buffer_printf(&command, " -include %s", *header);
    compiled->command = command.text;
}
