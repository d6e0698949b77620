#include "json_writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct fw_json_writer fw_json_writer_new(struct fw_buffer *out)
{
    return (struct fw_json_writer){.out = out};
}

static void put(struct fw_json_writer *writer, const char *text)
{
    fw_buffer_add(writer->out, text, strlen(text));
}

static void new_line(struct fw_json_writer *writer)
{
    static const char spaces[] = "                                ";
    fw_buffer_add(writer->out, "\n", 1);
    for (unsigned left = 2 * writer->depth; left > 0;) {
        unsigned now = left < sizeof(spaces) - 1 ? left : (unsigned)sizeof(spaces) - 1;
        fw_buffer_add(writer->out, spaces, now);
        left -= now;
    }
}

/* Characters that a terminal would obey are escaped as well as those that must be. */
static void put_escaped(struct fw_json_writer *writer, unsigned code)
{
    static const char *const known[] = {
        ['"'] = "\\\"", ['\\'] = "\\\\", ['\b'] = "\\b", ['\f'] = "\\f",
        ['\n'] = "\\n", ['\r'] = "\\r",  ['\t'] = "\\t"};
    if (code < sizeof(known) / sizeof(known[0]) && known[code])
        put(writer, known[code]);
    else if (code > 0xffff)
        fw_buffer_printf(writer->out, "\\u%04X\\u%04X", 0xd800 + ((code - 0x10000) >> 10),
                         0xdc00 + (code & 0x3ff));
    else
        fw_buffer_printf(writer->out, "\\u%04X", code);
}

static void put_text(struct fw_json_writer *writer, const char *text)
{
    const char *plain = text; /* from here on nothing was written yet */
    fw_buffer_add(writer->out, "\"", 1);
    while (*text) {
        unsigned char byte = (unsigned char)*text;
        size_t length = byte < 0x80 ? 1 : fw_text_character(text);
        bool plain_character = byte >= 0x20 && byte != '"' && byte != '\\';
        if (length && plain_character && (byte < 0x7f || !fw_text_is_control(text))) {
            text += length;
            continue;
        }
        fw_buffer_add(writer->out, plain, (size_t)(text - plain));
        if (length)
            put_escaped(writer, fw_text_code(text));
        else
            put(writer, "\xef\xbf\xbd");
        text += length ? length : 1;
        plain = text;
    }
    fw_buffer_add(writer->out, plain, (size_t)(text - plain));
    fw_buffer_add(writer->out, "\"", 1);
}

/* What stands before a value: comma, line and name. */
static void begin_value(struct fw_json_writer *writer, const char *name)
{
    if (writer->depth) {
        if (!writer->empty)
            fw_buffer_add(writer->out, ",", 1);
        new_line(writer);
    }
    writer->empty = false;
    if (name) {
        put_text(writer, name);
        fw_buffer_add(writer->out, ": ", 2);
    }
}

static void open_value(struct fw_json_writer *writer, const char *name, const char *bracket)
{
    begin_value(writer, name);
    fw_buffer_add(writer->out, bracket, 1);
    writer->depth++;
    writer->empty = true;
}

static void close_value(struct fw_json_writer *writer, const char *bracket)
{
    writer->depth--;
    if (!writer->empty)
        new_line(writer);
    fw_buffer_add(writer->out, bracket, 1);
    writer->empty = false;
}

void fw_json_object(struct fw_json_writer *writer, const char *name)
{
    open_value(writer, name, "{");
}

void fw_json_object_end(struct fw_json_writer *writer)
{
    close_value(writer, "}");
}

void fw_json_array(struct fw_json_writer *writer, const char *name)
{
    open_value(writer, name, "[");
}

void fw_json_array_end(struct fw_json_writer *writer)
{
    close_value(writer, "]");
}

void fw_json_null(struct fw_json_writer *writer, const char *name)
{
    begin_value(writer, name);
    put(writer, "null");
}

void fw_json_text(struct fw_json_writer *writer, const char *name, const char *value)
{
    begin_value(writer, name);
    if (value)
        put_text(writer, value);
    else
        put(writer, "null");
}

void fw_json_boolean(struct fw_json_writer *writer, const char *name, bool value)
{
    begin_value(writer, name);
    put(writer, value ? "true" : "false");
}

void fw_json_integer(struct fw_json_writer *writer, const char *name, int64_t value)
{
    static const int64_t largest = (int64_t)1 << 53;
    char digits[24], *end = digits + sizeof(digits), *at = end;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    bool quoted = value >= largest || value <= -largest;
    do {
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0)
        *--at = '-';
    begin_value(writer, name);
    if (quoted)
        fw_buffer_add(writer->out, "\"", 1);
    fw_buffer_add(writer->out, at, (size_t)(end - at));
    if (quoted)
        fw_buffer_add(writer->out, "\"", 1);
}

void fw_json_real(struct fw_json_writer *writer, const char *name, double value)
{
    char digits[40];
    if (!isfinite(value)) {
        fw_json_null(writer, name);
        return;
    }
    begin_value(writer, name);
    int length = snprintf(digits, sizeof(digits) - 2, "%.12g", value);
    char *comma = memchr(digits, ',', (size_t)length); /* by the program's locale */
    if (comma)
        *comma = '.';
    char *exponent = memchr(digits, 'e', (size_t)length);
    if (exponent) { /* 1e+09 is written 1e9 */
        char *to = exponent + 1, *from = to + 1;
        to += *to == '-';
        while (*from == '0')
            from++;
        memmove(to, from, (size_t)(digits + length - from) + 1);
        put(writer, digits);
        return;
    }
    fw_buffer_add(writer->out, digits, (size_t)length);
    if (!memchr(digits, '.', (size_t)length))
        fw_buffer_add(writer->out, ".0", 2);
}

void fw_json_integer_if(struct fw_json_writer *writer, const char *name, bool known, int64_t value)
{
    if (known)
        fw_json_integer(writer, name, value);
    else
        fw_json_null(writer, name);
}

void fw_json_real_if(struct fw_json_writer *writer, const char *name, bool known, double value)
{
    if (known)
        fw_json_real(writer, name, value);
    else
        fw_json_null(writer, name);
}
