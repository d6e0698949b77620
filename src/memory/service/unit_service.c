#include "unit_service.h"

#include "slice_loads.h"

#include <math.h>
#include <string.h>

struct rates {
    double passes, whole, whole_f64, float_word, result_word, slices, random_slices, slice_bytes,
        all_slices;
};

static double rate_or(const struct fw_device *device, enum fw_figure figure, double otherwise)
{
    double rate;
    return fw_device_figure(device, figure, &rate) ? rate : otherwise;
}

/* Seconds in which one slice would operate on an array; `plain`: as if f64 were integers, which is
 * what the way from the multiprocessors to all slices together takes. */
static double slice_seconds(const struct fw_atomic_array *array, const struct rates *rates,
                            bool plain)
{
    double seconds = 0;
    for (uint32_t k = 0; k < FW_ATOMIC_KIND_COUNT; k++) {
        double whole = k == FW_ATOMIC_F64 && !plain ? rates->whole_f64 : rates->whole;
        seconds += array->passes[k] / rates->passes + array->whole[k] / whole;
    }
    return seconds;
}

/* Slices that operate on an array side by side: warps whose lanes go to random sectors of their own
 * keep more of them at work than such as go to words side by side, which come to one slice together
 * (`lanes` in data/h200/slices). */
static double slices_of(const struct fw_atomic_array *array, const struct rates *rates)
{
    const double drawn = array->operations > 0 ? array->drawn / array->operations : 0;
    return 1 / (drawn / rates->random_slices + (1 - drawn) / rates->slices);
}

/* The share of an array's operations that lie in the granule of one of them. */
static double own_granule(const struct fw_atomic_array *array, const struct rates *rates)
{
    double share = 0;
    for (uint32_t g = 0; array->loads.levels && g < array->loads.parts->count; g++)
        share += array->loads.parts->shares[g] * array->loads.parts->shares[g];
    return share > 0 ? share : 1 / fmax(1, array->bytes / rates->slice_bytes);
}

/* Parts of a launch whose operations are on their way at different times.  Multiprocessors go on
 * with the block that began first: of those that are resident, half are far from their end, or have
 * not begun with their operations (`blocks` in data/h200/slices). */
static double parts_of(const struct fw_atomic_array *array, double resident)
{
    return resident > 0 ? array->loads.blocks / (resident / 2) : 1;
}

bool fw_atomic_service(struct fw_atomic_service *service, const struct fw_atomics *atomics,
                       const struct fw_device *device, double resident)
{
    struct rates rates;
    double slowest = 0, all = 0;
    *service = (struct fw_atomic_service){0};
    for (uint32_t i = 0; i < atomics->count; i++) {
        service->operations += atomics->at[i].operations;
        service->returning += atomics->at[i].returning;
    }
    if (!fw_device_figure(device, FW_FIGURE_ATOMIC_PASSES, &rates.passes) ||
        !fw_device_figure(device, FW_FIGURE_ATOMIC_SLICES, &rates.slices) ||
        !fw_device_figure(device, FW_FIGURE_ATOMIC_SLICE_BYTES, &rates.slice_bytes))
        return false;
    rates.whole = rate_or(device, FW_FIGURE_ATOMIC_WHOLE, rates.passes);
    rates.whole_f64 = rate_or(device, FW_FIGURE_ATOMIC_WHOLE_F64, rates.whole);
    rates.float_word = rate_or(device, FW_FIGURE_ATOMIC_FLOAT_WORD, HUGE_VAL);
    rates.result_word = rate_or(device, FW_FIGURE_ATOMIC_RESULT_WORD, HUGE_VAL);
    rates.random_slices = rate_or(device, FW_FIGURE_ATOMIC_RANDOM_SLICES, rates.slices);
    rates.all_slices = rate_or(device, FW_FIGURE_L2_SLICES, rates.slices);
    for (uint32_t i = 0; i < atomics->count; i++) {
        const struct fw_atomic_array *array = &atomics->at[i];
        double own = own_granule(array, &rates);
        double together = slice_seconds(array, &rates, true) / slices_of(array, &rates);
        double seconds = slice_seconds(array, &rates, false) * own + together * (1 - own);
        if (array->loads.levels)
            seconds = fmax(seconds, slice_seconds(array, &rates, true) / rates.slices *
                                        fw_slices_uneven(&array->loads, rates.all_slices,
                                                         rates.slices, parts_of(array, resident)));
        seconds = fmax(seconds, array->floating / array->words / rates.float_word);
        seconds = fmax(seconds, array->returning / array->words / rates.result_word);
        slowest = fmax(slowest, seconds);
        all += together;
    }
    service->seconds = fmax(slowest, all);
    return true;
}

static bool is_texture(const struct fw_scheduled *one)
{
    static const char *const names[] = {"tex", "tld4", "suld", "sust", "sured"};
    for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
        if (strcmp(one->operation, names[n]) == 0)
            return true;
    return false;
}

static void count_textures(struct fw_units *units, const struct fw_kernel *kernel,
                           struct fw_bound *bound)
{
    double others = 0;
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        if (!is_texture(&kernel->schedule[i]))
            continue;
        double executed = fw_bound_count(bound, kernel->schedule[i].domain)->estimate;
        units->texture += executed;
        units->texture_linear += kernel->schedule[i].linear_fetch ? executed : 0;
    }
    if (!(units->texture > 0))
        return;
    for (uint32_t a = 0; a < kernel->access_count; a++)
        if (kernel->accesses[a].space != FW_SPACE_PARAM)
            others += fw_bound_count(bound, kernel->accesses[a].domain)->estimate;
    units->texture_share = units->texture / (units->texture + others);
}

void fw_units_find(struct fw_units *units, struct fw_arena *arena, const struct fw_kernel *kernel,
                   struct fw_bound *bound, const struct fw_launch *launch,
                   const struct fw_device *device, const struct fw_caches *caches,
                   const struct fw_kernel_accesses *found, const struct fw_requests *requests,
                   const uint32_t *alignments)
{
    double nearest = 0, blocks = (double)launch->grid[0] * launch->grid[1] * launch->grid[2];
    double threads = (double)launch->block[0] * launch->block[1] * launch->block[2];
    double each = ceil(blocks / fmax(1, caches->multiprocessors));
    *units = (struct fw_units){.constant_requests = requests->constant_requests,
                               .resident_warps =
                                   ceil(threads / (caches->warp ? caches->warp : FW_WARP_THREADS)) *
                                   fmin(fmax(1, caches->resident_blocks), each)};
    fw_atomics_find(&units->atomics, arena, kernel, bound, launch, caches, requests, found,
                    alignments);
    units->atomics_known = fw_atomic_service(&units->atomic_service, &units->atomics, device,
                                             caches->multiprocessors * caches->resident_blocks);
    if (fw_device_figure(device, FW_FIGURE_CONSTANT_CACHE_BYTES, &nearest))
        fw_constant_misses_find(&units->constant, kernel, bound, launch, found, nearest);
    count_textures(units, kernel, bound);
}

double fw_units_scalar_constant_cycles(const struct fw_units *units, const struct fw_device *device)
{
    double rate, warps, bytes;
    if (!fw_device_figure(device, FW_FIGURE_CONSTANT_SCALAR_BYTES, &bytes) ||
        !fw_device_figure(device, FW_FIGURE_CONSTANT_SCALAR_WARPS, &warps) ||
        !fw_device_figure(device, FW_FIGURE_CONSTANT_SCALAR_MISSES, &rate))
        return 0;
    return units->constant.scalar_bytes > bytes && units->resident_warps > warps ? 1 / rate : 0;
}

double fw_units_constant_seconds(const struct fw_units *units, const struct fw_device *device,
                                 double cycles)
{
    double rate, missed;
    if (!(cycles > 0) || !fw_device_figure(device, FW_FIGURE_CONSTANT_REQUESTS, &rate))
        return 0;
    double seconds = units->constant_requests / (rate * cycles);
    if (units->constant.misses > 0 && fw_device_figure(device, FW_FIGURE_CONSTANT_MISSES, &missed))
        seconds += units->constant.misses / (missed * cycles);
    seconds += units->constant.scalar * fw_units_scalar_constant_cycles(units, device) / cycles;
    return seconds;
}

double fw_units_texture_seconds(const struct fw_units *units, const struct fw_device *device,
                                double cycles)
{
    double lanes;
    if (!(cycles > 0) || !fw_device_figure(device, FW_FIGURE_LANES_TEXTURE, &lanes))
        return 0;
    double others = rate_or(device, FW_FIGURE_LANES_TEXTURE_PLANE, lanes);
    double linear = units->texture_linear;
    return (linear / lanes + (units->texture - linear) / others) / cycles;
}

double fw_units_constant_wait(const struct fw_units *units, const struct fw_kernel *kernel,
                              const struct fw_device *device, const struct fw_access *access)
{
    double near, far, missed = units->constant.miss_share;
    if (!(missed > 0) || !fw_constant_is_apart(kernel, access) ||
        !fw_device_figure(device, FW_FIGURE_LATENCY_CONSTANT, &near) ||
        !fw_device_figure(device, FW_FIGURE_LATENCY_CONSTANT_FAR, &far))
        return 0;
    return missed * far + (1 - missed) * near;
}

static uint32_t atomic_sentences(const char **out, struct fw_arena *arena,
                                 const struct fw_units *units, const struct fw_device *device)
{
    static const struct {
        enum fw_figure figure;
        const char *taken;
    } figures[] = {{FW_FIGURE_ATOMIC_FLOAT_WORD,
                    "floating-point additions to one word count as fast as those of integers"},
                   {FW_FIGURE_ATOMIC_RESULT_WORD,
                    "atomics whose results threads read count as fast as those without"}};
    double floating = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < units->atomics.count; i++)
        floating += units->atomics.at[i].floating;
    const double asked[] = {floating, units->atomic_service.returning};
    for (size_t f = 0; units->atomics_known && f < sizeof(figures) / sizeof(figures[0]); f++)
        if (asked[f] > 0 && !fw_device_figure(device, figures[f].figure, NULL))
            out[count++] =
                fw_arena_printf(arena, "The profile has no %s: %s.",
                                fw_figure_row(figures[f].figure)->name, figures[f].taken);
    if (units->atomics.scattered)
        out[count++] =
            fw_arena_printf(arena,
                            "Atomic operations whose words are not known (%u of the accesses): the "
                            "words count as many, and as if no two operations met on one.",
                            units->atomics.scattered);
    return count;
}

uint32_t fw_units_sentences(const char **out, struct fw_arena *arena, const struct fw_units *units,
                            const struct fw_device *device)
{
    uint32_t count = atomic_sentences(out, arena, units, device);
    if (units->constant.misses > 0)
        out[count++] = fw_arena_printf(
            arena,
            "Warps walk %.0f bytes of constant memory apart, more than its nearest cache holds: "
            "%.0f %% of these requests count as misses%s.",
            units->constant.bytes, 100 * units->constant.miss_share,
            fw_device_figure(device, FW_FIGURE_CONSTANT_MISSES, NULL)
                ? ""
                : ", of which the time has the latency alone, since the profile has no "
                  "constant_misses");
    if (units->texture > 0)
        out[count++] = fw_arena_printf(arena,
                                       "%.0f %% of the threads' memory instructions are those of "
                                       "textures and surfaces: their bytes and their latency are "
                                       "not modelled.",
                                       100 * units->texture_share);
    return count;
}
