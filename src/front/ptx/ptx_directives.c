/* Directives that are neither variables nor functions: the module's head, source places, debug
 * sections, aliases. */
#include "ptx_internal.h"

#include <string.h>

enum { NEWEST_MAJOR = 9 };

/* .version 8.3, which lexes as a decimal float: its text is read again. */
bool ptx_directive_version(struct ptx_reader *reader)
{
    ptx_advance(reader);
    struct ptx_token token = reader->token;
    const char *text = ptx_text(reader, token);
    uint32_t parts[2] = {0, 0}, digits[2] = {0, 0};
    unsigned part = 0;
    if (!ptx_expect(reader, TOKEN_FLOAT, "a version such as 8.3"))
        return false;
    for (uint32_t i = 0; i < token.length; i++) {
        if (text[i] == '.' && part == 0) {
            part = 1;
        } else if (text[i] >= '0' && text[i] <= '9' && digits[part] < 4) {
            parts[part] = parts[part] * 10 + (uint32_t)(text[i] - '0');
            digits[part]++;
        } else {
            return ptx_error(reader, "PTX003", ptx_span(reader, token.offset, token.length),
                             "a version is two numbers with a point between them");
        }
    }
    reader->module->version_major = parts[0];
    reader->module->version_minor = parts[1];
    reader->has_version = true;
    if (parts[0] > NEWEST_MAJOR)
        ptx_warning(
            reader, "PTX019", ptx_span(reader, token.offset, token.length), NULL,
            "PTX %u.%u is later than what is known here (up to %d.x): what is new in it may be "
            "misread",
            parts[0], parts[1], NEWEST_MAJOR);
    return true;
}

/* .target sm_90a, debug, texmode_independent */
bool ptx_directive_target(struct ptx_reader *reader)
{
    struct ptx_token name;
    ptx_advance(reader);
    if (!ptx_expect_name(reader, &name, "a target such as sm_90"))
        return false;
    reader->module->target = ptx_intern(reader, name);
    reader->module->capability = 0;
    const char *digits = strchr(reader->module->target, '_');
    for (unsigned i = 0; digits && i < 4 && digits[1] >= '0' && digits[1] <= '9'; i++, digits++)
        reader->module->capability = reader->module->capability * 10 + (uint32_t)(digits[1] - '0');
    struct fw_buffer options = fw_buffer_new(reader->scratch);
    while (ptx_accept(reader, ',')) {
        if (!ptx_expect_name(reader, &name, "a target option"))
            return false;
        if (options.length)
            fw_buffer_add(&options, ", ", 2);
        fw_buffer_add(&options, ptx_text(reader, name), name.length);
    }
    if (options.length)
        reader->module->target_options = fw_arena_text(reader->arena, options.text, options.length);
    reader->has_target = true;
    return true;
}

bool ptx_directive_address_size(struct ptx_reader *reader)
{
    uint32_t bits;
    ptx_advance(reader);
    struct ptx_token token = reader->token;
    if (!ptx_expect_number(reader, &bits, "32 or 64"))
        return false;
    if (bits != 32 && bits != 64)
        return ptx_error(reader, "PTX005", ptx_span(reader, token.offset, token.length),
                         "the address size is 32 or 64");
    reader->module->address_bits = bits;
    return true;
}

/* How many bytes at `text` are one character of well-formed UTF-8; 0: none (RFC 3629). */
static unsigned utf8_length(const unsigned char *text, size_t left)
{
    if (text[0] < 0x80)
        return 1;
    unsigned length = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
    if (text[0] < 0xc2 || text[0] > 0xf4 || left < length)
        return 0;
    for (unsigned i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] >= 0xa0) ||
        (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] >= 0x90))
        return 0;
    return length;
}

/* The text between the quotes, escapes of '"' and '\' taken out, '?' for what is not UTF-8. */
static const char *string_value(struct ptx_reader *reader, struct ptx_token token)
{
    const char *text = ptx_text(reader, token) + 1;
    size_t length = token.length - 2;
    struct fw_buffer value = fw_buffer_new(reader->scratch);
    bool foreign = false;
    for (size_t i = 0; i < length;) {
        unsigned bytes;
        if (text[i] == '\\' && i + 1 < length && (text[i + 1] == '"' || text[i + 1] == '\\'))
            i++;
        bytes = utf8_length((const unsigned char *)text + i, length - i);
        fw_buffer_add(&value, bytes ? text + i : "?", bytes ? bytes : 1);
        foreign = foreign || !bytes;
        i += bytes ? bytes : 1;
    }
    if (foreign)
        ptx_warning(reader, "PTX018", ptx_span(reader, token.offset, token.length), NULL,
                    "this text is not UTF-8; what is not is read as '?'");
    return fw_map_intern(&reader->module->strings, value.text, value.length);
}

/* .file 1 ["folder"] "path" [, timestamp, size] */
bool ptx_directive_file(struct ptx_reader *reader)
{
    uint32_t number;
    ptx_advance(reader);
    struct ptx_token token = reader->token;
    if (!ptx_expect_number(reader, &number, "the number of the file"))
        return false;
    if (number >= MOST_FILES)
        return ptx_error(reader, "PTX011", ptx_span(reader, token.offset, token.length),
                         "file numbers end at %d", MOST_FILES - 1);
    token = reader->token;
    if (!ptx_expect(reader, TOKEN_STRING, "the name of the file in quotes"))
        return false;
    while (reader->files.count <= number)
        *FW_APPEND(reader->scratch, &reader->files) = NULL;
    const char *name = string_value(reader, token);
    token = reader->token;
    if (ptx_accept(reader, TOKEN_STRING)) {
        name = fw_arena_printf(reader->arena, "%s/%s", name, string_value(reader, token));
        name = fw_map_intern(&reader->module->strings, name, strlen(name));
    }
    reader->files.at[number] = name;
    while (ptx_accept(reader, ','))
        if (!ptx_expect(reader, TOKEN_INTEGER, "a timestamp or a size"))
            return false;
    return true;
}

/* One of the two places of a .loc: file, line, column. */
static bool place(struct ptx_reader *reader, uint32_t at[3])
{
    return ptx_expect_number(reader, &at[0], "the number of a file") &&
           ptx_expect_number(reader, &at[1], "a line number") &&
           ptx_expect_number(reader, &at[2], "a column");
}

/* 1 + the call at a place, which is itself inlined where the last .loc of that place says. */
static uint32_t call_at(struct ptx_reader *reader, const uint32_t at[3])
{
    const struct fw_map_entry *around =
        fw_map_find(&reader->call_of_place, (const char *)at, 3 * sizeof(*at));
    const uint32_t key[4] = {at[0], at[1], at[2], around ? around->value : 0};
    bool added;
    struct fw_map_entry *entry =
        fw_map_add(&reader->call_places, (const char *)key, sizeof(key), &added);
    if (added) {
        *FW_APPEND(reader->scratch, &reader->calls) =
            (struct fw_call_place){.file = key[0], .line = key[1], .call = key[3]};
        entry->value = (uint32_t)reader->calls.count;
    }
    return entry->value;
}

/* .loc 1 20 5 [, function_name label [+ n]] [, inlined_at 1 7 3].  The first place is where the
 * code was written, that is the innermost of inlined functions.  Compilers write the .loc of an
 * outer function before those of what is inlined in it, so that the place it was inlined at is one
 * that is known. */
bool ptx_directive_loc(struct ptx_reader *reader)
{
    uint32_t at[3], call = 0;
    ptx_advance(reader);
    struct ptx_token number = reader->token;
    if (!place(reader, at))
        return false;
    if (at[0] >= MOST_FILES)
        return ptx_error(reader, "PTX011", ptx_span(reader, number.offset, number.length),
                         "file numbers end at %d", MOST_FILES - 1);
    while (ptx_accept(reader, ',')) {
        uint32_t outer[3];
        struct ptx_token label;
        int64_t offset;
        if (ptx_is(reader, "function_name")) {
            ptx_advance(reader);
            if (!ptx_expect_name(reader, &label, "a label") || !ptx_offset(reader, &offset))
                return false;
        } else if (ptx_is(reader, "inlined_at")) {
            ptx_advance(reader);
            if (!place(reader, outer))
                return false;
            call = call_at(reader, outer);
        } else {
            return ptx_unexpected(reader, "function_name or inlined_at");
        }
    }
    reader->file = at[0];
    reader->line = at[1];
    reader->call = call;
    fw_map_add(&reader->call_of_place, (const char *)at, sizeof(at), NULL)->value = call;
    return true;
}

bool ptx_skip_braces(struct ptx_reader *reader)
{
    uint32_t start = reader->token.offset;
    unsigned open = 0;
    do {
        if (reader->token.kind == TOKEN_END)
            return ptx_error(reader, "PTX005", ptx_span(reader, start, 1),
                             "this bracket is not closed");
        if (reader->token.kind == '{')
            open++;
        if (reader->token.kind == '}')
            open--;
        ptx_advance(reader);
    } while (open > 0);
    return true;
}

/* .section .debug_info { .b8 1 .. }: skipped. */
bool ptx_directive_section(struct ptx_reader *reader)
{
    ptx_advance(reader);
    if (reader->token.kind != TOKEN_DOT && reader->token.kind != TOKEN_NAME)
        return ptx_unexpected(reader, "the name of the section");
    ptx_advance(reader);
    if (reader->token.kind != '{')
        return ptx_unexpected(reader, "'{'");
    return ptx_skip_braces(reader);
}

/* .pragma "nounroll"; is advice to ptxas, kept as a flag of the next instruction; others are
 * skipped. */
bool ptx_directive_pragma(struct ptx_reader *reader)
{
    static const char rolled[] = "\"nounroll\"";
    ptx_advance(reader);
    do {
        uint32_t at = reader->token.offset, length = sizeof(rolled) - 1;
        if (reader->token.kind == TOKEN_STRING && reader->end - at >= length &&
            memcmp(reader->text + at, rolled, length) == 0)
            reader->rolled = true;
        if (!ptx_expect(reader, TOKEN_STRING, "a text in quotes"))
            return false;
    } while (ptx_accept(reader, ','));
    return ptx_expect(reader, ';', "';'");
}

/* .alias name, target; both are functions, settled when the whole module is known. */
bool ptx_directive_alias(struct ptx_reader *reader)
{
    struct ptx_alias alias;
    ptx_advance(reader);
    if (!ptx_expect_name(reader, &alias.name, "the name of a function") ||
        !ptx_expect(reader, ',', "','") ||
        !ptx_expect_name(reader, &alias.target, "the name of a function") ||
        !ptx_expect(reader, ';', "';'"))
        return false;
    *FW_APPEND(reader->scratch, &reader->aliases) = alias;
    return true;
}

/* What a newer PTX may have brought: a warning, and on to the next line or past the next ';'. */
void ptx_directive_unknown(struct ptx_reader *reader)
{
    struct ptx_token token = reader->token;
    int shown = token.length < 200 ? (int)token.length : 200;
    ptx_warning(reader, "PTX006", ptx_span(reader, token.offset, token.length), NULL,
                "unknown directive '%.*s' is skipped", shown, ptx_text(reader, token));
    const char *stop = memchr(reader->text + token.offset, '\n', reader->end - token.offset);
    uint32_t line_end = stop ? (uint32_t)(stop - reader->text) : reader->end;
    while (reader->token.kind != TOKEN_END && reader->token.offset < line_end) {
        if (reader->token.kind == '{' || reader->token.kind == '}')
            return;
        if (ptx_accept(reader, ';'))
            return;
        ptx_advance(reader);
    }
}
