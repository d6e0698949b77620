/* A record of few instructions, and the warp's program that is made of it. */
#ifndef WARP_SUBJECT_H
#define WARP_SUBJECT_H

#include "warp_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

enum { MOST = 8 };

/* A record whose instructions are all in one run, or in one loop. */
struct subject {
    struct fw_arena *arena;
    struct fw_kernel *kernel;
    struct fw_sm_operation operations[MOST];
    struct fw_sm_costs costs;
    uint32_t first[MOST + 1], order[MOST];
    struct fw_traces traces;
    struct fw_trace run, all;
    struct fw_trace_node nodes[2];
    uint32_t free; /* an instruction that issues nothing */
    uint32_t two;  /* the last one, if it issues two operations */
    struct fw_program_rules rules;
    struct fw_warp_program program;
};

/* An empty one. */
static inline void begin(struct subject *s)
{
    memset(s, 0, sizeof(*s));
    s->arena = fw_arena_new(0);
    s->kernel = FW_NEW(s->arena, struct fw_kernel);
    s->kernel->schedule = FW_ARRAY(s->arena, struct fw_scheduled, MOST);
    s->kernel->accesses = FW_ARRAY(s->arena, struct fw_access, MOST);
    s->kernel->loops = FW_ARRAY(s->arena, struct fw_loop, 1);
    s->kernel->loop_count = 1;
    s->free = s->two = FW_NONE;
    s->rules = (struct fw_program_rules){.latency_load = 300, .latency_shared = 23};
}

/* An addition that waits for an instruction, or for FW_NONE; its number. */
static inline uint32_t add(struct subject *s, uint32_t waits_for)
{
    uint32_t i = s->kernel->schedule_count++;
    struct fw_scheduled *at = &s->kernel->schedule[i];
    *at =
        (struct fw_scheduled){.operation = "add", .group = FW_GROUP_ARITHMETIC, .access = FW_NONE};
    if (waits_for != FW_NONE) {
        at->waits_for = fw_arena_copy(s->arena, &waits_for, sizeof(waits_for));
        at->wait_count = 1;
    }
    s->operations[i] =
        (struct fw_sm_operation){.unit = FW_SM_FMA, .every = 1, .interval = 1, .latency = 4};
    return i;
}

/* A load or store of an array of its own, likewise. */
static inline uint32_t add_access(struct subject *s, enum fw_direction direction,
                                  uint32_t waits_for)
{
    uint32_t i = add(s, waits_for), a = s->kernel->access_count++;
    s->kernel->accesses[a] = (struct fw_access){.instruction = i,
                                                .space = FW_SPACE_GLOBAL,
                                                .direction = direction,
                                                .bytes = 4,
                                                .array = a,
                                                .base = a + 1};
    s->kernel->schedule[i].access = a;
    s->kernel->schedule[i].access_count = 1;
    s->kernel->schedule[i].group = FW_GROUP_MEMORY;
    return i;
}

/* The program of the instructions: of one run, or of a loop of so many trips. */
static inline void make(struct subject *s, double trips)
{
    uint32_t count = s->kernel->schedule_count;
    for (uint32_t i = 0; i < count; i++) {
        s->first[i + 1] = s->first[i] + (i != s->free) + (i == s->two);
        s->order[i] = i;
    }
    s->costs.operations = s->operations;
    s->costs.first = s->first;
    s->traces = (struct fw_traces){.order = s->order, .order_count = count};
    s->nodes[0] = (struct fw_trace_node){.share = 1, .lanes = 32, .count = count};
    s->nodes[1] = (struct fw_trace_node){
        .is_loop = true, .share = 1, .lanes = 32, .enters = true, .trips = trips, .body = &s->run};
    s->run = (struct fw_trace){.count = 1, .nodes = s->nodes};
    s->all = (struct fw_trace){.count = 1, .nodes = s->nodes + 1};
    fw_warp_program_make(&s->program, s->arena, s->kernel, &s->traces,
                         trips > 0 ? &s->all : &s->run, &s->costs, &s->rules);
}

/* The place of an instruction's n-th execution among the operations. */
static inline uint32_t place(const struct subject *s, uint32_t instruction, uint32_t nth)
{
    uint32_t operations = 0;
    for (uint32_t i = 0; i < s->program.count; i++) {
        if (s->program.steps[i].kind != FW_STEP_OPERATION)
            continue;
        if (s->program.steps[i].instruction == instruction && nth-- == 0)
            return operations;
        operations++;
    }
    return FW_NONE;
}

#endif
