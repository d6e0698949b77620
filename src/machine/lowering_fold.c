/* lowering, third part: what costs nothing or less beside its neighbours.
 *
 * Moves between registers, parameters and constants at fixed places (operands of their users),
 * signs (source modifiers), predicate logic (a compare's third input), widening of what a load
 * widened already, address sums (a load's offset).  Rows of data/lowering behind "source
 * modifiers", "compare and select", "conversions folded" and the last of "integer merging" show
 * each. */
#include "lowering_internal.h"

static const struct fw_instruction *instruction(const struct lowering *work, uint32_t i)
{
    return &work->function->instructions[i];
}

static bool reads_special(const struct fw_instruction *at, enum fw_special *special)
{
    if (at->operand_count != 2 || at->operands[1].kind != FW_OPERAND_SPECIAL)
        return false;
    *special = (enum fw_special)at->operands[1].index;
    return true;
}

static const char *special_text(enum fw_special special, unsigned column)
{
    switch (special) {
    case FW_SREG_NTID_X:
    case FW_SREG_NTID_Y:
    case FW_SREG_NTID_Z:
    case FW_SREG_NCTAID_X:
    case FW_SREG_NCTAID_Y:
    case FW_SREG_NCTAID_Z:
        return column == 2 ? "LDC" : ""; /* in the constant bank */
    case FW_SREG_CLOCK:
    case FW_SREG_CLOCK64:
    case FW_SREG_GLOBALTIMER:
        return "CS2R";
    default:
        return "S2R";
    }
}

static const char *move_text(const struct fw_instruction *at, unsigned column)
{
    enum fw_special special;
    if (reads_special(at, &special))
        return special_text(special, column);
    const struct fw_operand *from = &at->operands[1];
    if (at->guard != FW_NO_INDEX)
        return fw_type_bits((enum fw_type)at->types[0]) == 64 ? "SEL*2" : "SEL";
    if (from->kind == FW_OPERAND_VECTOR || at->operands[0].kind == FW_OPERAND_VECTOR)
        return fw_type_bits((enum fw_type)at->types[0]) == 32 ? "PRMT" : "";
    if (from->kind == FW_OPERAND_SYMBOL)
        return from->variable && from->variable->space == FW_SPACE_SHARED ? "MOV" : "MOV*2";
    return "";
}

const char *fw_lowering_plain(const struct fw_instruction *at, unsigned column)
{
    bool fixed = at->operand_count > 1 && at->operands[1].kind == FW_OPERAND_ADDRESS &&
                 at->operands[1].index == FW_NO_INDEX;
    switch (at->opcode) {
    case FW_OP_MOV:
        return at->operand_count > 1 ? move_text(at, column) : "";
    case FW_OP_BRA:
        return "BRA";
    case FW_OP_BRX:
        return "BRX";
    case FW_OP_RET:
    case FW_OP_EXIT:
    case FW_OP_TRAP:
        return "EXIT";
    case FW_OP_CALL:
        return "CALL";
    case FW_OP_CVTA: /* between generic and local addresses of a local variable: the compiler knows
                      */
        return at->space == FW_SPACE_LOCAL && (at->flags & FW_FLAG_TO) ? "" : NULL;
    case FW_OP_ST:
        return at->space == FW_SPACE_PARAM ? "MOV" : NULL;
    case FW_OP_LD:
        if (at->space == FW_SPACE_PARAM || (at->space == FW_SPACE_CONST && fixed))
            return "";
        if (at->space == FW_SPACE_CONST)
            return fw_type_bits((enum fw_type)at->types[0]) * at->vector > 32 ? "LDC.64" : "LDC";
        return NULL;
    default:
        return NULL;
    }
}

static bool float_arithmetic(const struct fw_instruction *at)
{
    switch (at->opcode) {
    case FW_OP_ADD:
    case FW_OP_SUB:
    case FW_OP_MUL:
    case FW_OP_FMA:
    case FW_OP_MAD:
    case FW_OP_MIN:
    case FW_OP_MAX:
    case FW_OP_SETP:
    case FW_OP_SET:
    case FW_OP_SELP:
    case FW_OP_EX2:
    case FW_OP_LG2:
    case FW_OP_RCP:
    case FW_OP_SQRT:
    case FW_OP_RSQRT:
    case FW_OP_CVT:
    case FW_OP_NEG:
    case FW_OP_ABS:
        return true;
    default:
        return false;
    }
}

/* All uses satisfy `test`; `*first` is the first of them. */
static bool all_uses(const struct lowering *work, uint32_t i, uint32_t *first,
                     bool (*test)(const struct fw_instruction *user,
                                  const struct fw_instruction *of))
{
    uint32_t value = fw_lowering_value(work, i);
    uint32_t count = value == FW_NO_INDEX ? 0 : fw_lowering_use_count(work, value);
    for (uint32_t u = 0; u < count; u++) {
        uint32_t user = fw_lowering_use(work, value, u);
        if (user == FW_NO_INDEX || !test(instruction(work, user), instruction(work, i)))
            return false;
    }
    if (count)
        *first = fw_lowering_use(work, value, 0);
    return count > 0;
}

static bool takes_sign(const struct fw_instruction *user, const struct fw_instruction *of)
{
    return of->types[0] != FW_TYPE_BF16X2 && of->types[0] != FW_TYPE_BF16 &&
           float_arithmetic(user) && user->type_count &&
           user->types[user->type_count - 1] == of->types[0];
}

static bool sums_64(const struct fw_instruction *user, const struct fw_instruction *of)
{
    (void)of;
    return (user->opcode == FW_OP_ADD || user->opcode == FW_OP_SUB) &&
           fw_type_bits((enum fw_type)user->types[0]) == 64;
}

static bool integer_arithmetic(const struct fw_instruction *user, const struct fw_instruction *of)
{
    (void)of;
    return user->opcode == FW_OP_SHL || user->opcode == FW_OP_MUL || user->opcode == FW_OP_MAD ||
           user->opcode == FW_OP_ADD || user->opcode == FW_OP_SUB || user->opcode == FW_OP_AND ||
           user->opcode == FW_OP_OR || user->opcode == FW_OP_CVT;
}

static bool half_arithmetic(const struct fw_instruction *user, const struct fw_instruction *of)
{
    (void)of;
    enum fw_type type = (enum fw_type)user->types[user->type_count ? user->type_count - 1 : 0];
    return float_arithmetic(user) && (type == FW_TYPE_F16 || type == FW_TYPE_BF16);
}

/* Whether a load has already widened what a conversion widens. */
static bool load_widened(const struct fw_instruction *load, enum fw_type from, enum fw_type to)
{
    enum fw_type type = (enum fw_type)load->types[0];
    bool has_sign = fw_type_class(type) == 's';
    return load->opcode == FW_OP_LD && fw_type_bits(type) <= fw_type_bits(from) &&
           fw_type_bits(type) < 32 && fw_type_bits(to) <= 32 &&
           fw_type_bits(to) > fw_type_bits(type) && has_sign == (fw_type_class(from) == 's');
}

static void fold_conversion(struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    enum fw_type to = (enum fw_type)at->types[0];
    enum fw_type from = (enum fw_type)at->types[1];
    uint32_t user = FW_NO_INDEX;
    bool floats = fw_type_class(to) == 'f' || fw_type_class(from) == 'f';
    if (at->type_count < 2 || at->operand_count != 2)
        return;
    uint32_t source = fw_lowering_source(work, i, &at->operands[1]);
    if (floats) {
        /* x * y saturated: the product's own modifier */
        if (to == from && at->rounding == FW_ROUND_NONE && source != FW_NO_INDEX &&
            float_arithmetic(instruction(work, source)) &&
            fw_lowering_use_count(work, at->operands[1].value) == 1)
            fw_lowering_absorb(work, i, source);
        return;
    }
    if (at->flags & FW_FLAG_SAT)
        return;
    if (source != FW_NO_INDEX && load_widened(instruction(work, source), from, to))
        fw_lowering_absorb(work, i, source);
    else if (fw_type_class(from) == 's' && fw_type_bits(from) == 32 && fw_type_bits(to) == 64 &&
             all_uses(work, i, &user, sums_64) && !work->taken[user])
        fw_lowering_absorb(work, i, user);
    else if (fw_type_class(from) == 'u' && fw_type_bits(from) >= 16 && fw_type_bits(to) == 64 &&
             all_uses(work, i, &user, integer_arithmetic))
        fw_lowering_absorb(work, i, user);
}

/* {h0, h1} of two conversions is one packed conversion; halves of a word that only half arithmetic
 * reads are chosen by it. */
static void fold_pack(struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    const struct fw_operand *from = &at->operands[1];
    if (from->kind == FW_OPERAND_VECTOR && from->count == 2) {
        uint32_t parts[2];
        for (unsigned e = 0; e < 2; e++) {
            parts[e] = fw_lowering_source(work, i, &from->elements[e]);
            if (parts[e] == FW_NO_INDEX || instruction(work, parts[e])->opcode != FW_OP_CVT ||
                instruction(work, parts[e])->types[1] != FW_TYPE_F32 ||
                fw_type_bits((enum fw_type)instruction(work, parts[e])->types[0]) != 16 ||
                fw_lowering_use_count(work, from->elements[e].value) != 1)
                return;
        }
        bool packed = work->column > 0 || instruction(work, parts[0])->types[0] == FW_TYPE_BF16;
        if (!packed)
            return;
        fw_lowering_absorb(work, parts[0], i);
        fw_lowering_absorb(work, parts[1], i);
        fw_lowering_list(&work->result->instructions[i], work->arena, "F2FP");
        return;
    }
    const struct fw_operand *to = &at->operands[0];
    for (unsigned e = 0; to->kind == FW_OPERAND_VECTOR && e < to->count; e++) {
        if (to->elements[e].kind != FW_OPERAND_REGISTER) {
            if (e == 1)
                break; /* the low half alone is the word itself */
            continue;
        }
        if (e == 0 && to->count == 2 && to->elements[1].kind == FW_OPERAND_SINK)
            continue;
        uint32_t value = to->elements[e].value;
        for (uint32_t u = 0; u < fw_lowering_use_count(work, value); u++) {
            uint32_t user = fw_lowering_use(work, value, u);
            if (user == FW_NO_INDEX || !half_arithmetic(instruction(work, user), at))
                return;
        }
    }
    if (to->kind == FW_OPERAND_VECTOR && fw_type_bits((enum fw_type)at->types[0]) == 32)
        fw_lowering_list(&work->result->instructions[i], work->arena, "");
}

/* A literal costs a move where it cannot be an operand: it meets another value of the variable (a
 * phi, an old value), or is stored. */
static void fold_move(struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    if (at->operand_count < 2 || at->guard != FW_NO_INDEX)
        return;
    if (fw_type_bits((enum fw_type)at->types[0]) == 32)
        fold_pack(work, i);
    uint8_t kind = at->operands[1].kind;
    uint32_t value = fw_lowering_value(work, i);
    if ((kind != FW_OPERAND_INTEGER && kind != FW_OPERAND_FLOAT) || value == FW_NO_INDEX)
        return;
    unsigned phis = 0, stores = 0;
    for (uint32_t u = 0; u < fw_lowering_use_count(work, value); u++) {
        uint32_t user = fw_lowering_use(work, value, u);
        phis += user == FW_NO_INDEX;
        stores += user != FW_NO_INDEX && instruction(work, user)->opcode == FW_OP_ST;
    }
    unsigned moves = phis ? phis : stores ? 1 : 0;
    bool wide = fw_type_bits((enum fw_type)at->types[0]) == 64;
    if (moves)
        fw_lowering_list(&work->result->instructions[i], work->arena,
                         fw_arena_printf(work->arena, "MOV*%u", wide ? 2 * moves : moves));
}

static bool is_compare(const struct fw_instruction *at)
{
    return at->opcode == FW_OP_SETP && at->operand_count >= 3;
}

/* p & q: a compare that defines one of them, read only here, takes the other as its third input.
 * `full` marks the compares whose third input is given away. */
static void fold_predicate(struct lowering *work, uint32_t i, bool *full)
{
    const struct fw_instruction *at = instruction(work, i);
    for (unsigned o = 1; o < at->operand_count; o++) {
        uint32_t source = fw_lowering_source(work, i, &at->operands[o]);
        if (source == FW_NO_INDEX || full[source] || !is_compare(instruction(work, source)) ||
            instruction(work, source)->operand_count > 3 ||
            fw_lowering_use_count(work, at->operands[o].value) != 1)
            continue;
        full[source] = true;
        fw_lowering_absorb(work, i, source);
        return;
    }
}

static bool same_operand(const struct fw_operand *a, const struct fw_operand *b)
{
    if (a->kind != b->kind)
        return false;
    return a->kind == FW_OPERAND_REGISTER ? a->value == b->value : a->immediate == b->immediate;
}

static bool is_float_literal(const struct fw_operand *operand, int64_t bits)
{
    return operand->kind == FW_OPERAND_FLOAT && operand->immediate == bits;
}

static bool is_one(const struct fw_operand *operand)
{
    return operand->kind == FW_OPERAND_FLOAT &&
           operand->immediate == (operand->single ? 0x3f800000 : 0x3ff0000000000000);
}

/* n += p ? 1 : 0 becomes an addition under the predicate. */
static void fold_counter(struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    uint32_t value = fw_lowering_value(work, i);
    if (value == FW_NO_INDEX || fw_lowering_use_count(work, value) != 1 ||
        at->operands[1].kind != FW_OPERAND_INTEGER || at->operands[2].kind != FW_OPERAND_INTEGER ||
        (at->operands[1].immediate && at->operands[2].immediate))
        return;
    uint32_t user = fw_lowering_use(work, value, 0);
    if (user != FW_NO_INDEX && instruction(work, user)->opcode == FW_OP_ADD &&
        fw_type_bits((enum fw_type)instruction(work, user)->types[0]) == 32 && !work->taken[user])
        fw_lowering_absorb(work, i, user);
}

/* p ? a : b behind p = a < b is a minimum (integers only: NaNs forbid it for floats); p ? 1.0f :
 * 0.0f is one FSET. */
/* Doubles with one lower word, 0 mostly: the upper words are chosen, and it is moved. */
static bool same_lower_word(const struct fw_operand *a, const struct fw_operand *b)
{
    return a->kind == FW_OPERAND_FLOAT && b->kind == FW_OPERAND_FLOAT && !a->single && !b->single &&
           (uint32_t)a->immediate == (uint32_t)b->immediate;
}

static void fold_select(struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    if (at->operand_count != 4)
        return;
    fold_counter(work, i);
    if (at->types[0] == FW_TYPE_F64 && !work->taken[i] &&
        same_lower_word(&at->operands[1], &at->operands[2]))
        fw_lowering_list(&work->result->instructions[i], work->arena, "FSEL IMAD.MOV");
    uint32_t source = fw_lowering_source(work, i, &at->operands[3]);
    if (source == FW_NO_INDEX || !is_compare(instruction(work, source)) ||
        instruction(work, source)->operand_count != 3 ||
        fw_lowering_use_count(work, at->operands[3].value) != 1)
        return;
    const struct fw_instruction *compare = instruction(work, source);
    enum fw_type type = (enum fw_type)compare->types[0];
    const struct fw_operand *a = &compare->operands[1];
    const struct fw_operand *b = &compare->operands[2];
    if (fw_type_class(type) != 'f' && fw_type_bits(type) == 32 && work->column > 0 &&
        ((same_operand(&at->operands[1], a) && same_operand(&at->operands[2], b)) ||
         (same_operand(&at->operands[1], b) && same_operand(&at->operands[2], a)))) {
        fw_lowering_absorb(work, source, i);
        fw_lowering_list(&work->result->instructions[i], work->arena, "IMNMX");
    } else if (type == FW_TYPE_F32 && is_float_literal(&at->operands[1], 0x3f800000) &&
               is_float_literal(&at->operands[2], 0)) {
        fw_lowering_absorb(work, source, i);
        fw_lowering_list(&work->result->instructions[i], work->arena, "FSET");
    }
}

/* (a & b) == 0: the logic operation gives the predicate. */
static void fold_test(struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    bool equality = at->compare == FW_CMP_EQ || at->compare == FW_CMP_NE;
    if (!is_compare(at) || !equality || at->operands[2].kind != FW_OPERAND_INTEGER ||
        at->operands[2].immediate != 0)
        return;
    uint32_t source = fw_lowering_source(work, i, &at->operands[1]);
    if (source == FW_NO_INDEX || work->result->instructions[source].count != 1 ||
        work->result->instructions[source].at[0].operation != FW_MACHINE_LOP3 ||
        work->result->instructions[source].at[0].count != 1)
        return;
    fw_lowering_absorb(work, i, source);
}

/* Only places of memory read the value, as their address, and sums of 64 bits of which the same is
 * true: a literal in it can stand in the places' offsets. */
static bool only_places(const struct lowering *work, uint32_t value, unsigned depth)
{
    enum { DEPTH = 8 };
    uint32_t count = fw_lowering_use_count(work, value);
    for (uint32_t u = 0; u < count; u++) {
        uint32_t user = fw_lowering_use(work, value, u);
        if (user == FW_NO_INDEX || depth == DEPTH)
            return false;
        const struct fw_instruction *access = instruction(work, user);
        bool address = false;
        for (unsigned o = 0; o < access->operand_count; o++)
            address |= access->operands[o].kind == FW_OPERAND_ADDRESS &&
                       access->operands[o].value == value;
        uint32_t sum = fw_lowering_value(work, user);
        if (!address && (access->opcode != FW_OP_ADD || sum == FW_NO_INDEX ||
                         fw_type_bits((enum fw_type)access->types[0]) != 64 ||
                         !only_places(work, sum, depth + 1)))
            return false;
    }
    return count > 0;
}

/* A sum with a literal that is only ever an address is the accesses' offset. */
static void fold_address(struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    uint32_t value = fw_lowering_value(work, i);
    if (at->operand_count != 3 || at->operands[2].kind != FW_OPERAND_INTEGER ||
        value == FW_NO_INDEX || work->taken[i] || !only_places(work, value, 0))
        return;
    fw_lowering_absorb(work, i, fw_lowering_use(work, value, 0));
}

static void fold_one(struct lowering *work, uint32_t i, bool *full)
{
    const struct fw_instruction *at = instruction(work, i);
    uint32_t user = FW_NO_INDEX;
    enum fw_type type = (enum fw_type)at->types[0];
    switch (at->opcode) {
    case FW_OP_MOV:
        fold_move(work, i);
        break;
    case FW_OP_NEG:
    case FW_OP_ABS:
        if (fw_type_class(type) == 'f' && !work->taken[i] && all_uses(work, i, &user, takes_sign))
            fw_lowering_absorb(work, i, user);
        break;
    case FW_OP_CVT:
        fold_conversion(work, i);
        break;
    case FW_OP_AND:
    case FW_OP_OR:
    case FW_OP_XOR:
        if (type == FW_TYPE_PRED) {
            fw_lowering_list(&work->result->instructions[i], work->arena, "PLOP3");
            fold_predicate(work, i, full);
        }
        break;
    case FW_OP_NOT:
        if (type == FW_TYPE_PRED)
            fw_lowering_list(&work->result->instructions[i], work->arena, "");
        break;
    case FW_OP_SELP:
        fold_select(work, i);
        break;
    case FW_OP_SETP:
        fold_test(work, i);
        break;
    case FW_OP_MUL:
        if (at->operand_count == 3 && !work->taken[i] && is_one(&at->operands[2]))
            fw_lowering_list(&work->result->instructions[i], work->arena, "");
        break;
    case FW_OP_SHL:
    case FW_OP_SHR: /* by a word or more: one half of the result is known */
        if (fw_type_bits(type) == 64 && fw_type_class(type) != 's' && !work->taken[i] &&
            at->operand_count == 3 && at->operands[2].kind == FW_OPERAND_INTEGER &&
            at->operands[2].immediate >= 32)
            fw_lowering_list(&work->result->instructions[i], work->arena, "SHF");
        break;
    case FW_OP_ADD:
        if (fw_type_class(type) != 'f')
            fold_address(work, i);
        break;
    default:
        break;
    }
}

/* A branch to what follows it anyway is none. */
static void fold_branches(struct lowering *work)
{
    const struct fw_function *function = work->function;
    for (uint32_t b = 0; b < function->block_count; b++) {
        const struct fw_block *block = &function->blocks[b];
        if (block->end == block->first)
            continue;
        const struct fw_instruction *last = &function->instructions[block->end - 1];
        if (last->opcode == FW_OP_BRA && last->guard == FW_NO_INDEX && last->target_count == 1 &&
            last->targets[0] < function->label_count &&
            function->labels[last->targets[0]].instruction == block->end)
            fw_lowering_list(&work->result->instructions[block->end - 1], work->arena, "");
    }
}

/* A special register that does not change is read once. */
static void fold_specials(struct lowering *work)
{
    bool seen[FW_SREG_COUNT] = {false};
    for (uint32_t i = 0; i < work->function->instruction_count; i++) {
        enum fw_special special;
        const struct fw_instruction *at = instruction(work, i);
        if (at->opcode != FW_OP_MOV || !reads_special(at, &special) || special >= FW_SREG_CLOCK)
            continue;
        if (seen[special])
            fw_lowering_list(&work->result->instructions[i], work->arena, "");
        seen[special] = true;
    }
}

void fw_lowering_fold(struct lowering *work)
{
    bool *full = FW_ARRAY(work->arena, bool, work->function->instruction_count);
    for (uint32_t i = 0; i < work->function->instruction_count; i++)
        if (work->blocks[i] != FW_NO_INDEX)
            fold_one(work, i, full);
    fold_branches(work);
    fold_specials(work);
}
