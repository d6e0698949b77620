/* The text form of one argument: see fw_emulate_argument_parse. */
#include "emulate.h"

#include "emulate_convert.h"
#include "emulate_npy.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct parser {
    struct fw_arena *arena;
    const struct fw_sink *sink;
    const char *whole;
    const char *at;
    struct fw_emulate_argument *out;
};

static enum fw_status wrong(const struct parser *parser, const char *what)
{
    static const char *const notes[] = {
        "NAME=NUMBER, NAME=TYPE:NUMBER, NAME=hex:BYTES, NAME=TYPE[COUNT], NAME=TYPE[COUNT]:FILL, "
        "NAME=@FILE.npy or NAME=file:PATH",
        "FILL: zero, ones, index, random, random(LOW,HIGH), ramp(LOW,STEP,JITTER), permutation, "
        "value(NUMBER), file:PATH; then ,seed=N ,position=N ,align=N"};
    const struct fw_span nowhere = {0};
    fw_report_notes(parser->sink, FW_ERROR, "EMU001", nowhere, notes, 2, "argument '%s': %s",
                    parser->whole, what);
    return FW_ERROR_USAGE;
}

static bool accept(struct parser *parser, const char *text)
{
    const size_t length = strlen(text);
    if (strncmp(parser->at, text, length) != 0)
        return false;
    parser->at += length;
    return true;
}

static char *up_to(struct parser *parser, const char *stops)
{
    const size_t length = strcspn(parser->at, stops);
    char *text = fw_arena_text(parser->arena, parser->at, length);
    parser->at += length;
    return text;
}

/* A number with a fraction or exponent, too. */
static bool real_number(const char *text, double *value)
{
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    return *text && !*end &&
           (text[0] == '-' || text[0] == '+' || text[0] == '.' ||
            (text[0] >= '0' && text[0] <= '9') || !isfinite(*value));
}

static bool set_number(struct parser *parser, const char *text)
{
    struct fw_emulate_argument *out = parser->out;
    char *end;
    if (fw_text_integer(text, true, &out->number)) {
        out->real = (double)out->number;
        return true;
    }
    errno = 0;
    const unsigned long long large = strtoull(text, &end, 0);
    if (text[0] != '-' && *text && !*end && errno == 0) {
        out->number = (int64_t)large;
        out->real = (double)large;
        return true;
    }
    if (!real_number(text, &out->real))
        return false;
    out->number = isfinite(out->real) && fabs(out->real) < 0x1p62 ? (int64_t)out->real : 0;
    return true;
}

static enum fw_status name(struct parser *parser)
{
    struct fw_emulate_argument *out = parser->out;
    int64_t value;
    char *text = up_to(parser, "=");
    if (!accept(parser, "="))
        return wrong(parser, "there is no '='");
    char *plus = strchr(text, '+');
    if (plus) {
        *plus = '\0';
        if (!fw_text_integer(plus + 1, true, &value) || value < 0 || value > 65536)
            return wrong(parser, "what follows '+' is no offset in bytes");
        out->offset = (uint32_t)value;
    }
    if (!*text)
        return wrong(parser, "there is no name");
    if (*text != '#') {
        out->name = text;
        return FW_OK;
    }
    if (!fw_text_integer(text + 1, false, &value) || value < 0 || value > 100000)
        return wrong(parser, "what follows '#' is no position");
    out->position = (uint32_t)value;
    return FW_OK;
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static enum fw_status hexadecimal(struct parser *parser)
{
    struct fw_emulate_argument *out = parser->out;
    for (; parser->at[0]; parser->at += 2) {
        const int high = digit(parser->at[0]), low = high < 0 ? -1 : digit(parser->at[1]);
        if (low < 0)
            return wrong(parser, "bytes are two hexadecimal digits each");
        if (out->value_bytes == sizeof out->value)
            return wrong(parser, "more than 16 bytes; members go one by one, as NAME+OFFSET=...");
        out->value[out->value_bytes++] = (uint8_t)(high << 4 | low);
    }
    return out->value_bytes ? FW_OK : wrong(parser, "there are no bytes");
}

static enum fw_status typed_value(struct parser *parser)
{
    struct fw_emulate_argument *out = parser->out;
    if (!set_number(parser, parser->at))
        return wrong(parser, "what follows ':' is no number");
    const uint64_t bits = fw_type_class(out->type) == 'f'
                              ? fw_number_encode(out->type, out->real, FW_ROUND_RN, false)
                              : (uint64_t)out->number;
    if (fw_type_class(out->type) == 'f' && !fw_number_float_known(out->type))
        return wrong(parser, "numbers of this type cannot be given");
    out->value_bytes = fw_type_bytes(out->type);
    for (uint32_t i = 0; i < out->value_bytes && i < 8; i++)
        out->value[i] = (uint8_t)(bits >> 8 * i);
    return FW_OK;
}

/* (a), (a,b) or (a,b,c) */
static enum fw_status numbers(struct parser *parser, unsigned count, double *const *to)
{
    if (!accept(parser, "("))
        return wrong(parser, "'(' is missing");
    for (unsigned k = 0; k < count; k++) {
        if (!real_number(up_to(parser, ",)"), to[k]))
            return wrong(parser, "a bound is no number");
        if (!accept(parser, k + 1 < count ? "," : ")"))
            return wrong(parser, "the bounds are not closed");
    }
    return FW_OK;
}

static enum fw_status bounds(struct parser *parser, unsigned count)
{
    double *const to[] = {&parser->out->low, &parser->out->high};
    return numbers(parser, count, to);
}

static enum fw_status ramp_fill(struct parser *parser)
{
    struct fw_emulate_argument *out = parser->out;
    double jitter = 0;
    double *const to[] = {&out->low, &out->step, &jitter};
    out->fill = FW_FILL_RAMP;
    enum fw_status status = numbers(parser, 3, to);
    if (status)
        return status;
    if (!(fabs(out->low) < 0x1p62) || !(fabs(out->step) < 0x1p62) ||
        !(jitter >= 0 && jitter < 0x1p48) || jitter != floor(jitter))
        return wrong(parser, "a ramp's number is too large, or its jitter no whole number");
    out->jitter = (uint64_t)jitter;
    return FW_OK;
}

static enum fw_status random_fill(struct parser *parser)
{
    struct fw_emulate_argument *out = parser->out;
    out->fill = FW_FILL_RANDOM;
    if (*parser->at != '(')
        return FW_OK;
    enum fw_status status = bounds(parser, 2);
    if (status)
        return status;
    out->has_range = true;
    if (!(out->low <= out->high) || !(fabs(out->low) < 0x1p62) || !(fabs(out->high) < 0x1p62))
        return wrong(parser, "the lower bound is above the upper one, or a bound is too large");
    return FW_OK;
}

static enum fw_status fill(struct parser *parser)
{
    static const struct {
        const char *text;
        uint8_t fill;
    } fills[] = {{"zero", FW_FILL_ZERO},
                 {"ones", FW_FILL_ONES},
                 {"index", FW_FILL_INDEX},
                 {"iota", FW_FILL_INDEX},
                 {"permutation", FW_FILL_PERMUTATION}};
    struct fw_emulate_argument *out = parser->out;
    if (accept(parser, "file:")) {
        out->fill = FW_FILL_FILE;
        out->path = up_to(parser, "");
        return *out->path ? FW_OK : wrong(parser, "there is no path");
    }
    if (accept(parser, "random"))
        return random_fill(parser);
    if (accept(parser, "ramp"))
        return ramp_fill(parser);
    if (accept(parser, "value")) {
        out->fill = FW_FILL_VALUE;
        return bounds(parser, 1);
    }
    for (unsigned i = 0; i < sizeof(fills) / sizeof(fills[0]); i++)
        if (accept(parser, fills[i].text)) {
            out->fill = (enum fw_fill)fills[i].fill;
            return FW_OK;
        }
    return wrong(parser, "this is no way to fill a buffer");
}

static enum fw_status options(struct parser *parser)
{
    struct fw_emulate_argument *out = parser->out;
    int64_t value;
    while (*parser->at) {
        if (accept(parser, ",seed=")) {
            if (!fw_text_integer(up_to(parser, ","), false, &value) || value == 0)
                return wrong(parser, "a seed is a number other than 0");
            out->seed = (uint64_t)value;
        } else if (out->fill == FW_FILL_RANDOM && accept(parser, ",position=")) {
            if (!fw_text_integer(up_to(parser, ","), false, &value) || value < 0 || value > 100000)
                return wrong(parser, "what follows position= is no position");
            out->has_stream = true;
            out->stream = (uint64_t)value;
        } else if (accept(parser, ",align=")) {
            if (!fw_text_integer(up_to(parser, ","), true, &value) || value < 1 ||
                (value & (value - 1)) || value > (int64_t)1 << 30)
                return wrong(parser, "an alignment is a power of two, at most 1G");
            out->alignment = (uint64_t)value;
        } else {
            return wrong(parser, "something follows that is no option");
        }
    }
    return FW_OK;
}

/* After TYPE: [COUNT] and what fills it. */
static enum fw_status buffer(struct parser *parser)
{
    struct fw_emulate_argument *out = parser->out;
    int64_t count;
    out->is_buffer = true;
    if (!fw_text_integer(up_to(parser, "]"), true, &count) || count < 0)
        return wrong(parser, "what stands in brackets is no count of elements");
    if (!accept(parser, "]"))
        return wrong(parser, "']' is missing");
    out->count = (uint64_t)count;
    if (out->count > UINT64_MAX / 2 / fw_type_bytes(out->type))
        return wrong(parser, "too many elements");
    enum fw_status status = FW_OK;
    if (accept(parser, ":"))
        status = fill(parser);
    return status ? status : options(parser);
}

/* After '@'. */
static enum fw_status array_file(struct parser *parser)
{
    struct fw_emulate_argument *out = parser->out;
    struct fw_npy array;
    out->is_buffer = out->is_npy = true;
    out->fill = FW_FILL_FILE;
    out->path = up_to(parser, "");
    if (!*out->path)
        return wrong(parser, "there is no path");
    enum fw_status status = fw_npy_read_file(&array, out->path, parser->sink);
    out->type = array.type;
    out->count = array.count;
    out->skip = array.begin;
    return status;
}

enum fw_status fw_emulate_argument_parse(struct fw_emulate_argument *out, struct fw_arena *arena,
                                         const char *text, const struct fw_sink *sink)
{
    struct parser parser = {arena, sink, text, text, out};
    memset(out, 0, sizeof *out);
    enum fw_status status = name(&parser);
    if (status)
        return status;
    if (accept(&parser, "hex:"))
        return hexadecimal(&parser);
    if (accept(&parser, "file:")) {
        out->is_buffer = true;
        out->type = FW_TYPE_U8;
        out->fill = FW_FILL_FILE;
        out->path = parser.at;
        return *out->path ? FW_OK : wrong(&parser, "there is no path");
    }
    if (accept(&parser, "@"))
        return array_file(&parser);
    const size_t length = strcspn(parser.at, "[:");
    const enum fw_type type =
        parser.at[length] ? fw_type_find(parser.at, (unsigned)length) : FW_TYPE_NONE;
    if (parser.at[length] && (type == FW_TYPE_NONE || fw_type_bits(type) < 8))
        return wrong(&parser, "what stands before '[' or ':' is no type of whole bytes");
    if (!parser.at[length]) {
        out->is_number = true;
        return set_number(&parser, parser.at) ? FW_OK : wrong(&parser, "this is no number");
    }
    out->type = type;
    parser.at += length;
    if (accept(&parser, "["))
        return buffer(&parser);
    parser.at++;
    return typed_value(&parser);
}
