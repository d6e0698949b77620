/* Occupancy: how many blocks of a kernel are resident on a multiprocessor at one time, and which
 * resource keeps it from being more.
 *
 * Takes a device and what a block needs; gives counts per multiprocessor, waves per device.  All
 * limits come from the device's profile.  The rules are the vendor's (cuda_occupancy.h of
 * CUDA 13.0, compute capability 7.0 and later): registers are given to warps in units, by
 * sub-partition; a block's warps are rounded up to the sub-partitions for the check of its
 * registers; shared memory is given to blocks in units, with what the system reserves, out of the
 * smallest carve-out that the preference allows.  Where the profile knows how the driver chooses
 * the carve-out without a preference (shared_ahead_*, shared_unused_threads), that one is given,
 * since L1 has the rest.  Never says how many blocks the work distributor really places. */
#ifndef FW_OCCUPANCY_H
#define FW_OCCUPANCY_H

#include "device.h"

/* X(NAME, text): what can limit the resident blocks. */
#define FW_LIMITS(X)                                                                               \
    X(WARPS, "warps")                                                                              \
    X(REGISTERS, "registers")                                                                      \
    X(SHARED, "shared memory")                                                                     \
    X(BLOCKS, "blocks")                                                                            \
    X(BARRIERS, "barriers")

enum fw_limit {
#define X(name, text) FW_LIMIT_##name,
    FW_LIMITS(X)
#undef X
        FW_LIMIT_COUNT
};

/* No limit from a resource that a block does not use. */
#define FW_UNLIMITED UINT32_MAX

struct fw_block_needs {
    uint32_t threads;        /* of a block, at least 1 */
    uint32_t registers;      /* of a thread */
    uint64_t shared_static;  /* bytes of a block */
    uint64_t shared_dynamic; /* bytes of a block */
    uint32_t barriers;       /* named barriers that a block uses; 0 is taken as 1 */
    int carve_out;  /* per cent of the shared memory at most, 0 to 100; below 0: no preference */
    bool no_opt_in; /* the launch does not ask for more than shared_per_block */
};

struct fw_occupancy {
    uint32_t blocks;     /* resident blocks of a multiprocessor; 0: the block cannot run */
    uint32_t warps;      /* their warps */
    double share;        /* warps of the warps that a multiprocessor can hold */
    unsigned limits;     /* bit FW_LIMIT_x: this resource allows no more than `blocks` */
    enum fw_limit limit; /* the first of them in the table's order */
    uint32_t allowed[FW_LIMIT_COUNT]; /* blocks that each resource alone allows */
    uint32_t block_warps;             /* warps of a block */
    uint64_t block_registers;         /* registers that a block takes, rounding included */
    uint64_t block_shared;            /* bytes that a block takes, rounding and reserve included */
    uint64_t carve_out_bytes; /* the carve-out of the preference or the driver; where the profile
                                 does not know the driver's, the smallest that holds the resident
                                 blocks' shared memory */
};

/* The occupancy of blocks with these needs.  FW_ERROR_INPUT (DEV012) when the profile lacks a
 * figure that the rules need, FW_ERROR_USAGE (DEV013) for needs that make no sense (no threads, a
 * carve-out above 100).  A block that cannot run is FW_OK with `blocks` 0. */
enum fw_status fw_occupancy(struct fw_occupancy *occupancy, const struct fw_device *device,
                            const struct fw_block_needs *needs, const struct fw_sink *sink);

/* The most registers that a thread can have so that `blocks` blocks of `threads` threads are
 * resident on a multiprocessor; at least one block, where so many are never resident.  0: not even
 * one is. FW_ERROR_INPUT (DEV012) when the profile lacks a figure that the rules need. */
enum fw_status fw_occupancy_registers(uint32_t *most, const struct fw_device *device,
                                      uint32_t threads, uint32_t blocks,
                                      const struct fw_sink *sink);

/* "registers" and so on. */
const char *fw_limit_text(enum fw_limit limit);

/* How a grid fills the device. */
struct fw_waves {
    uint64_t resident; /* blocks resident on the whole device at most: the size of a full wave */
    uint64_t waves;    /* waves, the last one perhaps not full: ceiling of grid / resident */
    double full;       /* grid / resident */
    uint64_t last;     /* blocks of the last wave; 0 for an empty grid */
};

/* The waves of a grid of `blocks` blocks; FW_ERROR_INPUT (DEV012) when the number of
 * multiprocessors is not known, FW_ERROR_USAGE (DEV013) when no block can run. */
enum fw_status fw_occupancy_waves(struct fw_waves *waves, const struct fw_device *device,
                                  const struct fw_occupancy *occupancy, uint64_t blocks,
                                  const struct fw_sink *sink);

#endif
