#include "l1_tags.h"

#include <math.h>
#include <string.h>

enum {
    WORD = 4,
    BANKS = 32,
    TAG_BANKS = 4,
    PLACES = 4,
    MOST_WORDS = 4 * BANKS,
    HASHED = 128 /* bytes of a line: what was measured */
};

/* The bits of a line's number whose parity is one of the two bits of its tag bank's number, as the
 * wavefronts of tags of an H200 tell: bits 0 to 9 by 226 patterns of lanes, all explained; 10 to 18
 * by rows and planes that far apart (five, box27 and cross_1_1 in data/h200/traffic), within 1%. */
static const uint64_t parity_low = 0x37ab5, parity_high = 0x4d5da;

static uint32_t tag_bank(int64_t line)
{
    uint64_t bits = (uint64_t)line;
    return (uint32_t)(__builtin_parityll(bits & parity_low) | __builtin_parityll(bits & parity_high)
                                                                  << 1);
}

/* Lanes with their lines, and the wavefront of tags in which each line comes. */
struct waves {
    uint32_t count, lines;
    int64_t seen[FW_WARP_MAX_LANES]; /* by line, in the order in which lanes first touch them */
    uint8_t wave[FW_WARP_MAX_LANES];
    uint8_t of[FW_WARP_MAX_LANES], line[FW_WARP_MAX_LANES]; /* by lane; lines from 1 */
};

static void find_lines(struct waves *waves, const struct fw_warp_request *request, int64_t line)
{
    waves->lines = 0;
    for (uint32_t l = 0; l < request->lanes; l++) {
        int64_t at = (request->at[l] - (request->at[l] < 0 ? line - 1 : 0)) / line;
        uint32_t s = waves->lines;
        while (s && waves->seen[s - 1] != at)
            s--;
        if (!s) {
            waves->seen[waves->lines] = at;
            s = ++waves->lines;
        }
        waves->line[l] = (uint8_t)s;
    }
}

/* The lines' wavefronts, were they `shift` lines further on: each of the four tag banks looks one
 * of its lines up at a time. Whether they are others than before. */
static bool find_waves(struct waves *waves, int64_t shift, bool hashed)
{
    uint32_t in_bank[TAG_BANKS] = {0};
    bool others = false;
    waves->count = 0;
    for (uint32_t s = 0; s < waves->lines; s++) {
        int64_t at = waves->seen[s] + shift;
        uint32_t bank = hashed ? tag_bank(at) : (uint32_t)at % TAG_BANKS;
        uint8_t wave = (uint8_t)in_bank[bank]++;
        others |= waves->wave[s] != wave;
        waves->wave[s] = wave;
        waves->count = wave >= waves->count ? wave + 1u : waves->count;
    }
    return others;
}

/* The most distinct words in one bank of those that lanes `first` to `last` of a wave touch; 0:
 * none of them is in it.  Counts in `*further` if they touch more lines
 * than that. */
static uint32_t passes_in(const struct fw_warp_request *request, const struct waves *waves,
                          uint32_t wave, uint32_t first, uint32_t last, uint32_t banks,
                          uint32_t *further)
{
    int64_t words[MOST_WORDS];
    uint8_t next[MOST_WORDS], head[BANKS] = {0}, held[BANKS] = {0}; /* chains, from 1 */
    uint32_t count = 0, most = 0, lines = 0;
    uint64_t seen = 0;
    for (uint32_t l = first; l < last; l++) {
        if (waves->of[l] != wave)
            continue;
        lines += !(seen >> (waves->line[l] - 1) & 1);
        seen |= (uint64_t)1 << (waves->line[l] - 1);
        for (int64_t at = request->at[l]; at < request->at[l] + request->bytes; at += WORD) {
            int64_t word = at >= 0 ? at / WORD : -((WORD - 1 - at) / WORD);
            uint32_t bank = (uint32_t)((uint64_t)word % banks), w = head[bank];
            while (w && words[w - 1] != word)
                w = next[w - 1];
            if (w || count == MOST_WORDS)
                continue;
            words[count] = word;
            next[count] = head[bank];
            head[bank] = (uint8_t)++count;
            most = ++held[bank] > most ? held[bank] : most;
        }
    }
    *further += lines > most;
    return most;
}

struct fw_tag_cost fw_tag_cost(const struct fw_warp_request *request, uint32_t line)
{
    uint32_t warp = request->lanes > 32 ? FW_WARP_MAX_LANES : 32, banks = line / WORD;
    uint32_t group = request->bytes > WORD ? warp * WORD / request->bytes : warp, sum = 0, beyond = 0,
             lookups = 0;
    int64_t from = request->lanes ? request->at[0] / line : 0;
    banks = banks && banks <= BANKS ? banks : BANKS;
    group = group ? group : 1;
    struct waves here;
    uint32_t passes = 0, several = 0;
    find_lines(&here, request, line);
    for (uint32_t p = 0; p < PLACES; p++) {
        /* Its place within four lines is kept, what is above is anywhere. */
        int64_t place =
            from % FW_TAG_NEAR_LINES + FW_TAG_NEAR_LINES * (int64_t)(p * 0x9e3779b1u >> 20);
        if (p == 0)
            memset(here.wave, 0xff, here.lines);
        if (find_waves(&here, place - from, line == HASHED)) {
            passes = several = 0;
            for (uint32_t l = 0; l < request->lanes; l++)
                here.of[l] = here.wave[here.line[l] - 1];
            for (uint32_t w = 0; w < here.count; w++)
                for (uint32_t first = 0; first < request->lanes; first += group) {
                    uint32_t last = first + group < request->lanes ? first + group : request->lanes;
                    passes += passes_in(request, &here, w, first, last, banks, &several);
                }
        }
        lookups += here.count;
        sum += passes;
        beyond += several;
    }
    return (struct fw_tag_cost){(double)lookups / PLACES, (double)sum / PLACES,
                                (double)beyond / PLACES};
}

uint32_t fw_tag_lookups(const struct fw_warp_request *request, uint32_t line)
{
    struct waves waves;
    find_lines(&waves, request, line);
    memset(waves.wave, 0, waves.lines);
    find_waves(&waves, 0, line == HASHED);
    return waves.count;
}

double fw_tag_hit_wavefronts(const struct fw_tag_cost *demand, uint32_t passes)
{
    double waits = (demand->lookups - 1) / 2 / (passes ? passes : 1);
    return fmin(demand->wavefronts, passes + fmin(1.8, fmax(0, waits)));
}
