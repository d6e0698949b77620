/* What a compiler wrote to standard error, as diagnostics. */
#define _GNU_SOURCE /* memmem */
#include "compile_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TOLD = 40 };

/* One message of a compiler. */
struct message {
    const char *file; /* "" when there is none */
    size_t file_length;
    unsigned long line, column; /* 0: not known */
    enum fw_severity severity;
    const char *text;
    size_t length;
};

/* The severity that a text begins with; `*length` its bytes with the colon and number behind it. */
static bool read_severity(const char *at, enum fw_severity *severity, size_t *length)
{
    static const struct {
        const char *word;
        enum fw_severity severity;
    } words[] = {{"fatal error", FW_ERROR}, {"catastrophic error", FW_ERROR},
                 {"error", FW_ERROR},       {"warning", FW_WARNING},
                 {"remark", FW_NOTE},       {"note", FW_NOTE},
                 {"fatal", FW_ERROR}};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        size_t word = strlen(words[i].word);
        if (strncmp(at, words[i].word, word) != 0)
            continue;
        /* nvcc: "error #20-D: ", "error : ", "fatal   : " */
        const char *behind = at + word + strspn(at + word, " ");
        if (*behind == '#')
            behind += strcspn(behind, ":\n");
        if (*behind != ':')
            continue;
        *severity = words[i].severity;
        *length = (size_t)(behind + 1 - at);
        return true;
    }
    return false;
}

/* "file:line:column: error: text", "file:line: ...", "file(line): error: text", "clang: error:
 * text", "error: text", "nvcc error   : text", "ptxas fatal   : text" (nvcc runs ptxas to check
 * inline PTX), "ptxas k.ptx, line 28; fatal   : text" in a line of `length` bytes. */
static bool read_message(struct message *message, const char *line, size_t length)
{
    bool nvcc = strncmp(line, "nvcc ", 5) == 0, ptxas = strncmp(line, "ptxas ", 6) == 0;
    for (size_t i = 0; i < length; i++) {
        size_t severity;
        bool behind_space = i >= 2 && line[i - 1] == ' ';
        bool start = i == 0 || (behind_space && line[i - 2] == ':') || (nvcc && i == 5) ||
                     (ptxas && (i == 6 || (behind_space && line[i - 2] == ';')));
        if (!start || !read_severity(line + i, &message->severity, &severity) ||
            i + severity > length)
            continue;
        message->text = line + i + severity;
        message->length = length - i - severity;
        while (message->length && *message->text == ' ') {
            message->text++;
            message->length--;
        }
        size_t file = i >= 2 ? i - 2 : 0;
        unsigned long numbers[2] = {0, 0};
        size_t found = 0;
        if (file && line[file - 1] == ')') {
            size_t digits = file - 1;
            while (digits > 0 && line[digits - 1] >= '0' && line[digits - 1] <= '9')
                digits--;
            if (digits > 0 && line[digits - 1] == '(') {
                numbers[found++] = strtoul(line + digits, NULL, 10);
                file = digits - 1;
            }
        }
        while (found < 2 && file) {
            size_t digits = file;
            while (digits > 0 && line[digits - 1] >= '0' && line[digits - 1] <= '9')
                digits--;
            if (digits == file || digits == 0 || line[digits - 1] != ':')
                break;
            numbers[found++] = strtoul(line + digits, NULL, 10);
            file = digits - 1;
        }
        message->file = line;
        message->file_length = file;
        message->line = numbers[found ? found - 1 : 0];
        message->column = found == 2 ? numbers[0] : 0;
        return true;
    }
    return false;
}

/* The place of a line and column in a source; a line past the end has none. */
static struct fw_span find_span(const struct fw_source *source, unsigned long line,
                                unsigned long column)
{
    const char *at = source->text, *end = source->text + source->length;
    for (unsigned long i = 1; i < line; i++) {
        at = memchr(at, '\n', (size_t)(end - at));
        if (!at)
            return (struct fw_span){0};
        at++;
    }
    size_t width = strcspn(at, "\n");
    size_t skip = column ? column - 1 : strspn(at, " \t");
    return (struct fw_span){
        source, (uint32_t)((size_t)(at - source->text) + (skip < width ? skip : width)), 1};
}

/* Where cudafe++, nvcc's front end, points: behind a message it repeats the line, in which macros
 * are replaced, and puts a caret below the place.  What is behind the place ends the source's line,
 * too, unless it has macros.  0: not known. */
static unsigned long pointed_column(const struct fw_source *source, unsigned long line,
                                    const char *behind)
{
    const size_t echo = strcspn(behind, "\n");
    if (!behind[echo])
        return 0;
    const char *carets = behind + echo + 1;
    const size_t place = strspn(carets, " ");
    if (carets[place] != '^' || place >= echo)
        return 0;
    const struct fw_span start = find_span(source, line, 1);
    if (!start.source)
        return 0;
    const char *text = source->text + start.offset;
    size_t width = strcspn(text, "\r\n"), rest = echo - place;
    return rest <= width && memcmp(text + width - rest, behind + place, rest) == 0
               ? width - rest + 1
               : 0;
}

static bool is_missing(const char *text)
{
    return strstr(text, "No such file or directory") || strstr(text, "file not found");
}

/* Whether the message is of a file that the system kept the compiler from.  In a mount namespace it
 * looks as if it were not there. */
static bool is_forbidden(const struct compilation *compilation, const char *text)
{
    return strstr(text, "Permission denied") ||
           (compilation->confinement == FW_CONFINEMENT_NAMESPACE && is_missing(text));
}

static bool is_word_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_';
}

/* Whether the source has the word, wherever it stands. */
static bool has_word(const struct fw_source *source, const char *word)
{
    const size_t length = strlen(word);
    const char *const begin = source->text, *const end = begin + source->length;
    for (const char *at = begin; (at = memmem(at, (size_t)(end - at), word, length)) != NULL; at++)
        if ((at == begin || !is_word_byte(at[-1])) &&
            (at + length == end || !is_word_byte(at[length])))
            return true;
    return false;
}

/* What helps with an error, where a stated option or another way would; NULL: nothing is known.
 * `first` of the errors, of which the others may be consequences. */
static const char *advice(const struct compilation *compilation, const char *text, bool first)
{
    /* Keywords and headers of C++20, which compilers read as C++17 if nothing is stated. */
    static const char *const words[] = {"concept",   "requires",   "consteval",
                                        "constinit", "<concepts>", "<span>",
                                        "<bit>",     "<ranges>",   "<numbers>"};
    const struct fw_compile_options *options = compilation->options;
    if (strstr(text, "requires separate compilation mode"))
        return "a kernel that launches others: forewarp reads the PTX that nvcc -rdc=true "
               "-lineinfo "
               "-ptx makes of it, and predicts it without those";
    if (!first || options->standard || options->language != FW_LANGUAGE_CUDA)
        return NULL;
    for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++)
        if (has_word(compilation->source, words[w]))
            return fw_arena_printf(compilation->arena,
                                   "it has %s, of C++20, and was compiled as C++17: --std c++20",
                                   words[w]);
    return NULL;
}

/* Tells the message; `behind` is what the compiler wrote behind its line, `first` whether it is the
 * first error. */
static void tell(const struct compilation *compilation, const struct message *message,
                 const char *behind, bool first)
{
    struct fw_arena *arena = compilation->arena;
    const char *file = fw_arena_text(arena, message->file, message->file_length);
    const char *text = fw_text_shown(arena, message->text, message->length);
    bool forbidden = is_forbidden(compilation, text);
    const char *code = message->severity != FW_ERROR    ? "CMP011"
                       : forbidden && !is_missing(text) ? "CMP004"
                                                        : "CMP010";
    const char *const help =
        message->severity == FW_ERROR ? advice(compilation, text, first) : NULL;
    const char *const notes[] = {forbidden ? compile_may_read : help};
    bool own = strcmp(file, compilation->file) == 0;
    bool defined =
        compilation->scratch && strcmp(file, fw_arena_printf(arena, "%s/forewarp_definitions.h",
                                                             compilation->scratch)) == 0;
    struct fw_span span = {0};
    if (own && message->line) {
        const unsigned long column =
            message->column ? message->column
                            : pointed_column(compilation->source, message->line, behind);
        span = find_span(compilation->source, message->line, column);
    } else if (defined && message->line && message->line <= compilation->options->define_count) {
        const char *definition = compilation->options->defines[message->line - 1];
        text = fw_arena_printf(arena, "-D %s: %s",
                               fw_text_shown(arena, definition, strlen(definition)), text);
    } else if (message->line) {
        /* Links of ours stand for include folders. */
        const char *real = compile_real_path(arena, file);
        file = real ? real : file;
        text = fw_arena_printf(arena, "%s:%lu: %s", fw_text_shown(arena, file, strlen(file)),
                               message->line, text);
    } else {
        span.source = compilation->source;
    }
    fw_report_notes(compilation->sink, message->severity, code, span, notes, notes[0] != NULL, "%s",
                    text);
}

size_t compile_tell_messages(const struct compilation *compilation)
{
    size_t told = 0, errors = 0;
    for (const char *line = compilation->messages; *line;) {
        struct message message;
        size_t length = strcspn(line, "\n");
        const char *behind = line + length + (line[length] == '\n');
        if (read_message(&message, line, length)) {
            errors += message.severity == FW_ERROR;
            /* Errors are told even behind many warnings. */
            if (told < MOST_TOLD || (message.severity == FW_ERROR && errors <= MOST_TOLD)) {
                tell(compilation, &message, behind, message.severity == FW_ERROR && errors == 1);
                told++;
            }
        }
        line = behind;
    }
    return errors;
}
