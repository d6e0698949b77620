/* Source text as tokens.  See source_tokens.h. */
#include "source_tokens.h"

#include <string.h>

struct lexer {
    const char *text;
    size_t length;
    size_t at;
    bool embeds;
};

static bool is_name_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_' || byte == '$' || (byte & 0x80);
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* The byte `ahead` of the place, 0 past the end. */
static char peek(const struct lexer *lexer, size_t ahead)
{
    return lexer->at + ahead < lexer->length ? lexer->text[lexer->at + ahead] : '\0';
}

/* Bytes of a backslash and line end at the place: 0 when there is none. */
static size_t splice(const struct lexer *lexer)
{
    if (peek(lexer, 0) != '\\')
        return 0;
    return peek(lexer, 1) == '\n' ? 2 : peek(lexer, 1) == '\r' && peek(lexer, 2) == '\n' ? 3 : 0;
}

static void skip_comment(struct lexer *lexer)
{
    bool block = peek(lexer, 1) == '*';
    lexer->at += 2;
    while (lexer->at < lexer->length) {
        size_t joined = splice(lexer);
        if (joined && !block) {
            lexer->at += joined;
        } else if (block && peek(lexer, 0) == '*' && peek(lexer, 1) == '/') {
            lexer->at += 2;
            return;
        } else if (!block && peek(lexer, 0) == '\n') {
            return;
        } else {
            lexer->at++;
        }
    }
}

static bool at_comment(const struct lexer *lexer)
{
    return peek(lexer, 0) == '/' && (peek(lexer, 1) == '/' || peek(lexer, 1) == '*');
}

static void skip_quoted(struct lexer *lexer)
{
    char quote = lexer->text[lexer->at++];
    while (lexer->at < lexer->length && lexer->text[lexer->at] != quote) {
        if (lexer->text[lexer->at] == '\n')
            return; /* not closed: a stray apostrophe must not swallow the file */
        lexer->at += lexer->text[lexer->at] == '\\' ? 2 : 1;
    }
    lexer->at++;
}

/* At the quote of R"delimiter( ... )delimiter". */
static void skip_raw(struct lexer *lexer)
{
    size_t start = ++lexer->at;
    while (lexer->at < lexer->length && lexer->text[lexer->at] != '(')
        lexer->at++;
    size_t length = lexer->at - start;
    const char *delimiter = lexer->text + start;
    for (; lexer->at < lexer->length; lexer->at++) {
        if (lexer->text[lexer->at] == ')' && lexer->length - lexer->at >= length + 2 &&
            memcmp(lexer->text + lexer->at + 1, delimiter, length) == 0 &&
            lexer->text[lexer->at + 1 + length] == '"') {
            lexer->at += length + 2;
            return;
        }
    }
}

/* Skips the rest of a directive's line, splices and comments included, behind its '#'. */
static void skip_directive(struct lexer *lexer)
{
    char word[8] = "";
    size_t length = 0;
    bool first = true;
    while (lexer->at < lexer->length && peek(lexer, 0) != '\n') {
        size_t joined = splice(lexer);
        if (joined) {
            lexer->at += joined;
        } else if (at_comment(lexer)) {
            skip_comment(lexer);
        } else if (peek(lexer, 0) == '"') {
            first = false;
            skip_quoted(lexer);
        } else {
            char byte = lexer->text[lexer->at++];
            if (first && is_name_byte(byte) && length + 1 < sizeof(word))
                word[length++] = byte;
            else if (length || (byte != ' ' && byte != '\t'))
                first = false;
        }
    }
    lexer->embeds |= strcmp(word, "embed") == 0;
}

/* Whether the place begins with '#', or another spelling of it; `*length` its bytes. */
static bool at_hash(const struct lexer *lexer, size_t *length)
{
    *length = peek(lexer, 0) == '#'                                                     ? 1
              : peek(lexer, 0) == '%' && peek(lexer, 1) == ':'                          ? 2
              : peek(lexer, 0) == '?' && peek(lexer, 1) == '?' && peek(lexer, 2) == '=' ? 3
                                                                                        : 0;
    return *length != 0;
}

static struct token next_token(struct lexer *lexer, bool *line_start)
{
    for (;;) {
        size_t length = splice(lexer);
        char byte = peek(lexer, 0);
        if (lexer->at >= lexer->length)
            return (struct token){TOKEN_END, (uint32_t)lexer->length, 0};
        if (length) {
            lexer->at += length;
        } else if (byte == '\n') {
            *line_start = true;
            lexer->at++;
        } else if (byte == ' ' || byte == '\t' || byte == '\r' || byte == '\f' || byte == '\v' ||
                   byte == '\0') {
            lexer->at++;
        } else if (at_comment(lexer)) {
            skip_comment(lexer);
        } else if (*line_start && at_hash(lexer, &length)) {
            lexer->at += length;
            skip_directive(lexer);
        } else {
            break;
        }
    }
    *line_start = false;
    struct token token = {TOKEN_MARK, (uint32_t)lexer->at, 1};
    char byte = peek(lexer, 0);
    if (byte == '"' || byte == '\'') {
        token.kind = TOKEN_STRING;
        skip_quoted(lexer);
    } else if (is_name_byte(byte)) {
        token.kind = is_digit(byte) ? TOKEN_NUMBER : TOKEN_NAME;
        /* 1'000 has apostrophes inside a number. */
        while (
            is_name_byte(peek(lexer, 0)) ||
            (token.kind == TOKEN_NUMBER &&
             (peek(lexer, 0) == '.' || (peek(lexer, 0) == '\'' && is_name_byte(peek(lexer, 1))))))
            lexer->at++;
        if (peek(lexer, 0) == '"' && lexer->text[lexer->at - 1] == 'R') {
            token.kind = TOKEN_STRING;
            skip_raw(lexer);
        }
    } else {
        lexer->at++;
    }
    if (lexer->at > lexer->length)
        lexer->at = lexer->length;
    token.length = (uint32_t)(lexer->at - token.offset);
    return token;
}

void source_tokens_read(struct source_tokens *tokens, struct fw_arena *arena, const char *text,
                        size_t length, bool opencl)
{
    struct lexer lexer = {text, length < UINT32_MAX ? length : UINT32_MAX - 1, 0, false};
    FW_VECTOR(struct token) all = {0};
    bool line_start = true;
    do
        *FW_APPEND(arena, &all) = next_token(&lexer, &line_start);
    while (all.at[all.count - 1].kind != TOKEN_END);
    *tokens = (struct source_tokens){arena, text, all.at, all.count - 1, opencl, lexer.embeds};
}

bool source_token_is(const struct source_tokens *reader, size_t token, const char *word)
{
    const struct token *at = &reader->tokens[token < reader->count ? token : reader->count];
    size_t length = strlen(word);
    return at->length == length && memcmp(reader->text + at->offset, word, length) == 0;
}

bool source_token_is_any(const struct source_tokens *reader, size_t token, const char *const *words)
{
    for (; *words; words++)
        if (source_token_is(reader, token, *words))
            return true;
    return false;
}

size_t source_behind_bracket(const struct source_tokens *reader, size_t open)
{
    bool angles = source_token_is(reader, open, "<");
    size_t depth = 0, i = open;
    for (; i < reader->count; i++) {
        if (source_token_is(reader, i, "(") || source_token_is(reader, i, "[") ||
            source_token_is(reader, i, "{") || (angles && source_token_is(reader, i, "<")))
            depth++;
        else if (source_token_is(reader, i, ")") || source_token_is(reader, i, "]") ||
                 source_token_is(reader, i, "}") || (angles && source_token_is(reader, i, ">")))
            depth--;
        if (depth == 0)
            return i + 1;
        if (angles && source_token_is(reader, i, ";"))
            return i;
    }
    return i;
}

const char *source_token_text(const struct source_tokens *reader, size_t token)
{
    const struct token *at = &reader->tokens[token];
    return fw_arena_text(reader->arena, reader->text + at->offset, at->length);
}
