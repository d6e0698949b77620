/* The IR as PTX text.  What front/ptx reads of it is the same module again. */
#include "ir.h"

#include <inttypes.h>
#include <string.h>

static void put(struct fw_buffer *buffer, const char *text)
{
    fw_buffer_add(buffer, text, strlen(text));
}

static void put_operand(struct fw_buffer *buffer, const struct fw_function *function,
                        const struct fw_operand *operand);

static void put_elements(struct fw_buffer *buffer, const struct fw_function *function,
                         const struct fw_operand *operand, const char *between)
{
    for (unsigned i = 0; i < operand->count; i++) {
        if (i > 0)
            put(buffer, between);
        put_operand(buffer, function, &operand->elements[i]);
    }
}

/* +4, +-4 (ptxas does not take -4), or nothing */
static void put_offset(struct fw_buffer *buffer, int64_t offset)
{
    if (offset)
        fw_buffer_printf(buffer, "+%" PRId64, offset);
}

static void put_symbol(struct fw_buffer *buffer, const struct fw_operand *operand)
{
    if (operand->selector == FW_SELECT_GENERIC) {
        fw_buffer_printf(buffer, "generic(%s)", operand->variable->name);
    } else {
        put(buffer, operand->variable->name);
    }
    put_offset(buffer, operand->immediate);
}

static void put_address(struct fw_buffer *buffer, const struct fw_function *function,
                        const struct fw_operand *operand)
{
    put(buffer, "[");
    if (operand->index != FW_NO_INDEX)
        put(buffer, function->registers[operand->index].name);
    else if (operand->variable)
        put(buffer, operand->variable->name);
    if (operand->index != FW_NO_INDEX || operand->variable)
        put_offset(buffer, operand->immediate);
    else
        fw_buffer_printf(buffer, "%" PRIu64, (uint64_t)operand->immediate);
    if (operand->count)
        put(buffer, ", ");
    put_elements(buffer, function, operand, ", ");
    put(buffer, "]");
}

static void put_special(struct fw_buffer *buffer, const struct fw_operand *operand)
{
    static const char *const names[] = {
#define X(name, text) text,
        FW_SPECIALS(X)
#undef X
    };
    put(buffer, operand->index == FW_SREG_RESERVED && operand->name ? operand->name
                                                                    : names[operand->index]);
}

static void put_register(struct fw_buffer *buffer, const struct fw_function *function,
                         const struct fw_operand *operand)
{
    static const char *const selectors[] = {"", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1", ""};
    put(buffer, function->registers[operand->index].name);
    put(buffer, selectors[operand->selector]);
}

static void put_operand(struct fw_buffer *buffer, const struct fw_function *function,
                        const struct fw_operand *operand)
{
    if (operand->negated)
        put(buffer, operand->minus ? "-" : "!");
    switch (operand->kind) {
    case FW_OPERAND_SINK:
        put(buffer, "_");
        break;
    case FW_OPERAND_REGISTER:
        put_register(buffer, function, operand);
        break;
    case FW_OPERAND_INTEGER:
        fw_buffer_printf(buffer, "%" PRId64, operand->immediate);
        break;
    case FW_OPERAND_FLOAT:
        if (operand->single)
            fw_buffer_printf(buffer, "0f%08" PRIX32, (uint32_t)operand->immediate);
        else
            fw_buffer_printf(buffer, "0d%016" PRIX64, (uint64_t)operand->immediate);
        break;
    case FW_OPERAND_SPECIAL:
        put_special(buffer, operand);
        break;
    case FW_OPERAND_SYMBOL:
        put_symbol(buffer, operand);
        break;
    case FW_OPERAND_FUNCTION:
        put(buffer, operand->name);
        break;
    case FW_OPERAND_LABEL:
        put(buffer, function->labels[operand->index].name);
        break;
    case FW_OPERAND_TABLE:
        put(buffer, function->tables[operand->index].name);
        break;
    case FW_OPERAND_ADDRESS:
        put_address(buffer, function, operand);
        break;
    case FW_OPERAND_VECTOR:
        put(buffer, "{");
        put_elements(buffer, function, operand, ", ");
        put(buffer, "}");
        break;
    case FW_OPERAND_PAIR:
        put_elements(buffer, function, operand, "|");
        break;
    default:
        put(buffer, "(");
        put_elements(buffer, function, operand, ", ");
        put(buffer, ")");
        break;
    }
}

static void put_instruction(struct fw_buffer *buffer, const struct fw_function *function,
                            const struct fw_instruction *instruction)
{
    bool first = true;
    if (instruction->guard != FW_NO_INDEX)
        fw_buffer_printf(buffer, "@%s%s ", instruction->guard_negated ? "!" : "",
                         function->registers[instruction->guard].name);
    put(buffer, instruction->name);
    for (unsigned i = 0; i < instruction->modifier_count; i++) {
        put(buffer, ".");
        put(buffer, instruction->modifiers[i]);
    }
    for (unsigned i = 0; i < instruction->operand_count; i++) {
        const struct fw_operand *operand = &instruction->operands[i];
        if (operand->kind == FW_OPERAND_LIST && !operand->count)
            continue;
        put(buffer, first ? " " : ", ");
        put_operand(buffer, function, operand);
        if (operand->kind == FW_OPERAND_ADDRESS && instruction->flags & FW_FLAG_UNIFIED)
            put(buffer, ".unified");
        first = false;
    }
    put(buffer, ";");
}

char *fw_instruction_text(struct fw_arena *arena, const struct fw_function *function,
                          const struct fw_instruction *instruction)
{
    struct fw_buffer buffer = fw_buffer_new(arena);
    put_instruction(&buffer, function, instruction);
    return buffer.text;
}

static const char *linkage_text(unsigned linkage)
{
    static const char *const texts[] = {"", ".visible ", ".weak ", ".extern ", ".common "};
    return texts[linkage];
}

/* .align 4 .v2 .f32 name[8], without space and initial value */
static void put_declarator(struct fw_buffer *buffer, const struct fw_variable *variable)
{
    unsigned element = fw_type_bytes(variable->type) * variable->vector;
    if (variable->space != FW_SPACE_REG)
        fw_buffer_printf(buffer, ".align %" PRIu32 " ", variable->alignment);
    if (variable->vector > 1)
        fw_buffer_printf(buffer, ".v%u ", variable->vector);
    fw_buffer_printf(buffer, ".%s %s", fw_type_text(variable->type), variable->name);
    if (variable->is_array && variable->bytes)
        fw_buffer_printf(buffer, "[%" PRIu64 "]", variable->bytes / element);
    else if (variable->is_array)
        put(buffer, "[]");
}

static void put_relocation(struct fw_buffer *buffer, const struct fw_relocation *relocation)
{
    if (relocation->mask != UINT64_MAX)
        fw_buffer_printf(buffer, "0x%" PRIX64 "(", relocation->mask);
    fw_buffer_printf(buffer, relocation->generic ? "generic(%s)" : "%s", relocation->symbol);
    put_offset(buffer, relocation->addend);
    if (relocation->mask != UINT64_MAX)
        put(buffer, ")");
}

/* One element of an initial value; b128 as its lower half, the only one that PTX can state. */
static void put_element(struct fw_buffer *buffer, const struct fw_variable *variable,
                        uint64_t offset, unsigned size)
{
    uint64_t bits = 0;
    for (unsigned i = 0; variable->initial && i < size && i < 8; i++)
        bits |= (uint64_t)variable->initial[offset + i] << 8 * i;
    if (variable->type == FW_TYPE_F32)
        fw_buffer_printf(buffer, "0f%08" PRIX64, bits);
    else if (variable->type == FW_TYPE_F64)
        fw_buffer_printf(buffer, "0d%016" PRIX64, bits);
    else
        fw_buffer_printf(buffer, "%" PRIu64, bits);
}

static void put_initial(struct fw_buffer *buffer, const struct fw_variable *variable)
{
    unsigned size = fw_type_bytes(variable->type), in_vector = 0;
    uint32_t next = 0;
    bool braces = variable->is_array || variable->vector > 1;
    if (!variable->initial && !variable->relocation_count)
        return;
    put(buffer, braces ? " = {" : " = ");
    for (uint64_t offset = 0; offset < variable->bytes; offset += size) {
        if (offset > 0)
            put(buffer, ", ");
        if (variable->vector > 1 && variable->is_array && in_vector == 0)
            put(buffer, "{");
        if (next < variable->relocation_count && variable->relocations[next].offset == offset)
            put_relocation(buffer, &variable->relocations[next++]);
        else
            put_element(buffer, variable, offset, size);
        in_vector = (in_vector + 1) % variable->vector;
        if (variable->vector > 1 && variable->is_array && in_vector == 0)
            put(buffer, "}");
    }
    put(buffer, braces ? "}" : "");
}

static void put_variable(struct fw_buffer *buffer, const struct fw_variable *variable)
{
    fw_buffer_printf(buffer, "%s.%s %s", linkage_text(variable->linkage),
                     fw_space_text(variable->space),
                     variable->managed ? ".attribute(.managed) " : "");
    put_declarator(buffer, variable);
    put_initial(buffer, variable);
    put(buffer, ";\n");
}

static void put_parameters(struct fw_buffer *buffer, const struct fw_variable *list, uint32_t count,
                           const char *between)
{
    put(buffer, "(");
    for (uint32_t i = 0; i < count; i++) {
        const struct fw_variable *variable = &list[i];
        put(buffer, i > 0 ? "," : "");
        put(buffer, i > 0 || *between == '\n' ? between : "");
        fw_buffer_printf(buffer, ".%s ", fw_space_text(variable->space));
        if (variable->points_to != FW_SPACE_NONE) {
            fw_buffer_printf(buffer, ".%s .ptr ", fw_type_text(variable->type));
            if (variable->points_to != FW_SPACE_GENERIC)
                fw_buffer_printf(buffer, ".%s ", fw_space_text(variable->points_to));
            if (variable->pointee_alignment)
                fw_buffer_printf(buffer, ".align %" PRIu32 " ", variable->pointee_alignment);
            put(buffer, variable->name);
        } else {
            put_declarator(buffer, variable);
        }
    }
    put(buffer, ")");
}

static void put_triple(struct fw_buffer *buffer, const char *directive, const uint32_t values[3])
{
    if (values[0])
        fw_buffer_printf(buffer, "\n%s %" PRIu32 ", %" PRIu32 ", %" PRIu32, directive, values[0],
                         values[1], values[2]);
}

static void put_number(struct fw_buffer *buffer, const char *directive, uint32_t value)
{
    if (value)
        fw_buffer_printf(buffer, "\n%s %" PRIu32, directive, value);
}

static void put_header(struct fw_buffer *buffer, const struct fw_function *function)
{
    fw_buffer_printf(buffer, "%s%s ", linkage_text(function->linkage),
                     function->is_entry ? ".entry" : ".func");
    if (function->result_count) {
        put_parameters(buffer, function->results, function->result_count, " ");
        put(buffer, " ");
    }
    put(buffer, function->name);
    put_parameters(buffer, function->parameters, function->parameter_count, "\n    ");
    put(buffer, function->no_return ? "\n.noreturn" : "");
    put_triple(buffer, ".maxntid", function->max_threads);
    put_triple(buffer, ".reqntid", function->required_threads);
    put_number(buffer, ".minnctapersm", function->min_blocks);
    put_number(buffer, ".maxnreg", function->max_registers);
    put_triple(buffer, ".reqnctapercluster", function->required_cluster);
    put_number(buffer, ".maxclusterrank", function->max_cluster_rank);
    put(buffer, function->explicit_cluster ? "\n.explicitcluster" : "");
    put(buffer, function->blocks_are_clusters ? "\n.blocksareclusters" : "");
}

static void put_table(struct fw_buffer *buffer, const struct fw_function *function,
                      const struct fw_table *table)
{
    static const char *const directives[] = {".branchtargets", ".calltargets", ".callprototype"};
    fw_buffer_printf(buffer, "%s: %s ", table->name, directives[table->kind]);
    if (table->kind == FW_TABLE_PROTOTYPE) {
        if (table->result_count) {
            put_parameters(buffer, table->results, table->result_count, " ");
            put(buffer, " ");
        }
        put(buffer, "_ ");
        put_parameters(buffer, table->parameters, table->parameter_count, " ");
        put(buffer, table->no_return ? " .noreturn" : "");
    }
    for (uint32_t i = 0; table->kind != FW_TABLE_PROTOTYPE && i < table->count; i++)
        fw_buffer_printf(buffer, "%s%s", i > 0 ? ", " : "",
                         table->kind == FW_TABLE_BRANCHES ? function->labels[table->labels[i]].name
                                                          : table->callees[i]);
    put(buffer, ";\n");
}

/* Registers by runs of one type, without those that are parameters. */
static void put_registers(struct fw_buffer *buffer, const struct fw_function *function)
{
    uint32_t skipped = 0;
    enum fw_type type = FW_TYPE_NONE;
    for (uint32_t i = 0; i < function->result_count; i++)
        skipped += function->results[i].space == FW_SPACE_REG;
    for (uint32_t i = 0; i < function->parameter_count; i++)
        skipped += function->parameters[i].space == FW_SPACE_REG;
    for (uint32_t i = skipped; i < function->register_count; i++) {
        const struct fw_register *reg = &function->registers[i];
        if (reg->type != type)
            fw_buffer_printf(buffer, "%s    .reg .%s %s", type == FW_TYPE_NONE ? "" : ";\n",
                             fw_type_text(reg->type), reg->name);
        else
            fw_buffer_printf(buffer, ", %s", reg->name);
        type = reg->type;
    }
    put(buffer, type == FW_TYPE_NONE ? "" : ";\n");
}

/* Labels by the instruction that they stand before: lists whose heads are `first`; FW_NO_INDEX ends
 * one.  Passes may have added labels out of order. */
static void list_labels(const struct fw_function *function, uint32_t *first, uint32_t *next)
{
    for (uint32_t i = 0; i <= function->instruction_count; i++)
        first[i] = FW_NO_INDEX;
    for (uint32_t i = function->label_count; i-- > 0;) {
        next[i] = first[function->labels[i].instruction];
        first[function->labels[i].instruction] = i;
    }
}

static void put_body(struct fw_buffer *buffer, const struct fw_function *function)
{
    uint32_t file = 0, line = 0;
    uint32_t *first = FW_ARRAY(buffer->arena, uint32_t, function->instruction_count + 1);
    uint32_t *next = FW_ARRAY(buffer->arena, uint32_t, function->label_count);
    list_labels(function, first, next);
    put(buffer, "\n{\n");
    put_registers(buffer, function);
    for (uint32_t i = 0; i < function->variable_count; i++) {
        put(buffer, "    ");
        put_variable(buffer, function->variables[i]);
    }
    for (uint32_t i = 0; i < function->table_count; i++)
        put_table(buffer, function, &function->tables[i]);
    for (uint32_t i = 0; i <= function->instruction_count; i++) {
        for (uint32_t label = first[i]; label != FW_NO_INDEX; label = next[label])
            fw_buffer_printf(buffer, "%s:\n", function->labels[label].name);
        if (i == function->instruction_count)
            break;
        const struct fw_instruction *instruction = &function->instructions[i];
        if (instruction->file != file || instruction->line != line)
            fw_buffer_printf(buffer, "    .loc %" PRIu32 " %" PRIu32 " 0\n", instruction->file,
                             instruction->line);
        file = instruction->file;
        line = instruction->line;
        if (instruction->flags & FW_FLAG_ROLLED)
            put(buffer, "    .pragma \"nounroll\";\n");
        put(buffer, "    ");
        put_instruction(buffer, function, instruction);
        put(buffer, "\n");
    }
    put(buffer, "}\n");
}

static void put_file(struct fw_buffer *buffer, uint32_t number, const char *name)
{
    fw_buffer_printf(buffer, ".file %" PRIu32 " \"", number);
    for (; *name; name++) {
        if (*name == '"' || *name == '\\')
            put(buffer, "\\");
        fw_buffer_add(buffer, name, 1);
    }
    put(buffer, "\"\n");
}

static void put_head(struct fw_buffer *buffer, const struct fw_module *module)
{
    fw_buffer_printf(buffer, ".version %" PRIu32 ".%" PRIu32 "\n", module->version_major,
                     module->version_minor);
    if (module->target)
        fw_buffer_printf(buffer, ".target %s%s%s\n", module->target,
                         module->target_options ? ", " : "",
                         module->target_options ? module->target_options : "");
    fw_buffer_printf(buffer, ".address_size %" PRIu32 "\n", module->address_bits);
    for (uint32_t i = 0; i < module->file_count; i++)
        if (module->files[i])
            put_file(buffer, i, module->files[i]);
    put(buffer, "\n");
}

char *fw_module_text(struct fw_arena *arena, const struct fw_module *module)
{
    struct fw_buffer buffer = fw_buffer_new(arena);
    put_head(&buffer, module);
    /* device functions are all declared first: initial values may name them, and they may call each
     * other in any order */
    for (unsigned entries = 0; entries < 2; entries++)
        for (uint32_t i = 0; i < module->function_count; i++)
            if (module->functions[i]->is_entry == entries &&
                (!entries || !module->functions[i]->has_body)) {
                put_header(&buffer, module->functions[i]);
                put(&buffer, ";\n");
            }
    for (uint32_t i = 0; i < module->variable_count; i++)
        put_variable(&buffer, module->variables[i]);
    for (unsigned entries = 0; entries < 2; entries++)
        for (uint32_t i = 0; i < module->function_count; i++)
            if (module->functions[i]->is_entry == entries && module->functions[i]->has_body) {
                put(&buffer, "\n");
                put_header(&buffer, module->functions[i]);
                put_body(&buffer, module->functions[i]);
            }
    for (uint32_t i = 0; i < module->function_count; i++)
        if (module->functions[i]->alias)
            fw_buffer_printf(&buffer, ".alias %s, %s;\n", module->functions[i]->name,
                             module->functions[i]->alias->name);
    return buffer.text;
}
