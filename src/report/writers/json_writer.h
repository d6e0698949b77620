/* JSON written as it is said: objects and arrays are begun and ended, values added between.
 *
 * Takes values one after the other, gives indented text in a buffer; builds no tree, so that ten
 * thousand answers cost what their bytes cost.  Members have names; elements of arrays, and the
 * outermost value, have NULL for one.  Texts that are not UTF-8 get U+FFFD for what is not.  The
 * caller ends what it began, in order. */
#ifndef FW_JSON_WRITER_H
#define FW_JSON_WRITER_H

#include "text.h"

#include <stdbool.h>
#include <stdint.h>

struct fw_json_writer {
    struct fw_buffer *out;
    unsigned depth; /* of objects and arrays that are open */
    bool empty;     /* nothing was added to the innermost yet */
};

/* Writes to the end of `out`, which must outlive the writer. */
struct fw_json_writer fw_json_writer_new(struct fw_buffer *out);

void fw_json_object(struct fw_json_writer *writer, const char *name);
void fw_json_object_end(struct fw_json_writer *writer);
void fw_json_array(struct fw_json_writer *writer, const char *name);
void fw_json_array_end(struct fw_json_writer *writer);

/* A text; NULL: null. */
void fw_json_text(struct fw_json_writer *writer, const char *name, const char *value);
/* An integer; from 2^53 on, in either direction, a decimal text: doubles do not hold it. */
void fw_json_integer(struct fw_json_writer *writer, const char *name, int64_t value);
/* A number with 12 digits, marked as no integer by a point or an exponent; null when not finite. */
void fw_json_real(struct fw_json_writer *writer, const char *name, double value);
void fw_json_boolean(struct fw_json_writer *writer, const char *name, bool value);
void fw_json_null(struct fw_json_writer *writer, const char *name);

/* The same when `known`, else null. */
void fw_json_integer_if(struct fw_json_writer *writer, const char *name, bool known, int64_t value);
void fw_json_real_if(struct fw_json_writer *writer, const char *name, bool known, double value);

#endif
