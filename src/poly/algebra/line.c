#include "line.h"

/* An odd multiplier for each column (splitmix64's finaliser): hashes are sums of products. */
static uint64_t column_key(unsigned column)
{
    uint64_t z = (column + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) | 1;
}

struct line *fw_line_new(struct work *work, unsigned width, bool equality)
{
    struct line *line = fw_arena_alloc(work->arena, sizeof(struct line) + width * sizeof(integer));
    line->width = (uint16_t)width;
    line->equality = equality;
    return line;
}

void fw_line_finish(struct line *line)
{
    uint64_t mask = 0;
    uint64_t hash = 0;
    for (unsigned column = 1; column < line->width; column++) {
        if (integer_is_zero(line->at[column]))
            continue;
        if (column < 64)
            mask |= (uint64_t)1 << column;
        hash += fw_integer_hash(line->at[column]) * column_key(column);
    }
    line->mask = mask;
    line->hash = hash;
}

void fw_line_reduce(struct work *work, struct line *line)
{
    integer divisor = {0};
    for (unsigned column = line->width; column-- > 0;) {
        if (integer_is_zero(line->at[column]))
            continue;
        divisor = integer_gcd(work, divisor, line->at[column]);
        if (integer_is(divisor, 1))
            break;
    }
    if (!integer_is(divisor, 1) && !integer_is_zero(divisor))
        for (unsigned column = 0; column < line->width; column++)
            line->at[column] = integer_floor(work, line->at[column], divisor);
    fw_line_finish(line);
}

struct line *fw_line_combine(struct work *work, integer a, const struct line *x, integer b,
                             const struct line *y)
{
    unsigned width = x->width > y->width ? x->width : y->width;
    struct line *line = fw_line_new(work, width, false);
    for (unsigned column = 0; column < width; column++)
        line->at[column] = integer_add(work, integer_multiply(work, a, line_get(x, column)),
                                       integer_multiply(work, b, line_get(y, column)));
    fw_line_finish(line);
    return line;
}

static struct line *copy(struct work *work, const struct line *line)
{
    struct line *result =
        fw_arena_copy(work->arena, line, sizeof(struct line) + line->width * sizeof(integer));
    return result;
}

struct line *fw_line_shift(struct work *work, const struct line *x, integer amount)
{
    struct line *line = copy(work, x);
    line->at[0] = integer_add(work, line->at[0], amount);
    return line;
}

struct line *fw_line_shear(struct work *work, struct line *line, unsigned target, unsigned source,
                           integer factor)
{
    integer coefficient = line_get(line, source);
    if (integer_is_zero(coefficient))
        return line;
    struct line *result;
    if (target < line->width) {
        result = copy(work, line);
    } else {
        result = fw_line_new(work, target + 1, line->equality);
        for (unsigned column = 0; column < line->width; column++)
            result->at[column] = line->at[column];
    }
    result->at[target] =
        integer_add(work, result->at[target], integer_multiply(work, factor, coefficient));
    fw_line_finish(result);
    return result;
}

struct line *fw_line_substitute(struct work *work, struct line *line, unsigned column,
                                const struct line *value)
{
    integer coefficient = line_get(line, column);
    if (integer_is_zero(coefficient))
        return line;
    bool equality = line->equality;
    unsigned width = line->width > value->width ? line->width : value->width;
    struct line *result = fw_line_new(work, width, equality);
    for (unsigned other = 0; other < width; other++) {
        integer old = other == column ? (integer){0} : line_get(line, other);
        result->at[other] =
            integer_add(work, old, integer_multiply(work, coefficient, line_get(value, other)));
    }
    fw_line_finish(result);
    return result;
}

struct line *fw_line_stretch(struct work *work, struct line *line, unsigned column, integer scale,
                             integer shift)
{
    integer coefficient = line_get(line, column);
    if (integer_is_zero(coefficient))
        return line;
    struct line *result = copy(work, line);
    result->at[column] = integer_multiply(work, coefficient, scale);
    result->at[0] = integer_add(work, result->at[0], integer_multiply(work, coefficient, shift));
    fw_line_finish(result);
    return result;
}

bool fw_line_parallel(struct work *work, const struct line *x, const struct line *y, int sign)
{
    if (sign > 0 ? x->hash != y->hash : x->hash != -y->hash)
        return false;
    if (x->mask != y->mask)
        return false;
    unsigned width = x->width > y->width ? x->width : y->width;
    for (unsigned column = 1; column < width; column++) {
        integer a = line_get(x, column);
        integer b = line_get(y, column);
        if (sign < 0)
            b = integer_negate(work, b);
        if (a.word != b.word && integer_compare(work, a, b) != 0)
            return false;
    }
    return true;
}

bool fw_line_equal(struct work *work, const struct line *x, const struct line *y)
{
    return x->equality == y->equality && integer_compare(work, x->at[0], y->at[0]) == 0 &&
           fw_line_parallel(work, x, y, 1);
}

struct line *fw_line_map(struct work *work, const struct line *line, const uint16_t *map)
{
    unsigned width = 1;
    for (unsigned column = 0; column < line->width; column++)
        if (!integer_is_zero(line->at[column]) && map[column] >= width)
            width = map[column] + 1u;
    struct line *result = fw_line_new(work, width, line->equality);
    for (unsigned column = 0; column < line->width; column++)
        if (!integer_is_zero(line->at[column]))
            result->at[map[column]] = fw_integer_copy(work, line->at[column]);
    fw_line_finish(result);
    return result;
}
