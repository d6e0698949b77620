/* Expressions as text of the target language. */
#include "emit_internal.h"
#include "set_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names and numbers ---- */

static void add_loop_name(struct emitter *emitter, struct fw_buffer *buffer, const char *name,
                          unsigned least)
{
    for (size_t i = 0; i < emitter->bindings.count; i++) {
        const struct binding *binding = &emitter->bindings.at[i];
        if (binding->loop != name || !binding->value)
            continue;
        bool wrap = binding->plus && least > SUM;
        emit_open(buffer, wrap);
        emit_ast(emitter, buffer, binding->value, binding->plus ? SUM : least);
        if (binding->plus)
            fw_buffer_printf(buffer, " %c %" PRId64, binding->plus < 0 ? '-' : '+',
                             binding->plus < 0 ? -binding->plus : binding->plus);
        emit_close(buffer, wrap);
        return;
    }
    fw_buffer_printf(buffer, "%s", emit_name(emitter, name));
}

static void add_infinity(struct emitter *emitter, struct fw_buffer *buffer, bool negative,
                         enum fw_type type)
{
    const char *text = "INFINITY";
    if (emitter->target == FW_EMIT_CUDA)
        text = type == FW_TYPE_F64 ? "__longlong_as_double(0x7ff0000000000000LL)"
                                   : "__int_as_float(0x7f800000)";
    fw_buffer_printf(buffer, negative ? "(-%s)" : "%s", text);
}

/* The shortest decimal that gives the same number again, with what the type wants behind it. */
static void add_real(struct emitter *emitter, struct fw_buffer *buffer, double value,
                     enum fw_type type, unsigned least)
{
    char text[40];
    bool single = type == FW_TYPE_F32 || type == FW_TYPE_F16 || type == FW_TYPE_BF16;
    if (isinf(value)) {
        add_infinity(emitter, buffer, value < 0, type);
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, value);
        double again = strtod(text, NULL);
        if (single ? (float)again == (float)value : again >= value && again <= value)
            break;
    }
    bool wrap = value < 0 && least > SUM;
    emit_open(buffer, wrap);
    if (type == FW_TYPE_F16 || type == FW_TYPE_BF16)
        fw_buffer_printf(buffer, "(%s)", emit_type(emitter, type, (struct fw_span){0}));
    fw_buffer_printf(buffer, "%s%s%s", text, strpbrk(text, ".en") ? "" : ".0", single ? "f" : "");
    emit_close(buffer, wrap);
}

static void add_integer(struct emitter *emitter, struct fw_buffer *buffer, int64_t value,
                        enum fw_type wanted, unsigned least)
{
    if (fw_type_class(wanted) == 'f') {
        add_real(emitter, buffer, (double)value, wanted, least);
        return;
    }
    const char *suffix = "";
    bool is_unsigned = fw_type_class(wanted) == 'u';
    if (fw_type_bits(wanted) > 32 || value > INT32_MAX || value < INT32_MIN)
        suffix = emitter->target == FW_EMIT_OPENCL ? is_unsigned ? "UL" : "L"
                 : is_unsigned                     ? "ULL"
                                                   : "LL";
    else if (is_unsigned && fw_type_bits(wanted) == 32)
        suffix = "u";
    bool wrap = value < 0 && least > SUM;
    emit_open(buffer, wrap);
    if (value == INT64_MIN)
        fw_buffer_printf(buffer, "(%" PRId64 "%s - 1)", value + 1, suffix);
    else if (value == INT32_MIN && !*suffix)
        fw_buffer_printf(buffer, "(%" PRId64 " - 1)", value + 1);
    else
        fw_buffer_printf(buffer, "%" PRId64 "%s", value, suffix);
    emit_close(buffer, wrap);
}

/* ---- accesses ---- */

/* Brackets of the threads' copies of a private value in plain C with barriers. */
static void add_thread_subscripts(struct emitter *emitter, struct fw_buffer *buffer)
{
    for (unsigned a = FW_LOOP_AXES; a-- > 0;) {
        const struct fw_loop_axis *axis = &emitter->launch->axes[FW_LOOP_OF_THREADS][a];
        if (!axis->used)
            continue;
        fw_buffer_printf(buffer, "[");
        for (size_t i = 0; i < emitter->bindings.count; i++)
            if (emitter->bindings.at[i].loop == axis->name)
                emit_ast(emitter, buffer, emitter->bindings.at[i].value, CHOICE);
        fw_buffer_printf(buffer, "]");
    }
}

/* "((long)i*m + j)*n + k" without the outermost brackets. */
static void add_flat(struct emitter *emitter, struct fw_buffer *buffer,
                     const struct fw_loop_expression *access, const struct layout *layout)
{
    const char *wide = emit_type(emitter, FW_TYPE_S64, access->span);
    char *sum = NULL;
    for (uint32_t i = 0; i < access->operand_count; i++) {
        uint32_t d = layout->order[i];
        struct fw_buffer next = fw_buffer_new(emitter->arena);
        bool first = i == 0, last = i + 1 == access->operand_count;
        if (!first) {
            fw_buffer_printf(&next, i > 1 ? "(%s)*" : "%s*", sum);
            emit_ast(emitter, &next, layout->extents[d], PRODUCT + 1);
            fw_buffer_printf(&next, " + ");
        }
        if (first && !last && layout->wide)
            fw_buffer_printf(&next, "(%s)", wide);
        emit_expression(emitter, &next, access->operands[d],
                        first ? (last           ? CHOICE
                                 : layout->wide ? PREFIX
                                                : PRODUCT)
                              : SUM + 1,
                        FW_TYPE_S32);
        sum = next.text;
    }
    fw_buffer_printf(buffer, "%s", sum);
}

static void add_access(struct emitter *emitter, struct fw_buffer *buffer,
                       const struct fw_loop_expression *access)
{
    const struct fw_loop_array *array = fw_loop_find_array(emitter->program, access->name);
    const struct layout *layout = &emitter->layouts[array - emitter->program->arrays.at];
    fw_buffer_printf(buffer, "%s", emit_name(emitter, array->name));
    if (layout->space == FW_SPACE_PARAM)
        return;
    if (layout->space == FW_SPACE_REG || layout->space == FW_SPACE_SHARED) {
        if (layout->space == FW_SPACE_REG && emitter->phased)
            add_thread_subscripts(emitter, buffer);
        for (uint32_t i = 0; i < access->operand_count; i++) {
            fw_buffer_printf(buffer, "[");
            emit_expression(emitter, buffer, access->operands[layout->order[i]], CHOICE,
                            FW_TYPE_S32);
            fw_buffer_printf(buffer, "]");
        }
        return;
    }
    fw_buffer_printf(buffer, "[");
    if (access->operand_count == 0)
        fw_buffer_printf(buffer, "0");
    else
        add_flat(emitter, buffer, access, layout);
    fw_buffer_printf(buffer, "]");
}

/* ---- functions ---- */

/* Kinds of numbers that a helper is made for; 0 s32, 1 s64, 2 f32, 3 f64, 4 u32, 5 u64. */
static unsigned flavour(enum fw_type type)
{
    bool wide = fw_type_bits(type) > 32;
    char class = fw_type_class(type);
    return class == 'f' ? 2u + wide : class == 'u' && fw_type_bits(type) >= 32 ? 4u + wide : wide;
}

static void add_arguments(struct emitter *emitter, struct fw_buffer *buffer,
                          const struct fw_loop_expression *call, const char *name,
                          enum fw_type type, bool cast)
{
    fw_buffer_printf(buffer, "%s(", name);
    for (uint32_t i = 0; i < call->operand_count; i++) {
        fw_buffer_printf(buffer, i ? ", " : "");
        bool other = cast && call->operands[i]->type != type &&
                     call->operands[i]->kind != FW_LOOP_REAL &&
                     call->operands[i]->kind != FW_LOOP_INTEGER;
        if (other)
            fw_buffer_printf(buffer, "(%s)", emit_type(emitter, type, call->span));
        emit_expression(emitter, buffer, call->operands[i], other ? PREFIX : CHOICE, type);
    }
    fw_buffer_printf(buffer, ")");
}

/* min, max, abs and sign of integers. */
static void add_integer_call(struct emitter *emitter, struct fw_buffer *buffer,
                             const struct fw_loop_expression *call)
{
    static const enum helper least[] = {HELPER_MIN_S32, HELPER_MIN_S64, 0, 0,
                                        HELPER_MIN_U32, HELPER_MIN_U64};
    static const enum helper most[] = {HELPER_MAX_S32, HELPER_MAX_S64, 0, 0,
                                       HELPER_MAX_U32, HELPER_MAX_U64};
    unsigned kind = flavour(call->type);
    const char *name = call->name;
    if (strcmp(name, "min") == 0)
        name = emit_helper(emitter, least[kind]);
    else if (strcmp(name, "max") == 0)
        name = emit_helper(emitter, most[kind]);
    else if (strcmp(name, "sign") == 0)
        name = emit_helper(emitter, kind & 1 ? HELPER_SIGN_S64 : HELPER_SIGN_S32);
    else if (kind >= 4)
        name = ""; /* the absolute value of what has no sign */
    else if (emitter->target != FW_EMIT_OPENCL && kind == 1)
        name = "llabs";
    add_arguments(emitter, buffer, call, name, call->type, true);
}

/* A function of real numbers: f32 has its own names outside of OpenCL, f16 is done in f32. */
static void add_real_call(struct emitter *emitter, struct fw_buffer *buffer,
                          const struct fw_loop_expression *call)
{
    const char *name = call->name;
    enum fw_type type = call->type;
    bool half = type == FW_TYPE_F16 || type == FW_TYPE_BF16;
    if (half) {
        fw_buffer_printf(buffer, "(%s)", emit_type(emitter, type, call->span));
        type = FW_TYPE_F32;
    }
    if (strcmp(name, "sign") == 0) {
        name = emit_helper(emitter, type == FW_TYPE_F32 ? HELPER_SIGN_F32 : HELPER_SIGN_F64);
        add_arguments(emitter, buffer, call, name, type, true);
        return;
    }
    if (strcmp(name, "min") == 0)
        name = "fmin";
    else if (strcmp(name, "max") == 0)
        name = "fmax";
    else if (strcmp(name, "abs") == 0)
        name = "fabs";
    bool inverse = emitter->target == FW_EMIT_C && strcmp(name, "rsqrt") == 0;
    if (inverse) {
        fw_buffer_printf(buffer, type == FW_TYPE_F32 ? "(1.0f/" : "(1.0/");
        name = "sqrt";
    }
    if (type == FW_TYPE_F32 && emitter->target != FW_EMIT_OPENCL)
        name = fw_arena_printf(emitter->arena, "%sf", name);
    add_arguments(emitter, buffer, call, name, type, true);
    emit_close(buffer, inverse);
}

/* ---- operators ---- */

static const struct {
    const char *text;
    unsigned precedence;
} operators[FW_LOOP_KIND_COUNT] = {
    [FW_LOOP_OR] = {" || ", OR},          [FW_LOOP_AND] = {" && ", AND},
    [FW_LOOP_LESS] = {" < ", ORDER},      [FW_LOOP_LESS_EQUAL] = {" <= ", ORDER},
    [FW_LOOP_GREATER] = {" > ", ORDER},   [FW_LOOP_GREATER_EQUAL] = {" >= ", ORDER},
    [FW_LOOP_EQUAL] = {" == ", EQUALITY}, [FW_LOOP_UNEQUAL] = {" != ", EQUALITY},
    [FW_LOOP_BIT_OR] = {" | ", BIT_OR},   [FW_LOOP_BIT_XOR] = {" ^ ", BIT_XOR},
    [FW_LOOP_BIT_AND] = {" & ", BIT_AND}, [FW_LOOP_LEFT] = {" << ", SHIFT},
    [FW_LOOP_RIGHT] = {" >> ", SHIFT},    [FW_LOOP_ADD] = {" + ", SUM},
    [FW_LOOP_SUBTRACT] = {" - ", SUM},    [FW_LOOP_MULTIPLY] = {"*", PRODUCT},
    [FW_LOOP_DIVIDE] = {"/", PRODUCT},
};

/* The type that a comparison is done in. */
static enum fw_type compared_type(const struct fw_loop_expression *expression)
{
    enum fw_type type = FW_TYPE_NONE;
    for (uint32_t i = 0; i < expression->operand_count; i++) {
        const struct fw_loop_expression *operand = expression->operands[i];
        bool bare =
            operand->kind == FW_LOOP_INTEGER || (operand->kind == FW_LOOP_REAL && !operand->type);
        if (bare)
            continue;
        type = fw_loop_joined(type, operand->type);
    }
    bool real = false;
    for (uint32_t i = 0; i < expression->operand_count; i++)
        real |= expression->operands[i]->kind == FW_LOOP_REAL;
    if (type == FW_TYPE_NONE)
        return real ? FW_TYPE_F32 : FW_TYPE_S32;
    return real ? fw_loop_joined(type, fw_type_class(type) == 'f' ? type : FW_TYPE_F32) : type;
}

/* An operand whose own type differs in a way that the language would not convert as ours does. */
static void add_operand(struct emitter *emitter, struct fw_buffer *buffer,
                        const struct fw_loop_expression *operand, unsigned least, enum fw_type type)
{
    bool bare = operand->kind == FW_LOOP_INTEGER ||
                (operand->kind == FW_LOOP_REAL && operand->type == FW_TYPE_NONE);
    enum fw_type own = operand->type;
    bool half =
        own == FW_TYPE_F16 || own == FW_TYPE_BF16 || type == FW_TYPE_F16 || type == FW_TYPE_BF16;
    bool cast = !bare && own != type && half && fw_type_class(type) != 'p' && own != FW_TYPE_PRED;
    if (cast) {
        emit_open(buffer, least > PREFIX);
        fw_buffer_printf(buffer, "(%s)", emit_type(emitter, type, operand->span));
        emit_expression(emitter, buffer, operand, PREFIX, own);
        emit_close(buffer, least > PREFIX);
    } else {
        emit_expression(emitter, buffer, operand, least, type);
    }
}

/* Whether C would not do an operation of these operands in `type`, because none of them has it, and
 * one must be converted: u32 with s32 (s64), f32 with s64 (f64). */
static bool must_convert(const struct fw_loop_expression *one, const struct fw_loop_expression *two,
                         enum fw_type type)
{
    const struct fw_loop_expression *both[] = {one, two};
    if (fw_type_bits(type) < 64)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        bool bare = both[i]->kind == FW_LOOP_INTEGER ||
                    (both[i]->kind == FW_LOOP_REAL && both[i]->type == FW_TYPE_NONE);
        if (bare || both[i]->type == type || both[i]->type == FW_TYPE_PRED)
            return false;
    }
    return true;
}

/* Whether the value is never negative where the statement happens. */
static bool is_natural(struct emitter *emitter, const struct fw_loop_expression *expression)
{
    struct fw_loop_program *program = emitter->program;
    const struct fw_loop_statement *statement = emitter->statement;
    struct fw_buffer text = fw_buffer_new(emitter->arena);
    fw_loop_names names = {0};
    bool empty = false;
    if (!fw_loop_affine(program, &text, expression))
        return false;
    for (uint32_t i = 0; i < statement->loop_count; i++)
        fw_loop_names_add(program->arena, &names, statement->loops[i]);
    char *conditions = fw_loop_statement_conditions(program, statement, &names);
    conditions = fw_arena_printf(emitter->arena, "%s and %s < 0%s%s", conditions, text.text,
                                 program->assumptions ? " and " : "",
                                 program->assumptions ? program->assumptions : "");
    char *set = fw_loop_set_text(program, NULL, 0, &names, conditions, false);
    return fw_loop_empty(&empty, program, set) == FW_OK && empty;
}

/* Floors and remainders: rounded towards minus infinity, unlike C's. */
static void add_quotient(struct emitter *emitter, struct fw_buffer *buffer,
                         const struct fw_loop_expression *expression, unsigned least)
{
    bool modulo = expression->kind == FW_LOOP_MODULO;
    unsigned kind = flavour(expression->type);
    const struct fw_loop_expression *divisor = expression->operands[1];
    bool natural = fw_type_class(expression->type) == 'u' ||
                   (kind < 2 && divisor->kind == FW_LOOP_INTEGER && divisor->integer > 0 &&
                    is_natural(emitter, expression->operands[0]));
    if (natural) {
        emit_open(buffer, least > PRODUCT);
        emit_expression(emitter, buffer, expression->operands[0], PRODUCT, expression->type);
        fw_buffer_printf(buffer, modulo ? " %% " : "/");
        emit_expression(emitter, buffer, divisor, PRODUCT + 1, expression->type);
        emit_close(buffer, least > PRODUCT);
        return;
    }
    enum fw_type type = kind == 2 ? FW_TYPE_F32 : expression->type;
    if (kind >= 2 && !modulo) {
        bool plain = emitter->target == FW_EMIT_OPENCL || kind == 3;
        bool converts = must_convert(expression->operands[0], divisor, type);
        fw_buffer_printf(buffer, plain ? "floor(" : "floorf(");
        if (converts)
            fw_buffer_printf(buffer, "(%s)", emit_type(emitter, type, expression->span));
        add_operand(emitter, buffer, expression->operands[0], converts ? PREFIX : PRODUCT, type);
        fw_buffer_printf(buffer, "/");
        add_operand(emitter, buffer, divisor, PRODUCT + 1, type);
        fw_buffer_printf(buffer, ")");
        return;
    }
    static const enum helper helpers[2][4] = {
        {HELPER_FLOOR_DIV_S32, HELPER_FLOOR_DIV_S64, HELPER_FLOOR_DIV_S32, HELPER_FLOOR_DIV_S32},
        {HELPER_FLOOR_MOD_S32, HELPER_FLOOR_MOD_S64, HELPER_FLOOR_MOD_F32, HELPER_FLOOR_MOD_F64}};
    add_arguments(emitter, buffer, expression, emit_helper(emitter, helpers[modulo][kind]), type,
                  true);
}

static void add_power(struct emitter *emitter, struct fw_buffer *buffer,
                      const struct fw_loop_expression *expression, unsigned least)
{
    const struct fw_loop_expression *base = expression->operands[0];
    const struct fw_loop_expression *exponent = expression->operands[1];
    unsigned kind = flavour(expression->type);
    bool simple = base->kind == FW_LOOP_ACCESS || base->kind == FW_LOOP_NAME;
    if (simple && exponent->kind == FW_LOOP_INTEGER && exponent->integer >= 2 &&
        exponent->integer <= 4 && base->type == expression->type) {
        emit_open(buffer, least > PRODUCT);
        for (int64_t i = 0; i < exponent->integer; i++) {
            fw_buffer_printf(buffer, i ? "*" : "");
            emit_expression(emitter, buffer, base, PRODUCT + 1, expression->type);
        }
        emit_close(buffer, least > PRODUCT);
        return;
    }
    bool real = kind == 2 || kind == 3;
    if (!real) {
        add_arguments(emitter, buffer, expression,
                      emit_helper(emitter, kind & 1 ? HELPER_POWER_S64 : HELPER_POWER_S32),
                      kind & 1 ? FW_TYPE_S64 : FW_TYPE_S32, true);
        return;
    }
    bool plain = emitter->target == FW_EMIT_OPENCL || kind == 3;
    add_arguments(emitter, buffer, expression, plain ? "pow" : "powf",
                  kind == 2 ? FW_TYPE_F32 : FW_TYPE_F64, true);
}

static void add_binary(struct emitter *emitter, struct fw_buffer *buffer,
                       const struct fw_loop_expression *expression, unsigned least)
{
    enum fw_loop_kind kind = expression->kind;
    unsigned precedence = operators[kind].precedence;
    bool compares = kind >= FW_LOOP_LESS && kind <= FW_LOOP_UNEQUAL;
    bool logical = kind == FW_LOOP_OR || kind == FW_LOOP_AND;
    bool bits = kind >= FW_LOOP_BIT_OR && kind <= FW_LOOP_RIGHT;
    enum fw_type type = compares  ? compared_type(expression)
                        : logical ? FW_TYPE_PRED
                                  : expression->type;
    /* C promotes narrow integers: the result is cut to its type again. */
    bool narrow = !compares && !logical && fw_type_class(type) != 'f' && fw_type_bits(type) < 32;
    bool wrap = precedence < least || (precedence == AND && least == OR) ||
                (bits && least > CHOICE) || narrow;
    if (narrow)
        fw_buffer_printf(buffer, "(%s)", emit_type(emitter, type, expression->span));
    emit_open(buffer, wrap);
    bool shifts = kind == FW_LOOP_LEFT || kind == FW_LOOP_RIGHT;
    const struct fw_loop_expression *dividend = expression->operands[0];
    /* C shifts in the type of what is shifted. */
    bool converts = shifts ? dividend->type != type && dividend->kind != FW_LOOP_INTEGER
                           : !logical && must_convert(dividend, expression->operands[1], type);
    /* A quotient of integers is real here. */
    if (kind == FW_LOOP_DIVIDE && fw_type_class(type) == 'f' &&
        fw_type_class(dividend->type) != 'f' && dividend->kind != FW_LOOP_INTEGER &&
        dividend->kind != FW_LOOP_REAL)
        converts = true;
    if (converts) {
        fw_buffer_printf(buffer, "(%s)", emit_type(emitter, type, expression->span));
    }
    /* Operands of bit operators have brackets: few know the precedence by heart. */
    add_operand(emitter, buffer, expression->operands[0],
                bits || converts ? PREFIX
                : compares       ? SHIFT
                                 : precedence,
                type);
    fw_buffer_printf(buffer, "%s", operators[kind].text);
    add_operand(emitter, buffer, expression->operands[1],
                bits       ? PREFIX
                : compares ? SHIFT + 1
                           : operators[kind].precedence + 1,
                type);
    emit_close(buffer, wrap);
}

static void add_prefix(struct emitter *emitter, struct fw_buffer *buffer,
                       const struct fw_loop_expression *expression, unsigned least)
{
    enum fw_type type = expression->type;
    bool not = expression->kind == FW_LOOP_NOT;
    bool narrow = !not &&fw_type_class(type) != 'f' && fw_type_bits(type) < 32;
    emit_open(buffer, least > SUM);
    if (narrow)
        fw_buffer_printf(buffer, "(%s)", emit_type(emitter, type, expression->span));
    fw_buffer_printf(buffer, not ? "!" : expression->kind == FW_LOOP_NEGATE ? "-" : "~");
    add_operand(emitter, buffer, expression->operands[0], POSTFIX, not ? FW_TYPE_PRED : type);
    emit_close(buffer, least > SUM);
}

static void add_cast(struct emitter *emitter, struct fw_buffer *buffer,
                     const struct fw_loop_expression *expression, unsigned least)
{
    const struct fw_loop_expression *operand = expression->operands[0];
    emit_open(buffer, least > PREFIX);
    fw_buffer_printf(buffer, "(%s)", emit_type(emitter, expression->type, expression->span));
    emit_expression(emitter, buffer, operand, PREFIX,
                    operand->type ? operand->type : expression->type);
    emit_close(buffer, least > PREFIX);
}

static void add_choice(struct emitter *emitter, struct fw_buffer *buffer,
                       const struct fw_loop_expression *expression)
{
    fw_buffer_printf(buffer, "(");
    emit_expression(emitter, buffer, expression->operands[0], OR, FW_TYPE_PRED);
    fw_buffer_printf(buffer, " ? ");
    bool converts =
        must_convert(expression->operands[1], expression->operands[2], expression->type);
    if (converts)
        fw_buffer_printf(buffer, "(%s)", emit_type(emitter, expression->type, expression->span));
    add_operand(emitter, buffer, expression->operands[1], converts ? PREFIX : OR, expression->type);
    fw_buffer_printf(buffer, " : ");
    add_operand(emitter, buffer, expression->operands[2], OR, expression->type);
    fw_buffer_printf(buffer, ")");
}

void emit_expression(struct emitter *emitter, struct fw_buffer *buffer,
                     const struct fw_loop_expression *expression, unsigned least,
                     enum fw_type wanted)
{
    switch (expression->kind) {
    case FW_LOOP_INTEGER:
        add_integer(emitter, buffer, expression->integer, wanted, least);
        break;
    case FW_LOOP_REAL:
        add_real(emitter, buffer, expression->real,
                 expression->type               ? expression->type
                 : fw_type_class(wanted) == 'f' ? wanted
                                                : FW_TYPE_F64,
                 least);
        break;
    case FW_LOOP_NAME:
        add_loop_name(emitter, buffer, expression->name, least);
        break;
    case FW_LOOP_ACCESS:
        add_access(emitter, buffer, expression);
        break;
    case FW_LOOP_IF:
        add_choice(emitter, buffer, expression);
        break;
    case FW_LOOP_CALL:
        if (fw_type_class(expression->type) == 'f')
            add_real_call(emitter, buffer, expression);
        else
            add_integer_call(emitter, buffer, expression);
        break;
    case FW_LOOP_CAST:
        add_cast(emitter, buffer, expression, least);
        break;
    case FW_LOOP_NOT:
    case FW_LOOP_NEGATE:
    case FW_LOOP_BIT_NOT:
        add_prefix(emitter, buffer, expression, least);
        break;
    case FW_LOOP_FLOOR:
    case FW_LOOP_MODULO:
        add_quotient(emitter, buffer, expression, least);
        break;
    case FW_LOOP_POWER:
        add_power(emitter, buffer, expression, least);
        break;
    case FW_LOOP_REDUCE:
        emit_refuse(emitter, "EMIT005", expression->span, "a reduction is left");
        break;
    default:
        add_binary(emitter, buffer, expression, least);
        break;
    }
}
