/* What the files about bound launches share. */
#ifndef FW_BOUND_INTERNAL_H
#define FW_BOUND_INTERNAL_H

#include "interval.h"
#include "piece.h"

enum {
    MOST_INTERVAL_STEPS = 4096, /* of one interval */
    BRIEF_INTERVAL_STEPS = 128, /* the same at a brief launch */
    MOST_PIECES = 256,          /* of one domain */
    PART_DEPTH = 3              /* indices gone through when a piece is counted in parts */
};

/* Bytes that the address of an allocation is a multiple of (the CUDA C++ Programming Guide, "Size
 * and Alignment Requirement"). */
enum { ALLOCATION_ALIGNMENT = 256 };

/* No bound of an index or a quotient is beyond this. */
#define FAR ((int64_t)1 << 60)

/* What the condition that is being applied is to the loop whose iteration is `loop_variable`. */
enum condition_role {
    ENDS_NOTHING, /* that it fails need not end the loop */
    ENDS_LOOP,    /* the loop ends when it fails, and only then */
    ENDS_LOOP_TOO /* the loop ends when it fails, or for another reason */
};

/* The lengths of rows or lists that an array of the record tells (rows/row_length.c). */
struct row_length {
    bool known;      /* what follows was found in this binding */
    bool stated;     /* the mean is the user's */
    double usual;    /* the mean */
    double greatest; /* that addresses leave room for; INFINITY: none is known */
    uint32_t room;   /* array whose rows leave so much room; FW_NONE */
};

/* Where a warp's threads are: whole rows of a block's first dimensions and `size` neighbours in
 * dimension `d`; one value of each higher dimension.  d is 3 when all of the block is one warp. */
struct warp_cut {
    bool boxes; /* false: some warps reach across the end of a row */
    uint32_t d;
    uint32_t size;
};

/* warp/common_warps.c: the same, in blocks of a size. */
struct warp_cut common_warps_cut(const uint32_t block[3]);

struct fw_bound {
    const struct fw_kernel *kernel;
    const struct fw_launch *launch;
    struct fw_bound *beside;  /* for other bindings; NULL: nobody asked yet */
    struct fw_arena *scratch; /* of one binding */
    struct fw_arena *kept;    /* of one binding: the domains' pieces */
    struct fw_counter *counter;
    struct fw_system system;
    struct warp_cut cut; /* of the launch's blocks */
    struct domain_memo {
        bool built;
        bool counted;
        bool warps_counted;
        bool failed;    /* memory or a budget was passed here or in what it is made of */
        bool splits;    /* in a loop, or right behind one, whose threads may stay apart */
        uint32_t waits; /* the domain that is built after this one */
        struct fw_piece_list pieces;
        struct fw_total count;
        struct fw_total warps;
        double warps_apart; /* of its pieces, one by one */
    } * domains;
    struct fw_unknown *unknowns;
    uint32_t unknown_count;
    uint32_t unknown_capacity;
    mpz_t part;
    mpz_t parts[PART_DEPTH];
    uint64_t steps;      /* left for evaluations point by point in this binding */
    uint64_t row_steps;  /* the same for lengths of rows, of a brief launch: a few points of each
                            branch, whatever the launch's size */
    uint64_t scalars;    /* operations on bits that were evaluated */
    uint64_t iterations; /* of loops that are gone through, left in this binding */
    uint64_t fold_steps; /* of values that loops carry (FOLD), left in this binding */
    struct fold_memos *folds;         /* NULL: none kept yet */
    struct fold_courses *courses;     /* NULL: none kept yet */
    const struct fold_frame *folding; /* that are being evaluated, the innermost; NULL: none */
    uint64_t applications;            /* of conditions to pieces, left in this binding */
    uint64_t linear_steps;            /* of turning expressions into rows, left in this binding */
    uint64_t interval_steps;          /* of the interval in progress */
    size_t memory;            /* bytes of scratch at which applying a condition is given up */
    uint64_t hard_counts;     /* left for pieces counted value by value */
    uint64_t step_limit;      /* of the evaluation in progress */
    struct trips_memo *trips; /* NULL: none kept yet */
    struct atom_memo *atoms;  /* values at the point in progress; NULL: none are kept */
    struct atom_memo *numbered_atoms;   /* the same of each of a warp's numbered points; NULL */
    struct atom_memo *numbered;         /* of the one in progress; NULL: it has no number */
    uint64_t point, points;             /* the number of that point, and of the last begun */
    uint32_t binding;                   /* the number of bindings so far */
    struct affine_value *affine_values; /* by expression; NULL: none found yet */
    struct fixed_values *fixed;         /* by atom; NULL: none kept yet */
    uint8_t *never_known;               /* by condition; NULL: none asked for yet */
    bool fixing; /* values that iterations do not change are kept: where no budget counts steps */
    struct sampled_memo *sampled_memo; /* NULL: none kept yet */
    fw_supposing *supposing;           /* NULL: unknown values are unknown */
    void *supposed;
    struct fw_symbol_product products[FW_PIECE_PRODUCTS];
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
    bool assuming;   /* pointers that are not given stand for addresses: see pointer_tests.c */
    uint8_t *pointer_tests; /* by condition: enum pointer_test */
    uint8_t *asks_data;     /* by condition, of shares.c; NULL: none was asked for yet */
    double *leaned_trips;   /* by loop: the trips that were leaned on; 0: none */
    uint32_t part_branch;   /* what shares.c found last */
    double part_of, part_share;
    struct row_length
        *row_lengths; /* by array, and of one that is not known; NULL: none found yet */
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
    struct fw_linear split;
    fw_condition condition;
    uint32_t variable;
    enum fw_unknown_reason reason;
    uint32_t parameter;
};

/* linear/linear.c: may add quotient variables and their rows to the piece. */
enum linear_outcome bound_linear(struct fw_bound *bound, struct fw_piece *piece, fw_expression a,
                                 struct fw_linear *result, struct linear_problem *problem);
void bound_interval(const struct fw_piece *piece, const struct fw_linear *a, int64_t *low,
                    int64_t *high);
bool bound_add_row(struct fw_bound *bound, struct fw_piece *piece, const struct fw_linear *row,
                   bool equality, bool definition);
/* The variable of an unbound argument (or grid size), added when the piece has none yet. */
uint32_t bound_symbol(struct fw_piece *piece, uint32_t symbol);
uint32_t bound_add_variable(struct fw_piece *piece, int64_t low,
                            int64_t high); /* FW_NONE: no room */

/* linear/linear_bits.c: whether no bit can be set in both forms, as far as the piece's floors and
 * bounds tell. */
bool bound_disjoint_bits(const struct fw_piece *piece, const struct fw_linear *a,
                         const struct fw_linear *b);

/* linear/linear_symbols.c: a b, neither a constant, where one of them is a multiple of a symbol and
 * the other made of symbols and iterations: each product of two is a variable of its own. False:
 * they are something else, or there is no room. */
bool bound_symbolic_product(struct fw_bound *bound, struct fw_piece *piece,
                            const struct fw_linear *a, const struct fw_linear *b,
                            struct fw_linear *result);

/* pieces.c */
struct fw_piece *bound_copy_piece(struct fw_bound *bound, const struct fw_piece *piece);
const struct fw_piece_list *bound_pieces(struct fw_bound *bound, uint32_t domain);
bool bound_piece_empty(struct fw_bound *bound, const struct fw_piece *piece);

/* conditions.c: appends to `out` the parts of `piece` in which the condition is `truth`.  False: it
 * could not be expressed, for `problem`'s reason; `out` is as it was then. */
bool bound_apply(struct fw_bound *bound, const struct fw_piece *piece, fw_condition condition,
                 bool truth, struct fw_piece_list *out, struct linear_problem *problem);
void bound_push(struct fw_bound *bound, struct fw_piece_list *list, struct fw_piece *piece);

/* Splits the piece as `problem` asks, into `parts`.  False: it cannot be. */
bool bound_split(struct fw_bound *bound, const struct fw_piece *piece, enum linear_outcome outcome,
                 struct linear_problem *problem, struct fw_piece_list *parts);

/* The piece where a variable has one value: rows lose it.  NULL in `part`: nothing has.  False: it
 * cannot be expressed. */
bool bound_fix(struct fw_bound *bound, const struct fw_piece *piece, uint32_t variable,
               int64_t value, struct fw_piece **part);

/* affine_value.c: the value of an expression that is affine in the point's indices once arguments
 * and sizes are bound.  False: it is not, or is too large; nothing is said of whether it is known.
 */
bool affine_value_at(struct fw_bound *bound, fw_expression a, const struct fw_point *point,
                     int64_t *result);

/* evaluate.c: within an evaluation, begins another point and answers the one before; an expression
 * at the point that was begun. */
uint64_t bound_begin_point(struct fw_bound *bound);
bool bound_part_at(struct fw_bound *bound, fw_expression a, const struct fw_point *point,
                   int64_t *value);

/* warp/fold_value.c: a FOLD at a point, an atom CARRIED while one is evaluated; false: not known,
 * or after more steps than a binding may take. */
bool bound_fold_at(struct fw_bound *bound, const struct fw_atom_node *node,
                   const struct fw_point *point, int64_t *value);
bool bound_carried_at(const struct fw_bound *bound, const struct fw_atom_node *node,
                      int64_t *value);

/* A value that a loop carries (FOLD `number`), in an iteration that is being evaluated. */
struct fold_frame {
    uint32_t number;
    int64_t value, iteration;
    const struct fold_frame *outer;
};

/* warp/fold_course.c: the value of the FOLD `number` after `count` iterations that begin with
 * `start`, where its course is the same in all threads and kept; false: it is not.  `known`:
 * whether there is such a value, within the steps that a binding may take. */
bool bound_course_at(struct fw_bound *bound, uint32_t number, fw_expression next, int64_t start,
                     int64_t count, const struct fw_point *point, int64_t *value, bool *known);
void fold_courses_free(struct fold_courses *courses);

/* affine_value.c: the value of an operation that iterations do not change, evaluated once a thread
 * of a block.  False: it has none, or it is not kept. */
struct fixed_values;
bool fixed_value_at(struct fw_bound *bound, fw_atom atom, const struct fw_point *point,
                    int64_t *value, bool *known);
void fixed_values_free(struct fixed_values *all);

/* evaluate.c: the value of an atom that is made of others. */
bool bound_operation_at(struct fw_bound *bound, const struct fw_atom_node *node,
                        const struct fw_point *point, int64_t *value);

/* warp/never_known.c: what is kept of a condition in `never_known`. */
enum never_known { NEVER_KNOWN_NOT_ASKED, NEVER_KNOWN_NO, NEVER_KNOWN_YES };

/* As fw_bound_is_never_known, without a call for most conditions, which may be known. */
static inline bool bound_is_never_known(struct fw_bound *bound, fw_condition a)
{
    return (!bound->never_known || bound->never_known[a] != NEVER_KNOWN_NO) &&
           fw_bound_is_never_known(bound, a);
}

enum pointer_test { POINTER_TEST_NOT_ASKED, POINTER_TEST_NO, POINTER_TEST_YES };

/* pointer_tests.c: whether a comparison is a test of pointers that addresses of other arrays do not
 * change; the address that stands for a pointer in it; noting the pointers that are not given. */
bool bound_tests_pointer(struct fw_bound *bound, fw_condition condition);
int64_t bound_assumed_address(const struct fw_bound *bound, uint32_t parameter);
void bound_note_pointers(struct fw_bound *bound, fw_condition condition);
/* shares.c: the defaults of a loop and of a branch. */
double bound_usual_trips(struct fw_bound *bound, uint32_t loop);
double bound_usual_share(struct fw_bound *bound, uint32_t branch);

/* bound.c */
void bound_note_pointer(struct fw_bound *bound, uint32_t parameter);
/* restrict.c: appends to `out` the parts of pieces in which the domain's branch goes its way. */
void bound_restrict(struct fw_bound *bound, const struct fw_piece_list *parents,
                    const struct fw_domain *domain, struct fw_piece_list *out);

/* by_points.c: restricting to a condition and entering a loop by evaluating every combination of
 * the few indices that they depend on.  False: there are too many, or a value is not known. */
bool bound_condition_by_points(struct fw_bound *bound, const struct fw_piece *piece,
                               fw_condition condition, bool truth, struct fw_piece_list *out);
bool bound_loop_by_points(struct fw_bound *bound, const struct fw_piece *piece, uint32_t loop,
                          struct fw_piece_list *out);
/* The trips of a loop without a closed form, when all that they depend on is fixed in the piece;
 * else which variable to go through first. */
enum linear_outcome bound_trips(struct fw_bound *bound, const struct fw_piece *piece, uint32_t loop,
                                int64_t *trips, struct linear_problem *problem);

/* by_points.c: which variables of the piece a condition depends on (or the trips of a loop, unless
 * that is FW_NONE); false: they cannot be evaluated, loaded data among them. */
bool bound_mentioned(struct fw_bound *bound, const struct fw_piece *piece, fw_condition condition,
                     uint32_t loop, bool *variables);

/* The same for a SCALAR atom, of which threads are not gone through here: point by point, those
 * with one answer become one piece. */
enum linear_outcome bound_scalar(struct fw_bound *bound, const struct fw_piece *piece,
                                 const struct fw_atom_node *node, int64_t *value,
                                 struct linear_problem *problem);

/* The same for an AT atom; whether an expression depends on a loop's iteration, maybe through the
 * trips of others. */
enum linear_outcome bound_value_elsewhere(struct fw_bound *bound, const struct fw_piece *piece,
                                          const struct fw_atom_node *node, int64_t *value,
                                          struct linear_problem *problem);
bool bound_depends_on(const struct fw_bound *bound, fw_expression a, uint32_t loop);

/* trips_memo.c: where the trips of a loop at a point are kept, or shall be (`*same` false); NULL:
 * they are not.  The place is lost when another is found. */
struct kept_trips;
struct kept_trips *trips_memo_find(struct fw_bound *bound, uint32_t loop,
                                   const struct fw_point *point, bool *same);
/* What is kept, at the same price in steps as finding it; false: that ended for want of steps, and
 * now there are more. */
bool trips_memo_take(struct fw_bound *bound, const struct kept_trips *kept, int64_t *trips,
                     bool *known);
/* Keeps what was found with `limit` steps to spend. */
void trips_memo_keep(const struct fw_bound *bound, struct kept_trips *kept, uint64_t limit,
                     int64_t trips, bool known);
void trips_memo_forget(struct fw_bound *bound);

/* rows/usual_rows.c: the share at which a branch's condition holds, or the mean trips of a loop,
 * where they depend on the lengths of rows and on what is known; NAN: on more, or on none.
 * `*array`: the first that tells these lengths (FW_NONE: not known which); `*stated`: the user has
 * stated the means of all. */
double bound_usual_rows(struct fw_bound *bound, bool is_loop, uint32_t index, uint32_t *array,
                        bool *stated);
/* rows/row_length.c: forgets what was found in the binding before. */
void row_lengths_forget(struct fw_bound *bound);
/* unknowns.c: notes the mean of the lengths that an array tells. */
void bound_note_length(struct fw_bound *bound, uint32_t array, const struct row_length *length);

/* interval.c, within the interval in progress: of a part of it; whether a condition always (1) or
 * never (0) holds, -1: neither is known; one step more, false: there is none left. */
struct fw_interval bound_interval_of(struct fw_bound *bound, fw_expression a, unsigned depth);
int bound_interval_decides(struct fw_bound *bound, fw_condition condition, unsigned depth);
bool bound_interval_step(struct fw_bound *bound, unsigned depth);
/* scalar_interval.c: of an atom of kind SCALAR, at its widest what its type holds. */
struct fw_interval bound_scalar_interval(struct fw_bound *bound, const struct fw_atom_node *node,
                                         unsigned depth);

/* evaluate.c: the value of an argument that is bound: an integer, or the bits of a number in
 * floating point. */
int64_t bound_argument(const struct fw_bound *bound, uint32_t parameter);
/* A comparison of floating-point arguments and constants. */
bool bound_float_holds(const struct fw_bound *bound, uint32_t index, bool *known);
/* As fw_bound_holds and fw_bound_evaluate and for a loop's trips, within the binding's budget of
 * evaluations. */
bool bound_expression_at(struct fw_bound *bound, fw_expression a, const struct fw_point *point,
                         int64_t *value);
bool bound_holds_at(struct fw_bound *bound, fw_condition a, const struct fw_point *point,
                    bool *known);
bool bound_trips_at(struct fw_bound *bound, uint32_t loop, const struct fw_point *point,
                    int64_t *trips);
bool bound_atom_at(struct fw_bound *bound, const struct fw_atom_node *node,
                   const struct fw_point *point, int64_t *value);
bool bound_value_at(struct fw_bound *bound, const struct fw_atom_node *node,
                    const struct fw_point *point, int64_t *value);

/* bound.c: adds the piece's rows to the binding's system, whose variables are set; false when a row
 * without variables shows it to be empty.  `place` gives each variable's column, FW_NONE for fixed
 * ones; the bounds of `unbounded` (FW_NONE: none) are left out. */
bool bound_add_to_system(struct fw_bound *bound, const struct fw_piece *piece,
                         const uint32_t *place, uint32_t unbounded);
/* bound.c: points of a piece; the second also value by value, and within the arena's limit. */
enum fw_status bound_count_piece(struct fw_bound *bound, const struct fw_piece *piece,
                                 mpz_ptr result);
enum fw_status bound_count_guarded(struct fw_bound *bound, const struct fw_piece *piece,
                                   mpz_ptr result);
/* bound.c: adds points to a total, by their weight; once all are in, finishes it. */
void bound_add_part(struct fw_total *count, double weight, mpz_srcptr part);

/* shares.c: the piece becomes its part at which the branch goes this way, when `share` of its
 * threads take it; with `part`, its part at which one part of the branch's condition does. */
void bound_weigh_branch(struct fw_bound *bound, struct fw_piece *piece, uint32_t branch,
                        double share, bool truth, bool part);
/* shares.c: fw_some_lane of a whole warp of this launch. */
double bound_some_lane(const struct fw_bound *bound, struct fw_lane_share of);
void bound_finish(struct fw_total *count);
/* bound.c: adds a sampled piece's points; `exact`: all of them were evaluated. */
void bound_add_estimate(struct fw_total *count, const struct fw_piece *piece, double points,
                        bool exact);

/* bound.c: notes that an answer leaned on a branch or loop and yields the value to use. */
void bound_lean_bounded(struct fw_bound *bound, uint32_t loop, const struct linear_problem *why);
/* The same of a loop that computed data end before it has run `most` times, its bound. */
void bound_lean_ended(struct fw_bound *bound, uint32_t loop, const struct linear_problem *why,
                      double trips, double most);
/* shares.c: trips of a loop through a row, which has `trips`, where it leaves the row at an entry
 * that it searches for; of a thread, or of a warp whose lanes may search each for itself.  Work
 * grows with the trips, up to 4,096. */
double bound_searched_trips(struct fw_bound *bound, uint32_t loop, double trips, bool warps);
/* shares.c: of a warp, for a loop that `trips` of a thread were leaned on. */
double bound_warp_trips(struct fw_bound *bound, uint32_t loop, double trips);
/* bound.c: notes that an answer leaned on sampled points: `part` of `whole` at which a branch is
 * taken, or points of a loop and of its entries; the standard error of `part`. */
void bound_note_sampled(struct fw_bound *bound, bool is_loop, uint32_t index, double part,
                        double whole, double error, double points);
/* bound.c: notes that something is more work than is allowed; no one value stands for it. */
void bound_note_budget(struct fw_bound *bound, bool is_loop, uint32_t index);
/* bound.c: notes a loop that waits for an mbarrier and is taken to run once. */
void bound_note_wait(struct fw_bound *bound, uint32_t loop);
double bound_lean(struct fw_bound *bound, bool is_loop, uint32_t index,
                  const struct linear_problem *why);

/* sampled.c: conditions and trip counts that indices and arguments alone decide, but in a way that
 * no row expresses and at too many points to go through.  A piece keeps what it asks for beyond its
 * rows as sampled parts.  Its points are estimated by whole warps: of every block and iteration
 * where those are few, which is exact; else of some that are drawn evenly, which has a standard
 * error. Nothing that depends on loaded data comes here. */
/* The part of a piece at which a condition is `truth`, estimated.  `branch`: the unknown that it is
 * noted as, unless it is exact; `taken`: whether `truth` is what takes the branch.  NULL: it cannot
 * be evaluated, the unknown's value is given, or there is no room. */
struct fw_piece *sampled_condition(struct fw_bound *bound, const struct fw_piece *piece,
                                   uint32_t branch, fw_condition condition, bool truth, bool taken);

/* A piece whose last variable is the iteration of a loop, restricted to the iterations that the
 * loop has, estimated; NULL as above. */
struct fw_piece *sampled_loop(struct fw_bound *bound, const struct fw_piece *piece, uint32_t loop,
                              uint32_t variable);

/* A piece without sampled parts whose rows take too much work to count, estimated like one with:
 * all of its warps, or some of them.  `error`: the standard error of its threads; `points` that
 * were evaluated, 0 if it had been estimated before.  NULL: it cannot be, or no drawn warp has any
 * of it. */
const struct fw_estimate *sampled_rows(struct fw_bound *bound, struct fw_piece *piece,
                                       double *error, double *points);

/* What it gave of the piece before; NULL: it was not asked. */
const struct fw_estimate *sampled_rows_before(const struct fw_piece *piece);

/* Whether a piece with sampled parts is known to be empty.  One of which no drawn point was found
 * is not: it counts as 0, as an estimate. */
static inline bool sampled_empty(const struct fw_piece *piece)
{
    return piece->estimate_of.every && !(piece->estimate_of.threads > 0);
}

/* The estimate of a piece that has sampled parts, found now if need be. */
const struct fw_estimate *sampled_estimate(struct fw_bound *bound, struct fw_piece *piece);

#endif
