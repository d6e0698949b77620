#include "assemble.h"

#include "compile_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_SECONDS = 60 };

static const uint64_t memory_limit = (uint64_t)8 << 30;
static const char magic[] = "forewarp-assembled 1 ";

/* What tells one ptxas from another: where it is, how large and from when. */
static const char *identity(struct fw_arena *arena, const char *program)
{
    struct stat about;
    if (stat(program, &about) != 0)
        return program;
    return fw_arena_printf(arena, "%s %lld %lld", program, (long long)about.st_size,
                           (long long)about.st_mtime);
}

static const char *entry_path(struct fw_arena *arena, const char *program, const char *ptx,
                              size_t length, const struct fw_assemble_options *options)
{
    struct fw_sha256 hash = fw_sha256_new();
    const char *head = fw_arena_printf(arena, "%s%s sm_%u%s\n", magic, identity(arena, program),
                                       options->target, options->specific ? "a" : "");
    fw_sha256_add(&hash, head, strlen(head));
    fw_sha256_add(&hash, ptx, length);
    return fw_arena_printf(arena, "%s/%s.ptxas", options->cache, fw_sha256_end(&hash).text);
}

/* The messages of an earlier run; NULL when there is no whole entry. */
static const char *cached_messages(struct fw_arena *arena, const char *path)
{
    size_t length = 0, head = strlen(magic);
    const char *text = compile_read_file(arena, path, LARGEST_MESSAGES, &length);
    const char *body = text ? strchr(text, '\n') : NULL;
    if (!body || strncmp(text, magic, head) != 0)
        return NULL;
    body++;
    struct fw_sha256 hash = fw_sha256_new();
    fw_sha256_add(&hash, body, length - (size_t)(body - text));
    struct fw_digest digest = fw_sha256_end(&hash);
    size_t digits = (size_t)(body - 1 - text) - head;
    return strlen(digest.text) == digits && strncmp(text + head, digest.text, digits) == 0 ? body
                                                                                           : NULL;
}

static bool write_file(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wx");
    if (!file)
        return false;
    bool written = fwrite(bytes, 1, length, file) == length;
    return fclose(file) == 0 && written;
}

/* Runs ptxas in a scratch folder; its messages come back. */
static enum fw_status run(struct fw_arena *arena, const char *program, const char *scratch,
                          const struct fw_assemble_options *options, const char **messages,
                          const struct fw_sink *sink)
{
    const char *target =
        fw_arena_printf(arena, "-arch=sm_%u%s", options->target, options->specific ? "a" : "");
    const char *arguments[] = {"ptxas", "-v", target, "in.ptx", "-o", "out.cubin", NULL};
    const char *path = fw_arena_printf(arena, "%s/messages", scratch);
    const struct fw_span nowhere = {0};
    int output = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (output < 0)
        return FW_ERROR_MACHINE;
    struct fw_child child = {.program = program,
                             .arguments = arguments,
                             .environment = compile_environment(arena, scratch),
                             .folder = scratch,
                             .output = output,
                             .errors = output,
                             .seconds = options->seconds ? options->seconds : DEFAULT_SECONDS,
                             .memory = memory_limit,
                             .file_size = LARGEST_OUTPUT};
    struct fw_child_result result;
    enum fw_status status = fw_child_run(&result, &child);
    close(output);
    size_t length = 0;
    const char *text = compile_read_file(arena, path, LARGEST_MESSAGES, &length);
    if (status || !text) {
        fw_report(sink, FW_ERROR, "CMP020", nowhere, "ptxas could not be run");
        return FW_ERROR_MACHINE;
    }
    if (result.end == FW_CHILD_OVERTIME) {
        fw_report(sink, FW_ERROR, "CMP022", nowhere, "ptxas took more than %u seconds",
                  child.seconds);
        return FW_ERROR_INPUT;
    }
    if (result.end != FW_CHILD_EXITED || result.code != 0) {
        size_t line = strcspn(text, "\n");
        fw_report(sink, FW_ERROR, "CMP021", nowhere, "ptxas refuses the PTX: %s",
                  compile_printable(arena, text, line < 300 ? line : 300));
        return FW_ERROR_INPUT;
    }
    *messages = text;
    return FW_OK;
}

/* The number before `word` in the line, 0 without one. */
static uint32_t number_before(const char *line, const char *word)
{
    const char *at = strstr(line, word);
    if (!at || at == line || at[-1] != ' ')
        return 0;
    const char *digit = at - 1;
    while (digit > line && digit[-1] >= '0' && digit[-1] <= '9')
        digit--;
    return (uint32_t)strtoul(digit, NULL, 10);
}

static void read_messages(struct fw_assembly *assembly, struct fw_arena *arena, const char *text)
{
    struct fw_assembled *now = NULL;
    while (*text) {
        size_t length = strcspn(text, "\n");
        char *line = fw_arena_text(arena, text, length);
        const char *entry = strstr(line, "Compiling entry function '");
        if (entry) {
            entry += strlen("Compiling entry function '");
            now = FW_APPEND(arena, &assembly->kernels);
            now->entry = fw_arena_text(arena, entry, strcspn(entry, "'"));
        } else if (now && strstr(line, "Used ")) {
            now->registers = number_before(line, "registers");
            now->barriers = number_before(line, "barriers");
            now->shared_bytes = number_before(line, "bytes smem");
        } else if (now && strstr(line, "bytes stack frame")) {
            now->stack_bytes = number_before(line, "bytes stack frame");
            now->spill_store_bytes = number_before(line, "bytes spill stores");
            now->spill_load_bytes = number_before(line, "bytes spill loads");
        }
        text += length + (text[length] == '\n');
    }
}

enum fw_status fw_assemble(struct fw_assembly *assembly, struct fw_arena *arena, const char *ptx,
                           size_t length, const struct fw_assemble_options *options,
                           const struct fw_sink *sink)
{
    const struct fw_span nowhere = {0};
    const char *program = compile_find_tool(arena, "ptxas"), *messages = NULL, *path = NULL;
    *assembly = (struct fw_assembly){.version = "ptxas"};
    if (!program) {
        fw_report(sink, FW_ERROR, "CMP020", nowhere,
                  "there is no ptxas: it comes with the CUDA toolkit");
        return FW_ERROR_MACHINE;
    }
    if (options->cache) {
        path = entry_path(arena, program, ptx, length, options);
        messages = cached_messages(arena, path);
        assembly->cached = messages != NULL;
    }
    if (!messages) {
        const char *scratch = fw_scratch_new(arena);
        enum fw_status status = FW_ERROR_MACHINE;
        if (scratch && write_file(fw_arena_printf(arena, "%s/in.ptx", scratch), ptx, length))
            status = run(arena, program, scratch, options, &messages, sink);
        fw_scratch_remove(scratch);
        if (status)
            return status;
        struct fw_buffer body = fw_buffer_new(arena);
        fw_buffer_add(&body, messages, strlen(messages));
        if (path)
            compile_store(arena, options->cache, path, magic, &body);
    }
    read_messages(assembly, arena, messages);
    return FW_OK;
}

const struct fw_assembled *fw_assembly_find(const struct fw_assembly *assembly, const char *entry)
{
    for (size_t k = 0; k < assembly->kernels.count; k++)
        if (strcmp(assembly->kernels.at[k].entry, entry) == 0)
            return &assembly->kernels.at[k];
    return NULL;
}
