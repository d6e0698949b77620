/* Tags: how many wavefronts of the load-store unit's data stage bring one warp instruction's data.
 *
 * L1's tags are in four banks, each of which looks one line up at a time; a hash of the line's
 * number says in which.  What is found together goes through the data stage together: by groups of
 * lanes (64 bits: halves of a warp, 128 bits: quarters), each as often as one of 32 banks of 4
 * bytes has distinct words.  Takes the lanes' addresses; knows nothing of what is in L1: loads that
 * find all their lines may be put together better (docs/memory-traffic.md). */
#ifndef FW_L1_TAGS_H
#define FW_L1_TAGS_H

#include "warp_request.h"

/* The place of an instruction's first line among so many is kept, what is above is anywhere. */
enum { FW_TAG_NEAR_LINES = 4 };

/* What an instruction takes, as the mean over four places at which its memory may begin. */
struct fw_tag_cost {
    double lookups;           /* of tags: lines, four at a time if they are in different banks */
    double wavefronts;        /* of the data stage */
    double multi_line_passes; /* of those: where lanes going together touch more lines than they
                                 take passes */
};

/* Of an instruction where lines are `line` bytes. */
struct fw_tag_cost fw_tag_cost(const struct fw_warp_request *request, uint32_t line);

/* How often tags are looked up for an instruction whose memory begins where it is stated to. */
uint32_t fw_tag_lookups(const struct fw_warp_request *request, uint32_t line);

/* Wavefronts of a load whose lines are all there, `passes` by banks: what is looked up in turn goes
 * through the data stage together, but for what waiting costs: half a wavefront a further look-up,
 * shared by the passes, and at most 1.8 (patterns of lanes on an H200). */
double fw_tag_hit_wavefronts(const struct fw_tag_cost *demand, uint32_t passes);

#endif
