/* Text for people, fitted to the width of the terminal that it goes to.
 *
 * Takes lines of any length, with changes of colour; where one is wider than the terminal, it goes
 * on below its second column. Changes nothing that goes to a file or a pipe. */
#ifndef FW_FIT_H
#define FW_FIT_H

#include <stdio.h>

/* The columns of the terminal that `file` is; 0: it is none, tells none, or is too narrow for
 * tables. */
unsigned fit_columns(int file);

/* Writes the text in lines of at most `columns`, but for words that are longer. */
void fit_print(FILE *out, const char *text, unsigned columns);

#endif
