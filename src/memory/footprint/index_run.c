#include "index_run.h"

#include "checked.h"
#include "quotient.h"

struct index_step index_step_of(const struct lattice *lattice, int64_t stride)
{
    struct index_step step = {0, 0};
    if (stride)
        step.axis = lattice_axis(lattice, stride, &step.step);
    return step;
}

int64_t index_digit_stride(const struct fw_affine_floor *floors, int64_t stride, uint32_t digit)
{
    if (digit == 0)
        return stride;
    int64_t every = floors[digit - 1].every, sum = fw_saturated_multiply(stride, every);
    for (uint32_t f = 0; f < digit; f++) /* lower floors pass as often as their digits are full */
        sum = fw_saturated_add(sum, fw_saturated_multiply(floors[f].jump, every / floors[f].every));
    return sum;
}

void index_digits_find(struct index_digits *digits, const struct fw_affine_access *access,
                       const struct lattice *lattice, enum fw_floor_of of, uint32_t index,
                       int64_t stride)
{
    const struct fw_affine_floor *floors = fw_affine_floors_of(access, of, index, &digits->floors);
    digits->shift = digits->floors ? floors->shift : 0;
    for (uint32_t d = 0; d <= digits->floors; d++)
        digits->step[d] = index_step_of(lattice, index_digit_stride(floors, stride, d));
    for (uint32_t f = 0; f < digits->floors; f++)
        digits->every[f] = floors[f].every;
}

/* Boxes in the making. */
struct parts {
    struct fw_box at[2 * FW_AFFINE_FLOORS + 1];
    uint32_t count;
};

/* Adds the boxes of a run over the digits below `level`, which `by` has been extended by.
 * `whole`: one box that contains them. */
static void add_parts(struct parts *parts, const struct index_digits *digits, uint32_t level,
                      int64_t low, int64_t count, struct fw_box by, bool whole)
{
    if (level == 0) {
        index_extend(&by, &digits->step[0], low, count);
        parts->at[parts->count++] = by;
        return;
    }
    int64_t every = digits->every[level - 1];
    int64_t first = fw_floor_quotient(low, every), end = low + count;
    int64_t last = fw_floor_quotient(end - 1, every);
    struct fw_box row = by;
    if (first == last) {
        index_extend(&row, &digits->step[level], first, 1);
        add_parts(parts, digits, level - 1, low - first * every, count, row, whole);
        return;
    }
    if (!whole && low > first * every) {
        index_extend(&row, &digits->step[level], first, 1);
        add_parts(parts, digits, level - 1, low - first * every, (first + 1) * every - low, row,
                  whole);
        first++;
    }
    row = by;
    if (!whole && end < (last + 1) * every) {
        index_extend(&row, &digits->step[level], last, 1);
        add_parts(parts, digits, level - 1, 0, end - last * every, row, whole);
        last--;
    }
    if (first > last)
        return;
    index_extend(&by, &digits->step[level], first, last - first + 1);
    add_parts(parts, digits, level - 1, 0, every, by, whole);
}

void index_run_add(struct run_boxes *boxes, const struct index_digits *digits, int64_t low,
                   int64_t count)
{
    struct parts parts; /* many boxes, of which few are used */
    struct fw_box none = {{0}, {0}};
    parts.count = 0;
    add_parts(&parts, digits, digits->floors, low + digits->shift, count, none, false);
    if (boxes->count * parts.count > INDEX_RUN_BOXES) {
        parts.count = 0;
        add_parts(&parts, digits, digits->floors, low + digits->shift, count, none, true);
    }
    for (uint32_t p = 0; p < parts.count; p++) /* digit 0 counts from the shift on */
        index_extend(&parts.at[p], &digits->step[0], -digits->shift, 1);
    uint32_t before = boxes->count;
    for (uint32_t p = parts.count; p-- > 0;)
        for (uint32_t b = 0; b < before; b++) {
            struct fw_box *to = &boxes->at[p * before + b];
            *to = boxes->at[b];
            for (uint32_t a = 0; a < FW_BOX_AXES; a++) {
                to->low[a] += parts.at[p].low[a];
                to->high[a] += parts.at[p].high[a];
            }
        }
    boxes->count = before * parts.count;
}
