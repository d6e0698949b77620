/* The roofline model: the least time that each resource of a device needs for what a launch asks of
 * it; the slowest is the prediction.
 *
 * Takes a kernel at a bound launch and a device profile.  Gives one term a resource (arithmetic of
 * each kind, instruction issue, shared memory, L1, L2, device memory), the same work by source
 * line, the overhead of launching, and how blocks fill the device.  Uses exact counts and the
 * profile's figures alone: a resource whose figure is missing has no term, and is named.  Knows no
 * latencies, no caches beyond their size and no overlap of resources short of perfect: `left_out`
 * says all that. */
#ifndef FW_ROOFLINE_H
#define FW_ROOFLINE_H

#include "device.h"
#include "launch.h"
#include "occupancy.h"

/* X(NAME, text, figure, unit, meaning)
 * The figure is a rate a cycle and multiprocessor, except for bytes from L2 and device memory. */
#define FW_ROOFLINE_RESOURCES(X)                                                                   \
    X(F32, "f32", LANES_F32, "results", "f32 arithmetic")                                          \
    X(F64, "f64", LANES_F64, "results", "f64 arithmetic")                                          \
    X(F16, "f16", LANES_F16, "results", "f16 and bf16 arithmetic")                                 \
    X(INTEGER, "integer", LANES_INT32, "results", "integer, logic and comparison")                 \
    X(INTEGER_MULTIPLY, "integer_multiply", LANES_INT32_MULTIPLY, "results", "integer products")   \
    X(SPECIAL, "special", LANES_SPECIAL, "results", "reciprocals, roots, exponentials, sines")     \
    X(POPCOUNT, "bit_count", LANES_POPCOUNT, "results", "bit counts and searches")                 \
    X(SHUFFLE, "shuffle", LANES_SHUFFLE, "results", "shuffles between threads of a warp")          \
    X(TENSOR_F16, "tensor_f16", TENSOR_F16, "flops", "f16 matrix units")                           \
    X(TENSOR_BF16, "tensor_bf16", TENSOR_BF16, "flops", "bf16 matrix units")                       \
    X(TENSOR_TF32, "tensor_tf32", TENSOR_TF32, "flops", "tf32 matrix units")                       \
    X(TENSOR_FP8, "tensor_fp8", TENSOR_FP8, "flops", "fp8 matrix units")                           \
    X(TENSOR_INT8, "tensor_int8", TENSOR_INT8, "flops", "int8 matrix units")                       \
    X(TENSOR_F64, "tensor_f64", TENSOR_F64, "flops", "f64 matrix units")                           \
    X(ISSUE, "issue", SCHEDULERS, "instructions", "instructions issued to warps")                  \
    X(LOAD_STORE, "load_store", LANES_LOAD_STORE, "addresses", "addresses of loads and stores")    \
    X(SHARED, "shared", SHARED_BANKS, "bytes", "shared memory, bank conflicts counted")            \
    X(L1, "l1", L1_BANDWIDTH, "bytes", "sectors that warps ask L1 for")                            \
    X(L2, "l2", L2_BANDWIDTH, "bytes", "distinct bytes, from L2")                                  \
    X(DRAM, "dram", DRAM_COPY_BANDWIDTH, "bytes", "distinct bytes, from device memory")            \
    X(DISPATCH, "dispatch", EMPTY_KERNEL, "blocks", "blocks handed to multiprocessors")

enum fw_roofline_resource {
#define X(name, ...) FW_ROOFLINE_##name,
    FW_ROOFLINE_RESOURCES(X)
#undef X
        FW_ROOFLINE_RESOURCE_COUNT
};

struct fw_roofline_options {
    bool cold;                  /* caches flushed before the launch */
    double clock;               /* hertz; 0: the profile's */
    const uint32_t *alignments; /* bytes, by parameter; NULL: 256 for all */
};

struct fw_roofline_term {
    enum fw_roofline_resource resource;
    uint32_t line;  /* 0: the whole kernel */
    double amount;  /* in the resource's unit */
    double rate;    /* units a second, of the whole device */
    double seconds; /* of the busiest multiprocessor, where it is a multiprocessor's resource */
    double share;   /* of the slowest term's seconds; a line's: of its resource's whole */
    enum fw_figure figure;
};

struct fw_roofline {
    double seconds;
    bool has_overhead;
    double overhead_seconds;
    double clock;
    struct fw_roofline_term *terms; /* slowest first; those with work alone */
    uint32_t term_count;
    struct fw_roofline_term *lines; /* of the slowest resource that lines ask for, most first */
    uint32_t line_count;
    bool has_occupancy;
    struct fw_occupancy occupancy;
    struct fw_waves waves;
    const char **left_out; /* sentences */
    uint32_t left_out_count;
};

/* What a resource is called ("dram"), its unit, what it is. */
const char *fw_roofline_text(enum fw_roofline_resource resource);
const char *fw_roofline_unit(enum fw_roofline_resource resource);
const char *fw_roofline_meaning(enum fw_roofline_resource resource);

/* Joules above idling of a term's work, by the profile's energies; 0 where it has none, and for what
 * is no work of its own (issue, dispatch) or memory's. */
double fw_roofline_joules(const struct fw_roofline_term *term, const struct fw_device *device);

/* Work of one source line (0: of none), by resource, in its unit. */
struct fw_roofline_work {
    uint32_t line;
    double amounts[FW_ROOFLINE_RESOURCE_COUNT];
};

/* What a launch asks for, when somebody else has counted it. */
struct fw_roofline_request {
    const struct fw_resources *resources;
    const struct fw_launch *launch; /* grid, block, dynamic shared bytes */
    const struct fw_roofline_work *work;
    uint32_t work_count;
    double footprint;            /* distinct bytes of global memory */
    const char *const *left_out; /* sentences about the counts */
    uint32_t left_out_count;
};

/* Predicts from such a request; all results live in the arena.  Errors as below. */
enum fw_status fw_roofline_from_work(struct fw_roofline **prediction, struct fw_arena *arena,
                                     const struct fw_roofline_request *request,
                                     const struct fw_device *device,
                                     const struct fw_roofline_options *options,
                                     const struct fw_sink *sink);

/* Predicts the launch that `bound` is bound to; all results live in the arena.  FW_ERROR_INPUT
 * (MOD001): the profile lacks the multiprocessors or their clock, or every figure that the kernel
 * needs. */
enum fw_status fw_roofline_predict(struct fw_roofline **prediction, struct fw_arena *arena,
                                   const struct fw_kernel *kernel, struct fw_bound *bound,
                                   const struct fw_launch *launch, const struct fw_device *device,
                                   const struct fw_roofline_options *options,
                                   const struct fw_sink *sink);

#endif
