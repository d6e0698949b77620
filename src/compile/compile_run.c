/* Running the compiler, confined: at once, or on a text that was preprocessed before.
 *
 * nvcc preprocesses twice, with gcc and once more with its own compiler, which would take for a
 * directive what gcc left as text.  So gcc's text is made first, alone: what it holds and what it
 * was made from is checked, and nvcc gets that text where it can read nothing else of the user's.
 * Clang is run at once, as it preprocesses once and lists the files that it opened; but where the
 * system forbids it nothing, it is handed a checked text, too. */
#define _GNU_SOURCE /* O_CLOEXEC */
#include "compile_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { DEFAULT_SECONDS = 60, PREPROCESSING_SECONDS = 20, MOST_LAST_WORDS = 3 };

/* Bytes of address space a process.  A preprocessor needs a tenth of these: what takes more are
 * macros that multiply. */
static const uint64_t nvcc_memory = (uint64_t)4 << 30, clang_memory = (uint64_t)2 << 30,
                      preprocessing_memory = (uint64_t)1 << 30;

enum fw_status compile_cannot(const struct compilation *compilation, const char *what, int error)
{
    fw_report(compilation->sink, FW_ERROR, "CMP012", (struct fw_span){0}, "cannot %s: %s", what,
              strerror(error));
    return FW_ERROR_MACHINE;
}

const char *compile_write_scratch(const struct compilation *compilation, const char *name,
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

/* One run of the compiler. */
struct run {
    enum compile_step step;
    bool tell; /* what it says is told */
    unsigned seconds;
    uint64_t memory, file_size;
    const char *output; /* the file that the result comes in */
    struct fw_child_result result;
    bool failed;
};

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static struct run new_run(const struct compilation *compilation, enum compile_step step)
{
    const struct fw_compile_options *options = compilation->options;
    bool nvcc = compilation->compiler->kind == FW_COMPILER_NVCC;
    bool preprocesses = step == COMPILE_STEP_PREPROCESS;
    struct run run = {.step = step, .tell = true};
    run.seconds = options->seconds ? options->seconds : DEFAULT_SECONDS;
    run.memory = options->memory ? options->memory : nvcc ? nvcc_memory : clang_memory;
    run.file_size = options->output ? options->output : LARGEST_OUTPUT;
    if (preprocesses) {
        run.seconds = (unsigned)lesser(run.seconds, PREPROCESSING_SECONDS);
        run.memory = lesser(run.memory, preprocessing_memory);
    }
    run.output = fw_arena_printf(compilation->arena, "%s/%s", compilation->scratch,
                                 preprocesses ? "preprocessed" : "kernel.ptx");
    return run;
}

/* Whether the temporary folder's disk is full, which is not the source's fault.  A compiler that
 * fails without a word may have removed what filled it. */
static bool is_full(const struct compilation *compilation, bool without_word)
{
    enum { LITTLE = 8 << 20 };
    struct statvfs about;
    if (strstr(compilation->messages, "No space left on device"))
        return true;
    if (statvfs(compilation->scratch, &about) != 0 || !about.f_blocks)
        return false;
    return (uint64_t)about.f_bavail * about.f_frsize < (without_word ? LITTLE : 1);
}

/* A compiler that failed without an error of the usual form: what it, or a shell before it, said
 * last. */
static void tell_last_words(const struct compilation *compilation, struct fw_span span)
{
    enum { LONGEST = 300 };
    const char *notes[MOST_LAST_WORDS];
    const char *end = compilation->messages + strlen(compilation->messages);
    size_t count = 0;
    while (end > compilation->messages && count < MOST_LAST_WORDS) {
        const char *line = end;
        while (line > compilation->messages && line[-1] != '\n')
            line--;
        size_t length = (size_t)(end - line);
        if (length)
            notes[MOST_LAST_WORDS - ++count] =
                fw_text_shown(compilation->arena, line, length < LONGEST ? length : LONGEST);
        end = line > compilation->messages ? line - 1 : line;
    }
    fw_report_notes(compilation->sink, FW_ERROR, "CMP010", span, notes + MOST_LAST_WORDS - count,
                    count,
                    count ? "%s failed without an error of its own; it said last"
                          : "%s failed without saying why",
                    compilation->compiler->path);
}

/* Says why a run ended badly; the messages are told before. */
static enum fw_status tell_end(const struct compilation *compilation, const struct run *run,
                               size_t errors)
{
    static const char *const memory_words[] = {"bad_alloc",
                                               "out of memory",
                                               "Out of memory",
                                               "Cannot allocate",
                                               "memory exhausted",
                                               "memory allocation",
                                               NULL};
    struct fw_span span = {compilation->source, 0, 0};
    bool overtime = run->result.end == FW_CHILD_OVERTIME;
    bool signalled = run->result.end == FW_CHILD_SIGNALLED;
    if (is_full(compilation, !errors && !overtime && !signalled))
        return compile_cannot(compilation, "write to the temporary folder", ENOSPC);
    for (const char *const *word = memory_words; *word; word++) {
        if (!overtime && strstr(compilation->messages, *word)) {
            fw_report(compilation->sink, FW_ERROR, "CMP007", span,
                      "compiling it took more than the %llu bytes of memory that are allowed",
                      (unsigned long long)run->memory);
            return FW_ERROR_INPUT;
        }
    }
    if (overtime || (signalled && run->result.code == SIGXCPU))
        fw_report(compilation->sink, FW_ERROR, "CMP006", span,
                  "%s it took more than the %u seconds that are allowed",
                  run->step == COMPILE_STEP_PREPROCESS ? "preprocessing" : "compiling",
                  run->seconds);
    else if ((signalled && run->result.code == SIGXFSZ) ||
             strstr(compilation->messages, "File size limit exceeded"))
        fw_report(compilation->sink, FW_ERROR, "CMP008", span,
                  "compiling it wrote more than the %llu bytes that are allowed",
                  (unsigned long long)run->file_size);
    else if (signalled)
        fw_report(compilation->sink, FW_ERROR, "CMP009", span, "the compiler crashed on it (%s)",
                  strsignal(run->result.code));
    else if (!errors)
        tell_last_words(compilation, span);
    return FW_ERROR_INPUT;
}

static int open_output(const char *path)
{
    return open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_APPEND, 0600);
}

/* Runs the compiler, confined, to its end; its messages are read. */
static enum fw_status start(struct compilation *compilation, struct run *run)
{
    struct fw_arena *arena = compilation->arena;
    bool preprocesses = run->step == COMPILE_STEP_PREPROCESS;
    const char *said = fw_arena_printf(arena, "%s/messages", compilation->scratch);
    struct fw_grants grants =
        compile_grants(compilation, run->step != COMPILE_STEP_COMPILE_PREPROCESSED);
    struct fw_cell cell;
    struct fw_child child = {.program = compilation->compiler->path,
                             .arguments =
                                 compile_full_arguments(compilation, run->step, run->output),
                             .environment = compile_environment(arena, compilation->scratch),
                             .folder = compilation->scratch,
                             .seconds = run->seconds,
                             .memory = run->memory,
                             .file_size = run->file_size,
                             .cell = &cell};
    if (fw_cell_open(&cell, arena, compilation->confinement, &grants))
        return compile_cannot(compilation, "confine the compiler", errno);
    /* From here to their closing nothing is taken from the arena. */
    child.errors = open_output(said);
    child.output = preprocesses ? open_output(run->output) : child.errors;
    int error = errno;
    bool open = child.errors >= 0 && child.output >= 0;
    enum fw_status status = open ? fw_child_run(&run->result, &child) : FW_ERROR_MACHINE;
    if (child.output >= 0 && child.output != child.errors)
        close(child.output);
    if (child.errors >= 0)
        close(child.errors);
    fw_cell_close(&cell);
    if (!open)
        return compile_cannot(compilation, "write to the temporary folder", error);
    if (status)
        return compile_cannot(compilation, "start the compiler, confined", run->result.code);
    size_t length;
    compilation->messages = compile_read_file(arena, said, LARGEST_OUTPUT, &length);
    run->failed = run->result.end != FW_CHILD_EXITED || run->result.code != 0;
    return compilation->messages
               ? FW_OK
               : compile_cannot(compilation, "read what the compiler said", errno);
}

/* Tells what the compiler said, and why it ended. */
static enum fw_status finish(struct compilation *compilation, const struct run *run)
{
    size_t errors = run->tell ? compile_tell_messages(compilation) : 0;
    return run->failed ? tell_end(compilation, run, errors) : FW_OK;
}

enum fw_status compile_preprocess(struct compilation *compilation, bool tell)
{
    struct run run = new_run(compilation, COMPILE_STEP_PREPROCESS);
    run.tell = tell;
    enum fw_status status = start(compilation, &run);
    if (status)
        return status;
    size_t length;
    const char *text = compile_read_file(compilation->arena, run.output, run.file_size, &length);
    if (!text)
        return compile_cannot(compilation, "read what the preprocessor wrote", errno);
    /* What it opened is checked first: nothing of another's file may be told. */
    bool cut = !length || text[length - 1] != '\n'; /* which gcc may not say */
    if (is_full(compilation, cut))
        return compile_cannot(compilation, "write to the temporary folder", ENOSPC);
    status = compile_check_preprocessed(compilation, text, length);
    if (!status)
        status = finish(compilation, &run);
    compilation->preprocessed = status ? NULL : text;
    compilation->preprocessed_length = length;
    return status;
}

/* The preprocessed text under the source's own name, from which nvcc makes names of functions. */
static enum fw_status write_preprocessed(struct compilation *compilation)
{
    const char *folder = fw_arena_printf(compilation->arena, "%s/once", compilation->scratch);
    const char *name =
        fw_arena_printf(compilation->arena, "once%s", strrchr(compilation->file, '/'));
    compilation->once = mkdir(folder, 0700) == 0
                            ? compile_write_scratch(compilation, name, compilation->preprocessed,
                                                    compilation->preprocessed_length)
                            : NULL;
    return compilation->once ? FW_OK
                             : compile_cannot(compilation, "write to the temporary folder", errno);
}

/* The list of a clang.  One that never came to its source has none. */
static enum fw_status check_list(struct compilation *compilation, bool failed)
{
    size_t length;
    const char *path = fw_arena_printf(compilation->arena, "%s/headers", compilation->scratch);
    const char *list = compile_read_file(compilation->arena, path, LARGEST_OUTPUT, &length);
    if (list)
        return compile_check_list(compilation, list);
    return failed && errno == ENOENT
               ? FW_OK
               : compile_cannot(compilation, "read what the compiler said", errno);
}

enum fw_status compile_run(struct compilation *compilation, struct fw_compiled *compiled)
{
    bool once = compilation->compiler->kind == FW_COMPILER_NVCC ||
                compilation->confinement == FW_CONFINEMENT_NONE;
    struct run run =
        new_run(compilation, once ? COMPILE_STEP_COMPILE_PREPROCESSED : COMPILE_STEP_COMPILE);
    compiled->confinement = fw_confinement_name(compilation->confinement);
    compile_grant_toolchain(compilation->arena, &compilation->toolchain,
                            compilation->compiler->path, compilation->compiler);
    compile_grant_sources(compilation);
    enum fw_status status = compile_check_source(compilation);
    if (!status && once)
        status = compile_preprocess(compilation, true);
    if (!status && once)
        status = write_preprocessed(compilation);
    if (!status)
        status = start(compilation, &run);
    if (!status && !once)
        status = check_list(compilation, run.failed);
    if (!status)
        status = finish(compilation, &run);
    if (status)
        return status;
    compiled->ptx =
        compile_read_file(compilation->arena, run.output, run.file_size, &compiled->ptx_length);
    return compiled->ptx ? FW_OK
                         : compile_cannot(compilation, "read what the compiler wrote", errno);
}

enum fw_status compile_find_confinement(struct compilation *compilation)
{
    enum fw_status status = fw_confinement_find(&compilation->confinement);
    const char *named = getenv("FOREWARP_CONFINEMENT");
    if (status == FW_ERROR_USAGE)
        fw_report(compilation->sink, FW_ERROR, "CMP015", (struct fw_span){0},
                  "FOREWARP_CONFINEMENT is %s, not landlock, namespace or none",
                  fw_text_shown(compilation->arena, named, strlen(named)));
    else if (status)
        fw_report(compilation->sink, FW_ERROR, "CMP015", (struct fw_span){0},
                  "FOREWARP_CONFINEMENT is %s, which this machine does not have",
                  fw_confinement_name(compilation->confinement));
    return status;
}
