/* Searches by halves: loops each of whose iterations leaves one half of what was left, whichever of
 * both data choose.
 *
 * Takes a loop that data ends.  What is left is a phi of the loop's header, or lies between two:
 * its half or the middle is computed in the loop, and all that the phis become is made of these.
 * The loop's end is not looked at: a search that ends when it finds is one iteration shorter. */
#include "branches_internal.h"

enum { MOST_LINES = 4, MOST_DEPTH = 12, MOST_VISITS = 200, MOST_CANDIDATES = 8 };

/* Of a sum: the coefficients of two phis and of the half; constants are left out. */
struct line {
    int phi[2];
    int half;
};

struct lines {
    uint32_t count; /* 0: a value is more than this, or something else */
    struct line at[MOST_LINES];
};

struct halving {
    const struct fw_branches *branches;
    uint32_t loop, header;
    uint32_t phis[2]; /* of the header */
    uint32_t phi_count;
    bool all_phis; /* no others are to be met */
    uint32_t half; /* SSA value */
    uint32_t visits;
};

static struct lines lines_of(struct halving *h, uint32_t value, uint32_t depth);

static struct lines lines_of_operand(struct halving *h, const struct fw_operand *operand,
                                     uint32_t depth)
{
    if (operand->kind == FW_OPERAND_INTEGER)
        return (struct lines){.count = 1};
    return operand->kind == FW_OPERAND_REGISTER && !operand->negated
               ? lines_of(h, operand->value, depth)
               : (struct lines){0};
}

/* All sums a + times b. */
static struct lines sums(const struct lines *a, const struct lines *b, int times)
{
    struct lines sum = {0};
    if (a->count * b->count > MOST_LINES)
        return sum;
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++) {
            struct line *at = &sum.at[sum.count++];
            *at = a->at[i];
            at->phi[0] += times * b->at[k].phi[0];
            at->phi[1] += times * b->at[k].phi[1];
            at->half += times * b->at[k].half;
        }
    return sum;
}

/* Adds what a value may be as well; once that is unknown, all is. */
static bool join(struct lines *all, const struct lines *more)
{
    if (more->count == 0 || all->count + more->count > MOST_LINES) {
        all->count = 0;
        return false;
    }
    for (uint32_t i = 0; i < more->count; i++)
        all->at[all->count++] = more->at[i];
    return true;
}

static struct lines lines_of_phi(struct halving *h, const struct fw_value *origin, uint32_t depth)
{
    const struct fw_function *function = h->branches->function;
    const struct fw_block *block = &function->blocks[origin->block];
    struct lines all = {0};
    if (origin->block == h->header) {
        uint32_t p = 0;
        while (p < h->phi_count && h->phis[p] != origin->definition)
            p++;
        if (p == h->phi_count && (h->all_phis || p == 2))
            return all;
        h->phis[p] = origin->definition;
        h->phi_count += p == h->phi_count;
        all.count = 1;
        all.at[0].phi[p] = 1;
        return all;
    }
    for (uint32_t i = 0; block->loop == h->loop && i < block->predecessor_count; i++) {
        struct lines more = lines_of(h, block->phis[origin->definition].inputs[i], depth);
        if (!join(&all, &more))
            break;
    }
    return all;
}

/* Whether an instruction halves: 1; takes the sign of a number, which rounds its half: 2. */
static int halves(const struct fw_instruction *at)
{
    if (at->operand_count != 3 || at->guard != FW_NO_INDEX || at->type_count < 1 ||
        at->operands[1].kind != FW_OPERAND_REGISTER || at->operands[2].kind != FW_OPERAND_INTEGER ||
        fw_type_class(at->types[0]) == 'f')
        return 0;
    int64_t by = at->operands[2].immediate;
    if (at->opcode == FW_OP_DIV)
        return by == 2;
    if (at->opcode != FW_OP_SHR)
        return 0;
    return by == 1 ? 1 : by == (int64_t)fw_type_bits(at->types[0]) - 1 ? 2 : 0;
}

static struct lines lines_of(struct halving *h, uint32_t value, uint32_t depth)
{
    const struct fw_function *function = h->branches->function;
    struct lines none = {0}, a, b;
    value = value == FW_NO_INDEX ? value : fw_ordinary_source(function, value);
    if (value == FW_NO_INDEX || depth == 0 || ++h->visits > MOST_VISITS)
        return none;
    if (value == h->half)
        return (struct lines){.count = 1, .at = {{.half = 1}}};
    if (function->values[value].kind == FW_VALUE_PHI)
        return lines_of_phi(h, &function->values[value], depth - 1);
    const struct fw_instruction *at = branch_definition(h->branches, value);
    if (!at || at->guard != FW_NO_INDEX || at->type_count < 1 || fw_type_class(at->types[0]) == 'f')
        return none;
    switch (at->opcode) {
    case FW_OP_MOV:
    case FW_OP_CVT:
        return at->operand_count != 2 || fw_type_class(at->types[at->type_count - 1]) == 'f'
                   ? none
                   : lines_of_operand(h, &at->operands[1], depth - 1);
    case FW_OP_NOT:
    case FW_OP_NEG:
        a = (struct lines){.count = 1};
        b = lines_of_operand(h, &at->operands[1], depth - 1);
        return sums(&a, &b, -1);
    case FW_OP_ADD:
    case FW_OP_SUB:
        if (at->operand_count != 3)
            return none;
        a = lines_of_operand(h, &at->operands[1], depth - 1);
        b = lines_of_operand(h, &at->operands[2], depth - 1);
        return sums(&a, &b, at->opcode == FW_OP_ADD ? 1 : -1);
    case FW_OP_SELP:
        a = lines_of_operand(h, &at->operands[1], depth - 1);
        b = lines_of_operand(h, &at->operands[2], depth - 1);
        return a.count && join(&a, &b) ? a : none;
    case FW_OP_SHR:
        return (struct lines){.count = halves(at) == 2};
    default:
        return none;
    }
}

static bool is_line(const struct line *line, int phi, int other, int half)
{
    return line->phi[0] == phi && line->phi[1] == other && line->half == half;
}

/* Whether all that becomes of a phi is one of two sums, and each of them may be. */
static bool becomes(struct halving *h, uint32_t phi, uint32_t back, const struct line *one,
                    const struct line *other)
{
    const struct fw_block *header = &h->branches->function->blocks[h->header];
    struct lines lines = lines_of(h, header->phis[h->phis[phi]].inputs[back], MOST_DEPTH);
    uint32_t ones = 0, others = 0;
    for (uint32_t i = 0; i < lines.count; i++) {
        const struct line *line = &lines.at[i];
        ones += is_line(line, one->phi[0], one->phi[1], one->half);
        others += is_line(line, other->phi[0], other->phi[1], other->half);
    }
    return ones > 0 && others > 0 && ones + others == lines.count;
}

/* Whether what an instruction halves is what is left, or lies between the two ends of it. */
static bool is_search(struct halving *h, const struct fw_instruction *at, uint32_t back)
{
    struct lines whole = lines_of(h, at->operands[1].value, MOST_DEPTH);
    const struct line *sum = &whole.at[0];
    if (whole.count != 1)
        return false;
    h->all_phis = true;
    h->half = at->operands[0].value;
    if (h->phi_count == 1 && is_line(sum, 1, 0, 0)) {
        const struct line half = {{0, 0}, 1}, rest = {{1, 0}, -1};
        return becomes(h, 0, back, &half, &rest);
    }
    bool added = is_line(sum, 1, 1, 0);
    if (h->phi_count != 2 || (!added && !is_line(sum, 1, -1, 0) && !is_line(sum, -1, 1, 0)))
        return false;
    const struct line first = {{1, 0}, 0}, second = {{0, 1}, 0};
    struct line middle = {{0, 0}, 1};
    if (!added) /* from the lower end, which is taken away in what is halved */
        middle = sum->phi[0] < 0 ? (struct line){{1, 0}, 1} : (struct line){{0, 1}, 1};
    return becomes(h, 0, back, &first, &middle) && becomes(h, 1, back, &second, &middle);
}

bool fw_branches_halves(struct fw_branches *branches, uint32_t loop, uint32_t ends[2],
                        uint32_t *entry)
{
    const struct fw_function *function = branches->function;
    const struct fw_loop_info *info = &function->loops[loop];
    const struct fw_block *header = &function->blocks[info->header];
    if (header->predecessor_count != 2 || info->latch_count != 1)
        return false;
    uint32_t back = header->predecessors[0] == info->latches[0] ? 0 : 1, candidates = 0;
    for (uint32_t k = 0; k < info->block_count; k++) {
        const struct fw_block *block = &function->blocks[info->blocks[k]];
        for (uint32_t i = block->first; block->loop == loop && i < block->end; i++) {
            struct halving h = {
                .branches = branches, .loop = loop, .header = info->header, .half = FW_NO_INDEX};
            if (halves(&function->instructions[i]) != 1)
                continue;
            if (++candidates > MOST_CANDIDATES)
                return false;
            if (!is_search(&h, &function->instructions[i], back))
                continue;
            *entry = header->predecessors[1 - back];
            for (uint32_t p = 0; p < 2; p++)
                ends[p] = p < h.phi_count ? header->phis[h.phis[p]].inputs[1 - back] : FW_NO_INDEX;
            return true;
        }
    }
    return false;
}
