#include "tell.h"
#include "forewarp.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

enum { LONGEST = 2048 };

static unsigned long told;
static bool in_json;

void tell_in_json(void)
{
    in_json = true;
}

bool tell_is_json(void)
{
    return in_json;
}

/* Bytes of the UTF-8 character that a text begins with; 0: it begins with none. */
static size_t character(const unsigned char *text)
{
    size_t length = *text < 0x80                     ? 1
                    : *text >= 0xc2 && *text <= 0xdf ? 2
                    : *text >= 0xe0 && *text <= 0xef ? 3
                    : *text >= 0xf0 && *text <= 0xf4 ? 4
                                                     : 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    if ((*text == 0xe0 && text[1] < 0xa0) || (*text == 0xed && text[1] > 0x9f) ||
        (*text == 0xf0 && text[1] < 0x90) || (*text == 0xf4 && text[1] > 0x8f))
        return 0;
    return length;
}

/* Whether a character of two or three bytes does something to a terminal or to the order in which
 * others are shown: those that fw_text_printable does not leave as they are. */
static bool is_control(unsigned code)
{
    return (code >= 0x80 && code <= 0x9f) || (code >= 0x200b && code <= 0x200f) ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) ||
           code == 0x61c || code == 0xfeff;
}

void tell_json_text(FILE *out, const char *text)
{
    fputc('"', out);
    while (*text) {
        const unsigned char *at = (const unsigned char *)text;
        size_t length = character(at);
        unsigned code = length == 2 ? (at[0] & 0x1fu) << 6 | (at[1] & 0x3fu)
                        : length == 3
                            ? (at[0] & 0xfu) << 12 | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu)
                            : 0;
        if (is_control(code))
            fprintf(out, "\\u%04x", code);
        else if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < 0x20 || *text == 0x7f)
            fprintf(out, "\\u%04x", (unsigned char)*text);
        else if (length)
            fwrite(text, 1, length, out);
        else
            fputs("\\ufffd", out);
        text += length ? length : 1;
    }
    fputc('"', out);
}

void tell_json_line(const char *severity, const char *code, const char *text, const char *file,
                    uint32_t line, uint32_t column, const char *const *notes, size_t note_count)
{
    fprintf(stderr, "{\"severity\": \"%s\", \"code\": ", severity);
    tell_json_text(stderr, code);
    fputs(", \"message\": ", stderr);
    tell_json_text(stderr, text);
    fputs(", \"file\": ", stderr);
    if (file)
        tell_json_text(stderr, file);
    else
        fputs("null", stderr);
    fprintf(stderr, line ? ", \"line\": %u" : ", \"line\": null", line);
    fprintf(stderr, column ? ", \"column\": %u" : ", \"column\": null", column);
    fputs(", \"notes\": [", stderr);
    for (size_t n = 0; n < note_count; n++) {
        fputs(n ? ", " : "", stderr);
        tell_json_text(stderr, notes[n]);
    }
    fputs("]}\n", stderr);
}

void tell_counted(void)
{
    told++;
}

void tell_printable(FILE *out, const char *text)
{
    char *printable;
    if (fw_text_printable(&printable, text, false) == FW_OK)
        fputs(printable, out);
    fw_text_free(printable);
}

static void tell(const char *code, const char *file, uint32_t line, const char *format,
                 va_list arguments)
{
    char text[LONGEST];
    vsnprintf(text, sizeof(text), format, arguments);
    told++;
    if (in_json) {
        tell_json_line("error", code, text, line ? file : NULL, line, 0, NULL, 0);
        return;
    }
    tell_printable(stderr, file);
    if (line)
        fprintf(stderr, ":%u", line);
    fputs(": error: ", stderr);
    tell_printable(stderr, text);
    fprintf(stderr, " [%s]\n", code);
}

bool tell_error(const char *code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tell(code, "forewarp", 0, format, arguments);
    va_end(arguments);
    return false;
}

bool tell_error_in(const char *code, const char *file, uint32_t line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tell(code, file, line, format, arguments);
    va_end(arguments);
    return false;
}

int tell_end(int exit_status)
{
    bool lost = ferror(stdout) != 0;
    errno = 0;
    lost = fflush(stdout) != 0 || lost;
    if (lost && exit_status != 3) {
        tell_error("CLI004", "the answer cannot be written: %s",
                   errno ? strerror(errno) : "standard output is full or closed");
        exit_status = 3;
    }
    if (exit_status && !told)
        tell_error("CLI008", "%s",
                   exit_status == 3 ? "out of memory, or the machine refused without a reason"
                                    : "the reason was not told: this is a fault of forewarp");
    return exit_status;
}
