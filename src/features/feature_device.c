/* Features of compiled code on a device: what is issued and requested, what moves, what is
 * resident. */
#include "feature_internal.h"

#include "atomic_contention.h"
#include "demand.h"
#include "dependence.h"
#include "footprint.h"
#include "launch_volumes.h"
#include "residency.h"

#include <math.h>
#include <string.h>

struct fw_feature_found {
    struct fw_residency *residency; /* NULL before, as those below */
    struct fw_launch_volumes *volumes;
    struct fw_kernel_accesses *accesses; /* of ratios */
    struct ratio {
        bool found;
        double value; /* NAN: not known */
    } * ratios;       /* by array and direction */
};

static struct fw_feature_found *found_of(struct fw_feature_source *source)
{
    if (!source->found)
        source->found = FW_NEW(source->arena, struct fw_feature_found);
    return source->found;
}

/* FEAT005 where the code is missing, or a profile that is `needed`. */
static enum fw_status need(const struct asking *asking, bool device)
{
    const struct fw_feature_source *source = asking->source;
    if (source->bound && (source->device || !device))
        return FW_OK;
    if (!source->bound)
        fw_report(asking->sink, FW_ERROR, "FEAT005", asking->place,
                  "%s needs compiled code, and there is none: %s", asking->feature->name,
                  source->no_code ? source->no_code : "domains alone are known");
    else
        fw_report(asking->sink, FW_ERROR, "FEAT005", asking->place,
                  "%s needs a device's profile (-d DEVICE)", asking->feature->name);
    return FW_ERROR_INPUT;
}

/* ---- issue ---- */

/* "IMAD.WIDE" is also written IMAD_WIDE. */
static bool same_instruction(const char *wanted, const char *name)
{
    size_t at = 0;
    while (name[at] && (wanted[at] == name[at] || (wanted[at] == '_' && name[at] == '.')))
        at++;
    return !name[at] && !wanted[at];
}

/* A guarded operation takes an issue slot, but on ordinary data no unit (demand_arithmetic.c). */
static bool is_wanted(const struct fw_feature *feature, const struct fw_machine_operation *op)
{
    if (feature->kind == FW_FEATURE_MACHINE)
        return same_instruction(feature->name_of, op->name);
    return !feature->name_of || (!op->guarded && strcmp(feature->name_of, op->pipe) == 0);
}

enum fw_status fw_feature_machine(double *value, const struct asking *asking)
{
    const struct fw_feature_source *source = asking->source;
    const struct fw_feature *feature = asking->feature;
    enum fw_status status = need(asking, false);
    if (status)
        return status;
    const struct fw_kernel *kernel = source->kernel;
    if (!kernel->capability) {
        fw_report(asking->sink, FW_ERROR, "FEAT005", asking->place,
                  "%s: there is no estimate of machine instructions for the target of this code",
                  feature->name);
        return FW_ERROR_INPUT;
    }
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *at = &kernel->schedule[i];
        double times = 0;
        if (source->line != FW_FEATURE_ALL_LINES && source->line != at->line)
            continue;
        for (uint32_t m = 0; m < at->machine_count && !at->unreachable; m++) {
            const struct fw_machine_operation *op = &at->machine[m];
            times += is_wanted(feature, op) ? (double)op->times / (op->every ? op->every : 1) : 0;
        }
        if (times > 0)
            *value += times *
                      fw_bound_count_warps(source->bound, at->predicated ? at->issued : at->domain)
                          ->estimate;
    }
    return FW_OK;
}

/* ---- chains ---- */

/* How many machine instructions that are not guarded stand for an instruction, of a pipe or of any
 * (NULL). */
static double machine_weight(const struct fw_scheduled *one, const char *pipe)
{
    double weight = 0;
    for (uint32_t m = 0; m < one->machine_count; m++) {
        const struct fw_machine_operation *op = &one->machine[m];
        if (!op->guarded && (!pipe || strcmp(pipe, op->pipe) == 0))
            weight += (double)op->times / (op->every ? op->every : 1);
    }
    return weight;
}

/* What an instruction adds to a chain: 1 if it loads from device or shared memory, where the
 * feature asks for such loads (atomic operations are loads, too), or its machine instructions. */
static double chain_weight(const struct fw_kernel *kernel, const struct fw_scheduled *one,
                           const struct fw_feature *feature)
{
    if (feature->of == FW_FEATURE_OF_ALL)
        return machine_weight(one, feature->name_of);
    if (!one->access_count || one->access == FW_NONE)
        return 0;
    const struct fw_access *access = &kernel->accesses[one->access];
    bool device = access->space == FW_SPACE_GLOBAL || access->space == FW_SPACE_LOCAL;
    return access->direction != FW_STORE &&
           (feature->of == FW_FEATURE_OF_LOADS ? device : access->space == FW_SPACE_SHARED);
}

enum fw_status fw_feature_chain(double *value, const struct asking *asking)
{
    struct fw_feature_source *source = asking->source;
    const struct fw_kernel *kernel = source->kernel;
    enum fw_status status = need(asking, false);
    if (status)
        return status;
    struct fw_arena_mark mark = fw_arena_mark(source->arena);
    double *weights = FW_ARRAY(source->arena, double, kernel->schedule_count + 1);
    for (uint32_t i = 0; i < kernel->schedule_count; i++)
        weights[i] = chain_weight(kernel, &kernel->schedule[i], asking->feature);
    const double *times = fw_dependence_times(source->arena, kernel, source->bound, source->launch);
    *value = fw_dependence_longest(source->arena, kernel, weights, times, HUGE_VAL);
    fw_arena_release(source->arena, mark);
    return FW_OK;
}

/* ---- residency ---- */

static enum fw_status find_residency(const struct fw_residency **residency,
                                     const struct asking *asking)
{
    struct fw_feature_source *source = asking->source;
    struct fw_feature_found *found = found_of(source);
    if (!found->residency) {
        struct fw_residency *made = FW_NEW(source->arena, struct fw_residency);
        enum fw_status status = fw_residency_find(made, &source->kernel->resources, source->launch,
                                                  source->device, asking->sink);
        if (status)
            return status;
        found->residency = made;
    }
    *residency = found->residency;
    if (found->residency->known && found->residency->has_waves)
        return FW_OK;
    fw_report(asking->sink, FW_ERROR, "FEAT005", asking->place,
              "%s: the profile %s lacks what the rules of occupancy need", asking->feature->name,
              source->device->name);
    return FW_ERROR_INPUT;
}

enum fw_status fw_feature_residency(double *value, const struct asking *asking)
{
    const struct fw_residency *residency;
    bool registers = asking->feature->kind == FW_FEATURE_REGISTERS;
    enum fw_status status = need(asking, !registers);
    if (!status && registers)
        *value = asking->source->kernel->resources.registers;
    if (status || registers)
        return status;
    status = find_residency(&residency, asking);
    if (!status)
        *value = asking->feature->kind == FW_FEATURE_WAVES ? residency->waves.full
                                                           : residency->occupancy.share;
    return status;
}

/* ---- memory ---- */

static enum fw_status find_volumes(const struct fw_launch_volumes **volumes,
                                   const struct asking *asking)
{
    struct fw_feature_source *source = asking->source;
    struct fw_feature_found *found = found_of(source);
    const struct fw_residency *residency;
    enum fw_status status = find_residency(&residency, asking);
    if (status)
        return status;
    if (!found->volumes) {
        struct fw_launch_volumes *made = FW_NEW(source->arena, struct fw_launch_volumes);
        const struct fw_launch_question question = {
            .kernel = source->kernel,
            .bound = source->bound,
            .launch = source->launch,
            .device = source->device,
            .alignments = source->alignments,
            .cold = source->cold,
            .resident_blocks = residency->occupancy.blocks,
            .registers = source->kernel->resources.registers,
            .shared_bytes = residency->occupancy.carve_out_bytes};
        status = fw_launch_volumes_find(made, source->arena, &question, asking->sink);
        if (status)
            return status;
        found->volumes = made;
    }
    *volumes = found->volumes;
    return FW_OK;
}

enum fw_status fw_feature_memory(double *value, const struct asking *asking)
{
    const struct fw_launch_volumes *volumes;
    enum fw_status status = need(asking, true);
    if (!status)
        status = find_volumes(&volumes, asking);
    if (status)
        return status;
    bool lines = asking->feature->kind == FW_FEATURE_LINES;
    switch (asking->feature->of) {
    case FW_FEATURE_OF_LOADS:
        *value = lines ? volumes->requests.load_lines : volumes->requests.load_sectors;
        break;
    case FW_FEATURE_OF_STORES:
        *value = lines ? volumes->requests.store_lines : volumes->requests.store_sectors;
        break;
    case FW_FEATURE_OF_PARTS:
        *value = volumes->requests.partial_store_sectors;
        break;
    case FW_FEATURE_OF_GLOBAL:
        *value = volumes->requests.global_wavefronts;
        break;
    case FW_FEATURE_OF_SHARED:
        *value = volumes->requests.shared_wavefronts;
        break;
    case FW_FEATURE_OF_L2_TO_L1:
        *value = volumes->l2_to_l1;
        break;
    case FW_FEATURE_OF_L1_TO_L2:
        *value = volumes->l1_to_l2;
        break;
    case FW_FEATURE_OF_DRAM_READ:
        *value = volumes->volumes.dram_read.bytes;
        break;
    case FW_FEATURE_OF_DRAM_WRITE:
        *value = volumes->volumes.dram_write.bytes;
        break;
    default:
        break;
    }
    return FW_OK;
}

/* Passes of one kind or another over an array's sectors. */
static double passes_of(const struct fw_atomic_array *array)
{
    double passes = 0;
    for (int k = 0; k < FW_ATOMIC_KIND_COUNT; k++)
        passes += array->passes[k] + array->whole[k];
    return passes;
}

enum fw_status fw_feature_atomics(double *value, const struct asking *asking)
{
    const struct fw_launch_volumes *volumes;
    struct fw_feature_source *source = asking->source;
    enum fw_status status = need(asking, true);
    if (!status)
        status = find_volumes(&volumes, asking);
    if (status)
        return status;
    double slice_bytes = 0;
    bool slice = asking->feature->of == FW_FEATURE_OF_SLICE;
    if (slice && !fw_device_figure(source->device, FW_FIGURE_ATOMIC_SLICE_BYTES, &slice_bytes)) {
        fw_report(asking->sink, FW_ERROR, "FEAT005", asking->place,
                  "%s: the profile %s has no atomic_slice_bytes", asking->feature->name,
                  source->device->name);
        return FW_ERROR_INPUT;
    }
    struct fw_arena_mark mark = fw_arena_mark(source->arena);
    struct fw_atomics atomics;
    fw_atomics_find(&atomics, source->arena, source->kernel, source->bound, source->launch,
                    &volumes->caches, &volumes->requests, &volumes->accesses, source->alignments);
    for (uint32_t i = 0; i < atomics.count; i++) {
        const struct fw_atomic_array *array = &atomics.at[i];
        if (asking->feature->of == FW_FEATURE_OF_ALL)
            *value += passes_of(array);
        else
            *value = fmax(*value, passes_of(array) / fmax(1, array->bytes / slice_bytes));
    }
    fw_arena_release(source->arena, mark);
    return FW_OK;
}

/* ---- ratio ---- */

static const struct fw_kernel_accesses *accesses_of(struct fw_feature_source *source)
{
    struct fw_feature_found *found = found_of(source);
    if (!found->accesses) {
        found->accesses = FW_NEW(source->arena, struct fw_kernel_accesses);
        fw_kernel_accesses_find(found->accesses, source->arena, source->kernel, source->bound,
                                source->launch, source->alignments);
    }
    return found->accesses;
}

static bool same_strides(const struct fw_affine_access *a, const struct fw_affine_access *b)
{
    return a->bytes == b->bytes &&
           memcmp(a->thread_stride, b->thread_stride, sizeof(a->thread_stride)) == 0;
}

/* Adds the affine forms of an access to a list; false: it has none, or others than those before. */
static bool add_forms(struct fw_affine_accesses *list, const struct fw_kernel_accesses *accesses,
                      uint32_t access)
{
    const struct fw_access_affine *forms = &accesses->by_access[access];
    for (uint32_t i = 0; i < forms->count; i++) {
        list->at[list->count++] = accesses->affine.at[forms->first + i];
        if (!same_strides(&list->at[list->count - 1], &list->at[0]))
            return false;
    }
    return forms->complete;
}

/* Accesses by all threads to an array in the direction of the access `like`, in elements, and those
 * alone in `list`; false: some have no affine form, or are of elements of another size.  A
 * footprint knows which gaps the accesses of an array leave where they have the same strides from
 * thread to thread: others are not counted. */
static bool collect_accesses(double *elements, struct fw_affine_accesses *list,
                             const struct fw_feature_source *source,
                             const struct fw_kernel_accesses *accesses,
                             const struct fw_access *like)
{
    uint32_t bytes = fw_type_bytes(like->type);
    *elements = 0;
    for (uint32_t a = 0; a < source->kernel->access_count; a++) {
        const struct fw_access *access = &source->kernel->accesses[a];
        if (access->array != like->array || access->direction != like->direction)
            continue;
        double executions = fw_bound_count(source->bound, access->domain)->estimate;
        if (executions > 0 &&
            (fw_type_bytes(access->type) != bytes || !add_forms(list, accesses, a)))
            return false;
        *elements += executions * access->bytes / bytes;
    }
    return list->count > 0;
}

static double ratio_of(struct fw_feature_source *source, const struct fw_access *like)
{
    const struct fw_kernel_accesses *accesses = accesses_of(source);
    struct fw_affine_accesses list = accesses->affine;
    uint32_t bytes = fw_type_bytes(like->type);
    double elements;
    list.at = FW_ARRAY(source->arena, struct fw_affine_access, accesses->affine.count + 1);
    list.count = 0;
    list.bounded = FW_ARRAY(source->arena, uint8_t, list.arrays + 1);
    if (bytes == 0 || bytes > 8 || (bytes & (bytes - 1)) ||
        !collect_accesses(&elements, &list, source, accesses, like))
        return NAN;
    const struct fw_window whole = {
        .last = (int64_t)source->rows->blocks, .end = 1, .of = FW_FOOTPRINT_ALL};
    uint32_t array = list.at[0].array;
    struct fw_footprint *footprint = fw_footprint_new(source->arena, &list, bytes);
    double distinct = fw_footprint_count(footprint, &whole, 1, array);
    bool exact = fw_footprint_exact(footprint) && !list.bounded[array];
    return exact && distinct > 0 ? elements / distinct : (double)NAN;
}

double fw_feature_ratio(struct fw_feature_source *source, const struct fw_feature_access *row)
{
    enum { DIRECTIONS = FW_REDUCTION + 1 };
    const struct fw_access *access = &source->kernel->accesses[row->access];
    struct fw_feature_found *found = found_of(source);
    if (access->array == FW_NONE || access->space == FW_SPACE_SHARED)
        return NAN;
    if (!found->ratios)
        found->ratios =
            FW_ARRAY(source->arena, struct ratio, (size_t)source->kernel->array_count * DIRECTIONS);
    struct ratio *ratio = &found->ratios[access->array * DIRECTIONS + access->direction];
    if (!ratio->found)
        *ratio = (struct ratio){true, ratio_of(source, access)};
    return ratio->value;
}
