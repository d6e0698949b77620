/* What a probe runs: a plan for forewarp-measure, and the kernels' sources beside it.
 *
 * Takes what the driver tells of the device (a setup record); gives files as texts.  Nothing of
 * what a probe shall find (rates, capacities, latencies) is taken from there: the number of
 * multiprocessors says how many blocks fill the device, memory how large buffers may be, the
 * compute capability which instructions there are. */
#ifndef FW_PROBE_PLAN_H
#define FW_PROBE_PLAN_H

#include "probe_ptx.h"

struct fw_probe_device {
    bool cuda; /* PTX; else OpenCL C */
    unsigned multiprocessors;
    unsigned capability; /* ten times; CUDA alone */
    uint64_t memory_bytes;
    bool energy; /* also runs that measure power: 3 s each */
    bool small;  /* few trials and small sizes: for a slow device, or a test */
};

struct fw_probe_file {
    const char *name, *text;
    size_t length;
};

struct fw_probe_files {
    FW_VECTOR(struct fw_probe_file) rows;
};

/* The probe's plan, "probe.plan", and its sources; all in the arena. */
void fw_probe_plan(struct fw_probe_files *files, struct fw_arena *arena,
                   const struct fw_probe_device *device);

/* Loop iterations of an operation's chains (the length is one, two, three times as much), and of
 * its whole-device form: instances of the pattern by each warp; 0: it has none. */
uint64_t fw_probe_iterations(const struct fw_probe_row *row);
uint64_t fw_probe_whole_instances(enum fw_probe_operation operation);

/* The points of the chases, in the order of their kernels' reports; the analysis reads them by the
 * same functions.  The array is the arena's. */
enum fw_probe_chase {
    FW_CHASE_SIZES,   /* stride of 128 bytes, 2 KiB to 1 GiB: capacities, latencies */
    FW_CHASE_STRIDES, /* counts by stride: the line */
    FW_CHASE_PAGES,   /* strides of more than 2 MiB: reach of the TLBs */
    FW_CHASE_COUNT
};
const char *fw_probe_chase_name(enum fw_probe_chase chase);
size_t fw_probe_chase_points(struct fw_probe_point **points, struct fw_arena *arena,
                             enum fw_probe_chase chase, uint64_t memory_bytes);

/* Atomic additions in device memory: what is added where, and how often by each thread.  The grid
 * has FW_PROBE_ATOMIC_BLOCKS blocks of 256 threads for each multiprocessor. */
enum { FW_PROBE_ATOMIC_BLOCKS = 8, FW_PROBE_ATOMIC_THREADS = 256 };
struct fw_probe_atomic {
    int type; /* of fw_probe_atomic_types */
    enum fw_probe_atomic_pattern pattern;
    bool returns;
    unsigned words, offset; /* offset: bytes from a multiple of 256 */
    unsigned times;
};

/* The additions that a probe measures; the array is the arena's. */
size_t fw_probe_atomics(struct fw_probe_atomic **atomics, struct fw_arena *arena);

/* The name of the configuration. */
const char *fw_probe_atomic_name(struct fw_arena *arena, const struct fw_probe_atomic *atomic);

#endif
