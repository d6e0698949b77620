/* L1 tags: how many wavefronts of the load-store unit's data stage one request takes.
 *
 * The tags of L1 are in four banks.  Each bank looks up one line at a time, and a hash of the
 * line's number selects the bank.  Lanes whose lines are found in the same lookup pass the data
 * stage together, in groups (64-bit accesses: half warps; 128-bit accesses: quarter warps).  A
 * group takes as many passes as the most distinct words that it touches in one of 32 banks of 4
 * bytes.  Takes the addresses of the lanes.  Never knows what L1 holds; fw_tag_hit_wavefronts is
 * the case in which it holds everything. */
#ifndef FW_L1_TAGS_H
#define FW_L1_TAGS_H

#include "warp_request.h"

/* A request keeps its position within so many lines; its position in memory above that is averaged.
 */
enum { FW_TAG_NEAR_LINES = 4 };

/* Lines per wavefront of a request whose lanes touch random lines: 32 lines take 12 to 13
 * wavefronts (gather and scatter on an H200, data/h200/kernels.jsonl). */
static const double fw_random_lines_per_wavefront = 2.5;

/* The cost of one request, as the mean over four positions of its memory. */
struct fw_tag_cost {
    double lookups;           /* tag lookups: lines, up to four at a time from different banks */
    double wavefronts;        /* passes of the data stage */
    double multi_line_passes; /* of these: passes whose lanes touch more lines than the passes of
                                 their group */
};

/* The cost of a request, with lines of `line` bytes. */
struct fw_tag_cost fw_tag_cost(const struct fw_warp_request *request, uint32_t line);

/* Tag lookups of a request at its exact addresses. */
uint32_t fw_tag_lookups(const struct fw_warp_request *request, uint32_t line);

/* Wavefronts of a load that hits L1 with all lines; `passes` by bank conflicts alone.  Hits of
 * successive lookups pass the data stage together; the constants in l1_tags.c say what waiting for
 * further lookups costs. */
double fw_tag_hit_wavefronts(const struct fw_tag_cost *cost, uint32_t passes);

#endif
