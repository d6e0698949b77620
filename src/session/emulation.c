/* Emulation: what really executed, as the same rows that counting gives, and measured frequencies
 * of what is not known before a kernel runs. */
#include "emulation.h"
#include "frequencies.h"
#include "ir.h"

#include <math.h>
#include <string.h>

void fw_session_measured_row(struct fw_unknown_row *row, const struct frequency *found,
                             bool is_loop)
{
    row->source = "emulated";
    row->observations = found->observations;
    row->blocks = found->blocks;
    row->low = found->low;
    row->high = found->high;
    row->has_warps = !isnan(found->warps) && (is_loop || !isnan(found->warps_passed));
    row->warps = row->has_warps ? found->warps : 0;
    row->warps_both =
        row->has_warps && !is_loop ? fmax(0, found->warps + found->warps_passed - 1) : 0;
}

static struct fw_unknown_row measured_row(const char *name, bool is_loop, uint32_t line,
                                          const struct frequency *found)
{
    const bool known = !isnan(found->value);
    struct fw_unknown_row row = {.name = name,
                                 .kind = is_loop ? "trips" : "taken",
                                 .reason = "data",
                                 .meaning = known ? "measured over the threads that came by"
                                                  : "was not reached",
                                 .has_value = known,
                                 .value = found->value,
                                 .line = line};
    fw_session_measured_row(&row, found, is_loop);
    return row;
}

const struct fw_function *fw_session_function(const struct fw_worker *worker)
{
    for (size_t k = 0; k < worker->program->kernel_count; k++)
        if (worker->program->kernels[k].record == worker->record)
            return worker->program->kernels[k].function;
    return NULL;
}

void fw_session_publish_emulation(struct fw_worker *worker, const struct fw_emulate_result *result)
{
    struct fw_emulation_row *row = FW_NEW(worker->results, struct fw_emulation_row);
    *row = (struct fw_emulation_row){.blocks = result->grid_blocks,
                                     .blocks_run = result->blocks_run,
                                     .thread_instructions = result->thread_instructions,
                                     .warp_instructions = result->warp_instructions,
                                     .assumed_memory = result->assumed_memory};
    worker->answer->emulation = row;
}

/* What is not known before the kernel runs, as it was measured, whatever contents that took. */
static void measure(struct fw_worker *worker, const struct frequencies *found)
{
    const struct fw_kernel *record = worker->record;
    size_t count = 0;
    struct fw_unknown_row *rows =
        FW_ARRAY(worker->results, struct fw_unknown_row,
                 record->branch_count + record->loop_count + record->array_count + 1);
    for (uint32_t b = 0; b < record->branch_count; b++)
        if (record->branches[b].data_dependent)
            rows[count++] = measured_row(record->branches[b].name, false, record->branches[b].line,
                                         &found->branches[b]);
    for (uint32_t l = 0; l < record->loop_count; l++)
        if (record->loops[l].data_dependent)
            rows[count++] =
                measured_row(record->loops[l].name, true, record->loops[l].line, &found->loops[l]);
    for (uint32_t a = 0; a < record->array_count; a++)
        if (found->arrays[a].high)
            rows[count++] = (struct fw_unknown_row){
                .name = fw_arena_printf(worker->results, "%s.spread",
                                        record->parameters[record->arrays[a].parameter].name),
                .kind = "bytes",
                .reason = "data",
                .meaning = "between the first and the last byte that data led to",
                .has_value = true,
                .value = (double)(found->arrays[a].high - found->arrays[a].low),
                .source = "emulated",
                .observations = found->arrays[a].requests,
                .blocks = worker->answer->emulation->blocks_run,
                .sectors = (double)found->arrays[a].sectors / (double)found->arrays[a].requests};
    worker->answer->unknowns = rows;
    worker->answer->unknown_count = count;
}

enum fw_status fw_session_emulate(struct fw_worker *worker, struct fw_emulation **emulation)
{
    const struct fw_emulate_settings *settings = worker->emulate;
    const struct fw_context *context = worker->program->context;
    const struct fw_function *function = fw_session_function(worker);
    const uint32_t *grid = worker->launch->grid;
    const uint64_t all = (uint64_t)grid[0] * grid[1] * grid[2];
    struct fw_emulate_launch launch = {.argument_count = 0};
    struct fw_emulate_options options = {
        .every = settings->every, .limit = settings->limit, .seed = settings->seed};
    struct fw_emulate_result result;
    bool *given = FW_ARRAY(worker->results, bool, worker->record->parameter_count + 1);
    enum fw_status status = fw_session_emulate_arguments(worker, settings, &launch, given);
    if (status)
        return status;
    if (settings->blocks && settings->blocks < all) {
        options.blocks = fw_session_sample_blocks(worker->results, all, settings->blocks);
        options.block_count = settings->blocks;
        options.on_demand = true;
    }
    struct frequency_counter *counter = frequency_counter_new(
        worker->results, worker->record, function, &launch, options.blocks != NULL);
    frequency_counter_listen(counter, &options);
    status = fw_emulation_new(emulation, function, &launch, &options, &context->sink);
    if (!status)
        status = fw_emulation_run(&result, *emulation);
    if (!status)
        status = fw_session_count(worker, &result);
    if (status)
        return status;
    fw_session_publish_emulation(worker, &result);
    measure(worker, frequency_counter_result(counter));
    return FW_OK;
}
