/* What a question leaves behind: kept after a success, forgotten after a failure. */
#include "formula_internal.h"

#include <string.h>

void formula_begin(struct fw_formulas *f)
{
    f->work.steps = 0;
    f->work.step_budget = f->budget;
    f->work.status = FW_ERROR_BUDGET;
}

static struct line *keep_line(struct work *work, const struct line *line)
{
    struct line *copy = fw_line_new(work, line->width, line->equality);
    for (unsigned c = 0; c < line->width; c++)
        copy->at[c] = fw_integer_copy(work, line->at[c]);
    fw_line_finish(copy);
    return copy;
}

static struct polynomial *keep_polynomial(struct work *work, const struct polynomial *value)
{
    uint16_t same[COLUMNS_MOST + 2];
    for (unsigned c = 0; c < COLUMNS_MOST + 2; c++)
        same[c] = (uint16_t)c;
    return fw_polynomial_map(work, value, same);
}

static void keep_cell(struct work *work, struct cell *cell)
{
    struct line **lines = FW_ARRAY(work->arena, struct line *, cell->count + 1);
    for (uint32_t l = 0; l < cell->count; l++)
        lines[l] = keep_line(work, cell->lines[l]);
    cell->lines = lines;
    cell->value = keep_polynomial(work, cell->value);
}

static void keep_cells(struct work *work, fw_cells *cells)
{
    cells->at = fw_arena_copy(work->arena, cells->at, cells->count * sizeof(*cells->at));
    cells->capacity = cells->count;
    for (size_t i = 0; i < cells->count; i++)
        keep_cell(work, &cells->at[i]);
}

static void keep_factor(struct work *work, struct factor *factor)
{
    if (factor->value)
        factor->value = keep_polynomial(work, factor->value);
    if (factor->kind != FACTOR_ONE) {
        factor->leaf_count = 0;
        factor->leaves = NULL;
    }
    struct leaf *leaves = FW_ARRAY(work->arena, struct leaf, factor->leaf_count + 1);
    for (size_t i = 0; i < factor->leaf_count; i++) {
        struct cell cell = {factor->leaves[i].guards, factor->leaves[i].guard_count,
                            factor->leaves[i].value};
        keep_cell(work, &cell);
        leaves[i] = (struct leaf){cell.lines, cell.count, cell.value, 0};
    }
    factor->leaves = leaves;
    if (factor->kind != FACTOR_SEVERAL)
        factor->cells = (fw_cells){0};
    keep_cells(work, &factor->cells);
}

void formula_settle(struct fw_formulas *f, struct fw_formula *formula)
{
    struct work *work = &f->work;
    work->arena = f->kept;
    for (; f->settled < f->summation.floor_count; f->settled++) {
        struct floor_column *floor = &f->summation.floors[f->settled];
        struct column *column = &f->columns[f->settled];
        floor->numerator = keep_line(work, floor->numerator);
        floor->divisor = fw_integer_copy(work, floor->divisor);
        floor->low = keep_line(work, floor->low);
        floor->high = keep_line(work, floor->high);
        column->a = column->a ? keep_line(work, column->a) : NULL;
        column->b = column->b ? keep_line(work, column->b) : NULL;
        column->modulus = fw_integer_copy(work, column->modulus);
    }
    for (; f->settled_factors < f->factors.count; f->settled_factors++)
        keep_factor(work, &f->factors.at[f->settled_factors]);
    if (formula)
        keep_cells(work, &formula->cases);
    work->arena = f->arena;
    fw_arena_reset(f->arena);
}

void formula_forget(struct fw_formulas *f)
{
    f->work.arena = f->arena;
    memset(f->columns + f->settled, 0,
           (f->summation.floor_count - f->settled) * sizeof(struct column));
    f->summation.floor_count = f->settled;
    f->factors.count = f->settled_factors;
    fw_arena_reset(f->arena);
    if (!f->failing)
        return;
    /* A factor that cannot be had is not tried again. */
    *FW_APPEND(f->kept, &f->factors) = (struct factor){.count = f->failing, .kind = FACTOR_FAILED};
    f->settled_factors = f->factors.count;
    f->failing = NULL;
}
