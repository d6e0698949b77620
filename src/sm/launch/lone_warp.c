#include "lone_warp_internal.h"

#include "turns.h"

#include <math.h>
#include <string.h>

enum {
    MOST_ROUNDS = 4,  /* of a loop that are gone through one by one */
    DRAWN_ROUNDS = 17 /* the same where requests miss some of the times, of an innermost loop */
};

/* How far two iterations are from each other that count as alike: a share of their time. */
static const double ALIKE = 0.005;

static double operands(const struct walk *walk, const struct fw_step *step)
{
    const uint32_t *waits = walk->of->program->waits;
    double ready = walk->now;
    for (uint32_t i = step->first_wait; i < step->first_wait + step->wait_count; i++)
        ready = later(ready, walk->slots[waits[i]] + step->delay);
    return ready;
}

/* ---- issue ---- */

/* The queue that an operation waits in for its unit. */
static enum queue queue_of(const struct walk *walk, const struct fw_step *step,
                           const struct fw_sm_operation *operation)
{
    if (operation->memory && walk->of->accesses[step->instruction].wait == FW_SM_WAIT_LONG)
        return QUEUE_LG;
    if (operation->unit == FW_SM_LSU || operation->queued)
        return QUEUE_MIO;
    return operation->product ? QUEUE_TENSOR : NO_QUEUE;
}

/* When an operation can issue whose operands are there: when the queue has a place. */
static double wait_for_turn(const struct walk *walk, const struct fw_step *step, double time)
{
    const struct fw_sm_operation *operation = &walk->of->costs->operations[step->operation];
    const enum queue queue = queue_of(walk, step, operation);
    if (operation->memory) {
        const struct fw_sm_access *access = &walk->of->accesses[step->instruction];
        time = later(time, walk->asks);
        if (access->wait == FW_SM_WAIT_LONG && (access->waits || access->copies))
            time = later(time, walk->of->start); /* the block's first loads wait for its start */
    }
    if (queue != NO_QUEUE && walk->queues[queue].depth)
        time = later(time, walk->queues[queue].leaves[walk->queues[queue].next]);
    return time;
}

static void enter(struct places *queue, double leaves)
{
    if (!queue->depth)
        return;
    const double before = queue->leaves[queue->next ? queue->next - 1 : queue->depth - 1];
    queue->leaves[queue->next] = later(leaves, before);
    queue->next = queue->next + 1 < queue->depth ? queue->next + 1 : 0;
}

/* An operation takes its unit, or a half of the FMA unit: when; for `*interval` cycles. */
static double take_unit(struct walk *walk, const struct fw_sm_operation *operation, double time,
                        double *interval)
{
    double *units = walk->units, holds = operation->holds;
    const enum fw_sm_unit unit = operation->unit;
    *interval = operation->interval;
    const bool halves = unit == FW_SM_FMA && holds > 0;
    uint32_t part = !halves                                                        ? unit
                    : operation->heavy || units[LIGHT] > later(time, units[HEAVY]) ? HEAVY
                                                                                   : LIGHT;
    const double taken = later(time, units[part]);
    if (operation->beside > 1 && walk->ordered && units[FW_SM_TENSOR] > taken) {
        *interval *= operation->beside;
        holds *= operation->beside;
    }
    units[part] = taken + (halves ? holds : *interval);
    if (halves)
        units[FW_SM_FMA] = fmin(units[HEAVY], units[LIGHT]);
    else if (unit == FW_SM_FMA)
        units[HEAVY] = units[LIGHT] = units[unit];
    walk->busy[unit] += *interval;
    walk->busy[HEAVY] += halves && operation->heavy ? holds : 0;
    lone_ask(walk, unit, taken, *interval);
    return taken;
}

static void issue(struct walk *walk, const struct fw_step *step)
{
    const struct fw_sm_operation *operation = &walk->of->costs->operations[step->operation];
    const enum queue queue = queue_of(walk, step, operation);
    double time = wait_for_turn(walk, step, operands(walk, step)), interval, taken = time, there;
    if (operation->memory) {
        there = lone_request(walk, step, time, &taken);
    } else if (operation->unit == FW_SM_LSU) {
        double done = lone_serve_lsu(walk, time, operation->interval, true);
        taken = done - operation->interval;
        there = done + operation->latency;
    } else if (operation->unit != FW_SM_NONE) {
        taken = take_unit(walk, operation, time, &interval);
        if (queue == NO_QUEUE)
            time = taken;
        there = taken + operation->latency;
        if (operation->product) {
            walk->products = later(walk->products, taken + interval + operation->completes);
            walk->ordered = true;
            walk->leaves = 1 - operation->delivery;
        }
    } else {
        there = time + operation->latency;
    }
    if (queue != NO_QUEUE)
        enter(&walk->queues[queue], taken);
    walk->busy[FW_SM_NONE] += 1 + operation->reading;
    lone_ask(walk, FW_SM_NONE, time, 1 + operation->reading);
    walk->now = time + 1 + operation->reading;
    walk->slots[step->slot] = there;
    walk->last = later(walk->last, there);
}

/* Everything comes so many cycles later. */
static void shift(struct walk *walk, double cycles)
{
    walk->now += cycles;
    walk->asks += cycles;
    walk->last += cycles;
    walk->stored += cycles;
    walk->copies += cycles;
    walk->products += cycles;
    for (uint32_t g = 0; g < COPY_GROUPS; g++)
        walk->groups[g] += cycles, walk->product_groups[g] += cycles;
    for (uint32_t u = 0; u < UNITS; u++)
        walk->units[u] += cycles;
    for (uint32_t s = 0; s < FW_SM_SERVER_COUNT; s++)
        walk->servers[s] += cycles;
    for (uint32_t q = 0; q < QUEUES; q++)
        for (uint32_t p = 0; p < walk->queues[q].depth; p++)
            walk->queues[q].leaves[p] += cycles;
    for (uint32_t i = 0; i < walk->instructions; i++)
        walk->lines[i].there += cycles;
    for (uint32_t s = 0; s < walk->of->program->slots; s++)
        walk->slots[s] += cycles;
    fw_in_step_shift(&walk->step, cycles);
}

/* What units are busy with, before a part of the program. */
struct work_before {
    double now, arrived, busy[UNITS], served[FW_SM_SERVER_COUNT];
    uint64_t barriers, turns;
    struct fw_in_step step;
};

static struct work_before note(const struct walk *walk)
{
    struct work_before before = {.now = walk->now,
                                 .arrived = walk->arrived,
                                 .barriers = walk->barriers,
                                 .turns = walk->turns};
    before.step = walk->step;
    memcpy(before.busy, walk->busy, sizeof(before.busy));
    memcpy(before.served, walk->served, sizeof(before.served));
    return before;
}

/* What is behind counts so many times as much. */
static void multiply(struct walk *walk, const struct work_before *before, double times)
{
    for (uint32_t u = 0; u < UNITS; u++)
        walk->busy[u] = before->busy[u] + times * (walk->busy[u] - before->busy[u]);
    for (uint32_t s = 0; s < FW_SM_SERVER_COUNT; s++)
        walk->served[s] = before->served[s] + times * (walk->served[s] - before->served[s]);
    walk->arrived = before->arrived + times * (walk->arrived - before->arrived);
}

/* The same of what warps in step ask, unless they came to a barrier and are in step anew. */
static void multiply_asked(struct walk *walk, const struct work_before *before, double times)
{
    if (walk->barriers == before->barriers)
        fw_in_step_multiply(&walk->step, &before->step, times);
}

static void go(struct walk *walk, uint32_t at, uint32_t end);

/* What asks for one unit of a scheduler, or one server or the barrier unit of the multiprocessor.
 */
struct demand {
    double work;  /* cycles that it works for the warp in a part */
    double warps; /* that ask it as much */
};

/* The demand for the unit that works most for so many warps of a scheduler. */
static struct demand busiest(const struct walk *walk, const struct work_before *before,
                             double warps)
{
    const double here = later(1, warps), there = later(1, warps * walk->of->schedulers);
    struct demand most = {.work = walk->arrived - before->arrived, .warps = there};
    for (uint32_t s = 0; s < FW_SM_SERVER_COUNT; s++)
        most.work = later(most.work, walk->served[s] - before->served[s]);
    for (uint32_t u = 0; u < UNITS; u++)
        if (here * (walk->busy[u] - before->busy[u]) > most.work * most.warps)
            most = (struct demand){walk->busy[u] - before->busy[u], here};
    return most;
}

static void hold(struct walk *walk, const struct work_before *before, double least)
{
    if (before->now + least > walk->now)
        shift(walk, before->now + least - walk->now);
}

/* No loop takes less than its busiest unit works for all warps beside.  They take turns at it, once
 * in loops of loops: in the innermost.  With barriers blocks do, in the outermost: each asks for
 * much at one time, and for nothing at others. */
static void hold_to_units(struct walk *walk, const struct work_before *before)
{
    const struct fw_lone_warp *of = walk->of;
    const double alone = walk->now - before->now;
    const struct demand all = busiest(walk, before, of->beside);
    struct demand turns = all;
    if (walk->barriers > before->barriers) {
        turns = busiest(walk, before, of->block);
        turns.work *= turns.warps;
        turns.warps = of->block > 0 ? of->beside / of->block : 1;
    }
    if (walk->turns == before->turns && !walk->meets) {
        walk->turns++;
        hold(walk, before, fw_turns_cycles(alone, fmin(turns.work, alone), turns.warps));
    }
    hold(walk, before, all.work * all.warps);
}

/* The last of the block's warps comes here. */
static void wait_for_last(struct walk *walk)
{
    shift(walk, walk->step.beyond);
    fw_in_step_begin(&walk->step, walk->now);
}

/* A loop that a warp has gone round is held to what units need for all. */
static void hold_loop(struct walk *walk, const struct work_before *before)
{
    const double alone = walk->now;
    const struct fw_in_step none = {0};
    hold_to_units(walk, before);
    fw_in_step_lengthen(&walk->step, walk->barriers > before->barriers ? &none : &before->step,
                        walk->now - alone);
}

static double trips_of(const struct walk *walk, const struct fw_step *step)
{
    double around = step->depth ? walk->round[step->depth - 1] : 0;
    return later(0, step->trips + step->step * around);
}

/* Whether a loop has none in it that goes round. */
static bool is_innermost(const struct walk *walk, uint32_t at)
{
    const struct fw_step *steps = walk->of->program->steps;
    for (uint32_t i = at + 1; i < steps[at].other; i++)
        if (steps[i].kind == FW_STEP_LOOP && (steps[i].trips > 1 || steps[i].step > 0))
            return false;
    return true;
}

/* Whether warps meet at a barrier in a loop, or in one inside. */
static bool has_barrier(const struct walk *walk, uint32_t at)
{
    const struct fw_step *steps = walk->of->program->steps;
    for (uint32_t i = at + 1; i < steps[at].other; i++)
        if (steps[i].kind == FW_STEP_BARRIER)
            return true;
    return false;
}

/* One iteration, the one that stands at `round`; how long it takes. */
static double go_once(struct walk *walk, const struct fw_step *step, uint32_t at, double round)
{
    double begin = walk->now;
    walk->round[step->depth] = round;
    go(walk, at + 1, step->other);
    walk->now += walk->of->branch;
    return walk->now - begin;
}

/* The iterations of a loop: one by one until two are alike; the rest as the last one, or, where no
 * two are alike, as the others but the first are in the mean.  Of those that are gone through, the
 * later ones are evenly spaced, since inner loops may have more trips in each. */
static void go_round(struct walk *walk, const struct fw_step *step, uint32_t at)
{
    const double trips = trips_of(walk, step), whole = floor(trips);
    const struct work_before first = note(walk);
    struct work_before before = first;
    double last = 0, sum = 0, done = 0, most = MOST_ROUNDS;
    const bool outer = walk->drawn, innermost = is_innermost(walk, at), meets = walk->meets;
    bool alike = false;
    walk->drawn = false;
    walk->meets |= has_barrier(walk, at);
    while (done < whole && done < most && !alike) {
        double spaced = done < 2 || innermost ? done : 1 + (done - 1) * (whole - 2) / (most - 2);
        double earlier = last;
        before = note(walk);
        last = go_once(walk, step, at, floor(spaced));
        sum += done > 0 ? last : 0;
        most = innermost && walk->drawn ? DRAWN_ROUNDS : most;
        alike = done++ > 0 && fabs(last - earlier) <= ALIKE * last && !walk->drawn;
    }
    if (done < whole) {
        shift(walk, (whole - done) * (alike ? last : sum / (done - 1)));
        multiply(walk, alike ? &before : &first, alike ? 1 + whole - done : whole / done);
        multiply_asked(walk, alike ? &before : &first, alike ? 1 + whole - done : whole / done);
    }
    if (trips > whole) { /* in the mean of executions */
        before = note(walk);
        shift(walk, (trips - whole - 1) * go_once(walk, step, at, whole));
        multiply(walk, &before, trips - whole);
        multiply_asked(walk, &before, trips - whole);
    }
    if (trips > 0) /* none is behind the last one */
        walk->now -= walk->of->branch;
    walk->drawn |= outer;
    walk->meets = meets;
}

/* A part that is gone through in a share of executions. */
static void go_share(struct walk *walk, const struct fw_step *step, uint32_t at)
{
    struct work_before before = note(walk);
    go(walk, at + 1, step->other);
    double cycles = walk->now - before.now;
    shift(walk, (step->share - 1) * cycles);
    multiply(walk, &before, step->share);
    multiply_asked(walk, &before, step->share);
}

/* Waits for all of so many groups of copies, or of products, but for so many, the latest. */
static void wait_for_groups(struct walk *walk, const double *groups, uint32_t count, uint32_t left)
{
    if (count > left && left < COPY_GROUPS)
        walk->now = later(walk->now, groups[(count - 1 - left) % COPY_GROUPS]);
}

/* Goes from one step to another. */
static void go(struct walk *walk, uint32_t at, uint32_t end)
{
    const struct fw_warp_program *program = walk->of->program;
    struct work_before before;
    while (at < end && at < program->count) {
        const struct fw_step *step = &program->steps[at];
        switch (step->kind) {
        case FW_STEP_OPERATION:
            issue(walk, step);
            break;
        case FW_STEP_VALUE:
            walk->slots[step->slot] = operands(walk, step);
            break;
        case FW_STEP_LOOP:
            before = note(walk);
            go_round(walk, step, at);
            hold_loop(walk, &before);
            at = step->other;
            break;
        case FW_STEP_AGAIN:
            break;
        case FW_STEP_SHARE:
            if (step->share < 1) {
                go_share(walk, step, at);
                at = step->other - 1;
            }
            break;
        case FW_STEP_BRANCH:
            walk->now = operands(walk, step) + step->keeps;
            break;
        case FW_STEP_COMMIT:
            walk->groups[walk->group_count++ % COPY_GROUPS] = walk->copies;
            break;
        case FW_STEP_COPIES:
            wait_for_groups(walk, walk->groups, walk->group_count, step->other);
            break;
        case FW_STEP_COMMIT_PRODUCTS:
            walk->product_groups[walk->product_count++ % COPY_GROUPS] = walk->products;
            break;
        case FW_STEP_PRODUCTS:
            wait_for_groups(walk, walk->product_groups, walk->product_count, step->other);
            break;
        case FW_STEP_ARRIVE:
        case FW_STEP_PHASE:
            break;
        case FW_STEP_FENCE:
            wait_for_last(walk);
            walk->now += step->keeps;
            break;
        case FW_STEP_BARRIER:
            walk->arrived += walk->of->arrival;
            walk->barriers++;
            lone_ask(walk, ARRIVALS, walk->now, walk->of->arrival);
            wait_for_last(walk);
            walk->now += walk->of->arrival + (step->keeps > 0 ? step->keeps : walk->of->barrier);
            break;
        case FW_STEP_EXIT:
            return;
        }
        at++;
    }
}

/* The room of the walk, by what its program has. */
static void open(struct walk *walk, struct fw_arena *arena)
{
    const struct fw_lone_warp *of = walk->of;
    const struct fw_warp_program *program = of->program;
    walk->slots = FW_ARRAY(arena, double, program->slots + 1);
    walk->round = FW_ARRAY(arena, double, program->depth + 1);
    walk->instructions = 1;
    for (uint32_t i = 0; i < program->count; i++)
        if (program->steps[i].instruction >= walk->instructions)
            walk->instructions = program->steps[i].instruction + 1;
    walk->credits = FW_ARRAY(arena, double, CHANCES * walk->instructions);
    walk->lines = FW_ARRAY(arena, struct lines_walked, walk->instructions);
    for (uint32_t i = 0; i < walk->instructions; i++) { /* instructions at places of their own */
        const double own = fmod(0.5 + 0.6180339887498949 * i, 1);
        const uint32_t with = fw_sm_walk(&of->accesses[i], i);
        walk->lines[i].credit = fmod(0.5 + 0.6180339887498949 * with, 1);
        walk->credits[CHANCES * i] = walk->lines[i].credit;
        for (uint32_t level = 1; level < CHANCES; level++)
            walk->credits[CHANCES * i + level] = own;
    }
    for (uint32_t q = 0; q < QUEUES; q++) {
        walk->queues[q].depth = q == QUEUE_TENSOR ? of->waiting_products : of->waiting;
        walk->queues[q].leaves = FW_ARRAY(arena, double, walk->queues[q].depth + 1);
    }
}

double fw_lone_warp_cycles(const struct fw_lone_warp *lone, struct fw_arena *arena, double *units)
{
    struct fw_arena_mark mark = fw_arena_mark(arena);
    struct walk walk = {.of = lone};
    open(&walk, arena);
    struct work_before before = note(&walk);
    go(&walk, 0, lone->program->count);
    wait_for_last(&walk);
    hold_to_units(&walk, &before);
    for (uint32_t u = 0; u < UNITS && units; u++)
        *units = u ? later(*units, walk.busy[u]) : walk.busy[u];
    fw_arena_release(arena, mark);
    return later(later(walk.now, walk.last), walk.stored) + lone->start;
}
