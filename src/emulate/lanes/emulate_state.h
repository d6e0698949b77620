/* The emulator's machine: the decoded form, warps, the run's state, and the handlers that carry
 * micro-operations out on a warp's lanes.
 *
 * A function is decoded once into an array of micro-operations.  Each works on a warp's frame:
 * bytes in which every register, constant and special register has a slot of 32 lanes (4 bytes a
 * lane up to 32 bits, 8 bytes for 64 bits, two such planes for 128 bits); 16-bit registers are kept
 * zero-extended; a predicate is one 32-bit word, a bit a lane.  A micro-operation names slots by
 * byte offset and is run by a handler that loops over the lanes under a mask.  See emulate.h for
 * what it all is for. */
#ifndef FW_EMULATE_INTERNAL_H
#define FW_EMULATE_INTERNAL_H

#include "ir.h"
#include "number.h"
#include "warp.h"

#include <setjmp.h>

#define LANES     FW_WARP_THREADS
#define FULL_MASK UINT32_MAX

/* The emulated address space: constant memory, the parameter block, windows of shared and local
 * memory for generic addresses, then global buffers with gaps between them. */
#define PARAM_BASE    UINT64_C(0x02000000)
#define CONST_BASE    UINT64_C(0x04000000)
#define SHARED_WINDOW UINT64_C(0x100000000)
#define SHARED_LIMIT  UINT64_C(0x01000000)
#define LOCAL_WINDOW  UINT64_C(0x140000000)
#define LOCAL_LIMIT   UINT64_C(0x40000000)
#define GLOBAL_BASE   UINT64_C(0x700000000)
#define BUFFER_GAP    UINT64_C(0x1000000)

struct emulate_warp;
struct emulate_micro;

typedef void emulate_handler(struct emulate_warp *warp, const struct emulate_micro *micro,
                             uint32_t mask);

/* Micro-operations that the run loop treats itself; 0: it calls the handler. */
enum emulate_control {
    CONTROL_NONE,
    CONTROL_BLOCK,  /* a basic block begins: a = its index */
    CONTROL_BRANCH, /* immediate: target micro */
    CONTROL_BRX,    /* extra: struct emulate_table */
    CONTROL_EXIT,
    CONTROL_BARRIER, /* extra: struct emulate_barrier_use */
    CONTROL_SYNC,    /* a .sync operation among lanes: b = slot of the member mask */
    CONTROL_FAULT    /* extra: struct emulate_fault_text: stops the run */
};

struct emulate_micro {
    emulate_handler *run;
    uint32_t d, a, b, c, e; /* slots: byte offsets into the frame */
    uint32_t guard;         /* the predicate's word; 0: none */
    uint32_t guard_flip;    /* all ones: the guard is negated */
    uint32_t counter;       /* of guarded instructions, on their first micro; else FW_NO_INDEX */
    uint32_t instruction;   /* index in the function */
    uint8_t control;
    uint8_t small[7]; /* what the handler likes: widths, modes */
    int64_t immediate;
    void *extra;
    emulate_handler *inner; /* what a wrapper calls */
};

struct emulate_fault_text {
    const char *code;
    const char *message;
};

struct emulate_table {
    uint32_t count;
    uint32_t *targets; /* micro indices */
};

enum emulate_barrier_kind { BARRIER_SYNC, BARRIER_ARRIVE, BARRIER_POPC, BARRIER_AND, BARRIER_OR };

struct emulate_barrier_use {
    uint8_t kind;
    uint32_t id;        /* slot, 32 bits */
    uint32_t count;     /* slot, 32 bits; 0: all threads */
    uint32_t predicate; /* word, of bar.red */
    uint32_t predicate_flip;
    uint32_t result; /* slot (popc) or word (and, or) */
};

/* One memory instruction. */
#define MAX_ELEMENTS 8
struct emulate_memory {
    uint8_t space;    /* enum fw_space: GLOBAL also stands for constants and kernel parameters */
    uint8_t bytes;    /* of one element */
    uint8_t elements; /* 1, 2, 4, 8 */
    uint8_t extend;   /* loads: sign-extend into the register */
    uint8_t wide[MAX_ELEMENTS]; /* the register's slot has 8 bytes a lane (16: two planes) */
    uint32_t slots[MAX_ELEMENTS];
    bool used[MAX_ELEMENTS]; /* loads: false for _ */
    bool address_wide;       /* the address register has 64 bits */
    bool has_address;        /* there is an address register: slot a of the micro */
    uint8_t operation;       /* atomics: enum fw_mode */
    uint8_t type;            /* atomics: enum fw_type */
    bool flush;              /* atomics: subnormals to zero */
    bool atomic, store;
    uint32_t buffer;                /* the last one hit */
    uint32_t copy;                  /* cp.async: bytes */
    bool partial;                   /* cp.async: slot c says how many are read, the rest is zero */
    int64_t source_offset;          /* cp.async */
    uint32_t sources[MAX_ELEMENTS]; /* vector atomics: operands */
};

/* Counts of a guarded instruction. */
struct emulate_guarded {
    uint32_t instruction;
    uint64_t threads;
    uint64_t warps;
};

struct emulate_block_count {
    uint64_t issued;
    uint64_t threads;
};

struct emulate_slot {
    uint32_t offset;
    uint8_t lane_bytes; /* 0: a predicate word; 4, 8, 16 */
};

/* Where a variable lies: an address in its space (see decode: symbol values). */
struct emulate_symbol {
    const struct fw_variable *variable;
    uint64_t address;
    bool staged; /* a parameter of a call that was inlined: local memory */
};

/* The decoded function. */
struct emulate_code {
    const struct fw_function *function;
    FW_VECTOR(struct emulate_micro) micros;
    FW_VECTOR(struct emulate_guarded) guarded;
    uint32_t *block_start; /* micro index of each basic block's CONTROL_BLOCK */
    uint32_t *strict;      /* reconvergence by post-dominator, as block index */
    uint32_t *relaxed;     /* the same when lanes that just leave are not waited for */
    bool *leaves;          /* the block's branch has an edge that just leaves */
    uint32_t frame_bytes;
    uint32_t registers_start, registers_end; /* zero when a block begins; the rest stays */
    uint32_t special[FW_SREG_COUNT];         /* slot of each special register used; 0: not used */
    FW_VECTOR(struct emulate_constant) constants;
    FW_VECTOR(struct emulate_symbol) symbols;
    uint32_t cluster[3];   /* blocks of a cluster, 1 where PTX does not state them */
    uint64_t local_bytes;  /* a thread's local memory */
    uint64_t shared_bytes; /* static */
    uint64_t shared_total; /* with dynamic */
};

struct emulate_constant {
    uint64_t value;
    uint32_t offset;
    uint8_t lane_bytes; /* 0: predicate */
};

enum emulate_state { STATE_FREE, STATE_READY, STATE_JOINING, STATE_BARRIER, STATE_SYNC };

/* A path of a warp: lanes that stand at one place.  A path that waits for its parts to meet again
 * is JOINING. */
struct emulate_path {
    uint32_t pc;      /* micro index */
    uint32_t mask;    /* its lanes; of a JOINING one: those that have arrived */
    uint32_t join;    /* block at which it meets its parent; FW_NO_INDEX: none */
    uint32_t parent;  /* index; FW_NO_INDEX */
    uint32_t parts;   /* of a JOINING one: paths still under way */
    uint32_t members; /* SYNC: lanes that have to come */
    uint8_t state;
    uint32_t barrier; /* BARRIER: which */
};

struct emulate_warp {
    unsigned char *frame;
    unsigned char *local; /* 32 threads, local_bytes each */
    struct emulate_run *run;
    uint32_t index;  /* in the block */
    uint32_t exists; /* lanes that the block has */
    uint32_t exited;
    struct emulate_path *paths;
    uint32_t path_count;
    uint32_t path_capacity;
    uint32_t current;
};

struct emulate_barrier {
    bool active;
    bool counted;          /* with a stated count */
    uint32_t expected;     /* threads */
    uint32_t arrived[32];  /* lanes, by warp */
    uint32_t positive[32]; /* bar.red: lanes whose predicate holds */
};

/* What a buffer holds at first, made page by page when the kernel first comes near. */
struct emulate_content {
    uint64_t *made; /* one bit a page */
    uint32_t page;  /* bytes: a power of two, of whole elements */
    /* Makes the buffer's bytes from `first` on; false, told: it cannot. */
    bool (*make)(struct emulate_content *content, uint64_t first, uint64_t bytes);
};

struct emulate_buffer_private {
    uint64_t start, end;
    unsigned char *memory;
    bool read_only;
    struct emulate_content *content; /* NULL: it is all there */
    const char *name;                /* for messages */
};

/* Is told of each execution of a memory instruction before it is carried out: an access of `bytes`
 * a lane at 32 addresses in the space, of which those of the mask mean something. */
typedef void emulate_teller(const struct emulate_warp *warp, const struct emulate_micro *micro,
                            enum fw_space space, uint32_t bytes, uint32_t mask,
                            const uint64_t *addresses);

struct emulate_run {
    struct emulate_code code;
    struct emulate_warp *warps;
    uint32_t warp_count;
    unsigned char *shared;
    unsigned char *written; /* by byte of it: a thread of the block has stored there; NULL: loads
                               from others are no fault */
    struct emulate_barrier barriers[16];
    struct emulate_buffer_private *buffers; /* by address */
    uint32_t buffer_count;
    struct emulate_block_count *block_counts;
    uint64_t *divergent; /* by instruction */
    uint32_t grid[3], block[3], at[3];
    uint64_t linear;  /* the running block */
    uint32_t threads; /* in a block */
    uint64_t spent, limit;
    uint64_t next_check;  /* of the wall time, when so much is spent */
    emulate_teller *tell; /* NULL: nobody asks */
    const struct fw_sink *sink;
    jmp_buf fault;
    enum fw_status failed;
    void *owner; /* whoever set the run up, for `tell` */
};

#define SLOT(type, offset) ((type *)(void *)(warp->frame + (offset)))
#define WORD(offset)       (*SLOT(uint32_t, (offset)))

/* Lanes may be taken in any order: source and destination are either the same slot or apart. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed" /* some loops stay scalar: that is fine */
#define EACH_LANE                                                                                  \
    _Pragma("clang loop vectorize(assume_safety)") for (unsigned i = 0; i < LANES; i++)
#else
#define EACH_LANE _Pragma("GCC ivdep") for (unsigned i = 0; i < LANES; i++)
#endif

/* A row of the operation tables: what decoding looks up. */
struct emulate_operation {
    uint8_t opcode;     /* enum fw_opcode */
    uint8_t type;       /* enum fw_type */
    uint8_t mode;       /* enum fw_mode */
    uint8_t flags;      /* OPERATION_ bits */
    uint8_t d, a, b, c; /* bytes a lane of each slot */
    emulate_handler *run;
};

enum {
    OPERATION_FTZ = 1,
    OPERATION_SAT = 2,
    OPERATION_NAN = 4,
    OPERATION_CLAMP = 8,
    OPERATION_WRAP = 16,
    OPERATION_APPROX = 32
};

/* The handlers that exist once for each instruction set of the machine that runs forewarp. */
struct emulate_lanes {
    const char *name;
    const struct emulate_operation *operations;
    uint32_t operation_count;
    emulate_handler *const *compare; /* [kind][enum fw_compare]: kind by emulate_compare_kind */
    emulate_handler *const *convert; /* by enum emulate_quick */
    emulate_handler *select32, *select64;
    emulate_handler *move32, *move64;
    emulate_handler *lop3;
    emulate_handler *load, *store;
};

enum emulate_compare_kind {
    COMPARE_U16,
    COMPARE_S16,
    COMPARE_U32,
    COMPARE_S32,
    COMPARE_U64,
    COMPARE_S64,
    COMPARE_F32,
    COMPARE_F64,
    COMPARE_KINDS
};
#define COMPARES (FW_CMP_NAN + 1)

/* Conversions that have a loop of their own. */
/* clang-format off */
#define EMULATE_QUICK(X) \
    X(F32_S32) X(F32_U32) X(F32_S64) X(F32_U64) X(F64_S32) X(F64_U32) \
    X(F64_S64) X(F64_U64) X(S32_F32) X(U32_F32) X(S64_F32) X(S32_F64) \
    X(U32_F64) X(S64_F64) X(F64_F32) X(F32_F64) X(F32_F16) X(F16_F32) \
    X(F32_BF16) X(BF16_F32) X(EXTEND_44) X(EXTEND_48) X(EXTEND_84) X(EXTEND_88) \
    X(SIGN_44) X(SIGN_48) X(SIGN_84) X(SIGN_88) X(FLUSH_F32) X(SATURATE_F32)
/* clang-format on */
enum emulate_quick {
#define X(name) QUICK_##name,
    EMULATE_QUICK(X)
#undef X
        QUICK_COUNT
};

extern const struct emulate_lanes fw_emulate_lanes_portable;
#if defined(__x86_64__)
extern const struct emulate_lanes fw_emulate_lanes_avx2;
extern const struct emulate_lanes fw_emulate_lanes_avx512;
#endif

/* The copy called `name`, or with NULL the best that this machine can run; NULL: there is none. */
const struct emulate_lanes *fw_emulate_lanes_find(const char *name);

/* Operations that exist once (emulate_scalar.c, emulate_half.c). */
extern const struct emulate_operation fw_emulate_scalar_operations[];
extern const uint32_t fw_emulate_scalar_operation_count;
extern const struct emulate_operation fw_emulate_half_operations[];
extern const uint32_t fw_emulate_half_operation_count;

/* emulate_fault.c: reports and unwinds.  `lane` is one of the warp's, or LANES for no thread. */
_Noreturn void fw_emulate_fault(struct emulate_warp *warp, const struct emulate_micro *micro,
                                unsigned lane, const char *code, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
