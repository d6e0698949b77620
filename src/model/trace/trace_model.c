/* The trace model: one multiprocessor simulated over the traces of its warps.
 *
 * Takes a kernel at a bound launch and a profile; asks src/sm for traces and for the pipeline, and
 * src/memory for requests and volumes, from which each access gets what it takes of the
 * load-store unit, of L2 and of device memory.  docs/trace.md says what it models and leaves out.
 */
#include "launch_volumes.h"
#include "local_memory.h"
#include "local_volumes.h"
#include "model.h"
#include "nested.h"
#include "residency.h"
#include "sampled_warps.h"
#include "simulate.h"
#include "warp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_ISSUES = 1500000, /* of a simulation */
    MOST_KINDS = 16        /* blocks of different traces that follow each other */
};

struct work {
    const struct fw_model_question *question;
    struct fw_arena *arena;
    struct fw_prediction *to;
    double clock, multiprocessors;
    double grid; /* blocks of the launch */
    double busy; /* multiprocessors that have any */
    double own;  /* blocks of the busiest one */
    struct fw_residency residency;
    struct fw_launch_volumes volumes;
    struct fw_traces traces;
    struct fw_sm_costs costs;
    struct fw_warp_program *programs; /* by class of traces */
    struct fw_sm_access *accesses;    /* by instruction */
    double spread; /* mean latency of device memory above the least one, as a share of that */
    double latency_l1, latency_l2, latency_dram, latency_shared;
    bool left_out; /* asynchronous copies and the like */
    const char *missing;
};

static double figure_of(struct work *work, enum fw_figure figure)
{
    double value;
    const char *name = fw_figure_row(figure)->name;
    if (fw_device_figure(work->question->device, figure, &value))
        return value;
    if (!work->missing || !strstr(work->missing, name))
        work->missing =
            work->missing ? fw_arena_printf(work->arena, "%s, %s", work->missing, name) : name;
    return 0;
}

/* ---- memory ---- */

/* Cycles of the busiest multiprocessor's share of a rate of the whole device, in bytes a second,
 * for so many bytes: each gets as much of it as it has of the work. */
static double share_cycles(const struct work *work, double bytes, double rate)
{
    double mean = work->grid / work->busy;
    return rate > 0 ? bytes * work->clock * work->busy / rate * (mean / work->own) : 0;
}

static double ratio(double a, double b)
{
    return b > 0 ? fmin(1, fmax(0, a / b)) : 0;
}

/* The share of an access's requests to L2 that miss there, relative to others'. */
static double miss_weight(const struct work *work, uint32_t access)
{
    const struct fw_access_affine *of = &work->volumes.accesses.by_access[access];
    double sum = 0;
    for (uint32_t a = 0; a < of->count; a++)
        sum += work->volumes.volumes.l2_miss_share[of->first + a];
    return of->count ? sum / of->count : 1;
}

struct memory {
    struct fw_sampling sampling;
    double sector;
    double l1_miss; /* of load sectors */
    double l2_miss; /* of loads from L2, for a weight of 1 */
    double written; /* share of stored bytes that go on to device memory */
    struct fw_local_volumes local;
    double local_miss; /* of local loads' sectors, in L1 */
};

/* Requests of one execution by a warp, in the mean. */
struct one_request {
    bool known;
    double sectors, lines, wavefronts, passes, atomic_passes;
};

static struct one_request request_of(const struct work *work, const struct memory *memory,
                                     uint32_t index)
{
    const struct fw_model_question *question = work->question;
    const struct fw_access *access = &question->kernel->accesses[index];
    struct fw_sampled_warps sampled = {0};
    fw_sample_warps(&sampled, &memory->sampling, access,
                    fw_access_shift(question->kernel, access, question->alignments));
    struct one_request one = {.known = sampled.known && sampled.warps > 0};
    if (!one.known) { /* each lane its own sector */
        one.sectors = one.lines = FW_WARP_THREADS;
        one.wavefronts = FW_WARP_THREADS / 2.0;
        one.passes = one.atomic_passes = 1;
        return one;
    }
    one.sectors = sampled.sectors / sampled.warps;
    one.lines = sampled.lines / sampled.warps;
    one.wavefronts = fmax(1, sampled.wavefronts / sampled.warps);
    one.passes = fmax(1, sampled.passes / sampled.warps);
    one.atomic_passes = fmax(1, sampled.atomic_passes / sampled.warps);
    return one;
}

static void cost_shared(struct work *work, struct fw_sm_access *to, const struct fw_access *access,
                        const struct one_request *one)
{
    bool atomic = access->direction == FW_ATOMIC || access->direction == FW_REDUCTION;
    double passes = one->passes;
    to->wait = FW_SM_WAIT_SHORT;
    to->latency[0] = work->latency_shared;
    if (atomic) {
        passes = one->known ? fmax(passes, one->atomic_passes) : passes;
        to->latency[0] = figure_of(work, FW_FIGURE_LATENCY_ATOMIC_SHARED);
    }
    to->wavefronts = passes;
    if (passes > 1)
        to->latency[0] += (passes - 1) * figure_of(work, FW_FIGURE_LATENCY_SHARED_CONFLICT);
}

static void cost_load(struct work *work, struct fw_sm_access *to, const struct memory *memory,
                      uint32_t index, const struct one_request *one)
{
    const struct fw_random_hits *hits =
        work->volumes.random.hits ? &work->volumes.random.hits[index] : NULL;
    double bytes = one->sectors * memory->sector, least = 0;
    fw_device_figure(work->question->device, FW_FIGURE_L2_LOAD_LEAST, &least);
    bool drawn = hits && hits->drawn;
    /* What has no affine form is counted as coming from L2 (launch_volumes.h). */
    bool affine = work->volumes.accesses.by_access[index].count > 0;
    to->miss_l1 = drawn ? 1 - hits->l1 : affine ? memory->l1_miss : 1;
    to->miss_l2 = drawn    ? 1 - hits->l2
                  : affine ? fmin(1, memory->l2_miss * miss_weight(work, index))
                           : 0;
    to->wavefronts = one->wavefronts;
    to->l2 = share_cycles(work, fmax(bytes, least * one->lines),
                          figure_of(work, FW_FIGURE_L2_BANDWIDTH));
    if (drawn) /* a fetch for each sector */
        bytes = one->sectors * fmax(memory->sector, work->volumes.caches.fetch);
    to->dram = share_cycles(work, bytes, figure_of(work, FW_FIGURE_DRAM_COPY_BANDWIDTH));
    to->wait = FW_SM_WAIT_LONG;
    to->latency[0] = work->latency_l1;
    to->latency[1] = work->latency_l2;
    to->latency[2] = work->latency_dram * (1 + work->spread);
}

static void cost_store(struct work *work, struct fw_sm_access *to, const struct memory *memory,
                       const struct one_request *one)
{
    double bytes = one->sectors * memory->sector, least = 0, rate;
    fw_device_figure(work->question->device, FW_FIGURE_L2_STORE_LEAST, &least);
    to->miss_l1 = 1;
    to->miss_l2 = memory->written;
    to->wavefronts = one->wavefronts;
    to->l2 = share_cycles(work, fmax(bytes, least * one->lines),
                          figure_of(work, FW_FIGURE_L2_BANDWIDTH));
    if (fw_device_figure(work->question->device, FW_FIGURE_L2_STORE_BANDWIDTH, &rate))
        to->l2 = fmax(to->l2, share_cycles(work, bytes, rate));
    to->dram = share_cycles(work, bytes, figure_of(work, FW_FIGURE_DRAM_COPY_BANDWIDTH));
    for (int level = 1; level < 3; level++) /* until it is acknowledged */
        to->latency[level] = work->latency_l2;
}

static void cost_atomic(struct work *work, struct fw_sm_access *to, const struct memory *memory,
                        const struct fw_access *access, const struct one_request *one)
{
    double passes = figure_of(work, FW_FIGURE_ATOMIC_PASSES);
    cost_store(work, to, memory, one);
    passes *= figure_of(work, FW_FIGURE_ATOMIC_SLICES);
    to->l2 = fmax(to->l2, share_cycles(work, one->atomic_passes, passes));
    to->waits = access->returns;
    to->wait = FW_SM_WAIT_LONG;
    for (int level = 0; level < 3; level++)
        to->latency[level] = figure_of(work, FW_FIGURE_LATENCY_ATOMIC_GLOBAL);
}

/* Stack arrays: a load hits L1 where the arrays of the resident threads fit. */
static void cost_local(struct work *work, struct fw_sm_access *to, const struct memory *memory,
                       uint32_t index)
{
    const struct fw_kernel *kernel = work->question->kernel;
    const struct fw_access *access = &kernel->accesses[index];
    if (!fw_local_is_modelled(kernel, access))
        return;
    struct one_request one = request_of(work, memory, index);
    if (access->direction != FW_LOAD) {
        cost_store(work, to, memory, &one);
        to->miss_l2 = ratio(memory->local.dram_write, memory->local.l1_to_l2);
        return;
    }
    cost_load(work, to, memory, index, &one);
    to->miss_l1 = memory->local_miss;
    to->miss_l2 = ratio(memory->local.dram_read, memory->local.l2_to_l1);
}

static void cost_access(struct work *work, const struct memory *memory, uint32_t instruction)
{
    const struct fw_kernel *kernel = work->question->kernel;
    const uint32_t index = kernel->schedule[instruction].access;
    const struct fw_access *access = &kernel->accesses[index];
    struct fw_sm_access *to = &work->accesses[instruction];
    to->waits = access->direction == FW_LOAD || access->returns;
    to->wavefronts = 1;
    to->latency[0] = work->latency_l1;
    to->wait = FW_SM_WAIT_LONG;
    work->left_out |= access->asynchronous || access->bulk;
    if (access->asynchronous)
        to->waits = false;
    if (access->bulk || access->space == FW_SPACE_PARAM)
        return;
    if (access->space == FW_SPACE_LOCAL) {
        cost_local(work, to, memory, index);
        return;
    }
    if (access->space == FW_SPACE_CONST) {
        to->latency[0] = figure_of(work, FW_FIGURE_LATENCY_CONSTANT);
        return;
    }
    const struct one_request one = request_of(work, memory, index);
    if (access->space == FW_SPACE_SHARED)
        cost_shared(work, to, access, &one);
    else if (access->direction == FW_LOAD)
        cost_load(work, to, memory, index, &one);
    else if (access->direction == FW_STORE)
        cost_store(work, to, memory, &one);
    else
        cost_atomic(work, to, memory, access, &one);
}

/* The shares of loads and stores that go on from level to level, so that volumes come out. */
static void find_shares(struct work *work, struct memory *memory)
{
    const struct fw_kernel *kernel = work->question->kernel;
    const struct fw_launch_volumes *found = &work->volumes;
    double weighted = 0, loaded = found->volumes.l2_to_l1.bytes;
    const uint32_t *block = work->question->launch->block;
    fw_local_volumes_find(&memory->local, kernel, &found->requests, &found->caches, work->grid,
                          (double)block[0] * block[1] * block[2],
                          loaded + found->requests.non_affine_load_bytes);
    memory->local_miss =
        ratio(memory->local.l2_to_l1, found->requests.local_load_sectors * memory->sector);
    double sectors = found->requests.load_sectors - found->random.load_sectors;
    memory->l1_miss =
        ratio(loaded, sectors * memory->sector - found->requests.non_affine_load_bytes);
    memory->written = ratio(found->volumes.dram_write.bytes, found->l1_to_l2);
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        const struct fw_access *access = &kernel->accesses[a];
        if (access->direction != FW_LOAD || access->space == FW_SPACE_SHARED ||
            access->space == FW_SPACE_PARAM || access->space == FW_SPACE_CONST)
            continue;
        double warps = fw_bound_count_warps(work->question->bound, access->domain)->estimate;
        if (warps > 0)
            weighted += warps * request_of(work, memory, a).sectors * memory->sector *
                        memory->l1_miss * miss_weight(work, a);
    }
    double read =
        fmax(0, found->volumes.dram_read.bytes - found->random.dram_read - memory->local.dram_read);
    memory->l2_miss = weighted > 0 ? read / weighted : ratio(read, loaded);
}

static void find_accesses(struct work *work)
{
    const struct fw_model_question *question = work->question;
    const struct fw_kernel *kernel = question->kernel;
    struct memory memory = {.sampling = {.kernel = kernel,
                                         .bound = question->bound,
                                         .launch = question->launch,
                                         .sector = work->volumes.caches.sector,
                                         .line = work->volumes.caches.line,
                                         .warp = FW_WARP_THREADS,
                                         .data = work->volumes.accesses.data,
                                         .memo = fw_sample_memo_new(work->arena),
                                         .nested = fw_find_nested(work->arena, kernel)},
                            .sector = work->volumes.caches.sector};
    memory.sampling.banks = (uint32_t)figure_of(work, FW_FIGURE_SHARED_BANKS);
    memory.sampling.width = (uint32_t)figure_of(work, FW_FIGURE_SHARED_BANK_BYTES);
    find_shares(work, &memory);
    work->accesses = FW_ARRAY(work->arena, struct fw_sm_access, kernel->schedule_count + 1);
    for (uint32_t i = 0; i < kernel->schedule_count; i++)
        if (!kernel->schedule[i].unreachable && kernel->schedule[i].access_count &&
            kernel->schedule[i].access != FW_NONE &&
            fw_bound_count(question->bound, kernel->schedule[i].domain)->estimate > 0)
            cost_access(work, &memory, i);
}

/* ---- blocks ---- */

/* Seconds of the device from one block's dispatch to the next one's. */
static double dispatch_seconds(const struct work *work)
{
    const struct fw_device *device = work->question->device;
    const struct fw_figure_value *curve = &device->figures[FW_FIGURE_EMPTY_KERNEL];
    double all;
    if (!curve->known || curve->count == 0 ||
        !fw_device_curve(device, FW_FIGURE_EMPTY_KERNEL, work->grid, &all))
        return 0;
    return fmax(0, all - curve->list[1]) / work->grid;
}

/* Instructions of a class of blocks, for comparing them. */
static double issues_of_block(const struct work *work, const struct fw_trace_block *block)
{
    double sum = 0;
    for (uint32_t w = 0; w < work->traces.warps; w++)
        sum += fw_trace_issues(block->warps[w]);
    return sum;
}

static uint32_t heaviest_block(const struct work *work)
{
    uint32_t heaviest = 0;
    double most = -1;
    for (uint32_t b = 0; b < work->traces.block_count; b++) {
        double issues = issues_of_block(work, &work->traces.blocks[b]);
        if (issues > most) {
            most = issues;
            heaviest = b;
        }
    }
    return heaviest;
}

/* The program of a class of warps, made when it is first asked for. */
static const struct fw_warp_program *program_of(struct work *work, const struct fw_trace *trace)
{
    const struct fw_kernel *kernel = work->question->kernel;
    const struct fw_program_rules rules = {.latency_load = work->latency_l2,
                                           .latency_shared = work->latency_shared,
                                           .registers = kernel->resources.registers};
    uint32_t c = 0;
    while (work->traces.classes[c].trace != trace)
        c++;
    if (!work->programs[c].steps)
        fw_warp_program_make(&work->programs[c], work->arena, kernel, &work->traces, trace,
                             &work->costs, &rules);
    return &work->programs[c];
}

static int by_place(const void *a, const void *b)
{
    const struct fw_trace_block *x = *(const struct fw_trace_block *const *)a;
    const struct fw_trace_block *y = *(const struct fw_trace_block *const *)b;
    for (int d = 2; d >= 0; d--)
        if (x->block[d] != y->block[d])
            return x->block[d] < y->block[d] ? -1 : 1;
    return 0;
}

/* The class of the block that comes after a share of all, where classes follow each other. */
static uint32_t block_at(const struct work *work, const struct fw_trace_block *const *placed,
                         double share)
{
    double at = share * work->grid;
    uint32_t p = 0;
    while (p + 1 < work->traces.block_count && at >= placed[p]->blocks)
        at -= placed[p++]->blocks;
    return (uint32_t)(placed[p] - work->traces.blocks);
}

/* The classes of the blocks of one multiprocessor.  Where all of them are resident at once, it has
 * every so many-th block: the first one, or the last, whichever has more to do; else those that
 * come up have the shares of their classes. */
static void choose_blocks(struct work *work, uint32_t *chosen, uint32_t count)
{
    const struct fw_traces *traces = &work->traces;
    const struct fw_trace_block **placed =
        FW_ARRAY(work->arena, const struct fw_trace_block *, traces->block_count);
    double sums[2] = {0};
    for (uint32_t b = 0; b < traces->block_count; b++)
        placed[b] = &traces->blocks[b];
    qsort(placed, traces->block_count, sizeof(*placed), by_place);
    bool at_once = work->own <= work->residency.occupancy.blocks && work->own <= count;
    for (uint32_t k = 0; k < count && !at_once; k++)
        chosen[k] = block_at(work, placed, fmod((k + 0.5) * 0.6180339887498949, 1));
    for (int end = 0; end < 2 && at_once; end++)
        for (uint32_t k = 0; k < work->own; k++)
            sums[end] += issues_of_block(
                work, &traces->blocks[block_at(
                          work, placed, fmin(1, ((double)k + end) / work->own) - end * 1e-9)]);
    for (uint32_t k = 0; k < count && at_once; k++) {
        double end = sums[1] > sums[0];
        chosen[k] =
            block_at(work, placed, fmin(1, (fmod(k, work->own) + end) / work->own) - end * 1e-9);
    }
}

static void set_programs(struct work *work, struct fw_sm_simulation *simulation,
                         const uint32_t *blocks, uint32_t count)
{
    const uint32_t warps = work->traces.warps;
    const struct fw_warp_program **all =
        FW_ARRAY(work->arena, const struct fw_warp_program *, count *warps);
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t w = 0; w < warps; w++)
            all[k * warps + w] = program_of(work, work->traces.blocks[blocks[k]].warps[w]);
    simulation->programs = all;
    simulation->kinds = count;
}

static double issues_per_block(const struct work *work)
{
    const struct fw_kernel *kernel = work->question->kernel;
    double *issues = FW_ARRAY(work->arena, double, kernel->schedule_count + 1);
    double *threads = FW_ARRAY(work->arena, double, kernel->schedule_count + 1), sum = 0;
    for (uint32_t k = 0; k < work->traces.class_count; k++)
        fw_trace_count(&work->traces, work->traces.classes[k].trace, work->traces.classes[k].warps,
                       issues, threads);
    for (uint32_t i = 0; i < kernel->schedule_count; i++)
        for (uint32_t o = work->costs.first[i]; o < work->costs.first[i + 1]; o++)
            sum += issues[i] / work->costs.operations[o].every;
    return sum / work->grid;
}

static void simulate(struct work *work, struct fw_sm_result *result)
{
    struct fw_sm_simulation simulation = {
        .costs = &work->costs,
        .accesses = work->accesses,
        .schedulers = (uint32_t)fmax(1, figure_of(work, FW_FIGURE_SCHEDULERS)),
        .resident = work->residency.occupancy.blocks ? work->residency.occupancy.blocks : 1,
        .blocks = work->own,
        .warps = work->traces.warps,
        .barrier = figure_of(work, FW_FIGURE_LATENCY_BARRIER),
        .start = figure_of(work, FW_FIGURE_BLOCK_START),
        .queue = figure_of(work, FW_FIGURE_DRAM_QUEUE),
        .dispatch = dispatch_seconds(work) * work->busy * work->clock,
        .most_issues = MOST_ISSUES,
        .issues_per_block = issues_per_block(work)};
    uint32_t chosen[MOST_KINDS] = {0}, heaviest;
    work->programs = FW_ARRAY(work->arena, struct fw_warp_program, work->traces.class_count + 1);
    uint32_t kinds = work->traces.block_count == 1 ? 1 : MOST_KINDS;
    choose_blocks(work, chosen, kinds);
    set_programs(work, &simulation, chosen, kinds);
    fw_sm_simulate(result, work->arena, &simulation);
    if (kinds == 1 || work->own <= 1)
        return;
    /* No launch ends before its longest block. */
    struct fw_sm_result alone;
    heaviest = heaviest_block(work);
    set_programs(work, &simulation, &heaviest, 1);
    simulation.blocks = simulation.resident = 1;
    simulation.issues_per_block = issues_of_block(work, &work->traces.blocks[heaviest]);
    fw_sm_simulate(&alone, work->arena, &simulation);
    result->cycles = fmax(result->cycles, alone.cycles);
}

/* ---- the answer ---- */

#define STALLS "Warps' time by Nsight Compute's stall reasons"

static const struct fw_quantity_kind stall_kinds[FW_SM_STALL_COUNT] = {
#define X(name, text)                                                                              \
    [FW_SM_STALL_##name] = {.key = "stall_" text,                                                  \
                            .title = text,                                                         \
                            .unit = "share",                                                       \
                            .meaning = "of the time of resident warps",                            \
                            .group = STALLS},
    FW_SM_STALLS(X)
#undef X
};
static const struct fw_quantity_kind issue_kind = {.key = "issue_active",
                                                   .title = "issue slots filled",
                                                   .unit = "share",
                                                   .meaning = "of those of the busiest "
                                                              "multiprocessor",
                                                   .group = STALLS};

static void publish_stalls(struct work *work, const struct fw_sm_result *result)
{
    struct fw_quantity_row *rows =
        FW_ARRAY(work->arena, struct fw_quantity_row, FW_SM_STALL_COUNT + 1);
    double sum = 0, schedulers = fmax(1, figure_of(work, FW_FIGURE_SCHEDULERS));
    for (int s = 0; s < FW_SM_STALL_COUNT; s++)
        sum += result->stalls[s];
    rows[0] = (struct fw_quantity_row){
        .kind = &issue_kind,
        .value = result->cycles > 0 ? fmin(1, result->issued / result->cycles / schedulers) : 0};
    for (int s = 0; s < FW_SM_STALL_COUNT; s++)
        rows[s + 1] = (struct fw_quantity_row){.kind = &stall_kinds[s],
                                               .value = sum > 0 ? result->stalls[s] / sum : 0};
    work->to->quantities = rows;
    work->to->quantity_count = FW_SM_STALL_COUNT + 1;
}

static void add_term(struct work *work, struct fw_cost_row *rows, const char *name,
                     enum fw_figure figure, double cycles, double parts, const char *meaning)
{
    double seconds = cycles / parts / work->clock;
    if (!(seconds > 0))
        return;
    size_t at = work->to->term_count++;
    while (at > 0 && rows[at - 1].seconds < seconds) {
        rows[at] = rows[at - 1];
        at--;
    }
    rows[at] = (struct fw_cost_row){
        .name = name,
        .seconds = seconds,
        .amount = cycles,
        .unit = "cycles",
        .rate = work->clock * parts,
        .figure = fw_figure_row(figure)->name,
        .source = fw_figure_source_text(work->question->device->figures[figure].source),
        .meaning = meaning};
}

static void publish_terms(struct work *work, const struct fw_sm_result *result, double around)
{
    static const char *const meanings[FW_SM_UNIT_COUNT] = {
        [FW_SM_NONE] = "instructions issued to warps",
        [FW_SM_FMA] = "f32 arithmetic and integer products",
        [FW_SM_ALU] = "integer, logic and comparison",
        [FW_SM_FP16] = "f16 and bf16 arithmetic",
        [FW_SM_FP64] = "f64 arithmetic",
        [FW_SM_XU] = "reciprocals, roots, exponentials, conversions",
        [FW_SM_TENSOR] = "matrix products"};
    struct fw_cost_row *rows =
        FW_ARRAY(work->arena, struct fw_cost_row, FW_SM_UNIT_COUNT + FW_SM_SERVER_COUNT + 2);
    double schedulers = fmax(1, figure_of(work, FW_FIGURE_SCHEDULERS));
    for (int u = 0; u < FW_SM_UNIT_COUNT; u++)
        if (u != FW_SM_LSU)
            add_term(work, rows, fw_sm_unit_text((enum fw_sm_unit)u),
                     fw_sm_unit_figure((enum fw_sm_unit)u), result->busy[u], schedulers,
                     meanings[u]);
    add_term(work, rows, "lsu", FW_FIGURE_SM_CLOCK, result->served[FW_SM_SERVER_LSU], 1,
             "wavefronts of the load-store unit, shared memory included");
    add_term(work, rows, "l2", FW_FIGURE_L2_BANDWIDTH, result->served[FW_SM_SERVER_L2], 1,
             "the multiprocessor's share of L2");
    add_term(work, rows, "dram", FW_FIGURE_DRAM_COPY_BANDWIDTH, result->served[FW_SM_SERVER_DRAM],
             1, "the multiprocessor's share of device memory");
    add_term(work, rows, "start_and_end", FW_FIGURE_EMPTY_DURATION, around * work->clock, 1,
             "start of the first block and end of the launch, as of a kernel that does nothing");
    for (size_t t = 0; t < work->to->term_count; t++)
        rows[t].share = rows[t].seconds / rows[0].seconds;
    work->to->terms = rows;
    work->to->limiter = work->to->term_count ? rows[0].name : NULL;
}

static void publish_occupancy(struct work *work)
{
    const struct fw_residency *residency = &work->residency;
    if (!residency->known || !residency->has_waves)
        return;
    work->to->has_occupancy = true;
    work->to->resident_blocks = residency->occupancy.blocks;
    work->to->occupancy = residency->occupancy.share;
    work->to->occupancy_limit = fw_limit_text(residency->occupancy.limit);
    work->to->waves = residency->waves.full;
}

static void say_what_is_left_out(struct work *work, const struct fw_sm_result *result)
{
    struct fw_arena *arena = work->arena;
    const struct fw_model_question *question = work->question;
    const char *sentences[12];
    size_t count = 0;
    sentences[count++] = "Queues of the load-store unit are taken to be endless, and caches to hit "
                         "evenly over an access's executions.";
    sentences[count++] = "Instruction caches hit, but for what launching adds.";
    if (work->missing)
        sentences[count++] = fw_arena_printf(
            arena, "The profile has no %s: what they cost counts as nothing.", work->missing);
    if (work->costs.missing)
        sentences[count++] = fw_arena_printf(
            arena, "The profile has no %s: what they cost counts as nothing.", work->costs.missing);
    if (work->left_out)
        sentences[count++] = "Nobody waits for asynchronous copies, and bulk copies move nothing.";
    if (!question->kernel->capability)
        sentences[count++] = "There is no machine layer: arithmetic counts as nothing.";
    if (work->traces.blocks_sampled)
        sentences[count++] = "Traces of some blocks stand for those between them.";
    if (work->traces.iterations_sampled)
        sentences[count++] = "Some iterations of a loop whose iterations differ stand for all.";
    if (result->cut)
        sentences[count++] = "The simulation was cut off: the rest goes on at the rate so far.";
    fw_model_say(work->to, arena, sentences, count);
}

static enum fw_status find_all(struct work *work)
{
    const struct fw_model_question *question = work->question;
    const struct fw_kernel *kernel = question->kernel;
    const struct fw_trace_options options = {0};
    const uint32_t *grid = question->launch->grid;
    work->grid = (double)grid[0] * grid[1] * grid[2];
    enum fw_status status =
        fw_launch_clock(&work->clock, question->clock, question->device, question->sink);
    if (!status)
        status = fw_residency_find(&work->residency, &kernel->resources, question->launch,
                                   question->device, question->sink);
    if (status)
        return status;
    work->multiprocessors = figure_of(work, FW_FIGURE_MULTIPROCESSORS);
    work->busy = fmin(work->multiprocessors, work->grid);
    work->own = ceil(work->grid / work->multiprocessors);
    const struct fw_launch_question ask = {
        .kernel = kernel,
        .bound = question->bound,
        .launch = question->launch,
        .device = question->device,
        .alignments = question->alignments,
        .cold = question->cold,
        .resident_blocks = work->residency.occupancy.blocks ? work->residency.occupancy.blocks : 1,
        .registers = kernel->resources.registers,
        .shared_bytes = work->residency.occupancy.carve_out_bytes};
    status = fw_launch_volumes_find(&work->volumes, work->arena, &ask, question->sink);
    if (!status)
        status = fw_traces_find(&work->traces, work->arena, kernel, question->bound,
                                question->launch, &options, question->sink);
    if (status)
        return status;
    double far;
    work->spread = figure_of(work, FW_FIGURE_LATENCY_SPREAD);
    work->latency_l1 = figure_of(work, FW_FIGURE_LATENCY_L1);
    work->latency_l2 = figure_of(work, FW_FIGURE_LATENCY_L2);
    if (fw_device_figure(question->device, FW_FIGURE_LATENCY_L2_FAR, &far))
        work->latency_l2 = (work->latency_l2 + far) / 2;
    work->latency_dram = fmax(work->latency_l2, figure_of(work, FW_FIGURE_LATENCY_DRAM));
    work->latency_shared = figure_of(work, FW_FIGURE_LATENCY_SHARED);
    fw_sm_costs_find(&work->costs, work->arena, kernel, question->device);
    find_accesses(work);
    return FW_OK;
}

static enum fw_status predict(struct fw_prediction *prediction, void *state,
                              const struct fw_model_question *question)
{
    struct work work = {.question = question, .arena = question->arena, .to = prediction};
    struct fw_sm_result result;
    (void)state;
    enum fw_status status = find_all(&work);
    if (status)
        return status;
    simulate(&work, &result);
    double around = figure_of(&work, FW_FIGURE_EMPTY_DURATION);
    prediction->clock = work.clock;
    prediction->seconds = result.cycles / work.clock + around;
    prediction->has_overhead = fw_launch_overhead(&prediction->overhead_seconds, question->device);
    publish_occupancy(&work);
    publish_terms(&work, &result, around);
    publish_stalls(&work, &result);
    say_what_is_left_out(&work, &result);
    return FW_OK;
}

const struct fw_model fw_model_trace = {.name = "trace",
                                        .summary = "a multiprocessor simulated over the traces of "
                                                   "its warps: what waits for what; see "
                                                   "docs/trace.md",
                                        .needs = FW_MODEL_NEEDS_SCHEDULE,
                                        .predict = predict};
