#include "cost_lexer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

/* The part of a feature in braces, {0:1;1:>15}, at `text[0]`; 0: it does not end. */
static size_t scan_braces(struct fw_buffer *normal, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = text[i] == ',' ? ';' : text[i];
        if ((i && c == '{') || (unsigned char)c < ' ' || (unsigned char)c > '~' || c == '"')
            return 0;
        if (normal && c != ' ')
            fw_buffer_add(normal, &c, 1);
        if (c == '}')
            return i + 1;
    }
    return 0;
}

/* What follows a colon outside of braces: a comparison, then a word or braces. */
static size_t scan_constraint(struct fw_buffer *normal, const char *text, size_t length)
{
    size_t comparison = 0;
    if (length && text[0] == '{')
        return scan_braces(normal, text, length);
    while (comparison < length && comparison < 2 && strchr("<>=", text[comparison]))
        comparison++;
    if (comparison == length || (!is_word(text[comparison]) && text[comparison] != '.'))
        return 0;
    if (normal)
        fw_buffer_add(normal, text, comparison);
    return comparison ? comparison : SIZE_MAX;
}

size_t fw_cost_feature_scan(struct fw_buffer *normal, const char *text, size_t length)
{
    size_t at = 2;
    if (length < 3 || text[0] != 'f' || text[1] != '_' || !is_word(text[2]))
        return 0;
    if (normal)
        fw_buffer_add(normal, text, 2);
    while (at < length) {
        size_t part = 0;
        bool constraint = text[at] == ':';
        bool point = text[at] == '.' && at + 1 < length && is_word(text[at + 1]);
        if (!constraint && !point && !is_word(text[at]))
            break;
        if (normal)
            fw_buffer_add(normal, &text[at], 1);
        at++;
        if (!constraint)
            continue;
        part = scan_constraint(normal, &text[at], length - at);
        if (!part)
            return 0;
        at += part == SIZE_MAX ? 0 : part;
    }
    return at;
}

static void skip(struct fw_cost_lexer *lexer)
{
    const struct fw_source *source = lexer->source;
    while (lexer->at < source->length) {
        char c = source->text[lexer->at];
        if (c == '#')
            while (lexer->at < source->length && source->text[lexer->at] != '\n')
                lexer->at++;
        else if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
            lexer->at++;
        else
            return;
    }
}

/* Digits with a point and an exponent, as strtod reads them, but no hexadecimal and no words. */
static size_t scan_number(const char *text, size_t length)
{
    size_t at = 0, digits = 0;
    for (; at < length && (is_digit(text[at]) || text[at] == '.'); at++)
        digits += text[at] != '.';
    if (!digits)
        return 0;
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        size_t after = at + 1;
        if (after < length && (text[after] == '+' || text[after] == '-'))
            after++;
        if (after < length && is_digit(text[after]))
            for (at = after; at < length && is_digit(text[at]);)
                at++;
    }
    return at;
}

static void read_number(struct fw_cost_lexer *lexer, size_t length)
{
    struct fw_cost_token *token = &lexer->token;
    char *end, *copy = fw_arena_text(lexer->arena, &lexer->source->text[lexer->at], length);
    token->number = strtod(copy, &end);
    token->word = *end || !isfinite(token->number) ? FW_COST_WORD_WRONG : FW_COST_WORD_NUMBER;
}

static size_t scan_text(const char *text, size_t length)
{
    for (size_t i = 1; i < length && text[i] != '\n'; i++)
        if (text[i] == '"')
            return i + 1;
    return 0;
}

/* Sets the token's word; the number of its bytes. */
static size_t scan(struct fw_cost_lexer *lexer)
{
    struct fw_cost_token *token = &lexer->token;
    const char *text = &lexer->source->text[lexer->at];
    size_t left = lexer->source->length - lexer->at, length = 0;
    struct fw_buffer normal = fw_buffer_new(lexer->arena);
    if (text[0] == 'f' && left > 1 && text[1] == '_') {
        length = fw_cost_feature_scan(&normal, text, left);
        token->word = length ? FW_COST_WORD_FEATURE : FW_COST_WORD_WRONG;
        token->text = normal.text;
        return length ? length : 2;
    }
    if (is_word(*text) && !is_digit(*text)) {
        while (length < left && is_word(text[length]))
            length++;
        token->text = fw_arena_text(lexer->arena, text, length);
        token->word = text[0] == 'p' && length > 2 && text[1] == '_' ? FW_COST_WORD_PARAMETER
                                                                     : FW_COST_WORD_NAME;
        return length;
    }
    if ((length = scan_number(text, left))) {
        read_number(lexer, length);
        return length;
    }
    if (*text == '"') {
        length = scan_text(text, left);
        token->word = length ? FW_COST_WORD_TEXT : FW_COST_WORD_WRONG;
        token->text = length ? fw_arena_text(lexer->arena, text + 1, length - 2) : "";
        return length ? length : 1;
    }
    length = left > 1 && (memcmp(text, ">=", 2) == 0 || memcmp(text, "<=", 2) == 0 ||
                          memcmp(text, "**", 2) == 0)
                 ? 2
                 : 1;
    token->word = length == 2 || (*text && strchr("+-*/^(),=", *text)) ? FW_COST_WORD_SIGN
                                                                       : FW_COST_WORD_WRONG;
    token->text = fw_arena_text(lexer->arena, text, length);
    return length;
}

void fw_cost_lexer_next(struct fw_cost_lexer *lexer)
{
    skip(lexer);
    lexer->token = (struct fw_cost_token){
        .word = FW_COST_WORD_END, .span = {lexer->source, (uint32_t)lexer->at, 0}, .text = ""};
    if (lexer->at == lexer->source->length)
        return;
    size_t length = scan(lexer);
    lexer->token.span.length = (uint32_t)length;
    lexer->at += length;
}
