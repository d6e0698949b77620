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
    unsigned char *parameters; /* the parameter block; its buffer is private */
    bool assumed;
    struct fw_emulate_count *instruction_counts, *block_counts, *own_counts;
    struct emulate_block_count *block_before; /* for block_done */
    struct emulate_guarded *guarded_before;
    uint64_t *divergent_before;
    uint64_t blocks_run;
};

#endif
