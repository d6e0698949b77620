/* Expressions of cost models: sums, products, powers, functions and names, to nodes of a graph. */
#include "cost_reader_internal.h"

#include <string.h>

enum { DEEPEST = 200, NODES_MOST = 20000 };

static uint32_t feature_number(struct cost_reader *reader, const struct fw_cost_token *token)
{
    bool added;
    struct fw_map_entry *entry =
        fw_map_add(&reader->features, token->text, strlen(token->text), &added);
    if (added) {
        entry->value = (uint32_t)reader->model->features.count;
        *FW_APPEND(reader->arena, &reader->model->features) =
            (struct fw_cost_feature){entry->key, token->span};
    }
    return entry->value;
}

static uint32_t combine(struct cost_reader *reader, enum fw_cost_operation operation, uint32_t left,
                        uint32_t right, struct fw_span place)
{
    struct fw_cost_graph *graph = &reader->model->graph;
    if (reader->failed)
        return 0;
    if (graph->nodes.count >= NODES_MOST)
        WRONG(reader, "COST003", place, "the expressions have more than %d parts", NODES_MOST);
    return fw_cost_combine(graph, operation, left, right, place);
}

struct function {
    const char *name;
    unsigned least, most; /* arguments */
    enum fw_cost_operation operation;
    bool smooth; /* made of several operations */
};

enum { ARGUMENTS_MOST = 64 };

static const struct function *find_function(struct cost_reader *reader,
                                            const struct fw_cost_token *name)
{
    static const struct function functions[] = {{"min", 2, ARGUMENTS_MOST, FW_COST_MINIMUM, false},
                                                {"max", 2, ARGUMENTS_MOST, FW_COST_MAXIMUM, false},
                                                {"tanh", 1, 1, FW_COST_TANH, false},
                                                {"exp", 1, 1, FW_COST_EXP, false},
                                                {"log", 1, 1, FW_COST_LOG, false},
                                                {"sqrt", 1, 1, FW_COST_SQRT, false},
                                                {"smooth_step", 2, 2, FW_COST_STEP, true},
                                                {"smooth_max", 3, 3, FW_COST_MAXIMUM, true},
                                                {"smooth_min", 3, 3, FW_COST_MINIMUM, true}};
    for (size_t f = 0; f < sizeof(functions) / sizeof(functions[0]); f++)
        if (strcmp(functions[f].name, name->text) == 0)
            return &functions[f];
    WRONG(reader, "COST004", name->span,
          "there is no function %s; there are min, max, tanh, exp, log, sqrt, smooth_step, "
          "smooth_max and smooth_min",
          name->text);
    return NULL;
}

static uint32_t apply_smooth(struct cost_reader *reader, const struct function *function,
                             const uint32_t *arguments, struct fw_span place)
{
    struct fw_cost_graph *graph = &reader->model->graph;
    if (function->operation == FW_COST_STEP)
        return fw_cost_smooth_step(graph, arguments[0], arguments[1], place);
    uint32_t most = fw_cost_smooth_maximum(graph, arguments[0], arguments[1], arguments[2], place);
    if (function->operation == FW_COST_MAXIMUM)
        return most;
    uint32_t both = combine(reader, FW_COST_ADD, arguments[0], arguments[1], place);
    return combine(reader, FW_COST_SUBTRACT, both, most, place);
}

/* A function whose opening bracket was read. */
static uint32_t call(struct cost_reader *reader, const struct fw_cost_token *name)
{
    const struct function *function = find_function(reader, name);
    uint32_t arguments[ARGUMENTS_MOST];
    unsigned count = 0;
    if (!function)
        return 0;
    do {
        if (count == ARGUMENTS_MOST)
            WRONG(reader, "COST004", name->span, "more than %d arguments", ARGUMENTS_MOST);
        else
            arguments[count++] = cost_reader_expression(reader);
    } while (!reader->failed && cost_reader_accept(reader, ","));
    cost_reader_expect(reader, ")");
    if (!reader->failed && (count < function->least || count > function->most))
        WRONG(reader, "COST004", name->span, "%s takes %u argument%s%s, not %u", name->text,
              function->least, function->least == 1 ? "" : "s",
              function->most > function->least ? " or more" : "", count);
    if (reader->failed)
        return 0;
    if (function->smooth)
        return apply_smooth(reader, function, arguments, name->span);
    if (function->most == 1)
        return combine(reader, function->operation, arguments[0], arguments[0], name->span);
    uint32_t result = arguments[0];
    for (unsigned a = 1; a < count; a++)
        result = combine(reader, function->operation, result, arguments[a], name->span);
    return result;
}

static uint32_t read_name(struct cost_reader *reader, const struct fw_cost_token *token)
{
    if (cost_reader_accept(reader, "("))
        return call(reader, token);
    const struct fw_map_entry *let = fw_map_find(&reader->lets, token->text, strlen(token->text));
    if (!let)
        WRONG(reader, "COST005", token->span,
              "there is no %s: features begin with f_, parameters with p_, and what else has a "
              "name is defined above by let",
              token->text);
    return let ? let->value : 0;
}

static uint32_t read_primary(struct cost_reader *reader)
{
    struct fw_cost_token token = reader->lexer.token;
    struct fw_cost_graph *graph = &reader->model->graph;
    const struct fw_map_entry *let; /* a feature that the model defines */
    bool added = false;
    cost_reader_next(reader);
    if (reader->failed)
        return 0;
    switch (token.word) {
    case FW_COST_WORD_NUMBER:
        return fw_cost_constant(graph, token.number);
    case FW_COST_WORD_FEATURE:
        let = fw_map_find(&reader->lets, token.text, strlen(token.text));
        if (let)
            return let->value;
        return fw_cost_leaf(graph, FW_COST_FEATURE, feature_number(reader, &token), token.span);
    case FW_COST_WORD_PARAMETER: {
        uint32_t number = cost_reader_parameter(reader, token.text, token.span, &added);
        return fw_cost_leaf(graph, FW_COST_PARAMETER, number, token.span);
    }
    case FW_COST_WORD_NAME:
        return read_name(reader, &token);
    default:
        if (token.word == FW_COST_WORD_SIGN && strcmp(token.text, "(") == 0) {
            uint32_t inner = cost_reader_expression(reader);
            cost_reader_expect(reader, ")");
            return inner;
        }
        WRONG(reader, "COST001", token.span,
              "a number, a feature, a parameter, a name or a bracket is missing here");
        return 0;
    }
}

/* [-] primary [^ factor]: a sign binds weaker than a power. */
static uint32_t read_factor(struct cost_reader *reader)
{
    struct fw_span place = reader->lexer.token.span;
    uint32_t result = 0;
    if (++reader->depth > DEEPEST) {
        WRONG(reader, "COST002", place, "nested deeper than %d", DEEPEST);
        return 0;
    }
    if (cost_reader_accept(reader, "-")) {
        uint32_t zero = fw_cost_constant(&reader->model->graph, 0);
        result = combine(reader, FW_COST_SUBTRACT, zero, read_factor(reader), place);
    } else {
        result = read_primary(reader);
        place = reader->lexer.token.span;
        if (!reader->failed &&
            (cost_reader_accept(reader, "^") || cost_reader_accept(reader, "**")))
            result = combine(reader, FW_COST_POWER, result, read_factor(reader), place);
    }
    reader->depth--;
    return result;
}

static uint32_t read_product(struct cost_reader *reader)
{
    uint32_t result = read_factor(reader);
    while (!reader->failed && (cost_reader_is(reader, "*") || cost_reader_is(reader, "/"))) {
        struct fw_span place = reader->lexer.token.span;
        bool divides = cost_reader_is(reader, "/");
        cost_reader_next(reader);
        result = combine(reader, divides ? FW_COST_DIVIDE : FW_COST_MULTIPLY, result,
                         read_factor(reader), place);
    }
    return result;
}

uint32_t cost_reader_expression(struct cost_reader *reader)
{
    uint32_t result = read_product(reader);
    while (!reader->failed && (cost_reader_is(reader, "+") || cost_reader_is(reader, "-"))) {
        struct fw_span place = reader->lexer.token.span;
        bool subtracts = cost_reader_is(reader, "-");
        cost_reader_next(reader);
        result = combine(reader, subtracts ? FW_COST_SUBTRACT : FW_COST_ADD, result,
                         read_product(reader), place);
    }
    return result;
}
