#include "cost_rate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *fw_cost_output_unit(const char *output)
{
    static const struct {
        const char *word, *unit;
    } rows[] = {{"time", "s"},  {"seconds", "s"}, {"power", "W"},
                {"watts", "W"}, {"energy", "J"},  {"joules", "J"}};
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++)
        if (strstr(output, rows[r].word))
            return rows[r].unit;
    return "";
}

/* Bytes of the type in a feature's name ("_float32"), 0: none is named. */
static double bytes_of(const char *feature)
{
    static const char *const types[] = {"_float", "_int", "_uint", "_complex"};
    for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++) {
        const char *at = strstr(feature, types[t]);
        long bits = at ? strtol(at + strlen(types[t]), NULL, 10) : 0;
        if (bits >= 8 && bits <= 1024)
            return (double)bits / 8;
    }
    return 0;
}

/* What a feature counts, and how many of it one is. */
static const char *unit_of_work(const struct fw_cost_model *model, uint32_t node, double *amount)
{
    static const struct {
        const char *prefix, *unit;
    } rows[] = {{"f_mem_access", "access"},
                {"f_op_", "op"},
                {"f_sync_barrier", "barrier"},
                {"f_thread_groups", "block"},
                {"f_sync_kernel_launch", "launch"}};
    const struct fw_cost_node *work = &model->graph.nodes.at[node];
    *amount = 1;
    if (work->operation != FW_COST_FEATURE)
        return "unit";
    const char *name = model->features.at[work->left].name;
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        if (strncmp(name, rows[r].prefix, strlen(rows[r].prefix)) != 0)
            continue;
        if (r == 0 && bytes_of(name) > 0) {
            *amount = bytes_of(name);
            return "B";
        }
        return rows[r].unit;
    }
    return "unit";
}

struct fw_cost_rate fw_cost_rate_of(struct fw_arena *arena, const struct fw_cost_model *model,
                                    const struct fw_cost_estimate *estimate)
{
    const struct fw_cost_parameter *parameter = &model->parameters.at[estimate->parameter];
    const char *output = fw_cost_output_unit(model->output);
    struct fw_cost_rate rate = {.work = "", .unit = "", .rate = NAN};
    double amount = parameter->per;
    if (!estimate->work)
        return rate;
    const char *unit =
        parameter->unit ? parameter->unit : unit_of_work(model, estimate->work, &amount);
    rate.work =
        fw_cost_text(arena, &model->graph, estimate->work, fw_cost_feature_names(model, arena),
                     fw_cost_parameter_names(model, arena));
    rate.unit =
        estimate->divides ? (*output ? fw_arena_printf(arena, "1/%s", output) : "") : output;
    if (!(estimate->value > 0))
        return rate;
    rate.rate = (estimate->divides ? estimate->value : 1 / estimate->value) * amount;
    rate.rate_unit = fw_arena_printf(arena, "%s%s%s", unit, *output ? "/" : "", output);
    return rate;
}
