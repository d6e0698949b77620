/* Features of operations and accesses: which rows fit. */
#include "feature_internal.h"

#include <math.h>
#include <string.h>

/* ---- constraints ---- */

static bool holds(enum fw_feature_relation relation, double left, double right)
{
    switch (relation) {
    case FW_FEATURE_LESS:
        return left < right;
    case FW_FEATURE_LESS_EQUAL:
        return left <= right;
    case FW_FEATURE_EQUAL:
        return left == right;
    case FW_FEATURE_GREATER_EQUAL:
        return left >= right;
    case FW_FEATURE_GREATER:
        return left > right;
    default:
        return true;
    }
}

/* The right side of a constraint. */
static enum fw_status limit_of(double *limit, const struct asking *asking,
                               const struct fw_feature_limit *from)
{
    const struct fw_feature_rows *rows = asking->source->rows;
    *limit = (double)from->factor;
    if (!from->parameter)
        return FW_OK;
    for (size_t p = 0; p < rows->parameters.count; p++)
        if (strcmp(rows->parameters.at[p].name, from->parameter) == 0) {
            *limit *= (double)rows->parameters.at[p].value;
            return FW_OK;
        }
    fw_report(asking->sink, FW_ERROR, "FEAT003", asking->place,
              "%s: '%s' is no parameter of the kernel that has a value", asking->feature->name,
              from->parameter);
    return FW_ERROR_INPUT;
}

static enum fw_status strides_fit(bool *fits, const struct asking *asking,
                                  const struct fw_feature_limit *limits, bool known,
                                  const int64_t strides[3])
{
    for (unsigned axis = 0; axis < FW_FEATURE_AXES && *fits; axis++) {
        double limit;
        if (limits[axis].relation == FW_FEATURE_ANY)
            continue;
        enum fw_status status = known ? limit_of(&limit, asking, &limits[axis]) : FW_OK;
        if (status)
            return status;
        *fits = known && holds(limits[axis].relation, (double)strides[axis], limit);
    }
    return FW_OK;
}

static enum fw_status ratio_fits(bool *fits, const struct asking *asking,
                                 const struct fw_feature_access *row)
{
    const struct fw_feature_limit *limit = &asking->feature->ratio;
    double right, ratio = row->ratio;
    if (limit->relation == FW_FEATURE_ANY || !*fits)
        return FW_OK;
    enum fw_status status = limit_of(&right, asking, limit);
    if (status)
        return status;
    if (isnan(ratio) && row->access != FW_NONE)
        ratio = fw_feature_ratio(asking->source, row);
    if (isnan(ratio)) {
        fw_report(asking->sink, FW_ERROR, "FEAT004", asking->place,
                  "%s: how many distinct elements the accesses to %s touch is not known",
                  asking->feature->name, row->array ? row->array : "an unknown array");
        return FW_ERROR_INPUT;
    }
    *fits = holds(limit->relation, ratio, right);
    return FW_OK;
}

/* ---- rows ---- */

static bool is_integer(enum fw_type type)
{
    return fw_type_class(type) == 's' || fw_type_class(type) == 'u';
}

/* A type without a class is any of its size: compilers load floats as b32.  An integer of code has
 * either sign, of which loads and stores know nothing: compilers load an int as u32. */
static bool same_type(const struct asking *asking, enum fw_type type)
{
    enum fw_type wanted = asking->feature->type;
    bool code = strcmp(asking->source->rows->layer, "domain") != 0;
    if (!wanted || wanted == type)
        return true;
    return fw_type_bits(type) == fw_type_bits(wanted) &&
           (fw_type_class(type) == 'b' || (code && is_integer(type) && is_integer(wanted)));
}

/* Whether an operation is counted by a feature of operations. */
static bool operation_fits(const struct fw_feature *feature, const struct fw_feature_operation *row)
{
    if (feature->type && feature->type != row->type)
        return false;
    return feature->name_of ? strcmp(feature->name_of, row->name) == 0 : row->arithmetic;
}

static bool direction_fits(const struct fw_feature *feature, enum fw_direction direction)
{
    if (!feature->loads && !feature->stores && !feature->atomics)
        return true;
    return direction == FW_LOAD    ? feature->loads
           : direction == FW_STORE ? feature->stores
                                   : feature->atomics;
}

/* Without a space a feature is of these; a thread's own memory (PTX's local) is none of them. */
static bool space_fits(const struct fw_feature *feature, enum fw_space space)
{
    return feature->space
               ? feature->space == space
               : space == FW_SPACE_GLOBAL || space == FW_SPACE_SHARED || space == FW_SPACE_CONST;
}

static bool fits_plainly(const struct asking *asking, const struct fw_feature_access *row)
{
    const struct fw_feature *feature = asking->feature;
    return (!feature->tag || (row->tag && strcmp(feature->tag, row->tag) == 0)) &&
           (!feature->array || (row->array && strcmp(feature->array, row->array) == 0)) &&
           space_fits(feature, row->space) && same_type(asking, row->type) &&
           direction_fits(feature, row->direction);
}

static enum fw_status access_fits(bool *fits, const struct asking *asking,
                                  const struct fw_feature_access *row)
{
    const struct fw_feature *feature = asking->feature;
    *fits = fits_plainly(asking, row);
    enum fw_status status = strides_fit(fits, asking, feature->thread_strides,
                                        row->has_thread_strides, row->thread_strides);
    if (!status)
        status = strides_fit(fits, asking, feature->block_strides, row->has_block_strides,
                             row->block_strides);
    return status ? status : ratio_fits(fits, asking, row);
}

/* ---- values ---- */

static enum fw_status sum_accesses(double *value, const struct asking *asking)
{
    const struct fw_feature_rows *rows = asking->source->rows;
    if (asking->feature->tag && strcmp(rows->layer, "domain") != 0) {
        fw_report(asking->sink, FW_ERROR, "FEAT005", asking->place,
                  "%s: accesses have tags in the kernel language alone; array:NAME tells them "
                  "apart elsewhere",
                  asking->feature->name);
        return FW_ERROR_INPUT;
    }
    for (size_t r = 0; r < rows->accesses.count; r++) {
        bool fits;
        enum fw_status status = access_fits(&fits, asking, &rows->accesses.at[r]);
        if (status)
            return status;
        *value += fits ? rows->accesses.at[r].count : 0;
    }
    return FW_OK;
}

static void sum_operations(double *value, const struct asking *asking)
{
    const struct fw_feature_rows *rows = asking->source->rows;
    for (size_t r = 0; r < rows->operations.count; r++)
        if (operation_fits(asking->feature, &rows->operations.at[r]))
            *value += rows->operations.at[r].count;
}

enum fw_status fw_feature_value(double *value, const struct fw_feature *feature,
                                struct fw_feature_source *source, struct fw_span place,
                                const struct fw_sink *sink)
{
    const struct asking asking = {source, feature, place, sink};
    const struct fw_feature_rows *rows = source->rows;
    *value = 0;
    switch (feature->kind) {
    case FW_FEATURE_OPERATION:
        sum_operations(value, &asking);
        return FW_OK;
    case FW_FEATURE_MEMORY:
        return sum_accesses(value, &asking);
    case FW_FEATURE_BARRIER:
        *value = rows->barriers;
        return FW_OK;
    case FW_FEATURE_KERNEL_LAUNCH:
        *value = 1;
        return FW_OK;
    case FW_FEATURE_THREAD_GROUPS:
        *value = rows->blocks;
        return FW_OK;
    case FW_FEATURE_SUB_GROUPS:
        *value = rows->blocks * ceil(rows->block_threads / rows->warp);
        return FW_OK;
    case FW_FEATURE_THREADS:
        *value = rows->blocks * rows->block_threads;
        return FW_OK;
    case FW_FEATURE_FLOPS:
        *value = rows->flops;
        return FW_OK;
    case FW_FEATURE_ISSUED:
    case FW_FEATURE_MACHINE:
        return fw_feature_machine(value, &asking);
    case FW_FEATURE_CHAIN:
        return fw_feature_chain(value, &asking);
    case FW_FEATURE_ATOMICS:
        return fw_feature_atomics(value, &asking);
    case FW_FEATURE_SECTORS:
    case FW_FEATURE_LINES:
    case FW_FEATURE_WAVEFRONTS:
    case FW_FEATURE_VOLUME:
        return fw_feature_memory(value, &asking);
    case FW_FEATURE_OCCUPANCY:
    case FW_FEATURE_WAVES:
    case FW_FEATURE_REGISTERS:
        return fw_feature_residency(value, &asking);
    case FW_FEATURE_OWN:
        *value = source->own ? source->own[feature->own] : (double)NAN;
        if (!isnan(*value))
            return FW_OK;
        fw_report(sink, FW_ERROR, "FEAT005", place, "%s has no value at this launch",
                  feature->name);
        return FW_ERROR_INPUT;
    default:
        break;
    }
    fw_report(sink, FW_ERROR, "FEAT002", place,
              "%s is measured on a device: a kernel and a launch do not have it", feature->name);
    return FW_ERROR_INPUT;
}
