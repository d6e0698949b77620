/* Small helpers of forewarp-measure: reasons, growing text, reading JSON lines of its own making.
 *
 * The program is copied to machines with a GPU and built there by one compiler call, so this folder
 * uses libc alone and nothing of src/base.  Running out of memory ends the process with a message
 * (status 3): nothing is lost by that, for records are on disk before the next configuration. */
#ifndef FW_MEASURE_TEXT_H
#define FW_MEASURE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Why something failed, for people. */
struct fw_reason {
    char text[600];
};

/* Writes a reason and gives false, so that a caller can return it. */
bool fw_reason_set(struct fw_reason *reason, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes a text on one line as any terminal may show it: bytes that are not printable ASCII as
 * \x1b.
 */
void fw_text_show(FILE *out, const char *text);

/* Zeroed memory of count * size bytes; never NULL.  The caller frees. */
void *fw_measure_memory(size_t count, size_t size);

/* Text that grows; `text` is NUL-terminated once something was added.  The owner frees `text`. */
struct fw_growing {
    char *text;
    size_t length, capacity;
};

void fw_growing_add(struct fw_growing *growing, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds a JSON string with its quotes; bytes that JSON forbids are escaped. */
void fw_growing_quote(struct fw_growing *growing, const char *text);
/* Adds `length` bytes as they are. */
void fw_growing_bytes(struct fw_growing *growing, const char *bytes, size_t length);

/* A whole regular file as growing text; false with a reason. */
bool fw_file_read(struct fw_growing *content, const char *path, struct fw_reason *reason);

/* The value at a path of member names ("single.seconds") in one JSON object: its first byte, or
 * NULL when the path is not there or the text is no JSON that this program writes. */
const char *fw_json_find(const char *object, const char *path);
/* A string value's text, unescaped; NULL when the path has no string.  The caller frees. */
char *fw_json_string(const char *object, const char *path);
/* A number, or `otherwise` when the path has none (null included). */
double fw_json_number(const char *object, const char *path, double otherwise);
/* Whether a line of records is in the format that this program writes; a setup line says which. */
bool fw_json_format_known(const char *line);
/* An array of numbers (null becomes -1) into `*values`, which the caller frees; its length.  A
 * number alone is an array of one. */
size_t fw_json_numbers(const char *object, const char *path, double **values);

#endif
