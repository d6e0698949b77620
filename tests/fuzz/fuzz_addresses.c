/* Any bytes are read as address expressions or refused with a diagnostic; what is read can be bound
 * to a grid that covers its domain, its addresses checked and its executions counted. */
#include "address_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void count(void *user, const struct fw_diagnostic *diagnostic)
{
    struct fw_arena *arena = fw_arena_new(0);
    if (diagnostic->severity == FW_ERROR)
        ++*(unsigned *)user;
    fw_diagnostic_render(arena, diagnostic);
    fw_arena_free(arena);
}

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    abort();
}

static void bind(const struct fw_address_kernel *kernel, struct fw_arena *arena,
                 const struct fw_sink *sink, const unsigned *errors)
{
    struct fw_launch *launch = fw_launch_new(arena, kernel->record);
    struct fw_bound *bound = fw_bound_new(kernel->record);
    jmp_buf full;
    for (int d = 0; d < 3; d++)
        launch->block[d] = kernel->block[0] ? kernel->block[d] : d ? 1 : 32;
    for (uint32_t p = 0; p < kernel->record->parameter_count; p++) {
        launch->is_bound[p] = kernel->is_size[p];
        launch->integers[p] = kernel->usual[p];
    }
    fw_arena_on_exhausted(fw_bound_arena(bound), &full);
    if (setjmp(full) == 0) {
        bool fits = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2] <= 1024;
        enum fw_status status =
            fits ? fw_address_grid(launch->grid, kernel, bound, launch, sink) : FW_ERROR_USAGE;
        if (status == FW_ERROR_INPUT && *errors == 0)
            fail("a grid was refused without a diagnostic");
        if (status == FW_OK && fw_bound_set(bound, launch) == FW_OK &&
            fw_address_spread(kernel, bound, launch, sink) == FW_OK &&
            fw_address_check(kernel, bound, launch, sink) == FW_OK)
            for (uint32_t a = 0; a < kernel->record->access_count && a < 8; a++)
                fw_bound_count(bound, kernel->record->accesses[a].domain);
    }
    fw_bound_free(bound);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fw_arena *arena = fw_arena_new((size_t)256 << 20);
    unsigned errors = 0;
    const struct fw_sink sink = {count, &errors};
    struct fw_source source = {"fuzz", fw_arena_text(arena, (const char *)data, size), size};
    struct fw_address_kernel *kernel;
    if (memchr(data, 0, size)) { /* the API lets no zero byte through */
        fw_arena_free(arena);
        return 0;
    }
    enum fw_status status = fw_address_read(&kernel, arena, &source, NULL, &sink);
    if (status != FW_ERROR_MEMORY &&
        ((status == FW_OK) != (errors == 0) || (kernel != NULL) != (status == FW_OK)))
        fail("status and diagnostics do not agree");
    if (kernel)
        bind(kernel, arena, &sink, &errors);
    fw_arena_free(arena);
    return 0;
}
