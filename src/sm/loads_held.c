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
    OPERANDS_HELD = 2 /* loads whose results have registers where nothing is left for others: one
                         operation needs both */
};

double held_values(const struct making *m, const struct listed *at)
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

bool held_is_full(const struct making *m, const struct held *held, double kept,
                  const struct listed *at)
{
    if (at->adds > 0 && held->all + kept + at->adds > held->most)
        return true;
    return is_shared(m, at) && held->shared > 0 && held->shared + held_values(m, at) > SHARED_HELD;
}

void held_add(const struct making *m, struct held *held, const struct listed *at)
{
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

double held_most(const struct making *m)
{
    const struct fw_resources *resources = &m->kernel->resources;
    double widest = 1, need = 0, loaded = 0, common = 0, registers = m->rules->registers;
    double together = 0;
    if (!m->rules->registers || !m->list.count)
        return HUGE_VAL;
    if (resources->registers_source && strcmp(resources->registers_source, "stated") != 0 &&
        !resources->wanted_registers && !m->kernel->max_registers)
        registers = fmax(registers, FREE);
    uint32_t domain = m->kernel->schedule[m->list.at[0].instruction].domain;
    for (uint32_t p = 0; p < resources->pressure_count; p++)
        if (resources->pressures[p].domain == domain && resources->pressures[p].need > need) {
            need = resources->pressures[p].need;
            loaded = resources->pressures[p].loaded;
            common = resources->pressures[p].common;
            together = held_in_text(&resources->pressures[p], registers);
        }
    if (!(need > 0))
        return registers / VALUES_HELD;
    if (need >= FREE)
        need -= common;
    for (uint32_t l = 0; l < m->list.count; l++)
        widest = fmax(widest, held_values(m, &m->list.at[l]));
    return fmax(together, fmax(0, registers - need) + fmax(loaded, OPERANDS_HELD * widest));
}
