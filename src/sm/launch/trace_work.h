/* What a multiprocessor is asked at a launch: the blocks that it gets, the traces of their warps,
 * the latencies of memory, and what each access takes of it.
 *
 * Takes a kernel at a bound launch and a profile; asks src/sm for traces and the costs of
 * operations, and src/memory for requests, volumes and service times.  The model trace simulates
 * what is found here (simulate.h); the model traffic asks how long one warp takes by itself
 * (lone_launch.h).  Never simulates anything. */
#ifndef FW_TRACE_WORK_H
#define FW_TRACE_WORK_H

#include "launch_volumes.h"
#include "residency.h"
#include "simulate.h"
#include "unit_service.h"

struct fw_trace_question {
    const struct fw_kernel *kernel;
    struct fw_bound *bound;
    const struct fw_launch *launch;
    const struct fw_device *device;
    const uint32_t *alignments;   /* bytes, by kernel parameter; NULL: 256 for all */
    bool cold;                    /* caches flushed before the launch */
    struct fw_sequence *sequence; /* other launches ran before, in place of `cold`; NULL */
    double clock;                 /* hertz; 0: the profile's */
    bool keep_order;              /* instructions issue in the order of PTX */
    bool side_work;               /* another thread may work on it, too (side_work.h) */
    uint32_t traced_blocks;       /* at most; 0: as many as traces take (trace.h) */
    uint32_t traced_uneven;       /* as in trace.h */
    uint64_t evaluations;         /* likewise, of conditions */
    const struct fw_launch_volumes *volumes; /* that were found before; NULL: they are found */
    struct fw_launch_volumes_kept **kept;    /* where they stay (launch_volumes.h); NULL: nowhere */
    const struct fw_sink *sink;
};

struct fw_trace_work {
    const struct fw_trace_question *question;
    struct fw_arena *arena;
    struct fw_prediction *to; /* the model's */
    double clock, multiprocessors;
    double grid; /* blocks of the launch */
    double busy; /* multiprocessors that have any */
    double own;  /* blocks of the busiest one */
    struct fw_residency residency;
    struct fw_launch_volumes volumes;
    struct fw_units units;
    struct fw_traces traces;
    struct fw_sm_costs costs;
    struct fw_warp_program *programs; /* by class of traces */
    struct fw_sm_access *accesses;    /* by instruction */
    double spread;    /* mean latency of device memory above the least one, as a share of that */
    double slow;      /* cycles more of every other line of L2, less of the others */
    double far;       /* cycles more from a far part of L2 than from the near one */
    double far_share; /* of lines that hit L2 */
    double chances, chance_misses; /* of a warp: requests to L2 that may miss there or not, and
                                      those that do */
    double latency_l1, latency_l2, latency_dram, latency_shared;
    const void *lines;               /* time_account.c's */
    struct fw_sm_account *account;   /* NULL: it is not asked for */
    struct fw_sm_timeline *timeline; /* NULL: likewise */
    bool own_lengths;                /* blocks have lengths of their own (own_lengths.h) */
    bool left_out;                   /* asynchronous copies and the like */
    const char *missing;
};

/* A property of the profile; 0, and its name noted in `missing`, where it has none. */
double fw_trace_figure(struct fw_trace_work *work, enum fw_figure figure);

/* Cycles to the next issue of a warp, beyond one. */
double fw_trace_later_issue(struct fw_trace_work *work, enum fw_figure figure);

/* Fills `work`, of which the question and the arena are set.  Errors are those of residency, of
 * volumes and of traces (trace.h); a profile that says nothing about occupancy is one
 * (FW_ERROR_INPUT, DEV012). */
enum fw_status fw_trace_prepare(struct fw_trace_work *work);

/* access_costs.c: what each access of the kernel takes of the multiprocessor. */
void fw_trace_find_accesses(struct fw_trace_work *work);

/* atomic_tries.c: rounds in which a warp gets through an atomic operation of shared memory that is
 * a loop: `lanes` of it lie in one bank, `rivals` other warps come to a lane's word, each as often
 * as its own, and a word is loaded for the share `window` of a round before it is written. */
double fw_atomic_rounds(double lanes, double rivals, double window);

/* line_sharing.c: by warp of a block, the first that asks for the same lines by an access, and how
 * many warps do so in the mean; NULL: no two do.  Memory is the arena's. */
const uint8_t *fw_trace_line_leaders(struct fw_arena *arena, const struct fw_affine_access *access,
                                     const uint32_t block[3], double *sharers);

/* joined_loads.c: by access of the record, whether it is a load of a warp's first batch: outside of
 * loops, ahead of barriers, branches and results of loads that hold later ones up (stage.h).  The
 * warps of a block ask for its lines at the same time.  Memory is the arena's. */
const bool *fw_trace_first_loads(struct fw_arena *arena, const struct fw_kernel *kernel);

/* Cycles that the barrier unit takes for a warp that arrives; and from the last arrival at a
 * barrier until warps go on: of `latency_barrier`, from one barrier of a warp alone in its block to
 * the next, what its issue and its own arrival leave. */
double fw_trace_arrival(struct fw_trace_work *work);
double fw_trace_release(struct fw_trace_work *work);

/* warp_programs.c: the program of a class of warps, made when it is first asked for. */
const struct fw_warp_program *fw_trace_program(struct fw_trace_work *work,
                                               const struct fw_trace *trace);
/* Instructions of a class of blocks, for comparing them; the class that has most. */
double fw_trace_block_issues(const struct fw_trace_work *work, const struct fw_trace_block *block);
uint32_t fw_trace_heaviest_block(const struct fw_trace_work *work);

#endif
