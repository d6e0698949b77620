/* Instructions that are loops of their own: atomic operations of shared memory that the machine has
 * none for.  A warp goes round until each of its lanes has come through. */
#include "warp_program_internal.h"

#include <string.h>

bool order_is_loop(const struct making *m, uint32_t instruction)
{
    return m->costs->rounds && m->costs->rounds[instruction] > 0;
}

/* Whether an operation of an instruction, of whose operations it is the `o`th, stands around its
 * loop: where ways part and meet. */
static bool is_around(const struct fw_scheduled *at, uint32_t o)
{
    for (uint32_t k = 0; k < at->machine_count; k++) {
        if (o < at->machine[k].times)
            return strcmp(at->machine[k].name, "BSSY") == 0 ||
                   strcmp(at->machine[k].name, "BSYNC") == 0;
        o -= at->machine[k].times;
    }
    return true;
}

/* The operations around the loop, or those inside, of which the exchange comes last. */
static void add_operations(struct making *m, const struct listed *at, struct fw_step step,
                           bool around)
{
    const struct fw_scheduled *one = &m->kernel->schedule[at->instruction];
    uint32_t exchange = FW_NONE;
    step.kind = FW_STEP_OPERATION;
    for (uint32_t o = at->first; o < at->end; o++) {
        if (is_around(one, o - at->first) != around)
            continue;
        if (m->costs->operations[o].memory) {
            exchange = o;
            continue;
        }
        step.operation = o;
        step.slot = m->slots++;
        *FW_APPEND(m->arena, &m->steps) = step;
    }
    if (exchange == FW_NONE)
        return;
    step.operation = exchange;
    step.slot = at->slot;
    *FW_APPEND(m->arena, &m->steps) = step;
}

void order_add_rounds(struct making *m, const struct listed *at, const struct fw_step *step)
{
    add_operations(m, at, *step, true);
    const uint32_t begin = (uint32_t)m->steps.count, loop = m->kernel->loop_count;
    *FW_APPEND(m->arena, &m->steps) = (struct fw_step){.kind = FW_STEP_LOOP,
                                                       .loop = loop,
                                                       .depth = m->depth,
                                                       .trips = m->costs->rounds[at->instruction],
                                                       .slot = m->shares++};
    m->most_depth = m->depth + 1 > m->most_depth ? m->depth + 1 : m->most_depth;
    add_operations(m, at, *step, false);
    struct fw_step branch = {.kind = FW_STEP_BRANCH,
                             .other = 1,
                             .keeps = m->rules->condition + m->rules->taken,
                             .first_wait = (uint32_t)m->waits.count,
                             .wait_count = 1};
    *FW_APPEND(m->arena, &m->waits) = at->slot;
    *FW_APPEND(m->arena, &m->steps) = branch;
    m->steps.at[begin].other = (uint32_t)m->steps.count;
    *FW_APPEND(m->arena, &m->steps) =
        (struct fw_step){.kind = FW_STEP_AGAIN, .loop = loop, .depth = m->depth, .other = begin};
}
