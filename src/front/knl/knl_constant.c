/* Constants of the kernel language: "let NAME = VALUE" lines, values for them from outside, and
 * what stands where their names do: literals in expressions, numbers in lines, digits in texts for
 * isl. */
#include "knl_internal.h"

#include "checked.h"

#include <ctype.h>
#include <string.h>

/* isl's own words, and the language's in expressions: no constant can be called so. */
static const char *const reserved[] = {"and",   "or",      "not",    "exists", "mod",   "floor",
                                       "ceil",  "min",     "max",    "true",   "false", "floord",
                                       "ceild", "infty",   "NaN",    "rat",    "if",    "sum",
                                       "cast",  "product", "reduce", "implies"};

const struct knl_constant *knl_find_constant(const struct knl *knl, const char *name, size_t length)
{
    for (size_t i = 0; i < knl->constants.count; i++)
        if (strlen(knl->constants.at[i].name) == length &&
            memcmp(knl->constants.at[i].name, name, length) == 0)
            return &knl->constants.at[i];
    return NULL;
}

static const char *nearest_constant(const struct knl *knl, const char *name)
{
    const char *nearest = NULL;
    unsigned least = 7;
    for (size_t i = 0; i < knl->constants.count; i++) {
        unsigned distance = fw_text_unlikeness(name, knl->constants.at[i].name, least);
        if (distance < least) {
            least = distance;
            nearest = knl->constants.at[i].name;
        }
    }
    return nearest;
}

static enum fw_status refuse_name(struct knl *knl, const struct knl_constant *constant,
                                  struct fw_span span)
{
    const char *note = fw_arena_printf(knl->arena, "it is declared in line %u",
                                       fw_span_position(constant->span).line);
    fw_report_notes(knl->sink, FW_ERROR, "KNL015", span, &note, 1,
                    "'%s' is a constant: it stands for a number, and names nothing else",
                    constant->name);
    return FW_ERROR_INPUT;
}

enum fw_status knl_check_name(struct knl *knl)
{
    const struct token *token = &knl->token;
    const struct knl_constant *constant = knl_find_constant(knl, token->text, token->length);
    return constant ? refuse_name(knl, constant, knl_span(knl, token->text, token->length)) : FW_OK;
}

struct fw_loop_expression *knl_constant(struct knl *knl, const struct knl_constant *constant,
                                        struct fw_span span)
{
    bool negative = constant->value < 0;
    struct fw_loop_expression *number =
        fw_loop_integer(knl->program, negative ? -constant->value : constant->value);
    number->span = span;
    return negative ? fw_loop_operation(knl->program, FW_LOOP_NEGATE, NULL, &number, 1, span)
                    : number;
}

/* ---- values ---- */

struct folding {
    struct knl *knl;
    struct fw_span whole; /* of what has no place of its own */
};

static enum fw_status refuse_value(const struct folding *folding, struct fw_span span,
                                   const char *why)
{
    fw_report(folding->knl->sink, FW_ERROR, "KNL014", span.source ? span : folding->whole, "%s",
              why);
    return FW_ERROR_INPUT;
}

/* Quotient and remainder that round towards minus infinity, as "//" and "%" do everywhere. */
static int64_t floored(int64_t a, int64_t b, int64_t *rest)
{
    int64_t quotient = a / b;
    *rest = a % b;
    if (*rest && (*rest < 0) != (b < 0)) {
        quotient--;
        *rest += b;
    }
    return quotient;
}

static bool power(int64_t base, int64_t exponent, int64_t *value)
{
    *value = 1;
    if (base == 0 || base == 1 || base == -1) {
        *value = exponent == 0 ? 1 : base == -1 && exponent % 2 == 0 ? 1 : base;
        return true;
    }
    for (; exponent > 0; exponent--)
        if (fw_multiply_overflows(*value, base, value))
            return false;
    return true;
}

/* Bits, comparisons and conditions; false: it is none of these. */
static bool fold_exactly(int64_t *value, enum fw_loop_kind kind, int64_t a, int64_t b)
{
    const struct {
        enum fw_loop_kind kind;
        int64_t value;
    } rows[] = {
        {FW_LOOP_BIT_AND, a & b},        {FW_LOOP_BIT_OR, a | b},      {FW_LOOP_BIT_XOR, a ^ b},
        {FW_LOOP_LESS, a < b},           {FW_LOOP_LESS_EQUAL, a <= b}, {FW_LOOP_GREATER, a > b},
        {FW_LOOP_GREATER_EQUAL, a >= b}, {FW_LOOP_EQUAL, a == b},      {FW_LOOP_UNEQUAL, a != b},
        {FW_LOOP_AND, a && b},           {FW_LOOP_OR, a || b}};
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++)
        if (rows[r].kind == kind) {
            *value = rows[r].value;
            return true;
        }
    return false;
}

/* What may not fit; false: it does not. */
static bool fold_number(int64_t *value, enum fw_loop_kind kind, int64_t a, int64_t b)
{
    int64_t rest = 0;
    switch (kind) {
    case FW_LOOP_ADD:
        return !fw_add_overflows(a, b, value);
    case FW_LOOP_SUBTRACT:
        return !fw_subtract_overflows(a, b, value);
    case FW_LOOP_MULTIPLY:
        return !fw_multiply_overflows(a, b, value);
    case FW_LOOP_FLOOR:
        *value = floored(a, b, &rest);
        return true;
    case FW_LOOP_MODULO:
        floored(a, b, value);
        return true;
    case FW_LOOP_LEFT:
        return !fw_multiply_overflows(a, (int64_t)1 << b, value);
    case FW_LOOP_RIGHT:
        *value = a >> b;
        return true;
    default:
        return power(a, b, value);
    }
}

static enum fw_status fold_two(int64_t *value, const struct folding *folding,
                               const struct fw_loop_expression *expression, int64_t a, int64_t b)
{
    enum fw_loop_kind kind = expression->kind;
    bool divides = kind == FW_LOOP_FLOOR || kind == FW_LOOP_MODULO;
    bool shifts = kind == FW_LOOP_LEFT || kind == FW_LOOP_RIGHT;
    if (fold_exactly(value, kind, a, b))
        return FW_OK;
    if (kind == FW_LOOP_DIVIDE)
        return refuse_value(folding, expression->span,
                            "'/' gives a real number: for whole ones write '//'");
    if (divides && (b == 0 || (a == INT64_MIN && b == -1)))
        return refuse_value(folding, expression->span, "a division by zero");
    if ((kind == FW_LOOP_POWER && b < 0) || (shifts && (b < 0 || b > 62 || a < 0)))
        return refuse_value(
            folding, expression->span,
            "exponents are not negative; shifts are by 0 to 62 bits, of what is not "
            "negative");
    return fold_number(value, kind, a, b)
               ? FW_OK
               : refuse_value(folding, expression->span, "the number is too large");
}

static enum fw_status fold(int64_t *value, const struct folding *folding,
                           const struct fw_loop_expression *expression);

/* min, max and abs. */
static enum fw_status fold_call(int64_t *value, const struct folding *folding,
                                const struct fw_loop_expression *call)
{
    int64_t at[2] = {0, 0};
    enum fw_status status = FW_OK;
    bool least = strcmp(call->name, "min") == 0, greatest = strcmp(call->name, "max") == 0;
    if (!least && !greatest && strcmp(call->name, "abs") != 0)
        return refuse_value(folding, call->span,
                            "of functions, min, max and abs can stand in constants");
    for (uint32_t i = 0; i < call->operand_count && i < 2 && status == FW_OK; i++)
        status = fold(&at[i], folding, call->operands[i]);
    if (least || greatest)
        *value = (at[0] < at[1]) == least ? at[0] : at[1];
    else
        *value = at[0] < 0 && at[0] > INT64_MIN ? -at[0] : at[0];
    return status;
}

static enum fw_status no_constant(const struct folding *folding,
                                  const struct fw_loop_expression *name)
{
    struct knl *knl = folding->knl;
    const char *nearest = nearest_constant(knl, name->name);
    const char *note = nearest ? fw_arena_printf(knl->arena, "did you mean '%s'?", nearest) : NULL;
    fw_report_notes(knl->sink, FW_ERROR, "KNL014", name->span, &note, note ? 1 : 0,
                    "'%s' is no constant: a whole number is expected here, of digits and of names "
                    "that 'let' lines above declare",
                    name->name);
    return FW_ERROR_INPUT;
}

static enum fw_status fold(int64_t *value, const struct folding *folding,
                           const struct fw_loop_expression *expression)
{
    int64_t at[2] = {0, 0};
    enum fw_status status;
    switch (expression->kind) {
    case FW_LOOP_INTEGER:
        *value = expression->integer;
        return FW_OK;
    case FW_LOOP_NAME:
        return no_constant(folding, expression);
    case FW_LOOP_CALL:
        return fold_call(value, folding, expression);
    case FW_LOOP_IF:
        status = fold(&at[0], folding, expression->operands[0]);
        return status == FW_OK ? fold(value, folding, expression->operands[at[0] ? 1 : 2]) : status;
    case FW_LOOP_REAL:
    case FW_LOOP_ACCESS:
    case FW_LOOP_REDUCE:
    case FW_LOOP_CAST:
        return refuse_value(folding, expression->span,
                            "a whole number of digits and constants is expected here");
    default:
        break;
    }
    status = fold(&at[0], folding, expression->operands[0]);
    if (status == FW_OK && expression->operand_count == 2)
        status = fold(&at[1], folding, expression->operands[1]);
    if (status != FW_OK)
        return status;
    if (expression->operand_count == 2)
        return fold_two(value, folding, expression, at[0], at[1]);
    if (expression->kind == FW_LOOP_NEGATE)
        return fw_subtract_overflows((int64_t)0, at[0], value)
                   ? refuse_value(folding, expression->span, "the number is too large")
                   : FW_OK;
    *value = expression->kind == FW_LOOP_NOT ? !at[0] : ~at[0];
    return FW_OK;
}

/* The rest of the line up to what is no part of an expression. */
static enum fw_status read_expression(int64_t *value, struct knl *knl)
{
    struct fw_loop_expression *expression = NULL;
    enum fw_status status = knl_next(knl);
    struct folding folding = {knl, knl_span(knl, knl->token.text, knl->token.length)};
    if (status == FW_OK && (knl->token.kind == TOKEN_LINE || knl->token.kind == TOKEN_END))
        return knl_fault(knl, "KNL002", "an integer is expected here");
    if (status == FW_OK)
        status = knl_expression(&expression, knl);
    if (status == FW_OK)
        status = fold(value, &folding, expression);
    if (status == FW_OK && (*value > KNL_CONSTANT_MOST || *value < -KNL_CONSTANT_MOST))
        return refuse_value(&folding, folding.whole, "the number is too large");
    knl->at = knl->token.text; /* what follows is the line's */
    return status;
}

enum fw_status knl_number(int64_t *value, struct knl *knl)
{
    const char *before = knl->at;
    knl_word(knl);
    /* "1K" is a word that no expression has; digits before an operator do not stand alone. */
    char next = knl->at[strspn(knl->at, " \t\r")];
    bool alone =
        fw_text_integer(knl_word_text(knl), true, value) && !(next && strchr("+-*/%<>&|^", next));
    if (alone)
        return FW_OK;
    knl->at = before;
    return read_expression(value, knl);
}

/* ---- let lines ---- */

static bool mentions(const struct fw_loop_expression *expression, const char *name)
{
    if ((expression->kind == FW_LOOP_NAME || expression->kind == FW_LOOP_ACCESS) &&
        strcmp(expression->name, name) == 0)
        return true;
    for (uint32_t i = 0; i < expression->operand_count; i++)
        if (mentions(expression->operands[i], name))
            return true;
    return false;
}

/* Whether the name means something above, as what is declared or as a scalar that is not. */
static bool is_used(const struct fw_loop_program *program, const char *name)
{
    for (size_t i = 0; i < program->parameters.count; i++)
        if (strcmp(program->parameters.at[i], name) == 0)
            return true;
    for (size_t i = 0; i < program->variables.count; i++)
        if (strcmp(program->variables.at[i].name, name) == 0)
            return true;
    for (uint32_t i = 0; i < program->formal_count; i++)
        if (strcmp(program->formals[i], name) == 0)
            return true;
    for (size_t i = 0; i < program->statements.count; i++) {
        const struct fw_loop_statement *statement = &program->statements.at[i];
        if (mentions(statement->target, name) || mentions(statement->value, name))
            return true;
        for (uint32_t c = 0; c < statement->condition_count; c++)
            if (mentions(statement->conditions[c], name))
                return true;
    }
    return fw_loop_find_array(program, name) != NULL;
}

static bool is_taken(const struct knl *knl, const char *name)
{
    bool taken = is_used(knl->program, name);
    for (size_t i = 0; i < sizeof(reserved) / sizeof(*reserved); i++)
        taken |= strcmp(reserved[i], name) == 0;
    for (size_t i = 0; i < knl->functions.count; i++)
        taken |= strcmp(knl->functions.at[i].name, name) == 0 ||
                 is_used(knl->functions.at[i].program, name);
    for (size_t i = 0; i < knl->rules.count; i++)
        taken |= strcmp(knl->rules.at[i].name, name) == 0 || mentions(knl->rules.at[i].body, name);
    return taken;
}

enum fw_status knl_let(struct knl *knl)
{
    const char *name = NULL;
    int64_t value = 0;
    if (knl->caller || knl->frame_count)
        return knl_fault(knl, "KNL008", "constants stand in kernels and above them, in no block");
    enum fw_status status = knl_name(&name, knl);
    struct fw_span span = knl_span(knl, knl->token.text, knl->token.length);
    if (status == FW_OK && is_taken(knl, name))
        return knl_fault(knl, "KNL015",
                         "the name '%s' means something else already: declare constants above all "
                         "that uses them",
                         name);
    if (status == FW_OK)
        knl_word(knl);
    if (status == FW_OK && (knl->token.length != 1 || *knl->token.text != '='))
        return knl_fault(knl, "KNL002", "'=' is expected here: let NAME = VALUE");
    if (status == FW_OK)
        status = knl_number(&value, knl);
    if (status == FW_OK)
        status = knl_line_end(knl);
    for (size_t d = 0; d < knl->defines.count && status == FW_OK; d++) {
        struct knl_define *define = &knl->defines.at[d];
        if (strcmp(define->name, name) != 0)
            continue;
        define->taken = true;
        value = define->value;
    }
    if (status == FW_OK)
        *FW_APPEND(knl->arena, &knl->constants) = (struct knl_constant){name, value, span};
    return status;
}

/* ---- values from outside ---- */

/* A text of the caller's as a source of its own, for the places of diagnostics. */
static struct knl *knl_of_define(struct knl *knl, const char *text)
{
    struct knl *own = FW_NEW(knl->arena, struct knl);
    struct fw_source *source = FW_NEW(knl->arena, struct fw_source);
    *source = (struct fw_source){"command line", text, strlen(text)};
    own->arena = knl->arena;
    own->source = source;
    own->sink = knl->sink;
    own->program = knl->program;
    own->at = text;
    return own;
}

static enum fw_status take_define(struct knl_define *define, struct knl *knl, const char *stated)
{
    size_t length = knl_name_length(stated);
    *define = (struct knl_define){.text = fw_arena_printf(knl->arena, "-D%s", stated), .value = 1};
    define->name = fw_arena_text(knl->arena, stated, length);
    struct knl *own = knl_of_define(knl, define->text);
    own->token = (struct token){.kind = TOKEN_NAME, .text = define->text, .length = 2 + length};
    if (!length || (stated[length] && stated[length] != '='))
        return knl_fault(own, "KNL016", "-DNAME=VALUE gives a constant a value");
    if (!stated[length])
        return FW_OK;
    own->at = define->text + 2 + length + 1;
    enum fw_status status = knl_number(&define->value, own);
    return status == FW_OK ? knl_line_end(own) : status;
}

enum fw_status knl_take_defines(struct knl *knl, const struct fw_knl_options *options)
{
    enum fw_status status = FW_OK;
    for (size_t d = 0; d < options->define_count && status == FW_OK; d++) {
        struct knl_define define;
        status = take_define(&define, knl, options->defines[d]);
        if (status == FW_OK)
            *FW_APPEND(knl->arena, &knl->defines) = define;
    }
    return status;
}

enum fw_status knl_check_defines(struct knl *knl)
{
    for (size_t d = 0; d < knl->defines.count; d++) {
        const struct knl_define *define = &knl->defines.at[d];
        if (define->taken)
            continue;
        const char *nearest = nearest_constant(knl, define->name), *note = NULL;
        struct fw_buffer list = fw_buffer_new(knl->arena);
        for (size_t c = 0; c < knl->constants.count && c < 20; c++)
            fw_buffer_printf(&list, "%s%s", c ? ", " : "", knl->constants.at[c].name);
        if (nearest)
            note = fw_arena_printf(knl->arena, "did you mean '%s'?", nearest);
        else if (knl->constants.count)
            note = fw_arena_printf(knl->arena, "it declares %s", list.text);
        else
            note = "it declares none: 'let NAME = VALUE' does, above what uses it";
        struct knl *own = knl_of_define(knl, define->text);
        fw_report_notes(knl->sink, FW_ERROR, "KNL016",
                        knl_span(own, define->text + 2, strlen(define->name)), &note, 1,
                        "%s declares no constant '%s'", knl->source->name, define->name);
        return FW_ERROR_INPUT;
    }
    for (size_t c = 0; c < knl->constants.count; c++) {
        struct fw_loop_constant *to = FW_APPEND(knl->arena, &knl->program->constants);
        *to = (struct fw_loop_constant){knl->constants.at[c].name, knl->constants.at[c].value};
    }
    return FW_OK;
}

/* ---- texts for isl ---- */

/* Where a place in the text came from. */
static uint32_t origin(const struct knl_filling *filling, uint32_t at)
{
    int64_t shift = 0;
    for (size_t p = 0; p < filling->patches.count; p++) {
        const struct knl_patch *patch = &filling->patches.at[p];
        if (at < patch->to)
            break;
        if (at < patch->to + patch->to_length)
            return patch->from;
        shift = (int64_t)patch->from + patch->from_length - patch->to - patch->to_length;
    }
    return (uint32_t)(at + shift);
}

static void moved(void *user, const struct fw_diagnostic *diagnostic)
{
    const struct knl_filling *filling = user;
    struct fw_diagnostic own = *diagnostic;
    uint32_t begin = filling->span.offset;
    if (own.span.source == filling->span.source && own.span.offset >= begin &&
        own.span.offset - begin <= filling->span.length) {
        uint32_t first = own.span.offset - begin;
        uint32_t last = first + (own.span.length ? own.span.length : 1) - 1;
        own.span.offset = begin + origin(filling, first);
        own.span.length = begin + origin(filling, last) + 1 - own.span.offset;
    }
    if (filling->before)
        filling->before->report(filling->before->user, &own);
}

/* What isl would call a syntax error. */
static enum fw_status check_divisor(struct knl *knl, const char *start, const char *at,
                                    const struct knl_constant *constant)
{
    while (at > start && isspace((unsigned char)at[-1]))
        at--;
    bool divides = (at > start && (at[-1] == '%' || at[-1] == '/')) ||
                   (at - start >= 3 && strncmp(at - 3, "mod", 3) == 0 &&
                    (at - start == 3 || !(isalnum((unsigned char)at[-4]) || at[-4] == '_')));
    if (!divides || constant->value > 0)
        return FW_OK;
    at += strspn(at, " \t\r\n");
    fw_report(knl->sink, FW_ERROR, "KNL014", knl_span(knl, at, strlen(constant->name)),
              "'%s' is %lld: a divisor is 1 or more", constant->name, (long long)constant->value);
    return FW_ERROR_INPUT;
}

static void fill_one(struct knl_filling *filling, struct fw_buffer *text, uint32_t from,
                     const struct knl_constant *constant, bool after_number)
{
    uint32_t to = (uint32_t)text->length;
    /* Digits alone: a divisor must be no more than that. */
    fw_buffer_printf(text, constant->value < 0 ? "%s(%lld)" : "%s%lld", after_number ? "*" : "",
                     (long long)constant->value);
    *FW_APPEND(filling->knl->arena, &filling->patches) =
        (struct knl_patch){to, (uint32_t)text->length - to, from, (uint32_t)strlen(constant->name)};
}

enum fw_status knl_fill(struct knl_filling *filling, struct knl *knl, const char *start,
                        size_t length, bool domain)
{
    struct fw_buffer text = fw_buffer_new(knl->arena);
    bool after_number = false, naming = domain;
    *filling =
        (struct knl_filling){.knl = knl, .program = knl->program, .before = knl->program->sink};
    for (size_t at = 0; at < length;) {
        size_t word = knl_name_length(start + at);
        const struct knl_constant *constant =
            word ? knl_find_constant(knl, start + at, word) : NULL;
        if (constant && naming)
            return refuse_name(knl, constant, knl_span(knl, start + at, word));
        if (constant && check_divisor(knl, start, start + at, constant) != FW_OK)
            return FW_ERROR_INPUT;
        if (constant) {
            fill_one(filling, &text, (uint32_t)at, constant, after_number);
        } else {
            word = word ? word : 1;
            fw_buffer_add(&text, start + at, word);
        }
        naming =
            (naming || (word == 6 && strncmp(start + at, "exists", 6) == 0)) && start[at] != ':';
        if (!isspace((unsigned char)start[at]))
            after_number = !constant && word == 1 && isdigit((unsigned char)start[at]);
        at += word;
    }
    fw_buffer_add(&text, "", 0);
    filling->text = text.text;
    filling->span = knl_span(knl, start, text.length ? text.length : 1);
    filling->sink = (struct fw_sink){moved, filling};
    if (filling->patches.count)
        knl->program->sink = &filling->sink;
    return FW_OK;
}

void knl_filled(struct knl_filling *filling)
{
    filling->program->sink = filling->before;
}
