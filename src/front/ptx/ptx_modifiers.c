/* What modifiers mean: one table.  All modifiers are kept as text in the instruction, in order;
 * this file adds what ir.h has a field for.  A modifier outside the table (cache hints, shapes,
 * scopes, completion mechanisms, what newer devices add) is text alone.
 *
 * The meaning of a text is stored as the value of its entry in the module's strings: the opcode in
 * the upper half, the row of the modifier table + 1 in the lower, so that one look-up interns and
 * explains it. */
#include "ptx_internal.h"

#include <string.h>

enum modifier_class {
    CLASS_FLAG,
    CLASS_SPACE,
    CLASS_VECTOR,
    CLASS_ROUNDING,
    CLASS_COMPARE,
    CLASS_MODE,
    CLASS_TYPE
};

/* X(text, class, value) */
#define MODIFIERS(X)                                                                               \
    X("ftz", FLAG, FW_FLAG_FTZ)                                                                    \
    X("sat", FLAG, FW_FLAG_SAT)                                                                    \
    X("approx", FLAG, FW_FLAG_APPROX)                                                              \
    X("full", FLAG, FW_FLAG_FULL)                                                                  \
    X("volatile", FLAG, FW_FLAG_VOLATILE)                                                          \
    X("cc", FLAG, FW_FLAG_CARRY_OUT)                                                               \
    X("sync", FLAG, FW_FLAG_SYNC)                                                                  \
    X("aligned", FLAG, FW_FLAG_ALIGNED)                                                            \
    X("nc", FLAG, FW_FLAG_NONCOHERENT)                                                             \
    X("clamp", FLAG, FW_FLAG_CLAMP)                                                                \
    X("wrap", FLAG, FW_FLAG_WRAP)                                                                  \
    X("to", FLAG, FW_FLAG_TO)                                                                      \
    X("async", FLAG, FW_FLAG_ASYNC)                                                                \
    X("mma_async", FLAG, FW_FLAG_ASYNC | FW_FLAG_ACCUMULATES)                                      \
    X("NaN", FLAG, FW_FLAG_NAN)                                                                    \
    X("relu", FLAG, FW_FLAG_RELU)                                                                  \
    X("abs", FLAG, FW_FLAG_ABS)                                                                    \
    X("shiftamt", FLAG, FW_FLAG_SHIFTAMT)                                                          \
    X("const", SPACE, FW_SPACE_CONST)                                                              \
    X("global", SPACE, FW_SPACE_GLOBAL)                                                            \
    X("local", SPACE, FW_SPACE_LOCAL)                                                              \
    X("param", SPACE, FW_SPACE_PARAM)                                                              \
    X("param::entry", SPACE, FW_SPACE_PARAM)                                                       \
    X("param::func", SPACE, FW_SPACE_PARAM)                                                        \
    X("shared", SPACE, FW_SPACE_SHARED)                                                            \
    X("shared::cta", SPACE, FW_SPACE_SHARED)                                                       \
    X("shared::cluster", SPACE, FW_SPACE_SHARED)                                                   \
    X("tex", SPACE, FW_SPACE_TEX)                                                                  \
    X("v2", VECTOR, 2)                                                                             \
    X("v4", VECTOR, 4)                                                                             \
    X("v8", VECTOR, 8)                                                                             \
    X("rn", ROUNDING, FW_ROUND_RN)                                                                 \
    X("rz", ROUNDING, FW_ROUND_RZ)                                                                 \
    X("rm", ROUNDING, FW_ROUND_RM)                                                                 \
    X("rp", ROUNDING, FW_ROUND_RP)                                                                 \
    X("rni", ROUNDING, FW_ROUND_RNI)                                                               \
    X("rzi", ROUNDING, FW_ROUND_RZI)                                                               \
    X("rmi", ROUNDING, FW_ROUND_RMI)                                                               \
    X("rpi", ROUNDING, FW_ROUND_RPI)                                                               \
    X("rna", ROUNDING, FW_ROUND_RNA)                                                               \
    X("rs", ROUNDING, FW_ROUND_RS)                                                                 \
    X("eq", COMPARE, FW_CMP_EQ)                                                                    \
    X("ne", COMPARE, FW_CMP_NE)                                                                    \
    X("lt", COMPARE, FW_CMP_LT)                                                                    \
    X("le", COMPARE, FW_CMP_LE)                                                                    \
    X("gt", COMPARE, FW_CMP_GT)                                                                    \
    X("ge", COMPARE, FW_CMP_GE)                                                                    \
    X("ls", COMPARE, FW_CMP_LS)                                                                    \
    X("hs", COMPARE, FW_CMP_HS)                                                                    \
    X("equ", COMPARE, FW_CMP_EQU)                                                                  \
    X("neu", COMPARE, FW_CMP_NEU)                                                                  \
    X("ltu", COMPARE, FW_CMP_LTU)                                                                  \
    X("leu", COMPARE, FW_CMP_LEU)                                                                  \
    X("gtu", COMPARE, FW_CMP_GTU)                                                                  \
    X("geu", COMPARE, FW_CMP_GEU)                                                                  \
    X("num", COMPARE, FW_CMP_NUM)                                                                  \
    X("nan", COMPARE, FW_CMP_NAN)

/* The table: the rows above, then FW_MODES, then FW_TYPES.  "lo" and "hi" are modes here and
 * comparisons for the opcodes that compare. */
static const struct {
    const char *text;
    uint8_t class;
    uint32_t value;
} rows[] = {
#define X(text, class, value) {text, CLASS_##class, value},
    MODIFIERS(X)
#undef X
#define X(name, text) {text, CLASS_MODE, FW_MODE_##name},
        FW_MODES(X)
#undef X
#define X(name, text, bits, class) {text, CLASS_TYPE, FW_TYPE_##name},
            FW_TYPES(X)
#undef X
};

enum { ROWS = sizeof(rows) / sizeof(*rows), LOWER = 0xffff, REPORTED = 0x8000 };

void ptx_modifiers_seed(struct ptx_reader *reader)
{
    struct fw_map *strings = &reader->module->strings;
    for (uint32_t i = 0; i < ROWS; i++) {
        struct fw_map_entry *entry;
        if (!rows[i].text[0])
            continue;
        entry = fw_map_add(strings, rows[i].text, strlen(rows[i].text), NULL);
        if (!entry->value)
            entry->value = i + 1;
    }
    for (uint32_t i = 1; i < FW_OP_COUNT; i++) {
        const char *text = fw_opcode_text((enum fw_opcode)i);
        fw_map_add(strings, text, strlen(text), NULL)->value |= i << 16;
    }
    for (uint32_t i = 0; i < FW_SREG_RESERVED; i++) {
        static const char *const names[] = {
#define X(name, text) text,
            FW_SPECIALS(X)
#undef X
        };
        fw_map_add(&reader->specials, names[i], strlen(names[i]), NULL)->value = i;
    }
}

static bool compares(unsigned opcode)
{
    return opcode == FW_OP_SET || opcode == FW_OP_SETP || opcode == FW_OP_VSET ||
           opcode == FW_OP_VSET2 || opcode == FW_OP_VSET4;
}

/* Modes whose text means something only with one opcode. */
static void apply_mode(struct fw_instruction *instruction, uint32_t mode)
{
    unsigned opcode = instruction->opcode;
    if (compares(opcode) && (mode == FW_MODE_LO || mode == FW_MODE_HI)) {
        instruction->compare = mode == FW_MODE_LO ? FW_CMP_LO : FW_CMP_HI;
        return;
    }
    if (mode == FW_MODE_UNI && opcode != FW_OP_VOTE) {
        instruction->flags |= FW_FLAG_UNIFORM;
        return;
    }
    if ((mode == FW_MODE_L || mode == FW_MODE_R) && opcode != FW_OP_SHF)
        return;
    if (instruction->mode == FW_MODE_NONE)
        instruction->mode = (uint8_t)mode;
}

static void apply(struct fw_instruction *instruction, uint32_t row)
{
    uint32_t value = rows[row].value;
    switch (rows[row].class) {
    case CLASS_FLAG:
        instruction->flags |= value;
        break;
    case CLASS_SPACE:
        /* copies name the space that they write first, then the one that they read */
        if (instruction->space == FW_SPACE_NONE)
            instruction->space = (uint8_t)value;
        else if (instruction->source_space == FW_SPACE_NONE)
            instruction->source_space = (uint8_t)value;
        break;
    case CLASS_VECTOR:
        instruction->vector = (uint8_t)value;
        break;
    case CLASS_ROUNDING:
        instruction->rounding = (uint8_t)value;
        break;
    case CLASS_COMPARE:
        if (compares(instruction->opcode))
            instruction->compare = (uint8_t)value;
        break;
    case CLASS_MODE:
        apply_mode(instruction, value);
        break;
    default:
        /* block-scaled mma has five types; the fifth is in the modifiers alone */
        if (instruction->type_count < 4)
            instruction->types[instruction->type_count++] = (uint8_t)value;
        break;
    }
}

/* Instructions that mean generic addresses when no space is written. */
static bool generic_by_default(const struct fw_instruction *instruction)
{
    switch (instruction->opcode) {
    case FW_OP_LD:
    case FW_OP_LDU:
    case FW_OP_ST:
    case FW_OP_ATOM:
    case FW_OP_RED:
    case FW_OP_MULTIMEM:
    case FW_OP_PREFETCH:
    case FW_OP_PREFETCHU:
    case FW_OP_LDMATRIX:
    case FW_OP_STMATRIX:
    case FW_OP_MBARRIER:
        return true;
    case FW_OP_WMMA:
        return fw_instruction_has(instruction, "load") || fw_instruction_has(instruction, "store");
    default:
        return false;
    }
}

static bool has_prefix(const struct fw_instruction *instruction, const char *prefix)
{
    for (unsigned i = 0; i < instruction->modifier_count; i++)
        if (strncmp(instruction->modifiers[i], prefix, strlen(prefix)) == 0)
            return true;
    return false;
}

/* Mnemonics whose sub-operation decides how many operands they write.  For an opcode outside the
 * table nothing is guessed: it writes none, and the warning says so. */
static void find_destinations(struct ptx_mnemonic *mnemonic)
{
    struct fw_instruction *instruction = &mnemonic->instruction;
    instruction->destinations =
        (uint8_t)fw_opcode_destinations((enum fw_opcode)instruction->opcode);
    switch (instruction->opcode) {
    case FW_OP_BAR:
    case FW_OP_BARRIER:
        instruction->destinations = fw_instruction_has(instruction, "red");
        break;
    case FW_OP_MBARRIER: /* arrive may return a state, test_wait a predicate; init nothing */
    case FW_OP_MULTIMEM: /* ld_reduce writes; st, red and cp begin with the address */
        mnemonic->rule = DESTINATIONS_UNTIL_ADDRESS;
        break;
    case FW_OP_TCGEN05: /* ld, and ld.red, which returns the reduced value too */
        if (instruction->modifier_count && strcmp(instruction->modifiers[0], "ld") == 0)
            mnemonic->rule = DESTINATIONS_UNTIL_ADDRESS;
        break;
    case FW_OP_WMMA:
        instruction->destinations = !fw_instruction_has(instruction, "store");
        break;
    case FW_OP_WGMMA:
        instruction->destinations = fw_instruction_has(instruction, "mma_async");
        break;
    case FW_OP_CLUSTERLAUNCHCONTROL:
        instruction->destinations = has_prefix(instruction, "query_cancel");
        break;
    default:
        break;
    }
}

void ptx_modifiers_apply(struct ptx_reader *reader, struct ptx_mnemonic *mnemonic,
                         struct ptx_token name)
{
    struct fw_instruction *instruction = &mnemonic->instruction;
    struct fw_map *strings = &reader->module->strings;
    struct fw_map_entry *entry = fw_map_add(strings, ptx_text(reader, name), name.length, NULL);
    instruction->name = entry->key;
    instruction->opcode = (uint16_t)(entry->value >> 16 & ~(uint32_t)REPORTED);
    instruction->vector = 1;
    if (instruction->opcode == FW_OP_OTHER && !(entry->value >> 16)) {
        entry->value |= (uint32_t)REPORTED << 16;
        ptx_warning(reader, "PTX012", ptx_span(reader, name.offset, name.length),
                    "it is kept as it stands, and no operand is taken to be written",
                    "unknown opcode '%s'", instruction->name);
    }
    for (unsigned i = 0; i < instruction->modifier_count; i++) {
        const char *text = instruction->modifiers[i];
        uint32_t row = fw_map_find(strings, text, strlen(text))->value & LOWER;
        if (row)
            apply(instruction, row - 1);
    }
    if (instruction->space == FW_SPACE_NONE && generic_by_default(instruction))
        instruction->space = FW_SPACE_GENERIC;
    if (instruction->space == FW_SPACE_NONE &&
        (instruction->opcode == FW_OP_TEX || instruction->opcode == FW_OP_TLD4 ||
         instruction->opcode == FW_OP_SULD || instruction->opcode == FW_OP_SUST ||
         instruction->opcode == FW_OP_SURED))
        instruction->space = FW_SPACE_TEX;
    find_destinations(mnemonic);
}
