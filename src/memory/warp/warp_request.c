#include "warp_request.h"

#include "l1_tags.h"
#include "quotient.h"

#include <math.h>
#include <string.h>

enum { WORD = 4, MOST_BANKS = 128 };

/* Sorted distinct granules that the lanes touch, at most `most`. */
static uint32_t granules_of(const struct fw_warp_request *request, int64_t granule, int64_t *out,
                            uint32_t most)
{
    uint32_t count = 0, shift = 0;
    while ((int64_t)1 << shift < granule)
        shift++;
    bool by_shift = (int64_t)1 << shift == granule;
    for (uint32_t l = 0; l < request->lanes; l++) {
        int64_t begin = request->at[l], end = begin + request->bytes - 1;
        int64_t first = by_shift ? begin >> shift : fw_floor_quotient(begin, granule);
        int64_t last = by_shift ? end >> shift : fw_floor_quotient(end, granule);
        for (int64_t g = first; g <= last; g++) {
            uint32_t place = count;
            if (count && out[count - 1] == g)
                continue;
            while (place && out[place - 1] > g)
                place--;
            if ((place && out[place - 1] == g) || count == most)
                continue;
            memmove(&out[place + 1], &out[place], (count - place) * sizeof(*out));
            out[place] = g;
            count++;
        }
    }
    return count;
}

/* Whether lanes that are `step` apart ask for the same place, all of them: shared memory then
 * serves groups of wide accesses two at a time (four words that all lanes read take two wavefronts
 * on the H200, `nbody`; patterns of lanes).  Neither its stores nor device memory's loads
 * (`horner`). */
static bool in_pairs(const struct fw_warp_request *request, uint32_t step)
{
    for (uint32_t l = 0; l < request->lanes; l++)
        if ((l ^ step) < request->lanes && request->at[l] != request->at[l ^ step])
            return false;
    return true;
}

/* Passes over the banks; `paired`: groups go two at a time where they may. */
static uint32_t passes_of(const struct fw_warp_request *request, uint32_t banks, uint32_t width,
                          bool paired)
{
    int64_t words[4 * FW_WARP_MAX_LANES];
    uint32_t warp = request->lanes > 32 ? FW_WARP_MAX_LANES : 32; /* those that do not run count */
    uint32_t passes = 0, group = request->bytes > width ? warp * width / request->bytes : 0;
    if (banks == 0 || banks > MOST_BANKS || width == 0)
        return request->lanes ? 1 : 0;
    group = group ? group : request->lanes;
    if (paired && group < request->lanes && (in_pairs(request, 1) || in_pairs(request, 2)))
        group *= 2;
    for (uint32_t first = 0; first < request->lanes; first += group) {
        struct fw_warp_request part = {.bytes = request->bytes};
        uint32_t in_bank[MOST_BANKS] = {0}, worst = 0;
        part.lanes = group < request->lanes - first ? group : request->lanes - first;
        memcpy(part.at, &request->at[first], part.lanes * sizeof(*part.at));
        uint32_t count = granules_of(&part, width, words, sizeof(words) / sizeof(*words));
        for (uint32_t w = 0; w < count; w++) {
            int64_t bank = words[w] % banks;
            uint32_t here = ++in_bank[bank < 0 ? bank + banks : bank];
            worst = here > worst ? here : worst;
        }
        passes += worst;
    }
    return passes;
}

uint32_t fw_request_passes(const struct fw_warp_request *request, uint32_t banks, uint32_t width)
{
    return passes_of(request, banks, width, !request->store);
}

/* Of the sectors of sorted distinct words, those that have not all their words. */
static uint32_t partial_of(const int64_t *words, uint32_t count, uint32_t sector)
{
    uint32_t partial = 0, whole = sector / WORD;
    for (uint32_t w = 0; w < count;) {
        int64_t of = fw_floor_quotient(words[w] * WORD, sector);
        uint32_t here = 0;
        for (; w < count && fw_floor_quotient(words[w] * WORD, sector) == of; w++)
            here++;
        partial += here < whole;
    }
    return partial;
}

struct fw_request_cost fw_request_data_cost(const struct fw_warp_request *request, uint32_t sector,
                                            uint32_t line)
{
    int64_t granules[16 * FW_WARP_MAX_LANES];
    uint32_t most = sizeof(granules) / sizeof(*granules);
    struct fw_request_cost demand = {0};
    demand.lines = granules_of(request, line, granules, most);
    demand.sectors = granules_of(request, sector, granules, most);
    demand.partial_sectors =
        partial_of(granules, granules_of(request, WORD, granules, most), sector);
    demand.passes = passes_of(request, line / WORD, WORD, false);
    return demand;
}

void fw_request_add_tags(struct fw_request_cost *demand, const struct fw_warp_request *request,
                         uint32_t line)
{
    struct fw_tag_cost tags = fw_tag_cost(request, line);
    demand->wavefronts = tags.wavefronts;
    demand->multi_line_passes = tags.multi_line_passes;
    demand->hit_wavefronts = fw_tag_hit_wavefronts(&tags, demand->passes);
}

struct fw_request_cost fw_request_cost(const struct fw_warp_request *request, uint32_t sector,
                                       uint32_t line)
{
    struct fw_request_cost demand = fw_request_data_cost(request, sector, line);
    fw_request_add_tags(&demand, request, line);
    return demand;
}
