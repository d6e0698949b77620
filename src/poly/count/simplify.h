/* Simpler polynomials for a cell: the same values at every parameter point of the cell, fewer or
 * plainer floors.  For people; evaluation does without. */
#ifndef FW_SIMPLIFY_H
#define FW_SIMPLIFY_H

#include "cells.h"

/* Rewrites the cell's value with its equalities and the context's (floor(n / 16) is n / 16 where 16
 * divides n), and squares of halves without the square. */
void fw_cell_simplify(struct summation *summation, struct cell *cell);

/* Gives cells on which a larger neighbour's value holds as well that value. */
void fw_cells_share(struct summation *summation, fw_cells *cells);

#endif
