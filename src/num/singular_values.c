#include "singular_values.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { SWEEPS_MOST = 60 };

static double dot(const double *a, const double *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* The triangle R of a QR factorization by Householder reflections, `columns` squared numbers by
 * columns; `matrix` is overwritten. */
static void triangle(double *r, double *matrix, size_t rows, size_t columns)
{
    for (size_t c = 0; c < columns; c++) {
        double *head = &matrix[c * rows + c];
        size_t length = rows - c;
        double norm = sqrt(dot(head, head, length));
        double diagonal = *head > 0 ? -norm : norm;
        *head -= diagonal;
        double square = dot(head, head, length);
        for (size_t other = c + 1; other < columns && square > 0; other++) {
            double *column = &matrix[other * rows + c];
            double factor = 2 * dot(head, column, length) / square;
            for (size_t i = 0; i < length; i++)
                column[i] -= factor * head[i];
        }
        for (size_t row = 0; row < columns; row++)
            r[c * columns + row] = row < c ? matrix[c * rows + row] : row == c ? diagonal : 0;
    }
}

/* Makes columns a and b orthogonal, and turns the vectors alike; whether it had to. */
static bool rotate(double *r, double *vectors, size_t n, size_t a, size_t b)
{
    double *first = &r[a * n], *second = &r[b * n];
    double alpha = dot(first, first, n), beta = dot(second, second, n),
           gamma = dot(first, second, n);
    if (fabs(gamma) <= DBL_EPSILON * sqrt(alpha) * sqrt(beta))
        return false;
    double zeta = (beta - alpha) / (2 * gamma);
    double tangent = (zeta >= 0 ? 1 : -1) / (fabs(zeta) + hypot(1, zeta));
    double cosine = 1 / hypot(1, tangent), sine = cosine * tangent;
    double *pairs[2][2] = {{first, second}, {&vectors[a * n], &vectors[b * n]}};
    for (int p = 0; p < 2; p++)
        for (size_t i = 0; i < n; i++) {
            double x = pairs[p][0][i], y = pairs[p][1][i];
            pairs[p][0][i] = cosine * x - sine * y;
            pairs[p][1][i] = sine * x + cosine * y;
        }
    return true;
}

/* Sorts by descending values, vectors with them. */
static void order(double *values, double *vectors, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t best = i;
        for (size_t j = i + 1; j < n; j++)
            if (values[j] > values[best])
                best = j;
        double value = values[i];
        values[i] = values[best];
        values[best] = value;
        for (size_t k = 0; k < n && best != i; k++) {
            double entry = vectors[i * n + k];
            vectors[i * n + k] = vectors[best * n + k];
            vectors[best * n + k] = entry;
        }
    }
}

void fw_singular_values(double *values, double *vectors, const double *matrix, size_t rows,
                        size_t columns, struct fw_arena *scratch)
{
    struct fw_arena_mark mark = fw_arena_mark(scratch);
    size_t n = columns;
    double *copy = fw_arena_copy(scratch, matrix, rows * columns * sizeof(double));
    double *r = FW_ARRAY(scratch, double, n *n);
    bool turned = true;
    triangle(r, copy, rows, columns);
    memset(vectors, 0, n * n * sizeof(double));
    for (size_t i = 0; i < n; i++)
        vectors[i * n + i] = 1;
    for (int sweep = 0; sweep < SWEEPS_MOST && turned; sweep++) {
        turned = false;
        for (size_t a = 0; a + 1 < n; a++)
            for (size_t b = a + 1; b < n; b++)
                turned |= rotate(r, vectors, n, a, b);
    }
    for (size_t i = 0; i < n; i++)
        values[i] = sqrt(dot(&r[i * n], &r[i * n], n));
    order(values, vectors, n);
    fw_arena_release(scratch, mark);
}
