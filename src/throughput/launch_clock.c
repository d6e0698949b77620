#include "launch_clock.h"

/* Whether a product of matrices is executed that is not of f64: those run at the full clock
 * (data/h200/probe: mma.sync of f64 at 1.98 GHz, of f16 and s8 at 1.79 and 1.82). */
static bool multiplies_matrices(const struct fw_kernel *kernel, struct fw_bound *bound)
{
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *row = &kernel->schedule[i];
        const bool product =
            (row->collective && row->flops) ||
            (row->quantity != FW_NONE && !kernel->quantities[row->quantity].called);
        if (product && !row->unreachable && row->type != FW_TYPE_F64 &&
            fw_bound_count(bound, row->domain)->estimate > 0)
            return true;
    }
    return false;
}

enum fw_status fw_launch_clock(double *clock, double stated, const struct fw_kernel *kernel,
                               struct fw_bound *bound, const struct fw_device *device,
                               const struct fw_sink *sink)
{
    double slower;
    bool known = stated > 0;
    *clock = stated;
    if (!known) {
        known = fw_device_figure(device, FW_FIGURE_SM_CLOCK, clock);
        if (known && kernel && bound && fw_device_figure(device, FW_FIGURE_TENSOR_CLOCK, &slower) &&
            slower < *clock && multiplies_matrices(kernel, bound))
            *clock = slower;
    }
    if (known && device->figures[FW_FIGURE_MULTIPROCESSORS].known)
        return FW_OK;
    fw_report(sink, FW_ERROR, "MOD001", (struct fw_span){0},
              "the profile %s states no %s, which a prediction needs", device->name,
              device->figures[FW_FIGURE_MULTIPROCESSORS].known ? "sm_clock" : "multiprocessors");
    return FW_ERROR_INPUT;
}
