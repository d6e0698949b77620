/* Functions: headers with parameters and directives, bodies with their blocks, tables of branch and
 * call targets. */
#include "ptx_internal.h"

#include "checked.h"

#include <string.h>

/* .param .u64 .ptr .global .align 4 name, or .reg .b32 name; fills in a list's next entry. */
static bool parameter(struct ptx_reader *reader, struct fw_variable *variable)
{
    struct ptx_token name;
    if (ptx_is(reader, ".reg"))
        variable->space = FW_SPACE_REG;
    else if (ptx_is(reader, ".param"))
        variable->space = FW_SPACE_PARAM;
    else
        return ptx_unexpected(reader, ".param or .reg");
    ptx_advance(reader);
    if (!ptx_variable(reader, variable, &name))
        return false;
    variable->name = ptx_intern(reader, name);
    return true;
}

static bool read_parameters(struct ptx_reader *reader, struct fw_variable **list, uint32_t *count)
{
    FW_VECTOR(struct fw_variable) found = {0};
    *list = NULL;
    *count = 0;
    if (!ptx_accept(reader, '('))
        return true;
    if (reader->token.kind != ')') {
        do {
            struct fw_variable variable = {0};
            if (!parameter(reader, &variable))
                return false;
            if (found.count >= MOST_OPERANDS)
                return ptx_error(reader, "PTX011", variable.span, "more than %d parameters",
                                 MOST_OPERANDS);
            variable.index = (uint32_t)found.count;
            *FW_APPEND(reader->scratch, &found) = variable;
        } while (ptx_accept(reader, ','));
    }
    if (!ptx_expect(reader, ')', "',' or ')'"))
        return false;
    *count = (uint32_t)found.count;
    *list = fw_arena_copy(reader->arena, found.at, found.count * sizeof(*found.at));
    return true;
}

/* Byte offsets of kernel parameters: each at the next multiple of its alignment. */
static void lay_out(struct fw_function *function)
{
    uint64_t end = 0;
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        struct fw_variable *variable = &function->parameters[i];
        uint64_t aligned = variable->alignment ? variable->alignment : 1;
        end = (end + aligned - 1) / aligned * aligned;
        variable->offset = end < UINT32_MAX ? (uint32_t)end : UINT32_MAX;
        if (fw_add_overflows(end, variable->bytes, &end) || end > UINT32_MAX)
            end = UINT32_MAX;
    }
    function->parameter_bytes = (uint32_t)end;
}

/* Up to three numbers with commas; what is left out is `missing`. */
static bool numbers(struct ptx_reader *reader, uint32_t *values, unsigned most, uint32_t missing)
{
    ptx_advance(reader);
    for (unsigned i = 0; i < most; i++)
        values[i] = missing;
    for (unsigned i = 0; i < most; i++)
        if ((i > 0 && !ptx_accept(reader, ',')))
            break;
        else if (!ptx_expect_number(reader, &values[i], "a number"))
            return false;
    return true;
}

/* A directive that a newer PTX may have brought: a warning; its numbers are skipped. */
static void unknown(struct ptx_reader *reader)
{
    struct ptx_token token = reader->token;
    ptx_warning(reader, "PTX006", ptx_span(reader, token.offset, token.length), NULL,
                "unknown directive '%.*s' is skipped", token.length < 200 ? (int)token.length : 200,
                ptx_text(reader, token));
    ptx_advance(reader);
    while (reader->token.kind == TOKEN_INTEGER || reader->token.kind == ',')
        ptx_advance(reader);
}

/* One directive between a function's parameters and its body. */
static bool header_directive(struct ptx_reader *reader, struct fw_function *function)
{
    uint32_t ignored[3];
    bool managed;
    if (ptx_is(reader, ".maxntid"))
        return numbers(reader, function->max_threads, 3, 1);
    if (ptx_is(reader, ".reqntid"))
        return numbers(reader, function->required_threads, 3, 1);
    if (ptx_is(reader, ".minnctapersm"))
        return numbers(reader, &function->min_blocks, 1, 0);
    if (ptx_is(reader, ".maxnctapersm")) /* deprecated; no field */
        return numbers(reader, ignored, 1, 0);
    if (ptx_is(reader, ".maxnreg"))
        return numbers(reader, &function->max_registers, 1, 0);
    if (ptx_is(reader, ".reqnctapercluster"))
        return numbers(reader, function->required_cluster, 3, 1);
    if (ptx_is(reader, ".maxclusterrank"))
        return numbers(reader, &function->max_cluster_rank, 1, 0);
    if (ptx_is(reader, ".abi_preserve") || ptx_is(reader, ".abi_preserve_control"))
        return numbers(reader, ignored, 1, 0);
    if (ptx_is(reader, ".attribute"))
        return ptx_attribute(reader, &managed);
    if (ptx_is(reader, ".pragma"))
        return ptx_directive_pragma(reader);
    if (ptx_is(reader, ".explicitcluster"))
        function->explicit_cluster = true;
    else if (ptx_is(reader, ".blocksareclusters"))
        function->blocks_are_clusters = true;
    else if (ptx_is(reader, ".noreturn"))
        function->no_return = true;
    else {
        unknown(reader);
        return true;
    }
    ptx_advance(reader);
    return true;
}

/* The labels or functions of a table, without the final ';'. */
static bool table_entries(struct ptx_reader *reader, struct fw_table *table)
{
    FW_VECTOR(struct ptx_token) names = {0};
    do {
        struct ptx_token name;
        if (!ptx_expect_name(reader, &name,
                             table->kind == FW_TABLE_BRANCHES ? "a label" : "a function"))
            return false;
        *FW_APPEND(reader->temporary, &names) = name;
    } while (ptx_accept(reader, ','));
    table->count = (uint32_t)names.count;
    if (table->kind == FW_TABLE_CALLEES) {
        table->callees = FW_ARRAY(reader->arena, const char *, names.count);
        for (size_t i = 0; i < names.count; i++)
            table->callees[i] = ptx_intern(reader, names.at[i]);
        return true;
    }
    table->labels = FW_ARRAY(reader->arena, uint32_t, names.count);
    for (size_t i = 0; i < names.count; i++)
        ptx_pend(reader, (struct ptx_pending){names.at[i].offset, names.at[i].length, true, NULL,
                                              &table->labels[i]});
    return true;
}

/* .callprototype [(results)] _ [(parameters)] [.noreturn] */
static bool prototype(struct ptx_reader *reader, struct fw_table *table)
{
    struct ptx_token name;
    struct fw_function header = {0};
    if (!read_parameters(reader, &table->results, &table->result_count) ||
        !ptx_expect_name(reader, &name, "'_'") ||
        !read_parameters(reader, &table->parameters, &table->parameter_count))
        return false;
    while (reader->token.kind == TOKEN_DOT)
        if (!header_directive(reader, &header))
            return false;
    table->no_return = header.no_return;
    return true;
}

/* name: .branchtargets a, b;  The label and the colon were taken. */
bool ptx_table(struct ptx_reader *reader, struct ptx_token name)
{
    struct fw_table table = {.kind = ptx_is(reader, ".branchtargets") ? FW_TABLE_BRANCHES
                                     : ptx_is(reader, ".calltargets") ? FW_TABLE_CALLEES
                                                                      : FW_TABLE_PROTOTYPE};
    ptx_advance(reader);
    if (!(table.kind == FW_TABLE_PROTOTYPE ? prototype(reader, &table)
                                           : table_entries(reader, &table)) ||
        !ptx_expect(reader, ';', "',' or ';'"))
        return false;
    struct ptx_symbol *symbol = ptx_declare(reader, name, SYMBOL_TABLE);
    if (!symbol)
        return false;
    symbol->index = (uint32_t)reader->tables.count;
    table.name = ptx_unique_name(reader, ptx_text(reader, name), name.length);
    *FW_APPEND(reader->scratch, &reader->tables) = table;
    return true;
}

/* Whether the token stands first on its line. */
static bool starts_line(const struct ptx_reader *reader)
{
    uint32_t at = reader->token.offset;
    while (at > 0 && (reader->text[at - 1] == ' ' || reader->text[at - 1] == '\t'))
        at--;
    return at == 0 || reader->text[at - 1] == '\n';
}

/* After an error: past the next ';', or up to a bracket that begins a line. */
static void recover(struct ptx_reader *reader, uint32_t failed_at)
{
    while (reader->token.kind != TOKEN_END) {
        if (ptx_accept(reader, ';'))
            return;
        if ((reader->token.kind == '}' || reader->token.kind == '{') && starts_line(reader) &&
            reader->token.offset > failed_at)
            return;
        ptx_advance(reader);
    }
}

static bool body_directive(struct ptx_reader *reader)
{
    if (ptx_is(reader, ".loc"))
        return ptx_directive_loc(reader);
    if (ptx_is(reader, ".reg"))
        return ptx_declare_registers(reader);
    if (ptx_is(reader, ".pragma"))
        return ptx_directive_pragma(reader);
    if (ptx_is(reader, ".file"))
        return ptx_directive_file(reader);
    if (ptx_is(reader, ".section"))
        return ptx_directive_section(reader);
    if (ptx_space(reader, reader->token) != FW_SPACE_NONE)
        return ptx_variables(reader, FW_LINKAGE_NONE);
    ptx_directive_unknown(reader);
    return true;
}

static bool body_item(struct ptx_reader *reader)
{
    switch (reader->token.kind) {
    case ';':
        ptx_advance(reader);
        return true;
    case TOKEN_DOT:
        return body_directive(reader);
    default:
        return ptx_statement(reader);
    }
}

/* From '{' to its '}'. */
static bool body(struct ptx_reader *reader)
{
    unsigned outside = reader->depth;
    uint32_t start = reader->token.offset;
    bool good = true;
    reader->rolled = false;
    do {
        uint32_t at = reader->token.offset;
        if (reader->token.kind == TOKEN_END)
            return ptx_error(reader, "PTX005", ptx_span(reader, start, 1),
                             "the body that begins here is not closed");
        if (reader->token.kind == '{') {
            if (!ptx_scope_open(reader))
                return false;
            ptx_advance(reader);
        } else if (reader->token.kind == '}') {
            good = ptx_scope_close(reader) && good;
            ptx_advance(reader);
        } else if (!body_item(reader)) {
            good = false;
            reader->nesting = 0;
            recover(reader, at);
        }
    } while (reader->depth > outside);
    return good;
}

/* Branch targets, once all labels are known. */
static void set_targets(struct ptx_reader *reader, struct fw_function *function)
{
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        struct fw_instruction *instruction = &function->instructions[i];
        if (instruction->opcode == FW_OP_BRA) {
            instruction->targets =
                fw_arena_copy(reader->arena, &instruction->operands[0].index, sizeof(uint32_t));
            instruction->target_count = 1;
        } else if (instruction->opcode == FW_OP_BRX &&
                   instruction->operands[1].kind == FW_OPERAND_TABLE) {
            const struct fw_table *table = &function->tables[instruction->operands[1].index];
            instruction->targets = table->labels;
            instruction->target_count = table->labels ? table->count : 0;
        }
    }
}

/* bra wants a label and brx a table of labels; names of the other kind were let through. */
static bool check_targets(struct ptx_reader *reader, const struct fw_function *function)
{
    bool good = true;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct fw_instruction *instruction = &function->instructions[i];
        bool wrong = (instruction->opcode == FW_OP_BRA &&
                      instruction->operands[0].kind != FW_OPERAND_LABEL) ||
                     (instruction->opcode == FW_OP_BRX && instruction->target_count == 0);
        if (wrong)
            good = ptx_error(reader, "PTX009", instruction->span, "what this branches to is no %s",
                             instruction->opcode == FW_OP_BRA ? "label" : "table of labels");
    }
    return good;
}

/* Copies what the reader collected for the function to arrays of exact size. */
static void collect(struct ptx_reader *reader, struct fw_function *function)
{
#define TAKE(field, from, counted)                                                                 \
    function->counted = (uint32_t)reader->from.count;                                              \
    function->field = fw_arena_copy(reader->arena, reader->from.at,                                \
                                    reader->from.count * sizeof(*reader->from.at))
    TAKE(registers, registers, register_count);
    TAKE(labels, labels, label_count);
    TAKE(tables, tables, table_count);
    TAKE(variables, locals, variable_count);
    TAKE(instructions, instructions, instruction_count);
#undef TAKE
    set_targets(reader, function);
}

static void begin(struct ptx_reader *reader, struct fw_function *function)
{
    reader->function = function;
    reader->file = 0;
    reader->line = 0;
    reader->call = 0;
    reader->nesting = 0;
    reader->depth = 0;
    reader->symbols.count = 0;
    reader->ranges.count = 0;
    reader->registers.count = 0;
    reader->labels.count = 0;
    reader->tables.count = 0;
    reader->locals.count = 0;
    reader->instructions.count = 0;
    reader->operands.count = 0;
    reader->pending.count = 0;
    reader->used = fw_map_new(reader->temporary);
}

/* Results and parameters become names of the outermost scope. */
static bool declare_list(struct ptx_reader *reader, struct fw_variable *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct fw_variable *variable = &list[i];
        struct ptx_token name = {
            .kind = TOKEN_NAME, .offset = variable->span.offset, .length = variable->span.length};
        bool is_register = variable->space == FW_SPACE_REG;
        struct ptx_symbol *symbol =
            ptx_declare(reader, name, is_register ? SYMBOL_REGISTER : SYMBOL_VARIABLE);
        if (!symbol)
            return false;
        if (is_register) {
            symbol->type = (uint8_t)variable->type;
            symbol->index =
                ptx_register_new(reader, variable->name, name.length, (int)variable->type);
            variable->reg = symbol->index;
        } else {
            symbol->variable = variable;
            variable->name = ptx_unique_name(reader, variable->name, name.length);
        }
    }
    return true;
}

static bool definition(struct ptx_reader *reader, struct fw_function *function)
{
    uint32_t open = reader->token.offset;
    begin(reader, function);
    bool good = ptx_scope_open(reader) &&
                declare_list(reader, function->results, function->result_count) &&
                declare_list(reader, function->parameters, function->parameter_count);
    if (!good) {
        /* go on behind the body, which would only bring errors that follow from this one */
        ptx_skip_braces(reader);
        reader->depth = 0;
        return false;
    }
    good = body(reader);
    if (reader->depth == 1)
        good = ptx_scope_close(reader) && good;
    reader->depth = 0;
    reader->function = NULL;
    if (!good)
        return false;
    if (reader->instructions.count > UINT32_MAX / 2)
        return ptx_error(reader, "PTX011", ptx_span(reader, open, 1), "too many instructions");
    collect(reader, function);
    function->has_body = true;
    return check_targets(reader, function);
}

/* The function of this name: the one declared before, or a new one. */
static struct fw_function *find_or_add(struct ptx_reader *reader, struct ptx_token name)
{
    struct ptx_symbol *symbol = ptx_lookup_global(reader, ptx_text(reader, name), name.length);
    if (symbol && symbol->kind == SYMBOL_FUNCTION)
        return symbol->function;
    symbol = ptx_declare(reader, name, SYMBOL_FUNCTION);
    if (!symbol)
        return NULL;
    struct fw_function *function = FW_NEW(reader->arena, struct fw_function);
    function->name = ptx_intern(reader, name);
    function->module = reader->module;
    symbol->function = function;
    *FW_APPEND(reader->scratch, &reader->functions) = function;
    return function;
}

/* Whether the next statement of the module begins here: old compilers end a declaration without
 * ';'. */
static bool ends_declaration(const struct ptx_reader *reader)
{
    static const char *const words[] = {".visible", ".extern", ".weak",    ".common", ".func",
                                        ".entry",   ".file",   ".section", ".alias",  ".loc"};
    for (unsigned i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (ptx_is(reader, words[i]))
            return true;
    return reader->token.kind == TOKEN_END || ptx_space(reader, reader->token) != FW_SPACE_NONE;
}

/* Everything up to the body or the ';' into `header`. */
static bool header(struct ptx_reader *reader, struct fw_function *read, struct ptx_token *name)
{
    while (reader->token.kind == TOKEN_DOT)
        if (!header_directive(reader, read))
            return false;
    if (!read_parameters(reader, &read->results, &read->result_count) ||
        !ptx_expect_name(reader, name, "the name of the function") ||
        !read_parameters(reader, &read->parameters, &read->parameter_count))
        return false;
    while (reader->token.kind == TOKEN_DOT && !ends_declaration(reader))
        if (!header_directive(reader, read))
            return false;
    return true;
}

bool ptx_function(struct ptx_reader *reader, int linkage)
{
    struct fw_function read = {.is_entry = ptx_is(reader, ".entry"), .linkage = (uint8_t)linkage};
    struct ptx_token name;
    ptx_advance(reader);
    if (!header(reader, &read, &name))
        return false;
    struct fw_function *function = find_or_add(reader, name);
    bool has_body = reader->token.kind == '{';
    if (function && has_body && function->has_body)
        ptx_error(reader, "PTX010", ptx_span(reader, name.offset, name.length),
                  "function '%s' has a body already", function->name);
    if (!function || (has_body && function->has_body)) {
        if (has_body)
            ptx_skip_braces(reader);
        return false;
    }
    if (!function->has_body) {
        read.name = function->name;
        read.module = function->module;
        read.span = ptx_span(reader, name.offset, name.length);
        *function = read;
        if (function->is_entry)
            lay_out(function);
    }
    if (has_body)
        return definition(reader, function);
    return ends_declaration(reader) || ptx_expect(reader, ';', "'{' or ';'");
}
