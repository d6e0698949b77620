/* Text for people, fitted to the width of the terminal that it goes to. */
#include "fit.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { NARROWEST = 60, DEEPEST = 32 };

unsigned fit_columns(int file)
{
    struct winsize size;
    if (!isatty(file) || ioctl(file, TIOCGWINSZ, &size) != 0 || size.ws_col < NARROWEST)
        return 0;
    return size.ws_col;
}

/* Bytes of one character as a terminal shows it, and the columns that it takes: none for a change
 * of colour. */
static size_t character(const char *at, size_t *columns)
{
    size_t length = 1;
    *columns = 1;
    if (at[0] == '\x1b' && at[1] == '[') {
        length = 2 + strcspn(at + 2, "m\n");
        *columns = 0;
        return length + (at[length] == 'm');
    }
    while (((unsigned char)at[length] & 0xc0) == 0x80)
        length++;
    return length;
}

/* Where a line's further lines begin: below its second column, or two behind its own beginning,
 * and not too far right. */
static size_t hanging(const char *line, size_t length)
{
    size_t lead = strspn(line, " "), column = lead, width;
    if (lead >= DEEPEST)
        return DEEPEST;
    if (strncmp(line + lead, "- ", 2) == 0)
        return lead + 2;
    for (size_t at = lead; at + 2 < length && column < DEEPEST; column += width) {
        size_t gap = strspn(line + at, " ");
        if (gap >= 2)
            return column + gap <= DEEPEST ? column + gap : DEEPEST;
        at += character(line + at, &width);
    }
    return lead + 2;
}

/* How many bytes of a line of `length` fit into `columns`: up to the last gap between two columns
 * of a table behind `least` bytes, else to the last blank there, else to the first gap; all, where
 * there is none. */
static size_t fitting(const char *line, size_t length, size_t columns, size_t least)
{
    size_t at = strspn(line, " "), column = at, blank = 0, gap = 0, first = 0, width;
    while (at < length && column <= columns) {
        bool ends = at > 0 && line[at] == ' ' && line[at - 1] != ' ';
        bool wide = ends && line[at + 1] == ' ';
        first = wide && !first ? at : first;
        blank = ends && at > least ? at : blank;
        gap = wide && at > least ? at : gap;
        at += character(line + at, &width);
        column += width;
    }
    if (column <= columns)
        return length;
    return gap ? gap : blank ? blank : first ? first : length;
}

void fit_print(FILE *out, const char *text, unsigned columns)
{
    while (*text) {
        size_t length = strcspn(text, "\n"), indent = hanging(text, length);
        size_t lead = strspn(text, " "), part;
        if (lead >= columns) { /* heads of wide columns */
            fprintf(out, "%*s", (int)indent, "");
            text += lead;
            length -= lead;
        }
        part = length;
        if (length > columns)
            part = fitting(text, length, columns, indent);
        for (const char *line = text; length > 0;) {
            fwrite(line, 1, part, out);
            line += part;
            length -= part;
            size_t skipped = strspn(line, " ");
            line += skipped < length ? skipped : length;
            length -= skipped < length ? skipped : length;
            if (!length)
                break;
            fprintf(out, "\n%*s", (int)indent, "");
            part = fitting(line, length, columns > indent + 20 ? columns - indent : 20, 0);
        }
        text += strcspn(text, "\n");
        if (*text == '\n')
            putc(*text++, out);
    }
}
