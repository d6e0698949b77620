/* Trace parts: nodes of a trace that are parts of one loop, one behind the other: iterations that
 * differ, in lanes or in how far they go.  Takes and gives nodes of a trace; changes nothing. */
#ifndef FW_TRACE_PARTS_H
#define FW_TRACE_PARTS_H

#include "trace.h"

/* Whether a node is a further part of the loop that the one before it is of. */
bool fw_trace_goes_round(const struct fw_trace *trace, uint32_t n);

/* Threads that go through a part of a loop. */
double fw_trace_part_lanes(const struct fw_trace_node *node);

/* Behind the last part of a loop: how many times lanes left it; 0 behind others. */
uint32_t fw_trace_ways_of(const struct fw_trace *trace, uint32_t n);

/* How many nodes from this one on are parts of one loop that run the same instructions, some of
 * them with fewer lanes. */
uint32_t fw_trace_parts_of(const struct fw_trace *trace, uint32_t first);

/* Whether a node is what warps go through of a loop's last iteration before they leave it in its
 * middle. */
bool fw_trace_is_rest(const struct fw_trace *trace, uint32_t n);

#endif
