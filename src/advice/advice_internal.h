/* What the rules of advice share: the launch as it is, and a try to change it. */
#ifndef FW_ADVICE_INTERNAL_H
#define FW_ADVICE_INTERNAL_H

#include "advice.h"
#include "sampled_warps.h"

#include <math.h>

enum { ADVICE_PARTS = 12, ADVICE_SECTOR = 32, ADVICE_LINE = 128 };

/* An index that moves an address: a thread of the grid along an axis, a block, a thread of a block,
 * or a loop's iteration. */
enum advice_index { ADVICE_GRID_THREAD, ADVICE_BLOCK, ADVICE_THREAD, ADVICE_LOOP };

struct advice_part {
    enum advice_index of;
    uint32_t index; /* axis, or loop */
    int64_t stride; /* bytes */
    int64_t extent; /* values of the index in the launch */
    bool is_lane;   /* neighbouring lanes of a warp differ by it */
};

/* An address as a sum of strides, where it is one. */
struct advice_address {
    bool known;
    int64_t constant;
    uint32_t count;
    struct advice_part parts[ADVICE_PARTS]; /* strides that are not 0, the least first */
};

/* An access of the record at the launch as it is. */
struct advice_access {
    bool runs;                     /* its requests are known, and data decide no part of it */
    struct fw_sampled_warps warps; /* requests of sampled warps */
    double executions;             /* by warps, in the launch */
    struct advice_address address;
};

struct advice_base {
    struct fw_arena *arena;
    const struct fw_advice_question *of;
    const struct fw_model_question *question;
    struct advice_access *accesses; /* by access of the record */
    int64_t used[3];                /* threads of the grid that access memory, along each axis */
    bool other_asked;
    double other_seconds; /* of the launch as it is, by the other model; 0: not known */
};

/* One try of a rule: copies of what it may change, in memory that goes with the try. */
struct advice_try {
    struct fw_arena *arena;
    const struct advice_base *base;
    struct fw_kernel *kernel;
    struct fw_launch *launch;
    struct fw_device *device;
    uint32_t number; /* of the rule's tries, from 0 */
    /* What the rule says: */
    uint32_t line, file; /* place in the source; line 0: none */
    const char *sentence;
    bool at_most; /* the time is a lower bound */
    double bound; /* seconds, where the model is not asked; else 0 */
};

struct advice_rule {
    const char *name;
    uint32_t tries;                         /* at most; the one with the least time is told */
    bool (*change)(struct advice_try *try); /* whether it makes sense */
};

/* rules_*.c */
bool advice_coalesce(struct advice_try *try);
bool advice_pad_shared(struct advice_try *try);
bool advice_widen(struct advice_try *try);
bool advice_privatize(struct advice_try *try);
bool advice_more_in_flight(struct advice_try *try);
bool advice_other_block(struct advice_try *try);
bool advice_whole_warps(struct advice_try *try);
bool advice_fewer_registers(struct advice_try *try);
bool advice_less_shared(struct advice_try *try);
bool advice_fill_waves(struct advice_try *try);
bool advice_single_precision(struct advice_try *try);
bool advice_approximate(struct advice_try *try);
bool advice_converge(struct advice_try *try);
bool advice_tile_for_l2(struct advice_try *try);
bool advice_address_once(struct advice_try *try);

/* advice_address.c: the address of an access at the launch. */
struct advice_address advice_address_of(const struct advice_base *base, uint32_t access);

/* Threads of the grid along an axis, from the first on, beyond which none accesses memory: n of
 * `i < n`, where conditions tell it; else all. */
int64_t advice_threads_used(const struct advice_base *base, uint32_t axis);

/* Moves the part of lanes to the front: the layout in which neighbouring lanes access neighbouring
 * elements and each other index keeps its order.  False: parts overlap, or lanes are there already.
 */
bool advice_lanes_first(struct advice_address *address, uint32_t bytes);

/* The address as an expression of the try's kernel. */
fw_expression advice_address_expression(struct advice_try *try,
                                        const struct advice_address *address);

/* advice_change.c: a copy of a record that may be changed: its pool, accesses, schedule, branches,
 * loops and arrays are its own, machine operations are not. */
struct fw_kernel *advice_kernel_copy(struct fw_arena *arena, const struct fw_kernel *kernel);

/* An instruction's machine operations as the try's own. */
struct fw_machine_operation *advice_own_machine(struct advice_try *try, uint32_t instruction);

/* Whether all that the kernel does depends on a thread's place in the grid along each axis, and not
 * on its place in a block: it may run in other blocks. */
bool advice_any_block(struct advice_try *try);

/* What the try is about: the place of an access or instruction. */
void advice_at_access(struct advice_try *try, uint32_t access);
void advice_at_instruction(struct advice_try *try, uint32_t instruction);

/* Names an array for people: an argument's name without its kernel's, or a variable's. */
const char *advice_array_name(const struct advice_try *try, uint32_t access);

/* Warp executions of an instruction in the launch as it is. */
double advice_executions(const struct advice_base *base, uint32_t instruction);

#endif
