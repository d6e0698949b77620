/* Traces in memory: equal ones are one, and iterations that are alike are one part of a loop. */
#include "trace_internal.h"

#include <math.h>
#include <string.h>

/* ---- equal traces ---- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static uint64_t mix_real(uint64_t hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return mix(hash, bits);
}

static uint64_t hash_of(const struct fw_trace_node *nodes, uint32_t count)
{
    uint64_t hash = count;
    for (uint32_t n = 0; n < count; n++) {
        const struct fw_trace_node *node = &nodes[n];
        hash = mix(hash, (uint64_t)node->is_loop << 1 | node->enters);
        hash = mix(hash, (uint64_t)node->first << 32 | node->count);
        hash = mix(hash, node->loop);
        hash = mix_real(mix_real(hash, node->share), node->lanes);
        if (node->blocks.from > 0 || node->blocks.to < 1)
            hash = mix_real(mix_real(hash, node->blocks.from), node->blocks.to);
        hash = mix_real(mix_real(hash, node->trips), node->step);
        hash = mix(hash, node->body ? node->body->hash : 0);
    }
    return hash;
}

static bool same_number(double a, double b)
{
    return !(a < b) && !(a > b);
}

/* All but the trips. */
static bool alike(const struct fw_trace_node *a, const struct fw_trace_node *b)
{
    return a->is_loop == b->is_loop && a->enters == b->enters && a->first == b->first &&
           a->count == b->count && a->loop == b->loop && a->body == b->body &&
           same_number(a->share, b->share) && same_number(a->lanes, b->lanes) &&
           same_number(a->blocks.from, b->blocks.from) && same_number(a->blocks.to, b->blocks.to) &&
           same_number(a->step, b->step);
}

static bool equal(const struct fw_trace *a, const struct fw_trace_node *nodes, uint32_t count)
{
    bool same = a->count == count;
    for (uint32_t n = 0; n < count && same; n++)
        same = alike(&a->nodes[n], &nodes[n]) && same_number(a->nodes[n].trips, nodes[n].trips);
    return same;
}

static const struct fw_trace **place(const struct trace_pool *pool, uint64_t hash,
                                     const struct fw_trace_node *nodes, uint32_t count)
{
    uint32_t at = (uint32_t)(hash & (pool->capacity - 1));
    while (pool->table[at] &&
           (pool->table[at]->hash != hash || (nodes && !equal(pool->table[at], nodes, count))))
        at = (at + 1) & (pool->capacity - 1);
    return &pool->table[at];
}

static void grow(struct trace_pool *pool)
{
    enum { FIRST = 64 };
    struct trace_pool larger = *pool;
    larger.capacity = pool->capacity ? 4 * pool->capacity : FIRST;
    larger.table = FW_ARRAY(pool->arena, const struct fw_trace *, larger.capacity);
    for (uint32_t i = 0; i < pool->capacity; i++)
        if (pool->table[i])
            *place(&larger, pool->table[i]->hash, pool->table[i]->nodes, pool->table[i]->count) =
                pool->table[i];
    *pool = larger;
}

const struct fw_trace *trace_intern(struct trace_pool *pool, const struct fw_trace_node *nodes,
                                    uint32_t count)
{
    uint64_t hash = hash_of(nodes, count);
    if (2 * pool->count >= pool->capacity)
        grow(pool);
    const struct fw_trace **found = place(pool, hash, nodes, count);
    if (*found)
        return *found;
    struct fw_trace *made = FW_NEW(pool->arena, struct fw_trace);
    *made = (struct fw_trace){.count = count, .hash = hash};
    if (count)
        made->nodes = fw_arena_copy(pool->arena, nodes, count * sizeof(*nodes));
    for (uint32_t n = 0; n < count; n++)
        made->stepped |= !same_number(nodes[n].step, 0);
    pool->count++;
    return *found = made;
}

/* ---- iterations of a loop ---- */

/* Whether `next` differs from `last` in the trips of loops alone, and by how much: in `steps`. A
 * loop whose body has steps of its own cannot have one: its executions would be no product. */
static bool steps_between(double *steps, const struct fw_trace *last, const struct fw_trace *next)
{
    if (last->count != next->count)
        return false;
    for (uint32_t n = 0; n < last->count; n++) {
        const struct fw_trace_node *a = &last->nodes[n], *b = &next->nodes[n];
        if (!alike(a, b))
            return false;
        steps[n] = b->trips - a->trips;
        if (!same_number(steps[n], 0) && (!a->is_loop || a->body->stepped))
            return false;
    }
    return !last->stepped;
}

static bool same_steps(const double *a, const double *b, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++)
        if (!same_number(a[n], b[n]))
            return false;
    return true;
}

void trace_parts_add(struct trace_parts *parts, struct trace_pool *pool,
                     const struct fw_trace *body, double trips)
{
    struct trace_part *last = parts->parts.count ? &parts->parts.at[parts->parts.count - 1] : NULL;
    if (last && last->last == body && !last->steps) {
        last->trips += trips;
        return;
    }
    /* A step is one iteration's. */
    bool single = same_number(trips, 1);
    if (last && single && body->count && (last->steps || same_number(last->trips, 1))) {
        struct fw_arena_mark mark = fw_arena_mark(pool->arena);
        double *steps = FW_ARRAY(pool->arena, double, body->count);
        bool follows = steps_between(steps, last->last, body) &&
                       (!last->steps || same_steps(steps, last->steps, body->count));
        if (follows) {
            last->last = body;
            last->trips += 1;
            if (!last->steps)
                last->steps = steps;
            return;
        }
        fw_arena_release(pool->arena, mark);
    }
    *FW_APPEND(pool->arena, &parts->parts) =
        (struct trace_part){.first = body, .last = body, .trips = trips};
}

void trace_parts_finish(struct trace_parts *parts, struct trace_pool *pool, uint32_t loop,
                        double share, double lanes, struct fw_block_part blocks,
                        struct trace_list *to)
{
    for (size_t p = 0; p < parts->parts.count; p++) {
        const struct trace_part *part = &parts->parts.at[p];
        const struct fw_trace *body = part->first;
        if (part->steps) {
            struct fw_trace_node *nodes =
                fw_arena_copy(pool->arena, body->nodes, body->count * sizeof(*nodes));
            for (uint32_t n = 0; n < body->count; n++)
                nodes[n].step = part->steps[n];
            body = trace_intern(pool, nodes, body->count);
        }
        *FW_APPEND(pool->arena, &to->nodes) = (struct fw_trace_node){.is_loop = true,
                                                                     .share = share,
                                                                     .lanes = lanes,
                                                                     .blocks = blocks,
                                                                     .loop = loop,
                                                                     .enters = p == 0,
                                                                     .trips = part->trips,
                                                                     .body = body};
    }
}

/* ---- counting ---- */

struct counting {
    const struct fw_traces *traces;
    double *issues, *threads;
};

/* `trips`: iterations of the node that the trace is the body of, over which steps go. */
static void count_in(const struct counting *to, const struct fw_trace *trace, double weight,
                     double trips)
{
    for (uint32_t n = 0; n < trace->count; n++) {
        const struct fw_trace_node *node = &trace->nodes[n];
        double here = weight * node->share;
        if (node->is_loop) {
            double mean = node->trips + node->step * (trips - 1) / 2;
            count_in(to, node->body, here * mean, node->trips);
            continue;
        }
        for (uint32_t i = node->first; i < node->first + node->count; i++) {
            to->issues[to->traces->order[i]] += here;
            to->threads[to->traces->order[i]] += here * node->lanes;
        }
    }
}

void fw_trace_count(const struct fw_traces *traces, const struct fw_trace *trace, double weight,
                    double *issues, double *threads)
{
    const struct counting to = {traces, issues, threads};
    count_in(&to, trace, weight, 1);
}

static double issues_in(const struct fw_trace *trace, double trips)
{
    double sum = 0;
    for (uint32_t n = 0; n < trace->count; n++) {
        const struct fw_trace_node *node = &trace->nodes[n];
        double times = node->is_loop ? node->trips + node->step * (trips - 1) / 2 : node->count;
        sum += node->share * times * (node->is_loop ? issues_in(node->body, node->trips) : 1);
    }
    return sum;
}

double fw_trace_issues(const struct fw_trace *trace)
{
    return issues_in(trace, 1);
}

uint32_t fw_trace_nodes(const struct fw_trace *trace, uint32_t most)
{
    uint32_t sum = trace->count < most ? trace->count : most;
    for (uint32_t n = 0; n < trace->count && sum < most; n++)
        if (trace->nodes[n].is_loop)
            sum += fw_trace_nodes(trace->nodes[n].body, most - sum);
    return sum;
}
