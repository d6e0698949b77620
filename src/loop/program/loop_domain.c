/* Domains as texts in isl's notation: reading them, and making sets of them.  A condition is kept
 * as text because every change to it (a split, a fixed parameter) is a replacement of a name, and
 * isl reads the outcome. */
#include "loop_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool starts_word(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

size_t fw_loop_word(const char *text)
{
    size_t length = 0;
    if (!starts_word(text[0]))
        return 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

/* isl's own words. */
static bool is_reserved(const char *word, size_t length)
{
    static const char *const reserved[] = {"and",    "or",    "not",   "exists", "mod",   "floor",
                                           "ceil",   "min",   "max",   "true",   "false", "implies",
                                           "floord", "ceild", "infty", "NaN",    "rat"};
    for (size_t i = 0; i < sizeof(reserved) / sizeof(*reserved); i++)
        if (strlen(reserved[i]) == length && memcmp(reserved[i], word, length) == 0)
            return true;
    return false;
}

char *fw_loop_replace(struct fw_loop_program *program, const char *condition, const char *name,
                      const char *with)
{
    struct fw_buffer buffer = fw_buffer_new(program->arena);
    size_t size = strlen(name);
    bool after_number = false;
    while (*condition) {
        size_t length = fw_loop_word(condition);
        if (length == size && memcmp(condition, name, size) == 0) {
            fw_buffer_printf(&buffer, "%s(%s)", after_number ? "*" : "", with);
            condition += length;
            after_number = false;
            continue;
        }
        if (!length) {
            if (!isspace((unsigned char)*condition))
                after_number = isdigit((unsigned char)*condition);
            length = 1;
        } else {
            after_number = false;
        }
        fw_buffer_add(&buffer, condition, length);
        condition += length;
    }
    fw_buffer_add(&buffer, "", 0);
    return buffer.text;
}

/* The words of a condition that are free, and those that its quantifiers bind. */
static void words_of(struct fw_loop_program *program, const char *text, fw_loop_names *free_names,
                     fw_loop_names *bound)
{
    bool binding = false;
    for (const char *at = text; *at;) {
        size_t length = fw_loop_word(at);
        if (length == 0) {
            if (*at == ':')
                binding = false;
            at++;
            continue;
        }
        if (length == 6 && memcmp(at, "exists", 6) == 0)
            binding = true;
        else if (!is_reserved(at, length))
            fw_loop_names_add(program->arena, binding ? bound : free_names,
                              fw_loop_intern(program, at, length));
        at += length;
    }
    size_t kept = 0;
    for (size_t i = 0; i < free_names->count; i++)
        if (!fw_loop_has(bound->at, (uint32_t)bound->count, free_names->at[i]))
            free_names->at[kept++] = free_names->at[i];
    free_names->count = kept;
}

/* The places of diagnostics about a text of ours, in the source. */
struct shift {
    const struct fw_sink *sink;
    struct fw_span span;
    int64_t offset;
};

static void shifted(void *user, const struct fw_diagnostic *diagnostic)
{
    const struct shift *shift = user;
    struct fw_diagnostic moved = *diagnostic;
    int64_t offset = (int64_t)diagnostic->span.offset + shift->offset;
    moved.span = shift->span;
    if (shift->span.source && offset >= 0 && offset <= (int64_t)shift->span.length) {
        moved.span.offset += (uint32_t)offset;
        moved.span.length = 1;
    }
    if (shift->sink)
        shift->sink->report(shift->sink->user, &moved);
}

static enum fw_status read_shifted(struct fw_set **set, struct fw_loop_program *program,
                                   const char *text, struct fw_span span, int64_t offset)
{
    struct shift shift = {program->sink, span, offset};
    struct fw_sink sink = {shifted, &shift};
    struct fw_source source = {"domain", text, strlen(text)};
    return fw_set_read(set, program->poly, &source, &sink);
}

enum fw_status fw_loop_set(struct fw_set **set, struct fw_loop_program *program, const char *text,
                           struct fw_span span)
{
    return read_shifted(set, program, text, span, (int64_t)1 << 40);
}

static char *prefix_of(struct fw_loop_program *program, const fw_loop_names *names)
{
    struct fw_buffer buffer = fw_buffer_new(program->arena);
    for (size_t i = 0; i < names->count; i++)
        fw_buffer_printf(&buffer, "%s%s", i ? ", " : "[", names->at[i]);
    fw_buffer_printf(&buffer, names->count ? "] -> " : "[] -> ");
    return buffer.text;
}

/* What isl would only call a syntax error: products of names, elements of arrays. */
static enum fw_status check_affine(struct fw_loop_program *program, const char *condition,
                                   struct fw_span span, size_t at)
{
    for (const char *word = condition; *word;) {
        size_t length = fw_loop_word(word);
        const char *next = word + length + strspn(word + length, " \t\r\n");
        const char *other = next + 1 + strspn(next + (*next != '\0'), " \t\r\n");
        bool element = length && *next == '[' && !is_reserved(word, length);
        bool product = length && *next == '*' && !is_reserved(word, length) &&
                       fw_loop_word(other) && !is_reserved(other, fw_loop_word(other));
        if (span.source && at + (size_t)(word - condition) < span.length && (element || product)) {
            span.offset += (uint32_t)(at + (size_t)(word - condition));
            span.length = (uint32_t)length;
        }
        if (element)
            return fw_loop_refuse(program, "LOOP115", span,
                                  "an element of '%.*s' bounds a loop: bounds must be known before "
                                  "the kernel runs",
                                  (int)length, word);
        if (product)
            return fw_loop_refuse(program, "LOOP117", span,
                                  "a product of '%.*s' and '%.*s': conditions and extents are "
                                  "affine, whole numbers times names",
                                  (int)length, word, (int)fw_loop_word(other), other);
        word += length ? length : 1;
    }
    return FW_OK;
}

/* Whether the condition is one, its free words being parameters; told otherwise.  `at`: where it
 * stands behind the span's beginning. */
static enum fw_status check_condition(struct fw_loop_program *program, const char *condition,
                                      const fw_loop_names *words, struct fw_span span, size_t at)
{
    char *prefix = prefix_of(program, words);
    char *text = fw_arena_printf(program->arena, "%s{ : %s }", prefix, condition);
    struct fw_set *set = NULL;
    enum fw_status status = check_affine(program, condition, span, at);
    if (status != FW_OK)
        return status;
    status = read_shifted(&set, program, text, span, (int64_t)at - (int64_t)strlen(prefix) - 4);
    fw_set_free(set);
    return status;
}

/* Bound names must not be names of the program: conditions are put beside each other. */
static enum fw_status check_bound(struct fw_loop_program *program, const fw_loop_names *bound,
                                  const fw_loop_names *own, struct fw_span span)
{
    for (size_t i = 0; i < bound->count; i++)
        if (fw_loop_variable(program, bound->at[i]) ||
            fw_loop_is_parameter(program, bound->at[i]) ||
            fw_loop_has(own->at, (uint32_t)own->count, bound->at[i]))
            return fw_loop_refuse(program, "LOOP001", span,
                                  "'%s' is bound by 'exists' and a name "
                                  "of the program",
                                  bound->at[i]);
    return FW_OK;
}

/* Reads "[i, j]" at *text; the names are appended. */
static enum fw_status read_tuple(struct fw_loop_program *program, const char **text,
                                 fw_loop_names *names, struct fw_span span)
{
    const char *at = *text + 1;
    for (;;) {
        at += strspn(at, " \t\r\n");
        size_t length = fw_loop_word(at);
        if (*at == ']' && names->count == 0)
            break;
        if (!length || is_reserved(at, length))
            return fw_loop_refuse(program, "LOOP002", span,
                                  "a domain's brackets hold names, separated by commas");
        const char *name = fw_loop_intern(program, at, length);
        if (strstr(name, "__"))
            return fw_loop_refuse(program, "LOOP002", span,
                                  "a name must not have two underscores in a row: '%s'", name);
        if (fw_loop_has(names->at, (uint32_t)names->count, name))
            return fw_loop_refuse(program, "LOOP003", span, "the name '%s' stands twice", name);
        fw_loop_names_add(program->arena, names, name);
        at += length;
        at += strspn(at, " \t\r\n");
        if (*at == ']')
            break;
        if (*at++ != ',')
            return fw_loop_refuse(program, "LOOP002", span,
                                  "a domain's brackets hold names, separated by commas");
    }
    *text = at + 1 + strspn(at + 1, " \t\r\n");
    return FW_OK;
}

static enum fw_status add_parameters(struct fw_loop_program *program, const fw_loop_names *words,
                                     struct fw_span span)
{
    for (size_t i = 0; i < words->count; i++) {
        const char *name = words->at[i];
        if (fw_loop_variable(program, name) || fw_loop_is_parameter(program, name))
            continue;
        if (strstr(name, "__"))
            return fw_loop_refuse(program, "LOOP002", span,
                                  "a name must not have two underscores in a row: '%s'", name);
        if (fw_loop_find_array(program, name))
            return fw_loop_refuse(program, "LOOP004", span,
                                  "'%s' bounds a loop and is an array or scalar above: a bound "
                                  "must be known before the kernel runs",
                                  name);
        *FW_APPEND(program->arena, &program->parameters) = name;
    }
    return FW_OK;
}

static enum fw_status add_names(struct fw_loop_program *program, const fw_loop_names *names,
                                struct fw_span span)
{
    for (size_t i = 0; i < names->count; i++) {
        const char *name = names->at[i];
        if (fw_loop_variable(program, name) || fw_loop_is_parameter(program, name) ||
            fw_loop_find_array(program, name))
            return fw_loop_refuse(program, "LOOP003", span, "the name '%s' is taken", name);
        struct fw_loop_variable *variable = FW_APPEND(program->arena, &program->variables);
        variable->name = name;
        variable->domain = (uint32_t)program->domains.count;
    }
    return FW_OK;
}

/* Parts of a domain's text. */
struct parts {
    fw_loop_names parameters;
    fw_loop_names names;
    char *condition;
    size_t condition_at;
};

static enum fw_status take_apart(struct parts *parts, struct fw_loop_program *program,
                                 const char *text, struct fw_span span)
{
    const char *at = text + strspn(text, " \t\r\n");
    enum fw_status status = FW_OK;
    if (*at == '[') {
        status = read_tuple(program, &at, &parts->parameters, span);
        if (status == FW_OK && strncmp(at, "->", 2) != 0)
            status =
                fw_loop_refuse(program, "LOOP002", span, "'->' must follow a domain's parameters");
        if (status != FW_OK)
            return status;
        at += 2 + strspn(at + 2, " \t\r\n");
    }
    const char *end = strrchr(text, '}');
    if (*at != '{' || !end || end[1 + strspn(end + 1, " \t\r\n")])
        return fw_loop_refuse(program, "LOOP002", span, "a domain is '[n] -> {[i, j]: condition}'");
    at += 1 + strspn(at + 1, " \t\r\n");
    if (*at == '[')
        status = read_tuple(program, &at, &parts->names, span);
    if (status != FW_OK)
        return status;
    if (at > end || (at < end && *at != ':'))
        return fw_loop_refuse(program, "LOOP002", span, "':' must follow a domain's names");
    at += at < end;
    if (memchr(at, ';', (size_t)(end - at)) || memchr(at, '{', (size_t)(end - at)))
        return fw_loop_refuse(program, "LOOP005", span,
                              "a domain is one set: join the conditions "
                              "with 'or', or state several domains");
    parts->condition_at = (size_t)(at - text);
    parts->condition = fw_arena_text(program->arena, at, (size_t)(end - at));
    if (parts->condition[strspn(parts->condition, " \t\r\n")] == '\0')
        parts->condition = fw_arena_text(program->arena, "0 = 0", 5);
    return FW_OK;
}

enum fw_status fw_loop_add_domain(struct fw_loop_program *program, const char *text,
                                  struct fw_span span)
{
    struct parts parts = {0};
    fw_loop_names words = {0}, bound = {0}, parameters = {0};
    enum fw_status status = take_apart(&parts, program, text, span);
    if (status != FW_OK)
        return status;
    words_of(program, parts.condition, &words, &bound);
    status = check_bound(program, &bound, &parts.names, span);
    if (status == FW_OK)
        status = check_condition(program, parts.condition, &words, span, parts.condition_at);
    if (status == FW_OK)
        status = add_names(program, &parts.names, span);
    for (size_t i = 0; i < words.count; i++)
        if (!fw_loop_has(parts.names.at, (uint32_t)parts.names.count, words.at[i]))
            fw_loop_names_add(program->arena, &parameters, words.at[i]);
    if (status == FW_OK)
        status = add_parameters(program, &parts.parameters, span);
    if (status == FW_OK)
        status = add_parameters(program, &parameters, span);
    if (status != FW_OK)
        return status;
    struct fw_loop_domain *domain = FW_APPEND(program->arena, &program->domains);
    domain->condition = parts.condition;
    domain->names = parts.names.at;
    domain->name_count = (uint32_t)parts.names.count;
    domain->span = span;
    return FW_OK;
}

enum fw_status fw_loop_take_extent(struct fw_loop_program *program, const char *extent,
                                   struct fw_span span)
{
    fw_loop_names words = {0}, bound = {0};
    words_of(program, extent, &words, &bound);
    char *condition = fw_arena_printf(program->arena, "0 <= (%s)", extent);
    enum fw_status status = check_condition(program, condition, &words, span, 0);
    return status == FW_OK ? add_parameters(program, &words, span) : status;
}

enum fw_status fw_loop_assume(struct fw_loop_program *program, const char *condition,
                              struct fw_span span)
{
    fw_loop_names words = {0}, bound = {0}, none = {0};
    words_of(program, condition, &words, &bound);
    enum fw_status status = check_bound(program, &bound, &none, span);
    if (status == FW_OK)
        status = check_condition(program, condition, &words, span, 0);
    for (size_t i = 0; status == FW_OK && i < words.count; i++)
        if (!fw_loop_is_parameter(program, words.at[i]))
            status = fw_loop_refuse(program, "LOOP006", span,
                                    "'%s' is no parameter of a domain: "
                                    "assumptions are about parameters",
                                    words.at[i]);
    if (status != FW_OK)
        return status;
    program->assumptions =
        program->assumptions
            ? fw_arena_printf(program->arena, "(%s) and (%s)", program->assumptions, condition)
            : fw_arena_printf(program->arena, "(%s)", condition);
    return FW_OK;
}

char *fw_loop_prefix(const struct fw_loop_program *program)
{
    struct fw_buffer buffer = fw_buffer_new(program->arena);
    for (size_t i = 0; i < program->parameters.count; i++)
        fw_buffer_printf(&buffer, "%s%s", i ? ", " : "[", program->parameters.at[i]);
    fw_buffer_printf(&buffer, program->parameters.count ? "] -> " : "[] -> ");
    return buffer.text;
}

char *fw_loop_conditions(struct fw_loop_program *program, fw_loop_names *names)
{
    struct fw_buffer buffer = fw_buffer_new(program->arena);
    fw_loop_names seen = {0};
    fw_buffer_printf(&buffer, "0 = 0");
    for (size_t i = 0; i < names->count; i++) {
        const struct fw_loop_variable *variable = fw_loop_variable(program, names->at[i]);
        if (!variable)
            continue;
        const struct fw_loop_domain *domain = &program->domains.at[variable->domain];
        if (fw_loop_has(seen.at, (uint32_t)seen.count, domain->condition))
            continue;
        *FW_APPEND(program->arena, &seen) = domain->condition; /* told by address */
        fw_buffer_printf(&buffer, " and (%s)", domain->condition);
        for (uint32_t j = 0; j < domain->name_count; j++)
            fw_loop_names_add(program->arena, names, domain->names[j]);
        fw_loop_names words = {0}, bound = {0};
        words_of(program, domain->condition, &words, &bound);
        for (size_t j = 0; j < words.count; j++)
            if (fw_loop_variable(program, words.at[j]))
                fw_loop_names_add(program->arena, names, words.at[j]);
    }
    return buffer.text;
}

char *fw_loop_statement_conditions(struct fw_loop_program *program,
                                   const struct fw_loop_statement *statement, fw_loop_names *names)
{
    bool inside = statement->points != NULL;
    for (size_t i = 0; inside && i < names->count; i++)
        inside = fw_loop_has(statement->loops, statement->loop_count, names->at[i]);
    if (inside) {
        for (uint32_t i = 0; i < statement->loop_count; i++)
            fw_loop_names_add(program->arena, names, statement->loops[i]);
        return fw_arena_text(program->arena, statement->points, strlen(statement->points));
    }
    struct fw_buffer own = fw_buffer_new(program->arena);
    fw_buffer_printf(&own, "0 = 0");
    for (uint32_t i = 0; i < statement->condition_count; i++) {
        struct fw_buffer one = fw_buffer_new(program->arena);
        if (!fw_loop_affine_condition(program, &one, statement->conditions[i]))
            continue;
        fw_buffer_printf(&own, " and (%s)", one.text);
        fw_loop_names words = {0};
        fw_loop_mentioned(program, &words, statement->conditions[i]);
        for (size_t j = 0; j < words.count; j++)
            if (fw_loop_variable(program, words.at[j]))
                fw_loop_names_add(program->arena, names, words.at[j]);
    }
    char *conditions = fw_loop_conditions(program, names);
    return fw_arena_printf(program->arena, "%s and %s", own.text, conditions);
}

char *fw_loop_set_text(struct fw_loop_program *program, const char *const *kept,
                       uint32_t kept_count, const fw_loop_names *names, const char *conditions,
                       bool closed)
{
    struct fw_buffer buffer = fw_buffer_new(program->arena);
    fw_loop_names hidden = {0};
    for (size_t i = 0; i < names->count; i++)
        if (!fw_loop_has(kept, kept_count, names->at[i]))
            fw_loop_names_add(program->arena, &hidden, names->at[i]);
    for (size_t i = 0; closed && i < program->parameters.count; i++)
        fw_loop_names_add(program->arena, &hidden, program->parameters.at[i]);
    fw_buffer_printf(&buffer, "%s{ [", closed ? "[] -> " : fw_loop_prefix(program));
    for (uint32_t i = 0; i < kept_count; i++)
        fw_buffer_printf(&buffer, "%s%s", i ? ", " : "", kept[i]);
    fw_buffer_printf(&buffer, "] : ");
    for (size_t i = 0; i < hidden.count; i++)
        fw_buffer_printf(&buffer, "%s%s", i ? ", " : "exists (", hidden.at[i]);
    fw_buffer_printf(&buffer, "%s%s", hidden.count ? " : " : "", conditions);
    if (closed && program->assumptions)
        fw_buffer_printf(&buffer, " and %s", program->assumptions);
    fw_buffer_printf(&buffer, hidden.count ? ") }" : " }");
    return buffer.text;
}
