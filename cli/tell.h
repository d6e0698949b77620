/* What this program itself says on standard error, and how it ends.
 *
 * Takes errors of the command line and of writing the answer; each has a code, CLI and three
 * digits, like those of the library, and is shown printable: words of the command line are
 * anyone's. Counts the errors that were told, so that no run fails in silence or loses a part of
 * its answer without saying so. */
#ifndef FW_TELL_H
#define FW_TELL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* "forewarp: error: TEXT [CODE]"; gives false, so that a caller can return it. */
bool tell_error(const char *code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "FILE:LINE: error: TEXT [CODE]"; likewise. */
bool tell_error_in(const char *code, const char *file, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The library told an error. */
void tell_counted(void);

/* Writes a text printable, on one line. */
void tell_printable(FILE *out, const char *text);

/* The end of every run: flushes standard output, and sees to it that what could not be written and
 * what failed are told.  Gives the exit status, 3 when the answer was not written. */
int tell_end(int exit_status);

#endif
