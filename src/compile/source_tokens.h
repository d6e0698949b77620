/* Source text of CUDA C++ and OpenCL C as tokens: what the readers of signatures and of structures
 * share.  Comments, strings, raw strings and directives are skipped or one token; nothing fails. */
#ifndef FW_SOURCE_TOKENS_H
#define FW_SOURCE_TOKENS_H

#include "text.h"

enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING, TOKEN_MARK };

struct token {
    enum token_kind kind;
    uint32_t offset;
    uint32_t length;
};

/* Tokens of a text, which lives as long as they do. */
struct source_tokens {
    struct fw_arena *arena;
    const char *text;
    const struct token *tokens;
    size_t count; /* the token behind the last is TOKEN_END */
    bool opencl;
    bool embeds; /* the text has an #embed directive */
};

/* Takes `length` bytes apart; all lives in the arena. */
void source_tokens_read(struct source_tokens *tokens, struct fw_arena *arena, const char *text,
                        size_t length, bool opencl);

/* Whether the token is the word, or one of the words of a list that NULL ends. */
bool source_token_is(const struct source_tokens *tokens, size_t token, const char *word);
bool source_token_is_any(const struct source_tokens *tokens, size_t token,
                         const char *const *words);

/* The token behind the bracket that closes the one at `open`; brackets of all kinds nest.  Angle
 * brackets count only when the first is one. */
size_t source_behind_bracket(const struct source_tokens *tokens, size_t open);

/* A copy of the token's text in the arena. */
const char *source_token_text(const struct source_tokens *tokens, size_t token);

#endif
