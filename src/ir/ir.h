/* The PTX-level IR: modules, functions, instructions, operands.
 *
 * front/ptx builds it from text; the passes (one file each, see passes.h) add the control-flow
 * graph, SSA and what follows from them; the emulator runs it; record.h turns it into the kernel
 * record. No pass removes or adds an instruction after inlining: the index of an instruction in its
 * function is its identity, and what the emulator counts and what the record counts are compared
 * by it.  SSA is kept beside the registers, not instead of them.
 * Everything lives in the module's arena.  Indices are 32 bits; FW_NO_INDEX means none. */
#ifndef FW_IR_H
#define FW_IR_H

#include "arena.h"
#include "diagnostic.h"
#include "opcode.h"
#include "text.h"
#include "type.h"

#include <stdbool.h>
#include <stdint.h>

#define FW_NO_INDEX UINT32_MAX

enum fw_linkage {
    FW_LINKAGE_NONE,
    FW_LINKAGE_VISIBLE,
    FW_LINKAGE_WEAK,
    FW_LINKAGE_EXTERN,
    FW_LINKAGE_COMMON
};

/* An address in a variable's initial value.  The field is one element of the variable, at `offset`;
 * its bytes in `initial` are zero.  Its value is the address, + addend, masked and shifted down to
 * the mask's lowest bit. */
struct fw_relocation {
    uint64_t offset;
    const char *symbol;
    struct fw_variable *variable; /* one of these two is set */
    struct fw_function *function;
    int64_t addend;
    uint64_t mask; /* 0xff00(symbol); all ones: the whole address */
    bool generic;  /* generic(symbol) */
};

/* A named piece of memory: module or function scope, kernel or function parameter. */
struct fw_variable {
    const char *name;
    struct fw_span span;
    enum fw_space space; /* GLOBAL, CONST, SHARED, LOCAL, PARAM, TEX; REG for register parameters */
    enum fw_type type;   /* of one element */
    uint8_t vector;      /* elements of a .v2/.v4 declaration, else 1 */
    bool external;       /* .extern: with dimension [] and shared space, dynamic shared memory */
    bool is_array;
    uint32_t alignment;         /* bytes: stated, else the type's */
    uint64_t bytes;             /* whole size; 0 for `[]` */
    const uint8_t *initial;     /* `bytes` of initial value, or NULL (zero) */
    enum fw_space points_to;    /* .ptr parameters: the space pointed to; NONE: no .ptr */
    uint32_t pointee_alignment; /* .ptr .align, else 0 */
    uint32_t index;             /* position among parameters; else FW_NO_INDEX */
    uint32_t offset; /* PARAM of kernels: byte offset in the parameter block, by alignment */
    uint32_t reg;    /* space REG: the register's index */
    uint8_t linkage; /* enum fw_linkage */
    bool managed;    /* .attribute(.managed) */
    struct fw_relocation *relocations; /* by offset */
    uint32_t relocation_count;
};

struct fw_register {
    const char *name; /* with its %, if it has one */
    enum fw_type type;
};

/* X(name, text): special registers, in the order of the enum; .x .y .z are separate */
#define FW_SPECIALS(X)                                                                             \
    X(TID_X, "%tid.x")                                                                             \
    X(TID_Y, "%tid.y")                                                                             \
    X(TID_Z, "%tid.z")                                                                             \
    X(NTID_X, "%ntid.x")                                                                           \
    X(NTID_Y, "%ntid.y")                                                                           \
    X(NTID_Z, "%ntid.z")                                                                           \
    X(CTAID_X, "%ctaid.x")                                                                         \
    X(CTAID_Y, "%ctaid.y")                                                                         \
    X(CTAID_Z, "%ctaid.z")                                                                         \
    X(NCTAID_X, "%nctaid.x")                                                                       \
    X(NCTAID_Y, "%nctaid.y")                                                                       \
    X(NCTAID_Z, "%nctaid.z")                                                                       \
    X(LANEID, "%laneid")                                                                           \
    X(WARPID, "%warpid")                                                                           \
    X(NWARPID, "%nwarpid")                                                                         \
    X(SMID, "%smid")                                                                               \
    X(NSMID, "%nsmid")                                                                             \
    X(GRIDID, "%gridid")                                                                           \
    X(LANEMASK_EQ, "%lanemask_eq")                                                                 \
    X(LANEMASK_LE, "%lanemask_le")                                                                 \
    X(LANEMASK_LT, "%lanemask_lt")                                                                 \
    X(LANEMASK_GE, "%lanemask_ge")                                                                 \
    X(LANEMASK_GT, "%lanemask_gt")                                                                 \
    X(CLOCK, "%clock")                                                                             \
    X(CLOCK_HI, "%clock_hi")                                                                       \
    X(CLOCK64, "%clock64")                                                                         \
    X(GLOBALTIMER, "%globaltimer")                                                                 \
    X(GLOBALTIMER_LO, "%globaltimer_lo")                                                           \
    X(GLOBALTIMER_HI, "%globaltimer_hi")                                                           \
    X(DYNAMIC_SMEM_SIZE, "%dynamic_smem_size")                                                     \
    X(TOTAL_SMEM_SIZE, "%total_smem_size")                                                         \
    X(AGGR_SMEM_SIZE, "%aggr_smem_size")                                                           \
    X(IS_EXPLICIT_CLUSTER, "%is_explicit_cluster")                                                 \
    X(CLUSTERID_X, "%clusterid.x")                                                                 \
    X(CLUSTERID_Y, "%clusterid.y")                                                                 \
    X(CLUSTERID_Z, "%clusterid.z")                                                                 \
    X(NCLUSTERID_X, "%nclusterid.x")                                                               \
    X(NCLUSTERID_Y, "%nclusterid.y")                                                               \
    X(NCLUSTERID_Z, "%nclusterid.z")                                                               \
    X(CLUSTER_CTAID_X, "%cluster_ctaid.x")                                                         \
    X(CLUSTER_CTAID_Y, "%cluster_ctaid.y")                                                         \
    X(CLUSTER_CTAID_Z, "%cluster_ctaid.z")                                                         \
    X(CLUSTER_NCTAID_X, "%cluster_nctaid.x")                                                       \
    X(CLUSTER_NCTAID_Y, "%cluster_nctaid.y")                                                       \
    X(CLUSTER_NCTAID_Z, "%cluster_nctaid.z")                                                       \
    X(CLUSTER_CTARANK, "%cluster_ctarank")                                                         \
    X(CLUSTER_NCTARANK, "%cluster_nctarank")                                                       \
    X(RESERVED, "%reserved_smem_offset") /* any other %name that PTX reserves; text kept */

enum fw_special {
#define X(name, text) FW_SREG_##name,
    FW_SPECIALS(X)
#undef X
        FW_SREG_COUNT
};

enum fw_operand_kind {
    FW_OPERAND_SINK,     /* _ : discarded */
    FW_OPERAND_REGISTER, /* index: the register */
    FW_OPERAND_INTEGER,  /* immediate, sign-extended; unsigned literals as their bits */
    FW_OPERAND_FLOAT,    /* immediate: bits of an f64 (0d...), of an f32 when single (0f...) */
    FW_OPERAND_SPECIAL,  /* index: enum fw_special */
    FW_OPERAND_SYMBOL,   /* variable: its address, + immediate bytes */
    FW_OPERAND_FUNCTION, /* name: a function's address or a callee */
    FW_OPERAND_LABEL,    /* index: the label */
    FW_OPERAND_ADDRESS,  /* [base + immediate]: base is index (register) or variable or neither */
    FW_OPERAND_VECTOR,   /* {a,b,..}: elements */
    FW_OPERAND_PAIR,     /* p|q: two elements */
    FW_OPERAND_LIST,     /* (a, b, ..): a call's results or arguments */
    FW_OPERAND_TABLE     /* index: one of the function's tables (brx, indirect calls) */
};

/* What follows an operand: the part that a video instruction selects; generic(symbol). */
enum fw_selector {
    FW_SELECT_ALL,
    FW_SELECT_B0,
    FW_SELECT_B1,
    FW_SELECT_B2,
    FW_SELECT_B3,
    FW_SELECT_H0,
    FW_SELECT_H1,
    FW_SELECT_GENERIC
};

struct fw_operand {
    uint8_t kind;
    bool negated;     /* !p, or -x where PTX allows it */
    bool single;      /* FLOAT: written as 0f (32 bits) */
    uint8_t selector; /* enum fw_selector */
    uint16_t count;   /* of elements (VECTOR, PAIR, LIST; ADDRESS: [a, {coordinates}] extras) */
    bool minus;       /* negated by -, not by ! */
    uint32_t index;
    uint32_t value; /* the SSA value read or defined (pass ssa); FW_NO_INDEX before and without */
    int64_t immediate;
    struct fw_variable *variable;
    const char *name; /* FUNCTION; and SPECIAL when RESERVED */
    struct fw_operand *elements;
    struct fw_span span;
};

enum fw_compare {
    FW_CMP_NONE,
    FW_CMP_EQ,
    FW_CMP_NE,
    FW_CMP_LT,
    FW_CMP_LE,
    FW_CMP_GT,
    FW_CMP_GE,
    FW_CMP_LO,
    FW_CMP_LS,
    FW_CMP_HI,
    FW_CMP_HS, /* unsigned orders */
    FW_CMP_EQU,
    FW_CMP_NEU,
    FW_CMP_LTU,
    FW_CMP_LEU,
    FW_CMP_GTU,
    FW_CMP_GEU,
    FW_CMP_NUM,
    FW_CMP_NAN
};

/* Which sub-operation: atomics and reductions, boolean combination in set/setp, part of a product,
 * shuffle and vote kinds, shf direction.  X(name, text) */
#define FW_MODES(X)                                                                                \
    X(NONE, "")                                                                                    \
    X(ADD, "add")                                                                                  \
    X(AND, "and")                                                                                  \
    X(OR, "or")                                                                                    \
    X(XOR, "xor")                                                                                  \
    X(POPC, "popc")                                                                                \
    X(EXCH, "exch")                                                                                \
    X(CAS, "cas")                                                                                  \
    X(INC, "inc")                                                                                  \
    X(DEC, "dec")                                                                                  \
    X(MIN, "min")                                                                                  \
    X(MAX, "max")                                                                                  \
    X(LO, "lo")                                                                                    \
    X(HI, "hi")                                                                                    \
    X(WIDE, "wide")                                                                                \
    X(UP, "up")                                                                                    \
    X(DOWN, "down")                                                                                \
    X(BFLY, "bfly")                                                                                \
    X(IDX, "idx")                                                                                  \
    X(ALL, "all")                                                                                  \
    X(ANY, "any")                                                                                  \
    X(UNI, "uni")                                                                                  \
    X(BALLOT, "ballot")                                                                            \
    X(L, "l")                                                                                      \
    X(R, "r")

enum fw_mode {
#define X(name, text) FW_MODE_##name,
    FW_MODES(X)
#undef X
        FW_MODE_COUNT
};

enum fw_instruction_flag {
    FW_FLAG_FTZ = 1 << 0,
    FW_FLAG_SAT = 1 << 1,
    FW_FLAG_APPROX = 1 << 2,
    FW_FLAG_FULL = 1 << 3,
    FW_FLAG_VOLATILE = 1 << 4,
    FW_FLAG_UNIFORM = 1 << 5,   /* bra.uni, call.uni */
    FW_FLAG_CARRY_OUT = 1 << 6, /* .cc */
    FW_FLAG_SYNC = 1 << 7,      /* .sync */
    FW_FLAG_ALIGNED = 1 << 8,
    FW_FLAG_NONCOHERENT = 1 << 9, /* ld.global.nc */
    FW_FLAG_CLAMP = 1 << 10,
    FW_FLAG_WRAP = 1 << 11,
    FW_FLAG_TO = 1 << 12,    /* cvta.to */
    FW_FLAG_ASYNC = 1 << 13, /* cp.async and its kind */
    FW_FLAG_NAN = 1 << 14,   /* min.NaN */
    FW_FLAG_RELU = 1 << 15,
    FW_FLAG_ABS = 1 << 16, /* .xorsign.abs, min.abs */
    FW_FLAG_SHIFTAMT = 1 << 17,
    FW_FLAG_ACCUMULATES = 1 << 18, /* reads its destination too: wgmma.mma_async */
    FW_FLAG_UNIFIED = 1 << 19,     /* [address].unified */
    FW_FLAG_ROLLED = 1 << 20       /* .pragma "nounroll" stands before it */
};

struct fw_instruction {
    uint16_t opcode;  /* enum fw_opcode */
    uint8_t types[4]; /* enum fw_type as written: result first (cvt: to, from; set: to, compared) */
    uint8_t type_count;
    uint8_t space;   /* enum fw_space; GENERIC for ld/st/atom without one */
    uint8_t vector;  /* 1, 2, 4, 8 */
    uint8_t compare; /* enum fw_compare */
    uint8_t mode;    /* enum fw_mode */
    uint8_t rounding;
    uint8_t destinations; /* leading operands that are written; calls: the list of results, which is
                             always operand 0 (possibly empty), operand 1 is the callee, operand 2
                             the list of arguments, operand 3 the table of an indirect call */
    uint8_t modifier_count;
    uint8_t source_space; /* the second space written: cp.async.ca.shared.global; else NONE */
    uint32_t flags;
    const char *name;             /* the mnemonic up to the first dot, interned */
    const char *const *modifiers; /* all of them in order, interned, without the dot */
    uint16_t operand_count;
    struct fw_operand *operands;
    uint32_t guard; /* predicate register, or FW_NO_INDEX */
    bool guard_negated;
    uint32_t guard_value;    /* SSA value of the guard (pass ssa) */
    uint32_t *prior_values;  /* guarded definitions: per defined register, in the order of
                                fw_instruction_definitions, its SSA value before (pass ssa) */
    struct fw_operand *slot; /* ld, st: the register that stands for the local memory there (pass
                                slots), with its SSA value: read by ld, defined by st; or NULL */
    uint32_t *targets;       /* bra: one label; brx: the list */
    uint32_t target_count;
    struct fw_function *callee; /* direct calls of functions with a body or a declaration */
    struct fw_span span;        /* the statement's text */
    uint32_t file;              /* source file (index into the module's files), from .loc */
    uint32_t line;              /* source line; 0: unknown */
    uint32_t call; /* 1 + the function's call place that it was inlined at; 0: it was not */
};

struct fw_label {
    const char *name;
    uint32_t instruction; /* index of the instruction it stands before; the count at the end */
};

/* name: .branchtargets, .calltargets or .callprototype */
enum fw_table_kind { FW_TABLE_BRANCHES, FW_TABLE_CALLEES, FW_TABLE_PROTOTYPE };

struct fw_table {
    const char *name;
    uint8_t kind;         /* enum fw_table_kind */
    bool no_return;       /* PROTOTYPE */
    uint32_t *labels;     /* BRANCHES: count of them */
    const char **callees; /* CALLEES: count of them */
    uint32_t count;
    struct fw_variable *results; /* PROTOTYPE */
    uint32_t result_count;
    struct fw_variable *parameters; /* PROTOTYPE */
    uint32_t parameter_count;
};

/* Basic blocks (pass cfg): instructions first <= i < end. */
struct fw_block {
    uint32_t first;
    uint32_t end;
    uint32_t *successors; /* for a guarded branch: [0] taken, [1] fallen through */
    uint32_t successor_count;
    uint32_t *predecessors;
    uint32_t predecessor_count;
    uint32_t order;          /* position in reverse post-order; FW_NO_INDEX: unreachable */
    uint32_t dominator;      /* immediate; FW_NO_INDEX for the entry (pass dominators) */
    uint32_t post_dominator; /* immediate; FW_NO_INDEX: only the virtual exit (pass dominators) */
    uint32_t loop;           /* innermost loop, or FW_NO_INDEX (pass loops) */
    struct fw_phi *phis;     /* (pass ssa) */
    uint32_t phi_count;
};

struct fw_phi {
    uint32_t reg;
    uint32_t value;
    uint32_t *inputs; /* one SSA value per predecessor, in their order */
};

struct fw_loop_info {
    uint32_t header;
    uint32_t parent; /* enclosing loop, or FW_NO_INDEX */
    uint32_t depth;  /* 1 for an outermost one */
    uint32_t *blocks;
    uint32_t block_count;
    uint32_t *latches; /* blocks with a back edge to the header */
    uint32_t latch_count;
};

/* Where an SSA value comes from. */
enum fw_value_kind { FW_VALUE_ENTRY, FW_VALUE_INSTRUCTION, FW_VALUE_PHI };

struct fw_value {
    uint8_t kind;
    uint32_t reg;
    uint32_t block;
    uint32_t definition; /* instruction index, or phi index in its block */
    uint32_t slot;       /* which of the instruction's definitions */
};

struct fw_function {
    const char *name;
    struct fw_span span;
    struct fw_module *module;
    bool is_entry;
    bool has_body;
    struct fw_variable *results; /* device functions */
    uint32_t result_count;
    struct fw_variable *parameters;
    uint32_t parameter_count;
    uint32_t parameter_bytes;       /* of the kernel parameter block */
    struct fw_variable **variables; /* function scope: shared, local, param (call staging) */
    uint32_t variable_count;
    struct fw_register *registers;
    uint32_t register_count;
    struct fw_label *labels;
    uint32_t label_count;
    struct fw_instruction *instructions;
    uint32_t instruction_count;
    uint32_t max_threads[3];      /* .maxntid, 0: not stated */
    uint32_t required_threads[3]; /* .reqntid */
    uint32_t min_blocks;          /* .minnctapersm */
    uint32_t max_registers;       /* .maxnreg */
    uint32_t required_cluster[3]; /* .reqnctapercluster, 0: not stated */
    uint32_t max_cluster_rank;    /* .maxclusterrank */
    bool explicit_cluster;
    bool blocks_are_clusters;
    bool no_return;
    uint8_t linkage; /* enum fw_linkage */
    struct fw_table *tables;
    uint32_t table_count;
    struct fw_function *alias; /* .alias: the function that this name stands for, or NULL */
    const struct fw_call_place
        *calls; /* that code was inlined at: an outer one stands before those inlined in it */
    uint32_t call_count;
    /* Filled by passes. */
    struct fw_block *blocks;
    uint32_t block_count;
    uint32_t *order; /* reachable blocks in reverse post-order */
    uint32_t order_count;
    struct fw_loop_info *loops; /* outer before inner */
    uint32_t loop_count;
    bool irreducible; /* a cycle that is no natural loop (pass loops) */
    struct fw_value *values;
    uint32_t value_count;
};

struct fw_module {
    struct fw_arena *arena; /* owned by whoever read the module */
    const struct fw_source *source;
    struct fw_map strings; /* interned names */
    uint32_t version_major, version_minor;
    const char *target;         /* "sm_90a" */
    uint32_t capability;        /* 90 */
    const char *target_options; /* what follows the target, "debug, texmode_independent"; or NULL */
    uint32_t address_bits;      /* 32 or 64 */
    const char **files;         /* by the number of .file; holes are NULL */
    uint32_t file_count;
    struct fw_variable **variables; /* module scope */
    uint32_t variable_count;
    struct fw_function **functions; /* those with a body and those only declared */
    uint32_t function_count;
};

/* Calls `visit` for every register that the instruction defines, in order, vectors, pairs and
 * lists opened, sinks left out.  Returns how many there are. */
uint32_t fw_instruction_definitions(const struct fw_instruction *instruction,
                                    void (*visit)(void *user, struct fw_operand *operand),
                                    void *user);

/* The same for every register operand that is read: addresses and lists opened, without the guard.
 */
uint32_t fw_instruction_uses(const struct fw_instruction *instruction,
                             void (*visit)(void *user, struct fw_operand *operand), void *user);

/* Whether one of the modifiers is `text` (without the dot). */
bool fw_instruction_has(const struct fw_instruction *instruction, const char *text);

/* m, n and k of the modifier that states a matrix product's shape, at most 1024 each; false without
 * one. */
bool fw_instruction_shape(const struct fw_instruction *instruction, uint32_t sizes[3]);

/* Whether a block is in a loop, or in one within it (pass loops); in FW_NO_INDEX each is. */
bool fw_block_in_loop(const struct fw_function *function, uint32_t block, uint32_t loop);

/* The kernel called `name`, the only one when `name` is NULL; NULL when there is none. */
struct fw_function *fw_module_kernel(const struct fw_module *module, const char *name);

/* The instruction as PTX text, for dumps; it belongs to the arena. */
char *fw_instruction_text(struct fw_arena *arena, const struct fw_function *function,
                          const struct fw_instruction *instruction);

/* The module as PTX text that reads as the same module: every scope opened into its function's,
 * declarations of functions first, then variables, device functions, kernels.  Comments, pragmas
 * but "nounroll", debug sections and registers that nothing uses are not kept.  The text belongs to
 * the arena. */
char *fw_module_text(struct fw_arena *arena, const struct fw_module *module);

#endif
