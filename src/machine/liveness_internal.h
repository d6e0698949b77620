/* What the files of the register estimate share. */
#ifndef FW_LIVENESS_INTERNAL_H
#define FW_LIVENESS_INTERNAL_H

#include "liveness.h"
#include "lowering.h"
#include "passes.h"

typedef FW_VECTOR(uint32_t) value_list;

/* What a value is read as: itself, or the (at most two) values that its merged instruction reads.
 */
struct stands {
    uint32_t values[2]; /* FW_NO_INDEX: none */
};

/* What a value is made of where it is made again. */
struct made_again {
    uint32_t leaves[2]; /* values with registers; FW_NO_INDEX: none */
    uint8_t operations; /* 0: it cannot be */
};

struct liveness {
    struct fw_arena *arena;
    const struct fw_function *function;
    const struct fw_lowering *lowering; /* NULL: nothing is merged */
    value_list *live_out;               /* by block: values live at its end */
    uint8_t *width;                     /* by value: 32-bit registers; 0: an operand of its users */
    bool *read;            /* by value: an instruction reads it, through phis perhaps */
    bool *fixed;           /* by value: a phi reads it, so that it has a register */
    struct stands *stands; /* by value */
    uint32_t *seen_in;     /* by block: the last value (+ 1) found live at its start, ... */
    uint32_t *seen_out;
    uint32_t *stack;
    uint32_t *marked; /* by value: the stamp of the scan in which it is live now */
    uint32_t stamp;
    uint32_t *chain; /* by value: scratch of the scheduler, and of the batches */
    uint32_t *level_stamp;
    uint32_t *straight;       /* by block: the first of those that ptxas puts in order with it */
    struct made_again *again; /* by value */
    uint32_t *spared;         /* by value: the stamp of the scan of a block that need not keep it */
};

/* liveness.c: widths, and the values that are live at the end of each block.  `lowering` may be
 * NULL. Everything is in `arena`. */
void machine_find_live(struct liveness *work, struct fw_arena *arena,
                       const struct fw_function *function, const struct fw_lowering *lowering);

bool machine_is_predicate(const struct fw_function *function, uint32_t value);

/* Whether an instruction issues as a part of others, which read its operands in its place. */
bool machine_is_merged(const struct liveness *work, uint32_t i);

/* Which memory an instruction reads and writes, as bits: shared, global, local.  A barrier writes
 * all. */
struct machine_order {
    unsigned reads, writes;
};
struct machine_order machine_order_of(const struct fw_instruction *at);

/* made_again.c: fills `again` and `spared`, behind machine_find_live. */
void machine_find_made_again(struct liveness *work);

/* made_again.c: whether ptxas makes the value again of what is marked as live now; `read`: each
 * time that a block runs. */
bool machine_made_again(const struct liveness *work, uint32_t value, bool read);

/* What stands right before its first user. */
enum machine_waiting {
    MACHINE_LOADS_WAIT,  /* loads, and what is computed of one value */
    MACHINE_SUMS_WAIT,   /* all that is computed, chains of what a store ends side by side */
    MACHINE_STORES_WAIT, /* and stores, so that chains which several stores end go side by side */
};

/* first_use_order.c: the instructions of a block (first <= i < end, merged ones left out) in the
 * order of the text, but those that wait.  Fills `order` (room for end - first) and gives their
 * number. */
uint32_t machine_first_use_order(struct liveness *work, uint32_t block,
                                 enum machine_waiting waiting, uint32_t *order);

/* load_batches.c: the most registers that loads of the block fill which can be in flight at one
 * time: none waits for another, or for a store or barrier between them. */
uint32_t machine_load_batch(struct liveness *work, uint32_t block);

/* load_batches.c: the registers that loads of the block fill and that its stores beyond shared
 * memory take as they are. */
uint32_t machine_loads_kept(const struct liveness *work, uint32_t block);

#endif
