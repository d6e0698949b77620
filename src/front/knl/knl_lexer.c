/* Tokens of the kernel language. */
#include "knl_internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct fw_span knl_span(const struct knl *knl, const char *text, size_t length)
{
    return (struct fw_span){knl->source, (uint32_t)(text - knl->source->text), (uint32_t)length};
}

enum fw_status knl_fault(struct knl *knl, const char *code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *message = fw_arena_vprintf(knl->arena, format, arguments);
    va_end(arguments);
    fw_report(knl->sink, FW_ERROR, code, knl_span(knl, knl->token.text, knl->token.length), "%s",
              message);
    return FW_ERROR_INPUT;
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Digits with a point or an exponent are real; f, h and d say which type. */
static enum fw_status read_number(struct knl *knl)
{
    struct token *token = &knl->token;
    const char *at = token->text;
    bool real = false;
    while (isdigit((unsigned char)*at))
        at++;
    if (*at == '.') {
        real = true;
        for (at++; isdigit((unsigned char)*at); at++)
            ;
    }
    if (*at == 'e' || *at == 'E') {
        const char *exponent = at + 1 + (at[1] == '+' || at[1] == '-');
        if (isdigit((unsigned char)*exponent)) {
            real = true;
            for (at = exponent; isdigit((unsigned char)*at); at++)
                ;
        }
    }
    char *text = fw_arena_text(knl->arena, token->text, (size_t)(at - token->text));
    if (real || *at == 'f' || *at == 'h') {
        token->kind = TOKEN_REAL;
        token->real = strtod(text, NULL);
        token->type = FW_TYPE_NONE;
        if (*at == 'f' || *at == 'h' || *at == 'd') {
            token->type = *at == 'f' ? FW_TYPE_F32 : *at == 'h' ? FW_TYPE_F16 : FW_TYPE_F64;
            at++;
        }
    } else {
        errno = 0;
        token->kind = TOKEN_INTEGER;
        token->integer = strtoll(text, NULL, 10);
        if (errno || token->integer > KNL_CONSTANT_MOST)
            return knl_fault(knl, "KNL003", "the number is too large");
    }
    token->length = (size_t)(at - token->text);
    knl->at = at;
    if (is_name(*at))
        return knl_fault(knl, "KNL001", "a number runs into a name");
    return FW_OK;
}

static void skip_blanks(struct knl *knl)
{
    for (;; knl->at++) {
        if (*knl->at == '#')
            knl->at += strcspn(knl->at, "\n");
        bool blank = *knl->at == ' ' || *knl->at == '\t' || *knl->at == '\r' ||
                     (*knl->at == '\n' && knl->nesting);
        if (!blank)
            return;
    }
}

enum fw_status knl_next(struct knl *knl)
{
    static const char *const pairs[] = {"<=", ">=", "==", "!=", "<<", ">>", "**", "//"};
    struct token *token = &knl->token;
    skip_blanks(knl);
    *token = (struct token){.kind = TOKEN_MARK, .text = knl->at, .length = 1};
    char c = *knl->at;
    if (c == '\0') {
        token->kind = TOKEN_END;
        token->length = 0;
        return FW_OK;
    }
    if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)knl->at[1])))
        return read_number(knl);
    if (is_name(c)) {
        token->kind = TOKEN_NAME;
        while (is_name(token->text[token->length]))
            token->length++;
    } else if (c == '\n') {
        token->kind = TOKEN_LINE;
    } else if (!strchr("+-*/%<>=!()[]{},|&^~$:", c)) {
        return knl_fault(knl, "KNL001", "this character means nothing here");
    } else {
        for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
            if (strncmp(pairs[i], knl->at, 2) == 0)
                token->length = 2;
    }
    knl->nesting += c == '(' || c == '[' || c == '{';
    if ((c == ')' || c == ']' || c == '}') && knl->nesting)
        knl->nesting--;
    knl->at += token->length;
    return FW_OK;
}

bool knl_is(const struct knl *knl, const char *mark)
{
    return (knl->token.kind == TOKEN_MARK || knl->token.kind == TOKEN_NAME) &&
           strlen(mark) == knl->token.length &&
           memcmp(mark, knl->token.text, knl->token.length) == 0;
}

enum fw_status knl_expect(struct knl *knl, const char *mark)
{
    if (!knl_is(knl, mark))
        return knl_fault(knl, "KNL002", "'%s' is expected here", mark);
    return knl_next(knl);
}
