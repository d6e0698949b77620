/* Words of the language of cost models.  Takes a text; gives one word after the other, a feature's
 * identifier with all its constraints as one. */
#ifndef FW_COST_LEXER_H
#define FW_COST_LEXER_H

#include "cost_model.h"

enum fw_cost_word {
    FW_COST_WORD_END,
    FW_COST_WORD_NAME,
    FW_COST_WORD_FEATURE,
    FW_COST_WORD_PARAMETER,
    FW_COST_WORD_NUMBER,
    FW_COST_WORD_TEXT, /* in quotes */
    FW_COST_WORD_SIGN, /* one of + - * / ^ ( ) , = or >= <= ** */
    FW_COST_WORD_WRONG
};

struct fw_cost_token {
    enum fw_cost_word word;
    struct fw_span span;
    const char *text; /* names, features (normal), texts; a sign: its characters */
    double number;
};

struct fw_cost_lexer {
    struct fw_arena *arena;
    const struct fw_source *source;
    size_t at;
    struct fw_cost_token token; /* the word that is looked at */
};

/* Goes to the next word. */
void fw_cost_lexer_next(struct fw_cost_lexer *lexer);

#endif
