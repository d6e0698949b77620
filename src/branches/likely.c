/* How often a branch is usually taken: what its comparisons and its ways say. */
#include "branches_internal.h"

#include <math.h>

/* Wu and Larus 1994, table 1: how often the heuristics of Ball and Larus hold. */
#define OPCODE_HOLDS 0.84

/* One integer of so many that are the constant it is compared with are few. */
enum { FEW = 8 };

struct fw_branches *fw_branches_new(struct fw_arena *arena, const struct fw_function *function,
                                    fw_known_comparison *known, void *user)
{
    struct fw_branches *branches = FW_NEW(arena, struct fw_branches);
    *branches = (struct fw_branches){.arena = arena,
                                     .function = function,
                                     .known = known,
                                     .user = user,
                                     .ordinary = fw_ordinary_new(arena, function)};
    branches->block_of = FW_ARRAY(arena, uint32_t, function->instruction_count + 1);
    for (uint32_t b = 0; b < function->block_count; b++)
        for (uint32_t i = function->blocks[b].first; i < function->blocks[b].end; i++)
            branches->block_of[i] = b;
    return branches;
}

/* ---- comparisons ---- */

bool branch_constant(const struct fw_branches *branches, const struct fw_operand *operand,
                     int64_t *value)
{
    const struct fw_instruction *at = NULL;
    if (operand->kind == FW_OPERAND_REGISTER)
        at = branch_definition(branches, fw_ordinary_source(branches->function, operand->value));
    if (at && at->opcode == FW_OP_MOV && at->operand_count == 2)
        operand = &at->operands[1];
    *value = operand->negated ? -operand->immediate : operand->immediate;
    return operand->kind == FW_OPERAND_INTEGER;
}

static bool is_integer_conversion(const struct fw_instruction *at)
{
    return at->opcode == FW_OP_CVT && at->type_count == 2 && fw_type_class(at->types[0]) != 'f' &&
           fw_type_class(at->types[1]) != 'f';
}

/* Whether an integer is an argument of the kernel, as the launch tells it or converted. */
static bool is_argument(const struct fw_branches *branches, const struct fw_operand *operand)
{
    enum { MOST_STEPS = 4 };
    for (unsigned step = 0; step < MOST_STEPS; step++) {
        if (operand->kind != FW_OPERAND_REGISTER || operand->value == FW_NO_INDEX)
            return false;
        const struct fw_instruction *at =
            branch_definition(branches, fw_ordinary_source(branches->function, operand->value));
        if (!at || at->guard != FW_NO_INDEX)
            return false;
        if (at->opcode == FW_OP_LD)
            return at->space == FW_SPACE_PARAM;
        if (!is_integer_conversion(at))
            return false;
        operand = &at->operands[1];
    }
    return false;
}

/* An integer compared with a constant, or for equality with an argument of the kernel (a label that
 * is not counted, the number of a padding): error codes are negative, and a number is rarely a
 * certain one. */
static struct branch_guess by_opcode(const struct fw_branches *branches,
                                     const struct fw_instruction *at)
{
    static const struct branch_guess open = {0.5, NULL};
    static const char *const equal = "an integer rarely is a certain one",
                             *const sign = "an integer rarely is negative";
    const struct fw_operand *in = at->operands + at->destinations;
    enum fw_type type = at->opcode == FW_OP_SET && at->type_count > 1 ? at->types[1] : at->types[0];
    bool is_signed = fw_type_class(type) == 's';
    int64_t value = 0;
    bool equality = at->compare == FW_CMP_EQ || at->compare == FW_CMP_NE;
    if (!branch_constant(branches, &in[1], &value) &&
        !(equality && (is_argument(branches, &in[0]) || is_argument(branches, &in[1]))))
        return open;
    switch ((enum fw_compare)at->compare) {
    case FW_CMP_EQ:
        return (struct branch_guess){1 - OPCODE_HOLDS, equal};
    case FW_CMP_NE:
        return (struct branch_guess){OPCODE_HOLDS, equal};
    case FW_CMP_LT:
        return is_signed && (value == 0 || value == 1)
                   ? (struct branch_guess){1 - OPCODE_HOLDS, sign}
                   : open;
    case FW_CMP_LE:
        return is_signed && (value == 0 || value == -1)
                   ? (struct branch_guess){1 - OPCODE_HOLDS, sign}
                   : open;
    case FW_CMP_GT:
        return is_signed && (value == 0 || value == -1) ? (struct branch_guess){OPCODE_HOLDS, sign}
                                                        : open;
    case FW_CMP_GE:
        return is_signed && (value == 0 || value == 1) ? (struct branch_guess){OPCODE_HOLDS, sign}
                                                       : open;
    default:
        return open;
    }
}

/* A coordinate that was rounded to an integer, compared for its sign or with an argument (the width
 * of a picture): it usually lies within the bounds that it is checked against, as an index is not
 * negative. */
static struct branch_guess by_place(const struct fw_branches *branches,
                                    const struct fw_instruction *at)
{
    static const char *const within = "a place that is rounded usually lies within its bounds";
    const struct fw_operand *in = at->operands + at->destinations;
    const bool above = is_argument(branches, &in[1]), below = is_argument(branches, &in[0]);
    bool less;
    switch ((enum fw_compare)at->compare) {
    case FW_CMP_LT:
    case FW_CMP_LE:
    case FW_CMP_LO:
    case FW_CMP_LS:
        less = true;
        break;
    case FW_CMP_GT:
    case FW_CMP_GE:
    case FW_CMP_HI:
    case FW_CMP_HS:
        less = false;
        break;
    default:
        return by_opcode(branches, at);
    }
    if (above == below)
        return by_opcode(branches, at);
    return (struct branch_guess){less == above ? OPCODE_HOLDS : 1 - OPCODE_HOLDS, within};
}

/* Whether the bits of several numbers are asked at once, whose signs have nothing to do with each
 * other: ordinary points of two have one sign each. */
static bool is_either(const struct fw_branches *branches, const struct fw_instruction *at)
{
    const struct fw_operand *in = at->operands + at->destinations;
    const struct fw_instruction *bits =
        in->kind == FW_OPERAND_REGISTER ? branch_definition(branches, in->value) : NULL;
    return bits && bits->opcode == FW_OP_OR && bits->operands[1].kind == FW_OPERAND_REGISTER &&
           bits->operands[2].kind == FW_OPERAND_REGISTER;
}

static struct branch_guess by_comparison(struct fw_branches *branches,
                                         const struct fw_instruction *at)
{
    uint32_t index = (uint32_t)(at - branches->function->instructions);
    if (branches->known(branches->user, index))
        return (struct branch_guess){(double)NAN, NULL};
    const double same = branch_same_run(branches, at);
    if (same > 0)
        return (struct branch_guess){at->compare == FW_CMP_EQ ? same : 1 - same,
                                     "lanes side by side have entries of a row of 16"};
    const struct fw_ordinary_test test = fw_ordinary_holds(branches->ordinary, at);
    const uint32_t holds = test.holds;
    bool equality = at->compare == FW_CMP_EQ || at->compare == FW_CMP_NE;
    if (test.asks_positive)
        return (struct branch_guess){test.positive, test.positive
                                                        ? "positive ordinary numbers always do"
                                                        : "positive ordinary numbers never do"};
    uint32_t equal = at->compare == FW_CMP_EQ ? holds : FW_ORDINARY_POINTS - holds;
    bool rarely = equality && FEW * equal <= FW_ORDINARY_POINTS; /* as of a byte of a word */
    if (!test.from_float && rarely) /* few or none of a few integers are a certain one */
        return by_opcode(branches, at);
    const bool some = holds > 0 && holds < FW_ORDINARY_POINTS;
    if (test.rounded && !equality && (some || is_either(branches, at)))
        return by_place(branches, at);
    if (holds > 0 && holds < FW_ORDINARY_POINTS)
        return test.from_float || equality || at->opcode == FW_OP_TESTP
                   ? (struct branch_guess){0.5, NULL}
                   : by_opcode(branches, at);
    return (struct branch_guess){holds ? 1 : 0, holds ? "ordinary numbers always do"
                                                      : "ordinary numbers never do"};
}

/* ---- predicates ---- */

static struct branch_guess opposite(struct branch_guess a)
{
    return (struct branch_guess){1 - a.taken, a.because};
}

/* Both hold, as if they had nothing to do with each other. */
static struct branch_guess both(struct branch_guess a, struct branch_guess b)
{
    if (isnan(a.taken) || isnan(b.taken))
        return isnan(a.taken) ? b : a;
    double product = a.taken * b.taken;
    bool first = a.because && (!b.because || a.taken <= b.taken);
    return (struct branch_guess){product, first ? a.because : b.because};
}

static struct branch_guess either(struct branch_guess a, struct branch_guess b)
{
    return opposite(both(opposite(a), opposite(b)));
}

static struct branch_guess of_predicate(struct fw_branches *branches, uint32_t value,
                                        unsigned depth);

static struct branch_guess of_operand(struct fw_branches *branches,
                                      const struct fw_operand *operand, unsigned depth)
{
    static const struct branch_guess open = {0.5, NULL};
    if (operand->kind != FW_OPERAND_REGISTER || operand->value == FW_NO_INDEX)
        return open;
    struct branch_guess of = of_predicate(branches, operand->value, depth);
    return operand->negated ? opposite(of) : of;
}

static struct branch_guess combined(enum fw_mode mode, struct branch_guess a, struct branch_guess b)
{
    if (mode == FW_MODE_AND)
        return both(a, b);
    if (mode == FW_MODE_OR)
        return either(a, b);
    return either(both(a, opposite(b)), both(opposite(a), b));
}

/* What a number is made of where ways meet: constants, and predicates that were made numbers. */
struct flag {
    uint32_t chosen;   /* a value that SELP makes; FW_NO_INDEX */
    int64_t values[2]; /* that it has */
    uint32_t value_count, seen_count, seen[16];
    bool several; /* values that SELP makes */
    bool carried; /* by a loop */
};

static bool has_value(struct flag *flag, int64_t value)
{
    for (uint32_t v = 0; v < flag->value_count; v++)
        if (flag->values[v] == value)
            return true;
    if (flag->value_count == 2)
        return false;
    flag->values[flag->value_count++] = value;
    return true;
}

/* The number behind copies, masks and conversions that leave 0 and 1 as they are. */
static uint32_t unmasked(const struct fw_branches *branches, uint32_t value)
{
    enum { MOST_STEPS = 8 };
    const struct fw_function *function = branches->function;
    uint32_t source = fw_ordinary_source(function, value);
    for (unsigned step = 0; step < MOST_STEPS; step++) {
        const struct fw_instruction *at = branch_definition(branches, source);
        int64_t mask = 1;
        bool masks = at && at->opcode == FW_OP_AND && at->operand_count == 3 &&
                     branch_constant(branches, &at->operands[2], &mask) && (mask & 1);
        bool converts = at && is_integer_conversion(at);
        if ((!masks && !converts) || at->guard != FW_NO_INDEX ||
            at->operands[1].kind != FW_OPERAND_REGISTER || at->operands[1].value == FW_NO_INDEX)
            return source;
        source = fw_ordinary_source(function, at->operands[1].value);
    }
    return source;
}

/* Goes through what a number is made of; false: it is no flag. */
static bool find_flag(const struct fw_branches *branches, uint32_t value, struct flag *flag)
{
    const struct fw_function *function = branches->function;
    const struct fw_operand operand = {.kind = FW_OPERAND_REGISTER, .value = value};
    int64_t constant, one, other;
    if (branch_constant(branches, &operand, &constant))
        return has_value(flag, constant);
    uint32_t source = unmasked(branches, value);
    for (uint32_t s = 0; s < flag->seen_count; s++)
        if (flag->seen[s] == source) {
            flag->carried = true;
            return true;
        }
    if (flag->seen_count == sizeof(flag->seen) / sizeof(flag->seen[0]))
        return false;
    flag->seen[flag->seen_count++] = source;
    const struct fw_value *origin = &function->values[source];
    const struct fw_instruction *at = branch_definition(branches, source);
    if (origin->kind == FW_VALUE_PHI) {
        const struct fw_block *block = &function->blocks[origin->block];
        for (uint32_t p = 0; p < block->predecessor_count; p++) {
            uint32_t input = block->phis[origin->definition].inputs[p];
            if (input == FW_NO_INDEX || !find_flag(branches, input, flag))
                return false;
        }
        return true;
    }
    if (!at || at->opcode != FW_OP_SELP || at->guard != FW_NO_INDEX || at->operand_count != 4 ||
        !branch_constant(branches, &at->operands[1], &one) ||
        !branch_constant(branches, &at->operands[2], &other) || one == other)
        return false;
    flag->several |= flag->chosen != FW_NO_INDEX;
    flag->chosen = source;
    return has_value(flag, one) && has_value(flag, other);
}

/* A predicate that was kept as a number: its guess where the number is compared with a constant
 * that one of its two values is.  Where ways meet that set constants beside it, what leads there
 * says how often; where loops carry it, or several predicates are made one number, nothing does.
 * False: it is no such comparison. */
static bool of_flag(struct fw_branches *branches, const struct fw_instruction *at, unsigned depth,
                    struct branch_guess *guess)
{
    const struct fw_operand *in = at->operands + at->destinations;
    struct flag flag = {.chosen = FW_NO_INDEX};
    int64_t compared, one, other;
    if (at->opcode != FW_OP_SETP || (at->compare != FW_CMP_EQ && at->compare != FW_CMP_NE) ||
        in[0].kind != FW_OPERAND_REGISTER || in[0].negated || in[0].value == FW_NO_INDEX ||
        !branch_constant(branches, &in[1], &compared) || !find_flag(branches, in[0].value, &flag) ||
        !has_value(&flag, compared) || flag.value_count < 2)
        return false;
    *guess = (struct branch_guess){0.5, NULL};
    if (flag.chosen == FW_NO_INDEX || flag.several || flag.carried)
        return true;
    const struct fw_instruction *chosen = branch_definition(branches, flag.chosen);
    if (!branch_constant(branches, &chosen->operands[1], &one) ||
        !branch_constant(branches, &chosen->operands[2], &other))
        return false;
    *guess = of_operand(branches, &chosen->operands[3], depth + 1);
    if ((compared == one) != (at->compare == FW_CMP_EQ))
        *guess = opposite(*guess);
    return true;
}

static struct branch_guess of_predicate(struct fw_branches *branches, uint32_t value,
                                        unsigned depth)
{
    enum { DEEPEST = 12 };
    static const struct branch_guess open = {0.5, NULL};
    const struct fw_instruction *at = branch_definition(branches, value);
    if (!at || at->guard != FW_NO_INDEX || depth == DEEPEST || at->destinations != 1)
        return open;
    const struct fw_operand *in = at->operands + 1;
    uint32_t count = at->operand_count - 1u, slot = branches->function->values[value].slot;
    struct branch_guess guess;
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_SETP:
    case FW_OP_TESTP:
        if (!of_flag(branches, at, depth, &guess))
            guess = by_comparison(branches, at);
        if (slot == 1)
            guess = opposite(guess);
        if (count > 2 && at->mode != FW_MODE_NONE)
            guess =
                combined((enum fw_mode)at->mode, guess, of_operand(branches, &in[2], depth + 1));
        return guess;
    case FW_OP_MOV:
        return count ? of_operand(branches, &in[0], depth + 1) : open;
    case FW_OP_NOT:
        return count ? opposite(of_operand(branches, &in[0], depth + 1)) : open;
    case FW_OP_AND:
    case FW_OP_OR:
    case FW_OP_XOR:
        if (count < 2)
            return open;
        return combined(at->opcode == FW_OP_AND  ? FW_MODE_AND
                        : at->opcode == FW_OP_OR ? FW_MODE_OR
                                                 : FW_MODE_XOR,
                        of_operand(branches, &in[0], depth + 1),
                        of_operand(branches, &in[1], depth + 1));
    default:
        return open;
    }
}

/* ---- branches ---- */

/* Dempster's rule for two pieces of evidence (Wu and Larus 1994, section 2); of two that are
 * certain and at odds, the first. */
static struct branch_guess joined(struct branch_guess a, struct branch_guess b)
{
    double yes = a.taken * b.taken, no = (1 - a.taken) * (1 - b.taken);
    bool first = a.because && fabs(a.taken - 0.5) >= fabs(b.taken - 0.5);
    return (struct branch_guess){yes + no > 0 ? yes / (yes + no) : a.taken,
                                 first ? a.because : b.because};
}

/* Tests of one value for equality, one after the other: each of the ways that are left is as
 * probable. */
static struct branch_guess by_choice(struct fw_branches *branches, uint32_t block,
                                     const struct fw_instruction *test, bool negated)
{
    bool follows;
    uint32_t choices = branch_choices(branches, block, &follows);
    if (choices < 2 && !follows)
        return (struct branch_guess){(double)NAN, NULL};
    double equal = 1.0 / (choices + 1);
    bool says_equal = (test->compare == FW_CMP_EQ) != negated;
    return (struct branch_guess){says_equal ? equal : 1 - equal,
                                 "each of several choices is as probable"};
}

struct fw_branch_default fw_branches_usual(struct fw_branches *branches, uint32_t instruction)
{
    const struct fw_function *function = branches->function;
    const struct fw_instruction *at = &function->instructions[instruction];
    uint32_t index = branches->block_of[instruction];
    const struct fw_block *block = &function->blocks[index];
    struct branch_guess guess = {0.5, NULL}, ways = {0.5, NULL}, choice = {(double)NAN, NULL};
    if (at->opcode == FW_OP_BRX)
        return (struct fw_branch_default){1.0 /
                                              (block->successor_count ? block->successor_count : 1),
                                          "each of several choices is as probable"};
    if (at->guard == FW_NO_INDEX)
        return (struct fw_branch_default){1, NULL};
    guess = of_predicate(branches, at->guard_value, 0);
    if (isnan(guess.taken) || !guess.because) /* parts of which nothing is known are none, either */
        guess = (struct branch_guess){0.5, NULL};
    if (at->guard_negated)
        guess = opposite(guess);
    if (at->opcode == FW_OP_BRA && instruction + 1 == block->end && block->successor_count == 2) {
        const struct fw_instruction *test = branch_definition(branches, at->guard_value);
        ways = branch_by_ways(branches, index);
        if (test && test->opcode == FW_OP_SETP)
            choice = by_choice(branches, index, test, at->guard_negated);
    }
    bool certain = !(ways.taken > 0 && ways.taken < 1);
    if (isnan(choice.taken))
        guess = joined(ways, guess);
    else if (certain)
        guess = ways;
    else
        guess = choice; /* where the cases of a choice lead says nothing of their number */
    bool open = isnan(choice.taken) && fabs(guess.taken - 0.5) < 1e-9;
    return (struct fw_branch_default){guess.taken, open ? NULL : guess.because};
}
