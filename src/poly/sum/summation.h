/* Summation: the sum of a polynomial over the integer points of a system, for every value of its
 * parameters, as guarded leaves.
 *
 * Takes lines over the columns [constant, variables, parameters, floors] and a polynomial; gives
 * leaves, each a conjunction of lines without variables and a polynomial: at a parameter point the
 * sum is that of the polynomials whose guards hold.  Without parameters it is one number.
 * Chambers are rational: floors stand in polynomials (as columns of their own, "floors" of
 * parameters), never in the choice between bounds, so that a range which holds no integer counts as
 * exactly 0.  The way is repeated elimination: equalities, mixed radices, shears, then one variable
 * at a time between one lower and one upper bound by Faulhaber's formula; residues are split only
 * where a bound's other variables are not multiples of its coefficient.  Unwinds through the work
 * (work.h) when the set is unbounded (FW_ERROR_INPUT) or the budget is spent. */
#ifndef FW_SUMMATION_H
#define FW_SUMMATION_H

#include "polynomial.h"
#include "simplex.h"

/* A conjunction on its way to being summed. */
struct state {
    struct line **lines;
    uint32_t count;
    uint32_t capacity;
    uint64_t live; /* bit c: variable c is summed over */
    struct polynomial *weight;
};

/* floor(numerator / divisor): a column whose value follows from parameters and earlier floors. */
struct floor_column {
    struct line *numerator;
    integer divisor;
    struct line *low;  /* numerator - divisor * column >= 0 */
    struct line *high; /* divisor * column + divisor - 1 - numerator >= 0 */
};

/* Where all `guards` hold, `value` is a summand. */
struct leaf {
    struct line **guards;
    uint32_t guard_count;
    struct polynomial *value;
    uint64_t hash;
};

enum { FLOORS_MOST = 600, LINES_MOST = 200 };

struct summation {
    struct work *work;
    unsigned variables;  /* columns 1..variables */
    unsigned parameters; /* columns variables + 1 .. variables + parameters */
    uint64_t variable_mask;
    bool numeric; /* no parameters: the answer is `total` */
    struct floor_column floors[FLOORS_MOST];
    unsigned floor_count;
    struct line **context; /* lines over parameters and floors that are known to hold */
    uint32_t context_count;
    FW_VECTOR(struct leaf) leaves;
    struct polynomial *total;
};

/* An empty summation; variables <= VARIABLES_MOST, all columns <= COLUMNS_MOST. */
void fw_summation_init(struct summation *summation, struct work *work, unsigned variables,
                       unsigned parameters);

/* Adds the sum of `weight` over the points of the state to the leaves (or the total).  The state's
 * arrays are used up. */
void fw_summation_add(struct summation *summation, struct state *state);

/* A state with room for `capacity` lines. */
struct state fw_state_new(struct work *work, uint32_t capacity, uint64_t live,
                          struct polynomial *weight);
void fw_state_push(struct work *work, struct state *state, struct line *line);

/* ---- for the module's own parts ---- */

static inline uint64_t summation_variables(const struct summation *summation,
                                           const struct line *line)
{
    return line->mask & summation->variable_mask;
}

/* floor(line / divisor) as a line over parameters and floors; the line has no variables. */
struct line *fw_floor_of(struct summation *summation, const struct line *line, integer divisor);

/* Without parameters a branch leaves nothing behind but its total: between these two, scratch is
 * given back.  (With parameters, or while the total is big, it is not.) */
struct fw_arena_mark fw_summation_mark(const struct summation *summation);
void fw_summation_release(struct summation *summation, struct fw_arena_mark mark);

/* The column of floor(numerator / divisor), already in its canonical form: a known or a new one. */
unsigned fw_floor_column(struct summation *summation, struct line *numerator, integer divisor);

/* The definitions of the floors that occur in the lines, and the context: freshly allocated. */
struct line **fw_floor_context(struct summation *summation, struct line *const *lines,
                               uint32_t count, uint32_t *context_count);

/* The sum of floor((slope * y + offset) / divisor) over y from low to high (divisor > 0). */
integer fw_floor_sum(struct work *work, integer slope, integer offset, integer divisor, integer low,
                     integer high);

/* Canonical lines, no parallel ones; false when the state is empty. */
bool fw_state_tidy(struct summation *summation, struct state *state);

/* Takes redundant lines out; false when the state is empty. */
bool fw_state_reduce(struct summation *summation, struct state *state);

/* One collapse of a mixed radix (m * y + x, x in a range of constant width); false: none. */
bool fw_state_collapse(struct summation *summation, struct state *state);

/* Column operations that make coefficients smaller; whether any was done. */
bool fw_state_shear(struct summation *summation, struct state *state);

/* source := source + factor * target in all lines and in the weight. */
void fw_state_replace(struct summation *summation, struct state *state, unsigned source,
                      unsigned target, integer factor);

/* Chooses a variable and sums over it, going on with what remains. */
void fw_state_eliminate(struct summation *summation, struct state *state);

/* Sums what is left of a state; tidies, collapses and eliminates until there are leaves. */
void fw_state_solve(struct summation *summation, struct state *state);

/* |c| * column as the equality gives it, c being the column's coefficient. */
struct line *fw_line_solved(struct work *work, const struct line *line, unsigned column);

/* column := value in all lines and in the weight; the column is summed over no more. */
void fw_state_substitute(struct summation *summation, struct state *state, unsigned column,
                         const struct line *value);

/* Changes the state so that its points are, one for one, the points of its shadow without the
 * variables of `open`, where that can be done exactly with lines alone. */
enum projected { PROJECTED_FULLY, PROJECTED_EMPTY, PROJECTED_NOT };
enum projected fw_state_project(struct summation *summation, struct state *state, uint64_t open);

/* Iterates over the columns of a mask's set bits. */
#define EACH_COLUMN(column, columns)                                                               \
    (uint64_t column##_rest = (columns), column = 0;                                               \
     column##_rest && ((column = (uint64_t)__builtin_ctzll(column##_rest)), true);                 \
     column##_rest &= column##_rest - 1)

#endif
