#include "warp_request.h"

#include "l1_tags.h"
#include "memory_sizes.h"
#include "quotient.h"
#include "warp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = FW_WORD_BYTES, MAX_BANKS = 128 };

/* Granules of so many bytes; of a power of two by a shift. */
struct granules {
    int64_t bytes;
    uint32_t shift;
    bool by_shift;
};

static struct granules granules_of_bytes(int64_t bytes)
{
    struct granules granules = {.bytes = bytes};
    while ((int64_t)1 << granules.shift < bytes)
        granules.shift++;
    granules.by_shift = (int64_t)1 << granules.shift == bytes;
    return granules;
}

static inline int64_t granule_at(const struct granules *granules, int64_t at)
{
    return granules->by_shift ? at >> granules->shift : fw_floor_quotient(at, granules->bytes);
}

/* The distinct granules that the lanes touch, sorted, at most `most`. */
static uint32_t granules_of(const struct fw_warp_request *request, int64_t granule, int64_t *out,
                            uint32_t most)
{
    const struct granules granules = granules_of_bytes(granule);
    uint32_t count = 0;
    for (uint32_t l = 0; l < request->lanes; l++) {
        int64_t first = granule_at(&granules, request->at[l]);
        int64_t last = granule_at(&granules, request->at[l] + request->bytes - 1);
        for (int64_t g = first; g <= last; g++) {
            uint32_t place = count;
            if (count && out[count - 1] == g)
                continue;
            while (place && out[place - 1] > g)
                place--;
            if (count == most) /* what is beyond is not told apart */
                return count;
            if (place && out[place - 1] == g)
                continue;
            for (uint32_t to = count++; to > place; to--)
                out[to] = out[to - 1];
            out[place] = g;
        }
    }
    return count;
}

/* The distinct granules of sorted distinct words. */
static uint32_t granules_of_words(const int64_t *words, uint32_t count, int64_t granule)
{
    const struct granules granules = granules_of_bytes(granule);
    uint32_t distinct = 0;
    int64_t before = 0;
    for (uint32_t w = 0; w < count; w++) {
        const int64_t here = granule_at(&granules, words[w] * WORD);
        distinct += !w || here != before;
        before = here;
    }
    return distinct;
}

/* Whether all lanes whose numbers differ in bit `step` touch the same address.  Shared memory then
 * serves two groups of a wide load at a time: four words that all lanes read take two wavefronts on
 * an H200 (`nbody`, and data/h200/lanes).  Neither its stores nor loads of device memory do that
 * (`horner`). */
static bool pairs_match(const struct fw_warp_request *request, uint32_t step)
{
    for (uint32_t l = 0; l < request->lanes; l++)
        if ((l ^ step) < request->lanes && request->at[l] != request->at[l ^ step])
            return false;
    return true;
}

/* Passes over the banks for distinct words: as many as are in one of them. */
static uint32_t passes_of_words(const int64_t *words, uint32_t count, uint32_t banks)
{
    uint32_t in_bank[MAX_BANKS] = {0}, worst = 0;
    const bool masked = (banks & (banks - 1)) == 0;
    for (uint32_t w = 0; w < count; w++) {
        int64_t bank = masked ? (int64_t)((uint64_t)words[w] & (banks - 1)) : words[w] % banks;
        uint32_t in_this_bank = ++in_bank[bank < 0 ? bank + banks : bank];
        worst = in_this_bank > worst ? in_this_bank : worst;
    }
    return worst;
}

/* Passes over the banks; `paired`: two groups go together where they may. */
static uint32_t passes_of(const struct fw_warp_request *request, uint32_t banks, uint32_t width,
                          bool paired)
{
    int64_t words[4 * FW_WARP_MAX_LANES];
    uint32_t warp = request->lanes > FW_WARP_THREADS
                        ? FW_WARP_MAX_LANES
                        : FW_WARP_THREADS; /* inactive lanes belong to their groups */
    uint32_t passes = 0, group = request->bytes > width ? warp * width / request->bytes : 0;
    if (banks == 0 || banks > MAX_BANKS || width == 0)
        return request->lanes ? 1 : 0;
    group = group ? group : request->lanes;
    if (paired && group < request->lanes && (pairs_match(request, 1) || pairs_match(request, 2)))
        group *= 2;
    for (uint32_t first = 0; first < request->lanes; first += group) {
        struct fw_warp_request part = {.bytes = request->bytes};
        part.lanes = group < request->lanes - first ? group : request->lanes - first;
        memcpy(part.at, &request->at[first], part.lanes * sizeof(*part.at));
        uint32_t count = granules_of(&part, width, words, sizeof(words) / sizeof(*words));
        passes += passes_of_words(words, count, banks);
    }
    return passes;
}

uint32_t fw_request_passes(const struct fw_warp_request *request, uint32_t banks, uint32_t width)
{
    return passes_of(request, banks, width, !request->store);
}

uint32_t fw_request_lane_passes(const struct fw_warp_request *request, uint32_t banks,
                                uint32_t width)
{
    uint32_t passes = 0, words = width && request->bytes > width ? request->bytes / width : 1;
    uint32_t group = FW_WARP_THREADS / words ? FW_WARP_THREADS / words : 1;
    if (banks == 0 || banks > MAX_BANKS || width == 0)
        return request->lanes;
    for (uint32_t first = 0; first < request->lanes; first += group) {
        uint32_t in_bank[MAX_BANKS] = {0}, worst = 0;
        for (uint32_t l = first; l < request->lanes && l < first + group; l++)
            for (uint32_t w = 0; w < words; w++) {
                int64_t word = fw_floor_quotient(request->at[l], width) + w;
                uint32_t bank = (uint32_t)(word - banks * fw_floor_quotient(word, banks));
                worst = ++in_bank[bank] > worst ? in_bank[bank] : worst;
            }
        passes += worst;
    }
    return passes;
}

/* Of the sectors of sorted distinct words, those of which a word is missing. */
static uint32_t partial_of(const int64_t *words, uint32_t count, uint32_t sector)
{
    const struct granules sectors = granules_of_bytes(sector);
    uint32_t partial = 0, words_per_sector = sector / WORD;
    for (uint32_t w = 0; w < count;) {
        int64_t of = granule_at(&sectors, words[w] * WORD);
        uint32_t in_this_sector = 0;
        for (; w < count && granule_at(&sectors, words[w] * WORD) == of; w++)
            in_this_sector++;
        partial += in_this_sector < words_per_sector;
    }
    return partial;
}

static int by_number(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

struct fw_atomic_cost fw_request_atomic_cost(const struct fw_warp_request *request, uint32_t word,
                                             uint32_t sector)
{
    enum { MOST_WORDS = 16 * FW_WARP_MAX_LANES };
    int64_t words[MOST_WORDS];
    struct fw_atomic_cost cost = {0};
    uint32_t count = 0, of_lane = request->bytes > word ? request->bytes / word : 1;
    for (uint32_t l = 0; l < request->lanes; l++)
        for (uint32_t w = 0; w < of_lane && count < MOST_WORDS; w++)
            words[count++] = fw_floor_quotient(request->at[l], word) + w;
    qsort(words, count, sizeof(*words), by_number);
    for (uint32_t w = 0; w < count;) {
        int64_t of = fw_floor_quotient(words[w] * word, sector);
        uint32_t most = 0, least = UINT32_MAX, distinct = 0;
        while (w < count && fw_floor_quotient(words[w] * word, sector) == of) {
            uint32_t lanes = 1;
            while (w + lanes < count && words[w + lanes] == words[w])
                lanes++;
            most = lanes > most ? lanes : most;
            least = lanes < least ? lanes : least;
            distinct++;
            w += lanes;
        }
        cost.passes += most;
        cost.whole += distinct * word >= sector ? least : 0;
    }
    return cost;
}

struct fw_request_cost fw_request_data_cost(const struct fw_warp_request *request, uint32_t sector,
                                            uint32_t line)
{
    int64_t words[16 * FW_WARP_MAX_LANES], wider[16 * FW_WARP_MAX_LANES];
    const uint32_t most = sizeof(words) / sizeof(*words), banks = line / WORD;
    const uint32_t count = granules_of(request, WORD, words, most);
    const bool all = count < most; /* words of the request */
    struct fw_request_cost cost = {.partial_sectors = partial_of(words, count, sector)};
    cost.lines = all && line % WORD == 0 ? granules_of_words(words, count, line)
                                         : granules_of(request, line, wider, most);
    cost.sectors = all && sector % WORD == 0 ? granules_of_words(words, count, sector)
                                             : granules_of(request, sector, wider, most);
    /* A word a lane, or less: one group, of these words. */
    cost.passes = request->lanes && request->bytes <= WORD && banks && banks <= MAX_BANKS
                      ? passes_of_words(words, count, banks)
                      : passes_of(request, banks, WORD, false);
    return cost;
}

void fw_request_add_tags(struct fw_request_cost *cost, const struct fw_warp_request *request,
                         uint32_t line)
{
    struct fw_tag_cost tags = fw_tag_cost(request, line);
    cost->lookups = tags.lookups;
    cost->wavefronts = tags.wavefronts;
    cost->multi_line_passes = tags.multi_line_passes;
    cost->hit_wavefronts = fw_tag_hit_wavefronts(&tags, cost->passes);
}

struct fw_request_cost fw_request_cost(const struct fw_warp_request *request, uint32_t sector,
                                       uint32_t line)
{
    struct fw_request_cost cost = fw_request_data_cost(request, sector, line);
    fw_request_add_tags(&cost, request, line);
    return cost;
}
