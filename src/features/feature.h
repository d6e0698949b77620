/* Features: named numbers of a kernel at a launch, and what their identifiers mean.
 *
 * Takes an identifier in the grammar of Stevens and Kloeckner, "A mechanism for balancing accuracy
 * and scope in cross-machine black-box GPU performance modeling", section 6.1:
 *
 *   f_op_float32_madd
 *   f_mem_access_tag:aLD
 *   f_mem_access_global_float32_load_lstrides:{0:1;1:>15}_gstrides:{0:<n*16}_afr:>1
 *
 * or one of forewarp's own (the table below; docs/features.md).  Gives what it asks for; its value
 * is found by feature_value.h.  Parts stand in any order; an axis that the address does not depend
 * on has stride 0.  Never looks at a kernel. */
#ifndef FW_FEATURE_H
#define FW_FEATURE_H

#include "diagnostic.h"
#include "type.h"

#include <stdbool.h>

/* X(NAME, identifier, granularity, unit, layer, about).  The granularity says whose executions are
 * counted (the paper's section 5); the layer is where the number comes from: "domain" (the kernel
 * language's domains; of other languages PTX), "machine" (the estimate of what the device issues),
 * "memory" (coalescing and caches), "launch", "measured". */
/* clang-format off */
#define FW_FEATURES(X) \
    X(OPERATION, "f_op[_TYPE][_OPERATION]", "warp", "operations", "domain", \
      "arithmetic: add, mul, madd, div, a function by its name (f_op_float32_sqrt)") \
    X(MEMORY, "f_mem_access[_PART]...", "thread, warp", "elements", "domain", \
      "accesses: global, shared (local), a type, load, store or atomic, tag:T, array:A, " \
      "lstrides:{0:1;1:>15}, gstrides:{0:<n}, afr:>1") \
    X(BARRIER, "f_sync_barrier_local", "thread", "barriers", "domain", \
      "block-wide barriers that one thread meets") \
    X(KERNEL_LAUNCH, "f_sync_kernel_launch", "launch", "launches", "launch", \
      "1: what a launch costs, however small it is") \
    X(THREAD_GROUPS, "f_thread_groups", "launch", "blocks", "launch", "blocks of the grid") \
    X(SUB_GROUPS, "f_sub_groups", "launch", "warps", "launch", "warps of all blocks") \
    X(THREADS, "f_threads", "launch", "threads", "launch", "threads of all blocks") \
    X(FLOPS, "f_flops", "launch", "operations", "domain", \
      "floating-point operations of all threads; a multiply-add is two") \
    X(ISSUED, "f_issued[_PIPE]", "warp", "instructions", "machine", \
      "instructions that the device issues; those of one pipe, as alu, fma, fp64, lsu, xu") \
    X(MACHINE, "f_machine_INSTRUCTION", "warp", "instructions", "machine", \
      "one machine instruction by its name, as FFMA, LDG, IMAD.WIDE") \
    X(CHAIN, "f_chain[_PIPE], f_chain_load, f_chain_shared", "warp", "instructions", "machine", \
      "the most instructions of one warp that wait for each other; the most of one pipe, loads " \
      "of device memory, or loads of shared memory, that do") \
    X(SECTORS, "f_sectors_load, f_sectors_store, f_sectors_part", "launch", "sectors", "memory", \
      "sectors of 32 bytes of device memory that warps request; those that they store in part") \
    X(LINES, "f_lines_load, f_lines_store", "launch", "lines", "memory", \
      "lines of 128 bytes of device memory that each warp's request lies on, added up") \
    X(ATOMICS, "f_atomic_passes, f_atomic_slice", "launch", "passes", "memory", \
      "passes over a sector by which L2 executes atomic operations; those of the slice of L2 " \
      "that has the most") \
    X(WAVEFRONTS, "f_wavefronts_global, f_wavefronts_shared", "launch", "wavefronts", "memory", \
      "passes of L1 or of the banks of shared memory, conflicts included") \
    X(VOLUME, "f_bytes_l2_to_l1, f_bytes_l1_to_l2, f_bytes_dram_read, f_bytes_dram_write", \
      "launch", "B", "memory", "bytes that move between two levels of the memory hierarchy") \
    X(OCCUPANCY, "f_occupancy", "launch", "", "launch", \
      "resident warps of a multiprocessor by its most, 0 to 1") \
    X(WAVES, "f_waves", "launch", "waves", "launch", \
      "blocks by those that are resident on the whole device at one time") \
    X(REGISTERS, "f_registers", "thread", "registers", "launch", "registers of a thread") \
    X(OWN, "f_NAME", "launch", "", "own", \
      "a feature that a program adds through the C interface (struct fw_own_feature)") \
    X(MEASURED, "f_cl_wall_time..., f_cuda_wall_time..., f_seconds..., f_watts..., f_joules...", \
      "launch", "s, W, J", "measured", \
      "what a device did: the output of models; from measurements, never from a kernel")
/* clang-format on */

enum fw_feature_kind {
#define X(name, ...) FW_FEATURE_##name,
    FW_FEATURES(X)
#undef X
        FW_FEATURE_KIND_COUNT
};

struct fw_feature_about {
    const char *identifier, *granularity, *unit, *layer, *about;
};

/* A kind's row of the table above. */
const struct fw_feature_about *fw_feature_about(enum fw_feature_kind kind);

/* Whether only compiled code tells such a feature; rows of domains do not. */
bool fw_feature_needs_code(enum fw_feature_kind kind);

enum fw_feature_relation {
    FW_FEATURE_ANY, /* no constraint */
    FW_FEATURE_LESS,
    FW_FEATURE_LESS_EQUAL,
    FW_FEATURE_EQUAL,
    FW_FEATURE_GREATER_EQUAL,
    FW_FEATURE_GREATER
};

/* A constraint such as "<16*n". */
struct fw_feature_limit {
    enum fw_feature_relation relation;
    int64_t factor;
    const char *parameter; /* of the kernel, times the factor; NULL: the factor alone */
};

enum { FW_FEATURE_AXES = 3 };

/* What sectors, lines, wavefronts, volumes, atomics and chains are of. */
enum fw_feature_of {
    FW_FEATURE_OF_LOADS,
    FW_FEATURE_OF_STORES,
    FW_FEATURE_OF_GLOBAL,
    FW_FEATURE_OF_SHARED,
    FW_FEATURE_OF_L2_TO_L1,
    FW_FEATURE_OF_L1_TO_L2,
    FW_FEATURE_OF_DRAM_READ,
    FW_FEATURE_OF_DRAM_WRITE,
    FW_FEATURE_OF_PARTS,
    FW_FEATURE_OF_SLICE,
    FW_FEATURE_OF_ALL
};

struct fw_own_feature; /* include/forewarp.h */

/* Features of the caller's own. */
struct fw_feature_names {
    const struct fw_own_feature *own;
    size_t count;
};

struct fw_feature {
    const char *name; /* the identifier */
    size_t own;       /* OWN: which of the names */
    enum fw_feature_kind kind;
    enum fw_feature_of of;
    enum fw_type type;           /* NONE: any */
    const char *name_of;         /* an operation, machine instruction or pipe; NULL: any */
    enum fw_space space;         /* NONE: any */
    bool loads, stores, atomics; /* none set: all */
    const char *tag, *array;     /* NULL: any */
    struct fw_feature_limit thread_strides[FW_FEATURE_AXES], block_strides[FW_FEATURE_AXES], ratio;
};

/* Reads an identifier into the arena.  FW_ERROR_INPUT with FEAT001 at `place`, which may be empty:
 * it is none; the message says at which part. */
enum fw_status fw_feature_read(struct fw_feature *feature, struct fw_arena *arena, const char *text,
                               struct fw_span place, const struct fw_sink *sink);

/* The same, where the caller may have features of its own (`names` NULL: none). */
enum fw_status fw_feature_find(struct fw_feature *feature, struct fw_arena *arena, const char *text,
                               const struct fw_feature_names *names, struct fw_span place,
                               const struct fw_sink *sink);

#endif
