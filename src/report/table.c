#include "table.h"

#include <stdarg.h>
#include <string.h>

void fw_table_cell(struct fw_table_text *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *cell = fw_arena_vprintf(table->arena, format, arguments);
    va_end(arguments);
    *FW_APPEND(table->arena, &table->cells) = fw_text_shown(table->arena, cell, strlen(cell));
}

/* Spaces from a pad as long as they are needed. */
static void pad(struct fw_buffer *out, size_t count)
{
    while (count--)
        fw_buffer_add(out, " ", 1);
}

void fw_table_print(const struct fw_table_text *table, struct fw_buffer *out)
{
    size_t columns = strlen(table->sides), rows = table->cells.count / columns;
    size_t *widths = FW_ARRAY(table->arena, size_t, columns);
    for (size_t c = 0; c < rows * columns; c++) {
        size_t length = strlen(table->cells.at[c]);
        widths[c % columns] = length > widths[c % columns] ? length : widths[c % columns];
    }
    for (size_t r = 0; r < rows; r++) {
        size_t due = 2; /* spaces that are only written before more text */
        for (size_t c = 0; c < columns; c++) {
            const char *cell = table->cells.at[r * columns + c];
            size_t length = strlen(cell), room = widths[c] - length;
            if (widths[c] == 0)
                continue;
            bool right = table->sides[c] == 'r';
            if (length) {
                pad(out, due + (right ? room : 0));
                fw_buffer_add(out, cell, length);
                due = right ? 0 : room;
            } else {
                due += room;
            }
            due += 2;
        }
        fw_buffer_add(out, "\n", 1);
    }
}
