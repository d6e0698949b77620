#include "forest_basis_internal.h"

#include <math.h>
#include <string.h>

#define SHORT_SECONDS 10e-6

/* ---- names ---- */

static const struct fw_forest_feature_row rows[FW_FOREST_FEATURE_COUNT] = {
#define X(set, name, about) {#name, about, FW_FOREST_SET_##set},
    FW_FOREST_FEATURES(X)
#undef X
#define X(name) {"term_" #name, "share of the traffic model's term " #name, FW_FOREST_SET_PHYSICS},
        FW_FOREST_TERMS(X)
#undef X
#define X(name, part)                                                                              \
    {"part_" #name, "share of the trace model's account: " part, FW_FOREST_SET_ACCOUNT},
            FW_FOREST_PARTS(X)
#undef X
#define X(name, about) {"draw_" #name, about, FW_FOREST_SET_POWER},
                FW_FOREST_DRAWS(X)
#undef X
#define X(name, text, figure, unit, meaning)                                                       \
    {"quick_" text, "share of the quick basis: " meaning, FW_FOREST_SET_QUICK},
                    FW_RESOURCES(X)
#undef X
};

static const char *const terms[] = {
#define X(name) #name,
    FW_FOREST_TERMS(X)
#undef X
};

static const char *const parts[] = {
#define X(name, part) part,
    FW_FOREST_PARTS(X)
#undef X
};

enum {
    TERM_COUNT = sizeof(terms) / sizeof(terms[0]),
    PART_COUNT = sizeof(parts) / sizeof(parts[0])
};

const struct fw_forest_feature_row *fw_forest_feature_row(enum fw_forest_feature feature)
{
    return &rows[feature];
}

const char *fw_forest_target_name(enum fw_forest_target target)
{
    return target == FW_FOREST_SECONDS ? "seconds" : "watts";
}

const char *fw_forest_class_name(enum fw_forest_class class)
{
    static const char *const names[FW_FOREST_CLASS_COUNT] = {[FW_FOREST_KNOWN] = "known",
                                                             [FW_FOREST_LEANS] = "leans",
                                                             [FW_FOREST_SHORT] = "short",
                                                             [FW_FOREST_RANDOM] = "random"};
    return names[class];
}

/* ---- counts ---- */

double forest_log_of(double count)
{
    return log10(1 + fmax(0, count));
}

static void count_instructions(struct fw_forest_basis *basis, const struct fw_kernel *kernel,
                               struct fw_bound *bound)
{
    double groups[FW_GROUP_COUNT] = {0}, total = 0, *to = basis->features;
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *at = &kernel->schedule[i];
        if (at->unreachable)
            continue;
        double count = fw_bound_count(bound, at->domain)->estimate;
        groups[at->group] += count;
        total += count;
    }
    to[FW_FOREST_FEATURE_instructions] = forest_log_of(total);
    total = fmax(total, 1);
    to[FW_FOREST_FEATURE_arithmetic] = groups[FW_GROUP_ARITHMETIC] / total;
    to[FW_FOREST_FEATURE_special_functions] = groups[FW_GROUP_SPECIAL] / total;
    to[FW_FOREST_FEATURE_logic] = groups[FW_GROUP_LOGIC] / total;
    to[FW_FOREST_FEATURE_control] = groups[FW_GROUP_CONTROL] / total;
    to[FW_FOREST_FEATURE_sync] = groups[FW_GROUP_SYNC] / total;
    to[FW_FOREST_FEATURE_intensity] = groups[FW_GROUP_ARITHMETIC]; /* by bytes, below */
}

static void count_bytes(struct fw_forest_basis *basis, const struct fw_kernel *kernel,
                        struct fw_bound *bound)
{
    double global = 0, shared = 0, param = 0, *to = basis->features;
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        const struct fw_access *access = &kernel->accesses[a];
        double bytes;
        fw_bound_access_bytes(bound, access, &bytes);
        bytes *= fw_bound_count(bound, access->domain)->estimate;
        if (access->space == FW_SPACE_SHARED)
            shared += bytes;
        else if (access->space == FW_SPACE_PARAM)
            param += bytes;
        else if (access->space != FW_SPACE_LOCAL && access->space != FW_SPACE_CONST)
            global += bytes;
    }
    to[FW_FOREST_FEATURE_global_volume] = forest_log_of(global);
    to[FW_FOREST_FEATURE_shared_volume] = forest_log_of(shared);
    to[FW_FOREST_FEATURE_param_volume] = forest_log_of(param);
    to[FW_FOREST_FEATURE_intensity] =
        log10(1e-3 + to[FW_FOREST_FEATURE_intensity] / fmax(1, global + param));
}

static void describe_grid(struct fw_forest_basis *basis, const struct fw_launch *launch)
{
    basis->features[FW_FOREST_FEATURE_block_threads] =
        (double)launch->block[0] * launch->block[1] * launch->block[2];
    basis->features[FW_FOREST_FEATURE_blocks] =
        log10((double)launch->grid[0] * launch->grid[1] * launch->grid[2]);
}

void forest_describe_launch(struct fw_forest_basis *basis, const struct fw_kernel *kernel,
                            const struct fw_launch *launch, const struct fw_prediction *answer)
{
    double *to = basis->features, waves = fmax(answer->waves, 1e-4);
    uint32_t shared = kernel->resources.static_shared;
    describe_grid(basis, launch);
    to[FW_FOREST_FEATURE_occupancy] = answer->occupancy;
    to[FW_FOREST_FEATURE_resident_blocks] = answer->resident_blocks;
    to[FW_FOREST_FEATURE_waves] = log10(waves);
    to[FW_FOREST_FEATURE_last_wave] = ceil(waves) / waves;
    to[FW_FOREST_FEATURE_registers] = kernel->resources.registers;
    to[FW_FOREST_FEATURE_static_shared] =
        shared == UINT32_MAX ? 0 : (double)(shared + launch->shared);
}

/* ---- what the traffic model found ---- */

static double quantity(const struct fw_prediction *prediction, const char *key)
{
    for (size_t q = 0; q < prediction->quantity_count; q++)
        if (strcmp(prediction->quantities[q].kind->key, key) == 0)
            return prediction->quantities[q].value;
    return 0;
}

static void take_volumes(struct fw_forest_basis *basis, const struct fw_prediction *traffic)
{
    double *to = basis->features;
    to[FW_FOREST_FEATURE_l2_to_l1] = forest_log_of(quantity(traffic, "l2_to_l1_bytes"));
    to[FW_FOREST_FEATURE_l1_to_l2] = forest_log_of(quantity(traffic, "l1_to_l2_bytes"));
    to[FW_FOREST_FEATURE_dram_read] = forest_log_of(quantity(traffic, "dram_read_bytes"));
    to[FW_FOREST_FEATURE_dram_write] = forest_log_of(quantity(traffic, "dram_write_bytes"));
    to[FW_FOREST_FEATURE_load_sectors] = forest_log_of(quantity(traffic, "global_load_sectors"));
    to[FW_FOREST_FEATURE_store_sectors] = forest_log_of(quantity(traffic, "global_store_sectors"));
    to[FW_FOREST_FEATURE_shared_wavefronts] = forest_log_of(quantity(traffic, "shared_wavefronts"));
    to[FW_FOREST_FEATURE_read_again] =
        quantity(traffic, "l2_to_l1_bytes") / fmax(1, quantity(traffic, "once_read_bytes"));
}

static void take_terms(struct fw_forest_basis *basis, const struct fw_prediction *traffic)
{
    for (size_t t = 0; t < traffic->term_count; t++)
        for (size_t n = 0; n < TERM_COUNT; n++)
            if (strcmp(traffic->terms[t].name, terms[n]) == 0)
                basis->features[(size_t)FW_FOREST_FEATURE_term_atomics + n] =
                    traffic->terms[t].seconds / traffic->seconds;
}

/* ---- what the trace model's time goes to ---- */

static void take_parts(struct fw_forest_basis *basis, const struct fw_prediction *trace)
{
    for (size_t a = 0; a < trace->account_count; a++)
        for (size_t n = 0; n < PART_COUNT; n++)
            if (strcmp(trace->account[a].name, parts[n]) == 0)
                basis->features[(size_t)FW_FOREST_FEATURE_part_selected + n] =
                    trace->account[a].share;
}

/* ---- what is asked of the board ---- */

static void draw(struct fw_forest_basis *basis, enum fw_forest_draw which, double amount)
{
    basis->features[FW_FOREST_FEATURE_draw_idle + which] += amount;
}

/* Shares of the time of units and of levels of the memory, by the terms of the traffic model: what
 * a level does besides moving bytes (wavefronts, requests, rows of DRAM) draws while it works. */
static void draw_units(struct fw_forest_basis *basis, const struct fw_prediction *traffic,
                       double seconds)
{
    for (size_t t = 0; t < traffic->term_count; t++) {
        const char *name = traffic->terms[t].name;
        double share = fmin(1, traffic->terms[t].seconds / seconds);
        if (strncmp(name, "tensor", strlen("tensor")) == 0)
            draw(basis, FW_FOREST_DRAW_tensor, share);
        for (int d = FW_FOREST_DRAW_dram; d <= FW_FOREST_DRAW_special; d++)
            if (strcmp(name, fw_forest_draw_name((enum fw_forest_draw)d)) == 0)
                draw(basis, (enum fw_forest_draw)d, share);
    }
}

/* The count whose logarithm the feature is (log_of). */
static double count_of(const struct fw_forest_basis *basis, enum fw_forest_feature feature)
{
    return pow(10, basis->features[feature]) - 1;
}

/* Events, of what features have as logarithms of counts. */
static void draw_events(struct fw_forest_basis *basis, double seconds)
{
    static const struct {
        enum fw_forest_draw draw;
        enum fw_forest_feature feature;
    } events[] = {{FW_FOREST_DRAW_dram_read, FW_FOREST_FEATURE_dram_read},
                  {FW_FOREST_DRAW_dram_write, FW_FOREST_FEATURE_dram_write},
                  {FW_FOREST_DRAW_l2_to_l1, FW_FOREST_FEATURE_l2_to_l1},
                  {FW_FOREST_DRAW_l1_to_l2, FW_FOREST_FEATURE_l1_to_l2},
                  {FW_FOREST_DRAW_load_sectors, FW_FOREST_FEATURE_load_sectors},
                  {FW_FOREST_DRAW_store_sectors, FW_FOREST_FEATURE_store_sectors},
                  {FW_FOREST_DRAW_shared_wavefronts, FW_FOREST_FEATURE_shared_wavefronts},
                  {FW_FOREST_DRAW_instructions, FW_FOREST_FEATURE_instructions},
                  {FW_FOREST_DRAW_shared_bytes, FW_FOREST_FEATURE_shared_volume},
                  {FW_FOREST_DRAW_global_bytes, FW_FOREST_FEATURE_global_volume}};
    for (size_t e = 0; e < sizeof events / sizeof *events; e++)
        draw(basis, events[e].draw, count_of(basis, events[e].feature) / seconds * 1e-12);
}

/* Instructions by group, of what features have as shares: an addition toggles more wires than a
 * move, and a branch fewer. */
static void draw_instructions(struct fw_forest_basis *basis, double seconds)
{
    static const struct {
        enum fw_forest_draw draw;
        enum fw_forest_feature feature;
    } groups[] = {{FW_FOREST_DRAW_arithmetic, FW_FOREST_FEATURE_arithmetic},
                  {FW_FOREST_DRAW_logic, FW_FOREST_FEATURE_logic},
                  {FW_FOREST_DRAW_control, FW_FOREST_FEATURE_control}};
    double all = count_of(basis, FW_FOREST_FEATURE_instructions);
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        draw(basis, groups[g].draw, basis->features[groups[g].feature] * all / seconds * 1e-12);
}

void forest_find_draws(struct fw_forest_basis *basis, const struct fw_prediction *answer,
                       double seconds)
{
    draw(basis, FW_FOREST_DRAW_idle, 1);
    draw(basis, FW_FOREST_DRAW_active, fmin(1, answer->waves * answer->resident_blocks));
    draw_units(basis, answer, seconds);
    draw_events(basis, seconds);
    draw_instructions(basis, seconds);
}

const double *fw_forest_basis_draws(const struct fw_forest_basis *basis)
{
    return basis->features + FW_FOREST_FEATURE_draw_idle;
}

double fw_forest_basis_of(const struct fw_forest_basis *basis, enum fw_forest_target target,
                          const double energies[FW_FOREST_DRAW_COUNT])
{
    double watts = target == FW_FOREST_WATTS
                       ? fw_forest_draws_watts(fw_forest_basis_draws(basis), energies)
                       : 0;
    return watts > 0 ? watts : basis->target[target];
}

void fw_forest_basis_features(double *to, const struct fw_forest_basis *basis,
                              const double energies[FW_FOREST_DRAW_COUNT],
                              const enum fw_forest_feature *features, uint32_t count)
{
    double watts = fw_forest_draws_watts(fw_forest_basis_draws(basis), energies);
    for (uint32_t f = 0; f < count; f++)
        to[f] = features[f] == FW_FOREST_FEATURE_drawn && watts > 0 ? log(watts)
                                                                    : basis->features[features[f]];
}

/* ---- classes ---- */

/* Whether answers leaned on a number that nobody evaluated; `brief`: what takes too much work is
 * estimated, and is no such number. */
static bool leans(struct fw_bound *bound, bool brief)
{
    uint32_t count;
    const struct fw_unknown *unknowns = fw_bound_unknowns(bound, &count);
    for (uint32_t u = 0; u < count; u++)
        if (unknowns[u].reason != FW_UNKNOWN_SAMPLED && unknowns[u].reason != FW_UNKNOWN_POINTER &&
            !(brief && unknowns[u].reason == FW_UNKNOWN_BUDGET))
            return true;
    return false;
}

bool fw_forest_basis_leans(struct fw_bound *bound)
{
    return leans(bound, false);
}

bool fw_forest_basis_is_random(const struct fw_kernel *kernel, struct fw_bound *bound)
{
    for (uint32_t a = 0; a < kernel->access_count; a++)
        if (kernel->accesses[a].data_dependent &&
            fw_bound_count(bound, kernel->accesses[a].domain)->estimate > 0)
            return true;
    return false;
}

static bool is_executed(struct fw_bound *bound, uint32_t domain)
{
    return fw_bound_count(bound, domain)->estimate > 0;
}

bool fw_forest_basis_is_asynchronous(const struct fw_kernel *kernel, struct fw_bound *bound)
{
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        const struct fw_access *access = &kernel->accesses[a];
        if ((access->bulk || access->cluster) && is_executed(bound, access->domain))
            return true;
    }
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *row = &kernel->schedule[i];
        if ((row->together > FW_WARP_THREADS || row->barrier == FW_BARRIER_MBARRIER_WAIT) &&
            is_executed(bound, row->domain))
            return true;
    }
    return false;
}

static enum fw_forest_class decided_class(const struct fw_kernel *kernel, struct fw_bound *bound,
                                          bool brief)
{
    return leans(bound, brief)                        ? FW_FOREST_LEANS
           : fw_forest_basis_is_random(kernel, bound) ? FW_FOREST_RANDOM
                                                      : FW_FOREST_KNOWN;
}

enum fw_forest_class fw_forest_class_at(enum fw_forest_class class, double seconds)
{
    return seconds < SHORT_SECONDS ? FW_FOREST_SHORT : class;
}

void fw_forest_basis_count(struct fw_forest_basis *basis, const struct fw_kernel *kernel,
                           struct fw_bound *bound, const struct fw_launch *launch)
{
    *basis = (struct fw_forest_basis){.target = {1, 1}, .watts_most = (double)INFINITY};
    describe_grid(basis, launch);
    count_instructions(basis, kernel, bound);
    count_bytes(basis, kernel, bound);
    basis->class = decided_class(kernel, bound, launch->brief);
}

void fw_forest_basis_find(struct fw_forest_basis *basis, const struct fw_kernel *kernel,
                          struct fw_bound *bound, const struct fw_launch *launch,
                          const struct fw_prediction *traffic, const struct fw_prediction *trace)
{
    double other = trace && trace->seconds > 0 ? trace->seconds : traffic->seconds;
    *basis = (struct fw_forest_basis){
        .target = {sqrt(traffic->seconds * other), traffic->has_watts ? traffic->watts : 0},
        .watts_most = (double)INFINITY};
    double *to = basis->features;
    forest_describe_launch(basis, kernel, launch, traffic);
    count_instructions(basis, kernel, bound);
    count_bytes(basis, kernel, bound);
    take_volumes(basis, traffic);
    take_terms(basis, traffic);
    if (trace)
        take_parts(basis, trace);
    forest_find_draws(basis, traffic, other);
    to[FW_FOREST_FEATURE_seconds] =
        log10(fmin(basis->target[FW_FOREST_SECONDS], FOREST_LONG_SECONDS));
    to[FW_FOREST_FEATURE_trace] = log(other / traffic->seconds);
    to[FW_FOREST_FEATURE_watts] = traffic->has_watts ? log(traffic->watts) : 0;
    basis->class = basis->target[FW_FOREST_SECONDS] < SHORT_SECONDS
                       ? FW_FOREST_SHORT
                       : decided_class(kernel, bound, false);
}

double fw_forest_deviation_at(const struct fw_forest_deviation *of, double apart, double nearest)
{
    double unlike = 1 - exp(-2 * fmax(nearest, of->least));
    return of->common > 0 ? of->common + of->apart * apart + of->near * unlike : 1;
}

double fw_forest_basis_deviation(const struct fw_forest_deviation *of,
                                 const struct fw_forest_basis *basis, enum fw_forest_target target,
                                 double nearest)
{
    return target == FW_FOREST_SECONDS && fw_forest_basis_is_corrected(basis, target)
               ? fw_forest_deviation_at(of, fabs(basis->features[FW_FOREST_FEATURE_trace]), nearest)
               : 1;
}

void fw_forest_basis_limit(struct fw_forest_basis *basis, const struct fw_device *device)
{
    double most;
    if (fw_device_figure(device, FW_FIGURE_BOARD_POWER, &most))
        basis->watts_most = most;
}

bool fw_forest_basis_is_corrected(const struct fw_forest_basis *basis, enum fw_forest_target target)
{
    return target != FW_FOREST_SECONDS ||
           (basis->class != FW_FOREST_LEANS && basis->class != FW_FOREST_RANDOM);
}

double fw_forest_basis_corrected(const struct fw_forest_basis *basis, enum fw_forest_target target,
                                 double of, double factor)
{
    double corrected = of * factor;
    return target == FW_FOREST_WATTS ? fmin(corrected, basis->watts_most) : corrected;
}
