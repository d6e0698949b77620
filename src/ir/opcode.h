/* PTX opcodes: one table.  A row is a mnemonic up to its first dot; what follows is modifiers.
 *
 * X(name, text, destinations, group)
 *   destinations: how many leading operands are written (a vector or a p|q pair is one operand)
 *   group: the portable instruction group, as gpu-mangrove groups PTX (Braun et al., "A Simple
 * Model for Portable and Fast Prediction of Execution Time and Power Consumption of GPU Kernels"):
 *     special  sqrt, rsqrt, sin, cos, lg2, ex2 (and tanh)
 *     logic    and, or, xor, not, lop3, shf, shl, shr
 *     control  bra, call, ret, exit
 *     arithmetic  float, integer, mov, compare and select, cvt
 *     sync     bar and its kind
 *     memory   loads, stores, atomics, copies
 *     other    everything else
 */
#ifndef FW_OPCODE_H
#define FW_OPCODE_H

#define FW_OPCODES(X)                                                                              \
    X(OTHER, "", 0, OTHER) /* a mnemonic that this table does not know; its text is kept */        \
    X(ADD, "add", 1, ARITHMETIC)                                                                   \
    X(ADDC, "addc", 1, ARITHMETIC)                                                                 \
    X(SUB, "sub", 1, ARITHMETIC)                                                                   \
    X(SUBC, "subc", 1, ARITHMETIC)                                                                 \
    X(MUL, "mul", 1, ARITHMETIC)                                                                   \
    X(MUL24, "mul24", 1, ARITHMETIC)                                                               \
    X(MAD, "mad", 1, ARITHMETIC)                                                                   \
    X(MADC, "madc", 1, ARITHMETIC)                                                                 \
    X(MAD24, "mad24", 1, ARITHMETIC)                                                               \
    X(SAD, "sad", 1, ARITHMETIC)                                                                   \
    X(DIV, "div", 1, ARITHMETIC)                                                                   \
    X(REM, "rem", 1, ARITHMETIC)                                                                   \
    X(ABS, "abs", 1, ARITHMETIC)                                                                   \
    X(NEG, "neg", 1, ARITHMETIC)                                                                   \
    X(MIN, "min", 1, ARITHMETIC)                                                                   \
    X(MAX, "max", 1, ARITHMETIC)                                                                   \
    X(POPC, "popc", 1, ARITHMETIC)                                                                 \
    X(CLZ, "clz", 1, ARITHMETIC)                                                                   \
    X(BFIND, "bfind", 1, ARITHMETIC)                                                               \
    X(FNS, "fns", 1, ARITHMETIC)                                                                   \
    X(BREV, "brev", 1, ARITHMETIC)                                                                 \
    X(BFE, "bfe", 1, ARITHMETIC)                                                                   \
    X(BFI, "bfi", 1, ARITHMETIC)                                                                   \
    X(BMSK, "bmsk", 1, ARITHMETIC)                                                                 \
    X(SZEXT, "szext", 1, ARITHMETIC)                                                               \
    X(DP4A, "dp4a", 1, ARITHMETIC)                                                                 \
    X(DP2A, "dp2a", 1, ARITHMETIC)                                                                 \
    X(TESTP, "testp", 1, ARITHMETIC)                                                               \
    X(COPYSIGN, "copysign", 1, ARITHMETIC)                                                         \
    X(FMA, "fma", 1, ARITHMETIC)                                                                   \
    X(RCP, "rcp", 1, ARITHMETIC)                                                                   \
    X(SQRT, "sqrt", 1, SPECIAL)                                                                    \
    X(RSQRT, "rsqrt", 1, SPECIAL)                                                                  \
    X(SIN, "sin", 1, SPECIAL)                                                                      \
    X(COS, "cos", 1, SPECIAL)                                                                      \
    X(LG2, "lg2", 1, SPECIAL)                                                                      \
    X(EX2, "ex2", 1, SPECIAL)                                                                      \
    X(TANH, "tanh", 1, SPECIAL)                                                                    \
    X(SET, "set", 1, ARITHMETIC)                                                                   \
    X(SETP, "setp", 1, ARITHMETIC)                                                                 \
    X(SELP, "selp", 1, ARITHMETIC)                                                                 \
    X(SLCT, "slct", 1, ARITHMETIC)                                                                 \
    X(AND, "and", 1, LOGIC)                                                                        \
    X(OR, "or", 1, LOGIC)                                                                          \
    X(XOR, "xor", 1, LOGIC)                                                                        \
    X(NOT, "not", 1, LOGIC)                                                                        \
    X(CNOT, "cnot", 1, LOGIC)                                                                      \
    X(LOP3, "lop3", 1, LOGIC)                                                                      \
    X(SHF, "shf", 1, LOGIC)                                                                        \
    X(SHL, "shl", 1, LOGIC)                                                                        \
    X(SHR, "shr", 1, LOGIC)                                                                        \
    X(MOV, "mov", 1, ARITHMETIC)                                                                   \
    X(CVT, "cvt", 1, ARITHMETIC)                                                                   \
    X(CVTA, "cvta", 1, ARITHMETIC)                                                                 \
    X(PRMT, "prmt", 1, ARITHMETIC)                                                                 \
    X(ISSPACEP, "isspacep", 1, ARITHMETIC)                                                         \
    X(ISTYPEP, "istypep", 1, ARITHMETIC)                                                           \
    X(MAPA, "mapa", 1, ARITHMETIC)                                                                 \
    X(GETCTARANK, "getctarank", 1, ARITHMETIC)                                                     \
    X(VADD, "vadd", 1, ARITHMETIC)                                                                 \
    X(VSUB, "vsub", 1, ARITHMETIC)                                                                 \
    X(VABSDIFF, "vabsdiff", 1, ARITHMETIC)                                                         \
    X(VMIN, "vmin", 1, ARITHMETIC)                                                                 \
    X(VMAX, "vmax", 1, ARITHMETIC)                                                                 \
    X(VSHL, "vshl", 1, ARITHMETIC)                                                                 \
    X(VSHR, "vshr", 1, ARITHMETIC)                                                                 \
    X(VMAD, "vmad", 1, ARITHMETIC)                                                                 \
    X(VSET, "vset", 1, ARITHMETIC)                                                                 \
    X(VADD2, "vadd2", 1, ARITHMETIC)                                                               \
    X(VSUB2, "vsub2", 1, ARITHMETIC)                                                               \
    X(VAVRG2, "vavrg2", 1, ARITHMETIC)                                                             \
    X(VABSDIFF2, "vabsdiff2", 1, ARITHMETIC)                                                       \
    X(VMIN2, "vmin2", 1, ARITHMETIC)                                                               \
    X(VMAX2, "vmax2", 1, ARITHMETIC)                                                               \
    X(VSET2, "vset2", 1, ARITHMETIC)                                                               \
    X(VADD4, "vadd4", 1, ARITHMETIC)                                                               \
    X(VSUB4, "vsub4", 1, ARITHMETIC)                                                               \
    X(VAVRG4, "vavrg4", 1, ARITHMETIC)                                                             \
    X(VABSDIFF4, "vabsdiff4", 1, ARITHMETIC)                                                       \
    X(VMIN4, "vmin4", 1, ARITHMETIC)                                                               \
    X(VMAX4, "vmax4", 1, ARITHMETIC)                                                               \
    X(VSET4, "vset4", 1, ARITHMETIC)                                                               \
    X(LD, "ld", 1, MEMORY)                                                                         \
    X(LDU, "ldu", 1, MEMORY)                                                                       \
    X(ST, "st", 0, MEMORY)                                                                         \
    X(ATOM, "atom", 1, MEMORY)                                                                     \
    X(RED, "red", 0, MEMORY)                                                                       \
    X(MULTIMEM, "multimem", 1, MEMORY) /* .st and .red write nothing: see the parser */            \
    X(PREFETCH, "prefetch", 0, MEMORY)                                                             \
    X(PREFETCHU, "prefetchu", 0, MEMORY)                                                           \
    X(APPLYPRIORITY, "applypriority", 0, MEMORY)                                                   \
    X(DISCARD, "discard", 0, MEMORY)                                                               \
    X(CREATEPOLICY, "createpolicy", 1, OTHER)                                                      \
    X(CP, "cp", 0, MEMORY)                                                                         \
    X(LDMATRIX, "ldmatrix", 1, MEMORY)                                                             \
    X(STMATRIX, "stmatrix", 0, MEMORY)                                                             \
    X(MOVMATRIX, "movmatrix", 1, OTHER)                                                            \
    X(TEX, "tex", 1, MEMORY)                                                                       \
    X(TLD4, "tld4", 1, MEMORY)                                                                     \
    X(TXQ, "txq", 1, OTHER)                                                                        \
    X(SULD, "suld", 1, MEMORY)                                                                     \
    X(SUST, "sust", 0, MEMORY)                                                                     \
    X(SURED, "sured", 0, MEMORY)                                                                   \
    X(SUQ, "suq", 1, OTHER)                                                                        \
    X(BRA, "bra", 0, CONTROL)                                                                      \
    X(BRX, "brx", 0, CONTROL)                                                                      \
    X(CALL, "call", 1, CONTROL) /* operands: (results), callee, (arguments) */                     \
    X(RET, "ret", 0, CONTROL)                                                                      \
    X(EXIT, "exit", 0, CONTROL)                                                                    \
    X(TRAP, "trap", 0, CONTROL)                                                                    \
    X(BRKPT, "brkpt", 0, OTHER)                                                                    \
    X(BAR, "bar", 0, SYNC) /* bar.red writes one: see the parser */                                \
    X(BARRIER, "barrier", 0, SYNC)                                                                 \
    X(MEMBAR, "membar", 0, SYNC)                                                                   \
    X(FENCE, "fence", 0, SYNC)                                                                     \
    X(MBARRIER, "mbarrier", 0, SYNC) /* destinations by sub-operation: see the parser */           \
    X(GRIDDEPCONTROL, "griddepcontrol", 0, SYNC)                                                   \
    X(SHFL, "shfl", 1, OTHER)                                                                      \
    X(VOTE, "vote", 1, OTHER)                                                                      \
    X(MATCH, "match", 1, OTHER)                                                                    \
    X(ACTIVEMASK, "activemask", 1, OTHER)                                                          \
    X(REDUX, "redux", 1, OTHER)                                                                    \
    X(ELECT, "elect", 1, OTHER)                                                                    \
    X(WMMA, "wmma", 1, OTHER) /* .load, .store, .mma: see the parser */                            \
    X(MMA, "mma", 1, OTHER)                                                                        \
    X(WGMMA, "wgmma", 0, OTHER) /* .mma_async writes its first operand */                          \
    X(TCGEN05, "tcgen05", 0, OTHER)                                                                \
    X(TENSORMAP, "tensormap", 0, OTHER)                                                            \
    X(CLUSTERLAUNCHCONTROL, "clusterlaunchcontrol", 0, OTHER)                                      \
    X(SETMAXNREG, "setmaxnreg", 0, OTHER)                                                          \
    X(STACKSAVE, "stacksave", 1, OTHER)                                                            \
    X(STACKRESTORE, "stackrestore", 0, OTHER)                                                      \
    X(ALLOCA, "alloca", 1, OTHER)                                                                  \
    X(NANOSLEEP, "nanosleep", 0, OTHER)                                                            \
    X(PMEVENT, "pmevent", 0, OTHER)

enum fw_opcode {
#define X(name, text, destinations, group) FW_OP_##name,
    FW_OPCODES(X)
#undef X
        FW_OP_COUNT
};

/* "fma"; "" for FW_OP_OTHER. */
const char *fw_opcode_text(enum fw_opcode opcode);

/* Leading operands that are written, before what sub-operations change. */
unsigned fw_opcode_destinations(enum fw_opcode opcode);

/* The portable instruction group: enum fw_group of kernel/operation.h. */
unsigned fw_opcode_group(enum fw_opcode opcode);

#endif
