/* PTX, and CUDA C++ and OpenCL C, which compilers make into it. */
#include "deadline.h"
#include "input.h"
#include "pipeline.h"
#include "ptx_reader.h"
#include "passes.h"
#include "record.h"

#include <string.h>

enum { COMPILE_SECONDS = 60 };

/* ---- reading ---- */

static enum fw_status compile(struct fw_input_reading *reading)
{
    struct fw_program *program = reading->program;
    const struct fw_context *context = program->context;
    const struct fw_program_options *options = &reading->options;
    bool is_cuda = program->input->language == FW_PROGRAM_CUDA;
    struct fw_compile_options how = {
        .language = is_cuda ? FW_LANGUAGE_CUDA : FW_LANGUAGE_OPENCL,
        .defines = options->defines,
        .define_count = options->define_count,
        .includes = options->includes,
        .include_count = options->include_count,
        .standard = options->standard,
        .target = options->target,
        .compiler = options->compiler,
        .data = context->headers,
        .cache = context->cache,
        .seconds = fw_deadline_child_seconds(options->compile_seconds ? options->compile_seconds
                                                                      : COMPILE_SECONDS)};
    const char *name = reading->text ? program->file : reading->path;
    struct fw_compile_input input = {name, reading->text, reading->length};
    program->compiled = FW_NEW(program->arena, struct fw_compiled);
    int64_t since = fw_deadline_pause();
    enum fw_status status = fw_session_find_compiler(&how.found, context, &how);
    if (!status)
        status = fw_compile(program->compiled, program->arena, &input, &how, &context->sink);
    fw_deadline_resume(since);
    fw_deadline_check(program->arena);
    if (status)
        return status;
    if (reading->text)
        program->compiled_name = is_cuda ? FW_COMPILE_TEXT_CUDA : FW_COMPILE_TEXT_OPENCL;
    program->source =
        (struct fw_source){fw_arena_printf(program->arena, "%s (as PTX)", program->file),
                           program->compiled->ptx, program->compiled->ptx_length};
    return FW_OK;
}

/* The kernels of the program's PTX, by name; each is made when it is asked for. */
static enum fw_status read_module(struct fw_program *program)
{
    enum fw_status status =
        fw_ptx_read(&program->module, program->arena, &program->source, &program->context->sink);
    if (status)
        return status;
    const struct fw_module *module = program->module;
    program->kernels = FW_ARRAY(program->arena, struct program_kernel, module->function_count + 1);
    for (uint32_t f = 0; f < module->function_count; f++)
        if (module->functions[f]->is_entry && module->functions[f]->has_body)
            program->kernels[program->kernel_count++] = (struct program_kernel){
                .function = module->functions[f], .name = module->functions[f]->name};
    return FW_OK;
}

static enum fw_status read_compiled(struct fw_input_reading *reading)
{
    enum fw_status status = compile(reading);
    return status ? status : read_module(reading->program);
}

static enum fw_status read_ptx(struct fw_input_reading *reading)
{
    struct fw_program *program = reading->program;
    enum fw_status status = read_module(program);
    if (!status && reading->from_file)
        fw_session_read_triton(program, reading->path);
    return status;
}

/* ---- kernels ---- */

static enum fw_status prepare(const struct fw_program *program, struct program_kernel *kernel)
{
    struct fw_function *function = kernel->function;
    struct fw_arena *arena = program->arena;
    if (kernel->prepared)
        return FW_OK;
    enum fw_status status =
        fw_ir_prepare(arena, function, FW_IR_MOST_INSTRUCTIONS, &program->context->sink);
    kernel->prepared = !status;
    return status;
}

/* A parameter's parts, with the whole argument's name in front. */
static struct fw_record_members members_of(struct fw_arena *arena,
                                           const struct fw_signature_parameter *parameter)
{
    const size_t count = parameter->members.parts.count;
    struct fw_record_member *at = FW_ARRAY(arena, struct fw_record_member, count + 1);
    for (size_t m = 0; m < count; m++) {
        const struct fw_member *member = &parameter->members.parts.at[m];
        at[m] =
            (struct fw_record_member){fw_arena_printf(arena, "%s%s", parameter->name, member->name),
                                      member->offset, member->bytes};
    }
    return (struct fw_record_members){at, (uint32_t)count, parameter->members.bytes};
}

/* What PTX lost of a compiler's source: the names of arguments and of their parts, and the block
 * that OpenCL's reqd_work_group_size requires. */
static void use_signature(const struct fw_program *program, struct fw_function *function,
                          struct fw_record_options *options)
{
    if (!program->compiled)
        return;
    const struct fw_signature *signature = fw_signature_find(
        &program->compiled->signatures, function->name, function->parameter_count);
    if (!signature)
        return;
    if (!function->required_threads[0])
        memcpy(function->required_threads, signature->block, sizeof(signature->block));
    const char **names = FW_ARRAY(program->arena, const char *, signature->parameters.count + 1);
    struct fw_record_members *members =
        FW_ARRAY(program->arena, struct fw_record_members, signature->parameters.count + 1);
    for (size_t p = 0; p < signature->parameters.count; p++) {
        const struct fw_signature_parameter *parameter = &signature->parameters.at[p];
        names[p] = *parameter->name ? parameter->name : NULL;
        if (names[p] && parameter->members.bytes)
            members[p] = members_of(program->arena, parameter);
    }
    options->names = names;
    options->members = members;
    options->name_count = (uint32_t)signature->parameters.count;
}

static enum fw_status make(struct fw_program *program, struct program_kernel *kernel)
{
    struct fw_record_options options = {.capability = program->capability};
    struct fw_kernel *record;
    enum fw_status status = prepare(program, kernel);
    if (status)
        return status;
    use_signature(program, kernel->function, &options);
    if (program->usual_kernel == kernel->function->name) {
        options.box_bytes = program->box_bytes;
        options.box_count = program->box_count;
    }
    status = fw_record_build(&record, program->arena, kernel->function, &options,
                             &program->context->sink);
    if (status)
        return status;
    fw_session_resources(program, record);
    kernel->record = record;
    return FW_OK;
}

/* ---- dumps ---- */

static char *dump(struct fw_arena *arena, const struct fw_program *program,
                  const struct program_kernel *kernel, const char *what)
{
    char *text = strcmp(what, "ptx") == 0 ? fw_module_text(arena, program->module)
                                          : fw_input_dump_record(arena, kernel->record, what);
    return text ? text : fw_passes_dump(arena, kernel->function, what);
}

/* ---- questions ---- */

static enum fw_status begin(struct fw_worker *worker, bool grid_needed)
{
    enum fw_status status = fw_input_check_block(worker);
    if (!status)
        status = fw_input_bind_launch(worker, grid_needed);
    if (!status)
        fw_input_begin_answer(worker);
    return status;
}

static enum fw_status emulate(struct fw_worker *worker)
{
    enum fw_status status = begin(worker, true);
    return status ? status : fw_session_emulate(worker, &worker->emulation);
}

#define QUESTIONS                                                                                  \
    .dumps = "cfg, ssa, loops, uniformity, record, domains, ptx", .make = make, .dump = dump,      \
    .begin = begin, .count = fw_input_count, .predict = fw_input_predict, .emulate = emulate,      \
    .features = fw_input_features, .trace = fw_input_trace

const struct fw_input fw_input_ptx = {
    .language = FW_PROGRAM_PTX, .name = "ptx", .suffix = ".ptx", .read = read_ptx, QUESTIONS};

const struct fw_input fw_input_cuda = {.language = FW_PROGRAM_CUDA,
                                       .name = "cuda",
                                       .suffix = ".cu",
                                       .compiled = true,
                                       .has_defines = true,
                                       .read = read_compiled,
                                       QUESTIONS};

const struct fw_input fw_input_opencl = {.language = FW_PROGRAM_OPENCL,
                                         .name = "opencl",
                                         .suffix = ".cl",
                                         .compiled = true,
                                         .has_defines = true,
                                         .read = read_compiled,
                                         QUESTIONS};
