/* Loop programs: computations as mathematics.
 *
 * A program is a set of domains (named loop variables and what bounds them, parametric), arrays,
 * and statements.  A statement assigns an expression to an array's element or a scalar at every
 * point of its domain; no order is stated but that of the dependencies.  This header holds the
 * program and the builder: each construct of docs/kernel-language.md has one function here.
 * loop_transform.h changes programs, loop_schedule.h puts them in order, loop_statistics.h says
 * what they do and how often.
 *
 * All memory is the arena's: when it is exhausted, functions unwind to its owner's point (arena.h).
 * What is refused is told to the program's sink (codes LOOPnnn; SETnnn from src/poly) with
 * FW_ERROR_INPUT.  Nothing here reads files, prints, or looks at a device. */
#ifndef FW_LOOP_H
#define FW_LOOP_H

#include "count.h"
#include "text.h"
#include "type.h"

/* X(name, text, precedence, kind counted): the operators.  Precedence grows with how tightly one
 * binds; the kind is the statistics row of one execution, "" for those that are not counted. */
#define FW_LOOP_OPERATORS(X)                                                                       \
    X(OR, "or", 1, "")                                                                             \
    X(AND, "and", 2, "")                                                                           \
    X(NOT, "not", 3, "")                                                                           \
    X(LESS, "<", 4, "")                                                                            \
    X(LESS_EQUAL, "<=", 4, "")                                                                     \
    X(GREATER, ">", 4, "")                                                                         \
    X(GREATER_EQUAL, ">=", 4, "")                                                                  \
    X(EQUAL, "==", 4, "")                                                                          \
    X(UNEQUAL, "!=", 4, "")                                                                        \
    X(BIT_OR, "|", 5, "bw")                                                                        \
    X(BIT_XOR, "^", 6, "bw")                                                                       \
    X(BIT_AND, "&", 7, "bw")                                                                       \
    X(LEFT, "<<", 8, "shift")                                                                      \
    X(RIGHT, ">>", 8, "shift")                                                                     \
    X(ADD, "+", 9, "add")                                                                          \
    X(SUBTRACT, "-", 9, "add")                                                                     \
    X(MULTIPLY, "*", 10, "mul")                                                                    \
    X(DIVIDE, "/", 10, "div")                                                                      \
    X(FLOOR, "//", 10, "div")                                                                      \
    X(MODULO, "%", 10, "div")                                                                      \
    X(NEGATE, "-", 11, "")                                                                         \
    X(BIT_NOT, "~", 11, "bw")                                                                      \
    X(POWER, "**", 12, "pow")

/* X(name): functions of real numbers; a call is counted as "func:name". */
#define FW_LOOP_FUNCTIONS(X)                                                                       \
    X(exp)                                                                                         \
    X(exp2)                                                                                        \
    X(expm1)                                                                                       \
    X(log)                                                                                         \
    X(log2)                                                                                        \
    X(log10)                                                                                       \
    X(log1p)                                                                                       \
    X(sin)                                                                                         \
    X(cos)                                                                                         \
    X(tan) X(asin) X(acos) X(atan) X(atan2) X(sinh) X(cosh) X(tanh) X(sqrt) X(rsqrt) X(cbrt)       \
        X(erf) X(erfc) X(pow) X(hypot) X(fma) X(abs) X(fabs) X(floor) X(ceil) X(round) X(trunc)    \
            X(sign) X(min) X(max) X(fmin) X(fmax)

enum fw_loop_kind {
    FW_LOOP_INTEGER, /* `integer` */
    FW_LOOP_REAL,    /* `real`; type NONE: as precise as what it meets */
    FW_LOOP_NAME,    /* a loop name, a parameter */
    FW_LOOP_ACCESS,  /* an array's element, or a scalar: no operands */
    FW_LOOP_IF,      /* condition, then, otherwise */
    FW_LOOP_CALL,    /* `name` of the operands */
    FW_LOOP_REDUCE,  /* `name` (sum, product, min, max) of one operand over `loops` */
    FW_LOOP_CAST,    /* one operand as the type called `name` ("f32") */
#define X(name, text, precedence, counted) FW_LOOP_##name,
    FW_LOOP_OPERATORS(X)
#undef X
        FW_LOOP_KIND_COUNT
};

struct fw_loop_expression {
    enum fw_loop_kind kind;
    enum fw_type type; /* after fw_loop_finish */
    uint32_t depth;
    int64_t integer;
    double real;
    const char *name; /* interned */
    const char *tag;  /* of an access: "aLD" in a$aLD[i, k]; NULL: none */
    struct fw_loop_expression **operands;
    uint32_t operand_count;
    const char **loops;
    uint32_t loop_count;
    struct fw_span span;
};

enum fw_loop_tag_kind {
    FW_LOOP_SEQUENTIAL,
    FW_LOOP_BLOCK,
    FW_LOOP_THREAD,
    FW_LOOP_UNROLL,
    FW_LOOP_VECTOR /* unrolled, for the compiler to join: its iterations must be independent */
};
enum { FW_LOOP_AXES = 3, FW_LOOP_RANK_MOST = 8, FW_LOOP_DEPTH_MOST = 300 };

struct fw_loop_tag {
    enum fw_loop_tag_kind kind;
    unsigned axis; /* 0 to 2, of blocks and threads */
};

/* A loop name. */
struct fw_loop_variable {
    const char *name;
    struct fw_loop_tag tag;
    uint32_t domain; /* its index */
    bool unordered;  /* its tag came with the promise that any order of its iterations will do */
};

/* A domain: `condition` bounds its names, in isl's notation. */
struct fw_loop_domain {
    const char *condition;
    const char **names;
    uint32_t name_count;
    struct fw_span span;
};

enum fw_loop_layout { FW_LOOP_ROW_MAJOR, FW_LOOP_COLUMN_MAJOR };

struct fw_loop_array {
    const char *name;
    enum fw_type type;   /* NONE until it is given or inferred */
    enum fw_space space; /* NONE until it is given or inferred; REG: a thread's own */
    bool temporary;      /* the program's own; else an argument */
    bool ranked;         /* the rank is known */
    enum fw_loop_layout layout;
    uint32_t rank;
    const char **extents; /* isl's notation, one for each dimension; NULL: what is accessed */
    struct fw_span span;
    bool by_thread;       /* private, and meant to go from one loop on an axis to another */
    const uint32_t *axes; /* `rank` dimensions from the slowest to the fastest; NULL: `layout` */
};

/* Loops that are nested in this order where they meet. */
struct fw_loop_order {
    const char **loops;
    uint32_t count;
    struct fw_span span;
};

struct fw_loop_statement {
    const char *id; /* NULL: none */
    struct fw_loop_expression *target;
    struct fw_loop_expression *value;
    const char **loops; /* the names of its domain, reductions' not among them */
    uint32_t loop_count;
    bool loops_given;   /* loops are as stated, none is inferred from scalars */
    const char **after; /* the ids that it depends on */
    uint32_t after_count;
    const char **tags;
    uint32_t tag_count;
    struct fw_loop_expression **conditions; /* all must hold */
    uint32_t condition_count;
    struct fw_span span;
    const char *points; /* of a program whose loops change no more: what its domain says about
                           `loops`, made simple; NULL: not made */
};

/* A name that stood for a number in the text that a program was read from: for answers to show. */
struct fw_loop_constant {
    const char *name;
    int64_t value;
};

struct fw_loop_program {
    struct fw_arena *arena;
    struct fw_poly *poly;
    const struct fw_sink *sink;
    struct fw_map names; /* interned */
    const char *name;
    FW_VECTOR(const char *) parameters;
    FW_VECTOR(struct fw_loop_domain) domains;
    FW_VECTOR(struct fw_loop_variable) variables;
    FW_VECTOR(struct fw_loop_array) arrays;
    FW_VECTOR(struct fw_loop_statement) statements;
    const char *assumptions; /* isl's notation; NULL: none */
    const char **formals;    /* of a function: what a call gives it, in order */
    uint32_t formal_count;
    bool formals_given; /* false: see fw_loop_call */
    FW_VECTOR(struct fw_loop_order) orders;
    FW_VECTOR(struct fw_loop_constant) constants;
    struct fw_loop_memo *memo; /* answers about sets, by their text; copies share it */
};

/* ---- building ---- */

/* An empty program.  `sink` (NULL: silence) must live as long as the program is changed. */
struct fw_loop_program *fw_loop_new(struct fw_arena *arena, FW_KEEP struct fw_poly *poly,
                                    const struct fw_sink *sink);

/* The one copy of a name. */
const char *fw_loop_intern(struct fw_loop_program *program, const char *text, size_t length);

/* A domain in isl's notation, "[n] -> {[i, j]: 0 <= i, j < n}".  Names that its condition mentions
 * and does not bind are parameters, stated or not, or loop names of earlier domains.  `span` is
 * where the text stands, when it was read from a source. */
enum fw_status fw_loop_add_domain(struct fw_loop_program *program, const char *text,
                                  struct fw_span span);

/* An array's extent in isl's notation: its names that are no loops are parameters. */
enum fw_status fw_loop_take_extent(struct fw_loop_program *program, const char *extent,
                                   struct fw_span span);

/* What is known of the parameters: "n mod 16 = 0 and n >= 16"; adds to earlier ones. */
enum fw_status fw_loop_assume(struct fw_loop_program *program, const char *condition,
                              struct fw_span span);

/* The array or scalar of that name, or NULL. */
struct fw_loop_array *fw_loop_find_array(const struct fw_loop_program *program, const char *name);

/* Adds an array; its fields are the caller's to fill before fw_loop_finish.  NULL with a
 * diagnostic when the name is taken. */
struct fw_loop_array *fw_loop_add_array(struct fw_loop_program *program, const char *name,
                                        struct fw_span span);

/* Expressions; operands may be shared.  NULL with a diagnostic when they are nested too deeply. */
struct fw_loop_expression *fw_loop_integer(struct fw_loop_program *program, int64_t value);
struct fw_loop_expression *fw_loop_real(struct fw_loop_program *program, double value,
                                        enum fw_type type);
/* A loop name, parameter, scalar, or (with subscripts) an array's element. */
struct fw_loop_expression *fw_loop_access(struct fw_loop_program *program, const char *name,
                                          const char *tag,
                                          struct fw_loop_expression *const *subscripts,
                                          uint32_t count, struct fw_span span);
/* An operator, if or call (`name` is a function's, NULL for others). */
struct fw_loop_expression *fw_loop_operation(struct fw_loop_program *program,
                                             enum fw_loop_kind kind, const char *name,
                                             struct fw_loop_expression *const *operands,
                                             uint32_t count, struct fw_span span);
/* `name`: sum, product, min or max. */
struct fw_loop_expression *fw_loop_reduce(struct fw_loop_program *program, const char *name,
                                          const char *const *loops, uint32_t count,
                                          struct fw_loop_expression *operand, struct fw_span span);

/* Adds a statement: target = value.  The fields id, loops, after, tags, conditions are the
 * caller's to fill. */
struct fw_loop_statement *fw_loop_add_statement(struct fw_loop_program *program,
                                                struct fw_loop_expression *target,
                                                struct fw_loop_expression *value,
                                                struct fw_span span);

/* ":" as a subscript of a call's argument. */
struct fw_loop_expression *fw_loop_slice(struct fw_loop_program *program);
bool fw_loop_is_slice(const struct fw_loop_expression *expression);

/* Puts the statements of a function (a program that was built and not finished) in place, on the
 * caller's arrays: its loops and temporaries get names of their own, FUNCTION_NAME.  `results` are
 * what its stored arrays are here, in the order of their first stores; `arguments` its formals,
 * when not given its parameters (which may be left out: the caller's of the same names), then the
 * arrays that it reads and does not store, in the order in which they are met.  An array's element
 * with slices stands for the part of the array that they run over, a name without subscripts for
 * all of it, any other expression for a scalar.  `around` has loops, conditions, tags, id and
 * `after` for every statement.  LOOP10n: what does not fit. */
enum fw_status fw_loop_call(struct fw_loop_program *program, const struct fw_loop_program *function,
                            struct fw_loop_expression *const *results, uint32_t result_count,
                            struct fw_loop_expression *const *arguments, uint32_t argument_count,
                            const struct fw_loop_statement *around, struct fw_span span);

/* Completes and checks the program: what every name is, each statement's loops, ranks, types,
 * spaces.  To be called after building and after adding statements; may be called again. */
enum fw_status fw_loop_finish(struct fw_loop_program *program);

/* Looks for what is wrong with a finished program whatever order it runs in, and tells all of it:
 * LOOP110 an unbounded domain, LOOP111 an empty one, LOOP113 a subscript that leaves its array
 * (and when), LOOP116 a temporary that is never set; a warning, LOOP112, for subscripts that are
 * not affine.  `budget` is that of one question (count.h; 0: the default): what it does not suffice
 * to decide is not told. */
enum fw_status fw_loop_check(struct fw_loop_program *program, uint64_t budget);

/* Whether parameters of these values may be, by what is assumed of them. */
bool fw_loop_allows(struct fw_loop_program *program, const char *const *names,
                    const int64_t *values, size_t bound);

/* The same for all parameters at once: a count that is 1 where the assumptions hold, else 0. */
enum fw_status fw_loop_assumed(FW_GIVE struct fw_count **count, struct fw_loop_program *program);

/* The type of what two types come to together; NONE gives way. */
enum fw_type fw_loop_joined(enum fw_type a, enum fw_type b);

#endif
