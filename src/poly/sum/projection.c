#include "summation.h"

/* Whether every pair of bounds on the column has a unit coefficient, so that the integer points
 * without it are exactly those of the rational shadow. */
static bool is_exact(const struct state *state, unsigned column)
{
    bool all_lower_units = true;
    bool all_upper_units = true;
    uint32_t lowers = 0;
    uint32_t uppers = 0;
    for (uint32_t i = 0; i < state->count; i++) {
        integer at = line_get(state->lines[i], column);
        if (integer_is_zero(at))
            continue;
        if (state->lines[i]->equality)
            return false;
        if (integer_sign(at) > 0) {
            lowers++;
            all_lower_units = all_lower_units && integer_is_unit(at);
        } else {
            uppers++;
            all_upper_units = all_upper_units && integer_is_unit(at);
        }
    }
    return !lowers || !uppers || all_lower_units || all_upper_units;
}

/* Fourier's and Motzkin's elimination; exact where is_exact said so. */
static void shadow(struct summation *s, struct state *state, unsigned column)
{
    struct work *work = s->work;
    struct state next = fw_state_new(work, state->count + 4, state->live, state->weight);
    for (uint32_t i = 0; i < state->count; i++) {
        struct line *low = state->lines[i];
        integer at_low = line_get(low, column);
        if (integer_is_zero(at_low))
            fw_state_push(work, &next, low);
        if (integer_sign(at_low) <= 0)
            continue;
        for (uint32_t j = 0; j < state->count; j++) {
            struct line *high = state->lines[j];
            integer at_high = line_get(high, column);
            if (integer_sign(at_high) < 0)
                fw_state_push(
                    work, &next,
                    fw_line_combine(work, integer_negate(work, at_high), low, at_low, high));
        }
    }
    next.live &= ~((uint64_t)1 << column);
    *state = next;
}

/* Whether the other variables leave at most one value to the column: an equality of theirs has it,
 * or two opposite lines whose range is no wider than its coefficient. */
static bool is_determined(struct summation *s, const struct state *state, unsigned column,
                          uint64_t open)
{
    struct work *work = s->work;
    for (uint32_t i = 0; i < state->count; i++) {
        const struct line *line = state->lines[i];
        if (!(line->mask >> column & 1) || (line->mask & open & ~((uint64_t)1 << column)))
            continue;
        if (line->equality)
            return true;
        for (uint32_t j = i + 1; j < state->count; j++) {
            const struct line *other = state->lines[j];
            if (!fw_line_parallel(work, line, other, -1))
                continue;
            integer range = integer_add(work, line->at[0], other->at[0]);
            if (integer_compare(work, range, integer_absolute(work, line_get(line, column))) < 0)
                return true;
        }
    }
    return false;
}

/* Uses an equality to express or simplify a variable of `open`; false when there is none. */
static bool use_open_equality(struct summation *s, struct state *state, uint64_t *open)
{
    struct work *work = s->work;
    for (uint32_t i = 0; i < state->count; i++) {
        struct line *line = state->lines[i];
        uint64_t columns = line->mask & *open;
        if (!line->equality || !columns)
            continue;
        unsigned least = (unsigned)__builtin_ctzll(columns);
        for
            EACH_COLUMN(column, columns)
        if (integer_compare(work, integer_absolute(work, line_get(line, (unsigned)column)),
                            integer_absolute(work, line_get(line, least))) < 0)
            least = (unsigned)column;
        integer coefficient = line_get(line, least);
        if (integer_is_unit(coefficient)) {
            struct line *value = fw_line_solved(work, line, least);
            state->lines[i] = state->lines[--state->count];
            fw_state_substitute(s, state, least, value);
            *open &= ~((uint64_t)1 << least);
            return true;
        }
        if ((columns & (columns - 1)) == 0)
            continue;
        unsigned other = (unsigned)__builtin_ctzll(columns & ~((uint64_t)1 << least));
        integer quotient =
            integer_floor(work, line_get(line, other), integer_absolute(work, coefficient));
        if (integer_sign(coefficient) > 0)
            quotient = integer_negate(work, quotient);
        fw_state_replace(s, state, least, other, quotient);
        return true;
    }
    return false;
}

enum projected fw_state_project(struct summation *s, struct state *state, uint64_t open)
{
    while (open) {
        work_spend(s->work, 1);
        if (!fw_state_tidy(s, state))
            return PROJECTED_EMPTY;
        if (use_open_equality(s, state, &open))
            continue;
        bool changed = false;
        for
            EACH_COLUMN(column, open)
            {
                uint64_t bit = (uint64_t)1 << column;
                if (is_exact(state, (unsigned)column))
                    shadow(s, state, (unsigned)column);
                else if (!is_determined(s, state, (unsigned)column, open))
                    continue;
                open &= ~bit;
                changed = true;
                break;
            }
        if (!changed)
            return PROJECTED_NOT;
    }
    return PROJECTED_FULLY;
}
