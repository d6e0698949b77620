/* Runs: neighbouring lanes whose numbers are compared for equality, as where sums of the entries of
 * a row are left once a row (`__shfl_down_sync(all, row, 1) != row`).
 *
 * Who asks whether a lane's number is that of the lane so many places on has runs of equal numbers:
 * the entries of a row or a list, of which there are FW_USUAL_TRIPS.  Of n entries one after the
 * other 1 - d / n have the same row as the entry d places on. */
#include "branches_internal.h"

/* The value that a shuffle by a constant distance takes from another lane, and that distance. */
static uint32_t shuffled(const struct fw_branches *branches, uint32_t value, int64_t *distance)
{
    const struct fw_function *function = branches->function;
    const struct fw_instruction *at = branch_definition(branches, value);
    if (!at || at->opcode != FW_OP_SHFL || at->guard != FW_NO_INDEX ||
        (at->mode != FW_MODE_UP && at->mode != FW_MODE_DOWN) ||
        at->operand_count < at->destinations + 2 || function->values[value].slot != 0)
        return FW_NO_INDEX;
    const struct fw_operand *in = at->operands + at->destinations;
    return in[0].kind == FW_OPERAND_REGISTER && in[0].value != FW_NO_INDEX &&
                   branch_constant(branches, &in[1], distance)
               ? fw_ordinary_source(function, in[0].value)
               : FW_NO_INDEX;
}

double branch_same_run(const struct fw_branches *branches, const struct fw_instruction *at)
{
    const struct fw_operand *in = at->operands + at->destinations;
    uint32_t of[2];
    if ((at->compare != FW_CMP_EQ && at->compare != FW_CMP_NE) ||
        fw_type_class(at->types[at->type_count - 1]) == 'f')
        return 0;
    for (uint32_t o = 0; o < 2; o++) {
        if (in[o].kind != FW_OPERAND_REGISTER || in[o].negated || in[o].value == FW_NO_INDEX)
            return 0;
        of[o] = fw_ordinary_source(branches->function, in[o].value);
    }
    for (uint32_t o = 0; o < 2; o++) {
        int64_t distance = 0;
        if (shuffled(branches, of[o], &distance) == of[1 - o] && distance > 0 &&
            (double)distance < FW_USUAL_TRIPS)
            return 1 - (double)distance / FW_USUAL_TRIPS;
    }
    return 0;
}
