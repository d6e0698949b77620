/* Counts at parameter points: quickly in 64-bit numbers, else in integers of any size. */
#include "count_internal.h"
#include "checked.h"
#include "workplace.h"

#include <string.h>

enum { COLUMNS_QUICK = COLUMNS_MOST + 2, GUARDS_QUICK = 256 };

struct entry {
    int64_t factor;
    uint32_t column;
};

/* constant + sum of entries */
struct sparse {
    int64_t constant;
    const struct entry *entries;
    uint32_t count;
    bool equality;
};

struct quick_term {
    int64_t coefficient;
    uint32_t degree;
    uint16_t columns[DEGREE_MOST];
};

struct quick_leaf {
    const uint16_t *guards;
    const struct quick_term *terms;
    uint32_t guard_count;
    uint32_t term_count;
    int64_t denominator;
};

/* All leaves in 64-bit numbers; guards that several leaves share stand once. */
struct compiled {
    struct sparse *floors;
    int64_t *divisors;
    struct sparse *guards;
    uint32_t guard_count;
    struct quick_leaf *leaves;
};

static bool compile_line(struct fw_arena *arena, const struct line *line, struct sparse *sparse)
{
    struct entry *entries = FW_ARRAY(arena, struct entry, line->width);
    sparse->entries = entries;
    sparse->equality = line->equality;
    for (unsigned column = 0; column < line->width; column++) {
        if (integer_is_zero(line->at[column]))
            continue;
        if (!integer_is_small(line->at[column]))
            return false;
        int64_t value = integer_small(line->at[column]);
        if (column == 0)
            sparse->constant = value;
        else
            entries[sparse->count++] = (struct entry){value, column};
    }
    return true;
}

static bool compile_value(struct fw_arena *arena, const struct polynomial *value,
                          struct quick_leaf *leaf)
{
    struct quick_term *terms = FW_ARRAY(arena, struct quick_term, value->count);
    leaf->terms = terms;
    leaf->term_count = value->count;
    if (!integer_is_small(value->denominator))
        return false;
    leaf->denominator = integer_small(value->denominator);
    for (uint32_t i = 0; i < value->count; i++) {
        if (!integer_is_small(value->terms[i].coefficient))
            return false;
        terms[i].coefficient = integer_small(value->terms[i].coefficient);
        for (monomial columns = value->terms[i].columns; columns; columns = monomial_rest(columns))
            terms[i].columns[terms[i].degree++] = (uint16_t)monomial_first(columns);
    }
    return true;
}

/* The number of a guard among the distinct ones; GUARDS_QUICK when there are too many. */
static uint32_t number_guard(struct compiled *compiled, const struct line **known,
                             struct work *work, const struct line *guard)
{
    for (uint32_t i = 0; i < compiled->guard_count; i++)
        if (fw_line_equal(work, known[i], guard))
            return i;
    if (compiled->guard_count < GUARDS_QUICK)
        known[compiled->guard_count++] = guard;
    return compiled->guard_count - 1;
}

void fw_count_compile(struct fw_count *count)
{
    struct fw_arena *arena = count->arena;
    struct compiled *compiled = FW_NEW(arena, struct compiled);
    const struct line **known = FW_ARRAY(arena, const struct line *, GUARDS_QUICK);
    struct work *none = NULL; /* comparing needs no scratch where numbers are small */
    if (1 + count->parameter_count + count->floor_count > COLUMNS_QUICK)
        return;
    compiled->floors = FW_ARRAY(arena, struct sparse, count->floor_count + 1);
    compiled->divisors = FW_ARRAY(arena, int64_t, count->floor_count + 1);
    for (unsigned i = 0; i < count->floor_count; i++) {
        if (!compile_line(arena, count->floors[i].numerator, &compiled->floors[i]) ||
            !integer_is_small(count->floors[i].divisor))
            return;
        compiled->divisors[i] = integer_small(count->floors[i].divisor);
    }
    compiled->leaves = FW_ARRAY(arena, struct quick_leaf, count->leaf_count + 1);
    for (size_t i = 0; i < count->leaf_count; i++) {
        const struct leaf *leaf = &count->leaves[i];
        struct quick_leaf *quick = &compiled->leaves[i];
        uint16_t *guards = FW_ARRAY(arena, uint16_t, leaf->guard_count + 1);
        if (!compile_value(arena, leaf->value, quick))
            return;
        quick->guards = guards;
        quick->guard_count = leaf->guard_count;
        for (uint32_t j = 0; j < leaf->guard_count; j++) {
            struct sparse test = {0};
            if (compiled->guard_count == GUARDS_QUICK ||
                !compile_line(arena, leaf->guards[j], &test))
                return;
            guards[j] = (uint16_t)number_guard(compiled, known, none, leaf->guards[j]);
        }
    }
    compiled->guards = FW_ARRAY(arena, struct sparse, compiled->guard_count + 1);
    for (uint32_t i = 0; i < compiled->guard_count; i++)
        compile_line(arena, known[i], &compiled->guards[i]);
    count->compiled = compiled;
}

static bool sparse_value(const struct sparse *sparse, const int64_t *columns, int64_t *value)
{
    int64_t sum = sparse->constant;
    for (uint32_t i = 0; i < sparse->count; i++) {
        int64_t part;
        if (fw_multiply_overflows(sparse->entries[i].factor, columns[sparse->entries[i].column],
                                  &part) ||
            fw_add_overflows(sum, part, &sum))
            return false;
    }
    *value = sum;
    return true;
}

__extension__ typedef __int128 wide;

static bool leaf_value(const struct quick_leaf *leaf, const int64_t *columns, wide *total)
{
    wide sum = 0;
    for (uint32_t i = 0; i < leaf->term_count; i++) {
        const struct quick_term *term = &leaf->terms[i];
        int64_t product = 1;
        for (uint32_t j = 0; j < term->degree; j++)
            if (fw_multiply_overflows(product, columns[term->columns[j]], &product))
                return false;
        sum += (wide)product * term->coefficient; /* < 2^125 in size; at most 20000 of them... */
        if (sum > ((wide)1 << 125) || sum < -((wide)1 << 125))
            return false;
    }
    if (leaf->denominator != 1) {
        if (sum % leaf->denominator)
            return false;
        sum /= leaf->denominator;
    }
    *total += sum;
    return *total < ((wide)1 << 125) && *total > -((wide)1 << 125);
}

/* All of it in 64-bit numbers; false when some do not fit. */
static bool evaluate_quickly(const struct fw_count *count, const int64_t *values, wide *total)
{
    const struct compiled *compiled = count->compiled;
    int64_t columns[COLUMNS_QUICK];
    int8_t known[GUARDS_QUICK];
    unsigned parameters = count->parameter_count;
    memset(known, -1, compiled->guard_count);
    columns[0] = 1;
    for (unsigned i = 0; i < parameters; i++)
        columns[1 + i] = values[i];
    for (unsigned i = 0; i < count->floor_count; i++) {
        int64_t value;
        if (!sparse_value(&compiled->floors[i], columns, &value))
            return false;
        int64_t divisor = compiled->divisors[i];
        columns[1 + parameters + i] = value / divisor - (value % divisor < 0);
    }
    *total = 0;
    for (size_t i = 0; i < count->leaf_count; i++) {
        const struct quick_leaf *leaf = &compiled->leaves[i];
        bool holds = true;
        for (uint32_t j = 0; j < leaf->guard_count && holds; j++) {
            uint16_t guard = leaf->guards[j];
            if (known[guard] < 0) {
                int64_t value;
                if (!sparse_value(&compiled->guards[guard], columns, &value))
                    return false;
                known[guard] = compiled->guards[guard].equality ? value == 0 : value >= 0;
            }
            holds = known[guard];
        }
        if (holds && !leaf_value(leaf, columns, total))
            return false;
    }
    return true;
}

static void set_wide(mpz_ptr result, wide value)
{
    bool negative = value < 0;
    __extension__ unsigned __int128 size =
        negative ? -(unsigned __int128)value : (unsigned __int128)value;
    mpz_set_ui(result, (unsigned long)(size >> 64));
    mpz_mul_2exp(result, result, 64);
    mpz_add_ui(result, result, (unsigned long)size);
    if (negative)
        mpz_neg(result, result);
}

/* ---- in integers of any size ---- */

static integer line_value(struct work *work, const struct line *line, const integer *columns)
{
    integer sum = line->at[0];
    for (unsigned column = 1; column < line->width; column++)
        if (!integer_is_zero(line->at[column]))
            sum = integer_add(work, sum, integer_multiply(work, line->at[column], columns[column]));
    return sum;
}

/* Adds the polynomial's value to numerator / denominator. */
static struct polynomial *add_value(struct work *work, struct polynomial *total,
                                    const struct polynomial *value, const integer *columns)
{
    integer sum = {0};
    for (uint32_t i = 0; i < value->count; i++) {
        integer product = value->terms[i].coefficient;
        for (monomial left = value->terms[i].columns; left; left = monomial_rest(left))
            product = integer_multiply(work, product, columns[monomial_first(left)]);
        sum = integer_add(work, sum, product);
    }
    return fw_polynomial_add(work, total, fw_polynomial_constant(work, sum, value->denominator));
}

static struct polynomial *evaluate_leaves(struct work *work, const struct fw_count *count,
                                          const integer *values)
{
    integer columns[COLUMNS_MOST + 2];
    struct polynomial *total =
        fw_polynomial_constant(work, integer_constant(0), integer_constant(1));
    columns[0] = integer_constant(1);
    for (unsigned i = 0; i < count->parameter_count; i++)
        columns[1 + i] = values[i];
    for (unsigned i = 0; i < count->floor_count; i++)
        columns[1 + count->parameter_count + i] = integer_floor(
            work, line_value(work, count->floors[i].numerator, columns), count->floors[i].divisor);
    for (size_t i = 0; i < count->leaf_count; i++) {
        const struct leaf *leaf = &count->leaves[i];
        bool holds = true;
        for (uint32_t j = 0; j < leaf->guard_count && holds; j++) {
            int sign = integer_sign(line_value(work, leaf->guards[j], columns));
            holds = leaf->guards[j]->equality ? sign == 0 : sign >= 0;
        }
        if (holds)
            total = add_value(work, total, leaf->value, columns);
    }
    return total;
}

/* ---- kept sets ---- */

static struct line *bind_line(struct work *work, const struct line *line, unsigned variables,
                              const integer *values)
{
    struct line *bound = fw_line_new(work, variables + 1, line->equality);
    for (unsigned column = 0; column < line->width; column++)
        if (column <= variables)
            bound->at[column] = integer_add(work, bound->at[column], line->at[column]);
        else
            bound->at[0] = integer_add(
                work, bound->at[0],
                integer_multiply(work, line->at[column], values[column - variables - 1]));
    fw_line_finish(bound);
    return bound;
}

static struct domain bind(struct work *work, const struct domain *domain, const integer *values)
{
    struct domain bound = {.variables = domain->variables, .part_count = domain->part_count};
    bound.parts = FW_ARRAY(work->arena, struct part, domain->part_count + 1);
    bound.definitions =
        fw_arena_array(work->arena, domain->variables + 2, sizeof(*bound.definitions));
    for (unsigned column = 1; column <= domain->variables; column++)
        for (unsigned i = 0; i < 2; i++)
            if (domain->definitions[column][i])
                bound.definitions[column][i] =
                    bind_line(work, domain->definitions[column][i], domain->variables, values);
    for (uint32_t p = 0; p < domain->part_count; p++) {
        const struct part *from = &domain->parts[p];
        struct part *part = &bound.parts[p];
        part->basic_count = from->basic_count;
        part->basics = FW_ARRAY(work->arena, struct basic, from->basic_count + 1);
        part->weight =
            fw_polynomial_scale(work, from->weight, integer_constant(1), integer_constant(1));
        for (unsigned i = 0; i < domain->parameters; i++)
            part->weight = fw_polynomial_substitute(
                work, part->weight, 1 + domain->variables + i,
                fw_polynomial_constant(work, values[i], integer_constant(1)));
        for (uint32_t b = 0; b < from->basic_count; b++) {
            struct basic *basic = &part->basics[b];
            basic->used = from->basics[b].used;
            basic->lines = FW_ARRAY(work->arena, struct line *, from->basics[b].count + 1);
            for (; basic->count < from->basics[b].count; basic->count++)
                basic->lines[basic->count] =
                    bind_line(work, from->basics[b].lines[basic->count], domain->variables, values);
        }
    }
    return bound;
}

static enum fw_status evaluate_fully(mpz_ptr result, const struct fw_count *count,
                                     struct fw_poly *poly, const int64_t *small,
                                     mpz_srcptr const *big)
{
    enum { KEPT_BUDGET = 20000000 };
    struct work *work = &poly->work;
    fw_poly_begin(poly, KEPT_BUDGET);
    if (setjmp(work->failure)) {
        mpz_set_ui(result, 0);
        return work->status;
    }
    integer *values = FW_ARRAY(work->arena, integer, count->parameter_count + 1);
    for (unsigned i = 0; i < count->parameter_count; i++)
        values[i] = big ? fw_integer_read(work, big[i]) : integer_of(work, small[i]);
    struct polynomial *total = evaluate_leaves(work, count, values);
    for (const struct kept *kept = count->kept; kept; kept = kept->next) {
        struct domain bound = bind(work, &kept->domain, values);
        fw_summation_init(&poly->summation, work, bound.variables, 0);
        fw_domain_sum(&poly->summation, &bound);
        total = fw_polynomial_add(work, total, poly->summation.total);
    }
    integer value = {0};
    if (!polynomial_is_zero(total))
        value = integer_floor(work, total->terms[0].coefficient, total->denominator);
    fw_integer_write(result, value);
    return FW_OK;
}

enum fw_status fw_count_evaluate(mpz_ptr result, const struct fw_count *count, struct fw_poly *poly,
                                 const int64_t *values)
{
    wide total;
    if (count->kept || !count->compiled || !evaluate_quickly(count, values, &total))
        return evaluate_fully(result, count, poly, values, NULL);
    if (total <= INT64_MAX && total >= INT64_MIN)
        mpz_set_si(result, (long)total);
    else
        set_wide(result, total);
    return FW_OK;
}

enum fw_status fw_count_evaluate_big(mpz_ptr result, const struct fw_count *count,
                                     struct fw_poly *poly, mpz_srcptr const *values)
{
    return evaluate_fully(result, count, poly, NULL, values);
}
