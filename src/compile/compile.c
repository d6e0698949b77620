#define _GNU_SOURCE /* O_CLOEXEC */
#include "compile_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_TARGET = 90, DEFAULT_SECONDS = 60, MOST_OPTIONS = 4096 };

static const uint64_t default_memory = (uint64_t)8 << 30;

/* What each clang can do: its highest compute capability and PTX version (LLVM's release notes and
 * NVPTX target of each version). */
static const struct {
    unsigned major, target, ptx;
} clangs[] = {{14, 86, 75}, {15, 86, 75}, {16, 90, 78}, {17, 90, 81}, {18, 90, 83}, {19, 90, 85}};

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
              compile_printable(compilation->arena, option, strlen(option)));
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
static bool is_safe_for_nvcc(const char *path)
{
    for (const char *at = path; *at; at++)
        if ((unsigned char)*at < 0x20 || strchr("$`\"\\',;|&<>(){}[]*?!#", *at))
            return false;
    return true;
}

static enum fw_status check_options(struct compilation *compilation)
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

/* Reads the source and finds where it is. */
static enum fw_status load_source(struct compilation *compilation,
                                  const struct fw_compile_input *input)
{
    struct fw_arena *arena = compilation->arena;
    struct fw_source *source = FW_NEW(arena, struct fw_source);
    source->name = input->path ? fw_arena_printf(arena, "%s", input->path) : "-";
    compilation->source = source;
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
        fw_report(compilation->sink, FW_ERROR, "CMP002", (struct fw_span){0}, "cannot read %s: %s",
                  source->name, strerror(error));
        return error == EFBIG ? FW_ERROR_INPUT : FW_ERROR_MACHINE;
    }
    const char *slash = strrchr(compilation->file, '/');
    size_t length = (size_t)(slash - compilation->file);
    compilation->folder = length ? fw_arena_text(arena, compilation->file, length) : NULL;
    return FW_OK;
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
static void build_arguments(struct compilation *compilation)
{
    struct fw_arena *arena = compilation->arena;
    const struct fw_compile_options *options = compilation->options;
    const struct fw_compiler *compiler = compilation->compiler;
    unsigned ptx = 0, target = choose_target(compilation, &ptx);
    const char *cpu = fw_arena_printf(arena, "sm_%u", target);
    const char *feature = fw_arena_printf(arena, "+ptx%u", ptx);
    if (compiler->kind == FW_COMPILER_NVCC) {
        ADD(compilation, "-O3", "-lineinfo", fw_arena_printf(arena, "-arch=%s", cpu), "-Xcompiler",
            "-H,-fno-diagnostics-show-caret", "-x", "cu");
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
                "-Xclang", cpu, "-Xclang", "-finclude-default-header", "-Xclang",
                "-mlink-builtin-bitcode", "-Xclang", compiler->library, "-Wno-linker-warnings");
    }
    if (options->standard)
        add(compilation, fw_arena_printf(arena, "%s=%s",
                                         options->language == FW_LANGUAGE_CUDA ? "-std" : "-cl-std",
                                         options->standard));
}

static enum fw_status check_paths(struct compilation *compilation)
{
    bool nvcc = compilation->compiler->kind == FW_COMPILER_NVCC;
    if (nvcc && compilation->file && !is_safe_for_nvcc(compilation->file))
        return refuse_option(compilation, "nvcc cannot be given this path safely",
                             compilation->file);
    return FW_OK;
}

/* Clang has no CUDA of its own: ours must be there. */
static enum fw_status find_data(struct compilation *compilation)
{
    const struct fw_compile_options *options = compilation->options;
    if (compilation->compiler->kind == FW_COMPILER_NVCC)
        return FW_OK;
    const char *name =
        options->language == FW_LANGUAGE_CUDA ? "forewarp_cuda.h" : "forewarp_opencl.h";
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

static struct fw_digest cache_key(const struct compilation *compilation)
{
    struct fw_sha256 hash = fw_sha256_new();
    fw_sha256_text(&hash, "1");
    fw_sha256_text(&hash, compilation->compiler->identity);
    fw_sha256_text(&hash, compilation->compiler->library ? compilation->compiler->library : "");
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

static enum fw_status cannot(const struct compilation *compilation, const char *what, int error)
{
    fw_report(compilation->sink, FW_ERROR, "CMP012", (struct fw_span){0}, "cannot %s: %s", what,
              strerror(error));
    return FW_ERROR_MACHINE;
}

/* Writes a file of ours into the scratch folder. */
static const char *write_scratch(const struct compilation *compilation, const char *name,
                                 const char *text, size_t length)
{
    const char *path = fw_arena_printf(compilation->arena, "%s/%s", compilation->scratch, name);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool good = file >= 0;
    while (good && length) {
        ssize_t written = write(file, text, length);
        good = written > 0;
        text += good ? written : 0;
        length -= good ? (size_t)written : 0;
    }
    if (file >= 0)
        good = close(file) == 0 && good;
    return good ? path : NULL;
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
    return write_scratch(compilation, "forewarp_definitions.h", text.text, text.length);
}

static enum fw_status prepare(struct compilation *compilation)
{
    compilation->scratch = fw_scratch_new(compilation->arena);
    if (!compilation->scratch)
        return cannot(compilation, "make a temporary folder", errno);
    const char *real = compile_real_path(compilation->arena, compilation->scratch);
    if (!real || (compilation->compiler->kind == FW_COMPILER_NVCC && !is_safe_for_nvcc(real)))
        return cannot(compilation, "use the temporary folder's path", EINVAL);
    compilation->scratch = real;
    const char *name =
        compilation->options->language == FW_LANGUAGE_CUDA ? "source.cu" : "source.cl";
    if (!compilation->file)
        compilation->file = write_scratch(compilation, name, compilation->source->text,
                                          compilation->source->length);
    bool good = compilation->file && write_definitions(compilation);
    for (size_t i = 0; i < compilation->includes.count && good; i++)
        good = symlink(compilation->includes.at[i],
                       fw_arena_printf(compilation->arena, "%s/include%zu", compilation->scratch,
                                       i)) == 0;
    if (!good)
        return cannot(compilation, "write to the temporary folder", errno);
    return FW_OK;
}

/* The include folders and the list of files that are opened, which must be whole.
 * Clang writes every file's name into a file of ours.  gcc, which nvcc runs, prints names (-H), but
 * none of what the toolkit's own cuda_runtime.h includes: so the folders are searched last, where
 * they cannot put a header of theirs in the place of one that it includes.  Links of ours stand for
 * them, as nvcc would take their paths apart. */
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

/* All arguments of one run, `mode` among them. */
static const char *const *full_arguments(const struct compilation *compilation, const char *mode,
                                         const char *output)
{
    struct fw_arena *arena = compilation->arena;
    text_vector all = {0};
    bool cuda = compilation->options->language == FW_LANGUAGE_CUDA;
    *FW_APPEND(arena, &all) = compilation->compiler->path;
    *FW_APPEND(arena, &all) = mode;
    for (size_t i = 0; i < compilation->arguments.count; i++)
        *FW_APPEND(arena, &all) = compilation->arguments.at[i];
    add_files(compilation, &all);
    if (compilation->data && cuda) {
        *FW_APPEND(arena, &all) = "-isystem";
        *FW_APPEND(arena, &all) = compilation->data;
    }
    *FW_APPEND(arena, &all) = "-include";
    *FW_APPEND(arena, &all) =
        fw_arena_printf(arena, "%s/forewarp_definitions.h", compilation->scratch);
    if (compilation->data) {
        *FW_APPEND(arena, &all) = "-include";
        *FW_APPEND(arena, &all) = fw_arena_printf(arena, "%s/%s", compilation->data,
                                                  cuda ? "forewarp_cuda.h" : "forewarp_opencl.h");
    }
    *FW_APPEND(arena, &all) = "-o";
    *FW_APPEND(arena, &all) = output;
    *FW_APPEND(arena, &all) = compilation->file;
    *FW_APPEND(arena, &all) = NULL;
    return all.at;
}

/* Says why a run ended badly; the messages are told before. */
static enum fw_status tell_end(const struct compilation *compilation,
                               const struct fw_child_result *result)
{
    static const char *const memory_words[] = {"bad_alloc",
                                               "out of memory",
                                               "Out of memory",
                                               "Cannot allocate",
                                               "memory exhausted",
                                               "memory allocation",
                                               NULL};
    struct fw_span span = {compilation->source, 0, 0};
    const struct fw_compile_options *options = compilation->options;
    for (const char *const *word = memory_words; *word; word++) {
        if (result->end != FW_CHILD_OVERTIME && strstr(compilation->messages, *word)) {
            fw_report(compilation->sink, FW_ERROR, "CMP007", span,
                      "compiling it took more than the %llu bytes of memory that are allowed",
                      (unsigned long long)(options->memory ? options->memory : default_memory));
            return FW_ERROR_INPUT;
        }
    }
    if (result->end == FW_CHILD_OVERTIME ||
        (result->end == FW_CHILD_SIGNALLED && result->code == SIGXCPU))
        fw_report(compilation->sink, FW_ERROR, "CMP006", span,
                  "compiling it took more than the %u seconds that are allowed",
                  options->seconds ? options->seconds : DEFAULT_SECONDS);
    else if (result->end == FW_CHILD_SIGNALLED && result->code == SIGXFSZ)
        fw_report(compilation->sink, FW_ERROR, "CMP008", span,
                  "compiling it wrote more than is allowed");
    else if (result->end == FW_CHILD_SIGNALLED)
        fw_report(compilation->sink, FW_ERROR, "CMP009", span, "the compiler crashed on it (%s)",
                  strsignal(result->code));
    return FW_ERROR_INPUT;
}

/* The list of files that were opened.  A clang that never came to its source has none. */
static enum fw_status read_list(struct compilation *compilation, bool failed)
{
    size_t length;
    compilation->opened = compilation->messages;
    if (compilation->compiler->kind == FW_COMPILER_NVCC)
        return FW_OK;
    const char *path = fw_arena_printf(compilation->arena, "%s/headers", compilation->scratch);
    compilation->opened = compile_read_file(compilation->arena, path, LARGEST_OUTPUT, &length);
    if (compilation->opened)
        return FW_OK;
    compilation->opened = "";
    return failed && errno == ENOENT ? FW_OK : FW_ERROR_MACHINE;
}

/* Runs the compiler once; `*text` is the file that it wrote. */
static enum fw_status run(struct compilation *compilation, const char *mode, const char *name,
                          const char **text, size_t *length)
{
    struct fw_arena *arena = compilation->arena;
    const struct fw_compile_options *options = compilation->options;
    const char *output = fw_arena_printf(arena, "%s/%s", compilation->scratch, name);
    const char *said = fw_arena_printf(arena, "%s/messages", compilation->scratch);
    const char *const *arguments = full_arguments(compilation, mode, output);
    const char *const *environment = compile_environment(arena, compilation->scratch);
    int messages = open(said, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_APPEND, 0600);
    if (messages < 0)
        return cannot(compilation, "write to the temporary folder", errno);
    struct fw_child child = {.program = compilation->compiler->path,
                             .arguments = arguments,
                             .environment = environment,
                             .folder = compilation->scratch,
                             .output = messages,
                             .errors = messages,
                             .seconds = options->seconds ? options->seconds : DEFAULT_SECONDS,
                             .memory = options->memory ? options->memory : default_memory,
                             .file_size = options->output ? options->output : LARGEST_OUTPUT};
    struct fw_child_result result;
    enum fw_status status = fw_child_run(&result, &child);
    close(messages);
    if (status)
        return cannot(compilation, "start the compiler", result.code);
    size_t said_length;
    compilation->messages = compile_read_file(arena, said, LARGEST_OUTPUT, &said_length);
    bool failed = result.end != FW_CHILD_EXITED || result.code != 0;
    status = compilation->messages ? read_list(compilation, failed) : FW_ERROR_MACHINE;
    if (status)
        return cannot(compilation, "read what the compiler said", errno);
    status = compile_check_files(compilation);
    if (status)
        return status;
    compile_tell_messages(compilation, failed && result.end == FW_CHILD_EXITED);
    if (failed)
        return tell_end(compilation, &result);
    *text = compile_read_file(arena, output, child.file_size, length);
    return *text ? FW_OK : cannot(compilation, "read what the compiler wrote", errno);
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

/* Signatures from the source as written or, when macros hide a kernel, as preprocessed (then
 * without places in the source). */
static void find_signatures(struct compilation *compilation, struct fw_compiled *compiled)
{
    bool opencl = compilation->options->language == FW_LANGUAGE_OPENCL;
    const struct fw_source *source = compilation->source;
    fw_signatures_read(&compiled->signatures, compilation->arena, source->text, source->length,
                       opencl);
    if (signatures_complete(compiled))
        return;
    const struct fw_sink *sink = compilation->sink;
    const char *text;
    size_t length;
    compilation->sink = NULL; /* what there was to say was said by the first run */
    enum fw_status status = run(compilation, "-E", "preprocessed", &text, &length);
    compilation->sink = sink;
    if (status)
        return;
    struct fw_signatures more;
    fw_signatures_read(&more, compilation->arena, text, length, opencl);
    for (size_t i = 0; i < more.kernels.count; i++) {
        const struct fw_signature *kernel = &more.kernels.at[i];
        if (fw_signature_find(&compiled->signatures, kernel->name, SIZE_MAX))
            continue;
        struct fw_signature *added = FW_APPEND(compilation->arena, &compiled->signatures.kernels);
        *added = *kernel;
        added->offset = 0;
    }
}

static void describe_command(const struct compilation *compilation, struct fw_compiled *compiled)
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
    if (!nvcc)
        fw_buffer_printf(&command, " -include %s",
                         compilation->options->language == FW_LANGUAGE_CUDA ? "forewarp_cuda.h"
                                                                            : "forewarp_opencl.h");
    compiled->command = command.text;
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
    bool nvcc;
    enum fw_status status = check_options(compilation);
    if (!status)
        status = load_source(compilation, input);
    if (!status && !compilation->compiler) {
        struct fw_compiler *compiler = FW_NEW(compilation->arena, struct fw_compiler);
        compilation->compiler = compiler;
        status =
            fw_compiler_find(compiler, compilation->arena, compilation->options, compilation->sink);
    }
    if (!status)
        status = check_paths(compilation);
    if (!status)
        status = find_data(compilation);
    if (status)
        return status;
    build_arguments(compilation);
    compiled->source = compilation->source;
    describe_command(compilation, compiled);
    struct fw_digest key = cache_key(compilation);
    if (!compile_cache_get(compilation, &key, compiled)) {
        nvcc = compilation->compiler->kind == FW_COMPILER_NVCC;
        status = prepare(compilation);
        if (!status)
            status = run(compilation, nvcc ? "-ptx" : "-S", "kernel.ptx", &compiled->ptx,
                         &compiled->ptx_length);
        if (status)
            return status;
        find_signatures(compilation, compiled);
        compile_cache_put(compilation, &key, compiled);
    }
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
