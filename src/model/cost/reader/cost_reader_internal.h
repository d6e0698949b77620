/* The reader of cost models, between its two files: words, and expressions to graphs. */
#ifndef FW_COST_READER_INTERNAL_H
#define FW_COST_READER_INTERNAL_H

#include "cost_lexer.h"

struct cost_reader {
    struct fw_cost_lexer lexer;
    struct fw_arena *arena;
    struct fw_cost_model *model;
    struct fw_map lets, features, parameters, calibrated;
    const struct fw_sink *sink;
    size_t end; /* of the word before the one that is looked at */
    unsigned depth;
    bool failed, has_cost, declares, has_overlap;
    bool has_group[FW_COST_GROUP_COUNT];
};

/* Only the first error is told: later ones follow from it. */
#define WRONG(reader, code, span, ...)                                                             \
    do {                                                                                           \
        if (!(reader)->failed)                                                                     \
            fw_report((reader)->sink, FW_ERROR, code, span, __VA_ARGS__);                          \
        (reader)->failed = true;                                                                   \
    } while (0)

/* Reads the next word; a wrong one is told, and ends the text. */
void cost_reader_next(struct cost_reader *reader);

/* Whether the word that is looked at is a sign. */
bool cost_reader_is(const struct cost_reader *reader, const char *sign);

/* Reads over a sign, if it is there. */
bool cost_reader_accept(struct cost_reader *reader, const char *sign);

/* Reads over a sign, which has to be there. */
void cost_reader_expect(struct cost_reader *reader, const char *sign);

/* The number of a parameter among the model's; *added: it was not there before. */
uint32_t cost_reader_parameter(struct cost_reader *reader, const char *name, struct fw_span place,
                               bool *added);

/* Reads an expression: the number of its node in the model's graph. It may nest 200 deep, and all
 * expressions have 20,000 nodes at most. */
uint32_t cost_reader_expression(struct cost_reader *reader);

#endif
