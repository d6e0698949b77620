/* Warp programs: a trace as a list of steps that a simulation goes through.
 *
 * Takes a trace, the costs of instructions and what they wait for.  Instructions between two places
 * that an assembler moves nothing across (branches, barriers, ends of loops) are put in an order by
 * list scheduling: of those whose operands are there, the one with the longest chain behind it,
 * loads that cannot be kept in registers waiting.  A load does not pass a store that may write what
 * it reads.  Loops that an assembler unrolls (the record's estimate) have several iterations in one
 * such list.  Never simulates anything. */
#ifndef FW_WARP_PROGRAM_H
#define FW_WARP_PROGRAM_H

#include "machine_cost.h"
#include "trace.h"

enum fw_step_kind {
    FW_STEP_OPERATION,
    FW_STEP_VALUE,  /* an instruction that issues nothing: its result is there with its operands */
    FW_STEP_LOOP,   /* the iterations of what is up to `other` */
    FW_STEP_AGAIN,  /* the end of a loop that begins at `other` */
    FW_STEP_SHARE,  /* in this share of the executions go on, else behind `other` */
    FW_STEP_BRANCH, /* a branch before it, or where ways meet: its warp goes on later */
    FW_STEP_COMMIT, /* asynchronous copies so far become a group */
    FW_STEP_COPIES, /* waits for groups of copies, but for the latest `other` */
    FW_STEP_COMMIT_PRODUCTS, /* the same of products (wgmma) */
    FW_STEP_PRODUCTS,
    FW_STEP_ARRIVE, /* at a phase of mbarrier `other`: `trips` threads, and `step` copies come */
    FW_STEP_PHASE,  /* waits for the warp's next phase of mbarrier `other` */
    FW_STEP_FENCE,  /* waits for all that the warp has asked for, and `keeps` cycles */
    FW_STEP_BARRIER,
    FW_STEP_EXIT
};

struct fw_step {
    enum fw_step_kind kind;
    uint32_t operation;              /* OPERATION: in the costs */
    uint32_t instruction;            /* of the schedule */
    uint32_t slot;                   /* of the result */
    uint32_t first_wait, wait_count; /* slots in `waits` */
    uint32_t other;                  /* mbarriers, of an operation's copy too: from 1; 0: none;
                                        BRANCH: 1 in a loop that one instruction is, else 0 */
    uint32_t arrivals;  /* ARRIVE, PHASE: of threads that a phase takes; 0: not known */
    uint32_t places;    /* the same: members of the array */
    bool behind_copies; /* ARRIVE: when the warp's copies are there; of `trips` 0 it is none */
    uint32_t loop;      /* LOOP, AGAIN: of the record */
    uint32_t depth;     /* LOOP, AGAIN: of nested LOOP steps, from 0 */
    double delay;       /* OPERATION: cycles that it waits beyond the latency of its operands */
    double keeps;       /* BRANCH: cycles beyond the last issue and what it waits for; BARRIER: from
                           the last arrival until warps go on, 0: as at barriers of a block */
    double trips, step;
    double share;  /* SHARE: of all executions */
    double within; /* the same of those in blocks of `blocks`; in no others it goes on */
    struct fw_block_part blocks;
};

struct fw_warp_program {
    const struct fw_step *steps;
    uint32_t count;
    const uint32_t *waits;
    uint32_t slots;
    uint32_t depth;  /* of nested loops */
    uint32_t shares; /* steps of kind SHARE or with fractional trips: each has a number, `slot` */
};

struct fw_program_rules {
    double latency_load;   /* cycles that a list schedule takes a load of device memory to last */
    double latency_shared; /* and one of shared memory */
    uint32_t registers;    /* of a thread; 0: not known */
    double condition;      /* cycles from a comparison to the branch that it decides */
    double request;        /* from a request of memory to the next */
    double taken, passed;  /* from a branch to the next issue of its warp, beyond one */
    double fence;          /* from a fence beyond the block until what is behind it goes on */
    double cluster;        /* from the last arrival at a cluster's barrier until warps go on */
    double meeting;        /* from the last result of a way to the next issue where ways meet */
    bool keep_order;       /* of PTX: no list scheduling */
    bool products_apart;   /* each product (wgmma) is waited for before what follows */
};

/* The program of one trace: `traces` is what it belongs to, `costs` those of the kernel on the
 * device.  Memory is the arena's. */
void fw_warp_program_make(struct fw_warp_program *program, struct fw_arena *arena,
                          const struct fw_kernel *kernel, const struct fw_traces *traces,
                          const struct fw_trace *trace, const struct fw_sm_costs *costs,
                          const struct fw_program_rules *rules);

/* Operations that a warp issues which goes through the program once, in the mean. */
double fw_warp_program_issues(const struct fw_warp_program *program);

/* Operations of so many rounds of the loop that begins at step `at`, behind the one of a number
 * from 0, in the mean. */
double fw_warp_program_rounds(const struct fw_warp_program *program, uint32_t at, double round,
                              double rounds);

/* A loop that a warp is in: its step of kind LOOP, its trips, and the round, from 0. */
struct fw_program_place {
    uint32_t step;
    double trips, round;
};

/* Adds the cycles of each unit that a warp still asks for which goes on at step `at`, in `depth`
 * loops, the outermost first; of FW_SM_NONE the operations that it issues.  `by_loop`: by loop of
 * the record, adds these operations to those of the outermost loops that they are in. */
void fw_warp_program_rest(double busy[FW_SM_UNIT_COUNT], double *by_loop,
                          const struct fw_warp_program *program, const struct fw_sm_costs *costs,
                          uint32_t at, const struct fw_program_place *loops, uint32_t depth);

#endif
