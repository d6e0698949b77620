/* The whole: what kind of file it is, the module's statements, what can only be settled at the end.
 */
#include "ptx_reader.h"

#include "ptx_internal.h"

#include <string.h>

enum { LARGEST_SOURCE = 256 * 1024 * 1024 };

static bool refuse(const struct ptx_reader *reader, uint32_t offset, const char *message,
                   const char *note)
{
    fw_report_notes(reader->sink, FW_ERROR, "PTX001", ptx_span(reader, offset, 0), &note,
                    note ? 1 : 0, "%s", message);
    return false;
}

/* Whether this can be PTX text at all; says what it is when it is not. */
static bool check_source(struct ptx_reader *reader)
{
    const struct fw_source *source = reader->source;
    const unsigned char *bytes = (const unsigned char *)source->text;
    size_t length = source->length;
    if (length > LARGEST_SOURCE)
        return refuse(reader, 0, "the file is larger than 256 MiB", NULL);
    if (length >= 2 &&
        ((bytes[0] == 0xff && bytes[1] == 0xfe) || (bytes[0] == 0xfe && bytes[1] == 0xff)))
        return refuse(reader, 0, "the file is UTF-16; PTX is ASCII or UTF-8 text",
                      "convert it, for example with iconv -f UTF-16 -t UTF-8");
    if (length >= 4 && memcmp(bytes, "\177ELF", 4) == 0)
        return refuse(reader, 0, "this is a compiled object, not PTX text",
                      "cuobjdump -ptx takes the PTX out of it, if it holds any");
    if (length >= 4 && bytes[0] == 0x50 && bytes[1] == 0xed && bytes[2] == 0x55 && bytes[3] == 0xba)
        return refuse(reader, 0, "this is a CUDA fat binary, not PTX text",
                      "cuobjdump -ptx takes the PTX out of it, if it holds any");
    /* NVRTC and some dumps end with a zero byte or a few */
    while (length > 0 && bytes[length - 1] == 0)
        length--;
    const unsigned char *zero = length ? memchr(bytes, 0, length) : NULL;
    if (zero)
        return refuse(reader, (uint32_t)(zero - bytes), "a zero byte: this is no PTX text", NULL);
    reader->end = (uint32_t)length;
    if (length >= 3 && bytes[0] == 0xef && bytes[1] == 0xbb && bytes[2] == 0xbf)
        reader->at = 3; /* UTF-8's byte order mark */
    return true;
}

static int linkage(struct ptx_reader *reader)
{
    static const struct {
        const char *text;
        int linkage;
    } words[] = {{".visible", FW_LINKAGE_VISIBLE},
                 {".extern", FW_LINKAGE_EXTERN},
                 {".weak", FW_LINKAGE_WEAK},
                 {".common", FW_LINKAGE_COMMON}};
    for (unsigned i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (ptx_is(reader, words[i].text)) {
            ptx_advance(reader);
            return words[i].linkage;
        }
    return FW_LINKAGE_NONE;
}

/* One statement of the module. */
static bool module_item(struct ptx_reader *reader)
{
    static const struct {
        const char *text;
        bool (*read)(struct ptx_reader *reader);
    } directives[] = {{".version", ptx_directive_version},
                      {".target", ptx_directive_target},
                      {".address_size", ptx_directive_address_size},
                      {".file", ptx_directive_file},
                      {".loc", ptx_directive_loc},
                      {".section", ptx_directive_section},
                      {".pragma", ptx_directive_pragma},
                      {".alias", ptx_directive_alias},
                      {".reg", ptx_declare_registers}};
    if (ptx_accept(reader, ';'))
        return true;
    if (reader->token.kind == '@' && reader->end - reader->token.offset >= 7 &&
        memcmp(ptx_text(reader, reader->token), "@@DWARF", 7) == 0) {
        /* debug data as of PTX 1: a line */
        const char *stop =
            memchr(ptx_text(reader, reader->token), '\n', reader->end - reader->token.offset);
        ptx_seek(reader, stop ? (uint32_t)(stop - reader->text) : reader->end);
        return true;
    }
    if (reader->token.kind != TOKEN_DOT)
        return ptx_unexpected(reader, "a directive");
    for (unsigned i = 0; i < sizeof(directives) / sizeof(*directives); i++)
        if (ptx_is(reader, directives[i].text))
            return directives[i].read(reader);
    int linked = linkage(reader);
    if (ptx_is(reader, ".func") || ptx_is(reader, ".entry"))
        return ptx_function(reader, linked);
    if (ptx_space(reader, reader->token) != FW_SPACE_NONE)
        return ptx_variables(reader, linked);
    if (linked != FW_LINKAGE_NONE)
        return ptx_unexpected(reader, "a variable or a function");
    ptx_directive_unknown(reader);
    return true;
}

/* After an error: behind the next ';' or balanced braces, or at a directive in the first column. */
static void recover(struct ptx_reader *reader, uint32_t failed_at)
{
    while (reader->token.kind != TOKEN_END) {
        uint32_t at = reader->token.offset;
        if (ptx_accept(reader, ';'))
            return;
        if (reader->token.kind == '{') {
            ptx_skip_braces(reader);
            return;
        }
        if (reader->token.kind == TOKEN_DOT && at > failed_at && reader->text[at - 1] == '\n')
            return;
        ptx_advance(reader);
    }
}

static void module_items(struct ptx_reader *reader)
{
    ptx_advance(reader);
    while (reader->token.kind != TOKEN_END) {
        uint32_t at = reader->token.offset;
        if (!module_item(reader)) {
            reader->nesting = 0;
            reader->depth = 0;
            recover(reader, at);
        }
        fw_arena_reset(reader->temporary);
    }
}

/* Names that no function or variable had when they were read. */
static void resolve_pending(struct ptx_reader *reader)
{
    for (size_t i = 0; i < reader->pending_globals.count; i++) {
        struct ptx_pending pending = reader->pending_globals.at[i];
        const char *name = reader->text + pending.offset;
        struct ptx_symbol *symbol = ptx_lookup_global(reader, name, pending.length);
        if (!symbol || (!pending.operand && !symbol->function)) {
            ptx_error(reader, "PTX008", ptx_span(reader, pending.offset, pending.length),
                      pending.operand ? "nothing is called '%.*s' here"
                                      : "no function is called '%.*s'",
                      pending.length < 200 ? (int)pending.length : 200, name);
        } else if (pending.operand) {
            pending.operand->kind = symbol->function ? FW_OPERAND_FUNCTION : FW_OPERAND_SYMBOL;
            pending.operand->variable = symbol->variable;
            pending.operand->name = symbol->function ? symbol->function->name : NULL;
        }
    }
}

static void resolve_aliases(struct ptx_reader *reader)
{
    for (size_t i = 0; i < reader->aliases.count; i++) {
        struct ptx_token both[2] = {reader->aliases.at[i].name, reader->aliases.at[i].target};
        struct ptx_symbol *symbols[2];
        bool good = true;
        for (unsigned k = 0; k < 2; k++) {
            symbols[k] = ptx_lookup_global(reader, ptx_text(reader, both[k]), both[k].length);
            if (!symbols[k] || !symbols[k]->function)
                good = ptx_error(reader, "PTX008", ptx_span(reader, both[k].offset, both[k].length),
                                 "no function is called '%.*s'",
                                 both[k].length < 200 ? (int)both[k].length : 200,
                                 ptx_text(reader, both[k]));
        }
        if (!good)
            continue;
        if (symbols[0]->function->has_body || symbols[1]->function->alias)
            ptx_error(reader, "PTX010", ptx_span(reader, both[0].offset, both[0].length),
                      "an alias stands for a function with a body, and has none itself");
        else
            symbols[0]->function->alias = symbols[1]->function;
    }
}

/* Callees that came after their calls, and what aliases stand for. */
static void resolve_callees(struct ptx_reader *reader)
{
    if (!reader->late_callees && !reader->aliases.count)
        return;
    for (size_t f = 0; f < reader->functions.count; f++) {
        struct fw_function *function = reader->functions.at[f];
        for (uint32_t i = 0; i < function->instruction_count; i++) {
            struct fw_instruction *call = &function->instructions[i];
            if (call->opcode != FW_OP_CALL || call->operands[1].kind != FW_OPERAND_FUNCTION)
                continue;
            const char *name = call->operands[1].name;
            struct ptx_symbol *symbol = ptx_lookup_global(reader, name, (uint32_t)strlen(name));
            if (symbol && symbol->function)
                call->callee = symbol->function->alias ? symbol->function->alias : symbol->function;
        }
    }
}

static void finish(struct ptx_reader *reader)
{
    struct fw_module *module = reader->module;
    resolve_pending(reader);
    ptx_relocations_resolve(reader);
    resolve_aliases(reader);
    if (reader->errors)
        return;
    resolve_callees(reader);
    for (size_t i = 0; i < reader->functions.count; i++)
        ptx_rename_shadowing(reader, reader->functions.at[i]);
    if (!reader->functions.count && !reader->variables.count && !reader->has_version) {
        refuse(reader, reader->end, "there is no PTX in this file", NULL);
        reader->errors++;
        return;
    }
    if (!reader->has_version || !reader->has_target)
        ptx_warning(reader, "PTX015", ptx_span(reader, 0, 0), NULL, "the module has no %s",
                    reader->has_version ? ".target" : ".version");
#define TAKE(field, counted)                                                                       \
    module->counted = (uint32_t)reader->field.count;                                               \
    module->field = fw_arena_copy(reader->arena, reader->field.at,                                 \
                                  reader->field.count * sizeof(*reader->field.at))
    TAKE(variables, variable_count);
    TAKE(functions, function_count);
    TAKE(files, file_count);
#undef TAKE
    const struct fw_call_place *calls = fw_arena_copy(
        reader->arena, reader->calls.at, reader->calls.count * sizeof(*reader->calls.at));
    for (size_t f = 0; f < reader->functions.count; f++) {
        reader->functions.at[f]->calls = calls;
        reader->functions.at[f]->call_count = (uint32_t)reader->calls.count;
    }
}

static void read_all(struct ptx_reader *reader)
{
    if (!check_source(reader)) {
        reader->errors = 1;
        return;
    }
    struct fw_module *module = FW_NEW(reader->arena, struct fw_module);
    reader->module = module;
    module->arena = reader->arena;
    module->source = reader->source;
    module->strings = fw_map_new(reader->arena);
    reader->call_of_place = fw_map_new(reader->scratch);
    reader->call_places = fw_map_new(reader->scratch);
    /* PTX says 32 bits when nothing is said, but nothing of this century means that */
    module->address_bits = 64;
    reader->globals = fw_map_new(reader->scratch);
    reader->specials = fw_map_new(reader->scratch);
    reader->mnemonics = fw_map_new(reader->scratch);
    reader->scopes = FW_ARRAY(reader->scratch, struct ptx_scope, MOST_SCOPES);
    ptx_modifiers_seed(reader);
    module_items(reader);
    finish(reader);
}

/* Scratch memory for a text of this size: a text that needs more is made to. */
static size_t scratch_limit(const struct fw_source *source)
{
    return (size_t)64 * 1024 * 1024 + 512 * source->length;
}

/* read_all with a point to unwind to.  The reader belongs to the caller, so that what was changed
 * in it before the unwinding is well defined after it. */
static enum fw_status read_guarded(struct ptx_reader *reader)
{
    jmp_buf exhausted;
    fw_arena_on_exhausted(reader->arena, &exhausted);
    fw_arena_on_exhausted(reader->scratch, &exhausted);
    fw_arena_on_exhausted(reader->temporary, &exhausted);
    if (setjmp(exhausted) != 0) {
        fw_report(reader->sink, FW_ERROR, "PTX017", ptx_span(reader, 0, 0),
                  "reading this file takes more memory than there is");
        return FW_ERROR_MEMORY;
    }
    read_all(reader);
    return reader->errors ? FW_ERROR_INPUT : FW_OK;
}

enum fw_status fw_ptx_read(struct fw_module **module, struct fw_arena *arena,
                           const struct fw_source *source, const struct fw_sink *sink)
{
    struct ptx_reader reader = {
        .source = source, .text = source->text, .sink = sink, .arena = arena};
    jmp_buf *before = fw_arena_on_exhausted(arena, NULL);
    enum fw_status status = FW_ERROR_MEMORY;
    reader.scratch = fw_arena_new(scratch_limit(source));
    reader.temporary = fw_arena_new(scratch_limit(source));
    if (reader.scratch && reader.temporary)
        status = read_guarded(&reader);
    *module = status == FW_OK ? reader.module : NULL;
    fw_arena_on_exhausted(arena, before);
    fw_arena_free(reader.scratch);
    fw_arena_free(reader.temporary);
    return status;
}
