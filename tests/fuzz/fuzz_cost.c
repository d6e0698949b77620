/* Any bytes are read as a cost model and, behind a line "%%", as a table of measurements: fitted,
 * written, read back and evaluated, or refused with a diagnostic. */
#include "cost_fit.h"
#include "cost_rate.h"
#include "fuzzing.h"

#include <math.h>

enum { NODES_MOST = 300, ROWS_MOST = 40, PARAMETERS_MOST = 12 };

static void check(enum fw_status status, unsigned errors, const void *made)
{
    if ((status == FW_OK) != (made != NULL))
        fail("status and result do not agree");
    if (status && !errors)
        fail("refused without a diagnostic");
}

/* Derivatives are made, or the graph is full; and they give numbers. */
static void differentiate(struct fw_arena *arena, struct fw_cost_model *model)
{
    size_t count = model->parameters.count;
    uint32_t *slopes = FW_ARRAY(arena, uint32_t, count + 1);
    uint32_t root = fw_cost_model_root(model, FW_COST_OVERLAP_NONE);
    fw_cost_derivatives(slopes, &model->graph, root, count);
    if (model->graph.full || !count)
        return;
    struct fw_cost_program program;
    fw_cost_compile(&program, arena, &model->graph, slopes, count);
    double *values = FW_ARRAY(arena, double, fw_cost_scratch(&program, 1) + 1);
    double *ones = FW_ARRAY(arena, double, model->features.count + count + 1);
    fw_cost_run(values, &program, ones, 1, 1, ones);
    fw_cost_text(arena, &model->graph, root, fw_cost_feature_names(model, arena),
                 fw_cost_parameter_names(model, arena));
}

/* What is written is read again and has the same values. */
static void read_back(struct fw_arena *arena, const struct fw_cost_calibration *made)
{
    const char *text = fw_cost_calibration_text(arena, made, "fuzz", NULL);
    const struct fw_source source = {"calibration", text, strlen(text)};
    unsigned errors = 0;
    const struct fw_sink sink = {hear, &errors};
    struct fw_cost_model *again;
    struct fw_cost_predictor predictor;
    for (size_t e = 0; e < made->chosen->estimate_count; e++)
        fw_cost_rate_of(arena, made->model, &made->chosen->estimates[e]);
    if (fw_cost_model_read(&again, arena, &source, &sink)) {
        fprintf(stderr, "%s\n", text);
        fail("a calibration that was written cannot be read");
    }
    for (size_t e = 0; e < made->chosen->estimate_count; e++) {
        const struct fw_cost_estimate *one = &made->chosen->estimates[e];
        const char *name = made->model->parameters.at[one->parameter].name;
        for (size_t p = 0; p < again->parameters.count; p++)
            if (strcmp(again->parameters.at[p].name, name) == 0 &&
                again->parameters.at[p].value != one->value)
                fail("a value changed on its way through the text");
    }
    fw_cost_predictor_new(&predictor, arena, again);
}

static void calibrate(struct fw_arena *arena, struct fw_cost_model *model,
                      const struct fw_cost_table *table)
{
    unsigned errors = 0;
    const struct fw_sink sink = {hear, &errors};
    const struct fw_cost_settings settings = {.starts = 2};
    struct fw_cost_calibration *made;
    enum fw_status status = fw_cost_calibrate(&made, arena, model, table, &settings, &sink);
    check(status, errors, made);
    if (made)
        read_back(arena, made);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fw_arena *arena = fw_arena_new(0);
    char *rest = fw_arena_text(arena, (const char *)data, size), *first = fuzz_part(&rest);
    const struct fw_source text = {"model", first, strlen(first)};
    unsigned errors = 0;
    const struct fw_sink sink = {hear, &errors};
    struct fw_cost_model *model;
    struct fw_cost_table *table = NULL;
    enum fw_status status = fw_cost_model_read(&model, arena, &text, &sink);
    check(status, errors, model);
    const struct fw_source other = {"table", rest ? rest : "", rest ? strlen(rest) : 0};
    if (rest) {
        errors = 0;
        status = fw_cost_table_read(&table, arena, &other, &sink);
        check(status, errors, table);
    }
    bool small =
        model && model->graph.nodes.count < NODES_MOST && model->parameters.count < PARAMETERS_MOST;
    if (model && !model->calibrated && table && small && table->row_count < ROWS_MOST)
        calibrate(arena, model, table);
    else if (model)
        differentiate(arena, model);
    fw_arena_free(arena);
    return 0;
}
