#include "diagnostic.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_WIDTH = 100 };

struct fw_position fw_span_position(struct fw_span span)
{
    struct fw_position position = {1, 1};
    if (!span.source)
        return position;
    if (span.offset == FW_WHOLE_SOURCE)
        return (struct fw_position){0, 0};
    size_t end = span.offset < span.source->length ? span.offset : span.source->length;
    const char *text = span.source->text;
    const char *line = text;
    for (const char *at = text; (at = memchr(at, '\n', (size_t)(text + end - at))) != NULL;) {
        at++;
        position.line++;
        line = at;
    }
    position.column = (uint32_t)(text + end - line) + 1;
    return position;
}

struct fw_span fw_span_at(const struct fw_source *source, size_t line, size_t column)
{
    const char *at = source->text, *end = at + source->length;
    for (size_t l = 1; l < line && at; l++)
        if ((at = memchr(at, '\n', (size_t)(end - at))) != NULL)
            at++;
    if (!at || line == 0)
        return fw_span_of_source(source);
    const char *next = memchr(at, '\n', (size_t)(end - at));
    size_t width = (size_t)((next ? next : end) - at), skip = column ? column - 1 : 0;
    return (struct fw_span){
        source, (uint32_t)((size_t)(at - source->text) + (skip < width ? skip : width)), 0};
}

__attribute__((format(printf, 3, 0))) static void report(const struct fw_sink *sink,
                                                         struct fw_diagnostic *diagnostic,
                                                         const char *format, va_list arguments)
{
    char message[1024];
    if (!sink || !sink->report)
        return;
    vsnprintf(message, sizeof(message), format, arguments);
    diagnostic->message = message;
    sink->report(sink->user, diagnostic);
}

void fw_report(const struct fw_sink *sink, enum fw_severity severity, const char *code,
               struct fw_span span, const char *format, ...)
{
    struct fw_diagnostic diagnostic = {.severity = severity, .code = code, .span = span};
    va_list arguments;
    va_start(arguments, format);
    report(sink, &diagnostic, format, arguments);
    va_end(arguments);
}

void fw_report_notes(const struct fw_sink *sink, enum fw_severity severity, const char *code,
                     struct fw_span span, const char *const *notes, size_t note_count,
                     const char *format, ...)
{
    struct fw_diagnostic diagnostic = {
        .severity = severity, .code = code, .span = span, .notes = notes, .note_count = note_count};
    va_list arguments;
    va_start(arguments, format);
    report(sink, &diagnostic, format, arguments);
    va_end(arguments);
}

void fw_report_file(const struct fw_sink *sink, enum fw_severity severity, const char *code,
                    const char *path, const char *format, ...)
{
    const struct fw_source source = {path, "", 0};
    struct fw_diagnostic diagnostic = {
        .severity = severity, .code = code, .span = fw_span_of_source(&source)};
    va_list arguments;
    va_start(arguments, format);
    report(sink, &diagnostic, format, arguments);
    va_end(arguments);
}

void fw_source_skip_mark(struct fw_source *source)
{
    const size_t length =
        source->length >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    source->text += length;
    source->length -= length;
}

/* The line that holds the span, cut to SHOWN_WIDTH bytes around its start, then the caret line. */
static char *render_excerpt(struct fw_arena *arena, struct fw_span span)
{
    const char *text = span.source->text;
    size_t at = span.offset < span.source->length ? span.offset : span.source->length;
    size_t begin = at, end = at;
    while (begin > 0 && text[begin - 1] != '\n')
        begin--;
    while (end < span.source->length && text[end] != '\n')
        end++;
    if (end > at && text[end - 1] == '\r') /* a line end of Windows */
        end--;
    if (at - begin > SHOWN_WIDTH / 2 && end - begin > SHOWN_WIDTH)
        begin = at - SHOWN_WIDTH / 2;
    if (end - begin > SHOWN_WIDTH)
        end = begin + SHOWN_WIDTH;
    size_t width = end - begin, carets = span.length ? span.length : 1;
    if (carets > end - at)
        carets = end > at ? end - at : 1;
    char *line = fw_arena_text(arena, text + begin, width);
    char *marks = fw_arena_alloc(arena, width + carets + 2);
    for (size_t i = 0; i < width; i++) {
        if (line[i] == '\t')
            line[i] = ' ';
        else if ((unsigned char)line[i] < 32 || (unsigned char)line[i] >= 127)
            line[i] = '?';
    }
    memset(marks, ' ', at - begin);
    memset(marks + (at - begin), '~', carets);
    marks[at - begin] = '^';
    return fw_arena_printf(arena, "  %s\n  %s\n", line, marks);
}

/* "name:line:column", "name", or the library's. */
static const char *render_place(struct fw_arena *arena, struct fw_span span)
{
    if (!span.source)
        return "forewarp";
    const char *name = fw_text_shown(arena, span.source->name, strlen(span.source->name));
    struct fw_position position = fw_span_position(span);
    return position.line == 0
               ? name
               : fw_arena_printf(arena, "%s:%u:%u", name, position.line, position.column);
}

char *fw_diagnostic_render(struct fw_arena *arena, const struct fw_diagnostic *diagnostic)
{
    static const char *const severities[] = {"note", "warning", "error"};
    const struct fw_span span = diagnostic->span;
    struct fw_buffer text = fw_buffer_new(arena);
    fw_buffer_printf(
        &text, "%s: %s: %s [%s]\n", render_place(arena, span), severities[diagnostic->severity],
        fw_text_shown(arena, diagnostic->message, strlen(diagnostic->message)), diagnostic->code);
    if (span.source && span.offset != FW_WHOLE_SOURCE)
        fw_buffer_printf(&text, "%s", render_excerpt(arena, span));
    for (size_t i = 0; i < diagnostic->note_count; i++)
        fw_buffer_printf(&text, "  note: %s\n",
                         fw_text_shown(arena, diagnostic->notes[i], strlen(diagnostic->notes[i])));
    return text.text;
}
