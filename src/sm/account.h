/* The account of a simulated multiprocessor's time: what each cycle of its schedulers went to.
 *
 * A scheduler issues an instruction in a cycle, or none.  A cycle in which it issues none is
 * divided among the warps that have a place there, by what each of them waits for; a place whose
 * warp has ended waits for other blocks ("launch", "tail").  The parts therefore add up to the
 * time.  A wait stands at the instruction that waits, as in Nsight Compute, in its names of stall
 * reasons. */
#ifndef FW_SM_ACCOUNT_H
#define FW_SM_ACCOUNT_H

#include <stdint.h>

/* X(NAME, stall reason of Nsight Compute, part of it or NULL, meaning) */
#define FW_SM_PARTS(X)                                                                             \
    X(SELECTED, "selected", NULL, "instructions issue")                                            \
    X(DISPATCH, "dispatch_stall", NULL, "an instruction occupies its scheduler further cycles")    \
    X(WAIT, "wait", NULL, "results of fixed latency")                                              \
    X(FMA, "math_pipe_throttle", "fma", "f32 arithmetic and integer products are busy")            \
    X(ALU, "math_pipe_throttle", "alu", "integer, logic and comparison are busy")                  \
    X(FP16, "math_pipe_throttle", "fp16", "f16 and bf16 arithmetic is busy")                       \
    X(FP64, "math_pipe_throttle", "fp64", "f64 arithmetic is busy")                                \
    X(XU, "math_pipe_throttle", "xu", "special functions are busy")                                \
    X(TENSOR, "math_pipe_throttle", "tensor", "tensor cores are busy")                             \
    X(MATCH, "math_pipe_throttle", "match", "values of lanes are matched one by one")              \
    X(SPECIAL, "short_scoreboard", "xu", "results of special functions")                           \
    X(SHUFFLE, "short_scoreboard", "shuffle", "shuffled values")                                   \
    X(SHARED, "short_scoreboard", "shared", "latency of shared memory")                            \
    X(SHARED_QUEUE, "short_scoreboard", "lsu", "shared memory's turn at the load-store unit")      \
    X(L1, "long_scoreboard", "l1", "latency of hits in L1 and of constants")                       \
    X(L2, "long_scoreboard", "l2", "latency of L2")                                                \
    X(DRAM, "long_scoreboard", "dram", "latency of device memory")                                 \
    X(LSU_QUEUE, "long_scoreboard", "lsu", "turn and wavefronts at the load-store unit")           \
    X(L2_QUEUE, "long_scoreboard", "l2_bandwidth", "turn and bytes at L2")                         \
    X(DRAM_QUEUE, "long_scoreboard", "dram_bandwidth", "turn and bytes at device memory")          \
    X(LG, "lg_throttle", NULL, "places for requests of global and local memory")                   \
    X(MIO, "mio_throttle", NULL, "places for requests of shared memory and special functions")     \
    X(BARRIER, "barrier", NULL, "other warps of the block")                                        \
    X(NOT_SELECTED, "not_selected", NULL, "other warps issue")                                     \
    X(DRAIN, "drain", NULL, "stores of warps that have ended")                                     \
    X(LAUNCH, "launch", NULL, "blocks are dispatched and set up")                                  \
    X(TAIL, "tail", NULL, "no blocks are left, or other warps of the block end later")             \
    X(EDGES, "start_and_end", NULL, "start and end of a launch that does nothing")

enum fw_sm_part {
#define X(name, ...) FW_SM_PART_##name,
    FW_SM_PARTS(X)
#undef X
        FW_SM_PART_COUNT
};

struct fw_sm_part_row {
    const char *stall, *part, *meaning;
};

/* A part's stall reason, its name within it (NULL: it is the whole), and what it is; a constant. */
const struct fw_sm_part_row *fw_sm_part(enum fw_sm_part part);

/* Cycles of a time, by place of the code and part: cycles[place * FW_SM_PART_COUNT + part].  Place
 * 0 is what belongs to no instruction. */
struct fw_sm_account {
    const uint32_t *places; /* by instruction of the schedule, below `place_count` */
    uint32_t place_count;
    double *cycles;
    double active;   /* schedulers that have warps: parts are those of one of them, in the mean */
    double idle_end; /* of FW_SM_PART_TAIL at place 0, for which no block was left: once a launch */
    double error;    /* what rounding of skipped iterations had the sum off by, as a share; it is
                        evened out */
};

#endif
