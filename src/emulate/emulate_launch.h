/* A launch that is set up: what preparing and running share. */
#ifndef FW_EMULATE_LAUNCH_H
#define FW_EMULATE_LAUNCH_H

#include "emulate_buffers.h"

struct fw_emulation {
    struct fw_arena *arena;
    struct emulate_run run;
    struct emulate_buffers buffers;
    struct fw_emulate_options options;
    struct fw_emulate_launch launch;
    unsigned char *parameters;   /* the parameter block; its buffer is private */
    uint64_t *shared_parameters; /* by parameter: stated bytes of a pointer to shared memory */
    bool assumed;
    struct fw_emulate_count *instruction_counts, *block_counts, *own_counts;
    struct emulate_block_count *block_before; /* for block_done */
    struct emulate_guarded *guarded_before;
    uint64_t *divergent_before;
    uint64_t blocks_run;
};

/* Places all variables that the kernel names (emulate_place.c): symbols, sizes of shared and local
 * memory, buffers of the module, addresses in initial values, pointers to shared memory among the
 * parameters.  Needs the parameter block. */
enum fw_status fw_emulate_place(struct fw_emulation *emulation, const struct fw_sink *sink);

#endif
