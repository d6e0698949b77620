/* What the figures of a device say together. */
#include "device_internal.h"

/* X(lesser, greater): known figures that must keep this order. */
#define ORDERS(X)                                                                                  \
    X(SHARED_PER_SM, L1_SHARED_BYTES)                                                              \
    X(SHARED_PER_BLOCK, SHARED_PER_BLOCK_OPT_IN)                                                   \
    X(SHARED_PER_BLOCK_OPT_IN, SHARED_PER_SM)                                                      \
    X(REGISTERS_PER_BLOCK, REGISTERS_PER_SM)                                                       \
    X(REGISTERS_PER_THREAD, REGISTERS_PER_BLOCK)                                                   \
    X(THREADS_PER_BLOCK, THREADS_PER_SM)                                                           \
    X(SECTOR_BYTES, LINE_BYTES)                                                                    \
    X(LATENCY_L1, LATENCY_L2)                                                                      \
    X(LATENCY_L2, LATENCY_L2_FAR)

static const enum fw_figure orders[][2] = {
#define X(lesser, greater) {FW_FIGURE_##lesser, FW_FIGURE_##greater},
    ORDERS(X)
#undef X
};

enum { ORDER_COUNT = sizeof(orders) / sizeof(orders[0]), CARVE_OUTS = ORDER_COUNT, RULE_COUNT };

size_t fw_device_rules(void)
{
    return RULE_COUNT;
}

/* The largest size of shared memory is one that it can be carved out in. */
static const char *carve_out_conflict(enum fw_figure *blamed, const struct fw_device *device,
                                      struct fw_arena *arena)
{
    const struct fw_figure_value *carve_outs = &device->figures[FW_FIGURE_SHARED_CARVE_OUTS];
    double most;
    if (!carve_outs->known || !fw_device_figure(device, FW_FIGURE_SHARED_PER_SM, &most) ||
        carve_outs->list[carve_outs->count - 1] == most)
        return NULL;
    *blamed = FW_FIGURE_SHARED_CARVE_OUTS;
    return fw_arena_printf(arena,
                           "the largest of shared_carve_outs is %g, not "
                           "shared_per_multiprocessor, which is %g",
                           carve_outs->list[carve_outs->count - 1], most);
}

const char *fw_device_names(enum fw_figure figure, struct fw_arena *arena)
{
    struct fw_buffer text = fw_buffer_new(arena);
    for (unsigned n = 0; fw_figure_name(figure, n); n++)
        fw_buffer_printf(&text, "%s%s", n ? ", " : "", fw_figure_name(figure, n));
    return text.text;
}

const char *fw_device_conflict(enum fw_figure *blamed, const struct fw_device *device, size_t rule,
                               struct fw_arena *arena)
{
    double lesser, greater;
    if (rule == CARVE_OUTS)
        return carve_out_conflict(blamed, device, arena);
    *blamed = orders[rule][0];
    if (!fw_device_figure(device, orders[rule][0], &lesser) ||
        !fw_device_figure(device, orders[rule][1], &greater) || lesser <= greater)
        return NULL;
    return fw_arena_printf(arena, "%s is %g, more than %s, which is %g",
                           fw_figure_row(orders[rule][0])->name, lesser,
                           fw_figure_row(orders[rule][1])->name, greater);
}
