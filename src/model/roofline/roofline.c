#include "roofline_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text;
    enum fw_figure figure;
    const char *unit;
    const char *meaning;
} resources[FW_ROOFLINE_RESOURCE_COUNT] = {
#define X(name, text, figure, unit, meaning) {text, FW_FIGURE_##figure, unit, meaning},
    FW_ROOFLINE_RESOURCES(X)
#undef X
};

double fw_roofline_joules(const struct fw_roofline_term *term, const struct fw_device *device)
{
    static const struct {
        enum fw_roofline_resource resource;
        enum fw_figure figure;
    } energies[] = {{FW_ROOFLINE_F32, FW_FIGURE_ENERGY_F32},
                    {FW_ROOFLINE_F64, FW_FIGURE_ENERGY_F64},
                    {FW_ROOFLINE_F16, FW_FIGURE_ENERGY_F32},
                    {FW_ROOFLINE_INTEGER, FW_FIGURE_ENERGY_INT32_MULTIPLY},
                    {FW_ROOFLINE_SPECIAL, FW_FIGURE_ENERGY_SPECIAL},
                    {FW_ROOFLINE_TENSOR_F16, FW_FIGURE_ENERGY_TENSOR},
                    {FW_ROOFLINE_TENSOR_BF16, FW_FIGURE_ENERGY_TENSOR},
                    {FW_ROOFLINE_TENSOR_TF32, FW_FIGURE_ENERGY_TENSOR}};
    double energy;
    for (size_t e = 0; e < sizeof(energies) / sizeof(energies[0]); e++)
        if (energies[e].resource == term->resource &&
            fw_device_figure(device, energies[e].figure, &energy))
            return term->amount * energy;
    return 0;
}

const char *fw_roofline_text(enum fw_roofline_resource resource)
{
    return resources[resource].text;
}

const char *fw_roofline_unit(enum fw_roofline_resource resource)
{
    return resources[resource].unit;
}

const char *fw_roofline_meaning(enum fw_roofline_resource resource)
{
    return resources[resource].meaning;
}

double *roofline_line(struct roofline_work *work, uint32_t line)
{
    if (work->newest < work->lines.count && work->lines.at[work->newest].line == line)
        return work->lines.at[work->newest].amounts;
    for (uint32_t l = 0; l < work->lines.count; l++)
        if (work->lines.at[l].line == line) {
            work->newest = l;
            return work->lines.at[l].amounts;
        }
    work->newest = (uint32_t)work->lines.count;
    FW_APPEND(work->arena, &work->lines)->line = line;
    return work->lines.at[work->newest].amounts;
}

typedef FW_VECTOR(const char *) sentences;

static void say(struct roofline_work *work, sentences *all, const char *sentence)
{
    *FW_APPEND(work->arena, all) = sentence;
}

static uint64_t blocks_of(const struct fw_launch *launch)
{
    return (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
}

static bool is_of_multiprocessor(enum fw_roofline_resource resource)
{
    return resource != FW_ROOFLINE_L2 && resource != FW_ROOFLINE_DRAM &&
           resource != FW_ROOFLINE_DISPATCH;
}

/* Units a second of the whole device; false: the profile does not say. */
static bool rate_of(const struct roofline_work *work, struct fw_roofline_term *term, double clock)
{
    double figure, factor = 1, multiprocessors = 0;
    term->figure = resources[term->resource].figure;
    if (term->resource == FW_ROOFLINE_DRAM && !work->device->figures[term->figure].known)
        term->figure = FW_FIGURE_DRAM_BANDWIDTH;
    if (!fw_device_figure(work->device, term->figure, &figure))
        return false;
    fw_device_figure(work->device, FW_FIGURE_MULTIPROCESSORS, &multiprocessors);
    if (term->resource == FW_ROOFLINE_SHARED)
        factor = (double)fw_device_count(work->device, FW_FIGURE_SHARED_BANK_BYTES, 4);
    if (term->resource >= FW_ROOFLINE_TENSOR_F16 && term->resource <= FW_ROOFLINE_TENSOR_F64 &&
        work->has_mma && !fw_device_figure(work->device, FW_FIGURE_TENSOR_MMA_SHARE, &factor))
        factor = 1;
    term->rate = figure * factor;
    if (is_of_multiprocessor(term->resource))
        term->rate *= multiprocessors * clock;
    return true;
}

static double sum_of(const struct roofline_work *work, enum fw_roofline_resource resource)
{
    double sum = 0;
    for (size_t l = 0; l < work->lines.count; l++)
        sum += work->lines.at[l].amounts[resource];
    return sum;
}

/* The busiest multiprocessor's share over the mean one's: blocks are whole. */
static double imbalance(const struct roofline_work *work)
{
    double multiprocessors = 1, blocks = (double)blocks_of(work->launch);
    fw_device_figure(work->device, FW_FIGURE_MULTIPROCESSORS, &multiprocessors);
    return ceil(blocks / multiprocessors) * multiprocessors / blocks;
}

/* Data that a launch before this one left in L2: device memory has no part in it then. */
static void place_in_l2(struct roofline_work *work, sentences *all)
{
    double size, partitions = 1, rate;
    bool cold = work->options && work->options->cold;
    if (cold || !fw_device_figure(work->device, FW_FIGURE_L2_BYTES, &size))
        return;
    fw_device_figure(work->device, FW_FIGURE_L2_PARTITIONS, &partitions);
    if (!(work->footprint <= size / (partitions > 0 ? partitions : 1)) || work->footprint <= 0)
        return;
    if (!fw_device_figure(work->device, FW_FIGURE_L2_BANDWIDTH, &rate)) {
        say(work, all,
            "The launch's data fit into L2, but the profile has no l2_bandwidth: they are priced "
            "at the bandwidth of device memory.");
        return;
    }
    for (size_t l = 0; l < work->lines.count; l++) {
        double *amounts = work->lines.at[l].amounts;
        amounts[FW_ROOFLINE_L2] += amounts[FW_ROOFLINE_DRAM];
        amounts[FW_ROOFLINE_DRAM] = 0;
    }
}

static int slowest_first(const void *a, const void *b)
{
    const struct fw_roofline_term *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? 1 : -1;
    return x->resource < y->resource ? -1 : x->resource > y->resource;
}

static int largest_first(const void *a, const void *b)
{
    const struct fw_roofline_term *x = a, *y = b;
    if (x->amount != y->amount)
        return x->amount < y->amount ? 1 : -1;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* Handing blocks out takes time: what an empty kernel of as many blocks takes beyond a small one.
 */
static void add_dispatch(struct roofline_work *work, struct fw_roofline *result)
{
    double blocks = (double)blocks_of(work->launch), all;
    const struct fw_figure_value *curve = &work->device->figures[FW_FIGURE_EMPTY_KERNEL];
    if (!curve->known || curve->count == 0 ||
        !fw_device_curve(work->device, FW_FIGURE_EMPTY_KERNEL, blocks, &all))
        return;
    result->has_overhead = true;
    result->overhead_seconds = curve->list[1];
    if (!(all > curve->list[1]))
        return;
    struct fw_roofline_term *term = &result->terms[result->term_count++];
    term->resource = FW_ROOFLINE_DISPATCH;
    term->figure = FW_FIGURE_EMPTY_KERNEL;
    term->amount = blocks;
    term->seconds = all - curve->list[1];
    term->rate = blocks / term->seconds;
}

static void add_terms(struct roofline_work *work, struct fw_roofline *result, sentences *all)
{
    double uneven = imbalance(work);
    result->terms = FW_ARRAY(work->arena, struct fw_roofline_term, FW_ROOFLINE_RESOURCE_COUNT);
    for (int r = 0; r < FW_ROOFLINE_DISPATCH; r++) {
        struct fw_roofline_term term = {.resource = (enum fw_roofline_resource)r};
        term.amount = sum_of(work, term.resource);
        if (!(term.amount > 0))
            continue;
        if (!rate_of(work, &term, result->clock)) {
            say(work, all,
                fw_arena_printf(work->arena, "The profile has no %s: %s has no term.",
                                fw_figure_row(term.figure)->name, resources[r].text));
            continue;
        }
        term.seconds = term.amount / term.rate;
        if (is_of_multiprocessor(term.resource))
            term.seconds *= uneven;
        result->terms[result->term_count++] = term;
    }
    add_dispatch(work, result);
    qsort(result->terms, result->term_count, sizeof(*result->terms), slowest_first);
    for (uint32_t t = 0; t < result->term_count; t++)
        result->terms[t].share =
            result->terms[0].seconds > 0 ? result->terms[t].seconds / result->terms[0].seconds : 0;
}

static void add_lines(struct roofline_work *work, struct fw_roofline *result)
{
    uint32_t t = 0; /* blocks are handed out by no line: the next resource then */
    while (t < result->term_count && result->terms[t].resource == FW_ROOFLINE_DISPATCH)
        t++;
    if (t == result->term_count)
        return;
    const struct fw_roofline_term *top = &result->terms[t];
    result->lines = FW_ARRAY(work->arena, struct fw_roofline_term, work->lines.count + 1);
    for (size_t l = 0; l < work->lines.count; l++) {
        double amount = work->lines.at[l].amounts[top->resource];
        if (!(amount > 0) || work->lines.at[l].line == 0)
            continue;
        struct fw_roofline_term *row = &result->lines[result->line_count++];
        *row = *top;
        row->line = work->lines.at[l].line;
        row->amount = amount;
        row->share = amount / top->amount;
        row->seconds = top->seconds * row->share;
    }
    qsort(result->lines, result->line_count, sizeof(*result->lines), largest_first);
}

static enum fw_status add_occupancy(struct roofline_work *work, struct fw_roofline *result,
                                    sentences *all, const struct fw_sink *sink)
{
    const struct fw_resources *resources_of = work->resources;
    const uint32_t *block = work->launch->block;
    struct fw_block_needs needs = {.threads = block[0] * block[1] * block[2],
                                   .registers =
                                       resources_of->registers ? resources_of->registers : 1,
                                   .shared_static = resources_of->static_shared,
                                   .shared_dynamic = work->launch->shared,
                                   .carve_out = -1};
    if (fw_occupancy(&result->occupancy, work->device, &needs, NULL) != FW_OK) {
        say(work, all, "The profile lacks figures that the rules of occupancy need.");
        return FW_OK;
    }
    if (result->occupancy.blocks == 0) {
        fw_report(sink, FW_ERROR, "MOD002", (struct fw_span){0},
                  "such a block cannot run on %s: too much %s (%u threads, %llu bytes of shared "
                  "memory)",
                  work->device->name, fw_limit_text(result->occupancy.limit), needs.threads,
                  (unsigned long long)(needs.shared_static + needs.shared_dynamic));
        return FW_ERROR_USAGE;
    }
    result->has_occupancy = fw_occupancy_waves(&result->waves, work->device, &result->occupancy,
                                               blocks_of(work->launch), NULL) == FW_OK;
    if (!resources_of->registers)
        say(work, all,
            work->request
                ? "Registers are not known: occupancy may be lower than stated."
                : "Registers are not known (PTX has none): occupancy may be lower than stated.");
    else if (strcmp(resources_of->registers_source, "liveness") == 0)
        say(work, all, "Registers are estimated from what is live in PTX: occupancy may differ.");
    if (resources_of->spill_store_bytes || resources_of->spill_load_bytes)
        say(work, all,
            fw_arena_printf(work->arena,
                            "Registers do not suffice: the kernel's spills (%u bytes stored, %u "
                            "loaded by a thread) are not counted.",
                            resources_of->spill_store_bytes, resources_of->spill_load_bytes));
    return FW_OK;
}

static void say_the_rest(struct roofline_work *work, sentences *all)
{
    say(work, all,
        "Resources are taken to overlap perfectly, and latencies to be hidden: real kernels are "
        "slower.");
    say(work, all,
        "Caches hit exactly when data is asked for again: capacity, conflicts and what L1 holds "
        "are not modelled.");
    for (uint32_t l = 0; work->request && l < work->request->left_out_count; l++)
        say(work, all, work->request->left_out[l]);
    if (work->request)
        return;
    /* What was stated of a domain's instructions, who read it knows. */
    bool code = strcmp(work->kernel->layer, "domain") != 0;
    if (code && !work->kernel->capability)
        say(work, all, "Instructions are PTX's: what the device issues for them differs.");
    else if (code)
        say(work, all,
            fw_arena_printf(
                work->arena,
                "Instructions are those of compute capability %u.%u by estimate from PTX: "
                "the assembler's unrolling by rule, its %s not known.",
                work->kernel->capability / 10, work->kernel->capability % 10,
                work->kernel->resources.assembler ? "scheduling is" : "spills and scheduling are"));
    if (work->kernel->unlowered)
        say(work, all,
            fw_arena_printf(work->arena, "%u PTX instructions have no machine estimate.",
                            work->kernel->unlowered));
    if (work->expanded > 0)
        say(work, all,
            "A division, and any f64 root, counts as one operation: the device takes about ten to "
            "twenty.");
    if (work->calls)
        say(work, all,
            fw_arena_printf(
                work->arena,
                "Calls of code that is not followed (%u of them) cost the issue of as many "
                "instructions as were stated for it, and no memory.",
                work->calls));
    if (work->unknown_addresses)
        say(work, all,
            fw_arena_printf(work->arena,
                            "The addresses of %u accesses depend on data: their bytes count as "
                            "asked for once, without gaps.",
                            work->unknown_addresses));
    if (work->unknown_extents)
        say(work, all,
            fw_arena_printf(work->arena,
                            "The extent of %u accesses is not known: no reuse in caches is counted "
                            "for their arrays.",
                            work->unknown_extents));
}

static enum fw_status predict(struct fw_roofline **prediction, struct roofline_work *work,
                              const struct fw_sink *sink)
{
    const struct fw_device *device = work->device;
    struct fw_roofline *result = FW_NEW(work->arena, struct fw_roofline);
    sentences all = {0};
    *prediction = NULL;
    result->clock = work->options ? work->options->clock : 0;
    if (!device->figures[FW_FIGURE_MULTIPROCESSORS].known ||
        (!(result->clock > 0) && !fw_device_figure(device, FW_FIGURE_SM_CLOCK, &result->clock))) {
        fw_report(sink, FW_ERROR, "MOD001", (struct fw_span){0},
                  "the profile %s states no %s, which a prediction needs", device->name,
                  device->figures[FW_FIGURE_MULTIPROCESSORS].known ? "sm_clock"
                                                                   : "multiprocessors");
        return FW_ERROR_INPUT;
    }
    enum fw_status status = add_occupancy(work, result, &all, sink);
    if (status)
        return status;
    if (work->kernel) {
        roofline_arithmetic(work);
        roofline_memory(work);
    }
    place_in_l2(work, &all);
    add_terms(work, result, &all);
    if (result->term_count) {
        result->seconds = result->terms[0].seconds;
        add_lines(work, result);
    }
    say_the_rest(work, &all);
    result->left_out = all.at;
    result->left_out_count = (uint32_t)all.count;
    *prediction = result;
    return FW_OK;
}

enum fw_status fw_roofline_predict(struct fw_roofline **prediction, struct fw_arena *arena,
                                   const struct fw_kernel *kernel, struct fw_bound *bound,
                                   const struct fw_launch *launch, const struct fw_device *device,
                                   const struct fw_roofline_options *options,
                                   const struct fw_sink *sink)
{
    struct roofline_work work = {.arena = arena,
                                 .kernel = kernel,
                                 .resources = &kernel->resources,
                                 .bound = bound,
                                 .launch = launch,
                                 .device = device,
                                 .options = options};
    return predict(prediction, &work, sink);
}

enum fw_status fw_roofline_from_work(struct fw_roofline **prediction, struct fw_arena *arena,
                                     const struct fw_roofline_request *request,
                                     const struct fw_device *device,
                                     const struct fw_roofline_options *options,
                                     const struct fw_sink *sink)
{
    struct roofline_work work = {.arena = arena,
                                 .resources = request->resources,
                                 .request = request,
                                 .launch = request->launch,
                                 .device = device,
                                 .options = options,
                                 .footprint = request->footprint};
    for (uint32_t w = 0; w < request->work_count; w++) {
        double *amounts = roofline_line(&work, request->work[w].line);
        for (int r = 0; r < FW_ROOFLINE_RESOURCE_COUNT; r++)
            amounts[r] += request->work[w].amounts[r];
    }
    return predict(prediction, &work, sink);
}
