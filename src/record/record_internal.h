/* What the files record_*.c share: the state of one record under construction. */
#ifndef FW_RECORD_INTERNAL_H
#define FW_RECORD_INTERNAL_H

#include "branches.h"
#include "passes.h"
#include "record.h"
#include "tree.h"

enum {
    DEEPEST = 1500,    /* recursion over values; beyond, a value is opaque */
    SETTLE_DEPTH = 150 /* beyond, chains of values are gone through without recursion */
};

/* Placeholder atoms stand for a loop's phi while its recurrence is being solved. */
#define PLACEHOLDER_FLAG 0x80000000u

struct value_memo {
    uint8_t state;  /* 0 not computed, 1 a phi being solved, 2 computed */
    uint32_t taint; /* one bit a level: placeholders that the result was computed from */
    fw_expression expression;
    fw_condition condition; /* predicates */
};

/* The condition under which one block leads to another. */
struct reach_memo {
    bool known;
    uint32_t taint;
    fw_condition condition;
};

/* What was solved while a phi that is being solved was taken to be in [0, modulus). */
struct supposition {
    fw_expression phi, modulus;
};

/* A modulus that is no constant, and what it is obliged to be at least. */
struct obliged_modulus {
    fw_expression modulus;
    int64_t least;
};

/* mbarrier.expect_tx: where, and of which mbarrier. */
struct expectation {
    uint32_t instruction;
    fw_expression address;
};

/* An operation on bits, after which neighbouring threads have values far apart, and what it
 * defines. */
struct scattering {
    fw_expression operation;
    uint32_t value;
};

struct builder {
    struct fw_arena *arena;
    const struct fw_function *function;
    struct fw_kernel *kernel;
    struct fw_pool *pool;
    const struct fw_sink *sink;
    struct value_memo *values;
    uint32_t *block_of;   /* by instruction */
    uint32_t level;       /* placeholders in progress */
    uint32_t taint;       /* levels met since last looked at */
    uint32_t depth;       /* of recursion */
    uint32_t recurrences; /* solved so far */
    FW_VECTOR(struct supposition) suppositions;
    FW_VECTOR(struct obliged_modulus) moduli;
    bool any_ring;      /* a loop holds one */
    uint32_t settle_at; /* depth at which chains are settled */
    uint32_t *settled;  /* by value: the settling that went through it */
    uint32_t settle_epoch, settle_epochs;
    FW_VECTOR(uint32_t) trail; /* tainted memo entries, to be forgotten */
    FW_VECTOR(struct fw_opaque) opaques;
    FW_VECTOR(struct fw_float_comparison) floats;
    FW_VECTOR(struct fw_branch) branches;
    FW_VECTOR(struct fw_domain) domains;
    FW_VECTOR(struct fw_array) arrays;
    FW_VECTOR(struct fw_access) accesses;
    FW_VECTOR(struct fw_quantity) quantities;
    FW_VECTOR(struct fw_transaction) transactions;
    FW_VECTOR(struct expectation) expectations; /* by transaction */
    const struct fw_record_options *options;    /* may be NULL */
    FW_VECTOR(struct fw_statement) statements;
    FW_VECTOR(fw_expression) obligations;
    FW_VECTOR(uint8_t) obligation_signed;
    FW_VECTOR(uint32_t) obligation_lines;
    struct fw_map array_names;
    struct fw_map staged; /* see record_staged */
    bool staged_known;
    uint32_t nowhere;          /* the empty domain of instructions that no path leads to; 0: none */
    uint32_t *domain_of;       /* by block: its domain, FW_NO_INDEX before it is computed */
    uint32_t *branch_of;       /* by instruction: index of its branch, or FW_NO_INDEX */
    uint32_t *opaque_of;       /* by value: its opaque, or FW_NO_INDEX */
    struct fw_map reach_names; /* from and to: index in `reaches` */
    FW_VECTOR(struct reach_memo) reaches;
    FW_VECTOR(uint32_t) reach_trail; /* tainted ones */
    uint32_t *walk_stamp;            /* by block: scratch of the walks */
    uint32_t *walk_stack;
    uint32_t walk_epoch;
    uint8_t *uniformity; /* by value, once asked for */
    bool *values_read;   /* by value, once asked for: see record_combined.c */
    bool *in_turn;       /* by instruction, once asked for: see record_tasks.c */
    bool any_takes;
    FW_VECTOR(struct scattering) scatterings;
    uint8_t *origins;           /* by value: see record_scalar.c; NULL before the first question */
    struct fw_branches *likely; /* once asked for */
    struct fw_branches *likely_unknown;
    struct fw_map shape_names; /* of copies: index in `names` */
    FW_VECTOR(const char *) names;
    const struct fw_source *counted_in; /* lines of the PTX, up to the place asked for last */
    size_t counted_to;
    uint32_t counted_lines;
    uint32_t *behind_stamp; /* by block: as walk_stamp, for what a block leads to */
    uint32_t behind_epoch;
    struct {                         /* see record_ways.c; NULL before the first question */
        struct record_body **bodies; /* by loop, then the function's */
        uint32_t *number;            /* by block: scratch */
        uint32_t *node;              /* by block: in the body that it is entered in */
        bool *ends;                  /* by block: a way from it ends the function */
        uint32_t marked;             /* whose successors behind_stamp holds */
        struct fw_tree dominators;
    } ways;
    struct range_memo *ranges; /* by value; NULL before the first question */
    struct data_memo *data;    /* see record_inputs.c; NULL before the first question */
    struct loop_memo {
        uint8_t state;   /* 0 not computed, 1 being computed, 2 computed */
        bool holds_ring; /* a phi of it wraps around: see record_ring.c */
        fw_condition stays;
        fw_expression trips;
    } * loops;
};

/* record_values.c: the expression of an SSA value as seen in block `where`: iterations of loops
 * that have ended by then are replaced by their last. */
fw_expression record_value(struct builder *b, uint32_t value, uint32_t where);
fw_condition record_predicate(struct builder *b, uint32_t value, uint32_t where);
fw_expression record_operand(struct builder *b, const struct fw_operand *operand, enum fw_type type,
                             uint32_t where);
fw_expression record_opaque(struct builder *b, uint32_t value, enum fw_opaque_kind kind);
/* Notes that `a` must fit 32 bits, signed or unsigned. */
void record_oblige(struct builder *b, fw_expression a, bool is_signed, uint32_t instruction);

/* record_operations.c: the expression of what one instruction defines; why there is none. */
fw_expression record_instruction(struct builder *b, uint32_t instruction, uint32_t value);
enum fw_opaque_kind record_why_opaque(const struct fw_instruction *at);

/* record_scalar.c: an operation on bits or numbers in floating point as an atom, and a comparison
 * of such numbers; FW_NO_EXPRESSION: not one, or an operand is not known at a launch. */
fw_expression record_scalar(struct builder *b, const struct fw_instruction *at, uint32_t where);
fw_condition record_float_comparison(struct builder *b, const struct fw_instruction *at,
                                     const struct fw_operand *in, enum fw_type type,
                                     uint32_t where);
/* Whether a value comes from indices, arguments and constants alone as far as the instructions
 * tell; or from operations beside these whose result PTX does not state to the bit. */
bool record_follows(struct builder *b, uint32_t value);
bool record_is_approximate(struct builder *b, uint32_t value);
/* The expression as part of an address: operations that scatter are opaque, as if data decided
 * them, since no stride says where such addresses lie. */
fw_expression record_as_address(struct builder *b, fw_expression a);
/* Whether it contains an operation whose result may not fit 32 bits as a signed number; the low 32
 * bits as a number of the type, where such operations are in it and it is not known to fit. */
bool record_scalar_wide(const struct builder *b, fw_expression a);
fw_expression record_scalar_fitted(struct builder *b, fw_expression a, enum fw_type type);

/* record_arithmetic.c: operations whose operands x are all integers; FW_NO_EXPRESSION: not
 * followed. Widening and other uses that see the sign: the value must fit its type, which is
 * obliged.  The low bits as an unsigned and as a signed number. */
fw_expression record_combine(struct builder *b, const struct fw_instruction *at,
                             const fw_expression *x, uint32_t instruction);
fw_expression record_fitted(struct builder *b, fw_expression a, enum fw_type type,
                            uint32_t instruction);
fw_expression record_low_bits(struct builder *b, fw_expression a, unsigned bits);
fw_expression record_signed_low_bits(struct builder *b, fw_expression a, unsigned bits);

/* record_comparison.c: the condition of a predicate that one instruction defines; of an operand.
 * Whether both are addresses in one array: its begin is then in both, and addresses do not wrap. */
fw_condition record_comparison(struct builder *b, uint32_t instruction, uint32_t slot);
fw_condition record_operand_condition(struct builder *b, const struct fw_operand *operand,
                                      uint32_t where);
bool record_same_array(const struct builder *b, fw_expression x, fw_expression y);

static inline const struct fw_instruction *record_at(const struct builder *b, uint32_t instruction)
{
    return &b->function->instructions[instruction];
}

/* The empty domain of instructions that no path leads to. */
uint32_t record_nowhere(struct builder *b);

/* record_control.c: conditions of edges and reach, domains, loops. */
fw_condition record_guard(struct builder *b, uint32_t instruction);
fw_condition record_edge(struct builder *b, uint32_t from, uint32_t successor);
fw_condition record_reach(struct builder *b, uint32_t from, uint32_t to);
fw_expression record_join(struct builder *b, uint32_t block, uint32_t phi);
fw_condition record_join_predicate(struct builder *b, uint32_t block, uint32_t phi);
/* The outermost loop around `block` that `inside` is not in; FW_NO_INDEX: none. */
uint32_t record_loop_left(const struct fw_function *function, uint32_t block, uint32_t inside);
bool record_loop_inside(const struct builder *b, uint32_t loop, uint32_t outer);
void record_domains(struct builder *b);
uint32_t record_guarded_domain(struct builder *b, uint32_t instruction);
/* The points of a domain at which a condition holds; the instruction names its unknown. */
uint32_t record_restricted_domain(struct builder *b, uint32_t instruction, uint32_t parent,
                                  fw_condition condition);
/* A number that the PTX does not state: "WHAT@file:line". */
uint32_t record_quantity(struct builder *b, const char *what, uint32_t instruction, double usual);

/* record_ways.c: whether the function can end at the end of the block; whether every way from
 * `from` passes `to`, which it dominates; whether threads that part at `from` go on together at
 * `to`. */
bool record_can_leave(const struct fw_function *function, uint32_t index);
bool record_covers(struct builder *b, uint32_t from, uint32_t to);
bool record_meets(struct builder *b, uint32_t from, uint32_t to, bool *unsure);

/* record_loops.c: how often the header runs for one entry: a closed form, or the loop's TRIPS atom.
 */
fw_expression record_trips(struct builder *b, uint32_t loop);
/* a = slope * iteration + rest, as polynomials; false when one of them is not the same in every
 * iteration of the loop. */
bool record_split_iteration(struct builder *b, fw_expression a, uint32_t loop, fw_expression *slope,
                            fw_expression *rest);
/* Whether threads of a warp that a branch in the loop parts need not meet again in the loop. */
bool record_splits(struct builder *b, uint32_t loop);
/* record_loops.c: as fw_loop's `apart`. */
bool record_goes_apart(struct builder *b, uint32_t loop);

/* record_iteration.c: what a value of an iteration of the loop is in the iteration before; what one
 * computed in loops that `where` is not in is after their last iterations. */
fw_expression record_iteration_before(struct builder *b, fw_expression a, uint32_t loop);
fw_condition record_condition_before(struct builder *b, fw_condition a, uint32_t loop);
fw_expression record_last_iteration(struct builder *b, fw_expression a, uint32_t where);
fw_condition record_at_end(struct builder *b, fw_condition condition, uint32_t where);

/* record_usual_trips.c: how often a loop is taken to run whose condition (as of fw_loop) data
 * decide, if entries of the source's loop are `usual`. */
double record_usual_trips(struct builder *b, fw_condition stays, uint32_t loop, double usual);

/* record_recurrence.c: a phi at a loop's header in closed form. */
fw_expression record_recurrence(struct builder *b, uint32_t block, uint32_t phi);
/* start and the sum of `step`, a value of an iteration of the loop, over the iterations before this
 * one; FW_NO_EXPRESSION: no closed form is known. */
fw_expression record_accumulate(struct builder *b, uint32_t loop, fw_expression start,
                                fw_expression step);

/* record_ring.c: a phi that wraps around, in closed form; FW_NO_EXPRESSION: it is none that is
 * known to.  What was supposed of a phi (see struct supposition) is forgotten; whether it was right
 * of one that starts like this and goes on like this. */
struct record_phi {
    uint32_t block, loop; /* of the header */
    fw_expression phi;    /* its placeholder */
    fw_atom atom;         /* of which that is made */
    fw_expression start, next;
};
fw_expression record_ring(struct builder *b, const struct record_phi *phi);
bool record_supposed_rightly(struct builder *b, const struct record_phi *phi);
/* record_fold.c: a phi without a closed form as a FOLD: its start and its step, which a launch
 * evaluates iteration by iteration.  FW_NO_EXPRESSION: data decide it, it is none of integers, or
 * one that hashes, whose values lie anywhere. */
fw_expression record_fold(struct builder *b, const struct record_phi *phi);
/* record_countdown.c: x + y, and as which counters that stop at zero are written; such a counter in
 * closed form; FW_NO_EXPRESSION: it is none. */
fw_expression record_sum(struct builder *b, fw_expression x, fw_expression y);
fw_expression record_countdown(struct builder *b, const struct record_phi *phi);
/* condition ? x : y, and x / y rounded down (FW_ATOM_FLOOR) or towards zero (FW_ATOM_TRUNCATE),
 * where those of a position in a ring are sums of floors. */
fw_expression record_select(struct builder *b, fw_condition condition, fw_expression x,
                            fw_expression y);
fw_expression record_quotient(struct builder *b, enum fw_atom_kind kind, fw_expression x,
                              fw_expression y);

/* record_access.c: the accesses of a memory instruction (none for others), and arrays. */
void record_accesses(struct builder *b, uint32_t instruction, uint32_t domain);
/* Adds an access whose address is the operand's: array, offset and what follows are found. */
void record_add_access(struct builder *b, struct fw_access access,
                       const struct fw_operand *operand);
fw_expression record_address(struct builder *b, const struct fw_operand *operand, uint32_t where);
uint32_t record_find_array(struct builder *b, fw_expression address, enum fw_space space,
                           fw_expression *offset);
/* record_combined.c: whether an atomic operation has a result that an instruction reads; whether it
 * is an addition of 1 without one; whether an assembler makes one operation of a warp's. */
bool record_result_is_read(struct builder *b, const struct fw_instruction *at);
bool record_increments(struct builder *b, const struct fw_instruction *at);
bool record_is_combined(struct builder *b, const struct fw_instruction *at,
                        const struct fw_operand *address);
const char *record_cache_operators(struct builder *b, const struct fw_instruction *at);

/* record_rank.c: whether a value is a lane's rank among the lanes that a vote names, in one loop at
 * most.  Adds to `rest`, of an access in block `where`, the place of the thread, `times` apart, for
 * the rank and for those of `parts` that threads tell apart, which are left out. */
bool record_is_rank(struct builder *b, uint32_t value);
void record_rank_place(struct builder *b, fw_expression *rest, fw_expression times, uint32_t where,
                       struct fw_data_part *parts, uint32_t *count);

/* record_tasks.c: what an instruction reads of a counter that gives out tasks, where those who take
 * them come in turn; FW_NO_EXPRESSION: it reads none.  Marks the accesses that take, once all are
 * known. */
fw_expression record_task(struct builder *b, uint32_t instruction);
void record_turns(struct builder *b);

/* record_data.c: the address (`address`, of `operand`) of a data-dependent access, parted; NULL: it
 * is not of this form. */
const struct fw_data_address *record_data_address(struct builder *b, const struct fw_access *access,
                                                  const struct fw_operand *operand,
                                                  fw_expression address);
/* record_rows.c: which parts are the begins and ends of rows, once all accesses are known. */
void record_data_rows(struct builder *b);

/* record_lanes.c: whether lanes take a branch each for itself (`by_lanes`), and by which loads. */
void record_lanes(struct builder *b, struct fw_branch *branch);
/* record_inputs.c: what a value is computed from, as seen in block `where`, the builder's; whether
 * an expression contains indices or iterations, an index of threads, trips of a loop (or more atoms
 * than are looked at). */
struct data_inputs {
    bool known;
    uint32_t count;
    fw_expression *at;
};
const struct data_inputs *record_inputs(struct builder *b, uint32_t value, uint32_t where);
bool record_has_index(struct builder *b, fw_expression a);
bool record_has_thread(struct builder *b, fw_expression a);
bool record_has_trips(struct builder *b, fw_expression a);

/* record_range.c: the range of an integer value that data decide, by the types, masks, remainders
 * and limits that it is made with; FW_NO_EXPRESSION: no bound is known. */
struct record_range {
    fw_expression low, high;
    bool usual;   /* loaded floating-point numbers are taken to lie from 0 to 1 */
    int64_t step; /* values are `low` and multiples of this; 0 where low is high */
};
struct record_range record_range(struct builder *b, uint32_t value);

/* record_range.c: the interval of a floating-point value; `known`: it has bounds, `usual`: loaded
 * numbers are taken to lie from 0 to 1. */
struct record_floats {
    double low, high;
    bool known, usual;
};
struct record_floats record_floats(struct builder *b, uint32_t value);
/* The value of a constant operand in floating point. */
double record_float_constant(const struct fw_operand *operand);

/* record_displaced.c: an integer that an instruction rounds from floating point, as a sum of
 * coordinates of the thread and a displacement.  False: it is no such sum. */
struct record_displaced {
    fw_expression place;     /* the coordinates: without opaque values */
    fw_expression low, high; /* of the displacement; FW_NO_EXPRESSION: nothing bounds it */
    bool usual;              /* loaded floating-point numbers are taken to lie from 0 to 1 */
};
bool record_displaced(struct builder *b, uint32_t instruction, struct record_displaced *displaced);

/* record_cursor.c: the array that a cursor goes through which is a pointer itself, of an access
 * whose address has no begin of an array. */
void record_cursor_array(struct builder *b, struct fw_access *access);

/* record_remainder.c: the constant that an instruction takes a number without a sign modulo, by the
 * product and the shift that compilers divide with; 0: it takes none. */
int64_t record_remainder(const struct builder *b, const struct fw_instruction *at);

/* record_refill.c: the share at which a branch is taken that adds a fixed number where a loop has
 * used up another, by the range of what each iteration uses; 0: it is no such branch. */
double record_refill(struct builder *b, uint32_t instruction);

/* record_parity.c: whether a branch tests a low bit of a number that is rounded from floating
 * point.
 */
bool record_parity(const struct builder *b, uint32_t instruction);

/* record_choices.c: the values of which a value is one, of constants, arguments and sizes of the
 * launch, where data decide which.  False: it has one, too many, or others. */
struct record_choices {
    uint32_t count;
    fw_expression at[FW_DATA_CHOICES_MOST];
};
bool record_choices(struct builder *b, uint32_t value, struct record_choices *choices);

/* record_walk.c: the steps down a binary tree that a walk has taken before a value as seen in block
 * `where`, where each doubles the place and adds one of two neighbours; FW_NO_EXPRESSION: it is at
 * no such place. */
fw_expression record_walk_steps(struct builder *b, uint32_t value, uint32_t where);

/* record_copy.c: the accesses of copies and matrices; false: it is another kind of instruction. */
bool record_copies(struct builder *b, uint32_t instruction, uint32_t domain);
/* Finds what mbarriers expect, before the copies that complete on them are met. */
void record_expectations(struct builder *b);

/* record_tensor.c: the places and bytes of tensor copies whose coordinates are known at a launch.
 */
void record_tensors(struct builder *b);

/* record_matrix.c: operations of a matrix product; false: it is none. */
bool record_matrix(struct builder *b, uint32_t instruction, struct fw_scheduled *row);

/* record_barrier.c: barriers' kinds; what elect and shfl.idx give. */
void record_barrier(struct builder *b, uint32_t instruction, struct fw_scheduled *row);
/* Finds the mbarriers of all instructions, when all are scheduled. */
void record_mbarriers(struct builder *b);
bool record_fences(const struct fw_instruction *at); /* beyond the block */
bool record_waits(const struct fw_instruction *at);  /* mbarrier.try_wait, mbarrier.test_wait */
fw_expression record_elected(struct builder *b, uint32_t instruction);
fw_condition record_is_elected(struct builder *b, uint32_t instruction);
/* The predicate that shfl.sync gives; FW_NO_EXPRESSION: its lane is not known. */
fw_condition record_in_range(struct builder *b, uint32_t instruction);
fw_expression record_broadcast(struct builder *b, uint32_t instruction);
uint32_t record_array(struct builder *b, const struct fw_variable *variable);

/* record_parameters.c: arguments and parts of structures passed by value; the variable and offset
 * that a load of an argument (or of what is staged for a call) reads, NULL for others; the
 * parameter there, FW_NONE; marking those that addresses are made of. */
void record_parameters(struct builder *b, const struct fw_record_options *options);
const struct fw_variable *
record_parameter_place(const struct builder *b, const struct fw_operand *address, uint64_t *offset);
/* The one store of what a call is staged through at this place, as wide as `type`; NULL: of none,
 * several or under a guard. */
const struct fw_instruction *record_staged(struct builder *b, const struct fw_operand *address,
                                           enum fw_type type);
uint32_t record_parameter_at(const struct builder *b, uint64_t offset, uint32_t bytes);
void record_mark_pointers(struct builder *b);

/* record_likely.c: defaults of branches; one name for copies. */
void record_likely(struct builder *b);

/* record_tables.c: addresses in constant memory that come from few values. */
void record_tables(struct builder *b);

/* record_matches.c: values that a match may meet (fw_scheduled), where `level` says by value how
 * uniform it is; 0 of other instructions. */
uint32_t record_matched(const struct builder *b, const struct fw_instruction *at,
                        const uint8_t *level);

/* record_machine.c: the machine layer and the estimate of registers. */
void record_machine(struct builder *b, uint32_t capability);

/* Sets `addresses_only` of the schedule's rows, whose groups, flops and accesses are known. */
void record_addresses(struct builder *b);

/* Whether `a` is the same in every iteration of `loop`. */
bool record_invariant(const struct builder *b, fw_expression a, uint32_t loop);
bool record_condition_opaque(const struct builder *b, fw_condition a);
bool record_expression_opaque(const struct builder *b, fw_expression a);

#endif
