/* Expressions in named coordinates: "x + nx*(y + ny*z) + 1".
 *
 * sum: term {(+|-) term}; term: factor {(*|/|%) factor}; factor: number, name, -factor, (sum),
 * min(sum, sum), max(sum, sum).  Division rounds down and its rest is never negative; neither may
 * have a coordinate in the divisor, nor may two factors both: addresses stay affine, but for the
 * steps that / % min and max make. */
#include "address_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 64, LONGEST = 4096, LONGEST_NAME = 64, MOST_DIGITS = 15 };

struct parsing {
    const struct meanings *names;
    const struct address_text *text;
    const char *at;
    unsigned depth;
    bool failed;
};

static void wrong(struct parsing *parsing, const char *at, size_t length, const char *why)
{
    struct fw_span span = parsing->text->span;
    size_t offset = (size_t)(at - parsing->text->text);
    if (parsing->failed)
        return;
    parsing->failed = true;
    if (offset < span.length) {
        span.offset += (uint32_t)offset;
        span.length = (uint32_t)(length ? length : 1);
    }
    fw_report(parsing->names->sink, FW_ERROR, "ADR010", span, "%s", why);
}

static void skip_space(struct parsing *parsing)
{
    while (*parsing->at == ' ' || *parsing->at == '\t')
        parsing->at++;
}

static bool take(struct parsing *parsing, char letter)
{
    skip_space(parsing);
    if (*parsing->at != letter)
        return false;
    parsing->at++;
    return true;
}

static struct meaning sum(struct parsing *parsing);

static struct meaning joined(fw_expression value, struct meaning a, struct meaning b)
{
    return (struct meaning){NULL, value, a.varies || b.varies, a.loop > b.loop ? a.loop : b.loop};
}

static struct meaning number(struct parsing *parsing)
{
    const char *begin = parsing->at;
    int64_t value = 0;
    while (isdigit((unsigned char)*parsing->at))
        value = parsing->at - begin < MOST_DIGITS ? 10 * value + (*parsing->at++ - '0')
                                                  : (parsing->at++, value);
    if (parsing->at - begin > MOST_DIGITS)
        wrong(parsing, begin, (size_t)(parsing->at - begin), "a number of more than 15 digits");
    return (struct meaning){.value = fw_constant(parsing->names->pool, value)};
}

static struct meaning extreme(struct parsing *parsing, bool least)
{
    struct fw_pool *pool = parsing->names->pool;
    struct meaning a = sum(parsing);
    if (!take(parsing, ','))
        wrong(parsing, parsing->at, 1, "min and max take two expressions, with a comma between");
    struct meaning b = sum(parsing);
    if (!take(parsing, ')'))
        wrong(parsing, parsing->at, 1, "a ) is missing here");
    return joined(least ? fw_minimum(pool, a.value, b.value) : fw_maximum(pool, a.value, b.value),
                  a, b);
}

static struct meaning no_such_name(struct parsing *parsing, const char *name, size_t length)
{
    char why[256], word[LONGEST_NAME + 1];
    const char *nearest = NULL;
    unsigned least = 3;
    snprintf(word, sizeof(word), "%.*s", (int)(length < LONGEST_NAME ? length : LONGEST_NAME),
             name);
    for (uint32_t n = 0; n < parsing->names->count; n++) {
        unsigned distance = fw_text_distance(word, parsing->names->at[n].name, least);
        if (distance < least) {
            least = distance;
            nearest = parsing->names->at[n].name;
        }
    }
    snprintf(why, sizeof(why),
             "nothing is called %s: coordinates, sizes, loops and \"let\" have names%s%.64s%s",
             word, nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
    wrong(parsing, name, length, why);
    return (struct meaning){0};
}

static struct meaning name(struct parsing *parsing)
{
    const char *begin = parsing->at;
    while (isalnum((unsigned char)*parsing->at) || *parsing->at == '_')
        parsing->at++;
    size_t length = (size_t)(parsing->at - begin);
    bool least = length == 3 && memcmp(begin, "min", 3) == 0;
    if ((least || (length == 3 && memcmp(begin, "max", 3) == 0)) && take(parsing, '('))
        return extreme(parsing, least);
    for (uint32_t n = parsing->names->count; n-- > 0;)
        if (strlen(parsing->names->at[n].name) == length &&
            memcmp(parsing->names->at[n].name, begin, length) == 0)
            return parsing->names->at[n];
    return no_such_name(parsing, begin, length);
}

static struct meaning factor(struct parsing *parsing)
{
    struct meaning result = {0};
    skip_space(parsing);
    if (parsing->failed)
        return result;
    if (++parsing->depth > DEEPEST) {
        wrong(parsing, parsing->at, 1, "brackets and signs nested too deeply");
        return result;
    }
    char letter = *parsing->at;
    if (take(parsing, '-')) {
        result = factor(parsing);
        result.value = fw_scale(parsing->names->pool, result.value, -1);
    } else if (take(parsing, '(')) {
        result = sum(parsing);
        if (!take(parsing, ')'))
            wrong(parsing, parsing->at, 1, "a ) is missing here");
    } else if (isdigit((unsigned char)letter)) {
        result = number(parsing);
    } else if (isalpha((unsigned char)letter) || letter == '_') {
        result = name(parsing);
    } else {
        wrong(parsing, parsing->at, 1,
              letter ? "a number, a name or ( should stand here" : "the expression ends too early");
    }
    parsing->depth--;
    return result;
}

/* a / b or a % b, rounded down. */
static struct meaning divided(struct parsing *parsing, struct meaning a, struct meaning b,
                              const char *sign)
{
    struct fw_pool *pool = parsing->names->pool;
    int64_t divisor;
    if (b.varies)
        wrong(parsing, sign, 1, "a divisor with a coordinate in it: addresses must be affine");
    if (fw_expression_constant(pool, b.value, &divisor) && divisor <= 0)
        wrong(parsing, sign, 1, "a divisor must be above 0");
    if (parsing->failed)
        return a;
    fw_expression quotient = fw_floor_divide(pool, a.value, b.value);
    if (*sign == '/')
        return joined(quotient, a, b);
    return joined(fw_subtract(pool, a.value, fw_multiply(pool, quotient, b.value)), a, b);
}

static struct meaning term(struct parsing *parsing)
{
    struct meaning result = factor(parsing);
    for (;;) {
        skip_space(parsing);
        const char *sign = parsing->at;
        if (parsing->failed || (*sign != '*' && *sign != '/' && *sign != '%'))
            return result;
        parsing->at++;
        struct meaning next = factor(parsing);
        if (*sign != '*') {
            result = divided(parsing, result, next, sign);
            continue;
        }
        if (result.varies && next.varies)
            wrong(parsing, sign, 1, "a product of two coordinates: addresses must be affine");
        if (!parsing->failed)
            result =
                joined(fw_multiply(parsing->names->pool, result.value, next.value), result, next);
    }
}

static struct meaning sum(struct parsing *parsing)
{
    struct fw_pool *pool = parsing->names->pool;
    struct meaning result = term(parsing);
    while (!parsing->failed) {
        if (take(parsing, '+')) {
            struct meaning next = term(parsing);
            result = joined(fw_add(pool, result.value, next.value), result, next);
        } else if (take(parsing, '-')) {
            struct meaning next = term(parsing);
            result = joined(fw_subtract(pool, result.value, next.value), result, next);
        } else {
            break;
        }
    }
    return result;
}

static struct parsing begin(const struct meanings *names, const struct address_text *text)
{
    struct parsing parsing = {names, text, text->text, 0, false};
    if (strlen(text->text) > LONGEST)
        wrong(&parsing, text->text, 1, "an expression of more than 4096 letters");
    return parsing;
}

static void end(struct parsing *parsing)
{
    skip_space(parsing);
    if (*parsing->at)
        wrong(parsing, parsing->at, 1, "the expression should have ended here");
}

bool address_evaluate(struct meaning *result, const struct meanings *names,
                      const struct address_text *text)
{
    struct parsing parsing = begin(names, text);
    if (!parsing.failed)
        *result = sum(&parsing);
    if (!parsing.failed)
        end(&parsing);
    return !parsing.failed;
}

/* Both sides of a comparison as one condition. */
static fw_condition compared(struct fw_pool *pool, fw_expression a, const char *sign, bool equal,
                             fw_expression b)
{
    fw_expression one = fw_constant(pool, 1);
    switch (*sign) {
    case '<':
        return fw_is_positive(pool, fw_subtract(pool, fw_subtract(pool, b, a), equal ? 0 : one));
    case '>':
        return fw_is_positive(pool, fw_subtract(pool, fw_subtract(pool, a, b), equal ? 0 : one));
    case '!':
        return fw_condition_not(pool, fw_is_zero(pool, fw_subtract(pool, a, b)));
    default:
        return fw_is_zero(pool, fw_subtract(pool, a, b));
    }
}

bool address_condition(fw_condition *result, uint32_t *loop, const struct meanings *names,
                       const struct address_text *text)
{
    struct parsing parsing = begin(names, text);
    if (parsing.failed)
        return false;
    struct meaning left = sum(&parsing);
    skip_space(&parsing);
    const char *sign = parsing.at;
    bool equal = *sign && sign[1] == '=';
    if (!parsing.failed && *sign != '<' && *sign != '>' &&
        !((*sign == '=' || *sign == '!') && equal))
        wrong(&parsing, sign, 1, "a condition is EXPRESSION < EXPRESSION, or <=, >, >=, ==, !=");
    if (parsing.failed)
        return false;
    parsing.at += equal ? 2 : 1;
    struct meaning right = sum(&parsing);
    if (!parsing.failed)
        end(&parsing);
    if (parsing.failed)
        return false;
    *result = compared(names->pool, left.value, sign, equal, right.value);
    *loop = left.loop > right.loop ? left.loop : right.loop;
    return true;
}
