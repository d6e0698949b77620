/* What a preprocessor wrote: the files that it opened, and whether the text is free of directives.
 *
 * A preprocessor marks where each file begins: `# 1 "name" 1`.  What it leaves has no directive of
 * any other kind but pragmas; a line that becomes one when macros are replaced (`#define H #`, then
 * `H include "x"`) is none to it, and would be one to a compiler that preprocesses again. */
#include "compile_internal.h"

#include <stdlib.h>
#include <string.h>

/* A quoted name as preprocessors write them: `\\`, `\"`, `\n`, and bytes as three octal digits. */
const char *compile_unescape(struct fw_arena *arena, const char *text, size_t length)
{
    char *name = fw_arena_text(arena, text, length), *out = name;
    for (size_t i = 0; i < length; i++) {
        char byte = text[i];
        if (byte == '\\' && i + 1 < length) {
            byte = text[++i];
            if (byte >= '0' && byte <= '3' && i + 2 < length) {
                byte = (char)((byte - '0') * 64 + (text[i + 1] - '0') * 8 + (text[i + 2] - '0'));
                i += 2;
            } else if (byte == 'n') {
                byte = '\n';
            }
        }
        *out++ = byte;
    }
    *out = '\0';
    return name;
}

enum { MOST_LINES = 100000000 };

/* `# 12 "name" flags`: whether it is one; the name, and whether a file begins there. */
static bool read_marker(const char *line, const char *end, struct preprocessed_marker *marker)
{
    const char *at = line + 1;
    while (at < end && *at == ' ')
        at++;
    const char *digits = at;
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        marker->line = marker->line < MOST_LINES ? marker->line * 10 + (uint32_t)(*at - '0') : 0;
    if (at == digits || end - at < 2 || at[0] != ' ' || at[1] != '"')
        return false;
    marker->name = at + 2;
    for (at += 2; at < end && *at != '"'; at++)
        at += *at == '\\';
    if (at >= end)
        return false;
    marker->length = (size_t)(at - marker->name);
    for (at++; at < end && (*at == ' ' || (*at >= '1' && *at <= '4')); at++) {
    }
    const char *flag = marker->name + marker->length + 1;
    marker->begins = flag + 1 < end && flag[0] == ' ' && flag[1] == '1';
    return at == end || *at == '\r';
}

/* Pragmas that make a compiler open a file. */
static bool is_opening_pragma(const char *line, const char *end)
{
    static const char *const words[] = {"pch_preprocess", "include_alias", "dependency",
                                        "module",         "import",        "hdrstop"};
    char word[32];
    for (const char *at = line; at < end; at++) {
        size_t length = 0;
        while (at + length < end && length < sizeof(word) - 1 &&
               ((at[length] >= 'a' && at[length] <= 'z') || at[length] == '_')) {
            word[length] = at[length];
            length++;
        }
        word[length] = '\0';
        for (size_t i = 0; length && i < sizeof(words) / sizeof(words[0]); i++)
            if (strcmp(word, words[i]) == 0)
                return true;
        at += length ? length - 1 : 0;
    }
    return false;
}

static bool is_harmless(const char *line, const char *end)
{
    const char *at = line + 1 + strspn(line + 1, " \t");
    if (end - at >= 6 && strncmp(at, "pragma", 6) == 0)
        return !is_opening_pragma(at + 6, end);
    return at == end || (end - at >= 5 && strncmp(at, "ident", 5) == 0);
}

static bool is_word_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_';
}

/* Whether the quote at `at` opens a raw string: R, u8R, uR, UR and LR stand before it. */
static bool is_raw(const char *at, const char *start)
{
    static const char *const prefixes[] = {"R", "u8R", "uR", "UR", "LR"};
    const char *word = at;
    while (word > start && is_word_byte(word[-1]))
        word--;
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
        if ((size_t)(at - word) == strlen(prefixes[i]) &&
            memcmp(word, prefixes[i], (size_t)(at - word)) == 0)
            return true;
    return false;
}

/* Behind the raw string whose quote is at `at`; NULL: it is none. */
static const char *skip_raw(const char *at, const char *end)
{
    enum { LONGEST_DELIMITER = 16 };
    const char *open = at + 1;
    size_t length = 0;
    while (open + length < end && length <= LONGEST_DELIMITER && !strchr("()\\ \t\n", open[length]))
        length++;
    if (open + length >= end || open[length] != '(')
        return NULL;
    for (const char *close = open + length + 1; close + length + 1 < end; close++)
        if (*close == ')' && memcmp(close + 1, open, length) == 0 && close[length + 1] == '"')
            return close + length + 2;
    return NULL;
}

/* Behind the literal that begins at `at`; in 1'000 none does. */
static const char *skip_literal(const char *at, const char *start, const char *end)
{
    const char *behind = *at == '"' && is_raw(at, start) ? skip_raw(at, end) : NULL;
    if (behind)
        return behind;
    if (*at == '\'' && at > start && is_word_byte(at[-1]) && at[-1] != 'L' && at[-1] != 'u' &&
        at[-1] != 'U' && at[-1] != '8')
        return at + 1;
    char quote = *at++;
    while (at < end && *at != quote && *at != '\n')
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    return at < end && *at == quote ? at + 1 : at;
}

/* Whether a directive begins here: '#', or what stands for it. */
static bool begins_directive(const char *at, const char *end)
{
    return *at == '#' || (end - at >= 2 && at[0] == '%' && at[1] == ':') ||
           (end - at >= 3 && at[0] == '?' && at[1] == '?' && at[2] == '=');
}

bool compile_next_directive(struct preprocessed_text *text, struct preprocessed_marker *marker)
{
    const char *end = text->end;
    bool at_start = true; /* `at` is at a line's beginning */
    *marker = (struct preprocessed_marker){0};
    for (const char *at = text->at; at < end;) {
        if (at_start && begins_directive(at, end)) {
            const char *line_end = memchr(at, '\n', (size_t)(end - at));
            line_end = line_end ? line_end : end;
            text->at = line_end < end ? line_end + 1 : end;
            marker->at = at;
            marker->known =
                *at == '#' && (read_marker(at, line_end, marker) || is_harmless(at, line_end));
            return true;
        }
        bool literal = (*at == '"' || *at == '\'') && !text->strict;
        at_start = *at == '\n' || *at == '\r' ||
                   (at_start && (*at == ' ' || *at == '\t' || *at == '\v' || *at == '\f'));
        at = literal ? skip_literal(at, text->start, end) : at + 1;
    }
    text->at = end;
    return false;
}
