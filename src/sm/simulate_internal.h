/* Shared by the files that simulate a multiprocessor. */
#ifndef FW_SIMULATE_INTERNAL_H
#define FW_SIMULATE_INTERNAL_H

#include "simulate.h"
#include "timeline.h"

#include <stdatomic.h>

enum {
    SNAPSHOTS = 33,
    WATCHES = 2,
    CHANCES = 3,
    COPY_GROUPS = 16,
    PLACES_AT_ONCE = 4,       /* of a scheduler are looked at: it has a multiple of these */
    MBARRIERS = 8,            /* arrays of a kernel */
    PHASES = 64,              /* of an array that are not yet waited for */
    HEAVY = FW_SM_UNIT_COUNT, /* halves of FMA, which is free when one of them is */
    LIGHT,
    QUEUE_LG,     /* a place in the queue of requests of global and local memory */
    QUEUE_MIO,    /* in that of requests of shared memory, shuffles and special functions */
    QUEUE_TENSOR, /* in that of asynchronous products */
    UNITS,
    QUEUES = UNITS - QUEUE_LG
};

/* As fmax, of numbers, without a call. */
static inline double later(double a, double b)
{
    return a > b ? a : b;
}

/* As fmin, likewise. */
static inline double sooner(double a, double b)
{
    return a < b ? a : b;
}

/* Why a value is not there yet; of a request the shares of its time in which a queue serves it. */
enum { CAUSE_LSU, CAUSE_L2, CAUSE_DRAM, CAUSE_QUEUES };
struct cause {
    uint8_t part; /* enum fw_sm_part */
    float shares[CAUSE_QUEUES];
};

/* The part of the account that a queue is. */
static inline enum fw_sm_part cause_queue(enum fw_sm_part part, int queue)
{
    if (queue == CAUSE_LSU)
        return part == FW_SM_PART_SHARED ? FW_SM_PART_SHARED_QUEUE : FW_SM_PART_LSU_QUEUE;
    return queue == CAUSE_L2 ? FW_SM_PART_L2_QUEUE : FW_SM_PART_DRAM_QUEUE;
}

/* A loop that a warp is in. */
struct frame {
    uint32_t step;  /* of kind LOOP */
    double trips;   /* of this entry */
    double round;   /* from 0 */
    double entries; /* of the loop by this warp so far */
    double share;   /* of its trips that are made */
    double left;    /* trips that this share has more than whole ones were made of: the next part of
                       the same loop makes them */
    double trips_beside, left_beside; /* the same of the simulation that goes on alike, if any */
};

/* What chance decides of a request, by how many lines it has. */
struct line_chances {
    double far[2];  /* that one of its lines is far away, of those in L2 and of those beyond */
    double fast;    /* that none of them lies in the slower half */
    double each;    /* 1 / lines of those that device memory gives */
    double missing; /* that device memory gives any of its lines, which L2 is asked for, ... */
    double part;    /* of which it then gives so many */
};

/* What the simulations of one launch have in common: of the whole, and of parts of it. */
struct sm_common {
    const struct fw_warp_program **programs; /* each once */
    uint32_t count;
    uint32_t *program_of;          /* by block of a kind and warp */
    uint32_t slots, depth, shares; /* the most of any */
    uint32_t loops;                /* of the record: beyond the last one */
    uint32_t instructions;         /* beyond the last one */
    uint8_t *requests;             /* by instruction: whether it makes any */
    struct line_chances *lines;    /* by instruction, of those that do */
    /* By operation: what it needs to issue (machine_unit), and what waits for its result waits for,
     * where it has no request. */
    uint8_t *units, *causes;
};

/* What each issue asks for stands first, so that it lies side by side. */
struct warp {
    const struct fw_warp_program *program;
    const struct fw_step *step;              /* its next operation, where it has one */
    const struct fw_sm_operation *operation; /* of this step */
    double *slots;                           /* when values are there */
    struct cause *causes;
    uint32_t block;            /* in its place */
    uint32_t scheduler, place; /* of the scheduler: in `wanted` */
    uint32_t at;               /* step */
    double since;              /* when it issued last, or came */
    double asks;               /* its next request of memory is issued then, at the earliest */
    double ready;              /* when operands of the step are there */
    double last;               /* when all that it asked for has come */
    struct cause cause;        /* of operands coming late */
    bool alive, at_barrier;
    uint32_t frame_count;
    struct frame *frames;
    double *credits; /* of shares */
    double copies;   /* when its copies have, since it made a group of them last, and before */
    double products; /* when its products have come */
    uint32_t group_count, copy_count, product_count;
    uint32_t phase;              /* the mbarrier, from 1, whose phase it waits for */
    double groups[COPY_GROUPS];  /* when those of a group have */
    double arrived[COPY_GROUPS]; /* when its latest bulk copies have */
    uint32_t waits[MBARRIERS], arrivals[MBARRIERS]; /* so far */
    double product_groups[COPY_GROUPS];
};

/* A phase of an array of mbarriers, counted through all of its members. */
struct phase {
    double arrived, copies; /* threads; copies that have yet to be ordered */
    double time;            /* when the last of what it waits for has come */
};

/* An array of mbarriers of a kernel; what is the same in all blocks. */
struct mbarrier {
    uint32_t number;   /* of fw_step */
    double arrivals;   /* of threads, that a phase takes */
    double executions; /* of a warp's arrivals in one phase */
    bool announced;    /* copies complete on it */
    uint32_t places;   /* members */
};

struct block {
    uint32_t left, arrived; /* warps */
    double start;           /* when its warps came */
    uint32_t waiting;       /* warps at a phase */
    double latest;          /* arrival */
    double asked;  /* when the first of its loads issued whose lines others find on their way */
    double loads;  /* none is requested before */
    double number; /* of the blocks, in the order in which they begin */
    double length; /* from -1, the shortest, to 1; 0: the mean */
    double end;
    double place;               /* in the order of parts of blocks, from 0 to 1: evenly */
    uint32_t passed[MBARRIERS]; /* phases before the first, which waits begin with */
    struct phase *phases;       /* by mbarrier: PHASES of each; NULL: the kernel has none */
};

/* A warp in a loop at a moment. */
struct position {
    uint32_t loop; /* of the record */
    double round, trips, entries;
    bool alive;
};

struct snapshot {
    double time;
    struct position *positions; /* by warp; NULL: nothing was noted here yet */
    struct fw_sm_result result; /* so far */
    double *account, *idle;     /* account.c */
    uint32_t account_count, account_room;
    double *recorded; /* timeline.c */
    /* Misses so far, in L1 and in L2, and requests that went far, beyond those expected. */
    double late[CHANCES];
    double expected[CHANCES];
};

/* What is watched for a steady state: each time that one warp goes round one loop. */
struct watch {
    uint32_t observer, loop;
    uint32_t depth; /* of the loop */
    struct snapshot snapshots[SNAPSHOTS];
    uint32_t count;
};

/* A loop, and while it is watched, one inside of it. */
struct watching {
    struct watch watches[WATCHES];
    struct watch *noted; /* a snapshot of it was taken since this was last looked at, ... */
    double note_before;  /* and the one before it at this moment; below 0: there was none */
    bool skips;          /* whether that is steady is still to be asked */
    bool beside;         /* trips are those of the simulation beside the machine's */
};

/* What a simulation has still to do at a moment. */
struct rest {
    double time;
    double busy[FW_SM_UNIT_COUNT];     /* cycles, summed over schedulers; of FW_SM_NONE issues */
    double served[FW_SM_SERVER_COUNT]; /* cycles */
    double *by_loop;                   /* issues by outermost loop; NULL: nothing is noted */
    struct fw_program_place *loops;    /* that a warp is in */
};

struct machine {
    const struct fw_sm_simulation *of;
    const struct fw_sm_operation *operations; /* `of`'s */
    const struct sm_common *common;
    struct fw_arena *arena;
    struct warp *warps; /* resident * warps of a block */
    struct block *blocks;
    struct mbarrier mbarriers[MBARRIERS];
    uint32_t mbarrier_count;
    uint32_t warp_count;
    double *free;  /* by scheduler: its next issue slot */
    double *units; /* by scheduler and unit (and half): free from */
    /* By scheduler and place of a warp there (machine_place): when the operands of its next
     * operation are there, HUGE_VAL where it has none, and the unit that it takes. */
    double *wanted;
    uint8_t *wanted_unit;
    uint32_t *occupants; /* likewise: the warp */
    uint32_t places;     /* of a scheduler: of those that want to issue at one time the first does.
                            Blocks of later places come first, and of a block the first warp */
    double *times;       /* by place of one scheduler, of machine_find_best */
    /* By scheduler and place, for greedy orders: of those that can issue at one time that of the
     * least key does.  Its lowest bits are the place's (machine_place_of_key). */
    double *keys;
    uint32_t key_places; /* a power of two: keys of blocks are that far from each other */
    uint32_t key_flips;  /* bits of a place that its key has the other way: later places first */
    /* By scheduler and queue: when the last ones that took a place there leave it, in a ring, and
     * the one of that which comes next: at its time there is a place (in `units`). */
    double *leaves;
    uint32_t ring; /* places of the deepest */
    uint32_t *next_leave;
    uint32_t *last;                     /* by scheduler: the warp that it issued last */
    double servers[FW_SM_SERVER_COUNT]; /* are free from then on */
    double taken[FW_SM_SERVER_COUNT];   /* of a server, for each cycle that a request asks for */
    double barriers;                    /* the barrier unit is free from then on */
    /* Two earlier moments, the older one first, and what device memory had served by then. */
    double moments[2], served[2];
    bool products;     /* asynchronous ones were ordered, ... */
    double delivering; /* ... the factors of which take this share of shared memory's cycles */
    double drawn;      /* see draw() in warp_issue.c */
    double *best_time; /* by scheduler */
    uint32_t *best;
    double *misses[CHANCES]; /* by warp and instruction: credits of these */
    double *missing; /* by warp: its share of misses in L2 by the mean; NULL: all are alike */
    uint32_t instructions;
    double late[CHANCES], expected[CHANCES]; /* see struct snapshot */
    struct shared_lines *shared;             /* NULL: no access has any */
    double started, simulated, ended;        /* blocks */
    double ends[FW_SM_WAVES]; /* by wave of resident blocks: the sum of when they end */
    double next_dispatch;
    double last_end; /* of a block */
    double copied;   /* all bulk copies to shared memory are there */
    double stored;   /* all that blocks have stored is acknowledged: no block waits for it, but the
                        launch does */
    struct fw_sm_result result;
    struct sm_accounting *accounting; /* NULL: no account is asked for */
    struct sm_recorder *recorder;     /* NULL: no timeline is */
    struct watching *watching;
    bool observed; /* something was noted since this was last looked at */
    double now;
    struct rest half; /* when half the limit of issues was reached */
    bool round_robin; /* the order of issue: a scheduler takes another warp where it can */
    /* Another simulation, of other shares of trips, that goes on as this one does until they part,
     * or had parted before this was seen (`apart`), and what it watches.  NULL: none. */
    const struct fw_sm_simulation *beside;
    struct watching *watching_beside;
    double blocks_beside; /* of another simulation, of the first ones of these alone; 0: none */
    bool parts, apart;
};

/* Places of a queue; 0: any number. */
static inline uint32_t machine_depth(const struct machine *m, uint32_t queue)
{
    return queue == QUEUE_TENSOR ? m->of->waiting_products : m->of->waiting;
}

static inline uint32_t machine_place(const struct machine *m, uint32_t w)
{
    return m->warps[w].place;
}

/* simulation_common.c: finds it; memory is the arena's. */
void sm_common_find(struct sm_common *common, struct fw_arena *arena,
                    const struct fw_sm_simulation *of);

/* warp_steps.c: whether a simulation at a share of the trips of long loops is any shorter; `issues`
 * of a block of it, in the mean, with trips as `whole` as it makes them or by the share.  Memory is
 * the arena's. */
bool machine_shortens(struct fw_arena *arena, const struct fw_sm_simulation *of, bool whole,
                      double *issues);
/* Goes on to a warp's next step that issues, waits or ends. */
void machine_advance(struct machine *m, uint32_t w);
/* Puts the next block into a place that is free from a moment on. */
void machine_start_block(struct machine *m, uint32_t b, double time);
/* Ends of blocks, and of their successors that have nothing to do; barriers that all have come to;
 * whether there may be any. */
void machine_settle(struct machine *m, uint32_t b);
static inline bool machine_has_to_settle(const struct block *block)
{
    return !block->left || block->arrived == block->left || block->waiting;
}

/* Lets warps go on that wait at a barrier for others which do not come: data decide how many do,
 * and in shares they need not agree.  False: there are none. */
bool machine_release_any(struct machine *m);

/* mbarriers.c: finds a kernel's arrays of mbarriers in its programs. */
void mbarriers_open(struct machine *m);
/* The phases of the next block in a place, of which none has begun. */
struct phase *mbarriers_start_block(struct machine *m, uint32_t b);
void mbarriers_start_warp(struct warp *warp);
/* A warp arrives; waits, and has to stay where it is (true); orders a copy that is there at a time.
 */
void mbarriers_arrive(struct machine *m, struct warp *warp, const struct fw_step *step);
bool mbarriers_wait(struct machine *m, struct warp *warp, const struct fw_step *step);
void mbarriers_copy(struct machine *m, struct warp *warp, uint32_t number, double there);
/* Lets the warps of a block go on whose phase is over, or that nothing else can let go on: whether
 * there are any. */
bool mbarriers_settle(struct machine *m, uint32_t b);
bool mbarriers_release_any(struct machine *m, uint32_t b);
void mbarriers_skip(struct machine *m, double cycles);

/* warp_issue.c: finds the warp that a scheduler issues next: the first that can; of several one by
 * the order of issue. */
void machine_find_best(struct machine *m, uint32_t scheduler);
/* The place of its scheduler that a key is of. */
static inline uint32_t machine_place_of_key(const struct machine *m, double key)
{
    return ((uint32_t)(uint64_t)key & (m->key_places - 1)) ^ m->key_flips;
}

/* issue_order.c: room for keys of places; those of the warps of a block that begins. */
void machine_open_keys(struct machine *m);
void machine_set_keys(struct machine *m, uint32_t b);
/* The place, of its scheduler, that FW_ISSUE_ORDER_LOOSE_ROUND_ROBIN takes of those that can issue
 * at `best` by `times`, at least one.  `last`: the warp that the scheduler issued last; NULL: none.
 */
uint32_t machine_choose(const struct machine *m, uint32_t scheduler, const struct warp *last,
                        double best);
/* Issues it. */
void machine_issue(struct machine *m, uint32_t scheduler);

/* cut_off.c: notes it; memory is the machine's. */
void machine_note_rest(const struct machine *m, struct rest *rest);
/* Cycles that what is left takes, where the limit of issues cuts it off.  `alike` (or NULL) takes
 * the share of what that is judged by which is of the loops that are left, from 0 to 1. */
double machine_rest(const struct machine *m, double *alike);

/* miss_chances.c: how often each warp misses in L2 by the mean. */
void machine_open_chances(struct machine *m);

/* steady_state.c: begins to watch; memory is the machine's. */
struct watching *machine_open_watching(const struct machine *m);
/* A warp begins another round of a loop: one of them is watched. */
void machine_observe(struct machine *m, uint32_t w, const struct fw_step *again);
/* Skips rounds where all warps are in a steady state, by the watch that was noted. */
void machine_skip_if_steady(struct machine *m);
/* Whether it might, by the watch that it or the simulation beside it has noted, were there rounds
 * enough left: both have to ask then. */
bool machine_goes_alike(struct machine *m);

/* account.c: an account of `blocks` blocks; nothing where `to` is NULL, and then none of the others
 * is called. */
void account_open(struct machine *m, struct fw_sm_account *to, double blocks);
/* A copy of the account so far, for another one. */
void account_copy(struct machine *copy, struct fw_sm_account *to);
/* A warp issues at `time`, on a scheduler that was free from `free`; up to `slot` it waited for
 * `busy`, its unit or a place in its queue. */
void account_issue(struct machine *m, uint32_t w, double time, double slot, enum fw_sm_part busy,
                   double free);
void account_barrier(struct machine *m, uint32_t w, double until);
/* A warp waits for its copies or products, which are there at a moment. */
void account_hold(struct machine *m, uint32_t w, double until, enum fw_sm_part part);
void account_leave(struct machine *m, uint32_t w);
/* A block whose last warp's results are there at `last`. */
void account_end_block(struct machine *m, uint32_t b, double last);
void account_note(const struct machine *m, struct snapshot *to);
void account_skip(struct machine *m, const struct snapshot *from, const struct snapshot *to,
                  double times, double cycles);
/* Fills the account: of the time up to `end`, as parts of so many cycles. */
void account_finish(struct machine *m, double end, double cycles);

/* An empty one of the places of another; memory is the arena's. */
struct fw_sm_account *account_new(struct fw_arena *arena, const struct fw_sm_account *like);
/* The account of so many cycles, in the same shares, of so many waves of which one is simulated:
 * the places that the last one leaves empty are its own, others have a next wave to fill them. */
void account_scale(struct fw_sm_account *account, double cycles, double waves);
/* The account of so many cycles, by what one of fewer waves or trips, which begins and ends alike,
 * has less, `times` times; no part is less than nothing.  What the last wave leaves empty is there
 * once: blocks of a first wave begin and end together, those of later waves do not, and what their
 * ends differ by is no wave's beside the last. */
void account_extend(struct fw_sm_account *to, struct fw_sm_account *less, double times,
                    double cycles);

/* simulate.c: so many blocks, of which none has issued yet.  `beside` (or NULL) is the same
 * simulation at other shares of trips, below 1, which begins alike. */
struct machine *machine_begin(struct fw_arena *arena, const struct fw_sm_simulation *simulation,
                              const struct fw_sm_simulation *beside, double blocks,
                              struct fw_sm_account *account);
/* Simulates all of them, up to the limit of issues.  False: they take more than so many cycles, or
 * `needless` (NULL: never) became true meanwhile, and there is no result. */
bool machine_run(struct fw_sm_result *result, struct machine *m, double most_cycles,
                 const atomic_bool *needless);
/* Simulates as far as both do the same.  False: that they part was seen too late, and the machine
 * goes on by itself. */
bool machine_run_beside(struct machine *m);

/* As far as the first blocks do the same by themselves.  False: likewise. */
bool machine_run_first(struct machine *m, double blocks);

/* simulation_copy.c: the one of fewer blocks, from where machine_run_first() ended. */
struct machine *machine_copy_first(const struct machine *m, struct fw_sm_account *account);
/* The one beside, from where machine_run_beside() ended, with an account of its
 * own (or NULL); the machine goes on by itself from there.  Memory is the machine's. */
struct machine *machine_copy_beside(struct machine *m, struct fw_sm_account *account);

/* The first part of a simulation, which shows whether the warps' loops become steady. */
struct sm_look {
    struct machine *machine;
    uint64_t issues;
    bool done, whole; /* all blocks have ended by then */
};

/* Goes so far; whether all blocks have ended. */
bool machine_look(struct sm_look *look);

/* shorter_loops.c: what the limit would cut off, at two shares of the trips of its long loops, and
 * from these at all: what is done in proportion to trips grows so, what is done once stays.
 * `look` (or NULL) is taken while another thread begins with these, where there is one.  False: too
 * much is in loops that are short, so that what the two differ by says little, or the operations
 * come out wrong, or the look has shown all. */
bool machine_run_shorter(struct fw_sm_result *result, struct fw_arena *arena,
                         const struct fw_sm_simulation *simulation, double blocks,
                         struct fw_sm_account *account, struct sm_look *look);

/* shared_lines.c: a line that a warp's request comes to. */
struct shared_line {
    bool fetched;    /* by this request: no other warp has come to it */
    uint32_t leader; /* the warp that stands for all of them */
    double *there;   /* when its data are there, which who fetches it sets; NULL: long since */
    uint8_t *level;  /* that they come from, likewise */
};

void shared_lines_open(struct machine *m);
void shared_lines_start_block(struct machine *m, uint32_t b);
struct shared_line shared_lines_come(struct machine *m, uint32_t w, uint32_t instruction);
struct shared_lines *shared_lines_copy(const struct machine *m);
/* Time has moved by so many cycles. */
void shared_lines_skip(struct machine *m, double cycles);

/* timeline.c: likewise. */
void timeline_open(struct machine *m, struct fw_sm_timeline *to);
void timeline_add(struct machine *m, uint32_t w, double from, double until, enum fw_sm_part part,
                  uint32_t place);
void timeline_release(struct machine *m, uint32_t b, double time);
void timeline_note(const struct machine *m, struct snapshot *to);
/* A warp of which iterations are skipped, from a moment on; that they were. */
void timeline_skip(struct machine *m, uint32_t w, double time, const struct snapshot *from,
                   const struct snapshot *to, double cycles);
void timeline_skipped(struct machine *m, double time, double cycles);
void timeline_finish(struct machine *m);

#endif
