/* Names: scopes of a function, registers and their ranges, labels, and what is named before it is
 * known.
 *
 * All scopes of a body are opened into the function: a register, variable or label whose name is
 * taken already gets a suffix ($1, $2, ..), so that names are unique in the function.  Registers
 * are made when they are first used: a range of a million costs nothing, and their order is that of
 * the text. */
#include "ptx_internal.h"

#include <string.h>

bool ptx_scope_open(struct ptx_reader *reader)
{
    if (reader->depth >= MOST_SCOPES)
        return ptx_error(reader, "PTX011", ptx_span(reader, reader->token.offset, 1),
                         "blocks are nested more than %d deep", MOST_SCOPES);
    reader->scopes[reader->depth++] =
        (struct ptx_scope){.names = fw_map_new(reader->temporary),
                           .ranges = fw_map_new(reader->temporary),
                           .first_pending = (uint32_t)reader->pending.count};
    return true;
}

/* Sets what waited for this label or table; false when the name is of another kind. */
static bool settle(const struct ptx_pending *pending, const struct ptx_symbol *symbol)
{
    bool label = symbol->kind == SYMBOL_LABEL;
    if (!label && symbol->kind != SYMBOL_TABLE)
        return false;
    if (pending->label) {
        *pending->label = symbol->index;
        return label;
    }
    pending->operand->kind = label ? FW_OPERAND_LABEL : FW_OPERAND_TABLE;
    pending->operand->index = symbol->index;
    pending->operand->name = NULL;
    return true;
}

static bool report_unresolved(struct ptx_reader *reader, const struct ptx_pending *pending)
{
    return ptx_error(
        reader, pending->branch ? "PTX009" : "PTX008",
        ptx_span(reader, pending->offset, pending->length),
        pending->branch ? "no label '%.*s' in this function" : "nothing is called '%.*s' here",
        pending->length < 200 ? (int)pending->length : 200, reader->text + pending->offset);
}

bool ptx_scope_close(struct ptx_reader *reader)
{
    struct ptx_scope *scope = &reader->scopes[--reader->depth];
    size_t kept = scope->first_pending;
    bool good = true;
    for (size_t i = scope->first_pending; i < reader->pending.count; i++) {
        struct ptx_pending pending = reader->pending.at[i];
        struct fw_map_entry *entry =
            fw_map_find(&scope->names, reader->text + pending.offset, pending.length);
        if (entry && settle(&pending, &reader->symbols.at[entry->value]))
            continue;
        if (reader->depth > 0)
            reader->pending.at[kept++] = pending;
        else if (pending.branch)
            good = report_unresolved(reader, &pending) && good;
        else
            *FW_APPEND(reader->scratch, &reader->pending_globals) = pending;
    }
    reader->pending.count = kept;
    return good;
}

void ptx_pend(struct ptx_reader *reader, struct ptx_pending pending)
{
    *FW_APPEND(reader->scratch, &reader->pending) = pending;
}

const char *ptx_unique_name(struct ptx_reader *reader, const char *name, size_t length)
{
    bool added;
    struct fw_map_entry *entry = fw_map_add(&reader->used, name, length, &added);
    if (added)
        return fw_arena_text(reader->arena, name, length);
    for (;;) {
        char *candidate = fw_arena_printf(reader->temporary, "%.*s$%u", (int)length, name,
                                          ++fw_map_find(&reader->used, name, length)->value);
        entry = fw_map_add(&reader->used, candidate, strlen(candidate), &added);
        if (added)
            return fw_arena_text(reader->arena, entry->key, entry->length);
    }
}

uint32_t ptx_register_new(struct ptx_reader *reader, const char *name, size_t length, int type)
{
    struct fw_register *made = FW_APPEND(reader->scratch, &reader->registers);
    made->name = ptx_unique_name(reader, name, length);
    made->type = (enum fw_type)type;
    return (uint32_t)reader->registers.count - 1;
}

/* Makes the register of a symbol on its first use. */
static void materialise(struct ptx_reader *reader, struct ptx_symbol *symbol, const char *text,
                        uint32_t length)
{
    if (symbol->kind == SYMBOL_REGISTER && symbol->index == FW_NO_INDEX)
        symbol->index = ptx_register_new(reader, text, length, symbol->type);
}

uint32_t ptx_vector_part(struct ptx_reader *reader, struct ptx_symbol *symbol, unsigned part,
                         const char *text, uint32_t length)
{
    if (symbol->parts[part] == FW_NO_INDEX) {
        /* v$x, v$y, ..: v.x is no name */
        char *name = fw_arena_printf(reader->temporary, "%.*s$%c", (int)length, text, "xyzw"[part]);
        symbol->parts[part] = ptx_register_new(reader, name, strlen(name), symbol->type);
    }
    return symbol->parts[part];
}

/* The range of `scope` that `text` is a member of: its trailing digits, all or the last few, are
 * the number. */
static const struct ptx_range *find_range(const struct ptx_reader *reader,
                                          const struct ptx_scope *scope, const char *text,
                                          uint32_t length)
{
    uint32_t first = length;
    while (first > 1 && length - first < 9 && text[first - 1] >= '0' && text[first - 1] <= '9')
        first--;
    for (; first < length; first++) {
        uint32_t number = 0;
        if (text[first] == '0' && first + 1 < length)
            continue;
        struct fw_map_entry *entry = fw_map_find(&scope->ranges, text, first);
        if (!entry)
            continue;
        for (uint32_t i = first; i < length; i++)
            number = number * 10 + (uint32_t)(text[i] - '0');
        if (number < reader->ranges.at[entry->value].count)
            return &reader->ranges.at[entry->value];
    }
    return NULL;
}

static struct ptx_symbol *symbol_new(struct ptx_reader *reader, struct ptx_scope *scope,
                                     const char *text, uint32_t length)
{
    fw_map_add(&scope->names, text, length, NULL)->value = (uint32_t)reader->symbols.count;
    struct ptx_symbol *symbol = FW_APPEND(reader->scratch, &reader->symbols);
    *symbol = (struct ptx_symbol){.index = FW_NO_INDEX,
                                  .parts = {FW_NO_INDEX, FW_NO_INDEX, FW_NO_INDEX, FW_NO_INDEX}};
    return symbol;
}

struct ptx_symbol *ptx_lookup_global(struct ptx_reader *reader, const char *text, uint32_t length)
{
    struct fw_map_entry *entry = fw_map_find(&reader->globals, text, length);
    return entry ? &reader->global_symbols.at[entry->value] : NULL;
}

struct ptx_symbol *ptx_lookup(struct ptx_reader *reader, const char *text, uint32_t length)
{
    for (unsigned i = reader->depth; i-- > 0;) {
        struct ptx_scope *scope = &reader->scopes[i];
        struct fw_map_entry *entry = fw_map_find(&scope->names, text, length);
        const struct ptx_range *range;
        if (entry) {
            struct ptx_symbol *symbol = &reader->symbols.at[entry->value];
            materialise(reader, symbol, text, length);
            return symbol;
        }
        if (scope->ranges.count && (range = find_range(reader, scope, text, length)) != NULL) {
            struct ptx_symbol *symbol = symbol_new(reader, scope, text, length);
            symbol->kind = range->vector > 1 ? SYMBOL_VECTOR : SYMBOL_REGISTER;
            symbol->type = range->type;
            symbol->vector = range->vector;
            materialise(reader, symbol, text, length);
            return symbol;
        }
    }
    return ptx_lookup_global(reader, text, length);
}

static bool report_twice(struct ptx_reader *reader, struct ptx_token name, uint32_t before)
{
    struct fw_position position = fw_span_position(ptx_span(reader, before, 0));
    return ptx_error(reader, "PTX010", ptx_span(reader, name.offset, name.length),
                     "'%.*s' is defined already, in line %u",
                     name.length < 200 ? (int)name.length : 200, ptx_text(reader, name),
                     position.line);
}

static struct ptx_symbol *declare_global(struct ptx_reader *reader, struct ptx_token name, int kind)
{
    bool added;
    struct fw_map_entry *entry =
        fw_map_add(&reader->globals, ptx_text(reader, name), name.length, &added);
    struct ptx_symbol *symbol;
    if (!added) {
        report_twice(reader, name, reader->global_symbols.at[entry->value].offset);
        return NULL;
    }
    entry->value = (uint32_t)reader->global_symbols.count;
    if (*ptx_text(reader, name) == '%')
        reader->percent_globals = true;
    symbol = FW_APPEND(reader->scratch, &reader->global_symbols);
    *symbol =
        (struct ptx_symbol){.kind = (uint8_t)kind, .index = FW_NO_INDEX, .offset = name.offset};
    return symbol;
}

struct ptx_symbol *ptx_declare(struct ptx_reader *reader, struct ptx_token name, int kind)
{
    if (!reader->depth)
        return declare_global(reader, name, kind);
    struct ptx_scope *scope = &reader->scopes[reader->depth - 1];
    struct fw_map_entry *entry = fw_map_find(&scope->names, ptx_text(reader, name), name.length);
    if (entry) {
        report_twice(reader, name, reader->symbols.at[entry->value].offset);
        return NULL;
    }
    struct ptx_symbol *symbol = symbol_new(reader, scope, ptx_text(reader, name), name.length);
    symbol->kind = (uint8_t)kind;
    symbol->offset = name.offset;
    return symbol;
}

/* Whether a register declared one by one in this scope is called as one of the range would be.  Not
 * looked for among very many names: the texts of compilers have few, and no such mistakes. */
static bool overlaps(const struct ptx_reader *reader, const struct ptx_scope *scope,
                     struct ptx_token prefix, uint64_t count)
{
    if (scope->names.count > 1000)
        return false;
    for (size_t i = 0; i < scope->names.capacity; i++) {
        const struct fw_map_entry *entry = &scope->names.entries[i];
        uint64_t number = 0;
        if (!entry->key || entry->length <= prefix.length || entry->length > prefix.length + 9 ||
            memcmp(entry->key, ptx_text(reader, prefix), prefix.length) != 0 ||
            (entry->key[prefix.length] == '0' && entry->length > prefix.length + 1))
            continue;
        const char *digit = entry->key + prefix.length;
        for (; *digit >= '0' && *digit <= '9'; digit++)
            number = number * 10 + (uint64_t)(*digit - '0');
        if (!*digit && number < count)
            return true;
    }
    return false;
}

static bool declare_range(struct ptx_reader *reader, struct ptx_token name, int type,
                          unsigned vector)
{
    struct ptx_scope *scope = &reader->scopes[reader->depth - 1];
    struct ptx_token number;
    bool added;
    ptx_advance(reader);
    number = reader->token;
    if (!ptx_expect(reader, TOKEN_INTEGER, "how many registers"))
        return false;
    if (number.bits > MOST_REGISTERS)
        return ptx_error(reader, "PTX011", ptx_span(reader, number.offset, number.length),
                         "a range of more than %d registers", MOST_REGISTERS);
    bool overlapping = overlaps(reader, scope, name, number.bits);
    struct fw_map_entry *entry =
        fw_map_add(&scope->ranges, ptx_text(reader, name), name.length, &added);
    if (!added || overlapping)
        ptx_error(reader, "PTX010", ptx_span(reader, name.offset, name.length),
                  "registers '%.*s' are declared already in this block",
                  name.length < 200 ? (int)name.length : 200, ptx_text(reader, name));
    if (!added)
        return false;
    entry->value = (uint32_t)reader->ranges.count;
    *FW_APPEND(reader->scratch, &reader->ranges) =
        (struct ptx_range){(uint8_t)type, (uint8_t)vector, (uint32_t)number.bits};
    if (overlapping)
        return false;
    return ptx_expect(reader, '>', "'>'");
}

static bool declare_single(struct ptx_reader *reader, struct ptx_token name, int type,
                           unsigned vector)
{
    struct ptx_scope *scope = &reader->scopes[reader->depth - 1];
    if (scope->ranges.count && find_range(reader, scope, ptx_text(reader, name), name.length))
        return ptx_error(reader, "PTX010", ptx_span(reader, name.offset, name.length),
                         "register '%.*s' is declared already as one of a range",
                         name.length < 200 ? (int)name.length : 200, ptx_text(reader, name));
    struct ptx_symbol *symbol =
        ptx_declare(reader, name, vector > 1 ? SYMBOL_VECTOR : SYMBOL_REGISTER);
    if (!symbol)
        return false;
    symbol->type = (uint8_t)type;
    symbol->vector = (uint8_t)vector;
    return true;
}

/* The type and vector size of a register declaration. */
static bool register_type(struct ptx_reader *reader, int *type, unsigned *vector)
{
    *vector = 1;
    if (ptx_is(reader, ".v2") || ptx_is(reader, ".v4")) {
        *vector = ptx_is(reader, ".v2") ? 2 : 4;
        ptx_advance(reader);
    }
    if (reader->token.kind == TOKEN_DOT)
        *type = (int)fw_type_find(ptx_text(reader, reader->token) + 1, reader->token.length - 1);
    if (reader->token.kind != TOKEN_DOT || *type == FW_TYPE_NONE)
        return ptx_unexpected(reader, "the type of the register");
    ptx_advance(reader);
    return true;
}

bool ptx_declare_registers(struct ptx_reader *reader)
{
    int type = FW_TYPE_NONE;
    unsigned vector;
    if (!reader->depth)
        return ptx_error(reader, "PTX005",
                         ptx_span(reader, reader->token.offset, reader->token.length),
                         "registers are declared in functions, not at module scope");
    ptx_advance(reader);
    if (!register_type(reader, &type, &vector))
        return false;
    do {
        struct ptx_token name;
        if (!ptx_expect_name(reader, &name, "the name of a register"))
            return false;
        bool good = reader->token.kind == '<' ? declare_range(reader, name, type, vector)
                                              : declare_single(reader, name, type, vector);
        if (!good)
            return false;
    } while (ptx_accept(reader, ','));
    return ptx_expect(reader, ';', "';' after the registers");
}

bool ptx_label(struct ptx_reader *reader, struct ptx_token name)
{
    struct ptx_symbol *symbol = ptx_declare(reader, name, SYMBOL_LABEL);
    if (!symbol)
        return false;
    symbol->index = (uint32_t)reader->labels.count;
    struct fw_label *label = FW_APPEND(reader->scratch, &reader->labels);
    label->name = ptx_unique_name(reader, ptx_text(reader, name), name.length);
    label->instruction = (uint32_t)reader->instructions.count;
    return true;
}

typedef void name_visitor(struct ptx_reader *reader, const char **name);

static void each_name(struct ptx_reader *reader, struct fw_function *function, name_visitor *visit)
{
    for (uint32_t i = 0; i < function->register_count; i++)
        visit(reader, &function->registers[i].name);
    for (uint32_t i = 0; i < function->label_count; i++)
        visit(reader, &function->labels[i].name);
    for (uint32_t i = 0; i < function->table_count; i++)
        visit(reader, &function->tables[i].name);
    for (uint32_t i = 0; i < function->variable_count; i++)
        visit(reader, &function->variables[i]->name);
    for (uint32_t i = 0; i < function->parameter_count; i++)
        visit(reader, &function->parameters[i].name);
    for (uint32_t i = 0; i < function->result_count; i++)
        visit(reader, &function->results[i].name);
}

static bool shadows(const struct ptx_reader *reader, const char *name)
{
    return (*name != '%' || reader->percent_globals) &&
           fw_map_find(&reader->globals, name, strlen(name));
}

static void note_shadowing(struct ptx_reader *reader, const char **name)
{
    reader->shadowing = reader->shadowing || shadows(reader, *name);
}

static void note_used(struct ptx_reader *reader, const char **name)
{
    fw_map_add(&reader->used, *name, strlen(*name), NULL);
}

static void rename_one(struct ptx_reader *reader, const char **name)
{
    const char *candidate = *name;
    while (shadows(reader, candidate))
        candidate = ptx_unique_name(reader, *name, strlen(*name));
    *name = candidate;
}

void ptx_rename_shadowing(struct ptx_reader *reader, struct fw_function *function)
{
    reader->shadowing = false;
    each_name(reader, function, note_shadowing);
    if (!reader->shadowing)
        return;
    fw_arena_reset(reader->temporary);
    reader->used = fw_map_new(reader->temporary);
    each_name(reader, function, note_used);
    each_name(reader, function, rename_one);
}
