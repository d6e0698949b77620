/* Shared by the files that simulate a multiprocessor. */
#ifndef FW_SIMULATE_INTERNAL_H
#define FW_SIMULATE_INTERNAL_H

#include "simulate.h"

enum { SNAPSHOTS = 33 };

/* A loop that a warp is in. */
struct frame {
    uint32_t step;  /* of kind LOOP */
    double trips;   /* of this entry */
    double round;   /* from 0 */
    double entries; /* of the loop by this warp so far */
};

struct warp {
    const struct fw_warp_program *program;
    uint32_t block; /* in its place */
    uint32_t scheduler;
    bool alive, at_barrier;
    uint32_t at;          /* step */
    double since;         /* when it issued last, or came */
    double ready;         /* when operands of the step are there */
    enum fw_sm_stall why; /* what they are waited for */
    double last;          /* when all that it asked for has come */
    uint64_t number;      /* of its block: the youngest has the greatest */
    struct frame *frames;
    uint32_t frame_count;
    double *slots;   /* when values are there */
    uint8_t *causes; /* enum fw_sm_wait of values */
    double *credits; /* of shares */
};

struct block {
    uint32_t left, arrived; /* warps */
    double latest;          /* arrival */
    double loads;           /* none is requested before */
    double end;
};

/* A warp in a loop at a moment. */
struct position {
    uint32_t loop; /* of the record */
    double round, trips, entries;
    bool alive;
};

struct snapshot {
    double time;
    struct position *positions; /* by warp */
    struct fw_sm_result result; /* so far */
    double late[2];             /* misses so far, in L1 and in L2, beyond those expected */
    double expected[2];
};

struct machine {
    const struct fw_sm_simulation *of;
    struct fw_arena *arena;
    struct warp *warps; /* resident * warps of a block */
    struct block *blocks;
    uint32_t warp_count;
    double *free;   /* by scheduler: its next issue slot */
    double *units;  /* by scheduler and unit: free from */
    uint32_t *last; /* by scheduler: the warp that it issued last */
    double servers[FW_SM_SERVER_COUNT];
    double *best_time; /* by scheduler */
    uint32_t *best;
    double *misses[2]; /* by warp and instruction: credit of misses in L1, in L2 */
    uint32_t instructions;
    double late[2], expected[2];      /* see struct snapshot */
    double started, simulated, ended; /* blocks */
    double next_dispatch;
    double last_end; /* of a block */
    struct fw_sm_result result;
    /* The observer of a steady state. */
    uint32_t observer, observed_loop;
    struct snapshot snapshots[SNAPSHOTS];
    uint32_t snapshot_count;
    double now;
};

/* warp_steps.c: goes on to a warp's next step that issues, waits or ends. */
void machine_advance(struct machine *m, uint32_t w);
/* Puts the next block into a place that is free from a moment on. */
void machine_start_block(struct machine *m, uint32_t b, double time);
/* Ends of blocks, and of their successors that have nothing to do; barriers that all have come to.
 */
void machine_settle(struct machine *m, uint32_t b);
/* Lets warps go on that wait at a barrier for others which do not come: data decide how many do,
 * and in shares they need not agree.  False: there are none. */
bool machine_release_any(struct machine *m);

/* warp_issue.c: finds the warp that a scheduler issues next: the first that can; of several the
 * same as before, then the youngest. */
void machine_find_best(struct machine *m, uint32_t scheduler);
/* Issues it. */
void machine_issue(struct machine *m, uint32_t scheduler);

/* steady_state.c: a warp begins another round of a loop: one of them is watched. */
void machine_observe(struct machine *m, uint32_t w, const struct fw_step *again);
/* Skips rounds where all warps are in a steady state. */
void machine_skip_if_steady(struct machine *m);

#endif
