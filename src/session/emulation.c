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

/* Over how many bytes the addresses spread of accesses that depend on data, by array. */
struct spreads {
    const struct fw_kernel *record;
    uint32_t *array_of;   /* by instruction, plus 1; 0: not such an access */
    uint64_t *low, *high; /* by array: of the addresses seen; high 0: none */
};

static void see(void *user, const struct fw_emulate_access *access)
{
    const struct spreads *spreads = user;
    uint32_t array = spreads->array_of[access->instruction];
    if (array-- == 0)
        return;
    for (uint32_t lanes = access->mask; lanes; lanes &= lanes - 1) {
        uint64_t at = access->addresses[__builtin_ctz(lanes)];
        if (!spreads->high[array] || at < spreads->low[array])
            spreads->low[array] = at;
        if (at + access->bytes > spreads->high[array])
            spreads->high[array] = at + access->bytes;
    }
}

/* NULL: no access to an argument's array depends on data. */
static struct spreads *spreads_of(struct fw_worker *worker, const struct fw_function *function)
{
    const struct fw_kernel *record = worker->record;
    struct spreads *spreads = FW_NEW(worker->results, struct spreads);
    bool any = false;
    spreads->record = record;
    spreads->array_of = FW_ARRAY(worker->results, uint32_t, function->instruction_count + 1);
    spreads->low = FW_ARRAY(worker->results, uint64_t, record->array_count + 1);
    spreads->high = FW_ARRAY(worker->results, uint64_t, record->array_count + 1);
    for (uint32_t a = 0; a < record->access_count; a++) {
        const struct fw_access *access = &record->accesses[a];
        if (!access->data_dependent || access->array == FW_NONE ||
            record->arrays[access->array].parameter == FW_NONE)
            continue;
        spreads->array_of[access->instruction] = access->array + 1;
        any = true;
    }
    return any ? spreads : NULL;
}

static void add_spreads(struct fw_worker *worker, const struct spreads *spreads,
                        struct fw_unknown_row *rows, size_t *count)
{
    const struct fw_kernel *record = worker->record;
    for (uint32_t a = 0; a < record->array_count; a++)
        if (spreads->high[a])
            rows[(*count)++] = (struct fw_unknown_row){
                .name = fw_arena_printf(worker->results, "%s.spread",
                                        record->parameters[record->arrays[a].parameter].name),
                .kind = "bytes",
                .reason = "data",
                .meaning = "between the first and the last byte that data led to",
                .has_value = true,
                .value = (double)(spreads->high[a] - spreads->low[a])};
}

static void measure(struct fw_worker *worker, const struct fw_emulate_result *result,
                    const struct fw_function *function, const struct spreads *spreads)
{
    const struct fw_kernel *record = worker->record;
    size_t count = 0;
    struct fw_unknown_row *rows =
        FW_ARRAY(worker->results, struct fw_unknown_row,
                 record->branch_count + record->loop_count + record->array_count + 1);
    for (uint32_t b = 0; b < record->branch_count; b++)
        if (record->branches[b].data_dependent)
            add_measured(worker, rows, &count, record->branches[b].name, false,
                         record->branches[b].line, share_taken(worker, result, function, b));
    for (uint32_t l = 0; l < record->loop_count; l++)
        if (record->loops[l].data_dependent)
            add_measured(worker, rows, &count, record->loops[l].name, true, record->loops[l].line,
                         mean_trips(worker, result, function, l));
    if (spreads)
        add_spreads(worker, spreads, rows, &count);
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

enum fw_status fw_session_emulate(struct fw_worker *worker, struct fw_emulation **emulation)
{
    const struct fw_emulate_settings *settings = worker->emulate;
    const struct fw_context *context = worker->program->context;
    const struct fw_function *function = function_of(worker);
    struct fw_emulate_launch launch = {.dynamic_shared = worker->launch->shared};
    struct fw_emulate_options options = {
        .every = settings->every, .limit = settings->limit, .seed = settings->seed};
    struct fw_emulate_result result;
    struct spreads *spreads = spreads_of(worker, function);
    options.access = spreads ? see : NULL;
    options.user = spreads;
    memcpy(launch.grid, worker->launch->grid, sizeof(launch.grid));
    memcpy(launch.block, worker->launch->block, sizeof(launch.block));
    enum fw_status status = read_arguments(worker, settings, &launch);
    if (!status)
        status = fw_emulation_new(emulation, function, &launch, &options, &context->sink);
    if (!status)
        status = fw_emulation_run(&result, *emulation);
    if (status)
        return status;
    status = fw_session_count(worker, &result);
    if (status)
        return status;
    publish(worker, &result);
    measure(worker, &result, function, spreads);
    return FW_OK;
}
