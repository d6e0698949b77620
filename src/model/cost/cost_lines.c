/* The model cost: which source lines the slowest term comes from. */
#include "cost_answer.h"

#include <math.h>
#include <stdlib.h>

int cost_slowest_first(const void *a, const void *b)
{
    const struct fw_cost_row *x = a, *y = b;
    return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

/* Features that say where in the code their work is. */
static bool has_lines(enum fw_feature_kind kind)
{
    return kind == FW_FEATURE_OPERATION || kind == FW_FEATURE_MEMORY ||
           kind == FW_FEATURE_BARRIER || kind == FW_FEATURE_FLOPS || kind == FW_FEATURE_ISSUED ||
           kind == FW_FEATURE_MACHINE;
}

/* The slope of a parameter by one line's features; NAN: a feature cannot be told. */
static double slope_of_line(struct cost_work *work, double *features, double *values,
                            uint32_t parameter, uint32_t line)
{
    const struct cost_opened *opened = work->opened;
    const struct fw_model_question *question = work->question;
    struct fw_feature_source source = work->source;
    struct fw_feature_rows rows;
    fw_feature_rows_of_record(&rows, work->arena, question->kernel, question->bound,
                              question->launch, work->rows.warp, line);
    source.rows = &rows;
    source.line = line;
    for (size_t f = 0; f < opened->model->features.count; f++) {
        features[f] = 0;
        if (has_lines(opened->features[f].kind) &&
            fw_feature_value(&features[f], &opened->features[f], &source, (struct fw_span){0},
                             NULL) != FW_OK)
            return NAN;
    }
    fw_cost_run(values, &opened->program, features, 1, 1, opened->parameters);
    return values[opened->program.outputs[1 + parameter]];
}

/* The lines of the code that have instructions, each once, ascending. */
static uint32_t *lines_of(struct fw_arena *arena, const struct fw_kernel *kernel, size_t *count)
{
    uint32_t *lines = FW_ARRAY(arena, uint32_t, kernel->schedule_count + 1);
    *count = 0;
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        size_t at = 0;
        while (at < *count && lines[at] != kernel->schedule[i].line)
            at++;
        if (at == *count)
            lines[(*count)++] = kernel->schedule[i].line;
    }
    return lines;
}

void cost_find_lines(struct fw_prediction *prediction, struct cost_work *work, uint32_t parameter,
                     const struct fw_cost_row *term)
{
    enum { MOST = 200 };
    const struct cost_opened *opened = work->opened;
    const struct fw_kernel *kernel = work->question->kernel;
    size_t count;
    if (work->source.rows != &work->rows) /* domains have no lines of code */
        return;
    const uint32_t *lines = lines_of(work->arena, kernel, &count);
    struct fw_cost_row *rows = FW_ARRAY(work->arena, struct fw_cost_row, count + 1);
    double *features = FW_ARRAY(work->arena, double, opened->model->features.count + 1);
    double *values = FW_ARRAY(work->arena, double, fw_cost_scratch(&opened->program, 1));
    double sum = 0;
    size_t used = 0;
    for (size_t l = 0; l < count && count <= MOST; l++) {
        double seconds = opened->parameters[parameter] *
                         slope_of_line(work, features, values, parameter, lines[l]);
        sum += seconds;
        if (!(seconds > 0))
            continue;
        rows[used] = *term;
        rows[used].line = lines[l];
        rows[used].seconds = seconds;
        rows[used].share = seconds / term->seconds;
        rows[used++].amount = seconds * term->rate;
    }
    if (!(fabs(sum - term->seconds) <= 1e-6 * term->seconds))
        return;
    qsort(rows, used, sizeof(*rows), cost_slowest_first);
    prediction->lines = rows;
    prediction->line_count = used;
}
