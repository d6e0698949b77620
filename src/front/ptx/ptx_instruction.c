/* Instructions: guard, mnemonic with modifiers, operands; calls and branches.
 *
 * A mnemonic with all its modifiers is explained once: the text up to the first blank is the key of
 * a finished struct fw_instruction that the next one like it starts from, modifiers shared. */
#include "ptx_internal.h"

#include <string.h>

/* The end of "ld.global.L2::128B.f32" that starts at `at`. */
static uint32_t mnemonic_end(const struct ptx_reader *reader, uint32_t at)
{
    const char *text = reader->text;
    for (;; at++) {
        if (ptx_is_name_character(text[at]))
            continue;
        if (text[at] == '.' && ptx_is_name_character(text[at + 1]))
            continue;
        if (text[at] == ':' && text[at + 1] == ':' && ptx_is_name_character(text[at + 2]))
            at++;
        else
            return at;
    }
}

/* Reads the modifiers that follow the name and explains the whole. */
static bool explain(struct ptx_reader *reader, struct ptx_mnemonic *mnemonic, struct ptx_token name)
{
    struct fw_instruction *instruction = &mnemonic->instruction;
    reader->modifiers.count = 0;
    while (reader->token.kind == TOKEN_DOT) {
        struct ptx_token token = reader->token;
        if (reader->modifiers.count == MOST_MODIFIERS)
            return ptx_error(reader, "PTX011", ptx_span(reader, token.offset, token.length),
                             "more than %d modifiers", MOST_MODIFIERS);
        token.offset++;
        token.length--;
        *FW_APPEND(reader->scratch, &reader->modifiers) = ptx_intern(reader, token);
        ptx_advance(reader);
    }
    instruction->modifier_count = (uint8_t)reader->modifiers.count;
    if (instruction->modifier_count)
        instruction->modifiers =
            fw_arena_copy(reader->arena, reader->modifiers.at,
                          reader->modifiers.count * sizeof(*reader->modifiers.at));
    ptx_modifiers_apply(reader, mnemonic, name);
    instruction->guard = FW_NO_INDEX;
    instruction->guard_value = FW_NO_INDEX;
    return true;
}

/* The current token is the name; afterwards it is what follows the modifiers. */
static bool find_mnemonic(struct ptx_reader *reader, struct ptx_mnemonic *found)
{
    struct ptx_token name = reader->token;
    uint32_t end = mnemonic_end(reader, name.offset);
    struct fw_map_entry *entry =
        fw_map_find(&reader->mnemonics, ptx_text(reader, name), end - name.offset);
    memset(found, 0, sizeof(*found));
    if (entry) {
        *found = reader->mnemonic_list.at[entry->value];
        if (end == name.offset + name.length)
            ptx_advance(reader);
        else
            ptx_seek(reader, end);
        if (reader->token.kind != TOKEN_DOT)
            return true;
        memset(found, 0, sizeof(*found)); /* modifiers after a blank: all is read anew */
        ptx_seek(reader, name.offset);
    }
    ptx_advance(reader);
    if (!explain(reader, found, name))
        return false;
    if (!entry && reader->previous_end == end) {
        fw_map_add(&reader->mnemonics, ptx_text(reader, name), end - name.offset, NULL)->value =
            (uint32_t)reader->mnemonic_list.count;
        *FW_APPEND(reader->scratch, &reader->mnemonic_list) = *found;
    }
    return true;
}

static bool push(struct ptx_reader *reader, const struct fw_operand *operand, size_t base)
{
    if (reader->operands.count - base >= MOST_OPERANDS)
        return ptx_error(reader, "PTX011", operand->span, "more than %d operands", MOST_OPERANDS);
    *FW_APPEND(reader->scratch, &reader->operands) = *operand;
    return true;
}

/* @p or @!p */
static bool guard(struct ptx_reader *reader, uint32_t *predicate, bool *negated)
{
    *predicate = FW_NO_INDEX;
    *negated = false;
    if (!ptx_accept(reader, '@'))
        return true;
    *negated = ptx_accept(reader, '!');
    struct ptx_token name;
    if (!ptx_expect_name(reader, &name, "a predicate register"))
        return false;
    struct ptx_symbol *symbol = ptx_lookup(reader, ptx_text(reader, name), name.length);
    if (!symbol || symbol->kind != SYMBOL_REGISTER)
        return ptx_error(reader, "PTX007", ptx_span(reader, name.offset, name.length),
                         "predicate register '%.*s' is not declared",
                         name.length < 200 ? (int)name.length : 200, ptx_text(reader, name));
    *predicate = symbol->index;
    return true;
}

/* Empty operand of a call: no results, no arguments. */
static struct fw_operand list_operand(struct ptx_reader *reader)
{
    return (struct fw_operand){.kind = FW_OPERAND_LIST,
                               .index = FW_NO_INDEX,
                               .value = FW_NO_INDEX,
                               .span = ptx_span(reader, reader->token.offset, 0)};
}

/* ( .. ) when it is there. */
static bool call_list(struct ptx_reader *reader, struct fw_operand *list)
{
    uint32_t start = reader->token.offset;
    *list = list_operand(reader);
    if (!ptx_accept(reader, '('))
        return true;
    if (!ptx_operand_list(reader, list, ')', "',' or ')'"))
        return false;
    list->span = ptx_span_since(reader, start);
    return true;
}

/* Clang 15 with line tables writes a label for its debug sections before the callee's name. */
static void skip_inner_label(struct ptx_reader *reader)
{
    if (reader->token.kind == TOKEN_NAME && ptx_peek(reader)->kind == ':') {
        ptx_advance(reader);
        ptx_advance(reader);
    }
}

/* [ (results) , ] callee [ , (arguments) ] [ , table ] */
static bool call_operands(struct ptx_reader *reader, struct fw_instruction *instruction,
                          size_t base)
{
    struct fw_operand results, callee, arguments;
    bool has_results = reader->token.kind == '(';
    if (!call_list(reader, &results) ||
        (has_results && !ptx_expect(reader, ',', "',' after the results")))
        return false;
    skip_inner_label(reader);
    if (!ptx_operand(reader, &callee))
        return false;
    if (ptx_is_unresolved(&callee)) {
        /* a function that comes later: looked for when the module is read */
        callee.kind = FW_OPERAND_FUNCTION;
        reader->late_callees = true;
        *FW_APPEND(reader->scratch, &reader->pending_globals) =
            (struct ptx_pending){callee.span.offset, callee.span.length, false, NULL, NULL};
    } else if (callee.kind == FW_OPERAND_FUNCTION) {
        struct ptx_symbol *symbol =
            ptx_lookup_global(reader, reader->text + callee.span.offset, callee.span.length);
        instruction->callee = symbol ? symbol->function : NULL;
    } else if (callee.kind != FW_OPERAND_REGISTER) {
        return ptx_error(reader, "PTX005", callee.span, "a call wants a function or a register");
    }
    bool comma = ptx_accept(reader, ',');
    bool has_arguments = comma && reader->token.kind == '(';
    if (comma && has_arguments ? !call_list(reader, &arguments)
                               : (arguments = list_operand(reader), false))
        return false;
    if (has_arguments)
        comma = ptx_accept(reader, ',');
    if (!push(reader, &results, base) || !push(reader, &callee, base) ||
        !push(reader, &arguments, base))
        return false;
    struct fw_operand table;
    return !comma || (ptx_operand(reader, &table) && push(reader, &table, base));
}

static bool operands(struct ptx_reader *reader, struct fw_instruction *instruction, size_t base)
{
    if (reader->token.kind == ';')
        return true;
    do {
        struct fw_operand operand;
        if (!ptx_operand(reader, &operand) || !push(reader, &operand, base))
            return false;
        if (operand.kind == FW_OPERAND_ADDRESS && ptx_is(reader, ".unified")) {
            instruction->flags |= FW_FLAG_UNIFIED;
            ptx_advance(reader);
        }
    } while (ptx_accept(reader, ','));
    return true;
}

static uint8_t count_destinations(const struct fw_instruction *instruction)
{
    for (unsigned i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].kind == FW_OPERAND_ADDRESS)
            return (uint8_t)(i < 2 ? i : 2);
    return instruction->operand_count > 0;
}

/* Names that were not known become pending, now that the operands have their final place. */
static void pend_operands(struct ptx_reader *reader, const struct fw_instruction *instruction)
{
    bool branch = instruction->opcode == FW_OP_BRA || instruction->opcode == FW_OP_BRX ||
                  instruction->opcode == FW_OP_CALL;
    for (unsigned i = 0; i < instruction->operand_count; i++) {
        struct fw_operand *operand = &instruction->operands[i];
        if (ptx_is_unresolved(operand))
            ptx_pend(reader, (struct ptx_pending){operand->span.offset, operand->span.length,
                                                  branch, operand, NULL});
    }
}

/* bra wants a label, brx an index and the name of a table; both are still open names here. */
static bool check_branch(struct ptx_reader *reader, const struct fw_instruction *instruction)
{
    unsigned target = instruction->opcode == FW_OP_BRX ? 1 : 0;
    if ((instruction->opcode != FW_OP_BRA && instruction->opcode != FW_OP_BRX) ||
        (instruction->operand_count == target + 1 &&
         ptx_is_unresolved(&instruction->operands[target])))
        return true;
    return ptx_error(reader, "PTX005", instruction->span,
                     target ? "brx.idx wants an index and a .branchtargets label"
                            : "bra wants a label");
}

/* The fewest operands of opcodes that passes and emulator take apart, by how many. */
/* clang-format off */
#define FEWEST(X) \
    X(2, MOV) X(2, CVT) X(2, CVTA) X(2, ABS) X(2, NEG) X(2, NOT) X(2, CNOT) X(2, POPC) X(2, CLZ) \
    X(2, BREV) X(2, BFIND) X(2, RCP) X(2, SQRT) X(2, RSQRT) X(2, SIN) X(2, COS) X(2, LG2) \
    X(2, EX2) X(2, TANH) X(2, TESTP) X(2, ISSPACEP) X(2, LD) X(2, LDU) X(2, ST) X(2, RED) \
    X(3, ATOM) X(2, VOTE) X(2, MATCH) X(2, REDUX) X(2, LDMATRIX) X(2, STMATRIX) X(2, TEX) \
    X(3, ADD) X(3, ADDC) X(3, SUB) X(3, SUBC) X(3, MUL) X(3, MUL24) X(4, MAD) X(4, MADC) \
    X(4, MAD24) X(4, FMA) X(4, SAD) X(3, DIV) X(3, REM) X(3, MIN) X(3, MAX) X(3, COPYSIGN) \
    X(3, SET) X(3, SETP) X(4, SELP) X(4, SLCT) X(3, AND) X(3, OR) X(3, XOR) X(3, SHL) X(3, SHR) \
    X(4, SHF) X(5, LOP3) X(4, PRMT) X(4, BFE) X(5, BFI) X(3, BMSK) X(3, SZEXT) X(4, FNS) \
    X(4, DP4A) X(4, DP2A) X(4, SHFL) X(4, MMA) X(3, VADD) X(3, VSUB)
/* clang-format on */

static unsigned fewest_operands(unsigned opcode)
{
    static const uint8_t fewest[FW_OP_COUNT] = {
#define X(count, name) [FW_OP_##name] = count,
        FEWEST(X)
#undef X
    };
    return fewest[opcode];
}

/* Whether the size of cp.async, where this is one, is of those that there are. */
static bool is_size_of_copy(const struct fw_instruction *instruction)
{
    if (instruction->opcode != FW_OP_CP || instruction->operand_count <= 2 ||
        !(fw_instruction_has(instruction, "ca") || fw_instruction_has(instruction, "cg")))
        return true;
    const struct fw_operand *size = &instruction->operands[2];
    return size->kind != FW_OPERAND_INTEGER || size->immediate == 4 || size->immediate == 8 ||
           size->immediate == 16;
}

/* What is read must be there, and what is written must be able to hold a value. */
static bool check_operands(struct ptx_reader *reader, const struct fw_instruction *instruction)
{
    unsigned fewest = fewest_operands(instruction->opcode);
    if (fewest < instruction->destinations)
        fewest = instruction->destinations;
    if (instruction->operand_count < fewest)
        return ptx_error(reader, "PTX005", instruction->span, "%s wants at least %u operand%s",
                         instruction->name, fewest, fewest > 1 ? "s" : "");
    for (unsigned i = 0; i < instruction->destinations; i++) {
        const struct fw_operand *operand = &instruction->operands[i];
        if (operand->kind != FW_OPERAND_REGISTER && operand->kind != FW_OPERAND_SINK &&
            operand->kind != FW_OPERAND_VECTOR && operand->kind != FW_OPERAND_PAIR &&
            operand->kind != FW_OPERAND_LIST)
            return ptx_error(reader, "PTX005", operand->span,
                             "%s writes this operand: a register is wanted", instruction->name);
    }
    return is_size_of_copy(instruction) ||
           ptx_error(reader, "PTX011", instruction->operands[2].span,
                     "cp.async copies 4, 8 or 16 bytes");
}

static bool instruction(struct ptx_reader *reader)
{
    struct ptx_mnemonic mnemonic;
    uint32_t start = reader->token.offset, predicate;
    bool negated;
    size_t base = reader->operands.count;
    if (!guard(reader, &predicate, &negated))
        return false;
    if (reader->token.kind != TOKEN_NAME)
        return ptx_unexpected(reader, "an instruction");
    if (!find_mnemonic(reader, &mnemonic))
        return false;
    struct fw_instruction *made = &mnemonic.instruction;
    reader->opcode = made->opcode;
    bool good = made->opcode == FW_OP_CALL ? call_operands(reader, made, base)
                                           : operands(reader, made, base);
    if (good && reader->token.kind != ';')
        good = ptx_unexpected(reader, "',' or ';'");
    if (!good) {
        reader->operands.count = base;
        return false;
    }
    ptx_advance(reader);
    made->guard = predicate;
    made->guard_negated = negated;
    made->operands = ptx_pop_operands(reader, base, &made->operand_count);
    made->span = ptx_span_since(reader, start);
    made->file = reader->file;
    made->line = reader->line;
    made->call = reader->call;
    if (mnemonic.rule == DESTINATIONS_UNTIL_ADDRESS)
        made->destinations = count_destinations(made);
    if (!check_operands(reader, made) || !check_branch(reader, made))
        return true; /* the statement is over: nothing to skip */
    if (reader->rolled)
        made->flags |= FW_FLAG_ROLLED;
    reader->rolled = false;
    *FW_APPEND(reader->scratch, &reader->instructions) = *made;
    pend_operands(reader, made);
    return true;
}

bool ptx_statement(struct ptx_reader *reader)
{
    struct ptx_token name = reader->token;
    if (name.kind == TOKEN_NAME && reader->text[name.offset + name.length] != '.' &&
        ptx_peek(reader)->kind == ':') {
        ptx_advance(reader);
        ptx_advance(reader);
        if (ptx_is(reader, ".branchtargets") || ptx_is(reader, ".calltargets") ||
            ptx_is(reader, ".callprototype"))
            return ptx_table(reader, name);
        return ptx_label(reader, name);
    }
    return instruction(reader);
}
