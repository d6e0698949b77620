/* A program that is written by hand, and a multiprocessor for it, for the unit tests of the
 * pipeline. */
#ifndef SUBJECT_PROGRAM_H
#define SUBJECT_PROGRAM_H

#include "simulate.h"

#include <math.h>
#include <string.h>

enum { FUSED, LOAD, PLAIN, OPERATIONS };
enum { MOST_STEPS = 24 };

/* A program of one kind of warps, and what it runs on. */
struct subject {
    struct fw_arena *arena;
    struct fw_step steps[MOST_STEPS];
    uint32_t waits[1];
    struct fw_warp_program program;
    const struct fw_warp_program *programs[64];
    struct fw_sm_operation operations[OPERATIONS];
    struct fw_sm_costs costs;
    struct fw_sm_access access;
    struct fw_sm_simulation simulation;
    struct fw_sm_result result;
    struct fw_sm_account account; /* of two places: 0, and 1 for all instructions */
    uint32_t places[1];
    double cycles[2 * FW_SM_PART_COUNT];
};

/* Four schedulers, an FMA unit that takes an operation a cycle, and loads of 500 cycles. */
static inline void begin(struct subject *s)
{
    memset(s, 0, sizeof(*s));
    s->arena = fw_arena_new(0);
    s->operations[FUSED] =
        (struct fw_sm_operation){.unit = FW_SM_FMA, .every = 1, .interval = 1, .latency = 4};
    s->operations[LOAD] = (struct fw_sm_operation){
        .unit = FW_SM_LSU, .memory = true, .every = 1, .interval = 1, .wait = FW_SM_WAIT_LONG};
    s->operations[PLAIN] = (struct fw_sm_operation){.every = 1, .interval = 1};
    s->costs.operations = s->operations;
    s->access = (struct fw_sm_access){.cycles = {[FW_SM_SERVER_LSU] = 1, [FW_SM_SERVER_L2] = 8},
                                      .miss_l1 = 1,
                                      .waits = true,
                                      .latency = {30, 500, 700},
                                      .wait = FW_SM_WAIT_LONG};
    s->simulation = (struct fw_sm_simulation){.costs = &s->costs,
                                              .accesses = &s->access,
                                              .schedulers = 4,
                                              .resident = 1,
                                              .blocks = 1,
                                              .warps = 1,
                                              .barrier = 20,
                                              .programs = s->programs,
                                              .kinds = 1,
                                              .most_issues = 1000000,
                                              .issues_per_block = 1};
    s->places[0] = 1;
    s->account = (struct fw_sm_account){.places = s->places, .place_count = 2, .cycles = s->cycles};
    s->simulation.account = &s->account;
}

/* Cycles of a part, of all places. */
static inline double part(const struct subject *s, enum fw_sm_part which)
{
    return s->cycles[which] + s->cycles[FW_SM_PART_COUNT + which];
}

static inline double sum_of_account(const struct subject *s)
{
    double sum = 0;
    for (int p = 0; p < FW_SM_PART_COUNT; p++)
        sum += part(s, (enum fw_sm_part)p);
    return sum;
}

static inline void add(struct subject *s, struct fw_step step)
{
    s->steps[s->program.count++] = step;
}

/* An operation; `chained`: it needs the result of the one before. */
static inline void operation(struct subject *s, uint32_t which, bool chained)
{
    add(s, (struct fw_step){.kind = FW_STEP_OPERATION, .operation = which, .wait_count = chained});
}

static inline uint32_t loop(struct subject *s, double trips)
{
    add(s, (struct fw_step){.kind = FW_STEP_LOOP, .depth = s->program.depth++, .trips = trips});
    return s->program.count - 1;
}

static inline void again(struct subject *s, uint32_t begins)
{
    s->steps[begins].other = s->program.count;
    add(s,
        (struct fw_step){.kind = FW_STEP_AGAIN, .depth = s->steps[begins].depth, .other = begins});
}

static inline double run(struct subject *s)
{
    if (s->steps[s->program.count - 1].kind != FW_STEP_EXIT || s->program.count == 0)
        add(s, (struct fw_step){.kind = FW_STEP_EXIT});
    s->program.steps = s->steps;
    s->program.waits = s->waits;
    s->program.slots = 2;
    for (int w = 0; w < 64; w++)
        s->programs[w] = &s->program;
    fw_sm_simulate(&s->result, s->arena, &s->simulation);
    return s->result.cycles;
}

static inline bool near(double a, double b, double share)
{
    return fabs(a - b) <= share * fabs(b);
}

#endif
