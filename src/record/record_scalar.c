/* Operations on the contents of registers: bits, floating point and conversions whose operands come
 * from indices, arguments and constants alone, as atoms (scalar.h).
 *
 * What is computed from loaded data in floating point is not looked into: which values are is found
 * once, by one pass over the instructions.  Operations that PTX states no exact result of are not
 * followed, and what depends on them is opaque for that reason. */
#include "record_internal.h"

#include "scalar.h"

/* What a value is computed from; the greater counts. */
enum origin { FOLLOWED, APPROXIMATE, DATA };

static bool is_approximate(const struct fw_instruction *at)
{
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_SIN:
    case FW_OP_COS:
    case FW_OP_LG2:
    case FW_OP_EX2:
    case FW_OP_TANH:
    case FW_OP_RSQRT:
        return true;
    case FW_OP_DIV:
    case FW_OP_RCP:
    case FW_OP_SQRT:
        return fw_type_class((enum fw_type)at->types[0]) == 'f' &&
               (at->rounding == FW_ROUND_NONE || (at->flags & (FW_FLAG_APPROX | FW_FLAG_FULL)));
    default:
        return false;
    }
}

/* A pass over the values in progress. */
struct origins {
    struct builder *b;
    const struct fw_instruction *at;
    uint8_t found;
};

static uint8_t origin_of(const struct origins *o, uint32_t value)
{
    return value == FW_NO_INDEX ? DATA : o->b->origins[value];
}

static void add_use(void *user, struct fw_operand *operand)
{
    struct origins *o = user;
    uint8_t of = origin_of(o, operand->value);
    o->found = of > o->found ? of : o->found;
}

/* Whether a product is exact: a factor is a power of two, whose mantissa has no bits. */
static bool is_exact(const struct fw_instruction *at)
{
    const uint64_t mantissa = 0x000fffffffffffff, mantissa_single = 0x007fffff;
    for (uint32_t o = at->destinations; o < at->operand_count; o++) {
        const struct fw_operand *factor = &at->operands[o];
        uint64_t bits = (uint64_t)factor->immediate & (factor->single ? mantissa_single : mantissa);
        if (factor->kind == FW_OPERAND_FLOAT && bits == 0)
            return true;
    }
    return false;
}

/* An unrounded product that a sum takes up, as it stands or negated: assemblers may round once. */
static void add_contraction(void *user, struct fw_operand *operand)
{
    enum { MOST_STEPS = 8 };
    struct origins *o = user;
    const struct fw_function *function = o->b->function;
    for (unsigned step = 0; step < MOST_STEPS && operand->value != FW_NO_INDEX; step++) {
        const struct fw_value *value = &function->values[operand->value];
        if (value->kind != FW_VALUE_INSTRUCTION)
            return;
        const struct fw_instruction *from = &function->instructions[value->definition];
        if (from->opcode == FW_OP_MUL && from->types[0] == o->at->types[0] &&
            from->rounding == FW_ROUND_NONE && o->found < APPROXIMATE && !is_exact(from))
            o->found = APPROXIMATE;
        if ((from->opcode != FW_OP_MOV && from->opcode != FW_OP_NEG) || from->operand_count != 2 ||
            from->operands[1].kind != FW_OPERAND_REGISTER)
            return;
        operand = &from->operands[1];
    }
}

static void set_definition(void *user, struct fw_operand *operand)
{
    struct origins *o = user;
    if (operand->value != FW_NO_INDEX)
        o->b->origins[operand->value] = o->found;
}

static uint8_t origin_of_instruction(struct origins *o)
{
    const struct fw_instruction *at = o->at;
    bool is_sum = (at->opcode == FW_OP_ADD || at->opcode == FW_OP_SUB) &&
                  fw_type_class((enum fw_type)at->types[0]) == 'f' && at->rounding == FW_ROUND_NONE;
    o->found = is_approximate(at) ? APPROXIMATE : FOLLOWED;
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_LD:
        if (at->slot)
            return origin_of(o, at->slot->value);
        return at->space == FW_SPACE_PARAM ? FOLLOWED : DATA;
    case FW_OP_ST:
    case FW_OP_LDU:
    case FW_OP_TEX:
    case FW_OP_TLD4:
    case FW_OP_SULD:
    case FW_OP_LDMATRIX:
    case FW_OP_ATOM:
    case FW_OP_CALL:
        if (at->slot)
            break;
        return DATA;
    default:
        break;
    }
    fw_instruction_uses(at, add_use, o);
    if (is_sum)
        fw_instruction_uses(at, add_contraction, o);
    return o->found;
}

/* The summand that leads from a value in floating point back to the phi: `value` is a sum, of which
 * the other operand is a constant or from outside of the loop.  NULL: it is no such sum. */
static const struct fw_operand *summed(const struct origins *o, uint32_t loop, uint32_t value)
{
    const struct fw_function *function = o->b->function;
    const struct fw_value *of = &function->values[value];
    const struct fw_instruction *at = &function->instructions[of->definition];
    const struct fw_operand *inside = NULL;
    if (of->kind != FW_VALUE_INSTRUCTION || at->guard != FW_NO_INDEX || at->vector > 1 ||
        (at->opcode != FW_OP_ADD && at->opcode != FW_OP_SUB) || at->operand_count != 3)
        return NULL;
    for (uint32_t side = 1; side < at->operand_count; side++) {
        const struct fw_operand *operand = &at->operands[side];
        if (operand->kind == FW_OPERAND_FLOAT || operand->kind == FW_OPERAND_INTEGER)
            continue;
        if (operand->kind != FW_OPERAND_REGISTER || operand->value == FW_NO_INDEX)
            return NULL;
        if (!fw_block_in_loop(function, function->values[operand->value].block, loop)) {
            if (origin_of(o, operand->value) != FOLLOWED)
                return NULL;
        } else if (inside || (at->opcode == FW_OP_SUB && side == 2)) {
            return NULL;
        } else {
            inside = operand;
        }
    }
    return inside;
}

/* Whether the iterations of a loop add constants to a number in floating point, or what does not
 * change in it: its values at a launch are followed as a FOLD. */
static bool is_summed(const struct origins *o, const struct fw_block *block,
                      const struct fw_phi *phi)
{
    enum { MOST_SUMS = 32 }; /* of an unrolled loop */
    for (uint32_t p = 0; p < block->predecessor_count; p++) {
        uint32_t value = phi->inputs[p];
        if (value == FW_NO_INDEX)
            return false;
        if (!fw_block_in_loop(o->b->function, block->predecessors[p], block->loop)) {
            if (origin_of(o, value) != FOLLOWED)
                return false;
            continue;
        }
        for (unsigned sums = 0; value != phi->value; sums++) {
            const struct fw_operand *inside =
                sums < MOST_SUMS ? summed(o, block->loop, value) : NULL;
            if (!inside)
                return false;
            value = inside->value;
        }
    }
    return true;
}

/* A loop's phi: integers may have a closed form; of numbers in floating point those are followed
 * to which each iteration adds the same. */
static uint8_t origin_of_phi(struct origins *o, const struct fw_block *block,
                             const struct fw_phi *phi, bool header)
{
    const struct fw_function *function = o->b->function;
    uint32_t reg = function->values[phi->value].reg;
    uint8_t found = FOLLOWED;
    if (header)
        return fw_type_class(function->registers[reg].type) != 'f' || is_summed(o, block, phi)
                   ? FOLLOWED
                   : DATA;
    for (uint32_t p = 0; p < block->predecessor_count; p++) {
        uint8_t of = origin_of(o, phi->inputs[p]);
        found = of > found ? of : found;
    }
    return found;
}

static void find_origins(struct builder *b)
{
    const struct fw_function *function = b->function;
    struct origins o = {.b = b};
    b->origins = FW_ARRAY(b->arena, uint8_t, (size_t)function->value_count + 1);
    for (uint32_t v = 0; v < function->value_count; v++)
        b->origins[v] = function->values[v].kind == FW_VALUE_ENTRY ? DATA : FOLLOWED;
    for (uint32_t n = 0; n < function->order_count; n++) {
        const struct fw_block *block = &function->blocks[function->order[n]];
        bool header =
            block->loop != FW_NO_INDEX && function->loops[block->loop].header == function->order[n];
        for (uint32_t p = 0; p < block->phi_count; p++)
            b->origins[block->phis[p].value] = origin_of_phi(&o, block, &block->phis[p], header);
        for (uint32_t i = block->first; i < block->end; i++) {
            o.at = &function->instructions[i];
            o.found = origin_of_instruction(&o);
            if (o.at->slot && o.at->opcode == FW_OP_ST) {
                set_definition(&o, o.at->slot);
                continue;
            }
            uint32_t count = fw_instruction_definitions(o.at, set_definition, &o);
            for (uint32_t d = 0; d < count && o.at->guard != FW_NO_INDEX && o.at->prior_values; d++)
                o.found = origin_of(&o, o.at->prior_values[d]) > o.found
                              ? origin_of(&o, o.at->prior_values[d])
                              : o.found;
            if (o.at->guard != FW_NO_INDEX)
                fw_instruction_definitions(o.at, set_definition, &o);
        }
    }
}

static uint8_t origin(struct builder *b, uint32_t value)
{
    if (!b->origins)
        find_origins(b);
    return value == FW_NO_INDEX ? DATA : b->origins[value];
}

bool record_follows(struct builder *b, uint32_t value)
{
    return origin(b, value) == FOLLOWED;
}

bool record_is_approximate(struct builder *b, uint32_t value)
{
    return origin(b, value) == APPROXIMATE;
}

/* What an instruction of a followed value does; false: it is not one of these. */
static bool describe(const struct fw_instruction *at, struct fw_scalar *scalar)
{
    static const struct {
        uint16_t opcode;
        uint8_t mode; /* enum fw_mode; of floating-point types it does not count */
        bool saturates, floating;
        uint8_t operation;
    } rows[] = {
        {FW_OP_POPC, FW_MODE_NONE, 0, 0, FW_SCALAR_POPC},
        {FW_OP_CLZ, FW_MODE_NONE, 0, 0, FW_SCALAR_CLZ},
        {FW_OP_BREV, FW_MODE_NONE, 0, 0, FW_SCALAR_BREV},
        {FW_OP_BFIND, FW_MODE_NONE, 0, 0, FW_SCALAR_BFIND},
        {FW_OP_CNOT, FW_MODE_NONE, 0, 0, FW_SCALAR_CNOT},
        {FW_OP_MUL, FW_MODE_HI, 0, 0, FW_SCALAR_MUL_HI},
        {FW_OP_MAD, FW_MODE_HI, 0, 0, FW_SCALAR_MUL_HI},
        {FW_OP_MUL24, FW_MODE_HI, 0, 0, FW_SCALAR_MUL24_HI},
        {FW_OP_MAD24, FW_MODE_HI, 0, 0, FW_SCALAR_MUL24_HI},
        {FW_OP_ADD, FW_MODE_NONE, 1, 0, FW_SCALAR_ADD_SAT},
        {FW_OP_SUB, FW_MODE_NONE, 1, 0, FW_SCALAR_SUB_SAT},
        {FW_OP_SAD, FW_MODE_NONE, 0, 0, FW_SCALAR_SAD},
        {FW_OP_BFE, FW_MODE_NONE, 0, 0, FW_SCALAR_BFE},
        {FW_OP_SHF, FW_MODE_L, 0, 0, FW_SCALAR_SHF_LEFT},
        {FW_OP_SHF, FW_MODE_R, 0, 0, FW_SCALAR_SHF_RIGHT},
        {FW_OP_PRMT, FW_MODE_NONE, 0, 0, FW_SCALAR_PERMUTE},
        {FW_OP_ADD, FW_MODE_NONE, 0, 1, FW_SCALAR_ADD},
        {FW_OP_SUB, FW_MODE_NONE, 0, 1, FW_SCALAR_SUB},
        {FW_OP_MUL, FW_MODE_NONE, 0, 1, FW_SCALAR_MUL},
        {FW_OP_FMA, FW_MODE_NONE, 0, 1, FW_SCALAR_FMA},
        {FW_OP_DIV, FW_MODE_NONE, 0, 1, FW_SCALAR_DIVIDE},
        {FW_OP_RCP, FW_MODE_NONE, 0, 1, FW_SCALAR_RECIPROCAL},
        {FW_OP_SQRT, FW_MODE_NONE, 0, 1, FW_SCALAR_SQRT},
        {FW_OP_MIN, FW_MODE_NONE, 0, 1, FW_SCALAR_MIN},
        {FW_OP_MAX, FW_MODE_NONE, 0, 1, FW_SCALAR_MAX},
        {FW_OP_ABS, FW_MODE_NONE, 0, 1, FW_SCALAR_ABS},
        {FW_OP_NEG, FW_MODE_NONE, 0, 1, FW_SCALAR_NEG},
        {FW_OP_COPYSIGN, FW_MODE_NONE, 0, 1, FW_SCALAR_COPYSIGN},
    };
    const uint32_t understood = FW_FLAG_FTZ | FW_FLAG_SAT | FW_FLAG_SHIFTAMT | FW_FLAG_CLAMP |
                                FW_FLAG_WRAP | FW_FLAG_ROLLED;
    bool saturates = (at->flags & FW_FLAG_SAT) != 0;
    bool floating = fw_type_class((enum fw_type)at->types[0]) == 'f';
    if (at->flags & ~understood)
        return false;
    *scalar = (struct fw_scalar){
        .type = at->types[0], .rounding = at->rounding, .flush = (at->flags & FW_FLAG_FTZ) != 0};
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        if (rows[r].opcode != at->opcode || rows[r].floating != floating ||
            rows[r].mode != at->mode || (!floating && rows[r].saturates != saturates))
            continue;
        scalar->operation = rows[r].operation;
        scalar->saturate = floating && saturates;
        if (at->opcode == FW_OP_BFIND && (at->flags & FW_FLAG_SHIFTAMT))
            scalar->operation = FW_SCALAR_BFIND_SHIFT;
        if (at->opcode == FW_OP_SHF && (at->flags & FW_FLAG_WRAP))
            scalar->operation =
                at->mode == FW_MODE_L ? FW_SCALAR_SHF_LEFT_WRAP : FW_SCALAR_SHF_RIGHT_WRAP;
        return at->type_count <= 1 || floating || at->opcode == FW_OP_BFIND;
    }
    return false;
}

static bool is_opaque(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)user;
    (void)atom;
    return node->kind == FW_ATOM_UNKNOWN &&
           (node->a == FW_TOO_DEEP || !(node->a & PLACEHOLDER_FLAG));
}

/* An operand's value that is known at a launch; FW_NO_EXPRESSION. */
static fw_expression known_operand(struct builder *b, const struct fw_operand *operand,
                                   enum fw_type type, uint32_t where)
{
    if (operand->kind == FW_OPERAND_REGISTER && !record_follows(b, operand->value))
        return FW_NO_EXPRESSION;
    if (fw_type_class(type) == 'f' && operand->negated)
        return FW_NO_EXPRESSION;
    fw_expression x = record_operand(b, operand, type, where);
    return x != FW_NO_EXPRESSION && fw_expression_any(b->pool, x, is_opaque, NULL)
               ? FW_NO_EXPRESSION
               : x;
}

static fw_expression applied(struct builder *b, const struct fw_scalar *scalar,
                             const struct fw_operand *in, uint32_t where)
{
    fw_expression x[3] = {0};
    for (uint32_t o = 0; o < fw_scalar_operands(scalar); o++) {
        enum fw_type type = (enum fw_type)(scalar->from ? scalar->from : scalar->type);
        bool amount = o > 0 && (scalar->operation == FW_SCALAR_BFE);
        x[o] = known_operand(b, &in[o], amount ? FW_TYPE_U32 : type, where);
        if (x[o] == FW_NO_EXPRESSION)
            return x[o];
    }
    return fw_scalar_expression(b->pool, scalar, x);
}

/* From a register to one: a conversion in which a number in floating point has part, or which
 * saturates. */
static fw_expression converted(struct builder *b, const struct fw_instruction *at,
                               const struct fw_operand *in, uint32_t where)
{
    struct fw_scalar scalar = {.operation = FW_SCALAR_CONVERT,
                               .type = at->types[0],
                               .from = at->types[1],
                               .rounding = at->rounding,
                               .flush = (at->flags & FW_FLAG_FTZ) != 0,
                               .saturate = (at->flags & FW_FLAG_SAT) != 0};
    if (at->type_count != 2 || at->operand_count != 2 ||
        (at->flags & ~(uint32_t)(FW_FLAG_FTZ | FW_FLAG_SAT | FW_FLAG_ROLLED)))
        return FW_NO_EXPRESSION;
    /* A rounding to whole numbers of one type is written cvt.rmi.f32.f32. */
    return applied(b, &scalar, in, where);
}

/* Whether a factor is so large that products with it wrap around. */
static bool is_hashed(const struct builder *b, fw_expression a)
{
    enum { LARGE = 1 << 24 };
    const struct fw_expression_node *node = &b->pool->expressions.at[a];
    for (uint32_t t = 0; t < node->term_count; t++)
        if (node->terms[t].atom_count &&
            (node->terms[t].coefficient >= LARGE || node->terms[t].coefficient <= -LARGE))
            return true;
    return false;
}

/* Whether neighbours have results far apart.  A high product is a quotient, unless it is of what
 * was multiplied before. */
static bool scatters(const struct builder *b, const struct fw_scalar *scalar, fw_expression result)
{
    const struct fw_expression_node *node = &b->pool->expressions.at[result];
    if (node->term_count != 1 || node->terms[0].atom_count != 1)
        return false;
    const struct fw_atom_node *atom = &b->pool->atoms.at[node->terms[0].atoms[0]];
    if (scalar->operation == FW_SCALAR_MUL_HI)
        return is_hashed(b, atom->a) || is_hashed(b, atom->b);
    return scalar->operation < FW_SCALAR_DIVIDE && scalar->operation != FW_SCALAR_ADD_SAT &&
           scalar->operation != FW_SCALAR_SUB_SAT;
}

/* What a scattering operation defines, as an opaque value. */
static fw_expression scattered(void *user, const struct fw_atom_node *node)
{
    struct builder *b = user;
    if (node->kind != FW_ATOM_SCALAR)
        return FW_NO_EXPRESSION;
    fw_expression operation = fw_atom_new(b->pool, FW_ATOM_SCALAR, node->a, node->b, node->c);
    for (size_t s = 0; s < b->scatterings.count; s++)
        if (b->scatterings.at[s].operation == operation)
            return record_opaque(b, b->scatterings.at[s].value, FW_OPAQUE_OPERATION);
    return FW_NO_EXPRESSION;
}

fw_expression record_as_address(struct builder *b, fw_expression a)
{
    const struct fw_replacement with = {.user = b, .operation = scattered};
    return b->scatterings.count ? fw_expression_replace(b->pool, a, &with) : a;
}

fw_expression record_scalar(struct builder *b, const struct fw_instruction *at, uint32_t where)
{
    const struct fw_operand *in = at->operands + at->destinations;
    uint32_t count = (uint32_t)(at->operand_count - at->destinations);
    struct fw_scalar scalar;
    if (at->destinations != 1 || at->operands[0].kind != FW_OPERAND_REGISTER || at->vector > 1 ||
        !record_follows(b, at->operands[0].value))
        return FW_NO_EXPRESSION;
    if (at->opcode == FW_OP_CVT)
        return converted(b, at, in, where);
    if (!describe(at, &scalar))
        return FW_NO_EXPRESSION;
    bool adds = at->opcode == FW_OP_MAD || at->opcode == FW_OP_MAD24;
    if (count != fw_scalar_operands(&scalar) + adds)
        return FW_NO_EXPRESSION;
    fw_expression result = applied(b, &scalar, in, where);
    if (result != FW_NO_EXPRESSION && scatters(b, &scalar, result))
        *FW_APPEND(b->arena, &b->scatterings) = (struct scattering){result, at->operands[0].value};
    if (!adds || result == FW_NO_EXPRESSION)
        return result;
    fw_expression more = record_operand(b, &in[count - 1], (enum fw_type)at->types[0], where);
    return more == FW_NO_EXPRESSION ? more : fw_add(b->pool, result, more);
}

fw_condition record_float_comparison(struct builder *b, const struct fw_instruction *at,
                                     const struct fw_operand *in, enum fw_type type, uint32_t where)
{
    static const struct {
        uint8_t compare, operation;
        bool swapped, negated; /* "greater or unordered" is "not less or equal" */
    } rows[] = {
        {FW_CMP_EQ, FW_SCALAR_EQUAL, 0, 0},      {FW_CMP_NEU, FW_SCALAR_EQUAL, 0, 1},
        {FW_CMP_LT, FW_SCALAR_LESS, 0, 0},       {FW_CMP_GEU, FW_SCALAR_LESS, 0, 1},
        {FW_CMP_LE, FW_SCALAR_LESS_EQUAL, 0, 0}, {FW_CMP_GTU, FW_SCALAR_LESS_EQUAL, 0, 1},
        {FW_CMP_GT, FW_SCALAR_LESS, 1, 0},       {FW_CMP_LEU, FW_SCALAR_LESS, 1, 1},
        {FW_CMP_GE, FW_SCALAR_LESS_EQUAL, 1, 0}, {FW_CMP_LTU, FW_SCALAR_LESS_EQUAL, 1, 1},
        {FW_CMP_NAN, FW_SCALAR_UNORDERED, 0, 0}, {FW_CMP_NUM, FW_SCALAR_UNORDERED, 0, 1},
    };
    struct fw_scalar scalar = {.type = (uint8_t)type, .flush = (at->flags & FW_FLAG_FTZ) != 0};
    if (at->compare == FW_CMP_NE || at->compare == FW_CMP_EQU) {
        scalar.operation = FW_SCALAR_EQUAL;
        fw_expression equal = applied(b, &scalar, in, where);
        scalar.operation = FW_SCALAR_UNORDERED;
        fw_expression unordered = applied(b, &scalar, in, where);
        if (equal == FW_NO_EXPRESSION || unordered == FW_NO_EXPRESSION)
            return FW_NO_EXPRESSION;
        fw_condition differ =
            fw_condition_and(b->pool, fw_is_zero(b->pool, equal), fw_is_zero(b->pool, unordered));
        return at->compare == FW_CMP_NE ? differ : fw_condition_not(b->pool, differ);
    }
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        if (rows[r].compare != at->compare)
            continue;
        scalar.operation = rows[r].operation;
        const struct fw_operand sides[2] = {in[rows[r].swapped], in[!rows[r].swapped]};
        fw_expression truth = applied(b, &scalar, sides, where);
        if (truth == FW_NO_EXPRESSION)
            return truth;
        fw_condition fails = fw_is_zero(b->pool, truth);
        return rows[r].negated ? fails : fw_condition_not(b->pool, fails);
    }
    return FW_NO_EXPRESSION;
}

/* A range of integers, and whether an atom may be beyond it. */
struct fit {
    const struct builder *b;
    int64_t low, high;
};

static const int64_t least_s32 = INT32_MIN, most_s32 = INT32_MAX, most_u32 = UINT32_MAX;

static bool does_not_fit(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    const struct fit *fit = user;
    struct fw_scalar scalar;
    fw_expression operands[3];
    int64_t low, high;
    (void)atom;
    if (node->kind == FW_ATOM_PARAMETER)
        return fit->low >= 0 && fw_type_class(fit->b->kernel->parameters[node->a].type) == 'f';
    if (node->kind != FW_ATOM_SCALAR || !fw_scalar_of(fit->b->pool, node, &scalar, operands))
        return false;
    fw_scalar_range(&scalar, &low, &high);
    return low < fit->low || high > fit->high;
}

static bool is_scalar(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)user;
    (void)atom;
    return node->kind == FW_ATOM_SCALAR;
}

bool record_scalar_wide(const struct builder *b, fw_expression a)
{
    struct fit fit = {b, least_s32, most_s32};
    return fw_expression_any(b->pool, a, does_not_fit, &fit);
}

fw_expression record_scalar_fitted(struct builder *b, fw_expression a, enum fw_type type)
{
    bool is_signed = fw_type_class(type) == 's';
    struct fit fit = {b, is_signed ? least_s32 : 0, is_signed ? most_s32 : most_u32};
    const struct fw_expression_node *node = &b->pool->expressions.at[a];
    if (!fw_expression_any(b->pool, a, is_scalar, NULL) &&
        !fw_expression_any(b->pool, a, does_not_fit, &fit))
        return a;
    if (node->term_count == 1 && node->terms[0].atom_count == 1 &&
        node->terms[0].coefficient == 1) {
        const struct fw_atom_node atom = b->pool->atoms.at[node->terms[0].atoms[0]];
        if (atom.kind == FW_ATOM_SCALAR && !does_not_fit(&fit, 0, &atom))
            return a;
    }
    return is_signed ? record_signed_low_bits(b, a, 32) : record_low_bits(b, a, 32);
}
