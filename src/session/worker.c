/* Workers: a kernel bound to one launch after another. */
#include "input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- making and freeing ---- */

static enum fw_status set_up(void *user)
{
    struct fw_worker *worker = user;
    const struct fw_kernel *record = worker->record;
    const struct fw_input *input = worker->program->input;
    const struct program_kernel *kernel = NULL;
    for (size_t k = 0; k < worker->program->kernel_count; k++)
        if (worker->program->kernels[k].record == record)
            kernel = &worker->program->kernels[k];
    if (!kernel)
        return FW_ERROR_USAGE;
    worker->row = &kernel->row;
    enum fw_status status = input->open ? input->open(worker, kernel) : FW_OK;
    if (status)
        return status;
    worker->bound = fw_bound_new(record);
    worker->tally = worker->bound ? fw_tally_new(record) : NULL;
    worker->results = fw_arena_new(worker->program->context->memory);
    if (!worker->tally || !worker->results)
        return FW_ERROR_MEMORY;
    mpz_init(worker->sum);
    worker->sum_made = true;
    worker->launch = fw_launch_new(worker->arena, record);
    worker->alignments = FW_ARRAY(worker->arena, uint32_t, record->parameter_count + 1);
    worker->kinds = FW_ARRAY(worker->arena, uint8_t, record->parameter_count + 1);
    worker->spreads = FW_ARRAY(worker->arena, double, record->parameter_count + 1);
    worker->names = FW_ARRAY(worker->arena, const char *, record->parameter_count + 1);
    worker->arguments =
        FW_ARRAY(worker->arena, struct fw_argument_row, record->parameter_count + 1);
    worker->needs = fw_needs_find(worker->arena, record);
    fw_session_worker_clear(worker);
    return FW_OK;
}

enum fw_status fw_session_worker_new(struct fw_worker **worker, const struct fw_program *program,
                                     const struct fw_kernel *kernel)
{
    struct fw_arena *arena = fw_arena_new(program->context->memory);
    jmp_buf full;
    *worker = NULL;
    if (!arena)
        return FW_ERROR_MEMORY;
    fw_arena_on_exhausted(arena, &full);
    if (setjmp(full)) {
        fw_arena_free(arena);
        return FW_ERROR_MEMORY;
    }
    struct fw_worker *made = FW_NEW(arena, struct fw_worker);
    fw_arena_on_exhausted(arena, NULL);
    made->program = program;
    made->record = kernel;
    made->arena = arena;
    const struct fw_session_limit limit = {.doing = "setting up the kernel",
                                           .source = &program->source};
    enum fw_status status =
        fw_session_guard_within(program->context, &limit, arena, NULL, set_up, made);
    if (status)
        fw_session_worker_free(made);
    else
        *worker = made;
    return status;
}

void fw_session_worker_free(struct fw_worker *worker)
{
    if (!worker)
        return;
    if (worker->program->input->close)
        worker->program->input->close(worker);
    fw_bound_free(worker->bound);
    fw_tally_free(worker->tally);
    if (worker->sum_made)
        mpz_clear(worker->sum);
    fw_arena_free(worker->results);
    fw_arena_free(worker->arena);
}

void fw_session_worker_clear(struct fw_worker *worker)
{
    struct fw_launch *launch = worker->launch;
    const struct fw_kernel *record = worker->record;
    for (int d = 0; d < 3; d++) {
        launch->grid[d] = 0;
        launch->block[d] = record->required_block[d];
    }
    if (worker->program->usual_threads && !record->required_block[0])
        memcpy(launch->block, (uint32_t[]){worker->program->usual_threads, 1, 1},
               sizeof(launch->block));
    launch->shared = worker->program->usual_shared;
    worker->shared_stated = worker->program->has_usual;
    worker->stated_registers = 0;
    worker->compiled_registers = worker->compiled_spill_bytes = 0;
    worker->static_stated = false;
    for (uint32_t p = 0; p < record->parameter_count; p++) {
        launch->is_bound[p] = false;
        worker->spreads[p] = 0;
        launch->sizes[p] = 0;
        launch->lengths[p] = 0;
        launch->displacements[p] = (double)NAN;
        worker->names[p] = NULL;
        worker->kinds[p] = FW_INDEX_USUAL;
        worker->alignments[p] = record->parameters[p].alignment;
        launch->alignments[p] = 0;
    }
    if (worker->program->input->clear)
        worker->program->input->clear(worker);
    for (uint32_t b = 0; b < record->branch_count; b++)
        fw_launch_forget_branch(launch, b);
    for (uint32_t l = 0; l < record->loop_count; l++)
        launch->trips[l] = launch->warp_trips[l] = (double)NAN;
    for (uint32_t q = 0; q < record->quantity_count; q++)
        launch->quantities[q] = (double)NAN;
}

void fw_session_worker_set_grid(struct fw_worker *worker, uint32_t x, uint32_t y, uint32_t z)
{
    memcpy(worker->launch->grid, (uint32_t[]){x, y, z}, sizeof(worker->launch->grid));
    worker->grid_follows = false;
}

void fw_session_worker_set_block(struct fw_worker *worker, uint32_t x, uint32_t y, uint32_t z)
{
    memcpy(worker->launch->block, (uint32_t[]){x, y, z}, sizeof(worker->launch->block));
}

void fw_session_worker_set_shared(struct fw_worker *worker, uint64_t bytes)
{
    worker->launch->shared = bytes;
    worker->shared_stated = true;
}

void fw_session_worker_set_registers(struct fw_worker *worker, uint32_t registers)
{
    worker->stated_registers = registers;
}

void fw_session_worker_set_compiled(struct fw_worker *worker, uint32_t registers,
                                    uint32_t spill_bytes)
{
    worker->compiled_registers = registers;
    worker->compiled_spill_bytes = registers ? spill_bytes : 0;
}

void fw_session_worker_set_static_shared(struct fw_worker *worker, uint64_t bytes)
{
    worker->static_stated = true;
    worker->stated_static = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
}

enum fw_status fw_session_worker_set_global(struct fw_worker *worker, uint32_t x, uint32_t y,
                                            uint32_t z)
{
    const uint32_t global[3] = {x, y, z}, *block = worker->launch->block;
    const struct fw_context *context = worker->program->context;
    for (int d = 0; d < 3; d++) {
        if (block[d] == 0) {
            fw_session_error(context, "API011",
                             "a global size needs a block (-b) to be divided into");
            return FW_ERROR_USAGE;
        }
        if (global[d] % block[d]) {
            fw_session_error(context, "API011",
                             "the global size %u in %c is not a multiple of the block's %u",
                             global[d], "xyz"[d], block[d]);
            return FW_ERROR_USAGE;
        }
        worker->launch->grid[d] = global[d] / block[d];
    }
    worker->grid_follows = false;
    return FW_OK;
}

/* ---- questions ---- */

static enum fw_status wrong_block(const struct fw_worker *worker, const char *how,
                                  const uint32_t stated[3])
{
    const uint32_t *block = worker->launch->block;
    fw_session_error(worker->program->context, "API012",
                     "a block of %u x %u x %u threads: the kernel %s %u x %u x %u", block[0],
                     block[1], block[2], how, stated[0], stated[1], stated[2]);
    return FW_ERROR_USAGE;
}

enum fw_status fw_input_check_block(const struct fw_worker *worker)
{
    const uint32_t *block = worker->launch->block, *most = worker->record->max_block;
    const uint32_t *required = worker->record->required_block;
    const struct fw_context *context = worker->program->context;
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2], allowed = 1;
    if (threads == 0) {
        fw_session_error(context, "API012",
                         block[0] || block[1] || block[2]
                             ? "a block has at least one thread along x, y and z"
                             : "the threads of a block must be stated (-b)");
        return FW_ERROR_USAGE;
    }
    if (required[0] && memcmp(required, block, 3 * sizeof(*block)) != 0)
        return wrong_block(worker, "requires", required);
    for (int d = 0; d < 3; d++)
        allowed *= most[d] ? most[d] : 1;
    if (most[0] && threads > allowed)
        return wrong_block(worker, "allows at most", most);
    return FW_OK;
}

static bool has_grid(const struct fw_worker *worker)
{
    const uint32_t *grid = worker->launch->grid;
    return grid[0] || grid[1] || grid[2];
}

enum fw_status fw_input_bind_launch(struct fw_worker *worker, bool grid_needed)
{
    const uint32_t *grid = worker->launch->grid, *block = worker->launch->block;
    const struct fw_context *context = worker->program->context;
    memcpy(worker->launch->kinds, worker->kinds,
           worker->record->parameter_count * sizeof(*worker->kinds));
    memcpy(worker->launch->spreads, worker->spreads,
           worker->record->parameter_count * sizeof(*worker->spreads));
    if (!has_grid(worker)) {
        if (!grid_needed)
            return FW_OK;
        fw_session_error(context, "API013", "the blocks of the grid must be stated (-g)");
        return FW_ERROR_USAGE;
    }
    enum fw_status status = fw_bound_set(worker->bound, worker->launch);
    if (status)
        fw_session_error(
            context, "API013",
            "no device launches a grid of %u x %u x %u blocks of %u x %u x %u threads (at "
            "most 2147483647 x 65535 x 65535 blocks, none of them 0, and 1024 threads)",
            grid[0], grid[1], grid[2], block[0], block[1], block[2]);
    return status;
}

void fw_input_begin_answer(struct fw_worker *worker)
{
    if (!worker->kept) {
        fw_arena_reset(worker->results);
        worker->answers = NULL;
    }
    struct fw_answer *answer = FW_NEW(worker->results, struct fw_answer);
    struct fw_kernel_row *row = FW_NEW(worker->results, struct fw_kernel_row);
    const struct fw_launch *launch = worker->launch;
    *row = *worker->row;
    for (size_t a = 0; a < row->argument_count; a++) {
        struct fw_argument_row *argument = &worker->arguments[a];
        *argument = worker->row->arguments[a];
        argument->is_bound = launch->is_bound[a];
        argument->integer = launch->integers[a];
        argument->number = launch->floats[a];
        argument->alignment = worker->alignments[a];
    }
    row->arguments = worker->arguments;
    answer->kernel = row;
    memcpy(answer->grid, launch->grid, sizeof(answer->grid));
    memcpy(answer->block, launch->block, sizeof(answer->block));
    answer->shared = launch->shared;
    worker->answer = answer;
}

struct fw_model_answers *fw_session_answers(struct fw_worker *worker)
{
    if (!worker->answers)
        worker->answers = fw_model_answers_new(worker->results);
    return worker->answers;
}

void fw_session_worker_keep(struct fw_worker *worker, bool kept)
{
    worker->kept = kept;
}

static enum fw_status count(void *user)
{
    struct fw_worker *worker = user;
    return worker->program->input->count(worker);
}

static enum fw_status predict(void *user)
{
    struct fw_worker *worker = user;
    return worker->program->input->predict(worker);
}

static enum fw_status emulate(void *user)
{
    struct fw_worker *worker = user;
    return worker->program->input->emulate(worker);
}

static enum fw_status features(void *user)
{
    struct fw_worker *worker = user;
    return worker->program->input->features(worker);
}

static enum fw_status trace(void *user)
{
    struct fw_worker *worker = user;
    return worker->program->input->trace(worker);
}

static enum fw_status ask(const struct fw_answer **answer, struct fw_worker *worker,
                          const char *doing, enum fw_status (*question)(void *user))
{
    const struct fw_session_limit limit = {.doing = doing,
                                           .source = &worker->program->source,
                                           .late = &worker->late,
                                           .many = question == emulate};
    worker->answer = NULL;
    *answer = NULL;
    enum fw_status status =
        fw_session_guard_within(worker->program->context, &limit, worker->results,
                                fw_bound_arena(worker->bound), question, worker);
    if (!status)
        *answer = worker->answer;
    return status;
}

enum fw_status fw_session_worker_count(const struct fw_answer **answer, struct fw_worker *worker,
                                       const struct fw_count_settings *settings)
{
    worker->settings = settings;
    enum fw_status status = ask(answer, worker, "counting", count);
    worker->settings = NULL;
    return status;
}

enum fw_status fw_session_worker_predict(const struct fw_answer **answer, struct fw_worker *worker,
                                         const struct fw_device *device,
                                         const struct fw_predict_settings *settings)
{
    worker->predict = settings;
    worker->device = device;
    enum fw_status status = ask(answer, worker, "predicting", predict);
    fw_session_forget_sample(worker);
    fw_emulation_free(worker->emulation);
    worker->emulation = NULL;
    worker->predict = NULL;
    worker->device = NULL;
    return status;
}

enum fw_status fw_session_worker_emulate(const struct fw_answer **answer, struct fw_worker *worker,
                                         const struct fw_emulate_settings *settings)
{
    struct fw_count_settings counts = {.size = sizeof(counts)};
    worker->emulate = settings;
    worker->settings = &counts;
    enum fw_status status = ask(answer, worker, "emulating", emulate);
    fw_emulation_free(worker->emulation);
    worker->emulation = NULL;
    worker->emulate = NULL;
    worker->settings = NULL;
    return status;
}

enum fw_status fw_session_worker_features(const struct fw_answer **answer, struct fw_worker *worker,
                                          const struct fw_device *device,
                                          const struct fw_feature_settings *settings)
{
    const struct fw_predict_settings predict = {.size = sizeof(predict), .cold = settings->cold};
    worker->features = settings;
    worker->predict = &predict;
    worker->device = device;
    enum fw_status status = ask(answer, worker, "counting", features);
    worker->features = NULL;
    worker->predict = NULL;
    worker->device = NULL;
    return status;
}

enum fw_status fw_session_worker_trace(const struct fw_answer **answer, struct fw_worker *worker,
                                       const struct fw_device *device,
                                       const struct fw_trace_settings *settings)
{
    worker->trace = settings;
    worker->device = device;
    enum fw_status status = ask(answer, worker, "tracing", trace);
    worker->trace = NULL;
    worker->device = NULL;
    return status;
}
