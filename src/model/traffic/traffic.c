#include "measured.h"

#include "address_sentences.h"
#include "block_choice.h"
#include "chain.h"
#include "dram_service.h"
#include "l2_latency.h"
#include "l2_service.h"
#include "launch_service.h"
#include "launch_volumes.h"
#include "load_order.h"
#include "lone_launch.h"
#include "random_wait.h"
#include "rounds.h"
#include "unit_service.h"
#include "warp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text, *unit, *meaning;
    enum fw_figure figure;
} limiters[FW_TRAFFIC_LIMITER_COUNT] = {
#define X(name, text, figure, unit, meaning) {text, unit, meaning, FW_FIGURE_##figure},
    FW_TRAFFIC_LIMITERS(X)
#undef X
};

enum {
    MAX_SENTENCES = 48, /* more than can be said */
    /* Warps of a group where the profile has no warps_in_step: the value that was calibrated on an
     * H200 (docs/memory-traffic.md, Time). */
    DEFAULT_WARPS_IN_STEP = 3,
    ENOUGH_BLOCKS = 64,  /* resident blocks that hide all latency, if occupancy is not known */
    SHORT_ISSUES = 50000 /* of a simulation of warps whose loads are copied ahead */
};

/* How much longer than its slowest resource a launch takes for waits to be among its limiters. */
static const double WAITING = 1.1;

struct work {
    struct fw_arena *arena;
    const struct fw_kernel *kernel;
    struct fw_bound *bound;
    const struct fw_launch *launch;
    const struct fw_device *device;
    const struct fw_traffic_options *options;
    const struct fw_launch_volumes *found;
    struct fw_traffic *result;
    struct fw_caches caches;
    struct fw_units units;
    double chain,
        in_loops; /* cycles of a warp's longest dependency chain; of these: added by loops */
};

static void say(struct work *work, const char *sentence)
{
    if (work->result->not_modelled_count < MAX_SENTENCES)
        work->result->not_modelled[work->result->not_modelled_count++] = sentence;
}

/* Resident blocks per multiprocessor, and the shared memory that L1 gives up for them. */
static void find_residents(struct work *work, uint32_t *blocks, uint64_t *shared)
{
    struct fw_traffic *result = work->result;
    const struct fw_resources *resources = &work->kernel->resources;
    struct fw_block_needs needs = {.carve_out = -1};
    struct fw_waves waves;
    const uint32_t *block = work->launch->block, *grid = work->launch->grid;
    needs.threads = block[0] * block[1] * block[2];
    needs.registers = work->options->registers ? work->options->registers : resources->registers;
    needs.shared_static = resources->static_shared;
    needs.shared_dynamic = work->launch->shared;
    work->caches.registers = needs.registers;
    *blocks = 1;
    *shared = 0;
    if (fw_occupancy(&result->occupancy, work->device, &needs, NULL) != FW_OK ||
        result->occupancy.blocks == 0) {
        say(work, "Occupancy is not known: volumes assume one resident block per multiprocessor, "
                  "and the time "
                  "assumes that latency is hidden.");
        return;
    }
    *blocks = result->occupancy.blocks;
    *shared = result->occupancy.carve_out_bytes;
    result->has_occupancy =
        fw_occupancy_waves(&waves, work->device, &result->occupancy,
                           (uint64_t)grid[0] * grid[1] * grid[2], NULL) == FW_OK;
    result->waves = result->has_occupancy ? waves.full : 0;
    if (needs.registers == 0)
        say(work, "Registers per thread are not known: waves may be smaller than assumed.");
}

static double blocks_of(const struct work *work)
{
    return (double)work->launch->grid[0] * work->launch->grid[1] * work->launch->grid[2];
}

static void add_term(struct work *work, const struct fw_traffic_term *term)
{
    struct fw_traffic *result = work->result;
    if (term->seconds > 0)
        result->terms[result->term_count++] = *term;
}

/* Multiprocessors that have work. */
static double busy(const struct work *work)
{
    double all = work->caches.multiprocessors, blocks = blocks_of(work);
    return blocks < all ? blocks : all;
}

static void add_limiter(struct work *work, enum fw_traffic_limiter limiter, double amount,
                        double rate)
{
    struct fw_traffic_term term = {.name = limiters[limiter].text, .amount = amount, .rate = rate};
    term.figure = limiters[limiter].figure;
    term.unit = limiters[limiter].unit;
    term.meaning = limiters[limiter].meaning;
    if (rate > 0) {
        term.seconds = amount / rate;
        add_term(work, &term);
    } else if (amount > 0) {
        say(work, fw_arena_printf(work->arena, "The profile has no %s: %s has no limiter.",
                                  fw_figure_row(term.figure)->name, term.name));
    }
}

static int slowest_first(const void *a, const void *b)
{
    const struct fw_traffic_term *x = a, *y = b;
    return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

static void sort_terms(struct fw_traffic *result)
{
    qsort(result->terms, result->term_count, sizeof(*result->terms), slowest_first);
    for (uint32_t t = 0; t < result->term_count; t++)
        result->terms[t].share = result->terms[t].seconds / result->terms[0].seconds;
}

/* By affine access: what tells whether loads pass stores, and which go together. */
static const struct fw_load_order *order_of(const struct work *work)
{
    return fw_load_order_find(work->arena, work->kernel, work->bound, work->launch,
                              work->result->accesses, work->caches.barrier_in_loop);
}

/* Seconds of another resource; of instruction issue, at the share of its slots that the profile
 * says are filled. */
static double seconds_of(const struct work *work, const struct fw_traffic_other *other)
{
    double share;
    if (other->issues && fw_device_figure(work->device, FW_FIGURE_ISSUE_SHARE, &share))
        return other->seconds / share;
    return other->seconds;
}

/* Seconds of the resources other than memory.  Instructions that keep a unit for more than an issue
 * slot wait for each other where that unit is nearly as busy as issue: then the two take longer
 * than the slower one (`pipes_overlap`).  Source: mixes.cu in data/h200/traffic. */
static double slowest_other(const struct work *work)
{
    double most = 0, issue = 0, slow = 0, overlap;
    for (uint32_t o = 0; o < work->options->other_count; o++) {
        const struct fw_traffic_other *other = &work->options->others[o];
        double seconds = seconds_of(work, other);
        most = fmax(most, seconds);
        issue = other->issues ? seconds : issue;
        slow = other->slow ? fmax(slow, seconds) : slow;
    }
    if (!fw_device_figure(work->device, FW_FIGURE_PIPES_OVERLAP, &overlap))
        return most;
    double busy = fmax(issue, slow), other = fmin(issue, slow);
    return busy > 0 ? fmax(most, busy * pow(1 + pow(other / busy, overlap), 1 / overlap)) : most;
}

/* A latency or overhead in cycles; 0, and a sentence, if the profile has none. */
static double cycles_of(struct work *work, enum fw_figure figure)
{
    double cycles;
    if (fw_device_figure(work->device, figure, &cycles))
        return cycles;
    say(work, fw_arena_printf(work->arena, "The profile has no %s: it counts as 0.",
                              fw_figure_row(figure)->name));
    return 0;
}

/* Service times in seconds of the whole device. */
struct service {
    double clock, wavefronts, l2_load, l2_store, l2_store_alone, atomics, dram_load, dram_store,
        dispatch, other;
};

/* The share of repeated loads that miss in L1. */
static double repeated_miss_share(const struct work *work)
{
    const struct fw_volume *loads = &work->result->volumes.l2_to_l1;
    double again = work->caches.requested_load_bytes - loads->compulsory;
    return again > 0 ? fmax(0, fmin(1, loads->capacity / again)) : 0;
}

/* Groups of warps of a block that go in step.  Where no more warps are resident than there are
 * schedulers, each has one to itself and waits for no other. */
static uint32_t groups_of(const struct work *work, double warps, double blocks)
{
    double in_step, resident = warps * fmin(work->caches.resident_blocks, ceil(blocks));
    if (!fw_device_figure(work->device, FW_FIGURE_WARPS_IN_STEP, &in_step))
        in_step = DEFAULT_WARPS_IN_STEP;
    if (resident <= (double)fw_device_count(work->device, FW_FIGURE_SCHEDULERS, 1))
        in_step = 1;
    return (uint32_t)fmin(FW_LIFE_GROUPS, fmax(1, floor(warps / in_step + 0.5)));
}

static struct fw_trace_question ask_of(const struct work *work)
{
    return (struct fw_trace_question){.kernel = work->kernel,
                                      .bound = work->bound,
                                      .launch = work->launch,
                                      .device = work->device,
                                      .alignments = work->options->alignments,
                                      .cold = work->options->cold,
                                      .sequence = work->options->sequence,
                                      .clock = work->options->clock,
                                      .volumes = work->found,
                                      .kept = work->options->kept};
}

/* How long one warp that waits in loops for its own results takes, by itself and beside others: in
 * the order of the machine, instruction by instruction.  All 0: it does not wait so, or that is not
 * known. */
static struct fw_lone_launch lone_of(const struct work *work)
{
    struct fw_lone_launch lone = {0};
    const struct fw_trace_question question = ask_of(work);
    if (work->in_loops > 0)
        fw_lone_launch_find(&lone, work->arena, &question);
    return lone;
}

/* The time of a launch whose loops load what copies bring ahead: warps wait for their own order of
 * copies, products and barriers, and no block for the other's loads, so that a short simulation of
 * its warps tells it, among resources that overlap.  False: it cannot be simulated. */
static bool simulate_warps(struct work *work, const struct service *service)
{
    struct fw_traffic *result = work->result;
    const struct fw_trace_question question = ask_of(work);
    if (!result->term_count || !fw_loads_ahead(work->kernel))
        return false;
    const double cycles = fw_trace_short_cycles(work->arena, &question, SHORT_ISSUES);
    if (!(cycles > 0))
        return false;
    sort_terms(result);
    const double slowest = result->terms[0].seconds * service->clock;
    result->seconds = fmax(cycles, slowest) / service->clock;
    if (cycles > WAITING * slowest)
        add_limiter(work, FW_TRAFFIC_LATENCY, cycles, service->clock);
    return true;
}

/* Simulates the blocks of a multiprocessor that has its share of all resources (life.h). */
static void simulate_blocks(struct work *work, const struct service *service)
{
    struct fw_traffic *result = work->result;
    const uint32_t *block = work->launch->block;
    double blocks = blocks_of(work), here = blocks / busy(work), cycles = service->clock / here;
    double warps = ceil((double)block[0] * block[1] * block[2] / FW_WARP_THREADS);
    double stores = result->requests.global_wavefronts > 0 ? result->requests.store_wavefronts : 0;
    double stored = result->lsu_wavefronts > 0 ? fmin(1, stores / result->lsu_wavefronts) : 0;
    struct fw_life *life = FW_NEW(work->arena, struct fw_life);
    *life = (struct fw_life){.blocks = here, .resident = work->caches.resident_blocks};
    if (result->occupancy.blocks == 0)
        life->resident = ENOUGH_BLOCKS;
    life->groups = groups_of(work, warps, here);
    life->warps = warps;
    const struct fw_lone_launch lone = lone_of(work);
    double arithmetic = fmax(service->other * cycles, lone.units);
    /* A block of one group waits for no other at barriers: its chain goes with its rounds, beside
     * the work of other blocks. */
    bool barrier = work->caches.barrier_in_loop && life->groups > 1;
    /* The rates of L2 and device memory are those of streams, whose requests come no more evenly.
     */
    const double served = cycles / fw_server_share(work->kernel, work->device);
    life->start_in_loops = barrier ? work->in_loops : 0;
    life->start = cycles_of(work, FW_FIGURE_BLOCK_START) + work->chain - work->in_loops +
                  life->start_in_loops;
    life->dispatch = service->dispatch * cycles;
    struct fw_round_needs needs = {
        .arithmetic = arithmetic,
        .load_wavefronts = (1 - stored) * service->wavefronts * served,
        .store_wavefronts = stored * service->wavefronts * served,
        .l2_load = service->l2_load * cycles,
        .l2_store = service->l2_store * cycles,
        .l2_store_alone = service->l2_store_alone * cycles,
        .atomics = service->atomics * cycles,
        .dram_load = service->dram_load * cycles,
        .dram_store = service->dram_store * cycles,
        .unknown_loads = result->requests.unknown_requests / blocks / warps,
        .unknown_stores = result->requests.unknown_stores / blocks / warps,
        .unknown_loop_stores = result->requests.unknown_loop_stores / blocks / warps,
        .registers = work->caches.registers,
        .l1_lost = repeated_miss_share(work),
        .sector = work->caches.sector,
        .caches = &work->caches,
        .order = order_of(work)};
    if (!barrier) /* what a warp computes itself is part of the block's arithmetic */
        needs.chain = fmax(0, work->in_loops - arithmetic / life->groups);
    needs.latency_l1 = cycles_of(work, FW_FIGURE_LATENCY_L1);
    cycles_of(work, FW_FIGURE_LATENCY_L2); /* is named where the profile lacks it */
    needs.latency_l2 = fw_l2_latency(work->device, &work->caches, &result->volumes, blocks);
    life->acknowledged = fw_l2_latency_anywhere(work->device);
    needs.latency_dram = fmax(cycles_of(work, FW_FIGURE_LATENCY_DRAM), life->acknowledged);
    if (!fw_device_figure(work->device, FW_FIGURE_LATENCY_SPREAD_LOADS, &needs.spread))
        needs.spread = 0;
    double lanes = (double)fw_device_count(work->device, FW_FIGURE_LANES_LOAD_STORE, 0);
    if (lanes > 0)
        needs.load_issue = FW_WARP_THREADS / lanes *
                           (double)fw_device_count(work->device, FW_FIGURE_SCHEDULERS, 1);
    if (!fw_device_figure(work->device, FW_FIGURE_LATENCY_SPREAD, &life->spread))
        life->spread = 0;
    if (!fw_device_figure(work->device, FW_FIGURE_DRAM_QUEUE, &life->queue))
        life->queue = 0;
    life->wait = fmax(1, needs.latency_dram);
    fw_rounds_set(life, work->arena, result->accesses, result->volumes.l2_miss_share, &needs);
    fw_life_hold_chain(life, work->arena, lone.block);
    result->seconds = fmax(lone.launch, fw_life_cycles(life, work->arena)) / service->clock;
    add_limiter(work, FW_TRAFFIC_LATENCY,
                fmax(lone.block, fw_life_alone(life)) * fw_life_turns(life), service->clock);
}

/* The power that the launch draws, and whether the board's limit allows it back to back. */
static void find_power(struct work *work)
{
    struct fw_traffic *result = work->result;
    double line = work->caches.line;
    struct fw_power_work moved = {.l1_bytes = line * result->requests.global_wavefronts,
                                  .shared_bytes = line * result->requests.shared_wavefronts,
                                  .l2_bytes = result->l2_to_l1 + result->l1_to_l2,
                                  .dram_read = result->volumes.dram_read.bytes,
                                  .dram_write = result->volumes.dram_write.bytes,
                                  .seconds = result->seconds};
    for (uint32_t o = 0; o < work->options->other_count; o++)
        moved.others += work->options->others[o].joules;
    result->has_power = fw_power(&result->power, &moved, work->device);
    if (!result->has_power)
        say(work, "The profile lacks power figures: the effect of the board's power limit on "
                  "launches back to back "
                  "is not modelled.");
    else if (result->power.least_seconds > result->seconds)
        say(work, fw_arena_printf(work->arena,
                                  "Launched back to back, this would draw %.0f W at full clock, "
                                  "more than the board's power limit: "
                                  "such launches take up to %.3g ms each.",
                                  result->power.watts, 1e3 * result->power.least_seconds));
}

/* The limiters of the memory hierarchy, and their service times. */
static void find_memory_limiters(struct work *work, struct service *service)
{
    struct fw_traffic *result = work->result;
    double l2 = 0, l2_store = 0,
           bytes = result->volumes.dram_read.bytes + result->volumes.dram_write.bytes;
    fw_device_figure(work->device, FW_FIGURE_L2_BANDWIDTH, &l2);
    double wavefronts = service->clock > 0 ? service->clock * busy(work) : 0;
    const double passes = fmax(result->lsu_wavefronts, fw_requests_lookups(&result->requests));
    wavefronts *= passes > 0 ? passes / (passes + result->requests.single_waits) : 1;
    add_limiter(work, FW_TRAFFIC_L1, passes, wavefronts);
    struct fw_l2_service bytes_served;
    struct fw_l2_work asked = {.requests = &result->requests,
                               .accesses = result->accesses,
                               .order = order_of(work),
                               .caches = &work->caches,
                               .l2_to_l1 = result->l2_to_l1,
                               .l1_to_l2 = result->l1_to_l2,
                               .written = result->l1_to_l2 > 0
                                              ? fmin(1, (result->volumes.dram_write.bytes -
                                                         result->volumes.carried_write) /
                                                            result->l1_to_l2)
                                              : 0};
    fw_l2_service_find(&bytes_served, &asked, work->device);
    service->l2_load = l2 > 0 ? bytes_served.loads / l2 : 0;
    service->l2_store = l2 > 0 ? bytes_served.stores / l2 : 0;
    if (fw_device_figure(work->device, FW_FIGURE_L2_STORE_BANDWIDTH, &l2_store))
        service->l2_store_alone = bytes_served.taken / l2_store;
    double l2_bytes = result->l2_to_l1 + result->l1_to_l2;
    double l2_time = fmax(service->l2_load + service->l2_store, service->l2_store_alone);
    add_limiter(work, FW_TRAFFIC_L2, l2_bytes, l2_time > 0 ? l2_bytes / l2_time : l2);
    struct fw_dram_service dram;
    bool known =
        fw_dram_service(&dram, result->accesses, order_of(work), &work->caches, &result->volumes,
                        &work->found->random, result->l1_to_l2, work->device);
    service->dram_load = dram.reads;
    service->dram_store = dram.writes;
    double seconds = dram.reads + dram.writes;
    add_limiter(work, FW_TRAFFIC_DRAM, bytes, known && seconds > 0 ? bytes / seconds : 0);
    double tlb = 0; /* misses per second */
    fw_device_figure(work->device, FW_FIGURE_TLB_MISSES, &tlb);
    add_limiter(work, FW_TRAFFIC_TLB, result->tlb_misses, tlb);
    if (tlb > 0) /* a load that waits for its translation is not yet requested */
        service->dram_load = fmax(service->dram_load, result->tlb_misses / tlb);
    service->wavefronts = wavefronts > 0 ? passes / wavefronts : 0;
}

/* The limiters of units beside the way of loads and stores.  Gives the seconds of the slower one of
 * those that each multiprocessor has. */
static double find_unit_limiters(struct work *work, struct service *service)
{
    const struct fw_units *units = &work->units;
    double cycles = service->clock * busy(work), operations = units->atomic_service.operations;
    double constant = fw_units_constant_seconds(units, work->device, cycles);
    double texture = fw_units_texture_seconds(units, work->device, cycles);
    service->atomics = units->atomic_service.seconds;
    add_limiter(work, FW_TRAFFIC_ATOMICS, operations,
                service->atomics > 0 ? operations / service->atomics : 0);
    add_limiter(work, FW_TRAFFIC_CONSTANT, units->constant_requests,
                constant > 0 ? units->constant_requests / constant : 0);
    add_limiter(work, FW_TRAFFIC_TEXTURE, units->texture,
                texture > 0 ? units->texture / texture : 0);
    return fmax(constant, texture);
}

static void find_time(struct work *work)
{
    struct fw_traffic *result = work->result;
    struct service service = {.clock = work->options->clock};
    if (!(service.clock > 0))
        fw_device_figure(work->device, FW_FIGURE_SM_CLOCK, &service.clock);
    result->terms = FW_ARRAY(work->arena, struct fw_traffic_term,
                             FW_TRAFFIC_LIMITER_COUNT + work->options->other_count + 1);
    find_memory_limiters(work, &service);
    double units = find_unit_limiters(work, &service);
    service.dispatch = fw_dispatch_seconds(work->device, blocks_of(work));
    add_limiter(work, FW_TRAFFIC_DISPATCH, service.dispatch > 0 ? blocks_of(work) : 0,
                service.dispatch > 0 ? blocks_of(work) / service.dispatch : 0);
    double empty;
    if (!fw_device_figure(work->device, FW_FIGURE_EMPTY_DURATION, &empty))
        empty = 0;
    if (empty > 0)
        add_limiter(work, FW_TRAFFIC_START_AND_END, empty * service.clock, service.clock);
    for (uint32_t o = 0; o < work->options->other_count; o++) {
        struct fw_traffic_term term = {.name = work->options->others[o].name};
        term.seconds = seconds_of(work, &work->options->others[o]);
        term.figure = FW_FIGURE_COUNT;
        add_term(work, &term);
    }
    service.other = fmax(slowest_other(work), units);
    if (service.clock > 0 && !simulate_warps(work, &service))
        simulate_blocks(work, &service);
    sort_terms(result);
    if (!(service.clock > 0) && result->term_count)
        result->seconds = result->terms[0].seconds;
    result->seconds += empty;
    const char *lacking = fw_traffic_not_calibrated(work->arena, work->device);
    if (lacking)
        say(work, lacking);
    find_power(work);
}

/* By access: cycles that a load at random addresses waits. */
static const double *waits_of(const struct work *work, const struct fw_random_accesses *random)
{
    static const enum fw_figure figures[] = {FW_FIGURE_LATENCY_L1, FW_FIGURE_LATENCY_L2,
                                             FW_FIGURE_LATENCY_DRAM,
                                             FW_FIGURE_LATENCY_SPREAD_LOADS};
    double *waits = FW_ARRAY(work->arena, double, work->kernel->access_count + 1), value[4];
    for (uint32_t f = 0; f < 4; f++)
        if (!fw_device_figure(work->device, figures[f], &value[f]))
            value[f] = 0;
    const struct fw_level_latencies latency = {value[0], value[1], value[2], value[3] * value[2]};
    for (uint32_t a = 0; a < work->kernel->access_count; a++) {
        const struct fw_random_hits *hits = &random->hits[a];
        waits[a] = hits->drawn ? fw_random_wait(hits, &latency) : 0;
        waits[a] += fw_units_constant_wait(&work->units, work->kernel, work->device,
                                           &work->kernel->accesses[a]);
    }
    return waits;
}

static void say_what_is_not_modelled(struct work *work, struct fw_bound *bound,
                                     const struct fw_kernel_accesses *found)
{
    if (work->result->requests.not_sampled)
        say(work, fw_arena_printf(work->arena,
                                  "Accesses that are too many to sample (%u): their requests are "
                                  "not known, and count as scattered.",
                                  work->result->requests.not_sampled));
    if (work->result->volumes.fewer_samples)
        say(work, "Blocks touch very many boxes of data: fewer waves of blocks and iterations than "
                  "usual are sampled, and device memory volumes are their mean.");
    const char *of_footprints[FW_TRAFFIC_BOUNDED];
    uint32_t bounded =
        fw_traffic_bounded(of_footprints, work->arena, work->kernel, work->result->accesses);
    for (uint32_t b = 0; b < bounded; b++)
        say(work, of_footprints[b]);
    const char *of_data[FW_DATA_SENTENCES];
    uint32_t sentences =
        fw_data_sentences(of_data, work->arena, work->kernel, bound, work->launch, found->data);
    for (uint32_t s = 0; s < sentences; s++)
        say(work, of_data[s]);
    if (found->other_conditions)
        say(work, "Conditions that do not select a box of threads scale their accesses by the "
                  "share of executions "
                  "that they leave.");
    const char *accesses_not_modelled[FW_TRAFFIC_NOT_MODELLED];
    uint32_t count = fw_traffic_not_modelled(accesses_not_modelled, work->arena, work->kernel);
    for (uint32_t u = 0; u < count; u++)
        say(work, accesses_not_modelled[u]);
    const char *of_units[FW_UNIT_SENTENCES];
    count = fw_units_sentences(of_units, work->arena, &work->units, work->device);
    for (uint32_t u = 0; u < count; u++)
        say(work, of_units[u]);
    if (!(work->caches.tlb_reach > 0))
        say(work, "The profile has no tlb_reach: TLB misses are not modelled.");
    say(work, "Sharing of L1 between the blocks of a multiprocessor is not modelled, except for "
              "data that all blocks of the grid or of its planes load and for loops that "
              "neighbouring blocks run in step.");
}

static void take_volumes(struct work *work, const struct fw_launch_volumes *found)
{
    struct fw_traffic *result = work->result;
    struct fw_affine_accesses *accesses = FW_NEW(work->arena, struct fw_affine_accesses);
    *accesses = found->accesses.affine;
    work->caches = found->caches;
    result->accesses = accesses;
    result->requests = found->requests;
    result->volumes = found->volumes;
    result->sector = found->caches.sector;
    result->lsu_wavefronts = found->lsu_wavefronts;
    result->l2_to_l1 = found->l2_to_l1;
    result->l1_to_l2 = found->l1_to_l2;
}

enum fw_status fw_traffic_predict(struct fw_traffic **traffic, struct fw_arena *arena,
                                  const struct fw_kernel *kernel, struct fw_bound *bound,
                                  const struct fw_launch *launch, const struct fw_device *device,
                                  const struct fw_traffic_options *options,
                                  const struct fw_sink *sink)
{
    struct fw_traffic *result = FW_NEW(arena, struct fw_traffic);
    struct work work = {.arena = arena,
                        .kernel = kernel,
                        .bound = bound,
                        .launch = launch,
                        .device = device,
                        .options = options,
                        .result = result};
    struct fw_launch_volumes found;
    uint32_t blocks;
    uint64_t shared;
    result->not_modelled = FW_ARRAY(arena, const char *, MAX_SENTENCES);
    find_residents(&work, &blocks, &shared);
    const struct fw_launch_question question = {.kernel = kernel,
                                                .bound = bound,
                                                .launch = launch,
                                                .device = device,
                                                .alignments = options->alignments,
                                                .cold = options->cold,
                                                .sequence = options->sequence,
                                                .resident_blocks = blocks,
                                                .registers = work.caches.registers,
                                                .shared_bytes = shared,
                                                .store_hits = options->hit_rates,
                                                .kept = options->kept};
    enum fw_status status = fw_launch_volumes_find(&found, arena, &question, sink);
    if (status)
        return status;
    take_volumes(&work, &found);
    work.found = &found;
    const struct fw_random_accesses *random = &found.random;
    fw_units_find(&work.units, arena, kernel, bound, launch, device, &work.caches, &found.accesses,
                  &found.requests, options->alignments);
    result->tlb_misses =
        fw_tlb_misses(result->accesses, &result->volumes, random, &work.caches, device);
    const char *lacking;
    work.chain = fw_chain_cycles(&work.in_loops, &lacking, arena, kernel, bound, launch, device,
                                 waits_of(&work, random));
    say_what_is_not_modelled(&work, bound, &found.accesses);
    if (lacking)
        say(&work,
            fw_arena_printf(
                arena, "The profile has no %s: such results count as available at once.", lacking));
    if (options->measured) {
        result->predicted = FW_NEW(arena, struct fw_measured_volumes);
        fw_traffic_replace(result, result->predicted, options->measured);
    }
    if (options->hit_rates)
        result->hit_rates = fw_hit_rates_find(&found, &work.units, result->l2_to_l1,
                                              result->l1_to_l2, result->volumes.dram_read.bytes);
    find_time(&work);
    const char *shares[FW_SHARE_SENTENCES];
    uint32_t said = fw_address_shares(shares, arena, kernel, result, &found.accesses, random);
    for (uint32_t s = 0; s < said; s++)
        say(&work, shares[s]);
    *traffic = result;
    return FW_OK;
}
