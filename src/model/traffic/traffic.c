#include "traffic.h"

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

enum { MOST_SENTENCES = 12, POWER = 2 };

struct work {
    struct fw_arena *arena;
    const struct fw_kernel *kernel;
    const struct fw_launch *launch;
    const struct fw_device *device;
    const struct fw_traffic_options *options;
    struct fw_traffic *result;
    struct fw_caches caches;
};

const char *fw_traffic_text(enum fw_traffic_limiter limiter)
{
    return limiters[limiter].text;
}

double fw_traffic_combine(const double *seconds, uint32_t count)
{
    double most = 0, sum = 0;
    for (uint32_t i = 0; i < count; i++)
        most = seconds[i] > most ? seconds[i] : most;
    for (uint32_t i = 0; i < count && most > 0; i++)
        sum += pow(seconds[i] / most, POWER);
    return most * pow(sum, 1.0 / POWER);
}

static void say(struct work *work, const char *sentence)
{
    if (work->result->left_out_count < MOST_SENTENCES)
        work->result->left_out[work->result->left_out_count++] = sentence;
}

/* Blocks that are resident together, and what their shared memory leaves of L1. */
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
        say(work, "How many blocks are resident is not known: one a multiprocessor is taken.");
        return;
    }
    *blocks = result->occupancy.blocks;
    *shared = result->occupancy.carve_out_bytes;
    result->has_occupancy =
        fw_occupancy_waves(&waves, work->device, &result->occupancy,
                           (uint64_t)grid[0] * grid[1] * grid[2], NULL) == FW_OK;
    result->waves = result->has_occupancy ? waves.full : 0;
    if (needs.registers == 0)
        say(work, "Registers are not known (PTX has none): waves may be smaller than taken.");
}

static void add_term(struct work *work, const struct fw_traffic_term *term)
{
    struct fw_traffic *result = work->result;
    if (term->seconds > 0)
        result->terms[result->term_count++] = *term;
}

/* Multiprocessors that have work: the busiest one's part counts. */
static double fill(const struct work *work)
{
    double all = work->caches.multiprocessors;
    double blocks = (double)work->launch->grid[0] * work->launch->grid[1] * work->launch->grid[2];
    return blocks < all ? blocks / all : 1;
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

static void combine(struct work *work)
{
    struct fw_traffic *result = work->result;
    double *seconds = FW_ARRAY(work->arena, double, result->term_count + 1);
    qsort(result->terms, result->term_count, sizeof(*result->terms), slowest_first);
    for (uint32_t t = 0; t < result->term_count; t++) {
        seconds[t] = result->terms[t].seconds;
        result->terms[t].share = seconds[t] / seconds[0];
    }
    result->seconds = fw_traffic_combine(seconds, result->term_count);
}

static void limit(struct work *work)
{
    struct fw_traffic *result = work->result;
    double clock = work->options->clock, l2 = 0, dram = 0;
    if (!(clock > 0) && !fw_device_figure(work->device, FW_FIGURE_SM_CLOCK, &clock))
        clock = 0;
    fw_device_figure(work->device, FW_FIGURE_L2_BANDWIDTH, &l2);
    fw_device_figure(work->device, FW_FIGURE_DRAM_COPY_BANDWIDTH, &dram);
    result->terms = FW_ARRAY(work->arena, struct fw_traffic_term,
                             FW_TRAFFIC_LIMITER_COUNT + work->options->other_count + 1);
    add_limiter(work, FW_TRAFFIC_L1, result->lsu_wavefronts,
                clock * work->caches.multiprocessors * fill(work));
    add_limiter(work, FW_TRAFFIC_L2, result->l2_to_l1 + result->l1_to_l2, l2 > 0 ? l2 : 0);
    add_limiter(work, FW_TRAFFIC_DRAM,
                result->volumes.dram_read.bytes + result->volumes.dram_write.bytes,
                dram > 0 ? dram : 0);
    for (uint32_t o = 0; o < work->options->other_count; o++) {
        struct fw_traffic_term term = {.name = work->options->others[o].name};
        term.seconds = work->options->others[o].seconds;
        term.figure = FW_FIGURE_COUNT;
        add_term(work, &term);
    }
    combine(work);
}

static void say_what_is_left_out(struct work *work, const struct fw_kernel_traffic *found)
{
    if (found->without_form)
        say(work,
            fw_arena_printf(work->arena,
                            "%u accesses have no address that can be told: their sectors count "
                            "at L1 and L2, and not in device memory.",
                            found->without_form));
    if (found->partial)
        say(work,
            "Conditions that cut no box out of the launch count by how many points they leave.");
    say(work, "Latency, TLB reach and blocks that share a multiprocessor's L1 are not modelled.");
}

enum fw_status fw_traffic_predict(struct fw_traffic **traffic, struct fw_arena *arena,
                                  const struct fw_kernel *kernel, struct fw_bound *bound,
                                  const struct fw_launch *launch, const struct fw_device *device,
                                  const struct fw_traffic_options *options,
                                  const struct fw_sink *sink)
{
    struct fw_traffic *result = FW_NEW(arena, struct fw_traffic);
    struct work work = {arena, kernel, launch, device, options, result, {0}};
    struct fw_kernel_traffic found;
    enum fw_figure missing;
    uint32_t blocks, registers;
    uint64_t shared;
    result->left_out = FW_ARRAY(arena, const char *, MOST_SENTENCES);
    find_residents(&work, &blocks, &shared);
    registers = work.caches.registers;
    if (!fw_caches_of(&work.caches, device, shared, blocks, &missing)) {
        fw_report(sink, FW_ERROR, "MOD002", (struct fw_span){0},
                  "the profile %s has no %s, which volumes between caches need", device->name,
                  fw_figure_row(missing)->name);
        return FW_ERROR_INPUT;
    }
    work.caches.registers = registers;
    work.caches.warm = !options->cold;
    fw_kernel_traffic(&found, arena, kernel, bound, launch, device, options->alignments);
    work.caches.asked_bytes =
        work.caches.sector * found.asked.load_sectors - found.loose_load_bytes;
    fw_volumes_find(&result->volumes, arena, &found.forms, &work.caches);
    result->forms = found.forms.count;
    result->asked = found.asked;
    result->lsu_wavefronts = found.asked.global_wavefronts + found.asked.shared_wavefronts;
    result->l2_to_l1 = result->volumes.l2_to_l1.bytes + found.loose_load_bytes;
    result->l1_to_l2 = result->volumes.l1_to_l2 + found.loose_store_bytes;
    say_what_is_left_out(&work, &found);
    limit(&work);
    *traffic = result;
    return FW_OK;
}
