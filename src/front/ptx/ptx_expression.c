/* Constant expressions: C's operators on 64-bit integers, floating-point literals with a sign, and
 * the address of a symbol plus or minus an integer. */
#include "ptx_internal.h"

#include <string.h>

static bool expression(struct ptx_reader *reader, struct ptx_constant *value, int lowest);

/* Binary operators by binding strength, as in C. */
static int strength(int kind)
{
    switch (kind) {
    case TOKEN_EITHER:
        return 1;
    case TOKEN_BOTH:
        return 2;
    case '|':
        return 3;
    case '^':
        return 4;
    case '&':
        return 5;
    case TOKEN_EQUAL:
    case TOKEN_UNEQUAL:
        return 6;
    case '<':
    case '>':
    case TOKEN_LESS_EQUAL:
    case TOKEN_GREATER_EQUAL:
        return 7;
    case TOKEN_SHIFT_LEFT:
    case TOKEN_SHIFT_RIGHT:
        return 8;
    case '+':
    case '-':
        return 9;
    case '*':
    case '/':
    case '%':
        return 10;
    default:
        return 0;
    }
}

double ptx_constant_double(const struct ptx_constant *constant)
{
    double value;
    if (!constant->is_float)
        return constant->is_unsigned ? (double)constant->bits : (double)(int64_t)constant->bits;
    if (constant->single) {
        uint32_t bits = (uint32_t)constant->bits;
        float narrow;
        memcpy(&narrow, &bits, sizeof(narrow));
        return (double)narrow;
    }
    memcpy(&value, &constant->bits, sizeof(value));
    return value;
}

/* ( expression ), or a cast (.s64) x, (.u64) x; the bracket was taken. */
static bool bracketed(struct ptx_reader *reader, struct ptx_constant *value)
{
    bool to_signed = ptx_is(reader, ".s64"), to_unsigned = ptx_is(reader, ".u64");
    if (to_signed || to_unsigned) {
        ptx_advance(reader);
        if (!ptx_expect(reader, ')', "')'") || !expression(reader, value, 11))
            return false;
        value->is_unsigned = to_unsigned;
        return true;
    }
    return expression(reader, value, 1) && ptx_expect(reader, ')', "')'");
}

/* generic(symbol + 4), 0xff00(symbol + 4): the name or number was taken, '(' is next. */
static bool wrapped_symbol(struct ptx_reader *reader, struct ptx_constant *value)
{
    uint32_t start = reader->token.offset;
    ptx_advance(reader);
    if (!expression(reader, value, 1))
        return false;
    if (!value->symbol_length)
        return ptx_error(reader, "PTX013", ptx_span_since(reader, start),
                         "a variable or function is wanted between these brackets");
    return ptx_expect(reader, ')', "')'");
}

static bool name(struct ptx_reader *reader, struct ptx_constant *value)
{
    struct ptx_token token = reader->token;
    bool warp_size = ptx_is(reader, "WARP_SZ"), generic = ptx_is(reader, "generic");
    ptx_advance(reader);
    if (warp_size) {
        value->bits = 32;
        return true;
    }
    if (generic && reader->token.kind == '(') {
        if (!wrapped_symbol(reader, value))
            return false;
        value->generic = true;
        return true;
    }
    value->symbol = token.offset;
    value->symbol_length = token.length;
    return true;
}

static bool primary(struct ptx_reader *reader, struct ptx_constant *value)
{
    struct ptx_token token = reader->token;
    *value = (struct ptx_constant){.mask = UINT64_MAX};
    switch (token.kind) {
    case TOKEN_INTEGER:
        ptx_advance(reader);
        if (reader->token.kind == '(') {
            if (!wrapped_symbol(reader, value))
                return false;
            value->mask = token.bits;
            return true;
        }
        value->bits = token.bits;
        value->is_unsigned = token.is_unsigned;
        return true;
    case TOKEN_FLOAT:
        ptx_advance(reader);
        value->is_float = true;
        value->single = token.single;
        value->bits = token.bits;
        return true;
    case TOKEN_NAME:
        return name(reader, value);
    case '(':
        ptx_advance(reader);
        return bracketed(reader, value);
    default:
        return ptx_unexpected(reader, "a constant");
    }
}

static bool unary(struct ptx_reader *reader, struct ptx_constant *value)
{
    int sign = reader->token.kind;
    uint32_t start = reader->token.offset;
    if (sign != '-' && sign != '+' && sign != '~' && sign != '!')
        return primary(reader, value);
    ptx_advance(reader);
    if (!expression(reader, value, 11))
        return false;
    if (sign == '+')
        return true;
    if (value->symbol_length || (value->is_float && sign != '-'))
        return ptx_error(reader, "PTX013", ptx_span_since(reader, start),
                         "this operator wants an integer");
    if (value->is_float)
        value->bits ^= value->single ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
    else
        value->bits = sign == '-' ? 0 - value->bits : sign == '~' ? ~value->bits : !value->bits;
    return true;
}

/* a / b or a % b; division by zero is the caller's error.  INT64_MIN / -1 wraps. */
static uint64_t divide(uint64_t a, uint64_t b, bool is_unsigned, bool remainder)
{
    if (is_unsigned)
        return remainder ? a % b : a / b;
    if (b == UINT64_MAX)
        return remainder ? 0 : 0 - a;
    return (uint64_t)(remainder ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b);
}

static uint64_t shift(uint64_t a, uint64_t by, bool is_unsigned, bool right)
{
    if (!right)
        return by < 64 ? a << by : 0;
    if (is_unsigned)
        return by < 64 ? a >> by : 0;
    return (uint64_t)((int64_t)a >> (by < 64 ? by : 63));
}

static bool less(uint64_t a, uint64_t b, bool is_unsigned)
{
    return is_unsigned ? a < b : (int64_t)a < (int64_t)b;
}

static uint64_t integers(int kind, uint64_t a, uint64_t b, bool is_unsigned)
{
    switch (kind) {
    case TOKEN_EITHER:
        return a || b;
    case TOKEN_BOTH:
        return a && b;
    case '|':
        return a | b;
    case '^':
        return a ^ b;
    case '&':
        return a & b;
    case TOKEN_EQUAL:
        return a == b;
    case TOKEN_UNEQUAL:
        return a != b;
    case '<':
        return less(a, b, is_unsigned);
    case '>':
        return less(b, a, is_unsigned);
    case TOKEN_LESS_EQUAL:
        return !less(b, a, is_unsigned);
    case TOKEN_GREATER_EQUAL:
        return !less(a, b, is_unsigned);
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    default:
        return divide(a, b, is_unsigned, kind == '%');
    }
}

/* left = left `kind` right */
static bool combine(struct ptx_reader *reader, struct ptx_constant *left, int kind,
                    struct ptx_constant right, uint32_t start)
{
    if (left->is_float || right.is_float)
        return ptx_error(reader, "PTX013", ptx_span_since(reader, start),
                         "arithmetic on floating-point constants is not PTX");
    if (left->symbol_length || right.symbol_length) {
        if ((kind != '+' && kind != '-') || (left->symbol_length && right.symbol_length) ||
            (kind == '-' && right.symbol_length))
            return ptx_error(reader, "PTX013", ptx_span_since(reader, start),
                             "only adding or subtracting an integer is possible with an address");
        uint64_t addend = kind == '-' ? left->bits - right.bits : left->bits + right.bits;
        if (right.symbol_length)
            *left = right;
        left->bits = addend;
        return true;
    }
    if ((kind == '/' || kind == '%') && right.bits == 0)
        return ptx_error(reader, "PTX013", ptx_span_since(reader, start),
                         "division by zero in a constant");
    if (kind == TOKEN_SHIFT_LEFT || kind == TOKEN_SHIFT_RIGHT) {
        left->bits = shift(left->bits, right.bits, left->is_unsigned, kind == TOKEN_SHIFT_RIGHT);
        return true;
    }
    bool is_unsigned = left->is_unsigned || right.is_unsigned;
    left->bits = integers(kind, left->bits, right.bits, is_unsigned);
    left->is_unsigned = is_unsigned && strength(kind) != 6 && strength(kind) != 7 &&
                        kind != TOKEN_BOTH && kind != TOKEN_EITHER;
    return true;
}

/* condition ? a : b, the condition and the mark taken */
static bool choice(struct ptx_reader *reader, struct ptx_constant *value, uint32_t start)
{
    struct ptx_constant yes, no;
    if (value->is_float || value->symbol_length)
        return ptx_error(reader, "PTX013", ptx_span_since(reader, start),
                         "a condition must be an integer");
    if (!expression(reader, &yes, 0) || !ptx_expect(reader, ':', "':'") ||
        !expression(reader, &no, 0))
        return false;
    *value = value->bits ? yes : no;
    return true;
}

/* Operators that bind at least as strongly as `lowest`; 0 and 1 take the choice too. */
static bool expression(struct ptx_reader *reader, struct ptx_constant *value, int lowest)
{
    uint32_t start = reader->token.offset;
    if (!ptx_enter(reader))
        return false;
    bool good = unary(reader, value);
    while (good) {
        int kind = reader->token.kind;
        int binds = strength(kind);
        struct ptx_constant right;
        if (binds == 0 || binds < lowest)
            break;
        ptx_advance(reader);
        good = expression(reader, &right, binds + 1) && combine(reader, value, kind, right, start);
    }
    if (good && lowest <= 1 && ptx_accept(reader, '?'))
        good = choice(reader, value, start);
    ptx_leave(reader);
    return good;
}

bool ptx_constant(struct ptx_reader *reader, struct ptx_constant *constant)
{
    return expression(reader, constant, 0);
}

bool ptx_constant_integer(struct ptx_reader *reader, int64_t *value)
{
    struct ptx_constant constant;
    uint32_t start = reader->token.offset;
    if (!ptx_constant(reader, &constant))
        return false;
    if (constant.is_float || constant.symbol_length)
        return ptx_error(reader, "PTX013", ptx_span_since(reader, start), "an integer is wanted");
    *value = (int64_t)constant.bits;
    return true;
}

bool ptx_offset(struct ptx_reader *reader, int64_t *value)
{
    uint64_t sum = 0;
    while (reader->token.kind == '+' || reader->token.kind == '-') {
        bool minus = reader->token.kind == '-';
        struct ptx_constant term;
        ptx_advance(reader);
        uint32_t start = reader->token.offset;
        if (!expression(reader, &term, strength('*')))
            return false;
        if (term.is_float || term.symbol_length)
            return ptx_error(reader, "PTX013", ptx_span_since(reader, start),
                             "an integer is wanted as offset");
        sum = minus ? sum - term.bits : sum + term.bits;
    }
    *value = (int64_t)sum;
    return true;
}
