#include "trace_parts.h"

bool fw_trace_goes_round(const struct fw_trace *trace, uint32_t n)
{
    return n > 0 && n < trace->count && trace->nodes[n].is_loop && !trace->nodes[n].enters &&
           trace->nodes[n - 1].is_loop && trace->nodes[n - 1].loop == trace->nodes[n].loop;
}

double fw_trace_part_lanes(const struct fw_trace_node *node)
{
    return node->body->count ? node->body->nodes[0].lanes : node->lanes;
}

uint32_t fw_trace_ways_of(const struct fw_trace *trace, uint32_t n)
{
    uint32_t ways = 1;
    if (fw_trace_goes_round(trace, n + 1))
        return 0;
    for (; fw_trace_goes_round(trace, n); n--)
        ways += fw_trace_part_lanes(&trace->nodes[n]) < fw_trace_part_lanes(&trace->nodes[n - 1]);
    return ways;
}

uint32_t fw_trace_parts_of(const struct fw_trace *trace, uint32_t first)
{
    const struct fw_trace_node *node = &trace->nodes[first];
    const struct fw_trace_node *run = &node->body->nodes[0];
    uint32_t n = first + 1;
    for (; n < trace->count; n++) {
        const struct fw_trace_node *next = &trace->nodes[n];
        if (!next->is_loop || next->enters || next->loop != node->loop || next->share < 1 ||
            next->step > 0 || next->step < 0 || next->body->count != 1)
            break;
        const struct fw_trace_node *other = &next->body->nodes[0];
        if (other->is_loop || other->first != run->first || other->count != run->count)
            break;
    }
    return n - first;
}

bool fw_trace_is_rest(const struct fw_trace *trace, uint32_t n)
{
    return fw_trace_goes_round(trace, n) && trace->nodes[n].trips <= 1 &&
           trace->nodes[n].body->count == 1 && trace->nodes[n - 1].body->count == 1 &&
           trace->nodes[n].body->nodes[0].count < trace->nodes[n - 1].body->nodes[0].count;
}
