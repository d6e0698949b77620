/* Any bytes are read as PTX or refused with a diagnostic; what is read and printed reads as itself.
 */
#include "ptx_reader.h"

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

static void check_printing(const struct fw_module *module)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_module *again;
    const char *printed = fw_module_text(arena, module);
    struct fw_source source = {"printed", printed, strlen(printed)};
    if (fw_ptx_read(&again, arena, &source, NULL) != FW_OK)
        fail("what is printed cannot be read");
    if (strcmp(fw_module_text(arena, again), printed) != 0)
        fail("what is printed does not read as itself");
    fw_arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fw_arena *arena = fw_arena_new((size_t)64 << 20);
    struct fw_source source = {"fuzz", fw_arena_text(arena, (const char *)data, size), size};
    unsigned errors = 0;
    const struct fw_sink sink = {count, &errors};
    struct fw_module *module;
    enum fw_status status = fw_ptx_read(&module, arena, &source, &sink);
    if ((status == FW_OK) != (errors == 0) || errors > 10 || (module != NULL) != (status == FW_OK))
        fail("status and diagnostics do not agree");
    if (module)
        check_printing(module);
    fw_arena_free(arena);
    return 0;
}
