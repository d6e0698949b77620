/* The pipeline of one multiprocessor: the warps of its resident blocks go through their programs.
 *
 * Takes programs of warps, the costs of operations and accesses, and what the multiprocessor has of
 * each shared resource.  Each scheduler issues one operation a cycle: that of a warp whose operands
 * are there and whose unit is free; of several one by the order of issue (enum fw_issue_order).
 * Requests queue for servers (enum fw_sm_server) in the order in which they come.
 * Blocks take the place of those that have ended.  Event-driven: time goes from issue to issue.
 * Where all warps go round loops in a steady state, rounds are skipped; where many blocks follow
 * each other, the rest of them goes on at the rate seen.  Never reads a kernel or a profile. */
#ifndef FW_SIMULATE_H
#define FW_SIMULATE_H

#include "account.h"
#include "figure.h"
#include "warp_program.h"

/* What a request passes, in this order: servers of the multiprocessor, then, where it misses in L1,
 * the multiprocessor's share of L2, of how that takes stores and of its slices that execute atomic
 * operations, then, where it misses in L2, its share of device memory. */
enum fw_sm_server {
    FW_SM_SERVER_LSU,      /* the load-store unit */
    FW_SM_SERVER_CONSTANT, /* the nearest constant cache */
    FW_SM_SERVER_L2,
    FW_SM_SERVER_STORES, /* how L2 takes stores, beside that */
    FW_SM_SERVER_ATOMICS,
    FW_SM_SERVER_LINES, /* beside these: bytes that are written to L2's lines, by stores and where
                           device memory's data come */
    FW_SM_SERVER_DRAM,
    FW_SM_SERVER_COUNT
};

/* What one execution by a warp of the request of an access takes; cycles. */
struct fw_sm_access {
    double cycles[FW_SM_SERVER_COUNT]; /* of each server, where the request goes so far; 0: it does
                                          not pass it */
    double fill;                       /* cycles of LINES, where it misses in L2 */
    double miss_l1;                    /* share of executions that go to L2 */
    double miss_l2;                    /* of these: that go to device memory */
    bool waits;                        /* its result is waited for: it is no store */
    bool copies;                       /* asynchronously: steps COPIES wait for it */
    double reads;        /* of a bulk copy from shared memory: cycles until it has read that, which
                            its group ends with, and not before L2 takes those ahead of it
                            within its latency; 0: it belongs to no group */
    bool of_block;       /* a bulk copy, which one warp orders for its block */
    double in_flight;    /* of a bulk copy to shared memory: so many of a warp's at one time, by the
                            room    that there is; 0: no limit */
    double latency[3];   /* from L1 (or shared memory), L2, device memory */
    double lines;        /* that it asks for: it waits for the last of them */
    double slow;         /* cycles more, or less, of every other line that hits L2 */
    double far;          /* cycles more of a line that is in a far part of L2 */
    double far_share[2]; /* of lines that hit L2, of those of device memory: which are */
    double late;         /* mean cycles more of a line of device memory, by chance */
    enum fw_sm_wait wait;
    const uint8_t *leader; /* by warp of the block: the first that asks for the same lines; NULL: no
                              two do */
    double joined;         /* share of executions that hit L1 whose line is still on its way, for
                              another warp or load: they wait as long as that one */
    uint32_t walk;  /* one more than the least instruction whose walk over lines goes in step with
                       this one's: they come to new lines at the same executions; 0: its own */
    double comes;   /* share of a warp's executions that come to lines new to it, ... */
    double fetches; /* of these, where no other warp came before: that go to L2 */
};

/* The instruction whose walk over lines an access's goes in step with: itself, or one before. */
static inline uint32_t fw_sm_walk(const struct fw_sm_access *access, uint32_t instruction)
{
    return access->walk ? access->walk - 1 : instruction;
}

/* X(NAME, text): Nsight Compute's stall reasons, and selected. */
#define FW_SM_STALLS(X)                                                                            \
    X(SELECTED, "selected")                                                                        \
    X(LONG, "long_scoreboard")                                                                     \
    X(SHORT, "short_scoreboard")                                                                   \
    X(WAIT, "wait")                                                                                \
    X(BARRIER, "barrier")                                                                          \
    X(MATH, "math_pipe_throttle")                                                                  \
    X(LG, "lg_throttle")                                                                           \
    X(MIO, "mio_throttle")                                                                         \
    X(NOT_SELECTED, "not_selected")

enum fw_sm_stall {
#define X(name, text) FW_SM_STALL_##name,
    FW_SM_STALLS(X)
#undef X
        FW_SM_STALL_COUNT
};

struct fw_sm_simulation {
    const struct fw_sm_costs *costs;
    const struct fw_sm_access *accesses; /* by instruction of the schedule */
    uint32_t schedulers;
    enum fw_issue_order order; /* of warps that can issue at one time */
    uint32_t resident;         /* blocks at one time */
    double blocks;             /* of the multiprocessor */
    double wave; /* blocks that stand for a wave of the resident ones: fw_sm_simulate sets it */
    const struct sm_common *common; /* likewise: what is found once for all of its simulations */
    uint32_t warps;                 /* of a block */
    double branch;  /* cycles from a branch that is taken to the next issue of its warp, beyond
                       one */
    double arrival; /* cycles of the multiprocessor's barrier unit for a warp that arrives */
    double request; /* cycles from a request of memory to the next of its warp */
    double barrier; /* cycles from the last arrival until warps go on */
    double phase;   /* the same at mbarriers, and of a wait for a phase that is over */
    double start; /* cycles from the end of a block to the first load of its successor, and from the
                     last result of a block to its end */
    double queue; /* cycles that a request to device memory which is half busy waits for others, its
                     own multiprocessor's included; it grows as in a queue where it is busier */
    double server_share; /* of its cycles that a server is busy at most but that of constants or of
                            atomic operations; 0: all of them */
    double dram_share;   /* the same of device memory */
    double chances, chance_misses; /* of a warp: requests that L2 may have or not, and those that it
                                      has not; 0: there are none, or all warps have as many */
    double dispatch;               /* least cycles between the starts of two blocks */
    uint32_t waiting; /* requests and special functions of a scheduler that wait for their unit at
                         most: no warp issues another one; 0: any number */
    uint32_t waiting_products; /* likewise, of asynchronous products; 0: none waits in a queue */
    /* Programs of the warps of block number b: programs[b % kinds * warps + warp]. */
    const struct fw_warp_program *const *programs;
    uint32_t kinds;
    /* Blocks of lengths of their own: block number b makes 1 + spread[loop] * lengths[b %
     * length_count] of the mean trips of a loop of the record.  NULL: all have the mean. */
    const double *spread, *lengths;
    uint32_t length_count;
    uint64_t most_issues;           /* beyond which the rest is extrapolated */
    double issues_per_block;        /* in the mean, for that */
    const double *served_per_block; /* cycles of each server likewise; NULL: not known */
    double least_cycles; /* of the launch, where the limit cuts it off: what its loops are known to
                            take; 0: nothing is known */
    double trips;        /* share of the trips of long loops that warps make; 0: of all loops all */
    double least;        /* the least such share that this simulation is compared at */
    bool side_work;      /* two simulations may go on at one time (side_work.h) */
    struct fw_sm_account *account;   /* filled; NULL: it is not asked for */
    struct fw_sm_timeline *timeline; /* recorded (timeline.h); NULL: likewise */
};

/* Where the limit of issues would cut a simulation off, two simulations in which long loops make
 * fewer trips are taken instead, and the rest goes on as these differ. */
enum {
    FW_SM_WAVES = 3 /* of resident blocks are simulated, of long ones one less; beyond, the rest
                       goes on at their rate */
};

struct fw_sm_result {
    double cycles;
    double busy[FW_SM_UNIT_COUNT];     /* cycles of units, summed over schedulers */
    double served[FW_SM_SERVER_COUNT]; /* cycles of servers */
    double issued;
    double overtaken; /* of these: their operands were there when the scheduler issued another warp,
                         or in the last cycle that this kept it.  0: no two warps could issue at one
                         time, and the order of issue does not matter */
    double stalls[FW_SM_STALL_COUNT]; /* cycles of warps */
    double resident;                  /* cycles of warps that have come and have not ended */
    double left_empty; /* likewise, of places of warps behind the last block that takes them */
    uint64_t issues;   /* that were simulated */
    double ends[FW_SM_WAVES]; /* by wave: when its blocks end, in the mean; 0: not all did */
    bool cut;     /* the limit of issues was reached: the rest takes what it asks of the busiest */
    bool shorter; /* loops made fewer trips: the rest goes on as two numbers of trips differ */
};

/* Simulates; memory is the arena's. */
void fw_sm_simulate(struct fw_sm_result *result, struct fw_arena *arena,
                    const struct fw_sm_simulation *simulation);

#endif
