#include "emulate_harness.h"

#include "pipeline.h"
#include "ptx_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void report(void *user, const struct fw_diagnostic *diagnostic)
{
    struct harness *harness = user;
    if (diagnostic->severity == FW_ERROR) {
        snprintf(harness->code, sizeof harness->code, "%s", diagnostic->code);
        snprintf(harness->message, sizeof harness->message, "%s", diagnostic->message);
    }
    if (!harness->loud)
        return;
    struct fw_arena *arena = fw_arena_new(0);
    fputs(fw_diagnostic_render(arena, diagnostic), stderr);
    fw_arena_free(arena);
}

static void read_module(struct harness *harness, const char *name, const char *text, size_t length)
{
    struct fw_source *source = FW_NEW(harness->arena, struct fw_source);
    *source = (struct fw_source){name, text, length};
    harness->loud = true;
    assert_int_equal(fw_ptx_read(&harness->module, harness->arena, source, &harness->sink), FW_OK);
    for (uint32_t i = 0; i < harness->module->function_count; i++) {
        struct fw_function *function = harness->module->functions[i];
        if (!function->is_entry || !function->has_body)
            continue;
        assert_int_equal(
            fw_ir_prepare(harness->arena, function, FW_IR_MOST_INSTRUCTIONS, &harness->sink),
            FW_OK);
    }
}

void harness_text(struct harness *harness, const char *text)
{
    memset(harness, 0, sizeof *harness);
    harness->arena = fw_arena_new(0);
    harness->sink = (struct fw_sink){report, harness};
    read_module(harness, "test.ptx", fw_arena_text(harness->arena, text, strlen(text)),
                strlen(text));
}

void harness_file(struct harness *harness, const char *path)
{
    const char *root = getenv("FOREWARP_SOURCE");
    memset(harness, 0, sizeof *harness);
    harness->arena = fw_arena_new(0);
    harness->sink = (struct fw_sink){report, harness};
    FILE *file = fopen(fw_arena_printf(harness->arena, "%s/%s", root ? root : ".", path), "rb");
    assert_non_null(file);
    char *text = fw_arena_alloc(harness->arena, 1 << 22);
    const size_t length = fread(text, 1, (1 << 22) - 1, file);
    fclose(file);
    read_module(harness, path, text, length);
}

enum fw_status harness_launch(struct harness *harness, const char *name, const uint32_t grid[3],
                              const uint32_t block[3], uint64_t shared,
                              const char *const *arguments,
                              const struct fw_emulate_options *options)
{
    const struct fw_function *function = fw_module_kernel(harness->module, name);
    struct fw_emulate_launch launch = {.dynamic_shared = shared};
    struct fw_emulate_argument parsed[16];
    assert_non_null(function);
    memcpy(launch.grid, grid, sizeof launch.grid);
    memcpy(launch.block, block, sizeof launch.block);
    for (size_t i = 0; arguments && arguments[i]; i++) {
        const enum fw_status status =
            fw_emulate_argument_parse(&parsed[i], harness->arena, arguments[i], &harness->sink);
        if (status)
            return status;
        launch.argument_count++;
    }
    launch.arguments = parsed;
    harness->code[0] = harness->message[0] = '\0';
    return fw_emulation_new(&harness->emulation, function, &launch, options, &harness->sink);
}

enum fw_status harness_go(struct harness *harness)
{
    return fw_emulation_run(&harness->result, harness->emulation);
}

enum fw_status harness_run(struct harness *harness, const char *name, const uint32_t grid[3],
                           const uint32_t block[3], uint64_t shared, const char *const *arguments,
                           const struct fw_emulate_options *options)
{
    const enum fw_status status =
        harness_launch(harness, name, grid, block, shared, arguments, options);
    return status ? status : harness_go(harness);
}

void *harness_memory(struct harness *harness, uint32_t index)
{
    size_t count;
    const struct fw_emulate_buffer *buffers = fw_emulation_buffers(harness->emulation, &count);
    for (size_t i = 0; i < count; i++)
        if (buffers[i].parameter == index)
            return buffers[i].memory;
    fail_msg("parameter %u has no buffer", index);
    return NULL;
}

void harness_end_launch(struct harness *harness)
{
    fw_emulation_free(harness->emulation);
    harness->emulation = NULL;
}

void harness_free(struct harness *harness)
{
    harness_end_launch(harness);
    fw_arena_free(harness->arena);
}
