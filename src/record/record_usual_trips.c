/* Usual trips: how often a loop is taken to run whose end data decide.
 *
 * Takes a loop's condition.  A loop over the entries of a row or a list runs FW_DEFAULT_TRIPS times
 * as the source has it: one that a compiler unrolled, or that a warp shares, goes several entries a
 * trip and runs as much less often.  What is left over for a loop before or behind an unrolled one
 * is half of that at most.  Never counts a loop whose trips are known. */
#include "record_internal.h"

#include <stdlib.h>

enum { MOST_CONDITIONS = 16, MOST_STEP = 64 };

/* The divisor that an expression is a remainder of: a and -m * floor(a / m), or the negative of
 * both; 0: it is none. */
static int64_t remainder_divisor(struct builder *b, fw_expression rest)
{
    const struct fw_expression_node node = b->pool->expressions.at[rest];
    for (uint32_t t = 0; t < node.term_count; t++) {
        int64_t divisor;
        if (node.terms[t].atom_count != 1)
            continue;
        int64_t times = node.terms[t].coefficient;
        const struct fw_atom_node floor = b->pool->atoms.at[node.terms[t].atoms[0]];
        if (floor.kind != FW_ATOM_FLOOR || !fw_expression_constant(b->pool, floor.b, &divisor) ||
            divisor < 2 || divisor > MOST_STEP || (times != divisor && times != -divisor))
            continue;
        fw_expression quotient = fw_atom_new(b->pool, FW_ATOM_FLOOR, floor.a, floor.b, 0);
        fw_expression remainder =
            fw_subtract(b->pool, floor.a, fw_scale(b->pool, quotient, divisor));
        if (times > 0)
            remainder = fw_scale(b->pool, remainder, -1);
        if (remainder == rest)
            return divisor;
    }
    return 0;
}

/* Trips by one comparison with zero; 0: it tells none. */
static double trips_of_comparison(struct builder *b, fw_expression compared, uint32_t loop,
                                  double usual)
{
    fw_expression slope, rest;
    int64_t step;
    if (!record_split_iteration(b, compared, loop, &slope, &rest) ||
        !fw_expression_constant(b->pool, slope, &step) || step == 0)
        return 0;
    int64_t divisor = step == 1 || step == -1 ? remainder_divisor(b, rest) : 0;
    if (divisor)
        return (double)divisor / 2; /* the mean from 1 to divisor - 1 */
    return step > MOST_STEP || step < -MOST_STEP || usual <= labs((long)step)
               ? 1
               : usual / (double)labs((long)step);
}

double record_usual_trips(struct builder *b, fw_condition stays, uint32_t loop, double usual)
{
    fw_condition stack[MOST_CONDITIONS];
    uint32_t count = 1;
    double least = usual;
    stack[0] = stays;
    while (count) {
        const struct fw_condition_node node = b->pool->conditions.at[stack[--count]];
        fw_expression compared = node.a;
        double trips = 0;
        switch ((enum fw_condition_kind)node.kind) {
        case FW_CONDITION_AND:
        case FW_CONDITION_OR:
            if (count + 2 > MOST_CONDITIONS)
                return usual;
            stack[count++] = node.b;
            stack[count++] = node.a;
            break;
        case FW_CONDITION_NOT:
            stack[count++] = node.a;
            break;
        case FW_CONDITION_UNSIGNED_LESS:
            compared = fw_subtract(b->pool, node.a, node.b);
            trips = trips_of_comparison(b, compared, loop, usual);
            break;
        case FW_CONDITION_POSITIVE:
        case FW_CONDITION_ZERO:
            trips = trips_of_comparison(b, compared, loop, usual);
            break;
        default:
            break;
        }
        if (trips > 0 && trips < least)
            least = trips;
    }
    return least;
}
