/* Operands: registers, immediates, symbols, addresses, vectors and pairs, nested as PTX allows. */
#include "ptx_internal.h"

#include <string.h>

static void operand_clear(struct fw_operand *operand, int kind)
{
    memset(operand, 0, sizeof(*operand));
    operand->kind = (uint8_t)kind;
    operand->index = FW_NO_INDEX;
    operand->value = FW_NO_INDEX;
}

bool ptx_is_unresolved(const struct fw_operand *operand)
{
    return operand->kind == FW_OPERAND_LABEL && operand->index == FW_NO_INDEX;
}

static bool undefined(struct ptx_reader *reader, uint32_t offset, uint32_t length)
{
    int shown = length < 200 ? (int)length : 200;
    const char *text = reader->text + offset;
    if (*text == '%')
        return ptx_error(reader, "PTX007", ptx_span(reader, offset, length),
                         "register '%.*s' is not declared", shown, text);
    return ptx_error(reader, "PTX008", ptx_span(reader, offset, length),
                     "nothing is called '%.*s' here", shown, text);
}

struct fw_operand *ptx_pop_operands(struct ptx_reader *reader, size_t base, uint16_t *count)
{
    *count = (uint16_t)(reader->operands.count - base);
    reader->operands.count = base;
    return *count ? fw_arena_copy(reader->arena, reader->operands.at + base,
                                  *count * sizeof(struct fw_operand))
                  : NULL;
}

bool ptx_operand_list(struct ptx_reader *reader, struct fw_operand *list, int close,
                      const char *what)
{
    size_t base = reader->operands.count;
    bool good = ptx_enter(reader);
    if (!good)
        return false;
    if (reader->token.kind != close) {
        do {
            struct fw_operand element;
            good = ptx_operand(reader, &element);
            if (good && ptx_is_unresolved(&element))
                good = undefined(reader, element.span.offset, element.span.length);
            if (good && reader->operands.count - base >= MOST_OPERANDS)
                good = ptx_error(reader, "PTX011", element.span, "more than %d operands",
                                 MOST_OPERANDS);
            if (good)
                *FW_APPEND(reader->scratch, &reader->operands) = element;
        } while (good && ptx_accept(reader, ','));
    }
    good = good && ptx_expect(reader, close, what);
    ptx_leave(reader);
    if (!good) {
        reader->operands.count = base;
        return false;
    }
    list->elements = ptx_pop_operands(reader, base, &list->count);
    return true;
}

/* A special register: %tid.x, %laneid; %envreg3 and its kind keep their text.  %tid alone is the
 * vector of its components. */
static bool special(struct ptx_reader *reader, struct fw_operand *operand, struct ptx_token name)
{
    static const char *const reserved[] = {"%envreg", "%pm", "%reserved_smem",
                                           "%current_graph_exec"};
    const char *text = ptx_text(reader, name);
    uint32_t length = name.length;
    struct fw_map_entry *entry;
    if (reader->token.kind == TOKEN_DOT && reader->token.offset == name.offset + length) {
        entry = fw_map_find(&reader->specials, text, length + reader->token.length);
        if (!entry)
            return false;
        ptx_advance(reader);
        operand_clear(operand, FW_OPERAND_SPECIAL);
        operand->index = entry->value;
        return true;
    }
    operand_clear(operand, FW_OPERAND_SPECIAL);
    if ((entry = fw_map_find(&reader->specials, text, length)) != NULL) {
        operand->index = entry->value;
        return true;
    }
    const char *first = fw_arena_printf(reader->temporary, "%.*s.x", (int)length, text);
    if ((entry = fw_map_find(&reader->specials, first, length + 2)) != NULL) {
        operand->kind = FW_OPERAND_VECTOR;
        operand->count = 4;
        operand->elements = FW_ARRAY(reader->arena, struct fw_operand, 4);
        for (uint32_t i = 0; i < 4; i++) {
            operand_clear(&operand->elements[i], i < 3 ? FW_OPERAND_SPECIAL : FW_OPERAND_INTEGER);
            operand->elements[i].index = i < 3 ? entry->value + i : FW_NO_INDEX;
            operand->elements[i].span = ptx_span(reader, name.offset, length);
        }
        return true;
    }
    for (unsigned i = 0; i < sizeof(reserved) / sizeof(*reserved); i++)
        if (length >= strlen(reserved[i]) && memcmp(text, reserved[i], strlen(reserved[i])) == 0) {
            operand->index = FW_SREG_RESERVED;
            operand->name = ptx_intern(reader, name);
            return true;
        }
    return false;
}

/* .b0 .. .h1 after a register of a video instruction. */
static bool selector(struct ptx_reader *reader, struct fw_operand *operand)
{
    static const char *const names[] = {"", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"};
    for (uint8_t i = 1; i < sizeof(names) / sizeof(*names); i++)
        if (ptx_is(reader, names[i])) {
            operand->selector = i;
            ptx_advance(reader);
            return true;
        }
    return ptx_unexpected(reader, "',' or ';'");
}

/* A register declared .v2 or .v4: one component, or all of them as a vector. */
static bool vector_register(struct ptx_reader *reader, struct fw_operand *operand,
                            struct ptx_symbol *symbol, struct ptx_token name)
{
    const char *text = ptx_text(reader, name);
    if (reader->token.kind == TOKEN_DOT && reader->token.length == 2) {
        char component = ptx_text(reader, reader->token)[1];
        const char *at = strchr("xyzw", component);
        unsigned which = at ? (unsigned)(at - "xyzw") : 4;
        if (!at && (at = strchr("rgba", component)) != NULL)
            which = (unsigned)(strcspn("rgba", (char[]){component, '\0'}));
        if (which >= symbol->vector)
            return ptx_unexpected(reader, "a component of this vector");
        ptx_advance(reader);
        operand->kind = FW_OPERAND_REGISTER;
        operand->index = ptx_vector_part(reader, symbol, which, text, name.length);
        return true;
    }
    operand->kind = FW_OPERAND_VECTOR;
    operand->count = symbol->vector;
    operand->elements = FW_ARRAY(reader->arena, struct fw_operand, symbol->vector);
    for (unsigned i = 0; i < symbol->vector; i++) {
        operand_clear(&operand->elements[i], FW_OPERAND_REGISTER);
        operand->elements[i].index = ptx_vector_part(reader, symbol, i, text, name.length);
    }
    return true;
}

/* A variable as source or callee's argument: its address, + n, or one of its elements. */
static bool variable(struct ptx_reader *reader, struct fw_operand *operand,
                     struct fw_variable *named)
{
    operand->kind = FW_OPERAND_SYMBOL;
    operand->variable = named;
    if (!ptx_accept(reader, '['))
        return ptx_offset(reader, &operand->immediate);
    /* name[3]: what lies there; for mov, its address */
    int64_t element;
    uint64_t size = fw_type_bytes(named->type) * (uint64_t)named->vector;
    if (reader->opcode != FW_OP_MOV && reader->opcode != FW_OP_CVTA)
        operand->kind = FW_OPERAND_ADDRESS;
    if (!ptx_constant_integer(reader, &element) || !ptx_expect(reader, ']', "']'"))
        return false;
    operand->immediate = (int64_t)((uint64_t)element * size);
    return true;
}

/* What a name stands for; an unknown one that may be a label or a later function stays open. */
static bool resolve(struct ptx_reader *reader, struct fw_operand *operand, struct ptx_token name)
{
    struct ptx_symbol *symbol = ptx_lookup(reader, ptx_text(reader, name), name.length);
    operand_clear(operand, FW_OPERAND_LABEL);
    if (!symbol && *ptx_text(reader, name) == '%')
        return special(reader, operand, name) || undefined(reader, name.offset, name.length);
    if (symbol && symbol->kind == SYMBOL_REGISTER) {
        operand->kind = FW_OPERAND_REGISTER;
        operand->index = symbol->index;
        return reader->token.kind != TOKEN_DOT || selector(reader, operand);
    }
    if (symbol && symbol->kind == SYMBOL_VECTOR)
        return vector_register(reader, operand, symbol, name);
    if (symbol && symbol->kind == SYMBOL_VARIABLE)
        return variable(reader, operand, symbol->variable);
    if (symbol && symbol->kind == SYMBOL_FUNCTION) {
        operand->kind = FW_OPERAND_FUNCTION;
        operand->name = symbol->function->name;
        return true;
    }
    /* a label of an outer block may be hidden by one further down in this block: decided later */
    operand->name = ptx_intern(reader, name);
    return true;
}

/* A constant, or symbol + constant in another order, or generic(symbol). */
static bool constant(struct ptx_reader *reader, struct fw_operand *operand)
{
    struct ptx_constant value;
    uint32_t start = reader->token.offset;
    operand_clear(operand, FW_OPERAND_INTEGER);
    if (!ptx_constant(reader, &value))
        return false;
    operand->immediate = (int64_t)value.bits;
    if (value.is_float) {
        operand->kind = FW_OPERAND_FLOAT;
        operand->single = value.single;
    }
    if (!value.symbol_length)
        return true;
    struct ptx_symbol *symbol =
        ptx_lookup(reader, reader->text + value.symbol, value.symbol_length);
    if (!symbol)
        return undefined(reader, value.symbol, value.symbol_length);
    if (symbol->kind != SYMBOL_VARIABLE || value.mask != UINT64_MAX)
        return ptx_error(reader, "PTX013", ptx_span_since(reader, start),
                         "only a variable's address is possible here");
    operand->kind = FW_OPERAND_SYMBOL;
    operand->variable = symbol->variable;
    operand->selector = value.generic ? FW_SELECT_GENERIC : FW_SELECT_ALL;
    return true;
}

/* WARP_SZ and generic(..) begin constants. */
static bool is_constant_name(const struct ptx_reader *reader, struct ptx_token token)
{
    const char *text = ptx_text(reader, token);
    return token.length == 7 &&
           (memcmp(text, "WARP_SZ", 7) == 0 || memcmp(text, "generic", 7) == 0);
}

static bool name(struct ptx_reader *reader, struct fw_operand *operand)
{
    struct ptx_token token = reader->token;
    if (is_constant_name(reader, token))
        return constant(reader, operand);
    ptx_advance(reader);
    if (token.length == 1 && *ptx_text(reader, token) == '_') {
        operand_clear(operand, FW_OPERAND_SINK);
        return true;
    }
    return resolve(reader, operand, token);
}

/* [base + 4], [base, {x, y}] */
static bool address(struct ptx_reader *reader, struct fw_operand *operand)
{
    uint32_t start;
    struct fw_operand base;
    ptx_advance(reader);
    start = reader->token.offset;
    bool good = reader->token.kind == TOKEN_NAME ? name(reader, &base) : constant(reader, &base);
    if (!good)
        return false;
    if (ptx_is_unresolved(&base))
        return undefined(reader, start, reader->previous_end - start);
    operand_clear(operand, FW_OPERAND_ADDRESS);
    operand->immediate = base.immediate;
    if (base.kind == FW_OPERAND_REGISTER && base.selector == FW_SELECT_ALL) {
        operand->index = base.index;
        if (!ptx_offset(reader, &operand->immediate))
            return false;
    } else if (base.kind == FW_OPERAND_SYMBOL || base.kind == FW_OPERAND_ADDRESS) { /* v, v[2] */
        operand->variable = base.variable;
    } else if (base.kind != FW_OPERAND_INTEGER) {
        return ptx_error(reader, "PTX005", ptx_span_since(reader, start),
                         "an address is a register, a variable or a number");
    }
    if (ptx_accept(reader, ','))
        return ptx_operand_list(reader, operand, ']', "']'");
    return ptx_expect(reader, ']', "']'");
}

/* !%p, -%r; anything else after these signs is a constant. */
static bool sign(struct ptx_reader *reader, struct fw_operand *operand)
{
    bool minus = reader->token.kind == '-';
    uint32_t start = reader->token.offset;
    struct ptx_token next = *ptx_peek(reader);
    if (next.kind != TOKEN_NAME || is_constant_name(reader, next))
        return constant(reader, operand);
    ptx_advance(reader);
    if (!name(reader, operand))
        return false;
    if (operand->kind != FW_OPERAND_REGISTER && operand->kind != FW_OPERAND_SPECIAL)
        return ptx_is_unresolved(operand)
                   ? undefined(reader, start + 1, reader->previous_end - start - 1)
                   : ptx_error(reader, "PTX005", ptx_span_since(reader, start),
                               "only a register can be negated");
    operand->negated = true;
    operand->minus = minus;
    return true;
}

static bool simple(struct ptx_reader *reader, struct fw_operand *operand)
{
    switch (reader->token.kind) {
    case TOKEN_NAME:
        return name(reader, operand);
    case '{':
        ptx_advance(reader);
        operand_clear(operand, FW_OPERAND_VECTOR);
        return ptx_operand_list(reader, operand, '}', "',' or '}'");
    case '[':
        return address(reader, operand);
    case '!':
    case '-':
        return sign(reader, operand);
    case TOKEN_INTEGER:
    case TOKEN_FLOAT:
    case '(':
    case '~':
    case '+':
        return constant(reader, operand);
    default:
        return ptx_unexpected(reader, "an operand");
    }
}

bool ptx_operand(struct ptx_reader *reader, struct fw_operand *operand)
{
    uint32_t start = reader->token.offset;
    if (!simple(reader, operand))
        return false;
    operand->span = ptx_span_since(reader, start);
    if (reader->token.kind != '|' ||
        (operand->kind != FW_OPERAND_REGISTER && operand->kind != FW_OPERAND_SINK &&
         operand->kind != FW_OPERAND_VECTOR)) /* tex: {..}|p */
        return true;
    struct fw_operand pair[2] = {*operand};
    ptx_advance(reader);
    uint32_t second = reader->token.offset;
    if (!simple(reader, &pair[1]))
        return false;
    pair[1].span = ptx_span_since(reader, second);
    if (pair[1].kind != FW_OPERAND_REGISTER && pair[1].kind != FW_OPERAND_SINK)
        return ptx_error(reader, "PTX005", pair[1].span, "a register is wanted after '|'");
    operand_clear(operand, FW_OPERAND_PAIR);
    operand->count = 2;
    operand->elements = fw_arena_copy(reader->arena, pair, sizeof(pair));
    operand->span = ptx_span_since(reader, start);
    return true;
}
