/* Diagnostics: what went wrong, where, and what to do about it.
 *
 * A diagnostic has a stable code ("PTX012"), a severity, one sentence, a place in a source text,
 * and notes.  The library hands it to the sink of whoever asked; it never prints.
 * fw_diagnostic_render turns one into text with the source line and a caret, as compilers do. */
#ifndef FW_DIAGNOSTIC_H
#define FW_DIAGNOSTIC_H

#include "arena.h"
#include "status.h"

#include <stdint.h>

enum fw_severity { FW_NOTE, FW_WARNING, FW_ERROR };

/* A text that was read, kept for as long as places in it may be shown. */
struct fw_source {
    const char *name; /* as the user knows it: a path, "-" for standard input */
    const char *text; /* `length` bytes, followed by a zero byte */
    size_t length;
};

/* Leaves UTF-8's byte order mark out, with which editors of Windows begin a text. */
void fw_source_skip_mark(struct fw_source *source);

/* A range of bytes of a source; `source` NULL: no place is known; `offset` FW_WHOLE_SOURCE: no
 * place inside the source is, only which source it is. */
struct fw_span {
    const struct fw_source *source;
    uint32_t offset;
    uint32_t length;
};
#define FW_WHOLE_SOURCE UINT32_MAX

/* A place in a program's own source, by the number of its file, at which a function was called that
 * was inlined there. */
struct fw_call_place {
    uint32_t file, line;
    uint32_t call; /* 1 + the call place that this one was inlined at; 0: it was not */
};

/* The place of what a whole source is at fault for. */
static inline struct fw_span fw_span_of_source(const struct fw_source *source)
{
    return (struct fw_span){source, FW_WHOLE_SOURCE, 0};
}

struct fw_diagnostic {
    enum fw_severity severity;
    const char *code;    /* stable: letters and three digits */
    const char *message; /* one sentence without a full stop */
    struct fw_span span;
    const char *const *notes; /* further lines, `note_count` of them: what to do, what there is */
    size_t note_count;
};

/* Receives diagnostics; the diagnostic and its texts live only during the call. */
struct fw_sink {
    void (*report)(void *user, const struct fw_diagnostic *diagnostic);
    void *user;
};

/* The place of a span's first byte, both counted from 1; 0 for a whole source.  Columns are bytes.
 */
struct fw_position {
    uint32_t line;
    uint32_t column;
};
struct fw_position fw_span_position(struct fw_span span);

/* Reports to `sink` (which may be NULL: silence).  `format` as printf. */
void fw_report(const struct fw_sink *sink, enum fw_severity severity, const char *code,
               struct fw_span span, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The same, with notes. */
void fw_report_notes(const struct fw_sink *sink, enum fw_severity severity, const char *code,
                     struct fw_span span, const char *const *notes, size_t note_count,
                     const char *format, ...) __attribute__((format(printf, 7, 8)));

/* The same for a file that is known by its path alone. */
void fw_report_file(const struct fw_sink *sink, enum fw_severity severity, const char *code,
                    const char *path, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The place of a line and column, both from 1, of a source; what lies past its end is the whole
 * source. */
struct fw_span fw_span_at(const struct fw_source *source, size_t line, size_t column);

/* "name:line:column: error: message [CODE]", the source line, a caret under the place, notes; ends
 * with a newline.  Name, message and notes go through fw_text_shown; in the source line, which
 * the caret counts the bytes of, control characters and all beyond ASCII are shown as '?'.  Long
 * lines are cut around the place.  The text belongs to the arena. */
char *fw_diagnostic_render(struct fw_arena *arena, const struct fw_diagnostic *diagnostic);

#endif
