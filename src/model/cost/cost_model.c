#include "cost_model.h"

#include <math.h>
#include <string.h>

/* Sharpness at the start: at costs that differ by a tenth of their sum the step is 0.73. */
#define EDGE_START 5.0

/* The parameter of this name, which the text may have declared, or a new one. */
static uint32_t own_parameter(struct fw_cost_model *model, const char *name, double high,
                              double start)
{
    size_t p = 0;
    while (p < model->parameters.count && strcmp(model->parameters.at[p].name, name) != 0)
        p++;
    if (p == model->parameters.count)
        *FW_APPEND(model->graph.arena, &model->parameters) =
            (struct fw_cost_parameter){.name = name,
                                       .place = fw_span_of_source(model->source),
                                       .declared = true,
                                       .per = 1,
                                       .start = NAN,
                                       .high = INFINITY,
                                       .value = NAN,
                                       .error = NAN,
                                       .from = NAN,
                                       .to = NAN};
    struct fw_cost_parameter *own = &model->parameters.at[p];
    if (!own->bounded)
        own->high = high;
    if (!own->bounded)
        own->low = 0;
    own->bounded = true;
    if (isnan(own->start))
        own->start = fmin(fmax(start, own->low), own->high);
    return fw_cost_leaf(&model->graph, FW_COST_PARAMETER, (uint32_t)p, own->place);
}

uint32_t fw_cost_model_root(struct fw_cost_model *model, enum fw_cost_overlap overlap)
{
    enum { EDGE_MOST = 1000 }; /* a step from 0.01 to 0.99 within 0.5 % of the sum */
    struct fw_cost_graph *graph = &model->graph;
    struct fw_span place = fw_span_of_source(model->source);
    uint32_t memory = model->groups[FW_COST_MEMORY], chip = model->groups[FW_COST_ON_CHIP],
             overhead = model->groups[FW_COST_OVERHEAD];
    if (!model->grouped)
        return model->cost;
    uint32_t sum = fw_cost_combine(graph, FW_COST_ADD, memory, chip, place), costs = sum;
    if (overlap != FW_COST_OVERLAP_NONE) {
        uint32_t edge = own_parameter(model, "p_edge", EDGE_MOST, EDGE_START);
        costs = fw_cost_smooth_maximum(graph, memory, chip, edge, place);
    }
    if (overlap == FW_COST_OVERLAP_PARTIAL) { /* sum - w (sum - maximum) */
        uint32_t share = own_parameter(model, "p_overlap", 1, 0.5);
        uint32_t least = fw_cost_combine(graph, FW_COST_SUBTRACT, sum, costs, place);
        uint32_t hidden = fw_cost_combine(graph, FW_COST_MULTIPLY, share, least, place);
        costs = fw_cost_combine(graph, FW_COST_SUBTRACT, sum, hidden, place);
    }
    return fw_cost_combine(graph, FW_COST_ADD, overhead, costs, place);
}

const char *const *fw_cost_feature_names(const struct fw_cost_model *model, struct fw_arena *arena)
{
    const char **names = FW_ARRAY(arena, const char *, model->features.count + 1);
    for (size_t f = 0; f < model->features.count; f++)
        names[f] = model->features.at[f].name;
    return names;
}

const char *const *fw_cost_parameter_names(const struct fw_cost_model *model,
                                           struct fw_arena *arena)
{
    const char **names = FW_ARRAY(arena, const char *, model->parameters.count + 1);
    for (size_t p = 0; p < model->parameters.count; p++)
        names[p] = model->parameters.at[p].name;
    return names;
}
