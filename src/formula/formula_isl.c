/* Formulas in isl's syntax: without minima, maxima and residues. */
#include "formula_internal.h"
#include "text.h"

#include <string.h>

enum { PIECES_MOST = 64 };

static struct line *without_residue(struct fw_formulas *f, struct line *line)
{
    struct work *work = &f->work;
    for (unsigned c = line->width; c-- > first_column_of(f);) {
        if (c >= line->width || integer_is_zero(line->at[c]) || !is_kind(f, c, COLUMN_RESIDUE))
            continue;
        const struct column *column = column_of(f, c);
        struct line *floor = fw_floor_of(&f->summation, column->a, column->modulus);
        line = fw_line_substitute(work, line, c,
                                  fw_line_combine(work, integer_constant(1), column->a,
                                                  integer_negate(work, column->modulus), floor));
    }
    return line;
}

/* The greatest column of a kind that is a minimum or maximum (or a residue) in the value; 0. */
static unsigned last_column(struct fw_formulas *f, const struct polynomial *value)
{
    for (unsigned i = f->summation.floor_count; i-- > 0;)
        if (f->columns[i].kind != COLUMN_FLOOR && fw_polynomial_has(value, first_column_of(f) + i))
            return first_column_of(f) + i;
    return 0;
}

static void split(struct fw_formulas *f, fw_cells *pieces, const struct state *region,
                  struct polynomial *value)
{
    struct work *work = &f->work;
    unsigned number = last_column(f, value);
    if (polynomial_is_zero(value))
        return;
    if (!number) {
        if (pieces->count == PIECES_MOST)
            fw_work_fail(work, FW_ERROR_BUDGET);
        *FW_APPEND(f->arena, pieces) =
            (struct cell){.lines = region->lines, .count = region->count, .value = value};
        return;
    }
    if (is_kind(f, number, COLUMN_RESIDUE)) {
        struct line *line = without_residue(f, formula_line(work, number));
        split(f, pieces, region,
              fw_polynomial_substitute(work, value, number,
                                       fw_polynomial_line(work, line, integer_constant(1))));
        return;
    }
    const struct column column = *column_of(f, number);
    bool minimum = column.kind == COLUMN_MINIMUM;
    for (int side = 0; side < 2; side++) {
        const struct line *is = side ? column.b : column.a, *other = side ? column.a : column.b;
        struct line *guard = fw_line_combine(work, integer_constant(minimum ? 1 : -1), other,
                                             integer_constant(minimum ? -1 : 1), is);
        if (side)
            guard = fw_line_shift(work, guard, integer_constant(-1));
        guard = without_residue(f, guard);
        /* Sides may be minima and maxima themselves: they are decided before. */
        struct polynomial *inner = fw_polynomial_substitute(
            work, value, number, fw_polynomial_line(work, is, integer_constant(1)));
        struct state part;
        if (formula_narrow(f, &part, region, &guard, 1))
            split(f, pieces, &part, inner);
    }
}

/* Guards with minima and maxima in them: split until there are none. */
static void split_guards(struct fw_formulas *f, fw_cells *pieces, const struct cell *cell,
                         unsigned depth)
{
    struct work *work = &f->work;
    for (uint32_t l = 0; l < cell->count; l++)
        for (unsigned c = cell->lines[l]->width; c-- > first_column_of(f);) {
            if (integer_is_zero(cell->lines[l]->at[c]) ||
                !(is_kind(f, c, COLUMN_MINIMUM) || is_kind(f, c, COLUMN_MAXIMUM)))
                continue;
            if (depth == 8)
                fw_work_fail(work, FW_ERROR_BUDGET);
            const struct column column = *column_of(f, c);
            int sign = column.kind == COLUMN_MINIMUM ? 1 : -1;
            for (int side = 0; side < 2; side++) {
                const struct line *is = side ? column.b : column.a;
                const struct line *other = side ? column.a : column.b;
                struct cell part = {.lines = FW_ARRAY(f->arena, struct line *, cell->count + 1)};
                for (uint32_t k = 0; k < cell->count; k++)
                    part.lines[part.count++] = fw_line_substitute(work, cell->lines[k], c, is);
                struct line *guard = fw_line_combine(work, integer_constant(sign), other,
                                                     integer_constant(-sign), is);
                guard = side ? fw_line_shift(work, guard, integer_constant(-1)) : guard;
                part.lines[part.count++] = without_residue(f, guard);
                part.value = fw_polynomial_substitute(
                    work, cell->value, c, fw_polynomial_line(work, is, integer_constant(1)));
                split_guards(f, pieces, &part, depth + 1);
            }
            return;
        }
    struct state region, nothing = {.count = 0};
    if (formula_narrow(f, &region, &nothing, cell->lines, cell->count))
        *FW_APPEND(f->arena, pieces) =
            (struct cell){.lines = region.lines, .count = region.count, .value = cell->value};
}

/* Cases that lean on defined minima, with each side in their place. */
static void split_defined(struct fw_formulas *f, fw_cells *pieces, const struct cell *cell)
{
    struct work *work = &f->work;
    unsigned number = formula_defined_minimum(f, cell);
    if (pieces->count == PIECES_MOST)
        fw_work_fail(work, FW_ERROR_BUDGET);
    if (!number) {
        *FW_APPEND(f->arena, pieces) = *cell;
        return;
    }
    const struct defined *defined = definition_of(f, number);
    for (uint32_t i = 0; i < defined->side_count; i++) {
        uint32_t room = cell->count + defined->side_count;
        struct cell part = {.lines = FW_ARRAY(f->arena, struct line *, room)};
        for (uint32_t l = 0; l < cell->count; l++)
            part.lines[part.count++] =
                formula_replace_line(f, cell->lines[l], number, defined->sides[i]);
        for (uint32_t j = 0; j < defined->side_count; j++) {
            struct line *gap = fw_line_combine(work, integer_constant(1), defined->sides[j],
                                               integer_constant(-1), defined->sides[i]);
            if (j != i)
                part.lines[part.count++] =
                    j < i ? fw_line_shift(work, gap, integer_constant(-1)) : gap;
        }
        part.value = formula_replace(f, cell->value, number, defined->sides[i]);
        struct state region, nothing = {.count = 0};
        if (!formula_narrow(f, &region, &nothing, part.lines, part.count))
            continue;
        part.lines = region.lines;
        part.count = region.count;
        split_defined(f, pieces, &part);
    }
}

/* "[n, m] -> { ": those given, and the products that the body is about. */
static void write_isl_parameters(const struct formula_writer *w, const char *body)
{
    const struct fw_formulas *f = w->f;
    bool first = true;
    for (unsigned p = 0; p < f->parameter_count; p++) {
        const struct defined *defined = definition_of(f, p + 1);
        if (defined && (defined->side_count || !body || !strstr(body, f->names[p])))
            continue;
        fw_buffer_printf(w->text, "%s%s", first ? "[" : ", ", f->names[p]);
        first = false;
    }
    fw_buffer_printf(w->text, first ? "{ " : "] -> { ");
}

static void write_isl(const struct formula_writer *w, const struct fw_formula *formula)
{
    struct fw_formulas *f = w->f;
    fw_cells defined = {0}, pieces = {0}, plain = {0};
    for (size_t i = 0; i < formula->cases.count; i++)
        split_defined(f, &defined, &formula->cases.at[i]);
    for (size_t i = 0; i < defined.count; i++) {
        const struct cell *cell = &defined.at[i];
        struct state region = {.lines = cell->lines, .count = cell->count};
        split(f, &pieces, &region, cell->value);
    }
    for (size_t i = 0; i < pieces.count; i++)
        split_guards(f, &plain, &pieces.at[i], 0);
    struct fw_buffer body = fw_buffer_new(f->arena);
    struct formula_writer inner = {f, &body, true};
    formula_write_cases(&inner, plain.at, plain.count);
    write_isl_parameters(w, body.text);
    fw_buffer_add(w->text, body.text, body.length);
    fw_buffer_printf(w->text, " }");
}

const char *fw_formula_isl(const struct fw_formula *formula, struct fw_formulas *f,
                           struct fw_arena *arena)
{
    struct fw_buffer text = fw_buffer_new(f->arena);
    struct formula_writer w = {f, &text, true};
    formula_begin(f);
    if (setjmp(f->work.failure)) {
        formula_forget(f);
        return NULL;
    }
    write_isl(&w, formula);
    return formula_finished(f, &text, arena);
}
