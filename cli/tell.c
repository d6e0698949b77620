#include "tell.h"
#include "forewarp.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

enum { LONGEST = 2048 };

static unsigned long told;

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
    tell_printable(stderr, file);
    if (line)
        fprintf(stderr, ":%u", line);
    fputs(": error: ", stderr);
    tell_printable(stderr, text);
    fprintf(stderr, " [%s]\n", code);
    told++;
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
