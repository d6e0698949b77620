/* What the parts of formulas share (formula.h). */
#ifndef FW_FORMULA_INTERNAL_H
#define FW_FORMULA_INTERNAL_H

#include "cells.h"
#include "formula.h"

/* Columns behind the parameters: floors as in a summation, and these. */
enum column_kind {
    COLUMN_FLOOR,
    COLUMN_MINIMUM, /* of lines a and b */
    COLUMN_MAXIMUM,
    COLUMN_RESIDUE, /* a modulo the modulus */
    COLUMN_FACTOR   /* a factor that needs cases, until they are laid out */
};

struct column {
    enum column_kind kind;
    const struct line *a, *b;
    integer modulus;
    uint32_t factor;
};

enum factor_kind {
    FACTOR_FAILED, /* past the budget */
    FACTOR_SIMPLE, /* one polynomial everywhere */
    FACTOR_ONE,    /* its guards are about one parameter: leaves, to be added up where they hold */
    FACTOR_SEVERAL /* disjoint cells that cover everything */
};

struct factor {
    const struct fw_count *count;
    enum factor_kind kind;
    struct polynomial *value;
    unsigned parameter; /* FACTOR_ONE: its column */
    unsigned column;    /* FACTOR_ONE, FACTOR_SEVERAL */
    struct leaf *leaves;
    size_t leaf_count;
    fw_cells cells;
};

struct fw_formula {
    fw_cells cases; /* disjoint; 0 elsewhere */
};

enum { DEFINED_MOST = 16, DEFINED_SIDES = 4 };

/* A parameter that stands for something. */
struct defined {
    const struct line *sides[DEFINED_SIDES]; /* of a minimum */
    uint32_t side_count;                     /* 0: a product */
    unsigned first, second;                  /* columns of a product's factors */
};

struct fw_formulas {
    struct work work;
    struct fw_arena *arena; /* scratch: of one formula */
    struct fw_arena *kept;  /* columns, factors, formulas */
    unsigned settled;       /* columns that are kept */
    size_t settled_factors;
    const struct fw_count *failing; /* being brought over */
    struct summation summation;     /* parameters, `residue`, then the columns above */
    const char **names;
    unsigned parameter_count; /* those given, then the defined ones */
    unsigned given_count;
    struct defined defined[DEFINED_MOST];
    unsigned residue; /* a column for what is left of a parameter modulo something: scratch */
    uint64_t budget;
    struct column columns[FLOORS_MOST];
    FW_VECTOR(struct factor) factors;
};

/* Values of lines at points. */
__extension__ typedef __int128 wide;

enum { CASES_MOST = 40 };

static inline unsigned first_column_of(const struct fw_formulas *f)
{
    return f->residue + 1;
}

/* What a parameter stands for; NULL: itself. */
static inline const struct defined *definition_of(const struct fw_formulas *f, unsigned column)
{
    return column > f->given_count && column <= f->parameter_count
               ? &f->defined[column - f->given_count - 1]
               : NULL;
}

/* The kind of a column behind the parameters. */
static inline struct column *column_of(struct fw_formulas *f, unsigned column)
{
    return &f->columns[column - first_column_of(f)];
}

static inline bool is_kind(struct fw_formulas *f, unsigned column, enum column_kind kind)
{
    return column >= first_column_of(f) && column_of(f, column)->kind == kind;
}

/* 1 * column */
struct line *formula_line(struct work *work, unsigned column);
struct polynomial *formula_column(struct work *work, unsigned column);
struct line *formula_constant_line(struct work *work, int64_t value);
struct polynomial *formula_minus(struct work *work, const struct polynomial *a,
                                 const struct polynomial *b);

/* The column of min(a, b), max(a, b) (kind) or a mod modulus. */
unsigned formula_extreme(struct fw_formulas *f, enum column_kind kind, const struct line *a,
                         const struct line *b);
unsigned formula_residue(struct fw_formulas *f, const struct line *a, integer modulus);

/* All columns of a polynomial or a line, each once; how many. */
unsigned formula_columns(const struct polynomial *a, uint16_t *list, unsigned most);

/* A small integer's value; unwinds where it is big. */
int64_t formula_small(struct fw_formulas *f, integer a);

/* The greatest monomial that divides all terms; and a polynomial divided by one. */
monomial formula_common(struct work *work, const struct polynomial *value);
struct polynomial *formula_divided(struct work *work, const struct polynomial *value,
                                   integer content, monomial common);

/* Whether a column is a floor of one parameter alone. */
bool formula_is_floor_of(struct fw_formulas *f, unsigned column, unsigned parameter);

/* Where low <= n <= high the sum is `value`. */
struct range_case {
    int64_t low, high; /* -FAR_AWAY, FAR_AWAY: no bound */
    struct polynomial *value;
};
typedef FW_VECTOR(struct range_case) fw_range_cases;
#define FAR_AWAY ((int64_t)1 << 60)

/* one_parameter.c: lays out the cases of all factors that are about `parameter`; floors of it come
 * out in normal form. Unwinds past the budget. */
fw_range_cases formula_one_parameter(struct fw_formulas *f, struct polynomial *value,
                                     unsigned parameter);

/* At a residue, a floor of the parameter is slope * (n - residue) / period + constant. */
struct floor_form {
    unsigned column;
    int64_t slope, constant;
};

/* floor_values.c: the value with its floors so replaced, a polynomial in n and f->residue. */
struct polynomial *formula_without_floors(struct fw_formulas *f, struct polynomial *value,
                                          unsigned parameter, int64_t period,
                                          const struct floor_form *floors, uint32_t count);

/* residues.c: a function that is polynomial `values[j]` (of the parameter and of f->residue, its
 * residue modulo `period`) at residues from starts[j] to starts[j + 1] - 1 (starts[count] is the
 * period; NULL: never asked for), as one polynomial without f->residue. */
struct polynomial *formula_of_residues(struct fw_formulas *f, unsigned parameter, int64_t period,
                                       const int64_t *starts, struct polynomial *const *values,
                                       uint32_t count);

/* extremes.c: the cells' function as minima and maxima; NULL: it is none, or is not shown to be. */
struct polynomial *formula_extremes(struct fw_formulas *f, const fw_cells *cells);

/* Minima and maxima that a region decides are replaced by what they are there. */
struct polynomial *formula_decide_extremes(struct fw_formulas *f, const struct state *region,
                                           struct polynomial *value);

/* definitions.c: the line, the value or the case with a parameter replaced, in floors, minima and
 * residues as well. */
struct line *formula_replace_line(struct fw_formulas *f, const struct line *line,
                                  unsigned parameter, const struct line *by);
struct polynomial *formula_replace(struct fw_formulas *f, struct polynomial *value,
                                   unsigned parameter, const struct line *by);

/* The defined minimum that a case's value or guards lean on; 0: none. */
unsigned formula_defined_minimum(struct fw_formulas *f, const struct cell *cell);

/* Whether line >= 0 wherever all lines of a region (and the assumptions) hold. */
bool formula_implies(struct fw_formulas *f, struct line *const *lines, uint32_t count,
                     const struct line *line);

/* column - at divides a value. */
struct formula_root {
    unsigned column;
    int64_t at;
};

/* formula_roots.c: the factors column - (least - 1) of a case where column >= least (least is not
 * 1): how many, and what is left of the value. */
unsigned formula_roots(struct fw_formulas *f, const struct cell *cell, struct formula_root *roots,
                       unsigned most, struct polynomial **rest);

/* Whether an inequality bounds one column alone, with coefficient 1 or -1; which. */
bool formula_bounds_column(const struct line *line, unsigned *column);

/* formula_kept.c: a new budget, for the next question. */
void formula_begin(struct fw_formulas *f);

/* After a success: what is new goes into the kept memory, the scratch is free; after a failure what
 * is new is forgotten. */
void formula_settle(struct fw_formulas *f, struct fw_formula *formula);
void formula_forget(struct fw_formulas *f);

/* Where a formula is written to, and for whom. */
struct formula_writer {
    struct fw_formulas *f;
    struct fw_buffer *text;
    bool isl;
};

/* formula_text.c: the cases, separated by "; ". */
void formula_write_cases(const struct formula_writer *w, const struct cell *cases, size_t count);

/* The text in the caller's memory, NULL when it is too long; the scratch is given back. */
const char *formula_finished(struct fw_formulas *f, const struct fw_buffer *text,
                             struct fw_arena *arena);

/* A region with further lines; false when nothing is left of it. */
bool formula_narrow(struct fw_formulas *f, struct state *result, const struct state *region,
                    struct line *const *lines, uint32_t count);

#endif
