/* lowering, fourth part: what is never looked at, and what an operand's own field does.
 *
 * Of 64-bit integers whose upper words nobody reads only the lower words are computed: what is cut
 * to 32 bits, masked by 32 bits, shifted up by 32 or more (an index that is given its sign by two
 * shifts, as CuPy's places of arrays are), or an address of shared or local memory (those are 32
 * bits wide).  Conversions from 16-bit halves and from bytes of a word choose these themselves.  An
 * address of shared memory is a thread's register plus a scalar one: the array's base costs no sum.
 * Kernels x of data/lowering/idioms.cu. */
#include "lowering_internal.h"

enum { DEPTH = 12 };

static const struct fw_instruction *instruction(const struct lowering *work, uint32_t i)
{
    return &work->function->instructions[i];
}

static unsigned bits(const struct fw_instruction *at, unsigned type)
{
    return type < at->type_count ? fw_type_bits((enum fw_type)at->types[type]) : 0;
}

static bool is_float(const struct fw_instruction *at)
{
    return fw_type_class((enum fw_type)at->types[0]) == 'f';
}

static bool narrow_space(const struct fw_instruction *at)
{
    return at->space == FW_SPACE_SHARED || at->space == FW_SPACE_LOCAL;
}

static bool fits_word(const struct fw_operand *operand)
{
    return operand->kind == FW_OPERAND_INTEGER && operand->immediate >= 0 &&
           operand->immediate <= 0xffffffffLL;
}

/* Whether a shift makes the lower word of `value` the upper one, or a part of it: x << 32. */
static bool becomes_upper(const struct fw_instruction *at, uint32_t value)
{
    return bits(at, 0) == 64 && at->operand_count == 3 &&
           fw_lowering_reads(&at->operands[1], value) &&
           at->operands[2].kind == FW_OPERAND_INTEGER && at->operands[2].immediate >= 32;
}

static bool low_only(const struct lowering *work, uint32_t value, unsigned depth);

/* Whether `user` reads no more than the lower word of `value`. */
static bool reads_low(const struct lowering *work, const struct fw_instruction *user, uint32_t i,
                      uint32_t value, unsigned depth)
{
    uint32_t result = fw_lowering_value(work, i);
    switch (user->opcode) {
    case FW_OP_LD:
        return narrow_space(user);
    case FW_OP_ST: /* as an address, or stored in part */
        return user->operand_count == 2 &&
               (fw_lowering_reads(&user->operands[1], value) ? bits(user, 0) <= 32
                                                             : narrow_space(user));
    case FW_OP_CVT:
        return !is_float(user) && fw_type_class((enum fw_type)user->types[1]) != 'f' &&
               bits(user, 0) <= 32 && !(user->flags & FW_FLAG_SAT);
    case FW_OP_CVTA:
    case FW_OP_MOV:
        return result != FW_NO_INDEX && low_only(work, result, depth);
    case FW_OP_AND:
        return user->operand_count == 3 &&
               (fits_word(&user->operands[1]) || fits_word(&user->operands[2]) ||
                (result != FW_NO_INDEX && low_only(work, result, depth)));
    case FW_OP_SHL: /* by a shift, too: its lower word is more than enough */
        if (becomes_upper(user, value))
            return true;
        /* fall through */
    case FW_OP_ADD:
    case FW_OP_SUB:
    case FW_OP_OR:
    case FW_OP_XOR:
    case FW_OP_NOT:
    case FW_OP_NEG:
        return result != FW_NO_INDEX && !(user->flags & (FW_FLAG_CARRY_OUT | FW_FLAG_SAT)) &&
               low_only(work, result, depth);
    case FW_OP_MUL:
    case FW_OP_MAD:
        return result != FW_NO_INDEX && fw_instruction_has(user, "lo") &&
               low_only(work, result, depth);
    default:
        return false;
    }
}

static bool low_only(const struct lowering *work, uint32_t value, unsigned depth)
{
    uint32_t count = fw_lowering_use_count(work, value);
    for (uint32_t u = 0; u < count; u++) {
        uint32_t user = fw_lowering_use(work, value, u);
        if (user == FW_NO_INDEX || depth == DEPTH ||
            !reads_low(work, instruction(work, user), user, value, depth + 1))
            return false;
    }
    return count > 0;
}

/* The row for 32 bits in place of that for 64. */
static void narrow(struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    uint32_t value = fw_lowering_value(work, i);
    struct fw_lowered *lowered = &work->result->instructions[i];
    if (value == FW_NO_INDEX || bits(at, 0) != 64 || is_float(at) || lowered->count == 0)
        return;
    bool words =
        at->opcode == FW_OP_AND && (fits_word(&at->operands[1]) || fits_word(&at->operands[2]));
    if (!words && !low_only(work, value, 0))
        return;
    switch (at->opcode) {
    case FW_OP_ADD:
    case FW_OP_SUB:
    case FW_OP_NEG:
        fw_lowering_list(lowered, work->arena,
                         lowered->at[0].operation == FW_MACHINE_LEA ? "LEA" : "IADD3");
        break;
    case FW_OP_AND:
    case FW_OP_OR:
    case FW_OP_XOR:
    case FW_OP_NOT:
        fw_lowering_list(lowered, work->arena, "LOP3");
        break;
    case FW_OP_SHL:
        fw_lowering_list(lowered, work->arena, "SHF");
        break;
    case FW_OP_SHR: /* its lower word takes both of its operand's */
        if (lowered->count == 1 && lowered->at[0].operation == FW_MACHINE_SHF)
            fw_lowering_list(lowered, work->arena, "SHF");
        break;
    case FW_OP_MUL:
    case FW_OP_MAD:
        if (fw_instruction_has(at, "lo"))
            fw_lowering_list(lowered, work->arena, "IMAD");
        break;
    case FW_OP_CVT: /* the sign's word */
        if (bits(at, 1) == 32 && fw_type_class((enum fw_type)at->types[1]) != 'f')
            fw_lowering_list(lowered, work->arena, "");
        break;
    default:
        break;
    }
}

/* x & 0xffff, x >> 16 (or 0xff, 24) that only conversions to floats read. */
static void fold_half(struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    uint32_t value = fw_lowering_value(work, i);
    if (value == FW_NO_INDEX || work->taken[i] || bits(at, 0) != 32 || at->operand_count != 3 ||
        at->operands[2].kind != FW_OPERAND_INTEGER)
        return;
    int64_t by = at->operands[2].immediate;
    bool half = at->opcode == FW_OP_AND ? by == 0xffff || by == 0xff
                                        : at->opcode == FW_OP_SHR && (by == 16 || by == 24) &&
                                              fw_type_class((enum fw_type)at->types[0]) == 'u';
    uint32_t count = half ? fw_lowering_use_count(work, value) : 0;
    for (uint32_t u = 0; u < count; u++) {
        uint32_t user = fw_lowering_use(work, value, u);
        if (user == FW_NO_INDEX || instruction(work, user)->opcode != FW_OP_CVT ||
            instruction(work, user)->types[0] != FW_TYPE_F32 ||
            instruction(work, user)->types[1] != FW_TYPE_U32)
            return;
    }
    if (count == 0)
        return;
    fw_lowering_absorb(work, i, fw_lowering_use(work, value, 0));
    for (uint32_t u = 0; u < count; u++)
        fw_lowering_list(&work->result->instructions[fw_lowering_use(work, value, u)], work->arena,
                         "I2F");
}

/* The lowest byte of a register with its sign, which only conversions to floats read: I2F.S8 reads
 * any byte of a word. */
static void fold_byte(struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    uint32_t value = fw_lowering_value(work, i);
    if (at->opcode != FW_OP_CVT || value == FW_NO_INDEX || work->taken[i] || at->type_count != 2 ||
        at->types[0] != FW_TYPE_S16 || at->types[1] != FW_TYPE_S8)
        return;
    uint32_t count = fw_lowering_use_count(work, value);
    for (uint32_t u = 0; u < count; u++) {
        uint32_t user = fw_lowering_use(work, value, u);
        if (user == FW_NO_INDEX || instruction(work, user)->opcode != FW_OP_CVT ||
            instruction(work, user)->types[0] != FW_TYPE_F32 ||
            instruction(work, user)->types[1] != FW_TYPE_S16)
            return;
    }
    if (count)
        fw_lowering_absorb(work, i, fw_lowering_use(work, value, 0));
}

/* Whether the upper half of a 16-bit number's register is zero: so load what has no sign, masks and
 * shifts. */
static bool is_clean(const struct lowering *work, uint32_t i, const struct fw_operand *operand)
{
    uint32_t source = fw_lowering_source(work, i, operand);
    if (source == FW_NO_INDEX)
        return false;
    const struct fw_instruction *at = instruction(work, source);
    char class = fw_type_class((enum fw_type)at->types[0]);
    return (at->opcode == FW_OP_LD && at->vector <= 1 && class != 's') ||
           (at->opcode == FW_OP_AND && at->operand_count == 3 &&
            at->operands[2].kind == FW_OPERAND_INTEGER && at->operands[2].immediate >= 0) ||
           (at->opcode == FW_OP_SHR && class != 's');
}

/* A shift to the right of 16 bits masks what may stand above them. */
static void shift_half(struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    if (at->opcode == FW_OP_SHR && bits(at, 0) == 16 &&
        fw_type_class((enum fw_type)at->types[0]) != 's' && at->operand_count == 3 &&
        at->operands[2].kind == FW_OPERAND_INTEGER && work->result->instructions[i].count &&
        is_clean(work, i, &at->operands[1]))
        fw_lowering_list(&work->result->instructions[i], work->arena, "SHF");
}

static bool is_base(const struct lowering *work, const struct fw_operand *operand)
{
    if (operand->kind == FW_OPERAND_SYMBOL)
        return true;
    if (operand->kind != FW_OPERAND_REGISTER || operand->value == FW_NO_INDEX)
        return false;
    const struct fw_value *value = &work->function->values[operand->value];
    if (value->kind != FW_VALUE_INSTRUCTION)
        return false;
    const struct fw_instruction *at = instruction(work, value->definition);
    return at->opcode == FW_OP_MOV && at->guard == FW_NO_INDEX && at->operand_count == 2 &&
           at->operands[1].kind == FW_OPERAND_SYMBOL;
}

/* What shifts and multiplies takes the base as its addend instead: LEA, IMAD. */
static bool takes_base(const struct lowering *work, uint32_t i, const struct fw_operand *offset)
{
    uint32_t source = fw_lowering_source(work, i, offset);
    if (offset->kind == FW_OPERAND_REGISTER && offset->value != FW_NO_INDEX &&
        work->function->values[offset->value].kind == FW_VALUE_INSTRUCTION)
        source = work->function->values[offset->value].definition;
    if (source == FW_NO_INDEX)
        return false;
    const struct fw_instruction *at = instruction(work, source);
    return at->opcode == FW_OP_SHL || at->opcode == FW_OP_MUL;
}

static bool is_shared_place(const struct fw_instruction *at, uint32_t value)
{
    bool place = false, read = false;
    if (at->space != FW_SPACE_SHARED || (at->opcode != FW_OP_LD && at->opcode != FW_OP_ST &&
                                         at->opcode != FW_OP_ATOM && at->opcode != FW_OP_RED))
        return false;
    for (unsigned o = 0; o < at->operand_count; o++) {
        place |= at->operands[o].kind == FW_OPERAND_ADDRESS && at->operands[o].value == value;
        read |= fw_lowering_reads(&at->operands[o], value);
    }
    return place && !read;
}

/* base + offset, of shared memory's places only: the place takes both. */
static void fold_base(struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    uint32_t value = fw_lowering_value(work, i);
    const struct fw_lowered *lowered = &work->result->instructions[i];
    if (work->column < 2 || at->opcode != FW_OP_ADD || value == FW_NO_INDEX || bits(at, 0) != 32 ||
        lowered->count != 1 || lowered->at[0].operation != FW_MACHINE_IADD3 || work->taken[i] ||
        (!is_base(work, &at->operands[1]) && !is_base(work, &at->operands[2])) ||
        takes_base(work, i, &at->operands[1]) || takes_base(work, i, &at->operands[2]))
        return;
    uint32_t count = fw_lowering_use_count(work, value);
    for (uint32_t u = 0; u < count; u++) {
        uint32_t user = fw_lowering_use(work, value, u);
        if (user == FW_NO_INDEX || !is_shared_place(instruction(work, user), value))
            return;
    }
    if (count)
        fw_lowering_absorb(work, i, fw_lowering_use(work, value, 0));
}

void fw_lowering_narrow(struct lowering *work)
{
    for (uint32_t i = 0; i < work->function->instruction_count; i++) {
        if (work->blocks[i] == FW_NO_INDEX)
            continue;
        narrow(work, i);
        fold_half(work, i);
        fold_byte(work, i);
        shift_half(work, i);
        fold_base(work, i);
    }
}
