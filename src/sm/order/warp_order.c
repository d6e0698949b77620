/* The order of a warp's instructions: dependences, and list scheduling as an assembler's. */
#include "warp_program_internal.h"

#include <math.h>
#include <string.h>

bool order_is_load(const struct making *m, uint32_t instruction)
{
    const struct fw_scheduled *at = &m->kernel->schedule[instruction];
    return at->access_count && at->access != FW_NONE &&
           m->kernel->accesses[at->access].direction == FW_LOAD;
}

static bool waits_for_block(const struct fw_scheduled *at)
{
    return at->is_barrier || at->barrier == FW_BARRIER_BLOCK || at->barrier == FW_BARRIER_CLUSTER;
}

bool order_is_barrier(const struct making *m, uint32_t instruction)
{
    return waits_for_block(&m->kernel->schedule[instruction]);
}

bool order_is_meeting(const struct making *m, uint32_t instruction)
{
    uint32_t from = m->costs->first[instruction], end = m->costs->first[instruction + 1];
    return end > from && m->costs->operations[end - 1].meets;
}

/* A branch whose ways are executed under a predicate is not issued, and is no fence. */
static bool is_guard(const struct making *m, uint32_t instruction)
{
    return m->kernel->schedule[instruction].group == FW_GROUP_CONTROL &&
           !m->kernel->schedule[instruction].tabled &&
           m->costs->first[instruction] == m->costs->first[instruction + 1];
}

bool order_is_fence(const struct making *m, uint32_t instruction)
{
    const struct fw_scheduled *at = &m->kernel->schedule[instruction];
    return (at->barrier != FW_BARRIER_NONE && !waits_for_block(at)) ||
           (at->group == FW_GROUP_CONTROL && !is_guard(m, instruction));
}

/* Cycles from issue to result, as an assembler takes it. */
static double latency_of(const struct making *m, uint32_t instruction)
{
    const struct fw_scheduled *at = &m->kernel->schedule[instruction];
    double sum = 0;
    if (order_is_load(m, instruction)) {
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

/* The same of what is listed: from the issue of its first operation. */
static double listed_latency(const struct making *m, const struct listed *at)
{
    double sum = 0;
    if (at->begins && at->ends)
        return latency_of(m, at->instruction);
    for (uint32_t o = at->first; o < at->end; o++)
        sum += m->costs->operations[o].latency;
    return sum;
}

/* ---- dependences ---- */

static void add_edge(struct making *m, struct listed *to, uint32_t from, double cycles)
{
    if (to->edge_count == 0)
        to->first_edge = (uint32_t)m->edges.count;
    *FW_APPEND(m->arena, &m->edges) = (struct edge){.from = from, .cycles = cycles};
    to->edge_count++;
}

/* One that waits for a result, which it reads. */
static void add_operand(struct making *m, struct listed *to, uint32_t from, double cycles)
{
    add_edge(m, to, from, cycles);
    m->edges.at[m->edges.count - 1].reads = true;
    m->list.at[from].users++;
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
        if (at->group == FW_GROUP_CONTROL && m->early[from])
            continue;
        add_wait(m, to, place == FW_NONE ? m->current[from] : m->list.at[place].slot);
        if (place == FW_NONE)
            continue;
        double cycles = listed_latency(m, &m->list.at[place]);
        add_operand(m, to, place,
                    at->group == FW_GROUP_CONTROL ? fmax(cycles, m->rules->condition) : cycles);
    }
    if (at->predicated && m->guard != FW_NONE) {
        add_wait(m, to, m->list.at[m->guard].slot);
        add_edge(m, to, m->guard, 0);
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

/* Whether an access's address moves with its loop: it waits for an instruction of the loop. */
static bool moves(const struct making *m, const struct fw_access *access)
{
    const struct fw_kernel *kernel = m->kernel;
    const struct fw_scheduled *at = &kernel->schedule[access->instruction];
    const uint32_t loop = kernel->domains[at->domain].innermost;
    for (uint32_t w = 0; w < at->wait_count; w++)
        if (loop != FW_NONE &&
            kernel->domains[kernel->schedule[at->waits_for[w]].domain].innermost == loop)
            return true;
    return false;
}

/* Iterations of an unrolled loop that access one offset of a register which moves: an assembler
 * sees that they differ, so that loads pass the stores of iterations before theirs. */
static bool lie_apart(const struct making *m, uint32_t a, uint32_t b)
{
    const struct fw_scheduled *schedule = m->kernel->schedule;
    const struct listed *one = &m->list.at[a], *other = &m->list.at[b];
    const struct fw_access *x = &m->kernel->accesses[schedule[one->instruction].access];
    const struct fw_access *y = &m->kernel->accesses[schedule[other->instruction].access];
    return one->copy != other->copy && x->base == y->base && x->base != 0 &&
           x->offset == y->offset && moves(m, x->direction == FW_LOAD ? x : y);
}

/* No access of memory crosses a barrier; arithmetic does (SASS of ptxas 13.0). */
static void order_barrier(struct making *m, uint32_t l)
{
    for (uint32_t b = l; b-- > 0;) {
        const struct fw_scheduled *before = &m->kernel->schedule[m->list.at[b].instruction];
        bool barrier = waits_for_block(before);
        if (barrier || (before->access_count && before->access != FW_NONE))
            add_edge(m, &m->list.at[l], b, 1);
        if (barrier)
            break;
    }
}

/* Loads and stores keep their order where one of them writes what the other may touch. */
static void find_memory_order(struct making *m, uint32_t l)
{
    enum { LOOKED_BACK = 64 };
    struct listed *to = &m->list.at[l];
    const struct fw_scheduled *at = &m->kernel->schedule[to->instruction];
    if (waits_for_block(at))
        order_barrier(m, l);
    if (!at->access_count || at->access == FW_NONE)
        return;
    const struct fw_access *access = &m->kernel->accesses[at->access];
    for (uint32_t b = l, seen = 0; b-- > 0 && seen < LOOKED_BACK;) {
        const struct fw_scheduled *before = &m->kernel->schedule[m->list.at[b].instruction];
        if (waits_for_block(before)) {
            add_edge(m, to, b, 1);
            break;
        }
        if (!before->access_count || before->access == FW_NONE)
            continue;
        const struct fw_access *other = &m->kernel->accesses[before->access];
        seen++;
        if ((access->direction != FW_LOAD || other->direction != FW_LOAD) &&
            may_alias(access, other) && !lie_apart(m, l, b))
            add_edge(m, to, b, 1);
    }
}

/* Cycles from a request of memory until its operands are read, a predicate among them. */
static const double READS = 10;

/* A comparison that decides a branch takes the predicate register of the requests of memory before
 * it: ptxas has it behind these, and barriers, which wait for no register, ahead of it (SASS of
 * `reduce` and `layer_norm`, ptxas 13.0). */
static void order_comparison(struct making *m, uint32_t l)
{
    for (uint32_t b = l; b-- > 0;) {
        const struct fw_scheduled *before = &m->kernel->schedule[m->list.at[b].instruction];
        if (before->predicated && before->access_count)
            add_edge(m, &m->list.at[l], b, READS);
    }
}

/* ---- list scheduling ---- */

/* Cycles from issue until a user goes on: of what decides a branch, which is a fence, until that.
 */
static double result_of(const struct making *m, const struct listed *at)
{
    double latency = listed_latency(m, at);
    bool decides = at->ends && m->decides[at->instruction];
    return decides ? fmax(latency, m->rules->condition) : latency;
}

static void find_heights(struct making *m)
{
    for (uint32_t l = 0; l < m->list.count; l++) {
        m->list.at[l].height = result_of(m, &m->list.at[l]);
        m->list.at[l].waiting = m->list.at[l].edge_count;
    }
    held_find_additions(m);
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

/* The unit that an instruction's last operation takes, or its first; FW_SM_NONE: none. */
static enum fw_sm_unit unit_of(const struct making *m, uint32_t instruction, bool last)
{
    uint32_t from = m->costs->first[instruction], end = m->costs->first[instruction + 1];
    if (from == end)
        return FW_SM_NONE;
    return m->costs->operations[last ? end - 1 : from].unit;
}

/* Cycles beyond the latency of a result that goes from the FMA to the ALU unit, or back: ptxas 13.0
 * for sm_90 has stall counts of 4 cycles within one of them and of 5 from one to the other. */
static double crossing_of(const struct making *m, uint32_t from, uint32_t to)
{
    enum { CROSSING = 1 };
    enum fw_sm_unit a = unit_of(m, from, true), b = unit_of(m, to, false);
    return (a == FW_SM_FMA && b == FW_SM_ALU) || (a == FW_SM_ALU && b == FW_SM_FMA) ? CROSSING : 0;
}

/* Cycles that an instruction waits beyond the latency of its operands: a branch for the comparison
 * that decides it. */
static double delay_of(const struct making *m, const struct listed *at)
{
    const struct fw_scheduled *one = &m->kernel->schedule[at->instruction];
    double crossing = 0;
    if (!at->begins)
        return 0;
    for (uint32_t w = 0; w < one->wait_count && one->group != FW_GROUP_CONTROL; w++)
        crossing = fmax(crossing, crossing_of(m, one->waits_for[w], at->instruction));
    if (one->group != FW_GROUP_CONTROL)
        return crossing;
    if (one->wait_count == 0 || m->invariant[one->waits_for[0]] || m->early[one->waits_for[0]])
        return 0;
    return fmax(0, m->rules->condition - latency_of(m, one->waits_for[0]));
}

/* Whether an operation issues in this copy. */
bool order_is_issued(const struct making *m, const struct listed *at, uint32_t o)
{
    const struct fw_sm_operation *operation = &m->costs->operations[o];
    return !m->invariant[at->instruction] && !operation->meets &&
           (operation->every <= 1 || at->copy % operation->every == 0);
}

static void add_steps(struct making *m, const struct listed *at)
{
    struct fw_step step = {.kind = FW_STEP_VALUE,
                           .instruction = at->instruction,
                           .slot = at->slot,
                           .first_wait = at->first_wait,
                           .wait_count = at->wait_count,
                           .other = m->kernel->schedule[at->instruction].mbarrier,
                           .delay = delay_of(m, at)};
    uint32_t issued = 0;
    bool product = false;
    if (order_is_loop(m, at->instruction)) {
        order_add_rounds(m, at, &step);
        return;
    }
    for (uint32_t o = at->first; o < at->end; o++) {
        const struct fw_sm_operation *operation = &m->costs->operations[o];
        if (!order_is_issued(m, at, o))
            continue;
        if (operation->brings) {
            *FW_APPEND(m->arena, &m->steps) = (struct fw_step){.kind = FW_STEP_OPERATION,
                                                               .operation = o,
                                                               .instruction = at->instruction,
                                                               .slot = m->slots++};
            continue;
        }
        step.kind = FW_STEP_OPERATION;
        step.operation = o;
        if (issued++) { /* the operations of an instruction form a chain */
            step.first_wait = (uint32_t)m->waits.count;
            step.wait_count = 1;
            step.delay = 0;
            *FW_APPEND(m->arena, &m->waits) = at->slot;
        }
        if (operation->latency > 0 && operation->wait == FW_SM_WAIT_FIXED && !operation->memory)
            m->result = at->slot;
        product |= operation->product;
        *FW_APPEND(m->arena, &m->steps) = step;
    }
    if (!issued)
        *FW_APPEND(m->arena, &m->steps) = step;
    if (product && m->rules->products_apart) {
        *FW_APPEND(m->arena, &m->steps) = (struct fw_step){.kind = FW_STEP_COMMIT_PRODUCTS};
        *FW_APPEND(m->arena, &m->steps) =
            (struct fw_step){.kind = FW_STEP_PRODUCTS, .instruction = at->instruction};
    }
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
    if (one->fences) /* that of a cluster's barrier is in the time from one to the next */
        *FW_APPEND(m->arena, &m->steps) = (struct fw_step){
            .kind = FW_STEP_FENCE,
            .instruction = at->instruction,
            .keeps = one->barrier == FW_BARRIER_CLUSTER_ARRIVE ? 0 : m->rules->fence};
    if (one->barrier == FW_BARRIER_MBARRIER_ARRIVE && one->mbarrier)
        *FW_APPEND(m->arena, &m->steps) =
            (struct fw_step){.kind = FW_STEP_ARRIVE,
                             .other = one->mbarrier,
                             .arrivals = one->mbarrier_arrivals,
                             .places = one->mbarrier_places,
                             .behind_copies = one->behind_copies,
                             .trips = one->no_arrival ? 0 : fmax(1, m->lanes),
                             .step = one->mbarrier_copies};
    if (one->barrier == FW_BARRIER_MBARRIER_WAIT && one->mbarrier)
        *FW_APPEND(m->arena, &m->steps) = (struct fw_step){.kind = FW_STEP_PHASE,
                                                           .instruction = at->instruction,
                                                           .other = one->mbarrier,
                                                           .arrivals = one->mbarrier_arrivals,
                                                           .places = one->mbarrier_places};
    if (waits_for_block(one))
        *FW_APPEND(m->arena, &m->steps) =
            (struct fw_step){.kind = FW_STEP_BARRIER,
                             .instruction = at->instruction,
                             .keeps = one->barrier == FW_BARRIER_CLUSTER ? m->rules->cluster : 0};
}

static bool asks_memory(const struct making *m, const struct listed *at)
{
    for (uint32_t o = at->first; o < at->end; o++)
        if (m->costs->operations[o].memory && m->costs->operations[o].unit == FW_SM_LSU)
            return true;
    return false;
}

/* When it is placed at the earliest. */
static double begin_of(const struct making *m, const struct listed *at)
{
    bool behind = at->store != FW_NONE && !m->list.at[at->store].placed;
    bool late = behind && order_is_load(m, at->instruction) && at->wanted < HUGE_VAL;
    double begin = late ? fmax(at->ready, at->wanted) : at->ready;
    return asks_memory(m, at) ? fmax(begin, m->asks) : begin;
}

/* The next instruction to place, of those from `from` to before `end`: of those that wait for no
 * other, the highest that is ready, or the first to be. */
static uint32_t choose(struct making *m, double now, const struct held *held, uint32_t from,
                       uint32_t end)
{
    uint32_t best = FW_NONE;
    bool than_full = false;
    double kept = 0; /* for loads before */
    for (uint32_t l = from; l < end; l++) {
        const struct listed *at = &m->list.at[l];
        if (at->placed)
            continue;
        bool full = held_is_full(m, held, kept, at);
        kept += at->adds;
        if (at->waiting)
            continue;
        if (best == FW_NONE) {
            best = l;
            than_full = full;
            continue;
        }
        const struct listed *than = &m->list.at[best];
        double wait = fmax(0, begin_of(m, at) - now), than_wait = fmax(0, begin_of(m, than) - now);
        if (full != than_full
                ? !full
                : (wait < than_wait || (!(wait > than_wait) && at->height > than->height))) {
            best = l;
            than_full = full;
        }
    }
    return best;
}

static void place_all(struct making *m)
{
    double now = 0;
    m->asks = 0;
    uint32_t from = 0;
    find_heights(m);
    find_slack(m);
    struct held held = held_begin(m);
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
        uint32_t end = placed + 1 < count && m->list.at[count - 1].closes ? count - 1 : count;
        uint32_t l = m->rules->keep_order ? placed : choose(m, now, &held, from, end);
        struct listed *at = &m->list.at[l];
        now = fmax(now + 1, begin_of(m, at));
        at->placed = true;
        m->asks = asks_memory(m, at) ? now + m->rules->request : m->asks;
        if (at->users)
            held_add(m, &held, at);
        for (uint32_t e = 0; e < at->edge_count; e++) {
            struct listed *operand = &m->list.at[m->edges.at[at->first_edge + e].from];
            if (m->edges.at[at->first_edge + e].reads && --operand->users == 0)
                held_hand_on(m, &held, operand, at);
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

void order_finish(struct making *m)
{
    place_all(m);
    for (size_t l = 0; l < m->list.count; l++)
        m->place[m->list.at[l].instruction] = FW_NONE;
    m->list.count = 0;
    m->edges.count = 0;
    m->guard = FW_NONE;
}

/* Whether a branch of its own (fw_has_own_branch) is among the operations that an instruction
 * issues: no load behind it is moved ahead of it (`gates` and `groups` in data/h200/streams). */
static bool issues_own_branch(const struct making *m, const struct listed *at)
{
    for (uint32_t o = at->first; o < at->end; o++)
        if (m->costs->operations[o].parts && order_is_issued(m, at, o))
            return true;
    return false;
}

/* Whether an assembler puts the operations of an instruction in order each for itself: those of
 * arithmetic, unless it has a branch of its own. */
static bool is_divided(const struct making *m, const struct listed *at)
{
    enum { MOST_PARTS = 64 };
    const struct fw_scheduled *one = &m->kernel->schedule[at->instruction];
    if (one->access_count || one->barrier != FW_BARRIER_NONE || one->is_barrier ||
        one->group == FW_GROUP_CONTROL || one->collective || at->end - at->first < 2 ||
        at->end - at->first > MOST_PARTS)
        return false;
    for (uint32_t o = at->first; o < at->end; o++)
        if (m->costs->operations[o].parts || m->costs->operations[o].memory)
            return false;
    return true;
}

/* Lists the operations of an instruction one by one, each of which waits for the one before. */
static void list_operations(struct making *m, struct listed all)
{
    uint32_t last = FW_NONE, slot = all.slot;
    for (uint32_t o = all.first; o < all.end; o++) {
        if (!order_is_issued(m, &all, o))
            continue;
        struct listed one = all;
        one.first = o;
        one.end = o + 1;
        one.begins = last == FW_NONE;
        one.ends = false;
        one.slot = m->slots++;
        *FW_APPEND(m->arena, &m->list) = one;
        const uint32_t l = (uint32_t)m->list.count - 1;
        if (last == FW_NONE) {
            find_operands(m, l);
        } else {
            add_wait(m, &m->list.at[l], m->list.at[last].slot);
            add_edge(m, &m->list.at[l], last, listed_latency(m, &m->list.at[last]));
        }
        last = l;
    }
    m->list.at[last].ends = true;
    m->list.at[last].slot = slot;
    m->place[all.instruction] = last;
    m->current[all.instruction] = slot;
}

void order_list(struct making *m, uint32_t instruction, uint32_t copy, bool last_copy)
{
    const uint32_t l = (uint32_t)m->list.count;
    struct listed at = {.instruction = instruction,
                        .copy = copy,
                        .slot = last_copy ? instruction : m->slots++,
                        .first = m->costs->first[instruction],
                        .end = m->costs->first[instruction + 1],
                        .begins = true,
                        .ends = true};
    uint32_t issued = 0;
    for (uint32_t o = at.first; o < at.end; o++)
        issued += order_is_issued(m, &at, o);
    if (issued > 1 && is_divided(m, &at)) {
        list_operations(m, at);
        return;
    }
    *FW_APPEND(m->arena, &m->list) = at;
    find_operands(m, l);
    find_memory_order(m, l);
    if (m->decides[instruction])
        order_comparison(m, l);
    m->place[instruction] = l;
    m->current[instruction] = at.slot;
    if (is_guard(m, instruction) && m->kernel->schedule[instruction].wait_count)
        m->guard = l;
    m->list.at[l].closes = issues_own_branch(m, &at) || order_is_loop(m, instruction);
    if (m->list.at[l].closes)
        order_finish(m);
}
