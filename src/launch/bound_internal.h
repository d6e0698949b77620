/* What the files about bound launches share. */
#ifndef FW_BOUND_INTERNAL_H
#define FW_BOUND_INTERNAL_H

#include "launch.h"

enum {
    VARIABLES = 24, /* of one piece: launch indices, iterations, quotients */
    MOST_ROWS = 64,
    MOST_PIECES = 256, /* of one domain */
    MOST_DECISIONS = 16,
    MOST_PRODUCTS = 8, /* of symbols */
    PART_DEPTH = 3     /* indices gone through when a piece is counted in parts */
};

/* No bound of an index or a quotient is beyond this. */
#define FAR ((int64_t)1 << 60)

/* constant + sum of coefficient * variable, over a piece's variables. */
struct linear {
    int64_t constant;
    int64_t coefficient[VARIABLES];
};

struct piece_row {
    struct linear form; /* >= 0, or == 0 */
    bool equality;
    bool definition; /* of a quotient */
};

/* The iteration in which a thread left a loop. */
enum left {
    LEFT_NONE,  /* the variable is none */
    LEFT_APART, /* threads of a warp that left in different iterations are apart */
    LEFT_MET    /* they go on together: it is not the same for all threads of a warp */
};

/* One conjunction of rows; a domain is a disjoint union of pieces. */
struct piece {
    uint32_t variables;
    uint32_t row_count;
    double weight; /* shares of unknown branches; 1 when exact */
    uint32_t path; /* which ways were taken through joins that not all ways meet at: threads of a
                      warp that come different ways are issued one way after the other */
    bool estimate; /* a loop's trips were leaned on */
    int64_t low[VARIABLES], high[VARIABLES];
    bool fixed[VARIABLES];       /* low == high, and no row mentions the variable */
    int8_t launch_variable[6];   /* of each block and thread index; -1: always 0 */
    uint32_t loop_of[VARIABLES]; /* the iteration that a variable is, FW_NONE */
    bool quotient[VARIABLES];    /* a floor: its rows define it */
    uint8_t left[VARIABLES];     /* enum left */
    uint32_t
        symbol[VARIABLES]; /* the unbound argument that a variable stands for: a parameter's index,
                              or parameter_count + d for the grid's size in d; FW_NONE */
    uint32_t times_loop[VARIABLES], times_symbol[VARIABLES]; /* a product of two variables, an
                               iteration and a symbol: FW_NONE; no row says how it goes with them,
                               whoever counts must (symbolic_rows.c) */
    bool closed[VARIABLES]; /* an iteration that ends at `high`, whatever the rows say */
    struct {
        fw_condition condition;
        bool truth;
    } decisions[MOST_DECISIONS]; /* selections that were split on */
    uint32_t decision_count;
    struct piece_row *rows;
    uint32_t row_capacity;
};

struct piece_list {
    struct piece **at;
    uint32_t count;
    uint32_t capacity;
};

/* What the condition that is being applied is to the loop whose iteration is `loop_variable`. */
enum condition_role {
    ENDS_NOTHING, /* that it fails need not end the loop */
    ENDS_LOOP,    /* the loop ends when it fails, and only then */
    ENDS_LOOP_TOO /* the loop ends when it fails, or for another reason */
};

struct fw_bound {
    const struct fw_kernel *kernel;
    const struct fw_launch *launch;
    struct fw_arena *scratch; /* of one binding */
    struct fw_arena *kept;    /* of one binding: the domains' pieces */
    struct fw_counter *counter;
    struct fw_system system;
    struct domain_memo {
        bool built;
        bool counted;
        bool warps_counted;
        bool failed;    /* memory or a budget was passed here or in what it is made of */
        bool splits;    /* in a loop, or right behind one, whose threads may stay apart */
        uint32_t waits; /* the domain that is built after this one */
        struct piece_list pieces;
        struct fw_total count;
        struct fw_total warps;
    } * domains;
    struct fw_unknown *unknowns;
    uint32_t unknown_count;
    uint32_t unknown_capacity;
    mpz_t part;
    mpz_t parts[PART_DEPTH];
    uint64_t steps;          /* left for evaluations point by point in this binding */
    uint64_t applications;   /* of conditions to pieces, left in this binding */
    uint64_t linear_steps;   /* of turning expressions into rows, left in this binding */
    uint64_t interval_steps; /* of the interval in progress */
    uint64_t hard_counts;    /* left for pieces counted value by value */
    uint64_t step_limit;     /* of the evaluation in progress */
    fw_supposing *supposing; /* NULL: unknown values are unknown */
    void *supposed;
    struct symbol_product {
        uint32_t first, second;
    } products[MOST_PRODUCTS]; /* symbols that stand for products of two symbols: behind the grid's
                                */
    uint32_t product_count;
    bool symbolic; /* unbound integers and unstated grid sizes are variables of their own */
    /* How conditions are applied: */
    uint32_t loop_variable; /* the iteration that a loop's condition ends; FW_NONE elsewhere */
    enum condition_role role;
    bool endless;         /* set when a loop's condition never ends it */
    bool skip_opaque;     /* opaque conditions count as true: an upper bound */
    uint32_t lean_branch; /* branch whose share stands for opaque parts of its condition; FW_NONE */
    bool lean_data_only;  /* parts that are hard, not opaque, fail: there are other ways */
    bool stepping;   /* through a loop's iterations: going through points as well is too much */
    bool lost;       /* set when a part had no room for another index */
    bool lean_truth; /* flipped inside negations */
};

/* How turning an expression into a linear form ended. */
enum linear_outcome {
    LINEAR,
    SPLIT_ROW,       /* piece must be split on `split` >= 0 first */
    SPLIT_CONDITION, /* piece must be split on condition `condition` first */
    ENUMERATE,       /* piece must be split on every value of `variable` first */
    FAILED           /* see `reason` and `parameter` */
};

struct linear_problem {
    struct linear split;
    fw_condition condition;
    uint32_t variable;
    enum fw_unknown_reason reason;
    uint32_t parameter;
};

/* linear.c: may add quotient variables and their rows to the piece. */
enum linear_outcome bound_linear(struct fw_bound *bound, struct piece *piece, fw_expression a,
                                 struct linear *result, struct linear_problem *problem);
void bound_interval(const struct piece *piece, const struct linear *a, int64_t *low, int64_t *high);
bool bound_add_row(struct fw_bound *bound, struct piece *piece, const struct linear *row,
                   bool equality, bool definition);
/* The variable of an unbound argument (or grid size), added when the piece has none yet. */
uint32_t bound_symbol(struct piece *piece, uint32_t symbol);
uint32_t bound_add_variable(struct piece *piece, int64_t low, int64_t high); /* FW_NONE: no room */

/* pieces.c */
struct piece *bound_copy_piece(struct fw_bound *bound, const struct piece *piece);
const struct piece_list *bound_pieces(struct fw_bound *bound, uint32_t domain);
bool bound_piece_empty(struct fw_bound *bound, const struct piece *piece);

/* conditions.c: appends to `out` the parts of `piece` in which the condition is `truth`.  False: it
 * could not be expressed, for `problem`'s reason; `out` is as it was then. */
bool bound_apply(struct fw_bound *bound, const struct piece *piece, fw_condition condition,
                 bool truth, struct piece_list *out, struct linear_problem *problem);
void bound_push(struct fw_bound *bound, struct piece_list *list, struct piece *piece);

/* The piece where a variable has one value: rows lose it.  NULL in `part`: nothing has.  False: it
 * cannot be expressed. */
bool bound_fix(struct fw_bound *bound, const struct piece *piece, uint32_t variable, int64_t value,
               struct piece **part);

/* by_points.c: restricting to a condition and entering a loop by evaluating every combination of
 * the few indices that they depend on.  False: there are too many, or a value is not known. */
bool bound_condition_by_points(struct fw_bound *bound, const struct piece *piece,
                               fw_condition condition, bool truth, struct piece_list *out);
bool bound_loop_by_points(struct fw_bound *bound, const struct piece *piece, uint32_t loop,
                          struct piece_list *out);
/* The trips of a loop without a closed form, when all that they depend on is fixed in the piece;
 * else which variable to go through first. */
enum linear_outcome bound_trips(struct fw_bound *bound, const struct piece *piece, uint32_t loop,
                                int64_t *trips, struct linear_problem *problem);

/* The same for an AT atom; whether an expression depends on a loop's iteration, maybe through the
 * trips of others. */
enum linear_outcome bound_value_elsewhere(struct fw_bound *bound, const struct piece *piece,
                                          const struct fw_atom_node *node, int64_t *value,
                                          struct linear_problem *problem);
bool bound_depends_on(const struct fw_bound *bound, fw_expression a, uint32_t loop);

/* evaluate.c: a comparison of floating-point arguments and constants. */
bool bound_float_holds(const struct fw_bound *bound, uint32_t index, bool *known);
/* As fw_bound_holds and for a loop's trips, within the binding's budget of evaluations. */
bool bound_holds_at(struct fw_bound *bound, fw_condition a, const struct fw_point *point,
                    bool *known);
bool bound_trips_at(struct fw_bound *bound, uint32_t loop, const struct fw_point *point,
                    int64_t *trips);
bool bound_value_at(struct fw_bound *bound, const struct fw_atom_node *node,
                    const struct fw_point *point, int64_t *value);

/* bound.c: the piece as the binding's system; false when a row without variables shows it to be
 * empty.  `place` gives each variable's column, FW_NONE for fixed ones; the bounds of `unbounded`
 * (FW_NONE: none) are left out. */
bool bound_to_system(struct fw_bound *bound, const struct piece *piece, const uint32_t *place,
                     uint32_t columns, uint32_t unbounded);
/* bound.c: points of a piece; the second also value by value, and within the arena's limit. */
enum fw_status bound_count_piece(struct fw_bound *bound, const struct piece *piece, mpz_ptr result);
enum fw_status bound_count_guarded(struct fw_bound *bound, const struct piece *piece,
                                   mpz_ptr result);
/* bound.c: adds a piece's points to a total, by its weight; once all are in, finishes it. */
void bound_add_part(struct fw_total *count, const struct piece *piece, mpz_srcptr part);
void bound_finish(struct fw_total *count);

/* bound.c: notes that an answer leaned on a branch or loop and yields the value to use. */
void bound_lean_bounded(struct fw_bound *bound, uint32_t loop, const struct linear_problem *why);
/* bound.c: notes a loop that waits for an mbarrier and is taken to run once. */
void bound_note_wait(struct fw_bound *bound, uint32_t loop);
double bound_lean(struct fw_bound *bound, bool is_loop, uint32_t index,
                  const struct linear_problem *why);

#endif
