/* Formulas of one parameter: floors, guards and thresholds.  See one_parameter.c. */
#include "one_parameter_internal.h"
#include "quotient.h"

#include <stdlib.h>
#include <string.h>

static _Noreturn void give_up(struct parameter_analysis *a)
{
    fw_work_fail(&a->f->work, FW_ERROR_BUDGET);
}

static const struct floor_column *floor_at(const struct parameter_analysis *a, unsigned column)
{
    return &a->f->summation.floors[column - first_column_of(a->f)];
}

/* ---- what there is ---- */

/* Notes a floor and those in it first. */
static void note_floor(struct parameter_analysis *a, unsigned column)
{
    for (uint32_t i = 0; i < a->floor_count; i++)
        if (a->floors[i].column == column)
            return;
    const struct line *numerator = floor_at(a, column)->numerator;
    for (unsigned c = first_column_of(a->f); c < numerator->width; c++)
        if (!integer_is_zero(numerator->at[c]))
            note_floor(a, c);
    if (a->floor_count == FLOORS_HERE)
        give_up(a);
    a->floors[a->floor_count++].column = column;
}

static void note_floors_of(struct parameter_analysis *a, const struct polynomial *value)
{
    uint16_t columns[128];
    unsigned count = formula_columns(value, columns, 128);
    for (unsigned i = 0; i < count; i++)
        if (columns[i] >= first_column_of(a->f) &&
            formula_is_floor_of(a->f, columns[i], a->parameter))
            note_floor(a, columns[i]);
}

static bool is_about(struct parameter_analysis *a, const struct line *line)
{
    bool any = false;
    for (unsigned c = 1; c < line->width; c++) {
        if (integer_is_zero(line->at[c]))
            continue;
        if (c != a->parameter && !formula_is_floor_of(a->f, c, a->parameter))
            return false;
        any = true;
    }
    return any;
}

static void note_guard(struct parameter_analysis *a, const struct line *line, bool assumed)
{
    for (uint32_t i = 0; i < a->guard_count; i++)
        if (a->guards[i].line == line || fw_line_equal(&a->f->work, a->guards[i].line, line)) {
            a->guards[i].assumed |= assumed;
            return;
        }
    if (a->guard_count == GUARDS_MOST)
        give_up(a);
    bool plain = true;
    for (unsigned c = first_column_of(a->f); c < line->width; c++)
        if (!integer_is_zero(line->at[c])) {
            plain = false;
            note_floor(a, c);
        }
    a->guards[a->guard_count++] = (struct guard){line, plain, assumed};
}

static void gather(struct parameter_analysis *a, const struct polynomial *value)
{
    struct fw_formulas *f = a->f;
    uint16_t columns[128];
    unsigned count = formula_columns(value, columns, 128);
    for (unsigned i = 0; i < count; i++) {
        if (!is_kind(f, columns[i], COLUMN_FACTOR))
            continue;
        const struct factor *factor = &f->factors.at[column_of(f, columns[i])->factor];
        if (factor->kind != FACTOR_ONE || factor->parameter != a->parameter)
            continue;
        if (a->factor_count == 32)
            give_up(a);
        a->factors[a->factor_count++] = factor;
        for (size_t l = 0; l < factor->leaf_count; l++) {
            note_floors_of(a, factor->leaves[l].value);
            for (uint32_t g = 0; g < factor->leaves[l].guard_count; g++)
                note_guard(a, factor->leaves[l].guards[g], false);
        }
    }
    note_floors_of(a, value);
    for (uint32_t i = 0; i < f->summation.context_count; i++)
        if (is_about(a, f->summation.context[i]))
            note_guard(a, f->summation.context[i], true);
}

/* ---- residues ---- */

/* The period after which a floor repeats but for its slope. */
static int64_t period_of(struct parameter_analysis *a, unsigned column)
{
    const struct floor_column *floor = floor_at(a, column);
    int64_t inner = 1;
    for (unsigned c = first_column_of(a->f); c < floor->numerator->width; c++)
        if (!integer_is_zero(floor->numerator->at[c])) {
            int64_t here = period_of(a, c);
            inner = inner / fw_common_step(inner, here) * here;
        }
    int64_t divisor = formula_small(a->f, floor->divisor);
    if (divisor > PERIOD_MOST || inner * divisor > PERIOD_MOST)
        give_up(a);
    return inner * divisor;
}

/* A line as slope * q + constant at a residue. */
void parameter_line_at(const struct parameter_analysis *a, const struct line *line, int64_t r,
                       int64_t *slope, int64_t *constant)
{
    struct fw_formulas *f = a->f;
    *constant = formula_small(f, line->at[0]);
    *slope = 0;
    if (line->width > a->parameter && !integer_is_zero(line->at[a->parameter])) {
        int64_t factor = formula_small(f, line->at[a->parameter]);
        if (factor > INT32_MAX || factor < INT32_MIN)
            fw_work_fail(&f->work, FW_ERROR_BUDGET);
        *slope += factor * a->period;
        *constant += factor * r;
    }
    for (uint32_t i = 0; i < a->floor_count; i++) {
        int64_t factor = formula_small(f, line_get(line, a->floors[i].column));
        if (factor > INT32_MAX || factor < INT32_MIN)
            fw_work_fail(&f->work, FW_ERROR_BUDGET);
        if (factor) {
            *slope += factor * a->floors[i].slope;
            *constant += factor * a->floors[i].at[r];
        }
    }
}

static void tabulate(struct parameter_analysis *a)
{
    for (uint32_t i = 0; i < a->floor_count; i++) {
        int64_t here = period_of(a, a->floors[i].column);
        a->period = a->period / fw_common_step(a->period, here) * here;
        if (a->period > PERIOD_MOST)
            give_up(a);
    }
    work_spend(&a->f->work, (uint64_t)(a->period * (1 + a->floor_count) / 64));
    for (uint32_t i = 0; i < a->floor_count; i++) {
        struct floor_table *table = &a->floors[i];
        const struct floor_column *floor = floor_at(a, table->column);
        int64_t divisor = formula_small(a->f, floor->divisor), slope, constant;
        table->at = FW_ARRAY(a->f->arena, int64_t, (size_t)a->period);
        for (int64_t r = 0; r < a->period; r++) {
            parameter_line_at(a, floor->numerator, r, &slope, &constant);
            table->at[r] = fw_floor_quotient(constant, divisor);
            table->slope = slope / divisor;
        }
    }
}

/* Whether residue r needs another interval than r - 1: a floor's constant differs, or a guard that
 * does not depend on q holds at one only. */
static bool starts_interval(struct parameter_analysis *a, int64_t r)
{
    int64_t slope, here, before;
    for (uint32_t i = 0; i < a->floor_count; i++)
        if (a->floors[i].at[r] != a->floors[i].at[r - 1])
            return true;
    for (uint32_t g = 0; g < a->guard_count; g++) {
        const struct guard *guard = &a->guards[g];
        if (guard->plain)
            continue;
        parameter_line_at(a, guard->line, r, &slope, &here);
        parameter_line_at(a, guard->line, r - 1, &slope, &before);
        if (slope == 0 &&
            (guard->line->equality ? (here == 0) != (before == 0) : (here >= 0) != (before >= 0)))
            return true;
    }
    return false;
}

static void find_intervals(struct parameter_analysis *a)
{
    a->interval_count = 1;
    for (int64_t r = 1; r < a->period; r++)
        if (starts_interval(a, r)) {
            if (a->interval_count == INTERVALS_MOST)
                give_up(a);
            a->starts[a->interval_count++] = r;
        }
    a->starts[a->interval_count] = a->period;
}

/* ---- ranges ---- */

static void note_threshold(struct parameter_analysis *a, int64_t at)
{
    for (uint32_t i = 0; i < a->threshold_count; i++)
        if (a->thresholds[i] == at)
            return;
    if (a->threshold_count == THRESHOLDS_MOST || at > FAR_AWAY / 4 || at < -FAR_AWAY / 4)
        give_up(a);
    a->thresholds[a->threshold_count++] = at;
}

/* The first x at which slope * x + constant >= 0 starts (slope > 0) or stops (slope < 0). */
static int64_t turn(int64_t slope, int64_t constant)
{
    return slope > 0 ? -fw_floor_quotient(constant, slope)
                     : fw_floor_quotient(constant, -slope) + 1;
}

/* Notes where a guard that is slope * x + constant turns, x being (n - r) / scale. */
static void note_turns(struct parameter_analysis *a, const struct guard *guard, int64_t slope,
                       int64_t constant, int64_t scale, int64_t r)
{
    if (guard->line->equality && slope < 0) {
        slope = -slope;
        constant = -constant;
    }
    int64_t x = turn(slope, constant);
    note_threshold(a, scale * x + r);
    if (guard->line->equality)
        note_threshold(a, scale * (x + 1) + r);
}

static void turns_of_guard(struct parameter_analysis *a, const struct guard *guard)
{
    int64_t slope, constant, after;
    if (guard->plain) {
        slope = formula_small(a->f, line_get(guard->line, a->parameter));
        constant = formula_small(a->f, guard->line->at[0]);
        note_turns(a, guard, slope, constant, 1, 0);
        return;
    }
    for (uint32_t j = 0; j < a->interval_count; j++) {
        parameter_line_at(a, guard->line, a->starts[j], &slope, &constant);
        parameter_line_at(a, guard->line, a->starts[j + 1] - 1, &slope, &after);
        int64_t last = constant == after ? a->starts[j] : a->starts[j + 1] - 1;
        for (int64_t r = a->starts[j]; slope && r <= last; r++) {
            parameter_line_at(a, guard->line, r, &slope, &constant);
            note_turns(a, guard, slope, constant, a->period, r);
        }
    }
}

static int ascending(const void *left, const void *right)
{
    const int64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

void parameter_analyse(struct parameter_analysis *a, const struct polynomial *value)
{
    a->period = 1;
    gather(a, value);
    tabulate(a);
    find_intervals(a);
    for (uint32_t g = 0; g < a->guard_count; g++)
        turns_of_guard(a, &a->guards[g]);
    qsort(a->thresholds, a->threshold_count, sizeof(*a->thresholds), ascending);
}
