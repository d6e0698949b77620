#include "warp_program.h"

#include <math.h>
#include <string.h>

enum {
    MOST_LIST = 512,    /* instructions that are put in order together */
    MOST_STEPS = 60000, /* of a program; further copies of unrolled iterations are not made */
    VALUES_HELD = 2,    /* of a thread's registers, one part in so many holds loads' results, where
                           it is not known what else they hold */
    OPERANDS_HELD = 2   /* loads whose results have registers where nothing is left for others: one
                           operation needs both */
};

/* An instruction of a list: in the schedule, and in which copy of an unrolled loop. */
struct listed {
    uint32_t instruction, copy, slot;
    uint32_t first_wait, wait_count; /* in `waits` of the program: slots */
    uint32_t first_edge, edge_count; /* in `edges`: listed ones before it that it waits for */
    double height;                   /* cycles from its issue to the end of the list */
    double ready;
    double soonest, wanted; /* cycles from the list's begin: the first that it could issue in, and
                               the last in which that delays no other */
    uint32_t store;         /* the last store that is listed before; FW_NONE */
    uint32_t waiting;       /* for so many listed ones */
    uint32_t users;         /* of a load's result, not yet placed */
    bool placed;
};

struct edge {
    uint32_t from; /* listed before */
    double cycles;
};

struct making {
    struct fw_arena *arena;
    const struct fw_kernel *kernel;
    const struct fw_traces *traces;
    const struct fw_sm_costs *costs;
    const struct fw_program_rules *rules;
    FW_VECTOR(struct fw_step) steps;
    FW_VECTOR(uint32_t) waits;
    uint32_t slots, depth, most_depth, shares;
    uint32_t next;   /* in the order: what follows the last instruction without a branch */
    bool follows;    /* the last node was a run, not the beginning or the end of a loop */
    bool branches;   /* the last instruction issues a branch */
    bool parts;      /* so did the one at which lanes of the warp parted last */
    double lanes;    /* of the last run */
    uint32_t *place; /* by instruction: in the list in progress, of the last copy; FW_NONE */
    FW_VECTOR(struct listed) list;
    FW_VECTOR(struct edge) edges;
};

static bool is_load(const struct making *m, uint32_t instruction)
{
    const struct fw_scheduled *at = &m->kernel->schedule[instruction];
    return at->access_count && at->access != FW_NONE &&
           m->kernel->accesses[at->access].direction == FW_LOAD;
}

static bool waits_for_block(const struct fw_scheduled *at)
{
    return at->is_barrier || at->barrier == FW_BARRIER_BLOCK || at->barrier == FW_BARRIER_CLUSTER;
}

/* Whether nothing moves across the instruction. */
static bool is_fence(const struct fw_scheduled *at)
{
    return at->barrier != FW_BARRIER_NONE || at->group == FW_GROUP_CONTROL;
}

/* Cycles from issue to result, as an assembler takes it. */
static double latency_of(const struct making *m, uint32_t instruction)
{
    const struct fw_scheduled *at = &m->kernel->schedule[instruction];
    double sum = 0;
    if (is_load(m, instruction)) {
        enum fw_space space = m->kernel->accesses[at->access].space;
        if (space == FW_SPACE_SHARED)
            return m->rules->latency_shared;
        if (space != FW_SPACE_PARAM && space != FW_SPACE_CONST)
            return m->rules->latency_load;
    }
    for (uint32_t o = m->costs->first[instruction]; o < m->costs->first[instruction + 1]; o++)
        sum += m->costs->operations[o].latency;
    return sum;
}

/* ---- dependences ---- */

static void add_edge(struct making *m, struct listed *to, uint32_t from, double cycles)
{
    if (to->edge_count == 0)
        to->first_edge = (uint32_t)m->edges.count;
    *FW_APPEND(m->arena, &m->edges) = (struct edge){from, cycles};
    to->edge_count++;
}

static void add_wait(struct making *m, struct listed *to, uint32_t slot)
{
    if (to->wait_count == 0)
        to->first_wait = (uint32_t)m->waits.count;
    *FW_APPEND(m->arena, &m->waits) = slot;
    to->wait_count++;
}

/* Operands: the last one of that instruction in the list, which is of the same copy where it stands
 * before and of the copy before where a loop carries the value; else from outside of the list. */
static void find_operands(struct making *m, uint32_t l)
{
    struct listed *to = &m->list.at[l];
    const struct fw_scheduled *at = &m->kernel->schedule[to->instruction];
    for (uint32_t w = 0; w < at->wait_count; w++) {
        uint32_t from = at->waits_for[w], place = m->place[from];
        add_wait(m, to, place == FW_NONE ? from : m->list.at[place].slot);
        if (place == FW_NONE)
            continue;
        add_edge(m, to, place, latency_of(m, from));
        m->list.at[place].users++;
    }
}

static bool may_alias(const struct fw_access *a, const struct fw_access *b)
{
    bool read_only = (a->cache && strstr(a->cache, "nc")) || (b->cache && strstr(b->cache, "nc"));
    if (read_only || a->space == FW_SPACE_PARAM || b->space == FW_SPACE_PARAM)
        return false;
    if (a->space != b->space && a->space != FW_SPACE_GENERIC && b->space != FW_SPACE_GENERIC)
        return false;
    /* One register and two offsets: an assembler sees that they differ. */
    if (a->base == b->base && a->base != 0 && a->offset != b->offset)
        return false;
    return a->array == b->array || a->array == FW_NONE || b->array == FW_NONE ||
           a->space == FW_SPACE_GLOBAL;
}

/* Loads and stores keep their order where one of them writes what the other may touch. */
static void find_memory_order(struct making *m, uint32_t l)
{
    enum { LOOKED_BACK = 64 };
    struct listed *to = &m->list.at[l];
    const struct fw_scheduled *at = &m->kernel->schedule[to->instruction];
    if (!at->access_count || at->access == FW_NONE)
        return;
    const struct fw_access *access = &m->kernel->accesses[at->access];
    for (uint32_t b = l, seen = 0; b-- > 0 && seen < LOOKED_BACK;) {
        const struct fw_scheduled *before = &m->kernel->schedule[m->list.at[b].instruction];
        if (!before->access_count || before->access == FW_NONE)
            continue;
        const struct fw_access *other = &m->kernel->accesses[before->access];
        seen++;
        if ((access->direction != FW_LOAD || other->direction != FW_LOAD) &&
            may_alias(access, other))
            add_edge(m, to, b, 1);
    }
}

/* ---- list scheduling ---- */

static void find_heights(struct making *m)
{
    for (uint32_t l = 0; l < m->list.count; l++) {
        m->list.at[l].height = latency_of(m, m->list.at[l].instruction);
        m->list.at[l].waiting = m->list.at[l].edge_count;
    }
    for (uint32_t l = (uint32_t)m->list.count; l-- > 0;) {
        const struct listed *at = &m->list.at[l];
        for (uint32_t e = at->first_edge; e < at->first_edge + at->edge_count; e++) {
            struct listed *from = &m->list.at[m->edges.at[e].from];
            from->height = fmax(from->height, at->height + m->edges.at[e].cycles);
        }
    }
}

/* When each could issue if everything issued as soon as it can, the latest moment that delays none
 * of its users, and the store before it: ptxas leaves a load behind a store where its result meets
 * that of a later load anyway (nvdisasm of generated rings, ptxas 13.0). */
static void find_slack(struct making *m)
{
    uint32_t store = FW_NONE;
    for (uint32_t l = 0; l < m->list.count; l++) {
        struct listed *at = &m->list.at[l];
        const struct fw_scheduled *one = &m->kernel->schedule[at->instruction];
        at->soonest = 0;
        at->wanted = HUGE_VAL;
        at->store = store;
        if (one->access_count && one->access != FW_NONE &&
            m->kernel->accesses[one->access].direction == FW_STORE)
            store = l;
        for (uint32_t e = at->first_edge; e < at->first_edge + at->edge_count; e++)
            at->soonest =
                fmax(at->soonest, m->list.at[m->edges.at[e].from].soonest + m->edges.at[e].cycles);
    }
    for (uint32_t l = 0; l < m->list.count; l++) {
        const struct listed *at = &m->list.at[l];
        for (uint32_t e = at->first_edge; e < at->first_edge + at->edge_count; e++) {
            struct listed *from = &m->list.at[m->edges.at[e].from];
            from->wanted = fmin(from->wanted, at->soonest - m->edges.at[e].cycles);
        }
    }
}

/* Cycles that a branch waits for the comparison that decides it beyond the latency of results. */
static double delay_of(const struct making *m, const struct listed *at)
{
    const struct fw_scheduled *one = &m->kernel->schedule[at->instruction];
    if (one->group != FW_GROUP_CONTROL || one->wait_count == 0)
        return 0;
    return fmax(0, m->rules->condition - latency_of(m, one->waits_for[0]));
}

static void add_steps(struct making *m, const struct listed *at)
{
    const uint32_t first = m->costs->first[at->instruction];
    const uint32_t end = m->costs->first[at->instruction + 1];
    struct fw_step step = {.kind = FW_STEP_VALUE,
                           .instruction = at->instruction,
                           .slot = at->slot,
                           .first_wait = at->first_wait,
                           .wait_count = at->wait_count,
                           .other = m->kernel->schedule[at->instruction].mbarrier,
                           .delay = delay_of(m, at)};
    uint32_t issued = 0;
    for (uint32_t o = first; o < end; o++) {
        if (m->costs->operations[o].every > 1 && at->copy % m->costs->operations[o].every)
            continue;
        step.kind = FW_STEP_OPERATION;
        step.operation = o;
        if (issued++) { /* the operations of an instruction form a chain */
            step.first_wait = (uint32_t)m->waits.count;
            step.wait_count = 1;
            step.delay = 0;
            *FW_APPEND(m->arena, &m->waits) = at->slot;
        }
        *FW_APPEND(m->arena, &m->steps) = step;
    }
    if (!issued)
        *FW_APPEND(m->arena, &m->steps) = step;
    const struct fw_scheduled *one = &m->kernel->schedule[at->instruction];
    if (one->commits)
        *FW_APPEND(m->arena, &m->steps) = (struct fw_step){.kind = FW_STEP_COMMIT};
    if (one->waits_for_copies)
        *FW_APPEND(m->arena, &m->steps) = (struct fw_step){
            .kind = FW_STEP_COPIES, .instruction = at->instruction, .other = one->copies_left};
    if (one->commits_products)
        *FW_APPEND(m->arena, &m->steps) = (struct fw_step){.kind = FW_STEP_COMMIT_PRODUCTS};
    if (one->waits_for_products)
        *FW_APPEND(m->arena, &m->steps) = (struct fw_step){
            .kind = FW_STEP_PRODUCTS, .instruction = at->instruction, .other = one->products_left};
    if (one->barrier == FW_BARRIER_MBARRIER_ARRIVE && one->mbarrier)
        *FW_APPEND(m->arena, &m->steps) = (struct fw_step){.kind = FW_STEP_ARRIVE,
                                                           .other = one->mbarrier,
                                                           .arrivals = one->mbarrier_arrivals,
                                                           .places = one->mbarrier_places,
                                                           .trips = fmax(1, m->lanes),
                                                           .step = one->mbarrier_copies};
    if (one->barrier == FW_BARRIER_MBARRIER_WAIT && one->mbarrier)
        *FW_APPEND(m->arena, &m->steps) = (struct fw_step){.kind = FW_STEP_PHASE,
                                                           .instruction = at->instruction,
                                                           .other = one->mbarrier,
                                                           .arrivals = one->mbarrier_arrivals,
                                                           .places = one->mbarrier_places};
    if (waits_for_block(one))
        *FW_APPEND(m->arena, &m->steps) =
            (struct fw_step){.kind = FW_STEP_BARRIER, .instruction = at->instruction};
}

static double values_of(const struct making *m, const struct listed *at)
{
    const struct fw_scheduled *one = &m->kernel->schedule[at->instruction];
    return is_load(m, at->instruction) ? fmax(1, m->kernel->accesses[one->access].bytes / 4.0) : 0;
}

/* When it is placed at the earliest. */
static double begin_of(const struct making *m, const struct listed *at)
{
    bool behind = at->store != FW_NONE && !m->list.at[at->store].placed;
    bool late = behind && is_load(m, at->instruction) && at->wanted < HUGE_VAL;
    return late ? fmax(at->ready, at->wanted) : at->ready;
}

/* The next instruction to place: of those that wait for no other, the highest that is ready, or
 * the first to be. */
static uint32_t choose(struct making *m, double now, double held, double most, uint32_t from)
{
    uint32_t best = FW_NONE;
    for (uint32_t l = from; l < m->list.count; l++) {
        const struct listed *at = &m->list.at[l];
        if (at->placed || at->waiting)
            continue;
        if (best == FW_NONE) {
            best = l;
            continue;
        }
        const struct listed *than = &m->list.at[best];
        bool full = held + values_of(m, at) > most && is_load(m, at->instruction);
        bool than_full = held + values_of(m, than) > most && is_load(m, than->instruction);
        double wait = fmax(0, begin_of(m, at) - now), than_wait = fmax(0, begin_of(m, than) - now);
        if (full != than_full
                ? !full
                : wait < than_wait || (!(wait > than_wait) && at->height > than->height))
            best = l;
    }
    return best;
}

/* Registers that results of loads in flight may take: what a thread has beyond what the
 * instructions of the list hold at one time, which leaves room for the operands of one of them. */
static double most_held(const struct making *m)
{
    const struct fw_resources *resources = &m->kernel->resources;
    double widest = 1, need = 0, registers = m->rules->registers;
    if (!m->rules->registers || !m->list.count)
        return HUGE_VAL;
    uint32_t domain = m->kernel->schedule[m->list.at[0].instruction].domain;
    for (uint32_t p = 0; p < resources->pressure_count; p++)
        if (resources->pressures[p].domain == domain)
            need = fmax(need, resources->pressures[p].need);
    if (!(need > 0))
        return registers / VALUES_HELD;
    for (uint32_t l = 0; l < m->list.count; l++)
        widest = fmax(widest, values_of(m, &m->list.at[l]));
    return fmax(0, registers - need) + OPERANDS_HELD * widest;
}

static void place_all(struct making *m)
{
    double now = 0, held = 0, most = most_held(m);
    uint32_t from = 0;
    find_heights(m);
    find_slack(m);
    /* Who waits for each: edges the other way round. */
    uint32_t count = (uint32_t)m->list.count;
    uint32_t *begin = FW_ARRAY(m->arena, uint32_t, count + 2);
    uint32_t *users = FW_ARRAY(m->arena, uint32_t, m->edges.count + 1);
    double *cycles = FW_ARRAY(m->arena, double, m->edges.count + 1);
    for (size_t e = 0; e < m->edges.count; e++)
        begin[m->edges.at[e].from + 2]++;
    for (uint32_t l = 0; l < count; l++)
        begin[l + 2] += begin[l + 1];
    for (uint32_t l = 0; l < count; l++)
        for (uint32_t e = 0; e < m->list.at[l].edge_count; e++) {
            const struct edge *edge = &m->edges.at[m->list.at[l].first_edge + e];
            users[begin[edge->from + 1]] = l;
            cycles[begin[edge->from + 1]++] = edge->cycles;
        }
    for (uint32_t placed = 0; placed < count; placed++) {
        uint32_t l = m->rules->keep_order ? placed : choose(m, now, held, most, from);
        struct listed *at = &m->list.at[l];
        now = fmax(now + 1, begin_of(m, at));
        at->placed = true;
        held += at->users ? values_of(m, at) : 0;
        for (uint32_t e = 0; e < at->edge_count; e++) {
            struct listed *operand = &m->list.at[m->edges.at[at->first_edge + e].from];
            if (m->edges.at[at->first_edge + e].cycles > 1 && operand->users &&
                --operand->users == 0)
                held -= values_of(m, operand);
        }
        for (uint32_t u = begin[l]; u < begin[l + 1]; u++) {
            struct listed *user = &m->list.at[users[u]];
            user->waiting--;
            user->ready = fmax(user->ready, now + cycles[u]);
        }
        add_steps(m, at);
        while (from < count && m->list.at[from].placed)
            from++;
    }
}

static void finish_list(struct making *m)
{
    place_all(m);
    for (size_t l = 0; l < m->list.count; l++)
        m->place[m->list.at[l].instruction] = FW_NONE;
    m->list.count = 0;
    m->edges.count = 0;
}

static void list_one(struct making *m, uint32_t instruction, uint32_t copy, bool last_copy)
{
    const uint32_t l = (uint32_t)m->list.count;
    *FW_APPEND(m->arena, &m->list) = (struct listed){
        .instruction = instruction, .copy = copy, .slot = last_copy ? instruction : m->slots++};
    find_operands(m, l);
    find_memory_order(m, l);
    m->place[instruction] = l;
}

/* Puts a run of instructions, in so many copies, into lists and these into steps.  The first copy
 * issues what the copies share, unless they are numbered from 1. */
static void add_run(struct making *m, const struct fw_trace_node *node, uint32_t copies,
                    uint32_t number)
{
    for (uint32_t c = 0; c < copies; c++)
        for (uint32_t i = 0; i < node->count; i++) {
            uint32_t instruction = m->traces->order[node->first + i];
            bool fence = copies == 1 && is_fence(&m->kernel->schedule[instruction]);
            if (fence || m->list.count == MOST_LIST)
                finish_list(m);
            list_one(m, instruction, number + c, c + 1 == copies);
            if (fence)
                finish_list(m);
        }
    finish_list(m);
}

/* ---- nodes ---- */

static void add_trace(struct making *m, const struct fw_trace *trace);

/* Iterations that the assembler makes one of: of a body that is one run without barriers. */
static uint32_t copies_of(const struct making *m, const struct fw_trace_node *node)
{
    uint32_t copies = m->kernel->loops[node->loop].at_once;
    const struct fw_trace *body = node->body;
    if (copies < 2 || body->count != 1 || body->nodes[0].is_loop || body->nodes[0].share < 1 ||
        node->step > 0 || node->step < 0 || body->nodes[0].count * copies > MOST_LIST ||
        m->steps.count > MOST_STEPS)
        return 1;
    for (uint32_t i = 0; i < body->nodes[0].count; i++)
        if (m->kernel->schedule[m->traces->order[body->nodes[0].first + i]].barrier !=
            FW_BARRIER_NONE)
            return 1;
    return copies;
}

/* Instructions under a predicate that holds for no lane of the warp take issue slots. */
static void add_predicated(struct making *m, uint32_t first, uint32_t end)
{
    enum { MOST = 64 };
    for (uint32_t i = first; i < end && i - first < MOST; i++) {
        uint32_t instruction = m->traces->order[i];
        uint32_t from = m->costs->first[instruction], count = m->costs->first[instruction + 1];
        for (uint32_t o = from; o < count && m->kernel->schedule[instruction].predicated; o++)
            *FW_APPEND(m->arena, &m->steps) = (struct fw_step){.kind = FW_STEP_OPERATION,
                                                               .operation = m->costs->slot,
                                                               .instruction = instruction,
                                                               .slot = m->slots++};
    }
}

/* Notes the way to a run: a branch that is taken leads to it if instructions are left out before
 * it, or if lanes that went another way come back. */
static void come_to(struct making *m, const struct fw_trace_node *node)
{
    bool taken = m->follows && m->branches && m->next != node->first;
    if (node->lanes < m->lanes)
        m->parts = m->branches;
    else if (node->lanes > m->lanes)
        taken |= m->parts;
    if (taken)
        *FW_APPEND(m->arena, &m->steps) = (struct fw_step){.kind = FW_STEP_BRANCH};
    if (m->follows && m->next < node->first)
        add_predicated(m, m->next, node->first);
    uint32_t last = m->traces->order[node->first + node->count - 1];
    m->follows = true;
    m->lanes = node->lanes;
    m->next = node->first + node->count;
    m->branches = m->kernel->schedule[last].group == FW_GROUP_CONTROL &&
                  m->costs->first[last] < m->costs->first[last + 1];
}

/* `lone`: the last iteration of an unrolled loop, which neither counts nor compares. */
static void add_loop(struct making *m, const struct fw_trace_node *node, double trips,
                     uint32_t copies, bool lone)
{
    uint32_t begin = (uint32_t)m->steps.count;
    if (!(trips > 0) && !(node->step > 0))
        return;
    *FW_APPEND(m->arena, &m->steps) = (struct fw_step){.kind = FW_STEP_LOOP,
                                                       .loop = node->loop,
                                                       .depth = m->depth,
                                                       .trips = trips,
                                                       .step = node->step,
                                                       .slot = m->shares++};
    m->follows = false;
    m->depth++;
    m->most_depth = m->depth > m->most_depth ? m->depth : m->most_depth;
    if (copies > 1 || lone)
        add_run(m, &node->body->nodes[0], copies, lone ? 1 : 0);
    else
        add_trace(m, node->body);
    m->follows = false;
    m->depth--;
    m->steps.at[begin].other = (uint32_t)m->steps.count;
    *FW_APPEND(m->arena, &m->steps) = (struct fw_step){
        .kind = FW_STEP_AGAIN, .loop = node->loop, .depth = m->depth, .other = begin};
}

/* How many nodes from this one on are parts of one loop that run the same instructions, some of
 * them with fewer lanes. */
static uint32_t parts_of(const struct fw_trace *trace, uint32_t first)
{
    const struct fw_trace_node *node = &trace->nodes[first];
    const struct fw_trace_node *run = &node->body->nodes[0];
    uint32_t n = first + 1;
    for (; n < trace->count; n++) {
        const struct fw_trace_node *next = &trace->nodes[n];
        if (!next->is_loop || next->enters || next->loop != node->loop || next->share < 1 ||
            next->step > 0 || next->step < 0 || next->body->count != 1)
            break;
        const struct fw_trace_node *other = &next->body->nodes[0];
        if (other->is_loop || other->first != run->first || other->count != run->count)
            break;
    }
    return n - first;
}

/* A loop that an assembler has made `copies` iterations of one, and its rest in powers of two
 * below.  Lanes that leave earlier wait for the others, and a warp goes through the rests of all of
 * them. */
static void add_unrolled(struct making *m, const struct fw_trace_node *parts, uint32_t count,
                         uint32_t copies)
{
    double most = 0, whole = 0;
    uint32_t rests = 0; /* of all lanes: bits */
    for (uint32_t p = 0; p < count; p++) {
        most += parts[p].trips;
        whole = floor(most / copies);
        rests |= (uint32_t)(most - whole * copies);
    }
    add_loop(m, &parts[0], whole, copies, false);
    if (most > floor(most)) { /* data decide how many */
        add_loop(m, &parts[0], most - whole * copies, 1, false);
        return;
    }
    for (uint32_t part = copies / 2; part > 0; part /= 2)
        if (rests & part)
            add_loop(m, &parts[0], 1, part,
                     part == 1 && !m->kernel->loops[parts[0].loop].counts_rest);
}

/* A node, or the parts of one loop.  How many of them. */
static uint32_t add_node(struct making *m, const struct fw_trace *trace, uint32_t n)
{
    const struct fw_trace_node *node = &trace->nodes[n];
    uint32_t begin = (uint32_t)m->steps.count, count = 1;
    if (node->share < 1)
        *FW_APPEND(m->arena, &m->steps) =
            (struct fw_step){.kind = FW_STEP_SHARE, .share = node->share, .slot = m->shares++};
    if (!node->is_loop && node->count) {
        come_to(m, node);
        add_run(m, node, 1, 0);
    } else if (node->is_loop) {
        uint32_t copies = copies_of(m, node);
        if (copies > 1) {
            count = node->share < 1 ? 1 : parts_of(trace, n);
            add_unrolled(m, node, count, copies);
        } else {
            add_loop(m, node, node->trips, 1, false);
        }
    }
    if (node->share < 1)
        m->steps.at[begin].other = (uint32_t)m->steps.count;
    return count;
}

static void add_trace(struct making *m, const struct fw_trace *trace)
{
    for (uint32_t n = 0; n < trace->count && m->steps.count < 4 * MOST_STEPS;)
        n += add_node(m, trace, n);
}

void fw_warp_program_make(struct fw_warp_program *program, struct fw_arena *arena,
                          const struct fw_kernel *kernel, const struct fw_traces *traces,
                          const struct fw_trace *trace, const struct fw_sm_costs *costs,
                          const struct fw_program_rules *rules)
{
    struct making m = {.arena = arena,
                       .kernel = kernel,
                       .traces = traces,
                       .costs = costs,
                       .rules = rules,
                       .slots = kernel->schedule_count};
    m.place = FW_ARRAY(arena, uint32_t, kernel->schedule_count + 1);
    memset(m.place, 0xff, (kernel->schedule_count + 1) * sizeof(*m.place));
    add_trace(&m, trace);
    *FW_APPEND(arena, &m.steps) = (struct fw_step){.kind = FW_STEP_EXIT};
    *program = (struct fw_warp_program){.steps = m.steps.at,
                                        .count = (uint32_t)m.steps.count,
                                        .waits = m.waits.at,
                                        .slots = m.slots + 1,
                                        .depth = m.most_depth,
                                        .shares = m.shares};
}
