/* Values of arguments, and expressions over them: numbers are exact below 2^53. */
#include "generate_internal.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

struct fw_generate_value generate_number(struct fw_arena *arena, double number)
{
    return (struct fw_generate_value){fw_arena_printf(arena, "%.16g", number), true, number};
}

struct fw_generate_value generate_word(struct fw_arena *arena, const char *text, size_t length)
{
    struct fw_generate_value value = {.text = fw_arena_text(arena, text, length)};
    int64_t whole = 0;
    if (fw_text_integer(value.text, true, &whole) && llabs(whole) < GENERATE_NUMBER_MOST)
        return generate_number(arena, (double)whole);
    return value;
}

static bool same_word(const char *a, const char *b)
{
    for (; *a && tolower((unsigned char)*a) == tolower((unsigned char)*b); a++)
        b++;
    return !*a && !*b;
}

bool generate_same(const struct fw_generate_value *a, const struct fw_generate_value *b)
{
    if (a->is_number || b->is_number)
        return a->is_number && b->is_number && a->number == b->number;
    enum fw_type type = fw_knl_type(a->text, strlen(a->text));
    return same_word(a->text, b->text) || (type && type == fw_knl_type(b->text, strlen(b->text)));
}

bool generate_is_name(const char *text, size_t length)
{
    if (!length || length > GENERATE_NAME_MOST || !isalpha((unsigned char)*text))
        return false;
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && text[i] != '_')
            return false;
    return true;
}

struct fw_span generate_trimmed(const struct fw_source *source, const char *begin, const char *end)
{
    while (begin < end && isspace((unsigned char)*begin))
        begin++;
    while (end > begin && isspace((unsigned char)end[-1]))
        end--;
    return (struct fw_span){source, (uint32_t)(begin - source->text), (uint32_t)(end - begin)};
}

/* ---- expressions ---- */

struct evaluating {
    struct generate_names *names;
    struct fw_span span;
    const char *at, *end;
    unsigned depth;
};

static enum fw_status fault(const struct evaluating *work, const char *at, size_t length,
                            const char *why)
{
    const struct fw_source *source = work->span.source;
    fw_report(work->names->sink, FW_ERROR, "GEN002",
              (struct fw_span){source, (uint32_t)(at - source->text), (uint32_t)length}, "%s", why);
    return FW_ERROR_INPUT;
}

static void skip(struct evaluating *work)
{
    while (work->at < work->end && isspace((unsigned char)*work->at))
        work->at++;
}

/* Takes a mark, or a word that ends there. */
static bool take(struct evaluating *work, const char *mark)
{
    size_t length = strlen(mark);
    skip(work);
    if ((size_t)(work->end - work->at) < length || memcmp(work->at, mark, length) != 0)
        return false;
    const char *behind = work->at + length;
    if (isalpha((unsigned char)*mark) && behind < work->end &&
        (isalnum((unsigned char)*behind) || *behind == '_'))
        return false;
    work->at = behind;
    return true;
}

static enum fw_status read_any(struct evaluating *work, struct fw_generate_value *value);

static void set(const struct evaluating *work, struct fw_generate_value *value, double number)
{
    *value = generate_number(work->names->arena, number);
}

enum { OPERANDS_MOST = 16 };

/* Strides and how many steps there are of each, from the least stride on; strides of 0 and single
 * steps say nothing. */
static unsigned sort_steps(double strides[], double steps[], const double *operands, unsigned count)
{
    unsigned kept = 0;
    for (unsigned i = 0; i + 1 < count; i += 2) {
        double stride = fabs(operands[i]), step = operands[i + 1];
        if (stride == 0 || step <= 1)
            continue;
        unsigned at = kept++;
        for (; at > 0 && strides[at - 1] > stride; at--) {
            strides[at] = strides[at - 1];
            steps[at] = steps[at - 1];
        }
        strides[at] = stride;
        steps[at] = step;
    }
    return kept;
}

/* Distinct values of the sum of stride * index, where that can be said by looking at one stride
 * after the other; 0: it cannot. */
static double footprint(const double *operands, unsigned count)
{
    double strides[OPERANDS_MOST], steps[OPERANDS_MOST];
    unsigned kept = sort_steps(strides, steps, operands, count);
    double elements = 1, reach = 0, unit = kept ? strides[0] : 1;
    for (unsigned i = 0; i < kept; i++) {
        if (strides[i] > reach) {
            elements *= steps[i];
        } else if (elements == reach / unit + 1 && fmod(strides[i], unit) == 0) {
            elements += strides[i] / unit * (steps[i] - 1); /* the steps overlap a dense row */
        } else {
            return 0;
        }
        reach += strides[i] * (steps[i] - 1);
    }
    return elements;
}

/* Whether no two indices give one value. */
static double distinct(const double *operands, unsigned count)
{
    double points = 1;
    for (unsigned i = 0; i + 1 < count; i += 2)
        points *= operands[i + 1];
    return footprint(operands, count) == points;
}

/* The greatest value, and one: how many elements an array needs. */
static double reach(const double *operands, unsigned count)
{
    double most = 1;
    for (unsigned i = 0; i + 1 < count; i += 2)
        most += operands[i] * (operands[i + 1] - 1);
    return most;
}

static double least(const double *operands, unsigned count)
{
    double value = operands[0];
    for (unsigned i = 1; i < count; i++)
        value = fmin(value, operands[i]);
    return value;
}

static double greatest(const double *operands, unsigned count)
{
    double value = operands[0];
    for (unsigned i = 1; i < count; i++)
        value = fmax(value, operands[i]);
    return value;
}

static double choose(const double *operands, unsigned count)
{
    (void)count;
    return operands[operands[0] != 0 ? 1 : 2];
}

/* How many operands a function takes; an odd `most` of -1: pairs. */
static const struct {
    const char *name;
    double (*compute)(const double *operands, unsigned count);
    unsigned least, most;
    bool pairs;
} functions[] = {
    {"min", least, 1, OPERANDS_MOST, false},
    {"max", greatest, 1, OPERANDS_MOST, false},
    {"if", choose, 3, 3, false},
    {"footprint", footprint, 2, OPERANDS_MOST, true},
    {"distinct", distinct, 2, OPERANDS_MOST, true},
    {"reach", reach, 2, OPERANDS_MOST, true},
};

static enum fw_status read_operands(struct evaluating *work, double *operands, unsigned *count)
{
    do {
        struct fw_generate_value value;
        skip(work);
        const char *before = work->at;
        if (*count == OPERANDS_MOST)
            return fault(work, before, 1, "there are more than 16 operands");
        enum fw_status status = read_any(work, &value);
        if (status)
            return status;
        if (!value.is_number)
            return fault(work, before, (size_t)(work->at - before), "a number is expected here");
        operands[(*count)++] = value.number;
    } while (take(work, ","));
    return take(work, ")") ? FW_OK : fault(work, work->at, 1, "')' is expected here");
}

static enum fw_status read_bytes(struct evaluating *work, struct fw_generate_value *value,
                                 const char *name)
{
    struct fw_generate_value type;
    enum fw_status status = read_any(work, &type);
    if (status)
        return status;
    enum fw_type found = type.is_number ? FW_TYPE_NONE : fw_knl_type(type.text, strlen(type.text));
    if (!found || !take(work, ")"))
        return fault(work, name, 5, "bytes takes a type: bytes('f32')");
    set(work, value, fw_type_bytes(found));
    return FW_OK;
}

static enum fw_status read_call(struct evaluating *work, struct fw_generate_value *value,
                                const char *name, size_t length)
{
    double operands[OPERANDS_MOST];
    unsigned count = 0;
    if (length == 5 && memcmp(name, "bytes", 5) == 0)
        return read_bytes(work, value, name);
    for (size_t f = 0; f < sizeof(functions) / sizeof(functions[0]); f++) {
        if (strlen(functions[f].name) != length || memcmp(functions[f].name, name, length) != 0)
            continue;
        enum fw_status status = read_operands(work, operands, &count);
        if (status)
            return status;
        if (count < functions[f].least || count > functions[f].most ||
            (functions[f].pairs && count % 2))
            return fault(work, name, length,
                         "the function takes another number of operands (distinct, footprint and "
                         "reach: pairs of a stride and its steps)");
        set(work, value, functions[f].compute(operands, count));
        return FW_OK;
    }
    return fault(work, name, length,
                 "there is no such function: bytes, distinct, footprint, if, max, min, reach are");
}

static enum fw_status read_name(struct evaluating *work, struct fw_generate_value *value)
{
    const char *name = work->at;
    while (work->at < work->end && (isalnum((unsigned char)*work->at) || *work->at == '_'))
        work->at++;
    size_t length = (size_t)(work->at - name);
    if (take(work, "("))
        return read_call(work, value, name, length);
    char *text = fw_arena_text(work->names->arena, name, length);
    for (size_t l = work->names->loops.count; l-- > 0;)
        if (strcmp(work->names->loops.at[l].name, text) == 0) {
            *value = work->names->loops.at[l].value;
            return FW_OK;
        }
    const struct fw_generate_value *found = work->names->find(work->names, text);
    if (!found)
        return fault(work, name, length,
                     work->names->sizes_refused
                         ? "no argument or 'let' line above has this name, or it is a size, which "
                           "launches bind and a template does not know (words stand in quotes: "
                           "'f32')"
                         : "no argument or 'let' line above has this name (words stand in quotes: "
                           "'f32')");
    *value = *found;
    return FW_OK;
}

static enum fw_status read_primary(struct evaluating *work, struct fw_generate_value *value)
{
    skip(work);
    if (work->at == work->end)
        return fault(work, work->end, 1, "a value is expected here");
    const char *at = work->at;
    if (take(work, "(")) {
        enum fw_status status = read_any(work, value);
        return status ? status : take(work, ")") ? FW_OK : fault(work, at, 1, "')' is missing");
    }
    if (*at == '\'') {
        const char *close = memchr(at + 1, '\'', (size_t)(work->end - at - 1));
        if (!close)
            return fault(work, at, 1, "the quote is not closed");
        *value = generate_word(work->names->arena, at + 1, (size_t)(close - at - 1));
        work->at = close + 1;
        return FW_OK;
    }
    if (isdigit((unsigned char)*at)) {
        while (work->at < work->end && isalnum((unsigned char)*work->at))
            work->at++;
        *value = generate_word(work->names->arena, at, (size_t)(work->at - at));
        return value->is_number ? FW_OK
                                : fault(work, at, (size_t)(work->at - at),
                                        "this is no whole number, or too large");
    }
    if (isalpha((unsigned char)*at))
        return read_name(work, value);
    return fault(work, at, 1, "a number, a name or a word in quotes is expected here");
}

enum operator{
    ADD,
    SUBTRACT,
    MULTIPLY,
    FLOOR,
    DIVIDE,
    MODULO,
    EQUAL,
    UNEQUAL,
    LESS_EQUAL,
    GREATER_EQUAL,
    LESS,
    GREATER,
    AND,
    OR
};

/* From the loosest to the tightest; longer marks stand before their beginnings. */
static const struct {
    const char *mark;
    enum operator operator;
    unsigned level;
} operators[] = {{"or", OR, 0},      {"and", AND, 1},       {"==", EQUAL, 2},
                 {"!=", UNEQUAL, 2}, {"<=", LESS_EQUAL, 2}, {">=", GREATER_EQUAL, 2},
                 {"<", LESS, 2},     {">", GREATER, 2},     {"+", ADD, 3},
                 {"-", SUBTRACT, 3}, {"*", MULTIPLY, 4},    {"//", FLOOR, 4},
                 {"/", DIVIDE, 4},   {"%", MODULO, 4}};
enum { LEVELS = 5 };

static double compute(enum operator operator, double a, double b)
{
    const double results[] = {[ADD] = a + b,
                              [SUBTRACT] = a - b,
                              [MULTIPLY] = a * b,
                              [FLOOR] = floor(a / b),
                              [DIVIDE] = a / b,
                              [MODULO] = a - b * floor(a / b),
                              [EQUAL] = a == b,
                              [UNEQUAL] = a != b,
                              [LESS_EQUAL] = a <= b,
                              [GREATER_EQUAL] = a >= b,
                              [LESS] = a<b, [GREATER] = a> b,
                              [AND] = a != 0 && b != 0,
                              [OR] = a != 0 || b != 0};
    return results[operator];
}

static enum fw_status combine(struct evaluating *work, struct fw_generate_value *a,
                              const struct fw_generate_value *b, enum operator operator,
                              const char * mark)
{
    if (operator== EQUAL || operator== UNEQUAL) {
        set(work, a, generate_same(a, b) == (operator== EQUAL));
        return FW_OK;
    }
    if (!a->is_number || !b->is_number)
        return fault(work, mark, 1, "numbers are expected on both sides: words are only compared");
    bool divides = operator== FLOOR || operator== DIVIDE || operator== MODULO;
    if (divides && b->number == 0)
        return fault(work, mark, 1, "a division by zero");
    double number = compute(operator, a->number, b->number);
    if (!(fabs(number) < GENERATE_NUMBER_MOST))
        return fault(work, mark, 1, "the number is too large");
    set(work, a, number);
    return FW_OK;
}

static enum fw_status read_unary(struct evaluating *work, struct fw_generate_value *value)
{
    skip(work);
    const char *at = work->at;
    bool negates = take(work, "-"), inverts = !negates && take(work, "not");
    if (++work->depth > GENERATE_DEPTH_MOST)
        return fault(work, at, 1, "the expression is nested too deeply");
    enum fw_status status =
        negates || inverts ? read_unary(work, value) : read_primary(work, value);
    work->depth--;
    if (status || !(negates || inverts))
        return status;
    if (!value->is_number)
        return fault(work, at, 1, "a number is expected behind it");
    set(work, value, negates ? -value->number : value->number == 0);
    return FW_OK;
}

static enum fw_status read_level(struct evaluating *work, struct fw_generate_value *value,
                                 unsigned level)
{
    enum fw_status status =
        level == LEVELS ? read_unary(work, value) : read_level(work, value, level + 1);
    for (size_t o = 0; o < sizeof(operators) / sizeof(operators[0]) && !status && level < LEVELS;
         o++) {
        struct fw_generate_value other;
        skip(work);
        const char *mark = work->at;
        if (operators[o].level != level || !take(work, operators[o].mark))
            continue;
        status = read_level(work, &other, level + 1);
        if (!status)
            status = combine(work, value, &other, operators[o].operator, mark);
        o = (size_t)-1; /* anew: operators of one level may follow each other */
    }
    return status;
}

static enum fw_status read_any(struct evaluating *work, struct fw_generate_value *value)
{
    if (++work->depth > GENERATE_DEPTH_MOST)
        return fault(work, work->at, 1, "the expression is nested too deeply");
    enum fw_status status = read_level(work, value, 0);
    work->depth--;
    return status;
}

enum fw_status generate_evaluate(struct fw_generate_value *value, struct generate_names *names,
                                 struct fw_span span)
{
    const char *text = span.source->text + span.offset;
    struct evaluating work = {names, span, text, text + span.length, 0};
    enum fw_status status = read_any(&work, value);
    skip(&work);
    if (!status && work.at < work.end)
        return fault(&work, work.at, 1, "the expression ends here, and more follows");
    return status;
}

enum fw_status generate_holds(bool *holds, struct generate_names *names, struct fw_span span)
{
    struct fw_generate_value value;
    enum fw_status status = generate_evaluate(&value, names, span);
    *holds = !status && value.is_number && value.number != 0;
    if (!status && !value.is_number) {
        fw_report(names->sink, FW_ERROR, "GEN002", span,
                  "a condition is expected here, and this is a word");
        return FW_ERROR_INPUT;
    }
    return status;
}
