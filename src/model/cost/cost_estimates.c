#include "cost_internal.h"

#include "singular_values.h"
#include "student.h"

#include <math.h>
#include <string.h>

/* Belsley, Kuh and Welsch, Regression Diagnostics, 1980, section 3.2: a dependence is harmful from
 * a condition index of 30 on, for the parameters that have more than half of their variance in it.
 */
#define HARMFUL_CONDITION 30.0
#define HARMFUL_SHARE     0.5
/* It is told where errors are beyond this share of their values, or past the next condition. */
#define HARMFUL_ERROR 0.1
#define HOPELESS      1e6
/* Singular values below this part of the largest are rounding. */
#define ROUNDING 1e-11
/* A parameter takes part in a dependence from this component of its vector on. */
#define COMPONENT 0.05

/* ---- what a parameter is multiplied with ---- */

/* The parameters that are a node alone; UINT32_MAX: it is none. */
static uint32_t parameter_of(const struct fw_cost_graph *graph, uint32_t n)
{
    const struct fw_cost_node *node = &graph->nodes.at[n];
    return node->operation == FW_COST_PARAMETER ? node->left : UINT32_MAX;
}

static bool has_feature(const struct fw_cost_graph *graph, uint32_t root, struct fw_arena *arena)
{
    struct fw_arena_mark mark = fw_arena_mark(arena);
    bool *needed = FW_ARRAY(arena, bool, (size_t)root + 1), found = false;
    fw_cost_mark(needed, graph, root);
    for (uint32_t n = 0; n <= root; n++)
        found |= needed[n] && graph->nodes.at[n].operation == FW_COST_FEATURE;
    fw_arena_release(arena, mark);
    return found;
}

/* Work is known where a parameter has one use, and this is a product with what has features and no
 * parameter, or a division of that. */
void fw_cost_find_work(struct fw_cost_fitting *fitting)
{
    const struct fw_cost_graph *graph = &fitting->calibration->model->graph;
    struct fw_cost_fit *fit = fitting->fit;
    bool *needed = FW_ARRAY(fitting->arena, bool, (size_t)fit->root + 1);
    size_t parameters = fitting->calibration->model->parameters.count;
    uint32_t *uses = FW_ARRAY(fitting->arena, uint32_t, parameters),
             *estimate_of = FW_ARRAY(fitting->arena, uint32_t, parameters);
    fw_cost_mark(needed, graph, fit->root);
    for (size_t e = 0; e < fit->estimate_count; e++)
        estimate_of[fit->estimates[e].parameter] = (uint32_t)e;
    for (uint32_t n = 0; n <= fit->root; n++) {
        const struct fw_cost_node *node = &graph->nodes.at[n];
        if (!needed[n] || node->operation <= FW_COST_PARAMETER)
            continue;
        for (int side = 0; side < 2; side++) {
            uint32_t p = parameter_of(graph, side ? node->right : node->left),
                     other = side ? node->left : node->right;
            bool multiplies = node->operation == FW_COST_MULTIPLY,
                 divides = node->operation == FW_COST_DIVIDE && side == 1;
            if (p == UINT32_MAX)
                continue;
            struct fw_cost_estimate *one = &fit->estimates[estimate_of[p]];
            bool work = (multiplies || divides) && !graph->nodes.at[other].varies;
            work &= uses[p]++ == 0;
            one->work = work && has_feature(graph, other, fitting->arena) ? other : 0;
            one->divides = one->work && divides;
        }
    }
}

/* ---- errors ---- */

struct spectrum {
    size_t *columns; /* estimates that take part */
    size_t count;
    double *lengths; /* of their columns */
    double *scaled;  /* columns of length 1 */
    double *values, *vectors;
};

/* The free parameters' columns, each of length 1. */
static void take_spectrum(struct spectrum *spectrum, struct fw_cost_fitting *fitting,
                          const double *jacobian)
{
    struct fw_arena *arena = fitting->arena;
    size_t n = fitting->count, rows = fitting->rows;
    *spectrum = (struct spectrum){.columns = FW_ARRAY(arena, size_t, n),
                                  .lengths = FW_ARRAY(arena, double, n),
                                  .scaled = FW_ARRAY(arena, double, n *rows),
                                  .values = FW_ARRAY(arena, double, n),
                                  .vectors = FW_ARRAY(arena, double, n *n)};
    for (size_t a = 0; a < n; a++) {
        struct fw_cost_estimate *one = &fitting->fit->estimates[a];
        const double *column = &jacobian[a * rows];
        double square = 0, size = fmax(fabs(one->value), fitting->scale[a] * 1e-6);
        one->at_bound = one->value <= fitting->low[a] || one->value >= fitting->high[a];
        one->error = one->from = one->to = NAN;
        for (size_t r = 0; r < rows; r++)
            square += column[r] * column[r];
        fitting->fit->free_count += !one->at_bound;
        /* A change of the parameter by its own size that moves no row by 1e-12: it has no column.
         */
        if (one->at_bound || !(sqrt(square) * size > 1e-12))
            continue;
        double *to = &spectrum->scaled[spectrum->count * rows];
        for (size_t r = 0; r < rows; r++)
            to[r] = column[r] / sqrt(square);
        spectrum->lengths[spectrum->count] = sqrt(square);
        spectrum->columns[spectrum->count++] = a;
    }
    if (spectrum->count)
        fw_singular_values(spectrum->values, spectrum->vectors, spectrum->scaled, rows,
                           spectrum->count, arena);
}

static size_t rank_of(const struct spectrum *spectrum)
{
    size_t rank = 0;
    while (rank < spectrum->count && spectrum->values[rank] > ROUNDING * spectrum->values[0])
        rank++;
    return rank;
}

/* Residuals of rows that are predicted without themselves, to first order: r / (1 - leverage). */
static double leave_one_out(const struct fw_cost_fitting *fitting, const struct spectrum *spectrum,
                            size_t rank, const double *residuals)
{
    double sum = 0;
    size_t counted = 0;
    for (size_t r = 0; r < fitting->rows; r++) {
        double leverage = 0;
        for (size_t v = 0; v < rank; v++) {
            double along = 0;
            for (size_t c = 0; c < spectrum->count; c++)
                along += spectrum->scaled[c * fitting->rows + r] *
                         spectrum->vectors[v * spectrum->count + c];
            leverage += along * along / (spectrum->values[v] * spectrum->values[v]);
        }
        if (leverage > 1 - 1e-6) /* only this row tells some parameter */
            continue;
        sum += residuals[r] * residuals[r] / ((1 - leverage) * (1 - leverage));
        counted++;
    }
    return counted ? sqrt(sum / (double)counted) : (double)NAN;
}

/* Standard errors and intervals from (J' J)^-1 by the singular values. */
static void take_errors(struct fw_cost_fitting *fitting, const struct spectrum *spectrum,
                        size_t rank, double square_sum)
{
    double freedom = (double)fitting->rows - (double)fitting->fit->free_count;
    double deviation = freedom > 0 ? sqrt(square_sum / freedom) : (double)NAN;
    double quantile = freedom > 0 ? fw_student_quantile(0.975, freedom) : (double)NAN;
    for (size_t c = 0; c < spectrum->count; c++) {
        struct fw_cost_estimate *one = &fitting->fit->estimates[spectrum->columns[c]];
        double variance = 0;
        bool known = true;
        for (size_t v = 0; v < spectrum->count; v++) {
            double component = spectrum->vectors[v * spectrum->count + c];
            if (v < rank)
                variance += component * component / (spectrum->values[v] * spectrum->values[v]);
            else
                known &= fabs(component) < COMPONENT;
        }
        if (!known)
            continue;
        one->error = deviation * sqrt(variance) / spectrum->lengths[c];
        one->from = fmax(one->value - quantile * one->error, fitting->low[spectrum->columns[c]]);
        one->to = fmin(one->value + quantile * one->error, fitting->high[spectrum->columns[c]]);
    }
}

/* ---- dependences ---- */

static void confuse(struct fw_cost_fitting *fitting, const struct spectrum *spectrum,
                    const bool *members, double condition)
{
    struct fw_cost_fit *fit = fitting->fit;
    struct fw_cost_confusion *one = &fit->confusions[fit->confusion_count];
    one->parameters = FW_ARRAY(fitting->arena, uint32_t, spectrum->count);
    one->condition = condition;
    one->count = 0;
    for (size_t c = 0; c < spectrum->count; c++)
        if (members[c])
            one->parameters[one->count++] = fitting->active[spectrum->columns[c]];
    fit->confusion_count += one->count > 1;
}

/* Vectors of exact dependences, each reduced to as few parameters as can be: pivots of one are
 * taken out of the others. */
static void reduce(double *vectors, size_t count, size_t size)
{
    for (size_t v = 0; v < count; v++) {
        double *row = &vectors[v * size];
        size_t pivot = 0;
        for (size_t c = 1; c < size; c++)
            if (fabs(row[c]) > fabs(row[pivot]))
                pivot = c;
        for (size_t other = 0; other < count && row[pivot] != 0; other++) {
            double factor = vectors[other * size + pivot] / row[pivot];
            for (size_t c = 0; c < size && other != v; c++)
                vectors[other * size + c] -= factor * row[c];
        }
    }
}

static void find_exact(struct fw_cost_fitting *fitting, const struct spectrum *spectrum,
                       size_t rank)
{
    size_t n = spectrum->count, exact = n - rank;
    double *vectors =
        fw_arena_copy(fitting->arena, &spectrum->vectors[rank * n], exact * n * sizeof(double));
    bool *members = FW_ARRAY(fitting->arena, bool, n);
    reduce(vectors, exact, n);
    for (size_t v = 0; v < exact; v++) {
        double most = 0;
        for (size_t c = 0; c < n; c++)
            most = fmax(most, fabs(vectors[v * n + c]));
        for (size_t c = 0; c < n; c++)
            members[c] = fabs(vectors[v * n + c]) > COMPONENT * most;
        confuse(fitting, spectrum, members, INFINITY);
    }
}

static void find_near(struct fw_cost_fitting *fitting, const struct spectrum *spectrum, size_t rank)
{
    size_t n = spectrum->count;
    bool *members = FW_ARRAY(fitting->arena, bool, n);
    for (size_t v = 0; v < rank; v++) {
        double condition = spectrum->values[0] / spectrum->values[v];
        if (condition < HARMFUL_CONDITION)
            continue;
        for (size_t c = 0; c < n; c++) {
            const struct fw_cost_estimate *one = &fitting->fit->estimates[spectrum->columns[c]];
            double variance = 0, here = 0;
            for (size_t w = 0; w < rank; w++) {
                double part = spectrum->vectors[w * n + c] / spectrum->values[w];
                variance += part * part;
                here += w == v ? part * part : 0;
            }
            bool unsure = condition > HOPELESS || !(one->error <= HARMFUL_ERROR * fabs(one->value));
            members[c] = unsure && here > HARMFUL_SHARE * variance;
        }
        confuse(fitting, spectrum, members, condition);
    }
}

void fw_cost_estimate(struct fw_cost_fitting *fitting)
{
    struct fw_cost_fit *fit = fitting->fit;
    size_t n = fitting->count, rows = fitting->rows;
    double *at = FW_ARRAY(fitting->arena, double, n), sum = 0;
    double *residuals = FW_ARRAY(fitting->arena, double, rows),
           *jacobian = FW_ARRAY(fitting->arena, double, n *rows);
    struct spectrum spectrum;
    for (size_t a = 0; a < n; a++)
        at[a] = fit->estimates[a].value;
    fit->left_out = fit->condition = NAN;
    fit->confusions = FW_ARRAY(fitting->arena, struct fw_cost_confusion, n);
    fw_cost_residuals(fitting, at, residuals, NULL);
    bool known = fw_cost_residuals(fitting, at, NULL, jacobian);
    for (size_t i = 0; i < n * rows && !known; i++)
        jacobian[i] = isfinite(jacobian[i]) ? jacobian[i] : 0;
    for (size_t r = 0; r < rows; r++)
        sum += residuals[r] * residuals[r];
    take_spectrum(&spectrum, fitting, jacobian);
    if (!spectrum.count)
        return;
    size_t rank = rank_of(&spectrum);
    fit->condition = spectrum.values[spectrum.count - 1] > 0
                         ? spectrum.values[0] / spectrum.values[spectrum.count - 1]
                         : (double)INFINITY;
    fit->left_out = leave_one_out(fitting, &spectrum, rank, residuals);
    take_errors(fitting, &spectrum, rank, sum);
    find_exact(fitting, &spectrum, rank);
    find_near(fitting, &spectrum, rank);
}

/* ---- what is told of it ---- */

void fw_cost_tell_estimates(const struct fw_cost_calibration *calibration, struct fw_arena *arena,
                            const struct fw_sink *sink)
{
    const struct fw_cost_fit *fit = calibration->chosen;
    const struct fw_cost_parameter *parameters = calibration->model->parameters.at;
    if (!fit->converged)
        fw_report(sink, FW_WARNING, "COST033", fw_span_of_source(calibration->model->source),
                  "the fit did not converge: the parameters are the best that were found");
    for (size_t d = 0; d < fit->confusion_count; d++) {
        const struct fw_cost_confusion *one = &fit->confusions[d];
        struct fw_buffer names = fw_buffer_new(arena);
        for (size_t p = 0; p < one->count; p++)
            fw_buffer_printf(&names, "%s%s",
                             p == 0                ? ""
                             : p + 1 == one->count ? " and "
                                                   : ", ",
                             parameters[one->parameters[p]].name);
        const char *why =
            isfinite(one->condition)
                ? fw_arena_printf(arena, "the condition index is %.3g", one->condition)
                : "only a combination of them is known";
        fw_report(sink, FW_WARNING, "COST034", parameters[one->parameters[0]].place,
                  "the data cannot tell %s apart: %s", names.text, why);
    }
    for (size_t e = 0; e < fit->estimate_count; e++) {
        const struct fw_cost_estimate *one = &fit->estimates[e];
        bool confused = false;
        for (size_t d = 0; d < fit->confusion_count; d++)
            for (size_t p = 0; p < fit->confusions[d].count; p++)
                confused |= fit->confusions[d].parameters[p] == one->parameter;
        if (isnan(one->error) && !one->at_bound && !confused && one->work)
            fw_report(sink, FW_WARNING, "COST037", parameters[one->parameter].place,
                      "the data do not say how well %s is known%s", parameters[one->parameter].name,
                      calibration->fitted <= fit->free_count
                          ? ": there are no more rows than parameters"
                          : "");
    }
}
