#include "system.h"

#include "box.h"
#include "count.h"
#include "count_memo.h"
#include "summation.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS_MOST = 1 << 17, STEPS_LEAST = 1 << 14, BITS_MOST = 1 << 16 };
static const size_t scratch_most = (size_t)1 << 28;

struct fw_counter {
    struct work work;
    struct summation summation;
    struct box box;
    uint64_t steps_left;     /* of all counts together, before the last one's are taken off */
    uint64_t steps_each;     /* of one count: half as many after each that took more */
    struct fw_system shadow; /* what a projection left */
    struct fw_poly *poly;    /* made when a projection needs it */
    bool hurries;            /* none may need it */
    struct count_memo memo;  /* of projected systems, and in a hurry of all */
    double neglect;          /* points that a system may hold and be estimated; 0: none is */
    double neglected;        /* that the last one was estimated to hold at most; 0: it was not */
};

struct fw_counter *fw_counter_new(void)
{
    struct fw_counter *counter = calloc(1, sizeof(*counter));
    if (!counter)
        return NULL;
    struct fw_arena *arena = fw_arena_new(scratch_most);
    if (!arena) {
        free(counter);
        return NULL;
    }
    fw_work_init(&counter->work, arena, 0);
    counter->work.bit_budget = BITS_MOST;
    counter->steps_left = UINT64_MAX;
    counter->steps_each = STEPS_MOST;
    return counter;
}

void fw_counter_free(struct fw_counter *counter)
{
    if (!counter)
        return;
    fw_work_clear(&counter->work);
    fw_arena_free(counter->work.arena);
    fw_poly_free(counter->poly);
    count_memo_free(&counter->memo);
    free(counter);
}

static struct line *line_of(struct work *work, const struct fw_row *row, unsigned variables)
{
    struct line *line = fw_line_new(work, variables + 1, row->equality);
    line->at[0] = integer_of(work, row->constant);
    for (unsigned variable = 0; variable < variables; variable++)
        line->at[variable + 1] = integer_of(work, row->coefficient[variable]);
    fw_line_finish(line);
    return line;
}

/* Every row as it was given. */
static struct state state_of(struct fw_counter *counter, const struct fw_system *system)
{
    struct work *work = &counter->work;
    struct polynomial *one = fw_polynomial_constant(work, integer_constant(1), integer_constant(1));
    fw_summation_init(&counter->summation, work, system->variables, 0);
    struct state state =
        fw_state_new(work, system->row_count + 4, counter->summation.variable_mask, one);
    for (uint32_t i = 0; i < system->row_count; i++)
        state.lines[state.count++] = line_of(work, &system->rows[i], system->variables);
    return state;
}

/* What the box left over: the rows that couple variables, and those variables' bounds. */
static void count_coupled(struct fw_counter *counter)
{
    struct work *work = &counter->work;
    const struct box *box = &counter->box;
    unsigned place[FW_SYSTEM_VARIABLES];
    unsigned variables = 0;
    for (unsigned v = 0; v < box->variables; v++)
        if (box->coupled >> v & 1)
            place[v] = ++variables;
    struct polynomial *one = fw_polynomial_constant(work, integer_constant(1), integer_constant(1));
    fw_summation_init(&counter->summation, work, variables, 0);
    struct state state = fw_state_new(work, box->row_count + 2 * variables + 4,
                                      counter->summation.variable_mask, one);
    for (unsigned i = 0; i < box->row_count; i++) {
        const struct box_row *row = &box->rows[i];
        struct line *line = fw_line_new(work, variables + 1, row->equality);
        line->at[0] = integer_of(work, row->constant);
        for (unsigned v = 0; v < box->variables; v++)
            if (row->mask >> v & 1)
                line->at[place[v]] = integer_of(work, row->at[v]);
        fw_line_finish(line);
        state.lines[state.count++] = line;
    }
    for (unsigned v = 0; v < box->variables; v++)
        for (int sign = 1; sign >= -1 && (box->coupled >> v & 1); sign -= 2) {
            uint32_t known = sign > 0 ? box->has_low : box->has_high;
            if (!(known >> v & 1))
                continue;
            struct line *line = fw_line_new(work, variables + 1, false);
            line->at[place[v]] = integer_constant(sign);
            line->at[0] = integer_of(work, sign > 0 ? -box->low[v] : box->high[v]);
            fw_line_finish(line);
            state.lines[state.count++] = line;
        }
    fw_summation_add(&counter->summation, &state);
}

/* Multiplies by the summation's total, which is an integer and not negative. */
static void multiply_total(mpz_ptr result, struct fw_counter *counter)
{
    const struct polynomial *total = counter->summation.total;
    if (polynomial_is_zero(total)) {
        mpz_set_ui(result, 0);
        return;
    }
    integer value = total->terms[0].coefficient;
    if (integer_is_small(value)) {
        mpz_mul_si(result, result, integer_small(value));
        return;
    }
    fw_integer_write(counter->work.scratch[0], value);
    mpz_mul(result, result, counter->work.scratch[0]);
}

void fw_counter_allow(struct fw_counter *counter, uint64_t steps)
{
    counter->work.steps = 0;
    counter->steps_left = steps;
    counter->steps_each = STEPS_MOST;
}

void fw_counter_hurry(struct fw_counter *counter, bool hurries)
{
    if (counter->hurries != hurries) /* what was counted may not be counted now */
        count_memo_empty(&counter->memo);
    counter->hurries = hurries;
}

void fw_counter_neglect(struct fw_counter *counter, double points)
{
    counter->neglect = points;
}

double fw_counter_neglected(const struct fw_counter *counter)
{
    return counter->neglected;
}

/* Whether a system that holds at most so many points is estimated; the result is half as many. */
static bool neglects(mpz_ptr result, struct fw_counter *counter, double most)
{
    if (!(most <= counter->neglect) || !isfinite(most))
        return false;
    counter->neglected = most;
    mpz_set_d(result, ceil(most / 2));
    return true;
}

/* The most points of a system that a box left coupled, which are those of the result times the
 * ranges of coupled variables. */
static double most_coupled(mpz_srcptr result, const struct box *box)
{
    double most = mpz_get_d(result);
    for (unsigned v = 0; v < box->variables; v++)
        if ((box->coupled & ~box->gone) >> v & 1)
            most *= fw_box_width(box, v, UINT32_MAX);
    return most;
}

/* Readies the scratch for one question. */
static void begin(struct fw_counter *counter)
{
    uint64_t used = counter->work.steps, left = counter->steps_left;
    counter->steps_left = left = left > used ? left - used : 0;
    counter->work.step_budget = left < counter->steps_each ? left : counter->steps_each;
    fw_arena_reset(counter->work.arena);
    counter->work.steps = 0;
    counter->work.status = FW_ERROR_BUDGET; /* what an exhausted arena means here */
}

/* What a count that was given up gives.  Whoever asks comes back with other pieces of the same
 * kind: they get less. */
static enum fw_status given_up(mpz_ptr result, struct fw_counter *counter)
{
    mpz_set_ui(result, 0);
    if (counter->work.status == FW_ERROR_BUDGET && counter->steps_each > STEPS_LEAST)
        counter->steps_each /= 2;
    return counter->work.status;
}

/* The same system's count of before, at its price in steps, within what is left; false: there is
 * none. */
static bool take_kept(mpz_ptr result, enum fw_status *status, struct fw_counter *counter,
                      const struct fw_system *system, uint32_t kept)
{
    const struct counted *count = count_memo_find(&counter->memo, system, kept);
    if (!count || count->steps >= counter->work.step_budget)
        return false;
    counter->work.steps = count->steps;
    mpz_set_ui(result, count->result);
    *status = count->status;
    return true;
}

/* Keeps the count of the system that take_kept was asked for. */
static enum fw_status keep(mpz_srcptr result, enum fw_status status, struct fw_counter *counter)
{
    if (mpz_fits_ulong_p(result))
        count_memo_keep(&counter->memo, status, mpz_get_ui(result), counter->work.steps);
    return status;
}

enum fw_status fw_system_count(mpz_ptr result, struct fw_counter *counter,
                               const struct fw_system *system)
{
    mpz_set_ui(result, 0);
    counter->neglected = 0;
    if (system->variables > FW_SYSTEM_VARIABLES || system->row_count > FW_SYSTEM_ROWS)
        return FW_ERROR_USAGE;
    enum fw_status status;
    enum box_answer answer = fw_box_count(result, &counter->box, system);
    if (answer == BOX_DONE)
        return FW_OK;
    if (answer == BOX_COUPLED && counter->neglect > 0 &&
        neglects(result, counter, most_coupled(result, &counter->box)))
        return FW_OK;
    begin(counter);
    if (counter->hurries && take_kept(result, &status, counter, system, system->variables))
        return status;
    if (setjmp(counter->work.failure))
        return given_up(result, counter);
    if (answer == BOX_COUPLED) {
        count_coupled(counter);
    } else {
        struct state state = state_of(counter, system);
        fw_summation_add(&counter->summation, &state);
        mpz_set_ui(result, 1);
    }
    multiply_total(result, counter);
    return counter->hurries ? keep(result, FW_OK, counter) : FW_OK;
}

/* The hard way: isl finds the shadow. */
static enum fw_status count_shadow(mpz_ptr result, struct fw_counter *counter,
                                   const struct fw_system *system, uint32_t kept)
{
    size_t width = system->variables + 1;
    int64_t *coefficients = calloc(system->row_count * width + 1, sizeof(int64_t));
    bool *equalities = calloc(system->row_count + 1, sizeof(bool));
    struct fw_set *set = NULL;
    struct fw_count *count = NULL;
    enum fw_status status = FW_ERROR_MEMORY;
    uint64_t left = counter->work.step_budget - counter->work.steps;
    if (!counter->poly)
        counter->poly = fw_poly_new();
    if (counter->poly && coefficients && equalities) {
        for (uint32_t i = 0; i < system->row_count; i++) {
            coefficients[i * width] = system->rows[i].constant;
            for (uint32_t v = 0; v < system->variables; v++)
                coefficients[i * width + 1 + v] = system->rows[i].coefficient[v];
            equalities[i] = system->rows[i].equality;
        }
        struct fw_set_rows rows = {.dimensions = kept,
                                   .existentials = system->variables - kept,
                                   .row_count = system->row_count,
                                   .coefficients = coefficients,
                                   .equalities = equalities};
        status = fw_set_from_rows(&set, counter->poly, &rows, NULL);
        if (status == FW_OK)
            status = fw_set_count(&count, set, NULL, NULL);
        if (status == FW_OK)
            status = fw_count_evaluate_within(result, count, counter->poly, NULL, &left);
        counter->work.steps = counter->work.step_budget - left;
    }
    fw_count_free(count);
    fw_set_free(set);
    free(coefficients);
    free(equalities);
    return status;
}

/* A state as a system again, over the variables that it still has; false when a number is too large
 * for it. */
static bool system_of(struct fw_system *system, const struct state *state)
{
    system->variables = 0;
    system->row_count = state->count;
    if (state->count > FW_SYSTEM_ROWS)
        return false;
    for (uint32_t i = 0; i < state->count; i++) {
        integer constant = line_get(state->lines[i], 0);
        if (!integer_is_small(constant) || (state->lines[i]->mask & ~state->live))
            return false;
        system->rows[i].constant = integer_small(constant);
        system->rows[i].equality = state->lines[i]->equality;
    }
    for
        EACH_COLUMN(column, state->live)
        {
            uint32_t v = system->variables++;
            for (uint32_t i = 0; i < state->count; i++) {
                integer at = line_get(state->lines[i], (unsigned)column);
                if (!integer_is_small(at))
                    return false;
                system->rows[i].coefficient[v] = integer_small(at);
            }
        }
    return true;
}

/* A shadow by the ranges of what is kept; false: it is counted. */
static bool estimate_shadow(mpz_ptr result, struct fw_counter *counter,
                            const struct fw_system *system, uint32_t kept)
{
    bool exact;
    double most = fw_box_most(&exact, &counter->box, system, kept);
    if (!exact || !(most < 0x1p53))
        return neglects(result, counter, most);
    mpz_set_d(result, most);
    return true;
}

enum fw_status fw_system_count_projected(mpz_ptr result, struct fw_counter *counter,
                                         const struct fw_system *system, uint32_t kept)
{
    struct summation *summation = &counter->summation;
    enum fw_status status;
    if (kept >= system->variables)
        return fw_system_count(result, counter, system);
    mpz_set_ui(result, 0);
    if (system->variables > FW_SYSTEM_VARIABLES || system->row_count > FW_SYSTEM_ROWS)
        return FW_ERROR_USAGE;
    counter->neglected = 0;
    if (counter->neglect > 0 && estimate_shadow(result, counter, system, kept))
        return FW_OK;
    begin(counter);
    if (take_kept(result, &status, counter, system, kept))
        return status;
    if (setjmp(counter->work.failure))
        return given_up(result, counter);
    struct state state = state_of(counter, system);
    uint64_t open = summation->variable_mask & ~((((uint64_t)1 << kept) - 1) << 1);
    enum projected projected = fw_state_project(summation, &state, open);
    if (projected == PROJECTED_EMPTY)
        return keep(result, FW_OK, counter);
    if (projected == PROJECTED_NOT && counter->hurries)
        return keep(result, FW_ERROR_BUDGET, counter);
    if (projected == PROJECTED_NOT) {
        status = count_shadow(result, counter, system, kept);
        return status == FW_OK ? keep(result, status, counter) : status;
    }
    if (system_of(&counter->shadow, &state) &&
        fw_box_count(result, &counter->box, &counter->shadow) == BOX_DONE)
        return keep(result, FW_OK, counter);
    fw_summation_add(summation, &state);
    mpz_set_ui(result, 1);
    multiply_total(result, counter);
    return keep(result, FW_OK, counter);
}
