/* Expressions over what varies, evaluated as they are read (rank_expression.h). */
#include "rank_expression.h"
#include "checked.h"

#include <stdio.h>
#include <string.h>

enum { MOST_DEPTH = 64 };

struct reading {
    const char *text;
    size_t length, at;
    rank_lookup *lookup;
    void *user;
    struct rank_problem *problem;
    bool failed;
    unsigned skipped; /* inside of what && or || leaves out: read, not evaluated */
    unsigned depth;
};

static const struct rank_number zero = {0, 1};

static struct rank_number fail(struct reading *r, size_t at, const char *what)
{
    if (!r->failed) {
        snprintf(r->problem->text, sizeof(r->problem->text), "%s", what);
        r->problem->at = at;
    }
    r->failed = true;
    return zero;
}

static struct rank_number too_large(struct reading *r)
{
    return fail(r, r->at, "a value is beyond 64 bits");
}

static struct rank_number truth(bool holds)
{
    return (struct rank_number){holds, 1};
}

/* over / under in lowest terms, under not 0. */
static struct rank_number reduced(struct reading *r, int64_t over, int64_t under)
{
    int64_t a = over, b = under;
    while (b) {
        int64_t rest = b == -1 ? 0 : a % b;
        a = b;
        b = rest;
    }
    if (a == INT64_MIN || over == INT64_MIN || under == INT64_MIN)
        return too_large(r);
    a = a < 0 ? -a : a;
    over /= a;
    under /= a;
    return under < 0 ? (struct rank_number){-over, -under} : (struct rank_number){over, under};
}

static struct rank_number add(struct reading *r, struct rank_number a, struct rank_number b,
                              int64_t sign)
{
    int64_t left, right, over, under;
    if (fw_multiply_overflows(b.over, sign, &b.over) ||
        fw_multiply_overflows(a.over, b.under, &left) ||
        fw_multiply_overflows(b.over, a.under, &right) || fw_add_overflows(left, right, &over) ||
        fw_multiply_overflows(a.under, b.under, &under))
        return too_large(r);
    return reduced(r, over, under);
}

static struct rank_number multiply(struct reading *r, struct rank_number a, struct rank_number b)
{
    int64_t over, under;
    if (fw_multiply_overflows(a.over, b.over, &over) ||
        fw_multiply_overflows(a.under, b.under, &under))
        return too_large(r);
    return reduced(r, over, under);
}

static int64_t below(struct rank_number a)
{
    return a.over / a.under - (a.over % a.under < 0);
}

/* a / b, or of whole numbers a % b with the sign of b. */
static struct rank_number divide(struct reading *r, size_t at, struct rank_number a,
                                 struct rank_number b, bool rest)
{
    if (r->skipped)
        return zero;
    if (b.over == 0)
        return fail(r, at, "a division by 0");
    if (!rest)
        return multiply(r, a,
                        b.over < 0 ? (struct rank_number){-b.under, -b.over}
                                   : (struct rank_number){b.under, b.over});
    if (a.under != 1 || b.under != 1)
        return fail(r, at, "% takes whole numbers");
    int64_t left = b.over == -1 ? 0 : a.over % b.over;
    return (struct rank_number){left && (left < 0) != (b.over < 0) ? left + b.over : left, 1};
}

/* -1, 0 or 1. */
static int compare(struct reading *r, struct rank_number a, struct rank_number b)
{
    struct rank_number difference = add(r, a, b, -1);
    return (difference.over > 0) - (difference.over < 0);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char peek(struct reading *r)
{
    while (r->at < r->length && (r->text[r->at] == ' ' || r->text[r->at] == '\t'))
        r->at++;
    return r->at < r->length ? r->text[r->at] : '\0';
}

static bool take(struct reading *r, const char *word)
{
    size_t length = strlen(word);
    peek(r);
    if (r->length - r->at < length || strncmp(r->text + r->at, word, length) != 0)
        return false;
    r->at += length;
    return true;
}

static struct rank_number either(struct reading *r);

static struct rank_number number(struct reading *r)
{
    static const struct {
        char letter;
        int64_t factor;
    } sizes[] = {{'K', 1 << 10}, {'M', 1 << 20}, {'G', 1 << 30}};
    size_t begin = r->at;
    int64_t value = 0;
    for (; r->at < r->length && is_digit(r->text[r->at]); r->at++)
        if (fw_multiply_overflows(value, 10, &value) ||
            fw_add_overflows(value, r->text[r->at] - '0', &value))
            return too_large(r);
    for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]) && r->at < r->length; s++)
        if (r->text[r->at] == sizes[s].letter) {
            r->at++;
            if (fw_multiply_overflows(value, sizes[s].factor, &value))
                return too_large(r);
            break;
        }
    if (r->at < r->length && (is_letter(r->text[r->at]) || r->text[r->at] == '.'))
        return fail(r, begin, "numbers are whole, K, M or G behind them allowed");
    return (struct rank_number){value, 1};
}

/* ceil(a), floor(a), min(a, b), max(a, b), behind the opening bracket. */
static struct rank_number call(struct reading *r, const char *name, size_t length)
{
    bool is_min = length == 3 && strncmp(name, "min", 3) == 0;
    bool is_max = length == 3 && strncmp(name, "max", 3) == 0;
    bool is_floor = length == 5 && strncmp(name, "floor", 5) == 0;
    bool is_ceil = length == 4 && strncmp(name, "ceil", 4) == 0;
    if (!is_min && !is_max && !is_floor && !is_ceil)
        return fail(r, (size_t)(name - r->text), "the functions are ceil, floor, min and max");
    struct rank_number value = either(r);
    while ((is_min || is_max) && !r->failed && take(r, ",")) {
        struct rank_number other = either(r);
        if (compare(r, other, value) * (is_min ? -1 : 1) > 0)
            value = other;
    }
    if (!take(r, ")"))
        return fail(r, r->at, "a closing bracket is missing");
    if (is_floor || is_ceil)
        return (struct rank_number){below(value) + (is_ceil && value.under != 1), 1};
    return value;
}

static struct rank_number name(struct reading *r)
{
    size_t begin = r->at;
    struct rank_number value = zero;
    while (r->at < r->length &&
           (is_letter(r->text[r->at]) || is_digit(r->text[r->at]) || r->text[r->at] == '.'))
        r->at++;
    size_t length = r->at - begin;
    if (take(r, "("))
        return call(r, r->text + begin, length);
    if (!r->skipped && !r->lookup(r->user, &value, r->text + begin, length, r->problem)) {
        r->failed = true;
        r->problem->at = begin;
        return zero;
    }
    return value;
}

static struct rank_number factor(struct reading *r)
{
    char next = peek(r);
    struct rank_number value;
    if (r->depth >= MOST_DEPTH)
        return fail(r, r->at, "brackets are nested too deep");
    r->depth++;
    if (is_digit(next)) {
        value = number(r);
    } else if (is_letter(next)) {
        value = name(r);
    } else if (take(r, "-")) {
        value = add(r, zero, factor(r), -1);
    } else if (next == '!' && take(r, "!")) {
        value = truth(factor(r).over == 0);
    } else if (take(r, "(")) {
        value = either(r);
        if (!r->failed && !take(r, ")"))
            value = fail(r, r->at, "a closing bracket is missing");
    } else {
        value = fail(r, r->at, "a number, a name or a bracket is missing here");
    }
    r->depth--;
    return value;
}

static struct rank_number product(struct reading *r)
{
    struct rank_number value = factor(r);
    while (!r->failed) {
        peek(r); /* of what is wrong with a quotient its sign is shown */
        size_t at = r->at;
        if (take(r, "*"))
            value = multiply(r, value, factor(r));
        else if (take(r, "/"))
            value = divide(r, at, value, factor(r), false);
        else if (take(r, "%"))
            value = divide(r, at, value, factor(r), true);
        else
            break;
    }
    return value;
}

static struct rank_number sum(struct reading *r)
{
    struct rank_number value = product(r);
    while (!r->failed) {
        if (take(r, "+"))
            value = add(r, value, product(r), 1);
        else if (take(r, "-"))
            value = add(r, value, product(r), -1);
        else
            break;
    }
    return value;
}

static struct rank_number comparison(struct reading *r)
{
    struct rank_number value = sum(r);
    if (r->failed)
        return zero;
    if (take(r, "<="))
        return truth(compare(r, value, sum(r)) <= 0);
    if (take(r, ">="))
        return truth(compare(r, value, sum(r)) >= 0);
    if (take(r, "=="))
        return truth(compare(r, value, sum(r)) == 0);
    if (take(r, "!="))
        return truth(compare(r, value, sum(r)) != 0);
    if (take(r, "<"))
        return truth(compare(r, value, sum(r)) < 0);
    if (take(r, ">"))
        return truth(compare(r, value, sum(r)) > 0);
    return value;
}

static struct rank_number both(struct reading *r)
{
    struct rank_number value = comparison(r);
    while (!r->failed && take(r, "&&")) {
        bool left = value.over != 0;
        r->skipped += !left;
        value = truth(comparison(r).over != 0 && left);
        r->skipped -= !left;
    }
    return value;
}

static struct rank_number either(struct reading *r)
{
    struct rank_number value = both(r);
    while (!r->failed && take(r, "||")) {
        bool left = value.over != 0;
        r->skipped += left;
        value = truth(both(r).over != 0 || left);
        r->skipped -= left;
    }
    return value;
}

bool rank_expression(struct rank_number *value, const char *text, size_t length,
                     rank_lookup *lookup, void *user, struct rank_problem *problem)
{
    struct reading r = {
        .text = text, .length = length, .lookup = lookup, .user = user, .problem = problem};
    *value = either(&r);
    if (!r.failed && peek(&r))
        fail(&r, r.at,
             r.text[r.at] == '=' ? "'==' compares; '=' alone does not"
                                 : "an operator is missing here");
    return !r.failed;
}
