/* The kernel record: what every model, count and report asks, whichever front end made it.
 *
 * It holds the domain layer (parameters, arrays, loops, branches, a graph of domains, statements,
 * accesses) and the schedule layer (instructions in order with what they wait for, resources).  It
 * is immutable once built and may be read from any number of threads; what depends on a launch is
 * in launch.h. Whatever is not static is named here and nowhere guessed: see struct fw_branch and
 * fw_loop. */
#ifndef FW_KERNEL_H
#define FW_KERNEL_H

#include "arena.h"
#include "diagnostic.h"
#include "expression.h"
#include "operation.h"
#include "type.h"

#define FW_NONE UINT32_MAX

/* One argument of the kernel. */
struct fw_parameter {
    const char *name; /* the source's when known, else the PTX name */
    enum fw_type type;
    uint32_t offset; /* bytes in the parameter block */
    uint32_t bytes;
    bool is_pointer;
    uint32_t alignment; /* of what a pointer points to, when stated; else 0 */
    uint32_t position;  /* among the arguments as declared, from 0 */
    bool is_local;      /* points to shared memory that the launch sets (OpenCL's __local) */
    bool is_member;     /* a part of a structure passed by value, named as the source has it
                           ("p.w") or argument+offset */
    uint32_t inside;    /* of a part: bytes in its structure */
};

/* What an address is based on. */
struct fw_array {
    const char *name;
    enum fw_space space;
    uint32_t
        parameter;  /* a pointer argument; FW_NONE: a shared, local, constant or global variable */
    uint64_t bytes; /* size when known (variables), else 0 */
};

/* Why a value is not known before the kernel runs. */
enum fw_opaque_kind {
    FW_OPAQUE_LOADED,      /* loaded from memory that the kernel or the host wrote */
    FW_OPAQUE_FLOAT,       /* computed in floating point */
    FW_OPAQUE_APPROXIMATE, /* the same, from indices and arguments, by an operation whose result PTX
                              does not state to the bit */
    FW_OPAQUE_EXCHANGED,   /* got from other threads: shuffle, vote, atomic */
    FW_OPAQUE_RECURRENCE,  /* a loop computes it in a way that has no closed form here */
    FW_OPAQUE_MACHINE,     /* clock, multiprocessor number and the like */
    FW_OPAQUE_OPERATION,   /* an integer operation that is not modelled */
    FW_OPAQUE_CALL,        /* a function that is not inlined returned it */
    FW_OPAQUE_UNDEFINED    /* read before it was written */
};

struct fw_opaque {
    enum fw_opaque_kind kind;
    uint32_t row;   /* of the begins and ends of rows of a ragged array, which a condition compares:
                       the place among neighbouring elements, rising by one; 0: it is none */
    bool is_length; /* loaded: a loop that does not change it counts up to it, and it is part of no
                       address */
    uint32_t array; /* of a row's end or a length: that it is loaded from; FW_NONE */
    uint32_t instruction;
    uint32_t line;
    uint32_t loop;  /* innermost loop around it: it may differ in each iteration; FW_NONE */
    uint32_t value; /* names it: as in fw_data_part */
};

/* A comparison of floating-point arguments and constants: known once the launch is bound. */
struct fw_float_comparison {
    uint8_t comparison; /* 0 ==, 1 <, 2 <=; others are made by negation and exchange */
    bool unordered;     /* also true when an operand is not a number */
    bool left_is_parameter, right_is_parameter;
    uint32_t left_parameter, right_parameter;
    double left, right;
};

/* A place where control or predication depends on a condition. */
struct fw_branch {
    const char *name; /* "taken@file:line": the name of its unknown, should it be one */
    fw_condition condition;
    uint32_t instruction;
    uint32_t line;
    bool data_dependent; /* the condition contains opaque values */
    double usual;        /* share at which it is taken where nothing is stated; of what made it */
    const char *because; /* why, for people; NULL: no evidence, FW_USUALLY_TAKEN */
    bool exits;          /* it leaves `loop`, whose trips data decides, when it is `exits_when` */
    bool exits_when;
    bool searches;    /* `exits`: as one entry decides, whatever was met before it */
    bool apart;       /* `searches`: lanes of a warp each for itself */
    double leaves;    /* `exits`: the share at which it does; 0: once an entry, by one of them */
    bool leaves_loop; /* one of its ways leaves the loop that it is in */
    bool by_lanes;    /* data that lanes of a warp may load each for itself decide it, and it leaves
                         no loop */
    bool refills;     /* it adds what a loop uses up: its default is no mean over launches, of which
                         some always take it, but that of each lane */
    bool even;        /* a low bit of what each lane rounds decides it: its default, too, is that of
                         each lane */
    uint32_t *loads;  /* accesses that give these data */
    uint32_t load_count; /* 0 with `by_lanes`: there are too many */
    uint32_t loop;
    struct fw_records {
        double kept;          /* 0: it is not of this kind */
        double asked;         /* numbers at one time */
        uint32_t loop, loops; /* the innermost that they go on through, and how many around it */
        uint32_t copies;      /* of the branch in an iteration */
        bool taken;           /* where a number is beyond the others */
    } records; /* a number beyond all before, but for `kept`, that loops keep decides it */
};

/* The share of branches of which nothing is known. */
#define FW_USUALLY_TAKEN 0.5

/* Entries of a row or a list that a loop goes through when data decide how many. */
#define FW_DEFAULT_TRIPS 16.0

struct fw_loop {
    const char *name; /* "trips@file:line": the name of its unknown, should it be one */
    uint32_t parent;  /* enclosing loop, FW_NONE */
    uint32_t depth;   /* 1: outermost */
    uint32_t line;
    uint32_t instruction; /* first of the header */
    fw_condition stays;   /* whether the iteration before this one (ITERATION - 1) went on to this
                             one;   decreasing in ITERATION: once false, the loop has ended */
    fw_expression trips;  /* closed form, or FW_NO_EXPRESSION */
    bool data_dependent;  /* trips depend on opaque values */
    uint32_t exits;       /* places where a loop that data ends is left */
    double usual;         /* trips where nothing is stated, if `because` says why */
    const char *because;  /* for people; NULL: no evidence */
    bool looks_up;        /* for a key in a hash table: whatever bound it has is seldom met */
    double usual_trips;   /* of a data-dependent one without evidence; 0: FW_DEFAULT_TRIPS */
    bool halves; /* it searches by halves, `left` being what it begins with, of either sign */
    fw_expression left;
    uint32_t children; /* it walks by a stack through a tree of `left` nodes, of so many children
                          each; 0: it does not */
    bool computes; /* data-dependent, and reads nothing that data are: what ends it is computed */
    bool polls;    /* data-dependent, and loads what other blocks store meanwhile */
    bool is_wait;  /* spins until an mbarrier's phase is over: one trip unless told */
    bool splits;   /* threads of a warp that part in it need not meet again before they are
                      out: one iteration may be issued for one after the other */
    bool apart; /* it has shuffles or votes of a warp, and threads leave it by what depends on the
                   thread: an assembler does not know that all of a warp's go round it as often */
    uint32_t at_once; /* iterations that an assembler makes one of, by estimate; 0: not unrolled */
    bool counts_rest; /* what is left of these is counted one by one, else it is tested for before
                       */
};

/* Domains form a graph: each is a set of (block, thread, iteration...) points. */
enum fw_domain_kind {
    FW_DOMAIN_EMPTY,
    FW_DOMAIN_ALL,      /* every thread of the launch, once */
    FW_DOMAIN_LOOP,     /* parent's points times the iterations of `loop` */
    FW_DOMAIN_RESTRICT, /* parent's points at which `branch`'s condition is `truth` */
    FW_DOMAIN_UNION,    /* of disjoint domains over the same loops */
    FW_DOMAIN_LEAVE /* parent's points without the iterations of `loop`: its last ones; each point
                       of the loop's entry at most once */
};

struct fw_domain {
    enum fw_domain_kind kind;
    uint32_t parent;
    uint32_t loop;   /* LOOP */
    uint32_t branch; /* RESTRICT */
    bool truth;
    uint32_t *members; /* UNION */
    uint32_t member_count;
    bool meets;  /* UNION, LEAVE: threads of a warp that came different ways go on together, but for
                    those  that have left the kernel */
    bool unsure; /* whether they do */
    uint32_t innermost; /* loop that the domain is in, FW_NONE */
};

/* Straight-line work with one domain. */
struct fw_statement {
    uint32_t domain;
    uint32_t *instructions; /* indices into the schedule, in order */
    uint32_t instruction_count;
    uint32_t line;
};

enum fw_direction { FW_LOAD, FW_STORE, FW_ATOMIC, FW_REDUCTION };

/* A number that no instruction states: the box of a tensor copy ("bytes@file:line"), the shape of
 * tcgen05.mma ("operations@file:line"), the instructions of a called function whose code is not
 * there: through a pointer, recursive, or another module's ("operations@file:line"). */
struct fw_quantity {
    const char *name;
    uint32_t line;
    bool called;
    double usual; /* used when the user gives none */
};

/* Bytes that an mbarrier is told to expect: those of the bulk copies that complete on it. */
struct fw_transaction {
    uint32_t domain; /* of mbarrier.expect_tx */
    uint32_t bytes;
    uint32_t sharers; /* copy instructions on the same mbarrier: each is taken to bring as much */
};

/* wmma.load, wmma.store: what a warp moves at once, as it lies in memory.  Which lane moves which
 * part, PTX leaves open; assemblers give each lane what mma's fragments say. */
struct fw_tile {
    uint32_t rows, row_bytes;
    uint32_t element;    /* bytes of an element; 0: less than one */
    fw_expression from;  /* bytes from the array's begin, as an access's offset */
    fw_expression apart; /* bytes from row to row */
    bool sums;           /* a sum's (c, d): lanes hold two elements side by side; else a factor's */
    bool along;          /* what a lane holds side by side lies along a row, else across rows */
};

/* A value that data decide, as a part of an address. */
enum { FW_DATA_CHOICES_MOST = 8 };

struct fw_data_part {
    uint32_t value;            /* names it: parts with one name and equal inputs are equal */
    fw_expression coefficient; /* bytes; of constants, arguments and sizes of the launch */
    fw_expression low, high;   /* range of the value, by types, masks and remainders;
                                  FW_NO_EXPRESSION: not bounded */
    int64_t step;              /* the value is `low` and a multiple of this many */
    uint32_t choice_count;     /* the value is one of so many, which `low` and `high` bound; 0: of
                                  more, or nothing tells */
    fw_expression choices[FW_DATA_CHOICES_MOST];
    bool usual_range; /* the range supposes that loaded floating-point numbers lie from 0 to 1 */
    bool displaced;   /* by so much data move a place from a thread's own, which `rest` has; not
                         bounded: by as much as a launch states or is usual */
    bool cursor;      /* displaced: a loop moves the place on when data say so, and `rest` has where
                         it comes to in the mean */
    bool is_row_end;  /* it is loaded as it stands, and a condition compares it with the element
                         beside it: the begin or the end of a row of a ragged array */
    uint32_t loaded;  /* the instruction that loads it as it stands; FW_NONE: it is computed */
    fw_expression *inputs; /* all that it is computed from and that is not the same throughout the
                              launch: indices, iterations, places of loads */
    uint32_t input_count;
    fw_expression steps; /* it is where a walk down a binary tree comes to, by so many steps, each
                            of which doubles the places; FW_NO_EXPRESSION: it is no such walk */
};

/* An address with parts that data decide: the rest plus the sum of coefficients times parts. */
struct fw_data_address {
    fw_expression rest; /* bytes from the array's begin; without opaque values */
    struct fw_data_part *parts;
    uint32_t part_count;
    bool ranked; /* lanes that go one way have places one after the other, of which `rest` has those
                    of their threads: a vote says which go */
};

/* Values of a table in constant memory that repeats them, by the share of elements that have each.
 */
enum { FW_TABLE_VALUES_MOST = 8 };
struct fw_table_values {
    uint32_t count;
    double shares[FW_TABLE_VALUES_MOST];
};

struct fw_access {
    uint32_t instruction;
    uint32_t domain;
    enum fw_space space;
    enum fw_direction direction;
    enum fw_type type;    /* of one element */
    uint32_t vector;      /* elements */
    uint32_t bytes;       /* of one thread's access: type times vector */
    const char *cache;    /* cache operators as written ("cg", "nc"), or "" */
    uint32_t array;       /* FW_NONE: not known */
    fw_expression offset; /* bytes from the array's begin; the whole address when array is FW_NONE;
                             may contain opaque values */
    bool data_dependent;  /* the offset contains opaque values */
    const struct fw_data_address *data; /* the same offset, parted; NULL: it is not data-dependent,
                                           or not of this form */
    const struct fw_table_values
        *chosen; /* in constant memory: one element of such a table, which data choose, and what the
                    lanes of a warp share decide the address; NULL: more, or less */
    uint32_t line;
    uint32_t base;     /* number of the register that holds the address, to tell it from others' */
    bool asynchronous; /* the thread does not wait for it: cp.async, bulk copies, st.async */
    bool repeated;     /* a read-only load of what one before it in its domain loaded, from the same
                          register and offset: assemblers drop it */
    bool combined;     /* an atomic operation of which assemblers make one for all lanes */
    bool returns;      /* an atomic operation whose result an instruction reads */
    bool in_turn;      /* an atomic operation by which blocks, warps or threads take tasks from a
                          counter, which are taken to come in turn, from 0 */
    bool increments;   /* an atomic addition of 1 whose result nobody reads: shared memory counts a
                          warp's lanes on one word at once */
    bool bulk;         /* one thread moves many bytes: `bytes` is 0 unless they are constant */
    uint32_t asked;    /* bytes that L2 is asked for by a tensor copy of constant size, whose rows
                          begin and end within granules; 0: as many as are moved */
    bool cluster;      /* shared memory, maybe of another block of the cluster */
    uint32_t receivers; /* blocks of the cluster that get what a multicast reads, all of which
                           expect it; 0: the block alone */
    uint8_t lanes; /* ldmatrix, stmatrix: a warp's first lanes, whose addresses count; else 0 */
    uint32_t lane_bytes;        /* at each of these addresses; else 0 */
    const struct fw_tile *tile; /* wmma.load, wmma.store; else NULL */
    fw_expression size;         /* bytes of a bulk copy, when no constant; else FW_NO_EXPRESSION */
    uint32_t transaction;       /* where a tensor copy's bytes come from; FW_NONE */
    uint32_t quantity;          /* its bytes as an unknown; FW_NONE */
};

/* What an instruction waits for or lets others wait for. */
enum fw_barrier {
    FW_BARRIER_NONE,
    FW_BARRIER_BLOCK,   /* all threads of the block */
    FW_BARRIER_NAMED,   /* as many threads as stated, on a barrier with a number */
    FW_BARRIER_ARRIVE,  /* counts for a barrier and goes on */
    FW_BARRIER_WARP,    /* bar.warp.sync */
    FW_BARRIER_CLUSTER, /* barrier.cluster.wait */
    FW_BARRIER_CLUSTER_ARRIVE,
    FW_BARRIER_MBARRIER_ARRIVE,
    FW_BARRIER_MBARRIER_WAIT,
    FW_BARRIER_ASYNC, /* the thread's own copies or wgmma: commit, wait, fence */
    FW_BARRIER_GRID   /* griddepcontrol */
};

/* What the hardware issues for an instruction, by estimate: the machine layer. */
struct fw_machine_operation {
    const char
        *operation;   /* "fma", as in the other rows; else the machine's name in small letters */
    const char *name; /* the machine's: "FFMA" */
    const char *pipe; /* where it issues: "fma", "alu", "xu", ... */
    enum fw_type type;
    uint32_t times; /* for one execution by one thread */
    bool guarded;   /* issued under a predicate that is false on ordinary data, or not known */
    uint8_t every;  /* in one of so many executions: 1, or 2 and 4 where an unrolled loop shares */
    uint8_t reads;  /* registers of a thread that it reads, by estimate */
    uint8_t either; /* of `times`, the last so many have a form as a product too, by estimate */
};

/* The schedule layer: one row an instruction of the flattened kernel, in program order. */
struct fw_scheduled {
    const char *operation; /* PTX mnemonic up to its first dot; "mma" for all matrix products */
    enum fw_type type;     /* as written first; of a matrix product: its left factor's */
    enum fw_group group;
    uint32_t domain;  /* always one of the kernel's */
    bool unreachable; /* no path leads to it: its domain is empty, and it is no row of any count */
    uint32_t access;  /* the first of its accesses; FW_NONE */
    uint32_t access_count;
    uint32_t file; /* index in the kernel's files, where it has a line */
    uint32_t line;
    uint32_t call;       /* 1 + the kernel's call place that it was inlined at; 0: it was not */
    uint32_t *waits_for; /* instructions whose results it reads */
    uint32_t wait_count;
    bool addresses_only; /* integer arithmetic of whose result nothing but addresses come */
    uint32_t flops;    /* operations on numbers for one execution by one thread: floating-point ones
                          (fma 2, f16x2 twice that); of a matrix product its share of 2mnk, integer
                          ones too */
    bool collective;   /* a matrix product: counted by its operations */
    uint32_t together; /* threads that execute it together: 1, 32 (a warp), 128 (wgmma) */
    uint32_t shared_bytes;   /* of wgmma's factors that come from shared memory, for all of these */
    uint32_t quantity;       /* of tcgen05.mma or a call: its operations as an unknown; FW_NONE */
    enum fw_barrier barrier; /* what it waits for */
    uint32_t barrier_id;     /* BLOCK, NAMED, ARRIVE: its number; FW_NONE when in a register */
    uint32_t barrier_threads; /* NAMED, ARRIVE: how many it takes; FW_NONE when in a register */
    bool is_barrier;          /* all threads of the block wait for each other */
    bool linear_fetch;        /* of a texture, by the number of the texel: tex.1d...s32 */
    bool commits; /* ASYNC: the thread's copies (cp.async) since the last of these become a group */
    bool waits_for_copies;                     /* ASYNC: it waits for those groups, */
    uint32_t copies_left;                      /* but for so many of them, the latest */
    bool commits_products, waits_for_products; /* ASYNC: the same of products (wgmma) */
    uint32_t products_left;
    uint32_t mbarrier; /* 1 and the array of mbarriers that it waits at, arrives at, or, as a bulk
                          copy, completes on; 0: none, or not known */
    bool fences; /* before it does anything else, it waits until others on the device, or in the
                    cluster, see what the thread has done: fence, membar, release */
    bool behind_copies; /* MBARRIER_ARRIVE: it arrives when the thread's copies (cp.async) are there
                         */
    bool no_arrival;    /* the same: that they are is all that the phase waits for, beside others'
                           arrivals (without .noinc) */
    uint32_t mbarrier_arrivals; /* of threads, that a phase takes; 0: not known */
    uint32_t mbarrier_places;   /* mbarriers of the array */
    uint32_t mbarrier_copies;   /* MBARRIER_ARRIVE: so many instructions behind it copy to what it
                                   announces (expect_tx) */
    struct fw_machine_operation *machine; /* the machine layer; empty: another issues for it */
    uint32_t machine_count;
    bool predicated; /* issued under a predicate, by all warps of `issued`, not of `domain` alone */
    uint32_t issued; /* domain of the branch that the predicate is in the place of */
    bool tabled;     /* a test or a branch that a branch through a table takes the place of */
    bool is_place;   /* the first behind a branch through a table, at one of its places */
    uint32_t matched; /* of match: values that its operand may have, as its bits leave; 1: lanes are
                         compared once; 0: not known */
};

/* Registers that the executions of a domain need, by estimate. */
struct fw_pressure {
    uint32_t domain;
    uint32_t need;   /* a thread */
    uint32_t loaded; /* of these: filled by its loads from global memory, where `need` is reached */
    uint32_t common; /* of these: equal for the whole warp, and computed before, where that is */
    uint32_t others; /* of these: likewise, read by other blocks alone, and easily made again */
    uint32_t idle;   /* of these: kept for what runs later, and not touched here */
    uint32_t ahead;  /* in the order of the text: most that its loads from global memory fill */
    uint32_t ahead_need; /* and what it needs there */
};

struct fw_resources {
    uint32_t registers;           /* a thread; 0: not known */
    uint32_t wanted_registers;    /* by estimate, where a thread cannot have so many; else 0 */
    const char *registers_source; /* "ptxas", "machine code", "driver", "liveness", "" */
    const char *assembler;        /* "ptxas 13.0.88"; NULL: registers are not from one */
    uint32_t stack_bytes;         /* a thread; this and spills are known with an assembler only */
    uint32_t spill_store_bytes, spill_load_bytes; /* a thread, of instructions as they stand */
    bool wgmma_serialized;  /* the assembler waits for each wgmma by itself; likewise known */
    uint32_t static_shared; /* bytes a block; UINT32_MAX: or more */
    bool dynamic_shared;    /* declares extern shared memory ... */
    const char *addresses_dynamic; /* ... and uses this one's address; NULL: none */
    bool dynamic_unused;           /* ... whose address no function of the file uses */
    uint32_t local_bytes;          /* a thread */
    struct fw_pressure *pressures; /* by basic block; none where the record has no machine layer */
    uint32_t pressure_count;
    uint32_t least_registers; /* of setmaxnreg; 0: there is none */
    uint32_t most_registers;
};

struct fw_kernel {
    struct fw_arena *arena;
    const char *name;
    const char *layer; /* "ptx" or "domain": where the domain layer came from */
    const char *file;  /* main source file, for names */
    const char *const *files;
    uint32_t file_count;
    const struct fw_call_place *calls; /* an outer one stands before those inlined in it */
    uint32_t call_count;
    struct fw_pool pool;
    struct fw_parameter *parameters;
    uint32_t parameter_count;
    struct fw_array *arrays;
    uint32_t array_count;
    struct fw_opaque *opaques;
    uint32_t opaque_count;
    struct fw_float_comparison *floats;
    uint32_t float_count;
    struct fw_branch *branches;
    uint32_t branch_count;
    struct fw_loop *loops;
    uint32_t loop_count;
    struct fw_domain *domains; /* parents before children; [0] is ALL */
    uint32_t domain_count;
    struct fw_statement *statements;
    uint32_t statement_count;
    struct fw_access *accesses;
    uint32_t access_count;
    struct fw_quantity *quantities;
    uint32_t quantity_count;
    struct fw_transaction *transactions;
    uint32_t transaction_count;
    struct fw_scheduled *schedule;
    uint32_t schedule_count;
    struct fw_resources resources;
    uint32_t required_block[3]; /* .reqntid; 0: not stated */
    uint32_t cluster_blocks;    /* .reqnctapercluster; 0: not stated */
    uint32_t max_block[3];      /* .maxntid */
    uint32_t min_blocks;        /* .minnctapersm; 0: not stated */
    uint32_t max_registers;     /* .maxnreg; 0: not stated */
    uint32_t capability;        /* that the machine layer was made for: 90; 0: there is none */
    bool for_debugging;         /* the PTX says so: an assembler does not optimise it */
    uint32_t unlowered;         /* instructions that the machine layer has no row for */
    fw_expression *obligations; /* 32-bit values that must not wrap around for the record to hold */
    uint8_t *obligation_signed;
    uint32_t *obligation_lines;
    uint32_t obligation_count;
};

/* The parameter with this name or, when `name` is a decimal number, at this position; FW_NONE. */
uint32_t fw_kernel_parameter(const struct fw_kernel *kernel, const char *name);

/* Bytes of a thread's access as the machine does it: neighbours may be one wide access.  0: another
 * instruction's access does it. */
uint32_t fw_access_machine_bytes(const struct fw_kernel *kernel, const struct fw_access *access);

/* In one of how many executions the machine makes a thread's access, by estimate: others ask for
 * what an iteration before has loaded.  At least 1. */
uint32_t fw_access_issued_every(const struct fw_kernel *kernel, const struct fw_access *access);

/* The record as text for people, statement by statement. */
char *fw_kernel_dump(struct fw_arena *arena, const struct fw_kernel *kernel);

#endif
