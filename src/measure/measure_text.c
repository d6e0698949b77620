/* See measure_text.h. */
#include "measure_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool fw_reason_set(struct fw_reason *reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason->text, sizeof reason->text, format, arguments);
    va_end(arguments);
    return false;
}

void fw_text_show(FILE *out, const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at; at++)
        if (*at >= 0x20 && *at < 0x7f)
            fputc(*at, out);
        else
            fprintf(out, "\\x%02x", *at);
}

void *fw_measure_memory(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory) {
        fprintf(stderr, "forewarp-measure: no memory for %zu times %zu bytes\n", count, size);
        exit(3);
    }
    return memory;
}

static void reserve(struct fw_growing *growing, size_t more)
{
    if (growing->length + more + 1 <= growing->capacity)
        return;
    growing->capacity = (growing->length + more + 1) * 2;
    growing->text = realloc(growing->text, growing->capacity);
    if (!growing->text) {
        fprintf(stderr, "forewarp-measure: no memory for %zu bytes\n", growing->capacity);
        exit(3);
    }
}

void fw_growing_bytes(struct fw_growing *growing, const char *bytes, size_t length)
{
    reserve(growing, length);
    if (length)
        memcpy(growing->text + growing->length, bytes, length);
    growing->length += length;
    growing->text[growing->length] = '\0';
}

void fw_growing_add(struct fw_growing *growing, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length > 0) {
        reserve(growing, (size_t)length);
        vsnprintf(growing->text + growing->length, (size_t)length + 1, format, again);
        growing->length += (size_t)length;
    }
    va_end(again);
}

void fw_growing_quote(struct fw_growing *growing, const char *text)
{
    fw_growing_add(growing, "\"");
    for (const char *at = text ? text : ""; *at; at++) {
        unsigned char byte = (unsigned char)*at;
        if (byte == '"' || byte == '\\')
            fw_growing_add(growing, "\\%c", byte);
        else if (byte < 0x20)
            fw_growing_add(growing, "\\u%04x", byte);
        else
            fw_growing_bytes(growing, at, 1);
    }
    fw_growing_add(growing, "\"");
}

bool fw_file_read(struct fw_growing *content, const char *path, struct fw_reason *reason)
{
    /* Without waiting for whoever would write to a named pipe. */
    struct stat about;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    bool regular = descriptor >= 0 && fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode);
    FILE *file = regular ? fdopen(descriptor, "rb") : NULL;
    if (!file) {
        fw_reason_set(reason, "%s: %s", path,
                      descriptor < 0 ? strerror(errno) : "it is no regular file");
        if (descriptor >= 0)
            close(descriptor);
        return false;
    }
    char piece[16384];
    size_t got;
    fw_growing_bytes(content, "", 0);
    while ((got = fread(piece, 1, sizeof piece, file)) > 0)
        fw_growing_bytes(content, piece, got);
    bool failed = ferror(file) != 0;
    fclose(file);
    return failed ? fw_reason_set(reason, "%s: cannot be read: %s", path, strerror(errno)) : true;
}

static const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

/* Behind a string whose opening quote is at `at`; NULL when it does not end. */
static const char *skip_string(const char *at)
{
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && !*++at)
            return NULL;
    return *at == '"' ? at + 1 : NULL;
}

/* Behind a value; brackets are counted, strings stepped over. */
static const char *skip_value(const char *at)
{
    size_t depth = 0;
    for (at = skip_blanks(at); *at; at++) {
        if (*at == '"') {
            at = skip_string(at);
            if (!at || depth == 0)
                return at;
            at--;
        } else if (*at == '{' || *at == '[') {
            depth++;
        } else if (*at == '}' || *at == ']') {
            if (depth == 0)
                return at;
            if (--depth == 0)
                return at + 1;
        } else if (*at == ',' && depth == 0) {
            return at;
        }
    }
    return depth ? NULL : at;
}

const char *fw_json_find(const char *object, const char *path)
{
    size_t length = strcspn(path, ".");
    const char *at = skip_blanks(object);
    if (*at++ != '{')
        return NULL;
    for (;;) {
        at = skip_blanks(at);
        if (*at != '"')
            return NULL;
        const char *name = at + 1, *end = skip_string(at);
        if (!end)
            return NULL;
        at = skip_blanks(end);
        if (*at++ != ':')
            return NULL;
        at = skip_blanks(at);
        if ((size_t)(end - 1 - name) == length && memcmp(name, path, length) == 0)
            return path[length] ? fw_json_find(at, path + length + 1) : at;
        at = skip_value(at);
        if (!at || *(at = skip_blanks(at)) != ',')
            return NULL;
        at++;
    }
}

char *fw_json_string(const char *object, const char *path)
{
    const char *at = fw_json_find(object, path);
    if (!at || *at != '"')
        return NULL;
    const char *end = skip_string(at);
    if (!end)
        return NULL;
    char *text = fw_measure_memory((size_t)(end - at), 1), *to = text;
    for (at++; at < end - 1; at++) {
        if (*at != '\\') {
            *to++ = *at;
        } else if (*++at == 'u') {
            char digits[5] = {0};
            for (int i = 0; i < 4 && at + 1 < end - 1; i++)
                digits[i] = *++at;
            *to++ =
                (char)strtoul(digits, NULL, 16); /* this program escapes bytes below 0x20 alone */
        } else {
            *to++ = *at;
        }
    }
    return text;
}

double fw_json_number(const char *object, const char *path, double otherwise)
{
    const char *at = fw_json_find(object, path);
    if (!at)
        return otherwise;
    char *end;
    double value = strtod(at, &end);
    return end == at || *at == 'n' ? otherwise : value;
}

bool fw_json_format_known(const char *line)
{
    char *kind = fw_json_string(line, "record");
    bool setup = kind && strcmp(kind, "setup") == 0;
    free(kind);
    return !setup || fw_json_number(line, "format", 1) == 1;
}

size_t fw_json_numbers(const char *object, const char *path, double **values)
{
    const char *at = fw_json_find(object, path);
    size_t count = 0, capacity = 0;
    *values = NULL;
    if (!at || *at == 'n')
        return 0;
    for (at = *at == '[' ? skip_blanks(at + 1) : at; *at && *at != ']' && *at != '}';) {
        char *end;
        double value = -1;
        if (strncmp(at, "null", 4) == 0) {
            end = NULL;
            at += 4;
        } else {
            value = strtod(at, &end);
            if (end == at)
                break;
            at = end;
        }
        if (count == capacity) {
            capacity = capacity ? capacity * 2 : 64;
            *values = realloc(*values, capacity * sizeof **values);
            if (!*values)
                exit(3);
        }
        (*values)[count++] = value;
        at = skip_blanks(at);
        if (*at == ',')
            at = skip_blanks(at + 1);
    }
    return count;
}
