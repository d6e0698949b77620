#include "resource_term.h"

#include <math.h>
#include <stdlib.h>

static double blocks_of(const struct fw_launch *launch)
{
    return (double)((uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2]);
}

/* The busiest multiprocessor's share over the mean one's: blocks are whole. */
static double imbalance(const struct fw_launch *launch, const struct fw_device *device)
{
    double multiprocessors = 1, blocks = blocks_of(launch);
    fw_device_figure(device, FW_FIGURE_MULTIPROCESSORS, &multiprocessors);
    return ceil(blocks / multiprocessors) * multiprocessors / blocks;
}

static int slowest_first(const void *a, const void *b)
{
    const struct fw_resource_term *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? 1 : -1;
    return x->resource < y->resource ? -1 : x->resource > y->resource;
}

static int largest_first(const void *a, const void *b)
{
    const struct fw_resource_term *x = a, *y = b;
    if (x->amount != y->amount)
        return x->amount < y->amount ? 1 : -1;
    return x->line < y->line ? -1 : x->line > y->line;
}

bool fw_launch_overhead(double *seconds, const struct fw_device *device)
{
    const struct fw_figure_value *curve = &device->figures[FW_FIGURE_EMPTY_KERNEL];
    if (!curve->known || curve->count == 0)
        return false;
    *seconds = curve->list[1];
    return true;
}

/* Dispatching blocks takes time: what an empty kernel of as many blocks takes beyond a small one.
 */
static void add_dispatch(struct fw_resource_terms *terms, double blocks,
                         const struct fw_device *device)
{
    double all, least;
    if (!fw_launch_overhead(&least, device) ||
        !fw_device_curve(device, FW_FIGURE_EMPTY_KERNEL, blocks, &all) || !(all > least))
        return;
    terms->at[terms->count++] = (struct fw_resource_term){.resource = FW_RESOURCE_DISPATCH,
                                                          .figure = FW_FIGURE_EMPTY_KERNEL,
                                                          .amount = blocks,
                                                          .seconds = all - least,
                                                          .rate = blocks / (all - least)};
}

/* Results that the f32 unit gives, of those that it or the integer unit can: ptxas writes so many
 * of the operations for it that both units have as many (src/sm/machine_cost.c). */
static double taken_over(const struct fw_demand *demand)
{
    const double products = fw_demand_sum(demand, FW_RESOURCE_F32) +
                            fw_demand_sum(demand, FW_RESOURCE_INTEGER_MULTIPLY);
    const double more = fw_demand_sum(demand, FW_RESOURCE_INTEGER) - products;
    return fmin(fmax(0, more / 2), demand->either);
}

/* Cycles in which schedulers issue nothing, since threads part at branches through tables. */
static double held(const struct fw_demand *demand, const struct fw_device *device)
{
    double cycles = 0;
    fw_device_figure(device, FW_FIGURE_PLACE_ISSUE, &cycles);
    return fmax(0, demand->places * cycles);
}

void fw_resource_terms_find(struct fw_resource_terms *terms, const struct fw_demand *demand,
                            const struct fw_launch *launch, const struct fw_device *device,
                            double clock)
{
    double uneven = imbalance(launch, device), over = taken_over(demand);
    *terms = (struct fw_resource_terms){
        .at = FW_ARRAY(demand->arena, struct fw_resource_term, FW_RESOURCE_COUNT)};
    for (int r = 0; r < FW_RESOURCE_DISPATCH; r++) {
        struct fw_resource_term term = {.resource = (enum fw_resource)r};
        term.amount = fw_demand_sum(demand, term.resource);
        term.amount += r == FW_RESOURCE_F32 ? over : r == FW_RESOURCE_INTEGER ? -over : 0;
        term.held = r == FW_RESOURCE_ISSUE ? held(demand, device) : 0;
        term.amount += term.held;
        term.figure = fw_resource_figure(term.resource, device);
        if (!(term.amount > 0))
            continue;
        if (!fw_resource_rate(&term.rate, term.resource, device, clock, demand->by_warps)) {
            *FW_APPEND(demand->arena, &terms->absent) =
                fw_arena_printf(demand->arena, "The profile has no %s: %s has no term.",
                                fw_figure_row(term.figure)->name, fw_resource_text(term.resource));
            continue;
        }
        term.seconds = term.amount / term.rate;
        if (fw_resource_is_of_multiprocessor(term.resource))
            term.seconds *= uneven;
        terms->at[terms->count++] = term;
    }
    add_dispatch(terms, blocks_of(launch), device);
    qsort(terms->at, terms->count, sizeof(*terms->at), slowest_first);
    for (uint32_t t = 0; t < terms->count; t++)
        terms->at[t].share =
            terms->at[0].seconds > 0 ? terms->at[t].seconds / terms->at[0].seconds : 0;
}

uint32_t fw_resource_terms_by_line(struct fw_resource_term **lines,
                                   const struct fw_resource_terms *terms,
                                   const struct fw_demand *demand)
{
    uint32_t t = 0, count = 0; /* no line dispatches blocks: the next resource then */
    while (t < terms->count && terms->at[t].resource == FW_RESOURCE_DISPATCH)
        t++;
    if (t == terms->count)
        return 0;
    const struct fw_resource_term *top = &terms->at[t];
    *lines = FW_ARRAY(demand->arena, struct fw_resource_term, demand->lines.count + 1);
    for (size_t l = 0; l < demand->lines.count; l++) {
        double amount = demand->lines.at[l].amounts[top->resource];
        if (!(amount > 0) || demand->lines.at[l].line == 0)
            continue;
        struct fw_resource_term *row = &(*lines)[count++];
        *row = *top;
        row->line = demand->lines.at[l].line;
        row->amount = amount;
        row->share = amount / fw_demand_sum(demand, top->resource);
        row->seconds = top->seconds * row->share;
    }
    qsort(*lines, count, sizeof(**lines), largest_first);
    return count;
}
