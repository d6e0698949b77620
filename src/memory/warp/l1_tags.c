#include "l1_tags.h"

#include "memory_sizes.h"
#include "warp.h"

#include <math.h>
#include <string.h>

enum {
    WORD = FW_WORD_BYTES,
    BANKS = FW_SHARED_BANKS,
    TAG_BANKS = 4,
    POSITIONS = 4,
    MAX_WORDS = 4 * BANKS,
    HASHED = FW_LINE_BYTES /* the line size for which the hash was measured */
};

/* The hash of a line's number that selects its tag bank: each of the two bits of the bank is the
 * parity of the line number's bits under one of these masks.  Source: wavefronts that an H200
 * counted.  Bits 0 to 9 explain all 226 lane patterns in data/h200/lanes; bits 10 to 18 explain
 * rows and planes that far apart (five, box27 and cross_1_1 in data/h200/traffic) within 1%. */
static const uint64_t parity_low = 0x37ab5, parity_high = 0x4d5da;

/* What a further tag lookup costs a load that hits: so many wavefronts, shared by the passes, and
 * at most so many in all.  Source: the lane patterns of loads that hit, data/h200/lanes. */
static const double wavefronts_per_lookup = 0.5, max_lookup_wavefronts = 1.8;

static uint32_t tag_bank(int64_t line)
{
    uint64_t bits = (uint64_t)line;
    return (uint32_t)(__builtin_parityll(bits & parity_low) | __builtin_parityll(bits & parity_high)
                                                                  << 1);
}

/* Lanes with their lines, and the tag lookup in which L1 finds each line. */
struct tag_lookups {
    uint32_t count, lines;
    int64_t
        lines_seen[FW_WARP_MAX_LANES]; /* by line, in the order in which lanes first touch them */
    uint8_t lookup[FW_WARP_MAX_LANES]; /* by line */
    uint8_t lane_lookup[FW_WARP_MAX_LANES],
        lane_line[FW_WARP_MAX_LANES]; /* by lane; lines count from 1 */
};

static void find_lines(struct tag_lookups *tags, const struct fw_warp_request *request,
                       int64_t line)
{
    const bool by_shift = line > 0 && (line & (line - 1)) == 0;
    const int shift = by_shift ? __builtin_ctzll((unsigned long long)line) : 0;
    tags->lines = 0;
    for (uint32_t l = 0; l < request->lanes; l++) {
        int64_t at = by_shift ? request->at[l] >> shift
                              : (request->at[l] - (request->at[l] < 0 ? line - 1 : 0)) / line;
        uint32_t s = tags->lines;
        while (s && tags->lines_seen[s - 1] != at)
            s--;
        if (!s) {
            tags->lines_seen[tags->lines] = at;
            s = ++tags->lines;
        }
        tags->lane_line[l] = (uint8_t)s;
    }
}

/* Assigns each line to a lookup as if all lines were `shift` lines further on.  Each of the four
 * tag banks looks up one of its lines at a time.  Gives whether the assignment changed. */
static bool assign_lookups(struct tag_lookups *tags, int64_t shift, bool hashed)
{
    uint32_t in_bank[TAG_BANKS] = {0};
    bool changed = false;
    tags->count = 0;
    for (uint32_t s = 0; s < tags->lines; s++) {
        int64_t at = tags->lines_seen[s] + shift;
        uint32_t bank = hashed ? tag_bank(at) : (uint32_t)at % TAG_BANKS;
        uint8_t lookup = (uint8_t)in_bank[bank]++;
        changed |= tags->lookup[s] != lookup;
        tags->lookup[s] = lookup;
        tags->count = lookup >= tags->count ? lookup + 1u : tags->count;
    }
    return changed;
}

/* The lanes of a group by the lookup that their lines are in. */
struct lanes_by_lookup {
    uint8_t lanes[FW_WARP_MAX_LANES];
    uint8_t ends[FW_WARP_MAX_LANES]; /* by lookup */
};

static void divide_lanes(struct lanes_by_lookup *by, const struct tag_lookups *tags, uint32_t first,
                         uint32_t last)
{
    memset(by->ends, 0, tags->count);
    for (uint32_t l = first; l < last; l++)
        by->ends[tags->lane_lookup[l]]++;
    for (uint32_t w = 0, end = 0; w < tags->count; w++) {
        const uint32_t count = by->ends[w];
        by->ends[w] = (uint8_t)end; /* where its next lane goes */
        end += count;
    }
    for (uint32_t l = first; l < last; l++)
        by->lanes[by->ends[tags->lane_lookup[l]]++] = (uint8_t)l;
}

/* The largest number of distinct words that lanes touch in one bank, of the lanes of one lookup; 0:
 * no such lane.  Increments `*multi_line` if they touch more lines than that. */
static uint32_t passes_in(const struct fw_warp_request *request, const struct tag_lookups *tags,
                          const uint8_t *lanes, uint32_t lane_count, uint32_t banks,
                          uint32_t *multi_line)
{
    int64_t words[MAX_WORDS];
    uint8_t next[MAX_WORDS], head[BANKS] = {0},
                             held[BANKS] = {0}; /* linked lists; entries count from 1 */
    uint32_t count = 0, most = 0, lines = 0;
    const bool masked = (banks & (banks - 1)) == 0;
    uint64_t lines_seen = 0;
    if (lane_count == 1 && request->bytes <= WORD)
        return 1; /* of one word there is nothing to tell apart */
    for (uint32_t i = 0; i < lane_count; i++) {
        const uint32_t l = lanes[i];
        lines += !(lines_seen >> (tags->lane_line[l] - 1) & 1);
        lines_seen |= (uint64_t)1 << (tags->lane_line[l] - 1);
        for (int64_t at = request->at[l]; at < request->at[l] + request->bytes; at += WORD) {
            int64_t word = at >= 0 ? at / WORD : -((WORD - 1 - at) / WORD);
            uint32_t bank =
                         (uint32_t)(masked ? (uint64_t)word & (banks - 1) : (uint64_t)word % banks),
                     w = head[bank];
            while (w && words[w - 1] != word)
                w = next[w - 1];
            if (w || count == MAX_WORDS)
                continue;
            words[count] = word;
            next[count] = head[bank];
            head[bank] = (uint8_t)++count;
            most = ++held[bank] > most ? held[bank] : most;
        }
    }
    *multi_line += lines > most;
    return most;
}

struct fw_tag_cost fw_tag_cost(const struct fw_warp_request *request, uint32_t line)
{
    uint32_t warp = request->lanes > FW_WARP_THREADS ? FW_WARP_MAX_LANES : FW_WARP_THREADS,
             banks = line / WORD;
    uint32_t group = request->bytes > WORD ? warp * WORD / request->bytes : warp, sum = 0,
             multi_line_sum = 0, lookups = 0;
    int64_t from = request->lanes ? request->at[0] / line : 0;
    banks = banks && banks <= BANKS ? banks : BANKS;
    group = group ? group : 1;
    struct tag_lookups tags;
    uint32_t passes = 0, multi_line = 0;
    find_lines(&tags, request, line);
    for (uint32_t p = 0; p < POSITIONS; p++) {
        /* Keep the position within FW_TAG_NEAR_LINES lines; sample the bits above. */
        int64_t position =
            from % FW_TAG_NEAR_LINES + FW_TAG_NEAR_LINES * (int64_t)(p * 0x9e3779b1u >> 20);
        if (p == 0)
            memset(tags.lookup, 0xff, tags.lines);
        if (assign_lookups(&tags, position - from, line == HASHED)) {
            passes = multi_line = 0;
            for (uint32_t l = 0; l < request->lanes; l++)
                tags.lane_lookup[l] = tags.lookup[tags.lane_line[l] - 1];
            for (uint32_t first = 0; first < request->lanes; first += group) {
                struct lanes_by_lookup by;
                const uint32_t last = first + group;
                divide_lanes(&by, &tags, first, last < request->lanes ? last : request->lanes);
                for (uint32_t w = 0; w < tags.count; w++) {
                    const uint32_t begin = w ? by.ends[w - 1] : 0;
                    passes += passes_in(request, &tags, by.lanes + begin, by.ends[w] - begin, banks,
                                        &multi_line);
                }
            }
        }
        lookups += tags.count;
        sum += passes;
        multi_line_sum += multi_line;
    }
    return (struct fw_tag_cost){(double)lookups / POSITIONS, (double)sum / POSITIONS,
                                (double)multi_line_sum / POSITIONS};
}

uint32_t fw_tag_lookups(const struct fw_warp_request *request, uint32_t line)
{
    struct tag_lookups tags;
    find_lines(&tags, request, line);
    memset(tags.lookup, 0, tags.lines);
    assign_lookups(&tags, 0, line == HASHED);
    return tags.count;
}

double fw_tag_hit_wavefronts(const struct fw_tag_cost *cost, uint32_t passes)
{
    double waits = wavefronts_per_lookup * (cost->lookups - 1) / (passes ? passes : 1);
    return fmin(cost->wavefronts, passes + fmin(max_lookup_wavefronts, fmax(0, waits)));
}
