/* Branches that data decides: how often they are usually taken, and which are copies of one.
 *
 * Takes a kernel's IR after its passes, and answers from the text alone.  Who asks says which
 * comparisons it knows better.  An answer is a default and its reason; nothing here is a count, and
 * nothing is measured.  The evidence, and where it is from:
 * - values: comparisons are tried on ordinary numbers (ordinary.h).  What none or all of them
 *   satisfy - NaN, infinity, numbers that are extreme - is never or always so; where their bits are
 *   asked whether they are positive and not extreme, as logarithms do, they are;
 * - opcode: an integer is not less than 0, not 0 or less, and not equal to a constant or to an
 *   argument of the kernel, in 84 per cent; return: the way on which the function ends is not
 *   gone, in 72 per cent; loop header: the way into a loop is gone, in 75 per cent (Ball and
 *   Larus, "Branch Prediction for Free", PLDI 1993, with the probabilities of Wu and Larus, "Static
 *   Branch Frequency and Program Profile Analysis", MICRO 1994, table 1);
 * - choice: of k tests of one value for equality each way is as probable, as of a switch;
 * - failure: what leads to a trap, a failed assertion or a message is not gone.
 * - probes: a loop that looks for a key in a hash table with open addressing finds it, or a free
 *   slot, after a slot and a half (probes.c);
 * - merges: a loop that goes through two lists runs as often as both have entries (merges.c);
 * - descents: a walk through a tree by a stack is as long as a search for the nearest (descents.c);
 * - runs: lanes side by side whose numbers are compared have entries of one row (runs.c);
 * - records: where a loop keeps the greatest of the numbers that it comes to, or some, these grow
 *   rare (records.c): how rare, the trips of the loop say.
 * Evidence about one branch is combined by Dempster's rule, as Wu and Larus do. */
#ifndef FW_BRANCHES_H
#define FW_BRANCHES_H

#include "arena.h"
#include "ir.h"

struct fw_branches;

/* What the caller knows of a comparison (set or setp) by the instruction's index: then it is none
 * that data decides. */
typedef bool fw_known_comparison(void *user, uint32_t instruction);

/* Working memory in the arena, for one function, which must outlive it. */
struct fw_branches *fw_branches_new(struct fw_arena *arena, const struct fw_function *function,
                                    fw_known_comparison *known, void *user);

struct fw_branch_default {
    double taken;        /* share, 0 to 1, at which the guard of the instruction holds */
    const char *because; /* for people: "ordinary numbers never are"; NULL: no evidence, 0.5 */
};

/* The default of an instruction that has a guard or is an indexed branch (of its first target).
 * Work grows with the instructions that compute the guard, each once a function. */
struct fw_branch_default fw_branches_usual(struct fw_branches *branches, uint32_t instruction);

/* Trips of a loop that data ends: ranges that data bounds have 16 elements; a loop that advances by
 * more than 1, as an unrolled one does, runs less often for them; what is left over from such a
 * step is known to be less. */
#define FW_USUAL_TRIPS 16.0

/* A branch that numbers beyond all before of a loop decide, by the function's numbers. */
struct fw_branch_record {
    uint32_t loop;    /* that carries what it keeps */
    uint32_t loops;   /* and so many around, itself included: numbers go on through all of them */
    uint32_t carried; /* the value that is compared */
    bool taken;       /* where a number is beyond; else the branch is not taken there */
    uint32_t way;     /* the block that follows there */
    double asked;     /* numbers that are asked for at one time */
    double kept;      /* the greatest that are kept */
};

/* False: the branch at the end of a block is none. */
bool fw_branches_record(struct fw_branches *branches, uint32_t instruction,
                        struct fw_branch_record *record);

struct fw_loop_default {
    double trips;        /* of one entry */
    const char *because; /* NULL: no evidence, FW_USUAL_TRIPS */
    bool looks_up;       /* for a key in a hash table: whatever bound it has is seldom met */
};

/* The default of a loop of the function, by its number; `because` lives as long as the arena of
 * `branches`. */
struct fw_loop_default fw_branches_trips(struct fw_branches *branches, uint32_t loop);

/* The share at which a branch leaves a loop, by its number, as what a slot of a hash table has is
 * the key or says that the slot is free; 0: it asks for something else, or leaves no loop. */
double fw_branches_probes(struct fw_branches *branches, uint32_t instruction, uint32_t loop);

/* Whether a branch that leaves a loop, by its number, asks what the loop loads in one iteration,
 * whatever those before it met: a search. */
bool fw_branches_entry_decides(struct fw_branches *branches, uint32_t instruction, uint32_t loop);

/* Whether a loop of the function, by its number, computes alone: it reads no memory that others
 * write, and nothing of other threads. */
bool fw_branches_computes(const struct fw_branches *branches, uint32_t loop);

/* Whether a loop of the function, by its number, loads what other blocks store meanwhile: volatile
 * loads, and such as order or scope marks. */
bool fw_branches_polls(const struct fw_branches *branches, uint32_t loop);

/* Whether a loop of the function, by its number, searches by halves: each iteration leaves one half
 * of what was left, whichever data choose.  Then `ends` are the values between which it begins, in
 * either order; the second is FW_NO_INDEX where the first is how much is left.  `entry`: the block
 * from which the loop is entered.  Needs SSA. */
bool fw_branches_halves(struct fw_branches *branches, uint32_t loop, uint32_t ends[2],
                        uint32_t *entry);

/* A walk through a tree by a stack in local memory. */
struct fw_branch_descent {
    uint32_t nodes;    /* the value that tells how many there are */
    uint32_t children; /* of a node */
    uint32_t entry;    /* the block from which the loop is entered */
};

/* Whether a loop of the function, by its number, is such a walk.  Needs SSA. */
bool fw_branches_descends(struct fw_branches *branches, uint32_t loop,
                          struct fw_branch_descent *descent);

/* A number that copies of one branch or loop share: the way the predicate is computed from loaded
 * data, whatever the addresses; the source line; what is guarded.  Compilers make such copies of
 * unrolled loops.  0: it has none. */
uint64_t fw_branches_shape(struct fw_branches *branches, uint32_t instruction);

#endif
