#include "nested.h"

/* How many instructions a domain has itself, TOO_MUCH at most: that is also what one with control
 * flow or a barrier inside has. */
enum { TOO_MUCH = FW_SHORT_BODY + 1 };

uint8_t *fw_find_nested(struct fw_arena *arena, const struct fw_kernel *kernel)
{
    uint8_t *count = FW_ARRAY(arena, uint8_t, kernel->domain_count);
    bool *nested = FW_ARRAY(arena, bool, kernel->domain_count); /* what is around is nested too */
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *at = &kernel->schedule[i];
        for (uint32_t d = at->domain; kernel->domains[d].kind == FW_DOMAIN_RESTRICT ||
                                      kernel->domains[d].kind == FW_DOMAIN_LOOP;) {
            d = kernel->domains[d].parent;
            if (nested[d])
                break;
            nested[d] = true;
            count[d] = TOO_MUCH;
        }
        if (at->barrier != FW_BARRIER_NONE)
            count[at->domain] = TOO_MUCH;
        if (count[at->domain] < TOO_MUCH)
            count[at->domain]++;
    }
    return count;
}
