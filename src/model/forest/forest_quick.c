#include "forest_quick.h"

#include "dependence.h"
#include "forest_basis_internal.h"
#include "lanes.h"
#include "result_latency.h"

#include <math.h>
#include <string.h>

#define SECTOR_BYTES 32.0 /* where the profile does not say */

struct quick {
    struct fw_forest_basis *basis;
    struct fw_prediction *roofline;
    struct fw_model_question question; /* of the brief launch */
    struct fw_launch launch;
    struct fw_bound *bound, *noted; /* of that; where what counts lean on is noted */
    double terms[FW_RESOURCE_COUNT], amounts[FW_RESOURCE_COUNT]; /* seconds; in its unit */
    double stored;              /* bytes of the sectors of stores */
    double store_seconds;       /* of L2 */
    double atomic_seconds;      /* of the array whose sectors take the longest */
    double still, near, middle; /* cycles of a warp's waits: no loads, those of L1, those of L2 */
    double far;                 /* of device memory; of L2 where it has the data */
    double asked, distinct;     /* bytes of sectors of device memory that warps ask for */
    double warps;               /* of the launch */
};

static double figure_of(const struct quick *quick, enum fw_figure figure, double absent)
{
    double value;
    return fw_device_figure(quick->question.device, figure, &value) ? value : absent;
}

/* ---- the model roofline ---- */

static enum fw_status ask_roofline(struct quick *quick)
{
    const struct fw_model *model = fw_model_find("roofline", sizeof("roofline") - 1);
    struct fw_model_question question = quick->question;
    question.answers = NULL; /* of the launch that is not brief */
    *quick->roofline = (struct fw_prediction){.model = "roofline"};
    enum fw_status status = model->predict(quick->roofline, NULL, &question);
    if (status)
        return status;
    for (size_t t = 0; t < quick->roofline->term_count; t++)
        for (int r = 0; r < FW_RESOURCE_COUNT; r++)
            if (strcmp(quick->roofline->terms[t].name, fw_resource_text((enum fw_resource)r)) ==
                0) {
                quick->terms[r] = quick->roofline->terms[t].seconds;
                quick->amounts[r] = quick->roofline->terms[t].amount;
            }
    quick->asked = quick->amounts[FW_RESOURCE_L1];
    quick->distinct = quick->amounts[FW_RESOURCE_L2] + quick->amounts[FW_RESOURCE_DRAM];
    return FW_OK;
}

/* ---- stores and atomic operations, which L2 executes ---- */

static bool is_of_device_memory(const struct fw_access *access)
{
    return access->space == FW_SPACE_GLOBAL || access->space == FW_SPACE_GENERIC;
}

/* Bytes of the sectors that a store's warps ask for. */
static double stored_bytes(struct quick *quick, const struct fw_access *access, double threads)
{
    const struct fw_kernel *kernel = quick->question.kernel;
    const double sector = figure_of(quick, FW_FIGURE_SECTOR_BYTES, SECTOR_BYTES);
    const uint32_t bytes = fw_access_machine_bytes(kernel, access);
    struct fw_lanes lanes;
    fw_lanes_find(&lanes, quick->bound, kernel, access, quick->launch.block);
    if (!lanes.known || !lanes.count || !bytes)
        return threads * bytes;
    double warps = fw_bound_count_warps(quick->bound, access->domain)->estimate;
    double full = fw_lanes_sectors(&lanes, bytes, (uint32_t)sector, 0);
    double share = warps > 0 ? fmin(1, threads / (warps * lanes.count)) : 1;
    return warps * fmax(1, full * share) * sector;
}

/* Seconds of atomic operations that are spread evenly over a range: slices of L2 change each word
 * of a sector once in a pass, one pass after the other. */
static double contended_seconds(struct quick *quick, const struct fw_access *access, double threads)
{
    const bool floats = access->type == FW_TYPE_F32 || access->type == FW_TYPE_F64;
    const double rate = figure_of(
        quick, floats ? FW_FIGURE_ATOMIC_FLOAT_WORD : FW_FIGURE_ATOMIC_PASSES, (double)INFINITY);
    const double slice = figure_of(quick, FW_FIGURE_ATOMIC_SLICE_BYTES, (double)INFINITY);
    const double sector = figure_of(quick, FW_FIGURE_SECTOR_BYTES, SECTOR_BYTES);
    double operations =
        access->combined ? fw_bound_count_warps(quick->bound, access->domain)->estimate : threads;
    int64_t low, high;
    if (!access->bytes ||
        !fw_bound_range(quick->bound, access->domain, access->offset, &low, &high))
        return 0;
    double range = (double)high - (double)low + access->bytes;
    double a_word = operations / fmax(1, range / access->bytes);
    double slices = fmin(figure_of(quick, FW_FIGURE_ATOMIC_SLICES, 1), fmax(1, range / slice));
    return a_word * fmax(1, range / sector) / (slices * rate);
}

static void add_accesses(struct quick *quick)
{
    const struct fw_kernel *kernel = quick->question.kernel;
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        const struct fw_access *access = &kernel->accesses[a];
        if (!is_of_device_memory(access) || access->direction == FW_LOAD || access->bulk)
            continue;
        double threads = fw_bound_count(quick->bound, access->domain)->estimate;
        if (!(threads > 0))
            continue;
        if (access->direction == FW_STORE)
            quick->stored += stored_bytes(quick, access, threads);
        else
            quick->atomic_seconds =
                fmax(quick->atomic_seconds, contended_seconds(quick, access, threads));
    }
    quick->store_seconds =
        quick->stored / figure_of(quick, FW_FIGURE_L2_STORE_BANDWIDTH, (double)INFINITY);
}

/* ---- what a warp waits for ---- */

/* What each instruction's result takes, in cycles; which of them are loads from device memory. */
static void find_latencies(const struct quick *quick, double *cycles, bool *loads)
{
    const struct fw_kernel *kernel = quick->question.kernel;
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *one = &kernel->schedule[i];
        const enum fw_figure figure = fw_result_latency(kernel, one);
        const struct fw_access *access =
            one->access_count && one->access != FW_NONE ? &kernel->accesses[one->access] : NULL;
        cycles[i] = figure != FW_FIGURE_COUNT ? figure_of(quick, figure, 0) : 0;
        if (access && access->direction == FW_STORE)
            cycles[i] = 0; /* nobody waits for it */
        else
            loads[i] = access && (is_of_device_memory(access) || access->space == FW_SPACE_LOCAL ||
                                  access->space == FW_SPACE_TEX);
    }
}

/* What instructions wait for where a load from device memory takes so many cycles. */
static double stalls_at(const struct quick *quick, double *cycles, const bool *loads,
                        const double *times, double load)
{
    const struct fw_kernel *kernel = quick->question.kernel;
    for (uint32_t i = 0; i < kernel->schedule_count; i++)
        if (loads[i])
            cycles[i] = load;
    return fw_dependence_stalls(quick->question.arena, kernel, cycles, times);
}

static void find_stalls(struct quick *quick)
{
    const struct fw_kernel *kernel = quick->question.kernel;
    struct fw_arena *arena = quick->question.arena;
    double *cycles = FW_ARRAY(arena, double, kernel->schedule_count + 1);
    bool *loads = FW_ARRAY(arena, bool, kernel->schedule_count + 1);
    const double *times = fw_dependence_times(arena, kernel, quick->bound, &quick->launch);
    const double l1 = figure_of(quick, FW_FIGURE_LATENCY_L1, 0);
    const double l2 = figure_of(quick, FW_FIGURE_LATENCY_L2, l1);
    const double dram = figure_of(quick, FW_FIGURE_LATENCY_DRAM, l2);
    find_latencies(quick, cycles, loads);
    quick->still = stalls_at(quick, cycles, loads, times, 0);
    quick->near = stalls_at(quick, cycles, loads, times, l1);
    quick->middle = stalls_at(quick, cycles, loads, times, l2);
    quick->far = quick->terms[FW_RESOURCE_DRAM] > 0 ? stalls_at(quick, cycles, loads, times, dram)
                                                    : quick->middle;
}

/* ---- the basis ---- */

static double share_of_distinct(const struct quick *quick)
{
    return quick->asked > 0 ? fmin(1, quick->distinct / quick->asked) : 1;
}

/* Seconds of cycles that each wave of blocks takes. */
static double seconds_of(const struct quick *quick, double cycles)
{
    return cycles * fmax(1, quick->roofline->waves) / quick->roofline->clock;
}

/* Warps of a multiprocessor that has as many blocks as it may. */
static double warps_beside(const struct quick *quick)
{
    const double blocks =
        (double)quick->launch.grid[0] * quick->launch.grid[1] * quick->launch.grid[2];
    const double most = fmax(1, blocks / figure_of(quick, FW_FIGURE_MULTIPROCESSORS, 1));
    const double resident = fmax(1, quick->roofline->resident_blocks);
    return fmin(resident, most) * quick->warps / blocks;
}

/* The features of the set memory that counts give, for what is asked of the board. */
static void set_volumes(const struct quick *quick)
{
    double *to = quick->basis->features;
    const double sector = figure_of(quick, FW_FIGURE_SECTOR_BYTES, SECTOR_BYTES);
    const double loaded = fmax(0, quick->asked - quick->stored);
    to[FW_FOREST_FEATURE_l2_to_l1] = forest_log_of(fmin(loaded, quick->distinct));
    to[FW_FOREST_FEATURE_l1_to_l2] = forest_log_of(quick->stored);
    to[FW_FOREST_FEATURE_dram_read] = forest_log_of(quick->amounts[FW_RESOURCE_DRAM]);
    to[FW_FOREST_FEATURE_load_sectors] = forest_log_of(loaded / sector);
    to[FW_FOREST_FEATURE_store_sectors] = forest_log_of(quick->stored / sector);
    to[FW_FOREST_FEATURE_shared_wavefronts] =
        forest_log_of(quick->amounts[FW_RESOURCE_SHARED] / (FW_WARP_THREADS * 4.0));
}

static void set_features(const struct quick *quick, double seconds, double warps)
{
    double *to = quick->basis->features;
    const double moved = pow(10, to[FW_FOREST_FEATURE_global_volume]);
    to[FW_FOREST_FEATURE_quick] = log10(fmin(seconds, FOREST_LONG_SECONDS));
    to[FW_FOREST_FEATURE_warps] = warps / seconds;
    to[FW_FOREST_FEATURE_still] = seconds_of(quick, quick->still) / seconds;
    to[FW_FOREST_FEATURE_near] = seconds_of(quick, quick->near) / seconds;
    to[FW_FOREST_FEATURE_far] = seconds_of(quick, quick->far) / seconds;
    to[FW_FOREST_FEATURE_stored] = quick->store_seconds / seconds;
    to[FW_FOREST_FEATURE_contended] = quick->atomic_seconds / seconds;
    to[FW_FOREST_FEATURE_spread] = log10(fmax(1, quick->asked) / moved);
    to[FW_FOREST_FEATURE_distinct] = log10(fmax(1e-6, share_of_distinct(quick)));
    to[FW_FOREST_FEATURE_beside] = log10(warps_beside(quick));
    for (int r = 0; r < FW_RESOURCE_COUNT; r++)
        to[FW_FOREST_FEATURE_quick_F32 + r] = quick->terms[r] / seconds;
}

static void find_times(struct quick *quick)
{
    const uint32_t *block = quick->launch.block, *grid = quick->launch.grid;
    const double share = share_of_distinct(quick);
    double slowest = fmax(quick->store_seconds, quick->atomic_seconds);
    quick->warps = ceil((double)block[0] * block[1] * block[2] / FW_WARP_THREADS) * grid[0] *
                   grid[1] * grid[2];
    for (int r = 0; r < FW_RESOURCE_COUNT; r++)
        slowest = fmax(slowest, quick->terms[r]);
    double cycles = quick->amounts[FW_RESOURCE_ISSUE] / quick->warps + share * quick->far +
                    (1 - share) * quick->middle;
    double warps = seconds_of(quick, cycles);
    double seconds = hypot(slowest, warps) + figure_of(quick, FW_FIGURE_EMPTY_DURATION, 0);
    quick->basis->target[FW_FOREST_SECONDS] = seconds;
    if (!(seconds > 0))
        return;
    set_features(quick, seconds, warps);
    set_volumes(quick);
    forest_find_draws(quick->basis, quick->roofline, seconds);
}

static enum fw_status find(struct quick *quick)
{
    const struct fw_kernel *kernel = quick->question.kernel;
    enum fw_status status = ask_roofline(quick);
    if (status)
        return status;
    fw_forest_basis_count(quick->basis, kernel, quick->bound, &quick->launch);
    forest_describe_launch(quick->basis, kernel, &quick->launch, quick->roofline);
    add_accesses(quick);
    find_stalls(quick);
    find_times(quick);
    return FW_OK;
}

static enum fw_status count_alone(struct quick *quick)
{
    fw_forest_basis_count(quick->basis, quick->question.kernel, quick->bound, &quick->launch);
    return FW_OK;
}

/* Binds the brief launch beside the question's, finds what is asked of it, and notes what that
 * leaned on. */
static enum fw_status bind_and_find(struct quick *quick, const struct fw_model_question *question,
                                    enum fw_status (*find_it)(struct quick *quick))
{
    jmp_buf full;
    quick->question = *question;
    quick->launch = *question->launch;
    quick->noted = question->bound;
    quick->question.launch = &quick->launch;
    quick->launch.brief = true;
    quick->question.bound = quick->bound = fw_bound_beside(question->bound);
    if (!quick->bound)
        return FW_ERROR_MEMORY;
    struct fw_arena *own = fw_bound_arena(quick->bound);
    if (setjmp(full)) {
        enum fw_status status = fw_arena_status(own);
        fw_arena_on_exhausted(own, NULL);
        if (status == FW_ERROR_BUDGET)
            fw_arena_give_up(question->arena, status);
        return FW_ERROR_MEMORY;
    }
    fw_arena_on_exhausted(own, &full);
    enum fw_status status = fw_bound_set(quick->bound, &quick->launch);
    if (!status)
        status = find_it(quick);
    if (!status)
        fw_bound_note_unknowns(quick->noted, quick->bound);
    fw_arena_on_exhausted(own, NULL);
    return status;
}

enum fw_status fw_forest_quick_find(struct fw_forest_basis *basis, struct fw_prediction *roofline,
                                    const struct fw_model_question *question)
{
    struct fw_prediction unasked;
    struct quick quick = {.basis = basis, .roofline = roofline ? roofline : &unasked};
    return bind_and_find(&quick, question, find);
}

enum fw_status fw_forest_quick_count(struct fw_forest_basis *basis,
                                     const struct fw_model_question *question)
{
    struct quick quick = {.basis = basis};
    return bind_and_find(&quick, question, count_alone);
}
