/* Tokens, and the little helpers that every parsing function leans on. */
#include "ptx_internal.h"

#include "checked.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ptx_is_name_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int digit_value(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

struct fw_span ptx_span(const struct ptx_reader *reader, uint32_t offset, uint32_t length)
{
    return (struct fw_span){reader->source, offset, length};
}

struct fw_span ptx_span_since(const struct ptx_reader *reader, uint32_t offset)
{
    uint32_t end = reader->previous_end > offset ? reader->previous_end : offset;
    return ptx_span(reader, offset, end - offset);
}

bool ptx_error(struct ptx_reader *reader, const char *code, struct fw_span span, const char *format,
               ...)
{
    char message[512];
    va_list arguments;
    if (reader->errors >= MOST_ERRORS)
        return false;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    if (++reader->errors == MOST_ERRORS) {
        static const char *const notes[] = {"reading stopped here after ten errors"};
        fw_report_notes(reader->sink, FW_ERROR, code, span, notes, 1, "%s", message);
        return false;
    }
    fw_report(reader->sink, FW_ERROR, code, span, "%s", message);
    return false;
}

void ptx_warning(struct ptx_reader *reader, const char *code, struct fw_span span, const char *note,
                 const char *format, ...)
{
    static const char last[] = "further warnings about this file are left out";
    const char *notes[2] = {note ? note : last, last};
    char message[512];
    va_list arguments;
    if (reader->warnings >= MOST_WARNINGS)
        return;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    bool is_last = ++reader->warnings == MOST_WARNINGS;
    fw_report_notes(reader->sink, FW_WARNING, code, span, notes, (note != NULL) + (size_t)is_last,
                    "%s", message);
}

/* Past blanks and comments; false when a comment does not end. */
static bool skip_blanks(struct ptx_reader *reader)
{
    const char *text = reader->text;
    uint32_t at = reader->at, end = reader->end;
    for (;;) {
        while (at < end && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r')))
            at++;
        if (at >= end || text[at] != '/')
            break;
        if (text[at + 1] == '/') {
            const char *stop = memchr(text + at, '\n', end - at);
            at = stop ? (uint32_t)(stop - text) : end;
        } else if (text[at + 1] == '*') {
            uint32_t start = at;
            for (at += 2; at < end && !(text[at] == '*' && text[at + 1] == '/'); at++)
                ;
            if (at >= end) {
                reader->at = end;
                return ptx_error(reader, "PTX004", ptx_span(reader, start, 2),
                                 "this comment does not end");
            }
            at += 2;
        } else {
            break;
        }
    }
    reader->at = at;
    return true;
}

static void lex_word(struct ptx_reader *reader, struct ptx_token *token)
{
    const char *text = reader->text;
    uint32_t at = token->offset + 1;
    bool dotted = token->kind == TOKEN_DOT;
    for (;; at++) {
        if (ptx_is_name_character(text[at]))
            continue;
        if (dotted && text[at] == ':' && text[at + 1] == ':' && ptx_is_name_character(text[at + 2]))
            at++;
        else
            break;
    }
    token->length = at - token->offset;
    reader->at = at;
}

/* A decimal floating-point literal: strtod in the C locale, whatever the program's is. */
static double decimal_value(const char *text)
{
    locale_t neutral = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (neutral == (locale_t)0)
        return strtod(text, NULL);
    locale_t before = uselocale(neutral);
    double value = strtod(text, NULL);
    uselocale(before);
    freelocale(neutral);
    return value;
}

/* The end of a decimal float that starts at `at`, or `at` when there is none. */
static uint32_t decimal_end(const char *text, uint32_t at)
{
    uint32_t start = at;
    bool is_float = false;
    while (is_digit(text[at]))
        at++;
    if (text[at] == '.' && !(ptx_is_name_character(text[at + 1]) && !is_digit(text[at + 1]))) {
        is_float = true;
        for (at++; is_digit(text[at]); at++)
            ;
    }
    if (text[at] == 'e' || text[at] == 'E') {
        uint32_t exponent = at + 1;
        if (text[exponent] == '+' || text[exponent] == '-')
            exponent++;
        if (is_digit(text[exponent])) {
            is_float = true;
            for (at = exponent; is_digit(text[at]); at++)
                ;
        }
    }
    return is_float ? at : start;
}

/* Digits of `base` from `at` on into the token's bits; false on overflow. */
static bool lex_digits(const char *text, uint32_t *at, unsigned base, uint64_t *bits)
{
    bool fits = true;
    for (; digit_value(text[*at]) < (int)base; ++*at)
        fits = !fw_multiply_overflows(*bits, (uint64_t)base, bits) &&
               !fw_add_overflows(*bits, (uint64_t)digit_value(text[*at]), bits) && fits;
    return fits;
}

static void lex_integer(struct ptx_reader *reader, struct ptx_token *token)
{
    const char *text = reader->text;
    uint32_t at = token->offset, first;
    unsigned base = 10;
    token->kind = TOKEN_INTEGER;
    if (text[at] == '0') {
        char prefix = text[at + 1];
        base = prefix == 'x' || prefix == 'X' ? 16 : prefix == 'b' || prefix == 'B' ? 2 : 8;
        at += base == 8 ? 0 : 2;
    }
    first = at;
    bool fits = lex_digits(text, &at, base, &token->bits);
    bool empty = at == first;
    token->is_unsigned = token->bits > INT64_MAX;
    if (text[at] == 'U' || text[at] == 'u') {
        token->is_unsigned = true;
        at++;
    }
    bool malformed = empty || ptx_is_name_character(text[at]);
    while (ptx_is_name_character(text[at]))
        at++;
    token->length = at - token->offset;
    if (malformed || !fits) {
        ptx_error(reader, "PTX003", ptx_span(reader, token->offset, token->length),
                  malformed ? "malformed integer literal" : "this integer does not fit 64 bits");
        token->kind = TOKEN_ERROR;
    }
}

/* 0f and eight hexadecimal digits, 0d and sixteen, or a decimal float; else an integer. */
static void lex_number(struct ptx_reader *reader, struct ptx_token *token)
{
    const char *text = reader->text;
    uint32_t at = token->offset;
    char prefix = text[at] == '0' ? (char)(text[at + 1] | 0x20) : '\0';
    if (prefix == 'f' || prefix == 'd') {
        unsigned wanted = prefix == 'f' ? 8 : 16, have = 0;
        token->kind = TOKEN_FLOAT;
        token->single = prefix == 'f';
        for (at += 2; digit_value(text[at]) < 16; at++, have++)
            token->bits = token->bits << 4 | (uint64_t)digit_value(text[at]);
        bool malformed = have != wanted || ptx_is_name_character(text[at]);
        while (ptx_is_name_character(text[at]))
            at++;
        token->length = at - token->offset;
        if (malformed) {
            ptx_error(reader, "PTX003", ptx_span(reader, token->offset, token->length),
                      "a 0%c literal has exactly %u hexadecimal digits", prefix, wanted);
            token->kind = TOKEN_ERROR;
        }
        reader->at = at;
        return;
    }
    uint32_t end = decimal_end(text, at);
    if (end == at) {
        lex_integer(reader, token);
    } else {
        double value = decimal_value(text + at);
        token->kind = TOKEN_FLOAT;
        memcpy(&token->bits, &value, sizeof(value));
        token->length = end - at;
    }
    reader->at = token->offset + token->length;
}

static void lex_string(struct ptx_reader *reader, struct ptx_token *token)
{
    const char *text = reader->text;
    uint32_t at = token->offset + 1;
    while (at < reader->end && text[at] != '"' && text[at] != '\n')
        at += text[at] == '\\' && at + 1 < reader->end && text[at + 1] != '\n' ? 2 : 1;
    token->kind = TOKEN_STRING;
    if (at >= reader->end || text[at] != '"') {
        ptx_error(reader, "PTX004", ptx_span(reader, token->offset, 1),
                  "this string does not end on its line");
        token->kind = TOKEN_ERROR;
        token->length = at - token->offset;
    } else {
        token->length = at + 1 - token->offset;
    }
    reader->at = token->offset + token->length;
}

static void lex_mark(struct ptx_reader *reader, struct ptx_token *token)
{
    static const struct {
        char text[3];
        uint16_t kind;
    } pairs[] = {{"<<", TOKEN_SHIFT_LEFT},    {">>", TOKEN_SHIFT_RIGHT}, {"<=", TOKEN_LESS_EQUAL},
                 {">=", TOKEN_GREATER_EQUAL}, {"==", TOKEN_EQUAL},       {"!=", TOKEN_UNEQUAL},
                 {"&&", TOKEN_BOTH},          {"||", TOKEN_EITHER}};
    const char *text = reader->text + token->offset;
    token->kind = (unsigned char)text[0];
    token->length = 1;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
        if (text[0] == pairs[i].text[0] && text[1] == pairs[i].text[1]) {
            token->kind = pairs[i].kind;
            token->length = 2;
        }
    if (text[0] == '\0' || !strchr(",;:(){}[]<>=+-*/%!~&|^?@", text[0])) {
        unsigned byte = (unsigned char)text[0];
        while (byte >= 0x80 && (unsigned char)text[token->length] >= 0x80)
            token->length++; /* one error for a whole foreign word */
        ptx_error(reader, "PTX002", ptx_span(reader, token->offset, token->length),
                  byte < 32 || byte >= 127 ? "the byte 0x%02X has no place in PTX"
                                           : "the character '%c' has no place here",
                  byte);
        token->kind = TOKEN_ERROR;
    }
    reader->at = token->offset + token->length;
}

static void lex(struct ptx_reader *reader, struct ptx_token *token)
{
    bool blank = skip_blanks(reader);
    *token = (struct ptx_token){.kind = TOKEN_END, .offset = reader->at};
    if (!blank || reader->at >= reader->end || reader->errors >= MOST_ERRORS)
        return;
    const char *text = reader->text + reader->at;
    char c = *text;
    if (is_digit(c)) {
        lex_number(reader, token);
    } else if (c == '.' && ptx_is_name_character(text[1])) {
        token->kind = TOKEN_DOT;
        lex_word(reader, token);
    } else if (ptx_is_name_character(c) ||
               (c == '%' && ptx_is_name_character(text[1]) && !is_digit(text[1]))) {
        token->kind = TOKEN_NAME;
        lex_word(reader, token);
    } else if (c == '"') {
        lex_string(reader, token);
    } else {
        lex_mark(reader, token);
    }
}

void ptx_advance(struct ptx_reader *reader)
{
    reader->previous_end = reader->token.offset + reader->token.length;
    if (reader->has_ahead) {
        reader->token = reader->ahead;
        reader->has_ahead = false;
    } else {
        lex(reader, &reader->token);
    }
}

const struct ptx_token *ptx_peek(struct ptx_reader *reader)
{
    if (!reader->has_ahead) {
        lex(reader, &reader->ahead);
        reader->has_ahead = true;
    }
    return &reader->ahead;
}

void ptx_seek(struct ptx_reader *reader, uint32_t offset)
{
    reader->has_ahead = false;
    reader->at = offset;
    reader->previous_end = offset;
    lex(reader, &reader->token);
}

const char *ptx_text(const struct ptx_reader *reader, struct ptx_token token)
{
    return reader->text + token.offset;
}

const char *ptx_intern(struct ptx_reader *reader, struct ptx_token token)
{
    return fw_map_intern(&reader->module->strings, ptx_text(reader, token), token.length);
}

bool ptx_is(const struct ptx_reader *reader, const char *word)
{
    size_t length = strlen(word);
    return (reader->token.kind == TOKEN_NAME || reader->token.kind == TOKEN_DOT) &&
           reader->token.length == length &&
           memcmp(reader->text + reader->token.offset, word, length) == 0;
}

bool ptx_unexpected(struct ptx_reader *reader, const char *what)
{
    struct ptx_token token = reader->token;
    if (token.kind == TOKEN_ERROR)
        return false;
    if (token.kind == TOKEN_END)
        return ptx_error(reader, "PTX005", ptx_span(reader, reader->end, 0),
                         "expected %s, but the text ends", what);
    int shown = token.length < 40 ? (int)token.length : 40;
    return ptx_error(reader, "PTX005", ptx_span(reader, token.offset, token.length),
                     "expected %s before '%.*s'", what, shown, ptx_text(reader, token));
}

bool ptx_accept(struct ptx_reader *reader, int kind)
{
    if (reader->token.kind != kind)
        return false;
    ptx_advance(reader);
    return true;
}

bool ptx_expect(struct ptx_reader *reader, int kind, const char *what)
{
    return ptx_accept(reader, kind) || ptx_unexpected(reader, what);
}

bool ptx_expect_name(struct ptx_reader *reader, struct ptx_token *name, const char *what)
{
    *name = reader->token;
    return ptx_expect(reader, TOKEN_NAME, what);
}

bool ptx_expect_number(struct ptx_reader *reader, uint32_t *number, const char *what)
{
    struct ptx_token token = reader->token;
    if (!ptx_expect(reader, TOKEN_INTEGER, what))
        return false;
    if (token.bits > UINT32_MAX)
        return ptx_error(reader, "PTX011", ptx_span(reader, token.offset, token.length),
                         "this number does not fit 32 bits");
    *number = (uint32_t)token.bits;
    return true;
}

bool ptx_enter(struct ptx_reader *reader)
{
    if (reader->nesting >= MOST_NESTED)
        return ptx_error(reader, "PTX011", ptx_span(reader, reader->token.offset, 1),
                         "brackets are nested more than %d deep", MOST_NESTED);
    reader->nesting++;
    return true;
}

void ptx_leave(struct ptx_reader *reader)
{
    reader->nesting--;
}
