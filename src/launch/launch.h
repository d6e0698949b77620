/* Launches: a kernel bound to a grid, blocks and argument values, and what can be asked of it then.
 *
 * A fw_bound is the working memory of one thread: it is rebound to any number of launches of one
 * kernel and answers counts and addresses.  Domains become unions of systems of integer rows over
 * block, thread and iteration indices (system.h) and are counted exactly; the work depends neither
 * on the grid nor on trip counts, but for loops that halve or double and the like, whose few
 * iterations are gone through one by one.  What is not known is not guessed silently: `unknowns`
 * lists every branch and loop that an answer leaned on, with the value that was used. */
#ifndef FW_LAUNCH_H
#define FW_LAUNCH_H

#include "diagnostic.h"
#include "kernel.h"
#include "seen_requests.h"
#include "system.h"

/* The order of what an index array names, as the launch states it. */
enum fw_index_kind {
    FW_INDEX_USUAL,      /* not stated: random */
    FW_INDEX_RANDOM,     /* all over an array of one element for each thread */
    FW_INDEX_NEIGHBOURS, /* elements near a thread's own: a mesh, a graph after reordering */
    FW_INDEX_SORTED      /* ascending, mostly by one element from index to index */
};

/* Values of one launch.  Arrays have one element a parameter, branch or loop of the kernel. */
struct fw_launch {
    uint32_t grid[3];  /* blocks */
    uint32_t block[3]; /* threads a block */
    uint64_t shared;   /* dynamic bytes a block */
    int64_t *integers; /* by parameter */
    double *floats;    /* by parameter, for floating-point ones */
    uint8_t *is_bound; /* by parameter */
    double *taken; /* by branch: share of its points at which it is taken, 0 to 1; NAN: default */
    double *trips; /* by loop: mean header executions an entry; NAN: default */
    /* What was measured of warps beside what their threads do; NAN: warps follow their threads, a
     * branch's share of them and a loop's trips being those of threads. */
    double *warps_taken;  /* by branch: share of the warps there of which some thread takes it */
    double *warps_passed; /* by branch: share of the warps there of which some thread does not */
    double *blocks_taken; /* the same by block that comes there: of which some warp does; NAN: not
                             known */
    double *blocks_passed;
    double *warp_trips;   /* by loop: mean header executions of a warp an entry */
    double *quantities;   /* by quantity of the kernel; NAN: the usual */
    uint32_t *alignments; /* by parameter: bytes that a pointer is a multiple of; 0: 256 */
    double *lengths; /* by parameter: mean entries of the rows or lists whose lengths, or begins and
                        ends, the array tells; 0: not stated */
    double *spreads; /* by parameter: bytes of an array over which addresses that depend on data are
                        drawn evenly; 0: not stated */
    double *sizes;   /* by parameter: bytes of the array that a pointer is to; 0: not stated */
    double *displacements; /* by parameter: elements, along each axis, that data move places in the
                              array from a thread's own; NAN: as far as is usual */
    uint8_t *kinds; /* by parameter: enum fw_index_kind of an index array or of what it indexes */
    const struct fw_seen_requests *seen;  /* by access, of those whose address depends on data;
                                             NULL: no block was emulated */
    const struct fw_granule_loads *loads; /* by array: its atomics, where blocks were emulated and
                                             data decide where they go; NULL: none were */
    bool few_samples; /* where data decide addresses, warps of one block are sampled, and counting
                         takes a 32nd of the work that it may take otherwise: for a factor between
                         answers */
    bool brief;       /* counting takes a thousandth of the work that it may take otherwise: what
                         takes more is sampled, or follows from the number of threads; pieces that
                         hold little are bounded by the ranges of their indices */
    bool one_block;   /* count for the block `only` alone */
    uint32_t only[3];
};

/* What is not static and not stated counts as is usual: branches and loops have theirs in the
 * record, FW_USUALLY_TAKEN and FW_DEFAULT_TRIPS where nothing speaks for another value. */

/* A launch with everything unbound and sizes of 1, in the arena. */
struct fw_launch *fw_launch_new(struct fw_arena *arena, const struct fw_kernel *kernel);

/* A branch has its default again. */
void fw_launch_forget_branch(struct fw_launch *launch, uint32_t branch);

/* The value of a count at a launch: exact when no unknown was leaned on. */
struct fw_total {
    mpz_t value; /* exact count; the rounded estimate when not exact */
    double estimate;
    bool exact;
};

/* Why an answer is not exact. */
enum fw_unknown_reason {
    FW_UNKNOWN_DATA,       /* depends on loaded data or other opaque values */
    FW_UNKNOWN_ARGUMENT,   /* needs an argument that is not bound */
    FW_UNKNOWN_NONAFFINE,  /* depends on indices in a way that is not modelled */
    FW_UNKNOWN_ENDLESS,    /* by its condition the loop would not end */
    FW_UNKNOWN_BUDGET,     /* counting took more work than is allowed */
    FW_UNKNOWN_WAIT,       /* a wait for an mbarrier: taken to succeed at once */
    FW_UNKNOWN_UNSTATED,   /* a number that the PTX does not state */
    FW_UNKNOWN_SAMPLED,    /* evaluated at some points of many */
    FW_UNKNOWN_CALLED,     /* what a function does whose code is not there */
    FW_UNKNOWN_POINTER,    /* a pointer that is tested and not given: see pointer_tests.c */
    FW_UNKNOWN_APPROXIMATE /* depends on operations whose result PTX does not state to the bit, and
                              on no data */
};

struct fw_unknown {
    const char *name; /* taken@file:line or trips@file:line; of a pointer or a length its
                         parameter's */
    bool is_loop;
    bool is_quantity;
    bool is_pointer;
    bool is_length; /* the mean of the lengths of rows or lists that an array tells */
    uint32_t index; /* of the branch, loop, quantity or parameter */
    uint32_t line;
    enum fw_unknown_reason reason;
    uint32_t parameter; /* ARGUMENT, POINTER: which; else FW_NONE */
    double value;       /* that was used; POINTER: the alignment in bytes */
    bool asked_rows;    /* `by_rows` is known: the value by rows of one usual length, else NAN */
    double by_rows;
    bool of_rows;     /* it is what rows of one usual length make of it (usual_rows.c) */
    bool rows_stated; /* of_rows: the user has stated their length */
    uint32_t rows_of; /* of_rows: parameter whose array tells their length; FW_NONE */
    double rows_mean; /* of_rows: this length that is supposed, or stated */
    double greatest; /* is_length: that addresses leave room for; INFINITY: not known.  is_loop: its
                        bound, where `value` is a share of that; else 0 */
    uint32_t room;   /* is_length: parameter whose array's rows leave it; FW_NONE */
    bool is_default;
    double points;         /* SAMPLED: how many were evaluated, else 0 */
    double standard_error; /* SAMPLED: of the value */
    double part, whole;    /* SAMPLED: the value is their quotient, over all pieces */
};

struct fw_bound;

/* Working memory for `kernel`, which must outlive it.  NULL without memory. */
FW_GIVE struct fw_bound *fw_bound_new(const struct fw_kernel *kernel);
void fw_bound_free(FW_TAKE struct fw_bound *bound);

/* Working memory beside this one, for other bindings of the same kernel; made when it is first
 * asked for, and freed with this one.  NULL without memory. */
FW_KEEP struct fw_bound *fw_bound_beside(struct fw_bound *bound);

/* Binds a launch (kept by reference until the next).  FW_ERROR_USAGE: sizes of 0 or beyond what
 * CUDA allows (grid 2^31 - 1, 65535, 65535; 1024 threads a block). */
enum fw_status fw_bound_set(struct fw_bound *bound, const struct fw_launch *launch);

/* How many (thread, iteration) points a domain has.  The answer lives until the next binding. */
const struct fw_total *fw_bound_count(struct fw_bound *bound, uint32_t domain);

/* How many (warp, iteration) points have at least one thread in the domain: how often warps issue
 * it.  Not exact: at most so many where parts of the domain may share a warp or are too much work;
 * in a loop in which threads of a warp stay apart once they part, it may be issued more often. */
const struct fw_total *fw_bound_count_warps(struct fw_bound *bound, uint32_t domain);

/* Whether the warps of a domain are counted by what was measured of warps: the count is then no
 * bound, and lanes of a warp are idle wherever. */
bool fw_bound_warps_measured(struct fw_bound *bound, uint32_t domain);

/* The share of lanes that a branch leaves which each lane takes for itself. */
struct fw_lane_share {
    double share;
    bool is_default; /* nobody stated it: at one launch it may be anything about that */
};

/* The probability that at least one of so many lanes (which need not be whole) of a warp is left.
 * Lanes decide independently by a share that was stated.  A default is a mean over launches, most
 * of which have a share near 0 or 1, so that lanes of one launch are alike. */
double fw_some_lane(struct fw_lane_share of, double lanes);

/* The share of a domain's lanes that are left by branches which each lane takes for itself
 * (`by_lanes`), where warps of these were not measured: fw_bound_count_warps has those of which
 * some lane is left.  1: there are no such branches. */
struct fw_lane_share fw_bound_lane_share(struct fw_bound *bound, uint32_t domain);

/* The same with warps in which several pieces of the domain have threads (the ways of `!=`, of
 * `||`) once for each: who counts by pieces counts so many. */
double fw_bound_count_warps_apart(struct fw_bound *bound, uint32_t domain);

/* The value of a quantity that the PTX does not state, noted as an unknown. */
double fw_bound_quantity(struct fw_bound *bound, uint32_t quantity);

/* Bytes that one execution of an access moves: as stated, or the mean that an mbarrier expects, or
 * a quantity (false then, and where an argument is missing). */
bool fw_bound_access_bytes(struct fw_bound *bound, const struct fw_access *access, double *bytes);

/* The unknowns that answers leaned on since the binding. */
const struct fw_unknown *fw_bound_unknowns(const struct fw_bound *bound, uint32_t *count);

/* Notes what answers of another binding of the same kernel leaned on, beside what is noted. */
void fw_bound_note_unknowns(struct fw_bound *bound, const struct fw_bound *other);

/* Loops that some blocks go round for longer than others, since each block has the length of a row
 * or a list of its own, which all of its threads load from one place. */
struct fw_block_lengths {
    bool along[3];  /* axes of the grid: blocks that differ along one have lengths of their own */
    double *spread; /* by loop: trips are from 1 - this to 1 + this of their mean, evenly, as
                       lengths are from the least to the greatest that are supposed; 0: they do not
                       follow from one */
};

/* Finds them for the launch that is bound, of loops outside of others, by what counts have leaned
 * on so far; memory is the arena's, which must have a point of exhaustion set, as must the
 * binding's.  False: there are none, and `spread` is NULL. */
bool fw_bound_block_lengths(struct fw_block_lengths *lengths, struct fw_arena *arena,
                            struct fw_bound *bound);

/* The first source line (0: none) at which a 32-bit value that the record takes to be an integer
 * can leave 32 bits at this launch, so that the record may not hold; `*count` how many such values
 * there are. Bounds are by interval over all threads and iterations: a line named need not really
 * wrap around. */
uint32_t fw_bound_wraps(struct fw_bound *bound, uint32_t *count);

/* One thread at one iteration of each loop, for evaluation. */
struct fw_point {
    uint32_t block[3];
    uint32_t thread[3];
    const int64_t *iterations; /* by loop */
};

/* The value of an expression at a point; false when it contains opaque or unbound values, or leaves
 * 64 bits.  Array begins count as 0, and so do pointer arguments without a value, except where they
 * are tested (pointer_tests.c). */
bool fw_bound_evaluate(struct fw_bound *bound, fw_expression a, const struct fw_point *point,
                       int64_t *value);

/* A value that is supposed of an atom at a point; false: its own.  May evaluate in turn. */
typedef bool fw_supposing(void *user, fw_atom atom, const struct fw_point *point, int64_t *value);

/* Until the next call, evaluation asks of every atom first what is supposed of it (NULL: nothing).
 */
void fw_bound_suppose(struct fw_bound *bound, fw_supposing *supposing, void *user);

/* Whether a condition holds at a point; false in `*known` when it cannot be told. */
bool fw_bound_holds(struct fw_bound *bound, fw_condition a, const struct fw_point *point,
                    bool *known);

/* Whether data are a part of a condition, so that it is known at no point unless something is
 * supposed.  False: it may be known at some. */
bool fw_bound_is_never_known(struct fw_bound *bound, fw_condition a);

/* The number of the first lane of a warp whose conditions are asked for in one iteration; the lanes
 * behind it have those that follow.  It holds in this binding until others are numbered. */
uint64_t fw_bound_number_points(struct fw_bound *bound);

/* As fw_bound_holds, at a point of that number: several conditions of one point that share parts,
 * as those of a hash do, evaluate them once. */
bool fw_bound_holds_numbered(struct fw_bound *bound, fw_condition a, const struct fw_point *point,
                             uint64_t number, bool *known);

/* What counts use where data decide, by threads and by warps: a probability, or mean trips; and the
 * probability that some warp of a block goes this way. */
struct fw_lean {
    double threads, warps, blocks;
    bool by_lanes;   /* each lane decides for itself, and `warps` is not known: fw_some_lane */
    bool is_default; /* nothing was stated */
};

/* The probability that a branch's condition is `truth` at a point: parts of it that can be
 * evaluated there are, the others hold in the share that counts use, which is noted as an unknown.
 * By warps: the probability that some thread of a warp goes this way, where it was measured; else
 * that of threads.  By blocks: likewise of a block that comes there; 1 where it was not measured.
 */
struct fw_lean fw_bound_branch_share(struct fw_bound *bound, uint32_t branch, bool truth,
                                     const struct fw_point *point);

/* The mean trips of an entry of a loop that data end, noted as an unknown; of a wait for an
 * mbarrier 1, unless stated. */
struct fw_lean fw_bound_loop_trips(struct fw_bound *bound, uint32_t loop);

/* How often a loop is taken to run whose bound allows `most` trips, and which data may end before:
 * so often, or less where what ends it is computed. */
double fw_bound_ended(const struct fw_kernel *kernel, uint32_t loop, double most);

/* The memory of the binding.  Whoever counts sets its fw_arena_on_exhausted point. */
FW_KEEP struct fw_arena *fw_bound_arena(struct fw_bound *bound);

/* The least and greatest value of an expression over a domain's points, or bounds of them (the rows
 * of the domain are used, but only those that cancel a variable).  False: it is not affine,
 * contains opaque or unbound values, is without bound, or the domain is empty.  Array begins count
 * as 0. */
bool fw_bound_range(struct fw_bound *bound, uint32_t domain, fw_expression a, int64_t *low,
                    int64_t *high);

/* A part of a domain with an expression over it in plain integers: what address models live on. */
enum { FW_SHAPE_VARIABLES = 24, FW_SHAPE_ROWS = 64 };

struct fw_shape {
    uint32_t variables;
    int8_t launch_variable[6];            /* of each block and thread index; -1: always 0 */
    uint32_t loop_of[FW_SHAPE_VARIABLES]; /* an iteration; FW_NONE */
    bool quotient[FW_SHAPE_VARIABLES];    /* a floor that rows define */
    int64_t low[FW_SHAPE_VARIABLES], high[FW_SHAPE_VARIABLES]; /* both allowed */
    int64_t constant, coefficient[FW_SHAPE_VARIABLES];         /* of the expression */
    double weight; /* shares of branches that are not known; 1 */
    bool linear;   /* false: the expression is not linear here, and its coefficients mean nothing */
    bool
        pruned; /* small parts beside this one, in which the expression is another, have no shape */
    uint32_t row_count;
    struct {
        int64_t constant, coefficient[FW_SHAPE_VARIABLES];
        bool equality, definition; /* == 0, else >= 0; of a quotient */
    } rows[FW_SHAPE_ROWS];         /* last, so that copies need not have those that are none */
};

/* Copies a shape, whose other rows are nobody's. */
void fw_shape_copy(struct fw_shape *to, const struct fw_shape *from);

/* The shapes of an expression over a domain, in the arena; NULL with a count of 0 where the domain
 * is empty or cannot be told.  Where a minimum or a choice makes the expression another in parts of
 * the domain, each part has its own, but for parts of less than a fiftieth.  Array begins count as
 * 0. */
struct fw_shape *fw_bound_shapes(struct fw_bound *bound, uint32_t domain, fw_expression a,
                                 struct fw_arena *arena, uint32_t *count);

#endif
