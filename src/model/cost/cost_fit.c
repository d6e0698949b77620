#include "cost_internal.h"

#include "least_squares.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many starts that reach the same minimum are enough, where no number of starts is stated. */
enum { STARTS = 8, STARTS_ENOUGH = 3, SCOUT_MOST = 60, FINAL_MOST = 2000 };

/* ---- residuals ---- */

/* Beyond such an error a model that is `robust` counts it by its size, not by its square. */
static const double ROBUST = 0.1;

/* Pseudo-Huber loss as a residual: e with e^2 = 2 s^2 (sqrt(1 + (r/s)^2) - 1). */
static double softened(double r)
{
    double x = r / ROBUST;
    return copysign(ROBUST * sqrt(2 * (sqrt(1 + x * x) - 1)), r);
}

/* Its derivative. */
static double softened_slope(double r)
{
    double x = r / ROBUST, e = softened(r);
    return fabs(x) < 1e-4 ? 1 : r / (e * sqrt(1 + x * x));
}

/* The error of a value: relative, or the logarithm of the ratio. */
static double error_of(const struct fw_cost_model *model, double value, double measured)
{
    return model->logarithmic ? log(value / measured) : value / measured - 1;
}

/* What the slopes of some rows are to be multiplied by, which makes those of residuals of them. */
static void find_factors(double *factors, struct fw_cost_fitting *fitting, size_t first,
                         size_t rows)
{
    const struct fw_cost_model *model = fitting->calibration->model;
    const double *measured = &fitting->measured[first];
    for (size_t r = 0; r < rows; r++)
        factors[r] = 1 / measured[r];
    if (!model->logarithmic && !model->robust)
        return;
    fw_cost_run(fitting->scratch, &fitting->value, &fitting->features[first], fitting->rows, rows,
                fitting->all);
    const double *values = &fitting->scratch[fitting->value.outputs[0] * rows];
    for (size_t r = 0; r < rows; r++) {
        if (model->logarithmic)
            factors[r] = 1 / values[r];
        if (model->robust)
            factors[r] *= softened_slope(error_of(model, values[r], measured[r]));
    }
}

/* Errors of rows, or their slopes by parameter. */
bool fw_cost_residuals(void *user, const double *at, double *residuals, double *jacobian)
{
    struct fw_cost_fitting *fitting = user;
    const struct fw_cost_model *model = fitting->calibration->model;
    const struct fw_cost_program *program = residuals ? &fitting->value : &fitting->slopes;
    double sum = 0, factors[FW_COST_BLOCK]; /* not finite when one of them is not */
    for (size_t a = 0; a < fitting->count; a++)
        fitting->all[fitting->active[a]] = at[a];
    for (size_t first = 0; first < fitting->rows; first += FW_COST_BLOCK) {
        size_t rows = fitting->rows - first < FW_COST_BLOCK ? fitting->rows - first : FW_COST_BLOCK;
        if (!residuals)
            find_factors(factors, fitting, first, rows);
        fw_cost_run(fitting->scratch, program, &fitting->features[first], fitting->rows, rows,
                    fitting->all);
        for (size_t o = 0; o < program->output_count; o++) {
            const double *values = &fitting->scratch[program->outputs[o] * rows];
            double *to = residuals ? &residuals[first] : &jacobian[o * fitting->rows + first];
            for (size_t r = 0; r < rows; r++) {
                if (!residuals)
                    to[r] = values[r] * factors[r];
                else {
                    to[r] = error_of(model, values[r], fitting->measured[first + r]);
                    to[r] = model->robust ? softened(to[r]) : to[r];
                }
                sum += to[r] * to[r];
            }
        }
    }
    return isfinite(sum);
}

/* ---- what is fitted ---- */

static void take_rows(struct fw_cost_fitting *fitting)
{
    const struct fw_cost_calibration *calibration = fitting->calibration;
    size_t all = calibration->table->row_count, features = calibration->model->features.count,
           next = 0;
    fitting->rows = calibration->fitted;
    fitting->features = FW_ARRAY(fitting->arena, double, features * fitting->rows + 1);
    fitting->measured = FW_ARRAY(fitting->arena, double, fitting->rows);
    for (size_t r = 0; r < all; r++) {
        if (calibration->held[r])
            continue;
        for (size_t f = 0; f < features; f++)
            fitting->features[f * fitting->rows + next] = calibration->data.features[f * all + r];
        fitting->measured[next++] = calibration->data.output[r];
    }
}

static bool is_zero_feature(const struct fw_cost_fitting *fitting, uint32_t feature)
{
    const double *column = &fitting->features[feature * fitting->rows];
    for (size_t r = 0; r < fitting->rows; r++)
        if (column[r] != 0)
            return false;
    return true;
}

/* Whether a node is 0 in all rows, by the features in it: 1 + a feature that makes it so, else 0.
 * `zero` has those of its operands. */
static uint32_t zero_of(const struct fw_cost_fitting *fitting, const struct fw_cost_node *node,
                        const uint32_t *zero)
{
    switch (node->operation) {
    case FW_COST_FEATURE:
        return is_zero_feature(fitting, node->left) ? node->left + 1 : 0;
    case FW_COST_ADD:
    case FW_COST_SUBTRACT:
        return zero[node->left] && zero[node->right] ? zero[node->left] : 0;
    case FW_COST_MULTIPLY:
        return zero[node->left] ? zero[node->left] : zero[node->right];
    case FW_COST_DIVIDE:
        return zero[node->left];
    default:
        return 0;
    }
}

/* Parameters of the form are its unknowns; a feature that is 0 in all rows leaves one unknown that
 * is multiplied with it alone. */
static enum fw_status take_leaves(struct fw_cost_fitting *fitting)
{
    struct fw_cost_model *model = fitting->calibration->model;
    const struct fw_cost_graph *graph = &model->graph;
    bool *needed = FW_ARRAY(fitting->arena, bool, graph->nodes.count);
    uint32_t *zero = FW_ARRAY(fitting->arena, uint32_t, graph->nodes.count);
    fitting->active = FW_ARRAY(fitting->arena, uint32_t, model->parameters.count + 1);
    fw_cost_mark(needed, graph, fitting->fit->root);
    for (uint32_t n = 0; n <= fitting->fit->root; n++) {
        const struct fw_cost_node *node = &graph->nodes.at[n];
        if (needed[n] && node->operation == FW_COST_PARAMETER)
            fitting->active[fitting->count++] = node->left;
        zero[n] = needed[n] ? zero_of(fitting, node, zero) : 0;
        bool product = node->operation == FW_COST_MULTIPLY || node->operation == FW_COST_DIVIDE;
        if (!zero[n] || !node->varies || !product)
            continue;
        const struct fw_cost_feature *feature = &model->features.at[zero[n] - 1];
        fw_report(fitting->sink, FW_ERROR, "COST031", feature->place,
                  "%s is 0 in all rows that are fitted: nothing tells its cost", feature->name);
        return FW_ERROR_INPUT;
    }
    if (!fitting->count) {
        fw_report(fitting->sink, FW_ERROR, "COST030", fw_span_of_source(model->source),
                  "the model has no parameter");
        return FW_ERROR_INPUT;
    }
    if (fitting->rows < fitting->count) {
        fw_report(fitting->sink, FW_ERROR, "COST030", fw_span_of_source(model->source),
                  "%zu measurements do not determine %zu parameters", fitting->rows,
                  fitting->count);
        return FW_ERROR_INPUT;
    }
    return FW_OK;
}

static enum fw_status differentiate(struct fw_cost_fitting *fitting)
{
    struct fw_cost_model *model = fitting->calibration->model;
    size_t all = model->parameters.count;
    uint32_t *slopes = FW_ARRAY(fitting->arena, uint32_t, all);
    fw_cost_derivatives(slopes, &model->graph, fitting->fit->root, all);
    if (model->graph.full) {
        fw_report(fitting->sink, FW_ERROR, "COST003", fw_span_of_source(model->source),
                  "the derivatives of the model are too large");
        return FW_ERROR_INPUT;
    }
    fitting->linear = true;
    for (size_t a = 0; a < fitting->count; a++) {
        slopes[a] = slopes[fitting->active[a]]; /* active numbers ascend: a <= active[a] */
        fitting->linear &= !model->graph.nodes.at[slopes[a]].varies;
    }
    fw_cost_compile(&fitting->value, fitting->arena, &model->graph, &fitting->fit->root, 1);
    fw_cost_compile(&fitting->slopes, fitting->arena, &model->graph, slopes, fitting->count);
    size_t value = fw_cost_scratch(&fitting->value, FW_COST_BLOCK),
           other = fw_cost_scratch(&fitting->slopes, FW_COST_BLOCK);
    fitting->scratch = FW_ARRAY(fitting->arena, double, value > other ? value : other);
    fitting->all = FW_ARRAY(fitting->arena, double, all);
    return FW_OK;
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* ---- starts ---- */

/* Half of the greatest cost a unit that no row forbids, were all its time this parameter's. */
static double guess(struct fw_cost_fitting *fitting, const struct fw_cost_estimate *estimate)
{
    struct fw_cost_program program;
    double least = INFINITY;
    if (!estimate->work)
        return NAN;
    fw_cost_compile(&program, fitting->arena, &fitting->calibration->model->graph, &estimate->work,
                    1);
    double *values = FW_ARRAY(fitting->arena, double, fw_cost_scratch(&program, 1));
    for (size_t r = 0; r < fitting->rows; r++) {
        fw_cost_run(values, &program, &fitting->features[r], fitting->rows, 1, fitting->all);
        double work = values[program.outputs[0]];
        if (work > 0 && isfinite(work))
            least = fmin(least, fitting->measured[r] / work);
    }
    if (!isfinite(least) || !(least > 0))
        return NAN;
    return estimate->divides ? 2 / least : least / 2;
}

static void make_bounds(struct fw_cost_fitting *fitting, double *start)
{
    const struct fw_cost_model *model = fitting->calibration->model;
    fitting->low = FW_ARRAY(fitting->arena, double, fitting->count);
    fitting->high = FW_ARRAY(fitting->arena, double, fitting->count);
    fitting->scale = FW_ARRAY(fitting->arena, double, fitting->count);
    for (size_t a = 0; a < fitting->count; a++) {
        const struct fw_cost_parameter *one = &model->parameters.at[fitting->active[a]];
        fitting->low[a] =
            fitting->settings->non_negative && !one->bounded ? fmax(one->low, 0) : one->low;
        fitting->high[a] = one->high;
        double stated =
            isnan(one->start) ? guess(fitting, &fitting->fit->estimates[a]) : one->start;
        if (isnan(stated))
            stated = isfinite(fitting->high[a]) && isfinite(fitting->low[a])
                         ? (fitting->low[a] + fitting->high[a]) / 2
                         : 1;
        start[a] = fmin(fmax(stated, fitting->low[a]), fitting->high[a]);
        fitting->scale[a] = start[a] != 0 ? fabs(start[a]) : 1;
    }
}

static double uniform(struct fw_random *random)
{
    return (double)(fw_random_next(random) >> 11) * 0x1p-53;
}

/* A start beside the first: a factor within three orders of magnitude, or anywhere between two
 * bounds. */
static void scatter(const struct fw_cost_fitting *fitting, double *at, const double *start,
                    struct fw_random *random)
{
    for (size_t a = 0; a < fitting->count; a++) {
        double low = fitting->low[a], high = fitting->high[a], u = uniform(random);
        double value = start[a] * pow(10, 3 * u - 1.5);
        if (isfinite(low) && isfinite(high) && high <= 1 && low >= -1)
            value = low + u * (high - low);
        at[a] = fmin(fmax(value, low), high);
    }
}

static void start_near(const struct fw_cost_fitting *fitting, double *at, const double *start,
                       const struct fw_cost_fit *near)
{
    memcpy(at, start, fitting->count * sizeof(double));
    for (size_t a = 0; a < fitting->count; a++)
        for (size_t e = 0; e < near->estimate_count; e++)
            if (near->estimates[e].parameter == fitting->active[a])
                at[a] = fmin(fmax(near->estimates[e].value, fitting->low[a]), fitting->high[a]);
}

/* How many of these sums of squares are the least one. */
static unsigned count_least(const double *sums, unsigned count, double least)
{
    unsigned equal = 0;
    for (unsigned s = 0; s < count; s++)
        equal += sums[s] <= least * (1 + 1e-3);
    return equal;
}

/* The best of several starts, then refined.  False: no start has a finite prediction. */
static bool search(struct fw_cost_fitting *fitting, const double *start,
                   const struct fw_cost_fit *near, double *best)
{
    const struct fw_cost_settings *settings = fitting->settings;
    const struct fw_least_squares problem = {.rows = fitting->rows,
                                             .parameters = fitting->count,
                                             .low = fitting->low,
                                             .high = fitting->high,
                                             .scale = fitting->scale,
                                             .evaluate = fw_cost_residuals,
                                             .user = fitting};
    struct fw_cost_fit *fit = fitting->fit;
    unsigned starts = fitting->linear ? 1 : settings->starts ? settings->starts : STARTS;
    struct fw_random random = {settings->seed};
    double least = INFINITY, *sums = FW_ARRAY(fitting->arena, double, starts + 1u);
    double *at = FW_ARRAY(fitting->arena, double, fitting->count);
    for (unsigned s = 0; s < starts; s++) {
        if (!settings->starts && count_least(sums, s, least) >= STARTS_ENOUGH)
            break;
        fit->starts = s + 1;
        if (s == 0)
            memcpy(at, start, fitting->count * sizeof(double));
        else if (s == 1 && near)
            start_near(fitting, at, start, near);
        else
            scatter(fitting, at, start, &random);
        sums[s] = fw_least_squares_solve(at, &problem, 1e-7, SCOUT_MOST, fitting->arena).square_sum;
        if (sums[s] < least) {
            least = sums[s];
            memcpy(best, at, fitting->count * sizeof(double));
        }
    }
    if (!isfinite(least))
        return false;
    struct fw_least_squares_result end =
        fw_least_squares_solve(best, &problem, 1e-13, FINAL_MOST, fitting->arena);
    fit->converged = end.converged;
    fit->agreed = count_least(sums, fit->starts, end.square_sum + 1e-20 * (double)fitting->rows);
    return true;
}

/* ---- what came of it ---- */

void fw_cost_errors(double *mean, double *geometric, const double *predicted,
                    const double *measured, size_t rows, const bool *held, bool which)
{
    double sum = 0, logarithms = 0;
    size_t count = 0;
    for (size_t r = 0; r < rows; r++) {
        if (held && held[r] != which)
            continue;
        double error = fabs(predicted[r] - measured[r]) / measured[r];
        sum += error;
        logarithms += log(fmax(error, 1e-12)); /* an exact row does not make the mean 0 */
        count++;
    }
    *mean = count ? sum / (double)count : (double)NAN;
    *geometric = count ? exp(logarithms / (double)count) : (double)NAN;
}

/* Predictions of all rows, held out or not, and the shares of parameters in them. */
static enum fw_status predict_all(struct fw_cost_fitting *fitting)
{
    const struct fw_cost_calibration *calibration = fitting->calibration;
    size_t rows = calibration->table->row_count;
    struct fw_cost_fit *fit = fitting->fit;
    struct fw_cost_program program;
    uint32_t *roots = FW_ARRAY(fitting->arena, uint32_t, fitting->count + 1);
    fit->predicted = FW_ARRAY(fitting->arena, double, rows);
    fit->shares = FW_ARRAY(fitting->arena, double, rows * fitting->count);
    roots[fitting->count] = fit->root;
    for (size_t e = 0; e < fitting->count; e++)
        roots[e] = fit->estimates[e].work;
    fw_cost_compile(&program, fitting->arena, &calibration->model->graph, roots,
                    fitting->count + 1);
    double *values = FW_ARRAY(fitting->arena, double, fw_cost_scratch(&program, 1));
    for (size_t r = 0; r < rows; r++) {
        fw_cost_run(values, &program, &calibration->data.features[r], rows, 1, fitting->all);
        double whole = values[program.outputs[fitting->count]];
        fit->predicted[r] = whole;
        for (size_t e = 0; e < fitting->count; e++) {
            const struct fw_cost_estimate *one = &fit->estimates[e];
            double work = values[program.outputs[e]];
            double cost = one->divides ? work / one->value : work * one->value;
            fit->shares[r * fitting->count + e] = one->work ? cost / whole : (double)NAN;
        }
        if (isfinite(whole))
            continue;
        fw_cost_tell_not_finite(&fitting->value, calibration->model, calibration->table,
                                calibration->data.features, fitting->all, fitting->arena,
                                fitting->sink);
        return FW_ERROR_INPUT;
    }
    return FW_OK;
}

static void summarize(struct fw_cost_fitting *fitting, const double *best)
{
    struct fw_cost_fit *fit = fitting->fit;
    const struct fw_cost_calibration *calibration = fitting->calibration;
    size_t rows = calibration->table->row_count;
    double *residuals = FW_ARRAY(fitting->arena, double, fitting->rows), sum = 0;
    fw_cost_residuals(fitting, best, residuals, NULL);
    for (size_t r = 0; r < fitting->rows; r++)
        sum += residuals[r] * residuals[r];
    double mean = sum / (double)fitting->rows;
    fit->rms = sqrt(mean);
    fw_cost_errors(&fit->mean_absolute, &fit->geometric_mean, fit->predicted,
                   calibration->data.output, rows, calibration->held, false);
    fw_cost_errors(&fit->held_mean, &fit->held_geometric, fit->predicted, calibration->data.output,
                   rows, calibration->held, true);
    /* Akaike's criterion for small samples (Burnham and Anderson, Model Selection and Multimodel
     * Inference, 2002, section 2.4); one more parameter is the variance.  Data without noise, whose
     * errors are those of rounding, do not count as more certain than 1e-9. */
    double n = (double)fitting->rows, k = (double)fit->free_count + 1;
    fit->criterion = n - k - 1 > 0
                         ? n * log(fmax(mean, 1e-18)) + 2 * k + 2 * k * (k + 1) / (n - k - 1)
                         : (double)NAN;
}

enum fw_status fw_cost_fit_form(struct fw_cost_fit **result, struct fw_arena *arena,
                                const struct fw_cost_calibration *calibration,
                                enum fw_cost_overlap overlap, const struct fw_cost_fit *near,
                                const struct fw_cost_settings *settings, const struct fw_sink *sink)
{
    struct fw_cost_fit *fit = FW_NEW(arena, struct fw_cost_fit);
    struct fw_cost_fitting fitting = {
        .arena = arena, .calibration = calibration, .settings = settings, .sink = sink, .fit = fit};
    *result = NULL;
    fit->overlap = overlap;
    fit->root = fw_cost_model_root(calibration->model, overlap);
    take_rows(&fitting);
    enum fw_status status = take_leaves(&fitting);
    if (status)
        return status;
    qsort(fitting.active, fitting.count, sizeof(*fitting.active), ascending);
    fit->estimates = FW_ARRAY(arena, struct fw_cost_estimate, fitting.count);
    fit->estimate_count = fitting.count;
    for (size_t a = 0; a < fitting.count; a++)
        fit->estimates[a].parameter = fitting.active[a];
    fw_cost_find_work(&fitting);
    if ((status = differentiate(&fitting)))
        return status;
    double *start = FW_ARRAY(arena, double, fitting.count),
           *best = FW_ARRAY(arena, double, fitting.count);
    make_bounds(&fitting, start);
    if (!search(&fitting, start, near, best)) {
        for (size_t a = 0; a < fitting.count; a++)
            fitting.all[fitting.active[a]] = start[a];
        fw_cost_tell_not_finite(&fitting.value, calibration->model, calibration->table,
                                calibration->data.features, fitting.all, arena, sink);
        return FW_ERROR_INPUT;
    }
    for (size_t a = 0; a < fitting.count; a++) {
        fitting.all[fitting.active[a]] = best[a];
        fit->estimates[a].value = best[a];
    }
    fw_cost_estimate(&fitting);
    if ((status = predict_all(&fitting)))
        return status;
    summarize(&fitting, best);
    *result = fit;
    return FW_OK;
}
