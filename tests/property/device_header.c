/* Everything that forewarp's own headers for clang have is used in device_header.cu: each of its
 * kernels compiles without a CUDA toolkit, and with one, and can be counted.
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

int main(int argc, char **argv)
{
    enum { KERNELS = 16 };
    if (argc != 3)
        return 2;
    char headers[4096], source[4096];
    snprintf(headers, sizeof(headers), "%s/data/compile", argv[2]);
    snprintf(source, sizeof(source), "%s/tests/property/device_header.cu", argv[2]);
    struct fw_context_options options = {
        .size = sizeof(options), .headers = headers, .message = hear};
    struct fw_program_options how = {
        .size = sizeof(how), .compiler = argv[1], .compile_seconds = 300, .ptxas = FW_PTXAS_NEVER};
    struct fw_context *context;
    struct fw_program *program;
    if (fw_context_new(&context, &options))
        return 3;
    enum fw_status status = fw_program_read(&program, context, source, &how);
    int failed = 0;
    if (status) {
        fw_context_free(context);
        bool missing = strcmp(last_code, "CMP001") == 0;
        if (missing)
            printf("SKIPPED: there is no %s\n", argv[1]);
        return missing ? 77 : 1;
    }
    size_t kernels = fw_program_kernel_count(program);
    for (size_t k = 0; k < kernels; k++)
        failed += !count(context, program, fw_program_kernel_name(program, k));
    if (kernels != KERNELS) {
        printf("FAILED: %zu kernels, not %d\n", kernels, KERNELS);
        failed++;
    }
    fw_program_free(program);
    fw_context_free(context);
    return failed ? 1 : 0;
}
