/* Finding compilers. */
#define _GNU_SOURCE /* O_CLOEXEC with mkostemp's kin */
#include "compile_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    ASKING_SECONDS = 20,
    ASKING_OUTPUT = 1 << 20,
    OLDEST_CLANG = 14,
    NEWEST_CLANG = 22,
    BITCODE_HEAD = 256
};

static const uint64_t asking_memory = (uint64_t)8 << 30;

static bool is_program(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

/* A program's path by its name in $PATH (absolute folders only); NULL when it is not there. */
static const char *in_path(struct fw_arena *arena, const char *name)
{
    const char *path = getenv("PATH");
    for (const char *at = path ? path : "/usr/local/bin:/usr/bin:/bin"; *at;) {
        size_t length = strcspn(at, ":");
        const char *candidate = fw_arena_printf(arena, "%.*s/%s", (int)length, at, name);
        if (*at == '/' && is_program(candidate))
            return candidate;
        at += length + (at[length] == ':');
    }
    return NULL;
}

/* Runs the program with arguments and gives its standard output and error; NULL when that fails. */
static char *ask(struct fw_arena *arena, const char *scratch, const char *const *arguments)
{
    const char *path = fw_arena_printf(arena, "%s/answer", scratch);
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        return NULL;
    struct fw_child child = {.program = arguments[0],
                             .arguments = arguments,
                             .environment = compile_environment(arena, scratch),
                             .folder = scratch,
                             .output = file,
                             .errors = file,
                             .seconds = ASKING_SECONDS,
                             .memory = asking_memory,
                             .file_size = ASKING_OUTPUT};
    struct fw_child_result result;
    enum fw_status status = fw_child_run(&result, &child);
    close(file);
    size_t length;
    if (status || result.end != FW_CHILD_EXITED || result.code != 0)
        return NULL;
    return compile_read_file(arena, path, ASKING_OUTPUT, &length);
}

/* "release 13.0, V13.0.88" or "clang version 15.0.6": kind and version. */
bool compile_read_version(struct fw_compiler *compiler, struct fw_arena *arena, const char *answer)
{
    const char *place = strstr(answer, "Cuda compilation tools");
    compiler->kind = FW_COMPILER_NVCC;
    if (place && (place = strstr(place, ", V")) != NULL) {
        place += 3;
    } else if ((place = strstr(answer, "clang version ")) != NULL) {
        compiler->kind = FW_COMPILER_CLANG;
        place += strlen("clang version ");
    } else {
        return false;
    }
    size_t length = strspn(place, "0123456789.");
    compiler->version = fw_arena_text(arena, place, length);
    compiler->major = (unsigned)strtoul(compiler->version, NULL, 10);
    return length > 0;
}

/* Its path, and the programs that it names when it tells what it does: nvcc, whatever called it,
 * its toolkit ("#$ TOP=/usr/local/cuda/bin/.."), gcc its own path ("COLLECT_GCC=/usr/bin/gcc"),
 * clang its folder ("InstalledDir: /usr/bin"). */
static void read_programs(struct fw_compiler *compiler, struct fw_arena *arena, const char *answer)
{
    static const struct {
        const char *line, *program;
    } tellers[] = {{"#$ TOP=/", "/bin/nvcc"}, {"COLLECT_GCC=/", ""}, {"InstalledDir: /", "/clang"}};
    text_vector programs = {0};
    const char *own = compile_real_path(arena, compiler->path);
    if (own)
        *FW_APPEND(arena, &programs) = own;
    for (const char *line = answer; *line; line += strspn(line, "\r\n")) {
        size_t length = strcspn(line, "\r\n");
        for (size_t i = 0; i < sizeof(tellers) / sizeof(tellers[0]); i++) {
            size_t skip = strlen(tellers[i].line) - 1;
            if (strncmp(line, tellers[i].line, skip + 1) != 0)
                continue;
            const char *path =
                fw_arena_printf(arena, "%.*s%s", (int)(length - skip > 4096 ? 4096 : length - skip),
                                line + skip, tellers[i].program);
            const char *real = compile_real_path(arena, path);
            if (real && is_program(real) && !(own && strcmp(real, own) == 0))
                *FW_APPEND(arena, &programs) = real;
        }
        line += length;
    }
    compiler->programs = programs.at;
    compiler->program_count = programs.count;
}

/* The folders between "search starts here" and "End of search list". */
static void read_search_list(struct fw_compiler *compiler, struct fw_arena *arena,
                             const char *answer)
{
    text_vector folders = {0};
    const char *line = strstr(answer, "#include \"...\" search starts here:");
    for (; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, "End of search list", 18) == 0)
            break;
        if (*line != ' ')
            continue;
        const char *folder = fw_arena_text(arena, line + 1, strcspn(line + 1, "\n"));
        const char *real = compile_real_path(arena, folder);
        if (real && strcmp(real, "/") != 0)
            *FW_APPEND(arena, &folders) = real;
    }
    compiler->system_folders = folders.at;
    compiler->system_folder_count = folders.count;
}

void compile_read_places(struct fw_compiler *compiler, struct fw_arena *arena, const char *answer)
{
    read_programs(compiler, arena, answer);
    read_search_list(compiler, arena, answer);
}

/* Path, size and date of a file; "" when it is not there. */
static const char *fingerprint(struct fw_arena *arena, const char *path)
{
    struct stat about;
    if (!path || stat(path, &about) != 0)
        return "";
    return fw_arena_printf(arena, "%s %lld %lld.%09ld\n", path, (long long)about.st_size,
                           (long long)about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
}

/* Of a compiler's programs and of what they run and read by themselves: nvcc is a driver. */
static const char *fingerprints(struct fw_arena *arena, const struct fw_compiler *compiler)
{
    static const char *const parts[] = {"nvvm/bin/cicc", "nvvm/libdevice/libdevice.10.bc",
                                        "bin/ptxas", "bin/nvcc.profile"};
    const char *all = fingerprint(arena, compiler->path);
    for (size_t k = 0; k < compiler->program_count; k++) {
        const char *program = compiler->programs[k];
        all = fw_arena_printf(arena, "%s%s", all, fingerprint(arena, program));
        for (size_t i = 0; compiler->kind == FW_COMPILER_NVCC && i < 4; i++)
            all = fw_arena_printf(
                arena, "%s%s", all,
                fingerprint(arena, fw_arena_printf(arena, "%.*s/../%s",
                                                   (int)(strrchr(program, '/') - program), program,
                                                   parts[i])));
    }
    return compiler->kind == FW_COMPILER_NVCC
               ? fw_arena_printf(arena, "%s%s", all, fingerprint(arena, in_path(arena, "gcc")))
               : all;
}

static bool describe(struct fw_compiler *compiler, struct fw_arena *arena, const char *scratch,
                     enum fw_language language, const char *path)
{
    struct stat about;
    *compiler = (struct fw_compiler){.language = language, .path = path, .library_identity = ""};
    const char *const version[] = {path, "--version", NULL};
    const char *answer = ask(arena, scratch, version);
    if (!answer || !compile_read_version(compiler, arena, answer) || stat(path, &about) != 0)
        return false;
    bool cuda = language == FW_LANGUAGE_CUDA;
    if (!cuda && compiler->kind == FW_COMPILER_NVCC)
        return false;
    const char *empty = fw_arena_printf(arena, "%s/empty.%s", scratch, cuda ? "cu" : "cl");
    int file = open(empty, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0)
        close(file);
    const char *const nvcc[] = {path, "-v",        "-E",  "-Xcompiler", "-v",
                                "-o", "/dev/null", empty, NULL};
    const char *const clang_cuda[] = {path,         "-E",         "-v",
                                      "-x",         "cuda",       "--cuda-device-only",
                                      "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_80",
                                      empty,        NULL};
    const char *const clang_cl[] = {path,  "-E", "-v", "-x", "cl", "-target", "nvptx64-nvidia-cuda",
                                    empty, NULL};
    const char *const *question = compiler->kind == FW_COMPILER_NVCC ? nvcc
                                  : cuda                             ? clang_cuda
                                                                     : clang_cl;
    answer = ask(arena, scratch, question);
    compile_read_places(compiler, arena, answer ? answer : "");
    compiler->identity =
        fw_arena_printf(arena, "%s %s", compiler->version, fingerprints(arena, compiler));
    return true;
}

static unsigned bits_at(const unsigned char *bytes, size_t bit, unsigned count)
{
    unsigned value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= (unsigned)(bytes[(bit + i) / 8] >> ((bit + i) % 8) & 1) << i;
    return value;
}

/* The LLVM version that wrote a bitcode file: its identification block holds "LLVM15.0.6" as an
 * array of 6-bit characters (LLVM's bitcode format: a-z, A-Z, 0-9, '.', '_'), anywhere in its bits.
 * 0 when it is not found. */
static unsigned bitcode_version(const char *path)
{
    static const unsigned word[] = {37, 37, 47, 38}; /* L L V M */
    unsigned char head[BITCODE_HEAD] = {0};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    ssize_t length = read(file, head, sizeof(head));
    close(file);
    for (size_t bit = 0; length > 0 && bit + 64 < (size_t)length * 8; bit++) {
        size_t i = 0;
        while (i < 4 && bits_at(head, bit + 6 * i, 6) == word[i])
            i++;
        if (i < 4)
            continue;
        unsigned version = 0;
        for (size_t at = bit + 24; at + 6 <= (size_t)length * 8; at += 6) {
            unsigned digit = bits_at(head, at, 6);
            if (digit < 52 || digit > 61)
                break;
            version = version * 10 + (digit - 52);
        }
        return version;
    }
    return 0;
}

/* libclc's bitcode for a clang: written by its own LLVM version, else (`any`) by an older one,
 * which newer ones can read; NULL when there is none. */
static const char *find_library(struct fw_arena *arena, const struct fw_compiler *clang, bool any)
{
    const char *folders[] = {fw_arena_printf(arena, "/usr/lib/llvm-%u/share/clc", clang->major),
                             fw_arena_printf(arena, "/usr/lib/llvm-%u/lib/clc", clang->major),
                             "/usr/lib/clc",
                             "/usr/share/clc",
                             "/usr/local/lib/clc",
                             "/usr/local/share/clc"};
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        const char *path = fw_arena_printf(arena, "%s/nvptx64--nvidiacl.bc", folders[i]);
        unsigned version = bitcode_version(path);
        if (version && (version == clang->major || (any && version < clang->major)))
            return path;
    }
    return NULL;
}

static void take_library(struct fw_compiler *compiler, struct fw_arena *arena, bool any)
{
    compiler->library = find_library(arena, compiler, any);
    compiler->library_identity = fingerprint(arena, compiler->library);
}

/* A toolkit that the environment names takes the usual one's place: a name that leads nowhere says
 * that there is none. */
const char *compile_find_tool(struct fw_arena *arena, const char *name)
{
    const char *home = getenv("CUDA_HOME"), *second = getenv("CUDA_PATH");
    bool named = (home && *home) || (second && *second);
    const char *homes[] = {home, second, named ? NULL : "/usr/local/cuda"};
    const char *path = in_path(arena, name);
    for (size_t i = 0; !path && i < sizeof(homes) / sizeof(homes[0]); i++) {
        if (!homes[i] || homes[i][0] != '/')
            continue;
        path = fw_arena_printf(arena, "%s/bin/%s", homes[i], name);
        path = is_program(path) ? path : NULL;
    }
    return path;
}

/* The newest clang that will do. */
static bool find_clang(struct fw_compiler *compiler, struct fw_arena *arena, const char *scratch,
                       enum fw_language language, bool any_library)
{
    for (unsigned version = NEWEST_CLANG + 1; version >= OLDEST_CLANG - 1; version--) {
        /* The plain name stands for whatever version it is; it is asked last. */
        bool plain = version == OLDEST_CLANG - 1;
        const char *name = plain ? "clang" : fw_arena_printf(arena, "clang-%u", version);
        const char *path = in_path(arena, name);
        if (!path || !describe(compiler, arena, scratch, language, path) ||
            compiler->kind != FW_COMPILER_CLANG || compiler->major < OLDEST_CLANG)
            continue;
        if (language == FW_LANGUAGE_CUDA)
            return true;
        take_library(compiler, arena, any_library);
        if (compiler->library)
            return true;
    }
    return false;
}

static bool find_named(struct fw_compiler *compiler, struct fw_arena *arena, const char *scratch,
                       const struct fw_compile_options *options)
{
    const char *path = strchr(options->compiler, '/') ? compile_real_path(arena, options->compiler)
                                                      : in_path(arena, options->compiler);
    if (!path || !is_program(path) || !describe(compiler, arena, scratch, options->language, path))
        return false;
    if (options->language == FW_LANGUAGE_OPENCL)
        take_library(compiler, arena, true);
    return options->language == FW_LANGUAGE_CUDA || compiler->library;
}

static bool find_any(struct fw_compiler *compiler, struct fw_arena *arena, const char *scratch,
                     enum fw_language language)
{
    const char *nvcc = language == FW_LANGUAGE_CUDA ? compile_find_tool(arena, "nvcc") : NULL;
    if (nvcc && describe(compiler, arena, scratch, language, nvcc))
        return true;
    return find_clang(compiler, arena, scratch, language, false) ||
           (language == FW_LANGUAGE_OPENCL && find_clang(compiler, arena, scratch, language, true));
}

enum fw_status fw_compiler_find(struct fw_compiler *compiler, struct fw_arena *arena,
                                const struct fw_compile_options *options,
                                const struct fw_sink *sink)
{
    static const char *const notes[] = {
        "install the CUDA toolkit (nvcc), or clang 14 or newer; nvcc is looked for in $PATH, "
        "$CUDA_HOME and $CUDA_PATH, and without these in /usr/local/cuda",
        "install clang and the libclc of the same LLVM version, on Debian 12 the packages clang-15 "
        "and libclc-15"};
    const char *scratch = fw_scratch_new(arena);
    if (!scratch) {
        fw_report(sink, FW_ERROR, "CMP012", (struct fw_span){0},
                  "cannot make a temporary folder: %s", strerror(errno));
        return FW_ERROR_MACHINE;
    }
    jmp_buf point;
    jmp_buf *before = fw_arena_on_exhausted(arena, &point);
    volatile enum fw_status status = FW_ERROR_MEMORY;
    if (setjmp(point) == 0) {
        bool found = options->compiler ? find_named(compiler, arena, scratch, options)
                                       : find_any(compiler, arena, scratch, options->language);
        status = found ? FW_OK : FW_ERROR_MACHINE;
    }
    fw_arena_on_exhausted(arena, before);
    fw_scratch_remove(scratch);
    bool opencl = options->language == FW_LANGUAGE_OPENCL;
    if (status == FW_ERROR_MACHINE && options->compiler)
        fw_report_notes(sink, FW_ERROR, "CMP001", (struct fw_span){0}, &notes[opencl], 1,
                        "%s is not a compiler of %s that can be used here", options->compiler,
                        opencl ? "OpenCL C" : "CUDA C++");
    else if (status == FW_ERROR_MACHINE)
        fw_report_notes(sink, FW_ERROR, "CMP001", (struct fw_span){0}, &notes[opencl], 1,
                        "no compiler of %s was found", opencl ? "OpenCL C" : "CUDA C++");
    return status;
}
