/* lowering, second part: products into sums, sums into sums, logic into logic.
 *
 * The rules are ptxas's, as far as data/lowering shows them (the rows behind "contraction" and
 * "integer merging"):
 *  - mul + add/sub become fma when neither states a rounding, their types and .ftz agree and the
 *    product does not saturate; ptxas does so only when EVERY use of the product can be fused (then
 * the product is computed again in each), within the same block.  A sum takes one product.
 *  - mul.lo and add: the same; shifts by a literal, to the right too, and add: LEA; mul.wide and
 * add.s64: IMAD.WIDE, in other blocks too.  A funnel shift by a literal that one sum alone reads is
 * a LEA (LEA.HI).  A shift of 64 bits that several sums read, as that of an index of two arrays, is
 * done once, and each sum is two additions.
 *  - an add whose only use is an add goes into it (three inputs); logic likewise up to three. */
#include "lowering_internal.h"

enum family {
    FAMILY_NONE,
    FAMILY_FLOAT,
    FAMILY_INTEGER,
    FAMILY_WIDE,
    FAMILY_SHIFT,
    FAMILY_SHIFT64,
    FAMILY_SHIFT_DOWN,
    FAMILY_FUNNEL
};

static const struct fw_instruction *instruction(const struct lowering *work, uint32_t i)
{
    return &work->function->instructions[i];
}

static bool is_integer(enum fw_type type, unsigned bits)
{
    char class = fw_type_class(type);
    return (class == 's' || class == 'u' || class == 'b') && fw_type_bits(type) == bits;
}

static bool is_literal(const struct fw_operand *operand)
{
    return operand->kind == FW_OPERAND_INTEGER;
}

/* Whether a register holds a literal: what a move brought there. */
static bool holds_literal(const struct lowering *work, const struct fw_operand *operand)
{
    if (operand->kind != FW_OPERAND_REGISTER || operand->value == FW_NO_INDEX)
        return is_literal(operand);
    const struct fw_value *value = &work->function->values[operand->value];
    if (value->kind != FW_VALUE_INSTRUCTION)
        return false;
    const struct fw_instruction *at = instruction(work, value->definition);
    return at->opcode == FW_OP_MOV && at->guard == FW_NO_INDEX && at->operand_count == 2 &&
           is_literal(&at->operands[1]);
}

/* What kind of product an instruction is that a sum could take. */
static enum family family_of(const struct lowering *work, const struct fw_instruction *at)
{
    enum fw_type type = (enum fw_type)at->types[0];
    if (at->opcode == FW_OP_SHF && at->operand_count == 4)
        return holds_literal(work, &at->operands[3]) ? FAMILY_FUNNEL : FAMILY_NONE;
    if (at->opcode == FW_OP_SHL && at->operand_count == 3 && is_literal(&at->operands[2]))
        return is_integer(type, 32)   ? FAMILY_SHIFT
               : is_integer(type, 64) ? FAMILY_SHIFT64
                                      : FAMILY_NONE;
    if (at->opcode == FW_OP_SHR && at->operand_count == 3 && is_literal(&at->operands[2]))
        return is_integer(type, 32) ? FAMILY_SHIFT_DOWN : FAMILY_NONE;
    if (at->opcode != FW_OP_MUL || at->operand_count != 3 ||
        (at->flags & (FW_FLAG_SAT | FW_FLAG_CARRY_OUT)))
        return FAMILY_NONE;
    if (fw_type_class(type) == 'f')
        return at->rounding == FW_ROUND_NONE ? FAMILY_FLOAT : FAMILY_NONE;
    bool words = fw_instruction_has(at, "wide") && fw_type_bits(type) == 16;
    if (fw_instruction_has(at, "wide") && !words)
        return fw_type_bits(type) == 32 ? FAMILY_WIDE : FAMILY_NONE;
    if (words || (fw_instruction_has(at, "lo") && is_integer(type, 32))) {
        const struct fw_operand *factor = &at->operands[2];
        bool power = is_literal(factor) && factor->immediate > 0 &&
                     !(factor->immediate & (factor->immediate - 1));
        return power ? FAMILY_SHIFT : FAMILY_INTEGER;
    }
    return FAMILY_NONE;
}

/* Whether what is shifted is computed in the shift's own block: other numbers, as strides that are
 * arguments, are shifted before loops or by the scalar datapath. */
static bool shifts_index(const struct lowering *work, uint32_t shift)
{
    uint32_t source = fw_lowering_source(work, shift, &instruction(work, shift)->operands[1]);
    return source != FW_NO_INDEX && (instruction(work, source)->opcode != FW_OP_LD ||
                                     instruction(work, source)->space != FW_SPACE_PARAM);
}

/* Whether a sum can take the product `value` of `product`. */
static bool takes(const struct lowering *work, uint32_t user, uint32_t product, uint32_t value,
                  enum family family)
{
    const struct fw_instruction *sum = instruction(work, user);
    const struct fw_instruction *times = instruction(work, product);
    bool subtract = sum->opcode == FW_OP_SUB;
    if ((sum->opcode != FW_OP_ADD && !subtract) || work->taken[user] || sum->operand_count != 3 ||
        (work->blocks[user] != work->blocks[product] && family != FAMILY_WIDE) ||
        (sum->flags & FW_FLAG_CARRY_OUT))
        return false;
    bool first = fw_lowering_reads(&sum->operands[1], value);
    if (first && fw_lowering_reads(&sum->operands[2], value))
        return false;
    enum fw_type type = (enum fw_type)sum->types[0];
    switch (family) {
    case FAMILY_FLOAT:
        return type == (enum fw_type)times->types[0] && sum->rounding == FW_ROUND_NONE &&
               !((sum->flags ^ times->flags) & FW_FLAG_FTZ);
    case FAMILY_INTEGER: /* a - b*c would need a negated product: only a literal factor turns sign
                          */
        return is_integer(type, 32) && !(sum->flags & FW_FLAG_SAT) &&
               (!subtract || first || is_literal(&times->operands[2]));
    case FAMILY_SHIFT:
        return is_integer(type, 32) && !(sum->flags & FW_FLAG_SAT);
    case FAMILY_FUNNEL:
    case FAMILY_SHIFT_DOWN:
        return is_integer(type, 32) && !(sum->flags & FW_FLAG_SAT) && !subtract &&
               (family != FAMILY_FUNNEL || fw_lowering_use_count(work, value) == 1);
    case FAMILY_SHIFT64:
        return is_integer(type, 64) && !subtract &&
               (fw_lowering_use_count(work, value) == 1 || !shifts_index(work, product));
    case FAMILY_WIDE:
        return is_integer(type, 64) && !subtract;
    default:
        return false;
    }
}

/* Every use of `value` takes the product, through negations of floats too. */
static bool all_take(const struct lowering *work, uint32_t product, uint32_t value,
                     enum family family, unsigned depth)
{
    uint32_t count = fw_lowering_use_count(work, value);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t user = fw_lowering_use(work, value, i);
        if (user == FW_NO_INDEX)
            return false;
        const struct fw_instruction *at = instruction(work, user);
        bool through = family == FAMILY_FLOAT && at->opcode == FW_OP_NEG && depth == 0 &&
                       at->types[0] != FW_TYPE_BF16X2 && at->types[0] != FW_TYPE_BF16;
        uint32_t negated = through ? fw_lowering_value(work, user) : FW_NO_INDEX;
        if (negated != FW_NO_INDEX ? !all_take(work, product, negated, family, 1)
                                   : !takes(work, user, product, value, family))
            return false;
    }
    return count > 0;
}

static const char *fused_text(const struct fw_instruction *product,
                              const struct fw_instruction *sum, enum family family)
{
    switch (family) {
    case FAMILY_FLOAT:
        return product->types[0] == FW_TYPE_F32   ? "FFMA"
               : product->types[0] == FW_TYPE_F64 ? "DFMA"
                                                  : "HFMA2";
    case FAMILY_WIDE:
        return "IMAD.WIDE";
    case FAMILY_SHIFT:
        return sum->opcode == FW_OP_ADD ? "LEA" : "IMAD";
    case FAMILY_SHIFT_DOWN:
    case FAMILY_FUNNEL:
        return "LEA";
    case FAMILY_SHIFT64:
        return "LEA*2";
    default:
        return "IMAD";
    }
}

static void fuse(struct lowering *work, uint32_t product, uint32_t value, enum family family)
{
    uint32_t count = fw_lowering_use_count(work, value);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t user = fw_lowering_use(work, value, i);
        uint32_t negated = instruction(work, user)->opcode == FW_OP_NEG
                               ? fw_lowering_value(work, user)
                               : FW_NO_INDEX;
        if (negated != FW_NO_INDEX) {
            fuse(work, product, negated, family);
            fw_lowering_absorb(work, user, fw_lowering_use(work, negated, 0));
            continue;
        }
        struct fw_lowered *lowered = &work->result->instructions[user];
        fw_lowering_list(lowered, work->arena,
                         fused_text(instruction(work, product), instruction(work, user), family));
        if (family == FAMILY_FLOAT)
            lowered->at[0].type = instruction(work, product)->types[0];
        work->taken[user] = true;
        if (i == 0)
            fw_lowering_absorb(work, product, user);
    }
}

/* Products with one use first: they leave sums free for nobody else, while a product of several
 * uses is fused only if all its sums are still free. */
void fw_lowering_contract(struct lowering *work)
{
    for (unsigned most = 0; most < 2; most++)
        for (uint32_t i = 0; i < work->function->instruction_count; i++) {
            enum family family = family_of(work, instruction(work, i));
            uint32_t value = family ? fw_lowering_value(work, i) : FW_NO_INDEX;
            if (value == FW_NO_INDEX || work->taken[i] || work->blocks[i] == FW_NO_INDEX)
                continue;
            if (most == 0 && fw_lowering_use_count(work, value) != 1)
                continue;
            if (all_take(work, i, value, family, 0))
                fuse(work, i, value, family);
        }
}

static unsigned integer_bits(const struct fw_instruction *at)
{
    enum fw_type type = (enum fw_type)at->types[0];
    return is_integer(type, 32) ? 32 : is_integer(type, 64) ? 64 : 0;
}

static bool plain_sum(const struct fw_instruction *at)
{
    bool sum = at->opcode == FW_OP_ADD || at->opcode == FW_OP_SUB ||
               (at->opcode == FW_OP_NEG && fw_type_class((enum fw_type)at->types[0]) == 's');
    return sum && at->operand_count == (at->opcode == FW_OP_NEG ? 2 : 3) && integer_bits(at) &&
           !(at->flags & (FW_FLAG_CARRY_OUT | FW_FLAG_SAT));
}

/* The only user of instruction `i`'s value when it stands in the same block, else FW_NO_INDEX. */
static uint32_t only_user(const struct lowering *work, uint32_t i)
{
    uint32_t value = fw_lowering_value(work, i);
    if (value == FW_NO_INDEX || work->taken[i] || work->blocks[i] == FW_NO_INDEX ||
        fw_lowering_use_count(work, value) != 1)
        return FW_NO_INDEX;
    uint32_t user = fw_lowering_use(work, value, 0);
    return user != FW_NO_INDEX && work->blocks[user] == work->blocks[i] ? user : FW_NO_INDEX;
}

/* n += p ? 1 : 0: an addition under the predicate, which is no sum of three. */
static bool counts_predicate(const struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    for (unsigned o = 1; o < at->operand_count; o++) {
        uint32_t source = fw_lowering_source(work, i, &at->operands[o]);
        const struct fw_instruction *choice =
            source == FW_NO_INDEX ? NULL : instruction(work, source);
        if (choice && choice->opcode == FW_OP_SELP && is_literal(&choice->operands[1]) &&
            is_literal(&choice->operands[2]) &&
            (choice->operands[1].immediate == 0 || choice->operands[2].immediate == 0))
            return true;
    }
    return false;
}

/* a + b + c in one operation. */
static void merge_sum(struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    uint32_t user = plain_sum(at) ? only_user(work, i) : FW_NO_INDEX;
    if (user == FW_NO_INDEX || work->taken[user] || !plain_sum(instruction(work, user)) ||
        integer_bits(instruction(work, user)) != integer_bits(at) || counts_predicate(work, i) ||
        counts_predicate(work, user))
        return;
    fw_lowering_absorb(work, i, user);
    work->taken[user] = at->opcode != FW_OP_NEG;
}

static bool is_logic(const struct fw_instruction *at)
{
    return (at->opcode == FW_OP_AND || at->opcode == FW_OP_OR || at->opcode == FW_OP_XOR ||
            at->opcode == FW_OP_NOT) &&
           at->operand_count == (at->opcode == FW_OP_NOT ? 2 : 3) &&
           fw_type_class((enum fw_type)at->types[0]) == 'b' && integer_bits(at);
}

enum { LOGIC_INPUTS = 3 };

static const uint32_t literals = 0x80000000U; /* inputs from here on */

/* What an operation of logic reads, each once. */
struct logic_inputs {
    uint32_t count; /* 0: not looked at */
    uint32_t of[LOGIC_INPUTS];
};

/* False: there is no room for one more. */
static bool add_input(struct logic_inputs *inputs, uint32_t input)
{
    for (uint32_t k = 0; k < inputs->count; k++)
        if (inputs->of[k] == input)
            return true;
    if (inputs->count == LOGIC_INPUTS)
        return false;
    inputs->of[inputs->count++] = input;
    return true;
}

/* What an operand of logic is: of a complement that its users take over, what it complements. */
static uint32_t logic_origin(const struct lowering *work, uint32_t value)
{
    value = fw_lowering_origin(work, value);
    const struct fw_value *at = value == FW_NO_INDEX ? NULL : &work->function->values[value];
    if (!at || at->kind != FW_VALUE_INSTRUCTION || !work->taken[at->definition])
        return value;
    const struct fw_instruction *complement = instruction(work, at->definition);
    return complement->opcode == FW_OP_NOT && is_logic(complement) &&
                   complement->operands[1].kind == FW_OPERAND_REGISTER
               ? fw_lowering_origin(work, complement->operands[1].value)
               : value;
}

/* The inputs of an instruction, whose own operands they are at first; literals are all apart. */
static struct logic_inputs inputs_of(const struct lowering *work, uint32_t i,
                                     const struct logic_inputs *inputs)
{
    const struct fw_instruction *at = instruction(work, i);
    struct logic_inputs own = inputs[i];
    for (unsigned o = 1; o < at->operand_count && !inputs[i].count; o++)
        add_input(&own, at->operands[o].kind == FW_OPERAND_REGISTER
                            ? logic_origin(work, at->operands[o].value)
                            : literals + i * LOGIC_INPUTS + o);
    return own;
}

/* A complement of which there is more than one use, all of them logic: each takes it over. */
static void merge_complement(struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    const uint32_t value = fw_lowering_value(work, i);
    if (at->opcode != FW_OP_NOT || !is_logic(at) || value == FW_NO_INDEX || work->taken[i] ||
        work->blocks[i] == FW_NO_INDEX)
        return;
    const uint32_t count = fw_lowering_use_count(work, value);
    for (uint32_t u = 0; u < count; u++) {
        const uint32_t user = fw_lowering_use(work, value, u);
        if (user == FW_NO_INDEX || work->blocks[user] != work->blocks[i] ||
            !is_logic(instruction(work, user)) ||
            integer_bits(instruction(work, user)) != integer_bits(at))
            return;
    }
    if (count > 1)
        fw_lowering_absorb(work, i, fw_lowering_use(work, value, 0));
}

/* Logic of up to three inputs in one operation: (a & b) | (c & ~a) is one, too. */
static void merge_logic(struct lowering *work, uint32_t i, struct logic_inputs *inputs)
{
    const struct fw_instruction *at = instruction(work, i);
    if (!is_logic(at))
        return;
    inputs[i] = inputs_of(work, i, inputs);
    uint32_t user = only_user(work, i);
    if (user == FW_NO_INDEX || work->taken[user] || !is_logic(instruction(work, user)) ||
        integer_bits(instruction(work, user)) != integer_bits(at))
        return;
    const struct logic_inputs before = inputs_of(work, user, inputs);
    const uint32_t result = fw_lowering_origin(work, fw_lowering_value(work, i));
    struct logic_inputs joined = inputs[i];
    bool fits = true;
    for (uint32_t k = 0; k < before.count && fits; k++)
        fits = before.of[k] == result || add_input(&joined, before.of[k]);
    if (!fits)
        return;
    inputs[user] = joined;
    fw_lowering_absorb(work, i, user);
}

/* sm_90 takes the least of three at once. */
static void merge_extremes(struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    if (work->column < 2 || (at->opcode != FW_OP_MIN && at->opcode != FW_OP_MAX) ||
        !is_integer((enum fw_type)at->types[0], 32))
        return;
    uint32_t user = only_user(work, i);
    if (user == FW_NO_INDEX || work->taken[user] || instruction(work, user)->opcode != at->opcode ||
        instruction(work, user)->types[0] != at->types[0])
        return;
    fw_lowering_absorb(work, i, user);
    fw_lowering_list(&work->result->instructions[user], work->arena, "VIMNMX3");
    work->taken[user] = true;
}

/* sm_90 adds and takes the lesser at once. */
static void merge_limit(struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    uint32_t user = work->column >= 2 && plain_sum(at) && at->opcode != FW_OP_NEG
                        ? only_user(work, i)
                        : FW_NO_INDEX;
    if (user == FW_NO_INDEX || integer_bits(at) != 32 || work->taken[user] ||
        (instruction(work, user)->opcode != FW_OP_MIN &&
         instruction(work, user)->opcode != FW_OP_MAX) ||
        !is_integer((enum fw_type)instruction(work, user)->types[0], 32))
        return;
    fw_lowering_absorb(work, i, user);
    fw_lowering_list(&work->result->instructions[user], work->arena, "VIADDMNMX");
    work->taken[user] = true;
}

void fw_lowering_merge(struct lowering *work)
{
    struct logic_inputs *inputs =
        FW_ARRAY(work->arena, struct logic_inputs, work->function->instruction_count);
    for (uint32_t i = 0; i < work->function->instruction_count; i++) {
        merge_sum(work, i);
        merge_complement(work, i);
        merge_logic(work, i, inputs);
        merge_limit(work, i);
        merge_extremes(work, i);
    }
    /* What had no room before the other operand of its user was taken in. */
    for (uint32_t i = 0; i < work->function->instruction_count; i++)
        merge_logic(work, i, inputs);
}
