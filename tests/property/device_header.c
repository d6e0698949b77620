/* Everything that forewarp's own headers for clang have is used in device_header.cu, and in
 * parts.cu what needs no #include: each of their kernels compiles without a CUDA toolkit, and with
 * one, and can be counted.
 *
 * usage: device-header COMPILER SOURCE-TREE; exit status 77 without the compiler */
#include "forewarp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *last_code = "";
static char code[16];

static void hear(void *user, const struct fw_message *message)
{
    (void)user;
    if (message->severity == FW_MESSAGE_NOTE)
        return;
    fputs(message->rendered, stdout);
    snprintf(code, sizeof(code), "%s", message->code);
    last_code = code;
}

/* Counts one kernel for a block of 32 threads, whole numbers bound to 3. */
static bool count(const struct fw_context *context, struct fw_program *program, const char *name)
{
    const struct fw_kernel *kernel;
    struct fw_worker *worker = NULL;
    const struct fw_answer *answer = NULL;
    (void)context;
    enum fw_status status = fw_program_kernel(&kernel, program, name);
    if (!status)
        status = fw_worker_new(&worker, program, kernel);
    if (!status) {
        const struct fw_kernel_row *row = fw_worker_kernel(worker);
        fw_worker_clear(worker);
        fw_worker_set_grid(worker, 2, 1, 1);
        fw_worker_set_block(worker, 32, 1, 1);
        for (size_t a = 0; a < row->argument_count; a++)
            if (!row->arguments[a].is_pointer && !row->arguments[a].is_float)
                fw_worker_bind_integer(worker, a, 3);
        status = fw_worker_count(&answer, worker, NULL);
    }
    bool good =
        !status && answer->counts->total.count.known && answer->counts->total.count.value > 0;
    if (good)
        printf("%-12s %10.0f thread-instructions, %3u registers, %zu unknowns\n", name,
               answer->counts->total.count.value, answer->kernel->registers, answer->unknown_count);
    else
        printf("FAILED: %s is not counted (status %d)\n", name, status);
    fw_worker_free(worker);
    return good;
}

/* Counts all kernels of a file, of which there have to be so many.  -1: there is no compiler. */
static int failures_in(const struct fw_context *context, const char *source,
                       const struct fw_program_options *how, size_t wanted)
{
    struct fw_program *program;
    int failed = 0;
    if (fw_program_read(&program, context, source, how))
        return strcmp(last_code, "CMP001") == 0 ? -1 : 1;
    size_t kernels = fw_program_kernel_count(program);
    for (size_t k = 0; k < kernels; k++)
        failed += !count(context, program, fw_program_kernel_name(program, k));
    if (kernels != wanted) {
        printf("FAILED: %zu kernels in %s, not %zu\n", kernels, source, wanted);
        failed++;
    }
    fw_program_free(program);
    return failed;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        size_t kernels;
    } files[] = {{"device_header.cu", 17}, {"parts.cu", 2}};
    if (argc != 3)
        return 2;
    char headers[4096];
    snprintf(headers, sizeof(headers), "%s/data/compile", argv[2]);
    struct fw_context_options options = {
        .size = sizeof(options), .headers = headers, .message = hear};
    struct fw_program_options how = {
        .size = sizeof(how), .compiler = argv[1], .compile_seconds = 300, .ptxas = FW_PTXAS_NEVER};
    struct fw_context *context;
    if (fw_context_new(&context, &options))
        return 3;
    int failed = 0;
    for (size_t f = 0; f < sizeof(files) / sizeof(files[0]) && failed >= 0; f++) {
        char source[4096];
        snprintf(source, sizeof(source), "%s/tests/property/%s", argv[2], files[f].name);
        int more = failures_in(context, source, &how, files[f].kernels);
        failed = more < 0 ? more : failed + more;
    }
    fw_context_free(context);
    if (failed < 0)
        printf("SKIPPED: there is no %s\n", argv[1]);
    return failed < 0 ? 77 : failed ? 1 : 0;
}
