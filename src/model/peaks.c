/* Percentages of peak, by what Nsight Compute counts for its speed-of-light page; achieved
 * occupancy and hit rates, by its names. */
#include "model.h"

#include <math.h>
#include <string.h>

/* A stored sector takes as much of L2's pipeline as so many loaded ones: lts__throughput of
 * data/h200/stalls, found, of launches that store, beside l2_bandwidth, which is of loads. */
static const double store_slots = 3.5;

enum { PEAKS = 5, OTHERS = 3 };

static bool quantity(double *value, const struct fw_prediction *prediction, const char *key)
{
    for (size_t q = 0; q < prediction->quantity_count; q++)
        if (strcmp(prediction->quantities[q].kind->key, key) == 0) {
            *value = prediction->quantities[q].value;
            return true;
        }
    return false;
}

/* Memory instructions that warps issue: the load-store unit takes one a cycle. */
static double memory_instructions(const struct fw_model_question *question)
{
    const struct fw_kernel *kernel = question->kernel;
    double count = 0;
    for (uint32_t a = 0; question->bound && a < kernel->access_count; a++) {
        const struct fw_access *access = &kernel->accesses[a];
        if (access->space != FW_SPACE_PARAM && access->space != FW_SPACE_CONST)
            count += fw_bound_count_warps(question->bound, access->domain)->estimate;
    }
    return count;
}

/* The share of the busiest unit's slots that is filled.  Of issue: one instruction a cycle of each
 * scheduler is the peak, and cycles in which a scheduler can issue nothing (machine_cost.h) are not
 * filled. */
static double busiest_unit(const struct fw_prediction *prediction,
                           const struct fw_model_question *question, double cycles,
                           double wavefronts)
{
    double most = fmin(memory_instructions(question), wavefronts) / cycles; /* some are joined */
    double schedulers = 0;
    fw_device_figure(question->device, FW_FIGURE_SCHEDULERS, &schedulers);
    for (size_t t = 0; t < prediction->term_count; t++) {
        const struct fw_cost_row *term = &prediction->terms[t];
        bool issue = strcmp(term->unit, "instructions") == 0;
        bool unit = issue || strcmp(term->unit, "results") == 0 || strcmp(term->unit, "flops") == 0;
        double rate = term->rate * prediction->seconds;
        if (issue && schedulers > 0)
            rate = schedulers * cycles;
        if (unit && rate > 0)
            most = fmax(most, term->amount / rate);
    }
    return most;
}

/* The share of the time in which multiprocessors have blocks: neither the start and the end of the
 * launch, nor, where the account tells it, its tail. */
static double active_share(const struct fw_prediction *prediction, const struct fw_device *device)
{
    double without = 0;
    fw_device_figure(device, FW_FIGURE_EMPTY_DURATION, &without);
    for (size_t a = 0; a < prediction->account_count; a++)
        if (strcmp(prediction->account[a].name, "tail") == 0)
            without += prediction->account[a].seconds;
    return fmax(0.1, 1 - without / prediction->seconds);
}

/* Percentages of the speed-of-light page, where the prediction has volumes and the profile the
 * rates; how many. */
static size_t add_throughputs(struct fw_peak_row *rows, const struct fw_prediction *prediction,
                              const struct fw_model_question *question)
{
    static const char *const names[PEAKS][2] = {
        {"SM", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
        {"memory", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
        {"L1", "l1tex__throughput.avg.pct_of_peak_sustained_active"},
        {"L2", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
        {"DRAM", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"}};
    const struct fw_device *device = question->device;
    double wavefronts, loads, stores, reads, writes, multiprocessors, l2, bandwidth;
    if (!quantity(&wavefronts, prediction, "lsu_wavefronts") ||
        !quantity(&loads, prediction, "l2_to_l1_bytes") ||
        !quantity(&stores, prediction, "l1_to_l2_bytes") ||
        !quantity(&reads, prediction, "dram_read_bytes") ||
        !quantity(&writes, prediction, "dram_write_bytes") || !(prediction->seconds > 0) ||
        !(prediction->clock > 0) ||
        !fw_device_figure(device, FW_FIGURE_MULTIPROCESSORS, &multiprocessors) ||
        !fw_device_figure(device, FW_FIGURE_L2_BANDWIDTH, &l2) ||
        !fw_device_figure(device, FW_FIGURE_DRAM_BANDWIDTH, &bandwidth))
        return 0;
    double seconds = prediction->seconds, cycles = seconds * prediction->clock * multiprocessors;
    double active = active_share(prediction, device);
    double dram = (reads + writes) / bandwidth / seconds;
    double l1 = fmax(wavefronts, loads / 64) / (active * cycles);
    double moved = (loads + stores) / l2 / seconds;
    const double shares[PEAKS] = {busiest_unit(prediction, question, cycles, wavefronts),
                                  fmax(fmax(dram, moved), l1 * active), l1,
                                  (loads + store_slots * stores) / l2 / seconds, dram};
    for (int p = 0; p < PEAKS; p++)
        rows[p] = (struct fw_peak_row){names[p][0], names[p][1], 100 * fmin(1, shares[p])};
    return PEAKS;
}

void fw_model_peaks(struct fw_prediction *prediction, const struct fw_model_question *question)
{
    static const struct {
        const char *key, *metric;
    } hits[] = {{"l1_hit_rate", "l1tex__t_sector_hit_rate.pct"},
                {"l2_hit_rate", "lts__t_sector_hit_rate.pct"}};
    struct fw_peak_row *rows = FW_ARRAY(question->arena, struct fw_peak_row, PEAKS + OTHERS);
    size_t count = add_throughputs(rows, prediction, question);
    double share;
    if (prediction->has_achieved_occupancy)
        rows[count++] =
            (struct fw_peak_row){NULL, "sm__warps_active.avg.pct_of_peak_sustained_active",
                                 100 * prediction->achieved_occupancy};
    for (size_t h = 0; h < sizeof(hits) / sizeof(hits[0]); h++)
        if (quantity(&share, prediction, hits[h].key))
            rows[count++] = (struct fw_peak_row){NULL, hits[h].metric, 100 * share};
    prediction->peaks = rows;
    prediction->peak_count = count;
}
