/* Kernel-language programs as a kind of input.
 *
 * Each worker reads the text for itself, into its own arena and isl workplace: workers of one
 * program may then be used from several threads, and statistics are gathered when they are first
 * asked for. */
#include "formula.h"
#include "input.h"
#include "loop_space.h"
#include "loop_work.h"

#include <stdatomic.h>
#include <string.h>

/* A kernel as it was read: the first worker takes it over, others read the text for themselves. */
struct loop_source {
    atomic_flag taken;
    struct fw_arena *arena;
    struct fw_poly *poly;
    struct fw_loop_program *program;
};

/* ---- kernels ---- */

static enum fw_status read(struct fw_input_reading *reading)
{
    struct fw_program *program = reading->program;
    fw_input_keep_options(program, &reading->options);
    const char *const *names;
    size_t count;
    enum fw_status status = fw_knl_kernels(&names, &count, program->arena, &program->source);
    if (status)
        return status;
    program->kernels = FW_ARRAY(program->arena, struct program_kernel, count + 1);
    for (size_t k = 0; k < count; k++)
        program->kernels[k].name = names[k];
    program->kernel_count = count ? count : 1;
    if (!count)
        program->kernels[0].name = "kernel";
    return FW_OK;
}

enum fw_status fw_session_loop_read(struct fw_loop_program **loops, struct fw_arena *arena,
                                    struct fw_poly *poly, const struct fw_program *program,
                                    const char *name, const struct fw_sink *sink)
{
    const struct fw_knl_options options = {.name = program->kernel_count > 1 ? name : NULL,
                                           .defines = program->compile.defines,
                                           .define_count = program->compile.define_count};
    return fw_knl_read_with(loops, arena, poly, &program->source, &options, sink);
}

/* The program's texts may go before the record does. */
static const char *kept(struct fw_arena *arena, const char *text)
{
    return fw_arena_text(arena, text, strlen(text));
}

/* Parameters, then arrays that are not the program's own; scalars that are only read are values. */
static void list_arguments(struct fw_kernel *record, struct fw_arena *arena,
                           const struct fw_loop_program *loops)
{
    size_t most = loops->parameters.count + loops->arrays.count;
    struct fw_parameter *to = FW_ARRAY(arena, struct fw_parameter, most + 1);
    uint32_t count = 0;
    for (size_t p = 0; p < loops->parameters.count; p++)
        to[count++] = (struct fw_parameter){
            .name = kept(arena, loops->parameters.at[p]), .type = FW_TYPE_S32, .bytes = 4};
    for (size_t a = 0; a < loops->arrays.count; a++) {
        const struct fw_loop_array *array = &loops->arrays.at[a];
        bool pointer = fw_loop_space(loops, array) != FW_SPACE_PARAM;
        if (!array->temporary)
            to[count++] = (struct fw_parameter){.name = kept(arena, array->name),
                                                .type = array->type,
                                                .bytes = pointer ? 8 : fw_type_bytes(array->type),
                                                .is_pointer = pointer};
    }
    for (uint32_t p = 0; p < count; p++)
        to[p].position = p;
    record->parameters = to;
    record->parameter_count = count;
}

static void list_constants(struct fw_kernel_row *row, struct fw_arena *arena,
                           const struct fw_loop_program *loops)
{
    struct fw_constant_row *to =
        FW_ARRAY(arena, struct fw_constant_row, loops->constants.count + 1);
    for (size_t c = 0; c < loops->constants.count; c++)
        to[c] = (struct fw_constant_row){kept(arena, loops->constants.at[c].name),
                                         loops->constants.at[c].value};
    row->constants = to;
    row->constant_count = loops->constants.count;
}

static enum fw_status make(struct fw_program *program, struct program_kernel *kernel)
{
    struct fw_loop_program *loops;
    if (kernel->loops) /* an attempt before this one failed, and said why */
        return FW_ERROR_INPUT;
    struct loop_source *source = FW_NEW(program->arena, struct loop_source);
    atomic_flag_clear(&source->taken);
    kernel->loops = source;
    source->arena = fw_arena_new(program->context->memory);
    source->poly = fw_poly_new();
    if (!source->arena || !source->poly)
        return FW_ERROR_MEMORY;
    enum fw_status status = fw_session_loop_read(&loops, source->arena, source->poly, program,
                                                 kernel->name, &program->context->sink);
    if (!status && loops->statements.count == 0) {
        fw_session_file_error(program, "API005", "there is no kernel: no statement");
        status = FW_ERROR_INPUT;
    }
    if (!status)
        status = fw_loop_check(loops, 0);
    if (status)
        return status;
    struct fw_kernel *record = FW_NEW(program->arena, struct fw_kernel);
    record->arena = program->arena;
    record->name = kernel->name;
    record->layer = "domain";
    record->file = program->file;
    list_arguments(record, program->arena, loops);
    list_constants(&kernel->row, program->arena, loops);
    source->program = loops;
    kernel->record = record;
    return FW_OK;
}

static void forget(struct fw_program *program)
{
    for (size_t k = 0; k < program->kernel_count; k++) {
        struct loop_source *source = program->kernels[k].loops;
        if (!source || atomic_flag_test_and_set(&source->taken))
            continue;
        fw_poly_free(source->poly);
        fw_arena_free(source->arena);
    }
}

/* ---- workers ---- */

static enum fw_status open(struct fw_worker *worker, const struct program_kernel *kernel)
{
    const struct fw_program *program = worker->program;
    struct loop_work *work = FW_NEW(worker->arena, struct loop_work);
    mpz_init(work->value);
    worker->loops = work;
    uint32_t most = worker->record->parameter_count + 1;
    work->names = FW_ARRAY(worker->arena, const char *, most);
    work->values = FW_ARRAY(worker->arena, int64_t, most);
    enum fw_status status = FW_OK;
    if (!atomic_flag_test_and_set(&kernel->loops->taken)) {
        work->arena = kernel->loops->arena;
        work->poly = kernel->loops->poly;
        work->program = kernel->loops->program;
    } else {
        work->arena = fw_arena_new(program->context->memory);
        work->poly = fw_poly_new();
        if (!work->arena || !work->poly)
            return FW_ERROR_MEMORY;
        status = fw_session_loop_read(&work->program, work->arena, work->poly, program,
                                      kernel->name, &program->context->sink);
    }
    if (!status && work->program->assumptions)
        fw_loop_assumed(&work->assumed, work->program); /* without it, each point is looked at */
    return status;
}

static void close(struct fw_worker *worker)
{
    struct loop_work *work = worker->loops;
    if (!work)
        return;
    fw_session_loop_code_free(work->code);
    for (int s = 0; s < LOOP_COUNTS; s++)
        fw_loop_statistics_free(work->statistics[s]);
    fw_formulas_free(work->formulas);
    fw_set_free(work->assumed_set);
    fw_count_free(work->assumed);
    fw_poly_free(work->poly);
    fw_arena_free(work->arena);
    mpz_clear(work->value);
}

/* ---- questions ---- */

/* A question before may have been given up in the midst of counting. */
static void begin_answer(struct fw_worker *worker)
{
    worker->loops->launch_alone = false;
    worker->loops->warp = 0;
    fw_input_begin_answer(worker);
}

static enum fw_status check_grid(struct fw_worker *worker)
{
    if (worker->answer->grid[0])
        return FW_OK;
    fw_session_error(worker->program->context, "API013",
                     "the grid follows from parameters that are not given (-s NAME=VALUE)");
    return FW_ERROR_USAGE;
}

/* The launch follows from the program and its parameters: nothing is bound. */
static enum fw_status begin(struct fw_worker *worker, bool grid_needed)
{
    begin_answer(worker);
    enum fw_status status = fw_session_loop_launch(worker);
    return status || !grid_needed ? status : check_grid(worker);
}

static enum fw_status count(struct fw_worker *worker)
{
    enum fw_status status = begin(worker, false);
    return status ? status : fw_session_loop_count(worker);
}

static enum fw_status predict(struct fw_worker *worker)
{
    begin_answer(worker);
    return fw_session_loop_predict(worker);
}

/* Features count for themselves: the launch is looked at without any count. */
static enum fw_status features(struct fw_worker *worker)
{
    begin_answer(worker);
    worker->loops->launch_alone = true;
    enum fw_status status = fw_session_loop_launch(worker);
    worker->loops->launch_alone = false;
    if (!status)
        status = check_grid(worker);
    return status ? status : fw_session_loop_features(worker);
}

static enum fw_status trace(struct fw_worker *worker)
{
    enum fw_status status = begin(worker, true);
    return status ? status : fw_session_loop_trace_code(worker);
}

static enum fw_status emulate(struct fw_worker *worker)
{
    enum fw_status status = begin(worker, true);
    return status ? status : fw_session_loop_emulate_code(worker);
}

const struct fw_input fw_input_loops = {.language = FW_PROGRAM_LOOPS,
                                        .name = "knl",
                                        .suffix = ".knl",
                                        .has_defines = true,
                                        .launch_follows = true,
                                        .read = read,
                                        .make = make,
                                        .open = open,
                                        .close = close,
                                        .begin = begin,
                                        .count = count,
                                        .predict = predict,
                                        .emulate = emulate,
                                        .features = features,
                                        .trace = trace,
                                        .forget = forget};
