/* Pieces: a bound launch's domains as they are before they are counted.
 *
 * A domain is a disjoint union of pieces, each the integer points of a system of linear rows over
 * block and thread indices, iterations, floors and, for a symbolic binding, symbols: arguments that
 * are not bound and sizes of the grid that the launch does not state.  This is for who counts them
 * to something else than the number that fw_bound_count gives: src/symbolic makes formulas of them.
 * Pieces belong to the binding and are read alone. */
#ifndef FW_PIECE_H
#define FW_PIECE_H

#include "launch.h"

enum {
    FW_PIECE_VARIABLES = FW_SHAPE_VARIABLES, /* a shape holds a piece */
    FW_PIECE_ROWS = FW_SHAPE_ROWS,
    FW_PIECE_DECISIONS = 16,
    FW_PIECE_SAMPLED = 8,
    FW_PIECE_PRODUCTS = 8 /* of symbols, in one binding */
};

/* constant + sum of coefficient * variable, over a piece's variables. */
struct fw_linear {
    int64_t constant;
    int64_t coefficient[FW_PIECE_VARIABLES];
};

struct fw_piece_row {
    struct fw_linear form; /* >= 0, or == 0 */
    bool equality;
    bool definition; /* of a quotient */
};

/* A variable that is the iteration in which a thread left a loop: how threads of different values
 * go on. */
enum fw_left {
    FW_LEFT_NONE,  /* the variable is none */
    FW_LEFT_APART, /* threads of a warp that left in different iterations are apart */
    FW_LEFT_MET    /* they go on together: it is not the same for all threads of a warp */
};

/* A part of what a piece asks for that no row expresses: it is evaluated at sampled points. */
struct fw_sampled {
    fw_condition condition;
    bool truth;
    uint32_t loop; /* FW_NONE; else in place of a condition: the iterations that this loop has */
    uint32_t variable; /* the loop's iteration; of a condition: how many variables there were */
    uint32_t branch;   /* of a condition: whose unknown it is */
    bool taken;        /* whether `truth` is what takes the branch */
};

/* Points and warps of a piece with sampled parts, without its weight. */
struct fw_estimate {
    uint64_t content; /* a hash of the piece that it is of; 0: there is none yet */
    double threads, warps;
    double share, warp_share; /* of what the rows alone allow; 0: not known */
    double most;              /* iterations of a sampled loop, of all points that were evaluated */
    bool every;               /* all points were evaluated: both are exact */
};

/* One conjunction of rows; a domain is a disjoint union of pieces. */
struct fw_piece {
    uint32_t variables;
    uint32_t row_count;
    double weight;      /* shares of unknown branches; 1 when exact */
    double warp_weight; /* the same of warps, but for branches that lanes take each for itself */
    struct fw_lane_share lanes; /* that these leave */
    bool measured;              /* warp_weight has what was measured of warps */
    uint32_t path; /* which ways were taken through joins that not all ways meet at: threads of a
                      warp that come different ways are issued one way after the other */
    bool estimate; /* a loop's trips were leaned on */
    int64_t low[FW_PIECE_VARIABLES], high[FW_PIECE_VARIABLES];
    bool fixed[FW_PIECE_VARIABLES];       /* low == high, and no row mentions the variable */
    int8_t launch_variable[6];            /* of each block and thread index; -1: always 0 */
    uint32_t loop_of[FW_PIECE_VARIABLES]; /* the iteration that a variable is, FW_NONE */
    uint32_t entered[FW_PIECE_VARIABLES]; /* the loop whose iteration it is, or was before threads
                                             left the loop; FW_NONE */
    bool quotient[FW_PIECE_VARIABLES];    /* a floor: its rows define it */
    uint8_t left[FW_PIECE_VARIABLES];     /* enum fw_left */
    /* The symbol that a variable stands for: an unbound argument's index among the parameters, or
     * parameter_count + d for the grid's size in d; FW_NONE. */
    uint32_t symbol[FW_PIECE_VARIABLES];
    /* The iteration and the symbol that a variable is the product of, else FW_NONE.  No row says
     * how it goes with them: whoever counts must. */
    uint32_t times_loop[FW_PIECE_VARIABLES], times_symbol[FW_PIECE_VARIABLES];
    bool closed[FW_PIECE_VARIABLES]; /* an iteration that ends at `high`, whatever the rows say */
    struct {
        fw_condition condition;
        bool truth;
    } decisions[FW_PIECE_DECISIONS]; /* selections that were split on */
    uint32_t decision_count;
    struct fw_sampled sampled[FW_PIECE_SAMPLED];
    uint32_t sampled_count;
    struct fw_estimate estimate_of; /* where something is sampled; see warp/sampled.c */
    struct fw_piece_row *rows;
    uint32_t row_capacity;
};

struct fw_piece_list {
    struct fw_piece **at;
    uint32_t count;
    uint32_t capacity;
};

/* A symbol that stands for the product of two. */
struct fw_symbol_product {
    uint32_t first, second; /* symbols: a parameter's index, or parameter_count + d */
};

/* As fw_bound_new; what is bound leaves integer arguments without a value and grid sizes of 0
 * symbols, and so do the pieces. */
FW_GIVE struct fw_bound *fw_bound_new_symbolic(const struct fw_kernel *kernel);

/* A domain's pieces, until the next binding; NULL: making them was past memory or a budget. */
const struct fw_piece_list *fw_bound_pieces(struct fw_bound *bound, uint32_t domain);

/* The products of symbols that pieces made so far mention; product p is symbol parameter_count + 3
 * + p.  The list grows with pieces. */
const struct fw_symbol_product *fw_bound_products(const struct fw_bound *bound, uint32_t *count);

#endif
