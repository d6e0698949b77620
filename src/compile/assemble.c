#include "assemble.h"

#include "compile_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The most that any device gives a thread (registers, local memory) or a block (shared memory),
 * with room for devices to come. */
enum { DEFAULT_SECONDS = 60, MOST_REGISTERS = 255, MOST_SHARED = 1 << 20, MOST_LOCAL = 512 << 10 };

static const uint64_t memory_limit = (uint64_t)4 << 30;
static const char magic[] = "forewarp-assembled 2 ";

/* One run under way. */
struct assembling {
    struct fw_arena *arena;
    const struct fw_assemble_options *options;
    const struct fw_sink *sink;
    const char *program;
    const char *scratch; /* our own folder; NULL before there is one */
};

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
    const char *text = compile_read_entry(arena, path, LARGEST_MESSAGES, &length);
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

/* Where the second of two quoted names on a line's rest begins; NULL: there are not two. */
static const char *second_name(const char *rest, size_t length)
{
    const char *end = rest + length, *quote = memchr(rest, '"', length);
    const char *close = quote ? memchr(quote + 1, '"', (size_t)(end - quote) - 1) : NULL;
    const char *next = close ? close + 1 + strspn(close + 1, " \t") : NULL;
    return next && next < end && *next == '"' ? next : NULL;
}

/* The PTX as ptxas takes it: clang (DWARF 5) gives a source file's folder apart, `.file 1 "/folder"
 * "name.cl"`, which is a syntax error to ptxas; the name alone stays.  Lines stay where they are.
 */
static void write_files(struct fw_buffer *out, const char *ptx, size_t length)
{
    const char *at = ptx, *end = ptx + length;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *next = newline ? newline + 1 : end;
        const char *word = at;
        while (word < next && (*word == ' ' || *word == '\t'))
            word++;
        bool file = (size_t)(next - word) > 6 && strncmp(word, ".file", 5) == 0 &&
                    (word[5] == ' ' || word[5] == '\t');
        const char *name = file ? second_name(word, (size_t)(next - word)) : NULL;
        if (name) {
            const char *folder = memchr(word, '"', (size_t)(next - word));
            fw_buffer_add(out, at, (size_t)(folder - at));
            at = name;
        }
        fw_buffer_add(out, at, (size_t)(next - at));
        at = next;
    }
}

/* The first message that is more than chatter. */
static const char *first_message(struct fw_arena *arena, const char *text)
{
    enum { LONGEST = 300 };
    while (strncmp(text, "ptxas info", 10) == 0 || *text == '\n')
        text += strcspn(text, "\n") + (text[strcspn(text, "\n")] == '\n');
    size_t line = strcspn(text, "\n");
    return line ? fw_text_shown(arena, text, line < LONGEST ? line : LONGEST) : "(no message)";
}

/* Runs ptxas once with its output in the scratch folder's file `name`; `*said` is that. */
static enum fw_status run_once(struct assembling *work, const char *const *arguments,
                               const char *name, struct fw_child_result *result, const char **said)
{
    const char *path = fw_arena_printf(work->arena, "%s/%s", work->scratch, name);
    const char *const *environment = compile_environment(work->arena, work->scratch);
    unsigned seconds = work->options->seconds ? work->options->seconds : DEFAULT_SECONDS;
    text_vector toolchain = {0};
    struct fw_cell cell;
    enum fw_confinement confinement;
    compile_grant_toolchain(work->arena, &toolchain, work->program, NULL);
    struct fw_grants grants = {
        .programs = toolchain.at, .program_count = toolchain.count, .scratch = work->scratch};
    if (fw_confinement_find(&confinement) || fw_cell_open(&cell, work->arena, confinement, &grants))
        return FW_ERROR_MACHINE;
    int output = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    struct fw_child child = {.program = work->program,
                             .arguments = arguments,
                             .environment = environment,
                             .folder = work->scratch,
                             .output = output,
                             .errors = output,
                             .seconds = seconds,
                             .memory = memory_limit,
                             .file_size = LARGEST_OUTPUT,
                             .cell = &cell};
    enum fw_status status = output < 0 ? FW_ERROR_MACHINE : fw_child_run(result, &child);
    if (output >= 0)
        close(output);
    fw_cell_close(&cell);
    size_t length = 0;
    *said = status ? NULL : compile_read_file(work->arena, path, LARGEST_MESSAGES, &length);
    return *said ? FW_OK : FW_ERROR_MACHINE;
}

/* "ptxas 13.0.88" out of "..., release 13.0, V13.0.88". */
static const char *ask_version(struct assembling *work)
{
    const char *const arguments[] = {"ptxas", "--version", NULL};
    struct fw_child_result result;
    const char *said;
    if (run_once(work, arguments, "version", &result, &said) || result.end != FW_CHILD_EXITED)
        return "ptxas";
    const char *at = strstr(said, ", V");
    size_t digits = at ? strspn(at + 3, "0123456789.") : 0;
    return digits && digits < 32 ? fw_arena_printf(work->arena, "ptxas %.*s", (int)digits, at + 3)
                                 : "ptxas";
}

/* Runs ptxas in the scratch folder; its version, a newline and its messages come back. */
static enum fw_status run(struct assembling *work, const char **messages)
{
    const char *target = fw_arena_printf(work->arena, "-arch=sm_%u%s", work->options->target,
                                         work->options->specific ? "a" : "");
    const char *const arguments[] = {"ptxas", "-v", target, "in.ptx", "-o", "out.cubin", NULL};
    const struct fw_span nowhere = {0};
    struct fw_child_result result;
    const char *said;
    if (run_once(work, arguments, "messages", &result, &said)) {
        fw_report(work->sink, FW_ERROR, "CMP024", nowhere, "%s could not be run", work->program);
        return FW_ERROR_MACHINE;
    }
    if (result.end == FW_CHILD_OVERTIME) {
        fw_report(work->sink, FW_ERROR, "CMP022", nowhere, "ptxas took more than %u seconds",
                  work->options->seconds ? work->options->seconds : DEFAULT_SECONDS);
        return FW_ERROR_INPUT;
    }
    if (result.end != FW_CHILD_EXITED || result.code != 0) {
        fw_report(work->sink, FW_ERROR, "CMP021", nowhere,
                  result.end == FW_CHILD_SIGNALLED ? "ptxas crashed: %s"
                                                   : "ptxas refuses the PTX: %s",
                  first_message(work->arena, said));
        return FW_ERROR_INPUT;
    }
    *messages = fw_arena_printf(work->arena, "%s\n%s", ask_version(work), said);
    return FW_OK;
}

/* The number before `word` in the line, 0 without one; UINT32_MAX when it is no such number. */
static uint32_t number_before(const char *line, const char *word)
{
    const char *at = strstr(line, word);
    if (!at || at == line || at[-1] != ' ')
        return 0;
    const char *digit = at - 1;
    while (digit > line && digit[-1] >= '0' && digit[-1] <= '9')
        digit--;
    bool whole = digit < at - 1 && at - 1 - digit <= 9 && (digit == line || digit[-1] == ' ');
    return whole ? (uint32_t)strtoul(digit, NULL, 10) : UINT32_MAX;
}

/* Whether what was said of a kernel can be: what no device can give it is not believed. */
static bool can_be(const struct fw_assembled *kernel)
{
    return kernel->registers >= 1 && kernel->registers <= MOST_REGISTERS &&
           kernel->shared_bytes <= MOST_SHARED && kernel->stack_bytes <= MOST_LOCAL &&
           kernel->spill_store_bytes <= MOST_LOCAL && kernel->spill_load_bytes <= MOST_LOCAL;
}

/* ptxas says this before it names any kernel. */
static void mark_serialized(struct fw_assembly *assembly, const char *text)
{
    static const char message[] = "wgmma.mma_async instructions are serialized";
    static const char within[] = " in the function '";
    while ((text = strstr(text, message))) {
        size_t length = strcspn(text, "\n");
        const char *name = strstr(text, within);
        if (name && name < text + length) {
            name += strlen(within);
            size_t named = strcspn(name, "'\n");
            for (size_t k = 0; k < assembly->kernels.count; k++) {
                struct fw_assembled *kernel = &assembly->kernels.at[k];
                if (strlen(kernel->entry) == named && strncmp(kernel->entry, name, named) == 0)
                    kernel->wgmma_serialized = true;
            }
        }
        text += length;
    }
}

/* Kernels' resources; false when there are none, or some cannot be.  Functions that stay calls have
 * properties of their own, which are not a kernel's. */
bool compile_read_assembly(struct fw_assembly *assembly, struct fw_arena *arena, const char *text)
{
    struct fw_assembled *now = NULL;
    const char *whole = text;
    bool own = false; /* the properties that follow are the kernel's */
    size_t head = strcspn(text, "\n");
    assembly->version = fw_arena_text(arena, text, head);
    text += head;
    while (*text) {
        size_t length = strcspn(text, "\n");
        char *line = fw_arena_text(arena, text, length);
        const char *entry = strstr(line, "Compiling entry function '");
        const char *properties = strstr(line, "Function properties for ");
        if (entry) {
            entry += strlen("Compiling entry function '");
            now = FW_APPEND(arena, &assembly->kernels);
            now->entry = fw_arena_text(arena, entry, strcspn(entry, "'"));
            own = true;
        } else if (properties) {
            own = now && strcmp(properties + strlen("Function properties for "), now->entry) == 0;
        } else if (own && strstr(line, "Used ")) {
            now->registers = number_before(line, "registers");
            now->barriers = number_before(line, "barriers");
            now->shared_bytes = number_before(line, "bytes smem");
        } else if (own && strstr(line, "bytes stack frame")) {
            now->stack_bytes = number_before(line, "bytes stack frame");
            now->spill_store_bytes = number_before(line, "bytes spill stores");
            now->spill_load_bytes = number_before(line, "bytes spill loads");
        }
        text += length + (text[length] == '\n');
    }
    mark_serialized(assembly, whole);
    for (size_t k = 0; k < assembly->kernels.count; k++)
        if (!can_be(&assembly->kernels.at[k]))
            return false;
    return assembly->kernels.count > 0;
}

static enum fw_status assemble(struct assembling *work, struct fw_assembly *assembly,
                               const char *ptx, size_t length)
{
    const struct fw_assemble_options *options = work->options;
    const struct fw_span nowhere = {0};
    struct fw_arena *arena = work->arena;
    const char *messages = NULL, *path = NULL;
    work->program = compile_find_tool(arena, "ptxas");
    if (!work->program) {
        fw_report(work->sink, FW_ERROR, "CMP020", nowhere,
                  "there is no ptxas: it comes with the CUDA toolkit");
        return FW_ERROR_MACHINE;
    }
    if (options->cache) {
        path = entry_path(arena, work->program, ptx, length, options);
        messages =
            compile_cache_is_ours(arena, options->cache) ? cached_messages(arena, path) : NULL;
        assembly->cached = messages != NULL;
    }
    if (messages) {
        assembly->known = compile_read_assembly(assembly, arena, messages);
        if (assembly->known)
            return FW_OK;
        *assembly = (struct fw_assembly){.version = "ptxas"};
    }
    enum fw_status status = FW_ERROR_MACHINE;
    struct fw_buffer text = fw_buffer_new(arena);
    write_files(&text, ptx, length);
    work->scratch = fw_scratch_new(arena);
    if (!work->scratch ||
        !write_file(fw_arena_printf(arena, "%s/in.ptx", work->scratch), text.text, text.length))
        fw_report(work->sink, FW_ERROR, "CMP024", nowhere,
                  "ptxas could not be run: no temporary folder");
    else
        status = run(work, &messages);
    if (status)
        return status;
    if (!compile_read_assembly(assembly, arena, messages)) {
        fw_report(work->sink, FW_ERROR, "CMP023", nowhere,
                  "ptxas said nothing of registers that can be: %s",
                  first_message(arena, strchr(messages, '\n') + 1));
        return FW_ERROR_INPUT;
    }
    assembly->known = true;
    struct fw_buffer body = fw_buffer_new(arena);
    fw_buffer_add(&body, messages, strlen(messages));
    if (path)
        compile_store(arena, options->cache, path, magic, &body);
    return FW_OK;
}

enum fw_status fw_assemble(struct fw_assembly *assembly, struct fw_arena *arena, const char *ptx,
                           size_t length, const struct fw_assemble_options *options,
                           const struct fw_sink *sink)
{
    jmp_buf point;
    volatile enum fw_status status = FW_ERROR_MEMORY;
    struct assembling *volatile kept = NULL;
    jmp_buf *before = fw_arena_on_exhausted(arena, &point);
    *assembly = (struct fw_assembly){.version = "ptxas"};
    if (setjmp(point) == 0) {
        struct assembling *work = FW_NEW(arena, struct assembling);
        *work = (struct assembling){.arena = arena, .options = options, .sink = sink};
        kept = work;
        status = assemble(work, assembly, ptx, length);
    }
    fw_arena_on_exhausted(arena, before);
    if (kept)
        fw_scratch_remove(kept->scratch);
    if (status)
        *assembly = (struct fw_assembly){.version = "ptxas"};
    return status;
}

const struct fw_assembled *fw_assembly_find(const struct fw_assembly *assembly, const char *entry)
{
    for (size_t k = 0; k < assembly->kernels.count; k++)
        if (strcmp(assembly->kernels.at[k].entry, entry) == 0)
            return &assembly->kernels.at[k];
    return NULL;
}
