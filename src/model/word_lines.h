/* Files of models: lines of words between single blanks, as the files of blend and forest begin.
 *
 * Takes the text of a file and a place in it; gives the words of the next line, and what numbers
 * they are. Never reports: what a damaged file is called, its reader knows. */
#ifndef FW_WORD_LINES_H
#define FW_WORD_LINES_H

#include "arena.h"
#include "diagnostic.h"

#include <stdbool.h>
#include <stddef.h>

/* Where the reading of a text stands, in bytes. */
struct fw_word_lines {
    const struct fw_source *source;
    size_t at;    /* of the next line */
    size_t begin; /* of the last line that was taken, or asked for */
};

/* The words of the next line, in the arena; their number, 0 at the end of the text, of a line of
 * none, and of one of more than `most`, at which no reader goes on. */
size_t fw_word_line(char **words, size_t most, struct fw_word_lines *lines, struct fw_arena *arena);

/* A number as strtod reads it, not NaN; false: the word is something else. */
bool fw_word_number(double *value, const char *word);

/* A whole number of decimal digits that four times fit size_t; likewise. */
bool fw_word_size(size_t *value, const char *word);

#endif
