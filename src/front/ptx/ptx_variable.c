/* Variables: their declarations at module and function scope, parameters, initial values. */
#include "ptx_internal.h"

#include "checked.h"

#include <string.h>

enum { MOST_DIMENSIONS = 8, MOST_INITIAL_BYTES = 1 << 26 };

/* An initial value under construction. */
struct initial {
    struct fw_variable *variable;
    uint64_t dimensions[MOST_DIMENSIONS + 1]; /* outermost first; 0: `[]`; the vector's last */
    unsigned dimension_count;
    FW_VECTOR(uint8_t) bytes;
    FW_VECTOR(struct fw_relocation) relocations;
    FW_VECTOR(struct ptx_pending_relocation) pending;
    uint64_t elements; /* up to the last that has a value */
    bool unsized;
};

enum fw_space ptx_space(const struct ptx_reader *reader, struct ptx_token token)
{
    if (token.kind != TOKEN_DOT)
        return FW_SPACE_NONE;
    for (unsigned space = FW_SPACE_CONST; space < FW_SPACE_GENERIC; space++) {
        const char *text = fw_space_text((enum fw_space)space);
        if (strlen(text) == token.length - 1 &&
            memcmp(text, ptx_text(reader, token) + 1, token.length - 1) == 0)
            return (enum fw_space)space;
    }
    return FW_SPACE_NONE;
}

/* .attribute(.managed), .attribute(.unified(1, 2)): only managed is kept. */
bool ptx_attribute(struct ptx_reader *reader, bool *managed)
{
    unsigned open = 1;
    ptx_advance(reader);
    if (!ptx_expect(reader, '(', "'('"))
        return false;
    while (open > 0) {
        if (ptx_is(reader, ".managed"))
            *managed = true;
        if (reader->token.kind == TOKEN_END || reader->token.kind == ';')
            return ptx_unexpected(reader, "')'");
        open += reader->token.kind == '(';
        open -= reader->token.kind == ')';
        ptx_advance(reader);
    }
    return true;
}

static bool alignment(struct ptx_reader *reader, uint32_t *bytes)
{
    ptx_advance(reader);
    struct ptx_token token = reader->token;
    if (!ptx_expect_number(reader, bytes, "an alignment in bytes"))
        return false;
    if (*bytes == 0 || (*bytes & (*bytes - 1)) != 0)
        return ptx_error(reader, "PTX005", ptx_span(reader, token.offset, token.length),
                         "an alignment is a power of two");
    return true;
}

/* .ptr [.space] [.align n] */
static bool pointer(struct ptx_reader *reader, struct fw_variable *variable)
{
    ptx_advance(reader);
    variable->points_to = ptx_space(reader, reader->token);
    if (variable->points_to != FW_SPACE_NONE)
        ptx_advance(reader);
    else
        variable->points_to = FW_SPACE_GENERIC;
    return !ptx_is(reader, ".align") || alignment(reader, &variable->pointee_alignment);
}

/* .align 8 .v4 .b8 .ptr .global and the rest, in any order, up to the name. */
static bool specifiers(struct ptx_reader *reader, struct fw_variable *variable)
{
    while (reader->token.kind == TOKEN_DOT) {
        const char *text = ptx_text(reader, reader->token) + 1;
        unsigned length = reader->token.length - 1;
        enum fw_type type = fw_type_find(text, length);
        if (type != FW_TYPE_NONE) {
            variable->type = type;
            ptx_advance(reader);
        } else if (length == 2 && text[0] == 'v' && strchr("248", text[1])) {
            variable->vector = (uint8_t)(text[1] - '0');
            ptx_advance(reader);
        } else if (ptx_is(reader, ".align")) {
            if (!alignment(reader, &variable->alignment))
                return false;
        } else if (ptx_is(reader, ".ptr")) {
            if (!pointer(reader, variable))
                return false;
        } else if (ptx_is(reader, ".attribute")) {
            if (!ptx_attribute(reader, &variable->managed))
                return false;
        } else {
            return ptx_unexpected(reader, "a type");
        }
    }
    return variable->type != FW_TYPE_NONE || ptx_unexpected(reader, "a type");
}

/* [4][8] after a name.  Gives the dimensions and, in the variable, the size. */
static bool dimensions(struct ptx_reader *reader, struct initial *initial)
{
    struct fw_variable *variable = initial->variable;
    uint64_t bytes = fw_type_bytes(variable->type) * (uint64_t)variable->vector;
    while (reader->token.kind == '[') {
        uint32_t start = reader->token.offset;
        int64_t size = 0;
        ptx_advance(reader);
        if (reader->token.kind != ']' && !ptx_constant_integer(reader, &size))
            return false;
        if (!ptx_expect(reader, ']', "']'"))
            return false;
        if (initial->dimension_count == MOST_DIMENSIONS || size < 0 ||
            fw_multiply_overflows(bytes, (uint64_t)(size ? size : 1), &bytes) || bytes > INT64_MAX)
            return ptx_error(reader, "PTX011", ptx_span_since(reader, start),
                             "this dimension is negative, too large, or one too many");
        if (size == 0 && initial->dimension_count > 0)
            return ptx_error(reader, "PTX005", ptx_span_since(reader, start),
                             "only the first dimension may be left open");
        initial->unsized = initial->unsized || size == 0;
        initial->dimensions[initial->dimension_count++] = (uint64_t)size;
    }
    variable->is_array = initial->dimension_count > 0;
    variable->bytes = initial->unsized ? 0 : bytes;
    if (!variable->alignment)
        variable->alignment = fw_type_bytes(variable->type) * variable->vector;
    return true;
}

static bool declarator(struct ptx_reader *reader, struct initial *initial, struct ptx_token *name)
{
    if (!ptx_expect_name(reader, name, "the name of the variable"))
        return false;
    initial->variable->span = ptx_span(reader, name->offset, name->length);
    return dimensions(reader, initial);
}

bool ptx_variable(struct ptx_reader *reader, struct fw_variable *variable, struct ptx_token *name)
{
    struct initial initial = {.variable = variable};
    variable->vector = 1;
    variable->index = FW_NO_INDEX;
    variable->reg = FW_NO_INDEX;
    return specifiers(reader, variable) && declarator(reader, &initial, name);
}

/* One element's bytes from a constant: an f32 or f64 takes any number; other types take integers,
 * cut to their width, and 0f.. or 0d.. literals of their own width as bits.  False for the rest. */
static bool element_bits(const struct ptx_constant *constant, enum fw_type type, uint64_t *bits)
{
    unsigned size = fw_type_bytes(type);
    *bits = constant->bits;
    if (type == FW_TYPE_F32 && !(constant->is_float && constant->single)) {
        float value = (float)ptx_constant_double(constant);
        uint32_t narrow;
        memcpy(&narrow, &value, sizeof(narrow));
        *bits = narrow;
    } else if (type == FW_TYPE_F64 && !(constant->is_float && !constant->single)) {
        double value = ptx_constant_double(constant);
        memcpy(bits, &value, sizeof(*bits));
    } else if (constant->is_float && size != (constant->single ? 4u : 8u)) {
        return false;
    }
    if (size < 8)
        *bits &= (UINT64_C(1) << 8 * size) - 1;
    return true;
}

static bool element(struct ptx_reader *reader, struct initial *initial, uint64_t position)
{
    struct fw_variable *variable = initial->variable;
    unsigned size = fw_type_bytes(variable->type);
    struct ptx_constant constant;
    uint32_t start = reader->token.offset;
    if (!ptx_constant(reader, &constant))
        return false;
    if (position >= MOST_INITIAL_BYTES / size)
        return ptx_error(reader, "PTX011", ptx_span_since(reader, start),
                         "an initial value of more than %d bytes", MOST_INITIAL_BYTES);
    if (position >= initial->elements)
        initial->elements = position + 1;
    if (constant.symbol_length) {
        *FW_APPEND(reader->scratch, &initial->relocations) =
            (struct fw_relocation){.offset = position * size,
                                   .addend = (int64_t)constant.bits,
                                   .mask = constant.mask,
                                   .generic = constant.generic};
        *FW_APPEND(reader->scratch, &initial->pending) = (struct ptx_pending_relocation){
            .offset = constant.symbol, .length = constant.symbol_length};
        return true;
    }
    uint64_t bits;
    if (!element_bits(&constant, variable->type, &bits))
        return ptx_error(reader, "PTX014", ptx_span_since(reader, start),
                         "a floating-point constant cannot initialise .%s",
                         fw_type_text(variable->type));
    if (!bits)
        return true;
    while (initial->bytes.count < (position + 1) * size)
        FW_APPEND(reader->scratch, &initial->bytes);
    for (unsigned i = 0; i < size && i < 8; i++)
        initial->bytes.at[position * size + i] = (uint8_t)(bits >> 8 * i);
    return true;
}

/* Elements under dimension `level`, without it. */
static uint64_t below(const struct initial *initial, unsigned level)
{
    uint64_t product = 1;
    for (unsigned i = level + 1; i < initial->dimension_count; i++)
        product *= initial->dimensions[i];
    return product;
}

/* { .. } for the dimensions from `level` on, whose first element is `base`.  Inner brackets may be
 * left out, as in C. */
static bool elements(struct ptx_reader *reader, struct initial *initial, unsigned level,
                     uint64_t base)
{
    uint64_t at = 0, step = below(initial, level), room = step * initial->dimensions[level];
    if (!ptx_enter(reader))
        return false;
    ptx_advance(reader);
    while (reader->token.kind != '}') {
        bool nested = reader->token.kind == '{';
        if ((room && at >= room) || (nested && level + 1 >= initial->dimension_count))
            return ptx_error(reader, "PTX014", ptx_span(reader, reader->token.offset, 1),
                             "more initial values than the variable has room for");
        if (nested ? !elements(reader, initial, level + 1, base + at)
                   : !element(reader, initial, base + at))
            return false;
        at = nested ? (at / step + 1) * step : at + 1;
        if (reader->token.kind != '}' && !ptx_expect(reader, ',', "',' or '}'"))
            return false;
    }
    if (level == 0 && initial->unsized)
        initial->elements = (at + step - 1) / step * step;
    ptx_leave(reader);
    return ptx_expect(reader, '}', "'}'");
}

/* Moves what was collected into the variable. */
static bool finish_initial(struct ptx_reader *reader, struct initial *initial, uint32_t start)
{
    struct fw_variable *variable = initial->variable;
    if (initial->unsized)
        variable->bytes = initial->elements * fw_type_bytes(variable->type);
    if (initial->bytes.count) {
        if (variable->bytes > MOST_INITIAL_BYTES || initial->bytes.count > variable->bytes)
            return ptx_error(reader, "PTX011", ptx_span_since(reader, start),
                             "the variable has %llu bytes; with an initial value, at most %d",
                             (unsigned long long)variable->bytes, MOST_INITIAL_BYTES);
        uint8_t *bytes = fw_arena_alloc(reader->arena, variable->bytes);
        memcpy(bytes, initial->bytes.at, initial->bytes.count);
        variable->initial = bytes;
    }
    variable->relocation_count = (uint32_t)initial->relocations.count;
    variable->relocations =
        fw_arena_copy(reader->arena, initial->relocations.at,
                      initial->relocations.count * sizeof(*initial->relocations.at));
    for (uint32_t i = 0; i < variable->relocation_count; i++) {
        initial->pending.at[i].relocation = &variable->relocations[i];
        *FW_APPEND(reader->scratch, &reader->relocations) = initial->pending.at[i];
    }
    return true;
}

static bool initial_value(struct ptx_reader *reader, struct initial *initial)
{
    uint32_t start = reader->token.offset;
    struct fw_variable *variable = initial->variable;
    if (variable->type >= FW_TYPE_TEXREF && variable->type <= FW_TYPE_SURFREF &&
        reader->token.kind == '{')
        return ptx_skip_braces(reader); /* { filter_mode = linear, .. }: nothing that is kept */
    if (variable->vector > 1)
        initial->dimensions[initial->dimension_count++] = variable->vector;
    if (reader->token.kind != '{') {
        if (initial->dimension_count)
            return ptx_unexpected(reader, "'{'");
        return element(reader, initial, 0) && finish_initial(reader, initial, start);
    }
    if (!initial->dimension_count) { /* = {7} for a scalar */
        initial->dimensions[initial->dimension_count++] = 1;
    }
    return elements(reader, initial, 0, 0) && finish_initial(reader, initial, start);
}

/* Enters the finished variable under its name; an .extern declaration and the definition of the
 * same name are one variable. */
static bool enter(struct ptx_reader *reader, const struct fw_variable *variable,
                  struct ptx_token name)
{
    struct fw_variable *kept;
    struct ptx_symbol *before =
        reader->depth ? NULL : ptx_lookup_global(reader, ptx_text(reader, name), name.length);
    if (before && before->kind == SYMBOL_VARIABLE &&
        (before->variable->external || variable->external)) {
        const char *text = before->variable->name;
        if (variable->external)
            return true;
        *before->variable = *variable;
        before->variable->name = text;
        return true;
    }
    struct ptx_symbol *symbol = ptx_declare(reader, name, SYMBOL_VARIABLE);
    if (!symbol)
        return false;
    kept = FW_NEW(reader->arena, struct fw_variable);
    *kept = *variable;
    symbol->variable = kept;
    if (reader->depth) {
        kept->name = ptx_unique_name(reader, ptx_text(reader, name), name.length);
        *FW_APPEND(reader->scratch, &reader->locals) = kept;
    } else {
        kept->name = ptx_intern(reader, name);
        *FW_APPEND(reader->scratch, &reader->variables) = kept;
    }
    return true;
}

bool ptx_variables(struct ptx_reader *reader, int linkage)
{
    struct fw_variable common = {.space = ptx_space(reader, reader->token),
                                 .vector = 1,
                                 .index = FW_NO_INDEX,
                                 .reg = FW_NO_INDEX,
                                 .linkage = (uint8_t)linkage,
                                 .external = linkage == FW_LINKAGE_EXTERN};
    ptx_advance(reader);
    if (reader->token.kind == '[') { /* .const[2]: banks are history, and skipped */
        int64_t bank;
        ptx_advance(reader);
        if (!ptx_constant_integer(reader, &bank) || !ptx_expect(reader, ']', "']'"))
            return false;
    }
    if (!specifiers(reader, &common))
        return false;
    do {
        struct fw_variable variable = common;
        struct initial initial = {.variable = &variable};
        struct ptx_token name;
        if (!declarator(reader, &initial, &name))
            return false;
        unsigned nesting = reader->nesting;
        bool good = !ptx_accept(reader, '=') || initial_value(reader, &initial);
        reader->nesting = nesting;
        if (!good || !enter(reader, &variable, name))
            return false;
    } while (ptx_accept(reader, ','));
    return ptx_expect(reader, ';', "';' after the variable");
}

void ptx_relocations_resolve(struct ptx_reader *reader)
{
    for (size_t i = 0; i < reader->relocations.count; i++) {
        struct ptx_pending_relocation pending = reader->relocations.at[i];
        const char *name = reader->text + pending.offset;
        struct ptx_symbol *symbol = ptx_lookup_global(reader, name, pending.length);
        if (!symbol) {
            ptx_error(reader, "PTX008", ptx_span(reader, pending.offset, pending.length),
                      "no variable or function is called '%.*s'",
                      pending.length < 200 ? (int)pending.length : 200, name);
            continue;
        }
        pending.relocation->symbol = fw_map_intern(&reader->module->strings, name, pending.length);
        pending.relocation->variable = symbol->variable;
        pending.relocation->function = symbol->function;
    }
}
