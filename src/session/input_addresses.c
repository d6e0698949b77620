/* Address expressions: what a code generator states before there is code. */
#include "input.h"

#include <string.h>

/* The one kernel of address expressions: what is wrong with them is told when they are read. */
static enum fw_status read(struct fw_input_reading *reading)
{
    struct fw_program *program = reading->program;
    struct fw_address_kernel *addresses;
    enum fw_status status = fw_address_read(&addresses, program->arena, &program->source,
                                            program->coarsening, &program->context->sink);
    if (status)
        return status;
    program->kernels = FW_NEW(program->arena, struct program_kernel);
    program->kernels->addresses = addresses;
    program->kernels->name = addresses->record->name;
    program->kernel_count = 1;
    return FW_OK;
}

static enum fw_status make(struct fw_program *program, struct program_kernel *kernel)
{
    (void)program;
    kernel->record = kernel->addresses->record;
    return FW_OK;
}

static char *dump(struct fw_arena *arena, const struct fw_program *program,
                  const struct program_kernel *kernel, const char *what)
{
    (void)program;
    return strcmp(what, "ptx") == 0 ? NULL : fw_input_dump_record(arena, kernel->record, what);
}

static enum fw_status open(struct fw_worker *worker, const struct program_kernel *kernel)
{
    worker->addresses = kernel->addresses;
    return FW_OK;
}

/* What address expressions say of launches. */
static void clear(struct fw_worker *worker)
{
    const struct fw_address_kernel *from = worker->addresses;
    struct fw_launch *launch = worker->launch;
    worker->grid_follows = from->grid[0] == 0;
    memcpy(launch->grid, from->grid, sizeof(launch->grid));
    memcpy(launch->block, from->block, sizeof(launch->block));
    launch->shared = from->shared;
    for (uint32_t p = 0; p < worker->record->parameter_count; p++) {
        launch->is_bound[p] = from->is_size[p];
        launch->integers[p] = from->usual[p];
        launch->floats[p] = (double)from->usual[p];
    }
}

/* Addresses in their fields, and over what those spread that are drawn: for this launch's sizes,
 * unless the user has said it. */
static enum fw_status check_addresses(struct fw_worker *worker)
{
    const struct fw_sink *sink = &worker->program->context->sink;
    enum fw_status status =
        fw_address_check(worker->addresses, worker->bound, worker->launch, sink);
    if (!status)
        status = fw_address_spread(worker->addresses, worker->bound, worker->launch, sink);
    return status;
}

static enum fw_status begin(struct fw_worker *worker, bool grid_needed)
{
    const struct fw_sink *sink = &worker->program->context->sink;
    enum fw_status status = fw_input_check_block(worker);
    if (!status && worker->grid_follows)
        status = fw_address_grid(worker->launch->grid, worker->addresses, worker->bound,
                                 worker->launch, sink);
    if (!status)
        status = fw_input_bind_launch(worker, grid_needed);
    if (!status && worker->launch->grid[0])
        status = check_addresses(worker);
    if (!status)
        fw_input_begin_answer(worker);
    return status;
}

static enum fw_status emulate(struct fw_worker *worker)
{
    fw_session_file_error(worker->program, "API015",
                          "the emulator runs PTX, and address expressions have no code");
    return FW_ERROR_INPUT;
}

const struct fw_input fw_input_addresses = {.language = FW_PROGRAM_ADDRESSES,
                                            .name = "json",
                                            .suffix = ".json",
                                            .has_coarsening = true,
                                            .dumps = "record, domains",
                                            .read = read,
                                            .make = make,
                                            .dump = dump,
                                            .open = open,
                                            .clear = clear,
                                            .begin = begin,
                                            .count = fw_input_count,
                                            .predict = fw_input_predict,
                                            .emulate = emulate,
                                            .features = fw_input_features,
                                            .trace = fw_input_trace};
