/* Registers that hold results of loads in flight while a list is put in order.
 *
 * ptxas allocates up to 32 registers freely, since that costs no resident warps, and keeps loads in
 * flight in those that nothing else holds (ptxas 13.0 for sm_90: data/lowering/turns.txt). */
#include "warp_program_internal.h"

#include <math.h>
#include <string.h>

enum {
    VALUES_HELD = 2,  /* of a thread's registers, one part in so many holds loads' results, where
                         it is not known what else they hold */
    SHARED_HELD = 16, /* values from shared memory that ptxas 13.0 has loaded ahead of their use
                         (data/h200/outer) */
    FREE = 32,        /* registers of a thread that cost no resident warps */
    SLACK = 3,        /* of what a block needs: ptxas 13.0 does with so much less */
    WIDEST = 4,       /* registers that one load fills at most */
    OPERANDS_HELD = 2 /* loads whose results have registers where nothing is left for others: one
                         operation needs both */
};

/* Registers that a load's result takes; constants and parameters are operands of what reads them.
 */
static double held_values(const struct making *m, const struct listed *at)
{
    if (!order_is_load(m, at->instruction))
        return 0;
    const struct fw_access *load =
        &m->kernel->accesses[m->kernel->schedule[at->instruction].access];
    bool operand = load->space == FW_SPACE_CONST || load->space == FW_SPACE_PARAM;
    return operand ? 0 : fmax(1, load->bytes / 4.0);
}

void held_find_additions(struct making *m)
{
    for (uint32_t l = 0; l < m->list.count; l++) {
        struct listed *at = &m->list.at[l];
        double given = 0;
        for (uint32_t e = at->first_edge; e < at->first_edge + at->edge_count; e++)
            if (m->edges.at[e].reads)
                given = fmax(given, m->list.at[m->edges.at[e].from].gives);
        double values = at->users ? held_values(m, at) : 0;
        at->adds = fmax(0, values - given);
        at->gives = order_is_load(m, at->instruction) ? values : given;
    }
}

static bool issues_nothing(const struct making *m, const struct listed *at)
{
    for (uint32_t o = at->first; o < at->end; o++)
        if (order_is_issued(m, at, o))
            return false;
    return true;
}

static bool is_shared(const struct making *m, const struct listed *at)
{
    const uint32_t access = m->kernel->schedule[at->instruction].access;
    return access != FW_NONE && m->kernel->accesses[access].space == FW_SPACE_SHARED;
}

/* Whether a load of a list comes before another one. */
static bool comes_before(const struct making *m, uint32_t a, uint32_t b)
{
    const bool waits_b = m->list.at[b].before[a / 64] >> a % 64 & 1;
    const bool waits_a = m->list.at[a].before[b / 64] >> b % 64 & 1;
    return waits_a == waits_b ? a < b : waits_b;
}

bool held_is_full(const struct making *m, const struct held *held, double kept,
                  const struct listed *at)
{
    if (at->adds > 0 && held->all + (held->few ? at->kept : kept) + at->adds > held->most)
        return true;
    return is_shared(m, at) && held->shared > 0 && held->shared + held_values(m, at) > SHARED_HELD;
}

void held_add(struct making *m, struct held *held, const struct listed *at)
{
    for (uint32_t l = 0; l < m->list.count && held->few && at->adds > 0; l++)
        if (m->list.at[l].before && &m->list.at[l] != at &&
            comes_before(m, (uint32_t)(at - m->list.at), l))
            m->list.at[l].kept -= at->adds;
    held->all += held_values(m, at);
    held->shared += is_shared(m, at) ? held_values(m, at) : 0;
}

void held_hand_on(const struct making *m, struct held *held, const struct listed *operand,
                  struct listed *user)
{
    double values = held_values(m, operand) + operand->carried;
    held->shared -= is_shared(m, operand) ? held_values(m, operand) : 0;
    if (user->users && issues_nothing(m, user))
        user->carried += values;
    else
        held->all -= values;
}

/* Registers that loads which stand together in the text fill, as far as these are there: what a
 * block needs later, when it computes with them, keeps none of them back. */
static double held_in_text(const struct fw_pressure *pressure, double registers)
{
    return fmin(pressure->ahead,
                fmax(0, registers + pressure->ahead - (double)pressure->ahead_need));
}

static bool is_estimated(const struct fw_resources *resources)
{
    return resources->registers_source && strcmp(resources->registers_source, "liveness") == 0;
}

/* Registers for what lives in a block and for results of loads.  Those that cost no resident warps
 * are there whether an assembler used them or not, but where it was told to do with fewer. */
static double registers_for_values(const struct making *m)
{
    const struct fw_resources *resources = &m->kernel->resources;
    const bool is_told =
        !resources->registers_source || strcmp(resources->registers_source, "stated") == 0;
    if (is_told || resources->wanted_registers || m->kernel->max_registers)
        return m->rules->registers;
    return fmax(m->rules->registers, FREE);
}

/* Whether an operation reads the results of two loads, or what alone is made of these. */
static bool reads_pairs(const struct making *m)
{
    const uint32_t count = (uint32_t)m->list.count;
    bool *of_load = FW_ARRAY(m->arena, bool, count + 1);
    for (uint32_t l = 0; l < count; l++) {
        const struct listed *at = &m->list.at[l];
        uint32_t operands = 0;
        for (uint32_t e = at->first_edge; e < at->first_edge + at->edge_count; e++)
            operands += m->edges.at[e].reads && of_load[m->edges.at[e].from];
        if (operands > 1)
            return true;
        of_load[l] = held_values(m, at) > 0 ||
                     (operands == 1 && m->kernel->schedule[at->instruction].wait_count == 1);
    }
    return false;
}

/* Registers that results of loads in flight may take: what a thread has beyond what the
 * instructions of the list hold at one time, and those of the latter that loads fill, or room for
 * the operands of one instruction.  Where a block needs all that cost no resident warps, ptxas
 * leaves values that the warp shares to the scalar datapath, or makes them again: those that it
 * reads, and where that leaves nothing those of others (where its registers are known they say what
 * was left). */
static double most_held(const struct making *m)
{
    const struct fw_resources *resources = &m->kernel->resources;
    double widest = 1, need = 0, loaded = 0, common = 0, others = 0, together = 0;
    if (!m->rules->registers || !m->list.count)
        return HUGE_VAL;
    double registers = registers_for_values(m);
    uint32_t domain = m->kernel->schedule[m->list.at[0].instruction].domain;
    for (uint32_t p = 0; p < resources->pressure_count; p++)
        if (resources->pressures[p].domain == domain && resources->pressures[p].need > need) {
            need = resources->pressures[p].need;
            loaded = resources->pressures[p].loaded;
            common = resources->pressures[p].common;
            others = resources->pressures[p].others;
            together = held_in_text(&resources->pressures[p], registers);
        }
    if (!(need > 0))
        return registers / VALUES_HELD;
    if (need >= FREE)
        need -= common;
    if (need >= FREE && is_estimated(resources))
        need -= others;
    for (uint32_t l = 0; l < m->list.count; l++)
        widest = fmax(widest, held_values(m, &m->list.at[l]));
    if (is_estimated(resources))
        return fmax(together, fmax(0, registers - need) + fmax(loaded, OPERANDS_HELD * widest));
    /* Where an assembler has told that there are fewer registers than what is taken to live, it has
     * fewer of the loads' results at one time.  Beyond 32 it takes none to have loads in flight
     * that it can leave for later: some are in flight where most lives. */
    const double lacks = fmax(0, need - SLACK - registers);
    const double least = (lacks > 0 && !reads_pairs(m) ? 1 : OPERANDS_HELD) * widest;
    if (loaded > 0 && registers > FREE)
        together = lacks > 0 ? 0 : fmin(together, loaded + widest);
    return fmax(together, fmax(0, registers - need) + fmax(loaded - lacks, least));
}

/* Finds which loads that take registers come before which others. */
static void order_loads(struct making *m)
{
    const uint32_t count = (uint32_t)m->list.count, words = count / 64 + 1;
    uint64_t *waits = FW_ARRAY(m->arena, uint64_t, (size_t)count * words); /* of each, for all */
    for (uint32_t l = 0; l < count; l++) {
        struct listed *at = &m->list.at[l];
        uint64_t *of = waits + (size_t)l * words;
        for (uint32_t e = at->first_edge; e < at->first_edge + at->edge_count; e++) {
            const uint32_t from = m->edges.at[e].from;
            for (uint32_t w = 0; w < words; w++)
                of[w] |= waits[(size_t)from * words + w];
            of[from / 64] |= UINT64_C(1) << from % 64;
        }
        at->before = NULL;
        at->kept = 0;
        if (!(at->adds > 0))
            continue;
        at->before = FW_ARRAY(m->arena, uint64_t, words);
        memset(at->before, at->users ? 0xff : 0, words * sizeof(*at->before));
    }
    for (uint32_t l = 0; l < count; l++)
        for (uint32_t e = 0; e < m->list.at[l].edge_count; e++) {
            const struct edge *edge = &m->edges.at[m->list.at[l].first_edge + e];
            uint64_t *before = m->list.at[edge->from].before;
            for (uint32_t w = 0; w < words && edge->reads && before; w++)
                before[w] &= waits[(size_t)l * words + w];
        }
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = 0; b < count && m->list.at[a].before; b++)
            if (a != b && m->list.at[b].before && comes_before(m, a, b))
                m->list.at[b].kept += m->list.at[a].adds;
}

struct held held_begin(struct making *m)
{
    struct held held = {0};
    held.most = most_held(m);
    held.few = held.most <= OPERANDS_HELD * WIDEST; /* the operands of one instruction */
    if (held.few)
        order_loads(m);
    return held;
}
