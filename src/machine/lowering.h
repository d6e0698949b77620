/* Lowering: an estimate of the machine operations that a function's PTX becomes.
 *
 * Takes a function in SSA form and a compute capability; gives, per PTX instruction, the list of
 * machine operations that it issues on its fast path: what ptxas expands it into (lowering_table.c,
 * found by compiling and disassembling: scripts/study-lowering), after what ptxas merges with its
 * neighbours (lowering.c: contraction of unfused products and sums, three-input adds and logic,
 * shift-and-add, source modifiers, address arithmetic, free moves).  A merged instruction has an
 * empty list and names the one that issues for it.  What a warp's threads share goes to the scalar
 * datapath (lowering_uniform.c), what an unrolled loop's iterations share is told by `every`
 * (unrolling/unroll.c).
 * It never changes the function.  It is an estimate: hoisting, spills and copies are ptxas's to
 * decide and are not modelled. */
#ifndef FW_LOWERING_H
#define FW_LOWERING_H

#include "ir.h"

/* Where machine operations issue.  ALU and FMA take moves, adds and shifts of integers in turn. */
#define FW_PIPES(X)                                                                                \
    X(NONE, "none")                                                                                \
    X(FMA, "fma")             /* f32 and integer multiply-add */                                   \
    X(FMA_HEAVY, "fma_heavy") /* wide integer products: half of the FMA lanes */                   \
    X(ALU, "alu")                                                                                  \
    X(FP16, "fp16")                                                                                \
    X(FP64, "fp64")                                                                                \
    X(XU, "xu") /* transcendental functions, conversions, bit counts */                            \
    X(LSU, "lsu")                                                                                  \
    X(ADU, "adu") /* barriers, special registers, constants by address */                          \
    X(CBU, "cbu") /* control flow */                                                               \
    X(UNIFORM, "uniform")                                                                          \
    X(TENSOR, "tensor")                                                                            \
    X(TEX, "tex")

enum fw_pipe {
#define X(name, text) FW_PIPE_##name,
    FW_PIPES(X)
#undef X
        FW_PIPE_COUNT
};

/* Machine operations, by the disassembler's names.  X(name, text, type, pipe)
 *   type: what its result or the data it moves is; ".64" and ".128" behind a name tell width
 *   Integer adds, shifts and moves stand under IADD3, SHF, MOV also where ptxas writes them as
 *   IMAD.IADD, IMAD.SHL, IMAD.MOV, VIADD; IMNMX is VIMNMX on sm_90. */
#define FW_MACHINES(X)                                                                             \
    X(UNKNOWN, "?", NONE, NONE) /* PTX that no row covers */                                       \
    X(FFMA, "FFMA", F32, FMA)                                                                      \
    X(FADD, "FADD", F32, FMA)                                                                      \
    X(FMUL, "FMUL", F32, FMA)                                                                      \
    X(FSETP, "FSETP", F32, ALU)                                                                    \
    X(FSET, "FSET", F32, ALU)                                                                      \
    X(FSEL, "FSEL", F32, ALU)                                                                      \
    X(FMNMX, "FMNMX", F32, ALU)                                                                    \
    X(FCHK, "FCHK", F32, XU)                                                                       \
    X(DFMA, "DFMA", F64, FP64)                                                                     \
    X(DADD, "DADD", F64, FP64)                                                                     \
    X(DMUL, "DMUL", F64, FP64)                                                                     \
    X(DSETP, "DSETP", F64, FP64)                                                                   \
    X(HFMA2, "HFMA2", F16X2, FP16)                                                                 \
    X(HADD2, "HADD2", F16X2, FP16)                                                                 \
    X(HMUL2, "HMUL2", F16X2, FP16)                                                                 \
    X(HSETP2, "HSETP2", F16X2, FP16)                                                               \
    X(HMNMX2, "HMNMX2", F16X2, ALU)                                                                \
    X(IMAD, "IMAD", S32, FMA)                                                                      \
    X(IMAD_WIDE, "IMAD.WIDE", S64, FMA_HEAVY)                                                      \
    X(IMAD_HI, "IMAD.HI", S32, FMA_HEAVY)                                                          \
    X(IADD3, "IADD3", S32, ALU)                                                                    \
    X(LEA, "LEA", S32, ALU)                                                                        \
    X(IABS, "IABS", S32, ALU)                                                                      \
    X(IMNMX, "IMNMX", S32, ALU)                                                                    \
    X(VIMNMX3, "VIMNMX3", S32, ALU)                                                                \
    X(VIADDMNMX, "VIADDMNMX", S32, ALU)                                                            \
    X(ISETP, "ISETP", S32, ALU)                                                                    \
    X(SEL, "SEL", B32, ALU)                                                                        \
    X(LOP3, "LOP3", B32, ALU)                                                                      \
    X(PLOP3, "PLOP3", PRED, ALU)                                                                   \
    X(SHF, "SHF", B32, ALU)                                                                        \
    X(SGXT, "SGXT", S32, ALU)                                                                      \
    X(BMSK, "BMSK", B32, ALU)                                                                      \
    X(PRMT, "PRMT", B32, ALU)                                                                      \
    X(VABSDIFF, "VABSDIFF", S32, ALU)                                                              \
    X(VABSDIFF4, "VABSDIFF4", S32, ALU)                                                            \
    X(IDP, "IDP", S32, FMA)                                                                        \
    X(POPC, "POPC", B32, XU)                                                                       \
    X(FLO, "FLO", B32, XU)                                                                         \
    X(BREV, "BREV", B32, XU)                                                                       \
    X(I2F, "I2F", F32, XU)                                                                         \
    X(I2F_64, "I2F.64", F64, XU)                                                                   \
    X(F2I, "F2I", S32, XU)                                                                         \
    X(F2I_64, "F2I.64", S64, XU)                                                                   \
    X(F2F, "F2F", F32, XU)                                                                         \
    X(F2F_64, "F2F.64", F64, XU)                                                                   \
    X(FRND, "FRND", F32, XU)                                                                       \
    X(FRND_64, "FRND.64", F64, XU)                                                                 \
    X(I2I, "I2I", S32, XU)                                                                         \
    X(I2FP, "I2FP", F32, ALU)                                                                      \
    X(F2FP, "F2FP", F16X2, ALU)                                                                    \
    X(F2IP, "F2IP", U32, ALU)                                                                      \
    X(I2IP, "I2IP", S32, ALU)                                                                      \
    X(MUFU, "MUFU", F32, XU)                                                                       \
    X(MUFU_16, "MUFU.16", F16, XU)                                                                 \
    X(MUFU_64, "MUFU.64", F64, XU)                                                                 \
    X(MOV, "MOV", B32, ALU)                                                                        \
    X(IMAD_MOV, "IMAD.MOV", B32, FMA)                                                              \
    X(S2R, "S2R", B32, ADU)                                                                        \
    X(CS2R, "CS2R", B64, ALU)                                                                      \
    X(B2R, "B2R", B32, ADU)                                                                        \
    X(QSPC, "QSPC", PRED, ADU)                                                                     \
    X(LDC, "LDC", B32, ADU)                                                                        \
    X(LDC_64, "LDC.64", B64, ADU)                                                                  \
    X(LDG, "LDG", B32, LSU)                                                                        \
    X(LDG_64, "LDG.64", B64, LSU)                                                                  \
    X(LDG_128, "LDG.128", B128, LSU)                                                               \
    X(STG, "STG", B32, LSU)                                                                        \
    X(STG_64, "STG.64", B64, LSU)                                                                  \
    X(STG_128, "STG.128", B128, LSU)                                                               \
    X(LDS, "LDS", B32, LSU)                                                                        \
    X(LDS_64, "LDS.64", B64, LSU)                                                                  \
    X(LDS_128, "LDS.128", B128, LSU)                                                               \
    X(STS, "STS", B32, LSU)                                                                        \
    X(STS_64, "STS.64", B64, LSU)                                                                  \
    X(STS_128, "STS.128", B128, LSU)                                                               \
    X(LDL, "LDL", B32, LSU)                                                                        \
    X(LDL_64, "LDL.64", B64, LSU)                                                                  \
    X(LDL_128, "LDL.128", B128, LSU)                                                               \
    X(STL, "STL", B32, LSU)                                                                        \
    X(STL_64, "STL.64", B64, LSU)                                                                  \
    X(STL_128, "STL.128", B128, LSU)                                                               \
    X(LD, "LD", B32, LSU)                                                                          \
    X(LD_64, "LD.64", B64, LSU)                                                                    \
    X(LD_128, "LD.128", B128, LSU)                                                                 \
    X(ST, "ST", B32, LSU)                                                                          \
    X(ST_64, "ST.64", B64, LSU)                                                                    \
    X(ST_128, "ST.128", B128, LSU)                                                                 \
    X(ATOM, "ATOM", B32, LSU)                                                                      \
    X(ATOMG, "ATOMG", B32, LSU)                                                                    \
    X(ATOMS, "ATOMS", B32, LSU)                                                                    \
    X(RED, "RED", B32, LSU)                                                                        \
    X(REDG, "REDG", B32, LSU)                                                                      \
    X(LDGSTS, "LDGSTS", B32, LSU)                                                                  \
    X(MOVM, "MOVM", B32, ADU) /* turns rows of 8 x 8 elements into columns */                      \
    X(LDSM, "LDSM", B32, LSU)                                                                      \
    X(CCTL, "CCTL", NONE, LSU)                                                                     \
    X(LDGDEPBAR, "LDGDEPBAR", NONE, LSU)                                                           \
    X(DEPBAR, "DEPBAR", NONE, ADU)                                                                 \
    X(MEMBAR, "MEMBAR", NONE, LSU)                                                                 \
    X(ERRBAR, "ERRBAR", NONE, LSU)                                                                 \
    X(CGAERRBAR, "CGAERRBAR", NONE, LSU)                                                           \
    X(SHFL, "SHFL", B32, LSU)                                                                      \
    X(MATCH, "MATCH", B32, ADU)                                                                    \
    X(VOTE, "VOTE", B32, ALU)                                                                      \
    X(REDUX, "REDUX", B32, ADU)                                                                    \
    X(ELECT, "ELECT", PRED, ADU)                                                                   \
    X(BAR, "BAR", NONE, ADU)                                                                       \
    X(WARPSYNC, "WARPSYNC", NONE, CBU)                                                             \
    X(NANOSLEEP, "NANOSLEEP", NONE, CBU)                                                           \
    X(BRA, "BRA", NONE, CBU)                                                                       \
    X(BRX, "BRX", NONE, CBU)                                                                       \
    X(BSSY, "BSSY", NONE, CBU)                                                                     \
    X(BSYNC, "BSYNC", NONE, CBU)                                                                   \
    X(BREAK, "BREAK", NONE, CBU)                                                                   \
    X(BMOV, "BMOV", NONE, CBU)                                                                     \
    X(CALL, "CALL", NONE, CBU)                                                                     \
    X(RET, "RET", NONE, CBU)                                                                       \
    X(EXIT, "EXIT", NONE, CBU)                                                                     \
    X(HMMA, "HMMA", F32, TENSOR)                                                                   \
    X(IMMA, "IMMA", S32, TENSOR)                                                                   \
    X(DMMA, "DMMA", F64, TENSOR)                                                                   \
    X(ULDC, "ULDC", B64, UNIFORM)                                                                  \
    X(UMOV, "UMOV", B32, UNIFORM)                                                                  \
    X(UIADD3, "UIADD3", S32, UNIFORM) /* once a warp; counters of threads do not see them */       \
    X(UIMAD, "UIMAD", S32, UNIFORM)                                                                \
    X(UIMAD_WIDE, "UIMAD.WIDE", S64, UNIFORM)                                                      \
    X(ULEA, "ULEA", S32, UNIFORM)                                                                  \
    X(ULOP3, "ULOP3", B32, UNIFORM)                                                                \
    X(USHF, "USHF", B32, UNIFORM)                                                                  \
    X(USGXT, "USGXT", S32, UNIFORM)                                                                \
    X(UBMSK, "UBMSK", B32, UNIFORM)                                                                \
    X(UPRMT, "UPRMT", B32, UNIFORM)                                                                \
    X(UISETP, "UISETP", S32, UNIFORM)                                                              \
    X(USEL, "USEL", B32, UNIFORM)                                                                  \
    X(UPOPC, "UPOPC", B32, UNIFORM)                                                                \
    X(UFLO, "UFLO", B32, UNIFORM)                                                                  \
    X(VOTEU, "VOTEU", B32, UNIFORM)

enum fw_machine {
#define X(name, text, type, pipe) FW_MACHINE_##name,
    FW_MACHINES(X)
#undef X
        FW_MACHINE_COUNT
};

/* So many of one operation.  `guarded`: issued under a predicate that is false on ordinary data
 * (the rescaling of subnormal numbers, a quotient's corrections) or whose truth is not known: a
 * counter of executed threads sees some or none of them, an issue slot sees all. */
struct fw_machine_count {
    uint8_t operation; /* enum fw_machine */
    uint8_t type;      /* enum fw_type */
    bool guarded;
    uint8_t every;  /* issued in one of so many executions, which ptxas makes into one (an unrolled
                       loop's counter); 0 and 1: in each */
    uint16_t count; /* per thread that executes the PTX instruction */
};

/* What one PTX instruction issues. */
struct fw_lowered {
    struct fw_machine_count *at;
    uint16_t count;
    bool known;        /* false: no row covers it; `at` is one UNKNOWN */
    uint32_t absorbed; /* the instruction that issues for this one, or FW_NO_INDEX */
};

struct fw_lowering {
    uint32_t capability;             /* asked for */
    uint32_t column;                 /* whose column of the table answers: 70, 80 or 90 */
    struct fw_lowered *instructions; /* one per instruction of the function */
    uint32_t instruction_count;
    uint32_t unknown_count; /* instructions that no row covers */
    uint8_t *iterations;  /* by block: iterations of its loop that an unrolled one takes at once, at
                             most 255; 0: the loop is not unrolled */
    bool *counts_rest;    /* by block: the header of an unrolled loop whose block for one iteration
                             is a loop that counts, too; else that block runs once or not at all */
    uint32_t *predicated; /* by block: the branch around it, where ptxas executes the block under a
                             predicate instead; else FW_NO_INDEX */
    bool *tables;         /* by block: a test that a branch through a table takes the place of */
    uint32_t *places;     /* by block: the branch through a table that alone leads to it, else
                             FW_NO_INDEX */
    bool *scalar;         /* by value: on the scalar datapath; NULL: none is */
    uint8_t *level;       /* by value: enum fw_uniformity; NULL: not known */
    uint8_t *divergent;   /* by block: header of a loop that a warp's threads leave at different
                             times; NULL: not known */
};

/* A row of the table: key (see lowering_key.c) and what it becomes, "NAME*count ..." with `@`
 * before what is issued under a predicate. */
struct fw_lowering_row {
    const char *key;
    const char *columns[3]; /* sm_70, sm_80, sm_90; NULL: as the next */
};

extern const struct fw_lowering_row fw_lowering_rows[];
extern const unsigned fw_lowering_row_count;

/* "FFMA"; "fma". */
const char *fw_machine_text(enum fw_machine operation);
const char *fw_pipe_text(enum fw_pipe pipe);

/* Where an operation issues, and the type that it works on. */
enum fw_pipe fw_machine_pipe(enum fw_machine operation);
enum fw_type fw_machine_type(enum fw_machine operation);

/* The operation called `text` (`length` bytes); FW_MACHINE_UNKNOWN when there is none. */
enum fw_machine fw_machine_find(const char *text, size_t length);

/* The table's key for an instruction, in the arena: mnemonic, the modifiers that change what it
 * becomes, types; `#` at the end when a source is an integer literal and that matters. */
char *fw_lowering_key(struct fw_arena *arena, const struct fw_instruction *instruction);

/* What one instruction becomes when nothing around it is known.  `result` lives in the arena.
 * Sources: data/lowering/sm_*.txt.  Capabilities between columns take the lower one's, those before
 * the first the first's: 75 is answered as 70, 86 and 89 as 80, 100 and 120 as 90. */
void fw_lowering_expand(struct fw_lowered *result, struct fw_arena *arena,
                        const struct fw_instruction *instruction, uint32_t capability);

/* Lowers a function in SSA form (passes cfg, dominators, loops, ssa) for a compute capability (90
 * for sm_90).  `*result` lives in the arena.  FW_ERROR_USAGE: the function has no SSA form. */
enum fw_status fw_lower(struct fw_lowering **result, struct fw_arena *arena,
                        const struct fw_function *function, uint32_t capability);

#endif
