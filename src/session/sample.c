/* A prediction's sample: a few blocks emulated, for what is not known before the kernel runs. */
#include "before_loops.h"
#include "data_origin.h"
#include "frequencies.h"
#include "sample_blocks.h"
#include "session.h"
#include "spinning.h"

#include <math.h>
#include <string.h>

enum {
    USUAL_BLOCKS = 64,
    MORE_BLOCKS = 1024, /* where some blocks do what others do not */
    MOST_BLOCKS = 1 << 20,
    BLOCKS_BEFORE_LOOPS = 1 << 14,
    ENOUGH_INSTRUCTIONS = 1000 * 1000,    /* of warps: some 50 ms */
    MOST_INSTRUCTIONS = 100 * 1000 * 1000 /* of warps */
};

struct fw_sample {
    const struct fw_frequencies *found;
    const struct fw_data_origins *origins;
    bool *branches, *loops; /* whose numbers the launch has from here */
    double *spreads;        /* by array of the record; 0: not from here */
};

/* ---- running ---- */

static enum fw_status check(const struct fw_worker *worker,
                            const struct fw_emulate_settings *settings)
{
    const struct fw_context *context = worker->program->context;
    const struct fw_function *function = fw_session_function(worker);
    if (settings->every) {
        fw_session_error(context, "API017",
                         "a prediction emulates a number of blocks, not every N-th");
        return FW_ERROR_USAGE;
    }
    if (settings->blocks > MOST_BLOCKS) {
        fw_session_error(context, "API017", "a prediction emulates %d blocks at most, not %llu",
                         MOST_BLOCKS, (unsigned long long)settings->blocks);
        return FW_ERROR_USAGE;
    }
    if (!function) {
        fw_session_file_error(worker->program, "API015",
                              "the emulator runs PTX, and address expressions have no code");
        return FW_ERROR_INPUT;
    }
    const uint32_t load = fw_spinning_load(worker->results, function);
    if (load == FW_NO_INDEX)
        return FW_OK;
    const char *notes[] = {"forewarp emulate runs all blocks, one after another; -s states what "
                           "is not known"};
    fw_report_notes(&context->sink, FW_ERROR, "API018", function->instructions[load].span, notes, 1,
                    "the loop around this load waits for what other blocks write: a few blocks "
                    "cannot be emulated by themselves");
    return FW_ERROR_INPUT;
}

/* Whether blocks differ in whether they go a way of a branch that data decide, and too few were
 * seen for how many do: the standard error of their share is more than a tenth of it. */
static bool differ(const struct fw_worker *worker, const struct fw_frequencies *found)
{
    static const double most = 0.1;
    for (uint32_t b = 0; b < worker->record->branch_count; b++) {
        const struct fw_frequency *branch = &found->branches[b];
        const double share = fmin(branch->blocks_taken, branch->blocks_passed);
        if (worker->record->branches[b].data_dependent && share > 0 &&
            (1 - share) / branch->blocks > most * most * share)
            return true;
    }
    return false;
}

/* Emulates `count` of `all` blocks. */
static enum fw_status run_blocks(struct fw_worker *worker, const struct fw_emulate_launch *launch,
                                 struct fw_emulate_options *options, uint64_t count, uint64_t all,
                                 struct fw_sample *sample, struct fw_emulate_result *result)
{
    const struct fw_function *function = fw_session_function(worker);
    options->blocks = fw_sample_blocks(worker->results, all, count);
    options->block_count = (size_t)count;
    double granule = 0;
    if (worker->device)
        fw_device_figure(worker->device, FW_FIGURE_ATOMIC_SLICE_BYTES, &granule);
    struct fw_frequency_counter *counter = fw_frequency_counter_new(
        worker->results, worker->record, function, launch, count < all, (uint64_t)granule);
    fw_frequency_counter_listen(counter, options);
    fw_emulation_free(worker->emulation);
    enum fw_status status = fw_emulation_new(&worker->emulation, function, launch, options,
                                             &worker->program->context->sink);
    if (!status)
        status = fw_emulation_run(result, worker->emulation);
    if (!status)
        sample->found = fw_frequency_counter_result(counter);
    return status;
}

/* Whether the share of threads that go a way of a branch is known to a thirtieth of it or worse. */
static bool is_uncertain(const struct fw_frequency *branch)
{
    static const double most = 1.0 / 30;
    const double share = fmin(branch->value, 1 - branch->value);
    return share > 0 && branch->error > most * share;
}

static bool is_before(const struct fw_before_loops *before, const struct fw_function *function,
                      uint32_t instruction)
{
    uint32_t b = 0;
    while (b < function->block_count && instruction >= function->blocks[b].end)
        b++;
    return b < function->block_count && before->before[b];
}

/* Of branches that threads come to before any loop more blocks tell more, for as many instructions
 * as the sample may take: most threads end there.  What fails in these blocks leaves all as it is.
 */
static void run_before_loops(struct fw_worker *worker, const struct fw_emulate_launch *launch,
                             struct fw_emulate_options *options, uint64_t all,
                             const struct fw_frequencies *found)
{
    const struct fw_function *function = fw_session_function(worker);
    const struct fw_kernel *record = worker->record;
    const struct fw_before_loops before = fw_before_loops_find(worker->results, function);
    bool *asked = FW_ARRAY(worker->results, bool, record->branch_count + 1), any = false;
    struct fw_emulation *emulation;
    struct fw_emulate_result result;
    for (uint32_t b = 0; before.any && b < record->branch_count; b++) {
        asked[b] = record->branches[b].data_dependent && is_uncertain(&found->branches[b]) &&
                   is_before(&before, function, record->branches[b].instruction);
        any |= asked[b];
    }
    if (!any)
        return;
    const uint64_t count = all < BLOCKS_BEFORE_LOOPS ? all : BLOCKS_BEFORE_LOOPS;
    struct fw_frequency_counter *counter =
        fw_frequency_counter_new(worker->results, record, function, launch, count < all, 0);
    fw_frequency_counter_listen(counter, options);
    options->access = NULL;
    options->ends = before.ends;
    options->blocks = fw_sample_blocks(worker->results, all, count);
    options->block_count = (size_t)count;
    if (fw_emulation_new(&emulation, function, launch, options, NULL))
        return;
    if (!fw_emulation_run(&result, emulation)) {
        const struct fw_frequencies *more = fw_frequency_counter_result(counter);
        for (uint32_t b = 0; b < record->branch_count; b++)
            if (asked[b] && more->branches[b].blocks > found->branches[b].blocks)
                found->branches[b] = more->branches[b];
    }
    fw_emulation_free(emulation);
}

static enum fw_status run(struct fw_worker *worker, const struct fw_emulate_settings *settings,
                          struct fw_sample *sample)
{
    const struct fw_function *function = fw_session_function(worker);
    const uint32_t *grid = worker->launch->grid;
    const uint64_t all = (uint64_t)grid[0] * grid[1] * grid[2];
    uint64_t count = settings->blocks ? settings->blocks : USUAL_BLOCKS;
    struct fw_emulate_launch launch = {.argument_count = 0};
    struct fw_emulate_options options = {.limit =
                                             settings->limit ? settings->limit : MOST_INSTRUCTIONS,
                                         .seed = settings->seed,
                                         .enough = settings->blocks ? 0 : ENOUGH_INSTRUCTIONS,
                                         .on_demand = true};
    struct fw_emulate_result result;
    bool *given = FW_ARRAY(worker->results, bool, worker->record->parameter_count + 1);
    enum fw_status status = fw_session_emulate_arguments(worker, settings, &launch, given);
    count = count < all ? count : all;
    if (!status)
        status = run_blocks(worker, &launch, &options, count, all, sample, &result);
    if (!status && !settings->blocks && count < all && differ(worker, sample->found))
        status = run_blocks(worker, &launch, &options, MORE_BLOCKS < all ? MORE_BLOCKS : all, all,
                            sample, &result);
    if (status)
        return status;
    if (!settings->blocks && result.blocks_run < all)
        run_before_loops(worker, &launch, &options, all, sample->found);
    sample->origins = fw_data_origins_find(worker->results, worker->record, function, given);
    fw_session_publish_emulation(worker, &result);
    return FW_OK;
}

/* ---- what the launch takes from it ---- */

static void take_branches(struct fw_worker *worker, struct fw_sample *sample)
{
    const struct fw_kernel *record = worker->record;
    struct fw_launch *launch = worker->launch;
    for (uint32_t b = 0; b < record->branch_count; b++) {
        const struct fw_frequency *found = &sample->found->branches[b];
        if (!isnan(launch->taken[b]) || isnan(found->value) ||
            sample->origins->runs[record->branches[b].instruction])
            continue;
        sample->branches[b] = true;
        launch->taken[b] = found->value;
        launch->warps_taken[b] = found->warps;
        launch->warps_passed[b] = found->warps_passed;
        launch->blocks_taken[b] = found->blocks_taken;
        launch->blocks_passed[b] = found->blocks_passed;
    }
}

/* What decides how often a loop runs is what its header's instructions come after. */
static uint32_t loop_label(const struct fw_sample *sample, const struct fw_loop *loop)
{
    return sample->origins->runs[loop->instruction];
}

static void take_loops(struct fw_worker *worker, struct fw_sample *sample)
{
    const struct fw_kernel *record = worker->record;
    struct fw_launch *launch = worker->launch;
    for (uint32_t l = 0; l < record->loop_count; l++) {
        const struct fw_frequency *found = &sample->found->loops[l];
        if (!isnan(launch->trips[l]) || isnan(found->value) || record->loops[l].is_wait ||
            loop_label(sample, &record->loops[l]))
            continue;
        sample->loops[l] = true;
        launch->trips[l] = found->value;
        launch->warp_trips[l] = found->warps;
    }
}

/* Whether addresses of the array that depend on data depend on such that nobody stated. */
static bool lacks_contents(const struct fw_worker *worker, const struct fw_sample *sample,
                           uint32_t array)
{
    const struct fw_kernel *record = worker->record;
    bool lacks = false;
    for (uint32_t a = 0; a < record->access_count && !lacks; a++)
        lacks = record->accesses[a].data_dependent && record->accesses[a].array == array &&
                sample->origins->addresses[record->accesses[a].instruction];
    return lacks;
}

/* The working set of an array: what all blocks come to by estimate, at most its size where the user
 * gave the array, of which a few blocks see a part; else the extent of the addresses seen. */
static double working_set(const struct fw_worker *worker, const struct fw_array_use *use)
{
    size_t count;
    const struct fw_emulate_buffer *buffers = fw_emulation_buffers(worker->emulation, &count);
    for (size_t b = 0; b < count; b++)
        if (!buffers[b].assumed && use->low >= buffers[b].address &&
            use->high <= buffers[b].address + buffers[b].bytes)
            return fmin((double)buffers[b].bytes, use->touched);
    return fmin((double)(use->high - use->low), use->touched);
}

/* The same of an array whose size is stated. */
static double working_set_within(const struct fw_worker *worker, const struct fw_array_use *use,
                                 uint32_t parameter)
{
    const double size = worker->launch->sizes[parameter], found = working_set(worker, use);
    return size > 0 ? fmin(size, found) : found;
}

static void take_spreads(struct fw_worker *worker, struct fw_sample *sample)
{
    const struct fw_kernel *record = worker->record;
    for (uint32_t a = 0; a < record->array_count; a++) {
        const struct fw_array_use *use = &sample->found->arrays[a];
        const uint32_t parameter = record->arrays[a].parameter;
        if (!use->high || worker->spreads[parameter] > 0 || lacks_contents(worker, sample, a))
            continue;
        sample->spreads[a] = working_set_within(worker, use, parameter);
        worker->launch->spreads[parameter] = sample->spreads[a];
    }
}

/* Requests of accesses whose address depends on data, and on such alone that were stated. */
static void take_requests(struct fw_worker *worker, const struct fw_sample *sample)
{
    const struct fw_kernel *record = worker->record;
    struct fw_seen_requests *seen =
        FW_ARRAY(worker->results, struct fw_seen_requests, record->access_count + 1);
    for (uint32_t a = 0; a < record->access_count; a++) {
        const uint32_t at = record->accesses[a].instruction;
        if (!sample->origins->addresses[at] && !sample->origins->runs[at])
            seen[a] = sample->found->requests[a];
    }
    worker->launch->seen = seen;
}

/* What granules of an array get of its atomic operations, where stated contents decide it. */
static void take_loads(struct fw_worker *worker, const struct fw_sample *sample)
{
    const struct fw_kernel *record = worker->record;
    struct fw_granule_loads *loads =
        FW_ARRAY(worker->results, struct fw_granule_loads, record->array_count + 1);
    for (uint32_t a = 0; a < record->array_count; a++)
        if (!lacks_contents(worker, sample, a))
            loads[a] = sample->found->arrays[a].loads;
    worker->launch->loads = loads;
}

enum fw_status fw_session_sample(struct fw_worker *worker)
{
    const struct fw_kernel *record = worker->record;
    struct fw_emulate_settings settings;
    worker->sample = NULL;
    if (!worker->predict->emulate)
        return FW_OK;
    fw_session_options(&settings, sizeof(settings), worker->predict->emulate);
    enum fw_status status = check(worker, &settings);
    struct fw_sample *sample = FW_NEW(worker->results, struct fw_sample);
    sample->branches = FW_ARRAY(worker->results, bool, record->branch_count + 1);
    sample->loops = FW_ARRAY(worker->results, bool, record->loop_count + 1);
    sample->spreads = FW_ARRAY(worker->results, double, record->array_count + 1);
    if (!status)
        status = run(worker, &settings, sample);
    if (status)
        return status;
    worker->sample = sample;
    take_branches(worker, sample);
    take_loops(worker, sample);
    take_spreads(worker, sample);
    take_requests(worker, sample);
    take_loads(worker, sample);
    return fw_bound_set(worker->bound, worker->launch);
}

void fw_session_forget_sample(struct fw_worker *worker)
{
    const struct fw_sample *sample = worker->sample;
    struct fw_launch *launch = worker->launch;
    worker->sample = NULL;
    launch->seen = NULL;
    launch->loads = NULL;
    if (!sample)
        return;
    for (uint32_t b = 0; b < worker->record->branch_count; b++)
        if (sample->branches[b])
            fw_launch_forget_branch(launch, b);
    for (uint32_t l = 0; l < worker->record->loop_count; l++)
        if (sample->loops[l])
            launch->trips[l] = launch->warp_trips[l] = (double)NAN;
}

/* ---- what the answer says of it ---- */

static const char *why_kept(const struct fw_worker *worker, const struct fw_frequency *found,
                            uint32_t label)
{
    const char *name = fw_data_origins_name(worker->sample->origins, label);
    if (name)
        return fw_arena_printf(worker->results,
                               "depends on the contents of %s, which are not given (--arg)", name);
    return isnan(found->value) ? "no emulated thread came by" : "is not measured";
}

void fw_session_explain_unknown(const struct fw_worker *worker, struct fw_unknown_row *row,
                                bool is_loop, uint32_t index)
{
    const struct fw_sample *sample = worker->sample;
    const struct fw_kernel *record = worker->record;
    if (!sample)
        return;
    const struct fw_frequency *found =
        is_loop ? &sample->found->loops[index] : &sample->found->branches[index];
    if (!(is_loop ? sample->loops[index] : sample->branches[index])) {
        if (row->is_default)
            row->kept =
                why_kept(worker, found,
                         is_loop ? loop_label(sample, &record->loops[index])
                                 : sample->origins->runs[record->branches[index].instruction]);
        return;
    }
    const struct fw_frequency all = fw_frequency_of_copies(sample->found, record, is_loop, index);
    row->value = all.value;
    fw_session_measured_row(row, &all, is_loop);
}

size_t fw_session_sampled_spreads(const struct fw_worker *worker, struct fw_unknown_row *rows)
{
    const struct fw_sample *sample = worker->sample;
    const struct fw_kernel *record = worker->record;
    size_t count = 0;
    for (uint32_t a = 0; sample && a < record->array_count; a++) {
        if (!(sample->spreads[a] > 0))
            continue;
        rows[count++] = (struct fw_unknown_row){
            .name = fw_arena_printf(worker->results, "%s.spread",
                                    record->parameters[record->arrays[a].parameter].name),
            .kind = "bytes",
            .reason = "data",
            .meaning = "working set of the addresses that data lead to",
            .has_value = true,
            .value = sample->spreads[a],
            .source = "emulated",
            .observations = sample->found->arrays[a].requests,
            .sectors = (double)sample->found->arrays[a].sectors /
                       (double)sample->found->arrays[a].requests,
            .blocks = worker->answer->emulation->blocks_run,
            .low = sample->spreads[a],
            .high = sample->spreads[a]};
    }
    return count;
}
