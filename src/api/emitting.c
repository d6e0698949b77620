/* Kernel-language programs as text: generated code, or the program itself after its
 * transformations. */
#include "api_check.h"
#include "input.h"
#include "emit.h"
#include "json_writer.h"
#include "knl_reader.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

struct emitting {
    struct fw_program *program;
    const char *name;
    struct fw_emit_settings settings;
    struct fw_arena *arena;
    struct fw_poly *poly;
    struct fw_loop_program *loops;
    char *text; /* result */
};

/* "n=1024": the parameter has this value. */
static enum fw_status fix(struct emitting *work, const char *binding)
{
    const struct fw_context *context = work->program->context;
    size_t length = strcspn(binding, "=");
    char *name = fw_arena_text(work->arena, binding, length);
    int64_t value = 0;
    bool known = false;
    if (!binding[length] || !fw_text_integer(binding + length + 1, true, &value)) {
        fw_session_error(context, "API020", "-s %s: a parameter's value is a whole number",
                         binding);
        return FW_ERROR_USAGE;
    }
    for (size_t p = 0; p < work->loops->parameters.count; p++)
        known |= strcmp(work->loops->parameters.at[p], name) == 0;
    if (!known) {
        fw_session_error(context, "API020", "-s %s: the kernel has no such parameter", binding);
        return FW_ERROR_USAGE;
    }
    return fw_loop_fix(work->loops, name, value, (struct fw_span){0});
}

static enum fw_status read_and_change(struct emitting *work)
{
    const struct fw_program *program = work->program;
    const struct fw_emit_settings *settings = &work->settings;
    const char *name;
    enum fw_status status = fw_session_kernel_name(&name, program, work->name);
    if (!status)
        status = fw_session_loop_read(&work->loops, work->arena, work->poly, program, name,
                                      &program->context->sink);
    if (!status && work->loops->statements.count == 0) {
        fw_session_file_error(program, "API005", "there is no kernel: no statement");
        status = FW_ERROR_INPUT;
    }
    if (!status)
        status = fw_loop_check(work->loops, 0);
    for (size_t b = 0; b < settings->binding_count && !status; b++)
        status = fix(work, settings->bindings[b]);
    if (!status && settings->strip)
        status = fw_loop_strip(work->loops, settings->removed, (uint32_t)settings->removed_count,
                               (struct fw_span){0});
    return status;
}

/* ---- JSON ---- */

static void add_arguments(struct fw_json_writer *json, const struct fw_emission *emission)
{
    fw_json_array(json, "arguments");
    for (size_t a = 0; a < emission->arguments.count; a++) {
        const struct fw_emit_argument *argument = &emission->arguments.at[a];
        fw_json_object(json, NULL);
        fw_json_text(json, "name", argument->name);
        fw_json_text(json, "type", fw_type_text(argument->type));
        fw_json_boolean(json, "pointer", argument->array);
        fw_json_boolean(json, "stored", argument->stored);
        fw_json_object_end(json);
    }
    fw_json_array_end(json);
}

static void add_launch(struct fw_json_writer *json, const struct fw_emission *emission)
{
    fw_json_array(json, "grid");
    for (unsigned a = 0; a < FW_LOOP_AXES; a++)
        fw_json_text(json, NULL, fw_emission_extent(emission, FW_LOOP_OF_BLOCKS, a));
    fw_json_array_end(json);
    fw_json_array(json, "block");
    for (unsigned a = 0; a < FW_LOOP_AXES; a++)
        fw_json_integer(json, NULL, atoll(fw_emission_extent(emission, FW_LOOP_OF_THREADS, a)));
    fw_json_array_end(json);
    fw_json_integer(json, "shared_bytes", (int64_t)emission->shared_bytes);
}

/* `emission` NULL: the kernel language. */
static const char *as_json(struct emitting *work, const struct fw_emission *emission,
                           const char *code)
{
    struct fw_buffer out = fw_buffer_new(work->arena);
    struct fw_json_writer json = fw_json_writer_new(&out);
    fw_json_object(&json, NULL);
    fw_json_text(&json, "forewarp", fw_version());
    fw_json_integer(&json, "format", FW_REPORT_FORMAT);
    fw_json_text(&json, "kernel", work->loops->name ? work->loops->name : "kernel");
    fw_json_text(&json, "file", work->program->file);
    fw_json_text(&json, "target", work->settings.target);
    if (emission) {
        add_launch(&json, emission);
        add_arguments(&json, emission);
    }
    fw_json_text(&json, "text", code);
    fw_json_object_end(&json);
    fw_buffer_printf(&out, "\n");
    return out.text;
}

/* ---- all ---- */

static enum fw_status emit(void *user)
{
    struct emitting *work = user;
    struct fw_emission *emission = NULL;
    enum fw_emit_target target = FW_EMIT_C;
    bool own = strcmp(work->settings.target, "knl") == 0;
    if (!own && !fw_emit_target_read(&target, work->settings.target)) {
        fw_session_error(work->program->context, "API024",
                         "there is no target %s; there are opencl, cuda, c and knl",
                         work->settings.target);
        return FW_ERROR_USAGE;
    }
    enum fw_status status = read_and_change(work);
    if (!status && !own)
        status = fw_emit(&emission, work->loops, target);
    if (status)
        return status;
    const char *code = own ? fw_emit_knl(work->loops) : emission->text;
    work->text = fw_session_text(work->settings.json ? as_json(work, emission, code) : code);
    return work->text ? FW_OK : FW_ERROR_MEMORY;
}

enum fw_status fw_program_emit(char **text, struct fw_program *program, const char *name,
                               const struct fw_emit_settings *settings)
{
    const struct fw_context *context = program ? program->context : NULL;
    struct emitting work = {.program = program, .name = name};
    struct api_check check = api_check_begin(context, __func__);
    enum fw_status status = FW_ERROR_MEMORY;
    if (text)
        *text = NULL;
    api_check_pointer(&check, text, "the result");
    api_check_optional(&check, name, "the kernel's name");
    api_check_size(&check, settings, "the settings");
    fw_session_options(&work.settings, sizeof(work.settings), settings);
    api_check_optional(&check, work.settings.target, "target");
    api_check_texts(&check, work.settings.bindings, work.settings.binding_count, "bindings");
    api_check_texts(&check, work.settings.removed, work.settings.removed_count, "removed");
    if (check.status)
        return check.status;
    if (!work.settings.target)
        work.settings.target = work.settings.strip ? "knl" : "opencl";
    if (program->input->language != FW_PROGRAM_LOOPS) {
        fw_session_file_error(program, "API022",
                              "this is not the kernel language (.knl): there is nothing to "
                              "generate code from");
        return FW_ERROR_USAGE;
    }
    const struct fw_session_limit limit = {.doing = "generating code", .source = &program->source};
    work.arena = fw_arena_new(context->memory);
    work.poly = fw_poly_new();
    if (work.arena && work.poly)
        status = fw_session_guard_within(context, &limit, work.arena, program->arena, emit, &work);
    fw_poly_free(work.poly);
    fw_arena_free(work.arena);
    *text = work.text;
    return status;
}
