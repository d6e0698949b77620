/* Tables: rows of cells, aligned in columns, as text. */
#ifndef FW_TABLE_H
#define FW_TABLE_H

#include "text.h"

struct fw_table_text {
    struct fw_arena *arena;
    const char *sides; /* one letter a column: l left, r right */
    FW_VECTOR(const char *) cells;
};

/* Adds one cell, a formatted text, made printable; the row is full after as many as `sides` has
 * letters. */
void fw_table_cell(struct fw_table_text *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds the table, each row behind two spaces.  Columns without any text take no room. */
void fw_table_print(const struct fw_table_text *table, struct fw_buffer *out);

#endif
