#include "cost_reader_internal.h"

#include <math.h>
#include <string.h>

enum { PARAMETERS_MOST = 100, GRAPH_MOST = 400000 };

const char *fw_cost_overlap_name(enum fw_cost_overlap overlap)
{
    static const char *const names[] = {"none", "full", "partial", "auto"};
    return names[overlap];
}

static const char *group_name(enum fw_cost_group group)
{
    static const char *const names[] = {"memory", "on_chip", "overhead"};
    return names[group];
}

void cost_reader_next(struct cost_reader *reader)
{
    struct fw_cost_token *token = &reader->lexer.token;
    reader->end = reader->lexer.at;
    fw_cost_lexer_next(&reader->lexer);
    if (token->word != FW_COST_WORD_WRONG)
        return;
    char c = reader->lexer.source->text[token->span.offset];
    if (c == 'f')
        WRONG(reader, "COST001", token->span,
              "this is no feature: f_, words, and constraints such as afr:>1 or "
              "lstrides:{0:1;1:>15}");
    else if (c == '"')
        WRONG(reader, "COST001", token->span, "the text does not end on its line");
    else
        WRONG(reader, "COST001", token->span, "this is no word, number or sign of a cost model");
    token->word = FW_COST_WORD_END;
}

bool cost_reader_is(const struct cost_reader *reader, const char *sign)
{
    return reader->lexer.token.word == FW_COST_WORD_SIGN &&
           strcmp(reader->lexer.token.text, sign) == 0;
}

static bool is_name(const struct cost_reader *reader, const char *name)
{
    return reader->lexer.token.word == FW_COST_WORD_NAME &&
           strcmp(reader->lexer.token.text, name) == 0;
}

bool cost_reader_accept(struct cost_reader *reader, const char *sign)
{
    if (!cost_reader_is(reader, sign))
        return false;
    cost_reader_next(reader);
    return true;
}

static bool accept_name(struct cost_reader *reader, const char *name)
{
    if (!is_name(reader, name))
        return false;
    cost_reader_next(reader);
    return true;
}

void cost_reader_expect(struct cost_reader *reader, const char *sign)
{
    if (!cost_reader_accept(reader, sign))
        WRONG(reader, "COST001", reader->lexer.token.span, "%s is missing here", sign);
}

uint32_t cost_reader_parameter(struct cost_reader *reader, const char *name, struct fw_span place,
                               bool *added)
{
    struct fw_map_entry *entry = fw_map_add(&reader->parameters, name, strlen(name), added);
    if (!*added)
        return entry->value;
    entry->value = (uint32_t)reader->model->parameters.count;
    if (entry->value == PARAMETERS_MOST)
        WRONG(reader, "COST003", place, "more than %d parameters", PARAMETERS_MOST);
    *FW_APPEND(reader->arena, &reader->model->parameters) =
        (struct fw_cost_parameter){.name = entry->key,
                                   .place = place,
                                   .low = -INFINITY,
                                   .high = INFINITY,
                                   .start = NAN,
                                   .per = 1,
                                   .value = NAN,
                                   .error = NAN,
                                   .from = NAN,
                                   .to = NAN};
    return entry->value;
}

/* ---- statements ---- */

static double read_signed(struct cost_reader *reader)
{
    bool negative = cost_reader_accept(reader, "-");
    struct fw_cost_token token = reader->lexer.token;
    if (token.word != FW_COST_WORD_NUMBER)
        WRONG(reader, "COST001", token.span, "a number is missing here");
    else
        cost_reader_next(reader);
    return negative ? -token.number : token.number;
}

/* A word or a text in quotes. */
static const char *read_text(struct cost_reader *reader)
{
    struct fw_cost_token token = reader->lexer.token;
    if (token.word != FW_COST_WORD_TEXT && token.word != FW_COST_WORD_NAME) {
        WRONG(reader, "COST001", token.span, "a text in quotes is missing here");
        return "";
    }
    cost_reader_next(reader);
    return token.text;
}

static void read_bounds(struct cost_reader *reader, struct fw_cost_parameter *about)
{
    for (;;) {
        if (cost_reader_accept(reader, ">="))
            about->low = read_signed(reader);
        else if (cost_reader_accept(reader, "<="))
            about->high = read_signed(reader);
        else if (accept_name(reader, "start"))
            about->start = read_signed(reader);
        else if (accept_name(reader, "per")) {
            about->per = read_signed(reader);
            about->unit = read_text(reader);
        } else
            return;
        about->bounded = isfinite(about->low) || isfinite(about->high);
    }
}

static void check_bounds(struct cost_reader *reader, const struct fw_cost_parameter *about,
                         struct fw_span place)
{
    bool start = isnan(about->start) || (about->start >= about->low && about->start <= about->high);
    if (about->low > about->high || !start || !(about->per > 0))
        WRONG(reader, "COST010", place, "%s",
              about->low > about->high ? "the lower bound is above the upper bound"
              : !start                 ? "the start lies outside of the bounds"
                                       : "the units of work are not more than 0");
}

/* parameter p_a, p_b [>= N] [<= N] [start N] [per N UNIT] */
static void read_parameter(struct cost_reader *reader)
{
    struct fw_span place = reader->lexer.token.span;
    FW_VECTOR(uint32_t) numbers = {0};
    struct fw_cost_parameter about = {.low = -INFINITY, .high = INFINITY, .start = NAN, .per = 1};
    do {
        struct fw_cost_token token = reader->lexer.token;
        bool added;
        if (token.word != FW_COST_WORD_PARAMETER) {
            WRONG(reader, "COST001", token.span, "a parameter, p_ and a word, is missing here");
            return;
        }
        uint32_t number = cost_reader_parameter(reader, token.text, token.span, &added);
        if (reader->failed)
            return;
        if (reader->model->parameters.at[number].declared) {
            WRONG(reader, "COST006", token.span, "%s is declared twice", token.text);
            return;
        }
        reader->model->parameters.at[number].declared = true;
        *FW_APPEND(reader->arena, &numbers) = number;
        cost_reader_next(reader);
    } while (!reader->failed && cost_reader_accept(reader, ","));
    read_bounds(reader, &about);
    check_bounds(reader, &about, place);
    for (size_t n = 0; n < numbers.count; n++) {
        struct fw_cost_parameter *one = &reader->model->parameters.at[numbers.at[n]];
        one->bounded = about.bounded;
        one->low = about.low;
        one->high = about.high;
        one->start = about.start;
        one->per = about.per;
        one->unit = about.unit;
    }
    reader->declares = true;
}

static void read_let(struct cost_reader *reader)
{
    struct fw_cost_token name = reader->lexer.token;
    bool added, feature = name.word == FW_COST_WORD_FEATURE;
    if (name.word != FW_COST_WORD_NAME && !feature) {
        WRONG(reader, "COST001", name.span,
              "a name is missing here: a feature's with f_ before it, or a part's without");
        return;
    }
    if (feature && fw_map_find(&reader->features, name.text, strlen(name.text)))
        WRONG(reader, "COST008", name.span, "%s stands above, before it is defined", name.text);
    cost_reader_next(reader);
    cost_reader_expect(reader, "=");
    uint32_t node = cost_reader_expression(reader); /* it may not name itself */
    if (reader->failed)
        return;
    if (feature && reader->model->graph.nodes.at[node].varies)
        WRONG(reader, "COST001", name.span,
              "%s is a feature: an expression of features and numbers, without parameters",
              name.text);
    struct fw_map_entry *entry = fw_map_add(&reader->lets, name.text, strlen(name.text), &added);
    if (!added)
        WRONG(reader, "COST008", name.span, "%s is defined twice", name.text);
    entry->value = node;
}

static void read_cost(struct cost_reader *reader, struct fw_span place)
{
    cost_reader_expect(reader, "=");
    if (reader->has_cost)
        WRONG(reader, "COST008", place, "cost is stated twice");
    reader->has_cost = true;
    reader->model->cost = cost_reader_expression(reader);
}

static void read_group(struct cost_reader *reader, enum fw_cost_group group, struct fw_span place)
{
    cost_reader_expect(reader, "=");
    if (reader->has_group[group])
        WRONG(reader, "COST008", place, "%s is stated twice", group_name(group));
    reader->has_group[group] = reader->model->grouped = true;
    reader->model->groups[group] = cost_reader_expression(reader);
}

static void read_overlap(struct cost_reader *reader, struct fw_span place)
{
    struct fw_span word = reader->lexer.token.span;
    const char *text = read_text(reader);
    if (reader->has_overlap)
        WRONG(reader, "COST008", place, "overlap is stated twice");
    reader->has_overlap = true;
    for (int o = 0; o <= FW_COST_OVERLAP_AUTO; o++)
        if (strcmp(text, fw_cost_overlap_name((enum fw_cost_overlap)o)) == 0) {
            reader->model->overlap = (enum fw_cost_overlap)o;
            return;
        }
    WRONG(reader, "COST001", word, "overlap is none, full, partial or auto");
}

static void read_output(struct cost_reader *reader, struct fw_span place)
{
    struct fw_cost_token token = reader->lexer.token;
    if (token.word != FW_COST_WORD_FEATURE) {
        WRONG(reader, "COST001", token.span, "a feature, f_ and words, is missing here");
        return;
    }
    if (reader->model->output)
        WRONG(reader, "COST008", place, "output is stated twice");
    reader->model->output = token.text;
    reader->model->output_place = token.span;
    cost_reader_next(reader);
}

/* value p_a = N [error N] [from N to N] */
static void read_value(struct cost_reader *reader)
{
    struct fw_cost_token token = reader->lexer.token;
    bool added;
    if (token.word != FW_COST_WORD_PARAMETER) {
        WRONG(reader, "COST001", token.span, "a parameter, p_ and a word, is missing here");
        return;
    }
    cost_reader_next(reader);
    fw_map_add(&reader->calibrated, token.text, strlen(token.text), &added);
    if (!added)
        WRONG(reader, "COST006", token.span, "%s has a value twice", token.text);
    cost_reader_expect(reader, "=");
    double value = read_signed(reader);
    uint32_t number = cost_reader_parameter(reader, token.text, token.span, &added);
    if (reader->failed)
        return;
    struct fw_cost_parameter *about = &reader->model->parameters.at[number];
    about->value = value;
    about->declared = true;
    if (accept_name(reader, "error"))
        about->error = read_signed(reader);
    if (accept_name(reader, "from")) {
        about->from = read_signed(reader);
        if (accept_name(reader, "to"))
            about->to = read_signed(reader);
    }
}

/* What a calibration says of the fit and is for people: row "NAME" measured N predicted N, fit
 * TEXT. */
static void read_row(struct cost_reader *reader)
{
    read_text(reader);
    if (accept_name(reader, "measured"))
        read_signed(reader);
    if (accept_name(reader, "predicted"))
        read_signed(reader);
    accept_name(reader, "held_out");
}

static void read_calibration(struct cost_reader *reader, struct fw_span place)
{
    if (read_signed(reader) != 1)
        WRONG(reader, "COST012", place, "only version 1 of calibrations is known");
    reader->model->calibrated = true;
}

static void read_statement(struct cost_reader *reader)
{
    static const char *const facts[] = {"program", "device", "data", "fit", "choice"};
    struct fw_cost_token token = reader->lexer.token;
    struct fw_cost_model *model = reader->model;
    const char *word = token.word == FW_COST_WORD_NAME ? token.text : "";
    cost_reader_next(reader);
    for (int g = 0; g < FW_COST_GROUP_COUNT; g++)
        if (strcmp(word, group_name((enum fw_cost_group)g)) == 0) {
            read_group(reader, (enum fw_cost_group)g, token.span);
            return;
        }
    for (size_t f = 0; f < sizeof(facts) / sizeof(facts[0]); f++)
        if (strcmp(word, facts[f]) == 0) {
            const char *text = read_text(reader);
            if (strcmp(word, "device") == 0)
                model->device = text;
            if (strcmp(word, "data") == 0)
                model->data = text;
            return;
        }
    if (strcmp(word, "model") == 0)
        model->name = read_text(reader);
    else if (strcmp(word, "output") == 0)
        read_output(reader, token.span);
    else if (strcmp(word, "parameter") == 0)
        read_parameter(reader);
    else if (strcmp(word, "let") == 0)
        read_let(reader);
    else if (strcmp(word, "cost") == 0)
        read_cost(reader, token.span);
    else if (strcmp(word, "overlap") == 0)
        read_overlap(reader, token.span);
    else if (strcmp(word, "non_negative") == 0)
        model->non_negative = true;
    else if (strcmp(word, "logarithmic") == 0)
        model->logarithmic = true;
    else if (strcmp(word, "robust") == 0)
        model->robust = true;
    else if (strcmp(word, "calibration") == 0)
        read_calibration(reader, token.span);
    else if (strcmp(word, "value") == 0)
        read_value(reader);
    else if (strcmp(word, "row") == 0)
        read_row(reader);
    else
        WRONG(reader, "COST001", token.span,
              "a statement is missing here: model, output, parameter, let, cost, memory, on_chip, "
              "overhead, overlap, non_negative, logarithmic or robust");
}

/* ---- the model as a whole ---- */

/* Whether a statement of the text belongs to the model rather than to a calibration of it. */
static bool is_of_model(const char *word)
{
    static const char *const own[] = {"model",        "output",  "parameter",   "let",
                                      "cost",         "memory",  "on_chip",     "overhead",
                                      "non_negative", "overlap", "logarithmic", "robust"};
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        if (strcmp(word, own[i]) == 0)
            return true;
    return false;
}

static void read_statements(struct cost_reader *reader)
{
    while (!reader->failed && reader->lexer.token.word != FW_COST_WORD_END) {
        struct fw_cost_token first = reader->lexer.token;
        size_t begin = first.span.offset;
        read_statement(reader);
        if (reader->failed || !is_of_model(first.text))
            continue;
        *FW_APPEND(reader->arena, &reader->model->statements) = (struct fw_cost_statement){
            {reader->lexer.source, (uint32_t)begin, (uint32_t)(reader->end - begin)},
            strcmp(first.text, "overlap") == 0};
    }
}

/* Which parameters the model's expression has: one flag each. */
static bool *used_parameters(struct cost_reader *reader)
{
    struct fw_cost_model *model = reader->model;
    uint32_t root =
        fw_cost_model_root(model, model->calibrated ? model->overlap : FW_COST_OVERLAP_NONE);
    bool *needed = FW_ARRAY(reader->arena, bool, (size_t)root + 1);
    bool *used = FW_ARRAY(reader->arena, bool, model->parameters.count + 1);
    fw_cost_mark(needed, &model->graph, root);
    for (uint32_t n = 0; n <= root; n++) {
        const struct fw_cost_node *node = &model->graph.nodes.at[n];
        if (needed[n] && node->operation == FW_COST_PARAMETER)
            used[node->left] = true;
    }
    return used;
}

static void check_parameters(struct cost_reader *reader)
{
    struct fw_cost_model *model = reader->model;
    bool costs = model->grouped || model->non_negative, *used = used_parameters(reader);
    for (size_t p = 0; p < model->parameters.count && !reader->failed; p++) {
        struct fw_cost_parameter *one = &model->parameters.at[p];
        if (reader->declares && !one->declared)
            WRONG(reader, "COST007", one->place, "%s is not declared, though other parameters are",
                  one->name);
        bool of_overlap = strcmp(one->name, "p_edge") == 0 || strcmp(one->name, "p_overlap") == 0;
        if (!used[p] && !model->calibrated && !(model->grouped && of_overlap))
            fw_report(reader->sink, FW_WARNING, "COST013", one->place, "%s is not part of the cost",
                      one->name);
        if (model->calibrated && used[p] && isnan(one->value))
            WRONG(reader, "COST011", one->place, "the calibration has no value of %s", one->name);
        /* Costs are not less than 0. */
        if (costs && !one->bounded)
            one->low = 0;
        if (one->start < one->low)
            WRONG(reader, "COST010", one->place, "the start lies outside of the bounds");
    }
}

static void check_model(struct cost_reader *reader)
{
    struct fw_cost_model *model = reader->model;
    struct fw_span whole = fw_span_of_source(reader->lexer.source);
    if (!model->output)
        WRONG(reader, "COST009", whole, "the model states no output: output f_...");
    if (reader->has_cost == model->grouped)
        WRONG(reader, "COST009", whole, "%s",
              model->grouped ? "the model states both cost and groups of costs"
                             : "the model states neither cost nor memory, on_chip and overhead");
    bool both = reader->has_group[FW_COST_MEMORY] && reader->has_group[FW_COST_ON_CHIP];
    if (!reader->has_overlap)
        model->overlap = both ? FW_COST_OVERLAP_AUTO : FW_COST_OVERLAP_NONE;
    else if (model->overlap != FW_COST_OVERLAP_NONE && !both)
        WRONG(reader, "COST009", whole, "overlap is between memory and on_chip: both are needed");
    if (model->calibrated && model->overlap == FW_COST_OVERLAP_AUTO)
        WRONG(reader, "COST012", whole, "a calibration states which overlap was chosen");
    if (!reader->failed)
        check_parameters(reader);
    for (size_t f = 0; f < model->features.count && !reader->failed; f++)
        if (strcmp(model->features.at[f].name, model->output) == 0)
            WRONG(reader, "COST009", model->features.at[f].place,
                  "the output is part of its own cost");
    if (model->graph.full)
        WRONG(reader, "COST003", whole, "the expressions are too large");
}

enum fw_status fw_cost_model_read(struct fw_cost_model **result, struct fw_arena *arena,
                                  const struct fw_source *source, const struct fw_sink *sink)
{
    struct fw_cost_model *model = FW_NEW(arena, struct fw_cost_model);
    struct cost_reader reader = {.lexer = {.arena = arena, .source = source},
                                 .arena = arena,
                                 .model = model,
                                 .lets = fw_map_new(arena),
                                 .features = fw_map_new(arena),
                                 .parameters = fw_map_new(arena),
                                 .calibrated = fw_map_new(arena),
                                 .sink = sink};
    *result = NULL;
    model->source = source;
    model->name = source->name;
    fw_cost_graph_begin(&model->graph, arena, GRAPH_MOST);
    uint32_t zero = fw_cost_constant(&model->graph, 0);
    for (int g = 0; g < FW_COST_GROUP_COUNT; g++)
        model->groups[g] = zero;
    cost_reader_next(&reader);
    read_statements(&reader);
    if (!reader.failed)
        check_model(&reader);
    if (reader.failed)
        return FW_ERROR_INPUT;
    *result = model;
    return FW_OK;
}
