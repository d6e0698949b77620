/* What the files about symbolic counts share. */
#ifndef FW_SYMBOLIC_INTERNAL_H
#define FW_SYMBOLIC_INTERNAL_H

#include "piece.h"
#include "symbolic.h"

enum { SPARE_SYMBOLS = 4, MATRIX_COLUMNS = FW_PIECE_VARIABLES + SPARE_SYMBOLS + 1 };

/* A set without names or order, and its count. */
struct known_count {
    uint64_t hash;
    const int64_t *key;
    size_t words;
    struct fw_count *count; /* NULL: past the budget */
};

struct row_text {
    const struct fw_tally_row *row;
    struct fw_symbolic_text text;
};

struct matrix;
struct component;

/* A symbol that stands for the least of several expressions of the formulas' parameters. */
struct minimum_symbol {
    const char *name;
    const int64_t *sides[4]; /* constant, then by parameter */
    uint32_t side_count;
};

struct fw_symbolic {
    const struct fw_kernel *kernel;
    const struct fw_launch *launch;
    struct fw_bound *bound;
    struct fw_poly *poly;
    struct fw_arena *arena;
    const char **names;    /* by symbol */
    uint32_t own_count;    /* arguments and the grid's sizes */
    uint32_t symbol_count; /* and products of them; minima are counted on from here */
    struct fw_set *assumptions;
    const char *assumption_text;
    struct fw_formulas *formulas;
    const char *
        *given; /* the formulas' parameters: names of those symbols that stand for integers */
    uint32_t given_count;
    FW_VECTOR(struct minimum_symbol) minima;
    struct fw_buffer assumed_names, assumed_rows;
    struct matrix *matrix; /* scratch */
    struct component *component;
    int64_t *spare_rows;
    struct domain_count {
        bool done;
        enum fw_symbolic_reason reason;
        FW_VECTOR(struct fw_product) products;
    } * domains;
    FW_VECTOR(struct known_count) counts; /* equal sets are counted once */
    FW_VECTOR(struct row_text) texts;
};

/* The piece's rows in the order that sets want: the constant, symbols, then the other variables. */
struct matrix {
    int64_t coefficients[(FW_PIECE_ROWS + 2 * FW_PIECE_VARIABLES) * MATRIX_COLUMNS];
    bool equalities[FW_PIECE_ROWS + 2 * FW_PIECE_VARIABLES];
    const char *names[FW_PIECE_VARIABLES + SPARE_SYMBOLS];
    uint32_t
        symbol[FW_PIECE_VARIABLES + SPARE_SYMBOLS]; /* by parameter; minima behind all others */
    uint32_t spare;                /* the next free parameter; names NULL behind it */
    bool dead[FW_PIECE_VARIABLES]; /* dimensions that were taken out */
    uint32_t piece_row;            /* where the piece's own rows begin */
    uint32_t place[FW_PIECE_VARIABLES];
    struct fw_set_rows rows;
};

/* symbolic_rows.c: a piece's rows; thread and block indices that stand together as one; upper
 * bounds that differ in symbols alone as one bound by a minimum.  False: a product of an iteration
 * and a symbol is left that no rows can say. */
bool symbolic_rows(struct fw_symbolic *symbolic, const struct fw_piece *piece,
                   struct matrix *matrix);

/* The assumptions as a set, after they have grown. */
void symbolic_assume(struct fw_symbolic *symbolic);

/* The formulas' parameter of this name; FW_NONE. */
uint32_t symbolic_given(const struct fw_symbolic *symbolic, const char *name);

#endif
