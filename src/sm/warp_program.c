#include "trace_parts.h"
#include "warp_program_internal.h"

#include <math.h>
#include <string.h>

enum {
    MOST_STEPS = 60000 /* of a program; further copies of unrolled iterations are not made */
};

/* Cycles that the branch before keeps its warp, and what it waits for. */
static void add_branch(struct making *m, double keeps, uint32_t slot)
{
    struct fw_step step = {
        .kind = FW_STEP_BRANCH, .keeps = keeps, .first_wait = (uint32_t)m->waits.count};
    if (slot != FW_NONE) {
        step.wait_count = 1;
        *FW_APPEND(m->arena, &m->waits) = slot;
    }
    *FW_APPEND(m->arena, &m->steps) = step;
}

/* Where ways meet: ptxas has the results of each way there when it ends. */
static void add_meeting(struct making *m, uint32_t instruction)
{
    order_finish(m);
    for (uint32_t o = m->costs->first[instruction]; o < m->costs->first[instruction + 1]; o++)
        if (m->costs->operations[o].meets)
            *FW_APPEND(m->arena, &m->steps) = (struct fw_step){.kind = FW_STEP_OPERATION,
                                                               .operation = o,
                                                               .instruction = instruction,
                                                               .slot = m->slots++};
    add_branch(m, m->ways * m->rules->meeting, m->result);
    m->ways = 1;
}

static bool is_issued_branch(const struct making *m, uint32_t instruction)
{
    return m->kernel->schedule[instruction].group == FW_GROUP_CONTROL &&
           m->costs->first[instruction] < m->costs->first[instruction + 1];
}

/* A branch without a condition that is not issued: the one before it was turned round. */
static bool is_turned(const struct making *m, uint32_t place)
{
    uint32_t instruction = m->traces->order[place];
    return m->kernel->schedule[instruction].group == FW_GROUP_CONTROL &&
           m->costs->first[instruction] == m->costs->first[instruction + 1] &&
           m->kernel->schedule[instruction].wait_count == 0;
}

/* The threads of a warp that a branch through a table has led apart go to its places one after
 * the other. */
static void add_place(struct making *m, uint32_t instruction)
{
    order_finish(m);
    if (!m->comes) {
        add_branch(m, m->costs->parted, FW_NONE);
        *FW_APPEND(m->arena, &m->steps) = (struct fw_step){.kind = FW_STEP_OPERATION,
                                                           .operation = m->costs->place,
                                                           .instruction = instruction,
                                                           .slot = m->slots++};
    }
    m->comes = false;
}

static bool is_indexed(const struct making *m, uint32_t instruction)
{
    uint32_t from = m->costs->first[instruction], end = m->costs->first[instruction + 1];
    return end > from && m->costs->operations[end - 1].indexed;
}

/* What the branch ahead of a place costs its warp, which goes on there. */
static double after_branch(const struct making *m, uint32_t place)
{
    uint32_t branch = m->traces->order[place - 1];
    if (is_indexed(m, branch))
        return m->costs->indexed;
    bool always = m->kernel->schedule[branch].wait_count == 0;
    return always || is_turned(m, place) ? m->rules->taken : m->rules->passed;
}

static uint32_t loop_of(const struct making *m, uint32_t instruction)
{
    return m->kernel->domain_count
               ? m->kernel->domains[m->kernel->schedule[instruction].domain].innermost
               : FW_NONE;
}

/* Whether an instruction exchanges values of a warp in a loop that threads may leave one after the
 * other. */
static bool is_exchanged_apart(const struct making *m, uint32_t instruction)
{
    const struct fw_scheduled *at = &m->kernel->schedule[instruction];
    uint32_t loop = loop_of(m, instruction);
    if (strcmp(at->operation, "shfl") != 0 && strcmp(at->operation, "vote") != 0)
        return false;
    while (loop != FW_NONE && !m->kernel->loops[loop].apart)
        loop = m->kernel->loops[loop].parent;
    return loop != FW_NONE;
}

/* The first and the last instruction of a run that do; count: none does. */
static void find_exchanges(const struct making *m, const struct fw_trace_node *node,
                           uint32_t *first, uint32_t *last)
{
    *first = *last = node->count;
    for (uint32_t i = 0; i < node->count; i++)
        if (is_exchanged_apart(m, m->traces->order[node->first + i])) {
            *first = *first < node->count ? *first : i;
            *last = i;
        }
}

/* Puts a run of instructions, in so many copies, into lists and these into steps.  The first copy
 * issues what the copies share, unless they are numbered from 1. */
static void add_run(struct making *m, const struct fw_trace_node *node, uint32_t copies,
                    uint32_t number)
{
    uint32_t first, last;
    find_exchanges(m, node, &first, &last);
    for (uint32_t c = 0; c < copies; c++)
        for (uint32_t i = 0; i < node->count; i++) {
            uint32_t instruction = m->traces->order[node->first + i];
            bool fence = copies == 1 && order_is_fence(m, instruction);
            if (fence || m->list.count >= MOST_LIST || (i == first && c == 0))
                order_finish(m);
            if (copies == 1 && order_is_meeting(m, instruction))
                add_meeting(m, instruction);
            if (copies == 1 && m->kernel->schedule[instruction].is_place)
                add_place(m, instruction);
            order_list(m, instruction, number + c, c + 1 == copies);
            if (fence || (i == last && c + 1 == copies))
                order_finish(m);
            m->comes |= is_indexed(m, instruction);
            if (fence && i + 1 < node->count && is_issued_branch(m, instruction))
                add_branch(m, after_branch(m, node->first + i + 1), FW_NONE);
        }
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

static uint32_t idle_of(const struct making *m, uint32_t operation)
{
    return m->costs->operations[operation].memory ? m->costs->idle : m->costs->slot;
}

/* Instructions under a predicate that holds for no lane of the warp take issue slots, and requests
 * of memory also a wavefront of the load-store unit (data/h200/programs-second: hardware counts 868
 * of a block of `scan_tree`, as many as instructions that ask for nothing). */
static void add_skipped(struct making *m, uint32_t first, uint32_t end)
{
    enum { MOST = 64 };
    for (uint32_t i = first; i < end && i - first < MOST; i++) {
        uint32_t instruction = m->traces->order[i];
        uint32_t from = m->costs->first[instruction], count = m->costs->first[instruction + 1];
        for (uint32_t o = from; o < count && m->kernel->schedule[instruction].predicated; o++)
            *FW_APPEND(m->arena, &m->steps) = (struct fw_step){.kind = FW_STEP_OPERATION,
                                                               .operation = idle_of(m, o),
                                                               .instruction = instruction,
                                                               .slot = m->slots++};
    }
}

/* Puts what is listed into steps.  Nothing else makes steps before. */
static void close_list(struct making *m)
{
    order_finish(m);
    for (size_t s = 0; s < m->skipped.count; s++)
        add_skipped(m, m->skipped.at[s].first, m->skipped.at[s].end);
    m->skipped.count = 0;
}

/* Whether a run is put in order together with what is listed: instructions under a predicate are,
 * with what is around them. */
static bool goes_on(const struct making *m, const struct fw_trace_node *node)
{
    if (!m->list.count || !m->follows)
        return false;
    const struct fw_scheduled *schedule = m->kernel->schedule;
    uint32_t last = m->list.at[m->list.count - 1].instruction;
    return m->guard != FW_NONE &&
           (schedule[last].predicated || schedule[m->traces->order[node->first]].predicated ||
            schedule[last].group == FW_GROUP_CONTROL);
}

/* Instructions under a predicate that holds for no lane of the warp are issued all the same, with
 * the cycles that the assembler has put between them; those of memory ask for nothing. */
static void list_skipped(struct making *m, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        uint32_t instruction = m->traces->order[i];
        const struct fw_scheduled *at = &m->kernel->schedule[instruction];
        bool fence = order_is_fence(m, instruction) || order_is_meeting(m, instruction);
        if (at->predicated && !at->access_count && !fence && m->list.count < MOST_LIST)
            order_list(m, instruction, 0, true);
        else
            *FW_APPEND(m->arena, &m->skipped) = (struct skipped){i, i + 1};
    }
}

/* Notes the way to a run: a branch that is taken leads to it if instructions are left out before
 * it. */
static void come_to(struct making *m, const struct fw_trace_node *node)
{
    bool branches = m->follows && m->branches;
    uint32_t next = m->next;
    if (branches && next < node->first && is_turned(m, next))
        next++;
    if (node->lanes < m->lanes && branches)
        m->ways = 2;
    if (branches || !goes_on(m, node))
        close_list(m);
    if (branches)
        add_branch(m,
                   next == node->first || is_indexed(m, m->traces->order[m->next - 1])
                       ? after_branch(m, m->next)
                       : m->rules->taken,
                   FW_NONE);
    if (m->follows && m->next < node->first)
        list_skipped(m, m->next, node->first);
    uint32_t last = m->traces->order[node->first + node->count - 1];
    m->follows = true;
    m->lanes = node->lanes;
    m->next = node->first + node->count;
    m->branches = m->kernel->schedule[last].group == FW_GROUP_CONTROL &&
                  m->costs->first[last] < m->costs->first[last + 1];
}

/* `number`: iterations of an unrolled loop before; what they share is not issued again, as the last
 * one by itself neither counts nor compares. */
static void add_loop(struct making *m, const struct fw_trace_node *node, double trips,
                     uint32_t copies, uint32_t number)
{
    if (!(trips > 0) && !(node->step > 0))
        return;
    close_list(m);
    uint32_t begin = (uint32_t)m->steps.count;
    *FW_APPEND(m->arena, &m->steps) = (struct fw_step){.kind = FW_STEP_LOOP,
                                                       .loop = node->loop,
                                                       .depth = m->depth,
                                                       .trips = trips,
                                                       .step = node->step,
                                                       .slot = m->shares++};
    const double around = m->around;
    m->around = node->blocks.to > node->blocks.from ? node->blocks.to - node->blocks.from : 1;
    m->follows = false;
    m->depth++;
    m->most_depth = m->depth > m->most_depth ? m->depth : m->most_depth;
    if (copies > 1 || number)
        add_run(m, &node->body->nodes[0], copies, number);
    else
        add_trace(m, node->body);
    close_list(m);
    m->follows = false;
    m->around = around;
    m->depth--;
    m->steps.at[begin].other = (uint32_t)m->steps.count;
    *FW_APPEND(m->arena, &m->steps) = (struct fw_step){
        .kind = FW_STEP_AGAIN, .loop = node->loop, .depth = m->depth, .other = begin};
}

/* Lanes of a warp that leave a loop one after the other wait where they meet again (BSYNC): each
 * time some do, the warp goes on with others. */
static void add_leaving(struct making *m, uint32_t ways)
{
    if (ways > 1)
        add_branch(m, ways * m->rules->meeting, FW_NONE);
}

/* Ahead of each of the loops that an unrolled one becomes, a comparison tells whether there are as
 * many iterations left. */
static void add_test(struct making *m)
{
    close_list(m);
    add_branch(m, m->rules->condition + m->rules->passed, FW_NONE);
}

/* A loop that an assembler has made `copies` iterations of one, and its rest in powers of two
 * below.  Lanes that leave earlier wait for the others, and a warp goes through the rests of all of
 * them. */
static void add_unrolled(struct making *m, const struct fw_trace_node *parts, uint32_t count,
                         uint32_t copies)
{
    double most = 0, whole = 0;
    uint32_t rests = 0, all = UINT32_MAX; /* of any lanes, of all: bits */
    uint32_t ways = 1;
    bool any = false;
    for (uint32_t p = 0; p < count; p++) {
        const bool leaves =
            p + 1 == count || fw_trace_part_lanes(&parts[p + 1]) < fw_trace_part_lanes(&parts[p]);
        const double before = whole;
        most += parts[p].trips;
        if (!leaves)
            continue;
        whole = floor(most / copies);
        ways += any && whole > before;
        any = true;
        rests |= (uint32_t)(most - whole * copies);
        all &= (uint32_t)(most - whole * copies);
    }
    add_test(m);
    add_loop(m, &parts[0], whole, copies, 0);
    add_leaving(m, ways);
    if (most > floor(most)) { /* data decide how many */
        add_loop(m, &parts[0], most - whole * copies, 1, 0);
        return;
    }
    for (uint32_t part = copies / 2; part > 0; part /= 2) {
        add_test(m);
        if (rests & part) {
            add_loop(m, &parts[0], 1, part,
                     part == 1 && !m->kernel->loops[parts[0].loop].counts_rest ? 1 : 0);
            add_leaving(m, all & part ? 1 : 2);
        }
    }
}

/* How many nodes from this one on are parts of a loop that an assembler has made of one piece, and
 * that warps leave in its middle: whole iterations, and the last one up to there.  0: it is none.
 */
static uint32_t whole_parts_of(const struct making *m, const struct fw_trace *trace, uint32_t n)
{
    const struct fw_trace_node *node = &trace->nodes[n];
    double trips = node->trips;
    uint32_t end = n + 1;
    if (fw_trace_goes_round(trace, n) || copies_of(m, node) < 2)
        return 0;
    for (; fw_trace_goes_round(trace, end); end++) {
        const struct fw_trace_node *part = &trace->nodes[end];
        if (copies_of(m, part) < 2 || part->body->nodes[0].lanes < node->body->nodes[0].lanes ||
            part->body->nodes[0].count == node->body->nodes[0].count)
            return 0;
        trips += part->trips;
    }
    const bool all = trips >= m->kernel->loops[node->loop].at_once &&
                     trips <= m->kernel->loops[node->loop].at_once;
    return all && end > n + 1 ? end - n : 0;
}

static void add_whole_parts(struct making *m, const struct fw_trace_node *parts, uint32_t count)
{
    uint32_t number = 0;
    for (uint32_t p = 0; p < count; p++) {
        const uint32_t copies = (uint32_t)parts[p].trips;
        add_loop(m, &parts[p], 1, copies, number);
        number += copies;
    }
}

/* A node that some warps execute, of a part of the blocks. */
static void add_share(struct making *m, const struct fw_trace_node *node)
{
    const double blocks = (node->blocks.to - node->blocks.from) / m->around;
    *FW_APPEND(m->arena, &m->steps) =
        (struct fw_step){.kind = FW_STEP_SHARE,
                         .share = node->share,
                         .within = blocks > 0 ? fmin(1, node->share / blocks) : 1,
                         .blocks = node->blocks,
                         .slot = m->shares++};
}

/* A node, or the parts of one loop.  How many of them. */
static uint32_t add_node(struct making *m, const struct fw_trace *trace, uint32_t n)
{
    const struct fw_trace_node *node = &trace->nodes[n];
    uint32_t count = 1, begin;
    if (node->share < 1 || node->is_loop)
        close_list(m);
    begin = (uint32_t)m->steps.count;
    if (node->share < 1)
        add_share(m, node);
    if (!node->is_loop && node->count) {
        come_to(m, node);
        add_run(m, node, 1, 0);
    } else if (node->is_loop) {
        const uint32_t copies = copies_of(m, node), whole = whole_parts_of(m, trace, n);
        if (whole) {
            count = whole;
            add_whole_parts(m, node, count);
        } else if (copies > 1 && fw_trace_is_rest(trace, n)) {
            add_loop(m, node, node->trips, 1, 1);
        } else if (copies > 1) {
            count = node->share < 1 ? 1 : fw_trace_parts_of(trace, n);
            add_unrolled(m, node, count, copies);
        } else {
            add_loop(m, node, node->trips, 1, 0);
            add_leaving(m, fw_trace_ways_of(trace, n));
        }
    }
    if (node->share < 1) {
        close_list(m);
        m->steps.at[begin].other = (uint32_t)m->steps.count;
    }
    return count;
}

static void add_trace(struct making *m, const struct fw_trace *trace)
{
    for (uint32_t n = 0; n < trace->count && m->steps.count < 4 * MOST_STEPS;)
        n += add_node(m, trace, n);
}

static bool is_within(const struct making *m, uint32_t loop, uint32_t outer)
{
    while (loop != FW_NONE && loop != outer)
        loop = m->kernel->loops[loop].parent;
    return loop == outer;
}

/* Whether a comparison in a loop needs nothing from it but numbers that are added to. */
static bool is_of_counter(const struct making *m, uint32_t compares, uint32_t loop)
{
    const struct fw_scheduled *at = &m->kernel->schedule[compares];
    bool counts = false;
    for (uint32_t w = 0; w < at->wait_count && loop != FW_NONE; w++) {
        uint32_t from = at->waits_for[w];
        const struct fw_scheduled *operand = &m->kernel->schedule[from];
        if (!is_within(m, loop_of(m, from), loop))
            continue;
        bool itself = false;
        for (uint32_t v = 0; v < operand->wait_count; v++) {
            itself |= operand->waits_for[v] == from;
            if (operand->waits_for[v] != from &&
                is_within(m, loop_of(m, operand->waits_for[v]), loop))
                return false;
        }
        if (!itself || operand->access_count)
            return false;
        counts = true;
    }
    return counts;
}

/* Whether ptxas has the comparison of a loop's counter ahead of what else the loop waits for: of
 * other branches than the one that ends it, or of barriers, unless instructions under a predicate,
 * whose register it takes, stand between. */
static bool compares_early(const struct making *m, uint32_t loop, uint32_t end)
{
    bool branch = false, barrier = false, predicated = false;
    for (uint32_t i = 0; i < end; i++) {
        if (!is_within(m, loop_of(m, i), loop))
            continue;
        branch |= is_issued_branch(m, i);
        barrier |= order_is_barrier(m, i);
        predicated |= m->kernel->schedule[i].predicated;
    }
    return branch || (barrier && !predicated);
}

/* What decides branches.  nvcc leaves comparisons beside the branches that they decide; where a
 * loop does not change the operands, ptxas takes them out of it. */
static void find_conditions(struct making *m)
{
    const struct fw_kernel *kernel = m->kernel;
    m->decides = FW_ARRAY(m->arena, bool, kernel->schedule_count + 1);
    m->invariant = FW_ARRAY(m->arena, bool, kernel->schedule_count + 1);
    m->early = FW_ARRAY(m->arena, bool, kernel->schedule_count + 1);
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *at = &kernel->schedule[i];
        if (at->group != FW_GROUP_CONTROL || !at->wait_count)
            continue;
        uint32_t compares = at->waits_for[0], loop = loop_of(m, compares);
        const struct fw_scheduled *comparison = &kernel->schedule[compares];
        m->decides[compares] |= m->costs->first[i] < m->costs->first[i + 1];
        m->early[compares] = is_of_counter(m, compares, loop) && compares_early(m, loop, i);
        bool invariant = loop != FW_NONE && comparison->access_count == 0 && !comparison->tabled;
        for (uint32_t w = 0; w < comparison->wait_count && invariant; w++)
            invariant = !is_within(m, loop_of(m, comparison->waits_for[w]), loop);
        m->invariant[compares] = invariant;
    }
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
                       .around = 1,
                       .slots = kernel->schedule_count,
                       .ways = 1,
                       .guard = FW_NONE,
                       .result = FW_NONE};
    m.place = FW_ARRAY(arena, uint32_t, kernel->schedule_count + 1);
    memset(m.place, 0xff, (kernel->schedule_count + 1) * sizeof(*m.place));
    m.current = FW_ARRAY(arena, uint32_t, kernel->schedule_count + 1);
    for (uint32_t i = 0; i < kernel->schedule_count; i++)
        m.current[i] = i;
    find_conditions(&m);
    add_trace(&m, trace);
    close_list(&m);
    *FW_APPEND(arena, &m.steps) = (struct fw_step){.kind = FW_STEP_EXIT};
    if (!m.waits.count) /* steps that wait for nothing point there all the same */
        *FW_APPEND(arena, &m.waits) = 0;
    *program = (struct fw_warp_program){.steps = m.steps.at,
                                        .count = (uint32_t)m.steps.count,
                                        .waits = m.waits.at,
                                        .slots = m.slots + 1,
                                        .depth = m.most_depth,
                                        .shares = m.shares};
}

/* Of the steps from one to another, in a loop of so many trips, gone through `times` times.
 * `costs`: NULL where no cycles of units are asked for. */
static double issues_between(const struct fw_warp_program *program, uint32_t from, uint32_t end,
                             double around, double times, const struct fw_sm_costs *costs,
                             double busy[])
{
    double sum = 0;
    for (uint32_t s = from; s < end; s++) {
        const struct fw_step *step = &program->steps[s];
        sum += step->kind == FW_STEP_OPERATION ? times : 0;
        if (step->kind == FW_STEP_OPERATION && costs) {
            const struct fw_sm_operation *operation = &costs->operations[step->operation];
            busy[operation->unit] += times * operation->interval;
        }
        if (step->kind == FW_STEP_LOOP) {
            double trips = fmax(0, step->trips + step->step * fmax(0, around - 1) / 2);
            sum += issues_between(program, s + 1, step->other, trips, times * trips, costs, busy);
            s = step->other;
        } else if (step->kind == FW_STEP_SHARE) {
            sum += issues_between(program, s + 1, step->other, around, times * step->share, costs,
                                  busy);
            s = step->other - 1;
        }
    }
    return sum;
}

double fw_warp_program_issues(const struct fw_warp_program *program)
{
    return issues_between(program, 0, program->count, 1, 1, NULL, NULL);
}

double fw_warp_program_rounds(const struct fw_warp_program *program, uint32_t at, double round,
                              double rounds)
{
    return issues_between(program, at + 1, program->steps[at].other, 2 * round + rounds + 1, rounds,
                          NULL, NULL);
}

void fw_warp_program_rest(double busy[FW_SM_UNIT_COUNT], double *by_loop,
                          const struct fw_warp_program *program, const struct fw_sm_costs *costs,
                          uint32_t at, const struct fw_program_place *loops, uint32_t depth)
{
    const double before = busy[FW_SM_NONE];
    double issues = 0, sum = 0;
    for (uint32_t d = depth; d-- > 0;) {
        const struct fw_program_place *in = &loops[d];
        const uint32_t end = program->steps[in->step].other;
        const double left = in->trips - in->round - 1;
        /* Trips of loops inside that grow are those of the mean of the iterations left. */
        issues += issues_between(program, at, end, 2 * in->round + 1, 1, costs, busy);
        if (left > 0)
            issues += issues_between(program, in->step + 1, end, in->round + in->trips + 1, left,
                                     costs, busy);
        at = end + 1;
    }
    if (depth)
        by_loop[program->steps[loops[0].step].loop] += issues;
    for (sum = issues; at < program->count; at++) {
        const struct fw_step *step = &program->steps[at];
        issues = issues_between(program, at, at + 1, 1, 1, costs, busy);
        sum += issues;
        if (step->kind == FW_STEP_LOOP)
            by_loop[step->loop] += issues;
        if (step->kind == FW_STEP_LOOP)
            at = step->other;
        else if (step->kind == FW_STEP_SHARE)
            at = step->other - 1;
    }
    busy[FW_SM_NONE] = before + sum;
}
