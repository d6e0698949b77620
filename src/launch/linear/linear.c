/* Linear forms: an expression at a bound launch as integer coefficients over a piece's variables.
 *
 * Floors become quotient variables with two defining rows.  A minimum, a selection, or a division
 * of something that may be negative asks for the piece to be split first; a product of two
 * variables or a power asks for one variable to be gone through value by value. */
#include "bound_internal.h"
#include "checked.h"
#include "linear_internal.h"
#include "quotient.h"
#include "warp.h"

#include <string.h>

static enum linear_outcome fail(struct linear_problem *problem, enum fw_unknown_reason reason,
                                uint32_t parameter)
{
    problem->reason = reason;
    problem->parameter = parameter;
    return FAILED;
}

static enum linear_outcome nonaffine(struct linear_problem *problem)
{
    return fail(problem, FW_UNKNOWN_NONAFFINE, FW_NONE);
}

static bool is_constant(const struct fw_piece *piece, const struct fw_linear *a)
{
    for (uint32_t v = 0; v < piece->variables; v++)
        if (a->coefficient[v])
            return false;
    return true;
}

/* Numbers of forms stay so small that they can be negated and subtracted. */
#define LARGEST ((int64_t)1 << 61)

static bool add_product(int64_t *to, int64_t a, int64_t factor)
{
    int64_t product;
    return !fw_multiply_overflows(a, factor, &product) && !fw_add_overflows(*to, product, to) &&
           *to <= LARGEST && *to >= -LARGEST;
}

bool linear_accumulate(const struct fw_piece *piece, struct fw_linear *a, const struct fw_linear *b,
                       int64_t factor)
{
    if (!add_product(&a->constant, b->constant, factor))
        return false;
    for (uint32_t v = 0; v < piece->variables; v++)
        if (b->coefficient[v] && !add_product(&a->coefficient[v], b->coefficient[v], factor))
            return false;
    return true;
}

bool bound_add_row(struct fw_bound *bound, struct fw_piece *piece, const struct fw_linear *row,
                   bool equality, bool definition)
{
    if (piece->row_count >= FW_PIECE_ROWS)
        return false;
    if (piece->row_count == piece->row_capacity) {
        uint32_t capacity = piece->row_capacity + 12;
        struct fw_piece_row *rows = FW_ARRAY(bound->scratch, struct fw_piece_row, capacity);
        if (piece->row_count)
            memcpy(rows, piece->rows, piece->row_count * sizeof(*rows));
        piece->rows = rows;
        piece->row_capacity = capacity;
    }
    piece->rows[piece->row_count++] = (struct fw_piece_row){*row, equality, definition};
    return true;
}

uint32_t bound_add_variable(struct fw_piece *piece, int64_t low, int64_t high)
{
    uint32_t v = piece->variables;
    if (v >= FW_PIECE_VARIABLES)
        return FW_NONE;
    piece->variables++;
    piece->low[v] = low;
    piece->high[v] = high;
    piece->fixed[v] = false;
    piece->quotient[v] = piece->closed[v] = false;
    piece->left[v] = FW_LEFT_NONE;
    piece->loop_of[v] = piece->entered[v] = piece->symbol[v] = FW_NONE;
    piece->times_loop[v] = piece->times_symbol[v] = FW_NONE;
    return v;
}

uint32_t bound_symbol(struct fw_piece *piece, uint32_t symbol)
{
    for (uint32_t v = 0; v < piece->variables; v++)
        if (piece->symbol[v] == symbol)
            return v;
    uint32_t v = bound_add_variable(piece, 0, INT32_MAX);
    if (v != FW_NONE)
        piece->symbol[v] = symbol;
    return v;
}

static enum linear_outcome symbol_form(struct fw_piece *piece, uint32_t symbol,
                                       struct fw_linear *result, struct linear_problem *problem)
{
    uint32_t v = bound_symbol(piece, symbol);
    memset(result, 0, sizeof(*result));
    if (v == FW_NONE)
        return fail(problem, FW_UNKNOWN_BUDGET, FW_NONE);
    result->coefficient[v] = 1;
    return LINEAR;
}

/* The variable that stands for floor(a / divisor): an old one with the same rows, or a new one. */
static enum linear_outcome quotient(struct fw_bound *bound, struct fw_piece *piece,
                                    const struct fw_linear *a, int64_t divisor,
                                    struct fw_linear *result, struct linear_problem *problem)
{
    int64_t low, high;
    memset(result, 0, sizeof(*result));
    linear_interval(piece, a, &low, &high);
    if (low > -FAR && high < FAR &&
        fw_floor_quotient(low, divisor) == fw_floor_quotient(high, divisor)) {
        result->constant = fw_floor_quotient(low, divisor);
        return LINEAR;
    }
    /* The multiples of the divisor come out: floor((d x + y) / d) = x + floor(y / d). */
    struct fw_linear rest = *a;
    bool all = true;
    for (uint32_t v = 0; v < piece->variables; v++) {
        all = all && rest.coefficient[v] % divisor == 0;
        if (rest.coefficient[v] % divisor == 0) {
            result->coefficient[v] = rest.coefficient[v] / divisor;
            rest.coefficient[v] = 0;
        }
    }
    result->constant = fw_floor_quotient(rest.constant, divisor);
    rest.constant -= result->constant * divisor;
    if (all)
        return LINEAR;
    linear_interval(piece, &rest, &low, &high);
    if (low >= 0 && high < divisor)
        return LINEAR;
    for (uint32_t r = 0; r + 1 < piece->row_count; r++) {
        const struct fw_piece_row *row = &piece->rows[r];
        if (!row->definition || !piece->rows[r + 1].definition)
            continue;
        /* rest - divisor q >= 0 is the first of a pair */
        for (uint32_t v = 0; v < piece->variables; v++) {
            if (!piece->quotient[v] || row->form.coefficient[v] != -divisor)
                continue;
            struct fw_linear same = row->form;
            same.coefficient[v] = 0;
            if (memcmp(&same, &rest, sizeof(same)) == 0) {
                result->coefficient[v] += 1;
                return LINEAR;
            }
        }
    }
    uint32_t q = bound_add_variable(piece, low <= -FAR ? -FAR : fw_floor_quotient(low, divisor),
                                    high >= FAR ? FAR : fw_floor_quotient(high, divisor));
    if (q == FW_NONE)
        return fail(problem, FW_UNKNOWN_BUDGET, FW_NONE);
    piece->quotient[q] = true;
    struct fw_linear upper = {.constant = divisor - 1 - rest.constant};
    for (uint32_t v = 0; v < q; v++)
        upper.coefficient[v] = -rest.coefficient[v];
    upper.coefficient[q] = divisor;
    rest.coefficient[q] = -divisor;
    if (!bound_add_row(bound, piece, &rest, false, true) ||
        !bound_add_row(bound, piece, &upper, false, true))
        return fail(problem, FW_UNKNOWN_BUDGET, FW_NONE);
    result->coefficient[q] = 1;
    return LINEAR;
}

static enum linear_outcome negated_quotient(struct fw_bound *bound, struct fw_piece *piece,
                                            const struct fw_linear *a, int64_t divisor,
                                            struct fw_linear *result,
                                            struct linear_problem *problem)
{
    struct fw_linear minus = {0}, positive;
    if (!linear_accumulate(piece, &minus, a, -1))
        return nonaffine(problem);
    enum linear_outcome outcome = quotient(bound, piece, &minus, divisor, &positive, problem);
    memset(result, 0, sizeof(*result));
    if (outcome == LINEAR && !linear_accumulate(piece, result, &positive, -1))
        return nonaffine(problem);
    return outcome;
}

static enum linear_outcome divide(struct fw_bound *bound, struct fw_piece *piece,
                                  struct fw_linear *a, const struct fw_linear *b, bool truncating,
                                  struct fw_linear *result, struct linear_problem *problem)
{
    int64_t divisor = b->constant, low, high;
    if (!is_constant(piece, b) || divisor == 0 || divisor == INT64_MIN)
        return nonaffine(problem);
    if (divisor < 0) {
        struct fw_linear minus = {0};
        if (!linear_accumulate(piece, &minus, a, -1))
            return nonaffine(problem);
        *a = minus;
        divisor = -divisor;
    }
    if (truncating) {
        linear_interval(piece, a, &low, &high);
        if (high <= 0)
            return negated_quotient(bound, piece, a, divisor, result, problem);
        if (low < 0) {
            problem->split = *a;
            return SPLIT_ROW;
        }
    }
    return quotient(bound, piece, a, divisor, result, problem);
}

static int64_t extent(const struct fw_piece *piece, uint32_t v)
{
    const int64_t extent = piece->high[v] - piece->low[v]; /* both within FAR */
    return extent > FAR ? FAR : extent;
}

/* A variable to go through value by value: of those in a and b, the one with the fewest. */
static enum linear_outcome enumerate(const struct fw_piece *piece, const struct fw_linear *a,
                                     const struct fw_linear *b, struct linear_problem *problem)
{
    problem->variable = FW_NONE;
    problem->reason = FW_UNKNOWN_NONAFFINE;
    problem->parameter = FW_NONE;
    for (uint32_t v = 0; v < piece->variables; v++)
        if ((a->coefficient[v] || b->coefficient[v]) &&
            (problem->variable == FW_NONE || extent(piece, v) < extent(piece, problem->variable)))
            problem->variable = v;
    return problem->variable == FW_NONE ? FAILED : ENUMERATE;
}

/* Whether the product of two forms that vary is a sum of variables for products. */
static bool symbolic_product(struct fw_bound *bound, struct fw_piece *piece,
                             const struct fw_linear *a, const struct fw_linear *b,
                             struct fw_linear *result)
{
    return bound->symbolic && !is_constant(piece, a) && !is_constant(piece, b) &&
           bound_symbolic_product(bound, piece, a, b, result);
}

static enum linear_outcome multiply(const struct fw_piece *piece, const struct fw_linear *a,
                                    const struct fw_linear *b, struct fw_linear *result,
                                    struct linear_problem *problem)
{
    bool constant_a = is_constant(piece, a);
    memset(result, 0, sizeof(*result));
    if (!constant_a && !is_constant(piece, b))
        return enumerate(piece, a, b, problem);
    if (!linear_accumulate(piece, result, constant_a ? b : a,
                           constant_a ? a->constant : b->constant))
        return nonaffine(problem);
    return LINEAR;
}

/* The bits of a under a constant mask: runs of set bits as differences of floors. */
static enum linear_outcome mask(struct fw_bound *bound, struct fw_piece *piece,
                                const struct fw_linear *a, int64_t bits, struct fw_linear *result,
                                struct linear_problem *problem)
{
    memset(result, 0, sizeof(*result));
    for (unsigned low = 0; low < 62; low++) {
        if (!((uint64_t)bits >> low & 1))
            continue;
        unsigned high = low;
        while (high < 62 && ((uint64_t)bits >> high & 1))
            high++;
        struct fw_linear floor;
        enum linear_outcome outcome = quotient(bound, piece, a, (int64_t)1 << low, &floor, problem);
        if (outcome != LINEAR || !linear_accumulate(piece, result, &floor, (int64_t)1 << low))
            return outcome == LINEAR ? nonaffine(problem) : outcome;
        if (high < 62) {
            outcome = quotient(bound, piece, a, (int64_t)1 << high, &floor, problem);
            if (outcome != LINEAR ||
                !linear_accumulate(piece, result, &floor, -((int64_t)1 << high)))
                return outcome == LINEAR ? nonaffine(problem) : outcome;
        }
        low = high;
    }
    return LINEAR;
}

static enum linear_outcome and_bits(struct fw_bound *bound, struct fw_piece *piece,
                                    const struct fw_linear *a, const struct fw_linear *b,
                                    struct fw_linear *result, struct linear_problem *problem)
{
    bool constant_a = is_constant(piece, a), constant_b = is_constant(piece, b);
    memset(result, 0, sizeof(*result));
    if (constant_a && constant_b) {
        result->constant = a->constant & b->constant;
        return LINEAR;
    }
    if (bound_disjoint_bits(piece, a, b))
        return LINEAR;
    if (constant_a || constant_b)
        return mask(bound, piece, constant_a ? b : a, constant_a ? a->constant : b->constant,
                    result, problem);
    return enumerate(piece, a, b, problem);
}

static enum linear_outcome extreme(const struct fw_piece *piece, const struct fw_linear *a,
                                   const struct fw_linear *b, bool minimum,
                                   struct fw_linear *result, struct linear_problem *problem)
{
    struct fw_linear gap = *b; /* b - a */
    int64_t low, high;
    if (!linear_accumulate(piece, &gap, a, -1))
        return nonaffine(problem);
    bound_interval(piece, &gap, &low, &high);
    for (uint32_t r = 0; r < piece->row_count && low < 0 && high >= 0; r++) {
        /* A row of the piece may already say which is less. */
        const struct fw_linear *row = &piece->rows[r].form;
        if (memcmp(row->coefficient, gap.coefficient, sizeof(gap.coefficient)) == 0 &&
            row->constant <= gap.constant)
            low = 0;
        bool opposite = true;
        for (uint32_t v = 0; v < piece->variables && opposite; v++)
            opposite = row->coefficient[v] == -gap.coefficient[v];
        if (opposite && row->constant < -gap.constant)
            high = -1;
    }
    if (low < 0 && high >= 0) {
        problem->split = gap;
        return SPLIT_ROW;
    }
    *result = (low >= 0) == minimum ? *a : *b;
    return LINEAR;
}

static enum linear_outcome launch_index(struct fw_bound *bound, struct fw_piece *piece,
                                        uint32_t index, struct fw_linear *result,
                                        struct linear_problem *problem)
{
    const struct fw_launch *launch = bound->launch;
    memset(result, 0, sizeof(*result));
    if (index <= FW_THREAD_Z) {
        int8_t v = piece->launch_variable[index];
        if (v >= 0 && piece->fixed[v])
            result->constant = piece->low[v];
        else if (v >= 0)
            result->coefficient[v] = 1;
        else if (index <= FW_BLOCK_Z && launch->one_block)
            result->constant = launch->only[index];
        return LINEAR;
    }
    if (bound->symbolic && index >= FW_GRID_SIZE_X && index <= FW_GRID_SIZE_Z &&
        launch->grid[index - FW_GRID_SIZE_X] == 0)
        return symbol_form(piece, bound->kernel->parameter_count + index - FW_GRID_SIZE_X, result,
                           problem);
    if (index <= FW_GRID_SIZE_Z)
        result->constant = launch->grid[index - FW_GRID_SIZE_X];
    else if (index <= FW_BLOCK_SIZE_Z)
        result->constant = launch->block[index - FW_BLOCK_SIZE_X];
    else if (index == FW_SHARED_SIZE)
        result->constant = (int64_t)launch->shared;
    else {
        struct fw_linear linear = {0}, warp;
        int64_t scale = 1;
        for (uint32_t d = 0; d < 3; d++) {
            int8_t v = piece->launch_variable[FW_THREAD_X + d];
            if (v >= 0 && piece->fixed[v])
                linear.constant += scale * piece->low[v];
            else if (v >= 0)
                linear.coefficient[v] = scale;
            scale *= launch->block[d];
        }
        enum linear_outcome outcome =
            quotient(bound, piece, &linear, FW_WARP_THREADS, &warp, problem);
        if (outcome != LINEAR)
            return outcome;
        if (index == FW_LANE && !linear_accumulate(piece, &linear, &warp, -FW_WARP_THREADS))
            return nonaffine(problem);
        *result = index == FW_LANE ? linear : warp;
    }
    return LINEAR;
}

static enum linear_outcome iteration(struct fw_piece *piece, uint32_t loop,
                                     struct fw_linear *result, struct linear_problem *problem)
{
    memset(result, 0, sizeof(*result));
    for (uint32_t v = 0; v < piece->variables; v++)
        if (piece->loop_of[v] == loop) {
            if (piece->fixed[v])
                result->constant = piece->low[v];
            else
                result->coefficient[v] = 1;
            return LINEAR;
        }
    return nonaffine(problem);
}

static enum linear_outcome linear_select(struct fw_bound *bound, struct fw_piece *piece,
                                         const struct fw_atom_node *node, struct fw_linear *result,
                                         struct linear_problem *problem)
{
    for (uint32_t d = 0; d < piece->decision_count; d++)
        if (piece->decisions[d].condition == node->c)
            return bound_linear(bound, piece, piece->decisions[d].truth ? node->a : node->b, result,
                                problem);
    problem->condition = node->c;
    return SPLIT_CONDITION;
}

static enum linear_outcome operate(struct fw_bound *bound, struct fw_piece *piece,
                                   const struct fw_atom_node *node, struct fw_linear *result,
                                   struct linear_problem *problem)
{
    struct fw_linear a, b = {0};
    enum linear_outcome outcome = bound_linear(bound, piece, node->a, &a, problem);
    if (outcome == LINEAR && node->kind != FW_ATOM_POWER2)
        outcome = bound_linear(bound, piece, node->b, &b, problem);
    if (outcome != LINEAR)
        return outcome;
    memset(result, 0, sizeof(*result));
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_FLOOR:
    case FW_ATOM_TRUNCATE:
        if (!is_constant(piece, &b))
            return enumerate(piece, &b, &b, problem);
        return divide(bound, piece, &a, &b, node->kind == FW_ATOM_TRUNCATE, result, problem);
    case FW_ATOM_MINIMUM:
    case FW_ATOM_MAXIMUM:
        return extreme(piece, &a, &b, node->kind == FW_ATOM_MINIMUM, result, problem);
    case FW_ATOM_POWER2:
        if (!is_constant(piece, &a))
            return enumerate(piece, &a, &a, problem);
        if (a.constant > 62)
            return nonaffine(problem);
        result->constant = a.constant < 0 ? 0 : (int64_t)1 << a.constant;
        return LINEAR;
    case FW_ATOM_REPEAT:
        if (!is_constant(piece, &b))
            return enumerate(piece, &b, &b, problem);
        if (b.constant < 0)
            return nonaffine(problem);
        return quotient(bound, piece, &a, (int64_t)1 << (b.constant > 61 ? 61 : b.constant), result,
                        problem);
    case FW_ATOM_BITAND:
        return and_bits(bound, piece, &a, &b, result, problem);
    case FW_ATOM_PRODUCT:
        if (symbolic_product(bound, piece, &a, &b, result))
            return LINEAR;
        return multiply(piece, &a, &b, result, problem);
    default: /* SUM */
        *result = a;
        return linear_accumulate(piece, result, &b, 1) ? LINEAR : nonaffine(problem);
    }
}

/* Whether an atom has one value throughout the launch, as a comparison that asks for a slow way has
 * in floating point. */
static bool is_settled(struct fw_bound *bound, const struct fw_atom_node *node, int64_t *value)
{
    bound->interval_steps = bound->launch->brief ? BRIEF_INTERVAL_STEPS : MOST_INTERVAL_STEPS;
    struct fw_interval of = bound_scalar_interval(bound, node, 0);
    *value = of.low;
    return of.low == of.high;
}

static enum linear_outcome linear_atom(struct fw_bound *bound, struct fw_piece *piece, fw_atom atom,
                                       struct fw_linear *result, struct linear_problem *problem)
{
    const struct fw_kernel *kernel = bound->kernel;
    const struct fw_atom_node *node = &kernel->pool.atoms.at[atom];
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_PARAMETER:
        if (bound->symbolic && fw_type_class(kernel->parameters[node->a].type) == 'f')
            return nonaffine(problem);
        if (bound->symbolic && !kernel->parameters[node->a].is_pointer)
            return symbol_form(piece, node->a, result, problem);
        memset(result, 0, sizeof(*result));
        result->constant = bound_argument(bound, node->a);
        if (!bound->launch->is_bound[node->a]) {
            if (!bound->assuming || !kernel->parameters[node->a].is_pointer)
                return fail(problem, FW_UNKNOWN_ARGUMENT, node->a);
            result->constant = bound_assumed_address(bound, node->a);
        }
        return LINEAR;
    case FW_ATOM_LAUNCH:
        return launch_index(bound, piece, node->a, result, problem);
    case FW_ATOM_ITERATION:
        return iteration(piece, node->a, result, problem);
    case FW_ATOM_TRIPS:
        if (kernel->loops[node->a].trips == FW_NO_EXPRESSION) {
            memset(result, 0, sizeof(*result));
            return bound_trips(bound, piece, node->a, &result->constant, problem);
        }
        return bound_linear(bound, piece, kernel->loops[node->a].trips, result, problem);
    case FW_ATOM_ARRAY:
    case FW_ATOM_UNKNOWN:
        return fail(problem, FW_UNKNOWN_DATA, FW_NONE);
    case FW_ATOM_CARRIED: /* iteration by iteration: where conditions are evaluated at points */
    case FW_ATOM_FOLD:
    case FW_ATOM_STEP:
        return nonaffine(problem);
    case FW_ATOM_SELECT:
        return linear_select(bound, piece, node, result, problem);
    case FW_ATOM_SCALAR:
        memset(result, 0, sizeof(*result));
        if (is_settled(bound, node, &result->constant))
            return LINEAR;
        return bound_scalar(bound, piece, node, &result->constant, problem);
    case FW_ATOM_AT:
        if (!bound_depends_on(bound, node->a, node->c))
            return bound_linear(bound, piece, node->a, result, problem);
        memset(result, 0, sizeof(*result));
        return bound_value_elsewhere(bound, piece, node, &result->constant, problem);
    default:
        return operate(bound, piece, node, result, problem);
    }
}

enum linear_outcome bound_linear(struct fw_bound *bound, struct fw_piece *piece, fw_expression a,
                                 struct fw_linear *result, struct linear_problem *problem)
{
    const struct fw_expression_node *node = &bound->kernel->pool.expressions.at[a];
    struct fw_linear sum = {0}, product, factor, both;
    for (uint32_t t = 0; t < node->term_count; t++) {
        const struct fw_term *term = &node->terms[t];
        /* A product of sums has as many terms as choices of one of each. */
        uint64_t steps = 1 + (uint64_t)term->atom_count;
        if (bound->linear_steps < steps)
            return fail(problem, FW_UNKNOWN_BUDGET, FW_NONE);
        bound->linear_steps -= steps;
        memset(&product, 0, sizeof(product));
        product.constant = term->coefficient;
        for (uint32_t i = 0; i < term->atom_count; i++) {
            enum linear_outcome outcome =
                linear_atom(bound, piece, term->atoms[i], &factor, problem);
            if (outcome == LINEAR && !symbolic_product(bound, piece, &product, &factor, &both))
                outcome = multiply(piece, &product, &factor, &both, problem);
            if (outcome != LINEAR)
                return outcome;
            product = both;
        }
        if (!linear_accumulate(piece, &sum, &product, 1))
            return nonaffine(problem);
    }
    *result = sum;
    return LINEAR;
}
