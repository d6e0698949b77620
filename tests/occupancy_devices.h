/* Devices for occupancy tests: one a compute capability, with the limits that the CUDA programming
 * guide's table of technical specifications gives for it.  Made as profile texts, so that reading
 * is tested along the way. */
#ifndef FW_OCCUPANCY_DEVICES_H
#define FW_OCCUPANCY_DEVICES_H

#include "device.h"

struct capability {
    int major, minor;
    unsigned warps, blocks;
    unsigned shared, opt_in; /* KiB */
    unsigned reserved, unit; /* bytes */
    unsigned barriers;       /* 0: the calculator does not limit by them */
    const char *carve_outs;  /* KiB */
};

static const struct capability capabilities[] = {
    {7, 0, 64, 32, 96, 96, 0, 256, 0, "0 8 16 32 64 96"},
    {7, 5, 32, 16, 64, 64, 0, 256, 0, "32 64"},
    {8, 0, 64, 32, 164, 163, 1024, 128, 0, "0 8 16 32 64 100 132 164"},
    {8, 6, 48, 16, 100, 99, 1024, 128, 0, "0 8 16 32 64 100"},
    {8, 9, 48, 24, 100, 99, 1024, 128, 0, "0 8 16 32 64 100"},
    {9, 0, 64, 32, 228, 227, 1024, 128, 64, "0 8 16 32 64 100 132 164 196 228"},
    {10, 0, 64, 32, 228, 227, 1024, 128, 64, "0 8 16 32 64 100 132 164 196 228"},
    {12, 0, 48, 24, 100, 99, 1024, 128, 24, "0 8 16 32 64 100"},
};

enum { CAPABILITIES = sizeof(capabilities) / sizeof(capabilities[0]) };

static inline void add_figure(struct fw_buffer *text, enum fw_figure figure, unsigned value)
{
    const struct fw_figure_row *row = fw_figure_row(figure);
    fw_buffer_printf(text, "\"%s\": {\"value\": %u, \"unit\": \"%s\", \"source\": \"spec\"}, ",
                     row->name, value, row->unit);
}

static inline void add_carve_outs(struct fw_buffer *text, const char *sizes)
{
    fw_buffer_printf(text, "\"shared_carve_outs\": {\"unit\": \"bytes\", \"source\": \"spec\", "
                           "\"value\": [");
    for (const char *at = sizes; *at;) {
        char *end;
        unsigned long size = strtoul(at, &end, 10);
        fw_buffer_printf(text, "%s%lu", at == sizes ? "" : ", ", size * 1024);
        at = end;
    }
    fw_buffer_printf(text, "]}");
}

/* The device of a compute capability, on `multiprocessors` multiprocessors; NULL when its text is
 * refused. */
static inline struct fw_device *
capability_device(struct fw_arena *arena, const struct capability *of, unsigned multiprocessors)
{
    struct fw_buffer text = fw_buffer_new(arena);
    struct fw_device *device;
    fw_buffer_printf(&text, "{\"forewarp_profile\": 1, \"name\": \"cc%d%d\", \"figures\": {",
                     of->major, of->minor);
    add_figure(&text, FW_FIGURE_COMPUTE_MAJOR, (unsigned)of->major);
    add_figure(&text, FW_FIGURE_COMPUTE_MINOR, (unsigned)of->minor);
    add_figure(&text, FW_FIGURE_MULTIPROCESSORS, multiprocessors);
    add_figure(&text, FW_FIGURE_SCHEDULERS, 4);
    add_figure(&text, FW_FIGURE_WARP_SIZE, 32);
    add_figure(&text, FW_FIGURE_WARPS_PER_SM, of->warps);
    add_figure(&text, FW_FIGURE_BLOCKS_PER_SM, of->blocks);
    add_figure(&text, FW_FIGURE_THREADS_PER_SM, of->warps * 32);
    add_figure(&text, FW_FIGURE_THREADS_PER_BLOCK, 1024);
    add_figure(&text, FW_FIGURE_REGISTERS_PER_SM, 65536);
    add_figure(&text, FW_FIGURE_REGISTERS_PER_BLOCK, 65536);
    add_figure(&text, FW_FIGURE_REGISTERS_PER_THREAD, 255);
    add_figure(&text, FW_FIGURE_REGISTER_UNIT, 256);
    add_figure(&text, FW_FIGURE_SHARED_PER_SM, of->shared * 1024);
    add_figure(&text, FW_FIGURE_SHARED_PER_BLOCK, 48 * 1024);
    add_figure(&text, FW_FIGURE_SHARED_PER_BLOCK_OPT_IN, of->opt_in * 1024);
    add_figure(&text, FW_FIGURE_SHARED_RESERVED, of->reserved);
    add_figure(&text, FW_FIGURE_SHARED_UNIT, of->unit);
    if (of->barriers)
        add_figure(&text, FW_FIGURE_BARRIERS_PER_SM, of->barriers);
    add_carve_outs(&text, of->carve_outs);
    fw_buffer_printf(&text, "}}");
    fw_device_parse(&device, arena, "capability", text.text, text.length, NULL);
    return device;
}

#endif
