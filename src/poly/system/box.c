#include "box.h"

#include "checked.h"
#include "strip.h"
#include "quotient.h"

#include <math.h>

#define EACH_BIT(v, bits)                                                                          \
    (uint32_t v##_rest = (bits), v = 0;                                                            \
     v##_rest && ((v = (uint32_t)__builtin_ctz(v##_rest)), true); v##_rest &= v##_rest - 1)

/* What a step found out. */
enum step { STEP_FINE, STEP_EMPTY, STEP_OVERFLOW };

/* Takes a row over one variable into its bounds. */
static enum step bound(struct box *box, unsigned v, int64_t coefficient, int64_t constant,
                       bool equality)
{
    if (constant == INT64_MIN || coefficient == INT64_MIN)
        return STEP_OVERFLOW;
    if (equality && constant % coefficient)
        return STEP_EMPTY;
    if (coefficient > 0 || equality) {
        int64_t low = coefficient > 0 ? -fw_floor_quotient(constant, coefficient)
                                      : fw_floor_quotient(constant, -coefficient);
        if (!(box->has_low >> v & 1) || box->low[v] < low)
            box->low[v] = low;
        box->has_low |= (uint32_t)1 << v;
    }
    if (coefficient < 0 || equality) {
        int64_t high = coefficient < 0 ? fw_floor_quotient(constant, -coefficient)
                                       : -fw_floor_quotient(constant, coefficient);
        if (!(box->has_high >> v & 1) || box->high[v] > high)
            box->high[v] = high;
        box->has_high |= (uint32_t)1 << v;
    }
    if ((box->has_low & box->has_high) >> v & 1 && box->low[v] > box->high[v])
        return STEP_EMPTY;
    return STEP_FINE;
}

static enum step load(struct box *box, const struct fw_system *system)
{
    box->variables = system->variables;
    box->row_count = 0;
    box->gone = box->has_low = box->has_high = 0;
    box->factor = 1;
    for (uint32_t i = 0; i < system->row_count; i++) {
        const struct fw_row *source = &system->rows[i];
        struct box_row *row = &box->rows[box->row_count];
        uint32_t mask = 0;
        for (unsigned v = 0; v < system->variables; v++) {
            row->at[v] = source->coefficient[v];
            mask |= (uint32_t)(source->coefficient[v] != 0) << v;
        }
        if (!mask) {
            if (source->constant < 0 || (source->equality && source->constant))
                return STEP_EMPTY;
            continue;
        }
        if ((mask & (mask - 1)) == 0) {
            unsigned v = (unsigned)__builtin_ctz(mask);
            enum step step =
                bound(box, v, source->coefficient[v], source->constant, source->equality);
            if (step != STEP_FINE)
                return step;
            continue;
        }
        row->mask = mask;
        row->constant = source->constant;
        row->equality = source->equality;
        box->row_count++;
    }
    return STEP_FINE;
}

static void remove_row(struct box *box, unsigned place)
{
    unsigned last = --box->row_count;
    if (place == last)
        return;
    struct box_row *to = &box->rows[place];
    const struct box_row *from = &box->rows[last];
    to->constant = from->constant;
    to->mask = from->mask;
    to->equality = from->equality;
    for (unsigned v = 0; v < box->variables; v++)
        to->at[v] = from->at[v];
}

/* Drops rows that hold everywhere in the box; single-variable rows become bounds. */
static enum step settle_rows(struct box *box)
{
    for (unsigned i = 0; i < box->row_count;) {
        struct box_row *row = &box->rows[i];
        if ((row->mask & (row->mask - 1)) == 0) {
            unsigned v = (unsigned)__builtin_ctz(row->mask);
            enum step step = bound(box, v, row->at[v], row->constant, row->equality);
            if (step != STEP_FINE)
                return step;
            remove_row(box, i);
            i = 0; /* tighter bounds may decide earlier rows */
            continue;
        }
        int64_t least = row->constant;
        int64_t most = row->constant;
        bool least_known = true;
        bool most_known = true;
        for
            EACH_BIT(v, row->mask)
            {
                int64_t a = row->at[v];
                bool rising = a > 0;
                int64_t part;
                if (!((rising ? box->has_low : box->has_high) >> v & 1) ||
                    fw_multiply_overflows(a, rising ? box->low[v] : box->high[v], &part) ||
                    fw_add_overflows(least, part, &least))
                    least_known = false;
                if (!((rising ? box->has_high : box->has_low) >> v & 1) ||
                    fw_multiply_overflows(a, rising ? box->high[v] : box->low[v], &part) ||
                    fw_add_overflows(most, part, &most))
                    most_known = false;
            }
        if (most_known && (most < 0 || (row->equality && least_known && least > 0)))
            return STEP_EMPTY;
        if (least_known && least >= 0 && !row->equality) {
            remove_row(box, i);
            continue;
        }
        i++;
    }
    return STEP_FINE;
}

/* A floor that nothing else asks for: v stands in exactly two opposite rows, whose range of
 * constant width holds the same number of multiples of its coefficient everywhere. */
static bool drop_floor(struct box *box)
{
    uint32_t once = 0;
    uint32_t twice = 0;
    uint32_t more = 0;
    for (unsigned i = 0; i < box->row_count; i++) {
        more |= twice & box->rows[i].mask;
        twice |= once & box->rows[i].mask;
        once |= box->rows[i].mask;
    }
    uint32_t candidates = twice & ~more & ~(box->has_low | box->has_high);
    for
        EACH_BIT(v, candidates)
        {
            unsigned a = 0;
            while (!(box->rows[a].mask >> v & 1))
                a++;
            unsigned b = a + 1;
            while (!(box->rows[b].mask >> v & 1))
                b++;
            const struct box_row *x = &box->rows[a];
            const struct box_row *y = &box->rows[b];
            int64_t width;
            bool opposite = x->mask == y->mask && !x->equality && !y->equality;
        for
            EACH_BIT(w, x->mask)
        opposite = opposite && x->at[w] != INT64_MIN && x->at[w] == -y->at[w];
        if (!opposite || fw_add_overflows(x->constant, y->constant, &width) ||
            width >= INT64_MAX - 1 || width < 0 || (width + 1) % x->at[v] ||
            fw_multiply_overflows(box->factor,
                                  (uint64_t)((width + 1) / (x->at[v] < 0 ? -x->at[v] : x->at[v])),
                                  &box->factor))
            continue;
        box->gone |= (uint32_t)1 << v;
        remove_row(box, b);
        remove_row(box, a);
        return true;
        }
    return false;
}

/* Whether all rows with x or y have them as a multiple of x + ratio * y. */
static bool all_in_ratio(const struct box *box, unsigned x, unsigned y, int64_t ratio)
{
    for (unsigned i = 0; i < box->row_count; i++) {
        const struct box_row *row = &box->rows[i];
        bool has_x = row->mask >> x & 1;
        bool has_y = row->mask >> y & 1;
        int64_t wanted;
        if (!has_x && !has_y)
            continue;
        if (!has_x || !has_y || fw_multiply_overflows(row->at[x], ratio, &wanted) ||
            wanted != row->at[y])
            return false;
    }
    return true;
}

/* Makes x + ratio * y one variable, where |ratio| is the number of x's values: false: it is not. */
static bool merge(struct box *box, unsigned x, unsigned y, int64_t ratio)
{
    uint32_t both = (uint32_t)1 << x | (uint32_t)1 << y;
    int64_t width, low, high;
    if ((box->has_low & box->has_high & both) != both || ratio == INT64_MIN ||
        fw_subtract_overflows(box->high[x], box->low[x], &width) || width == INT64_MAX ||
        width + 1 != (ratio < 0 ? -ratio : ratio) || !all_in_ratio(box, x, y, ratio))
        return false;
    if (fw_multiply_overflows(ratio, ratio > 0 ? box->low[y] : box->high[y], &low) ||
        fw_multiply_overflows(ratio, ratio > 0 ? box->high[y] : box->low[y], &high) ||
        fw_add_overflows(low, box->low[x], &low) || fw_add_overflows(high, box->high[x], &high) ||
        low == INT64_MIN)
        return false;
    box->low[x] = low;
    box->high[x] = high;
    box->gone |= (uint32_t)1 << y;
    for (unsigned i = 0; i < box->row_count; i++)
        box->rows[i].mask &= ~((uint32_t)1 << y);
    return true;
}

/* One merge of a mixed radix, such as block * size + thread. */
static bool merge_radix(struct box *box)
{
    for (unsigned i = 0; i < box->row_count; i++) {
        const struct box_row *row = &box->rows[i];
        for
            EACH_BIT(x, row->mask)
            for
                EACH_BIT(y, row->mask & ~((uint32_t)1 << x))
                {
                    int64_t at_x = row->at[x];
                    if (at_x == -1 ? row->at[y] == INT64_MIN : row->at[y] % at_x != 0)
                        continue;
                    if (merge(box, x, y, row->at[y] / at_x))
                        return true;
                }
    }
    return false;
}

/* x = divisor * q + digit, where the rows a and b say that the digit, x + shift, is from 0 to
 * divisor - 1: when x's bounds are whole multiples, q has bounds of its own and x becomes the
 * digit.  False when the rows are not such a pair. */
static bool split_digit(struct box *box, unsigned a, unsigned b, unsigned x, unsigned q)
{
    const struct box_row *low = &box->rows[a];
    const struct box_row *high = &box->rows[b];
    uint32_t both = (uint32_t)1 << x | (uint32_t)1 << q;
    uint32_t x_bit = (uint32_t)1 << x;
    int64_t divisor = low->at[q] == INT64_MIN ? 0 : -low->at[q];
    int64_t shift = low->constant;
    int64_t width, from, to;
    if (low->mask != both || high->mask != both || low->equality || high->equality ||
        low->at[x] != 1 || high->at[x] != -1 || divisor < 2 || high->at[q] != divisor ||
        fw_add_overflows(shift, high->constant, &width) || width != divisor - 1 ||
        !(box->has_low & box->has_high & x_bit) || fw_add_overflows(box->low[x], shift, &from) ||
        fw_add_overflows(box->high[x], shift, &to) || to == INT64_MAX || from % divisor ||
        (to + 1) % divisor)
        return false;
    for (unsigned i = 0; i < box->row_count; i++) {
        struct box_row *row = &box->rows[i];
        int64_t moved, change;
        if (i == a || i == b || !(row->mask & x_bit))
            continue;
        if ((row->mask >> q & 1) || fw_multiply_overflows(row->at[x], divisor, &moved) ||
            fw_multiply_overflows(row->at[x], shift, &change) ||
            fw_subtract_overflows(row->constant, change, &change))
            return false;
    }
    for (unsigned i = 0; i < box->row_count; i++) {
        struct box_row *row = &box->rows[i];
        if (i == a || i == b || !(row->mask & x_bit))
            continue;
        row->mask |= both;
        row->constant -= row->at[x] * shift;
        row->at[q] = row->at[x] * divisor;
    }
    box->low[x] = 0;
    box->high[x] = divisor - 1;
    bound(box, q, 1, -fw_floor_quotient(from, divisor), false);
    bound(box, q, -1, fw_floor_quotient(to, divisor), false);
    remove_row(box, a > b ? a : b);
    remove_row(box, a > b ? b : a);
    return true;
}

/* One split of a variable by a floor that others ask for. */
static bool split_digits(struct box *box)
{
    for (unsigned i = 0; i < box->row_count; i++)
        for (unsigned j = 0; j < box->row_count; j++) {
            uint32_t mask = box->rows[i].mask;
            if (i == j || box->rows[j].mask != mask || __builtin_popcount(mask) != 2)
                continue;
            unsigned x = (unsigned)__builtin_ctz(mask);
            unsigned y = 31u - (unsigned)__builtin_clz(mask);
            if (split_digit(box, i, j, x, y) || split_digit(box, i, j, y, x))
                return true;
        }
    return false;
}

static struct strip_range range_of(const struct box *box, unsigned v)
{
    return (struct strip_range){box->low[v], box->high[v], box->has_low >> v & 1,
                                box->has_high >> v & 1};
}

/* Counts two variables that one row alone couples, into the result. */
static bool count_strip(mpz_ptr result, struct box *box, unsigned place)
{
    const struct box_row *row = &box->rows[place];
    uint32_t mask = row->mask;
    if (row->equality || __builtin_popcount(mask) != 2)
        return false;
    for (unsigned i = 0; i < box->row_count; i++)
        if (i != place && (box->rows[i].mask & mask))
            return false;
    unsigned x = (unsigned)__builtin_ctz(mask);
    unsigned y = 31u - (unsigned)__builtin_clz(mask);
    fw_wide count;
    if (!fw_strip_count(&count, row->at[x], row->at[y], row->constant, range_of(box, x),
                        range_of(box, y)) &&
        !fw_strip_count(&count, row->at[y], row->at[x], row->constant, range_of(box, y),
                        range_of(box, x)))
        return false;
    box->gone |= mask;
    remove_row(box, place);
    if (count <= UINT64_MAX) {
        mpz_mul_ui(result, result, (unsigned long)count);
        return true;
    }
    mpz_t factor;
    mpz_init_set_ui(factor, (unsigned long)(count >> 64));
    mpz_mul_2exp(factor, factor, 64);
    mpz_add_ui(factor, factor, (unsigned long)count);
    mpz_mul(result, result, factor);
    mpz_clear(factor);
    return true;
}

/* The product of the widths of the variables that no row has. */
static bool multiply_widths(mpz_ptr result, const struct box *box)
{
    uint64_t product = box->factor;
    for (unsigned v = 0; v < box->variables; v++) {
        uint64_t width, next;
        if ((box->gone | box->coupled) >> v & 1)
            continue;
        if (!((box->has_low & box->has_high) >> v & 1))
            return false;
        width = (uint64_t)box->high[v] - (uint64_t)box->low[v] + 1;
        if (width == 0)
            return false;
        if (fw_multiply_overflows(product, width, &next)) {
            mpz_mul_ui(result, result, product);
            next = width;
        }
        product = next;
    }
    mpz_mul_ui(result, result, product);
    return true;
}

enum box_answer fw_box_count(mpz_ptr result, struct box *box, const struct fw_system *system)
{
    enum step step = load(box, system);
    for (bool changed = true; changed && step == STEP_FINE;) {
        step = settle_rows(box);
        changed = step == STEP_FINE && box->row_count &&
                  (merge_radix(box) || drop_floor(box) || split_digits(box));
    }
    if (step == STEP_EMPTY) {
        mpz_set_ui(result, 0);
        return BOX_DONE;
    }
    if (step == STEP_OVERFLOW)
        return BOX_UNKNOWN;
    mpz_set_ui(result, 1);
    for (unsigned i = box->row_count; i-- > 0;)
        count_strip(result, box, i);
    box->coupled = 0;
    for (unsigned i = 0; i < box->row_count; i++)
        box->coupled |= box->rows[i].mask;
    if (!multiply_widths(result, box))
        return BOX_UNKNOWN;
    return box->row_count ? BOX_COUPLED : BOX_DONE;
}

/* Whether rows a and b are opposite, but for their constants, over variables of `among`, of which v
 * is the last that has no bounds. */
static bool is_floor(const struct box *box, const struct box_row *a, const struct box_row *b,
                     unsigned v, uint32_t among)
{
    const uint32_t unbounded = a->mask & ~(box->has_low & box->has_high);
    if (a->mask != b->mask || !(a->mask >> v & 1) || (a->mask & ~among) || unbounded >> v >> 1 ||
        a->equality || b->equality)
        return false;
    for
        EACH_BIT(w, a->mask)
    if (a->at[w] == INT64_MIN || a->at[w] != -b->at[w])
        return false;
    return true;
}

double fw_box_width(const struct box *box, unsigned v, uint32_t among)
{
    double least = (double)INFINITY;
    if ((box->has_low & box->has_high) >> v & 1)
        return (double)box->high[v] - (double)box->low[v] + 1;
    for (unsigned i = 0; i < box->row_count; i++)
        for (unsigned j = i + 1; j < box->row_count; j++) {
            const struct box_row *a = &box->rows[i], *b = &box->rows[j];
            if (is_floor(box, a, b, v, among))
                least = fmin(least, ceil(((double)a->constant + (double)b->constant + 1) /
                                         fabs((double)a->at[v])));
        }
    return fmax(0, least);
}

double fw_box_most(bool *exact, struct box *box, const struct fw_system *system, uint32_t kept)
{
    const uint32_t among = kept < FW_SYSTEM_VARIABLES ? ((uint32_t)1 << kept) - 1 : UINT32_MAX;
    enum step step = load(box, system);
    double most = 1;
    if (step == STEP_FINE)
        step = settle_rows(box);
    *exact = step == STEP_EMPTY || (step == STEP_FINE && !box->row_count);
    if (step == STEP_OVERFLOW)
        return (double)INFINITY;
    for (unsigned v = 0; v < kept && step == STEP_FINE; v++)
        most *= fw_box_width(box, v, among);
    return step == STEP_EMPTY ? 0 : most;
}
