/* Resources: the parts of a device that a launch keeps busy, each with the profile's figure that
 * says how fast it is.
 *
 * One table of names, units and figures, from which terms, account and help take theirs; a
 * resource's joules.  Knows no kernels: demand.h counts what a launch asks of each, resource_term.h
 * turns that into seconds. */
#ifndef FW_RESOURCE_H
#define FW_RESOURCE_H

#include "device.h"

/* X(NAME, text, figure, unit, meaning)
 * The figure is a rate a cycle and multiprocessor, except for bytes from L2 and device memory. */
#define FW_RESOURCES(X)                                                                            \
    X(F32, "f32", LANES_F32, "results", "f32 arithmetic, and integer operations on its unit")      \
    X(F64, "f64", LANES_F64, "results", "f64 arithmetic")                                          \
    X(F16, "f16", LANES_F16, "results", "f16 and bf16 arithmetic")                                 \
    X(INTEGER, "integer", LANES_INT32, "results", "integer, logic and comparison")                 \
    X(INTEGER_MULTIPLY, "integer_multiply", LANES_INT32_MULTIPLY, "results", "integer products")   \
    X(SPECIAL, "special", LANES_SPECIAL, "results", "reciprocals, roots, exponentials, sines")     \
    X(POPCOUNT, "bit_count", LANES_POPCOUNT, "results", "bit counts and searches")                 \
    X(SHUFFLE, "shuffle", LANES_SHUFFLE, "results", "shuffles between threads of a warp")          \
    X(BARRIER, "barrier", LANES_BARRIER, "threads", "threads that arrive at barriers")             \
    X(TENSOR_F16, "tensor_f16", TENSOR_F16, "flops", "f16 matrix units")                           \
    X(TENSOR_BF16, "tensor_bf16", TENSOR_BF16, "flops", "bf16 matrix units")                       \
    X(TENSOR_TF32, "tensor_tf32", TENSOR_TF32, "flops", "tf32 matrix units")                       \
    X(TENSOR_FP8, "tensor_fp8", TENSOR_FP8, "flops", "fp8 matrix units")                           \
    X(TENSOR_INT8, "tensor_int8", TENSOR_INT8, "flops", "int8 matrix units")                       \
    X(TENSOR_F64, "tensor_f64", TENSOR_F64, "flops", "f64 matrix units")                           \
    X(ISSUE, "issue", SCHEDULERS, "instructions", "instructions issued to warps")                  \
    X(LOAD_STORE, "load_store", LANES_LOAD_STORE, "addresses", "addresses of loads and stores")    \
    X(SHARED, "shared", SHARED_BANKS, "bytes", "shared memory, bank conflicts counted")            \
    X(L1, "l1", L1_BANDWIDTH, "bytes", "sectors that warps request from L1")                       \
    X(L2, "l2", L2_BANDWIDTH, "bytes", "distinct bytes, from L2")                                  \
    X(DRAM, "dram", DRAM_COPY_BANDWIDTH, "bytes", "distinct bytes, from device memory")            \
    X(DISPATCH, "dispatch", EMPTY_KERNEL, "blocks", "blocks handed to multiprocessors")

enum fw_resource {
#define X(name, ...) FW_RESOURCE_##name,
    FW_RESOURCES(X)
#undef X
        FW_RESOURCE_COUNT
};

/* What a resource is called ("dram"), its unit, what it is. */
const char *fw_resource_text(enum fw_resource resource);
const char *fw_resource_unit(enum fw_resource resource);
const char *fw_resource_meaning(enum fw_resource resource);

/* Whether it belongs to memory or to the dispatch of blocks: models of memory have terms of their
 * own for these. */
bool fw_resource_is_memory(enum fw_resource resource);

/* Whether every multiprocessor has its own, so that blocks share it unevenly. */
bool fw_resource_is_of_multiprocessor(enum fw_resource resource);

/* The profile's figure of its rate; of device memory the theoretical bandwidth where no copy was
 * measured. */
enum fw_figure fw_resource_figure(enum fw_resource resource, const struct fw_device *device);

/* Units a second of the whole device at a clock in hertz.  `by_warps`: tensor cores are driven by
 * mma instructions of single warps, which reach a share of their rate.  False: the profile does not
 * say. */
bool fw_resource_rate(double *rate, enum fw_resource resource, const struct fw_device *device,
                      double clock, bool by_warps);

/* Joules above idling of an amount of work, by the profile's energies; 0 where it has none, and for
 * what is no work of its own (issue, dispatch) or memory's. */
double fw_resource_joules(enum fw_resource resource, double amount, const struct fw_device *device);

#endif
