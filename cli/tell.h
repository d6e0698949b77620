/* What this program itself says on standard error, and how it ends.
 *
 * Takes errors of the command line and of writing the answer; each has a code, CLI and three
 * digits, like those of the library, and is shown printable: words of the command line are
 * anyone's. Counts the errors that were told, so that no run fails in silence or loses a part of
 * its answer without saying so. */
#ifndef FW_TELL_H
#define FW_TELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* "forewarp: error: TEXT [CODE]"; gives false, so that a caller can return it. */
bool tell_error(const char *code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "FILE:LINE: error: TEXT [CODE]"; likewise. */
bool tell_error_in(const char *code, const char *file, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* From now on what is told are lines of JSON on standard error (docs/schema/diagnostic.json). */
void tell_in_json(void);
bool tell_is_json(void);

/* Writes a text as JSON has it, in quotes; what is no UTF-8 as U+FFFD. */
void tell_json_text(FILE *out, const char *text);

/* One diagnostic as a line of JSON on standard error.  `file` NULL, `line` 0: it has no place. */
void tell_json_line(const char *severity, const char *code, const char *text, const char *file,
                    uint32_t line, uint32_t column, const char *const *notes, size_t note_count);

/* The library told an error. */
void tell_counted(void);

/* Writes a text printable, on one line. */
void tell_printable(FILE *out, const char *text);

/* The end of every run: flushes standard output, and sees to it that what could not be written and
 * what failed are told.  Gives the exit status, 3 when the answer was not written. */
int tell_end(int exit_status);

#endif
