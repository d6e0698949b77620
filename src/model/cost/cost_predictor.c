#include "cost_fit.h"

#include <math.h>

void fw_cost_predictor_new(struct fw_cost_predictor *predictor, struct fw_arena *arena,
                           struct fw_cost_model *model)
{
    uint32_t root = fw_cost_model_root(model, model->overlap);
    *predictor = (struct fw_cost_predictor){
        .parameters = FW_ARRAY(arena, double, model->parameters.count + 1),
        .feature_count = model->features.count,
        .model = model};
    for (size_t p = 0; p < model->parameters.count; p++)
        predictor->parameters[p] = model->parameters.at[p].value;
    fw_cost_compile(&predictor->program, arena, &model->graph, &root, 1);
}

double fw_cost_predict(const struct fw_cost_predictor *predictor, const double *features,
                       double *scratch)
{
    fw_cost_run(scratch, &predictor->program, features, 1, 1, predictor->parameters);
    return scratch[predictor->program.outputs[0]];
}

/* What a node is called in a message. */
static const char *describe(enum fw_cost_operation operation)
{
    switch (operation) {
    case FW_COST_DIVIDE:
        return "this division is by zero";
    case FW_COST_LOG:
        return "this logarithm is of a number that is not above 0";
    case FW_COST_SQRT:
        return "this root is of a negative number";
    case FW_COST_POWER:
        return "this power has no finite value";
    default:
        return "this has no finite value";
    }
}

void fw_cost_tell_not_finite(const struct fw_cost_program *program,
                             const struct fw_cost_model *model, const struct fw_cost_table *table,
                             const double *features, const double *parameters,
                             struct fw_arena *arena, const struct fw_sink *sink)
{
    double *values = FW_ARRAY(arena, double, fw_cost_scratch(program, 1));
    for (size_t r = 0; r < table->row_count; r++) {
        fw_cost_run(values, program, &features[r], table->row_count, 1, parameters);
        if (isfinite(values[program->outputs[0]]))
            continue;
        for (size_t s = 0; s < program->count; s++) {
            const struct fw_cost_node *node = &model->graph.nodes.at[program->steps[s].node];
            if (isfinite(values[s]))
                continue;
            fw_report(sink, FW_ERROR, "COST032",
                      node->place.source ? node->place : fw_span_of_source(model->source),
                      "row %s of %s: %s", table->rows[r], table->source->name,
                      describe(node->operation));
            return;
        }
    }
    fw_report(sink, FW_ERROR, "COST032", fw_span_of_source(model->source),
              "relative errors of the model's costs are not finite");
}

enum fw_status fw_cost_predict_rows(double *predicted, const struct fw_cost_predictor *predictor,
                                    struct fw_arena *arena, const struct fw_cost_data *data,
                                    const struct fw_cost_table *table, const struct fw_sink *sink)
{
    const struct fw_cost_program *program = &predictor->program;
    double *values = FW_ARRAY(arena, double, fw_cost_scratch(program, FW_COST_BLOCK));
    for (size_t first = 0; first < table->row_count; first += FW_COST_BLOCK) {
        size_t left = table->row_count - first, rows = left < FW_COST_BLOCK ? left : FW_COST_BLOCK;
        fw_cost_run(values, program, &data->features[first], table->row_count, rows,
                    predictor->parameters);
        for (size_t r = 0; r < rows; r++) {
            predicted[first + r] = values[program->outputs[0] * rows + r];
            if (isfinite(predicted[first + r]))
                continue;
            fw_cost_tell_not_finite(program, predictor->model, table, data->features,
                                    predictor->parameters, arena, sink);
            return FW_ERROR_INPUT;
        }
    }
    return FW_OK;
}
