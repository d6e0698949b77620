/* Programs: a source read once, and its kernels made when they are asked for. */
#include "fatbin_reader.h"
#include "input.h"
#include "signature.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LISTED = 40 };

static enum fw_status find_input(struct fw_input_reading *reading)
{
    struct fw_program *program = reading->program;
    program->input = fw_input_find(reading->options.language, reading->path);
    if (!program->input && !reading->text && fw_session_is_fatbin(reading->path))
        program->input = fw_input_find(FW_PROGRAM_PTX, "");
    if (program->input)
        return FW_OK;
    fw_session_file_error(program, "API004",
                          "the language is not known by the suffix (.ptx, .cu, .cl, .knl, .json "
                          "or .fatbin): state it with -x");
    return FW_ERROR_USAGE;
}

static enum fw_status refuse_defines(const struct fw_input_reading *reading)
{
    if (!reading->options.define_count || reading->program->input->has_defines)
        return FW_OK;
    fw_session_file_error(reading->program, "API023",
                          "-D%s: there are no macros and no constants here: -D is for sources "
                          "that are compiled (.cu, .cl) and for the kernel language (.knl)",
                          reading->options.defines[0]);
    return FW_ERROR_USAGE;
}

/* The text, unless a compiler reads the file by itself. */
static enum fw_status read_text(struct fw_input_reading *reading)
{
    struct fw_program *program = reading->program;
    const struct fw_context *context = program->context;
    bool from_file = !reading->text && strcmp(reading->path, "-") != 0;
    bool by_compiler = program->input->compiled && from_file;
    struct fw_source source = {program->file, reading->text, reading->length};
    enum fw_status status = FW_OK;
    if (by_compiler)
        status = fw_session_check_file(&by_compiler, context, reading->path);
    if (status || by_compiler)
        return status;
    if (!reading->text)
        status = fw_session_read_bytes(&source, program->arena, context, reading->path);
    if (!status && program->input->language == FW_PROGRAM_PTX &&
        fw_fatbin_begins(source.text, source.length)) {
        const struct fw_source file = source;
        status = fw_fatbin_ptx(&source, program->arena, &file, program->capability, &context->sink);
        reading->name = source.name;
    }
    /* The runtime compiler's PTX ends with the zero byte of C, and Warp writes it into the file. */
    while (!status && source.length && source.text[source.length - 1] == '\0')
        source.length--;
    if (!status)
        status = fw_session_take_text(context, &source);
    reading->from_file = from_file;
    reading->text = source.text;
    reading->length = source.length;
    return status;
}

static enum fw_status read_program(void *user)
{
    struct fw_input_reading *reading = user;
    enum fw_status status = find_input(reading);
    if (!status)
        status = refuse_defines(reading);
    if (!status)
        status = read_text(reading);
    if (status)
        return status;
    reading->program->source = (struct fw_source){
        reading->name ? reading->name : reading->program->file, reading->text, reading->length};
    return reading->program->input->read(reading);
}

static enum fw_status make_program(struct fw_program **program, const struct fw_context *context,
                                   struct fw_input_reading *reading,
                                   const struct fw_program_options *options)
{
    struct fw_arena *arena = fw_arena_new(context->memory);
    jmp_buf full;
    *program = NULL;
    if (!arena)
        return FW_ERROR_MEMORY;
    fw_arena_on_exhausted(arena, &full);
    if (setjmp(full)) {
        fw_arena_free(arena);
        return FW_ERROR_MEMORY;
    }
    struct fw_program *made = FW_NEW(arena, struct fw_program);
    made->arena = arena;
    made->context = context;
    made->file = strcmp(reading->path, "-") == 0
                     ? "<standard input>"
                     : fw_arena_text(arena, reading->path, strlen(reading->path));
    if (reading->text)
        reading->text = fw_arena_text(arena, reading->text, reading->length);
    fw_arena_on_exhausted(arena, NULL);
    reading->program = made;
    fw_session_options(&reading->options, sizeof(reading->options), options);
    made->capability = reading->options.capability;
    made->ptxas = reading->options.ptxas;
    memcpy(made->coarsening, reading->options.coarsening, sizeof(made->coarsening));
    made->assemble_seconds = reading->options.compile_seconds;
    const struct fw_session_limit limit = {.doing = "reading", .source = &made->source};
    enum fw_status status =
        fw_session_guard_within(context, &limit, arena, NULL, read_program, reading);
    if (status)
        fw_arena_free(arena);
    else
        *program = made;
    return status;
}

enum fw_status fw_session_program_read(struct fw_program **program,
                                       const struct fw_context *context, const char *path,
                                       const struct fw_program_options *options)
{
    struct fw_input_reading reading = {.path = path};
    return make_program(program, context, &reading, options);
}

enum fw_status fw_session_program_parse(struct fw_program **program,
                                        const struct fw_context *context, const char *name,
                                        const char *text, size_t length,
                                        const struct fw_program_options *options)
{
    struct fw_input_reading reading = {.path = name, .text = text, .length = length};
    return make_program(program, context, &reading, options);
}

void fw_session_program_free(struct fw_program *program)
{
    if (!program)
        return;
    if (program->input->forget)
        program->input->forget(program);
    fw_arena_free(program->arena);
}

void fw_input_keep_options(struct fw_program *program, const struct fw_program_options *options)
{
    const char *standard = options->standard, *compiler = options->compiler;
    const char **defines = FW_ARRAY(program->arena, const char *, options->define_count + 1);
    for (size_t d = 0; d < options->define_count; d++)
        defines[d] =
            fw_arena_text(program->arena, options->defines[d], strlen(options->defines[d]));
    program->compile = (struct fw_program_options){
        .standard = standard ? fw_arena_text(program->arena, standard, strlen(standard)) : NULL,
        .compiler = compiler ? fw_arena_text(program->arena, compiler, strlen(compiler)) : NULL,
        .target = options->target,
        .defines = defines,
        .define_count = options->define_count,
        .compile_seconds = options->compile_seconds,
        .capability = options->capability};
}

/* ---- kernels ---- */

/* The source's name inside a PTX name. */
static const char *source_name(const struct fw_program *program, const char *entry)
{
    size_t length;
    const char *base = fw_signature_base(entry, &length);
    return fw_arena_text(program->arena, base, length);
}

static void report_kernels(const struct fw_program *program, const char *code, const char *nearest,
                           const char *sentence)
{
    const char *notes[MOST_LISTED + 2];
    size_t count = 0;
    if (nearest)
        notes[count++] = fw_arena_printf(program->arena, "did you mean %s?", nearest);
    for (size_t k = 0; k < program->kernel_count && k < MOST_LISTED; k++) {
        const char *entry = program->kernels[k].name;
        const char *name = source_name(program, entry);
        const char *full = fw_session_full_name(program->arena, entry);
        notes[count++] =
            strcmp(name, entry) == 0
                ? fw_arena_printf(program->arena, "kernel %s", entry)
                : fw_arena_printf(program->arena, "kernel %s (%s)", full ? full : name, entry);
    }
    if (program->kernel_count > MOST_LISTED)
        notes[count++] =
            fw_arena_printf(program->arena, "and %zu more", program->kernel_count - MOST_LISTED);
    const struct fw_source whole = {program->file, "", 0};
    fw_report_notes(&program->context->sink, FW_ERROR, code, fw_span_of_source(&whole), notes,
                    count, "%s", sentence);
}

static enum fw_status no_such_kernel(const struct fw_program *program, const char *name,
                                     unsigned matches)
{
    const char *nearest = NULL;
    unsigned least = 7;
    for (size_t k = 0; k < program->kernel_count && !matches; k++) {
        const char *candidate = source_name(program, program->kernels[k].name);
        unsigned distance = fw_text_unlikeness(name, candidate, least);
        if (distance < least) {
            least = distance;
            nearest = candidate;
        }
    }
    const char *hint = matches ? NULL : fw_session_template_hint(program, name);
    report_kernels(program, "API006", nearest,
                   fw_arena_printf(program->arena,
                                   matches ? "several kernels are called %s: give the whole name"
                                   : hint  ? "there is no kernel called %s: %s"
                                           : "there is no kernel called %s",
                                   name, hint));
    return FW_ERROR_USAGE;
}

static enum fw_status choose(struct program_kernel **kernel, const struct fw_program *program,
                             const char *name)
{
    unsigned matches = 0;
    *kernel = NULL;
    if (program->kernel_count == 0) {
        const char *hint = fw_session_template_hint(program, name);
        fw_session_file_error(program, "API005", "there is no kernel%s%s", hint ? ": " : "",
                              program->input->language == FW_PROGRAM_PTX ? ": no .entry with a body"
                              : hint                                     ? hint
                                                                         : "");
        return FW_ERROR_INPUT;
    }
    if (!name)
        name = program->usual_kernel;
    if (!name && program->kernel_count > 1) {
        report_kernels(program, "API006", NULL,
                       fw_arena_printf(program->arena, "there are %zu kernels: name one with -k",
                                       program->kernel_count));
        return FW_ERROR_USAGE;
    }
    for (size_t k = 0; k < program->kernel_count; k++) {
        struct program_kernel *candidate = &program->kernels[k];
        if (!name || strcmp(candidate->name, name) == 0) {
            *kernel = candidate;
            return FW_OK;
        }
        if (strcmp(source_name(program, candidate->name), name) == 0 ||
            fw_session_is_called(program->arena, candidate->name, name)) {
            matches++;
            *kernel = candidate;
        }
    }
    return matches == 1 ? FW_OK : no_such_kernel(program, name, matches);
}

enum fw_status fw_session_kernel_name(const char **found, const struct fw_program *program,
                                      const char *name)
{
    struct program_kernel *kernel;
    enum fw_status status = choose(&kernel, program, name);
    *found = kernel ? kernel->name : NULL;
    return status;
}

static void describe(const struct fw_program *program, struct program_kernel *kernel)
{
    const struct fw_kernel *record = kernel->record;
    const struct fw_kernel_row before = kernel->row; /* the kernel language's constants */
    struct fw_argument_row *arguments =
        FW_ARRAY(program->arena, struct fw_argument_row, record->parameter_count + 1);
    for (uint32_t p = 0; p < record->parameter_count; p++) {
        const struct fw_parameter *from = &record->parameters[p];
        arguments[p] = (struct fw_argument_row){.name = from->name,
                                                .type = fw_type_text(from->type),
                                                .position = from->position,
                                                .bytes = from->bytes,
                                                .is_pointer = from->is_pointer,
                                                .is_float = fw_type_class(from->type) == 'f',
                                                .alignment = from->alignment};
    }
    kernel->row = (struct fw_kernel_row){.name = source_name(program, record->name),
                                         .entry = record->name,
                                         .file = program->file,
                                         .language = program->input->name,
                                         .layer = record->layer,
                                         .target = program->module ? program->module->target : NULL,
                                         .registers = record->resources.registers,
                                         .registers_source = record->resources.registers_source,
                                         .static_shared = record->resources.static_shared,
                                         .dynamic_shared = record->resources.dynamic_shared,
                                         .local_bytes = record->resources.local_bytes,
                                         .assembler = record->resources.assembler,
                                         .stack_bytes = record->resources.stack_bytes,
                                         .spill_store_bytes = record->resources.spill_store_bytes,
                                         .spill_load_bytes = record->resources.spill_load_bytes,
                                         .arguments = arguments,
                                         .argument_count = record->parameter_count};
    kernel->row.constants = before.constants;
    kernel->row.constant_count = before.constant_count;
    memcpy(kernel->row.required_block, record->required_block, sizeof(record->required_block));
    memcpy(kernel->row.max_block, record->max_block, sizeof(record->max_block));
    if (program->compiled) {
        kernel->row.compiler = program->compiled->compiler;
        kernel->row.command = program->compiled->command;
        kernel->row.confinement = program->compiled->confinement;
    }
}

struct asking {
    struct fw_program *program;
    const char *name;
    const char *what;
    struct program_kernel *kernel;
    char *text;
};

static enum fw_status make_kernel(void *user)
{
    struct asking *asking = user;
    struct fw_program *program = asking->program;
    enum fw_status status = choose(&asking->kernel, program, asking->name);
    if (status || asking->kernel->record)
        return status;
    status = program->input->make(program, asking->kernel);
    if (!status)
        describe(program, asking->kernel);
    return status;
}

enum fw_status fw_session_program_kernel(const struct fw_kernel **kernel,
                                         struct fw_program *program, const char *name)
{
    struct asking asking = {.program = program, .name = name};
    *kernel = NULL;
    const struct fw_session_limit limit = {
        .doing = "analysing the kernel", .source = &program->source, .late = &program->late};
    enum fw_status status = fw_session_guard_within(program->context, &limit, program->arena, NULL,
                                                    make_kernel, &asking);
    if (!status)
        *kernel = asking.kernel->record;
    return status;
}

/* ---- dumps ---- */

static enum fw_status dump(void *user)
{
    struct asking *asking = user;
    struct fw_program *program = asking->program;
    struct fw_buffer shown = fw_buffer_new(program->arena);
    if (!program->input->dump) {
        fw_session_file_error(program, "API007",
                              "this is no PTX: its counts come straight from the domains, and "
                              "there is nothing else to show");
        return FW_ERROR_USAGE;
    }
    bool several = strchr(asking->what, ',') != NULL;
    enum fw_status status = strcmp(asking->what, "ptx") == 0 ? FW_OK : make_kernel(asking);
    if (status)
        return status;
    for (const char *at = asking->what; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char *what = fw_arena_text(program->arena, at, strcspn(at, ","));
        char *text = program->input->dump(program->arena, program, asking->kernel, what);
        if (!text) {
            fw_session_error(program->context, "API007",
                             program->module
                                 ? "nothing called %s can be shown: %s"
                                 : "nothing called %s can be shown of address expressions: %s",
                             what, program->input->dumps);
            return FW_ERROR_USAGE;
        }
        if (several)
            fw_buffer_printf(&shown, "%s== %s\n", at == asking->what ? "" : "\n", what);
        fw_buffer_add(&shown, text, strlen(text));
    }
    asking->text = fw_session_text(shown.text);
    return asking->text ? FW_OK : FW_ERROR_MEMORY;
}

enum fw_status fw_session_program_dump(char **text, struct fw_program *program, const char *name,
                                       const char *what)
{
    struct asking asking = {.program = program, .name = name, .what = what};
    const struct fw_session_limit limit = {
        .doing = "analysing the kernel", .source = &program->source, .late = &program->late};
    enum fw_status status =
        fw_session_guard_within(program->context, &limit, program->arena, NULL, dump, &asking);
    *text = asking.text;
    return status;
}
