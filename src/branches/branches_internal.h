/* What the files about branches share. */
#ifndef FW_BRANCHES_INTERNAL_H
#define FW_BRANCHES_INTERNAL_H

#include "branches.h"
#include "ordinary.h"

struct fw_branches {
    struct fw_arena *arena;
    const struct fw_function *function;
    fw_known_comparison *known;
    void *user;
    struct fw_ordinary *ordinary;
    uint32_t *block_of; /* by instruction */
    uint32_t searches;
    uint32_t *met;  /* by value: the last search that met it; NULL: there was none (records.c) */
    uint8_t *live;  /* by value: an instruction uses it; NULL: not asked yet (records.c) */
    uint8_t *fails; /* by block: every way from it comes to a failure; NULL: not asked yet */
};

/* What is thought of a branch: NAN as a share stands for a comparison that the caller knows. */
struct branch_guess {
    double taken;
    const char *because;
};

/* likely_ways.c: what the two ways of a branch say of whether the first is gone; 0.5: nothing. */
struct branch_guess branch_by_ways(struct fw_branches *branches, uint32_t block);

/* Of a block that tests a value for equality with a constant: how many such tests of the same value
 * follow, each where the one before fails, itself included; whether one comes before. */
uint32_t branch_choices(struct fw_branches *branches, uint32_t block, bool *follows);

/* probes.c: the trips of a loop that looks up a slot of a hash table, or several, in each; 0: it is
 * none. */
double branch_probed_trips(struct fw_branches *branches, uint32_t loop);

/* likely.c: whether an operand is a constant integer, through moves. */
bool branch_constant(const struct fw_branches *branches, const struct fw_operand *operand,
                     int64_t *value);

/* runs.c: how often a comparison for equality finds the number of a lane near by equal to a lane's
 * own; 0: it compares something else. */
double branch_same_run(const struct fw_branches *branches, const struct fw_instruction *at);

/* merges.c: the trips of a loop that goes through two lists at one time; 0: it is none. */
double branch_merged_trips(struct fw_branches *branches, uint32_t loop);

/* The instruction that defines a value; NULL: none does. */
static inline const struct fw_instruction *branch_definition(const struct fw_branches *branches,
                                                             uint32_t value)
{
    const struct fw_value *origin =
        value == FW_NO_INDEX ? NULL : &branches->function->values[value];
    return origin && origin->kind == FW_VALUE_INSTRUCTION
               ? &branches->function->instructions[origin->definition]
               : NULL;
}

#endif
