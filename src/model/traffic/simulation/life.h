/* Multiprocessors' lives: how long one takes for its share of a launch's blocks, when their warps
 * wait for data, for each other's use of the same resources, and for blocks to be handed out.
 *
 * Takes what one block needs of each resource (cycles), in rounds: as many loads as a thread has
 * registers for, whose data it then waits for; and the latencies.  Gives cycles, by going through
 * the life of some dozens of blocks on each of a few multiprocessors that share L2 and device
 * memory: groups of warps that go in step ask the resources in the order in which they come, a
 * block starts when one before it is done, and the rest of the launch goes on at the rate seen.
 * Waits for device memory are longer by chance, by a row of numbers that is always the same, and by
 * a queue, the busier it is.  So latency at the occupancy there is, resources that hardly overlap
 * where few blocks are resident, and what is left at a launch's end come out together; nothing is
 * random. Knows no kernel and no volumes.
 */
#ifndef FW_LIFE_H
#define FW_LIFE_H

#include "arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { FW_LIFE_ROUNDS = 8, FW_LIFE_GROUPS = 8, FW_LIFE_PLACES = 32 };

/* What a block asks for, in the order in which a request meets them; cycles of the multiprocessor's
 * share of each. */
enum fw_life_resource {
    FW_LIFE_ARITHMETIC, /* the slowest of what computes and issues */
    FW_LIFE_WAVEFRONTS, /* the load-store unit's data stage */
    FW_LIFE_L2,
    FW_LIFE_L2_STORES, /* of L2, what takes stores */
    FW_LIFE_ATOMICS,   /* of L2, what executes atomic operations */
    FW_LIFE_DRAM,
    FW_LIFE_RESOURCE_COUNT
};

/* One round of one group of warps: what it takes, then what it waits for. */
struct fw_life_round {
    uint32_t parts; /* equal ones, of which it may be gone through one after the other; 0: one */
    double cycles[FW_LIFE_RESOURCE_COUNT];
    double latency; /* cycles until the first of its warps has its data */
    double chain;   /* of them: for a chain of instructions, at most */
    double waits;   /* of them, how often for device memory: longer by chance, and by others' */
};

/* Blocks that differ: by place in the launch order, evenly from the first to the last block, what
 * groups have of each round as a share of its mean. */
struct fw_life_uneven {
    uint32_t places;
    double work[FW_LIFE_PLACES][FW_LIFE_ROUNDS][FW_LIFE_GROUPS];    /* of its cycles */
    double latency[FW_LIFE_PLACES][FW_LIFE_ROUNDS][FW_LIFE_GROUPS]; /* of its latency and waits */
    double block[FW_LIFE_PLACES]; /* of all rounds: by what they take by themselves */
    uint32_t counted;             /* by uneven.h: the work so far */
};

struct fw_life {
    double blocks;     /* of one multiprocessor */
    uint32_t resident; /* blocks at one time */
    double warps;      /* of a block */
    uint32_t groups;   /* of warps of a block that go in step, at most FW_LIFE_GROUPS */
    uint32_t rounds;
    struct fw_life_round round[FW_LIFE_ROUNDS][FW_LIFE_GROUPS];
    double stores[FW_LIFE_RESOURCE_COUNT]; /* of a group, after its rounds */
    double acknowledged;                   /* cycles from the last store to the block's end */
    double start;                          /* cycles from a block's coming to its first load */
    double start_in_loops;               /* of these, the mean block's that grow with its rounds */
    const struct fw_life_uneven *uneven; /* NULL: all blocks are alike */
    double dispatch;                     /* cycles between two blocks that come */
    double wait;                         /* least cycles of one wait for device memory */
    double
        queue; /* cycles that requests to device memory wait for each other where it is half busy */
    double spread; /* mean of what a warp waits beyond the least, as a share of that */
};

/* Blocks that fw_life_cycles goes through, of all its multiprocessors; the rest goes on at their
 * rate.  By `blocks` and `resident`. */
uint32_t fw_life_simulated(const struct fw_life *life);

/* Cycles that the multiprocessor takes for all its blocks. */
double fw_life_cycles(const struct fw_life *life, struct fw_arena *arena);

/* Cycles that a block takes which meets no other: what latency alone costs.  Of blocks that differ,
 * the mean one, or the longest one where all are resident at one time. */
double fw_life_alone(const struct fw_life *life);

/* Blocks that come one after the other in one place of the multiprocessor that has the most of
 * them, 1 or more: all that find a place are there at one time. */
double fw_life_turns(const struct fw_life *life);

/* Where blocks wait for a chain of instructions in their loops, at barriers (`start_in_loops`) or
 * in their rounds (`chain`): makes that no longer than lets a block by itself take `lone` cycles,
 * which is what one of its warps takes.  0: that is not known. */
void fw_life_hold_chain(struct fw_life *life, struct fw_arena *arena, double lone);

#endif
