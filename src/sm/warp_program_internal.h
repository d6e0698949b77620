/* Shared by the files that make a warp's program: the list of instructions that are put in order
 * together, and the steps so far. */
#ifndef FW_WARP_PROGRAM_INTERNAL_H
#define FW_WARP_PROGRAM_INTERNAL_H

#include "warp_program.h"

enum { MOST_LIST = 512 /* instructions that are put in order together */ };

/* An instruction of a list, or one of its operations, which an assembler puts in order each for
 * itself: in the schedule, and in which copy of an unrolled loop. */
struct listed {
    uint32_t instruction, copy, slot;
    uint32_t first, end; /* operations, in the costs */
    bool begins, ends;   /* the first of its instruction; the last, which has its result */
    uint32_t first_wait, wait_count; /* in `waits` of the program: slots */
    uint32_t first_edge, edge_count; /* in `edges`: listed ones before it that it waits for */
    double height;                   /* cycles from its issue to the end of the list */
    double ready;
    double soonest, wanted; /* cycles from the list's begin: the first that it could issue in, and
                               the last in which that delays no other */
    uint32_t store;         /* the last store that is listed before; FW_NONE */
    uint32_t waiting;       /* for so many listed ones */
    double adds, gives;     /* registers that its result takes beyond those of loads that it is made
                               of; that are free when it is used */
    double kept;            /* registers that loads need which come before it */
    uint64_t *before;       /* of a load: what all of its users wait for, by places in the list */
    uint32_t users;         /* of a load's result, not yet placed */
    double carried;         /* registers of loads' results that its users read, since it issues
                               nothing itself */
    bool closes;            /* it ends the list: all others are placed before it */
    bool placed;
};

/* Places in the order of instructions under a predicate that holds for no lane of the warp. */
struct skipped {
    uint32_t first, end;
};

struct edge {
    uint32_t from; /* listed before */
    bool reads;    /* its result, not only what it does to memory */
    double cycles;
};

struct making {
    struct fw_arena *arena;
    const struct fw_kernel *kernel;
    const struct fw_traces *traces;
    const struct fw_sm_costs *costs;
    const struct fw_program_rules *rules;
    FW_VECTOR(struct fw_step) steps;
    FW_VECTOR(uint32_t) waits;
    uint32_t slots, depth, most_depth, shares;
    double around;   /* the part of the blocks that come to the loops around a node */
    uint32_t next;   /* in the order: what follows the last instruction without a branch */
    bool follows;    /* the last node was a run, not the beginning or the end of a loop */
    bool branches;   /* the last instruction issues a branch */
    uint32_t ways;   /* that lanes of the warp went apart, and come from where ways meet */
    bool comes;      /* a branch through a table is behind, and none of its places yet */
    double lanes;    /* of the last run */
    uint32_t result; /* slot of the last operation of fixed latency; FW_NONE */
    bool *decides;   /* by instruction: a branch that is issued waits for it */
    bool *invariant; /* likewise: a comparison that an assembler takes out of its loop */
    bool *early;     /* likewise: of the loop's counter, at the loop's begin, with other branches
                        behind it */
    double asks;     /* in the list: a request of memory is issued then, at the earliest */
    uint32_t guard;  /* in the list: the last branch that is not issued; FW_NONE */
    FW_VECTOR(struct skipped) skipped;
    uint32_t *place;   /* by instruction: in the list in progress, of the last copy; FW_NONE */
    uint32_t *current; /* likewise: the slot of its last copy, listed or in steps */
    FW_VECTOR(struct listed) list;
    FW_VECTOR(struct edge) edges;
};

/* Whether nothing moves across the instruction. */
bool order_is_fence(const struct making *m, uint32_t instruction);

/* own_loops.c: whether an instruction is a loop of its own (`rounds` of the costs). */
bool order_is_loop(const struct making *m, uint32_t instruction);

/* Adds the steps of one: `step` has what it waits for, and the slot of its result. */
void order_add_rounds(struct making *m, const struct listed *at, const struct fw_step *step);

/* Whether a warp waits there for all others of its block, or cluster. */
bool order_is_barrier(const struct making *m, uint32_t instruction);

/* Lists an instruction, behind those that are listed: of an unrolled loop, in which copy. */
void order_list(struct making *m, uint32_t instruction, uint32_t copy, bool last_copy);

/* Whether ways of a branch meet at an instruction. */
bool order_is_meeting(const struct making *m, uint32_t instruction);

/* Whether an instruction loads from memory, constants and parameters among it. */
bool order_is_load(const struct making *m, uint32_t instruction);

/* Whether an operation issues in this copy. */
bool order_is_issued(const struct making *m, const struct listed *at, uint32_t operation);

/* Finds the registers that each listed load adds to those that are held (`adds`): of one whose
 * address is made of another load's result what it takes beyond that.  What loads before it in the
 * text add is kept for them. */
void held_find_additions(struct making *m);

/* Values of loads that are placed and not used up, in registers of a thread. */
struct held {
    double all, most; /* how many there are, and may be (held_most) */
    double shared;    /* of them, from shared memory */
    bool few;         /* there is room for the operands of one instruction at most */
};

/* The beginning of a list, whose edges are known: what there may be, and where that is for few,
 * which loads come before which.  Memory is the arena's. */
struct held held_begin(struct making *m);

/* Whether a load finds no registers: beyond those held and those kept for loads before it in the
 * text, or because of what is held from shared memory, of which ptxas loads little ahead.  Where
 * there is room for few, a load whose users wait for the results of others comes behind these,
 * wherever it stands in the text (SASS of a product with weights of four bits, ptxas 13.0: the tile
 * that is only multiplied is loaded behind all weights, which are converted ahead of that). */
bool held_is_full(const struct making *m, const struct held *held, double kept,
                  const struct listed *at);

/* A load is placed, whose result has users. */
void held_add(struct making *m, struct held *held, const struct listed *at);

/* The last user of a result is placed: its registers are free, but where the user is merged into
 * users of its own, which read the same registers (`carried`). */
void held_hand_on(const struct making *m, struct held *held, const struct listed *operand,
                  struct listed *user);

/* Puts what is listed in order, and into steps. */
void order_finish(struct making *m);

#endif
