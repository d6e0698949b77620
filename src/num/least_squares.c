#include "least_squares.h"

#include "deadline.h"

#include <cminpack.h>
#include <math.h>
#include <string.h>

/* What a step to a place without finite residuals costs: it is refused. */
#define FAR 1e100

struct solving {
    const struct fw_least_squares *problem;
    size_t *free; /* the parameters that move */
    size_t free_count;
    bool *held;       /* on a bound */
    double *at;       /* all parameters, projected */
    double *jacobian; /* of all of them */
    struct fw_arena *scratch;
    unsigned evaluations, most;
};

static double projected(const struct fw_least_squares *problem, size_t p, double value)
{
    return fmin(fmax(value, problem->low[p]), problem->high[p]);
}

/* Sets the moving parameters from MINPACK's variables. */
static void place(struct solving *solving, const double *x)
{
    const struct fw_least_squares *problem = solving->problem;
    for (size_t f = 0; f < solving->free_count; f++) {
        size_t p = solving->free[f];
        solving->at[p] = projected(problem, p, x[f] * problem->scale[p]);
    }
}

/* Columns of the moving parameters; beyond a bound nothing changes. */
static void take_columns(struct solving *solving, const double *x, double *jacobian, size_t stride)
{
    const struct fw_least_squares *problem = solving->problem;
    for (size_t f = 0; f < solving->free_count; f++) {
        size_t p = solving->free[f];
        double stated = x[f] * problem->scale[p];
        bool beyond = stated < problem->low[p] || stated > problem->high[p];
        for (size_t r = 0; r < problem->rows; r++)
            jacobian[f * stride + r] =
                beyond ? 0 : solving->jacobian[p * problem->rows + r] * problem->scale[p];
    }
}

static int answer(void *user, int rows, int columns, const double *x, double *residuals,
                  double *jacobian, int stride, int flag)
{
    struct solving *solving = user;
    const struct fw_least_squares *problem = solving->problem;
    (void)columns;
    fw_deadline_check(solving->scratch);
    place(solving, x);
    if (flag == 1) {
        solving->evaluations++;
        if (!problem->evaluate(problem->user, solving->at, residuals, NULL))
            for (int r = 0; r < rows; r++)
                residuals[r] = FAR;
        return 0;
    }
    if (!problem->evaluate(problem->user, solving->at, NULL, solving->jacobian))
        return -1;
    take_columns(solving, x, jacobian, (size_t)stride);
    return 0;
}

static double square_sum(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i] * values[i];
    return sum;
}

/* One run of lmder over the parameters that move; whether it converged. */
static bool descend(struct solving *solving, double tolerance)
{
    const struct fw_least_squares *problem = solving->problem;
    int rows = (int)problem->rows, columns = (int)solving->free_count, calls, jacobians;
    struct fw_arena_mark mark = fw_arena_mark(solving->scratch);
    size_t n = solving->free_count, m = problem->rows;
    double *work = FW_ARRAY(solving->scratch, double, 6 * n + 2 * m + n * m);
    double *x = work, *diagonal = x + n, *qtf = diagonal + n, *first = qtf + n, *second = first + n,
           *third = second + n, *fourth = third + n, *residuals = fourth + m,
           *jacobian = residuals + m;
    int *pivots = FW_ARRAY(solving->scratch, int, n);
    for (size_t f = 0; f < n; f++)
        x[f] = solving->at[solving->free[f]] / problem->scale[solving->free[f]];
    int left = (int)(solving->most - solving->evaluations);
    int info = lmder(answer, solving, rows, columns, x, residuals, jacobian, rows, tolerance,
                     tolerance, 0, left, diagonal, 1, 100, 0, &calls, &jacobians, pivots, qtf,
                     first, second, third, fourth);
    place(solving, x);
    fw_arena_release(solving->scratch, mark);
    return info >= 1 && info <= 4;
}

/* Holds what lies on a bound, releases the parameter whose gradient points inward the most; whether
 * one was released. */
static bool release(struct solving *solving, const double *residuals, double total)
{
    const struct fw_least_squares *problem = solving->problem;
    size_t best = SIZE_MAX;
    double steepest = 1e-8;
    for (size_t p = 0; p < problem->parameters; p++) {
        bool low = solving->at[p] <= problem->low[p], high = solving->at[p] >= problem->high[p];
        const double *column = &solving->jacobian[p * problem->rows];
        double slope = 0, length = sqrt(square_sum(column, problem->rows));
        if (!low && !high)
            continue;
        for (size_t r = 0; r < problem->rows; r++)
            slope += column[r] * residuals[r];
        /* The cosine of the angle between column and residuals, > 0: inward. */
        slope = (low ? -slope : slope) / (length * sqrt(total));
        bool fixed = low && high;
        if (!fixed && slope > steepest) {
            steepest = slope;
            best = p;
        }
        solving->held[p] = true;
    }
    if (best != SIZE_MAX)
        solving->held[best] = false;
    return best != SIZE_MAX;
}

static void gather(struct solving *solving)
{
    solving->free_count = 0;
    for (size_t p = 0; p < solving->problem->parameters; p++)
        if (!solving->held[p])
            solving->free[solving->free_count++] = p;
}

struct fw_least_squares_result fw_least_squares_solve(double *parameters,
                                                      const struct fw_least_squares *problem,
                                                      double tolerance, unsigned most,
                                                      struct fw_arena *scratch)
{
    struct fw_arena_mark mark = fw_arena_mark(scratch);
    size_t n = problem->parameters, m = problem->rows;
    struct fw_least_squares_result result = {.square_sum = INFINITY};
    double *residuals = FW_ARRAY(scratch, double, m);
    struct solving solving = {.problem = problem,
                              .free = FW_ARRAY(scratch, size_t, n),
                              .held = FW_ARRAY(scratch, bool, n),
                              .at = fw_arena_copy(scratch, parameters, n * sizeof(double)),
                              .jacobian = FW_ARRAY(scratch, double, n *m),
                              .scratch = scratch,
                              .most = most};
    for (size_t p = 0; p < n; p++)
        solving.held[p] = problem->low[p] == problem->high[p];
    if (problem->evaluate(problem->user, solving.at, residuals, NULL))
        result.square_sum = square_sum(residuals, m);
    for (size_t round = 0; round < 3 * n + 10 && isfinite(result.square_sum); round++) {
        gather(&solving);
        if (solving.evaluations + 1 >= most)
            break;
        bool done = solving.free_count == 0 || descend(&solving, tolerance);
        bool finite = problem->evaluate(problem->user, solving.at, residuals, NULL) &&
                      problem->evaluate(problem->user, solving.at, NULL, solving.jacobian);
        double now = square_sum(residuals, m);
        if (!finite || now > result.square_sum)
            break;
        bool better = now < result.square_sum * (1 - tolerance);
        result.square_sum = now;
        memcpy(parameters, solving.at, n * sizeof(double));
        result.converged = done;
        if ((!release(&solving, residuals, now) || (!better && round > n)) && done)
            break;
    }
    result.evaluations = solving.evaluations;
    fw_arena_release(scratch, mark);
    return result;
}
