/* Spilled registers: where more is live than a thread has registers for, the rest waits in local
 * memory.
 *
 * What a block of code holds for later and does not touch leaves first: it is stored and loaded
 * once.  Of what the block works on, the excess is stored and loaded once each time that it runs:
 * in a loop, in each iteration.  Both are estimates from liveness; what is spilled comes back
 * through registers of its own, for which others are spilled.  Where the assembler says how many
 * bytes its instructions spill, registers count as so few that the estimate spills as many; what
 * whole registers leave of the difference scales all. */
#include "requests_internal.h"

#include "memory_sizes.h"
#include "min_max.h"
#include "warp.h"

#include <math.h>

enum { WORD = FW_WORD_BYTES };

/* Words that a thread spills in one execution of a block, and around it. */
struct spilled {
    uint32_t inside, around;
};

/* Values that are spilled to make room for those that wait on their way from local memory and back.
 * Source: frames that ptxas 13.0 for sm_90 gives loops over 32 to 192 values with 32 to 128
 * registers (scripts/device/local.cu): as many as are live beyond the registers, and 0 to 16 more.
 */
static uint32_t spilled_for_others(uint32_t excess)
{
    enum { NONE = 12, MOST = 16 };
    return excess < NONE ? 0 : excess - NONE < MOST ? excess - NONE : MOST;
}

static struct spilled spilled_in(const struct fw_pressure *pressure, uint32_t registers,
                                 bool estimated)
{
    uint32_t excess = pressure->need > registers ? pressure->need - registers : 0;
    excess += estimated ? spilled_for_others(excess) : 0;
    struct spilled spilled = {.around = excess < pressure->idle ? excess : pressure->idle};
    spilled.inside = excess - spilled.around;
    return spilled;
}

/* Words that all instructions spill, each once. */
static uint64_t words_with(const struct fw_resources *resources, uint32_t registers)
{
    uint64_t words = 0, around = 0;
    for (uint32_t p = 0; p < resources->pressure_count; p++) {
        struct spilled here = spilled_in(&resources->pressures[p], registers, false);
        words += here.inside;
        around = here.around > around ? here.around : around;
    }
    return words + around;
}

/* The registers with which the estimate spills what the assembler said, by bisection; or those that
 * a thread has. 0: nothing is spilled. */
static uint32_t registers_of(const struct fw_resources *resources)
{
    uint32_t words = resources->spill_store_bytes / WORD;
    uint32_t low = 0, high = 0; /* spills more; spills no more */
    if (resources->wanted_registers)
        return resources->registers;
    if (!words || !resources->pressure_count)
        return 0;
    for (uint32_t p = 0; p < resources->pressure_count; p++)
        high = resources->pressures[p].need > high ? resources->pressures[p].need : high;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (words_with(resources, middle) > words)
            low = middle;
        else
            high = middle;
    }
    return low && !words_with(resources, high) ? low : high;
}

static void add_words(struct fw_requests *requests, double warps, double stored, double loaded,
                      uint32_t sector, bool looped)
{
    double sectors = (double)FW_WARP_THREADS * WORD / sector; /* of a warp's word */
    requests->local_store_sectors += warps * stored * sectors;
    requests->local_store_lines += warps * stored; /* a word of all lanes is a line */
    requests->local_load_sectors += warps * loaded * sectors;
    requests->global_wavefronts += warps * (stored + loaded);
    requests->hit_wavefronts += warps * loaded;
    requests->store_instructions += warps * stored;
    requests->store_wavefronts += warps * stored;
    requests->loop_store_instructions += looped ? warps * stored : 0;
    requests->loop_store_wavefronts += looped ? warps * stored : 0;
}

void requests_add_spills(struct fw_requests *requests, const struct fw_kernel *kernel,
                         struct fw_bound *bound, uint32_t sector)
{
    const struct fw_resources *resources = &kernel->resources;
    uint32_t registers = registers_of(resources), most = 0, around = 0, again = 0;
    double scale = 1, loads = 1, warps = 0;
    if (!registers)
        return;
    if (!resources->wanted_registers) {
        loads = (double)resources->spill_load_bytes / resources->spill_store_bytes;
        scale = resources->spill_store_bytes /
                (double)(WORD * fw_max(1, (int64_t)words_with(resources, registers)));
    }
    for (uint32_t p = 0; p < resources->pressure_count; p++) {
        const struct fw_pressure *pressure = &resources->pressures[p];
        struct spilled here = spilled_in(pressure, registers, resources->wanted_registers != 0);
        double runs = fw_bound_count_warps(bound, pressure->domain)->estimate;
        bool looped = kernel->domains[pressure->domain].innermost != FW_NONE;
        if (here.inside)
            add_words(requests, runs, scale * here.inside, scale * loads * here.inside, sector,
                      looped);
        again = looped && here.inside > again ? here.inside : again;
        most = here.inside + here.around > most ? here.inside + here.around : most;
        if (here.around <= around)
            continue;
        around = here.around;
        warps = fw_bound_count_warps(bound, 0)->estimate;
    }
    if (around)
        add_words(requests, warps, scale * around, scale * loads * around, sector, false);
    requests->spilled_bytes = scale * most * WORD;
    requests->spilled_loop_bytes = scale * again * WORD;
}
