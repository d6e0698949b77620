/* Reads the description of a generator, NAME.tags: a construct a line, "#" begins a comment. */
#include "generate_internal.h"

#include <ctype.h>
#include <string.h>

enum { TAGS_MOST = 64, ARGUMENTS_MOST = 24, VALUES_MOST = 256, LINES_MOST = 256 };

struct reading {
    struct fw_generator *generator;
    struct fw_arena *arena;
    const struct fw_source *source;
    const struct fw_sink *sink;
    struct fw_span line; /* without its first word */
};

static enum fw_status refuse(const struct reading *reading, const char *at, size_t length,
                             const char *why)
{
    fw_report(
        reading->sink, FW_ERROR, "GEN001",
        (struct fw_span){reading->source, (uint32_t)(at - reading->source->text), (uint32_t)length},
        "%s", why);
    return FW_ERROR_INPUT;
}

static enum fw_status refuse_span(const struct reading *reading, struct fw_span span,
                                  const char *why)
{
    return refuse(reading, reading->source->text + span.offset, span.length, why);
}

static const char *text_of(const struct reading *reading, struct fw_span span)
{
    return fw_arena_text(reading->arena, reading->source->text + span.offset, span.length);
}

/* The part of a span before a byte; `*rest` is what is behind it.  False: the byte is not in it. */
static bool cut(const struct reading *reading, struct fw_span span, char mark, struct fw_span *part,
                struct fw_span *rest)
{
    const char *text = reading->source->text + span.offset, *end = text + span.length;
    const char *at = memchr(text, mark, span.length);
    *part = generate_trimmed(reading->source, text, at ? at : end);
    *rest = generate_trimmed(reading->source, at ? at + 1 : end, end);
    return at != NULL;
}

/* ---- names ---- */

static const struct fw_generate_argument *find_argument(const struct fw_generator *generator,
                                                        const char *name)
{
    for (size_t a = 0; a < generator->arguments.count; a++)
        if (strcmp(generator->arguments.at[a].name, name) == 0)
            return &generator->arguments.at[a];
    return NULL;
}

static const struct fw_generate_line *find_let(const struct fw_generator *generator,
                                               const char *name)
{
    for (size_t l = 0; l < generator->lets.count; l++)
        if (strcmp(generator->lets.at[l].name, name) == 0)
            return &generator->lets.at[l];
    return NULL;
}

static enum fw_status new_name(const struct reading *reading, const char **name,
                               struct fw_span span)
{
    static const char *const taken[] = {"and", "or", "not"};
    *name = text_of(reading, span);
    if (!generate_is_name(*name, span.length))
        return refuse_span(reading, span,
                           "a name is expected here: letters, digits and '_', at most 40");
    bool known = find_argument(reading->generator, *name) || find_let(reading->generator, *name);
    for (size_t t = 0; t < sizeof(taken) / sizeof(taken[0]); t++)
        known = known || strcmp(taken[t], *name) == 0;
    return known ? refuse_span(reading, span, "the name is taken") : FW_OK;
}

/* Whether an expression mentions a size, or what was computed from one. */
static bool mentions_sizes(const struct reading *reading, struct fw_span span)
{
    const char *at = reading->source->text + span.offset, *end = at + span.length;
    for (bool quoted = false; at < end;) {
        size_t length = 0;
        while (at + length < end && (isalnum((unsigned char)at[length]) || at[length] == '_'))
            length++;
        quoted = quoted != (*at == '\'');
        const char *word = fw_arena_text(reading->arena, at, length);
        const struct fw_generate_argument *argument = find_argument(reading->generator, word);
        const struct fw_generate_line *let = find_let(reading->generator, word);
        if (length && !quoted && ((argument && argument->is_size) || (let && let->of_sizes)))
            return true;
        at += length ? length : 1;
    }
    return false;
}

/* ---- lines ---- */

static enum fw_status read_about(struct reading *reading)
{
    if (reading->generator->about)
        return refuse_span(reading, reading->line, "there is an 'about' line already");
    reading->generator->about = text_of(reading, reading->line);
    return FW_OK;
}

static enum fw_status read_tags(struct reading *reading)
{
    struct fw_span part, rest = reading->line;
    for (bool more = true; more;) {
        more = cut(reading, rest, ',', &part, &rest);
        const char *tag = text_of(reading, part);
        if (!generate_is_name(tag, part.length))
            return refuse_span(reading, part,
                               "a tag is expected here: letters, digits and '_', at most 40");
        if (reading->generator->tags.count == TAGS_MOST)
            return refuse_span(reading, part, "there are more than 64 tags");
        for (size_t t = 0; t < reading->generator->tags.count; t++)
            if (strcmp(reading->generator->tags.at[t], tag) == 0)
                return refuse_span(reading, part, "the tag is there twice");
        *FW_APPEND(reading->arena, &reading->generator->tags) = tag;
    }
    return FW_OK;
}

/* A value in a name of a file and of a kernel: letters, digits and points. */
static bool is_value(const char *text)
{
    bool good = *text != '\0' && strlen(text) <= GENERATE_NAME_MOST;
    for (const char *at = text; *at; at++)
        good = good && (isalnum((unsigned char)*at) || *at == '.' || (*at == '-' && at == text));
    return good;
}

static enum fw_status read_values(struct reading *reading, struct fw_span span,
                                  struct fw_generate_argument *argument, bool allowed)
{
    struct fw_span part;
    for (bool more = true; more;) {
        more = cut(reading, span, ',', &part, &span);
        struct fw_generate_value value =
            generate_word(reading->arena, reading->source->text + part.offset, part.length);
        if (!is_value(value.text))
            return refuse_span(reading, part,
                               "a value is expected here: a whole number, or a word of letters, "
                               "digits and points");
        if (argument->is_size &&
            (!value.is_number || value.number < -INT32_MAX || value.number > INT32_MAX))
            return refuse_span(reading, part, "a size is a whole number below 2^31");
        size_t count = allowed ? argument->allowed.count : argument->values.count;
        const struct fw_generate_value *others =
            allowed ? argument->allowed.at : argument->values.at;
        if (count == VALUES_MOST)
            return refuse_span(reading, part, "there are more than 256 values");
        for (size_t v = 0; v < count; v++)
            if (generate_same(&others[v], &value))
                return refuse_span(reading, part, "the value is there twice");
        if (allowed)
            *FW_APPEND(reading->arena, &argument->allowed) = value;
        else
            *FW_APPEND(reading->arena, &argument->values) = value;
    }
    return FW_OK;
}

/* The place of a word between blanks; NULL: it is not in the span. */
static const char *find_word(const struct reading *reading, struct fw_span span, const char *word)
{
    const char *text = reading->source->text + span.offset, *end = text + span.length;
    size_t length = strlen(word);
    for (const char *at = text; (size_t)(end - at) > length; at++)
        if (memcmp(at, word, length) == 0 && (at == text || isspace((unsigned char)at[-1])) &&
            isspace((unsigned char)at[length]))
            return at;
    return NULL;
}

static bool number_in(const struct reading *reading, struct fw_span span, double *number)
{
    struct fw_generate_value value =
        generate_word(reading->arena, reading->source->text + span.offset, span.length);
    *number = value.number;
    return value.is_number;
}

/* "16..64K step 16", or values. */
static enum fw_status read_allowed(struct reading *reading, struct fw_span span,
                                   struct fw_generate_argument *argument)
{
    const char *text = reading->source->text + span.offset, *end = text + span.length;
    const char *dots = NULL, *step = find_word(reading, span, "step");
    for (const char *at = text; at + 1 < end && !dots; at++)
        if (at[0] == '.' && at[1] == '.')
            dots = at;
    if (!dots)
        return read_values(reading, span, argument, true);
    argument->has_range = true;
    argument->step = 1;
    bool good = number_in(reading, generate_trimmed(reading->source, text, dots), &argument->low) &&
                number_in(reading, generate_trimmed(reading->source, dots + 2, step ? step : end),
                          &argument->high) &&
                (!step || number_in(reading, generate_trimmed(reading->source, step + 4, end),
                                    &argument->step));
    if (!good || argument->low > argument->high || argument->step < 1)
        return refuse_span(reading, span, "a range is LOW..HIGH, or LOW..HIGH step STEP");
    return FW_OK;
}

static bool is_allowed(const struct fw_generate_argument *argument,
                       const struct fw_generate_value *value)
{
    if (argument->has_range)
        return value->is_number && value->number >= argument->low &&
               value->number <= argument->high;
    for (size_t v = 0; v < argument->allowed.count; v++)
        if (generate_same(&argument->allowed.at[v], value))
            return true;
    return argument->allowed.count == 0;
}

/* "NAME = VALUES [of ALLOWED] : TEXT" */
static enum fw_status read_argument_line(struct reading *reading, bool is_size)
{
    struct fw_generator *generator = reading->generator;
    struct fw_generate_argument argument = {.is_size = is_size};
    struct fw_span values, about, rest;
    bool explained = cut(reading, reading->line, ':', &rest, &about);
    argument.about = text_of(reading, about);
    if (!explained || !about.length)
        return refuse_span(reading, reading->line, "' : ' and what the argument is are missing");
    if (!cut(reading, rest, '=', &argument.span, &values))
        return refuse_span(reading, rest, "'=' and values are missing");
    if (generator->arguments.count == ARGUMENTS_MOST)
        return refuse_span(reading, argument.span, "there are more than 24 arguments");
    if (!is_size && generator->arguments.count &&
        generator->arguments.at[generator->arguments.count - 1].is_size)
        return refuse_span(reading, argument.span, "sizes stand behind all other arguments");
    enum fw_status status = new_name(reading, &argument.name, argument.span);
    if (status)
        return status;
    const char *of = find_word(reading, values, "of"), *begin = reading->source->text;
    const char *end = begin + values.offset + values.length;
    status = read_values(reading,
                         of ? generate_trimmed(reading->source, begin + values.offset, of) : values,
                         &argument, false);
    if (!status && of)
        status = read_allowed(reading, generate_trimmed(reading->source, of + 2, end), &argument);
    if (!status && !of)
        status = read_values(reading, values, &argument, true);
    for (size_t v = 0; v < argument.values.count && !status; v++)
        if (!is_allowed(&argument, &argument.values.at[v]))
            status = refuse_span(reading, values, "a value is not among those that are allowed");
    if (!status)
        *FW_APPEND(reading->arena, &generator->arguments) = argument;
    return status;
}

static enum fw_status read_argument(struct reading *reading)
{
    return read_argument_line(reading, false);
}

static enum fw_status read_size(struct reading *reading)
{
    return read_argument_line(reading, true);
}

/* "NAME = REST" */
static enum fw_status read_named(struct reading *reading, struct fw_generate_line *line)
{
    if (!cut(reading, reading->line, '=', &line->span, &line->rest) || !line->rest.length ||
        !line->span.length)
        return refuse_span(reading, reading->line, "NAME = EXPRESSION is expected here");
    line->name = text_of(reading, line->span);
    return FW_OK;
}

static enum fw_status keep(struct reading *reading, fw_generate_lines *lines,
                           const struct fw_generate_line *line)
{
    if (lines->count == LINES_MOST)
        return refuse_span(reading, reading->line, "there are more than 256 lines of this kind");
    *FW_APPEND(reading->arena, lines) = *line;
    return FW_OK;
}

static enum fw_status read_let(struct reading *reading)
{
    struct fw_generate_line line = {0};
    enum fw_status status = read_named(reading, &line);
    if (!status)
        status = new_name(reading, &line.name, line.span);
    if (status)
        return status;
    line.of_sizes = mentions_sizes(reading, line.rest);
    return keep(reading, &reading->generator->lets, &line);
}

static enum fw_status read_where(struct reading *reading)
{
    const struct fw_generate_line line = {.rest = reading->line, .span = reading->line};
    return keep(reading, &reading->generator->conditions, &line);
}

static enum fw_status read_expect(struct reading *reading)
{
    static const char *const kinds[] = {"operation", "load", "store", "barrier"};
    struct fw_generate_line line = {0};
    enum fw_status status = read_named(reading, &line);
    bool known = false;
    for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]) && !status; k++)
        known = known || (strncmp(line.name, kinds[k], strlen(kinds[k])) == 0 &&
                          strchr(" ", line.name[strlen(kinds[k])]));
    if (!status && !known)
        return refuse_span(reading, line.span,
                           "'operation NAME TYPE', 'load ARRAY', 'store ARRAY' or 'barrier' is "
                           "expected here");
    return status ? status : keep(reading, &reading->generator->expected, &line);
}

static enum fw_status read_fill(struct reading *reading)
{
    static const char *const fills[] = {"zero", "random", "ramp", "permutation", "cycle"};
    struct fw_generate_line line = {0};
    enum fw_status status = read_named(reading, &line);
    const char *text = status ? "" : text_of(reading, line.rest);
    size_t length = strcspn(text, " \t");
    for (size_t f = 0; f < sizeof(fills) / sizeof(fills[0]) && !status; f++)
        if (strlen(fills[f]) == length && memcmp(fills[f], text, length) == 0)
            return keep(reading, &reading->generator->fills, &line);
    return status ? status
                  : refuse_span(reading, line.rest,
                                "zero, random [LOW HIGH], ramp, permutation or cycle is expected "
                                "here");
}

static enum fw_status read_line(struct reading *reading, struct fw_span line)
{
    static const struct {
        const char *word;
        enum fw_status (*read)(struct reading *reading);
    } rows[] = {{"about", read_about}, {"tags", read_tags},    {"argument", read_argument},
                {"size", read_size},   {"let", read_let},      {"where", read_where},
                {"fill", read_fill},   {"expect", read_expect}};
    const char *text = reading->source->text + line.offset;
    size_t length = 0;
    while (length < line.length && !isspace((unsigned char)text[length]))
        length++;
    reading->line = generate_trimmed(reading->source, text + length, text + line.length);
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++)
        if (strlen(rows[r].word) == length && memcmp(rows[r].word, text, length) == 0)
            return reading->line.length ? rows[r].read(reading)
                                        : refuse(reading, text, length, "the line ends here");
    return refuse(reading, text, length,
                  "about, tags, argument, size, let, where, fill or expect is expected here");
}

static enum fw_status check_whole(struct reading *reading)
{
    struct fw_span whole = fw_span_of_source(reading->source);
    const char *missing = !reading->generator->about        ? "there is no 'about' line"
                          : !reading->generator->tags.count ? "there is no 'tags' line"
                                                            : NULL;
    if (missing)
        fw_report(reading->sink, FW_ERROR, "GEN001", whole, "%s", missing);
    return missing ? FW_ERROR_INPUT : FW_OK;
}

enum fw_status fw_generator_read(struct fw_generator *generator, struct fw_arena *arena,
                                 const char *name, const struct fw_source *source,
                                 const struct fw_sink *sink)
{
    struct reading reading = {generator, arena, source, sink, {0}};
    enum fw_status status = FW_OK;
    *generator = (struct fw_generator){.name = name, .file = source};
    if (source->length > GENERATE_TEXT_MOST || strlen(source->text) != source->length ||
        !generate_is_name(name, strlen(name))) {
        fw_report(sink, FW_ERROR, "GEN001", fw_span_of_source(source), "%s",
                  generate_is_name(name, strlen(name))
                      ? "this is no text, or more than a mebibyte"
                      : "a generator's name has letters, digits and '_', at most 40");
        return FW_ERROR_INPUT;
    }
    for (const char *at = source->text; *at && !status;) {
        size_t length = strcspn(at, "\n"), used = strcspn(at, "#\n");
        struct fw_span line = generate_trimmed(source, at, at + used);
        if (line.length)
            status = read_line(&reading, line);
        at += length + (at[length] == '\n');
    }
    return status ? status : check_whole(&reading);
}
