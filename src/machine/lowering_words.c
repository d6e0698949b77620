/* lowering, fourth part: 64-bit integers as two words, and words of larger numbers.
 *
 * A word that is known to be zero takes no operation: the upper one of what was widened without a
 * sign, of a small literal, behind a shift to the right by 32 or more; the lower one behind a shift
 * to the left by 32 or more.  So `(u64)high << 32 | low` is a pair of registers and nothing else,
 * and a choice between 1 and 0 is one choice.  Shifted to the right by 32 with its sign, the upper
 * word is the sum's own in which it ends.
 * A rotation, a shift to the left and one to the right by what is left of 64 bits, is two funnel
 * shifts whether a sum or logic puts it together; one by 32 renames the words.
 * Products that keep both halves are one operation: mul.lo and mul.hi of the same factors near each
 * other, mad.lo.cc with the madc.hi that follows.  Other multiply-adds with carries are a product,
 * and a sum that takes the carry: the machine's products take none but in pairs.
 * Kernels of data/lowering/words.cu. */
#include "lowering_internal.h"

enum { LOWER = 1, UPPER = 2, DEPTH = 8, NEAR = 16 };

static const struct fw_instruction *instruction(const struct lowering *work, uint32_t i)
{
    return &work->function->instructions[i];
}

static bool is_integer(const struct fw_instruction *at, unsigned type, unsigned bits)
{
    char class = type < at->type_count ? fw_type_class((enum fw_type)at->types[type]) : 0;
    return (class == 's' || class == 'u' || class == 'b') &&
           fw_type_bits((enum fw_type)at->types[type]) == bits;
}

static bool is_logic(const struct fw_instruction *at)
{
    return (at->opcode == FW_OP_AND || at->opcode == FW_OP_OR || at->opcode == FW_OP_XOR) &&
           at->operand_count == 3 && is_integer(at, 0, 64);
}

static bool literal_of(const struct fw_operand *operand, uint64_t *bits)
{
    *bits = operand->negated ? 0 - (uint64_t)operand->immediate : (uint64_t)operand->immediate;
    return operand->kind == FW_OPERAND_INTEGER;
}

/* The unguarded instruction, in whichever block, that makes a register; NULL: there is none. */
static const struct fw_instruction *maker(const struct lowering *work,
                                          const struct fw_operand *operand, uint32_t *index)
{
    if (operand->kind != FW_OPERAND_REGISTER || operand->value == FW_NO_INDEX || operand->negated)
        return NULL;
    const struct fw_value *value =
        &work->function->values[fw_lowering_origin(work, operand->value)];
    if (value->kind != FW_VALUE_INSTRUCTION)
        return NULL;
    *index = value->definition;
    const struct fw_instruction *at = instruction(work, *index);
    return at->guard == FW_NO_INDEX && at->destinations == 1 ? at : NULL;
}

/* Shifts of 64 bits by a literal; 0: it is none. */
static uint64_t shift_of(const struct fw_instruction *at)
{
    uint64_t by = 0;
    bool shifts = (at->opcode == FW_OP_SHL || at->opcode == FW_OP_SHR) && at->operand_count == 3 &&
                  is_integer(at, 0, 64) && literal_of(&at->operands[2], &by);
    return shifts && by < 64 ? by : 0;
}

/* Which words of an operand of 64 bits are zero, whatever data are. */
static unsigned zero_words(const struct lowering *work, const struct fw_operand *operand,
                           unsigned depth)
{
    uint32_t index;
    uint64_t bits;
    if (literal_of(operand, &bits))
        return ((uint32_t)bits ? 0 : LOWER) | (bits >> 32 ? 0 : UPPER);
    const struct fw_instruction *at = depth < DEPTH ? maker(work, operand, &index) : NULL;
    if (!at)
        return 0;
    switch (at->opcode) {
    case FW_OP_MOV:
        return at->operand_count == 2 ? zero_words(work, &at->operands[1], depth + 1) : 0;
    case FW_OP_CVT:
        return is_integer(at, 0, 64) && at->type_count > 1 &&
                       fw_type_class((enum fw_type)at->types[1]) == 'u' &&
                       fw_type_bits((enum fw_type)at->types[1]) <= 32
                   ? UPPER
                   : 0;
    case FW_OP_LD: /* into a register of 64 bits */
        return at->vector <= 1 && fw_type_bits((enum fw_type)at->types[0]) <= 32 &&
                       (fw_type_class((enum fw_type)at->types[0]) == 'u' ||
                        fw_type_class((enum fw_type)at->types[0]) == 'b')
                   ? UPPER
                   : 0;
    case FW_OP_SHL:
        return shift_of(at) >= 32 ? LOWER : 0;
    case FW_OP_SHR:
        return fw_type_class((enum fw_type)at->types[0]) == 's' ? 0
               : shift_of(at) >= 32                             ? UPPER
               : shift_of(at) ? zero_words(work, &at->operands[1], depth + 1) & UPPER
                              : 0;
    case FW_OP_SELP:
        return is_integer(at, 0, 64) ? zero_words(work, &at->operands[1], depth + 1) &
                                           zero_words(work, &at->operands[2], depth + 1)
                                     : 0;
    case FW_OP_AND:
    case FW_OP_OR:
    case FW_OP_XOR: {
        if (!is_logic(at))
            return 0;
        unsigned first = zero_words(work, &at->operands[1], depth + 1);
        unsigned second = zero_words(work, &at->operands[2], depth + 1);
        return at->opcode == FW_OP_AND ? first | second : first & second;
    }
    default:
        return 0;
    }
}

/* How many inputs logic has in one word, of those merged into it too; a word of ones changes
 * nothing that it is AND with.  0: the word is zero, or as it was. */
static unsigned inputs_of(const struct lowering *work, uint32_t i, unsigned word, bool *plain,
                          unsigned depth)
{
    const struct fw_instruction *at = instruction(work, i);
    unsigned count = 0;
    for (unsigned o = 1; o <= 2; o++) {
        uint32_t index = FW_NO_INDEX;
        uint64_t bits;
        const struct fw_operand *operand = &at->operands[o];
        const struct fw_instruction *source = maker(work, operand, &index);
        bool merged = source && !work->result->instructions[index].count &&
                      work->result->instructions[index].absorbed == i;
        merged = merged && (is_logic(source) || source->opcode == FW_OP_NOT);
        *plain = *plain && (!merged || (is_logic(source) && depth < DEPTH));
        if (zero_words(work, operand, 0) & word) {
            if (at->opcode == FW_OP_AND)
                return 0;
        } else if (at->opcode == FW_OP_AND && literal_of(operand, &bits) &&
                   (uint32_t)(word == UPPER ? bits >> 32 : bits) == UINT32_MAX) {
            continue;
        } else {
            count += merged && *plain ? inputs_of(work, index, word, plain, depth + 1) : 1;
        }
    }
    return count;
}

static void relist(struct lowering *work, uint32_t i, const char *name, unsigned count)
{
    static const char *const texts[][3] = {{"", "LOP3", "LOP3*2"},
                                           {"", "SEL", "SEL*2"},
                                           {"", "SHF", "SHF*2"},
                                           {"", "IADD3", "IADD3*2"}};
    for (unsigned t = 0; t < sizeof(texts) / sizeof(texts[0]); t++)
        if (texts[t][1][0] == name[0] && texts[t][1][1] == name[1])
            fw_lowering_list(&work->result->instructions[i], work->arena, texts[t][count]);
}

static void words_of_logic(struct lowering *work, uint32_t i)
{
    bool plain = true;
    unsigned lower = inputs_of(work, i, LOWER, &plain, 0);
    unsigned upper = inputs_of(work, i, UPPER, &plain, 0);
    if (plain && (lower < 2 || upper < 2))
        relist(work, i, "LOP3", (lower > 1 ? 1U : 0U) + (upper > 1 ? 1U : 0U));
}

/* One choice does for two words that are alike. */
static void words_of_choice(struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    uint64_t one, other;
    bool literals = literal_of(&at->operands[1], &one) && literal_of(&at->operands[2], &other);
    if (literals) {
        bool lower = (uint32_t)one != (uint32_t)other, upper = one >> 32 != other >> 32;
        bool alike = one >> 32 == (uint32_t)one && other >> 32 == (uint32_t)other;
        relist(work, i, "SEL", alike ? 1U : (lower ? 1U : 0U) + (upper ? 1U : 0U));
        return;
    }
    unsigned zero = zero_words(work, &at->operands[1], 0) & zero_words(work, &at->operands[2], 0);
    relist(work, i, "SEL", (zero & LOWER ? 0U : 1U) + (zero & UPPER ? 0U : 1U));
}

static void words_of_shift(struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    uint64_t by = shift_of(at);
    bool keeps_sign = at->opcode == FW_OP_SHR && fw_type_class((enum fw_type)at->types[0]) == 's';
    if (by >= 32)
        relist(work, i, "SHF", (by > 32 ? 1U : 0U) + (keeps_sign ? 1U : 0U));
    else if (by && at->opcode == FW_OP_SHR && !keeps_sign &&
             zero_words(work, &at->operands[1], 0) & UPPER)
        relist(work, i, "SHF", 1);
}

/* The upper word shifted into the lower one, which a sum alone reads: LEA.HI takes it, and the
 * sum's upper word the carry.  So does a quotient by a power of two, whose rounding adds the sign's
 * bits.
 */
static bool takes_upper(struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    for (unsigned o = 1; o <= 2; o++) {
        uint32_t source = fw_lowering_source(work, i, &at->operands[o]);
        const struct fw_instruction *shift =
            source == FW_NO_INDEX ? NULL : instruction(work, source);
        if (!shift || shift->opcode != FW_OP_SHR || shift_of(shift) <= 32 || work->taken[source] ||
            fw_type_class((enum fw_type)shift->types[0]) == 's' ||
            fw_lowering_use_count(work, shift->operands[0].value) != 1)
            continue;
        fw_lowering_absorb(work, source, i);
        fw_lowering_list(&work->result->instructions[i], work->arena, "LEA IADD3");
        const uint32_t sign = fw_lowering_source(work, source, &shift->operands[1]);
        if (sign != FW_NO_INDEX && instruction(work, sign)->opcode == FW_OP_SHR &&
            shift_of(instruction(work, sign)) == 63 &&
            fw_lowering_use_count(work, shift->operands[1].value) == 1)
            fw_lowering_list(&work->result->instructions[sign], work->arena, "SHF");
        return true;
    }
    return false;
}

/* Sums with 0, as the begin of local memory has them, stay what they are counted as. */
static void words_of_sum(struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    if (takes_upper(work, i))
        return;
    unsigned first = zero_words(work, &at->operands[1], 0);
    unsigned second = zero_words(work, &at->operands[2], 0);
    bool moves = first == (LOWER | UPPER) || second == (LOWER | UPPER);
    if (!moves && (first | second) & LOWER) /* nothing is carried */
        relist(work, i, "IADD3", !((first | second) & UPPER));
}

/* The upper word with its sign, which a sum alone reads: LEA.HI.X.SX32 takes both words of it, and
 * the carry of the lower ones' sum. */
static bool takes_signed_upper(struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    for (unsigned o = 1; o <= 2; o++) {
        uint32_t source = fw_lowering_source(work, i, &at->operands[o]);
        const struct fw_instruction *shift =
            source == FW_NO_INDEX ? NULL : instruction(work, source);
        if (!shift || shift->opcode != FW_OP_SHR || shift_of(shift) != 32 || work->taken[source] ||
            fw_type_class((enum fw_type)shift->types[0]) != 's' ||
            fw_lowering_use_count(work, shift->operands[0].value) != 1)
            continue;
        fw_lowering_absorb(work, source, i);
        fw_lowering_list(&work->result->instructions[i], work->arena, "IADD3 LEA");
        return true;
    }
    return false;
}

/* A field that ends with the upper word needs no mask; the upper word as a whole is a register. */
static void words_of_insertion(struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    uint64_t from, length;
    if (at->operand_count != 5 || !literal_of(&at->operands[3], &from) ||
        !literal_of(&at->operands[4], &length) || from + length != 64)
        return;
    fw_lowering_list(&work->result->instructions[i], work->arena, from == 32 ? "" : "LOP3*2 SHF*2");
}

/* The zero word of a number that is widened: the operations here know it, and read no register. */
static void words_of_widening(struct lowering *work, uint32_t i, uint32_t value)
{
    uint32_t count = fw_lowering_use_count(work, value);
    for (uint32_t u = 0; u < count; u++) {
        uint32_t user = fw_lowering_use(work, value, u);
        const struct fw_instruction *at = user == FW_NO_INDEX ? NULL : instruction(work, user);
        bool knows = at && is_integer(at, 0, 64) &&
                     (is_logic(at) || shift_of(at) || at->opcode == FW_OP_ADD ||
                      at->opcode == FW_OP_SUB || at->opcode == FW_OP_BFI);
        if (!knows)
            return;
    }
    if (count)
        fw_lowering_list(&work->result->instructions[i], work->arena, "");
}

/* Whether an instruction issues `count` of one operation, and nothing else. */
static bool issues(const struct lowering *work, uint32_t i, enum fw_machine operation,
                   unsigned count)
{
    const struct fw_lowered *lowered = &work->result->instructions[i];
    return lowered->count == 1 && lowered->at[0].operation == (uint8_t)operation &&
           lowered->at[0].count == count;
}

static void words(struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    uint32_t value = fw_lowering_value(work, i);
    if (!is_integer(at, 0, 64) || value == FW_NO_INDEX)
        return;
    if (is_logic(at) && issues(work, i, FW_MACHINE_LOP3, 2))
        words_of_logic(work, i);
    else if (at->opcode == FW_OP_SELP && issues(work, i, FW_MACHINE_SEL, 2))
        words_of_choice(work, i);
    else if (shift_of(at) && issues(work, i, FW_MACHINE_SHF, 2))
        words_of_shift(work, i);
    else if (at->opcode == FW_OP_ADD && at->operand_count == 3 && !work->taken[i] &&
             !(at->flags & FW_FLAG_CARRY_OUT) && issues(work, i, FW_MACHINE_IADD3, 2) &&
             !takes_signed_upper(work, i))
        words_of_sum(work, i);
    else if (at->opcode == FW_OP_CVT && issues(work, i, FW_MACHINE_MOV, 1))
        words_of_widening(work, i, value);
    else if (at->opcode == FW_OP_BFI)
        words_of_insertion(work, i);
}

/* ---- rotations ---- */

/* The shift by `opcode` that an operand is alone to read, in the same block; NULL: it is none. */
static const struct fw_instruction *shifted(const struct lowering *work, uint32_t user,
                                            const struct fw_operand *operand, enum fw_opcode opcode,
                                            uint32_t *index)
{
    const struct fw_instruction *at = maker(work, operand, index);
    return at && at->opcode == opcode && shift_of(at) && !work->taken[*index] &&
                   work->blocks[*index] == work->blocks[user] &&
                   at->operands[1].kind == FW_OPERAND_REGISTER &&
                   fw_lowering_use_count(work, at->operands[0].value) == 1 &&
                   fw_lowering_reads(operand, at->operands[0].value)
               ? at
               : NULL;
}

static void rotation(struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    bool joins = at->opcode == FW_OP_ADD || at->opcode == FW_OP_OR || at->opcode == FW_OP_XOR;
    if (!joins || at->operand_count != 3 || !is_integer(at, 0, 64) || work->taken[i] ||
        (at->flags & FW_FLAG_CARRY_OUT) || work->blocks[i] == FW_NO_INDEX)
        return;
    for (unsigned o = 1; o <= 2; o++) {
        uint32_t left, right;
        const struct fw_instruction *up = shifted(work, i, &at->operands[o], FW_OP_SHL, &left);
        const struct fw_instruction *down =
            up ? shifted(work, i, &at->operands[3 - o], FW_OP_SHR, &right) : NULL;
        if (!down || shift_of(up) + shift_of(down) != 64 ||
            fw_type_class((enum fw_type)down->types[0]) == 's' ||
            fw_lowering_origin(work, up->operands[1].value) !=
                fw_lowering_origin(work, down->operands[1].value))
            continue;
        fw_lowering_absorb(work, left, i);
        fw_lowering_absorb(work, right, i);
        fw_lowering_list(&work->result->instructions[i], work->arena,
                         shift_of(up) == 32 ? "" : "SHF*2");
        work->taken[i] = true;
        return;
    }
}

void fw_lowering_rotations(struct lowering *work)
{
    for (uint32_t i = 0; i < work->function->instruction_count; i++)
        rotation(work, i);
}

/* ---- products ---- */

static bool multiplies(const struct fw_instruction *at, const char *half)
{
    bool adds = at->opcode == FW_OP_MAD || at->opcode == FW_OP_MADC;
    return (at->opcode == FW_OP_MUL || adds) && at->operand_count == (adds ? 4 : 3) &&
           (is_integer(at, 0, 32)) && fw_instruction_has(at, half) && !(at->flags & FW_FLAG_SAT);
}

/* A literal of 32 bits, as it stands or moved to a register. */
static bool word_of(const struct lowering *work, const struct fw_operand *operand, uint32_t *word)
{
    uint32_t index;
    uint64_t bits;
    const struct fw_instruction *at = maker(work, operand, &index);
    if (at && at->opcode == FW_OP_MOV && at->operand_count == 2)
        operand = &at->operands[1];
    bool literal = literal_of(operand, &bits);
    *word = (uint32_t)bits;
    return literal;
}

static bool same_operand(const struct lowering *work, const struct fw_operand *a,
                         const struct fw_operand *b)
{
    uint32_t one, other;
    if (word_of(work, a, &one) && word_of(work, b, &other))
        return one == other;
    return a->kind == b->kind && a->negated == b->negated && a->kind == FW_OPERAND_REGISTER &&
           a->value != FW_NO_INDEX && b->value != FW_NO_INDEX &&
           fw_lowering_origin(work, a->value) == fw_lowering_origin(work, b->value);
}

static bool same_factors(const struct lowering *work, const struct fw_instruction *a,
                         const struct fw_instruction *b)
{
    const struct fw_operand *x = a->operands + 1, *y = b->operands + 1;
    return (same_operand(work, &x[0], &y[0]) && same_operand(work, &x[1], &y[1])) ||
           (same_operand(work, &x[0], &y[1]) && same_operand(work, &x[1], &y[0]));
}

static bool uses_carry(const struct fw_instruction *at)
{
    return (at->flags & FW_FLAG_CARRY_OUT) || at->opcode == FW_OP_ADDC ||
           at->opcode == FW_OP_SUBC || at->opcode == FW_OP_MADC;
}

static bool is_zero(const struct lowering *work, const struct fw_operand *operand)
{
    uint32_t word;
    return word_of(work, operand, &word) && word == 0;
}

/* The lower and the upper half of one product: `i`, and what follows near it. */
static void join_halves(struct lowering *work, uint32_t i, uint32_t end)
{
    const struct fw_instruction *at = instruction(work, i);
    const char *half = fw_instruction_has(at, "lo") ? "lo" : "hi";
    const char *other = half[0] == 'l' ? "hi" : "lo";
    if (at->opcode != FW_OP_MUL || !multiplies(at, half) || work->taken[i] ||
        fw_lowering_value(work, i) == FW_NO_INDEX)
        return;
    for (uint32_t j = i + 1; j < end && j <= i + NEAR; j++) {
        const struct fw_instruction *next = instruction(work, j);
        if (next->opcode != FW_OP_MUL || !multiplies(next, other) || work->taken[j] ||
            fw_lowering_value(work, j) == FW_NO_INDEX || !same_factors(work, at, next))
            continue;
        fw_lowering_list(&work->result->instructions[i], work->arena, "IMAD.WIDE");
        work->taken[i] = true;
        fw_lowering_absorb(work, j, i);
        return;
    }
}

/* A multiply-add that leaves a carry or takes one. */
static void carry_product(struct lowering *work, uint32_t i, uint32_t end)
{
    const struct fw_instruction *at = instruction(work, i);
    bool lower = multiplies(at, "lo");
    if ((at->opcode != FW_OP_MAD && at->opcode != FW_OP_MADC) || !uses_carry(at) ||
        work->taken[i] || (!lower && !multiplies(at, "hi")))
        return;
    uint32_t j = i + 1;
    while (j < end && !uses_carry(instruction(work, j)))
        j++;
    const struct fw_instruction *next = j < end ? instruction(work, j) : NULL;
    if (lower && next && next->opcode == FW_OP_MADC && multiplies(next, "hi") &&
        (at->flags & FW_FLAG_CARRY_OUT) && same_factors(work, at, next)) {
        /* The addends are a pair of registers, to which a zero is moved. */
        fw_lowering_list(&work->result->instructions[j], work->arena,
                         is_zero(work, &next->operands[3]) ? "IMAD.WIDE MOV" : "IMAD.WIDE");
        work->taken[j] = true;
        fw_lowering_absorb(work, i, j);
        return;
    }
    bool sums = !is_zero(work, &at->operands[3]) || at->opcode == FW_OP_MADC;
    const char *alone = lower ? "IMAD" : "IMAD.HI",
               *summed = lower ? "IMAD IADD3" : "IMAD.HI IADD3";
    fw_lowering_list(&work->result->instructions[i], work->arena, sums ? summed : alone);
    work->taken[i] = true;
}

void fw_lowering_words(struct lowering *work)
{
    const struct fw_function *function = work->function;
    for (uint32_t o = 0; o < function->order_count; o++) {
        const struct fw_block *block = &function->blocks[function->order[o]];
        for (uint32_t i = block->first; i < block->end; i++) {
            words(work, i);
            join_halves(work, i, block->end);
            carry_product(work, i, block->end);
        }
    }
}
