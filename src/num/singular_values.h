/* Singular values of a small dense matrix, for the condition of a fit.
 *
 * Takes a matrix by columns; gives its singular values and right singular vectors, by a QR
 * factorization and Jacobi rotations of the triangle's columns (one-sided Jacobi: Golub and Van
 * Loan, Matrix Computations, 4th edition, sections 5.2 and 8.6.3), which finds small singular
 * values to high relative accuracy.  Never reports. */
#ifndef FW_SINGULAR_VALUES_H
#define FW_SINGULAR_VALUES_H

#include "arena.h"

/* Of `matrix`, `rows` times `columns`, column c from c * rows (rows >= columns): `values`
 * (`columns` numbers, the largest first) and `vectors`, whose column v, from v * columns, belongs
 * to value v.  Entries are finite. */
void fw_singular_values(double *values, double *vectors, const double *matrix, size_t rows,
                        size_t columns, struct fw_arena *scratch);

#endif
