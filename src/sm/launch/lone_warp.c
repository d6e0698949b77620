#include "lone_warp.h"

#include <math.h>
#include <string.h>

enum {
    MOST_ROUNDS = 4,   /* of a loop that are gone through one by one */
    DRAWN_ROUNDS = 17, /* the same where requests miss some of the times, of an innermost loop */
    CHANCES = 2,       /* of misses: in L1, in L2 */
    COPY_GROUPS = 16
};

/* How far two iterations are from each other that count as alike: a share of their time. */
static const double ALIKE = 0.005;

/* The state of the warp; times in cycles. */
struct walk {
    const struct fw_lone_warp *of;
    double now;    /* the next operation issues no sooner */
    double last;   /* when all that it asked for has come */
    double copies; /* when its copies have; likewise its products */
    double products;
    double groups[COPY_GROUPS], product_groups[COPY_GROUPS];
    uint32_t group_count, product_count;
    double units[FW_SM_UNIT_COUNT]; /* free from */
    double server;                  /* the load-store unit likewise */
    double busy[FW_SM_UNIT_COUNT];  /* cycles so far; NONE: issue slots */
    double served, arrived;         /* of the load-store unit, of the barrier unit */
    double *slots;                  /* when values are there */
    double *round;                  /* by depth of loops */
    double *credits;                /* by instruction: of misses in L1 and in L2 */
    bool drawn;                     /* some requests miss and some do not */
};

static double later(double a, double b)
{
    return a > b ? a : b;
}

static double operands(const struct walk *walk, const struct fw_step *step)
{
    const uint32_t *waits = walk->of->program->waits;
    double ready = walk->now;
    for (uint32_t i = step->first_wait; i < step->first_wait + step->wait_count; i++)
        ready = later(ready, walk->slots[waits[i]] + step->delay);
    return ready;
}

/* Whether an access misses this time: evenly, so that its share comes out. */
static bool misses(struct walk *walk, uint32_t level, uint32_t instruction, double share)
{
    double *credit = &walk->credits[CHANCES * instruction + level];
    walk->drawn |= share > 0 && share < 1;
    *credit += share;
    if (*credit < 1)
        return false;
    *credit -= 1;
    return true;
}

/* What the last of so many requests waits longer than the mean of one, where their waits are
 * exponentially distributed: 1 + 1/2 + 1/3 + ... of that mean. */
static double last_of(double lines)
{
    static const double EULER = 0.5772156649015329;
    return lines > 1 ? EULER + log(lines) + 1 / (2 * lines) : 1;
}

/* Cycles from a request to its data: those of the level that it comes from, and what it waits there
 * beyond the least, in the mean (as simulate.h draws it). */
static double wait_of(struct walk *walk, const struct fw_sm_access *access, uint32_t instruction)
{
    const double *cycles = access->cycles, lines = later(1, access->lines);
    const double there = cycles[FW_SM_SERVER_CONSTANT];
    if (!misses(walk, 0, instruction, access->miss_l1))
        return there + access->latency[0];
    const double l2 = there + cycles[FW_SM_SERVER_L2] + cycles[FW_SM_SERVER_STORES] +
                      cycles[FW_SM_SERVER_ATOMICS];
    const bool dram = misses(walk, 1, instruction, access->miss_l2);
    const double far = access->far * (1 - pow(1 - access->far_share[dram], lines));
    if (!dram)
        return l2 + access->latency[1] + far + access->slow * (1 - 2 * exp2(-lines));
    return l2 + cycles[FW_SM_SERVER_DRAM] + access->latency[2] + far +
           access->late * last_of(lines);
}

static void issue(struct walk *walk, const struct fw_step *step)
{
    const struct fw_lone_warp *of = walk->of;
    const struct fw_sm_operation *operation = &of->costs->operations[step->operation];
    double time = operands(walk, step), there;
    enum fw_sm_unit unit = operation->unit;
    if (operation->either)
        unit = walk->units[FW_SM_FMA] < walk->units[FW_SM_ALU] ? FW_SM_FMA : FW_SM_ALU;
    if (operation->memory) {
        const struct fw_sm_access *access = &of->accesses[step->instruction];
        double lsu = access->cycles[FW_SM_SERVER_LSU];
        walk->server = later(walk->server, time) + lsu;
        walk->served += lsu;
        there = walk->server + wait_of(walk, access, step->instruction);
        if (access->copies)
            walk->copies = later(walk->copies, there);
        if (access->waits || access->copies)
            walk->last = later(walk->last, there);
        there = access->waits ? there : time;
    } else if (unit == FW_SM_LSU) {
        walk->server = later(walk->server, time) + operation->interval;
        walk->served += operation->interval;
        there = walk->server + operation->latency;
    } else if (unit != FW_SM_NONE) {
        double interval = operation->either && unit == FW_SM_FMA ? 1 : operation->interval;
        double taken = later(time, walk->units[unit]);
        if (!operation->queued && !operation->product)
            time = taken;
        walk->units[unit] = taken + interval;
        walk->busy[unit] += interval;
        there = taken + operation->latency;
        if (operation->product)
            walk->products = later(walk->products, taken + interval + operation->completes);
    } else {
        there = time + operation->latency;
    }
    walk->busy[FW_SM_NONE] += 1 + operation->reading;
    walk->now = time + 1 + operation->reading;
    walk->slots[step->slot] = there;
    walk->last = later(walk->last, there);
}

/* Everything comes so many cycles later. */
static void shift(struct walk *walk, double cycles)
{
    walk->now += cycles;
    walk->last += cycles;
    walk->copies += cycles;
    walk->products += cycles;
    walk->server += cycles;
    for (uint32_t g = 0; g < COPY_GROUPS; g++)
        walk->groups[g] += cycles, walk->product_groups[g] += cycles;
    for (uint32_t u = 0; u < FW_SM_UNIT_COUNT; u++)
        walk->units[u] += cycles;
    for (uint32_t s = 0; s < walk->of->program->slots; s++)
        walk->slots[s] += cycles;
}

/* What units are busy with, before a part of the program. */
struct work_before {
    double now, served, arrived, busy[FW_SM_UNIT_COUNT];
};

static struct work_before note(const struct walk *walk)
{
    struct work_before before = {
        .now = walk->now, .served = walk->served, .arrived = walk->arrived};
    memcpy(before.busy, walk->busy, sizeof(before.busy));
    return before;
}

/* What is behind counts so many times as much. */
static void multiply(struct walk *walk, const struct work_before *before, double times)
{
    for (uint32_t u = 0; u < FW_SM_UNIT_COUNT; u++)
        walk->busy[u] = before->busy[u] + times * (walk->busy[u] - before->busy[u]);
    walk->served = before->served + times * (walk->served - before->served);
    walk->arrived = before->arrived + times * (walk->arrived - before->arrived);
}

static void go(struct walk *walk, uint32_t at, uint32_t end);

/* No part takes less than its busiest unit for all warps of the scheduler, nor than the load-store
 * unit and the barrier unit for all of the multiprocessor. */
static void hold_to_units(struct walk *walk, const struct work_before *before)
{
    const struct fw_lone_warp *of = walk->of;
    double most = later(walk->served - before->served, walk->arrived - before->arrived) *
                  of->beside * of->schedulers;
    for (uint32_t u = 0; u < FW_SM_UNIT_COUNT; u++)
        most = later(most, of->beside * (walk->busy[u] - before->busy[u]));
    double short_of = most - (walk->now - before->now);
    if (of->beside > 1 && short_of > 0)
        shift(walk, short_of);
}

static double trips_of(const struct walk *walk, const struct fw_step *step)
{
    double around = step->depth ? walk->round[step->depth - 1] : 0;
    return later(0, step->trips + step->step * around);
}

/* Whether a loop has none in it. */
static bool is_innermost(const struct walk *walk, uint32_t at)
{
    const struct fw_step *steps = walk->of->program->steps;
    for (uint32_t i = at + 1; i < steps[at].other; i++)
        if (steps[i].kind == FW_STEP_LOOP)
            return false;
    return true;
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
    const bool outer = walk->drawn, innermost = is_innermost(walk, at);
    bool alike = false;
    walk->drawn = false;
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
        if (alike)
            multiply(walk, &before, 1 + whole - done);
        else
            multiply(walk, &first, whole / done);
    }
    if (trips > whole) { /* in the mean of executions */
        before = note(walk);
        shift(walk, (trips - whole - 1) * go_once(walk, step, at, whole));
        multiply(walk, &before, trips - whole);
    }
    walk->drawn |= outer;
}

/* A part that is gone through in a share of executions. */
static void go_share(struct walk *walk, const struct fw_step *step, uint32_t at)
{
    struct work_before before = note(walk);
    go(walk, at + 1, step->other);
    double cycles = walk->now - before.now;
    shift(walk, (step->share - 1) * cycles);
    multiply(walk, &before, step->share);
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
    struct work_before before = note(walk);
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
            hold_to_units(walk, &before);
            before = note(walk);
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
        case FW_STEP_BARRIER:
            walk->arrived += walk->of->arrival;
            hold_to_units(walk, &before);
            walk->now += walk->of->barrier;
            before = note(walk);
            break;
        case FW_STEP_EXIT:
            return;
        }
        at++;
    }
}

double fw_lone_warp_cycles(const struct fw_lone_warp *lone, struct fw_arena *arena)
{
    struct fw_arena_mark mark = fw_arena_mark(arena);
    struct walk walk = {.of = lone};
    walk.slots = FW_ARRAY(arena, double, lone->program->slots + 1);
    walk.round = FW_ARRAY(arena, double, lone->program->depth + 1);
    uint32_t instructions = 1;
    for (uint32_t i = 0; i < lone->program->count; i++)
        if (lone->program->steps[i].instruction >= instructions)
            instructions = lone->program->steps[i].instruction + 1;
    walk.credits = FW_ARRAY(arena, double, CHANCES *instructions);
    for (uint32_t i = 0; i < CHANCES * instructions; i++) /* instructions at places of their own */
        walk.credits[i] = fmod(0.5 + 0.6180339887498949 * (i / CHANCES), 1);
    walk.now = lone->start;
    struct work_before before = note(&walk);
    go(&walk, 0, lone->program->count);
    hold_to_units(&walk, &before);
    fw_arena_release(arena, mark);
    return later(walk.now, walk.last) + lone->start;
}
