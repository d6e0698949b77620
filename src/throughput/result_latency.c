#include "result_latency.h"

#include <string.h>

static bool is(const struct fw_scheduled *one, const char *operation)
{
    return strcmp(one->operation, operation) == 0;
}

enum fw_figure fw_result_latency(const struct fw_kernel *kernel, const struct fw_scheduled *one)
{
    bool f64 = one->type == FW_TYPE_F64;
    if (one->is_barrier)
        return FW_FIGURE_LATENCY_BARRIER;
    if (is(one, "bra") && one->wait_count) /* the next instruction comes later */
        return FW_FIGURE_LATENCY_BRANCH;
    if (one->access_count && one->access != FW_NONE)
        return kernel->accesses[one->access].space == FW_SPACE_SHARED ? FW_FIGURE_LATENCY_SHARED
                                                                      : FW_FIGURE_COUNT;
    if (one->collective)
        return FW_FIGURE_LATENCY_TENSOR;
    if (is(one, "shfl"))
        return FW_FIGURE_LATENCY_SHUFFLE;
    if (is(one, "div") || is(one, "rem") || is(one, "sqrt"))
        return f64 ? FW_FIGURE_LATENCY_F64_DIVIDE : FW_FIGURE_LATENCY_F32_DIVIDE;
    if (one->group == FW_GROUP_SPECIAL)
        return FW_FIGURE_LATENCY_SPECIAL;
    if (one->group == FW_GROUP_ARITHMETIC && (f64 || one->type == FW_TYPE_F32))
        return f64 ? FW_FIGURE_LATENCY_F64_FMA : FW_FIGURE_LATENCY_F32;
    return one->group == FW_GROUP_ARITHMETIC || one->group == FW_GROUP_LOGIC
               ? FW_FIGURE_LATENCY_INT32
               : FW_FIGURE_COUNT;
}

const enum fw_figure *fw_result_latencies(size_t *count)
{
    static const enum fw_figure all[] = {
        FW_FIGURE_LATENCY_INT32,      FW_FIGURE_LATENCY_F64_FMA,    FW_FIGURE_LATENCY_F32,
        FW_FIGURE_LATENCY_F32_DIVIDE, FW_FIGURE_LATENCY_F64_DIVIDE, FW_FIGURE_LATENCY_SPECIAL,
        FW_FIGURE_LATENCY_SHUFFLE,    FW_FIGURE_LATENCY_SHARED,     FW_FIGURE_LATENCY_BARRIER,
        FW_FIGURE_LATENCY_TENSOR,     FW_FIGURE_LATENCY_BRANCH};
    *count = sizeof(all) / sizeof(all[0]);
    return all;
}
