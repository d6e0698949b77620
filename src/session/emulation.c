/* Emulation: what really executed, as the same rows that counting gives, and measured frequencies
 * of what is not known before a kernel runs. */
#include "session.h"
#include "frequencies.h"
#include "ir.h"
#include "sample_blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- arguments ---- */

/* "NAME=..." with the source's name becomes "#POSITION=...", and of a structure's part
 * "#POSITION+OFFSET=...", which the emulator knows. */
static const char *by_position(const struct fw_worker *worker, const char *text)
{
    const struct fw_kernel *record = worker->record;
    size_t length = strcspn(text, "=+");
    for (uint32_t p = 0; p < record->parameter_count; p++) {
        const struct fw_parameter *parameter = &record->parameters[p];
        if (strncmp(parameter->name, text, length) != 0)
            continue;
        if (fw_session_whole_length(parameter) == length)
            return fw_arena_printf(worker->results, "#%u%s", parameter->position, text + length);
        if (!parameter->name[length])
            return fw_arena_printf(worker->results, "#%u+%u%s", parameter->position,
                                   parameter->inside, text + length);
    }
    if (*text >= '0' && *text <= '9')
        return fw_arena_printf(worker->results, "#%s", text);
    if (strncmp(text, "param_", 6) == 0)
        return fw_arena_printf(worker->results, "%s_%s", record->name, text);
    return text;
}

static void add_bound(const struct fw_worker *worker, struct fw_emulate_argument *to, uint32_t p)
{
    const struct fw_parameter *parameter = &worker->record->parameters[p];
    *to = (struct fw_emulate_argument){.position = parameter->position,
                                       .offset = parameter->inside,
                                       .is_number = true,
                                       .number = worker->launch->integers[p],
                                       .real = worker->launch->floats[p]};
    if (parameter->is_member) { /* a part has no type that the emulator knows: its bytes */
        double real = worker->launch->floats[p];
        float single = (float)real;
        to->is_number = false;
        to->value_bytes = parameter->bytes;
        if (parameter->type == FW_TYPE_F64)
            memcpy(to->value, &real, sizeof(real));
        else if (parameter->type == FW_TYPE_F32)
            memcpy(to->value, &single, sizeof(single));
        else
            memcpy(to->value, &worker->launch->integers[p],
                   parameter->bytes < 8 ? parameter->bytes : 8);
    }
}

/* The parameter of the record that an argument is for; FW_NONE. */
static uint32_t parameter_of(const struct fw_kernel *record,
                             const struct fw_emulate_argument *argument)
{
    for (uint32_t p = 0; p < record->parameter_count; p++) {
        const struct fw_parameter *parameter = &record->parameters[p];
        if (argument->name ? strcmp(argument->name, parameter->name) == 0
                           : argument->position == parameter->position &&
                                 argument->offset == parameter->inside)
            return p;
    }
    return FW_NONE;
}

/* Whether elements of an array's type can be what the kernel reads as `type`: as many bytes, and
 * numbers of the same kind where both say one.  Halves travel as whole numbers. */
static bool reads(enum fw_type type, enum fw_type element)
{
    const char kind = fw_type_class(type), own = fw_type_class(element);
    if (fw_type_bytes(type) != fw_type_bytes(element))
        return false;
    return kind == 'b' || fw_type_bytes(type) <= 2 || (kind == 'f') == (own == 'f');
}

/* An array's elements against what the kernel reads and writes through the argument. */
static enum fw_status check_elements(const struct fw_worker *worker,
                                     const struct fw_emulate_argument *argument, uint32_t parameter)
{
    const struct fw_kernel *record = worker->record;
    const struct fw_access *other = NULL;
    for (uint32_t a = 0; a < record->access_count; a++) {
        const struct fw_access *access = &record->accesses[a];
        if (access->array == FW_NONE || record->arrays[access->array].parameter != parameter ||
            access->bulk)
            continue;
        if (reads(access->type, argument->type))
            return FW_OK;
        other = access;
    }
    if (!other)
        return FW_OK;
    const char *notes[] = {
        "an array may be saved as another type of as many bytes, NumPy's x.view(dtype), or its "
        "bytes given as TYPE[COUNT]:file:PATH"};
    fw_report_notes(&worker->program->context->sink, FW_ERROR, "EMU009", (struct fw_span){0}, notes,
                    1, "%s holds elements of %s, and %s accesses %s as %s in line %u",
                    argument->path, fw_type_text(argument->type), worker->row->name,
                    record->parameters[parameter].name, fw_type_text(other->type), other->line);
    return FW_ERROR_INPUT;
}

enum fw_status fw_session_emulate_arguments(struct fw_worker *worker,
                                            const struct fw_emulate_settings *settings,
                                            struct fw_emulate_launch *launch, bool *given)
{
    const struct fw_kernel *record = worker->record;
    struct fw_emulate_argument *arguments =
        FW_ARRAY(worker->results, struct fw_emulate_argument,
                 record->parameter_count + settings->argument_count + 1);
    for (uint32_t p = 0; p < record->parameter_count; p++)
        if (worker->launch->is_bound[p])
            add_bound(worker, &arguments[launch->argument_count++], p);
    for (size_t a = 0; a < settings->argument_count; a++) {
        struct fw_emulate_argument *argument = &arguments[launch->argument_count++];
        enum fw_status status = fw_emulate_argument_parse(
            argument, worker->results, by_position(worker, settings->arguments[a]),
            &worker->program->context->sink);
        const uint32_t p = status ? FW_NONE : parameter_of(record, argument);
        if (p != FW_NONE && argument->is_buffer)
            given[p] = true;
        if (p != FW_NONE && argument->is_npy)
            status = check_elements(worker, argument, p);
        if (status)
            return status;
    }
    launch->arguments = arguments;
    launch->dynamic_shared = worker->launch->shared;
    memcpy(launch->grid, worker->launch->grid, sizeof(launch->grid));
    memcpy(launch->block, worker->launch->block, sizeof(launch->block));
    return FW_OK;
}

/* ---- what was measured ---- */

void fw_session_measured_row(struct fw_unknown_row *row, const struct fw_frequency *found,
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

static struct fw_unknown_row measured_row(const struct fw_kernel *record,
                                          const struct fw_frequencies *all, bool is_loop,
                                          uint32_t index)
{
    const struct fw_frequency found = fw_frequency_of_copies(all, record, is_loop, index);
    const bool known = !isnan(found.value);
    struct fw_unknown_row row = {
        .name = is_loop ? record->loops[index].name : record->branches[index].name,
        .kind = is_loop ? "trips" : "taken",
        .reason = "data",
        .meaning = known ? "measured over the threads that came by" : "was not reached",
        .has_value = known,
        .value = found.value,
        .line = is_loop ? record->loops[index].line : record->branches[index].line};
    fw_session_measured_row(&row, &found, is_loop);
    return row;
}

/* Whether copies of one branch or loop are listed already. */
static bool is_listed(const struct fw_unknown_row *rows, size_t count, const char *name)
{
    for (size_t r = 0; r < count; r++)
        if (rows[r].name == name)
            return true;
    return false;
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
static void measure(struct fw_worker *worker, const struct fw_frequencies *found)
{
    const struct fw_kernel *record = worker->record;
    size_t count = 0;
    struct fw_unknown_row *rows =
        FW_ARRAY(worker->results, struct fw_unknown_row,
                 record->branch_count + record->loop_count + record->array_count + 1);
    for (uint32_t b = 0; b < record->branch_count; b++)
        if (record->branches[b].data_dependent && !is_listed(rows, count, record->branches[b].name))
            rows[count++] = measured_row(record, found, false, b);
    for (uint32_t l = 0; l < record->loop_count; l++)
        if (record->loops[l].data_dependent && !is_listed(rows, count, record->loops[l].name))
            rows[count++] = measured_row(record, found, true, l);
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
    struct fw_emulate_options options = {.every = settings->every,
                                         .limit = settings->limit,
                                         .seed = settings->seed,
                                         .written_only = settings->written_only};
    struct fw_emulate_result result;
    bool *given = FW_ARRAY(worker->results, bool, worker->record->parameter_count + 1);
    enum fw_status status = fw_session_emulate_arguments(worker, settings, &launch, given);
    if (status)
        return status;
    if (settings->blocks && settings->blocks < all) {
        options.blocks = fw_sample_blocks(worker->results, all, settings->blocks);
        options.block_count = settings->blocks;
        options.on_demand = true;
    }
    struct fw_frequency_counter *counter = fw_frequency_counter_new(
        worker->results, worker->record, function, &launch, options.blocks != NULL, 0);
    fw_frequency_counter_listen(counter, &options);
    status = fw_emulation_new(emulation, function, &launch, &options, &context->sink);
    if (!status)
        status = fw_emulation_run(&result, *emulation);
    if (!status)
        status = fw_session_count(worker, &result);
    if (status)
        return status;
    fw_session_publish_emulation(worker, &result);
    measure(worker, fw_frequency_counter_result(counter));
    return FW_OK;
}
