/* Shared by the files of the trace model. */
#ifndef FW_TRACE_MODEL_INTERNAL_H
#define FW_TRACE_MODEL_INTERNAL_H

#include "launch_volumes.h"
#include "model.h"
#include "residency.h"
#include "simulate.h"
#include "unit_service.h"

struct fw_trace_work {
    const struct fw_model_question *question;
    struct fw_arena *arena;
    struct fw_prediction *to;
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
    double latency_l1, latency_l2, latency_dram, latency_shared;
    const void *lines;               /* time_account.c's */
    struct fw_sm_account *account;   /* NULL: it is not asked for */
    struct fw_sm_timeline *timeline; /* NULL: likewise */
    bool left_out;                   /* asynchronous copies and the like */
    const char *missing;
};

/* A property of the profile; 0, and its name noted in `missing`, where it has none. */
double fw_trace_figure(struct fw_trace_work *work, enum fw_figure figure);

/* access_costs.c: what each access of the kernel takes of the multiprocessor. */
void fw_trace_find_accesses(struct fw_trace_work *work);

/* line_sharing.c: by warp of a block, the first that asks for the same lines by an access, and how
 * many warps do so in the mean; NULL: no two do.  Memory is the arena's. */
const uint8_t *fw_trace_line_leaders(struct fw_arena *arena, const struct fw_affine_access *access,
                                     const uint32_t block[3], double *sharers);

/* block_choice.c: chooses the blocks of the busiest multiprocessor, and simulates them. */
void fw_trace_simulate(struct fw_trace_work *work, struct fw_sm_result *result);

/* trace_answer.c: occupancy, terms, stall reasons, and what is not modelled.  `around`: seconds
 * that a launch takes beyond what is simulated. */
void fw_trace_publish(struct fw_trace_work *work, const struct fw_sm_result *result, double around);

/* "long_scoreboard.dram". */
const char *fw_trace_part_name(struct fw_arena *arena, enum fw_sm_part part);
/* The line of a place of the account; 0: none. */
uint32_t fw_trace_line(const struct fw_trace_work *work, uint32_t place);
/* time_account.c: lines of the code as places of an account; the account as rows. */
void fw_trace_open_account(struct fw_trace_work *work);
void fw_trace_publish_account(struct fw_trace_work *work, const struct fw_sm_result *result,
                              double around);

/* trace_model.c: all that the model needs of a launch. */
enum fw_status fw_trace_prepare(struct fw_trace_work *work);

#endif
