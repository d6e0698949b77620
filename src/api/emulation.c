/* Emulation: what really executed, as the same rows that counting gives, and measured frequencies
 * of what is not known before a kernel runs. */
#include "emulation.h"
#include "ir.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- arguments ---- */

/* "NAME=..." with the source's name becomes "#POSITION=...", which the emulator knows. */
static const char *by_position(const struct fw_worker *worker, const char *text)
{
    const struct fw_kernel *record = worker->record;
    size_t length = strcspn(text, "=+");
    for (uint32_t p = 0; p < record->parameter_count; p++) {
        const char *name = record->parameters[p].name;
        if (strncmp(name, text, length) == 0 && strcspn(name, "+") == length)
            return fw_arena_printf(worker->results, "#%u%s", record->parameters[p].position,
                                   text + length);
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
    const char *plus = parameter->is_member ? strrchr(parameter->name, '+') : NULL;
    *to = (struct fw_emulate_argument){.position = parameter->position,
                                       .offset = plus ? (uint32_t)strtoul(plus + 1, NULL, 10) : 0,
                                       .is_number = true,
                                       .number = worker->launch->integers[p],
                                       .real = worker->launch->floats[p]};
    if (plus) { /* a part has no type that the emulator knows: its bytes */
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

static enum fw_status read_arguments(struct fw_worker *worker,
                                     const struct fw_emulate_settings *settings,
                                     struct fw_emulate_launch *launch)
{
    const struct fw_kernel *record = worker->record;
    struct fw_emulate_argument *arguments =
        FW_ARRAY(worker->results, struct fw_emulate_argument,
                 record->parameter_count + settings->argument_count + 1);
    for (uint32_t p = 0; p < record->parameter_count; p++)
        if (worker->launch->is_bound[p])
            add_bound(worker, &arguments[launch->argument_count++], p);
    for (size_t a = 0; a < settings->argument_count; a++) {
        enum fw_status status = fw_emulate_argument_parse(
            &arguments[launch->argument_count++], worker->results,
            by_position(worker, settings->arguments[a]), &worker->program->context->sink);
        if (status)
            return status;
    }
    launch->arguments = arguments;
    return FW_OK;
}

/* ---- frequencies ---- */

static double share_taken(const struct fw_worker *worker, const struct fw_emulate_result *result,
                          const struct fw_function *function, uint32_t branch)
{
    uint32_t at = worker->record->branches[branch].instruction;
    const struct fw_emulate_count *count = &result->instructions[at];
    if (function->instructions[at].opcode == FW_OP_BRX || count->active == 0)
        return (double)NAN;
    return (double)count->threads / (double)count->active;
}

/* How often a block went on to its successor `s`. */
static double edge(const struct fw_emulate_result *result, const struct fw_function *function,
                   uint32_t block, uint32_t s)
{
    const struct fw_block *from = &function->blocks[block];
    const struct fw_emulate_count *last = &result->instructions[from->end - 1];
    if (from->successor_count == 1)
        return (double)result->blocks[block].threads;
    if (from->successor_count != 2)
        return (double)NAN;
    return (double)(s == 0 ? last->threads : last->active - last->threads);
}

/* Header executions for one entry. */
static double mean_trips(const struct fw_worker *worker, const struct fw_emulate_result *result,
                         const struct fw_function *function, uint32_t loop)
{
    double back = 0;
    for (uint32_t l = 0; l < function->loop_count; l++) {
        const struct fw_loop_info *info = &function->loops[l];
        if (function->blocks[info->header].first != worker->record->loops[loop].instruction)
            continue;
        for (uint32_t i = 0; i < info->latch_count; i++) {
            const struct fw_block *latch = &function->blocks[info->latches[i]];
            for (uint32_t s = 0; s < latch->successor_count; s++)
                if (latch->successors[s] == info->header)
                    back += edge(result, function, info->latches[i], s);
        }
        double runs = (double)result->blocks[info->header].threads;
        return runs > back ? runs / (runs - back) : (double)NAN;
    }
    return (double)NAN;
}

static void add_measured(struct fw_worker *worker, struct fw_unknown_row *rows, size_t *count,
                         const char *name, bool is_loop, uint32_t line, double value)
{
    (void)worker;
    rows[(*count)++] = (struct fw_unknown_row){
        .name = name,
        .kind = is_loop ? "trips" : "taken",
        .reason = "data",
        .meaning = isnan(value) ? "was not reached" : "measured over the threads that came by",
        .has_value = !isnan(value),
        .value = value,
        .line = line};
}

static void measure(struct fw_worker *worker, const struct fw_emulate_result *result,
                    const struct fw_function *function)
{
    const struct fw_kernel *record = worker->record;
    size_t count = 0;
    struct fw_unknown_row *rows = FW_ARRAY(worker->results, struct fw_unknown_row,
                                           record->branch_count + record->loop_count + 1);
    for (uint32_t b = 0; b < record->branch_count; b++)
        if (record->branches[b].data_dependent)
            add_measured(worker, rows, &count, record->branches[b].name, false,
                         record->branches[b].line, share_taken(worker, result, function, b));
    for (uint32_t l = 0; l < record->loop_count; l++)
        if (record->loops[l].data_dependent)
            add_measured(worker, rows, &count, record->loops[l].name, true, record->loops[l].line,
                         mean_trips(worker, result, function, l));
    worker->answer->unknowns = rows;
    worker->answer->unknown_count = count;
}

/* ---- the question ---- */

static struct fw_function *function_of(const struct fw_worker *worker)
{
    for (size_t k = 0; k < worker->program->kernel_count; k++)
        if (worker->program->kernels[k].record == worker->record)
            return worker->program->kernels[k].function;
    return NULL;
}

static void publish(struct fw_worker *worker, const struct fw_emulate_result *result)
{
    struct fw_emulation_row *row = FW_NEW(worker->results, struct fw_emulation_row);
    *row = (struct fw_emulation_row){.blocks = result->grid_blocks,
                                     .blocks_run = result->blocks_run,
                                     .thread_instructions = result->thread_instructions,
                                     .warp_instructions = result->warp_instructions,
                                     .assumed_memory = result->assumed_memory};
    worker->answer->emulation = row;
}

enum fw_status api_emulate(struct fw_worker *worker, struct fw_emulation **emulation)
{
    const struct fw_emulate_settings *settings = worker->emulate;
    const struct fw_context *context = worker->program->context;
    const struct fw_function *function = function_of(worker);
    struct fw_emulate_launch launch = {.dynamic_shared = worker->launch->shared};
    struct fw_emulate_options options = {
        .every = settings->every, .limit = settings->limit, .seed = settings->seed};
    struct fw_emulate_result result;
    memcpy(launch.grid, worker->launch->grid, sizeof(launch.grid));
    memcpy(launch.block, worker->launch->block, sizeof(launch.block));
    enum fw_status status = read_arguments(worker, settings, &launch);
    if (!status)
        status = fw_emulation_new(emulation, function, &launch, &options, &context->sink);
    if (!status)
        status = fw_emulation_run(&result, *emulation);
    if (status)
        return status;
    status = api_count(worker, &result);
    if (status)
        return status;
    publish(worker, &result);
    measure(worker, &result, function);
    return FW_OK;
}
